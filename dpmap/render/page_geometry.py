"""Tells the interactive page where cells lie: their outlines, the way from longitude and latitude
to a cell, and the background, all as plain JSON values.

Arrays are little-endian base64, deflated where that is shorter; cells are in-area cells in row
order.
"""

import base64
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput, require_library
from dpmap.geography.regions import places_within
from dpmap.grid import Grid, Partition, official
from dpmap.grid import crs as crs_tools
from dpmap.grid.h3_cells import Hexagons
from dpmap.grid.official.code_titles import title_of
from dpmap.grid.polygon_cells import Areas
from dpmap.grid.squares import EDGE, Squares
from dpmap.render import natural_earth as surroundings
from dpmap.render import towns, user_layers
from dpmap.render.user_layers import Context

Facts = dict[str, Any]
Values = NDArray[np.float64]
Box = tuple[float, float, float, float]

POLYGONS_UP_TO = 5_000
NAMED_UP_TO = 200_000
"""Above so many hexagons the page is not told their numbers, nor of squares their codes."""
FINEST_ERROR = 1e-7
MOST_MIDDLES = 0.8
PIXEL_ERROR = 0.01
"""Of a cell's side: how closely the page places zones and the pointer, and how closely it
paints.
"""
STEPS = 2**31 - 1
SAME = 2**9
"""Vertices are placed in so many steps along the longer side; so many steps apart they are one."""
DEFLATED_FROM = 256
"""Bytes of an array; shorter ones gain nothing."""


def array(values: Any, dtype: Any, stride: int = 1) -> Facts:
    """Write a typed array as base64, deflated if that is shorter.

    Of whole numbers the steps are deflated, each from the number `stride` places before, all first
    bytes together, then all second ones.
    """
    plain = np.ascontiguousarray(values, dtype=np.dtype(dtype).newbyteorder("<")).ravel()
    packed = plain.tobytes()
    if len(packed) >= DEFLATED_FROM and dtype is np.int32:
        steps = np.diff(plain.reshape(-1, stride), axis=0, prepend=np.int32(0)).astype("<i4")
        packed = zlib.compress(
            np.ascontiguousarray(steps.view(np.uint8).reshape(-1, 4).T).tobytes(), 6
        )
    elif len(packed) >= DEFLATED_FROM:
        packed = zlib.compress(packed, 6)
    if len(packed) >= 0.95 * plain.nbytes:
        return {"type": plain.dtype.name, "data": base64.b64encode(plain.tobytes()).decode()}
    return {"type": plain.dtype.name, "data": base64.b64encode(packed).decode(), "deflated": stride}


def bits(mask: NDArray[np.bool_]) -> Facts:
    """Write one bit a cell, the first in the highest place of the first byte."""
    return array(np.packbits(mask.ravel()), np.uint8)


def geometry(grid: Grid) -> Facts:
    """Return where the cells are: a lattice (squares), polygons (areas always), or an image
    (many hexagons).
    """
    cells = grid.cells
    few = grid.cells_inside <= POLYGONS_UP_TO
    shapes = outline(grid) if isinstance(cells, Squares) else outlines(grid)
    west, south, east, north = box = extent(shapes)
    plain: Facts = {"kind": grid.kind, "bounds": [[south, west], [north, east]], "few": few}
    if isinstance(cells, Squares):
        plain["lattice"] = {
            **lattice(cells, grid.crs, box),
            "inside": None if grid.mask is None else bits(grid.mask),
        }
    elif few or isinstance(cells, Areas):
        plain["rings"] = rings(shapes)
    else:
        plain["image"] = image(shapes, box)
    if isinstance(cells, Areas):
        plain["names"] = list(cells.names)
        plain["plane"] = plane(grid)
    if isinstance(cells, Hexagons) and grid.size <= NAMED_UP_TO:
        plain["ids"] = array(
            np.frombuffer(" ".join(f"{i:x}" for i in cells.ids).encode(), np.uint8), np.uint8
        )
    if coded := codes(grid):
        plain["codes"] = coded
    return plain


