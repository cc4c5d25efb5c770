"""What a path is: one file, an archive, a folder of parts; told by first bytes, and asked where there is a choice."""

import gzip
import io
import os
import zipfile
from collections.abc import Callable
from typing import IO, BinaryIO, cast

from dpmap.errors import BadInput, SystemFailed
from dpmap.survey import documents, layers, tables
from dpmap.survey.formats import recognise
from dpmap.survey.sources import Source, listed, shown
from dpmap.survey.tables import Piece, plain_file

MOST_MEMBERS = 10_000
BESIDE = ("readme", "license", "licence", "rights", "citation", "citations", "metadata", "terms", "recommended", "bcrcodes",
          "usfwscodes", "ibacodes", "states", "codes", "manifest")  # fmt: skip
_VECTOR = (".shp", ".gpkg", ".geojson", ".fgb", ".kml", ".gpx", ".gml", ".gdb", ".sqlite")
_TABLES = (".csv", ".tsv", ".txt", ".tab")
_OFFER = "give CSV, TSV, Parquet, GeoPackage, shapefile, GeoJSON, FlatGeobuf, GPX, KML, or a .zip or .gz of one"


def open_path(
    path: str, *, layer: str | None, columns: tuple[str, ...] | None = None, encoding: str | None = None
) -> Source:
    """The source behind a file or folder."""
    name = os.path.basename(path.rstrip("/")) or path
    if not os.path.exists(path):
        raise BadInput(f"survey: there is no file {shown(name)}; check the path")
    if not os.access(path, os.R_OK):
        raise SystemFailed(f"survey: no right to read {shown(name)}; check its permissions")
    if os.path.isdir(path):
        if name.lower().endswith(".gdb"):
            return layers.vector(path, name, layer)
        return _folder(path, name, layer, columns, encoding)
    if not os.path.isfile(path):
        raise BadInput(f"survey: {shown(name)} is not a file; give a file or a folder")
    if os.path.getsize(path) == 0:
        raise BadInput(f"survey: {shown(name)} is empty; export it again, with its header line")
    return _file(path, name, layer, columns, encoding)


def _file(path: str, name: str, layer: str | None, columns: tuple[str, ...] | None, encoding: str | None) -> Source:
    """One file, by its first bytes."""
    with open(path, "rb") as stream:
        magic = stream.read(64)
    if magic.startswith(b"PAR1"):
        if layer is not None:
            raise BadInput(f"--layer: {shown(name)} has no layers; leave it out")
        return layers.parquet([path], name)
    if magic.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _archive(path, name, layer, columns, encoding)
    if magic.startswith(b"\x1f\x8b"):
        return _gzipped(path, name, layer, columns, encoding)
    if magic.startswith((b"SQLite format 3\0", b"fgb\x03", b"\0\0\x27\x0a")):
        return layers.vector(path, name, layer)
    source = _by_text(plain_file(path), path, layer, columns, encoding)
    if layer is not None and source.prepare is not None:
        raise BadInput(f"--layer: {shown(name)} has no layers; leave it out")
    return source


