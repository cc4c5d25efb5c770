"""The one door through which files are read by GDAL: which driver reads a file is told by our look at it.

GDAL tries each of its hundred drivers on a file, and some take a text for the description of a server and
ask that. So a file is admitted only as one of the kinds named here, which hold their own features or
pixels; it is told by its first bytes *and* its ending, and is read by that kind's drivers only. GeoJSON
is parsed and written anew with the members that hold features, since others are links. What a file says
of a CRS is looked at before GDAL sees it, because PROJ would open the files that it names. Parts beside
the file are plain files of its own folder; an archive is unpacked into a private folder first.
`docs/decisions/062-files-that-point-elsewhere.md` has the reasons.
"""

import json
import os
import re
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote
from xml.parsers import expat

from dpmap.crs_text import bytes_name_files, file_names_files, names_files
from dpmap.errors import BadInput, SystemFailed
from dpmap.offline import OFF, offline
from dpmap.plain_file import check_parts, check_plain, shown_name

MOST_UNPACKED = 4 << 30
RATIO = 200
"""How many times its packed size an archive may unpack to, once that is more than `MOST_SMALL`."""
MOST_SMALL = 64 << 20
MOST_JSON = 1 << 30
LARGEST_HEADER = 1 << 24
_HEAD = 1 << 16
_PADDING = 1 << 14
"""Blanks that fill all of a file's head that drivers look into: no text of a record is in it."""
_ELSEWHERE = re.compile(rb"<\s*(?:OGR|VRT|GDAL_|WMS|WFS|WCS|WMTS|wfs:|wms:|csw:)|gdal_streamed_alg", re.IGNORECASE)
_CODE = re.compile(r"(?:urn:(?:x-)?ogc:def:crs:)?([A-Za-z]+)(?:::|:[\d.]*:|:)([A-Za-z0-9]+)")
_GEOMETRY = ("type", "coordinates", "geometries")
_SHAPES = ("Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon", "GeometryCollection")
_LINES = (".geojsonl", ".geojsons", ".ndjson", ".jsonl")


# --- vectors ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Layers:
    """Holds a vector file that was admitted: what GDAL opens, its text for GeoJSON, and the drivers that may read it."""

    target: "str | bytes"
    drivers: tuple[str, ...]

    def names(self) -> list[str]:
        """List the layers that have shapes."""
        import pyogrio

        with offline():
            return [str(row[0]) for row in pyogrio.list_layers(self.target) if row[1] is not None]

    def info(self, layer: str) -> dict[str, Any]:
        """Return what the file says of a layer."""
        import pyogrio

        with offline():
            info: dict[str, Any] = pyogrio.read_info(self.target, layer=layer)
        if info["driver"] not in self.drivers:
            raise BadInput("the file is read as another kind than it is")
        return info

    def read(self, layer: "str | None", **options: Any) -> tuple[Any, ...]:
        """Read a layer as plain arrays, as `pyogrio.raw.read` does."""
        import pyogrio

        with offline():
            found: tuple[Any, ...] = pyogrio.raw.read(self.target, layer=layer, force_2d=True, **options)
        return found

    def frame(self, layer: str) -> Any:
        """Read a layer as a GeoDataFrame."""
        import pyogrio

        with offline():
            return pyogrio.read_dataframe(self.target, layer=layer, force_2d=True)


@contextmanager
def opened_layers(path: "str | os.PathLike[str]", layer: str | None, role: str) -> Iterator[Layers]:
    """Admit a vector file of a kind that holds its own features; refuse all else. `role` is what messages call it."""
    with ExitStack() as held:
        main = os.fspath(path)
        check_parts(main, role)
        if os.path.isfile(main) and _head(main, role)[:4] == b"PK\x03\x04":
            folder = held.enter_context(tempfile.TemporaryDirectory(prefix="dpmap-"))
            main = _unpacked(main, folder, role)
            check_parts(main, role)
        yield _admitted(os.path.abspath(main), layer, role)


