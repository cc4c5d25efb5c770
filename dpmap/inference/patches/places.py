"""Finds the smallest places of which the colour can be told, and what each holds.

Pieces of land are joined with the neighbours they are told apart from least until the interval of every place's density is narrow
(`growing`). What a place holds is believed by what is usual in its surroundings (`beliefs`), so that the noise that made it stand
out does not count for land; and how wide intervals must be to hold for places as chosen is found by walking the whole way
again from what is believed (`rehearsal`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid import Grid, Partition
from dpmap.grid import crs as crs_tools
from dpmap.inference.flat import project
from dpmap.inference.patches.ground import Ground, Known
from dpmap.inference.patches.growing import NEARLY_EMPTY, Land, distinct, grown, nearly_told, summed
from dpmap.inference.patches.rehearsal import Walks, widths
from dpmap.read_only import read_only_fields
from dpmap.record import Measurement

if TYPE_CHECKING:
    import geopandas

Numbers = NDArray[np.float64]
Index = NDArray[np.int64]
Mask = NDArray[np.bool_]
Pairs = tuple[Index, Index]

DENSE = 0.5
"""Cells above half of the mean density may be one place over a gap of one cell."""


@dataclass(frozen=True, slots=True, eq=False)
class Patches:
    """A partition of the area into places. `place` numbers each cell's, in grid shape, -1 outside the area; the strongest is 0.

    `estimate`, `low` and `high` are capped totals in points. Of the places that are `told` the stated share of intervals holds the
    true total, as they were chosen; of any other it is known that it holds at most `high`.
    """

    grid: Grid
    place: Index
    estimate: Numbers
    low: Numbers
    high: Numbers
    told: Mask

    def __post_init__(self) -> None:
        read_only_fields(self)

    def __len__(self) -> int:
        return len(self.estimate)

    @property
    def square_km(self) -> Numbers:
        """Each place's area."""
        known = self.place >= 0
        return summed(self.place[known], self.grid.square_km[known], len(self))

    @property
    def nearly_empty(self) -> float:
        """The density below which land is nearly empty: a share of the mean of all places."""
        held = np.nan_to_num(self.estimate)
        return NEARLY_EMPTY * float(held.sum() / self.square_km.sum())

    @property
    def density(self) -> Numbers:
        """Each place's total per square kilometre."""
        return np.asarray(self.estimate / self.square_km)

    def as_shown(self, values: Numbers) -> Numbers:
        """Returns estimates, or bounds of them, as what colours stand for: totals per square kilometre."""
        return np.asarray(values / self.square_km)

    @property
    def shown(self) -> Numbers:
        """What the colour of each place stands for."""
        return self.as_shown(self.estimate)

    def columns(self) -> dict[str, NDArray[Any]]:
        """Returns what each place holds, with bounds, and its density."""
        return {"estimate": self.estimate, "low": self.low, "high": self.high, "density": self.density}

    def to_geodataframe(self) -> "geopandas.GeoDataFrame":
        """Returns one outline for each place, told ones first, the densest at the top, in the grid's CRS; numbered from 1."""
        import geopandas as gpd
        import pandas as pd

        columns = {
            "cells": np.bincount(self.place[self.place >= 0], minlength=len(self)),
            "area_km2": self.square_km,
            **self.columns(),
            "told": self.told,
        }
        outlines = Partition(self.place, len(self)).polygons(self.grid)
        numbers = pd.RangeIndex(1, len(self) + 1, name="place")
        return gpd.GeoDataFrame(columns, index=numbers, geometry=outlines, crs=crs_tools.parse(self.grid.crs))

    def __repr__(self) -> str:
        return f"<Patches: {len(self):,} places, of {int(self.told.sum()):,} the colour is told>"


@dataclass(frozen=True, slots=True, eq=False)
class _Chosen:
    """Holds places, and each one's total, its deviation, its area and the density below which land is nearly empty."""

    place: Index
    total: Numbers
    deviation: Numbers
    area: Numbers
    least: float

    def bounds(self, wide: float) -> tuple[Numbers, Numbers]:
        """Returns low and high, `wide` deviations about."""
        return np.maximum(self.total - wide * self.deviation, 0.0), self.total + wide * self.deviation

    def told(self, wide: float) -> Mask:
        """Returns which places have a colour that is told."""
        return nearly_told(*self.bounds(wide), self.area, self.least)


