"""Whoever says which error she can bear is told the epsilon that keeps it, and what it costs whom it protects."""

import html
import json
import math
from dataclasses import replace
from fractions import Fraction
from itertools import cycle, islice

import geopandas as gpd
import numpy as np
import pytest
import shapely
from builders import surveys

import dpmap as dm
from dpmap.cli import run
from dpmap.errors import BadInput, Refused
from dpmap.numbers import decimal_text
from dpmap.releases.ask import ask
from dpmap.steward.planning import Goals, goals, landscapes, planner, zone_goals
from dpmap.steward.planning.plan_text import summary
from dpmap.steward.planning.report import page
from dpmap.steward.planning.zone_goals import ZoneGoals
from dpmap.steward.release_run import Session

GRID = dm.Grid(bounds=(0, 0, 24_000, 18_000), shape=(18, 24), crs="EPSG:3857")
POLICY = dm.Policy(epsilon="0.5", unit="who", cap=5)
SQUARE = ["plan", "--bounds", "0,50,1,51", "--shape", "6,8", "--cap", "5"]
POINTS = 6000.0


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Few rehearsals of few shapes: what is promised of places is tested elsewhere."""
    few = {**landscapes.SHAPES, **{name: landscapes.LIBRARY[name] for name in zone_goals.LANDS}}
    monkeypatch.setattr(landscapes, "LIBRARY", few)
    monkeypatch.setattr(planner, "MOST", 4)


def projects(wide=5600.0, off=300.0):
    """Six squares that cut cells on every side."""
    corners = [(x + off, y + off) for x in (0, 8000, 16_000) for y in (0, 9000)]
    boxes = [shapely.box(x, y, x + wide, y + wide) for x, y in corners]
    return gpd.GeoDataFrame(
        {"name": [f"project {i}" for i in range(6)]}, geometry=boxes, crs="EPSG:3857"
    )


def laid(within="30%", zones=None, total=POINTS):
    wanted = Goals(zones=projects() if zones is None else zones, within=within)
    return wanted, wanted.laid(
        GRID, {name: landscapes.invent(name, GRID) for name in zone_goals.LANDS}, total
    )


def test_at_the_epsilon_for_detect_a_cell_is_told_from_none():
    """A cell of 20 points exceeds nine in ten empty cells half of the time, by drawn noise, and at a smaller epsilon less often."""
    found = dm.epsilon_for(5, detect=20)
    full, empty, less, without = (
        drawn(20, found),
        drawn(0, found),
        drawn(20, found / 2),
        drawn(0, found / 2),
    )
    assert np.mean(full > np.quantile(empty, 0.9)) == pytest.approx(0.5, abs=0.06)
    assert np.mean(less > np.quantile(without, 0.9)) < 0.4
    assert planner.plan(GRID, replace(POLICY, epsilon=found)).noise.detectable <= 20


def drawn(points, epsilon):
    """Noisy answers of ten thousand cells of so many points, each measured by itself."""
    from dpmap.strategies import flat

    grid = dm.Grid(bounds=(0, 0, 100, 100), shape=(100, 100), crs="EPSG:3857")
    session = Session(np.full(grid.shape, float(points)), grid, epsilon, 5, POLICY.lattice)
    flat(session)
    return session.made[0].values


def test_a_private_choice_of_cap_is_paid_beside_detect():
    """Half of epsilon goes to choosing the cap, so twice as much is needed; the plan's own figure agrees."""
    auto = dm.Policy(epsilon=1, unit="who", cap="auto:0.5:1-5")
    made = dm.plan(GRID, auto, wanted=Goals(detect=20), find=True)
    assert made.noise.detectable <= 20 and made.policy.epsilon == dm.epsilon_for(
        5, detect=20, share=Fraction(1, 2)
    )
    assert made.policy.epsilon == pytest.approx(float(2 * dm.epsilon_for(5, detect=20)), rel=0.01)


@pytest.mark.deep
def test_at_the_epsilon_for_zones_nine_maps_in_ten_tell_them_so_surely():
    """Over fresh maps of the land that was rehearsed the intervals of `ask` are within what was asked, and at half that epsilon not."""
    wanted, on_grid = laid("20%")
    policy, rows = goals.find_policy(POLICY, wanted, on_grid)
    assert all(row.kept for row in rows) and 0.02 < policy.epsilon < 5
    half = replace(policy, epsilon=policy.epsilon / 2)
    lands = list(islice(cycle(on_grid.lands.values()), 24))
    kept, less = (
        np.array([on_grid.reach(at, land) <= 0.2 for land in lands]) for at in (policy, half)
    )
    assert kept.mean() >= 0.9 and less.mean() < 0.9


