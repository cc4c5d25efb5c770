"""Tells land that surely holds more than x points per cell, land that surely holds less, and land of which the map cannot say.

More: as hot spots are found, region by region. Less: by the mirrored test, of measured regions and of squares of them.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid import Grid
from dpmap.grid.areas import Areas
from dpmap.inference.estimate import Cells, Mask, discoveries
from dpmap.inference.hotspots import Search
from dpmap.noise.laws import Laplace
from dpmap.noise.sums import Sum
from dpmap.read_only import read_only_fields
from dpmap.record import Measurement
from dpmap.record.apart import apart

MORE, LESS, UNKNOWN = "surely more", "surely less", "cannot say"
SIDES = (2, 4, 8)
"""Regions are joined within squares of so many rows and columns, counted from the grid's first cell."""


@dataclass(frozen=True, slots=True, eq=False)
class Clearance:
    """Holds the answer for all land, in grid shape: `more` and `less` mark cells, and no cell is both.

    Of the regions told as holding more, and of the regions and squares told as holding less, the expected share of false ones is at
    most `rate`, each side by itself. A block or square stands for its mean cell. `tested` counts the tests of the lower side.
    """

    grid: Grid
    more: Mask
    less: Mask
    threshold: float
    rate: float
    tested: int

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


class Family(NamedTuple):
    """Holds what is tested on the lower side, by pairs of a test and a region that it adds up; fixed before the last noise was drawn."""

    test: NDArray[np.int64]
    region: NDArray[np.int64]
    tests: int


def clearance(grid: Grid, measurements: tuple[Measurement, ...], threshold: float, rate: float = 0.1) -> Clearance:
    """Tells which land surely holds more, and which surely less, than `threshold` points for each cell.

    Why the lower side keeps its rate: a test adds up the noisy totals of a set S of regions, X_S, and its null is that S truly holds
    at least threshold times its cells. Its p-value is never less than P(noise of S <= what was seen less that), so it is
    super-uniform under the null, and it grows with X_S. The family of sets hangs on the grid and the regions alone, not on this noise.
    The noises are independent with log-concave laws, so given X_S the noises in S are stochastically increasing in X_S (Efron
    1965) and the others do not depend on it. Every X_T grows with each of them, so the p-values are positively dependent
    on each of them (PRDS), for which Benjamini and Hochberg's choice keeps the rate (Benjamini and Yekutieli 2001), nested sets or not.
    """
    if not 0 < threshold < np.inf:
        raise BadInput("below: a number of points per cell, above 0, like 5")
    search = Search(grid, apart(measurements), threshold, rate)
    more = search.found()
    family = squares(search, grid)
    p_values = lower_p_values(search, family, search.values, threshold)
    chosen = discoveries(p_values, rate)
    less = np.zeros(len(search.values), dtype=bool)
    less[family.region[chosen[family.test]]] = True
    return Clearance(grid, more, search.spread(less, False) & ~more, threshold, rate, family.tests)


def squares(search: Search, grid: Grid) -> Family:
    """Returns each region by itself, and the regions that lie wholly in each square of the grid; of areas, which have no rows, only the
    first. A square with one region in it is not tested again.
    """
    regions = np.flatnonzero(search.cells > 0)
    test = [np.arange(len(regions))]
    region = [regions]
    tests = len(regions)
    if isinstance(grid.cells, Areas):
        return Family(test[0], regions, tests)
    cells = np.flatnonzero(search.region >= 0)
    row, column = np.divmod(cells, grid.shape[1])
    for side in SIDES:
        square = row // side * (grid.shape[1] // side + 1) + column // side
        first = np.full(len(search.values), square.max(initial=0) + 1)
        last = np.full(len(search.values), -1)
        np.minimum.at(first, search.region[cells], square)
        np.maximum.at(last, search.region[cells], square)
        whole = np.flatnonzero(first == last)
        _, of, many = np.unique(first[whole], return_inverse=True, return_counts=True)
        joined = many[of] > 1
        number = np.cumsum(many > 1) - 1
        test.append(tests + number[of[joined]])
        region.append(whole[joined])
        tests += int((many > 1).sum())
    return Family(np.concatenate(test), np.concatenate(region), tests)


def lower_p_values(search: Search, family: Family, values: Cells, threshold: float) -> Cells:
    """Returns for each test the chance that noise alone pushes a total that is not less than the threshold so low; never too small."""
    missing = threshold * search.cells - values
    short = np.bincount(family.test, missing[family.region], family.tests)
    many = np.bincount(family.test, minlength=family.tests)
    measurement = search.measurement
    scale = float(measurement.law.scale) / measurement.lattice
    found = np.ones(family.tests)
    for count in np.unique(many[many > 0]).tolist():
        alike = (many == count) & (short >= 0)
        if not alike.any():
            continue
        if count == 1:
            found[alike] = measurement.law.contrast(short[alike] * measurement.lattice)
            continue
        gaussian = not isinstance(measurement.law, Laplace)
        found[alike] = _noise_sum(scale, count, measurement.lattice, gaussian=gaussian).tail(short[alike])
    return found


@lru_cache(maxsize=256)
def _noise_sum(scale: float, count: int, lattice: int, *, gaussian: bool) -> Sum:
    """Returns the law of the sum of so many noises; kept, since its table takes longer than all else here."""
    parts = ((scale, count),)
    if gaussian:
        return Sum(gaussian=parts, step=1 / lattice)
    return Sum(laplace=parts, step=1 / lattice)
