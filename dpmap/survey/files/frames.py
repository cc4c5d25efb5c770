"""Reads tables in memory: pandas, GeoPandas, Arrow, Polars and DuckDB relations, as they are when
they are given.

A table's columns and their types are its schema, told by whoever made it; a row changes neither. A
pandas column of objects declares no type, so each of its values becomes text by itself. The rows
are copied at once and sealed: what the caller does to the table afterwards changes no survey.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol

from dpmap.errors import BadInput, DpmapError, WrongType
from dpmap.grid import crs as crs_tools
from dpmap.private_totals import Sealed
from dpmap.survey.files import nested_json, parquet
from dpmap.survey.files.cell_text import WHOLE, as_text, texts
from dpmap.survey.files.sanitize import plain, sound
from dpmap.survey.formats import fold_name
from dpmap.survey.sources import (
    MOST_COLUMNS,
    Schema,
    Source,
    check_told_apart,
    printable_name,
    quote_column,
    table_of,
)

if TYPE_CHECKING:
    import geopandas
    import pandas as pd
    import pyarrow as pa

KIND = "table in memory"
NAME = "the table"
SHAPES = ("geoarrow.wkb", "ogc.wkb")
"""What Arrow calls a column of WKB."""


class Table(Protocol):
    """Declares what any table in memory can do: hand over its rows as Arrow."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Returns a stream of the rows."""
        ...


class CopiedRows(Sealed):
    """Holds a copy of a table's rows, which nothing but its source reads."""

    __slots__ = ("_rows",)

    _rows: "pa.Table"

    def __init__(self, rows: "pa.Table") -> None:
        self._rows = _copied(rows)

    @contextmanager
    def opened(self, roots: list[str]) -> "Iterator[pa.RecordBatchReader]":
        """Yields a reader of these columns."""
        import pyarrow as pa

        schema = pa.schema([self._rows.schema.field(root) for root in roots])
        batches = self._rows.select(roots).to_batches(nested_json.AT_ONCE)
        yield pa.RecordBatchReader.from_batches(
            schema, (sound(batch.columns, schema) for batch in batches)
        )


def open_frame(frame: Any, given: dict[str, object]) -> Source:
    """Opens a table in memory and returns its source; `given` is what was said of it by flag,
    and must be nothing.
    """
    for flag, value in given.items():
        if value is not None:
            raise BadInput(
                f"{flag}: it is for files and databases; a table in memory has none, so leave"
                " it out"
            )
    if hasattr(type(frame), "mapInArrow"):
        return table_of(frame)
    try:
        return _source(*(_of_pandas(frame) if _is_pandas(frame) else _of_arrow(frame)))
    except (DpmapError, MemoryError):
        raise
    except Exception:  # noqa: BLE001  # its message may quote a row
        raise BadInput(
            "survey: this table cannot be read; write it to Parquet (to_parquet) and give the file"
        ) from None


def _source(rows: "pa.Table", geometry: str | None, crs: str | None) -> Source:
    rows = rows.rename_columns([name.strip() for name in rows.column_names])
    geometry = geometry and geometry.strip()
    columns = {one.name: one for one in nested_json.columns(rows.schema, _mended)}
    copied = CopiedRows(rows)
    return Source(
        tuple(columns),
        geometry=geometry,
        crs=crs,
        stream=lambda wanted: nested_json.stream(columns, wanted, copied.opened),
        text=Schema(tuple(columns), "table", KIND),
    )


def _mended(sql: str, kind: "pa.DataType", root: str) -> str:
    """Returns SQL for numbers that may have a fraction as text, whole ones without it; nested
    moments too far off are NULL.
    """
    import pyarrow as pa

    if pa.types.is_floating(kind):
        whole = (
            f"CASE WHEN abs({sql}) < {WHOLE} AND {sql} = trunc({sql}) THEN CAST(CAST({sql} AS"
            " HUGEINT) AS VARCHAR)"
        )
        return f"{whole} WHEN NOT isnan({sql}) THEN CAST({sql} AS VARCHAR) END"
    if pa.types.is_timestamp(kind) and kind.unit != "ns" and sql != quote_column(root):
        return parquet.datable(sql)
    return ""


