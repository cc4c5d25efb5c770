"""Reads the sheets of old Excel files, .xls (BIFF8), record by record as they stand in the file.

A workbook is a stream of records in a compound file: first what all sheets share (their list,
styles, texts), then each sheet. A record may be continued by others. Cells must stand in their
order, as in every sheet, so that none can come to stand in another's place. A shared text is read
to its own last mark, wherever records end within it, so no text has a say in another; their number
must be as declared, and nothing may be left over.
"""

import io
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile

from dpmap.errors import BadInput
from dpmap.survey.files.compound_file import BROKEN, Compound
from dpmap.survey.files.tables import FilePiece, unpack_bounded
from dpmap.survey.files.workbook_cells import (
    Cells,
    Range,
    add_range,
    check_shared,
    date_text,
    number_text,
    style_kind,
    text_size,
)
from dpmap.survey.files.workbook_sheet import RowTally, WorkbookSheet, damage_error, order_error
from dpmap.survey.sources import printable_name

MOST = 256 << 20
"""Bytes of the largest .xls: one whose rows and columns are all filled takes less."""
MOST_WIDE = 1 << 8
VERSION = 0x600
"""What BIFF8, which Excel 97 to 2003 write, calls itself."""
_GLOBALS = 0x05
_WORKSHEET = 0x10
_BEGIN = 0x809
_END = 0x0A
_CONTINUE = 0x3C
_LOCKED = 0x2F
_DATES = 0x22
_TAB = 0x85
_FORMAT = 0x41E
_STYLE = 0xE0
_SHARED = 0xFC
_NUMBER = 0x203
_SHORT = 0x27E
_SHORTS = 0xBD
_FORMULA = 0x06
_ITS_TEXT = 0x207
_SHARES = 0xFD
_TEXT = 0x204
_RICH_TEXT = 0xD6
_TRUTH = 0x205
_MERGED = 0xE5
_HEAD = struct.Struct("<HH")
_DOUBLE = struct.Struct("<d")
Value = tuple[int, int, str]
"""A row and a column, counted from 1, and the text that stands there."""


@dataclass(slots=True)
class XlsWorkbook:
    """Holds a workbook's stream, and what its sheets share."""

    name: str
    stream: bytes
    since_1904: bool = False
    tabs: list[tuple[str, int, bool]] = field(default_factory=list)
    """Each sheet's name, where its records begin, and whether it is hidden."""
    starts: set[int] = field(default_factory=set)
    """Where the records of each sheet, chart or macro begin."""
    formats: dict[int, str] = field(default_factory=dict)
    styles: list[int] = field(default_factory=list)
    texts: list[bytes] = field(default_factory=list)
    """The records that hold the shared texts."""

    def kinds(self) -> list[str]:
        """Returns what each style makes of a number."""
        return [style_kind(number, self.formats.get(number)) for number in self.styles]

    def shared(self) -> list[str]:
        """Returns the texts that cells share."""
        if not self.texts:
            return []
        number = struct.unpack_from("<4xI", self.texts[0])[0]
        texts = Texts(self.texts, 8)
        strings = list[str]()
        size = 0
        for _ in range(number):
            strings.append(texts.next())
            size += text_size(strings[-1])
            check_shared(size, self.name)
        if not texts.at_end():
            raise IndexError
        return strings


