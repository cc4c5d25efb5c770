"""Where rows come from: a way in for DuckDB, or a stream of Arrow batches, behind any container.

A source knows its columns and how to be opened, and nothing of what its rows hold. What a file is, is told by its
first bytes, not by its name.
"""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dpmap.errors import BadInput

if TYPE_CHECKING:
    import pyarrow as pa


MOST_COLUMNS = 10_000

Needs = tuple[tuple[tuple[tuple[str, ...], bool], ...], ...]
"""What a row that counts holds: for one of several ways, something in one column of each group, a digit where the flag
says so. Readers may use it to tell what could be a row; nothing is dropped for it.
"""
ANYTHING: Needs = ((),)


@dataclass(frozen=True, slots=True)
class Schema:
    """What a survey is, known before its first record and changed by none: the names of its columns as they are written, who
    told them (`header`, `file` for its own description, `declared`), its kind, encoding and separator.

    Columns of text and of records hold texts; those of other kinds have the types that the file declares.
    """

    names: tuple[str, ...]
    told_by: str = "file"
    kind: str = "layer or table"
    encoding: str = ""
    separator: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """Columns by name, the geometry column and its CRS if there is one, and a way in.

    The columns are the survey's schema: a header, a file's own description, or what the steward declared, never what a
    record holds. `sql` is a DuckDB FROM clause; where it is empty, `prepare` unpacks into a private folder and returns one, or
    `stream` opens a reader over the columns asked for; or `frame` is a table that only Spark reads. `cut`, where there
    is one, answers the same rows as about that many sources. `format` and `sign` are set where the file itself, not its
    header, told what it is. Where rows may change between two readings, `moment` gives the same source as of one
    moment; where each row's geometry names its own CRS, `systems` is the column that says it.
    """

    columns: tuple[str, ...]
    geometry: str | None = None
    crs: str | None = None
    sql: str = ""
    stream: "Callable[[list[str]], AbstractContextManager[pa.RecordBatchReader]] | None" = None
    prepare: Callable[[str, Needs], str] | None = None
    frame: Any = None
    cut: "Callable[[int], list[Source]] | None" = None
    format: str | None = None
    sign: tuple[str, ...] = ()
    moment: "Callable[[], AbstractContextManager[Source]] | None" = None
    systems: str = ""
    text: "Schema | None" = None

    @property
    def schema(self) -> Schema:
        """What the survey is, apart from what its records hold."""
        return self.text or Schema(self.columns)


def table_of(frame: Any) -> Source:
    """The source over a Spark DataFrame, of which only the names of its columns are looked at."""
    columns = tuple(str(column) for column in frame.columns)
    check_told_apart(columns, "the table")
    return Source(columns, frame=frame)


def check_told_apart(columns: tuple[str, ...], name: str) -> None:
    """Refuses columns that SQL, in which case is nothing, would take for one another."""
    if len({column.lower() for column in columns}) < len(columns):
        raise BadInput(f"survey: two columns of {shown(name)} differ in upper and lower case only; rename one")


def quoted(identifier: str) -> str:
    """A column name inside SQL.

    >>> quoted('a"b')
    '"a""b"'
    """
    return '"' + identifier.replace('"', '""') + '"'


def file_literal(path: str) -> str:
    """A path inside SQL, in which no mark is a pattern.

    >>> file_literal("s[1]*.csv")
    "'s[[]1][*].csv'"
    """
    return literal("".join(f"[{mark}]" if mark in "*?[" else mark for mark in path))


def literal(text: str) -> str:
    """A text inside SQL."""
    return "'" + text.replace("'", "''") + "'"


def shown(name: str) -> str:
    r"""A file or column name fit for a message: printable, short.

    >>> shown("a\x1b[31mb")
    'a[31mb'
    """
    plain = "".join(mark for mark in name if mark.isprintable())
    return plain if len(plain) <= 60 else plain[:57] + "..."


def listed(columns: tuple[str, ...]) -> str:
    """Column names for a message, at most 40 of them."""
    names = ", ".join(shown(column) for column in columns[:40])
    return names + (f" and {len(columns) - 40} more" if len(columns) > 40 else "")


_VALUE = re.compile(r'\d[.,:/]\d|\d{4}|[@{}<>"=]|\[\d|^[\W\d]*$')
"""What stands in rows rather than in headers: numbers, times, addresses, marks of other formats."""


def offered(columns: tuple[str, ...]) -> str:
    """Column names for a message, but for those that may be a row's values, as where a file has no header or is damaged.

    >>> offered(("who", "lon")), offered(("Ana", "-3.25", "56.1"))
    ('who, lon', 'none that looks like a name; if the file has no header, add --columns')
    """
    names = offered_names(columns)
    return listed(names) if names else "none that looks like a name; if the file has no header, add --columns"


def offered_names(columns: tuple[str, ...]) -> tuple[str, ...]:
    """The columns whose names may be shown: none where most of them may be a row's values."""
    names = names_among(columns)
    return () if 2 * len(names) < len(columns) else names


def names_among(columns: tuple[str, ...]) -> tuple[str, ...]:
    """The columns whose names are surely no values."""
    return tuple(column for column in columns if not _VALUE.search(column))


def distinct(columns: list[str]) -> list[str]:
    """Names made unique: an empty one becomes `column_N`, a repeated one gets `_2`, `_3`.

    >>> distinct(["a", "", "A", "a_2"])
    ['a', 'column_2', 'A_2', 'a_2_2']
    """
    if len(columns) > MOST_COLUMNS:
        raise BadInput(f"survey: more than {MOST_COLUMNS:,} columns; export only those that are needed")
    taken: set[str] = set()
    again: dict[str, int] = {}
    names = []
    for place, given in enumerate(columns, start=1):
        base = re.sub(r"[\x00-\x1f\x7f]+", " ", given).strip()[:1000] or f"column_{place}"
        name, copy = base, again.get(base.lower(), 1)
        while name.lower() in taken:
            copy += 1
            name = f"{base}_{copy}"
        again[base.lower()] = copy
        taken.add(name.lower())
        names.append(name)
    return names
