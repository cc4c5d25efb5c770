"""What a sparse release tells its readers: zones, high cells and a picture, with bounds that hold."""

import json
import zipfile
from fractions import Fraction
from types import SimpleNamespace

import geopandas as gpd
import numpy as np
import pytest
import shapely
from builders import surveys
from PIL import Image

import dpmap as dm
from dpmap.errors import BadInput
from dpmap.grid import Grid
from dpmap.grid.squares import Squares
from dpmap.grid.zone_overlap import coverage, coverage_in_strips
from dpmap.inference import discoveries, sparse_bounds
from dpmap.render import sparse_blocks
from dpmap.vault.session import Session

SIDE = 40
GROUND = Grid(bounds=(0, 0, SIDE, SIDE), shape=(SIDE, SIDE), crs="EPSG:3857")


def drawn(counts, threshold=8, cap=2):
    """A sparse measurement of public counts."""
    return Session(counts, GROUND, Fraction(1), cap, 2**8).measure_from(
        Fraction(threshold), Fraction(1)
    )


@pytest.mark.parametrize("total", [0, 3, 7, 8, 9, 40])
def test_the_bounds_of_a_zone_hold_although_only_high_cells_are_listed(total):
    """Whatever the cells hold, also where noise alone lists them: the interval of a zone holds its total 9 times in 10."""
    counts, held, fooled = np.full((SIDE, SIDE), 0), 0, 0
    counts[::5, ::2] = total
    for _ in range(120):
        made = drawn(counts)
        low = sparse_bounds.at_least(made, made.values, GROUND.size, 0.95)
        held += low <= counts.sum() <= sparse_bounds.at_most(made, made.values, GROUND.size, 0.95)
        fooled += made.values.sum() - np.sqrt(len(made.values)) * 4 > counts.sum()
    assert held >= 0.78 * 120
    assert total or fooled > 60  # adding up what is listed would not do


def test_the_lower_bound_of_a_zone_is_worth_having():
    """Where cells hold much, the bound finds nearly all of it."""
    counts = np.zeros((SIDE, SIDE))
    counts[10:15, 10:15] = 200
    made = drawn(counts)
    assert 4600 < sparse_bounds.at_least(made, made.values, GROUND.size, 0.95) <= 5100


def test_high_cells_are_few_false_ones():
    """Of the cells said to be above a threshold hardly one in ten is not, counted over many maps."""
    counts, chosen, false = np.zeros((SIDE, SIDE)), 0, 0
    counts[5, :] = 60
    counts[9, :] = 14
    for _ in range(60):
        made = SimpleNamespace(grid=GROUND, measurements=(drawn(counts),))
        spots = sparse_bounds.hotspots(made, 15.0, 0.1, 0.9)
        chosen += len(spots)
        false += int((counts.ravel()[spots.places] <= 15).sum())
    assert chosen > 60 * SIDE * 0.9
    assert false <= 0.14 * chosen
    with pytest.raises(BadInput, match="give a threshold"):
        sparse_bounds.hotspots(made, None, 0.1, 0.9)


def test_the_high_cells_are_those_chosen_among_all():
    """Cells that are not listed count as tests that show nothing."""
    counts = np.random.default_rng(3).integers(0, 40, (SIDE, SIDE))
    made = drawn(counts)
    spots = sparse_bounds.hotspots(
        SimpleNamespace(grid=GROUND, measurements=(made,)), 15.0, 0.1, 0.9
    )
    p_values = np.ones(GROUND.size)
    tail = np.exp(-np.maximum(made.values - 15, 0) / float(made.scale))
    p_values[made.partition.places] = tail / (1 + np.exp(-1 / float(made.scale * made.lattice)))
    assert 0 < len(spots) < len(made.values) < GROUND.size
    assert spots.places.tolist() == np.flatnonzero(discoveries(p_values, 0.1)).tolist()