def _head(path: str, role: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(_HEAD)
    except PermissionError:
        raise SystemFailed(f"{role}: no right to read {shown_name(path)}; check its permissions") from None
    except OSError:
        raise BadInput(f"{role}: {shown_name(path)} cannot be read; check its path") from None


def _admitted(path: str, layer: str | None, role: str) -> Layers:
    """Tell a file's kind and look at what it says of others."""
    low = path.lower()
    if os.path.isdir(path):
        return _geodatabase(path, role)
    head = _head(path, role)
    if head.startswith(b"SQLite format 3\0"):
        check_geopackage(path, layer, role)
        return Layers(path, ("GPKG",))
    if head.startswith(b"\0\0\x27\x0a") and low.endswith(".shp"):
        check_projection_file(path, role)
        return Layers(path, ("ESRI Shapefile",))
    if head.startswith(b"fgb\x03"):
        check_flatgeobuf(path, role)
        return Layers(path, ("FlatGeobuf",))
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n\x1e")
    if _ELSEWHERE.search(head):
        raise BadInput(f"{role}: {shown_name(path)} points at other files; give the layer itself")
    if text[:1] in (b"{", b"["):
        return Layers(_own_geojson(path, role), ("GeoJSON",))
    if text[:1] == b"<":
        return Layers(path, _xml_drivers(path, role))
    raise _unknown(path, role)


def _unknown(path: str, role: str) -> BadInput:
    kind = "polygon layer" if role in ("area", "zones") else "layer"
    return BadInput(
        f"{role}: {shown_name(path)} cannot be read as a {kind}; give a GeoPackage, GeoJSON, shapefile, FlatGeobuf, "
        "file geodatabase or KML (QGIS saves any other layer as a GeoPackage, and so does: ogr2ogr layer.gpkg FILE)"
    )


def _geodatabase(path: str, role: str) -> Layers:
    """Admit a folder of a file geodatabase."""
    if not path.lower().endswith(".gdb") or not os.path.isfile(os.path.join(path, "a00000001.gdbtable")):
        raise BadInput(f"{role}: {shown_name(path)} is a folder; give a file such as area.gpkg")
    check_geodatabase(path, role)
    return Layers(path, ("OpenFileGDB",))


def check_geodatabase(path: str, role: str) -> None:
    """Refuse a file geodatabase with a CRS that names files, in any of its tables."""
    for entry in sorted(os.listdir(path)):
        table = os.path.join(path, entry)
        if entry.lower().endswith(".gdbtable") and file_names_files(table):
            raise _of_files(path, role)


def _of_files(path: str, role: str) -> BadInput:
    return BadInput(
        f"{role}: the CRS of {shown_name(path)} is defined by other files; save the layer again in a CRS with a code, such as EPSG:4326"
    )


def check_projection_file(path: str, role: str) -> None:
    """Refuse a shapefile or raster beside which a .prj names files."""
    stem = os.path.splitext(path)[0]
    for ending in (".prj", ".PRJ", ".Prj"):
        try:
            with open(stem + ending, "rb") as file:
                text = file.read(_HEAD + 1)
        except OSError:
            continue
        if len(text) > _HEAD or names_files(text.decode("latin-1")):
            raise _of_files(path, role)


def check_flatgeobuf(path: str, role: str) -> None:
    """Refuse a FlatGeobuf file whose header, which holds its CRS, names files."""
    with open(path, "rb") as file:
        check_flatgeobuf_head(file.read(LARGEST_HEADER), shown_name(path), role)


def check_flatgeobuf_head(head: bytes, name: str, role: str) -> None:
    """Refuse a head that is none of FlatGeobuf: a text for another driver, or a CRS that names files.

    A header below 16 MB has a null byte as the last of its length, at which every driver that looks
    for words in a file's head stops.
    """
    size = int.from_bytes(head[8:12], "little")
    if not head.startswith(b"fgb\x03fgb") or not 0 < size < LARGEST_HEADER:
        raise BadInput(f"{role}: {name} cannot be read as a layer; it may be damaged, so export it again")
    if bytes_name_files(head[: 12 + size]):
        raise _of_files(name, role)


def check_geopackage(path: str, layer: str | None, role: str) -> None:
    """Refuse a GeoPackage whose own tables, or the layer that is meant, are views or virtual, or whose CRS names files.

    Only the schema and the lists of a GeoPackage are read, by a connection that runs nothing of the file's.
    """
    name = shown_name(path)
    address = f"file:{quote(os.path.abspath(path))}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(address, uri=True)) as database:
            database.execute("PRAGMA trusted_schema = OFF")
            database.text_factory = lambda text: text.decode("utf-8", "replace")
            kinds = {
                str(table).lower(): (str(kind), str(sql or ""))
                for table, kind, sql in database.execute("SELECT name, type, sql FROM sqlite_master WHERE type IN ('table', 'view')")
            }
            if "gpkg_contents" not in kinds:
                raise BadInput(f"{role}: {name} is an SQLite file but no GeoPackage; save the layer as one")
            views = {table for table, (kind, _) in kinds.items() if kind == "view"}
            virtual = {table for table, (_, sql) in kinds.items() if _is_foreign(sql)}
            if virtual or any(table.startswith(("gpkg_", "rtree_", "sqlite_")) for table in views):
                raise BadInput(f"{role}: {name} has tables that are made of others; save it as a table in a new GeoPackage")
            if views and role != "survey":  # whose reader looks at the layers that it reads
                layers = {str(one).lower() for (one,) in database.execute("SELECT table_name FROM gpkg_contents")}
                if views & (layers | {(layer or "").lower()}):
                    raise BadInput(f"{role}: {name} has a view as a layer; save it as a table in a new GeoPackage")
            if "gpkg_spatial_ref_sys" in kinds and _systems_name_files(database):
                raise _of_files(path, role)
    except sqlite3.Error:
        raise BadInput(f"{role}: {name} cannot be read as a layer; it may be damaged, so save it again as a GeoPackage") from None


def _is_foreign(sql: str) -> bool:
    """Return whether a table is virtual, and not one of SQLite's own indexes."""
    found = re.match(r"\s*CREATE\s+VIRTUAL\s+TABLE.*?\bUSING\s+[\"'`\[]?(\w+)", sql, re.IGNORECASE | re.DOTALL)
    virtual = re.match(r"\s*CREATE\s+VIRTUAL", sql, re.IGNORECASE)
    return bool(virtual) and (found is None or found[1].lower() not in ("rtree", "rtree_i32", "fts3", "fts4", "fts5"))


def _systems_name_files(database: sqlite3.Connection) -> bool:
    rows = database.execute("SELECT * FROM gpkg_spatial_ref_sys")
    return any(isinstance(value, str) and names_files(value) for row in rows for value in row)


# --- GeoJSON ---------------------------------------------------------------------------------------------------------


def _own_geojson(path: str, role: str) -> bytes:
    """Return a GeoJSON file written anew: its features and its CRS's code, and no other member, such as links."""
    if os.path.getsize(path) > MOST_JSON:
        raise BadInput(f"{role}: {shown_name(path)} is too large for GeoJSON; save it as a GeoPackage")
    try:
        with open(path, "rb") as file:
            document = _parsed(file.read().decode("utf-8-sig"), path)
        name = document.get("name") if isinstance(document.get("name"), str) else None
        plain = {"name": name or os.path.splitext(os.path.basename(path))[0], **_crs_member(document, path, role)}
        features = [_feature(one) for one in _features(document)]
        text = json.dumps({**plain, "features": features}, ensure_ascii=False)
    except BadInput:
        raise
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        raise _unknown(path, role) from None
    return ('{"type": "FeatureCollection",' + " " * _PADDING + text[1:]).encode("utf-8", "replace")


def _parsed(text: str, path: str) -> dict[str, Any]:
    """Parse GeoJSON, or features one a line."""
    try:
        return dict(json.loads(text))
    except ValueError:
        if not (path.lower().endswith(_LINES) or text.startswith("\x1e")):
            raise
    lines = (line.strip("\x1e \t\r") for line in text.split("\n"))
    return {"type": "FeatureCollection", "features": [json.loads(line) for line in lines if line]}


def _features(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the features of a collection, or a feature or shape that stands alone."""
    if document["type"] == "FeatureCollection":
        return list(document["features"])
    if document["type"] == "Feature":
        return [document]
    return [{"properties": {}, "geometry": document}]


def _feature(given: dict[str, Any]) -> dict[str, Any]:
    """Return a feature's own members."""
    identity = {"id": given["id"]} if isinstance(given.get("id"), str | int) else {}
    properties = dict(given.get("properties") or {})
    return {"type": "Feature", **identity, "properties": properties, "geometry": _shape(given.get("geometry"))}


def _shape(given: Any) -> Any:
    """Return a geometry's own members."""
    if given is None:
        return None
    if given["type"] not in _SHAPES:
        raise ValueError
    plain = {key: given[key] for key in _GEOMETRY if key in given}
    if "geometries" in plain:
        plain["geometries"] = [_shape(one) for one in plain["geometries"]]
    return plain


def _crs_member(document: dict[str, Any], path: str, role: str) -> dict[str, Any]:
    """Return the CRS that a GeoJSON file of before 2016 names, if it does; only a code is one."""
    given = document.get("crs")
    if given is None:
        return {}
    about = given.get("properties") or {}
    text = f"EPSG:{about.get('code')}" if str(given.get("type")).upper() == "EPSG" else about.get("name")
    found = _CODE.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise BadInput(
            f"{role}: the crs of {shown_name(path)} is no code but a link or definition; save it again in EPSG:4326, which needs none"
        )
    version = "1.3" if found[1].upper() == "OGC" else ""
    urn = f"urn:ogc:def:crs:{found[1].upper()}:{version}:{found[2]}"
    return {"crs": {"type": "name", "properties": {"name": urn}}}


# --- XML and archives ------------------------------------------------------------------------------------------------


def _xml_drivers(path: str, role: str) -> tuple[str, ...]:
    """Admit well-formed KML or GPX without declared entities, by its root; GML points at schemas and at other features."""
    roots: list[str] = []
    parser = expat.ParserCreate()

    def begin(tag: str, _: dict[str, str]) -> None:
        if not roots:
            roots.append(tag.rpartition(":")[2].lower())

    def declared(*_: Any) -> None:
        raise ValueError

    parser.StartElementHandler = begin
    parser.StartDoctypeDeclHandler = declared
    try:
        with open(path, "rb") as file:
            parser.ParseFile(file)
    except (expat.ExpatError, ValueError):
        raise _unknown(path, role) from None
    drivers = {"kml": ("KML", "LIBKML"), "gpx": ("GPX",)}.get(roots[0], ())
    if not drivers or not path.lower().endswith(f".{roots[0]}"):
        raise _unknown(path, role)
    return drivers


def _unpacked(path: str, folder: str, role: str) -> str:
    """Unpack an archive into a private folder and return the one layer in it."""
    name = shown_name(path)
    try:
        with zipfile.ZipFile(path) as archive:
            members = [one for one in archive.infolist() if not one.is_dir()]
            _check_unpacks(members, name, role)
            for one in members:
                target = os.path.join(folder, *_safe_parts(one.filename))
                os.makedirs(os.path.dirname(target), exist_ok=True)
                with archive.open(one) as packed, open(target, "xb") as out:
                    shutil.copyfileobj(packed, out)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, OSError, ValueError, RuntimeError, NotImplementedError, EOFError):
        raise BadInput(f"{role}: {name} is no archive that can be unpacked; unpack it and give the layer") from None
    found = sorted(_layers_below(folder))
    if len(found) != 1:
        has = "holds several layers" if found else "holds no layer"
        raise BadInput(f"{role}: {name} {has}; unpack it and give the one that is meant")
    return found[0]


def _check_unpacks(members: Sequence[zipfile.ZipInfo], name: str, role: str) -> None:
    """Refuse an archive that says it unpacks to more than it may; `zipfile` reads no more than it says."""
    size = sum(one.file_size for one in members)
    packed = sum(one.compress_size for one in members)
    if size > MOST_UNPACKED or (size > MOST_SMALL and size > RATIO * packed) or len(members) > 10_000:
        raise BadInput(f"{role}: {name} unpacks to too much; unpack it and give the layer")


def _safe_parts(member: str) -> list[str]:
    parts = member.replace("\\", "/").split("/")
    if any(part in ("", ".", "..") or "\0" in part or ":" in part for part in parts):
        raise ValueError
    return parts


def _layers_below(folder: str) -> Iterator[str]:
    """Find the layers in an unpacked archive."""
    endings = (".shp", ".gpkg", ".fgb", ".geojson", ".json", ".kml", ".gpx")
    for base, folders, files in os.walk(folder):
        yield from (os.path.join(base, one) for one in folders if one.lower().endswith(".gdb"))
        folders[:] = [one for one in folders if not one.lower().endswith(".gdb") and one != "__MACOSX"]
        yield from (os.path.join(base, one) for one in files if one.lower().endswith(endings) and one[0] != ".")


# --- rasters ---------------------------------------------------------------------------------------------------------

_TIFF = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")
_RASTERS = {
    b"\x89PNG": "PNG",
    b"\xff\xd8\xff": "JPEG",
    b"\0\0\0\x0cjP": "JP2OpenJPEG",
    b"CDF": "netCDF",
    b"\x89HDF": "netCDF",
}
_BY_ENDING = {".asc": ("AAIGrid",), ".bil": ("EHdr", "ENVI"), ".hgt": ("SRTMHGT",)}
_ALONE = ("GTiff", "GPKG", "netCDF", "JP2OpenJPEG")
"""Drivers whose files hold all that is needed: what lies beside them is not looked at."""


def raster_drivers(path: str, role: str) -> tuple[str, ...]:
    """Return the drivers that may read a raster, by our look at it; refuse all else."""
    check_parts(path, role)
    head = _head(path, role)
    if head.startswith(_TIFF):
        drivers: tuple[str, ...] = ("GTiff",)
    elif head.startswith(b"SQLite format 3\0"):
        check_geopackage(path, None, role)
        drivers = ("GPKG",)
    else:
        found = next((driver for magic, driver in _RASTERS.items() if head.startswith(magic)), None)
        drivers = (found,) if found else _BY_ENDING.get(os.path.splitext(path)[1].lower(), ())
    if not drivers:
        raise BadInput(f"{role}: {shown_name(path)} cannot be read as a raster; give a GeoTIFF with a CRS")
    check_projection_file(path, role)
    if file_names_files(path):
        raise _of_files(path, role)
    return drivers


@contextmanager
def opened_raster(path: "str | os.PathLike[str]", role: str) -> Iterator[Any]:
    """Open a raster that holds its own pixels, by its kind's driver, with GDAL's network off."""
    import rasterio
    import rasterio.io

    check_plain(path, role)
    drivers = raster_drivers(os.fspath(path), role)
    alone = {"GDAL_DISABLE_READDIR_ON_OPEN": "EMPTY_DIR"} if drivers[0] in _ALONE else {"GDAL_PAM_ENABLED": False}
    with (
        rasterio.Env(GDAL_CACHEMAX=64, **OFF, **alone),
        rasterio.io.DatasetReader(os.path.abspath(path), driver=list(drivers)) as raster,
    ):
        if any(raster.tags(band, ns="OVERVIEWS") for band in range(raster.count + 1)):
            raise BadInput(f"{role}: {shown_name(path)} names other files; save it again as a GeoTIFF")
        yield raster
