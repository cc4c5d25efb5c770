"""`dpmap draw`, `dpmap export` and `dpmap ask`: what a release file gives again at no cost."""

import math
from collections.abc import Iterator
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpmap.cli.delivery import into_store
from dpmap.cli.flag_groups import flag
from dpmap.cli.flags import AnswerFlags, decimal_number
from dpmap.errors import BadInput
from dpmap.export.atlas import FORMS, check
from dpmap.export.atlas.taxa import Taxa
from dpmap.numbers import real
from dpmap.statement.file_names import PLANNER

if TYPE_CHECKING:
    from dpmap.releases.release import Release


LayerFlag = Annotated[
    str | None,
    typer.Option(
        "--layer",
        help='One layer of a map of kinds and times, like "Kestrel, 2024".',
    ),
]

PerFlag = Annotated[
    str | None,
    typer.Option(
        "--per",
        metavar="FILE",
        help=(
            "Rates by a public amount: effort.tif, habitat.gpkg (km2), roads.gpkg (km), or a"
            " column: districts.gpkg:people."
        ),
    ),
]
PerName = Annotated[
    str | None,
    typer.Option(
        "--per-name",
        metavar="WORDS",
        help='What that amount is, like "hours of effort".',
    ),
]


@into_store("--to")
def draw(
    release: Annotated[Path, typer.Argument(help="A release.dpmap file.", metavar="RELEASE")],
    to: Annotated[Path, typer.Option("--to", help="map.html, .png, .svg or .pdf")],
    layer: LayerFlag = None,
    what: Annotated[
        str | None,
        typer.Option(
            "--what",
            help="Of a picture: estimate, low, high, or exceedance of --threshold.",
        ),
    ] = None,
    show: Annotated[
        str | None,
        typer.Option(
            "--show",
            help=(
                "Of a picture: patches, the smallest places whose colour is told; cells, each by"
                " itself; or belief, smooth, no finer than it is known."
            ),
        ),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold",
            parser=decimal_number,
            metavar="NUMBER",
            help="Cell total to be exceeded.",
        ),
    ] = None,
    hotspots: Annotated[
        str | None,
        typer.Option(
            "--hotspots", help="Outline cells above this total, or above their: surroundings."
        ),
    ] = None,
    context: Annotated[list[str] | None, flag("context")] = None,
    per: PerFlag = None,
    per_name: PerName = None,
    zones: Annotated[
        Path | None,
        typer.Option(
            "--zones",
            help="Polygon layer of a planner's own areas, for --to for-the-planner.pdf or .html.",
        ),
    ] = None,
    *,
    answer: AnswerFlags,
) -> None:
    """Draw a release again, as a page or a picture; it costs nothing. A page holds all readings
    at once. Named for-the-planner.pdf or .html it is the planner's page.
    """
    what = "exceedance" if what is None and threshold is not None else what
    given: dict[str, Any] = {
        "what": what,
        "show": show,
        "threshold": threshold,
        "hotspots": _threshold(hotspots),
    }
    options = {name: value for name, value in given.items() if value is not None}
    if options and to.suffix.lower() == ".html":
        raise BadInput(
            "--what, --show, --threshold and --hotspots are for pictures; a page has its own"
            " switches, so leave them out"
        )
    is_planner_page = to.name in PLANNER
    if zones is not None and not is_planner_page:
        raise BadInput("--zones: for --to for-the-planner.pdf or .html only; leave it out")
    if is_planner_page and (options or wants_rates(per, per_name)):
        raise BadInput(f"--to: {to.name} has one form; leave all but --zones and --context out")
    if is_planner_page:
        from dpmap.releases.planner_files import write_planner_page

        chosen = open_map(release, layer)
        write_planner_page(chosen, to, context=context or True, zones=zones)
    elif wants_rates(per, per_name):
        if options:
            raise BadInput(
                "--per: rates are drawn in one way; leave --what, --show, --threshold and"
                " --hotspots out"
            )
        from dpmap.releases.rates import draw_rates

        draw_rates(
            open_map(release, layer).record,
            per,
            to,
            name=per_name,
            context=context or True,
            role="--per",
        )
    else:
        open_map(release, layer).draw(to, context=context or True, **options)
    answer.tell({"wrote": [str(to)]}, [f"wrote {to}"])


