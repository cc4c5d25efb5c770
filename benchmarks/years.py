"""Whether earlier seasons and public priors help a map, and cost next to nothing where they are wrong: public arrays, and New York by quarter.

    python benchmarks/years.py [--only stack jump drift nyc priors] [--runs 3] [--out rows.csv]

Errors are those of map_errors.py.

stack     three earlier releases of equal epsilon over a shape that stays, each season a fresh draw of it
jump      the same, and the newest season is a draw of another array
drift     the same, and the shape moves a cell and a half a season while one place grows and one empties: invented
nyc       New York by quarter, at most 5 points a user and quarter
priors    one release with a prior: its own shape smoothed by 3 cells; by 12 cells and mixed half with an even one; and a wrong one, another array
          turned by 90 degrees

Every number is an error of the newest map over that of its own release alone (without prior): below 1 it helps. `ours` is dpmap; `blend` is half
itself and half the mean of the earlier maps (half the prior); `average` is the mean of all seasons' maps; `floor` is the best of all such blends,
chosen with hindsight for each error. `again`, beside priors, is another map without prior: how far it lies from 1 is the draws' own noise, in the worst
case above all. `hold` are the shares of the stated 90 % intervals that hold, of cells and, with priors and without, of places that are told and of
rectangles laid at random. Asked stands beside.
"""

import argparse
import pathlib

import numpy as np
import pandas as pd
from map_errors import METRICS, draw_rectangles, measure_errors
from public_data import EAST, NORTH, SOUTH, WEST, load_check_ins, load_counts, sum_blocks
from scipy.ndimage import gaussian_filter, shift
from utility import geometric

import dpmap as dm
from dpmap.inference.pool_seasons import pool_estimates
from dpmap.maps import read_measurements
from dpmap.strategies import find_strategy
from dpmap.vault.session import Session

SIDE, EARLIER, LEVEL = 128, 3, 0.9
ZONES, NEAR = 30, 1e-6
GRID = dm.Grid(bounds=(0, 0, SIDE, SIDE), shape=(SIDE, SIDE), crs="EPSG:3857")
CASES = ((3_000, 0.1), (10_000, 0.1), (10_000, 1.0))
ASKED = {
    "stack": "300 and 1,000: .75; 10,000: .95", "jump": "1.03", "drift": "-", "nyc": "-", "smoothed by 3": "300 and 1,000: .75",
    "by 12, half even": "300 and 1,000: .90", "wrong": "1.03, worst 1.10",
}  # fmt: skip
USER_CAP, NYC_EPSILONS = 5, (0.1, 0.5)
KEY = ["case", "array", "n_eps"]


def drawn(shape, n, dice):
    """A season: n rows, each where the shape has them."""
    return dice.multinomial(n, shape.ravel()).reshape(shape.shape).astype(float)


def measured(counts, epsilon, cap=1):
    """What one release of these public counts measures, with the vault's own noise."""
    policy = dm.Policy(epsilon=str(epsilon), unit="who", cap=cap)
    session = Session(counts, GRID, policy.measuring, policy.cap, policy.lattice)
    find_strategy("adaptive")(session)
    return session.made


def best_blend(truth, own, other, rectangles):
    """Each error of the blend of two maps for which it is smallest: a floor that nobody can know."""
    scaled = other * own.sum() / max(other.sum(), 1e-300)
    rows = [
        measure_errors(truth, (1 - w) * own + w * scaled, rectangles) for w in np.linspace(0, 1, 11)
    ]
    return {name: min(row[name] for row in rows) for name in METRICS}


def compared(rectangles, truth, alone, better, holds, **blends):
    """A row for each way: its four errors; and whether intervals hold, of each way that `holds` tells of."""
    found = {"alone": alone, "ours": better, **{name: blend for name, (blend, _) in blends.items()}}
    rows = [
        {"way": way, **measure_errors(truth, values, rectangles)} for way, values in found.items()
    ]
    rows = [{**row, **holds.get(row["way"], {})} for row in rows]
    other = next(iter(blends.values()))[1]
    return [*rows, {"way": "floor", **best_blend(truth, alone, other, rectangles)}]


