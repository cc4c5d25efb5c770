"""Says how far the declared area reaches, in the words that portals ask for: whether it is land,
and which countries it covers.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpmap.export.atlas.cell_selection import middles
from dpmap.geography import countries
from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools

MOST_LOOKED_AT = 20_000
"""So many cells, evenly chosen, stand for all of a larger map."""
WHOLE = 0.9
"""A country of which so much is covered counts as covered: the outlines are 1 to 2 km coarse."""
COUNTS = 0.02
"""A country of a smaller share of the covered land, such as one that another surrounds, is not
counted.
"""
WORLD = 0.5
"""Cells on so much of all land are the world's."""
LAND = 1.49e14
"""All land of the world, in square metres."""
EQUAL_AREA = "EPSG:6933"


@dataclass(frozen=True, slots=True)
class AreaCoverage:
    """Holds the share of the area that is land, the share of the world's land that lies in it,
    and the countries that it covers.
    """

    land: float
    of_world: float
    covered: tuple[str, ...]

    @property
    def scope(self) -> str:
        """One of the EBV portal's four words. An area that covers no country is local, wherever
        borders run through it.
        """
        if self.of_world >= WORLD:
            return "Global"
        return {0: "Sub-national/Local", 1: "National"}.get(
            len(self.covered), "Continental/Regional"
        )

    @property
    def domain(self) -> str:
        """One of the EBV portal's words: what most of the area is. Fresh water is not told from
        land.
        """
        return "Terrestrial" if self.land >= 0.5 else "Marine"


def reach(grid: Grid) -> AreaCoverage:
    """Looks in which countries the middles of square cells lie.

    >>> reach(Grid(bounds=(-2.5, 40, -1, 41), shape=(4, 6), crs="EPSG:4326"))
    AreaCoverage(land=1.0, of_world=0.0001, covered=())
    """
    import shapely

    cells = np.flatnonzero(grid.ground.inside)
    looked = cells[:: max(1, len(cells) // MOST_LOOKED_AT)]
    (lon, lat), area = (
        middles(grid, looked),
        1e6 * grid.square_km_at(looked) * len(cells) / len(looked),
    )
    lon = (lon + 180) % 360 - 180
    met = _meeting((float(lon.min()), float(lat.min()), float(lon.max()), float(lat.max())))
    within = {
        name: float(area[shapely.contains_xy(shape, lon, lat)].sum()) for name, shape in met.items()
    }
    sizes = {
        name: float(
            shapely.area(
                crs_tools.transform_shapes(np.array([shape]), crs_tools.LONLAT, EQUAL_AREA)[0]
            )
        )
        for name, shape in met.items()
    }
    land = sum(within.values())
    covered = tuple(
        one for one, inside in within.items() if inside >= max(WHOLE * sizes[one], COUNTS * land)
    )
    return AreaCoverage(round(land / float(area.sum()), 4), round(land / LAND, 4), covered)


def _meeting(box: tuple[float, float, float, float]) -> dict[str, Any]:
    """Return the names and outlines, in degrees, of the countries whose own box meets this one."""
    import shapely

    names = countries.names()
    shapes = np.array([countries.outline(name)[0][0] for name in names])
    west, south, east, north = shapely.bounds(shapes).T
    meets = (west <= box[2]) & (box[0] <= east) & (south <= box[3]) & (box[1] <= north)
    return {names[place]: shapes[place] for place in np.flatnonzero(meets)}
