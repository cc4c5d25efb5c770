"""`--layer all`: every layer of a GeoPackage, GPX or KML is read as one table where they share their columns, or none is."""

import sqlite3
import zipfile
from contextlib import closing

import geopandas as gpd
import pandas as pd
import pyogrio
import pytest
import shapely
from fixtures import opened

import dpmap as dm
from dpmap.cli import run
from dpmap.errors import BadInput

CRS = "EPSG:4326"


def layer(
    path, name, people, *, crs=CRS, number=int, order=("observer", "n"), shapes=shapely.points
):
    """Adds a layer with a row for each of these people."""
    here = shapes([-3.1 + at / 10 for at in range(len(people))], [56.1] * len(people))
    frame = gpd.GeoDataFrame(
        {"observer": people, "n": [number(at) for at in range(len(people))]}, geometry=here, crs=CRS
    )
    frame[[*order, "geometry"]].to_crs(crs).to_file(path, layer=name, driver="GPKG")
    return path


def seen(path, **options):
    """How many rows and units an inspection finds."""
    found = dm.inspect(opened(path, **options))
    return found.usable, found.units


def test_layers_of_one_table_are_read_together(tmp_path):
    """Years in layers of their own are one survey: the same columns in whatever order; tables without places are none of it."""
    path = layer(tmp_path / "a.gpkg", "nests 2024", ["ana", "bo"])
    layer(path, "nests 2025", ["bo", "cy", "cy"], order=("n", "observer"))
    pyogrio.write_dataframe(pd.DataFrame({"observer": ["dee"]}), path, layer="notes")
    with pytest.raises(
        BadInput, match="add layer=NAME, or layer= all if they have the same columns"
    ):
        dm.read(path)
    assert [
        seen(path, layer=one, unit="observer") for one in ("nests 2024", "nests 2025", "all")
    ] == [
        (2, 2),
        (3, 2),
        (5, 3),
    ]
    assert dm.read(path, layer="all").schema.names == ("observer", "n")


@pytest.mark.parametrize("other", [
    {"crs": "EPSG:27700"}, {"number": float}, {"number": str}, {"order": ("observer",)},
])  # fmt: skip
def test_layers_that_differ_are_refused(other, tmp_path):
    """Other columns, types or CRS: none is read, and the odd ones are named."""
    path = layer(tmp_path / "a.gpkg", "one", ["ana"])
    layer(path, "two", ["bo"])
    layer(path, "odd", ["cy"], **other)
    with pytest.raises(
        BadInput, match="no parts of one table: odd has other columns, types or CRS"
    ):
        dm.read(path, layer="all")


def test_columns_that_differ_inside_are_refused(tmp_path):
    """A column that holds bytes in one layer and texts in another is found when they are opened."""
    path = layer(tmp_path / "a.gpkg", "one", ["ana"])
    layer(path, "two", ["bo"])
    with closing(sqlite3.connect(path)) as database:
        for name, kind in (("one", "TEXT"), ("two", "BLOB")):
            database.execute(f"ALTER TABLE {name} ADD COLUMN note {kind}")
        database.commit()
    with pytest.raises(BadInput, match="no parts of one table: their types differ"):
        seen(path, layer="all", unit="note")


def test_points_and_areas_may_be_layers_of_one_table(tmp_path):
    """Layers of points and of areas share their columns; areas count if it is asked for."""
    path = layer(tmp_path / "a.gpkg", "points", ["ana", "bo"])
    layer(path, "areas", ["cy"], shapes=lambda x, y: shapely.buffer(shapely.points(x, y), 0.01))
    assert seen(path, layer="all", unit="observer") == (2, 2)
    assert seen(path, layer="all", unit="observer", surface=True) == (3, 3)


def test_a_layer_called_all_decides_nothing(tmp_path):
    """Alone it is itself; beside others nobody can tell what is meant, so none is read."""
    path = layer(tmp_path / "a.gpkg", "all", ["ana"])
    assert seen(path, layer="all", unit="observer") == (1, 1)
    layer(path, "hers", ["bo"])
    with pytest.raises(BadInput, match="has a layer called all beside others.*rename it"):
        dm.read(path, layer="all")
    other = layer(tmp_path / "b.gpkg", "hers", ["bo"])
    pyogrio.write_dataframe(pd.DataFrame({"observer": ["dee"]}), other, layer="all")
    with pytest.raises(BadInput, match="has a layer called all beside others"):
        dm.read(other, layer="all")


