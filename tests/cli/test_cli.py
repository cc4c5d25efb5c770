"""The command line: documented, one line for each failure, the right exit code, and nothing paid for is lost.

The maps beside a release are drawn by stand-ins here; what they look like is tested elsewhere. `DPMAP_DEEP=1`
interrupts 100 releases instead of 10.
"""

import ast
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
import typer
from builders import surveys

from dpmap import __version__
from dpmap.cli import run
from dpmap.cli.commands import app
from dpmap.errors import SystemFailed
from dpmap.ledger.ledger import Ledger
from dpmap.promise.compatibility import NOISE_SOURCES
from dpmap.promise.limiters import LIMITERS
from dpmap.promise.strategies import STRATEGY_SPECS
from dpmap.record import Record
from dpmap.record.release_file import read_record
from dpmap.releases.release import Release

DEEP = os.environ.get("DPMAP_DEEP") == "1"
INTERRUPTS = 100 if DEEP else 10
ROOT = Path(__file__).parents[2]
COMMANDS = typer.main.get_command(app).commands
Cli = Callable[..., tuple[int, str, str]]


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file beside release.dpmap and statement.md is a stub."""
    real = Release.write

    def write(self: Release, path: Path) -> list[Path]:
        if Path(path).suffix == ".md":
            return real(self, path)
        Path(path).write_bytes(b"stub")
        return [path]

    monkeypatch.setattr(Release, "write", write)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Runs a command in this process: exit code, stdout, stderr."""

    def call(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        told = capsys.readouterr()
        return code, told.out, told.err

    return call


def survey_file(folder: Path, rows: int = 60) -> Path:
    return surveys.written(folder, surveys.scattered(rows, more=",yes"), surveys.HEAD + ",ok")


def flags(folder: Path, out: "str | None" = "out", **changed: object) -> list[object]:
    """A release command that works, with flags changed (None leaves one out)."""
    given = {
        "bounds": "0,50,1,51", "shape": "4,5", "epsilon": "0.5", "unit": "who", "cap": "3", "dataset": "Raptors",
        "budget": "2", "out": None if out is None else folder / out, **changed,
    }  # fmt: skip
    pairs = [
        (f"--{name.replace('_', '-')}", value) for name, value in given.items() if value is not None
    ]
    return ["release", folder / "survey.csv", *(part for pair in pairs for part in pair)]


def assert_one_line(err: str) -> str:
    assert err.startswith("dpmap: ")
    assert err.endswith("\n")
    assert err.count("\n") == 1, err
    assert "Traceback" not in err
    assert len(err) < 500
    return err


def spent(folder: Path) -> Fraction:
    path = folder / "dpmap.ledger"
    return Ledger(path).balance()[1] if path.exists() else Fraction(0)


# --- help --------------------------------------------------------------------------------------------------------


def test_every_command_and_flag_is_documented() -> None:
    """Every command says what it does, and every flag and argument says what it is for."""
    assert app.info.help
    assert {"release", "draw", "export", "ledger", "demo"} <= set(COMMANDS)
    for name, command in COMMANDS.items():
        assert command.help and command.help.strip().endswith("."), name
        for parameter in command.params:
            if parameter.name != "help":
                assert getattr(parameter, "help", None), f"{name} {parameter.name}"


@pytest.mark.parametrize("command", [None, *sorted(COMMANDS)])
def test_help_is_shown(cli: Cli, command: str | None) -> None:
    """`--help` works for the program and for every command, on stdout, and ends well."""
    code, out, err = cli(*([command] if command else []), "--help")
    assert (code, err) == (0, "")
    assert "Usage" in out
    for name in [] if command else COMMANDS:
        assert name in out


def test_no_command_shows_help_only(cli: Cli) -> None:
    """Typing just `dpmap` shows the help, with no odd error line after it."""
    code, out, err = cli()
    assert code in (0, 2)
    assert "release" in out + err
    assert "dpmap: ;" not in err


def test_help_names_every_strategy_engine_limiter_and_noise(cli: Cli) -> None:
    """What a flag may be is listed: by its help, or by the error when it is wrong."""
    _, out, _ = cli("release", "--help")
    for word in (*LIMITERS, *NOISE_SOURCES, "duckdb", *STRATEGY_SPECS):
        assert word in out


def test_help_loads_nothing_heavy() -> None:
    """`--help` starts at once: no array, table, map or database library is loaded for it."""
    code = "import sys, dpmap.cli; dpmap.cli.run(['--help']); print(sorted(m for m in sys.modules if '.' not in m))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    loaded = set(ast.literal_eval(done.stdout.strip().splitlines()[-1]))
    assert not loaded & {
        "numpy",
        "pandas",
        "geopandas",
        "duckdb",
        "pyarrow",
        "shapely",
        "matplotlib",
        "folium",
        "scipy",
    }


def test_version(cli: Cli) -> None:
    """`--version` says which dpmap this is, and of a development version its commit where that is known."""
    code, told, err = cli("--version")
    assert (code, err) == (0, "")
    assert re.fullmatch(rf"dpmap {re.escape(__version__)}(\+g[0-9a-f]+)?\n", told)


# --- the way through ---------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("stand_in")
def test_release(tmp_path: Path, cli: Cli) -> None:
    """A release writes its folder, says what it spent and what remains, and is in the ledger beside the survey."""
    survey_file(tmp_path)
    code, out, err = cli(*flags(tmp_path))
    assert (code, err) == (0, "")
    written = {path.name for path in (tmp_path / "out").iterdir()}
    assert {
        "release.dpmap",
        "statement.md",
        "map.png",
        "map.html",
        "cells.gpkg",
        "map.tif",
    } <= written
    assert all(name in out for name in written)
    assert "spent epsilon 0.5; 1.5 of 2 remains" in out
    assert spent(tmp_path) == Fraction(1, 2)
    receipt = read_record(tmp_path / "out" / "release.dpmap").receipt
    Ledger(tmp_path / "dpmap.ledger").attests(event=receipt.event, head=receipt.head)
    assert "Raptors" in (tmp_path / "out" / "statement.md").read_text()


@pytest.mark.usefixtures("stand_in")
def test_the_ledger_is_beside_the_survey_wherever_one_stands(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The default ledger follows the survey, so that calling from another folder spends the same budget."""
    survey_file(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert cli(*flags(tmp_path))[0] == 0
    assert not list((tmp_path / "elsewhere").iterdir())
    monkeypatch.chdir(tmp_path)
    arguments = flags(tmp_path, "out2", budget=None)
    arguments[1] = "survey.csv"
    assert cli(*arguments)[0] == 0
    assert spent(tmp_path) == 1
    assert cli(*flags(tmp_path, "out3", ledger=tmp_path / "own.ledger"))[0] == 0
    assert spent(tmp_path) == 1


@pytest.mark.usefixtures("stand_in")
def test_an_existing_release_is_never_written_over(tmp_path: Path, cli: Cli) -> None:
    """A folder that holds a release is refused before anything is spent, and keeps its release."""
    survey_file(tmp_path)
    assert cli(*flags(tmp_path))[0] == 0
    before = {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    code, out, err = cli(*flags(tmp_path))
    assert (code, out) == (2, "")
    assert "already holds a release" in assert_one_line(err)
    assert {
        path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()
    } == before
    assert spent(tmp_path) == Fraction(1, 2)


@pytest.mark.parametrize(
    "failure", [SystemFailed("no canvas"), OSError(28, "No space left"), RuntimeError("secret p3")]
)
@pytest.mark.parametrize("failing", ["statement.md", "map.png", "map.tif"])
def test_a_failing_renderer_does_not_lose_the_release(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch, failure: Exception, failing: str
) -> None:
    """release.dpmap is written first: when a map cannot be drawn, the paid-for release is there and opens."""
    survey_file(tmp_path)

    def write(self: Release, path: Path) -> list[Path]:
        assert (tmp_path / "out" / "release.dpmap").exists()
        if Path(path).name == failing:
            raise failure
        return [path]

    monkeypatch.setattr(Release, "write", write)
    code, _, err = cli(*flags(tmp_path))
    assert code == 1
    assert "secret" not in assert_one_line(err)
    assert not read_record(tmp_path / "out" / "release.dpmap").fresh
    assert spent(tmp_path) == Fraction(1, 2)


def test_a_failing_renderer_says_that_the_release_is_safe(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever sees a map fail after paying for it is told that release.dpmap is saved, so as not to pay again."""
    survey_file(tmp_path)
    monkeypatch.setattr(
        Release, "write", lambda self, path: (_ for _ in ()).throw(SystemFailed("no canvas"))
    )
    _, out, err = cli(*flags(tmp_path))
    assert "release.dpmap" in out + err


def test_only_files_that_are_whole_are_announced(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything a successful command says it wrote is there."""
    survey_file(tmp_path)
    monkeypatch.setattr(
        Release, "write", lambda self, path: [path] if Path(path).write_text("stub") else []
    )
    _, out, _ = cli(*flags(tmp_path))
    announced = [
        line.split("  (")[0].removeprefix("wrote ")
        for line in out.splitlines()
        if line.startswith("wrote ")
    ]
    assert announced
    assert all(Path(path).exists() for path in announced)


# --- exit codes --------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize(
    ("code", "changed", "word"),
    [
        (2, {"epsilon": "lots"}, "epsilon"),
        (2, {"dataset": None}, "--dataset"),
        (2, {"strategy": "magic"}, "strategy"),
        (2, {"no_such_flag": "1"}, "no-such-flag"),
        (2, {"out": None}, "--out"),
        (3, {"unit": None}, "--unit"),
        (3, {"cap": None}, "--cap"),
        (3, {"epsilon": None}, "--epsilon"),
        (3, {"budget": None}, "--budget"),
        (3, {"budget": "0.4"}, "budget"),
        (3, {"bounds": None, "shape": None, "cell": "1 km"}, "--area"),
    ],
)
def test_exit_codes(tmp_path: Path, cli: Cli, code: int, changed: dict, word: str) -> None:
    """2 is bad input, 3 a refusal to protect privacy; one line names the flag, and nothing is left or spent."""
    survey_file(tmp_path)
    found, out, err = cli(*flags(tmp_path, **changed))
    assert found == code, err
    assert out == ""
    assert word in assert_one_line(err)
    assert [path.name for path in tmp_path.iterdir()] == ["survey.csv"]


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (OSError(28, "No space left on device"), 1),
        (MemoryError(), 1),
        (SystemFailed("disk gone"), 1),
        (RuntimeError("row p3 at 0.37"), 1),
        (KeyError("p3"), 1),
        (KeyboardInterrupt(), 130),
    ],
)
def test_failures_while_counting(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch, failure: BaseException, code: int
) -> None:
    """Whatever fails while rows are read: exit 1 (130 interrupted), no traceback, nothing of the data, nothing spent."""
    survey_file(tmp_path)
    monkeypatch.setattr(
        "dpmap.engines.duckdb.DuckDB.totals", lambda *args: (_ for _ in ()).throw(failure)
    )
    found, out, err = cli(*flags(tmp_path))
    assert (found, out) == (code, "")
    assert_one_line(err.lstrip("\n"))  # after ^C the terminal's line is ended first
    assert "p3" not in err
    assert not [
        path for path in tmp_path.rglob("*") if path.is_file() and path.name != "survey.csv"
    ]
    assert spent(tmp_path) == 0


def test_the_installed_program_ends_with_the_code(tmp_path: Path) -> None:
    """The shell sees the codes: 0 done, 2 bad input, 3 refused; messages go to stderr, results to stdout."""
    survey_file(tmp_path)
    program = shutil.which("dpmap", path=str(Path(sys.executable).parent))
    assert program
    for arguments, code in (
        (["--version"], 0),
        (["nonsense"], 2),
        ([str(part) for part in flags(tmp_path, epsilon=None)], 3),
    ):
        done = subprocess.run([program, *arguments], capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == code
        assert (done.stdout == "") == (code != 0)
        if code:
            assert_one_line(done.stderr)


def test_a_closed_pipe_is_no_error(tmp_path: Path) -> None:
    """`dpmap ledger F | head` ends quietly."""
    path = tmp_path / "x.ledger"
    for _ in range(3):
        Ledger(path).reserve(
            dataset="d" * 100,
            epsilon=Fraction(1, 100),
            budget=Fraction(1),
            details={"x": "y" * 30000},
        )
    code = "import sys; from dpmap.cli import main; sys.argv[0] = 'dpmap'; main()"
    with subprocess.Popen(
        [sys.executable, "-c", code, "ledger", path],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    ) as process:
        process.stdout.read(10)
        process.stdout.close()
        err = process.stderr.read().decode()
    assert "Traceback" not in err
    assert "Exception ignored" not in err


# --- interrupted -------------------------------------------------------------------------------------------------

INTERRUPTER = textwrap.dedent(
    """
    import json, os, random, signal, sys, time
    folder, count = sys.argv[1], int(sys.argv[2])
    os.chdir(folder)
    import numpy, pyarrow, duckdb, sqlite3, pandas, shapely, pyproj
    import dpmap.cli.commands, dpmap.cli.release, dpmap.steward.release_run, dpmap.survey, dpmap.engines.duckdb, dpmap.statement.statement
    from dpmap.cli import run
    from dpmap.releases.release import Release
    real = Release.write
    def write(self, path):
        if str(path).endswith(".md"):
            return real(self, path)
        time.sleep(0.02)
        open(path, "wb").write(b"stub")
        return [path]
    Release.write = write
    cli, both = dpmap.cli, (signal.SIGINT, signal.SIGTERM)
    pictures = cli._own_pictures
    def begun():  # from here on the command answers; what comes before it (on a busy machine a fork takes long) waits until now
        signal.pthread_sigmask(signal.SIG_UNBLOCK, both)
        pictures()
    cli._own_pictures = begun

    def start(number, kind):
        signal.pthread_sigmask(signal.SIG_BLOCK, both)
        pid = os.fork()
        if pid:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, both)
            return pid
        signal.signal(signal.SIGINT, signal.default_int_handler)
        out = os.open(f"stderr-{number}", os.O_WRONLY | os.O_CREAT, 0o600)
        os.dup2(out, 2); os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        place = ["--grid-crs", "EPSG:3857", "--bounds", "0,6446275,111319,6621293"] if kind else ["--bounds", "0,50,1,51"]
        code = 98
        try:
            code = run(["release", "big.csv", *place, "--shape", "40,50", "--epsilon", "0.001", "--unit", "who", "--cap", "3",
                        "--dataset", f"run {number}", "--budget", "100", "--out", f"out-{number}", "--ledger", "x.ledger"])
        except BaseException as error:
            os.write(2, repr(error).encode())
        finally:
            sys.stderr.flush()
            os._exit(code)

    whole = []
    for kind in (0, 1):
        begun = time.monotonic()
        pid = start(-1 - kind, kind)
        os.waitpid(pid, 0)
        whole.append(time.monotonic() - begun)
    codes = {}
    while len(codes) < count or 130 not in codes.values():
        number = len(codes)
        kind = number % 2
        pid = start(number, kind)
        time.sleep(random.uniform(0.05, 1.0) * whole[kind])
        os.kill(pid, (signal.SIGINT, signal.SIGTERM)[number // 2 % 2])
        codes[number] = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        whole[kind] *= 1.04 if codes[number] else 0.8  # the machine may have become busier since the first run, or quieter
    print(json.dumps({"codes": codes, "whole": whole}))
    """
)


def test_interrupting_a_release_at_any_moment(tmp_path: Path) -> None:
    """Ctrl-C or SIGTERM at any moment: exit 130 and one line, nothing half-written, and what it says of the ledger is true."""
    with open(tmp_path / "big.csv", "w") as stream:
        stream.write("who,longitude,latitude\n")
        for i in range(120_000):
            stream.write(f"p{i % 3001},{(i * 37 % 1000) / 1000},{50 + (i * 53 % 1000) / 1000}\n")
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTER, tmp_path, str(INTERRUPTS)], capture_output=True, text=True, timeout=900,
        cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    codes = told["codes"]
    failed = {
        number: (tmp_path / f"stderr-{number}").read_text()
        for number, code in codes.items()
        if code
    }
    wrong = {number: (codes[number], err) for number, err in failed.items() if codes[number] != 130}
    assert not wrong, (wrong, told["whole"])
    for number, err in failed.items():
        assert "interrupted" in assert_one_line(err.lstrip("\n")), number
    assert not [path for path in tmp_path.rglob(".*") if path.is_file()], "half-written files"
    events = Ledger(tmp_path / "x.ledger").events()
    reserved = {
        event.body["dataset"]: event.number for event in events if event.body["kind"] == "reserve"
    }
    lost = {event.number for event in Ledger(tmp_path / "x.ledger").without_release()}
    for number, err in failed.items():
        event, there = (
            reserved.get(f"run {number}"),
            (tmp_path / f"out-{number}" / "release.dpmap").exists(),
        )
        said = f"event {event} spent" in err, "--resume" in err, "nothing was spent" in err
        assert said == (event is not None and not there, there, event is None), err
        assert there or event is None or event in lost
    for path in tmp_path.glob("out-*/release.dpmap"):
        assert read_record(path).receipt.dataset in reserved


def test_interrupted_while_starting(tmp_path: Path) -> None:
    """Ctrl-C in the first moments, while libraries load, is as quiet as later: no traceback."""
    survey_file(tmp_path)
    code = textwrap.dedent(
        """
        import importlib.abc, os, signal, sys
        class Interrupt(importlib.abc.MetaPathFinder):
            def find_spec(self, name, path, target=None):
                if name == os.environ["AT"]:
                    os.kill(os.getpid(), signal.SIGINT)
        sys.meta_path.insert(0, Interrupt())
        import dpmap.cli
        sys.argv[0] = "dpmap"
        dpmap.cli.main()
        """
    )
    for at in ("typer", "dpmap.cli.commands", "dpmap.steward.release_run", "numpy"):
        done = subprocess.run(
            [sys.executable, "-c", code, *map(str, flags(tmp_path))], capture_output=True, text=True, cwd=ROOT,
            env={**os.environ, "AT": at},
        )  # fmt: skip
        assert (done.returncode, "Traceback" in done.stderr) == (130, False), (
            at,
            done.stderr[-400:],
        )
        assert_one_line(done.stderr.lstrip("\n"))


LEFT = {
    "reserve": "nothing was spent",
    "draw": "event 2 spent epsilon 0.5 of 'Raptors', and nothing came of it",
    "save": "event 2 spent epsilon 0.5 of 'Raptors', and nothing came of it",
    "map": "release.dpmap is whole and paid for",
}


@pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="another signal stands in for SIGBREAK")
def test_a_console_break_interrupts_where_there_is_one(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Windows a program that started dpmap can stop it gently: a break of the console (SIGBREAK) ends a command like Ctrl-C."""

    def broken(*_: object) -> tuple[int, str]:
        signal.raise_signal(signal.SIGUSR1)
        return 0, ""

    monkeypatch.setattr(signal, "SIGBREAK", signal.SIGUSR1, raising=False)
    monkeypatch.setattr("dpmap.cli._called", broken)
    before = signal.getsignal(signal.SIGUSR1)
    code, out, err = cli("demo")
    assert (code, out) == (130, "")
    assert_one_line(err)
    assert signal.getsignal(signal.SIGUSR1) == before


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="terminals of this kind are POSIX")
def test_a_process_that_is_to_outlive_its_terminal_does(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under nohup, SIGHUP stays ignored, as it was; else it ends a command like Ctrl-C."""

    def hang_up(*_: object, **__: object) -> int:
        signal.raise_signal(signal.SIGHUP)
        return 0

    monkeypatch.setattr("dpmap.cli._called", lambda *_: (hang_up(), None))
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert cli("demo")[0] == 0
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        assert cli("demo")[0] == 130
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_DFL
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("moment", LEFT)
def test_interrupted_after_the_reservation(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch, moment: str, number: int
) -> None:
    """Ctrl-C or SIGTERM around the reservation: one line says what stands and what was spent, and no file is half-written."""
    survey_file(tmp_path)

    def stop(*args: object, **named: object) -> None:
        signal.raise_signal(number)

    target = {
        "reserve": "dpmap.ledger.ledger.Ledger.take",
        "draw": "dpmap.vault.session.Session.measure",
        "save": "zipfile.ZipFile.writestr",
        "map": None,
    }[moment]
    if target is None:
        monkeypatch.setattr(Release, "write", stop)
    else:
        monkeypatch.setattr(target, stop)
    code, _, err = cli(*flags(tmp_path))
    assert code == 130
    assert LEFT[moment] in assert_one_line(err.lstrip("\n"))
    assert (f"dpmap release --resume {tmp_path / 'out'}" in err) == (moment == "map")
    assert (f"dpmap ledger {tmp_path / 'dpmap.ledger'}" in err) == (moment in ("draw", "save"))
    assert spent(tmp_path) == (0 if moment == "reserve" else Fraction(1, 2))
    left = (
        {path.name for path in (tmp_path / "out").iterdir()}
        if (tmp_path / "out").exists()
        else set()
    )
    assert left == ({"release.dpmap"} if moment == "map" else set())


def test_an_interrupted_choice_says_what_it_spent(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C while `dpmap choose` draws: the line names the reservation, and the next run's line is about itself again."""
    survey_file(tmp_path)
    words = [
        "choose",
        tmp_path / "survey.csv",
        "--cells",
        "10 km, 20 km",
        "--area",
        tmp_path / "a.geojson",
        "--unit",
        "who",
    ]
    words += ["--cap", "1", "--epsilon", "0.5", "--dataset", "Raptors", "--budget", "2"]
    ring = [[0, 50], [1, 50], [1, 51], [0, 51], [0, 50]]
    (tmp_path / "a.geojson").write_text(json.dumps({"type": "Polygon", "coordinates": [ring]}))
    monkeypatch.setattr(
        "dpmap.vault.session.Session.choose_size",
        lambda *args, **named: signal.raise_signal(signal.SIGINT),
    )
    code, _, err = cli(*words)
    assert code == 130
    assert "event 2 spent epsilon 0.5 of 'Raptors', and nothing came of it" in assert_one_line(
        err.lstrip("\n")
    )
    monkeypatch.setattr(
        "dpmap.survey.read", lambda *args, **named: signal.raise_signal(signal.SIGINT)
    )
    assert "nothing was spent" in cli(*words)[2]


def killed(folder: Path, at: str) -> None:
    """A release in a process of its own that is killed, without a word, when it comes to this call."""
    survey_file(folder)
    code = textwrap.dedent(
        f"""
        import os, signal, sys, zipfile
        from dpmap.releases.release import Release
        from dpmap.cli import main
        {at} = lambda *args, **named: os.kill(os.getpid(), signal.SIGKILL)
        main()
        """
    )
    words = [sys.executable, "-c", code, *map(str, flags(folder))]
    assert (
        subprocess.run(words, capture_output=True, cwd=ROOT, check=False).returncode
        == -signal.SIGKILL
    )


def test_the_ledger_names_what_a_killed_release_spent(tmp_path: Path, cli: Cli) -> None:
    """Killed after the reservation, before anything was saved: the ledger names the reservation, and nothing can be resumed."""
    killed(tmp_path, "zipfile.ZipFile.writestr")
    code, out, _ = cli("ledger", tmp_path / "dpmap.ledger")
    assert (code, spent(tmp_path)) == (0, Fraction(1, 2))
    assert "event 2 spent epsilon 0.5 of 'Raptors', and no release came of it" in out
    assert json.loads(cli("ledger", tmp_path / "dpmap.ledger", "--json")[1])["without_release"] == [
        2
    ]
    code, _, err = cli("release", "--resume", tmp_path / "out")
    assert (code, spent(tmp_path)) == (2, Fraction(1, 2))
    assert "event 2 spent epsilon 0.5 of 'Raptors'" in assert_one_line(err)
    assert "holds no release.dpmap" in err
    assert "event 2 spent" in cli("release", "--resume", tmp_path / "never made")[2]


@pytest.mark.usefixtures("stand_in")
def test_a_killed_release_is_resumed_at_no_cost(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed while maps were made: --resume makes those that are missing, from release.dpmap as it is, and draws nothing."""
    killed(tmp_path, "Release.write")
    out, ledger = tmp_path / "out", (tmp_path / "dpmap.ledger").read_bytes()
    saved = (out / "release.dpmap").read_bytes()
    assert "no release came of it" not in cli("ledger", tmp_path / "dpmap.ledger")[1]
    (out / "map.png").write_text("made before")
    monkeypatch.setattr("dpmap.vault.mechanism.discrete_laplace", None)
    code, told, err = cli("release", "--resume", out)
    assert (code, err) == (0, "")
    assert "spent nothing" in told and "map.png" not in told
    assert {
        "release.dpmap",
        "statement.md",
        "privacy.yaml",
        "map.html",
        "cells.gpkg",
        "map.tif",
    } <= {path.name for path in out.iterdir()}
    assert (out / "map.png").read_text() == "made before"
    assert ((out / "release.dpmap").read_bytes(), (tmp_path / "dpmap.ledger").read_bytes()) == (
        saved,
        ledger,
    )
    (out / "statement.md").unlink()
    words = ["release", "--resume", *flags(tmp_path)[1:]]  # the same command again, survey and all
    assert str(json.loads(cli(*words, "--json")[1])["wrote"]).count("statement.md") == 1
    assert (out / "statement.md").exists() and spent(tmp_path) == Fraction(1, 2)


@pytest.mark.usefixtures("stand_in")
def test_a_folder_is_resumed_by_its_dpmap_toml(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`dpmap release --resume`, typed where dpmap.toml stands, finds the folder; without one it asks for it."""
    survey_file(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert "name the folder" in assert_one_line(cli("release", "--resume")[2])
    (tmp_path / "dpmap.toml").write_text(CONFIG + 'survey = "survey.csv"\nout = "out"\n')
    assert "dpmap.ledger" not in cli("release", "--resume")[2]
    assert cli("release")[0] == 0
    (tmp_path / "out" / "map.tif").unlink()
    code, told, _ = cli("release", "--resume")
    assert (code, told.splitlines()[0]) == (0, "wrote out/map.tif")
    assert cli("release", "--resume", "survey.csv")[0] == 2
    assert spent(tmp_path) == Fraction(1, 2)


# --- dpmap.toml --------------------------------------------------------------------------------------------------

CONFIG = """
bounds = "0,50,1,51"
shape = "4,5"
epsilon = 0.5      # a number or a text
unit = "who"
cap = 3
dataset = "Raptors"
budget = "2"
cap-origin = "declared"
"""


@pytest.mark.usefixtures("stand_in")
def test_config_file(tmp_path: Path, cli: Cli) -> None:
    """`--config dpmap.toml` gives the flags that were not typed; what is typed wins; numbers stay exact."""
    survey_file(tmp_path)
    config = tmp_path / "dpmap.toml"
    config.write_text(CONFIG)
    code, _, err = cli(
        "release", tmp_path / "survey.csv", "--config", config, "--out", tmp_path / "a"
    )
    assert code == 0, err
    typed = ["--out", tmp_path / "b", "--epsilon", "0.1", "--cap", "2"]
    assert cli("release", *typed, "--config", config, tmp_path / "survey.csv")[0] == 0
    first, second = (read_record(tmp_path / name / "release.dpmap").policy for name in "ab")
    assert (first.epsilon, first.cap) == (Fraction(1, 2), 3)
    assert (second.epsilon, second.cap) == (Fraction(1, 10), 2)
    assert spent(tmp_path) == Fraction(6, 10)


@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize(
    "text",
    [
        "epsilonn = 1\n",
        "epsilon = \n",
        "epsilon = [1, 2]\n",
        "[release]\nepsilon = 1\n",
        "epsilon = true\n",
        "epsilon = inf\n",
        "epsilon = nan\n",
        "epsilon = 2020-01-01\n",
        "by-area = 7\n",
        "hexagons = 'many'\n",
        "version = true\n",
        "help = true\n",
        b"\xff\xfe\x00",
        "a = " + "[" * 5000 + "\n",
    ],
)
def test_wrong_config_files(tmp_path: Path, cli: Cli, text: "str | bytes") -> None:
    """A config file with wrong keys, values or text is bad input in one line, and spends nothing."""
    survey_file(tmp_path)
    config = tmp_path / "dpmap.toml"
    config.write_bytes(text if isinstance(text, bytes) else text.encode())
    code, _, err = cli(*flags(tmp_path, epsilon=None), "--config", config)
    assert code == 2, err
    assert_one_line(err)
    assert spent(tmp_path) == 0


SECRET = 'purpose = "Ibarretxe-Olaso"\n'


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (SECRET + "cap = 3\nepsilon = 0,5\n", "line 3, column 12"),
        (SECRET + 'cell = "1 km\n', "line 2, column 13"),
        (SECRET + "cap = 3\ncap = 4\n", "line 3, column 8"),
        (SECRET + "label = [\n", "at its end (line 2)"),
        (SECRET + "cap = 1\ncap = 2\n", "a key of that line is there already, so leave one of them out"),
        ((SECRET + 'authorised-by = "Jos\u00e9"\n').encode("cp1252"), "not in UTF-8 at line 2 (it looks like Latin-1); save it as UTF-8"),
        (SECRET.encode("utf-16"), "is in UTF-16; save it as UTF-8"),
    ],
)  # fmt: skip
def test_a_config_file_that_cannot_be_read_says_where(
    tmp_path: Path, cli: Cli, content: "str | bytes", words: str
) -> None:
    """What is no TOML is told by line and column, another encoding by its name, and no value is quoted."""
    survey_file(tmp_path)
    (tmp_path / "dpmap.toml").write_bytes(
        content if isinstance(content, bytes) else content.encode()
    )
    code, _, err = cli("release", tmp_path / "survey.csv", "--config", tmp_path / "dpmap.toml")
    assert (code, "Ibarretxe" in err, spent(tmp_path)) == (2, False, 0)
    assert words in assert_one_line(err)


@pytest.mark.usefixtures("stand_in")
def test_a_config_file_may_begin_with_the_mark_of_utf_8(tmp_path: Path, cli: Cli) -> None:
    """A dpmap.toml that a Windows editor saved, with a byte-order mark, is read like any other."""
    survey_file(tmp_path)
    (tmp_path / "dpmap.toml").write_bytes(b"\xef\xbb\xbf" + CONFIG.encode().replace(b"\n", b"\r\n"))
    words = (
        "release",
        tmp_path / "survey.csv",
        "--config",
        tmp_path / "dpmap.toml",
        "--out",
        tmp_path / "a",
    )
    assert cli(*words)[0] == 0


@pytest.mark.parametrize("name", ["missing.toml", ".", "survey.csv"])
def test_missing_config_file(tmp_path: Path, cli: Cli, name: str) -> None:
    """A config file that is not there, is a folder or is something else is bad input in one line."""
    survey_file(tmp_path)
    code, _, err = cli(*flags(tmp_path), "--config", tmp_path / name)
    assert code == 2
    assert_one_line(err)


# --- the other commands ------------------------------------------------------------------------------------------


@pytest.fixture
def released(tmp_path: Path, cli: Cli, stand_in: None) -> Path:
    """A folder with a survey, its ledger and out/release.dpmap."""
    survey_file(tmp_path)
    assert cli(*flags(tmp_path))[0] == 0
    return tmp_path


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf", "html"])
def test_draw(released: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
    """`dpmap draw` makes the map again from the release file alone, and spends nothing."""
    drawn = []

    def draw(record: Record, reading: object, path: Path, **options: object) -> None:
        drawn.append((record.receipt.dataset, Path(path).name))

    monkeypatch.setattr("dpmap.render.static.write_picture", draw)
    monkeypatch.setattr("dpmap.render.html_page.write_html", draw)
    (released / "survey.csv").unlink()
    before = spent(released)
    code, out, err = cli(
        "draw", released / "out" / "release.dpmap", "--to", released / f"again.{suffix}"
    )
    assert (code, err) == (0, "")
    assert out == f"wrote {released / f'again.{suffix}'}\n"
    assert drawn == [("Raptors", f"again.{suffix}")]
    assert spent(released) == before


def test_draw_takes_what_a_picture_shows(
    released: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Readings, thresholds and hot spots are options of a picture; a page holds them all and refuses them in one line."""
    drawn = []
    monkeypatch.setattr(
        "dpmap.render.static.write_picture",
        lambda record, reading, path, **options: drawn.append(options),
    )
    made = released / "out" / "release.dpmap"
    for flags_, options in (
        (("--what", "low"), {"what": "low"}),
        (("--threshold", "0"), {"what": "exceedance", "threshold": 0.0}),
        (("--hotspots", "surroundings"), {"hotspots": "surroundings"}),
        (("--hotspots", "12.5"), {"hotspots": 12.5}),
    ):
        assert cli("draw", made, "--to", released / "m.png", *flags_)[0] == 0
        assert options.items() <= drawn[-1].items()
    code, _, err = cli("draw", made, "--to", released / "m.html", "--what", "low")
    assert code == 2
    assert_one_line(err)


def line_layer(path: Path) -> Path:
    """A road across the cells."""
    road = {"type": "LineString", "coordinates": [[0.1, 50.1], [0.9, 50.9]]}
    path.write_text(json.dumps({"type": "Feature", "properties": {"name": "A1"}, "geometry": road}))
    return path


@pytest.mark.usefixtures("stand_in")
def test_context_is_drawn_and_is_looked_at_before_anything_is_spent(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--context` goes into every picture and page; a bad layer, or the survey itself, is one line and spends nothing."""
    drawn = []

    def draw(self: Release, path: Path, **options: object) -> None:
        drawn.append((path.name, options))
        path.write_bytes(b"stub")

    monkeypatch.setattr(Release, "draw", draw)
    survey, road = survey_file(tmp_path), line_layer(tmp_path / "roads.geojson")
    (tmp_path / "text.gpkg").write_text("no layer")
    for wrong in (
        survey,
        tmp_path / "survey.gpkg",
        tmp_path / "missing.gpkg",
        tmp_path / "text.gpkg",
        tmp_path,
    ):
        code, _, err = cli(*flags(tmp_path, context=wrong))
        assert code == 2
        assert "context" in assert_one_line(err)
        assert not (tmp_path / "dpmap.ledger").exists() and not (tmp_path / "out").exists()
    assert cli(*flags(tmp_path, context=road))[0] == 0
    assert {name: options["context"][0].names for name, options in drawn} == {
        "map.png": ("A1",),
        "map.html": ("A1",),
    }
    assert (
        cli(
            "draw",
            tmp_path / "out" / "release.dpmap",
            "--to",
            tmp_path / "m.html",
            "--context",
            road,
        )[0]
        == 0
    )
    assert drawn[-1][1] == {"context": [str(road)]}


def test_export(released: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """`dpmap export` writes a layer from the release file alone, and spends nothing."""
    import dpmap.export

    made = []

    def stub(record, reading, path):
        made.append(Path(path).name)
        return [path]

    monkeypatch.setattr(dpmap.export, "export", stub, raising=False)
    code, out, err = cli(
        "export", released / "out" / "release.dpmap", "--to", released / "cells.geojson"
    )
    assert (code, err) == (0, "")
    assert "cells.geojson" in out
    assert made == ["cells.geojson"]


@pytest.mark.parametrize("command", ["draw", "export"])
@pytest.mark.parametrize("target", ["map.docx", "map", "", "missing/map.png", "missing/cells.gpkg"])
def test_draw_and_export_to_something_impossible(
    released: Path, cli: Cli, command: str, target: str
) -> None:
    """An unknown suffix, a folder or a missing folder: one line, and nothing is left behind."""
    before = sorted(released.rglob("*"))
    code, out, err = cli(command, released / "out" / "release.dpmap", "--to", released / target)
    assert code in (1, 2)
    assert out == ""
    assert_one_line(err)
    assert sorted(released.rglob("*")) == before
    if "missing" not in target:
        assert code == 2


@pytest.mark.parametrize("command", ["draw", "export"])
def test_draw_and_export_need_a_release(tmp_path: Path, cli: Cli, command: str) -> None:
    """A file that is no release, is not there, or is a folder: one line, exit 2."""
    survey_file(tmp_path)
    for name in ("survey.csv", "missing.dpmap", "."):
        code, _, err = cli(command, tmp_path / name, "--to", tmp_path / "x.png")
        assert code == 2
        assert_one_line(err)
    assert not (tmp_path / "x.png").exists()


def test_ledger(released: Path, cli: Cli) -> None:
    """`dpmap ledger` lists every event, what was spent and what remains, and whether the chain is whole."""
    code, out, err = cli("ledger", released / "dpmap.ledger")
    assert (code, err) == (0, "")
    for word in (
        "open",
        "reserve",
        "Raptors",
        "epsilon=0.5",
        "spent 0.5 of 2; remaining 1.5",
        "3 events is whole",
    ):
        assert word in out
    code, out, err = cli(
        "ledger", released / "dpmap.ledger", "--against", released / "out" / "release.dpmap"
    )
    assert (code, err) == (0, "")
    assert "is event 2 of this ledger" in out


def test_ledger_against_a_release_it_does_not_hold(released: Path, cli: Cli) -> None:
    """A ledger that was replaced is refused beside an earlier release, exit 3."""
    (released / "dpmap.ledger").unlink()
    assert cli(*flags(released, "out2", dataset="Owls"))[0] == 0
    code, _, err = cli(
        "ledger", released / "dpmap.ledger", "--against", released / "out" / "release.dpmap"
    )
    assert code == 3
    assert "does not contain this release" in assert_one_line(err)


@pytest.mark.parametrize(("name", "code"), [("survey.csv", 3), ("missing.ledger", 2), (".", 2)])
def test_ledger_of_something_else(released: Path, cli: Cli, name: str, code: int) -> None:
    """A text file, a missing file or a folder given as ledger: one line and the right code, nothing created."""
    before = sorted(released.rglob("*"))
    found, _, err = cli("ledger", released / name)
    assert found == code
    assert_one_line(err)
    assert sorted(released.rglob("*")) == before


def test_ledger_against_something_else(released: Path, cli: Cli) -> None:
    """--against wants a release file: anything else is bad input."""
    code, _, err = cli("ledger", released / "dpmap.ledger", "--against", released / "survey.csv")
    assert code == 2
    assert_one_line(err)


@pytest.mark.usefixtures("stand_in")
def test_demo(tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """`dpmap demo` makes a whole release of the sample survey, says what to open, and can be run again."""
    monkeypatch.chdir(tmp_path)
    code, out, err = cli("demo")
    assert (code, err) == (0, "")
    made = tmp_path / "dpmap-demo"
    record = read_record(made / "release.dpmap")
    assert record.policy.consent is not None
    assert Ledger(made / "demo.ledger").balance() == (3, 1)
    for name in ("map.html", "map.png", "cells.gpkg", "statement.md"):
        assert str(Path("dpmap-demo") / name) in out
        assert (made / name).exists()
    assert out.splitlines()[-1].endswith("dpmap studio FOLDER")
    assert cli("demo")[0] == 0
    assert (tmp_path / "dpmap-demo-2" / "release.dpmap").exists()


def test_demo_into_a_file(tmp_path: Path, cli: Cli) -> None:
    """A file where the demo's folder should be: one line, exit 2, the file untouched."""
    (tmp_path / "x").write_text("mine")
    code, _, err = cli("demo", "--out", tmp_path / "x")
    assert code == 2
    assert_one_line(err)
    assert (tmp_path / "x").read_text() == "mine"
