"""What reading seasons together is promised: help where the shape stays, none where it jumped, bounds that are the season's own."""

from fractions import Fraction

import numpy as np
import pytest
import shapely

from dpmap.grid import Grid, Partition
from dpmap.inference import pool_seasons, season_drift
from dpmap.inference.pool_seasons import pool_estimates
from dpmap.inference.raster import Raster
from dpmap.inference.season_drift import DRIFTS, JUMP, SeasonReading, node_variances, split_at_jumps
from dpmap.maps import read_measurements
from dpmap.record import Measurement

SIDE, LATTICE = 16, 1 << 20
GRID = Grid(bounds=(0, 0, SIDE, SIDE), shape=(SIDE, SIDE), crs="EPSG:3857")
RASTER = Raster(GRID)
ROWS, COLUMNS = np.indices((SIDE, SIDE))
HERE = 600 * np.exp(-((ROWS - 4) ** 2 + (COLUMNS - 4) ** 2) / 6) / 19 + 0.2
THERE = HERE[::-1, ::-1]


def asked(truth, random, scale=6.0, sides=(4, 1)):
    """Noisy answers about blocks of these sides; the noise of each question has this scale."""
    found = []
    for side in sides:
        labels = ROWS // side * (SIDE // side) + COLUMNS // side
        partition = Partition(labels.astype(np.int32))
        noisy = partition.sums(truth) + random.laplace(0, scale, partition.regions)
        steps = np.rint(noisy * LATTICE).astype(np.int64)
        found.append(
            Measurement(
                partition,
                steps,
                lattice=LATTICE,
                scale=Fraction(scale),
                epsilon=Fraction(1, len(sides)),
            )
        )
    return tuple(found)


def seasons(shapes, seed, scale=6.0, sides=(4, 1)):
    """A draw of each shape, what was asked of it, and its estimate by itself."""
    random = np.random.default_rng(seed)
    truths = [random.poisson(shape).astype(float) for shape in shapes]
    told = [asked(truth, random, scale, sides) for truth in truths]
    return truths, told, [read_measurements(GRID, one).reading for one in told]


def errors(shapes, season, seeds=range(12), **options):
    """The mean absolute error of a season by itself and stacked."""
    alone, together = [], []
    for seed in seeds:
        truths, told, own = seasons(shapes, seed, **options)
        alone.append(np.abs(own[season].values - truths[season]).mean())
        together.append(
            np.abs(pool_estimates(GRID, told, own)[season].values - truths[season]).mean()
        )
    return np.mean(alone), np.mean(together)


@pytest.mark.parametrize("sides", [(4, 1), (1,)], ids=["adaptive", "flat"])
def test_seasons_of_one_shape_help_one_another(sides):
    """Where the shape stays, the newest of four maps is nearer to its own truth, by a tenth of its error at least."""
    alone, together = errors([HERE] * 4, -1, sides=sides)
    assert together < 0.9 * alone


def test_after_a_jump_the_map_is_its_own():
    """Where the shape jumped, the newest season's map is the very one that it has by itself, and the earlier ones are helped."""
    truths, told, own = seasons([HERE] * 3 + [THERE], 5)
    found = pool_estimates(GRID, told, own)
    assert found[-1] is own[-1]
    assert all(one is not mine for one, mine in zip(found[:-1], own[:-1], strict=True))
    alone, together = errors([HERE] * 3 + [THERE], 0)
    assert together < 0.95 * alone


def test_one_odd_season_stands_apart_from_those_before_and_after():
    """An odd season is split off, whatever its place in the row, and the others stay together."""
    for odd in range(5):
        shapes = [HERE] * odd + [THERE] + [HERE] * (4 - odd)
        _, told, own = seasons(shapes, 3)
        read = [
            SeasonReading.read(RASTER, one, mine.values)
            for one, mine in zip(told, own, strict=True)
        ]
        found = sorted(split_at_jumps(RASTER, read), key=len)
        assert found[0] == [read[odd]] and found[1:] == [
            [one for one in read if one is not read[odd]]
        ]


def test_a_shape_that_changed_for_good_splits_the_row():
    """Seasons before a change help one another, and so do those after it."""
    _, told, own = seasons([HERE] * 2 + [THERE] * 3, 3)
    read = [
        SeasonReading.read(RASTER, one, mine.values) for one, mine in zip(told, own, strict=True)
    ]
    assert split_at_jumps(RASTER, read) == [read[:2], read[2:]]


def test_drift_is_told_by_the_answers():
    """Seasons of one shape are told as hardly drifting, seasons of two as a jump; what is told adds up to 1."""
    for shapes, jumps in (([HERE, HERE], False), ([HERE, THERE], True)):
        truths, told, own = seasons(shapes, 8)
        one, other = (
            SeasonReading.read(RASTER, *each)
            for each in zip(told, (mine.values for mine in own), strict=True)
        )
        found = season_drift.drift_likelihoods(
            RASTER, [one], [other], RASTER.pyramid(np.mean(truths, axis=0), 0)
        )
        assert found.sum() == pytest.approx(1)
        assert (found[DRIFTS >= JUMP].sum() > 0.95) == jumps


