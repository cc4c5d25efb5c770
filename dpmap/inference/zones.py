"""Answers what a map says about one zone, how surely, and where it cannot say."""

from dataclasses import dataclass

import numpy as np

from dpmap.grid import Grid
from dpmap.grid.cover import Cover
from dpmap.inference.estimate import Estimate
from dpmap.inference.means import ANSWERED, MeanEstimate


@dataclass(frozen=True, slots=True)
class Answer:
    """Holds what a release says about one zone.

    `estimate`, `low` and `high` are capped totals in points, of the part of the zone that lies in the map; the bounds
    hold the true one with at least the level asked for. `cells_inside` are wholly in the zone, `cells_cut` partly.
    `in_map` is the share of the zone inside the declared area (its in-area cells); `per_km2` is the estimate over that
    ground. All are missing for a zone outside the map.
    """

    estimate: float
    low: float
    high: float
    per_km2: float
    area_km2: float
    in_map: float
    cells_inside: int
    cells_cut: int
    note: str


@dataclass(frozen=True, slots=True)
class MeanAnswer:
    """What a map of means says about one zone: its `mean` with bounds, and `count`, the capped total that it is of, with
    bounds. The rest is as in `Answer`.
    """

    mean: float
    low: float
    high: float
    count: float
    count_low: float
    count_high: float
    area_km2: float
    in_map: float
    cells_inside: int
    cells_cut: int
    note: str


def answer(grid: Grid, estimate: Estimate, cover: Cover, square_km: float, level: float) -> Answer:
    """Answers for the cells of one zone of so many square kilometres."""
    inside, cut = int(cover.within.sum()), len(cover.cut)
    if not inside + cut:
        nothing = float("nan")
        return Answer(nothing, nothing, nothing, nothing, square_km, 0.0, 0, 0, "outside the map")
    _, low, high = estimate.zone(cover.within, cover.touched, level)
    values = estimate.values
    total = float(values[cover.within].sum()) + float((values.ravel()[cover.cut] * cover.shares).sum())
    total = min(max(total, low), high)
    return Answer(
        estimate=total,
        low=low,
        high=high,
        per_km2=total / (square_km * cover.mapped) if cover.mapped > 0 else float("nan"),
        area_km2=square_km,
        in_map=cover.mapped,
        cells_inside=inside,
        cells_cut=cut,
        note=_note(grid, cover, square_km, low),
    )


def mean_answer(grid: Grid, estimate: MeanEstimate, cover: Cover, square_km: float, level: float) -> MeanAnswer:
    """Answers with the mean of one zone's cells; of cut cells any part may lie in the zone."""
    inside, cut = int(cover.within.sum()), len(cover.cut)
    if not inside + cut:
        no = float("nan")
        return MeanAnswer(no, no, no, no, no, no, square_km, 0.0, 0, 0, "outside the map")
    mean, low, high = estimate.zone(cover.within, cover.touched, level)
    count, least, most = estimate.zone_count(cover.within, cover.touched, level)
    note = _note(grid, cover, square_km, None)
    if high - low > ANSWERED * float(estimate.mean.high - estimate.mean.low):
        mean, note = float("nan"), "; ".join(["no answer: too few records", *([note] if note else [])])
    return MeanAnswer(mean, low, high, count, least, most, square_km, cover.mapped, inside, cut, note)


def _note(grid: Grid, cover: Cover, square_km: float, low: float | None) -> str:
    """Says what a planner must know before using the numbers; `low` is the lower bound of a total, None of a mean."""
    words = []
    cut = len(cover.cut)
    if not cover.within.any():
        ground = grid.square_km[np.unravel_index(cover.cut, grid.shape)]
        if square_km < float(ground.max()):
            words.append("smaller than one cell: the map cannot resolve it")
        else:
            only = ": the map gives an upper bound only" if low is not None else ""
            words.append(f"holds no whole cell{only}")
    elif cut:
        words.append(f"crosses {cut:,} cell{'s' if cut > 1 else ''}, bracketed")
    if cover.mapped < 1:
        words.append(f"partly outside the map: {max(0.01, min(0.99, cover.mapped)):.0%} of it is covered")
    if low == 0 and cover.within.any():
        words.append("its total cannot be told from none")
    return "; ".join(words)
