"""A small map on each official grid, over land where that grid is."""

from functools import cache

import geopandas as gpd
import numpy as np
import shapely

from builders.records import told_of
from dpmap.grid import Grid
from dpmap.grid.grid import parse_cell
from dpmap.grid.official import NAMES

PLACES = {
    "os": (-1.5, 52.9),
    "irish": (-7.6, 53.3),
    "maille": (2.6, 46.4),
    "mgrs": (15.0, 52.0),
    "qdgc": (24.3, -21.7),
    "pentad": (24.3, -21.7),
}
"""Where the grid of a name that begins so lies; others reach the Alps."""
ALPS = (9.6, 47.2)
BORDER = (12.0, 49.0)
"""On the border of two zones of UTM, which cuts squares of MGRS."""
SQUARES = tuple(name for name in NAMES if not name.startswith("h3"))


def area(name, at=None):
    """Some four by three cells of ground with a corner that is outside, in degrees."""
    lon, lat = at or PLACES.get(name.split("-")[0], ALPS)
    size, in_degrees = parse_cell(NAMES[name].cell)
    size = size if in_degrees else size / 111_000
    west, east = (
        lon - 1.6 * size / np.cos(np.radians(lat)),
        lon + 1.6 * size / np.cos(np.radians(lat)),
    )
    whole = shapely.box(west, lat - 1.2 * size, east, lat + 1.2 * size)
    ground = whole.difference(shapely.box(west, lat, lon, lat + 1.2 * size))
    return gpd.GeoDataFrame(geometry=[ground], crs="EPSG:4326")


@cache
def grid(name):
    """The official grid of this name over its area."""
    return Grid.official(area(name), grid=name)


@cache
def case(name):
    """A record and its estimate on that grid."""
    ground = grid(name)
    return told_of(ground, np.arange(ground.cells_inside) * 3.0)


@cache
def shifted(name):
    """As many cells of the same size, half a cell further east: in no official grid."""
    ground = grid(name)
    (west, south, east, north), (width, _) = ground.cells.bounds, ground.cells.cell
    return Grid(
        bounds=(west + width / 2, south, east + width / 2, north),
        shape=ground.cells.shape,
        crs=ground.crs,
        mask=ground.mask,
    )
