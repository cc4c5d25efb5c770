"""How long does one wait for the first map? `python benchmarks/start.py [ROUNDS [OTHER_CLONE]]`

Whole processes, one after the other in turn: `import dpmap`, `dpmap --help`, the first release of a CSV of 1,000 rows to all of
its files, and `about`, `ask`, `ledger` and `draw` of that release. Beside each what an expert would write by hand with the same
libraries for the same kinds of answers and files: floats, noise that is numpy's, no checks, no intervals, no patches, words
that say next to nothing; commands by typer, as dpmap's are. Beside that what only loading libraries takes. The release of a
CSV over a grid of bounds reads and writes no layer, so that neither GDAL nor pandas is loaded; beside it the same where they are.
Printed are wall and CPU seconds, the middle and the least of all rounds, the middle ratio of CPU seconds to that beside it, and
the peak of memory. With another clone of dpmap, of an earlier commit, its commands take turns with these; OTHER_CLONE is its folder.
"""

import os
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
import base64, hashlib, io, json, pathlib, sqlite3, sys, zipfile
import duckdb, folium, geopandas as gpd, jinja2, numpy as np, pandas as pd, pyproj, rasterio, shapely
from matplotlib import rc_context
from matplotlib.figure import Figure

survey, area, out, epsilon, cap, size = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), 1.0, 5, 5000.0
out.mkdir()
ledger = sqlite3.connect(out / "x.ledger")
ledger.execute("CREATE TABLE events (body TEXT, digest TEXT)")
body = json.dumps({"dataset": "X", "epsilon": str(epsilon), "budget": "3"})
ledger.execute("INSERT INTO events VALUES (?, ?)", (body, hashlib.sha256(body.encode()).hexdigest()))
ledger.commit()
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
shown = np.where(inside.reshape(rows, columns), noisy, np.nan)
extent = (west, west + columns * size, north - rows * size, north)
facts = {"dataset": "X", "epsilon": epsilon, "cap": cap, "unit": "observer_id", "extent": extent, "crs": crs.to_wkt()}
np.savez_compressed(out / "release.npz", noisy=noisy, inside=inside, facts=json.dumps(facts))
cells = gpd.GeoDataFrame({"estimate": noisy.ravel()[inside]}, geometry=boxes[inside], crs=crs)
for layer in ("cells", "patches", "measurements"):
    cells.to_file(out / "cells.gpkg", layer=layer)
with rasterio.open(out / "map.tif", "w", driver="COG", width=columns, height=rows, count=1, dtype="float32", crs=crs.to_wkt(),
                   transform=rasterio.Affine(size, 0, west, 0, -size, north)) as target:
    target.write(shown.astype("float32"), 1)


def draw(axes):
    image = axes.imshow(shown, extent=extent)
    axes.figure.colorbar(image, label="sightings")
    axes.set_title("Sightings")


figure = Figure()
draw(figure.add_subplot())
figure.savefig(out / "map.png", dpi=300)
small, picture = Figure(figsize=(7.4, 4.6)), io.BytesIO()
draw(small.add_subplot())
small.savefig(picture, dpi=170)
rules = [f"The {noun} of each person are capped at {cap}; noise of scale {cap / epsilon} was added." for noun in "ABCDEFGHIJKLMNOP"]
sheet = Figure(figsize=(8.27, 11.69))
sheet.text(0.06, 0.95, "Most lie in the middle", fontsize=17, weight="bold")
for number, rule in enumerate(rules):
    sheet.text(0.06, 0.4 - number * 0.02, rule, fontsize=8)
draw(sheet.add_axes((0.1, 0.45, 0.8, 0.45)))
with rc_context({"pdf.fonttype": 42}):
    sheet.savefig(out / "for-the-planner.pdf")
page = folium.Map(location=[middle.y, middle.x], zoom_start=8)
folium.GeoJson(cells.to_crs(4326).to_json()).add_to(page)
page.save(out / "map.html")
text = jinja2.Template("{% for rule in rules %}<p>{{ rule }}</p>{% endfor %}{% if picture %}<img src='data:;base64,{{ picture }}'>{% endif %}")
for name in ("statement", "attestation", "for-the-protected"):
    (out / f"{name}.html").write_text(text.render(rules=rules))
    (out / f"{name}.md").write_text("\\n".join(rules))
