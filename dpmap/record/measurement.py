"""Noisy totals of regions, with the exact distribution of their noise."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid import Partition
from dpmap.grid.partition import strips
from dpmap.noise.distributions import LAWS, Law
from dpmap.numbers import decimal_text

KINDS = (("dpmap.vault.session", "FreshMeasurement"), ("dpmap.record.reports", "Reports"))
"""The kinds of measurement there are beside the plain one."""


class Measurement:
    """Holds the noisy totals of one partition's regions, and the exact distribution of their noise.

    `steps` are the totals as drawn, signed, in fixed-point lattice steps of 1/`lattice` points;
    `values` are the same in points. The noise of each is independent, of a law of exactly `scale`
    points: a discrete Laplace, or a discrete Gaussian where `kind` says so. Anyone may build one
    (to read a file, to simulate); only the vault mints a *fresh* one.

    A region that was asked before as the same region has a better answer: it pools what it cost at
    so many questions before this one, which `pooled` tells, and its answers there are noisier
    copies of this one. `earlier` are the epsilons of those questions, the latest first, and
    `scales` the scale of each region.

    >>> from dpmap.grid import Partition
    >>> m = Measurement(
    ...     Partition(np.array([0, 1])),
    ...     np.array([-4, 12]),
    ...     lattice=4,
    ...     scale=Fraction(2),
    ...     epsilon=Fraction(1),
    ... )
    >>> m.values, m.fresh
    (array([-1.,  3.]), False)
    """

    __slots__ = (
        "__weakref__",
        "earlier",
        "epsilon",
        "kind",
        "lattice",
        "partition",
        "pooled",
        "scale",
        "steps",
    )

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
        pooled: NDArray[np.uint8] | None = None,
        earlier: Sequence[Fraction] = (),
    ) -> None:
        if steps.shape != (partition.regions,) or (
            pooled is not None and pooled.shape != steps.shape
        ):
            raise BadInput("measurement: one value for each region")
        steps = np.array(steps, dtype=np.int64)
        pooled = (
            np.zeros(len(steps), dtype=np.uint8)
            if pooled is None
            else np.array(pooled, dtype=np.uint8)
        )
        steps.flags.writeable = pooled.flags.writeable = False
        most = int(pooled.max(initial=0))
        if most > len(earlier) or (most and kind != "laplace"):
            raise BadInput(
                "measurement: a region pools questions before this one only, with Laplace noise"
            )
        noise = {
            "lattice": lattice,
            "scale": scale,
            "epsilon": epsilon,
            "kind": kind,
            "earlier": tuple(earlier[:most]),
        }
        values = {"partition": partition, "steps": steps, "pooled": pooled, **noise}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    partition: Partition
    steps: NDArray[np.int64]
    lattice: int
    scale: Fraction
    epsilon: Fraction
    kind: str
    pooled: NDArray[np.uint8]
    earlier: tuple[Fraction, ...]

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a measurement cannot be changed")

    def __init_subclass__(cls) -> None:
        homes = [(kind.__module__, kind.__name__) for kind in Measurement.__subclasses__()]
        home = (cls.__module__, cls.__name__)
        if home not in KINDS or cls.__base__ is not Measurement or homes.count(home) > 1:
            raise TypeError("only the vault may say where a measurement comes from")

    def __reduce__(self) -> Any:
        """Makes every copy or pickle a received measurement, never a fresh one."""
        return _received, (self.partition, self.steps, {**self._noise, "pooled": self.pooled})

    @property
    def _noise(self) -> dict[str, Any]:
        """What describes the noise: lattice, scale, epsilon, kind and the epsilons of earlier
        questions.
        """
        return {
            name: getattr(self, name) for name in ("lattice", "scale", "epsilon", "kind", "earlier")
        }

    @property
    def values(self) -> NDArray[np.float64]:
        """Noisy totals in points, signed, as drawn."""
        return self.steps / self.lattice

    def noisy_totals(self, regions: NDArray[np.integer]) -> NDArray[np.float64]:
        """Returns the noisy totals of some regions in points, piece by piece, for those who have
        no room for all.
        """
        totals = np.empty(len(regions))
        for part, values in zip(strips(regions), strips(totals), strict=True):
            np.divide(self.steps[part], self.lattice, out=values)
        return totals

    @property
    def scale_steps(self) -> Fraction:
        """The noise scale in lattice steps."""
        return self.scale * self.lattice

    @property
    def law(self) -> Law:
        """The distribution of the noise, in lattice steps, where it is one for all regions."""
        if self.earlier:
            raise TypeError(
                "each region has a scale of its own; ask the answers apart, or for the deviations"
            )
        return LAWS[self.kind](self.scale_steps)

    @property
    def pooled_scales(self) -> tuple[Fraction, ...]:
        """The scale in points of a region that pools no question before this one, then one, and
        so on.
        """
        spent = accumulate((self.epsilon, *self.earlier))
        return tuple(self.scale * self.epsilon / epsilon for epsilon in spent)

    @property
    def scales(self) -> NDArray[np.float64]:
        """The noise scale of each region, in points."""
        return np.array([float(scale) for scale in self.pooled_scales])[self.pooled]

    @property
    def deviations(self) -> NDArray[np.float64]:
        """The standard deviation of each region's noise, in points."""
        laws = (LAWS[self.kind](scale * self.lattice) for scale in self.pooled_scales)
        return np.array([law.deviation / self.lattice for law in laws])[self.pooled]

    def within(self, place: tuple[int, ...]) -> "Measurement | None":
        """Returns the part measured inside one layer of a layered grid; None if a region reaches
        beyond the layer.

        >>> from dpmap.grid import Partition
        >>> both = Partition(np.array([[0, 0], [2, 1]]))
        >>> m = Measurement(
        ...     both, np.array([8, 12, -4]), lattice=4, scale=Fraction(2), epsilon=Fraction(1)
        ... )
        >>> m.within((1,)).partition.labels.tolist(), m.within((1,)).values.tolist()
        ([1, 0], [3.0, -1.0])
        """
        labels = self.partition.labels[place]
        used, sizes = np.unique(labels[labels >= 0], return_counts=True)
        everywhere = np.bincount(
            self.partition.labels[self.partition.labels >= 0], minlength=self.partition.regions
        )
        if not np.array_equal(everywhere[used], sizes):
            return None
        number = np.full(self.partition.regions + 1, -1, dtype=np.int64)
        number[used] = np.arange(len(used))
        inside = Partition(number[labels], len(used))
        return Measurement(inside, self.steps[used], pooled=self.pooled[used], **self._noise)

    def laid(self, partition: Partition) -> "Measurement":
        """Returns the same answers about the same regions, laid over other cells; it is a received
        measurement.

        - `partition`: these regions, on the other cells.

        >>> from dpmap.grid import Partition
        >>> m = Measurement(
        ...     Partition(np.array([0, 1])),
        ...     np.array([-4, 12]),
        ...     lattice=4,
        ...     scale=Fraction(2),
        ...     epsilon=Fraction(1),
        ... )
        >>> m.laid(Partition(np.array([0, 0, 1, 1]))).values.tolist()
        [-1.0, 3.0]
        """
        return Measurement(partition, self.steps, pooled=self.pooled, **self._noise)

    def __repr__(self) -> str:
        origin = "fresh" if self.fresh else "received"
        return (
            f"<Measurement: {self.partition.regions:,} regions, scale {decimal_text(self.scale)},"
            f" {origin}>"
        )


def _received(partition: Partition, steps: NDArray[np.int64], named: dict[str, Any]) -> Measurement:
    return Measurement(partition, steps, **named)
