"""Makes the public question for devices from a grid, and the grid again when their reports are
added up.
"""

import base64
import io
import math
import os
import secrets
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.atomic_write import written_aside
from dpmap.errors import BadInput
from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.grid.h3_cells import Hexagons
from dpmap.grid.squares import Squares
from dpmap.local.device import MOST_CELLS, Question, better, check_epsilon
from dpmap.numbers import epsilon as parse_epsilon
from dpmap.plain_file import check_plain
from dpmap.promise.compatibility import refuse_unproven
from dpmap.record.release_file import add_arrays, grid_in, grid_out

LATTICES = (4, 8, 16, 32)
ERROR = 0.01
"""Of a cell's side: how far from its true place a device may find a longitude and latitude."""
LARGEST = 64 << 20


def ask(grid: Grid, epsilon: object, *, title: str, text: str) -> Question:
    """Makes the question in which cell of a grid a volunteer is or saw something, in a round of its
    own.

    - `grid`: the cells, of which there may be 65,535.
    - `epsilon`: what one report costs her who sends it; nobody is trusted, so it is larger than for
      a release.
    - `title`, `text`: the question, as volunteers read it.

    >>> grid = Grid(bounds=(0, 50, 4, 54), shape=(4, 4), crs="EPSG:4326")
    >>> question = ask(grid, "1", title="Owls", text="Where did you hear one?")
    >>> question.cells, question.mechanism, question.locate(1.5, 52.5)
    (16, 'oue', 5)
    """
    refuse_unproven(["devices", *(["layers"] if grid.axes else [])])
    if grid.cells_inside > MOST_CELLS:
        raise BadInput(f"local: a question has at most {MOST_CELLS:,} cells; make them larger")
    loss = parse_epsilon(epsilon)
    check_epsilon(loss)
    return Question(
        title=title,
        text=text,
        round=secrets.token_hex(16),
        epsilon=loss,
        cells=grid.cells_inside,
        mechanism=better(loss, grid.cells_inside),
        places=_places(grid),
        grid=_packed(grid),
    )


def write_question(question: Question, path: "str | os.PathLike[str]") -> None:
    """Writes a `question` to the file at `path`, to be handed to devices.

    >>> import dpmap as dm
    >>> grid = dm.Grid(bounds=(0, 50, 4, 54), shape=(4, 4), crs="EPSG:4326")
    >>> question = ask(grid, "1", title="Owls", text="Where?")
    >>> write_question(question, "question.json")
    >>> read_question("question.json") == question
    True
    """
    with written_aside(path) as aside:
        aside.write_text(question.to_json(), encoding="utf-8")


def read_question(path: "str | os.PathLike[str]") -> Question:
    """Reads the question from the file at `path`; `BadInput` where it is none.

    >>> import dpmap as dm
    >>> grid = dm.Grid(bounds=(0, 50, 4, 54), shape=(4, 4), crs="EPSG:4326")
    >>> write_question(ask(grid, "1", title="Owls", text="Where?"), "question.json")
    >>> read_question("question.json").title
    'Owls'
    """
    name = Path(path).name
    check_plain(path, "question")
    try:
        if os.path.getsize(path) > LARGEST:
            raise BadInput(
                f"question: {name} is larger than any question file; give the one of dpmap"
                " local ask"
            )
        return Question.from_json(Path(path).read_text("utf-8"))
    except OSError:
        raise BadInput(f"question: {name} cannot be read; check the path") from None
    except UnicodeDecodeError:
        raise BadInput(
            f"question: {name} is no question file; make one with: dpmap local ask"
        ) from None


def grid_of(question: Question) -> Grid:
    """Returns the grid whose cells a question asks about."""
    try:
        with zipfile.ZipFile(
            io.BytesIO(base64.b64decode(question.grid["arrays"], validate=True))
        ) as archive:
            grid = grid_in(question.grid["plain"], archive)
    except Exception:  # noqa: BLE001  # whatever a damaged or hostile file makes a parser raise
        raise BadInput("question: its grid is damaged; ask for the file again") from None
    if grid.cells_inside != question.cells or grid.axes:
        raise BadInput(
            "question: its grid has other cells than it asks about; ask for the file again"
        )
    return grid


def _packed(grid: Grid) -> dict[str, Any]:
    """Packs the grid into one JSON value: its plain values, and its arrays as in a release file."""
    arrays: dict[str, NDArray[Any]] = {}
    plain = grid_out(grid, arrays)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        add_arrays(archive, arrays)
    return {"plain": plain, "arrays": base64.b64encode(packed.getvalue()).decode()}


def _places(grid: Grid) -> dict[str, Any]:
    """Returns what a device needs to find a cell: a lattice for squares, else the cells' names."""
    if isinstance(grid.cells, Hexagons):
        return {"names": [f"{number:x}" for number in grid.cells.ids]}
    if not isinstance(grid.cells, Squares):
        return {"names": list(grid.names)}
    for n in LATTICES:
        places, error = _lattice(grid, grid.cells, n)
        if error <= ERROR:
            break
    else:
        raise BadInput(
            "local: over so large an area no device could find its cell; map a smaller one, or in"
            " degrees"
        )
    inside = base64.b64encode(np.packbits(grid.inside.ravel()).tobytes()).decode()
    return {**places, "shape": list(grid.cells.shape), "inside": inside, "cell": grid.cell_text}


def _lattice(grid: Grid, cells: Squares, n: int) -> tuple[dict[str, Any], float]:
    """Returns column and row at (n + 1) x (n + 1) places, and how far interpolation between them
    is off at worst, in cells.
    """
    import shapely

    outline = shapely.segmentize(shapely.box(*cells.bounds), min(*cells.cell))
    ring = shapely.get_coordinates(outline)
    lon, lat = crs_tools.transform(ring[:, 0], ring[:, 1], grid.crs, crs_tools.LONLAT)
    west = lon.min()
    south = lat.min()
    east = lon.max()
    north = lat.max()
    fine = 4 * n
    x, y = np.meshgrid(np.linspace(west, east, fine + 1), np.linspace(south, north, fine + 1))
    column, row = _column_row(grid, cells, x, y)
    rounded = [np.round(part[::4, ::4], 4) for part in (column, row)]
    true = (column >= 0) & (column <= cells.shape[1]) & (row >= 0) & (row <= cells.shape[0])
    missed = [
        np.abs(_between(part, fine) - exact)[true].max()
        for part, exact in zip(rounded, (column, row), strict=True)
    ]
    box = [float(side) for side in (west, south, east, north)]
    tables = {
        name: part.ravel().tolist() for name, part in zip(("columns", "rows"), rounded, strict=True)
    }
    return {"lattice": n, "box": box, **tables}, (
        float(max(missed)) if np.isfinite(missed).all() else math.inf
    )


def _column_row(
    grid: Grid, cells: Squares, lon: NDArray[np.float64], lat: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns how many cells each place lies east of the west edge and south of the north edge."""
    x, y = crs_tools.transform(lon, lat, crs_tools.LONLAT, grid.crs)
    (west, _, _, north), (width, height) = cells.bounds, cells.cell
    return (x - west) / width, (north - y) / height


def _between(coarse: NDArray[np.float64], fine: int) -> NDArray[np.float64]:
    """Interpolates a lattice linearly to `fine` steps a side."""
    n = coarse.shape[0] - 1
    at = np.linspace(0, n, fine + 1)
    points = np.arange(n + 1)
    across = np.array([np.interp(at, points, line) for line in coarse])
    return np.array([np.interp(at, points, line) for line in across.T]).T
