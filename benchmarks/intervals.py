"""How often the 90 % intervals of each strategy hold, and how wide they are beside flat's.

    python benchmarks/intervals.py [releases]        # 50 of each case take two minutes

Each strategy releases six public shapes of land, 4,000 points on 64 x 64 cells, over and over with the vault's own noise,
at six pairs of epsilon and cap. Prints for each, separately for empty cells, occupied cells, the heaviest 1 % and random
zones: the share of flat's and of adaptive's intervals that hold the true total (90 % is stated), flat's median width in
points, and how many times as wide adaptive's median is; then the same for the six shapes together.
"""

import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd

for folder in ("tests", "tests/strategies"):
    sys.path.insert(0, str(Path(__file__).parents[1] / folder))
from test_adaptive import shapes_of_land  # noqa: E402

from dpmap.grid import Grid  # noqa: E402
from dpmap.maps import infer  # noqa: E402
from dpmap.strategies import find_strategy  # noqa: E402
from dpmap.vault.session import Session  # noqa: E402

LATTICE = 1 << 20
SHAPES = ("town", "coast", "spikes", "road", "everywhere", "rough")
KINDS = ("empty", "occupied", "heaviest 1 %", "zones")
PROMISES = (("0.01", 1), ("0.1", 1), ("0.1", 5), ("1", 1), ("1", 8), ("4", 2))


def random_zones(dice):
    """Twenty random rectangles, as masks."""
    for _ in range(20):
        (top, left), (high, wide) = dice.integers(0, 48, 2), dice.integers(1, 16, 2)
        zone = np.zeros((64, 64), dtype=bool)
        zone[top : top + high, left : left + wide] = True
        yield zone


def judged(counts, reading, zones):
    """Of each kind of interval: which hold, and how wide they are."""
    low, high = reading.interval(0.9)
    held, wide = (low <= counts) & (counts <= high), high - low
    cells = {
        "empty": counts == 0,
        "occupied": counts > 0,
        "heaviest 1 %": (counts > 0) & (counts >= np.sort(counts, None)[-counts.size // 100]),
    }
    for kind, which in cells.items():
        yield kind, held[which], wide[which]
    bounds = np.array([reading.zone(zone, zone, 0.9)[1:] for zone in zones])
    totals = np.array([counts[zone].sum() for zone in zones])
    yield "zones", (bounds[:, 0] <= totals) & (totals <= bounds[:, 1]), bounds[:, 1] - bounds[:, 0]


def measured(counts, epsilon, cap, strategy, releases, dice):
    """For each kind of interval of that many releases: the percentage that hold, and the median width."""
    grid = Grid(bounds=(0, 0, 64, 64), shape=(64, 64), crs="EPSG:3857")
    found = {}
    for _ in range(releases):
        session = Session(counts, grid, Fraction(epsilon), cap, LATTICE)
        find_strategy(strategy)(session)
        for kind, held, wide in judged(counts, infer(grid, session.made), list(random_zones(dice))):
            found.setdefault(kind, []).append((held, wide))
    for kind, parts in found.items():
        held, wide = (np.concatenate(part) for part in zip(*parts, strict=True))
        yield dict(kind=kind, hold=100 * held.mean(), width=np.median(wide))


def main(releases):
    rows = [
        dict(epsilon=epsilon, cap=cap, shape=shape, strategy=strategy) | row
        for epsilon, cap in PROMISES
        for place, (shape, counts) in enumerate(zip(SHAPES, shapes_of_land(), strict=True))
        for strategy in ("flat", "adaptive")
        for row in measured(
            counts.astype(float), epsilon, cap, strategy, releases, np.random.default_rng(place)
        )
    ]
    wide = pd.DataFrame(rows).pivot(index=["epsilon", "cap", "shape"], columns=["kind", "strategy"])
    table = pd.concat(
        {
            kind: pd.DataFrame(
                {
                    "flat %": wide["hold", kind, "flat"],
                    "ours %": wide["hold", kind, "adaptive"],
                    "flat wide": wide["width", kind, "flat"],
                    "times": wide["width", kind, "adaptive"] / wide["width", kind, "flat"],
                }
            )
            for kind in KINDS
        },
        axis=1,
    )
    print(table.round(1).to_string())
    print("\nof the six shapes: the least share that holds, the median width")
    summary = {column: "min" if column[1].endswith("%") else "median" for column in table}
    print(table.groupby(["epsilon", "cap"]).agg(summary).round(1).to_string())


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50)
