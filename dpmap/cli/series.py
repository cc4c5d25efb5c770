"""`dpmap series`: the seasons of a survey read together, at no cost."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpmap.cli.compare import figure, signed_change
from dpmap.cli.flag_groups import flag
from dpmap.cli.flags import AnswerFlags, Watching, decimal_number
from dpmap.cli.map_commands import align_columns, plain
from dpmap.errors import BadInput
from dpmap.releases.folder_writer import RASTERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from dpmap.releases.series import Series
    from dpmap.releases.trends import Trend

MOST_LINES = 20
DRAWN = ("map.png", "map.html")
LAYERS = ("cells.gpkg", "map.tif")
PICTURE = "seasons.png"
LAYER = "trend.gpkg"


def series(
    releases: Annotated[
        list[Path],
        typer.Argument(
            help="The seasons' release.dpmap files, or one with --times.", metavar="RELEASE..."
        ),
    ],
    zones: Annotated[
        Path | None, typer.Option("--zones", help="Polygon layer of zones to tell the trend of.")
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
            help="The largest expected share of false trends.",
        ),
    ] = 0.1,
    label: Annotated[
        list[str] | None,
        typer.Option("--label", help="What a season is called; once for each, in the order given."),
    ] = None,
    layer: Annotated[
        str | None,
        typer.Option(
            "--layer", help='Of one release with layers of several kinds, the kind, like "Kestrel".'
        ),
    ] = None,
    to: Annotated[
        Path | None,
        typer.Option(
            "--to",
            help=(
                "Also write the trend, as .gpkg, .geojson, .parquet or .csv, or the maps side by"
                " side, as .png, .svg or .pdf."
            ),
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", help="Folder to make for the trend and for each season's better map."
        ),
    ] = None,
    context: Annotated[list[str] | None, flag("context")] = None,
    *,
    watching: Watching,
    answer: AnswerFlags,
) -> None:
    """Read the seasons of a survey together: a better map of each, and the trend over all. It
    costs nothing.
    """
    from dpmap.export.answer_layer import SUFFIXES, check_suffix
    from dpmap.releases.series import open_series

    pictured = to is not None and to.suffix.lower() in (".png", ".svg", ".pdf")
    if to is not None and not pictured and to.suffix.lower() not in SUFFIXES:
        check_suffix(to)
    if out is not None and out.exists():
        raise BadInput(f"--out: {out.name or out} is there already; name a new folder")
    read = open_series(releases, labels=label or None, layer=layer)
    trend = read.trend(zones, level=level, rate=rate, layer=zones_layer)
    with watching.shown() as progress:
        wrote = [] if out is None else _saved(read, trend, out, progress, context or True)
        if to is not None:
            wrote += [to] if pictured else trend.export(to)
            if pictured:
                read.draw(to, context=context or True)
    rows = [plain(row) for row in _rows(trend)]
    document = {
        "kind": "zones" if trend.zoned else "regions",
        "seasons": read.labels,
        "together": read.together,
        "step": read.step,
        "level": level,
        "rate": rate,
        "whole": plain(trend.whole.drop(columns=trend.whole.geometry.name).to_dict("records")[0]),
        "found": trend.found,
        "zones" if trend.zoned else "regions": rows,
        "words": trend.words,
        "notes": trend.notes,
        "wrote": [str(path) for path in wrote],
    }
    answer.tell(document, [*_lines(trend), *(f"wrote {path}" for path in wrote)])


def _saved(
    read: "Series", trend: "Trend", out: Path, progress: "Callable[[str], None]", context: Any
) -> list[Path]:
    """Fills a new folder, all of it or nothing."""
    from shutil import rmtree

    from dpmap.atomic_write import new_folder

    with new_folder(out) as folder:
        try:
            return _filled(read, trend, folder, progress, context)
        except BaseException:
            rmtree(folder, ignore_errors=True)  # it was made here
            raise


def _filled(
    read: "Series", trend: "Trend", folder: Path, progress: "Callable[[str], None]", context: Any
) -> list[Path]:
    """Writes the trend, the maps side by side, and a folder of each season's map."""
    from dpmap.statement.privacy_yaml import slug

    progress(f"writing {LAYER}")
    written = trend.export(folder / LAYER)
    progress(f"writing {PICTURE}")
    read.draw(folder / PICTURE, context=context)
    written.append(folder / PICTURE)
    for number, (one, name) in enumerate(zip(read.maps, read.labels, strict=True), 1):
        place = folder / f"{number:02d}-{slug(name)[:100]}"
        place.mkdir()
        for file in (*DRAWN, *LAYERS):
            if file in RASTERS and one.grid.kind != "squares":
                continue
            progress(f"writing {place.name}/{file}")
            if file in DRAWN:
                one.draw(place / file, context=context)
                written.append(place / file)
            else:
                written += one.write(place / file)
    return written


