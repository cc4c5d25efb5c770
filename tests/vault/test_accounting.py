"""What a ledger's releases add up to, season after season and among partners."""

from fractions import Fraction
from pathlib import Path

import pytest
from builders import surveys
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import dpmap as dm
from dpmap.errors import BadInput, BudgetExceeded, Refused
from dpmap.ledger.accounting import spent
from dpmap.ledger.events import DisjointDatasets, Reserved
from dpmap.ledger.ledger import Ledger
from dpmap.noise.budget_plans import SCHEMES, shares

NAMES = ("a", "b", "c", "d", "e")


def reserve(book: Ledger, epsilon: object, dataset: str = "nests", budget: object = None):
    total = None if budget is None else Fraction(str(budget))
    return book.reserve(dataset=dataset, epsilon=Fraction(str(epsilon)), budget=total, details={})


@given(
    st.lists(st.tuples(st.sampled_from(NAMES), st.integers(1, 9)), max_size=12),
    st.lists(st.sampled_from(NAMES), unique=True, min_size=2),
    st.data(),
)
def test_no_unit_loses_more_than_is_said_to_be_spent(releases, apart, data):
    """Whatever data sets a unit is in, of disjoint ones at most one, its losses add up to no more."""
    events = [Reserved(name, Fraction(cost)) for name, cost in releases]
    said = spent([*events, DisjointDatasets(tuple(apart), "R. Keeper")])
    one = data.draw(st.sampled_from(apart))
    mine = {name for name in NAMES if name not in apart} | {one}
    assert (
        sum(cost for name, cost in releases if name in mine)
        <= said
        <= sum(cost for _, cost in releases)
    )


@given(st.fractions(min_value=1, max_value=50), st.integers(1, 60), st.sampled_from(SCHEMES))
def test_shares_never_add_up_to_more_than_the_total(total, releases, scheme):
    dealt = shares(total, releases, scheme)
    assert len(dealt) == releases
    assert total - Fraction(releases, 10**6) <= sum(dealt) <= total
    assert list(dealt) == sorted(dealt, reverse=True)


def test_ten_partners_without_shared_units_cost_the_dearest_of_them(tmp_path: Path):
    book = Ledger(tmp_path / "x.ledger")
    partners = [f"partner {number}" for number in range(10)]
    book.disjoint(partners, signed_by="R. Keeper")
    for partner in partners:
        reserve(book, "1", partner, budget="1")
    assert book.balance() == (1, 1)
    with pytest.raises(BudgetExceeded):
        reserve(book, "0.1", partners[3])


def test_a_data_set_outside_the_group_adds_up(tmp_path: Path):
    book = Ledger(tmp_path / "x.ledger")
    book.disjoint(["a", "b"], signed_by="R. Keeper")
    for name, epsilon in (("a", "1"), ("b", "0.5"), ("c", "0.25")):
        reserve(book, epsilon, name, budget="2")
    assert book.balance()[1] == Fraction("1.25")


@pytest.mark.parametrize("second", [["a", "c"], ["b", "a"]])
def test_a_data_set_is_in_one_group_only(tmp_path: Path, second):
    book = Ledger(tmp_path / "x.ledger")
    book.disjoint(["a", "b"], signed_by="R. Keeper")
    with pytest.raises(Refused, match="one group"):
        book.disjoint(second, signed_by="R. Keeper")


@pytest.mark.parametrize(
    ("datasets", "signed_by"),
    [(["a"], "R"), (["a", "a"], "R"), (["a", "b"], " "), (["a", ""], "R")],
)
def test_an_unsigned_or_empty_declaration_is_refused(tmp_path: Path, datasets, signed_by):
    with pytest.raises(BadInput):
        Ledger(tmp_path / "x.ledger").disjoint(datasets, signed_by=signed_by)


def test_twelve_even_seasons_spend_the_plan_and_no_more(tmp_path: Path):
    book = Ledger(tmp_path / "x.ledger")
    book.plan("3", releases=12)
    for number in range(1, 13):
        reservation = reserve(book, book.next_share("nests"))
        assert reservation.terms["plan"] == {"release": number, "of": 12, "scheme": "even"}
    assert book.balance() == (3, 3)
    with pytest.raises(BudgetExceeded, match="new plan"):
        book.next_share("nests")


def test_a_season_takes_no_more_than_its_share_and_may_leave_some_for_later(tmp_path: Path):
    book = Ledger(tmp_path / "x.ledger")
    book.plan("3", releases=3)
    with pytest.raises(BudgetExceeded, match="release 1 of 3 may take 1"):
        reserve(book, "1.5")
    reserve(book, "0.25")
    assert book.next_share("nests") == Fraction("1.75")


def test_a_plan_is_for_what_remains(tmp_path: Path):
    book = Ledger(tmp_path / "x.ledger")
    reserve(book, "2", budget="3")
    with pytest.raises(BudgetExceeded, match="1 remains"):
        book.plan("2", releases=4)
    book.plan("1", releases=4, scheme="decaying")
    assert book.balance() == (3, 2)
    assert book.next_share("nests") == Fraction("0.48")


@pytest.mark.parametrize(
    "wrong",
    [{"releases": 0}, {"releases": 1.5}, {"releases": 20_001}, {"scheme": "fast"}, {"total": "0"}],
)
def test_an_impossible_plan_is_one_line_and_leaves_no_file(tmp_path: Path, wrong):
    with pytest.raises(BadInput) as caught:
        Ledger(tmp_path / "x.ledger").plan(**{"total": "3", **wrong})
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "x.ledger").exists()


def test_the_statement_of_a_season_tells_past_this_and_remaining(tmp_path: Path):
    """From the command line: a plan, then releases that take `--epsilon next`."""
    from dpmap.cli.commands import app

    survey = surveys.written(tmp_path, [(f"p{i}", i / 10, 50.5) for i in range(10)])
    ledger = str(tmp_path / "x.ledger")
    run = CliRunner()
    shown = run.invoke(
        app, ["ledger", ledger, "--plan", "2", "--total", "3", "--scheme", "decaying"]
    )
    assert shown.exit_code == 0, shown.output
    for number in (1, 2):
        made = run.invoke(app, [
            "release", str(survey), "--unit", "who", "--bounds", "0,50,1,51", "--shape", "2,2", "--epsilon", "next", "--cap", "1",
            "--dataset", "nests", "--ledger", ledger, "--out", str(tmp_path / str(number)),
        ])  # fmt: skip
        assert made.exit_code == 0, made.output
    words = (tmp_path / "2" / "statement.md").read_text()
    assert "release `2` of `2` planned, in shares that decay" in words
    assert (
        "This release spent epsilon = 1. All releases in this ledger so far: 3 of 3; remaining 0."
        in words
    )


def test_the_statement_names_who_declared_data_sets_disjoint(tmp_path: Path):
    from dpmap.statement.statement import statement

    book = dm.Ledger(tmp_path / "x.ledger")
    book.disjoint(["north", "south"], signed_by="R. Keeper")
    release = surveys.released(["p1,0.5,50.5"], tmp_path, ledger=book, dataset="north")
    assert "`north`, `south`: declared by `R. Keeper`" in statement(release.record)
