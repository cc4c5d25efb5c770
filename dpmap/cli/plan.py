"""`dpmap plan`: what a release would cost and show, worked out before anything is spent."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, cast

import typer

from dpmap.cli.flag_groups import flag, whole_number
from dpmap.cli.flags import (
    AnswerFlags,
    Settings,
    Watching,
    one_tier,
    tiers,
)
from dpmap.cli.grid_flags import ONE_WAY, Gridding
from dpmap.cli.helpers import refuse_lacking, require_flag
from dpmap.errors import BadInput, Refused
from dpmap.promise import limiters

if TYPE_CHECKING:
    from dpmap.promise.limiters import LimiterName
    from dpmap.promise.policy import Policy
    from dpmap.steward.planning import Goals, Plan


@dataclass(frozen=True, eq=False, repr=False)
class PlanFlags:
    """The promise to plan for, or the errors for which an epsilon is sought."""

    panel: ClassVar = "What is planned for"
    epsilon: Annotated[
        str | None,
        typer.Option(
            "--epsilon",
            help=(
                "How far a map may move odds about one unit; or leave it out and say which error"
                " can be borne."
            ),
        ),
    ] = None
    cap: Annotated[
        str | None, typer.Option("--cap", help="Most points one unit adds, or auto:0.05.")
    ] = None
    error: Annotated[
        str | None,
        typer.Option(
            "--error", help="Standard error allowed in a cell measured by itself: finds epsilon."
        ),
    ] = None
    tail: Annotated[
        str | None, typer.Option("--tail", help="Largest chance of a large error, like 20:1%.")
    ] = None
    detect: Annotated[
        str | None,
        typer.Option(
            "--detect",
            help=(
                "Points that a cell measured by itself, as --strategy flat does, must hold to be"
                " told from none, like 20 (at least half of the time it then exceeds 90 % of the"
                " noise of an empty cell): finds epsilon. The plan says from how many on adaptive"
                " tells its cells."
            ),
        ),
    ] = None
    zones: Annotated[
        str | None,
        typer.Option("--zones", help="Polygons of projects, told to --within: finds epsilon."),
    ] = None
    within: Annotated[
        str | None,
        typer.Option(
            "--within",
            help=(
                "How far each zone's 90 % interval may reach, as a share of the points expected in"
                " it: 30%; 30%:80% asks it of four in five."
            ),
        ),
    ] = None
    zones_layer: Annotated[
        str | None, typer.Option("--zones-layer", help="Layer of the zones' file.")
    ] = None
    leave_outside: Annotated[
        bool,
        typer.Option("--leave-outside", help="Leave out zones that lie outside the map."),
    ] = False
    delta: Annotated[
        str | None,
        typer.Option(
            "--delta", help="Chance that epsilon need not hold, like 1e-6: Gaussian noise."
        ),
    ] = None
    limiter: Annotated[str, flag("limiter")] = limiters.DEFAULT
    unit: Annotated[
        str, typer.Option("--unit", help="Who is protected, for the words of the plan.")
    ] = "contributor"
    tier: Annotated[list[str] | None, flag("tier", parser=one_tier)] = None
    units: Annotated[
        int,
        typer.Option(
            "--units",
            parser=whole_number,
            metavar="INTEGER",
            help="Contributors expected: a public guess.",
        ),
    ] = 1000
    each: Annotated[
        str | None, typer.Option("--each", help="Points each is expected to add, capped.")
    ] = None
    like: Annotated[Path | None, typer.Option("--like", help="Public raster to rehearse on.")] = (
        None
    )

    @property
    def wanted(self) -> bool:
        """Whether an error is named that can be borne."""
        return any(
            one is not None for one in (self.error, self.tail, self.detect, self.zones, self.within)
        )

    @property
    def sought(self) -> bool:
        """Whether epsilon follows from the errors."""
        return self.epsilon is None and self.wanted and not self.tier

    def goals(self) -> "Goals":
        """Returns the errors that can be borne."""
        from dpmap.steward.planning import Goals

        return Goals(
            self.error,
            self.tail,
            self.detect,
            self.zones,
            self.within,
            self.zones_layer,
            self.leave_outside,
        )

    def policy(self) -> "Policy":
        """Returns the promise, at epsilon as given; where that is sought, at any."""
        from dpmap.promise.policy import Policy
        from dpmap.promise.tiers import epsilons

        promise: dict[str, Any] = {"cap": self.cap, "unit": self.unit, "limiter": self.limiter}
        if self.delta is not None:
            promise |= {"delta": self.delta, "units": self.units}
        if self.sought:
            return Policy(epsilon=1, **promise)
        loss = (
            max(epsilons(tiers(self.tier)).values())
            if self.tier and self.epsilon is None
            else self.epsilon
        )
        return Policy(epsilon=require_flag(loss, "--epsilon"), **promise)


@dataclass(frozen=True, eq=False, repr=False)
class Paid:
    """The budget that the release is to be paid from."""

    panel: ClassVar = "The budget"
    budget: Annotated[
        str | None,
        typer.Option(
            "--budget", help="Most epsilon ever, to say how many such releases it leaves."
        ),
    ] = None
    spent: Annotated[
        str | None, typer.Option("--spent", help="How much of the budget is spent already.")
    ] = None
    years: Annotated[
        int | None,
        typer.Option(
            "--years",
            parser=whole_number,
            metavar="INTEGER",
            help=(
                "Deal --budget out to this many seasons: what each one's map, all together and a"
                " comparison tell, spent evenly, most first, or every second season. Without"
                " --epsilon."
            ),
        ),
    ] = None


def plan(
    gridding: Gridding,
    planned: PlanFlags,
    paid: Paid,
    settings: Settings,
    watching: Watching,
    answer: AnswerFlags,
    to: Annotated[Path | None, typer.Option("--to", help="plan.html, .png, .svg or .pdf")] = None,
) -> None:
    """Plan a release before anything is spent: what its map will show, errors, which cells, which
    epsilon. Reads no survey.

    Without --cell or --grid a size is chosen; without --epsilon, --error, --tail, --detect or
    --zones say what it must achieve.
    """
    if paid.years is not None:
        return _plan_years(paid.years, gridding, planned, paid, watching, answer, to)
    from dpmap.steward.planning import plan as make

    refuse_lacking(
        "plan",
        (
            planned.epsilon is None and not planned.wanted and not planned.tier,
            Refused,
            "--epsilon 0.5",
        ),
        (planned.cap is None, Refused, "--cap 5"),
        (not gridding.framed and gridding.area is None, Refused, "--area FILE"),
    )
    policy = planned.policy()
    wanted = planned.goals()
    chosen_for = not gridding.framed and not gridding.ways
    if chosen_for and gridding.area is None:
        raise Refused("no area: add --area FILE (a polygon layer), or --bounds with --shape")
    gridding.check()
    where: Any = gridding.area if chosen_for or gridding.official else gridding.grid()
    with watching.shown() as progress:
        progress("planning")
        made = make(
            where,
            policy,
            units=planned.units,
            each=planned.each,
            like=planned.like,
            grid=gridding.official,
            crs=gridding.grid_crs,
            layer=gridding.area_layer,
            name=gridding.area_name,
            tiers=tiers(planned.tier),
            wanted=wanted,
            find=planned.sought,
            budget=paid.budget,
            spent=paid.spent,
        )
        pictures = list[tuple[str, str]]()
        if to is not None:
            from dpmap.steward.planning import report

            progress("drawing the plan")
            pictures = report.write(made, to)
    return _tell_plan(made, to, pictures, as_json=answer.json)


def _tell_plan(
    made: "Plan", to: Path | None, pictures: list[tuple[str, str]], *, as_json: bool
) -> None:
    import json

    if as_json:
        document = made.to_dict()
        if pictures:
            document["pictures"] = [{"words": words, "png": png} for words, png in pictures]
        typer.echo(json.dumps(document, indent=1, ensure_ascii=False))
        return
    from dpmap.steward.planning.plan_text import summary

    typer.echo(summary(made))
    if to is not None:
        typer.echo(f"wrote {to}")


def _plan_years(
    years: int,
    gridding: Gridding,
    planned: PlanFlags,
    paid: Paid,
    watching: Watching,
    answer: AnswerFlags,
    to: Path | None,
) -> None:
    """Plan the seasons of `--years`, print the plan and draw it."""
    import json

    from dpmap.promise.policy import Policy
    from dpmap.steward.planning.years import check_years
    from dpmap.steward.planning.years import plan_years as make
    from dpmap.steward.planning.years_picture import kind_of

    check_years(years)
    if to is not None:
        kind_of(to)
    _refuse_with_years(planned)
    refuse_lacking(
        "plan",
        (paid.budget is None, Refused, "--budget 3"),
        (planned.cap is None, Refused, "--cap 5"),
        (not gridding.framed and gridding.area is None, Refused, "--area FILE"),
        (not gridding.framed and not gridding.ways, BadInput, '--cell "5 km"'),
    )
    budget = require_flag(paid.budget, "--budget")
    cap = require_flag(planned.cap, "--cap")
    if not gridding.framed and gridding.area is None:
        raise Refused("no area: add --area FILE (a polygon layer), or --bounds with --shape")
    if not gridding.framed and not gridding.ways:
        raise BadInput(f"{ONE_WAY}; for one season, without --years, dpmap plan recommends a size")
    policy = Policy(
        epsilon=1, unit=planned.unit, cap=cap, limiter=cast("LimiterName", planned.limiter)
    )
    with watching.shown() as progress:
        progress("planning")
        made = make(
            gridding.grid(),
            policy,
            years=years,
            budget=budget,
            spent=paid.spent,
            units=planned.units,
            each=planned.each,
            like=planned.like,
        )
        if to is not None:
            progress("drawing the plan")
            made.draw(to)
    if answer.json:
        typer.echo(json.dumps(made.to_dict(), indent=1, ensure_ascii=False))
        return
    typer.echo(str(made))
    if to is not None:
        typer.echo(f"wrote {to}")


def _refuse_with_years(planned: PlanFlags) -> None:
    """Refuse options that name an epsilon, beside a budget that is shared out."""
    if planned.epsilon is not None:
        raise BadInput(
            "--epsilon: with --years each season's is a share of --budget; leave --epsilon out"
        )
    if planned.wanted or planned.tier or planned.zones_layer is not None:
        raise BadInput(
            "plan: with --years each season's epsilon is a share of --budget; leave out --error,"
            " --tail, --detect, --zones and --tier"
        )
    if planned.delta is not None:
        raise BadInput("--delta: a plan with --years is for Laplace noise; leave --delta out")
