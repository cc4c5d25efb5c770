"""Looks into a file whose records name their own fields, and suggests to the operator what to
declare.

This is the one place that reads a schema off records. What it finds is for `dpmap inspect` and
`dpmap init`, which write it down; a release reads only what was declared, whatever a later file
holds.
"""

import os
import re
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Any

from dpmap.errors import BadInput, DpmapError, require_library
from dpmap.survey import formats
from dpmap.survey.files import containers, xml_records
from dpmap.survey.files.json_records import SEARCHED, feature_names, flatten, lines, lists
from dpmap.survey.files.json_text import Number
from dpmap.survey.files.records import GEOMETRY, Row
from dpmap.survey.files.tables import FilePiece
from dpmap.survey.files.xml_records import GPX_LAYERS, xml_root
from dpmap.survey.sources import EVERY, MOST_COLUMNS, distinct, printable_name

if TYPE_CHECKING:
    from dpmap.survey.files.frames import Table

LOOKED_AT = 20_000
"""Records of a file that are looked at for the names of their fields."""
STYLE = frozenset(
    (
        "styleUrl",
        "visibility",
        "open",
        "extrude",
        "tessellate",
        "altitudeMode",
        "Snippet",
        "color",
        "width",
        "scale",
        "href",
    )
)
"""Elements of KML that say how a place is drawn, not what it is."""


def guess(path: "str | os.PathLike[str] | Table", *, layer: str | None = None) -> dict[str, Any]:
    """Looks at a file's records and returns the `format`, `columns`, `layer` and `crs` to declare;
    for the operator.

    - `path`: the file. Returns nothing for one, or for a table in memory, that says by itself what
      it holds.
    - `layer`: of a file with several, the one to look at.

    Use it as `dm.inspect(dm.read(path, **dm.guess(path)))`, and declare what
    it finds (`dpmap init` writes it down) rather than guessing again at each release.

    >>> import dpmap as dm
    >>> dm.guess("raptors.csv")
    {}
    """
    if not isinstance(path, str | os.PathLike):
        return {}
    require_library("duckdb")
    require_library("pyarrow")
    name = printable_name(os.path.basename(os.fspath(path).rstrip("/")))
    try:
        return _guessed(os.fspath(path), layer)
    except (DpmapError, MemoryError, PermissionError):
        raise
    except Exception:  # noqa: BLE001  # whatever a hostile file makes a parser raise
        raise BadInput(
            f"survey: {name} cannot be read; it may be damaged or cut short, so export it again"
        ) from None


def _guessed(address: str, layer: str | None) -> dict[str, Any]:
    """Does the work of `guess`."""
    from dpmap.survey.files import database, remote

    if (database.is_address(address) and not os.path.exists(address)) or remote.is_remote(address):
        return {}
    pieces = containers.record_pieces(address, layer)
    if not pieces:
        return {}
    schemas = [one for one in (_look_at(piece, layer) for piece in pieces) if one]
    if not schemas:
        return {}
    schema = dict(schemas[0])
    columns = [
        name for one in schemas if one["format"] == schema["format"] for name in one["columns"]
    ]
    schema["columns"] = _usable(columns)
    known = formats.recognise(
        schema["columns"], has_geometry=schema["format"] not in ("json", "jsonl")
    )
    schema["format"] += f"+{known.format.key}" if known else ""
    if not schema["columns"]:
        raise BadInput(
            f"survey: {printable_name(os.path.basename(address))} holds no records with fields;"
            " give another"
            " export"
        )
    return schema