def test_what_a_plan_says_of_zones_is_what_ask_says():
    """The reach that is rehearsed is that of the answers of a real release of such land, on one rehearsed map and the same released."""
    _, on_grid = laid()
    land = on_grid.lands["uniform"]
    map_ = zone_goals.rehearse_map(land, GRID, POLICY, strategy="adaptive")
    answers = ask(map_, projects())
    wide = np.maximum(answers.high - answers.estimate, answers.estimate - answers.low)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(zone_goals, "rehearse_map", lambda *_, **__: map_)
        reach = on_grid.reach(POLICY, land)
    expected = np.maximum(
        on_grid.expected, zone_goals._points_of_zones(land, on_grid.cells, on_grid.shares)
    )
    assert np.asarray(wide / expected) == pytest.approx(reach, rel=0.02)


def test_points_are_expected_by_ground():
    """Each zone is expected to hold its share of all points, by the part of the area that it covers."""
    _, on_grid = laid()
    covered = 5600**2 / (24_000 * 18_000)
    assert on_grid.expected == pytest.approx(np.full(6, POINTS * covered), rel=0.01)
    assert list(on_grid.names) == [f"project {i}" for i in range(6)]


def test_fewer_zones_need_no_larger_epsilon(monkeypatch):
    """Asked of two zones in three, the worst third is left out."""
    uneven = projects()
    uneven.geometry = [shapely.box(*g.bounds[:2], g.bounds[0] + 1000 * (i + 2), g.bounds[3]) for i, g in enumerate(uneven.geometry)]  # fmt: skip
    every, some = laid("30%", uneven)[1], laid("30%:60%", uneven)[1]
    assert (every.needed, some.needed) == (6, 4)
    rows = every.rehearse(POLICY)
    assert some.reached(rows) < every.reached(rows)


def test_zones_that_are_cut_everywhere_are_refused_with_a_way_out():
    """Where no epsilon helps, and where 20 does not, one line says so and names --by-area."""
    for within, off in (("3%", 400.0), ("4%", 300.0)):
        wanted, on_grid = laid(within, projects(wide=900.0, off=off), total=60.0)
        with pytest.raises(Refused, match="by-area") as told:
            goals.find_policy(POLICY, wanted, on_grid)
        assert "\n" not in str(told.value) and "no epsilon" in str(told.value)


def test_zones_outside_the_area_are_refused():
    """A zone that the map does not cover cannot be told, whatever epsilon is."""
    far = projects()
    far.geometry = far.geometry.translate(10**6, 0)
    with pytest.raises(BadInput, match="6 of 6"):
        laid(zones=far)


def test_the_one_zone_outside_the_area_is_named_and_can_be_left_out():
    """The refusal names it, and with one word the plan is made of the others."""
    zones = projects().assign(name=list("ABCDEF"))
    zones.loc[2, "geometry"] = shapely.affinity.translate(zones.geometry[2], 10**6)
    with pytest.raises(BadInput, match="1 of 6 lies .*: C; .*leave.outside"):
        laid(zones=zones)
    wanted = Goals(zones=zones, within="30%", leave_outside=True)
    lands = {"uniform": landscapes.invent("uniform", GRID)}
    assert list(wanted.laid(GRID, lands, POINTS).names) == list("ABDEF")


def test_the_goal_that_needs_most_sets_epsilon():
    """Of several goals the largest epsilon wins; the plan says which one that was, and that all are kept."""
    wanted = Goals(error=5, tail="20:1%", detect=20)
    made = dm.plan(GRID, POLICY, units=400, wanted=wanted, find=True)
    assert (
        made.policy.epsilon
        == dm.epsilon_for(5, error=5, tail="20:1%")
        > dm.epsilon_for(5, detect=20)
    )
    told = {goal.what: goal for goal in made.goals}
    assert all(goal.kept and goal.reached <= goal.asked for goal in made.goals)
    assert [what for what, goal in told.items() if goal.sets_epsilon] == ["error"]
    assert told["detect"].reached == pytest.approx(made.noise.detectable)
    assert told["error"].reached == pytest.approx(made.noise.standard_error)


