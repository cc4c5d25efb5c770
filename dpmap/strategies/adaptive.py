"""Noise where it buys most: few measurements, each partition drawn from the noisy answers before it."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpmap.grid import Partition
from dpmap.inference.estimate import Cells, Mask
from dpmap.inference.raster import Raster, Reading
from dpmap.inference.tree import gather, totals
from dpmap.strategies import Session

FEW = 16
"""With so few cells in a layer, each is measured by itself at once."""
TOTAL = Fraction(2, 100)
"""The total's share of epsilon: enough to tell thin maps from others, which are measured differently."""
THIN = 0.1
"""A map is thin with less than this many noise scales of the whole epsilon to a cell: hardly a cell can be told."""
COARSE = 4
"""The finest coarse level: 16 x 16 nodes to the map."""
BLOCK = 4
"""Levels below the coarse nodes of other maps: 16 x 16 cells, which the last partition cuts without more questions."""


@dataclass(frozen=True)
class Course:
    """What is measured between the total and the last partition, and how high noise may stand for a split.

    First every node of level `start`; then, with a share above 0, nodes down to level `coarse`. A node is split while
    its total exceeds so many noise scales: well above the noise at coarse levels, where one split costs four new
    noises in every large sum, below it at fine ones, where the cells themselves are to be told apart.
    """

    start: int
    first: Fraction
    coarse: int
    second: Fraction
    split_coarse: float
    split_fine: float

    @property
    def last(self) -> Fraction:
        """The share of the last partition: the rest."""
        return 1 - TOTAL - self.first - self.second


THINLY = Course(2, Fraction(20, 100), 4, Fraction(28, 100), split_coarse=4.0, split_fine=0.5)
"""Half of epsilon for coarse totals: noise hides the fine ones anyway."""


def course(depth: int, *, thin: bool) -> Course:
    """The course for a raster of this depth; maps that are not thin spend a quarter of epsilon on coarse totals."""
    if thin:
        return THINLY
    coarse = max(2, depth - BLOCK)
    if coarse <= 3:
        return Course(coarse, Fraction(25, 100), coarse, Fraction(0), split_coarse=6.0, split_fine=0.3)
    return Course(2, Fraction(8, 100), coarse, Fraction(18, 100), split_coarse=6.0, split_fine=0.3)


def adaptive(session: Session) -> None:
    """The total; then one grid or two of coarse regions; then the cells, with empty land in large regions."""
    raster = Raster(session.grid)
    cells = session.grid.ground.cells_inside
    if cells <= FEW:
        session.measure(Partition.cells(session.grid), session.epsilon)
        return
    readings = [_measured(session, raster, _even(raster, 0), TOTAL)]
    total = sum(float(part.sum()) for part in readings[0].totals)
    density = total * float(session.epsilon / session.cap) / (raster.trees * cells)
    chosen = course(raster.depth, thin=density < THIN)
    readings.append(_measured(session, raster, _even(raster, chosen.start), chosen.first))
    if chosen.second:
        deepest = min(chosen.coarse, raster.depth)
        bars = [chosen.split_coarse] * deepest
        readings.append(_refined(session, raster, readings, bars, chosen.second))
    coarse = min(COARSE, raster.depth - 3)
    bars = [chosen.split_fine if level > coarse else chosen.split_coarse for level in range(raster.depth)]
    _refined(session, raster, readings, bars, chosen.last)


def _refined(session: Session, raster: Raster, readings: list[Reading], bars: list[float], share: Fraction) -> Reading:
    """A measurement of nodes split while their totals, as known by now, exceed their level's bar in noise scales."""
    scale = float(session.cap / (session.epsilon * share))
    stops = _split(raster, _totals(raster, readings), [bar * scale for bar in bars])
    return _measured(session, raster, stops, share)


def _even(raster: Raster, level: int) -> list[Mask]:
    """Every node of one level."""
    return [np.full(shape, at == level) for at, shape in enumerate(raster.shapes[: level + 1])]


def _measured(session: Session, raster: Raster, stops: list[Mask], share: Fraction) -> Reading:
    """One measurement of the marked nodes, with this share of epsilon."""
    measurement = session.measure(raster.partition(stops), session.epsilon * share)
    return Reading.of_stops(raster, stops, measurement.values, float(measurement.scale))


def _totals(raster: Raster, readings: list[Reading]) -> list[Cells]:
    """Node totals as far down as anything was measured."""
    bottom = max(reading.deepest for reading in readings)
    return totals(raster, gather(raster, readings, bottom))


def _split(raster: Raster, found: list[Cells], bars: list[float]) -> list[Mask]:
    """From the top: split a node while its total exceeds its level's bar. Below what is known, land counts as even."""
    stops, live, total = [], np.ones(raster.shapes[0], dtype=bool), found[0]
    for level, bar in enumerate(bars):
        if level:
            share = raster.area[level] / np.maximum(raster.spread(raster.area[level - 1], level), 1.0)
            total = found[level] if level < len(found) else raster.spread(total, level) * share
        split = live & (total > bar)
        stops.append(live & ~split)
        live = raster.spread(split, level + 1)
    return [*stops, live]
