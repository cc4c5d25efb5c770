"""Go or no-go: zones and rates are told as surely more, surely less or cannot say, by their intervals alone."""

import json
import re
from pathlib import Path

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
import shapely
from builders import records
from test_hotspots import square

import dpmap as dm
from dpmap.cli import run
from dpmap.errors import BadInput
from dpmap.grid import Partition
from dpmap.inference.clearance import LESS, MORE, UNKNOWN
from dpmap.releases.release import Release

SAVED = Path(__file__).parent / "stability" / "saved"
SIDE = 24


def released(grid, truth, rng):
    """A map of these totals, each cell measured by itself."""
    policy = dm.Policy(epsilon="0.5", unit="observer_id", cap=1)
    noise = rng.laplace(0, float(policy.scale), grid.size)
    made = records.measured(Partition.cells(grid), truth, policy, noise)
    return Release(records.record(grid, policy, [made]))


@pytest.fixture(scope="module")
def release():
    """Towns on empty land."""
    grid, rng = square(SIDE), np.random.default_rng(5)
    truth = np.zeros(grid.size)
    truth[rng.choice(grid.size, 40, replace=False)] = 60.0
    return released(grid, truth, rng)


@pytest.fixture(scope="module")
def zones(release):
    """Sixty boxes on the map and one far from it; a column has the name of the answers."""
    west, south, east, north = shapely.total_bounds(release.grid.polygons())
    rng = np.random.default_rng(2)
    x, y = rng.uniform(west, east, (60, 2)), rng.uniform(south, north, (60, 2))
    boxes = shapely.box(x.min(axis=1), y.min(axis=1), x.max(axis=1), y.max(axis=1))
    far = shapely.box(east + 1e5, south, east + 2e5, north)
    names = [*(f"zone of {number}" for number in range(60)), "far"]
    return gpd.GeoDataFrame(
        {"name": names, "answer": "mine"}, geometry=[*boxes, far], crs=release.grid.crs
    )


def expected(low, high, threshold):
    """The rule, worked out one by one."""
    return [
        MORE if least > threshold else LESS if most < threshold else UNKNOWN
        for least, most in zip(low, high, strict=True)
    ]


@pytest.mark.parametrize("than", [0.01, 1, 5, 30, 100, 700.5, 1e9])
def test_each_zones_answer_is_what_its_interval_says(release, zones, than):
    """For many zones and numbers, and nothing else changes in the table."""
    asked, plain = release.ask(zones, than=than), release.ask(zones)
    assert asked["answer"].tolist() == expected(asked["low"], asked["high"], than)
    assert asked.columns[-3:].tolist() == ["answer", "note", "geometry"]
    assert asked["answer_given"].eq("mine").all() and plain["answer"].eq("mine").all()
    pd.testing.assert_frame_equal(
        asked.drop(columns=["answer", "answer_given"]), plain.drop(columns="answer")
    )


def test_all_three_answers_are_given_and_a_zone_outside_the_map_has_none(release, zones):
    """The level decides too: a surer answer is never given where a less sure one is not."""
    usual = release.ask(zones, than=60)["answer"].to_numpy()
    surer = release.ask(zones, level=0.99, than=60)["answer"].to_numpy()
    assert set(usual) == {MORE, LESS, UNKNOWN} and usual[-1] == UNKNOWN
    assert ((surer == usual) | (surer == UNKNOWN)).all()


def test_a_cell_has_the_same_answer_as_a_zone_and_on_the_whole_map(release):
    """What is told of all land is told of each cell of it."""
    cells = release.grid.polygons()[::7]
    asked = release.ask(gpd.GeoDataFrame(geometry=cells, crs=release.grid.crs), than=20)
    assert asked["answer"].tolist() == release.clearance(20).words.ravel()[::7].tolist()


