"""Allocates the polygons, lines or points of a public layer to a grid's cells: their area, length
or count, or the numbers of a column.
"""

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput, SystemFailed, near
from dpmap.gis_files.vector import AdmittedVector, opened_layers
from dpmap.grid import crs as crs_tools
from dpmap.grid.grid import Grid
from dpmap.grid.squares import Squares
from dpmap.grid.zone_overlap import Coverer, cuts, zone_square_km

Values = NDArray[np.float64]

MOST = 3_000_000
"""Features that may meet the area."""
KINDS = ("points", "lines", "polygons")
WHAT = {"points": "", "lines": "km", "polygons": "km2"}


@dataclass(frozen=True, slots=True, eq=False)
class _Features:
    """Shapes of one kind, and the number of each to share out, or none."""

    shapes: NDArray[Any]
    crs: str
    numbers: Values | None


def lay_file(
    path: str, words: list[str], grid: Grid, role: str, name: str, layer: str | None
) -> tuple[Values, str, str]:
    """Returns the amount in each cell, the unit of an amount, and the layer's name with its
    column.
    """
    if words == [""] or len(words) > 2:
        raise BadInput(f"{role}: write {name}:COLUMN, or {name}:LAYER:COLUMN, or {name} alone")
    with opened_layers(path, layer, role) as file:
        layer, column = _choose_layer(file, words, layer, role, name)
        features = _read(file, layer, column, grid, role, name)
    values, what = _allocate(features, grid, role, name)
    return values, what, ":".join([name, *words])


def lay_frame(frame: Any, grid: Grid, role: str) -> tuple[Values, str, str]:
    """Allocates the shapes of a GeoDataFrame or a GeoSeries: returns the amounts, the unit of an
    amount, and a SHA-256 of the shapes.
    """
    import shapely

    if frame.crs is None:
        raise BadInput(
            f"{role}: the layer has no CRS; set one, for example with .set_crs('EPSG:4326')"
        )
    shapes = shapely.force_2d(np.asarray(frame.geometry.array))
    crs = crs_tools.text_of(frame.crs, role)
    digest = hashlib.sha256(crs.encode())
    for shape in shapes:
        digest.update(shapely.to_wkb(shape, byte_order=1) if shape is not None else b"-")
    values, what = _allocate(_Features(shapes, crs, None), grid, role, "the layer")
    return values, what, digest.hexdigest()


def _choose_layer(
    file: AdmittedVector, words: list[str], layer: str | None, role: str, name: str
) -> tuple[str, str | None]:
    """Returns the layer and the column to read: one word alone is a layer if there is one of that
    name.
    """
    try:
        layers = file.names()
    except PermissionError:
        raise SystemFailed(f"{role}: no right to read {name}; check its permissions") from None
    except Exception:  # noqa: BLE001  # whatever a hostile file makes a parser raise
        raise _unreadable(role, name) from None
    if not layers:
        raise BadInput(
            f"{role}: {name} is a table without shapes; give a layer or a raster, such as"
            " habitat.gpkg"
        )
    words = list(words)
    if layer is None and words and (len(words) == 2 or words[0] in layers):
        layer = words.pop(0)
    known = ", ".join(layers[:8])
    if layer is None and len(layers) > 1:
        raise BadInput(
            f"{role}: {name} has several layers ({known}); name one, like {name}:{layers[0]}"
        )
    if layer is not None and layer not in layers:
        raise BadInput(f"{role}: {name} has no layer of that name; it has {known}")
    return layer or layers[0], words[0] if words else None


def _unreadable(role: str, name: str) -> BadInput:
    return BadInput(
        f"{role}: {name} cannot be read as a raster or a layer; give a GeoTIFF, GeoPackage, GeoJSON"
        " or shapefile"
    )


def _read(
    file: AdmittedVector, layer: str, column: str | None, grid: Grid, role: str, name: str
) -> _Features:
    """Reads the features that may meet the area."""
    import shapely

    try:
        info = file.info(layer)
        crs = crs_tools.flat(info["crs"], role) if info["crs"] else None
        if column is not None:
            _check_column(column, info, role, name)
        columns = [column] if column else []
        _, _, geometry, fields = file.read(
            layer, columns=columns, max_features=MOST + 1, bbox=_box_in(grid, crs)
        )
        shapes = shapely.from_wkb(geometry)
        numbers = np.asarray(fields[0], dtype=np.float64) if column else None
    except BadInput:
        raise
    except Exception:  # noqa: BLE001  # whatever a hostile file makes a parser raise
        raise _unreadable(role, name) from None
    if crs is None:
        raise BadInput(
            f"{role}: {name} has no CRS; save it again with one, as a GeoPackage for example"
        )
    if len(shapes) > MOST:
        raise BadInput(
            f"{role}: {name} has more than {MOST:,} features in the area; give fewer, or make a"
            " raster of them"
        )
    return _Features(shapes, crs, numbers)


