"""How long does one wait for the first map? `python benchmarks/start.py [ROUNDS]`

Whole processes, one after the other in turn: `import dpmap`, `dpmap --help`, and the first release of a CSV of 1,000 rows
to all of its files. Beside each its floor, what Python and the libraries it needs take to load and to be left; beside the release
also what an expert would write by hand for the same kinds of files: floats, noise that is numpy's, no ledger, no checks, no
intervals, no patches. The release of a CSV over a grid of bounds reads and writes no layer, so that neither GDAL nor pandas is loaded;
beside it the same where they are. Printed are wall and CPU seconds, the middle and the least of all rounds, and the middle ratio to the floor.
"""

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "data_samples"
ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 5
ROWS = 1_000
LIBRARIES = "numpy, duckdb, shapely, pyproj, geopandas, pyogrio, rasterio, matplotlib.figure"
NO_LAYER = """
import sys
import dpmap as dm
grid = dm.Grid(bounds=(-3, 39, 0, 42), shape=(20, 20), crs="EPSG:4326")
policy = dm.Policy(epsilon=1, unit="observer_id", cap=5)
dm.release(dm.read(sys.argv[1]), grid, policy, ledger=sys.argv[2], dataset="X", budget=1, to=sys.argv[3])
"""
BY_HAND = """
import json, pathlib, sys
import duckdb, folium, geopandas as gpd, numpy as np, pandas as pd, pyproj, rasterio, shapely
from matplotlib.figure import Figure

survey, area, out, epsilon, cap, size = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), 1.0, 5, 5000.0
out.mkdir()
land = gpd.read_file(area)
middle = land.to_crs(4326).union_all().centroid
crs = pyproj.CRS(f"+proj=laea +lat_0={middle.y:.2f} +lon_0={middle.x:.2f} +datum=WGS84")
land = land.to_crs(crs).union_all()
west, south, east, north = land.bounds
columns, rows = int((east - west) // size) + 1, int((north - south) // size) + 1
who, lon, lat = duckdb.execute(
    "SELECT observer_id, longitude, latitude FROM read_csv(?) WHERE consent = 'yes'", [survey]
).fetchnumpy().values()
x, y = pyproj.Transformer.from_crs(4326, crs, always_xy=True).transform(lon.filled(np.inf), lat.filled(np.inf))
column, row = np.floor((np.array([x - west, north - y])) / size)
seen = (column >= 0) & (column < columns) & (row >= 0) & (row < rows)
points = {"who": who[seen].astype(object), "cell": (row[seen] * columns + column[seen]).astype(int)}
database = duckdb.connect()
database.register("f", pd.DataFrame(points))
cell, total = database.execute(
    f"WITH u AS (SELECT who, least(1.0, {cap} / count(*)) w FROM f GROUP BY who) SELECT cell, sum(w) FROM f JOIN u USING (who) GROUP BY 1"
).fetchnumpy().values()
counts = np.zeros(rows * columns)
counts[cell] = total
noisy = np.maximum(counts + np.random.default_rng().laplace(0, cap / epsilon, counts.shape), 0).reshape(rows, columns)
c, r = (part.ravel() for part in np.meshgrid(np.arange(columns), np.arange(rows)))
boxes = shapely.box(west + c * size, north - (r + 1) * size, west + (c + 1) * size, north - r * size)
inside = shapely.intersects(boxes, land)
cells = gpd.GeoDataFrame({"estimate": noisy.ravel()[inside]}, geometry=boxes[inside], crs=crs)
np.savez_compressed(out / "release.npz", noisy=noisy)
cells.to_file(out / "cells.gpkg", layer="cells")
with rasterio.open(out / "map.tif", "w", driver="COG", width=columns, height=rows, count=1, dtype="float32", crs=crs.to_wkt(),
                   transform=rasterio.Affine(size, 0, west, 0, -size, north)) as target:
    target.write(np.where(inside.reshape(rows, columns), noisy, np.nan).astype("float32"), 1)
figure = Figure()
axes = figure.add_subplot()
image = axes.imshow(np.where(inside.reshape(rows, columns), noisy, np.nan), extent=(west, west + columns * size, north - rows * size, north))
figure.colorbar(image, label="sightings")
axes.set_title("Sightings")
figure.savefig(out / "map.png", dpi=300)
page = folium.Map(location=[middle.y, middle.x], zoom_start=8)
folium.GeoJson(cells.to_crs(4326).to_json()).add_to(page)
page.save(out / "map.html")
(out / "statement.md").write_text(f"epsilon {epsilon}, cap {cap}")
(out / "privacy.yaml").write_text(json.dumps({"epsilon": epsilon, "cap": cap}))
(out / "map.qml").write_text("<qgis/>")
"""


