"""The noise has exactly the promised law, is never repeated, and these tests would notice if it were not so.

Every statistical check fails by chance with probability 1e-10 or less; the whole file with less than one in a million.
`DPMAP_DEEP=1` makes ten times as many draws (five times where digits and neighbours are compared).
"""

import ast
import inspect
import math
import multiprocessing
import os
import random
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction
from itertools import islice

import numpy as np
import pytest
from builders.waiting import LONG
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from dpmap.errors import DpmapError, MissingExtra, SystemFailed
from dpmap.vault import laplace
from dpmap.vault.laplace import Coin, LaplaceCoins, discrete_laplace, exp_bounds, flip

Draws = NDArray[np.int64]
Floats = NDArray[np.float64]

DEEP = os.environ.get("DPMAP_DEEP") == "1"
MANY = 10_000_000 if DEEP else 1_000_000
FEWER = 3_000_000 if DEEP else 600_000
CHANCE = 1e-10
SMALL = [
    Fraction(7, 10),
    Fraction(1),
    Fraction(5, 2),
    Fraction(3),
    Fraction(10),
    Fraction(20),
    Fraction(200, 3),
]
LARGE = [Fraction(655_360), Fraction(2**32 * 7, 3)]
WIDEST = Fraction(2**52)


def misfit(counts: NDArray[np.intp], probabilities: Floats) -> float:
    """The p-value of Pearson's chi-square; cells that expect fewer than 20 are pooled (if need be with the largest)."""
    expected = counts.sum() * probabilities
    rare = expected < 20
    rare[expected.argmax()] |= expected[rare].sum() < 20
    counts = np.append(counts[~rare], counts[rare].sum())
    expected = np.append(expected[~rare], expected[rare].sum())
    return float(stats.chi2.sf(((counts - expected) ** 2 / expected).sum(), len(counts) - 1))


def every_value(draws: Draws, scale: Fraction) -> float:
    """The p-value of all values, each on its own where 20 are expected, both tails pooled."""
    a = float(1 / scale)
    middle = math.tanh(a / 2)
    reach = max(0, math.floor(math.log(len(draws) * middle / 20) / a))
    values = np.abs(np.arange(-reach, reach + 1))
    tail = math.exp(-a * (reach + 1)) / (1 + math.exp(-a))
    probabilities = np.concatenate([[tail], middle * np.exp(-a * values), [tail]])
    counts = np.bincount(np.clip(draws, -reach - 1, reach + 1) + reach + 1, minlength=2 * reach + 3)
    return misfit(counts, probabilities)


def ranges(draws: Draws, scale: Fraction) -> float:
    """The p-value of 200 ranges of values of about equal probability, from the exact tail P(K >= k)."""
    a = float(1 / scale)
    positive = np.unique(np.ceil(float(scale) * np.log(100 / np.arange(1, 100))).astype(np.int64))
    edges = np.concatenate([1 - positive[::-1], positive])
    upper = np.exp(-a * positive) / (1 + math.exp(-a))
    at_least = np.concatenate([[1.0], 1 - upper[::-1], upper, [0.0]])
    counts = np.bincount(np.searchsorted(edges, draws, side="right"), minlength=len(edges) + 1)
    return misfit(counts, -np.diff(at_least))


def remainders(draws: Draws, scale: Fraction) -> float:
    """The p-value of the low-order byte: K mod 256, summed over all K with that remainder."""
    a = float(1 / scale)
    remainder = np.arange(256)
    weights = np.exp(-a * remainder) + np.exp(-a * (256 - remainder))
    return misfit(
        np.bincount(draws & 255, minlength=256), weights * math.tanh(a / 2) / -math.expm1(-256 * a)
    )


def folded(draws: Draws) -> Draws:
    """K for K >= 0 and -1 - K below: a geometric variable of ratio exp(-1 / scale)."""
    return np.where(draws < 0, ~draws, draws)


