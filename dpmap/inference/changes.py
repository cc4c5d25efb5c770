"""Finds what changed from one map to another on the same cells, by the known noise of both, with
few false changes.

What is compared are regions of both: a cell that both maps measured by itself, else the smallest
block of cells that is made of whole measured regions of either map. Both true totals of such a
region are known up to noise, and so is their difference.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import Grid, Partition
from dpmap.grid.common_grid import coarsest, window
from dpmap.inference.estimate import Cells, Mask, discoveries
from dpmap.inference.selective_level import level_of_chosen
from dpmap.noise.distributions import LAWS
from dpmap.noise.noise_sums import Sum
from dpmap.record import Measurement

Parts = Sequence[tuple[Grid, Measurement]]
"""The last measurement of a map, or of each map that adds up to one, with its grid."""


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """The change of each region from one map to the other; `partition` says which cells each
    region has.

    `before` and `after` are the maps' own estimates of the region, `change` their difference, moved
    into its interval if it lies outside. `low` and `high` hold the true change of a region named
    beforehand with at least the level; and of the regions that are `told`, which the maps chose
    themselves, the expected share whose interval misses is at most 1 less the level. Of the told
    regions the expected share that did not change, or changed the other way, is at most the rate.
    """

    grid: Grid
    partition: Partition
    before: Cells
    after: Cells
    change: Cells
    low: Cells
    high: Cells
    p_values: Cells
    told: Mask
    cells: NDArray[np.int32]
    area: Cells


@dataclass(frozen=True, slots=True, eq=False)
class ChangeSide:
    """One map's noisy total of each region, and how many noises of each kind and scale are in
    it.
    """

    noisy: Cells
    counts: dict[tuple[str, float], NDArray[np.int64]]
    step: float


def changes(
    grid: Grid,
    before: Parts,
    after: Parts,
    estimates: tuple[Cells, Cells],
    *,
    level: float = 0.9,
    rate: float = 0.1,
) -> Changes:
    """Compares two maps whose noises are independent, region by region.

    **Theorem.** Let D be the difference of a region's two noisy totals and d that of its true ones.
    Then D - d is a sum S of independent noises of known laws, one for each region that either map
    measured there (`Sum`). So D -+ q holds d with a chance of at least `level` where P(|S| <= q) >=
    level, and p = P(|S| >= |D|) is a p-value of d = 0. The m regions have no noise in common.
    Choose regions by Benjamini and Hochberg's rule at `rate`, and call each "more" or "fewer" by
    the sign of D: then the expected share of the chosen ones of which this is false (d is 0, or of
    the other sign) is at most `rate`.

    *Proof.* Both maps' last measurements have regions that were chosen by earlier noise alone, and
    what is compared is made of whole ones of both; so given the regions the noises are as their
    laws say, each is in one region only, and what is said of S holds. Call region i false if it is
    chosen while d_i = 0, or with the sign that d_i has not. With p_i at most t it is false with a
    chance of at most t: for d_i = 0 by the law of S; for d_i > 0 it needs D < 0 and P(|S| >= |D|)
    <= t, so S = D - d_i lies where the lower tail of S is at most t / 2. Now put 0 in region of p_i
    and let R_i be how many regions are then chosen: other regions' noise decides that alone, and if
    i is chosen R_i is the number R chosen. So the expected value of (i is false) / R is at most the
    sum over k of P(R_i = k) (rate k / m) / k = rate / m; over all i: `rate`. QED

    That intervals hold for what was chosen too, `level_of_chosen` proves: those of chosen regions
    are as wide as it asks for, which is never narrower. Nothing here asks what the maps' totals are
    like, nor that they are not below 0.
    """
    partition = coarsest(grid, [(map_grid, last.partition) for map_grid, last in (*before, *after)])
    first, second = (sum_regions(grid, partition, parts) for parts in (before, after))
    noisy = second.noisy - first.noisy
    laws, law_of = noise_laws([first, second], np.array([-1.0, 1.0]))
    p_values = np.empty(partition.regions)
    for number, law in enumerate(laws):
        with_law = law_of == number
        p_values[with_law] = np.minimum(2 * law.tail(np.abs(noisy[with_law])), 1.0)
    changed = discoveries(p_values, rate) & (noisy != 0)
    wider = level_of_chosen(level, int(changed.sum()), partition.regions)
    reach, reach_changed = (
        np.array([law.reach(at) for law in laws])[law_of] for at in (level, max(level, wider))
    )
    half_width = np.where(changed, reach_changed, reach)
    low = noisy - half_width
    high = noisy + half_width
    totals = tuple(partition.sums(np.nan_to_num(values)) for values in estimates)
    return Changes(
        grid=grid,
        partition=partition,
        before=totals[0],
        after=totals[1],
        change=np.clip(totals[1] - totals[0], low, high),
        low=low,
        high=high,
        p_values=p_values,
        told=changed,
        cells=partition.sizes(),
        area=partition.sums(grid.square_km),
    )


def sum_regions(grid: Grid, partition: Partition, parts: Parts) -> ChangeSide:
    """Sums one map's noisy totals over each region."""
    noisy = np.zeros(partition.regions)
    counts = dict[tuple[str, float], NDArray[np.int64]]()
    for map_grid, measured in parts:
        map_labels = measured.partition.labels
        inside = map_labels >= 0
        region = np.full(measured.partition.regions, -1, dtype=np.int64)
        region[map_labels[inside]] = partition.labels[window(grid, map_grid)][inside]
        counted = region >= 0
        values = measured.values  # a Measurement, no pandas object
        noisy += np.bincount(region[counted], values[counted], partition.regions)
        kind = measured.kind, float(measured.scale)
        counts[kind] = counts.get(kind, 0) + np.bincount(
            region[counted], minlength=partition.regions
        )
    return ChangeSide(noisy, counts, 1 / min(measured.lattice for _, measured in parts))


def noise_laws(sides: Sequence[ChangeSide], weights: Cells) -> tuple[list[Sum], NDArray[np.int64]]:
    """Returns the different laws of the noise of a weighted sum of maps, and which of them each
    region has.
    """
    no_noises = np.zeros(len(sides[0].noisy), dtype=np.int64)
    counts: dict[tuple[str, float], NDArray[np.int64]] = {}
    for side, weight in zip(sides, np.abs(weights).tolist(), strict=True):
        for (name, scale), noise_counts in side.counts.items() if weight else ():
            kind = name, scale * weight
            counts[kind] = counts.get(kind, no_noises) + noise_counts
    kinds = sorted(counts)
    rows, law_of = np.unique(
        np.stack([counts[kind] for kind in kinds], axis=1), axis=0, return_inverse=True
    )
    step = max(abs(float(weight)) * side.step for side, weight in zip(sides, weights, strict=True))
    return [_law(tuple(kinds), tuple(row.tolist()), step) for row in rows], law_of.ravel()


@lru_cache(maxsize=512)
def _law(kinds: tuple[tuple[str, float], ...], row: tuple[int, ...], step: float) -> Sum:
    """Returns the law of a sum of so many noises of each kind; cached, as computing it is slow."""
    parts = [(name, scale, count) for (name, scale), count in zip(kinds, row, strict=True) if count]
    laplace, gaussian = (
        tuple((scale, count) for name, scale, count in parts if name == wanted) for wanted in LAWS
    )
    return Sum(laplace, gaussian, step)
