"""Rectangular cells in rows and columns, row 0 in the north."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput

EDGE = 1e-9
"""A point closer than this share of a cell to an edge counts as on it, so decimal coordinates such
as 0.3 on a 0.1-degree grid do not fall left or right by a rounding error.
"""


@dataclass(frozen=True, slots=True)
class Squares:
    """Rows and columns (`shape`) of cells over `bounds` (west, south, east, north) in units of the
    CRS.

    A point on an inner edge belongs to the cell east or north of it; one on the outer edge to the
    outermost cell.

    >>> two = Squares(bounds=(0, 0, 2, 1), shape=(1, 2))
    >>> two.locate(np.array([0.0, 1.0, 2.0, 2.1]), np.array([0.5, 0.5, 1.0, 0.5]))
    array([ 0,  1,  1, -1])
    """

    bounds: tuple[float, float, float, float]
    shape: tuple[int, int]

    def __post_init__(self) -> None:
        west, south, east, north = self.bounds
        if not np.all(np.isfinite(self.bounds)) or west >= east or south >= north:
            raise BadInput(
                "bounds must be finite (west, south, east, north) with west < east and south <"
                " north"
            )
        if len(self.shape) != 2 or min(self.shape) < 1:
            raise BadInput("shape must be (rows, columns), both at least 1")

    @property
    def size(self) -> int:
        """How many cells."""
        return self.shape[0] * self.shape[1]

    @property
    def cell(self) -> tuple[float, float]:
        """The width and height of one cell."""
        west, south, east, north = self.bounds
        return (east - west) / self.shape[1], (north - south) / self.shape[0]

    def locate(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.int64]:
        """Returns each point's cell in row order, or -1 outside."""
        west, south, _, _ = self.bounds
        width, height = self.cell
        column = _steps(x, west, width, self.shape[1])
        up = _steps(y, south, height, self.shape[0])
        cell = (self.shape[0] - 1 - up) * self.shape[1] + column
        return np.where((column >= 0) & (up >= 0), cell, -1)

    def sql(self, points: str, carried: str) -> str:
        """Builds SQL that does what `locate` does: of a SELECT with columns x and y, the points
        inside, as `carried` and cell.

        The same operations in the same order, so that engines may place points without leaving SQL;
        a test holds the two to the same answers. In SQL, NaN and infinity compare as larger than
        any number, so they are outside; TRY_CAST, since an engine may compute a cell before it
        filters.
        """
        west, south, _, _ = self.bounds
        width, height = self.cell
        rows, columns = self.shape
        across = _place_sql("x", west, width)
        up = _place_sql("y", south, height)
        edge = _double(EDGE)
        step = "TRY_CAST(least(floor({0} + {1}), {2}) AS BIGINT)"
        return f"""
            SELECT {carried}, ({rows - 1} - {step.format("up", edge, rows - 1)}) * {columns}
                   + {step.format("across", edge, columns - 1)} AS cell
            FROM (SELECT *, {across} AS across, {up} AS up FROM ({points}) AS points) AS placed
            WHERE across + {edge} >= 0 AND across - {edge} <= {columns}
                  AND up + {edge} >= 0 AND up - {edge} <= {rows}"""

    def corners(self, index: NDArray[np.int64]) -> tuple[NDArray[np.float64], ...]:
        """Returns west, south, east and north of each cell, given by its place in row order."""
        return self.edges(*np.divmod(index, self.shape[1]))

    def edges(
        self, row: NDArray[np.int64], column: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], ...]:
        """Returns west, south, east and north of each cell, given by its row and column."""
        west, south, east, north = self.bounds
        rows, columns = self.shape
        return (
            west + (east - west) * column / columns,
            north - (north - south) * (row + 1) / rows,
            west + (east - west) * (column + 1) / columns,
            north - (north - south) * row / rows,
        )


def _steps(value: NDArray[np.float64], origin: float, step: float, count: int) -> NDArray[np.int64]:
    """Returns which of `count` half-open steps each value falls in; -1 for none, also for NaN
    and infinity.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        place = (value - origin) / step
        inside = (place + EDGE >= 0) & (place - EDGE <= count)
        index = np.minimum(np.floor(place + EDGE), count - 1)
        return np.where(inside, index, -1).astype(np.int64)


def _place_sql(value: str, origin: float, step: float) -> str:
    """Builds SQL for how many steps a value lies from the origin."""
    return f"({value} - {_double(origin)}) / {_double(step)}"


def _double(number: float) -> str:
    """Writes a number so that SQL reads it back bit for bit."""
    return f"CAST('{number!r}' AS DOUBLE)"
