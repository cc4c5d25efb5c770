"""Whether a plan comes true: what it promises of a map, beside what maps of land it was not tuned to then show.

    python benchmarks/plans.py [maps] [--public] [--raster]      # one map of each case: some four minutes

Cases: the shapes of `shapes.py` at four promises, and those of `unseen.py`; none is in the plan's library. With --public, also the
public arrays of `public_data.py`, and maps of its check-ins by user, capped. For each
promise and land it prints the promised range, how wide it is (high over low), and the share of the maps that lie within, told twice: by the
column for any shape, and by the column for land that lies alike. With --raster each case is planned from its own density instead: how far the
median of the maps is from what the plan says first. The rival is version 0.1: the share of the points in cells that would stand out, by the
noise of a cell measured by itself, beside the share in cells that its map showed.
"""

import argparse
from collections import defaultdict

import numpy as np
import pandas as pd
import unseen
from public_data import CAP, CHECK_IN_CASES, load_counts, sum_blocks, weigh_check_ins
from shapes import SHAPES

import dpmap as dm
from dpmap.inference import distinguishable
from dpmap.noise.distributions import LAWS
from dpmap.steward.planning import landscapes, predicted_map
from dpmap.steward.planning.planner import _densities
from dpmap.steward.planning.results import LANDS
from dpmap.steward.simulation import rehearse_map

PROMISES = ((32, 3_000, "1"), (64, 3_000, "0.3"), (64, 10_000, "1"), (64, 30_000, "1"))


def square(side):
    """A grid of so many cells of one square kilometre to a side."""
    return dm.Grid(bounds=(0, 0, side * 1000, side * 1000), shape=(side, side), crs="EPSG:3035")


def drawn(arrays):
    """Cases of invented land and public arrays: name, grid, policy, how the points lie, and what they are."""
    for side, points, epsilon in PROMISES:
        grid, policy = square(side), dm.Policy(epsilon=epsilon, unit="who", cap=1)
        lands = {name: shape() for name, shape in SHAPES.items()}
        for name, land in (lands | arrays).items():
            share = sum_blocks(land, side).ravel() / land.sum()
            truth = (
                np.random.default_rng(7)
                .multinomial(points, share)
                .reshape(side, side)
                .astype(float)
            )
            yield (
                f"{side} x {side}, {points} points, epsilon {epsilon}",
                name,
                grid,
                policy,
                share,
                truth,
            )


def unlike():
    """Cases of other invented land, on grids of other sizes."""
    for name, land, points, epsilon in unseen.cases():
        rows, columns = land.shape
        grid = dm.Grid(
            bounds=(0, 0, columns * 1000, rows * 1000), shape=land.shape, crs="EPSG:3035"
        )
        share = land.ravel() / land.sum()
        truth = (
            np.random.default_rng(7).multinomial(points, share).reshape(land.shape).astype(float)
        )
        policy = dm.Policy(epsilon=epsilon, unit="who", cap=1)
        yield (
            f"{rows} x {columns}, {points} points, epsilon {epsilon}",
            name,
            grid,
            policy,
            share,
            truth,
        )


def check_ins():
    """Cases of a public survey by its users, each scaled to the cap."""
    for (rows, columns), epsilon in CHECK_IN_CASES:
        grid, points, weight = weigh_check_ins((rows, columns))
        truth = np.bincount(grid.locate(*points), weight, grid.size).reshape(grid.shape)
        policy = dm.Policy(epsilon=epsilon, unit="who", cap=CAP)
        yield (
            f"check-ins {rows} x {columns}, epsilon {epsilon}",
            "check-ins",
            grid,
            policy,
            truth.ravel() / truth.sum(),
            truth,
        )


def got(name, grid, policy, share, truth):
    """One map's figures, and the share of its points in cells that version 0.1 would have shown."""
    reading = rehearse_map(truth, grid, policy, strategy="adaptive")
    lies = landscapes.gathered_share(share, grid.square_km[grid.inside])
    one = predicted_map.measure_map(name, lies, reading.patches(0.9), truth)
    seen = distinguishable(reading.reading)
    return one, float(truth[seen].sum() / truth.sum())


def stands_out(share, grid, policy, total):
    """What version 0.1 promised of one shape: the share of the points in cells that reach what can be told from noise."""
    law = LAWS[policy.noise](policy.scale * policy.lattice)
    return float(share[share * total >= law.detectable(0.9) / policy.lattice].sum())


