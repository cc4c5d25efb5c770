"""What a plan for several seasons holds: the ways to spend the budget, each with its seasons."""

from dataclasses import dataclass
from fractions import Fraction

from dpmap.grid import Grid
from dpmap.numbers import decimal_text
from dpmap.promise.policy import Policy


@dataclass(frozen=True, slots=True)
class SeasonPlanned:
    """What one season's map is expected to tell; None where there is no map, or nothing yet to hold
    it against.

    - `epsilon`: what it costs; None in a season without a map, in which the stack is that of the
      maps so far.
    - `cell_error`: its mean absolute error of a cell. `detect`: from which total on a cell measured
      by itself is told from none.
    - `stack_error`: how much the newest map is off a cell when it is read with all before (`dpmap
      series`), if the shape stays. Where it jumps, that map is as it is alone.
    - `change_patch`, `change_zone`, `change_whole`: the smallest change since the map before that
      is told.
    - `trend_zone`, `trend_whole`: half the 90 % interval of how much a zone, and the whole area,
      gain or lose a season, from all maps so far.
    """

    season: int
    epsilon: str | None
    cell_error: float | None
    detect: float | None
    stack_error: float
    change_patch: float | None
    change_zone: float | None
    change_whole: float | None
    trend_zone: float | None
    trend_whole: float | None


@dataclass(frozen=True, slots=True)
class Way:
    """One way to spend the budget: its `scheme` as the ledger calls it, how many `releases` it
    makes, each season, and the line to type.
    """

    scheme: str
    releases: int
    seasons: tuple[SeasonPlanned, ...]
    command: str

    @property
    def newest(self) -> SeasonPlanned:
        """The last season that has a map."""
        return [season for season in self.seasons if season.epsilon is not None][-1]


@dataclass(frozen=True, slots=True)
class Suited:
    """What suits one question: the `scheme`, why, and the line to type."""

    question: str
    scheme: str
    words: str
    command: str


@dataclass(frozen=True)
class PlannedYears:
    """The values of a plan for several seasons, which its texts and pictures show."""

    grid: Grid
    policy: Policy
    units: int
    each: float
    years: int
    budget: str
    spent: str
    lands: tuple[str, ...]
    ways: tuple[Way, ...]
    advice: tuple[Suited, ...]

    @property
    def total(self) -> str:
        """What the seasons may spend together."""
        return decimal_text(Fraction(self.budget) - Fraction(self.spent))
