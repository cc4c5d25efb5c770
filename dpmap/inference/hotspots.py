"""Finds hot spots: measured regions and clusters of them that are truly high, by the known noise
law, with few false ones.

No permutations are drawn: the noise that was added is known exactly, so the chance that noise alone
lifts a region so high is a formula. A region, a cell or a block of cells measured as one, is
compared with a threshold, or with its surroundings. What a cluster holds is believed as patches are
(`patches`): the noise that made it stand out does not count for land.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid import Grid
from dpmap.grid.neighbours import Index, Neighbours
from dpmap.grid.polygon_cells import Areas
from dpmap.inference.estimate import Cells, Mask, discoveries
from dpmap.inference.posterior_estimate import BelievedEstimate
from dpmap.numbers import regions_text
from dpmap.read_only_arrays import read_only_fields
from dpmap.record import Measurement
from dpmap.record.unpool import unpool

if TYPE_CHECKING:
    import geopandas

RING = (2, 4)
"""A cell's surroundings: the cells two to four steps away. Its neighbours are left out, since a hot
spot is often wider than one cell. For areas, which are few and unequal, all areas one or two steps
away. A block's are those of the cells at its edge.
"""

FEW_CELLS = 1 << 16
"""The surroundings of at most so many cells are stored; of more they are computed when needed."""
AT_ONCE = 1 << 13
"""Cells whose surroundings are computed at once."""
Kind = TypeVar("Kind", bound=np.generic)


@dataclass(frozen=True, slots=True, eq=False)
class HotSpots:
    """Hot spots of a map. `cells` marks the land chosen and `labels` numbers its clusters from 0
    (-1: none), both in grid shape; `p_values` are each cell's region's, NaN where it could not be
    tested. Of the chosen regions, the expected share of false ones is at most `rate`. `alone` and
    `blocks` count the regions of each cluster: cells measured by themselves, and blocks of several
    cells measured as one.

    `estimate`, `low` and `high` are each cluster's capped total and bounds, as of any land: the
    noise that made it stand out does not count.
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
    alone: Index
    blocks: Index
    tested: int
    """How many regions were tested."""

    def __post_init__(self) -> None:
        read_only_fields(self)

    def __len__(self) -> int:
        return len(self.estimate)

    def to_geodataframe(self) -> "geopandas.GeoDataFrame":
        """Returns one joined polygon for each cluster, the largest total first, in the grid's
        CRS.
        """
        import geopandas as gpd
        import shapely

        from dpmap.grid.crs_label import reference

        cells = np.flatnonzero(self.labels >= 0)
        cells = cells[np.argsort(self.labels.ravel()[cells], kind="stable")]
        starts = np.searchsorted(self.labels.ravel()[cells], np.arange(1, len(self)))
        outlines = np.split(self.grid.polygons_at(cells), starts) if len(self) else []
        joined = [shapely.union_all(outlines_of_cluster) for outlines_of_cluster in outlines]
        known = self.labels >= 0
        ground = np.bincount(self.labels[known], self.grid.square_km[known], minlength=len(self))
        plain = {
            "cluster": np.arange(len(self)),
            "cells": np.bincount(self.labels[known], minlength=len(self)),
            "regions": self.alone + self.blocks,
            "estimate": self.estimate,
            "low": self.low,
            "high": self.high,
            "distinguishable": self.low > 0,
            "density": self.estimate / np.maximum(ground, 1e-300),
            "per_km2": self.estimate / np.maximum(ground, 1e-300),
            "area_km2": ground,
        }
        return gpd.GeoDataFrame(plain, geometry=joined, crs=reference(self.grid.crs))

    def __repr__(self) -> str:
        above = "their surroundings" if self.threshold is None else f"{self.threshold:g}"
        regions = regions_text(int(self.alone.sum()), int(self.blocks.sum()))
        spots = (
            f" in {len(self):,} {'hot spot' if len(self) == 1 else 'hot spots'}"
            if len(self)
            else ""
        )
        return f"<HotSpots: {regions}{spots} above {above}>"


