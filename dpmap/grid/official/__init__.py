"""Official grids by name, and the codes that their publishers give to cells.

A code is never stored. It follows from where a cell lies, so that a grid made by `--grid-crs` and
`--cell` has its codes too, a file from a stranger cannot claim one, and cells that are not the
official ones have none.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput, near
from dpmap.grid.official import british, degrees, europe, extent, france, h3_names, mgrs
from dpmap.grid.official.base import Codes, Official, to_plain_column
from dpmap.grid.official.code_titles import title_of as title_of

if TYPE_CHECKING:
    from dpmap.grid.grid import Grid

FAMILIES = (
    europe,
    british,
    france,
    degrees,
    h3_names,
    mgrs,
)
"""A file for each publisher's grids. Each has `GRIDS`, a tuple of `Official`; `codes`; and
`advice`.
"""
NAMES: dict[str, Official] = {grid.name: grid for family in FAMILIES for grid in family.GRIDS}


def find_official_grid(name: str) -> Official:
    """Returns the grid of this name, or says which there are.

    >>> find_official_grid("EEA-10km").column
    'eeaCellCode'
    >>> find_official_grid("eea-3km")
    Traceback (most recent call last):
    ...
    dpmap.errors.BadInput: grid: no official grid is called 'eea-3km'...
    """
    grid = NAMES.get(str(name).strip().lower())
    if grid is None:
        typed = str(name)[:60]
        raise BadInput(
            f"--grid: no official grid is called {typed!r}{near(typed, NAMES)}; there are"
            f" {families()}"
        )
    return grid


def families() -> str:
    """Lists the names in short: of those that begin alike, the first and the last.

    >>> families()[:45]
    'eea-1km to eea-100km, eurostat-1km to eurosta'
    """
    by_prefix: dict[str, list[str]] = {}
    for name in NAMES:
        by_prefix.setdefault(name.split("-")[0], []).append(name)
    return ", ".join(
        names[0] + f" to {names[-1]}" * (len(names) > 1) for names in by_prefix.values()
    )


def covering(area: Any, name: str, *, layer: str | None = None, only: str | None = None) -> "Grid":
    """Makes the official grid of this `name` over an area; `layer` and `only` are as for
    `Grid.covering`.
    """
    wanted = find_official_grid(name)
    extent.check(wanted, area, layer, only, tuple(NAMES.values()))
    return wanted.covering(area, layer=layer, only=only)


def codes(grid: "Grid", cells: NDArray[np.int64]) -> Codes:
    """Returns the official codes of cells, given by their numbers in row order: a column for each
    official grid that they belong to.

    >>> from dpmap.grid import Grid
    >>> grid = Grid(bounds=(4280000, 2670000, 4300000, 2680000), shape=(1, 2), crs="EPSG:3035")
    >>> codes(grid, np.array([0, 1]))["eeaCellCode"].tolist()
    ['10kmE428N267', '10kmE429N267']
    """
    columns: Codes = {}
    for family in FAMILIES:
        columns |= family.codes(grid, cells)
    return {column: to_plain_column(values) for column, values in columns.items()}


def columns(grid: "Grid") -> tuple[str, ...]:
    """Names the columns of codes that a grid's cells have, which follow from the grid alone; none
    where they are in no official grid.

    >>> from dpmap.grid import Grid
    >>> columns(Grid(bounds=(4280000, 2670000, 4300000, 2680000), shape=(1, 2), crs="EPSG:3035"))
    ('eeaCellCode', 'euroStatCellCode')
    """
    first = 0 if grid.mask is None else int(grid.mask.argmax())
    return tuple(codes(grid, np.array([first])))


def title(grid: "Grid") -> str:
    """Returns the official grid of the cells and the column of their codes in words; empty where
    they are in none.

    >>> from dpmap.grid import Grid
    >>> title(Grid(bounds=(4280000, 2670000, 4300000, 2680000), shape=(1, 2), crs="EPSG:3035"))
    "cells are those of the EEA reference grid (column eeaCellCode) and of Eurostat's statistical
    grid (column euroStatCellCode)"
    """
    named = {column: name for column in columns(grid) if (name := title_of(grid, column))}
    whose = " and of ".join(f"{name} (column {column})" for column, name in named.items())
    return f"cells are those of {whose}" if whose else ""


def advice(grid: "Grid") -> str:
    """Returns what to change for cells that nearly are those of an official grid; empty where they
    have codes, or are far from any.

    >>> from dpmap.grid import Grid
    >>> advice(Grid(bounds=(4280000, 2670000, 4286000, 2673000), shape=(1, 2), crs="EPSG:3035"))
    'the cells are not those of the EEA reference grid, whose sides are 1, 2 or 5 and zeros (or 250
    m), with edges on ...'
    """
    if columns(grid):
        return ""
    return next((advice for family in FAMILIES if (advice := family.advice(grid))), "")


def unverified(grid: "Grid") -> str:
    """Returns the doubt about the codes of these cells; empty where published codes are tested.

    >>> from dpmap.grid import Grid
    >>> unverified(Grid(bounds=(740000, 6950000, 741000, 6951000), shape=(1, 1), crs="EPSG:2154"))
    'its codes follow examples from users of the published layer, not the layer itself: compare some
    before you join tables'
    """
    doubtful = [official for official in NAMES.values() if official.unverified]
    code_columns = columns(grid) if doubtful else ()
    return next(
        (
            official.unverified
            for official in doubtful
            if official.column in code_columns and official.is_of(grid)
        ),
        "",
    )
