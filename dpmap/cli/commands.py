"""Every command: parse -> one library call -> save."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpmap.errors import BadInput, Refused

if TYPE_CHECKING:
    from dpmap.grid import Grid
    from dpmap.planning import Plan
    from dpmap.policy import Policy
    from dpmap.released import Release

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    help="Private heatmaps of sensitive points: noise on cell totals, never on places.",
)


def _version(asked: bool) -> None:
    if asked:
        from dpmap import __version__

        typer.echo(f"dpmap {__version__}")
        raise typer.Exit


def config_callback(context: typer.Context, path: Path | None) -> Path | None:
    """Flags not given on the command line are taken from the file: its keys are the flags' names."""
    if path is None:
        return None
    import tomllib

    if path.is_dir():
        raise BadInput("--config: that is a folder; give a TOML file")
    try:
        settings = tomllib.loads(path.read_text("utf-8"))
    except OSError:
        raise BadInput(f"--config: {path.name} cannot be read; check the path") from None
    except (ValueError, RecursionError):  # what is no TOML or no UTF-8, whole numbers without end, nesting without end
        raise BadInput(f'--config: {path.name} is not TOML; write lines like  cell = "1 km"') from None
    known = {parameter.name for parameter in context.command.params}
    flat = {key.replace("-", "_"): value for key, value in settings.items()}
    unknown = sorted(set(flat) - known)
    if unknown:
        raise BadInput(f"--config: unknown key {', '.join(unknown)}; keys are the flags' names, like cell or epsilon")
    many = {parameter.name for parameter in context.command.params if getattr(parameter, "multiple", False)}
    try:
        context.default_map = {key: _as_flag(value, many=key in many) for key, value in flat.items()}
    except (ValueError, RecursionError):  # the same, where the file writes them in another base
        raise BadInput(f"--config: {path.name} holds a number or list too long for any flag") from None
    return path