def explain_index(frame: Any, error: BadInput) -> BadInput:
    """Returns what is wrong with a call, and what to do where the column that it misses is the
    table's index.
    """
    names = (
        [str(name) for name in frame.index.names if name is not None] if _is_pandas(frame) else []
    )
    if not any(f"no column {name!r}" in error.terminal_line for name in names):
        return error
    return BadInput(
        f"{error.terminal_line}; that is the table's index, which reset_index() makes a column"
    )


def _is_pandas(frame: Any) -> bool:
    """Whether this is a pandas DataFrame, without loading pandas to find out."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(frame, pandas.DataFrame)


def _check_names(names: list[Any]) -> None:
    """Refuses names that SQL could not tell apart, or that are none; blanks around them do not
    count.
    """
    names = [name.strip() if isinstance(name, str) else name for name in names]
    if not names:
        raise BadInput("survey: the table has no columns; give one with a row for each record")
    if len(names) > MOST_COLUMNS:
        raise BadInput(
            f"survey: more than {MOST_COLUMNS:,} columns; keep only those that are needed"
        )
    if any(not isinstance(name, str) or not name or "\0" in name for name in names):
        raise BadInput(
            "survey: a column of the table is not named by a text; name all of them: frame.columns"
            " = [...]"
        )
    twice = (
        next((name for name in names if names.count(name) > 1), None)
        if len(set(names)) < len(names)
        else None
    )
    if twice is not None:
        raise BadInput(
            f"survey: two columns of the table are called {printable_name(twice)}; rename one"
        )
    check_told_apart(tuple(names), NAME)


def _of_arrow(frame: Any) -> "tuple[pa.Table, str | None, str | None]":
    """Takes a table's rows by Arrow's own protocol, with the one column of shapes that it
    declares.
    """
    import pyarrow as pa

    if type(frame).__name__ == "LazyFrame":
        raise BadInput("survey: a LazyFrame has no rows yet; add .collect()")
    if not (hasattr(frame, "__arrow_c_stream__") or hasattr(frame, "__arrow_c_array__")):
        raise WrongType(
            "survey: give a file, an address or a table (pandas, GeoPandas, Arrow, Polars, DuckDB,"
            " Spark); make a DataFrame of anything else first"
        )
    try:
        table = pa.table(frame)
    except DpmapError:
        raise
    except Exception:  # noqa: BLE001  # a query's own error may quote a row
        raise BadInput(
            "survey: this gives no rows as a table; look at it by itself, select the columns that"
            " are needed, or turn odd ones into text"
        ) from None
    _check_names(table.column_names)
    geometry, crs = _declared_shape(table.schema)
    columns = [_settled(field, table.column(at), geometry) for at, field in enumerate(table.schema)]
    return pa.table(columns, names=table.column_names), geometry, crs


def _declared_shape(schema: "pa.Schema") -> tuple[str | None, str | None]:
    """Returns the column of shapes and its CRS, if the table's own description names one:
    GeoParquet's or GeoArrow's.
    """
    geo = (schema.metadata or {}).get(b"geo")
    if geo is not None and str(json.loads(geo).get("primary_column")) in schema.names:
        geometry, crs, _ = parquet.geometry_of(geo, schema, NAME)
        return geometry, crs
    shapes = [(field.name, about) for field in schema if (about := _shape_of(field)) is not None]
    if len(shapes) != 1:
        return None, None
    ((name, about),) = shapes
    declared_crs = json.loads(about or "{}").get("crs")
    return name, (
        None
        if declared_crs is None
        else crs_tools.text_of(
            declared_crs if isinstance(declared_crs, str) else json.dumps(declared_crs)
        )
    )


def _shape_of(field: "pa.Field") -> str | None:
    """Returns what a field's type says of its shapes; None if it is no column of WKB."""
    called = getattr(field.type, "extension_name", "")
    if called in SHAPES:
        return str(field.type.__arrow_ext_serialize__().decode())
    about = field.metadata or {}
    if about.get(b"ARROW:extension:name", b"").decode() not in SHAPES:
        return None
    return str(about.get(b"ARROW:extension:metadata", b"").decode())


