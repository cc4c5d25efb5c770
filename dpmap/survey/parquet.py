"""Parquet: read by DuckDB itself, or streamed by pyarrow where it carries geometry (GeoParquet)."""

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from dpmap.errors import BadInput, DpmapError
from dpmap.grid import crs as crs_tools
from dpmap.survey.sources import Source, check_told_apart, file_literal, quoted, shown
from dpmap.survey.tables import Piece, check_unpacks, unpacked

if TYPE_CHECKING:
    import pyarrow as pa

ROW_NUMBER = "file_row_number"
"""What DuckDB calls a row's place in its Parquet file, and prunes row groups by."""


def plain(paths: list[str], name: str) -> Source:
    """Parquet: by DuckDB itself, or as a stream when it carries geometry (GeoParquet)."""
    import pyarrow.parquet as pq

    schemas = []
    for path in paths:
        try:
            schemas.append(pq.read_schema(path))
        except Exception:  # noqa: BLE001  # whatever a hostile file makes a parser raise
            raise _not_whole(os.path.basename(path) if len(paths) > 1 else name) from None
    schema = schemas[0]
    if any(other.names != schema.names for other in schemas):
        raise BadInput("survey: the Parquet files of this folder have different columns; give one of them")
    told = _source(schema, name)
    if told.geometry is not None:

        def layer(files: list[str]) -> Source:
            return replace(told, stream=lambda wanted: _stream(files, schema, wanted))

        return replace(layer(paths), cut=lambda _: [layer([path]) for path in paths])
    files = ", ".join(file_literal(path) for path in paths)

    def cut(count: int) -> list[Source]:
        return [replace(told, sql=_flat(piece, schema)) for piece in _row_ranges(paths, told.columns, count)]

    return replace(told, sql=_flat(f"read_parquet([{files}], hive_partitioning=false)", schema), cut=cut)


def _source(schema: "pa.Schema", name: str) -> Source:
    """What a Parquet file's own description tells: its columns, and its geometry if it has one."""
    columns = tuple(str(column) for column in schema.names)
    check_told_apart(columns, name)
    geo = (schema.metadata or {}).get(b"geo")
    geometry, crs = (None, None) if geo is None else _described(geo, name)
    return Source(columns, geometry=geometry, crs=crs)


def packed(pieces: list[Piece], name: str) -> Source:
    """Parquet in a folder or an archive: an archive's is read from a copy in a private folder that is wiped."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if all(piece.path is not None for piece in pieces):
        return plain([piece.path for piece in pieces if piece.path is not None], name)
    for piece in pieces:
        check_unpacks(piece, piece.declared)
    try:
        with pieces[0].open() as head:
            schema = pq.read_schema(pa.PythonFile(head, mode="r"))
    except DpmapError:
        raise
    except (pa.ArrowException, OSError, ValueError, EOFError):
        raise _not_whole(name) from None
    told = _source(schema, name)

    def whole(folder: str) -> Source:
        return plain([_copied(piece, folder) for piece in pieces], name)

    if told.geometry is None:
        return replace(told, sql="", prepare=lambda folder: whole(folder).sql)

    @contextmanager
    def stream(wanted: list[str]) -> "Iterator[pa.RecordBatchReader]":
        with tempfile.TemporaryDirectory(prefix="dpmap-") as folder:
            source = whole(folder)
            if source.stream is None:
                raise _not_whole(name)
            with source.stream(wanted) as reader:
                yield reader

    return replace(told, stream=stream)


def _copied(piece: Piece, folder: str) -> str:
    target = os.path.join(folder, f"part-{len(os.listdir(folder))}.parquet")
    with piece.open() as stream, open(target, "wb") as out:
        out.writelines(unpacked(piece, stream))
    return target


def _not_whole(name: str) -> BadInput:
    return BadInput(
        f"survey: {shown(name)} is not a whole Parquet file; it may be cut short, so copy or export it again"
    )


def _row_ranges(paths: list[str], columns: tuple[str, ...], count: int) -> list[str]:
    """The rows of some Parquet files as about `count` relations, each a range of one file's rows."""
    import pyarrow.parquet as pq

    sizes = [pq.read_metadata(path).num_rows for path in paths]
    most = max(1, -(-sum(sizes) // count))
    if ROW_NUMBER in map(str.lower, columns):
        most = max(1, *sizes)
    pieces = []
    for path, size in zip(paths, sizes, strict=True):
        read = f"read_parquet([{file_literal(path)}], hive_partitioning=false"
        ranges = [(start, start + most - 1) for start in range(0, size, most)] if size > most else []
        pieces += [
            f"(SELECT * EXCLUDE {ROW_NUMBER} FROM {read}, {ROW_NUMBER}=true) WHERE {ROW_NUMBER} BETWEEN {first} AND {last})"
            for first, last in ranges
        ] or [f"{read})"]
    return pieces


def _flat(read: str, schema: "pa.Schema") -> str:
    """The relation with its columns of lists (GBIF's recordedby) as text, their items joined by "|"."""
    import pyarrow as pa

    joined = []
    for field in schema:
        if not (pa.types.is_list(field.type) or pa.types.is_large_list(field.type)):
            continue
        item = field.type.value_type
        inner = f"item.{quoted(item.field(0).name)}" if pa.types.is_struct(item) and item.num_fields == 1 else "item"
        name = quoted(field.name)
        joined.append(f"array_to_string(list_transform({name}, lambda item: CAST({inner} AS VARCHAR)), '|') AS {name}")
    return f"(SELECT * REPLACE ({', '.join(joined)}) FROM {read})" if joined else read


def _described(geo: bytes, name: str) -> tuple[str, str | None]:
    """The geometry column and its CRS, as GeoParquet writes them: degrees where it says nothing, unknown where it says null."""
    try:
        described = json.loads(geo)
        geometry = str(described["primary_column"])
        column = described["columns"][geometry]
        if column.get("encoding", "WKB") != "WKB":
            raise BadInput(
                f"survey: the geometry of {shown(name)} is not stored as WKB; save it again with encoding WKB"
            )
        told = column.get("crs", crs_tools.LONLAT)
        crs = told if told in (None, crs_tools.LONLAT) else crs_tools.text_of(json.dumps(told))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput(
            f"survey: the geometry of {shown(name)} is not described as GeoParquet asks; save it again"
        ) from None
    return geometry, crs


@contextmanager
def _stream(paths: list[str], schema: "pa.Schema", wanted: list[str]) -> "Iterator[pa.RecordBatchReader]":
    import pyarrow as pa
    import pyarrow.parquet as pq

    kept = pa.schema([schema.field(column) for column in wanted]).remove_metadata()

    def batches() -> "Iterator[pa.RecordBatch]":
        for path in paths:
            with pq.ParquetFile(path) as file:
                for batch in file.iter_batches(batch_size=65536, columns=wanted):
                    yield batch.select(wanted).cast(kept)

    yield pa.RecordBatchReader.from_batches(kept, batches())
