"""One noise for several readers: each copy and all of them together follow their exact law, and a course costs what it says.

Every statistical check fails by chance with probability 1e-9 or less; the whole file with less than one in a million.
"""

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations, islice, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from proofs.correlated_laplace import STEPS, _asked, _seen

from dpmap.errors import BadInput, BudgetExceeded, Refused
from dpmap.grid import Grid, Partition
from dpmap.selftest import statistics
from dpmap.selftest.laplace_bits import SCALES
from dpmap.vault import correlated_laplace
from dpmap.vault.correlated_laplace import Same, laplace_with_copies
from dpmap.vault.mechanism import LaplaceMechanism
from dpmap.vault.noise_chains import Chains
from dpmap.vault.session import Session

RATIOS = [
    [Fraction(1), Fraction(101, 100)],
    [Fraction(1), Fraction(10)],
    [Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4)],
    [Fraction(5, 2), Fraction(22, 7), Fraction(200, 3)],
    [Fraction(655_360), Fraction(2**32 * 7, 3)],
    [Fraction(2**31), Fraction(2**32), Fraction(2**32 * 10, 3)],
    [Fraction(2**50), Fraction(2**51), Fraction(2**52)],
]
RUNS = 60_000


def stays(wide, narrow):
    """The chance that a copy is what it copies, by hyperbolic functions in decimals, which the vault does not use."""
    sines = [
        ((1 / two).exp() - (-1 / two).exp()) / 2
        for two in (2 * as_decimal(wide), 2 * as_decimal(narrow))
    ]
    return (sines[0] / sines[1]) ** 2


def as_decimal(number):
    return Decimal(number.numerator) / number.denominator


def mass(value, scale):
    """The exact chance of a value under the discrete Laplace of this scale."""
    return math.tanh(float(1 / scale) / 2) * np.exp(-np.abs(value) / float(scale))


def chained(values, scales):
    """The chance of a whole chain of noises, the least noisy first."""
    chance = mass(values[0], scales[0])
    for (narrow, wide), (one, other) in zip(pairwise(scales), pairwise(values), strict=True):
        with localcontext(prec=60):
            still = float(stays(wide, narrow))
        chance = chance * (still * (one == other) + (1 - still) * mass(other - one, wide))
    return chance


def strip(cells):
    return Grid(bounds=(0, 0, cells, 1), shape=(1, cells), crs="EPSG:3857")


# --- the coin ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("narrow", "wide"), list(combinations(SCALES, 2)), ids=lambda scale: f"{float(scale):.4g}"
)
def test_the_coin_of_a_copy_is_right_to_256_places(narrow, wide):
    """The places of the chance that a copy stays are those that decimal arithmetic finds."""
    with localcontext(prec=160):
        places = "".join(map(str, islice(Same(wide, narrow).expansion(), 256)))
        assert int(places, 2) == int(stays(wide, narrow) * 2**256)


fractions = st.fractions(min_value=Fraction(1, 8), max_value=Fraction(2**40), max_denominator=2**20)


@settings(deadline=None, max_examples=50)
@given(
    one=fractions,
    more=st.fractions(min_value=Fraction(1, 2**30), max_value=Fraction(2**12)),
    n=st.integers(1, 160),
)
def test_the_bounds_of_the_coin_hold_its_chance(one, more, n):
    """At every precision the chance lies between the bounds that certify its places, and they close in on it."""
    coin, wide = Same(one * (1 + more), one), one * (1 + more)
    with localcontext(prec=200):
        lower, upper = coin._bounds(n)
        assert 0 <= lower <= stays(wide, one) * 2**n <= upper <= 2**n
        lower, upper = coin._bounds(n + 256)
        assert upper - lower < 2**200


@settings(deadline=None, max_examples=25)
@given(narrow=st.fractions(min_value=Fraction(1, 4), max_value=3, max_denominator=50), more=st.fractions(min_value=Fraction(1, 10), max_value=2, max_denominator=50))  # fmt: skip
def test_noise_and_what_is_added_make_the_wider_law(narrow, more):
    """The theorem, summed up term by term: noise of the narrow scale plus the step has the law of the wide one, to 40 digits."""
    wide = narrow + more
    with localcontext(prec=60):
        still = stays(wide, narrow)
        p, q = ((-1 / as_decimal(scale)).exp() for scale in (wide, narrow))
        law = lambda ratio, k: (1 - ratio) / (1 + ratio) * ratio ** abs(k)  # noqa: E731
        reach = math.ceil(100 * narrow) + 20
        for k in (0, 1, 7):
            moved = sum(law(q, j) * law(p, k - j) for j in range(-reach, reach + 1))
            assert abs((still * law(q, k) + (1 - still) * moved) / law(p, k) - 1) < Decimal("1e-40")


