"""Checks that the noise added by the session has the stated law, by going through every outcome of
its coins.

All outcomes of the coins are tried, however rare, so chance has no part in it.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import SystemFailed
from dpmap.grid import Grid, Partition
from dpmap.selftest.check import Broken, CheckResult, Effort, replace_attribute
from dpmap.selftest.laplace_bits import SCALES, SMALL, value
from dpmap.vault import laplace
from dpmap.vault import mechanism as room
from dpmap.vault.laplace import Coin, LaplaceCoins, discrete_laplace
from dpmap.vault.session import Session

CARRIES = 255
"""As many carries as one draw may have; at every scale, one of more has a chance of at most
e^-512.
"""


def assembly(_: Effort) -> CheckResult:
    """All outcomes of the coins are enumerated: their probabilities add up to the law, with no
    chance involved.

    They go in by the coins and come out at the session, so what lies between takes nothing away,
    however rare.
    """
    with localcontext(prec=90):
        outcomes = sum(map(_assembled, SCALES)) + sum(map(_listed, SMALL))
    _stuck()
    return CheckResult(
        f"{outcomes:,} outcomes of all coins at {len(SCALES)} scales, up to {CARRIES} carries, to"
        " 60 decimals",
        "any wrong probability, any tail cut short",
    )


def _assembled(scale: Fraction) -> int:
    """Returns one session's answer in which every outcome comes once, with the probability of
    its value.
    """
    table, found = Enumerated(scale), dict[int, Decimal]()
    grid = _strip(table.size)
    truth = np.arange(table.size) % 7
    session = Session(truth, grid, 1 / scale, 1, 1)
    with table.shown():
        drawn = session.measure(Partition.cells(grid), 1 / scale).steps - truth
    for number, chance in zip(drawn.tolist(), table.chances(), strict=True):
        found[number] = found.get(number, Decimal(0)) + chance
    whole = Decimal(scale.numerator) / scale.denominator
    ratio = (-1 / whole).exp()
    for number, chance in found.items():
        stated = (1 - ratio) / (1 + ratio) * (-abs(number) / whole).exp()
        if abs(chance / stated - 1) > Decimal(10) ** -60:
            raise Broken(
                f"scale {scale}: {number} has probability {chance:.6g} instead of {stated:.6g}"
            )
    if len(found) != table.size:
        raise Broken(f"scale {scale}: some values cannot be drawn")
    return table.size


def _strip(cells: int) -> Grid:
    return Grid(bounds=(0, 0, cells, 1), shape=(1, cells), crs="EPSG:3857")


def _listed(scale: Fraction) -> int:
    """Returns the same for a sparse map's noise, with every cell a candidate and kept: the
    threshold plus what was drawn.
    """
    table, least = Enumerated(scale), math.ceil(2 * scale)
    with table.shown():
        places, noise = laplace.discrete_laplace_from(least, table.size, scale)
    if places.tolist() != list(range(table.size)) or noise.tolist() != [
        least + size for size in table.sizes()
    ]:
        raise Broken(f"scale {scale}: a sparse map's noise is not what its coins show")
    cells, many = np.arange(table.size), np.full(table.size, 10**6)
    session = Session(many, _strip(table.size), 1 / scale, 1, 1)
    with (
        table.shown(),
        replace_attribute(room, "discrete_laplace_from", lambda *_: (cells[:0], cells[:0])),
    ):
        shown = session.measure_from(Fraction(least), 1 / scale).steps - many
    if shown.tolist() != table.values():
        raise Broken(
            f"scale {scale}: a sparse map's cells that hold something do not have the noise that"
            " was drawn"
        )
    return 2 * table.size


def _stuck() -> None:
    """Checks that more carries than any honest source shows are reported, and nothing is drawn."""
    flips = iter(range(2 * CARRIES))

    def heads(_: Coin, count: int) -> NDArray[np.uint8]:
        if next(flips, None) is None:
            raise Broken("an entropy source that is stuck is asked for ever")
        return np.ones(count, dtype=np.uint8)

    with replace_attribute(laplace, "flip", heads):
        try:
            discrete_laplace(1, Fraction(1))
        except SystemFailed:
            return
    raise Broken("an entropy source that is stuck is not reported")


class Enumerated:
    """Lists the outcomes of a law's coins, one draw for each: signs, digits, and every number of
    carries up to the last.

    Where there are more than three digits, these combinations of them: none and all, with every
    number of carries, and each by itself, with one carry at most. Each coin is flipped without a
    look at the others, so no more are needed.
    """

    def __init__(self, scale: Fraction) -> None:
        self._law, self._scale = LaplaceCoins(scale), scale
        width = len(self._law.digits)
        some = [
            (0,) * width,
            (1,) * width,
            *(tuple(int(i == one) for i in range(width)) for one in range(width)),
        ]
        digits, every = (list(product((0, 1), repeat=width)), 8) if width <= 3 else (some, 2)
        self._outcomes = [
            (sign, *pattern, carries)
            for number, pattern in enumerate(digits)
            for carries in range(CARRIES + 1 if number < every else 2)
            for sign in (0, 1)
        ]
        self._table, self.size, self._round = np.array(self._outcomes), len(self._outcomes), 0

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Makes every draw in this block show each outcome once; of a sparse map, every cell is
        a candidate and kept.
        """
        self._round = 0
        laws = {self._scale: self._law}
        with (
            replace_attribute(laplace, "LaplaceCoins", lambda scale: laws.get(scale, _Adjacent())),
            replace_attribute(laplace, "flip", self._flip),
        ):
            try:
                yield
            except SystemFailed:
                raise Broken(
                    f"scale {self._scale}: noise that must be drawn is called a failure"
                ) from None

    def _flip(self, coin: Coin, count: int) -> NDArray[np.uint8]:
        """Returns what the sampler's own `flip` would have shown in each of the outcomes."""
        shown = np.ones(count, dtype=np.uint8)
        if coin is self._law.carry:
            wanted = self._table[:, -1]
            still = wanted[wanted >= self._round]
            self._round += 1
            shown = (still >= self._round).astype(np.uint8)
        elif coin is self._law.sign or coin in self._law.digits:
            column = 0 if coin is self._law.sign else 1 + self._law.digits.index(coin)
            shown = self._table[:, column].astype(np.uint8)
        if len(shown) != count:
            raise Broken("the sampler flips its coins in another order than its proof says")
        return shown

    def sizes(self) -> list[int]:
        """Returns the size that each outcome's digits and carries mean."""
        return [
            sum(shown << place for place, shown in enumerate(outcome[1:-1]))
            + (outcome[-1] << len(outcome[1:-1]))
            for outcome in self._outcomes
        ]

    def values(self) -> list[int]:
        """Returns the sizes with their sign: a size, or its complement."""
        return [
            ~size if outcome[0] else size
            for outcome, size in zip(self._outcomes, self.sizes(), strict=True)
        ]

    def chances(self) -> Iterator[Decimal]:
        """Returns the exact probability of each outcome, from the coins' own certified places."""
        heads = [value(coin) for coin in (self._law.sign, *self._law.digits)]
        again = value(self._law.carry)
        carried = [again**carries * (1 - again) for carries in range(CARRIES + 1)]
        for outcome in self._outcomes:
            chance = carried[outcome[-1]]
            for one, shown in zip(heads, outcome[:-1], strict=True):
                chance *= one if shown else 1 - one
            yield chance


class _Adjacent:
    """Replaces the law of gaps: each candidate is the next cell."""

    def geometric(self, count: int) -> NDArray[np.int64]:
        """Returns gaps of 0."""
        return np.zeros(count, dtype=np.int64)
