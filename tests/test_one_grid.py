"""Maps of nested cells, or of cells declared to be the same, are compared by whole regions: what is told holds, and the rest is refused."""

import numpy as np
import pytest
from builders import records

import dpmap as dm
from dpmap.errors import BadInput
from dpmap.grid import Partition
from dpmap.releases.comparison import compare
from dpmap.releases.merge import merge
from dpmap.releases.release import Release

FINE = dm.Grid(bounds=(0, 0, 12_000, 12_000), shape=(12, 12), crs="EPSG:3035")
ROWS, COLUMNS = np.indices(FINE.shape)


def coarser(times, **options):
    """The same land in larger cells."""
    return dm.Grid(
        bounds=(0, 0, 12_000, 12_000), shape=(12 // times, 12 // times), crs="EPSG:3035", **options
    )


def summed(cells, times):
    """The totals of larger cells."""
    return cells.reshape(12 // times, times, 12 // times, times).sum((1, 3))


def released(totals, grid, rng, dataset="Raptors", **promise):
    """A release of these totals, each cell by itself."""
    policy, partition = records.promise(**promise), Partition.cells(grid)
    noise = rng.laplace(0, float(policy.scale), partition.regions)
    told = [records.measured(partition, partition.sums(totals), policy, noise)]
    return Release(records.record(grid, policy, told, dataset))


@pytest.mark.parametrize("times", [2, 3, 4])
@pytest.mark.parametrize("first", ["fine", "coarse"])
def test_regions_of_nested_cells_are_told_by_both_noises(times, first):
    """A larger cell's change is that of the noisy totals of both maps, its interval holds the truth, and it has that cell's ground."""
    held = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        land = rng.poisson(20, FINE.shape).astype(float)
        later = land + np.where(ROWS < 4, 30.0, 0.0)
        sides = (FINE, coarser(times)) if first == "fine" else (coarser(times), FINE)
        maps = [
            released(truth if grid is FINE else summed(truth, times), grid, rng, name)
            for truth, grid, name in zip((land, later), sides, ("2024", "2026"), strict=True)
        ]
        found = compare(*maps, level=0.8)
        frame = found.to_geodataframe()
        frame = frame.iloc[np.lexsort((frame.centroid.x.round(), -frame.centroid.y.round()))]
        change = summed(later - land, times).ravel()
        assert len(frame) == change.size and (frame.cells == times**2).all()
        assert frame.area_km2.to_numpy() == pytest.approx(
            np.full(change.size, float(times**2)), rel=1e-6
        )
        held.append(((frame.low <= change) & (change <= frame.high)).mean())
    assert np.mean(held) > 0.75
    assert "lie in" in found.notes[0]


def test_clusters_and_pictures_are_found_of_nested_maps_too(tmp_path):
    """What a neighbourhood gained is told, drawn and exported though the maps have other cells."""
    rng = np.random.default_rng(1)
    land = np.full(FINE.shape, 10.0)
    later = land + np.where((ROWS < 4) & (COLUMNS < 4), 40.0, 0.0)
    found = compare(
        released(land, FINE, rng, "2024"), released(summed(later, 2), coarser(2), rng, "2026")
    )
    assert found.clusters().told.any() and (found.clusters().change > 0).any()
    for name in ("change.png", "change.html"):
        found.draw(tmp_path / name, context=False)
        assert (tmp_path / name).stat().st_size > 10_000
    assert found.export(tmp_path / "change.gpkg")


def test_cells_declared_the_same_are_compared():
    """Cells that are the same but for rounding are compared cell by cell once that is declared, and said to be."""
    rng = np.random.default_rng(2)
    near = dm.Grid(bounds=(0.4, 0, 12_000.4, 12_000), shape=(12, 12), crs="EPSG:3035")
    land = rng.poisson(20, FINE.shape).astype(float)
    one, other = released(land, FINE, rng, "2024"), released(land + 100, near, rng, "2026")
    with pytest.raises(BadInput, match="same_grid"):
        compare(one, other)
    found = compare(one, other, same_grid=True)
    assert len(found) == FINE.size and found.found["more"] > 100
    assert "declared" in found.notes[0]
    assert compare(one, released(land, FINE, rng, "2025"), same_grid=True).notes == []


REFUSED = {
    "cells half over others": (
        dm.Grid(bounds=(500, 0, 12_500, 12_000), shape=(6, 6), crs="EPSG:3035"),
        False,
    ),
    "cells that are no multiple": (
        dm.Grid(bounds=(0, 0, 12_000, 12_000), shape=(5, 5), crs="EPSG:3035"),
        False,
    ),
    "another CRS": (dm.Grid(bounds=(0, 0, 12_000, 12_000), shape=(6, 6), crs="EPSG:32632"), False),
    "another area": (
        dm.Grid(bounds=(0, 0, 24_000, 24_000), shape=(12, 12), crs="EPSG:3035"),
        False,
    ),
    "as many cells elsewhere": (
        dm.Grid(bounds=(90_000, 0, 102_000, 12_000), shape=(12, 12), crs="EPSG:3035"),
        True,
    ),
    "more cells declared the same": (coarser(2), True),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_neither_nested_nor_the_same_is_refused_in_one_line(name):
    """One line says what to add instead."""
    grid, declared = REFUSED[name]
    rng = np.random.default_rng(3)
    one, other = (
        released(np.zeros(FINE.shape), FINE, rng, "2024"),
        released(np.zeros(grid.shape), grid, rng, "2026"),
    )
    with pytest.raises(BadInput, match="add zones") as told:
        compare(one, other, same_grid=declared)
    assert "\n" not in str(told.value)


def test_a_merged_map_is_compared_on_its_own_cells_only():
    """The parts of a merged map may have cells of their own, so it is not laid over others."""
    rng = np.random.default_rng(4)
    small = coarser(2)
    parts = [released(np.zeros(small.shape), small, rng, name) for name in ("North", "South")]
    with pytest.raises(BadInput, match="merged"):
        compare(
            released(np.zeros(FINE.shape), FINE, rng, "2024"), merge(parts, signed_by="A. Steward")
        )


def test_what_is_laid_over_other_cells_is_no_fresh_answer():
    """Answers laid over other cells are received ones: no release can be saved as if the vault had just drawn it."""
    rng = np.random.default_rng(5)
    one = released(np.zeros(FINE.shape), FINE, rng).record.measurements[0]
    assert not one.laid(one.partition).fresh and (one.laid(one.partition).steps == one.steps).all()
