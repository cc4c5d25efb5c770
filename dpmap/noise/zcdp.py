"""Computes how much Gaussian noise keeps (epsilon, delta): zero-concentrated differential privacy,
rounded to the safe side.

A mechanism is rho-zCDP when, for all neighbours and all orders a > 1, the mean of (P / P')^(a - 1)
over its answers is at most e^((a - 1) a rho), P and P' being an answer's chances with the one
survey and with the other (Bun and Steinke 2016). Of several answers, each question chosen as late
as one likes, the ratios multiply, so what they cost adds up.

**Theorem** (Canonne, Kamath and Steinke 2020). Discrete Gaussian noise of parameter sigma,
independent for each of several whole numbers that one unit moves by d_1, d_2, ..., costs rho =
(d_1^2 + d_2^2 + ...) / (2 sigma^2).

*Proof.* For one number, with s = 2 sigma^2 and Z the sum of e^(-x^2 / s), the mean is the sum over
x of e^((-a x^2 + (a - 1) (x - d)^2) / s) / Z. The exponent is -(x + (a - 1) d)^2 / s + a (a - 1)
d^2 / s. So the mean is e^(a (a - 1) d^2 / s) times the sum of e^(-(x + t)^2 / s) over x, over Z, t
= (a - 1) d; and no shift t of the whole numbers has a larger sum than t = 0, since by Poisson's
formula the sum is a series of cosines of t with coefficients above 0. Of independent numbers the
means multiply. QED

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
    """Returns the largest rho known for which every rho-zCDP mechanism is (epsilon,
    delta)-differentially private.

    **Theorem** (Canonne, Kamath and Steinke 2020). What is rho-zCDP is (epsilon,
    delta)-differentially private for delta = e^((a - 1) (a rho - epsilon)) / (a - 1) * (1 - 1 /
    a)^a, for each order a > 1.

    *Proof.* Over any set of answers P - e^epsilon P' is at most the mean of max(0, 1 - u), u =
    e^epsilon P' / P. As 1 - u <= m u^(1 - a) for m the largest value of (1 - u) u^(a - 1), which is
    at u = 1 - 1 / a and is (1 - 1 / a)^a / (a - 1), that mean is at most m e^(-(a - 1) epsilon)
    times the mean of (P / P')^(a - 1). QED

    Solved for rho this is (epsilon + (ln delta + ln(a - 1) + a ln(a / (a - 1))) / (a - 1)) / a,
    *whichever* order is put in. So floats may look for a good order, and nothing rests on them: the
    value is worked out at the order found, a decimal number, to 80 digits, lowered by more than
    their errors add up to, and cut.

    >>> round(float(rho(Fraction(1), Fraction(1, 10**5))), 4)
    0.0306
    """
    order = 1 + decimal.Decimal(_good_order(float(epsilon), math.log(delta)))
    with decimal.localcontext(prec=80):
        loss, chance = (
            decimal.Decimal(part.numerator) / part.denominator for part in (epsilon, delta)
        )
        over = order - 1
        rho = (loss + (chance.ln() + over.ln() + order * (order / over).ln()) / over) / order
        cut = int(
            (rho - decimal.Decimal("1e-40")).scaleb(PLACES).to_integral_value(decimal.ROUND_FLOOR)
        )
    if cut <= 0:
        raise BadInput("delta: so small a delta leaves nothing of this epsilon; raise one of them")
    return Fraction(cut, 10**PLACES)


def _good_order(epsilon: float, log_delta: float) -> float:
    """Finds the a - 1 at which rho is about largest, by golden-section search of its logarithm."""

    def rho(log_over: float) -> float:
        over = math.exp(log_over)
        return (epsilon + (log_delta + log_over + (1 + over) * math.log1p(1 / over)) / over) / (
            1 + over
        )

    low = -25.0
    high = 25.0
    part = (math.sqrt(5) - 1) / 2
    for _ in range(80):
        left = high - part * (high - low)
        right = low + part * (high - low)
        low, high = (low, right) if rho(left) > rho(right) else (left, high)
    return math.exp((low + high) / 2)


def deviation(cap: int, lattice: int, loss: Fraction) -> int:
    """Returns the least whole sigma, in lattice steps, at which an answer costs no more than `loss`
    of rho.

    The totals of single cells move by at most sqrt(cap) points in L2 (vault.limiter), so sigma^2
    must be at least cap * lattice^2 / (2 loss); the square root is taken in whole numbers and
    rounded up.

    >>> deviation(8, 1, Fraction(1, 4)), deviation(8, 1, Fraction(1, 5))
    (4, 5)
    """
    return math.isqrt(math.ceil(cap * lattice**2 / (2 * loss)) - 1) + 1
