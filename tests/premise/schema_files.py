"""Writers of surveys in formats that declare their own columns: each puts records, odd ones too, as raw as the format
can hold them.

A record is a dictionary with the keys of `KEYS`; a value is a text, a whole number, a float, bytes or None, whatever the
column's type. Coordinates that are numbers make a point; bytes in `lon` stand for the whole shape as they are.
"""

import json
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import geopandas as gpd
import pyarrow as pa
import pyarrow.parquet as pq
import shapely

KEYS = ("who", "lon", "lat", "date", "consent", "note")
Record = dict[str, Any]


def wkb_of(record: Record) -> bytes | None:
    """The record's shape as a layer holds it."""
    lon, lat = record["lon"], record["lat"]
    if isinstance(lon, bytes):
        return lon
    if isinstance(lon, int | float) and isinstance(lat, int | float):
        return struct.pack("<BIdd", 1, 1, lon, lat)
    return None


def _stored(value: Any) -> Any:
    """A value as SQLite takes it."""
    return value if not isinstance(value, int) or abs(value) < 1 << 63 else str(value)


def _geopackage(path: Path, records: list[Record], types: dict[str, str]) -> Path:
    """A GeoPackage as GDAL makes it, its rows put in by SQLite, which takes any value in any column."""
    path = path.with_suffix(".gpkg")
    empty = gpd.GeoDataFrame({"note": ["x"]}, geometry=[shapely.Point(0, 0)], crs="EPSG:4326")
    empty.to_file(path, layer="seen", driver="GPKG", SPATIAL_INDEX="NO")
    with closing(sqlite3.connect(path)) as database:
        database.execute("DELETE FROM seen")
        for name, kind in types.items():
            database.execute(f'ALTER TABLE seen ADD COLUMN "{name}" {kind}')
        names = [*types, "note"]
        for record in records:
            shape = wkb_of(record)
            blob = None if shape is None else b"GP\0\1" + struct.pack("<i", 4326) + shape
            marks = ", ".join("?" * (len(names) + 1))
            database.execute(
                f"INSERT INTO seen (geom, {', '.join(names)}) VALUES ({marks})",
                [blob, *(_stored(record[name]) for name in names)],
            )
        database.commit()
    return path


def geopackage(path: Path, records: list[Record]) -> Path:
    """A GeoPackage of texts."""
    return _geopackage(path, records, {"who": "TEXT", "date": "DATETIME", "consent": "TEXT"})


def typed_geopackage(path: Path, records: list[Record]) -> Path:
    """A GeoPackage of whole numbers, days and truths, in whose columns anything may stand."""
    return _geopackage(path, records, {"who": "INTEGER", "date": "DATE", "consent": "BOOLEAN"})


def sqlite_table(path: Path, records: list[Record]) -> Path:
    """An SQLite table whose columns have no types, with coordinates in two of them."""
    path = path.with_suffix(".sqlite")
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE seen (who, longitude, latitude, date, consent, note)")
        rows = [[_stored(record[key]) for key in KEYS] for record in records]
        database.executemany("INSERT INTO seen VALUES (?, ?, ?, ?, ?, ?)", rows)
        database.commit()
    return path


def spatialite(path: Path, records: list[Record]) -> Path:
    """An SQLite layer as SpatiaLite keeps it, its columns of mixed types."""
    path = path.with_suffix(".sqlite")
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            "CREATE TABLE geometry_columns (f_table_name TEXT, f_geometry_column TEXT, geometry_type INTEGER, "
            "coord_dimension INTEGER, srid INTEGER, spatial_index_enabled INTEGER);"
            "CREATE TABLE spatial_ref_sys (srid INTEGER PRIMARY KEY, auth_name TEXT, auth_srid INTEGER, srtext TEXT);"
            "INSERT INTO geometry_columns VALUES ('seen', 'place', 1, 2, 4326, 0);"
            "INSERT INTO spatial_ref_sys VALUES (4326, 'epsg', 4326, '');"
            "CREATE TABLE seen (id INTEGER PRIMARY KEY, who, date DATE, consent BOOLEAN, note VARCHAR(5), place POINT)"
        )
        for record in records:
            raw = wkb_of(record)
            if raw is not None and record["lon"] is not raw:
                raw = (
                    b"\0\1"
                    + struct.pack("<i4d", 4326, *(2 * struct.unpack("<dd", raw[5:])))
                    + b"\x7c"
                    + raw[1:]
                    + b"\xfe"
                )
            database.execute(
                "INSERT INTO seen (who, date, consent, note, place) VALUES (?, ?, ?, ?, ?)",
                [*(_stored(record[key]) for key in ("who", "date", "consent", "note")), raw],
            )
        database.commit()
    return path


def _dbf_text(value: Any, width: int) -> bytes:
    raw = value if isinstance(value, bytes) else b"" if value is None else str(value).encode()
    return raw[:width].ljust(width)


