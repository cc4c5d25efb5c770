"""Draws Laplace noise: integers K with P(K = k) proportional to exp(-|k| / scale), exactly, from
the system's entropy.

No floating-point number, seed or generator state takes part. Write a = 1 / scale, a rational number
above 0.

**Theorem.** `discrete_laplace` returns independent K, P(K = k) = c e^(-a|k|), c = (1 - e^-a) / (1 +
e^-a).

*Proof.* In five steps. Every event drawn has probability 1 / (b + e^x), b in {0, 1} and x > 0
rational.

1. *Sign.* Let G be geometric, P(G = g) = (1 - e^-a) e^(-a g) for g = 0, 1, 2, ..., and S
   independent of it, P(S = 1) = 1 / (1 + e^a). Put K = G if S = 0 and K = -1 - G if S = 1 (its
   bitwise complement: zero is not counted twice, so nothing is rejected). P(S = 0) = 1 / (1 +
   e^-a), so P(K = k) = c e^(-a k) for k >= 0. P(S = 1) = e^-a / (1 + e^-a), so P(K = k) = c e^-a
   e^(-a (-1 - k)) = c e^(a k) for k < 0.
2. *Digits.* Write G = D_0 + 2 D_1 + ... + 2^(m-1) D_(m-1) + 2^m H, each D_i a binary digit, H >= 0.
   Then e^(-a G) is the product of the e^(-a 2^i D_i) and e^(-a 2^m H). The law of G factors, so the
   D_i and H are independent: P(D_i = 1) = e^(-a 2^i) / (1 + e^(-a 2^i)) = 1 / (1 + e^(a 2^i)), P(H
   >= h) = e^(-a 2^m h).
3. *Carry.* H counts the successes before the first failure in independent trials of probability
   e^(-a 2^m) = 1 / (0 + e^(a 2^m)). A success says "2^m more"; G has no memory, so the trial is
   repeated.
4. *Coins.* Each event is {U < p} for U uniform on [0, 1), whose binary places are fair random bits.
   The first place where U and p differ decides it: U < p exactly when p has the 1 there. Later bits
   change nothing. e^x is transcendental for rational x > 0 (Lindemann), so p is irrational and has
   one expansion; U differs from it somewhere with probability 1. No two flips share a bit, so all
   are independent.
5. *Expansions.* The places of p are those on which certified bounds below and above agree (`Coin`,
   `exp_bounds`): integers rounded down and up, more precise whenever another place is asked for.
   QED

*Where int64 ends.* More than 255 carries in one draw (probability at most e^-512 at every scale) is
an error: an entropy source stuck at zero is reported, not looped over. *Time* depends on the draws
through ties and carries only, never on the data, which is not an argument. *Secrets*: nothing drawn
outlives the call, and the kernel owns all state, so forks and threads never repeat. *Speed*: a
machine word holds one bit of 64 draws; comparing with p takes a few word operations, and most of
the time is spent in `os.urandom`.

By hand, since numpy's noise is of floats from a seeded generator, and OpenDP's takes over twenty
times as long (`benchmarks/noise.py`).

>>> noise = discrete_laplace(5, Fraction(50))
>>> noise.shape, noise.dtype
((5,), dtype('int64'))
"""

import os
from collections.abc import Iterator
from fractions import Fraction
from math import ceil
from operator import index

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput, SystemFailed
from dpmap.vault.opendp import opendp_laplace

SMALLEST_SCALE = Fraction(1, 1024)
LARGEST_SCALE = Fraction(2**52)
DRAWS_AT_ONCE = 2**18
MOST_CARRIES = 255
MOST_SCALES = 500


def discrete_laplace(count: int, scale: Fraction, *, source: str = "dpmap") -> NDArray[np.int64]:
    """Returns `count` independent draws, P(k) proportional to exp(-|k| / scale); proof in the
    module's docstring.

    `source="opendp"` takes them from the OpenDP library instead, for those whose policy names one.
    Otherwise draws are made `DRAWS_AT_ONCE` at a time, so that memory beyond the result does not
    grow with `count`.

    >>> discrete_laplace(3, Fraction(0))
    Traceback (most recent call last):
    ...
    dpmap.errors.BadInput: noise scale must lie between 1/1024 and 2^52 steps; change epsilon or cap
    """
    if not isinstance(scale, Fraction):
        raise BadInput("noise scale must be an exact fractions.Fraction, such as Fraction(1, 3)")
    if not SMALLEST_SCALE <= scale <= LARGEST_SCALE:
        raise BadInput("noise scale must lie between 1/1024 and 2^52 steps; change epsilon or cap")
    if index(count) < 0:
        raise BadInput("the number of noise draws must not be negative")
    if source == "opendp":
        return opendp_laplace(count, scale)
    if source != "dpmap":
        raise BadInput('noise source must be "dpmap" or "opendp"')
    law = LaplaceCoins(scale)
    noise = np.empty(count, dtype=np.int64)
    for start in range(0, count, DRAWS_AT_ONCE):
        chunk = noise[start : start + DRAWS_AT_ONCE]
        chunk[:] = law.draw(chunk.size)
    return noise


