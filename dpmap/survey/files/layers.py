"""Reads layers with geometry through GDAL, for formats whose files declare their columns and types.

GeoPackage, shapefile, FlatGeobuf and file geodatabases: what a column is stands in the file's own
schema, so no record decides how another is read. SQLite, which declares less, has a reader of its
own (`sqlite`).
"""

import os
import re
import struct
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dpmap.errors import BadInput, DpmapError, SeveralTables
from dpmap.gis_files.references import check_definition, check_geopackage
from dpmap.grid import crs as crs_tools
from dpmap.network_guard import offline
from dpmap.plain_file import check_parts
from dpmap.private_folder import private_folder
from dpmap.survey.files import record_counts, sqlite
from dpmap.survey.files.archives import copy_to
from dpmap.survey.files.sanitize import plain, sound
from dpmap.survey.files.tables import FilePiece
from dpmap.survey.sources import (
    EVERY,
    Schema,
    Source,
    check_told_apart,
    list_columns,
    list_nameless,
    printable_name,
    quote_column,
)

if TYPE_CHECKING:
    import pyarrow as pa

GEOPACKAGE = "GPKG"
SHAPEFILE = "ESRI Shapefile"
FLATGEOBUF = "FlatGeobuf"
DRIVERS = (GEOPACKAGE, SHAPEFILE, FLATGEOBUF, "OpenFileGDB")
NOT_DATA = ("layer_styles", "qgis_projects")
SIDES = (".shx", ".dbf", ".prj", ".cpg")
"""The files that a shapefile is made of besides."""
MOST_TOGETHER = 100
"""Layers that are read as one table: each is open while they are."""


@dataclass(frozen=True, slots=True)
class _Layer:
    """Describes a layer as GDAL opens it: its columns' declared `types`, and the `count` of
    records it says it has.
    """

    path: str
    name: str
    driver: str
    types: dict[str, str]
    geometry: str | None
    crs: str | None
    count: int
    shapes: str

    @property
    def drawn(self) -> bool:
        """Whether the layer declares lines or areas: shapes that have no place of their own."""
        return any(word in self.shapes for word in ("LineString", "Polygon", "Curve", "Surface"))

    @property
    def options(self) -> dict[str, str]:
        """Options that open a GeoPackage as an unchanging file, so that SQLite writes nothing
        beside it.
        """
        return _options(self.path) if self.driver == GEOPACKAGE else {}


def open_packed_layer(piece: FilePiece, beside: dict[str, FilePiece], layer: str | None) -> Source:
    """Opens a layer of an archive, each time from a copy of it and of the files of a shapefile
    `beside` it, by their endings.

    So no reader of archives is believed but the one that lists their members, and nothing else that
    lies there lends a layer anything.
    """
    if not piece.packed:
        raise BadInput(
            f"survey: {printable_name(piece.name)} is a layer, which is read from a disk only;"
            " fetch it and"
            " give the file"
        )
    stem, ending = os.path.splitext(piece.name)
    stem = stem if re.fullmatch(r"[\w .()-]{1,60}", stem) else "layer"

    def opened(folder: str) -> Source:
        for side, other in beside.items():
            copy_to(other, os.path.join(folder, stem + side))
        return vector(
            copy_to(piece, os.path.join(folder, stem + ending.lower())), piece.name, layer
        )

    with private_folder() as folder:
        opened_layer = opened(folder)

    @contextmanager
    def stream(wanted: list[str]) -> "Iterator[pa.RecordBatchReader]":
        with private_folder() as folder:
            source = opened(folder)
            if source.stream is None or (source.columns, source.geometry) != (
                opened_layer.columns,
                opened_layer.geometry,
            ):
                raise _breaks_off(piece.name)
            with source.stream(wanted) as reader:
                yield reader

    return replace(opened_layer, stream=stream, cut=None)


