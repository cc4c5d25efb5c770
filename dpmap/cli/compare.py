"""`dpmap compare`: what changed from one release to another, at no cost."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpmap.cli.flags import Answer, ContextFlag, decimal_number
from dpmap.cli.maps import LayerFlag, lined, opened, plain
from dpmap.errors import BadInput

if TYPE_CHECKING:
    from dpmap.releases.comparing import Comparison

MOST_LINES = 20


def compare(
    before: Annotated[Path, typer.Argument(help="The earlier release.dpmap file.", metavar="BEFORE")],
    after: Annotated[Path, typer.Argument(help="The later release.dpmap file.", metavar="AFTER")],
    zones: Annotated[
        Path | None, typer.Option("--zones", help="Polygon layer of zones to compare; cells may then differ.")
    ] = None,
    zones_layer: Annotated[str | None, typer.Option("--zones-layer", help="Layer of the zones file.")] = None,
    level: Annotated[
        float, typer.Option("--level", parser=decimal_number, metavar="NUMBER", help="How often an interval holds.")
    ] = 0.9,
    rate: Annotated[
        float,
        typer.Option(
            "--rate", parser=decimal_number, metavar="NUMBER", help="The largest expected share of false changes."
        ),
    ] = 0.1,
    layer: LayerFlag = None,
    layer_before: Annotated[
        str | None, typer.Option("--layer-before", help="Another layer of the earlier map than of the later one.")
    ] = None,
    layer_after: Annotated[
        str | None, typer.Option("--layer-after", help="Another layer of the later map than of the earlier one.")
    ] = None,
    same_grid: Annotated[
        bool,
        typer.Option(
            "--same-grid", help="The cells are the same, written otherwise: another name of the CRS, or rounded."
        ),
    ] = False,
    to: Annotated[
        Path | None,
        typer.Option(
            "--to",
            help="Also draw it: .png, .svg, .pdf, or .html for a page with a slider; or write a layer: .gpkg, .geojson, .parquet, .csv.",
        ),
    ] = None,
    context: ContextFlag = None,
    *,
    answer: Answer,
) -> None:
    """Tell what changed from one release to another: in each cell, or in each zone, with intervals. It costs nothing."""
    from dpmap.releases.changes_shown import is_drawn
    from dpmap.releases.comparing import compare as compared
    from dpmap.statement.kinds import of

    drawn = to is not None and is_drawn(to)
    if context and not drawn:
        raise BadInput("--context: is drawn, so it needs a picture or a page, like --to change.png")
    first, second = opened(before, layer_before or layer), opened(after, layer_after or layer)
    found = compared(first, second, zones=zones, level=level, rate=rate, layer=zones_layer, same_grid=same_grid)
    wrote = [] if to is None else [to] if drawn else found.export(to)
    if drawn:
        found.draw(to, context=context or True)  # type: ignore[arg-type]  # drawn, so a path was given
    rows = [plain(row) for row in _rows(found)]
    said = {"before": of(first.record).provenance(), "after": of(second.record).provenance()}
    told = {
        "kind": "zones" if found.zoned else "regions", "level": level, "rate": rate, "compared": len(found), "found": found.found,
        "zones" if found.zoned else "regions": rows, "words": found.words, "notes": found.notes,
        "provenance": said,
        "wrote": [str(path) for path in wrote],
    }  # fmt: skip
    lines = [*_lines(found), *(f"{name.capitalize()}: {text}" for name, text in said.items())]
    answer.tell(told, [*lines, *(f"wrote {path}" for path in wrote)])


def _rows(found: "Comparison") -> list[dict[Any, Any]]:
    """Returns every zone, or the regions that are told to have changed, the largest change first."""
    frame = found.frame if found.zoned else found.frame[found.frame["told"]]
    if not found.zoned:
        frame = frame.iloc[(-frame["change"].abs()).to_numpy().argsort(kind="stable")]
    return frame.drop(columns=frame.geometry.name).to_dict("records")  # type: ignore[no-any-return]


def _lines(found: "Comparison") -> list[str]:
    """Says how much changed, lists it, and says by which rule."""
    from dpmap.releases.ask import zone_name

    many, what = found.found, "zones" if found.zoned else "regions"
    counted = f"Of {len(found):,} {what}: {many['more']:,} more, {many['fewer']:,} fewer; of {many['untold']:,} no change can be told."
    rows = _rows(found)
    shown = rows if found.zoned else rows[:MOST_LINES]
    table = [
        [
            "zone" if found.zoned else "region",
            "before",
            "after",
            "change",
            "low",
            "high",
            *([] if found.zoned else ["cells", "lat, lon"]),
            "finding",
        ]
    ]
    for number, row in enumerate(shown, start=1):
        name = zone_name(row, number) if found.zoned else str(row["region"])
        where = [] if found.zoned else [f"{row['cells']:,}", f"{row['lat']:.4f}, {row['lon']:.4f}"]
        figures = [
            figure(row["before"]),
            figure(row["after"]),
            *(signed(row[key]) for key in ("change", "low", "high")),
        ]
        table.append(
            [name, *figures, *where, row["finding"] + (f" ({row['note']})" if found.zoned and row["note"] else "")]
        )
    more = len(rows) - len(shown)
    listed = [*lined(table), *([f"and {more:,} more; --to FILE writes all"] if more else []), ""] if shown else []
    said = [*found.words.values(), *found.notes]
    return [counted, "", *listed, *(f"{text[:1].upper()}{text[1:]}." for text in said)]


def figure(value: float) -> str:
    """Writes a total in a few digits; a dash where there is none."""
    if math.isnan(value):
        return "-"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def signed(value: float) -> str:
    """Writes a change with its sign."""
    return (
        f"+{figure(value)}"
        if value > 0
        else figure(value).replace("-", "\N{MINUS SIGN}")
        if value < 0
        else figure(value)
    )
