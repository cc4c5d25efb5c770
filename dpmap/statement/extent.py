"""Says where the declared cells lie, and how far a point may be from its cell's middle: public,
and never the survey's own.
"""

import math

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.grid.squares import Squares

Box = tuple[float, float, float, float]
WORLD = (-180.0, -90.0, 180.0, 90.0)
POINTS = 51
"""So many points along each side of the box around the cells are brought to degrees."""
EQUATOR = 6378137.0
SQUASHED = 0.00669437999014
"""The half axis of WGS 84 in metres, and the square of its eccentricity."""


def bounds(grid: Grid) -> Box:
    """Returns the cells' west, south, east and north, in the grid's own reference system."""
    if isinstance(grid.cells, Squares):
        return grid.cells.bounds
    import shapely

    west, south, east, north = (float(side) for side in shapely.total_bounds(grid.polygons()))
    return west, south, east, north


def box(grid: Grid) -> Box:
    """Returns the same in degrees. Over the antimeridian the west is the larger, as in GeoJSON; of
    ground that has no place in degrees in part, it is the whole earth.

    >>> box(Grid(bounds=(0, 50, 2, 51), shape=(1, 2), crs="EPSG:4326"))
    (0.0, 50.0, 2.0, 51.0)
    >>> fiji = Grid(
    ...     bounds=(-2e5, -2e5, 2e5, 2e5),
    ...     shape=(4, 4),
    ...     crs=crs_tools.equal_area((178, -19, 181, -16)),
    ... )
    >>> [round(side) for side in box(fiji)]
    [178, -19, -179, -16]
    """
    lon, lat = _ground(grid)
    if not np.all(np.isfinite(lon) & np.isfinite(lat)):
        return WORLD
    west, south, east, north = (
        float(side) for side in (lon.min(), lat.min(), lon.max(), lat.max())
    )
    turned = lon % 360
    if east - west > 180 > np.ptp(turned):
        west = float(turned.min())
        east = float(turned.max()) - 360
    poles = [pole for pole in (-90.0, 90.0) if _holds_pole(grid, pole)]
    if east - west >= 360 or poles:
        west = -180.0
        east = 180.0
    west = _wrapped(west)
    east = _wrapped(east)
    return west, max(min([south, *poles]), -90.0), east, min(max([north, *poles]), 90.0)


def _ground(grid: Grid) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns where points on the box around the cells lie in degrees: on its sides and, as a
    fold of the earth may lie within, inside.
    """
    west, south, east, north = bounds(grid)
    x, y = np.meshgrid(np.linspace(west, east, POINTS), np.linspace(south, north, POINTS))
    lon, lat = crs_tools.transform(x.ravel(), y.ravel(), grid.crs, crs_tools.LONLAT)
    return np.asarray(lon, dtype=np.float64), np.asarray(lat, dtype=np.float64)


def _holds_pole(grid: Grid, lat: float) -> bool:
    """Whether a pole lies within the box around the cells of a plane grid, where all meridians
    meet.

    >>> around = Grid(bounds=(-1e6, -1e6, 1e6, 1e6), shape=(2, 2), crs="EPSG:3031")
    >>> _holds_pole(around, -90), _holds_pole(around, 90), [round(side) for side in box(around)]
    (True, False, [-180, -90, 180, -77])
    """
    if crs_tools.is_lonlat(grid.crs):
        return False
    west, south, east, north = bounds(grid)
    (x,), (y,) = crs_tools.transform(np.zeros(1), np.full(1, lat), crs_tools.LONLAT, grid.crs)
    return bool(west <= x <= east and south <= y <= north)


def split_box(degrees: Box) -> list[Box]:
    """Returns a box in degrees as one part, or over the antimeridian as two: readers of outlines
    would go round the world the other way.

    >>> split_box((178.0, -19.0, -179.0, -16.0))
    [(178.0, -19.0, 180.0, -16.0), (-180.0, -19.0, -179.0, -16.0)]
    """
    west, south, east, north = degrees
    return (
        [degrees] if west <= east else [(west, south, 180.0, north), (-180.0, south, east, north)]
    )


def _wrapped(degrees: float) -> float:
    """Returns a longitude between -180 and 180."""
    return degrees if -180 <= degrees <= 180 else (degrees + 180) % 360 - 180


def half_diagonal(grid: Grid) -> float:
    """Returns how far from its middle the farthest corner of the largest cell lies, in metres: of
    squares, half the diagonal.

    >>> half_diagonal(Grid(bounds=(0, 0, 2000, 1000), shape=(1, 2), crs="EPSG:3035"))
    707.10...
    """
    if isinstance(grid.cells, Squares):
        width, height = grid.cells.cell
        if not crs_tools.is_lonlat(grid.crs):
            return math.hypot(width, height) / 2 * crs_tools.unit_metres(grid.crs)
        _, south, _, north = grid.cells.bounds
        nearest = 0.0 if south <= 0 <= north else min(abs(south), abs(north))
        return float(_metres(np.array([width]), np.array([height]), np.array([nearest]))[0]) / 2
    import pyproj
    import shapely

    outlines = np.asarray(grid.polygons())
    middles, (corners, owner) = (
        shapely.centroid(outlines),
        shapely.get_coordinates(outlines, return_index=True),
    )
    ends = [
        crs_tools.transform(x, y, grid.crs, crs_tools.LONLAT)
        for x, y in ((shapely.get_x(middles)[owner], shapely.get_y(middles)[owner]), corners.T)
    ]
    return float(np.max(pyproj.Geod(ellps="WGS84").inv(*ends[0], *ends[1])[2]))


def _metres(
    wide: NDArray[np.float64], high: NDArray[np.float64], at: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Returns the diagonals of boxes of so many degrees, a parallel measured at this latitude
    and a meridian at the poles, where it is longest.
    """
    across = wide * np.cos(np.radians(at)) / np.sqrt(1 - SQUASHED * np.sin(np.radians(at)) ** 2)
    along = high / np.sqrt(1 - SQUASHED)
    return np.asarray(np.hypot(across, along) * np.radians(1) * EQUATOR)
