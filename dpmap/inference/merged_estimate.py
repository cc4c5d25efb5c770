"""Estimates of several maps as one: estimates add up, and so do the noises, whose law is known.

The noises of different releases are independent, each Laplace of a known scale (on lattices so fine
that the step is nothing). So the noise of a sum of partners' totals has a law that can be worked
out, and nothing is guessed.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import Grid
from dpmap.grid.common_grid import window
from dpmap.inference.estimate import Cells, Estimate, Mask, Regions
from dpmap.noise.theory import sum_quantile, sum_tail_bound
from dpmap.read_only_arrays import read_only, read_only_property
from dpmap.record import Measurement

Law = tuple[tuple[float, int], ...]


class PartnerPart:
    """One partner's last measurement and estimate, on the cells of the whole map.

    `region` is -1 where its map does not reach; `single` are the cells that it measured by
    themselves.
    """

    def __init__(self, whole: Grid, grid: Grid, measurement: Measurement, values: Cells) -> None:
        at = window(whole, grid)
        self.region = np.full(whole.shape, -1, dtype=np.int64)
        self.region[at] = measurement.partition.labels
        self.values = np.zeros(whole.shape)
        self.values[at] = np.nan_to_num(values)
        self.noisy = measurement.values
        self.scale = float(measurement.scale)
        self.lattice = measurement.lattice
        self.sizes = np.bincount(
            self.region[self.region >= 0], minlength=measurement.partition.regions
        )
        self.reaches = self.region >= 0
        self.single = self.reaches & (np.append(self.sizes, 0)[self.region] == 1)

    @property
    def in_cells(self) -> Cells:
        """The noisy total of each cell's region; 0 outside the partner's map."""
        return np.where(self.reaches, np.append(self.noisy, 0.0)[self.region], 0.0)


@dataclass(frozen=True, slots=True)
class MergeGroup:
    """Cells that the same partners reach, and that the same partners measured by themselves.

    `sure` is the sum of the latter's noisy totals and `sure_law` its noise; `reach` and `reach_law`
    are those of all partners' regions here, each of which holds at least the cell.
    """

    cells: NDArray[np.int64]
    sure: Cells
    sure_law: Law
    reach: Cells
    reach_law: Law

    @property
    def alone(self) -> bool:
        """Whether every partner who reaches these cells measured them by themselves."""
        return self.sure_law == self.reach_law


class MergedEstimate:
    """Estimates the sum of several partners' maps, each of whom counted only its own rows."""

    def __init__(self, whole: Grid, parts: Sequence[tuple[Grid, Measurement, Estimate]]) -> None:
        self._parts = [
            PartnerPart(whole, grid, last, estimate.values) for grid, last, estimate in parts
        ]
        reached = np.any([part.reaches for part in self._parts], axis=0)
        self.values: Cells = read_only(
            np.where(reached, np.sum([part.values for part in self._parts], axis=0), np.nan)
        )
        self._least = 1 / max(part.lattice for part in self._parts)

    @cached_property
    def _groups(self) -> list[MergeGroup]:
        """Sorts all cells of the map into groups that are alike."""
        marks = np.array(
            [[part.reaches.ravel(), part.single.ravel()] for part in self._parts]
        ).reshape(-1, self.values.size)
        kinds, kind = np.unique(marks, axis=1, return_inverse=True)
        order = np.argsort(kind.ravel(), kind="stable")
        cells = np.split(order, np.cumsum(np.bincount(kind.ravel(), minlength=kinds.shape[1]))[:-1])
        noisy = [part.in_cells.ravel() for part in self._parts]
        return [
            self._build_group(at, mark.reshape(-1, 2), noisy)
            for at, mark in zip(cells, kinds.T, strict=True)
            if mark.any()
        ]

    def _build_group(self, cells: NDArray[np.int64], marks: Mask, noisy: list[Cells]) -> MergeGroup:
        """Makes one group; `marks` says for each partner whether it reaches the cells and
        measured them by themselves.
        """
        sums = []
        laws = []
        for taken in (marks[:, 1], marks[:, 0]):
            sums.append(
                np.sum(
                    [values[cells] for values, use in zip(noisy, taken, strict=True) if use], axis=0
                )
                + np.zeros(len(cells))
            )
            laws.append(
                _count_noises(
                    (part.scale, 1) for part, use in zip(self._parts, taken, strict=True) if use
                )
            )
        return MergeGroup(cells, sums[0], laws[0], sums[1], laws[1])

    def interval(self, level: float) -> tuple[Cells, Cells]:
        """Returns bounds that hold each cell's total over all partners with probability at least
        `level`.

        Where all measured the cell by itself: Neyman's construction, as for one flat map, by the
        law of the noises' sum. Where some measured it in a block: from below those who did not,
        whose totals are part of the cell's; from above all, since a block holds at least what its
        cell does; each bound at half the risk, or, where nothing is known from below, the upper one
        at all of it. The bounds are widened to the estimate.
        """
        low = np.full(self.values.size, np.nan)
        high = np.full(self.values.size, np.nan)
        for group in self._groups:
            if group.alone:
                one_sided = sum_quantile(2 * level - 1, group.reach_law)
                two_sided = sum_quantile(level, group.reach_law)
                low[group.cells] = np.where(
                    group.reach <= one_sided, 0.0, np.maximum(group.reach - two_sided, self._least)
                )
                high[group.cells] = np.maximum(group.reach + two_sided, 0.0)
            else:
                share = 1 - (1 - level) / 2 if group.sure_law else level
                low[group.cells] = np.maximum(
                    group.sure - sum_quantile(2 * share - 1, group.sure_law), 0.0
                )
                high[group.cells] = np.maximum(
                    group.reach + sum_quantile(2 * share - 1, group.reach_law), 0.0
                )
        shape = self.values.shape
        return np.minimum(low.reshape(shape), self.values), np.maximum(
            high.reshape(shape), self.values
        )

    def zone(self, within: Mask, touched: Mask, level: float) -> tuple[float, float, float]:
        """Bounds a zone from below by every partner's regions wholly inside, from above by all it
        meets, each with its noise.

        Where these are the same regions, the bounds are two-sided and one-sided at 0, as for a flat
        map; else each takes half the risk.
        """
        sums = [0.0, 0.0]
        laws = list[list[tuple[float, int]]]([[], []])
        for part in self._parts:
            inside = (
                np.bincount(part.region[within & part.reaches], minlength=len(part.sizes))
                == part.sizes
            )
            met = (
                np.bincount(
                    part.region[(within | touched) & part.reaches], minlength=len(part.sizes)
                )
                > 0
            )
            for bound, regions in enumerate((inside & (part.sizes > 0), met)):
                sums[bound] += float(part.noisy[regions].sum())
                laws[bound].append((part.scale, int(regions.sum())))
        below, above = map(_count_noises, laws)
        if below == above:
            one_sided = sum_quantile(2 * level - 1, below)
            two_sided = sum_quantile(level, below)
            low = 0.0 if sums[0] <= one_sided else max(sums[0] - two_sided, self._least)
            high = sums[1] + two_sided
        else:
            part_level = 1 - (1 - level) / 2
            low = sums[0] - sum_quantile(2 * part_level - 1, below)
            high = sums[1] + sum_quantile(2 * part_level - 1, above)
        low = max(low, 0.0)
        high = max(high, 0.0)
        values = np.nan_to_num(self.values)
        estimate = float(values[within].sum() + values[touched & ~within].sum() / 2)
        return min(max(estimate, low), high), low, high

    @read_only_property
    def regions(self) -> Regions:
        """The number of each set of cells that lie in the same region of every partner; these share
        one p-value.
        """
        marks = np.array([part.region.ravel() for part in self._parts])
        number = np.unique(marks, axis=1, return_inverse=True)[1].ravel()
        return np.where((marks >= 0).any(0), number, -1).reshape(self.values.shape)

    def p_values(self, threshold: float = 0.0) -> Cells:
        """Bounds the chance that the summed noises lift a cell so high; 1 above 0 if a block's
        total may lie in other cells.

        Cells share noises only with one sign, and the noises' densities are log-concave, so given
        one p-value the others rise with it (Efron 1965): the positive dependence under which
        Benjamini and Hochberg's rule holds.
        """
        chances = np.full(self.values.size, np.nan)
        for group in self._groups:
            known = group.alone or threshold <= 0
            chances[group.cells] = (
                sum_tail_bound(group.reach - threshold, group.reach_law) if known else 1.0
            )
        return chances.reshape(self.values.shape)

    @property
    def alone(self) -> Mask:
        """The cells that every partner who reaches them measured by themselves, in grid shape."""
        cells = np.zeros(self.values.size, dtype=bool)
        for group in self._groups:
            cells[group.cells] = group.alone
        return cells.reshape(self.values.shape)


def _count_noises(parts: "Iterator[tuple[float, int]] | list[tuple[float, int]]") -> Law:
    """Counts how many noises there are of each scale.

    >>> _count_noises([(5.0, 2), (1.0, 1), (5.0, 1), (2.0, 0)])
    ((1.0, 1), (5.0, 3))
    """
    counts = Counter[float]()
    for scale, count in parts:
        counts[scale] += count
    return tuple(sorted((scale, count) for scale, count in counts.items() if count))
