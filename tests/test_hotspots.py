"""Hot spots: few of them are false, however the cells depend on each other, and their totals hold in hindsight."""

from fractions import Fraction

import numpy as np
import pytest
import shapely
from builders import records
from scipy.stats import false_discovery_control

import dpmap as dm
from dpmap.errors import BadInput
from dpmap.grid import Partition
from dpmap.inference import count_regions, discoveries, distinguishable
from dpmap.inference.flat_estimate import FlatEstimate
from dpmap.inference.hotspots import Search
from dpmap.maps import read_map
from dpmap.noise.theory import chosen_sum_quantile, laplace_log_mgf
from dpmap.record import Measurement

LATTICE = 1 << 20


def measured(grid, totals, scale, rng, partition=None):
    partition = partition or Partition.cells(grid)
    values = np.asarray(totals, dtype=float) + rng.laplace(0, scale, partition.regions)
    steps = np.rint(values * LATTICE).astype(np.int64)
    return Measurement(
        partition, steps, lattice=LATTICE, scale=Fraction(scale), epsilon=Fraction(1)
    )


def found_in(grid, made, threshold=None, rate=0.1, level=0.9):
    record = records.record(
        grid, dm.Policy(epsilon=1, unit="who", cap=1), made, "Owls", strategy="flat"
    )
    return read_map(record).hot_spots(threshold, rate, level)


def square(side=16):
    return dm.Grid(bounds=(0, 0, side * 1000, side * 1000), shape=(side, side), crs="EPSG:3035")


def peaks(grid, rng, base=20.0, high=60.0, count=6):
    truth = np.full(grid.cells_inside, base)
    truth[rng.choice(grid.cells_inside, count, replace=False)] += high
    return truth


def excess_over_ring(grid, truth, near=2, far=4):
    """The true contrast of each cell, by looking at every pair of cells."""
    row, column = np.divmod(np.arange(grid.size), grid.shape[1])
    steps = np.maximum(np.abs(row[:, None] - row), np.abs(column[:, None] - column))
    ring = (steps >= near) & (steps <= far)
    return truth - (ring @ truth) / ring.sum(axis=1)


@pytest.mark.parametrize("rate", [0.1, 0.3])
@pytest.mark.parametrize("kind", ["threshold", "surroundings"])
@pytest.mark.parametrize("base", ["level", "sloped"])
def test_false_discoveries_stay_at_the_stated_rate(kind, rate, base):
    """Over simulated maps the mean share of false cells among the chosen is at most the rate, at the very edge of the
    null (many cells exactly at the threshold, or at their surroundings' level).
    """
    grid, rng = square(12), np.random.default_rng(3)
    shares, power = [], []
    for _ in range(400):
        truth = peaks(grid, rng)
        truth += np.linspace(0, 30, grid.size) if base == "sloped" else 0
        limit = 20.0 if kind == "threshold" else None
        true = truth > 20 if kind == "threshold" else excess_over_ring(grid, truth) > 1e-9
        chosen = Search(grid, measured(grid, truth, 5, rng), limit, rate).find().ravel()
        shares.append((chosen & ~true).sum() / max(1, chosen.sum()))
        power.append((chosen & (truth >= 80)).sum() / (truth >= 80).sum())
    assert np.mean(shares) <= rate + 2 * np.std(shares) / 20
    assert np.mean(power) > 0.8


