"""What is not needed is not loaded, and a library that is missing is named: no pandas where no layer is read."""

import subprocess
import sys
from pathlib import Path

import pytest
from builders.waiting import LONG

import dpmap as dm
from dpmap.cli import run
from dpmap.errors import PARTS, MissingExtra

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "data_samples"
NO_LAYERS = {"pandas", "geopandas", "pyogrio", "xarray", "rasterio", "folium"}
RELEASE = """
import dpmap as dm

grid = dm.Grid(bounds=(-3, 39, 0, 42), shape=(4, 4), crs="EPSG:4326")
policy = dm.Policy(epsilon=1, unit="who", cap=5)
survey = dm.read("survey.csv", team="auto", x="lon", y="lat", crs="EPSG:4326")
release = dm.release(survey, grid, policy, ledger="a.ledger", dataset="X", budget=1, to="a.dpmap")
release.plot()
"""
GRID = "'--bounds=-3,39,0,42', '--shape', '4,4', '--grid-crs', 'EPSG:4326'"
COMMANDS = {
    "about": "'about', 'a.dpmap'",
    "draw": "'draw', 'a.dpmap', '--to', 'a.png'",
    "page": "'draw', 'a.dpmap', '--to', 'a.html'",
    "plan": f"'plan', {GRID}, '--epsilon', '1', '--cap', '5'",
    "inspect": "'inspect', 'survey.csv', '--unit', 'who', '--x', 'lon', '--y', 'lat', '--crs', 'EPSG:4326'",
}


def loaded(code: str, folder: Path) -> set[str]:
    """The packages that are loaded in a new process after this code."""
    tail = "\nimport sys\nprint(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", code + tail],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": "", "MPLBACKEND": "agg"},
        capture_output=True,
        text=True,
        timeout=LONG,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a small survey and its release, and what was loaded to make it."""
    place = tmp_path_factory.mktemp("light")
    rows = ["who,lon,lat", "ana,-1.5,40.5", "Bo Li; Cy,-1.5,40.5", '"Dr. Eve (2nd)",-2.5,41.5']
    (place / "effort.tif").write_bytes(b"II*\0")
    (place / "survey.csv").write_text("\n".join(rows) + "\n")
    (place / "loaded.txt").write_text(" ".join(loaded(RELEASE, place)))
    return place


def test_a_release_of_a_csv_over_bounds_loads_no_pandas(folder):
    """Names are folded, the map is made, saved and drawn without what reads layers."""
    assert not NO_LAYERS & set((folder / "loaded.txt").read_text().split())


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_without_layers_loads_no_pandas(command, folder):
    """What the command line answers without a layer it answers without pandas."""
    code = f"from dpmap.cli import run\nassert run([{COMMANDS[command]}]) == 0"
    assert not NO_LAYERS & loaded(code, folder)


NOT_ASKED_FOR = {
    "about": {"scipy", "matplotlib", "shapely", "pyproj", "duckdb", "pyarrow"},
    "ledger": {"numpy", "jinja2", "rich", "duckdb", "pyarrow"},
}


@pytest.mark.parametrize("command", NOT_ASKED_FOR)
def test_what_is_read_from_one_file_alone_loads_little(command, folder):
    """A statement needs no estimate and no picture, and a ledger no array at all."""
    words = {"about": "'about', 'a.dpmap'", "ledger": "'ledger', 'a.ledger'"}[command]
    code = f"from dpmap.cli import run\nassert run([{words}]) == 0"
    assert not (NO_LAYERS | NOT_ASKED_FOR[command]) & loaded(code, folder)


UNTIL_DRAWN = f"""
import os, sys
from dpmap.cli import run
from dpmap.releases import folder_writer

write = folder_writer._write_file

def write_until_drawn(release, path, context):
    if path.name == "map.png":
        print(*{{name.partition(".")[0] for name in sys.modules}}, flush=True)
        os._exit(0)
    return write(release, path, context)

