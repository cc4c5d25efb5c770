"""Power cuts, full disks, failing flushes and locks, at every step: nothing lost, nothing overspent, nothing half-written.

A *run* makes up to three releases on a disk that remembers, perhaps with one step failing, cuts the power at a random step,
and looks at what a disk may then hold. `DPMAP_DEEP=1` makes 1,000 runs instead of 100. Real kills and races of whole
processes are in tests/vault/test_ledger.py.
"""

import datetime
import os
import random
import sqlite3
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import disk
import numpy as np
import pytest
from builders import records, surveys
from disk import Disk, after_power_cut

import dpmap as dm
from dpmap.errors import BudgetExceeded, DpmapError, Refused, SystemFailed
from dpmap.export.atlas import FORMS
from dpmap.ledger import ledger, sqlite_file
from dpmap.private_totals import PrivateTotals
from dpmap.record.release_file import write_record
from dpmap.vault import mechanism

pytestmark = pytest.mark.skipif(
    not os.path.isdir("/proc/self/fd"), reason="what was flushed is seen through /proc"
)
RUNS = 1000 if os.environ.get("DPMAP_DEEP") == "1" else 100
SHARE, BUDGET = Fraction(1, 4), Fraction(1)
GRID = dm.Grid(bounds=(0, 50, 1, 51), shape=(2, 2), crs="EPSG:4326")
POLICY = dm.Policy(epsilon=SHARE, unit="who", cap=3)
FAULTS = [("write", disk.FULL), ("write", disk.IO_WRITE), ("write", disk.READONLY), ("flush", disk.IO_FLUSH),
          ("flush", disk.FULL), ("delete", disk.IO_DELETE), ("lock", disk.IO_LOCK),
          ("lock", disk.BUSY), ("open", disk.CANTOPEN), ("read", disk.IO_READ)]  # fmt: skip


class Instant:
    """An engine that has counted already."""

    def totals(self, *_):
        return PrivateTotals(np.array([1]), np.array([2**31]))


@pytest.fixture(scope="module")
def survey(tmp_path_factory):
    """A small sealed survey."""
    return surveys.survey(tmp_path_factory.mktemp("survey"), ["p1,0.5,50.5"])


@pytest.fixture(autouse=True)
def _impatient(monkeypatch):
    monkeypatch.setattr(sqlite_file, "PATIENCE_SECONDS", 0)
    monkeypatch.setattr(sqlite_file, "MOMENT_SECONDS", 0)


def make(watched, survey, number):
    """One release on the disk, with notes of the moment noise is drawn, the reservation known, and the file saved."""
    real, folder = mechanism.discrete_laplace, Path(watched.folder)

    def draw(count, scale, **named):
        if count > 1:
            watched.steps.append(("drawn", number))
        return real(count, scale, **named)

    mechanism.discrete_laplace = draw
    try:
        made = dm.release(survey, GRID, POLICY, ledger=folder / "x.ledger", dataset="d", budget=BUDGET,
                          strategy="flat", engine=Instant())  # fmt: skip
    finally:
        mechanism.discrete_laplace = real
    watched.steps.append(("paid", made.record.receipt))
    made.save(folder / f"{number}.dpmap")
    watched.steps.append(("saved", f"{number}.dpmap"))


def released(watched, survey, count):
    """Up to `count` releases; what fails fails in one line of dpmap's own."""
    told = []
    for number in range(count):
        try:
            make(watched, survey, number)
        except DpmapError as error:
            told.append(error)
            assert "\n" not in str(error)
            assert not isinstance(error, dm.errors.BadInput)
    return told


def restored(folder, files):
    """What the power cut left, as files in a new folder."""
    folder.mkdir()
    for path, content in files.items():
        (folder / os.path.basename(path)).write_bytes(content)
    return folder


def check(folder, steps):
    """The promise after any fault: the ledger is whole, knows of every draw and every receipt, is not overdrawn, and
    goes on; every release that was saved is there, and every one that is there is whole and paid for.
    """
    drawn = sum(step[0] == "drawn" for step in steps)
    receipts = [step[1] for step in steps if step[0] == "paid"]
    book = dm.Ledger(folder / "x.ledger")
    before = book.balance()[1] if (folder / "x.ledger").exists() else Fraction(0)
    assert before >= drawn * SHARE, "noise was drawn that the ledger does not know of"
    assert before <= BUDGET
    for receipt in receipts:
        book.attests(event=receipt.event, head=receipt.head)
    for step in steps:
        assert step[0] != "saved" or (folder / step[1]).exists(), "a saved release is lost"
    for path in folder.glob("*.dpmap"):
        if not path.name.startswith("."):
            receipt = dm.open(path).record.receipt
            book.attests(event=receipt.event, head=receipt.head)
    left = int((BUDGET - before) / SHARE)
    for _ in range(left):
        book.reserve(dataset="d", epsilon=SHARE, budget=BUDGET, details={})
    with pytest.raises(BudgetExceeded):
        book.reserve(dataset="d", epsilon=SHARE, budget=BUDGET, details={})
    assert book.balance() == (BUDGET, BUDGET)
    return before


