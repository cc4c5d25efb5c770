"""Answers randomised on a device: the stated chances, the shared vectors, and that a question is answered once."""

import json
import math
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from builders.waiting import LONG
from hypothesis import given, settings
from hypothesis import strategies as st
from proofs import PROOFS

from dpmap import selftest
from dpmap.cli import run
from dpmap.errors import BadInput, DpmapError, Refused
from dpmap.grid import Grid
from dpmap.grid.layer_axes import Kinds
from dpmap.local import device
from dpmap.local.device import (
    Question,
    ReportStore,
    answer_once,
    better,
    randomise,
    report,
    threshold,
)
from dpmap.local.questions import ask, grid_of, read_question
from dpmap.selftest.check import Effort

ROOT = Path(__file__).parents[2]
VECTORS = json.loads(Path(__file__).with_name("vectors.json").read_text("utf-8"))
SAMPLES = ROOT / "data_samples"
EPSILONS = st.fractions(Fraction(1, 100), 10, max_denominator=1000)


def question(epsilon="1", cells=4, mechanism=None):
    epsilon = Fraction(epsilon)
    return Question("Owls", "Where?", "0" * 32, epsilon, mechanism or better(epsilon, cells), cells)


@given(EPSILONS, st.integers(1, 65_535))
@settings(max_examples=60, deadline=None)
def test_no_answer_makes_a_report_more_likely_than_epsilon_allows(epsilon, cells):
    """The odds of the chances in use are at most e^epsilon, and short of it by no more than rounding a threshold up takes."""
    asked = question(epsilon, cells)
    p, q = asked.truth, asked.other
    odds = p / q if asked.mechanism == "grr" else p * (1 - q) / (q * (1 - p))
    assert 1 <= odds <= Fraction(math.exp(epsilon)) * (1 + Fraction(1, 10**12))
    assert odds >= Fraction(math.exp(epsilon)) * (1 - Fraction(1, 10**12)) - 2 / (q**2 * 2**32)
    if asked.mechanism == "grr":
        assert p + cells * q == 1


@pytest.mark.parametrize("name", ["answers", "words", "thresholds", "once"])
def test_the_selftest_counts_the_chances_out(name):
    """The proofs of the device pass: its chances counted out, its coins apart, its entropy fresh."""
    (check,) = [one for one in (*selftest.CHECKS, *PROOFS) if one.name == name]
    assert check.run(Effort()).tried


def test_the_mechanism_of_the_smaller_variance_is_taken():
    """k-ary randomised response for few cells, unary encoding for many, changing where their variances do."""
    for epsilon in (Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4)):
        for cells in (1, 2, 5, 9, 23, 24, 100, 400):
            variance = {}
            for mechanism in ("grr", "oue"):
                p, q = (
                    question(epsilon, cells, mechanism).truth,
                    question(epsilon, cells, mechanism).other,
                )
                variance[mechanism] = q * (1 - q) / (p - q) ** 2
            best = min(variance, key=variance.get)
            assert better(epsilon, cells) == best or max(variance.values()) < 1.05 * min(
                variance.values()
            )


@pytest.mark.parametrize(
    "vector", VECTORS, ids=lambda one: f"{one['mechanism']}-{one['cells']}-{one['cell']}"
)
def test_the_shared_vectors(vector):
    """The same bytes instead of entropy make the reports that are written in vectors.json."""
    asked = Question(
        "t", "w", vector["round"], Fraction(vector["epsilon"]), vector["mechanism"], vector["cells"]
    )
    assert report(vector["cell"], asked, bytes.fromhex(vector["stream"])) == vector["report"]


def test_the_vectors_are_those_of_the_script():
    """vectors.json is what make_vectors.py writes."""
    sys.path.insert(0, str(Path(__file__).parent))
    from make_vectors import vectors

    assert vectors() == VECTORS


