"""`dpmap inspect` and `dpmap init`: what a survey holds, and a configuration to start from."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpmap.cli.shared import (
    AreaFlag,
    BetweenFlag,
    CellFlag,
    Columns,
    ConsentByFlag,
    ConsentFlag,
    CountFlag,
    Crs,
    Datum,
    Delimiter,
    Encoding,
    EpsilonByFlag,
    FileArgument,
    FormatFlag,
    Layer,
    MaxCountFlag,
    MaxUncertaintyFlag,
    MeanFlag,
    MissingUnitFlag,
    PlaceFlag,
    Query,
    SignalsFlag,
    SurfaceFlag,
    SwapFlag,
    Table,
    TeamFlag,
    UncertaintyFlag,
    Unit,
    WestPositiveFlag,
    X,
    Y,
    whole_number,
)
from dpmap.errors import BadInput

if TYPE_CHECKING:
    from dpmap.promise.policy import Policy
    from dpmap.steward.inspecting import Inspection
    from dpmap.survey import Survey


def inspect(
    survey: FileArgument,
    x: X = None,
    y: Y = None,
    place: PlaceFlag = None,
    crs: Crs = None,
    datum: Datum = None,
    unit: Unit = None,
    consent: ConsentFlag = None,
    epsilon_by: EpsilonByFlag = None,
    layer: Layer = None,
    columns: Columns = None,
    encoding: Encoding = None,
    format: FormatFlag = None,  # the flag's name
    delimiter: Delimiter = None,
    table: Table = None,
    query: Query = None,
    area: AreaFlag = None,
    cell: CellFlag = None,
    swap: SwapFlag = False,
    west_positive: WestPositiveFlag = False,
    surface: SurfaceFlag = False,
    team: TeamFlag = None,
    missing_unit: MissingUnitFlag = "drop",
    consent_by: ConsentByFlag = "row",
    signals: SignalsFlag = "all",
    count: CountFlag = None,
    max_count: MaxCountFlag = None,
    mean: MeanFlag = None,
    between: BetweenFlag = None,
    uncertainty: UncertaintyFlag = None,
    max_uncertainty: MaxUncertaintyFlag = None,
    site: Annotated[
        str | None, typer.Option("--site", help="Column of the site, to see what two caps leave out.")
    ] = None,
    sites: Annotated[str | None, typer.Option("--sites", help="The sites' own file, with --site.")] = None,
    cap: Annotated[
        int,
        typer.Option("--cap", parser=whole_number, metavar="INTEGER", help="With --site: the cap of a contributor."),
    ] = 5,
    site_cap: Annotated[
        int, typer.Option("--site-cap", parser=whole_number, metavar="INTEGER", help="With --site: the cap of a site.")
    ] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a page.")] = False,
    html: Annotated[Path | None, typer.Option("--html", help="Also write a page with plots here.")] = None,
) -> None:
    """Look at a survey before a release: true numbers, for the operator's eyes. Spends nothing, writes nothing."""
    from dpmap.steward import inspecting
    from dpmap.survey import read

    told = _declared(survey, format=format, columns=columns, layer=layer, crs=crs)
    rows = read(
        survey, x=x, y=y, place=place, datum=datum, unit=unit, encoding=encoding, delimiter=delimiter, **told,
        table=table, query=query, count=count, max_count=max_count, uncertainty=uncertainty, max_uncertainty=max_uncertainty, swap=swap,
        west_positive=west_positive, surface=surface, team=team, missing_unit=missing_unit, consent_by=consent_by,
        signals=signals, mean=mean, between=between,
    )  # fmt: skip
    grid: Any = None
    if area is not None and cell is not None:
        from dpmap.grid import Grid

        grid = Grid.covering(area, cell=cell)
    listed, pairs = _pairs(grid, unit, consent, site, sites, cap, site_cap)
    found = inspecting.inspect(
        rows, unit=unit, consent=consent, grid=grid, cell=cell, epsilon_by=epsilon_by, sites=listed, pairs=pairs
    )
    if html is not None:
        from dpmap.files import written_aside

        with written_aside(html) as aside:
            aside.write_text(inspecting.page(found, _title(survey, table)), encoding="utf-8")
    if as_json:
        typer.echo(json.dumps(found.to_dict(), ensure_ascii=False))
        return
    _show(found, _title(survey, table))


