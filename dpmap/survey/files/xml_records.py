"""Reads KML, GPX and SMART's patrols, XML record by record.

Elements are read as they come by expat, which recurses nowhere; a record begins and ends with its
own element. What is remembered between two records is only what encloses both (a folder, a track, a
patrol), and nothing within a record changes it, whatever its elements are called. XML that declares
entities, or is not well formed, is refused whole.
"""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from dpmap.errors import BadInput
from dpmap.survey.files import wkb
from dpmap.survey.files.records import GEOMETRY, Kind, Row
from dpmap.survey.files.tables import FilePiece, unpack_bounded
from dpmap.survey.sources import EVERY, printable_name

MOST_TEXT = 8 << 20
"""Characters of one element's text; what is longer is cut there, in however many pieces expat
hands it over.
"""
DAMAGED = "it may be cut short or damaged, so export it again"


def xml_root(head: bytes, name: str) -> str:
    """Returns the name of the root element without its namespace; refuses documents that declare
    entities.
    """
    roots: list[str] = []
    parser = parser_of(name)
    parser.StartElementHandler = lambda tag, _: roots.append(tag)
    for start in range(0, len(head), 512):
        if roots:
            break
        try:
            parser.Parse(head[start : start + 512], False)
        except expat.ExpatError:
            break
    return local(roots[0]) if roots else ""


def parser_of(name: str) -> Any:
    """Makes an expat parser that refuses entity declarations."""
    parser = expat.ParserCreate()

    def refuse(*_: object) -> None:
        raise BadInput(
            f"survey: {printable_name(name)} declares XML entities, which no survey needs; export"
            " it again"
            " without them"
        )

    parser.EntityDeclHandler = refuse
    return parser


def local(tag: str) -> str:
    """Returns an element's name without its namespace."""
    return tag.rpartition(":")[2]


class _Walk:
    """Follows the elements of one file and gathers finished records in `rows`.

    An element is a record's, or it is around records. Only those around records are told to `enter`
    and `leave`, so what a record holds never changes what later records stand in.
    """

    record_tags: "frozenset[str]" = frozenset()

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.path: list[str] = []
        self._texts: list[io.StringIO] = []
        self._record_depth = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Handles the start of an element."""
        name = local(tag)
        self.path.append(name)
        self._texts.append(io.StringIO())
        if self._record_depth:
            self.begin_part(name, attributes)
        elif name in self.record_tags:
            self._record_depth = len(self.path)
            self.begin_record(name, attributes)
        else:
            self.enter(name, attributes)

    def text(self, data: str) -> None:
        """Collects text of the innermost element."""
        if self._texts:
            inner = self._texts[-1]
            inner.write(data[: max(0, MOST_TEXT - inner.tell())])

    def end(self, _: str) -> None:
        """Handles the end of an element."""
        name = self.path[-1]
        text = self._texts.pop().getvalue().strip()
        if len(self.path) == self._record_depth:
            self.end_record(name)
            self._record_depth = 0
        elif self._record_depth:
            self.end_part(name, text)
        else:
            self.leave(name, text)
        self.path.pop()

    @property
    def parent(self) -> str:
        """The element that the innermost one stands in; empty for the root."""
        return self.path[-2] if len(self.path) > 1 else ""

    def enter(self, tag: str, attributes: dict[str, str]) -> None:
        """Called at the start of an element around records."""

    def leave(self, tag: str, text: str) -> None:
        """Called at the end of an element around records, with its own text."""

    def begin_record(self, tag: str, attributes: dict[str, str]) -> None:
        """Called at a record's start."""

    def end_record(self, tag: str) -> None:
        """Called at a record's end."""

    def begin_part(self, tag: str, attributes: dict[str, str]) -> None:
        """Called at the start of an element within a record."""

    def end_part(self, tag: str, text: str) -> None:
        """Called at the end of an element within a record, with its own text."""


