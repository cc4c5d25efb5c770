"""Checks Gaussian noise: the sampler's exact law, what (epsilon, delta) buys, the length of a
unit, whole runs.
"""

import math
import tempfile
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import special

from dpmap.errors import BudgetExceeded, DpmapError, Refused
from dpmap.grid import Partition
from dpmap.ledger.ledger import Ledger
from dpmap.noise.zcdp import deviation, rho
from dpmap.promise.limiters import DEFAULT, LIMITERS
from dpmap.promise.policy import Policy
from dpmap.record.release_file import read_record
from dpmap.selftest import cap, statistics
from dpmap.selftest.check import Broken, CheckResult, Effort, replace_attribute
from dpmap.selftest.gaussian import _as_stated
from dpmap.selftest.laplace_bits import value
from dpmap.steward.release_run import release
from dpmap.survey import read
from dpmap.vault import gaussian
from dpmap.vault.laplace import Coin
from dpmap.vault.session import Session

DELTA = Fraction(1, 10**6)
KEPT = [name for name, spec in LIMITERS.items() if spec.length is not None]
"""The limiters that keep lengths."""
TRIALS, WHOLES = 60, 12


def assembly(_: Effort) -> CheckResult:
    """Checks each step of the sampler with all outcomes of its coins enumerated, with no chance
    involved.
    """
    with localcontext(prec=90):
        outcomes = sum(
            _falls(r, sigma, squared=squared)
            for sigma in (3, 7)
            for r in range(sigma)
            for squared in (False, True)
        )
        outcomes += (
            _wholes()
            + sum(map(_candidates, (1, 3, 8)))
            + sum(map(_even, (1, 3, 1000, 2**33 // 7, 2**52)))
        )
    return CheckResult(f"{outcomes} outcomes of all coins, to 30 decimals", "any wrong probability")


def _falls(r: int, sigma: int, *, squared: bool) -> int:
    """Checks falling coins on `TRIALS` histories: the first fails in its first trial, the next
    in its second, and so on.
    """
    chances: list[Fraction] = []

    def below(left: NDArray[np.int64], limit: int) -> NDArray[np.bool_]:
        chances.append(Fraction(int(left[0]), limit))
        if len(left) != TRIALS - len(chances) + 1:
            raise Broken("the falling coins are tried in another order than their proof says")
        return np.arange(len(left)) > 0

    with replace_attribute(gaussian, "below", below):
        heads = gaussian.falls(np.full(TRIALS, r), sigma, squared=squared)
    shown, still = Fraction(0), Fraction(1)
    for said, chance in zip(heads.tolist(), chances, strict=True):
        shown += still * (1 - chance) if said else 0
        still *= chance
    x = Fraction(r**2, 2 * sigma**2) if squared else Fraction(r, sigma)
    stated = (-Decimal(x.numerator) / x.denominator).exp()
    if (
        abs(Decimal(shown.numerator) / shown.denominator - stated) > Decimal(10) ** -30
        or len(chances) != TRIALS
    ):
        raise Broken(f"a coin of probability e^-{x} shows heads with another one")
    return TRIALS


def _wholes() -> int:
    """Checks wholes with one history for each number of heads; then all coins of e^-1 show
    heads, or all tails.
    """
    for second in (1, 0):
        asked: list[tuple[Coin, int]] = []

        def flip(
            coin: Coin, count: int, second: int = second, asked: list[tuple[Coin, int]] = asked
        ) -> NDArray[np.uint8]:
            asked.append((coin, count))
            first = len(asked) <= WHOLES
            return (
                (np.arange(count) > 0).astype(np.uint8)
                if first
                else np.full(count, second, dtype=np.uint8)
            )

        with replace_attribute(gaussian, "flip", flip):
            kept = gaussian.wholes(WHOLES).tolist()
        if kept != (list(range(WHOLES)) if second else [0, 1]):
            raise Broken("the whole sigmas are kept by other coins than the proof says")
        if second:
            toss, first = value(asked[0][0]), [count for _, count in asked[:WHOLES]]
            if first != list(range(WHOLES, 0, -1)):
                raise Broken("the whole sigmas are tossed in another order than the proof says")
            for k in range(WHOLES):
                chance = toss**k
                for coin, count in asked[WHOLES:]:
                    chance *= value(coin) if count >= WHOLES - k else 1
                if abs(chance / (-Decimal(k * k) / 2).exp() - 1) > Decimal(10) ** -30:
                    raise Broken(f"{k} whole sigmas have another chance than e^-({k}^2 / 2)")
    return 2 * WHOLES


def _candidates(sigma: int) -> int:
    """Checks that each number comes once, after exactly the coins of the proof, from every
    whole, rest and sign.
    """
    k, r, negative = (
        part.ravel()
        for part in np.meshgrid(np.arange(4), np.arange(sigma), [False, True], indexing="ij")
    )
    asked: list[tuple[list[int], bool]] = []

    def falls(rest: NDArray[np.int64], _: int, *, squared: bool = False) -> NDArray[np.bool_]:
        asked.append((rest.tolist(), squared))
        return np.ones(len(rest), dtype=np.bool_)

    with (
        replace_attribute(gaussian, "wholes", lambda _: k),
        replace_attribute(gaussian, "even_numbers", lambda *_: r),
        replace_attribute(gaussian, "falls", falls),
        replace_attribute(gaussian, "_fair", lambda _: negative),
    ):
        drawn = sorted(gaussian.candidates(len(k), sigma).tolist())
    if drawn != list(range(1 - 4 * sigma, 4 * sigma)):
        raise Broken("the Gaussian noise is put together so that some number comes twice or never")
    if sorted(map(str, asked)) != sorted(
        map(str, [(r.tolist(), True), *((r[k > toss].tolist(), False) for toss in range(3))])
    ):
        raise Broken("the Gaussian noise is kept by other coins than its proof says")
    return len(k)


def _even(limit: int) -> int:
    """Checks that equally many words lead to each number, and the rest are drawn again."""
    part = min(2**64 // limit, 2**64 - 1)
    numbers = sorted({0, limit // 3, limit - 1})
    words = [word for number in numbers for word in (number * part, (number + 1) * part - 1)]
    beyond = [2**64 - 1] if part * limit < 2**64 else []
    script = iter([[*words, *beyond], [0] * len(beyond)])
    with replace_attribute(
        gaussian, "random_words", lambda _: np.array(next(script), dtype=np.uint64)
    ):
        found = gaussian.even_numbers(len(words) + len(beyond), limit).tolist()
    if found != [number for number in numbers for _ in range(2)] + [0] * len(beyond):
        raise Broken(f"the numbers below {limit} are not drawn evenly")
    with replace_attribute(gaussian, "even_numbers", lambda count, _: np.arange(count)):
        if gaussian.below(np.full(10, 4), 10).sum() != 4:
            raise Broken("a chance of 4 in 10 is another")
    return len(words)


def conversion(_: Effort) -> CheckResult:
    """Checks that rho and sigma keep epsilon and delta: by another search, and by the true loss
    of normal noise.
    """
    tried = 0
    for loss, chance in product(
        (Fraction(1, 100), Fraction(1, 3), Fraction(1), Fraction(5)), (DELTA, Fraction(1, 10**9))
    ):
        found = rho(loss, chance)
        with localcontext(prec=50):
            least, greatest = (
                _least_delta(part, loss) for part in (found, found * (1 + Fraction(1, 10**6)))
            )
            if not least <= Decimal(chance.numerator) / chance.denominator < greatest:
                raise Broken(
                    f"rho at epsilon {loss} and delta {chance} is too large, or needlessly small"
                )
        for most, lattice in ((1, 2**32), (25, 2**28), (10**6, 2**12)):
            sigma = deviation(most, lattice, found)
            if not 2 * found * (sigma - 1) ** 2 < most * lattice**2 <= 2 * found * sigma**2:
                raise Broken(f"sigma at cap {most} is not the least that costs no more than rho")
            ratio = float(loss) * sigma / (math.sqrt(most) * lattice)
            shift = math.sqrt(most) * lattice / sigma / 2
            lost = special.ndtr(shift - ratio) - math.exp(loss) * special.ndtr(-shift - ratio)
            if lost > chance:
                raise Broken(
                    f"normal noise of sigma {sigma} at cap {most} has delta {lost:.3g} at epsilon"
                    f" {loss}"
                )
            tried += 1
    return CheckResult(
        f"{tried} noises at 8 pairs of epsilon and delta", "any rho more than a millionth too large"
    )


def _least_delta(loss: Fraction, epsilon: Fraction) -> Decimal:
    """Returns the theorem's delta at the best order, found in decimals by halving steps."""
    zcdp, allowed = (Decimal(part.numerator) / part.denominator for part in (loss, epsilon))

    def log_delta(log_over: Decimal) -> Decimal:
        over = log_over.exp()
        order = 1 + over
        return over * (order * zcdp - allowed) - over.ln() - order * (order / over).ln()

    at, step = Decimal(2), Decimal(4)
    while step > Decimal("1e-10"):
        here = min((at - step, at, at + step), key=log_delta)
        at, step = (here, step) if here != at else (at, step / 2)
    return log_delta(at).exp()


def _length(job: tuple[cap.Counter, int]) -> int:
    """Runs one scenario of `cap` for the unit that differs."""
    counter, number = job
    rows = cap.SCENARIOS[number]()
    if counter.kind != "team" and any(len(one.means) > 1 for one in rows):
        return 0
    with tempfile.TemporaryDirectory(prefix="dpmap-proof-") as folder:
        cap.check_pair(counter, [*rows, *cap.others()], cap.ANA, Path(folder))
    return 1


def lengths(effort: Effort) -> CheckResult:
    """Checks that removing a unit moves the cells by at most the root of the cap in L2 and the
    cap in L1, and no one else's.
    """
    which = [
        *((limiter, 5, "column") for limiter in KEPT),
        (DEFAULT, 9, "column"),
        (DEFAULT, 5, "team"),
    ]
    counters = [cap.Counter(_policy(limiter, most), kind) for limiter, most, kind in which]
    jobs = list(product(counters, range(len(cap.SCENARIOS))))
    tried = sum(effort.spread(_length, jobs[:: min(7, round(1 / effort.times)) | 1]))
    return CheckResult(
        f"{tried} pairs of surveys, {len(KEPT)} limiters, 2 kinds of unit",
        "any excess, to 1 step in 2^32",
    )


def regions(_: Effort) -> CheckResult:
    """Checks that measuring a region of several cells is refused and costs nothing, since its
    length has no bound.
    """
    counts, tried = np.ones((4, 5)), 0
    labels: list[Callable[[], NDArray[np.int64]]] = [
        lambda: np.zeros((4, 5), dtype=np.int64),
        lambda: np.arange(20).reshape(4, 5) // 2,
        lambda: np.maximum(np.arange(20).reshape(4, 5) - 1, 0),
    ]
    session = Session(counts, cap.grid(), Fraction(1), 9, 2**29, DELTA)
    for made in labels:
        tried += 1
        if (
            not _refused(
                lambda made=made: session.measure(  # type: ignore[misc]  # bound at once
                    Partition(made()), Fraction(1, 2)
                )
            )
            or session.left != 1
        ):
            raise Broken(
                "Gaussian noise was added to regions of several cells, for which no unit's length"
                " is capped"
            )
    for what in (
        lambda: session.choose(Partition.cells(cap.grid()), Fraction(1)),
        lambda: session.measure_from(Fraction(1), Fraction(1)),
    ):
        tried += 1
        if not _refused(what):
            raise Broken("a session with a delta answered what is proved for epsilon alone")
    session.measure(Partition.cells(cap.grid()), Fraction(1))
    return CheckResult(
        f"{tried} questions to a session with a delta", "any coarser question answered"
    )


def _refused(act: Callable[[], object]) -> bool:
    """Whether the call was refused for privacy, or as bad input."""
    try:
        act()
    except DpmapError:
        return True
    return False


def _policy(limiter: str, most: int, **more: object) -> Policy:
    return Policy(
        epsilon=1,
        unit="who",
        cap=most,
        limiter=limiter,
        consent="consent=yes",
        delta=DELTA,
        **more,  # type: ignore[arg-type]  # keyword by keyword
    )


def runs(effort: Effort) -> CheckResult:
    """Checks runs from survey file to saved release with a delta: noise, bill and file are
    right, no delta is left over.
    """
    count, sizes = min(90, effort.many(30, least=4)), []
    with tempfile.TemporaryDirectory(prefix="dpmap-proof-") as place:
        path, ledger = Path(place) / "survey.csv", Ledger(Path(place) / "shared.ledger")
        rows = [*cap.over_spread(), *cap.half_refused(), *cap.others()]
        cap.write(rows, path)
        for number in range(count):
            policy = _policy(KEPT[number % len(KEPT)], (1, 9, 25)[number % 3])
            sizes.append(_run(rows, path, ledger, policy, count * DELTA))
        if ledger.balance_delta() != (count * DELTA, count * DELTA):
            raise Broken("the ledger does not say what delta was spent")
        if not _over(ledger):
            raise Broken("the ledger let a delta pass that it cannot afford")
    said = _as_stated(np.concatenate(sizes), 2**30, "whole runs with a delta")
    return CheckResult(
        f"{count} runs from file to file, {sum(map(len, sizes)):,} noisy totals",
        f"noise {said} too wide or narrow",
    )


def _run(
    rows: cap.Rows, path: Path, ledger: Ledger, policy: Policy, budget: Fraction
) -> statistics.Numbers:
    """Makes one release, and returns its file and its noise in sigmas."""
    survey = read(path, x="x", y="y", crs="EPSG:3857")
    made = release(
        survey,
        cap.grid(8),
        policy,
        ledger=ledger,
        dataset="An invented survey",
        budget=200,
        budget_delta=budget,
        strategy="flat",
    )
    saved = path.with_name("release.dpmap")
    saved.unlink(missing_ok=True)  # of the run before: no release replaces another
    made.save(saved)
    [one] = read_record(saved).measurements
    if one.kind != "gaussian" or one.scale != Fraction(
        deviation(policy.cap, policy.lattice, rho(Fraction(1), DELTA)), policy.lattice
    ):
        raise Broken("a release's stated noise is not that of its cap, epsilon and delta")
    truth = np.zeros(one.partition.regions, dtype=np.int64)
    for cell, steps in cap.Counter(policy, "column", fine=8).counted(rows).items():
        truth[one.partition.labels.ravel()[cell]] += steps
    found: statistics.Numbers = (one.steps - truth) / float(one.scale_steps)
    return found


def _over(ledger: Ledger) -> bool:
    """Whether the ledger refuses one delta more."""
    try:
        ledger.reserve(
            dataset="An invented survey",
            epsilon=Fraction(1),
            budget=None,
            details={},
            delta=Fraction(1, 10**12),
        )
    except (BudgetExceeded, Refused):
        return True
    return False
