"""Checks one noise for several readers: its noisier copies, a region asked again, and all readers'
answers in one hand.

What a course tells is compared with what is said here of each region in plain words. Its loss is
bounded from below over tiny surveys, many side by side, in each of which the regions follow from
the noisiest answers.
"""

import math
import tempfile
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput, DpmapError
from dpmap.grid import Grid, Partition
from dpmap.ledger.ledger import Ledger
from dpmap.promise.policy import Policy
from dpmap.record import Measurement
from dpmap.record.release_file import read_record
from dpmap.selftest import cap, end_to_end, privacy_audit, statistics
from dpmap.selftest.check import Broken, CheckResult, Effort, replace_attribute
from dpmap.selftest.guards import refuses
from dpmap.steward.release_run import release
from dpmap.survey import read
from dpmap.vault import mechanism as room
from dpmap.vault.correlated_laplace import laplace_with_copies
from dpmap.vault.session import Session

Steps = NDArray[np.int64]
Scales = tuple[Fraction, ...]
NARROW: tuple[Scales, ...] = (
    (Fraction(1), Fraction(3, 2)),
    (Fraction(3, 10), Fraction(5, 2)),
    (Fraction(2), Fraction(201, 100)),
    (Fraction(1), Fraction(2), Fraction(10, 3)),
)
"""Scales of which every pair and triple of values is counted."""
RARE = 500
"""So many draws are expected of what is compared with other noise: of fewer the sum is not
normal.
"""
WIDE: tuple[Scales, ...] = (
    (Fraction(200, 3), Fraction(655_360)),
    (Fraction(2**32), Fraction(2**32 * 7, 3), Fraction(2**32 * 5)),
    (Fraction(2**49), Fraction(2**50)),
)


def same(wide: Fraction, narrow: Fraction) -> float:
    """Returns the chance that a copy is the same as what it copies."""
    return float(math.sinh(float(1 / wide) / 2) ** 2 / math.sinh(float(1 / narrow) / 2) ** 2)


def mass(values: NDArray[np.integer], scale: Fraction) -> statistics.Numbers:
    """Returns the chances of values under the discrete Laplace of this scale."""
    found: statistics.Numbers = math.tanh(float(1 / scale) / 2) * np.exp(
        -np.abs(values) / float(scale)
    )
    return found


def drawn(effort: Effort) -> CheckResult:
    """Counts pairs and triples of narrow copies one by one against their exact chances; of wide
    ones, ranges and steps.
    """
    many = effort.many(400_000, least=40_000)
    for scales in NARROW:
        _counted(laplace_with_copies(many, scales), scales)
    for scales in WIDE:
        _ranged(laplace_with_copies(many, scales), scales)
    off = (
        0.5
        * (statistics.beyond(statistics.CHANCE / 2) + statistics.beyond(statistics.MISS))
        / math.sqrt(many)
    )
    return CheckResult(
        f"{many:,} draws at {len(NARROW) + len(WIDE)} pairs and triples of scales",
        f"a copy that stays {off:.1%} of all draws too often or seldom; any noise that tells of"
        " other noise",
    )


def _counted(chain: Sequence[Steps], scales: Scales) -> None:
    """Checks how often each value comes with each value of the others."""
    reach = 14 if len(scales) == 2 else 8
    axis = np.arange(-reach, reach + 1)
    values = np.stack(np.meshgrid(*([axis] * len(scales)), indexing="ij"))
    chances = mass(values[0], scales[0])
    for (narrow, wide), step in zip(pairwise(scales), np.diff(values, axis=0), strict=True):
        stays = same(wide, narrow)
        chances = chances * (stays * (step == 0) + (1 - stays) * mass(step, wide))
    inside = np.all([np.abs(one) <= reach for one in chain], axis=0)
    places = np.ravel_multi_index(tuple(one[inside] + reach for one in chain), chances.shape)
    counts = np.append(np.bincount(places, minlength=chances.size), (~inside).sum())
    statistics.check_counts(
        counts, np.append(chances.ravel(), 1 - chances.sum()), f"copies of scales {_said(scales)}"
    )


