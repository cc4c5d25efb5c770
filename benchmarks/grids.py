"""Whole maps of public arrays on ever larger grids: time and peak memory of whole processes, beside the floor, in one run.

    python benchmarks/grids.py [--sides 128 1024 4096] [--runs 5] [--epsilon 1] [--lands towns even dense thin]
                               [--masks round ragged islands strip blocks]

Ours is `dm.simulate(counts, epsilon=...)`: the default strategy's measurements with exact noise from the system's entropy, and the
estimate, but no picture. The floor is what somebody writes by hand in numpy: an independent Laplace draw of floats for every node of a quadtree
of the same depth, each level at an equal share of epsilon, made consistent by least squares (Hay and others 2010) and clamped at 0; it
adapts to nothing. `towns` are 3 million points (of 4096 x 4096 cells, on other grids as many to a cell) about 200 places, `even` as many
everywhere alike, `dense` six to a cell, `thin` 200,000 points about 200 places, so that most land is measured in large regions and what
is believed of all land is found too. With `--masks` the same land is mapped within areas that fill a part of the grid as well: ours masked takes turns
with ours unmasked and the floor, which knows no mask and takes what lies outside as empty. Every run is a process of its own, which loads the array from a file; from the call to its end are the
seconds, of wall time and of CPU, the best and the median of the runs; megabytes are the process's own peak, array and libraries included, beside
what it held before the call.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

POINTS, SIDE = 3_000_000, 4096


def towns(side, random, points=POINTS):
    """Points about 200 places of very different sizes."""
    share, points = random.pareto(1, 200) + 0.1, points * side**2 // SIDE**2
    counts = np.zeros((side, side))
    for many, middle in zip(
        random.multinomial(points, share / share.sum()), random.random((200, 2)), strict=True
    ):
        rows, columns = (
            np.floor(random.normal(middle * side, (0.2 + random.random()) * side / 30, (many, 2)))
            .astype(int)
            .T
        )
        held = (rows >= 0) & (rows < side) & (columns >= 0) & (columns < side)
        np.add.at(counts, (rows[held], columns[held]), 1)
    return counts


LANDS = {
    "towns": towns,
    "even": lambda side, random: random.poisson(POINTS / SIDE**2, (side, side)).astype(float),
    "dense": lambda side, random: random.poisson(6, (side, side)).astype(float),
    "thin": lambda side, random: towns(side, random, 200_000),
}


def ragged(side):
    """Land below a coast with bays of every size."""
    column, coast = np.arange(side) / side, np.full(side, 0.4)
    for wave in (3, 7, 17, 41, 97, 211):
        coast += 0.3 / wave * np.sin(2 * np.pi * wave * column + wave)
    return np.arange(side)[:, None] / side > coast


def islands(side):
    """A thousand round islands, many of which meet."""
    random, inside = np.random.default_rng(2), np.zeros((side, side), dtype=bool)
    row, column = np.ogrid[:side, :side]
    for down, across, reach in zip(
        *random.integers(0, side, (2, 1000)), side / 100 * (0.2 + random.random(1000)), strict=True
    ):
        part = tuple(slice(max(0, int(at - reach)), int(at + reach) + 2) for at in (down, across))
        near = (row[part[0]] - down) ** 2 + (column[:, part[1]] - across) ** 2 < reach**2
        inside[part] |= near
    return inside


MASKS = {
    "round": lambda side: (
        np.add.outer(*[(np.arange(side) - side / 2 + 0.5) ** 2] * 2) < (side / 2) ** 2
    ),
    "ragged": ragged,
    "islands": islands,
    "strip": lambda side: (
        np.abs(np.subtract.outer(np.arange(side), np.arange(side))) < max(2, side // 50)
    ),
    "blocks": lambda side: np.add.outer(*[np.arange(side) // max(1, side // 64)] * 2) % 2 == 0,
}


def ours(counts, epsilon, mask=None):
    """The default strategy and its estimate."""
    import dpmap as dm

    if mask is None:
        return dm.simulate(counts, epsilon=epsilon)
    # what simulate does, on a grid with a mask
    from dpmap.steward.simulation import rehearse

    grid = dm.Grid(
        bounds=(0, 0, *counts.shape[::-1]), shape=counts.shape, crs="EPSG:3857", mask=mask
    )
    policy = dm.Policy(epsilon=epsilon, unit="row", cap=1)
    return rehearse(counts, grid, policy, strategy="adaptive")


def floor(counts, epsilon, mask=None):
    """A quadtree of every level, made consistent: bottom up by weighted means, then top down."""
    random, levels = np.random.default_rng(), [counts]
    while levels[-1].shape[0] > 1:
        levels.append(_pooled(levels[-1]))
    scale = len(levels) / epsilon
    means = [level + random.laplace(0, scale, level.shape) for level in levels]
    for height in range(1, len(levels)):
        own = (4 ** (height + 1) - 4**height) / (4 ** (height + 1) - 1)
        means[height] = own * means[height] + (1 - own) * _pooled(means[height - 1])
    for height in range(len(levels) - 1, 0, -1):
        missing = (means[height] - _pooled(means[height - 1])) / 4
        means[height - 1] += np.repeat(np.repeat(missing, 2, 0), 2, 1)
    return np.maximum(means[0], 0.0)


def _pooled(cells):
    """Sums of two by two cells."""
    return cells[0::2, 0::2] + cells[0::2, 1::2] + cells[1::2, 0::2] + cells[1::2, 1::2]


def one(who, path, epsilon, mask_name):
    """Makes one map, and prints seconds, CPU seconds, and megabytes before and at most."""
    if who != "floor":
        ours(np.ones((20, 20)), epsilon)  # what is imported once a process
    counts, mask = np.load(path), None
    if who != "ours" and mask_name:
        mask = MASKS[mask_name](len(counts))
        counts[~mask] = 0
    before, cpu, begun = _held("VmRSS"), time.process_time(), time.perf_counter()
    (floor if who == "floor" else ours)(counts, epsilon, mask)
    print(time.perf_counter() - begun, time.process_time() - cpu, before, _held("VmHWM"))


def _held(what):
    """This process's memory in megabytes, as the kernel tells it."""
    return (
        int(re.search(rf"{what}:\s+(\d+)", Path("/proc/self/status").read_text())[1]) * 1024 / 1e6
    )