(out / "for-the-planner.html").write_text(text.render(rules=rules, picture=base64.b64encode(picture.getvalue()).decode()))
for name in ("privacy.yaml", "attestation.json", "datacite.json", "dcat.jsonld", "stac.json"):
    (out / name).write_text(json.dumps(facts))
(out / "map.qml").write_text("<qgis/>")
with zipfile.ZipFile(out / "planner.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    for name in ("for-the-planner.pdf", "for-the-planner.html", "map.html", "map.png", "cells.gpkg", "statement.html"):
        archive.write(out / name, name)
"""
COMMANDS_BY_HAND = {
    "about": """
import json, jinja2, numpy as np, typer

def main(release: str, as_json: bool = False) -> None:
    facts = json.loads(str(np.load(release)["facts"]))
    typer.echo(jinja2.Template("{% for name, value in facts.items() %}{{ name }}: {{ value }}\\n{% endfor %}").render(facts=facts))

typer.run(main)
""",
    "ask": """
import json, geopandas as gpd, numpy as np, shapely, typer

def main(release: str, zones: str, as_json: bool = False) -> None:
    saved = np.load(release)
    facts, noisy = json.loads(str(saved["facts"])), saved["noisy"]
    west, east, south, north = facts["extent"]
    rows, columns = noisy.shape
    size = (east - west) / columns
    c, r = (part.ravel() for part in np.meshgrid(np.arange(columns), np.arange(rows)))
    boxes = shapely.box(west + c * size, north - (r + 1) * size, west + (c + 1) * size, north - r * size)
    asked = gpd.read_file(zones).to_crs(facts["crs"])
    for number, zone in enumerate(asked.geometry):
        share = shapely.area(shapely.intersection(boxes, zone)) / size**2
        typer.echo(f"{number}: {share @ noisy.ravel():.0f}")

typer.run(main)
""",
    "ledger": """
import hashlib, json, sqlite3, typer

def main(ledger: str, as_json: bool = False) -> None:
    for body, digest in sqlite3.connect(ledger).execute("SELECT body, digest FROM events"):
        assert hashlib.sha256(body.encode()).hexdigest() == digest
        typer.echo(" ".join(f"{name}={value}" for name, value in json.loads(body).items()))

typer.run(main)
""",
    "draw": """
import json, numpy as np, typer
from matplotlib.figure import Figure

def main(release: str, to: str) -> None:
    saved = np.load(release)
    facts, noisy = json.loads(str(saved["facts"])), saved["noisy"]
    figure = Figure()
    axes = figure.add_subplot()
    shown = np.where(saved["inside"].reshape(noisy.shape), noisy, np.nan)
    figure.colorbar(axes.imshow(shown, extent=facts["extent"]), label="sightings")
    axes.set_title("Sightings")
    figure.savefig(to, dpi=300)

typer.run(main)
""",
    "--help": """
import typer

app = typer.Typer(add_completion=False)
for number in range(23):
    def command(file: str, as_json: bool = False) -> None:
        pass
    app.command(f"command{number}", help="Do something with a file, and say what it costs.")(command)
app()
""",
}


def release(folder):
    """The command of a first release, and the folder that it fills."""
    words = ["release", folder / "survey.csv", "--area", SAMPLES / "study_area.gpkg", "--cell", "5 km", "--unit", "observer_id",
             "--cap", "5", "--consent", "consent=yes", "--epsilon", "1", "--dataset", "X", "--budget", "3",
             "--ledger", folder / "new" / "x.ledger", "--out", folder / "new"]  # fmt: skip
    return list(map(str, words))


def answers(folder, saved):
    """The words of each command that a release is asked with, after its name; by hand it takes the same."""
    return {
        "about": [folder / saved],
        "ask": [folder / saved, SAMPLES / "districts.gpkg"],
        "ledger": [folder / "x.ledger"],
        "draw": [folder / saved, folder / "drawn.png"],
        "--help": [],
    }


def cases(folder, clones):
    """What is timed: the clone it is of, its words, and what it is beside."""
    area = SAMPLES / "study_area.gpkg"
    files = [folder / "survey.csv", folder / "new" / "x.ledger", folder / "new" / "release.dpmap"]
    make_folder = f"import os\nos.mkdir({str(folder / 'new')!r})"
    found = {
        "python": (ROOT, ["-c", "pass"], "python"),
        "import typer, rich": (
            ROOT,
            ["-c", "import typer.main, rich.console, rich.table, rich.markdown"],
            "import typer, rich",
        ),
        "import libraries": (ROOT, ["-c", f"import {LIBRARIES}"], "import libraries"),
        "release by hand": (
            ROOT,
            ["-c", BY_HAND, folder / "survey.csv", area, folder / "new"],
            "import libraries",
        ),
    }
    for name, words in answers(folder / "by hand", "release.npz").items():
        code = COMMANDS_BY_HAND[name]
        options = ["--help"] if name == "--help" else []
        found[f"{name} by hand"] = (ROOT, ["-c", code, *words, *options], "import typer, rich")
    for clone, tag in clones.items():
        found[f"import dpmap{tag}"] = (clone, ["-c", "import dpmap"], "python")
        found[f"dpmap release{tag}"] = (
            clone,
            ["-m", "dpmap", *release(folder)],
            "release by hand",
        )
        for name, words in answers(folder / "ours", "release.dpmap").items():
            words = [*words[:-1], "--to", words[-1]] if name == "draw" else words
            found[f"dpmap {name}{tag}"] = (clone, ["-m", "dpmap", name, *words], f"{name} by hand")
        found[f"no layer{tag}"] = (
            clone,
            ["-c", f"{make_folder}{NO_LAYER}", *files],
            "import libraries",
        )
        found[f"no layer, pandas{tag}"] = (
            clone,
            ["-c", f"{make_folder}\nimport pyogrio{NO_LAYER}", *files],
            "import libraries",
        )
    return found


def timed(clone, words, cwd):
    """Wall and CPU seconds of one process, and the megabytes at its peak; `cwd` is no clone, which would come before the other."""
    begun = time.perf_counter()
    started = subprocess.Popen(
        [sys.executable, *map(str, words)],
        stdout=subprocess.DEVNULL,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(clone)},
    )
    _, status, used = os.wait4(started.pid, 0)
    started.returncode = os.waitstatus_to_exitcode(status)
    if started.returncode:
        raise SystemExit(f"failed: {' '.join(map(str, words))[:200]}")
    return time.perf_counter() - begun, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main():
    """One round unseen, so that all is compiled and in the system's cache; then the others."""
    clones = {ROOT: "", **{Path(other).absolute(): " (other)" for other in sys.argv[2:3]}}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        with open(SAMPLES / "raptors.csv", encoding="utf-8") as source:
            (folder / "survey.csv").write_text(
                "".join(line for line, _ in zip(source, range(ROWS + 1))), "utf-8"
            )
        found = {name: [] for name in cases(folder, clones)}
        for number in range(ROUNDS + 1):
            for name, (clone, words, _) in cases(folder, clones).items():
                took = timed(clone, words, folder)
                if number:
                    found[name].append(took)
                if not (folder / "new").exists():
                    continue
                keep = {"release by hand": "by hand", "dpmap release": "ours"}.get(name)
                if keep and not number:
                    (folder / "new").rename(folder / keep)
                else:
                    shutil.rmtree(folder / "new")
        made = sorted(path.name for path in (folder / "ours").iterdir())
    print(
        f"{ROUNDS} rounds; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; the release's folder: {', '.join(made)}"
    )
    print(
        f"{'':<24} {'wall':>6} {'least':>6} {'CPU':>6} {'least':>6} {'MB':>5}   CPU seconds to those beside it"
    )
    for name, (_, _, beside) in cases(Path(), clones).items():
        wall, cpu, peak = zip(*found[name], strict=True)
        ratios = sorted(
            mine[1] / theirs[1] for mine, theirs in zip(found[name], found[beside], strict=True)
        )
        told = (
            ""
            if name == beside
            else f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f}) of {beside}"
        )
        print(
            f"{name:<24} {statistics.median(wall):6.2f} {min(wall):6.2f} {statistics.median(cpu):6.2f} {min(cpu):6.2f}"
            f" {statistics.median(peak):5.0f}   {told}"
        )


if __name__ == "__main__":
    main()
