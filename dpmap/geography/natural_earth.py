"""Reads land, borders, rivers and lakes from a file inside the package; nothing is ever fetched.

Natural Earth, public domain, generalised. `assets/README.md` says where it comes from.
"""

from functools import lru_cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

Box = tuple[float, float, float, float]
LAYERS = ("land", "lakes", "borders", "rivers")


def read_near(name: str, box: Box) -> NDArray[Any]:
    """Return what of a layer lies in a box, cut to it."""
    shapes, bounds = _layer(name)
    near = (
        (bounds[:, 0] <= box[2])
        & (bounds[:, 2] >= box[0])
        & (bounds[:, 1] <= box[3])
        & (bounds[:, 3] >= box[1])
    )
    return clip_shapes(shapes[near], box)


def clip_shapes(shapes: NDArray[Any], box: Box) -> NDArray[Any]:
    """Cut shapes to a box; what the fast way cannot cut (a corner that only touches the box) is
    cut the slow way.
    """
    import shapely

    try:
        cut: NDArray[Any] = shapely.clip_by_rect(shapes, *box)
    except shapely.errors.GEOSException:
        cut = shapely.intersection(shapes, shapely.box(*box))
    return cut


@lru_cache(maxsize=len(LAYERS))
def _layer(name: str) -> tuple[NDArray[Any], NDArray[np.float64]]:
    """Read a layer's polygons or lines, and their bounds."""
    import shapely

    asset = resources.files("dpmap.geography") / "assets" / "natural_earth.npz"
    with asset.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
        starts = arrays[f"{name}_starts"]
        steps = arrays[f"{name}_steps"].T.astype(np.int64)
        lengths = arrays[f"{name}_lengths"]
        rings = arrays[f"{name}_rings"]
        step = float(arrays["step"])
    first = np.cumsum(lengths) - lengths
    walked = np.cumsum(steps, axis=0)
    xy = (walked + np.repeat(starts - walked[first], lengths, axis=0)) * step
    ends = np.append(0, np.cumsum(lengths))
    if name in ("land", "lakes"):
        offsets = (ends, np.append(0, np.cumsum(rings.astype(np.int64))))
        shapes = shapely.from_ragged_array(shapely.GeometryType.POLYGON, xy, offsets)
    else:
        shapes = shapely.from_ragged_array(shapely.GeometryType.LINESTRING, xy, (ends,))
    return shapes, shapely.bounds(shapes)
