"""How often the 90 % intervals of each strategy hold, and how wide they are beside flat's.

    python benchmarks/intervals.py [releases]        # 200; 2,000 takes some minutes

Each strategy releases six public shapes of land, 4,000 points on 64 x 64 cells, over and over with the vault's own noise.
Prints, separately for empty cells, occupied cells, the heaviest 1 % and random zones, the share of intervals that hold
the true total and their mean width; "hold 88 %" of flat and "89 %" of every other strategy is the promise.
"""

import sys
from fractions import Fraction
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "strategies"))
from test_adaptive import shapes_of_land  # noqa: E402

from dpmap.grid import Grid  # noqa: E402
from dpmap.inference import infer  # noqa: E402
from dpmap.strategies import STRATEGIES, named  # noqa: E402
from dpmap.vault.session import Session  # noqa: E402

LATTICE = 1 << 20


def judged(counts, reading, zones):
    """(holds, width) of each interval, by what it is of."""
    low, high = reading.interval(0.9)
    kinds = {
        "empty": counts == 0,
        "occupied": counts > 0,
        "heaviest 1 %": counts >= np.sort(counts.ravel())[-counts.size // 100],
    }
    found = {kind: ((low <= counts) & (counts <= high))[cells] for kind, cells in kinds.items()}
    widths = {kind: (high - low)[cells] for kind, cells in kinds.items()}
    bounds = [(counts[zone].sum(), *reading.zone(zone, zone, 0.9)[1:]) for zone in zones]
    found["zones"] = np.array([least <= total <= most for total, least, most in bounds])
    widths["zones"] = np.array([most - least for _, least, most in bounds])
    return found, widths


def main(releases):
    print(
        f"{'epsilon':>7} {'cap':>4}  {'strategy':10}"
        + "".join(f"{kind:>22}" for kind in ("empty", "occupied", "heaviest 1 %", "zones"))
    )
    for epsilon, cap in (("0.1", 1), ("1", 1), ("1", 8)):
        for strategy in sorted(STRATEGIES, reverse=True):
            holds, widths = {}, {}
            for shape, counts in enumerate(shapes_of_land()):
                counts, dice = counts.astype(float), np.random.default_rng(shape)
                grid = Grid(bounds=(0, 0, 64, 64), shape=(64, 64), crs="EPSG:3857")
                for _ in range(-(-releases // 6)):
                    session = Session.public(counts, grid, Fraction(epsilon), cap, LATTICE)
                    named(strategy)(session)
                    zones = []
                    for _ in range(5):
                        (top, left), (high, wide) = dice.integers(0, 48, 2), dice.integers(1, 16, 2)
                        zone = np.zeros(counts.shape, dtype=bool)
                        zone[top : top + high, left : left + wide] = True
                        zones.append(zone)
                    found, wide = judged(counts, infer(grid, session.made), zones)
                    for kind in found:
                        holds.setdefault(kind, []).append(found[kind])
                        widths.setdefault(kind, []).append(wide[kind])
            cells = [
                f"{100 * np.concatenate(holds[kind]).mean():9.2f} % {np.concatenate(widths[kind]).mean():10.2f}"
                for kind in holds
            ]
            print(f"{epsilon:>7} {cap:>4}  {strategy:10}" + "".join(cells), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
