"""`dpmap compare`: what changed from one release to another, at no cost."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpmap.cli.flag_groups import flag
from dpmap.cli.flags import AnswerFlags, decimal_number
from dpmap.cli.map_commands import LayerFlag, align_columns, open_map, plain
from dpmap.errors import BadInput

if TYPE_CHECKING:
    from dpmap.releases.comparison import Comparison

MOST_LINES = 10
DRAWN = (".html", ".png", ".svg", ".pdf")


def compare(
    before: Annotated[
        Path, typer.Argument(help="The earlier release.dpmap file.", metavar="BEFORE")
    ],
    after: Annotated[Path, typer.Argument(help="The later release.dpmap file.", metavar="AFTER")],
    zones: Annotated[
        Path | None,
        typer.Option("--zones", help="Polygon layer of zones to compare; cells may then differ."),
    ] = None,
    zones_layer: Annotated[
        str | None, typer.Option("--zones-layer", help="Layer of the zones file.")
    ] = None,
    level: Annotated[
        float,
        typer.Option(
            "--level", parser=decimal_number, metavar="NUMBER", help="How often an interval holds."
        ),
    ] = 0.9,
    rate: Annotated[
        float,
        typer.Option(
            "--rate",
            parser=decimal_number,
            metavar="NUMBER",
            help="The largest expected share of false changes.",
        ),
    ] = 0.1,
    layer: LayerFlag = None,
    layer_before: Annotated[
        str | None,
        typer.Option(
            "--layer-before",
            help="Another layer of the earlier map than of the later one.",
        ),
    ] = None,
    layer_after: Annotated[
        str | None,
        typer.Option(
            "--layer-after",
            help="Another layer of the later map than of the earlier one.",
        ),
    ] = None,
    same_grid: Annotated[
        bool,
        typer.Option(
            "--same-grid",
            help=(
                "The cells are the same, written otherwise: another name of the CRS, or rounded."
            ),
        ),
    ] = False,
    to: Annotated[
        Path | None,
        typer.Option(
            "--to",
            help=(
                "Also draw it: .png, .svg, .pdf, or .html for a page with a slider; or write a"
                " layer: .gpkg, .geojson, .parquet, .csv."
            ),
        ),
    ] = None,
    context: Annotated[list[str] | None, flag("context")] = None,
    *,
    answer: AnswerFlags,
) -> None:
    """Tell what changed from one release to another: in clusters, places and cells, or in zones,
    with intervals. It costs nothing.
    """
    from dpmap.releases.comparison import compare as compared
    from dpmap.statement.kinds import map_statement

    drawn = to is not None and _is_drawn(to)
    if context and not drawn:
        raise BadInput("--context: is drawn, so it needs a picture or a page, like --to change.png")
    first = open_map(before, layer_before or layer)
    second = open_map(after, layer_after or layer)
    comparison = compared(
        first, second, zones=zones, level=level, rate=rate, layer=zones_layer, same_grid=same_grid
    )
    wrote = [] if to is None else [to] if drawn else comparison.export(to)
    if drawn:
        # drawn, so a path was given
        comparison.draw(to, context=context or True)  # type: ignore[arg-type]
    rows = [plain(row) for row in _rows(comparison)]
    said = {
        "before": map_statement(first.record).provenance(),
        "after": map_statement(second.record).provenance(),
    }
    document = {
        "kind": "zones" if comparison.zoned else "regions",
        "level": level,
        "rate": rate,
        "compared": len(comparison),
        "found": comparison.found,
        "zones" if comparison.zoned else "regions": rows,
        "words": comparison.words,
        "notes": comparison.notes,
        "provenance": said,
        "wrote": [str(path) for path in wrote],
    } | ({} if comparison.zoned else larger(comparison))
    lines = [*_lines(comparison), *(f"{name.capitalize()}: {text}" for name, text in said.items())]
    answer.tell(document, [*lines, *(f"wrote {path}" for path in wrote)])


def _is_drawn(path: Path) -> bool:
    """Return whether a suffix is that of a page or a picture; refuse it if no layer has it either.

    >>> _is_drawn(Path("change.html")), _is_drawn(Path("change.gpkg"))
    (True, False)
    """
    from dpmap.export.answer_layer import SUFFIXES

    suffix = path.suffix.lower()
    if suffix in DRAWN:
        return True
    if suffix not in SUFFIXES:
        raise BadInput(
            "--to: a picture ends in .png, .svg or .pdf, a page in .html, a layer in"
            f" {' '.join(SUFFIXES)}; choose one of these"
        )
    return False


def larger(comparison: "Comparison") -> dict[str, Any]:
    """Returns for JSON the clusters, and the places that are told to have changed, with how many
    were compared.
    """
    places = comparison.patches()
    return {
        "clusters": [plain(row) for row in _plain_rows(comparison.clusters())],
        "places": [plain(row) for row in _plain_rows(_changed_rows(places))],
        "places_compared": len(places),
        "places_found": count_changes(places),
    }


def _plain_rows(frame: Any) -> list[dict[Any, Any]]:
    """Returns a table's rows without their outlines."""
    return frame.drop(columns=frame.geometry.name).to_dict("records")  # type: ignore[no-any-return]


