"""Cuts lines into Arrow columns, so that no other parser ever sees a survey's text.

What comes in are the blocks that `strict_csv.level` writes: UTF-8 without null bytes or carriage
returns, each line one record that ends with a line feed, quotes only around whole fields and
doubled inside them, no line end within quotes.

**Theorem.** A line's fields are a function of that line's bytes. *Proof.* A line has an even number
of quotes, so the number of quotes before any mark of it, counted from the beginning of the block,
is odd exactly if the number counted from the line's own beginning is. A separator ends a field
exactly if that number is even; a line feed always does. So where a line's fields lie is told by its
own marks, and each field's text is the bytes between, less its own quotes. Columns beyond the
line's last field are empty. QED

So the engine is handed columns, which leave it nothing to guess, and `cut_columns` checks its rows
against a count of the line ends by another way.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import SystemFailed

if TYPE_CHECKING:
    import pyarrow as pa

Positions = NDArray[np.intp]
LINE_END = 10


def cut_columns(
    block: bytes, delimiter: str, quote: str, columns: Sequence[int]
) -> "tuple[list[pa.Array], int]":
    """Returns some columns of a block's records as Arrow texts, an empty field as a missing one,
    and how many records there are; an empty line is none.
    """
    marks = np.frombuffer(block, np.uint8)
    ends = _find_field_ends(marks, delimiter, quote)
    lines = block.count(b"\n")
    records = _find_alike(marks, ends, lines) or _find_any(marks, ends, lines)
    return [
        _text_array(block, marks, *records.bounds_of(column), quote) for column in columns
    ], records.count


@dataclass(frozen=True, slots=True)
class Records:
    """Holds where the fields of a block's records end, where each record starts, and how many
    fields it has.
    """

    ends: Positions
    starts: Positions
    first: Positions
    fields: "Positions | int"

    @property
    def count(self) -> int:
        """How many records there are."""
        return len(self.starts)

    def bounds_of(self, column: int) -> tuple[Positions, Positions]:
        """Returns where one field of each record starts and stops; of a record that has none,
        both where its last one stops.
        """
        field = self.first + np.minimum(column, self.fields - 1)
        stops = self.ends[field]
        starts = self.starts if column == 0 else self.ends[field - 1] + 1
        return np.where(self.fields > column, starts, stops), stops


def _find_alike(marks: NDArray[np.uint8], ends: Positions, lines: int) -> Records | None:
    """Returns the records of a block whose lines all have as many fields, several each; None if
    they have not.

    Where as many equal groups of ends as there are line ends each close with a line end, no other
    end is one.
    """
    if not lines or len(ends) % lines or len(ends) == lines:
        return None
    fields = len(ends) // lines
    last = ends[fields - 1 :: fields]
    if not (marks[last] == LINE_END).all():
        return None
    starts = np.concatenate([[0], last[:-1] + 1])
    return Records(ends, starts, np.arange(0, len(ends), fields), fields)


def _find_any(marks: NDArray[np.uint8], ends: Positions, lines: int) -> Records:
    """Returns the records of any block, each with its own number of fields; an empty line is
    none.
    """
    last = np.flatnonzero(marks[ends] == LINE_END)
    if len(last) != lines:
        raise SystemFailed(
            "survey: the lines of a text and the records read from it differ; please report it"
        )
    fields = np.diff(last, prepend=-1)
    starts = np.concatenate([[0], ends[last[:-1]] + 1])
    filled = ends[last] > starts
    return Records(ends, starts[filled], (last - fields + 1)[filled], fields[filled])


def _find_field_ends(marks: NDArray[np.uint8], delimiter: str, quote: str) -> Positions:
    """Returns where fields end: at separators outside quotes, and at line ends."""
    is_end = marks == ord(delimiter)
    if quote:
        is_quote = marks == ord(quote)
        if is_quote.any():
            inside = np.bitwise_xor.accumulate(is_quote.view(np.uint8)).view(np.bool_)
            is_end &= ~inside
    is_end |= marks == LINE_END
    return np.flatnonzero(is_end)


def _text_array(
    block: bytes, marks: NDArray[np.uint8], starts: Positions, stops: Positions, quote: str
) -> "pa.Array":
    """Returns the texts between some bounds, which rise from record to record, without their
    quotes.

    Arrow takes one text for each pair of bounds, and one for what lies between two pairs, of the
    same bytes; of these every second one is kept.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    quoted = np.zeros(len(starts), bool)
    if quote:
        quoted = (marks[starts] == ord(quote)) & (stops > starts)
        starts = starts + quoted
        stops = stops - quoted
    bounds = np.zeros(2 * len(starts) + 1, np.int32)
    bounds[:-1:2] = starts
    bounds[1::2] = stops
    bounds[-1] = bounds[-2] if len(starts) else 0
    both = pa.StringArray.from_buffers(len(bounds) - 1, pa.py_buffer(bounds), pa.py_buffer(block))
    filled = pa.py_buffer(np.packbits(stops > starts, bitorder="little"))
    every_second = pa.py_buffer(np.arange(0, 2 * len(starts), 2, dtype=np.int32))
    # by its buffers, since `pa.array` would load pandas first
    chosen = pa.Array.from_buffers(pa.int32(), len(starts), [filled, every_second])
    texts = both.take(chosen)
    if quoted.any():
        texts = pc.replace_substring(texts, quote * 2, quote)
    return texts
