"""Lists towns with their places, from a file inside the package; nothing is ever fetched.

Natural Earth's populated places of 1:10 million, public domain, the most important first.
`assets/README.md` says where the list comes from.
"""

from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from dpmap.geography.natural_earth import Box

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Towns:
    """Holds names with longitudes and latitudes, the most important first."""

    names: tuple[str, ...]
    lon: Values
    lat: Values

    def at(self, places: NDArray[np.int64]) -> "Towns":
        """Return the towns at these places of the list."""
        return Towns(tuple(self.names[i] for i in places), self.lon[places], self.lat[places])

    def first(self, most: int) -> "Towns":
        """Return so many of the most important ones."""
        return self.at(np.arange(min(most, len(self.names))))

    def within(self, box: Box) -> "Towns":
        """Return the towns in a box of degrees: west, south, east, north."""
        west, south, east, north = box
        inside = (self.lon >= west) & (self.lon <= east) & (self.lat >= south) & (self.lat <= north)
        return self.at(np.flatnonzero(inside))


@lru_cache(maxsize=1)
def all_towns() -> Towns:
    """Read the whole list.

    >>> len(all_towns().names), all_towns().names[:3]
    (7342, ('Hong Kong', 'Singapore', 'Sydney'))
    """
    asset = resources.files("dpmap.geography") / "assets" / "towns.npz"
    with asset.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
        lon, lat = arrays["places"] * float(arrays["step"])
        return Towns(tuple(arrays["names"].tobytes().decode().split("\n")), lon, lat)