def vector(path: str, name: str, layer: str | None) -> Source:
    """Opens any vector layer that GDAL reads, as a stream."""
    path = os.path.abspath(path)
    check_parts(path, "survey")
    if sqlite.is_one(path):
        sqlite.check_settled(path, name)
        if not sqlite.is_geopackage(path):
            return sqlite.tables(path, name, layer)
        check_geopackage(path, layer, "survey")
    else:
        check_definition(path, "survey")
    if path.lower().endswith(".shp"):
        _check_whole_shapefile(path, name)
    return _source(_find_layers(_openable(path), name, layer), name)


def _source(described: list[_Layer], name: str) -> Source:
    """Makes the source of one layer, or of several with the same columns."""
    columns = tuple(described[0].types)
    check_told_apart(columns, name)

    @contextmanager
    def stream(wanted: list[str]) -> "Iterator[pa.RecordBatchReader]":
        failed = list[DpmapError]()
        try:
            with ExitStack() as held:
                opened = [held.enter_context(_streamed(one, wanted)) for one in described]
                yield _in_turn(
                    [
                        _check_whole(*pair, name, failed)
                        for pair in zip(opened, described, strict=True)
                    ],
                    name,
                )
        except Exception as error:
            if failed:  # the engine's own words for it would quote it
                raise failed[0] from None
            if type(error).__module__.startswith("pyogrio"):
                raise _no_layer(name) from None
            raise

    drawn = all(one.drawn for one in described)
    whole = Source(
        columns,
        geometry=described[0].geometry,
        crs=described[0].crs,
        stream=stream,
        drawn=drawn,
        text=Schema(columns, nameless=list_nameless(described[0].types.items())),
    )
    several = len(described) > 1
    return (
        replace(whole, cut=lambda _: [_source([one], name) for one in described])
        if several
        else whole
    )


def _find_layers(path: str, name: str, layer: str | None) -> list[_Layer]:
    """Finds the wanted layer in the file's own schema, or every layer with places."""
    import pyogrio

    geopackage = sqlite.is_one(_on_disk(path))
    try:
        with quiet():
            layers = _geopackage_layers(path) if geopackage else pyogrio.list_layers(path).tolist()
            kinds = {str(key): kind for key, kind in layers}
            chosen = (
                _every(kinds, printable_name(name))
                if layer == EVERY
                else [_choose_layer(kinds, printable_name(name), layer)]
            )
            if geopackage:
                _check_are_tables(path, chosen, name)
            described = [_described(path, one, name) for one in chosen]
    except DpmapError:
        raise
    except Exception:  # noqa: BLE001  # whatever a hostile file makes a parser raise
        raise _no_layer(name) from None
    _check_alike(described, name)
    return described


def _described(path: str, layer: str, name: str) -> _Layer:
    """Returns what the file's own schema says of a layer."""
    import pyogrio

    about = pyogrio.read_info(path, layer=layer, **_options(path))
    driver = str(about["driver"])
    _check_declares(driver, name)
    types = {
        str(column): str(kind)
        for column, kind in zip(about["fields"], about["dtypes"], strict=True)
    }
    if len(types) < len(about["fields"]):
        raise BadInput(
            f"survey: two columns of {printable_name(name)} have the same name; rename one"
        )
    unknown = (
        not about["crs"] or '"Undefined ' in about["crs"][:40]
    )  # a GeoPackage's words for having none
    crs = None if unknown else crs_tools.text_of(about["crs"])
    geometry = "wkb_geometry" if about["geometry_type"] else None
    return _Layer(
        path,
        layer,
        driver,
        types,
        geometry,
        crs,
        int(about["features"]),
        str(about["geometry_type"]),
    )


def _check_alike(described: list[_Layer], name: str) -> None:
    """Refuses layers that cannot be read as one table: one person may have made a layer, and
    must decide nothing of the others'.
    """
    schemas = [(set(one.types.items()), one.crs) for one in described]
    odd = [
        one.name
        for one, schema in zip(described, schemas, strict=True)
        if schema != max(schemas, key=schemas.count)
    ]
    if odd:
        raise BadInput(
            f"survey: the layers of {printable_name(name)} are no parts of one table:"
            f" {list_columns(tuple(odd))}"
            " has other columns, types or CRS than others; give one of them with --layer NAME, or"
            " join them in QGIS"
        )


