"""Adds up the ledger's events: sequential sums, data sets declared disjoint, and plans from season
to season.

**Sequential composition.** Releases that may hold the same unit add up: against any one unit, the
odds of all their outputs together move by at most the product of e^epsilon, each chosen as late as
one likes (Dwork and Roth 2014, theorem 3.16; for losses chosen on the way under a fixed total,
Rogers, Roth, Ullman and Vadhan 2016).

A release may carry a delta too. Those add up beside the epsilons: releases that keep (e1, d1), (e2,
d2) ... keep together (e1 + e2 + ..., d1 + d2 + ...) (Dwork and Roth 2014, theorem 3.16), of
disjoint data sets the dearest in either.

**Parallel composition.** If no unit is in two data sets of a group, removing a unit changes at most
one of them, so only the releases of that one move: the group as a whole loses what its dearest data
set has lost. That no unit is in two of them is a fact about people, which no program can check: it
is declared, signed by name, and stays in the chain.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpmap.errors import BadInput, BudgetExceeded, Refused
from dpmap.ledger.events import (
    Body,
    DeltaBudget,
    DisjointDatasets,
    Made,
    Meaning,
    Opened,
    PlannedShares,
    Reserved,
    Spend,
)
from dpmap.numbers import decimal_text, percent

MOST_DELTA = Fraction(1, 10**4)


def spent(events: Iterable[Meaning], what: str = "epsilon") -> Fraction:
    """Returns what all reservations have cost the unit that they cost most: in epsilon, in `delta`,
    or in shares of its `lifetime` limit.

    Data sets in no group add up; of each group of disjoint ones the dearest counts (both theorems
    above). Groups add up too, since a unit may be in one data set of each.

    >>> events = [Reserved(name, Fraction(1)) for name in ("a", "b", "b", "c")]
    >>> spent(events), spent([*events, DisjointDatasets(("a", "b"), "R. Keeper")])
    (Fraction(4, 1), Fraction(3, 1))
    """
    groups: list[set[str]] = []
    cost: dict[str, Fraction] = defaultdict(Fraction)
    for event in events:
        if isinstance(event, Reserved):
            cost[event.dataset] += getattr(event, what) or 0
        elif isinstance(event, DisjointDatasets):
            groups.append(set(event.datasets))
    grouped = set[str]().union(*groups)
    ungrouped = sum((loss for dataset, loss in cost.items() if dataset not in grouped), Fraction(0))
    return ungrouped + sum(
        (max(cost[dataset] for dataset in group) for group in groups), Fraction(0)
    )


def remainder(budget: Fraction, cost: Fraction) -> Fraction:
    """Returns what remains of a budget: nothing, where more was spent elsewhere than it holds."""
    return max(budget - cost, Fraction(0))


def without_release(events: Sequence[Meaning]) -> list[int]:
    """Returns the numbers of the reservations of which nothing has come: a crash or an interruption
    wasted them, or what they paid for is being made right now.

    >>> from fractions import Fraction
    >>> reserved = Spend("a", Fraction(1)).reserved
    >>> without_release([reserved, reserved, Made(1)])
    [2]
    """
    made = {event.event for event in events if isinstance(event, Made)}
    return [
        number
        for number, event in enumerate(events, start=1)
        if isinstance(event, Reserved) and event.awaited and number not in made
    ]


def budget_of(events: Iterable[Meaning]) -> Fraction | None:
    """Returns the one budget, from the first event that names it; `agreed_budget` and
    `Ledger.plan` let no other differ.
    """
    return next(
        (event.budget for event in events if isinstance(event, Opened | PlannedShares)), None
    )


def delta_budget_of(events: Iterable[Meaning]) -> Fraction:
    """Returns the one budget for delta, from the first release with a delta; 0 before that."""
    return next((event.budget for event in events if isinstance(event, DeltaBudget)), Fraction(0))


def opened_datasets(events: Iterable[Meaning]) -> set[str]:
    """Returns the data sets that have declared the budget."""
    return {event.dataset for event in events if isinstance(event, Opened)}


def declared_budget(events: Sequence[Meaning], spend: Spend) -> Fraction:
    """Returns the ledger's budget, which a data set's first event declares or agrees to."""
    if spend.epsilon <= 0:
        raise BadInput("epsilon: a reservation must be above 0")
    check_name(spend.dataset)
    is_planned = any(isinstance(event, PlannedShares) for event in events)
    if spend.dataset not in opened_datasets(events) and spend.budget is None and not is_planned:
        raise Refused(
            "no budget: this is the data set's first release in this ledger; add --budget B"
            " (budget=), the most epsilon that all its releases may ever spend together"
        )
    total = budget_of(events) or spend.budget or Fraction(0)
    if spend.budget is not None and spend.budget != total:
        raise Refused(
            f"budget: this ledger holds one budget of {decimal_text(total)} for all its data sets,"
            " fixed at the first release; leave --budget as it was"
        )
    return total


def agreed_budget(events: Sequence[Meaning], spend: Spend, ledger: str) -> Fraction:
    """Returns the ledger's budget if this release fits into it, else refuses."""
    total = declared_budget(events, spend)
    check_lifetime(events, spend)
    if spent([*events, spend.reserved]) > total:
        remains = decimal_text(remainder(total, spent(events)))
        raise BudgetExceeded(
            f"budget: {remains} of {decimal_text(total)} remains in {ledger}, and this release asks"
            f" for {decimal_text(spend.epsilon)}; lower --epsilon, or the dearest --tier"
        )
    place = season(events, spend.dataset)
    if place is not None and spend.epsilon > place.share:
        raise BudgetExceeded(
            f"plan: release {place.place} of {place.releases} may take {decimal_text(place.share)}"
            f" and asks for {decimal_text(spend.epsilon)}; write --epsilon next, or make a new plan"
        )
    return total


