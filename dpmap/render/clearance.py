"""Draws go or no-go: land that surely holds more than a number of points a cell, land that surely
holds less, and land of which the map cannot say.
"""

import os
from collections.abc import Mapping

import numpy as np

from dpmap import style
from dpmap.inference.clearance import LESS, MORE, UNKNOWN, Clearance
from dpmap.record import Record
from dpmap.render.colouring import Painting
from dpmap.render.static import write_painted
from dpmap.render.user_layers import Context


def draw_clearance(
    record: Record,
    clearance: Clearance,
    words: Mapping[str, str],
    path: "str | os.PathLike[str]",
    *,
    dpi: float = 300,
    context: Context = True,
) -> None:
    """Write the three answers as a picture: .png, .svg or .pdf, by the suffix."""
    described = f"{words['found']}; {words['rate']}; {words['absence']}"
    painting = paint_clearance(record, clearance, words)
    write_painted(record, record.grid, painting, path, described, dpi=dpi, context=context)


def paint_clearance(record: Record, clearance: Clearance, words: Mapping[str, str]) -> Painting:
    """Paint each cell in the colour of its answer."""
    inside = record.grid.inside
    more = clearance.more[inside]
    less = clearance.less[inside]
    unknown = ~more & ~less
    shares = {answer: f"{100 * share:.0f} %" for answer, share in clearance.shares().items()}
    threshold = f"{clearance.threshold:,.12g}"
    colours = np.empty((len(more), 3))
    colours[unknown] = style.rgb(style.UNSURE)
    colours[less] = style.rgb(style.hex_colour(style.SURELY_LESS))
    colours[more] = style.rgb(style.hex_colour(style.SURELY_MORE))
    return Painting(
        title=f"Where there surely are more, and fewer, than {threshold} points a cell",
        heading="Points a cell",
        values=np.zeros(len(more)),
        colours=colours,
        unsure=unknown,
        edges=(),
        labels=(
            (
                f"{MORE} than {threshold}\n({shares[MORE]} of the land)",
                style.hex_colour(style.SURELY_MORE),
            ),
            (
                f"{LESS} than {threshold}\n({shares[LESS]} of the land)",
                style.hex_colour(style.SURELY_LESS),
            ),
        ),
        unsure_words=f"{UNKNOWN} ({shares[UNKNOWN]})",
        notes=(words["absence"],),
    )
