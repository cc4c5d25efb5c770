"""Writes a release that shows only the cells above its threshold: piece by piece, never a value for
every cell.

A cell that is not shown is not empty: its noisy total is known to lie below the threshold, and its
capped total below `hidden_below`, with the probability that the intervals state.
"""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpmap.atomic_write import written_aside
from dpmap.errors import BadInput
from dpmap.grid.crs_label import reference
from dpmap.inference.sparse_bounds import interval, listed_cells
from dpmap.record import Record
from dpmap.statement.kinds import map_statement

if TYPE_CHECKING:
    import pyarrow as pa

LEVEL = 0.9
ROWS = 1 << 16
BLOCK = 512


def export(record: Record, path: "str | os.PathLike[str]") -> list[Path]:
    """Write a sparse release as GeoParquet or GeoTIFF, by the file's suffix."""
    writers: dict[str, Callable[[Record, Any], None]] = {
        ".parquet": write_geoparquet,
        ".tif": write_geotiff,
        ".tiff": write_geotiff,
    }
    write = writers.get(Path(path).suffix.lower())
    if write is None:
        raise BadInput("a sparse release is written as .parquet or .tif; choose one of them")
    write(record, path)
    return [Path(path)]


def write_geoparquet(record: Record, path: "str | os.PathLike[str]") -> None:
    """Write GeoParquet 1.1 of the cells shown, a row group at a time."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    _, cells, squares = listed_cells(record)
    geometry = {
        "encoding": "WKB",
        "geometry_types": ["Polygon"],
        "bbox": list(squares.bounds),
        "crs": json.loads(reference(record.grid.crs).to_json()),
    }
    geo = {"version": "1.1.0", "primary_column": "geometry", "columns": {"geometry": geometry}}
    codes = record.grid.codes(cells.places)
    coded = {
        column: pa.string() if values.dtype == object else pa.int64()
        for column, values in codes.items()
    }
    names = {
        "cell": pa.int64(),
        **coded,
        "noisy": pa.float64(),
        "low": pa.float64(),
        "high": pa.float64(),
    }
    schema = pa.schema([*names.items(), ("geometry", pa.binary())])
    schema = schema.with_metadata(
        {
            "geo": json.dumps(geo),
            "dpmap": json.dumps(map_statement(record).facts(), ensure_ascii=False),
        }
    )
    with (
        written_aside(path) as aside,
        pq.ParquetWriter(aside, schema, compression="zstd") as writer,
    ):
        for batch in _batches(record, schema, list(codes.values())):
            writer.write_batch(batch)


def _batches(
    record: Record, schema: "pa.Schema", codes: Sequence[NDArray[Any]]
) -> "Iterator[pa.RecordBatch]":
    import pyarrow as pa
    import shapely

    measurement, cells, squares = listed_cells(record)
    low, high = interval(measurement, LEVEL)
    for start in range(0, len(low), ROWS):
        part = slice(start, start + ROWS)
        outlines = shapely.to_wkb(shapely.box(*squares.corners(cells.places[part])))
        coded = [values[part] for values in codes]
        columns = [
            cells.places[part],
            *coded,
            measurement.steps[part] / measurement.lattice,
            low[part],
            high[part],
            outlines,
        ]
        yield pa.record_batch([pa.array(column) for column in columns], schema=schema)


def write_geotiff(record: Record, path: "str | os.PathLike[str]") -> None:
    """Write a cloud-optimised GeoTIFF of the noisy totals, a row of blocks at a time; empty blocks
    take no room.

    A cell that is not shown has no data. In an overview a cell holds the average of those under it
    that are shown.
    """
    import rasterio
    from rasterio.shutil import copy
    from rasterio.windows import Window

    measurement, cells, squares = listed_cells(record)
    (rows, columns), (width, height) = squares.shape, squares.cell
    profile = {
        "driver": "GTiff",
        "width": columns,
        "height": rows,
        "count": 1,
        "dtype": "float32",
        "nodata": np.nan,
        "crs": rasterio.CRS.from_wkt(reference(record.grid.crs).to_wkt()),
        "tiled": True,
        "blockxsize": BLOCK,
        "blockysize": BLOCK,
        "compress": "zstd",
        "SPARSE_OK": True,
        "BIGTIFF": "IF_SAFER",
        "transform": rasterio.Affine(
            width, 0.0, squares.bounds[0], 0.0, -height, squares.bounds[3]
        ),
    }
    row, column = np.divmod(cells.places, columns)
    values = (measurement.steps / measurement.lattice).astype(np.float32)
    with written_aside(path) as aside:
        plain = aside.with_name(f"{aside.name}.plain.tif")
        with rasterio.open(plain, "w", **profile) as target:
            for top in np.unique(row // BLOCK) * BLOCK:
                part = slice(*np.searchsorted(row, [top, top + BLOCK]))
                tall = min(BLOCK, rows - top)
                for left in np.unique(column[part] // BLOCK) * BLOCK:
                    in_block = column[part] // BLOCK == left // BLOCK
                    block = np.full((tall, min(BLOCK, columns - left)), np.nan, dtype=np.float32)
                    block[row[part][in_block] - top, column[part][in_block] - left] = values[part][
                        in_block
                    ]
                    target.write(block, 1, window=Window(left, top, block.shape[1], tall))
            target.set_band_description(1, "noisy")
            target.set_band_unit(1, map_statement(record).band_unit("noisy"))
            target.update_tags(1, LONG_NAME=map_statement(record).columns.bands["noisy"])
            target.update_tags(AREA_OR_POINT="Area", **map_statement(record).facts())
        copy(
            plain,
            aside,
            driver="COG",
            COMPRESS="ZSTD",
            SPARSE_OK="TRUE",
            OVERVIEW_RESAMPLING="AVERAGE",
            BLOCKSIZE=str(BLOCK),
        )
        plain.unlink()
