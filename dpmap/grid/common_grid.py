"""One grid for several maps: the same cells, or squares that fit one lattice."""

from collections.abc import Sequence
from types import EllipsisType
from typing import TYPE_CHECKING

import numpy as np

from dpmap.errors import BadInput
from dpmap.grid import crs as crs_tools
from dpmap.grid.grid import Grid, check_size
from dpmap.grid.partition import Partition
from dpmap.grid.squares import Squares

if TYPE_CHECKING:
    from numpy.typing import NDArray

OFF = 1e-6
"""Edges that are this share of a cell apart are the same edge, written with another rounding."""
Window = tuple[EllipsisType | slice, ...]


def together(grids: Sequence[Grid]) -> Grid:
    """Returns a grid of the cells of all grids: the first's, if all are alike, else the squares of
    their common lattice.

    >>> west = Grid(bounds=(0, 0, 20, 10), shape=(1, 2), crs="EPSG:3035")
    >>> north = Grid(bounds=(10, 10, 20, 20), shape=(1, 1), crs="EPSG:3035")
    >>> together([west, north]).inside.tolist()
    [[False, True], [True, True]]
    """
    first = grids[0]
    for grid in grids[1:]:
        if not crs_tools.same(first.crs, grid.crs):
            raise BadInput(
                "merge: the maps are in different CRSs; lay their cells in one, such as the"
                " national grid (--grid-crs)"
            )
        if grid.axes != first.axes:
            raise BadInput(
                "merge: the maps have different layers; merge those that declare the same kinds and"
                " times"
            )
    if all(grid.cells == first.cells for grid in grids):
        inside = np.any([grid.ground.inside for grid in grids], axis=0)
        return Grid(cells=first.cells, crs=first.crs, mask=inside, axes=first.axes)
    return _join_squares(grids)


def _join_squares(grids: Sequence[Grid]) -> Grid:
    """Returns one grid of squares that spans all grids, without the squares that no grid has."""
    squares = [grid.cells for grid in grids if isinstance(grid.cells, Squares)]
    across, up = squares[0].cell if squares else (1.0, 1.0)
    west, south, east, north = (
        pick(cells.bounds[side] for cells in squares) if squares else 0.0
        for side, pick in enumerate((min, min, max, max))
    )
    steps = [
        ((cells.bounds[0] - west) / across, (cells.bounds[1] - south) / up) for cells in squares
    ]
    alike = all(
        abs(side / first_side - 1) < OFF
        for cells in squares
        for side, first_side in zip(cells.cell, (across, up), strict=True)
    )
    if (
        len(squares) < len(grids)
        or not alike
        or any(abs(step - round(step)) > OFF for pair in steps for step in pair)
    ):
        raise BadInput(
            "merge: the maps have different cells; lay square cells of one size in one CRS (--cell"
            " and --grid-crs), or use the same cells"
        )
    shape = (round((north - south) / up), round((east - west) / across))
    check_size(*shape)
    whole = Grid(cells=Squares((west, south, east, north), shape), crs=grids[0].crs)
    mask = np.zeros(shape, dtype=bool)
    for grid in grids:
        mask[window(whole, grid)] |= grid.ground.inside
    return Grid(cells=whole.cells, crs=whole.crs, mask=mask, axes=grids[0].axes)


def window(whole: Grid, part: Grid) -> Window:
    """Returns the slices that find a part's cells in arrays of the whole grid's shape.

    >>> whole, part = (
    ...     Grid(bounds=(0, 0, 30, side), shape=(side // 10, 3), crs="EPSG:3035")
    ...     for side in (30, 10)
    ... )
    >>> np.arange(9).reshape(3, 3)[window(whole, part)].tolist()
    [[6, 7, 8]]
    """
    if not isinstance(whole.cells, Squares) or not isinstance(part.cells, Squares):
        return (...,)
    across, up = whole.cells.cell
    box = part.cells.bounds
    left = round((box[0] - whole.cells.bounds[0]) / across)
    top = round((whole.cells.bounds[3] - box[3]) / up)
    rows, columns = part.cells.shape
    return (..., slice(top, top + rows), slice(left, left + columns))


def coarsest(whole: Grid, parts: Sequence[tuple[Grid, Partition]]) -> Partition:
    """Returns the finest partition that keeps together all cells that some part has in one region.

    >>> whole = Grid(bounds=(0, 0, 4, 1), shape=(1, 4), crs="EPSG:3035")
    >>> coarsest(
    ...     whole, [(whole, Partition([[0, 0, 1, 2]])), (whole, Partition([[0, 1, 1, 2]]))]
    ... ).labels.tolist()
    [[0, 0, 0, 1]]
    """
    numbers = np.arange(whole.size, dtype=np.int64).reshape(whole.shape)
    before: NDArray[np.int64] = np.empty(0, dtype=np.int64)
    while not np.array_equal(numbers, before):
        before = numbers.copy()
        for grid, partition in parts:
            part_numbers = numbers[window(whole, grid)]
            in_region = partition.labels >= 0
            least = np.full(partition.regions, whole.size)
            np.minimum.at(least, partition.labels[in_region], part_numbers[in_region])
            part_numbers[in_region] = least[partition.labels[in_region]]
    labels = np.full(whole.shape, -1)
    labels[whole.inside] = np.unique(numbers[whole.inside], return_inverse=True)[1]
    return Partition(labels)
