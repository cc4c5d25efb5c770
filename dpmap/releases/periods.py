"""Says of which span of time a release's rows are, where it was declared: by --from and --to, or as a layer of --times."""

import re
from datetime import date, timedelta
from typing import NamedTuple

from dpmap.errors import BadInput
from dpmap.grid.axes import span_name, span_of
from dpmap.record import Record

_BETWEEN = re.compile(
    r"rows where (?P<column>\S+) between (?P<first>[0-9]{4}(?:-[0-9]{2}){0,2}) and (?P<last>[0-9]{4}(?:-[0-9]{2}){0,2})"
)


class Period(NamedTuple):
    """Holds a span of days, both included, of one column of dates, and how its dates are read."""

    first: date
    last: date
    column: str
    dates: str

    @property
    def name(self) -> str:
        """The year, the month, or the first and the last day.

        >>> Period(date(2024, 1, 1), date(2024, 6, 30), "date", "").name
        '2024-01 to 2024-06'
        """
        return span_name(self.first, self.last + timedelta(days=1))

    def apart(self, other: "Period") -> bool:
        """Whether no row counts in both: the spans share no day, and are of the same column, read alike.

        A row with a range of days counts where all of its days lie in one span, so it is never in two.

        >>> Period(date(2024, 1, 1), date(2024, 6, 30), "date", "").apart(Period(date(2024, 6, 30), date(2024, 7, 1), "date", ""))
        False
        """
        alike = self.column.lower() == other.column.lower() and self.dates == other.dates
        return alike and (self.last < other.first or other.last < self.first)


def period(record: Record) -> Period | None:
    """Returns the declared span of a release's rows; None where no rule about dates alone chose them."""
    told = dict(record.about.read_as or ())
    found = _BETWEEN.fullmatch(told.get("selected", ""))
    if found is None:
        return None
    try:
        first, last = span_of(found["first"])[0], span_of(found["last"])[1]
    except BadInput:  # a stranger's file may say anything
        return None
    return Period(first, last, found["column"], told.get("dates", "")) if first <= last else None