def test_false_answers_are_no_more_than_the_level_leaves():
    """Over maps of towns and of even land, at most a tenth of the zones asked about is told on the wrong side."""
    grid, rng = square(SIDE), np.random.default_rng(8)
    cells = grid.polygons().reshape(grid.shape)
    false = told = asked = 0
    for number in range(10):
        truth = rng.poisson(5.0, grid.size).astype(float)
        if number % 2:
            truth = np.zeros(grid.size)
            truth[rng.choice(grid.size, 40, replace=False)] = 60.0
        release = released(grid, truth, rng)
        corners = [
            (slice(row, row + 7), slice(column, column + 7))
            for row, column in rng.integers(0, SIDE - 7, (40, 2))
        ]
        boxes = [shapely.box(*shapely.total_bounds(cells[corner])) for corner in corners]
        totals = np.array([truth.reshape(grid.shape)[corner].sum() for corner in corners])
        answers = release.ask(gpd.GeoDataFrame(geometry=boxes, crs=grid.crs), than=200)[
            "answer"
        ].to_numpy()
        false += int(
            ((answers == MORE) & (totals <= 200) | (answers == LESS) & (totals >= 200)).sum()
        )
        told += int((answers != UNKNOWN).sum())
        asked += len(answers)
    assert false <= 0.1 * asked < told


@pytest.mark.parametrize("rows", ["places", "cells", "zones"])
@pytest.mark.parametrize("than", [0.05, 1, 3, 40])
def test_each_rates_answer_is_what_its_interval_says(release, zones, rows, than):
    """Of places, cells and zones; where there is no rate the map cannot say, told or not."""
    effort = np.tile(np.linspace(0, 20, SIDE), (SIDE, 1))
    given = {"zones": zones} if rows == "zones" else {"by": rows}
    rates = release.rates(effort, than=than, **given)
    assert rates["answer"].tolist() == expected(rates["rate_low"], rates["rate_high"], than)
    assert rates["answer"][rates["rate"].isna()].eq(UNKNOWN).all()
    assert rates.columns[-3:].tolist() == ["answer", "note", "geometry"]


def test_means_are_compared_as_means_are_written(tmp_path):
    """The interval of the mean is compared, with any number."""
    means = dm.open(SAVED / "0.1.0" / "means.dpmap")
    boxes = gpd.GeoDataFrame(geometry=means.grid.ground.polygons(), crs=means.grid.crs)
    for than in (-3, 0, 0.5, 5, 1e6):
        asked = means.ask(boxes, than=than)
        assert asked["answer"].tolist() == expected(asked["low"], asked["high"], than)
    boxes.to_file(tmp_path / "cells.gpkg")
    with pytest.raises(BadInput, match="than: a number to compare the mean with"):
        means.ask(boxes, than=np.nan)


def test_layers_are_compared_one_by_one(tmp_path):
    """Each layer's zones have their own answers."""
    survey = pd.DataFrame(
        {"o": range(60), "x": [0.5] * 60, "y": [0.5] * 60, "k": ["a"] * 50 + ["b"] * 10}
    )
    grid = dm.Grid(bounds=(0, 0, 2, 2), shape=(2, 2), crs="EPSG:4326").layered(
        dm.Kinds("k", ("a", "b"))
    )
    made = dm.release(
        dm.read(survey, unit="o", x="x", y="y", crs="EPSG:4326"), grid, dm.Policy(epsilon=5, unit="o", cap=1),
        ledger=tmp_path / "l", dataset="Two", budget=5,
    )  # fmt: skip
    asked = made.ask((0, 0, 2, 2), than=30)
    assert dict(zip(asked["k"], asked["answer"], strict=True)) == {"a": MORE, "b": LESS}
    assert set(made.rates(np.ones((2, 2)), than=30)["k"]) == {"a", "b"}


@pytest.mark.parametrize("than", [0, -1, np.nan, np.inf, "many", [5, 6], ""])
def test_a_number_that_means_nothing_is_refused_in_one_line(release, zones, than):
    """A total is compared with points above 0, a rate with a rate above 0."""
    for ask in (
        release.ask,
        lambda *given, **named: release.rates(np.ones(release.grid.shape), *given, **named),
    ):
        with pytest.raises(
            BadInput, match=r"^than: .*, above 0, like 5$|^than: a rate, a number above 0, like 5$"
        ):
            ask(zones, than=than)


@pytest.fixture
def folder(tmp_path, release, zones):
    release.save(tmp_path / "r.dpmap")
    zones.to_file(tmp_path / "zones.gpkg")
    effort = gpd.GeoDataFrame(
        {"hours": [5000.0]}, geometry=[shapely.union_all(release.grid.polygons())], crs=zones.crs
    )
    effort.to_file(tmp_path / "effort.gpkg")
    return tmp_path


