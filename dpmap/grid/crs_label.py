"""Names the reference system that layers carry; dpmap's own equal-area ones get a name that
people can read in their GIS.
"""

from functools import lru_cache

import pyproj

from dpmap.grid import crs as crs_tools


class Unlisted(pyproj.CRS):
    """Is a reference system of dpmap's own, which no register lists: to search one for it takes
    a fifth of a second a layer.
    """

    # pyproj's own signature
    def to_epsg(self, min_confidence: int = 70) -> int | None:  # noqa: ARG002
        """Return no code."""
        return None


@lru_cache(maxsize=64)
def reference(text: str) -> pyproj.CRS:
    """Return the CRS of this text, with its name.

    >>> reference(
    ...     "+proj=laea +lat_0=57.1 +lon_0=-4.2 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs"
    ...     " +type=crs"
    ... ).name
    'WGS 84 / equal-area, centred on 57.1, -4.2'
    """
    crs = crs_tools.parse(text)
    if crs.name != "unknown":
        return crs
    plain = crs.to_json_dict()
    plain["name"] = f"WGS 84 / {crs_tools.name(text)}"
    plain["base_crs"]["name"] = "WGS 84"
    return Unlisted.from_json_dict(plain)
