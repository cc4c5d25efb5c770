"""Reads noisy totals with the help of public priors, trusted as far as the noisy answers agree with
them.

A prior says how a node's total is shared out among its children. Each prior is offered as it is,
flatter, steeper and sharpened, beside even land; level by level the noisy answers weigh all of
these against one another. So a prior that is wrong soon weighs next to nothing, and what is left is
even land, as without it. Priors are public and the answers are released, so all of this is
post-processing and costs no privacy.
"""

import math
from collections.abc import Sequence

import numpy as np

from dpmap.inference.combine import ROUNDS, Beliefs
from dpmap.inference.estimate import Cells
from dpmap.inference.raster import Raster
from dpmap.inference.split_likelihood import (
    NOTHING,
    laplace_likelihoods,
    normal_likelihoods,
    project,
)

POWERS = (0.5, 1.0, 2.0)
"""Each prior's densities are offered to these powers: flatter, as they are, and steeper."""
BLURS, SHARPENINGS = (1.5, 3.0, 6.0, 12.0), 20
"""Public maps are often blurred: each is also offered sharpened, as if it had been blurred by so
many cells.
"""
SHARPENED = 1 << 18
"""Maps with more cells are not sharpened: it takes too long."""
EVEN, KEPT = 0.7, 0.8
"""Even land's share of the first weights; from level to level this part of what was learned is
kept.
"""
SPREADS = (0.15, 0.4, 1.0, 2.0)
"""How far children may be from what is expected of them, as parts of it."""
LEAST = 1e-9
"""No cell's density in a prior is below this part of the mean."""


class Guide:
    """Offers ways in which a parent's total may be shared out among its children: evenly, or as
    public priors say.
    """

    def __init__(self, raster: Raster, priors: Sequence[Cells]) -> None:
        self._raster = raster
        self._ways = [way for prior in priors for way in _ways(raster, prior)]
        self._start = np.append(
            EVEN, np.full(len(self._ways), (1 - EVEN) / max(1, len(self._ways)))
        )

    def totals(self, beliefs: Beliefs) -> tuple[list[Cells], float]:
        """Returns node totals, none below 0 and children adding up to their parent, and how far the
        priors are trusted at the end (0 to 1).

        A child is empty, or exponential about its parent's total, or near what its share says; how
        often which is learned level by level. Children nobody measured take their share.
        """
        raster, weights = self._raster, self._start
        found = [np.maximum(beliefs.mean[0], 0.0)]
        chances = np.append([0.25, 0.25], np.full(len(SPREADS) - 1, 0.5 / (len(SPREADS) - 1)))
        trusted = 0.0
        for level in range(1, len(beliefs.mean)):
            parent, shares = found[-1].ravel(), self._shares(level)
            mean, precision, laplace = (
                raster.families(part[level], level)
                for part in (beliefs.mean, beliefs.precision, beliefs.laplace)
            )
            known = (precision > 0).all(1) & (parent > NOTHING)
            weights = KEPT * weights + (1 - KEPT) * self._start
            if known.any():
                told, variance, total = mean[known], 1 / precision[known], parent[known]
                weights = _weighed(told, variance, total, shares[:, known], weights)
                trusted = 1 - float(weights[0])
            share = np.tensordot(weights, shares, 1)
            children = parent[:, None] * share
            if known.any():
                best, variance, chances = _posterior(
                    told, variance, laplace[known], total, share[known], chances
                )
                part = variance / variance.sum(1, keepdims=True)
                children[known] = project(best + part * (total - best.sum(1))[:, None], total)
            found.append(raster.unfamilies(children, level))
        return found, trusted

    def _shares(self, level: int) -> Cells:
        """Returns each way's shares of the children at a level, as (way, parent, child); the
        first way is even land.
        """
        area = self._raster.families(self._raster.area[level], level).astype(np.float64)
        ways = [np.zeros(area.shape)] + [
            self._raster.families(way[level], level) for way in self._ways
        ]
        weighed = np.stack([area, *ways[1:]])
        sums = weighed.sum(2, keepdims=True)
        return np.where(sums > 0, weighed / np.where(sums > 0, sums, 1.0), 0.0)


