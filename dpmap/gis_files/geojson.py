"""Writes a GeoJSON file anew, with its features and the code of its CRS and nothing that leads
elsewhere.
"""

import json
import os
import re
from typing import Any

from dpmap.errors import BadInput
from dpmap.plain_file import shown_name

MOST_JSON = 1 << 30
_PADDING = 1 << 14
"""Blanks that fill all of a file's head that drivers look into: no text of a record is in it."""
_CODE = re.compile(r"(?:urn:(?:x-)?ogc:def:crs:)?([A-Za-z]+)(?:::|:[\d.]*:|:)([A-Za-z0-9]+)")
_GEOMETRY = ("type", "coordinates", "geometries")
_SHAPES = (
    "Point",
    "LineString",
    "Polygon",
    "MultiPoint",
    "MultiLineString",
    "MultiPolygon",
    "GeometryCollection",
)
_LINES = (".geojsonl", ".geojsons", ".ndjson", ".jsonl")


def write_anew(path: str, role: str) -> bytes:
    """Return a GeoJSON file written anew: its features and its CRS's code, and no other member,
    such as links.
    """
    if os.path.getsize(path) > MOST_JSON:
        raise BadInput(
            f"{role}: {shown_name(path)} is too large for GeoJSON; save it as a GeoPackage"
        )
    try:
        with open(path, "rb") as file:
            document = _parsed(file.read().decode("utf-8-sig"), path)
        name = document.get("name") if isinstance(document.get("name"), str) else None
        plain = {
            "name": name or os.path.splitext(os.path.basename(path))[0],
            **_crs_member(document, path, role),
        }
        features = [_feature(one) for one in _features(document)]
        text = json.dumps({**plain, "features": features}, ensure_ascii=False)
    except BadInput:
        raise
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        raise BadInput(
            f"{role}: {shown_name(path)} cannot be read as a layer; it is no GeoJSON, so save it"
            " again as a GeoPackage"
        ) from None
    return ('{"type": "FeatureCollection",' + " " * _PADDING + text[1:]).encode("utf-8", "replace")


def _parsed(text: str, path: str) -> dict[str, Any]:
    """Parse GeoJSON, or features one a line."""
    try:
        return dict(json.loads(text))
    except ValueError:
        if not (path.lower().endswith(_LINES) or text.startswith("\x1e")):
            raise
    lines = (line.strip("\x1e \t\r") for line in text.split("\n"))
    return {"type": "FeatureCollection", "features": [json.loads(line) for line in lines if line]}


def _features(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the features of a collection, or a feature or shape that stands alone."""
    if document["type"] == "FeatureCollection":
        return list(document["features"])
    if document["type"] == "Feature":
        return [document]
    return [{"properties": {}, "geometry": document}]


def _feature(given: dict[str, Any]) -> dict[str, Any]:
    """Return a feature's own members."""
    identity = {"id": given["id"]} if isinstance(given.get("id"), str | int) else {}
    properties = dict(given.get("properties") or {})
    return {
        "type": "Feature",
        **identity,
        "properties": properties,
        "geometry": _shape(given.get("geometry")),
    }


def _shape(given: Any) -> Any:
    """Return a geometry's own members."""
    if given is None:
        return None
    if given["type"] not in _SHAPES:
        raise ValueError
    plain = {key: given[key] for key in _GEOMETRY if key in given}
    if "geometries" in plain:
        plain["geometries"] = [_shape(one) for one in plain["geometries"]]
    return plain


def _crs_member(document: dict[str, Any], path: str, role: str) -> dict[str, Any]:
    """Return the CRS that a GeoJSON file of before 2016 names, if it does; only a code is one."""
    given = document.get("crs")
    if given is None:
        return {}
    about = given.get("properties") or {}
    text = (
        f"EPSG:{about.get('code')}"
        if str(given.get("type")).upper() == "EPSG"
        else about.get("name")
    )
    code = _CODE.fullmatch(text) if isinstance(text, str) else None
    if code is None:
        raise BadInput(
            f"{role}: the crs of {shown_name(path)} is no code but a link or definition; save it"
            " again in EPSG:4326, which needs none"
        )
    version = "1.3" if code[1].upper() == "OGC" else ""
    urn = f"urn:ogc:def:crs:{code[1].upper()}:{version}:{code[2]}"
    return {"crs": {"type": "name", "properties": {"name": urn}}}
