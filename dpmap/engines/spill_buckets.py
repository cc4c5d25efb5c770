"""Puts rows that are numbered by unit into buckets, each with all rows of its units, in memory or
in a private folder.

What the vault's SQL answers for the rows of some units adds up to what it answers for all, since no
unit's part depends on another's rows. So the units of a large survey are counted some at a time, in
little memory.

A heavy unit, with more rows than a bucket should hold, is a bucket of its own: only how many of its
rows are in each cell is remembered, so that one person's million rows need no disk, no order and
little memory.
"""

import os
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from io import FileIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.engines.row_runs import Numbers, RowRuns

MOST = 512
Rows = dict[str, NDArray[Any]]
"""Columns of rows, by name: `row`, which is unit << 32 | cell, and `weight` and `level` where
these differ from row to row.
"""


class Buckets:
    """Holds rows whose units are numbered from 1 to `units`; bucket i has those of the i-th of
    `count` equal ranges of units, but for the `heavy` ones, whose buckets follow.
    """

    def __init__(
        self,
        units: int,
        count: int,
        folder: str,
        closing: ExitStack,
        heavy: Sequence[int] = (),
    ) -> None:
        self.count = max(1, min(count, units, most_files()))
        self._each = -(-max(1, units) // self.count)
        self._kind: np.dtype[Any] | None = None
        self._in_memory: list[Rows] = []
        self._files: list[FileIO] = []
        self._heavy: dict[int, Numbers] = {unit: np.zeros(0, dtype=np.int64) for unit in heavy}
        if self.count > 1:
            private = closing.enter_context(
                tempfile.TemporaryDirectory(prefix="buckets-", dir=folder)
            )
            paths = [os.path.join(private, str(bucket)) for bucket in range(self.count)]
            self._files = [
                # closed with the rows
                closing.enter_context(open(path, "w+b", buffering=0))  # noqa: SIM115
                for path in paths
            ]

    def put(self, batches: Iterable[Rows]) -> "Buckets":
        """Puts rows into their buckets."""
        for batch in batches:
            rows = self._count_heavy(batch) if self._heavy else batch
            if not self._files:
                self._in_memory.append(rows)
                continue
            self._scatter(rows)
        return self

    def _count_heavy(self, rows: Rows) -> Rows:
        """Counts the rows of the heavy units, cell by cell, and returns the others."""
        row = rows["row"]
        unit = row >> 32
        for heavy in self._heavy:
            of_heavy = unit == heavy
            more = np.bincount(row[of_heavy] & 0xFFFFFFFF)
            fewer = self._heavy[heavy]
            if len(more) < len(fewer):
                fewer, more = more, fewer
            more[: len(fewer)] += fewer
            self._heavy[heavy] = more
            row = row[~of_heavy]
            unit = unit[~of_heavy]
        return {"row": row}

    def _scatter(self, rows: Rows) -> None:
        """Appends some rows to the files of their buckets."""
        self._kind = np.dtype([(name, column.dtype) for name, column in rows.items()])
        which = (((rows["row"] >> 32) - 1) // self._each).astype(np.uint16)
        order = np.argsort(which, kind="stable")
        table = np.empty(len(which), dtype=self._kind)
        for name, column in rows.items():
            table[name] = column[order]
        ends = np.searchsorted(which[order], np.arange(self.count + 1))
        for file, start, end in zip(self._files, ends[:-1], ends[1:], strict=True):
            if end > start:
                _append(file, table[start:end])

    def largest_first(self) -> list[int]:
        """Returns the buckets in the order in which to count them, so that none that takes long
        is left for last.
        """
        heavy = range(self.count, self.count + len(self._heavy))
        if not self._files:
            return [*heavy, *range(self.count)]
        by_size = sorted(
            range(self.count),
            key=lambda bucket: os.fstat(self._files[bucket].fileno()).st_size,
            reverse=True,
        )
        return [*heavy, *by_size]

    def units(self, bucket: int) -> tuple[int, int]:
        """Returns the first and the last number of the units of one bucket."""
        if bucket >= self.count:
            unit = list(self._heavy)[bucket - self.count]
            return unit, unit
        return bucket * self._each + 1, (bucket + 1) * self._each

    def runs(self, bucket: int) -> RowRuns:
        """Returns the rows of one bucket, whose weights are alike, packed."""
        if bucket >= self.count:
            unit, _ = self.units(bucket)
            return RowRuns.of_unit(unit, self._heavy[unit])
        return RowRuns.pack(self.rows(bucket).get("row", np.zeros(0, dtype=np.int64)))

    def rows(self, bucket: int) -> Rows:
        """Returns the rows of one bucket."""
        if bucket >= self.count:
            return {"row": self.runs(bucket).unpack()}
        if not self._files:
            names = self._in_memory[0] if self._in_memory else {}
            return {
                name: np.concatenate([rows[name] for rows in self._in_memory]) for name in names
            }
        if self._kind is None:
            return {}
        file = self._files[bucket]
        file.seek(0)
        table = np.fromfile(file, dtype=self._kind)
        return {name: np.ascontiguousarray(table[name]) for name in self._kind.names or ()}


def most_files() -> int:
    """Returns how many files may be open for buckets: a fourth of what the system allows this
    process, or `MOST`.
    """
    try:
        import resource
    except ImportError:  # no such limit is told on Windows, where 512 is the usual one
        return MOST // 4
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return MOST if allowed == resource.RLIM_INFINITY else max(1, min(MOST, allowed // 4))


def _append(file: FileIO, rows: NDArray[Any]) -> None:
    """Writes all of some rows, or fails: numpy's `tofile` tells nobody of what a full disk did
    not take.
    """
    left = rows.view(np.uint8).data
    while left:
        left = left[file.write(left) :]
