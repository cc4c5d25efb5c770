"""A million GeoJSON points, counted by dpmap record by record, by pyogrio, and merely decoded: each in a process of its own.

    python benchmarks/records.py [points]

Prints the seconds and the peak memory of each. The floor decodes each line's feature with Python's json and keeps nothing.
"""

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

BEGIN = "import json, resource, sys, time\nbegun = time.perf_counter()\n"
END = "\nprint(json.dumps([time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))\n"
OURS = """
import dpmap as dm
from dpmap.engines.duckdb import DuckDB
from dpmap.vault.cap_sql import capped_totals
survey = dm.read(sys.argv[1], format="geojson", columns="observer,date,consent", unit="observer")
grid = dm.Grid(bounds=(-10, 49, 3, 61), shape=(256, 256), crs="EPSG:4326")
policy = dm.Policy(epsilon=1, unit="observer", cap=20)
DuckDB().totals(survey, grid, policy, capped_totals(policy), str)
"""
PEER = """
import numpy as np, pyogrio
frame = pyogrio.read_dataframe(sys.argv[1])
points = frame[frame.observer.notna()].geometry
np.histogram2d(points.y, points.x, bins=256, range=[[49, 61], [-10, 3]])
"""
FLOOR = """
with open(sys.argv[1], encoding="utf-8") as lines:
    for line in lines:
        if line.startswith('{"type": "Feature",'):
            json.loads(line.rstrip(",\\n"))
"""


def make(path: Path, points: int) -> None:
    """Invented sightings, a feature on each line of one collection."""
    dice = random.Random(1)
    with path.open("w", encoding="utf-8") as out:
        out.write('{"type": "FeatureCollection", "features": [\n')
        for number in range(points):
            told = {
                "id": number,
                "observer": f"Observer {number % 20000}",
                "date": f"2024-05-{number % 28 + 1:02}",
                "consent": True,
            }
            place = [round(dice.uniform(-10, 3), 6), round(dice.uniform(49, 61), 6)]
            one = {
                "type": "Feature",
                "properties": told,
                "geometry": {"type": "Point", "coordinates": place},
            }
            out.write(("" if number == 0 else ",\n") + json.dumps(one))
        out.write("\n]}")


def main() -> None:
    points = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sightings.geojson"
        make(path, points)
        print(f"{points:,} points, {path.stat().st_size >> 20} MB")
        for name, code in (("dpmap", OURS), ("pyogrio", PEER), ("floor", FLOOR)):
            done = subprocess.run(
                [sys.executable, "-c", BEGIN + code + END, str(path)],
                capture_output=True,
                text=True,
                check=True,
            )
            seconds, memory = json.loads(done.stdout)
            print(f"{name:>8}  {seconds:6.1f} s  {memory:6.0f} MB")


if __name__ == "__main__":
    main()
