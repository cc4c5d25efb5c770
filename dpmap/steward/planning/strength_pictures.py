"""Draws rehearsed maps small, side by side on a page, in the same classes."""

import base64
import io
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpmap import style
from dpmap.render.cell_drawing import draw_cells, outline
from dpmap.render.colouring import Painting, View, paint
from dpmap.render.map_frame import MapFrame
from dpmap.steward.planning.districts import Districts

if TYPE_CHECKING:
    from dpmap.maps.totals import TotalsMap

Values = NDArray[np.float64]
Mask = NDArray[np.bool_]

INCHES = 3.6
PIXELS = 100
"""A picture is so wide, at so many pixels an inch."""
TALLEST = 1.6
"""A picture is at most so many times as high as wide."""


class StrengthPainter:
    """Draws maps of one invented survey as pictures in base64, in the classes of the survey itself.

    A map that counts a part of the sightings is scaled up to all of them, so that colours show
    where they lie and not how many count.
    """

    def __init__(self, districts: Districts, truth: Values) -> None:
        self._districts = districts
        self._truth = truth
        drawn = districts.drawn
        self._ground = drawn.square_km[drawn.inside]
        density = truth / self._ground
        positive = density[density > 0]
        pale = 0.2 if districts.names else 0.5  # single cells lie far more unevenly
        least, high = np.quantile(positive, (pale, 0.98)) if len(positive) else (1.0, 1.0)
        self._edges = style.growing_breaks(float(least), float(high))

    def draw_truth(self) -> str:
        """Draws the survey itself."""
        return self._draw(self._painting(self._truth, np.ones(len(self._truth), dtype=bool)))

    def draw_map(
        self, rehearsal: "TotalsMap", estimates: Values, is_told: Mask, counted: float
    ) -> str:
        """Draws one map: areas and zones in the colour of what they hold, those that are not told
        grey; cells as a release draws them. `counted` is the share of the sightings that count.
        """
        if self._districts.names:
            return self._draw(self._painting(estimates / counted, is_told))
        view = View(classes=[edge * counted for edge in self._edges])
        return self._draw(paint(rehearsal.record, rehearsal.reading, view))

    def _painting(self, totals: Values, is_told: Mask) -> Painting:
        density = totals / self._ground
        names = style.class_colours(len(self._edges) - 1)
        number = np.searchsorted(self._edges, density, side="right") - 1
        colours = np.array([style.rgb(name) for name in names])[np.clip(number, 0, len(names) - 1)]
        colours[~is_told] = style.rgb(style.UNSURE)
        return Painting("", "", density, colours, ~is_told, tuple(self._edges), ())

    def _draw(self, painting: Painting) -> str:
        from matplotlib.figure import Figure

        land = MapFrame.project(self._districts.grid, coast=False)
        cells = MapFrame(self._districts.drawn, land.crs, coast=False)
        west, south, east, north = land.box
        high = min(land.stretch * (north - south) / (east - west), TALLEST)
        figure = Figure(figsize=(INCHES, INCHES * high))
        ax = figure.add_axes((0, 0, 1, 1))
        ax.set_axis_off()
        ax.set_aspect(land.stretch)
        draw_cells(ax, cells, painting)
        outline(ax, land, np.ones(land.grid.cells_inside, dtype=bool), style.BORDER, 0.8, 2)
        ax.set_xlim(west, east)
        ax.set_ylim(south, north)
        out = io.BytesIO()
        figure.savefig(out, dpi=PIXELS, format="png")
        return base64.b64encode(out.getvalue()).decode()
