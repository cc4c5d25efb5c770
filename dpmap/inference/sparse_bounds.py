"""Bounds zones and single cells of a sparse release, in which only some cells are listed.

A cell is listed because its noisy total is high, so the noise of those listed leans upwards; and of
the others only that their noisy total is below the threshold. Both are allowed for here, by the
noise law alone.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid import Grid, Shown
from dpmap.grid.squares import Squares
from dpmap.inference.estimate import discoveries
from dpmap.inference.patches.calibration import Digits, interval_width, seed
from dpmap.noise.theory import laplace_log_mgf, one_sided_quantile, sum_quantile, two_sided_quantile
from dpmap.numbers import regions_text
from dpmap.read_only_arrays import read_only_fields
from dpmap.record import Measurement, Record

if TYPE_CHECKING:
    import geopandas

Cells = NDArray[np.float64]
STEP = 1 / 4
"""The distance of the prior's totals, in noise scales."""
FAR = 16.0
"""The prior's totals reach so many noise scales above the threshold."""
NEAR = 12.0
"""The prior judges cells up to so many noise scales above the threshold."""
ROUNDS = 60
"""Rounds of expectation maximisation."""
UNSURE = 0.25
"""The part of a cell's variance that counts the answer only, as for other maps."""
PULLS = np.array([0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9])
"""The shares of 1/scale at which the exponential bound is tried; the risk is divided among them."""


def listed_cells(record: Record) -> tuple[Measurement, Shown, Squares]:
    """Returns the one measurement of a sparse release, the cells it shows, and the squares they
    are among.
    """
    measurement = record.measurements[-1]
    cells = record.grid.cells
    if not isinstance(measurement.partition, Shown) or not isinstance(cells, Squares):
        raise BadInput("this release is not sparse")
    return measurement, measurement.partition, cells


def interval(measurement: Measurement, level: float) -> tuple[Cells, Cells]:
    """Returns bounds of the cells shown; with `hidden_below` for the others, they hold each cell's
    total this often.

    They are those of a flat map (`FlatEstimate.interval`); a cell not shown gets all that any value
    below the threshold would have given it. So no cell's bounds hold it less often than in a flat
    map.
    """
    one_sided = one_sided_quantile(level, measurement.scale_steps)
    two_sided = two_sided_quantile(level, measurement.scale_steps)
    steps = measurement.steps
    low = np.where(steps <= one_sided, 0, np.maximum(steps - two_sided, 1))
    return low / measurement.lattice, (steps + two_sided) / measurement.lattice


def hidden_below(measurement: Measurement, threshold: float, level: float) -> float:
    """Returns an upper bound on the capped total of a cell that is not shown."""
    return threshold + two_sided_quantile(level, measurement.scale_steps) / measurement.lattice


def at_least(measurement: Measurement, listed: Cells, cells: int, level: float) -> float:
    """Returns a lower bound on the total of a zone of `cells` cells at this level; `listed` are its
    cells' noisy totals.

    *Proof.* Let b be the noise scale, t the threshold, 0 < p < 1/b, and s = ln E exp(p N) / p. For
    one cell of total x >= 0 let f(x) = E exp(p (Y - s - x)) over Y = x + N >= t, plus exp(-p x) P(Y
    < t). For x towards infinity f goes to E exp(p (N - s)) = 1. With u = t - x, f's derivative in u
    has at u < 0 one sign, and at u > 0 the sign of an expression that only rises; so f is largest
    at one end, x = 0 or infinity: f <= max(1, f(0)) = 1 + d. The cells' noises are independent, so
    E exp(p (S - T)) <= (1 + d)^cells for S the sum of Y - s over the listed and T the total; by
    Markov, T >= S - (cells ln(1 + d) + ln(1/risk)) / p but for a chance of `risk`. The best of the
    `PULLS` is taken, each at its share of the risk. QED

    >>> from fractions import Fraction
    >>> made = Measurement(
    ...     Shown([5], Fraction(20)),
    ...     np.array([90]),
    ...     lattice=1,
    ...     scale=Fraction(2),
    ...     epsilon=Fraction(1),
    ... )
    >>> at_least(made, np.array([90.0]), 10, 0.95) > 70
    True
    """
    scale = float(measurement.scale)
    threshold = float(measurement.partition.threshold)  # type: ignore[attr-defined]  # a Shown
    pull = PULLS / scale
    risk = (1 - level) / len(PULLS)
    log_mgf = laplace_log_mgf(pull, scale, measurement.lattice)
    tail = math.exp(-threshold / scale) / 2
    chance = tail * np.maximum(np.exp(pull * threshold - log_mgf) / (1 - PULLS) - 1, 0.0)
    bound = (
        listed.sum()
        - (len(listed) * log_mgf + cells * np.log1p(chance) + math.log(1 / risk)) / pull
    )
    return max(0.0, float(bound.max()))


