"""The land that places are made of: pieces that no measurement cuts, which of them touch, and the
estimate of each.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import Grid, Partition
from dpmap.grid.common_grid import coarsest, window
from dpmap.grid.neighbours import Neighbours
from dpmap.inference.patches import posterior
from dpmap.inference.patches.region_growing import distinct_pairs, sum_by_place
from dpmap.inference.patches.region_tree import Belief, Regions
from dpmap.inference.raster import Raster
from dpmap.read_only_arrays import read_only_fields, read_only_property
from dpmap.record import Measurement

Numbers = NDArray[np.float64]
Index = NDArray[np.int64]
Mask = NDArray[np.bool_]
Labels = NDArray[np.signedinteger[Any]]

UNSURE = 0.25
"""The weight of the variance from the answers alone in that of a piece: priors may be wrong alike
for many neighbours, and posterior variances, which take them for granted, add up to too little.
"""
AT_ONCE = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class ReleasePieces:
    """One release's measured regions, and the piece of land that each of its smallest regions lies
    in.
    """

    regions: Regions
    piece: Index
    shape: tuple[int, ...]
    at: Labels

    def __post_init__(self) -> None:
        read_only_fields(self)


@dataclass(frozen=True, slots=True, eq=False)
class PieceEstimates:
    """The estimated total of each piece, and the beliefs, without and with priors, that the
    variance of any place follows from.
    """

    total: Numbers
    beliefs: list[tuple[Index, Belief, Belief]]

    @property
    def variance(self) -> Numbers:
        """The variance of each piece by itself."""
        variance = np.zeros(len(self.total))
        for piece, from_answers, with_priors in self.beliefs:
            variance += sum_by_place(
                piece, UNSURE * from_answers.alone + (1 - UNSURE) * with_priors.alone, len(variance)
            )
        return variance

    def variances(self, place: Index, places: int) -> Numbers:
        """Returns the variance of each place's total."""
        variances = np.zeros(places)
        for piece, from_answers, with_priors in self.beliefs:
            region_places = place[piece]
            variances += UNSURE * from_answers.variances(region_places, places) + (
                1 - UNSURE
            ) * with_priors.variances(region_places, places)
        return variances


@dataclass(frozen=True, eq=False)
class Ground:
    """Pieces of land; `piece` is each cell's, in grid shape, -1 outside the area and where nothing
    was measured, and `smallest` for each release the smallest measured region that it lies in.
    """

    grid: Grid
    parts: list[ReleasePieces]
    smallest: tuple[Labels, ...]
    piece: Labels

    def __post_init__(self) -> None:
        read_only_fields(self)

    @cached_property
    def pieces(self) -> int:
        """How many pieces there are."""
        return int(self.piece.max(initial=-1)) + 1

    @read_only_property
    def area(self) -> Numbers:
        """The area of each piece; projected cells take long to measure, which estimates alone do
        not need.
        """
        known = self.piece >= 0
        return sum_by_place(self.piece[known], self.grid.square_km[known], self.pieces)

    @read_only_property
    def cells(self) -> Index:
        """The number of cells of each piece."""
        return np.bincount(self.piece[self.piece >= 0], minlength=self.pieces)

    @classmethod
    def lay_out(cls, grid: Grid, releases: Sequence[tuple[Grid, tuple[Measurement, ...]]]) -> Self:
        """Finds the finest pieces that no region of any release's last measurements cuts."""
        parts = [
            read_release(grid, release_grid, measurements)
            for release_grid, measurements in releases
        ]
        shared = (
            coarsest(grid, [(grid, Partition(smallest)) for _, smallest, _, _ in parts])
            if len(parts) > 1
            else None
        )
        piece = parts[0][1] if shared is None else shared.labels
        release_pieces = []
        for regions, smallest, shape, at in parts:
            piece_of_region = np.zeros(len(regions.smallest), dtype=np.int64)
            piece_of_region[smallest[smallest >= 0]] = piece[smallest >= 0]
            release_pieces.append(ReleasePieces(regions, piece_of_region, shape, at))
        return cls(grid, release_pieces, tuple(smallest for _, smallest, _, _ in parts), piece)

    def touching_pairs(self) -> tuple[Index, Index]:
        """Returns the pairs of pieces that touch."""
        return find_touching(
            self.grid, self.piece, np.flatnonzero(self.piece.ravel() >= 0), 1, len(self.area)
        )

    def pairs_over_gaps(self, dense: Mask) -> tuple[Index, Index]:
        """Returns pairs of single dense cells with one cell between them: dense land is often a
        row of cells with gaps.
        """
        single = np.append(dense & (self.cells == 1), False)
        chosen = np.where(single[self.piece], self.piece, -1)
        return find_touching(
            self.grid, chosen, np.flatnonzero(chosen.ravel() >= 0), 2, len(self.area)
        )

    def estimate_pieces(self, noisy: Sequence[Numbers]) -> PieceEstimates:
        """Estimates each piece from the answers of each part."""
        total = np.zeros(len(self.area))
        beliefs = []
        for part, answers in zip(self.parts, noisy, strict=True):
            smallest = part.regions.smallest
            from_answers = part.regions.combine(
                answers, answers[smallest], part.regions.variance[smallest]
            )
            with_priors = part.regions.combine(
                answers, *posterior.estimate_totals(part.regions, answers, part.shape, part.at)[:2]
            )
            total += np.bincount(part.piece, with_priors.mean, len(total))
            beliefs.append((part.piece, from_answers, with_priors))
        return PieceEstimates(total, beliefs)


