"""Layers and SQLite: an odd record drops, or is mended, by itself, and leaves nothing beside the survey."""

import os
import shutil
import sqlite3
import struct
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path

import geopandas as gpd
import numpy as np
import pyarrow as pa
import pytest
import shapely
from builders.waiting import LONG

import dpmap as dm
from dpmap.engines.duckdb import DuckDB
from dpmap.engines.rows import RowTable, chosen_for
from dpmap.errors import BadInput
from dpmap.survey.cell_lookup import cells
from dpmap.survey.column_roles import ReadingOptions, Roles
from dpmap.survey.files import shapes

sys.path.insert(0, str(Path(__file__).parents[1] / "premise"))
import schema_files

GRID = dm.Grid(bounds=(0, 50, 10, 60), shape=(10, 10), crs="EPSG:4326")


def read_rows(path, *, grid=GRID, unit="who", consent=None, **reading):
    """(unit, cell) of each row that counts."""
    survey = dm.read(path, unit=unit, consent=consent, **reading)
    policy = dm.Policy(epsilon="1", unit=unit, cap=5, consent=survey.roles.consent)
    with DuckDB().connected() as database:
        rows = RowTable(database, survey, chosen_for(survey, grid, policy))
        rows.place(grid)
        rows.name()
        return sorted(database.execute("SELECT unit, cell FROM rows").fetchall())


def records(*changes):
    """Three plain records, and what one odd record more holds instead."""
    plain = [
        dict(who=f"p{i}", lon=i + 0.5, lat=50.5, date="2024-05-01", consent="yes", note="n")
        for i in range(3)
    ]
    return [*plain, *(dict(plain[0], who="odd") | change for change in changes)]


THREE = [("p0", 90), ("p1", 91), ("p2", 92)]
CIRCLE = struct.pack("<BII6d", 1, 8, 3, 0, 50, 1, 51, 2, 50)


def deep(times, kind=7, order="<"):
    """A shape in a shape in a shape."""
    one = struct.pack(f"{order}BII", order == "<", kind, 1)
    return one * times + struct.pack(f"{order}BIdd", order == "<", 1, 5.5, 50.5)


ODD = {"a curve": CIRCLE, "an empty shape": shapely.Point().wkb, "cut short": shapely.Point(1, 50).wkb[:15], "no shape": b"\xff" * 30,
       "a kind unknown": struct.pack("<BI", 1, 99) + bytes(16), "nested 40 deep": deep(40), "no bytes": b"",
       "vast by its word": struct.pack("<BII", 1, 2, 1 << 31), "a line": shapely.LineString([(1, 50), (2, 50)]).wkb}  # fmt: skip


@pytest.mark.parametrize("surface", [False, True])
@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("family", ["gpkg", "geoparquet", "spatialite"])
def test_an_odd_shape_drops_alone(tmp_path, family, odd, surface):
    """A curve, an empty or a broken shape among others costs its own row its place, and no other row."""
    path = schema_files.FAMILIES[family](tmp_path / "s", records({"lon": ODD[odd]}))
    found = read_rows(path, surface=surface)
    assert [row for row in found if row[0] != "odd"] == THREE
    assert len(found) == 3 + (surface and odd == "a line" and family != "spatialite")


@pytest.mark.parametrize(
    "odd", [b"Jos\xe9", b"\xff\xfe\xfd", "Jos\u00e9".encode(), b"\xed\xa0\x80x"]
)
@pytest.mark.parametrize(
    "family", ["gpkg", "sqlite", "spatialite", "shp", "shp typed", "fgb", "geoparquet", "parquet"]
)
def test_a_text_that_is_not_utf8_is_mended_alone(tmp_path, family, odd):
    """A name in another encoding is read as well as can be; all others stay as they were."""
    key = "note" if family == "shp typed" else "who"
    changed = records({key: odd})
    for number, record in enumerate(changed):
        record["who"] = number if family == "shp typed" else record["who"]
    found = read_rows(
        schema_files.FAMILIES[family](tmp_path / "s", changed),
        consent="note=n" if key == "note" else None,
    )
    assert [row for row in found if row[0] in ("p0", "p1", "p2", "0", "1", "2")] in (
        THREE,
        [(str(i), 90 + i) for i in range(3)],
    )
    assert len(found) == 4 - (key == "note")
    if odd == b"Jos\xe9" and key == "who" and family != "parquet":
        assert ("jos\u00e9", 90) in found


