"""Reads tables of an SQLite file, also SpatiaLite, each value by itself as the file holds it.

A column of SQLite has no type of its own, and a reader that gives it one does so by the first value
or the widest. Here every column is text, and each value becomes one by what it is: 1000 and 1000.0
are "1000" wherever they stand.
"""

import os
import sqlite3
import struct
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from dpmap.errors import BadInput, DpmapError, SeveralTables
from dpmap.grid import crs as crs_tools
from dpmap.survey.files.cell_text import number_text
from dpmap.survey.files.sanitize import readable
from dpmap.survey.files.shapes import past_lines
from dpmap.survey.sources import (
    Source,
    check_told_apart,
    list_columns,
    printable_name,
    quote_column,
)

if TYPE_CHECKING:
    import pyarrow as pa

AT_ONCE = 1 << 16
_OWN = (
    "spatial_ref_sys",
    "spatial_ref_sys_aux",
    "spatial_ref_sys_all",
    "spatialite_history",
    "sql_statements_log",
    "spatialindex",
    "spatialindex2",
    "elementarygeometries",
    "knn",
    "knn2",
    "data_licenses",
    "layer_styles",
    "geom_cols_ref_sys",
    "iso_metadata",
    "iso_metadata_reference",
    "raster_coverages",
    "raster_coverages_keyword",
    "raster_coverages_ref_sys",
    "raster_coverages_srid",
    "stored_procedures",
    "stored_variables",
    "topologies",
    "networks",
    "wms_getcapabilities",
    "wms_getmap",
    "wms_ref_sys",
    "wms_settings",
)
_OWN_BEGIN = (
    "sqlite_",
    "geometry_columns",
    "views_geometry_columns",
    "virts_geometry_columns",
    "vector_layers",
    "idx_",
    "vector_coverages",
    "se_",
    "rl2map_",
    "map_configurations",
    "tmp_",
    "gpkg_",
    "rtree_",
)
"""Tables that SpatiaLite and GDAL keep for themselves."""


def is_one(path: str) -> bool:
    """Whether this is an SQLite file on a disk."""
    try:
        with open(path, "rb") as stream:
            return stream.read(16) == b"SQLite format 3\0"
    except OSError:
        return False


def check_settled(path: str, name: str) -> None:
    """Refuses a file beside which a program left changes that are not yet written into it."""
    for ending in ("-wal", "-journal"):
        try:
            with open(path + ending, "rb") as stream:
                begun = any(stream.read(8))
        except OSError:
            continue
        if begun:
            raise BadInput(
                f"survey: beside {printable_name(name)} lie changes not yet written into it"
                f" ({ending});"
                " close the program that has it open, or save a copy with it"
            )


def is_geopackage(path: str) -> bool:
    """Whether an SQLite file has a GeoPackage's list of contents."""
    try:
        with closing(open_unchanging(path)) as database:
            return bool(
                database.execute(
                    "SELECT 1 FROM sqlite_master WHERE name = 'gpkg_contents'"
                ).fetchall()
            )
    except sqlite3.Error:
        return True  # damaged: for GDAL to tell


def tables(path: str, name: str, layer: str | None) -> Source:
    """Opens the table that is meant, chosen by the file's own schema."""
    try:
        with closing(open_unchanging(path)) as database:
            return _source(database, path, name, layer)
    except sqlite3.Error:
        raise _damaged(name) from None


def _source(database: sqlite3.Connection, path: str, name: str, layer: str | None) -> Source:
    shapes = _described(database, name)
    tables = _list_tables(database, shapes)
    table = _choose_table(database, tables, shapes, name, layer)
    table_shapes = shapes.get(table.lower())
    column_rows = database.execute(
        f"SELECT name, type FROM pragma_table_xinfo({_text(table)})"
    ).fetchall()
    columns = [(str(column), str(kind).upper()) for column, kind in column_rows]
    spot = next(
        (
            column
            for column, _ in columns
            if table_shapes and column.lower() == table_shapes.column.lower()
        ),
        None,
    )
    fields = {
        column: _truth if kind in ("BOOLEAN", "INTEGER_BOOLEAN") else _as_text
        for column, kind in columns
        if column != spot
    }
    check_told_apart(tuple(fields), name)
    geometry = "wkb_geometry" if spot else None
    if geometry in fields:
        raise BadInput(
            f"survey: a column of {printable_name(name)} is called {geometry}, as its shapes are;"
            " rename it"
        )

    @contextmanager
    def stream(wanted: list[str]) -> "Iterator[pa.RecordBatchReader]":
        failed = list[DpmapError]()
        acts = [
            table_shapes.act if one == geometry and table_shapes else fields[one] for one in wanted
        ]
        chosen = [spot if one == geometry and spot else one for one in wanted]
        question = (
            f"SELECT {', '.join(map(quote_column, chosen)) or 'NULL'} FROM {quote_column(table)}"
        )
        with closing(open_unchanging(path)) as base:
            try:
                ((rows,),) = base.execute(f"SELECT count(*) FROM {quote_column(table)}").fetchall()
                yield _read_rows(base, question, wanted, acts, table_shapes, failed, name, rows)
            except sqlite3.Error:
                raise _damaged(name) from None
            except Exception:
                if failed:
                    raise failed[0] from None
                raise

    return Source(
        tuple(fields),
        geometry=geometry,
        crs=table_shapes.crs if table_shapes and spot else None,
        stream=stream,
    )


