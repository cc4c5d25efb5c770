"""Reads the declared area from a file or geometry: a public input, never the survey's extent."""

import os
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput, MissingFile, Refused, SystemFailed, WrongType, near
from dpmap.geography import named_areas
from dpmap.gis_files.vector import opened_layers
from dpmap.grid import crs as crs_tools
from dpmap.grid.geo_interface import as_frame
from dpmap.grid.squares import Squares
from dpmap.numbers import real
from dpmap.stores import local_copy

if TYPE_CHECKING:
    import shapely

Box = tuple[float, float, float, float]


class WithGeometry(Protocol):
    """Declares what GeoDataFrames, shapely's geometries and their kin have in common."""

    @property
    def __geo_interface__(self) -> Any:
        """The geometry as GeoJSON in Python's own types."""


Shapes = str | os.PathLike[str] | WithGeometry | Sequence[float]
"""Polygons as callers may give them: a file, a GeoDataFrame, a geometry, a box in degrees (west,
south, east, north), `"country:Kenya"` or `"region:Dorset"`.
"""
GRID_CRS = "--grid-crs (crs= of the grid)"
"""What messages call the grid's own CRS, which is not the survey's `--crs`."""
RIM = 1e-8
"""An area that reaches less than this share of a cell into it only touches it: rounding errors
bring no cells.
"""


def read_shapes(
    area: Any, *, layer: str | None = None, role: str = "area", name: str | None = None
) -> tuple[NDArray[Any], str, dict[str, list[str]]]:
    """Reads the polygons of an area with their CRS and text columns, from a path, a GeoDataFrame, a
    geometry, a box in degrees, `country:Kenya` or `region:Dorset`. With `name` only those are read
    of which a text column holds it. `role` is what messages call the area.
    """
    import shapely

    if area is None:
        raise Refused(
            "no area: add --area FILE (a polygon layer), or --bounds with --shape (bounds= in"
            " Python); it is never read off the survey"
        )
    area = as_frame(area, role)
    is_named = role == "area" and named_areas.is_named(area)
    if not is_named and isinstance(area, str | os.PathLike):
        with local_copy(area, role) as file:
            return _select_by_name(*_read_file(file, layer, role), name, role)
    if hasattr(area, "geometry") and hasattr(area, "crs"):
        if area.crs is None:
            raise BadInput(
                f"{role}: the layer has no CRS; set one, for example with .set_crs('EPSG:4326')"
            )
        columns = {
            str(key): list(area[key])
            for key in getattr(area, "columns", ())
            if key != area.geometry.name
        }
        return _select_by_name(
            np.asarray(area.geometry.array), crs_tools.text_of(area.crs, role), columns, name, role
        )
    if name is not None:
        raise BadInput(
            f"{role}: a name picks polygons of a layer; leave --area-name (name= in Python) out, or"
            " give a layer"
        )
    if is_named:
        shapes, texts = named_areas.outline(area)
        return shapes, crs_tools.LONLAT, texts
    if isinstance(area, tuple | list) and len(area) == 4:
        west, south, east, north = (real(side) for side in area)
        if west >= east or south >= north:
            raise BadInput(
                f"{role}: a box is (west, south, east, north) in degrees, with west < east and"
                " south < north"
            )
        return np.array([shapely.box(west, south, east, north)]), crs_tools.LONLAT, {}
    if isinstance(area, shapely.Geometry):
        return _polygons(np.array([area]), role), crs_tools.LONLAT, {}
    raise WrongType(
        f"{role}: give a file, a GeoDataFrame, a shapely geometry or (west, south, east, north) in"
        " degrees"
    )