PER = ("--per-name", "hours of effort")


@pytest.mark.filterwarnings("ignore:More than one layer")
@pytest.mark.parametrize("rated", [False, True])
@pytest.mark.parametrize("suffix", [".csv", ".geojson", ".gpkg", ".parquet", ".md"])
def test_the_command_prints_and_writes_the_answers(folder, release, zones, rated, suffix, capsys):
    """The table has them, one sentence says by which rule and that less is not none, and the file has both."""
    out, than = folder / f"out{suffix}", "0.9" if rated else "60"
    words = [
        "ask",
        str(folder / "r.dpmap"),
        str(folder / "zones.gpkg"),
        "--than",
        than,
        "--out",
        str(out),
    ]
    effort = f"{folder / 'effort.gpkg'}:hours"
    assert run([*words, *(["--per", effort, *PER] if rated else [])]) == 0
    said = capsys.readouterr().out
    answers = (
        release.rates(effort, zones=zones, than=0.9) if rated else release.ask(zones, than=60)
    )["answer"].tolist()
    table = said.splitlines()[: len(zones) + 1]
    assert [re.search(f"{MORE}|{LESS}|{UNKNOWN}", line)[0] for line in table[1:]] == answers
    unit = "0.9 records per hour of effort" if rated else "60 points"
    sentences = [line for line in said.splitlines() if "no proof of absence" in line]
    assert len(sentences) == 1 and sentences[0].endswith(" may hold some.")
    assert "if its interval at 90 % lies wholly there" in sentences[0]
    assert f"{LESS} than {unit}" in sentences[0]
    if suffix == ".md":
        assert "no proof of absence" in out.read_text("utf-8") and LESS in out.read_text("utf-8")
        return
    read = {".csv": pd.read_csv, ".parquet": gpd.read_parquet}.get(suffix, gpd.read_file)
    assert read(out)["answer"].tolist() == answers
    if suffix == ".csv":
        assert "no proof of absence" in (folder / "out.csv-metadata.json").read_text("utf-8")


def test_programs_get_the_answers_too(folder, release, zones, capsys):
    """The answer as JSON has the number, the answers and the rule; without the flag it has none of them."""
    words = ["ask", str(folder / "r.dpmap"), str(folder / "zones.gpkg"), "--json"]
    assert run([*words, "--than", "60"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [zone["answer"] for zone in told["zones"]] == release.ask(zones, than=60)[
        "answer"
    ].tolist()
    assert told["than"] == 60 and list(told["words"]) == ["rate", "absence"]
    assert run(words) == 0
    assert not {"than", "words"} & set(json.loads(capsys.readouterr().out))


@pytest.mark.parametrize("than", ["0", "-2", "many", "1_0", "nan", "1e999"])
@pytest.mark.parametrize("rated", [False, True])
def test_the_command_refuses_in_one_line_and_writes_nothing(folder, than, rated, capsys):
    """What to type instead is said."""
    words = [
        "ask",
        str(folder / "r.dpmap"),
        str(folder / "zones.gpkg"),
        "--than",
        than,
        "--out",
        str(folder / "a.csv"),
    ]
    assert (
        run([*words, *(["--per", f"{folder / 'effort.gpkg'}:hours", *PER] if rated else [])]) == 2
    )
    error = capsys.readouterr().err
    assert (
        len(error.strip().splitlines()) == 1 and "than" in error and not (folder / "a.csv").exists()
    )


def test_the_command_says_nothing_of_absence_where_means_are_compared(tmp_path, capsys):
    """A low mean is not few records."""
    means = dm.open(SAVED / "0.1.0" / "means.dpmap")
    gpd.GeoDataFrame(geometry=means.grid.ground.polygons(), crs=means.grid.crs).to_file(
        tmp_path / "cells.gpkg"
    )
    words = [
        "ask",
        str(SAVED / "0.1.0" / "means.dpmap"),
        str(tmp_path / "cells.gpkg"),
        "--than",
        "5",
    ]
    assert run(words) == 0
    said = capsys.readouterr().out
    assert said.splitlines()[0].split()[:3] == ["zone", "answer", "mean"]
    assert "A zone's mean is told on a side" in said and "absence" not in said
