"""One piece of land has one answer: cells, places, zones, hot spots, the page and the layer for a GIS agree, whoever asks."""

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
import shapely
from builders import records
from builders.pages import Watch, driver, in_page, launched

from dpmap.grid import Grid, Partition
from dpmap.grid import crs as crs_tools
from dpmap.grid.polygon_cells import Areas
from dpmap.record import Measurement
from dpmap.releases.merge import merge
from dpmap.releases.release import Release

NUMBERS = ["estimate", "low", "high"]
SINGLE = 2e-5
"""Pages hold beliefs and areas in single precision."""
SQUARES = Grid(bounds=(4e6, 3e6, 4.1e6, 3.1e6), shape=(20, 20), crs="EPSG:3035")
COAST = Grid.covering(
    shapely.Polygon([(-5, 56), (-4.2, 56.7), (-3.5, 56.6), (-3.6, 56.1)]), cell="5 km"
)


def held(grid):
    """Invented totals: a town, a park, and nearly empty land."""
    across = np.linspace(0, 1, grid.cells_inside)
    town = 300 * np.exp(-(((across - 0.3) / 0.01) ** 2))
    return np.floor(
        town + 25 * np.exp(-(((across - 0.7) / 0.1) ** 2)) + (np.arange(grid.cells_inside) % 7 == 0)
    )


def released(grid, partitions=(), *, seed=5, delta=None, name="Owls"):
    """A release of these totals with noise of the true law, each of the partitions measured."""
    partitions = partitions or [Partition.cells(grid)]
    policy = records.promise(epsilon="1", cap=3, delta=delta)
    cells = np.zeros(grid.shape)
    cells[grid.inside] = held(grid)
    dice = np.random.default_rng(seed)
    measurements = []
    for partition in partitions:
        scale = policy.scale * len(partitions)
        law = dice.laplace if delta is None else dice.normal
        noise = law(0, float(scale * policy.lattice), partition.regions).round()
        noisy = (partition.sums(cells) * policy.lattice + noise).astype(np.int64)
        measured = Measurement(
            partition,
            noisy,
            lattice=policy.lattice,
            scale=scale,
            epsilon=policy.epsilon,
            kind=policy.noise,
        )
        measurements.append(measured)
    strategy = "flat" if len(partitions) == 1 else "blocks"
    return Release(
        records.record(grid, policy, measurements, name, {"noun": "owls"}, strategy=strategy)
    )


