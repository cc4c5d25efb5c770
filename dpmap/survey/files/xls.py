"""Reads the sheets of old Excel files, .xls, with calamine.

That library holds a whole sheet, and trusts what a file says of its sizes; an .xls has at most 65,536 rows of 256 columns, so the
file's records are walked first, and one that claims more than that is refused.
"""

import io
import struct
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Any

from dpmap.errors import BadInput
from dpmap.survey.files.cells import Cells, Range, checked, clock_text, number_text
from dpmap.survey.files.sheets import DAMAGED, Sheet
from dpmap.survey.files.tables import Piece, unpacked
from dpmap.survey.sources import shown

MOST = 256 << 20
"""Bytes of the largest .xls: one whose rows and columns are all filled takes less."""
MOST_ROWS, MOST_WIDE = 1 << 16, 1 << 8
_LAST, _FREE = 0xFFFFFFFA, 0xFFFFFFFF
_CELLS = frozenset((2, 3, 4, 5, 6, 0x201, 0x203, 0x204, 0x205, 0x206, 0x406, 0x27E, 0xFD, 0xD6, 0xBD, 0xBE))
"""Records of BIFF that begin with a row and a column."""
_SEVERAL = {0xBD: 6, 0xBE: 2}
"""Records of several cells, and the bytes of each."""
_LOCKED, _SIZES, _TEXTS = 0x2F, (0x00, 0x200), 0xFC


def sheets(piece: Piece) -> list[Sheet]:
    """Lists the sheets of rows in the order of their tabs."""
    raw, name = _whole(piece), piece.name
    try:
        streams = _streams(raw)
        if "EncryptedPackage" in streams:
            raise _locked(name)
        books = [stream for title, stream in streams.items() if title.lower() in ("workbook", "book")]
        if not books:
            raise BadInput(f"survey: {shown(name)} is no workbook; save its table as .xlsx or CSV and give that")
        for book in books:
            _check(book, name)
    except (struct.error, IndexError):
        raise _damaged(name) from None
    book = _opened(raw, name)
    found = [(at, one) for at, one in enumerate(book.sheets_metadata) if str(one.typ).endswith("WorkSheet")]
    return [
        _sheet(piece, one.name, at, place, hidden=not str(one.visible).endswith(".Visible"))
        for place, (at, one) in enumerate(found, start=1)
    ]


def _sheet(piece: Piece, title: str, at: int, place: int, *, hidden: bool) -> Sheet:
    def held() -> Any:
        book = _opened(_whole(piece), piece.name)
        return _tried(lambda: book.get_sheet_by_index(at), piece.name)

    def top(until: int) -> Iterator[tuple[int, Cells]]:
        return ((number, cells) for number, cells in rows(None) if number <= until)

    def rows(wanted: frozenset[int] | None) -> Iterator[tuple[int, Cells]]:
        sheet = held()
        _, left = sheet.start or (0, 0)  # it lists rows from the top of the sheet, cells from the first column in use
        for number, row in enumerate(sheet.iter_rows(), start=1):
            if any(value != "" for value in row):
                told = {
                    place: _text(value)
                    for place, value in enumerate(row, start=left + 1)
                    if wanted is None or place in wanted
                }
                yield number, {place: text for place, text in told.items() if text}

    def merged() -> list[Range]:
        found = held().merged_cell_ranges or []
        return checked(
            [(top + 1, bottom + 1, left + 1, right + 1) for (top, left), (bottom, right) in found], piece.name
        )

    return Sheet(title, place, hidden, top, rows, merged)