def report(name, path, epsilon, runs, mask_name=""):
    """All in turn, so often."""
    found = {"floor": [], "ours": []}
    if mask_name:
        found["masked"] = []
    for _ in range(runs):
        for who, told in found.items():
            command = [
                sys.executable,
                __file__,
                "--one",
                who,
                "--array",
                str(path),
                "--epsilon",
                str(epsilon),
                *(["--masks", mask_name] if mask_name else []),
            ]
            told.append(
                [float(part) for part in subprocess.check_output(command, text=True).split()]
            )
    print(f"{name}, epsilon {epsilon:g}")
    for who, told in found.items():
        seconds, cpu, before, most = (list(part) for part in zip(*told, strict=True))
        dearer = statistics.median(
            mine / least[1] for mine, least in zip(cpu, found["floor"], strict=True)
        )
        print(
            f"  {who:6} {min(seconds):7.3f} s best {statistics.median(seconds):7.3f} s median   CPU {min(cpu):7.3f} s best "
            f"{statistics.median(cpu):7.3f} s median ({dearer:5.2f} x floor)   {max(most):6.0f} MB ({max(before):4.0f} MB before)",
            flush=True,
        )
    if mask_name:
        cpu, most = (
            statistics.median(
                run[at] / whole[at]
                for run, whole in zip(found["masked"], found["ours"], strict=True)
            )
            for at in (1, 3)
        )
        print(
            f"  masked beside unmasked: {cpu:.2f} x CPU, {most:.2f} x memory (target 2)", flush=True
        )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sides", type=int, nargs="+", default=[128, 1024, 4096])
    parser.add_argument("--lands", nargs="+", choices=LANDS, default=["towns", "even", "dense"])
    parser.add_argument("--masks", nargs="+", choices=MASKS, default=[])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--epsilon", type=float, default=1.0)
    parser.add_argument("--one", choices=["ours", "floor", "masked"], help=argparse.SUPPRESS)
    parser.add_argument("--array", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        one(given.one, given.array, given.epsilon, *(given.masks or [""]))
        return
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as folder:
        for side in given.sides:
            for land in given.lands:
                path = Path(folder) / "counts.npy"
                np.save(path, LANDS[land](side, np.random.default_rng(1)))
                for mask_name in given.masks or [""]:
                    report(
                        f"{side:,} x {side:,} cells, {land}{mask_name and f', {mask_name}'}",
                        path,
                        given.epsilon,
                        given.runs,
                        mask_name,
                    )


if __name__ == "__main__":
    main()
