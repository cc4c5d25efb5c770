"""Zones: the cells they hold and cut, totals with honest intervals, and plain words where the map cannot tell."""

import json
import time
from pathlib import Path

import geopandas as gpd
import numpy as np
import pytest
import shapely
from builders import records

import dpmap as dm
from dpmap.cli import main
from dpmap.errors import BadInput
from dpmap.grid import Partition
from dpmap.grid.zone_overlap import Coverer
from dpmap.releases.release import Release

AREA = shapely.Polygon([(-2.4, 40.2), (-1.9, 40.9), (-1.2, 41.0), (-1.0, 40.5), (-1.5, 40.1)])
GRIDS = {
    "degrees": lambda: dm.Grid(bounds=(-2.5, 40, -1, 41), shape=(20, 30), crs="EPSG:4326"),
    "metres, masked": lambda: dm.Grid.covering(AREA, cell="5 km"),
    "oblong cells": lambda: dm.Grid(
        bounds=(4e5, 44e5, 5e5, 45e5), shape=(13, 29), crs="EPSG:25830"
    ),
    "hexagons": lambda: dm.Grid.hexagons(AREA, resolution=6),
    "areas": lambda: dm.Grid.areas(districts()),
    "one cell": lambda: dm.Grid(bounds=(-2, 40, -1.9, 40.1), shape=(1, 1), crs="EPSG:4326"),
}


def districts():
    boxes = [shapely.box(x, y, x + 0.5, y + 0.4) for x in (-2.4, -1.9, -1.4) for y in (40.1, 40.5)]
    names = ["=cmd()", "b|<i>", "Óbidos", "d", "e", "f"]
    return gpd.GeoDataFrame({"name": names}, geometry=boxes, crs="EPSG:4326").to_crs("EPSG:25830")


def release_of(grid, totals=0.0, *, rng=None, epsilon=1, cap=5):
    policy = dm.Policy(epsilon=epsilon, unit="observer_id", cap=cap)
    noise = rng.laplace(0, float(policy.scale), grid.cells_inside) if rng else 0.0
    made = records.measured(Partition.cells(grid), totals, policy, noise)
    return Release(records.record(grid, policy, [made]))


def blob(rng, bounds, holes=True):
    """A ragged polygon somewhere around these bounds, sometimes with a hole or a second part."""
    west, south, east, north = bounds

    def ring(size):
        x, y = rng.uniform(west, east), rng.uniform(south, north)
        angle = np.sort(rng.uniform(0, 2 * np.pi, 17))
        reach = size * rng.uniform(0.4, 1, 17)
        return shapely.make_valid(
            shapely.Polygon(np.c_[x + reach * np.cos(angle), y + reach * np.sin(angle)])
        )

    size = (east - west) * rng.choice([0.01, 0.1, 0.4, 0.9])
    zone = ring(size).union(ring(size / 2)) if holes else ring(size)
    return zone.difference(ring(size / 3)) if holes else zone


@pytest.mark.parametrize("kind", GRIDS)
def test_the_cover_is_that_of_every_cell_looked_at(kind):
    """Cells inside, cells cut and their shares equal brute force over all cells, for ragged zones with holes."""
    grid = GRIDS[kind]()
    rng = np.random.default_rng(4)
    outlines, coverer = grid.polygons(), Coverer(grid)
    judged = 0
    for _ in range(60):
        zone = blob(rng, shapely.total_bounds(outlines))
        if not zone.area:
            continue
        found = coverer.cover(zone)
        shares = shapely.area(shapely.intersection(outlines, zone)) / shapely.area(outlines)
        if ((shares > 0) & (shares < 1e-6) | (shares < 1 - 1e-11) & (shares > 1 - 1e-6)).any():
            continue
        judged += 1
        assert np.array_equal(found.within[grid.inside], shapely.covers(zone, outlines))
        expected = shapely.intersects(zone, outlines) & ~shapely.touches(zone, outlines)
        assert np.array_equal(found.touched[grid.inside], expected)
        assert not found.touched[~grid.inside].any()
        index = np.flatnonzero(grid.inside)
        assert found.shares == pytest.approx(shares[np.searchsorted(index, found.cut)], abs=1e-9)
    assert judged > 40


