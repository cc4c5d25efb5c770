"""Says which other cell sizes a publisher has on offer beside an official grid: no other size has codes."""

from typing import TYPE_CHECKING

import numpy as np

from dpmap.errors import BadInput
from dpmap.grid import official
from dpmap.grid.official.named import Named
from dpmap.grid.squares import Squares

if TYPE_CHECKING:
    from dpmap.grid.grid import Grid


def side(one: Named) -> tuple[float, bool] | None:
    """Returns the side of a grid's cells, and whether it is in degrees; None where they have no one side."""
    from dpmap.grid.grid import parse_cell

    try:
        return parse_cell(one.cell)
    except (BadInput, AttributeError):
        return None


def family(name: str) -> tuple[Named, ...]:
    """Returns an official grid and the others of its publisher in the same unit, each size once, from fine to coarse.

    >>> [one.name for one in family("eea-10km")][-3:]
    ['eea-10km', 'eea-50km', 'eea-100km']
    """
    wanted = official.named(name)
    found: dict[float, Named] = {}
    own = side(wanted)
    if own is None:
        return (wanted,)
    (like,) = [one.GRIDS for one in official.FAMILIES if wanted in one.GRIDS][:1] or [(wanted,)]
    stem = wanted.name.partition("-")[0]
    named_alike = [one for one in like if one.name.partition("-")[0] == stem]
    for one in (wanted, *(named_alike if len(named_alike) > 1 else like)):
        size = side(one)
        if size is not None and size[1] == own[1]:
            found.setdefault(size[0], one)
    return tuple(found[size] for size in sorted(found))


def called(grid: "Grid") -> Named | None:
    """Returns the official grid that these cells belong to, whichever way they were made; the first of two with the same cells.

    >>> from dpmap.grid import Grid
    >>> called(Grid(bounds=(4280000, 2670000, 4300000, 2680000), shape=(1, 2), crs="EPSG:3035")).name
    'eea-10km'
    >>> called(Grid(bounds=(0, 0, 10, 10), shape=(5, 5), crs="EPSG:3857"))
    """
    if not isinstance(grid.cells, Squares) or not official.codes(grid, np.zeros(1, dtype=np.int64)):
        return None
    lengths = grid.cells.cell
    for one in official.NAMES.values():
        size = side(one)
        if size and one.crs == grid.crs and all(abs(length - size[0]) <= 1e-6 * size[0] for length in lengths):
            return one
    return None


def sized(name: str) -> str:
    """Returns an official grid's name with the size of its cells, where the name does not say it.

    >>> sized("eea-10km")
    'eea-10km'
    """
    one = official.named(name)
    return one.name if one.cell.replace(" ", "") in one.name else f"{one.name} ({one.cell})"
