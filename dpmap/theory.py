"""The formulas dpmap states and uses: public arithmetic on public numbers, no data and no randomness.

The noise is the discrete Laplace on the integers (lattice steps): P(N = k) = (1 - p) / (1 + p) * p^|k| with
p = exp(-1 / scale), so P(N > q) = p^(q + 1) / (1 + p) for q >= 0.
"""

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


def laplace_upper_tail(q: int, scale: Fraction) -> float:
    """P(N > q) of the discrete Laplace of this scale, in lattice steps, q >= 0.

    >>> round(laplace_upper_tail(0, Fraction(1)), 4)
    0.2689
    """
    steps = float(scale)
    return math.exp(-(q + 1) / steps) / (1 + math.exp(-1 / steps))


def _smallest(excess: float, scale: Fraction) -> int:
    """The smallest q >= 0 with P(N > q) <= excess."""
    steps = float(scale)
    start = math.floor(-steps * math.log(excess * (1 + math.exp(-1 / steps)))) - 2
    q = max(0, start)
    while laplace_upper_tail(q, scale) > excess:
        q += 1
    return q


def two_sided_quantile(level: float, scale: Fraction) -> int:
    """The smallest q with P(|N| <= q) >= level: half the width of the smallest discrete interval.

    >>> two_sided_quantile(0.9, Fraction(10))
    23
    """
    return _smallest((1 - level) / 2, scale)


def one_sided_quantile(level: float, scale: Fraction) -> int:
    """The smallest q >= 0 with P(N <= q) >= level.

    >>> one_sided_quantile(0.9, Fraction(10))
    16
    """
    return _smallest(1 - level, scale)


def odds_factor(epsilon: Fraction | float, units: int = 1) -> float:
    """How much anyone's odds about the participation of `units` units together can change: e^(k epsilon).

    >>> round(odds_factor(Fraction(1, 100)), 3)
    1.01
    """
    return math.exp(min(float(epsilon) * units, 700.0))


def smallest_detectable(cap: int, epsilon: Fraction, level: float = 0.9) -> float:
    """The smallest cell total, in points, that the one-sided test at `level` tells from 0 at least half the time.

    That is the test's own threshold, scale * ln(1 / (2 (1 - level))), since half of all noise is at least 0.

    >>> round(smallest_detectable(5, Fraction(1)), 2)
    8.05
    """
    return float(Fraction(cap) / epsilon) * math.log(1 / (2 * (1 - level)))


@lru_cache(maxsize=4096)
def sum_quantile(level: float, parts: tuple[tuple[float, int], ...]) -> float:
    """A q with P(|S| <= q) >= level, S the sum of independent Laplace noises: `count` of each `scale`.

    The law of S is read off its characteristic function, the product of 1 / (1 + (scale t)^2)^count, by a Fourier
    sum over 40 standard deviations either side in steps of 1/400 of one; the answer is rounded up by a step, more
    than the sum's own error (and than the lattice's, where the scale is at least a few lattice steps).

    >>> round(sum_quantile(0.9, ((10.0, 1),)), 1), sum_quantile(0.9, ())
    (23.1, 0.0)
    """
    scales = np.array([scale for scale, count in parts if count], dtype=float)
    counts = np.array([count for _, count in parts if count], dtype=float)
    deviation = math.sqrt(float((2 * counts * scales**2).sum()))
    if deviation == 0:
        return 0.0
    points, step = 1 << 15, 1 / 400
    angle = 2 * np.pi * np.fft.rfftfreq(points) / step
    characteristic = np.exp(-(counts[:, None] * np.log1p((scales[:, None] / deviation * angle) ** 2)).sum(0))
    law = np.fft.irfft(characteristic, points)
    within = law[0] + 2 * np.cumsum(law[1 : points // 2])
    reach = int(np.searchsorted(within, level)) + 2
    return reach * step * deviation


def laplace_log_mgf(pull: Numbers, scale: float, lattice: int) -> Numbers:
    """Log E exp(pull N), N a discrete Laplace of `scale` points in steps of 1/`lattice`; infinite from 1/scale up.

    >>> laplace_log_mgf(np.array([0.0, 0.5, 1.0]), 1.0, 1 << 20).round(4).tolist()
    [0.0, 0.2877, inf]
    """
    step, decay = pull / lattice, 1 / (scale * lattice)
    with np.errstate(divide="ignore", invalid="ignore"):
        log_mgf = 2 * np.log(-np.expm1(-decay)) - np.log(-np.expm1(step - decay)) - np.log(-np.expm1(-step - decay))
    return np.asarray(np.where(step < decay, np.maximum(log_mgf, 0.0), np.inf))


@lru_cache(maxsize=4096)
def chosen_sum_quantile(level: float, chosen: int, candidates: int) -> float:
    """A q, in noise scales, with P(|the sum of the noises of K| <= q for *every* set K of `chosen` candidates) >= level.

    For sums over cells that were chosen after their noise was drawn. With probability 1 - a at most `chosen` noises
    exceed t (a binomial count); what they exceed it by is exponential, whatever t (no memory), so their sum is at most
    `chosen` t plus a gamma variable. Both sides share the risk 1 - level.

    >>> round(chosen_sum_quantile(0.9, 1, 1), 2), round(chosen_sum_quantile(0.9, 1, 1000), 2)
    (2.3, 9.18)
    """
    from scipy import stats

    risk = (1 - level) / 2
    if chosen == 1:
        return -math.log(min(1.0, -2 * math.expm1(math.log1p(-risk) / candidates)))
    exceeding = float(stats.beta.ppf(risk / 2, chosen + 1, candidates - chosen)) if candidates > chosen else 0.5
    start = max(0.0, -math.log(2 * exceeding))
    return chosen * start + float(stats.gamma.isf(risk / 2, chosen))
