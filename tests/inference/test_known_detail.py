"""A smooth picture of what is believed shows no detail that is not known."""

import numpy as np
import pytest
from builders.records import told_of

from dpmap.grid import Grid
from dpmap.inference.known_detail import keep_known_detail
from dpmap.maps import read_map

GRID = Grid(bounds=(0, 0, 40_000, 40_000), shape=(40, 40), crs="EPSG:3035")


def believed(counts):
    """The believed density of a release of these counts, and its draws."""
    record, _ = told_of(GRID, counts[GRID.inside])
    known = read_map(record).believed_density()
    return known.mean(axis=-1), read_map(record).draws(60)


def test_even_land_has_no_hot_spots():
    """Noise on even land makes nothing that is half as dense again as the rest."""
    density, _ = believed(np.full(GRID.shape, 8.0))
    assert density.max() < 1.5 * density.min()


def test_a_town_is_kept_and_is_the_only_one():
    """A town known from its own cells stands where it is; elsewhere nothing stands out."""
    counts = np.full(GRID.shape, 4.0)
    counts[10:13, 25:28] = 400.0
    density, draws = believed(counts)
    assert density[11, 26] > 0.5 * 400 / GRID.square_km[11, 26]
    away = np.ones(GRID.shape, dtype=bool)
    away[5:18, 20:33] = False
    assert density[away].max() < 5 * np.median(density[away])
    total = (density * GRID.square_km).sum()
    assert total == pytest.approx(draws.sum(axis=(0, 1)).mean(), rel=1e-5)


def test_what_draws_contradict_is_left_out():
    """Independent noise in the draws leaves nothing but their mean over wide land."""
    draws = np.random.default_rng(0).exponential(1.0, (20, 20, 60)).astype(np.float32)
    inside = np.ones((20, 20), dtype=bool)
    inside[0] = False
    known = keep_known_detail(draws, np.full((20, 20), 2.0), inside)
    assert np.isnan(known[0]).all()
    assert known[1:].mean(axis=-1).std() < 0.1 * draws.mean(axis=-1).std()
