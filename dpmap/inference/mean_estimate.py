"""Estimates of a map of means, from two layers whose noise is known."""

import numpy as np

from dpmap.errors import BadInput
from dpmap.grid.layer_axes import Values
from dpmap.inference.estimate import Cells, Mask, Regions, discoveries
from dpmap.noise.theory import sum_quantile
from dpmap.read_only_arrays import read_only, read_only_property
from dpmap.record import Measurement

STEPS = 64
ANSWERED = 0.5
"""A mean is published where its interval spans at most this share of the declared range; else there
is no answer.
"""
LEVEL = 0.9


class MeanEstimate:
    """Estimates the mean of each cell, low + (high - low) t, t being the share of its weight at the
    high end.

    Of the two noisy totals, L at the low end and H at the high one, t is about H / (L + H). That
    ratio is wild where little was counted; its interval is not, and says there that nothing is
    known (`shares`).
    """

    def __init__(self, mean: Values, measurement: Measurement) -> None:
        if measurement.kind != "laplace":
            raise BadInput("a mean is read from totals with Laplace noise")
        low = measurement.within((0,))
        high = measurement.within((1,))
        if (
            low is None
            or high is None
            or any((part.partition.sizes() != 1).any() for part in (low, high))
        ):
            raise BadInput("a mean is read from cells that were measured one by one")
        self.mean = mean
        self._scale = float(measurement.scale)
        self.low, self.high = (
            read_only(part.partition.spread(part.values)) for part in (low, high)
        )

    @read_only_property
    def values(self) -> Cells:
        """The mean of each cell, inside its interval, NaN outside the area; see `answered`."""
        first, last = shares(self.low, self.high, self._scale, 1, LEVEL)
        return np.asarray(self.mean.at(best_share(self.low, self.high, first, last)))

    def interval(self, level: float) -> tuple[Cells, Cells]:
        """Returns bounds for each cell that hold its mean with probability at least `level`, if
        it holds anything.
        """
        first, last = shares(self.low, self.high, self._scale, 1, level)
        return self.mean.at(first), self.mean.at(last)

    def counts(self, level: float) -> tuple[Cells, Cells, Cells]:
        """Returns the sum of each cell's weights, never below 0, with bounds that hold it with
        probability `level`.
        """
        noisy = self.low + self.high
        reach = sum_quantile(level, ((self._scale, 2),))
        return (
            np.maximum(noisy, 0.0),
            np.maximum(noisy - reach, 0.0),
            np.maximum(noisy + reach, 0.0),
        )

    def answered(self) -> Mask:
        """Returns the cells whose mean is published: those of which noise alone does not explain
        the count, with the expected share of false ones at most a tenth, and whose 90 % interval
        spans at most half of the declared range.
        """
        return discoveries(self.p_values())

    def zone(self, within: Mask, touched: Mask, level: float) -> tuple[float, float, float]:
        """Returns the mean of a zone and its bounds.

        Where the zone's edge cuts cells, the lower bound takes of them what lies at the low end
        only, the upper one what lies at the high end, each at half the risk: no set of the points
        between has a mean beyond.
        """
        known = np.isfinite(self.low)
        inside = within & known
        reach = (within | touched) & known
        cells = int(reach.sum())
        cut = not np.array_equal(inside, reach)
        part_level = 1 - (1 - level) / 2 if cut else level
        sums = [
            np.array(layer[part].sum())
            for layer in (self.low, self.high)
            for part in (inside, reach)
        ]
        low_in, low_reach, high_in, high_reach = sums
        first, _ = shares(low_reach, high_in, self._scale, cells, part_level)
        _, last = shares(low_in, high_reach, self._scale, cells, part_level)
        best = best_share(low_in, high_in, first, last)
        return float(self.mean.at(best)), float(self.mean.at(first)), float(self.mean.at(last))

    def zone_count(self, within: Mask, touched: Mask, level: float) -> tuple[float, float, float]:
        """Returns the sum of a zone's weights and its bounds; cut cells count in the upper bound
        only.
        """
        known = np.isfinite(self.low)
        noisy = self.low + self.high
        inside = within & known
        reach = (within | touched) & known
        part_level = level if np.array_equal(inside, reach) else 1 - (1 - level) / 2
        below, above = (
            sum_quantile(part_level, ((self._scale, 2 * int(part.sum())),))
            for part in (inside, reach)
        )
        low = max(float(noisy[inside].sum()) - below, 0.0)
        high = max(float(noisy[reach].sum()) + above, 0.0)
        return min(max(float((noisy[inside].sum() + noisy[reach].sum()) / 2), low), high), low, high

    @property
    def regions(self) -> Regions:
        """The number of each cell."""
        return np.where(np.isfinite(self.low), np.arange(self.low.size).reshape(self.low.shape), -1)

    def p_values(self, threshold: float = 0.0) -> Cells:
        """Returns the chance that noise alone makes a cell's count look this high if it is empty,
        by the law of two noises added up; 1 where the interval is too wide to publish a mean.
        """
        del threshold
        low, high = self.interval(LEVEL)
        scales = np.maximum(self.low + self.high, 0.0) / self._scale
        with np.errstate(invalid="ignore"):
            wide = high - low > ANSWERED * float(self.mean.high - self.mean.low)
        chance = np.where(wide | (scales == 0), 1.0, 0.5 * (1 + scales / 2) * np.exp(-scales))
        return np.where(np.isfinite(self.low), chance, np.nan)


