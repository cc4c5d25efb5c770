"""Neighbours: the fast way to the cells around a cell finds what looking at every one finds."""

import numpy as np
import pytest

from dpmap.grid import Grid
from dpmap.grid.neighbours import Neighbours


def looked_at(grid, cell, nearest, farthest):
    """The in-area cells so many steps away, one by one."""
    row, column = divmod(cell, grid.shape[1])
    inside = grid.inside
    return {
        r * grid.shape[1] + c
        for r in range(grid.shape[0])
        for c in range(grid.shape[1])
        if inside[r, c] and nearest <= max(abs(r - row), abs(c - column)) <= farthest
    }


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (3, 5), (9, 12)])
@pytest.mark.parametrize("steps", [(1, 1), (1, 2), (2, 4), (3, 3)])
@pytest.mark.parametrize("masked", [False, True])
def test_squares_around_a_square_are_those_so_many_steps_away(shape, steps, masked):
    """At edges, in corners and beside gaps of the area no square is missed, taken twice or taken from the other side."""
    mask = np.arange(shape[0] * shape[1]).reshape(shape) % 3 != 1 if masked else None
    grid = Grid(bounds=(0, 0, shape[1], shape[0]), shape=shape, crs="EPSG:3857", mask=mask)
    cells = np.flatnonzero(grid.inside.ravel())
    found = Neighbours(grid).around(cells, *steps)
    for cell, around in zip(cells, found, strict=True):
        named = around[around >= 0].tolist()
        assert len(named) == len(set(named))
        assert set(named) == looked_at(grid, int(cell), *steps)
