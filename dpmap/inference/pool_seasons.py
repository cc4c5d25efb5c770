"""Estimates each season of a survey with the help of the others, as far as the noisy answers agree
with them.

Seasons are split where the survey's shape jumped; the seasons between two jumps help one
another, the more the less a season differs from the others beyond noise and chance. Only released
answers are read, so this costs no privacy.
"""

from collections.abc import Sequence

import numpy as np

from dpmap.grid import Grid
from dpmap.inference.combine import gather
from dpmap.inference.estimate import Cells, Estimate, Mask, Regions
from dpmap.inference.prior_weights import Guide
from dpmap.inference.raster import Raster, RasterMeasurement
from dpmap.inference.season_drift import (
    DRIFTS,
    JUMP,
    SeasonReading,
    drift_likelihoods,
    node_variances,
    split_at_jumps,
)
from dpmap.inference.tree_estimate import LARGE, TreeEstimate
from dpmap.read_only_arrays import read_only
from dpmap.record import Measurement

SAME = 2.0
"""Totals that differ by this many deviations are as likely taken for one as for two."""
NEAREST = 11
"""A season is estimated with at most so many others: more take long and add little."""
SLIGHT = 0.01
"""A drift that is less likely than this is left out."""


class PooledEstimate:
    """A season's own estimate with better cells; its bounds are those of its own measurements,
    widened to the cells.

    `run` are the places in the row of the seasons that it was read with, its own among them.
    """

    def __init__(self, season_estimate: Estimate, values: Cells, run: tuple[int, ...]) -> None:
        self._season_estimate = season_estimate
        self.values = read_only(values)
        self.run = run

    def interval(self, level: float) -> tuple[Cells, Cells]:
        """Returns bounds for each cell that hold its total with probability at least `level`,
        whatever other seasons say.
        """
        low, high = self._season_estimate.interval(level)
        return np.minimum(low, self.values), np.maximum(high, self.values)

    def zone(self, within: Mask, touched: Mask, level: float) -> tuple[float, float, float]:
        """Returns estimate, low and high of the total of a zone; the bounds are the season's
        own.
        """
        _, low, high = self._season_estimate.zone(within, touched, level)
        values = np.nan_to_num(self.values)
        estimate = float(values[within].sum() + values[touched & ~within].sum() / 2)
        return min(max(estimate, low), high), low, high

    @property
    def regions(self) -> Regions:
        """The region of the season's last measurement that each cell lies in."""
        return self._season_estimate.regions

    def p_values(self, threshold: float = 0.0) -> Cells:
        """Returns the chance that the season's own noise alone makes a cell, or its region, look
        this high.
        """
        return self._season_estimate.p_values(threshold)


def pool_estimates(
    grid: Grid, seasons: Sequence[tuple[Measurement, ...]], alone: Sequence[Estimate]
) -> list[Estimate]:
    """Returns each season's estimate, given all others; `alone` are their estimates without these.

    A season whose regions are no nodes of the raster is left as it is.
    """
    raster = Raster(grid)
    estimates = list(alone)
    if len(estimates) < 2:
        return estimates
    readings = [
        SeasonReading.read(raster, season, estimate.values)
        for season, estimate in zip(seasons, alone, strict=True)
    ]
    for run in split_at_jumps(raster, [reading for reading in readings if reading is not None]):
        places = tuple(
            next(at for at, other in enumerate(readings) if other is season) for season in run
        )
        if len(run) > 1:
            for at, cells in zip(places, _pool_run(raster, grid, run), strict=True):
                estimates[at] = PooledEstimate(
                    alone[at], np.where(grid.inside, raster.to_grid(cells), np.nan), places
                )
    return estimates


def _pool_run(raster: Raster, grid: Grid, run: list[SeasonReading]) -> list[Cells]:
    """Returns the cells of each season of a run, on the raster: nearer to the whole run's shape,
    the less the season drifts from it.
    """
    size, same_size = _sizes(run)
    part = _season_weights(run)
    whole = raster.pyramid(_pool_shape(raster, grid, run, size, part), 0)
    certain = [[1 / level for level in node_variances(raster, season.readings)] for season in run]
    sums = [np.sum(levels, axis=0) for levels in zip(*certain, strict=True)]
    cells = []
    for at, season in enumerate(run):
        others = [other for other in run if other is not season]
        expected = [level * size[at] for level in whole]
        known = [
            (precision, total - precision)
            for precision, total in zip(certain[at], sums, strict=True)
        ]
        chances = drift_likelihoods(raster, [season], others, expected)
        cells.append(
            _mix_drifts(
                raster,
                season,
                expected,
                known,
                chances,
                (len(others), float(part[at]), float(same_size[at])),
            )
        )
    return cells


