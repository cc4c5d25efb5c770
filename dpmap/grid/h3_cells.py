"""Hexagonal cells of the H3 system: near-equal areas, the same ids everywhere. Needs the extra
`hex`.
"""

from dataclasses import dataclass
from itertools import chain
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput, MissingExtra
from dpmap.read_only_arrays import as_read_only


def library() -> ModuleType:
    """Returns the h3 library with integer ids, or says how to install it."""
    try:
        import h3.api.numpy_int as h3
    except ImportError:
        raise MissingExtra('hexagons need the h3 library; type: pip install "h3>=4.2"') from None
    return h3  # type: ignore[no-any-return]  # h3 has no types


@dataclass(frozen=True, slots=True, eq=False)
class Hexagons:
    """Holds the H3 cells `ids` (sorted, one resolution), in degrees."""

    ids: NDArray[np.uint64]
    resolution: int

    def __post_init__(self) -> None:
        if not len(self.ids) or not np.all(self.ids[1:] > self.ids[:-1]):
            raise BadInput("hexagons: ids must be given sorted and without repeats")
        object.__setattr__(self, "ids", as_read_only(self.ids))

    @property
    def shape(self) -> tuple[int]:
        """(cells,)."""
        return (len(self.ids),)

    @property
    def size(self) -> int:
        """How many cells."""
        return len(self.ids)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hexagons):
            return NotImplemented
        return np.array_equal(self.ids, other.ids)

    def __hash__(self) -> int:
        return hash(self.ids.tobytes())

    def locate(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.int64]:
        """Returns each point's cell in id order, or -1; x is the longitude, y the latitude."""
        h3 = library()
        usable = (np.abs(x) <= 180) & (np.abs(y) <= 90)
        cell = np.full(len(x), -1, dtype=np.int64)
        ids = np.fromiter(
            (
                h3.latlng_to_cell(lat, lon, self.resolution)
                for lat, lon in zip(y[usable], x[usable], strict=True)
            ),
            dtype=np.uint64,
            count=int(usable.sum()),
        )
        place = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        cell[usable] = np.where(self.ids[place] == ids, place, -1)
        return cell

    def polygons(self, index: NDArray[np.int64]) -> NDArray[Any]:
        """Returns the outlines of the given cells in degrees."""
        import shapely

        boundary = library().cell_to_boundary
        rings = [boundary(i) for i in self.ids[index].tolist()]
        corners = np.fromiter(map(len, rings), dtype=np.int64, count=len(rings))
        places = np.fromiter(
            chain.from_iterable(chain.from_iterable(rings)),
            dtype=np.float64,
            count=2 * corners.sum(),
        )
        lonlat = places.reshape(-1, 2)[:, ::-1]
        outlines: NDArray[Any] = shapely.polygons(
            shapely.linearrings(lonlat, indices=np.repeat(np.arange(len(rings)), corners))
        )
        return outlines

    @classmethod
    def covering(cls, area: Any, resolution: int) -> "Hexagons":
        """Makes all cells of this resolution that overlap the area (in degrees)."""
        import shapely

        h3 = library()
        ids: set[int] = set()
        for part in shapely.get_parts(area):
            if part.geom_type == "Polygon":
                outline = h3.geo_to_h3shape(part)
                ids.update(
                    int(i)
                    for i in h3.h3shape_to_cells_experimental(
                        outline, resolution, contain="overlap"
                    )
                )
        return cls(np.array(sorted(ids), dtype=np.uint64), resolution)
