"""The windows in which a change is searched: overlapping, of several sizes, made of whole pieces
of land.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import Grid
from dpmap.grid.neighbours import Neighbours
from dpmap.grid.squares import Squares
from dpmap.inference.patches.calibration import Digits

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Index = NDArray[np.int64]
SIDES = (2, 3, 4, 6, 8, 12, 16)
"""Windows of squares have so many cells along a side."""
RINGS = (1, 2, 4)
"""Windows of other cells are a cell and those up to so many steps around it."""
MOST_CELLS = 4_000_000
"""Windows of one size have at most so many cells together: those of a large map stand further
apart, and the largest are left out.
"""


@dataclass(frozen=True, slots=True, eq=False)
class ScanWindows:
    """Windows: `piece[start[i] : start[i + 1]]` are the pieces of window i, `size` is the number of
    its size.
    """

    piece: Index
    start: Index
    size: Index

    def __len__(self) -> int:
        return len(self.size)

    def sum_matrix(self, selection: slice, pieces: int) -> "csr_array":
        """Returns the matrix that adds up some windows' pieces."""
        from scipy.sparse import csr_array

        start = self.start[selection.start : selection.stop + 1]
        pieces_used = self.piece[start[0] : start[-1]]
        return csr_array(
            (np.ones(len(pieces_used)), pieces_used, start - start[0]),
            shape=(len(start) - 1, pieces),
        )

    def pieces_within(self, window: int) -> Index:
        """Returns the pieces of one window."""
        return self.piece[self.start[window] : self.start[window + 1]]


def list_windows(grid: Grid, piece: Index) -> ScanWindows:
    """Lists windows of all sizes; `piece` is that of each cell, in grid shape, -1 for none.

    A window is made of the pieces that have more than half of their cells in it, or of one piece.
    Which windows there are follows from the pieces alone; windows of the same pieces are listed
    once.
    """
    pieces = int(piece.max(initial=-1)) + 1
    piece_sizes = np.bincount(piece[piece >= 0].ravel(), minlength=pieces)
    blocks = np.flatnonzero(piece_sizes > 1)
    windows_by_size = [(blocks, blocks)]
    for cells in _square_windows(grid) if isinstance(grid.cells, Squares) else _ring_windows(grid):
        pieces_in_window = np.where(cells >= 0, piece.ravel()[cells], -1)
        number = np.broadcast_to(np.arange(len(cells))[:, None], pieces_in_window.shape)
        pair, cell_counts = np.unique(
            number[pieces_in_window >= 0] * pieces + pieces_in_window[pieces_in_window >= 0],
            return_counts=True,
        )
        window, part = np.divmod(pair, max(pieces, 1))
        mostly_inside = 2 * cell_counts > piece_sizes[part]
        windows_by_size.append((window[mostly_inside], part[mostly_inside]))
    return _merge_sizes(windows_by_size, pieces)


def _square_windows(grid: Grid) -> Iterator[Index]:
    """Yields for each size the cells of each window, a row each."""
    rows, columns = grid.shape[-2:]
    number = np.arange(grid.size).reshape(-1, rows, columns)
    for side in SIDES:
        if side > min(rows, columns):
            break
        windows = np.lib.stride_tricks.sliding_window_view(number, (side, side), axis=(1, 2))
        step = max(1, side // 6)
        while windows[:, ::step, ::step].size > MOST_CELLS and step < side:
            step += 1
        windows = windows[:, ::step, ::step]
        if windows.size <= MOST_CELLS:
            yield windows.reshape(-1, side * side).astype(np.int64)


def _ring_windows(grid: Grid) -> Iterator[Index]:
    """Yields for each size every cell with those around it, a row each, padded with -1."""
    neighbours = Neighbours(grid)
    cells = np.flatnonzero(grid.inside.ravel())
    for ring in RINGS:
        around = neighbours.around(cells, 1, ring)
        if around.size > MOST_CELLS:
            break
        yield np.column_stack([cells, around])


def _merge_sizes(windows_by_size: list[tuple[Index, Index]], pieces: int) -> ScanWindows:
    """Merges the windows of all sizes into one list, each set of pieces once, the smallest
    first.
    """
    chance = Digits(b"windows").uniform(2 * pieces).reshape(2, pieces)
    piece = []
    size = []
    piece_counts = []
    marks = []
    # windows of the same pieces have the same sums of random numbers
    for number, (window, part) in enumerate(windows_by_size):
        distinct_windows, at = np.unique(window, return_inverse=True)
        marks.append(
            np.stack(
                [np.bincount(at, numbers[part], len(distinct_windows)) for numbers in chance],
                axis=1,
            ).round(9)
        )
        piece.append(part)
        piece_counts.append(np.bincount(at, minlength=len(distinct_windows)))
        size.append(np.full(len(distinct_windows), number))
    _, first = np.unique(np.concatenate(marks), axis=0, return_index=True)
    is_first = np.zeros(len(np.concatenate(size)), dtype=bool)
    is_first[first] = True
    counts = np.concatenate(piece_counts)
    start = np.append(0, np.cumsum(counts[is_first]))
    return ScanWindows(
        np.concatenate(piece)[np.repeat(is_first, counts)], start, np.concatenate(size)[is_first]
    )
