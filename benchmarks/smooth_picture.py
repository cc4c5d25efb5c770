"""Holds the smooth picture (`show="belief"`) and the picture of places against known truth.

    python benchmarks/smooth_picture.py [REPETITIONS]

Surveys of invented land of 40 x 40 cells are released at epsilon 0.5, each row its own unit. For each
kind of land and number of points it prints, as means over the repetitions:

- `error`: how much of what is there lies elsewhere on the map, as a share;
- `invented`: areas that stand out to twice what lies around and hold less than half of that;
- `off`: the share of the land, without stripes or hatching, whose colour is two classes off or more,
  and `striped`: the same of land with stripes.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.ndimage import label, uniform_filter

import dpmap as dm
from dpmap.render.colouring import View, paint

SIDE = 40
KINDS = ("flat", "slope", "town", "towns", "empty half")
POINTS = (2_000, 12_000)


def invent_land(kind, seed):
    """Return the expected points of each cell, as shares."""
    dice = np.random.default_rng(seed)
    y, x = np.mgrid[:SIDE, :SIDE]
    if kind == "slope":
        land = 0.1 + 3 * (x / SIDE) ** 2
    elif kind == "town":
        land = 0.2 + 60 * np.exp(-((y - 12) ** 2 + (x - 25) ** 2) / 4.5)
    elif kind == "towns":
        land = np.full((SIDE, SIDE), 0.15)
        for _ in range(7):
            row, column = dice.uniform(3, SIDE - 3, 2)
            wide = dice.uniform(0.6, 4)
            near = np.exp(-((y - row) ** 2 + (x - column) ** 2) / (2 * wide**2))
            land = land + dice.lognormal(2, 1) * near
    elif kind == "empty half":
        land = np.where(x < SIDE / 2, 0.0, 2.0)
    else:
        land = np.ones((SIDE, SIDE))
    return land / land.sum()


def release(cells, dice, folder, name):
    """Release points that lie in these cells."""
    row, column = np.divmod(cells, SIDE)
    frame = pd.DataFrame(
        {
            "who": [f"u{number}" for number in range(len(cells))],
            "x": (column + dice.random(len(cells))) * 1000,
            "y": (SIDE - 1 - row + dice.random(len(cells))) * 1000,
        }
    )
    frame.to_csv(folder / f"{name}.csv", index=False)
    grid = dm.Grid(bounds=(0, 0, SIDE * 1000, SIDE * 1000), shape=(SIDE, SIDE), crs="EPSG:3035")
    survey = dm.read(folder / f"{name}.csv", unit="who", x="x", y="y", crs="EPSG:3035")
    policy = dm.Policy(epsilon="0.5", unit="who", cap=1)
    return dm.release(
        survey, grid, policy, ledger=folder / f"{name}.ledger", dataset="Invented", budget="9"
    )


def count_invented(density, truth):
    """Count the areas that stand out without cause."""
    stands_out = (density > 2 * density.mean()) & (density > 2 * uniform_filter(density, 11))
    areas, count = label(stands_out)
    around = uniform_filter(truth, 3)
    return sum(
        around[areas == number].max() < 0.5 * density[areas == number].mean()
        for number in range(1, count + 1)
    )


def measure(released, expected, counted):
    """Return the measures of both pictures."""
    measures = {}
    for show, name in (("patches", "places"), ("belief", "smooth")):
        painting = paint(released.record, released.reading, View(show=show))
        density = painting.values.reshape(SIDE, SIDE)
        truth = np.maximum(expected, uniform_filter(counted, 3))
        edges = painting.edges[1:-1]
        classes = [
            np.searchsorted(edges, values.ravel(), side="right")
            for values in (density, uniform_filter(expected, 3))
        ]
        far_off = np.abs(classes[0] - classes[1]) >= 2
        marked = painting.unsure if painting.vague is None else painting.vague
        measures[f"error, {name}"] = np.abs(density - expected).sum() / expected.sum()
        measures[f"invented, {name}"] = count_invented(density, truth)
        measures[f"off, {name}"] = far_off[~marked].mean()
        if show == "belief":
            measures["striped"] = far_off[marked].mean() if marked.any() else np.nan
    return measures


if __name__ == "__main__":
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            for points in POINTS:
                for seed in range(repetitions):
                    dice = np.random.default_rng(seed)
                    shares = invent_land(kind, seed)
                    cells = dice.choice(SIDE**2, points, p=shares.ravel())
                    counted = np.bincount(cells, minlength=SIDE**2).reshape(SIDE, SIDE)
                    released = release(cells, dice, Path(folder), f"{len(rows)}")
                    found = measure(released, shares * points, counted.astype(float))
                    rows.append({"land": kind, "points": points, **found})
    means = pd.DataFrame(rows).groupby(["land", "points"], sort=False).mean()
    print(means.round(2).to_string())
