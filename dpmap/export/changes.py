"""Writes what changed between two maps as a layer: two colours for more and fewer, grey and hatched where no change can be told."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from dpmap import style
from dpmap.export import styles
from dpmap.export.one_layer import Layer, write
from dpmap.export.reference import reference
from dpmap.export.vector import equal_area
from dpmap.record import Record
from dpmap.statement.kinds import of as said
from dpmap.statement.words import clean

if TYPE_CHECKING:
    import geopandas

LAYER = "change"
UNTOLD = "no change can be told"
NAMES = {
    "before": "Before", "after": "After", "change": "Change", "low": "Change, at least", "high": "Change, at most", "told": "Change is told",
    "finding": "Finding", "p_value": "Chance that noise alone does this", "change_per_km2": "Change per km\N{SUPERSCRIPT TWO}",
    "least": "Change, strictly at least", "most": "Change, strictly at most", "in_map": "Share in the map", "note": "Note",
}  # fmt: skip
SIGNED = "CASE WHEN \"{0}\" > 0 THEN '+' ELSE '' END || replace(format_number(\"{0}\", 0), '-', '\N{MINUS SIGN}')"
TIP = (
    f'<b>[% {SIGNED.format("change")} %] from before to after: [% "finding" %]</b>'
    f"<br>interval: [% {SIGNED.format('low')} %] to [% {SIGNED.format('high')} %]"
    '<br>before [% format_number("before", 1) %], after [% format_number("after", 1) %], in [% format_number("area_km2", 2) %] '
    "km\N{SUPERSCRIPT TWO}"
)


def write_changes(
    frame: "geopandas.GeoDataFrame",
    words: Mapping[str, str],
    notes: Sequence[str],
    records: tuple[Record, Record],
    path: "str | os.PathLike[str]",
) -> list[Path]:
    """Writes the rows with the statements of both maps, the one `before` and the one `after`, to `path`; returns the files made."""
    before, after = records
    if "region" in frame.columns:
        frame = equal_area(frame.set_crs(reference(after.grid.crs), allow_override=True), after)
    rule = {f"change_{name}": text for name, text in words.items()} | {
        f"note_{i}": text for i, text in enumerate(notes, 1)
    }
    both = {
        f"{when}_{name}": text
        for when, one in (("before", before), ("after", after))
        for name, text in said(one).facts().items()
    }
    title = f"{clean(before.title)} to {clean(after.title)}"
    facts = {"dataset": title, **{name: clean(text) for name, text in rule.items()}, **both}
    described = f"Change from before to after. Before: {said(before).provenance()}. After: {said(after).provenance()}"
    fields = [str(column) for column in frame.columns[:-1]]
    label = f'CASE WHEN "told" THEN {SIGNED.format("change")} END'
    qml = styles.vector_qml(look(frame, after), fields, TIP, label, styles.ALIASES | NAMES)
    return write(Layer(LAYER, frame, clean(described), facts, qml, after.released_on), path)


def look(frame: "geopandas.GeoDataFrame", record: Record) -> styles.Look:
    """Returns the classes: of told changes by how much each is for its ground, of others one, in grey."""
    told = frame["told"].to_numpy(dtype=bool)
    made = style.ChangeClasses.of(frame["change_per_km2"].to_numpy(dtype=np.float64)[told], said(record).unit)
    per = "" if said(record).columns.signed else f" per {made.unit.words}"
    rules = [
        styles.Rule(
            f"{'more' if one.more else 'fewer'}: {one.words}{per}",
            one.colour,
            one.low,
            None if one is made.classes[-1] else one.high,
        )
        for one in made.classes
    ]
    edged = "cells" not in frame.columns or bool((frame["cells"] > 1).any())
    return styles.Look([styles.Rule(UNTOLD, style.UNSURE), *rules], "told", "change_per_km2", edged=edged)
