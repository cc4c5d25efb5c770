"""Takes the error first: which errors a steward can bear, which epsilon keeps them all, and
whether a given one does.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from dpmap.errors import BadInput
from dpmap.grid import Grid
from dpmap.grid.study_area import Shapes
from dpmap.noise.distributions import LAWS, Law
from dpmap.numbers import NumberLike, exact, percent
from dpmap.promise.policy import Policy
from dpmap.steward.planning.results import Goal, ZoneGoal
from dpmap.steward.planning.tradeoff import (
    TOLD,
    Tail,
    as_tail,
    chance_beyond,
    epsilon_for,
    parse_detect,
    parse_error,
)
from dpmap.steward.planning.zone_goals import ZoneGoals
from dpmap.style import number


@dataclass(frozen=True, slots=True)
class Goals:
    """Holds the errors that a steward can bear, each of them or none.

    In a cell measured by itself: `error` bounds the standard error, `tail` is the largest chance of
    a large one, as in "20:1%", and `detect` how many points are to be told from none.
    `within="30%"` says how far the 90 % interval of each of `zones` (a file, of which `layer` is
    read) may reach from its estimate: so large a share of the points expected in it, or that it
    holds where that is more; "30%:80%" asks that of four zones in five. Zones outside the map are
    refused, or left out with `leave_outside`.

    >>> Goals(detect=20).in_cells, Goals(zones="projects.gpkg", within="30%").in_cells
    (True, False)
    """

    error: NumberLike | None = None
    tail: Tail | str | None = None
    detect: NumberLike | None = None
    zones: Shapes | None = None
    within: NumberLike | None = None
    layer: str | None = None
    leave_outside: bool = False

    def __post_init__(self) -> None:
        if (self.zones is None) != (self.within is None):
            raise BadInput(
                "plan: --zones and --within go together, like --zones projects.gpkg --within 30%"
            )
        if self.layer is not None and self.zones is None:
            raise BadInput(
                "plan: --zones-layer is a layer of --zones FILE; add that, or leave it out"
            )

    @property
    def in_cells(self) -> bool:
        """Whether something is asked of the cells."""
        return not self.error is self.tail is self.detect is None

    @property
    def given(self) -> bool:
        """Whether anything is asked."""
        return self.in_cells or self.zones is not None

    def laid(self, grid: Grid, lands: Mapping[str, Any], total: float) -> ZoneGoals | None:
        """Lays the zones on the grid, whose cells hold such shares of all points on each land;
        None if there are none.
        """
        if self.zones is None:
            return None
        return ZoneGoals.laid(
            grid,
            lands,
            total,
            self.zones,
            self.layer,
            parse_within(self.within),
            leave_outside=self.leave_outside,
        )


def parse_within(within: object) -> tuple[Fraction, Fraction]:
    """Reads within which share of its expected total a zone is to be told, and how many of the
    zones.

    >>> [str(part) for part in parse_within("30%")], [str(part) for part in parse_within("0.3:80%")]
    (['3/10', '1'], ['3/10', '4/5'])
    """
    most, mark, share = str(within).partition(":")
    try:
        parts = tuple(_share(part) for part in (most, share if mark else "1"))
    except BadInput:
        raise BadInput(
            "--within: write a share, like 30%, or 30%:80% for four zones in five"
        ) from None
    if not all(0 < part <= 1 for part in parts):
        raise BadInput(
            "--within: shares lie above 0 and not above 100 %, like 30%, or 30%:80% for four zones"
            " in five"
        )
    return parts[0], parts[1]


def _share(text: str) -> Fraction:
    """Reads a share, in per cent if it says so."""
    text = text.strip()
    return exact(text.removesuffix("%"), name="within") / (100 if text.endswith("%") else 1)


def find_policy(
    policy: Policy, goals: Goals, zoned: ZoneGoals | None
) -> tuple[Policy, tuple[ZoneGoal, ...]]:
    """Returns the policy at the least epsilon that keeps all goals, and what is then told of
    each zone; its own epsilon counts nothing.
    """
    if policy.delta is not None or policy.sample is not None:
        raise BadInput(
            "plan: with --delta or a sample give --epsilon; which epsilon an error needs is worked"
            " out without them only"
        )
    least = (
        _needed(policy, error=goals.error, tail=goals.tail, detect=goals.detect)
        if goals.in_cells
        else None
    )
    if zoned is None:
        return replace(policy, epsilon=least or epsilon_for(policy.cap)), ()
    epsilon, rows = zoned.least(policy, least)
    return replace(policy, epsilon=epsilon), rows


def _needed(policy: Policy, **bounds: Any) -> Fraction:
    """Returns the epsilon that these bounds in a cell need, with what goes to choosing a cap."""
    share = Fraction(0) if policy.cap_choice is None else policy.cap_choice.share
    return epsilon_for(policy.cap, **bounds, share=share)


def judge_goals(
    policy: Policy,
    goals: Goals,
    zoned: ZoneGoals | None,
    rows: Sequence[ZoneGoal],
    *,
    sought: bool,
    last_share: Fraction,
) -> tuple[Goal, ...]:
    """Says of each goal whether this policy keeps it, and, where epsilon was `sought`, which of
    them it was set by.

    A goal is kept if it is in cells measured by themselves, with all of epsilon; beside it stands
    what it is in cells that the strategy adaptive measures with its `last_share` of epsilon.
    """
    law, wider = (
        LAWS[policy.noise](policy.scale * policy.lattice / share) for share in (1, last_share)
    )
    both = (law, wider if last_share < 1 else None, policy.lattice)
    judged_goals = [
        make(*both, asked)
        for what, make in _IN_CELLS.items()
        if (asked := getattr(goals, what)) is not None
    ]
    if sought:
        judged_goals = [
            replace(
                judged_goal,
                sets_epsilon=_needed(policy, **{judged_goal.what: getattr(goals, judged_goal.what)})
                == policy.epsilon,
            )
            for judged_goal in judged_goals
        ]
    if zoned is not None:
        judged_goals.append(
            _of_zones(
                zoned,
                rows,
                sets=sought and not any(judged_goal.sets_epsilon for judged_goal in judged_goals),
            )
        )
    return tuple(judged_goals)


BY_ITSELF = "a cell that all of epsilon measures by itself, as the strategy flat does"


def _error(law: Law, wider: Law | None, lattice: int, error: object) -> Goal:
    most = float(parse_error(error))
    reached = law.deviation / lattice
    words = (
        f"a standard error of at most {number(most)} points in {BY_ITSELF} (it is {number(reached)}"
    )
    there = (
        ""
        if wider is None
        else f"; up to {number(wider.deviation / lattice)} in single cells of adaptive, the default"
    )
    return _goal("error", most, reached, f"{words}{there})")


def _tail(law: Law, wider: Law | None, lattice: int, tail: Tail | str) -> Goal:
    beyond, asked = as_tail(tail)
    reached = chance_beyond(law, lattice, beyond)
    words = (
        f"a chance of at most {asked * 100:.3g} % to be off by more than {number(beyond)} points,"
        f" in {BY_ITSELF} (it is {reached * 100:.3g} %"
    )
    there = (
        ""
        if wider is None
        else (
            f"; up to {chance_beyond(wider, lattice, beyond) * 100:.3g} % in single cells of"
            " adaptive, the default"
        )
    )
    return _goal("tail", asked, reached, f"{words}{there})")


def _detect(law: Law, wider: Law | None, lattice: int, detect: object) -> Goal:
    most = float(parse_detect(detect))
    reached = law.detectable(TOLD) / lattice
    words = (
        f"{number(most)} points are told from none in {BY_ITSELF} (from about {number(reached)}"
        " on, half of the time, at 90 %"
    )
    there = (
        ""
        if wider is None
        else (
            "; single cells of adaptive, the default, from about"
            f" {number(wider.detectable(TOLD) / lattice)} on"
        )
    )
    return _goal("detect", most, reached, f"{words}{there})")


_IN_CELLS: dict[str, Any] = {"error": _error, "tail": _tail, "detect": _detect}


def _of_zones(zoned: ZoneGoals, rows: Sequence[ZoneGoal], *, sets: bool) -> Goal:
    reached = zoned.reached(rows)
    is_kept = zoned.kept(rows)
    how_many = "all" if zoned.needed == len(rows) else f"at least {zoned.needed:,}"
    words = (
        f"{how_many} of {len(rows):,} zones told to within {percent(zoned.within)} of the points"
        " expected in them, or that they hold where that is more, in nine maps of ten"
        f" ({sum(row.kept for row in rows):,} are)"
    )
    finite = None if reached == float("inf") else reached
    return Goal(
        "zones", float(zoned.within), finite, is_kept, sets, _sentence(words, is_kept=is_kept)
    )


def _goal(what: str, asked: float, reached: float, words: str) -> Goal:
    is_kept = reached <= asked
    return Goal(
        what, asked, reached, is_kept, sets_epsilon=False, words=_sentence(words, is_kept=is_kept)
    )


def _sentence(words: str, *, is_kept: bool) -> str:
    return f"{'Kept' if is_kept else 'Not kept'}: {words}."