def _walked(piece: FilePiece, walk: _Walk) -> Iterator[Row]:
    """Yields the records as they end."""
    parser = parser_of(piece.name)
    parser.buffer_text = True
    parser.StartElementHandler = walk.start
    parser.EndElementHandler = walk.end
    parser.CharacterDataHandler = walk.text
    with piece.open() as stream:
        try:
            for chunk in unpack_bounded(piece, stream):
                parser.Parse(chunk, False)
                yield from walk.rows
                walk.rows.clear()
            parser.Parse(b"", True)
        except (expat.ExpatError, LookupError, ValueError):
            raise BadInput(
                f"survey: {printable_name(piece.name)} is not well-formed XML; {DAMAGED}"
            ) from None
    yield from walk.rows


FOLDERS = ("Folder", "Document")


class _Kml(_Walk):
    """Collects placemarks: the texts of their simple elements, their extended data and shape;
    from the folder `layer` if named.
    """

    record_tags = frozenset({"Placemark"})

    def __init__(self, layer: str | None) -> None:
        super().__init__()
        self._layer = layer
        self._within = list[str]()
        self._mark: Row = {}
        self._field = ""
        self._shapes: list[Any] = []
        self._rings: list[Any] = []

    def enter(self, tag: str, _: dict[str, str]) -> None:
        if tag in FOLDERS:
            self._within.append("")

    def leave(self, tag: str, text: str) -> None:
        if tag in FOLDERS:
            self._within.pop()
        elif tag == "name" and self.parent in FOLDERS:
            self._within[-1] = text

    def begin_record(self, _: str, __: dict[str, str]) -> None:
        self._mark = {}
        self._field = ""
        self._shapes = []
        self._rings = []

    def begin_part(self, tag: str, attributes: dict[str, str]) -> None:
        if tag in ("Data", "SimpleData"):
            self._field = attributes.get("name", "")
        elif tag == "Polygon":
            self._rings = []

    def end_part(self, tag: str, text: str) -> None:
        if tag in ("value", "SimpleData") and self._field:
            self._mark.setdefault(self._field, text)
        elif tag == "coordinates":
            self._coordinates(text)
        elif tag == "Polygon":
            self._shapes.append({"type": "Polygon", "coordinates": self._rings})
        elif text and len(self._mark) < 1000:
            self._mark.setdefault(tag, text)

    def _coordinates(self, text: str) -> None:
        points = [one.split(",") for one in text.split()]
        if self.parent == "Point":
            self._shapes.append({"type": "Point", "coordinates": points[0] if points else []})
        elif self.parent == "LineString":
            self._shapes.append({"type": "LineString", "coordinates": points})
        elif self.parent == "LinearRing":
            self._rings.append(points)

    def end_record(self, _: str) -> None:
        row = self._mark
        kinds = {shape["type"] for shape in self._shapes}
        if len(self._shapes) == 1:
            row[GEOMETRY] = wkb.shape_of_geojson(self._shapes[0])
        elif len(kinds) == 1:
            several = [shape["coordinates"] for shape in self._shapes]
            row[GEOMETRY] = wkb.shape_of_geojson(
                {"type": f"Multi{kinds.pop()}", "coordinates": several}
            )
        if self._layer is None or self._layer in self._within:
            self.rows.append(row)


GPX_LAYERS = {"waypoints": "wpt", "route_points": "rtept", "track_points": "trkpt"}