@pytest.mark.parametrize("method", ["bh", "by"])
@pytest.mark.parametrize("digits", [2, 17])
def test_the_choice_is_the_step_up_of_the_papers(method, digits):
    """The largest k of which k p-values are at most k rate / m, by the definition in exact fractions and as SciPy chooses; cells
    that cannot be tested count neither as tests nor as chosen, and equal p-values are chosen together.
    """
    rng = np.random.default_rng(5)
    for tests in (0, 1, 2, 7, 60, 400):
        p_values = np.round(rng.random(tests + 3) ** 4, digits)
        p_values[rng.choice(tests + 3, 3, replace=False)] = np.nan
        ordered = [Fraction(p) for p in np.sort(p_values[np.isfinite(p_values)])]
        rate = Fraction(137, 1000)
        share = (
            rate / sum(Fraction(1, k) for k in range(1, tests + 1))
            if method == "by" and tests
            else rate
        )
        passing = [p for k, p in enumerate(ordered, start=1) if p <= share * k / max(tests, 1)]
        expected = p_values <= float(max(passing, default=-1))
        found = discoveries(p_values, float(rate), method=method)
        assert np.array_equal(found, expected)
        known = np.isfinite(p_values)
        theirs = false_discovery_control(p_values[known], method=method) <= float(rate)
        assert np.array_equal(found[known], theirs) and not found[~known].any()


def test_pure_noise_has_almost_no_hot_spots():
    """On an empty map any choice is false, so maps with one are no more frequent than the rate."""
    grid, rng = square(), np.random.default_rng(8)
    made = [
        Search(grid, measured(grid, np.zeros(grid.size), 5, rng), None, 0.1).find()
        for _ in range(400)
    ]
    assert np.mean([found.any() for found in made]) <= 0.13


@pytest.mark.parametrize("weight", [1 / 72, 0.2, 0.6])
def test_the_contrasts_p_value_is_never_too_small(weight):
    """The bound lies above the simulated tail, and near it where the surroundings are many."""
    rng = np.random.default_rng(6)
    count = round(1 / weight)
    noise = rng.laplace(0, 1, 400_000) - weight * rng.laplace(0, 1, (count, 400_000)).sum(axis=0)
    growth = count * float(laplace_log_mgf(np.array([weight]), 1.0, LATTICE)[0])
    for c in (0.0, 0.5, 1.0, 2.0, 4.0, 6.0):
        bound, tail = min(1.0, 0.5 * np.exp(growth - c)), (noise >= c).mean()
        assert bound >= tail - 4 * np.sqrt(tail / 400_000)
        assert bound <= tail * np.exp(growth) * 1.05 + 4 * np.sqrt(tail / 400_000) + 1e-3


def test_the_generating_function_is_the_laws():
    """It equals the sum over the discrete law."""
    k = np.arange(-4000, 4001)
    law = np.exp(-np.abs(k) / 20.0)
    law /= law.sum()
    direct = np.log((law * np.exp(0.03 * k)).sum())
    assert laplace_log_mgf(np.array([0.03 * 4]), 5.0, 4)[0] == pytest.approx(direct, rel=1e-9)


@pytest.mark.parametrize(
    ("chosen", "candidates"), [(1, 50), (3, 50), (10, 50), (50, 50), (2, 1000)]
)
def test_totals_hold_for_sets_chosen_in_hindsight(chosen, candidates):
    """Even the set with the largest noise of all is within the bound as often as stated."""
    rng = np.random.default_rng(9)
    noise = np.sort(rng.laplace(0, 1, (4000, candidates)), axis=1)
    q = chosen_sum_quantile(0.9, chosen, candidates)
    worst = np.maximum(noise[:, -chosen:].sum(axis=1), -noise[:, :chosen].sum(axis=1))
    assert (worst <= q).mean() >= 0.885


def test_clusters_are_neighbouring_chosen_cells():
    """Cells that share an edge or a corner are one cluster; the largest total comes first."""
    grid, rng = square(), np.random.default_rng(2)
    truth = np.zeros(grid.shape)
    truth[2, 2] = truth[3, 3] = truth[3, 4] = 400
    truth[12, 10] = 900
    found = found_in(grid, (measured(grid, truth.ravel(), 2, rng),), threshold=50)
    assert np.array_equal(found.cells, truth > 0) and len(found) == 2
    frame = found.to_geodataframe()
    assert list(frame["cells"]) == [3, 1] and list(frame["area_km2"].round(6)) == [3, 1]
    assert (
        frame["low"][0] <= 1200 <= frame["high"][0] and frame["low"][1] <= 900 <= frame["high"][1]
    )
    assert found.labels[12, 10] == 1 and found.labels[3, 3] == 0 and found.labels[0, 0] == -1
    assert "4 cells in 2 hot spots" in repr(found)


