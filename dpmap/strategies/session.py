"""Declares the session as a strategy sees it: what it may ask, and nothing of what is behind."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

from dpmap.grid import Grid, Partition
from dpmap.record import Measurement, Prior


class StrategySession(Protocol):
    """Declares what a strategy may use: public facts, and `measure`."""

    @property
    def grid(self) -> Grid:
        """The public grid."""
        ...

    @property
    def epsilon(self) -> Fraction:
        """The epsilon to spend."""
        ...

    @property
    def finest(self) -> Fraction:
        """The epsilon of the reader for whom regions are chosen, though from this session's
        noisier answers alone.
        """
        ...

    @property
    def cap(self) -> int:
        """The most points one unit adds to the whole map."""
        ...

    @property
    def priors(self) -> tuple[Prior, ...]:
        """What is public beforehand of where the map may hold more."""
        ...

    def course(self, shares: Sequence[Fraction]) -> None:
        """Declares what the next questions cost; a region that is asked again at the next one
        gets one answer of all it cost.
        """
        ...

    def measure(self, partition: Partition, epsilon: Fraction) -> Measurement:
        """Returns noisy totals of the partition's regions, at a cost of exactly `epsilon`."""
        ...

    def measure_from(self, threshold: Fraction, epsilon: Fraction) -> Measurement:
        """Returns the cells whose noisy total is at least `threshold` points, at a cost of
        exactly `epsilon`.
        """
        ...
