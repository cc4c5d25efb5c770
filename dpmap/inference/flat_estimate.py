"""Estimates of a map in which every cell was measured by itself."""

import numpy as np

from dpmap.inference.estimate import Cells, Mask, Regions
from dpmap.read_only_arrays import read_only, read_only_property
from dpmap.record import Measurement


class FlatEstimate:
    """Estimates cells that were measured one by one, each with the same known noise.

    The estimate is the point of {every cell at least 0, all adding up to the noisy total} nearest
    to the noisy cells: clamping each cell at 0 instead would make a sparse map's total several
    times the truth.
    """

    def __init__(self, measurement: Measurement) -> None:
        self._labels = measurement.partition
        self._noisy = read_only(measurement.values)
        self._lattice = measurement.lattice
        self._law = measurement.law
        sizes = np.maximum(self._labels.sizes(), 1)
        self.values: Cells = read_only(self._labels.spread(project(self._noisy) / sizes))

    @property
    def regions(self) -> Regions:
        """The measured region of each cell."""
        return self._labels.labels

    @read_only_property
    def noisy(self) -> Cells:
        """The signed noisy total of each cell, as drawn."""
        return self._labels.spread(self._noisy)

    def interval(self, level: float) -> tuple[Cells, Cells]:
        """Returns the smallest interval of the noise law at or above `level`, kept to possible
        totals.

        For a total x > 0 the test is |noisy - x| <= q2, for x = 0 it is noisy <= q1, with q2 and q1
        the two-sided and one-sided quantiles of the noise at `level`. Every x, 0 included, passes
        its own test with probability at least `level` (and no more than the lattice forces), so the
        set of x that pass, an interval, holds the truth that often: Neyman's construction. No
        interval is empty and none reaches below 0.
        """
        one_sided = self._law.one_sided(level) / self._lattice
        two_sided = self._law.two_sided(level) / self._lattice
        low = np.where(
            self._noisy <= one_sided, 0.0, np.maximum(self._noisy - two_sided, 1 / self._lattice)
        )
        high = np.maximum(self._noisy + two_sided, 0.0)
        return self._labels.spread(low), self._labels.spread(high)

    def zone(self, within: Mask, touched: Mask, level: float) -> tuple[float, float, float]:
        """Returns a zone's total and bounds, from its noisy cells and the law of that many noises.

        Cut cells count in the upper bound only. The bounds follow `interval`: a one-sided test at
        0, two-sided above. Where cells are cut, the lower bound is that of the cells inside and the
        upper that of all cells touched, each at half the risk.
        """
        noisy = self.noisy
        known = self._labels.labels >= 0
        inside = within & known
        met = (within | touched) & known
        cut = met & ~inside
        part_level = 1 - (1 - level) / 2 if cut.any() else level
        sum_inside = float(noisy[inside].sum())
        sum_met = float(noisy[met].sum())
        one_sided = self._sum_quantile(int(inside.sum()), 2 * part_level - 1)
        two_sided = self._sum_quantile(int(inside.sum()), part_level)
        low = 0.0 if sum_inside <= one_sided else max(sum_inside - two_sided, 1 / self._lattice)
        high = max(sum_met + self._sum_quantile(int(met.sum()), part_level), 0.0)
        estimate = float(self.values[inside].sum() + self.values[cut].sum() / 2)
        return min(max(estimate, low), high), low, high

    def _sum_quantile(self, cells: int, level: float) -> float:
        """Returns the q, in points, that the sum of that many noises exceeds in size with
        probability 1 - level.
        """
        return self._law.of_sum(level, cells) / self._lattice

    def p_values(self, threshold: float = 0.0) -> Cells:
        """Returns P(noise >= noisy - threshold), exactly by the noise law."""
        steps = np.ceil((self._noisy - threshold) * self._lattice)
        return self._labels.spread(self._law.at_least(steps))


def project(noisy: Cells, total: float | None = None) -> Cells:
    """Returns the nearest point of {x >= 0, sum x = total}: all cells lowered by one amount, cut at
    0. Without a total, that of the noisy cells, or 0.

    >>> project(np.array([5.0, -1.0, 2.0]))
    array([4.5, 0. , 1.5])
    """
    total = max(float(noisy.sum()) if total is None else total, 0.0)
    if not len(noisy) or total == 0:
        return np.zeros(len(noisy))
    ordered = np.sort(noisy)[::-1]
    lowered = (np.cumsum(ordered) - total) / np.arange(1, len(noisy) + 1)
    last_positive = int(np.flatnonzero(ordered > lowered)[-1])
    return np.asarray(np.maximum(noisy - lowered[last_positive], 0.0), dtype=np.float64)
