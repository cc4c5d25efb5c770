"""Lays out the land that places are made of: pieces that no measurement cuts, which of them
touch, and what is known of each.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import Grid, Partition
from dpmap.grid.common_grid import coarsest, window
from dpmap.grid.neighbours import Neighbours
from dpmap.inference.patches import posterior
from dpmap.inference.patches.region_growing import distinct, summed
from dpmap.inference.patches.region_tree import Belief, Regions
from dpmap.inference.raster import Raster
from dpmap.read_only_arrays import read_only_fields
from dpmap.record import Measurement

Numbers = NDArray[np.float64]
Index = NDArray[np.int64]
Mask = NDArray[np.bool_]

UNSURE = 0.25
"""The part of the variance that counts what was answered only, and nothing of what is usual: what
is usual may be wrong alike for many neighbours, and their posterior variances, which take it for
granted, add up to too little.
"""
AT_ONCE = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class ReleasePieces:
    """Holds one release's measured regions, and the piece of land that each of its smallest
    regions lies in.
    """

    regions: Regions
    piece: Index
    shape: tuple[int, ...]
    at: Index

    def __post_init__(self) -> None:
        read_only_fields(self)


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """Holds what is known of each piece: its total, and the beliefs that the variance of any
    place follows from.
    """

    total: Numbers
    beliefs: list[tuple[Index, Belief, Belief]]

    @property
    def variance(self) -> Numbers:
        """The variance of each piece by itself."""
        found = np.zeros(len(self.total))
        for piece, answered, usual in self.beliefs:
            found += summed(piece, UNSURE * answered.alone + (1 - UNSURE) * usual.alone, len(found))
        return found

    def variances(self, place: Index, places: int) -> Numbers:
        """Returns the variance of each place's total, exactly as the beliefs have it."""
        found = np.zeros(places)
        for piece, answered, usual in self.beliefs:
            mine = place[piece]
            found += UNSURE * answered.variances(mine, places) + (1 - UNSURE) * usual.variances(
                mine, places
            )
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """Holds pieces of land with their areas; `piece` is each cell's, in grid shape, -1 outside the
    area and where nothing was measured, and `smallest` for each release the smallest measured
    region that it lies in.
    """

    grid: Grid
    parts: list[ReleasePieces]
    smallest: tuple[Index, ...]
    piece: Index
    area: Numbers
    cells: Index

    def __post_init__(self) -> None:
        read_only_fields(self)

    @classmethod
    def lay_out(cls, grid: Grid, releases: Sequence[tuple[Grid, tuple[Measurement, ...]]]) -> Self:
        """Finds the finest pieces that no region of any release's last measurements cuts."""
        parts = [read(grid, own, measurements) for own, measurements in releases]
        shared = (
            coarsest(grid, [(grid, Partition(smallest)) for _, smallest, _, _ in parts])
            if len(parts) > 1
            else None
        )
        piece = (parts[0][1] if shared is None else shared.labels).astype(np.int64)
        known = piece >= 0
        made = []
        for regions, smallest, shape, at in parts:
            of_region = np.zeros(len(regions.smallest), dtype=np.int64)
            of_region[smallest[smallest >= 0]] = piece[smallest >= 0]
            made.append(ReleasePieces(regions, of_region, shape, at))
        area = summed(piece[known], grid.square_km[known])
        return cls(
            grid,
            made,
            tuple(smallest for _, smallest, _, _ in parts),
            piece,
            area,
            np.bincount(piece[known]),
        )

    def near(self) -> tuple[Index, Index]:
        """Returns the pairs of pieces that touch."""
        return touching(
            self.grid, self.piece, np.flatnonzero(self.piece.ravel() >= 0), 1, len(self.area)
        )

    def over_gaps(self, dense: Mask) -> tuple[Index, Index]:
        """Returns pairs of single dense cells with one cell between them: dense land is often a
        row of cells with gaps.
        """
        single = np.append(dense & (self.cells == 1), False)
        chosen = np.where(single[self.piece], self.piece, -1)
        return touching(self.grid, chosen, np.flatnonzero(chosen.ravel() >= 0), 2, len(self.area))

    def known(self, noisy: Sequence[Numbers]) -> Known:
        """Returns what the answers of each part tell of each piece."""
        total, found = np.zeros(len(self.area)), []
        for part, answers in zip(self.parts, noisy, strict=True):
            smallest = part.regions.smallest
            answered = part.regions.believed(
                answers, answers[smallest], part.regions.variance[smallest]
            )
            usual = part.regions.believed(
                answers, *posterior.estimate_totals(part.regions, answers, part.shape, part.at)[:2]
            )
            total += np.bincount(part.piece, usual.mean, len(total))
            found.append((part.piece, answered, usual))
        return Known(total, found)


def read(
    whole: Grid, grid: Grid, measurements: tuple[Measurement, ...]
) -> tuple[Regions, Index, tuple[int, ...], Index]:
    """Returns the tree of one release's regions, each cell's smallest in the shape of the whole
    grid, and where on a raster of which shape each lies.

    Where regions cross, or the last measurement has another law than those before, the last one
    alone is read.
    """
    inside = np.flatnonzero(grid.inside.ravel())
    alike = [one for one in measurements if one.kind == measurements[-1].kind]
    labels = [one.partition.labels.ravel()[inside].astype(np.int64) for one in alike]
    regions = Regions.build(labels, alike) or Regions.build(labels[-1:], alike[-1:])
    if regions is None:
        raise AssertionError("regions of one measurement do not cross")
    raster = Raster(grid)
    places = np.arange(raster.inside.size).reshape(raster.inside.shape)
    smallest = np.full(grid.size, -1, dtype=np.int64)
    smallest[inside] = regions.of_cell
    laid = np.full(whole.shape, -1, dtype=np.int64)
    laid[window(whole, grid)] = smallest.reshape(grid.shape)
    return regions, laid, raster.inside.shape, raster.to_grid(places).ravel()[inside]


def touching(
    grid: Grid, piece: Index, cells: Index, steps: int, pieces: int
) -> tuple[Index, Index]:
    """Returns the pairs of pieces that have cells, among these, so many steps apart; each pair
    once.
    """
    neighbours, mine = Neighbours(grid), piece.ravel()
    first, second = [cells[:0]], [cells[:0]]
    for start in range(0, len(cells), AT_ONCE):
        some = cells[start : start + AT_ONCE]
        around = neighbours.around(some, steps, steps)
        one, other = (
            np.broadcast_to(mine[some][:, None], around.shape),
            np.where(around >= 0, mine[around], -1),
        )
        kept = other > one
        pairs = distinct(one[kept], other[kept], pieces)
        first.append(pairs[0])
        second.append(pairs[1])
    return distinct(np.concatenate(first), np.concatenate(second), pieces)
