"""Checks what a session's answers tell about one unit: the loss seen from outside is bounded from
below and compared with epsilon.

Two neighbouring surveys, hard ones for each limiter, are capped by the engine. A strategy is run
over both, many times. On the first fifth of the runs the event is sought that tells the two apart
best; on the rest its two probabilities are bounded (Clopper and Pearson), and the log of their
ratio must not pass the claimed epsilon. Events are thresholds on:

* the log-likelihood ratio of *all* answers, under the stated law and whatever partitions were
  chosen: the most powerful event there is against noise of the wrong size; noisier copies of later
  answers add nothing to it;
* the same with those added, as if their noise were their own: it shows copies that are none;
* the least excess among the regions that the unit touches, so an event over several cells;
* the total of the last answers, and the number of regions of each: what a strategy that peeks would
  show.
"""

import math
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpmap import strategies
from dpmap.grid import Grid
from dpmap.promise.limiters import LIMITERS, LimiterName
from dpmap.record import Measurement
from dpmap.selftest import cap, statistics
from dpmap.selftest.check import Broken, CheckResult, Effort, replace_attribute
from dpmap.vault import mechanism as room
from dpmap.vault.correlated_laplace import laplace_with_copies
from dpmap.vault.laplace import discrete_laplace
from dpmap.vault.session import Session

EPSILON = Fraction(2)
CAP = 5
LATTICE = cap.policy("scale", "column", CAP).lattice
EXPLORED = 0.2
POOL = 1 << 15
Steps = NDArray[np.int64]
Features = NDArray[np.float64]


def worst(limiter: str) -> cap.Rows:
    """Makes the rows of the unit that comes and goes: over the cap in one cell, shared by two,
    or a point in each of many.
    """
    if LIMITERS[limiter].by_cell:
        return [cap.row("ana", cell) for cell in (0, 1, 2, 5, 6, 7, 10, 11, 12)]
    cells = (6,) if limiter == "scale" else (6, 6, 7)
    return [cap.row("ana", cell) for cell in cells * 14]


def community() -> cap.Rows:
    """Makes the others' rows: each under the cap and once in a cell, so that all limiters count
    them alike.
    """
    return [
        cap.row(f"p{person}", (person + 6 * visit) % 20)
        for person in range(12)
        for visit in range(person % 6)
    ]


def totals(limiter: LimiterName) -> tuple[Steps, Steps]:
    """Returns capped totals of every cell with the unit and without it, from the engine."""
    counter = cap.Counter(cap.policy(limiter, "column", CAP), "column")
    with tempfile.TemporaryDirectory(prefix="dpmap-proof-") as folder:
        pair_totals = [
            counter.totals(rows, Path(folder))
            for rows in ([*worst(limiter), *community()], community())
        ]
    one_totals, there = (
        np.array([cells.get(cell, 0) for cell in range(cap.grid().size)]) for cells in pair_totals
    )
    return one_totals, there


class Tap:
    """Draws the vault's own noise many at a time and hands it out in small parts, none twice,
    since small draws are slow.
    """

    def __init__(self) -> None:
        self._pools: dict[tuple[Fraction, ...], tuple[list[Steps], int]] = {}

    def draw(self, count: int, scale: Fraction, *, source: str = "dpmap") -> Steps:
        """Replaces `discrete_laplace`."""
        return self._part(
            count, (scale,), lambda many: [discrete_laplace(many, scale, source=source)]
        )[0]

    def chains(self, count: int, scales: Sequence[Fraction]) -> list[Steps]:
        """Replaces `laplace_with_copies`."""
        return self._part(count, tuple(scales), lambda many: laplace_with_copies(many, scales))

    def _part(
        self, count: int, scales: tuple[Fraction, ...], draw: Callable[[int], list[Steps]]
    ) -> list[Steps]:
        """Returns the next draws of this kind."""
        pool, at = self._pools.get(scales, ([np.empty(0, dtype=np.int64)], 0))
        if at + count > len(pool[0]):
            pool = draw(max(POOL, count))
            at = 0
        self._pools[scales] = (pool, at + count)
        return [one[at : at + count] for one in pool]