def middle_bytes(draws: Draws, scale: Fraction) -> float:
    """The p-value of each byte of the folded draw: v has weight exp(-v 256^j / scale), the rest sums out."""
    smallest, bytes_tested = 1.0, range(0, max(8, math.ceil(math.log2(scale)) + 3), 8)
    for shift in bytes_tested:
        weights = np.exp(-float(2**shift / scale) * np.arange(256))
        counts = np.bincount((folded(draws) >> shift) & 255, minlength=256)
        smallest = min(smallest, misfit(counts, weights / weights.sum()))
    return min(1.0, smallest * len(bytes_tested))


def bits(draws: Draws, scale: Fraction) -> NDArray[np.float32]:
    """The sign and the binary digits of the folded draw, each shifted and scaled to mean 0 and variance 1."""
    digit_count = max(1, math.ceil(math.log2(scale)) + 1)
    chances = [
        1 / (1 + math.exp(x)) for x in [1 / scale] + [2**i / scale for i in range(digit_count)]
    ]
    standard = np.empty((1 + digit_count, len(draws)), dtype=np.float32)
    standard[0], size = draws < 0, folded(draws)
    for i in range(digit_count):
        standard[1 + i] = (size >> i) & 1
    for row, p in zip(standard, chances, strict=True):
        row -= p
        row /= math.sqrt(p * (1 - p))
    return standard


def digits(draws: Draws, scale: Fraction) -> float:
    """The p-value of the frequencies of the sign and of every binary digit, and of all their pairs."""
    standard = bits(draws, scale)
    singles = np.abs(standard.sum(axis=1, dtype=np.float64))
    pairs = np.abs(standard @ standard.T)[np.triu_indices(len(standard), 1)]
    return _largest(np.concatenate([singles, pairs]) / math.sqrt(len(draws)))


def neighbours(draws: Draws, scale: Fraction) -> float:
    """The p-value of the correlation of every bit with the same bit 1 to 2^18 draws later."""
    standard = bits(draws, scale)
    lags = [
        lag
        for lag in (1, 2, 8, 63, 64, 65, 512, 4096, laplace.DRAWS_AT_ONCE)
        if 2 * lag <= len(draws)
    ]
    sums = [
        [np.dot(bit[lag:], bit[:-lag]) / math.sqrt(len(draws) - lag) for lag in lags]
        for bit in standard
    ]
    return _largest(np.abs(np.array(sums, dtype=np.float64)).ravel())


def _largest(scores: Floats) -> float:
    """The p-value of the largest of many standard normal scores in absolute value, by the union bound."""
    return min(1.0, 2 * len(scores) * float(stats.norm.sf(scores.max())))


Check = Callable[[Draws, Fraction], float]


def checks(scale: Fraction) -> list[Check]:
    """The checks that make sense at this scale."""
    everywhere: list[Check] = [digits, neighbours, remainders]
    return [every_value, *everywhere] if scale < 1000 else [ranges, middle_bytes, *everywhere]


def suspicion(scale: Fraction) -> float:
    """The smallest p-value that draws meant for `scale` get from any check; 0 if the sampler itself gives up."""
    try:
        draws = discrete_laplace(FEWER, scale)
    except SystemFailed:
        return 0.0
    return min(check(draws, scale) for check in checks(scale))


# The law


@pytest.mark.parametrize("scale", [Fraction(1, 10), *SMALL, Fraction(1000)], ids=str)
def test_every_value_has_its_exact_probability(scale: Fraction) -> None:
    """At small scales each single value comes up as often as the stated law says."""
    assert every_value(discrete_laplace(MANY, scale), scale) > CHANCE


@pytest.mark.parametrize("scale", LARGE, ids=str)
@pytest.mark.parametrize("check", [ranges, middle_bytes, remainders])
def test_large_fixed_point_scales_have_the_exact_law(scale: Fraction, check: Check) -> None:
    """On the fixed-point lattice the size of the noise and every byte of it, down to the lowest, follow the law."""
    assert check(discrete_laplace(MANY, scale), scale) > CHANCE


