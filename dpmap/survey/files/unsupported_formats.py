"""Calls files that dpmap cannot read by their name, and says the way out: told by first bytes, as
whoever made them wrote them.

What is packed by gzip, bzip2 or xz is looked into a few bytes deep. Nothing a record holds is
looked at: each of these forms begins with a mark that no text table, JSON or XML has.
"""

import bz2
import lzma
import re
import zlib
from collections.abc import Callable

from dpmap.errors import BadInput
from dpmap.survey.sources import printable_name

_TABLE = "save its table as CSV (UTF-8) there and give that"
_LAYER = "save its layer as a GeoPackage in QGIS, or with: ogr2ogr survey.gpkg FILE"
_R = (
    "an R data file; in R: write.csv(x, 'survey.csv', row.names = FALSE), or for sf:"
    " sf::st_write(x, 'survey.gpkg')"
)
_UNPACK = "unpack it and give the file inside"

_PROJECT = "a QGIS project, which only points at its layers; give the layer's own file"

_KNOWN = (
    (rb"RD[AX][23]\n|[XB]\n\0\0\0[\x02\x03]\0", _R),
    (rb"\$FL[23]@\(#\)", f"an SPSS file; {_TABLE}"),
    (rb"<stata_dta>|[\x69-\x73][\x01\x02]\x01\0", f"a Stata file; {_TABLE}"),
    (rb"\0{12}\xc2\xea\x81\x60|HEADER RECORD\*{7}LIB", f"a SAS file; {_TABLE}"),
    (rb"\0\x01\0\0Standard (?:Jet|ACE) DB", f"an Access database; {_TABLE}"),
    (rb"!table\r?\n!version", f"a MapInfo file; {_LAYER}"),
    (rb"(?i:version) +\d+\r?\n(?i:charset) ", f"a MapInfo file; {_LAYER}"),
    (
        rb"\x89HDF\r\n|CDF[\x01\x02\x05]",
        "an HDF5 or netCDF file; save its points as CSV and give that",
    ),
    (
        rb"ARROW1\0\0",
        "an Arrow (Feather) file; save it as Parquet, in pandas: x.to_parquet('survey.parquet')",
    ),
    (
        rb"\x80[\x02-\x05][c}\]\x95(]",
        "a Python pickle, which is never opened; in pandas: x.to_parquet('survey.parquet')",
    ),
    (rb"(?:\xef\xbb\xbf)?(?:<\?xml[^>]*>\s*)?<(?:!DOCTYPE )?qgis\b", _PROJECT),
    (rb"%PDF-", "a PDF, which holds no table; ask for the data as CSV"),
    (rb"\x89PNG|\xff\xd8\xff|II\*\0|MM\0\*", "a picture; survey points stand in tables or layers"),
    (rb"\x7fELF|MZ\x90", "a program, not a survey"),
    (
        rb"7z\xbc\xaf\x27\x1c|Rar!\x1a\x07|\x28\xb5\x2f\xfd",
        f"an archive dpmap does not open; {_UNPACK}",
    ),
)
"""What the first bytes of a form are, what it is called, and what to do instead."""

_DBASE = tuple(
    bytes([version]) for version in (0x02, 0x03, 0x30, 0x31, 0x32, 0x83, 0x8B, 0xF5, 0xFB)
)


def refuse(magic: bytes, name: str) -> None:
    """Refuses a file whose first bytes are those of a known form that dpmap does not read;
    packed ones are looked into.
    """
    for start in (magic, _unpacked(magic)):
        for mark, words in _KNOWN:
            if re.match(mark, start):
                raise _called(name, words)
    low = name.lower()
    if magic.startswith((b"BZh", b"\xfd7zXZ\0")):
        raise _called(
            name,
            _R if low.endswith((".rds", ".rda", ".rdata")) else f"packed by bzip2 or xz; {_UNPACK}",
        )
    if low.endswith(".dbf") and magic[:1] in _DBASE and 1 <= magic[2] <= 12 and 1 <= magic[3] <= 31:
        raise _called(
            name,
            "the table of a shapefile; give the .shp beside it, or save the table as CSV (UTF-8)",
        )


def refuse_members(members: list[str], name: str) -> None:
    """Refuses an archive that is one document, a QGIS project or a text, told by what all its
    members are called.
    """
    if members and all(re.fullmatch(r"[^/]+\.qg[sd]", member) for member in members):
        raise _called(name, _PROJECT)
    if {"word/document.xml", "[Content_Types].xml"} <= set(members):
        raise _called(name, f"a Word document; {_TABLE}")


def _called(name: str, words: str) -> BadInput:
    return BadInput(f"survey: {printable_name(name)} is {words}")


def _unpacked(magic: bytes) -> bytes:
    """Returns the first bytes inside a packed file, empty where there are none yet."""
    ways: tuple[tuple[bytes, Callable[[], bytes]], ...] = (
        (b"\x1f\x8b", lambda: zlib.decompressobj(31).decompress(magic, 64)),
        (b"BZh", lambda: bz2.BZ2Decompressor().decompress(magic, 64)),
        (b"\xfd7zXZ\0", lambda: lzma.LZMADecompressor(memlimit=256 << 20).decompress(magic, 64)),
    )
    try:
        return next((act() for mark, act in ways if magic.startswith(mark)), b"")
    except (OSError, EOFError, zlib.error, lzma.LZMAError):
        return b""
