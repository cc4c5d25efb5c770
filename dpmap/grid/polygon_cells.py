"""Cells that are polygons of a layer: districts, catchments, project areas."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.grid.area_names import AreaNames
from dpmap.read_only_arrays import as_read_only


@dataclass(frozen=True, slots=True, eq=False)
class Areas:
    """Holds polygons and their names; a point on a shared border, or in an overlap, belongs to
    the first.
    """

    shapes: NDArray[Any]
    names: tuple[str, ...]
    naming: AreaNames | None = field(default=None, kw_only=True)
    """How they were named, where they were named here; a release's file keeps the names alone."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "shapes", as_read_only(self.shapes))

    @property
    def shape(self) -> tuple[int]:
        """(cells,)."""
        return (len(self.shapes),)

    @property
    def size(self) -> int:
        """How many cells."""
        return len(self.shapes)

    @property
    def text(self) -> str:
        """What the cells are, in a few words."""
        return f"{self.size} areas"

    def locate(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.int64]:
        """Returns the number of each point's polygon, or -1."""
        import shapely

        cell = np.full(len(x), self.size, dtype=np.int64)
        finite = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
        tree = shapely.STRtree(self.shapes)
        point, polygon = tree.query(shapely.points(x[finite], y[finite]), predicate="intersects")
        np.minimum.at(cell, finite[point], polygon)
        return np.where(cell == self.size, -1, cell)

    def polygons(self, index: NDArray[np.int64]) -> NDArray[Any]:
        """Returns the outlines of the given cells."""
        outlines: NDArray[Any] = self.shapes[index]
        return outlines
