"""The raster under hierarchies: a grid's cells, padded to powers of two and halved again and
again.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import Grid, Partition
from dpmap.grid.partition import strips
from dpmap.record import Measurement

Cells = NDArray[np.float64]
Mask = NDArray[np.bool_]
Labels = NDArray[np.integer]
Nodes = NDArray[np.int32]
NONE: Nodes = np.empty(0, dtype=np.int32)
NO_LEVEL = 255
"""Of a region that no node seen so far is."""
Kind = TypeVar("Kind", bound=np.generic)
Number = TypeVar("Number", np.float64, np.int32, np.uint8)


class Raster:
    """A grid padded to powers of two. Level 0 is one node over everything, level `depth` has a node
    for each place.

    Each level halves the one above in both directions, or only along the longer side while the
    raster is not square. The layers of a grid lie side by side, each under a node of level 0 of its
    own: no node holds cells of two.
    """

    def __init__(self, grid: Grid) -> None:
        self._shape = grid.shape
        self.trees = len(grid.layers)
        self._place: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None
        plain = not grid.axes and len(grid.shape) == 2
        # of a plain grid the last row and column say how large the raster is
        row, column = (np.array([side - 1]) for side in grid.shape) if plain else grid.layout()
        height, width = (int(along.max(initial=0)) + 1 for along in (row, column))
        down, across = (max(side - 1, 0).bit_length() for side in (height, width))
        beside = math.isqrt(self.trees - 1) + 1
        below = -(-self.trees // beside)
        if not plain:
            tile = np.arange(self.trees)[:, None]
            place = row + (tile // beside << down), column + (tile % beside << across)
            self._place = (place[0].reshape(self._shape), place[1].reshape(self._shape))
        self.depth = max(down, across)
        self.shapes = [
            (
                below << max(0, down - self.depth + level),
                beside << max(0, across - self.depth + level),
            )
            for level in range(self.depth + 1)
        ]
        self.inside: Mask = self.from_grid(grid.inside, outside=False)

    def from_grid(self, cells: NDArray[Kind], outside: float) -> NDArray[Kind]:
        """Lays values in grid shape onto the raster, without a copy if the shapes are equal."""
        if self._place is None and cells.shape == self.shapes[-1]:
            return cells
        raster = np.full(self.shapes[-1], outside, dtype=cells.dtype)
        if self._place is None:
            raster[: self._shape[0], : self._shape[1]] = cells
        else:
            raster[self._place] = cells
        return raster

    def to_grid(self, raster: NDArray[Kind]) -> NDArray[Kind]:
        """Returns values on the raster in grid shape."""
        if self._place is None:
            return raster[: self._shape[0], : self._shape[1]]
        return raster[self._place]

    @cached_property
    def full(self) -> bool:
        """Whether every place of the raster is a cell of the area."""
        return bool(self.inside.all())

    @cached_property
    def area(self) -> list[NDArray[np.integer]]:
        """How many cells of the area each node holds, level by level."""
        cells = self.inside.view(np.uint8)
        if not self.depth:
            return [cells]
        levels: list[NDArray[np.int32]] = [self.pool(cells, self.depth).astype(np.int32)]
        for level in range(self.depth - 1, 0, -1):
            levels.append(self.pool(levels[-1], level))
        return [*levels[::-1], cells]

    def room(self, level: int) -> int:
        """Returns the most cells that a node of this level can hold."""
        (rows, columns), (high, wide) = self.shapes[level], self.shapes[-1]
        return (high // rows) * (wide // columns)

    def pool(self, nodes: NDArray[Number], level: int) -> NDArray[Number]:
        """Sums over the children, which are at `level`."""
        down, across = self.halved(level)
        if down:
            nodes = nodes[0::2] + nodes[1::2]
        if across:
            nodes = nodes[:, 0::2] + nodes[:, 1::2]
        return nodes

    def pyramid(self, cells: NDArray[Number], top: int) -> list[NDArray[Number]]:
        """Returns the sums at every level from `top` (earlier ones are left empty) to the cells."""
        levels = [cells]
        for level in range(self.depth, top, -1):
            levels.append(self.pool(levels[-1], level))
        return [np.empty(0, dtype=cells.dtype)] * top + levels[::-1]

    def halved(self, level: int) -> tuple[bool, bool]:
        """Whether `level` has twice the rows, and twice the columns, of the level above."""
        below = self.shapes[level]
        above = self.shapes[level - 1]
        return below[0] > above[0], below[1] > above[1]

    def spread(self, nodes: NDArray[Kind], level: int) -> NDArray[Kind]:
        """Gives each node's value to its children, which are at `level`."""
        down, across = self.halved(level)
        high = int(down) + 1
        wide = int(across) + 1
        rows, columns = nodes.shape
        each = np.broadcast_to(nodes[:, None, :, None], (rows, high, columns, wide))
        return np.array(each, order="C").reshape(rows * high, columns * wide)

    def families(self, nodes: NDArray[Kind], level: int) -> NDArray[Kind]:
        """Reshapes the nodes of `level` as (parents, children of each)."""
        rows, columns = self.shapes[level - 1]
        down, across = (int(twice) + 1 for twice in self.halved(level))
        return (
            nodes.reshape(rows, down, columns, across)
            .swapaxes(1, 2)
            .reshape(rows * columns, down * across)
        )

    def unfamilies(self, families: Cells, level: int) -> Cells:
        """Undoes `families`."""
        rows, columns = self.shapes[level - 1]
        down, across = (int(twice) + 1 for twice in self.halved(level))
        return (
            families.reshape(rows, columns, down, across).swapaxes(1, 2).reshape(self.shapes[level])
        )

    def partition(self, stops: list[Mask]) -> Partition:
        """Returns the partition whose regions are the marked nodes, numbered level by level;
        they must tile the raster.
        """
        labels: NDArray[np.int32] = np.full(self.shapes[0], -1, dtype=np.int32)
        count = 0
        for level, marked in enumerate(stops):
            if level:
                labels = self.spread(labels, level)
            real = marked & (self.area[level] > 0)
            labels[real] = np.arange(count, count + int(real.sum()), dtype=np.int32)
            count += int(real.sum())
        for level in range(len(stops), self.depth + 1):
            labels = self.spread(labels, level)
        if not self.full:
            labels[~self.inside] = -1
        return Partition(self.to_grid(labels), count)


