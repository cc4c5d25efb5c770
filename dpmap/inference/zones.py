"""Answers for one zone of a map, with bounds and warnings."""

from dataclasses import dataclass

import numpy as np

from dpmap.grid import Grid
from dpmap.grid.zone_overlap import Cover
from dpmap.inference.estimate import Estimate
from dpmap.inference.mean_estimate import ANSWERED, MeanEstimate

NOT_DISTINGUISHABLE = "its total is not distinguishable from none"


@dataclass(frozen=True, slots=True)
class ZoneAnswer:
    """The answer of a release for one zone.

    `estimate`, `low` and `high` are capped totals in points, of the part of the zone that lies in
    the map, from all answers: how wide `low` to `high` must be was rehearsed. `distinguishable`
    says whether `low` is above 0, so that the zone surely holds something. `least` and `most` are
    stricter: they rest on the last measurement's noise alone, and take nothing or all of what the
    zone's edge cuts, so they hold the true total with at least the level asked for, wherever its
    points lie. They are never the narrower ones, and the same where no more is known.
    `cells_inside` are wholly in the zone, `cells_cut` partly. `in_map` is the share of the zone
    inside the declared area (its in-area cells); `per_km2` is the estimate over that ground. All
    are missing for a zone outside the map.
    """

    estimate: float
    low: float
    high: float
    distinguishable: bool
    least: float
    most: float
    per_km2: float
    area_km2: float
    in_map: float
    cells_inside: int
    cells_cut: int
    note: str


@dataclass(frozen=True, slots=True)
class MeanAnswer:
    """What a map of means says about one zone: its `mean` with bounds, and `count`, the capped
    total that it is of, with bounds. Of a mean no more than its strict bounds is known, so `least`
    and `most` are the same. The rest is as in `ZoneAnswer`.
    """

    mean: float
    low: float
    high: float
    least: float
    most: float
    count: float
    count_low: float
    count_high: float
    area_km2: float
    in_map: float
    cells_inside: int
    cells_cut: int
    note: str


def answer(
    grid: Grid, estimate: Estimate, cover: Cover, square_km: float, level: float
) -> ZoneAnswer:
    """Answers for the cells of one zone of so many square kilometres."""
    from dpmap.inference.posterior_estimate import BelievedEstimate

    inside = int(cover.within.sum())
    cut = len(cover.cut)
    if not inside + cut:
        no = float("nan")
        return ZoneAnswer(no, no, no, False, no, no, no, square_km, 0.0, 0, 0, "outside the map")
    _, least, most = estimate.zone(cover.within, cover.touched, level)
    whole = np.flatnonzero(cover.within)
    cells = np.append(whole, cover.cut)
    shares = np.append(np.ones(len(whole)), cover.shares)
    believed = isinstance(estimate, BelievedEstimate)
    if isinstance(estimate, BelievedEstimate):
        total, low, high = estimate.answer(cells, shares, level)
        least = min(least, low)
        most = max(most, high)
    else:
        total = min(max(float((estimate.values.ravel()[cells] * shares).sum()), least), most)
        low = least
        high = most
    return ZoneAnswer(
        estimate=total,
        low=low,
        high=high,
        distinguishable=low > 0,
        least=least,
        most=most,
        per_km2=total / (square_km * cover.mapped) if cover.mapped > 0 else float("nan"),
        area_km2=square_km,
        in_map=cover.mapped,
        cells_inside=inside,
        cells_cut=cut,
        note=_note(grid, cover, square_km, low, bracketed=not believed),
    )


def mean_answer(
    grid: Grid, estimate: MeanEstimate, cover: Cover, square_km: float, level: float
) -> MeanAnswer:
    """Answers with the mean of one zone's cells; of cut cells any part may lie in the zone."""
    inside = int(cover.within.sum())
    cut = len(cover.cut)
    if not inside + cut:
        no = float("nan")
        return MeanAnswer(no, no, no, no, no, no, no, no, square_km, 0.0, 0, 0, "outside the map")
    mean, low, high = estimate.zone(cover.within, cover.touched, level)
    count, least, most = estimate.zone_count(cover.within, cover.touched, level)
    note = _note(grid, cover, square_km, None, bracketed=True)
    if high - low > ANSWERED * float(estimate.mean.high - estimate.mean.low):
        mean = float("nan")
        note = "; ".join(["no answer: too few records", *([note] if note else [])])
    return MeanAnswer(
        mean, low, high, low, high, count, least, most, square_km, cover.mapped, inside, cut, note
    )


def _note(grid: Grid, cover: Cover, square_km: float, low: float | None, *, bracketed: bool) -> str:
    """Returns the warnings about an answer; `low` is the lower bound of a total, None of a mean."""
    words = []
    cut = len(cover.cut)
    if not cover.within.any():
        ground = grid.square_km[np.unravel_index(cover.cut, grid.shape)]
        if square_km < float(ground.max()):
            words.append("smaller than one cell: the map cannot resolve it")
        elif bracketed:
            only = ": the map gives an upper bound only" if low is not None else ""
            words.append(f"holds no whole cell{only}")
        else:
            words.append("holds no whole cell: each counts by the share inside")
    elif cut:
        words.append(
            f"crosses {cut:,} cell{'s' if cut > 1 else ''},"
            f" {'bracketed' if bracketed else 'shared by ground'}"
        )
    if cover.mapped < 1:
        words.append(
            f"partly outside the map: {max(0.01, min(0.99, cover.mapped)):.0%} of it is covered"
        )
    if low == 0 and cover.within.any():
        words.append(NOT_DISTINGUISHABLE)
    return "; ".join(words)
