"""Layers with geometry, streamed by GDAL."""

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from dpmap.errors import BadInput
from dpmap.grid import crs as crs_tools
from dpmap.grid.area import check_own_content
from dpmap.survey.sources import Source, check_told_apart, listed, shown

if TYPE_CHECKING:
    import pyarrow as pa

NOT_DATA = ("layer_styles", "qgis_projects")
AFAR = "dpmap-afar"
"""Stands for the path of what lies in a store or on a server, where GDAL does not reach."""


def vector(path: str, name: str, layer: str | None) -> Source:
    """Any vector layer GDAL reads, streamed; `path` may be one of GDAL's own for what lies inside an archive."""
    import pyogrio

    if AFAR in path:
        raise BadInput(f"survey: {shown(name)} is a layer, which is read from a disk only; fetch it and give the file")
    check_own_content(path, layer, "survey")
    path = _openable(path)
    try:
        with quiet():
            layers = {str(row[0]): row[1] for row in pyogrio.list_layers(path)}
            chosen = _chosen(path, layers, shown(name), layer)
            about = pyogrio.read_info(path, layer=chosen)
    except BadInput:
        raise
    except Exception:  # noqa: BLE001  # whatever a hostile file makes a parser raise
        raise _no_layer(name) from None
    columns = tuple(str(column) for column in about["fields"])
    if path.lower().endswith(".shp") and not path.startswith("/vsi"):
        _check_whole_shapefile(path, name)
    check_told_apart(columns, name)
    geometry = "wkb_geometry" if about["geometry_type"] else None
    unknown = not about["crs"] or '"Undefined ' in about["crs"][:40]  # a GeoPackage's words for having none
    crs = None if unknown else crs_tools.text_of(about["crs"])

    @contextmanager
    def stream(wanted: list[str]) -> "Iterator[pa.RecordBatchReader]":
        try:
            with _streamed(path, chosen, wanted, geometry) as reader:
                yield _whole(reader, about["features"], name)
        except (pyogrio.errors.DataSourceError, pyogrio.errors.DataLayerError):
            raise _no_layer(name) from None

    return Source(columns, geometry=geometry, crs=crs, stream=stream)


@contextmanager
def _streamed(path: str, layer: str, wanted: list[str], geometry: str | None) -> "Iterator[pa.RecordBatchReader]":
    """The wanted columns of a layer, batch by batch, the geometry under the one name dpmap uses."""
    import pyogrio

    fields = [column for column in wanted if column != geometry]
    # GDAL's fast FlatGeobuf reader stops at a feature without geometry; its plain one does not
    pyogrio.set_gdal_config_options({"OGR_FLATGEOBUF_STREAM_BASE_IMPL": "YES", "CPL_LOG": os.devnull})
    with (
        quiet(),
        pyogrio.open_arrow(
            path, layer=layer, columns=fields, read_geometry=geometry in wanted, use_pyarrow=True, batch_size=65536
        ) as (meta, reader),
    ):
        yield _renamed(reader, meta, geometry)


def _no_layer(name: str) -> BadInput:
    return BadInput(f"survey: {shown(name)} cannot be read as a vector layer; it may be damaged, so export it again")


def _openable(path: str) -> str:
    """The path as GDAL opens it: pyogrio takes some marks for parts of an address, but not below /vsisubfile/."""
    if path.startswith("/vsi") or not any(mark in path for mark in ";!\n\r\t"):
        return path
    if path.lower().endswith((".shp", ".gdb")):
        raise BadInput("survey: GDAL opens no such layer whose path holds ; ! or a line break; rename it")
    return f"/vsisubfile/0,{os.path.abspath(path)}"


def _check_whole_shapefile(path: str, name: str) -> None:
    """Refuses a shapefile shorter than its header says."""
    with open(path, "rb") as stream:
        head = stream.read(28)
    if int.from_bytes(head[24:28], "big") * 2 > os.path.getsize(path):
        raise BadInput(f"survey: {shown(name)} breaks off; copy or export it again")


def _whole(reader: "pa.RecordBatchReader", features: int, name: str) -> "pa.RecordBatchReader":
    """The same batches; refused at the end when there were fewer rows than the layer says it has."""
    import pyarrow as pa

    def batches() -> "Iterator[pa.RecordBatch]":
        rows = 0
        for batch in reader:
            rows += batch.num_rows
            yield batch
        if rows < features:
            raise BadInput(f"survey: {shown(name)} breaks off; copy or export it again")

    return pa.RecordBatchReader.from_batches(reader.schema, batches())


@contextmanager
def quiet() -> Iterator[None]:
    """GDAL's warnings quote values; none may reach the screen."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _chosen(path: str, layers: dict[str, Any], name: str, layer: str | None) -> str:
    """The layer asked for, or the only one with places; several are for the steward to choose."""
    import pyogrio

    if layer is not None:
        if layer not in layers:
            raise BadInput(f"survey: {name} has no layer of that name; it has {listed(tuple(layers))}")
        return layer
    placed = [one for one, kind in layers.items() if kind is not None and one not in NOT_DATA] or list(layers)
    if len(placed) > 1 and set(placed) <= {"waypoints", "routes", "tracks", "route_points", "track_points"}:
        filled = [one for one in ("waypoints", "track_points", "route_points")
                  if pyogrio.read_info(path, layer=one, force_feature_count=True)["features"]]  # fmt: skip
        placed = filled or ["waypoints"]
    if len(placed) != 1:
        raise BadInput(f"survey: {name} has several layers ({listed(tuple(placed))}); add --layer NAME")
    return placed[0]


def _renamed(reader: "pa.RecordBatchReader", meta: dict[str, Any], geometry: str | None) -> "pa.RecordBatchReader":
    """The same batches with the geometry column under the one name dpmap uses, as plain bytes."""
    import pyarrow as pa

    found = meta["geometry_name"] or "wkb_geometry"
    names = [geometry if field.name == found and geometry else field.name for field in reader.schema]
    schema = pa.schema([pa.field(name, field.type) for name, field in zip(names, reader.schema, strict=True)])
    batches = (pa.RecordBatch.from_arrays(batch.columns, schema=schema) for batch in reader)
    return pa.RecordBatchReader.from_batches(schema, batches)
