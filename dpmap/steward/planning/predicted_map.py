"""Rehearses what the default map shows, its places and how surely they are told, and finds ranges
that hold over many shapes.

A range reaches over all shapes of `shapes.LIBRARY`, which lie from evenly to on a few single cells,
one map of each, and `STRETCH` beyond: whoever's land is like none of them should find her map
within it nine times in ten (`benchmarks/plans.py` tries that on other shapes).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import Grid
from dpmap.inference.patches import Patches
from dpmap.inference.patches.region_growing import sum_by_place
from dpmap.noise.distributions import LAWS
from dpmap.promise.policy import Policy
from dpmap.steward.planning import landscapes
from dpmap.steward.planning.results import LANDS, PredictedMap, Promised
from dpmap.steward.simulation import rehearse_map, rehearsed_tiers

if TYPE_CHECKING:
    from dpmap.maps.totals import TotalsMap

Values = NDArray[np.float64]

STRETCH = 1.25
LARGER = 2.0
SHARE_MORE = 0.05
"""A range reaches so many times beyond what was rehearsed; sizes, which jump from one cell to
two, so many; a share of the points, so much.
"""
RASTER_OFF = 1.2
"""A public raster's figures are promised up to so many times more or less."""
MOST_CELLS = 4096
"""Larger grids are rehearsed on a square of so many of their cells, with as many points to a
cell.
"""
FEWEST_SHAPES = 4
HARDLY_ANY = 0.02
"""Of land with no larger share of empty cells nothing is said about what is cleared."""
OWN = 0.9
"""A cell total is enough for a place of its own if it is for this share of the cells that hold
as much.
"""
ALONE = 2.7
"""A cell that holds so many half-widths of a cell measured by itself counts as a place of its own
where nothing is rehearsed: over the library and maps of 0.2 to 7 noise scales a cell that comes
within 3 to 7 points in a hundred of the rehearsals.
"""
RASTER_CELLS = 30_000
RASTER_RUNS = (3, 10)
"""A public raster is rehearsed until so many cells were drawn, so many times at least and at
most.
"""


def strategy(policy: Policy) -> str:
    """Returns the strategy of the map that is promised: the default, where its noise can be had."""
    return "adaptive" if policy.delta is None else "flat"


def measure_map(
    shape: str, gathered: float, places: Patches, truth: Values, cleared: float = math.nan
) -> PredictedMap:
    """Holds one map's places against the totals they were drawn from, in grid shape; `cleared`
    as `share_cleared` has it.
    """
    is_inside = places.place >= 0
    place = places.place[is_inside]
    true = truth[is_inside]
    held = sum_by_place(place, true, len(places))
    cells = np.bincount(place, minlength=len(places))
    coloured = places.told & (places.density >= places.nearly_empty)
    width = (places.high - places.low) / 2 / np.maximum(places.estimate, 1e-300)
    all_points = max(float(true.sum()), 1e-300)
    one = places.told & (cells == 1)
    return PredictedMap(
        shape,
        gathered,
        int(coloured.sum()),
        _median(places.square_km[places.told], held[places.told]),
        _median(width[places.told], held[places.told]),
        float(held[one].sum()) / all_points,
        _own_from(true, (one & coloured)[place]),
        float(held[places.told].sum()) / all_points,
        cleared,
    )


def share_cleared(rehearsal: "TotalsMap", truth: Values, policy: Policy) -> float:
    """Returns which share of the empty cells surely holds less than the smallest total that can
    be told from noise; NaN if hardly any is empty.
    """
    empty = rehearsal.record.grid.inside & (truth == 0)
    if empty.sum() < HARDLY_ANY * rehearsal.record.grid.cells_inside:
        return math.nan
    _, high = rehearsal.reading.interval(0.9)
    return float((high[empty] < detectable(policy)).mean())


def detectable(policy: Policy) -> float:
    """Returns the smallest total of a cell that can be told from noise if all of epsilon
    measures it by itself, in points.
    """
    return LAWS[policy.noise](policy.scale * policy.lattice).detectable(0.9) / policy.lattice


def _median(values: Values, weights: Values) -> float:
    """Returns the value that half of the weight lies at or below."""
    order = np.argsort(values, kind="stable")
    reached = np.searchsorted(np.cumsum(weights[order]), weights.sum() / 2 * (1 - 1e-12))
    return float(values[order][reached]) if weights.sum() > 0 else math.inf


def _own_from(true: Values, is_single: NDArray[np.bool_]) -> float:
    """Returns the cell total from which on nine cells in ten are places of their own; none is:
    infinity.
    """
    order = np.argsort(-true, kind="stable")
    share = np.cumsum(is_single[order]) / np.arange(1, len(order) + 1)
    enough = np.flatnonzero(share >= OWN)
    return float(true[order][enough[-1]]) if len(enough) else math.inf


def sheet(grid: Grid) -> Grid:
    """Returns the grid if it is small, else a square of `MOST_CELLS` cells as large as its own
    on the mean.
    """
    if grid.cells_inside <= MOST_CELLS:
        return grid
    across = round(math.sqrt(MOST_CELLS))
    metres = across * 1000 * math.sqrt(float(grid.square_km[grid.inside].mean()))
    return Grid(bounds=(0, 0, metres, metres), shape=(across, across), crs="EPSG:6933")


def library(
    grid: Grid, policy: Policy, total: float
) -> tuple[list[PredictedMap], dict[str, Values]]:
    """Rehearses one map of each invented shape; also returns the maps as they are drawn, of
    those rehearsed on the grid itself.
    """
    stand_in = sheet(grid)
    parts = grid.cells_inside / stand_in.cells_inside
    maps = []
    drawn = {}
    for name in landscapes.LIBRARY:
        one, places = _rehearse(
            name, landscapes.invent(name, stand_in), stand_in, policy, total / parts
        )
        maps.append(replace(one, places=round(parts * one.places)))
        if stand_in is grid:
            drawn[name] = _spread(places)
    return maps, drawn


