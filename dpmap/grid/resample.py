"""Lays the totals of one grid's cells on those of another: each cell's total is shared out
evenly over its ground.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid import crs as crs_tools
from dpmap.grid.grid import Grid
from dpmap.grid.squares import Squares

Cells = NDArray[np.float64]


MOST = 1_000_000
"""Cells of either grid that are cut by each other's outlines; of squares in one CRS there may be
any number.
"""
AT_ONCE = 50_000


def resampled(values: Cells, old: Grid, new: Grid, *, role: str) -> tuple[Cells, Cells]:
    """Returns the total in each new cell, and which part of its ground the old grid's area covers.

    `values` are in the old ground's shape; what is NaN there is not known, and counts as no ground.

    >>> old = Grid(bounds=(0, 0, 4, 2), shape=(1, 2), crs="EPSG:3035")
    >>> new = Grid(bounds=(1, 0, 7, 2), shape=(1, 3), crs="EPSG:3035")
    >>> total, covered = resampled(np.array([[8.0, 2.0]]), old, new, role="prior")
    >>> total.tolist(), covered.tolist()
    ([[5.0, 1.0, 0.0]], [[1.0, 0.5, 0.0]])
    """
    source, target = old.cells, new.cells
    known = old.ground.inside & np.isfinite(values)
    if (
        not isinstance(source, Squares)
        or not isinstance(target, Squares)
        or not crs_tools.same(old.crs, new.crs)
    ):
        return _cut(np.where(known, values, np.nan), old, new, role)
    ground = np.prod(np.divide(source.cell, target.cell))
    total = _shared(np.where(known, values, 0.0), source, target)
    return total, np.minimum(_shared(known.astype(np.float64), source, target) * ground, 1.0)


def _shared(values: Cells, source: Squares, target: Squares) -> Cells:
    """Shares out totals over rows, then over columns, which for squares in one CRS is exact."""
    (west, _, _, north), (left, _, _, top) = source.bounds, target.bounds
    (across, up), (wide, high) = source.cell, target.cell
    rows = (north - top + high * np.arange(target.shape[0] + 1)) / up
    columns = (left - west + wide * np.arange(target.shape[1] + 1)) / across
    return _between(_between(values, rows).T, columns).T


def _between(values: Cells, edges: NDArray[np.floating[Any]]) -> Cells:
    """Returns what lies between consecutive edges along the first axis, which are in steps of its
    cells.

    >>> _between(np.array([[1.0], [3.0]]), np.array([-1, 0.5, 2])).ravel().tolist()
    [0.5, 3.5]
    """
    many = len(values)
    near = np.rint(edges)
    at = np.clip(np.where(np.abs(edges - near) < 1e-6, near, edges), 0, many)
    summed = np.concatenate([np.zeros((1, *values.shape[1:])), np.cumsum(values, axis=0)])
    below = np.minimum(at.astype(np.int64), many - 1)
    part = (at - below)[:, None]
    return np.diff(summed[below] + part * values[below], axis=0)


def _cut(values: Cells, old: Grid, new: Grid, role: str) -> tuple[Cells, Cells]:
    """Cuts the outlines of both grids with each other, for hexagons, areas and cells in another
    CRS.
    """
    import shapely

    if max(old.ground.cells_inside, new.ground.cells_inside) > MOST:
        raise BadInput(
            f"{role}: too many cells in another CRS; write a raster of them (dpmap export) and give"
            " that"
        )
    outlines, each = new.ground.polygons(), values[old.ground.inside]
    span = np.ptp(shapely.total_bounds(old.ground.polygons()).reshape(2, 2), axis=0).max()
    pieces = crs_tools.transform_shapes(old.ground.polygons(), old.crs, new.crs, step=span / 200)
    sound = np.isfinite(each) & np.isfinite(shapely.bounds(pieces)).all(axis=1)
    pieces, each = pieces[sound], each[sound]
    tree, many = shapely.STRtree(pieces), len(outlines)
    total, covered = np.zeros(many), np.zeros(many)
    for start in range(0, many, AT_ONCE):
        at, piece = tree.query(outlines[start : start + AT_ONCE], predicate="intersects")
        at += start
        shared = shapely.area(shapely.intersection(outlines[at], pieces[piece]))
        total += np.bincount(
            at, weights=shared / shapely.area(pieces[piece]) * each[piece], minlength=many
        )
        covered += np.bincount(at, weights=shared, minlength=many)
    found = np.zeros((2, *new.ground.shape))
    found[:, new.ground.inside] = total, np.minimum(covered / shapely.area(outlines), 1.0)
    return found[0], found[1]
