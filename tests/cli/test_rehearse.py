"""`dpmap rehearse`: pictures and words of caps and epsilons within a budget, of an invented survey."""

import base64
import json

import geopandas
import numpy as np
import pytest
import shapely

from dpmap.cli import run
from dpmap.grid import Grid
from dpmap.promise.limiters import LIMITERS
from dpmap.promise.policy import Policy
from dpmap.steward.planning import landscapes
from dpmap.steward.planning.invented_survey import InventedSurvey, cut_piece

SQUARE = ["rehearse", "--bounds", "0,50,1,51", "--shape", "6,8"]


def rehearse(capsys, *words):
    code = run([str(word) for word in words])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture(scope="module")
def districts(tmp_path_factory):
    """A layer of 231 districts with names."""
    points = np.random.default_rng(1).uniform(0, 1, (231, 2)) * [400_000, 500_000]
    frame = shapely.box(0, 0, 400_000, 500_000)
    cells = shapely.get_parts(shapely.voronoi_polygons(shapely.MultiPoint(points), extend_to=frame))
    names = [f"District {number}" for number in range(1, 232)]
    shapes = shapely.intersection(cells, frame)
    path = tmp_path_factory.mktemp("districts") / "districts.gpkg"
    geopandas.GeoDataFrame({"name": names}, geometry=shapes, crs="EPSG:27700").to_file(path)
    return path


def test_what_is_offered_can_be_paid(capsys):
    """Three rising epsilons are offered that what is left pays at least twice, and what a budget that is spent has left is said."""
    code, out, err = rehearse(
        capsys, *SQUARE, "--cap", 5, "--budget", 3, "--spent", "1.3", "--units", 300, "--json"
    )
    answer = json.loads(out)
    assert (code, err, answer["left"]) == (0, "", "1.7")
    strengths = answer["strengths"]
    assert [strength["epsilon"] for strength in strengths] == ["0.17", "0.42", "0.85"]
    assert [strength["maps_left"] for strength in strengths] == [10, 4, 2]
    pictures = [answer["truth"], *answer["caps"], *strengths]
    assert all(base64.b64decode(one["png"]).startswith(b"\x89PNG") for one in pictures)
    assert all(one["words"] for one in pictures)
    code, out, err = rehearse(capsys, *SQUARE, "--cap", 5, "--budget", 3, "--spent", 3)
    assert (code, out) == (3, "") and "0 is left of 3" in err and err.count("\n") == 1


def test_a_cap_that_is_too_high_is_not_recommended(capsys, districts):
    """Where a cap of 20 leaves most districts of 30 or more untold and 5 does not, a low one is recommended."""
    answer = json.loads(
        rehearse(
            capsys, "rehearse", "--area", districts, "--by-area", "--units", 4000,
            "--each-reports", 3, "--cap", 20, "--budget", 4, "--json",
        )[1]
    )  # fmt: skip
    told = {cap["cap"]: cap["told"] for cap in answer["caps"]}
    assert list(told) == [1, 5, 20] and told[20] < 0.6 < told[5]
    assert next(cap["cap"] for cap in answer["caps"] if cap["recommended"]) <= 5
    strengths = answer["strengths"]
    assert all(len(one["districts_told"]) == one["zones_told"] for one in strengths)
    assert {one["zones"] for one in strengths} == {231}


def test_zones_are_counted_and_named(capsys, tmp_path):
    """Of zones on a grid it is said by name which are told; one that lies elsewhere does not count."""
    zones = tmp_path / "zones.geojson"
    boxes = [(0, 50, 0.5, 51), (0.5, 50, 1, 51), (7, 50, 8, 51)]
    frame = {"name": ["west", "east", "away"]}
    shapes = [shapely.box(*box) for box in boxes]
    geopandas.GeoDataFrame(frame, geometry=shapes, crs="EPSG:4326").to_file(zones)
    words = ("--cap", 5, "--budget", 40, "--zones", zones, "--json")
    strengths = json.loads(rehearse(capsys, *SQUARE, *words)[1])["strengths"]
    assert strengths[-1]["zones"] == 2
    assert set(strengths[-1]["districts_told"]) <= {"west", "east"}


@pytest.mark.parametrize("limiter", LIMITERS)
def test_the_invented_survey(limiter):
    """It is the same each time, most report less than the mean, and no more counts than the cap allows."""
    grid = Grid(bounds=(0, 0, 20, 20), shape=(20, 20), crs="EPSG:3857")
    share = landscapes.invent("county", grid)
    first, again = (InventedSurvey.deal(grid, share, 500, 10) for _ in range(2))
    assert (first.cell == again.cell).all()
    reports = np.bincount(first.person)
    assert len(reports) == 500 and reports.mean() == pytest.approx(10, abs=0.1)
    assert np.median(reports) <= 5 and reports.max() > 100
    capped = first.capped_totals(Policy(epsilon=1, unit="person", cap=5, limiter=limiter))
    assert 0 < capped.sum() <= np.minimum(reports, 5).sum()


@pytest.mark.parametrize("shape", [(90, 60), (1, 4000)])
def test_a_piece_of_a_large_grid(shape):
    """It is made of cells of that grid, those about where most lies."""
    grid = Grid(bounds=(0, 0, shape[1], shape[0]), shape=shape, crs="EPSG:3857")
    share = landscapes.invent("county", grid)
    piece, chosen = cut_piece(grid, share)
    assert piece.cells_inside == len(chosen) == 2500 and np.argmax(share) in chosen
    x, y = landscapes.centres(piece)
    assert (grid.locate(x, y) == np.flatnonzero(grid.inside)[chosen]).all()