def _rows(trend: "Trend") -> list[dict[Any, Any]]:
    """Returns every zone, or the regions whose trend is told, the steepest first."""
    frame = trend.frame if trend.zoned else trend.frame[trend.frame["told"]]
    if not trend.zoned:
        frame = frame.iloc[(-frame["slope"].abs()).to_numpy().argsort(kind="stable")]
    return frame.drop(columns=frame.geometry.name).to_dict("records")  # type: ignore[no-any-return]


def _lines(trend: "Trend") -> list[str]:
    """Says what each season holds, what rises and falls, and by which rule."""
    found_count = trend.found
    what = "zones" if trend.zoned else "regions"
    labels = trend.series.labels
    (whole,) = trend.whole.to_dict("records")
    sure = f"{100 * trend.level:g} %"
    seasons = [["season", "whole area", f"{sure} interval"]]
    seasons += [
        [
            label,
            figure(whole[f"total_{label}"]),
            f"{figure(whole[f'low_{label}'])} to {figure(whole[f'high_{label}'])}",
        ]
        for label in labels
    ]
    counted = (
        f"Of {len(trend):,} {what}: {found_count['more']:,} more, {found_count['fewer']:,} fewer;"
        " of"
        f" {found_count['untold']:,} no trend can be told."
    )
    rows = _rows(trend)
    listed_rows = rows if trend.zoned else rows[:MOST_LINES]
    more = len(rows) - len(listed_rows)
    listed = (
        [
            *align_columns(_table(trend, listed_rows)),
            *([f"and {more:,} more; --to FILE writes all"] if more else []),
            "",
        ]
        if listed_rows
        else []
    )
    slope = (
        f"{signed_change(whole['slope'])} a {trend.series.step}, {signed_change(whole['low'])} to"
        f" {signed_change(whole['high'])}: {whole['finding']}"
    )
    said = [*trend.words.values(), *trend.notes]
    return [
        *align_columns(seasons),
        *_together(trend.series.together),
        f"Whole area: {slope}.",
        "",
        counted,
        "",
        *listed,
        *(f"{text[:1].upper()}{text[1:]}." for text in said),
    ]


def _together(seasons: list[list[str]]) -> list[str]:
    """Return in words which seasons' maps are read together."""
    runs = [" and ".join([", ".join(run[:-1]), run[-1]] if run[1:] else run) for run in seasons]
    if len(runs) == 1:
        return ["All maps are read together: no jump of the shape can be told."]
    said = [
        f"{run} together" if season_count[1:] else f"{run} by itself"
        for run, season_count in zip(runs, seasons, strict=True)
    ]
    return [f"The shape jumped, so maps are read apart: {'; '.join(said)}."]


def _table(trend: "Trend", rows: list[dict[Any, Any]]) -> list[list[str]]:
    """Returns zones or regions as rows of short texts under a header."""
    from dpmap.releases.ask import zone_name

    labels = trend.series.labels
    zoned = trend.zoned
    where = [] if zoned else ["cells", "lat, lon"]
    table = [["zone" if zoned else "region", *labels, "slope", "low", "high", *where, "finding"]]
    for number, row in enumerate(rows, start=1):
        name = zone_name(row, number) if zoned else str(row["region"])
        place = [] if zoned else [f"{row['cells']:,}", f"{row['lat']:.4f}, {row['lon']:.4f}"]
        totals = [figure(row[f"total_{label}"]) for label in labels]
        slopes = [signed_change(row[key]) for key in ("slope", "low", "high")]
        table.append(
            [
                name,
                *totals,
                *slopes,
                *place,
                row["finding"] + (f" ({row['note']})" if zoned and row["note"] else ""),
            ]
        )
    return table
