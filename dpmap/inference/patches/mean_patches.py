"""Finds the places of which a mean can be told, from the totals at either end of its range.

A mean is the share of its weight at the high end. Places grow by joining neighbours whose means are
told apart least, but only where both are told better together: land that holds next to nothing adds
noise and no weight. What is left has no answer.
"""

from dataclasses import dataclass
from itertools import cycle
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid import Grid
from dpmap.grid.layer_axes import Values
from dpmap.inference.patches.calibration import FIRST, Digits, seed, widths
from dpmap.inference.patches.patch_map import Patches
from dpmap.inference.patches.pieces import Ground, Known
from dpmap.inference.patches.region_growing import cheapest, distinct, numbered, summed
from dpmap.record import Measurement

Numbers = NDArray[np.float64]
Index = NDArray[np.int64]
Mask = NDArray[np.bool_]
Pairs = tuple[Index, Index]

CLASSES = 1.6
"""Places grow until intervals are no wider than so many deviations of the land's means: two of
five classes over four deviations.
"""
FINEST, WIDEST = 1 / 20, 1 / 2
"""They need not be narrower than this part of the declared range; wider than that, there is no
answer, as for a cell.
"""
APART = 3.0
"""Places that are told apart by so many deviations are not joined."""


@dataclass(frozen=True, slots=True, eq=False)
class MeanPatches(Patches):
    """A partition of the area into places of which the mean is told, the highest first, and land of
    which it is not.

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
class _Ends:
    """Holds the totals of places at either end of the range, and their variances."""

    low: Numbers
    high: Numbers
    low_variance: Numbers
    high_variance: Numbers

    @classmethod
    def from_beliefs(cls, low: Known, high: Known) -> Self:
        """Takes the ends from what is believed of each."""
        return cls(
            np.maximum(low.total, 0.0), np.maximum(high.total, 0.0), low.variance, high.variance
        )

    def at(self, place: Index) -> "_Ends":
        """Returns those of some places."""
        return _Ends(
            self.low[place], self.high[place], self.low_variance[place], self.high_variance[place]
        )

    def and_also(self, other: "_Ends") -> "_Ends":
        """Returns those of pairs of places together."""
        return _Ends(
            self.low + other.low,
            self.high + other.high,
            self.low_variance + other.low_variance,
            self.high_variance + other.high_variance,
        )

    def joined(self, place: Index) -> "_Ends":
        """Adds up places."""
        parts = (self.low, self.high, self.low_variance, self.high_variance)
        return _Ends(*(summed(place, part) for part in parts))

    @property
    def weight(self) -> Numbers:
        """What each mean is of."""
        return self.low + self.high

    @property
    def share(self) -> Numbers:
        """Each place's share at the high end; where hardly anything is, drawn towards that of
        all.
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

    def narrow(self, wide: float) -> Mask:
        """Returns which means are told, `wide` deviations about: as a cell's is, if not more of
        the declared range is possible.
        """
        return np.asarray(2 * wide * self.error <= WIDEST)

    @property
    def apart(self) -> float:
        """The deviation of the land's means from each other, with what errors add taken off; of
        places of which something is told.
        """
        weight, share, error = self.weight, self.share, self.error
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
    pairs = low.near()
    known = tuple(ground.known([ground.parts[0].regions.noisy]) for ground in (low, high))
    believed = _Ends.from_beliefs(*known)
    roughly = believed.joined(_grown(believed, pairs, FIRST, WIDEST))
    narrow = min(max(CLASSES * roughly.apart, FINEST), WIDEST)
    wide = _rehearsed((low, high), believed, pairs, narrow, level)
    place = _grown(believed, pairs, wide, narrow)
    return _laid(low, mean, believed, (place, pairs), wide)


def _grown(ends: _Ends, pairs: Pairs, wide: float, narrow: float) -> Index:
    """Returns the place of each piece: joined until their means are told, as far as that helps
    to tell them.
    """
    place = np.arange(len(ends.low))
    while True:
        untold = 2 * wide * ends.error > narrow
        a, b = (side[untold[pairs[0]] | untold[pairs[1]]] for side in pairs)
        error, share = ends.error, ends.share
        cost = np.abs(share[a] - share[b]) / np.hypot(error[a], error[b])
        helps = ends.at(a).and_also(ends.at(b)).error < np.minimum(error[a], error[b])
        kept = helps & (cost < APART)
        stays, gone = cheapest(a[kept], b[kept], cost[kept] + 1e-9 * error[a][kept], untold)
        if not len(stays):
            return place
        number = numbered(stays, gone, len(untold))
        place, ends = number[place], ends.joined(number)
        pairs = distinct(number[pairs[0]], number[pairs[1]], len(ends.low))


def _rehearsed(
    grounds: tuple[Ground, Ground], believed: _Ends, pairs: Pairs, narrow: float, level: float
) -> float:
    """Finds how many deviations about hold this share of the intervals of told places, on other
    maps of land like this one: every other one, or all where nothing speaks against it, is of land
    where all means are alike.
    """
    even = believed.high.sum() / max(believed.weight.sum(), 1e-300)
    shapes = (believed.low, believed.high), (believed.weight * (1 - even), believed.weight * even)
    digits = Digits(seed(ground.parts[0].regions.noisy.tobytes() for ground in grounds))
    turns = cycle((shapes[1], shapes[narrow <= FINEST]))

    def walk(wide: float) -> Numbers:
        land = next(turns)
        again = _Ends.from_beliefs(
            *(
                ground.known([mine + digits.noise(ground.parts[0].regions)])
                for ground, mine in zip(grounds, land, strict=True)
            )
        )
        place = _grown(again, pairs, wide, narrow)
        found = again.joined(place)
        low, high = (summed(place, part, len(found.low)) for part in land)
        counted = np.flatnonzero(found.narrow(wide) & (low + high > 0))
        off = (high[counted] / (low + high)[counted] - found.share[counted]) / found.error[counted]
        return np.asarray(off[np.argsort(-np.abs(found.share[counted] - even), kind="stable")])

    return widths(walk, level, len(believed.low))


def _laid(
    ground: Ground, mean: Values, believed: _Ends, grown: tuple[Index, Pairs], wide: float
) -> MeanPatches:
    """Returns the places in grid shape, told ones first, the highest at the top; land without an
    answer is joined where it touches.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    place, pairs = grown
    sure = believed.joined(place).narrow(wide)
    one, other = place[pairs[0]], place[pairs[1]]
    silent = ~sure[one] & ~sure[other]
    links = coo_array(
        (np.ones(int(silent.sum())), (one[silent], other[silent])), shape=(len(sure), len(sure))
    )
    number = connected_components(links, directed=False)[1].astype(np.int64)
    told = np.zeros(number.max(initial=-1) + 1, dtype=bool)
    told[number] = sure
    place = number[place]
    ends = believed.joined(place)
    order = np.lexsort((-ends.share, ~told))
    place = np.append(np.argsort(order)[place], -1)[ground.piece]
    ends, told = ends.at(order), told[order]
    low, high = (np.clip(ends.share + side * wide * ends.error, 0.0, 1.0) for side in (-1, 1))
    return MeanPatches(
        ground.grid,
        place,
        np.where(told, mean.at(ends.share), np.nan),
        mean.at(np.where(told, low, 0.0)),
        mean.at(np.where(told, high, 1.0)),
        told,
        ends.weight,
    )
