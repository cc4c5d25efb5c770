"""Writes hot spots as a layer of outlines that lies over the map it was found in."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from dpmap.export import styles
from dpmap.export.answer_layer import AnswerLayer, write
from dpmap.export.vector import equal_area
from dpmap.grid.crs_label import reference
from dpmap.record import Record
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import clean

if TYPE_CHECKING:
    import geopandas

LAYER = "hotspots"
TIP = (
    '<b>[% format_number("estimate", 1) %] in this hot spot</b><br>interval: [%'
    ' format_number("low", 1) %] to [% format_number("high", 1) %]<br>[% "cells" %] cell[% CASE'
    " WHEN \"cells\" > 1 THEN 's' ELSE '' END %], [% format_number(\"area_km2\", 2) %]"
    " km\N{SUPERSCRIPT TWO}<br>land outside may be as high"
)


def write_spots(
    frame: "geopandas.GeoDataFrame",
    words: Mapping[str, str],
    record: Record,
    path: "str | os.PathLike[str]",
) -> list[Path]:
    """Write the spots, with `words` that say how they were found, to `path`; return the files
    that this made.
    """
    frame = (
        equal_area(frame.set_crs(reference(record.grid.crs), allow_override=True), record)
        if len(frame)
        else frame
    )
    facts = {
        **{f"hotspots_{name}": clean(text) for name, text in words.items()},
        **map_statement(record).facts(),
    }
    names = styles.ALIASES | {
        "spot": "Hot spot",
        "low": "At least",
        "high": "At most",
        "lon": "Longitude",
        "lat": "Latitude",
    }
    legend = f"Hot spots: {words['above']} ({words['false']})"
    qml = styles.spots_qml(legend, [str(column) for column in frame.columns[:-1]], TIP, names)
    described = clean(
        f"{words['found']}; {words['rate']}; {words['absence']}."
        f" {map_statement(record).provenance()}"
    )
    return write(AnswerLayer(LAYER, frame, described, facts, qml, record.released_on), path)
