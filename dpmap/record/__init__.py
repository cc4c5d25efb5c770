"""Plain public values: what was measured, under which promise, and the file that keeps it."""

from dpmap.record.about import About
from dpmap.record.measurement import Measurement
from dpmap.record.record import Receipt, Record
from dpmap.record.reports import Reports

__all__ = ["About", "Measurement", "Receipt", "Record", "Reports"]