folder_writer._write_file = write_until_drawn
run(["release", SURVEY, "--unit", "who", "--x", "lon", "--y", "lat", "--crs", "EPSG:4326", {GRID}, "--cap", "5",
     "--epsilon", "1", "--dataset", "X", "--budget", "1", "--ledger", SURVEY + ".ledger", "--out", SURVEY + ".new"])
raise SystemExit("no picture was drawn")
"""


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_until_it_draws_a_release_over_bounds_loads_neither_tables_nor_pictures(suffix, folder):
    """Reading, counting, drawing noise, the ledger and the statements need no library of layers, tables or pictures."""
    from pyarrow import csv, parquet

    parquet.write_table(csv.read_csv(folder / "survey.csv"), folder / "survey.parquet")
    found = loaded(f"SURVEY = 'survey.{suffix}'\n{UNTIL_DRAWN}", folder)
    assert not (NO_LAYERS | {"matplotlib", "branca"}) & found


OPENED = {
    "interval": lambda release: release.interval(),
    "plot": lambda release: release.plot(),
    "page": lambda release: release.draw("a.html"),
    "to_geodataframe": lambda release: release.to_geodataframe(),
    "ask": lambda release: release.ask((-2, 40, -1, 41)),
    "layer": lambda release: release.export("a.gpkg"),
    "patches": lambda release: release.patches(),
    "plan": lambda release: dm.plan(release.grid, release.policy),
}
NEEDS = {
    "read": ("duckdb", lambda release: dm.read("survey.csv")),
    "read's Arrow": ("pyarrow", lambda release: dm.read("survey.csv")),
    "a release's raster": ("rasterio", lambda release: dm.read("survey.csv")),
    "raster": ("rasterio", lambda release: release.export("a.tif")),
    "amounts": ("rasterio", lambda release: release.rates("effort.tif")),
    "cube": ("xarray", lambda release: release.to_xarray()),
    "file of a cube": ("xarray", lambda release: release.export("a.nc")),
    "folium": ("folium", lambda release: release.explore()),
    "Parquet": ("pyarrow", lambda release: release.export("a.parquet")),
}


class Absent:
    """Finds none of these libraries, as where they are not installed."""

    def __init__(self, names):
        self.names = names

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


@pytest.fixture
def without(monkeypatch, folder):
    """Takes libraries away, in the folder of a release."""
    monkeypatch.chdir(folder)

    def take(*names):
        for name in list(sys.modules):
            if name.partition(".")[0] in names:
                monkeypatch.delitem(sys.modules, name)
        monkeypatch.setattr(sys, "meta_path", [Absent(names), *sys.meta_path])

    return take


@pytest.mark.parametrize("use", OPENED)
def test_a_release_is_used_without_what_reads_surveys_and_rasters(use, folder):
    """A map is opened, asked, drawn, planned by and written as layers without any of these libraries."""
    code = "\n".join([
        "import sys", "import test_light_core as t",
        "for name in t.PARTS: sys.modules.pop(name, None)",
        "sys.meta_path.insert(0, t.Absent({*t.PARTS, 'branca'}))",
        f"t.OPENED[{use!r}](t.dm.open('a.dpmap'))",
    ])  # fmt: skip
    loaded(f"import sys\nsys.path.insert(0, {str(ROOT / 'tests')!r})\n{code}", folder)


@pytest.mark.parametrize("use", NEEDS)
def test_a_missing_library_is_named_in_one_line(use, without):
    """What needs more says what to install, which is an extra's own libraries."""
    library, call = NEEDS[use]
    release = dm.open("a.dpmap")
    without(library)
    with pytest.raises(MissingExtra) as missing:
        call(release)
    assert missing.value.terminal_line == PARTS[library]


def test_the_command_line_names_it_too(without, capsys):
    """A command that lacks a library ends with 2 and one line."""
    without("duckdb")
    assert run(["inspect", "survey.csv", "--unit", "who"]) == 2
    assert PARTS["duckdb"] in capsys.readouterr().err
