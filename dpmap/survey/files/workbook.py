"""Opens one sheet of a workbook: .xlsx, .xlsm, .ods and .xls.

The schema is the sheet's header row and nothing below it: every column is text, and each cell
becomes one by itself. Which sheet is meant is told by the workbook's list of sheets, or by the
steward, never by what a sheet holds.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from dpmap.errors import BadInput, SeveralTables
from dpmap.survey.files import ods, xls, xlsx
from dpmap.survey.files.compound_file import SIGNATURE
from dpmap.survey.files.records import Row, stream_rows
from dpmap.survey.files.tables import Cut, FilePiece, is_headless
from dpmap.survey.files.workbook_cells import Range, check_merged, fill_header
from dpmap.survey.files.workbook_sheet import RowTally, WorkbookSheet
from dpmap.survey.sources import Schema, Source, distinct, list_columns, printable_name

if TYPE_CHECKING:
    import pyarrow as pa

ENDINGS = (".xlsx", ".xlsm", ".xls", ".ods")
KIND = "workbook"
OLD = SIGNATURE
"""The first bytes of an .xls, and of an .xlsx with a password."""
_OWN = re.compile(
    r"(xl|docProps|_rels|customXml|docMetadata|META-INF|Configurations2|Thumbnails|Pictures|"
    r"Object[^/]*)/.*"
)
"""The folders of a workbook's own parts."""
_OWN_FILES = ("content.xml", "styles.xml", "meta.xml", "settings.xml", "[Content_Types].xml")
Members = Callable[[FilePiece], dict[str, FilePiece]]


def is_one(members: dict[str, FilePiece]) -> bool:
    """Whether the members of a zip are the parts of a workbook."""
    return "content.xml" in members or any(member.startswith("xl/workbook") for member in members)


def is_own(member: str, kind: str) -> bool:
    """Whether a member of this kind may be a part of a workbook: in its folders are XML,
    pictures and workbooks within it.
    """
    return member in _OWN_FILES or (
        _OWN.fullmatch(member) is not None
        and (kind == "workbook" or member.lower().endswith(".xml"))
    )


def source(pieces: list[FilePiece], members: Members, sheet: str | None, declared: Cut) -> Source:
    """Opens the sheet that is meant in a workbook, or in several as parts of one table: they
    must have one header.
    """
    parts = [_open_sheet(piece, members, sheet, declared) for piece in pieces]
    headers = [names for _, names in parts]
    usual = max(headers, key=headers.count)
    if odd := [piece.name for piece, names in zip(pieces, headers, strict=True) if names != usual]:
        raise BadInput(
            f"survey: {list_columns(tuple(odd[:5]))} has another header than other files; all"
            " parts of a"
            " survey have one header, so add --layer NAME, or take away what does not belong to it"
        )
    above = 0 if declared.columns is not None else declared.header_row

    def over(some: list[WorkbookSheet]) -> Source:
        return Source(
            usual,
            stream=lambda wanted: _stream(some, usual, above, wanted),
            text=Schema(usual, "declared" if declared.columns is not None else "header", KIND),
        )

    whole = over([one for one, _ in parts])
    return (
        whole
        if len(parts) == 1
        else replace(whole, cut=lambda _: [over([one]) for one, _ in parts])
    )


def _open_sheet(
    piece: FilePiece, members: Members, named: str | None, declared: Cut
) -> tuple[WorkbookSheet, tuple[str, ...]]:
    """Returns the sheet that is meant, and its column names."""
    if piece.head(4) == OLD:
        sheets = xls.sheets(piece)
    else:
        parts = members(piece)
        sheets = (xlsx if any(part.startswith("xl/") for part in parts) else ods).sheets(
            parts, piece.name
        )
    sheet = _choose_sheet(sheets, named, piece.name)
    ranges = sheet.merged()
    if declared.columns is not None:
        header = 0
        columns = declared.columns
    else:
        header = declared.header_row
        columns = _header(sheet, declared.header_row, ranges, piece.name)
    check_merged(ranges, header, columns, piece.name)
    return sheet, columns


def _choose_sheet(sheets: list[WorkbookSheet], named: str | None, name: str) -> WorkbookSheet:
    """Returns the sheet with this name, or in this place; where none is named, the only one that
    is not hidden.
    """
    offer = ", ".join(
        f"{sheet.place} {printable_name(sheet.name)}{' (hidden)' if sheet.hidden else ''}"
        for sheet in sheets[:40]
    )
    if not sheets:
        raise BadInput(f"survey: {printable_name(name)} holds no sheet of rows; export it again")
    if named is None:
        seen = [sheet for sheet in sheets if not sheet.hidden] or sheets
        if len(seen) == 1:
            return seen[0]
        several = (
            f"survey: {printable_name(name)} has several sheets ({offer}); add --sheet NAME, or its"
            " number"
        )
        raise SeveralTables(several, "--sheet", _told_apart(seen))
    same = [sheet for sheet in sheets if sheet.name == named] or [
        sheet for sheet in sheets if _folded(sheet.name) == _folded(named)
    ]
    if not same:
        same = [sheet for sheet in sheets if str(sheet.place) == named.strip()]
    if not same:
        raise BadInput(f"--sheet: {printable_name(name)} has no sheet of that name; it has {offer}")
    if len(same) > 1:
        places = " and ".join(str(one.place) for one in same[:40])
        raise BadInput(
            f"--sheet: {printable_name(name)} has several sheets of that name; write which by its"
            " number:"
            f" {places}"
        )
    return same[0]


def _told_apart(sheets: list[WorkbookSheet]) -> list[str]:
    """Lists what `--sheet` takes for each sheet: its name, or its number where others have that
    name too.
    """
    names = [sheet.name for sheet in sheets]
    return [sheet.name if names.count(sheet.name) == 1 else str(sheet.place) for sheet in sheets]


def _folded(name: str) -> str:
    return name.strip().casefold()


def _header(sheet: WorkbookSheet, number: int, ranges: list[Range], name: str) -> tuple[str, ...]:
    """Returns the column names that the header row holds, judging by that row alone and what is
    merged into it.
    """
    above = [range_ for range_ in ranges if range_[0] <= number]
    cells = fill_header(number, dict(sheet.top(number)), above)
    names = {column: text.strip() for column, text in cells.items() if text.strip()}
    if not names:
        raise BadInput(
            f"survey: row {number} of {printable_name(name)} holds no names; say which row does"
            " with"
            " --header-row N, or name the columns with --columns"
        )
    fields = [names.get(column, "") for column in range(1, max(names) + 1)]
    if is_headless(fields):
        raise BadInput(
            f"survey: row {number} of {printable_name(name)} holds numbers, no names; say which"
            " row holds"
            " the names with --header-row N, or name the columns with --columns A,B,C"
        )
    return tuple(distinct(fields))


def _stream(
    sheets: list[WorkbookSheet], names: tuple[str, ...], header: int, wanted: list[str]
) -> "AbstractContextManager[pa.RecordBatchReader]":
    """Opens a reader over the rows below the header, each by itself; as many must come out as
    the sheets were found to hold.
    """
    columns = {place: name for place, name in enumerate(names, start=1) if name in set(wanted)}
    tally = RowTally(header)
    rows = chain.from_iterable(_below(sheet, columns, tally) for sheet in sheets)
    return stream_rows(rows, wanted, lambda: tally.rows)


def _below(sheet: WorkbookSheet, columns: dict[int, str], tally: RowTally) -> Iterator[Row]:
    for number, cells in sheet.rows(frozenset(columns), tally):
        if number > tally.header:
            yield {name: value for place, name in columns.items() if (value := cells.get(place))}
