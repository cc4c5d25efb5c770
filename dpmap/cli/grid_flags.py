"""Declares the flags of the cells: the land, the grid, and a map for each kind and time."""

from typing import TYPE_CHECKING

from dpmap import options
from dpmap.cli.flag_groups import FlagGroup, flag_group
from dpmap.cli.stderr import say_beside
from dpmap.errors import BadInput
from dpmap.numbers import real

if TYPE_CHECKING:
    from dpmap.grid import Grid

ONE_WAY = (
    'cells: give one of --cell "1 km", --grid eea-10km, --hexagons 7, --by-area, or --bounds with'
    " --shape"
)


@flag_group(options.CELLS)
class Gridding(FlagGroup):
    """The cells of the map: their area, size and kind."""

    @property
    def framed(self) -> bool:
        """Whether the grid is given by its bounds instead of an area."""
        return bool(self.bounds is not None or self.shape is not None)

    @property
    def ways(self) -> int:
        """How many of the flags for the size of an area's cells were given."""
        return sum(
            (
                self.cell is not None,
                self.hexagons is not None,
                self.by_area,
                self.official is not None,
            )
        )

    def lacking(self) -> list[str]:
        """Lists what the grid still needs, by the flags' names."""
        if not self.framed:
            return [*(["area"] if self.area is None else []), *([] if self.ways else ["cell"])]
        try:
            degrees = (
                self.bounds is None or max(map(abs, _numbers(self.bounds, 4, "--bounds"))) <= 360
            )
        except BadInput:  # said where the grid is made
            degrees = True
        missing = {
            "bounds": self.bounds is None,
            "shape": self.shape is None,
            "grid-crs": not (degrees or self.grid_crs),
        }
        return [name for name, lacks in missing.items() if lacks]

    def clashing(self) -> list[str]:
        """Lists the flags, by their names, that do not stand beside bounds and were given."""
        beside = {
            "area": self.area,
            "area-name": self.area_name,
            "cell": self.cell,
            "hexagons": self.hexagons,
            "grid": self.official,
            "by-area": self.by_area or None,
        }
        return [name for name, value in beside.items() if value is not None] if self.framed else []

    def check(self) -> None:
        """Refuses flags of which only one can be meant."""
        if self.clashing():
            raise BadInput(
                "cells: --bounds stands with --shape rows,columns, instead of --area, --cell,"
                " --hexagons, --grid and --by-area; leave one out"
            )
        if self.framed:
            return
        if self.ways > 1:
            given = {
                "--cell": self.cell,
                "--grid": self.official,
                "--hexagons": self.hexagons,
                "--by-area": self.by_area or None,
            }
            both = " and ".join(name for name, value in given.items() if value is not None)
            raise BadInput(
                f"{ONE_WAY}; here are {both}, typed or in dpmap.toml: leave out all but one"
            )
        if self.grid_crs is not None and self.ways and self.cell is None:
            raise BadInput(
                "--grid-crs: it is for --cell, as hexagons, areas and official grids lie where they"
                " lie; leave it out"
            )

    def size(self) -> str | None:
        """Returns the size of a cell as it is typed, that of an official grid too; None where no
        size is said.
        """
        if self.official is None:
            cell: str | None = self.cell
            return cell
        from dpmap.grid.official import find_official_grid

        return find_official_grid(self.official).cell or None

    def grid(self) -> "Grid":
        """Makes the grid that the flags describe."""
        return self.say_coarseness(self._make_grid())

    def _make_grid(self) -> "Grid":
        from dpmap.grid import Grid

        self.check()
        if self.framed:
            west, south, east, north = _numbers(self.bounds, 4, "--bounds")
            rows, columns = _numbers(self.shape, 2, "--shape")
            if not (rows.is_integer() and columns.is_integer()):
                raise BadInput(
                    "--shape: give whole numbers of rows and columns, like --shape 200,300"
                )
            shape = (int(rows), int(columns))
            crs = self.grid_crs or "EPSG:4326"
            return Grid(bounds=(west, south, east, north), shape=shape, crs=crs)
        if not self.ways:
            raise BadInput(ONE_WAY)
        if self.official is not None:
            return Grid.official(
                self.area, grid=self.official, layer=self.area_layer, name=self.area_name
            )
        if self.hexagons is not None:
            return Grid.hexagons(
                self.area, resolution=self.hexagons, layer=self.area_layer, name=self.area_name
            )
        if self.by_area:
            return say_names(Grid.areas(self.area, layer=self.area_layer, only=self.area_name))
        return Grid.covering(
            self.area, cell=self.cell, crs=self.grid_crs, layer=self.area_layer, name=self.area_name
        )

    def say_coarseness(self, grid: "Grid") -> "Grid":
        """Says if the bundled outline of the area is coarser than its cells; returns the grid."""
        if self.area and ":" in self.area and not self.by_area:
            from dpmap.geography.named_areas import coarseness_note

            note = coarseness_note(self.area, float(grid.square_km[grid.inside].mean()) ** 0.5)
            if note:
                say_beside(f"area: {note}")
        return grid


def say_names(grid: "Grid") -> "Grid":
    """Says, before anything is paid, if areas are called otherwise than their layer calls them;
    returns their grid.
    """
    naming = getattr(grid.cells, "naming", None)
    if naming is not None and naming.is_changed:
        say_beside(f"areas: {naming.words}")
    return grid


def _numbers(text: str | None, count: int, flag: str) -> list[float]:
    try:
        numbers = [real(part) for part in (text or "").split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != count:
        raise BadInput(
            f"{flag}: give {count} numbers with commas between; --bounds and --shape go together"
        )
    return numbers


@flag_group(options.LAYERS)
class LayerFlags(FlagGroup):
    """A map for each kind and time."""

    def layered(self, grid: "Grid") -> "Grid":
        """Returns the grid with these layers."""
        from dpmap.grid.layer_axes import parse_axes

        return (
            grid.layered(*parse_axes(self.kinds, self.times)) if self.kinds or self.times else grid
        )
