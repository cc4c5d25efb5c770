"""Allocates the pixels of a public raster to a grid's cells, piece by piece, so that a large one
needs little memory.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput, SystemFailed
from dpmap.gis_files.raster import opened_raster
from dpmap.grid import crs as crs_tools
from dpmap.grid.grid import Grid
from dpmap.grid.squares import Squares

if TYPE_CHECKING:
    import rasterio.io

Values = NDArray[np.float64]
Mask = NDArray[np.bool_]
Window = tuple[int, int, int, int]
"""The first row, the row after the last, and the same of columns."""

MOST = 2_000_000_000
"""Pixels, or parts of them, that are placed one by one."""
PIECE = 1024
"""Parts of pixels a side that are placed at a time."""
NODES = 17
CLOSE = 0.05
"""Places between nodes may be off by this part of a cell's side."""
SAMPLES = 64_000_000
"""Parts of pixels that lie in the cells, roughly, where pixels are large: some 64 a cell, fewer
on large grids.
"""


def lay_raster(
    path: str, words: list[str], grid: Grid, role: str, name: str
) -> tuple[Values, Mask, str]:
    """Returns the amount in each cell, the cells without data, and the raster's name with its
    band.
    """
    try:
        with opened_raster(path, role) as raster:
            band = _choose_band(raster, words, role, name)
            amount, known = _allocate(_Pixels(raster, band, role, name), grid)
    except (BadInput, SystemFailed):
        raise
    except PermissionError:
        raise SystemFailed(f"{role}: no right to read {name}; check its permissions") from None
    except Exception:  # noqa: BLE001  # whatever a damaged file makes a driver raise
        raise BadInput(
            f"{role}: {name} cannot be read as a raster; give a GeoTIFF with a CRS"
        ) from None
    return amount.reshape(grid.shape), (known <= 0).reshape(grid.shape), ":".join([name, *words])


def _choose_band(
    raster: "rasterio.io.DatasetReader", words: list[str], role: str, name: str
) -> int:
    """Returns the number of the band to read."""
    if not raster.count:
        raise BadInput(f"{role}: {name} holds several rasters; save the one you mean as a GeoTIFF")
    if raster.crs is None:
        raise BadInput(
            f"{role}: {name} does not say its CRS; write one into the file, as with gdal_edit"
            " -a_srs EPSG:4326"
        )
    bands = [str(band) for band in raster.indexes]
    if not words and raster.count > 1:
        raise BadInput(f"{role}: {name} has {raster.count} bands; name one, like {name}:1")
    if words and (len(words) > 1 or words[0] not in bands):
        raise BadInput(
            f"{role}: {name} has no such band; its bands are 1 to {raster.count}, as in {name}:1"
        )
    return int(words[0]) if words else 1


@dataclass(frozen=True, slots=True)
class _Pixels:
    """Reads one band of an open raster."""

    raster: "rasterio.io.DatasetReader"
    band: int
    role: str
    name: str

    @property
    def crs(self) -> str:
        """The raster's CRS."""
        return crs_tools.flat(self.raster.crs.to_wkt(), self.role)

    def place(self, column: Values, row: Values) -> tuple[Values, Values]:
        """Returns where a column and row lie, in the raster's CRS."""
        a, b, c, d, e, f = tuple(self.raster.transform)[:6]
        return a * column + b * row + c, d * column + e * row + f

    def read(self, window: Window) -> tuple[Values, Mask]:
        """Returns the pixels of a window, 0 where there is no data, and where there is."""
        import rasterio.windows

        rows = window[:2]
        columns = window[2:]
        band_data = self.raster.read(
            self.band, window=rasterio.windows.Window.from_slices(rows, columns), masked=True
        )
        values = np.asarray(band_data.data, dtype=np.float64)
        known = ~np.ma.getmaskarray(band_data) & np.isfinite(values)
        values = values * self.raster.scales[self.band - 1] + self.raster.offsets[self.band - 1]
        if (values[known] < 0).any():
            raise BadInput(
                f"{self.role}: {self.name} holds numbers below 0 in the area; an amount is 0 or"
                " more (if they stand for missing, declare it: gdal_edit -a_nodata -9999)"
            )
        return np.where(known, values, 0.0), known


