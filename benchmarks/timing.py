"""Does the time that noise takes tell anything of the totals? `python benchmarks/timing.py [ROUNDS]`

An attacker who sees how long each measurement's draw took guesses whether the survey was empty or full. Printed: how
often the best threshold is right (area under the curve, 0.5 is blind), for the draw and, for comparison, for the whole
measurement, whose adding-up grows with the occupied cells; and the floor, the same between two equal surveys.
"""

import sys
import time

import numpy as np

import dpmap as dm
from dpmap.vault import mechanism, session

SIDE, ROUNDS = 64, int(sys.argv[1]) if len(sys.argv) > 1 else 1000
GRID = dm.Grid(bounds=(0, 0, SIDE, SIDE), shape=(SIDE, SIDE), crs="EPSG:3857")
CELLS = dm.Partition.cells(GRID)
real = mechanism.discrete_laplace
drawn = []


def timed(*arguments, **named):
    """The draw, with the time it took noted."""
    begun = time.perf_counter_ns()
    noise = real(*arguments, **named)
    drawn.append(time.perf_counter_ns() - begun)
    return noise


def one(counts):
    """(time of the draw, time of the whole measurement) over these counts."""
    asked = session.Session(counts, GRID, 1, 1, 2**32)
    begun = time.perf_counter_ns()
    asked.measure(CELLS, 1)
    return drawn[-1], time.perf_counter_ns() - begun


def area(fast, slow):
    """The chance that a random slow one is larger than a random fast one, ties counting half."""
    order = np.concatenate([fast, slow]).argsort().argsort()
    return (order[len(fast) :].sum() - len(slow) * (len(slow) - 1) / 2) / (len(fast) * len(slow))


def main():
    """Rounds of all three in a random order, so that whatever else the machine does falls on all alike."""
    shuffle = np.random.default_rng(5)
    mechanism.discrete_laplace = timed
    surveys = {
        "empty": np.zeros(SIDE**2),
        "empty again": np.zeros(SIDE**2),
        "full": np.full(SIDE**2, 1e6),
    }
    found = {name: [] for name in surveys}
    for _ in range(ROUNDS):
        for name in shuffle.permutation(list(surveys)):
            found[name].append(one(surveys[name]))
    times = {name: np.array(pairs) for name, pairs in found.items()}
    blur = 4.5 * np.sqrt((2 * ROUNDS + 1) / (12 * ROUNDS**2))
    print(
        f"{ROUNDS} rounds of {SIDE} x {SIDE} cells; 0.5 is blind, chance alone keeps it within {blur:.3f}"
    )
    for column, what in enumerate(("draw of the noise", "whole measurement")):
        told = area(times["empty"][:, column], times["full"][:, column])
        floor = area(times["empty"][:, column], times["empty again"][:, column])
        middle = np.median(times["empty"][:, column]) / 1e6
        print(
            f"{what:<18} median {middle:7.3f} ms   empty against full {told:.3f}   floor, empty against empty {floor:.3f}"
        )


if __name__ == "__main__":
    main()
