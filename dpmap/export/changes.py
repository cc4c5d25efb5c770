"""Writes what changed between two maps as a layer: two colours for more and fewer, grey and
hatched where no change can be told.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from dpmap import style
from dpmap.export import answer_layer, styles
from dpmap.export.answer_layer import AnswerLayer
from dpmap.export.vector import equal_area
from dpmap.grid.crs_label import reference
from dpmap.record import Record
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import both_titles, clean

if TYPE_CHECKING:
    import geopandas

Drawn = tuple[str, "geopandas.GeoDataFrame", str]
"""A layer's name, its rows and its style for QGIS."""

LAYER = "change"
PATCHES = "change_patches"
WHOLE = "change_whole"
CLUSTERS = "change_clusters"
WIDE = 10.0
"""Millimetres on the screen that a place needs for a label; a cluster's label comes before."""
CLUSTER_WORDS = "clusters told to have changed"
UNTOLD = "no change can be told"
NAMES = {
    "before": "Before",
    "after": "After",
    "change": "Change",
    "low": "Change, at least",
    "high": "Change, at most",
    "told": "Change is told",
    "finding": "Finding",
    "patch": "Patch",
    "cluster": "Cluster",
    "p_value": "Chance that noise alone does this",
    "change_per_km2": "Change per km\N{SUPERSCRIPT TWO}",
    "least": "Change, strictly at least",
    "most": "Change, strictly at most",
    "in_map": "Share in the map",
    "note": "Note",
}
SIGNED = (
    "CASE WHEN abs(\"{0}\") < 0.05 THEN '0' ELSE CASE WHEN \"{0}\" > 0 THEN '+' ELSE"
    ' \'\N{MINUS SIGN}\' END || format_number(abs("{0}"), CASE WHEN abs("{0}") < 1 THEN 2 WHEN'
    ' abs("{0}") < 10 THEN 1 ELSE 0 END) END'
)
"""As `style.signed` writes a change: never a sign before 0."""
INTERVAL = f"'(' || {SIGNED.format('low')} || ' to ' || {SIGNED.format('high')} || ')'"
LABEL = f'CASE WHEN "told" THEN {SIGNED.format("change")} END'
TIP = (
    f'<b>[% {SIGNED.format("change")} %] from before to after: [% "finding" %]</b>'
    f"<br>interval: [% {SIGNED.format('low')} %] to [% {SIGNED.format('high')} %]"
    '<br>before [% format_number("before", 1) %], after [% format_number("after", 1) %], in [%'
    ' format_number("area_km2", 2) %] '
    "km\N{SUPERSCRIPT TWO}"
)


def write_changes(
    frame: "geopandas.GeoDataFrame",
    words: Mapping[str, str],
    notes: Sequence[str],
    records: tuple[Record, Record],
    path: "str | os.PathLike[str]",
    land: "tuple[geopandas.GeoDataFrame, geopandas.GeoDataFrame] | None" = None,
) -> list[Path]:
    """Write the rows with the statements of both maps, the one `before` and the one `after`, to
    `path`; return the files made.

    Of larger `land`, the patches and the clusters, a GeoPackage has layers too.
    """
    before, after = records
    rule = {f"change_{name}": text for name, text in words.items()} | {
        f"note_{i}": text for i, text in enumerate(notes, 1)
    }
    both = {
        f"{when}_{name}": text
        for when, one in (("before", before), ("after", after))
        for name, text in map_statement(one).facts().items()
    }
    title = " to ".join(both_titles(before, after))
    facts = {"dataset": title, **{name: clean(text) for name, text in rule.items()}, **both}
    described = clean(
        f"Change from before to after. Before: {map_statement(before).provenance()}. After:"
        f" {map_statement(after).provenance()}"
    )
    larger = answer_layer.check_suffix(path) == ".gpkg" and land is not None
    drawn = [
        _rows(frame, after, labelled=not larger),
        *(_larger(*land, after) if larger and land else []),
    ]
    made = [
        AnswerLayer(name, _placed(table, after, frame), described, facts, qml, after.released_on)
        for name, table, qml in drawn
    ]
    return answer_layer.write(made[0], path, made[1:])


