"""Finds places among the cells that a sparse release lists, and bounds the total of all other land.

Cells are listed because their noisy totals are high, so these lean upwards. The estimate of each is
its posterior mean under a prior learned from the listed cells and the number of the others. Nothing
here is as large as the grid.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid import Partition
from dpmap.inference.patches.calibration import Digits, interval_width, seed
from dpmap.inference.patches.patch_map import Patches
from dpmap.inference.patches.region_growing import (
    PieceGraph,
    can_be_coloured,
    grow_places,
    sum_by_place,
)
from dpmap.inference.sparse_bounds import ListedCellLaw, listed_cells, not_listed_at_most
from dpmap.record import Measurement, Record

if TYPE_CHECKING:
    import geopandas

    from dpmap.grid.squares import Squares

Numbers = NDArray[np.float64]
Index = NDArray[np.int64]

DRAWN = 1 << 20
"""On grids of more cells than this, land that is not listed has no outline."""
SAMPLED = 1 << 16
"""The area of land that is not listed follows from so many of its cells at most."""


@dataclass(frozen=True, slots=True, eq=False)
class ListedPatches(Patches):
    """Places among the listed cells, told ones first, and last all land that is not listed, of
    which only the most it may hold is known.

    `listed` are the listed cells' numbers in row order, and `place` is that of each of them.
    """

    listed: Index
    area: Numbers

    @property
    def square_km(self) -> Numbers:
        """Each place's area."""
        return self.area

    def to_geodataframe(self) -> "geopandas.GeoDataFrame":
        """Returns one outline for each place, in the grid's CRS; of land that is not listed none
        where the grid is very large.
        """
        import geopandas as gpd
        import shapely

        from dpmap.grid.crs_label import reference

        grid = self.grid
        if grid.size <= DRAWN:
            labels = np.where(grid.inside, len(self) - 1, -1)
            labels.flat[self.listed] = self.place
            outlines = Partition(labels, len(self)).polygons(grid)
        else:
            squares: Squares = grid.cells  # type: ignore[assignment]  # sparse grids are squares
            order = np.argsort(self.place, kind="stable")
            boxes = shapely.box(*squares.corners(self.listed[order]))
            groups = np.split(
                boxes, np.cumsum(np.bincount(self.place, minlength=len(self) - 1))[:-1]
            )
            outlines = np.array(
                [*(shapely.union_all(group) for group in groups if len(group)), shapely.Polygon()]
            )
        cells = np.bincount(self.place, minlength=len(self))
        cells[-1] = grid.cells_inside - len(self.listed)
        columns: dict[str, Any] = {
            "cells": cells,
            "area_km2": self.square_km,
            **self.columns(),
            "told": self.told,
        }
        return gpd.GeoDataFrame(columns, geometry=outlines, crs=reference(grid.crs))


def listed_patches(record: Record, level: float = 0.9) -> ListedPatches:
    """Finds the places of a sparse release."""
    if not 0 < level < 1:
        raise BadInput("level: a probability between 0 and 1, like 0.9")
    measurement, partition, squares = listed_cells(record)
    law = ListedCellLaw(measurement, record.grid.cells_inside)
    grid = record.grid
    area = grid.square_km_at(partition.places)
    pairs = _touching_pairs(partition.places, squares.shape[1])
    land = PieceGraph(area, pairs)
    mean, variance, chances = law.estimate(measurement.values)
    wide = _calibrate_width(law, land, chances, measurement, level)
    place = grow_places(land, mean, variance, wide, 0.0)
    total = sum_by_place(place, mean)
    deviation = np.sqrt(sum_by_place(place, variance))
    size = sum_by_place(place, area)
    low = np.maximum(total - wide * deviation, 0.0)
    high = total + wide * deviation
    coloured = can_be_coloured(low, high, size, 0.0) & (low > 0)
    order = np.lexsort((-total / size, ~coloured))
    rest = max(grid.cells_inside - len(partition.places), 0)
    upper_bound = not_listed_at_most(measurement, grid.cells_inside, level)
    columns = [total[order], low[order], high[order], size[order]]
    total, low, high, size = (
        np.append(part, last)
        for part, last in zip(
            columns, (np.nan, 0.0, upper_bound, _mean_area(record) * rest), strict=True
        )
    )
    return ListedPatches(
        grid,
        np.argsort(order)[place],
        total,
        low,
        high,
        np.append(coloured[order], False),
        partition.places,
        size,
    )


def _calibrate_width(
    law: ListedCellLaw, land: PieceGraph, chances: Numbers, measurement: Measurement, level: float
) -> float:
    """Returns the half-width, in deviations, with which this share of the intervals of coloured
    places holds on rehearsed maps that list these cells.
    """
    noisy = measurement.values
    digits = Digits(seed([measurement.steps.tobytes()]))

    def walk(wide: float) -> Numbers:
        truth, redrawn = law.redraw(noisy, chances, digits)
        mean, variance, _ = law.estimate(redrawn)
        place = grow_places(land, mean, variance, wide, 0.0)
        total = sum_by_place(place, mean)
        deviation = np.sqrt(sum_by_place(place, variance))
        low = total - wide * deviation
        coloured = np.flatnonzero(
            can_be_coloured(low, total + wide * deviation, sum_by_place(place, land.size), 0.0)
            & (low > 0)
        )
        errors = (sum_by_place(place, truth) - total) / deviation
        return np.asarray(errors[coloured[np.argsort(-low[coloured], kind="stable")]])

    return interval_width(walk, level, len(noisy)) if len(noisy) else 0.0


def _touching_pairs(places: Index, columns: int) -> tuple[Index, Index]:
    """Returns the pairs of listed cells that share an edge or a corner."""
    first = [places[:0]]
    second = [places[:0]]
    column = places % columns
    for down, right in ((0, 1), (1, -1), (1, 0), (1, 1)):
        neighbour = places + down * columns + right
        at = np.minimum(np.searchsorted(places, neighbour), max(len(places) - 1, 0))
        is_listed = (column + right >= 0) & (column + right < columns)
        is_listed &= places[at] == neighbour if len(places) else is_listed
        first.append(np.flatnonzero(is_listed))
        second.append(at[is_listed])
    return np.concatenate(first), np.concatenate(second)


def _mean_area(record: Record) -> float:
    """Returns the mean area of the in-area cells, from a sample spread over all of them."""
    grid = record.grid
    every = np.arange(0, grid.size, max(1, grid.size // SAMPLED))
    inside = every if grid.mask is None else every[grid.mask.ravel()[every]]
    return float(grid.square_km_at(inside).mean()) if len(inside) else 0.0
