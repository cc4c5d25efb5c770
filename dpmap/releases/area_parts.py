"""Parts an area into up to nine parts by compass, chosen without looking at what the map holds."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.grid.squares import Squares

MOST_PARTED_CELLS = 20_000_000
"""Larger grids, which are sparse, are not parted: that would take minutes."""
ELONGATED = 2.5
"""An area so many times longer than wide is parted along its length only."""
ASKEW = 22.5
"""Degrees by which the top of a map may turn away from north and still be called so."""
BY_COMPASS = (("north", "", "south"), ("west", "", "east"))
BY_PAGE = (("top", "", "bottom"), ("left", "", "right"))


@dataclass(frozen=True, slots=True)
class AreaPart:
    """A part of the area by compass, and its ground in the grid's CRS; `share` is how much
    of the area's ground that is.
    """

    name: str
    ground: Any
    share: float


def area_parts(grid: Grid) -> tuple[AreaPart, ...]:
    """Return up to nine parts of the area, each of whole cells, named by compass; none where the
    area is one cell.

    >>> grid = Grid(bounds=(0, 0, 6, 6), shape=(6, 6), crs="EPSG:3857")
    >>> [part.name for part in area_parts(grid)][:3]
    ['the north-west', 'the north', 'the north-east']
    """
    if grid.size > MOST_PARTED_CELLS:
        return ()
    west, south, east, north = _cell_corners(grid)
    x = (west + east) / 2
    y = (south + north) / 2
    height = float(np.ptp(y)) or 1.0
    width = float(np.ptp(x)) or 1.0
    if crs_tools.is_lonlat(grid.crs):
        width *= max(0.05, math.cos(math.radians(float(y.mean()))))
    row = _thirds(-y, 1 if width > ELONGATED * height else 3)
    column = _thirds(x, 1 if height > ELONGATED * width else 3)
    row_words, column_words = BY_COMPASS if _has_north_up(grid) else BY_PAGE
    square_km = grid.square_km[grid.inside]
    parts = []
    for number in np.unique(3 * row + column):
        words = [row_words[number // 3], column_words[number % 3]]
        name = "-".join(word for word in words if word) or "middle"
        cells = 3 * row + column == number
        ground = _join_cells(grid, cells, (west, south, east, north))
        share = float(square_km[cells].sum() / square_km.sum())
        parts.append(AreaPart(f"the {name}", ground, share))
    return tuple(parts) if len(parts) > 1 else ()


Corners = tuple[NDArray[np.float64], ...]


def _cell_corners(grid: Grid) -> Corners:
    """Return west, south, east and north of each cell in the area."""
    import shapely

    if isinstance(grid.cells, Squares):
        return grid.cells.corners(np.flatnonzero(grid.inside))
    return tuple(shapely.bounds(grid.polygons()).T)


def _thirds(places: NDArray[np.float64], parts: int) -> NDArray[np.int64]:
    """Return in which third of their range places lie; with one part all lie in the middle one."""
    first = float(places.min())
    span = float(places.max()) - first
    if parts == 1 or span <= 0:
        return np.ones(len(places), dtype=np.int64)
    thirds = np.floor((places - first) / span * 3 + 1e-9).astype(np.int64)
    return np.minimum(thirds, 2)


def _join_cells(grid: Grid, cells: NDArray[np.bool_], corners: Corners) -> Any:
    """Return the ground of some cells: of squares the box around them, in which all others lie
    outside the area.
    """
    import shapely

    if not isinstance(grid.cells, Squares):
        return shapely.union_all(grid.polygons()[cells])
    west, south, east, north = (corner[cells] for corner in corners)
    return shapely.box(west.min(), south.min(), east.max(), north.max())


def _has_north_up(grid: Grid) -> bool:
    """Return whether north is up at the middle of the map."""
    from dpmap.render import basemap, natural_earth

    turn = basemap.north(grid.crs, natural_earth.frame(grid))
    return turn is not None and abs(turn) <= ASKEW
