"""What is not needed is not loaded: no pandas where no layer is read."""

import subprocess
import sys
from pathlib import Path

import pytest
from builders.waiting import LONG

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
