"""Makes room for a map's title, column and footer by measuring them, so that nothing overlaps and
nothing is cut.

A figure of dpmap's own is made as high as its map needs. On your Axes the map keeps to the slot it
was given and shrinks inside it; under a layout engine (constrained, tight) the engine does the
placing.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpmap.errors import WrongType
from dpmap.render import legend_scalebar

PAD = 0.1
"""Inches of white around everything."""


@dataclass(frozen=True, slots=True)
class Words:
    """Holds what is written around one map: a title, what it shows, and the lines below."""

    title: str
    subtitle: str
    footer: str


def settle(ax: Any, words: Words, *, has_layers: bool, tallest: float, size: Any = None) -> None:
    """Add the words, then places the map; a new figure has a declared `size` in inches, or the
    height that its map needs.
    """
    figure = ax.get_figure(root=True)
    engine = figure.get_layout_engine()
    if has_layers:
        if size is None:
            _fit_figure(ax, words, tallest)
        else:
            _fit_figure(ax, words, page_size(size)[1], page_size(size))
    elif engine is not None:
        _add_words(ax, words, _slot(ax)[2])
    else:
        _fit_slot(ax, words)


def _slot(ax: Any) -> tuple[float, float, float, float]:
    """Return left, bottom, width and height of the space an Axes was given, in inches."""
    figure = ax.get_figure(root=True)
    box = ax.get_position(original=True)
    wide, high = figure.get_size_inches()
    return box.x0 * wide, box.y0 * high, box.width * wide, box.height * high


def _extent(ax: Any, artist: Any) -> Any:
    """Return where an artist is drawn, in inches, or None if nothing is."""
    from matplotlib.transforms import Affine2D

    figure = ax.get_figure(root=True)
    is_axis = hasattr(artist, "get_ticklabels")
    box = artist.get_tightbbox() if is_axis else artist.get_window_extent()
    if box is None:
        return None
    return box.transformed(Affine2D().scale(1 / figure.dpi)) if box.width and box.height else None


def _column(ax: Any) -> Any:
    """Return the column's extent."""
    columns = [child for child in ax.get_children() if child.get_gid() == legend_scalebar.COLUMN]
    return _extent(ax, columns[-1]) if columns else None


def _add_words(ax: Any, words: Words, inches: float) -> tuple[float, float]:
    """Add the words, wrapped to a width; return the heights they take above and below the map, in
    inches.

    The footer starts below the map, and below the column where that is longer than the map is high.
    """
    ax.apply_aspect()
    box = _extent(ax, ax)
    column = _column(ax)
    above = 0.0
    if words.subtitle:
        subtitle = ax.annotate(
            words.subtitle,
            (0, 1),
            (0, 5),
            "axes fraction",
            "offset points",
            fontsize="small",
            annotation_clip=False,
            parse_math=False,
            linespacing=1.2,
            alpha=legend_scalebar.QUIET,
        )
        _wrap(ax, subtitle, inches)
        above = _extent(ax, subtitle).y1 - box.y1
    if words.title:
        title = ax.set_title(
            words.title,
            loc="left",
            fontsize="large",
            fontweight="bold",
            pad=72 * above + 5,
            parse_math=False,
        )
        _wrap(ax, title, inches)
        above = _extent(ax, title).y1 - box.y1
    ticks = _extent(ax, ax.xaxis) if words.footer and len(ax.get_xticks()) else None
    reaches = [part.y0 for part in (column, ticks) if part is not None]
    drop = max([0.0, *(box.y0 - reach for reach in reaches)])
    if not words.footer:
        return above, drop
    text = legend_scalebar.footer(ax, words.footer, 72 * drop + 7)
    _wrap(ax, text, inches)
    return above, box.y0 - _extent(ax, text).y0


