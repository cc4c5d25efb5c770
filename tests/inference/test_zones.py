"""What answers for zones are promised: all that is known is used, intervals are rehearsed, and the strict bounds are never the narrower."""

from fractions import Fraction

import geopandas as gpd
import numpy as np
import pytest
import shapely
from builders import records
from hypothesis import given
from hypothesis import strategies as st

import dpmap as dm
from dpmap.grid import Partition
from dpmap.inference.patches import zone_intervals
from dpmap.inference.patches.region_tree import Regions
from dpmap.inference.patches.zone_intervals import MeasuredLand, ZoneIntervals, ZoneOverlap
from dpmap.record import Measurement
from dpmap.releases.merge import merge
from dpmap.releases.release import Release

LATTICE = 1 << 20
GRID = dm.Grid(bounds=(0, 0, 32_000, 32_000), shape=(32, 32), crs="EPSG:3035")
NORMAL = 1.645


def measured(truth, partition, scale, dice):
    """One measurement of these cells, its noise from a seed."""
    values = partition.sums(np.asarray(truth, dtype=float)) + dice.laplace(
        0, scale, partition.regions
    )
    steps = np.rint(values * LATTICE).astype(np.int64)
    return Measurement(
        partition, steps, lattice=LATTICE, scale=Fraction(scale), epsilon=1 / Fraction(scale)
    )