def _by_text(
    piece: Piece, gdal: str, layer: str | None, columns: tuple[str, ...] | None, encoding: str | None
) -> Source:
    """A text file: XML and JSON by their roots, else a table; `gdal` is the path GDAL reads it by."""
    head = piece.head()
    start = head[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    wide = head[:2] in (b"\xff\xfe", b"\xfe\xff")
    if start.startswith(b"<") or (wide and head[2:4].strip(b"\0") == b"<"):
        return _xml(piece, head, gdal, layer)
    if start[:1] in (b"{", b"["):
        return _json(piece, head, gdal, layer)
    if head.startswith(
        (b"PAR1", b"PK\x03\x04", b"\x1f\x8b", b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"\x7fELF", b"\xd0\xcf\x11\xe0")
    ):
        raise BadInput(f"survey: {shown(piece.name)} is of no kind dpmap reads there; {_OFFER}")
    return tables.table([piece], columns=columns, encoding=encoding)


def _xml(piece: Piece, head: bytes, gdal: str, layer: str | None) -> Source:
    root = documents.xml_root(head, piece.name)
    if root in ("patrol", "patrols"):
        return documents.smart_patrols(piece)
    if root in ("gpx", "kml", "FeatureCollection"):
        return layers.vector(gdal, piece.name, layer)
    raise BadInput(f"survey: {shown(piece.name)} is XML of no kind dpmap reads; {_OFFER}")


def _json(piece: Piece, head: bytes, gdal: str, layer: str | None) -> Source:
    """GeoJSON and its kin go to GDAL; other JSON is a list of records."""
    marks = (b'"FeatureCollection"', b'"Feature"', b'"Topology"', b'"geometryType"', b'"spatialReference"')
    if any(mark in head for mark in marks):
        return layers.vector(gdal, piece.name, layer)
    return documents.json_records(piece, layer)


def _gzipped(path: str, name: str, layer: str | None, columns: tuple[str, ...] | None, encoding: str | None) -> Source:
    """A .gz file of text; a packed GeoJSON, GPX or KML is read by GDAL through its own unpacking."""
    inner = name[:-3] if name.lower().endswith(".gz") else name
    piece = _gzip_piece(path, inner)
    return _by_text(piece, f"/vsigzip/{os.path.abspath(path)}", layer, columns, encoding)


def _gzip_piece(path: str, name: str) -> Piece:
    return Piece(
        name, lambda: cast("BinaryIO", gzip.open(path, "rb")), packed=os.path.getsize(path)
    )  # its reader closes it


def _archive(path: str, name: str, layer: str | None, columns: tuple[str, ...] | None, encoding: str | None) -> Source:
    """A .zip or .kmz: a Darwin Core Archive, one layer, or one table in one or more files of the same header."""
    try:
        with zipfile.ZipFile(path) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise BadInput(
            f"survey: {shown(name)} is not a whole archive; it may be cut short, so copy or export it again"
        ) from None
    if len(infos) > MOST_MEMBERS:
        raise BadInput(f"survey: {shown(name)} holds more than {MOST_MEMBERS:,} files; unpack it and give one of them")
    if any(info.flag_bits & 1 for info in infos):
        raise BadInput(f"survey: {shown(name)} is locked with a password; unpack it and give the file inside")
    size = os.path.getsize(path)
    pieces = {info.filename: _member(path, info.filename, size) for info in infos}
    whole = os.path.abspath(path)
    inside = whole if "{" in whole or "}" in whole else f"{{{whole}}}"
    return _among(pieces, name, layer, columns, encoding, lambda member: f"/vsizip/{inside}/{member}")


def _member(path: str, member: str, size: int) -> Piece:
    def opened() -> BinaryIO:
        archive = zipfile.ZipFile(path)  # closed with its member
        try:
            return cast("BinaryIO", io.BufferedReader(_Closing(archive, archive.open(member))))
        except BaseException:
            archive.close()
            raise

    return Piece(os.path.basename(member) or member, opened, packed=max(1, size))


class _Closing(io.RawIOBase):
    """A member of an archive that closes the archive with itself."""

    def __init__(self, archive: zipfile.ZipFile, member: IO[bytes]) -> None:
        self._archive, self._member = archive, member

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "bytearray | memoryview") -> int:  # type: ignore[override]
        data = self._member.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._archive.close()
        super().close()


def _folder(path: str, name: str, layer: str | None, columns: tuple[str, ...] | None, encoding: str | None) -> Source:
    """A folder: a Darwin Core Archive, shards of one table, or a choice."""
    found: dict[str, Piece] = {}
    for base, folders, files in os.walk(path):
        folders[:] = sorted(one for one in folders if not one.startswith((".", "_")))
        for file in sorted(files):
            full = os.path.join(base, file)
            if not file.startswith((".", "_")) and os.path.isfile(full) and os.path.getsize(full):
                found[os.path.relpath(full, path)] = plain_file(full)
        if len(found) > MOST_MEMBERS:
            raise BadInput(f"survey: the folder {shown(name)} holds more than {MOST_MEMBERS:,} files; give one of them")
    parquet = [piece for piece in found.values() if _magic(piece).startswith(b"PAR1")]
    if parquet and layer is None and len(parquet) == len(found):
        return layers.parquet([piece.path for piece in parquet if piece.path], name)
    if layer is None and not any(os.path.basename(member) == "meta.xml" for member in found):
        _check_no_strays(found, name)
    return _among(found, name, layer, columns, encoding, lambda member: os.path.join(path, member))


def _check_no_strays(found: dict[str, Piece], name: str) -> None:
    """Refuses a folder in which one table or layer lies among other files: which one is meant must be said."""
    chosen = _candidates(found, name, None)
    stem = os.path.splitext(chosen[0])[0]
    others = [one for one in found if one != chosen[0] and not one.startswith(f"{stem}.")]
    if len(chosen) == 1 and any(not os.path.basename(one).lower().startswith(BESIDE) for one in others):
        raise BadInput(f"survey: {shown(name)} is a folder of several files; give one of them, like {shown(chosen[0])}")


