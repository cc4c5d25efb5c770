"""What is believed of a region before its own answer: noise is not, towns are, and even land is known as even."""

import numpy as np
import pytest

import dpmap as dm
from dpmap.inference.patches.priors import ANSWERS, LOW, STEP, TOTALS, average_priors, likelihood
from dpmap.steward.simulation import rehearse_map

LIKELY = likelihood(laplace=True)
REGIONS, GROUPS = 3_000, 30


def seen(answers, dice):
    """How often each answer was seen, in two halves of the land and groups that chance alone made."""
    place = np.clip(np.rint((answers - LOW) / STEP), 0, len(ANSWERS) - 1).astype(np.int64)
    fold, group = dice.integers(0, 2, len(answers)), dice.integers(0, GROUPS, len(answers))
    row = (fold * GROUPS + group) * len(ANSWERS) + place
    return (
        np.bincount(row, minlength=2 * GROUPS * len(ANSWERS)).reshape(2, GROUPS, -1).astype(float)
    )


def expected(prior, answer):
    """What each fold and group believes, on the mean, of a region with this answer."""
    chance = prior * LIKELY[int(round((answer - LOW) / STEP))]
    return (chance @ TOTALS) / chance.sum(-1)


@pytest.mark.parametrize("seed", range(5))
def test_the_largest_outlier_of_noise_is_not_believed(seed):
    """Of three thousand empty regions the highest answer lies some eight scales up; less than half of it is believed."""
    dice = np.random.default_rng(seed)
    answers = dice.laplace(0, 1, REGIONS)
    prior, _ = average_priors(seen(answers, dice), LIKELY)
    assert expected(prior, answers.max()).mean() < answers.max() / 2


@pytest.mark.parametrize("seed", range(5))
def test_lone_towns_are_believed(seed):
    """Where a few of very many regions hold much, an answer of twenty scales is nearly all believed."""
    dice = np.random.default_rng(seed)
    truth = np.zeros(REGIONS)
    truth[dice.choice(REGIONS, 20, replace=False)] = 20.0
    prior, _ = average_priors(seen(truth + dice.laplace(0, 1, REGIONS), dice), LIKELY)
    assert expected(prior, 20.0).min() > 17


def test_priors_are_laws_and_even_land_is_known_as_even():
    """Each prior adds up to one, and of land that is all alike it is nearly sure that one mean does for all."""
    dice = np.random.default_rng(3)
    prior, alike = average_priors(seen(1.5 + dice.laplace(0, 1, REGIONS), dice), LIKELY)
    assert prior.sum(-1) == pytest.approx(np.ones((2, GROUPS))) and alike > 0.9
    assert (expected(prior, 6.0) < 4).all()


def test_large_land_with_lone_towns_is_not_believed_to_hold_too_much():
    """Laws of empty cells that each hold a little too much would add up: the middle of a large zone is off by a deviation at most."""
    side, zone, off = 24, 14, []
    grid = dm.Grid(bounds=(0, 0, side * 1000, side * 1000), shape=(side, side), crs="EPSG:6933")
    policy, dice = dm.Policy(epsilon="0.5", unit="who", cap=1), np.random.default_rng(5)
    for _ in range(40):
        truth = np.zeros(grid.size)
        truth[dice.choice(grid.size, 40, replace=False)] = 60.0
        law = rehearse_map(truth.reshape(grid.shape), grid, policy, strategy="flat").reading.law
        for row, column in dice.integers(0, side - zone + 1, (4, 2)):
            cells = (
                np.arange(grid.size)
                .reshape(grid.shape)[row : row + zone, column : column + zone]
                .ravel()
            )
            total, deviation = law.estimate_zone(cells, np.ones(len(cells)))
            off.append((total - truth[cells].sum()) / deviation)
    assert abs(np.mean(off)) < 1.25
