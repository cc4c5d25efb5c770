"""Grows places: joins the neighbours that are told apart least, until the colour of each place
can be told.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Index = NDArray[np.int64]
Mask = NDArray[np.bool_]

RATIO = 4.0
"""A density is told where its interval reaches from one value to this many times that: two
neighbouring classes of a map whose classes grow fourfold, three of factor two.
"""
AMPLE, APART = 16.0, 1.0
"""A place that its neighbours are told from by so many deviations is told up to this ratio: joined
to any of them, dense land would be spread over thin land.
"""
NEARLY_EMPTY = 1 / 8
"""Densities below this share of the mean are one class: nearly empty."""
EVEN = 1e-9
"""Of equals, the smaller are joined first."""
SORTED = 0.8
"""Pairs that have become the same are found whenever so few of the places are left."""


@dataclass(frozen=True, slots=True, eq=False)
class PieceGraph:
    """Holds pieces of land with their size, and the pairs that touch."""

    size: Numbers
    pairs: tuple[Index, Index]


def is_narrow_enough(low: Numbers, high: Numbers, size: Numbers, least: float) -> Mask:
    """Returns whether an interval of a total is narrow enough to give its place a colour;
    `least` is the density of nearly empty land.
    """
    return np.asarray(high <= RATIO * np.maximum(low, least * size))


def nearly_told(low: Numbers, high: Numbers, size: Numbers, least: float) -> Mask:
    """Returns the same for a place that stands apart from its neighbours: not nearly empty, and
    told by and large.
    """
    return is_narrow_enough(low, high, size, least) | (
        (low >= least * size) & (high <= AMPLE * low)
    )


def grown(land: PieceGraph, total: Numbers, variance: Numbers, wide: float, least: float) -> Index:
    """Returns the place of each piece of land, numbered from 0: the smallest ones whose totals,
    `wide` deviations about, are told.

    In each round every place that is not told asks for the neighbour whose density it is told from
    least, and of all that touch the cheapest pairs are joined. What has no neighbours left stays as
    it is, and so does what is nearly told and apart from all of them.
    """
    place, size, pairs, places = np.arange(len(total)), land.size, land.pairs, len(total)
    while True:
        kept, gone = _joining(total, variance, size, pairs, wide, least)
        if not len(kept):
            return place
        number = numbered(kept, gone, len(total))
        place = number[place]
        total, variance, size = (summed(number, part) for part in (total, variance, size))
        one, other = number[pairs[0]], number[pairs[1]]
        pairs = one[one != other], other[one != other]
        if len(total) < SORTED * places:
            places, pairs = len(total), distinct(*pairs, len(total))


def _joining(
    total: Numbers,
    variance: Numbers,
    size: Numbers,
    pairs: tuple[Index, Index],
    wide: float,
    least: float,
) -> tuple[Index, Index]:
    """Chooses the places that are joined now: those that stay, and those that go into them."""
    reach = wide * np.sqrt(variance)
    untold = ~is_narrow_enough(total - reach, total + reach, size, least)
    asked = untold[pairs[0]] | untold[pairs[1]]
    a, b = pairs[0][asked], pairs[1][asked]
    density, error = total / size, variance / size**2
    cost = np.abs(density[a] - density[b]) / np.sqrt(error[a] + error[b]) + EVEN * np.minimum(
        size[a], size[b]
    )
    stays = nearly_told(total - reach, total + reach, size, least) & (
        _least(a, b, cost, len(total)) > APART
    )
    untold &= ~stays
    asked = untold[a] | untold[b]
    return cheapest(a[asked], b[asked], cost[asked], untold)


def numbered(kept: Index, gone: Index, places: int) -> Index:
    """Returns each place's number once the pairs are joined."""
    to, stays = np.arange(places), np.ones(places, dtype=bool)
    to[gone], stays[gone] = kept, False
    return (np.cumsum(stays) - 1)[to].astype(np.int64)


def _least(a: Index, b: Index, cost: Numbers, places: int) -> Numbers:
    """Returns the cost of each place's cheapest pair."""
    best = np.full(places, np.inf)
    for end in (a, b):
        np.minimum.at(best, end, cost)
    return best


def cheapest(a: Index, b: Index, cost: Numbers, untold: Mask) -> tuple[Index, Index]:
    """Returns the cheapest pair of each untold place, where it is the cheapest to both its ends;
    no place twice.
    """
    best = np.full(len(untold), np.inf)
    for end in (a, b):
        np.minimum.at(best, end[untold[end]], cost[untold[end]])
    wanted = (untold[a] & (cost == best[a])) | (untold[b] & (cost == best[b]))
    a, b, cost = a[wanted], b[wanted], cost[wanted]
    best = _least(a, b, cost, len(untold))
    both = np.flatnonzero((cost == best[a]) & (cost == best[b]))
    first = np.full(len(untold), len(a))
    for end in (a, b):
        np.minimum.at(first, end[both], both)
    both = both[(first[a[both]] == both) & (first[b[both]] == both)]
    return a[both], b[both]


def summed(place: Index, parts: Numbers, places: int | None = None) -> Numbers:
    """Adds parts up, place by place."""
    return np.bincount(place, parts, places or 0).astype(np.float64)


def distinct(one: Index, other: Index, places: int) -> tuple[Index, Index]:
    """Returns each pair of different places once, the lower number first."""
    low, high = np.minimum(one, other), np.maximum(one, other)
    apart = low != high
    pairs = np.sort(low[apart] * places + high[apart])  # np.unique hashes, which takes far longer
    first, second = np.divmod(pairs[np.append(True, pairs[1:] != pairs[:-1])[: len(pairs)]], places)
    return first, second
