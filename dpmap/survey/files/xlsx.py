"""Reads the sheets of .xlsx and .xlsm, row by row as they stand in the file.

Such a file is a zip of XML: a list of sheets, texts that cells share, styles, and a part for each
sheet. Parts are read by expat as they unpack; only shared texts are kept. Rows, and cells in a row,
must stand in their order and name their own place, so that none can come to stand in another's.
"""

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from dpmap.errors import BadInput
from dpmap.survey.files import workbook_cells as limits
from dpmap.survey.files.tables import FilePiece
from dpmap.survey.files.workbook_cells import (
    MOST_ROWS,
    MOST_WIDE,
    Cells,
    Range,
    add_range,
    check_shared,
    date_text,
    number_text,
    style_kind,
    text_size,
)
from dpmap.survey.files.workbook_sheet import (
    DAMAGED,
    RowTally,
    WorkbookSheet,
    mentions,
    order_error,
    parse_part,
)
from dpmap.survey.files.xml_records import local, parser_of
from dpmap.survey.sources import printable_name

_REFERENCE = re.compile(r"([A-Z]{1,3})([1-9]\d{0,6})(?::([A-Z]{1,3})([1-9]\d{0,6}))?", re.ASCII)
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
Attributes = dict[str, str]


def sheets(members: dict[str, FilePiece], name: str) -> list[WorkbookSheet]:
    """Lists the sheets of rows in the order of their tabs; those of charts, dialogs and macros
    are none.
    """
    book = XlsxPackage(members, name)
    listed_sheets = list[tuple[str, bool, str]]()

    def start(parent: str, tag: str, attributes: Attributes) -> None:
        if (parent, tag) == ("sheets", "sheet"):
            link = next((value for key, value in attributes.items() if local(key) == "id"), "")
            listed_sheets.append(
                (attributes.get("name", ""), attributes.get("state", "visible") != "visible", link)
            )
        elif (parent, tag) == ("workbook", "workbookPr"):
            book.since_1904 = attributes.get("date1904", "").lower() in ("1", "true", "on")

    _read_elements(book.part(book.main), start)
    links = book.links(book.main)
    linked_sheets = [
        (title, hidden, *links.get(link, ("", ""))) for title, hidden, link in listed_sheets
    ]
    return [
        _sheet(book, title, target, place, hidden=hidden)
        for place, (title, hidden, kind, target) in enumerate(
            (linked_sheet for linked_sheet in linked_sheets if linked_sheet[2] == "worksheet"),
            start=1,
        )
    ]


class XlsxPackage:
    """Finds the parts of a workbook by their names and links."""

    def __init__(self, members: dict[str, FilePiece], name: str) -> None:
        self.name = name
        self.since_1904 = False
        self._members = {
            member.lower(): replace(piece, name=name) for member, piece in members.items()
        }
        if len(self._members) < len(members):
            raise BadInput(f"survey: {printable_name(name)} {DAMAGED}")
        self.main = next(
            (target for kind, target in self.links("").values() if kind == "officeDocument"),
            "xl/workbook.xml",
        )
        self._kinds: list[str] | None = None

    def part(self, path: str) -> FilePiece:
        """Returns a part that must be there."""
        piece = self._members.get(path.lower())
        if piece is None:
            raise BadInput(f"survey: {printable_name(self.name)} {DAMAGED}")
        return piece

    def links(self, path: str) -> dict[str, tuple[str, str]]:
        """Returns what a part links to: by the link's id, the last word of its kind and the
        path.
        """
        folder, base = posixpath.split(path)
        piece = self._members.get(posixpath.join(folder, "_rels", f"{base}.rels").lower())
        links_by_id = dict[str, tuple[str, str]]()

        def start(parent: str, tag: str, attributes: Attributes) -> None:
            if (parent, tag) == ("Relationships", "Relationship") and attributes.get(
                "TargetMode"
            ) != "External":
                target = posixpath.normpath(
                    posixpath.join("/", folder, attributes.get("Target", ""))
                )
                links_by_id[attributes.get("Id", "")] = (
                    attributes.get("Type", "").rpartition("/")[2],
                    target.lstrip("/"),
                )

        if piece is not None:
            _read_elements(piece, start)
        return links_by_id

    def linked(self, kind: str) -> FilePiece | None:
        """Returns the one part of a kind that the workbook links to, if it has one."""
        return next(
            (self.part(target) for one, target in self.links(self.main).values() if one == kind),
            None,
        )

    def kinds(self) -> list[str]:
        """Returns what each style makes of a number."""
        if self._kinds is None:
            self._kinds = _kinds(self.linked("styles"))
        return self._kinds


