"""Writes rasters: a cloud-optimised GeoTIFF, an xarray Dataset and NetCDF after the CF
conventions.
"""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpmap.atomic_write import written_aside
from dpmap.errors import BadInput, require_library
from dpmap.export import acdd, styles
from dpmap.grid import crs as crs_tools
from dpmap.grid.crs_label import reference
from dpmap.grid.h3_cells import Hexagons
from dpmap.grid.layer_axes import Axis, Times, axis_names
from dpmap.grid.polygon_cells import Areas
from dpmap.grid.squares import Squares
from dpmap.inference import Estimate, distinguishable
from dpmap.maps import read_map
from dpmap.maps.totals import PLACE_SHOWN, SHOWN
from dpmap.record import Record
from dpmap.statement.columns import COLUMNS, PLACE_WORDS, SHOWN_WORDS
from dpmap.statement.kinds import map_statement

if TYPE_CHECKING:
    import xarray

LEVEL = 0.9
MAPPING = "spatial_ref"
IN_FILES = "crs"
"""The variable with the reference system, in memory and in files."""


def write_geotiff(record: Record, estimate: Estimate, path: "str | os.PathLike[str]") -> None:
    """Write a cloud-optimised GeoTIFF of square cells: the four layers and the one that its
    style, written beside, colours.
    """
    if not isinstance(record.grid.cells, Squares):
        raise BadInput(
            f"a GeoTIFF holds square cells, not {record.grid.kind}; write .gpkg, .parquet or"
            " .geojson instead"
        )
    map_ = read_map(record)
    units = map_statement(record).band_unit
    names = _names(record)
    layers = map_.bands(estimate, LEVEL) | map_.coloured(estimate)
    write_cog(
        record, [(name, units(name), names[name], values) for name, values in layers.items()], path
    )
    styles.write_beside(record, estimate, path)


def write_cog(
    record: Record,
    bands: Sequence[tuple[str, str, str, NDArray[Any]]],
    path: "str | os.PathLike[str]",
) -> None:
    """Write these bands of square cells, each with its name, unit, meaning and values, as a
    cloud-optimised GeoTIFF.
    """
    import rasterio
    from rasterio.io import MemoryFile
    from rasterio.shutil import copy

    cells = record.grid.cells
    if not isinstance(cells, Squares):
        raise TypeError("a raster's cells are squares")
    rows, columns = cells.shape
    width, height = cells.cell
    profile = {
        "driver": "GTiff",
        "width": columns,
        "height": rows,
        "count": len(bands),
        "dtype": "float32",
        "nodata": np.nan,
        "crs": rasterio.CRS.from_wkt(reference(record.grid.crs).to_wkt()),
        "transform": rasterio.Affine(width, 0.0, cells.bounds[0], 0.0, -height, cells.bounds[3]),
    }
    with MemoryFile() as memory:
        with memory.open(**profile) as target:
            for band, (name, unit, meaning, values) in enumerate(bands, start=1):
                _write_band(target, band, name, unit, values.astype(np.float32), meaning)
            target.update_tags(AREA_OR_POINT="Area", **map_statement(record).facts())
        with (
            memory.open() as plain,
            MemoryFile(ext=".tif") as made,
        ):  # a full disk is no error to GDAL, which leaves half a file there
            copy(
                plain,
                made.name,
                driver="COG",
                COMPRESS="DEFLATE",
                PREDICTOR="YES",
                OVERVIEW_RESAMPLING="AVERAGE",
            )
            with written_aside(path) as aside:
                aside.write_bytes(made.getbuffer())


def _names(record: Record) -> dict[str, str]:
    """Name each band."""
    return {**map_statement(record).columns.bands, SHOWN: SHOWN_WORDS, PLACE_SHOWN: PLACE_WORDS}


def _write_band(
    target: Any, band: int, name: str, unit: str, values: NDArray[np.float32], meaning: str
) -> None:
    """Write one band with its name, unit and statistics."""
    target.write(values, band)
    target.set_band_description(band, name)
    target.set_band_unit(band, unit)
    finite = values[np.isfinite(values)].astype(np.float64)
    tags = {"LONG_NAME": meaning}
    if len(finite):
        numbers = {
            "MINIMUM": finite.min(),
            "MAXIMUM": finite.max(),
            "MEAN": finite.mean(),
            "STDDEV": finite.std(),
        }
        tags |= {f"STATISTICS_{key}": repr(float(number)) for key, number in numbers.items()}
        tags["STATISTICS_VALID_PERCENT"] = f"{100 * len(finite) / values.size:.4g}"
    target.update_tags(band, **tags)


