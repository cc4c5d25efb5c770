"""Whole maps drawn from what is believed: the same for everybody, never below 0, and as wide as answers for zones state."""

from fractions import Fraction
from pathlib import Path

import geopandas as gpd
import numpy as np
import pytest
import shapely
from builders.records import measured, promise, record

import dpmap as dm
from dpmap.errors import BadInput
from dpmap.grid import Partition
from dpmap.inference.draws import RegionLaw, draw_share
from dpmap.releases.release import Release

SAVED = Path(__file__).parents[1] / "stability" / "saved" / "0.2.0"
SIDE = 48


def released(counts, *, limiter="scale", unit="who", seed=1):
    """A release of these counts on square cells of a kilometre: its blocks, then its cells, with noise from a seed."""
    rows, columns = counts.shape
    grid = dm.Grid(
        bounds=(0, 0, 1_000 * columns, 1_000 * rows), shape=counts.shape, crs="EPSG:3035"
    )
    policy = promise(epsilon="1", unit=unit, cap=1, limiter=limiter)
    row, column = np.indices(counts.shape)
    block = row // 12 * (columns // 12 + 1) + column // 12
    blocks = Partition(np.unique(block, return_inverse=True)[1].reshape(counts.shape))
    dice, measurements = np.random.default_rng(seed), []
    for partition, share in ((Partition.whole(grid), 1), (blocks, 3), (Partition.cells(grid), 6)):
        share = Fraction(share, 10)
        noise = dice.laplace(0, float(policy.scale / share), partition.regions)
        measurements.append(measured(partition, partition.sums(counts), policy, noise, share))
    return Release(record(grid, policy, measurements))


@pytest.fixture(scope="module")
def hills():
    """A release of land with two hills and wide empty plains."""
    row, column = np.indices((SIDE, SIDE))
    dense = sum(np.exp(-((row - y) ** 2 + (column - x) ** 2) / 60) for y, x in ((14, 14), (32, 30)))
    return released(np.random.default_rng(5).poisson(20 * dense).astype(float))


@pytest.fixture(scope="module")
def maps(hills):
    """A hundred maps drawn of it."""
    return hills.draws(100)


def test_the_maps_have_the_grids_shape_and_one_more_axis(hills, maps):
    """`draws(100)` is an array in grid shape, whose last axis counts the maps; no cell is below 0."""
    assert maps.shape == (*hills.grid.shape, 100)
    assert maps.min() >= 0


def test_everybody_draws_the_same_maps_and_few_are_the_first_of_many(hills, maps):
    """The coins follow from the noisy answers and the map's number alone."""
    again = Release(hills.record).draws(7)
    np.testing.assert_array_equal(again, maps[..., :7])


def test_cells_outside_the_area_are_nan_in_every_map():
    """A map of a masked area has no numbers outside it."""
    release = dm.open(SAVED / "masked-squares.dpmap")
    found = release.draws(5)
    np.testing.assert_array_equal(
        np.isnan(found), np.repeat(~release.grid.inside[..., None], 5, axis=-1)
    )


def test_totals_of_zones_lie_about_as_ask_states(hills, maps):
    """Of zones made of whole cells the middle 90 % of the maps' sums is about the interval that `ask` states, and their mean lies within it."""
    dice = np.random.default_rng(8)
    boxes = []
    for side in dice.integers(6, 20, 40):
        row, column = dice.integers(0, SIDE - side, 2)
        boxes.append((row, column, side))
    squares = [
        shapely.box(1_000 * x, 1_000 * (SIDE - y - side), 1_000 * (x + side), 1_000 * (SIDE - y))
        for y, x, side in boxes
    ]
    answers = hills.ask(gpd.GeoDataFrame(geometry=squares, crs="EPSG:3035"))
    sums = np.array([maps[y : y + side, x : x + side].sum((0, 1)) for y, x, side in boxes])
    low, high = np.quantile(sums, (0.05, 0.95), axis=1)
    stated = (answers.high - answers.low).to_numpy()
    full = (answers.estimate > 60).to_numpy()
    assert full.sum() > 20
    assert 0.6 < np.median(((high - low) / stated)[full]) < 1.6
    off = (sums.mean(axis=1) - answers.estimate.to_numpy()) / stated
    assert np.abs(np.median(off[full])) < 0.3
    assert np.abs(off[full]).max() < 1.0


