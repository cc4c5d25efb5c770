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
WIDEST = 1 / 3
"""The widest neighbourhood reaches so far, as a share of the map's longer side."""
ROUNDS = 3
"""A square mean, repeated so often, has no corners."""


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
    reach = 1
    reaches = [0]
    while reach <= max(WIDEST * max(inside.shape), 1):
        reaches.append(reach)
        reach *= 2
    known = _density_around(totals, area, reaches.pop())
    wide = known
    for reach in reversed(reaches):
        narrow = _density_around(totals, area, reach)
        detail = narrow - wide
        mean = detail.mean(axis=-1)
        variance = detail.var(axis=-1)
        kept = np.clip(1 - variance / np.maximum(mean**2, 1e-300), 0.0, 1.0)
        known = known + kept[..., None] * detail
        wide = narrow
    known = np.maximum(known, 0.0)
    whole = (known * area[..., None]).sum(axis=(0, 1))
    known *= totals.sum(axis=(0, 1)) / np.maximum(whole, 1e-300)
    known[~inside] = np.nan
    return known


def _density_around(totals: Numbers, area: Numbers, reach: int) -> Numbers:
    """Return the density of the land around each cell."""
    ground = _sum_around(area[..., None], reach)
    return _sum_around(totals, reach) / np.maximum(ground, 1e-9)


def _sum_around(values: Numbers, reach: int) -> Numbers:
    """Return weighted sums over the cells up to so far away."""
    from scipy.ndimage import uniform_filter1d

    for _ in range(ROUNDS if reach else 0):
        for axis in (0, 1):
            values = uniform_filter1d(values, 2 * reach + 1, axis=axis, mode="constant")
    return np.maximum(values, 0.0)