def hotspots(
    grid: Grid,
    measurements: tuple[Measurement, ...],
    believed: BelievedEstimate,
    *,
    threshold: float | None = None,
    rate: float = 0.1,
    level: float = 0.9,
) -> HotSpots:
    """Finds the regions whose capped total is above `threshold` points for each of their cells or,
    without one, above what their surroundings' density would give them; what each cluster holds is
    what is `believed` of its land.
    """
    if not 0 < level < 1:
        raise BadInput("rate and level: probabilities between 0 and 1, like 0.1 and 0.9")
    search = Search(grid, unpool(measurements), threshold, rate)
    p_values = search.p_values(search.values)
    chosen = search.choose(p_values)
    cluster = search.number_clusters(chosen)
    estimate, low, high = believed.answers(
        search.spread(cluster, -1), int(cluster.max(initial=-1)) + 1, level
    )
    order = np.argsort(-estimate, kind="stable")
    cluster = np.append(np.argsort(order), -1)[cluster]
    kinds = (chosen & (search.cells == 1), chosen & (search.cells > 1))
    alone, blocks = (np.bincount(cluster[kind], minlength=len(order)) for kind in kinds)
    return HotSpots(
        grid,
        search.spread(chosen, False),
        search.spread(cluster, -1),
        search.spread(p_values, np.nan),
        threshold,
        rate,
        level,
        estimate[order],
        low[order],
        high[order],
        alone,
        blocks,
        int(np.isfinite(p_values).sum()),
    )


class RegionPairs(NamedTuple):
    """Pairs of a region and one in its surroundings: some regions, the index of each pair's region
    among them, and the number of the other region.
    """

    regions: Index
    which: Index
    other: Index


@dataclass(frozen=True, slots=True)
class RepeatedPairs:
    """Pairs that are computed anew in each iteration."""

    compute: Callable[[], Iterator[RegionPairs]]

    def __iter__(self) -> Iterator[RegionPairs]:
        return self.compute()


