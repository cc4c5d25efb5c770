"""Trades privacy against error, either way: which epsilon an error needs, which cells an epsilon allows."""

import math
from fractions import Fraction

from dpmap.errors import BadInput
from dpmap.noise.theory import laplace_upper_tail, laplace_variance
from dpmap.numbers import exact, real
from dpmap.promise.policy import Policy

Tail = tuple[float, float]


def parse_tail(text: str) -> Tail:
    """Reads (beyond, chance) from `BEYOND:CHANCE`.

    >>> parse_tail("20:1%"), parse_tail("20:0.01")
    ((20.0, 0.01), (20.0, 0.01))
    """
    beyond, _, chance = text.partition(":")
    percent = chance.strip().endswith("%")
    try:
        parsed = real(beyond), real(chance.strip().rstrip("%")) / (100 if percent else 1)
    except ValueError:
        raise BadInput("--tail: write it as BEYOND:CHANCE, like 20:1%") from None
    return _check_tail(parsed)


def epsilon_for(
    cap: object, *, error: object = None, tail: "Tail | str | None" = None, share: Fraction = Fraction(0)
) -> Fraction:
    """Returns the least epsilon, to three figures, at which a cell measured by itself errs no more than this.

    `error` bounds the standard error in points; `tail=(beyond, chance)` bounds the chance of an error larger than
    `beyond`. `share` is what goes to choosing a cap. At scale b = cap / epsilon the standard error is b * sqrt(2) and
    the tail e^(-beyond / b): both are solved for b, the smaller one taken, and the answer checked on the exact law.

    >>> str(epsilon_for(5, error=5, tail="20:1%"))
    '71/50'
    """
    limits = []
    bound = parse_tail(tail) if isinstance(tail, str) else None if tail is None else _check_tail(tail)
    if error is not None:
        allowed = exact(error, name="error")
        if allowed <= 0:
            raise BadInput("--error: the standard error allowed must be above 0, like 5")
        limits.append(float(allowed) / math.sqrt(2))
    if bound is not None:
        limits.append(bound[0] / math.log(1 / bound[1]))
    if not limits:
        raise BadInput("plan: say what error is allowed, like --error 5 --tail 20:1%, or give --epsilon")
    points = Policy(epsilon=1, unit="row", cap=cap).cap
    loss = _rounded_up(points / min(limits) / float(1 - share))
    while not _kept(points, loss * (1 - share), error, bound):
        loss = _rounded_up(float(loss) * (1 + 1e-6))
    return Policy(epsilon=loss, unit="row", cap=cap).epsilon


def _kept(cap: int, epsilon: Fraction, error: object, tail: Tail | None) -> bool:
    """Whether the exact law on the lattice keeps both bounds."""
    lattice = Policy(epsilon=1, unit="row", cap=cap).lattice
    scale = Fraction(cap * lattice) / epsilon
    deviation = math.sqrt(laplace_variance(scale)) / lattice
    if error is not None and deviation > float(exact(error, name="error")):
        return False
    return tail is None or 2 * laplace_upper_tail(math.floor(tail[0] * lattice), scale) <= tail[1]


def _rounded_up(value: float) -> Fraction:
    """Rounds up to three figures."""
    step = Fraction(10) ** (math.floor(math.log10(value)) - 2)
    return math.ceil(Fraction(value) / step) * step


def _check_tail(tail: Tail) -> Tail:
    beyond, chance = tail
    if not (0 < beyond < math.inf and 0 < chance < 1):
        raise BadInput("--tail: an error above 0 and a chance between 0 and 100 %, like 20:1%")
    return float(beyond), float(chance)
