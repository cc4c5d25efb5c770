"""Checks data sets declared to share no units: every way to group a few of them, against the worst
loss of one unit.

A unit may be in any data sets of which no two are in one group; what it loses then adds up.
"""

import tempfile
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Any

from dpmap.errors import BadInput, BudgetExceeded
from dpmap.ledger import accounting
from dpmap.ledger.events import DisjointDatasets, Meaning, Reserved
from dpmap.ledger.ledger import Ledger
from dpmap.selftest.check import Broken, CheckResult, Effort
from dpmap.selftest.guards import refuses

NAMES = ("a", "b", "c", "d")
COSTS = (Fraction(1, 8), Fraction(1, 4), Fraction(1, 2), Fraction(1))
"""So different that every sum of some of them tells which they are."""
Group = tuple[str, ...]
Groups = tuple[Group, ...]
POSSIBLE: Groups = tuple(group for many in (2, 3, 4) for group in combinations(NAMES, many))
KEPT: tuple[Groups, ...] = (
    (),
    (("a", "b"),),
    (("b", "d", "c"),),
    (("a", "c"), ("d", "b")),
    (NAMES,),
)
"""Those that are also declared in ledgers on disk."""


def partners(_: Effort) -> CheckResult:
    """Checks the ledger's sums over all ways to group four data sets, and that no data set gets
    into two groups.
    """
    sums = sum(map(_added_up, _groupings(overlapping=False))) + sum(
        map(_never_less, _groupings(overlapping=True))
    )
    with tempfile.TemporaryDirectory(prefix="dpmap-proof-") as folder:
        refused = sum(
            _kept(Path(folder) / f"{number}.ledger", groups) for number, groups in enumerate(KEPT)
        )
        _places_apart(Path(folder) / "places.ledger")
    return CheckResult(
        f"{sums:,} sums of 4 data sets, grouped in every way; {refused} groups that overlap others",
        "any sum too low, any overlap let in",
    )


def _groupings(*, overlapping: bool) -> Iterator[Groups]:
    """Returns all sets of up to two groups that share no data set, none among them; or all pairs
    that do share one.
    """
    if not overlapping:
        yield from ((), *((group,) for group in POSSIBLE))
    yield from (
        pair for pair in combinations(POSSIBLE, 2) if bool({*pair[0]} & {*pair[1]}) is overlapping
    )


def worst(costs: dict[str, Fraction], groups: Groups) -> Fraction:
    """Returns the most that one unit can lose: it may be in many data sets, but never in two of
    one group.
    """
    lost = []
    for choice in product((False, True), repeat=len(NAMES)):
        held = {name for name, chosen in zip(NAMES, choice, strict=True) if chosen}
        if all(len(held & {*group}) <= 1 for group in groups):
            lost.append(sum((costs[name] for name in held), Fraction(0)))
    return max(lost)


def _added_up(groups: Groups) -> int:
    """Checks that the ledger's sum is the worst loss, whichever data set is the dearest and
    whenever groups were declared.
    """
    tried = 0
    for order, what, place in product(
        permutations(COSTS), ("epsilon", "delta", "lifetime"), range(3)
    ):
        costs = dict(zip(NAMES, order, strict=True))
        found, stated = (
            accounting.spent(_events(costs, groups, what, place), what),
            worst(costs, groups),
        )
        tried += 1
        if found != stated:
            raise Broken(
                f"data sets grouped as {_words(groups)}: the ledger adds up to {found} of {what}"
                f" where it is {stated}"
            )
    return tried


def _never_less(groups: Groups) -> int:
    """Checks that the ledger's sum is no less than the worst loss, even if groups overlapped."""
    tried = 0
    for order in permutations(COSTS):
        costs = dict(zip(NAMES, order, strict=True))
        found, stated = (
            accounting.spent(_events(costs, groups, "epsilon", 1), "epsilon"),
            worst(costs, groups),
        )
        tried += 1
        if found < stated:
            raise Broken(
                f"groups that overlap, {_words(groups)}: the ledger adds up to {found} where a unit"
                f" may lose {stated}"
            )
    return tried