class Texts:
    r"""Reads texts from a record and those that continue it.

    The number of a text's marks and how they are kept stand together in one record. Its marks may
    go on in the next, which then begins with a byte that says how *these* are kept: one byte a
    mark, or two. All its marks are joined before they are decoded, so it makes no difference where
    a record ends.

    >>> Texts([b"\x02\0\1\x3e\xd8", b"\1\x85\xdd"], 0).next() == Texts(
    ...     [b"\x02\0\1\x3e\xd8\x85\xdd"], 0
    ... ).next() == "\U0001f985"
    True
    """

    def __init__(self, parts: list[bytes], at: int) -> None:
        self._parts = parts
        self._part = 0
        self._at = at

    def at_end(self) -> bool:
        """Whether nothing is left."""
        return self._part == len(self._parts) - 1 and self._at == len(self._parts[-1])

    def next(self) -> str:
        """Returns the text that begins here, and passes over its fonts and how it is pronounced."""
        marks, how = struct.unpack("<HB", self._fixed(3))
        aside = 4 * struct.unpack("<H", self._fixed(2))[0] if how & 8 else 0
        aside += struct.unpack("<I", self._fixed(4))[0] if how & 4 else 0
        text = self._marks(marks, wide=bool(how & 1))
        while aside:
            self._turn()
            step = min(aside, len(self._parts[self._part]) - self._at)
            self._at += step
            aside -= step
        return text

    def _turn(self) -> None:
        """Goes on to the next record where this one has ended."""
        while self._at == len(self._parts[self._part]):
            self._part = self._part + 1
            self._at = 0
            if self._part == len(self._parts):
                raise IndexError

    def _fixed(self, size: int) -> bytes:
        """Returns bytes that stand in one record."""
        self._turn()
        raw = self._parts[self._part][self._at : self._at + size]
        self._at += size
        if len(raw) < size:
            raise IndexError
        return raw

    def _marks(self, number: int, *, wide: bool) -> str:
        """Returns the marks of one text, in as many records as they take."""
        units = list[bytes]()
        while number:
            if self._at == len(self._parts[self._part]):
                wide = bool(self._fixed(1)[0] & 1)
                continue
            size = 2 if wide else 1
            available = min(number, (len(self._parts[self._part]) - self._at) // size)
            if not available:
                raise IndexError  # half a mark
            raw = self._fixed(available * size)
            units.append(raw if wide else raw.decode("latin-1").encode("utf-16-le"))
            number -= available
        return b"".join(units).decode("utf-16-le", "surrogatepass")


def sheets(piece: FilePiece) -> list[WorkbookSheet]:
    """Lists the sheets of rows in the order of their tabs."""
    tabs = _book(piece).tabs
    return [
        _sheet(piece, title, start, place, hidden=hidden)
        for place, (title, start, hidden) in enumerate(tabs, start=1)
    ]


def _sheet(piece: FilePiece, title: str, start: int, place: int, *, hidden: bool) -> WorkbookSheet:
    def walked(wanted: frozenset[int] | None, tally: RowTally) -> Iterator[tuple[int, Cells]]:
        lines = XlsRows(piece.name, wanted, tally)
        try:
            for row, column, text in _values(_book(piece), start):
                yield from lines.put(row, column, text)
        except BROKEN:
            raise damage_error(piece.name) from None
        yield from lines.rest()

    def top(until: int) -> Iterator[tuple[int, Cells]]:
        return takewhile(lambda row: row[0] <= until, walked(None, RowTally()))

    def merged() -> list[Range]:
        try:
            return _ranges(_book(piece), start)
        except BROKEN:
            raise damage_error(piece.name) from None

    return WorkbookSheet(title, place, hidden, top, walked, merged)


def _book(piece: FilePiece) -> XlsWorkbook:
    """Reads what the sheets of a workbook share."""
    name = piece.name
    try:
        container = Compound(_whole_number(piece))
        names = container.names()
        if "encryptedpackage" in names:
            raise _locked(name)
        if "workbook" in names:
            book = XlsWorkbook(name, container.stream("workbook"))
            for kind, parts in _records(book, 0, _GLOBALS):
                _share(book, kind, parts)
            return book
    except BROKEN:
        raise damage_error(name) from None
    if "book" in names:
        raise _old(name)
    raise BadInput(
        f"survey: {printable_name(name)} is no workbook; save its table as .xlsx or CSV and give"
        " that"
    )


def _share(book: XlsWorkbook, kind: int, parts: list[bytes]) -> None:
    """Notes one record of what sheets share."""
    data = parts[0]
    if kind == _LOCKED:
        raise _locked(book.name)
    if kind == _DATES:
        book.since_1904 = data[:2] == b"\1\0"
    elif kind == _FORMAT:
        number = struct.unpack_from("<H", data)[0]
        code = Texts(parts, 2).next()
        if book.formats.setdefault(number, code) != code:
            raise IndexError
    elif kind == _STYLE:
        book.styles.append(struct.unpack_from("<2xH", data)[0])
    elif kind == _SHARED:
        if book.texts:
            raise IndexError
        book.texts = parts
    elif kind == _TAB:
        start, hidden, shape, size = struct.unpack_from("<IBBB", data)
        book.starts.add(start)
        if shape == 0:  # others are charts and macros
            title = Texts([struct.pack("<H", size) + data[7:]], 0).next()
            book.tabs.append((title, start, bool(hidden & 3)))


def _records(book: XlsWorkbook, at: int, shape: int) -> Iterator[tuple[int, list[bytes]]]:
    """Yields the records from a beginning to its end, each with those that continue it; what begins
    in between, such as a chart, is passed over. Behind the end of a sheet nothing stands but what
    the list of sheets names.
    """
    stream = book.stream
    kind, version, begun = struct.unpack_from("<H2xHH", stream, at)
    if kind == _BEGIN and version != VERSION:
        raise _old(book.name)
    if kind != _BEGIN or begun != shape:
        raise IndexError
    parts = list[bytes]()
    deep = 0
    while True:
        following, length = _HEAD.unpack_from(stream, at)
        data = stream[at + 4 : at + 4 + length]
        at += 4 + length
        if len(data) < length:
            raise IndexError
        if following == _CONTINUE:
            parts.append(data)
            continue
        if deep == 1:
            yield kind, parts
        deep += (following == _BEGIN) - (following == _END)
        if not deep:
            if shape == _WORKSHEET and at not in book.starts and stream[at:].strip(b"\0"):
                raise IndexError
            return
        kind = following
        parts = [data]


class CellTexts:
    """Turns a cell's record into a text, by its own type and style."""

    def __init__(self, book: XlsWorkbook) -> None:
        self._kinds = book.kinds()
        self._shared = book.shared()
        self._since_1904 = book.since_1904
        self._ways: dict[int, Callable[[list[bytes]], str]] = {
            _SHARES: self._shared_text,
            _NUMBER: lambda parts: self._number(
                _style(parts[0]), _DOUBLE.unpack_from(parts[0], 6)[0]
            ),
            _SHORT: lambda parts: self._number(_style(parts[0]), _short(parts[0], 6)),
            _TEXT: lambda parts: Texts(parts, 6).next(),
            _RICH_TEXT: lambda parts: Texts(parts, 6).next(),
            _TRUTH: lambda parts: "" if parts[0][7] else _truth(parts[0][6]),
            _FORMULA: self._formula,
        }

    def text(self, kind: int, parts: list[bytes]) -> str | None:
        """Returns the text of a cell's record; None if this is none that may hold a value."""
        way = self._ways.get(kind)
        return None if way is None else way(parts)

    def row_of_numbers(self, data: bytes) -> Iterator[Value]:
        """Yields the cells of a record of several short numbers."""
        row, column = struct.unpack_from("<HH", data)
        cell_count, left = divmod(len(data) - 6, 6)
        if (
            left
            or cell_count < 1
            or column + cell_count - 1 != struct.unpack_from("<H", data, len(data) - 2)[0]
        ):
            raise IndexError
        for at in range(cell_count):
            style = _style(data, 4 + 6 * at)
            yield row + 1, column + 1 + at, self._number(style, _short(data, 6 + 6 * at))

    def _shared_text(self, parts: list[bytes]) -> str:
        index = struct.unpack_from("<I", parts[0], 6)[0]
        return self._shared[index] if index < len(self._shared) else ""

    def _number(self, style: int, value: float) -> str:
        kind = self._kinds[style] if style < len(self._kinds) else ""
        text = repr(value)
        return date_text(text, kind, since_1904=self._since_1904) if kind else number_text(text)

    def _formula(self, parts: list[bytes]) -> str:
        """Returns the number or truth that is saved with a formula; an error, and a text that
        does not follow, is nothing.
        """
        data = parts[0]
        if data[12:14] != b"\xff\xff":
            return self._number(_style(data), _DOUBLE.unpack_from(data, 6)[0])
        return _truth(data[8]) if data[6] == 1 else ""


def _values(book: XlsWorkbook, start: int) -> Iterator[Value]:
    """Yields the cells of a sheet that may hold something; a formula's text stands in a record
    of its own behind it.
    """
    texts = CellTexts(book)
    formula: tuple[int, int] | None = None
    for kind, parts in _records(book, start, _WORKSHEET):
        if kind == _ITS_TEXT and formula is not None:
            yield (*formula, Texts(parts, 0).next())
            formula = None
        elif kind == _SHORTS:
            formula = None
            yield from texts.row_of_numbers(parts[0])
        elif (text := texts.text(kind, parts)) is not None:
            row, column = struct.unpack_from("<HH", parts[0])
            waits = kind == _FORMULA and parts[0][6] == 0 and parts[0][12:14] == b"\xff\xff"
            formula = (row + 1, column + 1) if waits else None
            if not waits:
                yield row + 1, column + 1, text


def _style(data: bytes, at: int = 4) -> int:
    return int(struct.unpack_from("<H", data, at)[0])


class XlsRows:
    """Gathers cells to rows; each must stand behind the last."""

    def __init__(self, name: str, wanted: frozenset[int] | None, tally: RowTally) -> None:
        self._name = name
        self._wanted = wanted
        self._tally = tally
        self._row = self._column = 0
        self._cells = Cells()
        self._any = False

    def put(self, row: int, column: int, text: str) -> list[tuple[int, Cells]]:
        """Puts a cell into its row, and returns the row that it ends, if any."""
        if column > MOST_WIDE:
            raise BadInput(
                f"survey: {printable_name(self._name)} claims more than an .xls can hold; open it"
                " in a"
                " spreadsheet program and save it again"
            )
        ended = list[tuple[int, Cells]]()
        if row > self._row:
            ended = self.rest()
            self._row = row
            self._column = 0
        if row < self._row or column <= self._column:
            raise order_error(self._name)
        self._column = column
        if text:
            self._any = True
            if self._wanted is None or column in self._wanted:
                self._cells[column] = text
        return ended

    def rest(self) -> list[tuple[int, Cells]]:
        """Returns the row gathered so far, if it holds anything."""
        ended = [(self._row, self._cells)] if self._any else []
        if self._any:
            self._tally.add(self._row)
        self._cells = Cells()
        self._any = False
        return ended


def _short(data: bytes, at: int) -> float:
    """Returns a number kept in four bytes: a whole one or the upper half of a double, either in
    hundredths or not.
    """
    bits = struct.unpack_from("<i", data, at)[0]
    value: float = (
        bits >> 2 if bits & 2 else _DOUBLE.unpack(bytes(4) + struct.pack("<i", bits & ~3))[0]
    )
    return value / 100 if bits & 1 else value


def _truth(byte: int) -> str:
    return "true" if byte else "false"


def _ranges(book: XlsWorkbook, start: int) -> list[Range]:
    """Returns the merged ranges of a sheet."""
    ranges = list[Range]()
    for kind, parts in _records(book, start, _WORKSHEET):
        if kind == _MERGED:
            number = struct.unpack_from("<H", parts[0])[0]
            for at in range(number):
                top, bottom, left, right = struct.unpack_from("<4H", parts[0], 2 + 8 * at)
                add_range(ranges, (top + 1, bottom + 1, left + 1, right + 1), book.name)
    return ranges


def _whole_number(piece: FilePiece) -> bytes:
    held = io.BytesIO()
    with piece.open() as stream:
        for chunk in unpack_bounded(piece, stream):
            held.write(chunk)
            if held.tell() > MOST:
                raise BadInput(
                    f"survey: {printable_name(piece.name)} is larger than an .xls can be; save it"
                    " as .xlsx"
                    " and give that"
                )
    return held.getvalue()


def _locked(name: str) -> BadInput:
    return BadInput(
        f"survey: {printable_name(name)} is locked with a password; save it without one and give"
        " that"
    )


def _old(name: str) -> BadInput:
    return BadInput(
        f"survey: {printable_name(name)} was saved as Excel 95 or older did; open it in a"
        " spreadsheet"
        " program and save it as .xlsx"
    )
