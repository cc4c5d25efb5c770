"""The grids of Europe's agencies, in EPSG:3035: the EEA reference grid, and Eurostat's in the
words of INSPIRE.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpmap.grid.official.base import (
    Codes,
    OfficialSquares,
    begins_within,
    lies_in,
    nearest,
    overlaps,
    steps,
    write_distinct,
)

if TYPE_CHECKING:
    from dpmap.grid.grid import Grid

CRS = "EPSG:3035"
SIDES = (*(digit * 10**zeros for zeros in range(5) for digit in (1, 2, 5)), 25, 250, 100_000)
"""The sides in metres whose codes are known: 1, 2 or 5 and zeros, up to 100 km, and both
agencies' 25 and 250 m.
"""
EEA_ENDS = (0, 0, 8_000_000, 7_000_000)
"""Where the EEA's squares end, in metres: from the Azores to the Caucasus, from the Canaries to
Svalbard.
"""
EUROSTAT_ENDS = (
    EEA_ENDS,
    (-3_600_000, 300_000, -1_600_000, 3_100_000),
    (8_500_000, -3_800_000, 10_200_000, -2_000_000),
)
"""Eurostat's go on, with negative metres too, in the outermost regions in the Caribbean and
South America, and in the Indian Ocean.
"""
_EEA = "squares of the EEA reference grid, which Natura 2000 and the Habitats Directive report in"
_EUROSTAT = "squares of Eurostat's statistical grid, with INSPIRE's codes"
GRIDS = (
    *(
        OfficialSquares(f"eea-{size}km", _EEA, f"{size} km", CRS, "eeaCellCode")
        for size in (1, 2, 5, 10, 50, 100)
    ),
    *(
        OfficialSquares(f"eurostat-{size}km", _EUROSTAT, f"{size} km", CRS, "euroStatCellCode")
        for size in (1, 5, 10, 100)
    ),
)


def codes(grid: "Grid", cells: NDArray[np.int64]) -> Codes:
    """Returns both agencies' codes. The EEA drops the zeros that all multiples of the cell share;
    Eurostat writes metres.

    Of 250 m cells the EEA drops one zero, as 250 m is 25 tens; of all others as many as the side
    has. Squares of the same system beyond their publisher's land, as in Kenya, have no code.
    """
    position = steps(grid, cells, CRS, SIDES)
    if position is None:
        return {}
    side = int(position.side)
    size = f"{side // 1000}km" if side >= 1000 else f"{side}m"
    whole = side // 10 ** (len(str(side)) - len(str(side).rstrip("0")))
    eurostat = write_distinct(position.north, lambda y: f"CRS3035RES{side}mN{y * side}")
    columns: Codes = {}
    if any(overlaps(grid, *ends) for ends in EUROSTAT_ENDS):
        eurostat = eurostat + write_distinct(position.east, lambda x: f"E{x * side}")
        columns = {
            "euroStatCellCode": np.where(begins_within(position, *EUROSTAT_ENDS), eurostat, "")
        }
    if overlaps(grid, *EEA_ENDS):
        eea = write_distinct(position.east, lambda x: f"{size}E{x * whole}") + write_distinct(
            position.north, lambda y: f"N{y * whole}"
        )
        columns = {"eeaCellCode": np.where(begins_within(position, EEA_ENDS), eea, ""), **columns}
    return columns


def advice(grid: "Grid") -> str:
    """Says which cells have codes, for squares in the same reference system that have none."""
    if not lies_in(grid, CRS):
        return ""
    if not any(overlaps(grid, *ends) for ends in EUROSTAT_ENDS):
        return (
            "the cells lie beyond Europe, where squares of EPSG:3035 have no codes and wrong"
            " shapes: take --grid mgrs-10km or qdgc"
        )
    return (
        "the cells are not those of the EEA reference grid, whose sides are 1, 2 or 5 and zeros"
        " (or 250 m), with edges on whole multiples of the side: take --grid"
        f" {nearest(grid, GRIDS, 'eeaCellCode')}"
    )
