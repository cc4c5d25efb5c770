"""Writes INSPIRE's Species Distribution as a flat GeoPackage: a feature for each kind, time and
cell that is told.

The names are those of the data specification (application schema SpeciesDistribution 4.0),
flattened by two rules of INSPIRE's good practice for GeoPackage (action 2017.2): General
Flattening, where the names on the way to a value are joined, here by `_`; and Simple Codelist
Reference, where a value stands by its name and in a second column, `_href`, by its address in the
register. Where the rules keep one of several values, there is one here: a unit has one
`distributionInfo`.

What the values of its lists mean here:

- `countingMethod` is `estimated`: noise was added to a count on purpose, so the number is none that
  was counted, and no model made it.
- `countingUnit` is what the steward calls the records. The list is open to such words; a record is
  no individual and no pair.
- `occurrenceCategory` is `present`: noise alone does not explain the cell. At most a tenth of all
  such cells are expected to be noise all the same. `common` and `rare` say more than a capped
  number can, and `absent`, that somebody looked and found none, is what no private map knows.
- `sensitiveInfo` is true: where the survey's records lie is what the map withholds.
- `populationType` and `residencyStatus` are void, and so is any day that was not declared:
  `nilReason` says that it is unpopulated.
"""

import os
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dpmap import style
from dpmap.atomic_write import written_aside
from dpmap.errors import BadInput
from dpmap.export import styles, vector
from dpmap.export.atlas import tables
from dpmap.export.atlas.cell_selection import SelectedCells, select_cells
from dpmap.export.atlas.layers import AtlasLayer
from dpmap.export.atlas.species_ids import Species, species
from dpmap.export.atlas.taxa import Taxa
from dpmap.grid import Grid
from dpmap.grid.crs_label import reference
from dpmap.grid.squares import Squares
from dpmap.maps import read_map
from dpmap.record import Record
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import clean, noun

if TYPE_CHECKING:
    import pyarrow as pa

UNITS = "SpeciesDistributionUnit"
SET = "SpeciesDistributionDataSet"
MEANINGS = "columns"
REGISTER = "http://inspire.ec.europa.eu/codelist"
VOID = "Unpopulated"
INFO = "distributionInfo"
SIZE = f"{INFO}_populationSize"
LOW = f"{SIZE}_populationSize_lowerBound"
HIGH = f"{SIZE}_populationSize_upperBound"
SHOWN = "estimate"
MOST_JOINED = 250_000
"""The outline of more cells than these is given by the box around them."""
WORDS = {
    "inspireId_localId": "name of this unit within the namespace",
    "inspireId_namespace": "the release that the unit is of",
    "speciesName_referenceSpeciesId": "id of the species in the reference list",
    "speciesName_referenceSpeciesId_href": "address of that id",
    "speciesName_referenceSpeciesScheme": "reference list that the id is of",
    "speciesName_referenceSpeciesScheme_href": "address of that list in the register",
    "speciesName_referenceSpeciesName": "scientific name, as declared by the publisher",
    "speciesName_referenceSpeciesName_nilReason": "why there is no name",
    f"{INFO}_occurrenceCategory": (
        "present: noise alone does not explain the cell; a tenth of such cells at most are expected"
        " to be noise"
    ),
    f"{INFO}_occurrenceCategory_href": "address of that word in the register",
    f"{SIZE}_countingMethod": "estimated: noise was added to the count on purpose",
    f"{SIZE}_countingMethod_href": "address of that word in the register",
    f"{SIZE}_countingUnit": "what is counted: the publisher's own word, which the open list allows",
    LOW: (
        "the capped total is at least this; widened for units having been chosen by the noisy"
        " totals"
    ),
    HIGH: (
        "the capped total is at most this; widened for units having been chosen by the noisy totals"
    ),
    f"{INFO}_sensitiveInfo": "true: where the records lie is withheld",
    f"{INFO}_residencyStatus": "void: not known to the map",
    f"{INFO}_residencyStatus_nilReason": "why there is no residency status",
    f"{INFO}_populationType": "void: not known to the map",
    f"{INFO}_populationType_nilReason": "why there is no population type",
    f"{INFO}_collectedFrom": "first declared day of the records",
    f"{INFO}_collectedFrom_nilReason": "why there is no first day",
    f"{INFO}_collectedTo": "last declared day of the records",
    f"{INFO}_collectedTo_nilReason": "why there is no last day",
    "beginLifespanVersion": "when the map was released",
    SHOWN: "estimated capped total, with noise, rounded; no column of INSPIRE's",
    "name": "name of the data set",
}
"""What each column is, for the table that travels in the file."""
CODE = "code of the cell in its reference grid; no column of INSPIRE's"
ALIASES = {
    "speciesName_referenceSpeciesName": "Species",
    f"{SIZE}_countingUnit": "Counted",
    LOW: "At least",
    HIGH: "At most",
    f"{INFO}_collectedFrom": "From",
    f"{INFO}_collectedTo": "To",
    SHOWN: "Estimate",
    "inspireId_localId": "Unit",
    f"{INFO}_sensitiveInfo": "Sensitive",
    f"{INFO}_occurrenceCategory": "Occurrence",
}
"""What QGIS calls the columns that people look at."""