def _shapefile(
    path: Path, records: list[Record], kinds: dict[str, str], encoding: str | None
) -> Path:
    """A shapefile made byte by byte, so that its table may hold anything."""
    fields = [(name, kind[0].encode(), int(kind[1:])) for name, kind in kinds.items()]
    width = 1 + sum(size for *_, size in fields)
    table = struct.pack("<4BIHH17xBxx", 3, 124, 1, 1, len(records), 33 + 32 * len(fields), width, 0)
    for name, kind, size in fields:
        table += name.encode().ljust(11, b"\0") + kind + bytes(4) + bytes([size, 0]) + bytes(14)
    table += b"\r"
    body, index = b"", b""
    for number, record in enumerate(records, start=1):
        deleted = record["note"] == "deleted"
        table += (b"*" if deleted else b" ") + b"".join(
            _dbf_text(record[name], size) for name, _, size in fields
        )
        shape = wkb_of(record)
        if shape is None:
            content = struct.pack("<i", 0)
        elif record["lon"] is shape:
            content = (shape + bytes(-len(shape) % 2))[:400]
        else:
            content = struct.pack("<i", 1) + shape[5:]
        index += struct.pack(">ii", 50 + len(body) // 2, len(content) // 2)
        body += struct.pack(">ii", number, len(content) // 2) + content
    for suffix, what in ((".shp", body), (".shx", index)):
        head = struct.pack(">7i", 9994, 0, 0, 0, 0, 0, 50 + len(what) // 2) + struct.pack(
            "<ii8d", 1000, 1, *range(8)
        )
        path.with_suffix(suffix).write_bytes(head + what)
    path.with_suffix(".dbf").write_bytes(table + b"\x1a")
    path.with_suffix(".prj").write_text(shapely_wgs84())
    if encoding is not None:
        path.with_suffix(".cpg").write_text(encoding)
    return path.with_suffix(".shp")


def shapely_wgs84() -> str:
    """The words of a .prj file for degrees."""
    return (
        'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],'
        'PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]'
    )


def shapefile(path: Path, records: list[Record]) -> Path:
    """A shapefile of texts that says nothing of their encoding."""
    return _shapefile(
        path, records, {"who": "C20", "date": "C20", "consent": "C8", "note": "C9"}, None
    )


def typed_shapefile(path: Path, records: list[Record]) -> Path:
    """A shapefile of numbers, days and truths, said to be UTF-8."""
    return _shapefile(
        path, records, {"who": "N12", "date": "D8", "consent": "L1", "note": "C9"}, "UTF-8"
    )


def _flat(raw: bytes | None) -> Any:
    """The shape without height, if GEOS and GDAL make one of it."""
    try:
        shape = shapely.from_wkb(raw, on_invalid="ignore")
        broken = (
            shape is None
            or shape.geom_type == "GeometryCollection"
            or shapely.get_dimensions(shape) < 0
        )
        return None if broken else shapely.force_2d(shape)
    except NotImplementedError:  # a curve
        return None


def flatgeobuf(path: Path, records: list[Record]) -> Path:
    """A FlatGeobuf of texts; bytes are put in place of a text of the same length once it is written."""
    path, marks = path.with_suffix(".fgb"), dict[str, bytes]()

    def worded(value: Any, number: int) -> str | None:
        if isinstance(value, bytes):
            mark = f"@{number:x}".ljust(max(8, len(value)), "@")
            marks[mark] = value.ljust(len(mark))
            return mark
        return None if value is None else str(value)

    texts = {
        key: [worded(record[key], number * 8 + at) for number, record in enumerate(records)]
        for at, key in enumerate(("who", "date", "consent", "note"))
    }
    flat = [_flat(wkb_of(record)) for record in records]
    frame = gpd.GeoDataFrame(
        {key: gpd.pd.Series(column, dtype=object) for key, column in texts.items()},
        geometry=flat,
        crs=4326,
    )
    frame.to_file(path, driver="FlatGeobuf", SPATIAL_INDEX="NO", geometry_type="Unknown")
    content = path.read_bytes()
    for mark, raw in marks.items():
        content = content.replace(mark.encode(), raw)
    path.write_bytes(content)
    return path


def _texts(values: list[Any]) -> pa.Array:
    """A column of texts in which bytes stand as they are, UTF-8 or not."""
    raw = pa.array(
        [one if one is None or isinstance(one, bytes) else str(one).encode() for one in values],
        pa.binary(),
    )
    return pa.Array.from_buffers(pa.string(), len(raw), raw.buffers(), raw.null_count)


def _numbers(values: list[Any], kind: pa.DataType, most: int) -> pa.Array:
    """A column of whole numbers as far as the values are any."""
    kept = [one if isinstance(one, int) and -most <= one < most else None for one in values]
    return pa.array(kept, pa.int64() if most > 1 << 40 else pa.int32()).view(kind)


def _moment(value: Any) -> Any:
    """Microseconds since 1970 of a text like 2024-05-15, any other value as it is."""
    try:
        return int(
            (datetime.fromisoformat(value) - datetime(1970, 1, 1)) / timedelta(microseconds=1)
        )
    except (TypeError, ValueError):
        return value


def _doubles(values: list[Any]) -> pa.Array:
    return pa.array([one if isinstance(one, float) else None for one in values], pa.float64())


def parquet(path: Path, records: list[Record], **layout: Any) -> Path:
    """Parquet of texts and two columns of coordinates."""
    path = path.with_suffix(".parquet")
    columns = {
        key: _texts([record[key] for record in records])
        for key in ("who", "date", "consent", "note")
    }
    sides = {
        name: _doubles([record[key] for record in records])
        for name, key in (("longitude", "lon"), ("latitude", "lat"))
    }
    pq.write_table(pa.table(columns | sides), path, **layout)
    return path


def typed_parquet(path: Path, records: list[Record], **layout: Any) -> Path:
    """Parquet of numbers, moments with a zone and truths, with numbers far off among them."""
    path = path.with_suffix(".parquet")
    held = {key: [record[key] for record in records] for key in KEYS}
    held["date"] = [_moment(one) for one in held["date"]]
    columns = {
        "who": _numbers(held["who"], pa.int64(), 1 << 63),
        "date": _numbers(held["date"], pa.timestamp("us", "Pacific/Auckland"), 1 << 63),
        "consent": pa.array(
            [None if one is None else one in ("yes", 1) for one in held["consent"]], pa.bool_()
        ),
        "note": pa.array(
            [None if one is None else [str(one)] for one in held["note"]], pa.list_(pa.string())
        ),
        "longitude": _doubles(held["lon"]),
        "latitude": _doubles(held["lat"]),
    }
    pq.write_table(pa.table(columns), path, **layout)
    return path


def geoparquet(path: Path, records: list[Record], **layout: Any) -> Path:
    """GeoParquet whose shapes and texts are as raw as they come."""
    path = path.with_suffix(".parquet")
    columns = {
        key: _texts([record[key] for record in records])
        for key in ("who", "date", "consent", "note")
    }
    columns["moment"] = _numbers(
        [record["date"] for record in records], pa.timestamp("us"), 1 << 63
    )
    columns["geometry"] = pa.array([wkb_of(record) for record in records], pa.binary())
    geo = {
        "version": "1.0.0",
        "primary_column": "geometry",
        "columns": {"geometry": {"encoding": "WKB", "geometry_types": []}},
    }
    pq.write_table(
        pa.table(columns).replace_schema_metadata({"geo": json.dumps(geo)}), path, **layout
    )
    return path


def _in_parts(
    path: Path, records: list[Record], write: Callable[[Path, list[Record]], Path]
) -> Path:
    """A folder of files, three records in each."""
    folder = path.with_suffix("")
    folder.mkdir(parents=True)
    for start in range(0, max(1, len(records)), 3):
        write(folder / f"part-{start:03}", records[start : start + 3])
    return folder


def parquet_parts(path: Path, records: list[Record]) -> Path:
    """Parquet in several files."""
    return _in_parts(path, records, parquet)


def geoparquet_parts(path: Path, records: list[Record]) -> Path:
    """GeoParquet in several files."""
    return _in_parts(path, records, geoparquet)


PAGES = dict(data_page_size=1, write_batch_size=1, data_page_version="2.0", compression="none")
"""A layout of Parquet in which nearly each value is a page."""
FAMILIES: dict[str, Callable[[Path, list[Record]], Path]] = {
    "gpkg": geopackage,
    "gpkg typed": typed_geopackage,
    "sqlite": sqlite_table,
    "spatialite": spatialite,
    "shp": shapefile,
    "shp typed": typed_shapefile,
    "fgb": flatgeobuf,
    "parquet": parquet,
    "parquet typed": typed_parquet,
    "geoparquet": geoparquet,
    "parquet, a row a group": partial(parquet, row_group_size=1),
    "parquet, a value a page": partial(parquet, **PAGES),
    "parquet typed, a value a page": partial(typed_parquet, **PAGES, use_dictionary=False),
    "parquet typed, few to a dictionary": partial(
        typed_parquet, **PAGES, dictionary_pagesize_limit=16, row_group_size=3
    ),
    "geoparquet, a row a group": partial(geoparquet, row_group_size=1),
    "geoparquet, a value a page": partial(geoparquet, **PAGES, use_dictionary=False),
    "parquet parts": parquet_parts,
    "geoparquet parts": geoparquet_parts,
}
"""Every writer by its name: `FAMILIES[name](tmp_path / "s", records)` writes a survey and answers its path."""
