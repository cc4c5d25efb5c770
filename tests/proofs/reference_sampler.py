"""Draws from a string of bits, one bit after the other: `proof/sampler.v` in Python, line by line.

Each reader takes bits from the front and returns what it made of them and the bits that are left, or
None where the string ended too soon. The laws of these very functions are proved there.
"""

from collections.abc import Callable, Sequence

Bits = tuple[int, ...]
Places = Callable[[int], int]
"""The binary places of a coin's probability."""


def flip(places: Places, bits: Bits) -> tuple[int, Bits] | None:
    """Returns heads (1) or tails (0): the first bit that differs from its place decides."""
    for i, bit in enumerate(bits):
        if bit != places(i):
            return places(i), bits[i + 1 :]
    return None


def digits(coins: Sequence[Places], bits: Bits) -> tuple[int, Bits] | None:
    """Returns a number below 2^m, coins given from the lowest digit; the highest is drawn first."""
    if not coins:
        return 0, bits
    coin, *higher = coins
    if (drawn := digits(higher, bits)) is None:
        return None
    n, rest = drawn
    if (shown := flip(coin, rest)) is None:
        return None
    d, rest = shown
    return d + 2 * n, rest


def carries(most: int, coin: Places, bits: Bits) -> tuple[int, Bits] | None:
    """Returns how many heads come before the first tails."""
    if (shown := flip(coin, bits)) is None:
        return None
    again, rest = shown
    if not again:
        return 0, rest
    if most == 0 or (drawn := carries(most - 1, coin, rest)) is None:
        return None
    h, rest = drawn
    return h + 1, rest


def geometric(
    most: int, coins: Sequence[Places], carry: Places, bits: Bits
) -> tuple[int, Bits] | None:
    """Returns the digits, and 2^m for each carry."""
    if (low := digits(coins, bits)) is None or (h := carries(most, carry, low[1])) is None:
        return None
    return low[0] + h[0] * 2 ** len(coins), h[1]


def draw(
    most: int, sign: Places, coins: Sequence[Places], carry: Places, bits: Bits
) -> tuple[int, Bits] | None:
    """Returns the geometric number, or its complement where the sign says so."""
    if (negative := flip(sign, bits)) is None:
        return None
    if (drawn := geometric(most, coins, carry, negative[1])) is None:
        return None
    g, rest = drawn
    return (-1 - g if negative[0] else g), rest
