"""Checks whole runs: from a survey file to a saved release and back, many times, against one
ledger.

The true totals are known here, since the survey is invented: what a release holds minus them is its
noise.
"""

import math
import tempfile
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import cycle, islice, product
from pathlib import Path

import numpy as np

from dpmap import strategies
from dpmap.errors import BudgetExceeded
from dpmap.grid import Grid
from dpmap.ledger.ledger import Ledger
from dpmap.promise.policy import Policy
from dpmap.record import Measurement, Record
from dpmap.record.release_file import read_record
from dpmap.releases.release import Release
from dpmap.selftest import cap, privacy_audit, statistics
from dpmap.selftest.check import Broken, CheckResult, Effort
from dpmap.steward.release_run import release
from dpmap.survey import read

DATASETS = {"who": "An invented survey", "row": "An invented survey by row"}
"""By the unit that a run protects: a data set has one unit, and all of a ledger's data sets
share one budget.
"""
EPSILON = Fraction(1, 3)
NAME = "zweigbert ottokar"
"""A contributor whose name must be in no release."""
FINE = 8
"""Each of the twenty cells in 64: many noisy totals in each run."""


def plans() -> Iterator[tuple[Policy, str]]:
    """Yields policy and strategy of one run after the other: every limiter and strategy, caps
    declared and chosen, and both units by turns, so that the fewest runs try each.
    """
    caps = ("1", "5", "auto:0.1:2-7")
    every = product(cap.LIMITERS, caps, strategies.STRATEGIES, ("who", "row"))
    for limiter, count, strategy, unit in cycle(list(every)):
        yield (
            Policy(epsilon=EPSILON, unit=unit, cap=count, limiter=limiter, consent="consent=yes"),
            strategy,
        )


@dataclass(frozen=True, slots=True)
class StatedNoise:
    """Holds noise of one stated scale in one measurement, in steps."""

    steps: statistics.Draws
    scale: Fraction


def survey_rows() -> cap.Rows:
    """Makes an invented survey, some of whose people go over every cap."""
    people = [cap.row(NAME, 7 * i % 20) for i in range(31)]
    return people + cap.over_spread() + cap.half_refused() + cap.others()


def noise_of(made: Sequence[Measurement], totals: cap.Cells) -> list[StatedNoise]:
    """Returns the answers minus the true totals of their regions, apart by scale, and without
    noisier copies of later ones.
    """
    noises = []
    for measured, settled in zip(made, privacy_audit.final_answers(made), strict=True):
        truth = np.zeros(measured.partition.regions, dtype=np.int64)
        labels = measured.partition.labels.ravel()
        for cell, steps in totals.items():
            if labels[cell] >= 0:
                truth[labels[cell]] += steps
        for pooled, scale in enumerate(measured.pooled_scales):
            steps = (measured.steps - truth)[settled & (measured.pooled == pooled)]
            noises += [StatedNoise(steps, scale * measured.lattice)] if len(steps) else []
    return noises


def _runs(job: tuple[str, int, int]) -> list[list[StatedNoise]]:
    """Makes some runs in a folder that other processes use too, and returns the noise of each
    run's measurements.
    """
    place, first, count = job
    rows = survey_rows()
    noises = []
    with tempfile.TemporaryDirectory(prefix="dpmap-proof-") as folder:
        path = Path(folder) / "survey.csv"
        cap.write(rows, path)
        for policy, strategy in islice(plans(), first, first + count):
            noises.append(_run(rows, path, Path(place) / "shared.ledger", policy, strategy))
    return noises


