"""Estimates how far seasons lie apart beyond noise and chance, and where the survey's shape
jumped.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpmap.inference.combine import Beliefs, gather
from dpmap.inference.estimate import Cells
from dpmap.inference.raster import Raster, RasterMeasurement
from dpmap.record import Measurement
from dpmap.record.unpool import superseded_answers, unpool

DRIFTS = np.array([0.0, 0.1, 0.2, 0.35, 0.6, 1.0, 2.0, 4.0])
"""How far a place may be from what the other seasons make of it, as parts of it."""
JUMP = 0.5
SURE = 0.95
"""So large a drift is a jump, after which other seasons are no help; seasons are split where a
jump is this sure.
"""
TAILS = 4.0
LEVELS = 2.0
"""Single places may differ far more: Student's t with so many degrees of freedom. All levels
together tell as much as so many.
"""
FEW = 4
"""Levels on which fewer places are known tell nothing."""
UNKNOWN = 1e9
"""The variance of a place of which nothing was measured."""


@dataclass(frozen=True, eq=False)
class SeasonReading:
    """One season on the raster: its estimated cells, its measurements, their readings, and the
    estimate of each node by least squares.

    `noise` is the average variance of a region's answer and `mean` the average total of a region.
    """

    cells: Cells
    measurements: tuple[Measurement, ...]
    readings: list[RasterMeasurement]
    beliefs: Beliefs
    noise: float
    mean: float

    @classmethod
    def read(
        cls, raster: Raster, season: tuple[Measurement, ...], values: Cells
    ) -> "SeasonReading | None":
        """Reads a season, or returns None if a partition of it is not made of nodes."""
        readings: list[RasterMeasurement] = []
        for measurement, dropped in zip(season, superseded_answers(season), strict=True):
            reading = RasterMeasurement.from_labels(raster, measurement, dropped)
            if reading is None:
                return None
            readings.append(reading if measurement.kind == "laplace" else _as_laplace(reading))
        last = unpool(season)
        noise = float((last.deviations**2).mean())
        mean = float(np.nansum(values)) / last.partition.regions
        cells = np.where(raster.inside, raster.from_grid(np.nan_to_num(values), 0.0), 0.0)
        return cls(cells, season, readings, gather(raster, readings, raster.depth), noise, mean)


def _as_laplace(reading: RasterMeasurement) -> RasterMeasurement:
    """Returns a reading of normal noise as one of Laplace noise with the same variance: 2 b^2 =
    sigma^2.
    """
    return RasterMeasurement(
        reading.nodes,
        reading.totals,
        [level / math.sqrt(2) for level in reading.scales],
        reading.deepest,
    )


def split_at_jumps(raster: Raster, seasons: list[SeasonReading]) -> list[list[SeasonReading]]:
    """Splits seasons, in their order, where the shape jumped for sure, the surest jump first.

    A split is into earlier and later seasons, or into one odd season and the rest.
    """
    if len(seasons) < 2:
        return [seasons]
    pool = raster.pyramid(np.mean([season.cells for season in seasons], axis=0), 0)
    splits = [(seasons[:at], seasons[at:]) for at in range(1, len(seasons))]
    splits += [
        ([seasons[at]], seasons[:at] + seasons[at + 1 :]) for at in range(1, len(seasons) - 1)
    ]
    jumps = [drift_likelihoods(raster, *split, pool)[DRIFTS >= JUMP].sum() for split in splits]
    if max(jumps) < SURE:
        return [seasons]
    first_part, second_part = splits[int(np.argmax(jumps))]
    return [*split_at_jumps(raster, first_part), *split_at_jumps(raster, second_part)]


def drift_likelihoods(
    raster: Raster,
    first_group: Sequence[SeasonReading],
    second_group: Sequence[SeasonReading],
    expected: list[Cells],
) -> Cells:
    """Returns the probability of each of `DRIFTS` between two groups of seasons; `expected` is the
    total of each node in one season.

    A node's two answers differ by noise, by chance (each season is a draw: as many as expected,
    give or take its root), and by the drift. The levels of a hierarchy repeat the same
    answers, so their likelihoods are averaged.
    """
    first = _average_beliefs(first_group)
    second = _average_beliefs(second_group)
    draws = 1 / len(first_group) + 1 / len(second_group)
    fits = np.zeros(len(DRIFTS))
    levels = 0
    for level in range(1, raster.depth + 1):
        known = (
            (first.precision[level] > 0) & (second.precision[level] > 0) & (raster.area[level] > 0)
        )
        if np.count_nonzero(known) < FEW:
            continue
        expected_totals = expected[level][known]
        noise = 1 / first.precision[level][known] + 1 / second.precision[level][known]
        square = (first.mean[level][known] - second.mean[level][known]) ** 2
        for at, drift in enumerate(DRIFTS):
            spread = noise + (expected_totals + (drift * expected_totals) ** 2) * draws
            fits[at] -= (
                np.log(spread) / 2 + (TAILS + 1) / 2 * np.log1p(square / spread / TAILS)
            ).sum()
        levels += 1
    likelihoods = np.exp((fits - fits.max()) * LEVELS / max(levels, 1))
    return np.asarray(likelihoods / likelihoods.sum())


def _average_beliefs(seasons: Sequence[SeasonReading]) -> Beliefs:
    """Returns the mean of what several seasons make of each node, by their precisions."""
    if len(seasons) == 1:
        return seasons[0].beliefs
    averaged = Beliefs([], [], [])
    for level in range(len(seasons[0].beliefs.mean)):
        precision = np.sum([season.beliefs.precision[level] for season in seasons], axis=0)
        weighted = np.sum(
            [season.beliefs.mean[level] * season.beliefs.precision[level] for season in seasons],
            axis=0,
        )
        averaged.mean.append(weighted / np.where(precision > 0, precision, 1.0))
        averaged.precision.append(precision)
    return averaged


def node_variances(raster: Raster, readings: Sequence[RasterMeasurement]) -> list[Cells]:
    """Returns the variance of the noise of each node's total by least squares from all regions
    inside it, level by level.
    """
    precision = [np.zeros(shape) for shape in raster.shapes]
    for reading in readings:
        for level, nodes in enumerate(reading.nodes):
            precision[level].flat[nodes] += 1 / (2 * np.asarray(reading.scales[level]) ** 2)
    for level in range(raster.depth, 0, -1):
        known = precision[level]
        area = raster.area[level]
        unknown = raster.pool(((known == 0) & (area > 0)).astype(np.int32), level) > 0
        below = raster.pool(np.where(known > 0, 1 / np.where(known > 0, known, 1.0), 0.0), level)
        precision[level - 1] += np.where(
            unknown | (below == 0), 0.0, 1 / np.where(below > 0, below, 1.0)
        )
    return [
        np.where(level > 0, 1 / np.where(level > 0, level, 1.0), UNKNOWN) for level in precision
    ]
