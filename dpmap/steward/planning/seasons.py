"""Rehearses what seasons' maps at several epsilons tell, alone and held against each other, on
public numbers; all between is read off a curve.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields, replace
from fractions import Fraction
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import Grid
from dpmap.inference.patches.region_growing import sum_by_place
from dpmap.inference.patches.zone_intervals import ZoneOverlap, difference_width
from dpmap.noise.distributions import LAWS
from dpmap.noise.noise_sums import Sum
from dpmap.promise.policy import Policy
from dpmap.record import Measurement
from dpmap.steward.planning import landscapes, predicted_map
from dpmap.steward.simulation import rehearse_map

if TYPE_CHECKING:
    from dpmap.inference.patches.zone_intervals import ZoneIntervals
    from dpmap.maps.totals import TotalsMap

Values = NDArray[np.float64]
Densities = Mapping[str, Callable[[Grid], Values]]
RATE = 0.1
POWER = 0.8
"""Of what is told to have changed a tenth may be false; and a change is said to be seen if it is
told in four pairs of maps of five.
"""
LEAST_FOLLOWED = 0.1
"""Where what is believed of a zone hardly follows a change of it, ten times the change is all
that is said.
"""
PATCH = 16
ZONES = 10
"""A patch has so many cells; a zone is so large that as many make up the whole area."""
ENOUGH = NormalDist().inv_cdf(POWER)
MOST_CURVE = 6
"""At most so many epsilons are rehearsed, each twice the one before or so."""
CELLS = 6_000
RUNS = (2, 6)
"""Each is rehearsed on each shape until so many cells were drawn, so many times at least and at
most.
"""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a map at one epsilon tells of land that is the same each time.

    `cell_error` is the mean absolute error of a cell; `deviation` that of the noise of one region
    of the last question, of which the whole area has `regions`; `whole` is the deviation of all
    questions' answers about the whole area together. `zone_wide` and `whole_wide` are how much two
    such maps must differ in a zone, one of `ZONES`, and in the whole area, to be told apart at
    `RATE`.
    """

    cell_error: float
    deviation: float
    regions: float
    whole: float
    zone_wide: float
    whole_wide: float


class Curve:
    """Tells what a map at any epsilon between the least and the most that was rehearsed tells."""

    def __init__(self, epsilons: Sequence[float], seen: Sequence[Seen]) -> None:
        self._at = np.log(epsilons)
        logs = np.log(np.maximum([astuple(one) for one in seen], 1e-12))
        falls = np.array([one.name != "regions" for one in fields(Seen)])
        self._seen = np.where(falls, np.minimum.accumulate(logs, axis=0), logs)

    @classmethod
    def rehearsed(
        cls,
        grid: Grid,
        policy: Policy,
        densities: Densities,
        total: float,
        least: float,
        most: float,
    ) -> "Curve":
        """Rehearses some epsilons from the least to the most on each shape, and keeps the middle
        one of the shapes.
        """
        points = (
            1
            if most <= least * 1.0001
            else min(MOST_CURVE, 2 + math.floor(math.log2(most / least)))
        )
        epsilons = np.geomspace(least, most, points).tolist()
        stand_in = predicted_map.sheet(grid)
        parts = grid.cells_inside / stand_in.cells_inside
        truths = []
        for name, density in densities.items():
            share = density(stand_in)
            truths.append(
                landscapes.spread(stand_in, landscapes.points(share, total / parts, name))
            )
        return cls(
            epsilons, [_middle(stand_in, policy, truths, epsilon, parts) for epsilon in epsilons]
        )

    def at(self, epsilon: float) -> Seen:
        """Returns what a map at this epsilon tells."""
        return Seen(
            *(float(np.exp(np.interp(math.log(epsilon), self._at, row))) for row in self._seen.T)
        )


def _middle(
    grid: Grid, policy: Policy, truths: Sequence[Values], epsilon: float, parts: float
) -> Seen:
    """Returns what the map of the middle one of these lands tells; the whole area has so many
    `parts` like this grid.
    """
    at = replace(policy, epsilon=Fraction(epsilon).limit_denominator(10**9))
    landscapes = [astuple(_of_land(grid, at, truth, parts)) for truth in truths]
    return Seen(*np.median(landscapes, axis=0).tolist())


