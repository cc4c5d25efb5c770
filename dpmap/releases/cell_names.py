"""Names cells of a map, and says where they lie, for tables of some of them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.grid.h3_cells import Hexagons

AT_ONCE = 1 << 16


def name_cells(grid: Grid, numbers: NDArray[np.int64]) -> dict[str, list[str]]:
    """Return the names, indices or official codes of cells, a column for each kind of them."""
    names: dict[str, list[str]] = {}
    if grid.names:
        place = np.searchsorted(np.flatnonzero(grid.inside.ravel()), numbers)
        names["name"] = [grid.names[i] for i in place]
    if isinstance(grid.cells, Hexagons):
        names["h3"] = [f"{grid.cells.ids[i]:x}" for i in numbers]
    return names | {
        column: [str(code) for code in codes] for column, codes in grid.codes(numbers).items()
    }


def middles(outlines: NDArray[Any], crs: str) -> tuple[list[float], list[float]]:
    """Return longitude and latitude of a point inside each outline."""
    import shapely

    lon = np.empty(len(outlines))
    lat = np.empty(len(outlines))
    # a million points at once take as much memory as a million outlines
    for start in range(0, len(outlines), AT_ONCE):
        strip = slice(start, start + AT_ONCE)
        points = shapely.point_on_surface(outlines[strip])
        lon[strip], lat[strip] = crs_tools.transform(
            shapely.get_x(points), shapely.get_y(points), crs, crs_tools.LONLAT
        )
    return np.round(lon, 6).tolist(), np.round(lat, 6).tolist()
