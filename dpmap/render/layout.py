"""Makes room for a map's title, column and footer by measuring them, so that nothing overlaps and nothing is cut.

A figure of dpmap's own is made as high as its map needs. On your Axes the map keeps to the slot it was given and
shrinks inside it; under a layout engine (constrained, tight) the engine does the placing.
"""

from dataclasses import dataclass
from typing import Any

from dpmap.render import furniture

PAD = 0.1
"""Inches of white around everything."""


@dataclass(frozen=True, slots=True)
class Words:
    """Holds what is written around one map: a title, what it shows, and the lines below."""

    title: str
    subtitle: str
    footer: str


def settle(ax: Any, words: Words, *, own: bool, tallest: float) -> None:
    """Adds the words, then places the map."""
    figure = ax.get_figure(root=True)
    engine = figure.get_layout_engine()
    if own:
        _fit_figure(ax, words, tallest)
    elif engine is not None:
        _add_words(ax, words, _slot(ax)[2])
    else:
        _fit_slot(ax, words)


def _slot(ax: Any) -> tuple[float, float, float, float]:
    """Returns left, bottom, width and height of the space an Axes was given, in inches."""
    figure = ax.get_figure(root=True)
    box = ax.get_position(original=True)
    wide, high = figure.get_size_inches()
    return box.x0 * wide, box.y0 * high, box.width * wide, box.height * high


def _extent(ax: Any, artist: Any) -> Any:
    """Returns where an artist is drawn, in inches, or None if nothing is."""
    from matplotlib.transforms import Affine2D

    figure = ax.get_figure(root=True)
    box = artist.get_window_extent()
    return box.transformed(Affine2D().scale(1 / figure.dpi)) if box.width and box.height else None


def _column(ax: Any) -> Any:
    """Returns the column's extent."""
    found = [child for child in ax.get_children() if child.get_gid() == furniture.COLUMN]
    return _extent(ax, found[-1]) if found else None


def _ticks(ax: Any) -> tuple[float, float]:
    """Returns how far the tick labels reach to the left and below, in inches."""
    figure = ax.get_figure(root=True)
    box = _extent(ax, ax)
    left, below = ax.yaxis.get_tightbbox(), ax.xaxis.get_tightbbox()
    return (
        max(0.0, box.x0 - left.x0 / figure.dpi) if left is not None else 0.0,
        max(0.0, box.y0 - below.y0 / figure.dpi) if below is not None else 0.0,
    )


def _add_words(ax: Any, words: Words, inches: float) -> tuple[float, float]:
    """Adds the words, wrapped to a width; returns the heights they take above and below the map, in inches.

    The footer starts below the tick labels, and below the column where that is longer than the map is high.
    """
    ax.apply_aspect()
    box, column, (_, ticks) = _extent(ax, ax), _column(ax), _ticks(ax)
    above = 0.0
    if words.subtitle:
        subtitle = ax.annotate(
            words.subtitle, (0, 1), (0, 5), "axes fraction", "offset points", fontsize="small",
            annotation_clip=False, parse_math=False, linespacing=1.2,
        )  # fmt: skip
        _wrap(ax, subtitle, inches)
        above = _extent(ax, subtitle).y1 - box.y1
    if words.title:
        title = ax.set_title(
            words.title, loc="left", fontsize="medium", fontweight="bold", pad=72 * above + 5, parse_math=False
        )
        _wrap(ax, title, inches)
        above = _extent(ax, title).y1 - box.y1
    drop = max(ticks, box.y0 - column.y0 if column is not None else 0.0)
    if not words.footer:
        return above, drop
    text = furniture.footer(ax, words.footer, 72 * drop + 7)
    _wrap(ax, text, inches)
    return above, box.y0 - _extent(ax, text).y0


def _wrap(ax: Any, text: Any, inches: float) -> None:
    """Breaks a text's lines that would pass a width."""
    whole = text.get_text()
    measured = _extent(ax, text).width
    if measured > inches:
        text.set_text(furniture.plain(whole, int(len(whole) * inches / measured * 0.96)))


def _fit_figure(ax: Any, words: Words, tallest: float) -> None:
    """Sizes a figure to the user's width (rcParams) and the height its map needs."""
    figure = ax.get_figure(root=True)
    ax.apply_aspect()
    box, column, (left, _) = _extent(ax, ax), _column(ax), _ticks(ax)
    right = max(column.x1 - box.x1, 0.0) if column is not None else 0.08
    wide = float(figure.get_size_inches()[0])
    shape = box.width / box.height
    width = max(1.2, min(wide - left - right - 2 * PAD, tallest * shape))
    wide = min(wide, max(left + width + right + 2 * PAD, 4.2)) if width >= tallest * shape * 0.999 else wide
    height = width / shape
    for _ in range(2):
        figure.set_size_inches(wide, height + 2)
        ax.set_position([(left + PAD) / wide, 1.5 / (height + 2), width / wide, height / (height + 2)])
    above, below = _add_words(ax, words, wide - left - 2 * PAD)
    high = above + height + below + 2 * PAD
    figure.set_size_inches(wide, high)
    ax.set_position([(left + PAD) / wide, (below + PAD) / high, width / wide, height / high])


def _fit_slot(ax: Any, words: Words) -> None:
    """Shrinks the map inside its slot, so that column and footer stay in it; ticks and title hang out as usual."""
    figure = ax.get_figure(root=True)
    x, y, width, height = _slot(ax)
    wide, high = figure.get_size_inches()
    ax.apply_aspect()
    box, column = _extent(ax, ax), _column(ax)
    right = max(column.x1 - box.x1, 0.0) if column is not None else 0.0
    inner = max(0.3 * width, width - right)
    ax.set_position([x / wide, y / high, inner / wide, height / high])
    _, below = _add_words(ax, words, width)
    below = max(0.0, below - 0.3)
    ax.set_position([x / wide, (y + below) / high, inner / wide, max(0.3 * height, height - below) / high])


def shorten(figure: Any) -> None:
    """Removes the height that maps side by side leave unused: a figure is as high as its tallest map needs."""
    for _ in range(2):
        figure.draw_without_rendering()
        boxes = [ax.get_tightbbox() for ax in figure.axes]
        used = (max(box.y1 for box in boxes) - min(box.y0 for box in boxes)) / figure.dpi
        figure.set_size_inches(figure.get_size_inches()[0], used + 0.85)
