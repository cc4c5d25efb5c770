"""Tells where a survey rises or falls over its seasons, by the known noise of all of them, with few
false trends.

A trend is the slope of the line through a region's true capped totals, one of each season: a
weighted sum of them, with weights that are the same for all land. The noisy totals' slope is off by
the same weighted sum of independent noises, whose law is known.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import Grid, Partition
from dpmap.grid.common_grid import coarsest
from dpmap.inference.changes import ChangeSide, Parts, side
from dpmap.inference.estimate import Cells, Mask, discoveries
from dpmap.inference.selective_level import level_of_chosen
from dpmap.noise.distributions import LAWS
from dpmap.noise.noise_sums import Sum
from dpmap.record import Measurement


@dataclass(frozen=True, slots=True, eq=False)
class Trends:
    """Holds the totals of each season and the slope of each region; `partition` says which cells
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


def weights(at: Cells, deviations: Cells) -> Cells:
    """Returns by what each season's total is multiplied for the slope of the line through all:
    weighted least squares.

    - `at`: where each season lies in time.
    - `deviations`: the noise of a region of each season, by which it weighs the less.

    The weights add up to 0, so what is alike in all seasons does not count.

    >>> weights(np.array([0.0, 1, 2]), np.ones(3)).tolist()
    [-0.5, 0.0, 0.5]
    """
    weight = 1 / deviations**2
    middle = float((weight * at).sum() / weight.sum())
    found: Cells = weight * (at - middle)
    return found / float((found * at).sum())


def deviation(parts: Parts) -> float:
    """Returns the standard deviation of the noise of one region of a season's map, in points."""
    return float(np.sqrt(sum(_own(last) ** 2 for _, last in parts)))


def _own(last: Measurement) -> float:
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

    *Proof.* The one there uses of D only that D - d is such a sum, whose law hangs on the regions
    alone, which were chosen by earlier noise. The weights hang on the scales that were declared and
    on the seasons' places in time. QED

    What rose or fell is the *capped totals of the rows that were reported*. How many of a
    population somebody happens to report differs from season to season too: that is no noise of
    dpmap's and is not in the intervals.
    """
    regions = [(own, one.partition) for parts in seasons for own, one in parts]
    partition = Partition.whole(grid) if whole else coarsest(grid, regions)
    sides = [side(grid, partition, parts) for parts in seasons]
    c = weights(at, np.array([deviation(parts) for parts in seasons]))
    noisy = np.stack([one.noisy for one in sides])
    reached = np.stack([_reach([one], np.ones(1), level)[0] for one in sides])
    slope = c @ noisy
    laws, law_of = sums(sides, c)
    p_values = np.empty(partition.regions)
    for number, one in enumerate(laws):
        mine = law_of == number
        p_values[mine] = np.minimum(2 * one.tail(np.abs(slope[mine])), 1.0)
    told = discoveries(p_values, rate) & (slope != 0)
    wider = max(level, level_of_chosen(level, int(told.sum()), partition.regions))
    reach, reach_told = (np.array([one.reach(to) for one in laws])[law_of] for to in (level, wider))
    about = np.where(told, reach_told, reach)
    return Trends(
        grid=grid,
        partition=partition,
        totals=np.maximum(noisy, 0.0),
        lows=np.maximum(noisy - reached, 0.0),
        highs=np.maximum(noisy + reached, 0.0),
        slope=slope,
        low=slope - about,
        high=slope + about,
        p_values=p_values,
        told=told,
        cells=partition.sizes(),
        area=partition.sums(grid.square_km),
    )


def _reach(sides: Sequence[ChangeSide], c: Cells, level: float) -> tuple[Cells, NDArray[np.int64]]:
    """Returns half the width of each region's interval at the level, and which law it has."""
    laws, law_of = sums(sides, c)
    return np.array([one.reach(level) for one in laws])[law_of], law_of


def sums(sides: Sequence[ChangeSide], c: Cells) -> tuple[list[Sum], NDArray[np.int64]]:
    """Returns the laws of the noise of a weighted sum of seasons, each once, and which of them
    each region has.
    """
    regions = len(sides[0].noisy)
    counts, nothing = (
        dict[tuple[str, float], NDArray[np.int64]](),
        np.zeros(regions, dtype=np.int64),
    )
    for one, weight in zip(sides, np.abs(c).tolist(), strict=True):
        for (name, scale), many in one.counts.items() if weight else ():
            kind = name, scale * weight
            counts[kind] = counts.get(kind, nothing) + many
    kinds = sorted(counts)
    many = np.stack([counts[kind] for kind in kinds], axis=1)
    rows, law_of = np.unique(many, axis=0, return_inverse=True)
    step = max(abs(float(weight)) * one.step for one, weight in zip(sides, c, strict=True))
    return [_law(tuple(kinds), tuple(row.tolist()), step) for row in rows], law_of.ravel()


@lru_cache(maxsize=512)
def _law(kinds: tuple[tuple[str, float], ...], row: tuple[int, ...], step: float) -> Sum:
    """Returns the law of a sum of so many noises of each kind; kept, as it takes a while to work
    out.
    """
    parts = [(name, scale, count) for (name, scale), count in zip(kinds, row, strict=True) if count]
    laplace, gaussian = (
        tuple((scale, count) for name, scale, count in parts if name == wanted) for wanted in LAWS
    )
    return Sum(laplace, gaussian, step)