def blocks(side, grid=GRID):
    row, column = np.indices(grid.shape)
    return Partition(row // side * (grid.shape[1] // side) + column // side)


def land(seed=0):
    """Cells of a town on thin land."""
    y, x = (np.mgrid[:32, :32] + 0.5) / 32
    return (
        np.random.default_rng(seed)
        .poisson(0.5 + 20 * np.exp(-((x - 0.4) ** 2 + (y - 0.6) ** 2) / 0.02))
        .astype(float)
    )


def release_of(truth, seed=0, grid=GRID, title="Owls"):
    """A release of blocks of 16 cells and of the cells themselves."""
    dice = np.random.default_rng(seed)
    made = [
        measured(truth, blocks(4, grid), 4.0, dice),
        measured(truth, Partition.cells(grid), 2.0, dice),
    ]
    policy = dm.Policy(epsilon="0.75", unit="who", cap=1)
    return Release(records.record(grid, policy, made, title, strategy="adaptive"))


def discs(seed, many=30):
    """Zones that cut most of what they meet, and the share of each cell that they take."""
    dice, cells = np.random.default_rng(seed), GRID.polygons()
    found = [
        shapely.Point(dice.uniform(0, 32_000, 2)).buffer(dice.uniform(1_000, 8_000))
        for _ in range(many)
    ]
    found = [zone.intersection(shapely.box(0, 0, 32_000, 32_000)) for zone in found]
    return found, np.array(
        [shapely.area(shapely.intersection(cells, zone)) for zone in found]
    ) / 1e6


@pytest.fixture(scope="module")
def answered():
    """Answers of releases of one land about discs, with the true totals of evenly spread points."""
    truth, (shapes, shares) = land(), discs(3)
    frame = gpd.GeoDataFrame(geometry=shapes, crs=GRID.crs)
    return shares @ truth.ravel(), [release_of(truth, seed).ask(frame) for seed in range(8)]


def test_intervals_hold_for_zones_that_cut_cells(answered):
    """Of zones laid over the map without looking at it the stated share holds, and with the strict bounds no fewer."""
    truth, answers = answered
    held = np.mean([(one["low"] <= truth) & (truth <= one["high"]) for one in answers])
    strict = np.mean([(one["least"] <= truth) & (truth <= one["most"]) for one in answers])
    assert held >= 0.82 and strict >= held


def test_intervals_are_as_wide_as_the_errors_ask_for(answered):
    """Half an interval of the median zone is less than twice what nine in ten of its errors stay below, and under half the strict one."""
    truth, answers = answered
    off = np.quantile([np.abs(one["estimate"] - truth) for one in answers], 0.9, axis=0)
    half = np.median([(one["high"] - one["low"]) / 2 for one in answers], axis=0)
    strict = np.median([(one["most"] - one["least"]) / 2 for one in answers], axis=0)
    assert np.median(half / off) < 2 and np.median(half) < np.median(strict) / 2


def test_strict_bounds_are_never_the_narrower(answered):
    """At least is at most low, at most is at least high, and the estimate lies between."""
    for one in answered[1]:
        assert (one["least"] <= one["low"]).all() and (one["low"] <= one["estimate"]).all()
        assert (
            (one["estimate"] <= one["high"]).all()
            and (one["high"] <= one["most"]).all()
            and (one["least"] >= 0).all()
        )


def test_a_higher_level_is_wider():
    """Whatever was rehearsed, more confidence takes more room, and no level less than a normal law asks for of certain beliefs."""
    known = ZoneIntervals(GRID, [(GRID, release_of(land()).record.measurements)])
    wide = [known.width_factor(level) for level in (0.5, 0.8, 0.9, 0.95, 0.99, 0.9999)]
    assert wide == sorted(wide) and wide[2] >= NORMAL / np.sqrt(2)


def test_the_same_record_has_the_same_answers():
    """What is rehearsed follows from the record alone."""
    record, zone = (
        release_of(land()).record,
        gpd.GeoDataFrame(geometry=discs(5, 3)[0], crs=GRID.crs),
    )
    assert Release(record).ask(zone).equals(Release(record).ask(zone))


def test_partners_add_up():
    """A merged map's answer is the sum of its partners', and its interval narrower than theirs added up."""
    frame = gpd.GeoDataFrame(geometry=discs(7, 20)[0], crs=GRID.crs)
    parts = [
        release_of(land(seed), seed, title=title) for seed, title in ((1, "Owls A"), (2, "Owls B"))
    ]
    alone, whole = [part.ask(frame) for part in parts], merge(parts).ask(frame)
    unclipped = alone[0]["low"].gt(0) & alone[1]["low"].gt(0)
    assert whole["estimate"].to_numpy() == pytest.approx(
        sum(one["estimate"] for one in alone).to_numpy(), rel=1e-6
    )
    width = [one["high"] - one["low"] for one in (*alone, whole)]
    assert unclipped.sum() > 5 and (width[2] < width[0] + width[1])[unclipped].all()


@given(seed=st.integers(0, 1 << 30))
def test_the_variance_of_shares_is_that_of_the_whole_law(seed):
    """Worked up the tree, the variance of any shares of regions is what the covariance of all regions says."""
    dice = np.random.default_rng(seed)
    grid = dm.Grid(bounds=(0, 0, 4, 4), shape=(4, 4), crs="EPSG:3857")
    made = [
        measured(np.zeros((4, 4)), one, 1.0 + dice.random(), dice)
        for one in (Partition.whole(grid), blocks(2, grid), Partition.cells(grid))
    ]
    tree = Regions.build([one.partition.labels.ravel().astype(np.int64) for one in made], made)
    own = dice.uniform(0.1, 5, 16)
    belief = tree.combine(tree.noisy, tree.noisy[tree.smallest], own)
    precision = np.diag(1 / own)
    for node in np.setdiff1d(np.arange(len(tree.noisy)), tree.smallest):
        inside = np.array([tree.sums(np.eye(16)[one])[node] for one in range(16)])
        precision += np.outer(inside, inside) / tree.variance[node]
    share = dice.random(16) * (dice.random(16) < 0.6)
    met = np.flatnonzero(share)
    found = belief.share_variances(met, np.zeros_like(met), share[met], 1)[0]
    assert found == pytest.approx(share @ np.linalg.inv(precision) @ share, rel=1e-6, abs=1e-12)


def test_a_large_map_is_rehearsed_on_a_part_of_it(monkeypatch):
    """The part holds the regions that lie in it, whole maps are left whole, and widths come out alike."""
    record = release_of(land()).record
    known = ZoneIntervals(GRID, [(GRID, record.measurements)])
    whole = known.parts[0].land
    assert whole.crop(known.parts[0].posterior.mean)[0] is whole
    wide = known.width_factor(0.9)
    monkeypatch.setattr(zone_intervals, "LARGE", 100)
    monkeypatch.setattr(zone_intervals, "SIDE", 16)
    part, held = whole.crop(np.maximum(known.parts[0].posterior.mean, 0))
    assert part.shape == (16, 16) and len(part.at) == 256 and len(held) == 256
    assert sorted(np.bincount(part.regions.cells).tolist(), reverse=True)[:2] == [256, 16]
    assert ZoneIntervals(GRID, [(GRID, record.measurements)]).width_factor(0.9) == pytest.approx(
        wide, rel=0.35
    )


def test_the_rehearsed_zones_follow_from_the_map_s_shape_alone():
    """Discs and corridors of many sizes, each within the map, none more than all of a region."""
    tree = Regions.build(
        [Partition.cells(GRID).labels.ravel().astype(np.int64)],
        [measured(land(), Partition.cells(GRID), 2.0, np.random.default_rng(1))],
    )
    met = MeasuredLand(tree, GRID.shape, np.arange(GRID.size)).sample_zones()
    cells = met.sum_by_zone(met.share)
    assert (
        isinstance(met, ZoneOverlap)
        and met.zones == zone_intervals.ZONES
        and (met.share <= 1).all()
    )
    assert cells.min() < 6 < 100 < cells.max() and np.mean(cells > 2) > 0.8
