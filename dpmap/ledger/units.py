"""Keeps apart what does not add up: the epsilons of releases that protect different units.

**Why.** That epsilons add up (accounting) is said of one unit more or less. A release by `nest_id`
bounds what one nest more or less does; a volunteer who reported twenty nests is twenty of its
units, and a release by `row` protects somebody with 300 rows 300 times less. So a sum over releases
by different units bounds nobody's loss, and a data set has one unit: the first release says which,
and one by another is refused.

**The unit is the policy's `unit`.** A release that protects a site too bounds its unit's loss by
the same epsilon as one without, so for the unit it goes on adding up, and the data set is not
another. What a *site* has lost is the sum over those releases alone that name it.

All data sets of a ledger share its one budget, whatever their units: one column may name the same
people as another, and no program can tell. A reservation that names no unit was not made by
`release` or `choose`, and is not compared.
"""

from collections.abc import Sequence
from fractions import Fraction

from dpmap.errors import Refused
from dpmap.ledger.accounting import spent
from dpmap.ledger.events import Body, Reserved, Said, Spend
from dpmap.numbers import decimal_text
from dpmap.promise.units import Key, same_unit, unit_key, unit_name


def units_of(events: Sequence[Said], dataset: str) -> tuple[str, ...]:
    """Returns the units that a data set was released by, as first spelled; more than one only in
    a ledger of an earlier dpmap.
    """
    found: dict[Key, str] = {}
    for event in events:
        if isinstance(event, Reserved) and event.dataset == dataset and event.unit is not None:
            found.setdefault(unit_key(event.unit), event.unit)
    return tuple(found.values())


def check_unit(events: Sequence[Said], asked: Spend) -> None:
    """Refuses a release of a data set that was released by another unit.

    >>> by_nest = Spend("Raptors", Fraction(1), unit="nest_id")
    >>> check_unit([by_nest.reserved], by_nest)
    >>> check_unit([by_nest.reserved], Spend("Raptors", Fraction(1), unit="row"))
    Traceback (most recent call last):
    ...
    dpmap.errors.Refused: dataset: 'Raptors' was released by nest_id, and this release is by single
    rows (--unit); epsilons of different units do not add up to anybody's protection, so give this
    one a data set of its own, like --dataset "Raptors by row"; both count against the ledger's one
    budget
    """
    if asked.unit is None:
        return
    others = [unit for unit in units_of(events, asked.dataset) if not same_unit(unit, asked.unit)]
    if others:
        was, this = unit_name(others[0]), unit_name(asked.unit)
        own = "row" if asked.unit == "row" else this
        raise Refused(
            f"dataset: {asked.dataset!r} was released by {was}, and this release is by {this}"
            " (--unit); epsilons of different units do "
            "not add up to anybody's protection, so give this one a data set of its own, like"
            f' --dataset "{asked.dataset} by {own}"; both '
            "count against the ledger's one budget"
        )


def by_unit(events: Sequence[Said]) -> list[tuple[str | None, Fraction]]:
    """Returns of each unit or site, as first spelled, what the releases that protect it have cost
    it; None is of those that name none.

    >>> both = Spend("a", Fraction(1), unit="observer_id", site="nest_id").reserved
    >>> [
    ...     (unit, str(cost))
    ...     for unit, cost in by_unit(
    ...         [both, Spend("a", Fraction(1, 2), unit="Observer_id").reserved]
    ...     )
    ... ]
    [('observer_id', '3/2'), ('nest_id', '1')]
    """
    named: dict[Key | None, str | None] = {}
    for event in events:
        for unit in _protected(event):
            named.setdefault(_key(unit), unit)
    return [
        (unit, spent(one for one in events if _counts(one, key))) for key, unit in named.items()
    ]


def unit_terms(events: Sequence[Said], asked: Spend) -> Body:
    """Returns what the statement of a release must say where the ledger holds releases that do not
    protect its unit: their units, and what those that do have cost, this one too.
    """
    if asked.unit is None:
        return {}
    key = unit_key(asked.unit)
    others = {
        unit_key(event.unit): event.unit
        for event in reversed(events)
        if isinstance(event, Reserved) and event.unit is not None and not _counts(event, key)
    }
    own = spent(one for one in [*events, asked.reserved] if _counts(one, key))
    return (
        {"units": {"spent": decimal_text(own), "others": [*others.values()][::-1]}}
        if others
        else {}
    )


def _protected(event: Said) -> tuple[str | None, ...]:
    """Returns the unit that a release protects, and its site; nothing of other events."""
    if not isinstance(event, Reserved):
        return ()
    return (event.unit,) if event.site is None else (event.unit, event.site)


def _key(unit: str | None) -> Key | None:
    return None if unit is None else unit_key(unit)


def _counts(event: Said, key: Key | None) -> bool:
    """Whether an event belongs to the account of one unit: its releases, and all that is no
    release.
    """
    return not isinstance(event, Reserved) or key in map(_key, _protected(event))
