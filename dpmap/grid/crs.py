"""Reads and converts coordinate reference systems; x (east, longitude) always comes before y
(north, latitude).
"""

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dpmap.crs_text import names_files
from dpmap.errors import BadInput
from dpmap.grid.crs_names import advice

if TYPE_CHECKING:
    import pyproj

Coordinates = NDArray[np.float64]
LONLAT = "EPSG:4326"


class WithWkt(Protocol):
    """Declares a CRS of another library, such as pyproj's or rasterio's."""

    def to_wkt(self) -> str:
        """Returns the CRS as WKT."""
        ...


CrsLike = str | int | WithWkt
"""A CRS as callers may give it: its code as text or number, a PROJ string, WKT, or an object."""


@lru_cache(maxsize=64)
def parse(text: str, flag: str = "crs") -> "pyproj.CRS":
    """Returns the CRS that PROJ knows under this text (a code, a PROJ string, WKT or PROJJSON);
    messages name the `flag`.

    >>> parse("EPSG:27700").name
    'OSGB36 / British National Grid'
    """
    import pyproj

    _stay_offline()
    if names_files(text):
        raise BadInput(
            f"{flag}: this coordinate reference system is defined by other files; write its code,"
            " like EPSG:27700"
        )
    try:
        crs = pyproj.CRS.from_user_input(text)
    # ValueError: text that no encoding takes, or with a NUL
    except (pyproj.exceptions.CRSError, ValueError):
        raise BadInput(
            f"{flag}: PROJ does not know this coordinate reference system; {advice(text)}"
        ) from None
    if not (crs.is_geographic or crs.is_projected):
        raise BadInput(
            f"{flag}: only geographic and projected systems can carry a map; write it like"
            " EPSG:27700"
        )
    return crs


def text_of(crs: CrsLike | None, flag: str = "crs") -> str:
    """Returns a short text for a CRS given in any form: its authority code if it has one, else WKT.
    Messages name the `flag`.

    >>> text_of("epsg:4326"), text_of(3035)
    ('EPSG:4326', 'EPSG:3035')
    """
    if isinstance(crs, str) and crs.upper().startswith("EPSG:") and crs[5:].isdigit():
        return _checked_code(crs.upper(), flag)
    if isinstance(crs, str) and crs.startswith("+proj=laea "):
        return crs
    import pyproj

    parsed = (
        crs
        if isinstance(crs, pyproj.CRS)
        else parse(f"EPSG:{crs}" if isinstance(crs, int) else str(crs), flag)
    )
    parse(parsed.to_wkt(), flag)
    return ":".join(parsed.to_authority(min_confidence=100) or ()) or parsed.to_wkt()


def flat(crs: CrsLike | None, flag: str = "crs") -> str:
    """Returns `text_of` without the height axis, since a map needs east and north only.

    >>> flat("EPSG:4979")
    'EPSG:4326'
    """
    text = text_of(crs, flag)
    if text in (LONLAT, "OGC:CRS84"):
        return LONLAT
    parsed = parse(text)
    return text if len(parsed.axis_info) < 3 else text_of(parsed.to_2d())


def _checked_code(code: str, flag: str) -> str:
    """Returns the code itself if PROJ knows it; the most common code needs no PROJ."""
    if code != LONLAT:
        parse(code, flag)
    return code


def is_lonlat(text: str) -> bool:
    """Whether coordinates in this CRS are degrees."""
    return text == LONLAT or bool(parse(text).is_geographic)


def same(first: str, second: str) -> bool:
    """Whether two texts mean the same CRS, ignoring axis order."""
    return first == second or bool(parse(first).equals(parse(second), ignore_axis_order=True))


def _stay_offline() -> None:
    """Turn PROJ's network off, whatever the environment says: no place is sent to a server for
    its grid.
    """
    # they are documented
    from pyproj.network import is_network_enabled, set_network_enabled  # type: ignore[attr-defined]

    if is_network_enabled():
        set_network_enabled(active=False)


@lru_cache(maxsize=64)
def transformer(source: str, target: str) -> "pyproj.Transformer":
    """Returns the PROJ pipeline between two systems, x before y on both sides."""
    import pyproj

    return pyproj.Transformer.from_crs(parse(source), parse(target), always_xy=True)


def transform(
    x: Coordinates, y: Coordinates, source: str, target: str
) -> tuple[Coordinates, Coordinates]:
    """Converts coordinate arrays to another system; what cannot be converted becomes infinite."""
    if same(source, target):
        return x, y
    _stay_offline()
    to_x, to_y = transformer(source, target).transform(x, y, errcheck=False)
    return np.asarray(to_x), np.asarray(to_y)


def transform_shapes(
    shapes: NDArray[Any], source: str, target: str, step: float | None = None
) -> NDArray[Any]:
    """Converts geometries to another system, adding vertices to edges longer than `step` so that
    they stay in place.
    """
    import shapely

    if same(source, target):
        return shapes
    if step is not None:
        shapes = shapely.segmentize(shapes, step)
    moved: NDArray[Any] = shapely.transform(
        shapes, lambda xy: np.column_stack(transform(xy[:, 0], xy[:, 1], source, target))
    )
    return moved


def antimeridian_box(shapes: NDArray[Any]) -> tuple[float, float, float, float] | None:
    """Returns the box of polygons in degrees that lie on both sides of the antimeridian, with an
    east beyond 180; None of others.

    >>> import shapely
    >>> fiji = [shapely.box(177, -19, 180, -16), shapely.box(-180, -19, -179, -16)]
    >>> antimeridian_box(np.array(fiji))
    (177.0, -19.0, 181.0, -16.0)
    """
    import shapely

    west, south, east, north = (float(side) for side in shapely.total_bounds(shapes))
    if not (west >= -180 and east <= 180 < east - west):
        return None
    parts = shapely.bounds(shapely.get_parts(shapes))
    parts = parts[np.argsort(parts[:, 0])]
    gaps = parts[1:, 0] - np.maximum.accumulate(parts[:-1, 2])
    if not len(gaps) or gaps.max() < 180:
        return None
    after = int(gaps.argmax()) + 1
    return float(parts[after, 0]), south, float(parts[:after, 2].max()) + 360, north


def equal_area(box: tuple[float, float, float, float]) -> str:
    """Returns the equal-area CRS centred on a box in degrees (west, south, east, north), to a
    hundredth of a degree.
    """
    west, south, east, north = (float(side) for side in box)
    lat = round((south + north) / 2, 2)
    lon = round((west + east) / 2, 2)
    lon = lon if lon <= 180 else round(lon - 360, 2)
    return (
        f"+proj=laea +lat_0={lat} +lon_0={lon} +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs"
        " +type=crs"
    )


def unit_metres(text: str) -> float:
    """Returns how many metres one unit of a projected CRS is."""
    return float(parse(text).axis_info[0].unit_conversion_factor)


def name(text: str) -> str:
    """Returns the CRS's common name.

    >>> name(
    ...     "+proj=laea +lat_0=57.1 +lon_0=-4.2 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs"
    ...     " +type=crs"
    ... )
    'equal-area, centred on 57.1, -4.2'
    """
    if text == LONLAT:
        return "WGS 84"
    if text.startswith("+proj=laea "):
        parts = dict(part[1:].split("=") for part in text.split() if "=" in part)
        return f"equal-area, centred on {parts['lat_0']}, {parts['lon_0']}"
    return str(parse(text).name)
