"""Sizes of cells: parses them, places edges on whole multiples of them, and writes them in
words.
"""

import math

from dpmap.errors import BadInput
from dpmap.numbers import real

UNITS = {"m": 1.0, "km": 1000.0, "ft": 0.3048, "mi": 1609.344}
"""Metres in each unit of length."""
SECONDS = {
    **dict.fromkeys(("deg", "degree", "degrees", "\N{DEGREE SIGN}"), 3600.0),
    **dict.fromkeys(("min", "minute", "minutes", "arcmin", "\N{PRIME}"), 60.0),
    **dict.fromkeys(("s", "sec", "second", "seconds", "arcsec", "\N{DOUBLE PRIME}"), 1.0),
}
"""Seconds of arc in each unit of longitude and latitude. A mark such as ' is none of them, since
it is feet as well.
"""
_OFF = 1e-9
"""A size that differs from whole seconds, or from a short decimal, by less than this share is
that one, but for rounding.
"""


def parse_cell(cell: object) -> tuple[float, bool]:
    """Reads a cell size: its metres (or degrees), and whether it is in degrees. A number is metres;
    a text has its unit.

    >>> parse_cell("1 km"), parse_cell("0.1 deg"), parse_cell("15 min"), parse_cell(250)
    ((1000.0, False), (0.1, True), (0.25, True), (250.0, False))
    >>> parse_cell("5")
    Traceback (most recent call last):
    ...
    dpmap.errors.BadInput: cell: 5 of what? write its unit, like cell="5 km", "5 m", "5 min" or "5
    deg"
    """
    size, unit = _parse_size(cell)
    if not unit and isinstance(cell, str):
        number = f"{size:g}"
        raise BadInput(
            f'cell: {number} of what? write its unit, like --cell "{number} km", "{number} m",'
            f' "{number} min" or "{number} deg"'
        )
    if unit in SECONDS:
        return size / (3600 / SECONDS[unit]), True
    return size * UNITS[unit or "m"], False


def parse_metres(length: object) -> float | None:
    """Reads a length, in metres where no unit is written; None if it is in degrees, minutes or
    seconds.

    >>> parse_metres("1 km"), parse_metres("1000"), parse_metres("1 deg")
    (1000.0, 1000.0, None)
    """
    size, unit = _parse_size(length)
    return None if unit in SECONDS else size * UNITS[unit or "m"]


def _parse_size(text: object) -> tuple[float, str]:
    """Returns a size's number and its unit as written, which may be empty."""
    typed = str(text).strip().lower()
    digits = typed.rstrip("abcdefghijklmnopqrstuvwxyz\N{DEGREE SIGN}\N{PRIME}\N{DOUBLE PRIME} ")
    unit = typed[len(digits) :].strip()
    try:
        size = real(digits)
    except ValueError:
        size = math.nan
    if not 1e-6 <= size < math.inf or not (unit in SECONDS or UNITS.get(unit or "m")):
        raise BadInput(
            'cell: write a size with its unit, like --cell "1 km", "500 m", "0.1 deg" or "5 min"'
        )
    return size, unit


def edge(steps: int, size: float, *, in_degrees: bool) -> float:
    """Returns the coordinate of the edge so many sides from the origin, as exact as a float can be.

    Five minutes are no decimal of a degree, so a multiple of 0.08333 misses the whole second; whole
    seconds are counted instead.

    >>> edge(129, 5 / 60, in_degrees=True), edge(3, 0.1, in_degrees=True), edge(
    ...     3, 1000.0, in_degrees=False
    ... )
    (10.75, 0.3, 3000.0)
    """
    seconds = _whole_seconds(size) if in_degrees else None
    return steps * size if seconds is None else steps * seconds / 3600


def _whole_seconds(degrees: float) -> int | None:
    """Returns a size in whole seconds of arc; None if it is none."""
    seconds = round(degrees * 3600)
    return seconds if seconds and abs(degrees * 3600 - seconds) < _OFF * seconds else None


def degrees_text(width: float, height: float) -> str:
    """Returns the size of a cell of longitude and latitude in words: in degrees where these are
    short, else in minutes and seconds.

    >>> degrees_text(0.1, 0.1), degrees_text(5 / 60, 5 / 60), degrees_text(150 / 3600, 1.0)
    ('0.1°', '5′', '2′30″ x 1°')
    """  # noqa: RUF002  # minutes and seconds are written with their own marks
    sides = [_side_text(side) for side in (width, height)]
    return sides[0] if abs(width - height) < _OFF * width else " x ".join(sides)


def _side_text(degrees: float) -> str:
    """Returns one side in words."""
    short = f"{degrees:.6g}"
    seconds = _whole_seconds(degrees)
    if seconds is None or abs(float(short) - degrees) < _OFF * degrees:
        return short + "\N{DEGREE SIGN}"
    minutes, seconds = divmod(seconds, 60)
    whole, minutes = divmod(minutes, 60)
    parts = ((whole, "\N{DEGREE SIGN}"), (minutes, "\N{PRIME}"), (seconds, "\N{DOUBLE PRIME}"))
    return "".join(f"{count}{mark}" for count, mark in parts if count)


def lengths_text(width: float, height: float) -> str:
    """Returns the size of a cell in words: in metres, or in kilometres from one on.

    >>> lengths_text(1000.0, 1000.0), lengths_text(500.0, 1500.0)
    ('1 km', '500 m x 1.5 km')
    """
    sides = [
        f"{side / 1000:.6g} km" if side >= 1000 else f"{side:.6g} m" for side in (width, height)
    ]
    return sides[0] if abs(width - height) < _OFF * width else " x ".join(sides)
