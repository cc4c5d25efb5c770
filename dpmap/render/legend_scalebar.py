"""Draws what stands around a map: the scale bar, the column with the legend, the line below.

Matplotlib parts that take an Axes and know nothing of releases. The column is stacked from boxes,
so that nothing in it can overlap whatever the size of the figure or the reader's font.
"""

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap import style
from dpmap.grid import crs as crs_tools
from dpmap.statement.phrases import clean

Box = tuple[float, float, float, float]
COLUMN = "dpmap column"
BAR = 2.4
"""How long the longest bar beside the classes is, in heights of a patch."""
QUIET = 0.68
"""How opaque words are that stand back behind the map: notes and credits."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Describes a line of the legend: a patch (filled, hatched or only outlined), its words, and
    the share of the area that it has, if a bar shows it.
    """

    words: str
    face: str = "none"
    edge: str = "none"
    hatch: str | None = None
    share: float | None = None


def plain(text: str, width: int | None = None) -> str:
    """Return text without control characters, wrapped to so many characters.

    >>> plain("one two three", 7).splitlines()
    ['one two', 'three']
    """
    text = clean(text)
    return text if width is None else "\n".join(textwrap.wrap(text, max(8, width))) or text


def _degrees(
    crs: str, x: NDArray[np.float64], y: NDArray[np.float64]
) -> tuple[NDArray[Any], NDArray[Any]]:
    return crs_tools.transform(x, y, crs, crs_tools.LONLAT)


def _label(degrees: float, letters: str) -> str:
    """Write a label such as `1.5° W`.

    >>> print(_label(-1.5, "EW"), _label(0, "NS"))
    1.5° W 0°
    """
    letter = "" if degrees in (0, 180, -180) else f" {letters[0] if degrees > 0 else letters[1]}"
    return f"{abs(degrees):g}\N{DEGREE SIGN}{letter}"


def metres_per_unit(crs: str, box: Box) -> float:
    """Return the true metres on the ground in one unit to the east, at the middle of the frame."""
    import pyproj

    x = (box[0] + box[2]) / 2
    y = (box[1] + box[3]) / 2
    reach = (box[2] - box[0]) / 100
    lon, lat = _degrees(crs, np.array([x - reach, x + reach]), np.array([y, y]))
    _, _, metres = pyproj.Geod(ellps="WGS84").inv(lon[0], lat[0], lon[1], lat[1])
    return float(metres) / (2 * reach)


def scale_length(metres: float) -> tuple[float, str]:
    """Return the longest of 1, 2, 5 times a power of ten within so many metres, and its words.

    >>> scale_length(23_000), scale_length(700)
    ((20000.0, '20 km'), (500.0, '500 m'))
    """
    power = 10.0 ** math.floor(math.log10(metres))
    length = max(m * power for m in (1, 2, 5) if m * power <= metres * (1 + 1e-9))
    return length, f"{length / 1000:,g} km" if length >= 1000 else f"{length:g} m"


def scale_bar(ax: Any, crs: str, box: Box) -> Any:
    """Draw a bar as long on the map as its words say, at the middle of the map."""
    from matplotlib import rcParams
    from matplotlib.lines import Line2D
    from matplotlib.offsetbox import AuxTransformBox, TextArea, VPacker

    metres = metres_per_unit(crs, box)
    length, words = scale_length((box[2] - box[0]) * metres / 4)
    span = length / metres
    bar = AuxTransformBox(ax.transData)
    x = (box[0] + box[2] - span) / 2
    y = (box[1] + box[3]) / 2
    bar.add_artist(
        Line2D(
            [x, x + span],
            [y, y],
            color=rcParams["text.color"],
            linewidth=2.2,
            solid_capstyle="butt",
        )
    )
    if crs_tools.is_lonlat(crs):
        words += f" at {_label(round(y, 1), 'NS')}"
    label = TextArea(words, textprops={"fontsize": "small"})
    return VPacker(children=[bar, label], pad=0, sep=3, align="left")


