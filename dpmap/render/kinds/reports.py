"""Drawing a map of reports that devices randomised."""

from typing import NoReturn

import numpy as np

from dpmap.inference import Estimate
from dpmap.inference.kinds.reports import no_hot_spots, reports_of
from dpmap.render.ground import Facts, array
from dpmap.render.kinds.totals import Totals


class Reported(Totals):
    """Totals of volunteers; the page works intervals out from what each cell's reports support."""

    local = True

    def who(self) -> str:
        """Each answer is private by itself."""
        return "each volunteer's answer"

    def consent(self) -> str:
        """Nothing is sent without it."""
        return "each volunteer sends her own report, or none"

    def zones(self, estimate: Estimate) -> Facts:
        """The support of each cell, and the chances of the devices' coins."""
        del estimate
        reports = reports_of(self.record)
        told = {"kind": "reports", "count": reports.count, "mechanism": reports.mechanism}
        chances = {"truth": float(reports.truth), "other": float(reports.other)}
        support = array(reports.steps, np.float64)
        return {
            "regions": reports.partition.regions,
            "noisy": None,
            "labels": None,
            "support": support,
            **told,
            **chances,
        }

    def spots(self, estimate: Estimate) -> NoReturn:
        """Refused: no rate of false ones is proved for reports."""
        del estimate
        no_hot_spots()

    def hot(self, estimate: Estimate) -> None:
        """None, as `spots`."""
        del estimate


kind = Reported