def test_zones_beside_a_goal_that_needs_more():
    """Where another goal asks for more than the zones do, it sets epsilon, and the zones are kept at that."""
    made = dm.plan(
        GRID, POLICY, units=2000, wanted=Goals(detect=2, zones=projects(), within="50%"), find=True
    )
    assert made.policy.epsilon == dm.epsilon_for(5, detect=2)
    assert [(goal.what, goal.kept, goal.sets_epsilon) for goal in made.goals] == [
        ("detect", True, True),
        ("zones", True, False),
    ]


def test_with_an_epsilon_each_goal_is_judged(tmp_path):
    """A plan of a given epsilon says of each goal whether it is kept, in its lines, on its page and in its values."""
    wanted = Goals(error=5, detect=20, tail=(1000, 0.01), zones=projects(), within="10%")
    made = dm.plan(GRID, POLICY, units=400, wanted=wanted)
    assert [(goal.what, goal.kept) for goal in made.goals] == [
        ("error", False),
        ("tail", True),
        ("detect", True),
        ("zones", False),
    ]
    assert not any(goal.sets_epsilon for goal in made.goals)
    for told in (summary(made), page(made)):
        assert "Asked for. Not kept: a standard error of at most 5 points" in told
    assert "project 3" in summary(made) and "is the least" not in summary(made)
    plain = json.loads(json.dumps(made.to_dict()))
    assert set(plain["zones"][0]) == {"name", "expected", "half_width", "share", "kept"}
    assert set(plain["goals"][0]) == {"what", "asked", "reached", "kept", "sets_epsilon", "words"}
    made.draw(tmp_path / "plan.png")


def test_gaussian_noise_is_judged_by_its_own_law():
    """With a delta the goals are those of Gaussian noise; which epsilon they need is not worked out."""
    gaussian = replace(POLICY, delta=Fraction(1, 10**6))
    made = dm.plan(GRID, gaussian, wanted=Goals(error=5, tail="20:1%", detect=20))
    assert made.goals[0].reached == pytest.approx(made.noise.standard_error)
    with pytest.raises(BadInput, match="give epsilon="):
        dm.plan(GRID, gaussian, wanted=Goals(detect=20), find=True)


def test_odds_are_told_in_the_words_of_the_statement(tmp_path):
    """What a plan says to one protected person is what the statement of the release then says."""
    made = surveys.released(
        surveys.scattered(60), tmp_path, policy=dm.Policy(epsilon="0.5", unit="who", cap=3)
    )
    told = dm.plan(GRID, dm.Policy(epsilon="0.5", unit="who", cap=3)).odds
    assert (told.took_part, told.where) == (
        pytest.approx(math.exp(0.5)),
        pytest.approx(math.exp(1)),
    )
    promised, _, where = told.words.partition(" Where a unit")
    made.write(tmp_path / "statement.md")
    assert f"Where a unit{where}" in (tmp_path / "statement.md").read_text()
    assert promised in html.unescape(made._repr_html_())


def test_choices_are_five_epsilons_around_the_one_found():
    """From a quarter to four times, exactly; each doubling halves what is told, and says so in one sentence."""
    found = dm.plan(GRID, POLICY).choices
    assert [row.epsilon for row in found] == ["0.125", "0.25", "0.5", "1", "2"]
    for one, other in zip(found, found[1:], strict=False):
        assert (
            one.detect == pytest.approx(2 * other.detect)
            and one.odds_took_part < other.odds_took_part
        )
    assert (
        "stronger protection, blurrier map" in found[1].words.lower()
        and found[1].words.count(". ") == 0
    )


def test_a_budget_says_how_many_such_releases_are_left():
    """Fractions are exact: of 3, with 0.9 spent, a release of 0.3 leaves 1.8 and six more; too little is said."""
    policy = replace(POLICY, epsilon=Fraction(3, 10))
    years = dm.plan(GRID, policy, budget="3", spent="0.9").years
    assert (years.remaining_after, years.such_releases_left) == ("1.8", 6)
    assert dm.plan(GRID, POLICY).years is None
    short = dm.plan(GRID, policy, budget="1", spent="0.8").years
    assert (
        short.remaining_after == "-0.1"
        and "does not allow" in short.words
        and short.such_releases_left == 0
    )


