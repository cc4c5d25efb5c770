"""Writes vector layers: one polygon per cell with its estimate, interval and whether it surely
holds something.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dpmap.atomic_write import written_aside
from dpmap.export import embedded_metadata, styles
from dpmap.grid import crs as crs_tools
from dpmap.grid import official
from dpmap.grid.crs_label import reference
from dpmap.inference import Estimate
from dpmap.maps import read_map
from dpmap.numbers import decimal_text
from dpmap.record import Record
from dpmap.statement.kinds import map_statement

if TYPE_CHECKING:
    import geopandas
    import pandas as pd

    from dpmap.inference.patches import Patches

LEVEL = 0.9
MOST_PARTED = 250_000
"""Larger maps take longer to part than to write; `release.patches()` still parts them."""
PATCHES = (
    "The smallest places of which the density can be told; 90 % intervals, widened for having been"
    " chosen by the map itself."
)
STYLES = """
CREATE TABLE layer_styles (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, f_table_catalog TEXT(256),
    f_table_schema TEXT(256), f_table_name TEXT(256), f_geometry_column TEXT(256),\
 styleName TEXT(30), styleQML TEXT,
    styleSLD TEXT, useAsDefault BOOLEAN, description TEXT, owner TEXT(30), ui TEXT(30),
    update_time DATETIME DEFAULT CURRENT_TIMESTAMP)
"""
DEFAULT = "dpmap"


@dataclass(frozen=True, slots=True)
class Saved:
    """Holds a style that is saved with a layer; the one of the default name opens with it."""

    layer: str
    name: str
    qml: str
    sld: str = ""


def cells_frame(record: Record, estimate: Estimate, level: float = 0.9) -> "geopandas.GeoDataFrame":
    """Return the in-area cells, in row order, in the grid's CRS.

    What the columns are, the map's kind says: see its `columns`.
    """
    grid = record.grid
    inside = grid.inside
    frame = grid.to_geodataframe()
    for name, values in read_map(record).columns(estimate, level).items():
        frame.insert(len(frame.columns) - 1, name, values[inside])
    return frame


def measurements_frame(record: Record) -> "geopandas.GeoDataFrame":
    """Return every region of every measurement with its noisy total as drawn, its noise scale
    and its cost.
    """
    import geopandas as gpd
    import pandas as pd

    parts = []
    drawn = [
        (one, measurement) for one in read_map(record).parts() for measurement in one.measurements
    ]
    for number, (one, measurement) in enumerate(drawn):
        labels = measurement.partition.labels[one.grid.inside]
        part = gpd.GeoDataFrame(
            {
                **({} if one is record else {"dataset": one.receipt.dataset}),
                "measurement": number,
                "region": np.arange(measurement.partition.regions),
                "cells": np.bincount(labels[labels >= 0], minlength=measurement.partition.regions),
                "noisy": measurement.values,  # noqa: PD011  # a Measurement, no pandas object
                "scale": read_map(one).scale(measurement),
                "epsilon": decimal_text(measurement.epsilon),
            },
            geometry=measurement.partition.polygons(one.grid),
            crs=reference(record.grid.crs),
        )
        parts.append(part)
    joined: gpd.GeoDataFrame = pd.concat(parts, ignore_index=True)
    return joined


def statement_frame(record: Record) -> "pd.DataFrame":
    """Return what was promised and how to read the layers, one line each."""
    import pandas as pd

    facts = map_statement(record).facts()
    return pd.DataFrame({"field": list(facts), "value": list(facts.values())})


def patches_frame(patches: "Patches") -> "geopandas.GeoDataFrame":
    """Return the smallest places of which the colour can be told, in the grid's CRS."""
    frame = patches.to_geodataframe()
    frame.insert(0, "place", np.arange(1, len(patches) + 1))
    return frame


def write_geopackage(record: Record, estimate: Estimate, path: "str | os.PathLike[str]") -> None:
    """Write a GeoPackage with the layers cells, patches, measurements and statement, which QGIS
    opens styled.

    Maps whose area cannot be parted, or is very large, have no patches.
    """
    parted = read_map(record).parted and record.grid.cells_inside <= MOST_PARTED
    patches = read_map(record).patches(LEVEL) if parted else None
    places = None if patches is None else patches_frame(patches)
    cells = cells_frame(record, estimate)
    measured = measurements_frame(record)
    layers: dict[str, tuple[Any, str]] = {
        "cells": (cells, map_statement(record).provenance()),
        **({} if places is None else {"patches": (places, PATCHES)}),
        "measurements": (measured, "Noisy totals as drawn; everything else derives from them."),
        "statement": (statement_frame(record), "What was promised, and how to read these layers."),
    }
    looks = _looks(record, estimate, {"cells": cells, "patches": places, "measurements": measured})
    date = f"{record.released_on}T00:00:00.000Z"
    # Flushed once, by `written_aside`, not eighty times; and dated by the release, so that equal
    # releases make equal files.
    with (
        written_aside(path) as aside,
        gdal_options(OGR_SQLITE_SYNCHRONOUS="OFF", OGR_CURRENT_DATE=date),
    ):
        for name, (frame, words) in layers.items():
            _write(
                equal_area(frame, record),
                aside,
                "GPKG",
                layer=name,
                layer_options={"DESCRIPTION": words},
                dataset_options={"VERSION": "1.2"},
            )
        add_styles(aside, looks, date)