def _wrap(ax: Any, text: Any, inches: float) -> None:
    """Breaks a text's lines that would pass a width; at other dots per inch letters may be a
    hundredth wider.
    """
    whole = text.get_text()
    measured = _extent(ax, text).width if whole else 0.0
    if measured <= inches:
        return
    letters = int(len(whole) * inches / measured * 0.96)
    text.set_text(legend_scalebar.plain(whole, letters))
    while letters > 8 and _extent(ax, text).width > 0.99 * inches:
        letters -= max(1, letters // 50)
        text.set_text(legend_scalebar.plain(whole, letters))


def _fit_figure(
    ax: Any, words: Words, tallest: float, size: tuple[float, float] | None = None
) -> None:
    """Sizes a figure to the user's width (rcParams) and the height its map needs, or fits the map
    into a declared size.
    """
    figure = ax.get_figure(root=True)
    ax.apply_aspect()
    box = _extent(ax, ax)
    column = _column(ax)
    right = max(column.x1 - box.x1, 0.0) if column is not None else 0.08
    wide = float(figure.get_size_inches()[0]) if size is None else size[0]
    shape = box.width / box.height
    width = max(1.2, min(wide - right - 2 * PAD, tallest * shape))
    if size is None and width >= tallest * shape * 0.999:
        wide = min(wide, max(width + right + 2 * PAD, 4.2))
    height = width / shape
    for _ in range(2):
        figure.set_size_inches(wide, height + 2)
        ax.set_position([PAD / wide, 1.5 / (height + 2), width / wide, height / (height + 2)])
    above, below = _add_words(ax, words, wide - 2 * PAD)
    high = above + height + below + 2 * PAD
    if size is not None:
        # a map lower than its legend would win nothing: then the figure becomes higher
        least = max(1.0, column.height if column is not None else 0.0)
        if high > size[1] and height > least + 0.01:
            _remove_words(ax)
            _fit_figure(ax, words, max(least, height - (high - size[1])), size)
            return
        below += max(0.0, size[1] - high)
        high = max(high, size[1])
    figure.set_size_inches(wide, high)
    ax.set_position([PAD / wide, (below + PAD) / high, width / wide, height / high])


def settle_row(axes: Sequence[Any], corner: Any, footer: str) -> None:
    """Make room on a figure for the column beside the `corner` Axes, by moving all of them to the
    left, and add the line below them.
    """
    figure = corner.get_figure(root=True)
    wide, high = figure.get_size_inches()
    lowest = min(axes, key=lambda ax: (round(_slot(ax)[1], 2), _slot(ax)[0]))
    if figure.get_layout_engine() is None:
        corner.apply_aspect()
        column = _column(corner)
        box = _extent(corner, corner)
        right = column.x1 - box.x1 + PAD if column is not None else 0.0
        share = min(1.0, max(0.3, (wide - right) / box.x1))
        for ax in axes:
            left, bottom, width, height = _slot(ax)
            ax.set_position(
                [left * share / wide, bottom / high, width * share / wide, height / high]
            )
    _add_words(lowest, Words("", "", footer), wide - _slot(lowest)[0] - PAD)


def _remove_words(ax: Any) -> None:
    """Take away what `_add_words` wrote."""
    ax.set_title("", loc="left")
    for text in list(ax.texts):
        text.remove()


def page_size(size: Any) -> tuple[float, float]:
    """Return the inches that a figure may take, wide and high; those of a page unless given.

    >>> page_size(None), page_size((12, 5))
    ((9.4, 9.0), (12.0, 5.0))
    """
    if size is None:
        return PAGE
    wide = high = 0.0
    with suppress(TypeError, ValueError):
        wide, high = (float(side) for side in size)
    if not (2 <= wide <= 200 and 2 <= high <= 200):
        raise WrongType("figsize: give the width and height in inches, such as figsize=(8, 6)")
    return wide, high


def _fit_slot(ax: Any, words: Words) -> None:
    """Shrinks the map inside its slot, so that column and footer stay in it; the title
    hangs out as usual.
    """
    figure = ax.get_figure(root=True)
    x, y, width, height = _slot(ax)
    wide, high = figure.get_size_inches()
    ax.apply_aspect()
    box = _extent(ax, ax)
    column = _column(ax)
    right = max(column.x1 - box.x1, 0.0) if column is not None else 0.0
    inner = max(0.3 * width, width - right)
    ax.set_position([x / wide, y / high, inner / wide, height / high])
    _, below = _add_words(ax, words, width)
    ax.set_position(
        [x / wide, (y + below) / high, inner / wide, max(0.3 * height, height - below) / high]
    )


PAGE = (9.4, 9.0)
"""Inches that maps side by side may take with their legend, wide and high: they fit a page of A4
and a slide.
"""
LEGEND = 2.1
GAP = 0.14
HEAD = 0.62
CAPTION = 0.13
LINE = 0.17
"""Inches above a map, and for each line of its caption."""
WIDEST = 4.2


@dataclass(frozen=True, slots=True)
class MapSheet:
    """Lays out maps side by side, all equally large, in inches; the legend stands at the right
    of the first row.
    """

    maps: int
    columns: int
    width: float
    height: float
    caption: float = CAPTION + LINE

    @classmethod
    def arrange(
        cls, maps: int, shape: float, rows: int | None, page: tuple[float, float] = PAGE
    ) -> "MapSheet":
        """Choose the rows that make maps largest on a page, or takes these; `shape` is a map's
        height in widths.
        """
        across = [-(-maps // rows)] if rows else range(1, maps + 1)
        sizes = {columns: cls._width(maps, columns, shape, page) for columns in across}
        columns = max(sizes, key=lambda number: (round(sizes[number], 3), -number))
        return cls(maps, columns, sizes[columns], sizes[columns] * shape)

    @staticmethod
    def _width(maps: int, columns: int, shape: float, page: tuple[float, float]) -> float:
        """Return how wide maps in so many columns can be."""
        rows = -(-maps // columns)
        across = (page[0] - LEGEND - PAD - GAP * (columns - 1)) / columns
        down = (page[1] - HEAD - rows * (CAPTION + LINE)) / rows / shape
        return max(0.8, min(across, down, WIDEST if page == PAGE else np.inf))

    @property
    def rows(self) -> int:
        """The number of rows."""
        return -(-self.maps // self.columns)

    @property
    def wide(self) -> float:
        """The width of the sheet."""
        return PAD + self.columns * self.width + (self.columns - 1) * GAP + LEGEND

    @property
    def deep(self) -> float:
        """The height of all maps with their captions."""
        return self.rows * (self.height + self.caption)

    def under(self, captions: Sequence[str]) -> "MapSheet":
        """Return the sheet with room for the longest of these captions."""
        lines = max(caption.count("\n") for caption in captions) + 1
        return replace(self, caption=CAPTION + LINE * lines)

    def wrapped(self, caption: str) -> str:
        """Breaks a caption where its map ends."""
        return legend_scalebar.plain(caption, int(13 * self.width))

    def lay_out(self, figure: Any) -> list[Any]:
        """Make an Axes for each map."""
        figure.set_layout_engine("none")
        figure.set_size_inches(self.wide, self.deep)
        axes = [figure.add_subplot() for _ in range(self.maps)]
        self._place(axes, self.deep, 0.0)
        return axes

    def _place(self, axes: list[Any], high: float, head: float) -> None:
        """Put each Axes where it belongs on a sheet so many inches high, below a head."""
        for number, ax in enumerate(axes):
            row, column = divmod(number, self.columns)
            left = PAD + column * (self.width + GAP)
            top = high - head - row * (self.height + self.caption) - self.caption
            ax.set_position(
                [
                    left / self.wide,
                    (top - self.height) / high,
                    self.width / self.wide,
                    self.height / high,
                ]
            )

    def write(self, figure: Any, words: Words) -> None:
        """Add the words above and below all maps, and makes the sheet as high as all of it
        needs.
        """
        axes = list(figure.axes)
        text = {"ha": "left", "va": "top", "parse_math": False}
        first = figure.text(0, 1, words.title, fontsize="large", fontweight="bold", **text)
        second = figure.text(
            0,
            1,
            words.subtitle,
            fontsize="small",
            linespacing=1.2,
            alpha=legend_scalebar.QUIET,
            **text,
        )
        last = figure.text(
            0,
            0,
            words.footer,
            fontsize="x-small",
            linespacing=1.2,
            alpha=legend_scalebar.QUIET,
            **text,
        )
        inches = self.wide - 2 * PAD
        for part in (first, second, last):
            _wrap(axes[0], part, inches)
        heights = [_inches(axes[0], part) for part in (first, second, last)]
        column = _column(axes[self.columns - 1])
        head = PAD + heights[0] + (heights[1] + 0.05 if heights[1] else 0)
        body = max(self.deep + 0.1, column.height + self.caption if column is not None else 0.0)
        high = head + body + (heights[2] + 0.12 if heights[2] else 0) + PAD
        figure.set_size_inches(self.wide, high)
        self._place(axes, high, head)
        left = PAD / self.wide
        first.set_position((left, 1 - PAD / high))
        second.set_position((left, 1 - (PAD + heights[0] + 0.05) / high))
        last.set_position((left, (heights[2] + PAD) / high))


def _inches(ax: Any, text: Any) -> float:
    """Return how high a text is."""
    extent = _extent(ax, text) if text.get_text() else None
    return float(extent.height) if extent is not None else 0.0