def to_xarray(record: Record, estimate: Estimate) -> "xarray.Dataset":
    """Return the release as a Dataset: rows and columns for squares, one dimension `cell` for
    hexagons and areas.

    Attributes follow the CF conventions; the coordinate `spatial_ref` carries the reference system
    for CF readers (`crs_wkt`), for GDAL (`spatial_ref`, `GeoTransform`) and for rioxarray, which
    looks for it by this name (`data.rio.crs`). Cells of official grids have their codes as
    coordinates.
    """
    return _numbers(record, estimate).assign_coords(_codes(record))


def _numbers(record: Record, estimate: Estimate) -> "xarray.Dataset":
    """Return the same without codes, which all layers of a map share."""
    require_library("xarray")
    import xarray as xr

    dims = _dims(record)
    coordinates = _coordinates(record)
    data: dict[str, Any] = {}
    columns = map_statement(record).columns
    for name, values in read_map(record).bands(estimate, LEVEL).items():
        told_of = {
            "long_name": columns.bands[name],
            "units": "1",
            "grid_mapping": MAPPING,
            **acdd.content(name),
        }
        data[name] = (dims, values.copy(), told_of)  # its own: whoever gets it may change it
    data[columns.sure] = (
        dims,
        distinguishable(estimate).astype(np.int8),
        {
            "long_name": COLUMNS[columns.sure],
            "units": "1",
            "grid_mapping": MAPPING,
            "flag_values": np.array([0, 1], dtype=np.int8),
            "flag_meanings": columns.meanings,
            "coverage_content_type": acdd.QUALITY,
        },
    )
    data["area"] = (
        dims,
        np.where(record.grid.inside, record.grid.square_km, np.nan),
        {
            "long_name": "area of the cell",
            "standard_name": "cell_area",
            "units": "km2",
            "grid_mapping": MAPPING,
            "coverage_content_type": acdd.OF_CELLS,
        },
    )
    for _, _, words in coordinates.values():
        words.setdefault("long_name", acdd.LONG_NAMES.get(words.get("standard_name"), ""))
    coordinates[MAPPING] = ((), np.int32(0), _grid_mapping(record))
    attributes = {
        "Conventions": acdd.CONVENTIONS,
        "title": record.title,
        "history": f"released on {record.released_on}",
        **acdd.attributes(record),
    }
    return xr.Dataset(data, coordinates, {**attributes, **map_statement(record).facts()})


def layers_to_xarray(
    axes: Sequence[Axis], layers: Sequence[tuple[Record, Estimate]]
) -> "xarray.Dataset":
    """Return all layers as one Dataset, with a dimension for each axis before those of the cells:
    `kind`, `time`, or both.

    A time is the first moment of its span; `time_name` names the span, and `time_bnds` holds both
    its ends, the last excluded.
    """
    import xarray as xr

    each = [_numbers(record, estimate) for record, estimate in layers]
    first = each[0]
    dims = axis_names(axes)
    along = tuple(len(axis.layers) for axis in axes)
    data: dict[Any, Any] = {}
    for name, variable in first.data_vars.items():
        values = np.stack([one[name].to_numpy() for one in each]).reshape(*along, *variable.shape)
        data[name] = (
            variable if name == "area" else ((*dims, *variable.dims), values, variable.attrs)
        )
    coordinates: dict[Any, Any] = {**first.coords, **_codes(layers[0][0])}
    for axis, name in zip(axes, dims, strict=True):
        coordinates |= _along(axis, name)
    common = {
        key: said
        for key, said in first.attrs.items()
        if all(one.attrs.get(key) == said for one in each)
    }
    return xr.Dataset(
        data,
        coordinates,
        common | {"title": layers[0][0].heading, **acdd.shared_facts(layers[0][0], axes)},
    )


def _along(axis: Axis, name: str) -> dict[str, Any]:
    """Return the coordinates of an axis: its layers' names, and of times their days."""
    names = np.array(axis.layers, dtype=object)
    if not isinstance(axis, Times):
        return {name: (name, names, {"long_name": axis.column})}
    days = np.array(axis.days, dtype="datetime64[s]")
    ends = f"{name}_bnds"
    units = {"units": "days since 1970-01-01"}
    return {
        name: (
            name,
            days[:-1],
            {"long_name": axis.column, "standard_name": "time", "axis": "T", "bounds": ends},
            units,
        ),
        ends: (
            (name, "bnds"),
            np.stack([days[:-1], days[1:]], axis=1),
            {"long_name": "first moment, and the first one after"},
            units,
        ),
        f"{name}_name": (name, names, {"long_name": "name of the span"}),
    }


def _grid_mapping(record: Record) -> dict[str, Any]:
    """Describe the reference system for CF readers and for GDAL."""
    crs = reference(record.grid.crs)
    mapping: dict[str, Any] = dict(crs.to_cf())
    mapping["spatial_ref"] = mapping["crs_wkt"]
    if isinstance(record.grid.cells, Squares):
        west, _, _, north = record.grid.cells.bounds
        width, height = record.grid.cells.cell
        mapping["GeoTransform"] = f"{west!r} {width!r} 0.0 {north!r} 0.0 {-height!r}"
    return mapping