def _ranged(chain: Sequence[Steps], scales: Scales) -> None:
    """Checks each copy by itself, and what is added to make it: as often nothing as stated, its
    law, and that it knows nothing.
    """
    what = f"copies of scales {_said(scales)}"
    for one, scale in zip(chain, scales, strict=True):
        statistics.check_ranges(one, scale, what)
    for number, ((narrow, wide), (one, other)) in enumerate(
        zip(pairwise(scales), pairwise(chain), strict=True)
    ):
        step, still = other - one, _stays(one, other, narrow, wide, what)
        statistics.check_ranges(step[step != 0], wide, f"{what}, steps")
        for at in {0, number}:
            (size, sign), (size_of_step, sign_of_step) = (
                _even(chain[at], scales[at]),
                _even(step[step != 0], wide),
            )
            statistics.check_unrelated(size, still, f"{what}, sizes and whether they stay")
            statistics.check_unrelated(size[step != 0], size_of_step, f"{what}, sizes and steps")
            statistics.check_unrelated(sign[step != 0], sign_of_step, f"{what}, signs and steps")


def _stays(
    one: Steps, other: Steps, narrow: Fraction, wide: Fraction, what: str
) -> statistics.Numbers:
    """Checks that a copy is the same as what it copies as often as stated; returns where it is,
    standardised, or nothing where that is rare.
    """
    stays = same(wide, narrow) + (1 - same(wide, narrow)) * math.tanh(float(1 / wide) / 2)
    still = one == other
    statistics.check_counts(
        np.bincount(still, minlength=2), np.array([1 - stays, stays]), f"{what}, that stay"
    )
    if min(stays, 1 - stays) * len(one) < RARE:
        return np.zeros(len(one))
    return np.asarray((still - stays) / math.sqrt(stays * (1 - stays)))


def _even(draws: Steps, scale: Fraction) -> tuple[statistics.Numbers, statistics.Numbers]:
    """Brings sizes to an even spread of variance 1, and returns the signs beside them."""
    sizes = -np.expm1(-np.abs(draws) / float(scale))
    return (sizes - 0.5) * math.sqrt(12), np.sign(draws).astype(np.float64)


def _said(scales: Scales) -> str:
    return ", ".join(str(scale) for scale in scales)


READERS = (Fraction(3, 10), Fraction(1), Fraction(3))
"""What a public map, partners and a manager are told at."""
SHARES = (Fraction(1, 20), Fraction(7, 100), Fraction(9, 50))
"""What three questions cost, in the noisiest reader's epsilon."""
ASKED = (
    (0, 0, 1, 1, 2, 3, 4, 5, 5, -1),
    (0, 0, 1, 2, -1, 3, 3, 4, -1, 5),
    (5, 5, 4, -1, 3, 2, 2, 1, 1, 0),
)
"""The regions of ten cells, question by question: kept, split, left out for a while, joined,
made smaller and larger, and begun late.
"""
POOLED = ((0, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0), (1, 0, 1, 0, 1, 2))
"""How many questions before it each region was asked at as the same one."""
UNRELATED = ((2, 0, 1), (5, 0, 1), (7, 0, 1), (7, 1, 2), (7, 0, 2), (4, 0, 2), (3, 0, 2))
"""Cells that two questions ask about in different regions, or not as consecutive ones: their
noises know nothing of each other.
"""
HELD = (0, 0, 2, 3, 0, 5, 6, 7, 8, 9)
"""What the ten cells hold: some regions are empty."""
LATTICE = 1 << 32