# --- the draws ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "scales", RATIOS, ids=lambda scales: "-".join(f"{float(one):.3g}" for one in scales)
)
def test_each_copy_follows_its_own_law(scales):
    """Whoever is told one copy alone has noise of exactly its scale."""
    for noise, scale in zip(laplace_with_copies(RUNS, scales), scales, strict=True):
        statistics.check_ranges(noise, scale, f"scale {scale}")


@pytest.mark.parametrize("scales", [one for one in RATIOS if one[-1] <= 10], ids=lambda scales: "-".join(f"{float(one):.3g}" for one in scales))  # fmt: skip
def test_copies_follow_their_joint_law(scales):
    """Pairs, triples and fours of small noises come as often, all together, as the exact law of the chain says."""
    drawn, reach = laplace_with_copies(4 * RUNS, scales), 24 // len(scales)
    values = np.stack(np.meshgrid(*[np.arange(-reach, reach + 1)] * len(scales), indexing="ij"))
    chances = chained(values, scales)
    inside = np.all([np.abs(one) <= reach for one in drawn], axis=0)
    places = np.ravel_multi_index(tuple(one[inside] + reach for one in drawn), chances.shape)
    counts = np.append(np.bincount(places, minlength=chances.size), (~inside).sum())
    statistics.check_counts(
        counts, np.append(chances.ravel(), 1 - chances.sum()), f"scales {scales}"
    )


@pytest.mark.parametrize(
    "scales", RATIOS[4:], ids=lambda scales: "-".join(f"{float(one):.3g}" for one in scales)
)
def test_what_is_added_knows_nothing_of_what_it_is_added_to(scales):
    """The step to a noisier copy is as large, and as often nothing, whatever the noise before it was."""
    chain = laplace_with_copies(RUNS, scales)
    for number, (narrow, wide) in enumerate(pairwise(scales)):
        step = chain[number + 1] - chain[number]
        with localcontext(prec=60):
            still = float(stays(wide, narrow))
        for before, scale in zip(chain[: number + 1], scales, strict=False):
            quarter = np.floor(
                4 * np.where(before < 0, 0.5, 0.999999) * -np.expm1(-np.abs(before) / float(scale))
            )
            part = 2 * np.minimum(quarter, 3).astype(int) + (before < 0)
            for value in np.unique(part):
                here = step[part == value]
                statistics.check_counts(
                    np.bincount(here == 0, minlength=2), np.array([1 - still, still]), "stays"
                )
                statistics.check_ranges(here[here != 0], wide, "step", ranges=8)


def test_scales_that_do_not_rise_are_refused():
    """A copy that is no noisier, or less so, is no copy."""
    for scales in ([Fraction(2), Fraction(2)], [Fraction(1), Fraction(3), Fraction(2)]):
        with pytest.raises(BadInput, match="must rise"):
            laplace_with_copies(5, scales)


def test_no_clock_tells_which_copies_moved(monkeypatch):
    """As many numbers are drawn whether all copies stay as they were or all move."""
    draw = correlated_laplace.discrete_laplace
    for shown in (0, 1):
        counts = []
        monkeypatch.setattr(correlated_laplace, "discrete_laplace", lambda count, scale, kept=counts: kept.append(count) or draw(count, scale))  # fmt: skip
        monkeypatch.setattr(
            correlated_laplace,
            "flip",
            lambda coin, count, shown=shown: np.full(count, shown, dtype=np.uint8),
        )
        fine, coarse = laplace_with_copies(50, [Fraction(2**40), Fraction(2**41)])
        assert counts == [50, 50]
        assert (fine == coarse).all() if shown else (fine != coarse).any()
    assert [len(one) for one in laplace_with_copies(0, [Fraction(2), Fraction(3)])] == [0, 0]


# --- a course ----------------------------------------------------------------------------------------------------


