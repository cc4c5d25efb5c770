"""Makes the table of derived numbers that a release's file carries for readers without dpmap."""

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.record.carried_table import append_table
from dpmap.releases.summary import summarise
from dpmap.version import __version__

LEVEL = 0.9
MOST_CELLS = 10_000
"""Larger maps carry their places alone: three numbers of a cell take 24 bytes, and hardly pack."""
MOST_PLACED = 250_000
"""Of still larger maps not even places are found when their layers are written."""
CARRIED = ("estimate", "mean", "low", "high", "count", "count_low", "count_high", "answered")


def carry_table(release: Any, path: "str | os.PathLike[str]") -> None:
    """Add to a saved release what dpmap derives from it: estimates, intervals and places at 90 %,
    and the statement.
    """
    document, arrays = derived_table(release)
    append_table(path, document, arrays)


def derived_table(release: Any) -> "tuple[dict[str, Any], dict[str, NDArray[Any]]]":
    """Return the table's document and its arrays by their names."""
    arrays: dict[str, NDArray[Any]] = {}
    document = {
        "table_version": 1,
        "made_with": __version__,
        "level": LEVEL,
        "statement": summarise(release.record)["statement"],
        "layers": [
            _layer(layer, names, number, arrays)
            for number, (names, layer) in enumerate((release.layers or {(): release}).items())
        ],
        **_corners(release.grid, arrays),
    }
    return document, arrays


def _layer(
    layer: Any, names: tuple[str, ...], number: int, arrays: dict[str, NDArray[Any]]
) -> dict[str, Any]:
    """Return the columns of one map, and add their numbers to `arrays`."""
    map_ = layer._map  # noqa: SLF001
    cells: dict[str, NDArray[Any]] = {}
    places: dict[str, NDArray[Any]] = {}
    count = 0
    grid = map_.single("table").grid
    if map_.complete and grid.cells_inside <= MOST_CELLS:
        inside = grid.inside
        low, high = map_.reading.interval(LEVEL)
        columns = {
            **(map_.columns(map_.reading, LEVEL) if map_.mean is not None else {}),
            **({} if map_.mean is not None else {"estimate": map_.reading.values}),
            "low": low,
            "high": high,
        }
        cells = {name: columns[name][inside] for name in CARRIED if name in columns}
    if map_.complete and map_.parted and grid.cells_inside <= MOST_PLACED:
        patches = map_.patches(LEVEL)
        count = len(patches)
        place = patches.place[grid.inside]
        members = np.bincount(place[place >= 0], minlength=count)
        places = {
            "cells": members,
            "area_km2": patches.square_km,
            **patches.columns(),
            "told": patches.told,
        }
        arrays[f"table_place_{number}"] = (place + 1).astype("<i4")
    for what, columns in (("cells", cells), ("places", places)):
        if columns:
            joined = [np.asarray(values, dtype="<f8").ravel() for values in columns.values()]
            arrays[f"table_{what}_{number}"] = np.concatenate(joined)
    return {"names": list(names), "cells": list(cells), "places": list(places), "count": count}


def _corners(grid: Any, arrays: dict[str, NDArray[Any]]) -> dict[str, Any]:
    """Return, of few hexagons, that their corners are carried, in 1e-7 degrees."""
    if grid.kind != "hexagons" or grid.ground.size > MOST_CELLS:
        return {}
    import shapely

    rings = [shapely.get_coordinates(shape)[:-1] for shape in grid.ground.polygons()]
    if len(rings) != grid.ground.size:
        return {}
    arrays["table_corner_counts"] = np.array([len(ring) for ring in rings], dtype=np.uint8)
    arrays["table_corners"] = np.rint(np.concatenate(rings) * 1e7).astype("<i4").ravel()
    return {"corners": True}
