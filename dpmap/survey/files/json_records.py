"""Reads JSON and GeoJSON, record by record.

The list of records is found by its declared path; each record is then decoded by the standard library from where it
begins, numbers kept as they are written. So no number, key or nesting of one record is in the way of another: a record that
is no object, or is nested too deep, drops alone. A file that is no JSON is refused whole.
"""

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from dpmap.errors import BadInput
from dpmap.survey.files import wkb
from dpmap.survey.files.records import GEOMETRY, Kind, Row
from dpmap.survey.files.tables import Piece, unpacked
from dpmap.survey.sources import shown

MOST = 256 << 20
"""Bytes of the longest record, and of what stands beside the list of records."""
DEEPEST = 3
MOST_KEYS = 1000
_BLANK = re.compile(r"[ \t\n\r\ufeff]*")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|"|[{\[]++|[}\]]++', re.DOTALL)
"""A text, a quote whose text is cut off, or a run of brackets that open or that close."""


class Number(str):
    """Holds a number as the record writes it."""

    __slots__ = ()


_DECODER = json.JSONDecoder(parse_float=Number, parse_int=Number, parse_constant=Number, strict=False)


class _Text:
    """Holds the text read so far and the place where parsing goes on."""

    def __init__(self, piece: Piece, chunks: Iterable[bytes]) -> None:
        self._name, self._chunks = shown(piece.name), iter(chunks)
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self.text, self.at, self._ended = "", 0, False

    def more(self) -> bool:
        """Reads more, twice as much each time nothing was used up; returns whether there was more."""
        if self._ended:
            return False
        kept, parts, wanted = self.text[self.at :], list[str](), 0
        if len(kept) > MOST:
            raise BadInput(f"survey: {self._name} holds a record of more than 256 MB; export it as CSV")
        while wanted <= len(kept):
            chunk = next(self._chunks, None)
            self._ended = chunk is None
            parts.append(self._decoder.decode(chunk or b"", final=self._ended))
            if self._ended:
                break
            wanted += len(parts[-1]) or 1
        self.text, self.at = kept + "".join(parts), 0
        return True

    def next(self) -> str:
        """Skips blanks and returns the next character, empty at the end."""
        while True:
            blank = _BLANK.match(self.text, self.at)
            self.at = blank.end() if blank else self.at
            if self.at < len(self.text):
                return self.text[self.at]
            if not self.more():
                return ""

    def value(self) -> Any:
        """Parses the value that begins here; returns None if it is nested too deep."""
        while True:
            try:
                value, end = _DECODER.raw_decode(self.text, self.at)
            except RecursionError:
                return self._pass_over()
            except json.JSONDecodeError as error:
                cut = error.msg.startswith("Unterminated") or error.pos >= len(self.text) - 16
                if not cut or not self.more():
                    raise self.broken() from None
                continue
            if isinstance(value, Number) and end == len(self.text) and self.more():
                continue  # its digits may go on
            self.at = end
            return value

    def _pass_over(self) -> None:
        """Skips the value that begins here, however deep it is."""
        depth = 0
        while True:
            token = _TOKEN.search(self.text, self.at)
            if token is None or token[0] == '"':  # a text that is not read to its end yet
                self.at = token.start() if token else len(self.text)
                if not self.more():
                    raise self.broken()
                continue
            self.at = token.end()
            if token[0][0] in "{[":
                depth += len(token[0])
            elif token[0][0] in "}]" and len(token[0]) < depth:
                depth -= len(token[0])
            elif token[0][0] in "}]":
                self.at = token.start() + depth
                return

    def expect(self, mark: str) -> None:
        """Skips a character that must stand here."""
        if self.next() != mark:
            raise self.broken()
        self.at += 1

    def broken(self) -> BadInput:
        """Returns the error for a file that is not valid JSON."""
        return BadInput(f"survey: {self._name} is not whole JSON; it may be cut short or damaged, so export it again")


def _members(text: _Text) -> Iterator[str]:
    """Yields the keys of the object that begins here; the caller must take each value before the next key."""
    text.expect("{")
    while text.next() != "}":
        key = text.value()
        if not isinstance(key, str) or isinstance(key, Number):
            raise text.broken()
        text.expect(":")
        text.next()
        yield key
        if text.next() != "}":
            text.expect(",")
    text.expect("}")


def _items(text: _Text) -> Iterator[Any]:
    """Yields the values of the list that begins here."""
    text.expect("[")
    while text.next() != "]":
        yield text.value()
        if text.next() != "]":
            text.expect(",")
    text.expect("]")


def _listed(text: _Text, path: tuple[str, ...]) -> Iterator[Any]:
    """Yields the values of the list at a path of keys, skipping other members."""
    if not path:
        yield from _items(text)
        return
    if text.next() != "{":
        raise text.broken()
    for key in _members(text):
        if key == path[0] and text.next() == ("[" if len(path) == 1 else "{"):
            yield from _listed(text, path[1:])
        else:
            text.value()


