"""Lays a public file on the cells of a grid: hours of effort, people, km2 of habitat, km of road in
each cell.

A raster, polygons, lines or points, in any CRS; or numbers that are given in the grid's shape. What
is laid is an *amount*, which is shared out by ground, so that nothing of it is counted twice: a
place made of two cells holds the sum of both.
"""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput, MissingFile, WrongType
from dpmap.grid.grid import Grid
from dpmap.stores import is_url, local_copy, split_url

Values = NDArray[np.float64]
Mask = NDArray[np.bool_]

RASTERS = (
    ".tif",
    ".tiff",
    ".asc",
    ".nc",
    ".img",
    ".jp2",
    ".png",
    ".jpg",
    ".jpeg",
    ".bil",
    ".hgt",
    ".vrt",
)
"""How files of pixels end; all others are read as layers of shapes."""
BESIDE_SHAPES = (".shx", ".dbf", ".prj", ".cpg")
BESIDE_PIXELS = (".prj", ".hdr", ".tfw")


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """Holds the amount in each cell, in the ground's shape: never negative, NaN outside the area.

    `name` is the file's, without its folder, and the column or band taken; `sha256` is of the
    file's bytes. `missing` are the cells in the area of which the file knows nothing, whose amount
    is given as 0. `what` says in words what an amount of 1 is, if the file's kind tells it (`km2`,
    `km`), else it is empty.
    """

    name: str
    sha256: str
    values: Values
    missing: Mask = field(repr=False)
    what: str = ""


def lay(source: Any, grid: Grid, *, role: str, layer: str | None = None) -> Laid:
    """Lays a public file on a grid's cells and returns the amount in each.

    - `source`: a file (`effort.tif`, `effort.tif:2` for its second band, `habitat.gpkg`,
      `districts.gpkg:people` for a column or a layer, `districts.gpkg:layer:people` for both), a
      GeoDataFrame, or an array in the shape of the ground.
    - `role`: what messages call it, such as `--per`.
    - `layer`: of a file, the layer to read.

    Pixels hold amounts, as in hours or people per pixel. Polygons without a column count as the km2
    they cover, lines as km, points as how many they are; a column is shared out by ground, or by
    length.

    >>> grid = Grid(bounds=(0, 0, 3, 1), shape=(1, 3), crs="EPSG:3857")
    >>> lay(np.array([[2.0, 0.0, 1.5]]), grid, role="per").values
    array([[2. , 0. , 1.5]])
    """
    ground = grid.ground
    ground.check_held()
    if isinstance(source, str | os.PathLike):
        laid = _lay_file(os.fspath(source), ground, role, layer)
    elif hasattr(source, "geometry") and hasattr(source, "crs"):
        from dpmap.grid.allocate_vector import lay_frame

        values, what, digest = lay_frame(source, ground, role)
        laid = Laid("a layer of ours", digest, values, np.zeros(ground.shape, dtype=bool), what)
    else:
        laid = _lay_numbers(source, ground, role)
    return _check_amounts(laid, ground, role)


def _check_amounts(laid: Laid, ground: Grid, role: str) -> Laid:
    """Returns the amounts with NaN outside the area; refuses those with nothing in it."""
    missing = laid.missing & ground.inside
    if missing.sum() == ground.cells_inside:
        raise BadInput(
            f"{role}: {laid.name} knows nothing of the area; give a file that overlaps it, and"
            " check that its CRS is right"
        )
    if not laid.values[ground.inside].sum() > 0:
        raise BadInput(
            f"{role}: {laid.name} holds nothing above 0 in the area; check its CRS, or give another"
            " file"
        )
    return Laid(
        laid.name, laid.sha256, np.where(ground.inside, laid.values, np.nan), missing, laid.what
    )


