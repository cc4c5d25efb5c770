"""Writes the three answers, surely more, surely less and cannot say, as a layer of all cells
with a style for QGIS.
"""

import os
from pathlib import Path

import numpy as np

from dpmap import style
from dpmap.export import styles
from dpmap.export.answer_layer import AnswerLayer, write
from dpmap.grid.crs_label import reference
from dpmap.inference.clearance import LESS, MORE, UNKNOWN, Clearance
from dpmap.record import Record
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import clean

LAYER = "clearance"
TIP = '<b>[% "answer" %]</b><br>a block or square stands for its mean cell'


def write_clearance(
    clearance: Clearance, words: dict[str, str], record: Record, path: "str | os.PathLike[str]"
) -> list[Path]:
    """Write a row for each cell, with its `answer`, whether that is `sure`, and the `side`: 1
    more, -1 less; return the files.
    """
    import geopandas as gpd

    grid = record.grid
    inside = grid.inside.ravel()
    answers = clearance.words.ravel()[inside]
    columns = {
        "cell": np.flatnonzero(inside),
        "answer": answers.astype(object),
        "sure": answers != UNKNOWN,
        "side": (answers == MORE).astype(np.int64) - (answers == LESS),
    }
    frame = gpd.GeoDataFrame(columns, geometry=grid.polygons(), crs=reference(grid.crs))
    than = f"than {clearance.threshold:,.12g} points a cell"
    rules = [
        styles.StyleRule(UNKNOWN, style.UNSURE),
        styles.StyleRule(f"{LESS} {than}", style.hex_colour(style.SURELY_LESS), -1.0, 0.0),
        styles.StyleRule(f"{MORE} {than}", style.hex_colour(style.SURELY_MORE), 1.0, None),
    ]
    qml = styles.vector_qml(styles.Look(rules, "sure", "side"), list(columns), TIP)
    facts = {
        **{f"clearance_{name}": clean(text) for name, text in words.items()},
        **map_statement(record).facts(),
    }
    described = clean(
        f"{words['found']}; {words['rate']}; {words['absence']}."
        f" {map_statement(record).provenance()}"
    )
    return write(AnswerLayer(LAYER, frame, described, facts, qml, record.released_on), path)