def codes(grid: Grid) -> Facts | None:
    """Return the cells' codes in the first official grid that they are in, of which a reader
    quotes one; None where there are none.

    All first marks stand together, then all second ones, since those of neighbours are alike: so
    packed a code takes some bits. On very large maps only the layers have them; and so it is with
    cells of degrees whose size has no name, since they are in a grid by chance.
    """
    called = {name.column for name in official.NAMES.values() if name.is_of(grid)}
    chosen = called if crs_tools.is_lonlat(grid.crs) else {*official.columns(grid)}
    column = next((one for one in official.columns(grid) if one in chosen), None)
    if column is None or grid.ground.cells_inside > NAMED_UP_TO:
        return None
    marks = grid.codes()[column].astype(np.bytes_)
    width = max(marks.dtype.itemsize, 1)
    return {
        "column": column,
        "title": title_of(grid, column).removeprefix("the "),
        "width": width,
        "marks": array(np.frombuffer(marks.tobytes(), np.uint8).reshape(-1, width).T, np.uint8),
    }


def together(grid: Grid, labels: NDArray[Any]) -> Facts | None:
    """Return the outlines of areas that belong together, by their labels in grid shape; None where
    cells share whole sides, so that the page finds them itself.
    """
    if not isinstance(grid.cells, Areas):
        return None
    sizes = np.bincount(labels[labels >= 0])
    several = np.flatnonzero(sizes > 1)
    if not len(several):
        return None
    shapes = Partition(labels, len(sizes)).polygons(grid)[several]
    step = float(np.ptp(np.reshape(extent(shapes), (2, 2)), axis=0).max()) / 64
    there = unroll_longitudes(
        crs_tools.transform_shapes(shapes, grid.crs, crs_tools.LONLAT, step=step), grid.crs
    )
    return {**rings(there), "groups": array(several, np.int32)}


def outlines(grid: Grid) -> NDArray[Any]:
    """Return the in-area cells in longitude and latitude; long edges get more vertices, so that
    they stay in place.
    """
    import shapely

    shapes = grid.polygons()
    span = float(np.ptp(shapely.total_bounds(shapes).reshape(2, 2), axis=0).max())
    return unroll_longitudes(
        crs_tools.transform_shapes(shapes, grid.crs, crs_tools.LONLAT, step=span / 64), grid.crs
    )


def unroll_longitudes(shapes: NDArray[Any], crs: str) -> NDArray[Any]:
    """Return shapes that were projected with longitudes beyond 180 where they lie across the
    antimeridian; others as they are.
    """
    import shapely

    lon = shapely.get_coordinates(shapes)[:, 0]
    if (
        crs_tools.is_lonlat(crs)
        or not np.isfinite(lon).all()
        or not np.ptp(lon) > 180 > np.ptp(lon % 360)
    ):
        return shapes
    turned: NDArray[Any] = shapely.transform(
        shapes, lambda xy: np.column_stack([xy[:, 0] % 360, xy[:, 1]])
    )
    return turned


def outline(grid: Grid) -> NDArray[Any]:
    """Return the edge of a grid of squares in longitude and latitude, or its in-area cells
    where that edge goes round a pole.
    """
    import shapely

    edge = frame(grid.cells, grid.crs)  # type: ignore[arg-type]  # asked of squares only
    around = not crs_tools.is_lonlat(grid.crs) and np.ptp(shapely.get_coordinates(edge)[:, 0]) > 180
    return outlines(grid.ground) if around else edge


def frame(cells: Squares, crs: str) -> NDArray[Any]:
    """Return the edge of a grid of squares in longitude and latitude."""
    import shapely

    west, south, east, north = cells.bounds
    edge = shapely.box(west, south, east, north)
    there = crs_tools.transform_shapes(
        np.array([edge]), crs, crs_tools.LONLAT, step=max(east - west, north - south) / 256
    )
    return unroll_longitudes(there, crs)


