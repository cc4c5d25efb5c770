"""Joins the occurrences of a Darwin Core Archive to their events, each to none but its people's
own.

*Whose record an event line is.* By the archive's own schema there are two kinds of event tables.

1. *Events that name people*: the event table has the column of the unit (one of each part of it).
   An event line is a record of those whom it names. Of those whom an occurrence names, each one
   whom its event names too gets the event's columns where the occurrence has none; each other one
   gets the occurrence as it stands. An occurrence whose column of people is empty is a record of
   its event's people. An event line that names nobody gives nothing.
2. *Events that name nobody*: the event table has no such column. Its lines are no one's records,
   as those of a list of sites, and an archive in which an occurrence names an event that is not
   there is refused whole.

*Theorem.* Of an accepted archive, the rows of records S and T that share no unit are those of S
and those of T. *Proof.* Keys are unique (`darwin_core`), so an occurrence has at most one event
line, wherever that stands. (1) Let m be named by an occurrence. Her row is a function of that
occurrence and of its event line as far as that names m, and else of the occurrence alone: `_shares`
keeps of both texts what is m's. So lines in which m has no part change nothing of hers, whoever
else is named beside her, and striking another's name from both texts leaves her row. An
occurrence that names nobody counts for the people of its event, whose record it is, or as if it
had no event. (2) In S each named event is there, or S is refused; in S with T it is the same line,
since a second one of its key would be refused. QED
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import TYPE_CHECKING

from dpmap.errors import BadInput
from dpmap.survey.sources import People, file_literal, quote_column
from dpmap.survey.unit_names import PLACEHOLDERS, members, strike

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

BATCH = 1 << 16
Texts = tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Join:
    """Describes occurrences and their events: the key of each, the occurrences' columns, and each
    of the events' columns by the name it has in the joined table.
    """

    key: str
    event_key: str
    own: tuple[str, ...]
    event_columns: dict[str, str]

    @property
    def extra(self) -> list[str]:
        """The columns that only events have."""
        return [column for column in self.event_columns if column not in self.own]

    @property
    def filling(self) -> dict[str, str]:
        """The events' columns that a row may get: what an occurrence has under the name of the
        key stays.
        """
        return {
            name: column
            for name, column in self.event_columns.items()
            if column != self.event_key or name not in self.own
        }


def join_events_sql(
    join: Join, occurrences: str, events: str, folder: str, people: People, team: str
) -> str:
    """Returns the SQL of the occurrences, each with the columns of an event of its own people."""
    at_event = {**join.event_columns, join.key: join.event_key}
    if not people or not all(any(column in at_event for column in part) for part in people):
        _check_complete(join, occurrences, events, folder)
        return _select(join, occurrences, events, "true", {}, "")
    columns = list(
        dict.fromkeys(
            column for part in people for column in part if column in (*join.own, *at_event)
        )
    )
    selected = [
        f"{_text('o', column, column in join.own)} AS o{at},"
        f" {_text('e', at_event.get(column, ''), column in at_event)} AS e{at}"
        for at, column in enumerate(columns)
    ]
    pairs = (
        f"SELECT DISTINCT {', '.join(selected)} FROM {occurrences} AS o JOIN {events} AS e ON"
        f" {_matches(join)}"
    )
    path = _verdicts(pairs, columns, people, team, folder)
    alike = [
        f"{_text('o', column, column in join.own)} IS NOT DISTINCT FROM p.o{at} AND "
        f"{_text('e', at_event.get(column, ''), column in at_event)} IS NOT DISTINCT FROM p.e{at}"
        for at, column in enumerate(columns)
    ]
    verdict = (
        f" LEFT JOIN read_parquet({file_literal(path)}) AS p ON {_matches(join)} AND"
        f" {' AND '.join(alike)}"
    )
    texts = {
        column: (
            f"CASE WHEN p.filled IS NULL THEN {_text('o', column, column in join.own)} ELSE"
            f" p.w{at} END"
        )
        for at, column in enumerate(columns)
    }
    return _select(join, occurrences, events, "coalesce(p.filled, false)", texts, verdict)


def _text(table: str, column: str, is_there: bool) -> str:  # noqa: FBT001
    return f"{table}.{quote_column(column)}" if is_there else "CAST(NULL AS VARCHAR)"


def _matches(join: Join) -> str:
    """Returns the condition under which an occurrence names an event."""
    event_key = f"e.{quote_column(join.event_key)}"
    return f"o.{quote_column(join.key)} = {event_key} AND {event_key} <> ''"


def _select(
    join: Join, occurrences: str, events: str, filled: str, texts: dict[str, str], verdict: str
) -> str:
    """Builds the joined table: event columns where a row is `filled`, those of people as `texts`
    says.
    """

    def column_sql(column: str) -> str:
        own_sql = _text("o", column, column in join.own)
        event = join.filling.get(column)
        if column in texts:
            return texts[column]
        if event is None:
            return own_sql
        there = (
            f"coalesce(nullif({own_sql}, ''), e.{quote_column(event)})"
            if column in join.own
            else f"e.{quote_column(event)}"
        )
        return f"CASE WHEN {filled} THEN {there} ELSE {own_sql} END"

    chosen = ", ".join(
        f"{column_sql(column)} AS {quote_column(column)}" for column in (*join.own, *join.extra)
    )
    return (
        f"(SELECT {chosen} FROM {occurrences} AS o LEFT JOIN {events} AS e ON"
        f" {_matches(join)}{verdict})"
    )


def _check_complete(join: Join, occurrences: str, events: str, folder: str) -> None:
    """Refuses an archive in which an occurrence names an event that is not there."""
    query = (
        f"SELECT 1 FROM {occurrences} AS o ANTI JOIN {events} AS e ON {_matches(join)} WHERE"
        f" o.{quote_column(join.key)} <> '' LIMIT 1"
    )
    with database_in(folder) as database:
        missing = database.execute(query).fetchall()
    if missing:
        raise BadInput(
            "survey: an occurrence of this Darwin Core Archive names an event that is not in it, so"
            " one line more could give it another's place; add its event, empty its key, or export"
            " the archive again"
        )


@contextmanager
def database_in(folder: str) -> "Iterator[duckdb.DuckDBPyConnection]":
    """Opens a database in memory that spills to the private folder."""
    import duckdb

    config = {
        "temp_directory": folder,
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    with duckdb.connect(":memory:", config=config) as database:  # type: ignore[arg-type]
        yield database


def _verdicts(pairs: str, columns: list[str], people: People, team: str, folder: str) -> str:
    """Writes what becomes of each two texts of an occurrence and its event; returns the file's
    path.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    text_columns = [f"{side}{at}" for at in range(len(columns)) for side in "oe"]
    kept_columns = [f"w{at}" for at in range(len(columns))]
    schema = pa.schema(
        [*((name, pa.string()) for name in (*text_columns, *kept_columns)), ("filled", pa.bool_())]
    )
    parts = tuple(
        tuple(columns.index(column) for column in part if column in columns) for part in people
    )
    path = os.path.join(folder, f"table-{len(os.listdir(folder))}-events.parquet")
    with database_in(folder) as database, pq.ParquetWriter(path, schema) as out:
        for batch in database.sql(pairs).to_arrow_reader(BATCH):
            out.write_batch(_verdict_rows(batch, parts, team, schema))
    return path


