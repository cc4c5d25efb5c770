"""What reading with public priors is promised: help where they are right, next to no harm where they are wrong, and no new numbers."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from builders.sessions import PublicSession
from scipy.ndimage import gaussian_filter

from dpmap.errors import BadInput
from dpmap.grid import Grid
from dpmap.inference.combine import gather
from dpmap.inference.prior_weights import Guide
from dpmap.inference.raster import Raster, RasterMeasurement
from dpmap.inference.tree_estimate import TreeEstimate
from dpmap.maps import read_measurements
from dpmap.record import Prior
from dpmap.record.unpool import superseded_answers
from dpmap.strategies.adaptive import adaptive

SIDE, POINTS, EPSILON, SEEDS = 32, 1500, Fraction(1, 5), range(10)
SIDES = (1, 4, 8)
GRID = Grid(bounds=(0, 0, SIDE, SIDE), shape=(SIDE, SIDE), crs="EPSG:3857")
RASTER = Raster(GRID)
ROWS, COLUMNS = np.indices((SIDE, SIDE))
TOWNS = ((5, 6, 8, 6), (3, 20, 25, 10), (2, 27, 5, 3), (4, 12, 20, 2))
SHAPE = sum(
    many * np.exp(-((ROWS - row) ** 2 + (COLUMNS - column) ** 2) / wide)
    for many, row, column, wide in TOWNS
)
SHAPE = (SHAPE + 0.02) / (SHAPE + 0.02).sum()
RIGHT, WRONG, FLIPPED = gaussian_filter(SHAPE, 1.0), np.rot90(SHAPE), np.flipud(SHAPE)
LONE = (np.arange(SIDE * SIDE) == 40).reshape(SIDE, SIDE).astype(float)
PRIORS = {
    "none": (), "right": (RIGHT,), "wrong": (WRONG,), "one cell": (LONE,), "several": (WRONG, RIGHT, FLIPPED),
    "even": (np.ones((SIDE, SIDE)),),
}  # fmt: skip


def survey(seed):
    """So many points where the towns are."""
    drawn = np.random.default_rng(seed).multinomial(POINTS, SHAPE.ravel())
    return drawn.reshape(SIDE, SIDE).astype(float)


def laid(priors):
    """The arrays as a record holds them."""
    return tuple(Prior.of_array(one, one.shape) for one in priors)


@cache
def made(kind, seed):
    """A map of a survey, asked and read with these priors: its session and its reading."""
    session = PublicSession(survey(seed), GRID, EPSILON, seed=seed)
    session.priors = laid(PRIORS[kind])
    adaptive(session)
    return session, read_measurements(GRID, tuple(session.made), session.priors).reading


@cache
def error(kind, side):
    """What part of the points a map puts in the wrong squares of so many cells a side, over all seeds."""
    squares = (SIDE // side, side, SIDE // side, side)
    off = [
        (made(kind, seed)[1].values - survey(seed)).reshape(squares).sum((1, 3)) for seed in SEEDS
    ]
    return np.mean(np.abs(off).sum((1, 2))) / POINTS


@cache
def beliefs(seed):
    """What the answers about a map that was asked without priors tell of every node."""
    told = made("none", seed)[0].made
    readings = [
        RasterMeasurement.from_labels(RASTER, one, dropped)
        for one, dropped in zip(told, superseded_answers(told), strict=True)
    ]
    return gather(RASTER, readings, RASTER.depth)


def guided(priors, seed=0):
    """Node totals, and how far these priors are trusted, from answers of a map that was asked without any."""
    return Guide(RASTER, priors).totals(beliefs(seed))


@pytest.mark.parametrize("side", SIDES)
def test_a_right_prior_makes_a_thin_map_better(side):
    """What is known already takes a tenth off the error at least, of cells and of larger squares."""
    assert error("right", side) < 0.9 * error("none", side)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("kind", ["wrong", "one cell", "even"])
def test_a_prior_that_is_wrong_or_says_nothing_costs_next_to_nothing(kind, side):
    """Land turned by 90 degrees, all in one cell, or the same everywhere: the error is that without a prior, give or take 3 %."""
    assert error(kind, side) < 1.03 * error("none", side)


@pytest.mark.parametrize("side", SIDES)
def test_of_several_priors_the_right_one_counts(side):
    """Beside two wrong ones it still takes a tenth off the error."""
    assert error("several", side) < 0.9 * error("none", side)


def test_the_answers_decide_how_far_a_prior_is_trusted():
    """A wrong prior is trusted for less than a tenth on every map, a right one for more than half on most, and one right among three nearly so."""
    right, wrong, several = (
        np.array([guided(PRIORS[kind], seed)[1] for seed in SEEDS])
        for kind in ("right", "wrong", "several")
    )
    assert wrong.max() < 0.1
    assert np.median(right) > 0.5 and right.mean() > 0.5
    assert several.mean() > 0.4


@pytest.mark.parametrize("kind", PRIORS)
def test_children_add_up_to_their_parent_and_none_is_below_zero(kind):
    """Whatever a prior says, a node holds what lies in it, and the map as much as the answers say without a prior."""
    found, trusted = guided(PRIORS[kind])
    assert 0 <= trusted <= 1
    for level in range(1, len(found)):
        assert found[level].min() >= 0
        np.testing.assert_allclose(
            RASTER.pool(found[level], level), found[level - 1], rtol=1e-9, atol=1e-9
        )
    assert found[0] == pytest.approx(beliefs(0).mean[0])


def test_a_prior_moves_points_and_makes_none():
    """Read from the same answers, maps with and without priors hold as much."""
    told = tuple(made("none", 0)[0].made)
    alone = TreeEstimate.fit(GRID, told).values.sum()
    for priors in PRIORS.values():
        assert TreeEstimate.fit(GRID, told, priors).values.sum() == pytest.approx(alone, rel=1e-6)


def test_no_interval_is_narrower_for_a_prior():
    """What is proven of a cell or a zone rests on the noise alone: with a prior bounds are those without, or reach as far as the estimate."""
    told, zone = tuple(made("none", 0)[0].made), ROWS < 10
    alone, helped = TreeEstimate.fit(GRID, told), TreeEstimate.fit(GRID, told, (WRONG, RIGHT))
    low, high = alone._bounds.interval(0.9)
    least, most = helped.interval(0.9)
    np.testing.assert_array_equal(least, np.minimum(low, helped.values))
    np.testing.assert_array_equal(most, np.maximum(high, helped.values))
    assert helped.zone(zone, zone, 0.9)[1:] == alone.zone(zone, zone, 0.9)[1:]
    np.testing.assert_array_equal(helped.p_values(), alone.p_values())


@pytest.mark.parametrize("kind", PRIORS)
def test_a_prior_changes_nothing_about_what_is_paid(kind):
    """As many questions for the same epsilon each, with noise of the same scale: only where is asked may differ."""
    alone, helped = (made(one, 0)[0].made for one in ("none", kind))
    assert [(one.epsilon, one.scale) for one in helped] == [
        (one.epsilon, one.scale) for one in alone
    ]
    assert sum(one.epsilon for one in helped) == EPSILON


def test_without_priors_a_map_is_as_if_there_were_no_such_thing():
    """An empty list of priors asks and reads the very same."""
    session = PublicSession(survey(0), GRID, EPSILON, seed=0)
    adaptive(session)
    np.testing.assert_array_equal(
        TreeEstimate.fit(GRID, tuple(session.made)).values, made("none", 0)[1].own.values
    )


def test_only_the_shape_of_a_prior_counts():
    """Ten thousand times as large, or in another order among others, it says the same."""
    once, trusted = guided((WRONG, RIGHT))
    for priors in ((WRONG * 10_000, RIGHT), (RIGHT, WRONG)):
        again, also = guided(priors)
        assert also == pytest.approx(trusted)
        np.testing.assert_allclose(again[-1], once[-1], rtol=1e-6, atol=1e-9)


def test_the_same_answers_and_priors_are_always_read_alike():
    """Whoever has the release and the priors finds the same map."""
    np.testing.assert_array_equal(guided((WRONG, RIGHT))[0][-1], guided((WRONG, RIGHT))[0][-1])


NOTHING = {
    "0 everywhere": np.zeros((SIDE, SIDE)),
    "below 0": np.where(LONE > 0, -1.0, RIGHT),
    "not known": np.where(LONE > 0, np.nan, RIGHT),
    "without end": np.where(LONE > 0, np.inf, RIGHT),
}


@pytest.mark.parametrize("kind", NOTHING)
def test_what_is_no_prior_never_gets_into_a_record(kind):
    """It is refused in one line."""
    with pytest.raises(BadInput, match="^prior: ") as refused:
        Prior.of_array(NOTHING[kind], (SIDE, SIDE))
    assert "\n" not in str(refused.value)
