"""Finds the cells around a cell, for comparisons and clusters."""

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpmap.grid.h3_cells import Hexagons, library
from dpmap.grid.squares import Squares

if TYPE_CHECKING:
    from dpmap.grid.grid import Grid

Index = NDArray[np.int64]


class Neighbours:
    """Finds the neighbours of cells by steps; one step goes to a cell that shares an edge or a
    corner.

    >>> from dpmap.grid import Grid
    >>> grid = Grid(bounds=(0, 0, 3, 3), shape=(3, 3), crs="EPSG:3857")
    >>> sorted(Neighbours(grid).around(np.array([0]), 1, 1)[0].tolist())
    [-1, -1, -1, -1, -1, 1, 3, 4]
    """

    def __init__(self, grid: "Grid") -> None:
        self._grid = grid

    def around(self, cells: Index, nearest: int, farthest: int) -> Index:
        """Returns for each cell a row of the in-area cells `nearest` to `farthest` steps away,
        padded with -1.
        """
        if isinstance(self._grid.cells, Squares):
            found = _around_squares(cells, self._grid.shape, nearest, farthest)
        elif isinstance(self._grid.cells, Hexagons):
            found = _around_hexagons(cells, self._grid.cells.ids, nearest, farthest)
        else:
            found = _rows([self._around_area(int(cell), nearest, farthest) for cell in cells])
        return (
            found
            if self._whole
            else np.where((found >= 0) & self._grid.inside.ravel()[found], found, -1)
        )

    @cached_property
    def _whole(self) -> bool:
        """Whether every cell of the grid is in the area."""
        return bool(self._grid.inside.all())

    @cached_property
    def _touching(self) -> list[set[int]]:
        """Lists for each area the areas that share a border or a corner with it."""
        import shapely

        shapes: NDArray[Any] = self._grid.polygons()
        touching: list[set[int]] = [set() for _ in shapes]
        for one, other in shapely.STRtree(shapes).query(shapes, predicate="intersects").T.tolist():
            if one != other:
                touching[one].add(other)
        return touching

    def _around_area(self, cell: int, nearest: int, farthest: int) -> list[int]:
        seen, edge, found = {cell}, {cell}, set()
        for step in range(1, farthest + 1):
            edge = {other for one in edge for other in self._touching[one]} - seen
            seen |= edge
            found |= edge if step >= nearest else set()
        return sorted(found)


def _around_squares(cells: Index, shape: tuple[int, ...], nearest: int, farthest: int) -> Index:
    """Returns the squares that are so many steps away, -1 beyond the edge, which only those near
    it need to be asked about.
    """
    steps = np.arange(-farthest, farthest + 1)
    down, right = (part.ravel() for part in np.meshgrid(steps, steps, indexing="ij"))
    kept = np.maximum(np.abs(down), np.abs(right)) >= nearest
    down, right = down[kept], right[kept]
    found: Index = cells[:, None] + (down * shape[1] + right)
    row, column = np.divmod(cells, shape[1])
    rows, columns = (
        np.minimum(at, side - 1 - at) < farthest
        for at, side in zip((row, column), shape, strict=True)
    )
    edge = np.flatnonzero(rows | columns)
    row, column = row[edge, None] + down, column[edge, None] + right
    beyond = (row < 0) | (row >= shape[0]) | (column < 0) | (column >= shape[1])
    found[edge] = np.where(beyond, -1, found[edge])
    return found


def _around_hexagons(cells: Index, ids: NDArray[np.uint64], nearest: int, farthest: int) -> Index:
    h3 = library()
    far = [h3.grid_disk(ids[cell], farthest) for cell in cells]
    near = [h3.grid_disk(ids[cell], nearest - 1) for cell in cells]
    found = _rows([np.setdiff1d(one, other) for one, other in zip(far, near, strict=True)]).astype(
        np.uint64
    )
    place = np.minimum(np.searchsorted(ids, found), len(ids) - 1)
    return np.where(ids[place] == found, place, -1)


def _rows(lists: list[Any]) -> Index:
    """Returns lists of unequal length as rows padded with -1."""
    width = max((len(one) for one in lists), default=0)
    rows = np.full((len(lists), max(width, 1)), -1, dtype=np.int64)
    for row, one in zip(rows, lists, strict=True):
        row[: len(one)] = one
    return rows
