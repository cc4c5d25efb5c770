"""Grows places: joins the neighbours whose densities differ least, until the colour of each place
is known.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Index = NDArray[np.int64]
Mask = NDArray[np.bool_]

RATIO = 4.0
"""A density is known where its interval reaches from one value to this many times that: two
neighbouring classes of a map whose classes grow fourfold, three of factor two.
"""
AMPLE = 16.0
"""The same ratio for a place that differs from its neighbours: joined to any of them, dense land
would be spread over thin land.
"""
APART = 1.0
"""A place differs from its neighbours where its density does by so many deviations."""
NEARLY_EMPTY = 1 / 8
"""Densities below this share of the mean are one class: nearly empty."""
EVEN = 1e-9
"""Between equal costs, smaller places are joined first."""
SORTED = 0.8
"""Equal pairs are removed whenever the number of places fell below this share."""


@dataclass(frozen=True, slots=True, eq=False)
class PieceGraph:
    """Pieces of land with their size, and the pairs that touch."""

    size: Numbers
    pairs: tuple[Index, Index]


def is_narrow_enough(low: Numbers, high: Numbers, size: Numbers, least: float) -> Mask:
    """Returns whether an interval of a total is narrow enough to give its place a colour;
    `least` is the density of nearly empty land.
    """
    return np.asarray(high <= RATIO * np.maximum(low, least * size))


def can_be_coloured(low: Numbers, high: Numbers, size: Numbers, least: float) -> Mask:
    """Returns whether a place that differs from its neighbours can have a colour: its interval is
    narrow, or it is not nearly empty and known up to the ratio `AMPLE`.
    """
    return is_narrow_enough(low, high, size, least) | (
        (low >= least * size) & (high <= AMPLE * low)
    )


def grow_places(
    land: PieceGraph, total: Numbers, variance: Numbers, wide: float, least: float
) -> Index:
    """Returns the place of each piece of land, numbered from 0: the smallest ones whose intervals,
    `wide` deviations about their totals, are narrow enough.

    In each round every place whose interval is too wide looks for the neighbour of the most similar
    density, and the cheapest of these pairs are joined. A place without neighbours stays as it is,
    and so does one that can be coloured and differs from all of them.
    """
    place = np.arange(len(total))
    size = land.size
    pairs = land.pairs
    places = len(total)
    while True:
        stays, gone = _choose_joins(total, variance, size, pairs, wide, least)
        if not len(stays):
            return place
        number = renumber(stays, gone, len(total))
        place = number[place]
        total, variance, size = (sum_by_place(number, part) for part in (total, variance, size))
        first = number[pairs[0]]
        second = number[pairs[1]]
        pairs = first[first != second], second[first != second]
        if len(total) < SORTED * places:
            places = len(total)
            pairs = distinct_pairs(*pairs, len(total))


def _choose_joins(
    total: Numbers,
    variance: Numbers,
    size: Numbers,
    pairs: tuple[Index, Index],
    wide: float,
    least: float,
) -> tuple[Index, Index]:
    """Chooses the places that are joined now: those that stay, and those that go into them."""
    reach = wide * np.sqrt(variance)
    too_wide = ~is_narrow_enough(total - reach, total + reach, size, least)
    either_too_wide = too_wide[pairs[0]] | too_wide[pairs[1]]
    a = pairs[0][either_too_wide]
    b = pairs[1][either_too_wide]
    density = total / size
    error = variance / size**2
    cost = np.abs(density[a] - density[b]) / np.sqrt(error[a] + error[b]) + EVEN * np.minimum(
        size[a], size[b]
    )
    stays = can_be_coloured(total - reach, total + reach, size, least) & (
        _least_cost(a, b, cost, len(total)) > APART
    )
    too_wide &= ~stays
    either_too_wide = too_wide[a] | too_wide[b]
    return cheapest_pairs(a[either_too_wide], b[either_too_wide], cost[either_too_wide], too_wide)


def renumber(stay: Index, gone: Index, places: int) -> Index:
    """Returns each place's number after the places `gone` were joined to those that `stay`."""
    to = np.arange(places)
    remains = np.ones(places, dtype=bool)
    to[gone] = stay
    remains[gone] = False
    return (np.cumsum(remains) - 1)[to].astype(np.int64)


def _least_cost(a: Index, b: Index, cost: Numbers, places: int) -> Numbers:
    """Returns the cost of each place's cheapest pair."""
    best = np.full(places, np.inf)
    for end in (a, b):
        np.minimum.at(best, end, cost)
    return best


def cheapest_pairs(a: Index, b: Index, cost: Numbers, searching: Mask) -> tuple[Index, Index]:
    """Returns the cheapest pair of each searching place, if it is the cheapest to both its ends; no
    place twice.
    """
    best = np.full(len(searching), np.inf)
    for end in (a, b):
        np.minimum.at(best, end[searching[end]], cost[searching[end]])
    wanted = (searching[a] & (cost == best[a])) | (searching[b] & (cost == best[b]))
    a = a[wanted]
    b = b[wanted]
    cost = cost[wanted]
    best = _least_cost(a, b, cost, len(searching))
    mutual = np.flatnonzero((cost == best[a]) & (cost == best[b]))
    first = np.full(len(searching), len(a))
    for end in (a, b):
        np.minimum.at(first, end[mutual], mutual)
    mutual = mutual[(first[a[mutual]] == mutual) & (first[b[mutual]] == mutual)]
    return a[mutual], b[mutual]


def sum_by_place(
    place: NDArray[np.signedinteger[Any]], parts: Numbers, places: int | None = None
) -> Numbers:
    """Returns the sum of the parts of each place."""
    return np.bincount(place, parts, places or 0).astype(np.float64)


def distinct_pairs(
    first_end: NDArray[np.signedinteger[Any]],
    second_end: NDArray[np.signedinteger[Any]],
    places: int,
) -> tuple[Index, Index]:
    """Returns each pair of different places once, the lower number first."""
    low = np.minimum(first_end, second_end)
    high = np.maximum(first_end, second_end)
    different = low != high
    pairs = np.sort(
        low[different].astype(np.int64) * places + high[different]
    )  # np.unique hashes, which takes far longer
    first, second = np.divmod(pairs[np.append(True, pairs[1:] != pairs[:-1])[: len(pairs)]], places)
    return first, second
