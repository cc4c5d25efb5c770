"""Reads Parquet: by DuckDB, or by pyarrow if it carries geometry (GeoParquet).

What a column is stands in each file's own description, also of columns inside others (`nested`). A
survey in several files is read only where all of them describe the same columns, types and
geometry: else the first would decide how the others are read.
"""

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dpmap.errors import BadInput, DpmapError
from dpmap.grid import crs as crs_tools
from dpmap.private_folder import private_folder
from dpmap.survey.files import nested_json
from dpmap.survey.files.sanitize import plain as plain_type
from dpmap.survey.files.sanitize import sound
from dpmap.survey.files.tables import FilePiece, check_unpacks, unpack_bounded
from dpmap.survey.sources import (
    Schema,
    Source,
    check_told_apart,
    file_literal,
    list_nameless,
    parts_name,
    printable_name,
    quote_column,
    together,
)

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

MOST_IN_A_PIECE = 1 << 22
ROW_NUMBER = "file_row_number"
"""What DuckDB calls a row's place in its Parquet file, and prunes row groups by."""


def plain(paths: list[str], name: str) -> Source:
    """Opens Parquet files: by DuckDB, or as a stream if they carry geometry (GeoParquet)."""
    return _open_files(
        paths, [os.path.basename(path) for path in paths] if len(paths) > 1 else [name], name
    )


def _open_files(paths: list[str], names: list[str], name: str) -> Source:
    """Opens one or more files, each with the name that messages use for it."""
    parts = [_described(path, one) for path, one in zip(paths, names, strict=True)]
    _check_types(parts)
    groups = _by_columns(parts)
    return together(
        [_open_alike(some, name if len(groups) == 1 else some[0].name) for some in groups]
    )


def _by_columns(parts: "list[_Part]") -> "list[list[_Part]]":
    """Groups files that have the same columns in the same order; each group is read by its own
    description.
    """
    groups: dict[tuple[str, ...], list[_Part]] = {}
    for part in parts:
        groups.setdefault(tuple(part.schema.names), []).append(part)
    return sorted(groups.values(), key=len, reverse=True)


def _check_types(parts: "list[_Part]") -> None:
    """Refuses files of different columns that give a column of one name different types, or
    describe another geometry.
    """
    seen: dict[str, tuple[str, _Part]] = {}
    for first, *_ in _by_columns(parts):
        if first.geometry != parts[0].geometry:
            raise _differs(first, parts[0], "describes another geometry or CRS than")
        for field in first.schema:
            kind = str(plain_type(field.type)).removeprefix("large_")
            known, other = seen.setdefault(field.name.lower(), (kind, first))
            if known != kind:
                raise _differs(
                    first, other, f"has another type in column {printable_name(field.name)} than"
                )


def _open_alike(parts: "list[_Part]", name: str) -> Source:
    """Opens files that describe the same columns."""
    _check_alike(parts)
    paths = [
        os.path.realpath(part.path) for part in parts
    ]  # a link that is turned meanwhile changes nothing
    schema = parts[0].schema
    source = replace(_source(parts[0], name), name=parts_name([part.name for part in parts]))
    if source.geometry is not None:
        columns = {column.name: column for column in parts[0].columns}

        def layer(some: list[_Part]) -> Source:
            return replace(
                source,
                stream=lambda wanted: nested_json.stream(
                    columns, wanted, lambda roots: _stream(some, schema, roots)
                ),
            )

        return replace(layer(parts), cut=lambda _: [layer([part]) for part in parts])
    files = ", ".join(file_literal(path) for path in paths)

    def cut(count: int) -> list[Source]:
        return [
            replace(source, sql=_flat(piece, parts[0]))
            for piece in _row_ranges(paths, source.columns, count)
        ]

    return replace(
        source,
        sql=_flat(f"read_parquet([{files}], {_how()})", parts[0]),
        cut=cut,
        files=tuple(paths),
    )


