"""The numbers of a plan, as plain public values."""

from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid import Grid, official
from dpmap.noise.theory import reports_standard_error, survey_share
from dpmap.promise.policy import Policy
from dpmap.statement.phrases import SURVEY_POINTS, survey_cells

Values = NDArray[np.float64]
ZONE_KM2 = 10.0


@dataclass(frozen=True, slots=True)
class NoiseFigures:
    """What the noise alone does where every cell is measured by itself, in points: to a cell, and
    to a zone of `zone_km2`, which is 10 km2 or one cell, whichever is larger.
    """

    scale: float
    standard_error: float
    cell: dict[str, float]
    zone_km2: float
    zone: dict[str, float]
    detectable: float

    def variance(self, cells: int) -> float:
        """Returns the variance of the noise in what so many cells add up to."""
        return cells * self.standard_error**2


@dataclass(frozen=True, slots=True)
class Expected:
    """The average error of a strategy's map of one public shape over several rehearsals.

    `cell_error` is the mean absolute error of a cell in points, nine cells in ten are off by no
    more than `cell_within`, and `overlap` is the share of the map that lies where it should.
    """

    shape: str
    strategy: str
    cell_error: float
    cell_within: float
    overlap: float
    rehearsals: int


@dataclass(frozen=True, slots=True)
class PredictedMap:
    """What the picture of one rehearsed map shows: its places, held against the numbers that it was
    made of.

    `gathered` is the share of the ground that holds half of the points. `places` have a colour that
    is told and is not that of nearly empty land. Half of the points lie in places of at most
    `place_km2`, and in places whose 90 % interval is at most this share of the estimate, `within`,
    wide to either side. `single` is the share of the points in places of one cell; nine in ten
    cells that hold `own_from` points are such a place (infinity: none is). `told` is the share of
    the points in places whose colour is told. `cleared` is the share of the empty cells that are
    told to hold surely less than the smallest total that can be told from noise (NaN: hardly any is
    empty).
    """

    shape: str
    gathered: float
    places: int
    place_km2: float
    within: float
    single: float
    own_from: float
    told: float
    cleared: float


ANY = "any shape"
LANDS = {ANY: (0.0, 2.0), "gathered": (0.0, 0.01), "uneven": (0.01, 0.05), "even": (0.05, 2.0)}
"""Ways in which points lie: the share of the ground that holds half of them, from and below."""


@dataclass(frozen=True, slots=True)
class Promised:
    """A range of one figure of `PredictedMap`, for land of any shape, land whose points lie alike
    (`LANDS`), or a public raster.

    Half of the rehearsals are below `middle`. None stands for no number of points.
    """

    figure: str
    land: str
    low: float | None
    high: float | None
    middle: float | None


@dataclass(frozen=True, slots=True)
class Reader:
    """What the map of one tier will show, over land of any shape or like a public raster, and half
    of the 90 % interval of a cell that is measured by itself.
    """

    tier: str
    epsilon: str
    half_width: float
    promise: tuple[Promised, ...]


@dataclass(frozen=True, slots=True)
class CellSizeOption:
    """One cell size at one epsilon: the 90 % half-width and the smallest detectable total of a cell
    measured by itself, and about what share of the points lies in places of one cell: in the middle
    one of all shapes, and of those that lie alike (`LANDS`).
    """

    cell: str
    cells: int
    epsilon: str
    half_width: float
    detectable: float
    single: float
    lands: dict[str, float]
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class SurveyShare:
    """Of which `share` of the observers a survey without noise would tell a zone as well, of so
    many `cells` that holds so many `points`, the noise of its total having this variance: each cell
    measured by itself with all of epsilon. With the strategy adaptive the share is `adaptive` at
    least.
    """

    cells: int
    points: int
    noise_variance: float
    share: float
    adaptive: float


@dataclass(frozen=True, slots=True)
class Goal:
    """One error that was asked for: `what` (error, tail, detect or zones), how much was `asked` and
    is `reached`, and whether it is `kept`. `sets_epsilon` says that epsilon was found, and that
    this goal needed it as large.
    """

    what: str
    asked: float
    reached: float | None
    kept: bool
    sets_epsilon: bool
    words: str


@dataclass(frozen=True, slots=True)
class ZoneGoal:
    """What is expected in a zone, by public numbers; how far its 90 % interval reaches from its
    estimate in nine maps of ten, as a `share` of that, and so in points (where a zone holds more,
    the share is of what it holds; None: nothing is expected); and whether that is within what was
    asked.
    """

    name: str
    expected: float
    half_width: float | None
    share: float | None
    kept: bool


@dataclass(frozen=True, slots=True)
class Odds:
    """By how much anybody's odds can move that one unit took part, and about where it was."""

    took_part: float
    where: float
    words: str


@dataclass(frozen=True, slots=True)
class EpsilonChoice:
    """One epsilon to choose from: from which total on a cell is told from none and half of its 90 %
    interval, both where all of epsilon measures each cell by itself (strategy flat), and by how
    much anybody's odds can move that one unit took part.
    """

    epsilon: str
    detect: float
    cell_half_width: float
    odds_took_part: float
    words: str


