"""Tells land that surely holds more than x points per cell, land that surely holds less, and land of which the map cannot say.

All three are read from the one belief, so whoever asks about such a cell as a zone hears the same.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid import Grid
from dpmap.inference.believed import BelievedEstimate
from dpmap.inference.estimate import Mask
from dpmap.read_only import read_only_fields

MORE, LESS, UNKNOWN = "surely more", "surely less", "cannot say"


@dataclass(frozen=True, slots=True, eq=False)
class Clearance:
    """Holds the answer for all land, in grid shape: `more` and `less` mark cells, and no cell is both.

    A cell is told on either side if its interval at the level 1 - `rate` lies wholly there, so of the cells told on each side about half
    the rate is false, as far as what is believed of the map holds.
    """

    grid: Grid
    more: Mask
    less: Mask
    threshold: float
    rate: float

    def __post_init__(self) -> None:
        read_only_fields(self)

    @property
    def words(self) -> NDArray[np.str_]:
        """The answer of each cell in words, in grid shape; empty outside the area."""
        inside = np.where(self.more, MORE, np.where(self.less, LESS, UNKNOWN))
        return np.where(self.grid.inside, inside, "")

    def shares(self) -> dict[str, float]:
        """Returns the share of the area's land that each answer is given of."""
        ground = self.grid.square_km
        whole = ground[self.grid.inside].sum()
        words = self.words
        return {word: float(ground[words == word].sum() / whole) for word in (MORE, LESS, UNKNOWN)}


def clearance(grid: Grid, believed: BelievedEstimate, threshold: float, rate: float = 0.1) -> Clearance:
    """Tells which cells surely hold more, and which surely less, than `threshold` points."""
    if not 0 < threshold < np.inf:
        raise BadInput("below: a number of points per cell, above 0, like 5")
    if not 0 < rate < 1:
        raise BadInput("rate: a probability between 0 and 1, like 0.1")
    low, high = believed.interval(1 - rate)
    with np.errstate(invalid="ignore"):
        return Clearance(grid, low > threshold, high < threshold, threshold, rate)
