"""Whole maps of public arrays on ever larger grids: time and peak memory of whole processes, beside the floor, in one run.

    python benchmarks/grids.py [--sides 128 1024 4096] [--runs 5] [--epsilon 1] [--lands towns even dense]

Ours is `dm.simulate(counts, epsilon=...)`: the default strategy's measurements with exact noise from the system's entropy, and the
estimate, but no picture. The floor is what somebody writes by hand in numpy: an independent Laplace draw of floats for every node of a quadtree
of the same depth, each level at an equal share of epsilon, made consistent by least squares (Hay and others 2010) and clamped at 0; it
adapts to nothing. `towns` are 3 million points (of 4096 x 4096 cells, on other grids as many to a cell) about 200 places, `even` as many
everywhere alike, `dense` six to a cell. Every run is a process of its own, which loads the array from a file; from the call to its end are the
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


def towns(side, random):
    """Points about 200 places of very different sizes."""
    share, points = random.pareto(1, 200) + 0.1, POINTS * side**2 // SIDE**2
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
}


def ours(counts, epsilon):
    """The default strategy and its estimate."""
    import dpmap as dm

    return dm.simulate(counts, epsilon=epsilon)


def floor(counts, epsilon):
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


def one(who, path, epsilon):
    """Makes one map, and prints seconds, CPU seconds, and megabytes before and at most."""
    if who == "ours":
        ours(np.ones((20, 20)), epsilon)  # what is imported once a process
    counts = np.load(path)
    before, cpu, begun = _held("VmRSS"), time.process_time(), time.perf_counter()
    {"ours": ours, "floor": floor}[who](counts, epsilon)
    print(time.perf_counter() - begun, time.process_time() - cpu, before, _held("VmHWM"))


def _held(what):
    """This process's memory in megabytes, as the kernel tells it."""
    return (
        int(re.search(rf"{what}:\s+(\d+)", Path("/proc/self/status").read_text())[1]) * 1024 / 1e6
    )


def report(name, path, epsilon, runs):
    """Both in turn, so often."""
    found = {"floor": [], "ours": []}
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


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sides", type=int, nargs="+", default=[128, 1024, 4096])
    parser.add_argument("--lands", nargs="+", choices=LANDS, default=list(LANDS))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--epsilon", type=float, default=1.0)
    parser.add_argument("--one", choices=["ours", "floor"], help=argparse.SUPPRESS)
    parser.add_argument("--array", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        one(given.one, given.array, given.epsilon)
        return
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as folder:
        for side in given.sides:
            for land in given.lands:
                path = Path(folder) / "counts.npy"
                np.save(path, LANDS[land](side, np.random.default_rng(1)))
                report(f"{side:,} x {side:,} cells, {land}", path, given.epsilon, given.runs)


if __name__ == "__main__":
    main()
