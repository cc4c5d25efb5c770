"""Reads outlines that are packed as steps on a lattice, whose vertices neighbours share."""

from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

TEXTS = ("names", "short", "others", "codes", "countries", "geonunit", "region", "region_sub")


def read_texts(file_name: str) -> dict[str, tuple[str, ...]]:
    """Returns the texts of an asset, a line for each outline, by their names."""
    asset = resources.files("dpmap.geography") / "assets" / file_name
    with asset.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
        return {
            name: tuple(file[name].tobytes().decode().split("\n"))
            for name in TEXTS
            if name in file.files
        }


def read_outlines(file_name: str) -> NDArray[Any]:
    """Returns the outlines of an asset in degrees."""
    import shapely

    asset = resources.files("dpmap.geography") / "assets" / file_name
    levels = ("lengths", "rings", "parts")
    with asset.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
        arrays = {name: file[name] for name in (*levels, "starts", "steps", "scale", "translate")}
    lengths = arrays["lengths"]
    first = np.cumsum(lengths) - lengths
    positions = np.cumsum(arrays["steps"].T.astype(np.int64), axis=0)
    steps = positions + np.repeat(arrays["starts"] - positions[first], lengths, axis=0)
    ends = tuple(np.append(0, np.cumsum(arrays[level], dtype=np.int64)) for level in levels)
    lonlat = np.clip(steps * arrays["scale"] + arrays["translate"], (-180, -90), (180, 90))
    shapes: NDArray[Any] = shapely.from_ragged_array(
        shapely.GeometryType.MULTIPOLYGON, lonlat, ends
    )
    return shapes
