"""Puts the noise where it helps most: few measurements, each partition chosen from the noisy
answers before it.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from dpmap.grid import Grid, Partition
from dpmap.inference.combine import gather
from dpmap.inference.estimate import Cells, Mask
from dpmap.inference.prior_weights import Guide, extend_to_cells
from dpmap.inference.raster import Raster, RasterMeasurement
from dpmap.inference.tree_estimate import totals
from dpmap.record.unpool import superseded_answers
from dpmap.strategies.few_cells import has_few
from dpmap.strategies.session import StrategySession

if TYPE_CHECKING:
    from dpmap.record import Measurement

TOTAL = Fraction(2, 100)
"""The total's share of epsilon: enough to tell thin maps of some thousand cells from others."""
THIN = 1 / 30
FAIR = 0.19
MANY = 1500
"""A map is thin with less than this many noise scales of the whole epsilon to a cell: hardly a cell
can be told; and fairly full with less than that. On maps of fewer than so many cells the total
cannot say, and all count as full.
"""
START = 2
"""The level of a first even grid, 4 x 4 nodes to the map, where a finer partition follows before
the last one.
"""
BLOCK = 4
AT_ONCE = 3
"""The blocks of full maps lie so many levels above the cells (16 x 16 cells), or at level 2 on
small maps; down to level 3, 8 x 8 blocks to the map, all are asked about at once.
"""
SEVERAL = Fraction(32, 100)
"""The blocks' share where several readers are told of one draw: most cells are then measured by
themselves, empty ones too, and add their noise to sums over much land.
"""
LARGE = 4
"""The finest level, 16 x 16 nodes to the map, at which the last partition counts nodes as large."""


@dataclass(frozen=True)
class Course:
    """Plans what is measured between the total and the last partition, and how far above the noise
    a node is split.

    First every node of level `start`; then, with a share above 0, nodes down to level `deepest`. A
    node is split while its total exceeds so many noise scales: well above the noise where it is
    large, since one split costs four new noises in every large sum, below it where it is small and
    the cells themselves are to be told apart.
    """

    start: int
    start_share: Fraction
    deepest: int
    deepest_share: Fraction
    split_large: float
    split_small: float

    @property
    def shares(self) -> list[Fraction]:
        """What its questions cost, in order."""
        return [share for share in (self.start_share, self.deepest_share, self.last_share) if share]

    @property
    def last_share(self) -> Fraction:
        """The share left for the last partition."""
        return 1 - TOTAL - self.start_share - self.deepest_share


THINLY = Course(START, Fraction(25, 100), 4, Fraction(25, 100), split_large=4.0, split_small=1.0)
"""Half of epsilon for large nodes: noise hides the small ones anyway."""
FAIRLY = Course(AT_ONCE, Fraction(20, 100), 4, Fraction(25, 100), split_large=6.0, split_small=0.5)
"""Half of epsilon for large nodes too, but first for smaller ones, of which many can be told."""


def course(depth: int, density: float, *, several: bool) -> Course:
    """Returns the course for a raster of this depth with so many noise scales to a cell; full maps
    keep nearly three quarters of epsilon for the last partition, and less where it is chosen for
    several readers.
    """
    if density < FAIR:
        return THINLY if density < THIN else FAIRLY
    blocks = max(START, depth - BLOCK)
    if blocks <= AT_ONCE:
        return Course(
            blocks,
            SEVERAL if several else Fraction(25, 100),
            blocks,
            Fraction(0),
            split_large=6.0,
            split_small=0.3,
        )
    return Course(
        START, Fraction(8, 100), blocks, Fraction(18, 100), split_large=6.0, split_small=0.3
    )


def least_last_share(grid: Grid, *, several: bool = False) -> Fraction:
    """Returns the least share of epsilon that single cells can be measured with: exactly theirs on
    grids of few cells, else that of the course that leaves them least, since which course it will
    be is known from the noisy total only.

    >>> least_last_share(Grid(bounds=(0, 0, 10, 10), shape=(10, 10), crs="EPSG:3857"))
    Fraction(73, 100)
    """
    if has_few(grid):
        return Fraction(1)
    cells = grid.ground.cells_inside
    densities = (0.0, THIN, math.inf) if cells * len(grid.layers) >= MANY else (math.inf,)
    depth = Raster(grid).depth
    return min(course(depth, density, several=several).last_share for density in densities)


