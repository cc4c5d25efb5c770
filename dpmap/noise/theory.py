"""Formulas that dpmap states and uses: public arithmetic on public numbers, no data and no
randomness.

The noise is the discrete Laplace on the integers (lattice steps): P(N = k) = (1 - p) / (1 + p) *
p^|k| with p = exp(-1 / scale), so P(N > q) = p^(q + 1) / (1 + p) for q >= 0. The worked figures of
the usual introductions to differential privacy come out of these functions
(notebooks/5_the_textbooks_numbers.ipynb).
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


def laplace_upper_tail(q: int, scale: Fraction) -> float:
    """Returns P(N > q) for the discrete Laplace of this scale, in lattice steps, q >= 0.

    >>> round(laplace_upper_tail(0, Fraction(1)), 4)
    0.2689
    """
    steps = float(scale)
    return math.exp(-(q + 1) / steps) / (1 + math.exp(-1 / steps))


def _smallest(excess: float, scale: Fraction) -> int:
    """Returns the smallest q >= 0 with P(N > q) <= excess."""
    steps = float(scale)
    start = math.floor(-steps * math.log(excess * (1 + math.exp(-1 / steps)))) - 2
    q = max(0, start)
    while laplace_upper_tail(q, scale) > excess:
        q += 1
    return q


def two_sided_quantile(level: float, scale: Fraction) -> int:
    """Returns the smallest q with P(|N| <= q) >= level: half the width of the smallest discrete
    interval. N is noise of this `scale`, in steps.

    >>> two_sided_quantile(0.9, Fraction(10))
    23
    """
    return _smallest((1 - level) / 2, scale)


def one_sided_quantile(level: float, scale: Fraction) -> int:
    """Returns the smallest q >= 0 with P(N <= q) >= level, N noise of this `scale`, in steps.

    >>> one_sided_quantile(0.9, Fraction(10))
    16
    """
    return _smallest(1 - level, scale)


def odds_factor(epsilon: Fraction | float, units: int = 1) -> float:
    """Returns how much anyone's odds that `units` units together took part can change: e^(k
    epsilon).

    >>> round(odds_factor(Fraction(1, 100)), 3)
    1.01
    """
    return math.exp(min(float(min(epsilon, 700)) * units, 700.0))


def smallest_detectable(cap: int, epsilon: Fraction, level: float = 0.9) -> float:
    """Returns the smallest cell total, in points, that the one-sided test at `level` tells from 0
    at least half the time, under a `cap` and an `epsilon`.

    That is the test's own threshold, scale * ln(1 / (2 (1 - level))), since half of all noise is at
    least 0.

    >>> round(smallest_detectable(5, Fraction(1)), 2)
    8.05
    """
    return float(Fraction(cap) / epsilon) * math.log(1 / (2 * (1 - level)))


@lru_cache(maxsize=4096)
def sum_quantile(level: float, parts: tuple[tuple[float, int], ...]) -> float:
    """Returns a q with P(|S| <= q) >= level, S the sum of independent Laplace noises, of which
    `parts` lists (scale, count).

    The law of S is read off its characteristic function, the product of 1 / (1 + (scale
    t)^2)^count, by a Fourier sum over 40 standard deviations either side in steps of 1/400 of one;
    the answer is rounded up by a step, more than the sum's own error (and than the lattice's, where
    the scale is at least a few lattice steps).

    >>> round(sum_quantile(0.9, ((10.0, 1),)), 1), sum_quantile(0.9, ())
    (23.1, 0.0)
    """
    scales = np.array([scale for scale, count in parts if count], dtype=float)
    counts = np.array([count for _, count in parts if count], dtype=float)
    deviation = math.sqrt(float((2 * counts * scales**2).sum()))
    if deviation == 0:
        return 0.0
    points = 1 << 15
    step = 1 / 400
    angle = 2 * np.pi * np.fft.rfftfreq(points) / step
    characteristic = np.exp(
        -(counts[:, None] * np.log1p((scales[:, None] / deviation * angle) ** 2)).sum(0)
    )
    law = np.fft.irfft(characteristic, points)
    within = law[0] + 2 * np.cumsum(law[1 : points // 2])
    reach = int(np.searchsorted(within, level)) + 2
    return reach * step * deviation


def sum_tail_bound(points: Numbers, parts: tuple[tuple[float, int], ...]) -> Numbers:
    """Returns an upper bound on P(S >= point) for each of `points`, S the sum of `parts` as in
    `sum_quantile`; exact if all scales are equal, and 1 from 0 down.

    Of k Laplace noises of scale s, P(S >= s x) is the sum over j of C(2k - j - 1, k - 1) / 2^(2k -
    j) Q(j, x), Q(j, x) being the chance that fewer than j events of a Poisson law of mean x happen
    (S is the difference of two gamma variables). Smaller scales are taken for the largest: that
    makes each noise, and so their sum (Birnbaum 1948), less peaked. Chernoff's bound by the true
    scales is taken where it is lower.

    >>> sum_tail_bound(np.array([-1.0, 0.0, 10.0]), ((10.0, 1),)).round(4).tolist()
    [1.0, 1.0, 0.1839]
    """
    widest = max(scale for scale, _ in parts)
    k = sum(count for _, count in parts)
    x = np.maximum(points, 0.0) / widest
    weights = [math.comb(2 * k - j - 1, k - 1) / 2 ** (2 * k - j) for j in range(1, k + 1)]
    tail = np.zeros_like(x)
    term = np.exp(-x)
    for i in range(k):
        tail += term * sum(weights[i:])
        term = term * x / (i + 1)
    best = tail
    if len(parts) > 1:
        for pull in np.linspace(0, 1, 65)[1:-1]:
            growth = -sum(
                count * math.log1p(-((pull * scale / widest) ** 2)) for scale, count in parts
            )
            best = np.minimum(best, np.exp(growth - pull * x))
    return np.asarray(np.where(points <= 0, 1.0, np.minimum(best, 1.0)))


def laplace_log_mgf(pull: Numbers, scale: float, lattice: int) -> Numbers:
    """Returns log E exp(pull N), N a discrete Laplace of `scale` points in steps of 1/`lattice`;
    infinite from 1/scale up.

    >>> laplace_log_mgf(np.array([0.0, 0.5, 1.0]), 1.0, 1 << 20).round(4).tolist()
    [0.0, 0.2877, inf]
    """
    step = pull / lattice
    decay = 1 / (scale * lattice)
    with np.errstate(divide="ignore", invalid="ignore"):
        log_mgf = (
            2 * np.log(-np.expm1(-decay))
            - np.log(-np.expm1(step - decay))
            - np.log(-np.expm1(-step - decay))
        )
    return np.asarray(np.where(step < decay, np.maximum(log_mgf, 0.0), np.inf))


@lru_cache(maxsize=4096)
def chosen_sum_quantile(level: float, chosen: int, candidates: int) -> float:
    """Returns a q, in noise scales, with P(|the sum of the noises of K| <= q for *every* set K of
    `chosen` candidates) >= level.

    For sums over cells that were chosen after their noise was drawn. With probability 1 - a at most
    `chosen` noises exceed t (a binomial count); what they exceed it by is exponential, whatever t
    (no memory), so their sum is at most `chosen` t plus a gamma variable. Both sides share the risk
    1 - level.

    >>> round(chosen_sum_quantile(0.9, 1, 1), 2), round(chosen_sum_quantile(0.9, 1, 1000), 2)
    (2.3, 9.18)
    """
    from scipy.special import betaincinv, gammainccinv

    risk = (1 - level) / 2
    if chosen == 1:
        return -math.log(min(1.0, -2 * math.expm1(math.log1p(-risk) / candidates)))
    exceeding = (
        float(betaincinv(chosen + 1, candidates - chosen, risk / 2)) if candidates > chosen else 0.5
    )
    start = max(0.0, -math.log(2 * exceeding))
    return chosen * start + float(gammainccinv(chosen, risk / 2))


def laplace_scale(sensitivity: Fraction | int, epsilon: Fraction) -> Fraction:
    """Returns the noise scale that pays `epsilon` for a sum that one unit moves by at most
    `sensitivity`.

    >>> laplace_scale(1, Fraction("0.8"))
    Fraction(5, 4)
    """
    return Fraction(sensitivity) / epsilon


def mean_sensitivity(cap: Fraction | int, count: int) -> Fraction:
    """Returns how far one of `count` values, a public number, each from 0 to `cap`, can move their
    mean.

    >>> float(mean_sensitivity(8, 500))
    0.016
    """
    return Fraction(cap) / count


def laplace_mean_absolute_error(scale: Fraction) -> float:
    """Returns E|N| of the discrete Laplace of this scale, 2 p / (1 - p^2): about the scale if that
    is many steps.

    >>> round(laplace_mean_absolute_error(Fraction(5, 4) * 2**32) / 2**32, 12)
    1.25
    """
    steps = float(scale)
    return 2 * math.exp(-1 / steps) / -math.expm1(-2 / steps)


def laplace_variance(scale: Fraction) -> float:
    """Returns E N^2 of the discrete Laplace of this scale, 2 p / (1 - p)^2: about 2 scale^2 if that
    is many steps.

    >>> round(laplace_variance(Fraction(10)), 2)
    199.83
    """
    steps = float(scale)
    return 2 * math.exp(-1 / steps) / math.expm1(-1 / steps) ** 2


def survey_share(points: float, noise_variance: float) -> float:
    """Returns the share s of the observers whose reports, without noise, would tell a zone as well
    as all reports do with it.

    `points` is what the zone holds, m, and `noise_variance` that of the noise in its total, V. Why:
    chance is there without any noise. If points come one by one and independently, of a rate that
    the survey is to find, their number is a Poisson number, whose variance is its mean m; with the
    noise, which knows nothing of them, the total varies by m + V. Were only a share s of the
    observers to report, a Poisson number of mean s m would come, and that number over s, which
    estimates the same, would vary by s m / s^2 = m / s. Both are equal at s = m / (m + V). Where
    observers report several points each, chance alone is larger than m, and the true share is
    nearer to 1 than this one.

    >>> round(survey_share(100, 25 * 2 * 1.107**2), 2), survey_share(100, 0)
    (0.62, 1.0)
    """
    return points / (points + noise_variance)


def sequential_cost(epsilons: Sequence[Fraction]) -> Fraction:
    """Returns what several answers about the same people cost together: the sum of their
    `epsilons`.

    >>> sequential_cost([Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)])
    Fraction(1, 1)
    """
    return sum(epsilons, Fraction(0))


def parallel_cost(epsilons: Sequence[Fraction]) -> Fraction:
    """Returns what answers about groups that share no person cost together: the largest of their
    `epsilons`.

    >>> parallel_cost([Fraction(1, 2)] * 10)
    Fraction(1, 2)
    """
    return max(epsilons, default=Fraction(0))


def strictest(epsilons: Sequence[Fraction]) -> Fraction:
    """Returns the one epsilon that keeps what several groups were each promised: the smallest of
    these `epsilons`.

    >>> strictest([Fraction(1), Fraction(1, 4), Fraction(2)])
    Fraction(1, 4)
    """
    return min(epsilons)


def budget_shares(budget: Fraction, releases: int, decay: Fraction | int = 1) -> list[Fraction]:
    """Returns shares for a number of releases that add up to the budget exactly, each `decay` times
    the one before.

    >>> [str(share) for share in budget_shares(Fraction(3), 3)]
    ['1', '1', '1']
    >>> [str(share) for share in budget_shares(Fraction(7), 3, Fraction(1, 2))]
    ['4', '2', '1']
    """
    weights = [Fraction(decay) ** day for day in range(releases)]
    return [budget * weight / sum(weights) for weight in weights]


def amplified_by_sampling(epsilon: float, rate: float) -> float:
    """Returns everyone's epsilon if each was in a secret, independent sample of this `rate`: ln(1 +
    rate (e^eps - 1)).

    >>> round(amplified_by_sampling(1.0, 0.05), 4)
    0.0824
    """
    return math.log1p(rate * math.expm1(epsilon))


def randomised_response(epsilon: float) -> float:
    """Returns how often a yes-or-no question is answered truly at this epsilon: e^eps / (1 +
    e^eps); else the opposite is said.

    >>> round(randomised_response(math.log(3)), 12)
    0.75
    """
    return 1 / (1 + math.exp(-epsilon))


def exponential_choice(
    scores: Sequence[float], epsilon: float, sensitivity: float = 1.0
) -> list[float]:
    """Returns each candidate's chance under the exponential mechanism: in proportion to e^(epsilon
    score / (2 sensitivity)), for its one of `scores`.

    >>> [round(chance, 3) for chance in exponential_choice([0, 1, 2], 2.0)]
    [0.09, 0.245, 0.665]
    """
    best = max(scores)
    weights = [math.exp(epsilon * (score - best) / (2 * sensitivity)) for score in scores]
    return [weight / sum(weights) for weight in weights]


def greatest_divergence(epsilon: float) -> float:
    """Returns the greatest Kullback-Leibler divergence, in nats, of the Laplace-noised answers for
    two neighbouring surveys.

    With u = the shift over the scale, at most epsilon, it is u - 1 + e^-u, which grows with u.

    >>> round(greatest_divergence(1.0), 4)
    0.3679
    """
    return epsilon + math.expm1(-epsilon)


def one_bit_leakage(epsilon: float) -> float:
    """Returns the most that a Laplace-noised answer tells, in nats, about one fair bit of one unit;
    eps^2 / 8 at small epsilon.

    The mutual information of the bit and Lap(bit): the mean of ln(2 p / (p + q)) under p, the two
    densities p and q an epsilon apart. Integrated by parts, with v = e^(u - eps / 2) between the
    two peaks, it is ln(2 / (1 + e^-eps)) - e^(-eps/2) (atan e^(eps/2) - atan e^(-eps/2)).

    >>> round(one_bit_leakage(0.01) / (0.01**2 / 8), 2), round(
    ...     one_bit_leakage(50.0) / math.log(2), 6
    ... )
    (1.0, 1.0)
    """
    half = epsilon / 2
    between = 2 * math.atan(math.tanh(half / 2))
    return -math.log1p(math.expm1(-epsilon) / 2) - math.exp(-half) * between


def error_for_leakage(sensitivity: float, leakage: float) -> float:
    """Returns the mean squared error for so small a one-bit leakage R (nats): D = 2 (s / eps)^2 =
    s^2 / (4 R), s the `sensitivity`.

    >>> round(error_for_leakage(1.0, 0.1**2 / 8), 6)
    200.0
    """
    return sensitivity**2 / (4 * leakage)


def binomials_at_least(
    least: NDArray[Any], first: tuple[int, float], second: tuple[int, float]
) -> Numbers:
    """Returns P(X + Y >= each of `least`), X and Y independent binomials, `first` and `second`,
    given as (trials, chance); never too small.

    Summed over the values that X takes but with a chance of less than 1e-15 (Bernstein), which is
    added.

    >>> binomials_at_least(np.arange(5), (1, 0.5), (2, 0.5)).round(4).tolist()
    [1.0, 0.875, 0.5, 0.125, 0.0]
    """
    from scipy.special import betainc, gammaln, xlog1py, xlogy

    trials, chance = first
    second_trials, second_chance = second
    reach = 9 * math.sqrt(trials * chance * (1 - chance)) + 25
    x = np.arange(
        max(0, int(trials * chance - reach)), min(trials, int(trials * chance + reach)) + 1
    )
    ways = gammaln(trials + 1) - gammaln(x + 1) - gammaln(trials - x + 1)
    weight = np.exp(ways + xlogy(x, chance) + xlog1py(trials - x, -chance))
    rest = np.asarray(least)[:, None] - x
    within = np.clip(rest, 1, max(second_trials, 1))
    at_least = betainc(within, second_trials - within + 1, second_chance)
    tail = np.where(rest <= 0, 1.0, np.where(rest > second_trials, 0.0, at_least))
    return np.asarray(np.minimum(tail @ weight + 1e-15, 1.0))


def reports_half_width(level: float, count: int, truth: float, other: float) -> float:
    """Returns how far above 0 an empty cell's estimate lies with a chance of (1 - level) / 2 at
    most, for `count` reports with the chances `truth` and `other` (p and q of
    `reports_standard_error`).

    >>> round(reports_half_width(0.9, 2000, 0.5, 0.12), 1)
    63.2
    """
    from scipy.stats import binom

    return float(binom.isf((1 - level) / 2, count, other) - count * other) / (truth - other)


def reports_standard_error(count: int, truth: float, other: float) -> float:
    """Returns the standard error of an empty cell for n = `count` reports: sqrt(n q (1 - q)) / (p -
    q), as (s - n q) / (p - q) estimates it. p is the chance that the `truth` is reported, q that
    any `other` answer is.

    >>> round(reports_standard_error(2000, 0.5, 0.12), 1)
    38.2
    """
    return math.sqrt(count * other * (1 - other)) / (truth - other)
