"""Which of these areas holds most? One name, right the likelier the further it is ahead, and nothing else told."""

import json
import math
from collections import Counter
from fractions import Fraction
from pathlib import Path

import geopandas as gpd
import numpy as np
import pytest
import shapely
from builders import records, surveys
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import dpmap as dm
from dpmap.cli.commands import app
from dpmap.errors import BadInput, BudgetExceeded, Refused
from dpmap.grid import Partition
from dpmap.private_totals import PrivateTotals
from dpmap.steward import release_run
from dpmap.vault.permute_and_flip import evenness
from dpmap.vault.session import Session

AREAS = dm.Grid.areas(
    gpd.GeoDataFrame(
        {"name": ["North", "South", "West"]},
        geometry=[shapely.box(i, 50, i + 1, 51) for i in range(3)],
        crs=4326,
    )
)


def survey(tmp_path, counts=(5, 40, 20)):
    people = [
        (f"p{area}-{i}", area + 0.5, 50.5)
        for area, count in enumerate(counts)
        for i in range(count)
    ]
    return surveys.survey(tmp_path, people)


def choose(tmp_path, epsilon=2, **named):
    policy = dm.Policy(epsilon=epsilon, unit="who", cap=1)
    return dm.choose(
        survey(tmp_path), AREAS, policy, ledger=tmp_path / "l", dataset="d", budget=10, **named
    )


def test_the_area_far_ahead_is_chosen_and_paid_for(tmp_path):
    answer = choose(tmp_path)
    assert str(answer) == "South"
    assert dm.Ledger(tmp_path / "l").balance() == (10, 2)
    answer.save(tmp_path / "answer.json")
    plain = json.loads((tmp_path / "answer.json").read_text())
    assert plain["chosen"] == "South"
    assert sorted(plain) == [
        "candidates",
        "chosen",
        "policy",
        "receipt",
        "released_on",
        "statement",
    ]


def permute_and_flip(scores, slope):
    """Its law, by the integral in the vault's docstring."""
    s = np.linspace(0, 1, 20_001)
    coins = np.exp(slope * (np.array(scores) - max(scores)))
    return [float(np.trapezoid(coin * np.ones(len(s)) * np.prod([1 - s * other for at, other in enumerate(coins) if at != i], axis=0), s))
            for i, coin in enumerate(coins)]  # fmt: skip


def test_regions_are_chosen_by_the_stated_law():
    """Half the slope, or twice it, would be seen."""
    counts, runs, epsilon = [3.0, 5.0, 4.0], 6000, Fraction(4, 5)
    grid = dm.Grid(bounds=(0, 0, 3, 1), shape=(1, 3), crs="EPSG:3857")
    chosen = Counter(
        Session(np.array([counts]), grid, epsilon, 2, 1 << 20).choose(
            Partition.cells(grid), epsilon
        )
        for _ in range(runs)
    )
    for place, chance in enumerate(permute_and_flip(counts, float(epsilon) / 2)):
        assert abs(chosen[place] - runs * chance) < 4.5 * math.sqrt(runs * chance * (1 - chance))
    wrong = permute_and_flip(counts, float(epsilon))
    assert abs(chosen[1] - runs * wrong[1]) > 4.5 * math.sqrt(runs * wrong[1] * (1 - wrong[1]))


@pytest.mark.parametrize("totals", [[3, 5, 4], [0, 0, 0], [7, 0], [2, 2, 2, 9], [1]])
@pytest.mark.parametrize("added", [0, 1, 2])
def test_one_unit_more_moves_no_choice_by_more_than_epsilon(totals, added):
    """The corollary, on the law itself: raising any scores by at most the cap changes each chance by e^epsilon at most."""
    epsilon, cap = 0.7, 2
    for place in range(len(totals)):
        more = [
            total + (added if at <= place else cap - added if at == place + 1 else 0)
            for at, total in enumerate(totals)
        ]
        before, after = (permute_and_flip(scores, epsilon / cap) for scores in (totals, more))
        for one, other in zip(before, after, strict=True):
            assert math.exp(-epsilon) * one <= other + 1e-9 <= math.exp(epsilon) * one + 1e-8


def test_scores_that_may_fall_too_would_break_the_corollary():
    """It needs what only totals have: with one score raised and another lowered the bound fails."""
    before, after = (permute_and_flip(scores, 0.7) for scores in ([0, 0], [1, -1]))
    assert after[0] / before[0] > 1 and before[1] / after[1] > math.exp(0.7)


