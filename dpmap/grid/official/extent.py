"""Where each publisher's grid ends. Beyond it squares can still be laid, but they are not the
publisher's, and their shape or size is wrong.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid import crs as crs_tools
from dpmap.grid.cell_sizes import parse_cell
from dpmap.grid.official.base import Official
from dpmap.grid.study_area import Box, read_shapes


@dataclass(frozen=True, slots=True)
class PublisherExtent:
    """The extent of a publisher's grid: in words, and as boxes in degrees, wide enough for the sea
    around.
    """

    words: str
    boxes: tuple[Box, ...]

    def holds(self, bounds: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Returns which of these bounds (west, south, east, north, a row each) lie in one of the
        boxes.
        """
        west, south, east, north = bounds.T
        in_boxes = [
            (west >= w) & (south >= s) & (east <= e) & (north <= n) for w, s, e, n in self.boxes
        ]
        return np.asarray(np.any(in_boxes, axis=0))


_EUROPE = (-36.0, 24.0, 52.0, 85.0)
"""The land of EPSG:3035, and to the east the Caucasus, where the Emerald network reports in the
same squares.
"""
_OUTERMOST = ((-63.5, 1.5, -50.5, 18.5), (44.0, -22.0, 56.5, -12.0))
"""The Union's outermost regions in the Caribbean, in South America and in the Indian Ocean:
Eurostat's squares have codes there too.
"""
REACHES = {
    "os": PublisherExtent("Great Britain", ((-9.5, 49.0, 4.0, 62.0),)),
    "irish": PublisherExtent("Ireland", ((-11.5, 51.0, -5.0, 56.0),)),
    "maille": PublisherExtent("mainland France and Corsica", ((-10.0, 41.0, 10.7, 51.7),)),
    "eea": PublisherExtent("Europe", (_EUROPE,)),
    "eurostat": PublisherExtent("Europe and the Union's outermost regions", (_EUROPE, *_OUTERMOST)),
    "mgrs": PublisherExtent(
        "the land between 80 degrees south and 84 degrees north", ((-180.0, -80.0, 180.0, 84.0),)
    ),
}
"""By how the names of a publisher's grids begin, the narrowest first: that is the order in which
they are offered. Others reach everywhere.
"""


def check(
    grid: Official, area: Any, layer: str | None, only: str | None, offered: tuple[Official, ...]
) -> None:
    """Refuses an area outside the reach of an official grid, and names one of those `offered` that
    reaches so far.

    The squares would be distorted, or without codes, and the map paid for. MGRS, which knows more
    of its own ends, checks them itself.

    >>> from dpmap.grid.official import NAMES
    >>> check(NAMES["os-hectad"], (-2, 40, -1, 41), None, None, tuple(NAMES.values()))
    Traceback (most recent call last):
    ...
    dpmap.errors.BadInput: grid=os-hectad: the area lies outside Great Britain, which that grid is
    for; take grid=eea-10km, mgrs-10km or qdgc
    """
    reach = REACHES.get(_prefix(grid))
    if reach is None or _prefix(grid) == "mgrs":
        return
    bounds = _bounds(area, layer, only)
    if not np.isfinite(bounds).all() or (is_inside := reach.holds(bounds)).all():
        return
    where = "part of the area lies" if is_inside.any() else "the area lies"
    fitting = [name for name, other in REACHES.items() if other.holds(bounds).all()]
    names = [
        _nearest(grid, [other for other in offered if _prefix(other) == name])
        for name in fitting
        if name != "eurostat"
    ]
    take = f"take --grid {', '.join(names[:2])}{' or ' * bool(names)}qdgc"
    parts = (
        "; cut it off (it needs an outline without that part), or "
        if is_inside.any()
        else ", which that grid is for; "
    )
    raise BadInput(f"--grid {grid.name}: {where} outside {reach.words}{parts}{take}")


def _prefix(grid: Official) -> str:
    return grid.name.split("-")[0]


def _bounds(area: Any, layer: str | None, only: str | None) -> NDArray[np.float64]:
    """Returns the sides in degrees of each piece of ground of an area."""
    import shapely

    shapes, source, _ = read_shapes(area, layer=layer, name=only)
    boxes = shapely.box(*shapely.bounds(shapely.get_parts(shapes)).T)
    step = np.ptp(shapely.total_bounds(boxes).reshape(2, 2), axis=0).max() / 20
    return np.asarray(
        shapely.bounds(crs_tools.transform_shapes(boxes, source, crs_tools.LONLAT, step=step))
    )


def _nearest(grid: Official, others: list[Official]) -> str:
    """Returns the name of the grid whose cells are nearest in size; all of these are squares in
    metres.
    """
    side = parse_cell(grid.cell)[0]
    return min(others, key=lambda other: abs(math.log(side / parse_cell(other.cell)[0]))).name
