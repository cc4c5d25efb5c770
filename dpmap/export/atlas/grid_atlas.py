"""Writes the table of a grid atlas: a row for each kind, time and cell that is told, by the cell's
code.

Portals take two kinds of table with cell codes in it: occurrence records, by the words of Darwin
Core, and an atlas's own, a row for a square, a species and a period. This is the second: it has no
word of Darwin Core's for a record, a name or a place, so that no upload form takes a row for a
sighting.
"""

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from dpmap.export.atlas import tables
from dpmap.export.atlas.cell_selection import SelectedCells, middles, select_cells
from dpmap.export.atlas.layers import AtlasLayer
from dpmap.export.atlas.taxa import Taxa
from dpmap.statement.phrases import noun

NOTE = "estimate of a cell's capped total, with noise; not an occurrence record"
WORDS = {
    "taxonKey": (
        "key of the kind in the portal's list, as declared by the publisher; empty where none is"
        " declared"
    ),
    "kind": "what is counted: the kind's name, or what the map is of",
    "dateFrom": "first day that the row is of; empty where the map tells none",
    "dateTo": "last day that the row is of; empty where the map tells none",
    "gridSizeInMeters": "side of the cell in metres",
    "estimatedTotal": "estimated total of the cell, capped and with noise, rounded; no count",
    "totalAtLeast": (
        "lower bound of that total, widened for rows having been chosen by the noisy totals; at"
        " least 1, as a told cell holds a record"
    ),
    "totalAtMost": (
        "upper bound of that total, widened for rows having been chosen by the noisy totals"
    ),
    "told": (
        "yes: noise alone does not explain the cell, which was measured by itself; squares without"
        " a row are not told, and may hold records"
    ),
    "centreLongitude": (
        "longitude of the cell's middle in degrees (WGS 84), for labels; nothing was seen there"
    ),
    "centreLatitude": (
        "latitude of the cell's middle in degrees (WGS 84), for labels; nothing was seen there"
    ),
    "note": "says in every row what it is not",
}
CODE = "code of the cell in its official grid"


def write(layers: Sequence[AtlasLayer], taxa: Taxa, path: "str | os.PathLike[str]") -> list[Path]:
    """Write the layers of a release as the table of a grid atlas, and return the files made."""
    tables.check_codes(layers)
    selected = select_cells(layers)
    columns = tables.stack_columns([_columns(one, taxa) for one in tables.with_rows(selected)])
    code = next(name for name in columns if name not in WORDS)
    return tables.write(
        path,
        columns,
        {name: WORDS.get(name, CODE) for name in columns},
        selected,
        ("kind", "dateFrom", "dateTo", code),
    )


def _columns(one: SelectedCells, taxa: Taxa) -> tables.Columns:
    """Return the columns of one layer."""
    layer = one.layer
    rows = len(one.cells)
    lon, lat = middles(layer.record.grid, one.cells)
    texts = {
        "taxonKey": taxa.keys.get(layer.kind, ""),
        "kind": taxa.name(layer.kind) or noun(layer.record),
        "dateFrom": str(layer.first or ""),
        "dateTo": str(layer.last or ""),
    }
    return {
        **tables.codes(layer.record.grid, one.cells),
        **{name: tables.constant(text, rows) for name, text in texts.items()},
        "estimatedTotal": one.estimate,
        "totalAtLeast": one.low,
        "totalAtMost": one.high,
        "told": tables.constant("yes", rows),
        "centreLongitude": np.round(lon, 6),
        "centreLatitude": np.round(lat, 6),
        "note": tables.constant(NOTE, rows),
    }
