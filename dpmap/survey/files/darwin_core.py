"""Reads Darwin Core Archives, whose meta.xml says which file holds what in which column.

Where the core is events, each occurrence gets its event's columns by the event's key. That key must
be unique, or the archive is refused whole: of two events with one key nobody can tell which is
meant, and one person's second line would move the others.
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any
from xml.parsers import expat

from dpmap.errors import BadInput
from dpmap.survey.files.archives import check_no_pack
from dpmap.survey.files.events import Join, database_in, join_events_sql
from dpmap.survey.files.tables import (
    Dialect,
    FilePiece,
    encoding_of,
    first_fields,
    relation,
    stream_columns,
)
from dpmap.survey.files.xml_records import local, parser_of
from dpmap.survey.formats import fold_name, plain_places, recognise
from dpmap.survey.sources import (
    ANYTHING,
    Needs,
    People,
    Source,
    distinct,
    literal,
    printable_name,
    quote_column,
)

if TYPE_CHECKING:
    import pyarrow as pa

MOST_DEFAULTS = 300


def darwin_core_archive(meta: FilePiece, find: Callable[[str], FilePiece | None]) -> Source:
    """Opens the occurrences of a Darwin Core Archive; if its core is events, each with its
    event's columns.
    """
    parts = _archive_parts(meta)
    by_type = {part["rowtype"].rpartition("/")[2].lower(): part for part in reversed(parts)}
    occurrence = by_type.get("occurrence")
    event = by_type.get("event")
    rows = occurrence or event
    if rows is None:
        raise BadInput(
            "survey: this Darwin Core Archive holds neither occurrences nor events; give another"
            " export"
        )
    main = _archive_table(rows, find)
    sign = ("meta.xml", f"{rows['rowtype'].rpartition('/')[2]} rows")
    core_source = _with_defaults(rows, main[0][1].columns)[0]
    if occurrence is None or event is None or not event["core"]:
        return _signed(_table_with_defaults(rows, main), sign)
    side = _archive_table(event, find)
    key = main[0][1].columns[occurrence["id"]]
    event_key = side[0][1].columns[event["id"]]
    names = {column.lower(): column for column in core_source}
    beside = {
        names.get(column.lower(), column): column
        for column in _with_defaults(event, side[0][1].columns)[0]
    }
    join = Join(key, event_key, core_source, beside)

    def of_unit(people: People, team: str) -> Source:
        def prepare(folder: str, _: Needs) -> str:
            events = _filled(event, side, folder, ANYTHING)
            _check_unique(events, event_key, folder)
            return join_events_sql(
                join, _filled(rows, main, folder, ANYTHING), events, folder, people, team
            )

        return Source((*core_source, *join.extra), prepare=prepare)

    return _signed(
        replace(of_unit((), "none"), of_unit=of_unit), ("meta.xml", "Event core with occurrences")
    )


def _table_with_defaults(part: dict[str, Any], pieces: list[tuple[FilePiece, Dialect]]) -> Source:
    """Makes the source of a part's table, in which the values that meta.xml gives for every row
    stand where a row has none.
    """
    columns = pieces[0][1].columns
    terms = {term: columns[index] for index, term in part["terms"].items() if index < len(columns)}
    defaults = {terms.get(term, term): value for term, value in part["defaults"].items()}

    def bound(needs: Needs) -> Source:
        return replace(
            whole,
            stream=partial(_stream_filled, pieces, defaults, _unfilled(needs, defaults)),
            bind=None,
        )

    every = _with_defaults(part, columns)[0]
    stream = partial(_stream_filled, pieces, defaults, ANYTHING)
    whole = Source(every, stream=stream, bind=bound)
    return whole


def _unfilled(needs: Needs, defaults: dict[str, str]) -> Needs:
    """Returns what a line itself must hold for its record to count: what a default fills, it may
    leave empty.
    """
    return tuple(
        tuple(
            (group, digit)
            for group, digit in need
            if not any(column in defaults for column in group)
        )
        for need in needs
    )


@contextmanager
def _stream_filled(
    pieces: list[tuple[FilePiece, Dialect]],
    defaults: dict[str, str],
    needs: Needs,
    wanted: list[str],
) -> "Iterator[pa.RecordBatchReader]":
    """Opens a reader over some columns of a table, with the defaults filled in; each value by
    itself.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    schema = pa.schema([(name, pa.string()) for name in wanted])

    def fill_column(batch: "pa.RecordBatch", name: str) -> "pa.Array":
        if name not in batch.schema.names:
            return pa.repeat(pa.scalar(defaults[name]), batch.num_rows)
        column = batch.column(name)
        return pc.fill_null(column, defaults[name]) if name in defaults else column

    with stream_columns(
        pieces, needs, [name for name in wanted if name in pieces[0][1].columns]
    ) as reader:
        batches = (
            pa.RecordBatch.from_arrays([fill_column(batch, name) for name in wanted], schema=schema)
            for batch in reader
        )
        yield pa.RecordBatchReader.from_batches(schema, batches)


