"""Chooses one public candidate privately (a cap, a cell size, an area), by an exact random choice
that favours good ones.

`choose` is permute-and-flip (McKenna and Sheldon, 2020). Visit the candidates in a fair random
order; at candidate i flip a coin of probability p_i = exp(-a (best - q_i)), q_i its score, a =
epsilon / (2 * sensitivity); the first coin that shows heads decides. The best candidate's coin
always does, so it ends.

**Theorem.** If one unit more or less moves every score by at most `sensitivity`, the choice has
privacy loss epsilon.

*Proof.* Let w_i = e^(a q_i), M the largest of them, so p_i = w_i / M. A fair random order is that
of independent arrival times, uniform on [0, 1]. Candidate r is chosen when its coin shows heads and
no candidate that arrives before it does; one that shows heads before time t has chance t p_j, so
P(r) is the integral of p_r * prod_(j != r) (1 - t p_j) over t from 0 to 1. With s = t / M this is

    P(r) = integral from 0 to 1/M of w_r * prod_(j != r) (1 - s w_j) ds.

Let the neighbouring survey have w'_j and M'. Each score moves by at most `sensitivity`, so with k =
e^(epsilon / 2) w_j / k <= w'_j <= k w_j and M' <= k M. Shorten its integral to s <= 1 / (k M) <=
1/M'; there 1 - s w'_j >= 1 - s k w_j >= 0, and w'_r >= w_r / k. Put v = k s: what is left is w_r /
k^2 times the integral over v from 0 to 1/M of prod (1 - v w_j). So P'(r) >= P(r) / k^2 = e^-epsilon
P(r); the other way by symmetry. QED

**Corollary.** Where one unit more can only raise scores (region totals: a unit adds nowhere less
than 0), half the noise suffices: a = epsilon / sensitivity.

*Proof.* Now k = e^epsilon, and with the unit w_j <= w'_j <= k w_j, M' <= k M. With it: shorten to s
<= 1 / (k M), where 1 - s w'_j >= 1 - s k w_j >= 0 and w'_r >= w_r; with v = k s, P'(r) >= P(r) / k.
Without it: w_j is the larger, M' <= M, so shorten to s <= 1/M, where 1 - s w'_j >= 1 - s w_j >= 0
and w'_r >= w_r / k: again P'(r) >= P(r) / k. QED

It is never worse than the exponential mechanism at the same epsilon (their theorem). No
floating-point number takes part: scores are whole numbers or fractions, the order and the coins
come from the bits of `laplace.random_words`. The *time* it takes tells how many coins were flipped,
microseconds beside the seconds of counting before it.

>>> choose([0, -10**6, -10**6], Fraction(1), Fraction(1))
0
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import floor

from dpmap.errors import BadInput
from dpmap.grid import Partition
from dpmap.ledger.ledger import Reservation
from dpmap.private_totals import BY_ITSELF, PrivateRungCounts, PrivateTotals
from dpmap.promise.limiters import LIMITERS
from dpmap.promise.policy import Policy
from dpmap.vault.laplace import Coin, flip, random_words

ABOVE = Fraction(1, 4)
"""The chosen cap should leave a quarter of the units above it. A public number, like the next two,
measured on maps (docs/decisions/004-cap-choice.md, 037-by-user.md).
"""
PULL = 500
"""So many units / epsilon more: the less epsilon there is, the dearer a point of cap."""
CLIMB = Fraction(1, 2)
"""Of caps as good as each other a higher rung is e^(1/2) times less likely than the one below."""
_WHOLE = Coin(Fraction(1), 0)


def bernoulli_exp(x: Fraction) -> bool:
    """Returns True with probability e^-x exactly, for rational x >= 0.

    e^-x is the product of as many e^-1 as x has wholes and of e^-(the rest): heads only if each of
    those coins shows heads, and the first tail ends it, so a large x costs no more than a small
    one. `flip` is exact for 1 / (0 + e^y), y > 0 (laplace, steps 4 and 5); for y = 0 the answer is
    certain.

    >>> bernoulli_exp(Fraction(0)), bernoulli_exp(Fraction(10**9))
    (True, False)
    """
    if x < 0:
        raise BadInput("bernoulli_exp: x must not be below 0, since e^-x is a probability")
    wholes, rest = divmod(x, 1)
    for _ in range(wholes):
        if not flip(_WHOLE, 1)[0]:
            return False
    return not rest or bool(flip(Coin(rest, 0), 1)[0])


def choose(
    scores: Sequence[int | Fraction],
    epsilon: Fraction,
    sensitivity: Fraction,
    *,
    rising: bool = False,
) -> int:
    """Returns the index of one candidate, at a privacy loss of exactly `epsilon`; higher scores are
    likelier (theorem above).

    `rising` says that one unit more can raise scores only (corollary).

    >>> choose([5], Fraction(1), Fraction(1))
    0
    """
    if not scores or epsilon <= 0 or sensitivity <= 0:
        raise BadInput(
            "choose: there must be a candidate, and epsilon and sensitivity must be above 0"
        )
    slope = Fraction(epsilon) / Fraction(sensitivity) / (1 if rising else 2)
    best = max(scores)
    waiting = list(range(len(scores)))
    while True:
        candidate = waiting.pop(_below(len(waiting)))
        if bernoulli_exp(slope * (best - scores[candidate])):
            return candidate


def _below(count: int) -> int:
    """Draws a fair whole number below `count` (at most 2^64): as many fair bits as it has, drawn
    again when too large.
    """
    shift = 64 - (count - 1).bit_length()
    while (drawn := int(random_words(1)[0]) >> shift) >= count:
        pass
    return drawn


def unit_sizes(policy: Policy, shares: int = 1) -> str:
    """Builds SQL over `rows` or `wholes` that answers `(bin, units)`: how many units first fit
    under each rung of the ladder.

    A unit's size is what it would add without a cap: its weight, or under `presence` its weight of
    at most a point in each cell. Bin i holds the units that fit under rung i but not i-1; the last
    one those above every rung. Which bin a unit is in depends on its own rows only.
    """
    if policy.cap_choice is None:
        raise BadInput('cap: it is declared, so there is nothing to choose; write cap="auto:0.05"')
    weight = "CAST(SUM(weight) AS BIGINT)"
    begin = ""
    if policy.unit == "row":
        units = "SELECT weight AS size FROM rows"
    elif LIMITERS[policy.limiter].by_cell:
        by_cell = f"SELECT unit, LEAST({shares}, {weight}) AS weight FROM rows GROUP BY unit, cell"
        units = f"SELECT {weight} AS size FROM ({by_cell}) AS by_cell GROUP BY unit"
    else:
        units = f"SELECT {weight} AS size FROM wholes GROUP BY unit"
        begin = f"{BY_ITSELF} "
    ladder = policy.cap_choice.ladder
    fits = " ".join(f"WHEN size <= {rung * shares} THEN {i}" for i, rung in enumerate(ladder))
    binned = f"SELECT CASE {fits} ELSE {len(ladder)} END AS bin FROM ({units}) AS units"
    return (
        f"{begin}SELECT bin, CAST(COUNT(*) AS BIGINT) AS units FROM ({binned}) AS binned GROUP"
        " BY bin"
    )


SENSITIVITY = max(ABOVE, 1 - ABOVE)


def scores(above: Sequence[int], units: int, policy: Policy) -> list[Fraction]:
    """Scores each cap: minus the distance of the units above it from `ABOVE` of all units + `PULL`
    / epsilon, minus a public amount for each rung climbed.

    **Sensitivity.** One unit more adds 1 to `units` and 0 or 1 to each of `above`, so it moves
    above - units / 4 - 500 / epsilon by -1/4 or 3/4, and its distance from 0 by at most 3/4. What a
    rung costs is the same in every survey.

    >>> policy = Policy(epsilon=1000, unit="a", cap="auto:0.5:1-3")
    >>> scores([9, 5, 0], 16, policy)
    [Fraction(-4, 1), Fraction(-3, 2000), Fraction(-5003, 1000)]
    """
    rung = CLIMB * 2 * SENSITIVITY / policy.choosing
    return [
        -abs(count - ABOVE * units - PULL / policy.measuring) - i * rung
        for i, count in enumerate(above)
    ]


def evenness(totals: PrivateTotals, partition: Partition, noise: Fraction) -> int:
    """Scores how good a map of these regions would be for single cells: minus the steps of its
    likely error, a whole number.

    Each region's total T, spread evenly over its m cells, is wrong by |c - T / m| in a cell of c; a
    cell in no region by c; and the mean size of its `noise`, which is public, comes on top for each
    region.

    **Sensitivity.** Let a unit add v_i >= 0 to the cells, C * L in all. |c - T / m| moves by at
    most v_i + V / m, V being the sum of v over the region, so a region's sum moves by at most 2 V,
    a cell in none by v_i, and all together by 2 C * L at most; rounding down makes that 2 C * L +
    1.

    >>> import numpy as np
    >>> four = PrivateTotals(np.array([0, 1]), np.array([8, 4]))
    >>> [
    ...     evenness(four, Partition(labels), Fraction(1))
    ...     for labels in ([0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0])
    ... ]
    [-4, -6, -13]
    """
    sizes = partition.sizes().tolist()
    region = partition.labels.ravel()[totals._cells]
    inside = region >= 0
    cells = list(zip(region[inside].tolist(), totals._steps[inside].tolist(), strict=True))
    region_totals: Counter[int] = Counter()
    for region_label, steps in cells:
        region_totals[region_label] += steps
    errors = Counter({1: int(totals._steps[~inside].sum())})  # by size, times the size
    for region_label, steps in cells:
        size = sizes[region_label]
        errors[size] += abs(size * steps - region_totals[region_label])
    for region_label, occupied in Counter(region[inside].tolist()).items():
        size = sizes[region_label]
        errors[size] += (size - occupied) * region_totals[region_label]
    spread_error = sum(Fraction(steps, size) for size, steps in errors.items())
    return floor(-spread_error - partition.regions * noise)


def choose_cap(tally: PrivateRungCounts, policy: Policy, reservation: Reservation) -> Policy:
    """Returns the policy with its cap chosen, having paid the declared share of the reservation
    before the first coin.
    """
    choice = policy.cap_choice
    if choice is None or policy.cap_origin != "to be chosen privately":
        raise BadInput("cap: it is fixed already; a policy chooses its cap once")
    epsilon = reservation.claim(policy.choosing)
    units = [0] * (len(choice.ladder) + 1)
    for rung, count in zip(tally._bins.tolist(), tally._units.tolist(), strict=True):
        units[rung] += count
    above = [sum(units[rung + 1 :]) for rung in range(len(choice.ladder))]
    rung = choose(scores(above, sum(units), policy), epsilon, SENSITIVITY)
    return replace(policy, cap=choice.ladder[rung], cap_origin="chosen privately")
