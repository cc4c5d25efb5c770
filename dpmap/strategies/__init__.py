"""Public plans for spending epsilon: each may only ask a session to measure, and never sees a true count."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Protocol

from dpmap.errors import BadInput
from dpmap.grid import Grid, Partition
from dpmap.numbers import exact
from dpmap.record import Measurement


class Session(Protocol):
    """What a strategy may use: public facts, and `measure`."""

    @property
    def grid(self) -> Grid:
        """The public grid."""
        ...

    @property
    def epsilon(self) -> Fraction:
        """All there is to spend."""
        ...

    @property
    def cap(self) -> int:
        """The most points one unit adds to the whole map."""
        ...

    def measure(self, partition: Partition, epsilon: Fraction) -> Measurement:
        """Noisy totals of the partition's regions, at a cost of exactly `epsilon`."""
        ...

    def measure_from(self, threshold: Fraction, epsilon: Fraction) -> Measurement:
        """The cells whose noisy total is at least `threshold` points, at a cost of exactly `epsilon`."""
        ...


Strategy = Callable[[Session], None]


def flat(session: Session) -> None:
    """Every cell's own count, with all of epsilon at once: the mechanism as the textbooks give it."""
    session.measure(Partition.cells(session.grid), session.epsilon)


def _adaptive(session: Session) -> None:
    """Few, then many regions: land that looks empty is measured in large blocks, the rest ever finer."""
    from dpmap.strategies.adaptive import adaptive as measure

    measure(session)


SPARSE = "sparse:"
STRATEGIES: dict[str, Strategy] = {"adaptive": _adaptive, "flat": flat}


def _sparse(least: Fraction, session: Session) -> None:
    """As `flat`, but of the cells only those whose noisy total is at least a public threshold are listed."""
    session.measure_from(least, session.epsilon)


def threshold(name: str) -> Fraction | None:
    """The public threshold of a sparse strategy, in points; None for any other.

    >>> threshold("sparse:20")
    Fraction(20, 1)
    """
    if not name.startswith(SPARSE):
        return None
    return exact(name.removeprefix(SPARSE), name="strategy: the threshold after sparse:")


def named(name: str) -> Strategy:
    """The strategy of this name; `sparse:20` is `flat` of which only cells of at least 20 noisy points are shown.

    >>> named("flat") is flat
    True
    """
    least = threshold(name)
    if least is not None:
        return partial(_sparse, least)
    if name not in STRATEGIES:
        raise BadInput(f"strategy: not one of {', '.join(STRATEGIES)}, {SPARSE}THRESHOLD")
    return STRATEGIES[name]
