"""Makes `tableschema.json`: what each column of the table of cells holds, after Frictionless Data's
Table Schema 2.0.

The table is the one that `dpmap export RELEASE --to cells.csv` writes, of each layer; of a sparse
release `cells.parquet`. The layers of `cells.gpkg` have the same columns, and an outline in place
of `lon` and `lat`.
"""

from typing import Any

from dpmap.catalogue.common_fields import abstract, single
from dpmap.grid import official
from dpmap.grid.h3_cells import Hexagons
from dpmap.grid.polygon_cells import Areas
from dpmap.maps import read_map
from dpmap.maps.totals import PLACE_SHOWN
from dpmap.record import Record
from dpmap.statement.columns import COLUMNS
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import clean

PROFILE = "https://datapackage.org/profiles/2.0/tableschema.json"
PLACES = ("place", "place_told", PLACE_SHOWN)
TYPES = {
    "cell": "integer",
    "place": "integer",
    "gridSizeInMeters": "integer",
    "name": "string",
    "h3": "string",
    "distinguishable": "boolean",
    "place_told": "boolean",
    "answered": "boolean",
}
"""The types of the columns that are no numbers with a fraction."""
KEY = {"required": True, "unique": True, "minimum": 0}
LIMITS: dict[str, dict[str, Any]] = {
    "cell": KEY,
    "lon": {"required": True, "minimum": -180, "maximum": 180},
    "lat": {"required": True, "minimum": -90, "maximum": 90},
    "area_km2": {"required": True, "minimum": 0},
    "place": {"minimum": 0},
    "distinguishable": {"required": True},
    "place_told": {"required": True},
    "answered": {"required": True},
}
UNITS = {"lon": "degrees", "lat": "degrees", "area_km2": "km2"}


def tableschema(record: Record) -> dict[str, Any]:
    """Return the schema."""
    one = single(record)
    fields = [_field(one, name, kind) for name, kind in _field_names(one).items()]
    return {
        "$schema": PROFILE,
        "title": (
            "The table of cells, as dpmap export RELEASE --to cells.csv writes it"
            if read_map(one).complete
            else "The table of the cells that are listed, cells.parquet"
        ),
        "description": abstract(record),
        "fields": fields,
        "primaryKey": ["cell"],
        "missingValues": [""],
    }


def _field_names(one: Record) -> dict[str, str]:
    """Name the columns in their order, each with its type."""
    grid = one.grid
    columns = map_statement(one).columns
    complete = read_map(one).complete
    table_columns = (
        {Areas: {"name": "string"}, Hexagons: {"h3": "string"}}.get(type(grid.cells), {})
        if complete
        else {}
    )
    codes = {name: TYPES.get(name, "string") for name in official.columns(grid)}
    middle = {"lon": "number", "lat": "number"} if complete else {}
    names = {"cell": "integer", **table_columns, **codes, **middle}
    placed = PLACES if columns.placed and read_map(one).parted else ()
    return names | {name: TYPES.get(name, "number") for name in (*columns.table, *placed)}


def _field(one: Record, name: str, kind: str) -> dict[str, Any]:
    """Describe a column of this kind of values."""
    return {
        "name": name,
        "type": kind,
        "description": clean(COLUMNS.get(name, name)),
        **({"unit": unit} if (unit := _unit(one, name)) else {}),
        **({"constraints": dict(LIMITS[name])} if name in LIMITS else {}),
    }


def _unit(one: Record, name: str) -> str:
    """Return the unit of a column, if it has one."""
    words = map_statement(one)
    if name in UNITS:
        return UNITS[name]
    if TYPES.get(name) or name not in (*words.columns.table, PLACE_SHOWN):
        return ""
    return clean(words.band_unit("count" if name.startswith("count") else name))
