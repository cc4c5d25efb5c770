"""Chooses the places of a map: the smallest land whose colour is known, grown from pieces that
touch.
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
    can_be_coloured,
    distinct_pairs,
    grow_places,
)

Numbers = NDArray[np.float64]
Index = NDArray[np.int64]
Mask = NDArray[np.bool_]

DENSE = 0.5
"""Cells above half of the mean density may be one place over a gap of one cell."""


@dataclass(frozen=True, slots=True, eq=False)
class PlaceSelection:
    """The place of each piece of land, and the believed total of each place with its deviation,
    bounds and area; `least` is the density below which land is nearly empty.
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
        """Which places can be coloured."""
        return can_be_coloured(self.low, self.high, self.area, self.least)


@dataclass(frozen=True, slots=True, eq=False)
class TouchingPieces:
    """The pairs of pieces of land that touch, and of dense pieces over a gap of one cell."""

    ground: Ground
    near: tuple[Index, Index]
    gaps: tuple[Index, Index]

    @classmethod
    def find(cls, ground: Ground, total: Numbers) -> Self:
        """Finds the pairs; gaps are searched where these totals are not far below dense land's."""
        mean = float(total.sum()) / float(ground.area.sum())
        return cls(
            ground,
            ground.touching_pairs(),
            ground.pairs_over_gaps(total > DENSE / 4 * mean * ground.area),
        )

    def grow(
        self, total: Numbers, variance: Numbers, unsure: float, wide: float
    ) -> tuple[Index, float]:
        """Returns the place of each piece, and the density of nearly empty land; `unsure` is the
        deviation of the total of all land.
        """
        area = self.ground.area
        total = project(total)
        even = max(float(total.sum()), unsure) / float(area.sum())
        dense = total > DENSE * even * area
        adjacent = self.near
        gaps = self.gaps
        both_dense = dense[gaps[0]] & dense[gaps[1]]
        pairs = distinct_pairs(
            np.append(adjacent[0], gaps[0][both_dense]),
            np.append(adjacent[1], gaps[1][both_dense]),
            len(total),
        )
        least = NEARLY_EMPTY * even
        return grow_places(PieceGraph(area, pairs), total, variance, wide, least), least