def test_a_power_cut_at_any_moment_loses_overspends_and_halves_nothing(tmp_path, survey):
    """Each run: releases, perhaps a fault, a power cut at a random step, whatever the disk then holds: the promise stands."""
    chance = random.Random(20261121)
    found = []
    for run in range(RUNS):
        place = tmp_path / str(run)
        place.mkdir()
        watched = Disk(place)
        if chance.random() < 0.5:
            kind, code = chance.choice(FAULTS)
            watched.fails(kind, chance.randint(1, 60), code)
        with watched.watched():
            released(watched, survey, chance.randint(1, 3))
        steps = watched.steps[: chance.randint(0, len(watched.steps))]
        found.append(
            check(restored(tmp_path / f"{run}-after", after_power_cut(steps, chance)), steps)
        )
    assert len(set(found)) >= 3  # cuts before, between and after reservations were among them


def test_a_power_cut_at_every_single_step(tmp_path, survey):
    """The same at each step of two releases, without luck in the choice of the moment."""
    chance = random.Random(7)
    watched = Disk(tmp_path)
    with watched.watched():
        assert not released(watched, survey, 2)
    for cut in range(0, len(watched.steps) + 1, 1 if RUNS > 100 else 3):
        steps = watched.steps[:cut]
        check(restored(tmp_path / f"after-{cut}", after_power_cut(steps, chance)), steps)


def test_a_process_killed_at_every_single_step(tmp_path, survey):
    """A kill loses the process and not the disk's cache: at every step, what was written so far is enough."""
    watched = Disk(tmp_path)
    with watched.watched():
        assert not released(watched, survey, 2)

    class Kept(random.Random):
        """Every change reaches the disk, in order."""

        def random(self):
            return 0.0

        def randint(self, low, high):
            return high

    for cut in range(0, len(watched.steps) + 1, 1 if RUNS > 100 else 3):
        steps = watched.steps[:cut]
        check(restored(tmp_path / f"after-{cut}", after_power_cut(steps, Kept())), steps)


