"""A scheduler may call `dpmap ensure` again and again: what was paid for is gone on with, nothing is paid for twice, and no changed
promise passes."""

import json
import logging
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from builders import surveys
from faults.test_delivery import CHANGED, PRICE, READERS, TYPED

import dpmap as dm
from dpmap.atomic_write import only_one_at_once
from dpmap.cli import run
from dpmap.ledger.ledger import Ledger
from dpmap.steward import declaration, release_run
from dpmap.steward import ensure as ensuring

DECLARED = ("ensure", "s.csv", *TYPED, "--out", "out", "--only", "map.png")
KILLED = """
import contextlib, os, signal, sys
from dpmap.cli import flags, main
left = [int(sys.argv.pop(1))]
def step(words):
    left[0] -= 1
    if left[0] < 0:
        os.kill(os.getpid(), signal.SIGKILL)
flags.progress_shown = lambda how=None: contextlib.nullcontext(step)
main()
"""
"""Runs dpmap until it begins the step of this number, and kills it there."""
STEPS = 7


@pytest.fixture
def survey(tmp_path, monkeypatch):
    """A folder to stand in, with a survey."""
    monkeypatch.chdir(tmp_path)
    return surveys.written(tmp_path, surveys.scattered(300, people=50), name="s.csv")


def ensure(*words):
    """The exit code of a scheduler's command."""
    return run([str(word) for word in (*DECLARED, *words)])


def spent():
    return Ledger("dpmap.ledger").balance()[1] if Path("dpmap.ledger").exists() else Fraction(0)


def files():
    return {path: path.read_bytes() for path in Path("out").rglob("*") if path.is_file()}


@pytest.mark.usefixtures("survey")
@pytest.mark.parametrize("words", [PRICE, READERS], ids=["one", "tiers"])
def test_what_is_there_is_not_made_again(words, capsys):
    """The same declaration ends well, with the same release's id, and spends nothing more."""
    assert ensure(*words, "--json") == 0
    first = json.loads(capsys.readouterr().out)
    before = files()
    assert ensure(*words, "--json") == 0
    again = json.loads(capsys.readouterr().out)
    assert first["release_id"] == again["release_id"] and again["epsilon"] == "0"
    assert not again["wrote"] and files() == before and spent() == 1


@pytest.mark.usefixtures("survey")
@pytest.mark.parametrize("words", CHANGED, ids=" ".join)
def test_another_declaration_is_refused(words):
    """A changed flag is refused with 3, or is bad input by itself; nothing is written or spent."""
    assert ensure(*PRICE) == 0
    Path("out", "map.png").unlink()
    assert ensure(*PRICE, *words) in (2, 3)
    assert spent() == 1 and not Path("out", "map.png").exists()


@pytest.mark.usefixtures("survey")
def test_what_is_left_out_is_declared_too():
    """A rule that made the release and is not declared any more is a changed declaration."""
    assert ensure(*PRICE, "--limiter", "sample") == 0
    assert ensure(*PRICE) == 3
    assert ensure(*PRICE, "--limiter", "sample") == 0 and spent() == 1


@pytest.mark.usefixtures("survey")
@pytest.mark.matrix(4)
@pytest.mark.parametrize("step", range(STEPS))
def test_a_task_that_is_killed_at_any_step_is_retried(step):
    """It makes or finishes the release; only what was paid for and never saved is refused, until somebody pays again."""
    command = [sys.executable, "-c", KILLED, str(step), *DECLARED, *PRICE]
    assert subprocess.run(command, capture_output=True, check=False).returncode == -9
    saved = Path("out", "release.dpmap").exists()
    paid = spent()
    assert ensure(*PRICE) == (3 if paid and not saved else 0)
    assert spent() == 1
    assert ensure(*PRICE, "--spend-again") == 0 and Path("out", "map.png").exists()
    assert spent() == (2 if paid and not saved else 1)
    assert ensure(*PRICE) == 0


