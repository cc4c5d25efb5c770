"""Estimates of a map of randomised reports: unbiased, with intervals by the exact law of the
devices' coins.
"""

import math
from bisect import bisect_left
from collections.abc import Callable
from functools import cache

import numpy as np

from dpmap.inference.estimate import Cells, Mask, Regions
from dpmap.inference.flat_estimate import project
from dpmap.noise.theory import binomials_at_least
from dpmap.read_only_arrays import read_only
from dpmap.record import Reports


class ReportedEstimate:
    """Estimates from n reports each cell's true number x of volunteers, 0 <= x <= n.

    *The law.* Let a zone have z cells, and S be the support of its cells added up. With `grr` each
    of the x volunteers in it names a cell of it with chance p + (z - 1) q, each other one with
    chance z q. With `oue` the x have one true bit in it each, set with chance p, and there are n z
    - x untrue ones, set with chance q. All coins are independent, so S is the sum of two binomials,
    x trials of the one chance and the other trials of the other; it grows with x, as the first is
    larger.

    *Bounds* are the x that an exact test does not reject (Clopper and Pearson's construction for
    this law): each side has half the risk, but for x = 0, which nothing but a large S speaks
    against.

    The estimate of the map is the point of {no cell below 0, cells and elsewhere adding up to n}
    nearest to the unbiased ones.
    """

    def __init__(self, reports: Reports) -> None:
        self._reports = reports
        self._partition = reports.partition
        self._count = reports.count
        self._p = float(reports.truth)
        self._q = float(reports.other)
        elsewhere = (reports.elsewhere - self._count * self._q) / (self._p - self._q)
        signed = np.append(reports.values, elsewhere)
        # shifting them to the sum n leaves the nearest point the same
        projected = project(signed + (self._count - signed.sum()) / len(signed))
        self.values: Cells = read_only(self._partition.spread(projected[:-1]))
        self._bounds = cache(self._find_bounds)

    def interval(self, level: float) -> tuple[Cells, Cells]:
        """Returns bounds for each cell that hold its number of volunteers with probability at
        least `level`.
        """
        return self._spread_bounds(level)

    def _spread_bounds(self, level: float) -> tuple[Cells, Cells]:
        distinct_steps, index = np.unique(self._reports.steps, return_inverse=True)
        risk = (1 - level) / 2
        bounds = np.array(
            [self._bounds(int(s), 1, risk, 2 * risk) for s in distinct_steps], dtype=float
        )
        return self._partition.spread(bounds[index, 0]), self._partition.spread(bounds[index, 1])

    def zone(self, within: Mask, touched: Mask, level: float) -> tuple[float, float, float]:
        """Estimate and bounds of a zone: its cells together by their own law; where cells are cut,
        the lower bound is that of the cells inside and the upper that of all cells touched, each at
        half the risk.
        """
        known = self._partition.labels >= 0
        inside = within & known
        reach = (within | touched) & known
        cut = reach & ~inside
        risk = (1 - level) / 2
        low = self._zone_bounds(inside, risk, risk if cut.any() else 2 * risk)[0]
        high = self._zone_bounds(reach, risk, risk)[1]
        values = np.nan_to_num(self.values)
        estimate = float(values[inside].sum() + values[cut].sum() / 2)
        return min(max(estimate, low), high), low, high

    def _zone_bounds(self, cells: Mask, risk: float, at_zero: float) -> tuple[float, float]:
        support = int(self._reports.steps[self._partition.labels[cells]].sum())
        count = int(cells.sum())
        low, high = self._bounds(support, count, risk, at_zero) if count else (0, 0)
        return float(low), float(high)

    def _find_bounds(
        self, support: int, cells: int, risk: float, at_zero: float
    ) -> tuple[int, int]:
        """Returns the least and the greatest x that are not rejected; the support grows with x."""
        if self._at_least(support, 0, cells) > at_zero:
            low = 0
        else:
            low = self._find_first(
                lambda x: self._at_least(support, x, cells) > risk, support, cells
            )
        high = (
            self._find_first(lambda x: self._at_most(support, x, cells) <= risk, support, cells) - 1
        )
        return min(low, self._count), max(high, min(low, self._count))

    def _find_first(self, holds: Callable[[int], bool], support: int, cells: int) -> int:
        """Returns the least x from 1 on for which `holds` is true, found by bisection around the
        estimate.
        """
        (_, a), (all_but_x, b) = self._law(0, cells)
        middle = (support - all_but_x * b) / (a - b)
        reach = 4 * math.sqrt(all_but_x * b + 1) / (a - b)
        start, end = (int(min(max(1, x), self._count)) for x in (middle - reach, middle + reach))
        if holds(start):
            start, end = 1, start
        elif not holds(end):
            start = end
            end = self._count + 1
        return start + bisect_left(range(start, end), True, key=holds)

    def _law(self, x: int, cells: int) -> tuple[tuple[int, float], tuple[int, float]]:
        """Returns the two binomials of a zone of so many cells with x volunteers, as (trials,
        chance).
        """
        if self._reports.mechanism == "oue":
            return (x, self._p), (self._count * cells - x, self._q)
        return (x, min(1.0, self._p + (cells - 1) * self._q)), (
            self._count - x,
            min(1.0, cells * self._q),
        )

    def _at_least(self, support: int, x: int, cells: int) -> float:
        return float(binomials_at_least(np.array([support]), *self._law(x, cells))[0])

    def _at_most(self, support: int, x: int, cells: int) -> float:
        """Returns the chance of support no greater than this, by the same law."""
        (true_trials, a), (false_trials, b) = self._law(x, cells)
        return float(
            binomials_at_least(
                np.array([true_trials + false_trials - support]),
                (true_trials, 1 - a),
                (false_trials, 1 - b),
            )[0]
        )

    @property
    def regions(self) -> Regions:
        """The number of each cell."""
        return self._partition.labels

    def p_values(self, threshold: float = 0.0) -> Cells:
        """Returns the chance of so much support if `threshold` volunteers are in the cell, by the
        exact law.

        The cells of `oue` are independent. Those of `grr` are not: more support for one leaves less
        for others. Theirs are multiplied by 1 + 1/2 + ... + 1/K, with which Benjamini and
        Hochberg's choice holds under any dependence.
        """
        distinct_steps, index = np.unique(self._reports.steps, return_inverse=True)
        chances = binomials_at_least(
            distinct_steps, *self._law(min(int(threshold), self._count), 1)
        )
        if self._reports.mechanism == "grr":
            chances = np.minimum(
                1.0, chances * (1 / np.arange(1, self._partition.regions + 1)).sum()
            )
        return self._partition.spread(chances[index])
