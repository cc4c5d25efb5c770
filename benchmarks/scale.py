"""Large surveys and large grids: time, CPU seconds and memory beside two floors and an expert's own SQL, in one run.

    python benchmarks/scale.py [--rows 1000000 10000000] [--kinds parquet csv] [--sizes cubed pareto equal] [--each 50]
                               [--side 256] [--runs 5] [--memory 1500MB] [--keep FOLDER]
    python benchmarks/scale.py --cells 1000000000 [--rows 1000000]

Each contender is a process of its own, from start to a saved result: a survey with text names, `--each` rows to a unit on
average, coordinates in degrees, over `--side` x `--side` cells, cap 20. `count` only counts rows per cell in DuckDB, the physical
floor. `expert` is what somebody who knows DuckDB writes by hand for the `scale` cap, in floats, with no noise and no checks. Ours go
all the way to a saved release (above 2,000 cells a side to the capped totals, since noise for each cell is not what is measured).
Sizes of units: `cubed` (the cube of a uniform draw picks the unit: many are above the cap), `pareto` (one unit holds most) or `equal`.
Ratios are medians of paired runs, with their least and greatest; memory is the process's own peak. With --cells, a sparse release on
so many cells of 100 m is made, saved, and written as GeoParquet and as GeoTIFF.
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

from dpmap.promise.limiters import LIMITERS

PEAK = """
import re
print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
"""

HAND = """
import sys, duckdb
path, out = sys.argv[1:3]
duckdb.sql("SET enable_progress_bar = false; SET preserve_insertion_order = false")
up, across = (f"CAST(floor(({axis} - {least}) * {SIDE} / 16) AS BIGINT)" for axis, least in (("latitude", 42), ("longitude", 2)))
area = "longitude BETWEEN 2 AND 17.9999999 AND latitude BETWEEN 42 AND 57.9999999"
duckdb.sql(f"CREATE VIEW f AS SELECT observer_id AS who, ({SIDE} - 1 - {up}) * {SIDE} + {across} AS cell FROM '{path}' WHERE {area}")
"""

COUNT = """
duckdb.sql(f"COPY (SELECT cell, count(*) AS n FROM f GROUP BY cell) TO '{out}/counts.parquet'")
"""

EXPERT = """
units = "(SELECT who, least(1.0, 20.0 / count(*)) AS w FROM f GROUP BY who)"
duckdb.sql(f"COPY (SELECT cell, sum(w) AS n FROM f JOIN {units} USING (who) GROUP BY cell) TO '{out}/sums.parquet'")
"""

OURS = """
import sys, dpmap as dm
path, out = sys.argv[1:3]
survey = dm.read(path)
grid = dm.Grid(bounds=(2, 42, 18, 58), shape=(SIDE, SIDE), crs="EPSG:4326")
policy = dm.Policy(epsilon=1, unit="observer_id", cap=20, limiter="LIMITER")
engine = dm.engines.DuckDB(memory="MEMORY", folder=out)
if SIDE > 2000:
    from dpmap.vault.cap_sql import capped_totals
    from dpmap.engines.prefilter import make_prefilter
    engine.totals(survey, grid, policy, capped_totals(policy), str, make_prefilter(policy, 1))
else:
    dm.release(survey, grid, policy, ledger=out + "/l", dataset="bench", budget=1, engine=engine).save(out + "/release.dpmap")
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


