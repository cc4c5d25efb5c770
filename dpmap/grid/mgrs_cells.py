"""MGRS squares that borders of UTM zones and latitude bands cut: each part is a cell, under its
own code.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import utm
from dpmap.grid.polygon_cells import Areas

STEP = 2000
"""Metres between the vertices of an outline: a straight line in degrees then strays from the
square's side by centimetres.
"""
LEAST = 1e-8
"""A part that is less than this share of its square is rounding, and no cell: of 10 km, a square
metre.
"""
OFF = 1e-8
"""Degrees by which an outline that was read may differ from the one computed here: a millimetre,
for other versions of PROJ.
"""


@dataclass(frozen=True, slots=True, eq=False)
class MgrsCells(Areas):
    """MGRS squares and parts of squares as areas, named by their codes, in degrees.

    A point belongs to the cell that its own MGRS reference names. That is computed in UTM, as
    references are, and not from the outlines, so that no point falls between two cells, or in two.

    >>> cells = MgrsCells.from_squares(
    ...     utm.places(np.array([11.9999, 12.0001]), np.array([47.5, 47.5]), 10_000)
    ... )
    >>> cells.names, cells.locate(
    ...     np.array([12.0, 11.99, 13]), np.array([47.5, 47.5, 47.5])
    ... ).tolist()
    (('32TQT26', '33TTN76'), [1, 0, -1])
    """

    squares: utm.Places

    @property
    def text(self) -> str:
        """The side of an uncut square, in a few words."""
        side = self.squares.side
        size = f"{side // 1000} km" if side >= 1000 else f"{side} m"
        return f"{size} MGRS"

    @classmethod
    def from_squares(cls, squares: utm.Places) -> "MgrsCells":
        """Makes the cells of these squares, or parts of squares; those that have no ground in
        their zone and band are left out.
        """
        import shapely

        shapes = outlines(squares)
        there = ~shapely.is_empty(shapes)
        squares = squares[there]
        return cls(shapes[there], tuple(squares.codes().tolist()), squares)

    def locate(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.int64]:
        """Returns the number of the cell that each point's MGRS reference names, or -1.

        Points in a zone without cells are skipped first, so that rows from all over the earth open
        no reference system for it.
        """
        x = np.asarray(x, dtype=np.float64)
        y = np.asarray(y, dtype=np.float64)
        near = np.flatnonzero(np.isin(utm.zones_and_bands(x, y)[0], np.unique(self.squares.zone)))
        keys = self.squares.keys
        order = np.argsort(keys)
        point_keys = utm.places(x[near], y[near], self.squares.side).keys
        cell = order[np.minimum(np.searchsorted(keys, point_keys, sorter=order), len(keys) - 1)]
        located = np.full(len(x), -1, dtype=np.int64)
        located[near] = np.where(keys[cell] == point_keys, cell, -1)
        return located


def recognise_mgrs(cells: Areas) -> Areas:
    """Returns areas in degrees as MGRS squares if they are such, else unchanged. Their names say
    which squares they could be, and their outlines decide.

    >>> import shapely
    >>> made = MgrsCells.from_squares(utm.places(np.array([12.0001]), np.array([47.5]), 10_000))
    >>> type(recognise_mgrs(Areas(made.shapes, made.names))).__name__
    'MgrsCells'
    >>> type(recognise_mgrs(Areas(np.array([shapely.box(12, 47, 13, 48)]), made.names))).__name__
    'Areas'
    """
    import shapely

    if (
        isinstance(cells, MgrsCells)
        or len(set(cells.names)) < cells.size
        or utm.read(cells.names[:1]) is None
    ):
        return cells
    squares = utm.read(cells.names)
    if (
        squares is None
        or not shapely.equals_exact(
            cells.shapes, outlines(squares), tolerance=OFF, normalize=True
        ).all()
    ):
        return cells
    return MgrsCells(cells.shapes, cells.names, squares)


def outlines(squares: utm.Places) -> NDArray[Any]:
    """Returns the outlines of squares in degrees, cut at the borders of their zones and bands;
    empty where nothing is left.

    Neighbours share the vertices of a side between them, and on a border all lie on one meridian or
    parallel.
    """
    import shapely

    shapes = np.full(len(squares), shapely.Polygon(), dtype=object)
    rim = _rim(squares.side)
    for members, around, crs in utm.parts_of(squares):
        east = squares.east[members][:, None] * float(squares.side) + rim[:, 0]
        north = squares.north[members][:, None] * float(squares.side) + rim[:, 1]
        rings = np.stack(utm.lonlat(east, north, crs, around), axis=2)
        inside = ((rings >= around[:2]) & (rings <= around[2:])).all(axis=(1, 2))
        shapes[members[inside]] = shapely.polygons(rings[inside])
        for number in np.flatnonzero(~inside).tolist():
            shapes[members[number]] = _clip_ring(rings[number], around)
    return shapes


def _rim(side: int) -> NDArray[np.float64]:
    """Returns the vertices around a square of this side, from its south-west corner."""
    steps = np.linspace(0, side, max(1, side // STEP) + 1)[:-1]
    start = np.zeros(len(steps))
    end = np.full(len(steps), float(side))
    east = np.concatenate([steps, end, side - steps, start])
    north = np.concatenate([start, steps, end, side - steps])
    return np.column_stack([east, north])


def _clip_ring(ring: NDArray[np.float64], around: tuple[float, float, float, float]) -> Any:
    """Returns the part of a ring that lies in a box, as a polygon, which may be empty."""
    import shapely

    points = [(float(lon), float(lat)) for lon, lat in ring]
    for axis, border, sign in (
        (0, around[0], 1),
        (0, around[2], -1),
        (1, around[1], 1),
        (1, around[3], -1),
    ):
        points = _clip_at_border(points, axis, border, sign)
    distinct = list(dict.fromkeys(points))
    part = shapely.Polygon(distinct) if len(distinct) > 2 else shapely.Polygon()
    return part if part.area > LEAST * shapely.Polygon(ring).area else shapely.Polygon()


def _clip_at_border(
    points: list[tuple[float, float]], axis: int, border: float, sign: int
) -> list[tuple[float, float]]:
    """Returns the part of a ring on one side of a border, with new vertices on it. Each is computed
    from its line's lower end on, so that neighbours have the same.
    """
    clipped = []
    for start, stop in zip(points, points[1:] + points[:1], strict=True):
        if sign * (start[axis] - border) >= 0:
            clipped.append(start)
        if (start[axis] - border) * (stop[axis] - border) < 0:
            low = min(start, stop)
            high = max(start, stop)
            share = (border - low[axis]) / (high[axis] - low[axis])
            along = low[1 - axis] + share * (high[1 - axis] - low[1 - axis])
            clipped.append((border, along) if axis == 0 else (along, border))
    return clipped