def records(piece: Piece, path: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Yields the records of the list at a path; an item that is no object is dropped alone."""
    with piece.open() as stream:
        text = _Text(piece, unpacked(piece, stream))
        if text.next() not in ("[", "{") or (not path and text.next() == "{"):
            raise BadInput(
                f"survey: {shown(piece.name)} is no list of records; say where the list is, like --layer results, or declare "
                "another --format (dpmap init FILE looks)"
            )
        for value in _listed(text, path):
            if isinstance(value, dict):
                yield value
        if text.next():
            raise text.broken()


def lines(piece: Piece) -> Iterator[dict[str, Any]]:
    """Yields the records of a file with one on each line; a line that is not a record is dropped alone."""
    from dpmap.survey.files.lines import utf8_lines

    with piece.open() as stream:
        for line in utf8_lines(unpacked(piece, stream), "utf-8", shown(piece.name)):
            try:
                value = _DECODER.decode(line.decode("utf-8", "replace").strip("\x1e \t"))
            except (ValueError, RecursionError):
                continue
            if isinstance(value, dict):
                yield value


SEARCHED = ("features", "records", "sightings", "results", "entries", "data", "value", "")
"""Where lists of records usually are: what `guess` prefers of several."""


def lists(piece: Piece, most: int) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Lists every list outside records with its first values, and every other member, by path: for `guess`."""
    with piece.open() as stream:
        text = _Text(piece, unpacked(piece, stream))
        yield from _searched(text, (), most)
        if text.next():
            raise text.broken()


def _searched(text: _Text, path: tuple[str, ...], most: int) -> Iterator[tuple[tuple[str, ...], Any]]:
    begins = text.next()
    if begins == "[":
        kept: list[Any] = []
        for value in _items(text):
            if len(kept) < most:
                kept.append(value)
        yield path, kept
    elif begins == "{" and len(path) < DEEPEST and path not in (("crs",), ("spatialReference",)):
        for key in _members(text):
            yield from _searched(text, (*path, key), most)
    else:
        yield path, text.value()


def feature_names(records: list[dict[str, Any]]) -> list[str]:
    """Lists the property names of some features, in the order they first come; nested names are joined by dots."""
    names: dict[str, None] = {}
    for record in records:
        told = record.get("properties", record.get("attributes"))
        if isinstance(told, dict):
            names.update(dict.fromkeys(name for name, value in told.items() if not isinstance(value, dict)))
            if any(isinstance(value, dict) for value in told.values()):
                names.update(dict.fromkeys(flattened(told)))
    return list(names) or (["id"] if records else [])


def _path(layer: str | None) -> tuple[str, ...]:
    return tuple(layer.split(".")) if layer else ()


def _plain_rows(piece: Piece, layer: str | None, _: "frozenset[str]") -> Iterator[Row]:
    return (flattened(record) for record in records(piece, _path(layer)))


def _line_rows(piece: Piece, _: str | None, __: "frozenset[str]") -> Iterator[Row]:
    return (flattened(record) for record in lines(piece))


def _feature_rows(piece: Piece, layer: str | None, wanted: "frozenset[str]") -> Iterator[Row]:
    return (feature(one, wanted) for one in records(piece, _path(layer or "features")))


def _feature_line_rows(piece: Piece, _: str | None, wanted: "frozenset[str]") -> Iterator[Row]:
    return (feature(one, wanted) for one in lines(piece))


def feature(record: dict[str, Any], wanted: "frozenset[str]") -> Row:
    """Returns a GeoJSON feature as one row: its wanted properties as texts, and its shape."""
    told = record.get("properties", record.get("attributes"))
    told = told if isinstance(told, dict) else {}
    row: Row = {name: as_text(told[name]) for name in wanted if name in told}
    if len(row) < len(wanted):
        inner = flattened(told) if any("." in name for name in wanted) else {}
        row |= {name: inner[name] for name in wanted if name in inner and name not in row}
        if "id" in wanted and "id" not in row:
            row["id"] = as_text(record.get("id"))
    if GEOMETRY in wanted:
        row[GEOMETRY] = wkb.of_geojson(_geojson_of(record.get("geometry")))
    return row


def _geojson_of(geometry: Any) -> Any:
    """Returns the geometry as plain GeoJSON: an Esri point gets its type, a collection is replaced by its only member."""
    if isinstance(geometry, dict) and "type" not in geometry and "x" in geometry:
        return {"type": "Point", "coordinates": [geometry["x"], geometry.get("y")]}
    if isinstance(geometry, dict) and geometry.get("type") == "GeometryCollection":
        inside = geometry.get("geometries")
        return inside[0] if isinstance(inside, list) and len(inside) == 1 else None
    return geometry


def flattened(record: dict[str, Any]) -> Row:
    """Returns a record as one row of texts: nested keys joined by dots, a GeoJSON or [x, y] place as latitude and longitude."""
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
            _flatten(value, f"{name}.", depth + 1, row)
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
    """Finds the place of a CyberTracker record as its devices send it: [longitude, latitude, altitude, accuracy]."""
    if isinstance(place, list) and len(place) >= 2 and all(isinstance(side, Number) for side in place[:2]):
        for name, value in zip(("longitude", "latitude", "altitude", "accuracy"), place, strict=False):
            row.setdefault(f"location.{name}", as_text(value))


def as_text(value: Any) -> str | None:
    """Converts a value to text: texts and numbers as written, true and false, other things as JSON, None for nothing."""
    if isinstance(value, str):
        return str(value).replace("\0", "")
    if value is None:
        return None
    try:
        return _written(value).replace("\0", "")
    except RecursionError:
        return None


def _written(value: Any) -> str:
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(str(key))}: {_written(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_written, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


KINDS = (
    Kind("geojson", "GeoJSON", _feature_rows, placed=True),
    Kind("geojsonl", "GeoJSON, a feature a line", _feature_line_rows, placed=True),
    Kind("json", "JSON records", _plain_rows, placed=False),
    Kind("jsonl", "JSON, a record a line", _line_rows, placed=False),
)
