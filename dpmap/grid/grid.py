"""The public grid of cells, declared before the survey is opened."""

import math
import warnings
from dataclasses import replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput, Refused, WrongType
from dpmap.grid import crs as crs_tools
from dpmap.grid.area_names import name_areas
from dpmap.grid.cell_sizes import degrees_text, edge, lengths_text, parse_cell
from dpmap.grid.h3_cells import Hexagons, library
from dpmap.grid.layer_axes import MOST_LAYERS, Axis, Values
from dpmap.grid.mgrs_cells import recognise_mgrs
from dpmap.grid.polygon_cells import Areas, overlapping
from dpmap.grid.squares import Squares
from dpmap.grid.study_area import (
    GRID_CRS,
    Shapes,
    check_off_poles,
    check_on_globe,
    covering_mask,
    read_shapes,
)
from dpmap.numbers import NumberLike, real
from dpmap.read_only_arrays import as_read_only, read_only, read_only_property

if TYPE_CHECKING:
    import geopandas

LARGEST = 100_000_000
LARGEST_SPARSE = 2_000_000_000
"""Cells of a grid of which only those shown are ever listed (`strategy="sparse:20"`)."""
CELLS_AT_ONCE = 1 << 18
"""Coordinates of so many cells are turned at once, for little memory."""
OFFICIAL = "dpmap.grid.official"
"""The module of official grids, loaded by name, since it imports this one. No cell that a point is
in depends on a code.
"""


