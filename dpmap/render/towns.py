"""Names places after the towns near them; `scripts/places/names.js` and `land.js` say the same
names on the page.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.geography.natural_earth import Box
from dpmap.geography.towns import Towns, all_towns
from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.render import natural_earth as background

Values = NDArray[np.float64]
FARTHEST = 200.0
"""Kilometres: a place is not named after a town farther away."""
MOST = 1000
"""So many towns around a map are told of, the most important ones."""
SOME_CELLS = 5
"""Land is near a town that lies no farther from it than half its own width, nor than so many
cells.
"""
WIDE = 20
"""Land that is wider than so many cells is not near a town."""
CELL_REACH = 0.7
"""A town that lies so many sides from the middle of a cell lies in it, or at its corner."""
ACROSS = 0.66
"""From this share of the map's width on, land lies across it."""
TWO_CELLS = 2.0
"""The diagonal of the smallest land of two cells is longer than so many sides, that of any cell
shorter.
"""
EARTH = 6371.0088
POINTS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")


def in_frame(grid: Grid) -> Towns:
    """Return the towns in the frame of a grid's picture."""
    west, south, east, north = background.frame(grid)
    near = all_towns().within(background.lonlat_box(grid))
    x, y = crs_tools.transform(near.lon, near.lat, crs_tools.LONLAT, grid.crs)
    return near.at(np.flatnonzero((x >= west) & (x <= east) & (y >= south) & (y <= north)))


def around(grid: Grid) -> Towns:
    """Return the towns in the reach of a grid's page and as far around as they can name its
    places.
    """
    west, south, east, north = background.lonlat_box(grid, margin=background.AROUND)
    up = np.degrees(FARTHEST / EARTH)
    across = up / max(0.05, float(np.cos(np.radians(min(89.0, max(abs(south), abs(north)))))))
    return all_towns().within((west - across, south - up, east + across, north + up)).first(MOST)


def cell_side(grid: Grid) -> float:
    """Return the side of a cell in kilometres: what names and coordinates are rounded to."""
    return float(np.sqrt(np.median(grid.square_km[grid.inside])))


def place_name(towns: Towns, lon: float, lat: float, side: float) -> str:
    """Name a place after the most important town in a cell of this `side` (kilometres) around it,
    else after the nearest, or by coordinates where none is near.

    >>> one = Towns(("Teruel",), np.array([-1.1]), np.array([40.34]))
    >>> place_name(one, -1.0, 40.42, side=1), place_name(one, -1.1, 40.341, side=1), place_name(
    ...     one, 20, 70, side=10
    ... )
    ('12 km NE of Teruel', 'at Teruel', '70° N, 20° E')
    """
    if len(towns.names):
        km = _distances(towns, lon, lat)
        within = np.flatnonzero(km <= max(0.5, CELL_REACH * side))
        if len(within):  # the list begins with the most important
            return f"at {towns.names[within[0]]}"
        nearest = int(np.argmin(km))
        if km[nearest] <= FARTHEST:
            point = POINTS[_bearing(towns.lon[nearest], towns.lat[nearest], lon, lat)]
            return f"{_rounded(float(km[nearest]), side)} km {point} of {towns.names[nearest]}"
    places = int(np.clip(np.ceil(np.log10(111 / side) - 0.05), 0, 4))
    return f"{_coordinate(lat, places, 'NS')}, {_coordinate(lon, places, 'EW')}"


def place_names(grid: Grid, places: Sequence[Any]) -> list[str]:
    """Name shapes of a grid's CRS: one of a cell, or a point, by its middle, larger ones as
    land.
    """
    import shapely

    shapes = np.asarray(places, dtype=object)
    middles = shapely.centroid(shapes)
    lon, lat = crs_tools.transform(
        shapely.get_x(middles), shapely.get_y(middles), grid.crs, crs_tools.LONLAT
    )
    towns = around(grid)
    side = cell_side(grid)
    frame = background.lonlat_box(grid)
    names = []
    for shape, x, y in zip(
        crs_tools.transform_shapes(shapes, grid.crs, crs_tools.LONLAT), lon, lat, strict=True
    ):
        one_cell = _diagonal(shapely.bounds(shape)) < TWO_CELLS * side
        names.append(
            place_name(towns, float(x), float(y), side)
            if one_cell
            else land_name(towns, shape, side, frame)
        )
    return names


