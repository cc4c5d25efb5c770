"""The estimate of a map with the intervals of the one belief, so that cells, places, zones, hot
spots and lists have the same answer for the same land.
"""

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import Grid
from dpmap.inference.estimate import Cells, Estimate, Mask, Regions
from dpmap.inference.flat_estimate import FlatEstimate
from dpmap.inference.patches.region_growing import sum_by_place
from dpmap.inference.patches.zone_intervals import ZoneIntervals
from dpmap.read_only_arrays import read_only, read_only_property

Numbers = NDArray[np.float64]
Index = NDArray[np.int64]


class BelievedEstimate:
    """An estimate of cells, with the intervals of the one belief.

    The estimate of any land is the sum of its cells, so that cells add up to places and zones; the
    interval is the belief's, reaching to that sum where it lies outside. Where the answers show
    that single cells are alike all over the map, the cells too are taken from the belief: an
    estimate made to distinguish cells would show noise.
    """

    def __init__(self, grid: Grid, own: Estimate, law: Callable[[], ZoneIntervals]) -> None:
        self.own = own
        self._grid = grid
        self._make_law = law

    @cached_property
    def law(self) -> ZoneIntervals:
        """What is believed of all land."""
        return self._make_law()

    @cached_property
    def _inside(self) -> Index:
        return np.flatnonzero(np.isfinite(self.own.values.ravel()))

    @read_only_property
    def values(self) -> Cells:
        """The estimated capped total of each cell, never negative, NaN outside the area."""
        cell_values = self.own.values
        if isinstance(self.own, FlatEstimate):  # as the mechanism gave it
            return cell_values
        alike = min((part.posterior.alike for part in self.law.parts), default=0.0)
        if not alike:
            return cell_values
        mixed = cell_values.ravel().copy()
        mixed[self._inside] = (1 - alike) * mixed[self._inside] + alike * self._cell_beliefs[0]
        return mixed.reshape(cell_values.shape)

    @cached_property
    def _cell_beliefs(self) -> tuple[Numbers, Numbers]:
        """The believed mean of each cell, and its deviation."""
        return self.law.estimate_cells(self._inside)

    def interval(self, level: float) -> tuple[Cells, Cells]:
        """Returns the bounds of each cell, as `answer` has them."""
        low, high = np.full((2, self.own.values.size), np.nan)
        bounds = self.law.bounds(*self._cell_beliefs, level)
        total = self.values.ravel()[self._inside]
        low[self._inside] = np.minimum(bounds[0], total)
        high[self._inside] = np.maximum(bounds[1], total)
        return read_only(low.reshape(self.own.values.shape)), read_only(
            high.reshape(self.own.values.shape)
        )

    def answer(self, cells: Index, shares: Numbers, level: float) -> tuple[float, float, float]:
        """Returns estimate, low and high of the total of land that takes these shares of these
        cells.
        """
        total = float((np.nan_to_num(self.values.ravel()[cells]) * shares).sum())
        _, low, high = self.law.answer(cells, shares, level)
        return total, min(low, total), max(high, total)

    def answers(self, place: Index, places: int, level: float) -> tuple[Numbers, Numbers, Numbers]:
        """Returns estimates, lows and highs of places made of whole cells; `place` is that of
        each cell, in grid shape, -1 for none.
        """
        cells = np.flatnonzero(place.ravel() >= 0)
        cell_places = place.ravel()[cells]
        total = sum_by_place(cell_places, np.nan_to_num(self.values.ravel()[cells]), places)
        low, high = self.law.bounds(*self.law.estimate_places(cells, cell_places, places), level)
        return total, np.minimum(low, total), np.maximum(high, total)

    def distinguishable(self, rate: float) -> Mask:
        """Returns the cells that surely hold something: whose interval at the level 1 - `rate`
        leaves out 0.
        """
        with np.errstate(invalid="ignore"):
            return np.asarray(self.interval(1 - rate)[0] > 0)

    def zone(self, within: Mask, touched: Mask, level: float) -> tuple[float, float, float]:
        """Returns the strict bounds of the noise law alone, with the estimate."""
        return self.own.zone(within, touched, level)

    @property
    def regions(self) -> Regions:
        """The number of the region that each cell is judged with."""
        return self.own.regions

    def p_values(self, threshold: float = 0.0) -> Cells:
        """Returns each cell's chance by the noise law alone."""
        return self.own.p_values(threshold)
