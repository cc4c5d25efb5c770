"""Says what a ledger's events come to: what remained after each; of each data set what it spent,
how often, when last, and what a plan allows it next.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpmap.ledger.accounting import budget_of, season, spent, without_release
from dpmap.ledger.events import DisjointDatasets, Event, PlannedShares, Reserved, Said
from dpmap.ledger.units import by_unit, units_of
from dpmap.numbers import decimal_text
from dpmap.promise.units import unit_name


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

    def to_dict(self) -> dict[str, Any]:
        """Returns plain values, for JSON; exact numbers as texts."""
        allowed = None if self.next is None else decimal_text(self.next)
        return {
            "name": self.name,
            "spent": decimal_text(self.spent),
            "releases": self.releases,
            "last": self.last,
            "next": allowed,
            "units": list(self.units),
        }

    def line(self) -> str:
        """Says the same in one line, for people."""
        many = f"{self.releases} release{'' if self.releases == 1 else 's'}"
        last = f", the last {self.last}" if self.last else ""
        allowed = "" if self.next is None else f"; the plan allows {decimal_text(self.next)} next"
        names = " and ".join(map(unit_name, self.units))
        units = f", protecting {names}" if names else ""
        mixed = ", a sum that bounds nobody's loss" if len(self.units) > 1 else ""
        return (
            f"{self.name}: {many}{last}{units}; epsilon {decimal_text(self.spent)}{mixed}{allowed}"
        )


def accounts(events: Sequence[Event]) -> list[Account]:
    """Returns each data set's account, in the order they were first named; those of a disjoint
    group too that released nothing yet.

    `releases` counts what was paid for and came to be; what a reservation in vain spent is in
    `spent` all the same.
    """
    said = [event.said for event in events]
    lost = set(without_release(said))
    return [
        _account(events, said, name, lost)
        for name in dict.fromkeys(name for one in said for name in _names(one))
    ]


def _account(events: Sequence[Event], said: Sequence[Said], name: str, lost: set[int]) -> Account:
    """Adds up the events of one data set; `lost` are the numbers of those of which nothing came."""
    own = [
        event for event in events if isinstance(event.said, Reserved) and event.said.dataset == name
    ]
    times = [str(event.body["time"]) for event in own if event.number not in lost]
    place = season(said, name)
    allowed = None if place is None else place.share
    last = times[-1] if times else None
    return Account(
        name, spent(event.said for event in own), len(times), last, allowed, units_of(said, name)
    )


def units(events: Sequence[Event]) -> list[dict[str, Any]]:
    """Returns what the releases that protect each unit have cost it; exact numbers as texts. The
    unit is None of those that name none.
    """
    return [
        {"unit": unit, "spent": decimal_text(cost)}
        for unit, cost in by_unit([event.said for event in events])
    ]


def units_line(each: Sequence[dict[str, Any]]) -> str:
    """Says the same in one line, for people.

    >>> units_line([{"unit": "observer_id", "spent": "2"}, {"unit": "row", "spent": "1"}])
    'by unit: observer_id 2, single rows 1; a sum counts the releases that protect this unit, the
    others promise it nothing, and whom two columns name loses both'
    """
    sums = ", ".join(
        f"{'not stated' if one['unit'] is None else unit_name(one['unit'])} {one['spent']}"
        for one in each
    )
    return (
        f"by unit: {sums}; a sum counts the releases that protect this unit, the others promise it"
        " nothing, and whom two columns name loses both"
    )


def _names(said: Said) -> tuple[str, ...]:
    """Returns the data sets that an event names."""
    if isinstance(said, DisjointDatasets):
        return said.datasets
    return (said.dataset,) if isinstance(said, Reserved) else ()


def remaining(events: Sequence[Event]) -> list[str]:
    """Returns what remained of the budget after each event; exact numbers as texts.

    Losses add up one by one until data sets are declared to share nobody; from then on the whole
    sum is taken anew.
    """
    said = [event.said for event in events]
    budget, gone, grouped, left = budget_of(said) or Fraction(0), Fraction(0), False, list[str]()
    for number, one in enumerate(said, start=1):
        grouped = grouped or isinstance(one, DisjointDatasets)
        if grouped and isinstance(one, DisjointDatasets | Reserved):
            gone = spent(said[:number])
        elif isinstance(one, Reserved):
            gone += one.epsilon
        left.append(decimal_text(budget - gone))
    return left


def plan(events: Sequence[Event]) -> dict[str, Any] | None:
    """Returns the newest plan, or None: what it dealt out, to how many releases, in which shares,
    and what was spent since.

    `first` is what a data set may take that had no release since.
    """
    said = [event.said for event in events]
    plans = [(at, one) for at, one in enumerate(said) if isinstance(one, PlannedShares)]
    if not plans:
        return None
    (at, newest), untold = plans[-1], season(said, "")
    return {
        "total": decimal_text(sum(newest.shares, Fraction(0))),
        "releases": len(newest.shares),
        "scheme": newest.scheme,
        "used": decimal_text(spent(said) - spent(said[:at])),
        "first": decimal_text(untold.share if untold else Fraction(0)),
    }


def disjoint(events: Sequence[Event]) -> list[dict[str, Any]]:
    """Returns the groups of data sets declared to share no unit, and who answers for each."""
    groups = [event.said for event in events if isinstance(event.said, DisjointDatasets)]
    return [{"datasets": list(group.datasets), "signed_by": group.signed_by} for group in groups]
