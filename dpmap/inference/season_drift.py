"""Tells how far seasons lie apart beyond what noise and chance explain, and where the survey's
shape jumped.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpmap.inference.combine import Beliefs, gather
from dpmap.inference.estimate import Cells
from dpmap.inference.raster import Raster, RasterMeasurement
from dpmap.record import Measurement
from dpmap.record.unpool import apart, superseded

DRIFTS = np.array([0.0, 0.1, 0.2, 0.35, 0.6, 1.0, 2.0, 4.0])
"""How far a place may be from what the other seasons make of it, as parts of it."""
JUMP, SURE = 0.5, 0.95
"""So large a drift is a jump, after which other seasons are no help; seasons are split where a
jump is this sure.
"""
TAILS, LEVELS = 4.0, 2.0
"""Single places may differ far more: Student's t with so many degrees of freedom. All levels
together tell as much as so many.
"""
FEW = 4
"""Levels on which fewer places are known tell nothing."""
UNKNOWN = 1e9
"""The variance of a place of which nothing was measured."""


@dataclass(frozen=True, eq=False)
class Beheld:
    """Holds what one season tells on the raster: its estimated cells, what was `asked`, its
    answers, and what these make of each node.

    `noise` is the variance of a region's answer and `mean` what a region holds, both on the
    average.
    """

    cells: Cells
    asked: tuple[Measurement, ...]
    readings: list[RasterMeasurement]
    beliefs: Beliefs
    noise: float
    mean: float

    @classmethod
    def read(
        cls, raster: Raster, season: tuple[Measurement, ...], values: Cells
    ) -> "Beheld | None":
        """Reads a season, or returns None if a partition of it is not made of nodes."""
        readings: list[RasterMeasurement] = []
        for measurement, dropped in zip(season, superseded(season), strict=True):
            found = RasterMeasurement.of_labels(raster, measurement, dropped)
            if found is None:
                return None
            readings.append(found if measurement.kind == "laplace" else _as_noisy(found))
        last = apart(season)
        noise, mean = (
            float((last.deviations**2).mean()),
            float(np.nansum(values)) / last.partition.regions,
        )
        cells = np.where(raster.inside, raster.laid(np.nan_to_num(values), 0.0), 0.0)
        return cls(cells, season, readings, gather(raster, readings, raster.depth), noise, mean)


def _as_noisy(reading: RasterMeasurement) -> RasterMeasurement:
    """Returns a reading of normal noise as one of Laplace noise with the same variance: 2 b^2 =
    sigma^2.
    """
    return RasterMeasurement(
        reading.nodes,
        reading.totals,
        [level / math.sqrt(2) for level in reading.scales],
        reading.deepest,
    )


def runs(raster: Raster, seasons: list[Beheld]) -> list[list[Beheld]]:
    """Splits seasons, in their order, where the shape jumped for sure, the surest jump first:
    into earlier and later ones, or one odd one and the rest.
    """
    if len(seasons) < 2:
        return [seasons]
    pool = raster.pyramid(np.mean([one.cells for one in seasons], axis=0), 0)
    ways = [(seasons[:at], seasons[at:]) for at in range(1, len(seasons))]
    ways += [([seasons[at]], seasons[:at] + seasons[at + 1 :]) for at in range(1, len(seasons) - 1)]
    jumps = [drift(raster, *way, pool)[DRIFTS >= JUMP].sum() for way in ways]
    if max(jumps) < SURE:
        return [seasons]
    some, others = ways[int(np.argmax(jumps))]
    return [*runs(raster, some), *runs(raster, others)]


def drift(
    raster: Raster, some: Sequence[Beheld], others: Sequence[Beheld], expected: list[Cells]
) -> Cells:
    """Returns how likely each of `DRIFTS` lies between two groups of seasons; `expected` is what
    each node holds in one season.

    A node's two answers differ by noise, by chance (each season is a draw: as many as expected,
    give or take its root), and by the drift. The levels of a hierarchy tell of the same answers
    again, so their likelihoods are averaged.
    """
    one, other = _joined(some), _joined(others)
    draws = 1 / len(some) + 1 / len(others)
    fits, levels = np.zeros(len(DRIFTS)), 0
    for level in range(1, raster.depth + 1):
        known = (one.precision[level] > 0) & (other.precision[level] > 0) & (raster.area[level] > 0)
        if np.count_nonzero(known) < FEW:
            continue
        holds = expected[level][known]
        noise = 1 / one.precision[level][known] + 1 / other.precision[level][known]
        square = (one.mean[level][known] - other.mean[level][known]) ** 2
        for at, far in enumerate(DRIFTS):
            spread = noise + (holds + (far * holds) ** 2) * draws
            fits[at] -= (
                np.log(spread) / 2 + (TAILS + 1) / 2 * np.log1p(square / spread / TAILS)
            ).sum()
        levels += 1
    likely = np.exp((fits - fits.max()) * LEVELS / max(levels, 1))
    return np.asarray(likely / likely.sum())


def _joined(seasons: Sequence[Beheld]) -> Beliefs:
    """Returns the mean of what several seasons make of each node, by their precisions."""
    if len(seasons) == 1:
        return seasons[0].beliefs
    found = Beliefs([], [], [])
    for level in range(len(seasons[0].beliefs.mean)):
        precision = np.sum([one.beliefs.precision[level] for one in seasons], axis=0)
        weighed = np.sum(
            [one.beliefs.mean[level] * one.beliefs.precision[level] for one in seasons], axis=0
        )
        found.mean.append(weighed / np.where(precision > 0, precision, 1.0))
        found.precision.append(precision)
    return found


def variances(raster: Raster, readings: Sequence[RasterMeasurement]) -> list[Cells]:
    """Returns the variance of the noise of each node's total by least squares from all regions
    inside it, level by level.
    """
    precision = [np.zeros(shape) for shape in raster.shapes]
    for reading in readings:
        for level, nodes in enumerate(reading.nodes):
            precision[level].flat[nodes] += 1 / (2 * np.asarray(reading.scales[level]) ** 2)
    for level in range(raster.depth, 0, -1):
        known, area = precision[level], raster.area[level]
        unknown = raster.pool(((known == 0) & (area > 0)).astype(np.int32), level) > 0
        below = raster.pool(np.where(known > 0, 1 / np.where(known > 0, known, 1.0), 0.0), level)
        precision[level - 1] += np.where(
            unknown | (below == 0), 0.0, 1 / np.where(below > 0, below, 1.0)
        )
    return [
        np.where(level > 0, 1 / np.where(level > 0, level, 1.0), UNKNOWN) for level in precision
    ]
