"""Large surveys and large grids: time, CPU seconds and memory beside the floor, in one run.

    python benchmarks/scale.py [--rows 1000000 10000000] [--kinds parquet csv] [--each 50] [--side 4000] [--runs 3] [--keep FOLDER]
    python benchmarks/scale.py --cells 1000000000 [--rows 1000000]

Each contender is a process of its own, from start to a saved result, held to 2 GB: a survey of units with Pareto-like
sizes, `--each` rows on average, cap 20, over `--side` x `--side` cells, 4,000 of them of 1 km. The floor only counts rows per cell in DuckDB, with
the same arithmetic for the cell. Ratios are medians of paired runs, of CPU seconds (which other work on the machine
moves least) and of wall time; memory is the process's own peak. With --cells, a sparse release on so many cells of 100 m
is made, saved, and written as GeoParquet and as GeoTIFF.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import product
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

PEAK = """
import re
print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
"""

FLOOR = """
import sys, duckdb
path, out = sys.argv[1:3]
duckdb.sql("SET preserve_insertion_order = false; SET memory_limit = '2GB'")
up, across = (f"CAST(floor(({axis} - {least}) / {4_000_000 / SIDE}) AS BIGINT)" for axis, least in (("y", 1000000), ("x", 1500000)))
cell = f"({SIDE} - 1 - {up}) * {SIDE} + {across}"
area = "x BETWEEN 1500000 AND 5499999 AND y BETWEEN 1000000 AND 4999999"
duckdb.sql(f"COPY (SELECT {cell} AS cell, count(*) AS n FROM '{path}' WHERE {area} GROUP BY cell) TO '{out}/counts.parquet'")
"""

OURS = """
import sys, dpmap as dm
from dpmap.engines.duckdb import DuckDB
from dpmap.vault.limiter import capped_totals
path, out = sys.argv[1:3]
survey = dm.read(path, x="x", y="y", crs="EPSG:3035")
grid = dm.Grid(bounds=(1500000, 1000000, 5500000, 5000000), shape=(SIDE, SIDE), crs="EPSG:3035")
policy = dm.Policy(epsilon=1, unit="observer_id", cap=20, limiter="LIMITER")
DuckDB(memory="1500MB", folder=out).totals(survey, grid, policy, capped_totals(policy), str)
"""

SPARSE = """
import sys, time, dpmap as dm
path, out, side = sys.argv[1], sys.argv[2], int(sys.argv[3])
grid = dm.Grid(bounds=(1900000, 1400000, 1900000 + 100 * side, 1400000 + 100 * side), shape=(side, side), crs="EPSG:3035")
policy = dm.Policy(epsilon=1, unit="observer_id", cap=20)
survey = dm.read(path, x="x", y="y", crs="EPSG:3035")
release = dm.release(survey, grid, policy, ledger=out + "/l", dataset="bench", budget=1, strategy="sparse:200")
release.save(out + "/release.dpmap")
release.export(out + "/{file}")
"""


def make_survey(rows: int, kind: str, folder: Path, each: int = 50) -> Path:
    """Heavy-tailed units, clustered places, written a million rows at a time."""
    path = folder / f"scale-{rows}-{each}.{kind}"
    if path.exists():
        return path
    rng, units = np.random.default_rng(1), max(1, rows // each)
    share = np.cumsum(rng.pareto(1.0, units) + 0.1)
    schema = pa.schema([("observer_id", pa.string()), *((name, pa.float64()) for name in "xy"), ("date", pa.string())])
    writer = pq.ParquetWriter(path, schema) if kind == "parquet" else pacsv.CSVWriter(path, schema)
    with writer:
        for start in range(0, rows, 1_000_000):
            many = min(1_000_000, rows - start)
            unit = np.minimum(np.searchsorted(share, rng.random(many) * share[-1]), units - 1)
            names = pc.binary_join_element_wise("obs", pc.utf8_lpad(pa.array(unit).cast(pa.string()), 8, "0"), "")
            x, y = (np.round(rng.normal(middle, 250_000, many), 2) for middle in (3_500_000, 3_000_000))
            writer.write_table(pa.table([names, x, y, pa.repeat("2026-05-01", many)], schema=schema))
    return path


def run(program: str, *given: object, scratch: Path) -> tuple[float, float, float] | None:
    """(seconds, CPU seconds, megabytes) of one whole process; None if it failed."""
    with tempfile.TemporaryDirectory(dir=scratch) as out:
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        command = [sys.executable, "-c", program + PEAK, str(given[0]), out, *map(str, given[1:])]
        done = subprocess.run(command, capture_output=True, text=True, env=os.environ)
        seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        print(done.stderr.strip().splitlines()[-1][:200], file=sys.stderr)
        return None
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, cpu, int(done.stdout.split()[-1]) / 1024


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rows", type=int, nargs="+", default=[1_000_000])
    arguments.add_argument("--kinds", nargs="+", default=["parquet", "csv"])
    arguments.add_argument("--each", type=int, nargs="+", default=[50])
    arguments.add_argument("--side", type=int, nargs="+", default=[4000])
    arguments.add_argument("--runs", type=int, default=3)
    arguments.add_argument("--cells", type=int)
    arguments.add_argument("--keep", type=Path, help="folder in which to keep the generated surveys")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as private:
        folder = given.keep or Path(private)
        for rows in given.rows:
            if given.cells:
                side = int(np.ceil(given.cells**0.5))
                for file in ("cells.parquet", "map.tif"):
                    made = run(
                        SPARSE.replace("{file}", file), make_survey(rows, "parquet", folder), side, scratch=folder
                    )
                    print(f"{side**2:,} cells, {rows:,} rows, to {file}: {made}")
                continue
            for kind, each, side in product(given.kinds, given.each, given.side):
                report(make_survey(rows, kind, folder, each), side, given.runs, folder)


def report(path: Path, side: int, runs: int, folder: Path) -> None:
    """The floor and the three limiters in turn, so often; medians of the ratios of one turn."""
    contenders = {"floor": FLOOR} | {one: OURS.replace("LIMITER", one) for one in ("scale", "sample", "presence")}
    contenders = {name: program.replace("SIDE", str(side)) for name, program in contenders.items()}
    results: dict[str, list[tuple[float, float, float] | None]] = {name: [] for name in contenders}
    for _ in range(runs):
        for name, program in contenders.items():
            results[name].append(run(program, path, scratch=folder))
    print(f"{path.name}, {side:,} x {side:,} cells")
    for name, measured in results.items():
        pairs = [(one, floor) for one, floor in zip(measured, results["floor"]) if one and floor]
        if not pairs:
            print(f"  {name:10} failed")
            continue
        seconds, cpu = (statistics.median(one[at] for one, _ in pairs) for at in (0, 1))
        slower, dearer = (statistics.median(one[at] / floor[at] for one, floor in pairs) for at in (0, 1))
        most = max(one[2] for one, _ in pairs)
        print(
            f"  {name:10} {seconds:8.1f} s ({slower:5.2f} x)  CPU {cpu:8.1f} s ({dearer:5.2f} x floor)  {most:6.0f} MB",
            flush=True,
        )


if __name__ == "__main__":
    main()
