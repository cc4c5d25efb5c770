"""`dpmap inspect` and `dpmap init`: what a survey holds, and a configuration to start from."""

import json
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from dpmap.cli.config_file import DEFAULT
from dpmap.cli.flag_groups import flag, whole_number
from dpmap.cli.flags import (
    AnswerFlags,
    Drawing,
    EngineFlags,
    FileArgument,
    Finer,
    Promise,
    Published,
    Settings,
    Spending,
    Stamp,
    Watching,
    changed_flags,
)
from dpmap.cli.grid_flags import Gridding, LayerFlags
from dpmap.cli.reading_flags import ReadingFlags
from dpmap.cli.release_folder import free_folder
from dpmap.cli.stdin import survey_at_hand
from dpmap.cli.survey_paths import (
    Files,
    is_afar,
    is_apart,
    is_piped,
    ledger_beside,
    page_name,
    paths,
)
from dpmap.errors import BadInput

if TYPE_CHECKING:
    from dpmap.grid import Grid
    from dpmap.promise.policy import Policy
    from dpmap.steward.inspection import Inspection
    from dpmap.survey import Survey


@dataclass(frozen=True, eq=False, repr=False)
class Looking:
    """The promise under which a survey is looked at."""

    panel: ClassVar = "The promise to look at it for"
    unit: Annotated[str | None, flag("unit")] = None
    consent: Annotated[str | None, flag("consent")] = None
    epsilon_by: Annotated[str | None, flag("epsilon_by")] = None
    site: Annotated[
        str | None,
        typer.Option("--site", help="Column of the site, to see what two caps leave out."),
    ] = None
    sites: Annotated[
        str | None, typer.Option("--sites", help="The sites' own file, with --site.")
    ] = None
    cap: Annotated[
        str,
        typer.Option(
            "--cap", help="With --site, the cap of a contributor; without, 1 to 50 are shown."
        ),
    ] = "5"
    site_cap: Annotated[
        int,
        typer.Option(
            "--site-cap",
            parser=whole_number,
            metavar="INTEGER",
            help="With --site: the cap of a site.",
        ),
    ] = 1

    def pairs(self, grid: "Grid | None") -> "tuple[Survey | None, Policy | None]":
        """Returns the sites' survey and the promise with its two caps, or neither."""
        if self.site is None and self.sites is None:
            return None, None
        if self.site is None or self.sites is None or self.unit is None or grid is None:
            raise BadInput(
                "--site: to see what two caps leave out, give --unit, --sites, --area and --cell"
                " (or --grid) too"
            )
        from dpmap.promise.policy import Policy
        from dpmap.survey import read

        policy = Policy(
            epsilon=1,
            unit=self.unit,
            site=self.site,
            cap=self.cap,
            site_cap=self.site_cap,
            consent=self.consent,
        )
        return read(self.sites, unit=self.site), policy


def inspect(
    survey: FileArgument,
    reading: ReadingFlags,
    gridding: Gridding,
    looking: Looking,
    settings: Settings,
    watching: Watching,
    answer: AnswerFlags,
    html: Annotated[
        Path | None, typer.Option("--html", help="Also write a page with plots here.")
    ] = None,
    names_only: Annotated[
        bool,
        typer.Option(
            "--names-only", help="Say what the file is by its header alone: no number, no value."
        ),
    ] = False,
) -> None:
    """Look at a survey before a release: true numbers, for the operator's eyes. Spends nothing,
    writes nothing.
    """
    with survey_at_hand(survey, reading) as (files, as_told):
        if names_only:
            _name(files, as_told, looking, answer, html)
        else:
            _look(files, as_told, gridding, looking, watching, answer, html)


