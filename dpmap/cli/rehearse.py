"""`dpmap rehearse`: what caps and epsilons within a budget do to an invented survey."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, cast

import typer

from dpmap.cli.flag_groups import flag, whole_number
from dpmap.cli.flags import AnswerFlags, Settings, Watching
from dpmap.cli.grid_flags import ONE_WAY, Gridding
from dpmap.cli.helpers import refuse_lacking
from dpmap.errors import BadInput, Refused
from dpmap.numbers import part_text
from dpmap.promise import limiters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dpmap.promise.limiters import LimiterName
    from dpmap.promise.policy import Policy
    from dpmap.steward.planning.strengths import Strengths


@dataclass(frozen=True, eq=False, repr=False)
class RehearsedPromise:
    """The promise whose strength is rehearsed."""

    panel: ClassVar = "What is rehearsed"
    cap: Annotated[
        str | None,
        typer.Option(
            "--cap", help="Most points one unit adds, beside 1, 5 and 20; else the best of those."
        ),
    ] = None
    budget: Annotated[
        str | None, typer.Option("--budget", help="Most epsilon ever: what is offered is below it.")
    ] = None
    spent: Annotated[
        str | None, typer.Option("--spent", help="How much of the budget is spent already.")
    ] = None
    limiter: Annotated[str, flag("limiter")] = limiters.DEFAULT
    unit: Annotated[
        str, typer.Option("--unit", help="Who is protected, for the words of the rehearsal.")
    ] = "person"

    def policy(self) -> "Policy":
        """Returns the promise at any epsilon."""
        from dpmap.promise.policy import Policy

        cap = 1 if self.cap is None else self.cap
        limiter = cast("LimiterName", self.limiter)
        policy = Policy(epsilon=1, unit=self.unit, cap=cap, limiter=limiter)
        if policy.cap_choice is not None:
            raise BadInput("--cap: rehearse gives pictures of caps to choose from; type --cap 5")
        if policy.unit == "row":
            raise BadInput("--unit: a row has no other rows to cap; name who reports, like person")
        return policy


@dataclass(frozen=True, eq=False, repr=False)
class InventedFlags:
    """The survey that is invented."""

    panel: ClassVar = "The survey that is invented"
    units: Annotated[
        int,
        typer.Option(
            "--units",
            parser=whole_number,
            metavar="INTEGER",
            help="People expected: a public guess.",
        ),
    ] = 1000
    each_reports: Annotated[
        str,
        typer.Option("--each-reports", help="Sightings each reports on the mean: a public guess."),
    ] = "10"
    like: Annotated[
        Path | None, typer.Option("--like", help="Public raster that says where they lie.")
    ] = None
    zones: Annotated[
        str | None, typer.Option("--zones", help="Polygons of which it is said how many are told.")
    ] = None
    zones_layer: Annotated[
        str | None, typer.Option("--zones-layer", help="Layer of the zones' file.")
    ] = None


def rehearse(
    gridding: Gridding,
    promised: RehearsedPromise,
    invented: InventedFlags,
    settings: Settings,
    watching: Watching,
    answer: AnswerFlags,
) -> None:
    """See on an invented survey what caps do, and three epsilons that the budget pays. Reads no
    survey, spends nothing.

    With --json each also has a small picture.
    """
    refuse_lacking(
        "rehearse",
        (promised.budget is None, Refused, "--budget 3"),
        (not gridding.framed and gridding.area is None, Refused, "--area FILE"),
        (not gridding.framed and not gridding.ways, BadInput, '--cell "5 km"'),
    )
    if not gridding.framed and gridding.area is None:
        raise Refused("no area: add --area FILE (a polygon layer), or --bounds with --shape")
    if not gridding.framed and not gridding.ways:
        raise BadInput(ONE_WAY)
    from dpmap.steward.planning.strengths import rehearse_strengths

    policy = promised.policy()
    with watching.shown() as progress:
        progress("inventing a survey")
        strengths = rehearse_strengths(
            gridding.grid(),
            policy,
            budget=promised.budget,
            recommend=promised.cap is None,
            spent=promised.spent,
            units=invented.units,
            each_reports=invented.each_reports,
            like=invented.like,
            zones=invented.zones,
            zones_layer=invented.zones_layer,
            progress=progress,
        )
    answer.tell(strengths.to_dict(), _lines(strengths))


def _lines(strengths: "Strengths") -> "Iterator[str]":
    """Yields the rehearsal as two tables and a line of advice."""
    yield f"Rehearsed on an invented survey; none was read. {strengths.truth.words}"
    yield ""
    for cap in strengths.caps:
        mark = "*" if cap.recommended else " "
        yield f" {mark}cap {cap.cap:<8}{cap.words} Overlap {part_text(cap.overlap)}."
    yield ""
    for strength in strengths.strengths:
        yield f"  epsilon {strength.epsilon:<7}{strength.words} {strength.years_words}"
    yield ""
    best = next(cap.cap for cap in strengths.caps if cap.recommended)
    advice = "as here" if best == strengths.cap else f"not {strengths.cap}: add --cap {best}"
    yield f"Advice: the cap marked * ({advice}); its map lies about as well as with a higher one."
