"""Makes public densities to rehearse on: invented landscapes, six of which are shown, or a public
raster laid onto the grid.

None comes from a survey. An invented one is a formula over the area's frame, so that it fits any
grid; the places in it are fixed numbers, the same in every plan.
"""

import hashlib
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput, MissingFile
from dpmap.gis_files.raster import opened_raster
from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.grid.squares import Squares

if TYPE_CHECKING:
    import rasterio.io

Values = NDArray[np.float64]
Formula = Callable[[Values, Values], Values]
DRAWN_POINTS = 2_000_000
"""Above so many points, chance moves cells so little that rounding the expected counts will do."""
RASTER_SIDE = 4096


def _bump(x: Values, y: Values, east: float, north: float, width: float) -> Values:
    return np.asarray(np.exp(-((x - east) ** 2 + (y - north) ** 2) / (2 * width**2)) / width**2)


def clusters(x: Values, y: Values) -> Values:
    """Makes some colonies of different size and density."""
    places = (
        (0.2, 0.75, 0.05, 5),
        (0.32, 0.6, 0.1, 3),
        (0.7, 0.3, 0.04, 2),
        (0.78, 0.72, 0.02, 1),
        (0.5, 0.15, 0.08, 1),
    )
    return np.asarray(
        sum(much * _bump(x, y, east, north, width) for east, north, width, much in places)
    )


def river(x: Values, y: Values) -> Values:
    """Makes a band along a winding line."""
    return np.asarray(np.exp(-(np.abs(y - 0.5 - 0.25 * np.sin(6 * x) - 0.1 * x) / 0.03)))


def brook(x: Values, y: Values) -> Values:
    """Makes a thin winding line, denser half-way along."""
    off = np.abs(y - 0.55 - 0.15 * np.sin(9 * x) - 0.04 * np.sin(31 * x))
    return np.asarray(np.exp(-off / 0.006) * (1 + 3 * np.exp(-(((x - 0.5) / 0.15) ** 2))))


def reserve(x: Values, y: Values) -> Values:
    """Makes one even piece of land, dense, in land with little."""
    return np.where((x - 0.35) ** 2 + (y - 0.55) ** 2 < 0.11**2, 1.0, 0.004)


def coast(x: Values, y: Values) -> Values:
    """Makes land dense at an oblique shore, thinning out inland, with an empty sea."""
    inland = x - 0.25 - 0.15 * np.sin(4 * y) - 0.1 * y
    return np.where(inland < 0, 0.0, np.exp(-np.maximum(inland, 0) / 0.12))


def roads(x: Values, y: Values) -> Values:
    """Makes thin lines that cross, with little between them: where observers can go."""
    lines = (y - 0.3 - 0.2 * x, y - 0.9 + 0.6 * x, x - 0.35 - 0.1 * y, x - 0.75 + 0.2 * y)
    return np.asarray(0.01 + sum(np.exp(-np.abs(line) / 0.008) for line in lines))


def village(x: Values, y: Values) -> Values:
    """Puts nearly everything in one place."""
    return np.asarray(_bump(x, y, 0.62, 0.41, 0.02) + 0.02)


def uniform(x: Values, y: Values) -> Values:
    """Makes all places alike."""
    return np.ones(np.broadcast(x, y).shape)


def digits(name: str, count: int) -> Values:
    """Returns so many numbers between 0 and 1 that a name fixes, none of them 0 or 1."""
    fixed = np.frombuffer(hashlib.shake_256(name.encode()).digest(4 * count), dtype="<u4")
    return np.asarray((fixed + 0.5) / 2**32)


def rough(name: str, strength: float, fading: float) -> Formula:
    """Makes land with ups and downs at every size, each half as wide and `fading` times as high
    as the one before.
    """

    def density(x: Values, y: Values) -> Values:
        height = np.zeros(np.broadcast(x, y).shape)
        for octave in range(OCTAVES):
            height += fading**octave * _waves(f"{name} {octave}", x, y, 2 ** (octave + 1))
        return np.asarray(
            np.exp(
                strength
                * height
                / np.sqrt(sum(fading ** (2 * octave) for octave in range(OCTAVES)))
            )
        )

    return density


OCTAVES = 6