def holds(value, one):
    """Whether a figure lies in a promised range; widths under 5 % are promised as such."""
    low = (
        np.inf if one.low is None else 0.0 if one.figure == "within" and one.low < 0.05 else one.low
    )
    high = np.inf if one.high is None else one.high
    return low * (1 - 1e-9) <= value <= high * (1 + 1e-9)


def ranges(cases, maps):
    """Prints promised beside got for every case, then the share that came true."""
    plans, rivals, kept, wide, misses = {}, {}, defaultdict(list), defaultdict(list), []
    rival = []
    for title, name, grid, policy, share, truth in cases:
        total = truth.sum()
        if title not in plans:
            found, _ = predicted_map.library(grid, policy, total)
            plans[title] = predicted_map.promised_ranges(found, grid)
            old = {
                key: density(grid)
                for key, density in _densities(None).items()
                if key in landscapes.SHAPES
            }
            rivals[title] = float(
                np.mean([stands_out(one, grid, policy, total) for one in old.values()])
            )
            for one in plans[title]:
                print(
                    f"{title:>40}  {one.land:<10}{one.figure:<10} {told(one.low):>8} to {told(one.high):>8}",
                    flush=True,
                )
                if one.low and one.high:
                    wide[one.land, one.figure].append(one.high / one.low)
        for _ in range(maps):
            one, seen = got(name, grid, policy, share, truth)
            rival.append((title, name, rivals[title], seen))
            for promise in plans[title]:
                least, most = LANDS[promise.land]
                if least <= one.gathered < most:
                    value = getattr(one, promise.figure)
                    kept[promise.land, promise.figure].append(holds(value, promise))
                    if not kept[promise.land, promise.figure][-1]:
                        misses.append((title, name, promise.land, promise.figure, told(value)))
    print("\nmissed:", *(" ".join(miss) for miss in misses), sep="\n  ")
    print(
        f"\n{'land':<12}{'figure':<12}{'held':>6}{'maps':>6}{'high / low':>12} (median of the promises)"
    )
    for (land, figure), found in kept.items():
        middle = np.median(wide[land, figure]) if wide[land, figure] else np.nan
        print(f"{land:<12}{figure:<12}{np.mean(found):>6.2f}{len(found):>6}{middle:>12.3g}")
    table = pd.DataFrame(rival, columns=["case", "land", "promised", "got"])
    near = (table.promised - table.got).abs() <= 0.2 * table.got
    print(
        f"\nversion 0.1: {near.mean():.0%} of {len(table)} maps within 20 % of the share it promised to stand out; by promise:"
    )
    print(
        table.groupby("case", sort=False)[["promised", "got"]]
        .agg({"promised": "mean", "got": ["min", "median", "max"]})
        .round(2)
        .to_string()
    )


def rasters(cases, maps):
    """Prints how far the median of some maps is from what a plan from the very density says first."""
    off = defaultdict(list)
    inside = defaultdict(list)
    for title, name, grid, policy, share, truth in cases:
        planned, _ = predicted_map.like(
            name, lambda _, share=share: share, grid, policy, truth.sum()
        )
        promise = {one.figure: one for one in predicted_map.promised_like(planned, grid)}
        found = [got(name, grid, policy, share, truth)[0] for _ in range(maps)]
        words = []
        for figure, one in promise.items():
            values = [getattr(each, figure) for each in found]
            middle, about = float(np.median(values)), np.inf if one.middle is None else one.middle
            same = np.isinf(middle) and np.isinf(about)
            off[figure].append(0.0 if same else abs(middle - about) / max(middle, 1e-9))
            inside[figure] += [holds(value, one) for value in values]
            words.append(f"{figure} {told(one.middle)} / {told(middle)}")
        print(f"{title:>40} {name:<14} {'; '.join(words)}", flush=True)
    print(f"\n{'figure':<12}{'within 20 %':>12}{'median off':>12}{'single maps in the range':>26}")
    for figure, found in off.items():
        print(
            f"{figure:<12}{np.mean(np.array(found) <= 0.2):>12.2f}{np.median(found):>12.3f}{np.mean(inside[figure]):>26.2f}"
        )


def told(value):
    """A number in words, or that none is."""
    return "none" if value is None or np.isinf(value) else f"{value:.3g}"


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("maps", type=int, nargs="?", default=1)
    arguments.add_argument("--public", action="store_true")
    arguments.add_argument("--raster", action="store_true")
    asked = arguments.parse_args()
    every = [
        *drawn(load_counts() if asked.public else {}),
        *unlike(),
        *(check_ins() if asked.public else ()),
    ]
    (rasters if asked.raster else ranges)(every, asked.maps)
