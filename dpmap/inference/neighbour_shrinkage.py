"""Shrinks each cell towards cells in similar surroundings, and makes a map from that.

A cell's noise is independent of its neighbours', so what the neighbours say about it can be learned
from the noisy cells themselves (Batson and Royer 2019, Noise2Self): no cell takes part in choosing
its own prior. Cells of alike surroundings then share one prior, whatever its form, found by
deconvolving the known noise (Kiefer and Wolfowitz 1956).

Of all values that add up to a block's total, the ones of largest expected overlap with the truth
are the cells' posterior quantiles at one common level: a point moved from a cell above that level
to one below it gains more than it loses.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from dpmap.grid.partition import STRIP, strips

Cells = NDArray[np.float64]
Mask = NDArray[np.bool_]
Labels = NDArray[np.integer]
Window = tuple[int, int]

RINGS: tuple[tuple[Window, Window], ...] = (
    ((0, 0), (1, 0)),
    ((0, 0), (0, 1)),
    ((1, 0), (4, 0)),
    ((0, 1), (0, 4)),
    ((4, 0), (16, 0)),
    ((0, 4), (0, 16)),
    ((0, 0), (1, 1)),
    ((1, 1), (2, 2)),
    ((2, 2), (4, 4)),
    ((4, 4), (8, 8)),
)
"""A cell's surroundings: what lies within the second reach (rows, columns) and not within the
first. The line of the cell's own column or row counts by itself: roads and tables have directions.
"""
REACHES = sorted({reach for ring in RINGS for reach in ring})
LOW = -8.0
FAR = 12.0
STEP = 1 / 8
"""Noisy totals are told apart in steps of an eighth of a noise scale; beyond `FAR` no prior says
anything.
"""
GROUPS = 32
FEWEST = 30
"""At most so many groups of similar surroundings, each of at least so many cells; neighbouring
groups share what they know.
"""
ROUNDS = 20
"""Rounds of expectation maximisation from a broad start: more would fit the noise."""
LEVELS = np.concatenate([[0.02, 0.05], np.arange(0.1, 0.91, 0.05), [0.94, 0.97, 0.99, 0.997]])
ADDED = 1 << 20
"""Cells added up at once, to hold no more than these twice."""
FEW = 1 << 12
"""Cells whose rows and columns are exchanged at once, in a processor's cache."""
LEAST = 1e-6
"""No quantile is quite zero, so that every block can hold its total."""


@dataclass(frozen=True)
class Blocks:
    """Holds each cell's block, and the blocks' totals."""

    labels: Labels
    totals: Cells

    def sums(self, cells: Cells) -> Cells:
        """Adds up the cells of each block."""
        labels = self.labels.ravel()
        values = cells.ravel()
        added = np.zeros(len(self.totals))
        for start in range(0, len(values), ADDED):  # bincount copies both, in double width
            strip = slice(start, start + ADDED)
            added += np.bincount(labels[strip], values[strip], len(added))
        return added

    def scale(self, cells: Cells) -> Cells:
        """Scales the cells, none below 0, so that they add up to their block's total."""
        scaled = np.maximum(cells, 0.0)
        sums = self.sums(scaled)
        factors = np.where(sums > 0, self.totals / np.where(sums > 0, sums, 1.0), 0.0).astype(
            scaled.dtype
        )
        for labels, cells_strip in zip(
            strips(self.labels.ravel()), strips(scaled.ravel()), strict=True
        ):
            np.multiply(cells_strip, factors[labels], out=cells_strip)
        return scaled


def maximize_overlap(
    noisy: Cells, scales: Cells, alone: Mask, inside: Mask, blocks: Blocks, shape: Cells
) -> Cells:
    """Returns the map with these block totals that is expected to overlap most with the truth.

    `noisy` is the noisy total of a cell's region over its number of cells, with Laplace noise of
    the cell's own of the `scales` on the total; `alone` are cells measured by themselves. Others
    are taken as exponential about `shape`.
    """
    usual = np.zeros(noisy.shape)
    table = [-np.log1p(-LEVELS), _laplace_quantiles(LEVELS)]
    row = np.zeros(noisy.shape, dtype=np.int64)
    factor = np.where(inside, np.maximum(shape, LEAST * scales), 0.0)
    if alone.any():
        noisy_alone = noisy[alone]
        scale = scales[alone]
        row_alone = np.ones(len(noisy_alone), dtype=np.int64)
        expected = expected_totals(noisy, scale, inside, alone)
        steps = round((FAR - LOW) / STEP) + 1
        for one_scale in np.unique(scale):
            of_scale = np.flatnonzero(scale == one_scale)
            group, groups = group_by_rank(expected[of_scale])
            place = np.rint(
                (np.clip(noisy_alone[of_scale] / one_scale, LOW, FAR) - LOW) / STEP
            ).astype(np.int64)
            seen = np.bincount(group * steps + place, minlength=groups * steps).reshape(
                groups, steps
            )
            row_alone[of_scale] = len(table) + group * steps + place
            table += list(_posterior_quantiles(seen.astype(np.float64)).reshape(-1, len(LEVELS)))
        far = noisy_alone > FAR * scale
        row[alone] = np.where(far, 1, row_alone)
        usual[alone] = np.where(far, noisy_alone, 0.0)
        factor[alone] = scale
    return _meet_block_totals(usual, factor, np.array(table) + LEAST, row, blocks)


