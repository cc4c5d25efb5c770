"""`dpmap hotspots`: where a release holds more than a number, or than what is around, with few
false ones.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpmap.cli.flags import AnswerFlags, decimal_number
from dpmap.cli.map_commands import LayerFlag, align_columns, as_sentence, open_map
from dpmap.errors import BadInput

if TYPE_CHECKING:
    import geopandas

    from dpmap.inference.clearance import Clearance
    from dpmap.record import Record
    from dpmap.releases.release import Release

MOST_LINES = 20
PICTURES = ("png", "svg", "pdf")


def hotspots(
    release: Annotated[Path, typer.Argument(help="A release.dpmap file.", metavar="RELEASE")],
    above: Annotated[
        str | None,
        typer.Option(
            "--above",
            metavar="N|surroundings",
            help="The points that a cell must exceed, or: surroundings.",
        ),
    ] = None,
    below: Annotated[
        str | None,
        typer.Option(
            "--below",
            metavar="N",
            help="Tell land surely below, and surely above, so many points a cell.",
        ),
    ] = None,
    rate: Annotated[
        float,
        typer.Option(
            "--rate",
            parser=decimal_number,
            metavar="NUMBER",
            help="The largest expected share of false ones.",
        ),
    ] = 0.1,
    level: Annotated[
        float,
        typer.Option(
            "--level", parser=decimal_number, metavar="NUMBER", help="How often an interval holds."
        ),
    ] = 0.9,
    layer: LayerFlag = None,
    to: Annotated[
        Path | None,
        typer.Option(
            "--to",
            help=(
                "Also write them: .gpkg, .geojson, .parquet or .csv; of --below also a"
                " picture: .png, .svg or .pdf."
            ),
        ),
    ] = None,
    *,
    answer: AnswerFlags,
) -> None:
    """Find hot spots: cells that truly hold more than a number, or than what is around them. It
    costs nothing.
    """
    from dpmap.export.answer_layer import check_suffix
    from dpmap.releases.hotspot_tables import spots_of
    from dpmap.statement.kinds import map_statement

    if (above is None) == (below is None):
        raise BadInput("hotspots: say one of the two, --above N (or surroundings) or --below N")
    pictured = below is not None and to is not None and to.suffix.lower().lstrip(".") in PICTURES
    if to is not None and not pictured:
        check_suffix(to)
    one = open_map(release, layer)
    if below is not None:
        answer.tell(*_clearance(one, below, rate, to))
        return
    spots = spots_of(one, above or "", rate, level)
    said = map_statement(one.record).provenance()
    wrote = []
    if to is not None:
        from dpmap.export.hotspots import write_spots

        wrote = write_spots(spots.spots, spots.words, one.record, to)
    rows = spots.spots.drop(columns="geometry").to_dict("records")
    document = {
        "above": spots.above,
        "rate": rate,
        "level": level,
        "method": spots.method,
        "tested": spots.tested,
        "spots": rows,
        "cells": spots.cells,
        "words": spots.words,
        "provenance": said,
        "wrote": [str(path) for path in wrote],
    }
    answer.tell(
        document, [*_lines(spots.spots, spots.words), said, *(f"wrote {path}" for path in wrote)]
    )


def _clearance(
    one: "Release", below: str, rate: float, to: Path | None
) -> tuple[dict[str, Any], list[str]]:
    """Tells which land surely holds less, and which more; returns the answer for programs and
    its lines.
    """
    from dpmap.releases.clearance_words import describe, read_below
    from dpmap.statement.kinds import map_statement

    cleared = one.clearance(read_below(below), rate)
    words = describe(cleared)
    said = map_statement(one.record).provenance()
    wrote = [] if to is None else _write_clearance(cleared, words, one.record, to)
    document = {
        "below": cleared.threshold,
        "rate": rate,
        "shares": cleared.shares(),
        "words": words,
        "provenance": said,
        "wrote": [str(path) for path in wrote],
    }
    return document, [*map(as_sentence, words.values()), said, *(f"wrote {path}" for path in wrote)]


def _write_clearance(
    clearance: "Clearance", words: dict[str, str], record: "Record", to: Path
) -> list[Path]:
    """Writes the answers as a picture or as a layer, by the suffix; returns the files."""
    if to.suffix.lower().lstrip(".") not in PICTURES:
        from dpmap.export.clearance_layer import write_clearance

        return write_clearance(clearance, words, record, to)
    from dpmap.render.clearance import draw_clearance

    draw_clearance(record, clearance, words, to)
    return [to]


def _lines(frame: "geopandas.GeoDataFrame", words: dict[str, str]) -> list[str]:
    """Says what was found, by which rule, and lists the largest."""
    listed_rows = frame.drop(columns="geometry").head(MOST_LINES).to_dict("records")
    rows = [["hot spot", "estimate", "low", "high", "cells", "km\N{SUPERSCRIPT TWO}", "lat, lon"]]
    rows += [
        [
            *map(
                _figure,
                (
                    row["spot"],
                    *(row[name] for name in ("estimate", "low", "high", "cells", "area_km2")),
                ),
            ),
            _where(row),
        ]
        for row in listed_rows
    ]
    more = len(frame) - len(listed_rows)
    listed = (
        [*align_columns(rows), *([f"and {more:,} more; --to FILE writes all"] if more else []), ""]
        if listed_rows
        else []
    )
    said = [
        words[name] for name in ("around", "rate", "interval", "totals", "absence") if name in words
    ]
    return [as_sentence(words["found"]), "", *listed, *map(as_sentence, said)]


def _where(row: dict[Any, Any]) -> str:
    return f"{row['lat']:.4f}, {row['lon']:.4f}"


def _figure(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.3g}"
