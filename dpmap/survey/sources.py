"""Where rows come from: a file DuckDB reads by itself, or a stream of Arrow batches.

A source knows its columns and how to be opened, and nothing of what its rows hold.
"""

import csv
import io
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from dpmap.errors import BadInput, SystemFailed
from dpmap.grid import crs as crs_tools

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

TEXT_SUFFIXES = (".csv", ".tsv", ".txt")
VECTOR_SUFFIXES = (".gpkg", ".shp", ".geojson", ".json", ".fgb", ".gdb", ".kml", ".gpx", ".sqlite", ".gml")
HEAD_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class Source:
    """Columns by name, the geometry column and its CRS if there is one, and a way in.

    `sql` is a DuckDB FROM clause; `patient_sql` a slower one for files on which it fails (quoted line breaks in
    rows that also lack fields). Where `sql` is empty, `stream` opens a reader over the columns asked for.
    """

    columns: tuple[str, ...]
    geometry: str | None = None
    crs: str | None = None
    sql: str = ""
    patient_sql: str = ""
    check: Callable[[], None] = lambda: None
    stream: "Callable[[list[str]], AbstractContextManager[pa.RecordBatchReader]] | None" = None


def open_source(path: "str | os.PathLike[str]", *, layer: str | None = None) -> Source:
    """The source behind a path, its columns read and nothing else."""
    name = os.path.basename(os.fspath(path).rstrip("/")) or os.fspath(path)
    if os.path.isdir(path) and not name.endswith(".gdb"):
        raise BadInput(f"survey: {name} is a folder; give one file in it")
    if not os.path.exists(path):
        raise BadInput(f"survey: there is no file {name}; check the path")
    if not os.access(path, os.R_OK):
        raise SystemFailed(f"survey: no right to read {name}; check its permissions")
    if os.path.isfile(path) and os.path.getsize(path) == 0:
        raise BadInput(f"survey: {name} is empty; export it again, with its header line")
    suffix = os.path.splitext(name)[1].lower()
    if layer is not None and suffix not in VECTOR_SUFFIXES:
        raise BadInput(f"--layer: {name} has no layers; leave it out")
    if suffix in VECTOR_SUFFIXES and any(mark in name for mark in ";!\n\r\t"):
        raise BadInput("survey: GDAL opens no file whose name holds ; ! or a line break; rename it")
    if suffix in TEXT_SUFFIXES:
        return _text_source(os.fspath(path), name)
    if suffix in (".parquet", ".geoparquet", ".pq"):
        return _parquet_source(os.fspath(path), name)
    if suffix in VECTOR_SUFFIXES:
        return _vector_source(os.fspath(path), name, layer)
    raise BadInput(
        f"survey: {name} is of no kind dpmap reads; give CSV, TSV, Parquet, GeoPackage, shapefile, GeoJSON or FlatGeobuf"
    )


def quoted(identifier: str) -> str:
    """A column name inside SQL.

    >>> quoted('a"b')
    '"a""b"'
    """
    return '"' + identifier.replace('"', '""') + '"'


def file_literal(path: str) -> str:
    """A path inside SQL, in which no mark is a pattern.

    >>> file_literal("s[1]*.csv")
    "'s[[]1][*].csv'"
    """
    return literal("".join(f"[{mark}]" if mark in "*?[" else mark for mark in path))


def literal(text: str) -> str:
    """A text inside SQL."""
    return "'" + text.replace("'", "''") + "'"


def _text_source(path: str, name: str) -> Source:
    """A delimited text file: the separator is the one that splits the header most; every column is read as text."""
    with open(path, "rb") as stream:
        head = stream.read(HEAD_BYTES)
    try:
        text = head.decode("utf-8-sig", errors="strict" if len(head) < HEAD_BYTES else "ignore")
    except UnicodeDecodeError:
        raise BadInput(f"survey: {name} is not UTF-8 text; save it as UTF-8") from None
    if "\0" in text:
        raise BadInput(f"survey: {name} is not a text table; save it as CSV in UTF-8")
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max("\t,;|", key=lambda mark: len(_split(first, mark)))
    columns = [column.strip() for column in _split(first, delimiter)]
    if not any(columns):
        raise BadInput(f"survey: {name} has no header line; export it again with one")
    columns = _distinct(columns)
    types = ", ".join(f"{literal(column)}: 'VARCHAR'" for column in columns)
    sql = (
        f"read_csv({file_literal(path)}, auto_detect=false, header=true, delim={literal(delimiter)}, quote='\"', "
        f"escape='\"', columns={{{types}}}, null_padding=true, strict_mode=false, ignore_errors=true, "
        "max_line_size=8388608, hive_partitioning=false"
    )
    return Source(
        tuple(columns),
        sql=f"{sql})",
        patient_sql=f"{sql}, parallel=false)",
        check=lambda: _check_quotes_close(path, name, delimiter),
    )


