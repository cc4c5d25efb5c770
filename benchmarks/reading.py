"""Exports counted by dpmap, by pandas with geopandas, and by an older dpmap, each in a process of its own.

    python benchmarks/reading.py [rows] [--alone]
    python benchmarks/reading.py [rows] --beside CHECKOUT [--rounds N]

The first reads a GBIF-shaped TSV of 50 columns, and prints the seconds and the peak memory of each, and how long recognition
took; --alone leaves out the peer, which needs about 2 GB for each million rows. The second reads that TSV, a plain CSV, one with
quoted texts and a Parquet file with this dpmap and with another checkout of it, by turns, and prints the ratio of their computing
round by round: its median, and its quartiles. The floor is a bare count of the rows by DuckDB.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "survey"))
OURS = """
import json, resource, sys, time
import dpmap as dm
from dpmap.engines.duckdb import DuckDB
from dpmap.vault.cap_sql import capped_totals
begun = time.perf_counter()
survey = dm.read(sys.argv[1])
known = time.perf_counter() - begun
grid = dm.Grid(bounds=(-10, 49, 3, 61), shape=(256, 256), crs="EPSG:4326")
policy = dm.Policy(epsilon=1, unit=survey.unit, cap=20)
DuckDB().totals(survey, grid, policy, capped_totals(policy, survey.roles.shares), str)
print(json.dumps([time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, known]))
"""
COUNT = """
import sys
import dpmap as dm
from dpmap.engines.duckdb import DuckDB
from dpmap.vault.cap_sql import capped_totals
survey = dm.read(sys.argv[1], unit=sys.argv[2], team="none")
grid = dm.Grid(bounds=(-10, 49, 3, 61), shape=(256, 256), crs="EPSG:4326")
policy = dm.Policy(epsilon=1, unit=sys.argv[2], cap=20)
DuckDB().totals(survey, grid, policy, capped_totals(policy, survey.roles.shares), str)
"""
FLOOR = """
import sys, duckdb
path = sys.argv[1]
read = f"read_parquet('{path}')" if path.endswith("parquet") else f"read_csv('{path}', all_varchar=true)"
duckdb.sql(f'SELECT count(DISTINCT "{sys.argv[2]}") FROM {read}').fetchall()
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


SHAPE = {
    "gbifID": "3000000000 + i", "datasetKey": "md5(CAST(i % 211 AS VARCHAR))", "occurrenceID": "'https://example.org/observations/' || (9000000 + i * 7)",
    "kingdom": "'Animalia'", "phylum": "'Chordata'", "class": "'Aves'", "order": "'Accipitriformes'", "family": "'Accipitridae'",
    "genus": "'Milvus'", "species": "'Milvus inventus'", "taxonRank": "'SPECIES'", "scientificName": "'Milvus inventus (Nobody, 1758)'",
    "verbatimScientificName": "'Milvus inventus'", "countryCode": "'GB'", "locality": "CASE WHEN i % 50 = 0 THEN 'Château moor ' ELSE 'North moor ' END || i % 4001",
    "stateProvince": "'Invented shire'", "occurrenceStatus": "'PRESENT'", "individualCount": "CASE WHEN i % 3 > 0 THEN i % 3 END",
    "publishingOrgKey": "md5(CAST(i % 17 AS VARCHAR))", "decimalLatitude": "round(49 + 12 * random(), 6)", "decimalLongitude": "round(-10 + 13 * random(), 6)",
    "coordinateUncertaintyInMeters": "CASE WHEN i % 4 > 0 THEN 10 * (i % 97) END", "eventDate": "DATE '2010-01-01' + CAST(i % 5000 AS INTEGER)",
    "day": "1 + i % 28", "month": "1 + i % 12", "year": "2010 + i % 14", "taxonKey": "2480000 + i % 3", "speciesKey": "2480000 + i % 3",
    "basisOfRecord": "'HUMAN_OBSERVATION'", "institutionCode": "'INVENTED'", "collectionCode": "'Observations'", "catalogNumber": "9000000 + i * 7",
    "identifiedBy": "'Observer ' || i % 500", "license": "'CC_BY_4_0'", "rightsHolder": "'Invented trust'",
    "recordedBy": "'Observer ' || CAST(floor(20000 * random() * random() * random()) AS INTEGER)", "lastInterpreted": "'2025-06-01T12:00:00.' || 100 + i % 900 || 'Z'",
    "issue": "CASE WHEN i % 2 = 0 THEN 'COORDINATE_ROUNDED;CONTINENT_DERIVED_FROM_COORDINATES' END",
}  # fmt: skip
"""What fills GBIF's columns; those not named here are mostly empty in its exports, and empty here."""