def land_name(towns: Towns, shape: Any, side: float, frame: Box) -> str:
    """Describe land of several cells, a polygon in degrees: by a town only where one lies in it or
    close by, else by the part of the map.

    Close is no farther away than half the land's own width, nor than `SOME_CELLS` cells of this
    `side` (kilometres). `frame` is the map's west, south, east and north.

    >>> import shapely
    >>> one, frame = Towns(("Teruel",), np.array([-1.1]), np.array([40.34])), (
    ...     -2.5,
    ...     40.0,
    ...     -1.0,
    ...     41.0,
    ... )
    >>> land_name(one, shapely.box(-1.2, 40.2, -1.0, 40.5), 5, frame), land_name(
    ...     one, shapely.box(-1.3, 40.2, -1.2, 40.5), 5, frame
    ... )
    ('around Teruel', 'near Teruel')
    >>> land_name(one, shapely.box(-2.3, 40.8, -2.1, 40.9), 5, frame)
    'in the north-west of the map'
    """
    import shapely

    pieces = shapely.get_parts(shape)
    sizes = shapely.area(pieces) * np.cos(np.radians(shapely.bounds(pieces)[:, 1]))
    largest = _where(towns, pieces[int(np.argmax(sizes))], side, frame)
    return largest if len(pieces) == 1 else f"{len(pieces):,} pieces, the largest {largest}"


def _where(towns: Towns, piece: Any, side: float, frame: Box) -> str:
    """Say where one piece of land lies."""
    import shapely

    west, south, east, north = box = shapely.bounds(piece)
    width = _diagonal(box)
    part = _part_of_map(box, frame)
    if width > ACROSS * _diagonal(frame):
        return "across the map"
    points = shapely.points(towns.lon, towns.lat)
    inside = np.flatnonzero(shapely.intersects(piece, points))
    if len(inside):
        first = towns.at(inside[:1])
        from_middle = float(_distances(first, (west + east) / 2, (south + north) / 2)[0])
        return (
            f"around {first.names[0]}"
            if from_middle <= max(width / 4, side)
            else f"{part}, with {first.names[0]}"
        )
    if len(towns.names) and width <= WIDE * side:
        edge = shapely.get_coordinates(shapely.shortest_line(piece, points)).reshape(-1, 2, 2)[:, 0]
        far = _distances(towns, edge[:, 0], edge[:, 1])
        nearest = int(np.argmin(far))
        if far[nearest] <= min(width / 2, SOME_CELLS * side):
            return f"near {towns.names[nearest]}"
    return part


def _part_of_map(box: Any, frame: Box) -> str:
    """Say in which third of a map's frame, each way, the middle of a box lies.

    >>> _part_of_map((0, 0, 1, 1), (0, 0, 9, 9)), _part_of_map((4, 4, 5, 5), (0, 0, 9, 9))
    ('in the south-west of the map', 'in the middle of the map')
    """
    west, south, east, north = frame
    thirds = (
        [(box[0] + box[2]) / 2 - west, (box[1] + box[3]) / 2 - south]
        / np.array([east - west, north - south])
        * 3
    )
    across, up = np.clip(np.floor(thirds), 0, 2).astype(int)
    words = [word for word in (("south", "", "north")[up], ("west", "", "east")[across]) if word]
    return f"in the {'-'.join(words) or 'middle'} of the map"


def _diagonal(box: Any) -> float:
    """Return the kilometres from one corner of a box of degrees to the other."""
    corner = Towns(("",), np.array([box[0]]), np.array([box[1]]))
    return float(_distances(corner, box[2], box[3])[0])


def _distances(towns: Towns, lon: float | Values, lat: float | Values) -> Values:
    """Return the kilometres to each town, on a sphere: from one place, or from a place for
    each.
    """
    up = np.radians(towns.lat - lat)
    across = np.radians(towns.lon - lon)
    half = (
        np.sin(up / 2) ** 2
        + np.cos(np.radians(lat)) * np.cos(np.radians(towns.lat)) * np.sin(across / 2) ** 2
    )
    return np.asarray(2 * EARTH * np.arcsin(np.sqrt(np.minimum(half, 1))))


def _bearing(lon: float, lat: float, to_lon: float, to_lat: float) -> int:
    """Return the nearest of eight points of the compass, from 0 for north, in which a place
    lies.
    """
    across = np.radians(to_lon - lon)
    from_latitude = np.radians(lat)
    there = np.radians(to_lat)
    east = np.sin(across) * np.cos(there)
    north = np.cos(from_latitude) * np.sin(there) - np.sin(from_latitude) * np.cos(there) * np.cos(
        across
    )
    return int(np.floor(np.degrees(np.arctan2(east, north)) / 45 + 0.5)) % 8


def _rounded(km: float, side: float) -> str:
    """Write a distance in whole kilometres; in tenths where cells are smaller than one.

    >>> _rounded(11.96, 1), _rounded(3.44, 0.1)
    ('12', '3.4')
    """
    return f"{np.floor(km * 10 + 0.5) / 10:g}" if side < 1 else f"{np.floor(km + 0.5):g}"


def _coordinate(degrees: float, places: int, letters: str) -> str:
    """Write degrees with a letter, such as 1.5° W."""
    size = f"{abs(degrees):.{places}f}"
    letter = "" if float(size) == 0 else f" {letters[0] if degrees > 0 else letters[1]}"
    return f"{float(size):g}\N{DEGREE SIGN}{letter}"