def _look(
    survey: Files,
    reading: ReadingFlags,
    gridding: Gridding,
    looking: Looking,
    watching: Watching,
    answer: AnswerFlags,
    html: Path | None,
) -> None:
    """Shows true numbers of a survey at hand."""
    from dpmap.steward import inspection

    files, recognised = _guess_undeclared(survey, reading)
    rows = reading.opened(files, looking.unit, **recognised)
    whole = gridding.framed or (gridding.area is not None and gridding.ways)
    grid = gridding.grid() if whole else None
    listed, pairs = looking.pairs(grid)
    named = page_name(survey, reading.table)
    with watching.shown() as progress:
        progress("looking at the survey")
        seen = inspection.inspect(
            rows,
            unit=looking.unit,
            consent=looking.consent,
            grid=grid,
            cell=gridding.size(),
            epsilon_by=looking.epsilon_by,
            sites=listed,
            pairs=pairs,
        )
        if html is not None:
            from dpmap.atomic_write import written_aside

            progress("writing the page")
            with written_aside(html) as aside:
                aside.write_text(inspection.page(seen, named), encoding="utf-8")
    if answer.json:
        typer.echo(json.dumps(seen.to_dict(), ensure_ascii=False))
        return
    _show(seen, named)


def _name(
    survey: Files, reading: ReadingFlags, looking: Looking, answer: AnswerFlags, html: Path | None
) -> None:
    """Says what the names in a survey tell."""
    from dpmap.steward import schema_summary

    schema_summary.refuse_page(html)
    files, recognised = _guess_undeclared(survey, reading)
    seen = schema_summary.summarise_schema(
        lambda **told: reading.opened(files, looking.unit, **{**recognised, **told}),
        files,
        {**changed_flags(reading), **recognised},
        looking.unit,
        looking.consent,
    )
    lines = ("".join(mark if mark.isprintable() else " " for mark in line) for line in seen.lines())
    answer.tell(seen.to_dict(), lines)


def _guess_undeclared(survey: Files, reading: ReadingFlags) -> tuple[Files, dict[str, Any]]:
    """Looks into files whose records name their own fields, for what was not declared otherwise: of
    one file it holds for the survey, of several for each file alone.
    """
    from dpmap.survey.record_schema import guess

    if reading.format is not None or reading.columns is not None:
        return survey, {}
    guesses = [
        (
            {}
            if isinstance(one, dict) and {"format", "columns"} & set(one)
            else guess(path, layer=reading.layer)
        )
        for one, path in zip(survey, paths(survey), strict=True)
    ]
    guesses = [
        {name: value for name, value in one.items() if getattr(reading, name) is None}
        for one in guesses
    ]
    if len(survey) == 1 and not isinstance(survey[0], dict):
        return survey, guesses[0]
    alone = [one if isinstance(one, dict) else {"file": one} for one in survey]
    return [
        {**recognised, **one} if recognised else given
        for given, one, recognised in zip(survey, alone, guesses, strict=True)
    ], {}


def init(
    survey: FileArgument,
    reading: ReadingFlags,
    gridding: Gridding,
    layers: LayerFlags,
    promise: Promise,
    finer: Finer,
    spending: Spending,
    drawing: Drawing,
    stamp: Stamp,
    published: Published,
    engine: EngineFlags,
    answer: AnswerFlags,
    out: Annotated[Path, typer.Option("--out", help="File to write.")] = Path("dpmap.toml"),
) -> None:
    """Write a commented dpmap.toml with the recognised columns, and with every flag of release that
    is given here.

    Epsilon, cap, data set and area are left for you to fill in; then dpmap release, typed where it
    stands, does the rest.
    """
    from dpmap.atomic_write import written_aside
    from dpmap.steward.init_config import starting_config

    if is_piped(survey):
        raise BadInput(
            "init: rows on standard input leave no name to write down; give a file, and its"
            " dpmap.toml to release - --config dpmap.toml"
        )
    if out.exists():
        raise BadInput(f"--out: {out.name} is there already; choose another name")
    _check_told(gridding, stamp, published)
    groups = (
        reading,
        gridding,
        layers,
        promise,
        finer,
        spending,
        drawing,
        stamp,
        published,
        engine,
    )
    declared = {name: value for group in groups for name, value in changed_flags(group).items()}
    files, recognised = _guess_undeclared(survey, reading)
    rows = reading.opened(files, promise.unit, **recognised, **reading.dated(layers.times))
    folder = free_folder(Path("release"))
    dates, remarks = _dates(survey, rows, reading, layers)
    text = starting_config(
        rows, files, {"out": str(folder), **recognised, **dates, **declared}, remarks
    )
    with written_aside(out) as aside:
        aside.write_text(text, encoding="utf-8")
    left = [
        name
        for name in _needed(survey, rows, gridding, spending)
        if name not in declared and not (name == "epsilon" and finer.tier)
    ]
    where = [] if out.name == out.as_posix() == DEFAULT else ["--config", str(out)]
    command = shlex.join(["dpmap", "release", *where, "--out", str(folder)])
    clash = gridding.clashing()
    answer.tell(
        {"wrote": [str(out)], "fill_in": left, "then": command},
        [
            *(
                [
                    (
                        f"take {', '.join(clash)} out of {out}: --bounds stands with --shape,"
                        " instead of them"
                    )
                ]
                if clash
                else []
            ),
            f"wrote {out}; "
            + (f"fill in {', '.join(left)}, then: " if left else "now: ")
            + command,
        ],
    )


