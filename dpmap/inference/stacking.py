"""Reads all seasons of a survey together: each season's map is helped by the others as far as its own noisy answers bear them out."""

from collections.abc import Sequence

import numpy as np

from dpmap.grid import Grid
from dpmap.inference.estimate import Cells, Estimate, Mask, Regions
from dpmap.inference.flat import FlatEstimate
from dpmap.inference.tree import TreeEstimate
from dpmap.record import Measurement
from dpmap.record.apart import apart

Season = tuple[Measurement, ...]
"""What was measured in one season."""


class Stacked:
    """A season's own estimate with better cells; its bounds are those of its own measurements, widened to the cells."""

    def __init__(self, own: Estimate, values: Cells) -> None:
        self._own, self.values = own, values

    def interval(self, level: float) -> tuple[Cells, Cells]:
        """Returns bounds for each cell that hold its total with probability at least `level`, whatever other seasons say."""
        low, high = self._own.interval(level)
        return np.minimum(low, self.values), np.maximum(high, self.values)

    def zone(self, within: Mask, touched: Mask, level: float) -> tuple[float, float, float]:
        """Returns estimate, low and high of the total of a zone; the bounds are the season's own."""
        _, low, high = self._own.zone(within, touched, level)
        values = np.nan_to_num(self.values)
        estimate = float(values[within].sum() + values[touched & ~within].sum() / 2)
        return min(max(estimate, low), high), low, high

    @property
    def regions(self) -> Regions:
        """The region of the season's last measurement that each cell lies in."""
        return self._own.regions

    def p_values(self, threshold: float = 0.0) -> Cells:
        """Returns the chance that the season's own noise alone makes a cell, or its region, look this high."""
        return self._own.p_values(threshold)


def stacked(grid: Grid, seasons: Sequence[Season]) -> list[Estimate]:
    """Returns each season's estimate, given all others."""
    own = [_alone(grid, season) for season in seasons]
    if len(own) < 2:
        return list(own)
    whole = np.sum([one.values for one in own], axis=0)
    return [
        Stacked(one, _blended(season, one.values, whole - one.values, len(own) - 1))
        for season, one in zip(seasons, own, strict=True)
    ]


def _alone(grid: Grid, season: Season) -> Estimate:
    """Returns a season's estimate from its own measurements."""
    last = apart(season)
    return (TreeEstimate.of(grid, season) if last.kind == "laplace" else None) or FlatEstimate(last)


def _blended(season: Season, own: Cells, others: Cells, many: int) -> Cells:
    """Mixes the cells with the shape of the others, the more of it the nearer it comes to the season's noisy answers."""
    last, size = apart(season), float(np.nansum(own))
    shape = others * (size / max(float(np.nansum(others)), 1e-300))
    off = last.values - last.partition.sums(np.nan_to_num(shape))
    trust = min(1.0, float((last.deviations**2).sum()) / max(float((off**2).sum()), 1e-300)) * many / (many + 1)
    return np.asarray((1 - trust) * own + trust * shape)