def test_this_would_notice_a_disk_that_does_not_flush(tmp_path, survey):
    """The tests have teeth: on a disk that lies about flushing, some cut loses a release or a reservation."""
    chance, caught = random.Random(3), 0
    watched = Disk(tmp_path)
    with watched.watched():
        released(watched, survey, 3)
    for run in range(40):
        steps = watched.steps[: chance.randint(len(watched.steps) // 3, len(watched.steps))]
        try:
            check(
                restored(tmp_path / f"after-{run}", after_power_cut(steps, chance, obeys=False)),
                steps,
            )
        except (AssertionError, DpmapError, sqlite3.Error):
            caught += 1
    assert caught > 10


def test_this_would_notice_a_ledger_that_does_not_flush(tmp_path, survey, monkeypatch):
    """Nor would it pass with SQLite told not to flush (synchronous OFF)."""
    chance, caught = random.Random(3), 0
    monkeypatch.setattr(sqlite_file.SqliteFile, "append", _unflushed(sqlite_file.SqliteFile.append))
    watched = Disk(tmp_path)
    with watched.watched():
        released(watched, survey, 3)
    for run in range(40):
        steps = watched.steps[: chance.randint(len(watched.steps) // 3, len(watched.steps))]
        try:
            check(restored(tmp_path / f"after-{run}", after_power_cut(steps, chance)), steps)
        except (AssertionError, DpmapError, sqlite3.Error):
            caught += 1
    assert caught > 3


def _unflushed(real):
    def append(self, database, *rest):
        database.execute("COMMIT")
        database.execute("PRAGMA synchronous = OFF")
        database.execute("BEGIN IMMEDIATE")
        return real(self, database, *rest)

    return append


@pytest.mark.parametrize(("kind", "code"), FAULTS, ids=[f"{kind}-{code}" for kind, code in FAULTS])
def test_a_step_that_fails_costs_at_most_its_own_epsilon(tmp_path, survey, kind, code):
    """Full disks, read-only disks, flushes and locks that fail (as on network disks), at each step where they can: one
    line, no noise without a reservation, and the next release goes through.
    """
    nth, failed = 0, True
    while failed and nth < (200 if RUNS > 100 else 24):
        nth += 1
        place = tmp_path / f"{nth}"
        place.mkdir()
        watched = Disk(place)
        watched.fails(kind, nth, code)
        with watched.watched():
            told = released(watched, survey, 1)
        failed = watched.failed
        assert all(isinstance(error, SystemFailed | Refused) for error in told)
        check(place, watched.steps)
    assert nth > 1  # the fault did happen at least once


@pytest.mark.parametrize("error", ["ENOSPC", "EROFS", "EIO", "EDQUOT", "EACCES"])
@pytest.mark.parametrize("at", ["fsync", "replace"])
def test_a_release_that_cannot_be_saved_leaves_nothing_half_written(
    tmp_path, survey, monkeypatch, error, at
):
    """When the disk fills, goes read-only or breaks while the release is saved: one line, no file, and the ledger knows."""
    import errno

    made = dm.release(survey, GRID, POLICY, ledger=tmp_path / "x.ledger", dataset="d", budget=BUDGET,
                      strategy="flat", engine=Instant())  # fmt: skip
    number = getattr(errno, error)
    with monkeypatch.context() as patch:
        patch.setattr(
            f"dpmap.atomic_write.os.{at}",
            lambda *_: (_ for _ in ()).throw(OSError(number, os.strerror(number))),
        )
        with pytest.raises(SystemFailed) as told:
            made.save(tmp_path / "r.dpmap")
    assert "\n" not in str(told.value)
    assert [path.name for path in tmp_path.iterdir()] == ["x.ledger"]
    assert dm.Ledger(tmp_path / "x.ledger").balance() == (BUDGET, SHARE)
    made.save(tmp_path / "r.dpmap")
    assert dm.open(tmp_path / "r.dpmap")


WRITTEN = ("gpkg", "tif")
FORMED = [(form, suffix) for form, found in FORMS.items() for suffix in found.suffixes]


@pytest.mark.parametrize(("form", "suffix"), [*((None, f".{one}") for one in WRITTEN), *FORMED])
def test_an_export_that_does_not_fit_is_one_line_and_no_file(tmp_path, form, suffix):
    """Wherever a file stops growing, the line says so, the process lives on to say it, and neither half a file nor one without its words is
    left. (A file that may not grow is refused like a disk that is full, and can be tried without one.)
    """
    pytest.importorskip("resource")  # which limits how large a file may grow
    grid = dm.Grid(bounds=(4280000, 2670000, 4480000, 2870000), shape=(20, 20), crs="EPSG:3035")
    made = records.measured(dm.Partition.cells(grid), range(500, 900), records.promise())
    write_record(records.record(grid, records.promise(), [made]), tmp_path / "r.dpmap")
    words = [] if form is None else ["--as", form, "--taxon", "Otter=eunis:1435", "--year", "2024"]
    code = (
        "import resource, shutil, signal, sys; from types import SimpleNamespace; from dpmap.cli import run; "
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); shutil.disk_usage = lambda _: SimpleNamespace(free=0); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, 2_000)); sys.exit(run(sys.argv[1:]))"
    )
    line = ["export", "r.dpmap", "--to", f"x{suffix}", *words]
    told = subprocess.run(
        [sys.executable, "-c", code, *line], cwd=tmp_path, capture_output=True, text=True
    )
    last = told.stderr.strip().splitlines()[-1]
    assert (
        told.returncode == 1
        and last.startswith("dpmap: cannot write x")
        and "free some space" in last
    ), told.stderr
    assert "Traceback" not in told.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["r.dpmap"]


def test_a_clock_that_goes_backwards_changes_nothing_but_the_times_shown(
    tmp_path, survey, monkeypatch
):
    """The chain counts events, not hours: with a clock that jumps back to 1970 and on to 2100 the budget holds as ever."""
    years = iter([2026, 1970, 2100, 1999, 2000, 1980, 2026, 1971, 2050, 2051])

    class Wild(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.datetime(next(years), 1, 1, tzinfo=tz)

    monkeypatch.setattr(ledger, "datetime", Wild)
    watched = Disk(tmp_path)
    with watched.watched():
        told = released(watched, survey, 5)
    assert [type(error) for error in told] == [BudgetExceeded]
    times = [event.body["time"] for event in dm.Ledger(tmp_path / "x.ledger").events()]
    assert times != sorted(times)
    check(tmp_path, watched.steps)


def test_two_users_on_one_ledger_take_turns(tmp_path, survey):
    """Two users whose steps interleave in every order spend what the budget holds and no more; each receipt is attested."""
    import threading

    receipts, refused = [], []
    books = [dm.Ledger(tmp_path / "x.ledger"), dm.Ledger(tmp_path / "x.ledger")]

    def user(book):
        for _ in range(15):
            try:
                receipts.append(
                    book.reserve(dataset="d", epsilon=Fraction(1, 20), budget=BUDGET, details={})
                )
            except BudgetExceeded:
                refused.append(book)
            except SystemFailed:  # held by the other for longer than this test waits
                pass

    sqlite_file.PATIENCE_SECONDS = 60
    threads = [threading.Thread(target=user, args=(book,)) for book in books]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(receipts) == 20
    assert len(refused) == 10
    assert len({receipt.release_id for receipt in receipts}) == 20
    for receipt in receipts:
        books[0].attests(event=receipt.event, head=receipt.head)
    assert books[0].balance() == (BUDGET, BUDGET)
