"""Brings two releases onto one grid, so that they can be compared: of nested cells, or of cells
that the user declares to be the same.

Only names of cells change: each region keeps its noisy total and the law of its noise, and is laid
over the cells of the other map that make it up. So what a comparison proves of two maps on one grid
holds of these too.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid import Grid, Partition
from dpmap.grid import crs as crs_tools
from dpmap.grid.common_grid import OFF
from dpmap.grid.squares import Squares
from dpmap.maps import kind
from dpmap.releases.release import Release

Index = NDArray[np.int64]
APART = 0.5
"""Cells that are declared to be the same have their middles no further apart than this part of
their width.
"""


def on_one_grid(
    before: Release, after: Release, *, same_grid: bool
) -> tuple[Release, Release, list[str]]:
    """Return both releases on the same cells, the smaller ones where they are nested, and what to
    know of it.

    >>> import dpmap as dm
    >>> fine = dm.Grid(bounds=(0, 0, 40, 40), shape=(4, 4), crs="EPSG:3035")
    >>> coarse = dm.Grid(bounds=(0, 0, 40, 40), shape=(2, 2), crs="EPSG:3035")
    >>> holders(fine, coarse).reshape(4, 4)[0].tolist()
    [0, 0, 1, 1]
    """
    one = before.grid
    other = after.grid
    if crs_tools.same(one.crs, other.crs) and one.cells == other.cells:
        return before, after, []
    if same_grid:
        return (
            _lay_release(before, other, cell_numbers(one, other)),
            after,
            ["the maps' cells are taken for the same, as was declared"],
        )
    for fine, coarse in ((one, other), (other, one)):
        held = holders(fine, coarse)
        if held is not None:
            note = (
                f"the maps' cells differ: those of {fine.cell_text} lie in those of"
                f" {coarse.cell_text}, and regions of whole larger cells are compared"
            )
            beyond = (
                float(coarse.square_km[coarse.inside].sum() / fine.square_km[fine.inside].sum()) - 1
            )
            if beyond > OFF:
                note += (
                    f"; at the edge these reach over {beyond:.1%} more ground, and what lies there"
                    " can look like a change"
                )
            if fine is one:
                return before, _lay_release(after, one, held), [note]
            return _lay_release(before, other, held), after, [note]
    raise BadInput(
        "compare: the maps have different cells; add zones to compare instead, like --zones"
        " districts.gpkg, or --same-grid if the cells are the same ones written otherwise"
    )


def holders(fine: Grid, coarse: Grid) -> Index | None:
    """Return for each cell of a grid the cell of another that holds it, -1 outside; None unless
    squares of both are nested over one area.
    """
    small = fine.cells
    large = coarse.cells
    if not (isinstance(small, Squares) and isinstance(large, Squares)) or fine.axes or coarse.axes:
        return None
    if not crs_tools.same(fine.crs, coarse.crs):
        return None
    west, south = (
        (one - two) / side
        for one, two, side in zip(large.bounds[:2], small.bounds[:2], small.cell, strict=True)
    )
    ratios = [one / two for one, two in zip(large.cell, small.cell, strict=True)]
    if (
        any(abs(number - round(number)) > OFF for number in (west, south, *ratios))
        or min(ratios) < 1 - OFF
    ):
        return None
    left, low, right, high = small.corners(np.arange(fine.size))
    held = large.locate((left + right) / 2, (low + high) / 2)
    inside = fine.inside.ravel()
    met = np.zeros(coarse.size, dtype=bool)
    met[held[inside & (held >= 0)]] = True
    whole = (held[inside] >= 0).all() and (met == coarse.inside.ravel()).all()
    return np.where(inside, held, -1) if whole else None


def cell_numbers(one: Grid, other: Grid) -> Index:
    """Return each cell's own number, after a look whether two grids can be the same at all."""
    alike = (
        one.kind == other.kind
        and one.shape == other.shape
        and bool((one.inside == other.inside).all())
    )
    if alike:
        middles = [_middles(grid) for grid in (one, other)]
        off = np.hypot(*(a - b for a, b in zip(*middles, strict=True)))
        alike = bool((off <= APART * np.sqrt(other.square_km[other.inside].ravel()) * 1000).all())
    if not alike:
        raise BadInput(
            "compare: --same-grid is for cells in the same rows and columns, at most half a cell"
            " apart; these differ by more, so add zones to compare instead"
        )
    return np.where(other.inside.ravel(), np.arange(other.size), -1)


def _middles(grid: Grid) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the middles of the cells in the area, in metres of one CRS that keeps areas."""
    import shapely

    points = shapely.centroid(grid.polygons())
    east, north = crs_tools.transformer(grid.crs, "EPSG:6933").transform(
        shapely.get_x(points), shapely.get_y(points)
    )
    return np.asarray(east), np.asarray(north)


def _lay_release(release: Release, grid: Grid, held: Index) -> Release:
    """Return a release with each region laid over the cells of another grid that it is made of."""
    record = release.record
    if kind(record) != "totals":
        raise BadInput(
            "compare: a merged map, or a season's better one, is compared on its own cells only;"
            " give the releases that it was made of, or zones"
        )

    def laid(partition: Partition) -> Partition:
        labels = np.append(partition.labels.ravel(), -1)[held]
        return Partition(labels.reshape(grid.shape), partition.regions)

    measured = tuple(
        measurement.laid(laid(measurement.partition)) for measurement in record.measurements
    )
    return Release(replace(record, grid=grid, measurements=measured, priors=()))
