"""Says what a place of a dpmap layer holds, in the words of the map's page."""

import math

from ..words import tr
from .numbers import KM2, as_number, counted, density, in_unit, number, spread, unit_of

PATCH = {"place", "cells", "area_km2", "low", "high", "told"}
CELL = {"cell", "area_km2", "low", "high"}
VALUES = ("estimate", "mean")
CODES = ("eeaCellCode", "eqdgcCode", "quarterDegreeCode", "mgrsCode", "osgbCode", "h3")


def kind_of(names):
    """Returns "patches" or "cells" by the names of a layer's fields, or "" for a layer that is none of dpmap's.

    >>> kind_of(["fid", "place", "cells", "area_km2", "estimate", "low", "high", "distinguishable", "per_km2", "told"])
    'patches'
    >>> kind_of(["cell", "estimate", "low", "high", "distinguishable", "area_km2", "place", "place_told"])
    'cells'
    >>> kind_of(["name", "low", "high"])
    ''
    """
    names = set(names)
    if not names & set(VALUES):
        return ""
    if names >= PATCH:
        return "patches"
    return "cells" if names >= CELL and names & {"distinguishable", "answered"} else ""


def title(values):
    """Returns what to call the place: the area's own name, else its number."""
    name = values.get("name")
    if isinstance(name, str) and name.strip():
        return name
    if "place" in values and "told" in values:
        return tr("Place {}").format(whole(values["place"]))
    return tr("Cell {}").format(whole(values.get("cell")))


def lines(values, about=None, colour=""):
    """Returns what a place holds as lines: `values` are its columns, `about` is what dpmap told of the release, `colour` its class on the map."""
    about = about or {}
    mean = "mean" in values
    told = bool(values.get(sure_column(values)))
    found = (_mean_lines if mean else _total_lines)(values, about, told)
    if colour:
        found.append(_on_the_map(values, colour))
    found.append(_ground(values))
    if _cells(values) > 1:
        found.append(tr("How it lies within this place is not known."))
    if told and not mean and not as_number(values.get("low")):
        found.append(
            tr(
                "Its total is not distinguishable from none; this does not mean that nothing is there."
            )
        )
    codes = [str(values[name]) for name in values if name in CODES or name.lower().endswith("code")]
    found += [tr("Code: {}").format(code) for code in codes if code not in ("", "NULL", "None")]
    found.append(capped(about))
    return [line for line in found if line]


def _on_the_map(values, colour):
    """Says the class in which it is drawn; a cell has the colour of the place it is told together with."""
    if "distinguishable" in values and values.get("place_told"):
        return tr("On the map it has the colour of place {}: {}").format(
            whole(values.get("place")), colour
        )
    return tr("On the map: {}").format(colour)


def sure_column(values):
    """Returns the name of the column that says whether the place is told."""
    return next(
        (name for name in ("told", "distinguishable", "answered") if name in values), "told"
    )


def capped(about):
    """Says what the cap does to the numbers."""
    return str(
        about.get("capped")
        or tr("capped: the release's statement says for how much each unit counts at most")
    )


def noun(about):
    """Returns what is counted."""
    return str(about.get("counted") or tr("points"))


def _total_lines(values, about, told):
    area, low, high = values.get("area_km2"), values.get("low"), values.get("high")
    if not told:
        return _untold(values, about, high, area)
    found = [
        f"{number(values.get('estimate'))} {noun(about)}",
        tr("90 % interval: {}").format(spread(low, high)),
    ]
    return [*found, _density(values)]


def _untold(values, about, high, area):
    """Says that a place is not told, and what it holds at most; never that it holds nothing."""
    words = tr("cannot be told") if "told" in values else tr("not distinguishable from none")
    most = as_number(high)
    if most is None:
        return [words]
    per = density(most, area)
    return [
        words,
        tr("at most {} {}").format(number(most), noun(about)) + (f", {per}" if per else ""),
    ]


def _mean_lines(values, about, told):
    name = str(about.get("colours") or tr("mean"))
    count = tr("told of {} {}").format(number(values.get("count")), noun(about))
    if not told:
        return [tr("cannot be told: too little was counted here to tell a mean")]
    return [
        f"{name}: {number(values.get('mean'))}",
        tr("90 % interval: {}").format(spread(values.get("low"), values.get("high"))),
        count,
    ]


def _density(values):
    area, value = as_number(values.get("area_km2")), as_number(values.get("estimate"))
    if not area or value is None:
        return ""
    unit = unit_of(value / area)
    low, high = (as_number(values.get(name)) for name in ("low", "high"))
    ends = (
        "" if low is None or high is None else f" ({spread(low / area * unit, high / area * unit)})"
    )
    return in_unit(value / area, unit) + ends


def _ground(values):
    area = f"{number(values.get('area_km2'))} {KM2}"
    return f"{area}, {counted(_cells(values), tr('cell'), tr('cells'))}"


def _cells(values):
    return _int(values.get("cells")) or 1


def whole(value):
    """Writes a whole number; nothing where there is none."""
    given = _int(value)
    return "" if given is None else str(given)


def _int(value):
    """Returns a whole number, or None where there is none: a stranger's file may hold anything."""
    given = as_number(value)
    return None if given is None or math.isinf(given) else int(given)
