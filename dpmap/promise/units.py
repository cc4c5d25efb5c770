"""Says whether two promises name the same unit, by what their policies declare; no row is looked
at.

Names are compared as a survey's header finds them: without regard to case and outer blanks. Columns
joined by `+` name the same units in any order; of `COLUMN|COLUMN` the first filled one counts, so
that there the order tells. `row` is no column, whatever a survey's are called.

>>> same_unit("Observer_ID", "observer_id "), same_unit("site + year", "year+site"), same_unit(
...     "row", "Row"
... )
(True, True, False)
"""

Key = frozenset[tuple[str, ...]]


def unit_key(unit: str) -> Key:
    """Returns what two spellings of the same unit have in common; of single rows it is empty."""
    parts = () if unit == "row" else unit.split("+")
    return frozenset(tuple(name.strip().lower() for name in part.split("|")) for part in parts)


def same_unit(one: str, other: str) -> bool:
    """Whether two declared units are the same."""
    return unit_key(one) == unit_key(other)


def unit_name(unit: str) -> str:
    """Returns what a unit is called in a sentence, on one line.

    >>> unit_name("row"), unit_name("nest_id")
    ('single rows', 'nest_id')
    """
    return (
        "single rows"
        if unit == "row"
        else "".join(mark if mark.isprintable() else " " for mark in unit)
    )