def test_a_season_keeps_its_own_size():
    """A season in which twice as many were seen is not pulled to the others' total, and its shape is helped all the same."""
    shapes = [HERE] * 3 + [2 * HERE]
    totals = []
    for seed in range(8):
        truths, told, own = seasons(shapes, seed)
        totals.append(pool_estimates(GRID, told, own)[-1].values.sum() / own[-1].values.sum())
    assert totals == pytest.approx([1.0] * len(totals), abs=0.02)
    alone, together = errors(shapes, -1)
    assert together < 0.95 * alone


def test_bounds_are_the_seasons_own():
    """Bounds hold the estimate and all that the season's own bounds hold; estimates are never negative."""
    _, told, own = seasons([HERE] * 3, 2)
    for one, mine in zip(pool_estimates(GRID, told, own), own, strict=True):
        (low, high), (least, most) = one.interval(0.9), mine.interval(0.9)
        assert (low <= least).all() and (high >= most).all()
        assert (low <= one.values).all() and (one.values <= high).all() and (one.values >= 0).all()
        zone = ROWS < 7
        nothing = np.zeros_like(zone)
        estimate, least, most = one.zone(zone, nothing, 0.9)
        assert (least, most) == mine.zone(zone, nothing, 0.9)[1:] and least <= estimate <= most


def test_the_order_and_other_runs_change_nothing_for_a_pair():
    """Two seasons given in the other order have the same maps."""
    _, told, own = seasons([HERE] * 2, 6)
    one, other = (pool_estimates(GRID, told[::turn], own[::turn])[::turn] for turn in (1, -1))
    for mine, again in zip(one, other, strict=True):
        assert mine.values == pytest.approx(again.values, rel=1e-6, abs=1e-6)


def test_variances_are_those_of_least_squares():
    """A node's variance is that of the best linear mean of all answers about it and inside it."""
    random = np.random.default_rng(0)
    own = SeasonReading.read(RASTER, asked(HERE, random, 3.0, (16, 4)), HERE)
    found = node_variances(RASTER, own.readings)
    each = 2 * 3.0**2
    assert found[2] == pytest.approx(np.full((4, 4), each))
    assert found[0].item() == pytest.approx(1 / (1 / each + 1 / (16 * each)))
    assert (found[4] == season_drift.UNKNOWN).all()


def test_own_answers_weigh_as_the_best_linear_mean_says():
    """The mixture of a season's own answer and of the run's mean has the least variance that any mixture has."""
    own, known, apart, many, within = 5.0, 1 / 2.0, 3.0, 2, 1 / 3
    others = 1 / known + apart * (1 + 1 / many)
    mixed = [w + (1 - w) * within for w in np.linspace(0, 1, 10_001)]
    best = mixed[int(np.argmin([mine**2 * own + (1 - mine) ** 2 * others for mine in mixed]))]
    weight = pool_seasons._season_weight(
        np.array(1 / own), np.array(known), np.array(apart), many, within
    )
    assert float(weight + (1 - weight) * within) == pytest.approx(best, abs=1e-4)


def test_a_sure_season_is_hardly_moved_by_noisy_ones():
    """A season measured much better than the others has a part of the whole in proportion, and stays nearly as it was."""
    random = np.random.default_rng(4)
    told = [asked(random.poisson(HERE), random, scale) for scale in (60.0, 60.0, 0.5)]
    own = [read_measurements(GRID, one).reading for one in told]
    found = pool_estimates(GRID, told, own)[-1]
    assert np.abs(found.values - own[-1].values).sum() < 0.05 * own[-1].values.sum()


def test_weak_seasons_have_a_small_part():
    """A season's part of the whole falls with the variance of its noise and with what a region holds by chance."""
    random = np.random.default_rng(4)
    read = [
        SeasonReading.read(RASTER, asked(HERE, random, scale), HERE) for scale in (30.0, 3.0, 3.0)
    ]
    part = pool_seasons._season_weights(read)
    assert part.sum() == pytest.approx(1) and part[1] == pytest.approx(part[2])
    assert part[1] / part[0] == pytest.approx(
        (2 * 30.0**2 + HERE.mean()) / (2 * 3.0**2 + HERE.mean())
    )


@pytest.mark.parametrize("strange", ["hexagons", "area", "one row"])
def test_other_grids_are_stacked_too(strange):
    """Hexagons, areas with holes and grids of one row have stacked maps: finite inside, none outside, no total lost."""
    bounds = (0, 0, 12_000, 12_000)
    grids = {
        "hexagons": lambda: Grid.hexagons(shapely.box(10, 50, 10.4, 50.3), resolution=6),
        "area": lambda: Grid.covering(shapely.Point(10, 50).buffer(0.2), cell="2 km"),
        "one row": lambda: Grid(bounds=bounds, shape=(1, 12), crs="EPSG:3035"),
    }
    grid = grids[strange]()
    random, cells = np.random.default_rng(1), Partition.cells(grid)
    told = []
    for _ in range(3):
        noisy = 20 + random.laplace(0, 3, cells.regions)
        steps = np.rint(noisy * LATTICE).astype(np.int64)
        told.append(
            (Measurement(cells, steps, lattice=LATTICE, scale=Fraction(3), epsilon=Fraction(1)),)
        )
    own = [read_measurements(grid, one).reading for one in told]
    for one in pool_estimates(grid, told, own):
        assert (
            np.isfinite(one.values[grid.inside]).all() and np.isnan(one.values[~grid.inside]).all()
        )
        assert np.nansum(one.values) == pytest.approx(20 * grid.cells_inside, rel=0.15)