def _read_rows(
    database: sqlite3.Connection,
    question: str,
    names: list[str],
    acts: "list[Callable[[Any], Any]]",
    shapes: "_Shapes | None",
    failed: list[DpmapError],
    name: str,
    expected: int,
) -> "pa.RecordBatchReader":
    """Yields a query's rows in batches: texts, and shapes as they are stored; refuses another
    number of rows than expected.
    """
    import pyarrow as pa

    bytewise = shapes is not None and not shapes.words
    kinds = [pa.binary() if one == "wkb_geometry" and bytewise else pa.string() for one in names]
    schema = pa.schema(list(zip(names, kinds, strict=True)))

    def batches() -> "Iterator[pa.RecordBatch]":
        count = 0
        try:
            cursor = database.execute(question)
            while rows := cursor.fetchmany(AT_ONCE):
                columns = [
                    pa.array(map(act, column), kind)
                    for act, column, kind in zip(acts, zip(*rows, strict=True), kinds, strict=False)
                ]
                count += len(rows)
                yield pa.RecordBatch.from_arrays(columns, schema=schema)
        except sqlite3.Error:
            failed.append(_damaged(name))
            raise failed[0] from None
        if count != expected:
            failed.append(_damaged(name))
            raise failed[0]

    return pa.RecordBatchReader.from_batches(schema, batches())


def open_unchanging(path: str) -> sqlite3.Connection:
    """Opens the file as one that nobody changes, writing nothing beside it; texts of any
    encoding are read.
    """
    address = f"file:{quote(os.path.abspath(path))}?mode=ro&immutable=1"
    database = sqlite3.connect(
        address, uri=True, check_same_thread=False
    )  # the engine reads in a thread of its own
    database.text_factory = readable
    database.execute("PRAGMA trusted_schema = OFF")
    return database


def _damaged(name: str) -> BadInput:
    return BadInput(
        f"survey: {printable_name(name)} breaks off or is damaged inside; copy or export it again"
    )


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _list_tables(database: sqlite3.Connection, shapes: "dict[str, _Shapes]") -> list[str]:
    """Lists the tables that hold data."""
    rows = database.execute(
        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY rowid"
    ).fetchall()
    return [
        str(name)
        for (name,) in rows
        if name.lower() in shapes
        or not (name.lower() in _OWN or name.lower().startswith(_OWN_BEGIN))
    ]


def _choose_table(
    database: sqlite3.Connection,
    tables: list[str],
    shapes: "dict[str, _Shapes]",
    name: str,
    layer: str | None,
) -> str:
    """Returns the table asked for, or the only one with places, or the only one; never a view."""
    if layer is not None and layer not in tables:
        raise BadInput(
            f"survey: {printable_name(name)} has no layer of that name; it has"
            f" {list_columns(tuple(tables))}"
        )
    likely = [layer] if layer else [table for table in tables if table.lower() in shapes] or tables
    if len(likely) != 1:
        if not likely:
            raise BadInput(f"survey: {printable_name(name)} has no table; export it again")
        has = f"several tables ({list_columns(tuple(likely))}); add --layer NAME"
        raise SeveralTables(f"survey: {printable_name(name)} has {has}", "--layer", likely)
    query = (
        "SELECT type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' FROM sqlite_master WHERE name ="
        f" {_text(likely[0])}"
    )
    if database.execute(query).fetchall() != [(1,)]:
        raise BadInput(
            f"survey: a view is the layer of {printable_name(name)}; save what it shows as a table"
            " in a new"
            " file"
        )
    return likely[0]


def _truth(value: Any) -> str | None:
    """Converts a value of a column of booleans."""
    return (
        {0: "false", 1: "true"}.get(value) or _as_text(value)
        if isinstance(value, int)
        else _as_text(value)
    )


