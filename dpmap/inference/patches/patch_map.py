"""Finds the smallest places whose colour is known, and the total of each.

Pieces of land are joined with the most similar neighbours until the interval of every place's
density is narrow (`place_selection`). The total of a place is the posterior of its land
(`zone_intervals`), shrunk towards its surroundings, so that the noise that made it stand out does
not count for land.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid import Grid, Partition
from dpmap.inference.patches.place_selection import PlaceSelection, TouchingPieces
from dpmap.inference.patches.region_growing import NEARLY_EMPTY, sum_by_place
from dpmap.inference.patches.zone_intervals import ZoneIntervals
from dpmap.read_only_arrays import read_only_fields

if TYPE_CHECKING:
    import geopandas

Numbers = NDArray[np.float64]
Index = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Patches:
    """A partition of the area into places. `place` numbers each cell's, in grid shape, -1 outside
    the area; the strongest is 0.

    `estimate`, `low` and `high` are capped totals in points. Of the places that are `told` the
    stated share of intervals holds the true total, as they were chosen; of any other it is known
    that it holds at most `high`.
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
        return sum_by_place(self.place[known], self.grid.square_km[known], len(self))

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
        """Returns estimates, or bounds of them, as what colours stand for: totals per square
        kilometre.
        """
        return np.asarray(values / self.square_km)

    @property
    def shown(self) -> Numbers:
        """What the colour of each place stands for."""
        return self.as_shown(self.estimate)

    def columns(self) -> dict[str, NDArray[Any]]:
        """Returns what each place holds, with bounds, whether it surely holds something, and its
        density.
        """
        return {
            "estimate": self.estimate,
            "low": self.low,
            "high": self.high,
            "distinguishable": self.low > 0,
            "per_km2": self.density,
        }

    def to_geodataframe(self) -> "geopandas.GeoDataFrame":
        """Returns one outline for each place, told ones first, the densest at the top, in the
        grid's CRS; numbered from 1.
        """
        import geopandas as gpd
        import pandas as pd

        from dpmap.grid.crs_label import reference

        columns = {
            "cells": np.bincount(self.place[self.place >= 0], minlength=len(self)),
            "area_km2": self.square_km,
            **self.columns(),
            "told": self.told,
        }
        outlines = Partition(self.place, len(self)).polygons(self.grid)
        numbers = pd.RangeIndex(1, len(self) + 1, name="place")
        return gpd.GeoDataFrame(
            columns, index=numbers, geometry=outlines, crs=reference(self.grid.crs)
        )

    def __repr__(self) -> str:
        return f"<Patches: {len(self):,} places, of {int(self.told.sum()):,} the colour is told>"


def patches(
    grid: Grid,
    law: ZoneIntervals,
    drawn: Numbers | None,
    estimate: Numbers | None = None,
    level: float = 0.9,
) -> Patches:
    """Finds the places of a map of totals, by what is believed of its land.

    `drawn` is an estimate of each cell that is smooth enough to help: places then follow the mean
    of it and of the posterior. `estimate` is that of the map, which places add up.
    """
    if not 0 < level < 1:
        raise BadInput("level: a probability between 0 and 1, like 0.9")
    ground = law.ground
    posteriors = [part.posterior for part in law.parts]
    total = law.piece_totals(posteriors)
    if drawn is not None:
        inside = ground.piece >= 0
        total = (total + sum_by_place(ground.piece[inside], drawn[inside], len(total))) / 2
    choice = law.choose_places(
        posteriors, total, TouchingPieces.find(ground, total), law.width_factor(level)
    )
    return _build_patches(grid, law, choice, estimate)


def _build_patches(
    grid: Grid, law: ZoneIntervals, choice: PlaceSelection, estimate: Numbers | None
) -> Patches:
    """Returns the places in grid shape, told ones first, the densest at the top."""
    piece = law.ground.piece
    total = choice.total
    if estimate is not None:
        inside = piece >= 0
        total = sum_by_place(choice.place[piece[inside]], estimate[inside], len(total))
    low = np.minimum(choice.low, total)
    high = np.maximum(choice.high, total)
    sure = choice.coloured
    order = np.lexsort((-total / choice.area, ~sure))
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.arange(len(order))
    place = np.append(number[choice.place], -1)[piece]
    total, low, high = (part[order] for part in (total, low, high))
    sure = sure[order]
    without_place = grid.ground.inside & (place < 0)
    if without_place.any():
        place[without_place] = len(order)
        total, low, high = (
            np.append(part, more) for part, more in ((total, np.nan), (low, 0.0), (high, np.inf))
        )
        sure = np.append(sure, False)
    return Patches(grid, place, total, low, high, sure)
