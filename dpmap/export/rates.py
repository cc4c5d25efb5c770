"""Writes rates as a layer: places in the colours of their rates, white where there is none, grey
where it is not told.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from dpmap import style
from dpmap.export import styles
from dpmap.export.answer_layer import AnswerLayer, write
from dpmap.export.vector import equal_area
from dpmap.grid.crs_label import reference
from dpmap.record import Record
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import clean
from dpmap.statement.rates import RateWords

if TYPE_CHECKING:
    import geopandas

LAYER = "rates"
UNTOLD = "rate not told, or no rate"
NAMES = {
    "estimate": "Capped total",
    "low": "Total, at least",
    "high": "Total, at most",
    "per": "Amount",
    "rate": "Rate",
    "rate_low": "Rate, at least",
    "rate_high": "Rate, at most",
    "rate_told": "Rate is told",
    "note": "Note",
}
TIP = (
    '<b>rate: [% format_number("rate", 3) %]</b><br>interval: [% format_number("rate_low", 3) %] to'
    ' [% format_number("rate_high", 3) %]<br>[% format_number("estimate", 1) %] by [%'
    ' format_number("per", 2) %], in [% format_number("area_km2", 2) %] km\N{SUPERSCRIPT TWO}<br>[%'
    ' "note" %]'
)


def write_rates(
    frame: "geopandas.GeoDataFrame",
    record: Record,
    words: RateWords,
    path: "str | os.PathLike[str]",
) -> list[Path]:
    """Write the places with their rates to `path`, with the statement and where the amount is
    from; return the files made.
    """
    frame = frame.reset_index().set_crs(reference(record.grid.crs), allow_override=True)
    frame = equal_area(frame, record)
    facts = {
        **map_statement(record).facts(),
        "rate": clean(words.per()),
        "rate_of": "capped totals, divided by a public amount",
        "rate_source": clean(words.source),
    }
    described = f"{words.per()}; {words.source}. {map_statement(record).provenance()}"
    fields = [str(column) for column in frame.columns if column != frame.geometry.name]
    qml = styles.vector_qml(look(frame, words), fields, TIP, "", styles.ALIASES | NAMES)
    return write(AnswerLayer(LAYER, frame, clean(described), facts, qml, record.released_on), path)


def look(frame: "geopandas.GeoDataFrame", words: RateWords) -> styles.Look:
    """Return the classes of the rates that are told, and one in grey for all others."""
    rate_known = frame["rate_told"].to_numpy(dtype=bool)
    rates = frame["rate"].to_numpy(dtype=np.float64)[rate_known]
    edges = style.class_breaks(rates)
    rules = [styles.StyleRule(UNTOLD, style.UNSURE)]
    if len(edges) > 1:
        unit = style.amount_unit(edges, float(frame["per"].sum()), words.amount)
        labels = (f"{label} {words.per(unit.square_km)}" for label in unit.labels(edges))
        bounds = [*edges[:-1], None]
        rules += [
            styles.StyleRule(label, colour, bounds[i], bounds[i + 1])
            for i, (label, colour) in enumerate(
                zip(labels, style.class_colours(len(edges) - 1), strict=True)
            )
        ]
    return styles.Look(rules, "rate_told", "rate", edged=True)