def _run(
    rows: cap.Rows, path: Path, ledger: Path, policy: Policy, strategy: str
) -> list[StatedNoise]:
    """Makes one release and its file, and checks what both say."""
    survey = read(path, x="x", y="y", crs="EPSG:3857")
    made = release(
        survey,
        cap.grid(FINE),
        policy,
        ledger=ledger,
        dataset=DATASETS[policy.unit],
        strategy=strategy,
    )
    if not made.fresh:
        raise Broken("a release that was just made does not say so")
    fixed = made.policy
    if fixed.choosing + sum(measurement.epsilon for measurement in made.measurements) != EPSILON:
        raise Broken("the measurements and the choice of the cap do not add up to epsilon")
    if any(
        measurement.scale * measurement.epsilon != fixed.cap for measurement in made.measurements
    ):
        raise Broken("a measurement's stated noise is not that of its cap and share")
    saved = path.with_name("release.dpmap")
    saved.unlink(missing_ok=True)  # of the run before: no release replaces another
    made.save(saved)
    opened = read_record(saved)
    _check_file(saved, made, opened)
    Ledger(ledger).attests(event=opened.receipt.event, head=opened.receipt.head)
    kind = "row" if fixed.unit == "row" else "column"
    totals = cap.Counter(fixed, kind, fine=FINE).counted(rows)
    return noise_of(opened.measurements, totals)


def _check_file(saved: Path, made: Release, opened: Record) -> None:
    """Checks that the file holds what was made, says that it was received, and names nobody."""
    same = all(
        (a.steps == b.steps).all()
        for a, b in zip(made.measurements, opened.measurements, strict=True)
    )
    if not same or opened.fresh:
        raise Broken("a release file does not hold what was released, or passes for freshly made")
    with zipfile.ZipFile(saved) as archive:
        if any(NAME.encode() in archive.read(name).lower() for name in archive.namelist()):
            raise Broken("a release file names a contributor")


def whole(effort: Effort) -> CheckResult:
    """Checks many whole runs against one ledger, the noise of all put together."""
    runs = effort.many(200, least=12)
    with tempfile.TemporaryDirectory(prefix="dpmap-proof-") as place:
        ledger = Ledger(Path(place) / "shared.ledger")
        releases = runs + len(DATASETS)
        for dataset in DATASETS.values():
            ledger.reserve(dataset=dataset, epsilon=EPSILON, budget=releases * EPSILON, details={})
        parts = effort.shares(runs)
        jobs = [(place, sum(parts[:number]), part) for number, part in enumerate(parts)]
        noises = [one for part in effort.spread(_runs, jobs) for one in part]
        _check_ledger(ledger, releases)
    ratio = check_noise(noises, "whole runs")
    return CheckResult(
        f"{runs} runs from file to file, one ledger, {sum(map(_size, noises)):,} noisy totals",
        f"noise {ratio} too wide or narrow",
    )


def _size(run: list[StatedNoise]) -> int:
    return sum(one.steps.size for one in run)


def _check_ledger(ledger: Ledger, releases: int) -> None:
    """Checks that exactly what was released was spent, to the last digit."""
    budget, spent = ledger.balance()
    reservations = [event.body for event in ledger.events() if event.body["kind"] == "reserve"]
    if (
        budget != spent
        or len(reservations) != releases
        or len({body["release"] for body in reservations}) != releases
    ):
        raise Broken(f"the ledger says {spent} of {budget} after {releases} releases of {EPSILON}")
    try:
        ledger.reserve(dataset=DATASETS["who"], epsilon=Fraction(1, 10**4), budget=None, details={})
    except BudgetExceeded:
        return
    raise Broken("the ledger let a release pass that it cannot afford")