def shares(low: Cells, high: Cells, scale: float, cells: int, level: float) -> tuple[Cells, Cells]:
    """Returns the least and the greatest t that are possible, given the noisy totals `low` and
    `high` of so many cells each.

    **Theorem** (Fieller 1954). The bounds hold the true t with probability at least `level`.
    *Proof.* At the true t the totals' (1 - t) H - t L is 0, so that of the noisy ones is noise
    alone: (1 - t) X - t Y, X and Y each the sum of `cells` noises. Its size stays within its own
    quantile q(t) that often, and all t for which it does lie between the bounds. QED The range 0 to
    1 is cut in steps; in each q counts as the larger of its values at both ends. That is no less
    than any between: X and Y are alike and log-concave, so the sum is the less spread the more even
    t is (Proschan 1965). Where the two totals together cannot be told from 0 nothing is known of t,
    and the bounds are widened to 0 and 1: luck of the noise would else make them narrow where
    hardly anything was counted.

    >>> first, last = shares(np.array([300.0, 1.0]), np.array([100.0, 0.0]), 5.0, 1, 0.9)
    >>> first.round(2).tolist(), last.round(2).tolist()
    ([0.23, 0.0], [0.27, 1.0])
    """
    ends = np.linspace(0, 1, STEPS + 1)
    reach = [
        sum_quantile(level, ((scale * max(t, 1 - t), cells), (scale * min(t, 1 - t), cells)))
        for t in ends
    ]
    first = np.full(np.shape(low), np.inf)
    last = np.full(np.shape(low), -np.inf)
    whole = low + high
    for start, stop, most in zip(
        ends[:-1], ends[1:], np.maximum(reach[:-1], reach[1:]), strict=True
    ):
        with np.errstate(divide="ignore", invalid="ignore"):
            sides = (high - most) / whole, (high + most) / whole
        everywhere = (whole == 0) & (np.abs(high) <= most)
        least = np.where(everywhere, start, np.maximum(np.fmin(*sides), start))
        greatest = np.where(everywhere, stop, np.minimum(np.fmax(*sides), stop))
        possible = least <= greatest
        first = np.where(possible, np.minimum(first, least), first)
        last = np.where(possible, np.maximum(last, greatest), last)
    unknown = (first > last) | (whole <= sum_quantile(level, ((scale, 2 * cells),)))
    known = np.isfinite(whole)
    return np.where(known, np.where(unknown, 0.0, first), np.nan), np.where(
        known, np.where(unknown, 1.0, last), np.nan
    )


def best_share(low: Cells, high: Cells, first: Cells, last: Cells) -> Cells:
    """Returns the ratio, kept within its bounds; the middle of these if the totals add up to
    nothing.
    """
    whole = low + high
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(whole > 0, high / whole, (first + last) / 2)
    return np.clip(ratio, first, last)
