"""Published algorithms for private 2-D counts, to measure this package's maps against.

Each takes (counts, epsilon, random), counts on a square whose side is a power of two, spends epsilon in all where one
row changes one count by one, and returns a map of the same shape. The noise is numpy's: fit for measuring only. What the
papers leave open was settled by their authors' public code, which was read and not copied, and by the errors known for the
same cases on the public arrays: on these, nearness is a calibration. `utility.py` prints how near they come.
"""

import numpy as np


def simplex(found, total):
    """The nearest map without negative cells that adds up to the total (Duchi et al. 2008)."""
    if total <= 0:
        return np.zeros_like(found)
    largest = np.sort(found, None)[::-1]
    excess = (np.cumsum(largest) - total) / np.arange(1, largest.size + 1)
    return np.maximum(found - excess[np.flatnonzero(largest > excess)[-1]], 0)


def private_size(counts, epsilon, random):
    """The noisy number of rows, found with a twentieth of epsilon, and what is left of epsilon."""
    return max(counts.sum() + random.laplace(0, 20 / epsilon), 1), 0.95 * epsilon


def grid(shape, across):
    """The label of each cell on a grid of so many parts a side, none narrower than a cell; how many labels."""
    parts = [min(int(across), side) for side in shape]
    rows, columns = (
        np.arange(side) * part // side for side, part in zip(shape, parts, strict=True)
    )
    return rows[:, None] * parts[1] + columns, parts[0] * parts[1]


def noisy_sums(counts, labels, regions, epsilon, random):
    return np.bincount(labels.ravel(), counts.ravel(), regions) + random.laplace(
        0, 1 / epsilon, regions
    )


def spread(totals, labels):
    """Each region's total in equal parts on its cells."""
    return (totals / np.bincount(labels.ravel(), minlength=len(totals)))[labels]


def identity(counts, epsilon, random):
    """Epsilon in all: a twentieth for n, the rest for every cell by itself; negatives leave by projection onto n."""
    size, left = private_size(counts, epsilon, random)
    return simplex(counts + random.laplace(0, 1 / left, counts.shape), size)


def ugrid(counts, epsilon, random):
    """Epsilon in all: a twentieth for n, the rest for one grid of n * epsilon / 10 squares (Qardaji et al. 2013)."""
    size, left = private_size(counts, epsilon, random)
    width = max(int(len(counts) / np.sqrt(max(size * left / 10, 1))), 1)
    rows = np.arange(len(counts)) // width
    labels = rows[:, None] * (rows[-1] + 1) + rows
    return simplex(
        spread(noisy_sums(counts, labels, (rows[-1] + 1) ** 2, left, random), labels), size
    )


def agrid(counts, epsilon, random):
    """Epsilon in all: a twentieth for n, half the rest for a coarse grid, half for a finer one in each of its squares.

    A square is cut the finer the fuller it looks, and both answers are made consistent (Qardaji et al. 2013).
    """
    size, left = private_size(counts, epsilon, random)
    half, found = left / 2, np.empty(counts.shape)
    width = max(int(len(counts) / max(10, np.ceil(np.sqrt(size * left / 10) / 4))), 1)
    for top in range(0, len(counts), width):
        for start in range(0, len(counts), width):
            block = counts[top : top + width, start : start + width]
            total = block.sum() + random.laplace(0, 1 / half)
            labels, regions = grid(block.shape, max(np.ceil(np.sqrt(max(total, 0) * half / 5)), 1))
            parts = noisy_sums(block, labels, regions, half, random)
            agreed = (regions * total + parts.sum()) / (regions + 1)
            found[top : top + width, start : start + width] = spread(
                parts + (agreed - parts.sum()) / regions, labels
            )
    return simplex(found, size)


