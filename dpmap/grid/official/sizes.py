"""Says which other cell sizes a publisher has on offer beside an official grid: no other size
has codes.
"""

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


def side(one: Official) -> tuple[float, bool] | None:
    """Returns the side of a grid's cells, and whether it is in degrees; of hexagons that of a
    square as large. None where there is no one side.

    >>> side(official.find_official_grid("eea-10km")), side(official.find_official_grid("qdgc"))
    ((10000.0, False), (0.25, True))
    """
    if isinstance(one, Resolution):
        return math.sqrt(LARGEST_HEXAGON / 7**one.resolution), False
    return parse_cell(one.cell) if one.cell else None


def family(name: str) -> tuple[Official, ...]:
    """Returns an official grid and the others of its publisher in the same unit, each size once,
    from fine to coarse.

    >>> [one.name for one in family("eea-10km")][-3:], [one.name for one in family("pentad")][2:4]
    (['eea-10km', 'eea-50km', 'eea-100km'], ['pentad', 'dms-10min'])
    """
    wanted = official.find_official_grid(name)
    found: dict[float, Official] = {}
    own = side(wanted)
    if own is None:
        return (wanted,)
    alike = [
        one
        for one in official.NAMES.values()
        if (one.column, one.crs) == (wanted.column, wanted.crs)
    ]
    for one in (wanted, *alike):
        size = side(one)
        if size is not None and size[1] == own[1]:
            found.setdefault(size[0], one)
    return tuple(found[size] for size in sorted(found))


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
        (one for one in official.NAMES.values() if one.column in columns and one.is_of(grid)), None
    )


def other_name(name: str) -> bool:
    """Whether a name is a second one for cells that have a name before it.

    >>> other_name("os-hectad"), other_name("os-10km")
    (False, True)
    """
    one = official.find_official_grid(name)
    alike = (
        other
        for other in official.NAMES.values()
        if (other.column, other.crs) == (one.column, one.crs)
    )
    first = next(
        other for other in alike if other is one or (side(other) and side(other) == side(one))
    )
    return first is not one


def sized(name: str) -> str:
    """Returns an official grid's name with the size of its cells, where the name does not say it.

    >>> sized("eea-10km"), sized("os-hectad")
    ('eea-10km', 'os-hectad (10 km)')
    """
    one = official.find_official_grid(name)
    if isinstance(one, Resolution):
        km2 = LARGEST_HEXAGON / 7**one.resolution / 1e6
        return (
            f"{one.name} (about {f'{km2:,.0f}' if km2 > 100 else f'{km2:.2g}'}"
            f" km\N{SUPERSCRIPT TWO})"
        )
    if one.cell.replace(" ", "") in one.name:
        return one.name
    return f"{one.name} ({one.cell.replace('.0 ', ' ')})"
