"""`dpmap plan` and `--cap auto:...` on the command line: what is typed is what is planned, and mistakes are one line."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import rasterio
from builders import surveys
from builders.waiting import LONG

import dpmap as dm
from dpmap.cli import run

SQUARE = ["plan", "--bounds", "0,50,1,51", "--shape", "6,8"]
AREA = str(Path(__file__).parents[2] / "data_samples" / "study_area.gpkg")


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Few rehearsals of few shapes: what is promised of them is tested elsewhere."""
    from dpmap.steward.planning import landscapes, planner

    monkeypatch.setattr(landscapes, "LIBRARY", dict(landscapes.SHAPES))
    monkeypatch.setattr(planner, "MOST", 4)


def call(capsys, *words):
    code = run([str(word) for word in words])
    out, err = capsys.readouterr()
    return code, out, err


def test_a_plan_in_lines(capsys):
    """Noise, table, expected errors and advice are printed, and that no survey was read."""
    code, out, err = call(capsys, *SQUARE, "--epsilon", "0.5", "--cap", "5", "--units", "300")
    assert (code, err) == (0, "")
    for words in (
        "No survey was read",
        "95 % of cells within",
        "zones of one cell",
        "told from noise",
        "What the map will show",
        "flat",
        "epsilon 0.5",
        "village",
    ):
        assert words in out
    assert out.count("*") >= 1


def test_a_plan_as_json_and_as_page(capsys, tmp_path):
    """--json is one document with the same numbers, and --to writes the page."""
    code, out, _ = call(
        capsys, *SQUARE, "--epsilon", "0.5", "--cap", "5", "--json", "--to", tmp_path / "plan.html"
    )
    plan = json.loads(out)
    assert code == 0 and plan["noise"]["scale"] == 10 and plan["policy"]["epsilon"] == "0.5"
    assert (tmp_path / "plan.html").read_text().startswith("<!doctype html>")


def test_the_bargain_for_epsilon(capsys):
    """--error and --tail without --epsilon find it; with a private choice of cap, what choosing costs is added."""
    code, out, _ = call(capsys, *SQUARE, "--cap", "5", "--error", "5", "--tail", "20:1%", "--json")
    assert code == 0 and json.loads(out)["policy"]["epsilon"] == "1.42"
    _, out, _ = call(capsys, *SQUARE, "--cap", "auto:0.5:1-5", "--error", "5", "--json")
    assert (
        json.loads(out)["policy"]["epsilon"] == "2.83"
        and json.loads(out)["noise"]["standard_error"] <= 5
    )


def test_the_bargain_for_cells(capsys):
    """Without --cell one is chosen for the area, and said."""
    code, out, _ = call(
        capsys, "plan", "--area", AREA, "--epsilon", "0.5", "--cap", "5", "--units", "800", "--json"
    )
    plan = json.loads(out)
    (chosen,) = [option for option in plan["options"] if option["chosen"]]
    assert code == 0 and chosen["cell"] == plan["grid"]["cell"] and chosen["cell"] in plan["advice"]


def test_planning_like_a_raster(capsys, tmp_path):
    """A public raster takes the place of the invented shapes."""
    placed = rasterio.Affine(0.25, 0, -1, 0, -0.25, 52)
    with rasterio.open(tmp_path / "people.tif", "w", driver="GTiff", width=12, height=12, count=1, dtype="float32",
                       crs="EPSG:4326", transform=placed) as out:  # fmt: skip
        out.write(np.arange(144, dtype=np.float32).reshape(12, 12), 1)
    code, out, _ = call(
        capsys, *SQUARE, "--epsilon", "1", "--cap", "2", "--like", tmp_path / "people.tif", "--json"
    )
    assert code == 0 and {row["shape"] for row in json.loads(out)["expected"]} == {"people"}


