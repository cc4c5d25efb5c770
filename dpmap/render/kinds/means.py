"""Draws a map of means: pictures only."""

from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.inference import Estimate
from dpmap.inference.kinds.means import face, refuse
from dpmap.record import Record
from dpmap.render.colouring import Painting, View
from dpmap.render.kinds.totals import Draws, TotalsDrawing, Ways


class MeansDrawing(TotalsDrawing):
    """Draws means in classes; cells whose mean is not told are grey."""

    def face(self) -> Record:
        """Returns one ground, and what the mean is of."""
        return face(self.record)

    def going_on(self) -> Ways:
        """Returns what there is for means, which have no page."""
        return {
            "plot()": "the picture, on Axes",
            'ask("project_areas.gpkg")': "the mean in each project area",
            'export("cells.gpkg")': "a layer for a GIS",
        }

    def draws(self) -> Draws:
        """Returns what a picture of means shows: there is no page, and nothing is tested against
        a total.
        """
        return {
            **super().draws(),
            "what": ("estimate", "low", "high"),
            "hotspots": (),
            "page": False,
        }

    def check_page(self, what: str) -> NoReturn:
        """Always refused: a page is made for totals."""
        refuse(what)

    def paint(self, estimate: Estimate, view: View) -> Painting:
        """Paints the means or their bounds; whatever else a picture of totals shows is refused."""
        if view.threshold is not None or view.suppress or view.hotspots is not None:
            raise BadInput(
                "a map of means shows the estimate, or the low or high bound of its interval; leave"
                " the rest out"
            )
        return super().paint(estimate, view)

    def unsure(self, estimate: Estimate, what: str, low: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Returns the cells whose mean is not told, whatever is drawn."""
        del what
        return super().unsure(estimate, "estimate", low)


kind = MeansDrawing