@dataclass(frozen=True)
class RasterMeasurement:
    """Places one measurement on the raster: at each level, which nodes are its regions, their noisy
    totals and the scales of their noise.

    `deepest` is the finest level that has a region.
    """

    nodes: list[Nodes]
    totals: list[Cells]
    scales: list[Cells]
    deepest: int

    @classmethod
    def from_stops(
        cls, raster: Raster, stops: list[Mask], measurement: Measurement, dropped: Mask
    ) -> "RasterMeasurement":
        """Reads a measurement of a partition made by `Raster.partition` from these stops,
        without the dropped regions.
        """
        nodes = [
            np.flatnonzero(marked & (raster.area[level] > 0)).astype(np.int32)
            for level, marked in enumerate(stops)
        ]
        starts = np.cumsum([0, *map(len, nodes)])
        regions = [np.arange(start, end, dtype=np.int32) for start, end in pairwise(starts)]
        return cls._place(raster, [*zip(nodes, regions, strict=True)], measurement, dropped)

    @classmethod
    def from_labels(
        cls, raster: Raster, measurement: Measurement, dropped: Mask
    ) -> "RasterMeasurement | None":
        """Reads any measurement; returns None unless every region is a node and every cell of
        the area is in one.
        """
        levels = _nodes_of_regions(raster, measurement.partition)
        return None if levels is None else cls._place(raster, levels, measurement, dropped)

    @classmethod
    def _place(
        cls,
        raster: Raster,
        levels: Sequence[tuple[Nodes, Nodes]],
        measurement: Measurement,
        dropped: Mask,
    ) -> "RasterMeasurement":
        """Places each level's (nodes, regions), which start at level 0."""
        deepest = max((level for level, (nodes, _) in enumerate(levels) if len(nodes)), default=0)
        if dropped.any():
            levels = [
                (nodes[~dropped[regions]], regions[~dropped[regions]]) for nodes, regions in levels
            ]
        all_levels = [*levels, *[(NONE, NONE)] * (raster.depth + 1 - len(levels))]
        all_scales = np.array([float(scale) for scale in measurement.pooled_scales])
        pooled = [measurement.pooled[regions] for _, regions in all_levels]
        scales = [
            all_scales[times] if times.any() else np.broadcast_to(all_scales[0], len(times))
            for times in pooled
        ]
        totals = [measurement.noisy_totals(regions) for _, regions in all_levels]
        return cls([nodes for nodes, _ in all_levels], totals, scales, deepest)

    def truncate(self, level: int) -> "RasterMeasurement":
        """Returns the same without what was measured below a level, which takes much room."""
        above = slice(level + 1)
        return RasterMeasurement(
            self.nodes[above], self.totals[above], self.scales[above], min(self.deepest, level)
        )


