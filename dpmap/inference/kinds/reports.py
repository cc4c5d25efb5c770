"""A map made of reports that devices randomised."""

from typing import NoReturn

from dpmap.errors import BadInput
from dpmap.inference.kinds.totals import Totals
from dpmap.inference.reported import ReportedEstimate
from dpmap.noise.theory import reports_half_width
from dpmap.record import Measurement, Record, Reports


def reports_of(record: Record) -> Reports:
    """Returns the reports of a record that is made of them."""
    if record.reports is None:
        raise BadInput("this release is made by a curator, not of reports")
    return record.reports


def no_hot_spots() -> NoReturn:
    """Refuses hot spots."""
    raise BadInput("hotspots: no false-discovery rate is proved for reports of devices; look at single cells instead")


class Reported(Totals):
    """Reads totals of volunteers by the law of their devices' coins."""

    origin = "of reports"

    def estimate(self) -> ReportedEstimate:
        """Returns what the reports say of each cell."""
        return ReportedEstimate(reports_of(self.record))

    def half_width(self, level: float = 0.9) -> float:
        """Returns half the width, in points, of the interval of a cell with few volunteers."""
        last = reports_of(self.record)
        return reports_half_width(level, last.count, float(last.truth), float(last.other))

    def hot_spots(self, threshold: float | None, rate: float, level: float) -> NoReturn:
        """Always refused."""
        del threshold, rate, level
        no_hot_spots()

    parted = False

    def patches(self, level: float) -> NoReturn:
        """Always refused."""
        del level
        raise BadInput(
            "patches: they are made from a curator's totals, not from reports of devices; look at single cells"
        )

    def scale(self, measurement: Measurement) -> float:
        """Returns None: the noise of coins has no one scale."""
        del measurement
        return float("nan")

    def by_cell(self) -> list[Measurement]:
        """Returns the reports, which have no scale to be sorted by."""
        return self._with_single_cells()


kind = Reported
