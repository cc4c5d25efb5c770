"""`dpmap plan --years`: what several seasons' maps under one budget would tell, for three ways
to spend it.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from dpmap.cli.grid_flags import ONE_WAY
from dpmap.cli.helpers import given, refuse_lacking
from dpmap.errors import BadInput, Refused

if TYPE_CHECKING:
    from dpmap.cli.flags import AnswerFlags, Watching
    from dpmap.cli.grid_flags import Gridding
    from dpmap.cli.plan import Paid, PlanFlags


def plan_years(
    years: int,
    gridding: "Gridding",
    planned: "PlanFlags",
    paid: "Paid",
    watching: "Watching",
    answer: "AnswerFlags",
    to: Path | None,
) -> None:
    """Plans the seasons, tells the plan and draws it."""
    from dpmap.promise.policy import Policy
    from dpmap.steward.planning.years import check_years
    from dpmap.steward.planning.years import plan_years as make
    from dpmap.steward.planning.years_picture import kind_of

    check_years(years)
    if to is not None:
        kind_of(to)
    _refuse_beside(planned)
    refuse_lacking(
        "plan",
        (paid.budget is None, Refused, "--budget 3"),
        (planned.cap is None, Refused, "--cap 5"),
        (not gridding.framed and gridding.area is None, Refused, "--area FILE"),
        (not gridding.framed and not gridding.ways, BadInput, '--cell "5 km"'),
    )
    budget, cap = given(paid.budget, "--budget"), given(planned.cap, "--cap")
    if not gridding.framed and gridding.area is None:
        raise Refused("no area: add --area FILE (a polygon layer), or --bounds with --shape")
    if not gridding.framed and not gridding.ways:
        raise BadInput(f"{ONE_WAY}; for one season, without --years, dpmap plan recommends a size")
    policy = Policy(epsilon=1, unit=planned.unit, cap=cap, limiter=planned.limiter)
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


def _refuse_beside(planned: "PlanFlags") -> None:
    """Refuses what says an epsilon by itself, beside a budget that is dealt out."""
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
