"""Computes what a promise buys: the lattice of its cap, epsilon under sampling, and the noise for a
share of it.

Public arithmetic, read beside the vault, which draws by it, and by plans and files, which state it.
"""

import decimal
from fractions import Fraction

from dpmap.noise.zcdp import deviation, rho

LATTICE_BITS = 32
"""A cap is at least 2^32 lattice steps, so that a unit of 10^6 rows in 10^6 cells, each rounded
down by less than a step, still keeps more than 99.97 % of its cap.
"""


def lattice_of(cap: int) -> int:
    """Returns how many lattice steps make a point: a power of two that makes the cap at least 2^32
    steps.

    >>> lattice_of(5) == 2**30
    True
    """
    return 1 << max(0, LATTICE_BITS - cap.bit_length() + 1)


def before_sampling(epsilon: Fraction, rate: Fraction) -> Fraction:
    """Returns the largest loss that sampling units at this rate turns into `epsilon`: ln(1 +
    (e^epsilon - 1) / rate).

    That it does is the theorem of `vault/sampling.py`. In billionths, rounded down: `decimal`
    rounds its exp and ln correctly, at 60 digits, and the answer is lowered by more than their
    errors add up to before it is cut.

    >>> before_sampling(Fraction(1, 10), Fraction(1, 20))
    Fraction(1132504201, 1000000000)
    """
    with decimal.localcontext(prec=60, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN):
        odds = (decimal.Decimal(epsilon.numerator) / epsilon.denominator).exp() - 1
        loss = (1 + odds * rate.denominator / rate.numerator).ln() - decimal.Decimal("1e-30")
        return Fraction(int(loss.scaleb(9).to_integral_value(decimal.ROUND_FLOOR)), 10**9)


def laplace_scale(cap: int, lattice: int, share: Fraction) -> Fraction:
    """Returns the Laplace scale in steps that a share of epsilon buys, for totals that move by cap
    * lattice in L1.

    >>> laplace_scale(5, 4, Fraction(1, 10))
    Fraction(200, 1)
    """
    return Fraction(cap * lattice) / share


def gaussian_scale(
    cap: int, lattice: int, epsilon: Fraction, delta: Fraction, share: Fraction
) -> Fraction:
    """Returns the Gaussian deviation in whole steps that a share of (epsilon, delta) buys.

    A share of epsilon buys the same share of the rho that keeps them both (concentrated); shares of
    epsilon add up to no more than it, so those of rho add up to no more than rho.

    >>> gaussian_scale(25, 2**28, Fraction(1), Fraction(1, 10**6), Fraction(1)) / 2**28 < 23
    True
    """
    return Fraction(deviation(cap, lattice, rho(epsilon, delta) * share / epsilon))
