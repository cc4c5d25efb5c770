"""A survey's columns by name, and the parts they play: all that the words for its rows are made of."""

from dataclasses import dataclass

from dpmap.errors import BadInput, near
from dpmap.survey.roles import Roles
from dpmap.survey.sources import offered, offered_names, shown


@dataclass(frozen=True, slots=True)
class Header:
    """The columns' names, as the file spells them, and the parts they play; no way to the rows."""

    columns: tuple[str, ...]
    roles: Roles

    def known(self, column: str) -> str | None:
        """The column as the file spells it (case aside), or None."""
        return match(self.columns, column)

    def require(self, column: str, *, flag: str) -> str:
        """The column as the file spells it (case aside), or a refusal that lists what there is."""
        return find(self.columns, column, flag=flag)


def match(columns: tuple[str, ...], wanted: str) -> str | None:
    """The one column that is called so, case aside."""
    if wanted in columns:
        return wanted
    close = [column for column in columns if column.lower() == wanted.lower()]
    return close[0] if len(close) == 1 else None


def find(columns: tuple[str, ...], wanted: str, *, flag: str) -> str:
    """The same, or a refusal that names the flag and lists what there is."""
    found = match(columns, wanted)
    if found is None:
        close = near(wanted, map(shown, offered_names(columns)[:40]))
        raise BadInput(f"{flag}: the survey has no column {wanted!r}{close}; it has {offered(columns)}")
    return found
