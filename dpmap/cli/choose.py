"""`dpmap choose`: one question, one name for an answer."""

from pathlib import Path
from typing import Annotated

import typer

from dpmap.cli.shared import (
    BudgetFlag,
    Columns,
    ConsentFlag,
    Crs,
    Encoding,
    FileArgument,
    Layer,
    LedgerFlag,
    LimiterFlag,
    PlaceFlag,
    Query,
    Table,
    Unit,
    X,
    Y,
    beside,
    config_callback,
    given,
    progress_shown,
)


def choose(
    survey: FileArgument,
    among: Annotated[str, typer.Option("--among", help="Polygon layer of the candidate areas.")],
    dataset: Annotated[str, typer.Option("--dataset", help="Name of the data set in the ledger.")],
    epsilon: Annotated[str | None, typer.Option("--epsilon", help="Privacy loss of this answer, like 0.5.")] = None,
    unit: Unit = None,
    cap: Annotated[str | None, typer.Option("--cap", help="Most points one unit adds to all areas together.")] = None,
    limiter: LimiterFlag = "scale",
    consent: ConsentFlag = None,
    name: Annotated[str | None, typer.Option("--name", help="Column of --among with the areas' names.")] = None,
    among_layer: Annotated[str | None, typer.Option("--among-layer", help="Layer of the --among file.")] = None,
    x: X = None,
    y: Y = None,
    place: PlaceFlag = None,
    crs: Crs = None,
    layer: Layer = None,
    columns: Columns = None,
    encoding: Encoding = None,
    table: Table = None,
    query: Query = None,
    ledger: LedgerFlag = None,
    budget: BudgetFlag = None,
    out: Annotated[Path | None, typer.Option("--out", help="Also write the answer as JSON.")] = None,
    config: Annotated[
        Path | None,
        typer.Option("--config", callback=config_callback, is_eager=True, help="TOML file with any of these flags."),
    ] = None,
) -> None:
    """Which of these areas holds most? One name, told privately; no total is. Paid for from the ledger."""
    from dpmap.grid import Grid
    from dpmap.pipeline import choose as make
    from dpmap.policy import Policy
    from dpmap.survey import read

    rows = read(
        survey, x=x, y=y, place=place, crs=crs, unit=unit, layer=layer, columns=columns, encoding=encoding, table=table, query=query,
    )  # fmt: skip
    policy = Policy(
        epsilon=given(epsilon, "--epsilon"),
        unit=rows.unit if unit is None else unit,
        cap=cap,
        limiter=limiter,
        consent=consent,
    )
    areas = Grid.areas(among, name=name, layer=among_layer)
    with progress_shown() as progress:
        answer = make(
            rows, areas, policy, dataset=dataset, budget=budget, ledger=ledger or beside(survey), progress=progress
        )
    if out is not None:
        answer.save(out)
    typer.echo(answer.chosen)
    typer.echo(answer.words())
