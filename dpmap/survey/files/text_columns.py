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
Flags = NDArray[np.bool_]
LINE_END = 10


def cut_columns(
    block: bytes, delimiter: str, quote: str, columns: Sequence[int]
) -> "tuple[list[pa.Array], int]":
    """Returns some columns of a block's records as Arrow texts, an empty field as a missing one,
    and how many records there are; an empty line is none.
    """
    marks = np.frombuffer(block, np.uint8)
    quote = quote if quote and quote.encode() in block else ""
    is_line_end = marks == LINE_END
    lines = int(np.count_nonzero(is_line_end))
    ends = _find_field_ends(marks, is_line_end, delimiter, quote)
    records = _find_even(marks, ends, lines) or _find_uneven(marks, ends, lines)
    return [
        _text_array(block, marks, *records.bounds_of(column), quote) for column in columns
    ], len(records.starts)


@dataclass(frozen=True, slots=True)
class EvenRecords:
    """Holds where a block's records start, and where their fields end: a row of `ends` for each
    record, all with as many fields.
    """

    starts: Positions
    ends: Positions

    def bounds_of(self, column: int) -> tuple[Positions, Positions]:
        """Returns where one field of each record starts and stops; of a record that has none,
        both where its last one stops.
        """
        if column >= self.ends.shape[1]:
            return self.ends[:, -1], self.ends[:, -1]
        starts = self.ends[:, column - 1] + 1 if column else self.starts
        return starts, self.ends[:, column]


@dataclass(frozen=True, slots=True)
class UnevenRecords:
    """Holds where a block's records start, where fields end, which of these ends is each record's
    first, and how many fields it has.
    """

    starts: Positions
    ends: Positions
    first: Positions
    fields: Positions

    def bounds_of(self, column: int) -> tuple[Positions, Positions]:
        """Returns where one field of each record starts and stops; of a record that has none,
        both where its last one stops.
        """
        field = self.first + np.minimum(column, self.fields - 1)
        stops = self.ends[field]
        starts = self.ends[field - 1] + 1 if column else self.starts
        return np.where(self.fields > column, starts, stops), stops


def _find_even(marks: NDArray[np.uint8], ends: Positions, lines: int) -> EvenRecords | None:
    """Returns the records of a block whose lines all have as many fields, several each; None if
    they have not.

    Where as many equal groups of ends as there are line ends each close with a line end, no other
    end is one.
    """
    if not lines or len(ends) % lines or len(ends) == lines:
        return None
    table = ends.reshape(lines, -1)
    last = table[:, -1]
    if not (marks[last] == LINE_END).all():
        return None
    starts = np.empty_like(last)
    starts[0] = 0
    np.add(last[:-1], 1, out=starts[1:])
    return EvenRecords(starts, table)


def _find_uneven(marks: NDArray[np.uint8], ends: Positions, lines: int) -> UnevenRecords:
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
    return UnevenRecords(starts[filled], ends, (last - fields + 1)[filled], fields[filled])


def _find_field_ends(
    marks: NDArray[np.uint8], is_line_end: Flags, delimiter: str, quote: str
) -> Positions:
    """Returns where fields end: at separators outside quotes, and at line ends."""
    is_end = marks == ord(delimiter)
    if quote:
        is_end &= ~inside_quotes(marks == ord(quote))
    is_end |= is_line_end
    return np.flatnonzero(is_end)


def inside_quotes(is_quote: Flags) -> Flags:
    """Returns of each mark whether the quotes up to it, itself among them, are odd in number.

    The marks are the bits of words: within a word each bit takes up those below it, in six
    doublings, and then all bits of a word are turned if those before it are odd.
    """
    bits = np.zeros(-(-len(is_quote) // 64), "<u8")
    packed = np.packbits(is_quote, bitorder="little")
    bits.view(np.uint8)[: len(packed)] = packed
    for distance in (1, 2, 4, 8, 16, 32):
        bits ^= bits << np.uint64(distance)
    odd = np.bitwise_xor.accumulate(bits >> np.uint64(63))
    bits[1:] ^= np.uint64(0) - odd[:-1]
    return np.unpackbits(bits.view(np.uint8), count=len(is_quote), bitorder="little").view(np.bool_)


def _text_array(
    block: bytes, marks: NDArray[np.uint8], starts: Positions, stops: Positions, quote: str
) -> "pa.Array":
    """Returns the texts between some bounds, which rise from record to record, without their
    quotes.

    Arrow takes one text for each pair of bounds, and one for what lies between two pairs, of the
    same bytes; of these every second one is kept.
    """
    import pyarrow as pa

    # not `pyarrow.compute`: making its 300 functions takes as long as cutting half a million rows
    from pyarrow._compute import ReplaceSubstringOptions, TakeOptions, call_function

    doubled = False
    if quote:
        is_quoted = (marks[starts] == ord(quote)) & (stops > starts)
        doubled = bool(is_quoted.any())
        starts = starts + is_quoted
        stops = stops - is_quoted
    bounds = np.zeros(2 * len(starts) + 1, np.int32)
    bounds[:-1:2] = starts
    bounds[1::2] = stops
    bounds[-1] = bounds[-2] if len(starts) else 0
    both = pa.StringArray.from_buffers(len(bounds) - 1, pa.py_buffer(bounds), pa.py_buffer(block))
    is_filled = bounds[1::2] > bounds[:-1:2]
    filled = None if is_filled.all() else pa.py_buffer(np.packbits(is_filled, bitorder="little"))
    every_second = pa.py_buffer(np.arange(0, 2 * len(starts), 2, dtype=np.int32))
    # by its buffers, since `pa.array` would load pandas first
    chosen = pa.Array.from_buffers(pa.int32(), len(starts), [filled, every_second])
    texts = call_function("array_take", [both, chosen], TakeOptions(boundscheck=False))
    if doubled:
        single = ReplaceSubstringOptions(quote * 2, quote)
        texts = call_function("replace_substring", [texts], single)
    return texts
