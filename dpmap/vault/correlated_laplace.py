"""Draws noise together with noisier copies of it: all of them cost no more than the least noisy.

**Theorem.** Let a < b be rational, K a discrete Laplace of scale 1 / b, and W independent of it: 0
with probability r = sinh(a / 2)^2 / sinh(b / 2)^2, else a discrete Laplace of scale 1 / a. Then K +
W is a discrete Laplace of scale 1 / a.

*Proof.* Write p = e^-a, q = e^-b, so that q < p. The generating function of a discrete Laplace is,
over u = 2 cos t, f(p) = (1 - p)^2 / (1 + p^2 - p u). As 1 + q^2 - q u = (q / p) (1 + p^2 - p u) +
(1 - q / p) (1 - p q),

    f(p) / f(q) = ((1 - p)^2 / (1 - q)^2) (q / p + (1 - q / p) (1 - p q) / (1 + p^2 - p u)) = r + s
    f(p),

with r = (1 - p)^2 q / ((1 - q)^2 p), which is the r above, and s free of u. At t = 0 both sides are
1, so s = 1 - r; and 0 < r < 1, as sinh rises. Hence f(p) = f(q) (r + (1 - r) f(p)), which is the
generating function of K + W. QED

**Corollary (cost).** Let x + K be an answer whose K costs what a scale of 1 / b costs. Who is told
x + K and x + K + W has learnt what x + K tells, and a W that knows nothing of x. So both cost what
the first does; and who is told x + K + W alone has an answer of scale 1 / a, which costs what that
scale does. The same holds of a chain, each copy made from the one before. QED

Noise is drawn from the least noisy on, so no drawn noise is an argument of a sampler, and which
copies are told, and when, is settled afterwards. r is irrational: r (e^b + e^-b - 2) = e^a + e^-a -
2 would else tie numbers e^x of different rational x together by rational factors, which Lindemann
and Weierstrass rule out. So its coin is decided by certified places (laplace, step 4).
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.vault.laplace import Coin, discrete_laplace, exp_bounds, flip


def laplace_with_copies(count: int, scales: Sequence[Fraction]) -> list[NDArray[np.int64]]:
    """Returns `count` independent chains of noise, an array for each scale: the first drawn, each
    later one a noisier copy.

    Scales rise. Each array has the law of `discrete_laplace` at its own scale (theorem); what is
    added to make the next one is independent of all before. As many numbers are drawn whatever the
    coins show, so that no clock tells how many copies moved.

    >>> fine, coarse = laplace_with_copies(3, [Fraction(5), Fraction(50)])
    >>> fine.shape, coarse.dtype
    ((3,), dtype('int64'))
    """
    if any(wide <= narrow for narrow, wide in pairwise(scales)):
        raise BadInput("the noise scales of copies must rise")
    chain = [discrete_laplace(count, scales[0])]
    for narrow, wide in pairwise(scales):
        moves = 1 - flip(Same(wide, narrow), count).astype(np.int64)
        chain.append(chain[-1] + moves * discrete_laplace(count, wide))
    return chain


class Same(Coin):
    """Holds the probability r with which a copy is the same as what it copies (theorem), to as many
    certified places as asked for.

    >>> from itertools import islice
    >>> list(islice(Same(Fraction(2), Fraction(1)).expansion(), 4)), round(
    ...     16 * (0.2526 / 0.5211) ** 2, 1
    ... )
    ([0, 0, 1, 1], 3.8)
    """

    def __init__(self, wide: Fraction, narrow: Fraction) -> None:
        super().__init__(1 / wide, 0)
        self._narrow = 1 / narrow

    def _bounds(self, n: int) -> tuple[int, int]:
        """Returns integers lower <= 2^n r <= upper: with A = e^a and B = e^b, r is ((A - 1)^2 / A)
        / ((B - 1)^2 / B).

        (X - 1)^2 / X rises for X > 1, so the lower bound of A and the upper one of B give the lower
        bound of r.
        """
        low, high = exp_bounds(self._x, n)
        least, most = exp_bounds(self._narrow, n)
        unity = 1 << n
        if min(low, least) <= unity:
            return 0, unity  # not yet precise enough to tell them from 1
        lower = ((low - unity) ** 2 * most << n) // (low * (most - unity) ** 2)
        return lower, min(
            unity, -(-((high - unity) ** 2 * least << n) // (high * (least - unity) ** 2))
        )