@pytest.mark.parametrize("cells", [3, 40])
def test_reports_come_as_often_as_stated(cells):
    """Of many real reports each answer is as frequent as its chance says: within six standard deviations each."""
    asked, count = question("1", cells), 6000
    found = np.zeros(cells + 1)
    for _ in range(count):
        said = json.loads(randomise(2, asked))["answer"]
        found += (
            np.arange(cells + 1) == said if isinstance(said, int) else unpacked(said, cells + 1)
        )
    chances = np.full(cells + 1, float(asked.other))
    chances[2] = float(asked.truth)
    assert (np.abs(found - count * chances) < 6 * np.sqrt(count * chances * (1 - chances))).all()


def unpacked(text, count):
    import base64

    return np.unpackbits(np.frombuffer(base64.b64decode(text), np.uint8), count=count)


def test_a_question_is_answered_once(tmp_path):
    """Whatever is answered the second time, the same line goes out; the device keeps that line and nothing else."""
    asked = question()
    first = answer_once(1, asked, ReportStore(tmp_path / "kept"))
    assert {
        answer_once(cell, asked, ReportStore(tmp_path / "kept")) for cell in (0, 1, 2, 3, None)
    } == {first}
    assert [path.read_text("utf-8") for path in (tmp_path / "kept").iterdir()] == [first + "\n"]


def test_reports_differ_and_have_ids_of_their_own():
    """Two reports of one answer share no id, and the id says nothing: it is drawn apart from the answer."""
    lines = [json.loads(randomise(1, question())) for _ in range(200)]
    assert len({line["id"] for line in lines}) == 200
    asked = question(cells=40)
    stream = bytes(range(200))[: asked.entropy].ljust(asked.entropy, b"\x77")
    ids = {json.loads(report(cell, asked, stream))["id"] for cell in (0, 7, None)}
    assert ids == {stream[:16].hex()}


def test_the_device_needs_the_standard_library_only(tmp_path):
    """What runs on a device loads no numpy and nothing else that does not come with Python."""
    check = (
        "import sys, dpmap.local.device\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules} - set(sys.stdlib_module_names) - {'dpmap', '__main__'}))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{check}"],
                          capture_output=True, text=True, cwd=tmp_path, timeout=LONG)  # fmt: skip
    assert done.stdout.strip() == "[]", done.stderr + done.stdout


# --- the question -------------------------------------------------------------------------------------------------


def grids():
    return {
        "squares": Grid.covering(SAMPLES / "study_area.gpkg", cell="5 km"),
        "national": Grid.covering(SAMPLES / "study_area.gpkg", cell="10 km", crs="EPSG:25830"),
        "degrees": Grid(bounds=(-10, 35, 20, 60), shape=(50, 60), crs="EPSG:4326"),
        "areas": Grid.areas(SAMPLES / "districts.gpkg"),
        "hexagons": Grid.hexagons(SAMPLES / "study_area.gpkg", resolution=5),
    }


@pytest.mark.parametrize("kind", ["squares", "national", "degrees", "areas", "hexagons"])
def test_a_question_file_keeps_its_grid(tmp_path, kind):
    """A question comes back from its file as it was, and its grid cell for cell."""
    grid = grids()[kind]
    asked = ask(grid, "2", title="Owls", text="Where?")
    again = Question.from_json(asked.to_json())
    assert again == asked
    found = grid_of(again)
    assert found.crs == grid.crs
    assert np.array_equal(found.inside, grid.inside)


@pytest.mark.parametrize("kind", ["squares", "national", "degrees"])
def test_a_device_finds_the_cell_of_a_place(kind):
    """Places in degrees lead to the cells that the grid itself would put them in, but for some at the very edges."""
    grid = grids()[kind]
    asked = ask(grid, "2", title="Owls", text="Where?")
    west, south, east, north = asked.places["box"]
    draw = np.random.default_rng(3)
    lon, lat = (
        draw.uniform(west - 0.1, east + 0.1, 1500),
        draw.uniform(south - 0.1, north + 0.1, 1500),
    )
    number = np.full(grid.size + 1, -1)
    number[np.flatnonzero(grid.inside.ravel())] = np.arange(grid.cells_inside)
    found = [asked.locate(x, y) for x, y in zip(lon, lat, strict=True)]
    found = np.array([-1 if cell is None else cell for cell in found])
    assert (found != number[grid.locate(lon, lat, "EPSG:4326")]).mean() < 0.02