def _check_column(column: str, info: dict[str, Any], role: str, name: str) -> None:
    """Refuses a column that is not there or holds no numbers."""
    kinds = dict(
        zip(
            (str(field) for field in info["fields"]),
            (np.dtype(dtype).kind for dtype in info["dtypes"]),
            strict=True,
        )
    )
    numeric = [field for field, kind in kinds.items() if kind in "iuf"]
    has = f"it has {', '.join(numeric[:12])}" if numeric else "it has no column of numbers"
    if column not in kinds:
        raise BadInput(
            f"{role}: {name} has no column of that name{near(column, numeric) or f'; {has}'}"
        )
    if column not in numeric:
        raise BadInput(f"{role}: the column of {name} holds no numbers; {has}")


def _box_in(grid: Grid, crs: str | None) -> tuple[float, float, float, float] | None:
    """Returns the grid's bounds in a layer's CRS; None, to read all, where they cannot be
    computed.
    """
    import shapely

    if crs is None:
        return None
    cells = grid.cells
    box = (
        cells.bounds if isinstance(cells, Squares) else tuple(shapely.total_bounds(grid.polygons()))
    )
    along = np.linspace(0, 1, 65)
    x, y = (
        side.ravel()
        for side in np.meshgrid(
            box[0] + (box[2] - box[0]) * along, box[1] + (box[3] - box[1]) * along
        )
    )
    transformed = np.array(crs_tools.transform(x, y, grid.crs, crs))
    if not np.isfinite(transformed).all() or (
        crs_tools.is_lonlat(crs) and np.ptp(transformed[0]) > 180
    ):
        return None
    west, south = transformed.min(axis=1)
    east, north = transformed.max(axis=1)
    margin = 0.02 * max(east - west, north - south)
    return float(west - margin), float(south - margin), float(east + margin), float(north + margin)


def _allocate(features: _Features, grid: Grid, role: str, name: str) -> tuple[Values, str]:
    """Returns the amount in each cell, and the unit of an amount."""
    import shapely

    is_shape = ~shapely.is_missing(features.shapes) & ~shapely.is_empty(features.shapes)
    shapes = features.shapes[is_shape]
    numbers = None if features.numbers is None else features.numbers[is_shape]
    if not len(shapes):
        raise BadInput(
            f"{role}: {name} has nothing in the area; give a layer of it, and check its CRS"
        )
    if not np.isfinite(shapely.get_coordinates(shapes)).all():
        raise BadInput(
            f"{role}: some corners of {name} are no numbers; repair the layer's geometry in"
            " your GIS"
        )
    if numbers is not None and (not np.isfinite(numbers).all() or (numbers < 0).any()):
        raise BadInput(
            f"{role}: some numbers of the column are missing or below 0; an amount is 0 or more"
        )
    dimensions = np.unique(shapely.get_dimensions(shapes))
    if (
        len(dimensions) > 1
        or (shapely.get_type_id(shapes) == shapely.GeometryType.GEOMETRYCOLLECTION).any()
    ):
        raise BadInput(f"{role}: {name} mixes points, lines and polygons; give a layer of one kind")
    kind = KINDS[dimensions[0]]
    span = np.ptp(shapely.total_bounds(shapes).reshape(2, 2), axis=0).max()
    transformed = crs_tools.transform_shapes(
        shapes, features.crs, grid.crs, step=span / 1000 if kind != "points" else None
    )
    is_finite = np.isfinite(shapely.bounds(transformed)).all(axis=1)
    transformed = transformed[is_finite]
    numbers = None if numbers is None else numbers[is_finite]
    amounts = {"points": _points, "lines": _lines, "polygons": _polygons}[kind](
        transformed, numbers, grid
    )
    return np.maximum(amounts, 0.0).reshape(grid.shape), "" if numbers is not None else WHAT[kind]


