"""Computes the statistics of the checks: how sure a claim is, and how strong the trial was.

Each test is wrong by chance with probability at most `CHANCE`, or `BOUND_CHANCE` where epsilon is
bounded from below. With fewer than 600 of the first kind and 24 of the second in one selftest, an
honest build fails it less than once in a million runs.
"""

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy import special

from dpmap.selftest.check import Broken

Numbers = NDArray[np.float64]
Draws = NDArray[np.int64]

CHANCE = 1e-9
BOUND_CHANCE = 1.6e-8
MISS = 0.05
"""A strength is what would be caught with 95 %."""
FEWEST = 1000
"""Draws expected in a range that is compared by itself, so that the chi-square law holds far
into its tail.
"""


def beyond(chance: float) -> float:
    """Returns the standard deviations that a normal variable passes, on one side, with this
    chance.
    """
    return -float(special.ndtri(chance))


def shares_lower(hits: int, runs: int, chance: float) -> float:
    """Returns Clopper and Pearson's lower bound on the probability of what happened `hits`
    times; wrong with at most `chance`.
    """
    return float(special.betaincinv(hits, runs - hits + 1, chance)) if hits else 0.0


def shares_upper(hits: int, runs: int, chance: float) -> float:
    """Returns the upper bound in the same way.

    >>> round(shares_upper(0, 100, 0.05), 4)
    0.0295
    """
    return float(special.betainccinv(hits + 1, runs - hits, chance)) if hits < runs else 1.0


def loss_bound(hits: int, runs: int, other_hits: int, other_runs: int, chance: float) -> float:
    """Returns a lower bound on the privacy loss ln(P / P') of one event, seen `hits` times here and
    `other_hits` there.

    >>> round(loss_bound(500, 1000, 184, 1000, 0.025), 2)
    0.78
    """
    lower = shares_lower(hits, runs, chance / 2)
    upper = shares_upper(other_hits, other_runs, chance / 2)
    return math.log(lower / upper) if lower > 0 else -math.inf


def few_bound(hits: int, runs: int, other_hits: int, other_runs: int, chance: float) -> float:
    """Returns the same bound from few runs: the largest loss that the two counts together rule out,
    0 if they rule out none.

    For probabilities p here and q there with p = q e^loss, the chances of so many hits here and so
    few there are independent and each at most uniform, so the chance that their product is as small
    as x is at most x (1 - ln x) (Fisher); p may be any.

    >>> round(few_bound(28, 28, 0, 28, 1e-9), 2), few_bound(28, 28, 20, 28, 1e-9)
    (0.53, 0.0)
    """
    chances = np.linspace(0, 1, 2001)
    tails = (
        special.betainc(hits, runs - hits + 1, chances[1:]) if hits else np.ones(len(chances) - 1)
    )

    def is_likely(loss: float) -> bool:
        few = special.betaincc(
            other_hits + 1, other_runs - other_hits, chances[:-1] * math.exp(-loss)
        )
        product = float((tails * few).max()) if other_hits < other_runs else 1.0
        return product * (1 - math.log(product)) > chance

    low = 0.0
    high = 20.0
    if is_likely(low):
        return 0.0
    while high - low > 1e-4:
        middle = (low + high) / 2
        low, high = (low, middle) if is_likely(middle) else (middle, high)
    return low


def caught_shift(runs: int, claimed: float, chance: float) -> float:
    """Returns how many times the sensitivity one must move a cell for `few_bound` to pass the
    claim, with 95 %.

    Of noise of scale 1 / claimed, a threshold half way misses a shift s with probability exp(-s
    claimed / 2) / 2 on each side.
    """
    misses = -1
    while few_bound(runs - misses - 1, runs, misses + 1, runs, chance) > claimed:
        misses += 1
    if misses < 0:
        return math.inf
    return (
        -2 * math.log(2 * float(special.betaincinv(misses + 1, runs - misses, MISS / 2))) / claimed
    )