def _meet_block_totals(
    usual: Cells, factor: Cells, table: Cells, row: Labels, blocks: Blocks
) -> Cells:
    """Sets each cell to `usual + factor * table[row, level]`, with the level of its block that
    meets the block's total.
    """
    start = blocks.sums(usual)
    sums = np.array(
        [start + blocks.sums(factor * level[row]) for level in np.ascontiguousarray(table.T)]
    )
    above = np.clip((sums < blocks.totals).sum(0), 1, len(LEVELS) - 1)
    low, high = (np.take_along_axis(sums, above[None] - k, 0)[0] for k in (1, 0))
    part = np.clip((blocks.totals - low) / np.maximum(high - low, 1e-300), 0.0, 1.0)
    share = part[blocks.labels]
    at = above[blocks.labels]
    return blocks.scale(
        usual + factor * ((1 - share) * table[row, at - 1] + share * table[row, at])
    )


def expected_totals(noisy: Cells, scale: Cells, inside: Mask, alone: Mask) -> Cells:
    """Returns what each cell measured alone should hold by its surroundings: their best weighted
    mean, not below 0.

    Fitted to the noisy cells, each weighted by its noise of this `scale` and by how much cells of
    its size differ anyhow.
    """
    values = noisy[alone]
    noise_variance = 2 * scale**2
    ring_means = _mean_within_rings(noisy, inside, alone)
    expected = np.zeros(len(values))
    weighted_means = np.empty((len(values), len(RINGS)))
    for _ in range(3):
        _weight_means(ring_means, noise_variance + expected**2, weighted_means)
        squares = weighted_means.T @ ring_means.T
        products = weighted_means.T @ values
        squares += (1e-4 * np.trace(squares) / len(squares) + 1e-300) * np.eye(len(squares))
        positive = np.arange(len(squares))
        while len(positive):
            weights = np.linalg.solve(squares[np.ix_(positive, positive)], products[positive])
            if (weights >= 0).all():
                break
            positive = positive[weights > 0]
        chosen = ring_means if len(positive) == len(ring_means) else ring_means[positive]
        expected = chosen.T @ weights if len(positive) else expected * 0
    return expected


def _weight_means(means: Cells, variance: Cells, weighted: Cells) -> None:
    """Writes the transposed ring means, each divided by its cell's variance, into `weighted`."""
    for start in range(0, len(weighted), FEW):
        part = slice(start, start + FEW)
        weighted[part] = (means[:, part] / variance[part]).T


def _mean_within_rings(noisy: Cells, inside: Mask, alone: Mask) -> Cells:
    """Returns the mean over each ring around each cell measured alone, counting only cells of
    the area.

    What lies within a reach is added up one reach after another, and held only for the cells that
    were measured alone.
    """
    cells_of_area = CellCounts(inside, alone)
    means = np.empty((len(RINGS), np.count_nonzero(alone)))
    waiting: dict[Window, tuple[Cells, Cells]] = {}
    remaining = dict(enumerate(RINGS))
    for reach, total in sum_neighbours(np.where(inside, noisy, 0.0), alone, REACHES):
        waiting[reach] = total, cells_of_area.within(reach)
        for ring, (inner, outer) in list(remaining.items()):
            if inner in waiting and outer in waiting:
                ring_total, ring_cells = (
                    wide - narrow
                    for wide, narrow in zip(waiting[outer], waiting[inner], strict=True)
                )
                np.divide(ring_total, np.maximum(ring_cells, 0.5), out=means[ring])
                del remaining[ring]
        needed = {reach for ring in remaining.values() for reach in ring}
        waiting = {reach: sums for reach, sums in waiting.items() if reach in needed}
    return means


