"""Rehearses how surely zones would be told, on public numbers, and finds the least epsilon at which
they are told as surely as asked.

A rehearsal is a map of public land, by the vault's noise and the default strategy, and each zone's
interval is the one that `ask` gives of it. Nothing stands for strategy or intervals here, so a new
one needs no new plan. Points that lie unevenly make intervals up to half as wide again as points
spread evenly, so the land is even, gently uneven and hilly in turn, unless there is a public raster
(decision 041).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import compress, cycle, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput, Refused
from dpmap.grid import Grid
from dpmap.grid.study_area import read_shapes
from dpmap.grid.zone_overlap import Coverer
from dpmap.inference.patches.calibration import conformal_quantile
from dpmap.inference.posterior_estimate import BelievedEstimate
from dpmap.numbers import percent
from dpmap.promise.policy import Policy
from dpmap.releases.ask import describe_outside, moved_to, zone_name
from dpmap.steward.planning import landscapes, predicted_map
from dpmap.steward.planning.results import ZoneGoal
from dpmap.steward.planning.tradeoff import rounded_up
from dpmap.steward.simulation import rehearse_map

Values = NDArray[np.float64]

LANDS = ("uniform", "gentle", "hilly")
"""The shapes of land that are rehearsed; points are expected as in the first."""
LEVEL = 0.9
MAPS = 0.9
"""A zone's interval holds at this level, and reaches as far as in this share of the maps at
most.
"""
LEAST = Fraction(1, 100)
MOST = Fraction(20)
ENDLESS = Fraction(10**6)
"""No smaller epsilon is tried and no larger one promised; at the last there is no noise to speak
of.
"""
NEAR = 1.2
"""The search ends where what fails and what does not are no further apart than so many times."""
TRIAL = (16_000, 3, 8)
FINAL = (60_000, 6, 30)
"""A trial, and what is told at last, are rehearsed until so many cells were drawn: so many times
at least, and at most.
"""


@dataclass(frozen=True)
class ZoneGoals:
    """Holds zones laid on a grid, how many points are expected in each, land to rehearse on, and
    how surely so many of the zones are to be told.
    """

    grid: Grid
    names: Sequence[str]
    cells: Sequence[NDArray[np.int64]]
    shares: Sequence[Values]
    expected: Values
    lands: Mapping[str, Values]
    within: Fraction
    of: Fraction

    @classmethod
    def laid(
        cls,
        grid: Grid,
        lands: Mapping[str, Values],
        total: float,
        zones: Any,
        layer: str | None,
        asked: tuple[Fraction, Fraction],
        *,
        leave_outside: bool = False,
    ) -> "ZoneGoals":
        """Lays zones on a grid. `lands` say which share of all points lies in each in-area cell;
        by the first of them points are expected.
        """
        shapes, source, texts = read_shapes(zones, layer=layer, role="zones")
        coverer = Coverer(grid)
        cells = []
        shares = []
        for zone in moved_to(shapes, source, grid.crs):
            cover = coverer.cover(zone)
            whole = np.flatnonzero(cover.within)
            cells.append(np.append(whole, cover.cut))
            shares.append(np.append(np.ones(len(whole)), cover.shares))
        rows = ({name: texts[name][at] for name in texts} for at in range(len(cells)))
        names = [zone_name(row, number) for number, row in enumerate(rows, start=1)]
        is_inside = [len(zone_cells) > 0 for zone_cells in cells]
        if not all(is_inside) and not (leave_outside and any(is_inside)):
            outside = [name for name, inside in zip(names, is_inside, strict=True) if not inside]
            advice = "leave them out with --leave-outside" if any(is_inside) else "choose others"
            raise BadInput(f"zones: {describe_outside(outside, len(cells))}; {advice}")
        names = list(compress(names, is_inside))
        cells = list(compress(cells, is_inside))
        shares = list(compress(shares, is_inside))
        expected = _points_of_zones(
            landscapes.spread(grid, next(iter(lands.values())) * total), cells, shares
        )
        dealt = {
            name: landscapes.spread(grid, landscapes.points(share, total, name))
            for name, share in lands.items()
        }
        return cls(grid, names, cells, shares, expected, dealt, *asked)

    @property
    def needed(self) -> int:
        """How many zones are to be told so surely."""
        return math.ceil(self.of * len(self.names))

    def rehearse(self, policy: Policy, runs: tuple[int, int, int] = FINAL) -> tuple[ZoneGoal, ...]:
        """Rehearses some maps, and says of each zone how far its interval reaches in nine of
        ten.
        """
        times = int(np.clip(runs[0] // self.grid.cells_inside, *runs[1:]))
        lands = islice(cycle(self.lands.values()), max(times, len(self.lands)))
        reach = np.array([self.reach(policy, land) for land in lands])
        most = [conformal_quantile(zone_reach, MAPS) for zone_reach in reach.T]
        return tuple(map(self._zone, self.names, self.expected.tolist(), most))

    def reach(self, policy: Policy, land: Values) -> Values:
        """Returns how far each zone's interval reaches from its estimate on one rehearsed map of
        such land: as a share of the points that are expected in it, or that it holds, where that is
        more.
        """
        map_ = rehearse_map(land, self.grid, policy, strategy=predicted_map.strategy(policy))
        reading = map_.reading
        if not isinstance(reading, BelievedEstimate):
            raise BadInput(
                "zones: of such a map no more than strict bounds is known; leave --zones out"
            )
        answers = (
            reading.answer(*zone, LEVEL) for zone in zip(self.cells, self.shares, strict=True)
        )
        wide = np.array([max(high - estimate, estimate - low) for estimate, low, high in answers])
        most = np.maximum(self.expected, _points_of_zones(land, self.cells, self.shares))
        return np.where(most > 0, wide / np.maximum(most, 1e-300), np.inf)

    def _zone(self, name: str, expected: float, share: float) -> ZoneGoal:
        if not math.isfinite(share):
            return ZoneGoal(name, expected, None, None, kept=False)
        return ZoneGoal(name, expected, share * expected, share, share <= self.within)

    def reached(self, rows: Sequence[ZoneGoal]) -> float:
        """Returns within which share of its expected total the worst of the zones is told that
        must be; infinity if it expects nothing.
        """
        return sorted(math.inf if row.share is None else row.share for row in rows)[self.needed - 1]

    def kept(self, rows: Sequence[ZoneGoal]) -> bool:
        """Whether as many zones as asked are told so surely."""
        return sum(row.kept for row in rows) >= self.needed

    def least(
        self, policy: Policy, floor: Fraction | None
    ) -> tuple[Fraction, tuple[ZoneGoal, ...]]:
        """Returns the least epsilon from `floor` on, to two figures, that keeps what is asked,
        and what is then told of each zone.
        """
        low = LEAST if floor is None else floor
        missed = self._missed(policy, float(low))
        if missed <= 0 and self.kept(rows := self.rehearse(replace(policy, epsilon=low))):
            return low, rows
        return self._settled(policy, low, self._searched(policy, float(low), missed))

    def _settled(
        self, policy: Policy, failed: Fraction, about: float
    ) -> tuple[Fraction, tuple[ZoneGoal, ...]]:
        """Returns the epsilon that what a trial found comes to in longer rehearsals: down as far
        as it is kept, or up until it is.
        """
        best: tuple[Fraction, tuple[ZoneGoal, ...]] | None = None
        while (tried := rounded_up(about, figures=2)) <= MOST and (
            best is None or failed < tried < best[0]
        ):
            rows = self.rehearse(replace(policy, epsilon=tried))
            off = self.reached(rows) / float(self.within)
            if self.kept(rows):
                best = (tried, rows)
                about = float(tried) * max(off, 0.5)
            elif best is None:
                failed = tried
                about = float(tried) * max(min(off, 2.0), 1.02)
            else:
                break
        if best is None:
            raise self._refusal(policy)
        return best

    def _searched(self, policy: Policy, low: float, missed: float) -> float:
        """Returns about the least epsilon above one that fails, between two that stand ever
        nearer: widths fall about as a power of epsilon.
        """
        high = float(MOST)
        passed = self._missed(policy, float(MOST))
        if passed > 0 or low >= MOST:
            raise self._refusal(policy)
        while high / low > NEAR:
            part = min(max(missed / (missed - passed), 0.1), 0.9) if missed > passed else 0.5
            middle = low * (high / low) ** part
            off = self._missed(policy, middle)
            low, high = (middle, high) if off > 0 else (low, middle)
            missed, passed = (off, passed / 2) if off > 0 else (missed / 2, off)
        return high

    def _missed(self, policy: Policy, epsilon: float) -> float:
        """Returns by which power of e the worst zone that matters is told less surely than
        asked; below 0 if more so.
        """
        at = replace(policy, epsilon=rounded_up(epsilon))
        return float(
            np.log(np.clip(self.reached(self.rehearse(at, TRIAL)) / float(self.within), 1e-9, 1e9))
        )

    def _refusal(self, policy: Policy) -> Refused:
        """Says what keeps the zones from being told so surely."""
        by_area = "make the zones the cells: --area FILE --by-area, with the file of the zones"
        how = f"to within {percent(self.within)}"
        if not self.kept(endless := self.rehearse(replace(policy, epsilon=ENDLESS), TRIAL)):
            kept_zones = sum(row.kept for row in endless)
            return Refused(
                f"zones: no epsilon tells more than {kept_zones} of {len(endless)} {how}, since"
                " where in"
                f" the cells that a zone's edge cuts its points lie is not known; {by_area}"
            )
        most = self.rehearse(replace(policy, epsilon=MOST), TRIAL)
        return Refused(
            f"zones: no epsilon up to {MOST} tells so many {how} ({sum(row.kept for row in most)}"
            f" of {len(most)} at {MOST}, {self.needed} asked); raise --within, ask it of fewer"
            f" (--within 30%:80%), leave out small zones, or {by_area}"
        )


def _points_of_zones(
    plane: Values, cells: Sequence[NDArray[np.int64]], shares: Sequence[Values]
) -> Values:
    """Returns how many points of such land each zone holds, of cells that it cuts its share."""
    flat = plane.ravel()
    return np.array(
        [
            float((flat[zone_cells] * share).sum())
            for zone_cells, share in zip(cells, shares, strict=True)
        ]
    )
