"""Lays a planner's page out on one sheet of A4 and writes it as PDF, text as text.

From the foot upwards each block takes the height of its lines; the map has what is left.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dpmap import style

if TYPE_CHECKING:
    from dpmap.releases.planner_page import PlannerPage
    from dpmap.releases.region_answers import RegionAnswer

SHEET = (8.27, 11.69)
MARGIN = 0.5
GAP = 0.28
"""Inches between columns."""
ACCENT = "#7b1e5c"
GREY = "#6b6b6b"
LEADING = 1.32
"""Lines are so many times as far apart as letters are high."""
SMALLEST_MAP = 2.4
"""Inches: where less is left for the map, the lines of the list are set smaller."""
SIZES = {"headline": 17.0, "sentence": 10.2, "row": 8.0, "small": 7.8}
SHRUNK = 0.9
DOTS = 72.0
FINE_DOTS = 720.0


@dataclass(frozen=True, slots=True)
class TextStyle:
    """How words are set: their size in points, weight and colour."""

    size: float
    bold: bool = False
    colour: str = style.INK

    @property
    def height(self) -> float:
        """The height of a line in inches."""
        return self.size * LEADING / DOTS


class Sheet:
    """Measures words and puts them on a figure of one page."""

    def __init__(self) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self.figure = Figure(figsize=SHEET, dpi=DOTS)
        # letters are as wide as in print only where dots are many
        canvas: Any = FigureCanvasAgg(Figure(figsize=(1, 1), dpi=FINE_DOTS))
        self._renderer = canvas.get_renderer()
        self._widths: dict[tuple[str, float, bool], float] = {}

    def width(self, words: str, text: TextStyle) -> float:
        """Return the width of words in inches."""
        widths = [self._word_width(word, text) for word in words.split(" ")]
        return sum(widths) + (len(widths) - 1) * self._word_width(" ", text)

    def _word_width(self, word: str, text: TextStyle) -> float:
        """Return the width of one word, measured once: the same few hundred stand in every line
        that is tried.
        """
        from matplotlib.font_manager import FontProperties

        key = (word, text.size, text.bold)
        if key not in self._widths:
            font = FontProperties(size=text.size, weight="bold" if text.bold else "normal")
            measured = self._renderer.get_text_width_height_descent(word, font, False)
            self._widths[key] = float(measured[0]) / FINE_DOTS
        return self._widths[key]

    def wrap(self, words: str, text: TextStyle, width: float) -> list[str]:
        """Return lines no wider than so many inches; a word that is wider is cut."""
        lines = [""]
        for word in words.split():
            longer = f"{lines[-1]} {word}".strip()
            if self.width(longer, text) <= width:
                lines[-1] = longer
                continue
            if lines[-1]:
                lines.append("")
            for mark in word:
                if self.width(lines[-1] + mark, text) > width:
                    lines.append("")
                lines[-1] += mark
        return lines

    def cut(self, words: str, text: TextStyle, width: float) -> str:
        """Return words on one line, cut where it ends."""
        if self.width(words, text) <= width:
            return words
        while words and self.width(f"{words}\N{HORIZONTAL ELLIPSIS}", text) > width:
            words = words[:-1]
        return f"{words.rstrip()}\N{HORIZONTAL ELLIPSIS}"

    def write(
        self, left: float, top: float, words: str, text: TextStyle, *, right: bool = False
    ) -> None:
        """Put one line of words on the page, its top so many inches from the page's."""
        self.figure.text(
            left / SHEET[0],
            1 - (top + text.size / DOTS) / SHEET[1],
            words,
            fontsize=text.size,
            fontweight="bold" if text.bold else "normal",
            color=text.colour,
            ha="right" if right else "left",
            va="baseline",
            parse_math=False,
        )

    def rule(self, left: float, top: float, width: float, *, colour: str, line: float) -> None:
        """Draw a level line."""
        from matplotlib.lines import Line2D

        x = [left / SHEET[0], (left + width) / SHEET[0]]
        y = [1 - top / SHEET[1]] * 2
        self.figure.add_artist(Line2D(x, y, color=colour, linewidth=line))