def at_most(measurement: Measurement, listed: Cells, cells: int, level: float) -> float:
    """Returns an upper bound on the total of a zone of `cells` cells at this level.

    The total is the sum of all noisy totals less that of all noises. Those not listed are below the
    threshold each; and the law of the sum of so many noises is known.
    """
    threshold = float(measurement.partition.threshold)  # type: ignore[attr-defined]  # a Shown
    spread = sum_quantile(2 * level - 1, ((float(measurement.scale), cells),))
    return max(0.0, float(listed.sum()) + (cells - len(listed)) * threshold + spread)


def not_listed_at_most(measurement: Measurement, cells: int, level: float) -> float:
    """Returns an upper bound on the total of all cells that are not listed, of so many cells in
    all, at this level.

    Their total is that of their noisy totals, each below the threshold, less their noises. The
    noise chose which they are: so their noise is that of all cells less that of the listed, which
    is bounded for every choice of so many; each bound at half the risk.
    """
    listed = len(measurement.values)
    part_level = 1 - (1 - level) / 2
    hidden = max(cells - listed, 0)
    if not hidden:
        return 0.0
    threshold = float(measurement.partition.threshold)  # type: ignore[attr-defined]  # a Shown
    of_all = measurement.law.of_sum(part_level, cells)
    of_listed = measurement.law.of_chosen(part_level, listed, cells) if listed else 0.0
    return hidden * threshold + (of_all + of_listed) / measurement.lattice


@dataclass(frozen=True, slots=True, eq=False)
class ListedSpots:
    """Cells of a sparse release whose capped total is above `threshold` points; the expected share
    of false ones is at most `rate`. `places` are their numbers in row order, `noisy` their noisy
    totals, which lean upwards; `estimate` is the posterior mean of each, and `low` and `high` are
    its bounds, as wide as cells chosen like that need.
    """

    grid: Grid
    threshold: float
    rate: float
    level: float
    places: NDArray[np.int64]
    p_values: Cells
    noisy: Cells
    estimate: Cells
    low: Cells
    high: Cells

    def __post_init__(self) -> None:
        read_only_fields(self)

    def __len__(self) -> int:
        return len(self.places)

    def to_geodataframe(self) -> "geopandas.GeoDataFrame":
        """Returns one polygon for each cell, with its official codes where it has them, the
        largest estimate first, in the grid's CRS.
        """
        import geopandas as gpd
        import shapely

        from dpmap.grid.crs_label import reference

        order = np.argsort(-self.estimate, kind="stable")
        squares: Squares = self.grid.cells  # type: ignore[assignment]  # sparse grids are squares
        plain = {
            name: getattr(self, name)[order]
            for name in ("estimate", "low", "high", "noisy", "p_values")
        }
        outlines = shapely.box(*squares.corners(self.places[order]))
        columns = {"cell": self.places[order], **self.grid.codes(self.places[order]), **plain}
        return gpd.GeoDataFrame(columns, geometry=outlines, crs=reference(self.grid.crs))

    def __repr__(self) -> str:
        return f"<ListedSpots: {regions_text(len(self), 0)} above {self.threshold:g}>"


def hotspots(record: Record, threshold: float | None, rate: float, level: float) -> ListedSpots:
    """Finds the listed cells above a threshold, by Benjamini and Hochberg's rule among all cells.

    A cell that is not listed counts as tested with a p-value of 1, which is never too small; so the
    p-values of all cells are independent and super-uniform, and the choice keeps its rate. None of
    those is chosen, so that the others are the same as where only the listed are tested, by
    p-values that are as many times larger as there are more cells.
    """
    if threshold is None:
        raise BadInput(
            "hotspots: a sparse release does not tell what surrounds a cell; give a threshold in"
            " points, like 30"
        )
    if not 0 < rate < 1 or not 0 < level < 1 or not 0 <= threshold < np.inf:
        raise BadInput("hotspots: a threshold of at least 0, and a rate and level between 0 and 1")
    measurement, partition, _ = listed_cells(record)
    law = ListedCellLaw(measurement, record.grid.cells_inside)
    noisy = measurement.values
    cells = record.grid.cells_inside
    p_values = law.p_values(noisy, threshold)
    chosen = np.flatnonzero(discoveries(p_values * (cells / max(len(noisy), 1)), rate))
    mean, variance, chances = law.estimate(noisy)
    digits = Digits(seed([measurement.steps.tobytes()]))
    deviation = np.sqrt(variance)

    def walk(wide: float) -> Cells:
        del wide
        truth, redrawn = law.redraw(noisy, chances, digits)
        chosen_again = np.flatnonzero(
            discoveries(law.p_values(redrawn, threshold) * (cells / len(redrawn)), rate)
        )
        estimated, variance_again, _chances = law.estimate(redrawn)
        off = (truth - estimated)[chosen_again] / np.sqrt(variance_again[chosen_again])
        return np.asarray(off[np.argsort(-estimated[chosen_again], kind="stable")])

    reach = interval_width(walk, level, len(noisy)) * deviation if len(chosen) else deviation
    low, high = interval(measurement, level)
    low = np.minimum(low, np.maximum(mean - reach, 0.0))
    high = np.maximum(high, mean + reach)
    return ListedSpots(
        record.grid,
        threshold,
        rate,
        level,
        partition.places[chosen],
        p_values[chosen],
        noisy[chosen],
        mean[chosen],
        low[chosen],
        high[chosen],
    )


