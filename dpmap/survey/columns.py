"""Holds a survey's column names and the parts they play; SQL for its rows is built from these
alone.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from dpmap.errors import BadInput, near
from dpmap.survey.column_roles import Roles
from dpmap.survey.files.json_text import WITHIN
from dpmap.survey.files.nested_json import BETWEEN
from dpmap.survey.sources import list_header_columns, offered_names, printable_name


@dataclass(frozen=True, slots=True)
class Header:
    """Holds the column names, as the file spells them, and the parts they play, without access to
    the rows.

    A survey in several `parts` has a header for each and looks names up in that part's own columns,
    so no part decides what another's columns mean. A part (`name` is its file's) may lack a
    declared column, which is then empty in its rows.
    """

    columns: tuple[str, ...]
    roles: Roles
    name: str = ""
    parts: "tuple[Header, ...]" = ()

    def known(self, column: str) -> str | None:
        """Returns the column as the file spells it (ignoring case), or None."""
        return match(self.columns, column)

    def require(self, column: str, *, flag: str) -> str:
        """Returns the column as the file spells it (ignoring case), or refuses and lists the
        columns there are.

        A part of several answers the name itself if it has no such column, since another part may
        have it.
        """
        if self.name and not any(one.lower() == column.lower() for one in self.columns):
            return column
        return find(self.columns, column, flag=flag)

    def lacking(self, columns: Iterable[str]) -> tuple[str, ...]:
        """Returns those of the columns that this part lacks; a geometry and its CRS are no
        columns of the header.
        """
        if not self.name:
            return ()
        place_columns = {
            self.roles.geometry,
            *(way.datum for way in self.roles.ways if self.roles.geometry),
        }
        return tuple(
            column
            for column in columns
            if column not in self.columns and column not in place_columns
        )


def match(columns: tuple[str, ...], wanted: str) -> str | None:
    """Returns the one column of this name, ignoring case."""
    if wanted in columns:
        return wanted
    close = [column for column in columns if column.lower() == wanted.lower()]
    return close[0] if len(close) == 1 else None


def find(columns: tuple[str, ...], wanted: str, *, flag: str) -> str:
    """Returns the one column of this name, ignoring case, or refuses, naming the flag and the
    columns there are.
    """
    column = match(columns, wanted)
    if column is None:
        parts = [match(columns, part.strip()) for part in wanted.split(",")]
        if len(parts) > 1 and all(parts):
            raise BadInput(
                f"{flag}: several columns together are written with + between:"
                f" {'+'.join(filter(None, parts))}"
            )
        close = near(wanted, map(printable_name, offered_names(columns)[:40]))
        raise BadInput(
            f"{flag}: the survey has no column {wanted!r}{close}; it has"
            f" {list_header_columns(columns)}"
        )
    return column


_NESTING = re.compile(f"{re.escape(BETWEEN)}|{re.escape(WITHIN)}")
_LEADERS = {"leader", "members"}
"""Columns of a SMART patrol: its leader is one of its members."""
_SIDES = {"longitude", "latitude"}
_PLACE_SOURCES = {"coordinates", "type", "x", "y"}
"""Columns of a place in JSON, and the members of the object that they are made of."""


def share_text(name: str, other: str) -> bool:
    """Whether a text that is struck from one column may change the other: they are one, one lies
    inside the other, or one is made of what the other holds. Upper and lower case are one, as SQL
    sees them.

    Readers nest by `__` (structs) and by `.` (objects of JSON), in whatever depth, and the outer
    column's text holds the inner one's; a list is one column. Columns of a table are taken for
    nested if they are only called so.

    >>> share_text("seen.by", "Seen"), share_text("seen__by__id", "seen__by"), share_text(
    ...     "seen.by", "seen.on"
    ... )
    (True, True, False)
    """
    *around, last = _NESTING.split(name.lower())
    *other_around, other_last = _NESTING.split(other.lower())
    path = [*around, last]
    other_path = [*other_around, other_last]
    depth = min(len(path), len(other_path))
    if path[:depth] == other_path[:depth]:
        return True
    pair = {last, other_last}
    is_place = bool(around) and len(pair & _SIDES) == len(pair & _PLACE_SOURCES) == 1
    return around == other_around and (pair == _LEADERS or is_place)