def _read_elements(piece: FilePiece, start: Callable[[str, str, Attributes], None]) -> None:
    """Reads the elements of a part, each with the one that it stands in."""
    parser = parser_of(piece.name)
    path = [""]

    def begin(tag: str, attributes: Attributes) -> None:
        path.append(local(tag))
        start(path[-2], path[-1], attributes)

    parser.StartElementHandler = begin
    parser.EndElementHandler = lambda _: path.pop()
    for _ in parse_part(piece, parser):
        pass


def _kinds(piece: FilePiece | None) -> list[str]:
    """Reads styles in their order; a number that stands for two formats would leave open which
    is meant.
    """
    codes = dict[int, str]()
    numbers = list[int]()

    def start(parent: str, tag: str, attributes: Attributes) -> None:
        if (parent, tag) == ("numFmts", "numFmt"):
            code = attributes.get("formatCode", "")
            if (
                piece is not None
                and codes.setdefault(_index(attributes.get("numFmtId")), code) != code
            ):
                raise BadInput(f"survey: {printable_name(piece.name)} {DAMAGED}")
        elif (parent, tag) == ("cellXfs", "xf"):
            numbers.append(_index(attributes.get("numFmtId", "0")))

    if piece is not None:
        _read_elements(piece, start)
    return [style_kind(number, codes.get(number)) for number in numbers]


def _index(text: str | None) -> int:
    """Reads a place in a list; -1 if it is none."""
    return (
        int(text)
        if text is not None and text.isascii() and text.isdigit() and len(text) < 10
        else -1
    )


def _sheet(book: XlsxPackage, title: str, path: str, place: int, *, hidden: bool) -> WorkbookSheet:
    piece = book.part(path)

    def top(until: int) -> Iterator[tuple[int, Cells]]:
        walk = _XlsxRows(book, None)
        rows = list(_walked(piece, walk, until))
        left = [walk.open[number] for number, _ in rows]
        shared = _shared(book, {index for cells in left for index in cells.values()})
        for (number, cells), some in zip(rows, left, strict=True):
            yield number, cells | {column: shared.get(index, "") for column, index in some.items()}

    def rows(wanted: frozenset[int], tally: RowTally) -> Iterator[tuple[int, Cells]]:
        return _walked(piece, _XlsxRows(book, wanted, _shared(book, None), tally))

    return WorkbookSheet(title, place, hidden, top, rows, lambda: _merged(piece, book.name))


def _walked(
    piece: FilePiece, walk: "_XlsxRows", until: int | None = None
) -> Iterator[tuple[int, Cells]]:
    """Yields the rows as they end: down to one, or to the end of the file, so that what stands
    behind the last row there can be is refused, wherever a stretch of the file ends.
    """
    parser = parser_of(piece.name)
    parser.buffer_text = True
    parser.StartElementHandler = walk.start
    parser.EndElementHandler = walk.end
    parser.CharacterDataHandler = walk.text
    for _ in parse_part(piece, parser):
        yield from (row for row in walk.done if until is None or row[0] <= until)
        walk.done.clear()
        if until is not None and (walk.ended >= until or walk.row > until):
            break