def test_what_a_region_asked_again_pools():
    """A region asked again as the same pools what it cost; one that was split, joined or left out for a while starts anew."""
    tenth = Fraction(1, 10)
    session = Session(np.zeros(6), strip(6), Fraction(1), 3, 2**20)
    session.course([tenth, 2 * tenth, 3 * tenth])
    session.measure(Partition([[0, 0, 1, 1, 2, -1]]), tenth)
    second = session.measure(Partition([[3, 3, 1, 0, -1, 2]]), 2 * tenth)
    third = session.measure(Partition([[0, 0, 1, 1, 2, 3]]), 3 * tenth)
    assert second.pooled.tolist() == [0, 0, 0, 1] and third.pooled.tolist() == [2, 0, 0, 1]
    assert second.pooled_scales == (15, 10) and third.pooled_scales == (10, 6, 5)
    assert third.scales.tolist() == [5, 10, 10, 6] and session.left == 4 * tenth


def test_a_question_without_a_course_starts_anew():
    """Asked twice without a course, a region is answered twice, each time with noise of its own."""
    session = Session(np.zeros(2), strip(2), Fraction(1), 1, 2**40)
    told = [session.measure(Partition.cells(session.grid), Fraction(1, 2)) for _ in range(2)]
    assert (
        not any(one.pooled.any() or one.earlier for one in told)
        and (told[0].steps != told[1].steps).all()
    )


def test_what_was_asked_outside_the_course_pools_nothing():
    """A sparse question between two of a course is no part of what their region pools."""
    session = Session(np.zeros(4), strip(4), Fraction(1), 1, 2**20)
    whole, parts = Partition.whole(session.grid), [Fraction(1, 10), Fraction(2, 10)]
    session.course(parts)
    session.measure(whole, parts[0])
    session.measure_from(Fraction(20), Fraction(1, 2))
    again = session.measure(whole, parts[1])
    assert (
        again.pooled.tolist() == [1]
        and again.earlier == (parts[0],)
        and again.scales == pytest.approx(10 / 3)
    )


def test_a_partition_that_is_changed_later_keeps_no_noise():
    """Who swaps the regions of a partition that was asked, by hand, gets no region's noise for another's total."""
    session = Session(np.zeros(2), strip(2), Fraction(1), 1, 2**40)
    session.course([Fraction(1, 2)] * 2)
    mine = Partition([[0, 1]])
    first = session.measure(mine, Fraction(1, 2))
    for held in (mine, first.partition):
        held.packed.flags.writeable = True
        held.packed[:] = [[1, 0]]
    second = session.measure(Partition([[0, 1]]), Fraction(1, 2))
    assert second.pooled.tolist() == [1, 1]
    kept = sum(_keeps_noise() for _ in range(25))
    assert kept == 0


def _keeps_noise():
    """Whether a swapped partition gets an answer that is the other cell's of before: a copy stays with a chance of 1/4."""
    session = Session(np.zeros(2), strip(2), Fraction(1), 1, 2**40)
    session.course([Fraction(1, 2)] * 2)
    first = session.measure(Partition([[0, 1]]), Fraction(1, 2))
    first.partition.packed.flags.writeable = True
    first.partition.packed[:] = [[1, 0]]
    second = session.measure(Partition([[0, 1]]), Fraction(1, 2))
    return bool((first.steps == second.steps[::-1]).any())


def test_a_course_is_paid_at_once_and_asked_as_declared():
    """All of a course is debited when it is declared; another share, a second course or one too dear are refused and cost nothing."""
    session = Session(np.zeros(2), strip(2), Fraction(1), 1, 2**20)
    cells = Partition.cells(session.grid)
    session.course(["0.2", 0.3])
    assert session.left == Fraction(1, 2)
    for refused in (
        lambda: session.measure(cells, Fraction(3, 10)),
        lambda: session.course([Fraction(1, 10)]),
    ):
        with pytest.raises(BadInput, match="course"):
            refused()
    session.measure(cells, 0.2)
    session.measure(cells, Fraction(3, 10))
    for shares in ([], [Fraction(1, 2), Fraction(1, 10)], [Fraction(1), Fraction(-1, 2)]):
        with pytest.raises(BudgetExceeded):
            session.course(shares)
    with pytest.raises(BadInput, match="at most 256 questions"):
        session.course([Fraction(1, 1000)] * 257)
    assert session.left == Fraction(1, 2) and len(session.made) == 2


