"""Noisy totals of regions, with the exact distribution of their noise."""

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid import Partition
from dpmap.noise.laws import LAWS, Law
from dpmap.numbers import decimal_text

KINDS = (("dpmap.vault.session", "FreshMeasurement"), ("dpmap.record.reports", "Reports"))
"""The kinds of measurement there are beside the plain one."""


class Measurement:
    """Holds the noisy totals of one partition's regions, and the exact distribution of their noise.

    `steps` are the totals as drawn, signed, in fixed-point lattice steps of 1/`lattice` points; `values` are the same
    in points. The noise of each is independent, of a law of exactly `scale` points: a discrete Laplace, or a discrete
    Gaussian where `kind` says so. Anyone may build one (to read a file, to simulate); only the vault mints a *fresh* one.

    >>> from dpmap.grid import Partition
    >>> m = Measurement(Partition(np.array([0, 1])), np.array([-4, 12]), lattice=4, scale=Fraction(2), epsilon=Fraction(1))
    >>> m.values, m.fresh
    (array([-1.,  3.]), False)
    """

    __slots__ = ("__weakref__", "epsilon", "kind", "lattice", "partition", "scale", "steps")

    fresh = False

    def __init__(
        self,
        partition: Partition,
        steps: NDArray[np.int64],
        *,
        lattice: int,
        scale: Fraction,
        epsilon: Fraction,
        kind: str = "laplace",
    ) -> None:
        if steps.shape != (partition.regions,):
            raise BadInput("measurement: one value for each region")
        steps = np.array(steps, dtype=np.int64)
        steps.flags.writeable = False
        noise = {"lattice": lattice, "scale": scale, "epsilon": epsilon, "kind": kind}
        values = {"partition": partition, "steps": steps, **noise}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    partition: Partition
    steps: NDArray[np.int64]
    lattice: int
    scale: Fraction
    epsilon: Fraction
    kind: str

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a measurement cannot be changed")

    def __init_subclass__(cls) -> None:
        homes = [(kind.__module__, kind.__name__) for kind in Measurement.__subclasses__()]
        mine = (cls.__module__, cls.__name__)
        if mine not in KINDS or cls.__base__ is not Measurement or homes.count(mine) > 1:
            raise TypeError("only the vault may say where a measurement comes from")

    def __reduce__(self) -> Any:
        """Makes every copy or pickle a received measurement, never a fresh one."""
        return _received, (self.partition, self.steps, self._noise)

    @property
    def _noise(self) -> dict[str, Any]:
        """What describes the noise: lattice, scale, epsilon and kind."""
        return {"lattice": self.lattice, "scale": self.scale, "epsilon": self.epsilon, "kind": self.kind}

    @property
    def values(self) -> NDArray[np.float64]:
        """Noisy totals in points, signed, as drawn."""
        return self.steps / self.lattice

    @property
    def scale_steps(self) -> Fraction:
        """The noise scale in lattice steps."""
        return self.scale * self.lattice

    @property
    def law(self) -> Law:
        """The distribution of the noise, in lattice steps."""
        return LAWS[self.kind](self.scale_steps)

    @property
    def deviations(self) -> NDArray[np.float64]:
        """The standard deviation of each region's noise, in points."""
        return np.full(self.partition.regions, self.law.deviation / self.lattice)

    def within(self, place: tuple[int, ...]) -> "Measurement | None":
        """Returns the part measured inside one layer of a layered grid; None if a region reaches beyond the layer.

        >>> from dpmap.grid import Partition
        >>> both = Partition(np.array([[0, 0], [2, 1]]))
        >>> m = Measurement(both, np.array([8, 12, -4]), lattice=4, scale=Fraction(2), epsilon=Fraction(1))
        >>> m.within((1,)).partition.labels.tolist(), m.within((1,)).values.tolist()
        ([1, 0], [3.0, -1.0])
        """
        labels = self.partition.labels[place]
        used, sizes = np.unique(labels[labels >= 0], return_counts=True)
        everywhere = np.bincount(self.partition.labels[self.partition.labels >= 0], minlength=self.partition.regions)
        if not np.array_equal(everywhere[used], sizes):
            return None
        number = np.full(self.partition.regions + 1, -1, dtype=np.int64)
        number[used] = np.arange(len(used))
        inside = Partition(number[labels], len(used))
        return Measurement(inside, self.steps[used], **self._noise)

    def __repr__(self) -> str:
        origin = "fresh" if self.fresh else "received"
        return f"<Measurement: {self.partition.regions:,} regions, scale {decimal_text(self.scale)}, {origin}>"


def _received(partition: Partition, steps: NDArray[np.int64], named: dict[str, Any]) -> Measurement:
    return Measurement(partition, steps, **named)