@dataclass(frozen=True, slots=True)
class AuditJob:
    """Describes some runs of a strategy over one survey, judged against each pair (with the
    unit, without it) in `pairs`.
    """

    strategy: str
    at_once: bool
    steps: Steps
    pairs: tuple[tuple[Steps, Steps], ...]
    runs: int


def run(job: AuditJob) -> list[Features]:
    """Returns for each pair the features of every run, a row for each run."""
    if job.at_once:
        made = ask(job.strategy, job.steps, job.runs)
        return [_features(made, pair, job.runs) for pair in job.pairs]
    tap = Tap()
    with (
        replace_attribute(room, "discrete_laplace", tap.draw),
        replace_attribute(room, "laplace_with_copies", tap.chains),
    ):
        every = [ask(job.strategy, job.steps) for _ in range(job.runs)]
    return [np.concatenate([_features(made, pair, 1) for made in every]) for pair in job.pairs]


def ask(strategy: str, steps: Steps, copies: int = 1) -> tuple[Measurement, ...]:
    """Returns what one session answers over that many copies of the survey side by side, after
    checking its bill.
    """
    rows = cap.HIGH * copies
    grid = (
        cap.grid()
        if copies == 1
        else Grid(bounds=(0, 0, cap.WIDE, rows), shape=(rows, cap.WIDE), crs="EPSG:3857")
    )
    session = Session(np.tile(steps / LATTICE, copies), grid, EPSILON, CAP, LATTICE)
    strategies.find_strategy(strategy)(session)
    spent = sum((one.epsilon for one in session.made), Fraction(0))
    if spent > EPSILON or session.left != EPSILON - spent:
        raise Broken(
            f"{strategy}: of an epsilon of {EPSILON}, answers worth {spent} were made and"
            f" {session.left} is left"
        )
    if any(one.scale * one.epsilon != CAP for one in session.made):
        raise Broken(f"{strategy}: the stated noise of an answer is not that of its cap and share")
    return session.made


def _features(made: tuple[Measurement, ...], pair: tuple[Steps, Steps], copies: int) -> Features:
    """Returns both log-likelihood ratios, the least excess, the total, and the regions of up to
    three answers.
    """
    ratio, every, least, sums = (np.zeros(copies) for _ in range(4))
    regions = np.zeros((copies, 3))
    for number, (one, last) in enumerate(zip(made, final_answers(made), strict=True)):
        labels = one.partition.labels.ravel()[: cap.grid().size]
        count = one.partition.regions // copies
        one_sums, there = (sum_regions(labels, steps, count) for steps in pair)
        scale, answers = (
            part.reshape(copies, -1) for part in (one.scales * one.lattice, one.steps)
        )
        each = (np.abs(answers - there) - np.abs(answers - one_sums)) / scale
        ratio = ratio + (each * last.reshape(copies, -1)).sum(1)
        every = every + each.sum(1)
        least = ((answers - (one_sums + there) / 2) / scale)[:, one_sums != there].min(
            1, initial=99
        )
        sums = (answers / scale).sum(1)
        regions[:, min(number, 2)] = count
    return np.column_stack([ratio, every, least, sums, regions])


def final_answers(made: Sequence[Measurement]) -> list[NDArray[np.bool_]]:
    """Returns for each measurement which of its answers are more than noisier copies of the next
    one's, counted here cell by cell.
    """
    masks = [np.ones(one.partition.regions, dtype=np.bool_) for one in made]
    for one, after, last in zip(made, made[1:], masks, strict=False):
        again = np.append(after.pooled, 0)[after.partition.labels] > 0
        last[one.partition.labels[again]] = False
    return masks


def sum_regions(labels: NDArray[np.int32], steps: Steps, regions: int) -> Steps:
    """Returns region totals, counted here."""
    sums = np.zeros(regions, dtype=np.int64)
    np.add.at(sums, labels[labels >= 0], steps[labels >= 0])
    return sums


Event = tuple[int, float, bool]


