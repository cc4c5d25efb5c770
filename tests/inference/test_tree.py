"""What reading a hierarchy of measurements is promised."""

import numpy as np
import pytest

from dpmap.grid import Grid, Partition
from dpmap.inference import combine
from dpmap.inference.combine import gather, shrink
from dpmap.inference.raster import Raster, RasterMeasurement, _nodes_of_regions

RASTER = Raster(Grid(bounds=(0, 0, 32, 32), shape=(32, 32), crs="EPSG:3857"))
EACH = 40.0


def even_land_split_where_noise_was_high(seed):
    """256 nodes of 40 points each; those that look at least as full as that are measured again in four parts."""
    random = np.random.default_rng(seed)
    coarse = EACH + random.laplace(0, 26, 256)
    split = coarse > EACH
    rows, columns = np.divmod(np.flatnonzero(split), 16)
    parts = np.concatenate(
        [(2 * rows + down) * 32 + 2 * columns + across for down in (0, 1) for across in (0, 1)]
    )
    whole = EACH + random.laplace(0, 19, int((~split).sum()))
    quarter = EACH / 4 + random.laplace(0, 19, len(parts))
    none, empty = np.empty(0, dtype=np.intp), np.empty(0)

    def scales(one):
        return [empty] * 4 + [
            np.full(len(part), one)
            for part in ([coarse, empty] if one == 26.0 else [whole, quarter])
        ]

    return [
        RasterMeasurement(
            [none] * 4 + [np.arange(256), none], [empty] * 4 + [coarse, empty], scales(26.0), 4
        ),
        RasterMeasurement(
            [none] * 4 + [np.flatnonzero(~split), parts],
            [empty] * 4 + [whole, quarter],
            scales(19.0),
            5,
        ),
    ]


def overstated():
    """By how much the total is too high on average, as a share of it."""
    tops = [
        gather(RASTER, even_land_split_where_noise_was_high(seed), 4).mean[0][0, 0]
        for seed in range(40)
    ]
    return np.mean(tops) / (256 * EACH) - 1


def test_what_noise_made_high_does_not_weigh_more(monkeypatch):
    """The total of even land is right on average, although land was split where noise was high; unshrunk it is not."""
    assert abs(overstated()) < 0.02
    monkeypatch.setattr(combine, "ENOUGH", np.inf)
    assert overstated() > 0.05


def test_empty_nodes_add_up_to_little():
    """Two hundred empty nodes hold a small part of what noise above 0 would make of them; full ones stay as they are."""
    random = np.random.default_rng(2)
    noisy = np.append(random.normal(0, 1, 200), [50.0, 1e6])
    found, sure = shrink(noisy, np.ones(202))
    assert found[:200].sum() < 0.2 * noisy[:200].clip(0).sum()
    assert found[200:] == pytest.approx(noisy[200:])
    assert (found >= 0).all()
    assert (sure[:200] > 1).all()


def test_a_few_nodes_are_left_alone():
    """Nothing is learned from seven nodes."""
    found, sure = shrink(np.arange(7.0) - 3, np.ones(7))
    assert np.array_equal(found, np.arange(7.0) - 3)
    assert np.array_equal(sure, np.ones(7))


def spiky_map(seed):
    """Ten of sixteen blocks hold one cell of 500 points and nothing else; blocks are told by noise of scale 5, cells by 1."""
    random = np.random.default_rng(seed)
    true = np.zeros((32, 32))
    true[[3, 3, 3, 3, 12, 12, 12, 20, 20, 29], [1, 9, 17, 25, 4, 15, 30, 2, 18, 7]] = 500.0
    blocks = true.reshape(4, 8, 4, 8).sum((1, 3)).ravel()
    none, empty = np.empty(0, dtype=np.intp), np.empty(0)

    def reading(level, totals, scale):
        layers = [(none, empty, empty)] * 6
        layers[level] = (
            np.arange(totals.size),
            totals + random.laplace(0, scale, totals.size),
            np.full(totals.size, scale),
        )
        nodes, told, scales = map(list, zip(*layers, strict=True))
        return RasterMeasurement(nodes, told, scales, level)

    return blocks, [reading(2, blocks, 5.0), reading(5, true.ravel(), 1.0)]


def error_of_blocks():
    """How far the totals of the blocks are from the truth, over twenty maps: the root of the mean square."""
    errors = [
        gather(RASTER, readings, 2).mean[2].ravel() - blocks
        for blocks, readings in map(spiky_map, range(20))
    ]
    return np.sqrt(np.mean([error[:10] ** 2 for error in errors]))


def test_isolated_heavy_cells_tell_their_blocks_totals(monkeypatch):
    """Where one cell holds all of a block, the block's total is nearly as sure as the cell's, not as unsure as the block's own answer."""
    assert error_of_blocks() < 4
    monkeypatch.setattr(combine, "ENOUGH", np.inf)
    assert error_of_blocks() > 5


def test_a_block_that_the_area_cuts_is_a_block():
    """Blocks of which few cells lie in the area are read as the blocks that were asked about, not as their last cells."""
    inside = np.zeros((32, 32), dtype=bool)
    inside[:17, :9] = True
    grid = Grid(bounds=(0, 0, 32, 32), shape=(32, 32), crs="EPSG:3857", mask=inside)
    raster = Raster(grid)
    blocks = raster.partition(
        [np.full(shape, level == 2) for level, shape in enumerate(raster.shapes[:3])]
    )
    nodes = [nodes for nodes, _ in _nodes_of_regions(raster, blocks)]
    assert [len(level) for level in nodes] == [0, 0, 6, 0, 0, 0]
    cells = _nodes_of_regions(raster, Partition.cells(grid))
    # a lone corner of the area is the largest node that holds it alone
    assert sum(len(level) for level, _ in cells) == inside.sum()
    assert [len(level) for level, _ in cells] == [0, 0, 1, 0, 0, 152]
