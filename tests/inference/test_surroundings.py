"""What reading cells by their surroundings is promised."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpmap.inference import neighbour_shrinkage
from dpmap.inference.neighbour_shrinkage import (
    REACHES,
    Blocks,
    CellCounts,
    group_by_rank,
    maximize_overlap,
    sum_neighbours,
)

SIDE = 32
SCALES = np.ones((SIDE, SIDE))
BLOCKS = np.repeat(np.repeat(np.arange(16).reshape(4, 4), 8, 0), 8, 1)


def a_map(seed, weight=1.0):
    """Counts along a line through empty land, and their noisy totals at scale 1."""
    random = np.random.default_rng(seed)
    counts = np.zeros((SIDE, SIDE))
    counts[14:17] = random.poisson(random.gamma(0.7, 6, (3, SIDE)))
    return counts, counts + random.laplace(0, 1, counts.shape), np.full(counts.shape, weight)


@pytest.mark.parametrize("weight", [1.0, 4.0])
@pytest.mark.parametrize("size", [0.0, 1e-3, 1.0, 1e6])
def test_blocks_keep_their_totals(size, weight):
    """Whatever the totals and however the cells were measured, blocks add up and no cell is below 0 or outside."""
    _, noisy, weights = a_map(1, weight)
    totals = size * np.arange(16.0)
    inside = np.ones(noisy.shape, dtype=bool)
    inside[:3] = False
    found = maximize_overlap(
        noisy,
        SCALES,
        (weights == 1) & inside,
        inside,
        Blocks(BLOCKS, totals),
        np.zeros(noisy.shape),
    )
    assert np.bincount(BLOCKS.ravel(), found.ravel()) == pytest.approx(totals)
    assert (found >= 0).all()
    assert (found[~inside] == 0).all()


def test_nearer_than_the_noisy_cells_and_than_their_blocks():
    """With the true block totals, the map misses less than half of what even blocks or clamped noisy cells miss."""
    for seed in range(3):
        counts, noisy, weight = a_map(seed)
        blocks = Blocks(BLOCKS, np.bincount(BLOCKS.ravel(), counts.ravel()))
        found = maximize_overlap(
            noisy, SCALES, weight == 1, weight > 0, blocks, np.maximum(noisy, 0)
        )
        even, clamped = blocks.scale(np.ones(counts.shape)), np.maximum(noisy, 0)
        worse = min(np.abs(other - counts).sum() for other in (even, clamped))
        assert np.abs(found - counts).sum() < worse / 2


def test_far_above_the_noise_the_cells_are_as_measured():
    """Where every cell stands far out, the noisy cells are left as they are, but for their block's total."""
    random = np.random.default_rng(5)
    noisy = random.uniform(100, 1000, (SIDE, SIDE))
    blocks = Blocks(BLOCKS, np.bincount(BLOCKS.ravel(), noisy.ravel()))
    found = maximize_overlap(noisy, SCALES, noisy > 0, noisy > 0, blocks, noisy)
    assert found == pytest.approx(noisy, abs=0.1)


@given(st.lists(st.integers(-2, 3), min_size=1, max_size=400))
def test_groups_are_of_one_size_and_the_first_of_equal_cells_come_first(expected):
    """Sorting all cells, those that came first first, and cutting them into equal groups gives the same."""
    found, groups = group_by_rank(np.array(expected, dtype=float))
    order = np.argsort(expected, kind="stable")
    assert found[order].tolist() == [
        rank * groups // len(expected) for rank in range(len(expected))
    ]


@pytest.mark.parametrize("strip", [1, 100, 1 << 18])
def test_sums_about_chosen_cells_are_of_what_lies_within_reach(monkeypatch, strip):
    """For any chosen cells and any number of rows at once the sums are the very same, and those of all that lies within reach."""
    monkeypatch.setattr(neighbour_shrinkage, "STRIP", strip)
    dice = np.random.default_rng(2)
    cells = dice.random((40, 23))
    chosen = dice.random(cells.shape) < 0.2
    chosen[10:20] = False
    reaches = [(0, 0), (0, 16), (1, 0), (1, 1), (4, 4), (16, 0)]
    for reach, sums in sum_neighbours(cells, chosen, reaches):
        assert sums == pytest.approx(_box_sums(cells, reach)[chosen])
        whole = cells
        for steps, axis in ((reach[0], 0), (reach[1], 1)):
            whole = neighbour_shrinkage._line_sums(whole, steps, axis) if steps else whole
        assert (sums == whole[chosen]).all()


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_cells_of_the_area_about_chosen_cells_are_counted(share):
    """Whether the area has holes or fills the map; as adding them up would, to the last bit."""
    dice = np.random.default_rng(3)
    inside = dice.random((40, 23)) < share
    chosen = dice.random(inside.shape) < 0.3
    counts = CellCounts(inside, chosen)
    for reach, sums in sum_neighbours(inside.astype(float), chosen, REACHES):
        assert (counts.within(reach) == _box_sums(inside * 1.0, reach)[chosen]).all()
        assert (counts.within(reach) == sums).all()


def _box_sums(cells, reach):
    """The sums within reach, counting nothing beyond the edge."""
    rows, columns = reach
    around = np.pad(cells, ((rows, rows), (columns, columns)))
    boxes = np.lib.stride_tricks.sliding_window_view(around, (2 * rows + 1, 2 * columns + 1))
    return boxes.sum((2, 3))
