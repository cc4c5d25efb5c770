"""Says what a release costs whom it protects, what other epsilons would, and what a budget
leaves.
"""

from dataclasses import replace
from fractions import Fraction

from dpmap.errors import BadInput
from dpmap.noise.distributions import LAWS
from dpmap.noise.theory import odds_factor
from dpmap.numbers import decimal_text, exact
from dpmap.promise.policy import Policy
from dpmap.statement.phrases import factor, odds_words, where_words
from dpmap.steward.planning.results import EpsilonChoice, Odds, Years
from dpmap.steward.planning.tradeoff import TOLD, rounded_down
from dpmap.style import number

TIMES = tuple(Fraction(2) ** power for power in range(-2, 3))
"""The epsilons to choose from are so many times the plan's, where the budget pays for them."""
LEAST = Fraction(1, 10**4)
"""No smaller epsilon can be declared."""


def odds(policy: Policy, *, tiers: bool) -> Odds:
    """Says what is promised to one protected person, in the words of the statement."""
    words = f"{odds_words(policy, one_of_several=tiers)} {where_words(policy.epsilon)}"
    return Odds(odds_factor(policy.epsilon), odds_factor(policy.epsilon, 2), words)


def choices(
    policy: Policy, wider: float = 1.0, left: Fraction | None = None
) -> tuple[EpsilonChoice, ...]:
    """Lists epsilons around the policy's in rising order, and what each would mean; the strategy
    adaptive makes a cell's bounds up to so many times `wider`.

    None is above what is `left` of the budget: where one would be, all that is left stands for it,
    and smaller ones are added.

    >>> [choice.epsilon for choice in choices(Policy(epsilon=1, unit="who", cap=5))]
    ['0.25', '0.5', '1', '2', '4']
    >>> dear = Policy(epsilon=18, unit="who", cap=5)
    >>> [choice.epsilon for choice in choices(dear, left=Fraction(3))]
    ['0.18', '0.37', '0.75', '1.5', '3']
    """
    epsilons = {policy.epsilon * times for times in TIMES}
    if left is not None and max(epsilons) > left:
        epsilons = {epsilon for epsilon in epsilons if epsilon < left} | {left}
        while len(epsilons) < len(TIMES) and min(epsilons) / 2 >= LEAST:
            epsilons.add(rounded_down(min(epsilons) / 2))
    return tuple(
        _choice(policy, epsilon, wider, is_rest=epsilon == left)
        for epsilon in sorted(epsilons)
        if epsilon >= LEAST
    )


def _strength_words(times: Fraction) -> str:
    """Says what an epsilon so many times the plan's means."""
    if times == 1:
        return "the protection and the map of this plan"
    much = "much " if times <= Fraction(1, 4) or times >= 4 else ""
    if times < 1:
        return f"{much}stronger protection, {much}blurrier map"
    return f"{much}weaker protection, {much}sharper map"


def _choice(policy: Policy, epsilon: Fraction, wider: float, *, is_rest: bool) -> EpsilonChoice:
    at = replace(policy, epsilon=epsilon)
    words = _strength_words(epsilon / policy.epsilon)
    if is_rest:
        words += ", for all that the budget has left"
    law = LAWS[at.noise](at.scale * at.lattice)
    moved = odds_factor(at.epsilon)
    detect = law.detectable(TOLD) / at.lattice
    half_width = law.two_sided(0.9) / at.lattice
    cells = (
        f"a cell is told from none from about {number(detect)} points on"
        if wider == 1
        else (
            f"a cell is told from none from about {number(detect * wider)} points on"
            f" ({number(detect)} with the strategy flat)"
        )
    )
    sentence = (
        f"{words[0].upper()}{words[1:]}: {cells}, and nobody's odds about one"
        f" {'row' if policy.unit == 'row' else policy.unit} move by more than a factor of"
        f" {factor(moved)}."
    )
    return EpsilonChoice(decimal_text(at.epsilon), detect, half_width, moved, sentence)


def read_budget(budget: object, spent: object) -> tuple[Fraction, Fraction] | None:
    """Reads a budget and what of it is spent; None where none is given."""
    if budget is None:
        if spent is not None:
            raise BadInput("--spent: it is part of a budget; add --budget B, or leave it out")
        return None
    most = exact(budget, name="--budget")
    gone = exact(0 if spent is None else spent, name="--spent")
    if most <= 0 or not 0 <= gone <= most:
        raise BadInput(
            "--budget: above 0, and --spent at least 0 and at most the budget, like --budget 3"
            " --spent 0.5"
        )
    return most, gone


def years(epsilon: Fraction, budget: object, spent: object, needed: str = "") -> Years | None:
    """Says what a budget leaves after a release of this epsilon, exactly; `needed` says instead
    what all that is left would keep, where errors were asked for that need more.

    >>> years(Fraction(1, 2), "3", "0.5").such_releases_left
    4
    """
    amounts = read_budget(budget, spent)
    if amounts is None:
        return None
    most, gone = amounts
    after = most - gone - epsilon
    left = max(int(after // epsilon), 0)
    if after < 0:
        words = needed or (
            f"The budget does not allow this release: {decimal_text(most - gone)} remains, and it"
            f" costs {decimal_text(epsilon)}."
        )
    else:
        more = (
            f"pays for {left:,} more such release{'' if left == 1 else 's'}"
            if left
            else "pays for no other such release"
        )
        before = (
            "" if spent is not None else ", if nothing was spent before (--spent says what was)"
        )
        words = (
            f"After this release {decimal_text(after)} of the budget of {decimal_text(most)}"
            f" remains, which {more}{before}."
        )
    return Years(decimal_text(most), decimal_text(gone), decimal_text(after), left, words)