@dataclass(frozen=True, slots=True)
class Years:
    """What a budget leaves after this release, which below 0 does not allow it, and how many
    more such releases that pays for.
    """

    budget: str
    spent: str
    remaining_after: str
    such_releases_left: int
    words: str

    @property
    def allows_release(self) -> bool:
        """Whether the budget pays for this release."""
        return not self.remaining_after.startswith("-")


@dataclass(frozen=True, slots=True)
class Preview:
    """A public shape and each strategy's map of it, in grid shape, NaN outside the area."""

    shape: str
    truth: Values
    maps: dict[str, Values]


@dataclass(frozen=True)
class Figures:
    """Holds what a release with this grid and policy is worth, worked out before anything is
    spent. It touched no data.
    """

    grid: Grid
    policy: Policy
    units: int
    each: float
    noise: NoiseFigures
    shown: tuple[PredictedMap, ...]
    promise: tuple[Promised, ...]
    expected: tuple[Expected, ...]
    options: tuple[CellSizeOption, ...]
    advice: str
    previews: tuple[Preview, ...]
    other_noise: str
    readers: tuple[Reader, ...] = ()
    """The tiers of one draw, the noisiest first, of which all else here is about; none where the
    map is for one reader.
    """
    goals: tuple[Goal, ...] = ()
    zones: tuple[ZoneGoal, ...] = ()
    odds: Odds | None = None
    """Of tiers that of whoever holds all of them."""
    choices: tuple[EpsilonChoice, ...] = ()
    years: Years | None = None
    adaptive_times: float = 1.0
    """How many times as wide the bounds of single cells can be with the strategy adaptive as they
    are here, where all of epsilon measures them; 1 where there is no such strategy.
    """
    official: str = ""
    """The name of the official grid that the cells belong to, if there is one."""

    @property
    def survey_shares(self) -> tuple[SurveyShare, ...]:
        """What the noise costs a zone, as the share of the observers without whom a survey would
        be as good.
        """
        cells = survey_cells(self.grid)
        noise = self.noise.variance(cells)
        most = self.adaptive_times**2 * noise
        return tuple(
            SurveyShare(
                cells, points, noise, survey_share(points, noise), survey_share(points, most)
            )
            for points in SURVEY_POINTS
        )

    @property
    def cells_named(self) -> str:
        """What the cells are called in a sentence: an official grid by its name, others by their
        size.
        """
        return f"cells of {self.official}" if self.official else describe_cells(self.grid.cell_text)

    @property
    def on_devices(self) -> float | None:
        """The standard error of a cell at the same epsilon if nobody is trusted: each unit's own
        device randomises one answer (`dpmap local`). None where epsilon or the number of cells is
        out of its reach.
        """
        from dpmap.local.device import Question, better, check_epsilon

        epsilon = self.policy.epsilon
        cells = self.grid.cells_inside
        try:
            check_epsilon(epsilon)
            asked = Question("plan", "plan", "0" * 32, epsilon, better(epsilon, cells), cells)
        except BadInput:
            return None
        return reports_standard_error(self.units, float(asked.truth), float(asked.other))

    def to_dict(self) -> dict[str, Any]:
        """Returns plain values, for JSON."""
        return {
            "grid": {
                "cells": self.grid.cells_inside,
                "cell": self.grid.cell_text,
                "crs": self.grid.crs,
                "codes": list(official.columns(self.grid)),
                "codes_advice": official.advice(self.grid),
                **({"official": self.official.partition(" ")[0]} if self.official else {}),
            },
            "policy": self.policy.to_dict(),
            "units": self.units,
            "points_each": self.each,
            "noise": asdict(self.noise),
            "adaptive_times": self.adaptive_times,
            "survey_shares": [asdict(row) for row in self.survey_shares],
            "on_devices": self.on_devices,
            "promise": [asdict(row) for row in self.promise],
            "shown": [
                {
                    name: None if isinstance(value, float) and not isfinite(value) else value
                    for name, value in asdict(row).items()
                }
                for row in self.shown
            ],
            "expected": [asdict(row) for row in self.expected],
            "options": [asdict(row) for row in self.options],
            "advice": self.advice,
            "other_noise": self.other_noise,
            "goals": [asdict(goal) for goal in self.goals],
            "zones": [asdict(zone) for zone in self.zones],
            "odds": None if self.odds is None else asdict(self.odds),
            "choices": [asdict(choice) for choice in self.choices],
            "years": None if self.years is None else asdict(self.years),
            **(
                {"cost": self.readers[-1].epsilon, "tiers": [asdict(row) for row in self.readers]}
                if self.readers
                else {}
            ),
        }


def describe_cells(cell: str) -> str:
    """Describes the cells in a sentence; an official grid stands there by its name."""
    return f"cells of {cell}" if cell[0].isdigit() and not cell.endswith(" areas") else cell
