"""Draws Gaussian noise: integers N with P(N = n) proportional to exp(-n^2 / (2 sigma^2)), exactly,
sigma a whole number.

No floating-point number, seed or generator state takes part; all bits come from
`laplace.random_words`.

**Theorem.** `discrete_gaussian` returns independent N with that law (the discrete Gaussian).

*Proof.* By rejection, in four steps (the order of digits is Karney's, 2016; the coins are Canonne,
Kamath and Steinke's, 2020). Write |n| = sigma k + r with 0 <= r < sigma, and f = r / sigma. Then

    exp(-n^2 / (2 sigma^2)) = e^(-k^2 / 2) * (e^-f)^k * e^(-f^2 / 2).

1. *Wholes.* The tosses of a coin of probability e^(-1/2) before the first tail number k with chance
   in proportion to e^(-k / 2). Keeping k only if k (k - 1) / 2 coins of probability e^-1 all show
   heads makes that e^(-k^2 / 2). Both are coins of `laplace`, exact by its steps 4 and 5.
2. *Rests.* r is drawn evenly from 0 to sigma - 1, whatever k is, and kept with the chance (e^-f)^k
   e^(-f^2 / 2): that is, if k coins of probability e^-f and one of e^(-f^2 / 2) all show heads.
   What is kept has the law wanted of |n|.
3. *Falling coins.* For 0 <= x < 1, e^-x is the chance that the first of the trials K = 1, 2, 3, ...
   to fail, each of chance x / K, is an odd one: that the first K - 1 all succeed has chance x^(K -
   1) / (K - 1)!, and the alternating sum of these is e^-x. A trial of chance f / K is {u < r} for u
   drawn evenly from 0 to sigma K - 1; one of chance f^2 / (2 K) is two of them, {u < r} from sigma
   and {u < r} from 2 sigma K.
4. *Sign.* A fair bit; a negative zero is dropped, lest zero count twice.

An even whole number below m comes from a word w of 64 fair bits: with q = floor(2^64 / m), floor(w
/ q) takes each of the values 0 to m - 1 for q words, and is drawn again for the others. Draws that
are not kept are made again, so those that are have the law given that they are kept: proportional
to the product above. QED

*Where int64 ends.* More than `MOST` tosses, trials or rounds (less than e^-127 likely) are an
error: an entropy source that is stuck is reported, not looped over. *Time* depends on the draws
only, never on the data, which is not an argument.

>>> noise = discrete_gaussian(5, 50)
>>> noise.shape, noise.dtype
((5,), dtype('int64'))
"""

from collections.abc import Callable
from fractions import Fraction
from operator import index

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput, SystemFailed
from dpmap.vault.laplace import DRAWS_AT_ONCE, Coin, flip, random_words

LARGEST_SIGMA = 2**52
MOST = 255
_HALF = Coin(Fraction(1, 2), 0)
_WHOLE = Coin(Fraction(1), 0)

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


def discrete_gaussian(count: int, sigma: int) -> Numbers:
    """Returns `count` independent draws, P(n) proportional to exp(-n^2 / (2 sigma^2)); proof in the
    module's docstring.

    >>> discrete_gaussian(3, 0)
    Traceback (most recent call last):
    ...
    dpmap.errors.BadInput: noise sigma must be a whole number of steps from 1 to 2^52; change
    epsilon, delta or cap
    """
    if not 1 <= index(sigma) <= LARGEST_SIGMA:
        raise BadInput(
            "noise sigma must be a whole number of steps from 1 to 2^52; change epsilon, delta"
            " or cap"
        )
    if index(count) < 0:
        raise BadInput("the number of noise draws must not be negative")
    noise = np.empty(count, dtype=np.int64)
    done = rounds = 0
    while done < count:
        tries = min(DRAWS_AT_ONCE, 2 * (count - done) + 64)
        drawn = candidates(tries, sigma)[: count - done]
        rounds = 0 if len(drawn) else _count_round(rounds)
        noise[done : done + len(drawn)] = drawn
        done += len(drawn)
    return noise


def candidates(count: int, sigma: int) -> Numbers:
    """Makes `count` tries and returns those that are kept (steps 1 to 4), about half of them."""
    k = wholes(count)
    r = even_numbers(len(k), sigma)
    accepted = falls(r, sigma, squared=True)
    going = np.flatnonzero(accepted & (k > 0))
    _drop_tails(accepted, going, k[going], lambda tries: falls(r[tries], sigma))
    size = k[accepted] * sigma + r[accepted]
    negative = _fair(len(size))
    return np.where(negative, -size, size)[~negative | (size > 0)]


def wholes(count: int) -> Numbers:
    """Makes `count` tries and returns those that are kept (step 1), P(k) proportional to e^(-k^2
    / 2).
    """
    k = np.zeros(count, dtype=np.int64)
    going = np.arange(count)
    tosses = 0
    while going.size:
        tosses = _count_round(tosses)
        going = going[flip(_HALF, going.size).view(np.bool_)]
        k[going] += 1
    accepted = np.ones(count, dtype=np.bool_)
    going = np.flatnonzero(k > 1)
    left = k[going] * (k[going] - 1) // 2
    _drop_tails(accepted, going, left, lambda tries: flip(_WHOLE, tries.size).view(np.bool_))
    return k[accepted]


def _drop_tails(
    accepted: Flags, going: Numbers, left: Numbers, coins: Callable[[Numbers], Flags]
) -> None:
    """Drops those of `going` that do not throw `left` heads (one or more) in a row."""
    while going.size:
        heads = coins(going)
        accepted[going[~heads]] = False
        unfinished = heads & (left > 1)
        going = going[unfinished]
        left = left[unfinished] - 1


def falls(r: Numbers, sigma: int, *, squared: bool = False) -> Flags:
    """Returns True with probability e^-f, f = r / sigma, or e^(-f^2 / 2) if `squared` (step 3)."""
    odd = np.ones(len(r), dtype=np.bool_)
    going = np.arange(len(r))
    trial = 0
    while going.size:
        trial = _count_round(trial)
        heads = below(r, sigma * trial * (2 if squared else 1))
        going = going[heads]
        r = r[heads]
        if squared:
            heads = below(r, sigma)
            going = going[heads]
            r = r[heads]
        odd[going] = trial % 2 == 0
    return odd


def below(r: Numbers, limit: int) -> Flags:
    """Returns True with probability r / limit."""
    return even_numbers(len(r), limit) < r


def even_numbers(count: int, limit: int) -> Numbers:
    """Returns independent whole numbers from 0 to limit - 1, all equally likely; limit is at
    most 2^62.
    """
    part = min(2**64 // limit, 2**64 - 1)
    drawn = random_words(count) // np.uint64(part)
    again = np.flatnonzero(drawn >= limit)
    rounds = 0
    while again.size:
        rounds = _count_round(rounds)
        drawn[again] = random_words(again.size) // np.uint64(part)
        again = again[drawn[again] >= limit]
    return drawn.view(np.int64)


def _fair(count: int) -> Flags:
    """Returns fair bits."""
    return np.unpackbits(random_words(-(-count // 64)).view(np.uint8), count=count).view(np.bool_)


def _count_round(rounds: int) -> int:
    """Adds one to the rounds, and fails once there are more than chance can explain."""
    if rounds >= MOST:
        raise SystemFailed("the operating system's entropy source is broken: no noise was drawn")
    return rounds + 1