@pytest.mark.usefixtures("survey")
def test_a_release_that_the_ledger_was_not_told_of_is_told(monkeypatch):
    """Killed between the release's file and the ledger's last word, the next call says that word; nothing counts as lost."""
    with monkeypatch.context() as patch:
        patch.setattr(release_run, "_noted", lambda *_: None)
        assert ensure(*PRICE) == 0
    assert len(Ledger("dpmap.ledger").without_release()) == 1
    assert ensure(*PRICE) == 0 and spent() == 1
    assert not Ledger("dpmap.ledger").without_release()


@pytest.mark.usefixtures("survey")
def test_a_lost_release_is_not_paid_for_twice():
    """On another machine, after its folder was moved, or under another spelling, the ledger knows that it was made."""
    assert ensure(*PRICE) == 0
    Path("out").rename("elsewhere")
    for place in ("out", "./sub/../out", Path("out").absolute()):
        assert ensure(*PRICE, "--out", place) == 3 and spent() == 1
    assert run([*DECLARED[:-3], "next", *DECLARED[-2:], *PRICE]) == 0 and spent() == 2
    Path("elsewhere").rename("out")
    assert ensure(*PRICE) == 0 and spent() == 2


@pytest.mark.usefixtures("survey")
def test_what_came_to_nothing_is_not_paid_for_twice_elsewhere(monkeypatch):
    """A release that was paid for and never saved is refused under any name, until somebody pays again."""
    with monkeypatch.context() as patch:
        patch.setattr(release_run, "Session", lambda *_, **__: 1 / 0)
        assert ensure(*PRICE) == 1 and spent() == 1
    for place in ("out", "another"):
        assert ensure(*PRICE, "--out", place) == 3 and spent() == 1
    assert ensure(*PRICE, "--spend-again") == 0 and spent() == 2
    assert ensure(*PRICE, "--out", "another") == 0 and spent() == 3


@pytest.mark.usefixtures("survey")
def test_another_ledger_than_the_one_that_paid_is_refused():
    """What remains would be told wrongly."""
    assert ensure(*PRICE) == 0
    assert ensure(*PRICE, "--ledger", "new.ledger") == 3 and not Path("new.ledger").exists()
    assert run([*map(str, DECLARED[:-4]), *PRICE, "--out", "b", "--ledger", "b.ledger"]) == 0
    assert ensure(*PRICE, "--ledger", "b.ledger") == 3


@pytest.mark.usefixtures("survey")
def test_a_tier_that_is_lost_is_said():
    """A folder of tiers that lacks one is not whole, and it is not drawn again."""
    assert ensure(*READERS) == 0
    Path("out", "manager").rename("elsewhere")
    assert ensure(*READERS) == 3 and spent() == 1


@pytest.mark.usefixtures("survey")
def test_a_second_task_at_the_same_time_may_try_again():
    """While one fills the folder, another ends with 1, which a scheduler retries; an empty name is no folder."""
    Path("out").mkdir()
    with only_one_at_once(Path("out")):
        assert ensure(*PRICE) == 1
    assert spent() == 0
    assert ensure(*PRICE, "--out", "") == 2 and spent() == 0


def test_a_broken_progress_bar_loses_nothing(survey):
    """What a caller's own function raises after the reservation is passed over; what is no function is refused before."""
    grid = dm.Grid(bounds=(0, 50, 1, 51), shape=(8, 10), crs="EPSG:4326")
    paid = {"ledger": "b.ledger", "dataset": "d", "budget": 9}
    policy = dm.Policy(epsilon=1, unit="who", cap=3)

    def broken(step):
        if step == "drawing noise":
            raise KeyError(step)

    assert dm.release(dm.read(survey), grid, policy, **paid, progress=broken).id
    with pytest.raises(dm.errors.BadInput, match="progress"):
        dm.release(dm.read(survey), grid, policy, **paid, progress=3)
    assert Ledger("b.ledger").balance()[1] == 1


