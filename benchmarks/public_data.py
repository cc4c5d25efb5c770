"""Public counts and check-ins by user, which the benchmarks measure maps of; `data/README.md` says where they are from."""

from pathlib import Path

import numpy as np
import pandas as pd

import dpmap as dm

DATA = Path(__file__).parent / "data"
PUBLISHED_ERRORS = DATA / "published_errors.csv"
WEST, SOUTH, EAST, NORTH = NEW_YORK = (-74.26, 40.48, -73.70, 40.92)
STEP = 1e-4
CAP = 20
CHECK_IN_CASES = (((98, 94), "1"), ((49, 47), "0.3"))
"""Grids (500 m and 1 km) and epsilons at which maps of the check-ins are measured."""


def load_counts():
    """Return the public arrays of 256 x 256 counts by name."""
    with np.load(DATA / "counts.npz") as arrays:
        return {name: arrays[name].astype(float) for name in arrays.files}


def sum_blocks(counts, side):
    """Return an array's totals on a grid of so many cells to a side."""
    rows, columns = counts.shape
    return counts.reshape(side, rows // side, side, columns // side).sum((1, 3))


def load_check_ins():
    """Return New York's check-ins: user, quarter, longitude x and latitude y."""
    with np.load(DATA / "check_ins.npz") as arrays:
        rows_of_user = arrays["rows_of_user"]
        return pd.DataFrame(
            {
                "user": np.repeat(np.arange(len(rows_of_user)), rows_of_user),
                "quarter": pd.PeriodIndex.from_ordinals(
                    pd.Period("2009Q1").ordinal + arrays["quarter"].astype(int), freq="Q"
                ),
                "x": WEST + (arrays["east"] + 0.5) * STEP,
                "y": SOUTH + (arrays["north"] + 0.5) * STEP,
            }
        )


def weigh_check_ins(shape, cap=CAP):
    """Return the grid over New York, each check-in's x and y, and its weight: a user's rows add up to the cap at most."""
    table = load_check_ins()
    weight = np.minimum(1, cap / table.groupby("user").x.transform("size"))
    grid = dm.Grid(bounds=NEW_YORK, shape=shape, crs="EPSG:4326")
    return grid, (table.x.to_numpy(), table.y.to_numpy()), weight.to_numpy()
