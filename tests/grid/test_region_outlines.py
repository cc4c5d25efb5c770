"""Outlines of regions: whole rectangles are drawn at once, as joining their cells would draw them."""

import numpy as np
import pytest
import shapely

from dpmap.grid import Grid, Partition

SHAPE = (13, 17)


@pytest.mark.parametrize("mask", [False, True])
def test_outlines_are_those_of_joined_cells_vertex_by_vertex(mask):
    random = np.random.default_rng(4)
    inside = random.random(SHAPE) < 0.9 if mask else np.ones(SHAPE, dtype=bool)
    bounds = (3_000_000.3, 2_000_000.7, 3_000_000.3 + 17 * 100.1, 2_000_000.7 + 13 * 99.9)
    grid = Grid(bounds=bounds, shape=SHAPE, crs="EPSG:3035", mask=inside)
    blocks = np.zeros(SHAPE, dtype=int)
    blocks[5:, :] = 1
    blocks[5:8, 4:9] = 2
    blocks[:3, 11:] = 4
    blocks[9:, 16:] = 5
    blocks[12, :7] = 6
    blocks[3, 3] = 7
    blocks[5, 0] = -1
    labels = np.where(inside, blocks, -1)
    cells = grid.polygons()
    expected = []
    for region in range(9):
        of_region = cells[labels[inside] == region]
        single = len(of_region) == 1
        expected.append(of_region[0] if single else shapely.coverage_union_all(of_region))
    outlines = Partition(labels, 9).polygons(grid)
    assert shapely.to_wkb(outlines).tolist() == shapely.to_wkb(expected).tolist()


def test_rectangles_of_every_shape_start_where_joined_cells_do():
    for down in range(1, 7):
        for across in range(1, 7):
            grid = Grid(bounds=(0.1, 0.2, 0.3, 0.7), shape=(down, across), crs="EPSG:4326")
            cells = grid.polygons()
            joined = shapely.coverage_union_all(cells) if len(cells) > 1 else cells[0]
            (outline,) = Partition.whole(grid).polygons(grid)
            assert shapely.to_wkb(outline) == shapely.to_wkb(joined)
