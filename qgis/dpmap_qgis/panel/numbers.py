"""Writes numbers as the map's page does: no more digits than matter, thousands apart."""

import math

KM2 = "km\N{SUPERSCRIPT TWO}"


def number(value):
    """Writes a number.

    >>> number(1234.5), number(141.6), number(9.75), number(0.0123), number(0)
    ('1,234', '142', '9.8', '0.012', '0')
    """
    value = as_number(value)
    if value is None:
        return "unknown"
    if math.isinf(value):
        return "unbounded"
    size = abs(value)
    if size >= 100:
        return f"{value:,.0f}"
    if size >= 1 or size == 0:
        return f"{round(value, 1):g}"
    return f"{float(f'{value:.2g}'):f}".rstrip("0") if size >= 5e-4 else "0"


def spread(low, high):
    """Writes an interval; a low end above 0 that does not reach a number which can be read is said so.

    >>> spread(439.05, 567.2), spread(0.0001, 3)
    ('439 to 567', 'over 0 to 3')
    """
    value = as_number(low)
    return (
        f"{'over 0' if value is not None and 0 < value < 5e-4 else number(low)} to {number(high)}"
    )


def as_number(value):
    """Returns a number of a layer or an answer, or None where there is none: QGIS writes a missing one in several ways.

    >>> as_number(None), as_number(float("nan")), as_number("x"), as_number(2)
    (None, None, None, 2.0)
    """
    try:
        given = float(value)
    except (TypeError, ValueError):
        return None
    return None if math.isnan(given) else given


def density(value, area):
    """Writes so many on an area of square kilometres as a density, per 100 square kilometres where that is easier to read.

    >>> density(50, 10), density(1.4, 70)
    ('5 per km\N{SUPERSCRIPT TWO}', '2 per 100 km\N{SUPERSCRIPT TWO}')
    """
    value, area = as_number(value), as_number(area)
    if value is None or not area:
        return ""
    return in_unit(value / area, unit_of(value / area))


def unit_of(per_km2):
    """Returns how many square kilometres a density is best told for."""
    return 1 if per_km2 >= 1 else 100


def in_unit(per_km2, unit):
    """Writes a density for so many square kilometres."""
    return f"{number(per_km2 * unit)} per {KM2 if unit == 1 else f'100 {KM2}'}"


def counted(how_many, one, several):
    """Writes `1 cell`, `2,000 cells`.

    >>> counted(1, "cell", "cells"), counted(2000, "cell", "cells")
    ('1 cell', '2,000 cells')
    """
    return f"{how_many:,} {one if how_many == 1 else several}"
