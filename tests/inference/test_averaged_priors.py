"""What is believed of a region before its own answer: noise is not, towns are, and even land is known as even."""

import numpy as np
import pytest

from dpmap.inference.patches.priors import ANSWERS, LOW, STEP, TOTALS, averaged, likelihood

LIKELY = likelihood(laplace=True)
REGIONS, GROUPS = 3_000, 30


def seen(answers, dice):
    """How often each answer was seen, in two halves of the land and groups that chance alone made."""
    place = np.clip(np.rint((answers - LOW) / STEP), 0, len(ANSWERS) - 1).astype(np.int64)
    fold, group = dice.integers(0, 2, len(answers)), dice.integers(0, GROUPS, len(answers))
    row = (fold * GROUPS + group) * len(ANSWERS) + place
    return np.bincount(row, minlength=2 * GROUPS * len(ANSWERS)).reshape(2, GROUPS, -1).astype(float)


def expected(prior, answer):
    """What each fold and group believes, on the mean, of a region with this answer."""
    chance = prior * LIKELY[int(round((answer - LOW) / STEP))]
    return (chance @ TOTALS) / chance.sum(-1)


@pytest.mark.parametrize("seed", range(5))
def test_the_largest_outlier_of_noise_is_not_believed(seed):
    """Of three thousand empty regions the highest answer lies some eight scales up; less than half of it is believed."""
    dice = np.random.default_rng(seed)
    answers = dice.laplace(0, 1, REGIONS)
    prior, _ = averaged(seen(answers, dice), LIKELY)
    assert expected(prior, answers.max()).mean() < answers.max() / 2


@pytest.mark.parametrize("seed", range(5))
def test_lone_towns_are_believed(seed):
    """Where a few of very many regions hold much, an answer of twenty scales is nearly all believed."""
    dice = np.random.default_rng(seed)
    truth = np.zeros(REGIONS)
    truth[dice.choice(REGIONS, 20, replace=False)] = 20.0
    prior, _ = averaged(seen(truth + dice.laplace(0, 1, REGIONS), dice), LIKELY)
    assert expected(prior, 20.0).min() > 17


def test_priors_are_laws_and_even_land_is_known_as_even():
    """Each prior adds up to one, and of land that is all alike it is nearly sure that one mean does for all."""
    dice = np.random.default_rng(3)
    prior, alike = averaged(seen(1.5 + dice.laplace(0, 1, REGIONS), dice), LIKELY)
    assert prior.sum(-1) == pytest.approx(np.ones((2, GROUPS))) and alike > 0.9
    assert (expected(prior, 6.0) < 4).all()
