"""Whether what the program itself picks holds as chosen: hot spots of invented land, held against the truth.

    python benchmarks/chosen.py [releases] [--strategies adaptive,flat] [--arrays]      # 4 of each case take some three minutes

Each of the shapes of `shapes.py`, 64 x 64 cells, is released with the vault's own noise at three promises. Hot spots are sought above their
surroundings, and above four times the mean cell. With --arrays, the densities are those of the public arrays instead. Prints for each
strategy and question, over all clusters found:

maps      share of the maps that show any
clusters  how many a map shows
holds     share of the stated 90 % intervals that hold the cluster's true total; worst: of the shape where they do so least
top       the same of the strongest cluster of each map
bias      how far estimates lie above the truth, in half-widths; raw: what the noisy totals of the same clusters add up to
width     half-width over the truth, the median
false     share of the regions found that are not truly above what they are said to be above
"""

import argparse

import numpy as np
import pandas as pd
from pictures import PROMISES, SIDE, released
from public_data import load_counts, sum_blocks
from shapes import SHAPES

from dpmap.grid import Grid
from dpmap.grid.neighbours import Neighbours

GRID = Grid(bounds=(0, 0, SIDE * 1000, SIDE * 1000), shape=(SIDE, SIDE), crs="EPSG:3035")


def surroundings(counts):
    """What the land two to four cells away would give each cell."""
    around = Neighbours(GRID).around(np.arange(counts.size), 2, 4)
    return (np.where(around >= 0, counts.ravel()[around], 0).sum(1) / (around >= 0).sum(1)).reshape(
        counts.shape
    )


def judged(release, counts, threshold):
    """A row for each cluster of one release's hot spots."""
    found = release.hotspots(threshold)
    last = release.measurements[-1]
    region, labels = last.partition.labels, found.labels
    known = labels >= 0
    true = np.bincount(labels[known], counts[known], len(found))
    size = last.partition.sizes()
    raw = np.bincount(labels[known], (last.values / size)[region][known], len(found))
    base = threshold if threshold is not None else surroundings(counts)
    held, least = (
        last.partition.sums(part) for part in (counts, np.broadcast_to(base, counts.shape) * 1.0)
    )
    chosen = np.unique(region[known])
    half = np.maximum((found.high - found.low) / 2, 1e-9)
    return pd.DataFrame({
        "holds": (found.low <= true) & (true <= found.high), "bias": (found.estimate - true) / half, "raw": (raw - true) / half,
        "width": half / np.maximum(true, 1e-9), "top": np.arange(len(found)) == 0,
        "false": (held[chosen] <= least[chosen]).mean() if len(chosen) else np.nan,
    })  # fmt: skip


def densities(arrays):
    """The density of each cell of every shape, or of every public array."""
    found = load_counts() if arrays else {name: shape() for name, shape in SHAPES.items()}
    return {name: sum_blocks(counts, SIDE) for name, counts in found.items()}


def main(releases, strategies, arrays):
    rows, shapes = [], densities(arrays)
    for name, density in shapes.items():
        for points, epsilon in PROMISES:
            counts = (
                np.random.default_rng(7)
                .multinomial(points, (density / density.sum()).ravel())
                .reshape(SIDE, SIDE)
            )
            for strategy in strategies:
                for _ in range(releases):
                    release = released(counts.astype(float), epsilon, strategy)
                    for above in (None, 4 * points / counts.size):
                        what = {
                            "strategy": strategy,
                            "above": "threshold" if above else "surroundings",
                            "shape": name,
                        }
                        found = judged(release, counts, above)
                        rows.append(found.assign(**what) if len(found) else pd.DataFrame([what]))
    table, maps = pd.concat(rows, ignore_index=True), len(shapes) * len(PROMISES) * releases
    for what, part in table.groupby(["strategy", "above"], sort=False):
        found = part[part["holds"].notna()]
        worst = found.groupby("shape")["holds"].agg(["mean", "size"]).query("size >= 20")["mean"]
        top = found[found["top"].astype(bool)]
        line = {
            "maps": len(top) / maps, "clusters": len(found) / maps, "holds": found["holds"].mean(), "worst": worst.min(), "top": top["holds"].mean(),
            "bias": found["bias"].mean(), "raw": found["raw"].mean(), "width": found["width"].median(), "false": top["false"].mean(),
        }  # fmt: skip
        print(
            *what,
            {key: round(float(value), 3) for key, value in line.items()},
            worst.idxmin() if len(worst) else "",
        )


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("releases", type=int, nargs="?", default=4)
    arguments.add_argument("--strategies", default="adaptive,flat")
    arguments.add_argument("--arrays", action="store_true")
    asked = arguments.parse_args()
    main(asked.releases, asked.strategies.split(","), asked.arrays)
