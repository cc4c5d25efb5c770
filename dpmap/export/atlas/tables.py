"""Writes the tables of atlases, CSV or Parquet, each with what it means: in a file beside a CSV,
inside a Parquet file.
"""

import csv
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.atomic_write import written_aside
from dpmap.errors import BadInput
from dpmap.export.atlas.cell_selection import SelectedCells
from dpmap.export.atlas.layers import AtlasLayer
from dpmap.export.embedded_metadata import KEY, write_csvw
from dpmap.export.vector import guard_formulas
from dpmap.grid import Grid, official
from dpmap.grid.h3_cells import Hexagons
from dpmap.statement.kinds import map_statement

Columns = dict[str, NDArray[Any]]
FIRST = ("eeaCellCode", "mgrsCellCode", "eqdgcCellCode")
"""The codes that readers of occurrence cubes know; where a cell has several codes, theirs stands
first, as a reader takes the first it finds.
"""
WORDS = (
    "Each row is a cell that was measured by itself and that noise alone does not explain: an"
    " estimate, not a record of an occurrence. Totals are capped, since nobody counts for more than"
    " the cap, and noise was added to each on purpose; they are rounded. A missing row is no"
    " absence: it is a cell of which nothing can be told by itself, and it may hold many records or"
    " none."
)
CHOSEN = (
    "Rows were chosen by the noisy totals themselves: at most a tenth of the rows of this table are"
    " expected to be noise alone, and at most a tenth of their bounds to miss the capped total; the"
    " bounds are as wide as that asks for."
)
BLOCKS = (
    "Cells that were measured together as a block have no rows, told or not: how a block's total"
    " lies within it was never asked. The map and its places show them."
)


def codes(grid: Grid, cells: NDArray[np.int64]) -> Columns:
    """Return the codes of cells by column, those that readers know first; refuse cells that no
    official grid has.

    >>> codes(Grid(bounds=(0, 50, 2, 51), shape=(1, 2), crs="EPSG:3857"), np.array([0]))
    Traceback (most recent call last):
    ...
    dpmap.errors.BadInput: form: the cells of this map have no official codes...
    """
    codes = grid.codes(cells)
    if not codes and isinstance(grid.cells, Hexagons):
        codes = {"h3": np.array([f"{one:x}" for one in grid.cells.ids[cells]], dtype=object)}
    if not codes:
        advice = official.advice(grid) or "make the map with an official grid, like --grid eea-10km"
        raise BadInput(
            f"--as: the cells of this map have no official codes: {advice}; without --as the cells"
            " are written with outlines"
        )
    columns = [one for one in FIRST if one in codes]
    return {name: _typed(codes[name]) for name in dict.fromkeys((*columns, *codes))}


def check_codes(layers: Sequence[AtlasLayer]) -> None:
    """Refuse a map whose cells have no codes, before anything is worked out."""
    grid = layers[0].record.grid
    codes(grid, np.zeros(1, dtype=np.int64))


def _typed(column: NDArray[Any]) -> NDArray[Any]:
    """Return a column of whole numbers, such as sides of cells, as numbers."""
    values = column.tolist()
    return (
        column.astype(np.int64)
        if values and all(isinstance(value, int) for value in values)
        else column
    )


def facts(selected: Sequence[SelectedCells]) -> dict[str, str]:
    """Return the statement of the whole map as pairs, and how many of its cells have a row."""
    whole = selected[0].layer.whole or selected[0].layer.record
    layers = [one.layer for one in selected]
    counts = {"cells_in_map": "inside", "cells_measured_by_themselves": "alone"}
    return {
        **map_statement(whole).facts(),
        "layers": str(len(layers)),
        **{name: str(sum(getattr(one, part) for one in selected)) for name, part in counts.items()},
        "rows": str(sum(len(one.cells) for one in selected)),
        "words": f"{WORDS} {CHOSEN} {BLOCKS}",
    }


def with_rows(selected: Sequence[SelectedCells]) -> list[SelectedCells]:
    """Return the layers that have rows; refuse a table without any, which readers take for a
    mistake, or for a land without records.
    """
    if not any(len(one.cells) for one in selected):
        why = (
            "is told from noise by itself"
            if any(one.alone for one in selected)
            else "was measured by itself, only blocks of them"
        )
        raise BadInput(
            f"--as: no cell of this map {why}, so the table would be empty and look like absence; "
            "make larger cells, or publish the map and its places"
        )
    return [one for one in selected if len(one.cells)]


