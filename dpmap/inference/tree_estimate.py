"""Estimates from measurements whose regions are nodes of the raster's hierarchy: least squares
first, then only possible totals.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpmap.grid import Grid
from dpmap.grid.partition import strips
from dpmap.inference.combine import ROUNDS, Beliefs, gather
from dpmap.inference.estimate import Cells, Mask
from dpmap.inference.intervals import BoundedEstimate
from dpmap.inference.kernel_smoothing import smooth, smooth_tiles
from dpmap.inference.neighbour_shrinkage import Blocks, maximize_overlap
from dpmap.inference.prior_weights import Guide
from dpmap.inference.raster import Raster, RasterMeasurement
from dpmap.inference.split_likelihood import (
    NOTHING,
    laplace_likelihoods,
    normal_likelihoods,
    project,
)
from dpmap.read_only_arrays import read_only_property
from dpmap.record import Measurement
from dpmap.record.unpool import superseded_answers

DOUBT = 4.0
"""Smoothed cells' sums are trusted as if their variance were this times what the model claims:
twice the deviation, for what the even rectangles get wrong together.
"""
SMOOTHED = 0.25
"""The smoothed reading's part of the mean of both."""
GUIDED = 0.5
"""How far cells that were not measured alone move towards what priors and all answers say, if
priors are fully trusted; less with the square of the trust. Cells measured alone do not move: their
answers say more.
"""
FLOOR = 0.005
NEAR = 0.2
REACH = 2.0
"""No hard zeros near mass: each cell keeps 0.5 % of a noise scale, at most a fifth of its
surroundings 2 cells about.
"""
LARGE = 1 << 20
"""On maps with more cells than this, the first reading alone is taken and blocks share out their
totals in proportion: the rest costs more seconds and memory than the small gain is worth.
"""


def totals(raster: Raster, beliefs: Beliefs) -> list[Cells]:
    """Returns node totals, none below 0 and children adding up to their parent: posterior means
    from the top down.

    A child is empty with a chance learned from all children of its level, or else exponential about
    its parent's total. What then misses the parent's total is shared out by the children's
    variances. Children nobody measured take their share of the area.
    """
    node_totals = [np.maximum(beliefs.mean[0], 0.0)]
    chances = np.array([0.5, 0.5])
    for level in range(1, len(beliefs.mean)):
        parent = node_totals[-1].ravel()
        area = raster.families(raster.area[level], level)
        children = parent[:, None] * area / np.maximum(area.sum(1, keepdims=True), 1.0)
        precision = raster.families(beliefs.precision[level], level)
        known = (precision > 0).all(1) & (parent > NOTHING)
        if known.any():
            mean = raster.families(beliefs.mean[level], level)[known]
            variance = 1 / precision[known]
            laplace = raster.families(beliefs.laplace[level], level)[known]
            total = parent[known]
            mean, variance, chances = _posterior(mean, variance, laplace, total[:, None], chances)
            share = variance / variance.sum(1, keepdims=True)
            children[known] = project(mean + share * (total - mean.sum(1))[:, None], total)
        node_totals.append(raster.unfamilies(children, level))
    return node_totals


def _posterior(
    mean: Cells, variance: Cells, laplace: Cells, total: Cells, chances: Cells
) -> tuple[Cells, Cells, Cells]:
    """Returns posterior means and variances of children, and the learned chances of being
    (empty, occupied).
    """
    rate = np.broadcast_to(1 / total, mean.shape)
    empty, occupied, level, square = normal_likelihoods(mean, variance, rate)
    single_region = laplace > 0
    if single_region.any():
        parts = laplace_likelihoods(
            mean[single_region], laplace[single_region], rate[single_region]
        )
        (
            empty[single_region],
            occupied[single_region],
            level[single_region],
            square[single_region],
        ) = parts
    prior = chances
    chance = np.zeros(mean.shape)
    for _ in range(ROUNDS):
        odds = np.clip(empty - occupied + math.log(chances[0] / chances[1]), -700, 700)
        chance = 1 / (1 + np.exp(odds))
        weights = np.array([(1 - chance).sum(), chance.sum()]) + 2 * prior
        chances = weights / weights.sum()
    best = chance * level
    return best, np.maximum(chance * square - best * best, 1e-9 * variance), chances


def project_weighted(rows: Cells, variance: Cells, total: Cells) -> Cells:
    """Returns each row's nearest point of {x >= 0, sum x = total}, with distances in each entry's
    deviation, so that uncertain entries change most.
    """
    active = np.ones(rows.shape, dtype=bool)
    projected = np.maximum(rows, 0.0)
    for _ in range(rows.shape[1]):
        free = np.where(active, variance, 0.0)
        missing = (total - np.where(active, rows, 0.0).sum(1)) / np.maximum(free.sum(1), 1e-300)
        projected = np.where(active, rows + free * missing[:, None], 0.0)
        if not (projected < 0).any():
            break
        active &= projected >= 0
    projected = np.maximum(projected, 0.0)
    sums = projected.sum(1)
    return projected * np.where(sums > 0, total / np.where(sums > 0, sums, 1.0), 0.0)[:, None]


