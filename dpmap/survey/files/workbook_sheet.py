"""Describes one sheet of a workbook, whatever file holds it, and reads parts of XML without end."""

import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from xml.parsers import expat

from dpmap.errors import BadInput, DpmapError
from dpmap.survey.files.tables import FilePiece, unpack_bounded
from dpmap.survey.files.workbook_cells import Cells, Range
from dpmap.survey.sources import printable_name

DAMAGED = "breaks off or is damaged inside; open it in a spreadsheet program and save it again"
BROKEN = (
    expat.ExpatError,
    LookupError,
    ValueError,
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
)
"""What a damaged part of a workbook makes the readers of zips and XML raise."""


@dataclass(slots=True)
class RowTally:
    """Counts the rows below a header that a reader has come to the end of."""

    header: int = 0
    rows: int = 0

    def add(self, first: int, times: int = 1) -> None:
        """Counts a row that stands there so many times, from the `first` on.

        >>> tally = RowTally(header=2)
        >>> tally.add(1); tally.add(2, 4)
        >>> tally.rows
        3
        """
        self.rows += max(0, times - max(0, self.header - first + 1))


@dataclass(frozen=True, slots=True)
class WorkbookSheet:
    """Holds a sheet's name, its place among the tabs, and ways to read it: the rows down to one,
    all rows with the columns asked for, counted as they end, and the merged ranges. Rows are
    numbered as spreadsheet programs show them; those without a value are passed over.
    """

    name: str
    place: int
    hidden: bool
    top: Callable[[int], Iterator[tuple[int, Cells]]]
    rows: Callable[[frozenset[int], RowTally], Iterator[tuple[int, Cells]]]
    merged: Callable[[], list[Range]]


def parse_part(piece: FilePiece, parser: Any) -> Iterator[None]:
    """Parses a part of a workbook, yielding after each stretch; refuses one that is not well
    formed.
    """
    try:
        with piece.open() as stream:
            for chunk in unpack_bounded(piece, stream):
                parser.Parse(chunk, False)
                yield
            parser.Parse(b"", True)
            yield
    except DpmapError:
        raise
    except BROKEN:
        raise damage_error(piece.name) from None


def damage_error(name: str) -> BadInput:
    """Returns the refusal of a workbook that is not whole."""
    return BadInput(f"survey: {printable_name(name)} {DAMAGED}")


def order_error(name: str) -> BadInput:
    """Returns the refusal of rows or cells that do not stand in their order, or in another's
    place.
    """
    return BadInput(
        f"survey: rows or cells of {printable_name(name)} do not stand in their order; open it in a"
        " spreadsheet program and save it again"
    )


def mentions(piece: FilePiece, word: bytes) -> bool:
    """Whether a word may stand anywhere in a part; yes where its bytes are not those of ASCII."""
    if piece.head(2) in (b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<"):
        return True
    tail = b""
    try:
        with piece.open() as stream:
            for chunk in unpack_bounded(piece, stream):
                tail += chunk
                if word in tail:
                    return True
                tail = tail[-len(word) :]
    except DpmapError:
        raise
    except BROKEN:
        raise damage_error(piece.name) from None
    return False
