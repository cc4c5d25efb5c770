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
            neighbour_cells = _around_squares(cells, self._grid.shape, nearest, farthest)
        elif isinstance(self._grid.cells, Hexagons):
            neighbour_cells = _around_hexagons(cells, self._grid.cells.ids, nearest, farthest)
        else:
            neighbour_cells = _pad_rows(
                [self._around_area(int(cell), nearest, farthest) for cell in cells]
            )
        return (
            neighbour_cells
            if self._whole
            else np.where(
                (neighbour_cells >= 0) & self._grid.inside.ravel()[neighbour_cells],
                neighbour_cells,
                -1,
            )
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
        pairs = shapely.STRtree(shapes).query(shapes, predicate="intersects").T.tolist()
        for area, other in pairs:
            if area != other:
                touching[area].add(other)
        return touching

    def _around_area(self, cell: int, nearest: int, farthest: int) -> list[int]:
        """Returns the areas that are so many steps away."""
        seen = {cell}
        edge = {cell}
        within_reach: set[int] = set()
        for step in range(1, farthest + 1):
            edge = {other for area in edge for other in self._touching[area]} - seen
            seen |= edge
            if step >= nearest:
                within_reach |= edge
        return sorted(within_reach)


def _around_squares(cells: Index, shape: tuple[int, ...], nearest: int, farthest: int) -> Index:
    """Returns the squares that are so many steps away, -1 beyond the edge of the grid."""
    steps = np.arange(-farthest, farthest + 1)
    down, right = (part.ravel() for part in np.meshgrid(steps, steps, indexing="ij"))
    far_enough = np.maximum(np.abs(down), np.abs(right)) >= nearest
    down = down[far_enough]
    right = right[far_enough]
    neighbour_cells: Index = cells[:, None] + (down * shape[1] + right)
    row, column = np.divmod(cells, shape[1])
    rows, columns = (
        np.minimum(at, side - 1 - at) < farthest
        for at, side in zip((row, column), shape, strict=True)
    )
    edge = np.flatnonzero(rows | columns)
    row = row[edge, None] + down
    column = column[edge, None] + right
    # only squares near the edge can have neighbours beyond it
    beyond = (row < 0) | (row >= shape[0]) | (column < 0) | (column >= shape[1])
    neighbour_cells[edge] = np.where(beyond, -1, neighbour_cells[edge])
    return neighbour_cells


def _around_hexagons(cells: Index, ids: NDArray[np.uint64], nearest: int, farthest: int) -> Index:
    """Returns the hexagons of the grid that are so many steps away."""
    h3 = library()
    far = [h3.grid_disk(ids[cell], farthest) for cell in cells]
    near = [h3.grid_disk(ids[cell], nearest - 1) for cell in cells]
    neighbour_ids = _pad_rows(
        [
            np.setdiff1d(within_far, within_near)
            for within_far, within_near in zip(far, near, strict=True)
        ]
    ).astype(np.uint64)
    place = np.minimum(np.searchsorted(ids, neighbour_ids), len(ids) - 1)
    return np.where(ids[place] == neighbour_ids, place, -1)


def _pad_rows(lists: list[Any]) -> Index:
    """Returns lists of unequal length as rows padded with -1."""
    width = max(map(len, lists), default=0)
    rows = np.full((len(lists), max(width, 1)), -1, dtype=np.int64)
    for row, values in zip(rows, lists, strict=True):
        row[: len(values)] = values
    return rows