def test_a_zone_along_the_cells_edges_cuts_none():
    """A rectangle of whole cells holds just those, whatever the last digit of its corners."""
    grid = dm.Grid(bounds=(0, 0, 3, 3), shape=(30, 30), crs="EPSG:4326")
    for right in (0.3, 0.1 + 0.2, 0.30000000000000004, 0.7, 2.9):
        found = Coverer(grid).cover(shapely.box(0.1, 0.2, right, 0.3))
        assert found.within.sum() == round((right - 0.1) * 10) and not len(found.cut)


def test_a_zone_in_another_crs_is_the_same_zone():
    """Districts given in metres and in degrees cover the same cells, their straight edges kept."""
    release = release_of(GRIDS["degrees"](), 3.0)
    metres = release.ask(districts())
    straight = (
        districts()
        .set_geometry(shapely.segmentize(districts().geometry.array, 500))
        .to_crs("EPSG:4326")
    )
    degrees = release.ask(straight)
    assert np.array_equal(metres["cells_inside"], degrees["cells_inside"])
    assert metres["estimate"].to_numpy() == pytest.approx(degrees["estimate"].to_numpy(), rel=1e-4)
    assert metres.crs == districts().crs and list(metres["name"]) == list(districts()["name"])


def test_the_ways_to_give_zones(tmp_path):
    """A file, a layer in memory, a geometry and a box are answered alike."""
    release = release_of(GRIDS["degrees"](), 2.0)
    box = shapely.box(-2.2, 40.2, -1.4, 40.8)
    layer = gpd.GeoDataFrame({"note": ["mine"], "id": [7]}, geometry=[box], crs="EPSG:4326")
    layer.to_file(tmp_path / "z.gpkg", layer="z")
    answers = [release.ask(zone) for zone in (tmp_path / "z.gpkg", layer, box, box.bounds)]
    for found in answers:
        assert found["estimate"].iloc[0] == pytest.approx(answers[0]["estimate"].iloc[0])
        assert len(found) == 1 and found.geometry.name in found.columns
    assert answers[0]["id"].iloc[0] == 7 and answers[0]["note_given"].iloc[0] == "mine"


def test_the_estimate_takes_shares_of_cut_cells():
    """A zone of half a cell holds half of its estimate; the stricter bounds allow for none and all of it."""
    release = release_of(dm.Grid(bounds=(0, 0, 4, 1), shape=(1, 4), crs="EPSG:3857"), 1000.0)
    zone = gpd.GeoDataFrame(geometry=[shapely.box(0.5, 0, 3, 1)], crs="EPSG:3857")
    found = release.ask(zone).iloc[0]
    assert found["estimate"] == pytest.approx(2500) and (
        found["cells_inside"],
        found["cells_cut"],
    ) == (2, 1)
    assert (
        found["least"] < 2000 < found["low"] < 2500 < found["high"] <= found["most"]
        and found["most"] > 3000
    )
    assert found["note"] == "crosses 1 cell, shared by ground"


def test_notes_say_where_the_map_cannot_tell():
    """Too small, partly outside, wholly outside, and not distinguishable from none: each has its words."""
    release = release_of(dm.Grid(bounds=(0, 0, 0.4, 0.4), shape=(4, 4), crs="EPSG:4326"), 0.0)
    zones = [
        shapely.box(0.12, 0.12, 0.13, 0.13), shapely.box(0.2, 0, 0.6, 0.4), shapely.box(5, 5, 6, 6),
        shapely.box(0.05, 0.19, 0.35, 0.21), shapely.box(0, 0, 0.4, 0.4),
    ]  # fmt: skip
    found = release.ask(gpd.GeoDataFrame(geometry=zones, crs="EPSG:4326"))
    small, half, out, thin, whole = found["note"]
    assert small == "smaller than one cell: the map cannot resolve it"
    assert half.startswith("partly outside the map: 50% of it is covered") and found["in_map"][
        1
    ] == pytest.approx(0.5, abs=1e-3)
    assert out == "outside the map" and np.isnan(found["estimate"][2]) and found["in_map"][2] == 0
    assert thin.startswith(("smaller than one cell", "holds no whole cell"))
    assert whole == "its total is not distinguishable from none" and found["in_map"][4] == 1


