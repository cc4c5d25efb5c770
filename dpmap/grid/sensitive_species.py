"""Lists the smallest cells that conservation bodies allow for a sensitive species, by their
rules' names.
"""

import math
from dataclasses import dataclass

from dpmap.errors import BadInput, Refused
from dpmap.grid import crs as crs_tools
from dpmap.grid.grid import Grid
from dpmap.grid.squares import Squares

_DEGREE = 111_320.0


@dataclass(frozen=True, slots=True)
class Preset:
    """Gives the smallest allowed side, in degrees or in metres, and whose rule it is."""

    size: float
    degrees: bool
    whose: str

    @property
    def words(self) -> str:
        """The side in words."""
        return f"{self.size:g} degrees" if self.degrees else f"{self.size / 1000:g} km"


PRESETS = {
    "gbif-1": Preset(1.0, True, "GBIF category 1, whose places are withheld or given to a degree"),
    "gbif-2": Preset(0.1, True, "GBIF category 2"),
    "gbif-3": Preset(0.01, True, "GBIF category 3"),
    "gbif-4": Preset(0.001, True, "GBIF category 4"),
    "inat": Preset(0.2, True, "iNaturalist's obscured places"),
    "ebird": Preset(20_000.0, False, "eBird's sensitive species"),
    "nbn-1km": Preset(1_000.0, False, "NBN Atlas at 1 km"),
    "nbn-2km": Preset(2_000.0, False, "NBN Atlas at 2 km"),
    "nbn-5km": Preset(5_000.0, False, "NBN Atlas at 5 km"),
    "nbn-10km": Preset(10_000.0, False, "NBN Atlas at 10 km"),
}


def check_sensitivity(grid: Grid, name: str) -> None:
    """Refuses a grid whose cells are finer than the preset allows.

    >>> check_sensitivity(Grid(bounds=(0, 50, 1, 51), shape=(10, 10), crs="EPSG:4326"), "gbif-2")
    """
    preset = PRESETS.get(name)
    if preset is None:
        raise BadInput(f"--sensitivity: not one of {', '.join(PRESETS)}")
    side = _side(grid, preset)
    if side < preset.size * (1 - 1e-9):
        side_text = f"{side:.2g} degrees" if preset.degrees else f"{side / 1000:.2g} km"
        least = (
            ""
            if isinstance(grid.cells, Squares)
            else f", the smallest as large as a square of {side_text}"
        )
        raise Refused(
            f"--sensitivity {name}: {preset.whose} asks for cells of at least {preset.words}, and"
            f" these are {grid.cell_text}{least}; use {_suggest_size(grid, preset)} or larger"
        )


def _suggest_size(grid: Grid, preset: Preset) -> str:
    """Returns the flag for cells that are large enough: those of an official grid stay in its
    family, if that has such cells.
    """
    from dpmap.grid.official import sizes

    official_grid = sizes.called(grid)
    size = None if official_grid is None else sizes.side(official_grid)
    if official_grid is not None and size is not None:
        least = preset.size * size[0] / _side(grid, preset) * (1 - 1e-9)
        larger = [
            other.name
            for other in sizes.family(official_grid.name)
            if (other_side := sizes.side(other)) and other_side[0] >= least
        ]
        if larger:
            return f"--grid {larger[0]}"
    return f'--cell "{preset.words.replace("degrees", "deg")}"'


def _side(grid: Grid, preset: Preset) -> float:
    """Returns a cell's shortest side in the preset's unit; for shapes, the side of a square as
    large as the smallest.

    Degrees are compared with degrees as they are written; a metre rule is held against the ground,
    so a cell of longitude counts with its width where it is narrowest.
    """
    if not isinstance(grid.cells, Squares):
        metres = math.sqrt(float(grid.square_km[grid.inside].min())) * 1000
    elif crs_tools.is_lonlat(grid.crs):
        width, height = grid.cells.cell
        if preset.degrees:
            return min(width, height)
        _, south, _, north = grid.cells.bounds
        metres = _DEGREE * min(height, width * math.cos(math.radians(max(abs(south), abs(north)))))
    else:
        metres = min(grid.cells.cell) * crs_tools.unit_metres(grid.crs)
    return metres / _DEGREE if preset.degrees else metres
