"""Makes `stac.json`: the map's raster as an item of a SpatioTemporal Asset Catalog (STAC 1.1), with
its projection and bands.

Addresses are relative to the folder `metadata`. Sizes and sums of files are left out: a release's
files are made again from its record, whenever one is missing.
"""

from datetime import date, datetime, time
from typing import Any

from dpmap.catalogue.common_fields import (
    abstract,
    coloured_band,
    conditions,
    days,
    degrees,
    project,
    release_day,
    single,
    terms,
    title,
)
from dpmap.errors import BadInput
from dpmap.grid import crs as crs_tools
from dpmap.grid.layer_axes import Times, first_and_last
from dpmap.grid.squares import Squares
from dpmap.record import Record
from dpmap.statement.extent import split_box
from dpmap.statement.folder import Standing, standing
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import clean
from dpmap.statement.privacy_yaml import slug

EXTENSIONS = (
    "https://stac-extensions.github.io/projection/v2.0.0/schema.json",
    "https://stac-extensions.github.io/raster/v2.0.0/schema.json",
)
RASTER = "image/tiff; application=geotiff; profile=cloud-optimized"
ROLES = {
    "map.tif": "data",
    "cells.gpkg": "data",
    "cells.parquet": "data",
    "map.png": "thumbnail",
    "map.html": "visual",
}
"""What a file is for; all others are metadata."""


def stac(record: Record) -> dict[str, Any]:
    """Return the item; refuse a map that has no raster."""
    if not isinstance(record.grid.cells, Squares):
        raise BadInput("stac.json: it describes a GeoTIFF, which holds square cells only")
    west, south, east, north = degrees(record)
    name = slug(f"{record.heading} {record.released_on} {record.receipt.release_id[:8]}")
    return {
        "type": "Feature",
        "stac_version": "1.1.0",
        "stac_extensions": list(EXTENSIONS),
        "id": name,
        "bbox": [west, south, east, north],
        "geometry": _geometry(record),
        "properties": {
            **_times(record),
            **_words(record),
            **_projection(record, record.grid.cells),
        },
        "links": _links(record),
        "assets": {_key(one): _asset(record, one) for one in standing(record)},
    }


def _geometry(record: Record) -> dict[str, Any]:
    """Return the box of the declared cells; in two parts over the antimeridian, as RFC 7946
    asks.
    """
    rings = [
        [[[west, south], [east, south], [east, north], [west, north], [west, south]]]
        for west, south, east, north in split_box(degrees(record))
    ]
    return (
        {"type": "Polygon", "coordinates": rings[0]}
        if len(rings) == 1
        else {"type": "MultiPolygon", "coordinates": rings}
    )


def _times(record: Record) -> dict[str, Any]:
    """Return the declared days, or else the day of the release, which is all that is known of
    time.
    """
    day = release_day(record)
    about = days(record)
    created = {"created": _moment(day)} if day else {}
    if about is None:
        return {"datetime": _moment(day or date.min), **created}
    return {"datetime": None, **_span(*about), **created}


def _span(first: date, last: date) -> dict[str, str]:
    """Return the first and the last moment of some days."""
    return {"start_datetime": _moment(first), "end_datetime": _moment(last, time(23, 59, 59))}


def _moment(day: date, at: time = time()) -> str:
    """Write a moment as RFC 3339 does."""
    return f"{datetime.combine(day, at).isoformat()}Z"


def _words(record: Record) -> dict[str, Any]:
    """Say what it is and under which terms it may be used."""
    governance = record.about.governance
    rights = terms(governance)
    by = [{"name": clean(governance.authorised_by)}] if governance.authorised_by else []
    what = "" if days(record) else " The day given is that of the release, not of the records."
    return {
        "title": title(record),
        "description": f"{abstract(record)} {conditions(governance)}{what}",
        "license": rights.id if rights and rights.id else "other",
        **({"providers": by} if by else {}),
    }


def _projection(record: Record, cells: Squares) -> dict[str, Any]:
    """Say how the raster lies: its reference system, rows and columns, and the way from them to
    its coordinates.
    """
    west, _, _, north = cells.bounds
    width, height = cells.cell
    code = record.grid.crs if record.grid.crs.startswith("EPSG:") else None
    return {
        "proj:code": code,
        **({} if code else {"proj:wkt2": crs_tools.parse(record.grid.crs).to_wkt()}),
        "proj:shape": list(cells.shape),
        "proj:bbox": list(cells.bounds),
        "proj:transform": [width, 0.0, west, 0.0, -height, north],
    }


def _links(record: Record) -> list[dict[str, str]]:
    """Points to what says more, and to the terms of use."""
    governance = record.about.governance
    rights = terms(governance)
    where = project(governance)
    links = [
        {
            "rel": "describedby",
            "href": "../statement.md",
            "type": "text/markdown",
            "title": "The map's statement",
        }
    ]
    links += (
        [{"rel": "license", "href": rights.address, "title": rights.name}]
        if rights and rights.address
        else []
    )
    links += [{"rel": "cite-as", "href": governance.doi_address}] if governance.doi else []
    links += (
        [{"rel": "related", "href": where, "title": "The project at Local Contexts"}]
        if where
        else []
    )
    return links


def _key(one: Standing) -> str:
    """Name an asset: by its place, without what an address needs and a name does not."""
    return one.place.replace("/", "-")


def _asset(record: Record, one: Standing) -> dict[str, Any]:
    """Describe a file of the folder."""
    raster = one.name == "map.tif"
    return {
        "href": f"../{one.place}",
        "title": clean(one.title),
        "type": RASTER if raster else one.media,
        "roles": [ROLES.get(one.name, "metadata")],
        **_layer_times(record, one.layer),
        **({"bands": _bands(record), "raster:spatial_resolution": _side(record)} if raster else {}),
    }


def _layer_times(record: Record, names: tuple[str, ...]) -> dict[str, str]:
    """Return the days that a layer is of."""
    for axis, name in zip(record.grid.axes, names, strict=False):
        if isinstance(axis, Times):
            return _span(*first_and_last(axis)[axis.layers.index(name)])
    return {}


def _side(record: Record) -> float:
    """Return the side of a cell in metres, or in degrees."""
    width = max(record.grid.cells.cell)  # type: ignore[union-attr]  # squares, as was checked
    return float(
        width
        if crs_tools.is_lonlat(record.grid.crs)
        else width * crs_tools.unit_metres(record.grid.crs)
    )


def _bands(record: Record) -> list[dict[str, Any]]:
    """Name the bands of a layer's raster, with their units."""
    one = single(record)
    words = map_statement(one)
    names = {**words.columns.bands, **coloured_band(one)}
    return [
        {
            "name": name,
            "description": meaning,
            "unit": clean(words.band_unit(name)),
            "data_type": "float32",
            "nodata": "nan",
            "raster:sampling": "area",
        }
        for name, meaning in names.items()
    ]