def _as_flag(value: Any, *, many: bool) -> Any:
    """A value from the file as the command line would have given it: text, a switch, or a list where a flag repeats."""
    if many:
        return [str(one) for one in (value if isinstance(value, list) else [value])]
    return value if isinstance(value, bool) else str(value)


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Private heatmaps of sensitive points: noise on cell totals, never on places."""


AreaFlag = Annotated[
    str | None, typer.Option("--area", help="Polygon layer of the study area. Never read off the survey.")
]
CellFlag = Annotated[str | None, typer.Option("--cell", help='Square cells: "1 km", "500 m", "0.1 deg".')]
LimiterFlag = Annotated[str, typer.Option("--limiter", help="How the cap is kept: scale, sample or presence.")]
LedgerFlag = Annotated[
    Path | None, typer.Option("--ledger", help="Ledger file; by default dpmap.ledger beside the survey.")
]
BudgetFlag = Annotated[str | None, typer.Option("--budget", help="Most epsilon ever, declared at the first release.")]


@app.command()
def release(
    survey: Annotated[
        str, typer.Argument(help="The survey export, or postgresql://user@host/database.", metavar="FILE")
    ],
    out: Annotated[Path, typer.Option("--out", help="New folder for the release.")],
    dataset: Annotated[str | None, typer.Option("--dataset", help="Name of the data set in the ledger.")] = None,
    area: AreaFlag = None,
    cell: CellFlag = None,
    hexagons: Annotated[
        int | None, typer.Option("--hexagons", help="H3 hexagons of this resolution instead of squares.")
    ] = None,
    by_area: Annotated[bool, typer.Option("--by-area", help="One cell for each polygon of --area.")] = False,
    bounds: Annotated[
        str | None, typer.Option("--bounds", help="west,south,east,north instead of --area, with --shape.")
    ] = None,
    shape: Annotated[str | None, typer.Option("--shape", help="rows,columns, with --bounds.")] = None,
    grid_crs: Annotated[
        str | None, typer.Option("--grid-crs", help="National grid for the cells, like EPSG:27700.")
    ] = None,
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
    site_cap: Annotated[int, typer.Option("--site-cap", help="Most contributors that one site counts for.")] = 1,
    sample: Annotated[
        str | None, typer.Option("--sample", help="Draw this share of the units first, like 5%: less noise, of fewer.")
    ] = None,
    consent: Annotated[str | None, typer.Option("--consent", help="COLUMN=VALUE[,VALUE]: rows that count.")] = None,
    x: Annotated[str | None, typer.Option("--x", help="Column of the x coordinate or longitude.")] = None,
    y: Annotated[str | None, typer.Option("--y", help="Column of the y coordinate or latitude.")] = None,
    crs: Annotated[str | None, typer.Option("--crs", help="CRS of the survey's coordinates, like EPSG:4326.")] = None,
    layer: Annotated[
        str | None, typer.Option("--layer", help="Layer of the survey file, or file in an archive.")
    ] = None,
    table: Annotated[str | None, typer.Option("--table", help="Table of a database, like schema.table.")] = None,
    query: Annotated[
        str | None, typer.Option("--query", help="One SELECT for a database to answer; its rows are the survey.")
    ] = None,
    place: Annotated[
        str | None,
        typer.Option("--place", help="One column that holds a whole place: WKT, GeoJSON, lat lon, grid reference."),
    ] = None,
    datum: Annotated[
        str | None, typer.Option("--datum", help="Column that names each row's datum or EPSG code.")
    ] = None,
    swap: Annotated[bool, typer.Option("--swap", help="x and y are the other way round.")] = False,
    west_positive: Annotated[bool, typer.Option("--west-positive", help="Longitudes count westwards.")] = False,
    surface: Annotated[bool, typer.Option("--surface", help="Lines and areas count, at a point on them.")] = False,
    columns: Annotated[
        str | None, typer.Option("--columns", help="Names of the columns of a file without a header.")
    ] = None,
    encoding: Annotated[str | None, typer.Option("--encoding", help="Encoding of a text file, like cp1252.")] = None,
    team: Annotated[
        str | None, typer.Option("--team", help="Names in one cell: auto, none, or the marks between them.")
    ] = None,
    missing_unit: Annotated[
        str, typer.Option("--missing-unit", help="Rows that name nobody: drop, or own-unit for each its own.")
    ] = "drop",
    consent_by: Annotated[
        str, typer.Option("--consent-by", help="What a refusal takes: its row, or its whole unit.")
    ] = "row",
    signals: Annotated[
        str, typer.Option("--signals", help="The format's own signs of obscuring and refusal: all, wishes or none.")
    ] = "all",
    count: Annotated[str | None, typer.Option("--count", help="Column of how many, with --max-count.")] = None,
    max_count: Annotated[int | None, typer.Option("--max-count", help="Most that one row may count for.")] = None,
    uncertainty: Annotated[str | None, typer.Option("--uncertainty", help="Column of uncertainty in metres.")] = None,
    max_uncertainty: Annotated[
        str | None, typer.Option("--max-uncertainty", help='Leave out what is less certain, like "1 km".')
    ] = None,
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
    area_layer: Annotated[str | None, typer.Option("--area-layer", help="Layer of the area file.")] = None,
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
    threads: Annotated[int | None, typer.Option("--threads", min=1, help="Most threads for the engine.")] = None,
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
    config: Annotated[
        Path | None,
        typer.Option("--config", callback=config_callback, is_eager=True, help="TOML file with any of these flags."),
    ] = None,
) -> None:
    """Release one private map of a survey, paid for from its ledger."""
    from dpmap.files import new_folder, only_one_at_once
    from dpmap.governance import Governance
    from dpmap.grid.axes import parse_axes
    from dpmap.pipeline import release as make
    from dpmap.policy import Policy
    from dpmap.survey import read

    if dataset is None:
        raise BadInput(
            "--dataset: name the data set, like --dataset 'Raptors 2026'; its ledger adds up all its releases"
        )
    book = ledger or beside(survey)
    rows = read(
        survey, x=x, y=y, place=place, crs=crs, datum=datum, unit=unit, layer=layer, columns=columns, encoding=encoding,
        table=table, query=query, count=count, max_count=max_count, uncertainty=uncertainty, max_uncertainty=max_uncertainty, swap=swap,
        west_positive=west_positive, surface=surface, team=team, missing_unit=missing_unit, consent_by=consent_by,
        signals=signals,
    )  # fmt: skip
    policy = Policy(
        epsilon=_next_share(book, dataset) if epsilon == "next" else given(epsilon, "--epsilon"),
        unit=rows.unit if unit is None else unit,
        cap=cap,
        limiter=limiter,
        consent=consent,
        cap_origin=cap_origin,
        sample=sample,
        site=site,
        site_cap=site_cap,
    )
    listed = read(sites, unit=site) if sites and site else None
    governance = Governance(authorised_by, purpose, expires, tuple(label or ()))
    grid = _grid(area, cell, hexagons, by_area=by_area, bounds=bounds, shape=shape, crs=grid_crs, layer=area_layer)
    grid = grid.layered(*parse_axes(kinds, times)) if kinds or times else grid
    _check_new(out)
    with new_folder(out) as folder, only_one_at_once(folder), progress_shown() as progress:
        _check_new(out)  # again, now that nobody else can write there
        made = make(
            rows, grid, policy, dataset=dataset, budget=budget, strategy=strategy, noise=noise, progress=progress,
            governance=governance, sensitivity=sensitivity, sites=listed,
            ledger=book, engine=_engine(engine, memory, threads, temp),
        )  # fmt: skip
        written = save_all(made, folder, progress)
    tell_roles(rows.roles.described(policy.unit, policy.consent))
    _tell(made, written)


def tell_roles(lines: list[tuple[str, str]]) -> None:
    """What the survey was recognised as, and each column's part."""
    for part, words in lines:
        typer.echo(f"{part + ':':<10} {words}")