class ListedCellLaw:
    """Estimates listed cells, by the law of the noise and a prior learned from the listed cells and
    the number of the others.
    """

    def __init__(self, measurement: Measurement, cells: int) -> None:
        self._scale = float(measurement.scale)
        self._least = (
            float(measurement.partition.threshold)  # type: ignore[attr-defined]  # a Shown
            / self._scale
        )
        self._cells = cells
        self._steps = float(measurement.scale_steps)
        self.totals = np.append(
            0.0, np.arange(max(STEP, self._least - FAR), self._least + FAR, STEP)
        )

    def estimate(self, noisy: Cells) -> tuple[Cells, Cells, Cells]:
        """Returns mean and variance of each cell with such a noisy total, and its chance of each of
        the prior's totals.

        Far above the threshold a cell holds what its noisy total says, and has no chances.
        """
        scaled = noisy / self._scale
        near = scaled < self._least + NEAR
        steps, at = np.unique(np.round(scaled[near] / STEP * 2), return_inverse=True)
        answers = steps * STEP / 2
        count = np.bincount(at, minlength=len(steps))
        deviations = answers[:, None] - self.totals
        likelihood = np.exp(-np.abs(deviations)) / 2
        unlisted = 1 - self.listing_chance(self.totals)
        hidden = max(self._cells - len(noisy), 0)
        prior = np.full(len(self.totals), (count.sum() + 1) / len(self.totals))
        prior[0] += hidden
        prior /= prior.sum()
        for _ in range(ROUNDS):
            share = likelihood * prior / np.maximum(likelihood @ prior, 1e-300)[:, None]
            prior = count @ share + hidden * prior * unlisted / max(float(prior @ unlisted), 1e-300)
            prior /= prior.sum()
        share = likelihood * prior / np.maximum(likelihood @ prior, 1e-300)[:, None]
        prior_mean = share @ self.totals
        prior_square = share @ self.totals**2
        mean = scaled.copy()
        variance = np.full(len(scaled), 2.0)
        mean[near] = prior_mean[at]
        variance[near] = (
            2 * UNSURE + (1 - UNSURE) * np.maximum(prior_square - prior_mean**2, 0.0)[at]
        )
        chances = np.zeros((len(scaled), len(self.totals)))
        chances[near] = share[at]
        return mean * self._scale, variance * self._scale**2, chances

    def p_values(self, noisy: Cells, threshold: float) -> Cells:
        """Returns the chance that noise lifts a cell of at most `threshold` points to such noisy
        totals; never too small.
        """
        return np.asarray(
            np.exp(-np.maximum(noisy - threshold, 0) / self._scale)
            / (1 + math.exp(-1 / self._steps))
        )

    def listing_chance(self, totals: Cells) -> Cells:
        """Returns the chance that a cell of such a total, in noise scales, is listed."""
        above = totals - self._least
        tail = np.exp(-np.abs(above)) / 2
        return np.asarray(np.where(above < 0, tail, 1 - tail))

    def redraw(self, noisy: Cells, chances: Cells, digits: Digits) -> tuple[Cells, Cells]:
        """Draws what listed cells may hold in truth, and noisy totals with which they would be
        listed.
        """
        near = chances.sum(1) > 0
        scaled = noisy / self._scale
        index = (np.cumsum(chances, 1) < digits.uniform(len(noisy))[:, None]).sum(1)
        truth = np.where(near, self.totals[np.minimum(index, len(self.totals) - 1)], scaled)
        # the noise's upper tail, where the cell is listed
        upper_tail = self.listing_chance(truth) * digits.uniform(len(noisy))
        noise = np.where(upper_tail < 0.5, -np.log(2 * upper_tail), np.log(2 * (1 - upper_tail)))
        return truth * self._scale, np.maximum(truth + noise, self._least) * self._scale
