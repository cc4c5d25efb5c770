"""Turns a workbook's cells into texts, each by itself, and says what merged cells hold.

A cell of a workbook is a number, a text, a truth or an error; its own style makes a number a date.
No other cell has a say in that, so no row changes how another's is read.
"""

import re
from datetime import date, timedelta
from functools import lru_cache
from math import isfinite

from dpmap.errors import BadInput
from dpmap.survey.files import cell_text
from dpmap.survey.sources import printable_name

MOST_ROWS = 1 << 20
MOST_WIDE = 1 << 14
"""Rows and columns of the largest sheet of Excel."""
MOST_MERGED = 1_000_000
MOST_SHARED = 1 << 30
"""Bytes that shared texts may take in memory."""
MOST_TEXT = 1 << 20
"""Characters of the longest text that a cell may hold, 16 times what programs write; what is
beyond is not read.
"""
LONGEST = 400
"""Marks of the longest number that is read as one."""

Cells = dict[int, str]
"""The texts of one row by the column they stand in, counted from 1."""
Range = tuple[int, int, int, int]
"""A merged range: first row, last row, first column, last column."""

_WHOLE = re.compile(r"-?[1-9]\d*|0", re.ASCII)
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)
_LITERAL = re.compile(r'"[^"]*"?|\\.|_.|\*.')
_DATES = {*range(14, 18), *range(27, 32), 36, *range(50, 55), 57, 58}
_TIMES = {*range(18, 22), *range(32, 36), 45, 47, 55, 56}
_KINDS = dict.fromkeys(_DATES, "date") | dict.fromkeys(_TIMES, "time") | {22: "moment", 46: "span"}


def number_text(text: str) -> str:
    """Writes a number in its shortest exact decimal form; empty if it is none.

    >>> number_text("1000.0"), number_text("1e-05"), number_text(
    ...     "0.30000000000000004"
    ... ), number_text("NaN")
    ('1000', '0.00001', '0.30000000000000004', '')
    """
    if len(text) > LONGEST or not _NUMBER.fullmatch(text):
        return ""
    if _WHOLE.fullmatch(text):
        return text
    value = float(text)
    return cell_text.number_text(value) or "" if isfinite(value) else ""


def style_kind(number: int, code: str | None) -> str:
    """Tells what a cell's number format makes of a number: a `date`, `time`, `moment`, `span`, or
    nothing.

    >>> style_kind(14, None), style_kind(164, "dd/mm/yyyy hh:mm"), style_kind(
    ...     165, "[h]:mm"
    ... ), style_kind(166, '0.0 "days"')
    ('date', 'moment', 'span', '')
    """
    if code is None:
        return _KINDS.get(number, "")
    plain = _LITERAL.sub("", code).lower()
    if re.search(r"\[(h+|m+|s+)\]", plain):
        return "span"
    plain = re.sub(
        r"am/pm|a/p", "h", re.sub(r"\[[^\]]*\]|general|standard", "", plain).split(";")[0]
    )
    clock = bool(set(plain) & set("hs"))
    if set(plain) & set("yd") or ("m" in plain and not clock):
        return "moment" if clock else "date"
    return "time" if clock else ""


@lru_cache(maxsize=1 << 16)
def date_text(text: str, kind: str, *, since_1904: bool) -> str:
    """Writes a number that its style makes a date or time as ISO does; empty if there is no such
    date.

    >>> date_text("45000.5", "moment", since_1904=False), date_text(
    ...     "45000", "date", since_1904=False
    ... )
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
    first = (
        date(1904, 1, 1) if since_1904 else date(1899, 12, 31) if days < 60 else date(1899, 12, 30)
    )
    if (not since_1904 and days in (0, 60)) or days > (date.max - first).days:
        return ""
    return (first + timedelta(days)).isoformat()


def add_range(ranges: list[Range], one: Range, name: str) -> None:
    """Notes one merged range; refuses too many."""
    if len(ranges) >= MOST_MERGED:
        raise BadInput(
            f"survey: {printable_name(name)} has too many merged cells; unmerge them, or save the"
            " sheet as"
            " CSV and give that"
        )
    ranges.append(one)


def fill_header(number: int, rows: dict[int, Cells], ranges: list[Range]) -> Cells:
    """Returns the cells of the header row, the empty ones with what is merged into them from
    there or above.
    """
    cells = dict(rows.get(number, {}))
    for top, bottom, left, right in sorted(ranges):
        value = rows.get(top, {}).get(left)
        if value and top <= number <= bottom:
            for column in range(left, min(right, MOST_WIDE) + 1):
                cells.setdefault(column, value)
    return cells


def check_merged(ranges: list[Range], header: int, columns: tuple[str, ...], name: str) -> None:
    """Refuses cells merged over several rows below the header: one of these would fill the others.

    What is merged within one row fills nothing: a cell below the header holds what stands in it.
    """
    for top, bottom, left, _ in ranges:
        if header < top < bottom and left <= len(columns):
            raise BadInput(
                f"survey: cells of {printable_name(columns[left - 1])} in {printable_name(name)}"
                " are merged over rows"
                f" {top:,} to {bottom:,}, and a row must stand for itself; unmerge them in a"
                " spreadsheet program, fill in each row, and save it"
            )


def text_size(text: str) -> int:
    """Returns about how many bytes a shared text takes in memory."""
    return 2 * len(text) + 150


def check_shared(size: int, name: str) -> None:
    """Refuses shared texts that take more memory than any honest workbook's."""
    if size > MOST_SHARED:
        raise BadInput(
            f"survey: the texts of {printable_name(name)} take more than 1 GB; save its sheet as"
            " CSV and"
            " give that"
        )
