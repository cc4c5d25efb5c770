"""Estimates and intervals from noisy measurements; this is post-processing and costs no privacy."""

from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Cells = NDArray[np.float64]
Mask = NDArray[np.bool_]
Regions = NDArray[np.integer]
RATE = 0.1
"""The expected share of falsely distinguished regions that every map and layer is drawn with."""


class Estimate(Protocol):
    """What every estimate offers; arrays are in grid shape, NaN outside the area, in
    points (capped totals).
    """

    @property
    def values(self) -> Cells:
        """The estimated capped total of each cell, never negative."""
        ...

    def interval(self, level: float) -> tuple[Cells, Cells]:
        """Returns bounds for each cell that hold its capped total with probability at least
        `level`.
        """
        ...

    def zone(self, within: Mask, touched: Mask, level: float) -> tuple[float, float, float]:
        """Returns estimate, low and high of the capped total of a zone.

        `within` marks the cells wholly inside it, `touched` those it meets at all (a superset). The
        bounds hold the total of any set of points between the two.
        """
        ...

    @property
    def regions(self) -> Regions:
        """The number of the region that each cell is judged with, in grid shape, -1 where
        nothing is judged.
        """
        ...

    def p_values(self, threshold: float = 0.0) -> Cells:
        """Returns for each cell the largest chance that noise alone makes it look this high, if its
        total is at most `threshold`. Land measured in larger regions has at threshold 0 the
        region's chance, above it 1.
        """
        ...


@runtime_checkable
class Believing(Protocol):
    """What an estimate offers besides that is read from one belief about all land."""

    def distinguishable(self, rate: float) -> Mask:
        """Returns the cells that surely hold something."""
        ...


def discoveries(
    p_values: Cells,
    rate: float = 0.1,
    *,
    method: Literal["bh", "by"] = "bh",
    tests: int | None = None,
) -> Mask:
    """Returns which tests are positive, with the expected share of false ones at most `rate`.

    A p-value of NaN is no test. `tests` is the number of all tests, where those that cannot pass
    have no p-value in `p_values`.

    "bh" is Benjamini and Hochberg's, valid where each p-value is super-uniform under its null and
    the noises are independent; "by" is Benjamini and Yekutieli's, valid under any dependence of
    the noises.

    >>> discoveries(np.array([0.001, 0.6, 0.02, np.nan]))
    array([ True, False,  True, False])
    """
    # by hand: importing scipy.stats takes as long as drawing a map
    ordered = np.sort(p_values[np.isfinite(p_values)])
    tests = len(ordered) if tests is None else tests
    share = rate if method == "bh" else rate / max(1.0, float((1 / np.arange(1, tests + 1)).sum()))
    passing = np.flatnonzero(ordered <= share * np.arange(1, len(ordered) + 1) / max(1, tests))
    with np.errstate(invalid="ignore"):
        chosen: Mask = p_values <= (ordered[passing[-1]] if len(passing) else -1.0)
    return chosen


def distinguishable(estimate: Estimate, rate: float = RATE, *, level: float | None = None) -> Mask:
    """Returns the land that surely holds something, in grid shape.

    Where there is one belief about all land: the cells whose interval at `level`, else at 1 -
    `rate`, leaves out 0, as any zone's would. Else the land that noise alone does not explain: each
    measured region is one test, and all its cells or none are chosen; the expected share of false
    ones among the regions is at most `rate`.
    """
    if isinstance(estimate, Believing):
        return estimate.distinguishable(rate if level is None else 1 - level)
    regions = estimate.regions.ravel()
    p_values = estimate.p_values().ravel()
    region_numbers, first_cells, region_of_cell = np.unique(
        regions, return_index=True, return_inverse=True
    )
    chosen = discoveries(np.where(region_numbers >= 0, p_values[first_cells], np.nan), rate)
    return np.asarray(chosen[region_of_cell].reshape(estimate.regions.shape))


def count_regions(estimate: Estimate, chosen: Mask) -> tuple[int, int]:
    """Counts the regions in the chosen land: cells by themselves, and blocks of several cells."""
    region_numbers, cell_counts = np.unique(estimate.regions[chosen], return_counts=True)
    cell_counts = cell_counts[region_numbers >= 0]
    return int((cell_counts == 1).sum()), int((cell_counts > 1).sum())
