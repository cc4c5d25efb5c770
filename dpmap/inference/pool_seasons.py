"""Reads all seasons of a survey together: each season's map is helped by the others as far as the
noisy answers bear them out.

Seasons are split where the survey's shape jumped; those between two jumps help one another, the
more the less a season lies away from the others beyond what noise and chance explain. Only what was
released is looked at, so this costs no privacy.
"""

from collections.abc import Sequence

import numpy as np

from dpmap.grid import Grid
from dpmap.inference.combine import gather
from dpmap.inference.estimate import Cells, Estimate, Mask, Regions
from dpmap.inference.prior_weights import Guide
from dpmap.inference.raster import Raster, RasterMeasurement
from dpmap.inference.season_drift import DRIFTS, JUMP, Beheld, drift, runs, variances
from dpmap.inference.tree_estimate import LARGE, TreeEstimate
from dpmap.read_only_arrays import read_only
from dpmap.record import Measurement

SAME = 2.0
"""Totals that differ by this many deviations are as likely taken for one as for two."""
NEAREST = 11
"""A season is read beside so many others at most: more take long and tell little more."""
SLIGHT = 0.01
"""A drift that is less likely than this is left out."""


class Stacked:
    """A season's own estimate with better cells; its bounds are those of its own measurements,
    widened to the cells.

    `run` are the places in the row of the seasons that it was read with, its own among them.
    """

    def __init__(self, own: Estimate, values: Cells, run: tuple[int, ...]) -> None:
        self._own, self.values, self.run = own, read_only(values), run

    def interval(self, level: float) -> tuple[Cells, Cells]:
        """Returns bounds for each cell that hold its total with probability at least `level`,
        whatever other seasons say.
        """
        low, high = self._own.interval(level)
        return np.minimum(low, self.values), np.maximum(high, self.values)

    def zone(self, within: Mask, touched: Mask, level: float) -> tuple[float, float, float]:
        """Returns estimate, low and high of the total of a zone; the bounds are the season's
        own.
        """
        _, low, high = self._own.zone(within, touched, level)
        values = np.nan_to_num(self.values)
        estimate = float(values[within].sum() + values[touched & ~within].sum() / 2)
        return min(max(estimate, low), high), low, high

    @property
    def regions(self) -> Regions:
        """The region of the season's last measurement that each cell lies in."""
        return self._own.regions

    def p_values(self, threshold: float = 0.0) -> Cells:
        """Returns the chance that the season's own noise alone makes a cell, or its region, look
        this high.
        """
        return self._own.p_values(threshold)


def stacked(
    grid: Grid, seasons: Sequence[tuple[Measurement, ...]], alone: Sequence[Estimate]
) -> list[Estimate]:
    """Returns each season's estimate, given all others; `alone` are their estimates without these.

    A season whose regions are no nodes of the raster is left as it is.
    """
    raster, found = Raster(grid), list(alone)
    if len(found) < 2:
        return found
    read = [
        Beheld.read(raster, season, own.values) for season, own in zip(seasons, alone, strict=True)
    ]
    for run in runs(raster, [one for one in read if one is not None]):
        places = tuple(next(at for at, other in enumerate(read) if other is one) for one in run)
        if len(run) > 1:
            for at, cells in zip(places, _together(raster, grid, run), strict=True):
                found[at] = Stacked(
                    alone[at], np.where(grid.inside, raster.lifted(cells), np.nan), places
                )
    return found


def _together(raster: Raster, grid: Grid, run: list[Beheld]) -> list[Cells]:
    """Returns the cells of each season of a run, on the raster: nearer to the whole run's shape,
    the less the season drifts from it.
    """
    (size, same), part = _sizes(run), _parts(run)
    whole = raster.pyramid(_whole(raster, grid, run, size, part), 0)
    certain = [[1 / level for level in variances(raster, one.readings)] for one in run]
    sums = [np.sum(levels, axis=0) for levels in zip(*certain, strict=True)]
    found = []
    for at, one in enumerate(run):
        others = [other for other in run if other is not one]
        expected = [level * size[at] for level in whole]
        known = [(mine, every - mine) for mine, every in zip(certain[at], sums, strict=True)]
        chances = drift(raster, [one], others, expected)
        found.append(
            _mixed(
                raster,
                one,
                expected,
                known,
                chances,
                (len(others), float(part[at]), float(same[at])),
            )
        )
    return found


def _mixed(
    raster: Raster,
    one: Beheld,
    expected: list[Cells],
    known: list[tuple[Cells, Cells]],
    chances: Cells,
    beside: tuple[int, float, float],
) -> Cells:
    """Mixes a season's cells with what its run makes of it: each likely drift has its part, a jump
    the season alone.

    `known` is the precision of the season's own answers and of the others', `beside` how many these
    are, the season's part of the run, and how likely its total is theirs.
    """
    many, part, same = beside
    own, cells = raster.pyramid(one.cells, 0), np.zeros(raster.shapes[-1])
    likely = np.where(chances > SLIGHT, chances, 0.0)
    for chance, far in zip(likely / likely.sum(), DRIFTS, strict=True):
        if not chance:
            continue
        if far >= JUMP:
            cells += chance * one.cells
            continue
        weights = [
            _own_part(*precisions, level + (far * level) ** 2, many, part)
            for precisions, level in zip(known, expected, strict=True)
        ]
        weights[0] = (
            1 - (1 - weights[0]) * same
        )  # what others make of the total came from this season's own
        cells += chance * _blended(raster, own, expected, weights)
    return cells


