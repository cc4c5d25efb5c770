"""What commands answer with `--json`, what a release's folder holds, and the columns of layers: names only, no numbers."""

import json
import shutil
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import dpmap as dm
from dpmap.cli import run

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "data_samples"
GRID = ("--area", SAMPLES / "study_area.gpkg", "--cell", "20 km")
PROMISE = ("--unit", "observer_id", "--epsilon", "0.5", "--cap", "5")
ZONED = ("--zones", SAMPLES / "districts.gpkg")
READ = (SAMPLES / "raptors.csv", *GRID, *PROMISE)


def asked(folder: Path) -> dict[str, tuple[Any, ...]]:
    """The commands in their order, each by the name under which its answer is listed."""
    paid = ("--dataset", "Raptors", "--budget", "9", "--ledger", folder / "a.ledger")
    made = folder / "made" / "release.dpmap"
    return {
        "dpmap init": ("init", SAMPLES / "raptors.csv", *GRID, *PROMISE, "--out", folder / "dpmap.toml"),
        "dpmap inspect": ("inspect", SAMPLES / "raptors.csv", "--unit", "observer_id"),
        "dpmap grid": ("grid", *GRID),
        "dpmap plan": ("plan", *GRID, "--epsilon", "0.5", "--cap", "5", "--units", "800"),
        "dpmap plan --years": ("plan", *GRID, "--cap", "5", "--units", "800", "--years", "2", "--budget", "1"),
        "dpmap rehearse": ("rehearse", *GRID, "--cap", "5", "--units", "800", "--budget", "1"),
        "dpmap release": ("release", *READ, *paid, "--strategy", "flat", "--out", folder / "made", "--progress", "json"),
        "dpmap release --tier": (
            "release", SAMPLES / "raptors.csv", *GRID, "--unit", "observer_id", "--cap", "5", "--tier", "public=0.3", "--tier", "staff=1",
            *paid, "--out", folder / "tiers", "--seal", folder / "tiers.sealed",
        ),
        "dpmap release --times": ("release", *READ, *paid, "--times", "date=2025,2026,2027", "--out", folder / "layers"),
        "dpmap unseal": ("unseal", folder / "tiers.sealed", "--tier", "staff", "--out", folder / "opened"),
        "dpmap choose": ("choose", SAMPLES / "raptors.csv", "--among", SAMPLES / "districts.gpkg", *PROMISE, *paid),
        "dpmap about": ("about", made),
        "dpmap ask": ("ask", made, SAMPLES / "districts.gpkg"),
        "dpmap ask --than": ("ask", made, SAMPLES / "districts.gpkg", "--than", "30"),
        "dpmap hotspots": ("hotspots", made, "--above", "1"),
        "dpmap compare": ("compare", *2 * [folder / "layers" / "release.dpmap"], "--layer-before", "2025", "--layer-after", "2026", *ZONED),
        "dpmap draw": ("draw", made, "--to", folder / "a.svg"),
        "dpmap draws": ("draws", made, "--n", "2", "--to", folder / "a.nc"),
        "dpmap export": ("export", made, "--to", folder / "a.csv"),
        "dpmap ledger": ("ledger", folder / "a.ledger"),
        "dpmap ledger --against": ("ledger", folder / "a.ledger", "--against", made),
        "dpmap merge": ("merge", *_partners(folder), "--out", folder / "both"),
        "dpmap local ask": ("local", "ask", *GRID, "--epsilon", "3", "--title", "Owls", "--to", folder / "question.json"),
        "dpmap local aggregate": (
            "local", "aggregate", SAMPLES / "reports.jsonl", "--question", SAMPLES / "question.json", "--out", folder / "devices",
        ),
        "dpmap selftest": ("selftest", "--only", "places"),
    }  # fmt: skip


def _partners(folder: Path) -> list[Path]:
    for name in ("flat", "disjoint-data-sets"):
        shutil.copy(Path(__file__).parent / "saved" / "0.1.0" / f"{name}.dpmap", folder)
    return [folder / "flat.dpmap", folder / "disjoint-data-sets.dpmap"]


