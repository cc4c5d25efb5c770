"""The official grid of each column of codes in words, for statements, plans and tables."""

from typing import TYPE_CHECKING

from dpmap.grid.official.base import lies_in

if TYPE_CHECKING:
    from dpmap.grid.grid import Grid

TITLES = {
    "eeaCellCode": "the EEA reference grid",
    "euroStatCellCode": "Eurostat's statistical grid",
    "eqdgcCellCode": "the extended quarter degree grid",
    "dmsCellCode": "the grid of square minutes",
    "mgrsCellCode": "the Military Grid Reference System",
    "gridReference": "the national grid",
    "code_maille": "the French grid of mailles",
}
"""What each column's codes are of. A column without a title describes the codes beside it, as
`gridSizeInMeters` does.
"""
NATIONAL = {
    "EPSG:27700": "the British National Grid",
    "EPSG:29902": "the Irish Grid",
    "EPSG:29903": "the Irish Grid",
}
"""Whose a `gridReference` is, by the reference system of the cells."""
DESCRIPTIONS = {
    **{
        column: f"code of the cell in {title}; empty where it has none"
        for column, title in TITLES.items()
    },
    "gridSizeInMeters": "side of the square that gridReference names, in metres",
}
"""What the columns mean, for readers of a table."""


def title_of(grid: "Grid", column: str) -> str:
    """Returns the name of the official grid that a column's codes are of; empty for a column that
    is none of codes.

    >>> from dpmap.grid import Grid
    >>> title_of(
    ...     Grid(bounds=(0, 0, 10_000, 10_000), shape=(1, 1), crs="EPSG:27700"), "gridReference"
    ... )
    'the British National Grid'
    """
    if column == "gridReference":
        return next((name for crs, name in NATIONAL.items() if lies_in(grid, crs)), TITLES[column])
    return TITLES.get(column, "")
