"""What reading a hierarchy of measurements is promised."""

import numpy as np
import pytest

from dpmap.grid import Grid
from dpmap.inference import tree
from dpmap.inference.raster import Raster, Reading
from dpmap.inference.tree import gather, shrunk

RASTER = Raster(Grid(bounds=(0, 0, 32, 32), shape=(32, 32), crs="EPSG:3857"))
EACH = 40.0


def even_land_split_where_noise_was_high(seed):
    """256 nodes of 40 points each; those that look at least as full as that are measured again in four parts."""
    random = np.random.default_rng(seed)
    coarse = EACH + random.laplace(0, 26, 256)
    split = coarse > EACH
    rows, columns = np.divmod(np.flatnonzero(split), 16)
    parts = np.concatenate([(2 * rows + down) * 32 + 2 * columns + across for down in (0, 1) for across in (0, 1)])
    whole = EACH + random.laplace(0, 19, int((~split).sum()))
    quarter = EACH / 4 + random.laplace(0, 19, len(parts))
    none, empty = np.empty(0, dtype=np.intp), np.empty(0)
    return [
        Reading([none] * 4 + [np.arange(256), none], [empty] * 4 + [coarse, empty], 26.0),
        Reading([none] * 4 + [np.flatnonzero(~split), parts], [empty] * 4 + [whole, quarter], 19.0),
    ]


def overstated():
    """By how much the total is too high on average, as a share of it."""
    tops = [gather(RASTER, even_land_split_where_noise_was_high(seed), 4).mean[0][0, 0] for seed in range(40)]
    return np.mean(tops) / (256 * EACH) - 1


def test_what_noise_made_high_does_not_weigh_more(monkeypatch):
    """The total of even land is right on average, although land was split where noise was high; unshrunk it is not."""
    assert abs(overstated()) < 0.02
    monkeypatch.setattr(tree, "ENOUGH", np.inf)
    assert overstated() > 0.05


def test_empty_nodes_add_up_to_little():
    """Two hundred empty nodes hold a small part of what noise above 0 would make of them; full ones stay as they are."""
    random = np.random.default_rng(2)
    noisy = np.append(random.normal(0, 1, 200), [50.0, 1e6])
    found, sure = shrunk(noisy, np.ones(202))
    assert found[:200].sum() < 0.2 * noisy[:200].clip(0).sum()
    assert found[200:] == pytest.approx(noisy[200:])
    assert (found >= 0).all()
    assert (sure[:200] > 1).all()


def test_a_few_nodes_are_left_alone():
    """Nothing is learned from seven nodes."""
    found, sure = shrunk(np.arange(7.0) - 3, np.ones(7))
    assert np.array_equal(found, np.arange(7.0) - 3)
    assert np.array_equal(sure, np.ones(7))
