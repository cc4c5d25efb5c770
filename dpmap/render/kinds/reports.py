"""Draws a map of reports that devices randomised."""

import numpy as np

from dpmap.inference import Estimate
from dpmap.inference.kinds.reports import reports_of
from dpmap.render.kinds.totals import Draws, TotalsDrawing
from dpmap.render.page_geometry import Facts, array


class ReportsDrawing(TotalsDrawing):
    """Draws totals of volunteers; the page works out intervals from what each cell's reports
    support.
    """

    local = True

    def who(self) -> str:
        """Says that each answer is private by itself."""
        return "each volunteer's answer"

    def consent(self) -> str:
        """Says that nothing is sent without consent."""
        return "each volunteer sends her own report, or none"

    def draws(self) -> Draws:
        """Returns what a picture shows; nothing is told of surroundings."""
        return {**super().draws(), "hotspots": ("TOTAL",)}

    def zones(self, estimate: Estimate, level: float) -> Facts:
        """Returns the support of each cell, and the chances of the devices' coins."""
        del estimate, level
        reports = reports_of(self.record)
        told = {"kind": "reports", "count": reports.count, "mechanism": reports.mechanism}
        chances = {"truth": float(reports.truth), "other": float(reports.other)}
        support = array(reports.steps, np.float64)
        return {
            "regions": reports.partition.regions,
            "noisy": None,
            "labels": None,
            "support": support,
            "believed": None,
            **told,
            **chances,
        }

    def hot(self, estimate: Estimate) -> None:
        """Returns None, as `spots` is refused."""
        del estimate


kind = ReportsDrawing