LayerFlag = Annotated[
    str | None, typer.Option("--layer", help='One layer of a map of kinds and times, like "Kestrel, 2024".')
]


@app.command()
def draw(
    release: Annotated[Path, typer.Argument(help="A release.dpmap file.", metavar="RELEASE")],
    to: Annotated[Path, typer.Option("--to", help="map.html, .png, .svg or .pdf")],
    layer: LayerFlag = None,
    what: Annotated[
        str | None, typer.Option("--what", help="Of a picture: estimate, low, high, or exceedance of --threshold.")
    ] = None,
    threshold: Annotated[float | None, typer.Option("--threshold", help="Cell total to be exceeded.")] = None,
    hotspots: Annotated[
        str | None, typer.Option("--hotspots", help="Outline cells above this total, or above their: surroundings.")
    ] = None,
) -> None:
    """Draw a release again, as a page or a picture; it costs nothing. A page holds all readings at once."""
    what = "exceedance" if what is None and threshold is not None else what
    given = {"what": what, "threshold": threshold, "hotspots": _threshold(hotspots)}
    options = {name: value for name, value in given.items() if value is not None}
    if options and to.suffix.lower() == ".html":
        raise BadInput(
            "--what, --threshold and --hotspots are for pictures; a page shows all of them, so leave them out"
        )
    _opened(release, layer).draw(to, **options)
    typer.echo(f"wrote {to}")


def _threshold(text: str | None) -> float | str | None:
    """A number where it is one."""
    try:
        return text if text is None else float(text)
    except ValueError:
        return text


@app.command()
def export(
    release: Annotated[Path, typer.Argument(help="A release.dpmap file.", metavar="RELEASE")],
    to: Annotated[Path, typer.Option("--to", help="x.tif, .gpkg, .parquet, .geojson, .csv ...")],
    layer: LayerFlag = None,
) -> None:
    """Export a release as a GIS layer; it costs nothing."""
    for path in _opened(release, layer).export(to):
        typer.echo(f"wrote {path}")


def _opened(release: Path, layer: str | None) -> "Release":
    from dpmap.released import Release

    opened = Release.open(release)
    return opened if layer is None else opened.layer(layer)


