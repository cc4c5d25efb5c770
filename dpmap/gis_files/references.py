"""Refuses layers and rasters that name other files: in a CRS, a view, a virtual or a computed
table.
"""

import os
import re
import sqlite3
from contextlib import closing
from urllib.parse import quote

from dpmap.crs_text import bytes_name_files, file_names_files, names_files
from dpmap.errors import BadInput
from dpmap.plain_file import shown_name

LARGEST_HEADER = 1 << 24
LONGEST_PRJ = 1 << 16
_VIRTUAL = re.compile(r"\s*CREATE\s+VIRTUAL", re.IGNORECASE)


def check_definition(path: str, role: str) -> None:
    """Refuse a geodatabase, a shapefile or FlatGeobuf whose CRS names files."""
    if os.path.isdir(path):
        check_geodatabase(path, role)
    elif path.lower().endswith(".shp"):
        check_projection_file(path, role)
    else:
        check_flatgeobuf(path, role)


def check_geodatabase(path: str, role: str) -> None:
    """Refuse a file geodatabase with a CRS that names files, in any of its tables."""
    for entry in sorted(os.listdir(path)):
        table = os.path.join(path, entry)
        if entry.lower().endswith(".gdbtable") and file_names_files(table):
            raise defined_elsewhere(path, role)


def defined_elsewhere(path: str, role: str) -> BadInput:
    """Return the error for a file whose CRS is defined by other files."""
    return BadInput(
        f"{role}: the CRS of {shown_name(path)} is defined by other files; save the layer again in"
        " a CRS with a code, such as EPSG:4326"
    )


def check_projection_file(path: str, role: str) -> None:
    """Refuse a shapefile or raster beside which a .prj names files."""
    stem = os.path.splitext(path)[0]
    for ending in (".prj", ".PRJ", ".Prj"):
        try:
            with open(stem + ending, "rb") as file:
                text = file.read(LONGEST_PRJ + 1)
        except OSError:
            continue
        if len(text) > LONGEST_PRJ or names_files(text.decode("latin-1")):
            raise defined_elsewhere(path, role)


def check_flatgeobuf(path: str, role: str) -> None:
    """Refuse a FlatGeobuf file whose header, which holds its CRS, names files."""
    with open(path, "rb") as file:
        check_flatgeobuf_head(file.read(LARGEST_HEADER), shown_name(path), role)


def check_flatgeobuf_head(head: bytes, name: str, role: str) -> None:
    """Refuse a head that is none of FlatGeobuf: a text for another driver, or a CRS that names
    files.

    A header below 16 MB has a null byte as the last of its length, at which every driver that looks
    for words in a file's head stops.
    """
    size = int.from_bytes(head[8:12], "little")
    if not head.startswith(b"fgb\x03fgb") or not 0 < size < LARGEST_HEADER:
        raise BadInput(
            f"{role}: {name} cannot be read as a vector layer; it may be damaged, so export it"
            " again"
        )
    if bytes_name_files(head[: 12 + size]):
        raise defined_elsewhere(name, role)


def check_geopackage(path: str, layer: str | None, role: str) -> None:
    """Refuse a GeoPackage whose own tables, or the layer that is meant, are views or virtual, or
    whose CRS names files.

    Only the schema and the lists of a GeoPackage are read, by a connection that runs nothing of the
    file's.
    """
    name = shown_name(path)
    address = f"file:{quote(os.path.abspath(path))}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(address, uri=True)) as database:
            database.execute("PRAGMA trusted_schema = OFF")
            database.text_factory = lambda text: text.decode("utf-8", "replace")
            kinds = {
                str(table).lower(): (str(kind), str(sql or ""))
                for table, kind, sql in database.execute(
                    "SELECT name, type, sql FROM sqlite_master WHERE type IN ('table', 'view')"
                )
            }
            if "gpkg_contents" not in kinds:
                raise BadInput(
                    f"{role}: {name} is an SQLite file but no GeoPackage; save the layer as one"
                )
            views = {table for table, (kind, _) in kinds.items() if kind == "view"}
            virtual = {table for table, (_, sql) in kinds.items() if _is_foreign(sql)}
            own_views = any(table.startswith(("gpkg_", "rtree_", "sqlite_")) for table in views)
            plain = (
                table
                for table, (kind, sql) in kinds.items()
                if kind == "table" and not _VIRTUAL.match(sql)
            )
            if virtual or own_views or any(_is_computed(database, table) for table in plain):
                raise BadInput(
                    f"{role}: {name} has tables that are made of others; save it as a table in a"
                    " new GeoPackage"
                )
            if views and role != "survey":  # whose reader looks at the layers that it reads
                layers = {
                    str(one).lower()
                    for (one,) in database.execute("SELECT table_name FROM gpkg_contents")
                }
                if views & (layers | {(layer or "").lower()}):
                    raise BadInput(
                        f"{role}: {name} has a view as a layer; save it as a table in a new"
                        " GeoPackage"
                    )
            if "gpkg_spatial_ref_sys" in kinds and _systems_name_files(database):
                raise defined_elsewhere(path, role)
    except sqlite3.Error:
        raise BadInput(
            f"{role}: {name} cannot be read as a layer; it may be damaged, so save it again as a"
            " GeoPackage"
        ) from None


def _is_computed(database: sqlite3.Connection, table: str) -> bool:
    """Return whether a table has a generated column, which may call whatever functions GDAL adds
    to SQLite.
    """
    query = "SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden IN (2, 3)"
    return database.execute(query, (table,)).fetchone() is not None


def _is_foreign(sql: str) -> bool:
    """Return whether a table is virtual, and not one of SQLite's own indexes."""
    module = re.match(
        r"\s*CREATE\s+VIRTUAL\s+TABLE.*?\bUSING\s+[\"'`\[]?(\w+)", sql, re.IGNORECASE | re.DOTALL
    )
    return bool(_VIRTUAL.match(sql)) and (
        module is None or module[1].lower() not in ("rtree", "rtree_i32", "fts3", "fts4", "fts5")
    )


def _systems_name_files(database: sqlite3.Connection) -> bool:
    rows = database.execute("SELECT * FROM gpkg_spatial_ref_sys")
    return any(isinstance(value, str) and names_files(value) for row in rows for value in row)
