"""The grids of Europe's agencies, in EPSG:3035: the EEA reference grid, and Eurostat's in the words of INSPIRE."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpmap.grid.official.named import Codes, Named, steps, written
from dpmap.grid.squares import Squares

if TYPE_CHECKING:
    from dpmap.grid.grid import Grid

CRS = "EPSG:3035"
SIDES = (100, 250, 1000, 2000, 5000, 10_000, 50_000, 100_000)
_EEA = "squares of the EEA reference grid, which Natura 2000 and the Habitats Directive report in"
_EUROSTAT = "squares of Eurostat's statistical grid, with INSPIRE's codes"
GRIDS = (
    *(Named(f"eea-{size}km", _EEA, f"{size} km", CRS) for size in (1, 2, 5, 10, 50, 100)),
    *(Named(f"eurostat-{size}km", _EUROSTAT, f"{size} km", CRS) for size in (1, 5, 10, 100)),
)


def codes(grid: "Grid", cells: NDArray[np.int64]) -> Codes:
    """Returns both agencies' codes. The EEA drops the zeros that all multiples of the cell share; Eurostat writes metres.

    Of 250 m cells the EEA drops one zero, as 250 m is 25 tens; of all others as many as the side has. Cells west or south of the origin
    have no code.
    """
    found = steps(grid, cells, CRS, SIDES)
    if found is None or min(grid.cells.bounds[2:]) <= 0:  # type: ignore[union-attr]  # squares, as `steps` found
        return {}
    side = int(found.side)
    size = f"{side // 1000}km" if side >= 1000 else f"{side}m"
    whole = side // 10 ** (len(str(side)) - len(str(side).rstrip("0")))
    eea = written(found.east, lambda x: f"{size}E{x * whole}") + written(found.north, lambda y: f"N{y * whole}")
    eurostat = written(found.north, lambda y: f"CRS3035RES{side}mN{y * side}") + written(
        found.east, lambda x: f"E{x * side}"
    )
    known = (found.east >= 0) & (found.north >= 0)
    return {name: np.where(known, made, "") for name, made in (("eeaCellCode", eea), ("euroStatCellCode", eurostat))}


def advice(grid: "Grid") -> str:
    """Says which sides have codes, for squares in the same reference system that have none."""
    if grid.crs != CRS or not isinstance(grid.cells, Squares):
        return ""
    return (
        "the cells are not those of the EEA reference grid, whose sides are 100 m, 250 m, 1, 2, 5, 10, 50 or 100 km: "
        "take --grid eea-1km"
    )
