"""Combines several measurements of the nodes of a raster by least squares, after the smallest
nodes are shrink.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpmap.grid.partition import strips
from dpmap.inference.estimate import Cells, Mask
from dpmap.inference.raster import Nodes, Raster, RasterMeasurement

ROUNDS = 10
"""Rounds of expectation maximisation for a prior learned from many nodes; more change nothing
visible.
"""
CLEAR = 6.0
ENOUGH = 8
"""A total CLEAR deviations above 0 needs no prior; from fewer than ENOUGH totals none is
learned.
"""
ALIKE = 2.0
"""How many times the other blocks' prior counts as a start for the prior of blocks with peaks."""


@dataclass
class Beliefs:
    """Holds for each level the best linear estimate of each node from all regions inside it, and
    its precision.

    Precision 0 marks a node about which nothing is known; `laplace` is the scale of the noise of a
    node known from exactly one region, else 0: its noise is then not near normal.
    """

    mean: list[Cells]
    precision: list[Cells]
    laplace: list[Cells]


def gather(raster: Raster, readings: list[RasterMeasurement], bottom: int) -> Beliefs:
    """Fits least squares upwards from level `bottom`; parents add up the smallest known nodes after
    these are shrink.

    What noise made high was split for it, and then weighs more than what noise made low: plain
    least squares adds up to too much, by a tenth on even land. Posterior means do not: how a
    question came about is no part of its answer.
    """
    surest = 1e6 / min(
        2 * float(scale.min()) ** 2
        for reading in readings
        for scale in reading.scales
        if len(scale)
    )
    measured = [_measure_level(raster, readings, level, bottom) for level in range(bottom + 1)]
    peaks = Peaks.find(raster, readings, bottom)
    measured[bottom] = peaks.remove_from(measured[bottom])
    smallest = _find_smallest_known(raster, measured)
    mean, precision = (
        np.concatenate([level[k].flat[at] for level, at in zip(measured, smallest, strict=True)])
        for k in (0, 1)
    )
    cuts = np.cumsum([len(at) for at in smallest])[:-1]
    spiky = np.zeros(len(mean), dtype=bool)
    first_of_bottom = len(mean) - len(smallest[bottom])
    spiky[first_of_bottom + np.searchsorted(smallest[bottom], peaks.blocks)] = True
    mean, precision = shrink(mean, precision, spiky)
    mean[spiky], precision[spiky] = peaks.add_to(mean[spiky], precision[spiky])
    measured[bottom][0].flat[peaks.blocks] = mean[spiky]
    measured[bottom][1].flat[peaks.blocks] = precision[spiky]
    means = np.split(mean, cuts)
    precisions = np.split(precision, cuts)
    beliefs = Beliefs([], [], [])
    below: tuple[Cells, Cells] | None = None
    for level in range(bottom, -1, -1):
        mean, precision, laplace = measured[level]
        if below is not None:
            laplace = np.where(below[1] > 0, 0.0, laplace)
            weighted = mean * precision + below[0] * below[1]
            precision = precision + below[1]
            mean = weighted / np.where(precision > 0, precision, 1.0)
        precision = np.where(raster.area[level] > 0, precision, surest)
        beliefs.mean.insert(0, mean)
        beliefs.precision.insert(0, precision)
        beliefs.laplace.insert(0, laplace)
        if level:
            mean = mean.copy()
            precision = precision.copy()
            mean.flat[smallest[level]] = means[level]
            precision.flat[smallest[level]] = precisions[level]
            below = _sum_children(raster, mean, precision, level)
    return beliefs


def _measure_level(
    raster: Raster, readings: list[RasterMeasurement], level: int, bottom: int
) -> tuple[Cells, Cells, Cells]:
    """Returns mean, precision and Laplace scale of each node from its own regions, or at the
    bottom from those inside it.
    """
    weighted, precision, number, laplace = (np.zeros(raster.shapes[level]) for _ in range(4))
    for reading in readings:
        at, sums, variance, regions = (
            _sum_regions_inside(raster, reading, bottom)
            if level == bottom
            else _region_nodes(reading, level)
        )
        weighted.flat[at] += sums / variance
        precision.flat[at] += 1 / variance
        number.flat[at] += regions
        laplace.flat[at] = np.sqrt(variance / 2)
    return (
        weighted / np.where(precision > 0, precision, 1.0),
        precision,
        np.where(number == 1, laplace, 0.0),
    )


