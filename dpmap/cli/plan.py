"""`dpmap plan`: what a release would cost and show, worked out before anything is spent."""

from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from dpmap.cli.flags import Answer, Gridding, LimiterFlag, Settings, TierFlag, Watching, tiers, whole_number
from dpmap.cli.shared import given, refuse_lacking
from dpmap.errors import BadInput, Refused

if TYPE_CHECKING:
    from dpmap.promise.policy import Policy
    from dpmap.steward.planning import Plan


@dataclass(frozen=True, eq=False, repr=False)
class Planned:
    """The promise to plan for, or the error for which an epsilon is sought."""

    panel: ClassVar = "What is planned for"
    epsilon: Annotated[str | None, typer.Option("--epsilon", help="Privacy loss; or give --error, --tail.")] = None
    cap: Annotated[str | None, typer.Option("--cap", help="Most points one unit adds, or auto:0.05.")] = None
    error: Annotated[str | None, typer.Option("--error", help="Standard error allowed in a cell: finds epsilon.")] = (
        None
    )
    tail: Annotated[str | None, typer.Option("--tail", help="Largest chance of a large error, like 20:1%.")] = None
    delta: Annotated[
        str | None, typer.Option("--delta", help="Chance that epsilon need not hold, like 1e-6: Gaussian noise.")
    ] = None
    limiter: LimiterFlag = "scale"
    unit: Annotated[str, typer.Option("--unit", help="Who is protected, for the words of the plan.")] = "contributor"
    tier: TierFlag = None
    units: Annotated[
        int,
        typer.Option("--units", parser=whole_number, metavar="INTEGER", help="Contributors expected: a public guess."),
    ] = 1000
    each: Annotated[str | None, typer.Option("--each", help="Points each is expected to add, capped.")] = None
    like: Annotated[Path | None, typer.Option("--like", help="Public raster to rehearse on.")] = None

    def policy(self) -> "Policy":
        """Returns the promise: epsilon as given, or the least that keeps the wanted error."""
        from dpmap.promise.policy import Policy
        from dpmap.promise.tiers import epsilons
        from dpmap.steward.planning import epsilon_for

        promise: dict[str, Any] = {"cap": self.cap, "unit": self.unit, "limiter": self.limiter}
        if self.delta is not None:
            promise |= {"delta": self.delta, "units": self.units}
        sought = self.error is not None or self.tail is not None
        if self.epsilon is not None and sought:
            raise BadInput("plan: give --epsilon, or --error and --tail to find it, not both")
        if self.tier and sought:
            raise BadInput("plan: tiers have an epsilon each; leave out --error and --tail")
        if not sought:
            loss = max(epsilons(tiers(self.tier)).values()) if self.tier and self.epsilon is None else self.epsilon
            return Policy(epsilon=given(loss, "--epsilon"), **promise)
        if self.delta is not None:
            raise BadInput(
                "plan: with --delta give --epsilon; which epsilon an error needs is worked out without a delta only"
            )
        draft = Policy(epsilon=1, **promise)
        share = Fraction(0) if draft.cap_choice is None else draft.cap_choice.share
        return replace(draft, epsilon=epsilon_for(draft.cap, error=self.error, tail=self.tail, share=share))


def plan(
    gridding: Gridding,
    planned: Planned,
    settings: Settings,
    watching: Watching,
    answer: Answer,
    to: Annotated[Path | None, typer.Option("--to", help="plan.html, .png, .svg or .pdf")] = None,
) -> None:
    """Plan a release before anything is spent: what its map will show, errors, which cells, which epsilon. Reads no survey.

    Without --cell a size is chosen; without --epsilon, --error and --tail say what it must achieve.
    """
    from dpmap.steward.planning import plan as make

    refuse_lacking(
        "plan",
        (planned.epsilon is planned.error is planned.tail is None and not planned.tier, Refused, "--epsilon 0.5"),
        (planned.cap is None, Refused, "--cap 5"),
        (not gridding.framed and gridding.area is None, Refused, "--area FILE"),
    )
    policy = planned.policy()
    chosen_for = not gridding.framed and not gridding.ways
    if chosen_for and gridding.area is None:
        raise Refused("no area: add --area FILE (a polygon layer), or --bounds with --shape")
    where: Any = gridding.area if chosen_for else gridding.grid()
    with watching.shown() as progress:
        progress("planning")
        made = make(
            where, policy, units=planned.units, each=planned.each, like=planned.like, crs=gridding.grid_crs,
            layer=gridding.area_layer, name=gridding.area_name, tiers=tiers(planned.tier),
        )  # fmt: skip
        if to is not None:
            progress("drawing the plan")
            made.draw(to)
    _tell_plan(made, to, as_json=answer.json)


def _tell_plan(made: "Plan", to: Path | None, *, as_json: bool) -> None:
    import json

    if as_json:
        typer.echo(json.dumps(made.to_dict(), indent=1, ensure_ascii=False))
        return
    from dpmap.steward.planning.picture import summary

    typer.echo(summary(made))
    if to is not None:
        typer.echo(f"wrote {to}")
