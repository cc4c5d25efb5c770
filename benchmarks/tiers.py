"""How near each tier of one draw comes to a release of its own at the same epsilon, and what both cost.

    python benchmarks/tiers.py [--tiers 0.3,1,3] [--maps 10]

Each of the public arrays is drawn at 3,000 to 100,000 records, 128 x 128 cells, and released once
for all tiers (the regions chosen from the noisiest tier's answers alone), and once for each tier by itself, at the same epsilon. Prints for
each tier the error of its map over that of its own release: range queries, 1 - overlap, earth mover, KL; the geometric mean over all cases
and the worst case. The floor is a tier of its own (1.00), which costs the sum of all epsilons, where one draw costs the largest.
"""

import argparse
from fractions import Fraction

import numpy as np
import pandas as pd
from map_errors import METRICS, draw_rectangles, draw_truth, measure_errors
from public_data import load_counts

from dpmap.grid import Grid
from dpmap.maps import infer
from dpmap.strategies.adaptive import adaptive
from dpmap.vault.session import Session

SIZES, LATTICE = (3_000, 10_000, 100_000), 1 << 32
GRID = Grid(bounds=(0, 0, 128, 128), shape=(128, 128), crs="EPSG:3857")


def maps(counts, epsilons):
    """One draw's maps, the noisiest first."""
    *noisier, most = epsilons
    session = Session(counts, GRID, most, 1, LATTICE, noisier=noisier)
    adaptive(session)
    return [infer(GRID, made).values for made in session.made_for]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tiers", default="0.3,1,3")
    parser.add_argument("--maps", type=int, default=10)
    options = parser.parse_args()
    epsilons = [Fraction(part) for part in options.tiers.split(",")]
    rectangles, rows = draw_rectangles(), []
    for array, shape in load_counts().items():
        for points in SIZES:
            for seed in range(options.maps):
                counts = draw_truth(shape, points, seed)
                together, alone = (
                    maps(counts, epsilons),
                    [maps(counts, [epsilon])[0] for epsilon in epsilons],
                )
                for epsilon, one, own in zip(epsilons, together, alone, strict=True):
                    for how, found in (("tier", one), ("own", own)):
                        case = {
                            "array": array,
                            "points": points,
                            "tier": float(epsilon),
                            "how": how,
                        }
                        rows.append({**case, **measure_errors(counts, found, rectangles)})
    errors = pd.DataFrame(rows).groupby(["tier", "array", "points", "how"]).mean().unstack("how")
    over = pd.DataFrame({name: errors[name]["tier"] / errors[name]["own"] for name in METRICS})
    print("errors of a tier of one draw over those of a release of its own")
    for tier, found in over.groupby("tier"):
        mean, worst = np.exp(np.log(found).mean()), found.max()
        print(
            f"epsilon {tier:g}: "
            + "  ".join(f"{name} {mean[name]:.2f} (worst {worst[name]:.2f})" for name in METRICS)
        )
    print(
        f"cost: {float(epsilons[-1]):g} for all tiers of one draw, {float(sum(epsilons)):g} for releases of their own"
    )


if __name__ == "__main__":
    main()
