"""The cell sizes that a publisher offers beside an official grid: no other size has codes."""

import math
from typing import TYPE_CHECKING

from dpmap.grid import official
from dpmap.grid.cell_sizes import parse_cell
from dpmap.grid.h3_cells import Hexagons
from dpmap.grid.official.base import Official
from dpmap.grid.official.h3_names import Resolution

if TYPE_CHECKING:
    from dpmap.grid.grid import Grid

LARGEST_HEXAGON = 4.25e12
"""About the square metres of a hexagon of resolution 0; each step makes seven cells of one."""


def side(grid: Official) -> tuple[float, bool] | None:
    """Returns the side of a grid's cells, and whether it is in degrees; of hexagons that of a
    square as large. None where there is no one side.

    >>> side(official.find_official_grid("eea-10km")), side(official.find_official_grid("qdgc"))
    ((10000.0, False), (0.25, True))
    """
    if isinstance(grid, Resolution):
        return math.sqrt(LARGEST_HEXAGON / 7**grid.resolution), False
    return parse_cell(grid.cell) if grid.cell else None


def family(name: str) -> tuple[Official, ...]:
    """Returns an official grid and the others of its publisher in the same unit, each size once,
    from fine to coarse.

    >>> [one.name for one in family("eea-10km")][-3:], [one.name for one in family("pentad")][2:4]
    (['eea-10km', 'eea-50km', 'eea-100km'], ['pentad', 'dms-10min'])
    """
    wanted = official.find_official_grid(name)
    by_side: dict[float, Official] = {}
    wanted_side = side(wanted)
    if wanted_side is None:
        return (wanted,)
    same_publisher = [
        grid
        for grid in official.NAMES.values()
        if (grid.column, grid.crs) == (wanted.column, wanted.crs)
    ]
    for grid in (wanted, *same_publisher):
        size = side(grid)
        if size is not None and size[1] == wanted_side[1]:
            by_side.setdefault(size[0], grid)
    return tuple(by_side[size] for size in sorted(by_side))


def called(grid: "Grid") -> Official | None:
    """Returns the official grid that these cells belong to, whichever way they were made; the first
    of two with the same cells.

    >>> from dpmap.grid import Grid
    >>> called(
    ...     Grid(bounds=(4280000, 2670000, 4300000, 2680000), shape=(1, 2), crs="EPSG:3035")
    ... ).name
    'eea-10km'
    >>> called(Grid(bounds=(0, 0, 10, 10), shape=(5, 5), crs="EPSG:3857"))
    """
    columns = ("h3",) if isinstance(grid.cells, Hexagons) else official.columns(grid)
    return next(
        (name for name in official.NAMES.values() if name.column in columns and name.is_of(grid)),
        None,
    )


def other_name(name: str) -> bool:
    """Whether a name is a second one for cells that have a name before it.

    >>> other_name("os-hectad"), other_name("os-10km")
    (False, True)
    """
    grid = official.find_official_grid(name)
    same_family = (
        other
        for other in official.NAMES.values()
        if (other.column, other.crs) == (grid.column, grid.crs)
    )
    first = next(
        other
        for other in same_family
        if other is grid or (side(other) and side(other) == side(grid))
    )
    return first is not grid


def sized(name: str) -> str:
    """Returns an official grid's name with the size of its cells, where the name does not say it.

    >>> sized("eea-10km"), sized("os-hectad")
    ('eea-10km', 'os-hectad (10 km)')
    """
    grid = official.find_official_grid(name)
    if isinstance(grid, Resolution):
        km2 = LARGEST_HEXAGON / 7**grid.resolution / 1e6
        return (
            f"{grid.name} (about {f'{km2:,.0f}' if km2 > 100 else f'{km2:.2g}'}"
            f" km\N{SUPERSCRIPT TWO})"
        )
    if grid.cell.replace(" ", "") in grid.name:
        return grid.name
    return f"{grid.name} ({grid.cell.replace('.0 ', ' ')})"
