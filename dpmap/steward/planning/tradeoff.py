"""Trades privacy against error, either way: which epsilon an error needs, which cells an epsilon
allows.
"""

import math
from fractions import Fraction

import numpy as np

from dpmap.errors import BadInput
from dpmap.noise.distributions import DiscreteLaplace, Law
from dpmap.numbers import NumberLike, exact, real
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


def parse_error(error: object) -> Fraction:
    """Reads the standard error allowed, in points."""
    allowed = exact(error, name="error")
    if allowed <= 0:
        raise BadInput("--error: the standard error allowed must be above 0, like 5")
    return allowed


def parse_detect(detect: object) -> Fraction:
    """Reads how many points in a cell are to be told from none."""
    points = exact(detect, name="detect")
    if points <= 0:
        raise BadInput(
            "--detect: the points that are to be told from none in a cell must be above 0, like 20"
        )
    return points


TOLD = 0.9
"""A cell is told from none by a one-sided test at this level."""


def epsilon_for(
    cap: NumberLike,
    *,
    error: NumberLike | None = None,
    tail: "Tail | str | None" = None,
    detect: NumberLike | None = None,
    share: Fraction = Fraction(0),
) -> Fraction:
    """Returns the least epsilon, to three figures, at which a cell measured by itself errs no more
    than this.

    `error` bounds the standard error in points; `tail=(beyond, chance)` bounds the chance of an
    error larger than `beyond`; a cell of `detect` points is told from none: at least half of the
    time its answer is above nine in ten of the answers of an empty cell. `share` is what goes to
    choosing a cap. At scale b = cap / epsilon the standard error is b * sqrt(2), the tail
    e^(-beyond / b) and the total that is told b * ln 5: each is solved for b, the smallest taken,
    and the answer checked on the exact law.

    >>> str(epsilon_for(5, error=5, tail="20:1%"))
    '71/50'
    >>> str(epsilon_for(5, detect=20))
    '403/1000'
    """
    limits = []
    bound = None if tail is None else as_tail(tail)
    if error is not None:
        limits.append(float(parse_error(error)) / math.sqrt(2))
    if detect is not None:
        limits.append(float(parse_detect(detect)) / math.log(1 / (2 * (1 - TOLD))))
    if bound is not None:
        limits.append(bound[0] / math.log(1 / bound[1]))
    if not limits:
        raise BadInput(
            "plan: say what error is allowed, like --error 5 --tail 20:1% or --detect 20, or give"
            " --epsilon"
        )
    points = Policy(epsilon=1, unit="row", cap=cap).cap
    loss = rounded_up(points / min(limits) / float(1 - share))
    while not _keeps_bounds(points, loss * (1 - share), error, bound, detect):
        loss = rounded_up(float(loss) * (1 + 1e-6))
    return Policy(epsilon=loss, unit="row", cap=cap).epsilon


def _keeps_bounds(
    cap: int, epsilon: Fraction, error: object, tail: Tail | None, detect: object
) -> bool:
    """Whether the exact law on the lattice keeps all bounds."""
    lattice = Policy(epsilon=1, unit="row", cap=cap).lattice
    law = DiscreteLaplace(Fraction(cap * lattice) / epsilon)
    if error is not None and law.deviation / lattice > float(parse_error(error)):
        return False
    if detect is not None and law.detectable(TOLD) / lattice > float(parse_detect(detect)):
        return False
    return tail is None or chance_beyond(law, lattice, tail[0]) <= tail[1]


def chance_beyond(law: Law, lattice: int, beyond: float) -> float:
    """Returns the chance that a cell measured by itself is off by more points than this; of
    Gaussian noise a bound on it.
    """
    return 2 * float(law.at_least(np.array(math.floor(beyond * lattice) + 1.0)))


def rounded_up(value: float | Fraction, figures: int = 3) -> Fraction:
    """Rounds up to some figures.

    >>> str(rounded_up(0.4021)), str(rounded_up(0.4021, figures=2))
    ('403/1000', '41/100')
    """
    step = Fraction(10) ** (math.floor(math.log10(value)) - figures + 1)
    return math.ceil(Fraction(value) / step) * step


def rounded_down(value: Fraction, figures: int = 2) -> Fraction:
    """Rounds down to some figures.

    >>> str(rounded_down(Fraction(19, 40))), str(rounded_down(Fraction(3, 4)))
    ('47/100', '3/4')
    """
    step = Fraction(10) ** (math.floor(math.log10(value)) - figures + 1)
    return math.floor(value / step) * step


def as_tail(tail: Tail | str) -> Tail:
    """Reads (beyond, chance), given as a pair or as a text."""
    return parse_tail(tail) if isinstance(tail, str) else _check_tail(tail)


def _check_tail(tail: Tail) -> Tail:
    beyond, chance = tail
    if not (0 < beyond < math.inf and 0 < chance < 1):
        raise BadInput("--tail: an error above 0 and a chance between 0 and 100 %, like 20:1%")
    return float(beyond), float(chance)
