"""Calibrates how wide intervals must be to hold for places as chosen, by a parametric bootstrap.

The estimate of each smallest region stands in for the truth; new noise of the true law makes new
answers about the very regions that were measured; estimates and places are made from those as from
the real ones; and the errors of the places' totals are then known. Everything follows from the
record: the draws are digits of a hash of its own noisy numbers.
"""

import hashlib
from collections.abc import Callable, Iterable
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from dpmap.inference.patches.pieces import Ground
from dpmap.inference.patches.region_tree import Regions

Numbers = NDArray[np.float64]

EVEN_IN = 4
"""One rehearsal in so many is of even land. Estimates contain some noise: where land is even,
places of noise are as many on even land as on the estimated one, and count; where it is not, they
are few.
"""
CLEARLY = 3.0
"""Land counts as even where the answers differ from it by no more than noise explains, within so
many deviations: then every rehearsal is of even land.
"""

FIRST = 1.85
"""The half-width, in deviations, with which the first rehearsed places grow."""
MOST = 8.0
"""The greatest half-width of an interval, in deviations."""
WANTED = 300
"""Walks are repeated until so many intervals were made."""
FEWEST = 4
"""The least number of walks, except on large maps."""
WALKS = 10
"""The greatest number of walks."""
PIECES = 50_000
"""On large maps walks end once so many pieces were drawn."""
TOP = 10
"""The number of places of each walk that count as the strongest, at least one in two hundred."""


class Digits:
    """Pseudorandom numbers between 0 and 1 that a seed fixes: public, and the same on every
    machine; no secret depends on them.
    """

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._taken = 0

    def uniform(self, count: int) -> Numbers:
        """Returns so many numbers, none of them 0 or 1."""
        self._taken += 1
        stream = hashlib.shake_256(self._seed + self._taken.to_bytes(4, "big")).digest(4 * count)
        return (np.frombuffer(stream, dtype="<u4") + 0.5) / 2**32

    def normal(self, count: int) -> Numbers:
        """Returns so many normal numbers, of deviation 1."""
        from scipy.special import ndtri

        return np.asarray(ndtri(self.uniform(count)))

    def noise(self, regions: Regions) -> Numbers:
        """Draws noise for each region, of its variance and law; of what was answered twice, and
        of Gaussian noise, normal.
        """
        from scipy.special import ndtri

        probabilities = self.uniform(len(regions.noisy))
        laplace = regions.once & regions.laplace
        # The quantile functions of both laws, each of deviation 1.
        centred = probabilities[laplace] - 0.5
        unit_noise = np.empty(len(probabilities))
        unit_noise[laplace] = -np.sign(centred) * np.log(1 - 2 * np.abs(centred)) / np.sqrt(2)
        unit_noise[~laplace] = ndtri(probabilities[~laplace])
        return np.asarray(np.sqrt(regions.variance) * unit_noise)


def like_noise(ground: Ground, even: list[Numbers]) -> bool:
    """Return whether noise alone explains how far the answers lie from even land, by a test of the
    sum of their squared residuals, in variances.

    A Laplace noise's square, in variances, is 1 on average and has itself the variance 5; a normal
    one's has 2.
    """
    squared_residuals = 0.0
    region_count = 0
    variance_of_squares = 0.0
    for part, even_totals in zip(ground.parts, even, strict=True):
        smallest = part.regions.smallest
        residuals = part.regions.noisy[smallest] - even_totals
        squared_residuals += float((residuals**2 / part.regions.variance[smallest]).sum())
        region_count += len(smallest)
        variance_of_squares += (5.0 if part.regions.laplace else 2.0) * len(smallest)
    return squared_residuals < region_count + CLEARLY * float(np.sqrt(variance_of_squares))


def seed(parts: Iterable[bytes]) -> bytes:
    """Return the SHA-256 digest of these parts, one after the other."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.digest()


def collect_errors(
    walk: Callable[[float], Numbers], level: float, pieces: int, first: float = FIRST
) -> tuple[Numbers, Numbers]:
    """Returns the sorted errors, in deviations, of places as chosen and of the strongest among
    them, over as many walks as are needed.

    `walk` makes places that grow with a number of deviations about, and returns how many deviations
    above its total each one's truth lies, the strongest first. The first walk grows by `first`,
    each other one by the width that the walks before it give.
    """
    width = first
    deviations = np.empty(0)
    strongest = np.empty(0)
    for walk_count in range(1, WALKS + 1):
        walk_deviations = np.abs(walk(width))
        top_count = max(TOP, len(walk_deviations) // 200)
        deviations = np.append(deviations, walk_deviations)
        strongest = np.append(strongest, walk_deviations[:top_count])
        if len(deviations):
            width = max(conformal_quantile(deviations, level), conformal_quantile(strongest, level))
        enough_intervals = len(deviations) >= WANTED and walk_count >= FEWEST
        if enough_intervals or walk_count * pieces >= PIECES:
            break
    return np.sort(deviations), np.sort(strongest)


def interval_width(walk: Callable[[float], Numbers], level: float, pieces: int) -> float:
    """Returns the half-width, in deviations, with which this share of the intervals of places as
    chosen holds, and of the strongest among them; no less than that of a place not chosen.
    """
    samples = [deviations for deviations in collect_errors(walk, level, pieces) if len(deviations)]
    quantiles = [conformal_quantile(deviations, level) for deviations in samples]
    return clamp_width(max(quantiles, default=FIRST), level)


def conformal_quantile(errors: Numbers, level: float) -> float:
    """Returns the value that the next error stays below with probability `level`: the quantile of
    these errors and one more.
    """
    rank = int(np.ceil((len(errors) + 1) * level))
    return float(np.sort(errors)[min(rank, len(errors)) - 1])


def clamp_width(wide: float, level: float) -> float:
    """Returns the width, at least that of a place not chosen and at most `MOST`."""
    return min(max(wide, NormalDist().inv_cdf((1 + level) / 2)), MOST)
