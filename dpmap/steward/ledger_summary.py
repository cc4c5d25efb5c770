"""Sums up a ledger's events: what remained after each; of each data set what it spent,
how often, when last, and what a plan allows it next.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpmap.ledger.accounting import budget_of, remainder, season, spent, without_release
from dpmap.ledger.events import DisjointDatasets, Event, Meaning, PlannedShares, Reserved
from dpmap.ledger.units import counts_for, protected_units, units_of
from dpmap.numbers import decimal_text
from dpmap.promise.units import Key, unit_key, unit_name


@dataclass(frozen=True, slots=True)
class Account:
    """Holds one data set's part of a ledger; `next` is what the newest plan allows its next
    release, None without a plan.

    `units` is what its releases protect: one, none where it released nothing, and several only
    where an earlier dpmap let them in.
    """

    name: str
    spent: Fraction
    releases: int
    last: str | None
    next: Fraction | None
    units: tuple[str, ...] = ()
    elsewhere: Fraction = Fraction(0)
    """What of `spent` other programs spent."""

    def to_dict(self) -> dict[str, Any]:
        """Returns plain values, for JSON; exact numbers as texts."""
        allowed = None if self.next is None else decimal_text(self.next)
        return {
            "name": self.name,
            "spent": decimal_text(self.spent),
            "elsewhere": decimal_text(self.elsewhere),
            "releases": self.releases,
            "last": self.last,
            "next": allowed,
            "units": list(self.units),
        }

    def line(self) -> str:
        """Returns the same in one line, for people."""
        releases = f"{self.releases} release{'' if self.releases == 1 else 's'}"
        last = f", the last {self.last}" if self.last else ""
        allowed = "" if self.next is None else f"; the plan allows {decimal_text(self.next)} next"
        names = " and ".join(map(unit_name, self.units))
        units = f", protecting {names}" if names else ""
        mixed = ", a sum that bounds nobody's loss" if len(self.units) > 1 else ""
        epsilon = decimal_text(self.spent)
        others = f", {decimal_text(self.elsewhere)} of it elsewhere" if self.elsewhere else ""
        return f"{self.name}: {releases}{last}{units}; epsilon {epsilon}{others}{mixed}{allowed}"


def accounts(events: Sequence[Event]) -> list[Account]:
    """Returns each data set's account, in the order they were first named; those of a disjoint
    group too that released nothing yet.

    `releases` counts what was paid for and came to be; what a reservation in vain spent is in
    `spent` all the same.
    """
    meanings = [event.meaning for event in events]
    lost = set(without_release(meanings))
    names = dict.fromkeys(name for meaning in meanings for name in _names(meaning))
    return [_account(events, meanings, name, lost) for name in names]


def _account(
    events: Sequence[Event], meanings: Sequence[Meaning], name: str, lost: set[int]
) -> Account:
    """Adds up the events of one data set; `lost` are the numbers of those of which nothing came."""
    paid = [
        event
        for event in events
        if isinstance(event.meaning, Reserved) and event.meaning.dataset == name
    ]
    elsewhere = {
        event.number: event.meaning.epsilon
        for event in paid
        if isinstance(event.meaning, Reserved) and event.meaning.elsewhere
    }
    times = [
        str(event.body["time"])
        for event in paid
        if event.number not in lost and event.number not in elsewhere
    ]
    place = season(meanings, name)
    allowed = None if place is None else place.share
    last = times[-1] if times else None
    return Account(
        name,
        spent(event.meaning for event in paid),
        len(times),
        last,
        allowed,
        units_of(meanings, name),
        sum(elsewhere.values(), Fraction(0)),
    )


def by_unit(events: Sequence[Meaning]) -> list[tuple[str | None, Fraction]]:
    """Returns of each unit or site, as first spelled, what the releases that protect it have cost
    it; None is of those that name none.

    >>> from dpmap.ledger.events import Spend
    >>> both = Spend("a", Fraction(1), unit="observer_id", site="nest_id").reserved
    >>> [
    ...     (unit, str(cost))
    ...     for unit, cost in by_unit(
    ...         [both, Spend("a", Fraction(1, 2), unit="Observer_id").reserved]
    ...     )
    ... ]
    [('observer_id', '3/2'), ('nest_id', '1')]
    """
    first_spelled: dict[Key | None, str | None] = {}
    for event in events:
        for unit in protected_units(event):
            first_spelled.setdefault(None if unit is None else unit_key(unit), unit)
    return [
        (unit, spent(event for event in events if counts_for(event, key)))
        for key, unit in first_spelled.items()
    ]


def units(events: Sequence[Event]) -> list[dict[str, Any]]:
    """Returns what the releases that protect each unit have cost it; exact numbers as texts. The
    unit is None of those that name none.
    """
    return [
        {"unit": unit, "spent": decimal_text(cost)}
        for unit, cost in by_unit([event.meaning for event in events])
    ]


def units_line(each: Sequence[dict[str, Any]]) -> str:
    """Returns the same in one line, for people.

    >>> units_line([{"unit": "observer_id", "spent": "2"}, {"unit": "row", "spent": "1"}])
    'by unit: observer_id 2, single rows 1; a sum counts the releases that protect this unit, the
    others promise it nothing, and whom two columns name loses both'
    """
    names = ["not stated" if sums["unit"] is None else unit_name(sums["unit"]) for sums in each]
    listed = ", ".join(f"{name} {sums['spent']}" for name, sums in zip(names, each, strict=True))
    return (
        f"by unit: {listed}; a sum counts the releases that protect this unit, the others promise"
        " it"
        " nothing, and whom two columns name loses both"
    )


def _names(event: Meaning) -> tuple[str, ...]:
    """Returns the data sets that an event names."""
    if isinstance(event, DisjointDatasets):
        return event.datasets
    return (event.dataset,) if isinstance(event, Reserved) else ()


def remaining(events: Sequence[Event]) -> list[str]:
    """Returns what remained of the budget after each event; exact numbers as texts.

    Losses add up one by one until data sets are declared to share nobody; from then on the whole
    sum is taken anew.
    """
    meanings = [event.meaning for event in events]
    budget = budget_of(meanings) or Fraction(0)
    cost = Fraction(0)
    grouped = False
    remains = list[str]()
    for number, event in enumerate(meanings, start=1):
        grouped = grouped or isinstance(event, DisjointDatasets)
        if grouped and isinstance(event, DisjointDatasets | Reserved):
            cost = spent(meanings[:number])
        elif isinstance(event, Reserved):
            cost += event.epsilon
        remains.append(decimal_text(remainder(budget, cost)))
    return remains


def plan(events: Sequence[Event]) -> dict[str, Any] | None:
    """Returns the newest plan, or None: what it dealt out, to how many releases, in which shares,
    and what was spent since.

    `first` is what a data set may take that had no release since.
    """
    meanings = [event.meaning for event in events]
    plans = [
        (index, event) for index, event in enumerate(meanings) if isinstance(event, PlannedShares)
    ]
    if not plans:
        return None
    index, newest = plans[-1]
    first = season(meanings, "")
    return {
        "total": decimal_text(sum(newest.shares, Fraction(0))),
        "releases": len(newest.shares),
        "scheme": newest.scheme,
        "used": decimal_text(spent(meanings) - spent(meanings[:index])),
        "first": decimal_text(first.share if first else Fraction(0)),
    }


def disjoint(events: Sequence[Event]) -> list[dict[str, Any]]:
    """Returns the groups of data sets declared to share no unit, and who answers for each."""
    groups = [event.meaning for event in events if isinstance(event.meaning, DisjointDatasets)]
    return [{"datasets": list(group.datasets), "signed_by": group.signed_by} for group in groups]
