"""Finds hot spots: cells and clusters that are truly high, by the known noise law, with few false ones.

No permutations are drawn: the noise that was added is known exactly, so the chance that noise alone lifts a cell so
high is a formula. A cell is compared with a threshold, or with its surroundings.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.grid.areas import Areas
from dpmap.grid.neighbours import Index, Neighbours
from dpmap.inference.estimate import Cells, Mask, discoveries
from dpmap.record import Measurement

if TYPE_CHECKING:
    import geopandas

RING = (2, 4)
"""A cell's surroundings: the cells two to four steps away. Its neighbours are left out, since a hot spot is often
wider than one cell. For areas, which are few and unequal, all areas one or two steps away."""

AT_ONCE = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class HotSpots:
    """What was found. `cells` marks the chosen ones and `labels` numbers their clusters from 0 (-1: none), both in
    grid shape; `p_values` are NaN where a cell could not be tested. Of the chosen cells, the expected share of false
    ones is at most `rate`.

    `estimate`, `low` and `high` are each cluster's capped total and bounds that hold with probability `level` for
    *any* set of so many cells, so also for one chosen after seeing the map: they are wider than those of a zone that
    was drawn beforehand.
    """

    grid: Grid
    cells: Mask
    labels: NDArray[np.int64]
    p_values: Cells
    threshold: float | None
    rate: float
    level: float
    estimate: Cells
    low: Cells
    high: Cells

    def __len__(self) -> int:
        return len(self.estimate)

    def to_geodataframe(self) -> "geopandas.GeoDataFrame":
        """Returns one joined polygon for each cluster, the largest total first, in the grid's CRS."""
        import geopandas as gpd
        import shapely

        inside = self.grid.inside
        numbers, outlines = self.labels[inside], self.grid.polygons()
        joined = [shapely.union_all(outlines[numbers == cluster]) for cluster in range(len(self))]
        known = self.labels >= 0
        ground = np.bincount(self.labels[known], self.grid.square_km[known], minlength=len(self))
        plain = {
            "cluster": np.arange(len(self)),
            "cells": np.bincount(self.labels[known], minlength=len(self)),
            "estimate": self.estimate,
            "low": self.low,
            "high": self.high,
            "per_km2": self.estimate / np.maximum(ground, 1e-300),
            "area_km2": ground,
        }
        return gpd.GeoDataFrame(plain, geometry=joined, crs=crs_tools.parse(self.grid.crs))

    def __repr__(self) -> str:
        above = "their surroundings" if self.threshold is None else f"{self.threshold:g}"
        return f"<HotSpots: {int(self.cells.sum()):,} cells in {len(self):,} clusters above {above}>"


def hotspots(
    grid: Grid,
    measurements: tuple[Measurement, ...],
    values: Cells,
    *,
    threshold: float | None = None,
    rate: float = 0.1,
    level: float = 0.9,
) -> HotSpots:
    """Finds the cells whose capped total is above `threshold` points or, without one, above what their surroundings'
    density would give them.

    Above a threshold, the p-values of different cells are independent, and Benjamini and Hochberg's choice keeps the
    false discovery rate. Neighbouring cells share surroundings, so their contrasts are dependent, and not always
    positively: there Benjamini and Yekutieli's choice is used, which holds under any dependence.
    """
    if not 0 < rate < 1 or not 0 < level < 1:
        raise BadInput("rate and level: probabilities between 0 and 1, like 0.1 and 0.9")
    if threshold is not None and not 0 <= threshold < np.inf:
        raise BadInput("threshold: a number of points per cell, at least 0")
    own = _Readings(grid, measurements[-1])
    if threshold is None:
        p_values = own.against_surroundings()
        chosen = discoveries(p_values, rate, method="by")
    else:
        p_values = own.against(threshold)
        chosen = discoveries(p_values, rate)
    labels = _clusters(grid, chosen)
    return _with_totals(own, values, HotSpots(
        grid, chosen, labels, p_values, threshold, rate, level, np.zeros(0), np.zeros(0), np.zeros(0),
    ))  # fmt: skip