def test_no_choice_is_above_what_the_budget_pays():
    """Five epsilons in rising order, the largest all that is left where more would be needed; how much, and what that keeps, is one sentence."""
    found = dm.plan(GRID, POLICY, budget="3", spent="2.25")
    assert [row.epsilon for row in found.choices] == ["0.062", "0.125", "0.25", "0.5", "0.75"]
    needy = dm.plan(GRID, POLICY, wanted=dm.Goals(error=1), find=True, budget="3", spent="1")
    assert needy.policy.epsilon > 2
    assert [row.epsilon for row in needy.choices] == ["0.22", "0.44", "0.88", "1.77", "2"]
    sentence = needy.years.words
    for words in (f"needs epsilon {decimal_text(needy.policy.epsilon)}", "2 is left", "not kept"):
        assert words in sentence
    assert sentence.count(". ") == 0
    assert dm.plan(GRID, POLICY, budget="3", spent="3").choices == ()


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"zones": "p.gpkg"}, "within"),
        ({"within": "30%"}, "zones"),
        ({"zones": "p.gpkg", "within": "30"}, "within"),
        ({"zones": "p.gpkg", "within": "x"}, "within"),
        ({"zones": "p.gpkg", "within": "30%:0"}, "within"),
        ({"detect": "-1"}, "detect"),
    ],
)
def test_goals_that_make_no_sense(wrong, named):
    """Each is one line that names the flag."""
    with pytest.raises(BadInput, match=named):
        dm.plan(GRID, POLICY, wanted=Goals(**wrong), find=True)


def call(capsys, *words):
    code = run([str(word) for word in words])
    out, err = capsys.readouterr()
    return code, out, err


def test_on_the_command_line_the_error_comes_first(capsys, tmp_path):
    """--detect, --zones and --within find epsilon, and --budget says what it leaves."""
    boxes = [shapely.box(0.1, 50.1, 0.6, 50.6), shapely.box(0.3, 50.2, 0.9, 50.9)]
    gpd.GeoDataFrame({"name": ["A", "B"]}, geometry=boxes, crs="EPSG:4326").to_file(
        tmp_path / "p.gpkg"
    )
    code, out, err = call(capsys, *SQUARE, "--detect", "20", "--zones", tmp_path / "p.gpkg", "--within", "40%", "--units",
                          "2000", "--budget", "30", "--json")  # fmt: skip
    told = json.loads(out)
    assert (code, err) == (0, "") and [goal["what"] for goal in told["goals"]] == [
        "detect",
        "zones",
    ]
    assert (
        all(goal["kept"] for goal in told["goals"])
        and sum(goal["sets_epsilon"] for goal in told["goals"]) == 1
    )
    assert [zone["name"] for zone in told["zones"]] == ["A", "B"]
    left = Fraction(told["years"]["remaining_after"])
    assert left == 30 - Fraction(told["policy"]["epsilon"])
    assert set(told["odds"]) == {"took_part", "where", "words"} and len(told["choices"]) == 5


def test_zones_need_the_cells(capsys, tmp_path):
    """Without a cell size no epsilon is found for zones, and the line says what to add."""
    area = tmp_path / "a.gpkg"
    gpd.GeoDataFrame(geometry=[shapely.box(0, 50, 1, 51)], crs="EPSG:4326").to_file(area)
    code, _, err = call(
        capsys, "plan", "--area", area, "--cap", "5", "--zones", area, "--within", "30%"
    )
    assert code == 2 and "--cell" in err and err.count("\n") == 1


def test_a_release_passes_over_the_keys_of_a_plan(capsys, tmp_path, monkeypatch):
    """One dpmap.toml serves both: release reads past detect, zones, within and spent."""
    (tmp_path / "dpmap.toml").write_text(
        'detect = "20"\nzones = "p.gpkg"\nwithin = "30%"\nspent = "0"\n'
    )
    monkeypatch.chdir(tmp_path)
    _, _, err = call(capsys, "release", "--config", "dpmap.toml")
    assert "unknown key" not in err and "names no survey" in err


def test_a_zone_of_nothing_is_never_told():
    """Where a public raster expects nothing, no share is given, and the plan's values stay plain."""
    density = np.zeros(GRID.cells_inside)
    density[0] = 1.0
    on_grid = ZoneGoals.laid(
        GRID, {"raster": density}, 100.0, projects(off=1300.0), None, (Fraction(3, 10), Fraction(1))
    )
    rows = on_grid.rehearse(POLICY, (1, 2, 2))
    assert all((row.share, row.half_width, row.kept) == (None, None, False) for row in rows)
