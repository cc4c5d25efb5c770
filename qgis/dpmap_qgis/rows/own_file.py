"""Finds a layer's own file, where dpmap reads from it exactly what the layer holds; else the rows are streamed.

Where the least thing is unsure the answer is None. The file is better only because the promise then begins at its bytes.
"""

import os
import re
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from . import asking
from .streaming import reference

DRIVERS = ("GPKG", "ESRI Shapefile", "FlatGeobuf")
"""Formats that declare their columns, and that dpmap reads through the same library as QGIS does."""
PLAIN_TEXT = {"type": "csv", "detectTypes": None, "xField": None, "yField": None, "crs": None, "delimiter": None, "encoding": None,
              "spatialIndex": None, "subsetIndex": None, "watchFile": None, "useHeader": "Yes", "skipLines": "0", "trimFields": "No",
              "geomType": "point", "decimalPoint": ".", "quote": '"', "escape": '"'}  # fmt: skip
"""What may be said of a delimited text that dpmap reads alike; None where any value may."""


class OwnFile(NamedTuple):
    """A file's path, and the words that tell dpmap how to read it."""

    path: str
    words: tuple


def own_file(of, used=()):
    """Returns the own file of what was asked for, or None; `used` are the fields that the release names."""
    layer = of.layer
    if (
        of.selected
        or of.ruled
        or of.limited
        or layer.subsetString()
        or layer.isEditable()
        or asking.has_made_columns(layer)
    ):
        return None
    if layer.providerType() == "ogr":
        return _layer_file(layer, used)
    return _text_file(layer) if layer.providerType() == "delimitedtext" else None


def _layer_file(layer, used):
    """Finds the file of a layer that QGIS reads through GDAL; any part of its address but the layer's name says that it is no plain one."""
    path, bar, rest = layer.source().partition("|")
    provider = layer.dataProvider()
    hidden = {layer.fields().at(place).name() for place in layer.primaryKeyAttributes()}
    told = not bar or re.fullmatch(r"layername=[^|]+", rest)
    if (
        not told
        or not os.path.isfile(path)
        or provider.storageType() not in DRIVERS
        or hidden & set(used)
    ):
        return None
    if layer.crs() != provider.crs() or not layer.crs().isValid() or not _is_settled(path):
        return None
    if provider.storageType() == "ESRI Shapefile":
        return (
            OwnFile(os.path.abspath(path), ())
            if not bar and _says_its_encoding(path, provider.encoding())
            else None
        )
    if bar:
        name = rest[len("layername=") :]
        return OwnFile(os.path.abspath(path), (f"--layer={name}",)) if name != "all" else None
    return OwnFile(os.path.abspath(path), ()) if len(provider.subLayers()) == 1 else None


def _is_settled(path):
    """Whether no changes lie beside a GeoPackage that are not written into it yet."""
    return not any(
        os.path.exists(path + ending) and os.path.getsize(path + ending)
        for ending in ("-wal", "-journal")
    )


def _says_its_encoding(path, used):
    """Whether a shapefile says in which encoding its texts are, and QGIS reads it so."""
    try:
        told = Path(path).with_suffix(".cpg").read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return False
    return bool(told) and told.upper().replace("-", "") == used.upper().replace("-", "")


def _text_file(layer):
    """Finds the file of a delimited text whose columns of x and y are named and that needs nothing else said."""
    address = urlsplit(layer.dataProvider().dataSourceUri())
    told = dict(parse_qsl(address.query, keep_blank_values=True))
    path = unquote(address.path)
    if (
        address.scheme != "file"
        or address.netloc
        or not os.path.isfile(path)
        or not {"xField", "yField"} <= set(told)
    ):
        return None
    if os.path.exists(os.path.splitext(path)[0] + ".csvt") or os.path.exists(
        path + "t"
    ):  # types of QGIS's own
        return None
    if any(
        name not in PLAIN_TEXT or PLAIN_TEXT[name] not in (None, value)
        for name, value in told.items()
    ):
        return None
    mark, encoding = told.get("delimiter", ","), told.get("encoding", "UTF-8")
    if mark not in (",", ";", "|", "\\t", "\t") or encoding.upper() not in (
        "UTF-8",
        "ISO-8859-1",
        "WINDOWS-1252",
    ):
        return None
    names = layer.fields().names()
    if any(told[side] not in names for side in ("xField", "yField")) or not layer.crs().isValid():
        return None
    words = (f"--x={told['xField']}", f"--y={told['yField']}", f"--crs={reference(layer.crs())}", f"--encoding={encoding}",
             f"--delimiter={'tab' if mark in (chr(9), chr(92) + 't') else mark}")  # fmt: skip
    return OwnFile(os.path.abspath(path), words)
