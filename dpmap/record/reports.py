"""Reports from devices that each randomised their own answer."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid import Partition
from dpmap.noise.distributions import Law
from dpmap.read_only_arrays import read_only
from dpmap.record.measurement import Measurement

MOST_REPORTS = 10**8
MECHANISMS = ("grr", "oue")
"""Those of `dpmap.local.device`, which an auditor of surveys need not read; `formats` holds both
lists together.
"""


class Reports(Measurement):
    """Holds how many of the devices' randomised reports support each cell.

    `steps` are those counts; of `count` reports in all, each supports its true answer with chance
    `truth` (p) and any other with chance `other` (q); `elsewhere` counts the reports that support
    no cell of the map. `values` are unbiased estimates, (steps - count q) / (p - q). Their noise is
    that of the coins on the devices, binomial, so there is no scale.

    >>> from dpmap.grid import Partition
    >>> cells = Partition(np.array([0, 1]))
    >>> half = dict(
    ...     mechanism="oue", truth=Fraction(1, 2), other=Fraction(1, 4), epsilon=Fraction(11, 10)
    ... )
    >>> Reports(cells, np.array([40, 25]), count=100, elsewhere=30, **half).values
    array([60.,  0.])
    """

    __slots__ = ("count", "elsewhere", "mechanism", "other", "truth")

    def __init__(
        self,
        partition: Partition,
        steps: NDArray[np.int64],
        *,
        count: int,
        elsewhere: int,
        mechanism: str,
        truth: Fraction,
        other: Fraction,
        epsilon: Fraction,
    ) -> None:
        steps = np.array(steps, dtype=np.int64)
        steps.flags.writeable = False
        values = {
            "partition": partition,
            "steps": steps,
            "lattice": 1,
            "epsilon": epsilon,
            "kind": "reports",
            "count": count,
            "elsewhere": elsewhere,
            "mechanism": mechanism,
            "truth": truth,
            "other": other,
            "pooled": read_only(np.zeros(len(steps), dtype=np.uint8)),
            "earlier": (),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        self._check()

    count: int
    elsewhere: int
    mechanism: str
    truth: Fraction
    other: Fraction

    def _check(self) -> None:
        """Checks that the counts are possible and the chances keep epsilon."""
        p = self.truth
        q = self.other
        if (
            self.steps.shape != (self.partition.regions,)
            or self.mechanism not in MECHANISMS
            or not 0 < q < p < 1
        ):
            raise BadInput(
                "reports: give one count for each cell, and the chances of a mechanism that dpmap"
                " knows"
            )
        odds = p / q if self.mechanism == "grr" else p * (1 - q) / (q * (1 - p))
        if math.log(odds) > float(self.epsilon) * (1 + 1e-9):
            raise BadInput("reports: their chances do not keep the epsilon they name")
        supported = [*self.steps.tolist(), self.elsewhere]
        if not 0 < self.count <= MOST_REPORTS or not all(0 <= s <= self.count for s in supported):
            raise BadInput("reports: no answer is supported by more reports than there are")
        if self.mechanism == "grr" and sum(supported) != self.count:
            raise BadInput("reports: each names one answer")

    def __reduce__(self) -> Any:
        named = {name: getattr(self, name) for name in (*Reports.__slots__, "epsilon")}
        return _received_reports, (self.partition, self.steps, named)

    @property
    def values(self) -> NDArray[np.float64]:
        """Unbiased estimates in points, signed."""
        return np.asarray(
            (self.steps - self.count * float(self.other)) * float(1 / (self.truth - self.other))
        )

    @property
    def deviations(self) -> NDArray[np.float64]:
        """The standard error of each value: that of `count` coins, as many of them of those who
        are there as the value says.
        """
        p = float(self.truth)
        q = float(self.other)
        inside = np.clip(self.values, 0, self.count)
        variance = inside * p * (1 - p) + (self.count - inside) * q * (1 - q)
        return np.asarray(np.sqrt(variance) / (p - q))

    @property
    def together(self) -> float:
        """The estimated total of all cells together: whoever is not elsewhere is in one of them."""
        elsewhere = (self.elsewhere - self.count * float(self.other)) / float(
            self.truth - self.other
        )
        return self.count - min(max(elsewhere, 0.0), float(self.count))

    @property
    def scale(self) -> Fraction:  # type: ignore[override]  # there is none
        """Always refused: reports have no curator's noise scale."""
        raise BadInput(LOCAL)

    @property
    def law(self) -> Law:
        """Always refused, like `scale`."""
        raise BadInput(LOCAL)

    def __repr__(self) -> str:
        return f"<Reports: {self.count:,} on {self.partition.regions:,} cells, {self.mechanism}>"


LOCAL = (
    "this release is made of reports that devices randomised, which has no proof yet; use the map,"
    " its table or ask"
)


def _received_reports(
    partition: Partition, steps: NDArray[np.int64], named: dict[str, Any]
) -> Reports:
    return Reports(partition, steps, **named)