def test_a_member_called_all_decides_nothing(tmp_path):
    """In an archive `all` means the layers inside; a member of that name is one beside others, so the archive is refused."""
    path = layer(layer(tmp_path / "a.gpkg", "one", ["ana"]), "two", ["bo"])
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.write(path, "a.gpkg")
    assert seen(tmp_path / "a.zip", layer="all", unit="observer") == (2, 2)
    with zipfile.ZipFile(tmp_path / "a.zip", "a") as archive:
        archive.writestr("all.csv", "observer,longitude,latitude\ncy,1,50\n")
    with pytest.raises(BadInput, match="no parts of one table"):
        dm.read(tmp_path / "a.zip", layer="all", unit="observer")
    assert seen(tmp_path / "a.zip", layer="all.csv", unit="observer") == (1, 1)


def test_nothing_to_read_is_said(tmp_path):
    """Without layers that have places, or with a view among them, `all` is refused."""
    pyogrio.write_dataframe(pd.DataFrame({"observer": ["dee"]}), tmp_path / "a.gpkg", layer="notes")
    with pytest.raises(BadInput, match="has no layer with places"):
        dm.read(tmp_path / "a.gpkg", layer="all")
    path = layer(tmp_path / "b.gpkg", "one", ["ana"])
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE VIEW two AS SELECT * FROM one")
        database.execute(
            "INSERT INTO gpkg_geometry_columns SELECT 'two', column_name, geometry_type_name, srs_id, z, m FROM gpkg_geometry_columns"
        )
        database.execute(
            "INSERT INTO gpkg_contents (table_name, data_type, identifier, srs_id) VALUES ('two', 'features', 'two', 4326)"
        )
        database.commit()
    with pytest.raises(BadInput, match="a view"):
        dm.read(path, layer="all")


GPX = """<?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="56.1" lon="-3.1"><name>ana</name></wpt>
<rte><name>bo</name><rtept lat="56.1" lon="-3.2"/></rte>
<trk><name>cy</name><trkseg><trkpt lat="56.1" lon="-3.3"><ele>7</ele></trkpt><trkpt lat="56.1" lon="-3.4"/></trkseg></trk></gpx>"""


def test_waypoints_routes_and_tracks_together(tmp_path):
    """All points of a GPX, by the fields that init finds in any of them."""
    (tmp_path / "a.gpx").write_text(GPX)
    told = dm.guess(tmp_path / "a.gpx", layer="all")
    assert told == {"format": "gpx", "layer": "all", "columns": ["name", "around.name", "ele"]}
    assert [
        seen(tmp_path / "a.gpx", layer=one, unit="row")[0]
        for one in ("waypoints", "route_points", "track_points", "all")
    ] == [1, 1, 2, 4]
    assert seen(tmp_path / "a.gpx", layer="all", unit="around.name|name") == (4, 3)
    with pytest.raises(BadInput, match="waypoints, route_points, track_points, or all of them"):
        seen(tmp_path / "a.gpx", layer="tracks", unit="row", columns=["name"], format="gpx")


def test_every_folder_of_a_kml(tmp_path):
    """All placemarks, in folders and beside them; a folder called all is a folder like others."""
    mark = (
        "<Placemark><name>{}</name><Point><coordinates>-3.1,56.1</coordinates></Point></Placemark>"
    )
    folders = "".join(
        f"<Folder><name>{name}</name>{mark.format(who)}</Folder>"
        for name, who in (("all", "ana"), ("hers", "bo"))
    )
    (tmp_path / "a.kml").write_text(
        f'<kml xmlns="http://www.opengis.net/kml/2.2"><Document>{folders}{mark.format("cy")}</Document></kml>'
    )
    assert [seen(tmp_path / "a.kml", layer=one, unit="name") for one in ("hers", "all", None)] == [
        (1, 1),
        (3, 3),
        (3, 3),
    ]


def test_from_inits_own_words(tmp_path, monkeypatch):
    """What init writes down for all layers is all that release needs."""
    monkeypatch.chdir(tmp_path)
    layer(layer(tmp_path / "a.gpkg", "one", ["ana"]), "two", ["bo"])
    assert run(["init", "a.gpkg", "--layer=all", "--unit=observer", "--bounds=-5,55,0,58", "--shape=4,4", "--epsilon=1", "--cap=1", "--dataset=Kites",
                "--budget=2"]) == 0  # fmt: skip
    assert 'layer = "all"' in (tmp_path / "dpmap.toml").read_text()
    assert run(["release"]) == 0
