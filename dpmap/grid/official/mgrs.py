"""MGRS, the squares of UTM under the letters of the military grid: codes such as 33TWM25, split
at the borders of zones and bands.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import product
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid import crs as crs_tools
from dpmap.grid import utm
from dpmap.grid.mgrs_cells import MgrsCells
from dpmap.grid.official.base import EDGE, Codes, OfficialSquares, steps
from dpmap.grid.squares import Squares
from dpmap.grid.study_area import covering_mask, read_shapes

if TYPE_CHECKING:
    from dpmap.grid.grid import Grid

COLUMN = "mgrsCellCode"
SIDES = (10, 100, 1000, 10_000, 100_000)
MOST = 100_000
"""More cells than these are refused, as each is a polygon of its own."""
CLOSE = 0.02
"""Degrees between the vertices of an area's edge before it is laid over squares of UTM."""


@dataclass(frozen=True, slots=True)
class MgrsGrid(OfficialSquares):
    """Names a grid of MGRS squares.

    Over an area that lies in one zone and one band, with no square on their borders, these are
    squares in that zone's reference system. Over any other area they are areas, and each square
    that a border cuts is as many cells as it has codes.
    """

    def covering(self, area: Any, *, layer: str | None = None, only: str | None = None) -> "Grid":
        """Makes this grid over an area."""
        from dpmap.grid.grid import Grid

        side = int(self.cell.split()[0]) * 1000
        pieces = []
        for piece in _pieces(_ground(area, layer, only), side):
            pieces.append(piece)
            if len(pieces) > 1:
                _check_count(sum(len(window.places) for window in pieces), self.name)
        if len(pieces) == 1:
            alone = pieces[0]
            if utm.whole(alone.places).all():
                return Grid(cells=alone.squares, crs=alone.crs, mask=alone.mask)
            _check_count(len(alone.places), self.name)
        places = reduce(add, (window.places for window in pieces))
        return Grid(cells=MgrsCells.from_squares(places), crs=crs_tools.LONLAT)

    def is_of(self, grid: "Grid") -> bool:
        """Whether cells that have an MGRS code are of this grid's size."""
        side = int(self.cell.split()[0]) * 1000
        if isinstance(grid.cells, MgrsCells):
            return grid.cells.squares.side == side
        return isinstance(grid.cells, Squares) and abs(grid.cells.cell[0] - side) <= EDGE * side


_WORDS = (
    "squares of UTM with MGRS codes; where UTM zones or bands of latitude meet, each part of a"
    " square is a cell of its own"
)
GRIDS = tuple(
    MgrsGrid(f"mgrs-{size}km", _WORDS, f"{size} km", crs="", column=COLUMN) for size in (1, 10, 100)
)


def codes(grid: "Grid", cells: NDArray[np.int64]) -> Codes:
    """Returns the cells' MGRS codes. Squares in a UTM zone's reference system have them if all that
    are in the area lie wholly in that zone and each in one band; else none has, as a square that a
    border cuts has several codes.

    >>> from dpmap.grid import Grid
    >>> grid = Grid(bounds=(520000, 5150000, 540000, 5160000), shape=(1, 2), crs="EPSG:32633")
    >>> codes(grid, np.array([0, 1]))["mgrsCellCode"].tolist()
    ['33TWM25', '33TWM35']
    """
    if isinstance(grid.cells, MgrsCells):
        return {COLUMN: np.array(grid.cells.names, dtype=object)[cells]}
    if utm.zone_of(grid.crs) is None or not isinstance(grid.cells, Squares):
        return {}
    edge = _squares(grid, _ends(grid.cells, grid.mask))
    squares = _squares(grid, cells)
    if edge is None or squares is None or not utm.whole(edge).all():
        return {}
    cell_codes = np.full(len(cells), "", dtype=object)
    in_zone = squares.zone > 0
    cell_codes[in_zone] = squares[in_zone].codes()
    return {COLUMN: cell_codes}


def advice(grid: "Grid") -> str:
    """Says how squares of a UTM zone get codes that have none."""
    if utm.zone_of(grid.crs) is None or not isinstance(grid.cells, Squares):
        return ""
    return (
        "the cells have no MGRS codes, as not all are squares of 1, 10 or 100 km on whole"
        " multiples, each in one UTM zone and one latitude band: take --grid mgrs-10km, which cuts"
        " squares at those borders"
    )


def _ends(squares: Squares, mask: NDArray[np.bool_] | None) -> NDArray[np.int64]:
    """Returns the first and the last square of each row and column that is in the area: if no
    border cuts these, it cuts none between them, as the ground of a zone and a band has no bay that
    a row or column of squares would leave and enter again.
    """
    rows, columns = squares.shape
    if mask is None:
        row = np.arange(rows) * columns
        column = np.arange(columns)
        return np.concatenate([row, row + columns - 1, column, column + (rows - 1) * columns])
    (row, west, east) = _firsts_and_lasts(mask)
    (column, north, south) = _firsts_and_lasts(mask.T)
    ends = (
        row * columns + west,
        row * columns + east,
        north * columns + column,
        south * columns + column,
    )
    return np.concatenate(ends)