def make(path, rows):
    """GBIF's own 50 columns (about 400 bytes a row), written by DuckDB: heavy-tailed observers, some accents."""
    import duckdb
    from fixtures import GBIF

    columns = ", ".join(f'{SHAPE.get(name, "NULL")} AS "{name}"' for name in GBIF)
    duckdb.sql(
        f"COPY (SELECT {columns} FROM range({rows}) AS t(i)) TO '{path}' (DELIMITER '\t', QUOTE '', HEADER)"
    )


PLAIN = (
    "SELECT 'Observer ' || CAST(floor(20000 * random() * random()) AS INTEGER) AS who, round(-10 + 13 * random(), 6) AS lon, "
    "round(49 + 12 * random(), 6) AS lat, DATE '2020-01-01' + CAST(i % 900 AS INTEGER) AS date, {note} AS note FROM range({rows}) AS t(i)"
)
SAID, NOTES = "'seen'", "'said \"' || i % 7 || '\", then left' || chr(10) || 'seen, twice'"


def beside(rows, other, rounds, folder):
    """Each file read by this checkout and the other by turns: the ratios of their computing."""
    import statistics

    import duckdb

    files = {
        name: folder / name for name in ("gbif.csv", "plain.csv", "quoted.csv", "plain.parquet")
    }
    make(files["gbif.csv"], rows)
    duckdb.sql(f"COPY ({PLAIN.format(note=SAID, rows=rows)}) TO '{files['plain.csv']}' (HEADER)")
    duckdb.sql(f"COPY ({PLAIN.format(note=NOTES, rows=rows)}) TO '{files['quoted.csv']}' (HEADER)")
    duckdb.sql(f"COPY ({PLAIN.format(note=SAID, rows=10 * rows)}) TO '{files['plain.parquet']}'")
    homes = {"here": Path(__file__).parents[1], "other": Path(other).resolve()}
    for name, path in files.items():
        unit = "recordedBy" if name == "gbif.csv" else "who"
        took = {home: [] for home in (*homes, "floor")}
        for turn in range(rounds):
            for home in list(took) if turn % 2 else list(took)[::-1]:
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                subprocess.run(
                    [sys.executable, "-c", FLOOR if home == "floor" else COUNT, str(path), unit],
                    check=True, env=os.environ | {"PYTHONPATH": str(homes.get(home, folder))}, cwd=folder,
                )  # fmt: skip
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                took[home].append(
                    after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                )
        ratios = [here / there for here, there in zip(took["here"], took["other"], strict=True)]
        low, middle, high = statistics.quantiles(ratios, n=4)
        least = {home: min(times) for home, times in took.items()}
        print(
            f"{name:15} here {least['here']:.2f} s, other {least['other']:.2f} s, floor {least['floor']:.2f} s of computing at best; "
            f"here/other {middle:.3f} ({low:.3f} to {high:.3f}), of the best {least['here'] / least['other']:.3f}", flush=True,
        )  # fmt: skip


def main():
    told = argparse.ArgumentParser()
    told.add_argument("rows", nargs="?", type=int, default=1_000_000)
    told.add_argument("--alone", action="store_true")
    told.add_argument("--beside")
    told.add_argument("--rounds", type=int, default=9)
    asked = told.parse_args()
    rows = asked.rows
    if asked.beside:
        with tempfile.TemporaryDirectory() as folder:
            return beside(rows, asked.beside, asked.rounds, Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "occurrence.csv"
        make(path, rows)
        print(f"{rows:,} rows, {path.stat().st_size / 1e6:,.0f} MB")
        contenders = [("dpmap", OURS), ("pandas + geopandas", PEER)][: 1 if asked.alone else 2]
        seconds, computing = {}, {}
        for name, code in contenders:
            begun, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
            out = subprocess.run(
                [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
            ).stdout
            _, memory, known = json.loads(out)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds[name] = time.perf_counter() - begun
            computing[name] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            print(
                f"{name:20} {seconds[name]:6.2f} s ({computing[name]:.2f} s of computing), {memory:6,.0f} MB, recognised in {known:.3f} s"
            )
        for words, took in (("faster", seconds), ("less computing", computing)):
            if len(took) == 2:
                print(f"{took['pandas + geopandas'] / took['dpmap']:.1f} times {words}")


if __name__ == "__main__":
    main()
