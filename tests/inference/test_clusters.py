"""What clusters and places of change are promised: a neighbourhood that changed is found, one that did not is rarely told, intervals hold together."""

from fractions import Fraction

import numpy as np
import pytest

from dpmap.grid import Grid, Partition
from dpmap.inference import clusters as room
from dpmap.inference.clusters import compare_places, find_clusters
from dpmap.inference.paired_maps import PairedMaps
from dpmap.inference.scan_windows import list_windows
from dpmap.record import Measurement

SIDE, LATTICE = 16, 1 << 20
GRID = Grid(bounds=(0, 0, SIDE, SIDE), shape=(SIDE, SIDE), crs="EPSG:3857")
ROWS, COLUMNS = np.indices((SIDE, SIDE))
LAND = np.where(COLUMNS < 8, 6.0, 0.5)
SQUARE = (ROWS >= 5) & (ROWS < 9) & (COLUMNS >= 2) & (COLUMNS < 6)
RATE, LEVEL, PAIRS = 0.1, 0.9, 40


def told(truth, random, scale=1.0):
    """A map of these totals, each cell by itself."""
    partition = Partition.cells(GRID)
    steps = np.rint(
        (partition.sums(truth) + random.laplace(0, scale, partition.regions)) * LATTICE
    ).astype(np.int64)
    return [
        (
            GRID,
            (
                Measurement(
                    partition, steps, lattice=LATTICE, scale=Fraction(scale), epsilon=Fraction(1)
                ),
            ),
        )
    ]


def both(change, seed):
    """Two maps of the land, of which the later one has changed by so much in each cell."""
    random = np.random.default_rng(seed)
    return PairedMaps.pair(GRID, told(LAND, random), told(LAND + change, random))


def found(pair):
    """The clusters, and of each cell of the map the piece that it is."""
    family = list_windows(GRID, pair.ground.piece)
    return find_clusters(pair, family, level=LEVEL, rate=RATE), pair.ground.piece


def sums(mine, piece, change):
    """What the true change of a cluster is."""
    return float(change[np.isin(piece, mine)].sum())


def test_a_neighbourhood_that_changed_is_found_with_its_interval():
    """A square of 16 cells that gains or loses 60 points is told in each of ten pairs, on its own side of 0, by a cluster over most of it."""
    for sign in (1, -1):
        change = np.where(SQUARE, sign * 60 / 16, 0.0)
        for seed in range(10):
            clear, piece = found(both(change, seed))
            assert clear.told.all() and len(clear.pieces)
            over = np.isin(piece, clear.pieces[0])
            assert np.sign(clear.change[0]) == sign and (over & SQUARE).sum() >= 8


def test_clusters_are_rarely_told_where_nothing_changed_and_their_intervals_hold_together():
    """Of 40 pairs without a change one in ten tells a cluster, or hardly more; with a change all intervals of a pair hold in nine of ten, or hardly fewer.

    More than 17 of 40 at a chance of .10 each happen less than once in a million; the seeds are fixed besides.
    """
    false = sum(len(found(both(np.zeros(LAND.shape), seed))[0].pieces) > 0 for seed in range(PAIRS))
    assert 1 <= false <= 17
    change, missed = np.where(SQUARE, 60 / 16, 0.0), 0
    for seed in range(PAIRS):
        clear, piece = found(both(change, seed))
        truth = [sums(mine, piece, change) for mine in clear.pieces]
        missed += not all((clear.low <= truth) & (np.array(truth) <= clear.high))
    assert missed <= 17


def test_places_hold_together_and_are_rarely_told_falsely():
    """All intervals of 16 places hold in nine pairs of ten, or hardly fewer, and one that changed by far is told, the others rarely."""
    place, change = np.full(LAND.shape, -1), np.where(SQUARE, 80 / 16, 0.0)
    place = ROWS // 4 * 4 + COLUMNS // 4
    missed = false = seen = 0
    for seed in range(PAIRS):
        pair = both(change, seed)
        of_piece = np.zeros(len(pair.before), dtype=np.int64)
        of_piece[pair.ground.piece.ravel()] = place.ravel()
        them = compare_places(pair, of_piece, level=LEVEL, rate=RATE)
        truth = np.bincount(place.ravel(), weights=change.ravel())
        missed += not ((them.low <= truth) & (truth <= them.high)).all()
        false += bool((them.told & (truth == 0)).any())
        seen += bool((them.told & (truth > 0)).any())
    assert missed <= 17 and false <= 17 and seen >= 0.9 * PAIRS


def test_clusters_do_not_overlap_and_the_clearest_come_first():
    """No cell is in two clusters, and what stands out most is listed first."""
    change = np.where(SQUARE, 5.0, 0.0) - np.where((ROWS >= 11) & (COLUMNS < 3), 8.0, 0.0)
    clear, _ = found(both(change, 3))
    every = np.concatenate(clear.pieces)
    assert len(every) == len(set(every.tolist())) and len(clear.pieces) >= 2
    assert {1.0, -1.0} <= set(np.sign(clear.change).tolist())


def test_maps_of_chosen_regions_are_asked_for_less_than_the_rate():
    """Where noisy answers chose the regions, a chance counts for more, and an interval is wider: the rehearsal does not know of the choice."""
    pair = both(np.where(SQUARE, 2.0, 0.0), 4)
    chosen = PairedMaps(pair.ground, pair.before, pair.after, pair.believed, pair.noises, True)
    family = list_windows(GRID, pair.ground.piece)
    one, other = (room.Scan(each, family, room.LOOKED) for each in (pair, chosen))
    assert (other.chance >= np.minimum(one.chance / room.CHOSEN, 1.0) - 1e-12).all()
    assert (other.reach(LEVEL) >= one.reach(LEVEL)).all() and (
        other.reach(LEVEL) > one.reach(LEVEL)
    ).any()


@pytest.mark.parametrize("side", [2, 3, 4, 6, 8, 12, 16])
def test_windows_of_every_size_cover_the_map(side):
    """Of squares each size has its windows, every cell is in one of them, and no window is listed twice."""
    piece = np.arange(SIDE**2).reshape(SIDE, SIDE)
    family = list_windows(GRID, piece)
    sizes = [len(family.pieces_within(window)) for window in range(len(family))]
    mine = [
        frozenset(family.pieces_within(window).tolist())
        for window, many in enumerate(sizes)
        if many == side**2
    ]
    assert mine and len(mine) == len(set(mine)) and len(frozenset().union(*mine)) == SIDE**2
