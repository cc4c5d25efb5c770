"""A plan for years says what each season's map and their comparison will tell under three ways to spend, and the ledger takes its answer."""

import json
import shlex
from fractions import Fraction
from functools import cache
from itertools import count, product

import numpy as np
import pytest
from builders.sessions import PublicSession
from typer.testing import CliRunner

import dpmap as dm
from dpmap.cli import run
from dpmap.cli.commands import app
from dpmap.errors import BadInput
from dpmap.inference.patches.zone_intervals import difference_width
from dpmap.maps import read_measurements
from dpmap.steward.planning import landscapes, pooled_years, seasons
from dpmap.strategies import find_strategy

GRID = dm.Grid(bounds=(0, 0, 16_000, 16_000), shape=(16, 16), crs="EPSG:3857")
POLICY = dm.Policy(epsilon=1, unit="who", cap=1)
CELLS = ("--bounds", "0,0,16000,16000", "--shape", "16,16", "--grid-crs", "EPSG:3857", "--cap", "5")


NOISE = count()


def rehearsed(counts, grid, policy, *, strategy="adaptive", seed=None):
    """What rehearsing says, with noise of a seed: the same in every run."""
    session = PublicSession(
        counts,
        grid,
        policy.measuring,
        policy.cap,
        next(NOISE) if seed is None else seed,
        policy.lattice,
    )
    find_strategy(strategy)(session)
    return read_measurements(grid, tuple(session.made))


@pytest.fixture(scope="module", autouse=True)
def quick():
    """Few rehearsals of two shapes at few epsilons, all with noise of fixed seeds: no test hangs on how fine the figures are, nor on chance."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            landscapes, "SHAPES", {name: landscapes.SHAPES[name] for name in ("clusters", "coast")}
        )
        patch.setattr(seasons, "MOST_CURVE", 3)
        patch.setattr(seasons, "RUNS", (2, 3))
        patch.setattr(pooled_years, "RUNS", (1, 1))
        patch.setattr(seasons, "rehearse_map", rehearsed)
        patch.setattr(pooled_years, "rehearse_map", rehearsed)
        yield


@pytest.fixture(scope="module")
def made(quick):
    return dm.plan_years(GRID, POLICY, years=5, budget="3.5", spent="0.5", units=1500)


def ways(plan):
    return {way.scheme: way for way in plan.ways}


def epsilons(way):
    return [0 if one.epsilon is None else Fraction(one.epsilon) for one in way.seasons]


def test_no_way_spends_more_than_is_left_and_every_second_season_has_no_map(made):
    """All seasons of each way add up to what is left of the budget, and to no more."""
    for way in made.ways:
        assert 3 - Fraction(5, 10**6) <= sum(epsilons(way)) <= 3
    assert epsilons(ways(made)["even"]) == [Fraction(3, 5)] * 5
    assert epsilons(ways(made)["alternate"]) == [1, 0, 1, 0, 1]
    first, *later = epsilons(ways(made)["decaying"])
    assert all(
        abs(share * place - first) < Fraction(1, 10**5)
        for place, share in enumerate(later, start=2)
    )


def test_the_ledger_takes_the_line_that_the_plan_says(made, tmp_path):
    """Each way's line, typed as it stands, makes a ledger that allows the planned epsilons, one after the other."""
    for way in made.ways:
        _, _, _, *flags = shlex.split(way.command)
        book = dm.Ledger(tmp_path / f"{way.scheme}.ledger")
        found = CliRunner().invoke(app, ["ledger", book.path, *flags])
        assert found.exit_code == 0, found.output
        assert book.next_share("Owls") == next(one for one in epsilons(way) if one)
        assert f"scheme={way.scheme}" in found.output
        assert len([one for one in epsilons(way) if one]) == way.releases


def test_a_season_without_a_map_has_no_error_and_no_change(made):
    """Where no map is made nothing is told of it, and the stack stays what it was."""
    first, second, third = ways(made)["alternate"].seasons[:3]
    assert second.epsilon is second.cell_error is second.change_zone is None
    assert second.stack_error == first.stack_error
    assert third.stack_error <= first.stack_error
    assert ways(made)["alternate"].newest.stack_error < first.stack_error


def test_more_epsilon_is_never_a_worse_map(made):
    """Of two maps the one with more epsilon is off by no more, tells smaller cells and smaller changes."""
    maps = [one for way in made.ways for one in way.seasons if one.epsilon is not None]
    for one in maps:
        for other in maps:
            if Fraction(one.epsilon) > Fraction(other.epsilon):
                assert one.cell_error <= other.cell_error
                assert one.detect < other.detect
    late = {way.scheme: way.newest for way in made.ways}
    assert (
        late["alternate"].change_patch < late["even"].change_patch < late["decaying"].change_patch
    )
    assert late["alternate"].trend_whole < late["even"].trend_whole


def test_the_stack_is_as_the_seasons_will_be_read(made):
    """Read with those before it the newest of even maps is off by less, no map by more than alone, and the first as alone."""
    for way in made.ways:
        maps = [one for one in way.seasons if one.epsilon is not None]
        assert maps[0].stack_error == maps[0].cell_error
        assert all(one.stack_error <= one.cell_error for one in maps)
    even = ways(made)["even"].newest
    assert even.stack_error < 0.95 * even.cell_error