def _events(costs: dict[str, Fraction], groups: Groups, what: str, place: int) -> list[Meaning]:
    """Makes events of a ledger: two releases of each data set, the groups declared before,
    between or after them.
    """
    none: dict[str, Any] = {"epsilon": Fraction(0)}
    half: list[Meaning] = [Reserved(name, **{**none, what: costs[name] / 2}) for name in NAMES]
    declared: list[Meaning] = [DisjointDatasets(group, "A") for group in groups]
    parts = [half, half]
    parts.insert(place, declared)
    return [event for part in parts for event in part]


def _kept(path: Path, groups: Groups) -> int:
    """Checks a ledger on disk with these groups: its sum, what it says of each data set, and
    that no overlapping group gets in.
    """
    book, costs = Ledger(path), dict(zip(NAMES, COSTS, strict=True))
    for name in NAMES:
        book.reserve(dataset=name, epsilon=costs[name], budget=sum(COSTS, Fraction(0)), details={})
    for group in groups:
        book.disjoint(list(group), signed_by="A steward")
    taken, tried = {name for group in groups for name in group}, 0
    for again in POSSIBLE:
        if taken & {*again}:
            tried += 1
            refuses(f"group {_words((again,))} beside {_words(groups)}", _declare, book, again)
    for wrong in (("a",), ("a", "a"), ("a", "b", "a"), ()):
        refuses(
            "a group that names a data set twice, or fewer than two",
            _declare,
            book,
            wrong,
            errors=(BadInput,),
        )
    for name in NAMES:
        own = [list(group) for group in groups if name in group]
        told = (
            accounting.terms([event.meaning for event in book.events()], name)
            .get("disjoint", {})
            .get("datasets")
        )
        if told != (own[0] if own else None):
            raise Broken(
                f"data set {name}, grouped as {_words(groups)}, is said to be apart from {told}"
            )
    _no_more(book, worst(costs, groups), groups)
    return tried


def _no_more(book: Ledger, spent: Fraction, groups: Groups) -> None:
    """Checks that the sum is the worst loss, and that a data set that counts in full may spend
    the rest of the budget, no more.
    """
    budget, said = book.balance()
    if said != spent:
        raise Broken(
            f"data sets grouped as {_words(groups)}: the ledger says {said} is spent where it is"
            f" {spent}"
        )
    rest, dearest = sum(COSTS, Fraction(0)) - spent, NAMES[-1]
    refuses(
        "spending beyond the budget of partners",
        _spend,
        book,
        dearest,
        rest + Fraction(1, 10**4),
        errors=(BudgetExceeded,),
    )
    if rest:
        _spend(book, dearest, rest)
        refuses(
            "spending beyond the budget of partners",
            _spend,
            book,
            dearest,
            Fraction(1, 10**4),
            errors=(BudgetExceeded,),
        )
    if book.balance() != (budget, budget):
        raise Broken(f"data sets grouped as {_words(groups)}: the budget is not what was spent")


def _places_apart(path: Path) -> None:
    """Checks that a data set with protected places joins no group, since a place may be in two
    of its data sets.
    """
    book = Ledger(path)
    for name in NAMES:
        book.reserve(
            dataset=name,
            epsilon=COSTS[0],
            budget=Fraction(1),
            details={"site": "nest"} if name == "a" else {},
        )
    refuses("a group with a data set whose places are protected", _declare, book, ("a", "b"))
    _declare(book, ("b", "c"))
    for name in ("b", "c"):
        refuses(
            "a release that protects places, of a data set in a group",
            _spend,
            book,
            name,
            COSTS[0],
            "nest",
        )


def _declare(book: Ledger, group: Sequence[str]) -> None:
    book.disjoint(list(group), signed_by="A steward")


def _spend(book: Ledger, dataset: str, epsilon: Fraction, site: str | None = None) -> None:
    book.reserve(
        dataset=dataset,
        epsilon=epsilon,
        budget=None,
        details={} if site is None else {"site": site},
    )


def _words(groups: Groups) -> str:
    return " and ".join("".join(group) for group in groups) or "none"
