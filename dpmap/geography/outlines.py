"""Reads the files of outlines inside the package; nothing is ever fetched.

Natural Earth, public domain, generalised. `assets/README.md` says where each file comes from.
"""

from functools import lru_cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

LAYERS = ("land", "lakes", "borders", "rivers")
"""What `natural_earth.npz` holds."""


def read_arrays(file_name: str, *begin: str) -> dict[str, NDArray[Any]]:
    """Reads the arrays of a file: all, or those whose names begin so."""
    asset = resources.files("dpmap.geography") / "assets" / file_name
    with asset.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
        return {name: file[name] for name in file.files if not begin or name.startswith(begin)}


def read_outlines(
    file_name: str, columns: tuple[str, ...]
) -> tuple[NDArray[Any], dict[str, tuple[str, ...]]]:
    """Reads a file of outlines, rings walked step by step on a lattice that neighbours share, and
    its texts, a line each.
    """
    import shapely

    arrays = read_arrays(file_name)
    lengths = arrays["lengths"]
    first = np.cumsum(lengths) - lengths
    positions = np.cumsum(arrays["steps"].T.astype(np.int64), axis=0)
    steps = positions + np.repeat(arrays["starts"] - positions[first], lengths, axis=0)
    ends = tuple(
        np.append(0, np.cumsum(arrays[level], dtype=np.int64))
        for level in ("lengths", "rings", "parts")
    )
    lonlat = np.clip(steps * arrays["scale"] + arrays["translate"], (-180, -90), (180, 90))
    shapes = shapely.from_ragged_array(shapely.GeometryType.MULTIPOLYGON, lonlat, ends)
    texts = {name: tuple(arrays[name].tobytes().decode().split("\n")) for name in columns}
    return shapes, texts


@lru_cache(maxsize=len(LAYERS))
def read_layer(name: str) -> tuple[NDArray[Any], NDArray[np.float64]]:
    """Read a layer's polygons or lines, and their bounds."""
    import shapely

    arrays = read_arrays("natural_earth.npz", f"{name}_", "step")
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
