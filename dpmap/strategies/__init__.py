"""Public plans for spending epsilon: each may only ask a session to measure, and never sees a true count."""

from collections.abc import Callable
from fractions import Fraction
from typing import Protocol

from dpmap.errors import BadInput
from dpmap.grid import Grid, Partition
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


Strategy = Callable[[Session], None]


def flat(session: Session) -> None:
    """Every cell's own count, with all of epsilon at once: the mechanism as the textbooks give it."""
    session.measure(Partition.cells(session.grid), session.epsilon)


def _adaptive(session: Session) -> None:
    """Few, then many regions: land that looks empty is measured in large blocks, the rest ever finer."""
    from dpmap.strategies.adaptive import adaptive as measure

    measure(session)


STRATEGIES: dict[str, Strategy] = {"adaptive": _adaptive, "flat": flat}


def named(name: str) -> Strategy:
    """The strategy of this name.

    >>> named("flat") is flat
    True
    """
    if name not in STRATEGIES:
        raise BadInput(f"strategy: not one of {', '.join(STRATEGIES)}")
    return STRATEGIES[name]