def test_a_zone_in_strips_is_the_zone():
    """However many rows are looked at together, the covered parts are the same."""
    cells = Squares((0, 0, 30, 20), (20, 30))
    zone = shapely.Point(14, 9).buffer(8.3).difference(shapely.box(10, 5, 13, 30))
    whole, window = coverage(zone, cells)
    expected = np.zeros(cells.shape)
    expected[window] = whole
    for most in (1, 70, 10**6):
        found = np.zeros(cells.shape)
        for part, top, left in coverage_in_strips(zone, cells, most):
            found[top : top + part.shape[0], left : left + part.shape[1]] = part
        assert np.abs(found - expected).max() < 1e-9


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A sparse release over an area with a hole, past what a dense grid holds, most rows in one cell."""
    folder = tmp_path_factory.mktemp("sparse")
    area = shapely.box(0, 0, 1_100_000, 1_100_000).difference(
        shapely.box(200_000, 200_000, 400_000, 400_000)
    )
    frame = gpd.GeoDataFrame(
        geometry=[area.intersection(shapely.box(0, 0, 1_050_000, 1_100_000))], crs="EPSG:3035"
    )
    grid = dm.Grid.covering(frame, cell="100 m", crs="EPSG:3035")
    rows = [(f"p{i}", (500_050, 300_050)[i % 2], 250_050) for i in range(1000)]
    survey = surveys.survey(folder, rows, "who,x,y", x="x", y="y", crs="EPSG:3035")
    policy = dm.Policy(epsilon=1, unit="who", cap=1)
    return surveys.released(survey, folder, grid, policy, strategy="sparse:22"), folder


def test_an_area_past_a_dense_grid_is_covered_and_masked(made):
    """`Grid.covering` lays more cells than a dense grid holds; points outside the area do not count, and no cell there
    is listed; other strategies say what to type.
    """
    release, folder = made
    grid = release.grid
    assert grid.size > 100_000_000 and grid.mask is not None
    places = release.measurements[0].partition.places
    assert grid.mask.ravel()[places].all()
    (at,) = grid.locate(np.array([500_050.0]), np.array([250_050.0]))
    assert abs(release.measurements[0].values[places == at][0] - 500) < 40
    with pytest.raises(BadInput, match="strategy=sparse:20"):
        dm.release(dm.read(folder / "survey.csv", x="x", y="y", crs="EPSG:3035"), grid, dm.Policy(epsilon=1, unit="who", cap=1),
                   ledger=folder / "other", dataset="d", budget=1)  # fmt: skip


def test_a_sparse_file_is_of_the_second_format(made):
    """A dpmap that knows no sparse files says that it is too old, not that the file is damaged."""
    release, folder = made
    release.save(folder / "r.dpmap")
    with zipfile.ZipFile(folder / "r.dpmap") as archive:
        assert json.loads(archive.read("dpmap.json"))["format_version"] == 2
    opened = dm.open(folder / "r.dpmap")
    assert opened.sparse and opened.grid.cells_inside == release.grid.cells_inside


def test_zones_are_answered_with_what_is_listed_and_what_is_not(made):
    """A zone's interval holds its total, the note says how many cells are not listed, the hole is outside the map."""
    release, _ = made
    boxes = [(499_000, 249_000, 501_000, 251_000), (499_000, 249_000, 501_050, 251_000), (250_000, 250_000, 260_000, 260_000),
             (195_000, 250_000, 205_000, 260_000)]  # fmt: skip
    zones = gpd.GeoDataFrame(
        {"name": list("abcd")}, geometry=[shapely.box(*box) for box in boxes], crs="EPSG:3035"
    )
    whole, cut, hole, half = release.ask(zones).to_dict("records")
    assert (
        whole["low"] <= 500 <= whole["high"]
        and whole["low"] > 400
        and abs(whole["estimate"] - 500) < 40
    )
    assert (whole["cells_inside"], whole["cells_cut"], cut["cells_cut"]) == (400, 0, 20)
    assert whole["note"].startswith("1 of its 400 cells are listed; of the other 399")
    assert hole["note"] == "outside the map" and np.isnan(hole["low"])
    assert half["in_map"] == pytest.approx(0.5, abs=0.01) and "partly outside" in half["note"]


def test_hot_spots_of_a_sparse_release_are_single_cells(made):
    """The cell that holds much is found, with its bounds; one that noise lists is not."""
    spots = made[0].hotspots(60, level=1 - 1e-7)
    assert len(spots) == 1 and spots.low[0] <= 500 <= spots.high[0]
    frame = spots.to_geodataframe()
    assert (
        frame.geometry.iloc[0].contains(shapely.Point(500_050, 250_050))
        and frame.crs == "EPSG:3035"
    )


def test_places_of_a_very_large_grid_hold_no_lattice(made):
    """Places are made of what is listed alone; the other land is the last, without an outline, its area that of the grid."""
    release, _ = made
    frame = release.patches()
    told, rest = frame[frame["told"]], frame.iloc[-1]
    assert abs(told["estimate"].iloc[0] - 500) < 20 * float(release.measurements[0].scale)
    assert told.geometry.iloc[0].buffer(1).contains(shapely.Point(500_050, 250_050))
    assert rest["cells"] == release.grid.cells_inside - len(release.measurements[0].values)
    assert rest["area_km2"] == pytest.approx(release.grid.cells_inside / 100, rel=1e-2)
    assert (
        rest.geometry.is_empty
        and not rest["told"]
        and 22 * rest["cells"] < rest["high"] < 23 * rest["cells"]
    )


def test_listed_spots_are_not_too_high():
    """Cells are listed where noise lifts them; of the spots chosen among them the intervals hold, and estimates lean less upwards."""
    counts, held, off, raw = np.random.default_rng(4).integers(0, 30, (SIDE, SIDE)), [], [], []
    for _ in range(6):
        made = drawn(counts, threshold=12)
        spots = sparse_bounds.hotspots(
            SimpleNamespace(grid=GROUND, measurements=(made,)), 5.0, 0.1, 0.9
        )
        true = counts.ravel()[spots.places]
        held += list((spots.low <= true) & (true <= spots.high))
        off += list(spots.estimate - true)
        raw += list(spots.noisy - true)
    assert np.mean(held) >= 0.88 and np.mean(off) < 0.7 * np.mean(raw)


def test_a_sparse_release_is_drawn_in_blocks(made):
    """Each block has the highest cell listed in it; the rest is blank, and the picture says what that means."""
    release, folder = made
    grid, highest, side = sparse_blocks.blocks(release.record)
    assert max(grid.shape) <= sparse_blocks.MOST and side == 69
    assert np.nanmax(highest) == release.measurements[0].values.max()
    assert np.isfinite(highest).sum() <= len(release.measurements[0].values)
    assert not np.isfinite(highest[~grid.inside]).any()
    release.draw(folder / "map.png", dpi=60)
    with Image.open(folder / "map.png") as picture:
        assert "does not mean that they are empty" in picture.info["Description"]
        assert min(picture.size) > 200
    with pytest.raises(BadInput, match="one way only"):
        release.draw(folder / "map.png", what="low")
    with pytest.raises(BadInput, match="picture"):
        release.draw(folder / "map.html")