@contextmanager
def gdal_options(**settings: str) -> Iterator[None]:
    """Set options of GDAL for as long as the block lasts."""
    import pyogrio

    usual = {name: pyogrio.get_gdal_config_option(name) for name in settings}
    pyogrio.set_gdal_config_options(settings)
    try:
        yield
    finally:
        pyogrio.set_gdal_config_options(usual)


def equal_area(frame: Any, record: Record, whole: Any = None) -> Any:
    """Return hexagons, whose degrees a GIS would draw stretched, in the equal-area projection
    around the map; others as they are.

    Rows that are only some of the map's land, or none, follow the `whole` of it.
    """
    if record.grid.kind != "hexagons" or not hasattr(frame, "geometry"):
        return frame
    bounds = (frame if whole is None else whole).total_bounds
    return frame.to_crs(reference(crs_tools.equal_area(bounds)))


def _looks(
    record: Record, estimate: Estimate, frames: "dict[str, geopandas.GeoDataFrame | None]"
) -> list[Saved]:
    """Return the styles of all layers: the one that opens, and of cells also each by itself."""
    fields = {
        name: [str(column) for column in frame.columns[:-1]]
        for name, frame in frames.items()
        if frame is not None
    }
    # Codes stand in what pointing at a cell tells: between the places' numbers they could not be
    # told from them.
    named = '"name"' if "name" in fields["cells"] and not official.columns(record.grid) else ""
    tip = _cell_tip(record)
    default = styles.default_look(record, estimate)
    alone = styles.cells_look(record, estimate)
    parts = [
        Saved(
            "cells",
            DEFAULT,
            styles.vector_qml(default, fields["cells"], tip, named),
            styles.sld(record, estimate),
        )
    ]
    if default != alone:
        parts.append(
            Saved("cells", "single cells", styles.vector_qml(alone, fields["cells"], tip, named))
        )
    parts.append(Saved("measurements", DEFAULT, styles.outline_qml()))
    if "patches" in fields:
        look = styles.places_look(record, read_map(record).patches(LEVEL))
        value = map_statement(record).columns.value
        digits = 1 if map_statement(record).columns.signed else 0
        label = f'CASE WHEN "told" THEN format_number("{value}", {digits}) END'
        qml = styles.vector_qml(look, fields["patches"], _place_tip(value, digits), label)
        parts.append(Saved("patches", DEFAULT, qml))
    return parts


def _cell_tip(record: Record) -> str:
    """Return what pointing at a cell tells."""
    value = map_statement(record).columns.value
    named = ("h3",) if record.grid.kind == "hexagons" else official.columns(record.grid)
    codes = "".join(f'<br>{column} [% "{column}" %]' for column in named)
    return (
        f'<b>[% format_number("{value}", 1) %] {value} of this cell</b><br>90 % interval: [%'
        ' format_number("low", 1) %] to [% format_number("high", 1) %]<br>[%'
        f' format_number("area_km2", 2) %] km\N{SUPERSCRIPT TWO}{codes}'
    )


def _place_tip(value: str, digits: int) -> str:
    """Return what pointing at a place tells."""
    formatted = {
        name: f'[% format_number("{name}", {digits}) %]' for name in (value, "low", "high")
    }
    return (
        f"<b>{formatted[value]} {value} of this place</b><br>90 % interval: {formatted['low']} to"
        f' {formatted["high"]}<br>[% "cells" %] cell[% CASE WHEN "cells" > 1 THEN \'s, which cannot'
        " be told apart' ELSE '' END %], [% format_number(\"area_km2\", 2) %]"
        " km\N{SUPERSCRIPT TWO}"
    )


