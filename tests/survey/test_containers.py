"""Archives, Parquet and Darwin Core Archives: whatever a survey is wrapped in, the same rows come out."""

import gzip
import io
import shutil
import sqlite3
import tarfile
import zipfile

import geopandas as gpd
import pytest
import shapely
from fixtures import META, delimited, dwc_archive, dwc_events, gbif_parquet, gbif_tab, terms, vector
from hypothesis import given, settings
from hypothesis import strategies as st

import dpmap as dm
from dpmap.errors import BadInput, SystemFailed
from dpmap.survey import place_parser

USABLE = 6


def zipped(path, members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def tarred(path, members):
    with tarfile.open(path, "w") as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path


def in_zip(folder, data):
    return zipped(folder / "a.zip", {"occurrence.csv": data, "citation.txt": b"x"})


def in_zip_in_zip(folder, data):
    return zipped(
        folder / "b.zip", {"inner/a.zip": in_zip(folder, data).read_bytes(), "README.html": b"x"}
    )


def in_zip_gz(folder, data):
    return zipped(folder / "c.zip", {"occurrence.csv.gz": gzip.compress(data)})


def in_tar_gz_member(folder, data):
    return tarred(
        folder / "d.tar", {"ebd/occurrence.txt.gz": gzip.compress(data), "terms_of_use.txt": b"x"}
    )


def in_zip_in_folder(folder, data):
    (folder / "e").mkdir()
    zipped(folder / "e" / "a.zip", {"occurrence.csv": data})
    return folder / "e"


@pytest.mark.parametrize(
    "wrap", [in_zip, in_zip_in_zip, in_zip_gz, in_tar_gz_member, in_zip_in_folder]
)
def test_wrapped_tables(wrap, tmp_path):
    """A table is found in a .zip, .tar or .gz, in one such archive inside another, or in a folder."""
    survey = dm.read(wrap(tmp_path, gbif_tab(tmp_path).read_bytes()))
    assert survey.roles.format == "GBIF occurrences"
    assert dm.inspect(survey).usable == USABLE


@pytest.mark.parametrize(
    "name",
    [
        "occurrence.parquet",
        "occurrence.parquet/000000",
        "0012-345/occurrence.parquet/part-0.parquet",
    ],
)
def test_zipped_parquet(name, tmp_path):
    """GBIF's Parquet download is read inside its archive, also where parts have no ending."""
    data = gbif_parquet(tmp_path).read_bytes()
    assert (
        dm.inspect(dm.read(zipped(tmp_path / "a.zip", {name: data, "citation.txt": b"x"}))).usable
        == USABLE
    )


def test_snapshot_folder(tmp_path):
    """GBIF's cloud snapshots are folders of parts without an ending; all are read."""
    place = tmp_path / "occurrence.parquet"
    place.mkdir()
    data = gbif_parquet(tmp_path).read_bytes()
    for part in ("000000", "000001"):
        (place / part).write_bytes(data)
    (place / "_SUCCESS").write_text("")
    assert dm.inspect(dm.read(place)).usable == 2 * USABLE


def test_zipped_geoparquet_and_layers(tmp_path):
    """Layers are read inside archives, one deep or two."""
    frame = gpd.read_file(vector(tmp_path, "a.gpkg"))
    frame.to_parquet(tmp_path / "a.parquet")
    inner = zipped(tmp_path / "p.zip", {"a.parquet": (tmp_path / "a.parquet").read_bytes()})
    layer = zipped(tmp_path / "g.zip", {"a.gpkg": (tmp_path / "a.gpkg").read_bytes()})
    for path in (inner, layer, zipped(tmp_path / "h.zip", {"g.zip": layer.read_bytes()})):
        assert dm.inspect(dm.read(path, unit="observer")).usable == 3


def test_too_deep(tmp_path):
    """The third archive in archives is refused, and so is a workbook without its parts."""
    data = b"who,longitude,latitude\n"
    for number in range(3):
        data = zipped(
            tmp_path / f"{number}.zip", {f"{number}.zip" if number else "a.csv": data}
        ).read_bytes()
    with pytest.raises(BadInput, match="archive in an archive in an archive"):
        dm.read(tmp_path / "2.zip")
    with pytest.raises(BadInput, match="a.xlsx holds no sheet of rows"):
        dm.read(
            zipped(
                tmp_path / "a.xlsx", {"xl/workbook.xml": b"<x/>", "[Content_Types].xml": b"<x/>"}
            )
        )


def test_declared_bomb(tmp_path):
    """Parquet that unpacks to more than any honest file does is refused before it is unpacked."""
    bomb = zipped(tmp_path / "a.zip", {"a.parquet": b"PAR1" + bytes(80 << 20)})
    with pytest.raises(BadInput, match="unpacks to more than"):
        dm.read(bomb)


def test_meta_defaults(tmp_path):
    """A term that meta.xml gives one value counts for every row, where it has no column or where its column is blank."""
    columns = ["id", "occurrenceStatus", "decimalLatitude", "decimalLongitude"]
    fields = terms(columns).replace('index="1"', 'index="1" default="absent"')
    fields += '<field default="Ana Ruiz" term="http://rs.tdwg.org/dwc/terms/recordedBy"/>'
    (tmp_path / "meta.xml").write_text(
        META.format(core="Occurrence", file="o.txt", fields=fields, more="")
    )
    rows = [
        dict(id=i, occurrenceStatus=s, decimalLatitude=56, decimalLongitude=-3)
        for i, s in enumerate(["present", "", "present"])
    ]
    delimited(tmp_path / "o.txt", columns, rows, "\t")
    found = dm.inspect(dm.read(tmp_path))
    assert (found.usable, found.units, found.left_out) == (2, 1, {"an absence": 1})


@pytest.mark.parametrize("name", ["a.gpkg", "a.shp", "a.fgb", "a.parquet"])
def test_unknown_crs_is_asked(name, tmp_path):
    """A layer that does not say its CRS is never taken for degrees."""
    frame = gpd.GeoDataFrame({"who": ["ana"]}, geometry=shapely.points([-3.1], [56.1]), crs=None)
    path = tmp_path / name
    with pytest.warns(UserWarning) if name != "a.parquet" else _nothing():
        frame.to_parquet(path) if name == "a.parquet" else frame.to_file(path)
    with pytest.raises(BadInput, match="the layer names no CRS; add it, like crs=EPSG:4326"):
        dm.read(path)
    assert dm.inspect(dm.read(path, crs="EPSG:4326", unit="who")).usable == 1


@pytest.mark.parametrize("number", [0, -1, 99999])
def test_undefined_geopackage_is_asked(number, tmp_path):
    """A GeoPackage's numbers for "undefined" are no CRS."""
    path = vector(tmp_path, "a.gpkg")
    with sqlite3.connect(path) as database:
        database.execute("UPDATE gpkg_geometry_columns SET srs_id = ?", (number,))
        database.execute("UPDATE gpkg_contents SET srs_id = ?", (number,))
    with pytest.raises(BadInput, match="the layer names no CRS"):
        dm.read(path)


def _nothing():
    from contextlib import nullcontext

    return nullcontext()


WHERE = st.floats(-1e7, 1e7)


@pytest.fixture(scope="module")
def asked():
    """A database to read one cell in."""
    import duckdb

    with duckdb.connect() as database:
        yield lambda cell: database.execute(
            f"SELECT {place_parser.cell('c')} FROM (SELECT ? AS c)", [cell]
        ).fetchone()[0]


@settings(deadline=None, database=None, max_examples=60)
@given(
    WHERE,
    WHERE,
    st.booleans(),
    st.sampled_from([0, 1]),
    st.sampled_from([0, 4326, 27700]),
    st.sampled_from(["iso", "extended"]),
)
def test_hexadecimal_points(asked, x, y, high, order, srid, flavor):
    """A point in hexadecimals is read exactly, in either byte order, with or without height and SRID."""
    point = shapely.set_srid(shapely.Point(x, y, 7) if high else shapely.Point(x, y), srid)
    more = {} if flavor == "iso" else {"include_srid": True}
    text = shapely.to_wkb(point, hex=True, byte_order=order, flavor=flavor, **more)
    found = asked(text)
    told = f"EPSG:{srid}" if srid and more else None
    assert (found["x"], found["y"], found["crs"]) == (x, y, told)


def test_points_that_name_their_crs(tmp_path):
    """Rows in hexadecimals or WKT with an SRID are moved from the CRS they name; others are in the survey's own."""
    point = shapely.set_srid(shapely.Point(320000, 673000), 27700)
    cells = [
        shapely.to_wkb(point, hex=True, include_srid=True),
        "SRID=27700;POINT(320000 673000)",
        "POINT(-3.28 55.94)",
        "not there",
    ]
    path = delimited(
        tmp_path / "a.csv", ["who", "geom"], [{"who": "ana", "geom": cell} for cell in cells]
    )
    grid = dm.Grid(bounds=(-3.3, 55.9, -3.2, 56.0), shape=(1, 1), crs="EPSG:4326")
    found = dm.inspect(dm.read(path, place="geom", unit="who"), grid=grid)
    assert (found.usable, found.left_out) == (3, {"no coordinates": 1})


def test_unreadable(tmp_path, monkeypatch):
    """What may not be read says so, by the file's name."""
    import os

    path = delimited(tmp_path / "a.csv", ["who"], [])
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(SystemFailed, match=r"no right to read a\.csv"):
        dm.read(path)


def test_occurrences_without_their_events_are_sent_back_for_them(tmp_path):
    """The file of occurrences of an event core has no places: one line says that its folder or archive is wanted, and that is read."""
    place = dwc_events(tmp_path)
    for alone in (
        place / "occurrence.txt",
        shutil.copy(place / "occurrence.txt", tmp_path / "seen.csv"),
    ):
        with pytest.raises(
            BadInput,
            match=r"give the folder \(or the archive\) with its meta.xml: their places stand in event.txt",
        ):
            dm.read(alone)
    assert dm.inspect(dm.read(place)).usable == 3
    with pytest.raises(BadInput, match="x=COLUMN"):
        dm.read(delimited(tmp_path / "b.csv", ["eventID", "occurrenceID", "verbatimLatitude"], []))


def test_a_file_called_like_a_layer_hides_no_layer(tmp_path):
    """In an archive --layer NAME is a layer or a file; where it may be both, nobody who adds a file chooses, and its whole name does."""
    vector(tmp_path, "a.gpkg")
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.write(tmp_path / "a.gpkg", "a.gpkg")
    assert dm.inspect(dm.read(tmp_path / "a.zip", layer="layer0", unit="observer")).usable == 3
    with zipfile.ZipFile(tmp_path / "a.zip", "a") as archive:
        archive.writestr("layer0.csv", "observer,longitude,latitude\ndee,1,2\n")
    with pytest.raises(
        BadInput, match="may be layer0.csv or a layer in a.gpkg; write the file's whole name"
    ):
        dm.read(tmp_path / "a.zip", layer="layer0")
    assert dm.inspect(dm.read(tmp_path / "a.zip", layer="layer0.csv", unit="observer")).usable == 1
    assert dm.inspect(dm.read(tmp_path / "a.zip", layer="a.gpkg", unit="observer")).usable == 3
    with pytest.raises(BadInput, match="holds no file b.csv; it has a.gpkg, layer0.csv"):
        dm.read(tmp_path / "a.zip", layer="b.csv")


@pytest.mark.parametrize("root", ["patrol", "gpx", "kml"])
def test_records_beside_a_meta_xml_are_not_passed_over(root, tmp_path):
    """A meta.xml that somebody adds does not hide the patrols or tracks of others; what is about the data may stand there."""
    path = dwc_archive(tmp_path)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("dataset/about.xml", "<eml/>")
    assert dm.inspect(dm.read(path)).usable == 3
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("of_others.xml", f"<{root}></{root}>")
    with pytest.raises(BadInput, match=r"does not name all of its tables \(of_others.xml\)"):
        dm.read(path)
