"""Compares a declared release with a record of one that was made: a repeated command may go on with
what its own declaration made, and with nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

from dpmap.errors import Refused
from dpmap.grid import Grid
from dpmap.numbers import epsilon as parse_epsilon
from dpmap.promise.governance import Governance
from dpmap.promise.policy import Policy
from dpmap.promise.tiers import epsilons
from dpmap.record import Record
from dpmap.steward.priors import read_priors
from dpmap.survey import Survey

POLICY = (
    "epsilon",
    "unit",
    "cap",
    "limiter",
    "consent",
    "cap_origin",
    "sample",
    "site",
    "site_cap",
    "epsilon_by",
    "lifetime",
    "delta",
    "units",
)
"""The parts of a policy, called as its flags are."""
FLAGS = {"labels": "label", "official": "grid"}
"""The parts whose flag is called otherwise."""


@dataclass(frozen=True, eq=False, repr=False)
class Declaration:
    """Holds all that decides what a release is, but the rows of its survey."""

    survey: Survey
    grid: Grid
    policy: Policy
    dataset: str
    budget: object
    strategy: str
    noise: str
    sensitivity: str | None
    governance: Governance | None
    notes: Mapping[str, Any] | None
    prior: object
    tiers: Mapping[str, object] | None

    def refuse_other(self, record: Record, place: str) -> None:
        """Refuse where the release that stands at a place was made by another declaration."""
        changed = next((name for name, is_same in self._compared(record) if not is_same), None)
        if changed is None:
            return
        flag = FLAGS.get(changed, changed).replace("_", "-")
        raise Refused(
            f"--{flag}: the release in {place} was made with another one; nothing was spent; name a"
            f" new --out for another release, or declare --{flag} as it was"
        )

    def _compared(self, record: Record) -> list[tuple[str, bool]]:
        """List each part with whether the record has the same, the plainest first."""
        about = record.about
        tier = about.tier
        budget = self.budget
        declared = {name: getattr(self.policy, name) for name in POLICY}
        if self.policy.cap_choice is not None:
            declared |= {"cap": str(self.policy.cap_choice), "cap_origin": "declared"}
        if self.tiers is not None:
            del declared["epsilon"]
        preset = about.written.get("sensitivity")
        compared = [
            ("dataset", self.dataset == record.receipt.dataset),
            (
                "budget",
                budget is None or parse_epsilon(budget, name="budget") == record.receipt.budget,
            ),
            ("tier", tier_epsilons(self.tiers) == tier_epsilons(tier.epsilons if tier else None)),
            ("strategy", self.strategy == record.strategy),
            ("noise", self.noise == about.written.get("noise")),
            ("sensitivity", self.sensitivity == preset),
            ("notes", (self.notes or {}) == (record.remarks or {})),
        ]
        compared += [(name, False) for name in policy_changes(record, declared)]
        compared += compare_governance(self.governance or Governance(), record)
        compared.append(("cell", same_cells(self.grid, record.grid)))
        compared.append(("where", self._is_read_alike(record)))
        if all(is_same for _, is_same in compared):
            compared.append(("prior", self._has_same_priors(record)))
        return compared

    def _has_same_priors(self, record: Record) -> bool:
        """Whether the public priors are the record's, by what they hold."""
        priors = read_priors(self.prior, record.grid, record.policy, record.strategy)
        return [prior.sha256 for prior in priors] == [prior.sha256 for prior in record.priors]

    def _is_read_alike(self, record: Record) -> bool:
        """Whether the survey would be read as it was, by the words that the record keeps of it."""
        return is_read_alike(self.survey, record)


def is_read_alike(survey: Survey, record: Record) -> bool:
    """Whether a survey would be read as a record's was, by the words that the record keeps.

    Another version of dpmap may say the same in other words, so that its words are not compared.
    """
    from dpmap.steward.release_run import reading_words
    from dpmap.version import made_with

    lines = record.about.read_as
    if lines is None or record.versions.get("dpmap") != made_with().get("dpmap"):
        return True
    words = reading_words(survey, record.grid, record.policy)
    return [tuple(line) for line in words] == [tuple(line) for line in lines]


def compare_governance(declared: Governance, record: Record) -> list[tuple[str, bool]]:
    """List each part of what is declared about the map's use, with whether the record has it."""
    made = record.about.governance
    return [
        (part.name, getattr(declared, part.name) == getattr(made, part.name))
        for part in fields(declared)
    ]


def policy_changes(record: Record, declared: Mapping[str, Any]) -> list[str]:
    """List the parts of a policy that were declared otherwise than the record's were."""
    made = record.policy
    parts_made = {name: getattr(made, name) for name in POLICY}
    if made.cap_choice is not None:
        parts_made |= {"cap": str(made.cap_choice), "cap_origin": "declared"}
    # a header is read in any case
    if str(declared.get("unit", "")).lower() == made.unit.lower():
        declared = {**declared, "unit": made.unit}
    changed = Policy(**{**parts_made, **declared})
    same = Policy(**parts_made)
    parts = {name: (name,) if name != "cap" else ("cap", "cap_choice") for name in declared}
    return [
        name
        for name, held in parts.items()
        if any(getattr(changed, part) != getattr(same, part) for part in held)
    ]


def same_cells(declared: Grid, made: Grid) -> bool:
    """Whether two grids have the same cells, in the same area and layers; what areas are called is
    not asked.
    """
    import numpy as np
    import shapely

    axes = [axis for axis in made.axes if axis != made.mean]
    if (declared.crs, declared.kind, declared.cells.shape) != (
        made.crs,
        made.kind,
        made.cells.shape,
    ) or list(declared.axes) != axes:
        return False
    if declared.kind == "squares":
        same = np.allclose(
            declared.cells.bounds,  # type: ignore[union-attr]
            made.cells.bounds,  # type: ignore[union-attr]
            rtol=1e-9,
        )
    elif declared.kind == "hexagons":
        same = np.array_equal(declared.cells.ids, made.cells.ids)  # type: ignore[union-attr]
    else:
        same = bool(
            shapely.equals_exact(
                declared.cells.shapes,  # type: ignore[union-attr]
                made.cells.shapes,  # type: ignore[union-attr]
            ).all()
        )
    return bool(same) and np.array_equal(declared.ground.inside, made.ground.inside)


def tier_epsilons(tiers: Mapping[str, object] | None) -> dict[str, Fraction] | None:
    """Return the epsilons of tiers, exactly."""
    return None if tiers is None else dict(epsilons(tiers))