@dataclass(frozen=True, slots=True)
class _Part:
    """Holds what one file says of itself: its columns in Arrow's types and in Parquet's own, its
    geometry, and how many rows it has.
    """

    path: str
    name: str
    schema: "pa.Schema"
    own: "pq.ParquetSchema"
    geometry: tuple[str, str | None, str] | None
    rows: int

    @property
    def columns(self) -> tuple[nested_json.Column, ...]:
        """The columns that can be read, those inside others too; dates are kept within the range
        that can be written.
        """

        def mended(sql: str, kind: "pa.DataType", root: str) -> str:
            import pyarrow as pa

            if not pa.types.is_timestamp(kind):
                return ""
            if self.geometry is not None:  # read by pyarrow, and whole columns are mended there
                return datable(sql) if kind.unit != "ns" and sql != quote_column(root) else ""
            return datable(sql) if _reaches_far(self, root) else ""

        return nested_json.columns(self.schema, mended)


def _described(path: Any, name: str) -> _Part:
    """Reads the description at the end of a file; `path` may be an open file."""
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            schema = file.schema_arrow
            physical_schema = file.schema
            rows = file.metadata.num_rows
            is_whole = _is_counted_alike(file.metadata, physical_schema)
    except DpmapError:
        raise
    except Exception as error:  # noqa: BLE001  # whatever a hostile file makes a parser raise
        if re.search("encrypted|decryption", str(error)):
            raise BadInput(
                f"survey: {printable_name(name)} is encrypted; write it again without a key"
            ) from None
        raise _not_whole(name) from None
    if not is_whole:
        raise _not_whole(name)
    geo = (schema.metadata or {}).get(b"geo")
    return _Part(
        str(path),
        name,
        schema,
        physical_schema,
        None if geo is None else geometry_of(geo, schema, name),
        rows,
    )


def _is_counted_alike(metadata: "pq.FileMetaData", schema: "pq.ParquetSchema") -> bool:
    """Whether a file's number of rows is that of its groups, and each column without repeated
    values has as many values in each.
    """
    single = [
        at for at in range(metadata.num_columns) if schema.column(at).max_repetition_level == 0
    ]
    groups = [metadata.row_group(at) for at in range(metadata.num_row_groups)]
    return metadata.num_rows == sum(group.num_rows for group in groups) and all(
        group.column(at).num_values == group.num_rows for group in groups for at in single
    )


def _source(part: _Part, name: str) -> Source:
    """Returns the source that a Parquet file's own description tells: its columns, and its
    geometry if any.
    """
    check_told_apart(tuple(map(str, part.schema.names)), name)
    geometry, crs, _ = part.geometry or (None, None, "")
    columns = tuple(column.name for column in part.columns)
    nameless = list_nameless((field.name, str(field.type)) for field in part.schema)
    return Source(columns, geometry=geometry, crs=crs, text=Schema(columns, nameless=nameless))


def _check_alike(parts: list[_Part]) -> None:
    """Refuses files whose columns, types or geometry differ from those of the first."""
    first, *others = parts
    first_schema = None
    for part in others:
        if part.schema.names != first.schema.names:
            raise _differs(part, first, "has other columns than")
        if part.geometry != first.geometry:
            raise _differs(part, first, "describes another geometry or CRS than")
        if part.own.equals(first.own) and part.schema.equals(first.schema):
            continue
        first_schema = first_schema or _types(first)
        column = next(
            (
                one
                for one, *kinds in zip(part.schema.names, first_schema, _types(part), strict=True)
                if len(set(kinds)) > 1
            ),
            None,
        )
        if column is not None:
            raise _differs(part, first, f"has another type in column {printable_name(column)} than")


def _types(part: _Part) -> list[str]:
    """Returns each column's type as it will be read, without differences that no reader sees,
    such as nullability.
    """
    import duckdb

    if part.geometry is not None:
        return [str(plain_type(kind)).removeprefix("large_") for kind in part.schema.types]
    with duckdb.connect(":memory:") as database:
        query = f"DESCRIBE SELECT * FROM read_parquet([{file_literal(part.path)}], {_how()})"
        try:
            return [str(kind) for _, kind, *_ in database.execute(query).fetchall()]
        except duckdb.Error:
            raise _not_whole(part.name) from None