def read_release(
    whole: Grid, grid: Grid, measurements: tuple[Measurement, ...]
) -> tuple[Regions, Labels, tuple[int, ...], Labels]:
    """Returns the tree of one release's regions, each cell's smallest in the shape of the whole
    grid, and where on a raster of which shape each lies.

    Where regions cross, or the last measurement has another law than those before, the last one
    alone is read.
    """
    of_one_law = [
        measurement for measurement in measurements if measurement.kind == measurements[-1].kind
    ]
    labels = [measurement.partition.packed[grid.inside] for measurement in of_one_law]
    regions = Regions.build(labels, of_one_law) or Regions.build(labels[-1:], of_one_law[-1:])
    if regions is None:
        raise AssertionError("regions of one measurement do not cross")
    raster = Raster(grid)
    places = np.arange(raster.inside.size, dtype=np.int32).reshape(raster.inside.shape)
    smallest = np.full(grid.shape, -1, dtype=np.int32)
    smallest[grid.inside] = regions.of_cell
    if whole is not grid:
        of_release = smallest
        smallest = np.full(whole.shape, -1, dtype=np.int32)
        smallest[window(whole, grid)] = of_release
    return regions, smallest, raster.inside.shape, raster.to_grid(places)[grid.inside]


def find_touching(
    grid: Grid, piece: Labels, cells: Index, steps: int, pieces: int
) -> tuple[Index, Index]:
    """Returns the pairs of pieces that have cells, among these, so many steps apart; each pair
    once.
    """
    neighbours = Neighbours(grid)
    piece_of_cell = piece.ravel()
    first = [cells[:0]]
    second = [cells[:0]]
    for start in range(0, len(cells), AT_ONCE):
        strip = cells[start : start + AT_ONCE]
        around = neighbours.around(strip, steps, steps)
        piece_here = np.broadcast_to(piece_of_cell[strip][:, None], around.shape)
        piece_there = np.where(around >= 0, piece_of_cell[around], -1)
        ordered = piece_there > piece_here
        pairs = distinct_pairs(piece_here[ordered], piece_there[ordered], pieces)
        first.append(pairs[0])
        second.append(pairs[1])
    return distinct_pairs(np.concatenate(first), np.concatenate(second), pieces)