def extent(shapes: Any) -> Box:
    """Return west, south, east and north of shapes in degrees."""
    import shapely

    west, south, east, north = (float(side) for side in shapely.total_bounds(shapes))
    if not np.isfinite([west, south, east, north]).all():
        raise BadInput(
            "interactive map: the grid reaches beyond what its CRS can place on the globe"
        )
    return west, south, east, north


def rings(shapes: NDArray[Any]) -> Facts:
    """Return closed outlines, outer ones anticlockwise and inner ones clockwise, in whole steps
    from the south-west corner.

    A vertex that several share is written once, in the order in which they are met: neighbours then
    have the very same sides.
    """
    west, south, east, north = extent(shapes)
    lines = _rings(shapes)
    step = max(east - west, north - south) / STEPS
    steps = np.rint((lines["points"] - [west, south]) / step).astype(np.int64)
    alike = np.rint(steps / SAME).astype(np.int64) @ np.array([2**32, 1])
    _, first, at = np.unique(alike, return_index=True, return_inverse=True)
    order = np.argsort(first)
    number = np.empty(len(first), dtype=np.int64)
    number[order] = np.arange(len(first))
    return {
        **lines,
        "points": array(steps[first[order]], np.int32, stride=2),
        "at": array(number[at], np.int32),
        "corner": [west, south],
        "step": step,
    }


def _rings(shapes: NDArray[Any]) -> Facts:
    """Return the vertices of all outlines, with each ring's cell and its number of vertices."""
    import shapely

    parts, cell = shapely.get_parts(shapes, return_index=True)
    polygonal = shapely.get_type_id(parts) == 3
    lines, part = shapely.get_rings(shapely.orient_polygons(parts[polygonal]), return_index=True)
    return {
        "points": shapely.get_coordinates(lines),
        "lengths": array(shapely.get_num_coordinates(lines), np.int32),
        "cells": array(cell[polygonal][part], np.int32),
    }


def plane(grid: Grid) -> Facts | None:
    """Return areas in their own projection, to lay zones over them; None if that is longitude
    and latitude.
    """
    import shapely

    if crs_tools.is_lonlat(grid.crs):
        return None
    shapes = grid.polygons()
    west, _, _, north = shapely.total_bounds(shapes)
    side = float(np.sqrt(shapely.area(shapes).min()))
    frame = Squares((west, north - side, west + side, north), (1, 1))
    lines = _rings(shapely.transform(shapes, lambda xy: (xy - [west, north]) / [side, -side]))
    box = extent(outlines(grid))
    rings_there = {
        **lines,
        "points": array(lines["points"], np.float64),
        "at": None,
        "corner": [0, 0],
        "step": 1,
    }
    return {**mesh(frame, grid.crs, box), "rings": rings_there}


def lattice(cells: Squares, crs: str, box: Box) -> Facts:
    """Return rows and columns, and the way there from longitude and latitude."""
    west, _, _, north = cells.bounds
    return {
        "rows": cells.shape[0],
        "columns": cells.shape[1],
        "frame": None if crs_tools.is_lonlat(crs) else [west, north, *cells.cell],
        **mesh(cells, crs, box),
    }


def mesh(cells: Squares, crs: str, box: Box) -> Facts:
    """Return exact (column, row) at a mesh of places to interpolate between, over the box and a
    little more.

    They lie closer until cubics between them miss by less than `FINEST_ERROR` of a cell's side, or
    miss no less than before, and straight lines, by which pixels are placed, by less than
    `PIXEL_ERROR`.
    """
    west, south, east, north = box
    across = (east - west) / 32
    down = (north - south) / 32
    wider = (west - across, south - down, east + across, north + down)
    straight = crs_tools.is_lonlat(crs)
    around = box if straight or not np.isfinite(_mesh(cells, crs, wider, 17)[0]).all() else wider
    missed = np.inf
    for nodes in (2,) if straight else (17, 33, 65, 129, 257):
        exact, linear, cubic = _mesh(cells, crs, around, nodes)
        is_fine = linear < PIXEL_ERROR
        # where a national grid's shift ends at its rim, closer places miss by as much
        if is_fine and (cubic < FINEST_ERROR or cubic > missed / 2):
            break
        missed = cubic
    if not np.isfinite(exact).all():
        raise BadInput(
            "interactive map: the grid reaches beyond what its CRS can place on the globe"
        )
    return {
        "box": list(around),
        "nodes": nodes,
        "mesh": array(exact, np.float64),
        "tolerance": EDGE if straight else max(EDGE, 2 * cubic),
    }