def course(effort: Effort) -> CheckResult:
    """Asks three readers' questions about the same ten cells many times over, and compares all
    that is told with what it must be.
    """
    many = effort.many(40_000, least=4_000)
    truth = np.tile(HELD, many)
    session = Session(truth, _strip(truth.size), READERS[-1], 1, LATTICE, noisier=READERS[:-1])
    _declared(session)
    told = [
        session.measure(Partition(_tiled(labels, many)), share)
        for labels, share in zip(ASKED, SHARES, strict=True)
    ]
    everything = session.made_for
    if any(one is not other for one, other in zip(told, everything[0], strict=True)):
        raise Broken("a strategy is told something else than the noisiest reader")
    noises = [
        [_noise(one, truth, number, reader) for number, one in enumerate(made)]
        for reader, made in zip(READERS, everything, strict=True)
    ]
    for cell, first, second in UNRELATED:
        for one, other in product(noises, noises):
            here, there = (
                np.sign(made[at][:, ASKED[at][cell]]) * 1.0
                for made, at in ((one, first), (other, second))
            )
            statistics.check_unrelated(
                here,
                there,
                f"regions that differ, over cell {cell}, questions {first} and {second}",
            )
    _chained(noises)
    _closed()
    size = _released(effort.many(4, least=1))
    return CheckResult(
        f"{many:,} times {len(ASKED)} questions for {len(READERS)} readers; and from a survey's"
        " file to each reader's",
        "any scale or region not as stated, noise kept where a region changed, an unpaid question;"
        f" in files noise {size} too wide",
    )


def _strip(cells: int) -> Grid:
    return Grid(bounds=(0, 0, cells, 1), shape=(1, cells), crs="EPSG:3857")


def _tiled(labels: Sequence[int], many: int) -> Steps:
    """Returns these regions again and again, numbered on."""
    one = np.tile(labels, (many, 1))
    found: Steps = np.where(
        one < 0, -1, one + (max(labels) + 1) * np.arange(many)[:, None]
    ).reshape(1, -1)
    return found


def _declared(session: Session) -> None:
    """Declares the course, and checks that all of it is debited at once, and that no question
    goes beyond it.
    """
    session.course(SHARES)
    if session.left != READERS[0] - sum(SHARES):
        raise Broken("a course is not paid for as a whole before its first question")
    for what, ask in (
        (
            "another share than was declared",
            lambda: session.measure(Partition.whole(session.grid), SHARES[1]),
        ),
        ("a second course beside the first", lambda: session.course([Fraction(1, 10**6)])),
        ("a course for nothing", lambda: session.course([])),
    ):
        refuses(what, ask, errors=(DpmapError,))


def _noise(one: Measurement, truth: Steps, number: int, reader: Fraction) -> Steps:
    """Returns one answer's noise, a row for each ten cells, after checking its scales and what
    it pools against the tables here.
    """
    many, regions = len(truth) // 10, len(POOLED[number])
    if one.pooled.reshape(many, -1).tolist() != [list(POOLED[number])] * many:
        raise Broken(
            f"question {number}: a region pools other questions than those at which it was the same"
        )
    labels = np.array(ASKED[number])
    sums = [int(np.array(HELD)[labels == region].sum()) for region in range(regions)]
    noise: Steps = one.steps.reshape(many, -1) - np.array(sums) * LATTICE
    for pooled in set(POOLED[number]):
        spent = sum(SHARES[number - pooled : number + 1]) * reader / READERS[0]
        if one.pooled_scales[pooled] != 1 / spent:
            raise Broken(
                f"question {number}: the stated noise of an answer is not that of what it pools"
            )
        found = noise[:, np.array(POOLED[number]) == pooled].ravel()
        statistics.check_ranges(
            found, LATTICE / spent, f"question {number} of a course, {pooled} before it pooled"
        )
    return noise


def _chained(noises: Sequence[Sequence[Steps]]) -> None:
    """Checks that all answers about the region that is never split are one chain of copies."""
    scales = {
        LATTICE / (sum(SHARES[: number + 1]) * reader / READERS[0]): made[number][
            :, ASKED[number][0]
        ]
        for reader, made in zip(READERS, noises, strict=True)
        for number in range(len(SHARES))
    }
    rising = sorted(scales)
    _ranged([scales[one] for one in rising], tuple(rising))