def _nodes_of_regions(raster: Raster, partition: Partition) -> list[tuple[Nodes, Nodes]] | None:
    """Returns for each level, from the top, the nodes that are regions, and which; None unless
    all are and hold the whole area.

    Where the area ends within a node, the node and a part of it can hold the same cells: the region
    is the largest such node. So a block of which one cell lies in the area stays a block.
    """
    labels = raster.from_grid(partition.labels, outside=-1)
    if ((labels < 0) & raster.inside).any():
        return None
    sizes = partition.sizes()
    smallest = int(sizes.min(initial=labels.size, where=sizes > 0))
    level_of_region = np.full(len(sizes), NO_LEVEL, dtype=np.uint8)
    remaining = np.count_nonzero(sizes)
    levels: list[tuple[Nodes, Nodes]] = []
    for level, (least, greatest) in _region_ranges(raster, labels):
        # what a node holds with others, none above it holds alone
        lifted = bool(levels) and len(levels[-1][1]) > 0 and not raster.full
        if raster.room(level) < smallest or not (remaining or lifted):
            levels.append((NONE, NONE))
            continue
        nodes, regions = _find_whole_regions(
            least.ravel(), greatest.ravel(), raster.area[level].ravel(), sizes
        )
        remaining -= np.count_nonzero(level_of_region[regions] == NO_LEVEL)
        level_of_region[regions] = level
        levels.append((nodes, regions))
    if remaining:
        return None
    for at, (nodes, regions) in enumerate(levels):
        highest = level_of_region[regions] == raster.depth - at
        if not highest.all():
            levels[at] = nodes[highest], regions[highest]
    return levels[::-1]


def _find_whole_regions(
    least: Labels, greatest: Labels, area: Labels, sizes: NDArray[np.int32]
) -> tuple[Nodes, Nodes]:
    """Returns the nodes of one level that are a whole region, and which."""
    nodes = np.empty(len(least), dtype=np.int32)
    regions = np.empty(len(least), dtype=np.int32)
    start = count = 0
    for low, high, cells in zip(strips(least), strips(greatest), strips(area), strict=True):
        region = np.minimum(low, len(sizes) - 1)
        whole = np.flatnonzero((low == high) & (cells == sizes[region]) & (cells > 0))
        filled = slice(count, count + len(whole))
        nodes[filled] = whole + start
        regions[filled] = region[whole]
        start = start + len(low)
        count = filled.stop
    return nodes[:count], regions[:count]


def _region_ranges(raster: Raster, labels: Labels) -> Iterator[tuple[int, tuple[Labels, Labels]]]:
    """Yields, from the cells up, the least and the greatest region that each node meets; if equal,
    it meets only one.

    A node outside the area meets none: its least is above every region, its greatest below.
    """
    least = greatest = labels
    if not raster.full:
        least = np.where(raster.inside, labels, np.int32(np.iinfo(np.int32).max))
        greatest = np.where(raster.inside, labels, np.int32(-1))
    yield raster.depth, (least, greatest)
    for level in range(raster.depth, 0, -1):
        down, across = raster.halved(level)
        if down:
            least = np.minimum(least[0::2], least[1::2])
            greatest = np.maximum(greatest[0::2], greatest[1::2])
        if across:
            least = np.minimum(least[:, 0::2], least[:, 1::2])
            greatest = np.maximum(greatest[:, 0::2], greatest[:, 1::2])
        yield level - 1, (least, greatest)
