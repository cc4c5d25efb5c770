"""The record of a release: public values that say what was measured, under which promise.

A `Record` is everything a release consists of; estimates, intervals and maps derive from it and can
be derived again, better, years later. `dpmap/record/release_file.py` keeps one in a file.
"""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from dpmap.errors import BadInput
from dpmap.grid import Grid, Shown
from dpmap.grid.layer_axes import Values
from dpmap.promise.policy import Policy
from dpmap.promise.strategies import custom_name
from dpmap.record.measurement import Measurement
from dpmap.record.metadata import About
from dpmap.record.prior import MOST_PRIORS, Prior
from dpmap.record.reports import Reports
from dpmap.record.unpool import unpool


@dataclass(frozen=True, slots=True)
class Receipt:
    """Holds what the ledger attests: the data set, this release's place in the hash chain, and
    the budget around it.
    """

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
        """The epsilon that later releases may still spend."""
        return self.budget - self.spent


@dataclass(frozen=True, slots=True)
class Record:
    """Holds one release as public values: the grid, the promise, the noisy measurements, the
    ledger's receipt.

    `priors` are what was declared as public before, the same for each layer. A merged one has no
    measurements of its own but its `partners`' records, and the promise that follows from theirs.
    `about` is what dpmap says beside, and words and maps follow from it. `remarks` are those of
    whoever released it, from which nothing follows; they are None in a file of before they were
    kept apart, where `about` may hold both.
    """

    grid: Grid
    policy: Policy
    strategy: str
    measurements: tuple[Measurement, ...]
    receipt: Receipt
    released_on: str
    versions: dict[str, str] = field(default_factory=dict)
    about: About = field(default_factory=About)
    mean: Values | None = None
    partners: tuple["Record", ...] = ()
    remarks: dict[str, Any] | None = field(default_factory=dict)
    priors: tuple[Prior, ...] = ()

    def __post_init__(self) -> None:
        if len(self.priors) > MOST_PRIORS or any(
            prior.values.shape != self.grid.cells.shape for prior in self.priors
        ):
            raise BadInput(
                f"prior: a map has at most {MOST_PRIORS}, each with one number for each cell of a"
                " layer"
            )

    @property
    def fresh(self) -> bool:
        """Whether the vault of this process made it; a record opened from a file is *received*."""
        return bool(self.measurements) and all(
            measurement.fresh for measurement in self.measurements
        )

    @property
    def last(self) -> Measurement:
        """The last measurement, each answer as its question alone would have been answered: what
        proofs of intervals ask for.
        """
        return unpool(self.measurements)

    @property
    def reports(self) -> Reports | None:
        """The devices' reports, if the map is made from them; None if a curator held the survey."""
        last = self.measurements[-1] if self.measurements else None
        return last if isinstance(last, Reports) else None

    @property
    def custom_strategy(self) -> str:
        """The name of the strategy that the releaser brought; "" if it is one of dpmap's own."""
        return custom_name(self.strategy)

    @property
    def sparse(self) -> bool:
        """Whether only the cells above a public threshold are listed."""
        return bool(self.measurements) and isinstance(self.measurements[-1].partition, Shown)

    @property
    def title(self) -> str:
        """The data set's name, with the layer's names if this is a single layer, and for whom
        the map is if it is a tier.
        """
        names = self.about.layer
        return self.receipt.dataset + (f": {', '.join(names)}" if names else "") + self._reader

    @property
    def heading(self) -> str:
        """The title of all layers together."""
        return self.receipt.dataset + self._reader

    @property
    def open_top(self) -> bool:
        """Whether the densest class has no upper end, as a finer tier of the same legend may
        hold more.
        """
        return (
            bool(self.about.edges and self.about.tier)
            and self.mean is None
            and self.grid.mean is None
        )

    @property
    def _reader(self) -> str:
        """For whom the map is, if it is a tier."""
        return "" if (tier := self.about.tier) is None else f" \N{MIDDLE DOT} map for: {tier.name}"

    def layer(self, names: tuple[str, ...]) -> "Record":
        """Returns one layer as a record of its own: its cells, and what was measured within it
        alone.
        """
        place = self.grid.maps[names]
        within = (measurement.within(place) for measurement in self.measurements)
        measurements = tuple(measurement for measurement in within if measurement is not None)
        partners = tuple(partner.layer(names) for partner in self.partners)
        about = self.about.of_layer(names)
        return replace(
            self, grid=self.grid.single, measurements=measurements, about=about, partners=partners
        )
