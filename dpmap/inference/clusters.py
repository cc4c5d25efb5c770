"""Finds clusters of change between two maps in windows of several sizes, and the change of each
place of a partition.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpmap.inference.estimate import Mask
from dpmap.inference.paired_maps import PairedMaps
from dpmap.inference.scan_windows import ScanWindows

Numbers = NDArray[np.float64]
Index = NDArray[np.int64]
LOOKED = 4.0
"""A window is tested where both maps together hold more than so many deviations of the
difference.
"""
CHOSEN = 0.8
"""Where noisy answers chose the regions that were measured, noise that looked like points was
measured more closely, which draws on fixed regions do not repeat: they find a false cluster in some
.14 of pairs for a rate of .10, .06 for .07 (`benchmarks/clusters.py`). So there the rate is
multiplied by this.
"""
AT_ONCE = 500_000
"""So many numbers, a draw of a window each, are held at once: some ten arrays have as many."""


@dataclass(frozen=True, slots=True, eq=False)
class ChangeClusters:
    """Places with the change of each: `pieces` are those of each place, `change` has the interval
    `low` to `high` in points; `told` places changed.

    `chance` is the smallest rate at which each is found to have changed.
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
    """Compares the changes of windows with those of noise alone: `apart` is each window's change in
    deviations of its noise.

    The rates are simulated, not proven: the draws have the noise's law, about the estimated land.
    Of each size the largest change of every draw is stored. A window's chance is how often a draw
    has, in some size, a window that stands out of its size's draws as far as this one does. So
    sizes of many windows and of few count alike.
    """

    def __init__(self, maps: PairedMaps, family: ScanWindows, least: float = -np.inf) -> None:
        self.maps = maps
        self.family = family
        self._part = CHOSEN if maps.chosen else 1.0
        self.apart, self.deviation = np.zeros((2, len(family)))
        self.tested = np.zeros(len(family), dtype=bool)
        self._sizes, self._size = np.unique(family.size, return_inverse=True)
        draws = maps.noises[0].shape[1]
        largest = np.zeros((len(self._sizes), draws))
        for strip in self._strips(draws):
            np.maximum.at(largest, self._size[strip], self._compare_windows(strip, least))
        self._ordered = np.sort(largest, axis=1)
        smallest_ranks = (
            np.array([_rank(values, values) for values in largest]).min(0, initial=1.0)
            if len(largest)
            else np.ones(draws)
        )
        self._smallest_ranks = np.sort(smallest_ranks)

    def _strips(self, draws: int) -> Iterator[slice]:
        step = max(1, AT_ONCE // draws)
        return (
            slice(start, min(start + step, len(self.family)))
            for start in range(0, len(self.family), step)
        )

    def _compare_windows(self, strip: slice, least: float) -> Numbers:
        """Compares a strip of windows, and returns the size of each draw's change in each window
        that the draw would test, in deviations.
        """
        inner = self.family.sum_matrix(strip, len(self.maps.before))
        before = self.maps.before
        after = self.maps.after
        noise_before, noise_after = (inner @ errors for errors in self.maps.noises)
        self.deviation[strip] = deviation = np.sqrt(
            np.maximum(((noise_after - noise_before) ** 2).mean(1), 1e-300)
        )
        self.apart[strip] = (inner @ (after - before)) / deviation
        self.tested[strip] = tested = inner @ (before + after) >= least * deviation
        drawn_totals = (inner @ self.maps.believed)[:, None] + noise_before + noise_after
        tested_again = drawn_totals >= least * deviation[:, None]
        return np.where(
            tested[:, None] | tested_again,
            np.abs(noise_after - noise_before) / deviation[:, None],
            0.0,
        )

    @cached_property
    def chance(self) -> Numbers:
        """The probability that noise alone makes some window stand out as far as each does; 1 for
        windows that are not tested.
        """
        ranks = np.ones(len(self.apart))
        for number, largest in enumerate(self._ordered):
            at = self._size == number
            ranks[at] = _rank(largest, np.abs(self.apart[at]))
        draws_beyond = np.searchsorted(self._smallest_ranks, ranks, side="right")
        return np.where(
            self.tested,
            np.minimum((1 + draws_beyond) / (1 + len(self._smallest_ranks)) / self._part, 1.0),
            1.0,
        )

    def reach(self, level: float) -> Numbers:
        """Returns half the width of each window's interval: at this level those of all windows
        that are tested hold at once.
        """
        rank = self._smallest_ranks[
            max(int(np.floor((1 - level) * self._part * (1 + len(self._smallest_ranks)))) - 1, 0)
        ]
        places = np.floor(rank * (1 + self._ordered.shape[1])).astype(int)
        at = np.clip(self._ordered.shape[1] - places, 0, self._ordered.shape[1] - 1)
        return self._ordered[:, at][self._size] * self.deviation


def _rank(ordered: Numbers, values: Numbers) -> Numbers:
    """Returns the share of the numbers, and of one more, that is at least as large as each
    value.
    """
    ordered = np.sort(ordered)
    return np.asarray((1 + len(ordered) - np.searchsorted(ordered, values)) / (1 + len(ordered)))


def find_clusters(
    maps: PairedMaps, family: ScanWindows, *, level: float, rate: float
) -> ChangeClusters:
    """Chooses windows in which the total changed, without overlaps; those that stand out most come
    first.
    """
    scan = Scan(maps, family, LOOKED)
    order = np.flatnonzero(scan.chance <= rate)
    reach = np.maximum(scan.reach(1 - rate), 1e-300)
    order = order[np.argsort(-(np.abs(scan.apart) * scan.deviation / reach)[order], kind="stable")]
    taken = np.zeros(len(maps.before), dtype=bool)
    chosen = []
    for window in order.tolist():
        pieces = family.pieces_within(window)
        if not taken[pieces].any():
            taken[pieces] = True
            chosen.append(window)
    return _build_clusters(scan, np.array(chosen, dtype=np.int64), level, rate)


def compare_places(maps: PairedMaps, place: Index, *, level: float, rate: float) -> ChangeClusters:
    """Returns the change of each place of a partition of the pieces."""
    order = np.argsort(place, kind="stable")
    start = np.append(0, np.cumsum(np.bincount(place)))
    scan = Scan(maps, ScanWindows(order, start, np.zeros(len(start) - 1, dtype=np.int64)))
    return _build_clusters(scan, np.arange(len(start) - 1), level, rate)


def _build_clusters(scan: Scan, chosen: Index, level: float, rate: float) -> ChangeClusters:
    """Returns the chosen windows with their changes and intervals."""
    maps = scan.maps
    pieces = [scan.family.pieces_within(window) for window in chosen.tolist()]
    before, after = (
        np.array([totals[window].sum() for window in pieces])
        for totals in (maps.before, maps.after)
    )
    reach = scan.reach(level)[chosen]
    changed = scan.chance[chosen] <= rate
    change = after - before
    return ChangeClusters(
        pieces, before, after, change - reach, change + reach, changed, scan.chance[chosen]
    )
