"""What programs ask the command line, and what people read: a ledger by its data sets, and what a release file promises."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from dpmap.cli import run
from dpmap.ledger.ledger import Ledger


@pytest.fixture
def asked(capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs a command with --json, which must end well, and returns its answer."""

    def call(*words: object) -> Any:
        capsys.readouterr()
        code = run([*map(str, words), "--json"])
        told = capsys.readouterr()
        assert (code, told.err) == (0, "")
        return json.loads(told.out)

    return call


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs a command and returns its exit code, its answer for people, and its line on stderr."""

    def call(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run([*map(str, words)])
        told = capsys.readouterr()
        return code, told.out, told.err

    return call


# --- the ledger --------------------------------------------------------------------------------------------------


def paid(book: Ledger, dataset: str, epsilon: str, *, made: bool = True, budget: str | None = "3") -> None:
    """A reservation, and that what it paid for is there."""
    one = book.reserve(
        dataset=dataset, epsilon=Fraction(epsilon), budget=None if budget is None else Fraction(budget), details={}
    )
    if made:
        book.made(one)


def test_a_ledger_adds_up_each_data_set(tmp_path: Path, asked: Any) -> None:
    """Each data set's spending is an exact text beside how many releases came of it and when the last did."""
    book = Ledger(tmp_path / "x.ledger")
    paid(book, "Owls", "0.1")
    paid(book, "Owls", "0.2")
    paid(book, "Nests", "1/3")
    told = asked("ledger", book.path)
    time = book.events()[3].body["time"]
    assert told["datasets"][0] == {"name": "Owls", "spent": "0.3", "releases": 2, "last": time, "next": None}
    assert [(one["name"], one["spent"]) for one in told["datasets"]] == [("Owls", "0.3"), ("Nests", "1/3")]
    assert (told["plan"], told["disjoint"]) == (None, [])


def test_what_was_spent_in_vain_is_no_release(tmp_path: Path, asked: Any) -> None:
    """A reservation of which nothing came counts as spent, not as a release."""
    book = Ledger(tmp_path / "x.ledger")
    paid(book, "Owls", "0.1", made=False)
    assert asked("ledger", book.path)["datasets"] == [
        {"name": "Owls", "spent": "0.1", "releases": 0, "last": None, "next": None}
    ]


def test_a_plan_is_told_with_what_it_allows_next(tmp_path: Path, asked: Any, said: Any) -> None:
    """A plan is told by its total, its shares and what was used of it; each data set by what its next release may take."""
    book = Ledger(tmp_path / "x.ledger")
    paid(book, "Owls", "0.5")
    book.plan("2", releases=4)
    paid(book, "Owls", "0.3", budget=None)
    told = asked("ledger", book.path)
    assert told["plan"] == {"total": "2", "releases": 4, "scheme": "even", "used": "0.3", "first": "0.2"}
    assert told["datasets"][0]["next"] == "0.7"
    code, out, _ = said("ledger", book.path)
    assert code == 0
    assert "Owls: 2 releases, the last " in out
    assert "; epsilon 0.8; the plan allows 0.7 next" in out


def test_a_plan_that_is_used_up_allows_nothing(tmp_path: Path, asked: Any) -> None:
    """After the last planned release the next may take 0."""
    book = Ledger(tmp_path / "x.ledger")
    book.plan("1", releases=1)
    paid(book, "Owls", "1", budget=None)
    assert asked("ledger", book.path)["datasets"][0]["next"] == "0"


def test_disjoint_data_sets_are_told_with_who_signed(tmp_path: Path, asked: Any) -> None:
    """A declared group is told by its data sets, also those without a release, and who answers for it."""
    book = Ledger(tmp_path / "x.ledger")
    book.disjoint(["North", "South"], signed_by="R. Keeper")
    paid(book, "North", "1")
    told = asked("ledger", book.path)
    assert told["disjoint"] == [{"datasets": ["North", "South"], "signed_by": "R. Keeper"}]
    assert [(one["name"], one["releases"]) for one in told["datasets"]] == [("North", 1), ("South", 0)]