def _settled(
    field: "pa.Field", column: "pa.ChunkedArray", geometry: str | None
) -> "pa.ChunkedArray":
    """Returns a column in a type that the engine reads: as it is, or each value as text by
    itself. Its type alone decides.
    """
    import pyarrow as pa

    if field.name == geometry:
        stored = (
            chunk.storage if isinstance(chunk, pa.ExtensionArray) else chunk
            for chunk in column.chunks
        )
        return pa.chunked_array(
            [chunk.cast(pa.large_binary()) for chunk in stored], pa.large_binary()
        )
    kind = _deep(field.type)
    if not (_is_read(kind) and _stands_for_itself(field.type) and _casts(field.type)):
        return _worded((_value(one) for chunk in column.chunks for one in chunk), field.name)
    return pa.chunked_array([_cast(chunk, kind) for chunk in column.chunks], kind)


def _stands_for_itself(kind: "pa.DataType") -> bool:
    """Whether a type's storage is what it means: a UUID's bytes are not its text, JSON is."""
    return getattr(kind, "extension_name", "arrow.json") == "arrow.json"


def _casts(kind: "pa.DataType") -> bool:
    """Whether Arrow knows a way from this type to the one that is read."""
    import pyarrow as pa

    try:
        _cast(pa.nulls(1, kind), _deep(kind))
    except pa.ArrowException:
        return False
    return True


def _cast(column: "pa.Array", to: "pa.DataType") -> "pa.Array":
    """Returns a column without dictionaries, views and extensions; Arrow takes views out of
    dictionaries only one by one.
    """
    import pyarrow as pa

    if isinstance(column, pa.ExtensionArray):
        column = column.storage
    return column.cast(_deep(column.type, lists=True), safe=False).cast(to, safe=False)


def _value(one: "pa.Scalar") -> Any:
    """Returns a value of Arrow's as Python's; None if it has none, such as a text that is not
    UTF-8.
    """
    try:
        return one.as_py()
    except (ValueError, OverflowError, TypeError):
        return None


def _worded(values: "Iterator[Any]", name: str) -> "pa.ChunkedArray":
    """Returns each value as text by itself."""
    import pyarrow as pa

    turned = fold_name(name) in nested_json.LATITUDE_FIRST
    left = (as_text(value, turned=turned) for value in values)
    some = list["pa.Array"]()
    while batch := texts(islice(left, nested_json.AT_ONCE)):
        some.append(pa.array(batch, pa.large_string()))
    return pa.chunked_array(some, pa.large_string())


def _deep(kind: Any, *, lists: bool = False) -> Any:
    """Returns a type without views and extensions, at any depth, nor dictionaries (lists of the
    different values) but by `lists`.
    """
    import pyarrow as pa

    if lists and pa.types.is_dictionary(kind):
        return pa.dictionary(kind.index_type, _deep(kind.value_type))
    given = kind
    kind = plain(kind)
    if pa.types.is_string(kind) and kind != given:
        return pa.large_string()
    if pa.types.is_struct(kind):
        fields = (kind.field(at) for at in range(kind.num_fields))
        return pa.struct([(field.name, _deep(field.type, lists=lists)) for field in fields])
    if pa.types.is_fixed_size_list(kind):
        return pa.list_(_deep(kind.value_type, lists=lists), kind.list_size)
    if pa.types.is_list(kind):
        return pa.list_(_deep(kind.value_type, lists=lists))
    return (
        pa.large_list(_deep(kind.value_type, lists=lists)) if pa.types.is_large_list(kind) else kind
    )


def _is_read(kind: Any) -> bool:
    """Whether the engine reads values of this type: others, and bytes, become text one by one."""
    import pyarrow as pa

    types = pa.types
    if types.is_struct(kind):
        return kind.num_fields > 0 and all(
            _is_read(kind.field(at).type) for at in range(kind.num_fields)
        )
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        return _is_read(kind.value_type)
    simple = (
        types.is_boolean,
        types.is_integer,
        types.is_float32,
        types.is_float64,
        types.is_string,
        types.is_large_string,
        types.is_date32,
        types.is_timestamp,
        types.is_time,
        types.is_null,
        types.is_decimal128,
    )
    return any(one(kind) for one in simple)


