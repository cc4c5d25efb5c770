"""Shared by all official grids: the protocol of a grid, and the position of cells in whole
multiples of their side.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import crs as crs_tools
from dpmap.grid.cell_sizes import parse_cell
from dpmap.grid.squares import Squares

if TYPE_CHECKING:
    from dpmap.grid.grid import Grid

Codes = dict[str, NDArray[Any]]
"""The codes of cells by the name of their column, as texts (and sizes as whole numbers). A cell
without a code has an empty text.
"""
EDGE = 1e-6
"""A side or an edge that lies off an official one by less than this share of a cell is that one,
but for rounding.
"""


class Official(Protocol):
    """An official grid, however its cells are made."""

    @property
    def name(self) -> str:
        """What is typed, such as `eea-10km`."""

    @property
    def words(self) -> str:
        """What it is, for help and pages."""

    @property
    def cell(self) -> str:
        """The side of its cells, as `--cell` takes it; empty where they have no one side."""

    @property
    def crs(self) -> str:
        """The reference system that all its cells lie in; empty where that follows from the
        area.
        """

    @property
    def column(self) -> str:
        """Where its codes stand."""

    @property
    def unverified(self) -> str:
        """What is not known of its codes; empty where known answers are tested."""

    def covering(self, area: Any, *, layer: str | None = None, only: str | None = None) -> "Grid":
        """Makes this grid over an area; `only` those polygons that a text column names so."""

    def is_of(self, grid: "Grid") -> bool:
        """Whether cells that have a code in this column are of this grid: of its size."""


@dataclass(frozen=True, slots=True)
class OfficialSquares:
    """An official grid of square cells, which `Grid.covering` makes with this `cell` and `crs`."""

    name: str
    words: str
    cell: str
    crs: str
    column: str
    unverified: str = ""

    def covering(self, area: Any, *, layer: str | None = None, only: str | None = None) -> "Grid":
        """Makes this grid over an area."""
        from dpmap.grid.grid import Grid

        return Grid.covering(area, cell=self.cell, crs=self.crs, layer=layer, name=only)

    def is_of(self, grid: "Grid") -> bool:
        """Whether cells that have a code in this column are of this grid: of its size."""
        side, _ = parse_cell(self.cell)
        return isinstance(grid.cells, Squares) and abs(grid.cells.cell[0] - side) <= EDGE * side


@dataclass(frozen=True, slots=True)
class Steps:
    """The positions of cells: how many sides east and north of the origin their south-west corners
    lie, and the length of a side.
    """

    east: NDArray[np.int64]
    north: NDArray[np.int64]
    side: float


def steps(
    grid: "Grid", cells: NDArray[np.int64], crs: str, sides: tuple[float, ...]
) -> Steps | None:
    """Returns where cells lie if they are squares of one of these `sides`, edges on its
    multiples, in this reference system; else None.
    """
    squares = grid.cells
    if not isinstance(squares, Squares):
        return None
    side = next(
        (
            side
            for side in sides
            if all(abs(length - side) <= EDGE * side for length in squares.cell)
        ),
        None,
    )
    if side is None or not lies_in(grid, crs):
        return None
    west = squares.bounds[0] / side
    south = squares.bounds[1] / side
    if max(abs(west - round(west)), abs(south - round(south))) > EDGE:
        return None
    row, column = np.divmod(cells, squares.shape[1])
    return Steps(round(west) + column, round(south) + squares.shape[0] - 1 - row, side)


def lies_in(grid: "Grid", *systems: str) -> bool:
    """Whether a grid's cells are squares in one of these reference systems, however that is
    written (WKT, OGC:CRS84).
    """
    if not isinstance(grid.cells, Squares):
        return False
    if grid.crs in systems:
        return True
    # two EPSG codes that differ are two systems, without asking PROJ
    is_epsg = grid.crs.startswith("EPSG:")
    return any(
        not (is_epsg and system.startswith("EPSG:")) and crs_tools.same(grid.crs, system)
        for system in systems
    )


def join_texts(*parts: NDArray[np.object_] | str) -> NDArray[np.object_]:
    """Joins texts, cell by cell.

    >>> join_texts("E", np.array(["1", "2"], dtype=object)).tolist()
    ['E1', 'E2']
    """
    whole: Any = ""
    for part in parts:
        whole = whole + part
    return np.asarray(whole, dtype=object)


def write_distinct(numbers: NDArray[np.int64], write: Callable[[int], str]) -> NDArray[np.object_]:
    """Writes each number as text by `write`, which is asked once for each distinct one: cells share
    their rows and columns.

    Such texts join by `+`, cell by cell.

    >>> (
    ...     write_distinct(np.array([7, 7, 8]), "E{}".format)
    ...     + write_distinct(np.array([1, 2, 2]), "N{}".format)
    ... ).tolist()
    ['E7N1', 'E7N2', 'E8N2']
    """
    if not len(numbers):
        return np.zeros(0, dtype=object)
    least = int(numbers.min())
    most = int(numbers.max())
    if most - least < len(numbers):
        return np.array([write(number) for number in range(least, most + 1)], dtype=object)[
            numbers - least
        ]
    distinct, at = np.unique(numbers, return_inverse=True)
    return np.array([write(number) for number in distinct.tolist()], dtype=object)[at]


def to_plain_column(values: NDArray[Any]) -> NDArray[Any]:
    """Returns a column as every format holds it: of texts alone, or of whole numbers alone.

    >>> to_plain_column(np.array([1000, 1000], dtype=object)).dtype, to_plain_column(
    ...     np.array([1000, ""], dtype=object)
    ... ).tolist()
    (dtype('int64'), ['1000', ''])
    """
    kinds = set(map(type, values.tolist()))
    if kinds == {int} or values.dtype.kind in "iu":
        return values.astype(np.int64)
    return (
        values.astype(object, copy=False)
        if kinds <= {str}
        else np.array([str(value) for value in values], dtype=object)
    )


def nearest(grid: "Grid", grids: Iterable[Official], column: str, crs: str = "") -> str:
    """Returns the name of the official grid whose cells are nearest in size to these squares, of
    those with this column (in this system).

    >>> from dpmap.grid import Grid
    >>> from dpmap.grid.official import NAMES
    >>> grid = Grid(bounds=(0, 0, 9000, 9000), shape=(1, 1), crs="EPSG:3035")
    >>> nearest(grid, NAMES.values(), "eeaCellCode"), nearest(
    ...     grid, NAMES.values(), "gridReference", "EPSG:29903"
    ... )
    ('eea-10km', 'irish-hectad')
    """
    side = grid.cells.cell[0]  # type: ignore[union-attr]  # advice is for squares alone
    candidates = [one for one in grids if one.column == column and crs in ("", one.crs)]
    return min(candidates, key=lambda one: abs(math.log(side / parse_cell(one.cell)[0]))).name


def overlaps(
    grid: "Grid", west: float, south: float, east: float = math.inf, north: float = math.inf
) -> bool:
    """Whether a grid of squares reaches into a rectangle of its system; if not, it has no column
    for codes that end there.

    Which columns a grid has follows from its bounds, not from the cells that are asked for, so that
    tables written in parts agree.
    """
    # squares, as `steps` found
    left, bottom, right, top = grid.cells.bounds  # type: ignore[union-attr]
    return left < east and right > west and bottom < north and top > south


def begins_within(position: Steps, *ends: tuple[float, float, float, float]) -> NDArray[np.bool_]:
    """Returns which cells begin in one of these rectangles (west, south, east, north); beyond
    them squares are not the publisher's.
    """
    east = position.east * position.side
    north = position.north * position.side
    in_rectangles = [(east >= w) & (east < e) & (north >= s) & (north < n) for w, s, e, n in ends]
    return np.asarray(np.any(in_rectangles, axis=0))
