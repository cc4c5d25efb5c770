"""`dpmap choose`: one question, one name for an answer."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpmap.cli.shared import (
    AreaFlag,
    BudgetFlag,
    Columns,
    ConfigFlag,
    ConsentFlag,
    Crs,
    Delimiter,
    Encoding,
    FileArgument,
    FormatFlag,
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
    given,
    next_share,
    progress_shown,
)
from dpmap.errors import BadInput

if TYPE_CHECKING:
    from dpmap.grid import Grid


def choose(
    survey: FileArgument,
    dataset: Annotated[str, typer.Option("--dataset", help="Name of the data set in the ledger.")],
    among: Annotated[str | None, typer.Option("--among", help="Polygon layer of the candidate areas.")] = None,
    cells: Annotated[
        str | None, typer.Option("--cells", help='Choose a cell size for --area instead: "1 km, 2 km, 5 km".')
    ] = None,
    area: AreaFlag = None,
    spending: Annotated[
        str | None, typer.Option("--spending", help="With --cells: the epsilon of the map to come; else this one's.")
    ] = None,
    epsilon: Annotated[
        str | None,
        typer.Option("--epsilon", help="Privacy loss of this answer, like 0.5, or next by the ledger's plan."),
    ] = None,
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
    format: FormatFlag = None,  # the flag's name
    delimiter: Delimiter = None,
    table: Table = None,
    query: Query = None,
    ledger: LedgerFlag = None,
    budget: BudgetFlag = None,
    out: Annotated[Path | None, typer.Option("--out", help="Also write the answer as JSON.")] = None,
    config: ConfigFlag = None,
) -> None:
    """Which of these areas holds most? Or which cell size tells most? One name, told privately; no total is.

    Paid for from the ledger.
    """
    from dpmap.promise.policy import Policy
    from dpmap.steward.releasing import choose as make
    from dpmap.survey import read

    rows = read(
        survey, x=x, y=y, place=place, crs=crs, unit=unit, layer=layer, columns=columns, encoding=encoding,
        format=format, delimiter=delimiter, table=table, query=query,
    )  # fmt: skip
    book = ledger or beside(survey)
    policy = Policy(
        epsilon=next_share(book, dataset) if epsilon == "next" else given(epsilon, "--epsilon"),
        unit=rows.unit if unit is None else unit,
        cap=cap,
        limiter=limiter,
        consent=consent,
    )
    candidates = _candidates(among, name, among_layer, cells, area)
    with progress_shown() as progress:
        answer = make(
            rows, candidates, policy, dataset=dataset, spending=spending, budget=budget, ledger=book,
            progress=progress,
        )  # fmt: skip
    if out is not None:
        answer.save(out)
    typer.echo(answer.chosen)
    typer.echo(answer.words())


def _candidates(
    among: str | None, name: str | None, layer: str | None, cells: str | None, area: str | None
) -> "Grid | dict[str, Grid]":
    """The areas of a layer, or grids of several cell sizes over one area."""
    from dpmap.grid import Grid

    if (among is None) == (cells is None) or (cells is None) != (area is None):
        raise BadInput('choose: give --among FILE with candidate areas, or --cells "1 km, 5 km" with --area FILE')
    if among is not None:
        return Grid.areas(among, name=name, layer=layer)
    sizes = [size.strip() for size in (cells or "").split(",")]
    return {size: Grid.covering(area, cell=size) for size in sizes}