def _move_towards(cells: Cells, others: Cells, part: Cells) -> Cells:
    """Moves cells by a part of the way towards others; the sum of the cells stays as it was.

    >>> _move_towards(np.array([1.0, 3.0]), np.array([4.0, 4.0]), np.array([0.5, 0.5])).tolist()
    [1.5, 2.5]
    """
    total = float(cells.sum())
    moved = cells + part * (others * (total / max(float(others.sum()), 1e-300)) - cells)
    return np.asarray(moved * (total / max(float(moved.sum()), 1e-300)))


@dataclass(frozen=True)
class CellMeasurements:
    """The last measurement of each cell on the raster.

    `alone` is whether it was measured by itself, `density` its region's noisy total over the number
    of the region's cells, and `weight` how many cells' worth that weighs. A cell measured by itself
    weighs 1 if its noise has this `scale`, the least of all such cells.
    """

    alone: Mask
    density: Cells
    weight: Cells
    scale: float

    @classmethod
    def read(cls, raster: Raster, last: Measurement) -> "CellMeasurements":
        """Reads a measurement, in single precision on large maps."""
        labels = last.partition.labels
        sizes = last.partition.sizes()
        scales = list(map(float, last.pooled_scales))
        single = last.pooled[sizes == 1]
        scale = scales[single.max() if len(single) else last.pooled.min(initial=255)]
        kind = np.dtype(np.float32 if labels.size > LARGE else np.float64)
        worth = ((scale / np.array(scales)) ** 2).astype(kind)
        alone = np.empty(labels.size, dtype=bool)
        density = np.empty(labels.size, dtype=kind)
        weight = np.empty(labels.size, dtype=kind)
        for region, alone_strip, density_strip, weight_strip in zip(
            *map(strips, (labels.ravel(), alone, density, weight)), strict=True
        ):
            size = sizes[region]
            known = region >= 0
            alone_strip[:] = known & (size == 1)
            density_strip[:] = np.where(known, last.noisy_totals(region) / np.maximum(size, 1), 0.0)
            weight_strip[:] = np.where(known, size * worth[last.pooled[region]], 1.0)
        return cls(
            raster.from_grid(alone.reshape(labels.shape), 0),
            raster.from_grid(density.reshape(labels.shape), 0),
            raster.from_grid(weight.reshape(labels.shape), 1),
            scale,
        )

    def sparseness(self, inside: Mask) -> float:
        """Returns the chance that four cells measured alone are all empty, at least a half.

        Noise makes half of the empty ones negative, so twice the negative share estimates the empty
        share.
        """
        alone = self.alone & inside
        negative = int(np.count_nonzero(alone & (self.density < 0)))
        empty = min(1.0, 2 * negative / max(1, int(np.count_nonzero(alone))))
        return max(0.5, empty**4)