def test_a_shapefile_record_marked_deleted_is_left_out_alone(tmp_path):
    """QGIS and others only mark a deleted record: the survey is still read."""
    assert read_rows(schema_files.shapefile(tmp_path / "s", records({"note": "deleted"}))) == THREE


def test_a_shapefile_whose_files_do_not_belong_together_is_refused(tmp_path):
    """A .dbf with more records than shapes is refused in one line that says so."""
    path = schema_files.shapefile(tmp_path / "s", records())
    table = (tmp_path / "s.dbf").read_bytes()
    (tmp_path / "s.dbf").write_bytes(
        table[:4] + struct.pack("<I", 4) + table[8:-1] + b" " * 60 + b"\x1a"
    )
    with pytest.raises(
        BadInput, match=r"s\.shp and the \.shx and \.dbf beside it hold different numbers"
    ):
        dm.read(path, unit="who")


@pytest.mark.parametrize("column", ["who", "consent", "date"])
def test_a_value_of_another_type_drops_its_row_alone(tmp_path, column):
    """In a GeoPackage a text may stand among whole numbers; its row is left out, not read as 0 or as the year 1970."""
    told = [dict(one, who=number) for number, one in enumerate(records({}))]
    for one in told:
        one["consent"] = 1
    told[3] |= {column: "soon"}
    grid = GRID.layered(dm.Times("date", ("1900", "2030")))
    found = read_rows(
        schema_files.typed_geopackage(tmp_path / "s", told), consent="consent=true", grid=grid
    )
    assert found == [("0", 90), ("1", 91), ("2", 92)]


def test_an_sqlite_column_without_a_type_is_read_value_by_value(tmp_path):
    """What the first record holds, a number, a text or bytes, changes nothing in how the next is read."""
    odd = [7, 7.0, "7", b"7", 2**53 + 1, 2**63 - 1, 1e30, "x", None]
    for number, first in enumerate(odd):
        told = [
            dict(one, who=value)
            for one, value in zip(
                records(*[{}] * 7), [first, "ann", 1000, 1000.0, 2**53, b"bo\xeb"], strict=False
            )
        ]
        found = [
            unit for unit, _ in read_rows(schema_files.sqlite_table(tmp_path / f"s{number}", told))
        ]
        rest = list(found)
        for sure in ("ann", "1000", "1000", "9007199254740992", "bo\u00eb"):
            rest.remove(sure)
        assert len(rest) == (first is not None)


@pytest.mark.parametrize("family", ["sqlite", "spatialite"])
def test_sqlite_is_read_by_its_schema_and_a_view_is_refused(tmp_path, family):
    """A view asks all rows together: it is no survey, and the line says what to do."""
    path = schema_files.FAMILIES[family](tmp_path / "s", records())
    assert read_rows(path) == THREE
    with closing(sqlite3.connect(path)) as database:
        database.execute(
            "CREATE VIEW most AS SELECT * FROM seen WHERE who = (SELECT max(who) FROM seen)"
        )
        database.commit()
    with pytest.raises(
        BadInput, match="a view is the layer of s.sqlite; save what it shows as a table"
    ):
        dm.read(path, unit="who", layer="most")


def test_a_view_in_a_packed_geopackage_is_refused(tmp_path):
    """A view is refused in an archive too."""
    path = schema_files.geopackage(tmp_path / "s", records())
    with closing(sqlite3.connect(path)) as database:
        database.execute(
            "CREATE VIEW most AS SELECT * FROM seen WHERE who = (SELECT max(who) FROM seen)"
        )
        database.commit()
    with zipfile.ZipFile(tmp_path / "s.zip", "w") as archive:
        archive.write(path, "s.gpkg")
    for given in (path, tmp_path / "s.zip"):
        with pytest.raises(BadInput, match="view as a layer"):
            dm.read(given, unit="who", layer="most")


@pytest.mark.parametrize("family", ["gpkg", "sqlite", "spatialite", "shp", "fgb"])
def test_reading_leaves_nothing_beside_the_survey(tmp_path, family):
    """No index, lock or schema file is written, whoever had the file open before."""
    path = schema_files.FAMILIES[family](tmp_path / "s", records({"lon": CIRCLE}))
    if path.suffix in (".gpkg", ".sqlite"):
        with closing(sqlite3.connect(path)) as database:
            database.execute("PRAGMA journal_mode = WAL")
    before = {one.name: one.stat().st_mtime_ns for one in (tmp_path, *tmp_path.iterdir())}
    assert read_rows(path) == THREE
    assert {one.name: one.stat().st_mtime_ns for one in (tmp_path, *tmp_path.iterdir())} == before