class _XlsxRows:
    """Follows the rows of one sheet. Without shared texts, cells that share one are left in
    `open`, a dict for each row.
    """

    def __init__(
        self,
        book: XlsxPackage,
        wanted: frozenset[int] | None,
        shared: "dict[int, str] | None" = None,
        tally: RowTally | None = None,
    ) -> None:
        self._name = book.name
        self._since_1904 = book.since_1904
        self._kinds = {str(at): kind for at, kind in enumerate(book.kinds())}
        self._wanted = wanted
        self._shared = shared
        self._tally = tally or RowTally()
        self.row = 0
        self.ended = 0
        self._column = 0
        self.done: list[tuple[int, Cells]] = []
        self.open: dict[int, dict[int, int]] = {}
        self._cells: Cells | None = None
        self._left: dict[int, int] = {}
        self._any = self._in_cell = self._taking = self._spoken = False
        self._kind = self._style = self._mark = ""
        self._parts: list[str] = []
        self._room = 0
        """How many more characters this cell's text may have."""
        self._names = dict[str, str]()
        self._columns = dict[str, int]()

    def start(self, tag: str, attributes: Attributes) -> None:
        """Handles the start of an element."""
        tag = self._names.get(tag) or self._names.setdefault(tag, local(tag))
        if tag == "c":
            if self._cells is None or self._in_cell:
                raise self._wrong()
            self._column = self._placed(attributes.get("r"))
            self._kind = attributes.get("t", "n")
            self._style = attributes.get("s", "0")
            self._in_cell = True
            self._parts = []
            self._room = limits.MOST_TEXT
        elif tag == "v" or tag == "t":  # noqa: PLR1714  # met for every cell
            self._taking = (
                self._in_cell and not self._spoken and (tag == "t") == (self._kind == "inlineStr")
            )
        elif tag == "row":
            self._begin(attributes.get("r"))
        elif tag == "rPh":
            self._spoken = True

    def text(self, data: str) -> None:
        """Collects a cell's text as far as there is room; in how many pieces it comes makes no
        difference.
        """
        if self._taking and self._room:
            self._parts.append(data[: self._room])
            self._room -= len(self._parts[-1])

    def end(self, tag: str) -> None:
        """Handles the end of an element."""
        tag = self._names[tag]
        if tag == "c":
            self._in_cell = False
            if self._parts and self._cells is not None:
                self._any = True
                if self._wanted is None or self._column in self._wanted:
                    self._cells[self._column] = self._cell_text("".join(self._parts))
        elif tag == "v" or tag == "t":  # noqa: PLR1714
            self._taking = False
        elif tag == "row":
            if self._any and self._cells is not None:
                self._tally.add(self.row)
                self.done.append((self.row, self._cells))
                if self._shared is None:
                    self.open[self.row] = self._left
            self._cells = None
            self.ended = self.row
        elif tag == "rPh":
            self._spoken = False

    def _begin(self, place: str | None) -> None:
        """Begins a row, which names its own number or follows the last."""
        number = self.row + 1 if place is None else _index(place)
        if self._cells is not None or not self.row < number <= MOST_ROWS:
            raise self._wrong()
        self.row = number
        self._column = 0
        self._mark = str(number)
        self._cells = {}
        self._left = {}
        self._any = False

    def _placed(self, place: str | None) -> int:
        """Returns the column of a cell, which names its own row or follows the last cell."""
        if place is None:
            column = self._column + 1
        else:
            letters = place.rstrip("0123456789")
            column = self._columns.get(letters) or self._columns.setdefault(
                letters, column_number(letters)
            )
            if place[len(letters) :] != self._mark:
                raise self._wrong()
        if not self._column < column <= MOST_WIDE:
            raise self._wrong()
        return column

    def _cell_text(self, raw: str) -> str:
        """Returns what a cell holds as a text, by its own type and style."""
        kind = self._kind
        if kind == "n":
            style = self._kinds.get(self._style)
            return date_text(raw, style, since_1904=self._since_1904) if style else number_text(raw)
        if kind == "s":
            if self._shared is not None:
                return self._shared.get(_index(raw), "")
            self._left[self._column] = _index(raw)
            return ""
        if kind == "b":
            return {"1": "true", "true": "true", "0": "false", "false": "false"}.get(raw, "")
        return "" if kind == "e" else unescape(raw)

    def _wrong(self) -> BadInput:
        return order_error(self._name)


