"""Checks that the sampler's law is the stated one, exactly where that can be shown, else by its
draws.
"""

import math
from fractions import Fraction
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from dpmap.selftest import statistics
from dpmap.selftest.check import Broken, CheckResult, Effort, replace_attribute
from dpmap.vault import laplace, permute_and_flip
from dpmap.vault.laplace import Coin


def coins(_: Effort) -> CheckResult:
    """Checks that a coin shows heads for exactly the numbers below its probability, however late
    they differ.
    """
    trials = 0
    for x, b in ((Fraction(1, 10), 1), (Fraction(3, 7), 1), (Fraction(5, 2), 0)):
        expansion = "".join(map(str, islice(Coin(x, b).expansion(), 200)))
        close = [
            expansion[:place] + "10"[int(expansion[place])] for place in (20, 40, 70, 130, 199)
        ]
        for beginning in [*(f"{number:08b}" for number in range(256)), *close]:
            with replace_attribute(laplace, "random_words", _Scripted(beginning).words):
                heads = laplace.flip(Coin(x, b), 130)
            trials += 1
            below = (
                beginning <= expansion[: len(beginning)]
            )  # zeros follow, so one that is equal so far is below
            if heads.shape != (130,) or not (heads == below).all():
                raise Broken(
                    f"a coin of probability 1 / ({b} + e^{x}) decides a scripted number wrongly"
                )
    return CheckResult(
        f"{trials} scripted entropy sources, alike for up to 200 places", "any wrong decision"
    )


class _Scripted:
    """Replaces the entropy source: all draws get the same bits, those of `beginning`, then
    zeros.
    """

    def __init__(self, beginning: str) -> None:
        self._bits = iter(beginning + "0" * 4096)

    def words(self, count: int) -> NDArray[np.uint64]:
        return np.full(count, -int(next(self._bits)), dtype=np.int64).view(np.uint64)


def choice(effort: Effort) -> CheckResult:
    """Checks the private choice of a cap against permute-and-flip's exact chances, by the
    integral in its proof.
    """
    runs, epsilon, scores = effort.many(8_000, least=4_000), Fraction(2), (0, -1, -2, -3, -1)
    counts = np.zeros(len(scores), dtype=np.int64)
    for _ in range(runs):
        counts[permute_and_flip.choose(scores, epsilon, Fraction(1))] += 1
    coins = np.exp(float(epsilon) / 2 * np.array(scores, dtype=float))
    at, weight = np.polynomial.legendre.leggauss(16)
    heads = 1 - ((at + 1) / 2)[:, None] * coins
    chances = np.array(
        [p * (weight / 2 * np.delete(heads, r, 1).prod(1)).sum() for r, p in enumerate(coins)]
    )
    statistics.check_counts(counts, chances, "choosing a cap")
    return CheckResult(
        f"{runs:,} choices among {len(scores)} caps", _choice_strength(runs, float(chances[3]))
    )


def _choice_strength(runs: int, rare: float) -> str:
    """Returns how much the rarest candidate's chance may be off."""
    off = (statistics.beyond(statistics.CHANCE) + statistics.beyond(statistics.MISS)) * math.sqrt(
        (1 - rare) / (rare * runs)
    )
    return f"a candidate's chance {1 + off:.2f}x off"
