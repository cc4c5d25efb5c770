"""Opens a raster as one of the kinds that hold their own pixels."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dpmap.crs_text import file_names_files
from dpmap.errors import BadInput, require_library
from dpmap.gis_files.references import check_geopackage, check_projection_file, defined_elsewhere
from dpmap.gis_files.vector import read_head
from dpmap.network_guard import OFF
from dpmap.plain_file import check_parts, check_plain, shown_name

_TIFF = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")
_RASTERS = {
    b"\x89PNG": "PNG",
    b"\xff\xd8\xff": "JPEG",
    b"CDF": "netCDF",
}
"""Kinds told by their first bytes. HDF5, and so netCDF-4, links to other files in ways that
nothing turns off.
"""
_BY_ENDING = {".asc": ("AAIGrid",), ".bil": ("EHdr", "ENVI"), ".hgt": ("SRTMHGT",)}
_ALONE = ("GTiff", "GPKG", "netCDF")
"""Drivers whose files hold all that is needed: what lies beside them is not looked at."""


def raster_drivers(path: str, role: str) -> tuple[str, ...]:
    """Return the drivers that may read a raster, by our look at it; refuse all else."""
    check_parts(path, role)
    head = read_head(path, role)
    if head.startswith(_TIFF):
        drivers: tuple[str, ...] = ("GTiff",)
    elif head.startswith(b"SQLite format 3\0"):
        check_geopackage(path, None, role)
        drivers = ("GPKG",)
    else:
        named_driver = next(
            (driver for magic, driver in _RASTERS.items() if head.startswith(magic)), None
        )
        drivers = (
            (named_driver,)
            if named_driver
            else _BY_ENDING.get(os.path.splitext(path)[1].lower(), ())
        )
    if not drivers:
        raise BadInput(
            f"{role}: {shown_name(path)} cannot be read as a raster; give a GeoTIFF with a CRS"
            " (gdal_translate FILE OUT.tif makes one)"
        )
    check_projection_file(path, role)
    if file_names_files(path):
        raise defined_elsewhere(path, role)
    return drivers


@contextmanager
def opened_raster(path: "str | os.PathLike[str]", role: str) -> Iterator[Any]:
    """Open a raster that holds its own pixels, by its kind's driver, with GDAL's network off."""
    require_library("rasterio")
    import rasterio
    import rasterio.io

    check_plain(path, role)
    drivers = raster_drivers(os.fspath(path), role)
    alone = (
        {"GDAL_DISABLE_READDIR_ON_OPEN": "EMPTY_DIR"}
        if drivers[0] in _ALONE
        else {"GDAL_PAM_ENABLED": False}
    )
    with (
        rasterio.Env(GDAL_CACHEMAX=64, **OFF, **alone),
        rasterio.io.DatasetReader(os.path.abspath(path), driver=list(drivers)) as raster,
    ):
        if any(raster.tags(band, ns="OVERVIEWS") for band in range(raster.count + 1)):
            raise BadInput(
                f"{role}: {shown_name(path)} names other files; save it again as a GeoTIFF"
            )
        yield raster