class TreeEstimate(BoundedEstimate):
    """Estimates a hierarchy of measurements as the mean of two estimates, which err in different
    places.

    The first holds blocks to totals from least squares and a prior, unbiased where much land is
    nearly empty, and fills them for the largest expected overlap, each cell judged by its
    surroundings. The second smooths the last measurement and corrects the sums by the earlier ones,
    and so keeps isolated heavy cells apart from the empty land about them.
    """

    def __init__(
        self,
        grid: Grid,
        measurements: tuple[Measurement, ...],
        raster: Raster,
        readings: list[RasterMeasurement],
        priors: Sequence[Cells] = (),
        beside: Sequence[RasterMeasurement] = (),
    ) -> None:
        """Takes the `readings` of the measurements, and those `beside` them: other seasons' of the
        same land.
        """
        super().__init__(measurements)
        self._priors = tuple(priors)
        self._grid = grid
        self._raster = raster
        self._readings = [*beside, *readings]
        self._bottom = max((reading.deepest for reading in readings[:-1]), default=0)

    @classmethod
    def fit(
        cls, grid: Grid, measurements: tuple[Measurement, ...], priors: Sequence[Cells] = ()
    ) -> "TreeEstimate | None":
        """Makes the estimate, or returns None if a partition is not made of nodes."""
        raster = Raster(grid)
        readings: list[RasterMeasurement] = []
        for measurement, dropped in zip(
            measurements, superseded_answers(measurements), strict=True
        ):
            reading = RasterMeasurement.from_labels(raster, measurement, dropped)
            if reading is None:
                return None
            readings.append(reading)
        return cls(grid, measurements, raster, readings, priors)

    @read_only_property
    def values(self) -> Cells:
        """The estimated total of each cell, never negative, NaN outside the area."""
        # before the blocks, which let go of the last answers
        guided, trusted = self._guided_cells()
        inside = self._raster.inside
        blocks = self._blocks()
        measured = CellMeasurements.read(self._raster, self._measurements[-1])
        smoothing_input = (
            measured.density,
            measured.weight,
            2 * measured.scale**2,
            inside,
            measured.sparseness(inside),
        )
        if inside.size > LARGE:
            cells = smooth_tiles(*smoothing_input)
            del measured, smoothing_input
            cells += np.float32(NOTHING)
            cells[~inside] = 0
            cells = blocks.scale(cells)
        else:
            shape, spread = smooth(*smoothing_input)
            shape = (1 - trusted) * shape + trusted * guided if trusted else shape
            scales = measured.scale / np.sqrt(np.where(measured.alone, measured.weight, 1.0))
            cells = maximize_overlap(
                measured.density, scales, measured.alone & inside, inside, blocks, shape
            )
            smoothed = self._correct_sums(shape, DOUBT * spread, float(cells.sum()), measured.scale)
            cells = (1 - SMOOTHED) * cells + SMOOTHED * smoothed
            if trusted:
                cells = _move_towards(
                    cells, guided, np.where(measured.alone, 0.0, GUIDED * trusted**2)
                )
            cells = self._raise_zeros(cells, measured)
        return np.where(self._grid.inside, self._raster.to_grid(cells), np.nan)

    def _raise_zeros(self, cells: Cells, measured: CellMeasurements) -> Cells:
        """Raises cells to at least what FLOOR allows, keeping the totals of the coarse
        measurements' blocks.
        """
        from scipy.ndimage import gaussian_filter

        raster = self._raster
        bottom = self._bottom
        near = gaussian_filter(cells, REACH, mode="reflect", truncate=6)
        least = np.where(
            raster.inside, np.minimum(FLOOR * measured.scale / measured.weight, NEAR * near), 0.0
        )
        floored = np.maximum(cells, least)
        before, after = (raster.pyramid(part, bottom)[bottom] for part in (cells, floored))
        factor = np.where(after > 0, before / np.where(after > 0, after, 1.0), 0.0)
        for level in range(bottom + 1, raster.depth + 1):
            factor = raster.spread(factor, level)
        return floored * factor

    @cached_property
    def _guide(self) -> Guide | None:
        """What public priors say, if there are any."""
        if not self._priors:
            return None
        return Guide(self._raster, self._priors)

    def _guided_cells(self) -> tuple[Cells, float]:
        """Returns the cells estimated from public priors and all answers, and how far the answers
        trust the priors.
        """
        if self._guide is None or self._raster.inside.size > LARGE:
            return np.zeros(0), 0.0
        beliefs = gather(self._raster, self._readings, self._raster.depth)
        node_totals, trusted = self._guide.totals(beliefs)
        return node_totals[-1], trusted

    def _blocks(self) -> Blocks:
        """Returns the coarse regions of the last two measurements, the smaller where they
        overlap, with totals from the tree.
        """
        raster = self._raster
        bottom = self._bottom
        beliefs = gather(raster, self._readings, bottom)
        node_totals = (
            totals(raster, beliefs) if self._guide is None else self._guide.totals(beliefs)[0]
        )
        self._readings[-1] = self._readings[-1].truncate(bottom)
        labels = np.full((1, 1), -1, dtype=np.int32)
        live = np.ones((1, 1), dtype=bool)
        block_totals: list[Cells] = []
        for level in range(raster.depth + 1):
            if level:
                labels = raster.spread(labels, level)
            if level > bottom:
                continue
            stop = np.zeros(raster.shapes[level], dtype=bool)
            for reading in self._readings[-2:]:
                stop.flat[reading.nodes[level]] = True
            stop = live & (stop | (level == bottom))
            labels[stop] = sum(map(len, block_totals)) + np.arange(int(stop.sum()))
            block_totals.append(node_totals[level][stop])
            live = raster.spread(live & ~stop, level + 1) if level < bottom else live
        return Blocks(labels, np.concatenate(block_totals))

    def _correct_sums(self, shape: Cells, variance: Cells, total: float, scale: float) -> Cells:
        """Corrects the smoothed sums level by level by the earlier measurements (a Kalman filter on
        the tree).

        All is then scaled to the total of the first estimate, which does not depend on the
        smoothing.
        """
        raster = self._raster
        least = 1e-9 * scale**2
        means = raster.pyramid(shape, 0)
        spreads = raster.pyramid(np.where(raster.inside, variance + least, 1e-6 * least), 0)
        for level in range(raster.depth, -1, -1):
            if level < raster.depth:
                means[level] = raster.pool(means[level + 1], level + 1)
                spreads[level] = raster.pool(spreads[level + 1], level + 1)
            for reading in self._readings[:-1]:
                at = reading.nodes[level]
                spread = spreads[level].flat[at]
                gain = spread / (spread + 2 * reading.scales[level] ** 2)
                means[level].flat[at] += gain * (reading.totals[level] - means[level].flat[at])
                spreads[level].flat[at] = spread * (1 - gain)
        corrected = np.maximum(means[0], 0.0)
        for level in range(1, raster.depth + 1):
            rows = raster.families(means[level], level)
            spread = raster.families(spreads[level], level)
            corrected = raster.unfamilies(project_weighted(rows, spread, corrected.ravel()), level)
        corrected = np.where(raster.inside, corrected, 0.0)
        return corrected * (total / max(float(corrected.sum()), 1e-300))