def _differs(part: _Part, first: _Part, how: str) -> BadInput:
    return BadInput(
        f"survey: {printable_name(part.name)} {how} {printable_name(first.name)}; write all parts"
        " alike, or give one"
        " of them"
    )


def open_packed_parquet(pieces: list[FilePiece], name: str) -> Source:
    """Opens Parquet in a folder or an archive; an archive's is copied to a private folder that
    is wiped.
    """
    names = [piece.name for piece in pieces] if len(pieces) > 1 else [name]
    if all(piece.path is not None for piece in pieces):
        return _open_files([piece.path for piece in pieces if piece.path is not None], names, name)
    for piece in pieces:
        check_unpacks(piece, piece.declared)
    heads = [_head(piece, one) for piece, one in zip(pieces, names, strict=True)]
    _check_types(heads)
    by_name = {id(part): piece for part, piece in zip(heads, pieces, strict=True)}
    groups = _by_columns(heads)
    return together(
        [
            _copies(
                [by_name[id(part)] for part in some],
                some,
                name if len(groups) == 1 else some[0].name,
            )
            for some in groups
        ]
    )


def _head(piece: FilePiece, name: str) -> _Part:
    """Reads the description of a file in an archive."""
    import pyarrow as pa

    try:
        with piece.open() as head:
            return _described(pa.PythonFile(head, mode="r"), name)
    except DpmapError:
        raise
    except (pa.ArrowException, OSError, ValueError, EOFError):
        raise _not_whole(name) from None


def _copies(pieces: list[FilePiece], parts: "list[_Part]", name: str) -> Source:
    """Opens files of an archive that describe the same columns, each time from copies."""
    names = [part.name for part in parts]
    first_source = replace(_source(parts[0], name), name=parts_name(names))

    def whole(folder: str) -> Source:
        source = _open_files([_copied(piece, folder) for piece in pieces], names, name)
        if (source.columns, source.geometry, source.crs) != (
            first_source.columns,
            first_source.geometry,
            first_source.crs,
        ):
            raise _not_whole(name)  # another file than when it was opened
        return source

    if first_source.geometry is None:
        return replace(first_source, sql="", prepare=lambda folder, *_: whole(folder).sql)

    @contextmanager
    def stream(wanted: list[str]) -> "Iterator[pa.RecordBatchReader]":
        with private_folder() as folder:
            source = whole(folder)
            if source.stream is None:
                raise _not_whole(name)
            with source.stream(wanted) as reader:
                yield reader

    return replace(first_source, stream=stream)


def _copied(piece: FilePiece, folder: str) -> str:
    target = os.path.join(folder, f"part-{len(os.listdir(folder))}.parquet")
    with piece.open() as stream, open(target, "wb") as out:
        out.writelines(unpack_bounded(piece, stream))
    return target


def _not_whole(name: str) -> BadInput:
    return BadInput(
        f"survey: {printable_name(name)} is not a whole Parquet file; it may be cut short, so copy"
        " or export"
        " it again"
    )


def _damaged(part: _Part) -> BadInput:
    return BadInput(
        f"survey: {printable_name(part.name)} breaks off or is damaged inside; export it again"
    )


def _how() -> str:
    """Returns DuckDB's reading options: folder names make no columns; from version 2 on, bytes
    that are not UTF-8 become "?".
    """
    import duckdb

    mended = ", utf8_validation='replace'" if int(duckdb.__version__.split(".")[0]) >= 2 else ""
    return f"hive_partitioning=false{mended}"


