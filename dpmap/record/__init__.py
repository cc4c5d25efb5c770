"""Plain public values: what was measured, under which promise, and the file that keeps it."""

from dpmap.record.measurement import Measurement
from dpmap.record.metadata import About
from dpmap.record.prior import Prior
from dpmap.record.record import Receipt, Record
from dpmap.record.reports import Reports

__all__ = ["About", "Measurement", "Prior", "Receipt", "Record", "Reports"]