def _allocate(pixels: _Pixels, grid: Grid) -> tuple[Values, Values]:
    """Returns the amount in each cell and the part of the cell with data."""
    window = _window(pixels, grid)
    straight = pixels.raster.transform.b == pixels.raster.transform.d == 0
    if isinstance(grid.cells, Squares) and straight and crs_tools.same(pixels.crs, grid.crs):
        return _allocate_by_overlap(pixels, grid.cells, window)
    return _allocate_by_parts(pixels, grid, window)


def _window(pixels: _Pixels, grid: Grid) -> Window:
    """Returns the pixels that the grid may lie on: all, where that cannot be computed."""
    import shapely

    raster = pixels.raster
    box = (
        grid.cells.bounds
        if isinstance(grid.cells, Squares)
        else tuple(shapely.total_bounds(grid.polygons()))
    )
    along = np.linspace(0, 1, 65)
    x, y = (
        side.ravel()
        for side in np.meshgrid(
            box[0] + (box[2] - box[0]) * along, box[1] + (box[3] - box[1]) * along
        )
    )
    x, y = crs_tools.transform(x, y, grid.crs, pixels.crs)
    if not np.isfinite([x, y]).all():
        return 0, raster.height, 0, raster.width
    a, b, c, d, e, f = tuple(~raster.transform)[:6]
    column = a * x + b * y + c
    row = d * x + e * y + f
    spare = [0.02 * float(np.ptp(side)) + 1 for side in (row, column)]
    ends = (
        row.min() - spare[0],
        row.max() + spare[0],
        column.min() - spare[1],
        column.max() + spare[1],
    )
    top, bottom = np.clip(np.floor(ends[:2]), 0, raster.height).astype(int)
    left, right = np.clip(np.floor(ends[2:]), 0, raster.width).astype(int)
    if top >= bottom or left >= right:
        raise BadInput(
            f"{pixels.role}: {pixels.name} does not overlap the area; give a file of it, and check"
            " its CRS"
        )
    return int(top), int(bottom), int(left), int(right)


