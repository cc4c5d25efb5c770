"""Reads KML, GPX and SMART's patrols, XML record by record.

Elements are read as they come by expat, which recurses nowhere; a record begins and ends with its own element, and what is
remembered between two records is only what encloses both (a folder, a track, a patrol). XML that declares entities, or is not well
formed, is refused whole.
"""

import re
from collections.abc import Iterator
from typing import Any
from xml.parsers import expat

from dpmap.errors import BadInput
from dpmap.survey.files import wkb
from dpmap.survey.files.records import GEOMETRY, Kind, Row
from dpmap.survey.files.tables import Piece, unpacked
from dpmap.survey.sources import EVERY, shown

MOST_TEXT = 8 << 20
"""Marks of one element's text; what is longer is cut there."""
DAMAGED = "it may be cut short or damaged, so export it again"


def xml_root(head: bytes, name: str) -> str:
    """Returns the name of the root element without its namespace; refuses documents that declare entities."""
    found: list[str] = []
    parser = parser_of(name)
    parser.StartElementHandler = lambda tag, _: found.append(tag)
    for start in range(0, len(head), 512):
        if found:
            break
        try:
            parser.Parse(head[start : start + 512], False)
        except expat.ExpatError:
            break
    return local(found[0]) if found else ""


def parser_of(name: str) -> Any:
    """Makes an expat parser that refuses entity declarations."""
    parser = expat.ParserCreate()

    def refuse(*_: object) -> None:
        raise BadInput(
            f"survey: {shown(name)} declares XML entities, which no survey needs; export it again without them"
        )

    parser.EntityDeclHandler = refuse
    return parser


def local(tag: str) -> str:
    """Returns an element's name without its namespace."""
    return tag.rpartition(":")[2]


class _Walk:
    """Follows the elements of one file and gathers finished records in `rows`."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.path: list[str] = []
        self._texts: list[list[str]] = []

    def start(self, tag: str, told: dict[str, str]) -> None:
        """Handles the start of an element."""
        self.path.append(local(tag))
        self._texts.append([])
        self.begin(self.path[-1], told)

    def text(self, data: str) -> None:
        """Collects text of the innermost element."""
        if self._texts and len(self._texts[-1]) < MOST_TEXT >> 12:
            self._texts[-1].append(data)

    def end(self, _: str) -> None:
        """Handles the end of an element."""
        self.finish(self.path[-1], "".join(self._texts.pop())[:MOST_TEXT].strip())
        self.path.pop()

    def begin(self, tag: str, told: dict[str, str]) -> None:
        """Called at an element's start; each format overrides it."""

    def finish(self, tag: str, text: str) -> None:
        """Called at an element's end with its own text; each format overrides it."""


def _walked(piece: Piece, walk: _Walk) -> Iterator[Row]:
    """Yields the records as they end."""
    parser = parser_of(piece.name)
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = walk.start, walk.end
    parser.CharacterDataHandler = walk.text
    with piece.open() as stream:
        try:
            for chunk in unpacked(piece, stream):
                parser.Parse(chunk, False)
                yield from walk.rows
                walk.rows.clear()
            parser.Parse(b"", True)
        except (expat.ExpatError, LookupError, ValueError):
            raise BadInput(f"survey: {shown(piece.name)} is not well-formed XML; {DAMAGED}") from None
    yield from walk.rows


class _Kml(_Walk):
    """Collects placemarks: the texts of their simple elements, their extended data and shape; from the folder `layer` if named."""

    def __init__(self, layer: str | None) -> None:
        super().__init__()
        self._layer, self._within = layer, list[str]()
        self._mark: Row | None = None
        self._depth, self._field = 0, ""
        self._shapes: list[Any] = []
        self._rings: list[Any] = []

    def begin(self, tag: str, told: dict[str, str]) -> None:
        if tag in ("Folder", "Document"):
            self._within.append("")
        if tag == "Placemark" and self._mark is None:
            self._mark, self._depth, self._field, self._shapes, self._rings = {}, len(self.path), "", [], []
        elif tag in ("Data", "SimpleData"):
            self._field = told.get("name", "")
        elif tag == "Polygon":
            self._rings = []

    def finish(self, tag: str, text: str) -> None:
        if tag in ("Folder", "Document"):
            self._within.pop()
        if self._mark is None:
            if tag == "name" and self._within and len(self.path) > 1 and self.path[-2] in ("Folder", "Document"):
                self._within[-1] = text
            return
        if tag == "Placemark" and len(self.path) == self._depth:
            self._end_mark()
        elif tag in ("value", "SimpleData") and self._field:
            self._mark.setdefault(self._field, text)
        elif tag == "coordinates":
            self._coordinates(text)
        elif tag == "Polygon":
            self._shapes.append({"type": "Polygon", "coordinates": self._rings})
        elif text and len(self._mark) < 1000:
            self._mark.setdefault(tag, text)

    def _coordinates(self, text: str) -> None:
        points = [one.split(",") for one in text.split()]
        around = self.path[-2] if len(self.path) > 1 else ""
        if around == "Point":
            self._shapes.append({"type": "Point", "coordinates": points[0] if points else []})
        elif around == "LineString":
            self._shapes.append({"type": "LineString", "coordinates": points})
        elif around == "LinearRing":
            self._rings.append(points)

    def _end_mark(self) -> None:
        row, kinds = self._mark or {}, {shape["type"] for shape in self._shapes}
        if len(self._shapes) == 1:
            row[GEOMETRY] = wkb.of_geojson(self._shapes[0])
        elif len(kinds) == 1:
            several = [shape["coordinates"] for shape in self._shapes]
            row[GEOMETRY] = wkb.of_geojson({"type": f"Multi{kinds.pop()}", "coordinates": several})
        if self._layer is None or self._layer in self._within:
            self.rows.append(row)
        self._mark = None