def test_what_cannot_be_asked_is_refused():
    """Layers, too many cells, and an epsilon outside 0.01 to 10 are refused in one line before anything is written."""
    grid = Grid(bounds=(0, 50, 4, 54), shape=(4, 4), crs="EPSG:4326")
    with pytest.raises(Refused, match="a question of its own"):
        ask(grid.layered(Kinds("species", ("Owl", "Kite"))), "1", title="t", text="w")
    with pytest.raises(BadInput, match="65,535 cells"):
        ask(
            Grid(bounds=(0, 50, 4, 54), shape=(300, 300), crs="EPSG:4326"), "1", title="t", text="w"
        )
    for epsilon in ("0.001", "11"):
        with pytest.raises(BadInput, match="between"):
            ask(grid, epsilon, title="t", text="w")


HOSTILE = {
    "no json": "<html>",
    "another file": json.dumps({"format": "dpmap release", "format_version": 1}),
    "nested": "[" * 100_000,
    "newer": json.dumps({"format": "dpmap question", "format_version": 2}),
    "huge number": json.dumps({"format": "dpmap question"}) + "9" * 10_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_file_that_is_no_question_is_one_line(tmp_path, name):
    """Whatever stands in the file, the answer is one clear line."""
    path = tmp_path / "q.json"
    path.write_text(HOSTILE[name])
    with pytest.raises(DpmapError, match="question"):
        read_question(path)


@pytest.mark.parametrize("change", [
    {"epsilon": "50"}, {"epsilon": "nan"}, {"cells": 0}, {"cells": 10**9}, {"cells": "4"}, {"cells": 4.0}, {"mechanism": "none"},
    {"mechanism": "grr", "cells": 60_000, "epsilon": "0.01"}, {"round": "../../etc"}, {"round": 7}, {"title": ""}, {"title": "a\nb"},
    {"title": ["x"]}, {"text": "x" * 501}, {"format_version": "1"},
])  # fmt: skip
def test_a_changed_question_is_refused(change):
    """A device does not answer a question whose numbers or words are none that dpmap writes."""
    grid = Grid(bounds=(0, 50, 4, 54), shape=(4, 4), crs="EPSG:4326")
    plain = json.loads(ask(grid, "1", title="t", text="w").to_json())
    with pytest.raises(BadInput):
        Question.from_json(json.dumps({**plain, **change}))


def test_a_question_with_another_grid_is_refused_when_reports_are_added_up():
    """A grid of another size than the question asks about, or none, is noticed."""
    asked = ask(
        Grid(bounds=(0, 50, 4, 54), shape=(4, 4), crs="EPSG:4326"), "1", title="t", text="w"
    )
    other = ask(
        Grid(bounds=(0, 50, 4, 54), shape=(2, 4), crs="EPSG:4326"), "1", title="t", text="w"
    )
    for grid in (
        other.grid,
        {},
        {"plain": asked.grid["plain"], "arrays": "!"},
        {"plain": 3, "arrays": asked.grid["arrays"]},
    ):
        with pytest.raises(BadInput, match="grid"):
            grid_of(Question.from_json(json.dumps({**json.loads(asked.to_json()), "grid": grid})))


def test_a_cell_that_is_not_asked_about_is_refused():
    """There is no report for a cell outside the question, nor for anything that is no number."""
    for cell in (-1, 4, 1.0, "1"):
        with pytest.raises(BadInput, match="cell"):
            randomise(cell, question())


def test_the_threshold_is_the_same_for_words_of_any_size(monkeypatch):
    """The chances do not depend on the size of the words, which the selftest counts out in bytes, but for rounding up."""
    fine = threshold(Fraction(1), 3) / 2**32
    monkeypatch.setattr(device, "WORD", 1)
    assert fine <= threshold(Fraction(1), 3) / 256 < fine + 1 / 256


# --- on the command line --------------------------------------------------------------------------------------------


def test_one_question_from_the_command_line(tmp_path, monkeypatch, capsys):
    """`dpmap local ask`, `page` and `answer` make a question, a page and one line, which comes again when asked again."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    area = str(SAMPLES / "study_area.gpkg")
    assert (
        run(
            [
                "local",
                "ask",
                "--area",
                area,
                "--cell",
                "10 km",
                "--epsilon",
                "2",
                "--title",
                "Owls",
                "--to",
                "q.json",
            ]
        )
        == 0
    )
    assert run(["local", "page", "q.json", "--to", "report.html"]) == 0
    capsys.readouterr()
    (tmp_path / "other").mkdir()
    for words in (["--at", "40.5,-1.7"], ["--cell", "3"], ["--elsewhere"]):
        assert run(["local", "answer", str(tmp_path / "q.json"), *words]) == 0
        monkeypatch.chdir(tmp_path / "other")
    first, *others = capsys.readouterr().out.splitlines()
    assert others == [first, first]
    assert json.loads(first)["round"] == read_question(tmp_path / "q.json").round


@pytest.mark.parametrize(("words", "code", "said"), [
    (["ask", "--area", "AREA", "--cell", "10 km", "--title", "t", "--to", "x.json"], 3, "epsilon"),
    (["ask", "--area", "AREA", "--cell", "10 km", "--title", "t", "--epsilon", "99", "--to", "x.json"], 2, "between"),
    (["ask", "--cell", "10 km", "--title", "t", "--epsilon", "1", "--to", "x.json"], 3, "area"),
    (["page", "missing.json", "--to", "x.html"], 2, "cannot be read"),
    (["page", "q.json", "--to", "x.txt"], 2, ".html"),
    (["answer", "q.json"], 2, "give one of"),
    (["answer", "q.json", "--at", "here"], 2, "latitude,longitude"),
    (["answer", "q.json", "--name", "Nowhere"], 2, "no cell of this name"),
    (["answer", "q.json", "--cell", "97"], 2, "from 0 to 96"),
])  # fmt: skip
def test_what_goes_wrong_is_one_line(tmp_path, monkeypatch, capsys, words, code, said):
    """Each failure is one line, with the exit code of its kind, and leaves no file behind."""
    monkeypatch.chdir(tmp_path)
    area = str(SAMPLES / "study_area.gpkg")
    run(
        [
            "local",
            "ask",
            "--area",
            area,
            "--cell",
            "10 km",
            "--epsilon",
            "2",
            "--title",
            "Owls",
            "--to",
            "q.json",
        ]
    )
    capsys.readouterr()
    assert run(["local", *(area if word == "AREA" else word for word in words)]) == code
    told = capsys.readouterr().err
    assert said in told
    assert len(told.splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["q.json"]


@pytest.mark.parametrize("at", ["nan,nan", "inf,1", "91,0", "40,500", "40", "here"])
def test_a_place_nowhere_on_earth_is_no_answer(tmp_path, monkeypatch, capsys, at):
    """A slip of the hand is told, before it is randomised as *elsewhere* and kept for good."""
    monkeypatch.chdir(tmp_path)
    run(
        [
            "local",
            "ask",
            "--bounds",
            "-2,40,-1,41",
            "--shape",
            "2,2",
            "--epsilon",
            "2",
            "--title",
            "Owls",
            "--to",
            "q.json",
        ]
    )
    assert run(["local", "answer", "q.json", "--kept", "kept", f"--at={at}"]) == 2
    assert "--at" in capsys.readouterr().err
    assert not (tmp_path / "kept").exists()
