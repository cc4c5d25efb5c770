"""What a map is good for: how near it is to the truth, whether land and the densest places are in order, and whether questions are decided right.

All of it is judged on shares of the whole, so that a map of capped points and one of rows are held against the same truth:
the rows, uncapped. What a map leaves blank is read as none.
"""

import numpy as np
import shapely
from zones import zones

from dpmap.grid.zone_overlap import Coverer
from dpmap.inference.zones import answer

PROJECTS, TIMES_THE_MEAN = 300, 3
"""So many places where somebody wants to build, and how dense land must be for a refusal."""
PROJECT_RADIUS_CELLS = 2.0
TEN_SIDE = 2
"""In cells: the side of the places of which the ten densest are looked for."""
LEVEL = 0.9


class MapUse:
    """Holds what is asked of every map of one survey."""

    def __init__(self, survey, seed=3):
        self.survey = survey
        self.truth = survey.counts(survey.everything())
        dice = np.random.default_rng(seed)
        half = survey.cell_metres / 2
        west, east = survey.cell_x.min() - half, survey.cell_x.max() + half
        south, north = survey.cell_y.min() - half, survey.cell_y.max() + half
        found = sum(zones(dice, (west, south, east, north), survey.grid.shape), [])
        self.zones = np.array([self._cells_within(zone) for zone in found])
        self.zones = self.zones[self.zones.any(1)]
        corner, far = (west, south), (east, north)
        middles = dice.uniform(corner, far, (PROJECTS, 2))
        chosen = dice.integers(0, len(survey.x), PROJECTS // 2)
        middles[: PROJECTS // 2] = np.column_stack([survey.x, survey.y])[chosen]
        radius = PROJECT_RADIUS_CELLS * survey.cell_metres
        middles = np.clip(middles, np.add(corner, radius), np.subtract(far, radius))
        discs = [shapely.Point(middle).buffer(radius) for middle in middles]
        self.projects = np.array([self._cells_within(disc) for disc in discs])
        covering = Coverer(survey.grid)
        shapes = [
            shapely.union_all([self._square(cell) for cell in np.flatnonzero(cells)])
            for cells in self.projects
        ]
        self.covers = [covering.cover(shape) for shape in shapes]

    def _cells_within(self, zone):
        return shapely.contains_xy(zone, self.survey.cell_x, self.survey.cell_y)

    def _square(self, cell):
        half = self.survey.cell_metres / 2
        x, y = self.survey.cell_x[cell], self.survey.cell_y[cell]
        return shapely.box(x - half, y - half, x + half, y + half)

    def judge(self, published):
        """Return the measures of one map."""
        true = self.truth / self.truth.sum()
        shown = np.clip(published.cells, 0, None)
        shown = shown / max(shown.sum(), 1e-12)
        squares = self.survey.blocks(self.survey.per_square)
        zone_true, zone_shown = self.zones @ true, self.zones @ shown
        measures = {
            "overlap of cells": np.minimum(true, shown).sum(),
            "overlap of squares": np.minimum(
                *(np.bincount(squares, cells) for cells in (true, shown))
            ).sum(),
            "order": self._order(zone_true / self.zones.sum(1), zone_shown / self.zones.sum(1)),
            "zone error": np.abs(zone_true - zone_shown).mean() / zone_true.mean(),
            "ten densest": self._ten_densest(true, shown),
        }
        return measures | self._decisions(true, shown, published)

    @staticmethod
    def _order(true, shown):
        """Return how often the denser of two zones is shown as denser, where they differ by half or more; half where both are alike."""
        first, second = np.triu_indices(len(true), 1)
        greater = np.maximum(true[first], true[second])
        apart = (greater > 0) & (greater >= 1.5 * np.minimum(true[first], true[second]))
        signs = np.sign(true[first] - true[second]) * np.sign(shown[first] - shown[second])
        return ((signs[apart] + 1) / 2).mean()

    def _ten_densest(self, true, shown):
        """Return what the ten places that are shown densest hold, of what the truly densest do; equal ones are taken at random."""
        block = self.survey.blocks(TEN_SIDE)
        true, shown = np.bincount(block, true), np.bincount(block, shown)
        best = np.sort(true)[-10:].sum()
        dice = np.random.default_rng(1)
        held = [
            true[np.lexsort((dice.random(len(shown)), shown.round(12)))[-10:]].sum()
            for _ in range(20)
        ]
        return np.mean(held) / best

    def _decisions(self, true, shown, published):
        """Return how often two questions are decided right of the places to build at, and how often one that must be kept free is not."""
        size = self.projects.sum(1)
        bar = TIMES_THE_MEAN / len(true)
        dense, said_dense = self.projects @ true / size >= bar, self.projects @ shown / size >= bar
        any_row = self.projects @ self.truth > 0
        said_any = self.projects @ np.clip(published.cells, 0, None) >= 0.5
        measures = {
            "dense: right": (dense == said_dense).mean(),
            "dense: cleared": (~said_dense[dense]).mean(),
            "any: right": (any_row == said_any).mean(),
            "any: cleared": (~said_any[any_row]).mean(),
        }
        if published.release is not None:
            measures |= self._sure(dense, bar, size, published.release)
        return measures

    def _sure(self, dense, bar, size, release):
        """Return how often the map's interval settles whether land is dense, and how often it is right then."""
        told = release._map
        bar = bar * max(np.nansum(release.estimate), 1e-12)
        answers = [
            answer(self.survey.grid, told.reading, cover, 1.0, LEVEL) for cover in self.covers
        ]
        low = np.array([reply.low for reply in answers]) / size
        high = np.array([reply.high for reply in answers]) / size
        settled = (low >= bar) | (high < bar)
        right = np.where(low >= bar, dense, ~dense)[settled]
        return {
            "dense: sure": settled.mean(),
            "dense: right if sure": right.mean() if len(right) else np.nan,
        }
