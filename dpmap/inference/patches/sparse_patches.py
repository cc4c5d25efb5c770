"""Finds places among the cells that a sparse release lists, and says of all other land how much it
may hold at most.

Cells are listed because their noisy totals are high, so these lean upwards. What is believed of
each is its posterior mean under a prior learned from all that is known: what is listed, and how
many cells are not. Nothing here is as large as the grid.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid import Partition
from dpmap.grid import crs as crs_tools
from dpmap.inference.patches.calibration import Digits, seed, widths
from dpmap.inference.patches.patch_map import Patches
from dpmap.inference.patches.region_growing import PieceGraph, grown, nearly_told, summed
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
        return gpd.GeoDataFrame(columns, geometry=outlines, crs=crs_tools.parse(grid.crs))


def listed_patches(record: Record, level: float = 0.9) -> ListedPatches:
    """Finds the places of a sparse release."""
    if not 0 < level < 1:
        raise BadInput("level: a probability between 0 and 1, like 0.9")
    measurement, partition, squares = listed_cells(record)
    law, grid = ListedCellLaw(measurement, record.grid.cells_inside), record.grid
    area, pairs = grid.square_km_at(partition.places), _touching(partition.places, squares.shape[1])
    land = PieceGraph(area, pairs)
    mean, variance, chances = law.estimate(measurement.values)
    wide = _rehearsed(law, land, chances, measurement, level)
    place = grown(land, mean, variance, wide, 0.0)
    total, deviation, size = (
        summed(place, mean),
        np.sqrt(summed(place, variance)),
        summed(place, area),
    )
    low, high = np.maximum(total - wide * deviation, 0.0), total + wide * deviation
    told = nearly_told(low, high, size, 0.0) & (low > 0)
    order = np.lexsort((-total / size, ~told))
    rest = max(grid.cells_inside - len(partition.places), 0)
    most = not_listed_at_most(measurement, grid.cells_inside, level)
    columns = [total[order], low[order], high[order], size[order]]
    total, low, high, size = (
        np.append(part, last)
        for part, last in zip(columns, (np.nan, 0.0, most, _mean_area(record) * rest), strict=True)
    )
    return ListedPatches(
        grid,
        np.argsort(order)[place],
        total,
        low,
        high,
        np.append(told[order], False),
        partition.places,
        size,
    )


def _rehearsed(
    law: ListedCellLaw, land: PieceGraph, chances: Numbers, measurement: Measurement, level: float
) -> float:
    """Finds how many deviations about hold this share of the intervals of told places, on other
    maps that list these cells.
    """
    noisy, digits = measurement.values, Digits(seed([measurement.steps.tobytes()]))

    def walk(wide: float) -> Numbers:
        truth, again = law.redraw(noisy, chances, digits)
        mean, variance, _ = law.estimate(again)
        place = grown(land, mean, variance, wide, 0.0)
        total, deviation = summed(place, mean), np.sqrt(summed(place, variance))
        low = total - wide * deviation
        counted = np.flatnonzero(
            nearly_told(low, total + wide * deviation, summed(place, land.size), 0.0) & (low > 0)
        )
        off = (summed(place, truth) - total) / deviation
        return np.asarray(off[counted[np.argsort(-low[counted], kind="stable")]])

    return widths(walk, level, len(noisy)) if len(noisy) else 0.0


def _touching(places: Index, columns: int) -> tuple[Index, Index]:
    """Returns the pairs of listed cells that share an edge or a corner."""
    one, other = [places[:0]], [places[:0]]
    column = places % columns
    for down, right in ((0, 1), (1, -1), (1, 0), (1, 1)):
        wanted = places + down * columns + right
        at = np.minimum(np.searchsorted(places, wanted), max(len(places) - 1, 0))
        found = (column + right >= 0) & (column + right < columns)
        found &= places[at] == wanted if len(places) else found
        one.append(np.flatnonzero(found))
        other.append(at[found])
    return np.concatenate(one), np.concatenate(other)


def _mean_area(record: Record) -> float:
    """Returns the mean area of the in-area cells, from some spread over all of them."""
    grid = record.grid
    every = np.arange(0, grid.size, max(1, grid.size // SAMPLED))
    inside = every if grid.mask is None else every[grid.mask.ravel()[every]]
    return float(grid.square_km_at(inside).mean()) if len(inside) else 0.0
