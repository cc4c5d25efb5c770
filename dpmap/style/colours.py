"""The colours that every map and layer shares."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Cells = NDArray[np.float64]
Colour = tuple[float, float, float]
Ramp = Callable[["float | Cells"], NDArray[np.float64]]
"""Gives red, green and blue (0 to 1) at each share 0 to 1."""

RAMP = (
    "#fcfdbf",
    "#fecc8f",
    "#fd9869",
    "#f3655c",
    "#d2426f",
    "#a6317d",
    "#792282",
    "#4f127b",
    "#21114e",
)
"""Light to dark, even steps of lightness, readable with every kind of colour blindness and in
greyscale: the upper six sevenths of matplotlib's `magma` (CC0), reversed.
"""

UNSURE = "#e3e3e3"
UNSURE_LINE = "#adadad"
SURELY_LESS = 0.02
SURELY_MORE = 0.9
"""Where on the scale of colours land lies that surely holds less than was asked, and more."""
WATER = "#e9f0f4"
LAND = "#f7f6f3"
RIVER = "#8fb3c9"
BORDER = "#8a8a8a"
INK = "#333333"


def ramp(share: "float | Cells") -> NDArray[np.float64]:
    """Return red, green and blue (0 to 1) at a share 0 to 1 of the ramp.

    >>> ramp(0.0).round(2)
    array([0.99, 0.99, 0.75])
    """
    stops = np.array([rgb(colour) for colour in RAMP])
    places = np.linspace(0, 1, len(stops))
    at = np.clip(np.asarray(share, dtype=np.float64), 0, 1)
    return np.stack([np.interp(at, places, stops[:, channel]) for channel in range(3)], axis=-1)


def rgb(colour: str) -> Colour:
    """Return red, green and blue of `#rrggbb`.

    >>> rgb("#ff0000")
    (1.0, 0.0, 0.0)
    """
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


def hex_colour(share: float, colours: Ramp = ramp) -> str:
    """Return a ramp's colour at a share as `#rrggbb`; `colours` is another ramp than ours.

    >>> hex_colour(0), hex_colour(1)
    ('#fcfdbf', '#21114e')
    """
    return "#" + "".join(f"{round(channel * 255):02x}" for channel in colours(share).tolist())


def class_colours(classes: int, colours: Ramp = ramp) -> list[str]:
    """Return one colour for each of so many classes, evenly along the ramp.

    >>> class_colours(2)
    ['#fecc8f', '#4f127b']
    """
    if classes == 1:
        return [hex_colour(0.5, colours)]
    first, last = (0.02, 0.97) if classes > 3 else (0.125, 0.875)
    shares = [first + (last - first) * i / (classes - 1) for i in range(classes)]
    return [hex_colour(share, colours) for share in shares]
