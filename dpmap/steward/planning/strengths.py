"""Rehearses how strong a protection is: what caps and epsilons within a budget do to an invented
survey on the steward's own grid.

Nothing is read off a survey and nothing is spent. The survey is capped by the library's own rule
and measured by the session that a release runs; what is counted is the mean of a few rehearsals,
and one of them is drawn.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput, Refused
from dpmap.grid import Grid
from dpmap.inference.posterior_estimate import BelievedEstimate
from dpmap.numbers import decimal_text, exact, part_text
from dpmap.promise.policy import Policy
from dpmap.steward.planning import cost, landscapes
from dpmap.steward.planning.districts import Districts
from dpmap.steward.planning.invented_survey import LANDSCAPE, InventedSurvey, cut_piece
from dpmap.steward.planning.planner import check_units, overlap
from dpmap.steward.planning.strength_pictures import StrengthPainter
from dpmap.steward.planning.tradeoff import rounded_down
from dpmap.steward.simulation import rehearse_map
from dpmap.style import number

if TYPE_CHECKING:
    import os

    from dpmap.maps.totals import TotalsMap

Values = NDArray[np.float64]
Mask = NDArray[np.bool_]

CAPS = (1, 5, 20)
"""Caps that are rehearsed beside the one asked for."""
PARTS = (10, 4, 2)
"""The epsilons rehearsed are these parts of what the budget has left."""
LEAST_LEFT = Fraction(1, 100)
MANY = 30
"""Cells with so many sightings are those of which it is said how many are told from none."""
NEAR = 0.02
"""Of caps whose maps overlap the truth as well but for this much the lowest is recommended."""
FEW = 0.2
FEW_COUNT = ", so it tells where people report more than how much"
"""What is said of a cap that counts less of the sightings than this."""
TOLD = 0.5
"""A district is told if half of its interval is at most this share of its estimate."""
LEVEL = 0.9
RUNS = 4
"""So many rehearsals are averaged."""
SURE_CELLS = 2500
"""Intervals, which take longest, are found for rehearsals of up to so many cells together."""
MOST_EACH = 1000


@dataclass(frozen=True, slots=True)
class RehearsedTruth:
    """The invented survey as it is: a picture in base64 and what it shows."""

    png: str
    words: str


@dataclass(frozen=True, slots=True)
class RehearsedCap:
    """A cap at the middle epsilon: which share of the sightings `counts`, of the cells or districts
    with `MANY` sightings which share is `told` from none (None where there are none), and which
    share of the map lies where the sightings do.
    """

    cap: int
    png: str
    words: str
    recommended: bool
    counts: float
    told: float | None
    overlap: float


@dataclass(frozen=True, slots=True)
class RehearsedStrength:
    """An epsilon that the budget pays: from how many sightings on a cell or district is told from
    none more often than not (None: none is), by how much what counts in a cell is off on the mean,
    how many such maps the budget pays for, and which districts are told within half of what they
    hold (None without districts).
    """

    epsilon: str
    png: str
    words: str
    years_words: str
    odds_words: str
    detect: float | None
    cell_error: float
    maps_left: int
    zones_told: int | None
    zones: int | None
    districts_told: list[str]


@dataclass(frozen=True, slots=True)
class Strengths:
    """Holds what was rehearsed for one budget, cap and size of survey."""

    units: int
    each_reports: float
    budget: str
    left: str
    cap: int
    truth: RehearsedTruth
    caps: list[RehearsedCap]
    strengths: list[RehearsedStrength]

    def to_dict(self) -> dict[str, Any]:
        """Returns plain values, for JSON."""
        return asdict(self)


def rehearse_strengths(
    grid: Grid,
    policy: Policy,
    *,
    budget: object,
    recommend: bool = False,
    spent: object = None,
    units: int = 1000,
    each_reports: object = 10,
    like: "str | os.PathLike[str] | None" = None,
    zones: Any = None,
    zones_layer: str | None = None,
    progress: Callable[[str], None] = lambda step: None,
) -> Strengths:
    """Rehearses caps and epsilons on an invented survey of so many people; `policy` gives the cap
    asked for, the limiter and who is protected, and its epsilon does not matter. With `recommend`
    the epsilons are rehearsed at the cap that is recommended.
    """
    check_units(units)
    each = _read_each(each_reports)
    most, left = _read_left(budget, spent)
    grid = grid.ground
    share = landscapes.invent(LANDSCAPE, grid) if like is None else landscapes.like(like, grid)
    if zones is None:
        piece, chosen = cut_piece(grid, share)
    else:
        piece = grid
        chosen = np.arange(grid.cells_inside)
    held = float(share[chosen].sum())
    districts = Districts.read(piece, zones, zones_layer)
    survey = InventedSurvey.deal(piece, share[chosen], units * held, each)
    rehearsing = _Rehearsing(survey, districts, policy, progress)
    epsilons = [rounded_down(left / part) for part in PARTS]
    where = ""
    if piece is not grid:
        where = f" on {piece.cells_inside:,} of the {grid.cells_inside:,} {districts.noun}s"
    caps = rehearsing.compare_caps(epsilons[1], () if recommend else (policy.cap,))
    cap = policy.cap
    if recommend:
        cap = next(option.cap for option in caps if option.recommended)
    return Strengths(
        units,
        each,
        decimal_text(most),
        decimal_text(left),
        cap,
        rehearsing.draw_truth(where),
        caps,
        rehearsing.compare_strengths(cap, epsilons, left),
    )


def _read_each(each_reports: object) -> float:
    each = exact(each_reports, name="--each-reports")
    if not 1 <= each <= MOST_EACH:
        raise BadInput(
            f"--each-reports: what a person reports on the mean is from 1 to {MOST_EACH:,}, like"
            " --each-reports 10"
        )
    return float(each)


def _read_left(budget: object, spent: object) -> tuple[Fraction, Fraction]:
    """Returns the budget and what is left of it, or refuses if that pays for no map."""
    amounts = cost.read_budget(budget, spent)
    if amounts is None:
        raise Refused("no --budget: add --budget 3, the most epsilon that is ever spent")
    most, gone = amounts
    if most - gone < LEAST_LEFT:
        raise Refused(
            f"--budget: {decimal_text(most - gone)} is left of {decimal_text(most)}, too little for"
            " a map; only a larger budget, declared before it is needed, pays for more"
        )
    return most, most - gone


@dataclass(frozen=True, slots=True)
class _Rehearsed:
    """Holds the rehearsals of one policy: one map that is drawn, and the means of a few.

    `from_none` and `within_half` say of each cell or district in which share of the rehearsals it
    was told from none, and within half of what it holds.
    """

    map_: "TotalsMap"
    estimates: Values
    counts: float
    overlap: float
    cell_error: float
    detect: float | None
    from_none: Values
    within_half: Values


class _Rehearsing:
    """Rehearses one invented survey under several policies, each once."""

    def __init__(
        self,
        survey: InventedSurvey,
        districts: Districts,
        policy: Policy,
        progress: Callable[[str], None],
    ) -> None:
        self._survey = survey
        self._districts = districts
        self._policy = policy
        self._progress = progress
        self._held = districts.totals(survey.truth)
        self._painter = StrengthPainter(districts, self._held)
        self._known: dict[tuple[int, Fraction], _Rehearsed] = {}

    def draw_truth(self, where: str) -> RehearsedTruth:
        """Draws the survey itself, which lies `where`."""
        reports = np.bincount(self._survey.person)
        few = int(np.median(reports))
        half = f"{few:,} or fewer sightings" if few > 1 else "one sighting"
        words = (
            f"An invented survey{where}, not yours: half of the people report {half}, the keenest"
            f" one {int(reports.max()):,}. The maps beside it have its colours, each scaled to what"
            " it counts."
        )
        return RehearsedTruth(self._painter.draw_truth(), words)

    def compare_caps(self, epsilon: Fraction, others: Sequence[int]) -> list[RehearsedCap]:
        """Rehearses each cap at one epsilon, and recommends one of them."""
        caps = sorted({*CAPS, *others})
        rehearsals = [self._rehearse(cap, epsilon) for cap in caps]
        best = max(rehearsed.overlap for rehearsed in rehearsals)
        enough = [rehearsed.overlap >= (1 - NEAR) * best for rehearsed in rehearsals]
        return [
            self._cap(cap, rehearsed, is_recommended=at == enough.index(True))
            for at, (cap, rehearsed) in enumerate(zip(caps, rehearsals, strict=True))
        ]

    def _cap(self, cap: int, rehearsed: _Rehearsed, *, is_recommended: bool) -> RehearsedCap:
        is_large = self._held >= MANY
        large = int(is_large.sum())
        share = float(rehearsed.from_none[is_large].mean()) if large else None
        if share is None:
            of_large = f"no {self._districts.noun} holds {MANY} or more"
        else:
            count = round(share * large)
            of_large = (
                f"of {self._count(large)} with {MANY} or more, {count:,}"
                f" {'is' if count == 1 else 'are'} told from none"
            )
        return RehearsedCap(
            cap,
            self._draw(rehearsed, rehearsed.from_none),
            f"Counts {part_text(rehearsed.counts)} of the sightings"
            f"{FEW_COUNT if rehearsed.counts < FEW else ''}; {of_large}.",
            is_recommended,
            rehearsed.counts,
            share,
            rehearsed.overlap,
        )

    def _count(self, count: int) -> str:
        return f"{count:,} {self._districts.noun}{'' if count == 1 else 's'}"

    def compare_strengths(
        self, cap: int, epsilons: Sequence[Fraction], left: Fraction
    ) -> list[RehearsedStrength]:
        """Rehearses one cap at each epsilon, in rising order."""
        return [self._strength(cap, epsilon, left) for epsilon in epsilons]

    def _strength(self, cap: int, epsilon: Fraction, left: Fraction) -> RehearsedStrength:
        rehearsed = self._rehearse(cap, epsilon)
        noun = self._districts.noun
        names = self._districts.names
        is_told = rehearsed.within_half >= 0.5
        error = number(float(f"{rehearsed.cell_error:.2g}"))
        which = "An area" if noun == "area" else f"A {noun}"
        words = [
            f"What counts in one {'cell' if noun == 'zone' else noun} is off by about {error}."
        ]
        if rehearsed.detect is None:
            words.append(f"Hardly any {noun} is told from none by itself.")
        else:
            total = number(float(f"{rehearsed.detect:.2g}"))
            words.append(f"{which} with about {total} sightings or more is mostly told from none.")
        if names:
            words.append(
                f"Of {self._count(len(names))} {int(is_told.sum()):,} can be told to within half of"
                " what they hold."
            )
        text = decimal_text(epsilon)
        maps = int(left // epsilon)
        return RehearsedStrength(
            text,
            self._draw(rehearsed, rehearsed.within_half),
            " ".join(words),
            f"Pays for {maps:,} maps like this one; one more year costs {text} again.",
            cost.odds(replace(self._policy, epsilon=epsilon), tiers=False).words,
            rehearsed.detect,
            rehearsed.cell_error,
            maps,
            int(is_told.sum()) if names else None,
            len(names) if names else None,
            [name for name, is_sure in zip(names, is_told, strict=True) if is_sure]
            if names
            else [],
        )

    def _draw(self, rehearsed: _Rehearsed, share: Values) -> str:
        """Draws one rehearsal; grey is what less than half of them tell, by their `share`."""
        return self._painter.draw_map(
            rehearsed.map_, rehearsed.estimates, share >= 0.5, rehearsed.counts
        )

    def _rehearse(self, cap: int, epsilon: Fraction) -> _Rehearsed:
        if (cap, epsilon) not in self._known:
            self._progress(f"rehearsing cap {cap} at epsilon {decimal_text(epsilon)}")
            policy = replace(self._policy, cap=cap, epsilon=epsilon)
            self._known[cap, epsilon] = self._repeat(policy)
        return self._known[cap, epsilon]

    def _repeat(self, policy: Policy) -> _Rehearsed:
        grid = self._survey.grid
        truth = self._survey.truth[grid.inside]
        counted = self._survey.capped_totals(policy)
        true = counted[grid.inside]
        sure_runs = int(np.clip(SURE_CELLS // grid.cells_inside, 1, RUNS))
        maps = []
        answers = []
        overlaps = []
        errors = []
        for run in range(RUNS):
            map_ = rehearse_map(counted, grid, policy, strategy="adaptive")
            reading = map_.reading
            if not isinstance(reading, BelievedEstimate):
                raise BadInput(
                    "zones: the grid has too many cells to rehearse them on; type a larger --cell"
                )
            values = reading.values[grid.inside]
            overlaps.append(overlap(truth, values))
            errors.append(np.abs(values - true).mean())
            if run < sure_runs:
                answers.append(self._districts.answers(reading, LEVEL))
                maps.append(map_)
        from_none = np.array([low > 0 for _, low, _ in answers])
        within_half = np.array(
            [(high - low) / 2 <= TOLD * estimate for estimate, low, high in answers]
        )
        return _Rehearsed(
            maps[0],
            answers[0][0],
            float(counted.sum() / truth.sum()),
            float(np.mean(overlaps)),
            float(np.mean(errors)),
            detect_from(np.tile(self._held, len(from_none)), from_none.ravel()),
            from_none.mean(axis=0),
            within_half.mean(axis=0),
        )


def detect_from(totals: Values, is_told: Mask) -> float | None:
    """Returns the total from which on cells are told from none and below which they are not, with
    the fewest exceptions; None if none are. Of several the largest.

    >>> detect_from(np.array([0.0, 1, 2, 9, 10]), np.array([False, True, False, True, True]))
    9.0
    """
    order = np.argsort(totals, kind="stable")
    below = np.append(0, np.cumsum(is_told[order]))
    above = np.append(np.cumsum(~is_told[order][::-1])[::-1], 0)
    exceptions = below + above
    first = len(order) - int(np.argmin(exceptions[::-1]))
    return float(totals[order][first]) if first < len(order) else None
