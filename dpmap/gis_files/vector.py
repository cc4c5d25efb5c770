"""Opens a vector file as one of the kinds that hold their own features."""

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any
from xml.parsers import expat

from dpmap.errors import BadInput, SystemFailed
from dpmap.gis_files.archive import unpack_layer
from dpmap.gis_files.geojson import write_anew
from dpmap.gis_files.references import (
    check_flatgeobuf,
    check_geodatabase,
    check_geopackage,
    check_projection_file,
)
from dpmap.network_guard import offline
from dpmap.plain_file import check_parts, shown_name

_HEAD = 1 << 16
_ELSEWHERE = re.compile(
    rb"<\s*(?:OGR|VRT|GDAL_|WMS|WFS|WCS|WMTS|wfs:|wms:|csw:)|gdal_streamed_alg", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class AdmittedVector:
    """Holds a vector file that was admitted: what GDAL opens, its text for GeoJSON, and the
    drivers that may read it.
    """

    target: "str | bytes"
    drivers: tuple[str, ...]

    def names(self) -> list[str]:
        """List the layers that have shapes, once GDAL has read the file as what it is."""
        import pyogrio

        with offline():
            names = [str(row[0]) for row in pyogrio.list_layers(self.target) if row[1] is not None]
        if names:
            self.info(names[0])
        return names

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
            features: tuple[Any, ...] = pyogrio.raw.read(
                self.target, layer=layer, force_2d=True, **options
            )
        return features

    def frame(self, layer: str) -> Any:
        """Read a layer as a GeoDataFrame."""
        import pyogrio

        with offline():
            return pyogrio.read_dataframe(self.target, layer=layer, force_2d=True)


@contextmanager
def opened_layers(
    path: "str | os.PathLike[str]", layer: str | None, role: str
) -> Iterator[AdmittedVector]:
    """Admit a vector file of a kind that holds its own features; refuse all else. `role` is what
    messages call it.
    """
    with ExitStack() as held:
        main = os.fspath(path)
        check_parts(main, role)
        if os.path.isfile(main) and read_head(main, role)[:4] == b"PK\x03\x04":
            folder = held.enter_context(tempfile.TemporaryDirectory(prefix="dpmap-"))
            main = unpack_layer(main, folder, role)
            check_parts(main, role)
        yield _admitted(os.path.abspath(main), layer, role)


def read_head(path: str, role: str) -> bytes:
    """Return the beginning of a file, which tells its kind."""
    try:
        with open(path, "rb") as file:
            return file.read(_HEAD)
    except PermissionError:
        raise SystemFailed(
            f"{role}: no right to read {shown_name(path)}; check its permissions"
        ) from None
    except OSError:
        raise BadInput(f"{role}: {shown_name(path)} cannot be read; check its path") from None


def _admitted(path: str, layer: str | None, role: str) -> AdmittedVector:
    """Tell a file's kind and look at what it says of others."""
    low = path.lower()
    if os.path.isdir(path):
        return _geodatabase(path, role)
    head = read_head(path, role)
    if head.startswith(b"SQLite format 3\0"):
        check_geopackage(path, layer, role)
        return AdmittedVector(path, ("GPKG",))
    if head.startswith(b"\0\0\x27\x0a") and low.endswith(".shp"):
        check_projection_file(path, role)
        return AdmittedVector(path, ("ESRI Shapefile",))
    if head.startswith(b"fgb\x03"):
        check_flatgeobuf(path, role)
        return AdmittedVector(path, ("FlatGeobuf",))
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n\x1e")
    if _ELSEWHERE.search(head):
        raise BadInput(f"{role}: {shown_name(path)} points at other files; give the layer itself")
    if text[:1] in (b"{", b"["):
        return AdmittedVector(write_anew(path, role), ("GeoJSON",))
    if text[:1] == b"<":
        return AdmittedVector(path, _xml_drivers(path, role))
    raise _unknown(path, role)


def _unknown(path: str, role: str) -> BadInput:
    kind = "polygon layer" if role in ("area", "zones") else "layer"
    return BadInput(
        f"{role}: {shown_name(path)} cannot be read as a {kind}; give a GeoPackage, GeoJSON,"
        " shapefile, FlatGeobuf, file geodatabase or KML (QGIS saves any other layer as a"
        " GeoPackage, and so does: ogr2ogr layer.gpkg FILE)"
    )


def _geodatabase(path: str, role: str) -> AdmittedVector:
    """Admit a folder of a file geodatabase."""
    if not path.lower().endswith(".gdb") or not os.path.isfile(
        os.path.join(path, "a00000001.gdbtable")
    ):
        raise BadInput(f"{role}: {shown_name(path)} is a folder; give a file such as area.gpkg")
    check_geodatabase(path, role)
    return AdmittedVector(path, ("OpenFileGDB",))


def _xml_drivers(path: str, role: str) -> tuple[str, ...]:
    """Admit well-formed KML or GPX without declared entities, by its root; GML points at schemas
    and at other features.
    """
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
