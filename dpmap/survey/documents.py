"""Exports that are documents, not tables: Darwin Core's meta.xml, SMART's XML patrols, CyberTracker's JSON.

XML is read with expat and refused at the first entity declaration; JSON of more than 256 MB is refused.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from xml.parsers import expat

from dpmap.errors import BadInput
from dpmap.survey.sources import Source, distinct, literal, quoted, shown
from dpmap.survey.tables import Dialect, Piece, relation, sniff, unpacked

if TYPE_CHECKING:
    import pyarrow as pa

MOST_JSON = 256 << 20
MOST_DEFAULTS = 300
_DAMAGED = "it may be cut short or damaged, so export it again"


def xml_root(head: bytes, name: str) -> str:
    """The name of the root element, without its namespace; documents that declare entities are refused."""
    found: list[str] = []
    parser = _parser(lambda tag, attributes: found.append(tag), name)
    for start in range(0, len(head), 512):
        if found:
            break
        try:
            parser.Parse(head[start : start + 512], False)
        except expat.ExpatError:
            break
    return found[0].rpartition(":")[2] if found else ""


def _parser(start: Callable[[str, dict[str, str]], object], name: str) -> Any:
    parser = expat.ParserCreate()

    def refuse(*_: object) -> None:
        raise BadInput(
            f"survey: {shown(name)} declares XML entities, which no survey needs; export it again without them"
        )

    parser.EntityDeclHandler = refuse
    parser.StartElementHandler = start
    return parser


def _parsed(piece: Piece, start: Callable[[str, dict[str, str]], object]) -> None:
    parser = _parser(lambda tag, attributes: start(tag.rpartition(":")[2], attributes), piece.name)
    with piece.open() as stream:
        try:
            for chunk in unpacked(piece, stream):
                parser.Parse(chunk, False)
            parser.Parse(b"", True)
        except expat.ExpatError:
            raise BadInput(f"survey: {shown(piece.name)} is not whole XML; {_DAMAGED}") from None


def smart_patrols(piece: Piece) -> Source:
    """The waypoints of SMART patrols, each with its patrol's leader and members."""
    columns = ("Patrol ID", "Leg ID", "Waypoint ID", "X", "Y", "Leader", "Members")
    return _rows_source(columns, lambda: _waypoints(piece), title="SMART patrols", sign=("patrol", "waypoints"))


