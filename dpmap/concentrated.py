"""How much Gaussian noise keeps (epsilon, delta): zero-concentrated differential privacy, rounded to the safe side.

A mechanism is rho-zCDP when, for all neighbours and all orders a > 1, the Renyi divergence of its answers is at most
a rho (Bun and Steinke 2016). Answering with independent discrete Gaussian noise of parameter sigma^2 added to whole
numbers that one unit moves by at most D in L2 is D^2 / (2 sigma^2)-zCDP, and what several answers cost adds up, each
question chosen as late as one likes (Canonne, Kamath and Steinke 2020, theorem 14; Bun and Steinke, lemma 2.3).

>>> rho(Fraction(1), Fraction(1, 10**6)) > Fraction(2, 100)
True
"""

import decimal
import math
from fractions import Fraction
from functools import lru_cache

from dpmap.errors import BadInput

PLACES = 24
"""Decimals of rho: it is above 10^-10 wherever epsilon is above 10^-4 and delta above 10^-20."""


@lru_cache(maxsize=256)
def rho(epsilon: Fraction, delta: Fraction) -> Fraction:
    """A rho such that whatever is rho-zCDP is (epsilon, delta)-differentially private, as large as is known.

    **Theorem** (Canonne, Kamath and Steinke 2020, proposition 12). What is rho-zCDP is (epsilon, delta)-differentially
    private for delta = e^((a - 1)(a rho - epsilon)) / (a - 1) * (1 - 1 / a)^a, for each order a > 1.

    Solved for rho this is (epsilon + (ln delta + ln(a - 1) + a ln(a / (a - 1))) / (a - 1)) / a, *whichever* order is put
    in. So floats may look for a good order, and nothing rests on them: the value is worked out at the order found, a
    decimal number, to 80 digits, lowered by more than their errors add up to, and cut.

    >>> round(float(rho(Fraction(1), Fraction(1, 10**5))), 4)
    0.0306
    """
    order = 1 + decimal.Decimal(_good_order(float(epsilon), math.log(delta)))
    with decimal.localcontext(prec=80):
        loss, chance = (decimal.Decimal(part.numerator) / part.denominator for part in (epsilon, delta))
        over = order - 1
        found = (loss + (chance.ln() + over.ln() + order * (order / over).ln()) / over) / order
        cut = int((found - decimal.Decimal("1e-40")).scaleb(PLACES).to_integral_value(decimal.ROUND_FLOOR))
    if cut <= 0:
        raise BadInput("delta: so small a delta leaves nothing of this epsilon; raise one of them")
    return Fraction(cut, 10**PLACES)


def _good_order(epsilon: float, log_delta: float) -> float:
    """The a - 1 at which rho is about largest, by golden sections of its logarithm."""

    def found(log_over: float) -> float:
        over = math.exp(log_over)
        return (epsilon + (log_delta + log_over + (1 + over) * math.log1p(1 / over)) / over) / (1 + over)

    low, high, part = -25.0, 25.0, (math.sqrt(5) - 1) / 2
    for _ in range(80):
        left, right = high - part * (high - low), low + part * (high - low)
        low, high = (low, right) if found(left) > found(right) else (left, high)
    return math.exp((low + high) / 2)


def deviation(cap: int, lattice: int, loss: Fraction) -> int:
    """The least whole sigma, in lattice steps, at which an answer costs no more than `loss` of rho.

    The totals of single cells move by at most sqrt(cap) points in L2 (vault.limiter), so sigma^2 must be at least
    cap * lattice^2 / (2 loss); the square root is taken in whole numbers and rounded up.

    >>> deviation(8, 1, Fraction(1, 4)), deviation(8, 1, Fraction(1, 5))
    (4, 5)
    """
    return math.isqrt(math.ceil(cap * lattice**2 / (2 * loss)) - 1) + 1