class _Gpx(_Walk):
    """Collects the points of some kinds, each with its own elements and the name of its track or
    route.
    """

    record_tags = frozenset(GPX_LAYERS.values())

    def __init__(self, wanted: tuple[str, ...]) -> None:
        super().__init__()
        self._wanted = wanted
        self._point: Row = {}
        self._names = [""]

    def enter(self, tag: str, _: dict[str, str]) -> None:
        if tag in ("trk", "rte"):
            self._names.append("")

    def leave(self, tag: str, text: str) -> None:
        if tag in ("trk", "rte"):
            self._names.pop()
        elif tag == "name" and self.parent in ("trk", "rte"):
            self._names[-1] = text

    def begin_record(self, tag: str, attributes: dict[str, str]) -> None:
        place = {"type": "Point", "coordinates": [attributes.get("lon"), attributes.get("lat")]}
        self._point = {GEOMETRY: wkb.shape_of_geojson(place)}
        if tag != "wpt":
            self._point["around.name"] = self._names[-1]

    def end_part(self, tag: str, text: str) -> None:
        if text and len(self._point) < 1000:
            self._point.setdefault(tag, text)

    def end_record(self, tag: str) -> None:
        if tag in self._wanted:
            self.rows.append(self._point)


def _kml_rows(piece: FilePiece, layer: str | None, _: "frozenset[str]") -> Iterator[Row]:
    """Reads the folder asked for, or every placemark; a folder called `all` is like the others,
    as anybody may add one.
    """
    return _walked(piece, _Kml(None if layer == EVERY else layer))


def _gpx_rows(piece: FilePiece, layer: str | None, _: "frozenset[str]") -> Iterator[Row]:
    if layer not in (EVERY, *GPX_LAYERS):
        raise BadInput(
            f"--layer: say which points of a GPX file are meant: {', '.join(GPX_LAYERS)}, or"
            f" {EVERY} of them"
        )
    return _walked(
        piece, _Gpx(tuple(GPX_LAYERS.values()) if layer == EVERY else (GPX_LAYERS[layer],))
    )


SMART_COLUMNS = ("Patrol ID", "Leg ID", "Waypoint ID", "X", "Y", "Leader", "Members")


@dataclass(slots=True)
class _Leg:
    """Holds what encloses a waypoint: its patrol, and its leg with the leader and members."""

    patrol: str = ""
    leg: str = ""
    leader: str = ""
    members: list[str] = field(default_factory=list)


class _Patrols(_Walk):
    """Collects the waypoints of SMART patrols, each with its leg's leader and members."""

    record_tags = frozenset({"waypoints"})

    def __init__(self) -> None:
        super().__init__()
        self._around = [_Leg()]

    def enter(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "patrol":
            self._around.append(_Leg(attributes.get("id", "")))
        elif tag == "legs":
            self._around.append(_Leg(self._around[-1].patrol, attributes.get("id", "")))
        elif tag == "members" and self.parent == "legs":
            self._add_member(self._around[-1], attributes)

    def leave(self, tag: str, _: str) -> None:
        if tag in ("patrol", "legs"):
            self._around.pop()

    def _add_member(self, leg: _Leg, attributes: dict[str, str]) -> None:
        """Adds a member to a leg; marks that separate names are no part of one."""
        parts = (attributes.get("givenName"), attributes.get("familyName"))
        name = " ".join(part for part in parts if part) or attributes.get("employeeId", "")
        leg.members.append(re.sub(r"[;|]", " ", name))
        if attributes.get("isLeader", "").lower() in ("true", "1"):
            leg.leader = leg.members[-1]

    def begin_record(self, _: str, attributes: dict[str, str]) -> None:
        leg = self._around[-1]
        place = (attributes.get("id"), attributes.get("x"), attributes.get("y"))
        values = (leg.patrol, leg.leg, *place, leg.leader, "; ".join(sorted(leg.members)))
        self.rows.append(dict(zip(SMART_COLUMNS, values, strict=True)))


def _smart_rows(piece: FilePiece, _: str | None, __: "frozenset[str]") -> Iterator[Row]:
    return _walked(piece, _Patrols())


KML = Kind("kml", "KML", _kml_rows, placed=True)
GPX = Kind("gpx", "GPX", _gpx_rows, placed=True)
KINDS = (KML, GPX)
SMART = Kind("smart-xml", "SMART patrols", _smart_rows, placed=False)
