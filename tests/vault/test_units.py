"""Epsilons add up for one unit only: a data set has one, and what each unit lost is summed by itself."""

import json
import subprocess
import sys
import textwrap
from fractions import Fraction

import pytest
from builders import surveys

import dpmap as dm
from dpmap.cli import run
from dpmap.errors import BudgetExceeded, Refused
from dpmap.ledger import units
from dpmap.ledger.events import DisjointDatasets, Made, Reserved, Spend
from dpmap.ledger.ledger import Ledger
from dpmap.promise.units import same_unit
from dpmap.statement.statement import statement
from dpmap.steward.ledger_summary import by_unit
from dpmap.steward.planning.plan_passages import fill_passages

HEAD = "who,nest,longitude,latitude"
ROWS = [
    f"p{number % 7},n{number % 3},{number % 97 / 100},{50 + number % 89 / 100}"
    for number in range(60)
]
WAYS = ["plain", "choose", "tiers", "sealed", "auto cap"]


def policy(unit, **more):
    return dm.Policy(**{"epsilon": "0.5", "unit": unit, "cap": 3, **more})


def made(folder, unit, dataset="Raptors", way="plain", **more):
    """A release by this unit, in one of the ways to spend."""
    rows = surveys.survey(folder, ROWS, HEAD)
    if way == "choose":
        areas = {"fine": surveys.grid(), "coarse": surveys.grid(shape=(2, 2))}
        return dm.choose(
            rows, areas, policy(unit), ledger=folder / "x.ledger", dataset=dataset, budget=9
        )
    tiers = (
        {"tiers": {"public": "0.1", "manager": "0.5"}, "to": folder / f"out-{unit}"}
        if way in ("tiers", "sealed")
        else {}
    )
    (folder / f"out-{unit}").mkdir(exist_ok=True)
    sealed = {"seal": folder / f"{unit}.sealed"} if way == "sealed" else {}
    told = {"cap": "auto:0.1:1-5"} if way == "auto cap" else {}
    return surveys.released(
        rows, folder, policy=policy(unit, **told, **more), dataset=dataset, **tiers, **sealed
    )


def reserved(book, unit, dataset="d", epsilon=Fraction(1, 10), **more):
    return book.reserve(
        dataset=dataset, epsilon=epsilon, budget=Fraction(9), details={"unit": unit, **more}
    )


@pytest.mark.parametrize("way", WAYS)
def test_a_data_set_has_one_unit(tmp_path, way, monkeypatch):
    """Whatever asks, a release by another unit than the data set's first is refused in one line before a row is read, and spends nothing."""
    made(tmp_path, "who")
    book = dm.Ledger(tmp_path / "x.ledger")
    before = (tmp_path / "x.ledger").read_bytes()
    monkeypatch.setattr(
        "dpmap.engines.duckdb.DuckDB.totals", lambda *_, **__: pytest.fail("rows were counted")
    )
    monkeypatch.setattr(
        "dpmap.engines.duckdb.DuckDB.opened", lambda *_, **__: pytest.fail("rows were counted")
    )
    for other in ("nest", "row", "who+nest"):
        with pytest.raises(Refused) as told:
            made(tmp_path, other, way=way)
        assert "\n" not in str(told.value)
        for words in (
            "'Raptors' was released by who",
            "unit=",
            f'dataset="Raptors by {other}"',
            "one budget",
        ):
            assert words in str(told.value)
    assert (tmp_path / "x.ledger").read_bytes() == before
    assert book.balance() == (9, Fraction(1, 2))
    monkeypatch.undo()
    made(tmp_path, "nest", dataset="Raptors by nest", way=way)
    made(tmp_path, "WHO")
    assert book.balance() == (9, Fraction(3, 2))


def test_spellings_of_one_unit_are_one():
    """Capitals, blanks and the order of joined columns make no other unit; single rows are not a column of that name."""
    for one, other in (("who", "Who "), ("a+b", "B + a"), ("a|b", "A | b")):
        assert same_unit(one, other)
    for one, other in (("row", "Row"), ("a", "a+b"), ("a|b", "b|a"), ("a", "a|b"), ("who", "nest")):
        assert not same_unit(one, other)