def _lay_numbers(source: Any, ground: Grid, role: str) -> Laid:
    """Takes a number for each cell; NaN where it is missing."""
    try:
        values = np.array(source, dtype=np.float64)
    except (TypeError, ValueError):
        raise WrongType(
            f"{role}: give a file, a GeoDataFrame, or numbers in the grid's shape {ground.shape}"
        ) from None
    if values.shape != ground.shape:
        raise BadInput(
            f"{role}: the numbers have the shape {values.shape}; give one for each cell,"
            f" {ground.shape}"
        )
    missing = np.isnan(values)
    inside = values[ground.inside & ~missing]
    if not np.isfinite(inside).all() or (inside < 0).any():
        raise BadInput(f"{role}: some numbers are negative or infinite; an amount is 0 or more")
    digest = hashlib.sha256(np.ascontiguousarray(values, dtype="<f8").tobytes()).hexdigest()
    return Laid("numbers of ours", digest, np.where(missing, 0.0, values), missing)


def _lay_file(text: str, ground: Grid, role: str, layer: str | None) -> Laid:
    """Allocates a file, as a raster or a layer by its name."""
    path, words = split_path(text)
    with local_copy(path, role) as file:
        return _lay_local_file(os.fspath(file), words, ground, role, layer)


def _lay_local_file(
    path: str, words: list[str], ground: Grid, role: str, layer: str | None
) -> Laid:
    """Allocates a file of this machine."""
    name = display_name(path)
    if os.path.isdir(path) and not path.rstrip("/").endswith(".gdb"):
        raise BadInput(
            f"{role}: {name} is a folder; give a file such as effort.tif or habitat.gpkg"
        )
    if not os.path.exists(path):
        raise MissingFile(
            f"{role}: there is no file {name}; check its path (a column is named FILE:COLUMN)"
        )
    if path.lower().endswith(RASTERS):
        from dpmap.grid.allocate_raster import lay_raster

        values, missing, full_name = lay_raster(path, words, ground, role, name)
        return Laid(full_name, hash_content(path), values, missing)
    from dpmap.grid.allocate_vector import lay_file

    values, what, full_name = lay_file(path, words, ground, role, name, layer)
    return Laid(full_name, hash_content(path), values, np.zeros(ground.shape, dtype=bool), what)


def split_path(text: str) -> tuple[str, list[str]]:
    """Splits FILE:WORD or FILE:WORD:WORD, unless the whole text is a file.

    >>> split_path("districts.gpkg:towns:people")
    ('districts.gpkg', ['towns', 'people'])
    """
    if is_url(text):
        return split_url(text)
    words: list[str] = []
    path = text
    while not os.path.exists(path) and ":" in path and len(words) < 2:
        path, _, word = path.rpartition(":")
        words.insert(0, word)
    usual = os.path.exists(path) or os.path.splitext(path)[1]
    return (path, words) if usual and path else (text, [])


def display_name(path: str) -> str:
    """Returns a file's name, on one line and without its folder."""
    name = os.path.basename(path.rstrip("/")) or path
    return "".join(mark if mark.isprintable() else " " for mark in name)[:80]


def hash_content(path: "str | os.PathLike[str]") -> str:
    """Returns the SHA-256 of a file's bytes; of a shapefile, or a folder, that of all its parts."""
    main = Path(path)
    parts = list(_files_of_layer(main))
    if parts == [main]:
        return _digest(main)
    digest = hashlib.sha256()
    for part in parts:
        digest.update(f"{part.name.removeprefix(main.stem)} {_digest(part)}\n".encode())
    return digest.hexdigest()


def _files_of_layer(main: Path) -> Iterator[Path]:
    """Lists the files that a layer is made of."""
    if main.is_dir():
        yield from sorted(part for part in main.rglob("*") if part.is_file())
        return
    yield main
    suffix = main.suffix.lower()
    beside = (
        BESIDE_SHAPES
        if suffix == ".shp"
        else BESIDE_PIXELS
        if suffix in (".asc", ".bil", ".img", ".png")
        else ()
    )
    yield from (part for other in beside if (part := main.with_suffix(other)).is_file())


def _digest(part: Path) -> str:
    """Returns the SHA-256 of one file, read piece by piece."""
    with open(part, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
