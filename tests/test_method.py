"""The method's document is the method: its pseudo-code gives what dpmap's own code gives, on small arrays."""

from fractions import Fraction
from itertools import islice

import numpy as np
import pytest
from builders.documents import PYTHON, ROOT, blocks

from dpmap.grid import Grid, Partition
from dpmap.inference.combine import CLEAR, ROUNDS, shrink
from dpmap.inference.draws import RegionLaw
from dpmap.inference.flat_estimate import FlatEstimate
from dpmap.inference.flat_estimate import project as nearest
from dpmap.inference.least_squares import LeastSquaresEstimate
from dpmap.inference.patches.calibration import conformal_quantile
from dpmap.inference.patches.region_tree import Regions
from dpmap.inference.raster import Raster
from dpmap.inference.tree_estimate import project_weighted
from dpmap.noise.distributions import LAWS
from dpmap.record import Measurement
from dpmap.strategies import adaptive
from dpmap.vault.correlated_laplace import Same

METHOD = ROOT / "docs" / "method"


def written(page):
    """The functions that a page writes down."""
    names = {}
    for block in blocks(METHOD / page):
        if block.kind == PYTHON:
            exec(compile(block.code, page, "exec"), names)
    return names


@pytest.fixture
def dice():
    """Random numbers that are the same in every run."""
    return np.random.default_rng(7)


MEASURING, COMBINING, BELIEVING = map(written, ("measuring.md", "combining.md", "believing.md"))


@pytest.mark.parametrize("depth", [4, 5, 6, 7, 9])
@pytest.mark.parametrize("density", [0.0, 0.03, 0.1, 0.18, 0.2, 5.0])
def test_shares_over_levels(depth, density):
    """The levels that are asked about, and what each costs, are those of the strategy."""
    chosen = adaptive.course(depth, density, several=False)
    levels = [chosen.start, *([chosen.deepest] if chosen.deepest_share else []), depth]
    asked = [(0, adaptive.TOTAL), *zip(levels, chosen.shares, strict=True)]
    expected = MEASURING["course"](depth, density)
    assert [(level, float(share)) for level, share in asked] == expected
    assert sum(share for _, share in expected) == pytest.approx(1)


def test_which_nodes_are_split(dice):
    """The same nodes are regions of the next question, level by level."""
    raster = Raster(Grid(bounds=(0, 0, 16, 16), shape=(16, 16), crs="EPSG:3857"))
    totals = raster.pyramid(dice.gamma(0.3, 20, (16, 16)), 0)[:3]
    bars = [40.0, 380.0, 100.0, 22.0]
    ours = adaptive._split(raster, totals, bars)
    theirs = MEASURING["split"](totals, bars)
    assert all(np.array_equal(*pair) for pair in zip(ours, theirs, strict=True))
    assert any(level.any() for level in theirs[:-1])
    assert theirs[-1].any()


@pytest.mark.parametrize(("narrow", "wide"), [(2, 3), (5, 50), (Fraction(7, 3), 4)])
def test_how_often_a_copy_stays(narrow, wide):
    """The chance is that of the vault's coin, and noise and copy have the laws that the theorem says."""
    chance = MEASURING["stays"](float(narrow), float(wide))
    places = islice(Same(Fraction(wide), Fraction(narrow)).expansion(), 50)
    assert chance == pytest.approx(sum(bit / 2**at for at, bit in enumerate(places, 1)))
    far = np.arange(-4000, 4001)
    laws = [np.exp(-np.abs(far) / float(scale)) for scale in (narrow, wide)]
    fine, coarse = (law / law.sum() for law in laws)
    moved = chance * fine + (1 - chance) * np.convolve(fine, coarse, "same")
    assert np.allclose(moved, coarse, atol=1e-12)


@pytest.fixture
def tree(dice):
    """Answers about a tree of three levels: each region's parent, answers and variances."""
    parent = [-1, 0, 0, 1, 1, 1, 2, 2]
    leaves = [3, 4, 5, 6, 7]
    regions = Regions(
        noisy=dice.normal(20, 9, 8),
        variance=dice.uniform(1, 9, 8),
        cells=np.array([5, 3, 2, 1, 1, 1, 1, 1]),
        parent=np.array(parent),
        depth=np.array([0, 1, 1, 2, 2, 2, 2, 2]),
        once=np.ones(8, dtype=bool),
        smallest=np.array(leaves),
        of_cell=np.arange(5),
        laplace=True,
    )
    return parent, regions


def test_answers_on_a_tree(tree):
    """Two passes give what dpmap's give, and what least squares on all answers at once gives."""
    parent, regions = tree
    leaves = regions.smallest
    belief = regions.combine(regions.noisy, regions.noisy[leaves], regions.variance[leaves])
    total = COMBINING["combine"](parent, regions.noisy, regions.variance)
    assert np.allclose(total[leaves], belief.mean)
    inside = np.array([regions.sums(row) for row in np.eye(5)]).T
    weight = 1 / np.sqrt(regions.variance)
    fitted = np.linalg.lstsq(inside * weight[:, None], regions.noisy * weight, rcond=None)[0]
    assert np.allclose(total[leaves], fitted)


