"""Holds a survey's column names and the parts they play; SQL for its rows is built from these alone."""

from collections.abc import Iterable
from dataclasses import dataclass

from dpmap.errors import BadInput, near
from dpmap.survey.roles import Roles
from dpmap.survey.sources import offered, offered_names, shown


@dataclass(frozen=True, slots=True)
class Header:
    """Holds the column names, as the file spells them, and the parts they play, without access to the rows.

    A survey in several `parts` has a header for each and looks names up in that part's own columns, so no part decides
    what another's columns mean. A part (`name` is its file's) may lack a declared column, which is then empty in its rows.
    """

    columns: tuple[str, ...]
    roles: Roles
    name: str = ""
    parts: "tuple[Header, ...]" = ()

    def known(self, column: str) -> str | None:
        """Returns the column as the file spells it (ignoring case), or None."""
        return match(self.columns, column)

    def require(self, column: str, *, flag: str) -> str:
        """Returns the column as the file spells it (ignoring case), or refuses and lists the columns there are.

        A part of several answers the name itself if it has no such column, since another part may have it.
        """
        if self.name and not any(one.lower() == column.lower() for one in self.columns):
            return column
        return find(self.columns, column, flag=flag)

    def lacking(self, columns: Iterable[str]) -> tuple[str, ...]:
        """Returns those of the columns that this part lacks; a geometry and its CRS are no columns of the header."""
        if not self.name:
            return ()
        own = {self.roles.geometry, *(way.datum for way in self.roles.ways if self.roles.geometry)}
        return tuple(column for column in columns if column not in self.columns and column not in own)


def match(columns: tuple[str, ...], wanted: str) -> str | None:
    """Returns the one column of this name, ignoring case."""
    if wanted in columns:
        return wanted
    close = [column for column in columns if column.lower() == wanted.lower()]
    return close[0] if len(close) == 1 else None


def find(columns: tuple[str, ...], wanted: str, *, flag: str) -> str:
    """Returns the one column of this name, ignoring case, or refuses, naming the flag and the columns there are."""
    found = match(columns, wanted)
    if found is None:
        parts = [match(columns, part.strip()) for part in wanted.split(",")]
        if len(parts) > 1 and all(parts):
            raise BadInput(
                f"{flag}: several columns together are written with + between: {'+'.join(filter(None, parts))}"
            )
        close = near(wanted, map(shown, offered_names(columns)[:40]))
        raise BadInput(f"{flag}: the survey has no column {wanted!r}{close}; it has {offered(columns)}")
    return found