def _check_quotes_close(path: str, name: str, delimiter: str) -> None:
    """Refuses a table whose last quote is opened and never closed: all rows after it would be one field.

    Only a file with an odd number of quotes can be one; then a line put after its end must come out as a row.
    """
    with open(path, "rb") as stream:
        if sum(chunk.count(b'"') for chunk in iter(lambda: stream.read(1 << 24), b"")) % 2 == 0:
            return
    end = "dpmap end of file"
    csv.field_size_limit(1 << 31)
    with open(path, encoding="utf-8", errors="replace", newline="") as lines:
        last: list[str] = []
        for last in csv.reader(chain(lines, ["\n", end]), delimiter=delimiter):  # noqa: B007  # the last row is wanted
            pass
    if last != [end]:
        raise BadInput(f"survey: {name} opens a quote that is never closed; mend that line or export it again")


def _split(line: str, delimiter: str) -> list[str]:
    """The fields of one line of a table."""
    return next(csv.reader(io.StringIO(line), delimiter=delimiter), [])


def _distinct(columns: list[str]) -> list[str]:
    """Names made unique: an empty one becomes `column_N`, a repeated one gets `_2`, `_3`."""
    seen: set[str] = set()
    names: list[str] = []
    for place, given in enumerate(columns, start=1):
        column = given or f"column_{place}"
        number, name = 1, column
        while name.lower() in seen:
            number += 1
            name = f"{column}_{number}"
        seen.add(name.lower())
        names.append(name)
    return names


def _parquet_source(path: str, name: str) -> Source:
    """Parquet: by DuckDB itself, or as a stream when it carries geometry (GeoParquet)."""
    import duckdb

    try:
        with duckdb.connect() as database:
            table = f"read_parquet({file_literal(path)}, hive_partitioning=false)"
            columns = tuple(str(row[0]) for row in database.execute(f"DESCRIBE SELECT * FROM {table}").fetchall())
            metadata = database.execute(
                f"SELECT value FROM parquet_kv_metadata({file_literal(path)}) WHERE key = 'geo'"
            ).fetchall()
    except duckdb.Error:
        raise BadInput(
            f"survey: {name} is not a whole Parquet file; it may be cut short, so copy or export it again"
        ) from None
    return _geoparquet_source(path, name, columns, metadata[0][0]) if metadata else Source(columns, sql=table)


def _geoparquet_source(path: str, name: str, columns: tuple[str, ...], geo: bytes) -> Source:
    """The geometry column and CRS that the GeoParquet metadata declares, read batch by batch."""
    import json

    try:
        described = json.loads(geo)
        geometry = str(described["primary_column"])
        column = described["columns"][geometry]
        encoding, crs = column.get("encoding", "WKB"), column.get("crs", crs_tools.LONLAT)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise BadInput(f"survey: the geometry of {name} is not described as GeoParquet asks; save it again") from None
    if encoding != "WKB":
        raise BadInput(f"survey: the geometry of {name} is not stored as WKB; save it again with encoding WKB")
    crs_text = crs_tools.text_of(crs if isinstance(crs, str) else json.dumps(crs)) if crs else None

    @contextmanager
    def stream(wanted: list[str]) -> "Iterator[pa.RecordBatchReader]":
        import pyarrow as pa
        import pyarrow.parquet as pq

        with pq.ParquetFile(path) as file:
            kept = pa.schema([file.schema_arrow.field(column) for column in wanted])
            batches = (batch.select(wanted) for batch in file.iter_batches(batch_size=65536, columns=wanted))
            yield pa.RecordBatchReader.from_batches(kept.remove_metadata(), batches)

    return Source(columns, geometry=geometry, crs=crs_text, stream=stream)


