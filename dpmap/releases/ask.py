"""Answers what a release says about a zone, such as a project area: its total, how surely, and
where it cannot say.
"""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpmap import style
from dpmap.errors import BadInput
from dpmap.gis_files.vector import opened_layers
from dpmap.grid import crs as crs_tools
from dpmap.grid.geo_interface import as_frame
from dpmap.grid.study_area import read_shapes
from dpmap.grid.zone_overlap import zone_square_km
from dpmap.inference.clearance import compare_intervals, read_threshold
from dpmap.inference.zones import MeanAnswer
from dpmap.maps.totals import TotalsMap
from dpmap.stores import local_copy

if TYPE_CHECKING:
    import geopandas

FINEST = 1 / 200
"""Edges of zones get a vertex for every so much of the zone's span before they are projected."""
NAMED_OUTSIDE = 3
"""So many of the zones outside the map are named; the others are counted."""


def ask(
    map_: TotalsMap,
    zones: Any,
    *,
    level: float = 0.9,
    layer: str | None = None,
    than: float | None = None,
    leave_outside: bool = False,
) -> "geopandas.GeoDataFrame":
    """Return the zones as given, in their own CRS and with their own columns, each with its answer
    (`ZoneAnswer`, `MeanAnswer`).

    `map_` is one map. `zones` is a file, a GeoDataFrame, a shapely geometry (longitude
    and latitude) or a box (west, south, east, north) in degrees. Each interval holds for its own
    zone, chosen before looking at the map; for zones drawn around what the map shows, see
    `hotspots`. Of a cell that the zone's edge cuts the estimate takes the share that the zone
    covers, and `low` and `high` allow for how unevenly its points may lie; the stricter `least`
    leaves it out and `most` takes all of it. Of a sparse release a zone's estimate is what its
    listed cells add up to, and the bounds allow for all that is not listed. With `than` a column
    `answer` says on which side of that number the interval lies. With `leave_outside` zones that
    lie outside the map are dropped, and their names stand in `attrs["left_out"]`.
    """
    if not 0 < level < 1:
        raise BadInput("level: a probability between 0 and 1, like 0.9")
    if zones is None:
        raise BadInput(
            "zones: give a polygon file, a GeoDataFrame, a shapely geometry or a box in degrees"
        )
    threshold = None if than is None else _threshold(than, map_)
    with local_copy(zones, "zones") as given:
        shapes, source, _ = read_shapes(given, layer=layer, role="zones")
        frame = _frame(given, shapes, source, layer)
    moved = moved_to(shapes, source, map_.record.grid.crs)
    answers = [
        map_.answer(moved_shape, zone_square_km(shape, source), level)
        for shape, moved_shape in zip(shapes, moved, strict=True)
    ]
    columns = map_.answers.__slots__
    renamed = {name: f"{name}_given" for name in columns if name in frame.columns}
    frame = frame.rename(columns=renamed)
    for at, name in enumerate(columns, start=len(frame.columns) - 1):
        frame.insert(at, name, [getattr(answer, name) for answer in answers])
    if threshold is not None:
        frame = with_answer(frame, "low", "high", threshold)
    return drop_outside(frame) if leave_outside else frame


def drop_outside(frame: "geopandas.GeoDataFrame") -> "geopandas.GeoDataFrame":
    """Return the answers without zones that lie outside the map, whose names are kept in
    `attrs["left_out"]`.
    """
    names = outside_names(frame)
    if len(names) == len(frame):
        raise BadInput("zones: none of them lies in the area of the map; choose another file")
    inside = frame[frame["in_map"] > 0]
    inside.attrs["left_out"] = names
    return inside


def outside_names(frame: "geopandas.GeoDataFrame") -> list[str]:
    """Return the names of the zones that lie outside the map."""
    rows = frame.drop(columns=frame.geometry.name).to_dict("records")
    return [zone_name(row, number) for number, row in enumerate(rows, start=1) if not row["in_map"]]


def describe_outside(names: Sequence[str], count: int) -> str:
    """Say how many of `count` zones lie outside the area of the map, and name the first few.

    >>> describe_outside(["Scilly"], 232)
    '1 of 232 lies outside the area of the map: Scilly'
    >>> describe_outside(list("ABCDE"), 9)
    '5 of 9 lie outside the area of the map: A, B, C and 2 more'
    """
    first = ", ".join(names[:NAMED_OUTSIDE])
    more = len(names) - NAMED_OUTSIDE
    verb = "lies" if len(names) == 1 else "lie"
    return (
        f"{len(names):,} of {count:,} {verb} outside the area of the map:"
        f" {first}{f' and {more:,} more' if more > 0 else ''}"
    )