def write(layers: Sequence[AtlasLayer], taxa: Taxa, path: "str | os.PathLike[str]") -> list[Path]:
    """Write the units, their data set, the statement and what each column means, styled for
    QGIS; return the file.
    """
    if any(read_map(layer.record).local for layer in layers):
        raise BadInput(
            "--as: inspire-sd counts records, and this map counts volunteers; leave --as out and"
            " write .gpkg"
        )
    selected = select_cells(layers)
    rows = tables.with_rows(selected)
    whole = layers[0].whole or layers[0].record
    units = [
        _columns(one, number, species(one.layer.kind, taxa), taxa)
        for number, one in enumerate(selected, 1)
        if one in rows
    ]
    columns = {name: np.concatenate([part[name] for part in units]) for name in units[0]}
    outlines = np.concatenate([_outlines(row) for row in rows])
    words = [(name, WORDS.get(name, CODE)) for name in columns]
    facts = tables.facts(selected)
    stamp = f"{_day(whole).isoformat()}T00:00:00.000Z"
    crs = reference(whole.grid.crs)
    layers_of = {
        UNITS: (_table(columns), outlines, f"{facts['words']} {map_statement(whole).provenance()}"),
        SET: (
            _data_set(whole),
            np.array([_extent(whole.grid.ground)]),
            "The data set that all units of this file are members of.",
        ),
        "statement": (
            _pairs("field", "value", list(facts.items())),
            None,
            "What was promised, and how to read the units.",
        ),
        MEANINGS: (_pairs("column", "meaning", words), None, f"What each column of {UNITS} is."),
    }
    qml = _style(columns, whole)
    with (
        written_aside(path) as aside,
        vector.gdal_options(OGR_SQLITE_SYNCHRONOUS="OFF", OGR_CURRENT_DATE=stamp),
    ):
        for name, (table, shapes, about) in layers_of.items():
            _layer(aside, name, table, shapes, about, crs)
        vector.add_styles(
            aside,
            [
                vector.Saved(UNITS, vector.DEFAULT, qml),
                vector.Saved(SET, vector.DEFAULT, styles.outline_qml()),
            ],
            stamp,
        )
    return [Path(path)]


def _columns(one: SelectedCells, number: int, named: Species, taxa: Taxa) -> dict[str, Any]:
    """Return the columns of one layer's units, in the order of the specification; `number`
    tells layers apart.
    """
    layer = one.layer
    rows = len(one.cells)
    record = layer.record
    codes = layer.record.grid.codes(one.cells)
    ids = _ids(one, codes)
    name = taxa.names.get(layer.kind)
    same = {
        "inspireId_namespace": namespace(record),
        "speciesName_referenceSpeciesId": named.id,
        "speciesName_referenceSpeciesId_href": named.address,
        "speciesName_referenceSpeciesScheme": named.scheme,
        "speciesName_referenceSpeciesScheme_href": (
            f"{REGISTER}/ReferenceSpeciesSchemeValue/{named.scheme}"
        ),
        **_voidable("speciesName_referenceSpeciesName", name),
        f"{INFO}_occurrenceCategory": "present",
        f"{INFO}_occurrenceCategory_href": f"{REGISTER}/OccurrenceCategoryValue/present",
        f"{SIZE}_countingMethod": "estimated",
        f"{SIZE}_countingMethod_href": f"{REGISTER}/CountingMethodValue/estimated",
        f"{SIZE}_countingUnit": noun(record),
        LOW: one.low,
        HIGH: one.high,
        f"{INFO}_sensitiveInfo": True,
        **_voidable(f"{INFO}_residencyStatus", None),
        **_voidable(f"{INFO}_populationType", None),
        **_voidable(f"{INFO}_collectedFrom", layer.first),
        **_voidable(f"{INFO}_collectedTo", layer.last),
        "beginLifespanVersion": datetime.combine(_day(record), datetime.min.time(), UTC),
        SHOWN: one.estimate,
    }
    unit = {
        "inspireId_localId": np.array([f"{code}.{number}" for code in ids], dtype=object),
        **codes,
    }
    local = {"inspireId_localId": unit.pop("inspireId_localId")}
    return {**local, **{key: _column(value, rows) for key, value in same.items()}, **unit}


def _ids(one: SelectedCells, codes: Mapping[str, Any]) -> list[str]:
    """Name the cells of a layer: by the first official code that all of them have, each its
    own, or else by their numbers.
    """
    for column in codes.values():
        named = [str(code) for code in column.tolist()]
        if all(named) and len(set(named)) == len(named):
            return named
    return [f"cell{cell}" for cell in one.cells.tolist()]


def _column(value: Any, rows: int) -> Any:
    """Return a column: of a value that all rows share, or of each row's own."""
    return value if isinstance(value, np.ndarray) else np.full(rows, value, dtype=object)


def _voidable(name: str, value: object) -> dict[str, Any]:
    """Return the column of a voidable property, and the one that says why it is void."""
    return {name: value, f"{name}_nilReason": VOID if value is None else None}


