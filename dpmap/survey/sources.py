"""Describes where rows come from: a relation for DuckDB or a stream of Arrow batches, whatever file
holds them.

A source knows its columns and how to be opened, and nothing of what its rows hold. What a file is,
is told by its first bytes, not by its name.
"""

import re
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dpmap.errors import BadInput

if TYPE_CHECKING:
    import pyarrow as pa


MOST_COLUMNS = 10_000
EVERY = "all"
"""What is typed for `--layer` to read every layer of a GeoPackage, GPX or KML as one table."""

Needs = tuple[tuple[tuple[tuple[str, ...], bool], ...], ...]
"""What a row that counts holds: for one of several ways, something in one column of each group, a
digit where the flag says so. Readers may use it to tell what could be a row; nothing is dropped for
it.
"""
ANYTHING: Needs = ((),)
People = tuple[tuple[str, ...], ...]
"""The columns that say whose a row is: for each part of the unit those of which the first that
is filled in counts.
"""


@dataclass(frozen=True, slots=True)
class Schema:
    """Says what a survey is before its first record is read, and no record changes it: column names
    as written, who told them (`header`, `file` for its own description, `table` for that of a table
    in memory, `declared`), its kind, encoding and separator.

    Columns of text and of records hold texts; those of other kinds have the types that the file
    declares. `nameless` are those declared as truth values or moments.
    """

    names: tuple[str, ...]
    told_by: str = "file"
    kind: str = "layer or table"
    encoding: str = ""
    separator: str = ""
    nameless: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """Holds the columns by name, the geometry column and its CRS if there is one, and a way to read
    the rows.

    The columns are the survey's schema: a header, a file's own description, or what the steward
    declared, never what a record holds. `sql` is a DuckDB FROM clause; where it is empty, `prepare`
    unpacks into a private folder and returns one, or `stream` opens a reader over the columns asked
    for, and `bind`, where there is one, gives the same source as one that knows what a row must
    hold to count; or `frame` is a table that only Spark reads. `cut`, where there is one, answers
    the same rows as about that many sources. `format` and `sign` are set where the file itself, not
    its header, told what it is. Where rows may change between two readings, `moment` gives the same
    source as of one moment; where each row's geometry names its own CRS, `systems` is the column
    that says it. `drawn` where the file's own schema says that all its shapes are lines or areas.
    Where members of a folder or archive have other columns than others, `parts` holds a source for
    each header, by its own `name`, and nothing else here is read. `files` are those that `sql` may
    read more than once. `of_unit` gives the same source as it is read for a unit, by its columns
    and what stands between names there, where a row's own people decide what belongs to it. `piped`
    where the rows came through a pipe.
    """

    columns: tuple[str, ...]
    geometry: str | None = None
    crs: str | None = None
    sql: str = ""
    stream: "Callable[[list[str]], AbstractContextManager[pa.RecordBatchReader]] | None" = None
    prepare: Callable[[str, Needs], str] | None = None
    bind: "Callable[[Needs], Source] | None" = None
    frame: Any = None
    cut: "Callable[[int], list[Source]] | None" = None
    format: str | None = None
    sign: tuple[str, ...] = ()
    moment: "Callable[[], AbstractContextManager[Source]] | None" = None
    systems: str = ""
    text: "Schema | None" = None
    drawn: bool = False
    name: str = ""
    parts: "tuple[Source, ...]" = ()
    files: tuple[str, ...] = ()
    of_unit: "Callable[[People, str], Source] | None" = None
    piped: bool = False

    @property
    def origin(self) -> str:
        """What the rows were before they were read, where that is no file: the promise begins at
        a table, or a stream, as it was given.
        """
        if self.piped:
            return "a pipe: the promise is about its rows as they came, whoever chose them"
        return (
            "a table in memory: the promise is about its rows, whoever chose them"
            if self.schema.told_by == "table"
            else ""
        )

    @property
    def schema(self) -> Schema:
        """The survey's schema, which its records never change."""
        return self.text or Schema(self.columns)


def table_of(frame: Any) -> Source:
    """Makes the source of a Spark DataFrame, looking only at its column names."""
    columns = tuple(str(column) for column in frame.columns)
    check_told_apart(columns, "the table")
    return Source(columns, frame=frame)


def parts_name(names: list[str]) -> str:
    """Returns the name of some files that have one header, for a message.

    >>> parts_name(["a.csv", "b.csv"])
    'a.csv and 1 more'
    """
    return names[0] + (f" and {len(names) - 1} more" if len(names) > 1 else "")