def caught_loss(
    hits: int, runs: int, other_hits: int, other_runs: int, claimed: float, chance: float
) -> float:
    """Returns how many times the claimed epsilon the same event would have shown, with 95 %.

    A mechanism that loses r times as much shows r times this event's log ratio; it is caught once
    that passes the claim by both bounds' widths and the luck allowed for.
    """
    if not hits or not other_hits:
        return math.inf
    widths = [math.sqrt((1 - k / n) / k) for k, n in ((hits, runs), (other_hits, other_runs))]
    margin = beyond(chance / 2) * sum(widths) + beyond(MISS) * math.hypot(*widths)
    shown = math.log(hits / runs) - math.log(other_hits / other_runs)
    return (claimed + margin) / shown if shown > 0 else math.inf


def standard_size(scale: Fraction) -> tuple[float, float]:
    """Returns mean and standard deviation of |K|, K the discrete Laplace of this scale.

    >>> mean, deviation = standard_size(Fraction(10**6))
    >>> round(mean / 1e6, 4), round(deviation / 1e6, 4)
    (1.0, 1.0)
    """
    a = 1 / float(scale)
    mean = math.exp(-a) * 2 / -math.expm1(-2 * a)
    square = 2 * math.exp(-a) / math.expm1(-a) ** 2
    return mean, math.sqrt(square - mean * mean)


def check_size(ratios: Numbers, spread: float, what: str) -> str:
    """Checks that sizes of noise over their stated mean average to 1; returns what would have been
    caught.

    `spread` is the standard deviation of one ratio. The mean grows in proportion to the scale, near
    enough.
    """
    runs = len(ratios)
    mean = float(ratios.mean())
    one = spread / math.sqrt(runs)
    if abs(mean - 1) > beyond(CHANCE / 2) * one:
        raise Broken(
            f"{what}: the noise is {mean:.3f} times as wide as stated, over {runs:,} draws"
        )
    return f"{1 + (beyond(CHANCE / 2) + beyond(MISS)) * one:.3f}x"


def check_ranges(draws: Draws, scale: Fraction, what: str, ranges: int = 50) -> None:
    """Checks that draws fall in ranges of about equal probability as often as the exact law says
    (Pearson's chi-square).
    """
    a = 1 / float(scale)
    positive = np.unique(
        np.ceil(float(scale) * np.log(ranges / 2 / np.arange(1, ranges // 2))).astype(np.int64)
    )
    positive = positive[positive > 0]
    edges = np.concatenate([1 - positive[::-1], positive])
    upper = np.exp(-a * positive) / (1 + math.exp(-a))
    at_least = np.concatenate([[1.0], 1 - upper[::-1], upper, [0.0]])
    counts = np.bincount(np.searchsorted(edges, draws, side="right"), minlength=len(edges) + 1)
    check_counts(counts, -np.diff(at_least), what)


def check_counts(counts: NDArray[np.integer], chances: Numbers, what: str) -> None:
    """Checks that the counts are as expected; cells that expect few are joined."""
    expected = counts.sum() * chances
    rare = expected < min(FEWEST, expected.sum() / 200)
    pooled = np.append(counts[~rare], counts[rare].sum())
    hoped = np.append(expected[~rare], expected[rare].sum())
    pooled = pooled[hoped > 20]
    hoped = hoped[hoped > 20]
    score = float(((pooled - hoped) ** 2 / hoped).sum())
    if special.chdtrc(max(1, len(hoped) - 1), score) < CHANCE:
        raise Broken(f"{what}: values do not come up as often as the stated law says")


def check_unrelated(one: Numbers, other: Numbers, what: str) -> None:
    """Checks that two standardised series are uncorrelated."""
    runs = len(one)
    score = abs(float(one @ other)) / math.sqrt(runs)
    if score > beyond(CHANCE / 2):
        raise Broken(
            f"{what}: one draw tells of another (correlation {score / math.sqrt(runs):.3f} over"
            f" {runs:,} pairs)"
        )
