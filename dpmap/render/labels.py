"""Writes names on a picture where there is room, at the size that it has when it is drawn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.artist import Artist
from numpy.typing import NDArray

NAME = "#22282c"
NAMES = "dpmap names"
LETTER = "dpmap letter"
MOST_NAMES = 12
A_NAME = 0.55
"""Square inches of map for each name."""


@dataclass(frozen=True, slots=True)
class Rank:
    """Says how a name of some importance is written."""

    size: float
    weight: str
    colour: str


RANKS = (Rank(7.8, "bold", NAME), Rank(6.8, "normal", NAME), Rank(6.2, "normal", "#5d676d"))
"""How the most important towns are named, other towns and layers, and what lies around."""


class LabelPlacer(Artist):
    """Writes names by places when the map is drawn, in their order, where they overlap nothing
    and stay in the frame.
    """

    def __init__(
        self,
        places: NDArray[np.float64],
        words: Sequence[str],
        dots: Sequence[bool],
        ranks: Sequence[int],
    ) -> None:
        super().__init__()
        self.places = places
        self.words = list(words)
        self.dots = list(dots)
        self.ranks = list(ranks)
        self.family = list(rcParams["font.family"])
        self.set_zorder(1.7)
        self.set_gid(NAMES if any(words) else None)
        self.set_in_layout(False)
        self.written: dict[str, Any] = {}
        """What was written, with its place in pixels."""

    def draw(self, renderer: Any) -> None:
        """Write them at the size that the figure has now."""
        if not self.get_visible() or self.axes is None:
            return
        frame = self.axes.get_window_extent(renderer)
        inches = frame.width * frame.height / renderer.points_to_pixels(72.0) ** 2
        room = int(np.clip(inches / A_NAME, 3, MOST_NAMES))
        taken = [
            letter.get_window_extent(renderer)
            for letter in self.axes.texts
            if letter.get_gid() == LETTER
        ]
        self.written = {}
        places = self.axes.transData.transform(self.places)
        for place, word, dot, rank in zip(places, self.words, self.dots, self.ranks, strict=True):
            if (
                np.isfinite(place).all()
                and frame.contains(*place)
                and (not word or len(self.written) < room)
            ):
                self._write(renderer, place, word, frame, taken, RANKS[rank], dot=dot)

    def _write(
        self,
        renderer: Any,
        place: Any,
        word: str,
        frame: Any,
        taken: list[Any],
        rank: "Rank",
        *,
        dot: bool,
    ) -> None:
        """Write one name beside its dot, or in its middle, if there is room; a point without a
        name is its dot.
        """
        from matplotlib.transforms import Bbox

        point = renderer.points_to_pixels(1.0)
        spot = Bbox.from_bounds(
            place[0] - 1.5 * point, place[1] - 1.5 * point, 3 * point, 3 * point
        )
        if dot and any(spot.overlaps(box) for box in taken):
            return
        for across, up in ((1, 0), (-1, 0), (0, 1), (0, -1)) if dot else ((0, 0), (0, 1), (0, -1)):
            text = self._text(
                word, place + np.array([across * 3.4, up * 6.5]) * point, across, rank
            )
            box = text.get_window_extent(renderer).padded(0.8 * point) if word else spot
            inside = frame.contains(box.x0, box.y0) and frame.contains(box.x1, box.y1)
            if inside and not any(box.overlaps(other) for other in taken):
                if dot:
                    self._dot(place).draw(renderer)
                    taken.append(spot)
                if word:
                    text.draw(renderer)
                    taken.append(box)
                    self.written[word] = box
                return

    def _text(self, word: str, place: Any, across: int, rank: "Rank") -> Any:
        """Make a text with a light edge."""
        from matplotlib.patheffects import withStroke
        from matplotlib.text import Text

        side = {1: "left", -1: "right", 0: "center"}[across]
        text = Text(
            float(place[0]),
            float(place[1]),
            word,
            color=rank.colour,
            fontfamily=self.family,
            fontsize=rank.size,
            fontweight=rank.weight,
            ha=side,
            va="center",
            parse_math=False,
            path_effects=[withStroke(linewidth=2.0, foreground="white")],
        )
        if self.figure is not None:
            text.set_figure(self.figure)
        return text

    def _dot(self, place: Any) -> Any:
        """Make a dot with a light edge."""
        from matplotlib.lines import Line2D

        return Line2D(
            [place[0]],
            [place[1]],
            marker="o",
            markersize=2.6,
            markerfacecolor=NAME,
            markeredgecolor="white",
            markeredgewidth=0.5,
        )