def _copied(table: "pa.Table") -> "pa.Table":
    """Copies every byte of a table, and nothing that is noted beside its columns: its owner may
    change what it shares.
    """
    import pyarrow as pa

    schema = pa.schema([(field.name, field.type) for field in table.schema])
    table = table.cast(schema).replace_schema_metadata(None)

    def written(sink: Any) -> Any:
        with pa.ipc.new_stream(sink, schema) as out:
            out.write_table(table, max_chunksize=nested_json.AT_ONCE)
        return sink

    held = pa.allocate_buffer(written(pa.MockOutputStream()).size())
    written(pa.FixedSizeBufferWriter(held))
    return pa.ipc.open_stream(held).read_all()


def _of_pandas(frame: "pd.DataFrame") -> "tuple[pa.Table, str | None, str | None]":
    """Takes the columns of a pandas or GeoPandas table one by one, without its index and its
    notes.
    """
    import pyarrow as pa

    if frame.columns.nlevels > 1:
        raise BadInput(
            "survey: the table's header has several levels; give each column one name:"
            " frame.columns = [...]"
        )
    names = list(frame.columns)
    _check_names(names)
    geometry = frame.active_geometry_name if hasattr(type(frame), "active_geometry_name") else None
    columns = [
        _series(frame.iloc[:, at], name, shapes=name == geometry) for at, name in enumerate(names)
    ]
    crs = None if geometry is None or frame.crs is None else crs_tools.text_of(frame.crs)
    return pa.table(columns, names=names), geometry, crs


def _series(series: "pd.Series[Any]", name: str, *, shapes: bool) -> "pa.ChunkedArray":
    """Converts a pandas column: one of a declared type as it is, one of objects value by value."""
    import pandas as pd
    import pyarrow as pa

    kind = series.dtype
    if shapes:
        return _shapes(series)
    declared = isinstance(kind, pd.StringDtype | pd.ArrowDtype)
    if declared or (
        getattr(kind, "kind", "O") in "biufM"
        and not isinstance(kind, pd.SparseDtype | pd.CategoricalDtype)
    ):
        try:
            values = pa.Array.from_pandas(series)
            column = values if isinstance(values, pa.ChunkedArray) else pa.chunked_array([values])
            return _settled(pa.field(name, column.type), column, None)
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            pass  # a text that UTF-8 cannot hold, or wider floats: one by one
    return _objects(series, name)


def _objects(series: "pd.Series[Any]", name: str) -> "pa.ChunkedArray":
    """Converts values of any kind to text, each by itself; where all are texts they are taken as
    they are, which is the same.
    """
    import pandas as pd
    import pyarrow as pa

    values = series.astype(object).to_numpy(dtype=object)
    try:
        if pd.api.types.infer_dtype(values, skipna=True) == "string":
            return pa.chunked_array([pa.array(values, pa.large_string(), mask=pd.isna(values))])
    # half a surrogate pair, or a value that cannot be asked: one by one
    except Exception:  # noqa: BLE001, S110
        pass
    return _worded(iter(values), name)


def _shapes(series: "geopandas.GeoSeries") -> "pa.ChunkedArray":
    """Converts shapes to WKB; one that has none is missing."""
    import pyarrow as pa
    import shapely

    def one(shape: Any) -> bytes | None:
        try:
            raw = shapely.to_wkb(shape)
        except (shapely.errors.GEOSException, ValueError, TypeError):
            return None
        return raw if isinstance(raw, bytes) else None

    def some() -> "Iterator[pa.Array]":
        values = series.to_numpy()
        for start in range(0, len(values), nested_json.AT_ONCE):
            part = values[start : start + nested_json.AT_ONCE]
            try:
                raw = shapely.to_wkb(part).tolist()
            except shapely.errors.GEOSException:
                raw = [one(shape) for shape in part]
            yield pa.array(raw, pa.large_binary())

    return pa.chunked_array(list(some()), pa.large_binary())