def _region_nodes(
    reading: RasterMeasurement, level: int
) -> tuple[NDArray[np.integer], Cells, Cells, Cells]:
    """Returns the nodes of a level that are regions, with their totals, variances and that each
    is one.
    """
    nodes = reading.nodes[level]
    return nodes, reading.totals[level], 2 * reading.scales[level] ** 2, np.ones(len(nodes))


def _sum_regions_inside(
    raster: Raster, reading: RasterMeasurement, bottom: int
) -> tuple[NDArray[np.integer], Cells, Cells, Cells]:
    """Returns the nodes of level `bottom` that have regions inside, with the sums, variances and
    numbers of these.
    """
    high, wide = raster.shapes[bottom]
    sums, variances, regions = (np.zeros(high * wide) for _ in range(3))
    for level in range(bottom, raster.depth + 1):
        added = np.zeros((3, high * wide))
        parts = (
            strips(part)
            for part in (reading.nodes[level], reading.totals[level], reading.scales[level])
        )
        for nodes, totals, scales in zip(*parts, strict=True):
            above = _find_ancestors(raster, nodes, level, bottom)
            for added_part, values in zip(added, (totals, 2 * scales**2, 1.0), strict=True):
                np.add.at(added_part, above, values)
        sums += added[0]
        variances += added[1]
        regions += added[2]
    at = np.flatnonzero(regions)
    return at, sums[at], variances[at], regions[at]


def _find_ancestors(raster: Raster, nodes: Nodes, level: int, bottom: int) -> NDArray[np.intp]:
    """Returns the node of level `bottom` that each node of a finer level lies in."""
    (high, wide), (rows, columns) = raster.shapes[bottom], raster.shapes[level]
    row, column = np.divmod(nodes, np.int32(columns))
    return (
        row // np.int32(rows // high) * np.int32(wide) + column // np.int32(columns // wide)
    ).astype(np.intp)


def _find_smallest_known(
    raster: Raster, measured_levels: list[tuple[Cells, Cells, Cells]]
) -> list[NDArray[np.intp]]:
    """Returns at each level the nodes that are known as a whole but not in all their parts."""
    smallest: list[NDArray[np.intp]] = []
    known = np.zeros(raster.shapes[len(measured_levels) - 1], dtype=bool)
    for level in range(len(measured_levels) - 1, -1, -1):
        measured = measured_levels[level][1] > 0
        inner = known
        if level < len(measured_levels) - 1:
            inner = raster.pool((~known).astype(np.int32), level + 1) == 0
        smallest.insert(0, np.flatnonzero(measured & ~inner))
        known = measured | inner | (raster.area[level] == 0)
    return smallest