def _as_text(value: Any) -> str | None:
    """Converts a value to text; whole numbers get no decimal point."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return readable(value)
    if isinstance(value, float):
        return number_text(value)
    return str(value)


class _Shapes:
    """Describes a table's column of shapes, as the file lists it: how they are stored, and in
    which CRS.
    """

    def __init__(
        self, column: str, act: "Callable[[Any], Any]", crs: str | None, *, words: bool
    ) -> None:
        self.column = column
        self.act = act
        self.crs = crs
        self.words = words


def _described(database: sqlite3.Connection, name: str) -> "dict[str, _Shapes]":
    """Returns the column of shapes of each table, by the table's lower-case name."""
    listing = {
        str(one[1]).lower() for one in database.execute("PRAGMA table_info('geometry_columns')")
    }
    if not {"f_table_name", "f_geometry_column", "srid"} <= listing:
        return {}
    how = "geometry_format" if "geometry_format" in listing else "'spatialite'"
    query = (
        f"SELECT f_table_name, f_geometry_column, srid, lower({how}) FROM geometry_columns ORDER BY"
        " rowid"
    )
    shapes = dict[str, _Shapes]()
    for table, column, srid, kind in database.execute(query).fetchall():
        if kind not in ("spatialite", "wkb", "wkt"):
            raise BadInput(
                f"survey: the shapes of {printable_name(name)} are kept in a way dpmap does not"
                " read; save"
                " it as a GeoPackage"
            )
        if str(table).lower() in shapes:
            raise BadInput(
                f"survey: a table of {printable_name(name)} has two columns of shapes; save it as a"
                " GeoPackage"
            )
        acts: dict[str, Callable[[Any], Any]] = {
            "spatialite": _unwrapper(srid),
            "wkb": _bytes,
            "wkt": _words,
        }
        shapes[str(table).lower()] = _Shapes(
            str(column), acts[kind], _system(database, srid), words=kind == "wkt"
        )
    return shapes


def _system(database: sqlite3.Connection, srid: Any) -> str | None:
    """Returns the CRS with this number in the file's own list."""
    names = {
        str(one[1]).lower() for one in database.execute("PRAGMA table_info('spatial_ref_sys')")
    }
    if not {"srid", "auth_name", "auth_srid"} <= names or srid in (None, 0, -1):
        return None
    words = "srtext" if "srtext" in names else "NULL"
    rows = database.execute(
        f"SELECT auth_name, auth_srid, {words} FROM spatial_ref_sys WHERE srid = ?", (srid,)
    ).fetchall()
    for authority, code, text in rows[:1]:
        if str(authority).upper() == "EPSG":
            return crs_tools.text_of(f"EPSG:{code}")
        if text:
            return crs_tools.text_of(str(text))
    return None


def _bytes(value: Any) -> bytes | None:
    return value if isinstance(value, bytes) else None


def _words(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _unwrapper(srid: Any) -> "Callable[[Any], bytes | None]":
    """Returns a function from SpatiaLite's form of a shape to WKB, or None if the shape names
    another CRS than its table.
    """

    def unwrapped(value: Any) -> bytes | None:
        if not isinstance(value, bytes):
            return None
        try:
            return _wkb(value, srid)
        except (struct.error, IndexError):
            return None

    return unwrapped


def _wkb(raw: bytes, srid: Any) -> bytes | None:
    """Returns the WKB inside a SpatiaLite shape, which has a head, a tail and a byte before each
    part.
    """
    if len(raw) < 45 or raw[0] != 0 or raw[1] not in (0, 1) or raw[38] != 0x7C or raw[-1] != 0xFE:
        return None
    order = "><"[raw[1]]
    (system,) = struct.unpack_from(f"{order}i", raw, 2)
    if system not in (srid, 0, -1):
        return None
    (kind,) = struct.unpack_from(f"{order}I", raw, 39)
    start = raw[1:2]
    body = start + raw[39:-1]
    if kind % 1000 in (1, 2, 3) and kind < 4000:
        return body
    if not (4 <= kind % 1000 <= 7 and kind < 4000):  # compressed, or none
        return None
    marked = bytearray(body)
    at = 9
    (parts,) = struct.unpack_from(f"{order}I", body, 5)
    for _ in range(parts):
        if marked[at] != 0x69:
            return None
        marked[at] = raw[1]
        (part,) = struct.unpack_from(f"{order}I", body, at + 1)
        if part % 1000 not in (1, 2, 3) or part >= 4000:
            return None
        corner = (16, 24, 24, 32)[part // 1000]
        at = (
            at + 5 + corner
            if part % 1000 == 1
            else past_lines(body, at + 5, order, corner, rings=part % 1000 == 3)
        )
    return bytes(marked)