def _options(path: str) -> dict[str, str]:
    """Returns GDAL's options for a file: SQLite files are opened as unchanging, unless GDAL
    would misread their names.
    """
    plain_name = not any(mark in path for mark in "%?#")
    return {"IMMUTABLE": "YES"} if plain_name and sqlite.is_one(_on_disk(path)) else {}


def _on_disk(path: str) -> str:
    """Returns the file's path without GDAL's own prefixes."""
    return path.removeprefix("/vsisubfile/0,")


def _check_declares(driver: str, name: str) -> None:
    """Refuses formats that do not declare their columns, whose types GDAL would guess from the
    records.
    """
    if driver == "SQLite":
        raise _no_geopackage(name)
    if driver not in DRIVERS:
        raise BadInput(
            f"survey: {printable_name(name)} is no layer that declares its columns; save it as a"
            " GeoPackage,"
            " shapefile or FlatGeobuf"
        )


def _geopackage_layers(path: str) -> list[tuple[str, str | None]]:
    """Lists a GeoPackage's tables and views with the kind of geometry of each, as its own schema
    says.
    """
    tables = _query_texts(
        path,
        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE"
        " 'gpkg\\_%' ESCAPE '\\' AND name NOT LIKE 'rtree\\_%' ESCAPE '\\' AND name NOT LIKE"
        " 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
    )
    rows = _query_texts(path, "SELECT table_name FROM gpkg_geometry_columns")
    placed = {table.lower() for table in rows}
    return [(table, "geometry" if table.lower() in placed else None) for table in tables]


def _check_are_tables(path: str, layers: list[str], name: str) -> None:
    """Refuses a view or a virtual table, whose rows may depend on each other."""
    views = _query_texts(
        path,
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'",
    )
    if not {layer.lower() for layer in layers} <= set(map(str.lower, views)):
        raise BadInput(
            f"survey: {printable_name(name)} has a view as a layer; save it as a table in a new"
            " GeoPackage"
        )


def _query_texts(path: str, question: str) -> list[str]:
    """Returns the texts that answer a query to a GeoPackage's schema."""
    import pyogrio

    *_, columns = pyogrio.raw.read(path, sql=question, read_geometry=False, **_options(path))
    return [str(value) for value in columns[0]] if columns else []


@contextmanager
def _streamed(layer: _Layer, wanted: list[str]) -> "Iterator[pa.RecordBatchReader]":
    """Streams a layer's wanted columns in batches, the geometry under the one name dpmap uses."""
    import pyogrio

    fields = [column for column in wanted if column != layer.geometry]
    # GDAL's fast FlatGeobuf reader stops at a feature without geometry; its plain one does not
    pyogrio.set_gdal_config_options(
        {"OGR_FLATGEOBUF_STREAM_BASE_IMPL": "YES", "CPL_LOG": os.devnull}
    )
    with (
        quiet(),
        pyogrio.open_arrow(
            layer.path,
            layer=layer.name,
            columns=fields,
            read_geometry=layer.geometry in wanted,
            where=_as_declared(layer, fields) if layer.driver == GEOPACKAGE else None,
            datetime_as_string=True,  # as it was written: the day on which it was where it was
            use_pyarrow=True,
            batch_size=65536,
            **layer.options,
        ) as (meta, reader),
    ):
        yield _renamed(reader, meta, layer.geometry)


_WHOLE = {"int16": 1 << 15, "int32": 1 << 31, "int64": 1 << 63}


def _as_declared(layer: _Layer, fields: list[str]) -> str:
    """Builds the condition that a GeoPackage row's values have the types that the schema declares.

    SQLite lets any value stand in any column; GDAL would take a text for the number 0 and a strange
    date for 1970.
    """
    return " AND ".join(
        ["1 = 1", *(_is_declared(quote_column(field), layer.types[field]) for field in fields)]
    )