def north(turn: float) -> Any:
    """Make an arrow to the north, turned so many degrees to the right, with its letter."""
    from matplotlib import rcParams
    from matplotlib.offsetbox import DrawingArea
    from matplotlib.patches import FancyArrow
    from matplotlib.text import Text

    ink = rcParams["text.color"]
    side = 34.0
    area = DrawingArea(side, side)
    east = math.sin(math.radians(turn))
    up = math.cos(math.radians(turn))
    x = side / 2 - 8 * east
    y = side / 2 - 8 * up - 3
    area.add_artist(
        FancyArrow(
            x,
            y,
            14 * east,
            14 * up,
            width=0.8,
            head_width=5,
            head_length=6,
            length_includes_head=True,
            color=ink,
        )
    )
    area.add_artist(
        Text(x + 20 * east, y + 20 * up, "N", fontsize="small", ha="center", va="center")
    )
    return area


def heading(words: str) -> Any:
    """Make the legend's title."""
    from matplotlib.offsetbox import TextArea

    return TextArea(
        words, textprops={"fontsize": "small", "fontweight": "bold", "parse_math": False}
    )


def note(words: str) -> Any:
    """Make smaller words between the parts of the column."""
    from matplotlib.offsetbox import TextArea

    return TextArea(words, textprops={"fontsize": "x-small", "alpha": QUIET, "parse_math": False})


def entries(rows: Sequence[Entry], spread: float) -> Any:
    """Make the legend's rows; `spread` is the height of a patch in points."""
    from matplotlib.offsetbox import DrawingArea, HPacker, TextArea, VPacker
    from matplotlib.patches import Rectangle

    widths = [_words_width(row.words) for row in rows]
    shared = [row.share is not None for row in rows]
    widest = max(
        (width for width, has_bar in zip(widths, shared, strict=True) if has_bar), default=0
    )
    longest = max((row.share or 0.0 for row in rows), default=0.0)
    lines: list[Any] = []
    for row, width in zip(rows, widths, strict=True):
        area = DrawingArea(spread * 1.7, spread)
        patch = Rectangle(
            (0, 0), spread * 1.7, spread, facecolor=row.face, edgecolor=row.edge, linewidth=0.6
        )
        if row.hatch:
            patch.set_hatch(row.hatch)
            patch.set_hatch_linewidth(0.5)
        area.add_artist(patch)
        words = TextArea(row.words, textprops={"fontsize": "small", "parse_math": False})
        parts: list[Any] = [area, words]
        if row.share is not None:
            gap = widest - width
            parts.append(_share_bar(row.share, longest, gap, spread))
        lines.append(HPacker(children=parts, pad=0, sep=5, align="center"))
    return VPacker(children=lines, pad=0, sep=2.5, align="left")


