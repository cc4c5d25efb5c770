"""Leaves out the rows that a cap would leave out, before they are put in order: so few are left
that it costs little.

`sample` and `presence` count a unit's first rows, in an order that a hash gives them (`limiter`).
Sorting all rows in SQL to find those takes most of the time that a count takes. Here they are found
in arrays, for units whose rows lie together.

**The cap does not rest on this.** The limiter's SQL counts what is kept as if it were the survey,
and caps it, whatever it is.

**Theorem.** Where each row weighs one point, (a) what is kept of a unit depends on its own rows
only, and (b) the limiter gives the very totals that it gives for all rows.

*(a)* A row is kept or not by its place, which is made of its cell, its copy number and its unit's
order, and by how many of the same unit's rows come before it.

*(b)* A unit of at most C rows is kept whole by `sample`, and one row in each cell by `presence`,
where a second adds nothing. Of any other `sample` counts the first C rows below the bar, and no
other row: those are kept. `presence` counts its first C cells, and `_near` looks further until it
has found C or there are no more. What is kept fits under the cap, so it counts in full.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.promise.policy import Policy
from dpmap.vault.cap_sql import CAPS, PRIME, WIDER, order_numbers

SLICE = 1 << 18
"""So many rows are looked at at once, for little memory."""
Numbers = NDArray[np.int64]


def thinning(policy: Policy, shares: int) -> "CapThinning | None":
    """Returns what thins the rows for this policy's limiter; nothing where it puts none in
    order.
    """
    first = CAPS[policy.limiter].first
    if policy.unit == "row" or policy.epsilon_by is not None or first is None:
        return None
    return CapThinning(policy.cap, shares, cells=first == "cells")


@dataclass(frozen=True, slots=True)
class CapThinning:
    """Keeps the first `cap` rows of each unit, or where `cells` is set the first of the rows in
    each of its first `cap` cells.

    Each row weighs one point, which is `weight` shares.
    """

    cap: int
    weight: int
    cells: bool

    @property
    def orders(self) -> str:
        """SQL over `names` and `sizes` that tells the order of each unit above the cap, as the
        limiter's own does.
        """
        return order_numbers(self.cap * self.weight)

    def kept(self, rows: Numbers, orders: Mapping[str, NDArray[Any]]) -> Numbers:
        """Returns the rows that count, of all rows of some units: each `unit << 32 | cell`, in
        rising order.

        >>> none = {
        ...     name: np.array([], dtype=np.int64) for name in ("unit", "bar", "a", "b", "c", "d")
        ... }
        >>> (
        ...     CapThinning(cap=3, weight=1, cells=True).kept(
        ...         np.array([7 << 32 | 1, 7 << 32 | 1, 7 << 32 | 4]), none
        ...     )
        ...     & 0xFFFFFFFF
        ... )
        array([1, 4])
        """
        if not len(rows):
            return rows
        least = int(rows[0] >> 32)
        own = _Orders.arrange(orders, least, int(rows[-1] >> 32) - least + 1, self.weight)
        wanted, found, near = own.bar > 0, list[Numbers](), list[tuple[Numbers, Numbers, Numbers]]()
        for part, unit, copy in self._slices(rows, least):
            found.append(part[own.bar[unit] == 0])
            near.append(self._near(part, unit, copy, own, wanted))
        while True:
            unit, cell, place = (np.concatenate([part[at] for part in near]) for at in range(3))
            enough = self._enough(rows, least, own, wanted, unit)
            first = enough[unit]
            chosen = _first(unit[first], place[first], self.cap, len(own.bar))
            found.append(((unit[first][chosen] + least) << 32) | cell[first][chosen])
            wanted &= ~enough
            if not wanted.any():
                return np.concatenate(found)
            own.bar[wanted] *= WIDER
            near = [
                self._near(part, unit, copy, own, wanted)
                for part, unit, copy in self._slices(rows, least)
            ]

    def _slices(self, rows: Numbers, least: int) -> Iterator[tuple[Numbers, Numbers, Numbers]]:
        """Yields some rows at a time with their unit, from 0, and their number among equal rows,
        from 1; of equal rows in one cell only the first where cells are looked for.
        """
        for start in range(0, len(rows), SLICE):
            part = rows[start : start + SLICE]
            at = np.arange(start, start + len(part))
            new = np.append(start == 0 or rows[start - 1] != part[0], part[1:] != part[:-1])
            began = np.where(new, at, 0)
            began[0] = np.searchsorted(rows[: start + 1], part[0])
            copy = at - np.maximum.accumulate(began) + 1
            if self.cells:
                part, copy = part[new], copy[new]
            yield part, (part >> 32) - least, copy

    def _near(
        self, part: Numbers, unit: Numbers, copy: Numbers, own: "_Orders", wanted: NDArray[np.bool_]
    ) -> tuple[Numbers, Numbers, Numbers]:
        """Returns unit, cell and place of the rows of the wanted units that lie below their
        unit's bar.
        """
        asked = wanted[unit]
        part, unit, copy = part[asked], unit[asked], copy[asked]
        cell = part & 0xFFFFFFFF
        line = cell * own.a[unit] + (
            own.b[unit] if self.cells else copy * own.c[unit] + own.d[unit]
        )
        line %= PRIME
        place = line * line % PRIME
        near = place < own.bar[unit]
        return unit[near], cell[near], place[near]

    def _enough(
        self, rows: Numbers, least: int, own: "_Orders", wanted: NDArray[np.bool_], unit: Numbers
    ) -> NDArray[np.bool_]:
        """Tells of which wanted units enough was found: for rows whatever lies below the bar,
        for cells the cap or all there are.
        """
        if not self.cells:
            return wanted.copy()
        found = np.bincount(unit, minlength=len(wanted))
        lacking = wanted & (found < self.cap) & (own.bar < PRIME)
        if lacking.any():
            held = sum(
                np.bincount(unit, minlength=len(wanted)) for _, unit, _ in self._slices(rows, least)
            )
            lacking &= found < held
        return wanted & ~lacking


@dataclass(frozen=True, slots=True)
class _Orders:
    """Holds the numbers of the order of each unit, from the least; a bar of 0 where the unit
    needs none.
    """

    bar: Numbers
    a: Numbers
    b: Numbers
    c: Numbers
    d: Numbers

    @classmethod
    def arrange(
        cls, orders: Mapping[str, NDArray[Any]], least: int, units: int, weight: int
    ) -> "_Orders":
        """Puts them in the places of their units; `d` holds what a row's weight, alike for all,
        adds to its line.
        """
        at = orders["unit"].astype(np.int64) - least
        told = {name: np.zeros(units, dtype=np.int64) for name in ("bar", "a", "b", "c", "d")}
        for name, numbers in told.items():
            numbers[at] = orders[name]
        told["d"] = (weight * told["d"] + told["b"]) % PRIME
        return cls(**told)


def _first(unit: Numbers, place: Numbers, cap: int, units: int) -> NDArray[np.bool_]:
    """Tells which rows, in the order of their units, are among the first `cap` of their unit by
    place; of equal places those that are given first.

    In the sorted pairs of unit and place, that of the unit's row number `cap` is the last place
    that may be kept.
    """
    pairs = np.sort((unit << 31) | place)
    many = np.bincount(unit, minlength=units)
    start = np.cumsum(many) - many
    over = np.flatnonzero(many > cap)
    last = np.full(units, PRIME, dtype=np.int64)
    last[over] = pairs[start[over] + cap - 1] & PRIME
    left = np.zeros(units, dtype=np.int64)
    left[over] = cap - (np.searchsorted(pairs, (over << 31) | last[over]) - start[over])
    kept = place < last[unit]
    tied = np.flatnonzero(place == last[unit])
    among = unit[tied]
    kept[tied] = np.arange(len(tied)) - np.searchsorted(among, among) < left[among]
    return kept
