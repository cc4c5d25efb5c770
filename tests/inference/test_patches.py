"""What patches are promised: a partition into places whose colour is told, with intervals that hold for places as chosen."""

from dataclasses import fields
from fractions import Fraction

import geopandas as gpd
import numpy as np
import pytest
import shapely
from builders import records
from builders.sessions import PublicSession
from hypothesis import given
from hypothesis import strategies as st

import dpmap as dm
from dpmap import strategies
from dpmap.errors import BadInput
from dpmap.grid import Partition, Shown
from dpmap.grid import partition as partition_module
from dpmap.grid.layer_axes import Values
from dpmap.inference.patches import mean_patches, region_tree
from dpmap.inference.patches.region_growing import (
    AMPLE,
    RATIO,
    PieceGraph,
    grow_places,
    is_narrow_enough,
)
from dpmap.inference.patches.region_tree import Regions
from dpmap.inference.patches.zone_intervals import ZoneIntervals
from dpmap.record import Measurement, Reports
from dpmap.releases.merge import merge
from dpmap.releases.release import Release, open_release
from dpmap.vault.session import Session

LATTICE = 1 << 20
GRID = dm.Grid(bounds=(0, 0, 32_000, 32_000), shape=(32, 32), crs="EPSG:3035")


def measured(counts, partition, scale, dice):
    values = partition.sums(np.asarray(counts, dtype=float)) + dice.laplace(
        0, float(scale), partition.regions
    )
    steps = np.rint(values * LATTICE).astype(np.int64)
    return Measurement(
        partition, steps, lattice=LATTICE, scale=Fraction(scale), epsilon=1 / Fraction(scale)
    )


def release_of(grid, measurements):
    policy = dm.Policy(epsilon=1, unit="who", cap=1)
    return Release(records.record(grid, policy, measurements, "Owls", strategy="adaptive"))


def released(counts, grid=GRID, epsilon="1", strategy="adaptive", seed=0):
    session = PublicSession(counts, grid, epsilon, seed=seed)
    strategies.find_strategy(strategy)(session)
    return release_of(grid, session.made)


def towns(points=4000, side=32):
    """Three towns of different size on thin land."""
    y, x = (np.mgrid[:side, :side] + 0.5) / side
    density = 0.02 * np.ones((side, side))
    for north, east, width, weight in (
        (0.3, 0.3, 0.05, 6),
        (0.7, 0.6, 0.12, 2),
        (0.2, 0.8, 0.02, 9),
    ):
        density += weight * np.exp(-((y - north) ** 2 + (x - east) ** 2) / 2 / width**2)
    return np.random.default_rng(8).poisson(points * density / density.sum()).astype(float)


def held_by(found, counts):
    """The true total of each place."""
    known = found.place >= 0
    return np.bincount(found.place[known], counts[known], len(found))


def mask_of_two_islands():
    mask = np.zeros((32, 32), dtype=bool)
    mask[2:14, 2:20], mask[20:30, 12:30] = True, True
    return mask


def other_grid(kind):
    if kind == "areas":
        boxes = [
            shapely.box(x, y, x + 0.2, y + 0.2)
            for x in np.arange(-3, -1, 0.2)
            for y in np.arange(40, 42, 0.2)
        ]
        return dm.Grid.areas(gpd.GeoDataFrame(geometry=boxes, crs="EPSG:4326"))
    if kind == "hexagons":
        return dm.Grid.hexagons(shapely.Point(-1.5, 40.5).buffer(0.8), resolution=6)
    return dm.Grid(cells=GRID.cells, crs=GRID.crs, mask=mask_of_two_islands())