def test_flags_from_a_file(capsys, tmp_path):
    """--config holds the same flags."""
    (tmp_path / "c.toml").write_text('epsilon = "0.25"\ncap = 4\nunits = 50\n')
    code, out, _ = call(capsys, *SQUARE, "--config", tmp_path / "c.toml", "--json")
    assert code == 0 and json.loads(out)["units"] == 50


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["--epsilon", "1"], 3, "cap"),
        (["--cap", "3"], 3, "epsilon"),
        (["--epsilon", "1", "--cap", "auto:-0.1"], 2, "share"),
        (["--epsilon", "1", "--cap", "auto:1.5"], 2, "share"),
        (["--epsilon", "0.0001", "--cap", "auto:0.5:1-5"], 2, "raise epsilon"),
        (["--epsilon", "1", "--cap", "auto:0.1:0-9"], 2, "ladder"),
        (["--cap", "3", "--detect", "0"], 2, "--detect"),
        (["--cap", "3", "--detect", "20", "--delta", "1e-6"], 2, "give --epsilon"),
        (
            ["--cap", "3", "--detect", "20", "--tier", "a=1", "--tier", "b=2"],
            2,
            "tiers have an epsilon each",
        ),
        (["--cap", "3", "--zones", "p.gpkg"], 2, "--within 30%"),
        (["--cap", "3", "--within", "30%"], 2, "--zones"),
        (["--cap", "3", "--zones", "nowhere.gpkg", "--within", "30%"], 2, "nowhere.gpkg"),
        (["--cap", "3", "--zones", AREA, "--within", "30"], 2, "--within"),
        (["--cap", "3", "--epsilon", "1", "--zones-layer", "x"], 2, "--zones-layer"),
        (["--cap", "3", "--epsilon", "1", "--spent", "1"], 2, "--budget"),
        (["--cap", "3", "--epsilon", "1", "--budget", "1", "--spent", "2"], 2, "--spent"),
        (["--cap", "3", "--error", "-5"], 2, "--error"),
        (["--cap", "3", "--tail", "20:200%"], 2, "--tail"),
        (["--epsilon", "1", "--cap", "3", "--units", "0"], 2, "units"),
        (["--epsilon", "1", "--cap", "3", "--each", "4"], 2, "each"),
        (["--epsilon", "1", "--cap", "3", "--like", "nowhere.tif"], 2, "--like"),
        (["--epsilon", "1", "--cap", "3", "--to", "plan.docx"], 2, "--to"),
    ],
)
def test_mistakes_are_one_line(capsys, words, code, told):
    """Each is one line with its exit code, naming what to change."""
    found, out, err = call(capsys, *SQUARE, *words)
    assert (
        found == code
        and out == ""
        and told in err
        and err.count("\n") == 1
        and "Traceback" not in err
    )


def test_a_plan_without_a_place(capsys):
    """No area is a refusal that names the flag."""
    code, _, err = call(capsys, "plan", "--epsilon", "1", "--cap", "3")
    assert code == 3 and "--area" in err


def survey(tmp_path):
    path = surveys.written(tmp_path, surveys.scattered(200, people=9))
    return [path, "--bounds", "0,50,1,51", "--shape", "2,2", "--unit", "who", "--dataset", "d"]


def test_a_release_whose_cap_is_chosen(capsys, tmp_path, monkeypatch):
    """--cap auto:0.1:2-8 spends all of epsilon and no more, and the statement names share and choice."""
    monkeypatch.setattr(
        "dpmap.cli.release.save_all",
        lambda made, place, progress, context, **how: _few(made, place, ["statement.md"]),
    )
    code, _, err = call(capsys, "release", *survey(tmp_path), "--epsilon", "0.5", "--budget", "1", "--cap", "auto:0.1:2-8",
                        "--out", tmp_path / "out")  # fmt: skip
    assert (code, err) == (0, "")
    release = dm.open(tmp_path / "out" / "release.dpmap")
    assert release.policy.cap in (2, 3, 5, 7, 8) and release.policy.cap_origin == "chosen privately"
    assert "chosen privately from 2, 3, 5, 7, 8" in (tmp_path / "out" / "statement.md").read_text()
    _, out, _ = call(
        capsys, "ledger", tmp_path / "dpmap.ledger", "--against", tmp_path / "out" / "release.dpmap"
    )
    assert "cap=auto:0.1:2-8" in out and "spent 0.5 of 1" in out


def _few(made, place, names):
    made.save(place / "release.dpmap")
    for name in names:
        made.write(place / name)
    return [place / name for name in ("release.dpmap", *names)]


def test_a_bad_choice_spends_nothing(capsys, tmp_path):
    """A share that makes no sense is one line, and the ledger is not even made."""
    code, _, err = call(
        capsys,
        "release",
        *survey(tmp_path),
        "--epsilon",
        "0.5",
        "--budget",
        "1",
        "--cap",
        "auto:2",
        "--out",
        tmp_path / "o",
    )
    assert code == 2 and err.count("\n") == 1 and not (tmp_path / "dpmap.ledger").exists()


def test_help_loads_no_heavy_library():
    """`dpmap plan --help` starts without numpy, matplotlib or rasterio."""
    code = "import sys; from dpmap.cli import run; run(['plan', '--help']); print([m for m in ('numpy', 'matplotlib', 'rasterio') if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=LONG
    )
    assert done.stdout.strip().endswith("[]")
