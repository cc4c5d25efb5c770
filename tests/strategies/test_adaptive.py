"""The adaptive strategy and its reading: what is spent, what is seen, what is shown, and how honest the bounds are."""

import os
from fractions import Fraction

import numpy as np
import pytest
from builders.sessions import PublicSession

from dpmap.grid import Grid, Partition
from dpmap.grid.layer_axes import Kinds
from dpmap.inference.raster import Raster, RasterMeasurement
from dpmap.inference.tree_estimate import TreeEstimate, project, project_weighted
from dpmap.record import Measurement
from dpmap.strategies.adaptive import adaptive

RELEASES = 2004 if os.environ.get("DPMAP_DEEP") else 102
DEEP = 10 if os.environ.get("DPMAP_DEEP") else 1
LATTICE = 64


class RecordingSession(PublicSession):
    """Measures public counts with seeded noise, and keeps everything asked and answered."""

    def __init__(self, counts, epsilon, cap=1, seed=0, mask=None, grid=None):
        plane = np.asarray(counts, dtype=float)
        super().__init__(plane, grid or squares(plane.shape, mask), epsilon, cap, seed, LATTICE)


class LyingSession(RecordingSession):
    """Answers with numbers that have nothing to do with any counts."""

    def totals(self, partition: Partition):
        dice = self.mechanism.dice
        return dice.normal(0, 10.0 ** dice.integers(0, 7), partition.regions)


def squares(shape, mask=None):
    return Grid(bounds=(0, 0, shape[1], shape[0]), shape=shape, crs="EPSG:3857", mask=mask)


def released(counts, epsilon, **named):
    session = RecordingSession(counts, epsilon, **named)
    adaptive(session)
    return session, TreeEstimate.fit(session.grid, tuple(session.made))