GPX_LAYERS = {"waypoints": "wpt", "route_points": "rtept", "track_points": "trkpt"}


class _Gpx(_Walk):
    """Collects the points of some kinds, each with its own elements and the name of its track or route."""

    def __init__(self, wanted: tuple[str, ...]) -> None:
        super().__init__()
        self._wanted = wanted
        self._point: Row | None = None
        self._around = ""

    def begin(self, tag: str, told: dict[str, str]) -> None:
        if tag in ("trk", "rte"):
            self._around = ""
        if tag in GPX_LAYERS.values() and self._point is None:
            place = {"type": "Point", "coordinates": [told.get("lon"), told.get("lat")]}
            self._point = {GEOMETRY: wkb.of_geojson(place)}
            if tag != "wpt":
                self._point["around.name"] = self._around

    def finish(self, tag: str, text: str) -> None:
        if tag in GPX_LAYERS.values() and self._point is not None:
            if tag in self._wanted:
                self.rows.append(self._point)
            self._point = None
        elif tag in ("trk", "rte"):
            self._around = ""
        elif self._point is not None:
            if text and len(self._point) < 1000:
                self._point.setdefault(tag, text)
        elif tag == "name" and len(self.path) > 1 and self.path[-2] in ("trk", "rte"):
            self._around = text


def _kml_rows(piece: Piece, layer: str | None, _: "frozenset[str]") -> Iterator[Row]:
    """Reads the folder asked for, or every placemark; a folder called `all` is like the others, as anybody may add one."""
    return _walked(piece, _Kml(None if layer == EVERY else layer))


def _gpx_rows(piece: Piece, layer: str | None, _: "frozenset[str]") -> Iterator[Row]:
    if layer not in (EVERY, *GPX_LAYERS):
        raise BadInput(
            f"--layer: say which points of a GPX file are meant: {', '.join(GPX_LAYERS)}, or {EVERY} of them"
        )
    return _walked(piece, _Gpx(tuple(GPX_LAYERS.values()) if layer == EVERY else (GPX_LAYERS[layer],)))


SMART_COLUMNS = ("Patrol ID", "Leg ID", "Waypoint ID", "X", "Y", "Leader", "Members")


class _Patrols(_Walk):
    """Collects the waypoints of SMART patrols, each with its leg's leader and members."""

    def __init__(self) -> None:
        super().__init__()
        self._patrol = self._leg = self._leader = ""
        self._members: list[str] = []

    def begin(self, tag: str, told: dict[str, str]) -> None:
        if tag in ("patrol", "legs"):
            self._leave(tag)
            if tag == "patrol":
                self._patrol = told.get("id", "")
            else:
                self._leg = told.get("id", "")
        elif tag == "members":
            name = " ".join(part for part in (told.get("givenName"), told.get("familyName")) if part)
            self._members.append(re.sub(r"[;|]", " ", name or told.get("employeeId", "")))
            if told.get("isLeader", "").lower() in ("true", "1"):
                self._leader = self._members[-1]
        elif tag == "waypoints":
            around = (self._patrol, self._leg, told.get("id"), told.get("x"), told.get("y"), self._leader)
            self.rows.append(dict(zip(SMART_COLUMNS, (*around, "; ".join(sorted(self._members))), strict=True)))

    def finish(self, tag: str, _: str) -> None:
        if tag in ("patrol", "legs"):
            self._leave(tag)

    def _leave(self, tag: str) -> None:
        """Forgets what belongs to a leg, or to a patrol, when it ends."""
        self._leg = self._leader = ""
        self._members = []
        if tag == "patrol":
            self._patrol = ""


def _smart_rows(piece: Piece, _: str | None, __: "frozenset[str]") -> Iterator[Row]:
    return _walked(piece, _Patrols())


KML = Kind("kml", "KML", _kml_rows, placed=True)
GPX = Kind("gpx", "GPX", _gpx_rows, placed=True)
KINDS = (KML, GPX)
SMART = Kind("smart-xml", "SMART patrols", _smart_rows, placed=False)
