"""Smooths noisy cells: a weighted mean over all ways to cut a tile into even rectangles.

A tile is one even rectangle, or two halves that are each again one or cut, upright or across. Every
such cut explains the noisy totals more or less well; the sums over all of them follow from small
rectangles to large, and the weights from large to small, as in context tree weighting. Averaging
over shifted tiles hides where the tiles begin.
"""

import math

import numpy as np
from numpy.typing import NDArray

Cells = NDArray[np.float64]
Mask = NDArray[np.bool_]
Shape = tuple[int, int]

TILE = 4
"""Tiles have sides of at most 2^4 cells: further away, cells say little about one another."""
SLIMMEST = 2
"""Rectangles are at most 2^2 times longer than wide, which keeps their number near three for
each cell.
"""
WHOLE = 0.5
"""The prior chance of a rectangle to be even: as good as not."""
PRICE = 1.0
"""The evidence a fitted total costs, in nats: what one free number gains by chance is half of it
on average_cuts.
"""
SPINS = 4
SPUN = 1 << 14
"""Shifts to average_cuts over, for maps up to 128 x 128; larger maps get fewer, for the same
time.
"""
AT_ONCE = 256
"""Tiles fitted together where few are fitted: what fits a processor's cache."""
CACHED = 1 << 16
"""Cells fitted together where all are: the same."""