@dataclass(frozen=True, slots=True)
class PlacedLine:
    """A line of words within a block: how far right of and below its corner, and how it is set."""

    right: float
    down: float
    words: str
    text: TextStyle
    flush_right: bool = False


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Lines that stand together, and the height they take."""

    lines: tuple[PlacedLine, ...]
    height: float

    def write(self, sheet: Sheet, left: float, top: float) -> None:
        """Put the lines on the page."""
        for line in self.lines:
            sheet.write(
                left + line.right, top + line.down, line.words, line.text, right=line.flush_right
            )


def _paragraphs(
    sheet: Sheet, paragraphs: Sequence[str], text: TextStyle, width: float, *, mark: str = ""
) -> TextBlock:
    """Return paragraphs one below the other, each after a mark if there is one."""
    indent = sheet.width(f"{mark} ", text) if mark else 0.0
    lines = []
    down = 0.0
    for paragraph in paragraphs:
        for number, words in enumerate(sheet.wrap(paragraph, text, width - indent)):
            if mark and not number:
                lines.append(PlacedLine(0.0, down, mark, text))
            lines.append(PlacedLine(indent, down, words, text))
            down += text.height
        down += 0.16 * text.height
    return TextBlock(tuple(lines), down)


def _titled(title: str, block: TextBlock, text: TextStyle) -> TextBlock:
    """Return a block under a title."""
    by = text.height * 1.05
    moved = [
        PlacedLine(line.right, line.down + by, line.words, line.text, line.flush_right)
        for line in block.lines
    ]
    return TextBlock((PlacedLine(0.0, 0.0, title, text), *moved), block.height + by)


def _pairs(sheet: Sheet, pairs: Sequence[tuple[str, str]], size: float, width: float) -> TextBlock:
    """Return names in bold, each with its words beside it."""
    name_style = TextStyle(size, bold=True)
    words_style = TextStyle(size)
    indent = max(sheet.width(name, name_style) for name, _ in pairs) + 0.12
    lines = []
    down = 0.0
    for name, words in pairs:
        lines.append(PlacedLine(0.0, down, name, name_style))
        for line in sheet.wrap(words, words_style, width - indent):
            lines.append(PlacedLine(indent, down, line, words_style))
            down += words_style.height
        down += 0.16 * words_style.height
    return TextBlock(tuple(lines), down)


def _rows(
    sheet: Sheet, rows: "Sequence[RegionAnswer]", columns: int, size: float, width: float
) -> TextBlock:
    """Return the list in columns, read downwards; each line has its numbers at the right."""
    lines = []
    down = -(-len(rows) // columns)
    across = (width - GAP * (columns - 1)) / columns
    for number, row in enumerate(rows):
        column, line = divmod(number, down)
        name_style = TextStyle(size, bold=row.told, colour=style.INK if row.told else GREY)
        text = TextStyle(size, colour=style.INK if row.told else GREY)
        words = f"{row.words}; most in {row.where}" if row.where else row.words
        words = sheet.cut(words, text, 0.72 * across)
        name = sheet.cut(row.name, name_style, across - sheet.width(words, text) - 0.1)
        left = column * (across + GAP)
        lines.append(PlacedLine(left, line * text.height, name, name_style))
        lines.append(PlacedLine(left + across, line * text.height, words, text, flush_right=True))
    height = down * TextStyle(size).height
    return TextBlock(tuple(lines), height)


def write_pdf(
    page: "PlannerPage", draw: Callable[[Any], None], path: "str | os.PathLike[str]"
) -> None:
    """Write the page; `draw` draws its map within an Axes."""
    from matplotlib import rc_context

    with rc_context({"pdf.fonttype": 42}):
        sheet = Sheet()
        top, bottom = _write_words(sheet, page)
        width = SHEET[0] - 2 * MARGIN
        left = (MARGIN + 0.3) / SHEET[0]
        low = 1 - (bottom - 0.25) / SHEET[1]
        high = 1 - (top + 0.25) / SHEET[1]
        ax = sheet.figure.add_axes((left, low, (width - 0.3) / SHEET[0], high - low))
        draw(ax)
        metadata = {
            "Title": f"For the planner: {page.title}",
            "Subject": page.headline,
            "Creator": "dpmap",
            "CreationDate": None,
        }
        sheet.figure.savefig(path, format="pdf", dpi=250, metadata=metadata)


def _write_words(sheet: Sheet, page: "PlannerPage") -> tuple[float, float]:
    """Write all but the map; return where its space begins and ends, in inches from the top."""
    for shrink in (1.0, SHRUNK, SHRUNK**2, SHRUNK**3):
        head = _head(sheet, page, shrink)
        foot = _foot(sheet, page, shrink)
        top = MARGIN + sum(block.height for block in head)
        bottom = SHEET[1] - MARGIN - sum(block.height for block, _ in foot)
        if bottom - top >= SMALLEST_MAP:
            break
    down = MARGIN
    for block in head:
        block.write(sheet, MARGIN, down)
        down += block.height
    down = bottom
    for block, ruled in foot:
        if ruled:
            sheet.rule(MARGIN, down - 0.05, SHEET[0] - 2 * MARGIN, colour=style.INK, line=1.0)
        block.write(sheet, MARGIN, down)
        down += block.height
    return top, bottom


def _head(sheet: Sheet, page: "PlannerPage", shrink: float) -> list[TextBlock]:
    """Return what stands above the map."""
    width = SHEET[0] - 2 * MARGIN
    small = TextStyle(SIZES["small"] * shrink, colour="#555555")
    headline = TextStyle(SIZES["headline"] * shrink, bold=True)
    about = f"For the planner \N{MIDDLE DOT} {page.title}. {page.about}"
    return [
        _paragraphs(sheet, [about], small, width),
        _paragraphs(
            sheet, [page.headline], headline, _balanced(sheet, page.headline, headline, width)
        ),
    ]


def _balanced(sheet: Sheet, words: str, text: TextStyle, width: float) -> float:
    """Return the smallest width in which words take no more lines than in the whole width."""
    lines = len(sheet.wrap(words, text, width))
    while lines > 1 and len(sheet.wrap(words, text, 0.97 * width)) == lines:
        width *= 0.97
    return width


def _foot(sheet: Sheet, page: "PlannerPage", shrink: float) -> list[tuple[TextBlock, bool]]:
    """Return what stands below the map, each block with whether a line is drawn above it."""
    width = SHEET[0] - 2 * MARGIN
    sentence = TextStyle(SIZES["sentence"] * shrink)
    small = TextStyle(SIZES["small"] * shrink)
    grey = TextStyle(SIZES["small"] * shrink, colour="#444444")
    title = TextStyle(SIZES["sentence"] * shrink * 0.9, bold=True, colour=ACCENT)
    blocks = [(_paragraphs(sheet, page.sentences, sentence, width, mark="\N{BULLET}"), False)]
    if page.rows:
        rows = _rows(sheet, page.rows, page.columns, SIZES["row"] * shrink, width)
        blocks.append((_spaced(_titled(page.list_title, rows, title), 0.04, 0.05), False))
    if page.rows_left:
        blocks.append((_paragraphs(sheet, [page.rows_left], grey, width), False))
    blocks.append((_spaced(_paragraphs(sheet, [page.sureness], grey, width), 0.03, 0.12), False))
    left = 0.54 * (width - GAP)
    right = width - GAP - left
    warnings = _titled(
        "What must not be concluded",
        _paragraphs(sheet, page.warnings, small, left, mark="\N{MULTIPLICATION SIGN}"),
        title,
    )
    contacts = _titled(
        "Who answers, and until when", _pairs(sheet, page.contacts, small.size, right), title
    )
    beside = [
        PlacedLine(line.right + left + GAP, line.down, line.words, line.text, line.flush_right)
        for line in contacts.lines
    ]
    height = max(warnings.height, contacts.height)
    blocks.append((TextBlock((*warnings.lines, *beside), height), True))
    return blocks


def _spaced(block: TextBlock, above: float, below: float) -> TextBlock:
    """Return a block with so many inches of white above and below it."""
    moved = tuple(
        PlacedLine(line.right, line.down + above, line.words, line.text, line.flush_right)
        for line in block.lines
    )
    return TextBlock(moved, block.height + above + below)
