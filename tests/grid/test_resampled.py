"""Totals of one grid laid on another: nothing is lost or made where both cover the ground."""

import numpy as np
import pytest

from dpmap.errors import BadInput
from dpmap.grid import Grid, resample
from dpmap.grid.resample import resample as laid


def square(size: float, cell: float, *, west: float = 0.0, crs: str = "EPSG:3035") -> Grid:
    """Square cells over a square of ground."""
    many = round(size / cell)
    return Grid(
        bounds=(4e6 + west, 3e6, 4e6 + west + size, 3e6 + size), shape=(many, many), crs=crs
    )


@pytest.fixture(scope="module")
def totals() -> np.ndarray:
    return np.random.default_rng(3).poisson(4, (12, 12)).astype(float)


def test_the_same_cells_keep_their_totals(totals: np.ndarray) -> None:
    """A map laid on its own grid is itself."""
    found, covered = laid(totals, square(1200, 100), square(1200, 100), role="prior")
    np.testing.assert_allclose(found, totals)
    assert (covered == 1).all()


def test_larger_cells_hold_the_sum_of_theirs(totals: np.ndarray) -> None:
    """Cells that are made of others hold exactly what those hold."""
    found, covered = laid(totals, square(1200, 100), square(1200, 300), role="prior")
    np.testing.assert_allclose(found, totals.reshape(4, 3, 4, 3).sum(axis=(1, 3)))
    assert (covered == 1).all()


def test_smaller_cells_share_a_total_evenly(totals: np.ndarray) -> None:
    """Cells that are parts of another hold their part of it."""
    found, _ = laid(totals, square(1200, 100), square(1200, 50), role="prior")
    np.testing.assert_allclose(found, np.kron(totals, np.full((2, 2), 0.25)))


def test_cells_across_a_line_hold_parts_of_both(totals: np.ndarray) -> None:
    """Grids that do not fit share totals out by ground, and say which part of a cell was covered."""
    found, covered = laid(totals, square(1200, 100), square(1200, 100, west=50), role="prior")
    np.testing.assert_allclose(found[:, :-1], (totals[:, :-1] + totals[:, 1:]) / 2)
    np.testing.assert_allclose(covered[:, -1], 0.5)


def test_what_is_not_known_covers_nothing(totals: np.ndarray) -> None:
    """A cell outside the old area, or without a number, is no ground with nothing on it."""
    mask = np.ones((12, 12), dtype=bool)
    mask[:, 0] = False
    old = Grid(cells=square(1200, 100).cells, crs="EPSG:3035", mask=mask)
    unknown = totals.copy()
    unknown[0, 5] = np.nan
    found, covered = laid(unknown, old, square(1200, 100), role="prior")
    assert (covered[:, 0] == 0).all()
    assert covered[0, 5] == 0
    assert found[:, 0].sum() == found[0, 5] == 0
    assert covered[1:, 1:].all()


def test_another_crs_and_hexagons_keep_the_sum(totals: np.ndarray) -> None:
    """Where outlines are cut with each other, what lies within both grids is kept."""
    x, y = 4.321e6, 2.995e6
    old = Grid(bounds=(x - 6000, y - 6000, x + 6000, y + 6000), shape=(12, 12), crs="EPSG:3035")
    around = (9.8, 49.9, 10.4, 50.3)
    for new in (
        Grid(bounds=around, shape=(30, 40), crs="EPSG:4326"),
        Grid.hexagons(around, resolution=7),
    ):
        found, covered = laid(totals, old, new, role="prior")
        np.testing.assert_allclose(found.sum(), totals.sum(), rtol=1e-4)
        assert covered.min() >= 0
        assert covered.max() == pytest.approx(1, abs=1e-9)


def test_too_many_cells_are_refused_with_another_way(
    totals: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Outlines of very many cells would take hours to cut: a raster of them does."""
    monkeypatch.setattr(resample, "MOST", 100)
    new = Grid(bounds=(9.8, 49.9, 10.4, 50.3), shape=(30, 40), crs="EPSG:4326")
    with pytest.raises(BadInput, match=r"^prior: .*dpmap export"):
        laid(totals, square(1200, 100), new, role="prior")
