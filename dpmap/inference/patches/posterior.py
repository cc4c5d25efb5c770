"""Estimates the totals of the smallest regions from their own noisy totals and a learned prior.

A sum of noisy totals that were picked because they are high is too high. A posterior mean is not,
whatever was picked by, as far as its prior is right: so priors are learned from cells of alike
surroundings (`neighbour_shrinkage`) and from larger regions of alike size, and averaged (`priors`);
no region takes part in the prior that it is judged by.
"""

import numpy as np
from numpy.typing import NDArray

from dpmap.grid.partition import strips
from dpmap.inference.neighbour_shrinkage import FEWEST, expected_totals, group_by_rank
from dpmap.inference.patches.priors import (
    ANSWERS,
    FAR,
    LOW,
    STEP,
    TOTALS,
    average_priors,
    likelihood,
)
from dpmap.inference.patches.region_tree import Labels, Regions

Numbers = NDArray[np.float64]
Index = NDArray[np.int64]

ENOUGH = 4
"""Fewer regions are too few to learn from."""
LEAST = 0.02
"""The least variance of a region, in squared noise scales: a prior learned from few is not surer
than this.
"""
FOLDS = 2
"""What the tiles of one fold hold is judged by what the tiles of the others taught."""
TILE = 4
"""Cells a side of a tile of the chequerboard that makes the folds."""


def estimate_totals(
    regions: Regions, noisy: Numbers, shape: tuple[int, ...], at: Labels
) -> tuple[Numbers, Numbers, float]:
    """Estimate the posterior mean and variance of each smallest region, from its own noisy total
    and its prior, and the probability that cells measured alone share one mean all over the map.

    `at` is where on a raster of this shape each cell lies.
    """
    noise_variance = regions.variance[regions.smallest]
    noise_scale = np.sqrt(noise_variance / 2)
    noisy_totals = noisy[regions.smallest]
    sizes = regions.cells[regions.smallest]
    # Where regions are too few to learn a prior from, the noisy total stands as it is.
    posterior_mean = noisy_totals.copy()
    posterior_variance = noise_variance.copy()
    one_mean_probability = 0.0
    folds = _assign_folds(regions, shape, at)
    for members in (np.flatnonzero(sizes == 1), np.flatnonzero(sizes > 1)):
        if len(members) < ENOUGH:
            continue
        laplace = bool((regions.laplace & regions.once[regions.smallest][members]).all())
        by_surroundings = sizes[members[0]] == 1 and len(members) >= FEWEST
        if by_surroundings:
            expected = _expect_from_surroundings(regions, noisy_totals, noise_scale, shape, at)
            labels, group_count = group_by_rank(expected[members])
            groups = labels.astype(np.int64)
        else:
            groups, group_count = _group_by_noise_and_size(noise_scale[members], sizes[members])
        scales = noise_scale[members]
        scaled_mean, scaled_variance, probability = _posterior(
            noisy_totals[members] / scales, groups, group_count, folds[members], laplace=laplace
        )
        posterior_mean[members] = scaled_mean * scales
        posterior_variance[members] = scaled_variance * scales**2
        if by_surroundings:
            one_mean_probability = probability
    return posterior_mean, posterior_variance, one_mean_probability


def _assign_folds(regions: Regions, shape: tuple[int, ...], at: Labels) -> Index:
    """Return the fold of each smallest region: the colour of the chequerboard's tile in which the
    mean position of its cells lies.
    """
    region_count = len(regions.smallest)
    # cells that were not measured count for the last entry
    sums = np.zeros((2, region_count + 1))
    for labels, positions in zip(strips(regions.of_cell), strips(at), strict=True):
        for sum_, part in zip(sums, np.divmod(positions, shape[1]), strict=True):
            np.add.at(sum_, labels, part.astype(np.float64))
    cell_counts = np.maximum(regions.cells[regions.smallest], 1)
    tile_rows, tile_columns = (sums[:, :-1] / cell_counts // TILE).astype(np.int64)
    return np.asarray((tile_rows + tile_columns) % FOLDS)


def _expect_from_surroundings(
    regions: Regions,
    noisy_totals: Numbers,
    noise_scale: Numbers,
    shape: tuple[int, ...],
    at: Labels,
) -> Numbers:
    """Return the total to expect in each smallest region of one cell by its surroundings; 0 for
    larger regions.
    """
    sizes = regions.cells[regions.smallest]
    region_raster = np.full(shape, -1, dtype=np.int32)
    region_raster.ravel()[at] = regions.of_cell
    measured_alone = np.append(sizes == 1, False)[region_raster]
    alone = region_raster[measured_alone]
    inside = region_raster >= 0
    # A larger region is in the surroundings of others by its mean a cell.
    density = np.append(noisy_totals / sizes, 0.0)[region_raster]
    del region_raster
    expected = np.zeros(len(noisy_totals))
    expected[alone] = expected_totals(density, noise_scale[alone], inside, measured_alone)
    return expected


def _group_by_noise_and_size(noise_scale: Numbers, sizes: Index) -> tuple[Index, int]:
    """Group regions of alike noise and alike size, enough in each group, and count the groups."""
    order = np.lexsort((sizes, noise_scale))
    # Alike: within a quarter of a doubling of the noise, and within a doubling of the size.
    noise_class = np.round(np.log2(noise_scale[order]) * 4)
    keys = noise_class * 64 + np.round(np.log2(sizes[order]))
    key_starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
    group_starts = [0]
    for start in key_starts[1:]:
        if start - group_starts[-1] >= FEWEST and len(keys) - start >= FEWEST:
            group_starts.append(int(start))
    groups = np.empty(len(keys), dtype=np.int64)
    groups[order] = np.searchsorted(group_starts, np.arange(len(keys)), side="right") - 1
    return groups, len(group_starts)


def _posterior(
    noisy: Numbers, groups: Index, group_count: int, folds: Index, *, laplace: bool
) -> tuple[Numbers, Numbers, float]:
    """Return the posterior mean and variance of each total, in noise scales, and the probability
    that all groups share one mean.
    """
    steps = len(ANSWERS)
    step = np.rint((np.clip(noisy, LOW, FAR) - LOW) / STEP).astype(np.int64)
    table_index = (folds * group_count + groups) * steps + step
    answer_counts = (
        np.bincount(table_index, minlength=FOLDS * group_count * steps)
        .reshape(FOLDS, group_count, steps)
        .astype(np.float64)
    )
    answer_likelihood = likelihood(laplace=laplace)
    prior, one_mean_probability = average_priors(answer_counts, answer_likelihood)
    evidence = np.maximum(prior @ answer_likelihood.T, 1e-300)
    mean = (prior * TOTALS) @ answer_likelihood.T / evidence
    second_moment = (prior * TOTALS**2) @ answer_likelihood.T / evidence
    variance = np.maximum(second_moment - mean**2, LEAST)
    # Beyond the priors' totals an answer is taken as it is, with the noise's variance of 2.
    beyond = noisy > FAR
    return (
        np.where(beyond, noisy, mean.ravel()[table_index]),
        np.where(beyond, 2.0, variance.ravel()[table_index]),
        one_mean_probability,
    )
