"""Checks that the sampler's law is the stated one, exactly where that can be shown, else by its
draws.
"""

import math
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from importlib.util import find_spec
from multiprocessing import get_context

import numpy as np

from dpmap.selftest import statistics
from dpmap.selftest.check import Broken, CheckResult, Effort, NotHere
from dpmap.selftest.laplace_bits import SCALES
from dpmap.vault.laplace import discrete_laplace


def frequencies(effort: Effort) -> CheckResult:
    """Checks draws at several scales: ranges, size, signs, and neighbours among them."""
    runs = effort.many(1_000_000, least=40_000)
    said = [_frequencies(discrete_laplace(runs, scale), scale) for scale in SCALES]
    return CheckResult(
        f"{runs:,} draws at each of {len(SCALES)} scales", f"noise {max(said)} too wide or narrow"
    )


def other_source(effort: Effort) -> CheckResult:
    """Checks OpenDP's noise in the same way."""
    if find_spec("opendp") is None:
        raise NotHere(
            "OpenDP is not installed (extra private-heatmaps[opendp]); nothing here uses its noise"
        )
    runs = effort.many(40_000, least=20_000)
    scales = (Fraction(5, 2), Fraction(655_360))
    said = [_frequencies(discrete_laplace(runs, scale, source="opendp"), scale) for scale in scales]
    return CheckResult(
        f"{runs:,} draws of OpenDP at each of {len(scales)} scales",
        f"noise {max(said)} too wide or narrow",
    )


def _frequencies(draws: statistics.Draws, scale: Fraction) -> str:
    what = f"scale {scale}"
    statistics.check_ranges(draws, scale, what)
    mean, deviation = statistics.standard_size(scale)
    sizes = np.abs(draws)
    said = statistics.check_size(sizes / mean, deviation / mean, what)
    standard = (sizes - mean) / deviation
    signs = np.sign(draws) / math.sqrt(float(np.mean(draws != 0)) or 1.0)
    statistics.check_unrelated(signs, np.ones(len(draws)), f"{what}, signs")
    for lag in (1, 8, 64, 4096):
        statistics.check_unrelated(standard[lag:], standard[:-lag], f"{what}, draws {lag} apart")
        statistics.check_unrelated(signs[lag:], signs[:-lag], f"{what}, signs {lag} apart")
    return said


def wide() -> list[int]:
    """Draws noise so wide that no number comes twice by chance."""
    drawn: list[int] = discrete_laplace(500, Fraction(2**52)).tolist()
    return drawn


def _of_another_process() -> list[int]:
    """Returns such a draw of a process that starts anew and knows nothing of this one."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as another:
        return another.submit(wide).result(timeout=120)


def fresh(effort: Effort) -> CheckResult:
    """Checks that no number comes twice in wide draws of this process and of others just
    started.
    """
    others = [_of_another_process() for _ in range(effort.many(2, least=2))]
    drawn = [*(wide() for _ in range(4)), *others]
    everything = [value for part in drawn for value in part]
    if len(set(everything)) < len(everything):
        raise Broken("noise was drawn twice: there is a seed, or a state that is copied")
    return CheckResult(
        f"{len(everything):,} wide draws in {1 + len(others)} processes",
        "any seed or repeated draw",
    )