def smooth(
    density: Cells, weight: Cells, variance: float, inside: Mask, judged: float
) -> tuple[Cells, Cells]:
    """Returns the posterior mean of each cell, and its share of the variance of sums over many
    cells.

    `density` is the noisy total of a cell's region over the region's cells, `weight` the number of
    those cells, `variance` that of the noise of each region. Real land is rougher than even
    rectangles, so differences are judged as if the noise variance were the part `judged` of what it
    is.
    """
    tops = tuple(min(TILE, side.bit_length() - 1) for side in density.shape)
    weight = np.where(inside, weight, 1e-9)
    density = np.where(inside, density, 0.0)
    spins = int(np.clip(SPINS * SPUN // density.size, 1, SPINS))
    steps = [
        (int(_halton(k, 2) * (1 << tops[0])), int(_halton(k, 3) * (1 << tops[1])))
        for k in range(spins)
    ]
    turned = [
        np.stack([np.roll(cells, step, (0, 1)) for step in steps]) for cells in (density, weight)
    ]
    fitted = average_cuts(turned[0], turned[1], variance, judged, (tops[0], tops[1]))
    back = [
        np.roll(fitted[:, k], (-down, -across), (1, 2)) for k, (down, across) in enumerate(steps)
    ]
    mean, spread = sum(back[1:], back[0]) / spins
    return np.where(inside, mean, 0.0), np.where(inside, spread, 0.0)


def _halton(k: int, base: int) -> float:
    """Returns the k-th number of a sequence that fills 0..1 evenly; by hand, since scipy's takes
    most of a second to load.

    >>> [_halton(k, 2) for k in range(4)]
    [0.0, 0.5, 0.25, 0.75]
    """
    part = 0.0
    place = 1.0
    while k:
        place /= base
        part += place * (k % base)
        k //= base
    return part


def smooth_tiles(
    density: Cells, weight: Cells, variance: float, inside: Mask, judged: float
) -> Cells:
    """Smooths very large maps: the mean alone, only in tiles that hold more than one region,
    each fitted once.
    """
    high, wide = (1 << min(TILE, side.bit_length() - 1) for side in density.shape)
    rows = density.shape[0] // high
    columns = density.shape[1] // wide
    mean = np.where(inside, density, 0)
    mean.clip(0, out=mean)
    tiles = [
        cells.reshape(rows, high, columns, wide).swapaxes(1, 2)
        for cells in (density, weight, inside, mean)
    ]
    chosen = np.argwhere(
        (tiles[1].min((2, 3)) < high * wide) & (tiles[0].min((2, 3)) < tiles[0].max((2, 3)))
    )
    tops = high.bit_length() - 1, wide.bit_length() - 1
    for start in range(0, len(chosen), AT_ONCE):
        at = tuple(chosen[start : start + AT_ONCE].T)
        known = np.where(tiles[2][at], tiles[1][at], tiles[1].dtype.type(1e-9))
        tiles[3][at] = average_cuts(tiles[0][at], known, variance, judged, tops, spreads=False)[0]
    return mean


def average_cuts(
    density: Cells,
    weight: Cells,
    variance: float,
    judged: float,
    tops: Shape,
    *,
    spreads: bool = True,
) -> Cells:
    """Returns posterior mean and variance share, (2, layers, rows, columns), of layers of cells
    made of tiles of 2^tops.

    Without `spreads`, the mean alone, of squares and their halves.
    """
    sizes = _sizes(tops, SLIMMEST if spreads else 1)
    strip_rows = 1 << tops[0] + max(0, (CACHED // density[:, 0].size).bit_length() - 1 - tops[0])
    strips = [slice(start, start + strip_rows) for start in range(0, density.shape[1], strip_rows)]
    rectangle_sums = [_sum_rectangles(density[:, rows], weight[:, rows], sizes) for rows in strips]
    empty = {size: _empty_share([part[size] for part in rectangle_sums]) for size in sizes}
    averaged = [
        _average_tiles(part, sizes, empty, variance, judged, spreads=spreads)
        for part in rectangle_sums
    ]
    return averaged[0] if len(averaged) == 1 else np.concatenate(averaged, axis=2)


def _sum_rectangles(
    density: Cells, weight: Cells, sizes: list[Shape]
) -> dict[Shape, tuple[Cells, Cells]]:
    """Returns the weight and the total of each rectangle, by size."""
    sums = {sizes[0]: (weight, weight * density)}
    for size in sizes[1:]:
        half, axis = _halves(size, sizes)[0]
        sums[size] = _pair(sums[half][0], axis), _pair(sums[half][1], axis)
    return sums


def _empty_share(rectangles: list[tuple[Cells, Cells]]) -> float:
    """Estimates the share of the rectangles that are empty: noise makes half of these negative."""
    real = [weight > 1e-6 for weight, _ in rectangles]
    negative = sum(
        int(np.count_nonzero((total < 0) & known))
        for (_, total), known in zip(rectangles, real, strict=True)
    )
    rectangle_count = max(1, sum(int(np.count_nonzero(known)) for known in real))
    return min(max(2 * negative / rectangle_count, 0.02), 0.98)


def _average_tiles(
    added: dict[Shape, tuple[Cells, Cells]],
    sizes: list[Shape],
    empty: dict[Shape, float],
    variance: float,
    judged: float,
    *,
    spreads: bool,
) -> Cells:
    """Returns what `average_cuts` does for some of the tiles, given the share of rectangles of each
    size that are empty on the whole map.
    """
    even_chances = dict[Shape, Cells]()
    means = dict[Shape, Cells]()
    evidence: dict[Shape, Cells] = {}
    cuts: dict[tuple[Shape, int], Cells] = {}
    for size in sizes:
        halves = _halves(size, sizes)
        even, means[size] = _fit_even(
            *added[size], empty[size], variance, judged, 1 << sum(size), spreads=spreads
        )
        if not halves:
            evidence[size] = even
            even_chances[size] = np.ones(1)
            continue
        log_evidence = [even + math.log(WHOLE)]
        log_evidence += [
            _pair(evidence[half], axis) + math.log((1 - WHOLE) / len(halves))
            for half, axis in halves
        ]
        best = np.maximum.reduce(log_evidence)
        chances = [np.exp(way - best) for way in log_evidence]
        total = sum(chances[1:], chances[0])
        evidence[size] = best + np.log(total)
        even_chances[size] = chances[0] / total
        for (_, axis), chance in zip(halves, chances[1:], strict=True):
            cuts[size, axis] = chance / total
    return _spread_to_cells(sizes, even_chances, cuts, means)


def _spread_to_cells(
    sizes: list[Shape],
    even_chances: dict[Shape, Cells],
    cuts: dict[tuple[Shape, int], Cells],
    means: dict[Shape, Cells],
) -> Cells:
    """Adds up in each cell every rectangle's values, weighted with the chance that the rectangle
    is in the cut.
    """
    chance: dict[Shape, Cells] = {sizes[-1]: np.ones(means[sizes[-1]].shape[1:])}
    added: dict[Shape, Cells] = {}
    for size in reversed(sizes):
        cut_chance = chance.pop(size)
        values = cut_chance * even_chances[size] * means[size]
        if size in added:
            values += added.pop(size)
        for place, (half, axis) in enumerate(_halves(size, sizes)):
            passed = np.repeat(cut_chance * cuts[size, axis], 2, axis)
            chance[half] = chance[half] + passed if half in chance else passed
            if place == 0:
                spread = np.repeat(values, 2, axis + 1)
                added[half] = added[half] + spread if half in added else spread
    return values


def _fit_even(
    weight: Cells,
    total: Cells,
    empty: float,
    variance: float,
    judged: float,
    cells: int,
    *,
    spreads: bool,
) -> tuple[Cells, Cells]:
    """Returns the evidence for one even rectangle, empty or not, and the mean and variance of its
    density.

    An occupied one has any density alike on the logarithmic scale, so strong signals pay more for
    their place.
    """
    signal = np.maximum(total, 0.0)
    strength = signal / np.sqrt(judged * variance * weight)
    gain = strength * strength / 2
    occupied = gain - PRICE - np.log1p(strength) / 2 + math.log(1 - empty)
    spike = math.log(empty)
    evidence = np.maximum(occupied, spike) + np.log1p(np.exp(-np.abs(occupied - spike)))
    if cells == 1:
        # one region's noise is Laplace: a lone outlier is worth its distance, not the square of it
        laplace = signal / math.sqrt(judged * variance / 2)
        occupied = occupied - np.where(weight == 1, np.maximum(gain - laplace, 0.0), 0.0)
        chance = 1 / (1 + np.exp(np.clip(spike - occupied, -700, 700)))
    else:
        chance = np.exp(occupied - evidence)
    level = signal / weight
    means = [chance * level]
    if spreads:
        means.append(cells * chance * ((1 - chance) * level * level + variance / weight))
    return evidence, np.stack(means)


def _sizes(tops: Shape, slim: int) -> list[Shape]:
    """Lists the rectangles' sides, as powers of two, each after those it is made of."""
    slim = slim if tops[0] == tops[1] else max(tops)
    return [(i, j) for i in range(tops[0] + 1) for j in range(tops[1] + 1) if abs(i - j) <= slim]


def _halves(size: Shape, sizes: list[Shape]) -> list[tuple[Shape, int]]:
    """Lists the ways to cut a rectangle: the size of the halves and the axis cut."""
    ways = [((size[0] - 1, size[1]), 1), ((size[0], size[1] - 1), 2)]
    return [way for way in ways if way[0] in sizes]


def _pair(cells: Cells, axis: int) -> Cells:
    """Sums neighbours along an axis."""
    return cells[:, 0::2] + cells[:, 1::2] if axis == 1 else cells[:, :, 0::2] + cells[:, :, 1::2]
