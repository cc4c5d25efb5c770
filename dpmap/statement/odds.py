"""Turns a factor of odds into chances that people can picture: what a reader thought before, and
what she can think at most after.
"""

import math
from fractions import Fraction

from dpmap.errors import BadInput
from dpmap.noise.theory import odds_factor
from dpmap.numbers import exact, one_in
from dpmap.promise.policy import Policy
from dpmap.record import Record


def after(before: float, factor: float) -> float:
    """Returns the chance that a reader can come to, who gave it the chance `before` and whose odds
    move by `factor`.

    >>> round(after(0.5, math.e), 3), round(after(0.001, math.e), 4)
    (0.731, 0.0027)
    """
    return before * factor / (1 - before + before * factor)


def most_of_even(factor: float) -> str:
    """Says the most that even odds can become, in a hundred, rounded up.

    >>> most_of_even(math.e), most_of_even(1e9)
    ('74 in 100', 'nearly 100 in 100')
    """
    chance = after(0.5, factor)
    return "nearly 100 in 100" if chance > 0.99 else f"{math.ceil(round(100 * chance, 6))} in 100"


def least_of_even(factor: float) -> str:
    """Says the least that even odds can become, in a hundred, rounded down.

    >>> least_of_even(math.e), least_of_even(1e9)
    ('26 in 100', 'nearly 0 in 100')
    """
    chance = 1 - after(0.5, factor)
    return "nearly 0 in 100" if chance < 0.01 else f"{math.floor(round(100 * chance, 6))} in 100"


def most_of_rare(factor: float) -> str:
    """Says the most that a chance of one in a thousand can become, in a thousand, rounded up in the
    second digit.

    >>> most_of_rare(math.e), most_of_rare(math.e**5), most_of_rare(1e9)
    ('2.8 in 1,000', '130 in 1,000', 'nearly 1,000 in 1,000')
    """
    per_thousand = 1000 * after(0.001, factor)
    if per_thousand > 990:
        return "nearly 1,000 in 1,000"
    step = 10.0 ** (math.floor(math.log10(per_thousand)) - 1)
    return f"{math.ceil(round(per_thousand / step, 6)) * step:.3g} in 1,000"


def spent_on_unit(record: Record) -> Fraction | None:
    """Returns what the ledger's releases that protect this one's unit come to; None where a file
    garbles it.

    Releases by other units bound nothing for this one, so their epsilons are not in it.
    """
    others = record.about.others
    if others is None:
        return record.receipt.spent
    try:
        return exact(others.spent, name="spent")
    except BadInput:
        return None


TEAM = 5
"""So many who belong together."""


def team_words(policy: Policy) -> str:
    """Say what several lose together; of k of them the chance that epsilon need not hold is k
    e^((k - 1) epsilon) times as large.
    """
    within = 1 + int(odds_factor(policy.epsilon, TEAM - 1))
    chance = TEAM * within * policy.delta if policy.delta else Fraction(0)
    if chance >= 1:
        return f"Of {TEAM} who belong together nothing is said."
    but = f", but for a chance of {one_in(chance)}" if chance else ""
    return (
        f"Several who belong together are hidden less: of {TEAM} together 50 in 100 becomes"
        f" {most_of_even(odds_factor(policy.epsilon, TEAM))} at most{but}."
    )