def wants_rates(per: str | None, name: str | None) -> bool:
    """Whether rates are asked for; refuses a name of what was not given."""
    if name is not None and per is None:
        raise BadInput("--per-name: it names the amount of --per; add --per FILE, or leave it out")
    return per is not None


def _threshold(text: str | None) -> float | str | None:
    """Returns a number if the text is one, else the text."""
    try:
        return text if text is None else real(text)
    except ValueError:
        return text


@into_store("--to")
def export(
    release: Annotated[Path, typer.Argument(help="A release.dpmap file.", metavar="RELEASE")],
    to: Annotated[
        Path, typer.Option("--to", help="x.tif, .gpkg, .fgb, .parquet, .geojson, .csv ...")
    ],
    layer: LayerFlag = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--as",
            help=f"What atlases and portals take as it is: {', '.join(FORMS)}.",
            metavar="FORM",
        ),
    ] = None,
    taxon: Annotated[
        list[str] | None,
        typer.Option(
            "--taxon",
            metavar="KIND=KEY",
            help=(
                "With --as: a kind's key in the portal's list, like \"Red deer=2440958,Cervus"
                ' elaphus"; once for each kind.'
            ),
        ),
    ] = None,
    year: Annotated[
        list[str] | None,
        typer.Option(
            "--year",
            help=("With --as: the year or month of a map without times, like 2024 or 2024-05."),
        ),
    ] = None,
    per: PerFlag = None,
    per_name: PerName = None,
    *,
    answer: AnswerFlags,
) -> None:
    """Export a release as a GIS layer, or with --as in a form that an atlas or a portal takes;
    it costs nothing.
    """
    if wants_rates(per, per_name):
        if form or taxon or year:
            raise BadInput(
                "--per: rates are written as a layer; leave --as, --taxon and --year out"
            )
        from dpmap.releases.rates import export_rates

        wrote = export_rates(open_map(release, layer).record, per, to, name=per_name, role="--per")
        answer.tell({"wrote": [str(path) for path in wrote]}, [f"wrote {path}" for path in wrote])
        return
    if form is not None:
        check(form, to)
    if year and len(year) > 1:
        raise BadInput(
            "--year: a map without times is of one; give it once, or make a map of each year with"
            " --times"
        )
    taxa = Taxa.parse(taxon or (), year[0] if year else "")
    wrote = open_map(release, layer).export(to, form=form, taxa=taxa.pairs(), year=taxa.year)
    answer.tell({"wrote": [str(path) for path in wrote]}, [f"wrote {path}" for path in wrote])


def open_map(release: Path, layer: str | None) -> "Release":
    """Opens a release, or one layer of it."""
    from dpmap.releases.release import Release

    whole = Release.open(release)
    return whole if layer is None else whole.layer(layer)