def _vector_source(path: str, name: str, layer: str | None) -> Source:
    """Any vector layer GDAL reads, streamed."""
    import pyogrio

    try:
        layers = [str(row[0]) for row in pyogrio.list_layers(path)]
    except Exception:  # noqa: BLE001  # whatever a hostile file makes a parser raise
        raise BadInput(
            f"survey: {name} cannot be read as a vector layer; it may be damaged, so export it again"
        ) from None
    if layer is None and len(layers) > 1:
        raise BadInput(f"survey: {name} has several layers ({', '.join(layers)}); add --layer NAME")
    if layer is not None and layer not in layers:
        raise BadInput(f"survey: {name} has no layer of that name; it has {', '.join(layers)}")
    try:
        about = pyogrio.read_info(path, layer=layer)
    except Exception:  # noqa: BLE001  # whatever a hostile file makes a parser raise
        raise BadInput(
            f"survey: {name} cannot be read as a vector layer; it may be damaged, so export it again"
        ) from None
    columns = tuple(str(column) for column in about["fields"])
    if path.lower().endswith(".shp"):
        _check_whole_shapefile(path, name)
    if len({column.lower() for column in columns}) < len(columns):
        raise BadInput(f"survey: two columns of {name} differ in upper and lower case only; rename one")
    geometry = "wkb_geometry" if about["geometry_type"] else None
    crs = crs_tools.text_of(about["crs"]) if about["crs"] else None

    @contextmanager
    def stream(wanted: list[str]) -> "Iterator[pa.RecordBatchReader]":
        fields = [column for column in wanted if column != geometry]
        # GDAL's fast FlatGeobuf reader stops at a feature without geometry; its plain one does not
        pyogrio.set_gdal_config_options({"OGR_FLATGEOBUF_STREAM_BASE_IMPL": "YES", "CPL_LOG": os.devnull})
        with (
            quiet(),
            pyogrio.open_arrow(
                path, layer=layer, columns=fields, read_geometry=geometry in wanted, use_pyarrow=True, batch_size=65536
            ) as (meta, reader),
        ):
            yield _whole(_renamed(reader, meta, geometry), about["features"], name)

    return Source(columns, geometry=geometry, crs=crs, stream=stream)


def _check_whole_shapefile(path: str, name: str) -> None:
    """Refuses a shapefile shorter than its header says."""
    with open(path, "rb") as stream:
        head = stream.read(28)
    if int.from_bytes(head[24:28], "big") * 2 > os.path.getsize(path):
        raise BadInput(f"survey: {name} breaks off; copy or export it again")


def _whole(reader: "pa.RecordBatchReader", features: int, name: str) -> "pa.RecordBatchReader":
    """The same batches; refused at the end when there were fewer rows than the layer says it has."""
    import pyarrow as pa

    def batches() -> "Iterator[pa.RecordBatch]":
        rows = 0
        for batch in reader:
            rows += batch.num_rows
            yield batch
        if rows < features:
            raise BadInput(f"survey: {name} breaks off; copy or export it again")

    return pa.RecordBatchReader.from_batches(reader.schema, batches())


@contextmanager
def quiet() -> Iterator[None]:
    """GDAL's warnings quote values; none may reach the screen."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _renamed(reader: "pa.RecordBatchReader", meta: dict[str, Any], geometry: str | None) -> "pa.RecordBatchReader":
    """The same batches with the geometry column under the one name dpmap uses."""
    import pyarrow as pa

    found = meta["geometry_name"] or "wkb_geometry"
    names = [geometry if field.name == found and geometry else field.name for field in reader.schema]
    schema = pa.schema([pa.field(name, field.type) for name, field in zip(names, reader.schema, strict=True)])
    batches = (pa.RecordBatch.from_arrays(batch.columns, schema=schema) for batch in reader)
    return pa.RecordBatchReader.from_batches(schema, batches)


def point_coordinates(geometry: "NDArray[Any]") -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
    """The x and y of WKB points; NaN for what is missing, empty, damaged or no point."""
    import shapely

    shapes = shapely.from_wkb(geometry, on_invalid="ignore")
    return shapely.get_x(shapes), shapely.get_y(shapes)
