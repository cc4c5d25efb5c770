"""Writes one styled layer of answers about a map, such as its hot spots, with the statement of
what it was made from.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpmap.atomic_write import written_aside
from dpmap.errors import BadInput, require_library
from dpmap.export import embedded_metadata, files_beside
from dpmap.export.vector import DEFAULT, Saved, add_styles, gdal_options, guard_formulas
from dpmap.grid import crs as crs_tools

if TYPE_CHECKING:
    import geopandas

SUFFIXES = (".gpkg", ".geojson", ".parquet", ".csv")


@dataclass(frozen=True, slots=True)
class AnswerLayer:
    """Holds a layer: its `name`, its rows, what it shows in `words`, the statement as `facts`,
    its style for QGIS, and its day.
    """

    name: str
    frame: "geopandas.GeoDataFrame"
    words: str
    facts: Mapping[str, str]
    qml: str
    date: str


def check_suffix(path: "str | os.PathLike[str]") -> str:
    """Return the suffix if a layer can be written in it, else refuses.

    >>> check_suffix("spots.GPKG")
    '.gpkg'
    """
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise BadInput(
            f"--to: such a layer is written as {' '.join(SUFFIXES)}; choose one of these suffixes"
        )
    return suffix


def write(
    layer: AnswerLayer, path: "str | os.PathLike[str]", others: Sequence[AnswerLayer] = ()
) -> list[Path]:
    """Write the layer to `path`, by its suffix, and return the files that this made.

    A GeoPackage has its style in it, and the `others` as layers of their own; beside GeoJSON and
    Parquet stands a .qml, beside a table what its columns mean.
    """
    suffix = check_suffix(path)
    if suffix == ".parquet":
        require_library("pyarrow")
    with written_aside(path) as aside:
        if suffix == ".gpkg":
            _geopackage([layer, *others], aside)
        elif suffix == ".geojson":
            _geojson(layer, aside)
        elif suffix == ".parquet":
            layer.frame.to_parquet(aside, index=False, compression=None, schema_version="1.1.0")
            embedded_metadata.facts_into_parquet(aside, layer.facts)
        else:
            table = plain(layer.frame).drop(columns=layer.frame.geometry.name)
            table.to_csv(
                aside, index=False, float_format="%.12g", lineterminator="\n", encoding="utf-8"
            )
    if suffix == ".csv":
        columns = embedded_metadata.column_meanings([str(name) for name in table.columns])
        embedded_metadata.write_csvw(path, columns, layer.facts, layer.words)
    elif suffix != ".gpkg":
        with written_aside(Path(path).with_suffix(".qml")) as aside:
            aside.write_text(layer.qml, encoding="utf-8")
    return [Path(path), *files_beside(path)]


def plain(frame: "geopandas.GeoDataFrame") -> "geopandas.GeoDataFrame":
    """Return the rows with texts and names of columns, which may be a stranger's, that no
    spreadsheet runs.
    """
    safe = frame.copy()
    for name in safe.columns:
        if name != frame.geometry.name and (
            safe[name].dtype == object or str(safe[name].dtype).startswith("str")
        ):
            safe[name] = [
                guard_formulas(value) if isinstance(value, str) else value for value in safe[name]
            ]
    return safe.rename(columns={name: guard_formulas(str(name)) for name in safe.columns})


def _geopackage(layers: Sequence[AnswerLayer], aside: Path) -> None:
    import pandas as pd

    date = f"{layers[0].date}T00:00:00.000Z"
    facts = layers[0].facts
    statement = pd.DataFrame({"field": list(facts), "value": list(facts.values())})
    tables = [(layer.name, layer.frame, layer.words) for layer in layers]
    with gdal_options(OGR_SQLITE_SYNCHRONOUS="OFF", OGR_CURRENT_DATE=date):
        for name, frame, words in [
            *tables,
            ("statement", statement, "What was promised, and how to read."),
        ]:
            _to(
                frame,
                aside,
                "GPKG",
                layer=name,
                layer_options={"DESCRIPTION": words},
                dataset_options={"VERSION": "1.2"},
            )
    add_styles(aside, [Saved(layer.name, DEFAULT, layer.qml) for layer in layers], date)


def _geojson(layer: AnswerLayer, aside: Path) -> None:
    options = {
        "RFC7946": "YES",
        "COORDINATE_PRECISION": "7",
        "WRITE_NAME": "NO",
        "DESCRIPTION": layer.words,
    }
    unfinished = aside.with_name(f"{aside.name}.plain")
    _to(plain(layer.frame).to_crs(crs_tools.LONLAT), unfinished, "GeoJSON", layer_options=options)
    embedded_metadata.facts_into_geojson(unfinished, layer.facts, aside)


def _to(frame: Any, path: Path, driver: str, **options: Any) -> None:
    import pyogrio

    empty = (
        {"geometry_type": "MultiPolygon"} if hasattr(frame, "geometry") and not len(frame) else {}
    )
    pyogrio.write_dataframe(frame, path, driver=driver, **empty, **options)