def _is_declared(column: str, kind: str) -> str:
    if kind == "bool":
        condition = f"{column} IN (0, 1)"
    elif kind in _WHOLE:
        condition = f"typeof({column}) = 'integer'"
        if kind != "int64":
            condition += f" AND {column} >= {-_WHOLE[kind]} AND {column} < {_WHOLE[kind]}"
    elif kind.startswith("float"):
        condition = f"typeof({column}) IN ('real', 'integer')"
    elif kind == "datetime64[D]":
        day = f"substr({column}, 1, 10)"
        condition = (
            f"date({day}) = {day} AND (length({column}) = 10 OR datetime({column}) IS NOT NULL)"
        )
    else:
        return "1 = 1"
    return f"({column} IS NULL OR {condition})"


def _no_geopackage(name: str) -> BadInput:
    return BadInput(
        f"survey: {printable_name(name)} is an SQLite file but no GeoPackage; give it by itself,"
        " not in an"
        " archive, or save it as one"
    )


def _no_layer(name: str) -> BadInput:
    return BadInput(
        f"survey: {printable_name(name)} cannot be read as a vector layer; it may be damaged, so"
        " export it"
        " again"
    )


def _breaks_off(name: str) -> BadInput:
    return BadInput(
        f"survey: {printable_name(name)} breaks off or is damaged inside; copy or export it again"
    )


def _openable(path: str) -> str:
    """Returns the path as GDAL opens it: pyogrio takes some characters for parts of an address,
    but not below /vsisubfile/.
    """
    if path.startswith("/vsi") or not any(mark in path for mark in ";!\n\r\t"):
        return path
    if path.lower().endswith((".shp", ".gdb")):
        raise BadInput(
            "survey: GDAL opens no such layer whose path holds ; ! or a line break; rename it"
        )
    return f"/vsisubfile/0,{os.path.abspath(path)}"