def held(reading, truth):
    """The share of the cells whose interval holds."""
    low, high = reading.interval(LEVEL)
    return float(((low <= truth) & (truth <= high)).mean())


def standing(told, truth, dice):
    """The shares of a map's intervals that hold: of cells, of places that are told, and of rectangles laid at random."""
    parted, corners = told.patches(LEVEL), dice.integers(0, SIDE - 18, (ZONES, 2))
    totals = np.bincount(parted.place.ravel(), weights=truth.ravel(), minlength=len(parted))
    places = ((parted.low <= totals + NEAR) & (totals <= parted.high + NEAR))[parted.told]
    zones = []
    for (top, left), (high, wide) in zip(corners, dice.integers(1, 40, (ZONES, 2)), strict=True):
        zone = np.zeros(truth.shape, dtype=bool)
        zone[top : top + high, left : left + wide] = True
        low, most = told.zones.answer(np.flatnonzero(zone), np.ones(int(zone.sum())), LEVEL)[1:]
        zones.append(low - NEAR <= truth[zone].sum() <= most + NEAR)
    return {
        "cells": held(told.reading, truth), "places": places.mean() if len(places) else np.nan, "zones": np.mean(zones)
    }  # fmt: skip


def seasoned(rectangles, seasons, epsilon, cap=1):
    """The errors of the newest of these seasons by each way."""
    told = [measured(one, epsilon, cap) for one in seasons]
    readings = [read_measurements(GRID, one).reading for one in told]
    alone = [one.values for one in readings]
    ours, before = pool_estimates(GRID, told, readings)[-1], np.mean(alone[:-1], axis=0)
    half = (alone[-1] + before * alone[-1].sum() / max(before.sum(), 1e-300)) / 2
    return compared(
        rectangles, seasons[-1], alone[-1], ours.values, {"ours": {"cells": held(ours, seasons[-1])}},
        blend=(half, before), average=(np.mean(alone, axis=0), before),
    )  # fmt: skip


def primed(rectangles, truth, prior, epsilon, dice):
    """The errors of one map by each way, with the prior and without."""
    from dpmap.promise.policy import Policy
    from dpmap.record import Prior
    from dpmap.steward.simulation import rehearse_map

    policy = Policy(epsilon=str(epsilon), unit="row", cap=1)
    laid = [Prior.of_array(prior, prior.shape)]
    without, again = (rehearse_map(truth, GRID, policy, strategy="adaptive") for _ in "ab")
    ours, alone = (
        rehearse_map(truth, GRID, policy, strategy="adaptive", priors=laid),
        without.reading.values,
    )
    half = (alone + prior * alone.sum() / prior.sum()) / 2
    holds = {"ours": standing(ours, truth, dice), "again": standing(again, truth, dice)}
    return compared(
        rectangles,
        truth,
        alone,
        ours.reading.values,
        holds,
        blend=(half, prior),
        again=(again.reading.values, None),
    )


def drifting(shape, season):
    """The invented drift of a shape: it moves down and to the right, one place grows, and its densest one empties."""
    moved = np.maximum(shift(shape, (0.75 * season, 1.5 * season), order=1, mode="nearest"), 0)
    rows, columns = np.indices(shape.shape)
    grown = np.exp(-((rows - 90) ** 2 + (columns - 30) ** 2) / 50)
    top, left = np.unravel_index(gaussian_filter(moved, 3).argmax(), shape.shape)
    emptied = np.exp(-((rows - top) ** 2 + (columns - left) ** 2) / 50)
    found = (
        moved * (1 - 0.25 * season * emptied) + 0.04 * season * grown / grown.sum() * moved.sum()
    )
    return found / found.sum()


def priors_of(shape, other):
    """The priors that are asked about."""
    return {
        "smoothed by 3": gaussian_filter(shape, 3),
        "by 12, half even": gaussian_filter(shape, 12) / 2 + shape.mean() / 2,
        "wrong": np.rot90(other),
    }


