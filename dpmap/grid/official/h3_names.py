"""H3's hexagons by name, beside the official grids of squares; their indices stand in the column
`h3` of every layer.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import crs as crs_tools
from dpmap.grid.h3_cells import Hexagons
from dpmap.grid.official.base import Codes

if TYPE_CHECKING:
    from dpmap.grid.grid import Grid


@dataclass(frozen=True, slots=True)
class Resolution:
    """Names the hexagons of one resolution, which `Grid.hexagons` makes."""

    resolution: int
    cell: ClassVar[str] = ""
    crs: ClassVar[str] = crs_tools.LONLAT
    column: ClassVar[str] = "h3"
    unverified: ClassVar[str] = ""

    @property
    def name(self) -> str:
        """What is typed, such as `h3-7`."""
        return f"h3-{self.resolution}"

    @property
    def words(self) -> str:
        """What it is, for help and pages."""
        return f"H3 hexagons of resolution {self.resolution}"

    def covering(self, area: Any, *, layer: str | None = None, only: str | None = None) -> "Grid":
        """Makes these hexagons over an area."""
        from dpmap.grid.grid import Grid

        return Grid.hexagons(area, resolution=self.resolution, layer=layer, name=only)

    def is_of(self, grid: "Grid") -> bool:
        """Whether a grid has hexagons of this resolution."""
        return isinstance(grid.cells, Hexagons) and grid.cells.resolution == self.resolution


GRIDS = tuple(Resolution(resolution) for resolution in range(16))


def codes(_grid: "Grid", _cells: NDArray[np.int64]) -> Codes:
    """Returns nothing: hexagons have had their index as a column since before official grids had
    names.
    """
    return {}


def advice(_grid: "Grid") -> str:
    """Returns nothing: every hexagon has its index."""
    return ""