def _dims(record: Record) -> tuple[str, ...]:
    """Name the dimensions of the ground."""
    if not isinstance(record.grid.cells, Squares):
        return ("cell",)
    return ("lat", "lon") if crs_tools.is_lonlat(record.grid.crs) else ("y", "x")


def _coordinates(record: Record) -> dict[str, Any]:
    """Return the middles of the cells."""
    grid = record.grid
    if not isinstance(grid.cells, Squares):
        return _cell_coordinates(record)
    west, south, east, north = grid.cells.bounds
    rows, columns = grid.cells.shape
    x = west + (east - west) * (np.arange(columns) + 0.5) / columns
    y = north - (north - south) * (np.arange(rows) + 0.5) / rows
    if crs_tools.is_lonlat(grid.crs):
        return {
            "lat": ("lat", y, {"standard_name": "latitude", "units": "degrees_north", "axis": "Y"}),
            "lon": ("lon", x, {"standard_name": "longitude", "units": "degrees_east", "axis": "X"}),
        }
    unit = _unit(grid.crs)
    return {
        "y": ("y", y, {"standard_name": "projection_y_coordinate", "units": unit, "axis": "Y"}),
        "x": ("x", x, {"standard_name": "projection_x_coordinate", "units": unit, "axis": "X"}),
    }


def _unit(crs: str) -> str:
    """Return the name of a projected system's unit."""
    unit = str(crs_tools.parse(crs).axis_info[0].unit_name)
    return "m" if unit in ("metre", "meter") else unit


def _cell_coordinates(record: Record) -> dict[str, Any]:
    """Return longitude and latitude of each hexagon or area, with its id or name."""
    import shapely

    grid = record.grid
    middle = shapely.centroid(grid.polygons())
    lon, lat = crs_tools.transform(
        shapely.get_x(middle), shapely.get_y(middle), grid.crs, crs_tools.LONLAT
    )
    coordinates: dict[str, Any] = {
        "cell": ("cell", np.arange(grid.size), {"long_name": "cell number"}),
        "lon": ("cell", lon, {"standard_name": "longitude", "units": "degrees_east"}),
        "lat": ("cell", lat, {"standard_name": "latitude", "units": "degrees_north"}),
    }
    if not crs_tools.is_lonlat(grid.crs):  # CF asks for them beside the name of a projection
        for name, at in (("x", shapely.get_x(middle)), ("y", shapely.get_y(middle))):
            coordinates[name] = (
                "cell",
                at,
                {"standard_name": f"projection_{name}_coordinate", "units": _unit(grid.crs)},
            )
    if isinstance(grid.cells, Hexagons):
        coordinates["h3"] = (
            "cell",
            np.array([f"{i:x}" for i in grid.cells.ids], dtype=object),
            {"long_name": "H3 index"},
        )
    elif isinstance(grid.cells, Areas):
        coordinates["name"] = (
            "cell",
            np.array(grid.cells.names, dtype=object),
            {"long_name": "name of the area"},
        )
    return coordinates


def _codes(record: Record) -> dict[str, Any]:
    """Return the official codes of the cells as coordinates over the ground; empty outside the
    area.
    """
    grid = record.grid.ground
    columns = {}
    dims = _dims(record)
    for column, codes in grid.codes().items():
        outside = "" if codes.dtype == object else 0
        values = np.full(grid.shape, outside, dtype=codes.dtype)
        values[grid.inside] = codes
        columns[column] = (dims, values, {"long_name": COLUMNS.get(column, "code of the cell")})
    return columns


def write_netcdf(record: Record, estimate: Estimate, path: "str | os.PathLike[str]") -> None:
    """Write NetCDF after the CF conventions, in the classic format that every reader knows;
    codes as labels of fixed length (CF 6.1).
    """
    write_dataset(to_xarray(record, estimate), (*map_statement(record).columns.bands, "area"), path)


def write_dataset(
    data: "xarray.Dataset", filled: Sequence[str], path: "str | os.PathLike[str]"
) -> None:
    """Write a Dataset of one map as NetCDF; the variables that are `filled` are NaN outside the
    area.
    """
    data = data.rename({MAPPING: IN_FILES}).reset_coords(IN_FILES)
    for variable in data.data_vars.values():
        variable.attrs |= {"grid_mapping": IN_FILES} if "grid_mapping" in variable.attrs else {}
    encoding: dict[str, dict[str, Any]] = {name: {"_FillValue": np.nan} for name in filled}
    encoding |= {
        str(name): {"_FillValue": None} for name in data.coords if data[name].dtype.kind == "f"
    }
    with written_aside(path) as aside:
        data.to_netcdf(aside, engine="scipy", format="NETCDF3_64BIT", encoding=encoding)
