"""Rows that are lines or areas: inspect says how many there are and what to type, and counts as a release with it would."""

import geopandas as gpd
import pytest
import shapely
from fixtures import delimited, dwc_archive, dwc_events, geojson, opened

import dpmap as dm
from dpmap.cli import run

LINE, AREA = "LINESTRING (-3 56, -3.1 56.1)", "POLYGON ((-3 56, -3.1 56, -3.1 56.1, -3 56))"


def told(path, **options):
    """The advice about lines and areas, and how many rows more `--surface` brings in."""
    plain, drawn = (
        dm.inspect(opened(path, **options, surface=surface)) for surface in (False, True)
    )
    assert not [line for line in drawn.advice if "--surface" in line]
    return [line for line in plain.advice if "--surface" in line], drawn.usable - plain.usable


def layer(folder, name, shapes):
    """A layer of these shapes, each of a person of its own."""
    gpd.GeoDataFrame(
        {"who": [f"p{at}" for at in range(len(shapes))]},
        geometry=shapely.from_wkt(shapes),
        crs="EPSG:4326",
    ).to_file(folder / name)
    return folder / name


def table(
    folder,
    rows,
    columns=(
        "gbifID",
        "decimalLatitude",
        "decimalLongitude",
        "footprintWKT",
        "recordedBy",
        "occurrenceStatus",
    ),
):
    """A GBIF table whose rows are given as footprints, with a point beside some."""
    records = [{"gbifID": at, "recordedBy": "Ana", **row} for at, row in enumerate(rows)]
    return delimited(folder / "a.tsv", list(columns), records, "\t")


@pytest.mark.parametrize(("make", "rows"), [
    (lambda f: dwc_events(f), 1), (lambda f: dwc_archive(f), 1),
    (lambda f: layer(f, "a.gpkg", [LINE, "POINT (-3 56)", "POINT EMPTY", LINE]), 2),
    (lambda f: layer(f, "a.shp", [AREA, AREA]), 2),
    (lambda f: geojson(f / "a.geojson", [{"type": "Feature", "properties": {"who": "p"}, "geometry": shapely.geometry.mapping(shapely.from_wkt(one))}
                                         for one in (LINE, AREA, "POINT (-3 56)")]), 2),
], ids=["events", "archive", "lines", "areas", "features"])  # fmt: skip
def test_inspect_says_how_many_rows_surface_brings_in(make, rows, tmp_path):
    """Footprints of lines, layers of lines and of areas: as many as would count with it, and the flag."""
    path = make(tmp_path)
    lines, more = told(path, **({} if path.name in ("events", "dwca.zip") else {"unit": "who"}))
    assert more == rows
    assert lines[0].startswith(
        "1 row that is a line or area" if rows == 1 else f"{rows} rows that are lines or areas"
    )


def test_only_rows_that_would_count_are_told(tmp_path):
    """A footprint beside a point, a broken one, an absence and a row that names nobody bring nothing in."""
    here = {"decimalLatitude": 56, "decimalLongitude": -3}
    rows = [{"footprintWKT": LINE}, {"footprintWKT": LINE, **here}, {"footprintWKT": "LINESTRING (1"}, {"footprintWKT": LINE, "occurrenceStatus": "absent"},
            {"footprintWKT": LINE, "recordedBy": ""}, {"footprintWKT": "NA"}, {}]  # fmt: skip
    lines, more = told(table(tmp_path, rows))
    assert (lines, more) == (
        [
            "1 row that is a line or area (14% of all) would count with --surface, each at a point on it; without, they have no place"
        ],
        1,
    )


def test_only_rows_in_the_area_are_told(tmp_path):
    """With an area, only what lies in it counts."""
    path = layer(tmp_path, "a.gpkg", [LINE, "LINESTRING (9 9, 9 8)", "POINT (-3 56)"])
    grid = dm.Grid(bounds=(-4, 55, -2, 57), shape=(4, 4), crs="EPSG:4326")
    assert "1 row that is" in dm.inspect(dm.read(path, unit="who"), grid=grid).advice[-1]


def test_where_nothing_is_drawn_nothing_is_said(tmp_path):
    """Points alone, with some missing, need no such flag."""
    assert told(table(tmp_path, [{"decimalLatitude": 56, "decimalLongitude": -3}, {}])) == ([], 0)
    plain = delimited(
        tmp_path / "b.csv",
        ["who", "longitude", "latitude"],
        [{"who": "a", "longitude": "", "latitude": ""}],
    )
    assert told(plain, unit="who") == ([], 0)


@pytest.mark.parametrize(
    ("shapes", "drawn"),
    [
        ([LINE, LINE], True),
        ([AREA], True),
        (["POINT (-3 56)"], False),
        ([LINE, "POINT (-3 56)"], False),
    ],
)
def test_init_writes_the_flag_where_a_layer_says_that_all_its_shapes_are_drawn(
    shapes, drawn, tmp_path, monkeypatch
):
    """What the layer's own schema says of its shapes tells that it counts with the flag only; a layer of any shapes leaves it to the steward."""
    monkeypatch.chdir(tmp_path)
    path = layer(tmp_path, "a.gpkg", shapes)
    assert dm.read(path).drawn == drawn
    assert not dm.read(path, x="who", y="who", crs="EPSG:4326").drawn
    assert (
        run(
            [
                "init",
                "a.gpkg",
                "--unit=who",
                "--bounds=-5,55,0,58",
                "--shape=9,9",
                "--epsilon=1",
                "--cap=1",
                "--dataset=Nests",
                "--budget=2",
            ]
        )
        == 0
    )
    assert ("\nsurface = true" in (tmp_path / "dpmap.toml").read_text()) == drawn
    assert run(["release"]) == 0