def test_the_maps_add_up_to_what_is_believed_of_the_whole(hills, maps):
    """The mean of the maps' totals is near the total that the release estimates."""
    totals = maps.sum((0, 1))
    assert abs(totals.mean() - hills.estimate.sum()) < 0.15 * hills.estimate.sum()


@pytest.mark.parametrize(
    ("limiter", "unit", "whole"),
    [("sample", "who", True), ("scale", "row", True), ("scale", "who", False)],
)
def test_points_that_were_counted_whole_are_drawn_whole(limiter, unit, whole):
    """Where each point counts as one or not at all, every cell of every map holds a whole number of them."""
    found = released(np.full((20, 20), 2.0), limiter=limiter, unit=unit).draws(3)
    assert bool((found == np.rint(found)).all()) is whole


def test_merged_maps_add_up_both_partners():
    """A map merged from partners' releases is drawn too."""
    release = dm.open(SAVED / "merged.dpmap")
    found = release.draws(40)
    assert np.nanmin(found) >= 0
    assert abs(
        np.nansum(found, axis=(0, 1)).mean() - np.nansum(release.estimate)
    ) < 0.3 * np.nansum(release.estimate)


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("means", r"draws: of a map of means only bounds are known; use interval\(\)"),
        ("sparse", "draws: a sparse release .*; ask about zones instead"),
        ("reports-grr", "draws: of reports of devices .*; use interval"),
        ("kinds", "draws: this release has layers; name one of them, like layer="),
    ],
)
def test_kinds_without_such_a_belief_say_what_to_use_instead(name, instead):
    """One line says why there are no such maps, and what to do."""
    with pytest.raises(BadInput, match=instead):
        dm.open(SAVED / f"{name}.dpmap").draws(3)


def test_a_layer_is_drawn_by_itself():
    """Each layer of a release has its own maps."""
    layer = dm.open(SAVED / "kinds.dpmap").layer("kestrel")
    assert layer.draws(2).shape == (*layer.grid.shape, 2)


@pytest.mark.parametrize("n", [0, -3])
def test_no_maps_are_refused(n, hills):
    """The number of maps is 1 or more."""
    with pytest.raises(BadInput, match="n: how many maps to draw, 1 or more"):
        hills.draws(n)


def test_more_maps_than_memory_holds_are_refused(hills):
    """The line says how many fit."""
    with pytest.raises(BadInput, match="do not fit into memory; draw at most"):
        hills.draws(1_000_000)


def test_a_regions_law_has_its_mean_and_variance():
    """Read at even chances it has about the mean and variance asked for, and is never below 0."""
    chances = (np.arange(200_000) + 0.5) / 200_000
    for mean, variance in ((0.1, 0.5), (2.0, 8.0), (30.0, 60.0)):
        law = RegionLaw.fit(np.full(len(chances), mean), np.full(len(chances), variance))
        found = law.quantile(chances, np.ones(len(chances)))
        assert found.min() >= 0
        assert found.mean() == pytest.approx(mean, rel=0.02)
        assert found.var() == pytest.approx(variance, rel=0.1)


def test_halves_share_by_ground_and_as_unevenly_as_land_is():
    """On average a half has its share of the ground; the more uneven land is the more the share differs."""
    chances = (np.arange(10_000) + 0.5) / 10_000
    ground, total = np.full(10_000, 0.25), np.full(10_000, 1e6)
    even, uneven = (draw_share(ground, total, much, chances) for much in (0.0, 0.3))
    assert even.mean() == pytest.approx(0.25)
    assert uneven.mean() == pytest.approx(0.25, abs=0.01)
    assert even.std() < 0.01 < uneven.std()