@pytest.mark.parametrize("family", ["gpkg", "sqlite"])
def test_changes_that_are_not_written_yet_are_pointed_out(tmp_path, family):
    """A file that a program is still writing is refused, not read without its last changes."""
    path = schema_files.FAMILIES[family](tmp_path / "s", records())
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("DELETE FROM seen")
        database.commit()
        with pytest.raises(BadInput, match="changes not yet written into it"):
            dm.read(path, unit="who")


@pytest.mark.parametrize("family", ["gpkg", "sqlite", "geoparquet"])
def test_damage_inside_is_told_as_what_it_is(tmp_path, family):
    """A page that is no page ends the count in one line that says the file is damaged, not to check the disk."""
    told = [dict(records()[i % 3], note="n" * 50) for i in range(3000)]
    path = schema_files.FAMILIES[family](tmp_path / "s", told)
    whole = bytearray(path.read_bytes())
    start, size = (len(whole) // 2 // 4096 * 4096, 4096) if family != "geoparquet" else (4, 400)
    whole[start : start + size] = b"\xff" * size
    path.write_bytes(whole)
    with pytest.raises(
        BadInput, match="breaks off or is damaged inside; (copy or )?export it again"
    ):
        dm.release(
            dm.read(path, unit="who"),
            GRID,
            dm.Policy(epsilon="1", unit="who", cap=5),
            ledger=tmp_path / "l",
            dataset="d",
            budget=1,
        )
    assert not (tmp_path / "l").exists()


def test_what_declares_no_columns_is_not_given_to_gdal(tmp_path):
    """A file whose kind GDAL would guess from its records is refused by its name's promise."""
    from dpmap.survey.files import layers

    (tmp_path / "s.fgb").write_text('{"type": "FeatureCollection", "features": []}')
    with pytest.raises(BadInput, match="declares its columns|cannot be read as a vector layer"):
        layers.vector(str(tmp_path / "s.fgb"), "s.fgb", None)


DIES = """
import struct, sys
import numpy as np, pyarrow as pa, shapely
from dpmap.survey.files import shapes
def deep(times, kind, order):
    return struct.pack(order + "BII", order == "<", kind, 1) * times + struct.pack(order + "BIdd", order == "<", 1, 5.5, 50.5)
good = shapely.Point(1, 2).wkb
for surface in (False, True):
    for kind in (4, 5, 6, 7, 9, 10, 11, 12):
        for order in "<>":
            x, y = shapes.points(pa.array([good, deep(100_000, kind, order), None, good]), surface=surface)
            assert np.array_equal(x, [1, np.nan, np.nan, 1], equal_nan=True), x
    for word in ("GEOMETRYCOLLECTION", "COMPOUNDCURVE", "MULTIPOLYGON", "CURVEPOLYGON", ""):
        text = f"{word}(" * 100_000 + "POINT(1 1)" + ")" * 100_000
        x, y = shapes.points(pa.array(["POINT (1 2)", text, "(" * 100_000, None, "CIRCULARSTRING(0 0, 1 1, 2 0)", "soon", "POINT (1 2)"]), surface=surface)
        assert np.array_equal(x, [1] + [np.nan] * 5 + [1], equal_nan=True), x
    huge = struct.pack("<BII", 1, 3, 1) + struct.pack("<I", 7_000_000) + bytes(16 * 7_000_000)
    bad = [shapely.Polygon([(0, 0), (np.nan, 1), (1, 1)]).wkb, shapely.LineString([(0, 0), (np.inf, 1)]).wkb, huge,
           struct.pack("<BII", 1, 6, 1 << 30), struct.pack("<BIII", 1, 3, 1 << 31, 1 << 31), b"\\x01", b""]
    x, y = shapes.points(pa.array([good, *bad, good], pa.large_binary()), surface=surface)
    assert np.array_equal(x, [1] + [np.nan] * 7 + [1], equal_nan=True), x
    bow = shapely.Polygon([(0, 0), (1, 1), (1, 0), (0, 1)]).wkb
    assert np.isfinite(shapes.points(pa.array([bow]), surface=True)[0]).all()
print("alive")
"""


def test_a_shape_nested_without_end_does_not_end_the_process():
    """A shape within shapes, a hundred thousand deep, or a vast one, has no place; the process lives, and so do the others."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", DIES], capture_output=True, text=True, timeout=LONG
    )
    assert (done.stdout, done.stderr, done.returncode) == ("alive\n", "", 0)


def test_points_are_those_that_the_geometry_library_reads():
    """Fast or slow, in any writing of WKB: the coordinates are those that GEOS has."""
    dice = np.random.default_rng(1)
    some = [shapely.Point(*dice.uniform(-9, 9, size)) for size in (2, 3) for _ in range(50)]
    some += [shapely.MultiPoint(dice.uniform(-9, 9, (many, 2))) for many in (1, 1, 2, 3) * 5]
    some += list(
        shapely.from_wkt(
            [
                "POINT M (1 2 3)",
                "POINT ZM (1 2 3 4)",
                "POINT EMPTY",
                "POLYGON EMPTY",
                "LINESTRING (0 0, 1 1)",
            ]
        )
    )
    ways = [
        {"byte_order": order, "flavor": flavor}
        for order in (0, 1)
        for flavor in ("iso", "extended")
    ]
    raw = [shapely.to_wkb(shape, output_dimension=4, **way) for shape in some for way in ways]
    raw += [shapely.to_wkb(shapely.set_srid(shape, 4326), include_srid=True) for shape in some]
    dice.shuffle(raw)
    for kind in (pa.binary(), pa.large_binary()):
        x, y = shapes.points(pa.array([None, *raw], kind).slice(1), surface=False)
        read = shapely.from_wkb(raw)
        lone = [
            None
            if one.is_empty
            else one.geoms[0]
            if one.geom_type == "MultiPoint" and len(one.geoms) == 1
            else one
            for one in read
        ]
        assert np.array_equal(x, shapely.get_x(lone), equal_nan=True)
        assert np.array_equal(y, shapely.get_y(lone), equal_nan=True)


def test_a_row_in_a_crs_that_leads_nowhere_drops_alone():
    """Some codes name systems from which PROJ knows no way to the map's: such a row has no place, and the others keep theirs."""
    names = ["EPSG:27700", "EPSG:2296", None, "EPSG:999999", "EPSG:4978", "EPSG:-1", "EPSG:27700"]
    batch = pa.record_batch(
        {
            "x": [400000.0, 1, 5.5, 1, 1, 1, 400000.0],
            "y": [400000.0, 1, 50.5, 1, 1, 1, 400000.0],
            "crs": names,
        }
    )
    grid = dm.Grid(bounds=(-10, 50, 10, 60), shape=(10, 10), crs="EPSG:4326")
    found = cells(batch, Roles(crs="EPSG:4326", reading=ReadingOptions()), grid)
    assert (found >= 0).tolist() == [True, False, True, False, False, False, True]


def test_each_point_is_projected_as_if_it_were_alone():
    """Coordinates at the ends of the earth and beyond change nothing for the points beside them."""
    dice = np.random.default_rng(2)
    grid = dm.Grid(bounds=(0, 0, 700000, 1300000), shape=(70, 130), crs="EPSG:27700")
    x, y = dice.uniform(-9, 3, 300), dice.uniform(49, 61, 300)
    odd = dice.random(300) < 0.3
    x[odd], y[odd] = (
        dice.choice([1e300, -1e300, np.inf, np.nan, 180, -180, 0], odd.sum()),
        dice.choice([90, -90, 1e18, np.nan, 0], odd.sum()),
    )
    roles = Roles(crs="EPSG:4326", reading=ReadingOptions())
    together = cells(pa.record_batch({"x": x, "y": y}), roles, grid)
    alone = [
        int(cells(pa.record_batch({"x": x[i : i + 1], "y": y[i : i + 1]}), roles, grid)[0])
        for i in range(300)
    ]
    assert together.tolist() == alone
    assert (together >= 0).sum() > 20


@pytest.mark.skipif(
    shutil.which("ogr2ogr") is None, reason="makes a file geodatabase with GDAL's own tool"
)
def test_a_file_geodatabase_is_read_record_by_record(tmp_path):
    """Records without a shape, and moments of several zones, stay what they are alone."""
    rows = gpd.GeoDataFrame(
        {"who": ["p0", "p1", "odd", "p2"], "date": ["2024-05-01"] * 4},
        geometry=[
            shapely.Point(0.5, 50.5),
            shapely.Point(1.5, 50.5),
            None,
            shapely.Point(2.5, 50.5),
        ],
        crs="EPSG:4326",
    )
    rows.to_file(tmp_path / "s.gpkg")
    subprocess.run(
        ["ogr2ogr", "-f", "OpenFileGDB", tmp_path / "s.gdb", tmp_path / "s.gpkg"],
        check=True,
        capture_output=True,
        env={**os.environ, "CPL_LOG": os.devnull},
    )
    assert read_rows(tmp_path / "s.gdb") == THREE
