"""Names places after the towns near them, from a list inside the package; nothing is ever fetched.

Natural Earth's populated places of 1:10 million, public domain, the most important first. `assets/README.md` says where
the list comes from. `scripts/places/names.js` says the same names on the page.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.render import context as background

Values = NDArray[np.float64]
FARTHEST = 200.0
"""Kilometres: a place is not named after a town farther away."""
MOST = 1000
"""So many towns around a map are told of, the most important ones."""
EARTH = 6371.0088
POINTS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")


@dataclass(frozen=True, slots=True, eq=False)
class Towns:
    """Holds names with longitudes and latitudes, the most important first."""

    names: tuple[str, ...]
    lon: Values
    lat: Values

    def at(self, places: NDArray[np.int64]) -> "Towns":
        """Returns the towns at these places of the list."""
        return Towns(tuple(self.names[i] for i in places), self.lon[places], self.lat[places])

    def first(self, most: int) -> "Towns":
        """Returns so many of the most important ones."""
        return self.at(np.arange(min(most, len(self.names))))

    def within(self, box: background.Box) -> "Towns":
        """Returns the towns in a box of degrees: west, south, east, north."""
        west, south, east, north = box
        inside = (self.lon >= west) & (self.lon <= east) & (self.lat >= south) & (self.lat <= north)
        return self.at(np.flatnonzero(inside))


@lru_cache(maxsize=1)
def all_towns() -> Towns:
    """Reads the whole list.

    >>> len(all_towns().names), all_towns().names[:3]
    (7342, ('Hong Kong', 'Singapore', 'Sydney'))
    """
    asset = resources.files("dpmap.render") / "assets" / "towns.npz"
    with asset.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
        lon, lat = arrays["places"] * float(arrays["step"])
        return Towns(tuple(arrays["names"].tobytes().decode().split("\n")), lon, lat)


def in_frame(grid: Grid) -> Towns:
    """Returns the towns in the frame of a grid's picture."""
    west, south, east, north = background.frame(grid)
    near = all_towns().within(background.lonlat_box(grid))
    x, y = crs_tools.transform(near.lon, near.lat, crs_tools.LONLAT, grid.crs)
    return near.at(np.flatnonzero((x >= west) & (x <= east) & (y >= south) & (y <= north)))


def around(grid: Grid) -> Towns:
    """Returns the towns in the reach of a grid's page and as far around as they can name its places."""
    west, south, east, north = background.lonlat_box(grid, margin=background.AROUND)
    up = np.degrees(FARTHEST / EARTH)
    across = up / max(0.05, float(np.cos(np.radians(min(89.0, max(abs(south), abs(north)))))))
    return all_towns().within((west - across, south - up, east + across, north + up)).first(MOST)


def cell_side(grid: Grid) -> float:
    """Returns the side of a cell in kilometres: what names and coordinates are rounded to."""
    return float(np.sqrt(np.median(grid.square_km[grid.inside])))


def place_name(towns: Towns, lon: float, lat: float, side: float) -> str:
    """Names a place after the nearest town, or by coordinates rounded to a cell's `side` (kilometres) where none is near.

    >>> one = Towns(("Teruel",), np.array([-1.1]), np.array([40.34]))
    >>> place_name(one, -1.0, 40.42, side=1), place_name(one, -1.1, 40.341, side=1), place_name(one, 20, 70, side=10)
    ('12 km NE of Teruel', 'at Teruel', '70° N, 20° E')
    """
    if len(towns.names):
        km = _distances(towns, lon, lat)
        nearest = int(np.argmin(km))
        if km[nearest] <= max(0.5, side / 2):
            return f"at {towns.names[nearest]}"
        if km[nearest] <= FARTHEST:
            point = POINTS[_bearing(towns.lon[nearest], towns.lat[nearest], lon, lat)]
            return f"{_rounded(float(km[nearest]), side)} km {point} of {towns.names[nearest]}"
    places = int(np.clip(np.ceil(np.log10(111 / side) - 0.05), 0, 4))
    return f"{_coordinate(lat, places, 'NS')}, {_coordinate(lon, places, 'EW')}"


def place_names(grid: Grid, places: Sequence[Any]) -> list[str]:
    """Names shapes of a grid's CRS by their middles."""
    import shapely

    middles = shapely.centroid(np.asarray(places, dtype=object))
    lon, lat = crs_tools.transform(shapely.get_x(middles), shapely.get_y(middles), grid.crs, crs_tools.LONLAT)
    towns, side = around(grid), cell_side(grid)
    return [place_name(towns, float(x), float(y), side) for x, y in zip(lon, lat, strict=True)]


def _distances(towns: Towns, lon: float, lat: float) -> Values:
    """Returns the kilometres from a place to each town, on a sphere."""
    up, across = np.radians(towns.lat - lat), np.radians(towns.lon - lon)
    half = np.sin(up / 2) ** 2 + np.cos(np.radians(lat)) * np.cos(np.radians(towns.lat)) * np.sin(across / 2) ** 2
    return np.asarray(2 * EARTH * np.arcsin(np.sqrt(np.minimum(half, 1))))


def _bearing(lon: float, lat: float, to_lon: float, to_lat: float) -> int:
    """Returns the nearest of eight points of the compass, from 0 for north, in which a place lies."""
    across, here, there = np.radians(to_lon - lon), np.radians(lat), np.radians(to_lat)
    east = np.sin(across) * np.cos(there)
    north = np.cos(here) * np.sin(there) - np.sin(here) * np.cos(there) * np.cos(across)
    return int(np.floor(np.degrees(np.arctan2(east, north)) / 45 + 0.5)) % 8


def _rounded(km: float, side: float) -> str:
    """Writes a distance in whole kilometres; in tenths where cells are smaller than one.

    >>> _rounded(11.96, 1), _rounded(3.44, 0.1)
    ('12', '3.4')
    """
    return f"{np.floor(km * 10 + 0.5) / 10:g}" if side < 1 else f"{np.floor(km + 0.5):g}"


def _coordinate(degrees: float, places: int, letters: str) -> str:
    """Writes degrees with a letter, such as 1.5° W."""
    size = f"{abs(degrees):.{places}f}"
    letter = "" if float(size) == 0 else f" {letters[0] if degrees > 0 else letters[1]}"
    return f"{float(size):g}\N{DEGREE SIGN}{letter}"