def _allocate_by_overlap(pixels: _Pixels, cells: Squares, window: Window) -> tuple[Values, Values]:
    """Shares pixels out among cells with parallel sides, exactly, by the overlaps of rows and of
    columns.
    """
    west, south, east, north = cells.bounds
    rows, columns = cells.shape
    top, bottom, left, right = window
    _check_size(pixels, float(bottom - top) * (right - left))
    x, _ = pixels.place(np.arange(left, right + 1.0), np.zeros(right - left + 1))
    across = _overlaps((x - west) / (east - west) * columns, columns)
    amount = np.zeros(cells.shape)
    known = np.zeros(cells.shape)
    deep = max(1, (PIECE * PIECE * 4) // (right - left))
    for first in range(top, bottom, deep):
        last = min(first + deep, bottom)
        _, y = pixels.place(np.zeros(last - first + 1), np.arange(first, last + 1.0))
        down = _overlaps((north - y) / (north - south) * rows, rows)
        touched = np.flatnonzero(np.diff(down.tocsc().indptr))
        if not len(touched):
            continue
        values, has_data = pixels.read((first, last, left, right))
        part = down[:, touched].T
        amount[touched] += part @ values @ across
        known[touched] += part @ has_data.astype(np.float64) @ across
    return amount, known


def _overlaps(edges: Values, count: int) -> Any:
    """Returns which share of each step between `edges` lies in each of `count` steps of length 1
    from 0, as a sparse table.
    """
    from scipy.sparse import csr_array

    low = np.minimum(edges[:-1], edges[1:])
    high = np.maximum(edges[:-1], edges[1:])
    first = np.clip(np.floor(low), 0, count).astype(int)
    last = np.clip(np.ceil(high), 0, count).astype(int)
    step_counts = np.maximum(last - first, 0)
    step = np.repeat(np.arange(len(low)), step_counts)
    at = (
        np.arange(len(step))
        - np.repeat(np.cumsum(step_counts) - step_counts, step_counts)
        + np.repeat(first, step_counts)
    )
    share = (np.minimum(high[step], at + 1) - np.maximum(low[step], at)) / (high - low)[step]
    meets = share > 1e-9
    return csr_array((share[meets], (step[meets], at[meets])), shape=(len(low), count))


def _allocate_by_parts(pixels: _Pixels, grid: Grid, window: Window) -> tuple[Values, Values]:
    """Splits each pixel into parts, as small as the cells need, and adds each to the cell that its
    middle is in.
    """
    parts = (
        _SquareOfParts(pixels, grid)
        if isinstance(grid.cells, Squares)
        else _OutlineOfParts(pixels, grid)
    )
    top, bottom, left, right = window
    fine = _choose_parts(pixels, grid, (top + bottom) / 2, (left + right) / 2)
    _check_size(pixels, float(bottom - top) * (right - left) * fine**2)
    amount = np.zeros(grid.size)
    known = np.zeros(grid.size)
    # four sides
    for piece in _pieces(tuple(side * fine for side in window)):  # type: ignore[arg-type]
        cell = parts.cells(piece, fine)
        if cell is None or not (cell >= 0).any():
            continue
        rows, columns = (np.arange(*piece[at : at + 2]) // fine for at in (0, 2))
        values, has_data = pixels.read(
            (int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1)
        )
        at = np.ix_(rows - rows[0], columns - columns[0])
        inside = cell >= 0
        amount += np.bincount(
            cell[inside], weights=values[at][inside] / fine**2, minlength=grid.size
        )
        known += np.bincount(cell[inside], weights=has_data[at][inside], minlength=grid.size)
    return amount, known


def _pieces(window: Window) -> Iterator[Window]:
    """Splits a window into pieces that start at multiples of `PIECE`."""
    top, bottom, left, right = window
    for row in range(top - top % PIECE, bottom, PIECE):
        for column in range(left - left % PIECE, right, PIECE):
            yield (
                max(row, top),
                min(row + PIECE, bottom),
                max(column, left),
                min(column + PIECE, right),
            )


def _choose_parts(pixels: _Pixels, grid: Grid, row: float, column: float) -> int:
    """Returns the number of parts a side of a pixel, so that a cell takes some eight of them a
    side.
    """
    import shapely

    x, y = pixels.place(column + np.array([0.0, 1.0, 0.0]), row + np.array([0.0, 0.0, 1.0]))
    x, y = crs_tools.transform(x, y, pixels.crs, grid.crs)
    if isinstance(grid.cells, Squares):
        width, height = grid.cells.cell
    else:
        width = height = float(np.sqrt(np.median(shapely.area(grid.polygons()))))
    pixel = np.hypot((x[1:] - x[0]) / width, (y[1:] - y[0]) / height).max()
    parts_a_side = np.clip(np.sqrt(SAMPLES / grid.size), 2, 8)
    return max(1, int(np.ceil(pixel * parts_a_side))) if np.isfinite(pixel) else 1


def _check_size(pixels: _Pixels, parts: float) -> None:
    """Refuses a raster of which too many pixels lie on the area."""
    if parts > MOST:
        raise BadInput(
            f"{pixels.role}: {pixels.name} has too many pixels in the area to lay on these cells; "
            "make it coarser first, as with gdalwarp -tr 100 100 -r sum"
        )


@dataclass(frozen=True, slots=True)
class _SquareOfParts:
    """Numbers parts of pixels by the square that their middle is in, placed exactly at nodes and
    between them by straight lines.
    """

    pixels: _Pixels
    grid: Grid

    def cells(self, piece: Window, fine: int) -> NDArray[np.int64] | None:
        """Returns the cell of each part, -1 for none; None where no part can be in a cell."""
        top, bottom, left, right = piece
        rows = np.arange(top, bottom) + 0.5
        columns = np.arange(left, right) + 0.5
        x, y = self._interpolate(rows / fine, columns / fine)
        west, south, east, north = self.grid.cells.bounds  # type: ignore[union-attr]  # squares
        with np.errstate(invalid="ignore"):
            if not ((x >= west) & (x <= east) & (y >= south) & (y <= north)).any():
                return None
        cell = self.grid.cells.locate(x.ravel(), y.ravel())
        if self.grid.mask is not None:
            cell = np.where((cell >= 0) & self.grid.mask.ravel()[cell], cell, -1)
        return cell.reshape(x.shape)

    def _transform_exactly(self, rows: Values, columns: Values) -> tuple[Values, Values]:
        """Returns the coordinates of rows and columns of the raster in the grid's CRS."""
        column, row = np.meshgrid(columns, rows)
        x, y = self.pixels.place(column.ravel(), row.ravel())
        x, y = crs_tools.transform(x, y, self.pixels.crs, self.grid.crs)
        return x.reshape(column.shape), y.reshape(column.shape)

    def _interpolate(self, rows: Values, columns: Values) -> tuple[Values, Values]:
        """Returns the same by straight lines between nodes, where that is close to exact."""
        if min(len(rows), len(columns)) < 4 * NODES:
            return self._transform_exactly(rows, columns)
        at = [np.linspace(side[0], side[-1], NODES) for side in (rows, columns)]
        middle = [(side[1:] + side[:-1]) / 2 for side in at]
        width, height = self.grid.cells.cell  # type: ignore[union-attr]  # squares
        placed = []
        for exact, true, side in zip(
            self._transform_exactly(*at),
            self._transform_exactly(*middle),
            (width, height),
            strict=True,
        ):
            guess = (exact[:-1, :-1] + exact[1:, :-1] + exact[:-1, 1:] + exact[1:, 1:]) / 4
            with np.errstate(invalid="ignore"):
                if not np.abs(guess - true).max() < CLOSE * side:
                    return self._transform_exactly(rows, columns)
            placed.append(
                _interpolate_rows(exact, at[0], rows)
                @ _interpolate_rows(np.eye(NODES), at[1], columns).T
            )
        return placed[0], placed[1]


def _interpolate_rows(values: Values, nodes: Values, at: Values) -> Values:
    """Interpolates the rows of a table linearly."""
    place = (at - nodes[0]) / (nodes[1] - nodes[0])
    below = np.clip(np.floor(place).astype(int), 0, len(nodes) - 2)
    share = (place - below)[:, None]
    return np.asarray(values[below] * (1 - share) + values[below + 1] * share)


class _OutlineOfParts:
    """Numbers parts of pixels by the hexagon or area whose outline their middle is in; of
    several by the first.
    """

    def __init__(self, pixels: _Pixels, grid: Grid) -> None:
        import shapely

        shapes = grid.polygons()
        span = float(np.ptp(shapely.total_bounds(shapes).reshape(2, 2), axis=0).max())
        self._shapes = crs_tools.transform_shapes(shapes, grid.crs, pixels.crs, step=span / 400)
        self._cells = np.flatnonzero(grid.inside)
        self._tree = shapely.STRtree(self._shapes)
        self._pixels = pixels

    def cells(self, piece: Window, fine: int) -> NDArray[np.int64] | None:
        """Returns the cell of each part, -1 for none; None where no part can be in a cell."""
        import rasterio.features
        import shapely

        top, bottom, left, right = piece
        corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]]) / fine
        ground = shapely.Polygon(np.column_stack(self._pixels.place(*corners.T)))
        near = np.sort(self._tree.query(ground, predicate="intersects"))
        if not len(near):
            return None
        a, b, _, d, e, _ = (step / fine for step in tuple(self._pixels.raster.transform)[:6])
        x, y = self._pixels.place(  # one place
            np.float64(left / fine),  # type: ignore[arg-type]
            np.float64(top / fine),  # type: ignore[arg-type]
        )
        to_part = rasterio.Affine(a, b, x, d, e, y)
        drawn = zip(self._shapes[near[::-1]], range(len(near), 0, -1), strict=True)
        number = rasterio.features.rasterize(
            drawn, (bottom - top, right - left), transform=to_part, dtype="int32", fill=0
        )
        return np.asarray(np.append(self._cells[near], -1)[number.astype(np.int64) - 1])
