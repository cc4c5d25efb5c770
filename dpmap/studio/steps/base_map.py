"""Hands out what lies in a part of the world, for the map to draw on: towns, rivers, borders of
regions.
"""

import math
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

SIDES = ("west", "south", "east", "north")
MOST_TOWNS = 40
WIDEST = 30.0
"""Degrees: wider parts of the world show countries only."""
FINENESS = 1500
"""Lines are as fine as this part of the view."""


def show(request: Request) -> Response:
    """Hands out the towns, rivers and borders in a box of degrees."""
    try:
        west, south, east, north = (float(request.query_params[side]) for side in SIDES)
    except (KeyError, ValueError):
        raise HTTPException(404) from None
    sane = all(map(math.isfinite, (west, south, east, north))) and west < east and south < north
    if not sane or max(east - west, north - south) > WIDEST:
        return JSONResponse({"towns": [], "rivers": [], "borders": []})
    return JSONResponse(_around((west, south, east, north)))


def _around(box: tuple[float, float, float, float]) -> dict[str, list[Any]]:
    """Returns the most important towns, and lines as longitudes and latitudes by turns."""
    import shapely

    from dpmap.geography.natural_earth import read_near
    from dpmap.geography.regions import borders_near
    from dpmap.geography.towns import all_towns

    towns = all_towns().within(box).first(MOST_TOWNS)
    size = max(box[2] - box[0], box[3] - box[1]) / FINENESS
    lines = {
        "rivers": read_near("rivers", box),
        "borders": shapely.line_merge(shapely.union_all(borders_near(box))),
    }
    return {
        "towns": list(zip(towns.names, towns.lon.tolist(), towns.lat.tolist(), strict=True)),
        **{
            name: [
                shapely.get_coordinates(line).round(4).ravel().tolist()
                for line in shapely.get_parts(shapely.simplify(shapes, size))
                if not line.is_empty
            ]
            for name, shapes in lines.items()
        },
    }


routes = [Route("/around", show)]