@into_store("--out")
def ask(
    release: Annotated[Path, typer.Argument(help="A release.dpmap file.", metavar="RELEASE")],
    zones: Annotated[Path, typer.Argument(help="Polygon layer of project areas.", metavar="ZONES")],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", help="Also write the answers: .csv, .geojson, .gpkg, .parquet or .md."
        ),
    ] = None,
    level: Annotated[
        float,
        typer.Option(
            "--level",
            parser=decimal_number,
            metavar="NUMBER",
            help="How often an interval holds the truth.",
        ),
    ] = 0.9,
    zones_layer: Annotated[
        str | None, typer.Option("--zones-layer", help="Layer of the zones file.")
    ] = None,
    leave_outside: Annotated[
        bool,
        typer.Option("--leave-outside", help="Leave out zones that lie outside the map."),
    ] = False,
    layer: LayerFlag = None,
    per: PerFlag = None,
    per_name: PerName = None,
    than: Annotated[
        float | None,
        typer.Option(
            "--than",
            parser=decimal_number,
            metavar="N",
            help=(
                "Tell zones that surely hold more, and surely less, than so many points; with"
                " --per, of their rates."
            ),
        ),
    ] = None,
    *,
    answer: AnswerFlags,
) -> None:
    """Ask a release for the totals of project areas, each with its interval; it costs nothing."""
    from dpmap.export.zones import check_suffix, write_zones
    from dpmap.maps import read_map
    from dpmap.releases.ask import ask as ask_zones
    from dpmap.releases.ask import describe_outside, drop_outside, outside_names, table
    from dpmap.releases.clearance_words import describe_than
    from dpmap.statement.kinds import map_statement

    if out is not None:
        check_suffix(out)
    one = open_map(release, layer)
    if one.layers:
        raise BadInput(
            "ask: this release has layers; add --layer, like --layer "
            + repr(", ".join(next(iter(one.layers))))
        )
    said = map_statement(one.record).provenance()
    rate_unit = None
    if wants_rates(per, per_name):
        from dpmap.releases.rates import ask_rates

        answers, rows, words = ask_rates(
            one.record,
            per,
            zones,
            level,
            zones_layer,
            name=per_name,
            role="--per",
            than=than,
        )
        rate_unit = words.per()
        said = f"{said}. Rates: {rate_unit}; {words.source}"
    else:
        answers = ask_zones(read_map(one.record), zones, level=level, layer=zones_layer, than=than)
        rows = table(answers, compared=than is not None)
    outside = outside_names(answers)
    outside_words = describe_outside(outside, len(answers)) if outside else ""
    if outside and leave_outside:
        rows = [rows[0], *compress(rows[1:], answers["in_map"] > 0)]
        answers = drop_outside(answers)
    rule = {} if than is None else describe_than(one.record, than, level, rate_unit)
    sentence = as_sentence("; ".join(rule.values())) if rule else ""
    wrote = [] if out is None else write_zones(answers, rows, one.record, out, sentence)
    lines = [
        *align_columns(rows),
        f"\n{100 * level:g} % intervals of capped totals. {said}",
        *([sentence] if rule else []),
        *([_outside_line(outside_words, left_out=leave_outside)] if outside else []),
        *(f"wrote {path}" for path in wrote),
    ]
    zones_told = [
        plain(row) for row in answers.drop(columns=answers.geometry.name).to_dict("records")
    ]
    document = {
        "level": level,
        "zones": zones_told,
        "outside": outside_words,
        "left_out": outside if leave_outside else [],
        "provenance": said,
        "wrote": [str(path) for path in wrote],
    }
    answer.tell(document | ({"than": than, "words": rule} if rule else {}), lines)


def _outside_line(words: str, *, left_out: bool) -> str:
    """Return what is printed of zones outside the map, and how to leave them out."""
    return f"Zones: {words}; {'left out' if left_out else 'add --leave-outside to leave them out'}."


def as_sentence(text: str) -> str:
    """Writes words as a sentence."""
    return f"{text[:1].upper()}{text[1:]}."


def plain(row: dict[Any, Any]) -> dict[str, Any]:
    """Returns a zone's answer for JSON: a number that is not finite becomes null, other types
    become text.
    """
    return {
        str(name): (
            value
            if isinstance(value, str | bool | int)
            else (
                (value if math.isfinite(value) else None)
                if isinstance(value, float)
                else None
                if value is None
                else str(value)
            )
        )
        for name, value in row.items()
    }


def align_columns(rows: list[list[str]]) -> Iterator[str]:
    """Aligns columns: the first and the last to the left, numbers to the right."""
    widths = [max(len(text) for text in column) for column in zip(*rows, strict=True)]
    last = len(widths) - 1
    for row in rows:
        cells = [
            text if at == last else text.ljust(width) if at == 0 else text.rjust(width)
            for at, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()