def together(parts: list[Source]) -> Source:
    """Puts sources of other columns beside each other, each still read by its own; one alone
    stays as it is.
    """
    return (
        replace(parts[0], name="")
        if len(parts) == 1
        else Source(union([part.columns for part in parts]), parts=tuple(parts))
    )


def list_nameless(types: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Lists the columns whose declared types are truth values or moments, which name nobody.

    >>> list_nameless([("nest", "bool"), ("nest_id", "int32"), ("seen", "datetime64[ms]")])
    ('nest', 'seen')
    """
    return tuple(name for name, kind in types if re.match("bool|date|time|duration", kind))


def union(several: "Iterable[tuple[str, ...]]") -> tuple[str, ...]:
    """Returns every column of several headers once, ignoring case, spelled as in the first that has
    it.

    >>> union([("who", "lon"), ("Lon", "date")])
    ('who', 'lon', 'date')
    """
    types: dict[str, str] = {}
    for columns in several:
        for column in columns:
            types.setdefault(column.lower(), column)
    return tuple(types.values())


def check_told_apart(columns: tuple[str, ...], name: str) -> None:
    """Refuses columns that differ only in case, since SQL would confuse them."""
    if len({column.lower() for column in columns}) < len(columns):
        raise BadInput(
            f"survey: two columns of {printable_name(name)} differ in upper and lower case only;"
            " rename one"
        )


def quote_column(identifier: str) -> str:
    """Writes a column name for SQL.

    >>> quote_column('a"b')
    '"a""b"'
    """
    return '"' + identifier.replace('"', '""') + '"'


def file_literal(path: str) -> str:
    """Writes a path for SQL, so that no character in it acts as a pattern.

    >>> file_literal("s[1]*.csv")
    "'s[[]1][*].csv'"
    """
    return literal("".join(f"[{mark}]" if mark in "*?[" else mark for mark in path))


def literal(text: str) -> str:
    """Writes a text for SQL."""
    return "'" + text.replace("'", "''") + "'"


def printable_name(name: str) -> str:
    r"""Returns a file or column name fit for a message: printable and short.

    >>> printable_name("a\x1b[31mb")
    'a[31mb'
    """
    plain = "".join(mark for mark in name if mark.isprintable())
    return plain if len(plain) <= 60 else plain[:57] + "..."


def list_columns(columns: tuple[str, ...]) -> str:
    """Lists column names for a message, at most 40 of them."""
    names = ", ".join(printable_name(column) for column in columns[:40])
    return names + (f" and {len(columns) - 40} more" if len(columns) > 40 else "")


_VALUE = re.compile(r'\d[.,:/]\d|\d{4}|[@{}<>"=]|\[\d|^[\W\d]*$')
"""What stands in rows rather than in headers: numbers, times, addresses, marks of other formats."""


def list_header_columns(columns: tuple[str, ...]) -> str:
    """Lists column names for a message, leaving out any that may be a row's values (no header, or a
    damaged file).

    >>> list_header_columns(("who", "lon")), list_header_columns(("Ana", "-3.25", "56.1"))
    ('who, lon', 'none that looks like a name; if the file has no header, add --columns')
    """
    names = offered_names(columns)
    return (
        list_columns(names)
        if names
        else "none that looks like a name; if the file has no header, add --columns"
    )


def offered_names(columns: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the columns whose names may be shown; none if most of them may be a row's values."""
    names = names_among(columns)
    return () if 2 * len(names) < len(columns) else names


def names_among(columns: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the columns whose names do not look like values."""
    return tuple(column for column in columns if not _VALUE.search(column))


def distinct(columns: list[str]) -> list[str]:
    """Makes names unique: an empty one becomes `column_N`, a repeated one gets `_2`, `_3`.

    >>> distinct(["a", "", "A", "a_2"])
    ['a', 'column_2', 'A_2', 'a_2_2']
    """
    if len(columns) > MOST_COLUMNS:
        raise BadInput(
            f"survey: more than {MOST_COLUMNS:,} columns; export only those that are needed"
        )
    taken: set[str] = set()
    again: dict[str, int] = {}
    names = []
    for place, given in enumerate(columns, start=1):
        base = re.sub(r"[\x00-\x1f\x7f]+", " ", given).strip()[:1000] or f"column_{place}"
        name = base
        copy = again.get(base.lower(), 1)
        while name.lower() in taken:
            copy += 1
            name = f"{base}_{copy}"
        again[base.lower()] = copy
        taken.add(name.lower())
        names.append(name)
    return names