def test_the_lead_keeps_its_word():
    """At the stated lead the best is chosen nine times in ten or more, whatever the others."""
    from dpmap.record.choice import Choice

    receipt = records.receipt("d")
    for count in (2, 3, 10):
        answer = Choice(
            "a", tuple(map(str, range(count))), dm.Policy(epsilon=1, unit="who", cap=3), receipt, ""
        )
        assert permute_and_flip([answer.lead(0.9)] + [0.0] * (count - 1), 1 / 3)[0] >= 0.9 - 1e-6


@pytest.mark.parametrize("ask", [
    lambda session, cells: session.choose(cells, Fraction(3, 4)),
    lambda session, cells: session.choose_size([cells], Fraction(3, 4), spending=Fraction(1)),
])  # fmt: skip
def test_a_choice_spends_the_session(ask):
    """What an answer cost is not left for another question."""
    grid = dm.Grid(bounds=(0, 0, 2, 1), shape=(1, 2), crs="EPSG:3857")
    session = Session(np.ones((1, 2)), grid, Fraction(1), 1, 1 << 20)
    ask(session, Partition.cells(grid))
    with pytest.raises(BudgetExceeded):
        session.measure(Partition.cells(grid), Fraction(1, 2))


@pytest.mark.parametrize(("wrong", "refusal"), [
    ({"policy": dm.Policy(epsilon=1, unit="who", cap="auto:0.05")}, Refused),
    ({"areas": dm.Grid(bounds=(0, 50, 1, 51), shape=(2, 2), crs="EPSG:4326")}, BadInput),
    ({"policy": dm.Policy(epsilon=1, unit="nobody", cap=1)}, BadInput),
    ({"policy": dm.Policy(epsilon=11, unit="who", cap=1)}, BudgetExceeded),
])  # fmt: skip
def test_what_cannot_be_chosen_costs_nothing(tmp_path, wrong, refusal):
    given = {"areas": AREAS, "policy": dm.Policy(epsilon=1, unit="who", cap=1), **wrong}
    with pytest.raises(refusal):
        dm.choose(
            survey(tmp_path),
            given["areas"],
            given["policy"],
            ledger=tmp_path / "l",
            dataset="d",
            budget=10,
        )
    assert not (tmp_path / "l").exists()


def test_the_command_tells_one_name(tmp_path):
    survey(tmp_path)
    AREAS.to_geodataframe().to_file(tmp_path / "areas.gpkg")
    shown = CliRunner().invoke(app, [
        "choose", str(tmp_path / "survey.csv"), "--among", str(tmp_path / "areas.gpkg"), "--name", "name", "--unit", "who", "--cap", "1",
        "--epsilon", "2", "--dataset", "d", "--budget", "3", "--out", str(tmp_path / "answer.json"),
    ])  # fmt: skip
    assert shown.exit_code == 0, shown.output
    assert shown.output.splitlines()[0] == "South"
    assert (tmp_path / "answer.json").exists() and (tmp_path / "dpmap.ledger").exists()


