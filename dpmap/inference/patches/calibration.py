"""Finds how wide intervals must be to hold for places as chosen: the whole way is walked again from
where the map may have come.

What is believed of each smallest region stands in for the truth; noise of the law that was really
added makes new answers about the very regions that were measured; beliefs and places are made from
those as from the real ones; and how far the places' totals then lie from what they stand for is
known. Everything follows from the record: the draws are digits of a hash of its own noisy numbers.
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
"""One rehearsal in so many walks over even land. Beliefs hold some of what noise made up: where
that is all there is, places of noise are as many there as on the believed land, and count; where
land has a shape, they are few.
"""
CLEARLY = 3.0
"""Land is even as far as the answers tell where they lie from it no further than noise does, give
or take so many deviations: then every rehearsal walks over even land.
"""

FIRST = 1.85
"""With how many deviations about the first rehearsed places grow."""
MOST = 8.0
"""No interval is wider than so many deviations about."""
WANTED, FEWEST, WALKS, PIECES = 300, 4, 10, 50_000
"""Walks go on until so many intervals were seen, so many times at least and at most, and on large
maps until so many regions were drawn.
"""
TOP = 10
"""So many of each walk, and one in two hundred at least, count as the strongest."""


class Digits:
    """Draws numbers between 0 and 1 that a text fixes: public, the same on every machine, and no
    secret hangs on them.
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
        centred = probabilities - 0.5
        # The quantile functions of both laws, each of deviation 1.
        laplace = -np.sign(centred) * np.log(1 - 2 * np.abs(centred)) / np.sqrt(2)
        normal = ndtri(probabilities)
        unit_noise = np.where(regions.once & regions.laplace, laplace, normal)
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


def gathered(
    walk: Callable[[float], Numbers], level: float, pieces: int, first: float = FIRST
) -> tuple[Numbers, Numbers]:
    """Returns how many deviations places as chosen are off, and the strongest among them, over as
    many walks as tell enough.

    `walk` makes places that grow with a number of deviations about, and gives how many deviations
    above its total each one's truth lies, the strongest first. The first walk grows by `first`,
    each other one by what the walks before it tell.
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
            width = max(holding(deviations, level), holding(strongest, level))
        enough_intervals = len(deviations) >= WANTED and walk_count >= FEWEST
        if enough_intervals or walk_count * pieces >= PIECES:
            break
    return np.sort(deviations), np.sort(strongest)


def widths(walk: Callable[[float], Numbers], level: float, pieces: int) -> float:
    """Returns how many deviations about hold this share of the intervals of places as chosen, and
    of the strongest among them; no fewer than of a place that nobody chose.
    """
    samples = [deviations for deviations in gathered(walk, level, pieces) if len(deviations)]
    quantiles = [holding(deviations, level) for deviations in samples]
    return within(max(quantiles, default=FIRST), level)


def holding(off: Numbers, level: float) -> float:
    """Returns what the next of its kind stays below with probability `level`: the quantile of so
    many and one more.
    """
    rank = int(np.ceil((len(off) + 1) * level))
    return float(np.sort(off)[min(rank, len(off)) - 1])


def within(wide: float, level: float) -> float:
    """Keeps a width between that of what nobody chose and the most there is."""
    return min(max(wide, NormalDist().inv_cdf((1 + level) / 2)), MOST)
