"""Writes a release as GIS layers, in the format that the file's suffix names.

Every writer takes a Record and its Estimate, both public, and writes aside first, so that a file is
either whole or not there. The heavy libraries are loaded by the writer that needs them.
"""

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from dpmap.errors import BadInput, require_library

if TYPE_CHECKING:
    from dpmap.inference import Estimate
    from dpmap.record import Record

WRITERS = {
    "tif": ("raster", "write_geotiff"),
    "tiff": ("raster", "write_geotiff"),
    "nc": ("raster", "write_netcdf"),
    "gpkg": ("vector", "write_geopackage"),
    "fgb": ("vector", "write_flatgeobuf"),
    "parquet": ("vector", "write_geoparquet"),
    "geojson": ("vector", "write_geojson"),
    "json": ("vector", "write_geojson"),
    "csv": ("vector", "write_csv"),
    "qml": ("styles", "write_qml"),
    "sld": ("styles", "write_sld"),
}
NEEDED = {".parquet": "pyarrow", ".tif": "rasterio", ".tiff": "rasterio", ".nc": "xarray"}
"""The library that a suffix needs beside those that every map needs."""
SPARSE = (".parquet", ".tif")
"""The suffixes that a sparse release is written with."""
STYLE_BESIDE = ("tif", "tiff", "fgb", "parquet", "geojson", "json")
"""Formats that hold no style: QGIS looks for one beside them, under the same name."""


def export(
    record: "Record", estimate: "Estimate | None", path: "str | os.PathLike[str]"
) -> list[Path]:
    """Write the release in the format that the suffix names, and return the files made; a sparse
    release has no estimate.

    >>> export(None, object(), "map.shp")
    Traceback (most recent call last):
    ...
    dpmap.errors.BadInput: no such layer is written; choose a suffix among .tif .nc .gpkg .fgb
    .parquet .geojson .csv .qml .sld
    """
    if library := NEEDED.get(Path(path).suffix.lower()):
        require_library(library)
    if estimate is None:
        from dpmap.export import sparse

        return sparse.export(record, path)
    suffix = Path(path).suffix.lower().lstrip(".")
    if suffix not in WRITERS:
        suffixes_text = " ".join(f".{name}" for name in WRITERS if name not in ("tiff", "json"))
        raise BadInput(f"no such layer is written; choose a suffix among {suffixes_text}")
    module, name = WRITERS[suffix]
    write: Callable[[Record, Estimate, str | os.PathLike[str]], None]
    write = getattr(import_module(f"dpmap.export.{module}"), name)
    write(record, estimate, path)
    return [Path(path), *files_beside(path)]


def suffixes(record: "Record") -> tuple[str, ...]:
    """List the suffixes with which this release, or each of its layers, can be written; a
    GeoTIFF holds square cells only.
    """
    if record.sparse:
        return SPARSE
    names = (f".{name}" for name in WRITERS if name not in ("tiff", "json"))
    return tuple(name for name in names if record.grid.kind == "squares" or name != ".tif")


def files_beside(path: "str | os.PathLike[str]") -> list[Path]:
    """List the files written beside one of this format: its style for QGIS, or what a CSV's
    columns mean.

    >>> names = ("map.tif", "map.csv", "map.gpkg")
    >>> [path.name for name in names for path in files_beside(name)]
    ['map.qml', 'map.csv-metadata.json']
    """
    suffix = Path(path).suffix.lower().lstrip(".")
    if suffix in STYLE_BESIDE:
        return [Path(path).with_suffix(".qml")]
    return [Path(f"{os.fspath(path)}-metadata.json")] if suffix == "csv" else []