def _verdict_rows(
    batch: "pa.RecordBatch", parts: tuple[tuple[int, ...], ...], team: str, schema: "pa.Schema"
) -> "pa.RecordBatch":
    import pyarrow as pa

    rows = list[tuple[str | bool | None, ...]]()
    for texts in zip(*(column.to_pylist() for column in batch.columns), strict=True):
        for is_kept, is_filled in _shares(texts[0::2], texts[1::2], parts, team):
            rows.append((*texts, *is_kept, is_filled))
    columns = zip(*rows, strict=True) if rows else [()] * len(schema)
    return pa.record_batch(
        [pa.array(column, kind) for column, kind in zip(columns, schema.types, strict=True)],
        schema=schema,
    )


def _shares(
    own_names: Texts, event: Texts, parts: tuple[tuple[int, ...], ...], team: str
) -> list[tuple[Texts, bool]]:
    """Returns the texts of those people of an occurrence whom its event names too, and of the
    others, if there are both.

    Nothing where the event names none of them: the occurrence then stays as it is.
    """
    filled = list(own_names)
    alone = list(own_names)
    have_others = False
    for part in parts:
        event_people = _people(event, part, team)
        if all(not (own_names[at] or "").strip(" ") for at in part):
            if not event_people:
                return []
            for at in part:
                filled[at] = event[at]
            continue
        text = _first_text(own_names, part)
        named = members(text, team)
        common = [name for name in named if name in event_people]
        if not common:
            return []
        if len(common) < len(
            named
        ):  # then this is the only part: a unit of several is never taken apart
            have_others = True
            for at in part:
                filled[at] = reduce(
                    lambda rest, name: strike(rest, name, team), sorted({*named} - {*common}), text
                )
                alone[at] = reduce(lambda rest, name: strike(rest, name, team), common, text)
    return [(tuple(filled), True), *([(tuple(alone), False)] if have_others else [])]


def _first_text(texts: Texts, part: tuple[int, ...]) -> str:
    """Returns the text that says who, as `selection` picks it: the first that is filled in, else
    the last.
    """
    written = [texts[at] or "" for at in part]
    return next(
        (text for text in written if text.strip(" ").lower() not in ("", *PLACEHOLDERS)),
        written[-1],
    )


def _people(texts: Texts, part: tuple[int, ...], team: str) -> frozenset[str]:
    return _named_people(_first_text(texts, part), team)


@lru_cache(maxsize=1 << 12)
def _named_people(text: str, team: str) -> frozenset[str]:
    return frozenset(members(text, team))