def shapes_of_land():
    """Six public shapes of 4,000 points on 64 x 64 cells."""
    random = np.random.default_rng(5)
    rows, columns = np.mgrid[:64, :64]
    town = np.exp(-((rows - 20) ** 2 + (columns - 41) ** 2) / 18)
    coast = np.where(columns > 25 + 9 * np.sin(rows / 9), np.exp(-(columns - 25) / 12.0), 0)
    spikes = np.zeros((64, 64))
    spikes.flat[random.permutation(4096)[:12]] = 1 / np.arange(1, 13)
    road = (np.abs(rows - columns // 2 - 12) < 1).astype(float)
    everywhere = np.ones((64, 64))
    rough = np.exp(1.5 * random.normal(size=(64, 64)))
    for density in (town, coast, spikes, road, everywhere, rough):
        yield random.multinomial(4000, (density / density.sum()).ravel()).reshape(64, 64)


@pytest.mark.parametrize("epsilon", ["0.01", "0.1", "1", "10", "1/3", "0.123456789"])
@pytest.mark.parametrize("session_kind", [RecordingSession, LyingSession])
@pytest.mark.parametrize("shape", [(5, 5), (40, 33), (3, 500), (130, 150)])
def test_spends_epsilon_to_the_last_digit(epsilon, session_kind, shape):
    """The shares add up to epsilon exactly, whatever the answers are."""
    session = session_kind(np.ones(shape), epsilon, cap=3)
    adaptive(session)
    assert sum(made.epsilon for made in session.made) == Fraction(epsilon)
    assert all(made.epsilon > 0 for made in session.made)


@pytest.mark.parametrize(
    ("shape", "points", "shares"),
    [
        ((64, 64), 0, [2, 25, 25, 48]),
        ((64, 64), 500, [2, 20, 25, 53]),
        ((64, 64), 5000, [2, 25, 73]),
        ((130, 150), 50_000, [2, 8, 18, 72]),
        ((20, 20), 0, [2, 25, 73]),
    ],
)
def test_what_is_asked_follows_from_the_noisy_total(shape, points, shares):
    """Thin and fairly full maps spend half of epsilon on large regions, full ones a quarter; maps too small for the total to tell are no thin ones."""
    session = RecordingSession(np.full(shape, points / np.prod(shape)), 1)
    adaptive(session)
    assert [made.epsilon * 100 for made in session.made] == shares


def test_layers_are_asked_as_each_alone_would_be():
    """Thin land stays thin when four kinds of it lie beside one another."""
    land = np.full((64, 64), 60 / 64**2)
    session = RecordingSession(
        np.stack([land] * 4), 1, grid=squares(land.shape).layered(Kinds("kind", tuple("abcd")))
    )
    adaptive(session)
    assert [made.epsilon * 100 for made in session.made] == [2, 25, 25, 48]


@pytest.mark.parametrize("session_kind", [RecordingSession, LyingSession])
def test_every_cell_is_in_one_region_of_every_measurement(session_kind):
    """Each partition covers the area, and only it."""
    mask = np.zeros((37, 50), dtype=bool)
    mask[3:30, 5:45] = True
    session = session_kind(np.ones((37, 50)), 1, mask=mask)
    adaptive(session)
    for made in session.made:
        assert np.array_equal(made.partition.labels >= 0, mask)
        assert (
            np.bincount(made.partition.labels[mask], minlength=made.partition.regions) > 0
        ).all()


def test_depends_on_answers_only():
    """Two different surveys that happen to draw the same answers get the same questions and the same map."""
    one = LyingSession(np.zeros((32, 32)), 1, seed=4)
    other = LyingSession(np.full((32, 32), 50), 1, seed=4)
    adaptive(one)
    adaptive(other)
    for left, right in zip(one.made, other.made, strict=True):
        assert left.epsilon == right.epsilon
        assert np.array_equal(left.partition.labels, right.partition.labels)
        assert np.array_equal(left.steps, right.steps)
    maps = [TreeEstimate.fit(session.grid, tuple(session.made)).values for session in (one, other)]
    assert np.array_equal(*maps)


def test_an_empty_survey_gives_a_near_empty_map():
    """No points: a few noise scales in all, spread thin, not a speckled map."""
    sums, peaks = [], []
    for seed in range(10):
        _, estimate = released(np.zeros((128, 128)), 1, seed=seed)
        sums.append(estimate.values.sum())
        peaks.append(estimate.values.max())
    assert np.mean(sums) < 20
    assert np.median(peaks) < 1


@pytest.mark.parametrize(
    "shape", [(1, 1), (1, 10), (10, 1), (2, 2), (3, 500), (500, 3), (17, 1), (130, 70), (64, 64)]
)
def test_any_shape_of_grid(shape):
    """The map has the grid's shape, no negative cell, and the right total."""
    counts = np.random.default_rng(1).poisson(20, shape)
    _, estimate = released(counts, 1)
    assert estimate.values.shape == shape
    assert (estimate.values >= 0).all()
    assert abs(estimate.values.sum() - counts.sum()) < 40 + 30 * np.sqrt(min(counts.size, 16))
    low, high = estimate.interval(0.9)
    assert (low <= high).all()
    assert (low >= 0).all()


def test_a_masked_grid():
    """Cells outside the area are NaN, and none of the total is lost there."""
    mask = np.zeros((60, 90), dtype=bool)
    mask[5:40, 20:80] = True
    mask[10:12] = False
    _, estimate = released(np.where(mask, 3, 0), 1, mask=mask)
    assert np.array_equal(np.isnan(estimate.values), ~mask)
    assert abs(np.nansum(estimate.values) - 3 * mask.sum()) < 150


def test_a_grid_of_areas():
    """Cells without rows and columns of their own are laid out by where they are."""
    import geopandas
    import shapely

    random = np.random.default_rng(2)
    corners = random.permutation(400)[:75]
    boxes = [shapely.box(k % 20, k // 20, k % 20 + 1, k // 20 + 1) for k in corners]
    grid = Grid.areas(
        geopandas.GeoDataFrame(
            {"name": [f"a{k}" for k in corners]}, geometry=boxes, crs="EPSG:3857"
        )
    )
    counts = random.poisson(30, grid.shape)
    _, estimate = released(counts, 1, grid=grid)
    assert estimate.values.shape == grid.shape
    assert abs(estimate.values.sum() - counts.sum()) < 150


def test_the_same_record_gives_the_same_map():
    """Reading twice, in any process, gives the same numbers: nothing is drawn."""
    counts = next(iter(shapes_of_land()))
    session, estimate = released(counts, 1)
    again = TreeEstimate.fit(session.grid, tuple(session.made))
    assert np.array_equal(estimate.values, again.values)


def overlap(found, counts):
    return np.minimum(found / found.sum(), counts / counts.sum()).sum()


def test_nearer_the_truth_than_each_cell_by_itself():
    """Over the shapes, the map misses the truth by less than the projected flat map of the same epsilon."""
    ratios = []
    for counts in shapes_of_land():
        flat, ours = [], []
        for seed in range(3):
            _, estimate = released(counts, Fraction(1, 10), seed=seed)
            noise = np.random.default_rng(seed).laplace(0, 10, counts.shape)
            noisy = project(
                (counts + noise).reshape(1, -1), np.array([float(counts.sum())])
            ).reshape(counts.shape)
            flat.append(1 - overlap(noisy, counts))
            ours.append(1 - overlap(estimate.values, counts))
        ratios.append(np.mean(ours) / np.mean(flat))
    assert np.exp(np.mean(np.log(ratios))) < 0.9, np.round(ratios, 2)


def test_a_strange_partition_is_left_to_others():
    """A partition that is not made of nodes of the hierarchy has no reading here."""
    grid = squares((4, 4))
    labels = np.arange(16).reshape(4, 4) % 3
    strange = Measurement(
        Partition(labels), np.zeros(3, np.int64), lattice=1, scale=Fraction(1), epsilon=Fraction(1)
    )
    assert TreeEstimate.fit(grid, (strange,)) is None


def test_a_flat_record_can_be_read_too():
    """One measurement of all cells is a hierarchy as well; the denoised map keeps its total."""
    counts = next(iter(shapes_of_land()))
    session = RecordingSession(counts, 1)
    session.measure(Partition.cells(session.grid), Fraction(1))
    estimate = TreeEstimate.fit(session.grid, tuple(session.made))
    assert estimate.values.sum() == pytest.approx(max(0, session.made[0].values.sum()))


def test_readings_of_labels_and_stops_agree():
    """A partition read back from its labels gives the totals of every node it was made from."""
    session, _ = released(next(iter(shapes_of_land())), 1)
    raster = Raster(session.grid)
    for made in session.made:
        reading = RasterMeasurement.from_labels(
            raster, made, np.zeros(made.partition.regions, dtype=bool)
        )
        assert sum(len(nodes) for nodes in reading.nodes) == made.partition.regions
        assert sum(part.sum() for part in reading.totals) == pytest.approx(made.values.sum())


def test_projections_keep_total_and_sign():
    """Both projections end at the total with nothing below 0, and leave what is already there alone."""
    random = np.random.default_rng(3)
    rows, total = random.normal(1, 5, (50, 4)), random.uniform(0, 30, 50)
    for found in (
        project(rows, total),
        project_weighted(rows, random.uniform(0.1, 3, (50, 4)), total),
    ):
        assert (found >= 0).all()
        assert np.allclose(found.sum(1), total)
    right = np.abs(rows)
    assert np.allclose(project_weighted(right, np.ones((50, 4)), right.sum(1)), right)


def tally(hits, kind, found):
    hits.setdefault(kind, []).append(found)


@pytest.mark.parametrize(("epsilon", "cap"), [("0.1", 1), ("1", 1), ("1", 8), ("4", 2)])
def test_intervals_hold_as_often_as_stated(epsilon, cap):
    """Stated 90 %: at least 89 % of empty, occupied and heaviest cells and of random zones, each by itself."""
    hits = {}
    for shape, counts in enumerate(shapes_of_land()):
        heaviest = (counts > 0) & (counts >= np.sort(counts.ravel())[-41])
        random = np.random.default_rng(shape)
        for seed in range(RELEASES // 6):
            _, estimate = released(counts, epsilon, cap=cap, seed=1000 * shape + seed)
            low, high = estimate.interval(0.9)
            held = (low <= counts) & (counts <= high)
            tally(hits, "empty", held[counts == 0])
            tally(hits, "occupied", held[counts > 0])
            tally(hits, "heaviest", held[heaviest])
            for _ in range(20):
                (top, left), (high_, wide) = random.integers(0, 48, 2), random.integers(1, 16, 2)
                within = np.zeros(counts.shape, dtype=bool)
                within[top : top + high_, left : left + wide] = True
                _, least, most = estimate.zone(within, within, 0.9)
                tally(hits, "zones", np.array([least <= counts[within].sum() <= most]))
    for kind, found in hits.items():
        share = np.concatenate(found).mean()
        assert share >= 0.89, f"{kind}: {share:.3f}"


def test_a_cut_zone_brackets_its_edge():
    """Between the cells surely inside and those merely touched, any total must be within the bounds."""
    counts = next(iter(shapes_of_land()))
    misses = 0
    for seed in range(40 * DEEP):
        _, estimate = released(counts, 1, seed=seed)
        within, touched = (np.zeros(counts.shape, dtype=bool) for _ in range(2))
        within[12:28, 30:50] = touched[11:29, 29:51] = True
        _, low, high = estimate.zone(within, touched, 0.9)
        misses += not (low <= counts[within].sum() and counts[touched].sum() <= high)
    assert misses <= 0.11 * 40 * DEEP + 3


def test_p_values_above_zero_only_where_a_cell_was_measured_by_itself():
    """Cells inside larger regions exceed no threshold above 0 for certain; empty ones measured alone look surprising no more often than said."""
    small, count = 0, 0
    for seed in range(20):
        session, estimate = released(next(iter(shapes_of_land())) * 0, 1, seed=seed)
        last = session.made[-1].partition
        size = np.bincount(last.labels.ravel())[last.labels]
        p_values = estimate.p_values()
        assert (estimate.p_values(1.0)[size > 1] == 1).all()
        small, count = (
            small + int((p_values[size == 1] <= 0.1).sum()),
            count + int((size == 1).sum()),
        )
    assert small <= 0.1 * count + 3 * np.sqrt(0.09 * count + 1)