def _points(shapes: NDArray[Any], numbers: Values | None, grid: Grid) -> Values:
    """Counts points in each cell, or adds their numbers up; of a feature of several points each
    has its share.
    """
    import shapely

    xy, feature = shapely.get_coordinates(shapes, return_index=True)
    point_values = (
        np.ones(len(xy))
        if numbers is None
        else (numbers / np.bincount(feature, minlength=len(numbers)))[feature]
    )
    cell = grid.locate(xy[:, 0], xy[:, 1])
    return np.bincount(
        cell[cell >= 0], weights=point_values[cell >= 0], minlength=grid.size
    ).astype(np.float64)


def _lines(shapes: NDArray[Any], numbers: Values | None, grid: Grid) -> Values:
    """Measures the km of lines in each cell, or shares their numbers out by length."""
    import shapely

    xy, part = shapely.get_coordinates(shapely.get_parts(shapes), return_index=True)
    _, feature = shapely.get_parts(shapes, return_index=True)
    same = part[1:] == part[:-1]
    start = xy[:-1][same]
    end = xy[1:][same]
    feature = feature[part[:-1][same]]
    length = _lengths_km(start, end, grid.crs)
    if numbers is not None:
        whole = np.bincount(feature, weights=length, minlength=len(numbers))
        length = length * (numbers / np.maximum(whole, 1e-300))[feature]
    if isinstance(grid.cells, Squares):
        return _cut_by_squares(start, end, length, grid.cells)
    return _cut_by_outlines(start, end, length, grid)


def _lengths_km(start: Values, end: Values, crs: str) -> Values:
    """Returns the true length of straight pieces on the ellipsoid."""
    import pyproj

    ends = [crs_tools.transform(xy[:, 0], xy[:, 1], crs, crs_tools.LONLAT) for xy in (start, end)]
    return np.asarray(np.nan_to_num(pyproj.Geod(ellps="WGS84").inv(*ends[0], *ends[1])[2]) / 1000)


def _cut_by_squares(start: Values, end: Values, length: Values, cells: Squares) -> Values:
    """Cuts pieces of lines at every line between cells and adds each part's length to its cell."""
    west, _, _, north = cells.bounds
    width, height = cells.cell
    rows, columns = cells.shape
    u0 = (start[:, 0] - west) / width
    v0 = (north - start[:, 1]) / height
    u1 = (end[:, 0] - west) / width
    v1 = (north - end[:, 1]) / height
    piece, t = cuts(u0, v0, u1, v1, columns, rows)
    stop = np.append(t[1:], 1.0)
    stop[np.append(piece[1:] != piece[:-1], True)] = 1.0
    middle = (t + stop) / 2
    column = np.floor(u0[piece] + middle * (u1 - u0)[piece]).astype(np.int64)
    row = np.floor(v0[piece] + middle * (v1 - v0)[piece]).astype(np.int64)
    inside = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
    share = ((stop - t) * length[piece])[inside]
    return np.bincount(
        (row * columns + column)[inside], weights=share, minlength=cells.size
    ).astype(np.float64)


def _cut_by_outlines(start: Values, end: Values, length: Values, grid: Grid) -> Values:
    """Cuts pieces of lines by the outlines of cells."""
    import shapely

    outlines = grid.polygons()
    pieces = shapely.linestrings(np.stack([start, end], axis=1))
    line, cell = shapely.STRtree(outlines).query(pieces, predicate="intersects")
    inside = shapely.length(shapely.intersection(pieces[line], outlines[cell]))
    share = inside / np.maximum(shapely.length(pieces)[line], 1e-300) * length[line]
    return np.bincount(
        np.flatnonzero(grid.inside)[cell], weights=share, minlength=grid.size
    ).astype(np.float64)


def _polygons(shapes: NDArray[Any], numbers: Values | None, grid: Grid) -> Values:
    """Measures the km2 that polygons cover in each cell, ground in several of them once, or
    shares their numbers out by ground.
    """
    import shapely

    coverer = Coverer(grid)
    amounts = np.zeros(grid.size)
    ground = grid.square_km.ravel()
    shapes = shapely.make_valid(shapes)
    if numbers is None:
        for cells, share in coverer.shares(shapely.union_all(shapes)):
            amounts[cells] += share * ground[cells]
        return amounts
    for shape, number in zip(shapes, numbers, strict=True):
        if number > 0 and shape.area > 0:
            density = number / zone_square_km(shape, grid.crs)
            for cells, share in coverer.shares(shape):
                amounts[cells] += share * ground[cells] * density
    return amounts
