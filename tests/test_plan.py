"""A plan says before anything is spent what a map will be worth, and what it says comes true."""

import json
import math
import re
from fractions import Fraction

import numpy as np
import pytest
import rasterio
import shapely
from rasterio import Affine

import dpmap as dm
from dpmap import strategies
from dpmap.errors import BadInput, DpmapError
from dpmap.inference.patches import Patches
from dpmap.numbers import decimal_text
from dpmap.steward.planning import landscapes, planner, predicted_map
from dpmap.steward.planning.cost import years
from dpmap.steward.planning.plan_text import summary
from dpmap.steward.planning.report import page
from dpmap.steward.planning.tradeoff import parse_tail
from dpmap.steward.simulation import rehearse_map
from dpmap.strategies.adaptive import least_last_share
from dpmap.style import number

GRID = dm.Grid(bounds=(0, 0, 16_000, 12_000), shape=(12, 16), crs="EPSG:3857")
POLICY = dm.Policy(epsilon="0.5", unit="who", cap=5)


@pytest.fixture(autouse=True)
def quick(request, monkeypatch):
    """Few rehearsals of few shapes where the figures themselves are not what is tested."""
    if not request.node.name.startswith("test_expected"):
        monkeypatch.setattr(planner, "MOST", 4)
    if not request.node.name.startswith("test_promise"):
        monkeypatch.setattr(landscapes, "LIBRARY", dict(landscapes.SHAPES))


@pytest.fixture(scope="module")
def made():
    return dm.plan(GRID, POLICY, units=400)


def raster(path, bounds=(0, 0, 16_000, 12_000), crs="EPSG:3857", values=None, nodata=None):
    values = np.arange(12 * 16, dtype=np.float32).reshape(12, 16) if values is None else values
    west, south, east, north = bounds
    rows, columns = values.shape
    placed = Affine((east - west) / columns, 0, west, 0, (south - north) / rows, north)
    with rasterio.open(
        path, "w", driver="GTiff", width=values.shape[1], height=values.shape[0], count=1, dtype=values.dtype, crs=crs,
        transform=placed, nodata=nodata,
    ) as out:  # fmt: skip
        out.write(values, 1)
    return path


def agree(row, found, told):
    """Whether what a plan told lies within 20 % of the mean of `found`, and what chance moves both by once in a million times."""
    chance = 5 * np.std(found, ddof=1) * (1 / len(found) + 1 / row.rehearsals) ** 0.5
    return abs(told - np.mean(found)) <= 0.2 * np.mean(found) + chance


def simulated(truth, row, epsilon, cap):
    """Error, overlap and the 90 % error of a cell in fresh simulations, as many as it takes to know the error within 4 %."""
    errors, within, overlaps = [], [], []
    while len(errors) < 10 or (
        len(errors) < 300 and np.std(errors, ddof=1) > 0.04 * np.mean(errors) * len(errors) ** 0.5
    ):
        found = dm.simulate(truth, epsilon=epsilon, cap=cap, strategy=row.strategy)
        errors.append(np.abs(found - truth).mean())
        within.append(np.quantile(np.abs(found - truth), 0.9))
        overlaps.append(np.minimum(truth / truth.sum(), found / max(found.sum(), 1e-9)).sum())
    return errors, overlaps, within


@pytest.mark.matrix(2)
@pytest.mark.parametrize("shape", landscapes.SHAPES)
def test_expected_error_is_what_simulation_shows(made, shape):
    """On every shape and for every strategy the printed error and overlap lie within 20 % of fresh simulations, and the
    few percent by which the two samples of maps may differ by chance.
    """
    truth = next(preview.truth for preview in made.previews if preview.shape == shape)
    told = [row for row in made.expected if row.shape == shape]
    assert {row.strategy for row in told} == set(strategies.STRATEGIES)
    for row in told:
        for found, said in zip(
            simulated(truth, row, "0.5", 5),
            (row.cell_error, row.overlap, row.cell_within),
            strict=True,
        ):
            assert agree(row, found, said), row.strategy


@pytest.mark.deep
@pytest.mark.parametrize(("epsilon", "cap", "units"), [("0.1", 1, 5000), ("3", 20, 200)])
def test_expected_error_at_other_promises(epsilon, cap, units):
    """The same holds far from the usual epsilon, cap and size."""
    plan = dm.plan(GRID, dm.Policy(epsilon=epsilon, unit="who", cap=cap), units=units)
    for row in plan.expected:
        truth = next(preview.truth for preview in plan.previews if preview.shape == row.shape)
        assert agree(row, simulated(truth, row, epsilon, cap)[0], row.cell_error), row.shape


