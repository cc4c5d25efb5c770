"""Tells grids of few cells, of which each is measured by itself at once."""

from dpmap.grid import Grid

FEW = 16
"""With so few cells in a layer, there is nothing to find out first."""


def has_few(grid: Grid) -> bool:
    """Returns whether a layer has so few cells that the adaptive strategy measures each by itself.

    >>> has_few(Grid(bounds=(0, 0, 4, 4), shape=(4, 4), crs="EPSG:3857"))
    True
    """
    return grid.ground.cells_inside <= FEW