def _magic(piece: Piece) -> bytes:
    with piece.open() as stream:
        return stream.read(4)


def _among(
    pieces: dict[str, Piece], name: str, layer: str | None, columns: tuple[str, ...] | None, encoding: str | None,
    gdal: Callable[[str], str],
) -> Source:  # fmt: skip
    """The one survey among the members of an archive or folder."""
    by_base = {os.path.basename(member): member for member in pieces}
    meta = by_base.get("meta.xml")
    if meta is not None and layer is None:
        return documents.darwin_core_archive(pieces[meta], _finder(pieces, os.path.dirname(meta)))
    chosen = _candidates(pieces, name, layer)
    inner = layer if layer is not None and not any(_names(member, layer) for member in pieces) else None
    if len(chosen) == 1:
        return _one(chosen[0], pieces[chosen[0]], inner, columns, encoding, gdal)
    parts = [pieces[member] for member in chosen]
    if all(member.lower().endswith((*_TABLES, ".gz")) for member in chosen):
        told = [tables.sniff(_opened(part), columns=columns, encoding=encoding) for part in parts]
        if all(dialect.columns == told[0].columns for dialect in told):
            return tables.source_of([(_opened(part), dialect) for part, dialect in zip(parts, told, strict=True)])
        known = [member for member, dialect in zip(chosen, told, strict=True) if recognise(dialect.columns)]
        if len(known) == 1:
            return _one(known[0], pieces[known[0]], None, columns, encoding, gdal)
    raise BadInput(f"survey: {shown(name)} holds several files ({listed(tuple(chosen))}); add --layer NAME")


def _opened(piece: Piece) -> Piece:
    """A shard that may itself be packed with gzip."""
    if piece.path is None or _magic(piece)[:2] != b"\x1f\x8b":
        return piece
    return _gzip_piece(piece.path, piece.name)


def _finder(pieces: dict[str, Piece], folder: str) -> Callable[[str], Piece | None]:
    """Members by the name meta.xml gives them: beside it, and nowhere else."""

    def find(location: str) -> Piece | None:
        return pieces.get(os.path.join(folder, os.path.basename(location)) if folder else os.path.basename(location))

    return find


def _names(member: str, layer: str) -> bool:
    base = os.path.basename(member)
    return layer in (member, base, os.path.splitext(base)[0])


def _candidates(pieces: dict[str, Piece], name: str, layer: str | None) -> list[str]:
    """The members that may be the survey: the one asked for, else all but those that accompany a data set."""
    asked = [member for member in pieces if layer is not None and _names(member, layer)]
    if asked:
        layered = [
            member for member in asked if member.lower().endswith((*_VECTOR, *_TABLES, ".json", ".xml", ".parquet"))
        ]
        return layered or asked
    readable = [
        member
        for member in pieces
        if member.lower().endswith((*_VECTOR, *_TABLES, ".json", ".xml", ".gz", ".parquet", ".pq"))
        and not os.path.basename(member).startswith(".")
        and "__MACOSX" not in member
    ]
    data = [one for one in readable if not os.path.basename(one).lower().startswith(BESIDE)] or readable
    if not data:
        raise BadInput(f"survey: {shown(name)} holds no file dpmap reads; {_OFFER}")
    placed = [one for one in data if one.lower().endswith(_VECTOR)]
    return placed or data


def _one(
    member: str, piece: Piece, layer: str | None, columns: tuple[str, ...] | None, encoding: str | None,
    gdal: Callable[[str], str],
) -> Source:  # fmt: skip
    if member.lower().endswith((".shp", ".gpkg", ".fgb", ".sqlite")):
        return layers.vector(gdal(member), piece.name, layer)
    if member.lower().endswith((".parquet", ".pq")):
        if piece.path is None:
            raise BadInput(f"survey: {shown(piece.name)} is Parquet inside an archive; unpack it and give the file")
        return layers.parquet([piece.path], piece.name)
    source = _by_text(_opened(piece), gdal(member), layer, columns, encoding)
    if layer is not None and source.prepare is not None:
        raise BadInput(f"--layer: there is no file or layer of that name; {shown(member)} is the one to name, or none")
    return source
