"""Lists the places in which a change is looked for: overlapping windows of several sizes, made
of whole pieces of land.
"""

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
    """Holds windows: `piece[start[i] : start[i + 1]]` are the pieces of window i, `size` says
    which of the sizes it has.
    """

    piece: Index
    start: Index
    size: Index

    def __len__(self) -> int:
        return len(self.size)

    def summing(self, some: slice, pieces: int) -> "csr_array":
        """Returns the matrix that adds up some windows' pieces."""
        from scipy.sparse import csr_array

        start = self.start[some.start : some.stop + 1]
        mine = self.piece[start[0] : start[-1]]
        return csr_array(
            (np.ones(len(mine)), mine, start - start[0]), shape=(len(start) - 1, pieces)
        )

    def pieces_within(self, window: int) -> Index:
        """Returns the pieces of one window."""
        return self.piece[self.start[window] : self.start[window + 1]]


def windows(grid: Grid, piece: Index) -> ScanWindows:
    """Lists windows of all sizes; `piece` is that of each cell, in grid shape, -1 for none.

    A window is made of the pieces that have more than half of their cells in it, or of one piece.
    Which windows there are follows from the pieces alone; windows of the same pieces are listed
    once.
    """
    pieces = int(piece.max(initial=-1)) + 1
    held = np.bincount(piece[piece >= 0].ravel(), minlength=pieces)
    blocks = np.flatnonzero(held > 1)
    found = [(blocks, blocks)]
    for cells in _squares(grid) if isinstance(grid.cells, Squares) else _rings(grid):
        mine = np.where(cells >= 0, piece.ravel()[cells], -1)
        number = np.broadcast_to(np.arange(len(cells))[:, None], mine.shape)
        pair, many = np.unique(number[mine >= 0] * pieces + mine[mine >= 0], return_counts=True)
        window, part = np.divmod(pair, max(pieces, 1))
        kept = 2 * many > held[part]
        found.append((window[kept], part[kept]))
    return _once(found, pieces)


def _squares(grid: Grid) -> list[Index]:
    """Returns for each size the cells of each window, a row each."""
    rows, columns = grid.shape[-2:]
    number = np.arange(grid.size).reshape(-1, rows, columns)
    found = []
    for side in SIDES:
        if side > min(rows, columns):
            break
        every = np.lib.stride_tricks.sliding_window_view(number, (side, side), axis=(1, 2))
        step = max(1, side // 6)
        while every[:, ::step, ::step].size > MOST_CELLS and step < side:
            step += 1
        every = every[:, ::step, ::step]
        if every.size <= MOST_CELLS:
            found.append(every.reshape(-1, side * side).astype(np.int64))
    return found


def _rings(grid: Grid) -> list[Index]:
    """Returns for each size every cell with those around it, a row each, padded with -1."""
    neighbours, cells = Neighbours(grid), np.flatnonzero(grid.inside.ravel())
    found = []
    for ring in RINGS:
        around = neighbours.around(cells, 1, ring)
        if around.size > MOST_CELLS:
            break
        found.append(np.column_stack([cells, around]))
    return found


def _once(found: list[tuple[Index, Index]], pieces: int) -> ScanWindows:
    """Puts windows of all sizes in one list, each set of pieces once, the smallest first."""
    chance = Digits(b"windows").uniform(2 * pieces).reshape(2, pieces)
    piece, size, many, marks = [], [], [], []
    for number, (window, part) in enumerate(found):
        name, at = np.unique(window, return_inverse=True)
        marks.append(
            np.stack([np.bincount(at, one[part], len(name)) for one in chance], axis=1).round(9)
        )
        piece.append(part)
        many.append(np.bincount(at, minlength=len(name)))
        size.append(np.full(len(name), number))
    _, first = np.unique(np.concatenate(marks), axis=0, return_index=True)
    kept = np.zeros(len(np.concatenate(size)), dtype=bool)
    kept[first] = True
    counts = np.concatenate(many)
    start = np.append(0, np.cumsum(counts[kept]))
    return ScanWindows(
        np.concatenate(piece)[np.repeat(kept, counts)], start, np.concatenate(size)[kept]
    )
