"""Finds the places whose mean is known well enough, from the totals at either end of its range.

A mean is the share of its weight at the high end. Places grow by joining neighbours whose means
differ least, but only where both are known better together: land that holds next to nothing adds
noise and no weight. All other land has no answer.
"""

from dataclasses import dataclass
from itertools import cycle
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid import Grid
from dpmap.grid.layer_axes import Values
from dpmap.inference.patches.calibration import FIRST, Digits, interval_width, seed
from dpmap.inference.patches.patch_map import Patches
from dpmap.inference.patches.pieces import Ground, PieceEstimates
from dpmap.inference.patches.region_growing import (
    cheapest_pairs,
    distinct_pairs,
    renumber,
    sum_by_place,
)
from dpmap.record import Measurement

Numbers = NDArray[np.float64]
Index = NDArray[np.int64]
Mask = NDArray[np.bool_]
Pairs = tuple[Index, Index]

CLASSES = 1.6
"""Places grow until intervals are no wider than so many deviations of the land's means: two of
five classes over four deviations.
"""
FINEST = 1 / 20
WIDEST = 1 / 2
"""They need not be narrower than this part of the declared range; wider than that, there is no
answer, as for a cell.
"""
APART = 3.0
"""Places that are told apart by so many deviations are not joined."""


@dataclass(frozen=True, slots=True, eq=False)
class MeanPatches(Patches):
    """A partition of the area into places with a mean, the highest first, and land without an
    answer.

    `estimate`, `low` and `high` are means; where there is no answer, none and the declared ends.
    `count` is what the mean is of.
    """

    count: Numbers

    def as_shown(self, values: Numbers) -> Numbers:
        """Returns means as they are."""
        return values

    def columns(self) -> dict[str, NDArray[Any]]:
        """Returns the mean of each place, its bounds, and the capped total it is of."""
        return {"mean": self.estimate, "low": self.low, "high": self.high, "count": self.count}


@dataclass(frozen=True, slots=True, eq=False)
class _EndTotals:
    """The totals of places at either end of the range, and their variances."""

    low: Numbers
    high: Numbers
    low_variance: Numbers
    high_variance: Numbers

    @classmethod
    def from_beliefs(cls, low: PieceEstimates, high: PieceEstimates) -> Self:
        """Takes the totals from the estimates at each end."""
        return cls(
            np.maximum(low.total, 0.0), np.maximum(high.total, 0.0), low.variance, high.variance
        )

    def at(self, place: Index) -> "_EndTotals":
        """Returns the totals of some places."""
        return _EndTotals(
            self.low[place], self.high[place], self.low_variance[place], self.high_variance[place]
        )

    def add(self, other: "_EndTotals") -> "_EndTotals":
        """Returns the sums with the totals of other places."""
        return _EndTotals(
            self.low + other.low,
            self.high + other.high,
            self.low_variance + other.low_variance,
            self.high_variance + other.high_variance,
        )

    def sum_by_place(self, place: Index) -> "_EndTotals":
        """Returns the totals of places made of these."""
        parts = (self.low, self.high, self.low_variance, self.high_variance)
        return _EndTotals(*(sum_by_place(place, part) for part in parts))

    @property
    def weight(self) -> Numbers:
        """What each mean is of."""
        return self.low + self.high

    @property
    def share(self) -> Numbers:
        """Each place's share at the high end, drawn towards that of all where little was
        counted.
        """
        all_over = self.high.sum() / max(self.weight.sum(), 1e-300)
        noise = np.sqrt(self.low_variance + self.high_variance)
        return np.asarray((self.high + all_over * noise / 8) / (self.weight + noise / 8))

    @property
    def error(self) -> Numbers:
        """The deviation of each share."""
        share = self.share
        variance = (1 - share) ** 2 * self.high_variance + share**2 * self.low_variance
        return np.asarray(np.sqrt(variance) / np.maximum(self.weight, 1e-9))

    def is_narrow(self, wide: float) -> Mask:
        """Returns which means have an interval, `wide` deviations about, of at most `WIDEST` of the
        declared range.
        """
        return np.asarray(2 * wide * self.error <= WIDEST)

    @property
    def spread_of_means(self) -> float:
        """The standard deviation of the means of well-known places, corrected for their errors."""
        weight = self.weight
        share = self.share
        error = self.error
        known = error < WIDEST / 4
        if not known.any():
            return 0.0
        weight = weight[known] / weight[known].sum()
        middle = float(weight @ share[known])
        return float(
            np.sqrt(np.maximum(weight @ ((share[known] - middle) ** 2 - error[known] ** 2), 0.0))
        )


