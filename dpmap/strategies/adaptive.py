"""Noise where it buys most: three measurements, each partition drawn from the noisy answers before it."""

import math
from fractions import Fraction

import numpy as np

from dpmap.grid import Partition
from dpmap.inference.estimate import Cells, Mask
from dpmap.inference.raster import Raster, Reading
from dpmap.inference.tree import gather, totals
from dpmap.strategies import Session

FIRST = Fraction(10, 100)
"""The first share of epsilon: enough for a rough total and for which sixteenths of the map are all but empty."""
LAST_LEAST, LAST_MOST = 0.45, 0.72
"""The last share, where little or much is known: coarse totals matter more while noise hides the fine ones."""
LITTLE, MUCH = 300.0, 3e4
"""Little and much: the noisy total, in noise scales of the whole epsilon."""
START, COARSE = 2, 4
"""Levels of the first partition (4 x 4 nodes) and of the finest second one (16 x 16)."""
SPLIT_COARSE, SPLIT_FINE = 4.0, 0.5
"""A node is split while its total exceeds this many noise scales: well above the noise where one split costs four
new noises in every large sum, about the noise where the cells themselves are to be told apart."""
FEW = 16
"""With so few cells in a layer, each is measured by itself at once."""


def adaptive(session: Session) -> None:
    """A coarse grid; then a coarser or finer one by what it found; then the cells, with empty land in large regions."""
    raster = Raster(session.grid)
    if session.grid.ground.cells_inside <= FEW:
        session.measure(Partition.cells(session.grid), session.epsilon)
        return
    start, coarse = min(START, raster.depth), min(COARSE, raster.depth)
    first = session.epsilon * FIRST
    stops = [np.full(shape, level == start) for level, shape in enumerate(raster.shapes[: start + 1])]
    readings = [_measured(session, raster, stops, first)]
    total = max(0.0, sum(float(part.sum()) for part in readings[0].totals)) / raster.trees
    last = session.epsilon * _last_share(total * float(session.epsilon) / float(session.cap))
    second = session.epsilon - first - last
    bar = SPLIT_COARSE * float(session.cap / second)
    stops = _split(raster, _totals(raster, readings), [bar] * coarse, coarse)
    readings.append(_measured(session, raster, stops, second))

    scale = float(session.cap / last)
    bars = [(SPLIT_COARSE if level <= COARSE else SPLIT_FINE) * scale for level in range(raster.depth)]
    stops = _split(raster, _totals(raster, readings), bars, raster.depth)
    _measured(session, raster, stops, last)


def _last_share(known: float) -> Fraction:
    """The last measurement's share of epsilon, to whole thousandths so that all shares add up exactly."""
    place = math.log(max(known, LITTLE) / LITTLE) / math.log(MUCH / LITTLE)
    return Fraction(round(1000 * (LAST_LEAST + (LAST_MOST - LAST_LEAST) * min(place, 1.0))), 1000)


def _measured(session: Session, raster: Raster, stops: list[Mask], epsilon: Fraction) -> Reading:
    """One measurement of the marked nodes."""
    measurement = session.measure(raster.partition(stops), epsilon)
    return Reading.of_stops(raster, stops, measurement.values, float(measurement.scale))


def _totals(raster: Raster, readings: list[Reading]) -> list[Cells]:
    """Node totals as far down as anything was measured."""
    bottom = max(reading.deepest for reading in readings)
    return totals(raster, gather(raster, readings, bottom))


def _split(raster: Raster, found: list[Cells], bars: list[float], deepest: int) -> list[Mask]:
    """From the top: split a node while its total exceeds its level's bar. Below what is known, land counts as even."""
    stops, live, total = [], np.ones(raster.shapes[0], dtype=bool), found[0]
    for level in range(deepest):
        if level:
            share = raster.area[level] / np.maximum(raster.spread(raster.area[level - 1], level), 1.0)
            total = found[level] if level < len(found) else raster.spread(total, level) * share
        split = live & (total > bars[level])
        stops.append(live & ~split)
        live = raster.spread(split, level + 1)
    return [*stops, live]
