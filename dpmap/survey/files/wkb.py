"""Writes the shapes of records as WKB, one by one; an invalid or too deeply nested shape has no
place.
"""

import struct
from typing import Any

CODES = {
    "Point": 1,
    "LineString": 2,
    "Polygon": 3,
    "MultiPoint": 4,
    "MultiLineString": 5,
    "MultiPolygon": 6,
}


def shape_of_geojson(geometry: Any) -> bytes | None:
    """Converts a GeoJSON geometry to a shape; None if it is invalid or a collection of several
    kinds.

    >>> shape_of_geojson({"type": "Point", "coordinates": ["3", "50.5"]}) == struct.pack(
    ...     "<BIdd", 1, 1, 3.0, 50.5
    ... )
    True
    >>> shape_of_geojson({"type": "Point", "coordinates": []}) is shape_of_geojson("soon") is None
    True
    """
    try:
        kind = geometry["type"]
        coordinates = geometry["coordinates"]
        if kind == "Point":
            return struct.pack("<BIdd", 1, 1, float(coordinates[0]), float(coordinates[1]))
        return _of_kind(kind, coordinates)
    except (TypeError, ValueError, KeyError, IndexError, OverflowError, struct.error):
        return None


def _of_kind(kind: str, coordinates: Any) -> bytes:
    """Makes a shape of this kind; lists may be nested only as deep as the kind allows, so
    recursion is bounded.
    """
    head = struct.pack("<BI", 1, CODES[kind])
    if kind == "Point":
        return head + _pair(coordinates)
    if kind == "LineString":
        return head + _line(coordinates)
    if kind == "Polygon":
        return head + struct.pack("<I", len(coordinates)) + b"".join(map(_line, coordinates))
    part = kind.removeprefix("Multi")
    return (
        head
        + struct.pack("<I", len(coordinates))
        + b"".join(_of_kind(part, coordinate) for coordinate in coordinates)
    )


def _line(points: Any) -> bytes:
    return struct.pack("<I", len(points)) + b"".join(map(_pair, points))


def _pair(point: Any) -> bytes:
    return struct.pack("<dd", float(point[0]), float(point[1]))