def _declared(survey: str, **given: str | None) -> dict[str, Any]:
    """What was declared, or else what a look into a file finds whose records name their own fields."""
    from dpmap.survey.guess import guess

    found = guess(survey, layer=given["layer"]) if given["format"] is None and given["columns"] is None else {}
    return found | {name: value for name, value in given.items() if value is not None}


def _pairs(
    grid: Any, unit: str | None, consent: str | None, site: str | None, sites: str | None, cap: int, site_cap: int
) -> "tuple[Survey | None, Policy | None]":
    """The sites' survey and the promise whose two caps are to be looked at, or neither."""
    if site is None and sites is None:
        return None, None
    if site is None or sites is None or unit is None or grid is None:
        raise BadInput("--site: to see what two caps leave out, give --unit, --sites, --area and --cell too")
    from dpmap.promise.policy import Policy
    from dpmap.survey import read

    return read(sites, unit=site), Policy(epsilon=1, unit=unit, site=site, cap=cap, site_cap=site_cap, consent=consent)


def init(
    survey: FileArgument,
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
    out: Annotated[Path, typer.Option("--out", help="File to write.")] = Path("dpmap.toml"),
) -> None:
    """Write a commented dpmap.toml with the recognised columns; epsilon and cap are left for you."""
    from dpmap.files import written_aside
    from dpmap.steward.inspecting import starting_config
    from dpmap.survey import read

    if out.exists():
        raise BadInput(f"--out: {out.name} is there already; choose another name")
    told = _declared(survey, format=format, columns=columns, layer=layer, crs=crs)
    told |= {"encoding": encoding, "delimiter": delimiter}
    rows = read(survey, x=x, y=y, place=place, **told, table=table, query=query)
    text = starting_config(rows, _source_words(survey), {**told, "table": table, "query": query})
    with written_aside(out) as aside:
        aside.write_text(text, encoding="utf-8")
    typer.echo(
        f"wrote {out}; fill in epsilon, cap, dataset, area and cell, then: dpmap release {_source_words(survey)} --config {out.name}"
    )


def _source_words(survey: str) -> str:
    """What to type for the survey again: a file's name, or the address, which holds no password once it was read."""
    from dpmap.survey.files.database import is_address

    return survey if is_address(survey) else Path(survey).name


def _title(survey: str, table: str | None) -> str:
    """What the page is about."""
    from dpmap.survey.files.database import is_address

    return (table or "a query") if is_address(survey) else Path(survey).name


def _show(found: "Inspection", name: str) -> None:
    """The page on the terminal."""
    from rich.console import Console
    from rich.markup import escape
    from rich.panel import Panel

    console = Console(highlight=False)
    console.print(Panel(f"[bold]{escape(found.warning)}[/bold]", title=escape(name), border_style="red"))
    for title, lines in found.tables().items():
        console.print(_table(title, [(escape(part), escape(words)) for part, words in lines]))
    if found.scaled_away and found.units:
        console.print(
            _table("What a cap scales away", [(f"cap {cap}", _bar(share)) for cap, share in found.scaled_away.items()])
        )
        console.print("A cap chosen from this table is to be marked: --cap-origin 'after inspection'.")
    for line in found.advice:
        console.print(f"* {escape(line)}")


def _table(title: str, lines: list[tuple[str, str]]) -> Any:
    from rich.table import Table

    table = Table(title=title, show_header=False, title_justify="left", box=None, min_width=45, padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for part, words in lines:
        table.add_row(part, words)
    return table


def _bar(share: float) -> str:
    return f"{share:>6.1%}  {'#' * round(30 * share)}"