class Search:
    """Searches the last measurement for high regions, by any noisy totals of them.

    Earlier measurements are left out: a strategy may have drawn the last one's regions from their
    noise, so only the last one's own noise is as its law says, whatever was chosen.
    """

    def __init__(
        self, grid: Grid, measurement: Measurement, threshold: float | None, rate: float
    ) -> None:
        if not 0 < rate < 1:
            raise BadInput("rate and level: probabilities between 0 and 1, like 0.1 and 0.9")
        if threshold is not None and not 0 <= threshold < np.inf:
            raise BadInput("threshold: a number of points per cell, at least 0")
        self._grid = grid
        self._threshold = threshold
        self._rate = rate
        partition = measurement.partition
        self.region = partition.labels.ravel().astype(np.int64)
        self.values = measurement.values
        self.cells = partition.sizes()
        self._area = partition.sums(grid.square_km)
        self.measurement = measurement
        self._law = measurement.law
        self._lattice = measurement.lattice
        self._all_single = bool((self.cells <= 1).all())
        self._fixed_surroundings: tuple[Cells, Cells] | None = None

    @cached_property
    def _region_pairs(self) -> Iterable[RegionPairs]:
        """The pairs of `_pairs`, stored on small maps and computed anew on large ones."""
        few = len(self.region) <= FEW_CELLS
        return list(self._pairs()) if few else RepeatedPairs(self._pairs)

    def p_values(self, values: Cells) -> Cells:
        """Returns for each region the chance that noise alone lifts these noisy totals so high;
        NaN where it is not tested.
        """
        return self._above_surroundings(values) if self._threshold is None else self._above(values)

    def find(self) -> Mask:
        """Returns the land that is chosen, in grid shape."""
        return self.spread(self.choose(self.p_values(self.values)), False)

    def choose(self, p_values: Cells) -> Mask:
        """Chooses regions with the expected share of false ones at most the rate.

        Above a threshold, the p-values of different regions are independent, and Benjamini and
        Hochberg's choice keeps the false discovery rate. Neighbouring regions share surroundings,
        so their contrasts are dependent, and not always positively: there Benjamini and Yekutieli's
        choice is used, which holds under any dependence.
        """
        return discoveries(p_values, self._rate, method="by" if self._threshold is None else "bh")

    def spread(self, values: NDArray[Kind], outside: object) -> NDArray[Kind]:
        """Returns each region's value in its cells, in grid shape."""
        padded: NDArray[Kind] = np.append(values, np.array([outside], dtype=values.dtype))
        return padded[self.region].reshape(self._grid.shape)

    def _above(self, values: Cells) -> Cells:
        """Returns P(noise >= noisy - threshold) for each region, exact but for the last lattice
        step; never too small for totals up to the threshold for each cell.
        """
        excess = (values - (self._threshold or 0.0) * self.cells) * self._lattice
        return np.where(self.cells > 0, self._law.contrast(excess), np.nan)

    def _above_surroundings(self, values: Cells) -> Cells:
        """Returns the p-value of each region's contrast: its noisy total less its area times its
        surroundings' noisy density.

        The noise of a contrast is N - w (N1 + ... + Nk), w the region's area over the
        surroundings'; `Law.contrast` bounds its tail, so that this p-value is never too small.
        """
        ground, region_counts, total = self._surroundings(values)
        tested = ground > 0
        weight = np.where(tested, self._area / np.where(tested, ground, 1.0), 0.0)
        chance = self._law.contrast(
            (values - weight * total) * self._lattice, weight, region_counts
        )
        return np.where(tested, chance, np.nan)

    def _surroundings(self, values: Cells) -> tuple[Cells, Cells, Cells]:
        """Returns the area of each region's surroundings, the number of regions in them, and the
        sum of these values there.
        """
        total = np.zeros(len(values))
        fixed = self._fixed_surroundings
        ground, region_counts = (
            (np.zeros(len(values)), np.zeros(len(values))) if fixed is None else fixed
        )
        for regions, which, other in self._region_pairs:
            total[regions] = np.bincount(which, values[other], len(regions))
            if fixed is None:
                ground[regions] = np.bincount(which, self._area[other], len(regions))
                region_counts[regions] = np.bincount(which, minlength=len(regions))
        self._fixed_surroundings = ground, region_counts
        return ground, region_counts, total

    def _pairs(self) -> Iterator[RegionPairs]:
        """Yields each pair once, all pairs of a region together."""
        near, far = (1, 2) if isinstance(self._grid.cells, Areas) else RING
        neighbours = Neighbours(self._grid)
        regions = len(self.values)
        edge = self._edge(neighbours)
        cuts = np.flatnonzero(
            np.append(True, self.region[edge][1:] != self.region[edge][:-1])[: len(edge)]
        )
        starts = [
            0,
            *cuts[np.searchsorted(cuts, np.arange(AT_ONCE, len(edge), AT_ONCE), side="right") - 1],
            len(edge),
        ]
        for start, stop in pairwise(starts):
            cells = edge[start:stop]
            around = neighbours.around(cells, near, far)
            other = np.where(around >= 0, self.region[around], -1)
            if self._all_single:
                valid = other >= 0
                yield RegionPairs(
                    self.region[cells], np.repeat(np.arange(len(cells)), valid.sum(1)), other[valid]
                )
                continue
            region_of_cell = np.broadcast_to(self.region[cells][:, None], other.shape)
            valid = (other >= 0) & (other != region_of_cell)
            pairs = np.sort(region_of_cell[valid] * regions + other[valid])
            region, other = np.divmod(
                pairs[np.append(True, pairs[1:] != pairs[:-1])[: len(pairs)]], regions
            )
            first = np.append(True, region[1:] != region[:-1])[: len(region)]
            yield RegionPairs(region[first], np.cumsum(first) - 1, other)

    def _edge(self, neighbours: Neighbours) -> Index:
        """Returns the cells that are regions by themselves or at the edge of theirs, region by
        region.
        """
        cells = np.flatnonzero(self.region >= 0)
        if self._all_single:
            return cells
        blocks = np.flatnonzero(self.cells[self.region[cells]] > 1)
        within = np.zeros(len(cells), dtype=bool)
        beside = neighbours.around(cells[blocks], 1, 1)
        within[blocks] = (
            (beside < 0) | (self.region[beside] == self.region[cells[blocks]][:, None])
        ).all(1)
        cells = cells[~within]
        return cells[np.argsort(self.region[cells], kind="stable")]

    def number_clusters(self, chosen: Mask) -> Index:
        """Returns the number of each chosen region's group of touching regions; -1 for others."""
        labels = np.full(len(chosen), -1, dtype=np.int64)
        regions = np.flatnonzero(chosen)
        if not len(regions):
            return labels
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        labels[regions] = np.arange(len(regions))
        cells = np.flatnonzero(self.spread(chosen, False).ravel())
        neighbour_cells = Neighbours(self._grid).around(cells, 1, 1)
        cluster_numbers = np.append(labels, -1)[self.region]
        other = np.where(neighbour_cells >= 0, cluster_numbers[neighbour_cells], -1)
        cluster_of_cell = np.broadcast_to(cluster_numbers[cells][:, None], other.shape)
        joined = other >= 0
        links = coo_array(
            (np.ones(int(joined.sum())), (cluster_of_cell[joined], other[joined])),
            shape=(len(regions),) * 2,
        )
        labels[regions] = connected_components(links, directed=False)[1]
        return labels