def _words_width(words: str) -> float:
    """Return how wide words of the legend are, in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    font = FontProperties(size="small")
    return max(
        float(TextPath((0, 0), line, prop=font).get_extents().width) if line.strip() else 0.0
        for line in words.split("\n")
    )


def _share_bar(share: float, longest: float, gap: float, spread: float) -> Any:
    """Make a bar as long as a share of the area, `gap` points to the right, with its per cent."""
    from matplotlib import rcParams
    from matplotlib.offsetbox import DrawingArea
    from matplotlib.patches import Rectangle
    from matplotlib.text import Text

    ink = rcParams["text.color"]
    length = spread * BAR * share / longest if longest else 0.0
    area = DrawingArea(gap + spread * (BAR + 2.8), spread)
    if share:
        percent = f"{100 * share:.0f} %" if share >= 0.005 else "under 1 %"
        area.add_artist(
            Rectangle((gap, 0.2 * spread), length, 0.6 * spread, color=ink, alpha=0.3, linewidth=0)
        )
        area.add_artist(
            Text(
                gap + length + 3,
                spread / 2,
                percent,
                fontsize="x-small",
                alpha=QUIET,
                va="center_baseline",
            )
        )
    return area


def colour_bar(
    edges: Sequence[float],
    spread: float,
    ramp: style.Ramp = style.ramp,
    open_ends: tuple[bool, bool] = (False, False),
) -> Any:
    """Make a continuous bar whose colours run evenly between the edges, which are its ticks; an
    open end stands for what lies beyond as well.
    """
    from matplotlib import rcParams
    from matplotlib.lines import Line2D
    from matplotlib.offsetbox import DrawingArea
    from matplotlib.patches import Rectangle
    from matplotlib.text import Text

    ink = rcParams["text.color"]
    steps = 96
    height = spread * 1.9 * (len(edges) - 1)
    width = spread * (8.5 if any(open_ends) else 5)
    area = DrawingArea(width, height + spread / 2, 0, spread / 2)
    for i in range(steps):
        colour = style.hex_colour((i + 0.5) / steps, ramp)
        area.add_artist(
            Rectangle(
                (0, height * i / steps), spread * 1.4, height / steps, color=colour, linewidth=0.2
            )
        )
    words = [style.number(edge) for edge in edges]
    words[0] += " and less" * open_ends[0]
    words[-1] += " and more" * open_ends[1]
    for i, label in enumerate(words):
        y = height * i / (len(edges) - 1)
        area.add_artist(Line2D([spread * 1.4, spread * 1.7], [y, y], color=ink, linewidth=0.6))
        area.add_artist(Text(spread * 2, y, label, fontsize="small", va="center", parse_math=False))
    return area


def colour_tree(tiers: Sequence[Sequence[str]], edges: Sequence[float], spread: float) -> Any:
    """Make the legend of a value-suppressing palette: fewer colours the less sure the cell, the
    surest on top.
    """
    from matplotlib.offsetbox import DrawingArea
    from matplotlib.patches import Rectangle
    from matplotlib.text import Text

    side = spread * 9.6 / len(tiers[0])
    row = spread * 1.3
    labels = [style.number(edge) for edge in edges]
    crowded = any((len(a) + len(b)) * spread * 0.32 > side for a, b in pairwise(labels))
    top = row * len(tiers)
    area = DrawingArea(spread * 10.8, top + spread * (2.6 if crowded else 1.5), spread * 0.6)
    for depth, colours in enumerate(tiers):
        y = row * (len(tiers) - 1 - depth) + 1
        for i, colour in enumerate(colours):
            gap = 1.0 if i + 1 == len(colours) or colours[i + 1] != colour else 0.0
            area.add_artist(
                Rectangle((side * i, y), side - gap, row - 1, facecolor=colour, edgecolor="none")
            )
    for i, label in enumerate(labels):
        y = top + spread * (0.35 + 1.1 * (i % 2 if crowded else 0))
        area.add_artist(Text(side * i, y, label, fontsize="x-small", ha="center", parse_math=False))
    return area


def column(ax: Any, parts: Sequence[Any]) -> Any:
    """Place the parts below each other, to the right of the map."""
    from matplotlib.offsetbox import AnchoredOffsetbox, VPacker

    box = AnchoredOffsetbox(
        loc="upper left",
        child=VPacker(children=list(parts), pad=0, sep=8, align="left"),
        pad=0,
        borderpad=0,
        frameon=False,
        bbox_to_anchor=(1.0, 1.0, 0.0, 0.0),
        bbox_transform=_nudged(ax, 9, 0),
    )
    box.set_gid(COLUMN)
    return ax.add_artist(box)


def _nudged(ax: Any, right: float, up: float) -> Any:
    """Move the Axes' coordinates by so many points."""
    from matplotlib.transforms import ScaledTranslation

    figure = ax.get_figure(root=True)
    return ax.transAxes + ScaledTranslation(right / 72, up / 72, figure.dpi_scale_trans)


def footer(ax: Any, words: str, drop: float) -> Any:
    """Write small words below the map, `drop` points down."""
    return ax.annotate(
        words,
        (0, 0),
        (0, -drop),
        "axes fraction",
        "offset points",
        va="top",
        ha="left",
        fontsize="x-small",
        linespacing=1.2,
        alpha=QUIET,
        annotation_clip=False,
        parse_math=False,
    )
