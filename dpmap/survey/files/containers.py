"""Tells whether a path is one file, an archive or a folder of parts, and calls the reader for it.

A file is told by its own first bytes or its header, and by nothing that a record holds; in an
archive or folder no part decides what becomes of another.
"""

import glob
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from dpmap.errors import BadInput, MissingFile, SeveralTables, SystemFailed
from dpmap.plain_file import check_plain
from dpmap.survey.files import (
    darwin_core,
    json_records,
    layers,
    parquet,
    partitions,
    records,
    remote,
    tables,
    unsupported_formats,
    workbook,
    xml_records,
)
from dpmap.survey.files.archives import (
    DEEPEST,
    MOST_MEMBERS,
    check_no_pack,
    is_archive,
    members_of,
    ungzip,
    ungzip_by_name,
)
from dpmap.survey.files.records import Kind
from dpmap.survey.files.tables import Cut, FilePiece, plain_file
from dpmap.survey.sources import EVERY, Source, list_columns, parts_name, printable_name, together

BESIDE = (
    "readme",
    "license",
    "licence",
    "rights",
    "citation",
    "citations",
    "metadata",
    "terms",
    "recommended",
    "bcrcodes",
    "usfwscodes",
    "ibacodes",
    "birdlifekbacodes",
    "states",
    "codes",
    "manifest",
    "headings",
    "verbatim",
    "multimedia",
    "eml.xml",
    "meta.xml",
)
_LAYERS = (".shp", ".gpkg", ".fgb", ".sqlite")
_RECORDS = (".geojson", ".geojsonl", ".json", ".jsonl", ".ndjson", ".kml", ".gpx", ".gml", ".xml")
_TABLES = (".csv", ".tsv", ".txt", ".tab")
_PARQUET = (".parquet", ".pq")
_ARCHIVES = (".zip", ".kmz", ".tar")
_ENDINGS = (*_LAYERS, *_RECORDS, *_TABLES, *_PARQUET, *_ARCHIVES, *workbook.ENDINGS, ".gz")
_ROOTS = ("patrol", "patrols", "gpx", "kml", "FeatureCollection")
"""The roots of XML that holds records."""
_OFFER = (
    "give CSV, TSV, Excel, Parquet, GeoPackage, shapefile, GeoJSON, FlatGeobuf, GPX, KML, or a .zip"
    " or .gz of one"
)


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """Holds what the steward declared about a file: its layer or member, how its text is cut,
    its kind of records, its sheet.
    """

    layer: str | None = None
    text: Cut = field(default_factory=Cut)
    kind: Kind | None = None
    sheet: str | None = None


def kind_named(name: str) -> Kind | None:
    """Returns the kind of record file with this name, if there is one."""
    return {kind.name: kind for kind in (*json_records.KINDS, *xml_records.KINDS)}.get(name)


def kind_of_name(file: str) -> Kind | None:
    """Returns the kind that a file's name tells, such as `nests.geojson`; None for `.json`,
    which may hold two kinds.
    """
    plain = file.lower().removesuffix(".gz")
    endings = {
        ".geojson": "geojson",
        ".geojsonl": "geojsonl",
        ".jsonl": "jsonl",
        ".ndjson": "jsonl",
        ".kml": "kml",
        ".kmz": "kml",
        ".gpx": "gpx",
    }
    return kind_named(endings.get(os.path.splitext(plain)[1], ""))


def open_path(path: str, options: SourceOptions) -> Source:
    """Opens a file or folder and returns its source."""
    name = os.path.basename(path.rstrip("/")) or path
    if not os.path.exists(path):
        return _matching(path, name, options)
    _check_readable(path, name)
    if os.path.isdir(path):
        if name.lower().endswith(".gdb"):
            return layers.vector(path, name, options.layer)
        return _folder(path, name, options)
    check_plain(path, "survey")
    if os.path.getsize(path) == 0:
        raise BadInput(
            f"survey: {printable_name(name)} is empty; export it again, with its header line"
        )
    return _file(plain_file(path), options, 1)