def blocks(grid, side=4):
    """Cells by themselves in the middle of the map, blocks around."""
    row, column = np.indices(grid.shape)
    alone = (abs(row - grid.shape[0] / 2) < 5) & (abs(column - grid.shape[1] / 2) < 5)
    labels = np.where(alone, 10_000 + row * 100 + column, row // side * 100 + column // side)
    labels[~grid.inside] = -1
    known, labels = np.unique(labels, return_inverse=True)
    return Partition(labels.reshape(grid.shape) - (known[0] < 0))


def districts():
    """Areas of unequal size."""
    east = np.cumsum(np.r_[0, np.tile([9e3, 15e3, 6e3, 20e3], 3)])
    shapes = [
        shapely.box(4e6 + west, 3e6 + south, 4e6 + more, 3e6 + south + 12e3)
        for west, more in zip(east[:-1], east[1:], strict=True)
        for south in (0, 12e3, 24e3, 36e3)
    ]
    names = tuple(f"District {number}" for number in range(len(shapes)))
    return Grid(cells=Areas(np.array(shapes), names), crs="EPSG:3035")


def partners():
    """Two partners' maps in one, the other measured in blocks of nine cells on a part of the land."""
    part = Grid(bounds=(4e6, 3e6, 4.06e6, 3.1e6), shape=(20, 12), crs="EPSG:3035")
    row, column = np.indices(part.shape)
    coarse = Partition(row // 3 * 4 + column // 3)
    return merge([released(SQUARES, name="A"), released(part, [coarse], seed=6, name="B")])


RELEASES = {
    "flat": lambda: released(SQUARES),
    "with a delta": lambda: released(SQUARES, delta="1e-6"),
    "adaptive": lambda: released(SQUARES, [Partition.whole(SQUARES), blocks(SQUARES)]),
    "along a coast": lambda: released(COAST, [Partition.whole(COAST), blocks(COAST)]),
    "hexagons": lambda: released(Grid.hexagons(shapely.box(-4.6, 56.1, -3.6, 56.7), resolution=6)),
    "areas": lambda: released(districts()),
    "merged": partners,
}


@pytest.fixture(scope="module", params=RELEASES)
def release(request):
    """Each release in turn."""
    return RELEASES[request.param]()


def lands(grid, count=12):
    """Sets of whole cells, by their numbers: lone ones, and such as a hand would draw around."""
    draw = np.random.default_rng(2)
    middles = shapely.get_coordinates(shapely.centroid(grid.polygons()))
    reach = float(np.ptp(middles, axis=0).max())
    found = [np.array([number]) for number in draw.integers(0, len(middles), 4)]
    while len(found) < count:
        far = np.hypot(*(middles - middles[draw.integers(len(middles))]).T)
        found.append(np.flatnonzero(far < reach * draw.uniform(0.05, 0.4)))
    return found


def outline(grid, cells):
    """The polygon of whole cells."""
    return shapely.union_all(grid.polygons()[cells])


def asked(release, shapes):
    """The answers to zones in the map's own CRS."""
    return release.ask(gpd.GeoDataFrame(geometry=list(shapes), crs=release.grid.crs))


def same(one, other, slack=1e-6):
    """Holds estimates, intervals and verdicts against each other."""
    for name in NUMBERS:
        np.testing.assert_allclose(
            np.array(one[name], float), np.array(other[name], float), rtol=slack, atol=slack
        )
    assert (
        np.array(one["distinguishable"], bool) == np.array(other["distinguishable"], bool)
    ).all()
    assert (np.array(one["distinguishable"], bool) == (np.array(one["low"], float) > 0)).all()


def test_cells_add_up_to_zones(release):
    """The estimate of a zone of whole cells is what its cells add up to, and a zone of one cell has the cell's own answer."""
    cells, found = release.to_geodataframe(), lands(release.grid)
    answers = asked(release, [outline(release.grid, land) for land in found])
    assert (answers["cells_cut"] == 0).all()
    np.testing.assert_allclose(
        answers["estimate"], [cells["estimate"].to_numpy()[land].sum() for land in found]
    )
    one = [number for number, land in enumerate(found) if len(land) == 1]
    same(answers.iloc[one], cells.iloc[[int(found[number][0]) for number in one]])


def test_places_are_zones(release):
    """Whoever asks about the very land of a place is told what the place is told to hold."""
    places = release.patches()
    same(places, asked(release, places.geometry))


def test_hot_spots_are_zones(release):
    """A hot spot is told to hold what any zone of its land is, though the map itself chose it."""
    if release.record.partners:
        return
    spots = release.hotspots().to_geodataframe()
    if len(spots):
        same(spots, asked(release, spots.geometry))


def test_layers_for_a_gis_say_the_same(release, tmp_path):
    """Cells and places in a GeoPackage have the numbers and verdicts that Python gives."""
    release.export(tmp_path / "cells.gpkg")
    cells = gpd.read_file(tmp_path / "cells.gpkg", layer="cells")
    same(cells, release.to_geodataframe())
    same(gpd.read_file(tmp_path / "cells.gpkg", layer="patches"), release.patches())


@pytest.fixture(scope="module")
def browser():
    """One Chromium for the whole file."""
    with driver(), launched() as running:
        yield running


def test_the_page_says_the_same(release, browser, tmp_path):
    """The page's cells, places and project areas have the answers that Python gives, verdict and all."""
    release.draw(tmp_path / "map.html")
    watch = Watch(browser)
    page = watch.open(tmp_path / "map.html")
    cells = release.to_geodataframe()
    shown = in_page(page, """() => { const { reading, places } = dpmap.page;
        const of = (count, value) => Array.from({ length: count }, (_, i) => value(i));
        const cells = Object.fromEntries(["estimate", "low", "high"].map((name) => [name, of(reading.count, reading[name])]));
        return { cells: { ...cells, distinguishable: Array.from(reading.sure) },
                 table: Object.fromEntries(["estimate", "low", "high"].map((name) => [name, Array.from(places[name])])) }; }""")  # fmt: skip
    same(shown["cells"], cells, SINGLE)
    same(
        {**shown["table"], "distinguishable": np.array(shown["table"]["low"]) > 0},
        release.patches(),
        SINGLE,
    )
    found = lands(release.grid)
    answers = asked(release, [outline(release.grid, land) for land in found])
    areas = in_page(page, """(lands) => lands.map((within) => { const { reading } = dpmap.page;
        const sum = within.reduce((total, cell) => total + reading.estimate(cell), 0);
        return { estimate: sum, ...reading.believed.zone({ within, cut: [], shares: [] }, sum) }; })""",
        [land.tolist() for land in found])  # fmt: skip
    told = pd.DataFrame(areas)
    same(told.assign(distinguishable=told["low"] > 0), answers, SINGLE)
    watch.close()


@pytest.mark.parametrize("name", ["flat", "adaptive", "areas", "merged"])
def test_areas_drawn_on_the_page_have_the_zones_answers(name, browser, tmp_path):
    """A polygon that is drawn on the page, cutting cells, has the answer of `ask`, with the same words."""
    release = RELEASES[name]()
    release.draw(tmp_path / "map.html")
    watch = Watch(browser)
    page = watch.open(tmp_path / "map.html")
    west, south, east, north = shapely.total_bounds(
        crs_tools.transform_shapes(
            release.grid.polygons(), release.grid.crs, crs_tools.LONLAT, step=1e4
        )
    )
    draw = np.random.default_rng(4)
    zones = [
        shapely.Point(draw.uniform(west, east), draw.uniform(south, north)).buffer(
            draw.uniform(0.05, 0.3)
        )
        for _ in range(8)
    ]
    answers = release.ask(gpd.GeoDataFrame(geometry=zones, crs="EPSG:4326"))
    for zone, answer in zip(zones, answers.itertuples(), strict=True):
        told = in_page(
            page,
            "(ring) => dpmap.page.areas.zones.total([ring])",
            [list(at) for at in zone.exterior.coords],
        )
        assert told["note"].replace(" % of", "% of") == answer.note
        if answer.cells_inside + answer.cells_cut:
            for column in NUMBERS:
                assert told["found"][column] == pytest.approx(
                    getattr(answer, column), rel=1e-4, abs=1e-4
                )
            assert (told["found"]["low"] > 0) == answer.distinguishable
    watch.close()


def test_any_level_has_one_answer():
    """At any level cells and zones have the same interval, and the verdict goes with it."""
    release = RELEASES["flat"]()
    for level in (0.5, 0.8, 0.95):
        cells = release.to_geodataframe(level)
        answers = release.ask(
            gpd.GeoDataFrame(geometry=cells.geometry[::37], crs=release.grid.crs), level
        )
        same(answers, cells.iloc[::37])


def test_the_verdicts_hold():
    """Of lone cells of nothing that a map is told of, at most one in ten is said to hold something surely, and a town is."""
    empty = np.flatnonzero(held(SQUARES) == 0)
    town = int(held(SQUARES).argmax())
    wrong = []
    for seed in range(12):
        sure = released(SQUARES, seed=seed).to_geodataframe()["distinguishable"].to_numpy()
        wrong.append(sure[empty].mean())
        assert sure[town]
    assert np.mean(wrong) < 0.1
