"""The believed density of a map of squares, with no finer detail than is known.

Maps drawn from the posterior are averaged over wide neighbourhoods, and then over narrower and
narrower ones. Each step adds detail to the wide means. How the draws differ about a detail says
whether it is known: where they agree it is kept, where they contradict each other it is left out,
so that neither noise nor the edges of what was measured as one show.
"""

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

DRAWS = 60
WIDEST = 1 / 4
"""The spread of the widest neighbourhood, as a share of the map's longer side."""
FINEST = 0.5
STEP = 2**0.5
"""The spread of the narrowest neighbourhood, in cells, and how many times as wide the next is;
twice as wide from `LARGE` on.
"""
LARGE = 4.0
"""From this spread on a square mean, repeated so often that it has no corners, takes the place of
a Gaussian one, for speed.
"""
ROUNDS = 3


def keep_known_detail(
    draws: NDArray[np.float32], square_km: Numbers, inside: NDArray[np.bool_]
) -> Numbers:
    """Return the density of each drawn map (rows, columns, draws) with the known detail only, NaN
    outside the area; their mean is what is believed, and their total that of the draws.

    A detail keeps the part 1 - v / d^2 of its mean d over the draws, where v is their variance:
    nothing if the draws do not agree on more or less.
    """
    totals = np.where(inside[..., None], np.nan_to_num(draws), 0.0).astype(np.float64)
    area = np.where(inside, square_km, 0.0)
    spreads = [0.0]
    spread = FINEST
    while len(spreads) < 2 or spread <= WIDEST * max(inside.shape):
        spreads.append(spread)
        spread *= STEP if spread < LARGE else 2
    known = _density_around(totals, area, spreads.pop())
    wide = known
    for spread in reversed(spreads):
        narrow = _density_around(totals, area, spread)
        detail = narrow - wide
        mean = detail.mean(axis=-1)
        variance = detail.var(axis=-1)
        agreed_share = np.clip(1 - variance / np.maximum(mean**2, 1e-300), 0.0, 1.0)
        known = known + agreed_share[..., None] * detail
        wide = narrow
    known = np.maximum(known, 0.0)
    whole = (known * area[..., None]).sum(axis=(0, 1))
    known *= totals.sum(axis=(0, 1)) / np.maximum(whole, 1e-300)
    known[~inside] = np.nan
    return known


def _density_around(totals: Numbers, area: Numbers, spread: float) -> Numbers:
    """Return the density of the land around each cell."""
    ground = _sum_around(area[..., None], spread)
    return _sum_around(totals, spread) / np.maximum(ground, 1e-9)


def _sum_around(values: Numbers, spread: float) -> Numbers:
    """Return sums over cells, weighted by how near they are: a spread is the standard deviation
    of the weights' distances, in cells.
    """
    from scipy.ndimage import gaussian_filter, uniform_filter1d

    if not spread:
        return values
    if spread < LARGE:
        near: Numbers = gaussian_filter(values, (spread, spread, 0), mode="constant", truncate=3.0)
        return near
    width = 2 * round((4 * spread**2 + 1) ** 0.5 / 2 - 0.5) + 1
    for _ in range(ROUNDS):
        for axis in (0, 1):
            values = uniform_filter1d(values, width, axis=axis, mode="constant")
    return np.maximum(values, 0.0)
