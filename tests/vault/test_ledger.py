"""The budget cannot be overdrawn, lost, rewound or cheated: by crashes, races, edits, other files or clever strategies.

`DPMAP_DEEP=1` kills 200 releases instead of 10. What tables of PostgreSQL keep too is in test_ledger_contract.py.
"""

import copy
import json
import os
import pickle
import sqlite3
import subprocess
import sys
import textwrap
import zipfile
from contextlib import closing
from datetime import UTC, datetime
from fractions import Fraction
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
from builders import surveys
from builders.waiting import LONG

import dpmap as dm
from dpmap.cli import run
from dpmap.errors import BadInput, BudgetExceeded, DpmapError, Refused, SystemFailed
from dpmap.grid import Partition
from dpmap.ledger import ledger as ledger_module
from dpmap.ledger import sqlite_file
from dpmap.ledger.accounting import without_release
from dpmap.ledger.events import Event, Opened, Reserved, Spend, parse_event
from dpmap.ledger.ledger import Ledger, Reservation
from dpmap.private_totals import PrivateTotals
from dpmap.steward.release_run import release as dm_release
from dpmap.vault import correlated_laplace, mechanism
from dpmap.vault import session as session_module
from dpmap.vault.session import Session

DEEP = os.environ.get("DPMAP_DEEP") == "1"
KILLS = 200 if DEEP else 10
ROOT = Path(__file__).parents[2]


def survey_file(folder: Path, rows: int = 60) -> Path:
    return surveys.written(folder, surveys.scattered(rows))


def grid() -> dm.Grid:
    return dm.Grid(bounds=(0, 50, 1, 51), shape=(4, 5), crs="EPSG:4326")


def make(
    folder: Path, epsilon: object = "0.1", budget: object = "1", dataset: str = "d", **named: object
) -> dm.Release:
    path = folder / "survey.csv"
    if not path.exists():
        survey_file(folder)
    policy = dm.Policy(epsilon=epsilon, unit="who", cap=3)
    settings = {"ledger": folder / "x.ledger", "dataset": dataset, "budget": budget, **named}
    return dm_release(dm.read(path), grid(), policy, **settings)


def reserve(
    book: Ledger, epsilon: object = "0.1", budget: object = "1", dataset: str = "d"
) -> Reservation:
    total = None if budget is None else Fraction(str(budget))
    return book.reserve(
        dataset=dataset, epsilon=Fraction(str(epsilon)), budget=total, details={"unit": "who"}
    )


def spent(folder: Path) -> Fraction:
    return (
        Ledger(folder / "x.ledger").balance()[1] if (folder / "x.ledger").exists() else Fraction(0)
    )


def one_line(error: BaseException) -> str:
    text = str(error)
    assert text and "\n" not in text and len(text) < 400, text
    return text


# --- crashes -----------------------------------------------------------------------------------------------------

KILLER = textwrap.dedent(
    """
    import json, os, random, select, signal, sys, time
    folder, kills = sys.argv[1], int(sys.argv[2])
    os.chdir(folder)
    import numpy, pyarrow, duckdb, sqlite3, scipy.stats, pandas
    import dpmap.cli.commands, dpmap.cli.release, dpmap.steward.release_run, dpmap.survey, dpmap.engines.duckdb, dpmap.statement.statement
    from dpmap.cli import run
    from dpmap.releases.release import Release
    from dpmap.vault import mechanism
    from dpmap.ledger import ledger

    Release.write = lambda self, path: [path] if open(path, "wb").write(b"stub") else []
    real_draw, real_take = mechanism.discrete_laplace, ledger.Ledger.take

    def child(number, signal_end):
        def draw(count, scale, *, source="dpmap"):
            if count > 1:  # not the check of the source
                mark = os.open(f"drawn-{number}", os.O_WRONLY | os.O_CREAT, 0o600)
                os.write(mark, b"drawn"); os.close(mark)
            return real_draw(count, scale, source=source)
        def take(self, asked, details):
            os.write(signal_end, b"r")
            return real_take(self, asked, details)
        mechanism.discrete_laplace, ledger.Ledger.take = draw, take
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1); os.dup2(null, 2)
        code = run(["release", "survey.csv", "--bounds", "0,50,1,51", "--shape", "4,5", "--epsilon", "0.001",
                    "--unit", "who", "--cap", "3", "--dataset", f"run {number}", "--budget", "1000",
                    "--ledger", f"{number % 4}.ledger", "--out", f"out-{number}", "--strategy", "flat"])
        os._exit(code)

    def start(number):
        mine, its = os.pipe()
        pid = os.fork()
        if not pid:
            try:
                child(number, its)
            finally:
                os._exit(99)
        os.close(its)
        return pid, mine

    def finish(pid):
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

    begun = time.monotonic()
    pid, pipe = start(0)
    os.read(pipe, 1); reached = time.monotonic() - begun
    assert finish(pid) == 0
    whole = time.monotonic() - begun
    number = killed = 0
    while number < kills or killed < kills // 4:
        number += 1
        pid, pipe = start(number)
        if number % 2:
            time.sleep(random.uniform(0, 1.2 * whole))
        else:  # around the reservation and the draw
            select.select([pipe], [], [], 20); time.sleep(random.uniform(0, 1.2 * (whole - reached)))
        os.kill(pid, signal.SIGKILL)
        late = finish(pid) != -signal.SIGKILL
        killed += not late
        os.close(pipe)
        pace = 0.8 if late else 1.04  # the machine may have become quieter since the first run, or busier
        whole *= pace; reached *= pace
    print(json.dumps({"whole": whole, "reached": reached, "killed": killed}))
    """
)


