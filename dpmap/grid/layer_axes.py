"""The axes of a layered map, by declared kinds and times: one cap and one epsilon hold for all
layers.

A unit's cap spans all layers together: what it adds to the kestrels of 2024 it cannot add to the
owls of 2025.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dpmap.errors import BadInput
from dpmap.numbers import decimal_text, exact

MOST_LAYERS = 10_000
MOST_VALUE = 10**15
_DATE = re.compile("([0-9]{4})(?:-([0-9]{2}))?(?:-([0-9]{2}))?")


@dataclass(frozen=True, slots=True)
class Kinds:
    """Makes one layer for each declared value of a column, ignoring case; rows with another value
    are left out.

    - `column`: the column of the survey, such as the species.
    - `names`: its values, declared and not read off the data.

    >>> Kinds("species", ("Kestrel", "Barn owl")).layers
    ('Kestrel', 'Barn owl')
    """

    column: str
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        names = [name.strip() for name in self.names]
        if (
            not self.column.strip()
            or not names
            or not all(names)
            or not all(name.isprintable() for name in names)
        ):
            raise BadInput(
                "kinds: write a column and its values, like --kinds species=Kestrel,Barn owl"
            )
        if len({name.lower() for name in names}) < len(names):
            raise BadInput("kinds: each value once, whatever its case")
        object.__setattr__(self, "names", tuple(names))

    @property
    def layers(self) -> tuple[str, ...]:
        """The names of its layers, in order."""
        return self.names


@dataclass(frozen=True, slots=True)
class Times:
    """Makes one layer for each span between declared dates: each span includes its first `edge` and
    excludes the next.

    - `column`: the column of dates.
    - `edges`: years, months or days, in their order. A row with a coarser date, or a range, counts
      where all its days lie in one span.

    >>> Times("date", ("2023", "2024", "2024-07")).layers
    ('2023', '2024-01 to 2024-06')
    """

    column: str
    edges: tuple[str, ...]

    def __post_init__(self) -> None:
        days = [span_of(edge)[0] for edge in self.edges]
        if not self.column.strip() or len(days) < 2 or any(a >= b for a, b in pairwise(days)):
            raise BadInput(
                "times: write a column and two or more rising dates, the last one excluded, like"
                " --times date=2023,2024,2025"
            )

    @property
    def days(self) -> tuple[date, ...]:
        """The first day of each span, and the day after the last."""
        return tuple(span_of(edge)[0] for edge in self.edges)

    @property
    def layers(self) -> tuple[str, ...]:
        """The names of its layers: a year, a month, or the first and last day."""
        return tuple(span_name(first, after) for first, after in pairwise(self.days))


@dataclass(frozen=True, slots=True)
class Values:
    """Makes two layers that together give a mean: each row counts once, split between the ends of
    the declared range.

    Of a row of weight w and value v, w (high - v) / (high - low) counts at the low end and the rest
    of w at the high end; a value beyond an end counts as that end. With the totals L and H of the
    two layers a cell's weight is L + H and its weighted mean (low L + high H) / (L + H).

    **Theorem.** The cap that holds for rows holds for both layers together. *Proof.* A row's two
    parts are whole numbers of shares, none below 0, that add up to its own; they are fixed by that
    row alone. The limiter's theorem is about any rows with weights of at least 0, and so about the
    parts, which have one unit and add up to as much as before. QED So one cap, one epsilon and one
    noise give the sum of weights and the mean at once.

    >>> Values("height", "0", "2.5").layers
    ('height at 0', 'height at 2.5')
    """

    column: str
    low: Fraction
    high: Fraction

    def __init__(self, column: str, low: object, high: object) -> None:
        ends = tuple(exact(end, name="between") for end in (low, high))
        if (
            not column.strip()
            or not column.isprintable()
            or not ends[0] < ends[1]
            or max(map(abs, ends)) > MOST_VALUE
        ):
            raise BadInput(
                "mean: write a column and its least and most, like --mean height --between 0,30"
            )
        for name, value in zip(("column", "low", "high"), (column.strip(), *ends), strict=True):
            object.__setattr__(self, name, value)

    @property
    def layers(self) -> tuple[str, ...]:
        """The names of its two layers."""
        return (
            f"{self.column} at {decimal_text(self.low)}",
            f"{self.column} at {decimal_text(self.high)}",
        )

    @property
    def words(self) -> str:
        """The declared ends in words."""
        return f"{decimal_text(self.low)} to {decimal_text(self.high)}"

    def at(self, share: Any) -> Any:
        """Returns the value that lies this share of the way from the low end to the high end."""
        return float(self.low) + float(self.high - self.low) * share


Axis = Kinds | Times | Values


def span_of(text: str) -> tuple[date, date]:
    """Returns the first and the last day that a date written as a year, a month or a day may mean.

    >>> span_of("2024-02")
    (datetime.date(2024, 2, 1), datetime.date(2024, 2, 29))
    """
    match = _DATE.fullmatch(str(text).strip())
    try:
        year, month, day = (
            int(part) if part else None
            for part in match.groups()  # type: ignore[union-attr]
        )
        first = date(year or 0, month or 1, day or 1)
        if day:
            return first, first
        after = date(
            first.year + (month in (None, 12)), 1 if month in (None, 12) else first.month + 1, 1
        )
    except (AttributeError, ValueError, OverflowError):
        raise BadInput("times: write dates as 2024, 2024-03 or 2024-03-31") from None
    return first, after - timedelta(days=1)


def first_and_last(times: Times) -> tuple[tuple[date, date], ...]:
    """Returns the first and the last day of each layer.

    >>> [str(last) for _, last in first_and_last(Times("date", ("2023", "2024", "2024-07")))]
    ['2023-12-31', '2024-06-30']
    """
    return tuple((first, after - timedelta(days=1)) for first, after in pairwise(times.days))


def span_name(first: date, after: date) -> str:
    """Returns what a span is called that ends before the day `after`: a year, a month, or its first
    and last day.

    >>> span_name(date(2024, 1, 1), date(2024, 7, 1))
    '2024-01 to 2024-06'
    """
    last = after - timedelta(days=1)
    if (first.month, first.day, last.month, last.day) == (1, 1, 12, 31):
        return str(first.year) if first.year == last.year else f"{first.year} to {last.year}"
    if first.day == 1 and after.day == 1:
        ends = (f"{first:%Y-%m}", f"{last:%Y-%m}")
        return ends[0] if ends[0] == ends[1] else " to ".join(ends)
    return str(first) if first == last else f"{first} to {last}"


def parse_axes(kinds: "list[str] | None", times: str | None) -> tuple[Axis, ...]:
    """Reads axes written as `COLUMN=A,B,C`; kinds come before times.

    >>> parse_axes(["species=Kestrel,Owl"], "date=2024,2025")
    (Kinds(column='species', names=('Kestrel', 'Owl')), Times(column='date', edges=('2024',
    '2025')))
    """
    axes: list[Axis] = []
    for axis_type, text in (
        *((Kinds, kind) for kind in kinds or ()),
        *(((Times, times),) if times else ()),
    ):
        column, _, values = text.partition("=")
        axes.append(
            axis_type(
                column.strip(), tuple(value.strip() for value in values.split(",") if value.strip())
            )
        )
    return tuple(axes)


def axis_names(axes: Sequence[Axis]) -> list[str]:
    """Returns what axes are called in tables and data sets, whatever the survey calls their
    columns: `kind` and `time`, with a number from the second of a sort on.

    >>> axis_names([Kinds("species", ("Owl",)), Times("date", ("2024", "2025"))])
    ['kind', 'time']
    """
    plain = ["time" if isinstance(axis, Times) else "kind" for axis in axes]
    numbers = [plain[: at + 1].count(name) for at, name in enumerate(plain)]
    return [
        name if number == 1 else f"{name}_{number}"
        for name, number in zip(plain, numbers, strict=True)
    ]


def axis_out(axis: Axis) -> dict[str, Any]:
    """Returns an axis as plain values for the release file."""
    if isinstance(axis, Kinds):
        return {"kinds": axis.column, "names": list(axis.names)}
    if isinstance(axis, Values):
        return {"mean": axis.column, "between": [decimal_text(axis.low), decimal_text(axis.high)]}
    return {"times": axis.column, "edges": list(axis.edges)}


def axis_in(plain: dict[str, Any]) -> Axis:
    """Makes the axis again from what `axis_out` returned."""
    if "kinds" in plain:
        return Kinds(str(plain["kinds"]), tuple(str(name) for name in plain["names"]))
    if "mean" in plain:
        return Values(str(plain["mean"]), *(str(end) for end in plain["between"]))
    return Times(str(plain["times"]), tuple(str(edge) for edge in plain["edges"]))
