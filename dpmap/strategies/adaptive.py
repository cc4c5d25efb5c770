"""Puts the noise where it helps most: few measurements, each partition chosen from the noisy answers before it."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpmap.grid import Partition
from dpmap.inference.estimate import Cells, Mask
from dpmap.inference.raster import Raster, Reading
from dpmap.inference.tree import gather, totals
from dpmap.strategies.session import Session

FEW = 16
"""With so few cells in a layer, each is measured by itself at once."""
TOTAL = Fraction(2, 100)
"""The total's share of epsilon: enough to tell thin maps of some thousand cells from others."""
THIN, MANY = 0.1, 1500
"""A map is thin with less than this many noise scales of the whole epsilon to a cell: hardly a cell can be told. On maps
of fewer than so many cells the total cannot say, and none counts as thin."""
START = 2
"""The level of a first even grid, 4 x 4 nodes to the map, where a finer partition follows before the last one."""
BLOCK, AT_ONCE = 4, 3
"""The blocks of maps that are not thin lie so many levels above the cells (16 x 16 cells), or at level 2 on small maps;
down to level 3, 8 x 8 blocks to the map, all are asked about at once."""
LARGE = 4
"""The finest level, 16 x 16 nodes to the map, at which the last partition counts nodes as large."""


@dataclass(frozen=True)
class Course:
    """Plans what is measured between the total and the last partition, and how far above the noise a node is split.

    First every node of level `start`; then, with a share above 0, nodes down to level `deepest`. A node is split while
    its total exceeds so many noise scales: well above the noise where it is large, since one split costs four new noises
    in every large sum, below it where it is small and the cells themselves are to be told apart.
    """

    start: int
    start_share: Fraction
    deepest: int
    deepest_share: Fraction
    split_large: float
    split_small: float

    @property
    def last_share(self) -> Fraction:
        """The share left for the last partition."""
        return 1 - TOTAL - self.start_share - self.deepest_share


THINLY = Course(START, Fraction(20, 100), 4, Fraction(28, 100), split_large=4.0, split_small=0.5)
"""Half of epsilon for large nodes: noise hides the small ones anyway."""


def course(depth: int, *, thin: bool) -> Course:
    """Returns the course for a raster of this depth; maps that are not thin keep nearly three quarters of epsilon for the last."""
    if thin:
        return THINLY
    blocks = max(START, depth - BLOCK)
    if blocks <= AT_ONCE:
        return Course(blocks, Fraction(25, 100), blocks, Fraction(0), split_large=6.0, split_small=0.3)
    return Course(START, Fraction(8, 100), blocks, Fraction(18, 100), split_large=6.0, split_small=0.3)


def adaptive(session: Session) -> None:
    """Measures the total, then one or two grids of large regions, then the cells, with empty land in large regions."""
    raster = Raster(session.grid)
    cells = session.grid.ground.cells_inside
    if cells <= FEW:
        session.measure(Partition.cells(session.grid), session.epsilon)
        return
    readings = [_measured(session, raster, _even(raster, 0), TOTAL)]
    cells *= raster.trees
    density = float(readings[0].totals[0].sum()) * float(session.epsilon / session.cap) / cells
    chosen = course(raster.depth, thin=cells >= MANY and density < THIN)
    readings.append(_measured(session, raster, _even(raster, chosen.start), chosen.start_share))
    if chosen.deepest_share:
        bars = [chosen.split_large] * min(chosen.deepest, raster.depth)
        readings.append(_refined(session, raster, readings, bars, chosen.deepest_share))
    large = min(LARGE, raster.depth - 3)
    bars = [chosen.split_large if level <= large else chosen.split_small for level in range(raster.depth)]
    _refined(session, raster, readings, bars, chosen.last_share)


def _refined(session: Session, raster: Raster, readings: list[Reading], bars: list[float], share: Fraction) -> Reading:
    """Measures nodes once, after splitting those whose total, as known by now, exceeds their level's bar.

    Bars are in noise scales of this measurement; their number says how deep to go.
    """
    scale = float(session.cap / (session.epsilon * share))
    stops = _split(raster, _totals(raster, readings), [bar * scale for bar in bars])
    return _measured(session, raster, stops, share)


def _even(raster: Raster, level: int) -> list[Mask]:
    """Marks every node of one level."""
    return [np.full(shape, at == level) for at, shape in enumerate(raster.shapes[: level + 1])]


def _measured(session: Session, raster: Raster, stops: list[Mask], share: Fraction) -> Reading:
    """Measures the marked nodes once, with this share of epsilon."""
    measurement = session.measure(raster.partition(stops), session.epsilon * share)
    return Reading.of_stops(raster, stops, measurement.values, float(measurement.scale))


def _totals(raster: Raster, readings: list[Reading]) -> list[Cells]:
    """Returns node totals as far down as anything was measured."""
    bottom = max(reading.deepest for reading in readings)
    return totals(raster, gather(raster, readings, bottom))


def _split(raster: Raster, found: list[Cells], bars: list[float]) -> list[Mask]:
    """Splits from the top each node whose total exceeds its level's bar; below what is known, land counts as even."""
    stops, live, total = [], np.ones(raster.shapes[0], dtype=bool), found[0]
    for level, bar in enumerate(bars):
        if level:
            share = raster.area[level] / np.maximum(raster.spread(raster.area[level - 1], level), 1.0)
            total = found[level] if level < len(found) else raster.spread(total, level) * share
        split = live & (total > bar)
        stops.append(live & ~split)
        live = raster.spread(split, level + 1)
    return [*stops, live]
