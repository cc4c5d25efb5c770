"""Finds which cells a polygon covers wholly or in part, to answer questions about zones."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import crs as crs_tools
from dpmap.grid.squares import EDGE, Squares

if TYPE_CHECKING:
    import shapely

    from dpmap.grid.grid import Grid

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Cover:
    """Says which cells lie wholly `within` a zone, and which are `touched` by it (those within
    included), in grid shape.

    `cut` lists the cells that are touched but not within, in row order, and `shares` which part of
    each is the zone's. Cells outside the declared area are in neither; `mapped` is the part of the
    zone's ground that lies in those that are in it.
    """

    within: Mask
    touched: Mask
    cut: NDArray[np.int64]
    shares: NDArray[np.float64]
    mapped: float


class Coverer:
    """Finds the cells of many zones on one grid; the outlines of cells are computed once.

    >>> import shapely
    >>> from dpmap.grid import Grid
    >>> grid = Grid(bounds=(0, 0, 3, 1), shape=(1, 3), crs="EPSG:3857")
    >>> found = Coverer(grid).cover(shapely.box(0.5, 0, 2, 1))
    >>> found.within.tolist(), found.cut.tolist(), found.shares.round(3).tolist()
    ([[False, True, False]], [0], [0.5])
    """

    def __init__(self, grid: "Grid") -> None:
        self._grid = grid
        self._outlines: NDArray[Any] | None = None
        self._tree: Any = None
        if not isinstance(grid.cells, Squares):
            import shapely

            self._outlines = grid.cells.polygons(np.arange(grid.size))
            self._tree = shapely.STRtree(self._outlines)

    def cover(self, zone: "shapely.Geometry") -> Cover:
        """Returns the cover of a zone given in the grid's own CRS."""
        cells = self._grid.cells
        inside = self._grid.inside
        within = np.zeros(self._grid.shape, dtype=bool)
        if isinstance(cells, Squares):
            part, window = coverage(zone, cells)
            part = np.where(inside[window], part, 0.0)
            within[window] = part >= 1 - EDGE
            row, column = np.nonzero((part > EDGE) & (part < 1 - EDGE))
            shares = part[row, column]
            cut = (row + window[0].start) * cells.shape[1] + column + window[1].start
        else:
            cut, shares = self._find_outlines(zone)
            within[cut[shares >= 1 - EDGE]] = True
            is_cut = (shares > EDGE) & (shares < 1 - EDGE)
            cut = cut[is_cut]
            shares = shares[is_cut]
        touched = within.copy()
        touched.ravel()[cut] = True
        return Cover(within, touched, cut, shares, self._mapped(zone, within, cut, shares))

    def shares(
        self, zone: "shapely.Geometry"
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """Yields the cells that a zone in the grid's own CRS meets, by their numbers in row order,
        and the share of each that it covers.

        In pieces, so that no more is held of a large grid than lies around the zone; cells outside
        the declared area are among them.
        """
        cells = self._grid.cells
        if not isinstance(cells, Squares):
            met, shares = self._find_outlines(zone)
            yield met, np.minimum(shares, 1.0)
            return
        for part, first_row, first_column in coverage_in_strips(zone, cells):
            row, column = np.nonzero(part > EDGE)
            yield (
                (row + first_row) * cells.shape[1] + column + first_column,
                np.minimum(part[row, column], 1.0),
            )

    def _mapped(
        self,
        zone: "shapely.Geometry",
        within: Mask,
        cut: NDArray[np.int64],
        shares: NDArray[np.float64],
    ) -> float:
        """Returns the share of the zone's ground that lies in cells of the area; 1 if only
        rounding is missing.
        """
        ground = self._grid.square_km
        covered = float(ground[within].sum()) + float(
            (ground[np.unravel_index(cut, self._grid.shape)] * shares).sum()
        )
        share = covered / max(zone_square_km(zone, self._grid.crs), 1e-300)
        return 1.0 if share > 1 - 1e-3 else share

    def _find_outlines(
        self, zone: "shapely.Geometry"
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Returns the cells that the zone meets, in row order, and the share of each that it
        covers.
        """
        met = np.sort(self._tree.query(zone, predicate="intersects"))
        surely = np.isin(met, self._tree.query(zone, predicate="covers"))
        shares = np.ones(len(met))
        # outlines are there for all but squares
        shares[~surely] = _shares(zone, self._outlines[met[~surely]])  # type: ignore[index]
        return met, shares


def _shares(
    zone: "shapely.Geometry", outlines: NDArray[Any], together: int = 32
) -> NDArray[np.float64]:
    """Returns the share of each outline that the zone covers.

    Outlines that lie together are cut from the piece of the zone around them, not from all of its
    edge.
    """
    import shapely

    shares = np.zeros(len(outlines))
    order = _hilbert_order(outlines)
    for start in range(0, len(order), together):
        members = order[start : start + together]
        piece = shapely.intersection(zone, shapely.box(*shapely.total_bounds(outlines[members])))
        shares[members] = shapely.area(shapely.intersection(outlines[members], piece))
    return np.asarray(shares / shapely.area(outlines))


def _hilbert_order(outlines: NDArray[Any]) -> NDArray[np.int64]:
    """Returns an order in which neighbours follow each other: that of Hilbert's curve."""
    import geopandas as gpd

    if not len(outlines):
        return np.zeros(0, dtype=np.int64)
    return np.argsort(gpd.GeoSeries(outlines).hilbert_distance().to_numpy(), kind="stable")


def zone_square_km(zone: "shapely.Geometry", crs: str) -> float:
    """Returns the true area of a polygon on the ellipsoid, its edges straight in `crs`.

    >>> import shapely
    >>> round(zone_square_km(shapely.box(0, 0, 1, 1), "EPSG:4326"), -1)
    12310.0
    """
    import pyproj
    import shapely

    step = max(zone.bounds[2] - zone.bounds[0], zone.bounds[3] - zone.bounds[1]) / 50
    straight = shapely.segmentize(np.array([zone]), step)
    moved = crs_tools.transform_shapes(straight, crs, crs_tools.LONLAT)[0]
    return abs(float(pyproj.Geod(ellps="WGS84").geometry_area_perimeter(moved)[0])) / 1e6


def coverage(
    zone: "shapely.Geometry", cells: Squares
) -> tuple[NDArray[np.float64], tuple[slice, slice]]:
    """Returns the share of each cell that the zone covers, for a window of rows and columns around
    the zone.

    Each piece of the zone's edge that lies in one cell adds its height to every cell east of it in
    that row, and the ground to its east to its own cell: the pieces' signed sum is the covered
    area, exactly, holes and all. The work grows with the edge and the window, and no cell is looked
    at by itself. By hand, since exactextract's shares have 32 bits and want a raster (decision
    029).

    >>> import shapely
    >>> coverage(shapely.box(0.5, 0, 2, 1), Squares((0, 0, 3, 1), (1, 3)))[0]
    array([[0.5, 1. ]])
    """
    window = _window(zone, cells)
    rows, columns = (max(part.stop - part.start, 0) for part in window)
    if not rows or not columns:
        return np.zeros((rows, columns)), window
    u0, v0, u1, v1 = _edges(zone, cells, window)
    edge, t = cuts(u0, v0, u1, v1, columns, rows)
    end = np.append(t[1:], 1.0)
    end[np.append(edge[1:] != edge[:-1], True)] = 1.0
    run = (u1 - u0)[edge]
    drop = (v1 - v0)[edge]
    start_v = v0[edge] + t * drop
    stop_v = v0[edge] + end * drop
    middle_u = np.clip(u0[edge] + (t + end) / 2 * run, 0, columns)
    row = np.floor((start_v + stop_v) / 2).astype(np.int64)
    in_window = (row >= 0) & (row < rows) & (middle_u < columns)
    row = row[in_window]
    middle_u = middle_u[in_window]
    height = (stop_v - start_v)[in_window]
    column = np.floor(middle_u).astype(np.int64)
    place = row * columns + column
    own_share = np.bincount(
        place, weights=height * (1 - (middle_u - column)), minlength=rows * columns
    )
    east = np.bincount(place, weights=height, minlength=rows * columns).reshape(rows, columns)
    part = own_share.reshape(rows, columns) + np.cumsum(east, axis=1) - east
    return np.asarray(part, dtype=np.float64), window


def coverage_in_strips(
    zone: "shapely.Geometry", cells: Squares, most: int = 1 << 22
) -> "Iterator[tuple[NDArray[np.float64], int, int]]":
    """Computes `coverage` some rows at a time, for zones of any size: yields shares with their
    first row and column.

    >>> import shapely
    >>> cells = Squares((0, 0, 2, 4), (4, 2))
    >>> [
    ...     (part.tolist(), row)
    ...     for part, row, _ in coverage_in_strips(shapely.box(0, 0.5, 1, 4), cells, most=2)
    ... ]
    [([[1.0], [1.0]], 0), ([[1.0], [0.5]], 2)]
    """
    rows, columns = _window(zone, cells)
    together = max(1, most // max(1, columns.stop - columns.start))
    for first in range(rows.start, rows.stop, together):
        last = min(first + together, rows.stop)
        ends = cells.edges(np.array([first, last - 1]), np.array([0, cells.shape[1] - 1]))
        strip = Squares(
            (cells.bounds[0], float(ends[1][1]), cells.bounds[2], float(ends[3][0])),
            (last - first, cells.shape[1]),
        )
        part, window = coverage(zone, strip)
        yield part, first + window[0].start, window[1].start


def _window(zone: "shapely.Geometry", cells: Squares) -> tuple[slice, slice]:
    """Returns the rows and columns within the zone's bounds, kept to the grid."""
    west, _, _, north = cells.bounds
    width, height = cells.cell
    rows, columns = cells.shape
    left, bottom, right, top = zone.bounds
    first_row = math.floor((north - top) / height)
    last_row = math.ceil((north - bottom) / height)
    first_column = math.floor((left - west) / width)
    last_column = math.ceil((right - west) / width)
    return (
        slice(min(max(first_row, 0), rows), min(max(last_row, 0), rows)),
        slice(min(max(first_column, 0), columns), min(max(last_column, 0), columns)),
    )


def _edges(
    zone: "shapely.Geometry", cells: Squares, window: tuple[slice, slice]
) -> tuple[NDArray[np.float64], ...]:
    """Returns the two ends of every edge, in cells east and south of the window's corner; the
    zone lies on the left.
    """
    import shapely

    west, _, _, north = cells.bounds
    width, height = cells.cell
    parts = [part for part in shapely.get_parts(zone) if part.geom_type == "Polygon"]
    rings, polygon = shapely.get_rings(np.array(parts, dtype=object), return_index=True)
    outer = np.append(True, polygon[1:] != polygon[:-1])
    turned = np.where(shapely.is_ccw(rings) == outer, rings, shapely.reverse(rings))
    xy, ring = shapely.get_coordinates(turned, return_index=True)
    u = (xy[:, 0] - west) / width - window[1].start
    v = (north - xy[:, 1]) / height - window[0].start
    same = ring[1:] == ring[:-1]
    return u[:-1][same], v[:-1][same], u[1:][same], v[1:][same]


def cuts(
    u0: NDArray[np.float64],
    v0: NDArray[np.float64],
    u1: NDArray[np.float64],
    v1: NDArray[np.float64],
    columns: int,
    rows: int,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Returns where each edge is cut (0 to 1): at its start and at every line between cells, in
    order.
    """
    edges = [np.arange(len(u0))]
    places = [np.zeros(len(u0))]
    for start, stop, lines in ((u0, u1, columns), (v0, v1, rows)):
        first = np.clip(np.floor(np.minimum(start, stop)) + 1, 0, lines + 1).astype(np.int64)
        last = np.clip(np.ceil(np.maximum(start, stop)) - 1, -1, lines).astype(np.int64)
        count = np.maximum(last - first + 1, 0)
        edge = np.repeat(np.arange(len(start)), count)
        line = np.arange(len(edge)) - np.repeat(np.cumsum(count) - count, count) + first[edge]
        edges.append(edge)
        places.append(np.clip((line - start[edge]) / (stop - start)[edge], 0, 1))
    edge = np.concatenate(edges)
    place = np.concatenate(places)
    order = np.lexsort((place, edge))
    return edge[order], place[order]
