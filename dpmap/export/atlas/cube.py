"""Writes an occurrence cube: a row for each taxon, time and cell that is told, as B-Cubed specifies
them and GBIF gives them out.

Its rule 3 of dimensions, that groups without occurrences are left out, cannot be kept as it is
meant: a private map does not know which cells are empty. So a row stands for a cell that noise does
not explain, and the words beside the table say that a missing one is no absence.
"""

import os
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path

from dpmap.errors import BadInput
from dpmap.export.atlas import tables
from dpmap.export.atlas.cell_selection import SelectedCells, half_diagonal, select_cells
from dpmap.export.atlas.layers import AtlasLayer
from dpmap.export.atlas.taxa import Taxa
from dpmap.maps import read_map
from dpmap.statement.phrases import noun

WORDS = {
    "year": "year that the row is of",
    "yearMonth": "month that the row is of",
    "yearMonthDay": "day that the row is of",
    "speciesKey": "key of the taxon, as declared by the publisher",
    "species": "name of the taxon, as declared by the publisher",
    "occurrences": "estimated number of {}, capped and with noise, rounded; no count",
    "occurrencesLow": (
        "lower bound of that number, widened for rows having been chosen by the noisy totals; at"
        " least 1, as a told cell holds a record"
    ),
    "occurrencesHigh": (
        "upper bound of that number, widened for rows having been chosen by the noisy totals"
    ),
    "minCoordinateUncertaintyInMeters": (
        "half the diagonal of the cell: what is finer than a cell is not known"
    ),
}
CODE = "code of the cell in its official grid"


def write(layers: Sequence[AtlasLayer], taxa: Taxa, path: "str | os.PathLike[str]") -> list[Path]:
    """Write the layers of a release as one occurrence cube, and return the files made.

    `occurrencesLow` and `occurrencesHigh` are ours: the specification has no word for an estimate's
    bounds, and readers keep columns that they do not know. Higher taxa, for which the specification
    has columns too, are left to the reader, who can look them up by the key.
    """
    _check(layers, taxa)
    time = _time(layers)
    tables.check_codes(layers)
    selected = select_cells(layers)
    parts = [_columns(one, taxa, time) for one in tables.with_rows(selected)]
    columns = tables.stack_columns(parts)
    words = {**WORDS, "occurrences": WORDS["occurrences"].format(noun(layers[0].record))}
    code = list(columns)[1]
    return tables.write(
        path,
        columns,
        {name: words.get(name, CODE) for name in columns},
        selected,
        (time, "speciesKey", code),
    )


def _columns(one: SelectedCells, taxa: Taxa, time: str) -> tables.Columns:
    """Return the columns of one layer; codes come before keys, since a reader finds the cell's
    code by what it looks like.
    """
    layer = one.layer
    rows = len(one.cells)
    when = dict(zip(("year", "yearMonth", "yearMonthDay"), _names(layer), strict=True))[time]
    return {
        time: tables.constant(when, rows)
        if time != "year"
        else tables.whole_number_column(int(when), rows),
        **tables.codes(layer.record.grid, one.cells),
        "speciesKey": tables.constant(taxa.keys[layer.kind], rows),
        "species": tables.constant(taxa.name(layer.kind), rows),
        "occurrences": one.estimate,
        "occurrencesLow": one.low,
        "occurrencesHigh": one.high,
        "minCoordinateUncertaintyInMeters": half_diagonal(layer.record.grid, one.cells),
    }


def _check(layers: Sequence[AtlasLayer], taxa: Taxa) -> None:
    """Refuse layers that are of no taxon, or that count something else."""
    if any(read_map(layer.record).local for layer in layers):
        raise BadInput(
            "--as occurrence-cube: this map counts volunteers, and a cube counts occurrences; take"
            " --as atlas-csv"
        )
    missing = list(dict.fromkeys(layer.kind for layer in layers if layer.kind not in taxa.keys))
    if missing:
        what = f"the key of {missing[0][:60]!r}" if missing[0] else "the taxon that this map is of"
        example = missing[0][:60] or "Cervus elaphus"
        raise BadInput(f"--as occurrence-cube: say {what}, like --taxon {f'{example}=2440958'!r}")
    _check_apart(layers, taxa)


def _check_apart(layers: Sequence[AtlasLayer], taxa: Taxa) -> None:
    """Refuse two kinds of one key, of which a cube would have two rows for one taxon, time and
    cell.
    """
    kinds = list(dict.fromkeys(layer.kind for layer in layers))
    keys = [taxa.keys[name] for name in kinds]
    same = [name for name, key in zip(kinds, keys, strict=True) if keys.count(key) > 1]
    if same:
        raise BadInput(
            f"--taxon: {same[0][:60]!r} and {same[1][:60]!r} have one key, and a cube has one row"
            " for a taxon, time and cell; take one of them by --layer"
        )


def _time(layers: Sequence[AtlasLayer]) -> str:
    """Return the column of time: year, yearMonth or yearMonthDay, in which every layer is one.

    >>> _time([AtlasLayer(None, None, "", date(2024, 1, 1), date(2024, 12, 31))])
    'year'
    """
    if any(layer.first is None for layer in layers):
        raise BadInput(
            "--as occurrence-cube: a cube is of years, months or days, and this map tells none; say"
            " its year, like --year 2024"
        )
    fitting = [
        {
            name
            for name, text in zip(("year", "yearMonth", "yearMonthDay"), _names(layer), strict=True)
            if text
        }
        for layer in layers
    ]
    odd = next((layer for layer, names in zip(layers, fitting, strict=True) if not names), None)
    if odd is not None:
        raise BadInput(
            f"--as occurrence-cube: {tables.name_layer(odd)} is no year, month or day, as a cube"
            " must have; take --as atlas-csv, or one layer that is"
        )
    shared = set.intersection(*fitting)
    if not shared:
        raise BadInput(
            "--as occurrence-cube: some layers are years and others months or days, and a cube has"
            " one of them; take them by --layer"
        )
    return next(name for name in ("year", "yearMonth", "yearMonthDay") if name in shared)


def _names(layer: AtlasLayer) -> tuple[str, str, str]:
    """Return what a span is called as a year, as a month and as a day; empty where it is none."""
    first = layer.first or date.min
    last = layer.last or date.max
    after = last + timedelta(days=1) if last < date.max else last
    year = (first.month, first.day) == (1, 1) and after == date(
        min(first.year + 1, date.max.year), 1, 1
    )
    month = (
        first.day == after.day == 1
        and (after.year - first.year) * 12 + after.month - first.month == 1
    )
    return (
        f"{first.year:04d}" if year else "",
        f"{first:%Y-%m}" if month else "",
        str(first) if first == last else "",
    )
