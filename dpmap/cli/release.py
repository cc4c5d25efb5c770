"""`dpmap release` and `dpmap demo`: a survey in, one folder with its private map out."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpmap.cli.folder import check_new, save_all
from dpmap.cli.shared import (
    AreaFlag,
    AreaLayerFlag,
    BetweenFlag,
    BoundsFlag,
    BudgetFlag,
    ByAreaFlag,
    CellFlag,
    Columns,
    ConfigFlag,
    ConsentByFlag,
    ConsentFlag,
    CountFlag,
    Crs,
    Datum,
    Delimiter,
    Encoding,
    EpsilonByFlag,
    FormatFlag,
    GridCrsFlag,
    HexagonsFlag,
    Layer,
    LedgerFlag,
    LimiterFlag,
    MaxCountFlag,
    MaxUncertaintyFlag,
    MeanFlag,
    MissingUnitFlag,
    PlaceFlag,
    Query,
    ShapeFlag,
    SignalsFlag,
    SurfaceFlag,
    SwapFlag,
    Table,
    TeamFlag,
    UncertaintyFlag,
    WestPositiveFlag,
    X,
    Y,
    beside,
    from_one,
    given,
    grid_from_flags,
    next_share,
    progress_shown,
    whole_number,
)
from dpmap.errors import BadInput

if TYPE_CHECKING:
    from dpmap.releases.release import Release


def release(
    survey: Annotated[
        str,
        typer.Argument(
            help="The survey export, or an address: s3://, gs://, https://, postgresql://user@host/database.",
            metavar="FILE",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", help="New folder for the release.")],
    dataset: Annotated[str | None, typer.Option("--dataset", help="Name of the data set in the ledger.")] = None,
    area: AreaFlag = None,
    cell: CellFlag = None,
    hexagons: HexagonsFlag = None,
    by_area: ByAreaFlag = False,
    bounds: BoundsFlag = None,
    shape: ShapeFlag = None,
    grid_crs: GridCrsFlag = None,
    epsilon: Annotated[
        str | None,
        typer.Option("--epsilon", help="Privacy loss of this release, like 0.5, or next by the ledger's plan."),
    ] = None,
    unit: Annotated[
        str | None, typer.Option("--unit", help="Column of who is protected, COLUMN+COLUMN, or row.")
    ] = None,
    cap: Annotated[
        str | None,
        typer.Option(
            "--cap",
            help="Most points one unit adds to the whole map, or auto:0.05 to spend that share of epsilon on choosing it privately.",
        ),
    ] = None,
    cap_origin: Annotated[
        str,
        typer.Option("--cap-origin", help='How a cap given as a number was found: "declared" or "after inspection".'),
    ] = "declared",
    limiter: LimiterFlag = "scale",
    site: Annotated[
        str | None, typer.Option("--site", help="Column of the places to protect too, like nest_id; with --sites.")
    ] = None,
    sites: Annotated[
        str | None, typer.Option("--sites", help="File that says where each site is, under the same name.")
    ] = None,
    site_cap: Annotated[
        int,
        typer.Option(
            "--site-cap", parser=whole_number, metavar="INTEGER", help="Most contributors that one site counts for."
        ),
    ] = 1,
    sample: Annotated[
        str | None, typer.Option("--sample", help="Draw this share of the units first, like 5%: less noise, of fewer.")
    ] = None,
    epsilon_by: EpsilonByFlag = None,
    lifetime: Annotated[
        str | None,
        typer.Option(
            "--lifetime", help="The limits are for good, and this release takes this share of each, like 25%."
        ),
    ] = None,
    delta: Annotated[
        str | None,
        typer.Option(
            "--delta", help="Chance that epsilon need not hold, like 1e-6: Gaussian noise; with --strategy flat."
        ),
    ] = None,
    units: Annotated[
        int | None,
        typer.Option(
            "--units",
            parser=whole_number,
            metavar="INTEGER",
            help="Most units the survey may hold, declared: bounds --delta.",
        ),
    ] = None,
    budget_delta: Annotated[
        str | None, typer.Option("--budget-delta", help="Most delta ever, declared at the first release with --delta.")
    ] = None,
    consent: ConsentFlag = None,
    x: X = None,
    y: Y = None,
    crs: Crs = None,
    layer: Layer = None,
    table: Table = None,
    query: Query = None,
    place: PlaceFlag = None,
    datum: Datum = None,
    swap: SwapFlag = False,
    west_positive: WestPositiveFlag = False,
    surface: SurfaceFlag = False,
    columns: Columns = None,
    encoding: Encoding = None,
    format: FormatFlag = None,  # the flag's name
    delimiter: Delimiter = None,
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
    kinds: Annotated[
        list[str] | None,
        typer.Option("--kinds", help="A map for each kind, COLUMN=A,B,C; all under one cap and epsilon."),
    ] = None,
    times: Annotated[
        str | None, typer.Option("--times", help="A map for each span between dates, COLUMN=2023,2024,2025.")
    ] = None,
    sensitivity: Annotated[
        str | None,
        typer.Option("--sensitivity", help="Smallest cells allowed: gbif-1 to gbif-4, inat, ebird, nbn-10km ..."),
    ] = None,
    area_layer: AreaLayerFlag = None,
    ledger: LedgerFlag = None,
    budget: BudgetFlag = None,
    strategy: Annotated[
        str,
        typer.Option(
            "--strategy",
            help="How epsilon is spent: adaptive; flat for every cell's own noisy count; sparse:20 for those of 20 and more.",
        ),
    ] = "adaptive",
    engine: Annotated[str, typer.Option("--engine", help="What counts the rows.")] = "duckdb",
    memory: Annotated[str | None, typer.Option("--memory", help='Most memory for the engine, like "2GB".')] = None,
    threads: Annotated[
        int | None, typer.Option("--threads", parser=from_one, metavar="INTEGER", help="Most threads for the engine.")
    ] = None,
    temp: Annotated[
        Path | None,
        typer.Option("--temp", help="Folder with room, in which the engine may spill what memory cannot hold."),
    ] = None,
    noise: Annotated[str, typer.Option("--noise", help="Source of the noise: dpmap or opendp.")] = "dpmap",
    authorised_by: Annotated[str, typer.Option("--authorised-by", help="Who authorised this map; shown on it.")] = "",
    purpose: Annotated[str, typer.Option("--purpose", help="What it may be used for; shown on it.")] = "",
    expires: Annotated[str, typer.Option("--expires", help="Last day of use, like 2031-12-31; shown on it.")] = "",
    label: Annotated[
        list[str] | None, typer.Option("--label", help='Local Contexts label, like "TK Attribution"; may be repeated.')
    ] = None,
    config: ConfigFlag = None,
) -> None:
    """Release one private map of a survey, paid for from its ledger."""
    from dpmap.files import new_folder, only_one_at_once
    from dpmap.grid.axes import parse_axes
    from dpmap.promise.governance import Governance
    from dpmap.promise.policy import Policy
    from dpmap.steward.releasing import release as make
    from dpmap.survey import read

    if dataset is None:
        raise BadInput(
            "--dataset: name the data set, like --dataset 'Raptors 2026'; its ledger adds up all its releases"
        )
    book = ledger or beside(survey)
    rows = read(
        survey, x=x, y=y, place=place, crs=crs, datum=datum, unit=unit, layer=layer, columns=columns, encoding=encoding,
        format=format, delimiter=delimiter,
        table=table, query=query, count=count, max_count=max_count, uncertainty=uncertainty, max_uncertainty=max_uncertainty, swap=swap,
        west_positive=west_positive, surface=surface, team=team, missing_unit=missing_unit, consent_by=consent_by,
        signals=signals, mean=mean, between=between,
    )  # fmt: skip
    policy = Policy(
        epsilon=next_share(book, dataset) if epsilon == "next" else given(epsilon, "--epsilon"),
        unit=rows.unit if unit is None else unit,
        cap=cap,
        limiter=limiter,
        consent=consent,
        cap_origin=cap_origin,
        sample=sample,
        site=site,
        site_cap=site_cap,
        epsilon_by=epsilon_by,
        lifetime=lifetime,
        delta=delta,
        units=units,
    )
    listed = read(sites, unit=site) if sites and site else None
    governance = Governance(authorised_by, purpose, expires, tuple(label or ()))
    grid = grid_from_flags(
        area, cell, hexagons, by_area=by_area, bounds=bounds, shape=shape, crs=grid_crs, layer=area_layer
    )
    grid = grid.layered(*parse_axes(kinds, times)) if kinds or times else grid
    check_new(out)
    with new_folder(out) as folder, only_one_at_once(folder), progress_shown() as progress:
        check_new(out)  # again, now that nobody else can write there
        made = make(
            rows, grid, policy, dataset=dataset, budget=budget, budget_delta=budget_delta, strategy=strategy, noise=noise,
            progress=progress, governance=governance, sensitivity=sensitivity, sites=listed,
            ledger=book, engine=_engine(engine, memory, threads, temp),
        )  # fmt: skip
        written = save_all(made, folder, progress)
    tell_roles([(part, words) for part, words in made.record.notes["read_as"]])
    _tell(made, written)


def demo(
    out: Annotated[Path, typer.Option("--out", help="Folder to make.")] = Path("dpmap-demo"),
) -> None:
    """Make a private map of the invented sample survey, and say what to open."""
    from dpmap.files import new_folder
    from dpmap.grid import Grid
    from dpmap.promise.policy import Policy
    from dpmap.steward.releasing import release as make
    from dpmap.survey import read

    samples = _samples()
    with new_folder(_free_folder(out)) as place, progress_shown() as progress:
        made = make(
            read(samples / "raptors.csv"),
            Grid.covering(samples / "study_area.gpkg", cell="5 km"),
            Policy(epsilon="1", unit="observer_id", cap=5, consent="consent=yes"),
            ledger=place / "demo.ledger", dataset="Invented raptor survey", budget="3", progress=progress,
        )  # fmt: skip
        written = save_all(made, place, progress)
    _tell(made, written)
    typer.echo(
        f"\nOpen {place / 'map.html'} in a browser, {place / 'map.png'} as a picture, {place / 'cells.gpkg'} in QGIS,"
    )
    typer.echo(f"and read {place / 'statement.md'}: it says what is protected and what is not.")


def tell_roles(lines: list[tuple[str, str]]) -> None:
    """What the survey was recognised as, and each column's part."""
    for part, words in lines:
        typer.echo(f"{part + ':':<10} {words}")