def _changed_rows(frame: Any) -> Any:
    """Returns the rows that are told to have changed, the largest change first."""
    told_rows = frame[frame["told"]]
    return told_rows.iloc[(-told_rows["change"].abs()).to_numpy().argsort(kind="stable")]


def _rows(comparison: "Comparison") -> list[dict[Any, Any]]:
    """Returns every zone, or the regions that are told to have changed, the largest change
    first.
    """
    return _plain_rows(comparison.frame if comparison.zoned else _changed_rows(comparison.frame))


def _lines(comparison: "Comparison") -> list[str]:
    """Says how much changed, lists it, and says by which rule: of larger land first, which tells
    more than cells do.
    """
    said = [
        f"{text[:1].upper()}{text[1:]}." for text in (*comparison.words.values(), *comparison.notes)
    ]
    if comparison.zoned:
        rows = _rows(comparison)
        return [
            _count_words(comparison.found, "zones"),
            "",
            *_table("zone", rows, zone_names(rows)),
            *said,
        ]
    clusters = _plain_rows(comparison.clusters())
    places = comparison.patches()
    cluster_count = len(clusters)
    share = f"{100 * comparison.rate:g} %"
    first = (
        f"{cluster_count:,} cluster{'' if cluster_count == 1 else 's'} of land told to have"
        " changed as a whole."
        if cluster_count
        else "No cluster of land is told to have changed."
    )
    tables = [(first, "cluster", clusters)]
    tables += [
        (_count_words(count_changes(frame), words), name, _plain_rows(_changed_rows(frame)))
        for words, name, frame in (
            ("places", "place", places),
            ("regions", "region", comparison.frame),
        )
    ]
    lines = []
    for sentence, name, rows in tables:
        numbers = [str(row["patch" if name == "place" else name]) for row in rows]
        lines += [sentence, "", *_table(name, rows, numbers)]
    rule = (
        f"The chance that even one cluster is told falsely is {share}, and that even one place is,"
        " as rehearsed on public noise; that is no proof. Where in a cluster the change lies is"
        " not known."
    )
    return [*lines, rule, *said]


def count_changes(frame: Any) -> dict[str, int]:
    """Returns how many rows hold more, fewer, and of how many no change can be told."""
    from dpmap.releases.zone_changes import FEWER, MORE, UNTOLD

    kinds = list(frame["finding"])
    return {
        name: kinds.count(finding)
        for name, finding in (("more", MORE), ("fewer", FEWER), ("untold", UNTOLD))
    }


def _count_words(counts: dict[str, int], what: str) -> str:
    """Says of how many there are more, fewer, or no change can be told."""
    of = sum(counts.values())
    return (
        f"Of {of:,} {what}: {counts['more']:,} more, {counts['fewer']:,} fewer; of"
        f" {counts['untold']:,}"
        " no change can be told."
    )


def zone_names(rows: list[dict[Any, Any]]) -> list[str]:
    """Returns what each zone is called."""
    from dpmap.releases.ask import zone_name

    return [zone_name(row, number) for number, row in enumerate(rows, start=1)]


def _table(what: str, rows: list[dict[Any, Any]], names: list[str]) -> list[str]:
    """Lists changes with their intervals: every zone, of other land the first ones; nothing
    where there are none.
    """
    zoned = what == "zone"
    listed_rows = rows if zoned else rows[:MOST_LINES]
    if not listed_rows:
        return []
    table = [
        [
            what,
            "before",
            "after",
            "change",
            "low",
            "high",
            *([] if zoned else ["cells", "lat, lon"]),
            "finding",
        ]
    ]
    for name, row in zip(names, listed_rows, strict=False):
        where = [] if zoned else [f"{row['cells']:,}", f"{row['lat']:.4f}, {row['lon']:.4f}"]
        figures = [figure(row["before"]), figure(row["after"])]
        changes = [signed_change(row[key]) for key in ("change", "low", "high")]
        note = f" ({row['note']})" if zoned and row["note"] else ""
        table.append([name, *figures, *changes, *where, row["finding"] + note])
    more = len(rows) - len(listed_rows)
    return [
        *align_columns(table),
        *([f"and {more:,} more; --to FILE writes all"] if more else []),
        "",
    ]


def figure(value: float) -> str:
    """Writes a total in a few digits; a dash where there is none."""
    if math.isnan(value):
        return "-"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def signed_change(value: float) -> str:
    """Writes a change with its sign."""
    return (
        f"+{figure(value)}"
        if value > 0
        else figure(value).replace("-", "\N{MINUS SIGN}")
        if value < 0
        else figure(value)
    )