def release(folder):
    """The command of a first release, and the folder that it fills."""
    words = ["release", folder / "survey.csv", "--area", SAMPLES / "study_area.gpkg", "--cell", "5 km", "--unit", "observer_id",
             "--cap", "5", "--consent", "consent=yes", "--epsilon", "1", "--dataset", "X", "--budget", "3",
             "--ledger", folder / "new" / "x.ledger", "--out", folder / "new"]  # fmt: skip
    return ["-m", "dpmap", *map(str, words)]


def cases(folder):
    """What is timed, and the floor of each."""
    hand = ["-c", BY_HAND, folder / "survey.csv", SAMPLES / "study_area.gpkg", folder / "new"]
    files = [folder / "survey.csv", folder / "new" / "x.ledger", folder / "new" / "release.dpmap"]
    make_folder = f"import os\nos.mkdir({str(folder / 'new')!r})"
    return {
        "python": (["-c", "pass"], "python"),
        "import dpmap": (["-c", "import dpmap"], "python"),
        "import typer, rich": (
            ["-c", "import typer.main, rich.console, rich.table, rich.markdown"],
            "import typer, rich",
        ),
        "dpmap --help": (["-m", "dpmap", "--help"], "import typer, rich"),
        "import libraries": (["-c", f"import {LIBRARIES}"], "import libraries"),
        "by hand": (list(map(str, hand)), "import libraries"),
        "dpmap release": (release(folder), "import libraries"),
        "no layer": (["-c", f"{make_folder}{NO_LAYER}", *map(str, files)], "no layer"),
        "no layer, pandas": (
            ["-c", f"{make_folder}\nimport pyogrio{NO_LAYER}", *map(str, files)],
            "no layer",
        ),
    }


def timed(words):
    """Wall and CPU seconds of one process."""
    begun, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, *words],
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (
        time.perf_counter() - begun,
        after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
    )


def main():
    """One round unseen, so that all is compiled and in the system's cache; then the others."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        with open(SAMPLES / "raptors.csv", encoding="utf-8") as source:
            (folder / "survey.csv").write_text(
                "".join(line for line, _ in zip(source, range(ROWS + 1))), "utf-8"
            )
        found = {name: [] for name in cases(folder)}
        for number in range(ROUNDS + 1):
            for name, (words, _) in cases(folder).items():
                took = timed(words)
                if number:
                    found[name].append(took)
                if (folder / "new").exists():
                    made = sorted(path.name for path in (folder / "new").iterdir())
                    shutil.rmtree(folder / "new")
    print(
        f"{ROUNDS} rounds; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; the release's folder: {', '.join(made)}"
    )
    print(
        f"{'':<20} {'wall':>6} {'least':>6} {'CPU':>6} {'least':>6}   to its floor, in CPU seconds"
    )
    for name, (_, floor) in cases(Path()).items():
        wall, cpu = zip(*found[name], strict=True)
        ratios = sorted(
            mine[1] / theirs[1] for mine, theirs in zip(found[name], found[floor], strict=True)
        )
        told = (
            ""
            if name == floor
            else f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f}) of {floor}"
        )
        print(
            f"{name:<20} {statistics.median(wall):6.2f} {min(wall):6.2f} {statistics.median(cpu):6.2f} {min(cpu):6.2f}   {told}"
        )


if __name__ == "__main__":
    main()
