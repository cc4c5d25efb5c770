"""A GBIF-shaped TSV of 50 columns, counted by dpmap and by pandas with geopandas, each in a process of its own.

    python benchmarks/reading.py [rows]

Prints the seconds and the peak memory of each, and how long recognition took.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COLUMNS = 50
OURS = """
import json, resource, sys, time
import dpmap as dm
from dpmap.engines.duckdb import DuckDB
from dpmap.vault.limiter import Dialect, capped_totals
begun = time.perf_counter()
survey = dm.read(sys.argv[1])
known = time.perf_counter() - begun
grid = dm.Grid(bounds=(-10, 49, 3, 61), shape=(256, 256), crs="EPSG:4326")
policy = dm.Policy(epsilon=1, unit=survey.unit, cap=20)
DuckDB().totals(survey, grid, policy, lambda d, i: capped_totals(policy, Dialect(d, i), survey.roles.shares(policy.unit)), str)
print(json.dumps([time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, known]))
"""
PEER = """
import csv, json, resource, sys, time
import numpy as np, pandas as pd, geopandas as gpd
begun = time.perf_counter()
frame = pd.read_csv(sys.argv[1], sep="\\t", quoting=csv.QUOTE_NONE, low_memory=False)
points = gpd.GeoDataFrame(frame, geometry=gpd.points_from_xy(frame.decimalLongitude, frame.decimalLatitude), crs=4326)
points = points[points.recordedBy.notna()]
np.histogram2d(points.geometry.y, points.geometry.x, bins=256, range=[[49, 61], [-10, 3]])
print(json.dumps([time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 0]))
"""


def make(path, rows):
    """The table, written by DuckDB: heavy-tailed observers, 8 columns that matter among 50."""
    import duckdb

    filler = ", ".join(f"'filler text {n}' AS c{n}" for n in range(COLUMNS - 8))
    duckdb.sql(f"""COPY (SELECT i AS "gbifID", 49 + 12 * random() AS "decimalLatitude", -10 + 13 * random() AS "decimalLongitude",
        'Observer ' || CAST(floor(20000 * random() * random() * random()) AS INTEGER) AS "recordedBy", 1 AS "individualCount",
        'PRESENT' AS "occurrenceStatus", '2024-01-01' AS "eventDate", 'Milvus inventus' AS species, {filler}
        FROM range({rows}) AS t(i)) TO '{path}' (DELIMITER '\t', QUOTE '', HEADER)""")


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "occurrence.csv"
        make(path, rows)
        print(f"{rows:,} rows, {path.stat().st_size / 1e6:,.0f} MB")
        seconds = {}
        for name, code in (("dpmap", OURS), ("pandas + geopandas", PEER)):
            begun = time.perf_counter()
            out = subprocess.run(
                [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
            ).stdout
            took, memory, known = json.loads(out)
            seconds[name] = time.perf_counter() - begun
            print(
                f"{name:20} {took:6.2f} s, whole process {seconds[name]:6.2f} s, {memory:6,.0f} MB, recognised in {known:.3f} s"
            )
        print(f"{seconds['pandas + geopandas'] / seconds['dpmap']:.1f} times faster")


if __name__ == "__main__":
    main()
