"""Judges what the smallest regions hold, each by its own noisy total and by how full others in alike surroundings are.

A sum of noisy totals that were picked because they are high is too high. A posterior mean is not, whatever was picked by, as far as
its prior is right: so the prior is learned from the map itself, from cells of alike surroundings (`surroundings`) and from larger
regions of alike size, whatever its form (Kiefer and Wolfowitz 1956).
"""

import numpy as np
from numpy.typing import NDArray

from dpmap.inference.patches.regions import Regions
from dpmap.inference.surroundings import FEWEST, expected_totals, grouped, prior_totals

Numbers = NDArray[np.float64]
Index = NDArray[np.int64]

LOW, FAR, STEP = -8.0, 12.0, 1 / 8
"""Noisy totals are told apart in steps of an eighth of a noise scale; beyond `FAR` no prior says anything."""
ROUNDS = 60
"""Rounds of expectation maximisation from a broad start: fewer leave the prior too broad where noise rules."""
ENOUGH = 8
"""Fewer regions are too few to learn from."""
LEAST = 0.05
"""The least variance of a region, in squared noise scales: a prior learned from few is not surer than this."""


def held(regions: Regions, noisy: Numbers, shape: tuple[int, ...], at: Index) -> tuple[Numbers, Numbers]:
    """Returns mean and variance of each smallest region, from its own noisy total and what is usual; `at` is where on a raster of
    this shape each cell lies.
    """
    variance = regions.variance[regions.smallest]
    mean, scale, size = noisy[regions.smallest].copy(), np.sqrt(variance / 2), regions.cells[regions.smallest]
    found, spread = mean.copy(), variance.copy()
    for members in (np.flatnonzero(size == 1), np.flatnonzero(size > 1)):
        if len(members) < ENOUGH:
            continue
        if size[members[0]] == 1 and len(members) >= FEWEST:
            labels, groups = grouped(_usual(regions, mean, scale, shape, at)[members])
            group = labels.astype(np.int64)
        else:
            group, groups = _alike(scale[members], size[members])
        near = regions.laplace & regions.once[regions.smallest][members]
        posterior = _posterior(mean[members] / scale[members], group, groups, laplace=bool(near.all()))
        found[members] = posterior[0] * scale[members]
        spread[members] = posterior[1] * scale[members] ** 2
    return found, spread


def _usual(regions: Regions, noisy: Numbers, scale: Numbers, shape: tuple[int, ...], at: Index) -> Numbers:
    """Returns what the surroundings of each smallest region of one cell let one expect in it."""
    size = regions.cells[regions.smallest]
    density, inside, alone = np.zeros(shape), *(np.zeros(shape, dtype=bool) for _ in "ab")
    known = regions.of_cell >= 0
    mine, where = regions.of_cell[known], at[known]
    density.flat[where], inside.flat[where], alone.flat[where] = (noisy / size)[mine], True, (size == 1)[mine]
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


def _posterior(noisy: Numbers, group: Index, groups: int, *, laplace: bool) -> tuple[Numbers, Numbers]:
    """Returns posterior mean and variance of each total, all in noise scales, under a prior learned from its group."""
    from scipy.ndimage import gaussian_filter1d

    steps = round((FAR - LOW) / STEP) + 1
    place = np.rint((np.clip(noisy, LOW, FAR) - LOW) / STEP).astype(np.int64)
    seen = np.bincount(group * steps + place, minlength=groups * steps).reshape(groups, steps).astype(np.float64)
    seen = gaussian_filter1d(seen, 2.0, axis=0, mode="nearest") if groups > 1 else seen
    values, told = prior_totals(), np.linspace(LOW, FAR, steps)
    apart = np.abs(told[:, None] - values)
    likelihood = np.exp(-apart) if laplace else np.exp(-(apart**2) / 4)
    prior = np.exp(-values / 2)
    prior[0] = prior.sum()
    prior = np.tile(prior / prior.sum(), (groups, 1))
    for _ in range(ROUNDS):
        prior *= (seen / np.maximum(prior @ likelihood.T, 1e-300)) @ likelihood / seen.sum(1, keepdims=True)
    chance = np.maximum(prior @ likelihood.T, 1e-300)
    mean, square = (prior * values) @ likelihood.T / chance, (prior * values**2) @ likelihood.T / chance
    far = noisy > FAR
    own, spread = mean[group, place], np.maximum(square - mean**2, LEAST)[group, place]
    return np.where(far, noisy, own), np.where(far, 2.0, spread)