def _mix_drifts(
    raster: Raster,
    season: SeasonReading,
    expected: list[Cells],
    known: list[tuple[Cells, Cells]],
    chances: Cells,
    others: tuple[int, float, float],
) -> Cells:
    """Mixes a season's cells with those of its run, for each likely drift by its probability; after
    a jump the season's cells stand alone.

    `known` is the precision of the season's own answers and of the others'; `others` are their
    number, the season's part of the run, and the probability that its total is theirs.
    """
    other_count, run_part, same_size = others
    season_totals = raster.pyramid(season.cells, 0)
    cells = np.zeros(raster.shapes[-1])
    likelihoods = np.where(chances > SLIGHT, chances, 0.0)
    for chance, drift in zip(likelihoods / likelihoods.sum(), DRIFTS, strict=True):
        if not chance:
            continue
        if drift >= JUMP:
            cells += chance * season.cells
            continue
        weights = [
            _season_weight(*precisions, level + (drift * level) ** 2, other_count, run_part)
            for precisions, level in zip(known, expected, strict=True)
        ]
        # what others make of the total came from this season's own
        weights[0] = 1 - (1 - weights[0]) * same_size
        cells += chance * _blend_maps(raster, season_totals, expected, weights)
    return cells


def _season_weight(
    precision: Cells, others_precision: Cells, distance: Cells, other_count: int, run_part: float
) -> Cells:
    """Returns the weight of a season's answers against the whole run's, of which it has the part
    `run_part` already.

    The best linear mean of two unbiased answers weighs them by their precision. That of the others
    follows from the precision of their noise and from the squared distance of seasons: each season
    is a draw of its own.
    """
    shape_precision = 1 / (1 / others_precision + distance * (1 + 1 / other_count))
    weight = precision / (precision + shape_precision)
    return np.clip((weight - run_part) / (1 - run_part), 0.0, 1.0)


def _blend_maps(
    raster: Raster, season: list[Cells], pooled: list[Cells], weights: list[Cells]
) -> Cells:
    """Mixes two maps from the top down: each node's total, then how it is shared out among its
    children.
    """
    blended = weights[0] * season[0] + (1 - weights[0]) * pooled[0]
    for level in range(1, raster.depth + 1):
        season_children, pooled_children, weight = (
            raster.families(part[level], level) for part in (season, pooled, weights)
        )
        shares = weight * _child_shares(season_children) + (1 - weight) * _child_shares(
            pooled_children
        )
        blended = raster.unfamilies(blended.ravel()[:, None] * _child_shares(shares), level)
    return blended


def _child_shares(children: Cells) -> Cells:
    """Returns the children's shares of their sum."""
    return np.asarray(children / np.maximum(children.sum(1, keepdims=True), 1e-300))


def _pool_shape(
    raster: Raster, grid: Grid, run: list[SeasonReading], size: Cells, part: Cells
) -> Cells:
    """Estimates the shape that all seasons of a run share, each scaled to one size.

    It is the mean of two estimates that err in different places: one from all answers, and, with
    twice its weight, the mean of the seasons' estimates, whose coarse totals use the others'
    answers.
    """
    if raster.inside.size > LARGE:
        return _weighted_mean(
            [season.cells / scale for season, scale in zip(run, size, strict=True)], part
        )
    each = [_estimate_beside(raster, grid, run, size, at) / scale for at, scale in enumerate(size)]
    readings = [
        _scale_reading(reading, 1 / float(scale))
        for season, scale in zip(run, size, strict=True)
        for reading in season.readings
    ]
    joint, _ = Guide(raster, ()).totals(gather(raster, readings, raster.depth))
    return np.asarray((2 * _weighted_mean(each, part) + joint[-1]) / 3)


def _estimate_beside(
    raster: Raster, grid: Grid, run: list[SeasonReading], size: Cells, at: int
) -> Cells:
    """Estimates the cells of one season from its own measurements, its coarse totals also from
    those of the nearest other seasons.
    """
    season = run[at]
    if season.measurements[-1].kind != "laplace":
        return season.cells
    near = sorted((k for k in range(len(run)) if k != at), key=lambda k: abs(k - at))[:NEAREST]
    others = [
        _scale_reading(reading, float(size[at] / size[k]))
        for k in near
        for reading in run[k].readings
    ]
    values = TreeEstimate(grid, season.measurements, raster, season.readings, beside=others).values
    return np.where(raster.inside, raster.from_grid(np.nan_to_num(values), 0.0), 0.0)


def _weighted_mean(cells: list[Cells], part: Cells) -> Cells:
    """Returns the weighted mean of maps."""
    return np.asarray(np.tensordot(part, np.stack(cells), 1))


def _scale_reading(reading: RasterMeasurement, size: float) -> RasterMeasurement:
    """Returns a reading of a season so many times as large."""
    totals, scales = ([level * size for level in part] for part in (reading.totals, reading.scales))
    return RasterMeasurement(reading.nodes, totals, scales, reading.deepest)


def _sizes(run: list[SeasonReading]) -> tuple[Cells, Cells]:
    """Returns the size of each season over the run's median, drawn to 1 by the probability that it
    is the same, and this probability.
    """
    totals = np.array([max(float(season.beliefs.mean[0].sum()), 1e-9) for season in run])
    noise = np.array([float((1 / season.beliefs.precision[0]).sum()) for season in run])
    middle = float(np.median(totals))
    off = (totals - middle) ** 2 / (noise + noise.mean() / len(run) + totals + middle / len(run))
    same_size = 1 / (1 + np.exp(np.minimum(off / 2 - SAME, 700)))
    return same_size + (1 - same_size) * totals / middle, same_size


def _season_weights(run: list[SeasonReading]) -> Cells:
    """Returns each season's part of the mean of all: by what its regions' answers are worth,
    noise and chance together.
    """
    worth = np.array([1 / (season.noise + season.mean) for season in run])
    return np.asarray(worth / worth.sum())