@pytest.mark.parametrize("kind", ["hexagons", "areas", "masked"])
def test_other_kinds_of_cells(kind):
    """A strong peak is found among hexagons, areas and masked squares, above its surroundings and a threshold."""
    area = shapely.Point(-1.5, 40.5).buffer(0.6)
    if kind == "areas":
        import geopandas as gpd

        boxes = [
            shapely.box(x, y, x + 0.2, y + 0.2)
            for x in np.arange(-3, -1, 0.2)
            for y in np.arange(40, 42, 0.2)
        ]
        grid = dm.Grid.areas(gpd.GeoDataFrame(geometry=boxes, crs="EPSG:4326"))
    else:
        grid = (
            dm.Grid.hexagons(area, resolution=6)
            if kind == "hexagons"
            else dm.Grid.covering(area, cell="6 km")
        )
    truth = np.full(grid.cells_inside, 10.0)
    truth[grid.cells_inside // 2] = 500
    made = (measured(grid, truth, 3, np.random.default_rng(1)),)
    for threshold in (None, 100.0):
        found = found_in(grid, made, threshold=threshold)
        assert np.flatnonzero(found.cells[grid.inside]).tolist() == [grid.cells_inside // 2]


def in_blocks(grid):
    """Blocks of 4 x 4 cells, one of which is measured cell by cell."""
    row, column = np.indices(grid.shape)
    blocks = (row // 4) * 4 + column // 4
    inside = (row // 4 == 1) & (column // 4 == 1)
    labels = np.where(inside, 16 + np.cumsum(inside.ravel()).reshape(grid.shape) - 1, blocks)
    return Partition(np.unique(labels, return_inverse=True)[1].reshape(grid.shape))


def test_blocks_are_surroundings_too():
    """Where most land was measured in blocks, a cell measured by itself is held against the blocks around it."""
    grid, rng = square(), np.random.default_rng(7)
    partition, truth = in_blocks(grid), np.full(grid.shape, 5.0)
    truth[5, 5] = 300
    made = measured(grid, partition.sums(truth), 4, rng, partition)
    whole = measured(grid, [truth.sum()], 4, rng, Partition.whole(grid))
    for measurements in ((made,), (whole, made)):
        found = found_in(grid, measurements, rate=0.1)
        assert np.argwhere(found.cells).tolist() == [[5, 5]]
        assert np.isfinite(found.p_values).all()


@pytest.mark.parametrize("threshold", [None, 12])
def test_a_block_is_one_region_in_tests_and_words(threshold):
    """A dense block is found as one region, held against what is around it or, its mean cell, against a threshold; words and
    columns count it once, and what is not there is not named.
    """
    grid, rng = square(), np.random.default_rng(7)
    partition, truth = in_blocks(grid), np.full(grid.shape, 5.0)
    truth[5, 5], truth[12:, 12:] = 300, 40
    made = measured(grid, partition.sums(truth), 4, rng, partition)
    found = found_in(grid, (made,), threshold=threshold)
    assert np.array_equal(found.cells, truth > 5)
    frame = found.to_geodataframe()
    assert list(frame["cells"]) == [16, 1] and list(frame["regions"]) == [1, 1]
    assert "1 cell and 1 block in 2 hot spots" in repr(found)
    assert "0" not in repr(found_in(grid, (made,), threshold=990)).replace("990", "")
    same = np.unique(np.where(found.labels == 0, found.p_values, np.nan))
    assert np.isfinite(same).sum() == 1


def test_the_share_of_false_regions_is_of_regions():
    """Large empty blocks lend single cells no chance of being wrong: each region is one test, whatever its size."""
    grid, rng = square(), np.random.default_rng(11)
    partition, shares = in_blocks(grid), []
    held = np.where((partition.sizes() == 1) & (np.arange(partition.regions) % 3 > 0), 40.0, 0.0)
    for _ in range(200):
        estimate = FlatEstimate(measured(grid, held, 8, rng, partition))
        chosen = distinguishable(estimate)
        alone, blocks = count_regions(estimate, chosen)
        false = np.unique(partition.labels[chosen & (held[partition.labels] == 0)])
        shares.append(len(false) / max(alone + blocks, 1))
        assert chosen.sum() == alone + 16 * blocks
    assert np.mean(shares) <= 0.1 + 5 * np.std(shares) / np.sqrt(200)


@pytest.mark.parametrize("base", ["even", "sloped"])
def test_totals_of_clusters_hold_as_chosen_and_are_not_too_high(base):
    """Of the clusters that many maps of one land find, the stated 90 % of intervals hold, and estimates lie about as often below as above,
    though the noise that made clusters stand out lifted their noisy totals.
    """
    grid, rng = square(24), np.random.default_rng(5)
    truth = peaks(grid, rng, base=3.0, high=40.0, count=40) + (
        np.linspace(0, 20, grid.size) if base == "sloped" else 0
    )
    held, off, raw = [], [], []
    for _ in range(10):
        made = measured(grid, truth, 4, rng)
        found = found_in(grid, (made,))
        known = found.labels.ravel() >= 0
        true, noisy = (
            np.bincount(found.labels.ravel()[known], part[known]) for part in (truth, made.values)
        )
        held += list((found.low <= true) & (true <= found.high))
        off += list((found.estimate - true) / 4)
        raw += list((noisy - true) / 4)
    assert len(held) > 80 and np.mean(held) >= 0.85
    assert abs(np.mean(off)) < 0.3 < np.mean(raw)  # in noise scales


def test_the_adaptive_strategy_keeps_the_rate():
    """The regions were drawn from earlier noise; the false share stays at the rate all the same."""
    from dpmap.strategies.adaptive import adaptive
    from dpmap.vault.session import Session

    grid, rng = square(16), np.random.default_rng(12)
    policy = dm.Policy(epsilon=1, unit="row", cap=5)
    shares = []
    for _ in range(60):
        truth = peaks(grid, rng, high=200.0)
        session = Session(
            truth.reshape(grid.shape), grid, policy.epsilon, policy.cap, policy.lattice
        )
        adaptive(session)
        last = session.made[-1]
        chosen = Search(grid, last, 20.0, 0.1).choose(
            Search(grid, last, 20.0, 0.1).p_values(last.values)
        )
        high = last.partition.sums(truth.reshape(grid.shape)) > 20 * last.partition.sizes()
        shares.append((chosen & ~high).sum() / max(1, chosen.sum()))
        assert (chosen & high).sum() > 0
    assert np.mean(shares) <= 0.1 + 5 * np.std(shares) / np.sqrt(60)


def test_nothing_measured_by_itself_is_no_hot_spot():
    """One block, or one cell without surroundings, is not tested."""
    grid = square(4)
    whole = measured(grid, [1000.0], 2, np.random.default_rng(0), Partition.whole(grid))
    assert len(found_in(grid, (whole,))) == 0
    one = dm.Grid(bounds=(0, 0, 1, 1), shape=(1, 1), crs="EPSG:3035")
    alone = measured(one, [1000.0], 2, np.random.default_rng(0))
    assert len(found_in(one, (alone,))) == 0 and len(found_in(one, (alone,), threshold=5)) == 1
    assert list(found_in(one, (alone,)).to_geodataframe().columns)[:2] == ["cluster", "cells"]


@pytest.mark.parametrize(
    "options",
    [{"rate": 0}, {"rate": 1}, {"level": 2}, {"threshold": -1}, {"threshold": float("nan")}],
)
def test_bad_options_are_one_line(options):
    """Rates, levels and thresholds out of range are refused."""
    grid = square(4)
    with pytest.raises(BadInput):
        found_in(grid, (measured(grid, np.zeros(16), 2, np.random.default_rng(0)),), **options)