def _closed() -> None:
    """Checks that a question that fails ends its course, and that a strategy that looks at what
    others are told asks no more.
    """

    def fails(*_: object, **__: object) -> object:
        raise OSError

    whole, third = Partition.whole(_strip(4)), READERS[0] / 3
    broken, looked = (
        Session(np.ones(4), _strip(4), READERS[-1], 1, LATTICE, noisier=READERS[:-1])
        for _ in range(2)
    )
    for session in (broken, looked):
        session.course([third] * 2)
        session.measure(whole, third)
    with replace_attribute(room, "laplace_with_copies", fails):
        refuses("a draw that failed", broken.measure, whole, third, errors=(OSError,))
    if broken.left != third or broken.measure(whole, third).pooled.any():
        raise Broken("a question that failed is paid back, or its region's noise is told later")
    if len(looked.made_for) != len(READERS):
        raise Broken("not every reader is told something")
    refuses("a question after a look at what others are told", looked.measure, whole, third)


STEPS = 8
"""Lattice steps of a point in the tiny surveys of `tiers`, few so that many answers are as
telling as can be.
"""


def tiers(effort: Effort) -> CheckResult:
    """Bounds epsilon from below for each reader and all who are told less, in one hand: near her
    own, and never above.
    """
    many, said = effort.many(250_000, least=20_000), []
    for readers in (READERS, READERS[-1:]):
        here, there = (_asked(readers, np.array([held, 0]), many) for held in (STEPS, 0))
        for last, claimed in enumerate(readers):
            one, other = (_seen(told[: last + 1], many) for told in (here, there))
            ways = ((one, other), (other, one))
            seen = [
                privacy_audit.check_loss(
                    *way, float(claimed), f"readers up to epsilon {claimed} of {_said(readers)}"
                )
                for way in ways
            ]
            said.append(
                (claimed, max(bound for bound, _ in seen), min(strong for _, strong in seen))
            )
    bounds = ", ".join(f"{float(claimed):g} is at least {bound:.2f}" for claimed, bound, _ in said)
    return CheckResult(
        f"{many:,} tiny surveys, {len(READERS)} readers who put their answers together, and one"
        f" alone: epsilon {bounds}",
        f"epsilon {max(strong for *_, strong in said):.2f}x as large",
    )


def _asked(readers: Scales, cells: Steps, many: int) -> tuple[tuple[Measurement, ...], ...]:
    """Asks three times about many surveys of these two cells, together or apart as the noisiest
    answers before say.
    """
    session = Session(
        np.tile(cells, many) / STEPS, _strip(2 * many), readers[-1], 1, STEPS, noisier=readers[:-1]
    )
    shares, apart = (
        [readers[0] * part for part in (Fraction(1, 5), Fraction(3, 10), Fraction(1, 2))],
        np.zeros(many, dtype=np.int64),
    )
    session.course(shares)
    for share in shares:
        first = np.cumsum(apart + 1) - apart - 1
        told = session.measure(
            Partition(np.stack([first, first + apart], -1).reshape(1, -1)), share
        )
        apart = (np.add.reduceat(told.steps, first) > STEPS / 2).astype(np.int64)
    return session.made_for


