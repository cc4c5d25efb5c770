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


def resample(values: Cells, old: Grid, new: Grid, *, role: str) -> tuple[Cells, Cells]:
    """Returns the total in each new cell, and which part of its ground the old grid's area covers.

    `values` are in the old ground's shape; NaN there is missing, and counts as no ground.

    >>> old = Grid(bounds=(0, 0, 4, 2), shape=(1, 2), crs="EPSG:3035")
    >>> new = Grid(bounds=(1, 0, 7, 2), shape=(1, 3), crs="EPSG:3035")
    >>> total, covered = resample(np.array([[8.0, 2.0]]), old, new, role="prior")
    >>> total.tolist(), covered.tolist()
    ([[5.0, 1.0, 0.0]], [[1.0, 0.5, 0.0]])
    """
    source = old.cells
    target = new.cells
    known = old.ground.inside & np.isfinite(values)
    if (
        not isinstance(source, Squares)
        or not isinstance(target, Squares)
        or not crs_tools.same(old.crs, new.crs)
    ):
        return _cut_outlines(np.where(known, values, np.nan), old, new, role)
    ground = np.prod(np.divide(source.cell, target.cell))
    total = _share_squares(np.where(known, values, 0.0), source, target)
    return total, np.minimum(_share_squares(known.astype(np.float64), source, target) * ground, 1.0)


def _share_squares(values: Cells, source: Squares, target: Squares) -> Cells:
    """Shares out totals over rows, then over columns, which for squares in one CRS is exact."""
    west, _, _, north = source.bounds
    left, _, _, top = target.bounds
    across, up = source.cell
    wide, high = target.cell
    rows = (north - top + high * np.arange(target.shape[0] + 1)) / up
    columns = (left - west + wide * np.arange(target.shape[1] + 1)) / across
    return _sum_between(_sum_between(values, rows).T, columns).T


def _sum_between(values: Cells, edges: NDArray[np.floating[Any]]) -> Cells:
    """Returns the sums between consecutive edges along the first axis, which are in steps of its
    cells.

    >>> _sum_between(np.array([[1.0], [3.0]]), np.array([-1, 0.5, 2])).ravel().tolist()
    [0.5, 3.5]
    """
    count = len(values)
    near = np.rint(edges)
    position = np.clip(np.where(np.abs(edges - near) < 1e-6, near, edges), 0, count)
    cumulative = np.concatenate([np.zeros((1, *values.shape[1:])), np.cumsum(values, axis=0)])
    below = np.minimum(position.astype(np.int64), count - 1)
    part = (position - below)[:, None]
    return np.diff(cumulative[below] + part * values[below], axis=0)


def _cut_outlines(values: Cells, old: Grid, new: Grid, role: str) -> tuple[Cells, Cells]:
    """Cuts the outlines of both grids with each other, for hexagons, areas and cells in another
    CRS.
    """
    import shapely

    if max(old.ground.cells_inside, new.ground.cells_inside) > MOST:
        raise BadInput(
            f"{role}: too many cells in another CRS; write a raster of them (dpmap export) and give"
            " that"
        )
    outlines = new.ground.polygons()
    old_totals = values[old.ground.inside]
    span = np.ptp(shapely.total_bounds(old.ground.polygons()).reshape(2, 2), axis=0).max()
    pieces = crs_tools.transform_shapes(old.ground.polygons(), old.crs, new.crs, step=span / 200)
    is_known = np.isfinite(old_totals) & np.isfinite(shapely.bounds(pieces)).all(axis=1)
    pieces = pieces[is_known]
    old_totals = old_totals[is_known]
    tree = shapely.STRtree(pieces)
    count = len(outlines)
    total = np.zeros(count)
    covered = np.zeros(count)
    for start in range(0, count, AT_ONCE):
        new_cell, piece = tree.query(outlines[start : start + AT_ONCE], predicate="intersects")
        new_cell += start
        shared = shapely.area(shapely.intersection(outlines[new_cell], pieces[piece]))
        total += np.bincount(
            new_cell,
            weights=shared / shapely.area(pieces[piece]) * old_totals[piece],
            minlength=count,
        )
        covered += np.bincount(new_cell, weights=shared, minlength=count)
    results = np.zeros((2, *new.ground.shape))
    results[:, new.ground.inside] = total, np.minimum(covered / shapely.area(outlines), 1.0)
    return results[0], results[1]
