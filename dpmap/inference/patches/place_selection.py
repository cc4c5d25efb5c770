"""Chooses the places of a map: the smallest land of which the colour can be told, grown from
pieces that touch.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dpmap.inference.flat_estimate import project
from dpmap.inference.patches.pieces import Ground
from dpmap.inference.patches.region_growing import (
    NEARLY_EMPTY,
    PieceGraph,
    distinct,
    grown,
    nearly_told,
)

Numbers = NDArray[np.float64]
Index = NDArray[np.int64]
Mask = NDArray[np.bool_]

DENSE = 0.5
"""Cells above half of the mean density may be one place over a gap of one cell."""


@dataclass(frozen=True, slots=True, eq=False)
class PlaceSelection:
    """Holds the place of each piece of land, and of each place what it is believed to hold with its
    deviation and bounds, and its area; `least` is the density below which land is nearly empty.
    """

    place: Index
    total: Numbers
    deviation: Numbers
    low: Numbers
    high: Numbers
    area: Numbers
    least: float

    @property
    def coloured(self) -> Mask:
        """Which places have a colour that is told."""
        return nearly_told(self.low, self.high, self.area, self.least)


@dataclass(frozen=True, slots=True, eq=False)
class Touching:
    """Holds the pieces of land that touch, and those that do over a gap of one cell where both
    are dense.
    """

    ground: Ground
    near: tuple[Index, Index]
    gaps: tuple[Index, Index]

    @classmethod
    def find(cls, ground: Ground, total: Numbers) -> Self:
        """Finds them; gaps are looked for where these totals are not far below dense land's."""
        mean = float(total.sum()) / float(ground.area.sum())
        return cls(ground, ground.near(), ground.over_gaps(total > DENSE / 4 * mean * ground.area))

    def grown(
        self, total: Numbers, variance: Numbers, unsure: float, wide: float
    ) -> tuple[Index, float]:
        """Returns the place of each piece, and the density of nearly empty land; `unsure` is the
        deviation of the total of all land.
        """
        area, total = self.ground.area, project(total)
        even = max(float(total.sum()), unsure) / float(area.sum())
        dense = total > DENSE * even * area
        near, gaps = self.near, self.gaps
        kept = dense[gaps[0]] & dense[gaps[1]]
        pairs = distinct(
            np.append(near[0], gaps[0][kept]), np.append(near[1], gaps[1][kept]), len(total)
        )
        least = NEARLY_EMPTY * even
        return grown(PieceGraph(area, pairs), total, variance, wide, least), least
