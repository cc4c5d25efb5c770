"""Finds where a survey rises or falls over its seasons, by the known noise of all of them, with few
false trends.

A trend is the slope of the line through a region's true capped totals, one of each season: a
weighted sum of them, with weights that are the same for all land. The noisy totals' slope is off by
the same weighted sum of independent noises, whose law is known.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import Grid, Partition
from dpmap.grid.common_grid import coarsest
from dpmap.inference.changes import Parts, noise_laws, sum_regions
from dpmap.inference.estimate import Cells, Mask, discoveries
from dpmap.inference.selective_level import level_of_chosen
from dpmap.noise.distributions import LAWS
from dpmap.record import Measurement


@dataclass(frozen=True, slots=True, eq=False)
class Trends:
    """The totals of each season and the slope of each region; `partition` says which cells
    each region has.

    `totals`, `lows` and `highs` have a row for each season: the noisy total, not below 0, and
    bounds that hold the true one with at least the level. `low` and `high` hold the true totals'
    slope of a region named beforehand with at least the level; and of the regions that are `told`,
    which the maps chose themselves, the expected share whose interval misses is at most 1 less the
    level. Of the told regions the expected share of which the true slope is 0, or of the other
    sign, is at most the rate.
    """

    grid: Grid
    partition: Partition
    totals: Cells
    lows: Cells
    highs: Cells
    slope: Cells
    low: Cells
    high: Cells
    p_values: Cells
    told: Mask
    cells: NDArray[np.int32]
    area: Cells


def slope_weights(at: Cells, deviations: Cells) -> Cells:
    """Returns the factor of each season's total in the slope of the line through all, by weighted
    least squares.

    - `at`: where each season lies in time.
    - `deviations`: the noise of a region of each season, by which it weighs the less.

    The weights add up to 0, so what is alike in all seasons does not count.

    >>> slope_weights(np.array([0.0, 1, 2]), np.ones(3)).tolist()
    [-0.5, 0.0, 0.5]
    """
    weight = 1 / deviations**2
    middle = float((weight * at).sum() / weight.sum())
    slope: Cells = weight * (at - middle)
    return slope / float((slope * at).sum())


def noise_deviation(parts: Parts) -> float:
    """Returns the standard deviation of the noise of one region of a season's map, in points."""
    return float(np.sqrt(sum(_measurement_deviation(last) ** 2 for _, last in parts)))


def _measurement_deviation(last: Measurement) -> float:
    return float(LAWS[last.kind](last.scale_steps).deviation) / last.lattice


def trends(
    grid: Grid,
    seasons: Sequence[Parts],
    at: Cells,
    *,
    whole: bool = False,
    level: float = 0.9,
    rate: float = 0.1,
) -> Trends:
    """Finds each region's slope over the seasons, whose noises are independent; of the `whole` area
    as one region, or of the smallest that all seasons measured as a whole.

    **Theorem.** Let c be the weights, y the noisy totals of a region and m the true ones. Then c.y
    - c.m is a sum S of independent noises of known laws: of each season those of the regions that
    it measured there, each scaled by that season's c. So c.y -+ q holds c.m with a chance of at
    least `level` where P(|S| <= q) >= level, and p = P(|S| >= |c.y|) is a p-value of c.m = 0.
    Regions have no noise in common. So what `changes` proves of a difference, the weights -1 and 1,
    holds of c.m: chosen by Benjamini and Hochberg's rule at `rate`, the expected share of regions
    of which the sign of c.y is false is at most `rate`, and the intervals of chosen ones hold as
    `level_of_chosen` proves.

    *Proof.* The one there uses of D only that D - d is such a sum, whose law depends on the regions
    alone, which were chosen by earlier noise. The weights depend on the declared scales and on the
    seasons' places in time. QED

    What rose or fell is the *capped totals of the rows that were reported*. How many of a
    population somebody happens to report differs from season to season too: that is no noise of
    dpmap's and is not in the intervals.
    """
    regions = [(season_grid, last.partition) for parts in seasons for season_grid, last in parts]
    partition = Partition.whole(grid) if whole else coarsest(grid, regions)
    sides = [sum_regions(grid, partition, parts) for parts in seasons]
    weights = slope_weights(at, np.array([noise_deviation(parts) for parts in seasons]))
    noisy = np.stack([side.noisy for side in sides])
    season_laws = [noise_laws([side], np.ones(1)) for side in sides]
    season_reach = np.stack(
        [np.array([law.reach(level) for law in laws])[law_of] for laws, law_of in season_laws]
    )
    slope = weights @ noisy
    laws, law_of = noise_laws(sides, weights)
    p_values = np.empty(partition.regions)
    for number, law in enumerate(laws):
        with_law = law_of == number
        p_values[with_law] = np.minimum(2 * law.tail(np.abs(slope[with_law])), 1.0)
    changing = discoveries(p_values, rate) & (slope != 0)
    wider = max(level, level_of_chosen(level, int(changing.sum()), partition.regions))
    reach, reach_changing = (
        np.array([law.reach(at_level) for law in laws])[law_of] for at_level in (level, wider)
    )
    half_width = np.where(changing, reach_changing, reach)
    return Trends(
        grid=grid,
        partition=partition,
        totals=np.maximum(noisy, 0.0),
        lows=np.maximum(noisy - season_reach, 0.0),
        highs=np.maximum(noisy + season_reach, 0.0),
        slope=slope,
        low=slope - half_width,
        high=slope + half_width,
        p_values=p_values,
        told=changing,
        cells=partition.sizes(),
        area=partition.sums(grid.square_km),
    )
