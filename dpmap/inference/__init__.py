"""From measurements to a map: a pure function of public values, free to run again."""

from dpmap.grid import Grid
from dpmap.inference.estimate import Estimate, discoveries
from dpmap.inference.flat import FlatEstimate
from dpmap.record import Measurement

__all__ = ["Estimate", "discoveries", "infer"]


def infer(grid: Grid, measurements: tuple[Measurement, ...]) -> Estimate:
    """The best reading dpmap knows of these measurements."""
    return FlatEstimate(measurements[-1])
