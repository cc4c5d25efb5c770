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

from dpmap.errors import Refused
from dpmap.ledger.accounting import spent
from dpmap.ledger.events import Body, Meaning, Reserved, Spend
from dpmap.numbers import decimal_text
from dpmap.promise.units import Key, same_unit, unit_key, unit_name


def units_of(events: Sequence[Meaning], dataset: str) -> tuple[str, ...]:
    """Returns the units that a data set was released by, as first spelled; more than one only in
    a ledger of an earlier dpmap.
    """
    first_spelled: dict[Key, str] = {}
    for event in events:
        if isinstance(event, Reserved) and event.dataset == dataset and event.unit is not None:
            first_spelled.setdefault(unit_key(event.unit), event.unit)
    return tuple(first_spelled.values())


def check_unit(events: Sequence[Meaning], spend: Spend) -> None:
    """Refuses a release of a data set that was released by another unit.

    >>> from fractions import Fraction
    >>> by_nest = Spend("Raptors", Fraction(1), unit="nest_id")
    >>> check_unit([by_nest.reserved], by_nest)
    >>> check_unit([by_nest.reserved], Spend("Raptors", Fraction(1), unit="row"))
    Traceback (most recent call last):
    ...
    dpmap.errors.Refused: dataset: 'Raptors' was released by nest_id, and this release is by single
    rows (unit=); epsilons of different units do not add up to anybody's protection, so give this
    one a data set of its own, like dataset="Raptors by row"; both count against the ledger's one
    budget
    """
    if spend.unit is None:
        return
    others = [unit for unit in units_of(events, spend.dataset) if not same_unit(unit, spend.unit)]
    if others:
        earlier = unit_name(others[0])
        unit = unit_name(spend.unit)
        proposed = "row" if spend.unit == "row" else unit
        raise Refused(
            f"dataset: {spend.dataset!r} was released by {earlier}, and this release is by {unit}"
            " (--unit); epsilons of different units do not add up to anybody's protection, so give"
            f' this one a data set of its own, like --dataset "{spend.dataset} by {proposed}"; both'
            " count against the ledger's one budget"
        )


def unit_terms(events: Sequence[Meaning], spend: Spend) -> Body:
    """Returns what the statement of a release must say where the ledger holds releases that do not
    protect its unit: their units, and what those that do have cost, this one too.
    """
    if spend.unit is None:
        return {}
    key = unit_key(spend.unit)
    others = {
        unit_key(event.unit): event.unit
        for event in reversed(events)
        if isinstance(event, Reserved) and event.unit is not None and not counts_for(event, key)
    }
    if not others:
        return {}
    cost = spent(event for event in [*events, spend.reserved] if counts_for(event, key))
    return {"units": {"spent": decimal_text(cost), "others": [*others.values()][::-1]}}


def protected_units(event: Meaning) -> tuple[str | None, ...]:
    """Returns the unit that a release protects, and its site; nothing of other events."""
    if not isinstance(event, Reserved):
        return ()
    return (event.unit,) if event.site is None else (event.unit, event.site)


def counts_for(event: Meaning, key: Key | None) -> bool:
    """Returns whether an event counts in the sum of one unit: its releases, and all that is no
    release.
    """
    keys = (None if unit is None else unit_key(unit) for unit in protected_units(event))
    return not isinstance(event, Reserved) or key in keys
