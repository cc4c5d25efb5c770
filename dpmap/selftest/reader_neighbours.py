"""Checks releases from files on: two files that differ in one person are released many times and
told apart by outputs alone.

`neighbours` writes the files. Of each pair one release with much epsilon shows which event to look
at: that the answers are likelier with her than without. Then both files are released anew at a
small epsilon, as anybody would, and how often the event happens bounds the epsilon that was really
spent (`strength.few_bound`). Pairs that the first few releases do not tell apart are let go; to
stop early in that way can only miss a fault, and those that matter move the map by dozens.
"""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np

from dpmap.engines.duckdb import DuckDB
from dpmap.errors import BadInput, Refused
from dpmap.grid import Grid
from dpmap.ledger.ledger import Ledger
from dpmap.promise.policy import Policy
from dpmap.selftest import statistics
from dpmap.selftest.check import Broken, CheckResult, Effort
from dpmap.selftest.neighbour_files import PAIRS, PEOPLE, TEXTS, TYPED, TYPELESS, WIDE, Pair
from dpmap.steward.release_run import release
from dpmap.survey import read

DATASET = "An invented survey"
EPSILON = Fraction(1, 4)
LOOK = Fraction(20)
FIRST = 6
WHOLE = 28
"""Releases of each file at first, and where these tell the two apart."""


@dataclass(frozen=True, slots=True)
class NeighbourJob:
    """Names a pair, and how many releases to make of each of its files."""

    pair: str
    first: int
    whole: int


@dataclass(frozen=True, slots=True)
class Tried:
    """Says what became of a pair: how many releases were made, and the largest loss they show,
    if any were.
    """

    releases: int
    bound: float


class NeighbourSide:
    """Releases one file of a pair: read anew each time, against one ledger."""

    def __init__(self, pair: Pair, folder: Path, *, her: bool) -> None:
        self.pair = pair
        self.ledger = folder / f"{her}.ledger"
        folder_of_side = folder / f"{her}"
        folder_of_side.mkdir()
        self.path = pair.write(folder_of_side, pair.hers if her else ())
        self._grid = Grid(bounds=(0, 0, WIDE, 1), shape=(1, WIDE), crs="EPSG:4326", axes=pair.axes)

    def answers(self, epsilon: Fraction, times: int = 1) -> statistics.Numbers:
        """Returns the cells of so many releases, a row for each."""
        return np.array([self._released(epsilon) for _ in range(times)])

    def spent(self) -> Fraction:
        """Returns what its ledger says was spent."""
        return Ledger(self.ledger).balance()[1] if self.ledger.exists() else Fraction(0)

    def _released(self, epsilon: Fraction) -> statistics.Numbers:
        pair = self.pair
        survey = read(self.path, **pair.reading)
        policy = Policy(
            epsilon=epsilon,
            unit=pair.unit,
            cap=1,
            limiter=pair.limiter,
            consent=pair.consent,
            **pair.policy,
        )
        made = release(
            survey,
            self._grid,
            policy,
            ledger=self.ledger,
            dataset=DATASET,
            budget=10**6,
            strategy="flat",
            engine=DuckDB(threads=1),
        )
        values: statistics.Numbers = made.measurements[0].values
        return values


def try_pair(job: NeighbourJob) -> Tried:
    """Tries one pair in a folder of its own: fails if its files are surely told apart by more
    than epsilon.
    """
    pair = PAIRS[job.pair]
    with tempfile.TemporaryDirectory(prefix="dpmap-proof-") as folder:
        sides = [NeighbourSide(pair, Path(folder), her=her) for her in (True, False)]
        try:
            looks = [side.answers(LOOK)[0] for side in sides]
        except (BadInput, Refused) as refusal:
            return _refused(sides, refusal)
        if abs(looks[1].sum() - PEOPLE) > 10:
            raise Broken(f"{pair.name}: of {PEOPLE} people {looks[1].sum():.0f} are read")
        hits = np.zeros(2, dtype=int)
        runs = 0
        wanted = job.first
        while runs < wanted:
            hits += [_looks_like_her(side.answers(EPSILON, wanted - runs), looks) for side in sides]
            runs = wanted
            if hits[0] - hits[1] >= runs - runs // 6:
                wanted = job.whole
        return Tried(2 + 2 * runs, _bound(pair, int(hits[0]), int(hits[1]), runs))


def _refused(sides: Sequence[NeighbourSide], refusal: Exception) -> Tried:
    """Checks that a pair is refused only by the rule that it breaks."""
    pair = sides[0].pair
    if not pair.refusal or pair.refusal not in str(refusal):
        raise Broken(
            f"{pair.name}: a file with one odd person in it is not read: {refusal}"
        ) from None
    if sides[0].spent() or sides[1].spent():
        raise Broken(
            f"{pair.name}: the file is refused after something was spent: {refusal}"
        ) from None
    return Tried(0, 0.0)


def _looks_like_her(answers: statistics.Numbers, looks: Sequence[statistics.Numbers]) -> int:
    """Counts the releases that are likelier with her than without."""
    with_her, without = (
        np.abs(answers - look).sum(axis=tuple(range(1, answers.ndim))) for look in looks
    )
    return int((with_her < without).sum())


def _bound(pair: Pair, hits: int, others: int, runs: int) -> float:
    """Returns the loss that is surely there, by the event or by its opposite."""
    ways = ((hits, others), (runs - others, runs - hits))
    bound = max(
        statistics.few_bound(one, runs, other, runs, statistics.CHANCE) for one, other in ways
    )
    if bound > EPSILON:
        raise Broken(
            f"{pair.name}: one person's rows tell in {hits} of {runs} releases with her, and in"
            f" {others} of {runs} without, so epsilon is at least {bound:.3f} instead of {EPSILON}"
        )
    return bound


def _all(pairs: Sequence[Pair], effort: Effort) -> CheckResult:
    """Tries all pairs of a check, side by side."""
    whole = effort.many(WHOLE, least=WHOLE)
    first = whole if effort.deep else effort.many(FIRST, least=3)
    results = list(
        effort.spread(try_pair, [NeighbourJob(pair.name, first, whole) for pair in pairs])
    )
    refused = sum(not result.releases for result in results)
    bound = max(result.bound for result in results)
    releases = sum(result.releases for result in results)
    words = (
        f"{len(results)} pairs of files ({refused} refused), {releases} releases: epsilon {EPSILON}"
        f" is at least {bound:.2f}"
    )
    caught = statistics.caught_shift(whole, float(EPSILON), statistics.CHANCE)
    return CheckResult(words, f"one who changes the rows of {caught:.0f} others")


def texts(effort: Effort) -> CheckResult:
    """Tries tables of text: with and without a header, in parts, joined to events, with teams."""
    return _all(TEXTS, effort)


def records(effort: Effort) -> CheckResult:
    """Tries files whose records name their own fields."""
    return _all(TYPELESS, effort)


def tables(effort: Effort) -> CheckResult:
    """Tries formats that keep a schema of their own."""
    return _all(TYPED, effort)
