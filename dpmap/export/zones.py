"""Writes the answers about zones to files: a table or a layer, by the suffix."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpmap.atomic_write import written_aside
from dpmap.errors import BadInput
from dpmap.export import embedded_metadata, files_beside, styles
from dpmap.export.vector import DEFAULT, Saved, add_styles, guard_formulas
from dpmap.grid import crs as crs_tools
from dpmap.record import Record
from dpmap.statement.kinds import map_statement

if TYPE_CHECKING:
    import geopandas

LAYER = "zones"
LEGEND = "Zones, each with its interval"
SHORT = 'format_number("{0}", CASE WHEN abs("{0}") < 10 THEN 1 ELSE 0 END)'
LABEL = " || ".join(
    (SHORT.format("estimate"), "'\\n('", SHORT.format("low"), "' to '", SHORT.format("high"), "')'")
)
"""The total, and below it its interval; nothing where the map holds none of the zone."""
TIP = (
    f"<b>[% {SHORT.format('estimate')} %] in this zone</b><br>interval: [% {SHORT.format('low')} %]"
    f' to [% {SHORT.format("high")} %]<br>[% format_number("area_km2", 2) %]'
    ' km\N{SUPERSCRIPT TWO}<br>[% "note" %]'
)
NAMES = {
    "low": "At least",
    "high": "At most",
    "distinguishable": "Surely holds something",
    "least": "Strictly at least",
    "most": "Strictly at most",
    "in_map": "Share in the map",
    "cells_inside": "Cells inside",
    "cells_cut": "Cells cut",
    "answer": "More or less than asked",
    "note": "Note",
}
SUFFIXES = (".csv", ".geojson", ".gpkg", ".parquet", ".md")


def write_zones(
    frame: "geopandas.GeoDataFrame",
    rows: list[list[str]],
    record: Record,
    path: "str | os.PathLike[str]",
    rule: str = "",
) -> list[Path]:
    """`frame` as a layer (.gpkg, .geojson, .parquet) or table (.csv), or its short `rows` as
    Markdown (.md); return the files that this made. `rule` is the sentence that says how zones
    were compared with a number.

    Names come from someone else's file: in text formats none of them can act as a formula or as
    markup.
    """
    suffix = check_suffix(path)
    with written_aside(path) as aside:
        if suffix == ".md":
            aside.write_text(markdown(rows, record, rule), encoding="utf-8")
        elif suffix == ".csv":
            plain = _guarded(frame).drop(columns=frame.geometry.name)
            plain.to_csv(
                aside, index=False, float_format="%.12g", lineterminator="\n", encoding="utf-8"
            )
        elif suffix == ".parquet":
            frame.to_parquet(aside, index=False, compression=None)
            embedded_metadata.into_parquet(aside, record)
        else:
            _layer(frame, record, aside, suffix, rule)
    if suffix != ".csv":
        return [Path(path)]
    embedded_metadata.beside_csv(path, list(plain.columns), record)
    return [Path(path), *files_beside(path)]


def check_suffix(path: "str | os.PathLike[str]") -> str:
    """Return the suffix if zones can be written in it, else refuses.

    >>> check_suffix("zones.CSV")
    '.csv'
    """
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise BadInput(
            f"--out: zones are written as {' '.join(SUFFIXES)}; choose one of these suffixes"
        )
    return suffix


def markdown(rows: list[list[str]], record: Record, rule: str = "") -> str:
    """Make a Markdown table with the line that says what the numbers are.

    >>> markdown([["zone", "note"], ["a|b <i>", ""]], record=None).splitlines()[2]
    '| a&#124;b &lt;i&gt; |  |'
    """
    head, *body = ["| " + " | ".join(_cell(text) for text in row) + " |" for row in rows]
    lines = [head, "|" + "---|" * len(rows[0]), *body]
    lines += ["", _cell(map_statement(record).provenance())] if record is not None else []
    lines += ["", _cell(rule)] if rule else []
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    """Return text that cannot act as Markdown or HTML."""
    for mark, plain in {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        "|": "&#124;",
        "`": "&#96;",
        "[": "&#91;",
        "*": "&#42;",
    }.items():
        text = text.replace(mark, plain)
    return " ".join(text.split())


def _guarded(frame: "geopandas.GeoDataFrame") -> "geopandas.GeoDataFrame":
    plain = frame.copy()
    for name in plain.columns:
        if name != frame.geometry.name and (
            plain[name].dtype == object or str(plain[name].dtype).startswith("str")
        ):
            plain[name] = [
                guard_formulas(value) if isinstance(value, str) else value for value in plain[name]
            ]
    return plain.rename(columns={name: guard_formulas(str(name)) for name in plain.columns})


def _style(frame: "geopandas.GeoDataFrame") -> str:
    """Return how QGIS draws the zones: outlines over the map they were asked of, each with its
    total and interval.
    """
    fields = [str(column) for column in frame.columns if column != frame.geometry.name]
    return styles.spots_qml(LEGEND, fields, TIP, styles.ALIASES | NAMES, LABEL)


def _layer(
    frame: "geopandas.GeoDataFrame", record: Record, aside: Path, suffix: str, rule: str
) -> None:
    import pyogrio

    options: dict[str, Any] = {
        "DESCRIPTION": f"{rule} {map_statement(record).provenance()}".strip()
    }
    if suffix == ".gpkg":
        pyogrio.write_dataframe(frame, aside, driver="GPKG", layer=LAYER, layer_options=options)
        add_styles(
            aside, [Saved(LAYER, DEFAULT, _style(frame))], f"{record.released_on}T00:00:00.000Z"
        )
        return
    options |= {"RFC7946": "YES", "COORDINATE_PRECISION": "7", "WRITE_NAME": "NO"}
    plain = aside.with_name(f"{aside.name}.plain")
    pyogrio.write_dataframe(
        _guarded(frame).to_crs(crs_tools.LONLAT), plain, driver="GeoJSON", layer_options=options
    )
    embedded_metadata.into_geojson(plain, record, aside)
