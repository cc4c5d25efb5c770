"""Chooses the cells that a table for an atlas may name: those told from noise by themselves,
with bounds as wide as having been chosen asks for.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.export.atlas.layers import AtlasLayer
from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.grid.squares import Squares
from dpmap.inference import distinguishable
from dpmap.inference.estimate import RATE, discoveries
from dpmap.inference.sparse_bounds import interval, listed_cells
from dpmap.maps import read_map

Numbers = NDArray[np.float64]
LEVEL = 0.9
ROUNDS_TO_ONE = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class SelectedCells:
    """Holds the cells of one layer that are told, by their numbers in row order, with estimate and
    bounds in whole points.

    - `alone`: how many cells of the layer were measured by themselves, and so could be told;
      `inside`: how many it has.
    """

    layer: AtlasLayer
    cells: NDArray[np.int64]
    estimate: NDArray[np.int64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    alone: int
    inside: int


@dataclass(frozen=True, slots=True, eq=False)
class _Tested:
    """Holds the cells of one layer that may be told, each with its estimate and its p-value, and
    how many were tested in all.
    """

    layer: AtlasLayer
    cells: NDArray[np.int64]
    estimate: Numbers
    chance: Numbers
    tests: int

    def bounds(self, level: float) -> tuple[Numbers, Numbers]:
        """Return the bounds of its cells at this level."""
        if self.layer.estimate is None:
            measurement, partition, _ = listed_cells(self.layer.record)
            at = np.searchsorted(partition.places, self.cells)
            low, high = interval(measurement, level)
            return low[at], high[at]
        low, high = self.layer.estimate.interval(level)
        return low.ravel()[self.cells], high.ravel()[self.cells]


def select_cells(layers: Sequence[AtlasLayer], rate: float = RATE) -> list[SelectedCells]:
    """Return the cells of each layer that a table may name, all layers being one table.

    *Which.* A cell has a row if it was measured by itself, its map tells it from noise, its
    estimate rounds to 1 or more, and it passes Benjamini and Hochberg's step among all cells of the
    table that were measured by themselves. So at most a tenth of a table's rows are expected to be
    noise alone; the maps by themselves would not promise that of a table of many empty layers. A
    block of cells that was measured as one is told as one: how its total lies within it was never
    asked, so none of its cells has a row.

    *Bounds.* Of m tests r rows are left. Each has the bounds of level 1 - rate r / m, rounded
    outwards to whole numbers and widened to the estimate where that lies outside. Benjamini and
    Yekutieli (2005): then at most the share `rate` of the rows is expected to miss, though the
    noise itself chose them; bounds of a level of 90 % would miss more often. What is told holds a
    record, so no lower bound is below 1.

    >>> select_cells(())
    []
    """
    tested = [_tested(layer) for layer in layers]
    tests = sum(one.tests for one in tested)
    chosen = discoveries(
        np.concatenate([one.chance for one in tested] or [np.zeros(0)]), rate, tests=tests
    )
    level = 1 - rate * int(chosen.sum()) / max(1, tests * _dependence(tested))
    ends = np.cumsum([len(one.cells) for one in tested])
    return [
        _round_cells(one, part, level)
        for one, part in zip(tested, np.split(chosen, ends), strict=False)
    ]


def _round_cells(tested: _Tested, chosen: NDArray[np.bool_], level: float) -> SelectedCells:
    """Return the chosen cells in whole numbers."""
    inside = tested.layer.record.grid.cells_inside
    if not chosen.any():
        none = np.zeros(0, dtype=np.int64)
        return SelectedCells(tested.layer, none, none, none, none, tested.tests, inside)
    estimate = np.floor(tested.estimate + 0.5)
    low, high = tested.bounds(level)
    low = np.maximum(np.minimum(np.floor(low), estimate), 1.0)
    high = np.maximum(np.ceil(high), estimate)
    whole = [part[chosen].astype(np.int64) for part in (tested.cells, estimate, low, high)]
    return SelectedCells(tested.layer, whole[0], whole[1], whole[2], whole[3], tested.tests, inside)


def _tested(layer: AtlasLayer) -> _Tested:
    """Return the cells of a layer that were measured by themselves and are told on its own map."""
    if read_map(layer.record).mean is not None:
        raise BadInput(
            "--as: this map tells means, and this form holds totals; leave --as out to write its"
            " cells"
        )
    if layer.estimate is None:
        measurement, partition, _ = listed_cells(layer.record)
        values = measurement.values
        large = values >= ROUNDS_TO_ONE
        chance = np.asarray(
            measurement.law.at_least(measurement.steps.astype(np.float64)), dtype=np.float64
        )
        return _Tested(
            layer,
            partition.places[large],
            values[large],
            chance[large],
            layer.record.grid.cells_inside,
        )
    alone = read_map(layer.record).alone().ravel() & layer.record.grid.inside.ravel()
    values = layer.estimate.values.ravel()
    sure = distinguishable(layer.estimate).ravel()
    cells = np.flatnonzero(alone & sure & (np.nan_to_num(values) >= ROUNDS_TO_ONE))
    return _Tested(
        layer, cells, values[cells], layer.estimate.p_values().ravel()[cells], int(alone.sum())
    )


def _dependence(tested: Sequence[_Tested]) -> float:
    """Return the factor that bounds need where one cell's noise says something of another's, as
    of volunteers' reports; else 1.
    """
    reported = [one.tests for one in tested if read_map(one.layer.record).local]
    return float((1 / np.arange(1, sum(reported) + 1)).sum()) if any(reported) else 1.0


def half_diagonal(grid: Grid, cells: NDArray[np.int64]) -> Numbers:
    """Return half the diagonal of each cell in metres, rounded up to a tenth: nothing in the cell
    lies farther from its middle.

    >>> half_diagonal(
    ...     Grid(bounds=(0, 0, 20000, 10000), shape=(1, 2), crs="EPSG:3035"), np.array([0, 1])
    ... ).tolist()
    [7071.1, 7071.1]
    """
    if isinstance(grid.cells, Squares) and not crs_tools.is_lonlat(grid.crs):
        half = float(np.hypot(*grid.cells.cell)) / 2 * crs_tools.unit_metres(grid.crs)
        return np.full(len(cells), np.ceil(10 * half - 1e-6) / 10)
    import pyproj
    import shapely

    outlines = np.asarray(
        grid.cells.polygons(cells)
        if not isinstance(grid.cells, Squares)
        else shapely.box(*grid.cells.corners(cells))
    )
    lon, lat = middles(grid, cells)
    corners, owner = shapely.get_coordinates(outlines, return_index=True)
    x, y = crs_tools.transform(corners[:, 0], corners[:, 1], grid.crs, crs_tools.LONLAT)
    reach = np.zeros(len(cells))
    np.maximum.at(reach, owner, pyproj.Geod(ellps="WGS84").inv(lon[owner], lat[owner], x, y)[2])
    return np.asarray(np.ceil(10 * reach - 1e-6) / 10)


def middles(grid: Grid, cells: NDArray[np.int64]) -> tuple[Numbers, Numbers]:
    """Return the longitude and latitude of each cell's middle, in degrees.

    >>> middles(Grid(bounds=(0, 50, 2, 51), shape=(1, 2), crs="EPSG:4326"), np.array([1]))
    (array([1.5]), array([50.5]))
    """
    import shapely

    if isinstance(grid.cells, Squares):
        west, south, east, north = (
            np.asarray(side, dtype=np.float64) for side in grid.cells.corners(cells)
        )
        x = (west + east) / 2
        y = (south + north) / 2
    else:
        centre = shapely.centroid(grid.cells.polygons(cells))
        x = shapely.get_x(centre)
        y = shapely.get_y(centre)
    lon, lat = crs_tools.transform(x, y, grid.crs, crs_tools.LONLAT)
    return np.asarray(lon, dtype=np.float64), np.asarray(lat, dtype=np.float64)
