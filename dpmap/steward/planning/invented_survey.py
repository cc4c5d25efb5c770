"""Invents a survey on a grid, from public numbers only: people of whom most report a few sightings
and some very many, about half of them in the cell where they live.

The numbers are fixed, so that the same question is answered by the same survey.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import Grid
from dpmap.grid.polygon_cells import Areas
from dpmap.grid.squares import Squares
from dpmap.promise.limiters import count_plainly
from dpmap.promise.policy import Policy
from dpmap.steward.planning import landscapes

Values = NDArray[np.float64]
Index = NDArray[np.int64]

SPREAD = 1.4
"""The deviation of the logarithm of how much each person reports: of a mean of 10 half of the
people report 4 or fewer, and one in a hundred more than 90.
"""
AT_HOME = 0.5
"""So many of a person's sightings lie in the cell where she lives."""
LANDSCAPE = "county"
MOST_CELLS = 2500
"""Of larger grids a piece of so many cells is rehearsed on, with as many people to a cell."""
MOST_ROWS = 60_000
"""Of larger surveys so many sightings are invented, and each stands for several."""


@dataclass(frozen=True)
class InventedSurvey:
    """Holds who reported from which cell: a row for each sighting, with the number of its person
    and of its cell. Each row stands for `times` sightings of as many people.
    """

    grid: Grid
    person: Index
    cell: Index
    times: float

    @classmethod
    def deal(cls, grid: Grid, share: Values, units: float, each: float) -> "InventedSurvey":
        """Deals the sightings of so many people to the cells; `share` is what lies in each in-area
        cell.
        """
        people = max(1, min(round(units), int(MOST_ROWS / each)))
        person = np.repeat(np.arange(people), _reports(people, each))
        steps = np.cumsum(share) / share.sum()
        last = len(share) - 1
        home = np.searchsorted(steps, landscapes.digits("homes", people), side="right")
        away = np.searchsorted(steps, landscapes.digits("places", len(person)), side="right")
        is_home = landscapes.digits("at home", len(person)) < AT_HOME
        inside = np.flatnonzero(grid.inside)
        chosen = np.where(is_home, home[person], away)
        return cls(grid, person, inside[np.minimum(chosen, last)], units / people)

    @cached_property
    def truth(self) -> Values:
        """The sightings in each cell, none left out, in grid shape."""
        counts = np.bincount(self.cell, minlength=self.grid.size)
        return np.asarray(counts * self.times, dtype=np.float64).reshape(self.grid.shape)

    def capped_totals(self, policy: Policy) -> Values:
        """Returns what counts in each cell once each person is capped as the policy says, in grid
        shape.
        """
        names = [f"person {number}" for number in range(int(self.person[-1]) + 1)]
        rows = [
            (names[person], cell, 1)
            for person, cell in zip(self.person.tolist(), self.cell.tolist(), strict=True)
        ]
        totals = np.zeros(self.grid.size)
        steps = count_plainly(rows, policy.limiter, policy.cap, policy.lattice, shares=1)
        totals[list(steps)] = np.array(list(steps.values())) / policy.lattice
        return (totals * self.times).reshape(self.grid.shape)


def _reports(people: int, each: float) -> Index:
    """Returns how much each of the people reports, 1 at least and `each` on the mean."""
    normal = NormalDist()
    order = [normal.inv_cdf((number + 0.5) / people) for number in range(people)]
    growth = np.exp(SPREAD * np.array(order))
    low = 0.0
    high = float(each)
    for _ in range(50):
        middle = (low + high) / 2
        if np.maximum(np.rint(middle * growth), 1).mean() < each:
            low = middle
        else:
            high = middle
    return np.maximum(np.rint(high * growth), 1).astype(np.int64)


def cut_piece(grid: Grid, share: Values) -> tuple[Grid, Index]:
    """Returns the grid if it is small, else the `MOST_CELLS` of its cells about the one that holds
    most; and which of the in-area cells they are.

    >>> wide = Grid(bounds=(0, 0, 100, 100), shape=(100, 100), crs="EPSG:3857")
    >>> piece, chosen = cut_piece(wide, landscapes.invent("county", wide))
    >>> piece.cells_inside, len(chosen)
    (2500, 2500)
    """
    if grid.cells_inside <= MOST_CELLS:
        return grid, np.arange(grid.cells_inside)
    x, y = landscapes.centres(grid)
    densest = int(np.argmax(share))
    distance = np.maximum(np.abs(x - x[densest]), np.abs(y - y[densest]))
    chosen = np.sort(np.argsort(distance, kind="stable")[:MOST_CELLS])
    index = np.flatnonzero(grid.inside)[chosen]
    if isinstance(grid.cells, Squares):
        return _crop(grid, grid.cells, index), chosen
    if isinstance(grid.cells, Areas):
        names = tuple(grid.cells.names[number] for number in index)
        return Grid(cells=Areas(grid.cells.shapes[index], names), crs=grid.crs), chosen
    return Grid(cells=replace(grid.cells, ids=grid.cells.ids[index]), crs=grid.crs), chosen


def _crop(grid: Grid, cells: Squares, index: Index) -> Grid:
    """Returns these cells in the smallest rectangle about them."""
    row, column = np.divmod(index, cells.shape[1])
    west, _, _, north = cells.bounds
    width, height = cells.cell
    bounds = (
        west + int(column.min()) * width,
        north - (int(row.max()) + 1) * height,
        west + (int(column.max()) + 1) * width,
        north - int(row.min()) * height,
    )
    mask = np.zeros((int(np.ptp(row)) + 1, int(np.ptp(column)) + 1), dtype=bool)
    mask[row - row.min(), column - column.min()] = True
    return Grid(cells=Squares(bounds, (mask.shape[0], mask.shape[1])), crs=grid.crs, mask=mask)
