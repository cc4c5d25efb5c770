"""Reads the sheets of .ods, row by row as they stand in the file.

An .ods is a zip of XML whose one part holds all sheets. A row or cell may be said to stand there
many times: a cell is repeated only as far as columns are asked for, a row only within the largest
sheet there is.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from dpmap.errors import BadInput
from dpmap.survey.files import workbook_cells as limits
from dpmap.survey.files.tables import FilePiece
from dpmap.survey.files.workbook_cells import (
    MOST_ROWS,
    MOST_WIDE,
    Cells,
    Range,
    add_range,
    clock_text,
    number_text,
)
from dpmap.survey.files.workbook_sheet import DAMAGED, RowTally, WorkbookSheet, mentions, parse_part
from dpmap.survey.files.xml_records import local, parser_of
from dpmap.survey.sources import printable_name

_SPAN = re.compile(r"PT(\d{1,7})H(\d{1,7})M(\d{1,7})(?:[.,]\d+)?S", re.ASCII)
_CELLS = ("table-cell", "covered-table-cell")
_ASIDE = ("annotation", "note", "ruby-text")
"""Notes, and how a text is pronounced."""
Attributes = dict[str, str]


def sheets(members: dict[str, FilePiece], name: str) -> list[WorkbookSheet]:
    """Lists the sheets in the order of their tabs."""
    if "META-INF/manifest.xml" in members and mentions(
        members["META-INF/manifest.xml"], b"encryption-data"
    ):
        raise BadInput(
            f"survey: {printable_name(name)} is locked with a password; save it without one and"
            " give that"
        )
    if "content.xml" not in members:
        raise BadInput(f"survey: {printable_name(name)} {DAMAGED}")
    piece = replace(members["content.xml"], name=name)
    hiding = set[str]()
    tables = list[tuple[str, str]]()
    style = [""]

    def start(tag: str, attributes: Attributes) -> None:
        if tag == "style":
            style[0] = attributes.get("name", "")
        elif tag == "table-properties" and attributes.get("display") == "false":
            hiding.add(style[0])

    walk = _Tables(start)
    for _ in _walked(piece, walk):
        pass
    tables = walk.tables
    return [
        _sheet(piece, title, place, hidden=style_name in hiding)
        for place, (title, style_name) in enumerate(tables, start=1)
    ]


def _sheet(piece: FilePiece, title: str, place: int, *, hidden: bool) -> WorkbookSheet:
    def top(until: int) -> Iterator[tuple[int, Cells]]:
        walk = _OdsRows(piece.name, place, None)
        for _ in _walked(piece, walk):
            yield from (row for row in walk.ended_rows() if row[0] <= until)
            if walk.row >= until:
                break

    def rows(wanted: frozenset[int], tally: RowTally) -> Iterator[tuple[int, Cells]]:
        walk = _OdsRows(piece.name, place, wanted, tally)
        for _ in _walked(piece, walk):
            yield from walk.ended_rows()

    return WorkbookSheet(title, place, hidden, top, rows, lambda: _merged(piece, place))


def _walked(piece: FilePiece, walk: "_Tables") -> Iterator[None]:
    """Parses the part that holds the sheets."""
    parser = parser_of(piece.name)
    parser.buffer_text = True
    parser.StartElementHandler = walk.start
    parser.EndElementHandler = walk.end
    parser.CharacterDataHandler = walk.text
    return parse_part(piece, parser)


class _Tables:
    """Follows the sheets of a file; a table within a cell is none."""

    def __init__(self, other: "Callable[[str, Attributes], None] | None" = None) -> None:
        self.tables: list[tuple[str, str]] = []
        self._other = other
        self._deep = 0
        self._names = dict[str, str]()
        self._linked = False

    def start(self, tag: str, attributes: Attributes) -> None:
        """Handles the start of an element."""
        tag = self._names.get(tag) or self._names.setdefault(tag, local(tag))
        plain = (
            {local(key): value for key, value in attributes.items()} if attributes else attributes
        )
        if tag == "table":
            self._deep += 1
            if self._deep == 1 and not self._linked:
                self.tables.append((plain.get("name", ""), plain.get("style-name", "")))
                self.sheet(len(self.tables))
        elif self._deep == 1:
            if tag in _CELLS and any(
                local(key) == "value-type" and value == "error" for key, value in attributes.items()
            ):
                plain["value-type"] = "error"
            self.begin(tag, plain)
        elif tag == "dde-links":
            self._linked = True
            self.sheet(0)
        elif self._other is not None:
            self._other(tag, plain)

    def end(self, tag: str) -> None:
        """Handles the end of an element."""
        tag = self._names[tag]
        if tag == "table":
            self._deep -= 1
        elif self._deep == 1:
            self.finish(tag)

    def text(self, data: str) -> None:
        """Handles text."""

    def sheet(self, place: int) -> None:
        """Called where a sheet begins."""

    def begin(self, tag: str, told: Attributes) -> None:
        """Called where an element in a sheet begins."""

    def finish(self, tag: str) -> None:
        """Called where an element in a sheet ends."""


class _OdsRows(_Tables):
    """Collects the rows of one sheet, and where cells are merged."""

    def __init__(
        self, name: str, place: int, wanted: frozenset[int] | None, tally: RowTally | None = None
    ) -> None:
        super().__init__()
        self._tally = tally or RowTally()
        self._name = name
        self._place = place
        self._here = False
        self._wanted = None if wanted is None else sorted(wanted)
        self.row = 0
        self._times = 1
        self._column = 0
        self._many = 1
        self.ranges: list[Range] = []
        self._done: list[tuple[int, int, Cells]] = []
        self._cells: Cells = {}
        self._any = False
        self._within: list[str] = []
        self._aside = 0
        self._cell: Attributes = {}
        self._parts: list[str] = []
        self._room = 0
        """How many more characters this cell's text may have."""

    def ended_rows(self) -> Iterator[tuple[int, Cells]]:
        """Yields the rows that ended, each as often as it stands there."""
        for first, times, cells in self._done:
            for number in range(first, first + times):
                yield number, dict(cells)
        self._done.clear()

    def sheet(self, place: int) -> None:
        self._here = place == self._place

    def begin(self, tag: str, attributes: Attributes) -> None:
        if not self._here:
            return
        if self._within:
            self._within.append(tag)
            self._aside += tag in _ASIDE
            if len(self._within) == 2 and tag == "p" and self._parts:
                self._add("\n")
            elif tag in ("s", "tab", "line-break") and self._takes():
                self._add(
                    {"s": " " * min(times_of(attributes, "c"), 1000), "tab": "\t"}.get(tag, "\n")
                )
        elif tag == "table-row":
            self._times = times_of(attributes, "number-rows-repeated")
            self._column = 0
            self._cells = {}
            self._any = False
        elif tag in _CELLS:
            self._within = [tag]
            self._cell = attributes
            self._parts = []
            self._room = limits.MOST_TEXT

    def text(self, data: str) -> None:
        """Collects a cell's own text, without that of its notes and pictures."""
        if self._within and self._takes():
            self._add(data)

    def _add(self, data: str) -> None:
        """Adds to a cell's text as far as there is room; in how many pieces it comes makes no
        difference.
        """
        if self._room:
            self._parts.append(data[: self._room])
            self._room -= len(self._parts[-1])

    def _takes(self) -> bool:
        return len(self._within) > 1 and self._within[1] == "p" and not self._aside

    def finish(self, tag: str) -> None:
        if not self._here:
            return
        if self._within:
            self._within.pop()
            self._aside -= tag in _ASIDE
            if not self._within:
                self._end_cell()
        elif tag == "table-row":
            self._end_row()

    def _end_cell(self) -> None:
        """Puts a cell in each column that it stands in, as far as columns are asked for."""
        first = self._column + 1
        repeats = times_of(self._cell, "number-columns-repeated")
        self._column += repeats
        value = cell_text(self._cell, "".join(self._parts))
        wide = times_of(self._cell, "number-columns-spanned")
        high = times_of(self._cell, "number-rows-spanned")
        if wide > 1 or high > 1:
            add_range(
                self.ranges, (self.row + 1, self.row + high, first, first + wide - 1), self._name
            )
        if not value:
            return
        self._any = True
        last = first + min(repeats, MOST_WIDE) - 1
        columns = range(first, min(last, MOST_WIDE) + 1) if self._wanted is None else self._wanted
        self._cells.update((column, value) for column in columns if first <= column <= last)

    def _end_row(self) -> None:
        first = self.row + 1
        self.row = self.row + self._times
        if self._any:
            if self.row > MOST_ROWS:
                raise BadInput(
                    f"survey: {printable_name(self._name)} holds values below row {MOST_ROWS:,},"
                    " more than a"
                    " sheet has; save it as CSV and give that"
                )
            self._tally.add(first, self._times)
            self._done.append((first, self._times, self._cells))


