"""Bounds zones and single cells of a sparse release, in which only some cells are listed.

A cell is listed because its noisy total is high, so the noise of those listed leans upwards; and of the others only
that their noisy total is below the threshold. Both are allowed for here, by the noise law alone.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid import Grid, Shown
from dpmap.grid import crs as crs_tools
from dpmap.grid.squares import Squares
from dpmap.inference.estimate import discoveries
from dpmap.noise.theory import laplace_log_mgf, one_sided_quantile, sum_quantile, two_sided_quantile
from dpmap.record import Measurement, Record

if TYPE_CHECKING:
    import geopandas

Cells = NDArray[np.float64]
PULLS = np.array([0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9])
"""At which shares of 1/scale the exponential bound is tried; the risk is dealt out among them."""


def shown(record: Record) -> tuple[Measurement, Shown, Squares]:
    """Returns the one measurement of a sparse release, the cells it shows, and the squares they are among."""
    measurement, cells = record.measurements[-1], record.grid.cells
    if not isinstance(measurement.partition, Shown) or not isinstance(cells, Squares):
        raise BadInput("this release is not sparse")
    return measurement, measurement.partition, cells


def interval(measurement: Measurement, level: float) -> tuple[Cells, Cells]:
    """Returns bounds of the cells shown; with `hidden_below` for the others, they hold each cell's total this often.

    They are those of a flat map (`FlatEstimate.interval`); a cell not shown gets all that any value below the
    threshold would have given it. So no cell's bounds hold it less often than in a flat map.
    """
    one, two = (quantile(level, measurement.scale_steps) for quantile in (one_sided_quantile, two_sided_quantile))
    steps = measurement.steps
    low = np.where(steps <= one, 0, np.maximum(steps - two, 1))
    return low / measurement.lattice, (steps + two) / measurement.lattice


def hidden_below(measurement: Measurement, threshold: float, level: float) -> float:
    """Returns an upper bound on the capped total of a cell that is not shown."""
    return threshold + two_sided_quantile(level, measurement.scale_steps) / measurement.lattice


def at_least(measurement: Measurement, listed: Cells, cells: int, level: float) -> float:
    """Returns a lower bound on the total of a zone of `cells` cells at this level; `listed` are its cells' noisy totals.

    *Proof.* Let b be the noise scale, t the threshold, 0 < p < 1/b, and s = ln E exp(p N) / p. For one cell of total
    x >= 0 let f(x) = E exp(p (Y - s - x)) over Y = x + N >= t, plus exp(-p x) P(Y < t). For x towards infinity f goes
    to E exp(p (N - s)) = 1. With u = t - x, f's derivative in u has at u < 0 one sign, and at u > 0 the sign of an
    expression that only rises; so f is largest at one end, x = 0 or infinity: f <= max(1, f(0)) = 1 + d. The cells'
    noises are independent, so E exp(p (S - T)) <= (1 + d)^cells for S the sum of Y - s over the listed and T the total;
    by Markov, T >= S - (cells ln(1 + d) + ln(1/risk)) / p but for a chance of `risk`. The best of the `PULLS` is taken,
    each at its share of the risk. QED

    >>> from fractions import Fraction
    >>> made = Measurement(Shown([5], Fraction(20)), np.array([90]), lattice=1, scale=Fraction(2), epsilon=Fraction(1))
    >>> at_least(made, np.array([90.0]), 10, 0.95) > 70
    True
    """
    scale, threshold = float(measurement.scale), float(measurement.partition.threshold)  # type: ignore[attr-defined]  # a Shown
    pull, risk = PULLS / scale, (1 - level) / len(PULLS)
    log_mgf = laplace_log_mgf(pull, scale, measurement.lattice)
    tail = math.exp(-threshold / scale) / 2
    chance = tail * np.maximum(np.exp(pull * threshold - log_mgf) / (1 - PULLS) - 1, 0.0)
    bound = listed.sum() - (len(listed) * log_mgf + cells * np.log1p(chance) + math.log(1 / risk)) / pull
    return max(0.0, float(bound.max()))


def at_most(measurement: Measurement, listed: Cells, cells: int, level: float) -> float:
    """Returns an upper bound on the total of a zone of `cells` cells at this level.

    The total is the sum of all noisy totals less that of all noises. Those not listed are below the threshold each;
    and the law of the sum of so many noises is known.
    """
    threshold = float(measurement.partition.threshold)  # type: ignore[attr-defined]  # a Shown
    spread = sum_quantile(2 * level - 1, ((float(measurement.scale), cells),))
    return max(0.0, float(listed.sum()) + (cells - len(listed)) * threshold + spread)


@dataclass(frozen=True, slots=True, eq=False)
class ListedSpots:
    """Cells of a sparse release whose capped total is above `threshold` points; the expected share of false ones is at
    most `rate`. `places` are their numbers in row order, `noisy` their noisy totals, `low` and `high` their bounds.
    """

    grid: Grid
    threshold: float
    rate: float
    level: float
    places: NDArray[np.int64]
    p_values: Cells
    noisy: Cells
    low: Cells
    high: Cells

    def __len__(self) -> int:
        return len(self.places)

    def to_geodataframe(self) -> "geopandas.GeoDataFrame":
        """Returns one polygon for each cell, the largest total first, in the grid's CRS."""
        import geopandas as gpd
        import shapely

        order = np.argsort(-self.noisy, kind="stable")
        squares: Squares = self.grid.cells  # type: ignore[assignment]  # sparse grids are squares
        plain = {name: getattr(self, name)[order] for name in ("noisy", "low", "high", "p_values")}
        outlines = shapely.box(*squares.corners(self.places[order]))
        return gpd.GeoDataFrame(
            {"cell": self.places[order], **plain}, geometry=outlines, crs=crs_tools.parse(self.grid.crs)
        )

    def __repr__(self) -> str:
        return f"<ListedSpots: {len(self):,} cells above {self.threshold:g}>"


def hotspots(record: Record, threshold: float | None, rate: float, level: float) -> ListedSpots:
    """Finds the listed cells above a threshold, by Benjamini and Hochberg's rule among all cells.

    A cell that is not listed counts as tested with a p-value of 1, which is never too small; so the p-values of all
    cells are independent and super-uniform, and the choice keeps its rate. None of those is chosen, so that the others
    are the same as where only the listed are tested, by p-values that are as many times larger as there are more cells.
    """
    if threshold is None:
        raise BadInput(
            "hotspots: a sparse release does not tell what surrounds a cell; give a threshold in points, like 30"
        )
    if not 0 < rate < 1 or not 0 < level < 1 or not 0 <= threshold < np.inf:
        raise BadInput("hotspots: a threshold of at least 0, and a rate and level between 0 and 1")
    measurement, partition, _ = shown(record)
    scale, noisy = float(measurement.scale), measurement.values
    p_values = np.exp(-np.maximum(noisy - threshold, 0) / scale) / (1 + math.exp(-1 / (scale * measurement.lattice)))
    tests_for_each = record.grid.cells_inside / max(len(p_values), 1)
    chosen = np.flatnonzero(discoveries(p_values * tests_for_each, rate))
    low, high = interval(measurement, level)
    return ListedSpots(
        record.grid, threshold, rate, level, partition.places[chosen], p_values[chosen], noisy[chosen], low[chosen], high[chosen]
    )  # fmt: skip