def _check_told(gridding: Gridding, stamp: Stamp, published: Published) -> None:
    """Refuses what no release would take, so that it is not written down: the name of no
    official grid, a text too long.
    """
    published.governance(stamp)
    if gridding.official is not None:
        from dpmap.grid.official import find_official_grid

        find_official_grid(gridding.official)


def _dates(
    survey: Files, rows: "Survey", reading: ReadingFlags, layers: LayerFlags
) -> tuple[dict[str, str], list[str]]:
    """Looks how dates are written in a file at hand, where no flag says it."""
    from dpmap.steward.date_formats import dates_to_declare

    if reading.dates is not None or is_afar(survey):
        return {}, []
    return dates_to_declare(rows, *((layers.times or "").partition("=")[:1]))


def _needed(survey: Files, rows: "Survey", gridding: Gridding, spending: Spending) -> list[str]:
    """Lists the flags that a release of this survey needs and no file of the survey says."""
    from dpmap.survey.multi_file import unit_of

    needs_named_ledger = spending.ledger is None and is_apart(survey)
    first = spending.ledger is None and (needs_named_ledger or not ledger_beside(survey).exists())
    needed = [
        "epsilon",
        "cap",
        "dataset",
        *(["budget"] if first else []),
        *(["ledger"] if needs_named_ledger else []),
    ]
    needed += [] if unit_of(rows.roles) else ["unit"]
    return needed + gridding.lacking()


def _show(inspection: "Inspection", name: str) -> None:
    """Prints the page on the terminal."""
    from rich.console import Console
    from rich.markup import escape
    from rich.panel import Panel

    console = Console(highlight=False)
    console.print(
        Panel(f"[bold]{escape(inspection.warning)}[/bold]", title=escape(name), border_style="red")
    )
    for title, lines in inspection.tables().items():
        console.print(_table(title, [(escape(part), escape(words)) for part, words in lines]))
    if inspection.scaled_away and inspection.units:
        console.print(
            _table(
                "What a cap scales away",
                [(f"cap {cap}", _bar(share)) for cap, share in inspection.scaled_away.items()],
            )
        )
        console.print(
            "A cap chosen from this table is to be marked: --cap-origin 'after inspection'."
        )
    for line in inspection.advice:
        console.print(f"* {escape(line)}")


def _table(title: str, lines: list[tuple[str, str]]) -> Any:
    from rich.table import Table

    table = Table(
        title=title,
        show_header=False,
        title_justify="left",
        box=None,
        min_width=45,
        padding=(0, 2, 0, 0),
    )
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for part, words in lines:
        table.add_row(part, words)
    return table


def _bar(share: float) -> str:
    return f"{share:>6.1%}  {'#' * round(30 * share)}"