def _happens(features: Features, event: Event) -> NDArray[np.bool_]:
    column, threshold, above = event
    answer: NDArray[np.bool_] = (
        features[:, column] >= threshold if above else features[:, column] <= threshold
    )
    return answer


def best_event(one: Features, other: Features) -> Event:
    """Returns the event that shows the largest loss from one to the other, allowing for luck of
    two deviations.
    """
    best = -math.inf
    choice = (0, 0.0, True)
    for column in range(one.shape[1]):
        both = np.concatenate([one[:, column], other[:, column]])
        for threshold in np.unique(np.quantile(both, np.linspace(0.02, 0.98, 33))).tolist():
            for above in (True, False):
                event = (column, threshold, above)
                hits, others = (int(_happens(part, event).sum()) for part in (one, other))
                shown = statistics.loss_bound(hits, len(one), others, len(other), 0.05)
                if shown > best:
                    best = shown
                    choice = event
    return choice


def check_loss(one: Features, other: Features, claimed: float, what: str) -> tuple[float, float]:
    """Returns (bound, strength); fails if the loss from one to the other is surely above the
    claim.
    """
    cut = round(EXPLORED * len(one))
    other_cut = round(EXPLORED * len(other))
    event = best_event(one[:cut], other[:other_cut])
    hits = int(_happens(one[cut:], event).sum())
    others = int(_happens(other[other_cut:], event).sum())
    runs = len(one) - cut
    other_runs = len(other) - other_cut
    bound = statistics.loss_bound(hits, runs, others, other_runs, statistics.BOUND_CHANCE)
    if bound > claimed:
        raise Broken(
            f"{what}: an event tells the two surveys apart by at least {bound:.3f}, more than"
            f" epsilon {claimed:g}"
        )
    return bound, statistics.caught_loss(
        hits, runs, others, other_runs, claimed, statistics.BOUND_CHANCE
    )


def flat(effort: Effort) -> CheckResult:
    """Checks the flat strategy, with many copies of the surveys side by side in one session."""
    return _losses(effort, "flat", effort.many(150_000, least=20_000), at_once=True)


def adaptive(effort: Effort) -> CheckResult:
    """Checks the adaptive strategy: three measurements, each chosen from earlier answers; large
    maps' fourth is alike.

    More cores make more runs in the same time.
    """
    return _losses(effort, "adaptive", effort.many(2_500 * min(effort.cores, 8), least=200))


def _losses(effort: Effort, strategy: str, runs: int, *, at_once: bool = False) -> CheckResult:
    """Measures one strategy under every limiter, in both directions; the runs without the unit
    serve all limiters.
    """
    pairs = tuple(totals(limiter) for limiter in cap.LIMITERS)
    there = pairs[0][1]
    if any((there != other).any() for _, other in pairs):
        raise Broken("units under the cap are counted differently by different limiters")
    kinds = [(pair[0], (pair,), runs) for pair in pairs] + [(there, pairs, 2 * runs)]
    jobs = [
        [AuditJob(strategy, at_once, steps, judged, part) for part in effort.shares(count)]
        for steps, judged, count in kinds
    ]
    results = effort.spread(run, [job for kind in jobs for job in kind])
    with_unit = [np.concatenate([next(results)[0] for _ in kind]) for kind in jobs[:-1]]
    without_unit = [np.concatenate(parts) for parts in zip(*results, strict=True)]
    bounds = []
    caught = []
    for limiter, one, other in zip(cap.LIMITERS, with_unit, without_unit, strict=True):
        what = f"limiter {limiter}, strategy {strategy}"
        ways = [check_loss(*way, float(EPSILON), what) for way in ((one, other), (other, one))]
        bounds.append(max(bound for bound, _ in ways))
        caught.append(min(strong for _, strong in ways))
    total = sum(count for _, _, count in kinds)
    likeliest, least = (cap.LIMITERS[int(pick(caught))] for pick in (np.argmin, np.argmax))
    return CheckResult(
        f"{total:,} runs, {len(pairs)} limiters: epsilon {EPSILON} is at least {min(bounds):.2f}",
        f"epsilon {min(caught):.2f}x ({likeliest}) to {max(caught):.2f}x ({least})",
    )
