"""Learns what is believed of a region before its own answer: an average over priors, each weighed
by how well it foretells land it has not seen.

One prior fitted to the very answers it then judges believes the noise's largest outliers, and one
form of it is wrong somewhere: land may be even, of many zeros, or of towns. So several are offered,
learned from the others' halves of the land, and each counts by the likelihood of the half it was
not shown. What is chosen for looking strong is then judged as everything else is.
"""

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

LOW, FAR, STEP = -8.0, 32.0, 1 / 4
"""Answers are told apart in steps of a quarter of a noise scale; beyond `FAR` no prior says
anything.
"""
ANSWERS = np.linspace(LOW, FAR, round((FAR - LOW) / STEP) + 1)
ROUNDS = 40
"""Rounds of expectation maximisation for the prior of any form."""
SHAPES = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 100.0)
"""Gamma laws about a mean, from a few regions with nearly everything to even land."""
SMOOTHED = 3.0
"""The means of groups of alike surroundings are smoothed over so many neighbouring groups."""
LEAK = 0.002
"""The part of every gamma law that is the heavy-tailed base instead: a town may stand anywhere."""
PULL, POOLED = 30.0, 3.0
"""The prior of any form leans on the pooled one as if that had been seen in so many regions, and
that on the base.
"""
COST = 2.0
"""What each freedom more costs a prior, in units of log-likelihood: groups of their own must say
more than chance lets them.
"""


def _totals() -> Numbers:
    """Returns the totals that a prior is made of, in noise scales: 0, then ever wider steps up
    to about half a scale.
    """
    totals = [0.0, 0.12]
    while totals[-1] < FAR + 1:
        totals.append(totals[-1] + min(max(0.3 * totals[-1], 0.06), 0.6))
    return np.array(totals)


TOTALS = _totals()
_EDGES = np.concatenate([[0.0, TOTALS[1] / 2], (TOTALS[1:-1] + TOTALS[2:]) / 2, [TOTALS[-1] + 0.3]])


def _base() -> Numbers:
    """Returns the heavy-tailed base: nothing half of the time, else as likely between 1 and 2 as
    between 10 and 20 noise scales.
    """
    density = np.diff(_EDGES)[1:] / (TOTALS[1:] + 0.3)
    return np.append(0.5, 0.5 * density / density.sum())


BASE = _base()


def likelihood(*, laplace: bool) -> Numbers:
    """Returns how likely each answer is (rows) given each total (columns), for Laplace noise of
    scale 1 or normal noise of its variance.
    """
    apart = np.abs(ANSWERS[:, None] - TOTALS)
    return np.exp(-apart) if laplace else np.exp(-(apart**2) / 4)


def averaged(seen: Numbers, likely: Numbers) -> tuple[Numbers, float]:
    """Returns the prior of each group in each fold (folds, groups, totals), and how sure it is that
    all groups are alike.

    `seen` counts the answers of each fold and group. A fold's prior is learned from the other
    folds. *Why an average*: a mixture of priors by their marginal likelihood is the posterior over
    them under equal odds, and that of land that took no part in the learning is not flattered by
    the fit.
    """
    folds, groups, _ = seen.shape
    others = seen.sum(0, keepdims=True) - seen if folds > 1 else seen
    offered = np.array([_offered(other, likely) for other in others])  # fold, prior, group, total
    freedoms = _freedoms(groups)
    score = -COST * freedoms
    for fold in range(folds):
        chance = np.maximum(offered[fold] @ likely.T, 1e-300)
        score = score + (seen[fold] * np.log(chance)).sum((1, 2))
    weight = np.exp(score - score.max())
    weight /= weight.sum()
    alike = float(weight[freedoms == 0].sum()) if groups > 1 else 0.0
    return np.einsum("p,fpgt->fgt", weight, offered), alike


def _freedoms(groups: int) -> Numbers:
    """Returns how free each prior offered is: of any form, with means of groups, and with one
    mean.
    """
    if groups == 1:
        return np.zeros(1 + len(SHAPES))
    return np.repeat([4.0, 2.0, 0.0], [1, *[len(SHAPES)] * 2])


def _offered(seen: Numbers, likely: Numbers) -> list[Numbers]:
    """Returns the priors that these groups of answers teach."""
    from scipy.ndimage import gaussian_filter1d
    from scipy.special import gammainc

    groups = len(seen)
    pooled = _fitted(seen.sum(0, keepdims=True), BASE[None], POOLED, likely)
    near = gaussian_filter1d(seen, 1.0, axis=0, mode="nearest") if groups > 1 else seen
    found = [_fitted(near, np.repeat(pooled, groups, axis=0), PULL, likely)]
    sums, many = seen @ ANSWERS, seen.sum(1)
    means = [np.full(groups, sums.sum() / max(many.sum(), 1e-9))]
    if groups > 1:
        sums, many = (gaussian_filter1d(part, SMOOTHED, mode="nearest") for part in (sums, many))
        means.insert(0, sums / np.maximum(many, 1e-9))
    for mean in means:
        for shape in SHAPES:
            upto = gammainc(shape, _EDGES * shape / np.maximum(mean, 0.02)[:, None])
            upto[:, -1] = 1.0
            law = np.diff(upto, axis=1)
            found.append((1 - LEAK) * law / law.sum(1, keepdims=True) + LEAK * BASE)
    return found


def _fitted(seen: Numbers, start: Numbers, pull: float, likely: Numbers) -> Numbers:
    """Fits a prior of any form to each row of answers (Kiefer and Wolfowitz 1956), leaning on
    where it starts.
    """
    prior, lean, many = start, pull * start, seen.sum(1, keepdims=True)
    for _ in range(ROUNDS):
        told = seen / np.maximum(prior @ likely.T, 1e-300)
        prior = (prior * (told @ likely) + lean) / (many + pull)
    return prior
