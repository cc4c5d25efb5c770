"""Finds of which span of time a release's rows are, where it was declared: by --from and --to, or
as a layer of --times.
"""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from dpmap.errors import BadInput
from dpmap.grid.layer_axes import span_name, span_of
from dpmap.record.record import Record

_DAY = "'?([0-9]{4}(?:-[0-9]{2}){0,2})'?"
_BETWEEN = re.compile(rf"""rows where ("[^"]+"|\S+) between {_DAY} and {_DAY}""")
"""How a rule of `--from` and `--to` is written, where no other rule stands beside it."""


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
        """Whether no row counts in both: the spans share no day, and are of the same column, read
        alike.

        A row with a range of days counts where all of its days lie in one span, so it is never in
        two.

        >>> Period(date(2024, 1, 1), date(2024, 6, 30), "date", "").apart(
        ...     Period(date(2024, 6, 30), date(2024, 7, 1), "date", "")
        ... )
        False
        """
        alike = self.column.lower() == other.column.lower() and self.dates == other.dates
        return alike and (self.last < other.first or other.last < self.first)


def period(record: Record) -> Period | None:
    """Returns the declared span of a release's rows; None where no rule about dates alone chose
    them, or a caller's notes may say so.
    """
    read_as = {} if record.remarks is None else dict(record.about.read_as or ())
    between = _BETWEEN.fullmatch(read_as.get("selected", ""))
    if between is None:
        return None
    column, since, until = between.groups()
    try:
        first, _ = span_of(since)
        _, last = span_of(until)
    except BadInput:  # a stranger's file may say anything
        return None
    return (
        Period(first, last, column.strip('"'), read_as.get("dates", "")) if first <= last else None
    )


def layers_of_one(first: Record, second: Record) -> bool:
    """Whether these are two layers of one release, which count no row twice and share its cap
    and its noise.
    """
    layers = first.about.layer, second.about.layer
    written_by_dpmap = (
        first.remarks is not None and second.remarks is not None
    )  # before, a caller's own notes could say so
    same = (
        first.receipt == second.receipt
        and first.policy == second.policy
        and first.released_on == second.released_on
    )
    return same and written_by_dpmap and all(layers) and layers[0] != layers[1]


def apart_in_time(first: Record, second: Record) -> bool:
    """Whether two releases of one data set count no row twice, since they are layers of one
    release, or of spans declared apart.
    """
    if first.receipt.dataset != second.receipt.dataset:
        return False
    if first.receipt.release_id == second.receipt.release_id:
        return layers_of_one(first, second)
    spans = period(first), period(second)
    return spans[0] is not None and spans[1] is not None and spans[0].apart(spans[1])


def once_each(records: Sequence[Record]) -> list[Record]:
    """Returns one record of each release, which is what a unit's losses are counted by."""
    return list({record.receipt.release_id: record for record in records}.values())