@pytest.fixture(scope="module")
def battlefield(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict]:
    """Releases through the command line, each killed with SIGKILL at a random moment, four ledgers shared by all."""
    folder = tmp_path_factory.mktemp("kills")
    survey_file(folder)
    done = subprocess.run(
        [sys.executable, "-c", KILLER, folder, str(KILLS)],
        capture_output=True,
        text=True,
        timeout=1200,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    return folder, json.loads(done.stdout.splitlines()[-1])


def test_kill_never_leaves_a_draw_without_its_durable_reservation(
    battlefield: tuple[Path, dict],
) -> None:
    """Whatever moment the power goes, noise was never drawn for a release that the ledger does not know."""
    folder, told = battlefield
    assert told["killed"] >= KILLS // 4, "the kills came too late to prove anything"
    reserved = {
        event.body["dataset"]
        for path in folder.glob("?.ledger")
        for event in Ledger(path).events()
        if event.body["kind"] == "reserve"
    }
    drawn = {path.name.removeprefix("drawn-") for path in folder.glob("drawn-*")}
    assert drawn, "no release got as far as its draw"
    assert {f"run {number}" for number in drawn} <= reserved


def test_kill_never_corrupts_the_ledger(battlefield: tuple[Path, dict]) -> None:
    """After any crash the ledger opens, its chain is whole, and the next release goes through."""
    folder, _ = battlefield
    for path in folder.glob("?.ledger"):
        book = Ledger(path)
        before = book.balance()[1] if book.events() else Fraction(0)
        reserve(book, "0.5", "1000", dataset="after the war")
        assert book.balance() == (1000, before + Fraction(1, 2))
        with closing(sqlite3.connect(path)) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_kill_never_leaves_a_damaged_release(battlefield: tuple[Path, dict]) -> None:
    """A release file that exists is whole and is in the ledger, whenever its maker died."""
    folder, _ = battlefield
    found = list(folder.glob("out-*/release.dpmap"))
    assert found
    for path in found:
        receipt = dm.open(path).record.receipt
        number = int(path.parent.name.removeprefix("out-"))
        Ledger(folder / f"{number % 4}.ledger").attests(event=receipt.event, head=receipt.head)


def test_the_reservation_is_visible_to_others_when_the_draw_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When noise is drawn, another process already sees the epsilon gone from the ledger file."""
    seen = []
    real = mechanism.discrete_laplace

    def watching(count: int, scale: Fraction, **named: object) -> object:
        if count > 1 and len(seen) < 3:
            asked = "import sys, dpmap; print(len(dpmap.Ledger(sys.argv[1]).events()))"
            told = subprocess.run(
                [sys.executable, "-c", asked, tmp_path / "x.ledger"],
                capture_output=True,
                text=True,
                cwd=ROOT,
            )
            seen.append(told.stdout.strip())
        return real(count, scale, **named)

    for module in (mechanism, correlated_laplace):
        monkeypatch.setattr(module, "discrete_laplace", watching)
    make(tmp_path)
    assert set(seen) == {"2"}


def test_reservations_are_flushed_to_the_disk_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reservation is flushed through the system's cache (synchronous EXTRA, a journal that is fsynced)."""
    settings = []
    real = sqlite_file.SqliteFile.append

    def watching(self: object, database: sqlite3.Connection, *rest: object) -> object:
        asked = ("PRAGMA synchronous", "PRAGMA journal_mode", "PRAGMA main.locking_mode")
        settings.append([database.execute(text).fetchone()[0] for text in asked])
        return real(self, database, *rest)

    monkeypatch.setattr(sqlite_file.SqliteFile, "append", watching)
    reserve(Ledger(tmp_path / "x.ledger"))
    assert settings == [[3, "delete", "normal"]] * 2


# --- races -------------------------------------------------------------------------------------------------------


def test_a_ledger_being_made_by_another_process_is_not_called_foreign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ledger that another process creates in the middle of our opening it is recognised, not refused as foreign."""
    path = tmp_path / "x.ledger"
    real = sqlite3.connect
    pending = [True]

    class Slow(sqlite3.Connection):
        """Between any two questions about the file, another process gets its turn."""

        def execute(self, sql: str, *rest: object) -> sqlite3.Cursor:
            cursor = super().execute(sql, *rest)
            if "application_id" in sql and "=" not in sql and pending:
                rows = cursor.fetchall()
                pending.clear()
                other = "import sys, fractions, dpmap; dpmap.Ledger(sys.argv[1]).reserve(dataset='o', epsilon=fractions.Fraction(1, 10), budget=fractions.Fraction(1), details={})"
                subprocess.run([sys.executable, "-c", other, path], check=True, cwd=ROOT)
                return super().execute(f"SELECT {rows[0][0]}")
            return cursor

    monkeypatch.setattr(
        sqlite_file.sqlite3,
        "connect",
        lambda *args, **named: real(*args, **{**named, "factory": Slow}),
    )
    reserve(Ledger(path))
    assert Ledger(path).balance() == (1, Fraction(2, 10))


# --- edits, cuts and copies --------------------------------------------------------------------------------------


def test_the_ledger_knows_what_came_of_each_reservation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was drawn is noted under the time of its reservation, which tells nothing of how long it took; what was not is named,
    and only for the reservation that the ledger holds. Ledgers of earlier versions, which announce nothing, name nothing."""
    years = iter(range(2026, 2100))

    class Slow(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:
            return datetime(next(years), 1, 1, tzinfo=tz)

    monkeypatch.setattr(ledger_module, "datetime", Slow)
    book = Ledger(tmp_path / "x.ledger")
    lost, kept = reserve(book), reserve(book)
    book.made(kept)
    assert [event.number for event in book.without_release()] == [lost.event]
    assert book.events()[-1].body == {
        "kind": "made",
        "event": kept.event,
        "time": book.events()[kept.event - 1].body["time"],
    }
    assert make(tmp_path).record.receipt.event not in [
        event.number for event in book.without_release()
    ]
    spent_so_far = book.balance()
    (tmp_path / "x.ledger").rename(tmp_path / "y.ledger")
    with pytest.raises(DpmapError):
        book.made(lost)
    assert not (tmp_path / "x.ledger").exists()
    reserve(book)
    with pytest.raises(Refused):
        book.made(lost)
    assert Ledger(tmp_path / "y.ledger").balance() == spent_so_far
    earlier = parse_event({"kind": "reserve", "dataset": "d", "epsilon": "0.5"})
    assert without_release([earlier]) == []
    for wrong in (0, -1, True, "2", None, 2.0):
        with pytest.raises((ValueError, TypeError)):
            parse_event({"kind": "made", "event": wrong})


def test_a_release_is_saved_before_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`to=` saves a release at once: what the ledger calls made is on the disk, and a ledger that cannot be told loses no release. A
    place where it could not be saved, or would replace another, is refused before anything is spent.
    """
    saved = tmp_path / "r.dpmap"
    for wrong in (tmp_path, tmp_path / "nowhere" / "r.dpmap"):
        with pytest.raises(BadInput, match="^to: "):
            make(tmp_path, to=wrong)
    assert not (tmp_path / "x.ledger").exists()
    monkeypatch.setattr(
        Ledger, "made", lambda self, paid: (_ for _ in ()).throw(SystemFailed("no disk"))
    )
    made = make(tmp_path, to=saved)
    assert dm.open(saved).record.receipt == made.record.receipt
    assert [event.number for event in Ledger(tmp_path / "x.ledger").without_release()] == [2]
    for words, listed in (([], True), (["--against", str(saved)], False)):
        assert run(["ledger", str(tmp_path / "x.ledger"), *words]) == 0
        assert ("no release came of it" in capsys.readouterr().out) == listed
    monkeypatch.setattr(Ledger, "made", lambda self, paid: saved.stat())
    with pytest.raises(BadInput, match="there already"):
        make(tmp_path, to=saved)
    saved.unlink()
    make(tmp_path, to=saved)
    monkeypatch.setattr(
        "zipfile.ZipFile.writestr", lambda *args: (_ for _ in ()).throw(OSError(28, "full"))
    )
    monkeypatch.setattr(Ledger, "made", lambda self, paid: pytest.fail("told before it was saved"))
    with pytest.raises(SystemFailed):
        make(tmp_path, to=tmp_path / "s.dpmap")


@pytest.mark.parametrize("event", [0, -1, 3, 10**30])
def test_a_release_that_claims_an_impossible_place_is_not_attested(
    tmp_path: Path, event: int
) -> None:
    """A forged place in the chain is refused, never an error inside."""
    book = Ledger(tmp_path / "x.ledger")
    reserve(book)
    with pytest.raises(Refused):
        book.attests(event=event, head=book.events()[-1].digest)


# --- files that are no ledger ------------------------------------------------------------------------------------


def _everything(path: Path) -> list[type]:
    """The kinds of error that listing, reserving and checking end with."""
    kinds = []
    book = Ledger(path)
    for act in (
        book.events,
        lambda: reserve(book),
        lambda: book.check(Spend("d", Fraction(1, 10), budget=Fraction(1))),
    ):
        with pytest.raises(DpmapError) as caught:
            act()
        one_line(caught.value)
        assert type(caught.value).__doc__
        kinds.append(type(caught.value))
    return kinds


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    """Pointing --ledger at another program's SQLite file is bad input, and the file is not touched."""
    path = tmp_path / "other.gpkg"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE events (number INTEGER, body TEXT, digest TEXT)")
        database.commit()
    before = path.read_bytes()
    assert _everything(path) == [BadInput] * 3
    assert path.read_bytes() == before


def test_a_directory_is_no_ledger(tmp_path: Path) -> None:
    """Pointing --ledger at a folder is bad input, said in one line."""
    assert _everything(tmp_path) == [BadInput] * 3


def test_a_text_file_is_no_ledger(tmp_path: Path) -> None:
    """A text file given as ledger is refused, since it may be a damaged ledger, and is not touched."""
    path = tmp_path / "notes.txt"
    path.write_text("these are my notes\n" * 100)
    before = path.read_bytes()
    assert _everything(path) == [Refused] * 3
    assert path.read_bytes() == before


def test_a_ledger_cut_in_the_middle_is_refused(tmp_path: Path) -> None:
    """A ledger file that lost its end on the disk is refused as damaged, never started anew."""
    path = tmp_path / "x.ledger"
    for _ in range(5):
        reserve(Ledger(path))
    for keep in (50, 99, 4096, 4097, 6000):
        cut = tmp_path / f"{keep}.ledger"
        cut.write_bytes(path.read_bytes()[:keep])
        assert set(_everything(cut)) <= {Refused, BadInput}, keep


def test_garbage_inside_a_ledger_is_refused(tmp_path: Path) -> None:
    """Pages overwritten with garbage give one line, never an error from inside."""
    path = tmp_path / "x.ledger"
    for _ in range(5):
        reserve(Ledger(path))
    whole = path.read_bytes()
    for start in range(100, len(whole), max(1, len(whole) // 25)):
        broken = tmp_path / f"{start}.ledger"
        broken.write_bytes(whole[:start] + b"\xde\xad" * 20 + whole[start + 40 :])
        try:
            Ledger(broken).events()
            reserve(Ledger(broken))
        except DpmapError as error:
            one_line(error)


def test_what_a_later_version_adds_to_an_event_is_kept(tmp_path: Path) -> None:
    """A field that this version does not know changes nothing that is added up, and is shown as it was written."""
    path = tmp_path / "x.ledger"
    reserve(Ledger(path))
    body = '{"kind": "reserve", "dataset": "d", "epsilon": "0.2", "later": [1, null], "time": "t"}'
    with closing(sqlite3.connect(path)) as database:
        digest = ledger_module._digest(Ledger(path).events()[-1].digest, 3, body)
        database.execute("INSERT INTO events VALUES (3, ?, ?)", (body, digest))
        database.commit()
    last = Ledger(path).events()[-1]
    assert (last.body, last.meaning) == (json.loads(body), Reserved("d", Fraction(1, 5)))
    assert Ledger(path).balance() == (1, Fraction(3, 10))


def test_an_empty_file_is_a_ledger_not_begun(tmp_path: Path) -> None:
    """An empty file (what a crash in the very first moment leaves) holds no event and attests no release."""
    path = tmp_path / "x.ledger"
    path.write_bytes(b"")
    assert Ledger(path).events() == []
    assert Ledger(path).balance() == (0, 0)
    with pytest.raises(Refused, match="budget"):
        reserve(Ledger(path), budget=None)
    with pytest.raises(Refused):
        Ledger(path).attests(event=1, head="0" * 64)


def test_an_emptied_ledger_is_not_begun_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A ledger file that is there but empty stops a release, a plan and a declaration in one line that says what to do;
    once it is deleted, a new one begins.
    """
    monkeypatch.setattr(sqlite_file, "MOMENT_SECONDS", 0.05)
    path = tmp_path / "x.ledger"
    path.write_bytes(b"")
    asked = (
        lambda: make(tmp_path),
        lambda: Ledger(path).plan("1"),
        lambda: Ledger(path).disjoint(["a", "b"], signed_by="Ana"),
    )
    for ask in asked:
        with pytest.raises(
            Refused, match="x.ledger is there but empty; delete it .* restore it if"
        ) as told:
            ask()
        one_line(told.value)
        assert path.read_bytes() == b""
    assert run(["ledger", str(path)]) == 3
    assert "there but empty" in capsys.readouterr().err
    path.unlink()
    make(tmp_path)
    assert len(Ledger(path).events()) == 3


def test_a_refused_declaration_leaves_no_empty_file(tmp_path: Path) -> None:
    """What is refused before a ledger begins makes no file that would have to be deleted."""
    path = tmp_path / "x.ledger"
    for ask in (
        lambda: Ledger(path).plan("lots"),
        lambda: Ledger(path).plan("1", releases=0),
        lambda: Ledger(path).disjoint(["a"], signed_by="Ana"),
        lambda: make(tmp_path, budget="0.01"),
    ):
        with pytest.raises(DpmapError):
            ask()
        assert not path.exists()


def test_a_ledger_that_another_process_is_just_making_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While another process writes a ledger's first event the file is still empty: we wait for it and do not refuse."""
    monkeypatch.setattr(sqlite_file, "MOMENT_SECONDS", 0)
    path = tmp_path / "x.ledger"
    maker = textwrap.dedent(
        """
        import sys, time, fractions, dpmap
        from dpmap.ledger.sqlite_file import SqliteFile
        real = SqliteFile.append
        SqliteFile.append = lambda *rest: (print('locked', flush=True), sys.stdin.readline(), time.sleep(1), real(*rest))[3]
        dpmap.Ledger(sys.argv[1]).plan('1')
        """
    )
    start = [sys.executable, "-c", maker, path]
    with subprocess.Popen(
        start, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, cwd=ROOT
    ) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        assert other.stdout.readline() == b"locked\n"
        assert path.read_bytes() == b""
        told, connect = other.stdin, sqlite3.connect

        def tell_and_connect(*place: object, **how: object) -> object:
            """Lets the other go on as soon as somebody comes who must wait for it."""
            told.close()
            return connect(*place, **how)  # type: ignore[call-overload]  # as the ledger calls it

        monkeypatch.setattr(sqlite_file.sqlite3, "connect", tell_and_connect)
        Ledger(path).refuse_emptied()
        assert len(Ledger(path).events()) == 1
        assert other.wait() == 0


def test_a_read_only_ledger_is_one_line_before_any_row_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ledger without the right to write stops the release before a row is read; it can still be shown."""
    make(tmp_path)
    before = (tmp_path / "x.ledger").read_bytes()
    real = os.access
    monkeypatch.setattr(
        os, "access", lambda path, mode, **named: mode != os.W_OK and real(path, mode, **named)
    )
    monkeypatch.setattr(
        "dpmap.engines.duckdb.DuckDB.totals", lambda *args: pytest.fail("a row was read")
    )
    with pytest.raises(SystemFailed, match="no right to write") as caught:
        make(tmp_path)
    one_line(caught.value)
    assert len(Ledger(tmp_path / "x.ledger").events()) == 3
    assert (tmp_path / "x.ledger").read_bytes() == before


def test_a_ledger_on_a_read_only_disk(tmp_path: Path) -> None:
    """On a disk mounted read-only the ledger can be shown and verified, and a release is one clear line."""
    place = tmp_path / "disk"
    place.mkdir()
    reserve(Ledger(place / "x.ledger"))
    mounts = [["mount", "--bind", place, place], ["mount", "-o", "remount,bind,ro", place, place]]
    try:
        if any(subprocess.run(command, capture_output=True).returncode for command in mounts):
            pytest.skip("mounting is not permitted here")
        assert len(Ledger(place / "x.ledger").events()) == 2
        with pytest.raises(SystemFailed) as caught:
            reserve(Ledger(place / "x.ledger"))
        one_line(caught.value)
        with pytest.raises(SystemFailed):
            make(tmp_path, ledger=place / "x.ledger")
    finally:
        subprocess.run(["umount", place], capture_output=True)


def test_a_locked_ledger_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ledger that another process holds for too long is a system failure in one line, and costs nothing."""
    monkeypatch.setattr(sqlite_file, "PATIENCE_SECONDS", 0.1)
    path = tmp_path / "x.ledger"
    reserve(Ledger(path))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert _everything(path) == [SystemFailed] * 3
        with pytest.raises(SystemFailed, match="in use by another process"):
            reserve(Ledger(path))
        other.execute("ROLLBACK")
    assert Ledger(path).balance() == (1, Fraction(1, 10))


def test_a_full_disk_reserves_nothing(tmp_path: Path) -> None:
    """When the disk is full the reservation fails in one line and the ledger is as it was."""
    place = tmp_path / "small"
    place.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=32k", "none", place], capture_output=True
    ).returncode:
        pytest.skip("mounting is not permitted here")
    try:
        reserve(Ledger(place / "x.ledger"))
        with open(place / "filler", "wb", buffering=0) as filler, pytest.raises(OSError):
            while True:
                filler.write(b"x" * 512)
        with pytest.raises(SystemFailed) as caught:
            for _ in range(30):
                reserve(Ledger(place / "x.ledger"), "0.001")
        one_line(caught.value)
        (place / "filler").unlink()
        total, gone = Ledger(place / "x.ledger").balance()
        assert total == 1
        reserve(Ledger(place / "x.ledger"), "0.2")
        assert Ledger(place / "x.ledger").balance() == (1, gone + Fraction(2, 10))
    finally:
        subprocess.run(["umount", place], capture_output=True)


@pytest.mark.parametrize(
    "name",
    [
        "a?mode=memory.ledger",
        "100%.ledger",
        "a#b.ledger",
        "it's.ledger",
        'say "x".ledger',
        "\N{OWL}.ledger",
        "a\nb",
    ],
)
def test_weird_names_of_ledgers(tmp_path: Path, name: str) -> None:
    """A ledger may have any name: it is that file and no other that keeps the budget."""
    reserve(Ledger(tmp_path / name))
    reserve(Ledger(tmp_path / name))
    assert [entry.name for entry in tmp_path.iterdir()] == [name]
    assert Ledger(tmp_path / name).balance() == (1, Fraction(2, 10))


# --- the rules of the budget -------------------------------------------------------------------------------------


def test_the_first_release_needs_a_budget(tmp_path: Path) -> None:
    """Without a declared budget the first release is refused, naming --budget, before a row is read."""
    with pytest.raises(Refused, match="budget"):
        make(tmp_path, budget=None)
    assert not (tmp_path / "x.ledger").exists()
    make(tmp_path)
    make(tmp_path, budget=None)
    assert spent(tmp_path) == Fraction(2, 10)


@pytest.mark.parametrize("other", ["2", "0.5", "1.0000001"])
def test_the_budget_cannot_be_raised(tmp_path: Path, other: str) -> None:
    """The budget is fixed at the first release: naming another one is refused, whichever data set asks."""
    make(tmp_path)
    for dataset in ("d", "another"):
        with pytest.raises(Refused, match="fixed at the first release"):
            make(tmp_path, budget=other, dataset=dataset)
    assert spent(tmp_path) == Fraction(1, 10)
    make(tmp_path, budget="1.000")


def test_a_second_data_set_adds_up_in_the_same_ledger(tmp_path: Path) -> None:
    """Data sets in one ledger share its budget, since they may share people."""
    make(tmp_path, "0.6", dataset="Raptors")
    with pytest.raises(Refused, match="budget"):
        make(tmp_path, "0.3", budget=None, dataset="Owls")
    receipt = make(tmp_path, "0.3", dataset="Owls").record.receipt
    assert (receipt.budget, receipt.spent, receipt.remaining) == (
        1,
        Fraction(9, 10),
        Fraction(1, 10),
    )
    with pytest.raises(BudgetExceeded, match=r"0\.1 of 1 remains"):
        make(tmp_path, "0.2", dataset="Owls")


def test_a_new_file_or_folder_does_not_reset_the_budget(tmp_path: Path) -> None:
    """The budget belongs to the ledger, not to the survey file or to where the release is saved."""
    make(tmp_path, "0.9")
    (tmp_path / "elsewhere").mkdir()
    survey_file(tmp_path / "elsewhere")
    with pytest.raises(BudgetExceeded):
        make(tmp_path / "elsewhere", "0.2", ledger=tmp_path / "x.ledger")


def test_ten_tenths_fit_a_budget_of_one_exactly(tmp_path: Path) -> None:
    """Epsilons add up as exact fractions: ten releases of "0.1" fit a budget of 1, the eleventh is refused."""
    for number in range(1, 11):
        receipt = make(tmp_path).record.receipt
        assert receipt.spent == Fraction(number, 10)
    with pytest.raises(BudgetExceeded):
        make(tmp_path, "0.0001")
    with pytest.raises(BudgetExceeded, match="0 of 1 remains"):
        make(tmp_path)
    assert Ledger(tmp_path / "x.ledger").balance() == (1, 1)


def test_thirds_add_up_exactly(tmp_path: Path) -> None:
    """One third three times is one, to the last digit."""
    book = Ledger(tmp_path / "x.ledger")
    for _ in range(3):
        reserve(book, "1/3")
    with pytest.raises(BudgetExceeded):
        reserve(book, "1/1000000")


@pytest.mark.parametrize(
    "epsilon",
    [
        "1." + "1" * 54 + "e-4",  # 60 characters as typed, more as a plain decimal
        "1000000000000000000000000001/1267650600228229401496703205376",  # a hundred decimals when written out
        "0.1234567890123456789012345678901234567",  # the noise scale is a long fraction
        "1/3",
        "0.0001",
    ],
)
def test_an_epsilon_that_was_taken_can_be_read_back(tmp_path: Path, epsilon: str) -> None:
    """Whatever epsilon dpmap takes, the ledger stays readable and the paid-for release can be opened again."""
    try:
        release = make(tmp_path, epsilon)
    except BadInput:
        assert spent(tmp_path) == 0  # refusing it is fine too, while it costs nothing
        return
    assert spent(tmp_path) == Fraction(epsilon)
    release.save(tmp_path / "release.dpmap")
    again = dm.open(tmp_path / "release.dpmap").record
    assert again.policy == release.policy
    assert again.measurements[0].scale == release.measurements[0].scale
    make(tmp_path, "0.1")


def test_many_unlike_fractions_can_be_read_back(tmp_path: Path) -> None:
    """After many releases of awkward fractions the ledger and the newest release still open."""
    book = Ledger(tmp_path / "x.ledger")
    for prime in (
        1009,
        1013,
        1019,
        1021,
        1031,
        1033,
        1039,
        1049,
        1051,
        1061,
        1063,
        1069,
        1087,
        1091,
    ):
        reserve(book, f"1/{prime}")
    release = make(tmp_path)
    release.save(tmp_path / "release.dpmap")
    assert dm.open(tmp_path / "release.dpmap").record.receipt == release.record.receipt


@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(-1, 2)])
def test_nothing_can_be_paid_back(tmp_path: Path, epsilon: Fraction) -> None:
    """A reservation of nothing or less is refused: no call can lower what the ledger says was spent."""
    book = Ledger(tmp_path / "x.ledger")
    reserve(book, "0.5")
    with pytest.raises(DpmapError):
        book.reserve(dataset="d", epsilon=epsilon, budget=Fraction(1), details={})
    assert book.balance() == (1, Fraction(1, 2))


def test_details_cannot_rewrite_an_event(tmp_path: Path) -> None:
    """What a caller adds to an event cannot replace its kind, data set, epsilon or release."""
    book = Ledger(tmp_path / "x.ledger")
    details = {
        "kind": "note",
        "epsilon": "0",
        "dataset": "other",
        "release": "x",
        "delta": "-1",
        "lifetime": "9",
    }
    try:
        book.reserve(dataset="d", epsilon=Fraction(1, 2), budget=Fraction(1), details=details)
    except (DpmapError, TypeError):
        return
    assert book.balance() == (1, Fraction(1, 2))
    assert book.events()[-1].body["dataset"] == "d"
    assert not {"delta", "lifetime"} & set(book.events()[-1].body)


@pytest.mark.parametrize("dataset", ["", "   ", "x" * 201])
def test_a_data_set_needs_a_name(tmp_path: Path, dataset: str) -> None:
    """A data set without a usable name is bad input and makes no ledger."""
    with pytest.raises(BadInput, match="dataset"):
        make(tmp_path, dataset=dataset)
    assert not (tmp_path / "x.ledger").exists()


@pytest.mark.parametrize("dataset", ["a\nb", "\udcff", "a\x1b[2Jb", "a\x00b"])
def test_a_data_set_name_that_would_break_lines_or_screens(tmp_path: Path, dataset: str) -> None:
    """Names with line breaks, terminal codes or broken text are bad input: the ledger is shown line by line."""
    with pytest.raises(BadInput, match="dataset"):
        make(tmp_path, dataset=dataset)
    assert spent(tmp_path) == 0


# --- reservations, and what precedes what ------------------------------------------------------------------------


def test_a_reservation_is_claimed_once(tmp_path: Path) -> None:
    """No two sessions can spend one reservation."""
    reservation = reserve(Ledger(tmp_path / "x.ledger"))
    assert reservation.claim() == Fraction(1, 10)
    with pytest.raises(Refused, match="already in use"):
        reservation.claim()


FORKED = textwrap.dedent(
    """
    import os, sys
    import numpy as np
    import dpmap as dm
    from fractions import Fraction
    from dpmap.errors import Refused
    from dpmap.private_totals import PrivateTotals
    from dpmap.vault.session import Session

    grid = dm.Grid(bounds=(0, 50, 1, 51), shape=(1, 2), crs="EPSG:4326")
    cells = dm.Partition.cells(grid)

    def reserved(number):
        return dm.Ledger(sys.argv[1]).reserve(
            dataset=f"d{number}", epsilon=Fraction(1, 4), budget=Fraction(2), details={})

    def opened(reservation):
        totals = PrivateTotals(np.array([0]), np.array([5 << 32]))
        return Session(totals, grid, reservation, cap=3, lattice=2**32)

    def begun(session):
        session.course([Fraction(1, 8)] * 2)
        session.measure(cells, Fraction(1, 8))
        return session

    def spends(act):
        try:
            act()
        except Refused as told:
            assert "\\n" not in str(told) and "another process" in str(told), told
            return 0
        return 1

    ways = [
        (lambda: reserved(1), lambda kept: kept.claim()),
        (lambda: reserved(2), lambda kept: opened(kept).measure(cells, Fraction(1, 4))),
        (lambda: opened(reserved(3)), lambda kept: kept.measure(cells, Fraction(1, 4))),
        (lambda: opened(reserved(4)), lambda kept: kept.choose(cells, Fraction(1, 4))),
        (lambda: begun(opened(reserved(5))), lambda kept: kept.measure(cells, Fraction(1, 8))),
    ]
    for make, act in ways:
        kept = make()
        children = []
        for _ in range(3):
            pid = os.fork()
            if not pid:
                os._exit(spends(lambda: act(kept)))
            children.append(pid)
        inside = sum(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children)
        print(inside, spends(lambda: act(kept)))
    """
)


def test_a_fork_does_not_double_what_is_reserved(tmp_path: Path) -> None:
    """One reservation opens one session, and one session spends once, however often the process is copied by a fork: the
    copies are refused, the process that reserved goes on.
    """
    done = subprocess.run(
        [sys.executable, "-c", FORKED, tmp_path / "x.ledger"],
        capture_output=True,
        text=True,
        timeout=LONG,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["0 1"] * 5


# --- what the head tells -----------------------------------------------------------------------------------------


def test_equal_events_of_one_second_have_different_digests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two ledgers with the same events at the same time have nothing in common that a reader of their heads could search."""

    class Stopped(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:
            return datetime(2026, 1, 1, tzinfo=UTC)

    monkeypatch.setattr(ledger_module, "datetime", Stopped)
    books = [Ledger(tmp_path / f"{number}.ledger") for number in range(2)]
    for book in books:
        book.plan("1")
        book.disjoint(["a", "b"], signed_by="Ana")
    first, second = (book.events() for book in books)
    assert [one.body for one in first] == [one.body for one in second]
    assert not {one.digest for one in first} & {one.digest for one in second}


def test_the_head_cannot_be_found_by_trying_every_second(tmp_path: Path) -> None:
    """Whoever knows all of an event but its salt, the second among it, does not get its digest; with the salt she does."""
    book = Ledger(tmp_path / "x.ledger")
    book.plan("1")
    (event,) = book.events()
    guess = json.dumps(event.body, sort_keys=True, ensure_ascii=False)
    assert ledger_module._digest(ledger_module.GENESIS, 1, guess) != event.digest
    with closing(sqlite3.connect(book.path)) as database:
        (text,) = database.execute("SELECT body FROM events").fetchone()
    assert ledger_module._digest(ledger_module.GENESIS, 1, text) == event.digest
    salt = json.loads(text)["salt"]
    assert len(bytes.fromhex(salt)) >= 16
    assert {**event.body, "salt": salt} == json.loads(text)


def test_the_salt_stays_in_the_ledger(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No salt is in the release, in anything written from it, in an event as it is read, or on the screen."""
    survey_file(tmp_path)
    assert run(["release", str(tmp_path / "survey.csv"), "--bounds=0,50,1,51", "--shape=4,5", "--epsilon=1", "--unit=who",
                "--cap=3", "--dataset=d", "--budget=1", f"--out={tmp_path / 'out'}"]) == 0  # fmt: skip
    assert run(["ledger", str(tmp_path / "dpmap.ledger")]) == 0
    said = "".join(capsys.readouterr())
    with closing(sqlite3.connect(tmp_path / "dpmap.ledger")) as database:
        salts = [
            json.loads(text)["salt"] for (text,) in database.execute("SELECT body FROM events")
        ]
    assert len(set(salts)) == 3
    files = [path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()]
    with zipfile.ZipFile(tmp_path / "out" / "release.dpmap") as archive:
        files += [archive.read(name) for name in archive.namelist()]
    for salt in salts:
        assert salt not in said
        assert not any(
            salt.encode() in content or bytes.fromhex(salt) in content for content in files
        )
    for event in Ledger(tmp_path / "dpmap.ledger").events():
        assert "salt" not in event.body


def test_a_ledger_begun_before_there_were_salts_goes_on(tmp_path: Path) -> None:
    """Events without a salt stay as they are and verify; what comes after them is salted."""
    book = Ledger(tmp_path / "x.ledger")
    kept = [
        {"time": "2026-01-01T00:00:00+00:00", "kind": "open", "dataset": "d", "budget": "1"},
        {
            "time": "2026-01-01T00:00:00+00:00",
            "kind": "reserve",
            "dataset": "d",
            "release": "r",
            "epsilon": "0.5",
        },
    ]
    with closing(sqlite3.connect(book.path)) as database:
        sqlite_file._lay_out(database)
        head = ledger_module.GENESIS
        for number, body in enumerate(kept, start=1):
            text = json.dumps(body, sort_keys=True, ensure_ascii=False)
            head = ledger_module._digest(head, number, text)
            database.execute("INSERT INTO events VALUES (?, ?, ?)", (number, text, head))
        database.commit()
    assert [event.body for event in book.events()] == kept
    reserve(book, "0.5", budget=None)
    assert book.balance() == (1, 1)
    book.attests(event=2, head=head)


def test_a_reservation_is_made_by_the_ledger_only() -> None:
    """Nobody can write out a reservation without the ledger."""
    with pytest.raises(TypeError):
        Reservation(object(), spend=Spend("d", Fraction(9), budget=Fraction(9)), release_id="x", spent=Fraction(0),
                    spent_delta=Fraction(0), event=Event(1, {}, "", Opened("d", Fraction(9))), terms={})  # fmt: skip


def _session(tmp_path: Path) -> Session:
    totals = PrivateTotals(np.array([3], dtype=np.int64), np.array([2**31], dtype=np.int64))
    return Session(totals, grid(), reserve(Ledger(tmp_path / "x.ledger")), cap=3, lattice=2**30)


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda thing: pickle.loads(pickle.dumps(thing))]
)
@pytest.mark.parametrize("thing", ["reservation", "session"])
def test_epsilon_cannot_be_copied(tmp_path: Path, thing: str, copied: object) -> None:
    """A copy of a reservation or of a session would spend the same epsilon twice, so there is none."""
    original = (
        reserve(Ledger(tmp_path / "x.ledger")) if thing == "reservation" else _session(tmp_path)
    )
    with pytest.raises((DpmapError, TypeError)):
        copied(original)


