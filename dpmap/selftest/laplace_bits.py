"""Checks the binary places of every probability: each is right, and none is taken before it is
certain.

The vault knows a probability by whole numbers below and above it, and takes the places on which
both agree. Here they are compared with the decimal module, which rounds its own exponential
correctly: another arithmetic than the vault's.
"""

import math
from collections.abc import Iterable, Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations, islice

from dpmap.selftest.check import Broken, CheckResult, Effort
from dpmap.vault import laplace
from dpmap.vault.correlated_laplace import Same
from dpmap.vault.laplace import CandidateThinning, Coin, LaplaceCoins, exp_bounds

SMALL = (Fraction(3, 10), Fraction(1), Fraction(5, 2), Fraction(22, 7))
SCALES = (*SMALL, Fraction(200, 3), Fraction(655_360), Fraction(2**32 * 7, 3), Fraction(2**50))
"""From a fraction of a step to the widest lattice, with fractions that no binary number holds."""
PLACES = 256
DEPTHS = range(4, 240, 3)
"""After how many places a probability that is hard to tell from 1/4 parts from it."""
PRECISIONS = (*range(1, 72), 128, 256)
Known = tuple[Coin, Decimal, str]
"""A coin, its probability as worked out here, and what it is called."""


def exponential(x: Fraction) -> Decimal:
    """Returns e^x to as many digits as the context has."""
    return (Decimal(x.numerator) / x.denominator).exp()


def value(coin: Coin) -> Decimal:
    """Returns a coin's probability from its first places."""
    return Decimal(_first_places(coin)) / Decimal(2**PLACES)


def _first_places(coin: Coin) -> int:
    """Returns the first places as a whole number."""
    return int("".join(map(str, islice(coin.expansion(), PLACES))), 2)


def places(_: Effort) -> CheckResult:
    """Checks the binary places of every coin, and the bounds that certify them, against an
    independent computation.
    """
    with localcontext(prec=160):
        usual = [*_usual(), *_copied()]
        hard = list(_hard())
        bounds = 0
        for coin, stated, what in (*usual, *hard):
            if _first_places(coin) != int(stated * 2**PLACES):
                raise Broken(f"{what}: its places are not those of {stated:.9f}")
        for coin, stated, what in (*usual[:: len(usual) // 20], *_tiny()):
            bounds += _held(((n, *coin._bounds(n)) for n in PRECISIONS), stated, what)
        for x in (
            Fraction(0),
            Fraction(1, 3),
            Fraction(1),
            Fraction(7, 2),
            Fraction(500),
            Fraction(1, 2**52),
        ):
            bounds += _held(((n, *exp_bounds(x, n)) for n in PRECISIONS), exponential(x), f"e^{x}")
        for n in PRECISIONS:  # so small that rounding hides nothing
            bounds += _held(
                [(n, *exp_bounds(Fraction(1, 2**n), n))],
                exponential(Fraction(1, 2**n)),
                f"e^(2^-{n})",
            )
    return CheckResult(
        f"{len(usual) + len(hard)} probabilities, {PLACES} binary places each, {len(hard)} of them"
        f" as hard to tell from 1/4 as can be; {bounds:,} bounds",
        "any wrong place, or one taken too soon",
    )


def _held(bounds: Iterable[tuple[int, int, int]], stated: Decimal, what: str) -> int:
    """Checks that each (n, lower, upper) has lower <= 2^n p <= upper; returns how many there
    are.
    """
    tried = 0
    for n, lower, upper in bounds:
        tried += 1
        if not lower <= stated * 2**n <= upper:
            raise Broken(f"{what}: it is not between its bounds of {n} places")
    return tried


def _coin(x: Fraction, b: int) -> Known:
    return (
        Coin(x, b),
        1 / (b + exponential(x)),
        f"a coin of probability 1 / ({b} + e^x), x = {float(x):.6g}",
    )


def _thinning(threshold: int, scale: Fraction, y: Fraction) -> Known:
    """Returns the coin that keeps a candidate of a sparse map."""
    ends = exponential(threshold / scale) + exponential((threshold - 1) / scale)
    what = f"the coin that keeps a candidate, threshold {threshold}, scale {scale}"
    return CandidateThinning(threshold, scale, y), 1 / (ends * (1 - exponential(-y))), what


def _same(wide: Fraction, narrow: Fraction) -> Known:
    """Returns the coin that leaves a noisier copy as it is: ((A - 1)^2 / A) / ((B - 1)^2 / B), A
    and B being e^(1 / scale).
    """
    ends = [(exponential(1 / scale) - 1) ** 2 / exponential(1 / scale) for scale in (wide, narrow)]
    return (
        Same(wide, narrow),
        ends[0] / ends[1],
        f"the coin of a copy, from scale {narrow} to {wide}",
    )


def _copied() -> Iterator[Known]:
    """Returns the coins of copies at every two scales, and at two that hardly differ."""
    for narrow, wide in combinations(SCALES, 2):
        yield _same(wide, narrow)
    for scale in SCALES:
        yield _same(scale * (1 + Fraction(1, 10**6)), scale)


def _usual() -> Iterator[Known]:
    """Returns the coins of every scale, those of sparse maps among them."""
    for scale in SCALES:
        law = LaplaceCoins(scale)
        if len(law.digits) < math.log2(scale):
            raise Broken(f"scale {scale}: the sampler draws too few binary digits")
        yield law.sign, *_coin(1 / scale, 1)[1:]
        yield law.carry, *_coin(2 ** len(law.digits) / scale, 0)[1:]
        for place, digit in enumerate(law.digits):
            yield digit, *_coin(2**place / scale, 1)[1:]
        for high in (Fraction(1, 10), Fraction(3), Fraction(27)):
            threshold = math.ceil(high * scale)
            yield _thinning(threshold, scale, laplace._candidates(threshold, scale))


def _hard() -> Iterator[Known]:
    """Returns coins with a probability near 1/4, so that a bound on one side only shows other
    places.
    """
    least = exponential(Fraction(3)) + exponential(Fraction(2))
    quarter = (
        exponential(Fraction(1, 2)) - exponential(Fraction(-1, 2))
    ) / 4  # the wide one's sinh, where the chance is 1/4
    for depth in DEPTHS:
        for side in (0, 1):

            def near(x: Decimal, depth: int = depth, side: int = side) -> Fraction:
                return Fraction(int(x * 2**depth) + side, 2**depth)

            yield _coin(near(Decimal(3).ln()), 1)
            yield _coin(near(Decimal(4).ln()), 0)
            yield _thinning(3, Fraction(1), near(-(1 - 4 / least).ln()))
            yield _same(1 / near(2 * (quarter + (quarter * quarter + 1).sqrt()).ln()), Fraction(1))


def _tiny() -> Iterator[Known]:
    """Returns coins whose e^x is so close to 1 that the bounds are as narrow as they get."""
    for n in range(2, 60, 3):
        yield _coin(Fraction(1, 2**n), 1)
        yield _same(Fraction(2**n), Fraction(2**n - 1))
