"""Each measurement can be made again from a clone of the repository alone."""

import ast
import importlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

ROOT = Path(__file__).parents[1]
BENCHMARKS = ROOT / "benchmarks"
SCRIPTS = sorted(BENCHMARKS.glob("*.py"))
BESIDE = {
    *(path.stem for path in (*SCRIPTS, *(ROOT / "tests").rglob("*.py"))),
    *(path.name for path in (ROOT / "tests").iterdir()),
}
"""Modules and folders of the benchmarks and of the tests, which some of them use."""
LEFT_OUT_WHERE_MISSING = {"exactextract", "diffprivlib"}
OUTSIDE = re.compile(r"(^|[\s'\"(=])(\.\./|~/|/(home|root|tmp|work|mnt|data|Users)\b|[A-Z]:\\)")
LARGEST = 1 << 19


@pytest.fixture
def module_of(monkeypatch):
    """Imports a module of the benchmarks, and forgets it afterwards."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    yield importlib.import_module
    for name in {path.stem for path in SCRIPTS} & (set(sys.modules) - before):
        del sys.modules[name]


QUICK = {
    "acted": "1 --public --only check-ins",
    "change": "1",
    "chosen": "1 --arrays --strategies flat",
    "coverage": "--zones 20 --large 2 --vertices 1000",
    "draws": "1 --only even --n 20",
    "grids": "--sides 128 --runs 1",
    "pairs": "20000",
    "pictures": "1 --public",
    "records": "20000",
    "tiers": "--maps 1",
    "timing": "20",
    "zones": "1 --public --some 19",
}
"""Scripts that end within a minute where they are asked for little, and what to ask."""


def parsed(path):
    return ast.parse(path.read_text("utf-8"), path.name)


def test_the_list_of_benchmarks_names_each_script():
    """The page of the benchmarks names each script of the folder and no other."""
    page = (BENCHMARKS / "README.md").read_text("utf-8")
    assert set(re.findall(r"`(\w+\.py)\b", page)) == {path.name for path in SCRIPTS}


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_benchmark_names_no_place_outside_the_repository(path):
    """No text of a script is a path that leads out of the repository, and none climbs above its root."""
    nodes = list(ast.walk(parsed(path)))
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]  # fmt: skip
    assert [text for text in texts if OUTSIDE.search(text)] == []
    climbs = re.findall(r"parents\[(\d+)\]", path.read_text("utf-8"))
    assert all(int(steps) <= 1 for steps in climbs)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_benchmark_finds_what_it_imports(path):
    """Each module that a script imports is beside it, in the tests or installed, and dpmap still has each name that it takes from there."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module]
        else:
            continue
        for name in names:
            top = name.partition(".")[0]
            if top == "dpmap":
                module = importlib.import_module(name)
                taken = [alias.name for alias in node.names if isinstance(node, ast.ImportFrom)]
                lacking = [one for one in taken if not hasattr(module, one) and not importlib.util.find_spec(f"{name}.{one}")]  # fmt: skip
                assert lacking == [], name
            elif top not in BESIDE | LEFT_OUT_WHERE_MISSING:
                assert importlib.util.find_spec(top), name


@pytest.mark.deep
@pytest.mark.parametrize("name", QUICK)
def test_a_benchmark_runs_from_its_folder_alone(name, tmp_path):
    """Copied elsewhere, with dpmap but without the rest of the repository, a script still prints its numbers."""
    shutil.copytree(
        BENCHMARKS, tmp_path / "benchmarks", ignore=shutil.ignore_patterns("__pycache__")
    )
    done = subprocess.run(
        [sys.executable, tmp_path / "benchmarks" / f"{name}.py", *QUICK[name].split()],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert re.search(r"\d", done.stdout)


def test_the_public_data_are_those_that_the_pages_speak_of(module_of):
    """Four arrays, the check-ins of 7,115 users, and the published errors of each case are read from the repository."""
    public_data = module_of("public_data")
    map_errors = module_of("map_errors")
    counts = public_data.load_counts()
    assert {name: int(array.sum()) for name, array in counts.items()} == {
        "GOWALLA": 6_442_863, "SF-CABS-S": 464_040, "STROKE": 19_435, "TWITTER": 193_563
    }  # fmt: skip
    check_ins = public_data.load_check_ins()
    assert (len(check_ins), check_ins.user.nunique()) == (138_957, 7_115)
    assert check_ins.groupby("user").size().max() == 1_794
    published = pd.read_csv(public_data.PUBLISHED_ERRORS)
    cases = published.groupby("dataset")[["n", "eps"]].apply(
        lambda rows: set(map(tuple, rows.to_numpy()))
    )
    assert dict(cases) == dict.fromkeys(counts, set(map_errors.CASES))
    assert max(path.stat().st_size for path in public_data.DATA.iterdir()) < LARGEST


def test_the_errors_of_a_map_are_what_their_names_say(module_of):
    """A true map has none; a map that lies elsewhere has no overlap, and lies as far away as it was moved."""
    map_errors = module_of("map_errors")
    rectangles = map_errors.draw_rectangles()
    truth = np.zeros((128, 128))
    truth[4, 4] = 10
    moved = np.zeros((128, 128))
    moved[4, 68] = 10
    exact = map_errors.measure_errors(truth, truth, rectangles)
    assert all(abs(error) < 1e-9 for error in exact.values())
    wrong = map_errors.measure_errors(truth, moved, rectangles)
    assert wrong["tv"] == 1
    assert wrong["emd"] == pytest.approx(0.5)
    assert 0 < wrong["qMAE"] <= 1
