"""Draws several partners' maps as one."""

import numpy as np

from dpmap.grid.common_grid import window
from dpmap.inference import Estimate
from dpmap.inference.kinds import map_reader
from dpmap.record import Record
from dpmap.render import page_readings
from dpmap.render.kinds.totals import Draws, TotalsDrawing
from dpmap.render.page_geometry import Facts, array
from dpmap.render.page_zones import believed


class MergedDrawing(TotalsDrawing):
    """Draws totals of all partners."""

    def terms(self) -> list[list[str]]:
        """Returns nothing: caps and consent rules may differ, and the statement lists each
        partner's.
        """
        return []

    def page_reading(self, estimate: Estimate, level: float) -> Facts:
        """Returns the estimate's own numbers, since no one law holds for all partners."""
        return page_readings.ladder(self.record, estimate, level)

    def draws(self) -> Draws:
        """Returns what a picture shows; nothing is told of surroundings."""
        return {**super().draws(), "hotspots": ("TOTAL",)}

    def zones(self, estimate: Estimate, level: float) -> Facts:
        """Returns every partner's last measurement, and what is believed of its land."""
        record, known = self.record, map_reader(self.record).known_regions()
        last = [(one.grid, one.measurements[-1].partition) for one in record.partners]
        return {
            "regions": known.regions,
            "labels": array(known.labels[record.grid.inside], np.int32),
            "lattice": max(one.measurements[-1].lattice for one in record.partners),
            "partners": [_partner(record, one) for one in record.partners],
            "believed": believed(record, estimate, last, level),
        }

    def hot(self, estimate: Estimate) -> None:
        """Returns None, as `spots` is refused."""
        del estimate


def _partner(record: Record, one: Record) -> Facts:
    """Returns a partner's last measurement over the cells of the whole map, -1 where it does not
    reach.
    """
    last, labels = one.last, np.full(record.grid.shape, -1, dtype=np.int32)
    labels[window(record.grid, one.grid)] = last.partition.labels
    return {
        "scale": float(last.scale),
        "noisy": array(last.values, page_readings.float_type(last.partition.regions)),
        "labels": array(labels[record.grid.inside], np.int32),
    }


kind = MergedDrawing