@cache
def maps(what, change, first):
    """Eight maps of land of which a zone, or the whole, changed by so many points, of seeds from the first on; and what is believed of that ground."""
    truth = landscapes.spread(
        GRID, landscapes.points(landscapes.invent("coast", GRID), 1500, "coast")
    )
    inside = np.arange(GRID.size) if what == "whole" else seasons._zone(GRID, truth)
    truth.ravel()[inside] += change / len(inside)
    policy = dm.Policy(epsilon="0.6", unit="who", cap=1)
    found = [rehearsed(truth, GRID, policy, seed=first + seed).zones for seed in range(8)]
    return [(zones, *zones.estimate_zone(inside, np.ones(len(inside)))) for zones in found]


@pytest.mark.parametrize("what", ["zone", "whole"])
def test_the_smallest_change_is_told_in_about_four_pairs_of_five_and_half_of_it_hardly_ever(
    made, what
):
    """Of 64 pairs of maps most tell land that changed by as much as was said; few tell half of it, and fewer than a tenth tell a change where there is none."""
    season = ways(made)["even"].seasons[-1]
    change = season.change_whole if what == "whole" else season.change_zone
    level = 1 - seasons.RATE / (1 if what == "whole" else seasons.ZONES)

    def told(much):
        pairs = product(maps(what, 0, 0), maps(what, much, 100))
        return np.mean([after - before > difference_width(one, other, (near, far), level)
                        for (one, before, near), (other, after, far) in pairs])  # fmt: skip

    assert told(0) < 0.1
    assert told(change / 2) < 0.45
    assert 0.55 < told(change) < 0.98


def test_each_question_has_an_answer_and_its_line(made):
    """Every way suits one question, and the line under it is that way's."""
    assert {one.scheme for one in made.advice} == {"even", "alternate", "decaying"}
    for one in made.advice:
        assert one.command == ways(made)[one.scheme].command
        assert one.question.endswith("?")


def test_terminal_json_and_page_say_the_same(made, tmp_path):
    """The same numbers stand in the text, the JSON, the table and the page; the page fetches nothing."""
    told = json.loads(json.dumps(made.to_dict()))
    assert [way["scheme"] for way in told["ways"]] == ["even", "decaying", "alternate"]
    assert "epsilon" not in told["policy"]
    frame = made.to_frame()
    assert len(frame) == 15
    for kind in ("html", "png", "svg", "pdf"):
        made.draw(tmp_path / f"plan.{kind}")
        assert (tmp_path / f"plan.{kind}").stat().st_size > 1000
    page = (tmp_path / "plan.html").read_text("utf-8")
    assert "http" not in page.replace("http-equiv", "")
    for way in made.ways:
        assert way.command in page
        assert way.command in str(made)
    assert "no map" in page


def test_the_command_says_it_too(tmp_path):
    """`dpmap plan --years` answers in words or JSON, and draws."""
    asked = ["plan", *CELLS, "--units", "800", "--years", "2", "--budget", "1"]
    shown = CliRunner().invoke(app, [*asked, "--to", str(tmp_path / "a.svg")])
    assert shown.exit_code == 0, shown.output
    assert "every second season: 1 map" in shown.output
    assert (tmp_path / "a.svg").exists()


BAD = {
    "no season": ("--years", "0", "--budget", "3"),
    "one season": ("--years", "1", "--budget", "3"),
    "too many": ("--years", "1000", "--budget", "3"),
    "no number": ("--years", "five", "--budget", "3"),
    "no budget at all": ("--years", "5"),
    "a budget of 0": ("--years", "5", "--budget", "0"),
    "a budget below 0": ("--years", "5", "--budget", "-1"),
    "no budget to speak of": ("--years", "5", "--budget", "0.0001"),
    "NaN": ("--years", "5", "--budget", "nan"),
    "all spent": ("--years", "5", "--budget", "3", "--spent", "3"),
    "both": ("--years", "5", "--budget", "3", "--epsilon", "1"),
    "an error too": ("--years", "5", "--budget", "3", "--detect", "20"),
    "readers": ("--years", "5", "--budget", "3", "--tier", "public=1"),
    "Gaussian noise": ("--years", "5", "--budget", "3", "--delta", "1e-6"),
    "a raster that is not there": ("--years", "5", "--budget", "3", "--like", "nowhere.tif"),
    "a picture of no kind": ("--years", "5", "--budget", "3", "--to", "plan.doc"),
}


@pytest.mark.parametrize("flags", BAD.values(), ids=BAD)
def test_what_cannot_be_meant_is_one_line(flags, capsys):
    """Bad input ends with one line and its exit code."""
    assert run(["plan", *CELLS, *flags]) == (3 if flags == BAD["no budget at all"] else 2)
    said = capsys.readouterr()
    assert not said.out
    assert said.err.count("\n") == 1


def test_cells_must_be_said():
    """Without cells one line says what to add."""
    with pytest.raises(BadInput, match="Grid"):
        dm.plan_years("area.gpkg", POLICY, years=5, budget=3)
    found = CliRunner().invoke(
        app, ["plan", "--area", "x.gpkg", "--cap", "5", "--years", "5", "--budget", "3"]
    )
    assert isinstance(found.exception, BadInput)
    assert "--cell" in found.exception.terminal_line
