"""Classifies land as surely holding more than x points per cell, surely less, or neither.

All three are read from the one belief, so such a cell has the same answer as a zone.
Zones and rates are compared with a number by the same rule (`compare_intervals`).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpmap.errors import BadInput
from dpmap.grid import Grid
from dpmap.inference.estimate import Mask
from dpmap.inference.posterior_estimate import BelievedEstimate
from dpmap.numbers import real
from dpmap.read_only_arrays import read_only_fields

MORE = "surely more"
LESS = "surely less"
UNKNOWN = "cannot say"


def compare_intervals(low: ArrayLike, high: ArrayLike, threshold: float) -> NDArray[np.str_]:
    """Return in words whether each interval lies wholly above the threshold, below it, or neither.

    Where there is no interval the answer is neither. An answer is false only where its interval
    misses the truth, so over land of many kinds in about 1 - level of the cases at most. The misses
    need not be halved between the sides: on some land nearly all are low bounds that are too high.

    >>> compare_intervals([6.0, 1.0, 4.0, np.nan], [9.0, 4.9, 6.0, np.nan], 5).tolist()
    ['surely more', 'surely less', 'cannot say', 'cannot say']
    """
    with np.errstate(invalid="ignore"):
        above = np.greater(low, threshold)
        below = np.less(high, threshold)
    return np.where(above, MORE, np.where(below, LESS, UNKNOWN))


def read_threshold(value: object, name: str, meaning: str, above: float = 0.0) -> float:
    """Return the number that intervals are compared with; refuse what is no finite number above
    `above`.

    >>> read_threshold("5", "than", "a number of points")
    5.0
    """
    try:
        threshold = real(value)
    except (TypeError, ValueError):
        threshold = np.nan
    if not above < threshold < np.inf:
        raise BadInput(f"{name}: {meaning}, like 5")
    return threshold


@dataclass(frozen=True, slots=True, eq=False)
class Clearance:
    """The answer of each cell in `words`, in grid shape, empty outside the area; `more` and
    `less` mark cells.

    A cell is placed on either side if its interval at the level 1 - `rate` lies wholly there, so an
    answer is false only where that interval misses: over all cells about the rate at most, as far
    as what is believed of the map holds.
    """

    grid: Grid
    words: NDArray[np.str_]
    threshold: float
    rate: float

    def __post_init__(self) -> None:
        read_only_fields(self)

    @property
    def more(self) -> Mask:
        """The cells that surely hold more."""
        return np.asarray(self.words == MORE)

    @property
    def less(self) -> Mask:
        """The cells that surely hold less."""
        return np.asarray(self.words == LESS)

    def shares(self) -> dict[str, float]:
        """Returns the share of the area's land with each answer."""
        ground = self.grid.square_km
        whole = ground[self.grid.inside].sum()
        return {
            word: float(ground[self.words == word].sum() / whole) for word in (MORE, LESS, UNKNOWN)
        }


def clearance(
    grid: Grid, believed: BelievedEstimate, threshold: float, rate: float = 0.1
) -> Clearance:
    """Classifies the cells: surely more than `threshold` points, surely less, or neither."""
    threshold = read_threshold(threshold, "below", "a number of points per cell, above 0")
    if not 0 < rate < 1:
        raise BadInput("rate: a probability between 0 and 1, like 0.1")
    low, high = believed.interval(1 - rate)
    words = np.where(grid.inside, compare_intervals(low, high, threshold), "")
    return Clearance(grid, words, threshold, rate)
