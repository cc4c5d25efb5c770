"""Leaves out, in arrays, the rows that a cap would leave out: sorting all of them in SQL to find a
unit's first C takes most of the time of a count.

`sample` and `presence` count a unit's first rows in an order that a hash gives them (`cap_sql`).

**What the promise rests on.** The cap's SQL counts whatever it is handed as if it were the survey,
so no unit adds more than C, whatever this file returns. That removing a unit changes nothing but
what it adds itself rests on (a) too, as it does on all that engines do to rows: what is kept of a
unit must depend on its own rows only. (b) is about the answer alone, not about the promise.

**Theorem.** Where each row weighs one point, (a) what is kept of a unit depends on its own rows
only, and (b) the cap's SQL gives the very totals that it gives for all rows.

*(a)* A row is kept or not by its place, which is made of its cell, its copy number and its unit's
order, and by how many of the same unit's rows come before it.

*(b)* A unit of at most C rows is kept whole by `sample`, and one row in each cell by `presence`,
where a second adds nothing. Of any other `sample` counts the first C rows below the bar, and no
other row: those are kept. `presence` counts its first C cells, and `_below_bar` looks further until
it has found C or there are no more. What is kept fits under the cap, so it counts in full.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.engines.row_runs import Numbers, RowRuns
from dpmap.promise.policy import Policy
from dpmap.vault.cap_sql import CAPS, PRIME, WIDER, order_numbers


def make_prefilter(policy: Policy, shares: int) -> "CapPrefilter | None":
    """Returns the prefilter of this policy's limiter, None where it puts no rows in order."""
    first = CAPS[policy.limiter].first
    if policy.unit == "row" or policy.epsilon_by is not None or first is None:
        return None
    return CapPrefilter(policy.cap, shares, cells=first == "cells")


@dataclass(frozen=True, slots=True)
class CapPrefilter:
    """Keeps the first `cap` rows of each unit, or where `cells` is set the first of the rows in
    each of its first `cap` cells.

    Each row weighs one point, which is `weight` shares.
    """

    cap: int
    weight: int
    cells: bool

    @property
    def orders(self) -> str:
        """SQL over `names` and `sizes` that answers the order of each unit above the cap, as the
        cap's own does.
        """
        return order_numbers(self.cap * self.weight)

    def kept(self, runs: RowRuns, orders: Mapping[str, NDArray[Any]]) -> Numbers:
        """Returns the rows that count, of all rows of some units.

        >>> none = {
        ...     name: np.array([], dtype=np.int64) for name in ("unit", "bar", "a", "b", "c", "d")
        ... }
        >>> (
        ...     CapPrefilter(cap=3, weight=1, cells=True).kept(
        ...         RowRuns.pack(np.array([7 << 32 | 1, 7 << 32 | 1, 7 << 32 | 4])), none
        ...     )
        ...     & 0xFFFFFFFF
        ... )
        array([1, 4])
        """
        if not len(runs.distinct):
            return runs.distinct
        least = int(runs.distinct[0] >> 32)
        units = int(runs.distinct[-1] >> 32) - least + 1
        order = _Orders.arrange(orders, least, units, self.weight)
        pending = order.bar > 0
        counted = list[Numbers]()
        below = list[tuple[Numbers, Numbers, Numbers]]()
        for part, unit, copy in self._slices(runs, least):
            counted.append(part[order.bar[unit] == 0])
            below.append(self._below_bar(part, unit, copy, order, pending))
        while True:
            unit, cell, place = (np.concatenate(columns) for columns in zip(*below, strict=True))
            complete = self._complete(runs, least, order, pending, unit)
            ready = complete[unit]
            first = _first(unit[ready], place[ready], self.cap, len(order.bar))
            counted.append(((unit[ready][first] + least) << 32) | cell[ready][first])
            pending &= ~complete
            if not pending.any():
                return np.concatenate(counted)
            order.bar[pending] *= WIDER
            below = [
                self._below_bar(part, unit, copy, order, pending)
                for part, unit, copy in self._slices(runs, least)
            ]

    def _slices(self, runs: RowRuns, least: int) -> Iterator[tuple[Numbers, Numbers, Numbers]]:
        """Yields some rows at a time with their unit, from 0, and their number among equal rows,
        from 1; of equal rows in one cell only the first where cells are looked for.
        """
        if self.cells:
            for part in runs.distinct_slices():
                yield part, (part >> 32) - least, np.ones_like(part)
            return
        for part, copy in runs.slices():
            yield part, (part >> 32) - least, copy

    def _below_bar(
        self,
        part: Numbers,
        unit: Numbers,
        copy: Numbers,
        order: "_Orders",
        pending: NDArray[np.bool_],
    ) -> tuple[Numbers, Numbers, Numbers]:
        """Returns unit, cell and place of the rows of the pending units that lie below their
        unit's bar.
        """
        of_pending = pending[unit]
        unit = unit[of_pending]
        cell = part[of_pending] & 0xFFFFFFFF
        line = cell * order.a[unit]
        line += order.b[unit] if self.cells else copy[of_pending] * order.c[unit] + order.d[unit]
        line %= PRIME
        place = line * line % PRIME
        near = place < order.bar[unit]
        return unit[near], cell[near], place[near]

    def _complete(
        self,
        runs: RowRuns,
        least: int,
        order: "_Orders",
        pending: NDArray[np.bool_],
        unit: Numbers,
    ) -> NDArray[np.bool_]:
        """Returns of which pending units enough was found: for rows whatever lies below the bar,
        for cells the cap or all there are.
        """
        if not self.cells:
            return pending.copy()
        cells_found = np.bincount(unit, minlength=len(pending))
        lacking = pending & (cells_found < self.cap) & (order.bar < PRIME)
        if lacking.any():
            cells_held = np.bincount((runs.distinct >> 32) - least, minlength=len(pending))
            lacking &= cells_found < cells_held
        return pending & ~lacking


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
        position = orders["unit"].astype(np.int64) - least
        columns = {name: np.zeros(units, dtype=np.int64) for name in ("bar", "a", "b", "c", "d")}
        for name, numbers in columns.items():
            numbers[position] = orders[name]
        columns["d"] = (weight * columns["d"] + columns["b"]) % PRIME
        return cls(**columns)


def _first(unit: Numbers, place: Numbers, cap: int, units: int) -> NDArray[np.bool_]:
    """Returns which rows, in the order of their units, are among the first `cap` of their unit by
    place; of equal places those that come first.

    In the sorted pairs of unit and place, that of the unit's row number `cap` is the last place
    that may be kept.
    """
    pairs = np.sort((unit << 31) | place)
    row_counts = np.bincount(unit, minlength=units)
    start = np.cumsum(row_counts) - row_counts
    over = np.flatnonzero(row_counts > cap)
    last = np.full(units, PRIME, dtype=np.int64)
    last[over] = pairs[start[over] + cap - 1] & PRIME
    ties_allowed = np.zeros(units, dtype=np.int64)
    before_last = np.searchsorted(pairs, (over << 31) | last[over]) - start[over]
    ties_allowed[over] = cap - before_last
    first = place < last[unit]
    tied = np.flatnonzero(place == last[unit])
    tied_unit = unit[tied]
    tie_number = np.arange(len(tied)) - np.searchsorted(tied_unit, tied_unit)
    first[tied] = tie_number < ties_allowed[tied_unit]
    return first
