"""Refuses to resume a release under another promise than it was made with."""

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
    from dpmap.record import Record


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
        from dpmap.steward.declaration import FLAGS

        changed = next((name for name, is_same in self._compared(record) if not is_same), None)
        if changed is not None:
            flag = f"--{FLAGS.get(changed, changed).replace('_', '-')}"
            raise BadInput(
                f"{flag}: the release in {folder.name or folder} was made with another one, and"
                f" --resume changes none; leave {flag} out, or leave --resume out and name a new"
                " --out"
            )

    def _compared(self, record: "Record") -> "list[tuple[str, bool]]":
        """Lists what was typed, each with whether the record has the same."""
        about = record.about
        typed = given_flags()
        from dpmap.steward.declaration import compare_governance, policy_changes, tier_epsilons

        names = policy_changes(record, self._policy(typed))
        facts = {
            "dataset": (self.spending.dataset, record.receipt.dataset),
            "budget": (_exact(self.spending.budget), record.receipt.budget),
            "strategy": (self.drawing.strategy, record.strategy),
            "noise": (self.drawing.noise, about.written.get("noise")),
            "sensitivity": (self.layers.sensitivity, about.written.get("sensitivity")),
            "tier": (
                tier_epsilons(in_tiers(self.finer.tier)),
                tier_epsilons(about.tier.epsilons if about.tier else None),
            ),
        }
        compared = [
            (name, typed_fact == made)
            for name, (typed_fact, made) in facts.items()
            if name in typed
        ]
        compared += [(name, False) for name in names]
        declared = self.published.governance(self.stamp)
        compared += [
            (name, is_same)
            for name, is_same in compare_governance(declared, record)
            if getattr(declared, name)
        ]
        if typed & {one.name for one in fields(Gridding)} | typed & {"kinds", "times"}:
            compared.append(("cell", self._is_same_grid(record)))
        if "prior" in typed:
            compared.append(("prior", self._is_same_priors(record)))
        if typed & {one.name for one in fields(ReadingFlags)}:
            compared.append(("where", self._is_read_alike(record)))
        return compared

    def _policy(self, typed: set[str]) -> dict[str, Any]:
        """Returns the parts of the promise that were typed."""
        from dpmap.steward.declaration import POLICY

        parts = {**vars(self.promise), **vars(self.finer)}
        declared = {
            name: parts[name] for name in POLICY if name in typed and parts[name] is not None
        }
        if (
            declared.get("epsilon") == "next" or self.finer.tier
        ):  # the next share by now, or told by the tiers
            declared.pop("epsilon", None)
        return declared

    def _is_same_grid(self, record: "Record") -> bool:
        """Whether the cells that are asked for are the record's."""
        lacking = self.gridding.lacking()
        if lacking:
            raise BadInput(
                f"--resume: the cells cannot be compared without --{lacking[0]}; type all flags of"
                " the cells, or none"
            )
        from dpmap.steward.declaration import same_cells

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
        from dpmap.steward.declaration import is_read_alike

        if self.survey is None or is_piped(self.survey):
            return True
        rows = self.reading.opened(
            self.survey, self.promise.unit, **self.reading.dated(self.layers.times)
        )
        return is_read_alike(rows, record)


def _exact(text: str | None) -> Any:
    from dpmap.numbers import epsilon

    return None if text is None else epsilon(text, name="budget")