def make_survey(rows: int, kind: str, folder: Path, each: int = 50, sizes: str = "pareto") -> Path:
    """Units of these sizes, clustered places in degrees and in metres, written a million rows at a time."""
    path = folder / f"scale-{rows}-{each}-{sizes}.{kind}"
    if path.exists():
        return path
    rng, units = np.random.default_rng(1), max(1, rows // each)
    share = np.cumsum(rng.pareto(1.0, units) + 0.1)
    names = pc.binary_join_element_wise(
        "obs", pc.utf8_lpad(pa.array(np.arange(units)).cast(pa.string()), 8, "0"), ""
    )
    columns = ("longitude", "latitude", "x", "y")
    schema = pa.schema(
        [
            ("observer_id", pa.string()),
            *((name, pa.float64()) for name in columns),
            ("date", pa.string()),
        ]
    )
    writer = pq.ParquetWriter(path, schema) if kind == "parquet" else pacsv.CSVWriter(path, schema)
    with writer:
        for start in range(0, rows, 1_000_000):
            many = min(1_000_000, rows - start)
            if sizes == "cubed":
                unit = (units * rng.random(many) ** 3).astype(np.int64)
            elif sizes == "equal":
                unit = rng.integers(0, units, many)
            else:
                unit = np.minimum(np.searchsorted(share, rng.random(many) * share[-1]), units - 1)
            places = [np.round(rng.normal(middle, 2, many), 6) for middle in (10, 50)]
            x, y = (
                np.round(rng.normal(middle, 250_000, many), 2) for middle in (3_500_000, 3_000_000)
            )
            put = [names.take(pa.array(unit)), *places, x, y, pa.repeat("2026-05-01", many)]
            writer.write_table(pa.table(put, schema=schema))
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
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--rows", type=int, nargs="+", default=[1_000_000])
    arguments.add_argument("--kinds", nargs="+", default=["parquet", "csv"])
    arguments.add_argument("--each", type=int, nargs="+", default=[50])
    arguments.add_argument(
        "--sizes", nargs="+", default=["cubed"], choices=["cubed", "pareto", "equal"]
    )
    arguments.add_argument("--side", type=int, nargs="+", default=[256])
    arguments.add_argument("--runs", type=int, default=5)
    arguments.add_argument(
        "--memory", default="1500MB", help="what ours may take; DuckDB by hand takes what it likes"
    )
    arguments.add_argument("--cells", type=int)
    arguments.add_argument(
        "--keep", type=Path, help="folder in which to keep the generated surveys"
    )
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as private:
        folder = given.keep or Path(private)
        for rows in given.rows:
            if given.cells:
                side = int(np.ceil(given.cells**0.5))
                for file in ("cells.parquet", "map.tif"):
                    made = run(
                        SPARSE.replace("{file}", file),
                        make_survey(rows, "parquet", folder),
                        side,
                        scratch=folder,
                    )
                    print(f"{side**2:,} cells, {rows:,} rows, to {file}: {made}")
                continue
            for kind, sizes, each, side in product(
                given.kinds, given.sizes, given.each, given.side
            ):
                report(
                    make_survey(rows, kind, folder, each, sizes),
                    side,
                    given.memory,
                    given.runs,
                    folder,
                )


def report(path: Path, side: int, memory: str, runs: int, folder: Path) -> None:
    """The floor, the expert and the three limiters in turn, so often; medians of the ratios to the expert of one turn."""
    contenders = {"count": HAND + COUNT, "expert": HAND + EXPERT}
    contenders |= {one: OURS.replace("LIMITER", one).replace("MEMORY", memory) for one in LIMITERS}
    contenders = {name: program.replace("SIDE", str(side)) for name, program in contenders.items()}
    results: dict[str, list[tuple[float, float, float] | None]] = {name: [] for name in contenders}
    for _ in range(runs):
        for name, program in contenders.items():
            results[name].append(run(program, path, scratch=folder))
    print(
        f"{path.name}, {side:,} x {side:,} cells, {runs} runs; times the expert: median (least to greatest)"
    )
    for name, measured in results.items():
        pairs = [
            (one, expert)
            for one, expert in zip(measured, results["expert"], strict=True)
            if one and expert
        ]
        if not pairs:
            print(f"  {name:10} failed")
            continue
        seconds, cpu = (statistics.median(one[at] for one, _ in pairs) for at in (0, 1))
        ratios = [sorted(one[at] / expert[at] for one, expert in pairs) for at in (0, 1)]
        slower, dearer = (
            f"{statistics.median(some):4.2f} ({some[0]:4.2f} to {some[-1]:4.2f})" for some in ratios
        )
        most = max(one[2] for one, _ in pairs)
        print(
            f"  {name:10} {seconds:7.2f} s  x {slower}   CPU {cpu:7.2f} s  x {dearer}   {most:6.0f} MB",
            flush=True,
        )


if __name__ == "__main__":
    main()