def test_a_protected_site_makes_no_other_data_set(tmp_path):
    """Two units at once go on adding up for the contributors; the sites' sum is of the releases that name them."""
    book = Ledger(tmp_path / "x.ledger")
    reserved(book, "who")
    reserved(book, "who", site="nest")
    with pytest.raises(Refused, match="was released by who"):
        reserved(book, "nest")
    reserved(book, "nest", dataset="d by nest")
    sums = by_unit([event.meaning for event in book.events()])
    assert sums == [("who", Fraction(2, 10)), ("nest", Fraction(2, 10))]
    assert book.balance()[1] == Fraction(3, 10)


def test_what_each_unit_lost_is_summed_by_itself():
    """The sum of a unit holds exactly the releases that name it, of disjoint data sets the dearest, also for any spelling of it."""
    releases = [
        ("a", 1, "who", None),
        ("b", 2, "Who", None),
        ("c", 4, "row", None),
        ("d", 8, "nest", None),
        ("e", 16, "who", "nest"),
        ("f", 32, None, None),
    ]
    events = [
        Reserved(name, Fraction(cost), unit=unit, site=site) for name, cost, unit, site in releases
    ]
    assert by_unit(events) == [("who", 19), ("row", 4), ("nest", 24), (None, 32)]
    assert by_unit([*events, DisjointDatasets(("a", "b"), "R. Keeper"), Made(1)])[0] == (
        "who",
        18,
    )


def test_one_budget_spans_all_units(tmp_path):
    """Data sets of different units spend one budget, since two columns may name the same people: past it, each is refused."""
    book = Ledger(tmp_path / "x.ledger")
    for number, unit in enumerate(("who", "nest", "row")):
        reserved(book, unit, dataset=f"d{number}", epsilon=Fraction(3))
    for number, unit in enumerate(("who", "nest", "row")):
        with pytest.raises(BudgetExceeded):
            reserved(book, unit, dataset=f"d{number}")


RACER = textwrap.dedent(
    """
    import sys
    from fractions import Fraction
    import dpmap as dm
    from dpmap.errors import Refused
    unit = sys.argv[2]
    sys.stdin.readline()
    try:
        dm.Ledger(sys.argv[1]).reserve(dataset="d", epsilon=Fraction(1, 10), budget=Fraction(9), details={"unit": unit})
        print("paid")
    except Refused as told:
        print("refused" if "was released by" in str(told) else told)
    """
)