def _mesh(cells: Squares, crs: str, box: Box, nodes: int) -> tuple[Values, float, float]:
    """Return columns and rows at so many nodes a side, and how far lines and cubics between
    them miss the middles that lie on the grid.

    PROJ may change its operation at a line, as for the British National Grid without its shift
    file: there everything misses by as much as the two differ. That is the cells' affair along this
    line, and says nothing of how small a zone can be told from the rounding of a mesh: so of cubics
    it is told by how much most miss.
    """
    west, south, east, north = box
    lon = np.linspace(west, east, nodes)
    lat = np.linspace(north, south, nodes)
    exact = _column_row(cells, crs, *np.meshgrid(lon, lat))
    true = _column_row(cells, crs, *np.meshgrid((lon[:-1] + lon[1:]) / 2, (lat[:-1] + lat[1:]) / 2))
    rows, columns = cells.shape
    on_grid = np.all(np.abs(true / (columns, rows) - 0.5) <= 0.5, axis=-1)
    between = (exact[:-1, :-1] + exact[1:, :-1] + exact[:-1, 1:] + exact[1:, 1:]) / 4
    linear = float(np.abs(between - true)[on_grid].max(initial=0.0))
    if nodes < 4:
        return exact, linear, 0.0
    weights = np.array([-1, 9, 9, -1]) / 16
    windows = np.lib.stride_tricks.sliding_window_view(exact, (4, 4), axis=(0, 1))
    missed = np.abs(windows @ weights @ weights - true[1:-1, 1:-1])[on_grid[1:-1, 1:-1]]
    cubic = float(np.quantile(missed, MOST_MIDDLES)) if missed.size else 0.0
    return exact, linear, cubic


def _column_row(cells: Squares, crs: str, lon: Values, lat: Values) -> Values:
    """Return fractional column and row of places, both counted from the north-west corner."""
    x, y = crs_tools.transform(lon.ravel(), lat.ravel(), crs_tools.LONLAT, crs)
    west, _, _, north = cells.bounds
    width, height = cells.cell
    return np.stack([(x - west) / width, (north - y) / height], axis=-1).reshape(*lon.shape, 2)


def image(outlines: Any, box: Box) -> Facts:
    """Return cell numbers (from 1; 0 outside) on a Web Mercator raster of some six pixels a
    cell, nearest cell each.
    """
    require_library("rasterio")
    import rasterio.features
    import shapely

    west, south, east, north = (
        float(side) for side in mercator(np.array([box[:2], box[2:]])).ravel()
    )
    pixels = min(4_000_000, 6 * len(outlines))
    width = int(np.clip(np.sqrt(pixels * (east - west) / (north - south)), 64, 4096))
    height = int(np.clip(pixels / width, 64, 4096))
    shapes = shapely.transform(outlines, mercator)
    where = rasterio.Affine((east - west) / width, 0, west, 0, (south - north) / height, north)
    numbers = rasterio.features.rasterize(
        zip(shapes[::-1], range(len(shapes), 0, -1), strict=True),
        (height, width),
        transform=where,
        dtype="int32",
    )
    packed = zlib.compress(np.diff(numbers, axis=1, prepend=0).astype("<i4").tobytes(), 6)
    return {
        "width": width,
        "height": height,
        "box": [west, south, east, north],
        "numbers": {"type": "deflated", "data": base64.b64encode(packed).decode()},
    }