def add_styles(path: Path, looks: "list[Saved]", date: str) -> None:
    """Add the `layer_styles` table that QGIS reads."""
    connection = sqlite3.connect(path)
    try:
        connection.execute("PRAGMA synchronous = OFF")
        with connection:
            connection.execute(STYLES)
            for look in looks:
                connection.execute(
                    "INSERT INTO layer_styles (f_table_catalog, f_table_schema, f_table_name,"
                    " f_geometry_column, styleName, styleQML, styleSLD, useAsDefault, description,"
                    " owner, update_time) VALUES ('', '', ?, 'geom', ?, ?, ?, ?, '', '', ?)",
                    (look.layer, look.name, look.qml, look.sld, look.name == DEFAULT, date),
                )
            connection.execute(
                "INSERT INTO gpkg_contents (table_name, data_type, identifier, description,"
                " last_change) VALUES ('layer_styles', 'attributes', 'layer_styles', '', ?)",
                (date,),
            )
    finally:
        connection.close()


def write_geoparquet(record: Record, estimate: Estimate, path: "str | os.PathLike[str]") -> None:
    """Write GeoParquet 1.1 with a bounding-box column, so that readers can skip what they do not
    need; the statement is in the file's metadata.
    """
    frame = cells_frame(record, estimate)
    with written_aside(path) as aside:
        frame.to_parquet(
            aside, index=False, compression=None, schema_version="1.1.0", write_covering_bbox=True
        )
        embedded_metadata.into_parquet(aside, record)
    styles.write_beside(record, estimate, path)


def write_flatgeobuf(record: Record, estimate: Estimate, path: "str | os.PathLike[str]") -> None:
    """Write a FlatGeobuf of the cells as a GeoPackage has them, with the index by which readers
    fetch a part of the map; the statement is in the file's metadata.

    The index sorts the rows by where they lie: `cell` says which cell each is.
    """
    statement = map_statement(record)
    with written_aside(path) as aside:
        _write(
            equal_area(cells_frame(record, estimate), record),
            aside,
            "FlatGeobuf",
            layer="cells",
            layer_options={"DESCRIPTION": statement.provenance()},
            layer_metadata=statement.facts(),
        )
    styles.write_beside(record, estimate, path)


def write_geojson(record: Record, estimate: Estimate, path: "str | os.PathLike[str]") -> None:
    """Write GeoJSON after RFC 7946: longitude and latitude, outer rings anticlockwise, the
    statement at its top level.
    """
    frame = _guarded(cells_frame(record, estimate)).to_crs(crs_tools.LONLAT)
    options = {
        "RFC7946": "YES",
        "COORDINATE_PRECISION": "7",
        "SIGNIFICANT_FIGURES": "12",
        "WRITE_NAME": "NO",
        "DESCRIPTION": map_statement(record).provenance(),
    }
    with written_aside(path) as aside:
        plain = aside.with_name(f"{aside.name}.plain")
        _write(frame, plain, "GeoJSON", layer_options=options)
        embedded_metadata.into_geojson(plain, record, aside)
    styles.write_beside(record, estimate, path)


def write_csv(record: Record, estimate: Estimate, path: "str | os.PathLike[str]") -> None:
    """Write a table with the longitude and latitude of each cell's middle; no text starts like a
    formula. What it means stands in a file beside it.
    """
    import shapely

    frame = _guarded(cells_frame(record, estimate))
    middle = shapely.centroid(np.asarray(frame.geometry.array))
    lon, lat = crs_tools.transform(
        shapely.get_x(middle), shapely.get_y(middle), record.grid.crs, crs_tools.LONLAT
    )
    table = frame.drop(columns="geometry")
    at = list(table.columns).index(map_statement(record).columns.value)
    table.insert(at, "lon", np.round(lon, 6))
    table.insert(at + 1, "lat", np.round(lat, 6))
    with written_aside(path) as aside:
        table.to_csv(
            aside, index=False, float_format="%.12g", lineterminator="\n", encoding="utf-8"
        )
    embedded_metadata.beside_csv(path, list(table.columns), record)


def guard_formulas(text: str) -> str:
    """Turn text that a spreadsheet would run as a formula into plain text by an apostrophe.

    >>> guard_formulas("=1+1"), guard_formulas("Teruel")
    ("'=1+1", 'Teruel')
    """
    return (
        f"'{text}"
        if text.lstrip()[:1] in ("=", "+", "-", "@") or text[:1] in ("\t", "\r", "\n")
        else text
    )


def _guarded(frame: "geopandas.GeoDataFrame") -> "geopandas.GeoDataFrame":
    """Guards the names of areas, which come from a file of someone else's."""
    if "name" in frame.columns:
        frame["name"] = [guard_formulas(str(name)) for name in frame["name"]]
    return frame


def _write(frame: Any, path: Path, driver: str, **options: Any) -> None:
    """Write one layer through GDAL."""
    import pyogrio

    pyogrio.write_dataframe(frame, path, driver=driver, **options)