@pytest.mark.parametrize("scale", [Fraction(1), Fraction(10), *LARGE], ids=str)
@pytest.mark.parametrize("check", [digits, neighbours])
def test_draws_and_their_digits_are_independent(scale: Fraction, check: Check) -> None:
    """No draw tells anything about another one, nor one digit of it about another digit."""
    assert check(discrete_laplace(FEWER, scale), scale) > CHANCE


@pytest.mark.parametrize("wrong", [Fraction(95, 100), Fraction(105, 100)], ids=["-5%", "+5%"])
@pytest.mark.parametrize("scale", SMALL + LARGE, ids=str)
def test_a_scale_that_is_5_percent_wrong_is_caught(scale: Fraction, wrong: Fraction) -> None:
    """The test of the law has teeth: with noise 5 % too small or too large, it fails."""
    law = every_value if scale < 1000 else ranges
    assert law(discrete_laplace(MANY, scale * wrong), scale) < CHANCE


def test_the_smallest_scales_give_zero() -> None:
    """With next to no noise asked for (1/50 of a step, P(K != 0) = 4e-22), next to none is added."""
    assert not discrete_laplace(100_000, Fraction(1, 50)).any()
    assert not discrete_laplace(1_000, laplace.SMALLEST_SCALE).any()


@pytest.mark.parametrize("scale", [Fraction(2**50), WIDEST], ids=str)
def test_the_largest_scales_have_the_exact_law(scale: Fraction) -> None:
    """At the widest noise that is allowed the law still holds and nothing overflows."""
    draws = discrete_laplace(MANY // 2, scale)
    assert ranges(draws, scale) > CHANCE
    assert digits(draws, scale) > CHANCE


@pytest.mark.parametrize("scale", [Fraction(1), Fraction(10), LARGE[0]], ids=str)
def test_the_law_is_that_of_opendp(scale: Fraction) -> None:
    """The noise cannot be told from that of the vetted OpenDP library."""
    theirs = discrete_laplace(MANY // 20, scale, source="opendp")
    ours = discrete_laplace(MANY // 4, scale)
    assert theirs.dtype == ours.dtype and theirs.shape == (MANY // 20,)
    edges = np.unique(np.quantile(ours, np.linspace(0, 1, 65)).astype(np.int64))[1:-1]
    table = [
        np.bincount(np.searchsorted(edges, x, side="right"), minlength=len(edges) + 1)
        for x in (ours, theirs)
    ]
    occupied = np.array(table)[:, np.sum(table, axis=0) > 0]
    assert stats.chi2_contingency(occupied).pvalue > CHANCE
    assert every_value(theirs, scale) > CHANCE if scale < 1000 else ranges(theirs, scale) > CHANCE


# The probabilities


def probability(x: Fraction, b: int) -> Decimal:
    """1 / (b + e^x) by the decimal module, an independent high-precision computation."""
    return 1 / (b + (Decimal(x.numerator) / x.denominator).exp())


@pytest.mark.parametrize(
    "scale", [Fraction(1, 50), *SMALL, *LARGE, Fraction(12345678901234567, 89)], ids=str
)
def test_certified_places_equal_an_independent_computation(scale: Fraction) -> None:
    """The first 300 binary places of every probability used are those of another arithmetic."""
    law = LaplaceCoins(scale)
    assert len(law.digits) >= math.log2(scale)
    with localcontext(prec=250):
        expected = [(law.sign, 1 / scale, 1), (law.carry, 2 ** len(law.digits) / scale, 0)]
        expected += [(coin, 2**i / scale, 1) for i, coin in enumerate(law.digits)]
        for coin, x, b in expected:
            places = int("".join(map(str, islice(coin.expansion(), 300))), 2)
            assert places == int(probability(x, b) * 2**300)


@settings(max_examples=200, deadline=None)
@given(x=st.fractions(Fraction(1, 2**60), 100).filter(bool), n=st.integers(8, 300))
def test_bounds_of_the_exponential_enclose_it_tightly(x: Fraction, n: int) -> None:
    """The interval that certifies the digits holds the true value, and is narrow."""
    low, high = exp_bounds(x, n)
    with localcontext(prec=250):
        exact = (Decimal(x.numerator) / x.denominator).exp() * 2**n
        assert (
            low <= exact.to_integral_value(ROUND_FLOOR)
            and exact.to_integral_value(ROUND_CEILING) <= high
        )
        assert high - low <= 8 * (n + 300) * (1 + int(exact / 2**n))


@pytest.mark.parametrize(
    ("x", "b"), [(Fraction(1, 10), 1), (Fraction(3, 7), 1), (Fraction(5, 2), 0), (Fraction(4), 0)]
)
def test_a_coin_is_exactly_the_comparison_with_its_probability(
    x: Fraction, b: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fed with all 1024 beginnings U of a uniform number, a coin shows heads for exactly those with U < p."""
    heads = 0
    for beginning in range(1024):
        places = iter(f"{beginning:010b}" + "0" * 300)
        monkeypatch.setattr(
            laplace,
            "random_words",
            lambda n, p=places: np.array([-int(next(p))] * n).view(np.uint64),
        )
        shown = flip(Coin(x, b), 64)
        assert shown.min() == shown.max() == (beginning < 1024 * float(probability(x, b)))
        heads += int(shown[0])
    assert heads == math.floor(1024 * float(probability(x, b))) + 1


# Nothing repeats, nothing can be steered


def fresh(count: int = 1000) -> list[int]:
    """Draws so wide that two equal ones among 10^4 have a chance below 1e-8."""
    return [int(k) for k in discrete_laplace(count, WIDEST)]


def all_differ(lists: Iterable[list[int]]) -> bool:
    """Whether no number occurs twice in all the lists together."""
    everything = [k for draws in lists for k in draws]
    return len(everything) == len(set(everything)) > 0


def test_a_million_wide_draws_hardly_ever_coincide() -> None:
    """No part of a long run of noise is a copy of another part."""
    assert len(np.unique(discrete_laplace(1_000_000, WIDEST))) >= 1_000_000 - 2


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_forks_do_not_repeat_the_parent() -> None:
    """A process copied in the middle of its work does not draw the noise of its twin."""
    lists = [fresh()]
    for _ in range(3):
        read_end, write_end = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.write(write_end, np.array(fresh(), dtype=np.int64).tobytes())
            finally:
                os._exit(0)
        os.close(write_end)
        with os.fdopen(read_end, "rb") as pipe:
            lists.append(np.frombuffer(pipe.read(), dtype=np.int64).tolist())
        os.waitpid(child, 0)
        lists.append(fresh())
    assert [len(draws) for draws in lists] == [1000] * 7
    assert all_differ(lists)


def test_threads_do_not_repeat_each_other() -> None:
    """Releases made at the same time in one process have noises of their own."""
    with ThreadPoolExecutor(8) as pool:
        assert all_differ(pool.map(fresh, [1000] * 8))


def test_processes_do_not_repeat_each_other() -> None:
    """Releases made by fresh processes have noises of their own."""
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert all_differ(
            noise.tolist() for noise in pool.map(discrete_laplace, [1000] * 4, [WIDEST] * 4)
        )


def test_no_seed_steers_the_noise() -> None:
    """Seeding every generator in reach changes nothing: there is no seed to give and none to find."""
    assert list(inspect.signature(discrete_laplace).parameters) == ["count", "scale", "source"]
    lists = []
    for _ in range(2):
        random.seed(1)
        np.random.seed(1)
        lists.append(fresh())
    assert all_differ(lists)


def test_no_generator_is_imported_and_no_state_is_kept() -> None:
    """The module that draws imports no generator and holds nothing between calls but its public constants."""
    tree = ast.parse(inspect.getsource(laplace))
    imported = {
        name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names
    }
    imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported == {
        "os", "collections.abc", "fractions", "math", "operator", "numpy", "numpy.typing", "dpmap.errors", "dpmap.vault.opendp"
    }  # fmt: skip
    assert "random" not in {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    before = dict(vars(laplace))
    fresh()
    assert vars(laplace) == before
    kept = [
        name
        for name, value in before.items()
        if isinstance(value, np.ndarray | list | dict | set) and name[0] != "_"
    ]
    assert kept == []


def test_every_draw_is_a_function_of_the_system_entropy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same bytes from the operating system give the same noise, so nothing else enters it."""
    taken: list[bytes] = []
    system = os.urandom

    def record(size: int) -> bytes:
        taken.append(system(size))
        return taken[-1]

    monkeypatch.setattr(os, "urandom", record)
    first = discrete_laplace(5000, Fraction(100))
    replay = iter(taken)
    monkeypatch.setattr(os, "urandom", lambda size: next(replay))
    assert (discrete_laplace(5000, Fraction(100)) == first).all()
    assert next(replay, None) is None


# Broken on purpose: the tests have teeth


@pytest.mark.parametrize("scale", [Fraction(10), LARGE[1]], ids=str)
def test_the_unbroken_sampler_raises_no_suspicion(scale: Fraction) -> None:
    """The very checks that catch the broken samplers below pass the real one."""
    assert suspicion(scale) > CHANCE


@pytest.mark.parametrize("scale", [Fraction(10), LARGE[1]], ids=str)
def test_noise_ten_percent_too_small_is_caught(
    scale: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sampler that adds 10 % less noise than stated does not get past these tests."""
    monkeypatch.setattr(laplace, "LaplaceCoins", lambda stated: LaplaceCoins(stated * 9 / 10))
    assert suspicion(scale) < CHANCE


@pytest.mark.parametrize(
    ("scale", "digit"), [(Fraction(10), 2), (LARGE[1], 0), (LARGE[1], 31)], ids=str
)
def test_one_wrong_digit_is_caught(
    scale: Fraction, digit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sampler that has the probability of a single binary digit wrong by .01 does not get past these tests."""

    def broken(stated: Fraction) -> LaplaceCoins:
        law = LaplaceCoins(stated)
        law.digits[digit] = Coin(2**digit / stated + Fraction(1, 25), 1)
        return law

    monkeypatch.setattr(laplace, "LaplaceCoins", broken)
    assert suspicion(scale) < CHANCE


@pytest.mark.parametrize("scale", [Fraction(10), LARGE[1]], ids=str)
def test_a_forgotten_carry_is_caught(scale: Fraction, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sampler that cuts off the rare large values does not get past these tests."""

    def broken(stated: Fraction) -> LaplaceCoins:
        law = LaplaceCoins(stated)
        law.carry = Coin(Fraction(1000), 0)
        return law

    monkeypatch.setattr(laplace, "LaplaceCoins", broken)
    assert suspicion(scale) < CHANCE


def test_a_zero_counted_twice_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sampler that gives a fair sign to a geometric size, and so makes too many zeros, does not get past."""

    def broken(law: LaplaceCoins, count: int) -> Draws:
        return np.asarray(
            law.geometric(count) * np.random.default_rng().choice([-1, 1], count), dtype=np.int64
        )

    monkeypatch.setattr(LaplaceCoins, "draw", broken)
    assert suspicion(Fraction(10)) < CHANCE


@pytest.mark.parametrize("scale", [Fraction(10), LARGE[1]], ids=str)
@pytest.mark.parametrize("again", ["every flip", "every chunk", "every word"])
def test_entropy_used_twice_is_caught(
    scale: Fraction, again: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sampler that uses the same random bytes in two places, near or far apart, does not get past these tests."""
    if again == "every chunk":
        honest = LaplaceCoins.draw
        first: dict[int, Draws] = {}
        monkeypatch.setattr(
            LaplaceCoins, "draw", lambda law, n: first.setdefault(n, honest(law, n))
        )
    elif again == "every flip":
        block = os.urandom(8 * laplace.DRAWS_AT_ONCE)
        monkeypatch.setattr(
            laplace, "random_words", lambda n: np.frombuffer(block[: 8 * n], dtype=np.uint64)
        )
    else:
        system = laplace.random_words
        monkeypatch.setattr(laplace, "random_words", lambda n: np.repeat(system(-(-n // 2)), 2)[:n])
    assert suspicion(scale) < CHANCE


# The call


def test_a_source_stuck_at_zero_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the operating system's entropy fails, the release stops instead of running without noise or for ever."""
    monkeypatch.setattr(os, "urandom", bytes)
    with pytest.raises(SystemFailed, match="entropy source"):
        discrete_laplace(10, Fraction(5))


@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 1000, laplace.DRAWS_AT_ONCE + 1])
@pytest.mark.parametrize("source", ["dpmap", "opendp"])
def test_as_many_draws_as_asked_for(count: int, source: str) -> None:
    """The result is an int64 array of the length asked for, from either source."""
    if source == "opendp":
        count = min(count, 1000)
    noise = discrete_laplace(count, Fraction(10), source=source)
    assert noise.shape == (count,)
    assert noise.dtype == np.int64
    assert noise.flags.writeable


@pytest.mark.parametrize(
    ("count", "scale", "source"),
    [
        (1, Fraction(0), "dpmap"),
        (1, Fraction(-1), "dpmap"),
        (1, Fraction(1, 1025), "dpmap"),
        (1, Fraction(2**52 + 1), "dpmap"),
        (1, 10.0, "dpmap"),
        (1, 10, "dpmap"),
        (-1, Fraction(1), "dpmap"),
        (1, Fraction(1), "numpy"),
        (1, Fraction(0), "opendp"),
    ],
)
def test_what_cannot_be_done_exactly_is_refused(count: int, scale: Fraction, source: str) -> None:
    """A scale that is not an exact fraction in range, a negative count, an unknown source: a clear ValueError."""
    with pytest.raises(ValueError, match="noise") as refusal:
        discrete_laplace(count, scale, source=source)
    assert isinstance(refusal.value, DpmapError)


def test_a_missing_opendp_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks for OpenDP's noise without having OpenDP is told what to type."""
    monkeypatch.setitem(sys.modules, "opendp.prelude", None)
    with pytest.raises(ImportError, match=r'pip install "opendp>=') as refusal:
        discrete_laplace(1, Fraction(1), source="opendp")
    assert isinstance(refusal.value, MissingExtra)


@pytest.mark.parametrize("scale", [Fraction(1, 3), Fraction(2, 3), Fraction(10), LARGE[1]], ids=str)
def test_opendp_never_gets_a_smaller_scale(
    scale: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OpenDP takes a float for the scale; the exact one is rounded up to it, so privacy is never rounded away."""
    import opendp.prelude as dp

    given_scales: list[float] = []

    def spy(*space: object, scale: float) -> Callable[[list[int]], list[int]]:
        given_scales.append(scale)
        return lambda zeros: zeros

    monkeypatch.setattr(dp.m, "make_laplace", spy)
    discrete_laplace(1, scale, source="opendp")
    assert scale <= Fraction(given_scales[0]) <= scale * (1 + Fraction(1, 2**51))


def test_the_module_loads_without_opendp() -> None:
    """OpenDP, a large library, is loaded only by those who ask for it."""
    code = "import sys, dpmap.vault.laplace; sys.exit(any(name.startswith('opendp') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=LONG).returncode == 0


def test_memory_is_little_more_than_the_result() -> None:
    """Drawing the noise of millions of cells takes at most 32 MB beside the noise itself."""
    tracemalloc.start()
    try:
        noise = discrete_laplace(2_000_000, Fraction(10))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak - noise.nbytes < 32_000_000
