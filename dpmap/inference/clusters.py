"""Finds clusters of real change between two maps, in windows of several sizes, and the change of
each place of a partition.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpmap.inference.estimate import Mask
from dpmap.inference.paired_maps import Both
from dpmap.inference.scan_windows import ScanWindows

Numbers = NDArray[np.float64]
Index = NDArray[np.int64]
LOOKED = 4.0
"""A window is looked at where both maps together hold more than so many deviations of the
difference.
"""
CHOSEN = 0.8
"""Where noisy answers chose the regions that were measured, noise that looked like points was
looked at closer, and rehearsals on regions as they are know nothing of that: they tell a false
cluster in some .14 of pairs for a rate of .10, .06 for .07 (`benchmarks/clusters.py`). So there
they are asked for this part of the rate.
"""
AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True, eq=False)
class ChangeClusters:
    """Holds places with the change of each: `pieces` are each one's, `change` has the interval
    `low` to `high` in points; `told` ones changed.

    `chance` is the smallest rate at which each is told.
    """

    pieces: list[Index]
    before: Numbers
    after: Numbers
    low: Numbers
    high: Numbers
    told: Mask
    chance: Numbers

    @property
    def change(self) -> Numbers:
        """The difference of both maps' totals."""
        return self.after - self.before


class Scan:
    """Compares what two maps tell of windows with what noise alone would: `apart` is each window's
    change in deviations of its noise.

    What it tells is rehearsed, not proven: the draws have the noise's own law, and stand on what is
    believed of the land. Of each size the largest of every draw is kept. A window's chance is how
    often a draw has, in some size, a window that stands out of its size's draws as far as this one
    does. So sizes of many windows and of few count alike.
    """

    def __init__(self, both: Both, family: ScanWindows, least: float = -np.inf) -> None:
        self.both, self.family, self._part = both, family, CHOSEN if both.chosen else 1.0
        self.apart, self.deviation = np.zeros((2, len(family)))
        self.looked = np.zeros(len(family), dtype=bool)
        self._sizes, self._size = np.unique(family.size, return_inverse=True)
        draws = both.noises[0].shape[1]
        most = np.zeros((len(self._sizes), draws))
        for some in self._strips(draws):
            np.maximum.at(most, self._size[some], self._drawn(some, least))
        self._ordered = np.sort(most, axis=1)
        of_draw = (
            np.array([_rank(mine, mine) for mine in most]).min(0, initial=1.0)
            if len(most)
            else np.ones(draws)
        )
        self._least = np.sort(of_draw)

    def _strips(self, draws: int) -> Iterator[slice]:
        step = max(1, AT_ONCE // draws)
        return (
            slice(start, min(start + step, len(self.family)))
            for start in range(0, len(self.family), step)
        )

    def _drawn(self, some: slice, least: float) -> Numbers:
        """Compares some windows, and returns how far from 0 each draw has each of those that it
        would look at.
        """
        inner = self.family.summing(some, len(self.both.before))
        (first, second), (one, other) = (
            (self.both.before, self.both.after),
            (inner @ part for part in self.both.noises),
        )
        self.deviation[some] = wide = np.sqrt(np.maximum(((other - one) ** 2).mean(1), 1e-300))
        self.apart[some] = (inner @ (second - first)) / wide
        self.looked[some] = seen = inner @ (first + second) >= least * wide
        again = (inner @ self.both.believed)[:, None] + one + other >= least * wide[:, None]
        return np.where(seen[:, None] | again, np.abs(other - one) / wide[:, None], 0.0)

    @cached_property
    def chance(self) -> Numbers:
        """How likely noise alone lets some window stand out as far as each does; 1 for those
        that are not looked at.
        """
        ranks = np.ones(len(self.apart))
        for number, mine in enumerate(self._ordered):
            at = self._size == number
            ranks[at] = _rank(mine, np.abs(self.apart[at]))
        many = np.searchsorted(self._least, ranks, side="right")
        return np.where(
            self.looked, np.minimum((1 + many) / (1 + len(self._least)) / self._part, 1.0), 1.0
        )

    def reach(self, level: float) -> Numbers:
        """Returns half the width of each window's interval: at this level those of all windows
        that are looked at hold at once.
        """
        rank = self._least[
            max(int(np.floor((1 - level) * self._part * (1 + len(self._least)))) - 1, 0)
        ]
        places = np.floor(rank * (1 + self._ordered.shape[1])).astype(int)
        at = np.clip(self._ordered.shape[1] - places, 0, self._ordered.shape[1] - 1)
        return self._ordered[:, at][self._size] * self.deviation


def _rank(ordered: Numbers, values: Numbers) -> Numbers:
    """Returns which share of numbers, and of one more, is at least as large as each value."""
    ordered = np.sort(ordered)
    return np.asarray((1 + len(ordered) - np.searchsorted(ordered, values)) / (1 + len(ordered)))


def clusters(both: Both, family: ScanWindows, *, level: float, rate: float) -> ChangeClusters:
    """Chooses windows in which the total changed, none of which overlap: those that stand out
    most come first.
    """
    scan = Scan(both, family, LOOKED)
    order = np.flatnonzero(scan.chance <= rate)
    reach = np.maximum(scan.reach(1 - rate), 1e-300)
    order = order[np.argsort(-(np.abs(scan.apart) * scan.deviation / reach)[order], kind="stable")]
    taken, chosen = np.zeros(len(both.before), dtype=bool), []
    for window in order.tolist():
        mine = family.pieces_within(window)
        if not taken[mine].any():
            taken[mine] = True
            chosen.append(window)
    return _found(scan, np.array(chosen, dtype=np.int64), level, rate)


def places(both: Both, place: Index, *, level: float, rate: float) -> ChangeClusters:
    """Tells the change of each place of a partition of the pieces."""
    order = np.argsort(place, kind="stable")
    start = np.append(0, np.cumsum(np.bincount(place)))
    scan = Scan(both, ScanWindows(order, start, np.zeros(len(start) - 1, dtype=np.int64)))
    return _found(scan, np.arange(len(start) - 1), level, rate)


def _found(scan: Scan, chosen: Index, level: float, rate: float) -> ChangeClusters:
    both, pieces = scan.both, [scan.family.pieces_within(window) for window in chosen.tolist()]
    before, after = (
        np.array([part[mine].sum() for mine in pieces]) for part in (both.before, both.after)
    )
    reach = scan.reach(level)[chosen]
    told = scan.chance[chosen] <= rate
    change = after - before
    return ChangeClusters(
        pieces, before, after, change - reach, change + reach, told, scan.chance[chosen]
    )
