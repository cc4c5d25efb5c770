"""Reads JSON and GeoJSON, record by record.

The list of records is found by its declared path. Where a record ends and how deep it is nested is
counted in its text, wherever the chunks of the file end; only then is it decoded by the standard
library, numbers kept as they are written. So no number, key or nesting of one record is in the way
of another: a record that is no object, or is nested deeper than `NESTED`, drops alone. A file that
is no JSON is refused whole.
"""

import json
from collections.abc import Iterator
from typing import Any

from dpmap.errors import BadInput
from dpmap.survey.files import wkb
from dpmap.survey.files.json_text import DECODER, NESTED, WITHIN, JsonText, Number, value_extent
from dpmap.survey.files.records import GEOMETRY, Kind, Row
from dpmap.survey.files.tables import FilePiece, unpack_bounded
from dpmap.survey.sources import printable_name

DEEPEST = 3
MOST_KEYS = 1000


def _members(text: JsonText) -> Iterator[str]:
    """Yields the keys of the object that begins here; the caller must take each value before the
    next key.
    """
    for _ in _separated(text, "{", "}"):
        key = text.value()
        if not isinstance(key, str) or isinstance(key, Number):
            raise text.broken()
        text.expect(":")
        text.next()
        yield key


def _items(text: JsonText) -> Iterator[Any]:
    """Yields the values of the list that begins here."""
    text.lists += 1
    for _ in _separated(text, "[", "]"):
        yield text.value()


def _separated(text: JsonText, opening: str, closing: str) -> Iterator[None]:
    """Stops where each item between two brackets begins, commas between them; the caller must
    take it.
    """
    text.expect(opening)
    if text.next() != closing:
        yield
        while text.next() == ",":
            text.expect(",")
            text.next()
            yield
    text.expect(closing)


def _list_values(text: JsonText, path: tuple[str, ...]) -> Iterator[Any]:
    """Yields the values of the list at a path of keys, skipping other members."""
    if not path:
        yield from _items(text)
        return
    if text.next() != "{":
        raise text.broken()
    for key in _members(text):
        if key == path[0] and text.next() == ("[" if len(path) == 1 else "{"):
            yield from _list_values(text, path[1:])
        else:
            text.value()