@app.command()
def plan(
    area: AreaFlag = None,
    cell: CellFlag = None,
    hexagons: Annotated[
        int | None, typer.Option("--hexagons", help="H3 hexagons of this resolution instead of squares.")
    ] = None,
    by_area: Annotated[bool, typer.Option("--by-area", help="One cell for each polygon of --area.")] = False,
    bounds: Annotated[str | None, typer.Option("--bounds", help="west,south,east,north, with --shape.")] = None,
    shape: Annotated[str | None, typer.Option("--shape", help="rows,columns, with --bounds.")] = None,
    grid_crs: Annotated[str | None, typer.Option("--grid-crs", help="National grid for the cells.")] = None,
    area_layer: Annotated[str | None, typer.Option("--area-layer", help="Layer of the area file.")] = None,
    epsilon: Annotated[str | None, typer.Option("--epsilon", help="Privacy loss; or give --error, --tail.")] = None,
    cap: Annotated[str | None, typer.Option("--cap", help="Most points one unit adds, or auto:0.05.")] = None,
    error: Annotated[
        str | None, typer.Option("--error", help="Standard error allowed in a cell: finds epsilon.")
    ] = None,
    tail: Annotated[str | None, typer.Option("--tail", help="Largest chance of a large error, like 20:1%.")] = None,
    unit: Annotated[str, typer.Option("--unit", help="Who is protected, for the words of the plan.")] = "contributor",
    units: Annotated[int, typer.Option("--units", help="Contributors expected: a public guess.")] = 1000,
    each: Annotated[str | None, typer.Option("--each", help="Points each is expected to add, capped.")] = None,
    like: Annotated[Path | None, typer.Option("--like", help="Public raster to rehearse on.")] = None,
    to: Annotated[Path | None, typer.Option("--to", help="plan.html, .png, .svg or .pdf")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole plan as JSON.")] = False,
    config: Annotated[
        Path | None,
        typer.Option("--config", callback=config_callback, is_eager=True, help="TOML file with any of these flags."),
    ] = None,
) -> None:
    """Plan a release before anything is spent: error, what stands out, which cells, which epsilon. Reads no survey.

    Without --cell a size is chosen; without --epsilon, --error and --tail say what it must achieve.
    """
    from dpmap.planning import plan as make

    policy = _planned(epsilon, error, tail, cap, unit)
    none_given = cell is None and hexagons is None and not by_area and bounds is None and shape is None
    if none_given and area is None:
        raise Refused("no area: add --area FILE (a polygon layer), or --bounds with --shape")
    where: Any = area if none_given else _grid(
        area, cell, hexagons, by_area=by_area, bounds=bounds, shape=shape, crs=grid_crs, layer=area_layer
    )  # fmt: skip
    made = make(where, policy, units=units, each=each, like=like, crs=grid_crs, layer=area_layer)
    if to is not None:
        made.draw(to)
    _tell_plan(made, to, as_json=as_json)


def _planned(epsilon: str | None, error: str | None, tail: str | None, cap: str | None, unit: str) -> "Policy":
    """The promise that is planned for: epsilon as given, or the least that keeps the error asked for."""
    from dpmap.planning import epsilon_for
    from dpmap.policy import Policy

    if epsilon is not None and (error is not None or tail is not None):
        raise BadInput("plan: give --epsilon, or --error and --tail to find it, not both")
    if epsilon is not None or (error is None and tail is None):
        return Policy(epsilon=given(epsilon, "--epsilon"), unit=unit, cap=cap)
    draft = Policy(epsilon=1, unit=unit, cap=cap)
    share = Fraction(0) if draft.cap_choice is None else draft.cap_choice.share
    return replace(draft, epsilon=epsilon_for(draft.cap, error=error, tail=tail, share=share))


def _tell_plan(made: "Plan", to: Path | None, *, as_json: bool) -> None:
    import json

    if as_json:
        typer.echo(json.dumps(made.to_dict(), indent=1, ensure_ascii=False))
        return
    from dpmap.planning.picture import summary

    typer.echo(summary(made))
    if to is not None:
        typer.echo(f"wrote {to}")


@app.command()
def ask(
    release: Annotated[Path, typer.Argument(help="A release.dpmap file.", metavar="RELEASE")],
    zones: Annotated[Path, typer.Argument(help="Polygon layer of project areas.", metavar="ZONES")],
    out: Annotated[
        Path | None, typer.Option("--out", help="Also write the answers: .csv, .geojson, .gpkg, .parquet or .md.")
    ] = None,
    level: Annotated[float, typer.Option("--level", help="How often an interval holds the truth.")] = 0.9,
    zones_layer: Annotated[str | None, typer.Option("--zones-layer", help="Layer of the zones file.")] = None,
    layer: LayerFlag = None,
) -> None:
    """Ask a release for the totals of project areas, each with its interval; it costs nothing."""
    from dpmap.ask import table
    from dpmap.export.zones import check_suffix, write_zones
    from dpmap.style import provenance

    if out is not None:
        check_suffix(out)
    opened = _opened(release, layer)
    if opened.layers:
        raise BadInput(
            "ask: this release has layers; add --layer, like --layer " + repr(", ".join(next(iter(opened.layers))))
        )
    answers = opened.ask(zones, level, layer=zones_layer)
    rows = table(answers)
    _print_table(rows)
    typer.echo(f"\n{100 * level:g} % intervals of capped totals. {provenance(opened.record)}")
    if out is not None:
        for path in write_zones(answers, rows, opened.record, out):
            typer.echo(f"wrote {path}")


@app.command()
def ledger(
    file: Annotated[Path, typer.Argument(help="The ledger file.", metavar="LEDGER")],
    against: Annotated[Path | None, typer.Option("--against", help="A release that this ledger must contain.")] = None,
    plan: Annotated[
        int | None, typer.Option("--plan", help="Deal --total out to this many releases; then: --epsilon next.")
    ] = None,
    total: Annotated[str | None, typer.Option("--total", help="What the planned releases may spend together.")] = None,
    scheme: Annotated[
        str, typer.Option("--scheme", help="Shares of a plan: even, or decaying as 1, 1/2, 1/3.")
    ] = "even",
    disjoint: Annotated[
        list[str] | None,
        typer.Option("--disjoint", help="Data sets of which no unit is in two (repeat it), with --signed-by."),
    ] = None,
    signed_by: Annotated[str | None, typer.Option("--signed-by", help="Who answers for --disjoint.")] = None,
) -> None:
    """Show and verify a ledger: every event, and what remains. Or enter a plan, or that data sets share no units."""
    from dpmap.policy import decimal_text
    from dpmap.vault.ledger import Ledger

    book = Ledger(file)
    if plan is not None:
        book.plan(given(total, "--total"), releases=plan, scheme=scheme)
    if disjoint:
        book.disjoint(disjoint, signed_by=given(signed_by, "--signed-by"))
    events = book.events()
    for event in events:
        body = {key: value for key, value in event.body.items() if key not in ("time", "kind")}
        words = "  ".join(
            f"{key}={', '.join(value) if isinstance(value, list) else value}" for key, value in body.items()
        )
        line = f"{event.number:>4}  {event.body['time']}  {event.body['kind']:<8} {words}"
        typer.echo("".join(mark if mark.isprintable() else " " for mark in line))
    budget, spent = book.balance()
    typer.echo(f"spent {decimal_text(spent)} of {decimal_text(budget)}; remaining {decimal_text(budget - spent)}")
    typer.echo(f"the chain of {len(events)} events is whole" + (f"; head {events[-1].digest}" if events else ""))
    if against is not None:
        from dpmap.record import Record

        receipt = Record.open(against).receipt
        book.attests(event=receipt.event, head=receipt.head)
        typer.echo(f"{against.name} is event {receipt.event} of this ledger")


@app.command()
def demo(
    out: Annotated[Path, typer.Option("--out", help="Folder to make.")] = Path("dpmap-demo"),
) -> None:
    """Make a private map of the invented sample survey, and say what to open."""
    from dpmap.files import new_folder
    from dpmap.grid import Grid
    from dpmap.pipeline import release as make
    from dpmap.policy import Policy
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


def save_all(made: "Release", place: Path, progress: Callable[[str], None]) -> list[Path]:
    """The release file first, so that nothing that fails later loses what was paid for; then all that derives from it.

    Of layers one picture and one page show all, and each has its own files in a folder of its own.
    """
    progress("saving the release")
    made.save(place / "release.dpmap")
    written = [place / "release.dpmap"]
    if made.sparse:
        return written + _save_sparse(made, place, progress)
    common, single = ("statement.md", "privacy.yaml", "map.png", "map.html"), ("cells.gpkg", "map.tif")
    todo = [(made, place / name) for name in (common if made.layers else common + single)]
    for folder, layer in _folders(made, place).items():
        folder.mkdir(exist_ok=True)
        todo += [(layer, folder / name) for name in ("map.png", *single)]
    try:
        for release, path in todo:
            if path.name == "map.tif" and made.grid.kind != "squares":
                continue
            progress(f"writing {path.relative_to(place)}")
            written += release.write(path)
    except BaseException:
        typer.echo(f"{place / 'release.dpmap'} is safe; dpmap draw and dpmap export make the rest from it at no cost")
        raise
    return written


def _save_sparse(made: "Release", place: Path, progress: Callable[[str], None]) -> list[Path]:
    """What can be made of a release that lists only some cells."""
    written = []
    for name in ("statement.md", "privacy.yaml", "cells.parquet", "map.tif"):
        progress(f"writing {name}")
        written += made.write(place / name)
    return written


def _folders(made: "Release", place: Path) -> "dict[Path, Release]":
    """A folder for each layer, numbered so that no two names meet."""
    from dpmap.export.privacy_yaml import slug

    numbered = enumerate(made.layers.items(), start=1)
    return {place / f"{number:02d}-{slug(' '.join(names))}": layer for number, (names, layer) in numbered}


def _next_share(book: Path, dataset: str) -> "Fraction":
    """What the ledger's plan allows this release."""
    from dpmap.vault.ledger import Ledger

    return Ledger(book).next_share(dataset)


def given(value: Any, flag: str) -> Any:
    """The value of a flag that has no default."""
    if value is None:
        raise Refused(f"no {flag.lstrip('-')}: add {flag}; there is no default, since it is the promise itself")
    return value


def _grid(
    area: str | None, cell: str | None, hexagons: int | None, *, by_area: bool, bounds: str | None, shape: str | None,
    crs: str | None, layer: str | None,
) -> "Grid":  # fmt: skip
    from dpmap.grid import Grid

    if bounds is not None or shape is not None:
        sides, counts = _numbers(bounds, 4, "--bounds"), _numbers(shape, 2, "--shape")
        if not all(count.is_integer() for count in counts):
            raise BadInput("--shape: give whole numbers of rows and columns, like --shape 200,300")
        if area is not None or cell is not None or hexagons is not None or by_area:
            raise BadInput("cells: --bounds stands instead of --area, --cell, --hexagons and --by-area; leave one out")
        return Grid(
            bounds=(sides[0], sides[1], sides[2], sides[3]),
            shape=(int(counts[0]), int(counts[1])),
            crs=crs or "EPSG:4326",
        )
    ways = [cell is not None, hexagons is not None, by_area]
    if sum(ways) != 1:
        raise BadInput('cells: give one of --cell "1 km", --hexagons 7, --by-area, or --bounds with --shape')
    if hexagons is not None:
        return Grid.hexagons(area, resolution=hexagons, layer=layer)
    return Grid.areas(area, layer=layer) if by_area else Grid.covering(area, cell=cell, crs=crs, layer=layer)


def _numbers(text: str | None, count: int, flag: str) -> list[float]:
    try:
        numbers = [float(part) for part in (text or "").split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != count:
        raise BadInput(f"{flag}: give {count} numbers with commas between; --bounds and --shape go together")
    return numbers


def _engine(name: str, memory: str | None, threads: int | None, temp: Path | None) -> Any:
    from dpmap import engines

    if name == "spark" and threads is not None:
        raise BadInput("--threads: with Spark its own settings say how many; leave it out")
    if temp is not None and not temp.is_dir():
        raise BadInput(f"--temp: there is no folder {temp.name or temp}; make it, or name another")
    given = {"memory": memory, "threads": threads, "folder": None if temp is None else str(temp)}
    return engines.named(name, **{setting: value for setting, value in given.items() if value is not None})


def beside(survey: str) -> Path:
    """The ledger's usual place; a database has none, and one in the working folder would begin anew in the next."""
    from dpmap.survey.database import is_address

    if is_address(survey):
        raise Refused("no ledger: a database has no folder for it to stand in; add --ledger FILE, the same each time")
    return Path(survey).parent / "dpmap.ledger"


def _check_new(out: Path) -> None:
    if (out / "release.dpmap").exists():
        raise BadInput(f"--out: {out.name or out} already holds a release; choose a new folder")


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
    from dpmap.policy import decimal_text

    receipt = made.record.receipt
    for path in written:
        typer.echo(f"wrote {path}  ({_size(os.path.getsize(path))})")
    typer.echo(
        f"spent epsilon {decimal_text(made.policy.epsilon)}; {decimal_text(receipt.remaining)} of "
        f"{decimal_text(receipt.budget)} remains for {receipt.dataset!r}"
    )


def _print_table(rows: list[list[str]]) -> None:
    """Columns in line: the first and the last to the left, numbers to the right."""
    widths = [max(len(text) for text in column) for column in zip(*rows, strict=True)]
    last = len(widths) - 1
    for row in rows:
        cells = [
            text if at == last else text.ljust(width) if at == 0 else text.rjust(width)
            for at, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        typer.echo("  ".join(cells).rstrip())


def _size(count: float) -> str:
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"


@contextmanager
def progress_shown() -> Iterator[Callable[[str], None]]:
    """A spinner with the current step on stderr; nothing where that is no terminal."""
    if not sys.stderr.isatty():
        yield lambda step: None
        return
    from rich.console import Console

    with Console(stderr=True).status("starting") as status:
        yield status.update