def privtree(counts, epsilon, random):
    """Epsilon in all: half decides which nodes of a quadtree split, however deep, half counts its leaves.

    A node splits while its noisy count, less a bias that grows with depth, is above 0 (Zhang et al. 2016).
    """
    noise = 7 / 3 / (epsilon / 2)
    bias, side, depth = noise * np.log(4), len(counts), 0
    found, nodes = np.zeros(counts.shape), [(0, 0)]
    while nodes:
        children = []
        for top, start in nodes:
            square = np.s_[top : top + side, start : start + side]
            total = counts[square].sum()
            if side > 1 and max(total - depth * bias, -bias) + random.laplace(0, noise) > 0:
                children += [
                    (top + down, start + right)
                    for down in (0, side // 2)
                    for right in (0, side // 2)
                ]
            else:
                found[square] = (total + random.laplace(0, 2 / epsilon)) / side**2
        nodes, side, depth = children, side // 2, depth + 1
    return simplex(found, found.sum())


def hilbert(side):
    """The cells of a square, a power of two wide, along Hilbert's curve."""
    place = np.zeros((1, 1), int)
    while len(place) < side:
        place = np.block(
            [
                [place.T, place.T[::-1, ::-1] + 3 * place.size],
                [place + place.size, place + 2 * place.size],
            ]
        )
    return np.argsort(place, None)


def deviations(line, lengths):
    """For every run of each length along a line: how far its numbers are from their mean, in all."""
    kinds, rank = np.unique(line, return_inverse=True)
    number = np.zeros((len(line) + 1, len(kinds)))
    number[np.arange(len(line)) + 1, rank] = 1
    number = number.cumsum(
        0
    )  # by place along the line: how many so far are of this kind or larger, and their sum
    number, amount = (part[:, ::-1].cumsum(1)[:, ::-1] for part in (number, number * kinds))
    for length in lengths:
        start = np.arange(len(line) - length + 1)
        mean = (amount[start + length, 0] - amount[start, 0]) / length
        above = np.minimum(np.searchsorted(kinds, mean, side="right"), len(kinds) - 1)
        many, sums = (part[start + length, above] - part[start, above] for part in (number, amount))
        yield np.maximum(2 * (sums - mean * many), 0)


def runs_of_like(line, epsilon, price, random):
    """The ends of the runs that cut a line at the least of noisy costs: their deviations, and a price for each run."""
    size, least, before = len(line), [0.0], [0]
    lengths, costs = [2**k for k in range(len(line).bit_length())], []
    for length, deviation in zip(lengths, deviations(line, lengths), strict=True):
        scale = (2 - 1 / length - 1 / size) / epsilon if length > 1 else 0
        costs.append(
            (np.maximum(deviation + random.laplace(0, scale, len(deviation)), 0) + price).tolist()
        )
    for end in range(1, size + 1):
        fitting = zip(lengths[: end.bit_length()], costs, strict=False)
        cost, length = min(
            (least[end - length] + cost[end - length], -length) for length, cost in fitting
        )
        least.append(cost)
        before.append(end + length)
    ends = [size]
    while before[ends[-1]]:
        ends.append(before[ends[-1]])
    return np.array(ends[::-1])


def dawa(counts, epsilon, random):
    """Epsilon in all: a twentieth for n, a quarter of the rest to cut Hilbert's curve, the others for each run's total.

    The runs are of like cells, of lengths that are powers of two (Li et al. 2014). Their totals are noisy each by
    itself: a binary tree over them with a fixed share for its leaves, in place of the paper's GreedyH, was worse on maps.
    """
    size, left = private_size(counts, epsilon, random)
    order = hilbert(len(counts))
    line = counts.ravel()[order]
    ends = runs_of_like(line, left / 4, 1 / (0.75 * left), random)
    labels = np.searchsorted(ends, np.arange(line.size), side="right")
    found = np.empty(line.size)
    found[order] = spread(noisy_sums(line, labels, len(ends), 0.75 * left, random), labels)
    return simplex(found, size).reshape(counts.shape)


def heaviest(counts, epsilon, random, kept=20):
    """Epsilon in all: a twentieth for n, the rest in equal parts for the levels of a quadtree (Ghazi et al. 2023).

    Each level keeps the heaviest twenty squares within those kept above it, which share out the total of their parent.
    """
    size, left = private_size(counts, epsilon, random)
    levels = len(counts).bit_length() - 1
    nodes = {(0, 0): size}
    for level in range(1, levels + 1):
        side = len(counts) >> level
        sums = counts.reshape(2**level, side, 2**level, side).sum((1, 3))
        noisy = sums + random.laplace(0, levels / left, sums.shape)
        offered = [
            (2 * row + i, 2 * column + j) for row, column in nodes for i in (0, 1) for j in (0, 1)
        ]
        chosen = sorted(offered, key=noisy.__getitem__, reverse=True)[:kept]
        below = {}
        for (row, column), total in nodes.items():
            family = [place for place in chosen if (place[0] // 2, place[1] // 2) == (row, column)]
            if family:
                below |= zip(
                    family,
                    simplex(np.array([noisy[place] for place in family]), total),
                    strict=True,
                )
        nodes = {
            place: total * size / max(sum(below.values()), 1e-9) for place, total in below.items()
        }
    found = np.zeros(counts.shape)
    for place, total in nodes.items():
        found[place] = total
    return found


PEERS = {
    "identity+simplex": identity,
    "ugrid": ugrid,
    "agrid+simplex": agrid,
    "privtree": privtree,
    "dawa+simplex": dawa,
    "emdagg20": heaviest,
}
