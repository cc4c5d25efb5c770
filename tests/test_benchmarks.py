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

import dpmap as dm

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
    "practice": "2 --only check-ins",
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


def test_merged_blocks_are_those_of_the_example_that_their_authors_drew(module_of):
    """Eight by eight cells with their farms end in the blocks of both figures in MRG's vignette: merged, and with a small one left blank."""
    practice = module_of("current_practice")
    farms = np.array([
        [1, 2, 0, 1, 1, 3, 3, 3], [1, 1, 1, 2, 2, 4, 1, 4], [0, 0, 1, 2, 3, 3, 3, 2], [0, 4, 4, 3, 2, 4, 3, 2],
        [0, 0, 5, 2, 1, 4, 2, 1], [0, 0, 0, 4, 2, 1, 1, 2], [0, 0, 0, 1, 1, 1, 1, 3], [0, 0, 0, 0, 0, 2, 1, 4],
    ]).ravel()  # fmt: skip
    row, column = np.divmod(np.arange(64), 8)
    levels = [row // side * (8 // side) + column // side for side in (1, 2, 4)]
    totals = [np.bincount(block, farms) for block in levels]
    confidential = [(total > 0) & (total < practice.FEWEST) for total in totals]

    def ends(blank_below):
        level, hidden = practice.merge_blocks(levels, totals, confidential, blank_below)
        blocks = {
            (at, levels[at][cell]): "blank" if hidden[cell] else int(totals[at][levels[at][cell]])
            for cell, at in enumerate(level)
        }
        return sorted(str(block) for block in blocks.values() if block != 0)

    assert ends(0) == ["10", "10", "11", "12", "12", "23", "27"]
    assert ends(0.1) == ["10", "10", "11", "11", "12", "23", "27", "blank"]


def test_bounded_noise_has_the_chances_that_its_authors_print(module_of):
    """A count of one becomes 0, 2 or 3 as often as the vignette of ptable says; no noise leads below none, and its mean is 0."""
    practice = module_of("current_practice")
    chances = practice.noise_chances((-1, 1, 2), 1.08)
    assert np.allclose(chances, (0.5133, 0.46, 0.0267), atol=5e-5)
    for count in (1, 3, 50):
        steps = practice.noise_support(count)
        assert count + min(steps) >= 0 and max(steps) == practice.MOST_NOISE
        assert abs(practice.noise_chances(tuple(steps)) @ np.array(steps)) < 1e-6


def test_an_obscured_place_is_shown_in_its_fixed_cell(module_of):
    """However often it is moved, a place near Wellington stays in the cell that iNaturalist draws around it, and so never tells more."""
    practice = module_of("current_practice")
    place = np.tile([[174.703537], [-41.284333]], 1_000)
    east, north = practice.OBSCURED.move(place, np.random.default_rng(1))
    assert (east >= 174.6 - 1e-9).all() and (east <= 174.8 + 1e-9).all()
    assert (north >= -41.4 - 1e-9).all() and (north <= -41.2 + 1e-9).all()


class SmallSurvey:
    """Makes a survey of a few rows on four squares of 10 km."""

    def __new__(cls, practice_survey, unit, x, y):
        bounds = (3_000_000, 2_100_000, 3_020_000, 2_120_000)
        grid = dm.Grid(bounds=bounds, shape=(8, 8), crs="EPSG:3035")
        places = np.add(bounds[0], x).astype(float), np.add(bounds[1], y).astype(float)
        return practice_survey.PracticeSurvey(
            "small", np.array(unit), *places, bounds, grid, 1, (1, 2, 4, 8)
        )


def test_who_knows_all_others_is_right_of_counts_and_guesses_of_nothing(module_of):
    """Subtracting what is known from true counts always tells whether somebody is in; a blank square, or no map, never does."""
    practice = module_of("current_practice")
    intruder = module_of("intruder")
    survey = SmallSurvey(
        module_of("practice_survey"), range(12), [2_500] * 9 + [12_500] * 3, [2_500] * 12
    )
    dice = np.random.default_rng(1)

    def right(method, unit):
        return intruder.Intruder(survey, method, dice).know_all_others(unit)[0]

    assert right(practice.Counts(), 0) == right(practice.Suppressed(5), 0) == 1
    assert right(practice.Suppressed(5), 11) == right(practice.Nothing(), 0) == 0.5


def test_a_lone_site_peaks_where_it_is_unless_it_is_masked(module_of):
    """Smoothing puts the highest cell over a lone site; the mask for one that is all of a total takes it away, unless it counts records."""
    practice = module_of("current_practice")
    survey = SmallSurvey(module_of("practice_survey"), [0] * 20, [6_200] * 20, [3_700] * 20)
    every = survey.everything()
    open_map = practice.Smoothed(1, masked=False).publish(survey, every, None)
    masked = practice.Smoothed(1).publish(survey, every, None)
    assert open_map.cells.argmax() == survey.cell[0]
    assert masked.hidden[survey.cell[0]] and masked.cells.max() == 0
    by_record = practice.Smoothed(1, by_record=True).publish(survey, every, None)
    assert by_record.cells.argmax() == survey.cell[0]


def test_the_page_on_practice_says_what_was_measured(module_of):
    """The tables of the page are those of the file of results, and its bounds are those of the law."""
    practice = module_of("practice")
    results = pd.read_csv(practice.RESULTS)
    page = (ROOT / "docs" / "learn" / "practice.md").read_text("utf-8")
    for survey in practice.SURVEYS:
        for table in practice.COLUMNS:
            assert practice.page_table(results, survey, table) in page
    assert practice.interval_table(results) in page
    bounds = [f"{100 * practice.bound(epsilon):.0f}" for epsilon in ("0.3", "1", "3")]
    assert "{} times of 100 at epsilon 0.3, {} at 1 and {} at 3".format(*bounds) in page


def test_the_smoothing_of_the_benchmark_is_that_of_a_small_example(module_of):
    """A raster of one cell smoothed keeps its total, is highest there, and its threshold is the least weight of the window."""
    practice = module_of("current_practice")
    raster = np.zeros((9, 9))
    raster[4, 4] = 1
    (smoothed, scale) = practice.smooth((raster,), bandwidth=1, factor=5)
    assert smoothed.sum() == pytest.approx(25)
    assert np.unravel_index(smoothed.argmax(), smoothed.shape) == (22, 22)
    assert 0 < scale < smoothed.max() / 25
