"""Turns measurements into a map: a pure function of public values, free to run again."""

from fractions import Fraction
from typing import TYPE_CHECKING

from dpmap.grid import Grid
from dpmap.inference.estimate import RATE, Estimate, counted, discoveries, distinguishable
from dpmap.inference.kinds import map_reader
from dpmap.promise.policy import Policy
from dpmap.record import Measurement, Prior, Receipt, Record

if TYPE_CHECKING:
    from dpmap.inference.kinds.totals import TotalsReader

__all__ = [
    "RATE",
    "Estimate",
    "counted",
    "discoveries",
    "distinguishable",
    "infer",
    "read",
    "unrecorded",
]


def read(record: Record) -> Estimate:
    """Returns the best estimate for a record, by its kind."""
    return map_reader(record).reading


def infer(grid: Grid, measurements: tuple[Measurement, ...]) -> Estimate:
    """Returns the best estimate for measurements that belong to no record."""
    return unrecorded(grid, measurements).reading


def unrecorded(
    grid: Grid, measurements: tuple[Measurement, ...], priors: tuple[Prior, ...] = ()
) -> "TotalsReader":
    """Reads measurements that belong to no record, with what is public beforehand."""
    nothing = Fraction(0)
    receipt, policy = Receipt("", "", "", 0, nothing, nothing), Policy(epsilon=1, unit="row", cap=1)
    return map_reader(Record(grid, policy, "", tuple(measurements), receipt, "", priors=priors))
