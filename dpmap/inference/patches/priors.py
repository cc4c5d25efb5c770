"""Learns the prior of a region's total: an average over candidate priors, each weighted by how well
it predicts land it has not seen.

One prior fitted to the very answers it then judges believes the noise's largest outliers, and one
form of it is wrong somewhere: land may be even, of many zeros, or of towns. So several are fitted,
each to one half of the land, and weighted by the likelihood of the other half. What is chosen for
looking strong is then judged as everything else is.
"""

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

LOW = -8.0
FAR = 32.0
STEP = 1 / 4
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
PULL = 30.0
POOLED = 3.0
"""The prior of any form leans on the pooled one as if that had been seen in so many regions, and
that on the base.
"""
COST = 2.0
"""What each freedom more costs a prior, in units of log-likelihood: groups of their own must say
more than chance lets them.
"""


def _totals() -> Numbers:
    """Return the totals that a prior is made of, in noise scales: 0, then ever wider steps up
    to about half a scale.
    """
    totals = [0.0, 0.12]
    while totals[-1] < FAR + 1:
        totals.append(totals[-1] + min(max(0.3 * totals[-1], 0.06), 0.6))
    return np.array(totals)


TOTALS = _totals()
_EDGES = np.concatenate([[0.0, TOTALS[1] / 2], (TOTALS[1:-1] + TOTALS[2:]) / 2, [TOTALS[-1] + 0.3]])


def _base() -> Numbers:
    """Return the heavy-tailed base: nothing half of the time, else as likely between 1 and 2 as
    between 10 and 20 noise scales.
    """
    density = np.diff(_EDGES)[1:] / (TOTALS[1:] + 0.3)
    return np.append(0.5, 0.5 * density / density.sum())


BASE = _base()


def likelihood(*, laplace: bool) -> Numbers:
    """Return the likelihood of each answer (rows) given each total (columns), for Laplace noise of
    scale 1 or normal noise of its variance.
    """
    distances = np.abs(ANSWERS[:, None] - TOTALS)
    return np.exp(-distances) if laplace else np.exp(-(distances**2) / 4)


def average_priors(answer_counts: Numbers, answer_likelihood: Numbers) -> tuple[Numbers, float]:
    """Return the prior of each group in each fold (folds, groups, totals), and the probability that
    all groups share one mean.

    `answer_counts` counts the answers of each fold and group. A fold's prior is learned from the
    other folds. *Why an average*: a mixture of priors by their marginal likelihood is the posterior
    over them under equal odds, and that of land that took no part in the learning is not flattered
    by the fit.
    """
    folds, groups, _ = answer_counts.shape
    training_counts = answer_counts
    if folds > 1:
        training_counts = answer_counts.sum(0, keepdims=True) - answer_counts
    # Axes: fold, candidate, group, total.
    candidates = np.array(
        [_fit_candidates(counts, answer_likelihood) for counts in training_counts]
    )
    freedoms = _freedoms(groups)
    score = -COST * freedoms
    for fold in range(folds):
        evidence = np.maximum(candidates[fold] @ answer_likelihood.T, 1e-300)
        score = score + (answer_counts[fold] * np.log(evidence)).sum((1, 2))
    weight = np.exp(score - score.max())
    weight /= weight.sum()
    one_mean_probability = float(weight[freedoms == 0].sum()) if groups > 1 else 0.0
    return np.einsum("p,fpgt->fgt", weight, candidates), one_mean_probability


def _freedoms(groups: int) -> Numbers:
    """Return the degrees of freedom of each candidate prior: of any form, with means of groups, and
    with one mean.
    """
    if groups == 1:
        return np.zeros(1 + len(SHAPES))
    return np.repeat([4.0, 2.0, 0.0], [1, *[len(SHAPES)] * 2])


def _fit_candidates(answer_counts: Numbers, answer_likelihood: Numbers) -> list[Numbers]:
    """Fit the candidate priors to these groups of answers, in the order of `_freedoms`."""
    from scipy.ndimage import gaussian_filter1d
    from scipy.special import gammainc

    groups = len(answer_counts)
    all_counts = answer_counts.sum(0, keepdims=True)
    pooled_prior = _fit_any_form(all_counts, BASE[None], POOLED, answer_likelihood)
    smoothed_counts = answer_counts
    if groups > 1:
        smoothed_counts = gaussian_filter1d(answer_counts, 1.0, axis=0, mode="nearest")
    start = np.repeat(pooled_prior, groups, axis=0)
    candidates = [_fit_any_form(smoothed_counts, start, PULL, answer_likelihood)]
    sums = answer_counts @ ANSWERS
    counts = answer_counts.sum(1)
    means = [np.full(groups, sums.sum() / max(counts.sum(), 1e-9))]
    if groups > 1:
        smoothed_sums = gaussian_filter1d(sums, SMOOTHED, mode="nearest")
        smoothed_sizes = gaussian_filter1d(counts, SMOOTHED, mode="nearest")
        means.insert(0, smoothed_sums / np.maximum(smoothed_sizes, 1e-9))
    for mean in means:
        for shape in SHAPES:
            # A gamma law of this shape about the mean, as probabilities of the steps of totals.
            cumulative = gammainc(shape, _EDGES * shape / np.maximum(mean, 0.02)[:, None])
            cumulative[:, -1] = 1.0
            gamma = np.diff(cumulative, axis=1)
            candidates.append((1 - LEAK) * gamma / gamma.sum(1, keepdims=True) + LEAK * BASE)
    return candidates


def _fit_any_form(
    answer_counts: Numbers, start: Numbers, pull: float, answer_likelihood: Numbers
) -> Numbers:
    """Fit a prior of any form to each row of answers by expectation maximisation (Kiefer and
    Wolfowitz 1956), with `start` weighing as much as `pull` regions.
    """
    prior = start
    pseudo_counts = pull * start
    region_counts = answer_counts.sum(1, keepdims=True)
    for _ in range(ROUNDS):
        evidence = np.maximum(prior @ answer_likelihood.T, 1e-300)
        weighted_counts = (answer_counts / evidence) @ answer_likelihood
        prior = (prior * weighted_counts + pseudo_counts) / (region_counts + pull)
    return prior
