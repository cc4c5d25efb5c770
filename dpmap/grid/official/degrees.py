"""Grids of longitude and latitude, in EPSG:4326: quarter degree cells, and square minutes such
as the pentads of bird atlases.
"""

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import crs as crs_tools
from dpmap.grid.official.base import (
    Codes,
    OfficialSquares,
    Steps,
    lies_in,
    nearest,
    steps,
    write_distinct,
)
from dpmap.grid.squares import Squares

if TYPE_CHECKING:
    from dpmap.grid.grid import Grid

CRS = crs_tools.LONLAT
DEEPEST = 10
"""The last level of quarter degree cells with a name: 1/1024 degree, some 100 m."""
HALVES = tuple(1 / 2**level for level in range(DEEPEST + 1))
SECONDS = tuple(seconds for seconds in range(1, 3601) if 3600 % seconds == 0)
"""The sides of square minutes: whole seconds of which a degree holds a whole number."""
_QUARTER = "quarter degree cells, extended: a degree is halved {level} times"
_MINUTES = "squares of minutes of longitude and latitude"
_PENTAD = "pentads, squares of 5 minutes, in which Africa's bird atlases report"
GRIDS = (
    OfficialSquares(
        "qdgc",
        "quarter degree cells, in which Africa's plant and animal atlases report",
        "0.25 deg",
        CRS,
        "eqdgcCellCode",
    ),
    *(
        OfficialSquares(
            f"qdgc-{level}",
            _QUARTER.format(level=level),
            f"{side!r} deg".replace(".0 ", " "),
            CRS,
            "eqdgcCellCode",
        )
        for level, side in enumerate(HALVES)
    ),
    OfficialSquares("pentad", _PENTAD, "5 min", CRS, "dmsCellCode"),
    *(
        OfficialSquares(f"dms-{size}min", _MINUTES, f"{size} min", CRS, "dmsCellCode")
        for size in (1, 5, 10, 15, 30)
    ),
    OfficialSquares(
        "dms-30s", "squares of 30 seconds of longitude and latitude", "30 s", CRS, "dmsCellCode"
    ),
)
_LETTERS = np.array(list("ABCD"), dtype=object)


def codes(grid: "Grid", cells: NDArray[np.int64]) -> Codes:
    """Returns the codes of quarter degree cells and of square minutes; a cell of 15 minutes is
    both.
    """
    columns: Codes = {}
    if (halves := steps(grid, cells, CRS, HALVES)) is not None:
        columns["eqdgcCellCode"] = _quarter_degree(halves)
    if (whole := steps(grid, cells, CRS, tuple(seconds / 3600 for seconds in SECONDS))) is not None:
        columns["dmsCellCode"] = _minutes(whole)
    return columns


def _quarter_degree(position: Steps) -> NDArray[np.object_]:
    """Writes the whole degree by its corner nearest to the origin, then a letter for each halving:
    A, B in the north, C, D in the south.

    The letters run from the north-west in all four quadrants of the globe; the degrees are those of
    the cell as a person says them, so that the first cell west of Greenwich is W000.
    """
    level = round(math.log2(1 / position.side))
    code: NDArray[np.object_] = write_distinct(
        position.east >> level, lambda x: _degrees(x, "E", "W", 3)
    ) + write_distinct(position.north >> level, lambda y: _degrees(y, "N", "S", 2))
    for step in range(level - 1, -1, -1):
        right = (position.east >> step) & 1
        upper = (position.north >> step) & 1
        code = np.add(code, _LETTERS[2 * (1 - upper) + right])
    return code


def _degrees(degrees: int, over: str, under: str, digits: int) -> str:
    """Writes which whole degree a cell is in: floor, with its letter, counted from zero on
    either side.
    """
    return f"{under}{-degrees - 1:0{digits}d}" if degrees < 0 else f"{over}{degrees:0{digits}d}"


def _minutes(position: Steps) -> NDArray[np.object_]:
    """Writes the side, then the longitude and latitude of the south-west corner, each as
    degrees-minutes-seconds.
    """
    seconds = round(position.side * 3600)
    code: NDArray[np.object_] = write_distinct(
        position.east, lambda x: f"CRS4326RES{_dms(seconds)}LON{_dms(x * seconds)}"
    )
    return np.add(code, write_distinct(position.north, lambda y: f"LAT{_dms(y * seconds)}"))


def _dms(seconds: int) -> str:
    """Writes seconds of arc as degrees-minutes-seconds, with the sign before all three."""
    sign = "-" * (seconds < 0)
    size = abs(seconds)
    return f"{sign}{size // 3600}-{size // 60 % 60}-{size % 60}"


def advice(grid: "Grid") -> str:
    """Says what to change in cells of degrees that have no code: their size, their edges, or the
    datum they are in.
    """
    if not isinstance(grid.cells, Squares) or not crs_tools.is_lonlat(grid.crs):
        return ""
    names = " or ".join(
        f"--grid {nearest(grid, GRIDS, column)}" for column in ("eqdgcCellCode", "dmsCellCode")
    )
    if not lies_in(grid, CRS):
        return (
            f"cells of degrees have their codes in EPSG:4326, and these lie in {grid.crs[:40]}:"
            f" take {names}, without --grid-crs"
        )
    return (
        "the cells are neither quarter degree cells, a degree halved again and again, nor square"
        " minutes, whole seconds that divide a degree, with edges on whole multiples of the side:"
        f" take {names}"
    )
