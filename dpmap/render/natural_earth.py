"""Finds land, borders, rivers and lakes behind a map.

Natural Earth, public domain, generalised: land and borders for maps of 1:10 million, rivers and
lakes for 1:50 million. It orients the reader; it is no survey of the coast. `assets/README.md` says
where it comes from.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.geography.natural_earth import LAYERS, read_near
from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.grid.squares import Squares

Box = tuple[float, float, float, float]
CREDIT = "background: Natural Earth, generalised"
AROUND = 1.2
"""The background of a page reaches this share of the area's longer side beyond the area: as far
as it can be moved.
"""
MARGIN = 0.04
"""The frame reaches this share of the area's longer side beyond the area."""
WORLD = (-180.0, -90.0, 180.0, 90.0)
RIVERS = (2.5, 60.0)
"""Degrees: on smaller maps the generalised rivers would lie visibly beside the true ones; on
larger ones they crowd.
"""

FINEST_COAST = 1.0
"""Kilometres: the bundled coast leaves out and straightens what is smaller."""
COARSE = "The coast is drawn coarser\nthan the cells."


def frame(grid: Grid, margin: float = MARGIN) -> Box:
    """Return west, south, east and north of the declared area with a margin, in the grid's CRS.

    >>> frame(Grid(bounds=(0, 50, 2, 51), shape=(1, 2), crs="EPSG:4326"), margin=0.5)
    (-1.0, 49.0, 3.0, 52.0)
    """
    import shapely

    if isinstance(grid.cells, Squares):
        west, south, east, north = _ground(grid, grid.cells)
    else:
        west, south, east, north = (float(side) for side in shapely.total_bounds(grid.polygons()))
    by = margin * max(east - west, north - south)
    west = west - by
    south = south - by
    east = east + by
    north = north + by
    if crs_tools.is_lonlat(grid.crs):
        return max(west, -180.0), max(south, -90.0), min(east, 180.0), min(north, 90.0)
    return west, south, east, north


def context(grid: Grid, margin: float = MARGIN) -> dict[str, list[Any]]:
    """Return the geometries of each layer inside the area's frame, in degrees (EPSG:4326); rivers
    at `RIVERS` only.

    >>> sea = context(Grid(bounds=(-40, 30, -39, 31), shape=(1, 1), crs="EPSG:4326"))
    >>> {name: len(shapes) for name, shapes in sea.items()}
    {'land': 0, 'lakes': 0, 'borders': 0, 'rivers': 0}
    """
    import shapely

    boxes = sides(grid, margin)
    tolerance = longer(boxes) / 3000
    features: dict[str, list[Any]] = {}
    for name in LAYERS:
        cut = np.concatenate([read_near(name, box) for box in boxes])
        cut = shapely.make_valid(shapely.simplify(cut, tolerance))
        parts = shapely.get_parts(shapely.get_parts(cut))
        wanted = shapely.get_dimensions(parts) == (2 if name in ("land", "lakes") else 1)
        features[name] = list(parts[wanted & ~shapely.is_empty(parts)])
    if not RIVERS[0] < longer(sides(grid)) < RIVERS[1]:
        features["rivers"] = []
    return features


def sides(grid: Grid, margin: float = MARGIN) -> list[Box]:
    """Return the frame's reach in degrees, as a box on each side of the antimeridian where a
    map of no great width lies across it.
    """
    box = lonlat_box(grid, margin)
    if box != WORLD or crs_tools.is_lonlat(grid.crs):
        return [box]
    lon, lat = _places(grid, margin)
    turned = lon % 360
    if not np.isfinite(turned).all() or not np.isfinite(lat).all() or np.ptp(turned) > 180:
        return [box]
    south = float(lat.min())
    north = float(lat.max())
    return [
        (float(turned.min()), south, 180.0, north),
        (-180.0, south, float(turned.max()) - 360, north),
    ]


def longer(boxes: list[Box]) -> float:
    """Return the longer side of boxes beside each other, in degrees."""
    return max(sum(east - west for west, _, east, _ in boxes), boxes[0][3] - boxes[0][1])


def coarse(grid: Grid, margin: float = MARGIN) -> bool:
    """Whether the map shows a coast, and cells finer than the bundled one is.

    >>> coarse(Grid(bounds=(-1.2, 50.70, -1.1, 50.75), shape=(50, 100), crs="EPSG:4326"))
    True
    """
    import shapely

    if float(np.sqrt(np.median(grid.square_km[grid.inside]))) >= FINEST_COAST:
        return False
    reach = sum(float(shapely.box(*box).area) for box in sides(grid, margin))
    land = float(shapely.area(np.array(context(grid, margin)["land"], dtype=object)).sum())
    return 1e-4 < land / reach < 1 - 1e-4


def lonlat_box(grid: Grid, margin: float = MARGIN) -> Box:
    """Return the frame's reach in degrees; the whole globe if the CRS cannot say."""
    west, south, east, north = frame(grid, margin)
    if crs_tools.is_lonlat(grid.crs):
        return west, south, east, north
    lon, lat = _places(grid, margin)
    if not (np.isfinite(lon).all() and np.isfinite(lat).all()) or np.ptp(lon) > 180:
        return WORLD
    return float(lon.min()), float(lat.min()), float(lon.max()), float(lat.max())


def _places(grid: Grid, margin: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return longitudes and latitudes of places all over the frame."""
    west, south, east, north = frame(grid, margin)
    along = np.linspace(0, 1, 33)
    x, y = (
        side.ravel()
        for side in np.meshgrid(west + (east - west) * along, south + (north - south) * along)
    )
    return crs_tools.transform(x, y, grid.crs, crs_tools.LONLAT)


def _ground(grid: Grid, cells: Squares) -> Box:
    """Return the bounds of the in-area squares: the declared area to within a cell."""
    rows = np.flatnonzero(grid.inside.any(axis=1))
    columns = np.flatnonzero(grid.inside.any(axis=0))
    ends = np.array([rows[0] * grid.shape[1] + columns[0], rows[-1] * grid.shape[1] + columns[-1]])
    west, south, east, north = cells.corners(ends)
    return float(west[0]), float(south[1]), float(east[1]), float(north[0])