def _own_part(own: Cells, known: Cells, apart: Cells, many: int, within: float) -> Cells:
    """Returns how much a season's own answers weigh against the whole run's, in which it has the
    part `within` already.

    The best linear mean of two unbiased answers weighs them by their precision, here `own`. That of
    so many others comes from what is `known` by their noise and from how far seasons lie `apart`:
    each season is a draw of its own.
    """
    theirs = 1 / (1 / known + apart * (1 + 1 / many))
    weight = own / (own + theirs)
    return np.clip((weight - within) / (1 - within), 0.0, 1.0)


def _blended(raster: Raster, own: list[Cells], whole: list[Cells], weights: list[Cells]) -> Cells:
    """Mixes two maps from the top down: each node's total, then how it is shared out among its
    children.
    """
    found = weights[0] * own[0] + (1 - weights[0]) * whole[0]
    for level in range(1, raster.depth + 1):
        mine, theirs, weight = (
            raster.families(part[level], level) for part in (own, whole, weights)
        )
        shares = weight * _shared(mine) + (1 - weight) * _shared(theirs)
        found = raster.unfamilies(found.ravel()[:, None] * _shared(shares), level)
    return found


def _shared(children: Cells) -> Cells:
    """Returns the children's shares of their sum."""
    return np.asarray(children / np.maximum(children.sum(1, keepdims=True), 1e-300))


def _whole(raster: Raster, grid: Grid, run: list[Beheld], size: Cells, part: Cells) -> Cells:
    """Returns what all seasons of a run tell together, each brought to one size.

    It is the mean of two readings that err in different places: one of all answers, and, with twice
    its weight, the mean of the seasons' estimates, for each of which the others' answers tell the
    coarse totals.
    """
    if raster.inside.size > LARGE:
        return _mean([one.cells / many for one, many in zip(run, size, strict=True)], part)
    each = [_beside(raster, grid, run, size, at) / many for at, many in enumerate(size)]
    readings = [
        _sized(reading, 1 / float(many))
        for one, many in zip(run, size, strict=True)
        for reading in one.readings
    ]
    joint, _ = Guide(raster, ()).totals(gather(raster, readings, raster.depth))
    return np.asarray((2 * _mean(each, part) + joint[-1]) / 3)


def _beside(raster: Raster, grid: Grid, run: list[Beheld], size: Cells, at: int) -> Cells:
    """Returns the cells of one season as its own measurements tell them, the coarse totals as
    the nearest other seasons tell them too.
    """
    one = run[at]
    if one.asked[-1].kind != "laplace":
        return one.cells
    near = sorted((k for k in range(len(run)) if k != at), key=lambda k: abs(k - at))[:NEAREST]
    others = [
        _sized(reading, float(size[at] / size[k])) for k in near for reading in run[k].readings
    ]
    values = TreeEstimate(grid, one.asked, raster, one.readings, beside=others).values
    return np.where(raster.inside, raster.laid(np.nan_to_num(values), 0.0), 0.0)


def _mean(cells: list[Cells], part: Cells) -> Cells:
    """Returns the weighted mean of maps."""
    return np.asarray(np.tensordot(part, np.stack(cells), 1))


def _sized(reading: RasterMeasurement, size: float) -> RasterMeasurement:
    """Returns a reading of a season so many times as large."""
    totals, scales = ([level * size for level in part] for part in (reading.totals, reading.scales))
    return RasterMeasurement(reading.nodes, totals, scales, reading.deepest)


def _sizes(run: list[Beheld]) -> tuple[Cells, Cells]:
    """Returns how large each season is beside the run's median: 1, unless its total tells that
    it is another; and how likely it is 1.
    """
    told = np.array([max(float(one.beliefs.mean[0].sum()), 1e-9) for one in run])
    noise = np.array([float((1 / one.beliefs.precision[0]).sum()) for one in run])
    middle = float(np.median(told))
    off = (told - middle) ** 2 / (noise + noise.mean() / len(run) + told + middle / len(run))
    same = 1 / (1 + np.exp(np.minimum(off / 2 - SAME, 700)))
    return same + (1 - same) * told / middle, same


def _parts(run: list[Beheld]) -> Cells:
    """Returns each season's part of the mean of all: by what its regions' answers are worth,
    noise and chance together.
    """
    worth = np.array([1 / (one.noise + one.mean) for one in run])
    return np.asarray(worth / worth.sum())