@pytest.mark.parametrize("kind", ["whole cells", "one cell", "all cells"])
def test_intervals_hold_as_often_as_stated(kind):
    """Over 2,000 simulated flat releases a 90 % interval of occupied zones covers between 88 and 92 %."""
    grid = dm.Grid(bounds=(0, 0, 12, 12), shape=(12, 12), crs="EPSG:3857")
    rng = np.random.default_rng(11)
    truth = rng.poisson(40, grid.size).astype(float)
    zone = {
        "whole cells": shapely.box(2, 3, 7, 9),
        "one cell": shapely.box(4, 4, 5, 5),
        "all cells": shapely.box(0, 0, 12, 12),
    }[kind]
    cover = Coverer(grid).cover(zone)
    total = truth[cover.within.ravel()].sum()
    held = 0
    for _ in range(2000):
        _, low, high = release_of(grid, truth, rng=rng).reading.zone(
            cover.within, cover.touched, 0.9
        )
        held += low <= total <= high
    assert 0.88 <= held / 2000 <= 0.92


def test_cut_cells_are_held_whatever_their_part():
    """Wherever the points of a cut cell lie, `least` and `most` hold the zone's total at least as often as stated."""
    grid = dm.Grid(bounds=(0, 0, 6, 6), shape=(6, 6), crs="EPSG:3857")
    rng = np.random.default_rng(5)
    truth = np.full(grid.size, 10.0)
    zone = gpd.GeoDataFrame(geometry=[shapely.box(0.5, 0.5, 4.5, 4.5)], crs="EPSG:3857")
    cover = Coverer(grid).cover(zone.geometry[0])
    inside, reach = truth[cover.within.ravel()].sum(), truth[cover.touched.ravel()].sum()
    releases = [release_of(grid, truth, rng=rng) for _ in range(300)]
    bounds = np.array(
        [release.reading.zone(cover.within, cover.touched, 0.9)[1:] for release in releases]
    )
    for total in (inside, (inside + reach) / 2, reach):
        assert np.mean((bounds[:, 0] <= total) & (total <= bounds[:, 1])) >= 0.88
    for release, (least, most) in zip(releases[:3], bounds, strict=False):
        told = release.ask(zone).iloc[0]
        assert told["least"] == min(least, told["low"]) and told["most"] == max(most, told["high"])


def test_two_hundred_zones_on_a_million_cells():
    """They take seconds of computing, not minutes, once the map is read."""
    grid = dm.Grid(bounds=(0, 0, 1e6, 1e6), shape=(1000, 1000), crs="EPSG:3035")
    rng = np.random.default_rng(1)
    release = release_of(grid, 3.0, rng=rng)
    zones = [blob(rng, (2e5, 2e5, 5e5, 5e5)) for _ in range(200)]
    release.ask(gpd.GeoDataFrame(geometry=zones[:1], crs="EPSG:3035"))
    start = time.process_time()
    found = release.ask(gpd.GeoDataFrame(geometry=zones, crs="EPSG:3035"))
    assert len(found) == 200 and time.process_time() - start < 60