@pytest.mark.parametrize("kind", ["squares", "masked", "hexagons", "areas"])
@pytest.mark.parametrize("strategy", ["adaptive", "flat"])
def test_places_are_a_partition_of_the_area(kind, strategy):
    """Every cell lies in one place; the ground adds up and no two places overlap, whatever the cells are."""
    grid = GRID if kind == "squares" else other_grid(kind)
    counts = np.where(grid.inside, 2.0, 0.0)
    counts.flat[np.flatnonzero(grid.inside)[grid.cells_inside // 2]] = 900
    release = released(counts, grid, strategy=strategy)
    frame = release.patches()
    cells = release.grid.to_geodataframe()
    assert list(frame.columns) == [
        "cells",
        "area_km2",
        "estimate",
        "low",
        "high",
        "distinguishable",
        "density",
        "per_km2",
        "told",
        "geometry",
    ]
    assert frame["cells"].sum() == grid.cells_inside and frame.crs == cells.crs
    assert frame["area_km2"].sum() == pytest.approx(grid.square_km[grid.inside].sum())
    assert shapely.area(frame.geometry.values).sum() == pytest.approx(
        shapely.union_all(cells.geometry.values).area
    )
    assert (frame["low"] <= frame["estimate"]).all() and (frame["estimate"] <= frame["high"]).all()
    assert (
        frame["told"].iloc[0] and 0.9 * frame["low"].iloc[0] <= 900 <= 1.1 * frame["high"].iloc[0]
    )
    assert frame["per_km2"].iloc[0] == frame["per_km2"].max()


def test_told_places_have_narrow_intervals():
    """A told density reaches from one value to four times that or stays under half of the mean; where land stands apart, sixteen."""
    found = released(towns())._map.patches(0.9)
    mean = found.estimate.sum() / found.square_km.sum()
    low, high = found.low / found.square_km, found.high / found.square_km
    assert found.told.mean() > 0.98
    low, high = low[found.told], high[found.told]
    narrow = high <= RATIO * np.maximum(low, 1.01 * mean / 8)
    assert (narrow | ((high <= AMPLE * low) & (low >= 0.99 * mean / 8))).all()
    assert narrow.mean() > 0.8


@pytest.mark.parametrize(("points", "epsilon"), [(1500, "0.5"), (4000, "1"), (40_000, "1")])
def test_intervals_hold_for_places_as_chosen(points, epsilon):
    """Of all told places of twenty maps at least 88 % of the stated 90 % intervals hold, and 85 % of the ten strongest."""
    counts, held, top = towns(points), [], []
    for seed in range(20):
        found = released(counts, epsilon=epsilon, seed=seed)._map.patches(0.9)
        true = held_by(found, counts)
        holds = ((found.low <= true) & (true <= found.high))[found.told]
        strongest = np.argsort(-(found.low / found.square_km)[found.told], kind="stable")[:10]
        held.append(holds.mean())
        top += list(holds[strongest])
    assert np.mean(held) >= 0.88
    assert np.mean(top) >= 0.85


def test_the_strongest_are_not_overstated():
    """The totals of the ten densest places are right on average: no winner's curse."""
    counts, off = towns(), []
    for seed in range(20):
        found = released(counts, epsilon="0.5", seed=seed)._map.patches(0.9)
        off += list((found.estimate - held_by(found, counts))[:10] / (found.high - found.low)[:10])
    assert abs(np.mean(off)) < 0.07  # in widths of their intervals


def test_even_land_is_not_torn_apart_by_noise():
    """Where all is even, noise does not make many places, and what is said of them holds."""
    counts, held = np.full(GRID.shape, 0.7), []
    for seed in range(10):
        found = released(counts, epsilon="0.3", seed=seed)._map.patches(0.9)
        true = held_by(found, counts)
        held += list((found.low <= true) & (true <= found.high))
    assert np.mean(held) >= 0.75


def test_the_same_record_gives_the_same_places(tmp_path):
    """Patches follow from the record alone, also when it comes from its file."""
    release = released(towns())
    release.save(tmp_path / "owls.dpmap")
    again = open_release(tmp_path / "owls.dpmap")
    assert release.patches().equals(again.patches())


def test_an_empty_survey_says_how_little_there_may_be():
    """Where nothing is told, the whole area is one place of which the most it holds is said."""
    found = released(np.zeros(GRID.shape), epsilon="0.1")._map.patches(0.9)
    assert len(found) == 1 and not found.told.any()
    assert found.low[0] == 0 and 0 < found.high[0] < 2000


@pytest.mark.parametrize("total", [0.0, 5000.0])
def test_one_cell(total):
    """A map of one cell is one place."""
    grid = dm.Grid(bounds=(0, 0, 1000, 1000), shape=(1, 1), crs="EPSG:3035")
    frame = released(np.array([[total]]), grid).patches()
    assert len(frame) == 1 and frame["told"].iloc[0] == (total > 0)


def test_layers_have_patches_of_their_own():
    """Of a map of kinds each has its places, named by its columns."""
    grid = GRID.layered(dm.Kinds("species", ("Kestrel", "Owl")))
    frame = released(np.stack([towns(), np.zeros(GRID.shape)]), grid).patches()
    kestrel, owl = (frame[frame["species"] == name] for name in ("Kestrel", "Owl"))
    assert kestrel["estimate"].sum() > 3000 and owl["high"].sum() < 1500
    assert kestrel["cells"].sum() == owl["cells"].sum() == GRID.cells_inside


def test_partners_maps_add_up():
    """Patches of a merged map are of the sum, with the noise of all."""
    counts = towns()
    parts = []
    for seed in range(2):
        policy = dm.Policy(epsilon=1, unit="who", cap=1)
        session = Session(counts, GRID, policy.measuring, policy.cap, policy.lattice)
        strategies.find_strategy("adaptive")(session)
        receipt = records.receipt(f"part {seed}", release_id=f"id {seed}")
        parts.append(
            Release(
                records.record(GRID, policy, session.made, strategy="adaptive", receipt=receipt)
            )
        )
    found = merge(parts, signed_by="the stewards")._map.patches(0.9)
    true = held_by(found, 2 * counts)
    assert ((found.low <= true) & (true <= found.high))[
        found.told
    ].mean() > 0.6  # 0.9 but for chance
    assert found.estimate.sum() == pytest.approx(2 * counts.sum(), rel=0.1)


def test_where_next_to_nothing_was_counted_no_mean_is_told():
    """There is one place without an answer, its bounds are the declared ends, and its colour stands for nothing."""
    found = mean_of(np.zeros((32, 32)), np.zeros((32, 32)), np.random.default_rng(3))
    assert len(found) == 1 and not found.told.any() and np.isnan(found.shown).all()
    assert (found.low[0], found.high[0]) == (0, 10)


def test_level_is_a_probability():
    """And wider intervals belong to a higher one."""
    release = released(towns())
    with pytest.raises(BadInput, match="level"):
        release.patches(level=1.0)
    assert len(release.patches(level=0.99)) < len(release.patches(level=0.8))


def sparse(counts, threshold, dice, scale=1):
    """A sparse measurement, its noise of a seed."""
    noisy = counts.ravel() + dice.laplace(0, scale, counts.size)
    places = np.flatnonzero(noisy >= threshold)
    steps = np.rint(noisy[places] * LATTICE).astype(np.int64)
    shown = Shown(places, Fraction(threshold))
    return Measurement(
        shown, steps, lattice=LATTICE, scale=Fraction(scale), epsilon=1 / Fraction(scale)
    )


def test_listed_cells_of_a_sparse_release_are_places_and_all_other_land_is_one():
    """Intervals of places of listed cells hold although only high cells are listed, and estimates are not too high; of all that is not
    listed only the most it may hold is said.
    """
    counts, dice, held, off, raw = towns(), np.random.default_rng(7), [], [], []
    for _ in range(12):
        made = sparse(counts, 8, dice)
        release = release_of(GRID, [made])
        found = release._map.patches(0.9)
        listed = made.partition.places
        true, noisy = (
            np.bincount(found.place, part, len(found))
            for part in (counts.ravel()[listed], made.values)
        )
        held += list(((found.low <= true) & (true <= found.high))[found.told])
        off += list((found.estimate - true)[found.told])
        raw += list((noisy - true)[found.told])
        assert found.high[-1] >= counts.sum() - counts.ravel()[listed].sum() and not found.told[-1]
    assert np.mean(held) >= 0.86 and abs(np.mean(off)) < 0.7 * np.mean(raw)
    frame = release.patches()
    assert frame["cells"].sum() == GRID.cells_inside and frame["area_km2"].sum() == pytest.approx(
        1024, rel=1e-3
    )
    assert shapely.area(frame.geometry.values).sum() == pytest.approx(1024e6)
    assert np.isnan(frame["estimate"].iloc[-1]) and frame["told"].iloc[:-1].any()


@pytest.mark.parametrize("threshold", [8, 5000])
def test_a_sparse_release_that_lists_nothing_or_only_noise_tells_no_place(threshold):
    """Where no cell is listed all land is one place; cells that noise listed may hold nothing."""
    found = release_of(
        GRID, [sparse(np.zeros((32, 32)), threshold, np.random.default_rng(5))]
    )._map.patches(0.9)
    assert not found.told.any() and (found.low == 0).all() and found.high[-1] > 0


def reported(truth, epsilon, dice):
    """Reports of so many volunteers in each cell, by the law of their coins."""
    asked, count = dm.local.ask(GRID, epsilon, title="t", text="w"), int(truth.sum())
    p, q = float(asked.truth), float(asked.other)
    support = dice.binomial(truth, p) + dice.binomial(count - truth, q)
    return Reports(Partition.cells(GRID), support.ravel(), count=count, elsewhere=int(dice.binomial(count, q)),
                   epsilon=asked.epsilon, mechanism=asked.mechanism, truth=asked.truth, other=asked.other)  # fmt: skip


def test_reports_of_devices_have_places_too():
    """Their coins err nearly as normal noise does: of the told places of some maps the intervals hold as often as they say."""
    truth, dice, held = towns(60_000).astype(np.int64), np.random.default_rng(2), []
    for _ in range(8):
        found = release_of(GRID, [reported(truth, "3", dice)])._map.patches(0.9)
        true = held_by(found, truth)
        held += list(((found.low <= true) & (true <= found.high))[found.told])
        assert found.told.sum() > 4
    assert np.mean(held) >= 0.84


def mean_of(low, high, dice, scale=2):
    """The places of a map of means of 0 to 10, from the totals at both ends."""
    ends = tuple(measured(part, Partition.cells(GRID), scale, dice) for part in (low, high))
    return mean_patches(GRID, Values("height", 0, 10), ends)


@pytest.mark.parametrize("tilt", [0.0, 0.6])
def test_means_are_told_of_places(tilt):
    """Of told places of some maps the intervals of the mean hold as often as they say, and nearly all records lie in told places."""
    counts, dice, held = towns(20_000), np.random.default_rng(3), []
    counts[:, 20:] = 0
    high = counts * (0.2 + tilt * np.linspace(0, 1, 32))
    for _ in range(10):
        found = mean_of(counts - high, high, dice)
        weight, true = (held_by(found, part) for part in (counts, 10 * high))
        told = found.told & (weight > 0)
        held += list(
            (
                (found.low <= true / np.maximum(weight, 1))
                & (true / np.maximum(weight, 1) <= found.high)
            )[told]
        )
        assert weight[found.told].sum() > 0.9 * counts.sum()
    assert len(held) > 30 and np.mean(held) >= 0.84
    assert (found.shown[found.told] == found.estimate[found.told]).all() and (
        np.diff(found.estimate[found.told]) <= 0
    ).all()
    names = ["cells", "area_km2", "mean", "low", "high", "count", "told", "geometry"]
    frame = found.to_geodataframe()
    assert list(frame.columns) == names and frame["cells"].sum() == GRID.cells_inside


def test_crossing_regions_are_read_by_the_last_measurement():
    """A strategy may ask as it likes: regions that cross are no tree."""
    dice = np.random.default_rng(1)
    rows, columns = np.divmod(np.arange(1024).reshape(32, 32), 32)
    counts = towns()
    across = [measured(counts, Partition(part), 2, dice) for part in (rows // 4, columns // 4)]
    cells = np.flatnonzero(GRID.inside)
    labels = [one.partition.labels.ravel()[cells].astype(np.int64) for one in across]
    assert Regions.build(labels, across) is None
    found = release_of(GRID, across)._map.patches(0.9)
    assert found.place.min() == 0 and (found.place == found.place[0]).all(axis=1).any()


def test_land_that_was_not_measured_is_not_told():
    """It is a place without an estimate, and may hold anything."""
    half = np.where(np.arange(1024).reshape(32, 32) % 32 < 16, np.arange(1024).reshape(32, 32), -1)
    labels = np.where(half >= 0, np.unique(half, return_inverse=True)[1].reshape(32, 32) - 1, -1)
    made = measured(towns(), Partition(labels), 1, np.random.default_rng(1))
    found = release_of(GRID, [made])._map.patches(0.9)
    assert (found.place[:, 16:] == len(found) - 1).all()
    assert np.isnan(found.estimate[-1]) and found.high[-1] == np.inf and not found.told[-1]


def test_the_variance_of_a_place_is_that_of_the_answers():
    """For places of any regions, the tree's variances are those of least squares with all answers at once."""
    dice = np.random.default_rng(4)
    rows, columns = np.divmod(np.arange(64).reshape(8, 8), 8)
    blocks = rows // 4 * 2 + columns // 4
    fine = np.where(blocks == 0, 100, np.arange(64).reshape(8, 8))
    counts = dice.poisson(5, (8, 8))
    made = [
        measured(
            counts, Partition(np.unique(part, return_inverse=True)[1].reshape(8, 8)), scale, dice
        )
        for part, scale in ((np.zeros((8, 8)), 9), (blocks, 4), (fine, 2))
    ]
    regions = Regions.build([one.partition.labels.ravel().astype(np.int64) for one in made], made)
    rows = np.concatenate(
        [np.equal.outer(np.arange(m.partition.regions), m.partition.labels.ravel()) for m in made]
    )
    inside = np.equal.outer(regions.of_cell, np.arange(len(regions.smallest))).astype(float)
    design = (rows @ (inside / inside.sum(0))) * 1.0
    precision = np.concatenate(
        [np.full(m.partition.regions, 1 / (2 * float(m.scale) ** 2)) for m in made]
    )
    exact = np.linalg.inv(design.T @ (precision[:, None] * design))
    best = exact @ design.T @ (precision * np.concatenate([m.values for m in made]))
    smallest = regions.smallest
    belief = regions.combine(regions.noisy, regions.noisy[smallest], regions.variance[smallest])
    assert belief.mean == pytest.approx(best, rel=1e-6)
    place = dice.integers(0, 5, len(smallest))
    chosen = np.equal.outer(np.arange(5), place).astype(float)
    assert belief.variances(place, 5) == pytest.approx(np.diag(chosen @ exact @ chosen.T), rel=1e-5)


@given(st.integers(0, 2**32 - 1))
def test_the_tree_is_that_of_all_cells_one_by_one(number):
    """Cells of the same regions are taken together: regions within, around and across others, with cells left out, make the very tree that each cell by itself makes."""
    dice = np.random.default_rng(number)
    rows, columns = np.divmod(np.arange(256).reshape(16, 16), 16)
    inside = dice.random((16, 16)) < dice.choice([0.3, 0.9, 1.0])
    made = []
    for _ in range(dice.integers(1, 4)):
        side = int(dice.choice([1, 2, 4, 8, 16]))
        labels = rows // side * 16 + columns // side
        if dice.random() < 0.5:  # one block is asked as a whole
            labels = np.where((rows < 8) & (columns < 8), 300, labels)
        if dice.random() < 0.2:
            labels = labels + (rows == columns)
        left_out = ~inside | ((labels == labels[9, 9]) & (dice.random() < 0.3))
        numbers = np.unique(np.where(left_out, -1, labels), return_inverse=True)[1]
        partition = Partition(numbers.reshape(16, 16) - (1 if left_out.any() else 0))
        if partition.regions:
            made.append(measured(np.zeros((16, 16)), partition, 2, dice))
    if not made:
        return
    labels = [one.partition.packed[inside] for one in made]
    tree = Regions.build(labels, made)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(region_tree, "_group_cells", _each_cell_a_group)
        by_cell = Regions.build(labels, made)
    if by_cell is None:
        assert tree is None
        return
    for field in fields(Regions):
        assert np.array_equal(getattr(tree, field.name), getattr(by_cell, field.name)), field.name


def _each_cell_a_group(labels):
    cells = len(labels[0])
    return (
        np.arange(cells, dtype=np.int32),
        np.ones(cells, dtype=np.int64),
        np.array(labels, dtype=np.int64),
    )


@pytest.mark.parametrize("crs", ["EPSG:3035", "EPSG:3857"])
def test_cells_are_estimated_as_places_of_one_cell(monkeypatch, crs):
    """To the last bit, in any strips, whether cells are of one size or not, and where nothing was measured."""
    monkeypatch.setattr(partition_module, "STRIP", 100)
    mask = np.ones((32, 32), dtype=bool)
    mask[20:, :7] = False
    grid = dm.Grid(bounds=(4e6, 3e6, 4.032e6, 3.032e6), shape=(32, 32), crs=crs, mask=mask)
    dice = np.random.default_rng(1)
    rows, columns = np.divmod(np.arange(1024).reshape(32, 32), 32)
    blocks = rows // 8 * 4 + columns // 8
    fine = np.where(rows < 16, np.arange(1024).reshape(32, 32), 2000 + blocks)
    made = []
    for part in (np.zeros((32, 32)), blocks, fine):
        labels = np.unique(np.where(mask, part, -1), return_inverse=True)[1].reshape(32, 32) - 1
        labels[3, :] = -1
        made.append(
            measured(
                towns(),
                Partition(np.unique(labels, return_inverse=True)[1].reshape(32, 32) - 1),
                2,
                dice,
            )
        )
    zones = ZoneIntervals(grid, [(grid, tuple(made))])
    cells = np.flatnonzero(mask)
    expected = zones.estimate_places(cells, np.arange(len(cells)), len(cells))
    for found, numbers in zip(zones.estimate_cells(cells), expected, strict=True):
        assert (found == numbers).all()


def test_places_grow_no_further_than_needed():
    """What is told stays as it is; what is not joins the neighbour it is told from least."""
    land = PieceGraph(np.ones(4), (np.array([0, 1, 2]), np.array([1, 2, 3])))
    place = grow_places(land, np.array([100.0, 9.0, 8.0, 100.0]), np.full(4, 9.0), 1.645, 0.1)
    assert place.tolist() == [0, 1, 1, 2]
    assert is_narrow_enough(
        np.array([1.0, 1.0]), np.array([4.0, 4.1]), np.ones(2), 0.1
    ).tolist() == [True, False]