def test_half_widths_hold_as_often_as_said(made):
    """Half-widths per cell and per 10 km2 hold 50, 90 and 95 % of drawn noise, no more and no less."""
    noise = _noise(320)
    for key, width in made.noise.cell.items():
        assert np.mean(np.abs(noise) <= width) == pytest.approx(float(key) / 100, abs=0.011)
    ten = noise.ravel()[: noise.size // 10 * 10].reshape(-1, 10).sum(1)
    for key, width in dm.plan(_km_grid(), POLICY, units=10).noise.zone.items():
        assert np.mean(np.abs(ten) <= width) == pytest.approx(float(key) / 100, abs=0.034)


def test_a_zone_is_at_least_a_cell():
    """Where a cell is larger than the zone asked about, the plan speaks of one cell, and says so."""
    plan = dm.plan(
        dm.Grid(bounds=(0, 0, 40_000, 40_000), shape=(4, 4), crs="EPSG:3035"), POLICY, units=50
    )
    assert plan.noise.zone == plan.noise.cell
    assert plan.noise.zone_km2 == pytest.approx(100, rel=0.02)
    assert "zones of one cell (" in summary(
        plan
    ) and "10 km\N{SUPERSCRIPT TWO} within" not in summary(plan)


def test_the_noise_table_says_whose_it_is(made):
    """The table of the noise is that of flat, and the plan says what the default strategy does to it."""
    for told in (summary(made), page(made)):
        assert "where every cell is measured by itself" in told and "times as wide" in told


@pytest.mark.parametrize(("side", "times"), [(4, 1), (10, 1.37), (45, 2.09)])
def test_the_plan_says_how_much_wider_adaptive_makes_a_cell(side, times):
    """The goal, the table's heading and the five epsilons say at once what they are in single cells of the default strategy."""
    grid = dm.Grid(bounds=(0, 0, side * 1000, side * 1000), shape=(side, side), crs="EPSG:3857")
    found = dm.plan(
        grid,
        dm.Policy(epsilon=1, unit="who", cap=5),
        units=300,
        wanted=dm.Goals(detect=20),
        find=True,
    )
    assert (
        found.adaptive_times == pytest.approx(times, abs=0.01)
        and decimal_text(found.policy.epsilon) == "0.403"
    )
    told, (goal,), as_asked = summary(found), found.goals, found.choices[2].words
    assert (
        "20 points are told from none in a cell that all of epsilon measures by itself"
        in goal.words
    )
    if times == 1:
        assert (
            "adaptive, the default" not in goal.words and "from about 20 points on, and" in as_asked
        )
    else:
        theirs = f"{number(goal.reached * found.adaptive_times)}"
        assert f"single cells of adaptive, the default, from about {theirs} on" in goal.words
        assert (
            f"as --strategy flat does (adaptive, the default: up to {times:g} times as much)"
            in told
        )
        assert f"from about {theirs} points on (20 with the strategy flat)" in as_asked


def test_what_adaptive_can_tell_of_a_cell_is_what_its_release_says():
    """The factor that a plan names is that of the noise of the last measurement of a rehearsed map."""
    from dpmap.steward.release_run import Session
    from dpmap.strategies.adaptive import adaptive

    grid = dm.Grid(bounds=(0, 0, 10_000, 10_000), shape=(10, 10), crs="EPSG:3857")
    session = Session(np.full(grid.shape, 50.0), grid, POLICY.epsilon, POLICY.cap, POLICY.lattice)
    adaptive(session)
    assert session.made[-1].scale / POLICY.scale == 1 / least_last_share(grid)


def test_a_plan_begins_with_three_plain_sentences(made):
    """What is planned, what the map will tell and what to do next stand first; a table's entry is explained where it stands, and so is overlap."""
    first = summary(made).splitlines()[1:4]
    assert first[0].startswith("This plans a map of ") and "nothing is spent" in first[0]
    assert first[1].startswith("It will tell the colour of ") and first[2].startswith(
        "If that is enough, type dpmap release "
    )
    assert "in brackets that of shapes whose points lie gathered, uneven and even" in summary(made)
    assert "Overlap: the share of the map that lies where it should" in summary(
        made
    ) and "none has" not in summary(made)


def test_what_is_left_says_that_nothing_spent_was_named():
    """Where nobody said what was spent, the plan says that it took nothing to be spent."""
    assert (
        "if nothing was spent before (--spent says what was)"
        in years(Fraction(1, 2), "3", None).words
    )
    assert "--spent" not in years(Fraction(1, 2), "3", "0").words


def _km_grid():
    """Cells of one square kilometre, exactly."""
    return dm.Grid(
        bounds=(0, 0, 4000, 4000),
        shape=(4, 4),
        crs="+proj=laea +lat_0=50 +lon_0=0 +datum=WGS84 +units=m +type=crs",
    )


def _noise(rounds):
    from dpmap.steward.release_run import Session
    from dpmap.strategies import flat

    found = []
    for _ in range(rounds):
        session = Session(np.zeros(GRID.shape), GRID, POLICY.epsilon, POLICY.cap, POLICY.lattice)
        flat(session)
        found.append(session.made[0].values)
    return np.stack(found)


def test_a_strategy_added_later_is_planned_too(monkeypatch):
    """Every strategy in the table of strategies is rehearsed, without being named here."""
    monkeypatch.setitem(strategies.STRATEGIES, "another", strategies.flat)
    plan = dm.plan(GRID, POLICY, units=50)
    assert {row.strategy for row in plan.expected} == set(strategies.STRATEGIES) >= {"another"}
    assert all(set(preview.maps) == set(strategies.STRATEGIES) for preview in plan.previews)


def test_the_recommendation_is_the_finest_that_shows_half(made):
    """Of the cell sizes at the policy's epsilon the one marked is the finest that shows half of the points cell by cell."""
    here = [option for option in made.options if option.epsilon == "0.5"]
    (chosen,) = [option for option in made.options if option.chosen]
    assert chosen == max(
        (option for option in here if option.single >= 0.5), key=lambda option: option.cells
    )
    assert chosen.cell in made.advice


def test_without_a_grid_a_cell_size_is_found():
    """Given an area only, the plan's grid has the recommended cells; more epsilon never asks for coarser ones."""
    area = shapely.box(-4.0, 56.0, -3.5, 56.3)
    found = [
        dm.plan(area, dm.Policy(epsilon=epsilon, unit="who", cap=2), units=800).grid.cells_inside
        for epsilon in (1, 8)
    ]
    assert found[0] <= found[1]


def test_hopeless_plans_say_so():
    """When no cell size shows half of the points, the advice says what to change."""
    plan = dm.plan(GRID, dm.Policy(epsilon="0.001", unit="who", cap=50), units=3)
    assert "No cell size" in plan.advice and "Raise epsilon" in plan.advice


@pytest.mark.matrix(2)
@pytest.mark.parametrize("kind", ["hexagons", "areas", "masked", "degrees", "one cell"])
def test_any_grid_can_be_planned(kind, tmp_path):
    """Hexagons, polygon areas, masks, degrees and a single cell all give a plan that draws."""
    mask = np.zeros((6, 7), dtype=bool)
    mask[1:4, 2:6] = True
    import geopandas as gpd

    districts = gpd.GeoDataFrame(
        geometry=[shapely.box(i, 50, i + 1, 51) for i in range(4)], crs="EPSG:4326"
    )
    grid = {
        "hexagons": lambda: dm.Grid.hexagons((-4, 56, -3.8, 56.1), resolution=6),
        "areas": lambda: dm.Grid.areas(districts),
        "masked": lambda: dm.Grid(
            cells=dm.Grid(bounds=(0, 0, 7, 6), shape=(6, 7), crs="EPSG:3857").cells,
            crs="EPSG:3857",
            mask=mask,
        ),
        "degrees": lambda: dm.Grid(bounds=(0, 50, 1, 51), shape=(5, 5), crs="EPSG:4326"),
        "one cell": lambda: dm.Grid(bounds=(0, 0, 1, 1), shape=(1, 1), crs="EPSG:3857"),
    }[kind]()
    plan = dm.plan(grid, POLICY, units=60)
    assert all(math.isfinite(row.cell_error) for row in plan.expected)
    plan.draw(tmp_path / "plan.png")
    assert plan.advice in summary(plan)


def test_a_coarser_grid_covers_the_same_ground():
    """The alternatives of a masked grid hold every cell of it."""
    from dpmap.steward.planning.planner import _alternatives

    mask = np.tri(5, 7, dtype=bool)
    base = dm.Grid(bounds=(0, 0, 7, 5), shape=(5, 7), crs="EPSG:3857")
    grid = dm.Grid(cells=base.cells, crs="EPSG:3857", mask=mask)
    x, y = landscapes.centres(grid)
    for other in _alternatives(grid):
        assert (other.locate(x, y) >= 0).all()


def test_figures_are_those_of_the_map():
    """Places, their sizes, widths and shares are what one counts by hand on a small map."""
    grid = dm.Grid(bounds=(0, 0, 6000, 1000), shape=(1, 6), crs="EPSG:6933")
    truth = np.array([[60.0, 10, 10, 20, 0, 0]])
    place = np.array([[0, 1, 1, 2, 3, 3]])
    estimate, told = np.array([50.0, 20, 30, 1]), np.array([True, True, False, True])
    places = Patches(
        grid, place, estimate, estimate - [10.0, 5, 25, 1], estimate + [10.0, 5, 25, 1], told
    )
    found = predicted_map.measure_map("by hand", 0.2, places, truth)
    one = grid.square_km[0, 0]
    assert (found.places, found.place_km2, found.within) == (
        2,
        pytest.approx(one),
        pytest.approx(0.2),
    )
    assert (found.single, found.told, found.own_from) == (
        pytest.approx(0.6),
        pytest.approx(0.8),
        60,
    )


def test_empty_land_is_cleared_where_its_interval_lies_below_what_is_told_from_noise():
    """The share is counted over empty cells, on the rehearsed map's own intervals; where hardly any land is empty none is said."""
    grid = dm.Grid(bounds=(0, 0, 20_000, 20_000), shape=(20, 20), crs="EPSG:6933")
    truth = np.zeros(grid.shape)
    truth[:2] = 50.0
    rehearsal = rehearse_map(truth, grid, POLICY, strategy="flat")
    _, high = rehearsal.reading.interval(0.9)
    least = planner.plan(grid, POLICY, units=300).noise.detectable
    assert (
        predicted_map.share_cleared(rehearsal, truth, POLICY) == (high[truth == 0] < least).mean()
    )
    assert math.isnan(predicted_map.share_cleared(rehearsal, truth + 1, POLICY))


@pytest.mark.deep
def test_promises_of_places_hold_on_other_land():
    """Maps of land that is like none of the library's lie within the ranges; one in ten may not, and half never do not."""
    grid = dm.Grid(bounds=(0, 0, 24_000, 24_000), shape=(24, 24), crs="EPSG:6933")
    maps, _ = predicted_map.library(grid, POLICY, 2000)
    ranges = {
        one.figure: one
        for one in predicted_map.promised_ranges(maps, grid)
        if one.land == "any shape"
    }
    y, x = np.mgrid[:24, :24] / 24
    lands = [np.abs(np.hypot(x - 0.5, y - 0.5) - 0.3) < 0.06, np.exp(-8 * x), (np.sin(12 * x) * np.sin(9 * y)) ** 8,
             0.1 + (x > 0.6) * y, np.exp(-((x - y) ** 2) / 0.005)]  # fmt: skip
    held = []
    for land in lands:
        truth = landscapes.spread(
            grid, landscapes.points(land.ravel() / land.sum(), 2000, "another")
        )
        places = predicted_map.rehearse_map(truth, grid, POLICY, strategy="adaptive").patches(0.9)
        found = predicted_map.measure_map("another", 0.1, places, truth)
        for figure, one in ranges.items():
            low, high = (math.inf if end is None else end for end in (one.low, one.high))
            held.append(low * (1 - 1e-9) <= getattr(found, figure) <= high * (1 + 1e-9))
    assert np.mean(held) > 0.5
    assert {one.land for one in predicted_map.promised_ranges(maps, grid)} == {
        "any shape",
        "gathered",
        "uneven",
        "even",
    }


def test_a_raster_promises_one_number(tmp_path):
    """With a public raster the promise says about how much; what it says of a map as rich as this comes true within 20 %."""
    values = np.ones((12, 16), np.float32)
    plan = dm.plan(
        GRID,
        dm.Policy(epsilon=20, unit="who", cap=1),
        units=100_000,
        like=raster(tmp_path / "even.tif", values=values),
    )
    about = {one.figure: one.middle for one in plan.promise}
    assert {one.land for one in plan.promise} == {"like even"}
    assert about["places"] == pytest.approx(192, rel=0.2) and about["single"] == pytest.approx(
        1, rel=0.2
    )
    assert (
        about["place_km2"] == pytest.approx(GRID.square_km.mean(), rel=0.2)
        and about["within"] < 0.05
    )
    assert "rehearsals with the true noise on even" in summary(plan)


def test_large_grids_are_rehearsed_on_a_part():
    """A grid of many cells is stood in for by a square of its cells, with as many points to a cell, and the plan says so."""
    grid = dm.Grid(bounds=(0, 0, 100_000, 100_000), shape=(100, 100), crs="EPSG:6933")
    part = predicted_map.sheet(grid)
    assert part.cells_inside == predicted_map.MOST_CELLS < grid.cells_inside
    assert part.square_km.mean() == pytest.approx(grid.square_km.mean(), rel=0.01)
    assert predicted_map.sheet(GRID) is GRID
    assert f"on a square of {predicted_map.MOST_CELLS:,}" in summary(
        dm.plan(grid, POLICY, units=20_000)
    )


def test_nothing_is_promised_of_cells_that_stand_out(made):
    """The plan speaks of what the map shows, places, and of nothing that it does not."""
    for told in (summary(made), page(made)):
        assert (
            "What the map will show" in told
            and "stand out" not in told
            and "places of which the colour is told" in told
        )


def test_with_a_raster_points_follow_it(tmp_path):
    """A raster on the grid's own cells gives their shares; missing and negative values count nothing."""
    values = np.full((12, 16), -5, dtype=np.float32)
    values[3, 4], values[8, 9], values[0, 0] = 1, 3, np.nan
    share = landscapes.spread(
        GRID, landscapes.like(raster(tmp_path / "r.tif", values=values), GRID)
    )
    assert share[3, 4] == pytest.approx(0.25, rel=1e-3) and share[8, 9] == pytest.approx(
        0.75, rel=1e-3
    )
    plan = dm.plan(GRID, POLICY, units=100, like=tmp_path / "r.tif")
    assert {row.shape for row in plan.expected} == {"r"}
    assert plan.previews[0].truth[8, 9] > plan.previews[0].truth[3, 4] > 0


def test_a_raster_in_another_crs_is_resampled(tmp_path):
    """A raster in degrees reaches a grid in metres."""
    raster(
        tmp_path / "r.tif",
        bounds=(-1, -1, 1, 1),
        crs="EPSG:4326",
        values=np.ones((40, 40), np.float32),
    )
    assert landscapes.like(tmp_path / "r.tif", GRID) == pytest.approx(
        np.full(192, 1 / 192), rel=0.01
    )


def test_rasters_that_will_not_do_are_one_line(tmp_path):
    """Another extent, no CRS, nothing in it, no raster, no file, a folder: one line each, naming the flag."""
    (tmp_path / "text.tif").write_text("no raster")
    zeros = np.zeros((12, 16), np.float32)
    for path in (
        raster(tmp_path / "elsewhere.tif", bounds=(10**6, 0, 10**6 + 16_000, 12_000)),
        raster(tmp_path / "half.tif", bounds=(0, 0, 8_000, 12_000)),
        raster(tmp_path / "empty.tif", values=zeros),
        tmp_path / "text.tif",
        tmp_path / "none.tif",
        tmp_path,
    ):
        with pytest.raises(BadInput, match="like") as told:
            dm.plan(GRID, POLICY, like=path)
        assert "\n" not in str(told.value)


def test_the_bargain_for_epsilon():
    """The epsilon found keeps both bounds on drawn noise, and one a little smaller does not."""
    found = dm.epsilon_for(5, error=5, tail="20:1%")
    assert found == Fraction("1.42")
    scale = 5 / float(found)
    assert scale * math.sqrt(2) <= 5 and math.exp(-20 / scale) <= 0.01
    smaller = 5 / (float(found) - 0.01)
    assert smaller * math.sqrt(2) > 5 or math.exp(-20 / smaller) > 0.01
    assert dm.epsilon_for(5, tail="20:0.0001%") > dm.epsilon_for(5, tail=(20, 0.01))


@pytest.mark.parametrize(
    "wrong",
    [{}, {"error": 0}, {"error": "x"}, {"tail": "20"}, {"tail": "20:200%"}, {"tail": (0, 0.1)}],
)
def test_a_bargain_that_makes_no_sense(wrong):
    """No bound, one of nothing, or a chance above one: bad input."""
    with pytest.raises(BadInput):
        dm.epsilon_for(5, **wrong)


def test_tails_are_read():
    """Percent or share."""
    assert parse_tail(" 20 : 1 %") == parse_tail("20:0.01") == (20, 0.01)


@pytest.mark.parametrize(
    "wrong",
    [{"units": 0}, {"units": 2.5}, {"units": 10**9}, {"each": 0}, {"each": 6}, {"each": "many"}],
)
def test_sizes_that_make_no_sense(wrong):
    """Units and points each are checked."""
    with pytest.raises(BadInput):
        dm.plan(GRID, POLICY, **wrong)


def test_a_plan_needs_a_policy_and_a_place():
    """Anything else is told in one line."""
    for where, policy in ((GRID, None), (None, POLICY), ("nowhere.gpkg", POLICY)):
        with pytest.raises(DpmapError):
            dm.plan(where, policy)


def test_a_private_choice_of_cap_is_planned_at_its_most():
    """With cap="auto:..." the noise is that of the ladder's top and of what choosing leaves of epsilon."""
    plan = dm.plan(GRID, dm.Policy(epsilon=1, unit="who", cap="auto:0.2:1-8"), units=40)
    assert plan.noise.scale == pytest.approx(8 / 0.8)
    assert "0.2 of epsilon goes to choosing the cap" in summary(plan)


def test_the_page_fetches_nothing(made, tmp_path):
    """No address outside the page, a policy that forbids any, a description on every picture, nothing unescaped."""
    made.draw(tmp_path / "plan.html")
    text = (tmp_path / "plan.html").read_text()
    assert (
        "default-src 'none'" in text
        and not re.search(r"(src|href)=\"(?!data:)", text)
        and "url(" not in text
    )
    assert text.count("<img alt=") == len(made.previews) and "<script" not in text
    odd = dm.plan(GRID, dm.Policy(epsilon=1, unit="<script>x", cap=2), units=20)
    assert "<script" not in page(odd)


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_pictures_are_written(made, tmp_path, kind):
    """Each format opens with its own first bytes."""
    made.draw(tmp_path / f"plan.{kind}")
    first = (tmp_path / f"plan.{kind}").read_bytes()[:5]
    assert first[: 4 if kind != "svg" else 5] in (b"\x89PNG", b"<?xml", b"%PDF")


def test_an_unknown_picture_is_refused(made, tmp_path):
    """And nothing is left behind."""
    with pytest.raises(BadInput, match="plan.html"):
        made.draw(tmp_path / "plan.docx")
    assert not list(tmp_path.iterdir())


def test_frames_json_and_words(made):
    """The tables are frames, the plan is plain values, and it says what it is."""
    assert len(made.to_frame()) == len(landscapes.SHAPES) * len(strategies.STRATEGIES)
    assert made.to_frame("options").chosen.sum() == 1
    assert json.loads(json.dumps(made.to_dict()))["noise"]["scale"] == 10
    assert "192 cells" in repr(made) and "<table>" in made._repr_html_()
    assert set(made.to_frame("promise").figure) == set(predicted_map.FIGURES)
    assert "Infinity" not in json.dumps(made.to_dict()) and "NaN" not in json.dumps(made.to_dict())
    with pytest.raises(BadInput):
        made.to_frame("other")


def test_points_are_the_same_in_every_plan():
    """Shapes do not change from one plan to the next, and none loses a point."""
    share = landscapes.invent("clusters", GRID)
    assert (landscapes.points(share, 777, "a") == landscapes.points(share, 777, "a")).all()
    assert landscapes.points(share, 777, "a").sum() == 777
    assert landscapes.points(share, 5_000_000, "a").sum() == 5_000_000


def test_a_plan_says_what_it_costs_to_trust_nobody():
    """The standard error of the same map from answers that devices randomise, beside that of a curator's; none out of reach."""
    made = dm.plan(GRID, dm.Policy(epsilon=2, unit="who", cap=1), units=900)
    asked = dm.local.ask(GRID, 2, title="t", text="w")
    draw, cells = np.random.default_rng(4), 20_000
    support = draw.binomial(900, float(asked.other), cells)
    estimates = (support - 900 * float(asked.other)) / float(asked.truth - asked.other)
    assert made.on_devices == pytest.approx(estimates.std(), rel=0.05)
    assert made.to_dict()["on_devices"] == made.on_devices
    assert "if nobody is trusted" in summary(made)
    assert f"{made.on_devices / made.noise.standard_error:.3g} times" in summary(made)
    for epsilon in ("0.001", "100"):
        far = dm.plan(GRID, dm.Policy(epsilon=epsilon, unit="who", cap=1), units=900)
        assert far.on_devices is None
        assert "nobody is trusted" not in summary(far)