def discrete_laplace_from(
    threshold: int, cells: int, scale: Fraction
) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
    """Draws noise for `cells` cells and returns only what is at least `threshold`: (places in
    order, noise there).

    **Theorem.** The answer has the law of `discrete_laplace(cells, scale)` with all noise below
    `threshold` left out. *Proof.* Write a = 1 / scale, T = threshold >= 1. Cells are independent,
    and each is in the answer with probability

    q = P(K >= T) = c (e^(-a T) + e^(-a (T + 1)) + ...) = c e^(-a T) / (1 - e^-a) = 1 / (e^(a T) +
    e^(a (T - 1))).

    *Places.* Let y > 0 be rational, p = 1 - e^-y >= q. Candidates that lie G + 1 apart, with
    independent P(G >= g) = e^(-y g), are the successes of independent trials of probability p, one
    for each cell (the wait for a success of probability p is >= g with (1 - p)^g = e^(-y g)). Each
    candidate is kept by a coin of probability q / p (`CandidateThinning`), so each cell is kept
    with probability q, independently. *Noise.* P(K = T + g | K >= T) = (1 - e^-a) e^(-a g), g >= 0:
    the geometric of step 1, whatever T. Gaps and noise are geometrics of steps 2 and 3, with 1 / y
    and `scale` for scale. QED

    Time and memory grow with the number that are wanted, not with `cells`. *Speed*: y is about 2 q,
    so every second candidate is kept.

    >>> places, noise = discrete_laplace_from(100, 10**9, Fraction(10))
    >>> bool((noise >= 100).all()), 10_000 < len(places) < 40_000
    (True, True)
    """
    if not isinstance(scale, Fraction) or not SMALLEST_SCALE <= scale <= LARGEST_SCALE:
        raise BadInput(
            "noise scale must be a Fraction between 1/1024 and 2^52 steps; change epsilon or cap"
        )
    if index(threshold) < 1 or threshold > MOST_SCALES * scale or not 0 <= index(cells) < 1 << 31:
        raise BadInput("release threshold: above 0, and at most 500 noise scales; choose another")
    spread = _candidates(threshold, scale)
    thinning = CandidateThinning(threshold, scale, spread)
    gaps = LaplaceCoins(1 / spread)
    law = LaplaceCoins(scale)
    batches = list[NDArray[np.int64]]()
    last = -1
    while last < cells:
        batch_size = min(DRAWS_AT_ONCE, 64 + int(2 * (cells - last) * spread))
        candidates = last + np.cumsum(np.minimum(gaps.geometric(batch_size), cells) + 1)
        last = int(candidates[-1])
        candidates = candidates[candidates < cells]
        batches.append(candidates[flip(thinning, len(candidates)).view(np.bool_)])
    places = np.concatenate(batches)
    return places, threshold + law.geometric(len(places))


def _candidates(threshold: int, scale: Fraction) -> Fraction:
    """Returns a dyadic y with 1 - e^-y >= q, about twice q: at most 1, at least 2^-40.

    As 1 - e^-y >= y (1 - 1/e) > y / 2 for 0 < y <= 1, any such y >= 2 q will do; 2 q < 1 always.
    """
    at_threshold, _ = exp_bounds(threshold / scale, 64)
    below_threshold, _ = exp_bounds((threshold - 1) / scale, 64)
    tail = Fraction(1 << 64, at_threshold + below_threshold)
    return max(Fraction(ceil(tail * 2**41), 2**40), Fraction(1, 2**40))


class LaplaceCoins:
    """Holds the coins of one scale (steps 1 to 3 of the proof): public numbers, computed once
    per call.
    """

    def __init__(self, scale: Fraction) -> None:
        """Takes the least width m with 2^m >= 2 scale, so that at most e^-2 = 14 % of draws
        carry; any m works.
        """
        width = (ceil(2 * scale) - 1).bit_length()
        self.sign = Coin(1 / scale, 1)
        self.digits = [Coin(2**i / scale, 1) for i in range(width)]
        self.carry = Coin(2**width / scale, 0)

    def draw(self, count: int) -> NDArray[np.int64]:
        """Draws step 1: K = G, or its complement -1 - G if the sign says so."""
        negative = flip(self.sign, count).astype(np.int64)
        return self.geometric(count) ^ -negative

    def geometric(self, count: int) -> NDArray[np.int64]:
        """Draws steps 2 and 3: independent digits below 2^m, gathered a byte at a time, then 2^m
        a carry.
        """
        total = np.zeros(count, dtype=np.int64)
        for start in reversed(range(0, len(self.digits), 8)):
            byte = np.zeros(count, dtype=np.uint8)
            for digit in reversed(self.digits[start : start + 8]):
                byte += byte
                byte += flip(digit, count)
            total <<= 8
            total += byte
        carrying = np.flatnonzero(flip(self.carry, count))
        carries = 0
        while carrying.size:
            carries += 1
            if carries > MOST_CARRIES:
                raise SystemFailed(
                    "the operating system's entropy source is broken: no noise was drawn"
                )
            total[carrying] += 1 << len(self.digits)
            carrying = carrying[flip(self.carry, carrying.size).view(np.bool_)]
        return total