BAD = {
    "none": (lambda place: None, "zones: give"),
    "no file": (lambda place: place / "no.gpkg", "zones: there is no file no.gpkg"),
    "folder": (lambda place: place, "is a folder"),
    "points": (
        lambda place: gpd.GeoDataFrame(geometry=[shapely.Point(0, 0)], crs=4326),
        "must be a polygon",
    ),
    "no crs": (lambda place: gpd.GeoDataFrame(geometry=[shapely.box(0, 0, 1, 1)]), "no CRS"),
    "no zones": (lambda place: gpd.GeoDataFrame(geometry=[], crs=4326), "the layer is empty"),
    "turned box": (lambda place: (1, 0, 0, 1), "west < east"),
    "text": (lambda place: place / "a.gpkg", "cannot be read"),
    "number": (lambda place: 7, "zones: give a file"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_zones_are_one_line(case, tmp_path):
    """Whatever is wrong with the zones, one line says what and how to go on."""
    (tmp_path / "a.gpkg").write_text("not a layer")
    make, words = BAD[case]
    with pytest.raises(BadInput) as error:
        release_of(GRIDS["degrees"]()).ask(make(tmp_path))
    assert words in str(error.value) and "\n" not in str(error.value)
    with pytest.raises(BadInput, match="level"):
        release_of(GRIDS["degrees"]()).ask((-2, 40, -1, 41), level=1.5)


def run(arguments, monkeypatch):
    monkeypatch.setattr("sys.argv", ["dpmap", *map(str, arguments)])
    try:
        return main() or 0
    except SystemExit as ended:
        return ended.code or 0


@pytest.mark.parametrize("suffix", [".csv", ".geojson", ".gpkg", ".parquet", ".md"])
def test_the_command_line_answers(suffix, tmp_path, monkeypatch, capsys):
    """A table on the terminal and a file in each format; names from someone's file cannot act in it."""
    release_of(GRIDS["metres, masked"](), 9.0).save(tmp_path / "r.dpmap")
    districts().to_file(tmp_path / "z.gpkg")
    out = tmp_path / f"a{suffix}"
    assert run(["ask", tmp_path / "r.dpmap", tmp_path / "z.gpkg", "--out", out], monkeypatch) == 0
    said = capsys.readouterr().out
    assert (
        said.splitlines()[0].split()[:2] == ["zone", "estimate"]
        and "Óbidos" in said
        and "90 % intervals" in said
    )
    if suffix == ".csv":
        assert (tmp_path / "a.csv-metadata.json").exists() and "a.csv-metadata.json" in said
        assert (
            "'=cmd()" in out.read_text("utf-8")
            and "estimate" in out.read_text("utf-8").splitlines()[0]
        )
    elif suffix == ".md":
        assert "b&#124;&lt;i&gt;" in out.read_text("utf-8")
    elif suffix == ".parquet":
        assert len(gpd.read_parquet(out)) == 6
    else:
        found = gpd.read_file(out, **({"layer": "zones"} if out.suffix == ".gpkg" else {}))
        assert len(found) == 6 and (found["low"].dropna() <= found["high"].dropna()).all()


def test_the_command_line_refuses_other_formats(tmp_path, monkeypatch, capsys):
    """A suffix that zones are not written in is refused before anything is read."""
    assert run(["ask", "r.dpmap", "z.gpkg", "--out", Path("a.xyz")], monkeypatch) == 2
    assert ".csv .geojson" in capsys.readouterr().err


def test_zones_outside_the_map_are_named_and_left_out_on_request(tmp_path, monkeypatch, capsys):
    """Which zone lies outside is said by name; with one flag or keyword the answers do without it."""
    release = release_of(GRIDS["degrees"](), 3.0)
    zones = districts()
    zones.loc[1, "geometry"] = shapely.affinity.translate(zones.geometry[1], 10**7)
    zones.loc[1, "name"] = "Scilly"
    zones.to_file(tmp_path / "zones.gpkg")
    release.save(tmp_path / "map.dpmap")
    capsys.readouterr()
    words = ["ask", str(tmp_path / "map.dpmap"), str(tmp_path / "zones.gpkg"), "--json"]
    assert len(release.ask(zones)) == 6
    answers = release.ask(zones, leave_outside=True)
    assert (len(answers), answers.attrs["left_out"]) == (5, ["Scilly"])
    for flags, count, left_out in (([], 6, []), (["--leave-outside"], 5, ["Scilly"])):
        assert run([*words, *flags], monkeypatch) == 0
        document = json.loads(capsys.readouterr().out)
        assert (len(document["zones"]), document["left_out"]) == (count, left_out)
        assert "Scilly" in document["outside"]