def _text(value: Any) -> str:
    """Writes a value as a text, by itself."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return number_text(repr(value))
    if isinstance(value, timedelta):
        return clock_text(round(value.total_seconds())) if value >= timedelta(0) else ""
    if isinstance(value, datetime):
        return (
            (value + timedelta(microseconds=500_000)).replace(microsecond=0).isoformat()
            if value.year < 9999
            else value.isoformat()
        )
    return (
        value.isoformat()
        if isinstance(value, date)
        else value.replace(microsecond=0).isoformat()
        if isinstance(value, time)
        else ""
    )


def _whole(piece: Piece) -> bytes:
    held = io.BytesIO()
    with piece.open() as stream:
        for chunk in unpacked(piece, stream):
            held.write(chunk)
            if held.tell() > MOST:
                raise BadInput(
                    f"survey: {shown(piece.name)} is larger than an .xls can be; save it as .xlsx and give that"
                )
    return held.getvalue()


def _opened(raw: bytes, name: str) -> Any:
    from python_calamine import CalamineWorkbook

    return _tried(lambda: CalamineWorkbook.from_filelike(io.BytesIO(raw)), name)


def _tried(act: Any, name: str) -> Any:
    """Calls calamine; whatever it raises, a panic too, is one line."""
    from python_calamine import PasswordError

    try:
        return act()
    except PasswordError:
        raise _locked(name) from None
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException:  # noqa: BLE001  # a panic is no Exception
        raise _damaged(name) from None


def _locked(name: str) -> BadInput:
    return BadInput(f"survey: {shown(name)} is locked with a password; save it without one and give that")


def _damaged(name: str) -> BadInput:
    return BadInput(f"survey: {shown(name)} {DAMAGED}")


def _streams(raw: bytes) -> dict[str, bytes]:
    """Returns the streams of a compound file by their names, each no longer than the file."""
    size = 1 << struct.unpack_from("<H", raw, 0x1E)[0] if raw[0x1E:0x20] in (b"\x09\0", b"\x0c\0") else 0
    if not size:
        raise IndexError
    table = _table(raw, size)
    first, cutoff, small = struct.unpack_from("<I", raw, 0x30)[0], *struct.unpack_from("<II", raw, 0x38)
    listing = _chained(raw, size, size, table, first)
    entries = [listing[at : at + 128] for at in range(0, len(listing) - 127, 128)]
    found, minis = dict[str, bytes](), b""
    little = (
        struct.unpack(f"<{len(raw_small) // 4}I", raw_small)
        if (raw_small := _chained(raw, size, size, table, small))
        else ()
    )
    for entry in entries:
        (start, length), kind = struct.unpack_from("<II", entry, 0x74), entry[0x42]
        title = entry[: max(0, min(64, struct.unpack_from("<H", entry, 0x40)[0] - 2))].decode("utf-16-le", "replace")
        if kind == 5:
            minis = _chained(raw, size, size, table, start)
        elif kind == 2:
            whole = (
                _chained(raw, size, size, table, start) if length >= cutoff else _chained(minis, 64, 0, little, start)
            )
            if length > len(whole):
                raise IndexError
            found[title] = whole[:length]
    return found


def _table(raw: bytes, size: int) -> tuple[int, ...]:
    """Returns the list that says which sector follows which."""
    sectors = [one for one in struct.unpack_from("<109I", raw, 0x4C) if one < _LAST]
    following, seen = struct.unpack_from("<I", raw, 0x44)[0], set[int]()
    while following < _LAST and following not in seen:
        seen.add(following)
        *more, following = struct.unpack_from(f"<{size // 4}I", raw, (following + 1) * size)
        sectors += [one for one in more if one < _LAST]
    if len(sectors) * size > len(raw):
        raise IndexError
    return tuple(one for sector in sectors for one in struct.unpack_from(f"<{size // 4}I", raw, (sector + 1) * size))


def _chained(raw: bytes, size: int, first: int, table: "tuple[int, ...]", sector: int) -> bytes:
    """Joins the sectors of one chain, which has no loops."""
    parts, left = list[bytes](), len(table)
    while sector < _LAST:
        if left < 0:
            raise IndexError
        parts.append(raw[first + sector * size : first + (sector + 1) * size])
        sector, left = table[sector], left - 1
    return b"".join(parts)


def _check(stream: bytes, name: str) -> None:
    """Walks a stream's records: none may lie beyond what an .xls holds, or claim more texts than there are bytes."""
    at = 0
    while at + 4 <= len(stream):
        kind, length = struct.unpack_from("<HH", stream, at)
        data = stream[at + 4 : at + 4 + length]
        at += 4 + length
        if kind == _LOCKED:
            raise _locked(name)
        if kind in _CELLS and len(data) >= 4:
            many = (len(data) - 6) // _SEVERAL[kind] if kind in _SEVERAL else 1
            beyond = struct.unpack_from("<H", data, 2)[0] + many > MOST_WIDE
        elif kind in _SIZES:
            rows = struct.unpack_from("<II" if len(data) >= 14 else "<HH", data + bytes(8))[1]
            wide = struct.unpack_from("<H", (data + bytes(14))[10 if len(data) >= 14 else 6 :])[0]
            beyond = rows > MOST_ROWS or wide > MOST_WIDE
        else:
            beyond = kind == _TEXTS and len(data) >= 8 and struct.unpack_from("<I", data, 4)[0] > len(stream)
        if beyond:
            raise BadInput(
                f"survey: {shown(name)} claims more than an .xls can hold; open it in a spreadsheet program and save it again"
            )
