"""Bounds that need no model: only the exact noise law of the last measurement, and that no total
is below 0.
"""

import math
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpmap.inference.estimate import Cells, Mask, Regions
from dpmap.noise.theory import one_sided_quantile, sum_quantile, two_sided_quantile
from dpmap.record import Measurement
from dpmap.record.unpool import unpool


class RegionBounds:
    """Bounds cells, alone or within larger regions, from one measurement.

    Only the last measurement is read: its partition was fixed by earlier noise alone, so given the
    partition its own noise follows its law exactly. Earlier ones were looked at when the partition
    was chosen, and would not.
    """

    def __init__(self, measurement: Measurement) -> None:
        self._measurement = measurement
        self._labels = measurement.partition
        self._lattice = measurement.lattice
        self._scale = measurement.scale_steps

    @cached_property
    def _noisy(self) -> Cells:
        """The regions' noisy totals, computed on demand: those of large maps take much memory."""
        return self._measurement.values

    @cached_property
    def _cells(self) -> NDArray[np.int32]:
        """How many cells each region has."""
        return self._labels.sizes()

    @property
    def regions(self) -> Regions:
        """The measured region of each cell."""
        return self._labels.labels

    def interval(self, level: float) -> tuple[Cells, Cells]:
        """Bounds a cell measured alone by Neyman's construction, as in a flat map; others from 0 to
        their region's upper bound.

        No measurement says where among its cells a region's total lies, so a cell may hold all of
        it or nothing.
        """
        one_sided = one_sided_quantile(level, self._scale) / self._lattice
        two_sided = two_sided_quantile(level, self._scale) / self._lattice
        noisy = self._noisy
        alone = self._cells == 1
        low = np.where(
            ~alone | (noisy <= one_sided), 0.0, np.maximum(noisy - two_sided, 1 / self._lattice)
        )
        high = np.maximum(noisy + np.where(alone, two_sided, one_sided), 0.0)
        return self._labels.spread(low), self._labels.spread(high)

    def zone(self, within: Mask, touched: Mask, level: float) -> tuple[float, float]:
        """Bounds a zone from below by the regions wholly inside, from above by all it meets,
        each with its summed noise.
        """
        labels = self._labels.labels
        noisy = self._noisy
        known = labels >= 0
        inside = np.bincount(labels[within & known], minlength=len(noisy)) == self._cells
        inside &= self._cells > 0
        met = np.bincount(labels[(touched | within) & known], minlength=len(noisy)) > 0
        part_level = level if np.array_equal(inside, met) else 1 - (1 - level) / 2
        low = float(noisy[inside].sum()) - self._half_width(int(inside.sum()), part_level)
        high = float(noisy[met].sum()) + self._half_width(int(met.sum()), part_level)
        return max(low, 0.0), max(high, 0.0)

    def _half_width(self, regions: int, level: float) -> float:
        """Returns half the width, in points, of the interval of that many noises added up."""
        return sum_quantile(level, ((float(self._scale), regions),)) / self._lattice

    def p_values(self, threshold: float) -> Cells:
        """Returns P(noise >= noisy - threshold) for cells measured alone.

        At threshold 0 a cell within a region has the region's: that the cell is empty is then not
        the claim, but that the whole region is. Above 0 no measurement says how a region's total
        lies, and cells within regions have 1.
        """
        steps = np.ceil((self._noisy - threshold) * self._lattice)
        tail = np.exp(-np.maximum(steps, 0) / float(self._scale)) / (
            1 + math.exp(-1 / float(self._scale))
        )
        return self._labels.spread(
            np.where((steps <= 0) | ((self._cells != 1) & (threshold > 0)), 1.0, tail)
        )


class BoundedEstimate:
    """An estimate from several measurements, with the bounds that the last one gives by itself."""

    def __init__(self, measurements: tuple[Measurement, ...]) -> None:
        self._measurements = measurements

    @property
    def values(self) -> Cells:
        """The estimated total of each cell, never negative."""
        raise NotImplementedError

    @cached_property
    def _bounds(self) -> RegionBounds:
        """What the last measurement says by itself."""
        return RegionBounds(unpool(self._measurements))

    def interval(self, level: float) -> tuple[Cells, Cells]:
        """Returns bounds for each cell that hold its total with probability at least `level`,
        whatever the map's shape.

        They are widened to the estimate where it lies outside, which can only hold more.
        """
        low, high = self._bounds.interval(level)
        return np.minimum(low, self.values), np.maximum(high, self.values)

    def zone(self, within: Mask, touched: Mask, level: float) -> tuple[float, float, float]:
        """Returns estimate, low and high of the total of a zone."""
        low, high = self._bounds.zone(within, touched, level)
        values = np.nan_to_num(self.values)
        estimate = float(values[within].sum() + values[touched & ~within].sum() / 2)
        return min(max(estimate, low), high), low, high

    @property
    def regions(self) -> Regions:
        """The region of the last measurement that each cell lies in."""
        return self._bounds.regions

    def p_values(self, threshold: float = 0.0) -> Cells:
        """Returns the chance that noise alone makes a cell, or at threshold 0 its region, look
        this high.
        """
        return self._bounds.p_values(threshold)
