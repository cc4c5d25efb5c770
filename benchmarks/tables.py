"""How often a table for an atlas misleads: its rows and bounds on invented surveys, held against the truth.

    python benchmarks/tables.py [tables] [--strategies flat,adaptive]      # 200 of each case take some three minutes

A survey has ten kinds on 200 cells each. Most cells are empty; a few hold many points, exponential with the stated mean. Each kind is
released with the vault's own noise of scale 4. Cells that were measured by themselves are the tests. Prints, averaged over the tables:

rows      how many a table has
false     share of its rows whose cell is truly empty; the rule's promise is at most .1
found     share of the cells that hold a record that have a row
missed    share of its rows whose bounds do not hold the true total; the promise is at most .1
wide      half the width of its bounds, in points, the mean

of four ways to choose rows and bounds:

ours      one step of Benjamini and Hochberg for the whole table, bounds widened for the choice (decision 048)
layers    the same step layer by layer, plain 90 % bounds: each map's own word
plain     rows as ours, but plain 90 % bounds
width     the rival that is to hand: a row where the noisy total is above the half-width of its noise's 90 % interval; that interval
floor     what only the truth can do: a row for each cell that holds a record, and plain 90 % bounds, which nothing chose
"""

import argparse

import numpy as np
import pandas as pd
from pictures import released

from dpmap.export.atlas.cell_selection import LEVEL, select_cells
from dpmap.export.atlas.layers import AtlasLayer
from dpmap.maps import read_map

KINDS, SHAPE, EPSILON = 10, (10, 20), "0.25"
SURVEYS = {"1 cell in 10, mean 400": (0.1, 400), "1 in 200, mean 400": (0.005, 400), "1 in 500, mean 400": (0.002, 400), "1 in 50, mean 40": (0.02, 40)}  # fmt: skip
WAYS = ("ours", "layers", "plain", "width", "floor")


def survey(dice, heavy, mean):
    """The true totals of each kind's cells."""
    totals = np.floor(dice.exponential(mean, (KINDS, *SHAPE)))
    return np.where(dice.random(totals.shape) < heavy, totals, 0.0)


def alone(record):
    """Which cells were measured by themselves."""
    return read_map(record).alone().ravel()


def above(record):
    """Which cells' noisy totals are above the half-width of a 90 % interval of the noise."""
    last = record.measurements[-1]
    return (last.values > np.log(10) * last.scales)[last.partition.labels].ravel()


def chosen(layers, truth, way):
    """The true totals and the bounds of the rows that a way gives a table: a line of each, over all layers."""
    if way in ("ours", "plain"):
        found = select_cells(layers)
    elif way == "layers":
        found = [select_cells([layer])[0] for layer in layers]
    rows = []
    for number, (layer, true) in enumerate(zip(layers, truth, strict=True)):
        low, high = (bound.ravel() for bound in layer.estimate.interval(LEVEL))
        true = true.ravel()
        named = {
            "width": alone(layer.record) & above(layer.record),
            "floor": alone(layer.record) & (true > 0),
        }
        cells = np.flatnonzero(named[way]) if way in named else found[number].cells
        bounds = (
            (found[number].low, found[number].high) if way == "ours" else (low[cells], high[cells])
        )
        rows.append(np.array([true[cells], *bounds]))
    return np.concatenate(rows, axis=1)


def judged(rows, truth):
    """The measures of one table."""
    true, low, high = rows
    some = max(1, len(true))
    return {
        "rows": len(true),
        "false": (true == 0).sum() / some,
        "found": (true > 0).sum() / max(1, (truth > 0).sum()),
        "missed": ((true < low) | (true > high)).sum() / some,
        "wide": ((high - low) / 2).mean() if len(true) else np.nan,
    }


def main(tables, strategies):
    for strategy in strategies:
        for name, (heavy, mean) in SURVEYS.items():
            dice, found = np.random.default_rng(48), []
            for _ in range(tables):
                truth = survey(dice, heavy, mean)
                made = [released(counts, EPSILON, strategy) for counts in truth]
                layers = [AtlasLayer(one.record, one.reading) for one in made]
                found += [{"way": way, **judged(chosen(layers, truth, way), truth)} for way in WAYS]
            print(f"\n{strategy}: {name}, {tables} tables")
            print(
                pd.DataFrame(found).groupby("way", sort=False).mean().round(3).to_string(),
                flush=True,
            )


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("tables", type=int, nargs="?", default=200)
    arguments.add_argument("--strategies", default="flat,adaptive")
    asked = arguments.parse_args()
    main(asked.tables, asked.strategies.split(","))
