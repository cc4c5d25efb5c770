"""Plain public values: what was measured, and under which promise.

A `Record` is everything a release consists of; estimates, intervals and maps derive from it and can be derived
again, better, years later. `dpmap/release_file.py` keeps one in a file.
"""

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid import Grid, Partition, Shown
from dpmap.grid.axes import Values
from dpmap.laws import LAWS, Law
from dpmap.numbers import decimal_text
from dpmap.policy import Policy

KINDS = (("dpmap.vault.session", "FreshMeasurement"), ("dpmap.record", "Reports"))
"""The kinds of measurement there are beside the plain one."""


class Measurement:
    """Noisy totals of the regions of one partition, and the exact law of their noise.

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
        """A copy or a pickle is a received measurement, whatever it was made from."""
        return _received, (self.partition, self.steps, self._noise)

    @property
    def _noise(self) -> dict[str, Any]:
        """What is said of the noise."""
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
        """The law of the noise, in lattice steps."""
        return LAWS[self.kind](self.scale_steps)

    def within(self, place: tuple[int, ...]) -> "Measurement | None":
        """The regions that lie in one layer of a layered grid, as they were drawn; None where one reaches beyond it.

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


MOST_REPORTS = 10**8


class Reports(Measurement):
    """What came back from devices that randomised each answer themselves: how many reports support each cell.

    `steps` are those counts; of `count` reports in all, each supports its true answer with chance `truth` (p) and any other
    with chance `other` (q); `elsewhere` counts the reports that support no cell of the map. `values` are unbiased estimates,
    (steps - count q) / (p - q). Their noise is that of the coins on the devices, binomial, so there is no scale.

    >>> from dpmap.grid import Partition
    >>> cells = Partition(np.array([0, 1]))
    >>> half = dict(mechanism="oue", truth=Fraction(1, 2), other=Fraction(1, 4), epsilon=Fraction(11, 10))
    >>> Reports(cells, np.array([40, 25]), count=100, elsewhere=30, **half).values
    array([60.,  0.])
    """

    __slots__ = ("count", "elsewhere", "mechanism", "other", "truth")

    def __init__(
        self, partition: Partition, steps: NDArray[np.int64], *, count: int, elsewhere: int, mechanism: str,
        truth: Fraction, other: Fraction, epsilon: Fraction,
    ) -> None:  # fmt: skip
        steps = np.array(steps, dtype=np.int64)
        steps.flags.writeable = False
        values = {
            "partition": partition, "steps": steps, "lattice": 1, "epsilon": epsilon, "kind": "reports", "count": count,
            "elsewhere": elsewhere, "mechanism": mechanism, "truth": truth, "other": other,
        }  # fmt: skip
        for name, value in values.items():
            object.__setattr__(self, name, value)
        self._check()

    count: int
    elsewhere: int
    mechanism: str
    truth: Fraction
    other: Fraction

    def _check(self) -> None:
        """Counts that can be, and chances that keep epsilon."""
        p, q = self.truth, self.other
        if self.steps.shape != (self.partition.regions,) or self.mechanism not in ("grr", "oue") or not 0 < q < p < 1:
            raise BadInput("reports: one count for each cell, and chances of a mechanism that dpmap has")
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
        return np.asarray((self.steps - self.count * float(self.other)) * float(1 / (self.truth - self.other)))

    @property
    def scale(self) -> Fraction:  # type: ignore[override]  # there is none
        """Refused: what is built on a curator's noise cannot be made of reports."""
        raise BadInput(LOCAL)

    @property
    def law(self) -> Law:
        """Refused, like `scale`."""
        raise BadInput(LOCAL)

    def __repr__(self) -> str:
        return f"<Reports: {self.count:,} on {self.partition.regions:,} cells, {self.mechanism}>"


LOCAL = "this release is made of reports that devices randomised, which has no proof yet; use the map, its table or ask"


def _received_reports(partition: Partition, steps: NDArray[np.int64], named: dict[str, Any]) -> Reports:
    return Reports(partition, steps, **named)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the ledger attests: the data set, this release's place in the hash chain, and the budget around it."""

    dataset: str
    release_id: str
    head: str
    event: int
    budget: Fraction
    spent: Fraction
    budget_delta: Fraction = Fraction(0)
    spent_delta: Fraction = Fraction(0)

    @property
    def remaining(self) -> Fraction:
        """What later releases may still spend."""
        return self.budget - self.spent


@dataclass(frozen=True, slots=True)
class Record:
    """One release as public values: the grid, the promise, the noisy measurements, the ledger's receipt.

    A merged one has no measurements of its own but its `partners`' records, and the promise that follows from theirs.
    `notes` are dpmap's own, and words and maps follow from them. `remarks` are those of whoever released it, from which
    nothing follows; they are None in a file of before they were kept apart, whose notes may hold both.
    """

    grid: Grid
    policy: Policy
    strategy: str
    measurements: tuple[Measurement, ...]
    receipt: Receipt
    released_on: str
    versions: dict[str, str] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)
    mean: Values | None = None
    partners: tuple["Record", ...] = ()
    remarks: dict[str, Any] | None = field(default_factory=dict)

    @property
    def face(self) -> "Record":
        """What is drawn and exported of a map of means: one ground, its two layers as measurements of it, and what the
        mean is of. Any other record is its own.
        """
        if self.grid.mean is None:
            return self
        parts = (measurement.within((part,)) for measurement in self.measurements for part in (0, 1))
        kept = tuple(part for part in parts if part is not None)
        return replace(self, grid=self.grid.ground, measurements=kept, mean=self.grid.mean)

    @property
    def fresh(self) -> bool:
        """Whether this process's vault made it; a record opened from a file is *received*."""
        return bool(self.measurements) and all(measurement.fresh for measurement in self.measurements)

    @property
    def reports(self) -> Reports | None:
        """What devices reported, where the map is made of that; None where a curator held the survey."""
        last = self.measurements[-1] if self.measurements else None
        return last if isinstance(last, Reports) else None

    @property
    def disjoint(self) -> dict[str, Any] | None:
        """The data sets of which no unit is in two, and who signed that; None where nobody has, or a file garbles it."""
        group = self.notes.get("disjoint")
        names, by = (group.get("datasets"), group.get("signed_by")) if isinstance(group, dict) else (None, None)
        named = isinstance(names, list) and all(isinstance(name, str) for name in names)
        signed = isinstance(by, str) and by.strip() and by.isprintable() and len(by) <= 200
        return {"datasets": names, "signed_by": by} if named and signed else None

    @property
    def sparse(self) -> bool:
        """Whether only the cells above a public threshold are listed."""
        return bool(self.measurements) and isinstance(self.measurements[-1].partition, Shown)

    @property
    def title(self) -> str:
        """The data set, and of a single layer its names."""
        names = self.notes.get("layer")
        return self.receipt.dataset + (f": {', '.join(map(str, names))}" if isinstance(names, list) else "")

    def layer(self, names: tuple[str, ...]) -> "Record":
        """One layer as a record of its own: its cells, and what was measured within it alone."""
        place = self.grid.maps[names]
        within = (measurement.within(place) for measurement in self.measurements)
        kept = tuple(measurement for measurement in within if measurement is not None)
        partners = tuple(partner.layer(names) for partner in self.partners)
        notes = {**self.notes, "layer": list(names)}
        return replace(self, grid=self.grid.single, measurements=kept, notes=notes, partners=partners)
