"""What a path is: one file, an archive, a folder of parts; told by first bytes, and asked where there is a choice."""

import glob
import gzip
import io
import os
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, BinaryIO, cast

from dpmap.errors import BadInput, DpmapError, SystemFailed
from dpmap.survey import documents, layers, parquet, remote, tables
from dpmap.survey.formats import recognise
from dpmap.survey.sources import Source, listed, shown
from dpmap.survey.tables import Piece, plain_file, unpacked

MOST_MEMBERS = 10_000
MOST_HELD = 256 << 20
DEEPEST = 2
"""An archive may hold an archive; that one may not."""
BESIDE = ("readme", "license", "licence", "rights", "citation", "citations", "metadata", "terms", "recommended", "bcrcodes",
          "usfwscodes", "ibacodes", "birdlifekbacodes", "states", "codes", "manifest", "headings")  # fmt: skip
_VECTOR = (".shp", ".gpkg", ".geojson", ".fgb", ".kml", ".gpx", ".gml", ".gdb", ".sqlite")
_TABLES = (".csv", ".tsv", ".txt", ".tab")
_PARQUET = (".parquet", ".pq")
_ARCHIVES = (".zip", ".kmz", ".tar")
_OFFER = "give CSV, TSV, Parquet, GeoPackage, shapefile, GeoJSON, FlatGeobuf, GPX, KML, or a .zip or .gz of one"
_FOREIGN = (
    b"%PDF",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"\x7fELF",
    b"7z\xbc\xaf",
    b"Rar!",
    b"BZh",
    b"\xfd7zXZ",
    b"\x28\xb5\x2f\xfd",
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the steward named: a layer or member, the columns of a file without a header, an encoding."""

    layer: str | None = None
    columns: tuple[str, ...] | None = None
    encoding: str | None = None


def open_path(
    path: str, *, layer: str | None, columns: tuple[str, ...] | None = None, encoding: str | None = None
) -> Source:
    """The source behind a file or folder."""
    name, asked = os.path.basename(path.rstrip("/")) or path, Asked(layer, columns, encoding)
    if not os.path.exists(path):
        return _matching(path, name, asked)
    _check_readable(path, name)
    if os.path.isdir(path):
        if name.lower().endswith(".gdb"):
            return layers.vector(path, name, layer)
        return _folder(path, name, asked)
    if not os.path.isfile(path):
        raise BadInput(f"survey: {shown(name)} is not a file; give a file or a folder")
    if os.path.getsize(path) == 0:
        raise BadInput(f"survey: {shown(name)} is empty; export it again, with its header line")
    return _file(path, name, asked)


def open_address(
    address: str, *, layer: str | None, columns: tuple[str, ...] | None = None, encoding: str | None = None
) -> Source:
    """The source behind the objects or the page of an address: tables and Parquet, packed or not."""
    asked = Asked(layer, columns, encoding)

    def gather(pieces: dict[str, Piece], name: str) -> Source:
        (piece, *more) = pieces.values()
        if not more and _is_archive(piece.head(512)):
            with piece.open() as whole:
                size = whole.seek(0, os.SEEK_END)
            return _archive(piece.open, name, size, layers.AFAR, asked, 1)
        if not more and piece.head(4) == b"PAR1":
            return parquet.packed([piece], name)
        return _among(pieces, name, asked, lambda member: f"{layers.AFAR}/{member}", 0)

    return remote.open_remote(address, gather)


def _check_readable(path: str, name: str) -> None:
    if not os.access(path, os.R_OK):
        raise SystemFailed(f"survey: no right to read {shown(name)}; check its permissions")


def _file(path: str, name: str, asked: Asked) -> Source:
    """One file, by its first bytes."""
    piece, gdal = plain_file(path), os.path.abspath(path)
    magic = piece.head(512)
    if magic.startswith(b"PAR1"):
        if asked.layer is not None:
            raise BadInput(f"--layer: {shown(name)} has no layers; leave it out")
        return parquet.plain([path], name)
    if magic.startswith((b"SQLite format 3\0", b"fgb\x03", b"\0\0\x27\x0a")):
        return layers.vector(path, name, asked.layer)
    if _is_archive(magic):
        return _archive(lambda: path, name, os.path.getsize(path), gdal, asked, 1)
    if magic.startswith(b"\x1f\x8b"):
        return _by_text(_ungzipped(piece), f"/vsigzip/{gdal}", asked)
    source = _by_text(piece, path, asked)
    if asked.layer is not None and source.prepare is not None:
        raise BadInput(f"--layer: {shown(name)} has no layers; leave it out")
    return source


def _is_archive(magic: bytes) -> bool:
    return magic.startswith((b"PK\x03\x04", b"PK\x05\x06")) or magic[257:262] == b"ustar"


def _by_text(piece: Piece, gdal: str, asked: Asked) -> Source:
    """A text file: XML and JSON by their roots, else a table; `gdal` is the path GDAL reads it by."""
    head = piece.head()
    start = head[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    wide = head[:2] in (b"\xff\xfe", b"\xfe\xff")
    if start.startswith(b"<") or (wide and head[2:4].strip(b"\0") == b"<"):
        return _xml(piece, head, gdal, asked.layer)
    if start[:1] in (b"{", b"["):
        return _json(piece, head, gdal, asked.layer)
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        raise BadInput(f"survey: {shown(piece.name)} is an old Excel file; save its sheet as CSV UTF-8 and give that")
    if head.startswith(_FOREIGN) or head.startswith((b"PAR1", b"\x1f\x8b")) or _is_archive(head):
        raise BadInput(f"survey: {shown(piece.name)} is of no kind dpmap reads there; {_OFFER}")
    return tables.table([piece], columns=asked.columns, encoding=asked.encoding)


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


def _ungzipped(piece: Piece) -> Piece:
    """What a .gz holds, its packed size remembered."""
    name = piece.name[:-3] if piece.name.lower().endswith(".gz") else piece.name
    size = os.path.getsize(piece.path) if piece.path is not None else piece.packed

    def opened() -> BinaryIO:
        outer = piece.open()
        return cast("BinaryIO", io.BufferedReader(_Closing(outer, gzip.GzipFile(fileobj=outer))))

    return Piece(name, opened, packed=max(1, size))


def _archive(reach: "Callable[[], Any]", name: str, size: int, gdal: str, asked: Asked, depth: int) -> Source:
    """A .zip, .kmz or .tar: a Darwin Core Archive, one layer, or one table in one or more files of the same header.

    `reach` gives what the archive is read from, a path or its bytes; `size` is that of the outermost one.
    """
    whole = gdal if "{" in gdal or "}" in gdal else f"{{{gdal}}}"
    try:
        zipped = zipfile.is_zipfile(reach())
        pieces = (_zip_members if zipped else _tar_members)(reach, name, size)
    except DpmapError:
        raise
    except (zipfile.BadZipFile, tarfile.TarError, OSError, ValueError, NotImplementedError):
        raise BadInput(
            f"survey: {shown(name)} is not a whole archive; it may be cut short, so copy or export it again"
        ) from None
    if {"xl/workbook.xml", "xl/workbook.bin"} & set(pieces) or "content.xml" in pieces:
        raise BadInput(f"survey: {shown(name)} is a spreadsheet; save its sheet as CSV UTF-8 and give that")
    if depth > DEEPEST:
        raise BadInput(f"survey: {shown(name)} is an archive in an archive in an archive; unpack it and give the file")
    return _among(pieces, name, asked, lambda member: f"/vsi{'zip' if zipped else 'tar'}/{whole}/{member}", depth)


def _zip_members(reach: "Callable[[], Any]", name: str, size: int) -> dict[str, Piece]:
    with zipfile.ZipFile(reach()) as archive:
        infos = [info for info in archive.infolist() if not info.is_dir()]
    _check_members(len(infos), name)
    if any(info.flag_bits & 1 for info in infos):
        raise BadInput(f"survey: {shown(name)} is locked with a password; unpack it and give the file inside")

    def opener(info: zipfile.ZipInfo) -> Callable[[], BinaryIO]:
        return lambda: _opened(zipfile.ZipFile(reach()), lambda archive: archive.open(info.filename))

    return {
        info.filename: Piece(_base(info.filename), opener(info), packed=max(1, size), declared=info.file_size)
        for info in infos
    }


def _tar_members(reach: "Callable[[], Any]", name: str, size: int) -> dict[str, Piece]:
    def archive() -> tarfile.TarFile:
        held = reach()
        return tarfile.open(held, "r:") if isinstance(held, str) else tarfile.open(fileobj=held, mode="r:")

    with archive() as found:
        infos = [info for info in found.getmembers() if info.isreg()]
    _check_members(len(infos), name)

    def opener(info: tarfile.TarInfo) -> Callable[[], BinaryIO]:
        return lambda: _opened(archive(), lambda whole: whole.extractfile(info))

    return {info.name: Piece(_base(info.name), opener(info), packed=max(1, size), declared=info.size) for info in infos}


def _check_members(many: int, name: str) -> None:
    if many > MOST_MEMBERS:
        raise BadInput(f"survey: {shown(name)} holds more than {MOST_MEMBERS:,} files; unpack it and give one of them")


def _base(member: str) -> str:
    return os.path.basename(member) or member


def _opened(archive: Any, member: "Callable[[Any], Any]") -> BinaryIO:
    """A member as a stream that closes its archive with itself."""
    try:
        return cast("BinaryIO", io.BufferedReader(_Closing(archive, member(archive))))
    except BaseException:
        archive.close()
        raise


class _Closing(io.RawIOBase):
    """A member of an archive that closes the archive with itself."""

    def __init__(self, archive: Any, member: Any) -> None:
        self._archive, self._member = archive, member

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return bool(self._member.seekable())

    def seek(self, offset: int, whence: int = 0, /) -> int:
        return int(self._member.seek(offset, whence))

    def readinto(self, buffer: "bytearray | memoryview") -> int:  # type: ignore[override]
        data = self._member.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._member.close()
        self._archive.close()
        super().close()


def _matching(pattern: str, name: str, asked: Asked) -> Source:
    """The files that a pattern such as `part-*.parquet` names, as shards of one table."""
    files = [file for file in sorted(glob.glob(pattern, recursive=True)) if os.path.isfile(file)]
    if not files:
        raise BadInput(f"survey: there is no file {shown(name)}; check the path")
    if len(files) > MOST_MEMBERS:
        raise BadInput(f"survey: {shown(name)} names more than {MOST_MEMBERS:,} files; name fewer")
    for file in files:
        _check_readable(file, os.path.basename(file))
    return _among({file: plain_file(file) for file in files}, name, asked, str, 0)


def _folder(path: str, name: str, asked: Asked) -> Source:
    """A folder: a Darwin Core Archive, shards of one table, or a choice."""
    found: dict[str, Piece] = {}
    for base, folders, files in os.walk(path):
        folders[:] = sorted(one for one in folders if not one.startswith((".", "_")))
        for file in sorted(files):
            full = os.path.join(base, file)
            if not file.startswith((".", "_")) and os.path.isfile(full):
                if not os.path.getsize(full):
                    _check_no_lost_shard(file)
                    continue
                _check_readable(full, file)
                found[os.path.relpath(full, path)] = plain_file(full)
        if len(found) > MOST_MEMBERS:
            raise BadInput(f"survey: the folder {shown(name)} holds more than {MOST_MEMBERS:,} files; give one of them")
    if asked.layer is None and not any(os.path.basename(member) == "meta.xml" for member in found):
        _check_no_strays(found, name)
    return _among(found, name, asked, lambda member: os.path.join(path, member), 0)


def _check_no_lost_shard(file: str) -> None:
    """Refuses a file of nothing that is called Parquet: those are never empty, so an export broke off there."""
    if file.lower().endswith(_PARQUET):
        raise BadInput(f"survey: {shown(file)} is empty; its export broke off, so export it again or take it away")


def _check_no_strays(found: dict[str, Piece], name: str) -> None:
    """Refuses a folder in which one table or layer lies among other files: which one is meant must be said."""
    chosen = _candidates(found, name, None)
    stem = os.path.splitext(chosen[0])[0]
    others = [one for one in found if one != chosen[0] and not one.startswith(f"{stem}.")]
    if len(chosen) == 1 and any(not os.path.basename(one).lower().startswith(BESIDE) for one in others):
        raise BadInput(f"survey: {shown(name)} is a folder of several files; give one of them, like {shown(chosen[0])}")


def _among(pieces: dict[str, Piece], name: str, asked: Asked, gdal: Callable[[str], str], depth: int) -> Source:
    """The one survey among the members of an archive or folder."""
    by_base = {os.path.basename(member): member for member in pieces}
    meta = by_base.get("meta.xml")
    if meta is not None and asked.layer is None:
        return documents.darwin_core_archive(pieces[meta], _finder(pieces, os.path.dirname(meta)))
    chosen = _candidates(pieces, name, asked.layer)
    named = any(_names(member, asked.layer) for member in pieces)
    asked = replace(asked, layer=None) if named else asked
    if len(chosen) == 1:
        return _one(chosen[0], pieces[chosen[0]], asked, gdal, depth)
    parts = [pieces[member] for member in chosen]
    if all(_is_parquet(member, pieces[member]) for member in chosen):
        return parquet.packed(parts, name)
    if all(member.lower().endswith((*_TABLES, ".gz")) for member in chosen):
        plain = [_unpacked(part) for part in parts]
        told = [tables.sniff(part, columns=asked.columns, encoding=asked.encoding) for part in plain]
        if all(dialect.columns == told[0].columns for dialect in told):
            return tables.source_of(list(zip(plain, told, strict=True)))
        _check_no_odd_one([part.name for part in parts], [dialect.columns for dialect in told])
        known = [member for member, dialect in zip(chosen, told, strict=True) if recognise(dialect.columns)]
        if len(known) == 1:
            return _one(known[0], pieces[known[0]], asked, gdal, depth)
    raise BadInput(f"survey: {shown(name)} holds several files ({listed(tuple(chosen))}); add --layer NAME")


def _check_no_odd_one(names: list[str], headers: list[tuple[str, ...]]) -> None:
    """Refuses a few shards among many that have another header than all the rest, by name."""
    usual = max(headers, key=headers.count)
    odd = [name for name, header in zip(names, headers, strict=True) if header != usual]
    if 10 * len(odd) <= len(names):
        raise BadInput(
            f"survey: {listed(tuple(odd))} has another header than the other {len(names) - len(odd):,} files; it may be "
            "damaged, so export it again or take it away"
        )


def _unpacked(piece: Piece) -> Piece:
    """A shard that may itself be packed with gzip."""
    return _ungzipped(piece) if piece.head(2) == b"\x1f\x8b" else piece


def _finder(pieces: dict[str, Piece], folder: str) -> Callable[[str], Piece | None]:
    """Members by the name meta.xml gives them: beside it, and nowhere else."""

    def find(location: str) -> Piece | None:
        return pieces.get(os.path.join(folder, os.path.basename(location)) if folder else os.path.basename(location))

    return find


def _names(member: str, layer: str | None) -> bool:
    base = os.path.basename(member)
    return layer is not None and layer in (member, base, os.path.splitext(base)[0])


def _is_parquet(member: str, piece: Piece) -> bool:
    """By its name, or by its first bytes where the name tells nothing (GBIF's `occurrence.parquet/000000`)."""
    base = os.path.basename(member).lower()
    return base.endswith(_PARQUET) or ("." not in base and piece.head(4) == b"PAR1")


def _candidates(pieces: dict[str, Piece], name: str, layer: str | None) -> list[str]:
    """The members that may be the survey: the one asked for, else all but those that accompany a data set."""
    told = (*_VECTOR, *_TABLES, *_PARQUET, ".json", ".xml", ".gz", *_ARCHIVES)
    named = [member for member in pieces if _names(member, layer)]
    if named:
        return [member for member in named if member.lower().endswith(told)] or named
    readable = [
        member
        for member, piece in pieces.items()
        if (member.lower().endswith(told) or _is_parquet(member, piece))
        and not os.path.basename(member).startswith(".")
        and "__MACOSX" not in member
    ]
    data = [one for one in readable if not os.path.basename(one).lower().startswith(BESIDE)] or readable
    if not data:
        raise BadInput(f"survey: {shown(name)} holds no file dpmap reads; {_OFFER}")
    placed = [one for one in data if one.lower().endswith(_VECTOR)]
    plain = [one for one in data if not one.lower().endswith(_ARCHIVES)]
    return placed or plain or data


def _one(member: str, piece: Piece, asked: Asked, gdal: Callable[[str], str], depth: int) -> Source:
    """One member of an archive or folder, by its name and first bytes."""
    if member.lower().endswith((".shp", ".gpkg", ".fgb", ".sqlite")):
        return layers.vector(gdal(member), piece.name, asked.layer)
    if _is_parquet(member, piece):
        return parquet.packed([piece], piece.name)
    if _is_archive(piece.head(512)):
        reach = (lambda: piece.path) if piece.path is not None else (lambda: _held(piece))
        size = os.path.getsize(piece.path) if piece.path is not None else piece.packed
        return _archive(reach, piece.name, size, gdal(member), asked, depth + 1)
    text = _unpacked(piece)
    source = _by_text(text, gdal(member) if text is piece else f"/vsigzip/{gdal(member)}", asked)
    if asked.layer is not None and source.prepare is not None:
        raise BadInput(f"--layer: there is no file or layer of that name; {shown(member)} is the one to name, or none")
    return source


def _held(piece: Piece) -> io.BytesIO:
    """An archive inside an archive, in memory."""
    held = io.BytesIO()
    with piece.open() as stream:
        for chunk in unpacked(piece, stream):
            held.write(chunk)
            if held.tell() > MOST_HELD:
                raise BadInput(f"survey: {shown(piece.name)} is a large archive in an archive; unpack the outer one")
    held.seek(0)
    return held