def _look_at(piece: FilePiece, layer: str | None) -> dict[str, Any]:
    """Looks at one file's records; SMART's patrols need nothing declared."""
    head = piece.head()
    start = head[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    if start[:1] in (b"{", b"["):
        return _json(piece, layer)
    root = xml_root(head, piece.name)
    if root == "kml":
        rows = xml_records.KML.rows(piece, layer, frozenset())
        return {"format": "kml", "columns": _names(rows), **({"layer": layer} if layer else {})}
    if root == "gpx":
        return _gpx(piece, layer)
    return {}


def _gpx(piece: FilePiece, layer: str | None) -> dict[str, Any]:
    """Finds the layer that holds points, waypoints before tracks."""
    for one in (layer,) if layer in (EVERY, *GPX_LAYERS) else GPX_LAYERS:
        names = _names(xml_records.GPX.rows(piece, one, frozenset()))
        if names is not None and (names or one == layer):
            return {"format": "gpx", "layer": one, "columns": names}
    return {"format": "gpx", "layer": "waypoints", "columns": ["name"]}


def _names(rows: Iterable[Row]) -> list[str]:
    """Lists the field names of some rows in the order they first come; `name` if the rows have
    none.
    """
    seen: Counter[str] = Counter()
    some = list(islice(rows, LOOKED_AT))
    for row in some:
        seen.update(name for name in row if name not in (GEOMETRY, *STYLE))
    return list(seen) or (["name"] if some else [])


def _json(piece: FilePiece, layer: str | None) -> dict[str, Any]:
    """Tells the kind of a JSON file: one record a line, GeoJSON features, or the list that most
    likely holds records.
    """
    try:
        whole = list(lists(piece, LOOKED_AT))
    except BadInput:
        whole = None
    if whole is None:
        return _json_lines(piece)
    crs = next(
        (_crs(value) for path, value in whole if path in (("crs",), ("spatialReference",))), None
    )
    lists_by_path = {".".join(path): value for path, value in whole if isinstance(value, list)}
    lists_by_path = {
        path: some
        for path, some in lists_by_path.items()
        if any(isinstance(one, dict) for one in some)
    }
    if layer is not None:
        lists_by_path = {path: some for path, some in lists_by_path.items() if path == layer}
    rank = {path: at for at, path in enumerate(SEARCHED)}
    best = min(
        lists_by_path,
        key=lambda path: (rank.get(path.rpartition(".")[2], len(rank)), path.count(".")),
        default=None,
    )
    if best is None:
        raise BadInput(
            f"survey: {printable_name(piece.name)} holds no list of records; export it as GeoJSON"
            " or CSV"
        )
    records = [one for one in lists_by_path[best] if isinstance(one, dict)]
    if _are_features(records):
        schema = {
            "format": "geojson",
            "columns": feature_names(records),
            **({"crs": crs} if crs else {}),
        }
        return schema | ({} if best == "features" else {"layer": best})
    return {
        "format": "json",
        "columns": _names(map(flatten, records)),
        **({"layer": best} if best else {}),
    }


def _json_lines(piece: FilePiece) -> dict[str, Any]:
    some = list(islice(lines(piece), LOOKED_AT))
    if not some:
        raise BadInput(
            f"survey: {printable_name(piece.name)} is not whole JSON; it may be cut short or"
            " damaged, so"
            " export it again"
        )
    if _are_features(some):
        return {"format": "geojsonl", "columns": feature_names(some)}
    return {"format": "jsonl", "columns": _names(map(flatten, some))}


def _are_features(records: list[dict[str, Any]]) -> bool:
    """Whether most records are features, with a geometry beside their properties."""
    features = sum(
        "geometry" in record and ("properties" in record or "attributes" in record)
        for record in records
    )
    return 2 * features > len(records)


def _crs(value: Any) -> str | None:
    """Returns the CRS that an older GeoJSON or an Esri file names, unless it is the usual one."""
    text = (
        str(value.get("properties", {}).get("name", value.get("wkid", "")))
        if isinstance(value, dict)
        else ""
    )
    code = re.search(r"(\d{4,6})$", text)
    esri = {"102100": "3857", "102113": "3857"}
    if code is None or "CRS84" in text or code[1] in ("4326", "4979"):
        return None
    return f"EPSG:{esri.get(code[1], code[1])}"


def _usable(names: Iterable[str]) -> list[str]:
    """Returns the names that can be declared, each once (ignoring case), as written."""
    seen: dict[str, str] = {}
    for name in names:
        if isinstance(name, str) and not isinstance(name, Number) and distinct([name]) == [name]:
            seen.setdefault(name.lower(), name)
    return list(islice(seen.values(), MOST_COLUMNS // 10))
