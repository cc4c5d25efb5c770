"""Speed and memory of a whole release, beside the floor (the same count without privacy) and peers, in one run.

    python benchmarks/core.py [--rows 1000000] [--runs 5] [--keep FOLDER]

Each contender is a process of its own, from start to a saved result: a survey of heavy-tailed units, 256 x 256 cells,
epsilon 1, cap 20. The floor only counts rows per cell in DuckDB. Peers run when they are installed
(pip install diffprivlib "opendp[polars]"). Times are medians of paired runs; memory is the process's own peak.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

CELL = "floor((lon + 5) / 3 * 256)::INT * 256 + floor((lat - 56) / 2 * 256)::INT"

OURS = """
import sys, dpmap as dm
survey = dm.read(sys.argv[1])
grid = dm.Grid(bounds=(-5, 56, -2, 58), shape=(256, 256), crs="EPSG:4326")
policy = dm.Policy(epsilon="1", unit="observer_id", cap=20)
dm.release(survey, grid, policy, ledger=sys.argv[2] + "/bench.ledger", dataset="bench", budget="1", strategy="flat").save(sys.argv[2] + "/release.dpmap")
"""

FLOOR = f"""
import sys, duckdb
path = sys.argv[1]
source = f"read_csv('{{path}}')" if path.endswith("csv") else f"read_parquet('{{path}}')"
duckdb.sql(f"COPY (SELECT {CELL} AS cell, count(*) AS n FROM {{source}} GROUP BY cell) TO '{{sys.argv[2]}}/counts.parquet'")
"""

READ = """
import sys, numpy as np, pandas as pd
path, out = sys.argv[1:3]
rows = pd.read_csv(path) if path.endswith("csv") else pd.read_parquet(path)
"""

NUMPY = (
    READ
    + """
rows = rows.sample(frac=1)
rows = rows[rows.groupby("observer_id").cumcount() < 20]
counts, _, _ = np.histogram2d(rows.lat, rows.lon, bins=256, range=[[56, 58], [-5, -2]])
np.save(out + "/counts.npy", counts + np.random.laplace(scale=20, size=counts.shape))
"""
)

DIFFPRIVLIB = (
    READ
    + """
from diffprivlib.tools import histogram2d
rows = rows.sample(frac=1)
rows = rows[rows.groupby("observer_id").cumcount() < 20]
counts, _, _ = histogram2d(rows.lat, rows.lon, epsilon=1 / 20, bins=256, range=[[56, 58], [-5, -2]])
np.save(out + "/counts.npy", counts)
"""
)

OPENDP = """
import sys, polars as pl, opendp.prelude as dp
dp.enable_features("contrib")
path, out = sys.argv[1:3]
rows = pl.scan_csv(path) if path.endswith("csv") else pl.scan_parquet(path)
cell = ((pl.col("lon") + 5) / 3 * 256).floor().cast(pl.Int64) * 256 + ((pl.col("lat") - 56) / 2 * 256).floor().cast(pl.Int64)
rows = rows.select("observer_id", cell.alias("cell"))
keys = pl.LazyFrame({"cell": list(range(65536))}, schema={"cell": pl.Int64})
context = dp.Context.compositor(
    data=rows, privacy_unit=dp.unit_of(contributions=20, identifier="observer_id"), privacy_loss=dp.loss_of(epsilon=1.0),
    split_evenly_over=1, margins=[dp.polars.Margin(by=["cell"], max_groups=65536, invariant="keys")])
query = context.query().truncate_per_group(20).group_by("cell").agg(dp.len()).with_keys(keys)
query.release().collect().write_parquet(out + "/counts.parquet")
"""


# every contender runs from compiled modules, as installed packages do
ENVIRONMENT = {
    name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
}

PEAK = """
import re
print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
"""


def make_survey(rows: int, folder: Path) -> dict[str, Path]:
    """Heavy-tailed units (Pareto), clustered places, as CSV and as Parquet."""
    rng = np.random.default_rng(1)
    share = rng.pareto(1.0, 20_000) + 0.1
    units = np.char.add("obs", np.char.zfill(np.arange(20_000).astype(str), 6))
    paths = {"csv": folder / f"survey-{rows}.csv", "parquet": folder / f"survey-{rows}.parquet"}
    if all(path.exists() for path in paths.values()):
        return paths
    frame = pd.DataFrame(
        {
            "observer_id": units[rng.choice(20_000, rows, p=share / share.sum())],
            "lon": np.clip(rng.normal(-3.5, 0.6, rows), -5, -2.0001).round(6),
            "lat": np.clip(rng.normal(57, 0.5, rows), 56, 57.9999).round(6),
            "species": "kite",
            "date": "2026-05-01",
        }
    )
    frame.to_csv(paths["csv"], index=False)
    frame.to_parquet(paths["parquet"])
    return paths


def run(program: str, survey: Path) -> tuple[float, float] | None:
    """(seconds, megabytes) of one whole process; None if it failed."""
    with tempfile.TemporaryDirectory() as out:
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", program + PEAK, str(survey), out],
            capture_output=True,
            text=True,
            env=ENVIRONMENT,
        )
        seconds = time.perf_counter() - start
    if done.returncode != 0:
        print(done.stderr.strip().splitlines()[-1][:150], file=sys.stderr)
        return None
    return seconds, int(done.stdout.split()[-1]) / 1024


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--rows", type=int, default=1_000_000)
    arguments.add_argument("--runs", type=int, default=5)
    arguments.add_argument(
        "--keep", type=Path, help="folder in which to keep the generated surveys"
    )
    arguments.add_argument("--no-peers", action="store_true")
    given = arguments.parse_args()
    contenders = {"floor: DuckDB count, no privacy": FLOOR, "dpmap": OURS}
    if not given.no_peers:
        contenders |= {
            "hand-written numpy (unsafe)": NUMPY,
            "diffprivlib": DIFFPRIVLIB,
            "OpenDP Polars": OPENDP,
        }
    with tempfile.TemporaryDirectory() as scratch:
        for kind, path in make_survey(given.rows, given.keep or Path(scratch)).items():
            print(f"{given.rows:,} rows, {kind}")
            results: dict[str, list[tuple[float, float]]] = {name: [] for name in contenders}
            for turn in range(given.runs + 1):
                for name, program in contenders.items():
                    peer = name not in list(contenders)[:2]
                    if (peer and turn > 1) or (turn and results[name] is None):
                        continue
                    measured = run(program, path)
                    if measured is None:
                        results[name] = None
                    elif turn:
                        results[name].append(measured)
            report(results)


def report(results: dict[str, list[tuple[float, float]] | None]) -> None:
    floor = results[next(iter(results))]
    for name, runs in results.items():
        if not runs:
            print(f"  {name:34} not run")
            continue
        seconds = statistics.median(second for second, _ in runs)
        ratios = statistics.median(a / b for (a, _), (b, _) in zip(runs, floor))
        print(
            f"  {name:34} {seconds:7.2f} s  {ratios:5.2f} x floor  {max(memory for _, memory in runs):6.0f} MB"
        )


if __name__ == "__main__":
    main()