def test_a_strategy_cannot_lower_the_noise(tmp_path: Path) -> None:
    """What a session promises (cap, lattice, epsilon, grid) cannot be assigned by the strategy that holds it."""
    session = _session(tmp_path)
    for name, value in (("cap", 1), ("lattice", 1), ("epsilon", Fraction(100))):
        with pytest.raises((AttributeError, DpmapError)):
            setattr(session, name, value)


def test_only_real_partitions_are_measured(tmp_path: Path) -> None:
    """An object that only looks like a partition gets nothing, since it could see the cells it is asked about."""
    session = _session(tmp_path)
    seen = []

    class Spy(np.ndarray):
        def __getitem__(self, index: object) -> object:
            seen.append(index)
            return super().__getitem__(index)

    class Lookalike:
        regions = 20
        labels = np.arange(20).reshape(4, 5).view(Spy)

    tricked = Partition(np.arange(20).reshape(4, 5))
    try:
        tricked.labels = np.arange(20).reshape(4, 5).view(Spy)
    except AttributeError:
        tricked = None
    for partition in (Lookalike(), tricked):
        try:
            if partition is not None:
                session.measure(partition, Fraction(1, 100))
        except DpmapError:
            pass
    assert not seen


def test_a_measurement_within_a_measurement_cannot_overspend(tmp_path: Path) -> None:
    """A strategy that asks again from inside a question still spends no more than was reserved."""
    session = _session(tmp_path)

    class Sneaky(Partition):
        asked = False

        @property
        def shape(self) -> object:
            return None

        def __getattribute__(self, name: str) -> object:
            if name == "labels" and not Sneaky.asked:
                Sneaky.asked = True
                session.measure(Partition.cells(grid()), Fraction(1, 10))
            return super().__getattribute__(name)

    try:
        session.measure(Sneaky(np.arange(20).reshape(4, 5)), Fraction(1, 10))
    except DpmapError:
        pass
    assert session.left >= 0
    assert sum(made.epsilon for made in session.made) <= Fraction(1, 10)


