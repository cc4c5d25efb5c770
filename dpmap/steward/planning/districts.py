"""The land that a rehearsal tells of one by one: cells, areas that are the cells, or zones."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid import Grid
from dpmap.grid.polygon_cells import Areas
from dpmap.grid.study_area import read_shapes
from dpmap.grid.zone_overlap import Coverer
from dpmap.inference.posterior_estimate import BelievedEstimate
from dpmap.releases.ask import moved_to, zone_name

Values = NDArray[np.float64]
Cover = tuple[NDArray[np.int64], Values]


@dataclass(frozen=True, eq=False)
class Districts:
    """Holds land on a grid whose totals are told: each in-area cell, or zones of several.

    `drawn` has one cell for each of them. Cells that are no areas have no `names`; `covers` are the
    cells of each zone with the shares it takes of them, None where each is a cell.
    """

    grid: Grid
    noun: str
    names: tuple[str, ...]
    drawn: Grid
    covers: tuple[Cover, ...] | None

    @classmethod
    def read(cls, grid: Grid, zones: Any, layer: str | None) -> "Districts":
        """Reads zones, if there are any; those that lie outside the map are left out."""
        if zones is None:
            if layer is not None:
                raise BadInput("--zones-layer: it is a layer of --zones FILE; add that")
            return cls(grid, "area" if grid.names else "cell", grid.names, grid, None)
        shapes, source, texts = read_shapes(zones, layer=layer, role="zones")
        coverer = Coverer(grid)
        moved = moved_to(shapes, source, grid.crs)
        covers = []
        names = []
        within = []
        for at, shape in enumerate(moved):
            cover = coverer.cover(shape)
            whole = np.flatnonzero(cover.within)
            if not len(whole) + len(cover.cut):
                continue
            shares = np.append(np.ones(len(whole)), cover.shares)
            covers.append((np.append(whole, cover.cut), shares))
            names.append(zone_name({name: text[at] for name, text in texts.items()}, at + 1))
            within.append(at)
        if not covers:
            raise BadInput("zones: all of them lie outside the area of the map; give another file")
        drawn = Grid(cells=Areas(moved[within], tuple(names)), crs=grid.crs)
        return cls(grid, "zone", tuple(names), drawn, tuple(covers))

    def totals(self, plane: Values) -> Values:
        """Returns what each holds of values in grid shape."""
        if self.covers is None:
            return plane[self.grid.inside]
        flat = np.nan_to_num(plane.ravel())
        return np.array([float((flat[cells] * shares).sum()) for cells, shares in self.covers])

    def answers(self, reading: BelievedEstimate, level: float) -> tuple[Values, Values, Values]:
        """Returns the estimate of each, and the bounds of its interval."""
        if self.covers is None:
            low, high = reading.interval(level)
            inside = self.grid.inside
            return reading.values[inside], low[inside], high[inside]
        answers = np.array([reading.answer(*cover, level) for cover in self.covers])
        return answers[:, 0], answers[:, 1], answers[:, 2]