def mercator(lonlat: Values) -> Values:
    """Return Web Mercator on the unit square's scale: x and y from -0.5 to 0.5, y to the north."""
    sine = np.sin(np.radians(np.clip(lonlat[:, 1], -85.0511, 85.0511)))
    return np.column_stack([lonlat[:, 0] / 360, np.arctanh(sine) / (2 * np.pi)])


def context(grid: Grid, given: Context) -> Facts:
    """Return land and water around the cells, towns by rank and layers of the reader's own;
    nothing is fetched.
    """
    layers = user_layers.read_layers(given, grid)
    beyond = outline(grid) if isinstance(grid.cells, Squares) else None
    over = beyond is not None and extent(beyond)[2] > 180
    lines: Facts = {
        "box": (
            _wider(extent(beyond))
            if over
            else list(surroundings.lonlat_box(grid, margin=surroundings.AROUND))
        ),
        "side": towns.cell_side(grid),
    }
    if given is False:
        return lines
    places = _decimals(lines["box"])
    for name, shapes in surroundings.context(grid, margin=surroundings.AROUND).items():
        lines[name] = _lines(
            _beyond(shapes) if over else shapes, places, rings=name in ("land", "lakes")
        )
    near = towns.around(grid)
    east_of = np.where(near.lon < 0, near.lon + 360, near.lon) if over else near.lon
    listed = zip(near.names, east_of.round(3).tolist(), near.lat.round(3).tolist(), strict=True)
    lines |= {"towns": [list(town) for town in listed], "coarse": surroundings.coarse(grid)}
    if not over:
        lines["regions"] = [
            [name, round(lon, 2), round(lat, 2)]
            for name, lon, lat in places_within(surroundings.lonlat_box(grid))
        ]
    return lines | ({"own": [_layer(layer, places) for layer in layers]} if layers else {})


def _wider(box: Box) -> list[float]:
    """Return a box in degrees with as much around it as a page can be moved, once round the
    globe at most.
    """
    west, south, east, north = box
    by = surroundings.AROUND * max(east - west, north - south)
    aside = min(by, (360 - (east - west)) / 2)
    return [west - aside, max(south - by, -90.0), east + aside, min(north + by, 90.0)]


def _beyond(shapes: Any) -> Any:
    """Return shapes in degrees with those west of Greenwich turned round the globe, to lie
    beyond the antimeridian.
    """
    import shapely

    return [
        shapely.transform(shape, lambda xy: np.add(xy, [360, 0])) if shape.bounds[2] < 0 else shape
        for shape in shapes
    ]


def _decimals(box: Box) -> int:
    """Return the decimals of degrees that a page of this reach can show, to some tenth of how far
    lines are simplified.

    >>> _decimals((-180, -90, 180, 90)), _decimals((-2, 40, -1, 41))
    (2, 5)
    """
    return int(np.clip(np.ceil(-np.log10(max(box[2] - box[0], box[3] - box[1]) / 30_000)), 2, 5))


def _lines(shapes: Any, places: int, *, rings: bool) -> list[Any]:
    """Return each line, or each ring of areas, as [longitude, latitude] of its vertices."""
    import shapely

    parts = shapely.get_parts(np.array(shapes, dtype=object))
    parts = shapely.get_parts(shapely.boundary(parts)) if rings else parts
    return [np.round(shapely.get_coordinates(part), places).tolist() for part in parts]


def _layer(layer: user_layers.Own, places: int) -> Facts:
    """Return an own layer's areas, lines and points, and where its names stand."""
    points = _lines(layer.parts(0), places, rings=False)
    return {
        "title": layer.title,
        "areas": _lines(layer.parts(2), places, rings=True),
        "lines": _lines(layer.parts(1), places, rings=False),
        "points": [point for line in points for point in line],
        "names": [
            [name, *(round(at, places) for at in place)]
            for name, place, _ in user_layers.layer_labels([layer])
            if name
        ],
    }
