"""Layers with geometry, and Parquet: streamed by GDAL or pyarrow, or read by DuckDB itself."""

import json
import os
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dpmap.errors import BadInput, DpmapError
from dpmap.grid import crs as crs_tools
from dpmap.grid.area import check_own_content
from dpmap.survey.sources import Source, check_told_apart, file_literal, listed, quoted, shown
from dpmap.survey.tables import Piece, check_unpacks, unpacked

if TYPE_CHECKING:
    import pyarrow as pa

NOT_DATA = ("layer_styles", "qgis_projects")
AFAR = "dpmap-afar"
"""Stands for the path of what lies in a store or on a server, where GDAL does not reach."""
ROW_NUMBER = "file_row_number"
"""What DuckDB calls a row's place in its Parquet file, and prunes row groups by."""


def parquet(paths: list[str], name: str) -> Source:
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
    told = _parquet_source(schema, name)
    if told.geometry is not None:

        def layer(files: list[str]) -> Source:
            return replace(told, stream=lambda wanted: _parquet_stream(files, schema, wanted))

        return replace(layer(paths), cut=lambda _: [layer([path]) for path in paths])
    files = ", ".join(file_literal(path) for path in paths)

    def cut(count: int) -> list[Source]:
        return [replace(told, sql=_flat(piece, schema)) for piece in _row_ranges(paths, told.columns, count)]

    return replace(told, sql=_flat(f"read_parquet([{files}], hive_partitioning=false)", schema), cut=cut)


def _parquet_source(schema: "pa.Schema", name: str) -> Source:
    """What a Parquet file's own description tells: its columns, and its geometry if it has one."""
    columns = tuple(str(column) for column in schema.names)
    check_told_apart(columns, name)
    geo = (schema.metadata or {}).get(b"geo")
    geometry, crs = (None, None) if geo is None else _described(geo, name)
    return Source(columns, geometry=geometry, crs=crs)


def packed_parquet(pieces: list[Piece], name: str) -> Source:
    """Parquet in a folder or an archive: an archive's is read from a copy in a private folder that is wiped."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if all(piece.path is not None for piece in pieces):
        return parquet([piece.path for piece in pieces if piece.path is not None], name)
    for piece in pieces:
        check_unpacks(piece, piece.declared)
    try:
        with pieces[0].open() as head:
            schema = pq.read_schema(pa.PythonFile(head, mode="r"))
    except DpmapError:
        raise
    except (pa.ArrowException, OSError, ValueError, EOFError):
        raise _not_whole(name) from None
    told = _parquet_source(schema, name)

    def whole(folder: str) -> Source:
        return parquet([_copied(piece, folder) for piece in pieces], name)

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
def _parquet_stream(paths: list[str], schema: "pa.Schema", wanted: list[str]) -> "Iterator[pa.RecordBatchReader]":
    import pyarrow as pa
    import pyarrow.parquet as pq

    kept = pa.schema([schema.field(column) for column in wanted]).remove_metadata()

    def batches() -> "Iterator[pa.RecordBatch]":
        for path in paths:
            with pq.ParquetFile(path) as file:
                for batch in file.iter_batches(batch_size=65536, columns=wanted):
                    yield batch.select(wanted).cast(kept)

    yield pa.RecordBatchReader.from_batches(kept, batches())


def vector(path: str, name: str, layer: str | None) -> Source:
    """Any vector layer GDAL reads, streamed; `path` may be one of GDAL's own for what lies inside an archive."""
    import pyogrio

    if AFAR in path:
        raise BadInput(f"survey: {shown(name)} is a layer, which is read from a disk only; fetch it and give the file")
    check_own_content(path, layer, "survey")
    path = _openable(path)
    try:
        with quiet():
            layers = {str(row[0]): row[1] for row in pyogrio.list_layers(path)}
            chosen = _chosen(path, layers, shown(name), layer)
            about = pyogrio.read_info(path, layer=chosen)
    except BadInput:
        raise
    except Exception:  # noqa: BLE001  # whatever a hostile file makes a parser raise
        raise _no_layer(name) from None
    columns = tuple(str(column) for column in about["fields"])
    if path.lower().endswith(".shp") and not path.startswith("/vsi"):
        _check_whole_shapefile(path, name)
    check_told_apart(columns, name)
    geometry = "wkb_geometry" if about["geometry_type"] else None
    unknown = not about["crs"] or '"Undefined ' in about["crs"][:40]  # a GeoPackage's words for having none
    crs = None if unknown else crs_tools.text_of(about["crs"])

    @contextmanager
    def stream(wanted: list[str]) -> "Iterator[pa.RecordBatchReader]":
        try:
            with _streamed(path, chosen, wanted, geometry) as reader:
                yield _whole(reader, about["features"], name)
        except (pyogrio.errors.DataSourceError, pyogrio.errors.DataLayerError):
            raise _no_layer(name) from None

    return Source(columns, geometry=geometry, crs=crs, stream=stream)


