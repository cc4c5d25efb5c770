"""`dpmap plan`: what a release would cost and show, before anything is spent."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpmap.cli.shared import (
    AreaFlag,
    AreaLayerFlag,
    BoundsFlag,
    ByAreaFlag,
    CellFlag,
    ConfigFlag,
    GridCrsFlag,
    HexagonsFlag,
    LimiterFlag,
    ShapeFlag,
    given,
    grid_from_flags,
    whole_number,
)
from dpmap.errors import BadInput, Refused

if TYPE_CHECKING:
    from dpmap.promise.policy import Policy
    from dpmap.steward.planning import Plan


def plan(
    area: AreaFlag = None,
    cell: CellFlag = None,
    hexagons: HexagonsFlag = None,
    by_area: ByAreaFlag = False,
    bounds: BoundsFlag = None,
    shape: ShapeFlag = None,
    grid_crs: GridCrsFlag = None,
    area_layer: AreaLayerFlag = None,
    epsilon: Annotated[str | None, typer.Option("--epsilon", help="Privacy loss; or give --error, --tail.")] = None,
    cap: Annotated[str | None, typer.Option("--cap", help="Most points one unit adds, or auto:0.05.")] = None,
    error: Annotated[
        str | None, typer.Option("--error", help="Standard error allowed in a cell: finds epsilon.")
    ] = None,
    tail: Annotated[str | None, typer.Option("--tail", help="Largest chance of a large error, like 20:1%.")] = None,
    delta: Annotated[
        str | None, typer.Option("--delta", help="Chance that epsilon need not hold, like 1e-6: Gaussian noise.")
    ] = None,
    limiter: LimiterFlag = "scale",
    unit: Annotated[str, typer.Option("--unit", help="Who is protected, for the words of the plan.")] = "contributor",
    units: Annotated[
        int,
        typer.Option("--units", parser=whole_number, metavar="INTEGER", help="Contributors expected: a public guess."),
    ] = 1000,
    each: Annotated[str | None, typer.Option("--each", help="Points each is expected to add, capped.")] = None,
    like: Annotated[Path | None, typer.Option("--like", help="Public raster to rehearse on.")] = None,
    to: Annotated[Path | None, typer.Option("--to", help="plan.html, .png, .svg or .pdf")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole plan as JSON.")] = False,
    config: ConfigFlag = None,
) -> None:
    """Plan a release before anything is spent: error, what stands out, which cells, which epsilon. Reads no survey.

    Without --cell a size is chosen; without --epsilon, --error and --tail say what it must achieve.
    """
    from dpmap.steward.planning import plan as make

    promise: dict[str, Any] = {"cap": cap, "unit": unit, "limiter": limiter}
    if delta is not None:
        promise |= {"delta": delta, "units": units}
    policy = _planned(epsilon, error, tail, promise)
    none_given = cell is None and hexagons is None and not by_area and bounds is None and shape is None
    if none_given and area is None:
        raise Refused("no area: add --area FILE (a polygon layer), or --bounds with --shape")
    where: Any = area if none_given else grid_from_flags(
        area, cell, hexagons, by_area=by_area, bounds=bounds, shape=shape, crs=grid_crs, layer=area_layer
    )  # fmt: skip
    made = make(where, policy, units=units, each=each, like=like, crs=grid_crs, layer=area_layer)
    if to is not None:
        made.draw(to)
    _tell_plan(made, to, as_json=as_json)


def _planned(epsilon: str | None, error: str | None, tail: str | None, promise: dict[str, Any]) -> "Policy":
    """The promise that is planned for: epsilon as given, or the least that keeps the error asked for."""
    from dpmap.promise.policy import Policy
    from dpmap.steward.planning import epsilon_for

    if epsilon is not None and (error is not None or tail is not None):
        raise BadInput("plan: give --epsilon, or --error and --tail to find it, not both")
    if epsilon is not None or (error is None and tail is None):
        return Policy(epsilon=given(epsilon, "--epsilon"), **promise)
    if "delta" in promise:
        raise BadInput(
            "plan: with --delta give --epsilon; which epsilon an error needs is worked out without a delta only"
        )
    draft = Policy(epsilon=1, **promise)
    share = Fraction(0) if draft.cap_choice is None else draft.cap_choice.share
    return replace(draft, epsilon=epsilon_for(draft.cap, error=error, tail=tail, share=share))


def _tell_plan(made: "Plan", to: Path | None, *, as_json: bool) -> None:
    import json

    if as_json:
        typer.echo(json.dumps(made.to_dict(), indent=1, ensure_ascii=False))
        return
    from dpmap.steward.planning.picture import summary

    typer.echo(summary(made))
    if to is not None:
        typer.echo(f"wrote {to}")
