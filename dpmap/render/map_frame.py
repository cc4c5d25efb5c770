"""What a picture is drawn in: a projection, the frame around the area, and the land that cells are
cut to.

Cells of degrees are drawn in an equal-area projection centred on them, so that no land is squashed
and equal areas look equal. Where a map is of land, cells are cut at the coast: a colour over the
sea would say that something was counted there.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.grid.squares import Squares
from dpmap.render import natural_earth as background
from dpmap.render.towns import EARTH

WIDEST = 100.0
"""Degrees: wider areas are drawn as the world is, in Equal Earth."""
OF_LAND = 0.95
"""A map is of land where so many of its cells touch some."""
FINEST_CUT = 2.0
"""Kilometres: the bundled coast may be off by so much, so smaller cells are not cut."""
MOST_CUT = 100_000
"""Cells: finding those that touch land would take longer than drawing them."""


@dataclass(frozen=True)
class MapFrame:
    """Holds a grid and the CRS that it is drawn in."""

    grid: Grid
    crs: str
    coast: bool = True
    """Whether the bundled coast is drawn, and cells are cut at it."""

    @classmethod
    def project(cls, grid: Grid, *, coast: bool = True) -> "MapFrame":
        """Return the frame of a picture: degrees are projected, other systems are kept.

        >>> grid = Grid(bounds=(-8, 50, 2, 60), shape=(10, 10), crs="EPSG:4326")
        >>> MapFrame.project(grid).crs[:36]
        '+proj=laea +lat_0=55.0 +lon_0=-3.0 +'
        """
        if not crs_tools.is_lonlat(grid.crs):
            return cls(grid, grid.crs, coast)
        west, south, east, north = background.frame(grid, margin=0.0)
        if max(east - west, north - south) <= WIDEST:
            return cls(grid, crs_tools.equal_area((west, south, east, north)), coast)
        middle = round((west + east) / 2, 2)
        return cls(grid, f"+proj=eqearth +lon_0={middle} +datum=WGS84 +units=m +type=crs", coast)

    @property
    def projected(self) -> bool:
        """Whether it is drawn in another CRS than the grid's."""
        return self.crs != self.grid.crs

    @cached_property
    def ground(self) -> Grid:
        """The area as one rectangle of the drawing's CRS, for what lies around the cells."""
        if not self.projected:
            return self.grid
        xy = self._edges()
        west, south = xy.min(axis=0).tolist()
        east, north = xy.max(axis=0).tolist()
        return Grid(bounds=(west, south, east, north), shape=(1, 1), crs=self.crs)

    @cached_property
    def box(self) -> background.Box:
        """West, south, east and north of the frame, in the CRS of the drawing."""
        return background.frame(self.ground)

    @property
    def stretch(self) -> float:
        """How much longer a unit to the north is drawn than one to the east."""
        if not crs_tools.is_lonlat(self.crs):
            return 1.0
        middle = np.radians((self.box[1] + self.box[3]) / 2)
        return 1 / max(0.05, float(np.cos(middle)))

    @property
    def shape(self) -> float:
        """How high the map is drawn, in widths."""
        west, south, east, north = self.box
        return self.stretch * (north - south) / (east - west)

    def move(self, shapes: NDArray[Any]) -> NDArray[Any]:
        """Return shapes of the grid's CRS where they are drawn."""
        if not self.projected or not len(shapes):
            return shapes
        step = max(np.ptp(np.reshape(background.frame(self.grid), (2, 2)), axis=0)) / 100
        return crs_tools.transform_shapes(shapes, self.grid.crs, self.crs, step=float(step))

    def move_segments(self, segments: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return segments (n, 2, 2) of the grid's CRS where they are drawn."""
        x, y = crs_tools.transform(
            segments[..., 0].ravel(), segments[..., 1].ravel(), self.grid.crs, self.crs
        )
        moved: NDArray[np.float64] = np.column_stack([x, y]).reshape(segments.shape)
        return moved

    def _edges(self) -> NDArray[np.float64]:
        """Return points along the edge of the area, where it is drawn."""
        import shapely

        cells = self.grid.cells
        if isinstance(cells, Squares):
            rows, columns = np.nonzero(self.grid.inside)
            ends = np.concatenate([_ends(rows), _ends(columns)])
            shapes = shapely.box(*cells.corners(rows[ends] * cells.shape[1] + columns[ends]))
        else:
            shapes = self.grid.polygons()
        corners: NDArray[np.float64] = shapely.get_coordinates(self.move(shapes))
        return corners

    @cached_property
    def land(self) -> Any:
        """What cells are cut to, as one matplotlib path: land, and cells that lie off the
        bundled one; None where the map is not of land or the coast is not known so finely.
        """
        import shapely

        if not self.coast:
            return None
        square_km = self.grid.square_km[self.grid.inside]
        if len(square_km) > MOST_CUT or float(np.median(square_km)) < FINEST_CUT**2:
            return None
        layers = background.context(self.ground)
        land = shapely.union_all(np.array(layers["land"], dtype=object))
        lakes = shapely.union_all(np.array(layers["lakes"], dtype=object))
        dry = shapely.difference(land, lakes)
        cells = crs_tools.transform_shapes(self.grid.polygons(), self.grid.crs, crs_tools.LONLAT)
        shapely.prepare(dry)
        inland = shapely.intersects(dry, cells)
        if inland.mean() < OF_LAND or shapely.contains_properly(dry, cells).all():
            return None
        touching = inland | shapely.dwithin(dry, cells, np.degrees(FINEST_CUT / EARTH))
        step = background.longer(background.sides(self.ground)) / 50
        pieces = np.append(shapely.get_parts(dry), cells[~touching])
        return compound(crs_tools.transform_shapes(pieces, crs_tools.LONLAT, self.crs, step=step))

    def cut(self, artist: Any, ax: Any) -> None:
        """Show no more of an artist than what lies on land."""
        if self.land is not None:
            artist.set_clip_path(self.land, ax.transData)


def _ends(line: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the first and the last place of each value.

    >>> _ends(np.array([0, 0, 0, 1, 1]))
    array([0, 3, 2, 4])
    """
    order = np.argsort(line, kind="stable")
    first = np.flatnonzero(np.diff(line[order], prepend=-1))
    last = np.append(first[1:], len(order)) - 1
    return np.concatenate([order[first], order[last]])


def compound(shapes: NDArray[Any]) -> Any:
    """Join polygons and lines into one matplotlib path; holes run the other way round, so that
    they stay open.
    """
    import shapely
    from matplotlib.path import Path as Curve

    parts = shapely.get_parts(shapes)
    flat = shapely.get_dimensions(parts) == 2
    rings = np.concatenate([shapely.get_rings(shapely.orient_polygons(parts[flat])), parts[~flat]])
    xy, owner = shapely.get_coordinates(rings, return_index=True)
    sound = np.isfinite(xy).all(axis=1)
    xy = xy[sound]
    owner = owner[sound]
    codes = np.full(len(xy), Curve.LINETO, dtype=Curve.code_type)
    codes[np.flatnonzero(np.diff(owner, prepend=-1))] = Curve.MOVETO
    return Curve(xy, codes)