@pytest.mark.parametrize("share", ["0", "-0.05", "0.11", "nan", "inf"])
def test_a_measurement_costs_more_than_nothing_and_no_more_than_is_left(
    tmp_path: Path, share: str
) -> None:
    """A strategy can neither measure for free nor beyond what was reserved."""
    session = _session(tmp_path)
    with pytest.raises(DpmapError):
        session.measure(Partition.cells(grid()), share)
    assert session.left == Fraction(1, 10)
    assert not session.made


def test_a_draw_that_fails_still_costs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The debit comes before the draw: when drawing fails, the epsilon is gone, in the session and in the ledger."""
    session = _session(tmp_path)

    def failing(count: int, scale: Fraction, **named: object) -> object:
        if count > 1:
            raise SystemFailed("no entropy")
        return np.zeros(1, dtype=np.int64)

    for module in (mechanism, correlated_laplace):
        monkeypatch.setattr(module, "discrete_laplace", failing)
    with pytest.raises(SystemFailed):
        session.measure(Partition.cells(grid()), Fraction(1, 20))
    assert session.left == Fraction(1, 20)
    before = spent(tmp_path)
    with pytest.raises(SystemFailed):
        make(tmp_path)
    assert spent(tmp_path) == before + Fraction(1, 10)


def test_the_draw_comes_before_the_first_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Noise is drawn before the totals are read, so neither its failure nor its time can tell of them."""
    order = []
    real_draw, real_totals = mechanism.discrete_laplace, session_module._region_totals
    for module in (mechanism, correlated_laplace):
        monkeypatch.setattr(
            module,
            "discrete_laplace",
            lambda *a, **n: (order.append("draw"), real_draw(*a, **n))[1],
        )
    monkeypatch.setattr(
        session_module, "_region_totals", lambda *a: (order.append("look"), real_totals(*a))[1]
    )
    make(tmp_path)
    measured = [one for one, _ in groupby(order)]  # copies are several draws
    assert measured == ["draw", "look"] * (len(measured) // 2)


@pytest.mark.parametrize(
    "where", ["count", "strategy", "engine", "noise", "ledger", "epsilon", "unit", "consent"]
)
def test_what_fails_before_the_reservation_spends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """A count or a check that fails costs nothing, and the next release goes through."""
    make(tmp_path)
    survey = dm.read(tmp_path / "survey.csv")
    policy = {"epsilon": "0.1", "unit": "who", "cap": 3}
    named = {"ledger": tmp_path / "x.ledger", "dataset": "d"}
    if where == "count":
        monkeypatch.setattr(
            "dpmap.engines.duckdb.DuckDB.totals",
            lambda *a: (_ for _ in ()).throw(SystemFailed("disk gone")),
        )
    elif where in ("strategy", "engine", "noise"):
        named[where] = "no such thing"
    elif where == "ledger":
        named["budget"] = "7"
    else:
        policy[where] = {"epsilon": "2", "unit": "nobody", "consent": "nothing=yes"}[where]
    with pytest.raises(DpmapError) as caught:
        dm_release(survey, grid(), dm.Policy(**policy), **named)
    one_line(caught.value)
    assert spent(tmp_path) == Fraction(1, 10)
    monkeypatch.undo()
    make(tmp_path)
    assert spent(tmp_path) == Fraction(2, 10)


def test_threads_cannot_spend_one_epsilon_twice(tmp_path: Path) -> None:
    """However many threads ask at once, one session never gives out more than its epsilon."""
    import threading

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(50):
            grid = dm.Grid(bounds=(0, 0, 2, 2), shape=(2, 2), crs="EPSG:4326")
            session = session_module.Session(np.ones(4), grid, Fraction(1), 1, 2**32)
            partition = dm.Partition.cells(grid)

            def ask(session: object = session, partition: object = partition) -> None:
                try:
                    session.measure(partition, Fraction(1))
                except BudgetExceeded:
                    return

            threads = [threading.Thread(target=ask) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert len(session.made) == 1
    finally:
        sys.setswitchinterval(before)


def test_a_partition_changed_after_it_was_made_tells_nothing(tmp_path: Path) -> None:
    """Changing a partition's parts by hand gives the same refusal whatever the data, and costs nothing."""
    grid = dm.Grid(bounds=(0, 0, 4, 4), shape=(4, 4), crs="EPSG:4326")
    told = []
    for occupied in (0, 15):
        counts = np.zeros(16)
        counts[occupied] = 5
        session = session_module.Session(counts, grid, Fraction(1), 1, 2**32)
        partition = dm.Partition(np.arange(16).reshape(4, 4))
        partition.regions = 1
        with pytest.raises(BadInput) as refused:
            session.measure(partition, Fraction(1, 2))
        told.append((str(refused.value), session.left))
    assert told[0] == told[1]
    assert told[0][1] == 1