def open_address(address: str, options: SourceOptions) -> Source:
    """Opens the objects or the page at an address: tables, records and Parquet, packed or not."""

    def gather(pieces: dict[str, FilePiece], name: str) -> Source:
        (member, piece), *more = pieces.items()
        if not more:
            values = partitions.partition_values(member)
            return partitions.add_columns(_file(piece, options, 1), values)
        return _open_members(pieces, name, options, 0)

    return remote.open_remote(address, gather)


def _check_readable(path: str, name: str) -> None:
    if not os.access(path, os.R_OK):
        raise SystemFailed(
            f"survey: no right to read {printable_name(name)}; check its permissions"
        )


def _file(
    piece: FilePiece, options: SourceOptions, depth: int, beside: dict[str, FilePiece] | None = None
) -> Source:
    """Opens one file: as a table if columns are declared, else by its first bytes, its own or its
    header's.

    `beside` are the files of a shapefile that lie beside it in an archive, by their endings.
    """
    low = piece.name.lower()
    magic = piece.head(512)
    unsupported_formats.refuse(magic, piece.name)
    if (
        options.text.columns is not None
        and options.kind is None
        and kind_of_name(low) is None
        and not low.endswith(_ARCHIVES + workbook.ENDINGS)
    ):
        text = ungzip(piece) if low.endswith(".gz") else piece
        check_no_pack(text.name, text.head(512))
        return _table(text, options)
    if is_archive(magic):
        return _archive(piece, options, depth)
    if magic.startswith(workbook.OLD):
        return _workbook([piece], options)
    if magic.startswith(b"PAR1"):
        _check_no_layer(piece, options)
        return parquet.open_packed_parquet([piece], piece.name)
    if magic.startswith((b"SQLite format 3\0", b"fgb\x03", b"\0\0\x27\x0a")):
        if piece.path is None:
            return layers.open_packed_layer(piece, beside or {}, options.layer)
        return layers.vector(os.path.abspath(piece.path), piece.name, options.layer)
    text = ungzip(piece) if magic.startswith(b"\x1f\x8b") else piece
    if options.kind is not None:
        return _records([text], options)
    return _by_text(text, options)


def record_pieces(path: str, layer: str | None) -> list[FilePiece]:
    """Returns the unpacked record files behind a path, for `guess` to look into."""
    name = os.path.basename(path.rstrip("/")) or path
    check_plain(path, "survey")
    if os.path.isfile(path):
        return _found_in(plain_file(path), layer, 1)
    if not os.path.isdir(path):
        return []
    pieces = _parts_of(path, name)
    return [
        piece
        for member, piece in pieces.items()
        if _part_kind(member, piece) == "records" and not _is_beside(member)
    ]


def _found_in(piece: FilePiece, layer: str | None, depth: int) -> list[FilePiece]:
    magic = piece.head(512)
    if is_archive(magic) and depth <= DEEPEST:
        members = members_of(piece)
        if workbook.is_one(members) or "meta.xml" in map(os.path.basename, members):
            return []
        chosen = [
            member
            for member in members
            if _part_kind(member, members[member]) and not _is_beside(member)
        ]
        named = [member for member in chosen if _names(member, layer)] or chosen
        return [
            one
            for member in named
            if _part_kind(member, members[member]) in ("records", "archive")
            for one in _found_in(members[member], layer, depth + 1)
        ]
    text = ungzip(piece) if magic.startswith(b"\x1f\x8b") else piece
    start = text.head(4096).lstrip(b"\xef\xbb\xbf \t\r\n")
    return [text] if start[:1] in (b"{", b"[", b"<") else []


def _check_no_layer(piece: FilePiece, options: SourceOptions) -> None:
    if options.layer is not None:
        raise BadInput(f"--layer: {printable_name(piece.name)} has no layers; leave it out")


def _table(piece: FilePiece, options: SourceOptions) -> Source:
    _check_no_layer(piece, options)
    return tables.table([piece], options.text)