def mean_patches(
    grid: Grid, mean: Values, ends: tuple[Measurement, Measurement], level: float = 0.9
) -> MeanPatches:
    """Finds the places of a map of means, whose cells were measured one by one at both ends."""
    if not 0 < level < 1:
        raise BadInput("level: a probability between 0 and 1, like 0.9")
    low, high = (Ground.lay_out(grid, [(grid, (part,))]) for part in ends)
    pairs = low.touching_pairs()
    known = tuple(ground.estimate_pieces([ground.parts[0].regions.noisy]) for ground in (low, high))
    end_totals = _EndTotals.from_beliefs(*known)
    first_places = end_totals.sum_by_place(_grow_places(end_totals, pairs, FIRST, WIDEST))
    narrow = min(max(CLASSES * first_places.spread_of_means, FINEST), WIDEST)
    wide = _calibrate_width((low, high), end_totals, pairs, narrow, level)
    place = _grow_places(end_totals, pairs, wide, narrow)
    return _build_patches(low, mean, end_totals, (place, pairs), wide)


def _grow_places(ends: _EndTotals, pairs: Pairs, wide: float, narrow: float) -> Index:
    """Returns the place of each piece: joined until intervals are narrow, as far as joining makes
    them narrower.
    """
    place = np.arange(len(ends.low))
    while True:
        too_wide = 2 * wide * ends.error > narrow
        a, b = (side[too_wide[pairs[0]] | too_wide[pairs[1]]] for side in pairs)
        error = ends.error
        share = ends.share
        cost = np.abs(share[a] - share[b]) / np.hypot(error[a], error[b])
        improves = ends.at(a).add(ends.at(b)).error < np.minimum(error[a], error[b])
        joinable = improves & (cost < APART)
        stays, gone = cheapest_pairs(
            a[joinable], b[joinable], cost[joinable] + 1e-9 * error[a][joinable], too_wide
        )
        if not len(stays):
            return place
        number = renumber(stays, gone, len(too_wide))
        place = number[place]
        ends = ends.sum_by_place(number)
        pairs = distinct_pairs(number[pairs[0]], number[pairs[1]], len(ends.low))


def _calibrate_width(
    grounds: tuple[Ground, Ground],
    end_totals: _EndTotals,
    pairs: Pairs,
    narrow: float,
    level: float,
) -> float:
    """Returns the half-width, in deviations, with which this share of the intervals of places with
    an answer holds on rehearsed maps: every other one, or all where this is not ruled out, is of
    land where all means are alike.
    """
    even = end_totals.high.sum() / max(end_totals.weight.sum(), 1e-300)
    shapes = (
        (end_totals.low, end_totals.high),
        (end_totals.weight * (1 - even), end_totals.weight * even),
    )
    digits = Digits(seed(ground.parts[0].regions.noisy.tobytes() for ground in grounds))
    turns = cycle((shapes[1], shapes[narrow <= FINEST]))

    def walk(wide: float) -> Numbers:
        land = next(turns)
        rehearsed = _EndTotals.from_beliefs(
            *(
                ground.estimate_pieces([totals + digits.noise(ground.parts[0].regions)])
                for ground, totals in zip(grounds, land, strict=True)
            )
        )
        place = _grow_places(rehearsed, pairs, wide, narrow)
        joined = rehearsed.sum_by_place(place)
        low, high = (sum_by_place(place, part, len(joined.low)) for part in land)
        answered = np.flatnonzero(joined.is_narrow(wide) & (low + high > 0))
        errors = (high[answered] / (low + high)[answered] - joined.share[answered]) / joined.error[
            answered
        ]
        return np.asarray(errors[np.argsort(-np.abs(joined.share[answered] - even), kind="stable")])

    return interval_width(walk, level, len(end_totals.low))


def _build_patches(
    ground: Ground, mean: Values, end_totals: _EndTotals, places: tuple[Index, Pairs], wide: float
) -> MeanPatches:
    """Returns the places in grid shape, those with an answer first, the highest mean at the top;
    land without an answer is joined where it touches.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    place, pairs = places
    sure = end_totals.sum_by_place(place).is_narrow(wide)
    first_place = place[pairs[0]]
    second_place = place[pairs[1]]
    silent = ~sure[first_place] & ~sure[second_place]
    links = coo_array(
        (np.ones(int(silent.sum())), (first_place[silent], second_place[silent])),
        shape=(len(sure), len(sure)),
    )
    number = connected_components(links, directed=False)[1].astype(np.int64)
    answered = np.zeros(number.max(initial=-1) + 1, dtype=bool)
    answered[number] = sure
    place = number[place]
    ends = end_totals.sum_by_place(place)
    order = np.lexsort((-ends.share, ~answered))
    place = np.append(np.argsort(order)[place], -1)[ground.piece]
    ends = ends.at(order)
    answered = answered[order]
    low, high = (np.clip(ends.share + side * wide * ends.error, 0.0, 1.0) for side in (-1, 1))
    return MeanPatches(
        ground.grid,
        place,
        np.where(answered, mean.at(ends.share), np.nan),
        mean.at(np.where(answered, low, 0.0)),
        mean.at(np.where(answered, high, 1.0)),
        answered,
        ends.weight,
    )