def _row_ranges(paths: list[str], columns: tuple[str, ...], count: int) -> list[str]:
    """Divides the rows of some Parquet files into about `count` relations, or more if they are
    many, each a range of one file's rows.
    """
    import pyarrow.parquet as pq

    sizes = [pq.read_metadata(path).num_rows for path in paths]
    most = max(1, min(MOST_IN_A_PIECE, -(-sum(sizes) // count)))
    if ROW_NUMBER in map(str.lower, columns):
        most = max(1, *sizes)
    pieces = []
    for path, size in zip(paths, sizes, strict=True):
        read = f"read_parquet([{file_literal(path)}], {_how()}"
        ranges = (
            [(start, start + most - 1) for start in range(0, size, most)] if size > most else []
        )
        pieces += [
            f"(SELECT * EXCLUDE {ROW_NUMBER} FROM {read}, {ROW_NUMBER}=true) WHERE {ROW_NUMBER}"
            f" BETWEEN {first} AND {last})"
            for first, last in ranges
        ] or [f"{read})"]
    return pieces


def _flat(read: str, part: _Part) -> str:
    """Builds a relation with what `nested` reads: fields of structs as columns, lists (GBIF's
    recordedby) as text joined by "|".
    """
    top = set(part.schema.names)
    changed = [
        f"{column.sql} AS {quote_column(column.name)}"
        for column in part.columns
        if column.sql and column.name in top
    ]
    added = "".join(
        f", {column.sql} AS {quote_column(column.name)}"
        for column in part.columns
        if column.name not in top
    )
    replaced = f" REPLACE ({', '.join(changed)})" if changed else ""
    return f"(SELECT *{replaced}{added} FROM {read})" if changed or added else read


def _reaches_far(part: _Part, column: str) -> bool:
    """Whether a column's timestamps may lie beyond the range of dates: only INT96 and
    microseconds reach so far.
    """
    leaves = (part.own.column(at) for at in range(len(part.own)))
    kinds = [leaf for leaf in leaves if leaf.path == column or leaf.path.startswith(f"{column}.")]
    return any(
        leaf.physical_type == "INT96" or "microseconds" in str(leaf.logical_type) for leaf in kinds
    )


def datable(moment: str) -> str:
    """Makes timestamps before the year 1 and after 9999 NULL, since DuckDB fails as a whole when
    it writes one.
    """
    return (
        f"CASE WHEN {moment} >= '0001-01-01' AND {moment} < '9999-12-31 23:59:59' THEN {moment} END"
    )


def geometry_of(geo: bytes, schema: "pa.Schema", name: str) -> tuple[str, str | None, str]:
    """Reads GeoParquet's geometry column, its CRS and its edges: degrees if it says nothing,
    unknown if it says null.
    """
    import pyarrow as pa

    try:
        described = json.loads(geo)
        geometry = str(described["primary_column"])
        column = described["columns"][geometry]
        kind = plain_type(schema.field(geometry).type)
        if column.get("encoding", "WKB") != "WKB" or not (
            pa.types.is_binary(kind) or pa.types.is_large_binary(kind)
        ):
            raise BadInput(
                f"survey: the geometry of {printable_name(name)} is not stored as WKB; save it"
                " again with"
                " encoding WKB"
            )
        column_crs = column.get("crs", crs_tools.LONLAT)
        crs = (
            column_crs
            if column_crs in (None, crs_tools.LONLAT)
            else crs_tools.text_of(json.dumps(column_crs))
        )
        more = json.dumps([column.get("edges", "planar"), column.get("epoch")])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput(
            f"survey: the geometry of {printable_name(name)} is not described as GeoParquet asks;"
            " save it"
            " again"
        ) from None
    return geometry, crs, more


@contextmanager
def _stream(
    parts: list[_Part], schema: "pa.Schema", wanted: list[str]
) -> "Iterator[pa.RecordBatchReader]":
    import pyarrow as pa
    import pyarrow.parquet as pq

    plain_schema = pa.schema([(one, plain_type(schema.field(one).type)) for one in wanted])
    failed = list[DpmapError]()

    def batches() -> "Iterator[pa.RecordBatch]":
        for part in parts:
            rows = 0
            try:
                with pq.ParquetFile(part.path) as file:
                    for batch in file.iter_batches(batch_size=65536, columns=wanted):
                        rows += batch.num_rows
                        yield sound([batch.column(one) for one in wanted], plain_schema)
            except (pa.ArrowException, OSError):
                failed.append(_damaged(part))
                raise failed[0] from None
            if rows != part.rows:
                failed.append(_damaged(part))
                raise failed[0]

    try:
        yield pa.RecordBatchReader.from_batches(plain_schema, batches())
    except Exception:
        if failed:  # the engine's own words for it would quote it
            raise failed[0] from None
        raise