def sum_neighbours(
    cells: Cells, chosen: Mask, reaches: Sequence[Window]
) -> Iterator[tuple[Window, Cells]]:
    """Yields for each reach the sums over the rows and columns within it, about the chosen cells
    alone, counting nothing beyond the edge.

    Rows are added up for the whole map, then columns for as many rows at once as fit a processor's
    cache, where they hold a chosen cell.
    """
    count = np.count_nonzero(chosen)
    height = max(1, STRIP // cells.shape[1])
    row_sums = cells
    for rows, of_rows in groupby(reaches, key=itemgetter(0)):
        if rows:
            row_sums = _line_sums(cells, rows, 0)
        for reach in of_rows:
            sums = np.empty(count)
            filled = 0
            for start in range(0, len(cells), height):
                strip = slice(start, start + height)
                strip_count = int(np.count_nonzero(chosen[strip]))
                if strip_count:
                    strip_sums = row_sums[strip]
                    if reach[1]:
                        strip_sums = _line_sums(strip_sums, reach[1], 1)
                    sums[filled : filled + strip_count] = strip_sums[chosen[strip]]
                filled += strip_count
            yield reach, sums


class CellCounts:
    """Counts the cells of the area about chosen cells, from sums over all cells above and to the
    left of a corner.
    """

    def __init__(self, inside: Mask, chosen: Mask) -> None:
        self._shape = inside.shape
        self._place = [part.astype(np.int32) for part in np.nonzero(chosen)]
        self._before: NDArray[np.int32] | None = None
        if not inside.all():
            self._before = np.zeros((inside.shape[0] + 1, inside.shape[1] + 1), dtype=np.int32)
            np.cumsum(inside, 0, dtype=np.int32, out=self._before[1:, 1:])
            np.cumsum(self._before, 1, out=self._before)

    def within(self, reach: Window) -> Cells:
        """Returns how many cells of the area lie within the reach of each chosen cell."""
        edges = [
            (np.maximum(at - steps, 0), np.minimum(at + steps + 1, side))
            for at, steps, side in zip(self._place, reach, self._shape, strict=True)
        ]
        (top, bottom), (left, right) = edges
        if self._before is None:
            return np.asarray((bottom - top) * (right - left), dtype=np.float64)
        before = self._before
        counts = before[bottom, right] - before[top, right] - before[bottom, left]
        return np.asarray(counts + before[top, left], dtype=np.float64)


def _line_sums(cells: Cells, steps: int, axis: int) -> Cells:
    """Sums over so many steps to both sides along an axis."""
    from scipy.ndimage import uniform_filter1d

    sums: Cells = uniform_filter1d(cells, 2 * steps + 1, axis, mode="constant")
    sums *= 2 * steps + 1
    return sums


def group_by_rank(expected: Cells) -> tuple[Labels, int]:
    """Sorts the cells into groups of one size by what is expected of them, from least to most;
    of equal ones the first come first.
    """
    cells = len(expected)
    groups = int(np.clip(len(expected) // FEWEST, 1, GROUPS))
    ordered = np.sort(expected)
    firsts = -(-np.arange(1, groups) * cells // groups)
    labels = np.searchsorted(ordered[firsts], expected, side="right")
    for first in firsts:
        if ordered[first - 1] == ordered[first]:
            equal = np.flatnonzero(expected == ordered[first])
            rank = np.searchsorted(ordered, ordered[first]) + np.arange(len(equal))
            labels[equal] = rank * groups // cells
    return labels, groups


def _posterior_quantiles(answer_counts: Cells) -> Cells:
    """Returns quantiles (group, noisy total, level) of a cell in noise scales, from how often each
    noisy total was seen.

    The prior is a mixture of few totals, 0 among them; its weights maximise the likelihood, group
    by group.
    """
    if len(answer_counts) > 1:
        from scipy.ndimage import gaussian_filter1d

        answer_counts = gaussian_filter1d(answer_counts, 2.0, axis=0, mode="nearest")
    answers = np.linspace(LOW, FAR, answer_counts.shape[1])
    atoms = prior_totals()
    likelihood = np.exp(-np.abs(answers[:, None] - atoms))
    prior = np.exp(-atoms / 2)
    prior[0] = prior.sum()
    prior = np.tile(prior / prior.sum(), (len(answer_counts), 1))
    for _ in range(ROUNDS):
        prior *= (
            (answer_counts / np.maximum(prior @ likelihood.T, 1e-300))
            @ likelihood
            / answer_counts.sum(1, keepdims=True)
        )
    below = np.cumsum(prior[:, None, :] * likelihood, -1)
    below /= below[..., -1:]
    edges = np.concatenate([[0.0, atoms[1] / 2], (atoms[1:-1] + atoms[2:]) / 2, [atoms[-1]]])
    quantiles = np.empty((*answer_counts.shape, len(LEVELS)))
    for k, level in enumerate(LEVELS):
        at = (below < level).sum(-1)
        at_above = np.take_along_axis(below, at[..., None], -1)[..., 0]
        at_below = np.where(
            at > 0, np.take_along_axis(below, np.maximum(at - 1, 0)[..., None], -1)[..., 0], 0.0
        )
        part = (level - at_below) / np.maximum(at_above - at_below, 1e-300)
        quantiles[..., k] = np.where(
            at > 0, edges[at] + (edges[np.minimum(at + 1, len(atoms))] - edges[at]) * part, 0.0
        )
    return quantiles


def prior_totals() -> Cells:
    """Returns the totals that a prior is made of, in noise scales: 0, then ever wider steps up
    to about half a scale.
    """
    atoms = [0.0, 0.12]
    while atoms[-1] < FAR + 1:
        atoms.append(atoms[-1] + min(max(0.3 * atoms[-1], 0.06), 0.6))
    return np.array(atoms)


def _laplace_quantiles(levels: Cells) -> Cells:
    """Returns the quantiles of Laplace noise of scale 1.

    >>> _laplace_quantiles(np.array([0.25, 0.75])).round(2)
    array([-0.69,  0.69])
    """
    return np.asarray(-np.sign(levels - 0.5) * np.log(1 - 2 * np.abs(levels - 0.5)))