def _select_by_name(
    shapes: NDArray[Any],
    crs: str,
    columns: Mapping[str, Sequence[Any]],
    name: str | None,
    role: str,
) -> tuple[NDArray[Any], str, dict[str, list[str]]]:
    """Returns the valid polygons with their columns as texts: all, or those of which a text
    holds the name, whatever its case.
    """
    if name is not None:
        selected = _match_names(columns, name, len(shapes))
        if not selected.any():
            _polygons(shapes, role)
            raise BadInput(
                f"{role}: no polygon has {_quote_name(name)} in a text"
                f" column{_name_hint(columns, name)}"
            )
        shapes = shapes[selected]
        columns = {key: list(compress(column, selected)) for key, column in columns.items()}
    return (
        _polygons(shapes, role),
        crs,
        {key: [str(value) for value in column] for key, column in columns.items()},
    )


def _match_names(columns: Mapping[str, Sequence[Any]], name: str, count: int) -> NDArray[np.bool_]:
    """Returns which features have a text that is this name, but for its case and outer blanks."""
    wanted = _plain(name)
    if not wanted:
        raise BadInput(
            'area: the name is blank; write one, like --area-name "North Moor", or leave it out'
        )
    matches = np.zeros(count, dtype=bool)
    for column in columns.values():
        matches |= [isinstance(value, str) and _plain(value) == wanted for value in column]
    return matches


def _plain(name: str) -> str:
    return unicodedata.normalize("NFC", name).strip().casefold()


def _quote_name(name: str) -> str:
    """Returns a name as it was typed, on one line and not at any length."""
    return repr("".join(mark if mark.isprintable() else " " for mark in name.strip())[:60])


def _name_hint(columns: Mapping[str, Sequence[Any]], name: str) -> str:
    """Returns the end of a message about an unknown name: the names most like it, else the
    columns that have names.
    """
    texts = {
        key: {text.strip() for text in column if isinstance(text, str)}
        for key, column in columns.items()
    }
    known = {
        _quote_name(text)[1:-1]
        for column_texts in texts.values()
        for text in column_texts
        if 0 < len(text) <= 60
    }
    has = ", ".join(key for key, column_texts in texts.items() if column_texts)
    return near(name.strip(), sorted(known)) or (
        f"; the layer's text columns are {has}" if has else "; the layer has no text column"
    )


def _read_file(
    path: "str | os.PathLike[str]", layer: str | None, role: str
) -> tuple[NDArray[Any], str, dict[str, Sequence[Any]]]:
    """Reads the shapes of a polygon layer as they stand in its file, with its CRS and columns."""
    import shapely

    name = os.fspath(path)
    if os.path.isdir(name) and not name.endswith(".gdb"):
        raise BadInput(
            f"{role}: {os.path.basename(name) or name} is a folder; give a polygon file such as"
            " area.gpkg"
        )
    if not os.path.exists(name):
        box = len(name.split(",")) == 4 and role == "area"
        mend = (
            "for a box give --bounds west,south,east,north with --shape rows,columns"
            if box
            else "check its path"
        )
        if role == "area":
            mend = named_areas.advice(name) or mend
        raise MissingFile(f"{role}: there is no file {os.path.basename(name)}; {mend}")
    try:
        with opened_layers(name, layer, role) as file:
            layers = file.names()
            if (layer is None and len(layers) > 1) or (
                layer is not None and layers and layer not in layers
            ):
                has = "has several layers" if layer is None else "has no layer of that name; it has"
                raise BadInput(  # noqa: TRY301  # raised here, with the layers at hand
                    f"{role}: {os.path.basename(name)} {has} ({', '.join(layers)}); give one of"
                    f" them: --{role}-layer NAME"
                )
            meta, _, geometry, fields = file.read(layer or (layers[0] if layers else None))
        shapes = shapely.from_wkb(geometry) if geometry is not None else np.array([])
    except (BadInput, SystemFailed):
        raise
    except PermissionError:
        raise SystemFailed(
            f"{role}: no right to read {os.path.basename(name)}; check its permissions"
        ) from None
    except Exception:  # noqa: BLE001  # whatever a hostile file makes a parser raise
        raise BadInput(
            f"{role}: {os.path.basename(name)} cannot be read as a polygon layer; give a"
            " GeoPackage, GeoJSON, shapefile or other layer with polygons"
        ) from None
    if geometry is None or not layers:
        raise BadInput(
            f"{role}: {os.path.basename(name)} is a table without polygons; give a layer with them,"
            " such as area.gpkg"
        )
    if not meta.get("crs"):
        raise BadInput(
            f"{role}: {os.path.basename(name)} has no CRS; save it again with one, as a GeoPackage"
            " for example (a shapefile has it in the .prj beside it), or in Python give a"
            " GeoDataFrame after .set_crs('EPSG:4326')"
        )
    columns = {str(key): column for key, column in zip(meta["fields"], fields, strict=True)}
    return shapes, crs_tools.text_of(meta["crs"], role), columns


