"""Holds the notes that dpmap writes into a release beside its numbers: typed, and never changed."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from math import isfinite
from types import MappingProxyType
from typing import Any

from dpmap.promise.governance import Governance

KNOWN = {
    "noise",
    "read_as",
    "sensitivity",
    "noun",
    "governance",
    "plan",
    "disjoint",
    "units",
    "layer",
    "round",
    "question",
    "lines",
    "tiers",
    "edges",
}
"""What this version of dpmap writes; `sensitivity` and `noise` are for whoever reads the file."""
MOST_EDGES = 10


@dataclass(frozen=True, slots=True)
class DeclaredDisjoint:
    """Names data sets declared to share no unit, and who signed that."""

    datasets: tuple[str, ...]
    signed_by: str


@dataclass(frozen=True, slots=True)
class Others:
    """Holds which other units the ledger's releases protect, and what those that protect this
    one's have cost, as written.
    """

    units: tuple[str, ...]
    spent: str


@dataclass(frozen=True, slots=True)
class PlannedSeason:
    """Holds which release of a plan this is, as the ledger dealt out its shares."""

    release: str
    of: str
    scheme: str


@dataclass(frozen=True, slots=True)
class Tier:
    """Holds which reader's map this is of those made from one draw, and the epsilon of each, as
    written, the noisiest first.
    """

    name: str
    epsilons: Mapping[str, str]

    @property
    def others(self) -> dict[str, str]:
        """The other tiers and their epsilons."""
        return {name: epsilon for name, epsilon in self.epsilons.items() if name != self.name}

    @property
    def dearest(self) -> str:
        """The epsilon of the finest tier, which all of them cost."""
        return list(self.epsilons.values())[-1]


@dataclass(frozen=True, slots=True)
class About:
    """Reads the notes of a release that words, maps and merged maps depend on, beside the numbers
    and the policy.

    `written` is all that the file holds. What another version of dpmap added there is kept, and
    nothing follows from it; what a stranger's file garbles counts as not said.

    >>> About.from_mapping({"noun": "nests", "disjoint": {"datasets": "A"}, "later": 1}).noun
    'nests'
    >>> About.from_mapping({"disjoint": {"datasets": "A"}}).disjoint is None
    True
    """

    written: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    def __reduce__(self) -> Any:
        """Copies and pickles by the written notes."""
        return About.from_mapping, (self.to_dict(),)

    @classmethod
    def from_mapping(cls, written: Mapping[str, Any]) -> "About":
        """Makes the notes from a file's mapping, copied so that later changes to it have no
        effect.
        """
        return cls(MappingProxyType(copy.deepcopy(dict(written))))

    def to_dict(self) -> dict[str, Any]:
        """Returns everything that was written, as plain values for the file."""
        return copy.deepcopy(dict(self.written))

    def of_layer(self, names: tuple[str, ...]) -> "About":
        """Returns the same notes for a single layer."""
        return About.from_mapping({**self.written, "layer": list(names)})

    def of_tier(self, name: str, epsilons: Mapping[str, str]) -> "About":
        """Returns the same notes for one tier of a draw."""
        return About.from_mapping(
            {**self.written, "tiers": {"name": name, "epsilons": dict(epsilons)}}
        )

    @property
    def more(self) -> dict[str, Any]:
        """The entries that another version of dpmap added."""
        return {name: value for name, value in self.written.items() if name not in KNOWN}

    @property
    def noun(self) -> str:
        """The plural noun for what is counted; empty where it is records."""
        return str(self.written.get("noun") or "")

    @property
    def layer(self) -> tuple[str, ...]:
        """The names of the layer, if this is a single layer of a map; else empty."""
        names = self.written.get("layer")
        return tuple(map(str, names)) if isinstance(names, list) else ()

    @property
    def read_as(self) -> tuple[tuple[str, str], ...] | None:
        """How the survey was read, as pairs of a part and its description; None if no survey was
        read.
        """
        lines = self.written.get("read_as")
        if not isinstance(lines, list):
            return None
        return tuple(
            (str(line[0]), str(line[1]))
            for line in lines
            if isinstance(line, list) and len(line) == 2
        )

    @property
    def governance(self) -> Governance:
        """What the steward declared about the map's use."""
        return Governance.from_notes(self.written)

    @property
    def disjoint(self) -> DeclaredDisjoint | None:
        """The data sets declared to share no unit; None if nobody signed that."""
        group = self.written.get("disjoint")
        names, by = (
            (group.get("datasets"), group.get("signed_by"))
            if isinstance(group, Mapping)
            else (None, None)
        )
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            return None
        signed = isinstance(by, str) and by.strip() and by.isprintable() and len(by) <= 200
        return DeclaredDisjoint(tuple(names), str(by)) if signed else None

    @property
    def others(self) -> Others | None:
        """Whom other releases of the ledger protect; None if all of them protect this release's
        unit.
        """
        written = self.written.get("units")
        if not isinstance(written, Mapping):
            return None
        units = written.get("others")
        cost = written.get("spent")
        named = isinstance(units, list) and units and all(isinstance(unit, str) for unit in units)
        return Others(tuple(units or ()), cost) if named and isinstance(cost, str) else None

    @property
    def season(self) -> PlannedSeason | None:
        """The release's place in the ledger's plan; None if there is no plan."""
        plan = self.written.get("plan")
        return (
            PlannedSeason(*(str(plan.get(name)) for name in PlannedSeason.__slots__))
            if isinstance(plan, Mapping)
            else None
        )

    @property
    def tier(self) -> Tier | None:
        """Which tier of one draw this is; None if the draw was for one reader."""
        written = self.written.get("tiers")
        if not isinstance(written, Mapping):
            return None
        name = written.get("name")
        losses = written.get("epsilons")
        if (
            not isinstance(losses, Mapping)
            or not isinstance(name, str)
            or name not in losses
            or len(losses) < 2
        ):
            return None
        return Tier(name, {str(tier): str(epsilon) for tier, epsilon in losses.items()})

    @property
    def edges(self) -> tuple[float, ...]:
        """The edges of the classes that its pictures share with those of the other tiers; empty
        where it has its own.
        """
        written = self.written.get("edges")
        numbers = written if isinstance(written, list) else []
        if any(type(number) is not float for number in numbers):
            return ()
        rising = all(map(isfinite, numbers)) and all(low < high for low, high in pairwise(numbers))
        return tuple(numbers) if rising and 2 <= len(numbers) <= MOST_EDGES else ()

    @property
    def question(self) -> str:
        """The question that volunteers were asked."""
        return str(self.written.get("question") or "")

    @property
    def round(self) -> str:
        """The round of asking that the reports belong to."""
        return str(self.written.get("round", ""))

    @property
    def lines(self) -> Mapping[str, int] | None:
        """How many lines of reports were accepted or left out, by reason; None if there are
        none.
        """
        lines = self.written.get("lines")
        return (
            {str(name): count for name, count in lines.items() if isinstance(count, int)}
            if isinstance(lines, Mapping)
            else None
        )