class Grid:
    """Cells over a declared area: squares by default, or `Grid.hexagons`, or `Grid.areas`.

    `Grid.covering(area, cell="1 km")` lays square cells over an area, which is the usual way.
    `Grid(...)` says each side itself:

    - `bounds`: west, south, east and north, in the units of `crs`.
    - `shape`: the number of rows and of columns. Row 0 is in the north.
    - `crs`: the reference system of the bounds, such as `"EPSG:4326"`.
    - `mask`: which cells belong to the area, an array of that shape; all of them unless it is
      given.
    - `cells`, `axes`: for dpmap itself, which makes hexagons, areas and layers by them.

    A cell that shares no ground with the area is outside: points there are dropped, and the map
    shows nothing. A grid is public: it is declared, and never read off the survey, so without an
    extent it is `Refused`.

    >>> grid = Grid(bounds=(0, 50, 2, 51), shape=(1, 2), crs="EPSG:4326")
    >>> grid.shape, grid.cells_inside, grid.cell_text
    ((1, 2), 2, '1°')
    >>> grid.locate(np.array([0.5, 1.0]), np.array([50.2, 50.2]))
    array([0, 1])
    """

    def __init__(
        self,
        *,
        bounds: tuple[float, float, float, float] | None = None,
        shape: tuple[int, int] | None = None,
        crs: crs_tools.CrsLike | None = None,
        cells: "Squares | Hexagons | Areas | None" = None,
        mask: NDArray[np.bool_] | None = None,
        axes: "tuple[Axis, ...]" = (),
    ) -> None:
        if cells is None:
            if bounds is None or shape is None or crs is None:
                raise Refused(
                    "no extent: give bounds=, shape= and crs=, or Grid.covering(area, cell=...); "
                    "it is never read off the survey"
                )
            cells = _squares(bounds, shape)
        self.crs = crs_tools.text_of(crs, GRID_CRS)
        self.cells = (
            recognise_mgrs(cells)
            if isinstance(cells, Areas) and self.crs == crs_tools.LONLAT
            else cells
        )
        self.axes = tuple(axes)
        self.mask = (
            None if mask is None or mask.all() else as_read_only(np.asarray(mask, dtype=bool))
        )
        self._outlines: NDArray[Any] | None = None
        if isinstance(cells, Squares) and crs_tools.is_lonlat(self.crs):
            check_degrees(cells.bounds)
        _check_axes(self.axes, cells.size)
        if self.mask is not None and (self.mask.shape != cells.shape or not self.mask.any()):
            raise BadInput(
                "mask: it must have the grid's shape and hold at least one cell of the area"
            )

    @classmethod
    def covering(
        cls,
        area: Shapes,
        *,
        cell: NumberLike,
        crs: crs_tools.CrsLike | None = None,
        layer: str | None = None,
        name: str | None = None,
    ) -> "Grid":
        """Makes square cells over an area, leaving out cells that touch none of its ground.

        - `area`: a polygon file, a GeoDataFrame, a shapely geometry, a box in degrees, or a
          country or region, as in `"country:Kenya"` or `"region:Dorset"`.
        - `cell`: the side of a cell, such as `"1 km"` or `"500 m"`. Metric cells lie in an
          equal-area projection centred on the area, their edges on multiples of the size.
          `cell="0.1 deg"`, `"5 min"` or `"30 s"` makes cells of longitude and latitude.
        - `crs`: a national grid for metric cells instead, such as `"EPSG:27700"`.
        - `layer`, `name`: of a file, its layer, and only those polygons that a text column names
          so.

        Raises `BadInput` where the area cannot be read, or would have more cells than dpmap can
        count.

        >>> import dpmap as dm
        >>> dm.Grid.covering("study_area.gpkg", cell="5 km")
        <Grid: 360 cells of 5 km, equal-area, centred on 40.54, -1.72>
        """
        import shapely

        size, in_degrees = parse_cell(cell)
        shapes, source, _ = read_shapes(area, layer=layer, name=name)
        target = _target_crs(shapes, source, crs, in_degrees=in_degrees)
        if not in_degrees:
            size /= crs_tools.unit_metres(target)
        span = np.ptp(shapely.total_bounds(shapes).reshape(2, 2), axis=0).max()
        ground = shapely.union_all(
            crs_tools.transform_shapes(shapes, source, target, step=span / 200)
        )
        west, south, east, north = shapely.bounds(ground)
        if not np.all(np.isfinite([west, south, east, north])):
            raise BadInput(
                f"area: it lies outside the reach of this CRS; choose a {GRID_CRS} made for the"
                " region"
            )
        first_column = math.floor(_snap(west / size))
        first_row = math.floor(_snap(south / size))
        columns = max(1, math.ceil(_snap(east / size)) - first_column)
        rows = max(1, math.ceil(_snap(north / size)) - first_row)
        check_size(rows, columns, LARGEST_SPARSE)
        corners = (first_column, first_row, first_column + columns, first_row + rows)
        left, bottom, right, top = (edge(steps, size, in_degrees=in_degrees) for steps in corners)
        cells = Squares((left, bottom, right, top), (rows, columns))
        return cls(cells=cells, crs=target, mask=read_only(covering_mask(ground, cells)))

    @classmethod
    def official(
        cls, area: Shapes, *, grid: str, layer: str | None = None, name: str | None = None
    ) -> "Grid":
        """Makes the cells of an official grid over an area, each with the code that its publisher
        gives it.

        - `area`, `layer`, `name`: the ground, as for `Grid.covering`.
        - `grid`: the official grid's name, such as `"eea-10km"` or `"os-hectad"`; the page on areas
          and cells lists all.

        >>> import dpmap as dm
        >>> dm.Grid.official("study_area.gpkg", grid="eea-10km").to_geodataframe().columns.tolist()
        ['cell', 'eeaCellCode', 'euroStatCellCode', 'geometry']
        """
        grid_over_area: Grid = import_module(OFFICIAL).covering(area, grid, layer=layer, only=name)
        return grid_over_area

    @classmethod
    def hexagons(
        cls, area: Shapes, *, resolution: int, layer: str | None = None, name: str | None = None
    ) -> "Grid":
        """Makes the H3 hexagons that overlap an area; it needs the extra `hex`.

        - `area`, `layer`, `name`: the ground, as for `Grid.covering`.
        - `resolution`: 0 (coarse) to 15 (fine); 7 is about 5 km2, and each step makes seven cells
          of one.

        >>> import dpmap as dm
        >>> dm.Grid.hexagons("study_area.gpkg", resolution=5).kind
        'hexagons'
        """
        import shapely

        if (
            isinstance(resolution, bool)
            or not isinstance(resolution, int)
            or not 0 <= resolution <= 15
        ):
            raise WrongType(
                "resolution: hexagons have whole resolutions 0 (coarse) to 15 (fine); 7 is about"
                " 5 km2"
            )
        shapes, source, _ = read_shapes(area, layer=layer, name=name)
        span = np.ptp(shapely.total_bounds(shapes).reshape(2, 2), axis=0).max()
        ground = shapely.union_all(
            crs_tools.transform_shapes(shapes, source, crs_tools.LONLAT, step=span / 200)
        )
        check_on_globe(tuple(shapely.bounds(ground)))
        check_hexagons(ground, resolution)
        return cls(cells=Hexagons.covering(ground, resolution), crs=crs_tools.LONLAT)

    @classmethod
    def areas(
        cls,
        area: Shapes,
        *,
        name: str | None = None,
        layer: str | None = None,
        role: str = "area",
        only: str | None = None,
    ) -> "Grid":
        """Makes one cell for each polygon of a layer, such as districts or reserves.

        - `area`, `layer`: the polygons, as for `Grid.covering`.
        - `name`: the column that names them; unless given, the first whose values all differ,
          preferring one called name. A name that repeats gets what stands beside it, like "Halton
          (Cheshire)", or a number.
        - `only`: those polygons alone that a text column names so, as all districts of one region.
        - `role`: what messages call the layer.

        Where polygons overlap a point counts for the first of them, and a warning says so.

        >>> import dpmap as dm
        >>> grid = dm.Grid.areas("districts.gpkg", name="name")
        >>> grid.cells_inside, len(grid.names)
        (24, 24)
        """
        shapes, source, texts = read_shapes(area, layer=layer, role=role, name=only)
        if name is not None and name not in texts:
            raise BadInput(
                f"{role}: no column {name!r} for the areas' names; the layer has"
                f" {', '.join(texts) or 'no columns'}"
            )
        named = name_areas(texts, len(shapes), name)
        overlaps = tuple(
            (named.names[one], named.names[other]) for one, other in overlapping(shapes)
        )
        if overlaps:
            named = replace(named, overlaps=overlaps)
            warnings.warn(f"{role}: {named.overlap_words}", UserWarning, stacklevel=2)
        if crs_tools.is_lonlat(source):
            import shapely

            check_on_globe(tuple(shapely.total_bounds(shapes)))
        return cls(cells=Areas(shapes, named.names, naming=named), crs=source)

    def layered(self, *axes: "Axis") -> "Grid":
        """Repeats the cells for each kind and time, so that one release makes a map for each, under
        one cap and one epsilon.

        - `axes`: a `Kinds`, a `Times`, or one of each.

        >>> import dpmap as dm
        >>> grid = dm.Grid(bounds=(0, 50, 2, 51), shape=(1, 2), crs="EPSG:4326")
        >>> grid.layered(
        ...     dm.Kinds("species", ("Kestrel", "Owl")),
        ...     dm.Times("date", ("2023", "2024", "2025", "2026")),
        ... ).shape
        (2, 3, 1, 2)
        """
        return Grid(cells=self.cells, crs=self.crs, mask=self.mask, axes=(*self.axes, *axes))

    @cached_property
    def ground(self) -> "Grid":
        """The cells of one layer; the grid itself if it has no layers."""
        return Grid(cells=self.cells, crs=self.crs, mask=self.mask) if self.axes else self

    @cached_property
    def layers(self) -> "dict[tuple[str, ...], tuple[int, ...]]":
        """Maps the names of each layer to its place along the axes; one layer without names if
        there are no axes.
        """
        places = np.ndindex(*(len(axis.layers) for axis in self.axes))
        return {
            tuple(axis.layers[at] for axis, at in zip(self.axes, place, strict=True)): place
            for place in places
        }

    @property
    def mean(self) -> Values | None:
        """The axis of values of a grid of means; None for a grid of totals."""
        last = self.axes[-1] if self.axes else None
        return last if isinstance(last, Values) else None

    @cached_property
    def maps(self) -> "dict[tuple[str, ...], tuple[int, ...]]":
        """The same as `layers`, but the two layers of a mean count as one map."""
        ends = 0 if self.mean is None else 1
        return {
            names[: len(names) - ends]: place[: len(place) - ends]
            for names, place in self.layers.items()
        }

    @property
    def single(self) -> "Grid":
        """The grid of one map: its ground, with the axis of values for means."""
        return self.ground if self.mean is None else self.ground.layered(self.mean)

    @property
    def shape(self) -> tuple[int, ...]:
        """The grid's shape: (rows, columns) for squares, (cells,) for others, preceded by the
        length of each axis.
        """
        return (*(len(axis.layers) for axis in self.axes), *self.cells.shape)

    @property
    def size(self) -> int:
        """The number of cells of the shape, those outside the area included."""
        return math.prod(self.shape)

    @property
    def kind(self) -> str:
        """`squares`, `hexagons` or `areas`."""
        return "areas" if isinstance(self.cells, Areas) else type(self.cells).__name__.lower()

    @read_only_property
    def inside(self) -> NDArray[np.bool_]:
        """Which cells belong to the area, in grid shape."""
        self.check_held()
        return (
            np.ones(self.shape, dtype=bool)
            if self.mask is None
            else np.broadcast_to(self.mask, self.shape)
        )

    @cached_property
    def cells_inside(self) -> int:
        """How many cells belong to the area."""
        return self.size if self.mask is None else int(self.mask.sum()) * len(self.layers)

    def check_held(self) -> None:
        """Refuses a grid of more cells than fit in memory, for anything that needs a value for
        every cell.
        """
        check_size(self.cells.shape[0], math.prod(self.cells.shape[1:]))

    def locate(self, x: Any, y: Any, crs: crs_tools.CrsLike | None = None) -> NDArray[np.int64]:
        """Returns each point's cell in one layer, in row order, or -1 outside the area.

        - `x`, `y`: arrays of coordinates, `x` to the east.
        - `crs`: their reference system; the grid's own unless given.

        >>> grid = Grid(bounds=(0, 50, 2, 51), shape=(1, 2), crs="EPSG:4326")
        >>> grid.locate([0.5, 1.5, 9.0], [50.2, 50.2, 50.2])
        array([ 0,  1, -1])
        """
        x = np.asarray(x, dtype=np.float64)
        y = np.asarray(y, dtype=np.float64)
        if crs is not None:
            x, y = crs_tools.transform(x, y, crs_tools.text_of(crs), self.crs)
        cell = self.cells.locate(x, y)
        if self.mask is not None:
            cell = np.where((cell >= 0) & self.mask.ravel()[cell], cell, -1)
        return cell

    def polygons(self) -> NDArray[Any]:
        """Returns the outlines of a layer's in-area cells, in row order, in the grid's CRS.

        >>> [
        ...     shape.bounds
        ...     for shape in Grid(bounds=(0, 50, 2, 51), shape=(1, 2), crs="EPSG:4326").polygons()
        ... ]
        [(0.0, 50.0, 1.0, 51.0), (1.0, 50.0, 2.0, 51.0)]
        """
        if isinstance(self.cells, Squares):
            return self.polygons_at(np.flatnonzero(self.ground.inside))
        if self._outlines is None:
            self._outlines = self.cells.polygons(np.flatnonzero(self.ground.inside))
        return self._outlines.copy()

    def polygons_at(self, cells: NDArray[np.int64]) -> NDArray[Any]:
        """Returns the outlines of these in-area cells of a layer, as `polygons` does of all."""
        if isinstance(self.cells, Squares):
            import shapely

            outlines: NDArray[Any] = shapely.box(*self.cells.corners(cells))
            return outlines
        return self.polygons()[np.searchsorted(np.flatnonzero(self.ground.inside), cells)]

    @read_only_property
    def square_km(self) -> NDArray[np.float64]:
        """Each cell's true area in square kilometres, in the shape of a layer."""
        if isinstance(self.cells, Squares):
            if crs_tools.is_lonlat(self.crs):
                return np.broadcast_to(_row_areas(self.cells, self.crs)[:, None], self.cells.shape)
            return _projected_areas(self.cells, self.crs, np.arange(self.cells.size)).reshape(
                self.cells.shape
            )
        import pyproj
        import shapely

        geod = pyproj.Geod(ellps="WGS84")
        shapes = self.polygons()
        step = float(np.ptp(shapely.total_bounds(shapes).reshape(2, 2), axis=0).max()) / 200
        lonlat = crs_tools.transform_shapes(
            shapely.segmentize(shapes, step), self.crs, crs_tools.LONLAT
        )
        return np.array([abs(geod.geometry_area_perimeter(shape)[0]) for shape in lonlat]) / 1e6

    def square_km_at(self, cells: NDArray[np.int64]) -> NDArray[np.float64]:
        """Returns the true area in square kilometres of some squares, given by their numbers in row
        order, without an array of all cells.
        """
        if not len(cells):
            return np.zeros(0)
        # for other kinds every cell is held anyway
        squares: Squares = self.cells  # type: ignore[assignment]
        if crs_tools.is_lonlat(self.crs):
            return _row_areas(squares, self.crs)[cells // squares.shape[1]]
        return _projected_areas(squares, self.crs, cells)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the areas; empty for other cells, which have numbers only."""
        return self.cells.names if isinstance(self.cells, Areas) else ()

    @property
    def cell_text(self) -> str:
        """The cell size in words, for legends and statements."""
        if isinstance(self.cells, Hexagons):
            return f"hexagons (H3 resolution {self.cells.resolution})"
        if isinstance(self.cells, Areas):
            return self.cells.text
        width, height = self.cells.cell
        if crs_tools.is_lonlat(self.crs):
            return degrees_text(width, height)
        metres = crs_tools.unit_metres(self.crs)
        return lengths_text(width * metres, height * metres)

    def layout(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Returns a row and column for each cell of a layer that keep neighbours near each other,
        to build hierarchies on.
        """
        if isinstance(self.cells, Squares):
            rows, columns = np.divmod(np.arange(self.cells.size), self.cells.shape[1])
            return rows, columns
        return self._polygon_layout

    @cached_property
    def _polygon_layout(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The layout of hexagons and areas, which a plan's many rehearsals ask for."""
        import shapely

        centres = shapely.centroid(self.polygons())
        rows, columns = _median_raster(shapely.get_x(centres), shapely.get_y(centres))
        return read_only(rows), read_only(columns)

    def to_geodataframe(self) -> "geopandas.GeoDataFrame":
        """Returns a layer's in-area cells as polygons with their numbers in row order, and names,
        H3 indices or official codes where they have them.

        >>> Grid(
        ...     bounds=(0, 50, 2, 51), shape=(1, 2), crs="EPSG:4326"
        ... ).to_geodataframe().columns.tolist()
        ['cell', 'eqdgcCellCode', 'dmsCellCode', 'geometry']
        """
        import geopandas as gpd

        from dpmap.grid.crs_label import reference

        index = np.flatnonzero(self.ground.inside)
        frame = gpd.GeoDataFrame({"cell": index}, geometry=self.polygons(), crs=reference(self.crs))
        if isinstance(self.cells, Areas):
            frame.insert(1, "name", list(self.cells.names))
        if isinstance(self.cells, Hexagons):
            frame.insert(1, "h3", [f"{i:x}" for i in self.cells.ids])
        for at, (column, code) in enumerate(self.codes(index).items(), start=1):
            frame.insert(at, column, code)
        return frame

    def codes(self, cells: NDArray[np.int64] | None = None) -> "dict[str, NDArray[np.object_]]":
        """Returns the codes that publishers of official grids give to these cells: a column for
        each such grid, none if they are in none.

        - `cells`: their numbers in row order; those inside the area unless given.

        >>> Grid(
        ...     bounds=(4280000, 2670000, 4290000, 2680000), shape=(1, 1), crs="EPSG:3035"
        ... ).codes()["eeaCellCode"].tolist()
        ['10kmE428N267']
        """
        cell_numbers = np.flatnonzero(self.ground.inside) if cells is None else cells
        columns: dict[str, NDArray[np.object_]] = import_module(OFFICIAL).codes(self, cell_numbers)
        return columns

    def __eq__(self, other: object) -> bool:
        """Whether both grids have the same cells, area, layers and reference system.

        >>> Grid(bounds=(0, 50, 2, 51), shape=(1, 2), crs=4326) == Grid(
        ...     bounds=(0, 50, 2, 51), shape=(1, 2), crs="EPSG:4326"
        ... )
        True
        """
        if not isinstance(other, Grid):
            return NotImplemented
        if self.cells != other.cells or self.axes != other.axes:
            return False
        same_area = (self.mask is None) == (other.mask is None) and (
            self.mask is None or np.array_equal(self.mask, other.mask)  # type: ignore[arg-type]
        )
        return same_area and crs_tools.same(self.crs, other.crs)

    def __hash__(self) -> int:
        return hash((self.cells, self.axes, self.cells_inside))

    @property
    def __geo_interface__(self) -> dict[str, Any]:
        """A layer's in-area cells as GeoJSON, in degrees (EPSG:4326).

        >>> grid = Grid(bounds=(0, 50, 2, 51), shape=(1, 2), crs="EPSG:4326")
        >>> [feature["properties"]["cell"] for feature in grid.__geo_interface__["features"]]
        [0, 1]
        """
        from dpmap.grid.geo_interface import feature_collection

        return feature_collection(self.to_geodataframe())

    def __repr__(self) -> str:
        layers = f" in {len(self.layers)} layers" if self.axes else ""
        return (
            f"<Grid: {self.cells_inside:,} cells of {self.cell_text}{layers},"
            f" {crs_tools.name(self.crs)}>"
        )


def _squares(bounds: Any, shape: Any) -> Squares:
    """Returns the square cells of declared bounds and shape."""
    try:
        rows, columns = (int(side) for side in shape)
        west, south, east, north = (real(side) for side in bounds)
    except (TypeError, ValueError):
        raise WrongType(
            "grid: give bounds=(west, south, east, north) and shape=(rows, columns), as numbers"
        ) from None
    check_size(rows, columns, LARGEST_SPARSE)
    return Squares((west, south, east, north), (rows, columns))


def _check_axes(axes: "tuple[Axis, ...]", cells: int) -> None:
    """Checks that each axis has a column of its own and that all layers together fit in a grid."""
    count = math.prod(len(axis.layers) for axis in axes)
    if any(isinstance(axis, Values) for axis in axes[:-1]):
        raise BadInput(
            "layers: a map tells one mean only, as its last axis; leave the other mean out, or put"
            " it last"
        )
    if len({axis.column.lower() for axis in axes}) < len(axes):
        raise BadInput("layers: two axes are of one column; declare each column once")
    if count > MOST_LAYERS or (axes and count * cells > LARGEST):
        raise BadInput(
            f"layers: {count:,} layers of {cells:,} cells are more than dpmap holds; declare fewer"
            " kinds or times"
        )


def check_size(rows: int, columns: int, most: int = LARGEST) -> None:
    """Refuses a grid too large to hold, naming a cell size that fits."""
    if rows < 1 or columns < 1:
        raise BadInput("shape must be (rows, columns), both at least 1")
    if rows * columns > most:
        factor = math.ceil(math.sqrt(rows * columns / most) * 10) / 10
        sparse = ", or show only cells above a threshold: --strategy sparse:20" * (most == LARGEST)
        raise BadInput(
            f"grid: {rows:,} x {columns:,} = {rows * columns:,} cells, above the {most:,} dpmap"
            f" holds; make cells {factor:g} times larger, or the area smaller{sparse}"
        )


def check_hexagons(ground: Any, resolution: int) -> None:
    """Refuses more hexagons than a grid may hold, before they are listed."""
    import pyproj

    square_km = abs(pyproj.Geod(ellps="WGS84").geometry_area_perimeter(ground)[0]) / 1e6
    count = int(square_km / library().average_hexagon_area(resolution, unit="km^2"))
    if count > LARGEST:
        coarser = math.ceil(math.log(count / LARGEST, 7))
        raise BadInput(
            f"grid: about {count:,} hexagons, above the {LARGEST:,} dpmap holds; "
            f"take resolution {resolution - coarser} or make the area smaller"
        )


def check_degrees(bounds: tuple[float, float, float, float]) -> None:
    """Refuses explicit bounds in degrees that do not lie on the globe."""
    west, south, east, north = bounds
    if max(map(abs, bounds)) > 360:
        raise BadInput(
            f"bounds: these are not degrees; say what they are in with {GRID_CRS}, like EPSG:27700"
        )
    if west < -180 or east > 180:
        raise BadInput(
            "bounds: they cross the antimeridian; keep longitudes within -180 to 180 and split the"
            " map there"
        )
    if south < -90 or north > 90:
        raise BadInput("bounds: they reach beyond a pole; keep latitudes within -90 to 90")


def _snap(place: float) -> float:
    """Rounds to a whole number what differs from one by rounding errors only."""
    return float(round(place)) if abs(place - round(place)) < 1e-9 else place


def _target_crs(
    shapes: NDArray[Any], source: str, crs: crs_tools.CrsLike | None, *, in_degrees: bool
) -> str:
    """Returns the grid's CRS: the given one, else degrees, else equal-area centred on the area
    (to a hundredth of a degree).
    """
    import shapely

    if crs is not None:
        target = crs_tools.text_of(crs, GRID_CRS)
        if crs_tools.is_lonlat(target) != in_degrees:
            wanted = "0.1 deg" if not in_degrees else "1 km"
            raise BadInput(
                f"cell: {GRID_CRS} does not measure in that unit; write a cell such as --cell"
                f' "{wanted}", or leave the CRS out'
            )
        if not in_degrees:
            return target
        check_on_globe(
            tuple(shapely.total_bounds(crs_tools.transform_shapes(shapes, source, target)))
        )
        return target
    lonlat = crs_tools.transform_shapes(shapes, source, crs_tools.LONLAT)
    if not in_degrees and (box := crs_tools.antimeridian_box(lonlat)):
        check_off_poles(box[1], box[3])
        return crs_tools.equal_area(box)
    check_on_globe(tuple(shapely.total_bounds(lonlat)))
    return (
        crs_tools.LONLAT
        if in_degrees
        else crs_tools.equal_area(tuple(shapely.total_bounds(lonlat)))
    )


def _row_areas(cells: Squares, crs: str) -> NDArray[np.float64]:
    """Returns the square kilometres of a cell of degrees in each row, on the ellipsoid."""
    width, _ = cells.cell
    rows = cells.shape[0]
    import pyproj

    ellipsoid = crs_tools.parse(crs).get_geod() or pyproj.Geod(ellps="WGS84")
    e2 = ellipsoid.es
    sine = np.sin(np.radians(np.linspace(cells.bounds[3], cells.bounds[1], rows + 1)))
    e = math.sqrt(e2) if e2 > 0 else 1e-9
    authalic = sine / (2 * (1 - e2 * sine**2)) + np.arctanh(e * sine) / (2 * e)
    strip = ellipsoid.b**2 * np.abs(np.diff(authalic)) * math.radians(width)
    return np.asarray(strip / 1e6)


def _projected_areas(cells: Squares, crs: str, index: NDArray[np.int64]) -> NDArray[np.float64]:
    """Returns square kilometres of projected cells: width times height, divided by the
    projection's areal scale there.
    """
    width, height = cells.cell
    plane = width * height * crs_tools.unit_metres(crs) ** 2 / 1e6
    if "+proj=laea" in crs:
        return np.full(len(index), plane)
    import pyproj

    projection = pyproj.Proj(crs_tools.parse(crs))
    areas = np.empty(len(index))
    for start in range(0, len(index), CELLS_AT_ONCE):
        some = slice(start, start + CELLS_AT_ONCE)
        west, south, east, north = cells.corners(index[some])
        longitude, latitude = crs_tools.transform(
            (west + east) / 2, (south + north) / 2, crs, crs_tools.LONLAT
        )
        scale = projection.get_factors(longitude, latitude, errcheck=False).areal_scale
        areas[some] = np.where(np.isfinite(scale) & (scale > 0), plane / scale, plane)
    return areas


def _median_raster(
    x: NDArray[np.float64], y: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Places cells by recursive median splits, in turn north-south and east-west, so that nearby
    cells share a block.
    """
    row = np.zeros(len(x), dtype=np.int64)
    column = np.zeros(len(x), dtype=np.int64)
    pending = [np.arange(len(x))]
    for level in range(2 * math.ceil(math.log2(max(2, len(x))) / 2)):
        coordinate, digit = (y, row) if level % 2 == 0 else (x, column)
        halves = []
        for members in pending:
            ordered = members[
                np.argsort(
                    -coordinate[members] if level % 2 == 0 else coordinate[members], kind="stable"
                )
            ]
            first, second = np.array_split(ordered, 2)
            digit[first] *= 2
            digit[second] = digit[second] * 2 + 1
            halves += [half for half in (first, second) if len(half)]
        pending = halves
    return row, column