def _check_whole_shapefile(path: str, name: str) -> None:
    """Refuses a shapefile if one of its three files is shorter than its header says, or has
    another number of records.
    """
    with open(path, "rb") as stream:
        head = stream.read(28)
    whole = int.from_bytes(head[24:28], "big") * 2 <= os.path.getsize(path)
    counts = set[int]()
    index = _file_beside(path, ".shx")
    table = _file_beside(path, ".dbf")
    if index is not None:
        counts.add((os.path.getsize(index) - 100) // 8)
    if table is not None:
        with open(table, "rb") as stream:
            head = stream.read(12).ljust(12, b"\0")
        records, start, width = struct.unpack("<IHH", head[4:12])
        whole = whole and start + records * width <= os.path.getsize(table)
        counts.add(records)
    if not whole:
        raise BadInput(f"survey: {printable_name(name)} breaks off; copy or export it again")
    if len(counts) > 1:
        raise BadInput(
            f"survey: {printable_name(name)} and the .shx and .dbf beside it hold different"
            " numbers of"
            " records; export it again"
        )


def _file_beside(path: str, ending: str) -> str | None:
    """Finds the file beside a shapefile with this ending, in upper or lower case."""
    stem = os.path.splitext(path)[0]
    return next(
        (one for one in (stem + ending, stem + ending.upper()) if os.path.isfile(one)), None
    )


def _check_whole(
    reader: "pa.RecordBatchReader", layer: _Layer, name: str, failed: list[DpmapError]
) -> "pa.RecordBatchReader":
    """Passes batches on, and refuses a layer of which another number of records is read than it
    holds.
    """
    import pyarrow as pa

    expected = _count(layer, reader.schema.names)

    def batches() -> "Iterator[pa.RecordBatch]":
        rows = 0
        try:
            for batch in reader:
                rows += batch.num_rows
                yield batch
        except (pa.ArrowException, OSError):
            failed.append(_breaks_off(name))
            raise failed[0] from None
        if rows != expected:
            failed.append(_breaks_off(name))
            raise failed[0]

    return pa.RecordBatchReader.from_batches(reader.schema, batches())


def _count(layer: _Layer, columns: list[str]) -> int | None:
    """Returns how many records a layer holds, counted without GDAL where that can be: in the table
    that SQLite reads, of a shapefile those that are not marked deleted, of a FlatGeobuf those that
    follow its header.
    """
    path = _on_disk(layer.path)
    if layer.driver == GEOPACKAGE:
        fields = [column for column in columns if column != layer.geometry]
        return record_counts.count_table(path, layer.name, _as_declared(layer, fields))
    if layer.driver == SHAPEFILE:
        table = _file_beside(path, ".dbf")
        index = _file_beside(path, ".shx")
        if table is None:
            return None if index is None else (os.path.getsize(index) - 100) // 8
        return record_counts.count_dbase(table)
    return record_counts.count_flatgeobuf(path) if layer.driver == FLATGEOBUF else layer.count


@contextmanager
def quiet() -> Iterator[None]:
    """Silences GDAL's warnings: they quote values, and none may reach the screen."""
    with warnings.catch_warnings(), offline():
        warnings.simplefilter("ignore")
        yield


def _choose_layer(layers: dict[str, Any], name: str, layer: str | None) -> str:
    """Returns the layer asked for, or the only one with places; the steward must choose among
    several.
    """
    if layer is not None:
        if layer not in layers:
            raise BadInput(
                f"survey: {name} has no layer of that name; it has {list_columns(tuple(layers))}"
            )
        return layer
    placed = [
        one for one, kind in layers.items() if kind is not None and one not in NOT_DATA
    ] or list(layers)
    if len(placed) != 1:
        several = (
            f"several layers ({list_columns(tuple(placed))}); add --layer NAME, or --layer {EVERY}"
            " if"
            " they have the same columns"
        )
        raise SeveralTables(f"survey: {name} has {several}", "--layer", placed)
    return placed[0]


def _every(layers: dict[str, Any], name: str) -> list[str]:
    """Returns every layer with places; refused where one is itself called `all`, as it would
    decide whether others count.
    """
    placed = [one for one, kind in layers.items() if kind is not None and one not in NOT_DATA]
    named = [EVERY] if EVERY in layers else []
    if named and set(placed) - {EVERY}:
        raise BadInput(
            f"survey: {name} has a layer called {EVERY} beside others, which --layer {EVERY} may"
            " mean or not; rename it"
        )
    if not placed + named or len(placed) > MOST_TOGETHER:
        raise BadInput(
            f"survey: {name} has"
            f" {f'more than {MOST_TOGETHER} layers' if placed else 'no layer with places'}; add"
            " --layer NAME"
        )
    return named or placed


def _in_turn(readers: "list[pa.RecordBatchReader]", name: str) -> "pa.RecordBatchReader":
    """Passes on the batches of several layers, one layer after the other, with their columns in
    the order of the first.
    """
    import pyarrow as pa

    schema = readers[0].schema
    if any(
        {(one.name, one.type) for one in reader.schema} != {(one.name, one.type) for one in schema}
        for reader in readers
    ):
        raise BadInput(
            f"survey: the layers of {printable_name(name)} are no parts of one table: their types"
            " differ;"
            " give one with --layer NAME"
        )
    batches = (batch.select(schema.names) for reader in readers for batch in reader)
    return readers[0] if len(readers) == 1 else pa.RecordBatchReader.from_batches(schema, batches)


def _renamed(
    reader: "pa.RecordBatchReader", meta: dict[str, Any], geometry: str | None
) -> "pa.RecordBatchReader":
    """Passes batches on with values the engine can read, and the geometry as plain bytes under
    the one name dpmap uses.
    """
    import pyarrow as pa

    geometry_column = meta["geometry_name"] or "wkb_geometry"
    names = [
        geometry if field.name == geometry_column and geometry else field.name
        for field in reader.schema
    ]
    schema = pa.schema(
        [
            pa.field(name, plain(field.type))
            for name, field in zip(names, reader.schema, strict=True)
        ]
    )
    batches = (sound(batch.columns, schema) for batch in reader)
    return pa.RecordBatchReader.from_batches(schema, batches)
