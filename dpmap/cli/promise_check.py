"""Refuses to resume a release under another promise than it was made with."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpmap.cli.config_file import given_flags
from dpmap.cli.flags import Drawing, Finer, Promise, Published, Spending, Stamp
from dpmap.cli.flags import tiers as in_tiers
from dpmap.cli.grid_flags import Gridding, LayerFlags
from dpmap.cli.reading_flags import ReadingFlags
from dpmap.cli.survey_paths import Files, is_piped
from dpmap.errors import BadInput

if TYPE_CHECKING:
    from dpmap.grid import Grid
    from dpmap.record import Record

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
"""What makes a policy, called as its flags are."""
FLAGS = {"labels": "--label", "official": "--grid"}
"""The flags that are called otherwise than what they set."""


@dataclass(frozen=True, eq=False, repr=False)
class TypedPromise:
    """All that was typed, or stands in dpmap.toml, of what a release is made by."""

    survey: Files | None
    reading: ReadingFlags
    gridding: Gridding
    layers: LayerFlags
    promise: Promise
    finer: Finer
    spending: Spending
    drawing: Drawing
    stamp: Stamp
    published: Published

    def refuse_changed(self, record: "Record", folder: Path) -> None:
        """Refuses what the release in `folder` was not made by: `--resume` draws nothing, so
        nothing can be changed.

        What is not typed is not compared, and neither is where a file lies: only what it says.
        """
        changed = next((name for name, is_same in self._compared(record) if not is_same), None)
        if changed is not None:
            flag = FLAGS.get(changed, f"--{changed.replace('_', '-')}")
            raise BadInput(
                f"{flag}: the release in {folder.name or folder} was made with another one, and"
                f" --resume changes none; leave {flag} out, or leave --resume out and name a new"
                " --out"
            )

    def _compared(self, record: "Record") -> "list[tuple[str, bool]]":
        """Lists what was typed, each with whether the record has the same."""
        about = record.about
        typed = given_flags()
        names = [*_policy_changes(record, self._policy(typed))]
        facts = {
            "dataset": (self.spending.dataset, record.receipt.dataset),
            "budget": (_exact(self.spending.budget), record.receipt.budget),
            "strategy": (self.drawing.strategy, record.strategy),
            "noise": (self.drawing.noise, about.written.get("noise")),
            "sensitivity": (self.layers.sensitivity, about.written.get("sensitivity")),
            "tier": (
                _losses(in_tiers(self.finer.tier)),
                _losses(about.tier.epsilons if about.tier else None),
            ),
        }
        compared = [
            (name, typed_fact == made)
            for name, (typed_fact, made) in facts.items()
            if name in typed
        ]
        compared += [(name, False) for name in names]
        compared += self._governance(record)
        if typed & {one.name for one in fields(Gridding)} | typed & {"kinds", "times"}:
            compared.append(("cell", self._is_same_grid(record)))
        if "prior" in typed:
            compared.append(("prior", self._is_same_priors(record)))
        if typed & {one.name for one in fields(ReadingFlags)}:
            compared.append(("where", self._is_read_alike(record)))
        return compared

    def _policy(self, typed: set[str]) -> dict[str, Any]:
        """Returns the parts of the promise that were typed."""
        parts = {**vars(self.promise), **vars(self.finer)}
        declared = {
            name: parts[name] for name in POLICY if name in typed and parts[name] is not None
        }
        if (
            declared.get("epsilon") == "next" or self.finer.tier
        ):  # the next share by now, or told by the tiers
            declared.pop("epsilon", None)
        return declared

    def _governance(self, record: "Record") -> "list[tuple[str, bool]]":
        """Compares what is declared about the map's use."""
        typed = self.published.governance(self.stamp)
        made = record.about.governance
        named = {one.name: getattr(typed, one.name) for one in fields(typed)}
        return [(name, value == getattr(made, name)) for name, value in named.items() if value]

    def _is_same_grid(self, record: "Record") -> bool:
        """Whether the cells that are asked for are the record's."""
        lacking = self.gridding.lacking()
        if lacking:
            raise BadInput(
                f"--resume: the cells cannot be compared without --{lacking[0]}; type all flags of"
                " the cells, or none"
            )
        return same_cells(self.layers.layered(self.gridding.grid()), record.grid)

    def _is_same_priors(self, record: "Record") -> bool:
        """Whether the public priors are the record's, by what they hold."""
        from dpmap.steward.priors import read_priors

        priors = read_priors(self.drawing.prior, record.grid, record.policy, record.strategy)
        return [prior.sha256 for prior in priors] == [prior.sha256 for prior in record.priors]

    def _is_read_alike(self, record: "Record") -> bool:
        """Whether the survey, where it is at hand, would be read as it was: by the words that
        the record keeps of it.
        """
        from dpmap.steward.release_run import reading_words
        from dpmap.version import made_with

        lines = record.about.read_as
        of_another = record.versions.get("dpmap") != made_with().get("dpmap")
        if self.survey is None or is_piped(self.survey) or lines is None or of_another:
            return True
        rows = self.reading.opened(
            self.survey, self.promise.unit, **self.reading.dated(self.layers.times)
        )
        words = reading_words(rows, record.grid, record.policy)
        return [tuple(line) for line in words] == [tuple(line) for line in lines]


def same_cells(typed: "Grid", made: "Grid") -> bool:
    """Whether two grids have the same cells, in the same area and layers; what areas are called
    is not asked.
    """
    import numpy as np
    import shapely

    axes = [axis for axis in made.axes if axis != made.mean]
    if (typed.crs, typed.kind, typed.cells.shape) != (
        made.crs,
        made.kind,
        made.cells.shape,
    ) or list(typed.axes) != axes:
        return False
    if typed.kind == "squares":
        same = np.allclose(
            typed.cells.bounds,  # type: ignore[union-attr]
            made.cells.bounds,  # type: ignore[union-attr]
            rtol=1e-9,
        )
    elif typed.kind == "hexagons":
        same = np.array_equal(typed.cells.ids, made.cells.ids)  # type: ignore[union-attr]
    else:
        same = bool(
            shapely.equals_exact(
                typed.cells.shapes,  # type: ignore[union-attr]
                made.cells.shapes,  # type: ignore[union-attr]
            ).all()
        )
    return bool(same) and np.array_equal(typed.ground.inside, made.ground.inside)


def _policy_changes(record: "Record", typed: Mapping[str, Any]) -> list[str]:
    """Lists the parts of the promise that are not the record's."""
    from dpmap.promise.policy import Policy

    made = record.policy
    declared = {name: getattr(made, name) for name in POLICY}
    if made.cap_choice is not None:
        declared |= {"cap": str(made.cap_choice), "cap_origin": "declared"}
    if str(typed.get("unit", "")).lower() == made.unit.lower():  # as the survey's header is read
        typed = {**typed, "unit": made.unit}
    changed = Policy(**{**declared, **typed})
    same = Policy(**declared)
    parts = {name: (name,) if name != "cap" else ("cap", "cap_choice") for name in typed}
    return [
        name
        for name, held in parts.items()
        if any(getattr(changed, part) != getattr(same, part) for part in held)
    ]


def _exact(text: str | None) -> Any:
    from dpmap.numbers import epsilon

    return None if text is None else epsilon(text, name="budget")


def _losses(tiers: Mapping[str, object] | None) -> Any:
    """Returns the epsilons of tiers, exactly."""
    from dpmap.promise.tiers import epsilons

    return None if tiers is None else dict(epsilons(tiers))
