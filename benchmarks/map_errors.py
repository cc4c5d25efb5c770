"""Four errors of a map of counts, and the draws on which `data/published_errors.csv` has those of published algorithms.

The seeds of the draws and of the rectangles belong to that table: with others its numbers could not be compared.
"""

import numpy as np
from public_data import sum_blocks
from scipy import sparse
from scipy.optimize import linprog

SIDE, COARSE_SIDE = 128, 16
CASES = ((3_000, 0.1), (10_000, 0.1), (10_000, 1.0), (100_000, 1.0))
"""Numbers of points and epsilons."""
METRICS = ("qMAE", "tv", "emd", "KL")
RECTANGLES, RECTANGLES_SEED = 2000, 9001
TINY = 1e-12


def draw_truth(counts, points, seed):
    """Return so many points, drawn from an array's shape and added up on the grid of the maps."""
    shape = (counts / counts.sum()).ravel()
    drawn = np.random.RandomState(seed).multinomial(points, shape)
    return sum_blocks(drawn.reshape(counts.shape), SIDE)


def draw_rectangles():
    """Return the first and last rows and columns of the rectangles that are asked about."""
    random = np.random.RandomState(RECTANGLES_SEED)
    heights = random.randint(1, SIDE + 1, RECTANGLES)
    widths = random.randint(1, SIDE + 1, RECTANGLES)
    tops = (random.rand(RECTANGLES) * (SIDE - heights + 1)).astype(int)
    lefts = (random.rand(RECTANGLES) * (SIDE - widths + 1)).astype(int)
    return tops, lefts, tops + heights, lefts + widths


def sum_rectangles(counts, rectangles):
    """Return a map's total in each rectangle."""
    tops, lefts, bottoms, rights = rectangles
    sums = np.pad(counts.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    return sums[bottoms, rights] - sums[tops, rights] - sums[bottoms, lefts] + sums[tops, lefts]


def measure_errors(truth, estimate, rectangles):
    """Return the errors of a map.

    qMAE is the mean error of the rectangles' totals, over all points; tv is 1 - overlap of the two maps, each made to add up
    to one; emd the earth mover's distance between them on the unit square, in 16 x 16 blocks; KL the divergence of the map
    from the truth.
    """
    points = truth.sum()
    off = sum_rectangles(truth, rectangles) - sum_rectangles(estimate, rectangles)
    estimate = np.clip(estimate, 0, None)
    true_share = truth / points
    share = estimate / max(estimate.sum(), TINY)
    occupied = true_share > 0
    ratio = (true_share[occupied] + TINY) / (share[occupied] + TINY)
    return {
        "qMAE": np.abs(off).mean() / points,
        "tv": 1 - np.minimum(true_share, share).sum(),
        "emd": earth_movers_distance(true_share, share),
        "KL": (true_share[occupied] * np.log(ratio)).sum(),
    }


def earth_movers_distance(true_share, share):
    """Return the least work, in sides of the map, that turns one map into the other, block by block."""
    supply = sum_blocks(true_share, COARSE_SIDE).ravel()
    demand = sum_blocks(share, COARSE_SIDE).ravel()
    if demand.sum() == 0:
        demand = np.ones_like(demand)
    sources = np.flatnonzero(supply)
    targets = np.flatnonzero(demand)
    places = np.stack(np.divmod(np.arange(COARSE_SIDE**2), COARSE_SIDE), axis=1) / COARSE_SIDE
    distances = np.hypot(*(places[sources][:, None] - places[targets][None]).transpose(2, 0, 1))
    leaving = sparse.kron(sparse.eye(len(sources)), np.ones((1, len(targets))))
    arriving = sparse.kron(np.ones((1, len(sources))), sparse.eye(len(targets)))
    moved = np.concatenate([supply[sources] / supply.sum(), demand[targets] / demand.sum()])
    # The last equation follows from the others; rounding could make it contradict them.
    equations = sparse.vstack([leaving, arriving]).tocsr()[:-1]
    return linprog(distances.ravel(), A_eq=equations, b_eq=moved[:-1], method="highs-ds").fun
