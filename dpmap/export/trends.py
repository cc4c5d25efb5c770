"""Writes where a survey rises and falls over its seasons as a layer: the colours of a change, by
the slope.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dpmap.export import styles
from dpmap.export.answer_layer import AnswerLayer, write
from dpmap.export.changes import NAMES, SIGNED, WIDE, look
from dpmap.export.vector import equal_area
from dpmap.grid.crs_label import reference
from dpmap.record import Record
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import clean

if TYPE_CHECKING:
    import geopandas

LAYER = "trend"
CALLED = {
    "slope": "Slope",
    "low": "Slope, at least",
    "high": "Slope, at most",
    "told": "Trend is told",
    "slope_per_km2": "Slope per km\N{SUPERSCRIPT TWO}",
    "least": "Slope, strictly at least",
    "most": "Slope, strictly at most",
}
TIP = (
    f'<b>[% {SIGNED.format("slope")} %] every {{step}}: [% "finding" %]</b>'
    f"<br>interval: [% {SIGNED.format('low')} %] to [% {SIGNED.format('high')} %]"
    '<br>in [% format_number("area_km2", 2) %] km\N{SUPERSCRIPT TWO}'
)


def write_trends(
    frame: "geopandas.GeoDataFrame",
    words: Mapping[str, str],
    notes: Sequence[str],
    title: str,
    step: str,
    record: Record,
    path: "str | os.PathLike[str]",
) -> list[Path]:
    """Write the rows with the rules that they follow, and the statement of the newest season, to
    `path`; return the files made.

    A slope is what is gained every `step`, which is a year or a season.
    """
    if "region" in frame.columns:
        frame = equal_area(frame.set_crs(reference(record.grid.crs), allow_override=True), record)
    rule = {f"trend_{name}": text for name, text in words.items()}
    rule |= {f"note_{number}": text for number, text in enumerate(notes, 1)}
    newest = {f"newest_{name}": text for name, text in map_statement(record).facts().items()}
    facts = {
        "dataset": clean(title),
        **{name: clean(text) for name, text in rule.items()},
        **newest,
    }
    described = f"Trend over all seasons. The newest: {map_statement(record).provenance()}"
    fields = [str(column) for column in frame.columns[:-1]]
    label = f'CASE WHEN "told" THEN {SIGNED.format("slope")} END'
    qml = styles.vector_qml(
        look(frame, record, "slope_per_km2", UNTOLD, step),
        fields,
        TIP.replace("{step}", step),
        label,
        styles.ALIASES | NAMES | CALLED,
        narrowest=WIDE if "region" in frame.columns else 0.0,
    )
    return write(AnswerLayer(LAYER, frame, clean(described), facts, qml, record.released_on), path)


UNTOLD = "no trend can be told"
