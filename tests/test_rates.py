"""Rates: what places and zones hold for each unit of a public amount, as surely as their totals are known."""

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
import rasterio
import shapely

import dpmap as dm
from dpmap.cli import run as dpmap

SIDE = 16
GRID = dm.Grid(bounds=(-4, 50, -3, 51), shape=(SIDE, SIDE), crs="EPSG:4326")
EFFORT = np.tile(np.linspace(0, 10, SIDE), (SIDE, 1))
EFFORT[:, :4] = 0
TRUTH = np.rint(EFFORT * np.where(np.arange(SIDE)[:, None] < SIDE // 2, 1, 4)).astype(int)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("rates")
    row, column = np.divmod(np.repeat(np.arange(SIDE**2), TRUTH.ravel()), SIDE)
    survey = pd.DataFrame(
        {"o": np.arange(len(row)), "x": -4 + (column + 0.5) / SIDE, "y": 51 - (row + 0.5) / SIDE}
    )
    made = dm.release(
        dm.read(survey, unit="o", x="x", y="y", crs="EPSG:4326"), GRID, dm.Policy(epsilon=1, unit="o", cap=1),
        ledger=place / "l.ledger", dataset="Kestrels", budget=1,
    )  # fmt: skip
    made.save(place / "k.dpmap")
    where = rasterio.Affine(1 / SIDE, 0, -4, 0, -1 / SIDE, 51)
    with rasterio.open(
        place / "effort.tif", "w", driver="GTiff", height=SIDE, width=SIDE, count=1, dtype="float64", crs="EPSG:4326", transform=where
    ) as file:  # fmt: skip
        file.write(EFFORT, 1)
    boxes = [
        shapely.box(-4, 50, -3.75, 51),
        shapely.box(-3.5, 50.5, -3, 51),
        shapely.box(-3.5, 50, -3, 50.5),
        shapely.box(9, 9, 10, 10),
    ]
    gpd.GeoDataFrame({"name": ["west", "north", "south", "far"]}, geometry=boxes, crs=4326).to_file(
        place / "zones.gpkg"
    )
    return place


@pytest.fixture(scope="module")
def release(folder):
    return dm.open(folder / "k.dpmap")


def run(folder, *words):
    return dpmap([str(folder / word) if "." in word else word for word in words])


def test_a_rates_interval_holds_exactly_where_its_totals_does(release):
    place = release._map.patches(0.9).place
    rates, patches = release.rates(EFFORT), release.patches()
    assert sorted(rates.index) == list(patches.index)
    some = rates[rates.per > 0]
    truth = np.array([TRUTH[place == number - 1].sum() for number in some.index])
    holds = (some.low <= truth) & (truth <= some.high)
    rate = truth / some.per
    spare = 1e-9 * (1 + rate)
    assert (holds == ((some.rate_low - spare <= rate) & (rate <= some.rate_high + spare))).all()
    assert holds[some.rate_told].mean() > 0.5 and some.rate_told.any()


def test_where_there_is_none_of_the_amount_there_is_no_rate_and_a_note_says_so(release):
    cells = release.rates(EFFORT, by="cells")
    none = cells.per == 0
    assert (
        none.sum() == 4 * SIDE and cells.rate[none].isna().all() and cells.rate[~none].notna().all()
    )
    assert cells.note[none].str.contains("no rate").all() and not cells.rate_told[none].any()


def test_land_that_is_told_to_be_nearly_empty_is_not_said_to_have_a_low_rate_where_little_was_looked(
    release,
):
    little = np.where(EFFORT > 0, EFFORT, 0.02)
    cells = release.rates(little, by="cells")
    perhaps_none = (cells.per == 0.02) & (cells.rate_low == 0)
    assert perhaps_none.any() and not cells.rate_told[perhaps_none & (cells.rate_high > 2)].any()


def test_zones_keep_their_answer_and_gain_the_amount_and_the_rate(release, folder):
    zones = release.rates(folder / "effort.tif", zones=folder / "zones.gpkg")
    asked = release.ask(folder / "zones.gpkg")
    pd.testing.assert_frame_equal(
        zones[asked.columns.drop(["note", "geometry"])],
        asked[asked.columns.drop(["note", "geometry"])],
    )
    west, north, south, far = zones.to_dict("records")
    assert (
        north["per"] == pytest.approx(EFFORT[:8, 8:].sum())
        and north["rate_told"]
        and south["rate_told"]
    )
    assert (
        0.7 < north["rate"] < 1.4
        and 3 < south["rate"] < 5
        and north["rate_high"] < south["rate_low"]
    )
    assert np.isnan(west["rate"]) and "no rate" in west["note"]
    assert np.isnan(far["rate"]) and far["note"] == "outside the map"


def test_ground_of_which_the_file_knows_nothing_is_said(release):
    known = EFFORT.copy()
    known[: SIDE // 2] = np.nan
    half = release.rates(known, zones=(-3.5, 50.25, -3, 50.75))
    assert "knows nothing of 50 %" in half.note[0]


@pytest.mark.parametrize("name", ["map.png", "map.svg", "map.html"])
def test_rates_are_drawn_with_what_they_are_of(folder, name):
    assert (
        run(
            folder,
            "draw",
            "k.dpmap",
            "--per",
            "effort.tif",
            "--per-name",
            "hours of effort",
            "--to",
            name,
        )
        == 0
    )
    made = (folder / name).read_bytes()
    if name.endswith("html"):
        page = made.decode()
        assert (
            "hours of effort" in page
            and "SHA-256" in page
            and "http" not in page.replace("http-equiv", "")
        )
        assert "<script" not in page and 'alt="' in page


@pytest.mark.filterwarnings("ignore:More than one layer")
@pytest.mark.parametrize("name", ["rates.gpkg", "rates.csv", "rates.geojson", "rates.parquet"])
def test_rates_are_exported_as_a_layer(folder, name):
    assert run(folder, "export", "k.dpmap", "--per", "effort.tif", "--to", name) == 0
    read = {"csv": pd.read_csv, "parquet": gpd.read_parquet}.get(
        name.rpartition(".")[2], gpd.read_file
    )
    assert {"estimate", "per", "rate", "rate_low", "rate_high", "rate_told", "note"} <= set(
        read(folder / name).columns
    )


def test_asking_zones_with_an_amount_prints_their_rates(folder, capsys):
    assert (
        run(
            folder,
            "ask",
            "k.dpmap",
            "zones.gpkg",
            "--per",
            "effort.tif",
            "--per-name",
            "hours of effort",
        )
        == 0
    )
    said = capsys.readouterr().out
    assert "rate low" in said and "records per hour of effort" in said


@pytest.mark.parametrize(
    "words",
    [
        ("draw", "k.dpmap", "--per", "none.tif", "--to", "bad.png"),
        ("draw", "k.dpmap", "--per", "effort.tif", "--to", "bad.gif"),
        ("draw", "k.dpmap", "--per", "effort.tif", "--what", "low", "--to", "bad.png"),
        ("draw", "k.dpmap", "--per-name", "people", "--to", "bad.png"),
        ("ask", "k.dpmap", "zones.gpkg", "--per", "zones.gpkg:name"),
        ("export", "k.dpmap", "--per", "effort.tif", "--to", "bad.tif"),
    ],
)
def test_what_cannot_be_answered_is_refused_in_one_line_and_leaves_nothing(folder, words, capsys):
    assert run(folder, *words) == 2 and not list(folder.glob("bad.*"))
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_means_have_no_rates_and_layers_are_asked_one_by_one(tmp_path):
    survey = pd.DataFrame({"o": range(60), "x": [0.5] * 60, "y": [0.5] * 60, "k": ["a", "b"] * 30})
    grid = dm.Grid(bounds=(0, 0, 2, 2), shape=(2, 2), crs="EPSG:4326").layered(
        dm.Kinds("k", ("a", "b"))
    )
    made = dm.release(
        dm.read(survey, unit="o", x="x", y="y", crs="EPSG:4326"), grid, dm.Policy(epsilon=5, unit="o", cap=1),
        ledger=tmp_path / "l", dataset="Two", budget=5,
    )  # fmt: skip
    rates = made.rates(np.ones((2, 2)))
    assert set(rates.k) == {"a", "b"} and len(made.layer("a").rates(np.ones((2, 2))))
    made.save(tmp_path / "two.dpmap")
    gpd.GeoDataFrame(geometry=[shapely.box(0, 0, 2, 2)], crs=4326).to_file(tmp_path / "a.gpkg")
    assert run(tmp_path, "draw", "two.dpmap", "--per", "a.gpkg", "--to", "m.png") == 2
    assert (
        run(tmp_path, "draw", "two.dpmap", "--layer", "a", "--per", "a.gpkg", "--to", "m.png") == 0
    )
