"""What the ledger's events add up to: sums, data sets declared disjoint, and plans from season to season.

**Sequential composition.** Releases that may hold the same unit add up: against any one unit, the odds of all their
outputs together move by at most the product of e^epsilon, each chosen as late as one likes (Dwork and Roth 2014,
theorem 3.16; for losses chosen on the way under a fixed total, Rogers, Roth, Ullman and Vadhan 2016).

A release may carry a delta too. Those add up beside the epsilons: releases that keep (e1, d1), (e2, d2) ... keep together
(e1 + e2 + ..., d1 + d2 + ...) (Dwork and Roth 2014, theorem 3.16), of disjoint data sets the dearest in either.

**Parallel composition.** If no unit is in two data sets of a group, removing a unit changes at most one of them, so
only the releases of that one move: the group as a whole loses what its dearest data set has lost. That no unit is in
two of them is a fact about people, which no program can check: it is declared, signed by name, and stays in the chain.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpmap.errors import BadInput, BudgetExceeded, Refused
from dpmap.numbers import decimal_text, exact, percent

Body = dict[str, Any]
GRAIN = 10**6
"""Shares are whole millionths, rounded down, so that they are short to write and never add up to more."""
MOST_RELEASES = 10_000


def spent(bodies: Iterable[Body], what: str = "epsilon") -> Fraction:
    """What all reservations have cost the unit that they cost most: in epsilon, in `delta`, or in shares of its `lifetime`
    limit.

    Data sets in no group add up; of each group of disjoint ones the dearest counts (both theorems above). Groups add
    up too, since a unit may be in one data set of each.

    >>> kept = [{"kind": "reserve", "dataset": name, "epsilon": "1"} for name in ("a", "b", "b", "c")]
    >>> spent(kept), spent([*kept, {"kind": "disjoint", "datasets": ["a", "b"]}])
    (Fraction(4, 1), Fraction(3, 1))
    """
    groups: list[set[str]] = []
    cost: dict[str, Fraction] = defaultdict(Fraction)
    for body in bodies:
        if body["kind"] == "reserve":
            cost[body["dataset"]] += exact(body.get(what, 0), name=what, longest=10_000)
        elif body["kind"] == "disjoint":
            groups.append(set(body["datasets"]))
    apart = set[str]().union(*groups)
    alone = sum((loss for dataset, loss in cost.items() if dataset not in apart), Fraction(0))
    return alone + sum((max(cost[dataset] for dataset in group) for group in groups), Fraction(0))


def check_lifetime(bodies: Sequence[Body], dataset: str, share: Fraction | None) -> None:
    """Refuses a release after which some unit might have lost more than the limit it states for its lifetime.

    Released losses add up to at most the sum of shares times the limit (`limits`), where every release took a share; so
    in one ledger either all do or none does.

    >>> half = {"kind": "reserve", "dataset": "a", "epsilon": "1", "lifetime": "1/2"}
    >>> check_lifetime([half], "a", Fraction(1, 2))
    >>> check_lifetime([half, half], "a", Fraction(1, 2))
    Traceback (most recent call last):
    ...
    dpmap.errors.BudgetExceeded: lifetime: 0 % of every limit remains in this ledger, and this release asks for 50 %; lower \
--lifetime
    """
    kept = [body for body in bodies if body["kind"] == "reserve"]
    if any(("lifetime" in body) != (share is not None) for body in kept):
        raise Refused(
            "lifetime: in one ledger all releases take a share of lifetime limits (--lifetime), or none does, since the "
            "others would not count against them"
        )
    if share is None:
        return
    asked = {"kind": "reserve", "dataset": dataset, "lifetime": decimal_text(share)}
    if spent([*bodies, asked], "lifetime") > 1:
        left = 1 - spent(bodies, "lifetime")
        raise BudgetExceeded(
            f"lifetime: {percent(left)} of every limit remains in this ledger, and this release asks for "
            f"{percent(share)}; lower --lifetime"
        )


def check_disjoint(bodies: Sequence[Body], datasets: Sequence[str]) -> None:
    """A data set is in one group only: two groups that share one would each take it for their own."""
    taken = {name for body in bodies if body["kind"] == "disjoint" for name in body["datasets"]}
    if len(set(datasets)) < 2 or len(set(datasets)) < len(datasets):
        raise BadInput("disjoint: name two or more data sets, each once")
    if taken & set(datasets):
        raise Refused("disjoint: one of these data sets is in a declared group already; a data set is in one group")
    if any("site" in body and body.get("dataset") in datasets for body in bodies):
        raise Refused(
            "disjoint: one of these data sets has a release with --site, and a site may be in two of them; its losses add up"
        )


def shares(total: Fraction, releases: int, scheme: str) -> tuple[Fraction, ...]:
    """How a total is dealt out: `even`ly, or `decaying` as 1, 1/2, 1/3, ... of the first.

    A data set that grows by as much each season holds k times as much at season k, so shares that decay as 1/k keep
    the noise in proportion to it.

    >>> [str(share) for share in shares(Fraction(3), 3, "even")]
    ['1', '1', '1']
    >>> [float(share) for share in shares(Fraction(3), 3, "decaying")]
    [1.636363, 0.818181, 0.545454]
    """
    if isinstance(releases, bool) or not isinstance(releases, int) or not 1 <= releases <= MOST_RELEASES:
        raise BadInput(f"plan: the number of releases is a whole number from 1 to {MOST_RELEASES}, like 12")
    if scheme not in ("even", "decaying"):
        raise BadInput("plan: its scheme is not one of even, decaying")
    weights = [Fraction(1, place if scheme == "decaying" else 1) for place in range(1, releases + 1)]
    dealt = tuple(Fraction(int(total * weight / sum(weights) * GRAIN), GRAIN) for weight in weights)
    if dealt[-1] < Fraction(1, 10**4):
        raise BadInput("plan: its smallest share is below 0.0001; plan fewer releases or a larger total")
    return dealt


@dataclass(frozen=True, slots=True)
class Season:
    """The next release of a data set under the newest plan: its place in the plan, and the most it may take.

    What earlier releases left of their shares may be taken too.
    """

    place: int
    releases: int
    scheme: str
    share: Fraction


def season(bodies: Sequence[Body], dataset: str) -> Season | None:
    """Where the data set stands in the newest plan; None without one. Past the plan's end its share is 0."""
    at = max((index for index, body in enumerate(bodies) if body["kind"] == "plan"), default=None)
    if at is None:
        return None
    dealt = [exact(share, name="plan") for share in bodies[at]["shares"]]
    made = sum(body["kind"] == "reserve" and body["dataset"] == dataset for body in bodies[at:])
    allowed = spent(bodies[:at]) + sum(dealt[: made + 1], Fraction(0)) if made < len(dealt) else Fraction(0)
    return Season(made + 1, len(dealt), bodies[at]["scheme"], max(Fraction(0), allowed - spent(bodies)))


def terms(bodies: Sequence[Body], dataset: str) -> Body:
    """What the ledger holds on the next release of this data set, for its statement: its plan, its disjoint group."""
    place = season(bodies, dataset)
    planned = {} if place is None else {
        "plan": {"release": place.place, "of": place.releases, "scheme": place.scheme}
    }  # fmt: skip
    groups = (body for body in bodies if body["kind"] == "disjoint" and dataset in body["datasets"])
    apart = [{"datasets": body["datasets"], "signed_by": body["signed_by"]} for body in groups]
    return {**planned, **({"disjoint": apart[0]} if apart else {})}