def namespace(record: Record) -> str:
    """Name the release, as a namespace of ids: by its DOI, or else as its ledger does."""
    return record.about.governance.doi_address or f"urn:x-dpmap:{clean(record.receipt.release_id)}"


def _day(record: Record) -> date:
    """Return the day of the release; a stranger's file may hold none."""
    try:
        return date.fromisoformat(record.released_on)
    except ValueError:
        return date(1970, 1, 1)


def _outlines(one: SelectedCells) -> Any:
    """Return the outlines of the cells that are told, in the grid's own system."""
    import shapely

    cells = one.layer.record.grid.cells
    return (
        shapely.box(*cells.corners(one.cells))
        if isinstance(cells, Squares)
        else cells.polygons(one.cells)
    )


def _extent(grid: Grid) -> Any:
    """Return the outline of the declared cells as one multipolygon; of very many, or of a
    sparse map, the box around them.
    """
    import shapely

    if isinstance(grid.cells, Squares) and (grid.cells.size > MOST_JOINED):
        return shapely.multipolygons([shapely.box(*grid.cells.bounds)])
    joined = shapely.union_all(grid.polygons())
    return shapely.multipolygons(shapely.get_parts(joined))


def _data_set(whole: Record) -> "pa.Table":
    """Return the one row of the data set."""
    import pyarrow as pa

    day = datetime.combine(_day(whole), datetime.min.time(), UTC)
    row = {
        "inspireId_localId": clean(whole.receipt.release_id),
        "inspireId_namespace": namespace(whole),
        "name": clean(whole.title),
    }
    columns = {name: pa.array([value]) for name, value in row.items()}
    return pa.table(
        {**columns, "beginLifespanVersion": pa.array([day], type=pa.timestamp("ms", tz="UTC"))}
    )


def _table(columns: dict[str, Any]) -> "pa.Table":
    """Return the units with the type that each column has in the specification, also where all
    of it is void.
    """
    import pyarrow as pa

    typed = {
        LOW: pa.int64(),
        HIGH: pa.int64(),
        SHOWN: pa.int64(),
        f"{INFO}_sensitiveInfo": pa.bool_(),
        f"{INFO}_collectedFrom": pa.date32(),
        f"{INFO}_collectedTo": pa.date32(),
        "beginLifespanVersion": pa.timestamp("ms", tz="UTC"),
    }
    return pa.table(
        {
            name: pa.array(
                values.tolist(), type=typed.get(name, pa.string() if name in WORDS else None)
            )
            for name, values in columns.items()
        }
    )


def _pairs(first: str, second: str, rows: Sequence[tuple[str, str]]) -> "pa.Table":
    """Return a table of two columns of text."""
    import pyarrow as pa

    return pa.table({first: [row[0] for row in rows], second: [row[1] for row in rows]})


def _layer(path: Path, name: str, table: "pa.Table", shapes: Any, about: str, crs: Any) -> None:
    """Add one layer to the file through GDAL, with its outlines if it has any."""
    import pyarrow as pa
    import pyogrio
    import shapely

    options: dict[str, Any] = {
        "driver": "GPKG",
        "layer": name,
        "layer_options": {"DESCRIPTION": clean(about)},
        "dataset_options": {"VERSION": "1.2"},
    }
    if shapes is None:
        pyogrio.write_dataframe(table.to_pandas(), path, **options)
        return
    kind = (
        "MultiPolygon"
        if (shapely.get_type_id(shapes) == shapely.GeometryType.MULTIPOLYGON).any()
        else "Polygon"
    )
    shapes = (
        shapely.multipolygons(
            [[shape] if shape.geom_type == "Polygon" else shape.geoms for shape in shapes]
        )
        if kind != "Polygon"
        else shapes
    )
    table = table.append_column("geom", pa.array(shapely.to_wkb(shapes).tolist(), type=pa.binary()))
    options |= {"geometry_name": "geom", "geometry_type": kind, "crs": crs.to_wkt()}
    pyogrio.write_arrow(table, path, append=path.exists(), **options)


def _style(columns: dict[str, Any], whole: Record) -> str:
    """Colour the units by their estimate, and tell its bounds where one points."""
    edges = style.class_breaks(columns[SHOWN].astype(np.float64))
    names = [f"{low:,.10g} to {high:,.10g}" for low, high in pairwise(edges)]
    lows = edges[:-1]
    highs = [*edges[1:-1], None]
    rules = [
        styles.StyleRule(f"{words} {noun(whole)} in a unit", colour, low, high)
        for words, colour, low, high in zip(
            names, style.class_colours(len(names)), lows, highs, strict=True
        )
    ]
    look = styles.Look(rules, f"{INFO}_sensitiveInfo", SHOWN)
    tip = (
        f'<b>[% "{SHOWN}" %], estimated</b><br>at least [% "{LOW}" %], at most [% "{HIGH}" %]'
        "<br>A unit that is not drawn is no absence."
    )
    return styles.vector_qml(look, list(columns), tip, names=ALIASES)