def _waves(name: str, x: Values, y: Values, knots: int) -> Values:
    """Returns a smooth surface through fixed heights at so many knots a side, of deviation 1 or
    so.
    """
    heights = (digits(name, (knots + 2) ** 2).reshape(knots + 2, knots + 2) - 0.5) * 5
    column, row = (np.minimum(np.floor(at * knots), knots).astype(np.int64) for at in (x, y))
    east = x * knots - column
    north = y * knots - row
    east, north = (along**2 * (3 - 2 * along) for along in (east, north))
    south = heights[row, column] * (1 - east) + heights[row, column + 1] * east
    above = heights[row + 1, column] * (1 - east) + heights[row + 1, column + 1] * east
    return np.asarray(south * (1 - north) + above * north)


def towns(name: str, town_count: int, smallest: float, largest: float) -> Formula:
    """Makes so many places, a few of them far larger than most."""
    east, north, size, weight = digits(name, 4 * town_count).reshape(4, town_count)
    width = smallest * (largest / smallest) ** size
    much = weight ** (-1 / 1.2)

    def density(x: Values, y: Values) -> Values:
        values = np.zeros(np.broadcast(x, y).shape)
        for place in zip(east, north, width, much, strict=True):
            values += place[3] * _bump(x, y, *place[:3])
        return values

    return density


def sites(name: str, share: float) -> Formula:
    """Makes single cells with much, so many of all cells, and nothing between them."""

    def density(x: Values, _: Values) -> Values:
        chosen, weight = digits(name, 2 * x.size).reshape(2, x.size)
        return np.where(chosen < max(share, 3 / x.size), 1 / weight, 0.0)

    return density


def mix(one: Formula, other: Formula, share: float) -> Formula:
    """Makes so large a share of all points lie as the other land has them."""

    def density(x: Values, y: Values) -> Values:
        first = one(x, y)
        second = other(x, y)
        return np.asarray(
            (1 - share) * first / max(first.sum(), 1e-300)
            + share * second / max(second.sum(), 1e-300)
        )

    return density


SHAPES: dict[str, Formula] = {
    "clusters": clusters,
    "river": river,
    "coast": coast,
    "roads": roads,
    "village": village,
    "uniform": uniform,
}
"""The shapes that a plan draws."""
LIBRARY: dict[str, Formula] = {
    **SHAPES,
    "gentle": rough("gentle", 0.5, 0.5),
    "hilly": rough("hilly", 1.1, 0.6),
    "rugged": rough("rugged", 1.8, 0.7),
    "jagged": rough("jagged", 1.1, 0.95),
    "peaks": rough("peaks", 2.2, 0.5),
    "summits": rough("summits", 3.5, 0.6),
    "county": mix(towns("county", 30, 0.004, 0.06), rough("county land", 1.2, 0.7), 0.3),
    "towns": towns("towns", 25, 0.005, 0.05),
    "villages": towns("villages", 40, 0.004, 0.025),
    "hamlets": towns("hamlets", 60, 0.003, 0.01),
    "colony": towns("colony", 5, 0.003, 0.015),
    "colonies": mix(towns("colonies", 12, 0.003, 0.01), uniform, 0.2),
    "sites": sites("sites", 0.015),
    "scattered": sites("scattered", 0.15),
    "hubs": mix(sites("hubs", 0.01), rough("hubs land", 1.2, 0.7), 0.4),
    "brook": brook,
    "reserve": reserve,
    "shore": mix(coast, rough("shore", 1.2, 0.8), 0.4),
}
"""The shapes that a plan's ranges are over: from even land to a few single cells."""


def gathered_share(share: Values, ground: Values) -> float:
    """Returns the share of the ground that holds half of all points, where they are densest.

    >>> gathered_share(np.array([0.6, 0.2, 0.2, 0.0]), np.ones(4))
    0.25
    """
    order = np.argsort(-share / ground, kind="stable")
    reached = int(np.searchsorted(np.cumsum(share[order]), share.sum() / 2 * (1 - 1e-12))) + 1
    return float(ground[order[:reached]].sum() / ground.sum())


def centres(grid: Grid) -> tuple[Values, Values]:
    """Returns east and north of each in-area cell's middle, in the grid's CRS."""
    index = np.flatnonzero(grid.inside)
    if isinstance(grid.cells, Squares):
        west, south, east, north = grid.cells.corners(index)
        return (west + east) / 2, (south + north) / 2
    import shapely

    points = shapely.centroid(grid.polygons())
    return shapely.get_x(points), shapely.get_y(points)


