"""Checks that drawn Gaussian noise follows its law."""

import math

import numpy as np
from scipy import special

from dpmap.selftest import statistics
from dpmap.selftest.check import CheckResult, Effort
from dpmap.vault.gaussian import discrete_gaussian

SIGMAS = (1, 3, 50, 2**33 // 7, 2**50)


def frequencies(effort: Effort) -> CheckResult:
    """Checks draws at several sigmas: how often they come, their size and signs, and neighbours
    among them.
    """
    runs = effort.many(300_000, least=40_000)
    said = []
    for sigma in SIGMAS:
        draws = discrete_gaussian(runs, sigma)
        said.append(_as_stated(draws / sigma, sigma, f"sigma {sigma}"))
        for lag in (1, 8, 64, 4096):
            statistics.check_unrelated(
                draws[lag:] / sigma, draws[:-lag] / sigma, f"sigma {sigma}, draws {lag} apart"
            )
    return CheckResult(
        f"{runs:,} draws at each of {len(SIGMAS)} sigmas", f"noise {max(said)} too wide or narrow"
    )


def _as_stated(standard: statistics.Numbers, sigma: int, what: str) -> str:
    """Checks that the draws, in sigmas, come as often as the law of that sigma says, and are as
    wide.
    """
    values = np.arange(-12 * min(sigma, 100), 12 * min(sigma, 100) + 1)
    chances = np.exp(-(values.astype(float) ** 2) / (2 * min(sigma, 100) ** 2))
    chances /= chances.sum()
    square = float((chances * (values / min(sigma, 100)) ** 2).sum())
    fourth = float((chances * (values / min(sigma, 100)) ** 4).sum())
    if sigma <= 100:
        places = np.clip(np.rint(standard * sigma).astype(np.int64) - values[0], 0, len(values) - 1)
        counts = np.bincount(places, minlength=len(values))
    else:
        edges = np.linspace(-3, 3, 49)
        counts = np.bincount(np.searchsorted(edges, standard), minlength=50)
        chances = np.diff(np.concatenate([[0.0], special.ndtr(edges), [1.0]]))
    statistics.check_counts(counts, chances, what)
    statistics.check_unrelated(np.sign(standard), np.ones(len(standard)), f"{what}, signs")
    said = statistics.check_size(standard**2 / square, math.sqrt(fourth - square**2) / square, what)
    return f"{math.sqrt(float(said[:-1])):.3f}x"