@dataclass(frozen=True)
class Peaks:
    """Blocks with cells so far above the noise that it would hardly lift one of the map's as high.

    `held` is the noisy total of these cells in each block, with `variance`; `whole` the noisy total
    of the block measured as a whole, with `precision`. The rest of a block is judged by itself:
    where it is next to nothing, the cells' answers estimate the block's total better than that of
    the whole.
    """

    blocks: NDArray[np.intp]
    held: Cells
    variance: Cells
    whole: Cells
    precision: Cells

    @classmethod
    def find(cls, raster: Raster, readings: list[RasterMeasurement], bottom: int) -> "Peaks":
        """Finds the peaks of the last measurement in blocks that are nodes of level `bottom`; none
        if there are fewer than ENOUGH blocks.
        """
        last = readings[-1]
        cell = raster.depth
        bar = 1 + math.log(max(len(last.nodes[cell]), 1)) if bottom < cell else math.inf
        number, held, variance = np.zeros((3, raster.area[bottom].size))
        parts = strips(last.nodes[cell]), strips(last.totals[cell]), strips(last.scales[cell])
        for cells, totals, scales in zip(*parts, strict=True):
            high = np.flatnonzero(totals > bar * scales)
            above = _find_ancestors(raster, cells[high], cell, bottom)
            np.add.at(number, above, 1.0)
            np.add.at(held, above, totals[high])
            np.add.at(variance, above, 2 * scales[high] ** 2)
        blocks = np.flatnonzero(number)
        blocks = blocks if len(blocks) >= ENOUGH else blocks[:0]
        whole, precision, _ = _measure_level(raster, readings, bottom, cell + 1)
        return cls(
            blocks, held[blocks], variance[blocks], whole.flat[blocks], precision.flat[blocks]
        )

    def remove_from(self, known: tuple[Cells, Cells, Cells]) -> tuple[Cells, Cells, Cells]:
        """Returns mean, precision and Laplace scale of all blocks without their peaks, from those
        `known` with them.
        """
        mean, precision, laplace = (part.copy() for part in known)
        inner = precision.flat[self.blocks] - self.precision
        rest = (
            mean.flat[self.blocks] * precision.flat[self.blocks] - self.whole * self.precision
        ) / inner - self.held
        certain = 1 / np.maximum(1 / inner - self.variance, 1e-6 * self.variance)
        by_whole = self.precision / (1 + self.precision * self.variance)
        mean.flat[self.blocks] = (rest * certain + (self.whole - self.held) * by_whole) / (
            certain + by_whole
        )
        precision.flat[self.blocks] = certain + by_whole
        laplace.flat[self.blocks] = 0.0
        return mean, precision, laplace

    def add_to(self, rest: Cells, precision: Cells) -> tuple[Cells, Cells]:
        """Returns mean and precision of the blocks' totals, from those of the rest without
        peaks.
        """
        certain = 1 / self.variance + self.precision
        held = (self.held / self.variance + (self.whole - rest) * self.precision) / certain
        return held + rest, 1 / (1 / certain + 1 / (certain * self.variance) ** 2 / precision)


def shrink(mean: Cells, precision: Cells, spiky: Mask | None = None) -> tuple[Cells, Cells]:
    """Returns posterior means and precisions under one prior of any form, learned from all nodes
    (Kiefer and Wolfowitz 1956).

    Those far above their noise stay as they are. Nodes that had peaks have a prior of their own,
    which starts from the others'.
    """
    deviation = 1 / np.sqrt(np.maximum(precision, 1e-300))
    near = mean < CLEAR * deviation
    if near.sum() < ENOUGH:
        return mean.copy(), precision.copy()
    unit = float(np.median(deviation[near]))
    atoms = [0.0, unit / 5]
    while atoms[-1] < (CLEAR + 2) * deviation[near].max():
        atoms.append(max(atoms[-1] + min(atoms[-1] / 4, unit / 2), 1.1 * atoms[-1]))
    values = np.array(atoms)
    start = np.append(1.0, np.full(len(values) - 1, 1 / (len(values) - 1)))
    posterior_mean = mean.copy()
    posterior_precision = precision.copy()
    for group in (near,) if spiky is None else (near & ~spiky, near & spiky):
        distance = (mean[group, None] - values) / deviation[group, None]
        likelihood = np.exp((distance**2).min(1, keepdims=True) / 2 - distance**2 / 2)
        prior = start / start.sum()
        for _ in range(2 * ROUNDS):
            chance = prior * likelihood
            chance /= chance.sum(1, keepdims=True)
            prior = (chance.sum(0) + start) / (len(chance) + start.sum())
        posterior_mean[group] = chance @ values
        variance = chance @ values**2 - posterior_mean[group] ** 2
        posterior_precision[group] = precision[group] / np.maximum(
            variance * precision[group], 1e-3
        )
        start = ALIKE * prior
    return posterior_mean, posterior_precision


def _sum_children(raster: Raster, mean: Cells, precision: Cells, level: int) -> tuple[Cells, Cells]:
    """Returns the parents' sums and precisions, where all children are known."""
    unknown = raster.pool((precision == 0).astype(np.float64), level) > 0
    variance = raster.pool(1 / np.where(precision > 0, precision, 1.0), level)
    return raster.pool(mean, level), np.where(unknown, 0.0, 1 / variance)
