"""The lettered squares of the British Isles: the Ordnance Survey's National Grid, and the Irish
Grid.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpmap.grid.official.base import (
    Codes,
    OfficialSquares,
    lies_in,
    nearest,
    overlaps,
    steps,
    write_distinct,
)

if TYPE_CHECKING:
    from dpmap.grid.grid import Grid

BRITAIN = "EPSG:27700"
IRELAND = "EPSG:29903"
IRELAND_1965 = "EPSG:29902"
"""Two codes name the Irish Grid, by the survey of 1965 and its adjustment of 1975: the same
squares and the same references.
"""
OTHER_IRISH = {
    "EPSG:29901": "the Irish grid of 1952",
    "EPSG:29900": "an Irish grid of before 1975",
    "EPSG:2157": "Irish Transverse Mercator, whose squares have no letters",
}
SIDES = (100, 1000, 2000, 5000, 10_000, 100_000)
LETTERED = {BRITAIN: (7, 13), IRELAND: (4, 5), IRELAND_1965: (4, 5)}
"""How many squares of 100 km have letters: to the east and to the north of the origin."""
_SIZES = {
    "100km": ("100 km", "squares of 100 km, which two letters name"),
    "hectad": ("10 km", "hectads, squares of 10 km"),
    "10km": ("10 km", "hectads, squares of 10 km"),
    "5km": ("5 km", "quadrants of a hectad, squares of 5 km"),
    "tetrad": ("2 km", "tetrads, squares of 2 km, in which most local atlases report"),
    "2km": ("2 km", "tetrads, squares of 2 km"),
    "1km": ("1 km", "monads, squares of 1 km"),
    "100m": ("100 m", "squares of 100 m"),
}


def _grids(prefix: str, whose: str, crs: str) -> tuple[OfficialSquares, ...]:
    """Lists a country's grids, each by its size and, where atlases have one, by its name."""
    return tuple(
        OfficialSquares(
            f"{prefix}-{short}",
            f"{words.replace('two letters', 'a letter') if crs == IRELAND else words}, of {whose}",
            cell,
            crs,
            "gridReference",
        )
        for short, (cell, words) in _SIZES.items()
    )


GRIDS = (
    *_grids("os", "the Ordnance Survey's National Grid", BRITAIN),
    *_grids("irish", "the Irish Grid", IRELAND),
)
_ALPHABET = np.array(list("ABCDEFGHJKLMNOPQRSTUVWXYZ"), dtype=object)
"""Letters of 5 by 5 squares, from the north-west to the east and then south, without I."""
_TETRADS = np.array(list("ABCDEFGHIJKLMNPQRSTUVWXYZ"), dtype=object)
"""Letters of the 25 tetrads of a hectad, from the south-west to the north and then east, without
O.
"""
_QUADRANTS = np.array(["SW", "NW", "SE", "NE"], dtype=object)


def codes(grid: "Grid", cells: NDArray[np.int64]) -> Codes:
    """Returns grid references as atlases write them, without blanks, and the side in metres; none
    outside the lettered squares.

    >>> from dpmap.grid import Grid
    >>> grid = Grid(bounds=(410000, 370000, 420000, 380000), shape=(1, 1), crs="EPSG:27700")
    >>> {column: texts.tolist() for column, texts in codes(grid, np.array([0])).items()}
    {'gridReference': ['SK17'], 'gridSizeInMeters': [10000]}
    """
    for crs, (columns, rows) in LETTERED.items():
        position = steps(grid, cells, crs, SIDES)
        if position is None or not overlaps(grid, 0, 0, columns * 100_000, rows * 100_000):
            continue
        side = int(position.side)
        east = position.east * side
        north = position.north * side
        column = east // 100_000
        row = north // 100_000
        known = (column >= 0) & (column < columns) & (row >= 0) & (row < rows)
        references = _letter(column % 5, row % 5) + _write_position(
            east % 100_000, north % 100_000, side
        )
        if crs == BRITAIN:
            references = _letter((column + 10) // 5 % 5, (row + 5) // 5 % 5) + references
        return {
            "gridReference": np.where(known, references, ""),
            "gridSizeInMeters": np.full(len(cells), side),
        }
    return {}


def _letter(column: NDArray[np.int64], row: NDArray[np.int64]) -> NDArray[np.object_]:
    """Returns the letter of one of 5 by 5 squares, by its column from the west and its row from
    the south.
    """
    letters: NDArray[np.object_] = _ALPHABET[(4 - row) * 5 + column]
    return letters


def _write_position(
    east: NDArray[np.int64], north: NDArray[np.int64], side: int
) -> NDArray[np.object_]:
    """Writes where a cell lies in its square of 100 km: digits to the east and to the north, and
    what names a tetrad or a quadrant.
    """
    if side == 100_000:
        return np.full(len(east), "", dtype=object)
    if side in (2000, 5000):
        parts = 10_000 // side
        at = east // side % parts * parts + north // side % parts
        part: NDArray[np.object_] = (_TETRADS if side == 2000 else _QUADRANTS)[at]
        return np.add(_write_position(east, north, 10_000), part)
    digits = ("{:0" + str(6 - len(str(side))) + "d}").format
    return np.add(write_distinct(east // side, digits), write_distinct(north // side, digits))


def advice(grid: "Grid") -> str:
    """Says what to change in squares of the National Grid or of an Irish one that have no grid
    reference.
    """
    other = next((words for crs, words in OTHER_IRISH.items() if lies_in(grid, crs)), "")
    if other:
        name = nearest(grid, GRIDS, "gridReference", IRELAND)
        return (
            "grid references belong to the Irish Grid in EPSG:29903, and these cells lie in"
            f" {other}: take --grid {name}"
        )
    if not lies_in(grid, *LETTERED):
        return ""
    crs, whose = (
        (BRITAIN, "the National Grid") if lies_in(grid, BRITAIN) else (IRELAND, "the Irish Grid")
    )
    return (
        f"the cells have no grid reference of {whose}, which has lettered squares of 100 m, 1, 2,"
        " 5, 10 and 100 km, with edges on whole multiples of the side: take --grid"
        f" {nearest(grid, GRIDS, 'gridReference', crs)}"
    )