def _of_land(grid: Grid, policy: Policy, truth: Values, parts: float) -> Seen:
    """Rehearses maps of one land; two of them are held against each other, as `compare` does it."""
    runs = int(np.clip(CELLS // grid.cells_inside, *RUNS))
    inside = grid.inside
    maps = [rehearse_map(truth, grid, policy, strategy="adaptive") for _ in range(runs)]
    off = np.mean([np.abs(map_.reading.values - truth)[inside].mean() for map_ in maps])
    last = maps[0].record.last
    deviation = _deviation(last)
    regions = np.mean([map_.record.last.partition.regions for map_ in maps])
    above = [measurement for measurement in maps[0].record.measurements if measurement is not last]
    sure = sum(1 / (one.partition.regions * _deviation(one) ** 2) for one in above)
    whole, part_error = (
        1 / math.sqrt(sure + 1 / (regions * regions_read * deviation**2))
        for regions_read in (parts, 1)
    )
    wide = _wide(maps[0], maps[1], _zone(grid, truth), 1 - RATE / ZONES) * math.sqrt(parts)
    all_cells = np.flatnonzero(inside.ravel())
    whole_wide = _wide(maps[0], maps[1], all_cells, 1 - RATE) * whole / part_error
    return Seen(float(off), deviation, float(regions) * parts, whole, wide, whole_wide)


def _deviation(measurement: Measurement) -> float:
    """Returns the deviation of the noise of one region, in points."""
    return float(LAWS[measurement.kind](measurement.scale_steps).deviation) / measurement.lattice


def _zone(grid: Grid, truth: Values) -> NDArray[np.int64]:
    """Returns the cells of a zone about the middle of the points."""
    east, north = landscapes.centres(grid)
    weight = truth[grid.inside] + 1e-9
    off = [(at - np.average(at, weights=weight)) ** 2 for at in (east, north)]
    nearest = np.argsort(off[0] + off[1], kind="stable")[: zone_cells(grid.cells_inside)]
    return np.sort(np.flatnonzero(grid.inside.ravel())[nearest])


def _wide(first: "TotalsMap", second: "TotalsMap", cells: NDArray[np.int64], level: float) -> float:
    """Returns the change of a zone by which what is believed of it changes by half the width of
    its interval, which then leaves out 0.
    """
    one = first.zones
    other = second.zones
    shares = np.ones(len(cells))
    if one is None or other is None:
        return math.inf
    wide = difference_width(
        one,
        other,
        (one.estimate_zone(cells, shares)[1], other.estimate_zone(cells, shares)[1]),
        level,
    )
    return 2 * wide / (_followed(one, cells, wide) + _followed(other, cells, wide))


def _followed(zones: "ZoneIntervals", cells: NDArray[np.int64], change: float) -> float:
    """Returns which part of a change, spread evenly over these cells, what is believed of them
    follows: it leans towards what is usual.
    """
    (part,) = zones.parts
    region = part.smallest[cells]
    regions = part.land.regions
    inside = np.ones(len(cells))
    size = regions.cells[regions.smallest].astype(np.float64)
    added = sum_by_place(region, inside * change / len(cells), len(size))
    met = ZoneOverlap.collect(1, np.zeros_like(region), region, inside, size)
    after = part.land.estimate(regions.noisy + regions.sums(added))
    followed = float((after.totals(met)[0] - part.posterior.totals(met)[0])[0]) / change
    return float(np.clip(followed, LEAST_FOLLOWED, 1.0))


def zone_cells(cells: int) -> int:
    """Returns how many of so many cells a typical zone has."""
    return max(1, round(cells / ZONES))


def change_in_patch(first: Seen, second: Seen, cells: int) -> float:
    """Returns the smallest change of `PATCH` cells, each measured by itself in both maps, that is
    told in four pairs of five as a cluster.

    The noise is that of twice as many Laplace noises, of known law. Clusters are looked for in
    overlapping windows of several sizes, and the chance of even one false one is `RATE`: as if one
    patch were tested for each of so many `cells` and the rate dealt out among them.
    """
    patch_cells = min(PATCH, cells)
    noise = Sum(
        laplace=tuple((one.deviation / math.sqrt(2), patch_cells) for one in (first, second))
    )
    return noise.reach(1 - RATE / cells) + noise.reach(2 * POWER - 1)


def change_in_zone(first: Seen, second: Seen) -> float:
    """Returns the smallest change of a zone that is told in four pairs of five: what must be
    told, and what noise may take away from it.
    """
    noise = math.sqrt(sum(one.regions / ZONES * one.deviation**2 for one in (first, second)))
    return math.hypot(first.zone_wide, second.zone_wide) / math.sqrt(2) + ENOUGH * noise


def change_of_whole(first: Seen, second: Seen) -> float:
    """Returns the smallest change of the whole area that is told in four pairs of five."""
    wide = math.hypot(first.whole_wide, second.whole_wide) / math.sqrt(2)
    return wide + ENOUGH * math.hypot(first.whole, second.whole)


def trend_within(seen: Sequence[Seen], at: Sequence[int], zones: int) -> float:
    """Returns half the 90 % interval of the slope of the line through the totals of land that is
    one of so many `zones`, in points a season.

    Exact for normal noise: the weighted least squares slope has the variance 1 / (sum of w (t -
    mean t)^2), w = 1 / variance.
    """
    weight = np.array([zones / (one.regions * one.deviation**2) for one in seen])
    seasons = np.array(at, dtype=np.float64)
    middle = np.average(seasons, weights=weight)
    return NormalDist().inv_cdf(0.95) / math.sqrt(float((weight * (seasons - middle) ** 2).sum()))
