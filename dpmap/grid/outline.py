"""The outlines of a grid's cells in degrees, few enough numbers for a preview."""

from typing import TYPE_CHECKING

import numpy as np

from dpmap.grid import crs as crs_tools

if TYPE_CHECKING:
    from dpmap.grid import Grid

MOST_CELLS = 1_500
"""Of more cells only the outline of all of them is drawn: no eye would part them."""
MOST_JOINED = 60_000
"""Of more cells than these no outline is made: it would take seconds."""


def outline_rings(grid: "Grid") -> list[list[float]]:
    """Returns the outer ring of each cell as longitudes and latitudes by turns; of a large grid the
    rings around all of its cells.

    >>> from dpmap.grid import Grid
    >>> outline_rings(Grid(bounds=(0, 0, 1, 1), shape=(1, 1), crs="EPSG:4326"))
    [[1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0]]
    """
    import shapely

    if grid.cells_inside > MOST_JOINED:
        return []
    cells = grid.polygons()
    if len(cells) > MOST_CELLS:
        whole = shapely.union_all(np.asarray(cells, dtype=object))
        size = float(np.sqrt(np.median(shapely.area(cells))))
        cells = shapely.get_parts(shapely.simplify(whole, size))
    parts = shapely.get_parts(np.asarray(cells, dtype=object))
    rings = crs_tools.transform_shapes(shapely.get_exterior_ring(parts), grid.crs, crs_tools.LONLAT)
    corners = [shapely.get_coordinates(ring) for ring in rings]
    return [np.round(xy, 4).ravel().tolist() for xy in corners if np.isfinite(xy).all()]
