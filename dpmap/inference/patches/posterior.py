"""Judges what the smallest regions hold, each by its own noisy total and by how full others in
alike surroundings are.

A sum of noisy totals that were picked because they are high is too high. A posterior mean is not,
whatever was picked by, as far as its prior is right: so priors are learned from cells of alike
surroundings (`surroundings`) and from larger regions of alike size, and averaged (`priors`); no
region takes part in what it is judged by.
"""

import numpy as np
from numpy.typing import NDArray

from dpmap.inference.neighbour_shrinkage import FEWEST, expected_totals, grouped
from dpmap.inference.patches.priors import ANSWERS, FAR, LOW, STEP, TOTALS, averaged, likelihood
from dpmap.inference.patches.region_tree import Regions

Numbers = NDArray[np.float64]
Index = NDArray[np.int64]

ENOUGH = 4
"""Fewer regions are too few to learn from."""
LEAST = 0.02
"""The least variance of a region, in squared noise scales: a prior learned from few is not surer
than this.
"""
FOLDS, TILE = 2, 4
"""What tiles of so many cells a side hold is judged by what every other tile taught."""


def held(
    regions: Regions, noisy: Numbers, shape: tuple[int, ...], at: Index
) -> tuple[Numbers, Numbers, float]:
    """Returns mean and variance of each smallest region, from its own noisy total and what is
    usual, and how sure it is that cells measured alone are alike all over the map; `at` is where on
    a raster of this shape each cell lies.
    """
    variance = regions.variance[regions.smallest]
    mean, scale, size = (
        noisy[regions.smallest].copy(),
        np.sqrt(variance / 2),
        regions.cells[regions.smallest],
    )
    found, spread, alike = mean.copy(), variance.copy(), 0.0
    fold = _folds(regions, shape, at)
    for members in (np.flatnonzero(size == 1), np.flatnonzero(size > 1)):
        if len(members) < ENOUGH:
            continue
        near = bool((regions.laplace & regions.once[regions.smallest][members]).all())
        single = size[members[0]] == 1 and len(members) >= FEWEST
        if single:
            labels, groups = grouped(_usual(regions, mean, scale, shape, at)[members])
            group = labels.astype(np.int64)
        else:
            group, groups = _alike(scale[members], size[members])
        posterior, spreads, sure = _posterior(
            mean[members] / scale[members], group, groups, fold[members], laplace=near
        )
        found[members] = posterior * scale[members]
        spread[members] = spreads * scale[members] ** 2
        alike = sure if single else alike
    return found, spread, alike


def _folds(regions: Regions, shape: tuple[int, ...], at: Index) -> Index:
    """Returns the half of the land that each smallest region counts to: tiles of a chequerboard,
    by the region's middle.
    """
    known = regions.of_cell >= 0
    region, many = regions.of_cell[known], len(regions.smallest)
    row, column = np.divmod(at[known], shape[1])
    cells = np.maximum(np.bincount(region, minlength=many), 1)
    down, across = (
        (np.bincount(region, part, many) / cells // TILE).astype(np.int64) for part in (row, column)
    )
    return (down + across) % FOLDS


def _usual(
    regions: Regions, noisy: Numbers, scale: Numbers, shape: tuple[int, ...], at: Index
) -> Numbers:
    """Returns what the surroundings of each smallest region of one cell let one expect in it."""
    size = regions.cells[regions.smallest]
    density, inside, alone = np.zeros(shape), *(np.zeros(shape, dtype=bool) for _ in "ab")
    known = regions.of_cell >= 0
    mine, where = regions.of_cell[known], at[known]
    density.flat[where], inside.flat[where], alone.flat[where] = (
        (noisy / size)[mine],
        True,
        (size == 1)[mine],
    )
    likely = np.zeros(density.shape)
    own = np.zeros(shape)
    own.flat[where] = scale[mine]
    likely[alone] = expected_totals(density, own[alone], inside, alone)
    found = np.zeros(len(noisy))
    found[mine] = likely.flat[where]
    return found


def _alike(scale: Numbers, size: Index) -> tuple[Index, int]:
    """Groups regions with alike noise and of alike size, enough in each group."""
    order = np.lexsort((size, scale))
    key = np.round(np.log2(scale[order]) * 4) * 64 + np.round(np.log2(size[order]))
    starts = np.flatnonzero(np.append(True, key[1:] != key[:-1]))
    kept = [0]
    for start in starts[1:]:
        if start - kept[-1] >= FEWEST and len(key) - start >= FEWEST:
            kept.append(int(start))
    group = np.empty(len(key), dtype=np.int64)
    group[order] = np.searchsorted(kept, np.arange(len(key)), side="right") - 1
    return group, len(kept)


def _posterior(
    noisy: Numbers, group: Index, groups: int, fold: Index, *, laplace: bool
) -> tuple[Numbers, Numbers, float]:
    """Returns posterior mean and variance of each total, in noise scales, and how sure it is
    that all groups are alike.
    """
    steps = len(ANSWERS)
    place = np.rint((np.clip(noisy, LOW, FAR) - LOW) / STEP).astype(np.int64)
    row = (fold * groups + group) * steps + place
    seen = (
        np.bincount(row, minlength=FOLDS * groups * steps)
        .reshape(FOLDS, groups, steps)
        .astype(np.float64)
    )
    likely = likelihood(laplace=laplace)
    prior, alike = averaged(seen, likely)
    chance = np.maximum(prior @ likely.T, 1e-300)
    mean = (prior * TOTALS) @ likely.T / chance
    variance = np.maximum((prior * TOTALS**2) @ likely.T / chance - mean**2, LEAST)
    far = noisy > FAR
    return np.where(far, noisy, mean.ravel()[row]), np.where(far, 2.0, variance.ravel()[row]), alike