def records(piece: FilePiece, path: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Yields the records of the list at a path; an item that is no object is dropped alone."""
    with piece.open() as stream:
        text = JsonText(piece, unpack_bounded(piece, stream))
        if text.next() not in ("[", "{") or (not path and text.next() == "{"):
            raise BadInput(
                f"survey: {printable_name(piece.name)} is no list of records; say where the list"
                " is, like"
                " --layer results, or declare another --format (dpmap init FILE looks)"
            )
        for value in _list_values(text, path):
            if isinstance(value, dict):
                yield value
        if not text.lists:
            raise BadInput(
                f"survey: {printable_name(piece.name)} holds no list of records there; say where"
                " it is with"
                " --layer (dpmap init looks)"
            )
        if text.next():
            raise text.broken()


def lines(piece: FilePiece) -> Iterator[dict[str, Any]]:
    """Yields the records of a file with one on each line; a line that is not a record, or is too
    long, is dropped alone.
    """
    from dpmap.survey.files.lines import LONGEST, clean, raw_lines

    with piece.open() as stream:
        for line in raw_lines(unpack_bounded(piece, stream)):
            record = _record_of_line(clean(line).decode()) if len(line) <= LONGEST else None
            if record is not None:
                yield record


def _record_of_line(line: str) -> dict[str, Any] | None:
    """Returns the record that a line holds; None if it holds none. A mark of order before it is
    no part of it, on any line.
    """
    text = line.strip("\x1e \t\ufeff")
    if not text.startswith("{"):
        return None
    extent = value_extent(text, 0)
    if extent is None or extent[1] > NESTED:
        return None
    try:
        record: dict[str, Any] = DECODER.decode(text)
    except json.JSONDecodeError:
        return None
    return record


SEARCHED = ("features", "records", "sightings", "results", "entries", "data", "value", "")
"""Where lists of records usually are: what `guess` prefers of several."""


def lists(piece: FilePiece, most: int) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Lists every list outside records with its first values, and every other member, by path:
    for `guess`.
    """
    with piece.open() as stream:
        text = JsonText(piece, unpack_bounded(piece, stream))
        yield from _searched(text, (), most)
        if text.next():
            raise text.broken()


def _searched(
    text: JsonText, path: tuple[str, ...], most: int
) -> Iterator[tuple[tuple[str, ...], Any]]:
    begins = text.next()
    if begins == "[":
        records: list[Any] = []
        for value in _items(text):
            if len(records) < most:
                records.append(value)
        yield path, records
    elif begins == "{" and len(path) < DEEPEST and path not in (("crs",), ("spatialReference",)):
        for key in _members(text):
            yield from _searched(text, (*path, key), most)
    else:
        yield path, text.value()


def feature_names(records: list[dict[str, Any]]) -> list[str]:
    """Lists the property names of some features, in the order they first come; nested names are
    joined by dots.
    """
    names: dict[str, None] = {}
    for record in records:
        properties = record.get("properties", record.get("attributes"))
        if isinstance(properties, dict):
            names.update(
                dict.fromkeys(
                    name for name, value in properties.items() if not isinstance(value, dict)
                )
            )
            if any(isinstance(value, dict) for value in properties.values()):
                names.update(dict.fromkeys(flatten(properties)))
    return list(names) or (["id"] if records else [])


def _path(layer: str | None) -> tuple[str, ...]:
    return tuple(layer.split(".")) if layer else ()


def _plain_rows(piece: FilePiece, layer: str | None, _: "frozenset[str]") -> Iterator[Row]:
    return (flatten(record) for record in records(piece, _path(layer)))


def _line_rows(piece: FilePiece, _: str | None, __: "frozenset[str]") -> Iterator[Row]:
    return (flatten(record) for record in lines(piece))


def _feature_rows(piece: FilePiece, layer: str | None, wanted: "frozenset[str]") -> Iterator[Row]:
    return (feature(one, wanted) for one in records(piece, _path(layer or "features")))


def _feature_line_rows(piece: FilePiece, _: str | None, wanted: "frozenset[str]") -> Iterator[Row]:
    return (feature(one, wanted) for one in lines(piece))


def feature(record: dict[str, Any], wanted: "frozenset[str]") -> Row:
    """Returns a GeoJSON feature as one row: its wanted properties as texts, and its shape."""
    properties = record.get("properties", record.get("attributes"))
    properties = properties if isinstance(properties, dict) else {}
    row: Row = {name: as_text(properties[name]) for name in wanted if name in properties}
    if len(row) < len(wanted):
        inner = flatten(properties) if any(WITHIN in name for name in wanted) else {}
        row |= {name: inner[name] for name in wanted if name in inner and name not in row}
        if "id" in wanted and "id" not in row:
            row["id"] = as_text(record.get("id"))
    if GEOMETRY in wanted:
        row[GEOMETRY] = wkb.shape_of_geojson(_geojson_of(record.get("geometry")))
    return row


def _geojson_of(geometry: Any) -> Any:
    """Returns the geometry as plain GeoJSON: an Esri point gets its type, a collection is
    replaced by its only member.
    """
    if isinstance(geometry, dict) and "type" not in geometry and "x" in geometry:
        return {"type": "Point", "coordinates": [geometry["x"], geometry.get("y")]}
    if isinstance(geometry, dict) and geometry.get("type") == "GeometryCollection":
        inside = geometry.get("geometries")
        return inside[0] if isinstance(inside, list) and len(inside) == 1 else None
    return geometry


def flatten(record: dict[str, Any]) -> Row:
    """Returns a record as one row of texts: nested keys joined by dots, a GeoJSON or [x, y]
    place as latitude and longitude.
    """
    row: Row = {}
    _flatten(record, "", 0, row)
    if "deviceId" in record:
        _locate_device(record.get("location"), row)
    return row


def _flatten(record: dict[str, Any], prefix: str, depth: int, row: Row) -> None:
    for key, value in record.items():
        name = f"{prefix}{key}"
        if len(row) >= MOST_KEYS:
            return
        if isinstance(value, dict) and depth < DEEPEST:
            _flatten(value, f"{name}{WITHIN}", depth + 1, row)
            _locate(key, value, name, row)
        elif value is not None:
            row[name] = as_text(value)


def _locate(key: str, value: dict[str, Any], name: str, row: Row) -> None:
    """Finds the longitude and latitude of a place inside a record."""
    pair = value.get("coordinates")
    if value.get("type", "Point") == "Point" and isinstance(pair, list) and len(pair) >= 2:
        row[f"{name}.longitude"], row[f"{name}.latitude"] = as_text(pair[0]), as_text(pair[1])
    if key.lower() == "location" and "latitude" not in value and {"x", "y"} <= set(value):
        row[f"{name}.longitude"], row[f"{name}.latitude"] = as_text(value["x"]), as_text(value["y"])


def _locate_device(place: Any, row: Row) -> None:
    """Finds the place of a CyberTracker record as its devices send it: [longitude, latitude,
    altitude, accuracy].
    """
    if (
        isinstance(place, list)
        and len(place) >= 2
        and all(isinstance(side, Number) for side in place[:2])
    ):
        for name, value in zip(
            ("longitude", "latitude", "altitude", "accuracy"), place, strict=False
        ):
            row.setdefault(f"location.{name}", as_text(value))


def as_text(value: Any) -> str | None:
    """Converts a value to text: texts and numbers as written, true and false, other things as
    JSON, None for nothing.
    """
    if isinstance(value, str):
        return str(value).replace("\0", "")
    if value is None:
        return None
    return _write_value(value).replace("\0", "")


def _write_value(value: Any) -> str:
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return (
            "{"
            + ", ".join(
                f"{json.dumps(str(key))}: {_write_value(one)}" for key, one in value.items()
            )
            + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(_write_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


KINDS = (
    Kind("geojson", "GeoJSON", _feature_rows, placed=True),
    Kind("geojsonl", "GeoJSON, a feature a line", _feature_line_rows, placed=True),
    Kind("json", "JSON records", _plain_rows, placed=False),
    Kind("jsonl", "JSON, a record a line", _line_rows, placed=False),
)
