"""The level of intervals that hold for regions chosen because they look strong."""

from typing import Literal


def level_of_chosen(
    level: float, chosen: int, tested: int, method: Literal["bh", "by"] = "bh"
) -> float:
    """Returns the level at which each of `chosen` intervals, of so many `tested`, is made so that
    of the chosen ones the expected share that miss the truth is at most 1 - `level`; `method` is
    the rule of `discoveries` by which they were chosen.

    *Proof* (Benjamini and Yekutieli 2005, theorems 1 and 4). Let m be tested and r = 1 - level. For
    "bh" the noises are independent. Give the i-th the p-value 0 and let R_i be how many are then
    chosen, which its own noise does not touch. If it is chosen, R = R_i. Its interval, at level 1 -
    r k / m where R = k, misses with a chance of at most r k / m, whatever the others are; so the
    expected value of 1 / R over its misses while chosen is at most the sum over k of P(R_i = k) (r
    k / m) / k = r / m. Summed over all i: r. For "by" let a_k = r k / (m H) with H = 1 + 1/2 + ...
    + 1/m. The i-th misses at the level of R only if it misses at the level of every larger risk, so
    E[miss / R] = sum over k of E[miss, R = k] / k is at most the sum over j of (a_j - a_(j-1)) / j,
    by parts and under any dependence, which is r / m. QED

    >>> level_of_chosen(0.9, 5, 100), level_of_chosen(0.9, 0, 100)
    (0.995, 0.9)
    """
    if not chosen or not tested:
        return level
    dependence = 1.0 if method == "bh" else sum(1 / k for k in range(1, tested + 1))
    return 1 - (1 - level) * chosen / (tested * dependence)