def deepened(raster: Raster, beliefs: Beliefs) -> Beliefs:
    """Returns the same beliefs down to the cells, of which nothing more is known."""
    unknown = [np.zeros(shape) for shape in raster.shapes[len(beliefs.mean) :]]
    return Beliefs(beliefs.mean + unknown, beliefs.precision + unknown, beliefs.laplace + unknown)


def _ways(raster: Raster, prior: Cells) -> list[list[Cells]]:
    """Returns one prior in all forms it is offered in, each as the sums at every level."""
    density = np.where(raster.inside, raster.laid(np.asarray(prior, dtype=np.float64), 0.0), 0.0)
    mean = float(density[raster.inside].mean()) if raster.inside.any() else 0.0
    if mean <= 0:
        return []
    density = density / mean
    forms = [np.maximum(density, LEAST) ** power for power in POWERS]
    if density.size <= SHARPENED:
        above = np.maximum(density - 0.999 * float(density[raster.inside].min()), LEAST)
        forms += [_sharpened(one, blur) for blur in BLURS for one in (density, above)]
    return [raster.pyramid(np.where(raster.inside, form, 0.0), 0) for form in forms]


def _sharpened(density: Cells, blur: float) -> Cells:
    """Undoes a blur of so many cells as far as a few rounds do (Richardson 1972, Lucy 1974)."""
    from scipy.ndimage import gaussian_filter

    density = np.maximum(density, LEAST)
    found = density.copy()
    for _ in range(SHARPENINGS):
        ratio = density / np.maximum(gaussian_filter(found, blur, mode="constant"), 1e-300)
        found = found * gaussian_filter(ratio, blur, mode="constant")
    return np.maximum(found, 1e-12 * float(found.max()))


def _weighed(told: Cells, variance: Cells, total: Cells, shares: Cells, weights: Cells) -> Cells:
    """Weighs the ways anew by how likely each makes the children's noisy totals; children add
    up, so one of each family tells nothing.
    """
    expected = total[:, None] * shares
    fits = []
    for spread in SPREADS:
        spans = variance + (spread * expected) ** 2
        fits.append(-0.5 * ((told - expected) ** 2 / spans + np.log(spans)).sum((1, 2)))
    children = told.shape[1]
    likely = np.logaddexp.reduce(np.array(fits) * (children - 1) / children, 0) + np.log(weights)
    found = np.exp(likely - likely.max())
    return np.asarray(found / found.sum())


def _posterior(
    mean: Cells, variance: Cells, laplace: Cells, total: Cells, share: Cells, chances: Cells
) -> tuple[Cells, Cells, Cells]:
    """Returns posterior means and variances of children, and the learned chances of being
    (empty, occupied, near what is expected).
    """
    rate = np.broadcast_to(1 / total[:, None], mean.shape)
    empty, occupied, level, square = normal_likelihoods(mean, variance, rate)
    lone = laplace > 0
    if lone.any():
        parts = laplace_likelihoods(mean[lone], laplace[lone], rate[lone])
        empty[lone], occupied[lone], level[lone], square[lone] = parts
    likely, means, squares = (
        [empty, occupied],
        [np.zeros(mean.shape), level],
        [np.zeros(mean.shape), square],
    )
    expected = total[:, None] * share
    for spread in SPREADS[:-1]:
        own = (spread * expected) ** 2 + 1e-12
        span = variance + own
        likely.append(-0.5 * ((mean - expected) ** 2 / span + np.log(2 * math.pi * span)))
        middle = np.maximum((mean * own + expected * variance) / span, 0.0)
        means.append(middle)
        squares.append(middle**2 + own * variance / span)
    stacked, prior = np.array(likely), chances
    for _ in range(ROUNDS):
        odds = stacked + np.log(chances)[:, None, None]
        chance = np.exp(odds - odds.max(0))
        chance /= chance.sum(0)
        counted = chance.sum((1, 2)) + 2 * prior
        chances = counted / counted.sum()
    best = (chance * np.array(means)).sum(0)
    return best, np.maximum((chance * np.array(squares)).sum(0) - best**2, 1e-9 * variance), chances