def test_a_course_may_be_as_long_as_what_is_pooled_is_counted(monkeypatch):
    """In the longest course the last answer pools all that were before it."""
    monkeypatch.setattr(
        LaplaceMechanism,
        "copies",
        lambda _, count, scales: [np.zeros(count, dtype=np.int64)] * len(scales),
    )
    session = Session(np.zeros(1), strip(1), Fraction(1), 1, 2**20)
    session.course([Fraction(1, 256)] * 256)
    for _ in range(256):
        last = session.measure(Partition.whole(session.grid), Fraction(1, 256))
    assert last.pooled.tolist() == [255] and last.scales.tolist() == [1]


def test_a_question_that_fails_takes_its_course_with_it(monkeypatch):
    """What fails after the debit stays paid for, and nothing that was drawn for it is told later."""
    session = Session(np.zeros(1), strip(1), Fraction(1), 1, 2**40, noisier=[Fraction(1, 2)])
    whole, tenth = Partition.whole(session.grid), Fraction(1, 10)
    session.course([tenth] * 3)
    session.measure(whole, tenth)
    with monkeypatch.context() as broken:
        broken.setattr(LaplaceMechanism, "copies", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            session.measure(whole, tenth)
    assert session.left == Fraction(2, 10) and len(session.made) == 1
    assert not session.measure(whole, tenth).pooled.any()
    assert session.left == tenth


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 10**6)])
def test_other_noise_pools_nothing(delta):
    """Gaussian noise and OpenDP's have no copies: a course of theirs is asked question by question, and readers are refused."""
    source = {} if delta else {"source": "opendp"}
    session = Session(np.zeros(2), strip(2), Fraction(1), 1, 2**28, delta, **source)
    session.course([Fraction(1, 2)] * 2)
    if delta:
        for _ in range(2):
            assert not session.measure(Partition.cells(session.grid), Fraction(1, 2)).pooled.any()
    assert session.left == 0
    with pytest.raises(Refused, match="noisier copies"):
        Session(
            np.zeros(2), strip(2), Fraction(1), 1, 2**28, delta, noisier=[Fraction(1, 2)], **source
        )


# --- several readers ---------------------------------------------------------------------------------------------


def test_a_strategy_is_told_what_the_noisiest_reader_is():
    """What others are told ends the session, so no question can hang on it; each has the scale of her own epsilon."""
    session = Session(
        np.zeros(2), strip(2), Fraction(3), 1, 2**40, noisier=[Fraction(3, 10), Fraction(1)]
    )
    session.course([Fraction(1, 10)] * 3)
    told = session.measure(Partition.cells(session.grid), Fraction(1, 10))
    assert session.epsilon == Fraction(3, 10) and session.made == (told,)
    everybody = session.made_for
    assert everybody[0] == (told,) and [made[0].scale for made in everybody] == [10, 3, 1]
    assert [made[0].epsilon for made in everybody] == [Fraction(1, 10), Fraction(1, 3), 1]
    for ask in (session.measure, session.choose):
        with pytest.raises(BudgetExceeded):
            ask(Partition.cells(session.grid), Fraction(1, 10))


def test_answers_of_one_scale_are_one_answer():
    """Where a question's answer for one reader is as noisy as another's for another reader, both are told the same."""
    session = Session(np.zeros(50), strip(50), Fraction(2), 1, 2**40, noisier=[Fraction(1)])
    session.course([Fraction(1, 2)] * 2)
    for _ in range(2):
        session.measure(Partition.cells(session.grid), Fraction(1, 2))
    noisy, fine = session.made_for
    assert (
        fine[0].scales.tolist() == noisy[1].scales.tolist()
        and (fine[0].steps == noisy[1].steps).all()
    )
    assert (fine[1].steps != noisy[1].steps).any()


@pytest.mark.parametrize(
    "noisier", [["0.5", "0.5"], [Fraction(2)], [Fraction(0)], [Fraction(-1)], [Fraction(1)]]
)
def test_readers_that_do_not_rise_are_refused(noisier):
    """Readers are named from the noisiest to the finest, each with an epsilon of her own below what is reserved."""
    with pytest.raises((BadInput, TypeError)):
        Session(np.zeros(2), strip(2), Fraction(1), 1, 2**20, noisier=noisier)