def _waypoints(piece: Piece) -> Iterator[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    now: dict[str, str] = {}
    members: list[str] = []

    def start(tag: str, told: dict[str, str]) -> None:
        if tag == "patrol":
            now.update({"Patrol ID": told.get("id", ""), "Leg ID": "", "Leader": ""})
        elif tag == "legs":
            members.clear()
            now.update({"Leg ID": told.get("id", ""), "Leader": ""})
        elif tag == "members":
            name = " ".join(part for part in (told.get("givenName"), told.get("familyName")) if part)
            members.append(re.sub(r"[;|]", " ", name or told.get("employeeId", "")))
            if told.get("isLeader", "").lower() in ("true", "1"):
                now["Leader"] = members[-1]
        elif tag == "waypoints":
            place = {"Waypoint ID": told.get("id"), "X": told.get("x"), "Y": told.get("y")}
            rows.append({**now, **place, "Members": "; ".join(sorted(members))})

    _parsed(piece, start)
    return iter(rows)


def json_records(piece: Piece, layer: str | None) -> Source:
    """A JSON list of records (CyberTracker, EarthRanger): nested parts become columns such as `location.latitude`."""
    rows = _flat_records(piece, layer)
    columns = distinct(sorted({key: None for row in rows for key in row}))
    if not columns:
        raise BadInput(f"survey: {shown(piece.name)} holds no list of records; export it as GeoJSON or CSV")
    return _rows_source(tuple(columns), lambda: iter(_flat_records(piece, layer)))


def _flat_records(piece: Piece, layer: str | None) -> list[dict[str, Any]]:
    records = _records(piece, layer)
    return [_flattened(record) for record in records if isinstance(record, dict)]


def _records(piece: Piece, layer: str | None) -> list[Any]:
    raw = bytearray()
    with piece.open() as stream:
        for chunk in unpacked(piece, stream):
            raw += chunk
            if len(raw) > MOST_JSON:
                raise BadInput(f"survey: {shown(piece.name)} is more than 256 MB of JSON; export it as CSV or GeoJSON")
    try:
        found = _parsed_json(bytes(raw).decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise BadInput(f"survey: {shown(piece.name)} is not whole JSON; {_DAMAGED}") from None
    if isinstance(found, list):
        return found
    for _ in range(3):  # EarthRanger and Epicollect5 wrap their lists: data.results, data.entries
        lists = (
            {key: value for key, value in found.items() if isinstance(value, list)} if isinstance(found, dict) else {}
        )
        for key in (
            layer,
            "records",
            "sightings",
            "results",
            "entries",
            "data",
            "value",
            *(lists if len(lists) == 1 else ()),
        ):
            if key in lists:
                return lists[key]
        found = found.get("data") if isinstance(found, dict) else None
    raise BadInput(f"survey: {shown(piece.name)} holds no list of records; export it as GeoJSON or CSV")


def _parsed_json(text: str) -> Any:
    """One document, or one record a line."""
    first, _, rest = text.strip().partition("\n")
    if rest and first.startswith("{") and first.rstrip().endswith("}"):
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    return json.loads(text)


def _flattened(record: dict[str, Any], prefix: str = "", depth: int = 0) -> dict[str, Any]:
    """A record as one row of texts: nested keys joined by dots, a GeoJSON or [x, y] location as latitude and longitude."""
    row: dict[str, Any] = {}
    for key, value in record.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict) and depth < 3:
            row.update(_flattened(value, f"{name}.", depth + 1))
            pair = value.get("coordinates")
            if value.get("type", "Point") == "Point" and isinstance(pair, list) and len(pair) >= 2:
                row[f"{name}.longitude"], row[f"{name}.latitude"] = str(pair[0]), str(pair[1])
            if str(key).lower() == "location" and "latitude" not in value and {"x", "y"} <= set(value):
                row[f"{name}.longitude"], row[f"{name}.latitude"] = str(value["x"]), str(value["y"])
        elif value is not None:
            row[name] = value if isinstance(value, str) else json.dumps(value)
    return {key: row[key] for key in list(row)[:1000]}


def _rows_source(
    columns: tuple[str, ...],
    rows: "Callable[[], Iterator[dict[str, Any]]]",
    *,
    title: str | None = None,
    sign: tuple[str, ...] = (),
) -> Source:
    """A source over rows that are made anew for every reading."""

    @contextmanager
    def stream(wanted: list[str]) -> "Iterator[pa.RecordBatchReader]":
        import pyarrow as pa

        schema = pa.schema([(column, pa.string()) for column in wanted])
        made = list(rows())
        chunks = (made[start : start + 65536] for start in range(0, len(made), 65536))
        batches = (
            pa.RecordBatch.from_arrays(
                [pa.array([row.get(c) for row in chunk], pa.string()) for c in wanted], schema=schema
            )
            for chunk in chunks
        )
        yield pa.RecordBatchReader.from_batches(schema, batches)

    return Source(columns, stream=stream, format=title, sign=sign)


def darwin_core_archive(meta: Piece, find: Callable[[str], Piece | None]) -> Source:
    """The occurrences of a Darwin Core Archive; where its core is events, each with its event's columns."""
    parts = _archive_parts(meta)
    by_type = {part["rowtype"].rpartition("/")[2].lower(): part for part in reversed(parts)}
    occurrence, event = by_type.get("occurrence"), by_type.get("event")
    rows = occurrence or event
    if rows is None:
        raise BadInput("survey: this Darwin Core Archive holds neither occurrences nor events; give another export")
    main = _archive_table(rows, find)
    sign = ("meta.xml", f"{rows['rowtype'].rpartition('/')[2]} rows")
    own = _with_defaults(rows, main[0][1].columns)[0]
    if occurrence is None or event is None or not event["core"]:
        return _signed(Source(own, prepare=lambda folder: _filled(rows, main, folder)), sign)
    side = _archive_table(event, find)
    key, other = main[0][1].columns[occurrence["id"]], side[0][1].columns[event["id"]]
    beside = _with_defaults(event, side[0][1].columns)[0]
    taken = {column.lower() for column in own}
    extra = tuple(column for column in beside if column.lower() not in taken)
    both = tuple(column for column in beside if column.lower() in taken and column != other)
    names = {column.lower(): column for column in own}

    def prepare(folder: str) -> str:
        """Events whose id is not unique place nothing: which of them is meant nobody can tell."""
        events = (
            f"(SELECT * FROM {_filled(event, side, folder)} QUALIFY count(*) OVER (PARTITION BY {quoted(other)}) = 1)"
        )
        filled = ", ".join(
            f"coalesce(nullif(o.{quoted(names[c.lower()])}, ''), e.{quoted(c)}) AS {quoted(names[c.lower()])}"
            for c in both
        )
        star = f"o.* REPLACE ({filled})" if both else "o.*"
        added = "".join(f", e.{quoted(column)}" for column in extra)
        return (
            f"(SELECT {star}{added} FROM {_filled(rows, main, folder)} AS o LEFT JOIN {events} AS e "
            f"ON o.{quoted(key)} = e.{quoted(other)})"
        )

    return _signed(Source((*own, *extra), prepare=prepare), ("meta.xml", "Event core with occurrences"))


def _with_defaults(part: dict[str, Any], columns: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """The columns with those that meta.xml gives one value for all rows, and the words that select them."""
    at = {term: columns[index] for index, term in part["terms"].items() if index < len(columns)}
    taken = {column.lower() for column in columns}
    blank = {at[term]: value for term, value in part["defaults"].items() if term in at}
    new = {term: value for term, value in part["defaults"].items() if term not in at and term.lower() not in taken}
    filled = ", ".join(
        f"coalesce(nullif({quoted(name)}, ''), {literal(value)}) AS {quoted(name)}" for name, value in blank.items()
    )
    star = f"* REPLACE ({filled})" if blank else "*"
    return (*columns, *new), ", ".join([star, *(f"{literal(value)} AS {quoted(term)}" for term, value in new.items())])


def _filled(part: dict[str, Any], pieces: list[tuple[Piece, Dialect]], folder: str) -> str:
    """The table of a part, what meta.xml says of every row filled in."""
    words = _with_defaults(part, pieces[0][1].columns)[1]
    read = relation(pieces, folder)
    return read if words == "*" else f"(SELECT {words} FROM {read})"


def _signed(source: Source, sign: tuple[str, ...]) -> Source:
    return Source(source.columns, prepare=source.prepare, format="Darwin Core Archive", sign=sign)


def _archive_parts(meta: Piece) -> list[dict[str, Any]]:
    """The files that meta.xml describes: type, location, separators, the id's place and the terms in order."""
    parts: list[dict[str, Any]] = []
    last: list[str] = [""]

    def start(tag: str, told: dict[str, str]) -> None:
        last[0] = tag
        if tag in ("core", "extension"):
            parts.append(
                {
                    "core": tag == "core",
                    "rowtype": told.get("rowType", ""),
                    "told": told,
                    "files": [],
                    "terms": {},
                    "defaults": {},
                    "id": 0,
                }
            )
        elif tag in ("id", "coreid") and parts:
            parts[-1]["id"] = _index(told.get("index")) or 0
        elif tag == "field" and parts:
            term = re.split(r"[/#]", told.get("term", ""))[-1]
            if _index(told.get("index")) is not None:
                parts[-1]["terms"][_index(told["index"])] = term
            if told.get("default") and term and len(parts[-1]["defaults"]) < MOST_DEFAULTS:
                parts[-1]["defaults"].setdefault(term, told["default"])

    def text(data: str) -> None:
        if last[0] == "location" and data.strip() and parts:
            parts[-1]["files"].append(data.strip())
            last[0] = ""

    parser = _parser(lambda tag, told: start(tag.rpartition(":")[2], told), meta.name)
    parser.CharacterDataHandler = text
    parser.buffer_text = True
    try:
        parser.Parse(meta.head(), True)
    except expat.ExpatError:
        raise BadInput("survey: meta.xml of this Darwin Core Archive is damaged; export it again") from None
    return parts


def _index(text: str | None) -> int | None:
    return int(text) if text is not None and text.isdigit() and int(text) < 10_000 else None


def _archive_table(part: dict[str, Any], find: Callable[[str], Piece | None]) -> list[tuple[Piece, Dialect]]:
    pieces = [find(name) for name in part["files"]]
    if not pieces or not all(pieces):
        raise BadInput("survey: meta.xml names a file that this Darwin Core Archive does not hold; export it again")
    return [(piece, _archive_dialect(part, piece)) for piece in pieces if piece is not None]


def _archive_dialect(part: dict[str, Any], piece: Piece) -> Dialect:
    """The dialect meta.xml declares, the names its terms, else the file's own header."""
    told = part["told"]
    marks = {"\\t": "\t", "": ",", "\\n": "\n"}
    delimiter = marks.get(told.get("fieldsTerminatedBy", ","), told.get("fieldsTerminatedBy", ","))
    quote = told.get("fieldsEnclosedBy", '"')
    skip = _index(told.get("ignoreHeaderLines", "0")) or 0
    if len(delimiter) != 1 or len(quote) > 1:
        raise BadInput("survey: meta.xml declares separators of several marks; export the archive again")
    own: tuple[str, ...] = sniff(piece).columns if skip else ()
    width = max([len(own), part["id"] + 1, *(index + 1 for index in part["terms"])])
    names = [part["terms"].get(index) or (own[index] if index < len(own) else "") for index in range(width)]
    if not names[part["id"]]:
        names[part["id"]] = "id"
    encoding = told.get("encoding", "utf-8").lower()
    return Dialect(tuple(distinct(names)), delimiter, quote, "utf-8" if encoding == "utf-8" else _known(encoding),
                   max(0, skip - 1), header=skip > 0)  # fmt: skip


def _known(encoding: str) -> str:
    from dpmap.survey.tables import _encoding

    return _encoding(b"", encoding)


__all__ = ["darwin_core_archive", "json_records", "literal", "smart_patrols", "xml_root"]
