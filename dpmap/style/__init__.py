"""Colours and classes that every map and layer shares, so that one release looks the same
everywhere. Nothing here draws.
"""

from dpmap.style.classes import (
    class_breaks,
    class_labels,
    dividing_breaks,
    even_breaks,
    growing_breaks,
    number,
    place_breaks,
)
from dpmap.style.colours import (
    BORDER,
    INK,
    LAND,
    RAMP,
    RIVER,
    SURELY_LESS,
    SURELY_MORE,
    UNSURE,
    UNSURE_LINE,
    WATER,
    Colour,
    Ramp,
    class_colours,
    hex_colour,
    ramp,
    rgb,
)
from dpmap.style.diverging_colours import ChangeClass, ChangeClasses, signed
from dpmap.style.units import KM2, Unit, amount_unit, density_unit

__all__ = [
    "BORDER",
    "INK",
    "KM2",
    "LAND",
    "RAMP",
    "RIVER",
    "SURELY_LESS",
    "SURELY_MORE",
    "UNSURE",
    "UNSURE_LINE",
    "WATER",
    "ChangeClass",
    "ChangeClasses",
    "Colour",
    "Ramp",
    "Unit",
    "amount_unit",
    "class_breaks",
    "class_colours",
    "class_labels",
    "density_unit",
    "dividing_breaks",
    "even_breaks",
    "growing_breaks",
    "hex_colour",
    "number",
    "place_breaks",
    "ramp",
    "rgb",
    "signed",
]
