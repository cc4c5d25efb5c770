"""Declares the session as a strategy sees it: what it may ask, and nothing of what is behind."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

from dpmap.grid import Grid, Partition
from dpmap.record import Measurement, Prior


class StrategySession(Protocol):
    """What a strategy may use: public facts, and `measure`.

    A strategy is a function of one argument, a session, and returns nothing. It sees noisy answers
    and public facts only, never a total. Give one to `dm.release` or `dm.simulate` as `strategy=`:

    >>> import dpmap as dm
    >>> def halves(session: dm.StrategySession) -> None:
    ...     session.measure(dm.Partition.whole(session.grid), session.epsilon / 4)
    ...     session.measure(dm.Partition.cells(session.grid), session.epsilon * 3 / 4)
    >>> dm.simulate([[1000, 0], [0, 1000]], epsilon=10**6, strategy=halves).round(3).tolist()
    [[1000.0, 0.0], [0.0, 1000.0]]
    """

    @property
    def grid(self) -> Grid:
        """The public grid: `grid.shape`, `grid.inside`, `grid.square_km`."""
        ...

    @property
    def epsilon(self) -> Fraction:
        """The epsilon to spend in all; what is left over is not given back."""
        ...

    @property
    def left(self) -> Fraction:
        """The epsilon that may still be spent."""
        ...

    @property
    def finest(self) -> Fraction:
        """The epsilon of the reader for whom regions are chosen, though from this session's
        noisier answers alone; the same as `epsilon` where there is one reader.
        """
        ...

    @property
    def cap(self) -> int:
        """The most points one unit adds to the whole map: a region measured with a share of epsilon
        gets Laplace noise of scale cap / share.
        """
        ...

    @property
    def priors(self) -> tuple[Prior, ...]:
        """What is public beforehand of where the map may hold more: `prior.values`, one number for
        each cell of a layer.
        """
        ...

    def course(self, shares: Sequence[Fraction]) -> None:
        """Declares the `shares` of epsilon that the next questions cost, in order; a region that
        is asked again at the next one gets one answer of all it cost.
        """
        ...

    def measure(self, partition: Partition, epsilon: Fraction) -> Measurement:
        """Returns noisy totals of the regions of a `partition`, at a cost of exactly `epsilon`.

        `measurement.values` has one number for each region, signed, in points, and
        `measurement.scales` the scale of each one's noise. Each cell of the area lies in one
        region, and no region in two layers.
        """
        ...


class ListingSession(StrategySession, Protocol):
    """A session of which dpmap's sparse strategy may ask for the fullest cells alone."""

    def measure_from(self, threshold: Fraction, epsilon: Fraction) -> Measurement:
        """Returns the cells whose noisy total is at least `threshold` points, at a cost of
        exactly `epsilon`.
        """
        ...
