"""Estimates the totals of the smallest regions from their own noisy totals and a learned prior.

A sum of noisy totals that were picked because they are high is too high. A posterior mean is not,
whatever was picked by, as far as its prior is right: so priors are learned from cells of alike
surroundings (`neighbour_shrinkage`) and from larger regions of alike size, and averaged (`priors`);
no region takes part in the prior that it is judged by.
"""

import numpy as np
from numpy.typing import NDArray

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
from dpmap.inference.patches.region_tree import Regions

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
    regions: Regions, noisy: Numbers, shape: tuple[int, ...], at: Index
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


def _assign_folds(regions: Regions, shape: tuple[int, ...], at: Index) -> Index:
    """Return the fold of each smallest region: the colour of the chequerboard's tile in which the
    mean position of its cells lies.
    """
    measured = regions.of_cell >= 0
    region_labels = regions.of_cell[measured]
    region_count = len(regions.smallest)
    rows, columns = np.divmod(at[measured], shape[1])
    cell_counts = np.maximum(np.bincount(region_labels, minlength=region_count), 1)
    tile_rows, tile_columns = (
        (np.bincount(region_labels, positions, region_count) / cell_counts // TILE).astype(np.int64)
        for positions in (rows, columns)
    )
    return (tile_rows + tile_columns) % FOLDS


def _expect_from_surroundings(
    regions: Regions,
    noisy_totals: Numbers,
    noise_scale: Numbers,
    shape: tuple[int, ...],
    at: Index,
) -> Numbers:
    """Return the total to expect in each smallest region of one cell by its surroundings; 0 for
    larger regions.
    """
    sizes = regions.cells[regions.smallest]
    measured = regions.of_cell >= 0
    region_labels = regions.of_cell[measured]
    positions = at[measured]
    inside = np.zeros(shape, dtype=bool)
    inside.flat[positions] = True
    measured_alone = np.zeros(shape, dtype=bool)
    measured_alone.flat[positions] = (sizes == 1)[region_labels]
    # A larger region is in the surroundings of others by its mean a cell.
    density = np.zeros(shape)
    density.flat[positions] = (noisy_totals / sizes)[region_labels]
    cell_scale = np.zeros(shape)
    cell_scale.flat[positions] = noise_scale[region_labels]
    expected_cells = np.zeros(shape)
    expected_cells[measured_alone] = expected_totals(
        density, cell_scale[measured_alone], inside, measured_alone
    )
    expected = np.zeros(len(noisy_totals))
    expected[region_labels] = expected_cells.flat[positions]
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
