"""Estimates from noisy totals and public priors, trusted as far as the noisy answers agree with
them.

A prior says how a node's total is shared out among its children. Each prior is offered as it is,
flatter, steeper and sharpened, beside even land; level by level the noisy answers weigh all of
these against one another. So a wrong prior soon weighs next to nothing, and
even land remains, as without it. Priors are public and the answers are released, so all of this is
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
BLURS = (1.5, 3.0, 6.0, 12.0)
"""Public maps are often blurred: each is also offered sharpened, as if it had been blurred by so
many cells.
"""
SHARPENINGS = 20
"""Rounds of undoing a blur."""
SHARPENED = 1 << 18
"""Maps with more cells are not sharpened: it takes too long."""
EVEN = 0.7
"""Even land's share of the first weights."""
MEMORY = 0.8
"""The part of the learned weights that is carried from level to level."""
SPREADS = (0.15, 0.4, 1.0, 2.0)
"""How far children may be from what is expected of them, as parts of it."""
LEAST = 1e-9
"""No cell's density in a prior is below this part of the mean."""


class Guide:
    """The ways in which a parent's total may be shared out among its children: evenly, or as public
    priors say.
    """

    def __init__(self, raster: Raster, priors: Sequence[Cells]) -> None:
        self._raster = raster
        self._forms = [form for prior in priors for form in _prior_forms(raster, prior)]
        self._start = np.append(
            EVEN, np.full(len(self._forms), (1 - EVEN) / max(1, len(self._forms)))
        )

    def totals(self, beliefs: Beliefs) -> tuple[list[Cells], float]:
        """Returns node totals, none below 0 and children adding up to their parent, and how far the
        priors are trusted at the end (0 to 1).

        A child is empty, or exponential about its parent's total, or near what its share says; how
        often which is learned level by level. Children nobody measured take their share.
        """
        raster = self._raster
        weights = self._start
        totals = [np.maximum(beliefs.mean[0], 0.0)]
        chances = np.append([0.25, 0.25], np.full(len(SPREADS) - 1, 0.5 / (len(SPREADS) - 1)))
        trusted = 0.0
        for level in range(1, len(beliefs.mean)):
            parent = totals[-1].ravel()
            shares = self._shares(level)
            mean, precision, laplace = (
                raster.families(part[level], level)
                for part in (beliefs.mean, beliefs.precision, beliefs.laplace)
            )
            known = (precision > 0).all(1) & (parent > NOTHING)
            weights = MEMORY * weights + (1 - MEMORY) * self._start
            if known.any():
                noisy = mean[known]
                variance = 1 / precision[known]
                total = parent[known]
                weights = _update_weights(noisy, variance, total, shares[:, known], weights)
                trusted = 1 - float(weights[0])
            share = np.tensordot(weights, shares, 1)
            children = parent[:, None] * share
            if known.any():
                best, variance, chances = _posterior(
                    noisy, variance, laplace[known], total, share[known], chances
                )
                part = variance / variance.sum(1, keepdims=True)
                children[known] = project(best + part * (total - best.sum(1))[:, None], total)
            totals.append(raster.unfamilies(children, level))
        return totals, trusted

    def _shares(self, level: int) -> Cells:
        """Returns each way's shares of the children at a level, as (way, parent, child); the
        first way is even land.
        """
        area = self._raster.families(self._raster.area[level], level).astype(np.float64)
        forms = [self._raster.families(form[level], level) for form in self._forms]
        weighed = np.stack([area, *forms])
        sums = weighed.sum(2, keepdims=True)
        return np.where(sums > 0, weighed / np.where(sums > 0, sums, 1.0), 0.0)


def extend_to_cells(raster: Raster, beliefs: Beliefs) -> Beliefs:
    """Returns the same beliefs down to the cells, of which nothing more is known."""
    unknown = [np.zeros(shape) for shape in raster.shapes[len(beliefs.mean) :]]
    return Beliefs(beliefs.mean + unknown, beliefs.precision + unknown, beliefs.laplace + unknown)


def _prior_forms(raster: Raster, prior: Cells) -> list[list[Cells]]:
    """Returns all forms that a prior is offered in, each as its sums at every level."""
    density = np.where(
        raster.inside, raster.from_grid(np.asarray(prior, dtype=np.float64), 0.0), 0.0
    )
    mean = float(density[raster.inside].mean()) if raster.inside.any() else 0.0
    if mean <= 0:
        return []
    density = density / mean
    forms = [np.maximum(density, LEAST) ** power for power in POWERS]
    if density.size <= SHARPENED:
        above = np.maximum(density - 0.999 * float(density[raster.inside].min()), LEAST)
        forms += [_sharpen(base, blur) for blur in BLURS for base in (density, above)]
    return [raster.pyramid(np.where(raster.inside, form, 0.0), 0) for form in forms]


def _sharpen(density: Cells, blur: float) -> Cells:
    """Undoes a blur of so many cells as far as a few rounds do (Richardson 1972, Lucy 1974)."""
    from scipy.ndimage import gaussian_filter

    density = np.maximum(density, LEAST)
    sharpened = density.copy()
    for _ in range(SHARPENINGS):
        ratio = density / np.maximum(gaussian_filter(sharpened, blur, mode="constant"), 1e-300)
        sharpened = sharpened * gaussian_filter(ratio, blur, mode="constant")
    return np.maximum(sharpened, 1e-12 * float(sharpened.max()))


def _update_weights(
    noisy: Cells, variance: Cells, total: Cells, shares: Cells, weights: Cells
) -> Cells:
    """Returns the ways' weights, updated by how likely each makes the children's noisy totals.

    Children add up to their parent, so one of each family adds no evidence.
    """
    expected = total[:, None] * shares
    fits = []
    for spread in SPREADS:
        span = variance + (spread * expected) ** 2
        fits.append(-0.5 * ((noisy - expected) ** 2 / span + np.log(span)).sum((1, 2)))
    children = noisy.shape[1]
    likely = np.logaddexp.reduce(np.array(fits) * (children - 1) / children, 0) + np.log(weights)
    updated = np.exp(likely - likely.max())
    return np.asarray(updated / updated.sum())


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
    likelihoods = [empty, occupied]
    means = [np.zeros(mean.shape), level]
    squares = [np.zeros(mean.shape), square]
    expected = total[:, None] * share
    for spread in SPREADS[:-1]:
        share_variance = (spread * expected) ** 2 + 1e-12
        span = variance + share_variance
        likelihoods.append(-0.5 * ((mean - expected) ** 2 / span + np.log(2 * math.pi * span)))
        middle = np.maximum((mean * share_variance + expected * variance) / span, 0.0)
        means.append(middle)
        squares.append(middle**2 + share_variance * variance / span)
    stacked = np.array(likelihoods)
    prior = chances
    for _ in range(ROUNDS):
        odds = stacked + np.log(chances)[:, None, None]
        chance = np.exp(odds - odds.max(0))
        chance /= chance.sum(0)
        counted = chance.sum((1, 2)) + 2 * prior
        chances = counted / counted.sum()
    best = (chance * np.array(means)).sum(0)
    return best, np.maximum((chance * np.array(squares)).sum(0) - best**2, 1e-9 * variance), chances
