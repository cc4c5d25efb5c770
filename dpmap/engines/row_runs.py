"""Holds many rows as the distinct ones among them, in rising order, and how often each occurs."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
SLICE = 1 << 18
"""So many rows are looked at at once, for little memory."""


@dataclass(frozen=True, slots=True)
class RowRuns:
    """Holds rows, each `unit << 32 | cell`: the `distinct` ones in rising order, and how many
    of them, and of all before them, there are (`ends`).
    """

    distinct: Numbers
    ends: Numbers

    @classmethod
    def pack(cls, rows: Numbers) -> "RowRuns":
        """Packs rows, which it sorts in place.

        >>> RowRuns.pack(np.array([7, 4, 7]))
        RowRuns(distinct=array([4, 7]), ends=array([1, 3]))
        """
        rows.sort()
        ends = np.append(np.flatnonzero(rows[1:] != rows[:-1]) + 1, len(rows))[: len(rows)]
        return cls(rows[ends - 1], ends)

    @classmethod
    def of_unit(cls, unit: int, row_counts: Numbers) -> "RowRuns":
        """Packs the rows of one unit, of which so many are in cell 0, 1 and so on."""
        cells = np.flatnonzero(row_counts)
        return cls((unit << 32) | cells, np.cumsum(row_counts[cells]))

    def unpack(self) -> Numbers:
        """Returns the rows themselves, in rising order."""
        return np.repeat(self.distinct, np.diff(self.ends, prepend=0))

    def count_by_unit(self) -> tuple[Numbers, Numbers]:
        """Returns the units, in rising order, and how many rows each has."""
        unit = self.distinct >> 32
        last = np.append(np.flatnonzero(unit[1:] != unit[:-1]), len(unit) - 1)[: len(unit)]
        return unit[last], np.diff(self.ends[last], prepend=0)

    def slices(self) -> Iterator[tuple[Numbers, Numbers]]:
        """Yields some rows at a time, in rising order, with each one's number among those equal
        to it, from 1.
        """
        row_count = int(self.ends[-1]) if len(self.ends) else 0
        for start in range(0, row_count, SLICE):
            stop = min(start + SLICE, row_count)
            first, last = np.searchsorted(self.ends, (start, stop - 1), side="right")
            ends = self.ends[first : last + 1]
            began = np.append(self.ends[first - 1] if first else 0, ends[:-1])
            lengths = np.minimum(ends, stop) - np.maximum(began, start)
            copy = np.arange(start + 1, stop + 1) - np.repeat(began, lengths)
            yield np.repeat(self.distinct[first : last + 1], lengths), copy

    def distinct_slices(self) -> Iterator[Numbers]:
        """Yields the distinct rows, some at a time."""
        for start in range(0, len(self.distinct), SLICE):
            yield self.distinct[start : start + SLICE]
