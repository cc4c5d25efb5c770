"""Writes maps drawn from what is believed: NetCDF with a dimension for them, or bands of a
cloud-optimised GeoTIFF.
"""

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.export.acdd import ESTIMATED
from dpmap.export.raster import MAPPING, to_xarray, write_cog, write_dataset
from dpmap.grid.squares import Squares
from dpmap.inference import Estimate
from dpmap.record import Record
from dpmap.statement.kinds import map_statement

SUFFIXES = (".nc", ".tif", ".tiff")
DIMENSION = "realization"
NAME = "capped_total"
"""The standard name of an ensemble's axis in the CF conventions, and the variable."""
MEANING = "capped total in one of the maps that may be the true one, given all noisy answers"
READING = (
    "Each of these maps may be the true one, given all noisy answers; compute a number of each, and"
    " the middle 90 % of the results are its interval. No single one of them is the map."
)


def check_suffix(path: "str | os.PathLike[str]") -> None:
    """Refuse a suffix that drawn maps are not written with.

    >>> check_suffix("draws.csv")
    Traceback (most recent call last):
    ...
    dpmap.errors.BadInput: draws are written as .nc or .tif; choose one of these, like path=draws.nc
    """
    if Path(path).suffix.lower() not in SUFFIXES:
        raise BadInput("draws are written as .nc or .tif; choose one of these, like --to draws.nc")


def check_cells(record: Record, path: "str | os.PathLike[str]") -> None:
    """Refuse bands of a raster for cells that are not squares."""
    if Path(path).suffix.lower() != ".nc" and not isinstance(record.grid.cells, Squares):
        raise BadInput(
            f"a GeoTIFF holds square cells, not {record.grid.kind}; write draws.nc instead"
        )


def write_draws(
    record: Record, estimate: Estimate, maps: NDArray[np.float32], path: "str | os.PathLike[str]"
) -> list[Path]:
    """Write maps, in grid shape with one more, last axis, in the format that the suffix names,
    and returns the files made.
    """
    check_suffix(path)
    check_cells(record, path)
    if Path(path).suffix.lower() == ".nc":
        _write_netcdf(record, estimate, maps, path)
    else:
        unit = map_statement(record).band_unit("estimate")
        count = maps.shape[-1]
        bands = [
            (f"draw_{number + 1}", unit, MEANING, maps[..., number]) for number in range(count)
        ]
        write_cog(record, bands, path)
    return [Path(path)]


def _write_netcdf(
    record: Record, estimate: Estimate, maps: NDArray[np.float32], path: "str | os.PathLike[str]"
) -> None:
    """Write the maps along the first dimension, with the cells' coordinates and areas."""
    data = to_xarray(record, estimate)[["area"]]
    data[NAME] = (
        (DIMENSION, *data["area"].dims),
        np.moveaxis(maps, -1, 0),
        {
            "long_name": MEANING,
            "units": "1",
            "grid_mapping": MAPPING,
            "coverage_content_type": ESTIMATED,
        },
    )
    numbers = np.arange(1, maps.shape[-1] + 1, dtype=np.int32)
    words = {"long_name": "number of the map", "standard_name": "realization", "units": "1"}
    data = data.assign_coords({DIMENSION: (DIMENSION, numbers, words)})
    data.attrs |= {
        "title": f"{record.title}: plausible maps",
        "comment": READING,
        "reading": READING,
    }
    write_dataset(data, (NAME, "area"), path)
