"""Says which other cell sizes a publisher has on offer beside an official grid: no other size has codes."""

from typing import TYPE_CHECKING

from dpmap.grid import official
from dpmap.grid.cell_sizes import parse_cell
from dpmap.grid.official.named import Official

if TYPE_CHECKING:
    from dpmap.grid.grid import Grid


def side(one: Official) -> tuple[float, bool] | None:
    """Returns the side of a grid's cells, and whether it is in degrees; None where they have no one side."""
    return parse_cell(one.cell) if one.cell else None


def family(name: str) -> tuple[Official, ...]:
    """Returns an official grid and the others of its publisher in the same unit, each size once, from fine to coarse.

    >>> [one.name for one in family("eea-10km")][-3:]
    ['eea-10km', 'eea-50km', 'eea-100km']
    """
    wanted = official.named(name)
    found: dict[float, Official] = {}
    own = side(wanted)
    if own is None:
        return (wanted,)
    alike = [one for one in official.NAMES.values() if (one.column, one.crs) == (wanted.column, wanted.crs)]
    for one in (wanted, *alike):
        size = side(one)
        if size is not None and size[1] == own[1]:
            found.setdefault(size[0], one)
    return tuple(found[size] for size in sorted(found))


def called(grid: "Grid") -> Official | None:
    """Returns the official grid that these cells belong to, whichever way they were made; the first of two with the same cells.

    >>> from dpmap.grid import Grid
    >>> called(Grid(bounds=(4280000, 2670000, 4300000, 2680000), shape=(1, 2), crs="EPSG:3035")).name
    'eea-10km'
    >>> called(Grid(bounds=(0, 0, 10, 10), shape=(5, 5), crs="EPSG:3857"))
    """
    columns = official.columns(grid)
    return next((one for one in official.NAMES.values() if one.column in columns and one.is_of(grid)), None)


def other_name(name: str) -> bool:
    """Whether a name is a second one for cells that have a name before it.

    >>> other_name("os-hectad"), other_name("os-10km")
    (False, True)
    """
    one = official.named(name)
    alike = (other for other in official.NAMES.values() if (other.column, other.crs) == (one.column, one.crs))
    first = next(other for other in alike if other is one or (side(other) and side(other) == side(one)))
    return first is not one


def sized(name: str) -> str:
    """Returns an official grid's name with the size of its cells, where the name does not say it.

    >>> sized("eea-10km")
    'eea-10km'
    """
    one = official.named(name)
    return one.name if one.cell.replace(" ", "") in one.name else f"{one.name} ({one.cell})"