SIZES = {
    f"{across}": dm.Grid(bounds=(0, 0, 8, 8), shape=(8 // across, 8 // across), crs="EPSG:3857")
    for across in (1, 2, 8)
}
LAID = release_run._finest(SIZES)[1]


def points(tmp_path, spots):
    rows = [(f"p{number}", *spot) for number, spot in enumerate(spots)]
    return surveys.survey(tmp_path, rows, "who,x,y", **surveys.METRES)


@pytest.mark.parametrize(("spots", "best"), [
    ([(0.5, 0.5)] * 300 + [(5.5, 2.5)] * 300, "1"),
    ([(0.5 + i % 8, 0.5 + i // 8 % 8) for i in range(640)], "8"),
])  # fmt: skip
def test_the_cell_size_that_tells_most_is_chosen_and_paid_for(tmp_path, spots, best):
    """Small cells for a village, large ones for points that lie everywhere; one name, one bill."""
    policy = dm.Policy(epsilon=8, unit="who", cap=1)
    answer = dm.choose(
        points(tmp_path, spots),
        SIZES,
        policy,
        spending=1,
        ledger=tmp_path / "l",
        dataset="d",
        budget=10,
    )
    assert answer.chosen == best and f"Of 3 cell sizes, {best} was chosen" in answer.words()
    assert dm.Ledger(tmp_path / "l").balance() == (10, 8)
    answer.save(tmp_path / "answer.json")
    assert json.loads((tmp_path / "answer.json").read_text())["spending"] == "1"


@given(
    st.lists(st.integers(0, 9), min_size=64, max_size=64),
    st.lists(st.integers(0, 5), min_size=64, max_size=64),
)
@settings(max_examples=60, deadline=None)
def test_one_unit_moves_the_score_of_a_cell_size_by_twice_what_it_adds_and_one(counts, added):
    """On any cells, for any partition, one with cells in no region included."""
    before, after = np.array(counts), np.array(counts) + np.array(added)
    holes = Partition(
        np.where(np.arange(64).reshape(8, 8) % 5, LAID[1].labels, -1), LAID[1].regions
    )
    for partition in (*LAID, holes):
        one, other = (
            evenness(
                PrivateTotals(np.flatnonzero(part), part[np.flatnonzero(part)]),
                partition,
                Fraction(7, 3),
            )
            for part in (before, after)
        )
        assert abs(one - other) <= 2 * sum(added) + 1


def test_a_cell_size_is_chosen_by_the_stated_law():
    """By the theorem's slope for scores that move both ways; twice it would be seen."""
    grid, runs, epsilon, cap = (
        dm.Grid(bounds=(0, 0, 2, 1), shape=(1, 2), crs="EPSG:3857"),
        4000,
        Fraction(3),
        2,
    )
    partitions = [Partition([[0, 1]]), Partition([[0, 0]])]
    chosen = sum(
        Session(np.array([[3.0, 0.0]]), grid, epsilon, cap, 1 << 20).choose_size(
            partitions, epsilon, spending=Fraction(2)
        )
        for _ in range(runs)
    )  # scores: two noises of 1 are 2 points; one noise and 3 points amiss are 4
    for slope, sure in ((3 / 8, True), (3 / 4, False)):
        chance = permute_and_flip([-2, -4], slope)[1]
        assert (abs(chosen - runs * chance) < 5.5 * math.sqrt(runs * chance * (1 - chance))) == sure


@pytest.mark.parametrize("grids", [{}, {"1": SIZES["1"]}, {"1": SIZES["1"], "areas": "areas.gpkg"}])
def test_a_cell_size_is_chosen_among_grids(tmp_path, grids):
    """Fewer than two, or what is no grid, is one line, and costs nothing."""
    with pytest.raises(BadInput, match="choose: give two or more grids"):
        dm.choose(
            survey(tmp_path),
            grids,
            dm.Policy(epsilon=1, unit="who", cap=1),
            ledger=tmp_path / "l",
            dataset="d",
            budget=10,
        )
    assert not (tmp_path / "l").exists()


def test_the_command_chooses_a_cell_size(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    samples = Path(__file__).parents[1] / "data_samples"
    common = ["choose", str(samples / "raptors.csv"), "--unit", "observer_id", "--cap", "5", "--epsilon", "2", "--dataset", "d",
              "--budget", "3", "--ledger", "l"]  # fmt: skip
    shown = CliRunner().invoke(
        app, [*common, "--cells", "5 km, 20 km", "--area", str(samples / "study_area.gpkg")]
    )
    assert shown.exit_code == 0 and shown.output.splitlines()[0] in ("5 km", "20 km"), shown.output
    for wrong in ([], ["--cells", "5 km"], ["--cells", "1 km", "--among", "x.gpkg"]):
        assert isinstance(CliRunner().invoke(app, [*common, *wrong]).exception, BadInput)


def test_a_choice_takes_its_share_of_the_ledgers_plan(tmp_path):
    """`--epsilon next`, as a release over its share is told to write, is understood by `choose` too."""
    survey(tmp_path)
    AREAS.to_geodataframe().to_file(tmp_path / "areas.gpkg")
    book = dm.Ledger(tmp_path / "l")
    book.plan("3", releases=4)
    told = CliRunner().invoke(app, [
        "choose", str(tmp_path / "survey.csv"), "--among", str(tmp_path / "areas.gpkg"), "--name", "name", "--unit", "who", "--cap", "1",
        "--epsilon", "next", "--dataset", "d", "--ledger", str(tmp_path / "l"),
    ])  # fmt: skip
    assert told.exit_code == 0, told.output
    assert book.balance() == (3, Fraction("0.75"))


def test_a_choice_from_a_sample_says_so(tmp_path):
    """A lead is then one of the sample, which is less than one of the whole."""
    policy = dm.Policy(epsilon=2, unit="who", cap=1, sample="50%")
    words = dm.choose(
        survey(tmp_path), AREAS, policy, ledger=tmp_path / "l", dataset="d", budget=10
    ).words()
    assert words.count("of a sample of 50 % of the units") == 2


def test_spending_is_for_cell_sizes(tmp_path):
    """Where areas are chosen it would mean nothing, and is refused, not passed over."""
    with pytest.raises(BadInput, match="spending"):
        choose(tmp_path, spending=1)