def flip(coin: "Coin", count: int) -> NDArray[np.uint8]:
    """Throws `count` independent coins, 1 with the coin's exact probability p (step 4 of the
    proof).

    Each bit of a word belongs to one of 64 draws. `tied` marks those whose U equals p on every
    place so far: a place where p has 1 and U has 0 makes heads, 0 and 1 tails. Words without a tie
    need no more bits.
    """
    words = -(-count // 64)
    heads = np.zeros(words, dtype=np.uint64)
    places = np.arange(words)
    tied = ~heads
    for digit in coin.expansion():
        if not places.size:
            break
        uniform = random_words(places.size)
        if digit:
            heads[places] |= tied & ~uniform
            tied &= uniform
        else:
            tied &= ~uniform
        undecided = tied != 0
        places = places[undecided]
        tied = tied[undecided]
    return np.unpackbits(heads.view(np.uint8), count=count)


def random_words(count: int) -> NDArray[np.uint64]:
    """Returns words of 64 fresh fair bits each; the randomness of noise and choices enters here
    and nowhere else.
    """
    return np.frombuffer(os.urandom(8 * count), dtype=np.uint64)


class Coin:
    """Holds the probability p = 1 / (b + e^x), 0 < p < 1, to as many certified places as were asked
    for.

    >>> from itertools import islice
    >>> list(islice(Coin(Fraction(1), 1).expansion(), 8)), int(256 / (1 + 2.718281828))
    ([0, 1, 0, 0, 0, 1, 0, 0], 68)
    """

    def __init__(self, x: Fraction, b: int) -> None:
        """Takes rational x > 0 and b in {0, 1}: signs and digits have b = 1, carries b = 0."""
        self._x = x
        self._b = b
        self._precision = 32
        self._places: list[int] = []

    def expansion(self) -> Iterator[int]:
        """Yields the binary places of p without end: p is irrational, so each becomes certain at
        some precision.
        """
        place = 0
        while True:
            while place >= len(self._places):
                self._sharpen()
            yield self._places[place]
            place += 1

    def _sharpen(self) -> None:
        """Doubles the precision n (step 5) and keeps the leading places on which lower <= 2^n p
        <= upper agree.
        """
        self._precision *= 2
        n = self._precision
        lower, upper = self._bounds(n)
        doubtful = (lower ^ upper).bit_length()
        self._places = [(lower >> i) & 1 for i in range(n - 1, doubtful - 1, -1)]

    def _bounds(self, n: int) -> tuple[int, int]:
        """Returns integers lower <= 2^n p <= upper: as 1 / (b + y) falls with y, the upper bound
        of e^x gives the lower one.
        """
        low, high = exp_bounds(self._x, n)
        return 4**n // ((self._b << n) + high), -(-(4**n) // ((self._b << n) + low))


class CandidateThinning(Coin):
    """Holds the probability q / (1 - e^-y) with which a candidate is kept, q = 1 / (e^(a T) + e^(a
    (T - 1))).

    Its reciprocal is e^(a T) + e^(a (T - 1)) - e^(a T - y) - e^(a (T - 1) - y), in which the
    exponents are rational and the greatest, a T > 0, comes once: by Lindemann and Weierstrass no
    rational number, so its places never end.
    """

    def __init__(self, threshold: int, scale: Fraction, y: Fraction) -> None:
        super().__init__(y, 0)
        self._ends = threshold / scale, (threshold - 1) / scale

    def _bounds(self, n: int) -> tuple[int, int]:
        """Returns its bounds: with Y = e^y and E = e^(a T) + e^(a (T - 1)) it is Y / ((Y - 1)
        E), which falls in both.
        """
        (low, high), (first, first_up), (second, second_up) = (
            exp_bounds(x, n) for x in (self._x, *self._ends)
        )
        unity = 1 << n
        if low <= unity:
            return 0, unity  # not yet precise enough to tell Y from 1
        lower = (high << (2 * n)) // ((high - unity) * (first_up + second_up))
        return lower, min(unity, -(-(low << (2 * n)) // ((low - unity) * (first + second))))


def exp_bounds(x: Fraction, n: int) -> tuple[int, int]:
    """Returns integers low <= 2^n e^x <= high, for x >= 0, from its series, each term rounded down
    and up.

    An upper term is at least the true x^k / k!. From k >= 2x on every term is at most half the one
    before: once an upper one has come down to 1 there, the true terms after it sum to at most 1,
    added at the end.

    >>> exp_bounds(Fraction(1), 10), round(2**10 * 2.718281828)
    ((2781, 2787), 2784)
    """
    low = high = low_term = high_term = 1 << n
    k = 0
    while high_term > 1 or k < 2 * x:
        k += 1
        low_term = low_term * x.numerator // (x.denominator * k)
        high_term = -(-high_term * x.numerator // (x.denominator * k))
        low += low_term
        high += high_term
    return low, high + 1
