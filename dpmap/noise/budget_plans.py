"""Deals a budget out to the releases that are to come: the one list of ways, which plans compare
and the ledger enters.
"""

from fractions import Fraction

from dpmap.errors import BadInput

SCHEMES = ("even", "decaying", "alternate")
"""Alike each time; as 1, 1/2, 1/3; or alike each time with a map every second season only."""
GRAIN = 10**6
"""Shares are whole millionths, rounded down, so that they are short to write and never add up to
more.
"""
MOST_RELEASES = 10_000


def shares(total: Fraction, releases: int, scheme: str) -> tuple[Fraction, ...]:
    """Deals out a total to releases: `even`ly, or `decaying` as 1, 1/2, 1/3, ... of the first;
    `alternate` ones are even too.

    A data set that grows by as much each season holds k times as much at season k, so shares that
    decay as 1/k keep the noise in proportion to it. Of `alternate` ones there are half as many as
    seasons: a season without a map costs nothing.

    >>> [str(share) for share in shares(Fraction(3), 3, "even")]
    ['1', '1', '1']
    >>> [float(share) for share in shares(Fraction(3), 3, "decaying")]
    [1.636363, 0.818181, 0.545454]
    """
    if (
        isinstance(releases, bool)
        or not isinstance(releases, int)
        or not 1 <= releases <= MOST_RELEASES
    ):
        raise BadInput(
            f"plan: the number of releases is a whole number from 1 to {MOST_RELEASES}, like 12"
        )
    if scheme not in SCHEMES:
        raise BadInput(f"plan: its scheme is not one of {', '.join(SCHEMES)}")
    weights = [
        Fraction(1, place if scheme == "decaying" else 1) for place in range(1, releases + 1)
    ]
    dealt = tuple(Fraction(int(total * weight / sum(weights) * GRAIN), GRAIN) for weight in weights)
    if dealt[-1] < Fraction(1, 10**4):
        raise BadInput(
            "plan: its smallest share is below 0.0001; plan fewer releases or a larger total"
        )
    return dealt