def quarters():
    """New York's capped totals of each whole quarter: a user's rows count together for at most five."""
    table = load_check_ins()
    table["row"] = np.floor((NORTH - table.y) / (NORTH - SOUTH) * SIDE).astype(int)
    table["column"] = np.floor((table.x - WEST) / (EAST - WEST) * SIDE).astype(int)
    rows_of_user = table.groupby(["quarter", "user"]).x.transform("size")
    table["weight"] = np.minimum(1, USER_CAP / rows_of_user)
    found = {}
    for quarter, rows in table.groupby("quarter"):
        counts = np.zeros((SIDE, SIDE))
        np.add.at(counts, (rows.row.to_numpy(), rows.column.to_numpy()), rows.weight.to_numpy())
        found[str(quarter)] = counts
    return list(found.values())[1:-1]  # the first and the last are cut


def cases(given, rectangles):
    """Yields the rows of every case that was asked for."""
    shapes = {name: sum_blocks(counts, SIDE) for name, counts in load_counts().items()}
    shapes = {name: counts / counts.sum() for name, counts in shapes.items()}
    following = dict(zip(shapes, [*list(shapes)[1:], *list(shapes)[:1]], strict=True))
    for name, shape in shapes.items() if set(given.only) - {"nyc"} else ():
        for n, epsilon in CASES:
            for run in range(given.runs):
                dice = np.random.default_rng([7, run, n])
                where = dict(array=name, n_eps=round(n * epsilon), run=run)
                still = [drawn(shape, n, dice) for _ in range(EARLIER + 1)]
                newest = drawn(shapes[following[name]], n, dice)
                moving = [drawn(drifting(shape, at), n, dice) for at in range(EARLIER + 1)]
                for case, seasons in {
                    "stack": still,
                    "jump": [*still[:-1], newest],
                    "drift": moving,
                }.items():
                    if case in given.only:
                        yield from (
                            {"case": case, **where, **row}
                            for row in seasoned(rectangles, seasons, epsilon)
                        )
                if "priors" in given.only:
                    for case, prior in priors_of(shape, shapes[following[name]]).items():
                        rows = primed(rectangles, still[-1], prior, epsilon, dice)
                        yield from ({"case": case, **where, **row} for row in rows)
    if "nyc" in given.only:
        seasons = quarters()[-EARLIER - 1 :]
        for epsilon in NYC_EPSILONS:
            for run in range(given.runs):
                where = dict(
                    case="nyc",
                    array="NYC",
                    n_eps=round(seasons[-1].sum() * epsilon / USER_CAP),
                    run=run,
                )
                yield from (
                    {**where, **row} for row in seasoned(rectangles, seasons, epsilon, USER_CAP)
                )


def report(rows, metrics):
    """Each case: by n epsilon and way the four errors over those of the release alone, and the worst array."""
    means = rows.groupby([*KEY, "way"], sort=False)[metrics].mean()
    alone = means.xs("alone", level="way")
    ratio = means.drop("alone", level="way")
    ratio = ratio / alone.reindex(ratio.index.droplevel("way")).to_numpy()
    holds = rows.groupby(["case", "n_eps", "way"])[
        rows.columns.intersection(["cells", "places", "zones"])
    ].mean()
    for case in dict.fromkeys(rows.case):
        print(f"\n{case}: asked {ASKED[case]}")
        for n_eps, mine in ratio.loc[case].groupby("n_eps", sort=False):
            for way, of_way in mine.groupby("way", sort=False):
                told = {name: geometric(of_way[name]) for name in metrics}
                words = "   ".join(f"{name} {value:5.2f}" for name, value in told.items())
                more = f"   all four {geometric(pd.Series(told)):.3f}   worst {of_way.to_numpy().max():.2f}"
                stated = holds.loc[case, n_eps, way].dropna()
                more += "".join(f"   {what} hold {share:.3f}" for what, share in stated.items())
                print(f"  n epsilon {n_eps:6,}   {way:8}  {words}{more}")


def main():
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", nargs="+", default=["stack", "jump", "drift", "nyc", "priors"])
    parser.add_argument("--runs", default=3, type=int)
    parser.add_argument("--out", type=pathlib.Path)
    given = parser.parse_args()
    rows = pd.DataFrame(cases(given, draw_rectangles()))
    if given.out:
        rows.to_csv(given.out, index=False)
    report(rows, list(METRICS))


if __name__ == "__main__":
    main()