def patches(
    grid: Grid,
    releases: Sequence[tuple[Grid, tuple[Measurement, ...]]],
    drawn: Numbers | None,
    level: float = 0.9,
    whole: float | None = None,
    most: int | None = None,
) -> Patches:
    """Finds the places of a map of totals, from the measurements of one release, or of several whose totals add up.

    `drawn` is the map's own estimate of each cell, where it is smooth enough to help: places then follow the mean of it and of what is
    believed here. `whole` is the total of all land where that is known far better than the answers tell it. At most
    so many rehearsals find intervals faster, and less surely.
    """
    if not 0 < level < 1:
        raise BadInput("level: a probability between 0 and 1, like 0.9")
    ground = Ground.of(grid, releases)
    known = ground.known([part.regions.noisy for part in ground.parts])
    total = known.total
    if drawn is not None:
        inside = ground.piece >= 0
        total = (total + summed(ground.piece[inside], drawn[inside], len(total))) / 2
    gaps = ground.over_gaps(total > DENSE / 4 * ground.area * float(total.sum()) / float(ground.area.sum()))
    pairs = (ground.near(), gaps)
    sure = whole is not None
    wide = _rehearsed(ground, known, pairs, level, sure=sure, most=most)
    return _laid(ground, _chosen(ground, known, project(total, whole), pairs, wide), wide)


def _chosen(ground: Ground, known: Known, total: Numbers, pairs: tuple[Pairs, Pairs], wide: float) -> _Chosen:
    """Grows places until they are told, `wide` deviations about."""
    area = ground.area
    variance = known.variance
    unsure = float(np.sqrt(known.variances(np.zeros(len(total), dtype=np.int64), 1)[0]))
    even = max(float(total.sum()), unsure) / float(area.sum())
    dense = total > DENSE * even * area
    near, gaps = pairs
    kept = dense[gaps[0]] & dense[gaps[1]]
    joined = distinct(np.append(near[0], gaps[0][kept]), np.append(near[1], gaps[1][kept]), len(total))
    least = NEARLY_EMPTY * even
    place = grown(Land(area, joined), total, variance, wide, least)
    return _known_sums(known, place, total, area, least)


def _known_sums(known: Known, place: Index, total: Numbers, area: Numbers, least: float) -> _Chosen:
    """Returns each place's total with its exact deviation."""
    places = int(place.max(initial=-1)) + 1
    held, size = summed(place, total, places), summed(place, area, places)
    return _Chosen(place, held, np.sqrt(known.variances(place, places)), size, least)


def _rehearsed(
    ground: Ground, known: Known, pairs: tuple[Pairs, Pairs], level: float, *, sure: bool, most: int | None
) -> float:
    """Finds by rehearsal how many deviations about hold this share of the intervals of places that are told and not nearly empty."""
    walks = Walks(ground, known)

    def walk(wide: float) -> Numbers:
        truth, answers = walks.again()
        again = ground.known(answers)
        total = project(again.total, float(truth.sum()) if sure else None)
        found = _chosen(ground, again, total, pairs, wide)
        off = (summed(found.place, truth, len(found.total)) - found.total) / np.maximum(found.deviation, 1e-300)
        low = found.bounds(wide)[0] / found.area
        counted = np.flatnonzero(found.told(wide) & (found.total > found.least * found.area))
        return off[counted[np.argsort(-low[counted], kind="stable")]]

    return widths(walk, level, len(ground.area), most)


def _laid(ground: Ground, chosen: _Chosen, wide: float) -> Patches:
    """Returns the places in grid shape, told ones first, the densest at the top."""
    low, high = chosen.bounds(wide)
    sure = chosen.told(wide)
    order = np.lexsort((-chosen.total / chosen.area, ~sure))
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.arange(len(order))
    place = np.append(number[chosen.place], -1)[ground.piece]
    estimate, low, high = (part[order] for part in (chosen.total, low, high))
    sure = sure[order]
    missed = ground.grid.ground.inside & (place < 0)
    if missed.any():
        place[missed] = len(order)
        estimate, low, high = (np.append(part, more) for part, more in ((estimate, np.nan), (low, 0.0), (high, np.inf)))
        sure = np.append(sure, False)
    return Patches(ground.grid, place, estimate, low, high, sure)