def _with_totals(own: "_Readings", values: Cells, found: HotSpots) -> HotSpots:
    """Adds each cluster's total from its cells' own noisy totals; the largest estimate gets number 0."""
    count = int(found.labels.max(initial=-1)) + 1
    cells = np.flatnonzero(found.labels.ravel() >= 0)
    cluster = found.labels.ravel()[cells]
    noisy = np.bincount(cluster, own.noisy[cells], minlength=count)
    sizes = np.bincount(cluster, minlength=count)
    candidates = int(np.isfinite(own.noisy).sum())
    reach = np.array([own.law.of_chosen(found.level, int(size), candidates) for size in sizes]) / own.lattice
    low, high = np.maximum(noisy - reach, 0.0), noisy + reach
    total: Cells = np.clip(np.bincount(cluster, values.ravel()[cells], minlength=count), low, high).astype(np.float64)
    order = np.argsort(-total, kind="stable")
    place = np.append(np.argsort(order), -1)
    return HotSpots(
        found.grid, found.cells, place[found.labels], found.p_values, found.threshold, found.rate, found.level,
        total[order], low[order], high[order],
    )  # fmt: skip


class _Readings:
    """Holds for each cell, in row order, its noisy total and its region in the last measurement.

    `noisy` is NaN where a cell was not measured by itself. Earlier measurements are left out: a strategy may have drawn
    the last one's regions from their noise, so only the last one's own noise is as its law says, whatever was chosen.
    """

    def __init__(self, grid: Grid, measurement: Measurement) -> None:
        partition = measurement.partition
        self._grid, self._region = grid, partition.labels.ravel()
        self._value, self._area = measurement.values, partition.sums(grid.square_km)
        self.law, self.lattice = measurement.law, measurement.lattice
        known = self._region >= 0
        sizes = np.bincount(self._region[known], minlength=partition.regions)
        self._all_single = bool((sizes <= 1).all())
        self.noisy = np.full(grid.size, np.nan)
        self.noisy[known] = np.where(sizes == 1, self._value, np.nan)[self._region[known]]

    def against(self, threshold: float) -> Cells:
        """Returns P(noise >= noisy - threshold), exact but for the last lattice step; never too small for totals up to
        the threshold.
        """
        return self.law.contrast((self.noisy - threshold) * self.lattice).reshape(self._grid.shape)

    def against_surroundings(self) -> Cells:
        """Returns the same for each cell's contrast: its noisy total less its area times its surroundings' noisy density.

        The noise of a contrast is N - w (N1 + ... + Nk), w the cell's area over the surroundings'; `Law.contrast` bounds
        its tail, so that this p-value is never too small.
        """
        near, far = (1, 2) if isinstance(self._grid.cells, Areas) else RING
        neighbours = Neighbours(self._grid)
        p_values = np.full(self._grid.size, np.nan)
        alone = np.flatnonzero(np.isfinite(self.noisy))
        for start in range(0, len(alone), AT_ONCE):
            cells = alone[start : start + AT_ONCE]
            around = self._regions_around(neighbours.around(cells, near, far))
            known = around >= 0
            ground = np.where(known, self._area[around], 0.0).sum(axis=1)
            with np.errstate(divide="ignore", invalid="ignore"):
                weight = self._grid.square_km.ravel()[cells] / ground
                contrast = self.noisy[cells] - weight * np.where(known, self._value[around], 0.0).sum(axis=1)
                chance = self.law.contrast(contrast * self.lattice, weight, known.sum(axis=1))
            p_values[cells] = np.where(ground > 0, chance, np.nan)
        return p_values.reshape(self._grid.shape)

    def _regions_around(self, around: Index) -> Index:
        """Returns the regions of the cells around, each once; the cell's own, which holds it alone, is never among them."""
        regions = np.where(around >= 0, self._region[around], -1)
        if self._all_single:
            return regions
        regions = np.sort(regions, axis=1)
        regions[:, 1:][regions[:, 1:] == regions[:, :-1]] = -1
        return regions


def _clusters(grid: Grid, chosen: Mask) -> NDArray[np.int64]:
    """Numbers the groups of chosen cells that touch each other; -1 elsewhere."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    labels = np.full(grid.size, -1, dtype=np.int64)
    cells = np.flatnonzero(chosen.ravel())
    if len(cells):
        labels[cells] = np.arange(len(cells))
        beside = Neighbours(grid).around(cells, 1, 1)
        other = np.where(beside >= 0, labels[beside], -1)
        one = np.broadcast_to(np.arange(len(cells))[:, None], other.shape)
        joined = other >= 0
        links = coo_array((np.ones(int(joined.sum())), (one[joined], other[joined])), shape=(len(cells), len(cells)))
        labels[cells] = connected_components(links, directed=False)[1]
    return labels.reshape(grid.shape)
