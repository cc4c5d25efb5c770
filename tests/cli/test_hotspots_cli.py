"""`dpmap hotspots`: the same spots as in Python, in words, for programs and as a layer; every kind of map gets an answer or one line."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pytest

import dpmap as dm
from dpmap.cli import run
from dpmap.inference.selective_level import level_of_chosen

SAVED = Path(__file__).parents[1] / "stability" / "saved" / "0.2.0"
ROWS = SAVED / "rows.dpmap"


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs a command and returns its exit code, its answer, and its line on stderr."""

    def call(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run([*map(str, words)])
        told = capsys.readouterr()
        return code, told.out, told.err

    return call


@pytest.mark.parametrize(("above", "threshold"), [("surroundings", None), ("20", 20.0)])
def test_the_command_finds_what_python_finds(
    said: Any, above: str, threshold: float | None
) -> None:
    """The spots, their cells and totals are those of `release.hotspots`."""
    code, out, err = said("hotspots", ROWS, "--above", above, "--json")
    told, found = json.loads(out), dm.open(ROWS).hotspots(threshold)
    assert (code, err, told["above"]) == (0, "", threshold or "surroundings")
    assert len(told["spots"]) == len(found) > 0
    assert [spot["estimate"] for spot in told["spots"]] == found.estimate.tolist()
    assert sorted(cell["cell"] for cell in told["cells"]) == np.flatnonzero(found.cells).tolist()
    assert all(cell["low"] <= cell["estimate"] <= cell["high"] for cell in told["cells"])
    assert {"rate", "totals", "interval", "absence"} <= told["words"].keys()


def test_people_read_what_a_spot_means_and_what_a_missing_one_does_not(said: Any) -> None:
    """The words say how many may be false, that totals are capped, and that no spot is no proof of absence."""
    code, out, _ = said("hotspots", ROWS, "--above", "surroundings", "--rate", "0.05")
    assert code == 0
    assert "at most 5 % are there by noise alone" in out
    assert "no proof of absence" in out
    assert "capped" in out
    assert "Differentially private" in out


def test_a_listed_cell_has_the_interval_that_it_has_everywhere(said: Any) -> None:
    """What is believed of a cell does not hang on its having been chosen."""
    _, out, _ = said("hotspots", ROWS, "--above", "20", "--json")
    cells, release = json.loads(out)["cells"], dm.open(ROWS)
    low, high = (part.ravel()[cells[0]["cell"]] for part in release.interval(0.9))
    assert (cells[0]["low"], cells[0]["high"]) == (pytest.approx(low), pytest.approx(high))


def test_intervals_of_what_was_chosen_hold_as_often_as_stated() -> None:
    """Of cells chosen for standing above a number, at most a tenth of the intervals miss; those for cells named beforehand miss more.

    400 maps of 400 cells: the mean share lies within 0.02 of what is expected but for a chance below one in a million.
    """
    from dpmap.inference import discoveries

    rng = np.random.default_rng(8)
    missed: dict[bool, list[float]] = {True: [], False: []}
    for _ in range(400):
        truth = np.where(rng.random(400) < 0.1, rng.uniform(0, 8, 400), 0.0)
        noise = rng.laplace(0, 1, 400)
        noisy = truth + noise
        tail = np.where(noisy > 0, np.exp(-np.abs(noisy)) / 2, 1.0)
        chosen = discoveries(tail, 0.1)
        for adjusted in missed:
            level = level_of_chosen(0.9, int(chosen.sum()), 400) if adjusted else 0.9
            off = np.abs(noise[chosen]) > -np.log(1 - level)
            missed[adjusted].append(float(off.mean()) if len(off) else 0.0)
    assert np.mean(missed[True]) <= 0.1 < 0.15 < np.mean(missed[False])


def test_a_layer_of_spots_opens_with_its_style_and_says_what_it_is(
    said: Any, tmp_path: Path
) -> None:
    """The GeoPackage has one layer of outlines, its style and legend, and the statement with the rule."""
    code, out, _ = said(
        "hotspots", ROWS, "--above", "surroundings", "--to", tmp_path / "spots.gpkg"
    )
    assert code == 0
    assert f"wrote {tmp_path / 'spots.gpkg'}" in out
    layer = gpd.read_file(tmp_path / "spots.gpkg", layer="hotspots")
    assert layer.columns.tolist()[:5] == ["spot", "cells", "estimate", "low", "high"]
    with sqlite3.connect(tmp_path / "spots.gpkg") as file:
        ((name, qml),) = file.execute("SELECT f_table_name, styleQML FROM layer_styles").fetchall()
        facts = dict(file.execute("SELECT field, value FROM statement").fetchall())
    assert name == "hotspots"
    assert "Hot spots: above their surroundings (at most 10 % false, on average)" in qml
    assert facts["epsilon"]
    assert "no proof of absence" in facts["hotspots_absence"]


@pytest.mark.parametrize("suffix", ["geojson", "parquet", "csv"])
def test_spots_are_written_in_other_forms_too(said: Any, tmp_path: Path, suffix: str) -> None:
    """Each has a row for each spot, and beside it a style or what its columns mean."""
    code, out, _ = said(
        "hotspots", ROWS, "--above", "20", "--to", tmp_path / f"spots.{suffix}", "--json"
    )
    told = json.loads(out)
    assert code == 0
    assert len(told["wrote"]) == 2
    assert all(Path(path).is_file() for path in told["wrote"])
    read = {"csv": gpd.pd.read_csv, "geojson": gpd.read_file, "parquet": gpd.read_parquet}[suffix]
    assert len(read(tmp_path / f"spots.{suffix}")) == len(told["spots"])


def test_no_spot_is_an_answer_too(said: Any, tmp_path: Path) -> None:
    """Where nothing stands out the command says so, and the layer is there without rows."""
    code, out, err = said("hotspots", ROWS, "--above", "1e6", "--to", tmp_path / "none.gpkg")
    assert (code, err) == (0, "")
    assert out.startswith("No hot spot above 1,000,000 points.")
    assert len(gpd.read_file(tmp_path / "none.gpkg", layer="hotspots")) == 0


def test_cells_with_names_or_codes_are_called_by_them(said: Any) -> None:
    """Areas have their names, hexagons their indices."""
    areas = json.loads(said("hotspots", SAVED / "areas.dpmap", "--above", "20", "--json")[1])
    hexagons = json.loads(
        said("hotspots", SAVED / "hexagons.dpmap", "--above", "surroundings", "--json")[1]
    )
    assert areas["cells"]
    assert all(cell["name"] in areas["spots"][cell["spot"] - 1]["name"] for cell in areas["cells"])
    assert all(len(cell["h3"]) == 15 for cell in hexagons["cells"])


@pytest.mark.parametrize("path", sorted(SAVED.glob("*.dpmap")), ids=lambda path: path.stem)
def test_every_kind_of_map_gets_an_answer_or_one_line(
    said: Any, tmp_path: Path, path: Path
) -> None:
    """Layers, means, reports, merged and sparse maps are answered, or refused with what to do instead."""
    code, out, err = said("hotspots", path, "--above", "5", "--json", "--to", tmp_path / "a.gpkg")
    if code == 0:
        assert err == ""
        assert json.loads(out)["words"]["found"]
    else:
        assert (code, err.count("\n")) == (2, 1)
        assert err == f"dpmap: {json.loads(out)['error']}\n"
        assert err.startswith("dpmap: hotspots: ")
        assert not list(tmp_path.iterdir())


def test_one_layer_of_a_map_is_asked_by_its_name(said: Any) -> None:
    """With --layer a map of kinds answers for one of them."""
    code, out, _ = said(
        "hotspots", SAVED / "kinds.dpmap", "--above", "surroundings", "--layer", "kestrel", "--json"
    )
    assert code == 0
    assert json.loads(out)["words"]["found"]


@pytest.mark.parametrize(
    "wrong",
    [
        ["--above", "many"],
        ["--above=-3"],
        ["--above", "nan"],
        ["--above", "1_0"],
        ["--above", "3", "--rate", "0"],
        ["--above", "3", "--rate", "1"],
        ["--above", "3", "--level", "2"],
        ["--above", "3", "--to", "spots.shp"],
        [],
    ],
)
def test_what_is_typed_wrong_is_one_line(said: Any, wrong: list[str]) -> None:
    """A number, rate, level or file that cannot be meant is bad input, told in one line."""
    code, out, err = said("hotspots", ROWS, *wrong)
    assert (code, out, err.count("\n")) == (2, "", 1)
