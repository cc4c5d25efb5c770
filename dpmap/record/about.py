"""What dpmap itself says of a release beside its numbers: typed, and never changed."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field
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
    "layer",
    "round",
    "question",
    "lines",
}
"""What this version of dpmap writes; `sensitivity` and `noise` are for whoever reads the file."""


@dataclass(frozen=True, slots=True)
class Apart:
    """Data sets of which no unit is in two, and who signed that."""

    datasets: tuple[str, ...]
    signed_by: str


@dataclass(frozen=True, slots=True)
class Season:
    """Which release of a plan this is, as the ledger dealt its shares out."""

    release: str
    of: str
    scheme: str


@dataclass(frozen=True, slots=True)
class About:
    """What words, maps and merged maps follow from, beside the numbers and the policy.

    `written` is all that the file holds. What another version of dpmap added there is kept, and nothing follows from it; what a
    stranger's file garbles counts as not said.

    >>> About.of({"noun": "nests", "disjoint": {"datasets": "A"}, "later": 1}).noun
    'nests'
    >>> About.of({"disjoint": {"datasets": "A"}}).disjoint is None
    True
    """

    written: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    def __reduce__(self) -> Any:
        """Copied and pickled by what was written."""
        return About.of, (self.to_dict(),)

    @classmethod
    def of(cls, written: Mapping[str, Any]) -> "About":
        """The same from a file's words, which may change afterwards."""
        return cls(MappingProxyType(copy.deepcopy(dict(written))))

    def to_dict(self) -> dict[str, Any]:
        """Plain values for the file: all that was written."""
        return copy.deepcopy(dict(self.written))

    def of_layer(self, names: tuple[str, ...]) -> "About":
        """The same of a single layer."""
        return About.of({**self.written, "layer": list(names)})

    @property
    def more(self) -> dict[str, Any]:
        """What another version of dpmap added."""
        return {name: value for name, value in self.written.items() if name not in KNOWN}

    @property
    def noun(self) -> str:
        """What is counted, in the plural, where it is not records."""
        return str(self.written.get("noun") or "")

    @property
    def layer(self) -> tuple[str, ...]:
        """The names of the single layer that this is; none where it is the whole."""
        names = self.written.get("layer")
        return tuple(map(str, names)) if isinstance(names, list) else ()

    @property
    def read_as(self) -> tuple[tuple[str, str], ...] | None:
        """How the survey was read: parts, and what was said of each; None where no survey was."""
        lines = self.written.get("read_as")
        if not isinstance(lines, list):
            return None
        return tuple((str(line[0]), str(line[1])) for line in lines if isinstance(line, list) and len(line) == 2)

    @property
    def governance(self) -> Governance:
        """What the steward declared about the map's use."""
        return Governance.of(self.written)

    @property
    def disjoint(self) -> Apart | None:
        """The data sets of which no unit is in two; None where nobody has signed that."""
        group = self.written.get("disjoint")
        names, by = (group.get("datasets"), group.get("signed_by")) if isinstance(group, Mapping) else (None, None)
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            return None
        signed = isinstance(by, str) and by.strip() and by.isprintable() and len(by) <= 200
        return Apart(tuple(names), str(by)) if signed else None

    @property
    def season(self) -> Season | None:
        """The release's place in the ledger's plan; None where there was none."""
        plan = self.written.get("plan")
        return Season(*(str(plan.get(name)) for name in Season.__slots__)) if isinstance(plan, Mapping) else None

    @property
    def question(self) -> str:
        """What volunteers were asked."""
        return str(self.written.get("question") or "")

    @property
    def round(self) -> str:
        """Which round of asking the reports are of."""
        return str(self.written.get("round", ""))

    @property
    def lines(self) -> Mapping[str, int] | None:
        """What became of the reports' lines, by what was found of them; None where none came in."""
        lines = self.written.get("lines")
        return (
            {str(name): many for name, many in lines.items() if isinstance(many, int)}
            if isinstance(lines, Mapping)
            else None
        )
