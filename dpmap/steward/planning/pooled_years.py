"""Rehearses how much nearer to the truth the newest of several maps comes when all are read
together, over land whose shape stays.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from dpmap.grid import Grid
from dpmap.inference.pool_seasons import pool_estimates
from dpmap.promise.policy import Policy
from dpmap.steward.planning import landscapes, predicted_map
from dpmap.steward.planning.seasons import Densities
from dpmap.steward.simulation import rehearse_map

READ = (1, 2, 3, 5, 8, 14, 25, 50)
"""So many maps are read together; what more tell is read off between these."""
CELLS = 1_000
RUNS = (1, 2)
"""Each shape is rehearsed until so many cells were drawn, so many times at least and at most."""


def parts(
    grid: Grid, policy: Policy, densities: Densities, total: float, spent: Sequence[Fraction]
) -> list[float]:
    """Returns for each of these maps which part of its error is left when it is read with those
    before: the middle one of the shapes.

    Each season is a fresh draw of the land's shape, since who reports differs from year to year.
    """
    stand_in = predicted_map.sheet(grid)
    size = total * stand_in.cells_inside / grid.cells_inside
    runs = int(np.clip(CELLS // stand_in.cells_inside, *RUNS))
    marks = sorted({years for years in READ if years < len(spent)} | {len(spent)})
    pooled = []
    for name, density in densities.items():
        share = density(stand_in)
        off = np.sum(
            [
                _errors(stand_in, policy, share, size, spent, marks, f"{name} {run}")
                for run in range(runs)
            ],
            axis=0,
        )
        pooled.append(off[0] / np.maximum(off[1], 1e-12))
    middle = np.minimum.accumulate(np.minimum(np.median(pooled, axis=0), 1.0))
    return list(np.interp(np.log(np.arange(1, len(spent) + 1)), np.log(marks), middle))


def _errors(
    grid: Grid,
    policy: Policy,
    share: landscapes.Values,
    size: float,
    spent: Sequence[Fraction],
    marks: Sequence[int],
    name: str,
) -> landscapes.Values:
    """Returns the newest map's error together with those before it, and alone, for so many maps
    as each of `marks` says.
    """
    truths = [
        landscapes.spread(grid, landscapes.points(share, size, f"{name} {season}"))
        for season in range(len(spent))
    ]
    maps = [
        rehearse_map(truth, grid, replace(policy, epsilon=epsilon), strategy="adaptive")
        for truth, epsilon in zip(truths, spent, strict=True)
    ]
    off = []
    for years in marks:
        maps_read = maps[:years]
        newest = pool_estimates(
            grid, [one.record.measurements for one in maps_read], [one.reading for one in maps_read]
        )[-1]
        off.append(
            [
                float(np.abs(one.values - truths[years - 1])[grid.inside].mean())
                for one in (newest, maps_read[-1].reading)
            ]
        )
    return np.transpose(off)