def like(
    name: str, density: Callable[[Grid], Values], grid: Grid, policy: Policy, total: float
) -> tuple[list[PredictedMap], dict[str, Values]]:
    """Rehearses several maps of a public raster; also returns one of them as it is drawn."""
    share = density(grid)
    runs = int(np.clip(RASTER_CELLS // grid.cells_inside, *RASTER_RUNS))
    made = [_rehearse(name, share, grid, policy, total) for _ in range(runs)]
    return [one for one, _ in made], {name: _spread(made[0][1])}


def draw_predicted(counts: Values, grid: Grid, policy: Policy) -> Values:
    """Returns one map of public numbers as it is drawn."""
    return _spread(rehearse_map(counts, grid, policy, strategy=strategy(policy)).patches(0.9))


def _rehearse(
    name: str, share: Values, grid: Grid, policy: Policy, total: float
) -> tuple[PredictedMap, Patches]:
    """Deals the points, and rehearses one map of them."""
    truth = landscapes.spread(grid, landscapes.points(share, total, name))
    rehearsal = rehearse_map(truth, grid, policy, strategy=strategy(policy))
    places = rehearsal.parting(0.9)
    lies = landscapes.gathered_share(share, grid.square_km[grid.inside])
    return measure_map(name, lies, places, truth, share_cleared(rehearsal, truth, policy)), places


def tiers(
    densities: Mapping[str, Callable[[Grid], Values]],
    grid: Grid,
    promises: Sequence[Policy],
    total: float,
    runs: int = 1,
) -> list[list[PredictedMap]]:
    """Rehearses draws for several readers: for each promise, the noisiest first, what her maps
    of these shapes show.
    """
    stand_in = sheet(grid)
    maps_of_tiers = list[list[PredictedMap]]([] for _ in promises)
    parts = grid.cells_inside / stand_in.cells_inside
    for name, density in densities.items():
        share = density(stand_in)
        truth = landscapes.spread(stand_in, landscapes.points(share, total / parts, name))
        lies = landscapes.gathered_share(share, stand_in.square_km[stand_in.inside])
        for _ in range(runs):
            rehearsals = rehearsed_tiers(truth, stand_in, promises, strategy="adaptive")
            for maps, rehearsal, policy in zip(maps_of_tiers, rehearsals, promises, strict=True):
                cleared = share_cleared(rehearsal, truth, policy)
                seen = measure_map(name, lies, rehearsal.parting(0.9), truth, cleared)
                maps.append(replace(seen, places=round(parts * seen.places)))
    return maps_of_tiers


def _spread(places: Patches) -> Values:
    """Returns what each place holds, spread over its cells; NaN where nothing is told."""
    density = np.append(np.where(places.told, places.density, np.nan), np.nan)
    return np.asarray(density[places.place] * places.grid.square_km)


FIGURES = ("places", "place_km2", "within", "single", "own_from", "told", "cleared")
SHARES = ("single", "told", "cleared")


def promised_ranges(maps: Sequence[PredictedMap], grid: Grid) -> tuple[Promised, ...]:
    """Returns the range of each figure over all shapes, and over those that lie alike."""
    ranges = []
    for land, (least, most) in LANDS.items():
        alike = [map_ for map_ in maps if least <= map_.gathered < most]
        if len(alike) >= FEWEST_SHAPES:
            ranges += [_range(figure, land, alike, STRETCH, SHARE_MORE, grid) for figure in FIGURES]
    return tuple(ranges)


def promised_like(maps: Sequence[PredictedMap], grid: Grid) -> tuple[Promised, ...]:
    """Returns what half of the rehearsals of a public raster reach, and a range about it that
    holds them all.
    """
    ranges = []
    for figure in FIGURES:
        every = _range(figure, f"like {maps[0].shape}", maps, 1.0, 0.0, grid)
        about = every.middle
        if about is not None and every.low is not None:
            high = (
                None
                if every.high is None
                else max(every.high, _within_reason(figure, about * RASTER_OFF, grid))
            )
            every = replace(every, low=min(every.low, about / RASTER_OFF), high=high)
        ranges.append(every)
    return tuple(ranges)


def _range(
    figure: str, land: str, maps: Sequence[PredictedMap], times: float, more: float, grid: Grid
) -> Promised:
    """Returns the range of one figure, stretched; None for what no number of points reaches."""
    values = [value for map_ in maps if not math.isnan(value := float(getattr(map_, figure)))]
    if not values:  # nothing is cleared where no land is empty
        return Promised(figure, land, None, None, None)
    low = min(values)
    middle = float(np.median(values))
    high = max(values)
    if figure == "place_km2" and times > 1:
        times = LARGER
    wide = (low - more, high + more) if figure in SHARES else (low / times, high * times)
    least, most = (_finite(_within_reason(figure, value, grid)) for value in wide)
    return Promised(figure, land, least, most, _finite(middle))


def _within_reason(figure: str, value: float, grid: Grid) -> float:
    """Keeps a figure to what the grid allows."""
    if figure == "places":
        return min(max(value, 1.0), grid.cells_inside)
    if figure == "place_km2":
        ground = grid.square_km[grid.inside]
        return min(max(value, float(ground.min())), float(ground.sum()))
    return min(max(value, 0.0), 1.0) if figure in SHARES else value


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def single(share: Values, total: float, half_width: float) -> float:
    """Guesses what share of the points lies in places of one cell, without a rehearsal."""
    return float(share[share * total >= ALONE * half_width].sum())