def column_number(letters: str) -> int:
    """Returns the number of a column; 0 if it has none.

    >>> column_number("A"), column_number("XFD"), column_number("a")
    (1, 16384, 0)
    """
    if not 1 <= len(letters) <= 3 or not all("A" <= mark <= "Z" for mark in letters):
        return 0
    number = 0
    for mark in letters:
        number = 26 * number + ord(mark) - 64
    return number


def unescape(text: str) -> str:
    r"""Returns a text with the marks that XML has no place for, which Excel writes as _x0007_.

    >>> unescape("a_x000D_b_x005F_x")
    'a\rb_x'
    """
    return text if "_x" not in text else _ESCAPED.sub(_mark, text)


def _mark(escape: "re.Match[str]") -> str:
    number = int(escape[1], 16)
    return escape[0] if 0xD800 <= number < 0xE000 else chr(number)


def _shared(book: XlsxPackage, only: set[int] | None) -> dict[int, str]:
    """Reads the texts that cells share: all, or those at some places."""
    piece = book.linked("sharedStrings")
    if piece is None or (only is not None and not only):
        return {}
    walk = _Texts(only)
    parser = parser_of(piece.name)
    parser.buffer_text = True
    parser.StartElementHandler = walk.start
    parser.EndElementHandler = walk.end
    parser.CharacterDataHandler = walk.text
    last = None if only is None else max(only)
    for _ in parse_part(piece, parser):
        check_shared(walk.size, book.name)
        if last is not None and walk.number > last:
            break
    return walk.found


class _Texts:
    """Collects shared texts, without what is only spoken (how a name is pronounced)."""

    def __init__(self, only: set[int] | None) -> None:
        self.found = dict[int, str]()
        self.number = -1
        self.size = 0
        self._only = only
        self._parts = list[str]()
        self._room = 0
        self._taking = self._spoken = False
        self._deep = 0

    def start(self, tag: str, _: Any) -> None:
        """Handles the start of an element."""
        tag = local(tag)
        self._deep += 1
        if tag == "si" and self._deep == 2:  # one within another would shift all that follow
            self.number = self.number + 1
            self._parts = []
            self._room = limits.MOST_TEXT
        elif tag == "rPh":
            self._spoken = True
        elif tag == "t":
            self._taking = not self._spoken

    def text(self, data: str) -> None:
        """Collects text as far as there is room; in how many pieces it comes makes no
        difference.
        """
        if self._taking and self._room:
            self._parts.append(data[: self._room])
            self._room -= len(self._parts[-1])

    def end(self, tag: str) -> None:
        """Handles the end of an element."""
        tag = local(tag)
        self._deep -= 1
        if tag == "t":
            self._taking = False
        elif tag == "rPh":
            self._spoken = False
        elif tag == "si" and self._deep == 1:
            self._taking = False
            self._room = 0
            if self._only is None or self.number in self._only:
                self.found[self.number] = unescape("".join(self._parts))
                self.size += text_size(self.found[self.number])


def _merged(piece: FilePiece, name: str) -> list[Range]:
    """Returns the merged ranges, which stand below the rows."""
    ranges = list[Range]()
    if not mentions(piece, b"mergeCell"):
        return ranges

    def start(parent: str, tag: str, attributes: Attributes) -> None:
        if (parent, tag) == ("mergeCells", "mergeCell"):
            place = _REFERENCE.fullmatch(attributes.get("ref", ""))
            ends = place.groups() if place else (None,) * 4
            if ends[0] is None or ends[1] is None:
                raise BadInput(
                    f"survey: merged cells of {printable_name(name)} are damaged; unmerge them, or"
                    " save the"
                    " sheet as CSV"
                )
            left = column_number(ends[0])
            top = int(ends[1])
            right = column_number(ends[2] or ends[0])
            bottom = int(ends[3] or ends[1])
            whole = min(top, bottom), max(top, bottom), min(left, right), max(left, right)
            add_range(ranges, whole, name)

    _read_elements(piece, start)
    return ranges