def _workbook(pieces: list[FilePiece], options: SourceOptions) -> Source:
    _check_no_layer(pieces[0], options)
    return workbook.source(pieces, _workbook_members, options.sheet, options.text)


def _workbook_members(piece: FilePiece) -> dict[str, FilePiece]:
    """Returns the parts of a workbook; refuses other files beside them that dpmap reads, since
    whoever adds a workbook's parts to an archive of other people's files would hide those.
    """
    members = members_of(piece)
    kinds = {member: _part_kind(member, one) for member, one in members.items()}
    if any(
        kind and not workbook.is_own(member, kind) and not _is_beside(member)
        for member, kind in kinds.items()
    ):
        raise BadInput(
            f"survey: {printable_name(piece.name)} holds tables beside the parts of a workbook;"
            " give each by"
            " itself"
        )
    return members


def _records(pieces: list[FilePiece], options: SourceOptions) -> Source:
    """Opens files of a declared kind, whose columns must be declared too."""
    if options.kind is None or options.text.columns is None:
        raise _undeclared(pieces[0].name, options.kind.name if options.kind else "geojson")
    return records.source(pieces, options.kind, options.text.columns, options.layer)


def _undeclared(name: str, kind: str) -> BadInput:
    """Says what to type for a file whose records name their own fields, without repeating those
    names.
    """
    layer = " --layer waypoints" if kind == "gpx" else ""
    return BadInput(
        f"survey: the records of {printable_name(name)} name their own fields, so declare what is"
        " to be"
        f" read, like --format {kind}{layer} --columns who,date; type: dpmap init"
        f" {printable_name(name)},"
        " which looks into the file and writes it down"
    )