def agreed_delta_budget(events: Sequence[Meaning], spend: Spend, ledger: str) -> Fraction:
    """Returns the ledger's budget for delta (0 if it needs none) if this release fits into it,
    else refuses.
    """
    total = delta_budget_of(events)
    if spend.delta < 0 or (
        spend.budget_delta is not None and not 0 < spend.budget_delta <= MOST_DELTA
    ):
        raise BadInput(
            "budget-delta: above 0, and at most 0.0001 for all releases together; write for example"
            " 1e-5"
        )
    if spend.budget_delta is not None and total and spend.budget_delta != total:
        raise Refused(
            f"budget-delta: this ledger holds one of {decimal_text(total)}, fixed at the first"
            " release with a delta; leave --budget-delta as it was"
        )
    if not spend.delta:
        return total
    total = total or spend.budget_delta or Fraction(0)
    if not total:
        raise Refused(
            "no budget for delta: this is the ledger's first release with one; add --budget-delta B"
            " (budget_delta=), the most that the deltas of all releases may ever add up to, like"
            " 1e-5"
        )
    if spent([*events, spend.reserved], "delta") > total:
        raise BudgetExceeded(
            f"budget-delta: {decimal_text(remainder(total, spent(events, 'delta')))} of"
            f" {decimal_text(total)} remains in {ledger}, and this release asks for"
            f" {decimal_text(spend.delta)}; lower --delta, or leave it out"
        )
    return total


def check_lifetime(events: Sequence[Meaning], spend: Spend) -> None:
    """Refuses a release after which some unit might have lost more than the limit it states for its
    lifetime.

    Released losses add up to at most the sum of shares times the limit (`limits`), where every
    release took a share; so in one ledger either all do or none does.

    >>> half = Spend("a", Fraction(1), lifetime=Fraction(1, 2))
    >>> check_lifetime([half.reserved], half)
    >>> check_lifetime([half.reserved, half.reserved], half)
    Traceback (most recent call last):
    ...
    dpmap.errors.BudgetExceeded: lifetime: 0 % of every limit remains in this ledger, and this
    release asks for 50 %; lower lifetime=
    """
    share = spend.lifetime
    reserved = [event for event in events if isinstance(event, Reserved)]
    if any((event.lifetime is None) != (share is None) for event in reserved):
        raise Refused(
            "lifetime: in one ledger all releases take a share of lifetime limits (--lifetime), or"
            " none does, since the others would not count against them"
        )
    if share is not None and spent([*events, spend.reserved], "lifetime") > 1:
        remains = 1 - spent(events, "lifetime")
        raise BudgetExceeded(
            f"lifetime: {percent(remains)} of every limit remains in this ledger, and this release"
            f" asks for {percent(share)}; lower --lifetime"
        )


def check_disjoint(events: Sequence[Meaning], datasets: Sequence[str]) -> None:
    """Refuses a data set that is already in a group: two groups that share one would each take
    it for their own.
    """
    taken = {
        name for event in events if isinstance(event, DisjointDatasets) for name in event.datasets
    }
    if len(set(datasets)) < 2 or len(set(datasets)) < len(datasets):
        raise BadInput("disjoint: name two or more data sets, each once")
    if taken & set(datasets):
        raise Refused(
            "disjoint: one of these data sets is in a declared group already; a data set is in one"
            " group"
        )
    if any(
        isinstance(event, Reserved) and event.site is not None and event.dataset in datasets
        for event in events
    ):
        raise Refused(
            "disjoint: one of these data sets has a release with --site, and a site may be in two"
            " of them; its losses add up"
        )


@dataclass(frozen=True, slots=True)
class NextRelease:
    """Describes the next release under the newest plan: its place in the plan, and the most it may
    take.

    What earlier releases left of their shares may be taken too.
    """

    place: int
    releases: int
    scheme: str
    share: Fraction


def season(events: Sequence[Meaning], dataset: str) -> NextRelease | None:
    """Returns where the data set stands in the newest plan, or None; past the plan's end its
    share is 0.
    """
    plans = [
        (index, event) for index, event in enumerate(events) if isinstance(event, PlannedShares)
    ]
    if not plans:
        return None
    index, plan = plans[-1]
    made = sum(
        isinstance(event, Reserved) and event.dataset == dataset and not event.elsewhere
        for event in events[index:]
    )
    share = Fraction(0)
    if made < len(plan.shares):
        allowed = spent(events[:index]) + sum(plan.shares[: made + 1], Fraction(0))
        share = max(share, allowed - spent(events))
    return NextRelease(made + 1, len(plan.shares), plan.scheme, share)


def terms(events: Sequence[Meaning], dataset: str) -> Body:
    """Returns what the statement of the next release must say: the data set's plan and its
    disjoint group.
    """
    statement: Body = {}
    if (place := season(events, dataset)) is not None:
        plan = {"release": place.place, "of": place.releases, "scheme": place.scheme}
        statement["plan"] = plan
    for event in events:
        if isinstance(event, DisjointDatasets) and dataset in event.datasets:
            group = {"datasets": list(event.datasets), "signed_by": event.signed_by}
            statement.setdefault("disjoint", group)
    return statement


def check_name(name: str, what: str = "dataset", example: str = "--dataset 'Raptors 2026'") -> None:
    """Refuses a name that cannot be shown in a statement or on a screen."""
    if not name.strip() or len(name) > 200 or not name.isprintable():
        raise BadInput(f"{what}: at most 200 printable characters, like {example}")