@contextmanager
def _streamed(path: str, layer: str, wanted: list[str], geometry: str | None) -> "Iterator[pa.RecordBatchReader]":
    """The wanted columns of a layer, batch by batch, the geometry under the one name dpmap uses."""
    import pyogrio

    fields = [column for column in wanted if column != geometry]
    # GDAL's fast FlatGeobuf reader stops at a feature without geometry; its plain one does not
    pyogrio.set_gdal_config_options({"OGR_FLATGEOBUF_STREAM_BASE_IMPL": "YES", "CPL_LOG": os.devnull})
    with (
        quiet(),
        pyogrio.open_arrow(
            path, layer=layer, columns=fields, read_geometry=geometry in wanted, use_pyarrow=True, batch_size=65536
        ) as (meta, reader),
    ):
        yield _renamed(reader, meta, geometry)


def _no_layer(name: str) -> BadInput:
    return BadInput(f"survey: {shown(name)} cannot be read as a vector layer; it may be damaged, so export it again")


def _openable(path: str) -> str:
    """The path as GDAL opens it: pyogrio takes some marks for parts of an address, but not below /vsisubfile/."""
    if path.startswith("/vsi") or not any(mark in path for mark in ";!\n\r\t"):
        return path
    if path.lower().endswith((".shp", ".gdb")):
        raise BadInput("survey: GDAL opens no such layer whose path holds ; ! or a line break; rename it")
    return f"/vsisubfile/0,{os.path.abspath(path)}"


def _check_whole_shapefile(path: str, name: str) -> None:
    """Refuses a shapefile shorter than its header says."""
    with open(path, "rb") as stream:
        head = stream.read(28)
    if int.from_bytes(head[24:28], "big") * 2 > os.path.getsize(path):
        raise BadInput(f"survey: {shown(name)} breaks off; copy or export it again")


def _whole(reader: "pa.RecordBatchReader", features: int, name: str) -> "pa.RecordBatchReader":
    """The same batches; refused at the end when there were fewer rows than the layer says it has."""
    import pyarrow as pa

    def batches() -> "Iterator[pa.RecordBatch]":
        rows = 0
        for batch in reader:
            rows += batch.num_rows
            yield batch
        if rows < features:
            raise BadInput(f"survey: {shown(name)} breaks off; copy or export it again")

    return pa.RecordBatchReader.from_batches(reader.schema, batches())


@contextmanager
def quiet() -> Iterator[None]:
    """GDAL's warnings quote values; none may reach the screen."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _chosen(path: str, layers: dict[str, Any], name: str, layer: str | None) -> str:
    """The layer asked for, or the only one with places; several are for the steward to choose."""
    import pyogrio

    if layer is not None:
        if layer not in layers:
            raise BadInput(f"survey: {name} has no layer of that name; it has {listed(tuple(layers))}")
        return layer
    placed = [one for one, kind in layers.items() if kind is not None and one not in NOT_DATA] or list(layers)
    if len(placed) > 1 and set(placed) <= {"waypoints", "routes", "tracks", "route_points", "track_points"}:
        filled = [one for one in ("waypoints", "track_points", "route_points")
                  if pyogrio.read_info(path, layer=one, force_feature_count=True)["features"]]  # fmt: skip
        placed = filled or ["waypoints"]
    if len(placed) != 1:
        raise BadInput(f"survey: {name} has several layers ({listed(tuple(placed))}); add --layer NAME")
    return placed[0]


def _renamed(reader: "pa.RecordBatchReader", meta: dict[str, Any], geometry: str | None) -> "pa.RecordBatchReader":
    """The same batches with the geometry column under the one name dpmap uses, as plain bytes."""
    import pyarrow as pa

    found = meta["geometry_name"] or "wkb_geometry"
    names = [geometry if field.name == found and geometry else field.name for field in reader.schema]
    schema = pa.schema([pa.field(name, field.type) for name, field in zip(names, reader.schema, strict=True)])
    batches = (pa.RecordBatch.from_arrays(batch.columns, schema=schema) for batch in reader)
    return pa.RecordBatchReader.from_batches(schema, batches)