def _by_text(piece: FilePiece, options: SourceOptions) -> Source:
    """Opens a text file as XML, as JSON or as a table, by how it begins."""
    head = piece.head()
    start = head[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    wide = head[:2] in (b"\xff\xfe", b"\xfe\xff")
    if start.startswith(b"<") or (wide and head[2:4].strip(b"\0") == b"<"):
        return _xml(piece, head, options)
    if start[:1] in (b"{", b"["):
        named = kind_of_name(piece.name)
        raise _undeclared(piece.name, named.name if named else "json")
    if head.startswith(b"PAR1"):
        raise BadInput(
            f"survey: {printable_name(piece.name)} is of no kind dpmap reads there; {_OFFER}"
        )
    check_no_pack(piece.name, head)
    return _table(piece, options)


def _xml(piece: FilePiece, head: bytes, options: SourceOptions) -> Source:
    """Opens SMART's patrols, whose columns the format fixes; other XML must be declared."""
    root = xml_records.xml_root(head, piece.name)
    if root in ("patrol", "patrols"):
        _check_no_layer(piece, options)
        source = records.source([piece], xml_records.SMART, xml_records.SMART_COLUMNS, None)
        return replace(source, format=xml_records.SMART.title, sign=("patrol", "waypoints"))
    if root in ("gpx", "kml"):
        raise _undeclared(piece.name, root)
    if root == "FeatureCollection":
        raise BadInput(
            f"survey: {printable_name(piece.name)} is GML, which does not say what its columns"
            " hold; save it"
            " as a GeoPackage, in QGIS or with: ogr2ogr survey.gpkg FILE"
        )
    raise BadInput(f"survey: {printable_name(piece.name)} is XML of no kind dpmap reads; {_OFFER}")


def _archive(piece: FilePiece, options: SourceOptions, depth: int) -> Source:
    """Opens a .zip, .kmz or .tar: a Darwin Core Archive, one layer, or the parts of one table."""
    if depth > DEEPEST:
        raise BadInput(
            f"survey: {printable_name(piece.name)} is an archive in an archive in an archive;"
            " unpack it and"
            " give the file"
        )
    pieces = members_of(piece)
    if workbook.is_one(pieces):
        return _workbook([piece], options)
    unsupported_formats.refuse_members(list(pieces), piece.name)
    return _open_members(pieces, piece.name, options, depth)


def _sides(member: str, pieces: dict[str, FilePiece]) -> dict[str, FilePiece]:
    """Returns the files that are one layer with a shapefile in an archive, by their endings;
    refuses two of one ending.
    """
    sides = dict[str, FilePiece]()
    stem, ending = os.path.splitext(member)
    for other, piece in pieces.items() if ending.lower() == ".shp" else ():
        side = os.path.splitext(other)[1].lower()
        if os.path.splitext(other)[0] == stem and side in layers.SIDES:
            if side in sides:
                raise BadInput(
                    f"survey: beside {printable_name(member)} lie two files that end in {side};"
                    " take one"
                    " away"
                )
            sides[side] = piece
    return sides


def _matching(pattern: str, name: str, options: SourceOptions) -> Source:
    """Opens the files that match a pattern such as `part-*.parquet` as parts of one table."""
    files = [file for file in sorted(glob.glob(pattern, recursive=True)) if os.path.isfile(file)]
    if not files:
        raise MissingFile(f"survey: there is no file {printable_name(name)}; check the path")
    if len(files) > MOST_MEMBERS:
        raise BadInput(
            f"survey: {printable_name(name)} names more than {MOST_MEMBERS:,} files; name fewer"
        )
    for file in files:
        _check_readable(file, os.path.basename(file))
    fixed = re.split(r"[*?\[]", pattern, maxsplit=1)[0]
    base = os.path.dirname(fixed)
    pieces = {os.path.relpath(file, base or "."): plain_file(file) for file in files}
    return _open_members(pieces, name, options, 0)


def _folder(path: str, name: str, options: SourceOptions) -> Source:
    """Opens a folder: a Darwin Core Archive, the parts of one table, or the member that is asked
    for.
    """
    pieces = _parts_of(path, name)
    if options.layer is None and not any(
        os.path.basename(member) == "meta.xml" for member in pieces
    ):
        _check_no_strays(pieces, name)
    return _open_members(pieces, name, options, 0)


def _check_no_strays(pieces: dict[str, FilePiece], name: str) -> None:
    """Refuses a folder with one survey among files of other kinds: the steward must say which is
    meant.
    """
    parts = [
        member
        for member, piece in pieces.items()
        if _part_kind(member, piece) and not _is_beside(member)
    ]
    stem = os.path.splitext(parts[0])[0] if parts else ""
    others = [
        piece
        for piece in pieces
        if piece not in parts and not _is_beside(piece) and not piece.startswith(f"{stem}.")
    ]
    if len(parts) == 1 and others:
        raise BadInput(
            f"survey: {printable_name(name)} is a folder of several files; give one of them, like"
            f" {printable_name(parts[0])}"
        )


def _parts_of(path: str, name: str) -> dict[str, FilePiece]:
    """Lists the files of a folder and its subfolders, without hidden ones and empty tables."""
    pieces: dict[str, FilePiece] = {}
    for base, folders, files in os.walk(path):
        folders[:] = sorted(folder for folder in folders if not folder.startswith((".", "_")))
        for file in sorted(files):
            full = os.path.join(base, file)
            if not file.startswith((".", "_")) and os.path.isfile(full):
                if not os.path.getsize(full):
                    _check_no_lost_shard(file)
                    continue
                _check_readable(full, file)
                pieces[os.path.relpath(full, path)] = plain_file(full)
        if len(pieces) > MOST_MEMBERS:
            raise BadInput(
                f"survey: the folder {printable_name(name)} holds more than {MOST_MEMBERS:,}"
                " files; give one"
                " of them"
            )
    return pieces


def _check_no_lost_shard(file: str) -> None:
    """Refuses an empty file called Parquet: those are never empty, so an export broke off there."""
    if file.lower().endswith(_PARQUET):
        raise BadInput(
            f"survey: {printable_name(file)} is empty; its export broke off, so export it again or"
            " take it"
            " away"
        )


def _open_members(
    pieces: dict[str, FilePiece], name: str, options: SourceOptions, depth: int
) -> Source:
    """Opens the survey in an archive or folder: a Darwin Core Archive, the member asked for, or all
    its parts.

    A part may be one person's, so none decides which others are read, nor how: each is left out by
    its own name alone, and the rest must be of one kind and are each read by their own header, or
    the whole is refused (`several`).
    """
    metas = [member for member in pieces if os.path.basename(member) == "meta.xml"]
    if metas and options.layer is None and options.kind is None:
        return _darwin_core(pieces, metas, name)
    chosen, options = _choose_members(pieces, name, options)
    partitioned = partitions.check_partitions(chosen, name)
    if len(chosen) == 1:
        source = _file(pieces[chosen[0]], options, depth + 1, _sides(chosen[0], pieces))
        return partitions.add_columns(source, partitions.partition_values(chosen[0]))
    whole = _open_parts(chosen, pieces, name, options)
    if not partitioned:
        return whole
    return partitions.open_partitions(chosen, lambda some: _open_parts(some, pieces, name, options))


def _open_parts(
    chosen: list[str], pieces: dict[str, FilePiece], name: str, options: SourceOptions
) -> Source:
    """Opens members that are parts of one table, or refuses them."""
    kinds = {_part_kind(member, pieces[member]) for member in chosen}
    parts = [pieces[member] for member in chosen]
    if kinds == {"parquet"}:
        return parquet.open_packed_parquet(parts, name)
    if kinds == {"table"}:
        _check_no_layer(parts[0], options)
        return _shards([ungzip_by_name(part) for part in parts], options)
    if kinds == {"workbook"}:
        return _workbook(parts, options)
    if kinds == {"records"} and options.kind is not None:
        return _records([ungzip_by_name(part) for part in parts], options)
    raise SeveralTables(
        f"survey: {printable_name(name)} holds several files that are no parts of one table"
        f" ({_list_members(chosen)}); add --layer NAME, take away what does not belong to the"
        " survey, or name those that do one by one: dpmap release A B",
        "--layer",
        chosen,
    )


def _list_members(members: list[str]) -> str:
    """Lists members for a message, without folders that hold values of the survey."""
    names = [
        os.path.basename(member) if partitions.partition_values(member) else member
        for member in members
    ]
    return list_columns(tuple(dict.fromkeys(names)))


def _choose_members(
    pieces: dict[str, FilePiece], name: str, options: SourceOptions
) -> tuple[list[str], SourceOptions]:
    """Returns the members that make up the survey, and what is asked of them: the one that was
    named, or all that are parts.
    """
    parts = [
        member for member in pieces if _part_kind(member, pieces[member]) and not _is_beside(member)
    ]
    if named := [member for member in pieces if _names(member, options.layer)]:
        _check_no_layer_within(parts, named, pieces, options.layer or "")
        return [one for one in named if _part_kind(one, pieces[one])] or named, replace(
            options, layer=None
        )
    if options.layer is not None and options.layer.lower().endswith(_ENDINGS):
        raise BadInput(
            f"--layer: {printable_name(name)} holds no file {printable_name(options.layer)}; it has"
            f" {_list_members(parts)}"
        )
    if not parts:
        for piece in list(pieces.values())[:100]:
            unsupported_formats.refuse(piece.head(512), piece.name)
        raise BadInput(f"survey: {printable_name(name)} holds no file dpmap reads; {_OFFER}")
    return parts, options


def _check_no_layer_within(
    parts: list[str], chosen: list[str], pieces: dict[str, FilePiece], layer: str
) -> None:
    """Refuses a name without an ending that may be a file's, or a layer's in another file: else
    whoever adds a file of that name decides that the layer of others is not read. With its ending
    it is a file's, whatever layers are called.
    """
    others = [
        part
        for part in parts
        if part not in chosen and _part_kind(part, pieces[part]) not in ("table", "parquet")
    ]
    if others and not layer.lower().endswith(_ENDINGS):
        raise BadInput(
            f"--layer: {printable_name(layer)} may be"
            f" {printable_name(os.path.basename(chosen[0]))} or a layer in"
            f" {printable_name(os.path.basename(others[0]))}; write the file's whole name, like"
            " --layer"
            f" {printable_name(os.path.basename(chosen[0]))}, or give the one file that is meant"
        )


def _darwin_core(pieces: dict[str, FilePiece], metas: list[str], name: str) -> Source:
    """Opens a Darwin Core Archive, whose meta.xml must name every table."""
    if len(metas) > 1:
        raise BadInput(
            f"survey: {printable_name(name)} holds several meta.xml; give the one archive that is"
            " meant"
        )
    meta = pieces[metas[0]]
    folder = os.path.dirname(metas[0])
    named = darwin_core.files_of(meta)
    strays = [
        member
        for member, piece in pieces.items()
        if _part_kind(member, piece)
        and not _is_beside(member)
        and not _is_about(member, piece)
        and (os.path.dirname(member) != folder or os.path.basename(member) not in named)
    ]
    if strays:
        raise BadInput(
            f"survey: {printable_name(name)} holds a meta.xml that does not name all of its tables"
            f" ({_list_members(strays)}); add --layer NAME, or take away what does not"
            " belong to"
            " the survey"
        )
    return darwin_core.darwin_core_archive(meta, _finder(pieces, folder))


def _is_about(member: str, piece: FilePiece) -> bool:
    """Whether an XML file of a Darwin Core Archive only says something about it, as EML does, by
    its own root.
    """
    return (
        member.lower().endswith(".xml")
        and xml_records.xml_root(piece.head(), piece.name) not in _ROOTS
    )


def _shards(parts: list[FilePiece], options: SourceOptions) -> Source:
    """Opens the parts of one table: those with one header together, and each header by itself."""
    groups: dict[tuple[str, ...], list[tuple[FilePiece, tables.Dialect]]] = {}
    for part in parts:
        check_no_pack(part.name, part.head(512))
        dialect = tables.dialect_of(part, options.text)
        groups.setdefault(dialect.columns, []).append((part, dialect))
    return together(
        [
            replace(tables.source_of(some), name=parts_name([part.name for part, _ in some]))
            for some in sorted(groups.values(), key=len, reverse=True)
        ]
    )


def _finder(pieces: dict[str, FilePiece], folder: str) -> Callable[[str], FilePiece | None]:
    """Finds members by the names that meta.xml gives them, in its own folder only."""

    def find(location: str) -> FilePiece | None:
        return pieces.get(
            os.path.join(folder, os.path.basename(location))
            if folder
            else os.path.basename(location)
        )

    return find


def _names(member: str, layer: str | None) -> bool:
    """Whether a member is the one asked for; none is by `all`, which means the layers inside,
    whoever calls a member so.
    """
    base = os.path.basename(member)
    return layer not in (None, EVERY) and layer in (member, base, os.path.splitext(base)[0])


def _part_kind(member: str, piece: FilePiece) -> str:
    """Tells a member's kind by its own name: table, parquet, layer, records, workbook or archive;
    empty if it is none.

    A name without an ending tells nothing (GBIF's `occurrence.parquet/000000`): there its first
    bytes do.
    """
    base = os.path.basename(member).lower()
    plain = base.removesuffix(".gz")
    if base.endswith(_PARQUET) or ("." not in base and piece.head(4) == b"PAR1"):
        return "parquet"
    endings = (
        (_LAYERS, "layer"),
        (_RECORDS, "records"),
        (_ARCHIVES, "archive"),
        (workbook.ENDINGS, "workbook"),
    )
    for known, kind in endings:
        if plain.endswith(known):
            return kind
    return "table" if plain.endswith(_TABLES) or base.endswith(".gz") else ""


def _is_beside(member: str) -> bool:
    """Whether a member, by its own name, only accompanies a data set (a licence, a readme)."""
    base = os.path.basename(member).lower()
    return base.startswith((".", "_", *BESIDE)) or "__MACOSX" in member