def adaptive(session: StrategySession) -> None:
    """Measures the total, then one or two grids of large regions, then the cells, with empty
    land in large regions.
    """
    if has_few(session.grid):
        session.measure(Partition.cells(session.grid), session.epsilon)
        return
    raster = Raster(session.grid)
    cells = session.grid.ground.cells_inside
    asking = Asking(session, raster)
    asking.ask(_even(raster, 0), TOTAL)
    cells *= raster.trees
    density = float(asking.asked[0][1].values.sum()) * float(session.finest / session.cap) / cells
    chosen = course(
        raster.depth,
        density if cells >= MANY else math.inf,
        several=session.finest > session.epsilon,
    )
    session.course([session.epsilon * share for share in chosen.shares])
    asking.ask(_even(raster, chosen.start), chosen.start_share)
    if chosen.deepest_share:
        bars = [chosen.split_large] * min(chosen.deepest, raster.depth)
        asking.refine(bars, chosen.deepest_share)
    large = min(LARGE, raster.depth - 3)
    bars = [
        chosen.split_large if level <= large else chosen.split_small
        for level in range(raster.depth)
    ]
    asking.refine(bars, chosen.last_share)


class Asking:
    """Asks a session about nodes of the raster, and remembers which were asked and what was
    answered.
    """

    def __init__(self, session: StrategySession, raster: Raster) -> None:
        self._session = session
        self._raster = raster
        self.asked: list[tuple[list[Mask], Measurement]] = []
        shape = session.grid.inside.shape
        priors = [
            np.broadcast_to(prior.values, shape).astype(np.float64) for prior in session.priors
        ]
        self._guide = Guide(raster, priors) if priors else None

    def ask(self, stops: list[Mask], share: Fraction) -> None:
        """Measures the marked nodes once, with this share of epsilon."""
        measurement = self._session.measure(
            self._raster.partition(stops), self._session.epsilon * share
        )
        self.asked.append((stops, measurement))

    def refine(self, bars: list[float], share: Fraction) -> None:
        """Measures nodes once, after splitting those whose total, as known by now, exceeds their
        level's bar.

        Bars are in noise scales of this measurement, for the reader who is told most; their number
        says how deep to go. The less surely the noisiest answers, by which all is chosen, tell that
        reader's empty land from other, the lower they are.
        """
        loss_ratio = self._session.epsilon / self._session.finest
        scale = float(self._session.cap / (self._session.finest * share) * loss_ratio**2)
        self.ask(_split(self._raster, self.totals(), [bar * scale for bar in bars]), share)

    def totals(self) -> list[Cells]:
        """Returns node totals as far down as anything was measured; with public priors down to
        the cells, as far as answers trust them.
        """
        superseded = superseded_answers([measurement for _, measurement in self.asked])
        readings = [
            RasterMeasurement.from_stops(self._raster, stops, measurement, dropped)
            for (stops, measurement), dropped in zip(self.asked, superseded, strict=True)
        ]
        bottom = max(reading.deepest for reading in readings)
        beliefs = gather(self._raster, readings, bottom)
        if self._guide is None:
            return totals(self._raster, beliefs)
        return self._guide.totals(extend_to_cells(self._raster, beliefs))[0]


def _even(raster: Raster, level: int) -> list[Mask]:
    """Marks every node of one level."""
    return [np.full(shape, at == level) for at, shape in enumerate(raster.shapes[: level + 1])]


def _split(raster: Raster, found: list[Cells], bars: list[float]) -> list[Mask]:
    """Splits from the top each node whose total exceeds its level's bar; below what is known,
    land counts as even.
    """
    stops = []
    live = np.ones(raster.shapes[0], dtype=bool)
    total = found[0]
    for level, bar in enumerate(bars):
        if level:
            share = raster.area[level] / np.maximum(
                raster.spread(raster.area[level - 1], level), 1.0
            )
            total = found[level] if level < len(found) else raster.spread(total, level) * share
        split = live & (total > bar)
        stops.append(live & ~split)
        live = raster.spread(split, level + 1)
    return [*stops, live]