def test_what_was_saved_beside_the_ledger_is_gone_on_with(survey, monkeypatch, tmp_path):
    """A release whose own place had failed is found there, and put where it was to be."""
    out = tmp_path / "maps"
    out.mkdir()
    grid = dm.Grid(bounds=(0, 50, 1, 51), shape=(8, 10), crs="EPSG:4326")
    policy = dm.Policy(epsilon=1, unit="who", cap=3)
    paid = {"ledger": "dpmap.ledger", "dataset": "d", "budget": 9, "to": out / "a.dpmap"}
    real = dm.Release.save

    def full(made, path):
        if Path(path).parent == out:
            raise OSError(28, "No space left on device")
        real(made, path)

    with monkeypatch.context() as patch:
        patch.setattr(dm.Release, "save", full)
        with pytest.raises(dm.errors.SystemFailed):
            dm.ensure(dm.read(survey), grid, policy, **paid)
    made = dm.ensure(dm.read(survey), grid, policy, **paid)
    assert spent() == 1 and (out / "a.dpmap").exists()
    assert made.record.receipt.remaining == 8


def test_python_refuses_another_declaration_too(survey):
    """A notebook that is run again gets the release that is there, or is refused."""
    grid = dm.Grid(bounds=(0, 50, 1, 51), shape=(8, 10), crs="EPSG:4326")
    paid = {"ledger": "b.ledger", "dataset": "d", "budget": 9, "to": "a.dpmap"}
    rows = dm.read(survey)
    Path("tiers").mkdir()
    tiers = {"public": "0.5", "manager": 1}
    for names in (None, tiers):
        place = {**paid, "to": "tiers" if names else "a.dpmap", "tiers": names}
        made = [
            dm.ensure(rows, grid, dm.Policy(epsilon=1, unit="who", cap=3), **place)
            for _ in range(2)
        ]
        assert (
            len({str(list(one)) if names else one.record.receipt.release_id for one in made}) == 1
        )
        with pytest.raises(dm.errors.Refused, match="cap="):
            dm.ensure(rows, grid, dm.Policy(epsilon=1, unit="who", cap=4), **place)
    with pytest.raises(dm.errors.Refused, match="tiers="):
        dm.ensure(rows, grid, dm.Policy(epsilon=1, unit="who", cap=3), **paid, tiers=tiers)


@pytest.mark.usefixtures("survey")
def test_only_what_is_asked_for_is_made(capsys):
    """`--only` makes those files, with their sizes and hashes for a program; a name of none is refused before anything is spent."""
    assert ensure(*PRICE, "--only", "mop.png") == 2 and spent() == 0
    assert ensure(*PRICE, "--json") == 0
    answer = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert [Path(one["path"]).name for one in answer["files"]] == ["release.dpmap", "map.png"]
    assert all(len(one["sha256"]) == 64 and one["bytes"] > 0 for one in answer["files"])
    assert run(["release", "--resume", "out", "--only", "planner.zip"]) == 0
    assert Path("out", "for-the-planner.pdf").exists() and not Path("out", "map.tif").exists()


def test_progress_and_the_log(survey, caplog, capsys):
    """Python is told the step and the fraction that is done; the log has each step with its time, and nothing of the survey."""
    grid = dm.Grid(bounds=(0, 50, 1, 51), shape=(8, 10), crs="EPSG:4326")
    policy = dm.Policy(epsilon=1, unit="who", cap=3)
    seen = []
    with caplog.at_level(logging.INFO, logger="dpmap"):
        dm.release(
            dm.read(survey), grid, policy, ledger="b.ledger", dataset="d", budget=9,
            progress=lambda step, fraction: seen.append((step, fraction)),
        )  # fmt: skip
    assert ("drawing noise", None) in seen
    assert [record.getMessage() for record in caplog.records][-1] == "drawing noise"
    assert ensure(*PRICE, "--progress", "log") == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].endswith("Z INFO dpmap: reading the survey")
    assert lines[-1].endswith("writing map.png")


def test_a_planted_fault_of_ensuring_is_found(survey, monkeypatch):
    """Were a changed declaration passed over, or the ledger not asked, these tests would say so."""
    with monkeypatch.context() as patch:
        patch.setattr(declaration.Declaration, "refuse_other", lambda *_: None)
        with pytest.raises(AssertionError):
            test_what_is_left_out_is_declared_too()
    Path("out", "release.dpmap").unlink()
    monkeypatch.setattr(ensuring, "_lost_release", lambda *_: None)
    with pytest.raises(AssertionError):
        test_a_lost_release_is_not_paid_for_twice()
