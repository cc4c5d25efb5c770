"""A map made of reports that devices randomised."""

import math
from typing import TYPE_CHECKING, NoReturn

from dpmap.errors import BadInput
from dpmap.inference.device_estimates import ReportedEstimate
from dpmap.inference.estimate import RATE, Estimate, Mask, discoveries
from dpmap.maps.totals import DrawOptions, TotalsMap
from dpmap.noise.theory import reports_half_width, reports_standard_error
from dpmap.record import Measurement, Record, Reports

if TYPE_CHECKING:
    from dpmap.inference.patches import Patches


def reports_of(record: Record) -> Reports:
    """Return the reports of a record that is made of them."""
    if record.reports is None:
        raise BadInput("this release is made by a curator, not of reports")
    return record.reports


def no_hot_spots() -> NoReturn:
    """Refuse hot spots."""
    raise BadInput(
        "hotspots: no false-discovery rate is proved for reports of devices; look at single cells"
        " instead"
    )


class ReportsMap(TotalsMap):
    """Totals of volunteers, read by the law of their devices' coins."""

    origin = "of reports"
    local = True
    called = "a map of reports"
    counts = "reports"
    by_region = False

    def estimate(self) -> ReportedEstimate:
        """Return what the reports say of each cell."""
        return ReportedEstimate(reports_of(self.record))

    def half_width(self, level: float = 0.9) -> float:
        """Return half the width, in points, of the interval of a cell with few volunteers."""
        last = reports_of(self.record)
        return reports_half_width(level, last.count, float(last.truth), float(last.other))

    def within(self, cells: int, level: float = 0.9) -> float:
        """Take the coins of several cells as normal, which with so many reports they nearly
        are.
        """
        return self.half_width(level) * math.sqrt(cells)

    def noise_variance(self, cells: int, points: float) -> float:
        """Return the variance that the coins give to (s - n q) / (p - q), added up over so many
        cells that hold `points` together.

        Of a cell in which m of n volunteers are, s varies by m p (1 - p) + (n - m) q (1 - q); so
        over (p - q)^2 it is the variance of an empty cell and m (1 - p - q) / (p - q).
        """
        last = reports_of(self.record)
        truth = float(last.truth)
        other = float(last.other)
        empty = reports_standard_error(last.count, truth, other) ** 2
        return cells * empty + points * (1 - truth - other) / (truth - other)

    def whole(self, level: float = 0.9) -> None:
        """Return None: the error of the total depends on how many answered *elsewhere*."""
        del level

    def above(self, estimate: Estimate, threshold: float | None) -> Mask:
        """Return the cells above a threshold by their own p-values; above their surroundings
        there are none.
        """
        if threshold is None:
            self.hot_spots(threshold, RATE, 0.9)
        return discoveries(self.exceedance(estimate, threshold), RATE)

    def hot_spots(self, threshold: float | None, rate: float, level: float) -> NoReturn:
        """Refuse it: no false-discovery rate is proved for reports."""
        del threshold, rate, level
        no_hot_spots()

    def draw_options(self) -> DrawOptions:
        """Return what a picture shows; nothing is told of surroundings."""
        return {**super().draw_options(), "hotspots": ("TOTAL",)}

    believes = False
    smooth = False

    def parting(self, level: float) -> "Patches":
        """Find the smallest places of which the colour can be told: the coins of many devices
        err nearly as normal noise does.
        """
        from dpmap.inference.patches import patches
        from dpmap.inference.patches.zone_intervals import ZoneIntervals

        grid = self.record.grid
        reports = reports_of(self.record)
        return patches(
            grid, ZoneIntervals(grid, [(grid, (reports,))]), None, self.reading.values, level
        )

    zones = None

    def draws(self, count: int) -> NoReturn:
        """Refuse it: no more than each cell's interval is known."""
        del count
        raise BadInput(
            "draws: of reports of devices only each cell's interval is known; use interval() or ask"
            " instead"
        )

    def scale(self, measurement: Measurement) -> float:
        """Return NaN: the noise of coins has no single scale."""
        del measurement
        return float("nan")

    def by_cell(self) -> list[Measurement]:
        """Return the reports, which have no scale to be sorted by."""
        return self._with_single_cells()
