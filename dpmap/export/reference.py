"""Names the reference system that layers carry; dpmap's own equal-area ones get a name that people can read in their GIS."""

from typing import TYPE_CHECKING

from dpmap.grid import crs as crs_tools

if TYPE_CHECKING:
    import pyproj


def reference(text: str) -> "pyproj.CRS":
    """Returns the CRS of this text, with its name.

    >>> reference("+proj=laea +lat_0=57.1 +lon_0=-4.2 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs +type=crs").name
    'WGS 84 / equal-area, centred on 57.1, -4.2'
    """
    import pyproj

    found = crs_tools.parse(text)
    if found.name != "unknown":
        return found
    plain = found.to_json_dict()
    plain["name"] = f"WGS 84 / {crs_tools.name(text)}"
    plain["base_crs"]["name"] = "WGS 84"
    return pyproj.CRS.from_json_dict(plain)
