"""Lays out what changed between two maps on land of which more than one cell counts: patches,
clusters, and each cell as a part of its region.
"""

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import Grid, Partition
from dpmap.grid.common_grid import coarsest
from dpmap.inference.clusters import ChangeClusters, compare_places, find_clusters
from dpmap.inference.paired_maps import PairedMaps, Releases
from dpmap.inference.patches import patches
from dpmap.inference.patches.zone_intervals import ZoneIntervals
from dpmap.inference.scan_windows import list_windows
from dpmap.maps import read_map
from dpmap.releases.cell_names import middles, name_cells
from dpmap.releases.release import Release
from dpmap.releases.zone_changes import findings

if TYPE_CHECKING:
    import geopandas

Numbers = NDArray[np.float64]


class ChangedLand:
    """Finds the changes of patches and in clusters between two releases on the same cells, each
    once.
    """

    def __init__(self, before: Release, after: Release, level: float, rate: float) -> None:
        self._grid: Grid = after.grid
        self._maps = before, after
        self._level = level
        self._rate = rate
        self._releases: tuple[Releases, ...] = tuple(
            [(part.grid, part.measurements) for part in read_map(side.record).parts()]
            for side in self._maps
        )

    @cached_property
    def _read_both(self) -> PairedMaps:
        return PairedMaps.pair(self._grid, *self._releases)

    @cached_property
    def patches(self) -> "geopandas.GeoDataFrame":
        """A row for each patch: a place of which both maps together tell the colour."""
        first, second = self._releases
        piece = self._read_both.ground.piece
        place = np.full(len(self._read_both.before), -1)
        place[piece[piece >= 0]] = patches(
            self._grid, ZoneIntervals(self._grid, [*first, *second]), None, None, self._level
        ).place[piece >= 0]
        changes = compare_places(self._read_both, place, level=self._level, rate=self._rate)
        return self._frame(changes, "patch")

    @cached_property
    def clusters(self) -> "geopandas.GeoDataFrame":
        """A row for each cluster, the clearest first."""
        family = list_windows(self._grid, self._read_both.ground.piece)
        return self._frame(
            find_clusters(self._read_both, family, level=self._level, rate=self._rate), "cluster"
        )

    def cells(self, frame: "geopandas.GeoDataFrame") -> "geopandas.GeoDataFrame":
        """Return a row for each cell in the area, with what `frame` tells of the region it lies
        in.
        """
        import geopandas as gpd

        lasts = [
            (grid, measurements[-1].partition)
            for side in self._releases
            for grid, measurements in side
        ]
        region = coarsest(self._grid, lasts).labels[self._grid.inside]
        inside = np.flatnonzero(self._grid.inside.ravel())
        outlines = self._grid.polygons()
        region_columns = frame.drop(
            columns=[frame.geometry.name, "lon", "lat", *name_cells(self._grid, inside[:1])]
        )
        rows = region_columns.iloc[region].reset_index(drop=True)
        rows.insert(0, "cell", np.arange(1, len(inside) + 1))
        for place, (column, names) in enumerate(name_cells(self._grid, inside).items(), 1):
            rows.insert(place, column, names)
        rows["lon"], rows["lat"] = middles(outlines, self._grid.crs)
        return gpd.GeoDataFrame(rows, geometry=outlines, crs=frame.crs)

    def _frame(self, changes: ChangeClusters, name: str) -> "geopandas.GeoDataFrame":
        """Return a row for each place found, with the maps' own estimates of it."""
        import geopandas as gpd

        from dpmap.grid.crs_label import reference

        of_piece = np.full(len(self._read_both.before) + 1, -1)
        for number, pieces in enumerate(changes.pieces):
            of_piece[pieces] = number
        partition = Partition(of_piece[self._read_both.ground.piece], len(changes.pieces))
        before, after = (partition.sums(np.nan_to_num(release.estimate)) for release in self._maps)
        change = np.clip(after - before, changes.low, changes.high)
        area = partition.sums(self._grid.square_km)
        columns: dict[str, Any] = {
            name: np.arange(1, len(changes.pieces) + 1),
            "cells": partition.sizes(),
            "before": before,
            "after": after,
            "change": change,
            "low": changes.low,
            "high": changes.high,
            "told": changes.told,
            "finding": findings(changes.told, change),
            "p_value": changes.chance,
            "change_per_km2": change / np.maximum(area, 1e-300),
            "area_km2": area,
        }
        outlines = partition.polygons(self._grid)
        columns["lon"], columns["lat"] = middles(outlines, self._grid.crs)
        return gpd.GeoDataFrame(columns, geometry=outlines, crs=reference(self._grid.crs))
