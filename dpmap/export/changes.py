"""Writes what changed between two maps as a layer: two colours for more and fewer, grey and hatched where no change can be told."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from dpmap import style
from dpmap.export import one_layer, styles
from dpmap.export.one_layer import Layer
from dpmap.export.reference import reference
from dpmap.export.vector import equal_area
from dpmap.record import Record
from dpmap.statement.kinds import of as said
from dpmap.statement.words import clean

if TYPE_CHECKING:
    import geopandas

LAYER, PATCHES, CLUSTERS = "change", "change_patches", "change_clusters"
CLUSTER_WORDS = "clusters told to have changed"
UNTOLD = "no change can be told"
NAMES = {
    "before": "Before", "after": "After", "change": "Change", "low": "Change, at least", "high": "Change, at most", "told": "Change is told",
    "finding": "Finding", "patch": "Patch", "cluster": "Cluster", "p_value": "Chance that noise alone does this", "change_per_km2": "Change per km\N{SUPERSCRIPT TWO}",
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
    land: "Mapping[str, geopandas.GeoDataFrame] | None" = None,
) -> list[Path]:
    """Writes the rows with the statements of both maps, the one `before` and the one `after`, to `path`; returns the files made.

    Of larger `land` (patches, clusters) a GeoPackage has a layer each.
    """
    before, after = records
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
    zoned, suffix = "region" not in frame.columns, one_layer.check_suffix(path)
    made = [
        _layer(name, table, zoned=zoned, record=after, words=clean(described), facts=facts)
        for name, table in {LAYER: frame, **((land or {}) if suffix == ".gpkg" else {})}.items()
    ]
    return one_layer.write(made[0], path, made[1:])


def _layer(
    name: str, frame: "geopandas.GeoDataFrame", *, zoned: bool, record: Record, words: str, facts: Mapping[str, str]
) -> Layer:
    """Returns the rows as a layer with its style: clusters as outlines to lie over the others, all else in colours."""
    if not zoned:
        frame = equal_area(frame.set_crs(reference(record.grid.crs), allow_override=True), record)
    fields, names = [str(column) for column in frame.columns[:-1]], styles.ALIASES | NAMES
    if name == CLUSTERS:
        qml = styles.spots_qml(CLUSTER_WORDS, fields, TIP, names, f"{SIGNED.format('change')} || ' ' || \"finding\"")
    else:
        label = f'CASE WHEN "told" THEN {SIGNED.format("change")} END'
        qml = styles.vector_qml(look(frame, record), fields, TIP, label, names)
    return Layer(name, frame, words, facts, qml, record.released_on)


def look(
    frame: "geopandas.GeoDataFrame", record: Record, column: str = "change_per_km2", untold: str = UNTOLD
) -> styles.Look:
    """Returns the classes: of told changes by how much each is for its ground, of others one, in grey."""
    told = frame["told"].to_numpy(dtype=bool)
    made = style.ChangeClasses.of(frame[column].to_numpy(dtype=np.float64)[told], said(record).unit)
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
    return styles.Look([styles.Rule(untold, style.UNSURE), *rules], "told", column, edged=edged)