def check_noise(noises: list[list[StatedNoise]], what: str) -> str:
    """Breaks unless all noise is as wide as stated and independent of other noise: of its neighbour
    and of one half the measurement away, of the same region in the measurement before and in the
    run before.
    """
    ratios = []
    spread = 1.0
    pairs = defaultdict[str, list[np.ndarray]](list)
    before: list[StatedNoise] = []
    for run in noises:
        standard = [_even(one) for one in run]
        for number, one in enumerate(run):
            mean, deviation = statistics.standard_size(one.scale)
            ratios.append(np.abs(one.steps) / mean)
            spread = max(spread, deviation / mean)
            pairs["neighbouring regions"].append(_pair(standard[number][1:], standard[number][:-1]))
            pairs["halves"].append(
                _pair(standard[number], standard[number][(len(one.steps) + 1) // 2 :])
            )
            if number:
                pairs["successive measurements"].append(
                    _pair(standard[number], standard[number - 1])
                )
        if before:
            pairs["successive runs"].append(_pair(standard[-1], _even(before[-1])))
        before = run
    for which, parts in pairs.items():
        one, other = np.concatenate(parts, axis=1)
        statistics.check_unrelated(one, other, f"{what}, {which}")
    signs = np.sign(np.concatenate([one.steps for run in noises for one in run])).astype(float)
    statistics.check_unrelated(signs, np.ones(len(signs)), f"{what}, signs")
    return statistics.check_size(np.concatenate(ratios), spread, what)


def _even(noise: StatedNoise) -> np.ndarray:
    """Brings the noise to an even spread about 0, of variance 1, so that no extreme draw
    dominates a correlation.
    """
    sizes = -np.expm1(-np.abs(noise.steps) / float(noise.scale))
    return np.sign(noise.steps) * sizes * math.sqrt(3)


def _pair(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Cuts two series to the length of the shorter one."""
    length = min(len(one), len(other))
    return np.stack([one[:length], other[:length]])


TOWNS = 4000
"""Cells of the survey of `files` and `sampled`: every second one has somebody in it, far over
the cap.
"""


def files(effort: Effort) -> CheckResult:
    """Releases the same survey again and again: each cell is one trial of telling somebody from
    nobody.
    """
    runs = effort.many(25, least=4)
    policies = [_towns_policy()] * runs
    ratios = np.concatenate([_ratios(one) for one in effort.spread(_towns, policies)])
    with_someone = ratios[0::2, None]
    with_nobody = ratios[1::2, None]
    seen = [
        privacy_audit.check_loss(*way, float(privacy_audit.EPSILON), "files")
        for way in ((with_someone, with_nobody), (with_nobody, with_someone))
    ]
    bound = max(bound for bound, _ in seen)
    caught = min(strong for _, strong in seen)
    return CheckResult(
        f"{runs} releases of {TOWNS:,} cells: epsilon {privacy_audit.EPSILON} is at least"
        f" {bound:.2f}",
        f"epsilon {caught:.2f}x as large",
    )


def _towns_policy(
    epsilon: Fraction = privacy_audit.EPSILON, sample: Fraction | None = None
) -> Policy:
    return Policy(
        epsilon=epsilon, unit="who", cap=privacy_audit.CAP, limiter="scale", sample=sample
    )


def _towns(policy: Policy) -> Measurement:
    """Returns the answers of one whole run, read from its file."""
    grid = Grid(bounds=(0, 0, TOWNS, 1), shape=(1, TOWNS), crs="EPSG:3857")
    rows = [
        cap.NamedRow(f"p{cell}", (f"p{cell}",), cell + 0.5, 0.5)
        for cell in range(0, TOWNS, 2)
        for _ in range(9)
    ]
    with tempfile.TemporaryDirectory(prefix="dpmap-proof-") as folder:
        path = Path(folder) / "survey.csv"
        saved = Path(folder) / "release.dpmap"
        cap.write(rows, path)
        survey = read(path, x="x", y="y", crs="EPSG:3857")
        made = release(
            survey,
            grid,
            policy,
            ledger=Path(folder) / "x.ledger",
            dataset=DATASETS["who"],
            budget=100,
            strategy="flat",
        )
        made.save(saved)
        return read_record(saved).measurements[0]


def _ratios(one: Measurement) -> statistics.Numbers:
    """Returns the log-likelihood ratio of every cell."""
    ratios: statistics.Numbers = (
        np.abs(one.values) - np.abs(one.values - privacy_audit.CAP)
    ) / float(one.scale)
    return ratios
