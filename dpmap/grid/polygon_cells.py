"""Cells that are polygons of a layer: districts, catchments, project areas."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.grid.area_names import AreaNames
from dpmap.read_only_arrays import as_read_only

SLIVER = 1e-3
"""Neighbours may share this share of the smaller one: a border that was drawn twice."""


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

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Areas):
            return NotImplemented
        return self.names == other.names and bool((self.shapes == other.shapes).all())

    def __hash__(self) -> int:
        return hash(self.names)

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


def overlapping(shapes: NDArray[Any]) -> list[tuple[int, int]]:
    """Returns the pairs of polygons, by their numbers, that share more ground than borders drawn
    twice do.

    >>> import shapely
    >>> overlapping(np.array([shapely.box(0, 0, 2, 1), shapely.box(1, 0, 3, 1)]))
    [(0, 1)]
    """
    import shapely

    # of a layer without faults this is all the work
    faulty = np.flatnonzero(~shapely.is_empty(shapely.coverage_invalid_edges(shapes)))
    one, other = shapely.STRtree(shapes[faulty]).query(shapes[faulty], predicate="intersects")
    first = faulty[one[one < other]]
    second = faulty[other[one < other]]
    shared = shapely.area(shapely.intersection(shapes[first], shapes[second]))
    smaller = np.minimum(shapely.area(shapes[first]), shapely.area(shapes[second]))
    real = shared > SLIVER * smaller
    return list(zip(first[real].tolist(), second[real].tolist(), strict=True))
