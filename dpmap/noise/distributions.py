"""Gives the tails and quantiles of Laplace and Gaussian noise, in lattice steps.

Everything that reads a map asks a measurement for its law, and so needs not know which one it is.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from dpmap.noise.theory import (
    chosen_sum_quantile,
    laplace_log_mgf,
    laplace_variance,
    one_sided_quantile,
    sum_quantile,
    two_sided_quantile,
)

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DiscreteLaplace:
    """The discrete Laplace of `scale` steps: P(N = k) in proportion to exp(-|k| / scale)."""

    scale: Fraction

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        return math.sqrt(laplace_variance(self.scale))

    def two_sided(self, level: float) -> int:
        """Returns the smallest q with P(|N| <= q) >= level."""
        return two_sided_quantile(level, self.scale)

    def one_sided(self, level: float) -> int:
        """Returns the smallest q >= 0 with P(N <= q) >= level."""
        return one_sided_quantile(level, self.scale)

    def of_sum(self, level: float, count: int) -> float:
        """Returns a q with P(|S| <= q) >= level, S the sum of so many independent noises."""
        return sum_quantile(level, ((float(self.scale), count),))

    def of_chosen(self, level: float, chosen: int, candidates: int) -> float:
        """Returns a q with P(|the sum of the noises of K| <= q for every set K of `chosen`
        candidates) >= level.
        """
        return float(self.scale) * chosen_sum_quantile(level, chosen, candidates)

    def detectable(self, level: float) -> float:
        """Returns about the total that the one-sided test at `level` tells from 0 half of the
        time.
        """
        return float(self.scale) * math.log(1 / (2 * (1 - level)))

    def at_least(self, steps: Numbers) -> Numbers:
        """Returns P(N >= steps) for steps above 0, and 1 for others."""
        upper = np.exp(-np.maximum(steps, 0) / float(self.scale)) / (
            1 + math.exp(-1 / float(self.scale))
        )
        return np.where(steps <= 0, 1.0, upper)

    def contrast(
        self, excess: Numbers, weight: "Numbers | float" = 0.0, others: "Numbers | int" = 0
    ) -> Numbers:
        """Returns an upper bound on P(N - weight * (N1 + ... of so many `others`) >= excess);
        `excess` may be any size from 0 on.

        Whatever the second part W is, P(N >= c - W) <= E exp(-(c - W) / scale) / (1 + p), since
        that bounds the tail of N on both sides of 0; and E exp(W / scale) is the product of the
        parts' moment generating functions. So the answer is too large by at most that product, 1.4
        % for 72 cells around one.
        """
        scale = float(self.scale)
        growth = others * laplace_log_mgf(np.asarray(weight) / scale, scale, 1)
        log_tail = growth - excess / scale - np.log1p(np.exp(-1 / scale))
        return np.asarray(np.exp(np.minimum(log_tail, 0.0)))


@dataclass(frozen=True, slots=True)
class DiscreteGaussian:
    """The discrete Gaussian of `scale` steps: P(N = k) in proportion to exp(-k^2 / (2 scale^2)).

    It is compared with the normal law of that deviation, and what lies between the two is at most a
    step: the masses from k on are below the normal's density integrated from k - 1 on, and add up,
    over all k, to no less than its (Poisson's summation formula). So for k >= 1 P(N >= k) <= P(X >=
    k - 1), X normal, and the bounds below hold. Of sums the same holds where the scale is a few
    steps (Canonne, Kamath and Steinke 2020); it is some 2^30.
    """

    scale: Fraction

    @property
    def deviation(self) -> float:
        """The standard deviation, or slightly more."""
        return float(self.scale)

    def two_sided(self, level: float) -> int:
        """Returns a q with P(|N| <= q) >= level, the smallest or one more.

        >>> DiscreteGaussian(Fraction(1000)).two_sided(0.9)
        1645
        """
        return self.one_sided((1 + level) / 2)

    def one_sided(self, level: float) -> int:
        """Returns a q >= 0 with P(N <= q) >= level, the smallest or one more."""
        return max(0, math.ceil(float(self.scale) * NormalDist().inv_cdf(level)))

    def of_sum(self, level: float, count: int) -> float:
        """Returns a q with P(|S| <= q) >= level, S the sum of so many independent noises, from
        the normal law.
        """
        return math.sqrt(count) * float(self.scale) * NormalDist().inv_cdf((1 + level) / 2) + (
            count > 0
        )

    def of_chosen(self, level: float, chosen: int, candidates: int) -> float:
        """Returns a q with P(|the sum of the noises of K| <= q for every set K of `chosen`
        candidates) >= level.

        Each sum is normal; there are binomial(candidates, chosen) sets, and their risks add up to 1
        - level at most.
        """
        from scipy import special

        sets = (
            math.lgamma(candidates + 1)
            - math.lgamma(chosen + 1)
            - math.lgamma(candidates - chosen + 1)
        )
        quantile = -float(special.ndtri_exp(math.log((1 - level) / 2) - max(sets, 0.0)))
        return math.sqrt(chosen) * float(self.scale) * quantile + chosen

    def detectable(self, level: float) -> float:
        """Returns about the total that the one-sided test at `level` tells from 0 half of the
        time.
        """
        return float(self.scale) * NormalDist().inv_cdf(level)

    def at_least(self, steps: Numbers) -> Numbers:
        """Returns a bound on P(N >= steps): the normal tail one step earlier for steps above 0,
        and 1 for others.
        """
        from scipy import special

        return np.where(
            steps <= 0, 1.0, special.ndtr(-(np.maximum(steps, 1) - 1) / float(self.scale))
        )

    def contrast(
        self, excess: Numbers, weight: "Numbers | float" = 0.0, others: "Numbers | int" = 0
    ) -> Numbers:
        """Returns an upper bound on P(N - weight * (N1 + ... of so many `others`) >= excess) by a
        normal tail.

        Each noise lies within a step of a normal variable, so the sum within 1 + others * weight of
        one.
        """
        from scipy import special

        weight = np.asarray(weight)
        wide = float(self.scale) * np.sqrt(1 + others * weight**2)
        return np.asarray(special.ndtr(-(excess - 1 - others * np.abs(weight)) / wide))


Law = DiscreteLaplace | DiscreteGaussian
LAWS: dict[str, type[Law]] = {"laplace": DiscreteLaplace, "gaussian": DiscreteGaussian}