def _placed(
    frame: "geopandas.GeoDataFrame", record: Record, whole: "geopandas.GeoDataFrame"
) -> "geopandas.GeoDataFrame":
    """Return rows of the map's own land on its CRS as layers name it, and all on one; zones
    stay where their file has them.
    """
    if not {"region", "patch", "cluster"} & set(frame.columns):
        return frame
    return equal_area(frame.set_crs(reference(record.grid.crs), allow_override=True), record, whole)


def _rows(frame: "geopandas.GeoDataFrame", record: Record, *, labelled: bool) -> Drawn:
    """Return the layer of what was compared; labels would show through larger land over it."""
    return LAYER, frame, _coloured(frame, look(frame, record), LABEL if labelled else "")


def _larger(
    patches: "geopandas.GeoDataFrame", clusters: "geopandas.GeoDataFrame", record: Record
) -> list[Drawn]:
    """Return the layers of larger land: what the picture shows, in the same classes, the
    clusters' outlines last.
    """
    import pandas as pd

    classes = look(pd.concat([patches, clusters]), record)
    whole = told_as_a_whole(patches, clusters)
    hatched = replace(classes, rules=classes.rules[1:], edged=False, hatched=True)
    label = f"{SIGNED.format('change')} || '\\n' || {INTERVAL}"
    fields = [str(column) for column in clusters.columns[:-1]]
    return [
        (PATCHES, patches, _coloured(patches, classes, LABEL, WIDE)),
        *([(WHOLE, whole, _coloured(whole, hatched))] if len(whole) else []),
        (
            CLUSTERS,
            clusters,
            styles.spots_qml(CLUSTER_WORDS, fields, TIP, styles.ALIASES | NAMES, label),
        ),
    ]


def _coloured(
    frame: "geopandas.GeoDataFrame", shown: styles.Look, label: str = "", narrowest: float = 0.0
) -> str:
    """Make the style of rows in the colours of their changes."""
    fields = [str(column) for column in frame.columns[:-1]]
    names = styles.ALIASES | NAMES
    return styles.vector_qml(shown, fields, TIP, label, names, narrowest=narrowest)


def told_as_a_whole(
    patches: "geopandas.GeoDataFrame", clusters: "geopandas.GeoDataFrame"
) -> "geopandas.GeoDataFrame":
    """Return each cluster without the land that is told by itself: that it changed is known,
    and where in it is not.
    """
    import shapely

    changed = patches[patches["told"].to_numpy(dtype=bool)]
    whole = clusters.geometry.to_numpy().copy()
    shapes = changed.geometry.to_numpy()
    cluster, patch = shapely.STRtree(shapes).query(whole, predicate="intersects")
    finer = changed["cells"].to_numpy()[patch] <= clusters["cells"].to_numpy()[cluster]
    for number in np.unique(cluster[finer]):
        beyond_places = shapely.difference(
            whole[number], shapely.union_all(shapes[patch[finer & (cluster == number)]])
        )
        pieces = shapely.get_parts(beyond_places)
        whole[number] = shapely.multipolygons(pieces[shapely.area(pieces) > 0])
    left = clusters.set_geometry(whole, crs=clusters.crs)
    return left[~shapely.is_empty(whole)].reset_index(drop=True)


def look(
    frame: "geopandas.GeoDataFrame",
    record: Record,
    column: str = "change_per_km2",
    untold: str = UNTOLD,
    every: str = "",
) -> styles.Look:
    """Return the classes: of told changes by how much each is for its ground (`every` year,
    say), of others one, in grey.
    """
    changed = frame["told"].to_numpy(dtype=bool)
    made = style.ChangeClasses.fit(
        frame[column].to_numpy(dtype=np.float64)[changed], map_statement(record).unit
    )
    per = "" if map_statement(record).columns.signed else f" per {made.unit.words}"
    per += f" every {every}" if every else ""
    rules = [
        styles.StyleRule(
            f"{'more' if class_.more else 'fewer'}: {class_.words}{per}",
            class_.colour,
            class_.low,
            None if class_ is made.classes[-1] else class_.high,
        )
        for class_ in made.classes
    ]
    edged = "cells" not in frame.columns or bool((frame["cells"] > 1).any())
    return styles.Look(
        [styles.StyleRule(untold, style.UNSURE), *rules], "told", column, edged=edged
    )