def test_the_variance_of_a_sum(tree, dice):
    """The variance of any share of the leaves is dpmap's, and that of the dense covariance."""
    parent, regions = tree
    leaves = regions.smallest
    belief = regions.combine(regions.noisy, regions.noisy[leaves], regions.variance[leaves])
    share = np.zeros(8)
    share[leaves] = dice.uniform(0, 1, 5)
    variance = BELIEVING["variance_of_sum"](parent, belief.spread, share)
    place = np.zeros(5, dtype=np.int64)
    ours = belief.share_variances(np.arange(5), place, share[leaves], 1)
    inside = np.array([regions.sums(row) for row in np.eye(5)]).T
    dense = np.linalg.inv(inside.T @ np.diag(1 / regions.variance) @ inside)
    assert variance == pytest.approx(ours[0])
    assert variance == pytest.approx(share[leaves] @ dense @ share[leaves])


def test_a_learned_prior(dice):
    """Posterior means under the prior of any form are those that totals are shrunk to."""
    answers = np.maximum(dice.normal(0, 2, 60), 0) + dice.normal(0, 1, 60)
    deviation = np.ones(60)
    near = answers < CLEAR
    atoms = [0.0, 0.2]
    while atoms[-1] < CLEAR + 2:
        atoms.append(max(atoms[-1] + min(atoms[-1] / 4, 0.5), 1.1 * atoms[-1]))
    weights = np.append(1.0, np.full(len(atoms) - 1, 1 / (len(atoms) - 1)))
    _, mean = COMBINING["learn_prior"](
        answers[near], deviation[near], np.array(atoms), weights, 2 * ROUNDS
    )
    assert np.allclose(shrink(answers, 1 / deviation**2)[0][near], mean)


def test_the_nearest_possible_totals(dice):
    """Projected answers are those of a flat map, and those that the weighted projection gives where all weigh alike."""
    noisy = dice.laplace(4, 5, 40)
    total = float(noisy.sum())
    found = COMBINING["project"](noisy, total)
    assert np.allclose(found, nearest(noisy))
    assert np.allclose(found, project_weighted(noisy[None], np.ones((1, 40)), np.array([total]))[0])


def test_a_block_is_filled_at_one_level(dice):
    """Of all fillings with this total none has a larger expected overlap than the quantiles at one level."""
    draws = np.sort(dice.gamma(0.7, dice.uniform(1, 9, 6), (4000, 6)), axis=0)
    levels = draws[:: 4000 // 400]
    total = 25.0
    filled = COMBINING["fill_block"](levels, total)
    overlap = np.minimum(draws, filled).mean(0).sum()
    assert filled.sum() == pytest.approx(total)
    for _ in range(200):
        other = nearest(filled + dice.normal(0, 1, 6), total)
        assert np.minimum(draws, other).mean(0).sum() <= overlap + 0.01


def test_regions_that_cross(dice):
    """Atoms of crossing regions get the totals that dpmap's least squares finds."""
    rows, columns = np.indices((4, 5))
    answers = []
    for labels, scale in ((rows, 1), (columns, 2)):
        partition = Partition(labels)
        steps = np.rint(64 * dice.uniform(200, 300, partition.regions)).astype(np.int64)
        answers.append(
            Measurement(partition, steps, lattice=64, scale=Fraction(scale), epsilon=Fraction(1, scale))
        )  # fmt: skip
    member = np.concatenate(
        [np.eye(made.partition.regions)[:, made.partition.labels.ravel()] for made in answers]
    )
    noisy = np.concatenate([made.values for made in answers])
    deviation = np.concatenate([made.deviations for made in answers])
    expected = COMBINING["least_squares"](member, noisy, deviation, np.ones(20))
    assert (expected > 0).all()
    assert np.allclose(LeastSquaresEstimate(tuple(answers)).values.ravel(), expected, rtol=1e-6)


def test_strict_bounds(dice):
    """Cells measured by themselves have Neyman's interval."""
    partition = Partition(np.arange(30))
    steps = dice.integers(-300, 900, 30)
    made = Measurement(partition, steps, lattice=64, scale=Fraction(2), epsilon=Fraction(1, 2))
    law = LAWS["laplace"](made.scale_steps)
    bounds = BELIEVING["strict_bounds"](
        made.values, law.one_sided(0.9) / 64, law.two_sided(0.9) / 64, 1 / 64
    )
    assert np.array_equal(bounds, FlatEstimate(made).interval(0.9))


def test_the_rehearsed_width(dice):
    """The width is the quantile of the rehearsed errors and one more."""
    errors = dice.exponential(1, 57)
    for level in (0.5, 0.9, 0.99):
        assert BELIEVING["rehearsed_width"](errors, level) == conformal_quantile(errors, level)


def test_the_law_of_a_drawn_region():
    """A region is drawn from a law with its mean and variance, empty with the chance that dpmap draws it empty."""
    for mean, variance in ((5.0, 2.0), (1.0, 1.0), (0.3, 4.0)):
        some, shape, scale = BELIEVING["region_law"](mean, variance)
        law = RegionLaw.fit(np.array([mean]), np.array([variance]))
        assert (law.some[0], law.shape[0]) == pytest.approx((some, shape))
        assert some * shape * scale == pytest.approx(mean)
        square = some * (shape * scale**2 + (shape * scale) ** 2)
        assert square - mean**2 == pytest.approx(variance)