def files_of(meta: FilePiece) -> set[str]:
    """Lists the names of all files that meta.xml describes."""
    return {os.path.basename(name) for part in _archive_parts(meta) for name in part["files"]}


def _with_defaults(part: dict[str, Any], columns: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """Returns all columns, with those that meta.xml gives one value for every row, and the SQL
    that selects them.
    """
    at = {term: columns[index] for index, term in part["terms"].items() if index < len(columns)}
    taken = {column.lower() for column in columns}
    blank = {at[term]: value for term, value in part["defaults"].items() if term in at}
    new = {
        term: value
        for term, value in part["defaults"].items()
        if term not in at and term.lower() not in taken
    }
    filled = ", ".join(
        f"coalesce(nullif({quote_column(name)}, ''), {literal(value)}) AS {quote_column(name)}"
        for name, value in blank.items()
    )
    star = f"* REPLACE ({filled})" if blank else "*"
    return (*columns, *new), ", ".join(
        [star, *(f"{literal(value)} AS {quote_column(term)}" for term, value in new.items())]
    )


def _filled(
    part: dict[str, Any], pieces: list[tuple[FilePiece, Dialect]], folder: str, needs: Needs
) -> str:
    """Returns the SQL of a part's table, including the values that meta.xml gives for every row."""
    words = _with_defaults(part, pieces[0][1].columns)[1]
    read = relation(pieces, folder, needs)
    return read if words == "*" else f"(SELECT {words} FROM {read})"


def _signed(source: Source, sign: tuple[str, ...]) -> Source:
    return replace(source, format="Darwin Core Archive", sign=sign)


def _archive_parts(meta: FilePiece) -> list[dict[str, Any]]:
    """Reads what meta.xml says of each file: type, location, separators, the id's place and the
    terms in order.
    """
    parts: list[dict[str, Any]] = []
    last: list[str] = [""]

    def start(tag: str, attributes: dict[str, str]) -> None:
        last[0] = tag
        if tag in ("core", "extension"):
            parts.append(
                {
                    "core": tag == "core",
                    "rowtype": attributes.get("rowType", ""),
                    "told": attributes,
                    "files": [],
                    "terms": {},
                    "defaults": {},
                    "id": 0,
                }
            )
        elif tag in ("id", "coreid") and parts:
            parts[-1]["id"] = _index(attributes.get("index")) or 0
        elif tag == "field" and parts:
            term = re.split(r"[/#]", attributes.get("term", ""))[-1]
            if _index(attributes.get("index")) is not None:
                parts[-1]["terms"][_index(attributes["index"])] = term
            if attributes.get("default") and term and len(parts[-1]["defaults"]) < MOST_DEFAULTS:
                parts[-1]["defaults"].setdefault(term, attributes["default"])

    def text(data: str) -> None:
        if last[0] == "location" and data.strip() and parts:
            parts[-1]["files"].append(data.strip())
            last[0] = ""

    parser = parser_of(meta.name)
    parser.StartElementHandler = lambda tag, told: start(local(tag), told)
    parser.CharacterDataHandler = text
    parser.buffer_text = True
    try:
        parser.Parse(meta.head(), True)
    except expat.ExpatError:
        raise BadInput(
            "survey: meta.xml of this Darwin Core Archive is damaged; export it again"
        ) from None
    return parts


def _index(text: str | None) -> int | None:
    return int(text) if text is not None and text.isdigit() and int(text) < 10_000 else None


def _archive_table(
    part: dict[str, Any], find: Callable[[str], FilePiece | None]
) -> list[tuple[FilePiece, Dialect]]:
    pieces = [find(name) for name in part["files"]]
    if not pieces or not all(pieces):
        raise BadInput(
            "survey: meta.xml names a file that this Darwin Core Archive does not hold; export it"
            " again"
        )
    tables = [(piece, _archive_dialect(part, piece)) for piece in pieces if piece is not None]
    for piece, dialect in tables:
        if dialect.columns != tables[0][1].columns:
            raise _other_columns(piece.name)
    return tables


def _archive_dialect(part: dict[str, Any], piece: FilePiece) -> Dialect:
    """Returns the dialect that meta.xml declares; names are its terms, else the file's own
    header.
    """
    check_no_pack(piece.name, piece.head(512))
    attributes = part["told"]
    marks = {"\\t": "\t", "": ",", "\\n": "\n"}
    delimiter = marks.get(
        attributes.get("fieldsTerminatedBy", ","), attributes.get("fieldsTerminatedBy", ",")
    )
    quote = attributes.get("fieldsEnclosedBy", '"')
    skip = _index(attributes.get("ignoreHeaderLines", "0")) or 0
    odd = (
        len(delimiter) != 1
        or len(quote) > 1
        or not (delimiter + quote).isascii()
        or delimiter == quote
    )
    if odd or {delimiter, quote} & set("\r\n\0"):
        raise BadInput(
            "survey: meta.xml declares a separator or quote that is not one plain character; export"
            " the archive again"
        )
    top = first_fields(piece, delimiter, quote, header=skip > 0)
    header = tuple(distinct(top)) if skip else ()
    if skip <= 1:
        terms = {index: term for index, term in part["terms"].items() if index != part["id"]}
        _check_agrees(terms, top, piece.name, header=skip == 1)
    width = max([len(header), part["id"] + 1, *(index + 1 for index in part["terms"])])
    names = [
        part["terms"].get(index) or (header[index] if index < len(header) else "")
        for index in range(width)
    ]
    if not names[part["id"]]:
        names[part["id"]] = "id"
    encoding = encoding_of(b"", attributes.get("encoding") or "utf-8")
    return Dialect(
        tuple(distinct(names)), delimiter, quote, encoding, max(0, skip - 1), header=skip > 0
    )


def _check_agrees(terms: dict[int, str], top: list[str], name: str, *, header: bool) -> None:
    """Refuses a meta.xml that contradicts a table's first line: it may belong to other files."""
    if header:
        other = [
            term
            for index, term in terms.items()
            if index < len(top) and top[index] and fold_name(top[index]) != fold_name(term)
        ]
    else:
        other = ["row"] if recognise(top) or plain_places(top) else []
    if other:
        raise _other_columns(name)


def _other_columns(name: str) -> BadInput:
    return BadInput(
        f"survey: meta.xml and the first line of {printable_name(name)} name different columns;"
        " mend one of"
        " them, or read the table by its own header with --layer NAME"
    )


def _check_unique(events: str, key: str, folder: str) -> None:
    """Refuses an archive in which two events have the same key."""
    query = (
        f"SELECT count({quote_column(key)}) - count(DISTINCT {quote_column(key)}) FROM {events}"
        " WHERE"
        f" {quote_column(key)} <> ''"
    )
    with database_in(folder) as database:
        ((again,),) = database.execute(query).fetchall()
    if again:
        raise BadInput(
            f"survey: two events of this Darwin Core Archive have one {printable_name(key)}, so"
            " which of"
            " them is meant cannot be told; mend the event file or export the archive again"
        )
