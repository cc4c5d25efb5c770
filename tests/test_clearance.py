"""Land told as surely holding less is so, within the stated rate, and the three answers are the same wherever they are asked."""

import json
from collections import Counter
from pathlib import Path

import geopandas as gpd
import numpy as np
import pytest
from test_hotspots import measured, square

import dpmap as dm
from dpmap.cli import run
from dpmap.errors import BadInput
from dpmap.inference import discoveries
from dpmap.inference.clearance import clearance, lower_p_values, squares
from dpmap.inference.hotspots import Search

ROWS = Path(__file__).parent / "stability" / "saved" / "0.2.0" / "rows.dpmap"
X = 5.0


@pytest.mark.parametrize("country", [X, 0.0])
def test_false_answers_on_the_lower_side_stay_at_the_rate(country):
    """Over maps with land exactly at the threshold, or with towns on empty land, few of the regions and squares told are false.

    The mean of 400 shares between 0 and 1 whose mean is at most 0.1 exceeds 0.2 less than once in a million (Chernoff).
    """
    grid, rng = square(), np.random.default_rng(5)
    shares = []
    for _ in range(400):
        truth = np.full(grid.size, country)
        truth[rng.choice(grid.size, 12, replace=False)] = 60.0
        truth[: grid.size // 3] = 0.0
        search = Search(grid, measured(grid, truth, 5, rng), X, 0.1)
        family = squares(search, grid)
        chosen = discoveries(lower_p_values(search, family, search.values, X), 0.1)
        short = np.bincount(family.test, X - truth[family.region], family.tests)
        shares.append((chosen & (short <= 1e-9)).sum() / max(1, chosen.sum()))
    assert np.mean(shares) < 0.2


def test_empty_land_is_cleared_though_no_cell_could_be_by_itself():
    """Where the noise of a cell is as large as the threshold, squares of cells clear most of the empty land."""
    grid = square(32)
    found = clearance(grid, (measured(grid, np.zeros(grid.size), 5, np.random.default_rng(6)),), X)
    assert found.shares()["surely less"] > 0.8
    assert not (found.more & found.less).any()


@pytest.mark.parametrize("below", ["20", "0.5"])
def test_the_three_answers_agree_in_python_on_the_command_line_and_in_the_layer(below, tmp_path, capsys):
    """Each cell has one answer, whoever asks."""
    found = dm.open(ROWS).clearance(float(below))
    assert run(["hotspots", str(ROWS), "--below", below, "--to", str(tmp_path / "c.gpkg"), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    layer = gpd.read_file(tmp_path / "c.gpkg", layer="clearance")
    assert answer["shares"] == pytest.approx(found.shares())
    assert layer["answer"].tolist() == found.words[found.grid.inside].tolist()
    assert Counter(layer["answer"])["cannot say"] == (~layer["sure"].astype(bool)).sum()
    assert "no proof of absence" in answer["words"]["absence"]


@pytest.mark.parametrize("threshold", [0.0, -1.0, np.inf])
def test_a_threshold_that_nothing_can_be_below_is_refused(threshold):
    """One line says what to type."""
    with pytest.raises(BadInput, match="like 5"):
        dm.open(ROWS).clearance(threshold)


def test_one_side_is_asked_at_a_time(capsys):
    """The command wants one of the two."""
    assert run(["hotspots", str(ROWS)]) != 0
    assert "--below" in capsys.readouterr().err