def times_of(attributes: Attributes, name: str) -> int:
    """Reads how often a row or cell stands there; once if it does not say so.

    >>> times_of({"c": "3"}, "c"), times_of({}, "c"), times_of({"c": "99999999999999"}, "c")
    (3, 1, 1000000000)
    """
    text = attributes.get(name, "1")
    if not text.isascii() or not text.isdigit():
        return 1
    return max(1, int(text) if len(text) < 10 else 10**9)


def cell_text(attributes: Attributes, text: str) -> str:
    """Returns what a cell holds as a text, by its own type; an error is nothing.

    >>> cell_text({"value-type": "float", "value": "1000.0"}, "1,000.00"), cell_text(
    ...     {"value-type": "time", "time-value": "PT6H5M0S"}, ""
    ... )
    ('1000', '06:05:00')
    """
    kind = attributes.get("value-type", "")
    if kind == "error" or (
        text.startswith(
            ("#N/A", "#REF!", "#NAME?", "#VALUE!", "#DIV/0!", "#NUM!", "#NULL!", "Err:5")
        )
        and "formula" in attributes
    ):
        return ""
    if kind in ("float", "percentage", "currency"):
        return number_text(attributes.get("value", ""))
    if kind == "boolean":
        value = attributes.get("boolean-value", "")
        return value if value in ("true", "false") else ""
    if kind == "date":
        return attributes.get("date-value", "")
    if kind == "time":
        span = _SPAN.fullmatch(attributes.get("time-value", ""))
        return (
            clock_text(3600 * int(span[1]) + 60 * int(span[2]) + int(span[3]))
            if span
            else attributes.get("time-value", "")
        )
    return attributes.get("string-value", text)


def _merged(piece: FilePiece, place: int) -> list[Range]:
    """Returns the merged ranges of a sheet."""
    if not mentions(piece, b"-spanned"):
        return []
    walk = _OdsRows(piece.name, place, frozenset())
    for _ in _walked(piece, walk):
        for _row in walk.ended_rows():
            pass
    return walk.ranges
