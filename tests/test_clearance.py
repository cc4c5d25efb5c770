"""Land told as surely holding less is so, within the stated rate, and the three answers are the same wherever they are asked."""

import json
from collections import Counter
from pathlib import Path

import geopandas as gpd
import numpy as np
import pytest
from builders import records
from test_hotspots import measured, square

import dpmap as dm
from dpmap import style
from dpmap.cli import run
from dpmap.errors import BadInput
from dpmap.maps import read_map
from dpmap.releases.clearance_words import describe
from dpmap.render.clearance import paint_clearance

ROWS = Path(__file__).parent / "stability" / "saved" / "0.2.0" / "rows.dpmap"
X = 5.0


def test_few_of_the_cells_told_as_holding_less_hold_as_many():
    """Over maps of towns on empty land, most of which is cleared, at most a tenth of the cells told hold x or more."""
    grid, rng, cleared = square(24), np.random.default_rng(5), []
    false, told = 0, 0
    for _ in range(20):
        truth = np.zeros(grid.size)
        truth[rng.choice(grid.size, 12, replace=False)] = 60.0
        made = (measured(grid, truth, 2, rng),)
        record = records.record(
            grid, dm.Policy(epsilon=1, unit="who", cap=1), made, "Owls", strategy="flat"
        )
        found = read_map(record).clearance(X, 0.1)
        assert not (found.more & found.less).any()
        false += int((found.less.ravel() & (truth >= X)).sum())
        told += int(found.less.sum())
        cleared.append(found.shares()["surely less"])
    assert false < 0.1 * told and np.mean(cleared) > 0.5


@pytest.mark.parametrize("below", ["20", "0.5"])
def test_the_three_answers_agree_in_python_on_the_command_line_and_in_the_layer(
    below, tmp_path, capsys
):
    """Each cell has one answer, whoever asks."""
    found = dm.open(ROWS).clearance(float(below))
    assert (
        run(["hotspots", str(ROWS), "--below", below, "--to", str(tmp_path / "c.gpkg"), "--json"])
        == 0
    )
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


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_the_picture_has_each_cell_in_the_colour_of_its_answer(suffix, tmp_path, capsys):
    """The picture's colours and its legend's shares are those of the answers, and the file describes itself."""
    release = dm.open(ROWS)
    clearance = release.clearance(20)
    painting = paint_clearance(release.record, clearance, describe(clearance))
    words = clearance.words[clearance.grid.inside]
    for answer, share in (("surely more", style.SURELY_MORE), ("surely less", style.SURELY_LESS)):
        assert np.allclose(painting.colours[words == answer], style.rgb(style.hex_colour(share)))
    assert np.array_equal(painting.unsure, words == "cannot say")
    assert (
        run(["hotspots", str(ROWS), "--below", "20", "--to", str(tmp_path / f"map{suffix}")]) == 0
    )
    assert str(tmp_path) in capsys.readouterr().out
    if suffix == ".svg":
        assert "no proof of absence" in (tmp_path / "map.svg").read_text("utf-8")


def test_hot_spots_are_no_picture(tmp_path, capsys):
    """Only the three answers are drawn; nothing is written in another case."""
    assert run(["hotspots", str(ROWS), "--above", "20", "--to", str(tmp_path / "map.png")]) != 0
    assert "--to" in capsys.readouterr().err and not list(tmp_path.iterdir())