def invent(name: str, grid: Grid) -> Values:
    """Returns the share of all points that lies in each in-area cell, for one of `LIBRARY`.

    >>> share = invent("uniform", Grid(bounds=(0, 0, 4, 2), shape=(2, 4), crs="EPSG:3857"))
    >>> share.round(3).tolist() == [0.125] * 8
    True
    """
    if name not in LIBRARY:
        raise BadInput(f"shape: not one of {', '.join(LIBRARY)}")
    x, y = centres(grid)
    span = max(float(np.ptp(x)), float(np.ptp(y))) or 1.0
    dense = LIBRARY[name]((x - x.min()) / span, (y - y.min()) / span) * grid.square_km[grid.inside]
    return np.asarray(dense / dense.sum()) if dense.sum() > 0 else np.full(len(x), 1 / len(x))


def like(path: "str | os.PathLike[str]", grid: Grid) -> Values:
    """Returns the share of each in-area cell by a public raster of densities, such as population or
    habitat.

    Each cell takes the mean of the raster at a few places in it, times its area; missing and
    negative values are 0. A raster that does not reach every in-area cell is refused: what it
    leaves out would look empty.
    """
    name = os.path.basename(os.fspath(path)) or "that"
    if os.path.isdir(path):
        raise BadInput(f"--like: {name} is a folder; give a raster such as population.tif")
    if not os.path.exists(path):
        raise MissingFile(f"--like: there is no file {name}; check the path")
    try:
        with opened_raster(path, "--like") as raster:
            dense = _sampled(raster, grid, name)
    except BadInput:
        raise
    except Exception:  # noqa: BLE001  # whatever a damaged file makes a driver raise
        raise BadInput(
            f"--like: {name} cannot be read as a raster; give a GeoTIFF with a CRS"
        ) from None
    dense = dense * grid.square_km[grid.inside]
    if not dense.sum() > 0:
        raise BadInput(
            f"--like: {name} holds nothing above 0 in the grid's area; give another raster"
        )
    return np.asarray(dense / dense.sum())


def _sampled(raster: "rasterio.io.DatasetReader", grid: Grid, name: str) -> Values:
    """Returns the raster's mean value over a few places in each in-area cell."""
    if raster.crs is None:
        raise BadInput(f"--like: {name} does not say its CRS; write one into the file")
    x, y = _places(grid)
    to_x, to_y = crs_tools.transform(
        x.ravel(), y.ravel(), grid.crs, crs_tools.text_of(raster.crs.to_wkt())
    )
    a, b, c, d, e, f = (~raster.transform)[:6]
    column = a * to_x + b * to_y + c
    row = d * to_x + e * to_y + f
    inside = (column >= 0) & (row >= 0) & (column <= raster.width) & (row <= raster.height)
    if not inside.all():
        raise BadInput(f"--like: {name} does not cover the grid; give a raster of the whole area")
    high = min(raster.height, RASTER_SIDE)
    wide = min(raster.width, RASTER_SIDE)
    band = raster.read(1, out_shape=(high, wide), masked=True)
    values = np.nan_to_num(
        np.asarray(band.astype(np.float64).filled(0.0)), nan=0.0, posinf=0.0, neginf=0.0
    )
    at_row = np.minimum((row * high / raster.height).astype(np.int64), high - 1)
    at_column = np.minimum((column * wide / raster.width).astype(np.int64), wide - 1)
    return np.asarray(np.maximum(values[at_row, at_column], 0).reshape(x.shape).mean(0))


def _places(grid: Grid) -> tuple[Values, Values]:
    """Returns a few places in each in-area cell: 4 x 4 in a square, the middle of any other; the
    first axis counts them.
    """
    x, y = centres(grid)
    if not isinstance(grid.cells, Squares):
        return x[None], y[None]
    steps = np.linspace(-0.375, 0.375, 4)
    east, north = (offset.ravel()[:, None] for offset in np.meshgrid(steps, steps))
    width, height = grid.cells.cell
    return x + east * width, y + north * height


def points(share: Values, total: float, name: str) -> Values:
    """Deals so many points to the cells by chance, by each cell's share; the same chance in every
    plan.

    >>> points(np.array([0.25, 0.75]), 1000, "example").sum()
    np.float64(1000.0)
    """
    count = round(total)
    steps = np.cumsum(share) / share.sum()
    if count > DRAWN_POINTS:
        return np.diff(np.rint(steps * count), prepend=0.0)
    fixed = np.frombuffer(hashlib.shake_256(name.encode()).digest(8 * count), dtype="<u8")
    places = np.searchsorted(steps, fixed / 2.0**64, side="right")
    return np.bincount(np.minimum(places, len(share) - 1), minlength=len(share)).astype(np.float64)


def spread(grid: Grid, values: Any, outside: float = 0.0) -> Values:
    """Returns values of the in-area cells in grid shape."""
    plane = np.full(grid.shape, outside)
    plane[grid.inside] = values
    return plane