def _polygons(shapes: NDArray[Any], role: str) -> NDArray[Any]:
    """Returns the valid polygons; refuses points and lines, which enclose no area."""
    import shapely

    if not np.isfinite(shapely.get_coordinates(shapes)).all():
        raise BadInput(
            f"{role}: some corners are no numbers; repair the layer's geometry in your GIS"
        )
    ground = np.array([_ground(shape) for shape in shapes if shape is not None], dtype=object)
    if not len(shapes):
        raise BadInput(f"{role}: the layer is empty; give one with at least one polygon")
    if len(ground) != len(shapes) or not (shapely.area(ground) > 0).all():
        raise BadInput(f"{role}: every feature must be a polygon with some area")
    return ground


def _ground(shape: Any) -> Any:
    """Returns the polygons of one feature with crossed outlines untangled and stray lines and
    spikes removed.
    """
    import shapely

    parts = [
        part
        for whole in shapely.get_parts([shapely.make_valid(shape)])
        for part in shapely.get_parts(whole)
    ]
    return shapely.union_all([part for part in parts if shapely.area(part) > 0])


def check_on_globe(box: Box) -> None:
    """Refuses an area in degrees that crosses the antimeridian or reaches a pole, where a planar
    grid misleads.
    """
    west, south, east, north = box
    if west < -180 or east > 180 or east - west > 180:
        raise BadInput(
            "area: it crosses the antimeridian (or spans more than half the globe); "
            'split it at 180 degrees and lay squares in metres, like --cell "5 km", or squares in'
            f" a national grid with {GRID_CRS}"
        )
    check_off_poles(south, north)


def check_off_poles(south: float, north: float) -> None:
    """Refuses an area in degrees that reaches a pole."""
    if south < -89 or north > 89:
        raise BadInput(
            "area: it reaches a pole; cut it at 89 degrees of latitude, or lay squares in a polar"
            f" grid with {GRID_CRS}"
        )


def covering_mask(area: "shapely.Geometry", cells: Squares) -> NDArray[np.bool_]:
    """Returns which cells share ground with the area, ignoring overlaps thinner than `RIM` of a
    cell.

    Blocks wholly inside or outside are decided at once and only those on the boundary are split, so
    the work grows with the boundary, not the grid.
    """
    import shapely

    shapely.prepare(area)
    rows, columns = cells.shape
    mask = np.zeros(cells.shape, dtype=bool)
    side = 1 << max(0, max(cells.shape) - 1).bit_length()
    blocks = np.array([[0, 0]])
    while len(blocks):
        row, column = blocks.T
        west, _, _, north = cells.edges(row, column)
        _, south, east, _ = cells.edges(
            np.minimum(row + side, rows) - 1, np.minimum(column + side, columns) - 1
        )
        rim_x, rim_y = (RIM * size for size in cells.cell)
        boxes = shapely.box(west + rim_x, south + rim_y, east - rim_x, north - rim_y)
        meets = shapely.intersects(area, boxes)
        full = meets & (shapely.contains_properly(area, boxes) if side > 1 else True)
        for r, c in blocks[full]:
            mask[r : r + side, c : c + side] = True
        blocks = blocks[meets & ~full]
        side //= 2
        blocks = (blocks[:, None] + side * np.array([[0, 0], [0, 1], [1, 0], [1, 1]])).reshape(
            -1, 2
        )
        blocks = blocks[(blocks < cells.shape).all(axis=1)]
    return mask
