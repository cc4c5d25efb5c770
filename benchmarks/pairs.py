"""Two units at once: a million pairs of contributor and site, from file to capped totals (asked: under 5 seconds).

python benchmarks/pairs.py [PAIRS]
"""

import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import dpmap as dm
from dpmap.engines.duckdb import DuckDB
from dpmap.survey.row_sql import JOINT
from dpmap.vault.two_unit_cap import capped_pairs, edges, greedy


def main(pairs: int) -> None:
    rng = np.random.default_rng(1)
    people, nests = pairs // 10, pairs // 20
    who, nest = rng.integers(0, people, pairs), rng.integers(0, nests, pairs)
    grid = dm.Grid(bounds=(0, 50, 10, 60), shape=(100, 100), crs="EPSG:4326")
    policy = dm.Policy(epsilon=1, unit="who", site="nest", cap=5)
    with tempfile.TemporaryDirectory() as folder:
        seen, listed = Path(folder, "seen.csv"), Path(folder, "nests.csv")
        seen.write_text(
            "who,nest,longitude,latitude\n"
            + "".join(f"p{u},n{s},5,55\n" for u, s in zip(who, nest))
        )
        places = zip(rng.uniform(0, 10, nests), rng.uniform(50, 60, nests))
        listed.write_text(
            "nest,longitude,latitude\n"
            + "".join(f"n{i},{x:.5f},{y:.5f}\n" for i, (x, y) in enumerate(places))
        )
        survey, sites = dm.read(seen), dm.read(listed, unit="nest")
        start = time.perf_counter(), time.process_time()
        found = DuckDB().pairs(survey, sites, grid, policy, edges(JOINT), lambda step: None)
        read = time.perf_counter()
        capped_pairs(found, policy)
        end = time.perf_counter(), time.process_time()
    floor = time.perf_counter()
    greedy(who.tolist(), nest.tolist(), 5, 1)
    floor = time.perf_counter() - floor
    print(
        f"{pairs:,} pairs: {end[0] - start[0]:.2f} s ({read - start[0]:.2f} s reading and ordering, {end[0] - read:.2f} s the greedy), "
        f"{end[1] - start[1]:.2f} s of processor; the bare loop {floor:.2f} s"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