def test_noise_to_come_is_sealed():
    """What is kept of a region's noise for later questions is neither shown nor copied."""
    import copy

    chains = Chains([Fraction(1)])
    assert repr(chains) == "<Chains: sealed>"
    for way in (copy.copy, copy.deepcopy, dir, list):
        with pytest.raises(Refused):
            way(chains)


# --- what it costs -----------------------------------------------------------------------------------------------

PARTS = (Fraction(1, 2), Fraction(1, 2))
REACH = 9


def transcripts(readers):
    """All transcripts of two questions about two cells, asked apart once the noisiest answer was above 0, with their exact
    chances where the first cell holds a point of one step and where nobody is there; of several readers, those asked together.
    """
    axis, found = np.arange(-REACH, REACH + 1), [[], []]
    scales = sorted(
        {
            1 / (share * reader / readers[0])
            for share in (PARTS[0], sum(PARTS))
            for reader in readers
        }
    )
    alone = sorted({1 / (PARTS[0] * reader / readers[0]) for reader in readers})
    for held, into in zip((1, 0), found, strict=True):
        whole = np.stack(np.meshgrid(*[axis - held] * len(scales), indexing="ij"))
        first = scales.index(1 / PARTS[0])
        into.append((chained(whole, scales) * (whole[first] + held <= 0)).ravel())
        if len(readers) == 1:
            y, a, b = np.meshgrid(axis - held, axis - held, axis, indexing="ij")
            apart = mass(y, alone[0]) * mass(a, alone[0]) * mass(b, alone[0])
            into.append((apart * (y + held > 0)).ravel())
    return [np.concatenate(into) for into in found]


@pytest.mark.parametrize("readers", [(Fraction(1),), (Fraction(1), Fraction(3))])
def test_no_transcript_costs_more_than_its_course(readers):
    """Of the exact chances of all transcripts with somebody and with nobody, none differ by more than e^epsilon, and some do by that."""
    here, there = transcripts(readers)
    seen = (here > 0) & (there > 0)
    losses = np.abs(np.log(here[seen] / there[seen]))
    assert losses.max() == pytest.approx(float(readers[-1]), abs=1e-9)


@pytest.mark.parametrize("held", [1, 0])
def test_transcripts_are_as_likely_as_their_exact_law_says(held):
    """What sessions tell, question after question, has the law of which the test above measures the loss."""
    many, axis = 200_000, 2 * REACH + 1
    session = Session(np.tile([held, 0], many), strip(2 * many), Fraction(1), 1, 1)
    session.course(PARTS)
    first = session.measure(Partition(np.repeat(np.arange(many), 2).reshape(1, -1)), PARTS[0]).steps
    apart = first > 0
    start = np.cumsum(apart + 1) - apart - 1
    second = session.measure(
        Partition(np.stack([start, start + apart], -1).reshape(1, -1)), PARTS[1]
    )
    one, other = second.steps[start], second.steps[start + apart]
    assert (second.pooled[start] == ~apart).all()
    inside = (np.abs([first, one, other]) <= REACH).all(0)
    together = np.ravel_multi_index((one + REACH, first + REACH), (axis, axis), mode="clip")
    split = axis**2 + np.ravel_multi_index(
        (first + REACH, one + REACH, other + REACH), (axis,) * 3, mode="clip"
    )
    counts = np.bincount(np.where(apart, split, together)[inside], minlength=axis**2 + axis**3)
    chances = transcripts((Fraction(1),))[1 - held]
    statistics.check_counts(
        np.append(counts, (~inside).sum()), np.append(chances, 1 - chances.sum()), "transcripts"
    )


def test_the_loss_of_a_course_is_near_its_epsilon():
    """From outputs alone, the loss of three questions that follow from the answers is bounded from below near epsilon, not above."""
    many, readers = 150_000, (Fraction(1),)
    telling = [
        _seen(_asked(readers, np.array([held, 0]), many), many)[:, 0] > 1 - 1e-9
        for held in (STEPS, 0)
    ]
    hits, others = (int(one.sum()) for one in telling)
    assert 0.8 < statistics.loss_bound(hits, many, others, many, 1e-9) <= 1