def answers(folder: Path) -> dict[str, list[str]]:
    """Runs each command on the sample and lists the keys of its answer, and those of its progress."""
    found = {}
    for name, words in asked(folder).items():
        said, shown = StringIO(), StringIO()
        with redirect_stdout(said), redirect_stderr(shown):
            code = run([*map(str, words), "--json"])
        assert code == 0, (name, shown.getvalue())
        found[name] = sorted(set(_keys(json.loads(said.getvalue()), OPEN.get(name, ()))))
        if "json" in words[-1:]:
            lines = [json.loads(line) for line in shown.getvalue().splitlines()]
            found["a line of --progress json"] = sorted({key for line in lines for key in line})
    return found


OPEN = {
    "dpmap release": ("read_as",),
    "dpmap release --tier": ("read_as", "tiers"),
    "dpmap release --times": ("read_as",),
    "dpmap inspect": (
        "scaled_away",
        "left_out",
        "dates",
        "histogram",
        "columns",
        "roles",
        "limits",
        "files",
    ),
}
"""Parts of answers whose keys are the user's own columns or words, and no promise."""


def _keys(answer: Any, of_users: "tuple[str, ...]", before: str = "") -> "list[str]":
    """Lists the paths of all keys, of a list of answers those of its first."""
    if isinstance(answer, list):
        return _keys(answer[0], of_users, f"{before}[]") if answer else []
    if not isinstance(answer, dict):
        return []
    found = []
    for name, value in answer.items():
        path = f"{before}.{name}".lstrip(".")
        found += [path] if path in of_users else [path, *_keys(value, of_users, path)]
    return found


def folders(folder: Path) -> dict[str, list[str]]:
    """Lists what the folders of those releases hold."""
    places = {
        "dpmap release": "made",
        "dpmap release --times": "layers",
        "dpmap release --tier": "tiers",
        "dpmap merge": "both",
    }
    return {
        name: sorted(
            str(path.relative_to(folder / place))
            for path in (folder / place).rglob("*")
            if path.is_file()
        )
        for name, place in places.items()
    }


def columns(folder: Path) -> dict[str, list[str]]:
    """Lists the columns of layers and tables, and the bands of a raster."""
    import pyogrio
    import rasterio

    made, layers = (dm.open(folder / name / "release.dpmap") for name in ("made", "layers"))
    package = folder / "made" / "cells.gpkg"
    found = {
        f"cells.gpkg: {name}": list(pyogrio.read_info(package, layer=name)["fields"])
        for name, _ in pyogrio.list_layers(package)
        if name != "layer_styles"
    }
    with rasterio.open(folder / "made" / "map.tif") as raster:
        found["map.tif"] = list(raster.descriptions)
    saved = Path(__file__).parent / "saved" / "0.1.0"
    tables = {
        "Release.to_geodataframe()": made.to_geodataframe(),
        "Release.to_geodataframe() of layers": layers.to_geodataframe(),
        "Release.to_geodataframe() of means": dm.open(saved / "means.dpmap").to_geodataframe(),
        "Release.to_geodataframe() of devices": dm.open(
            saved / "reports-oue.dpmap"
        ).to_geodataframe(),
        "Release.to_geodataframe() of a merged map": dm.open(
            saved / "merged.dpmap"
        ).to_geodataframe(),
        "Release.patches()": made.patches(),
        "Release.ask(zones)": made.ask(SAMPLES / "districts.gpkg"),
        "Release.ask(zones, than=30)": made.ask(SAMPLES / "districts.gpkg", than=30),
        "Release.hotspots().to_geodataframe()": made.hotspots().to_geodataframe(),
    }
    data = made.to_xarray()
    parts = {"Release.to_xarray()": sorted([*data.data_vars, *data.coords])}
    return {**found, **{name: list(table.columns) for name, table in tables.items()}, **parts}
