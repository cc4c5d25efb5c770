"""The measured regions as a tree, and the error law of any place that is made of them.

Regions of several measurements lie one within the other or apart. The estimates of the smallest
ones and every larger answer about the same land are combined by weighted means upwards and shared
out downwards (a Kalman filter on a tree), which is exact for normal errors. The same tree gives the
variance of a sum of smallest regions, exactly and at once for all places.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from dpmap.grid.partition import strips
from dpmap.read_only_arrays import read_only_fields
from dpmap.record import Measurement
from dpmap.record.unpool import superseded_answers

Numbers = NDArray[np.float64]
Index = NDArray[np.int64]
Mask = NDArray[np.bool_]
Labels = NDArray[np.signedinteger[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Regions:
    """Each measured region once: its noisy total, with the variance of the noise, and the region it
    lies in (-1: none).

    `smallest` numbers the regions in which no other lies; `of_cell` is each cell's one, by its
    place there, -1 where nothing was measured. A region measured twice has the weighted mean
    of its answers, but for those that are only noisier copies of another; `once` marks those with
    one answer, whose noise is Laplace of scale `sqrt(variance / 2)` where `laplace` says so.
    """

    noisy: Numbers
    variance: Numbers
    cells: Index
    parent: Index
    depth: Index
    once: Mask
    smallest: Index
    of_cell: Labels
    laplace: bool

    def __post_init__(self) -> None:
        read_only_fields(self)

    @classmethod
    def build(cls, labels: Sequence[Labels], measurements: Sequence[Measurement]) -> "Self | None":
        """Builds the tree of these measurements, `labels` being each one's region of every cell;
        None where regions cross.

        Cells that lie in the same regions are told apart nowhere, so the tree is made of groups of
        them: as a rule one for each region of the last measurement.
        """
        starts = np.cumsum([0, *(measurement.partition.regions for measurement in measurements)])
        group_of_cell, group_cells, group_labels = _group_cells(labels)
        region_ids = np.where(group_labels >= 0, group_labels + starts[:-1, None], -1)
        sizes = _sum_cells(region_ids, group_cells, starts[-1])
        by_size = np.argsort(
            -np.where(region_ids >= 0, np.append(sizes, 0)[region_ids], 0), axis=0, kind="stable"
        )
        # the regions of each group, the largest first
        chain = np.take_along_axis(region_ids, by_size, axis=0)
        parents = _find_parents(chain, group_cells, sizes)
        if parents is None:
            return None
        parent, twin = parents
        dropped = np.concatenate(superseded_answers(measurements))
        precision = np.where(
            dropped, 0.0, np.concatenate([_precisions(measurement) for measurement in measurements])
        )
        precisions = np.bincount(twin, precision, len(sizes))
        noisy = np.bincount(
            twin,
            precision * np.concatenate([measurement.values for measurement in measurements]),
            len(sizes),
        )
        distinct = np.flatnonzero((twin == np.arange(len(sizes))) & (sizes > 0))
        number = np.full(len(sizes) + 1, -1)
        number[distinct] = np.arange(len(distinct))
        parent = number[parent[distinct]]
        chain_ids = np.where(chain >= 0, number[twin[chain]], -1)
        innermost = np.take_along_axis(
            chain_ids, np.maximum((chain_ids >= 0).sum(0) - 1, 0)[None], axis=0
        )[0]
        has_inner = np.zeros(len(distinct) + 1, dtype=bool)
        has_inner[parent] = True  # -1 is the last
        smallest = np.flatnonzero(~has_inner[:-1])
        smallest_index = np.full(len(distinct) + 1, -1)
        smallest_index[smallest] = np.arange(len(smallest))
        return cls(
            noisy[distinct] / precisions[distinct],
            1 / precisions[distinct],
            sizes[distinct],
            parent,
            _count_depths(parent),
            np.bincount(twin, ~dropped)[distinct] == 1,
            smallest,
            smallest_index[innermost].astype(np.int32)[group_of_cell],
            measurements[-1].kind == "laplace",
        )

    def sums(self, parts: Numbers) -> Numbers:
        """Returns totals of all regions, from those of the smallest."""
        totals = np.zeros(len(self.noisy))
        totals[self.smallest] = parts
        for level in range(int(self.depth.max(initial=0)), 0, -1):
            at = np.flatnonzero(self.depth == level)
            totals += np.bincount(self.parent[at], totals[at], len(totals))
        return totals

    def even_out(self, parts: Numbers) -> Numbers:
        """Returns totals of the smallest regions as if the land within each region around them,
        or within all of them, were even.
        """
        outer = self.parent[self.smallest]
        group = np.where(outer >= 0, outer, len(self.noisy))
        size = self.cells[self.smallest].astype(np.float64)
        total, ground = (np.bincount(group, part, len(self.noisy) + 1) for part in (parts, size))
        return size * (total / np.maximum(ground, 1.0))[group]

    def restrict(self, cells: Index) -> Self:
        """Returns the tree of these cells alone, each region being the part of it that lies
        among them.
        """
        smallest, of_cell = np.unique(self.of_cell[cells], return_inverse=True)
        chain = [self.smallest[smallest[smallest >= 0]]]
        while (chain[-1] >= 0).any():
            chain.append(np.where(chain[-1] >= 0, self.parent[chain[-1]], -1))
        regions = np.unique(np.concatenate(chain))
        regions = regions[regions >= 0]
        number = np.full(len(self.noisy) + 1, -1)
        number[regions] = np.arange(len(regions))
        unmeasured = int((smallest < 0).sum())
        inner = replace(
            self,
            noisy=self.noisy[regions],
            variance=self.variance[regions],
            parent=number[self.parent[regions]],
            depth=self.depth[regions],
            once=self.once[regions],
            smallest=number[chain[0]],
            of_cell=of_cell - unmeasured,
            cells=np.zeros(len(regions), dtype=np.int64),
        )
        cell_counts = np.bincount(inner.of_cell[inner.of_cell >= 0], minlength=len(inner.smallest))
        return replace(
            inner, cells=np.rint(inner.sums(cell_counts.astype(np.float64))).astype(np.int64)
        )

    def combine(self, noisy: Numbers, mean: Numbers, variance: Numbers) -> "Belief":
        """Combines all answers with the estimates of the smallest regions by themselves, of this
        `mean` and `variance`.
        """
        estimate = noisy.copy()
        spread = self.variance.copy()
        estimate[self.smallest] = mean
        spread[self.smallest] = variance
        below = np.zeros(len(estimate))
        wide = np.zeros(len(estimate))
        inner = np.ones(len(estimate), dtype=bool)
        inner[self.smallest] = False
        levels = range(int(self.depth.max(initial=0)) + 1)
        for level in reversed(levels):
            at = np.flatnonzero((self.depth == level) & inner)
            spread[at] = 1 / (1 / self.variance[at] + 1 / wide[at])
            estimate[at] = spread[at] * (noisy[at] / self.variance[at] + below[at] / wide[at])
            if level:
                at = np.flatnonzero(self.depth == level)
                below += np.bincount(self.parent[at], estimate[at], len(estimate))
                wide += np.bincount(self.parent[at], spread[at], len(estimate))
        total = estimate.copy()
        for level in levels[1:]:
            at = np.flatnonzero(self.depth == level)
            above = self.parent[at]
            total[at] += spread[at] / wide[above] * (total[above] - below[above])
        return Belief(self, total[self.smallest], spread, wide)


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """The mean of each smallest region, and what the variance of any place made of them follows
    from.
    """

    regions: Regions
    mean: Numbers
    spread: Numbers
    wide: Numbers

    def __post_init__(self) -> None:
        read_only_fields(self)

    @property
    def alone(self) -> Numbers:
        """The variance of each smallest region by itself, before larger answers are combined."""
        return self.spread[self.regions.smallest]

    def variances(self, place: Index, places: int) -> Numbers:
        """Returns the variance of each place's total, `place` being that of each smallest
        region.
        """
        return self.share_variances(np.arange(len(place)), place, np.ones(len(place)), places)

    def share_variances(self, region: Index, place: Index, share: Numbers, places: int) -> Numbers:
        """Returns the variance of each place's total, which takes these shares of these smallest
        regions; none twice.

        Upwards: given a region's total T, the place's part within it has the mean a + b T and the
        variance w. A smallest region has b its share and w 0; and of children with spreads s, which
        given T vary as s less what their sum S fixes, b is sum(b s) / S and w is sum(w) + sum(b^2
        s) - sum(b s)^2 / S.
        """
        tree = self.regions
        variances = np.zeros(places)
        waiting = [(tree.smallest[region], place, share, np.zeros(len(place)))]
        for level in range(int(tree.depth.max(initial=0)), -1, -1):
            node, node_place, share, within_variance = (
                np.concatenate(parts) for parts in zip(*waiting, strict=True)
            )
            at_level = tree.depth[node] == level
            waiting = [
                (
                    node[~at_level],
                    node_place[~at_level],
                    share[~at_level],
                    within_variance[~at_level],
                )
            ]
            node = node[at_level]
            node_place = node_place[at_level]
            share = share[at_level]
            within_variance = within_variance[at_level]
            top = tree.parent[node] < 0
            variances += np.bincount(
                node_place[top], (within_variance + share**2 * self.spread[node])[top], places
            )
            if top.all():
                continue
            node = node[~top]
            node_place = node_place[~top]
            share = share[~top]
            within_variance = within_variance[~top]
            pairs, at = np.unique(tree.parent[node] * places + node_place, return_inverse=True)
            above, node_place = np.divmod(pairs, places)
            covariance = np.bincount(at, share * self.spread[node])
            remaining = (
                np.bincount(at, within_variance + share**2 * self.spread[node])
                - covariance**2 / self.wide[above]
            )
            waiting.append(
                (above, node_place, covariance / self.wide[above], np.maximum(remaining, 0.0))
            )
        return variances

    def variances_by_itself(self, region: Labels, share: Numbers) -> Numbers:
        """Returns what `share_variances` does where each place is a share of one smallest region:
        nothing is then to be added up.
        """
        tree = self.regions
        node = tree.smallest[region]
        within_variance = np.zeros(len(node))
        variances = np.empty(len(node))
        waiting = np.arange(len(node))
        while len(waiting):
            variance = within_variance + share**2 * self.spread[node]
            above = tree.parent[node]
            inner = above >= 0
            variances[waiting[~inner]] = variance[~inner]
            waiting = waiting[inner]
            above = above[inner]
            covariance = share[inner] * self.spread[node[inner]]
            remaining = variance[inner] - covariance**2 / self.wide[above]
            share = covariance / self.wide[above]
            within_variance = np.maximum(remaining, 0.0)
            node = above
        return variances


def _group_cells(labels: Sequence[Labels]) -> tuple[Labels, Index, Index]:
    """Returns the group of each cell, such that cells of one group lie in the same regions, and for
    each group its number of cells and its region in each measurement.

    A region of the last measurement is one group, unless regions of earlier ones cut it.
    """
    # cells in no region of the last are group -1, which is the last of all
    group_of_cell = labels[-1]
    groups = int(group_of_cell.max(initial=-1)) + 2
    for cell_labels in labels[:-1]:
        region_of_group = _find_regions(group_of_cell, groups, cell_labels)
        if any(
            (region_of_group[group] != label).any()
            for group, label in zip(strips(group_of_cell), strips(cell_labels), strict=True)
        ):
            group_of_cell, groups = _split_groups(group_of_cell, groups, cell_labels)
    cells = np.zeros(groups, dtype=np.int64)
    for strip in strips(group_of_cell):
        np.add.at(cells, strip, 1)
    number = np.cumsum(cells > 0, dtype=np.int32) - 1
    regions = [_find_regions(group_of_cell, groups, cell_labels) for cell_labels in labels]
    return (
        number[group_of_cell],
        cells[cells > 0],
        np.array(regions, dtype=np.int64)[:, cells > 0],
    )


def _find_regions(group_of_cell: Labels, groups: int, labels: Labels) -> Labels:
    """Returns for each group the region of one of its cells."""
    regions = np.full(groups, -1, dtype=np.int32)
    for group, label in zip(strips(group_of_cell), strips(labels), strict=True):
        regions[group] = label
    return regions


def _split_groups(group_of_cell: Labels, groups: int, labels: Labels) -> tuple[Labels, int]:
    """Returns groups whose cells lie in the same of these regions too, and their number.

    Cells of one group follow one another, in rows: each run of them is looked up once.
    """
    regions = int(labels.max(initial=-1)) + 2
    run_groups = []
    run_lengths = []
    for group, label in zip(strips(group_of_cell), strips(labels), strict=True):
        pairs = (group.astype(np.int64) % groups) * regions + (label.astype(np.int64) + 1)
        starts = np.flatnonzero(np.append(True, pairs[1:] != pairs[:-1]))
        run_groups.append(pairs[starts])
        run_lengths.append(np.diff(np.append(starts, len(pairs))))
    distinct, number = np.unique(np.concatenate(run_groups), return_inverse=True)
    return np.repeat(number.astype(np.int32), np.concatenate(run_lengths)), len(distinct)


def _sum_cells(region_ids: Index, group_cells: Index, regions: int) -> Index:
    """Counts the cells of each region, from those of the groups that lie in it."""
    known = region_ids >= 0
    cells = np.broadcast_to(group_cells, region_ids.shape)
    return np.bincount(region_ids[known], cells[known], regions).astype(np.int64)


def _find_parents(chain: Index, group_cells: Index, sizes: Index) -> tuple[Index, Index] | None:
    """Returns the region that each region lies in (-1: none), and for regions of the same cells one
    of them; None where some cross.

    Where none cross, all cells of a region have the same larger ones around them, and it stands at
    one place of their chains.
    """
    parent = np.full(len(sizes), -1, dtype=np.int64)
    for level, regions in enumerate(chain):
        known = regions >= 0
        if (_sum_cells(regions, group_cells, len(sizes)) != sizes)[regions[known]].any():
            return None
        if level:
            parent[regions[known]] = chain[level - 1][known]
            if (parent[regions[known]] != chain[level - 1][known]).any():
                return None
    twin = np.arange(len(sizes))
    is_copy = (parent >= 0) & (sizes[parent] == sizes)
    for _ in chain:
        twin = np.where(is_copy, twin[parent], twin)
    return np.where(parent >= 0, twin[parent], -1), twin


def _precisions(measurement: Measurement) -> Numbers:
    """Returns one over the variance of the noise, in points, of each region."""
    return 1 / measurement.deviations**2


def _count_depths(parent: Index) -> Index:
    """Counts the regions that each lies in."""
    depth = np.zeros(len(parent), dtype=np.int64)
    ancestor = parent
    while (ancestor >= 0).any():
        depth += ancestor >= 0
        ancestor = np.where(ancestor >= 0, parent[ancestor], -1)
    return depth
