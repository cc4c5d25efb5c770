"""Draws a sparse release as blocks of cells, each in the colour of the highest cell listed in it.

A grid of a thousand million cells is finer than any picture. A block shows the largest noisy total
listed among its cells; a block in which none is listed is left blank, and the legend says that it
need not be empty.
"""

import math
import os

import numpy as np
from numpy.typing import NDArray

from dpmap import style
from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.grid.squares import Squares
from dpmap.inference.sparse_bounds import listed_cells
from dpmap.record import Record
from dpmap.render import legend_scalebar
from dpmap.render.colouring import Painting
from dpmap.render.static import write_painted
from dpmap.render.user_layers import Context
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import noun

MOST = 160
"""Blocks along the longer side: each is then wide enough to be seen."""
BLANK = "#f7f7f5"


def write_blocks(
    record: Record, path: "str | os.PathLike[str]", *, dpi: float = 300, context: Context = True
) -> None:
    """Write the picture as png, svg or pdf."""
    grid, highest, side = blocks(record)
    inside = highest[grid.inside]
    blank = np.isnan(inside)
    partition = listed_cells(record)[1]
    least = float(partition.threshold)
    edges = (least, *(edge for edge in style.class_breaks(inside[~blank], 5) if edge > least))
    names = style.class_colours(max(len(edges) - 1, 1))
    place = np.clip(np.searchsorted(edges, inside, side="right") - 1, 0, len(names) - 1)
    colours = np.array([style.rgb(name) for name in names])[place]
    colours[blank] = style.rgb(BLANK)
    labels = [*zip(style.class_labels(edges), names, strict=False)][::-1]
    title = f"Highest listed cell in each block of {side} x {side}" if side > 1 else "Listed cells"
    notes = [
        f"Listed: cells with a noisy total of {style.number(least)} or more.",
        "Blank is not empty: each cell there is below that.",
    ]
    if (false_cells := expected_false(record)) >= 0.5:
        notes.append(
            f"Noise alone lists about {style.number(round(false_cells))} of the empty cells."
        )
    description = (
        f"{(~blank).sum():,} of {len(inside):,} blocks hold a cell with a noisy total of at least"
        f" {style.number(least)}; the others are blank, which does not mean that they are empty."
        f" {map_statement(record).provenance()}"
    )
    painting = Painting(
        title,
        f"{noun(record)} in one cell,\nnoisy total",
        inside,
        colours,
        np.zeros(len(inside), dtype=bool),
        edges,
        (*labels, ("none listed", BLANK)),
        notes=tuple(legend_scalebar.plain(words, 30) for words in notes),
    )
    write_painted(record, grid, painting, path, description, dpi=dpi, context=context)


def expected_false(record: Record) -> float:
    """Return how many cells noise alone would list if all were empty: a public number."""
    measurement, partition, _ = listed_cells(record)
    return record.grid.cells_inside * math.exp(-float(partition.threshold / measurement.scale)) / 2


def blocks(record: Record, most: int = MOST) -> tuple[Grid, NDArray[np.float64], int]:
    """The grid in blocks of so many cells that at most `most` lie along a side; the highest noisy
    total listed in each, NaN where none is; and how many cells a block has along a side.
    """
    measurement, partition, squares = listed_cells(record)
    side = max(1, math.ceil(max(squares.shape) / most))
    rows, columns = (-(-count // side) for count in squares.shape)
    west, _, _, north = squares.bounds
    width, height = squares.cell
    south = north - rows * side * height
    east = west + columns * side * width
    if crs_tools.is_lonlat(record.grid.crs):
        south = max(south, -90.0)
        east = min(east, 180.0)
    row, column = np.divmod(partition.places, squares.shape[1])
    highest = np.full((rows, columns), -np.inf)
    np.maximum.at(highest, (row // side, column // side), measurement.values)
    mask = record.grid.mask
    if mask is not None:
        down = (
            np.add.reduceat(mask, np.arange(0, mask.shape[0], side), axis=0) if side > 1 else mask
        )
        mask = (
            np.add.reduceat(down, np.arange(0, mask.shape[1], side), axis=1) > 0
            if side > 1
            else mask
        )
    grid = Grid(
        cells=Squares((west, south, east, north), (rows, columns)), crs=record.grid.crs, mask=mask
    )
    return grid, np.where(np.isinf(highest), np.nan, highest), side
