"""Converts arrays of coordinates to cells: each row gets its cell's number, or a code for why it
has none.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.survey.column_roles import Roles
from dpmap.survey.files import shapes

if TYPE_CHECKING:
    import pyarrow as pa

OUTSIDE = -1
NOWHERE = -2
ORIGIN = -3
IMPOSSIBLE = -4
WHY = {
    OUTSIDE: "outside the area",
    NOWHERE: "no coordinates",
    ORIGIN: "at (0, 0)",
    IMPOSSIBLE: "impossible coordinates",
}


def cells(batch: "pa.RecordBatch", roles: Roles, grid: Grid | None) -> NDArray[np.int64]:
    """Returns the cell of each row of a batch with columns x, y, crs and shape (the last two may be
    missing).

    Rows in a CRS of their own that PROJ cannot bring to the grid's are nowhere, and no other row
    is.
    """
    import pyproj

    x, y = (_doubles(batch, name) for name in "xy")
    if "shape" in batch.schema.names:
        x, y = _with_shapes(batch.column("shape"), x, y, roles)
    cell_numbers = np.full(len(x), NOWHERE, dtype=np.int64)
    for crs, rows in _systems(batch, roles.crs):
        try:
            cell_numbers[rows] = _in_one_system(x[rows], y[rows], crs, grid)
        except pyproj.exceptions.ProjError:
            if crs == roles.crs:
                raise BadInput(
                    "crs: PROJ knows no way from the survey's CRS to the map's; name one with --crs"
                ) from None
    return cell_numbers


def _doubles(batch: "pa.RecordBatch", name: str) -> NDArray[np.float64]:
    """Returns a column of numbers, NaN if missing, without Arrow's own conversion, which would
    load pandas first.
    """
    import pyarrow as pa

    column = batch.column(name)
    if not pa.types.is_float64(column.type):
        column = column.cast("float64")
    there, held = column.buffers()
    if not len(column) or held is None:
        return np.full(len(column), np.nan)
    numbers = np.frombuffer(held, np.float64, len(column), 8 * column.offset).copy()
    if there is not None:
        bits = np.unpackbits(np.frombuffer(there, np.uint8), bitorder="little")
        numbers[bits[column.offset : column.offset + len(column)] == 0] = np.nan
    return numbers


def _systems(batch: "pa.RecordBatch", usual: str) -> list[tuple[str, Any]]:
    """Returns each CRS in the batch with its rows; a code that PROJ does not know drops only its
    own rows.
    """
    if "crs" not in batch.schema.names:
        return [(usual, slice(None))]
    column = batch.column("crs").dictionary_encode()
    code = np.asarray(column.indices.fill_null(-1).to_numpy(zero_copy_only=False))
    systems: list[tuple[str, Any]] = [(usual, code == -1)]
    for index, name in enumerate(column.dictionary.to_pylist()):
        try:
            systems.append((crs_tools.text_of(str(name)), code == index))
        except BadInput:
            continue
    return systems


def _in_one_system(
    x: NDArray[np.float64], y: NDArray[np.float64], crs: str, grid: Grid | None
) -> NDArray[np.int64]:
    fine = np.isfinite(x) & np.isfinite(y)
    cell_numbers = np.where(np.isnan(x) | np.isnan(y), NOWHERE, IMPOSSIBLE)
    if crs_tools.is_lonlat(crs):
        fine &= (np.abs(x) <= 180) & (np.abs(y) <= 90)
    if origin_is_missing(crs):
        origin = (x == 0) & (y == 0)
        cell_numbers[origin], fine = ORIGIN, fine & ~origin
    cell_numbers[fine] = 0 if grid is None else grid.locate(x[fine], y[fine], crs)
    return cell_numbers.astype(np.int64)


def origin_is_missing(crs: str) -> bool:
    """Whether (0, 0) marks missing coordinates: in degrees and on web maps; a plane grid has its
    own origin.
    """
    return crs_tools.is_lonlat(crs) or crs == "EPSG:3857"


def _with_shapes(
    answer: "pa.Array", x: NDArray[np.float64], y: NDArray[np.float64], roles: Roles
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Fills in missing coordinates from WKB or WKT: of points, and of other shapes a point on
    them if asked.
    """
    unplaced = np.isnan(x) | np.isnan(y)
    if unplaced.any():
        left = answer if unplaced.all() else answer.filter(_booleans(unplaced))
        x[unplaced], y[unplaced] = shapes.points(left, surface=roles.reading.surface)
    return (y, x) if roles.reading.swap and roles.geometry else (x, y)


def _booleans(mask: NDArray[np.bool_]) -> "pa.Array":
    """Converts booleans to Arrow without `pa.array`, which would load pandas first."""
    import pyarrow as pa

    bits = np.packbits(mask, bitorder="little")
    return pa.Array.from_buffers(pa.bool_(), len(mask), [None, pa.py_buffer(bits)])
