"""Counting a large survey from the command line: what is seen meanwhile, and what is left when it cannot be finished.

Every run here is a process of its own, as a steward would start it. `DPMAP_DEEP=1` interrupts at more moments.
"""

import io
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest
from rich.console import Console
from rich.progress import Progress

from dpmap.cli.progress import Bar
from dpmap.ledger.ledger import Ledger
from dpmap.steward.progress import ProgressMeter

DEEP = os.environ.get("DPMAP_DEEP") == "1"
ROOT = Path(__file__).parents[2]
ROWS = 6_000_000
STOPPED = (130, -signal.SIGINT)
"""What a shell calls 130 in both cases; Python ends by the signal where it struck while a library loaded."""
FULL = "the temporary folder's disk is full"


def table(rows: int, seed: int = 1) -> pa.Table:
    """Rows of `rows` / 50 people in one square degree."""
    dice = np.random.default_rng(seed)
    who = pa.array(dice.integers(0, rows // 50 + 1, rows)).cast(pa.string())
    return pa.table(
        {"who": who, "longitude": dice.random(rows), "latitude": 50 + dice.random(rows)}
    )


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A survey that takes seconds to count on one thread."""
    path = tmp_path_factory.mktemp("large") / "survey.parquet"
    pq.write_table(table(ROWS), path)
    return path


def command(folder: Path, survey: Path, *more: object) -> list[str]:
    """A release in `folder`, which spills into its `temp` (made here)."""
    (folder / "temp").mkdir(exist_ok=True)
    given: list[object] = [
        sys.executable, "-m", "dpmap", "release", survey, "--bounds", "0,50,1,51", "--shape", "6,7", "--unit", "who", "--cap", 20,
        "--epsilon", "0.5", "--dataset", "d", "--budget", 2, "--ledger", folder / "l", "--out", folder / "out",
        "--temp", folder / "temp", "--threads", 1, "--limiter", "sample", *more,
    ]  # fmt: skip
    return [str(one) for one in given]


def ended(folder: Path, survey: Path, *more: object, before: str = "") -> tuple[int, str]:
    """The exit code and the one line of a release that fails; `before` is a line of Python that its process starts with."""
    start = command(folder, survey, *more)
    if before:
        program = f"{before}; import sys; from dpmap.cli import main; sys.argv[0] = 'dpmap'; main()"
        start = [sys.executable, "-c", program, *start[3:]]
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")
    }  # it writes a file
    done = subprocess.run(start, capture_output=True, text=True, cwd=ROOT, env=kept)
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("dpmap: "), done.stderr
    assert done.stdout == ""
    return done.returncode, done.stderr


def check_nothing_happened(folder: Path) -> None:
    """No output, not even a part of one; nothing in the folder for spill; a ledger that knows of no spending."""
    assert not (folder / "out").exists()
    assert not list((folder / "temp").iterdir())
    assert not (folder / "l").exists() or Ledger(folder / "l").balance()[1] == 0


PRESSED = """
import os, signal, sys
from dpmap.cli import progress
progress.LOOKED_EVERY, in_json, at = 0.01, progress.in_json, [{moment!r}]
def press(step, percent, left):
    if at and step == at[0][0] and (percent or 0) >= at[0][1]:
        at.clear()
        os.kill(os.getpid(), signal.SIGINT)
    return in_json(step, percent, left)
progress.in_json = press
from dpmap.cli import main
main()
"""
READING, JOINING, COUNTING = (
    "reading the survey",
    "joining spellings of one name",
    "capping and counting",
)
MOMENTS = [
    (READING, 0),
    (JOINING, 0),
    (JOINING, 10),
    (JOINING, 60),
    (COUNTING, 0),
    (COUNTING, 30),
    (COUNTING, 80),
]
"""Steps, and how many percent of each are done when Ctrl-C is pressed."""


@pytest.mark.parametrize("more", [[], ["--cap", "auto:0.1"]] if DEEP else [[]])
@pytest.mark.parametrize("moment", MOMENTS if DEEP else [(JOINING, 0)])
def test_ctrl_c_in_the_middle_of_a_count_leaves_nothing_behind(
    tmp_path: Path, large: Path, moment: tuple[str, int], more: list[str]
) -> None:
    """While rows are counted, Ctrl-C ends the process with 130 and one line that says what was spent: no output, no spill."""
    words = command(tmp_path, large, "--progress", "json", *more)[3:]
    start = [sys.executable, "-c", PRESSED.format(moment=moment), *words]
    done = subprocess.run(start, capture_output=True, text=True, cwd=ROOT)
    lines = [line for line in done.stderr.splitlines() if line and not line.startswith("{")]
    assert (done.returncode in STOPPED, done.stdout) == (True, ""), done.stderr
    if more and moment[0] == COUNTING:  # a private cap has been chosen and paid for before
        assert len(lines) == 1 and lines[0].startswith(
            "dpmap: interrupted; event 2 spent epsilon 0.5 of 'd', and nothing came of it"
        )
        assert not (tmp_path / "out").exists() and not list((tmp_path / "temp").iterdir())
        return
    assert lines == [
        "dpmap: interrupted; nothing was spent, and nothing half-written is left; type the same again"
    ]
    check_nothing_happened(tmp_path)


def test_too_little_memory_is_one_line_and_costs_nothing(tmp_path: Path, large: Path) -> None:
    """--memory is kept to: where it cannot do, the line names the flag, and nothing was spent."""
    code, line = ended(tmp_path, large, "--memory", "12MB")
    assert (code, "--memory" in line) == (1, True)
    check_nothing_happened(tmp_path)


def test_a_disk_that_cannot_take_the_spill_is_one_line_and_costs_nothing(
    tmp_path: Path, large: Path
) -> None:
    """What does not fit into memory goes into --temp; where that is full, the line says so, and nothing was spent."""
    least = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 18, 1 << 18))"
    code, line = ended(tmp_path, large, "--memory", "60MB", before=least)
    assert (code, FULL in line, "--temp" in line) == (1, True, True)
    check_nothing_happened(tmp_path)


def test_the_engines_flags_are_obeyed_and_checked(tmp_path: Path) -> None:
    """A release spills where --temp says, within --memory, on --threads, and tells a log nothing of its progress; what is
    no folder, size or number is one line.
    """
    pq.write_table(table(200), tmp_path / "s.parquet")
    look = (
        "import dpmap.engines.duckdb as e; import os; real = e.RowTable.place\n"
        "def place(rows, grid):\n"
        "    asked = 'memory_limit', 'threads', 'temp_directory'\n"
        "    told = [rows.database.execute(f'SELECT current_setting($1)', [one]).fetchall()[0][0] for one in asked]\n"
        "    print(*told, oct(os.stat(told[2]).st_mode))\n"
        "    return real(rows, grid)\n"
        "e.RowTable.place = place\n"
        "import dpmap.cli.release as r; r.save_all = lambda made, folder, progress, context, **how: []\n"
        "import sys; from dpmap.cli import main; sys.argv[0] = 'dpmap'; main()"
    )
    start = [*command(tmp_path, tmp_path / "s.parquet", "--memory", "512MiB")[4:]]
    done = subprocess.run(
        [sys.executable, "-c", look, "release", *start],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    assert done.stderr == ""
    memory, threads, folder, mode = done.stdout.splitlines()[0].rsplit(maxsplit=3)
    assert (memory, threads, mode) == ("512.0 MiB", "1", "0o40700")
    assert folder.startswith(str(tmp_path / "temp" / "dpmap-"))
    assert not list((tmp_path / "temp").iterdir())
    shutil.rmtree(tmp_path / "out")
    (tmp_path / "l").unlink()
    for flag, value in (("--memory", "much"), ("--temp", tmp_path / "nowhere"), ("--threads", "0")):
        code, line = ended(tmp_path, tmp_path / "s.parquet", flag, value)
        assert (code, flag.strip("-") in line) == (2, True), line
        check_nothing_happened(tmp_path)


def _cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def _broken_inside(content: bytes) -> bytes:
    return content[:40] + b"\xff" * 400 + content[440:]


def _nothing(_: bytes) -> bytes:
    return b""


def _noise(_: bytes) -> bytes:
    return b"\x00\xff,\n" * 1000


@pytest.mark.parametrize(
    ("kind", "harm"),
    [("parquet", _cut), ("parquet", _broken_inside), ("parquet", _nothing), ("csv", _noise)],
)
def test_a_corrupt_shard_among_a_hundred_is_named(tmp_path: Path, kind: str, harm: object) -> None:
    """One part of a folder that is cut short, damaged inside, empty or no table at all: one line with its name."""
    folder = tmp_path / "shards"
    folder.mkdir()
    write = {"parquet": pq.write_table, "csv": pacsv.write_csv}[kind]
    for number in range(100):
        write(table(60, seed=number), folder / f"part-{number:02d}.{kind}")
    shard = folder / f"part-57.{kind}"
    shard.write_bytes(harm(shard.read_bytes()))  # type: ignore[operator]  # one of the functions above
    code, line = ended(tmp_path, folder)
    assert (code, f"part-57.{kind}" in line) == (2, True), line
    assert "part-56" not in line
    check_nothing_happened(tmp_path)


def test_a_terminal_shows_percentages_and_time_left_and_nothing_else(
    tmp_path: Path, large: Path
) -> None:
    """While it counts, the steward's own terminal shows the step and how far it is: no number of rows, units or cells."""
    pty = pytest.importorskip("pty")
    screen, theirs = pty.openpty()
    seen = b""
    with subprocess.Popen(
        command(tmp_path, large), stdout=subprocess.DEVNULL, stderr=theirs, cwd=ROOT
    ) as process:
        os.close(theirs)
        while not re.search(r"counting [^a-z]* [2-9]\d%", _words(seen)) and (part := _read(screen)):
            seen += part
        process.send_signal(signal.SIGINT)
        while _read(screen):
            pass
    os.close(screen)
    assert process.returncode in (0, *STOPPED)
    told = set(re.findall(r"(?:reading|joining|capping)[^\r\n]*", _words(seen)))
    assert any("%" in line for line in told), told
    for line in told:
        assert re.fullmatch(r"[a-z ]+ [━╸╺ ]+( \d{1,3}% +(-:--:--|\d+:\d\d:\d\d))?\s*", line), line


def _words(seen: bytes) -> str:
    """What stands on the screen, without its colours."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen.decode(errors="ignore"))


def _read(screen: int) -> bytes:
    try:
        return os.read(screen, 1 << 16)
    except OSError:  # the other end is closed
        return b""


def test_the_meter_stops_asking_when_its_block_ends() -> None:
    """The engine is asked only while it lives: not after the block, however it ends."""
    asked: list[float] = []

    def percent() -> float:
        asked.append(1)
        return 50.0

    shown: list[tuple[str, float | None]] = []
    meter, before = (
        ProgressMeter(lambda step, far, _: shown.append((step, far))),
        threading.active_count(),
    )
    meter("capping and counting")
    with pytest.raises(KeyboardInterrupt), meter.follow(percent):
        while len(shown) < 2:
            time.sleep(0.01)
        raise KeyboardInterrupt
    assert shown[:2] == [("capping and counting", None), ("capping and counting", 50.0)]
    assert threading.active_count() <= before, "who asked has ended"


def test_the_bar_begins_anew_with_each_step_and_query() -> None:
    """One line at any time; it pulses where no percentage is known, and none seems done because one before it was."""
    lines = Progress(console=Console(file=io.StringIO()))
    bar, seen = Bar(lines), []
    for step, percent in [
        ("reading", None),
        ("reading", 40),
        ("reading", 100),
        ("reading", 5),
        ("reading", None),
        ("capping", 5),
    ]:
        bar(step, percent, None)
        (line,) = lines.tasks
        seen.append((line.description, line.total, line.completed, line.finished))
    assert seen == [
        ("reading", None, 0, False),
        ("reading", 100, 40, False),
        ("reading", 100, 100, True),
        ("reading", 100, 5, False),
        ("reading", None, 0, False),
        ("capping", 100, 5, False),
    ]
