"""Turns a workbook's cells into texts, each by itself, and says what merged cells hold.

A cell of a workbook is a number, a text, a truth or an error; its own style makes a number a date. No other cell has a say in
that, so no row changes how another's is read.
"""

import re
from bisect import bisect_left, insort
from collections.abc import Iterable
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache
from heapq import heappop, heappush
from math import isfinite

from dpmap.errors import BadInput
from dpmap.survey.sources import shown

MOST_ROWS, MOST_WIDE = 1 << 20, 1 << 14
"""Rows and columns of the largest sheet of Excel."""
MOST_MERGED = 1_000_000
LONGEST = 400
"""Marks of the longest number that is read as one."""

Cells = dict[int, str]
"""The texts of one row by the column they stand in, counted from 1."""
Range = tuple[int, int, int, int]
"""A merged range: first row, last row, first column, last column."""

_WHOLE = re.compile(r"-?[1-9]\d*|0", re.ASCII)
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)
_LITERAL = re.compile(r'"[^"]*"?|\\.|_.|\*.')
_DATES, _TIMES = (
    {*range(14, 18), *range(27, 32), 36, *range(50, 55), 57, 58},
    {*range(18, 22), *range(32, 36), 45, 47, 55, 56},
)
_KINDS = dict.fromkeys(_DATES, "date") | dict.fromkeys(_TIMES, "time") | {22: "moment", 46: "span"}


def number_text(text: str) -> str:
    """Writes a number in its shortest exact decimal form; empty if it is none.

    >>> number_text("1000.0"), number_text("1e-05"), number_text("0.30000000000000004"), number_text("NaN")
    ('1000', '0.00001', '0.30000000000000004', '')
    """
    if len(text) > LONGEST or not _NUMBER.fullmatch(text):
        return ""
    if _WHOLE.fullmatch(text):
        return text
    value = float(text)
    if not isfinite(value):
        return ""
    if value.is_integer() and abs(value) < 1e22:
        return str(int(value))
    written = repr(value)
    return format(Decimal(written), "f") if "e" in written and 1e-22 < abs(value) < 1e22 else written


def style_kind(number: int, code: str | None) -> str:
    """Tells what a cell's number format makes of a number: a `date`, `time`, `moment`, `span`, or nothing.

    >>> style_kind(14, None), style_kind(164, "dd/mm/yyyy hh:mm"), style_kind(165, "[h]:mm"), style_kind(166, '0.0 "days"')
    ('date', 'moment', 'span', '')
    """
    if code is None:
        return _KINDS.get(number, "")
    plain = _LITERAL.sub("", code).lower()
    if re.search(r"\[(h+|m+|s+)\]", plain):
        return "span"
    plain = re.sub(r"am/pm|a/p", "h", re.sub(r"\[[^\]]*\]|general|standard", "", plain).split(";")[0])
    clock = bool(set(plain) & set("hs"))
    if set(plain) & set("yd") or ("m" in plain and not clock):
        return "moment" if clock else "date"
    return "time" if clock else ""


@lru_cache(maxsize=1 << 16)
def date_text(text: str, kind: str, *, since_1904: bool) -> str:
    """Writes a number that its style makes a date or time as ISO does; empty if there is no such date.

    >>> date_text("45000.5", "moment", since_1904=False), date_text("45000", "date", since_1904=False)
    ('2023-03-15T12:00:00', '2023-03-15')
    >>> date_text("0.25", "time", since_1904=False), date_text("1.5", "span", since_1904=False)
    ('06:00:00', '36:00:00')
    """
    plain = number_text(text)
    serial = float(plain) if plain else -1.0
    if not 0 <= serial < 1e7:
        return ""
    seconds = round(serial * 86_400)
    days, rest = divmod(seconds, 86_400)
    clock = clock_text(seconds if kind == "span" else rest)
    if kind in ("span", "time"):
        return clock
    day = _day(days, since_1904=since_1904)
    return day if kind == "date" or not day else f"{day}T{clock}"


def clock_text(seconds: int) -> str:
    """Writes seconds as hours, minutes and seconds."""
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _day(days: int, *, since_1904: bool) -> str:
    """Returns the day with this number; Excel counts a 29 February 1900, which never was."""
    first = date(1904, 1, 1) if since_1904 else date(1899, 12, 31) if days < 60 else date(1899, 12, 30)
    if (not since_1904 and days in (0, 60)) or days > (date.max - first).days:
        return ""
    return (first + timedelta(days)).isoformat()


class Merged:
    """Gives merged cells what their range holds, as if it were written in each of them.

    That is what merging says, and what unmerging and filling would make of it. A cell with a value of its own keeps that; a range that
    begins in or above the header fills no row below, and no row without a value of its own comes to be.
    """

    def __init__(self, ranges: Iterable[Range], wanted: Iterable[int], *, above: int = 0) -> None:
        self._columns = sorted(wanted)
        self._waiting = [one for one in ranges if one[0] > above and self._within(one)][::-1]
        self._open: list[tuple[int, list[int], str]] = []

    def _within(self, one: Range) -> list[int]:
        return self._columns[bisect_left(self._columns, one[2]) : bisect_left(self._columns, one[3] + 1)]

    def fill(self, number: int, cells: Cells) -> None:
        """Fills one row; rows come in order."""
        self._open = [one for one in self._open if one[0] >= number]
        while self._waiting and self._waiting[-1][0] <= number:
            top, bottom, left, _ = one = self._waiting.pop()
            if top == number and (value := cells.get(left)):
                self._open.append((bottom, self._within(one), value))
        for _, columns, value in self._open:
            for column in columns:
                if not cells.get(column):
                    cells[column] = value


def checked(ranges: list[Range], name: str) -> list[Range]:
    """Returns merged ranges in the order of their first rows; refuses any that overlap, as no program makes them."""
    ranges = sorted(one for one in ranges if one[0] < one[1] or one[2] < one[3])
    sides, ends = list[tuple[int, int]](), list[tuple[int, tuple[int, int]]]()
    for top, bottom, left, right in ranges:
        while ends and ends[0][0] < top:
            gone = heappop(ends)[1]
            sides.pop(bisect_left(sides, gone))
        at = bisect_left(sides, (left, 0))
        if (at < len(sides) and sides[at][0] <= right) or (at and sides[at - 1][1] >= left):
            raise BadInput(
                f"survey: merged cells of {shown(name)} overlap; open it in a spreadsheet program and save it again"
            )
        insort(sides, (left, right))
        heappush(ends, (bottom, (left, right)))
    return ranges