def _firsts_and_lasts(mask: NDArray[np.bool_]) -> tuple[NDArray[np.int64], ...]:
    """Returns the rows of a mask that hold something, and where in each it begins and ends."""
    row = np.flatnonzero(mask.any(axis=1))
    return row, mask[row].argmax(axis=1), mask.shape[1] - 1 - mask[row, ::-1].argmax(axis=1)


def _squares(grid: "Grid", cells: NDArray[np.int64]) -> utm.Places | None:
    """Returns where squares of a zone's reference system lie, zone 0 for those whose middle is
    not in that zone; None for other cells.
    """
    zone = utm.zone_of(grid.crs)
    position = None if zone is None else steps(grid, cells, grid.crs, SIDES)
    if zone is None or position is None:
        return None
    side = int(position.side)
    east, north = (
        np.asarray((part + 0.5) * side, dtype=np.float64)
        for part in (position.east, position.north)
    )
    lon, lat = crs_tools.transform(east, north, grid.crs, crs_tools.LONLAT)
    zone_numbers, band = utm.zones_and_bands(lon, lat)
    in_own_zone = (zone_numbers == zone[0]) & ((band >= utm.EQUATOR) == zone[1])
    return utm.Places(
        np.where(in_own_zone, zone_numbers, 0), band, position.east, position.north, side
    )


def _ground(area: Any, layer: str | None, only: str | None) -> Any:
    """Returns the area as one shape in degrees, or refuses what UTM does not reach."""
    import shapely

    shapes, source, _ = read_shapes(area, layer=layer, name=only)
    span = np.ptp(shapely.total_bounds(shapes).reshape(2, 2), axis=0).max()
    ground = shapely.union_all(
        crs_tools.transform_shapes(shapes, source, crs_tools.LONLAT, step=span / 200)
    )
    west, south, east, north = shapely.bounds(ground)
    if not np.all(np.isfinite([west, south, east, north])):
        raise BadInput(
            "area: its own reference system does not reach as far as it does; give it in degrees,"
            " EPSG:4326"
        )
    if south < utm.SOUTH or north > utm.NORTH:
        polar = "3031" if south < utm.SOUTH else "3995"
        raise BadInput(
            "area: UTM, which MGRS squares lie in, ends at 80 degrees south and 84 degrees north;"
            " cut the area there, or lay "
            f'squares in a polar grid with --cell "10 km" --grid-crs EPSG:{polar}'
        )
    parts = shapely.bounds(shapely.get_parts(ground))
    if west < -180 or east > 180 or (parts[:, 2] - parts[:, 0]).max() > 180:
        raise BadInput(
            "area: it crosses the antimeridian; split it there, with longitudes from -180 to 180"
        )
    return ground


@dataclass(frozen=True, slots=True, eq=False)
class MgrsWindow:
    """Holds the squares around the ground that one zone and band have of an area, which of them
    are met, and where these lie.
    """

    squares: Squares
    mask: NDArray[np.bool_]
    crs: str
    places: utm.Places


def _pieces(ground: Any, side: int) -> Iterator[MgrsWindow]:
    """Yields a piece for each zone and band that has ground of the area."""
    import shapely

    shapely.prepare(ground)
    for zone, band in product(range(1, 61), range(len(utm.BANDS))):
        around = utm.box(zone, band)
        if around is None or not shapely.intersects(ground, shapely.box(*around)):
            continue
        parts = shapely.get_parts(shapely.intersection(ground, shapely.box(*around)))
        part = shapely.union_all(parts[shapely.get_dimensions(parts) == 2])
        if part.is_empty:
            continue
        crs = utm.crs_of(zone, band)
        squares, mask = _find_squares(shapely.segmentize(part, CLOSE), crs, side)
        row, column = np.nonzero(mask)
        east = column + round(squares.bounds[0] / side)
        north = round(squares.bounds[3] / side) - 1 - row
        places = utm.Places(np.full(len(row), zone), np.full(len(row), band), east, north, side)
        yield MgrsWindow(squares, mask, crs, places)


def _find_squares(part: Any, crs: str, side: int) -> tuple[Squares, NDArray[np.bool_]]:
    """Returns the squares around a shape in degrees, in the reference system of its zone, and
    which of them it has ground in.
    """
    import shapely

    shape = shapely.union_all(
        shapely.make_valid(crs_tools.transform_shapes(np.array([part]), crs_tools.LONLAT, crs))
    )
    west, south, east, north = (round(edge / side, 9) for edge in shapely.bounds(shape))
    left = np.floor(west)
    right = np.ceil(east)
    low = np.floor(south)
    high = np.ceil(north)
    bounds = (left * side, low * side, max(right, left + 1) * side, max(high, low + 1) * side)
    squares = Squares(bounds, (int(max(high - low, 1)), int(max(right - left, 1))))
    return squares, covering_mask(shape, squares)


def _check_count(met: int, name: str) -> None:
    """Refuses more cells than can be polygons."""
    if met > MOST:
        coarser = {"mgrs-1km": "--grid mgrs-10km or ", "mgrs-10km": "--grid mgrs-100km or "}.get(
            name, ""
        )
        raise BadInput(
            f"--grid {name}: {met:,} cells or more, and where zones and bands meet each is a"
            f" polygon, of which a map holds {MOST:,}; take {coarser}a smaller area"
        )
