"""Turns GDAL's and PROJ's network off: only typed addresses are fetched, and by dpmap itself."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

OFF = {
    "GDAL_HTTP_PROXY": "http://127.0.0.1:1",
    "GDAL_HTTP_MAX_RETRY": "0",
    "GDAL_HTTP_CONNECTTIMEOUT": "1",
    "CPL_VSIL_CURL_ALLOWED_FILENAME": "none",
    "CPL_VSIL_CURL_ALLOWED_EXTENSIONS": "{noext}",
    "GML_SKIP_RESOLVE_ELEMS": "ALL",
    "GML_DOWNLOAD_SCHEMA": "NO",
    "OGR_SQLITE_ALLOW_EXTERNAL_ACCESS": "NO",
}
"""GDAL's settings while it reads: a second lock, were a driver that asks servers to see a file."""
SKIPPED = (
    "AmigoCloud,ADBC,Carto,CSW,DAAS,EEDA,EEDAI,Elasticsearch,GDALG,GTI,HTTP,NGW,OAPIF,OGCAPI,"
    "OGR_VRT,"
    "PLMOSAIC,PLSCENES,STACIT,STACTA,WCS,WFS,WMS,WMTS"
)
"""Drivers of servers, and of files that name others, which the command line's processes never
load.
"""


def lock_process() -> None:
    """Turn GDAL's and PROJ's network off in this process and its children, before they are
    loaded.
    """
    os.environ["PROJ_NETWORK"] = "OFF"
    os.environ["GDAL_SKIP"] = ",".join(filter(None, (os.environ.get("GDAL_SKIP"), SKIPPED)))
    os.environ.update(OFF)


@contextmanager
def offline() -> Iterator[None]:
    """Hold GDAL's network off while it reads vectors; the settings are as before afterwards."""
    import pyogrio

    before = {name: pyogrio.get_gdal_config_option(name) for name in OFF}
    pyogrio.set_gdal_config_options(OFF)
    try:
        yield
    finally:
        pyogrio.set_gdal_config_options(before)