def stack_columns(parts: Sequence[Mapping[str, NDArray[Any]]]) -> Columns:
    """Put the layers' columns one below the other."""
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def write(
    path: "str | os.PathLike[str]",
    columns: Columns,
    words: Mapping[str, str],
    selected: Sequence[SelectedCells],
    key: Sequence[str],
) -> list[Path]:
    """Write the table, and what its columns mean (`words`), and which of them name a row
    (`key`); return the files made.
    """
    _check_key(columns, key)
    if Path(path).suffix.lower() == ".parquet":
        _write_parquet(path, columns, words, selected)
        return [Path(path)]
    with written_aside(path) as aside:
        with open(aside, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows(zip(*(_plain(column) for column in columns.values()), strict=True))
        beside = _write_csvw(
            path, columns, words, selected, key
        )  # before the table has its name, as none stands without what it means
    return [Path(path), beside]


def _check_key(columns: Columns, key: Sequence[str]) -> None:
    """Refuse a table in which two cells have one name."""
    rows = list(zip(*(columns[name].tolist() for name in key), strict=True))
    if len(set(rows)) < len(rows) or not all(map(str, columns[key[-1]].tolist())):
        raise BadInput(
            "--as: some cells of this map share a code, or have none, as where zones of a grid"
            " meet; export it without --as"
        )


def _plain(column: NDArray[Any]) -> list[Any]:
    """Return the values of a column of a CSV: no text starts like a formula."""
    return [guard_formulas(value) if isinstance(value, str) else value for value in column.tolist()]


def _write_csvw(
    path: "str | os.PathLike[str]",
    columns: Columns,
    words: Mapping[str, str],
    selected: Sequence[SelectedCells],
    key: Sequence[str],
) -> Path:
    """Write what a CSV means beside it."""
    whole = selected[0].layer.whole or selected[0].layer.record
    pairs = facts(selected)
    described = [
        {"name": one, "datatype": _datatype(column), "dc:description": words[one]}
        for one, column in columns.items()
    ]
    about = f"{pairs.pop('words')} {map_statement(whole).provenance()}"
    return write_csvw(path, described, pairs, about, primaryKey=list(key))


def _datatype(column: NDArray[Any]) -> str:
    """Return CSVW's word for what a column holds."""
    return {"i": "integer", "f": "number"}.get(column.dtype.kind, "string")


def _write_parquet(
    path: "str | os.PathLike[str]",
    columns: Columns,
    words: Mapping[str, str],
    selected: Sequence[SelectedCells],
) -> None:
    """Write Parquet with the statement in its key-value metadata and each column's meaning in
    its own.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    arrays = [pa.array(column.tolist(), type=_arrow(column)) for column in columns.values()]
    fields = [
        pa.field(name, one.type, metadata={"description": words[name]})
        for name, one in zip(columns, arrays, strict=True)
    ]
    schema = pa.schema(fields, metadata={KEY: json.dumps(facts(selected), ensure_ascii=False)})
    with written_aside(path) as aside:
        pq.write_table(pa.Table.from_arrays(arrays, schema=schema), aside, compression="zstd")


def _arrow(column: NDArray[Any]) -> Any:
    """Return Arrow's type of a column."""
    import pyarrow as pa

    return {"i": pa.int64(), "f": pa.float64()}.get(column.dtype.kind, pa.string())


def constant(value: str, rows: int) -> NDArray[np.object_]:
    """Return a column of one text."""
    return np.full(rows, value, dtype=object)


def whole_number_column(value: int, rows: int) -> NDArray[np.int64]:
    """Return a column of one whole number."""
    return np.full(rows, value, dtype=np.int64)


def name_layer(layer: AtlasLayer) -> str:
    """Name a layer in a message: by its kind and days.

    >>> from datetime import date
    >>> name_layer(AtlasLayer(None, None, "Owl", date(2024, 1, 1), date(2024, 6, 30)))
    'Owl, 2024-01-01 to 2024-06-30'
    """
    days = f"{layer.first} to {layer.last}" if layer.first and layer.last else ""
    return ", ".join(part for part in (layer.kind[:60], days) if part) or "this map"