def _threshold(than: object, map_: TotalsMap) -> float:
    """Return the number that zones are compared with: of points above 0, of a mean any."""
    if map_.mean is not None:
        return read_threshold(than, "than", "a number to compare the mean with", above=-np.inf)
    return read_threshold(than, "than", "a number of points in the zone, above 0")


def with_answer(
    frame: "geopandas.GeoDataFrame", low: str, high: str, threshold: float
) -> "geopandas.GeoDataFrame":
    """Return the rows with a column `answer`, before the note, by the intervals between two
    columns.
    """
    frame = frame.rename(columns={"answer": "answer_given"})
    words = compare_intervals(frame[low].to_numpy(), frame[high].to_numpy(), threshold)
    frame.insert(frame.columns.get_loc("note"), "answer", words.astype(object))
    return frame


def moved_to(shapes: NDArray[Any], source: str, target: str) -> NDArray[Any]:
    """Return the zones in the grid's CRS, with their straight edges kept in place."""
    import shapely

    if crs_tools.same(source, target):
        return shapes
    boxes = shapely.bounds(shapes)
    span = np.maximum(boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1])
    moved = crs_tools.transform_shapes(shapely.segmentize(shapes, span * FINEST), source, target)
    if not np.isfinite(shapely.get_coordinates(moved)).all():
        raise BadInput(
            "zones: some lie outside the reach of the map's CRS; cut them to the region of the map"
        )
    valid: NDArray[Any] = shapely.make_valid(moved)
    return valid


def _frame(
    zones: Any, shapes: NDArray[Any], source: str, layer: str | None
) -> "geopandas.GeoDataFrame":
    """Return the zones with the columns they came with; `shapes` has been read and checked
    already.
    """
    import geopandas as gpd

    from dpmap.grid.crs_label import reference

    zones = as_frame(zones, "zones")
    if isinstance(zones, gpd.GeoDataFrame):
        plain = zones.copy()
        name = plain.geometry.name
        return plain[[column for column in plain.columns if column != name] + [name]]
    if isinstance(zones, str | os.PathLike):
        with opened_layers(zones, layer, "zones") as file:
            return file.frame(layer or file.names()[0])
    return gpd.GeoDataFrame(geometry=shapes, crs=reference(source))


def zone_name(row: "dict[str, Any]", number: int) -> str:
    """Return what to call a zone in a table: its name if it has one, else its number.

    >>> zone_name({"id": 7, "Name": "North wood"}, 1), zone_name({"id": 7}, 2)
    ('North wood', 'zone 2')
    """
    for key, value in row.items():
        if "name" in str(key).lower() and isinstance(value, str) and value.strip():
            return "".join(mark if mark.isprintable() else " " for mark in value)[:60]
    return f"zone {number}"


def table(frame: "geopandas.GeoDataFrame", *, compared: bool = False) -> list[list[str]]:
    """Return the answers as rows of short texts under a header, to print or to write;
    `compared` ones with the column `answer`.
    """
    answer = ["answer"] if compared else []
    figured = ["estimate", "low", "high", "least", "most", "per_km2"]
    if (
        tuple(frame.columns.drop(answer)[-len(MeanAnswer.__slots__) - 1 : -1])
        == MeanAnswer.__slots__
    ):
        figured = ["mean", "low", "high", "count", "count_low", "count_high"]
    unit = _unit(frame)
    header = [
        name.replace("per_km2", f"per {unit.words}").replace("count_", "count ") for name in figured
    ]
    rows = [["zone", *answer, *header, "whole cells", "cut", "in map", "note"]]
    for number, row in enumerate(
        frame.drop(columns=frame.geometry.name).to_dict("records"), start=1
    ):
        figures = [
            short(row[key] * (unit.square_km if key == "per_km2" else 1.0)) for key in figured
        ]
        counts = [f"{row['cells_inside']:,}", f"{row['cells_cut']:,}", f"{row['in_map']:.0%}"]
        rows.append(
            [
                zone_name(row, number),
                *(row[name] for name in answer),
                *figures,
                *counts,
                str(row["note"]),
            ]
        )
    return rows


def _unit(frame: "geopandas.GeoDataFrame") -> "style.Unit":
    """Return the unit in which the zones' densities are shortest to read."""
    if "per_km2" not in frame:
        return style.KM2
    densities = frame["per_km2"][np.isfinite(frame["per_km2"]) & (frame["per_km2"] > 0)]
    return style.density_unit(
        [float(f"{density:.2g}") for density in densities], float(frame["area_km2"].sum())
    )


def short(value: float) -> str:
    """Write a number for a table, a dash where there is none."""
    if not np.isfinite(value):
        return "-"
    if 0 < value < 1e-4:
        return "above 0"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