def test_of_first_releases_by_two_units_at_once_one_is_paid(tmp_path):
    """Two units race for a data set's first release: all of one are paid and all of the other refused, whoever comes first."""
    for turn in range(2):
        book = tmp_path / f"{turn}.ledger"
        racers = [
            subprocess.Popen(
                [sys.executable, "-c", RACER, book, unit],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for unit in ("who", "nest") * 3
        ]
        for one in racers:
            one.stdin.write("\n")
            one.stdin.flush()
        ends = [one.communicate()[0].strip() for one in racers]
        assert sorted(set(ends)) == ["paid", "refused"]
        assert set(ends[::2]) != set(ends[1::2])
        assert all(len(set(each)) == 1 for each in (ends[::2], ends[1::2]))
        assert len(units.units_of([event.meaning for event in Ledger(book).events()], "d")) == 1


def test_a_release_that_was_checked_is_checked_again_when_it_pays(tmp_path):
    """If another unit comes in between the first look and the payment, nothing is paid."""
    book, asked = (
        Ledger(tmp_path / "x.ledger"),
        Spend("d", Fraction(1, 10), budget=Fraction(9), unit="nest"),
    )
    book.check(asked)
    reserved(book, "who")
    with pytest.raises(Refused, match="was released by who"):
        book.take(asked, {})
    assert book.balance()[1] == Fraction(1, 10)


def test_what_broke_off_settles_the_unit_too(tmp_path):
    """A reservation of which nothing came spent its unit's epsilon, so it names the data set's unit like any other."""
    book = Ledger(tmp_path / "x.ledger")
    reserved(book, "row")
    assert book.without_release()
    with pytest.raises(Refused, match="by single rows"):
        reserved(book, "who")


def test_no_detail_names_another_unit_than_what_is_asked(tmp_path):
    """An event says the unit that was compared, whatever stands among its details."""
    book = Ledger(tmp_path / "x.ledger")
    book.take(
        Spend("d", Fraction(1, 10), budget=Fraction(9), unit="who"),
        {"unit": "nest", "site": "nest"},
    )
    assert (book.events()[-1].meaning.unit, book.events()[-1].meaning.site) == ("who", None)


def mixed(book, monkeypatch):
    """A ledger as an earlier dpmap let it become: one data set by three units."""
    with monkeypatch.context() as before:
        before.setattr("dpmap.ledger.ledger.check_unit", lambda *_: None)
        for unit in ("who", "nest", "row"):
            reserved(book, unit, epsilon=Fraction(1))


def test_an_older_ledger_that_mixed_units_reads_and_says_so(tmp_path, monkeypatch, capsys):
    """It goes on with all its sums, says that the data set's bounds nobody's loss, and takes no more under that name."""
    book = Ledger(tmp_path / "x.ledger")
    mixed(book, monkeypatch)
    assert run(["ledger", book.path]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert (
        "protecting who and nest and single rows; epsilon 3, a sum that bounds nobody's loss"
        in said
    )
    assert "by unit: who 1, nest 1, single rows 1;" in said
    assert "spent 3 of 9; remaining 6" in said
    for unit in ("who", "nest", "row"):
        with pytest.raises(Refused, match="was released by"):
            reserved(book, unit)
    reserved(book, "who", dataset="d by who")


def test_a_ledger_without_units_reads_as_before(tmp_path):
    """Events that name no unit are compared with nothing, and stand in a sum of their own."""
    book = Ledger(tmp_path / "x.ledger")
    book.reserve(dataset="d", epsilon=Fraction(1), budget=Fraction(9), details={})
    reserved(book, "who")
    reserved(book, "who")
    said = [event.meaning for event in book.events()]
    assert [one.unit for one in said if isinstance(one, Reserved)] == [None, "who", "who"]
    assert by_unit(said) == [(None, 1), ("who", Fraction(2, 10))]
    assert units.units_of(said, "d") == ("who",)


def test_programs_read_each_units_sum(tmp_path, capsys):
    """`dpmap ledger --json` has the unit of each event and data set, and each unit's exact sum."""
    book = Ledger(tmp_path / "x.ledger")
    reserved(book, "who")
    reserved(book, "row", dataset="e", epsilon=Fraction(1, 3))
    assert run(["ledger", book.path, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["units"] == [{"unit": "who", "spent": "0.1"}, {"unit": "row", "spent": "1/3"}]
    assert [one["unit"] for one in told["events"] if one["kind"] == "reserve"] == ["who", "row"]
    assert [one["units"] for one in told["datasets"]] == [["who"], ["row"]]


def test_a_statement_says_that_its_ledger_holds_other_units(tmp_path):
    """It names them and what its own unit's releases come to, also from the file; without other units it says nothing of it."""
    first = made(tmp_path, "who")
    assert "bound nothing" not in statement(first.record)
    made(tmp_path, "row", dataset="Raptors by row")
    made(tmp_path, "nest", dataset="Raptors by nest")
    again = made(tmp_path, "who")
    again.save(tmp_path / "again.dpmap")
    for one in (again, dm.open(tmp_path / "again.dpmap")):
        assert (
            "The releases in this ledger that protect `who` come to `1`; its others protect single rows and `nest`, and their epsilons bound nothing "
            "that a unit of `who` loses" in statement(one.record)
        )
    assert "2 of 9" in statement(again.record)
    assert (
        run(["ledger", str(tmp_path / "x.ledger"), "--against", str(tmp_path / "again.dpmap")]) == 0
    )


def test_a_site_that_was_protected_counts_for_the_site(tmp_path):
    """For a map by nest, a two-unit release that names the nest adds up, and is not among the other units."""
    both = Spend("a", Fraction(1), unit="who", site="nest").reserved
    alone = Spend("b", Fraction(2), unit="nest")
    assert units.unit_terms([both], alone) == {}
    told = units.unit_terms([both, Spend("c", Fraction(4), unit="who").reserved], alone)
    assert told == {"units": {"spent": "3", "others": ["who"]}}


def test_what_a_statement_says_is_true_of_people_and_of_places(tmp_path):
    """What many units show together is not hidden, said so that it holds where the unit is a person and where it is a place; one point is no points."""
    for unit in ("who", "nest"):
        said = statement(made(tmp_path, unit, dataset=unit, cap=1).record)
        assert f"It protects units of `{unit}` only." in said
        assert (
            "where they are people, a *place* that many of them report; where they are places, a *person* who reports many of them."
            in said
        )
        assert "scaled down together to 1 point where" in said
    assert "in at most 1 cell)" in statement(
        made(tmp_path, "who", dataset="who", cap=1, limiter="presence").record
    )
    assert (
        "with 1 point each"
        in fill_passages(dm.plan(surveys.grid(), policy("who", cap=1), each=1))["basis"]
    )
