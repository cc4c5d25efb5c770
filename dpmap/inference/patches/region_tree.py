"""Holds the measured regions as a tree, and the error law of any place that is made of them.

Regions of several measurements lie one within the other or apart. What is known of the smallest
ones, and every larger answer about the same land, is brought together by weighted means upwards and
shared out downwards (a Kalman filter on a tree), which is exact for normal errors. Of a sum of
smallest regions the same tree tells the variance, exactly and at once for all places.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dpmap.read_only_arrays import read_only_fields
from dpmap.record import Measurement
from dpmap.record.unpool import superseded

Numbers = NDArray[np.float64]
Index = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Regions:
    """Holds each region once: what was answered about it, with the answer's variance, and the
    region it lies in (-1: none).

    `smallest` numbers the regions in which no other lies; `of_cell` is each cell's one, by its
    place there, -1 where nothing was measured. A region that was asked twice has the weighted mean
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
    of_cell: Index
    laplace: bool

    def __post_init__(self) -> None:
        read_only_fields(self)

    @classmethod
    def build(cls, labels: Sequence[Index], measurements: Sequence[Measurement]) -> "Self | None":
        """Builds the tree of these measurements, `labels` being each one's region of every cell;
        None where regions cross.
        """
        starts = np.cumsum([0, *(measurement.partition.regions for measurement in measurements)])
        every = np.stack(
            [
                np.where(mine >= 0, mine + start, -1)
                for mine, start in zip(labels, starts[:-1], strict=True)
            ]
        )
        sizes = np.bincount(every[every >= 0], minlength=starts[-1])
        order = np.argsort(
            -np.where(every >= 0, np.append(sizes, 0)[every], 0), axis=0, kind="stable"
        )
        chain = np.take_along_axis(
            every, order, axis=0
        )  # of each cell its regions, the largest first
        found = _parents(chain, sizes)
        if found is None:
            return None
        parent, same = found
        dropped = np.concatenate(superseded(measurements))
        precision = np.where(
            dropped, 0.0, np.concatenate([_precisions(measurement) for measurement in measurements])
        )
        weight = np.bincount(same, precision, len(sizes))
        noisy = np.bincount(
            same, precision * np.concatenate([one.values for one in measurements]), len(sizes)
        )
        kept = np.flatnonzero((same == np.arange(len(sizes))) & (sizes > 0))
        number = np.full(len(sizes) + 1, -1)
        number[kept] = np.arange(len(kept))
        parent = number[parent[kept]]
        last = np.where(chain >= 0, number[same[chain]], -1)
        innermost = np.take_along_axis(last, np.maximum((last >= 0).sum(0) - 1, 0)[None], axis=0)[0]
        around = np.zeros(len(kept) + 1, dtype=bool)
        around[parent] = True  # -1 is the last
        smallest = np.flatnonzero(~around[:-1])
        place = np.full(len(kept) + 1, -1)
        place[smallest] = np.arange(len(smallest))
        return cls(
            noisy[kept] / weight[kept],
            1 / weight[kept],
            sizes[kept],
            parent,
            _depths(parent),
            np.bincount(same, ~dropped)[kept] == 1,
            smallest,
            place[innermost],
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

    def evened(self, parts: Numbers) -> Numbers:
        """Returns totals of the smallest regions as if the land within each region around them,
        or within all of them, were even.
        """
        outer = self.parent[self.smallest]
        group = np.where(outer >= 0, outer, len(self.noisy))
        size = self.cells[self.smallest].astype(np.float64)
        total, ground = (np.bincount(group, part, len(self.noisy) + 1) for part in (parts, size))
        return size * (total / np.maximum(ground, 1.0))[group]

    def within(self, cells: Index) -> Self:
        """Returns the tree of these cells alone, each region being the part of it that lies
        among them.
        """
        smallest, of_cell = np.unique(self.of_cell[cells], return_inverse=True)
        chain = [self.smallest[smallest[smallest >= 0]]]
        while (chain[-1] >= 0).any():
            chain.append(np.where(chain[-1] >= 0, self.parent[chain[-1]], -1))
        kept = np.unique(np.concatenate(chain))
        kept = kept[kept >= 0]
        number = np.full(len(self.noisy) + 1, -1)
        number[kept] = np.arange(len(kept))
        missed = int((smallest < 0).sum())
        inner = replace(
            self,
            noisy=self.noisy[kept],
            variance=self.variance[kept],
            parent=number[self.parent[kept]],
            depth=self.depth[kept],
            once=self.once[kept],
            smallest=number[chain[0]],
            of_cell=of_cell - missed,
            cells=np.zeros(len(kept), dtype=np.int64),
        )
        own = np.bincount(inner.of_cell[inner.of_cell >= 0], minlength=len(inner.smallest))
        return replace(inner, cells=np.rint(inner.sums(own.astype(np.float64))).astype(np.int64))

    def believed(self, noisy: Numbers, mean: Numbers, variance: Numbers) -> "Belief":
        """Returns what all answers together say, `mean` and `variance` being what is held of the
        smallest regions by themselves.
        """
        held, spread = noisy.copy(), self.variance.copy()
        held[self.smallest], spread[self.smallest] = mean, variance
        below, wide = np.zeros(len(held)), np.zeros(len(held))
        inner = np.ones(len(held), dtype=bool)
        inner[self.smallest] = False
        levels = range(int(self.depth.max(initial=0)) + 1)
        for level in reversed(levels):
            at = np.flatnonzero((self.depth == level) & inner)
            spread[at] = 1 / (1 / self.variance[at] + 1 / wide[at])
            held[at] = spread[at] * (noisy[at] / self.variance[at] + below[at] / wide[at])
            if level:
                at = np.flatnonzero(self.depth == level)
                below += np.bincount(self.parent[at], held[at], len(held))
                wide += np.bincount(self.parent[at], spread[at], len(held))
        total = held.copy()
        for level in levels[1:]:
            at = np.flatnonzero(self.depth == level)
            above = self.parent[at]
            total[at] += spread[at] / wide[above] * (total[above] - below[above])
        return Belief(self, total[self.smallest], spread, wide)


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """Holds the mean of each smallest region, and what the variance of any place made of them
    follows from.
    """

    regions: Regions
    mean: Numbers
    spread: Numbers
    wide: Numbers

    def __post_init__(self) -> None:
        read_only_fields(self)

    @property
    def alone(self) -> Numbers:
        """The variance of each smallest region by itself, before what is above it is known."""
        return self.spread[self.regions.smallest]

    def variances(self, place: Index, places: int) -> Numbers:
        """Returns the variance of each place's total, `place` being that of each smallest
        region.
        """
        return self.of_shares(np.arange(len(place)), place, np.ones(len(place)), places)

    def of_shares(self, region: Index, place: Index, share: Numbers, places: int) -> Numbers:
        """Returns the variance of each place's total, which takes these shares of these smallest
        regions; none twice.

        Upwards: given a region's total T, the place's part within it has the mean a + b T and the
        variance w. A smallest region has b its share and w 0; and of children with spreads s, which
        given T vary as s less what their sum S fixes, b is sum(b s) / S and w is sum(w) + sum(b^2
        s) - sum(b s)^2 / S.
        """
        tree, found = self.regions, np.zeros(places)
        waiting = [(tree.smallest[region], place, share, np.zeros(len(place)))]
        for level in range(int(tree.depth.max(initial=0)), -1, -1):
            node, mine, share, free = (
                np.concatenate(parts) for parts in zip(*waiting, strict=True)
            )
            here = tree.depth[node] == level
            waiting = [(node[~here], mine[~here], share[~here], free[~here])]
            node, mine, share, free = node[here], mine[here], share[here], free[here]
            top = tree.parent[node] < 0
            found += np.bincount(mine[top], (free + share**2 * self.spread[node])[top], places)
            if top.all():
                continue
            node, mine, share, free = node[~top], mine[~top], share[~top], free[~top]
            pairs, at = np.unique(tree.parent[node] * places + mine, return_inverse=True)
            above, mine = np.divmod(pairs, places)
            tied = np.bincount(at, share * self.spread[node])
            loose = (
                np.bincount(at, free + share**2 * self.spread[node]) - tied**2 / self.wide[above]
            )
            waiting.append((above, mine, tied / self.wide[above], np.maximum(loose, 0.0)))
        return found


def _parents(chain: Index, sizes: Index) -> tuple[Index, Index] | None:
    """Returns the region each lies in (-1: none), and for regions of the same cells one of them;
    None where some cross.

    Where none cross, all cells of a region have the same larger ones around them, and it stands at
    one place of their chains.
    """
    parent = np.full(len(sizes), -1, dtype=np.int64)
    for place, below in enumerate(chain):
        known = below >= 0
        if (np.bincount(below[known], minlength=len(sizes)) != sizes)[below[known]].any():
            return None
        if place:
            parent[below[known]] = chain[place - 1][known]
            if (parent[below[known]] != chain[place - 1][known]).any():
                return None
    same = np.arange(len(sizes))
    twice = (parent >= 0) & (sizes[parent] == sizes)
    for _ in chain:
        same = np.where(twice, same[parent], same)
    return np.where(parent >= 0, same[parent], -1), same


def _precisions(measurement: Measurement) -> Numbers:
    """Returns one over the variance of the noise, in points, of each region."""
    return 1 / measurement.deviations**2


def _depths(parent: Index) -> Index:
    """Counts the regions that each lies in."""
    depth, at = np.zeros(len(parent), dtype=np.int64), parent
    while (at >= 0).any():
        depth += at >= 0
        at = np.where(at >= 0, parent[at], -1)
    return depth
