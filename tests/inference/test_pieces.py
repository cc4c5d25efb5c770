"""Maps are read piece by piece: how large the pieces are changes no bit of an estimate."""

import numpy as np
import pytest
from builders.sessions import PublicSession

from dpmap.grid import Grid, partition
from dpmap.inference import kernel_smoothing, neighbour_shrinkage, tree_estimate
from dpmap.maps import infer
from dpmap.strategies.adaptive import adaptive


def measured(rows, columns, epsilon):
    """A grid with a hole, and the measurements of towns on it."""
    random = np.random.default_rng(rows)
    mask = np.ones((rows, columns), dtype=bool)
    mask[rows // 3 : rows // 2, columns // 4 : columns // 2] = False
    grid = Grid(bounds=(0, 0, columns, rows), shape=(rows, columns), crs="EPSG:3857", mask=mask)
    counts = random.poisson(
        np.kron(random.gamma(0.2, 20, (rows // 8 + 1, columns // 8 + 1)), np.ones((8, 8)))
    )
    session = PublicSession(counts[:rows, :columns] * mask, grid, epsilon)
    adaptive(session)
    return grid, tuple(session.made)


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("shape", [(64, 64), (50, 130)])
def test_the_size_of_the_pieces_changes_nothing(monkeypatch, shape, large):
    """Neither on small maps nor in the quicker reading of large ones."""
    grid, made = measured(*shape, 2)
    if large:
        monkeypatch.setattr(tree_estimate, "LARGE", 0)
    at_once = infer(grid, made).values
    for module in (partition, neighbour_shrinkage):
        monkeypatch.setattr(module, "STRIP", 96)
    monkeypatch.setattr(neighbour_shrinkage, "FEW", 7)
    monkeypatch.setattr(kernel_smoothing, "CACHED", 1)
    assert np.array_equal(infer(grid, made).values, at_once, equal_nan=True)
    assert (np.isnan(at_once) == ~grid.inside).all()
