"""Says which fields of a layer become columns, and what each is called; the layer's own schema decides, and no row."""

import re

WORDS = frozenset((1, 2, 3, 4, 5, 6, 7, 10, 14, 15, 16, 32, 33, 34, 35, 36, 37, 38))
"""Types of fields that hold one number, text, date or time; those of lists, maps, JSON and bytes are left out, whatever they hold.

They are Qt's own numbers, the same for QVariant (Qt 5) and QMetaType (Qt 6).
"""
_CONTROL = re.compile("[\x00-\x1f\x7f]+")


def kept(fields):
    """Returns the places of the fields that become columns, and the columns' names."""
    places = [place for place in range(fields.count()) if _number(fields.at(place).type()) in WORDS]
    return places, distinct([fields.at(place).name() for place in places])


def distinct(names):
    r"""Makes names that dpmap takes as they are: no two alike but for capitals, none empty, no marks that nobody sees.

    >>> distinct(["a", "", "A", " who\n"])
    ['a', 'column_2', 'A_2', 'who']
    """
    taken, made = set(), []
    for place, given in enumerate(names, start=1):
        base = _CONTROL.sub(" ", given).strip()[:1000] or f"column_{place}"
        made.append(free(base, taken))
    return made


def free(base, taken):
    """Returns the name, or the first of base_2, base_3 ... that nobody has, and takes it."""
    name, copy = base, 1
    while name.lower() in taken:
        copy += 1
        name = f"{base}_{copy}"
    taken.add(name.lower())
    return name


def _number(kind):
    """Returns the number of a type: Qt 6 has it in a box."""
    return int(getattr(kind, "value", kind))
