"""Whether what `dm.compare` tells holds, and what it sees: pairs of maps whose true change is known, beside two naive ways.

    python benchmarks/change.py [pairs] [--zones N]             # 200 of each case take some three minutes

Land of three shapes of `shapes.py`, 3,000 points on 32 x 32 cells, is released twice with the vault's own noise, epsilon 1 and cap 1 each: once
as it is, and once with 30 points more in a square of 16 cells that holds 30 (a doubling), and two other cells emptied. Prints, for `flat` and
`adaptive` maps:

holds      share of the stated 90 % intervals that hold the true change: of all regions, and of those told to have changed
false      share of what is told to have changed that did not, or the other way: the mean over the pairs (stated: at most 0.10)
told       how many cells or blocks are told in a pair
doubling   share of the pairs in which land of the doubled square is told to hold more

for ours, for the difference of two estimates with one map's 90 % interval, and for two 90 % intervals that do not overlap: what people do
with two maps. --zones N asks N pairs about the square itself as a zone (slower), and about as large a square in which nothing changed.
"""

import argparse

import numpy as np
import shapely
from shapes import SHAPES

import dpmap as dm
from dpmap.promise.policy import Policy
from dpmap.record import Receipt, Record
from dpmap.releases.release import Release
from dpmap.strategies import find_strategy
from dpmap.vault.session import Session

SIDE, POINTS, SQUARE = 32, 3_000, 4
NAMES = ("clusters", "coast", "sixty_cells")
GRID = dm.Grid(bounds=(0, 0, SIDE * 1000, SIDE * 1000), shape=(SIDE, SIDE), crs="EPSG:3035")
POLICY = Policy(epsilon="1", unit="who", cap=1)
OURS, ONE, TWO = "ours", "one map's interval", "intervals apart"


def land(name):
    """The counts before and after, and the doubled square as rows and columns."""
    dice = np.random.default_rng(5)
    density = SHAPES[name]().reshape(SIDE, 128 // SIDE, SIDE, 128 // SIDE).sum((1, 3))
    before = dice.multinomial(POINTS, (density / density.sum()).ravel()).reshape(SIDE, SIDE)
    held = np.lib.stride_tricks.sliding_window_view(before, (SQUARE, SQUARE)).sum((2, 3))
    top, left = np.unravel_index(np.abs(held - 30).argmin(), held.shape)
    square = slice(top, top + SQUARE), slice(left, left + SQUARE)
    before[square] = dice.multinomial(30, np.full(SQUARE**2, SQUARE**-2.0)).reshape(SQUARE, SQUARE)
    after = before.copy()
    after[square] += dice.multinomial(30, np.full(SQUARE**2, SQUARE**-2.0)).reshape(SQUARE, SQUARE)
    others = np.ones(before.shape, dtype=bool)
    others[square] = False
    after.flat[np.argsort(-(before * others), axis=None)[[2, 9]]] = 0
    return before, after, square


def released(counts, strategy, number):
    """A release of public counts."""
    session = Session(counts, GRID, POLICY.measuring, POLICY.cap, POLICY.lattice)
    find_strategy(strategy)(session)
    return Release(
        Record(
            GRID,
            POLICY,
            strategy,
            session.made,
            Receipt(f"map {number}", str(number), "", 0, 0, 0),
            "2026-11-23",
        )
    )


def judged(found, truth, square, partition):
    """What one pair tells by one way: `found` are change, low, high and which are told, of each region."""
    change, low, high, told = found
    wrong = told & (np.sign(truth) != np.sign(change))
    doubled = np.zeros(len(truth), dtype=bool)
    doubled[np.unique(partition.labels[square])] = True
    right = (low <= truth) & (truth <= high)
    return (
        right.mean(),
        (right[told].sum(), told.sum()),
        wrong.sum() / max(1, told.sum()),
        told.sum(),
        (told & doubled & (change > 0)).any(),
    )


def ways(before, after):
    """Ours and the two naive ways, on the same regions."""
    from dpmap.inference.changes import changes

    parts = [[(GRID, one.record.last)] for one in (before, after)]
    found = changes(GRID, *parts, (before.estimate, after.estimate))
    kept = found.partition
    yield OURS, (found.change, found.low, found.high, found.told), kept
    cells = dm.Partition.cells(GRID)
    (low_a, high_a), (low_b, high_b) = (
        [end[GRID.inside] for end in one.interval(0.9)] for one in (before, after)
    )
    first, second = (one.estimate[GRID.inside] for one in (before, after))
    yield (
        ONE,
        (second - first, low_b - first, high_b - first, (low_b > first) | (high_b < first)),
        cells,
    )
    yield (
        TWO,
        (second - first, low_b - high_a, high_b - low_a, (low_b > high_a) | (high_b < low_a)),
        cells,
    )


def box(square):
    """The square as a polygon in the grid's CRS."""
    rows, columns = square
    return shapely.box(
        columns.start * 1000,
        (SIDE - rows.stop) * 1000,
        columns.stop * 1000,
        (SIDE - rows.start) * 1000,
    )


def zoned(before, after, square, pairs, strategy):
    """How often the square as a zone holds, and is told; and one in which nothing changed."""
    import geopandas as gpd

    still = next(
        (slice(r, r + SQUARE), slice(c, c + SQUARE))
        for r in range(0, SIDE, SQUARE)
        for c in range(0, SIDE, SQUARE)
        if (before == after)[r : r + SQUARE, c : c + SQUARE].all()
        and before[r : r + SQUARE, c : c + SQUARE].sum() > 20
    )
    zones = gpd.GeoDataFrame(geometry=[box(square), box(still)], crs=GRID.crs)
    truth, rows = np.array([30.0, 0.0]), []
    for number in range(pairs):
        one, other = (
            released(before, strategy, 2 * number),
            released(after, strategy, 2 * number + 1),
        )
        found = dm.compare(one, other, zones=zones).frame
        rows.append([(found.low <= truth) & (truth <= found.high), found.told])
    held, told = np.moveaxis(np.array(rows), 1, 0)
    print(
        f"  {'as a zone':20} holds {held.mean():.3f}   doubling told {told[:, 0].mean():.2f}   unchanged told {told[:, 1].mean():.2f}"
    )


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("pairs", type=int, nargs="?", default=200)
    parser.add_argument("--zones", type=int, default=0)
    asked = parser.parse_args()
    for strategy in ("flat", "adaptive"):
        for name in NAMES:
            before, after, square = land(name)
            seen = {}
            for number in range(asked.pairs):
                pair = (
                    released(before, strategy, 2 * number),
                    released(after, strategy, 2 * number + 1),
                )
                for way, found, partition in ways(*pair):
                    truth = partition.sums((after - before).astype(float))
                    seen.setdefault(way, []).append(judged(found, truth, square, partition))
            print(f"{strategy}, {name}, {asked.pairs} pairs")
            for way, rows in seen.items():
                held, kept, false, told, doubled = zip(*rows, strict=True)
                missed = [1 - right / many if many else 0.0 for right, many in kept]
                print(
                    f"  {way:20} holds {np.mean(held):.3f} (told: {1 - np.mean(missed):.3f})   false {np.mean(false):.3f}   "
                    f"told {np.mean(told):5.1f}   doubling {np.mean(doubled):.2f}"
                )
            if asked.zones:
                zoned(before, after, square, asked.zones, strategy)


if __name__ == "__main__":
    main()