def _seen(made: Sequence[Sequence[Measurement]], many: int) -> privacy_audit.Features:
    """Returns what tells the unit in the first cell from nobody: a row for each survey.

    For the last reader the log-likelihood ratio of all answers but noisier copies, the same as if
    all were independent, and by how much a total changed; for all together the ratio as if all were
    independent; and which cells were asked about apart.
    """
    firsts = [one.partition.labels.ravel()[::2].astype(np.int64) for one in made[0]]
    exact, every, alike = (np.zeros(many) for _ in range(3))
    for answers in made:
        parts = [_ratios(one, first) for one, first in zip(answers, firsts, strict=True)]
        kept = [
            part * last[first]
            for part, last, first in zip(
                parts, privacy_audit.final_answers(answers), firsts, strict=True
            )
        ]
        exact, every = np.sum(kept, axis=0), np.sum(parts, axis=0)
        alike += every
    sums = [np.add.reduceat(one.steps, first) for one, first in zip(made[-1], firsts, strict=True)]
    rest = made[-1][1].steps[made[0][1].partition.labels.ravel()[1::2]]
    apart = [
        np.diff(first, append=one.partition.regions)
        for one, first in zip(made[0], firsts, strict=True)
    ]
    return np.column_stack([exact, every, alike, sums[0] - rest, sums[2] - sums[1], *apart[1:]])


def _ratios(one: Measurement, first: Steps) -> statistics.Numbers:
    """Returns each survey's log-likelihood ratio from the region of its first cell, the only one
    that knows of the unit.
    """
    answers, scale = one.steps[first], (one.scales * one.lattice)[first]
    return np.asarray((np.abs(answers) - np.abs(answers - STEPS)) / scale)


def _released(times: int) -> str:
    """Makes releases for three readers, and checks what they cost, and in each reader's file her
    shares, the regions and the noise.

    Readers' noises are judged apart, as they know of each other; those of adaptive maps are few,
    and judged elsewhere.
    """
    names, found = (
        dict(zip(("public", "partners", "manager"), READERS, strict=True)),
        list[list[statistics.Numbers]](),
    )
    policy = Policy(epsilon=READERS[-1], unit="who", cap=5, consent="consent=yes")
    rows = end_to_end.survey_rows()
    totals = cap.Counter(policy, "column", fine=end_to_end.FINE).counted(rows)
    with tempfile.TemporaryDirectory(prefix="dpmap-proof-") as place:
        path, book = Path(place) / "survey.csv", Ledger(Path(place) / "x.ledger")
        cap.write(rows, path)
        for strategy in ["adaptive", "flat"] * times:
            folder = Path(tempfile.mkdtemp(dir=place))
            release(
                read(path, x="x", y="y", crs="EPSG:3857"),
                cap.grid(end_to_end.FINE),
                policy,
                ledger=book,
                dataset="d",
                budget=2 * times * READERS[-1],
                tiers=names,
                to=folder,
                strategy=strategy,
            )
            files = [_opened(folder / name / "release.dpmap") for name in names]
            sizes = [
                _as_promised(one, files[0], reader, totals)
                for one, reader in zip(files, READERS, strict=True)
            ]
            found += [sizes] if strategy == "flat" else []
        if book.balance() != (2 * times * READERS[-1],) * 2:
            raise Broken("maps for several readers do not cost what the dearest does")
    return max(
        statistics.check_size(np.concatenate(one), 1.0, "a reader's file")
        for one in zip(*found, strict=True)
    )


def _opened(path: Path) -> tuple[Measurement, ...]:
    """Returns what a reader's file holds; one that contradicts its promise does not open."""
    try:
        return read_record(path).measurements
    except BadInput as refused:
        raise Broken(f"a reader's file does not hold what it promises: {refused}") from None


def _as_promised(
    made: Sequence[Measurement],
    noisiest: Sequence[Measurement],
    reader: Fraction,
    totals: cap.Cells,
) -> statistics.Numbers:
    """Returns the sizes of a file's noise over their stated mean, after checking its shares, and
    its regions against the noisiest's.
    """
    if sum(one.epsilon for one in made) != reader:
        raise Broken("a reader's file does not hold answers of her own epsilon")
    if any(
        (one.partition.labels != other.partition.labels).any()
        for one, other in zip(made, noisiest, strict=True)
    ):
        raise Broken("a reader's file holds other regions than the noisiest one's")
    parts = [
        np.abs(one.steps) / statistics.standard_size(one.scale)[0]
        for one in end_to_end.noise_of(made, totals)
    ]
    found: statistics.Numbers = np.concatenate(parts)
    return found