def _engine(name: str, memory: str | None, threads: int | None, temp: Path | None) -> Any:
    from dpmap import engines

    if name == "spark" and threads is not None:
        raise BadInput("--threads: with Spark its own settings say how many; leave it out")
    if temp is not None and not temp.is_dir():
        raise BadInput(f"--temp: there is no folder {temp.name or temp}; make it, or name another")
    given = {"memory": memory, "threads": threads, "folder": None if temp is None else str(temp)}
    return engines.named(name, **{setting: value for setting, value in given.items() if value is not None})


def _free_folder(out: Path) -> Path:
    """The folder itself, or the first numbered one beside it that holds no release yet."""
    number = 1
    while ((candidate := out if number == 1 else out.with_name(f"{out.name}-{number}")) / "release.dpmap").exists():
        number += 1
    return candidate


def _samples() -> Path:
    """The invented survey: inside an installed package, or beside a checkout."""
    package = Path(__file__).parents[1]
    for place in (package / "samples", package.parent / "data_samples"):
        if (place / "raptors.csv").exists():
            return place
    raise BadInput("demo: this installation has no sample data; install dpmap again")


def _tell(made: "Release", written: list[Path]) -> None:
    from dpmap.numbers import decimal_text

    receipt = made.record.receipt
    for path in written:
        typer.echo(f"wrote {path}  ({_size(os.path.getsize(path))})")
    typer.echo(
        f"spent epsilon {decimal_text(made.policy.epsilon)}; {decimal_text(receipt.remaining)} of "
        f"{decimal_text(receipt.budget)} remains for {receipt.dataset!r}"
    )
    if made.policy.delta is not None:
        typer.echo(
            f"and delta {decimal_text(made.policy.delta)}; {decimal_text(receipt.budget_delta - receipt.spent_delta)} of "
            f"{decimal_text(receipt.budget_delta)} remains"
        )


def _size(count: float) -> str:
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"
