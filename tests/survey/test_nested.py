"""Columns inside others: found by the types that a file or a table declares, the same wherever they stand."""

import json
import zipfile
from collections import Counter

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import shapely

import dpmap as dm
from dpmap.engines.duckdb import DuckDB
from dpmap.engines.rows import RowTable, chosen_for
from dpmap.errors import BadInput

GRID = dm.Grid(bounds=(0, 50, 10, 60), shape=(10, 10), crs="EPSG:4326")


def rows(survey, grid=GRID):
    """Each row that counts, and how often."""
    with DuckDB().connected() as database:
        found = RowTable(
            database,
            survey,
            chosen_for(survey, grid, dm.Policy(epsilon="1", unit=survey.unit, cap=5)),
        )
        found.place(grid)
        found.name()
        return dict(Counter(database.execute("SELECT unit, cell FROM rows").fetchall()))


def lone(folder, table):
    pq.write_table(table, folder / "s.parquet")
    return folder / "s.parquet"


def parts(folder, table):
    (folder / "parts").mkdir()
    for at in range(2):
        pq.write_table(
            table.slice(at * 2, 2 if at == 0 else None), folder / "parts" / f"{at}.parquet"
        )
    return folder / "parts"


def packed(folder, table):
    with zipfile.ZipFile(folder / "s.zip", "w") as archive:
        archive.write(lone(folder, table), "s.parquet")
    return folder / "s.zip"


def shaped(folder, table):
    geo = {
        "version": "1.0.0",
        "primary_column": "g",
        "columns": {"g": {"encoding": "WKB", "geometry_types": []}},
    }
    shapes = pa.array([shapely.Point(9.5, 59.5).wkb] * len(table))
    return lone(
        folder, table.append_column("g", shapes).replace_schema_metadata({"geo": json.dumps(geo)})
    )


WRITTEN = {
    "Parquet": lone,
    "parts": parts,
    "an archive": packed,
    "GeoParquet": shaped,
    "a table in memory": lambda _, table: table,
}


@pytest.mark.parametrize("kind", WRITTEN)
def test_fields_of_structs_are_columns(kind, tmp_path):
    """`extra: struct<subject: struct<id>>` is the column `extra__subject__id`, in any kind of file; a row without it has nothing there."""
    extra = [{"subject": {"id": 7, "tags": ["a", "b"]}, "at": {"lon": 0.5, "lat": 50.5}}, {"subject": None, "at": {"lon": 1.5, "lat": 50.5}}, None,
             {"subject": {"id": 8, "tags": None}, "at": {"lon": 1.5, "lat": None}}, {"subject": {"id": 8, "tags": None}, "at": {"lon": 2.5, "lat": 50.5}}]  # fmt: skip
    source = WRITTEN[kind](tmp_path, pa.table({"extra": extra}))
    survey = dm.read(source, unit="extra__subject__id", place="extra__at")
    assert [one for one in survey.columns if one != "g"] == [
        "extra", "extra__subject__id", "extra__subject__tags", "extra__at", "extra__at__lon", "extra__at__lat",
    ]  # fmt: skip
    assert rows(survey) == {("7", 90): 1, ("8", 92): 1}
    sides = dict(x="extra__at__lon", y="extra__at__lat", crs="EPSG:4326")
    assert rows(dm.read(source, unit="extra__subject__id", **sides)) == {("7", 90): 1, ("8", 92): 1}
    assert rows(dm.read(source, unit="extra__subject__tags", team="auto", place="extra__at")) == {
        ("a", 90): 1,
        ("b", 90): 1,
    }


PAIRS = [
    [0.5, 50.5],
    None,
    [1.5],
    [1.5, 50.5, 3.0],
    [float("nan"), 50.5],
    [1.5, float("inf")],
    [1.5, None],
    [],
    [181.0, 50.5],
    [3.5, 50.5],
]


@pytest.mark.parametrize("kind", WRITTEN)
@pytest.mark.parametrize("numbers", [pa.float64(), pa.float32(), pa.decimal128(9, 3)], ids=str)
def test_a_list_of_two_numbers_is_a_place(kind, numbers, tmp_path):
    """[longitude, latitude], as in GeoJSON; a row whose list has not two finite numbers drops alone."""
    if pa.types.is_decimal(numbers):
        given = [
            None if one is None or any(str(side) in ("nan", "inf") for side in one) else one
            for one in PAIRS
        ]
        column = pa.array(given, pa.list_(pa.float64())).cast(pa.list_(numbers))
    else:
        column = pa.array(PAIRS, pa.list_(numbers))
    table = pa.table({"who": [f"p{at}" for at in range(len(PAIRS))], "location": column})
    survey = dm.read(WRITTEN[kind](tmp_path, table), unit="who", place="location")
    assert rows(survey) == {("p0", 90): 1, ("p9", 93): 1}


PLACES = {
    "a list of fixed size": pa.array([[1.5, 50.5]], pa.list_(pa.float64(), 2)),
    "a large list": pa.array([[1.5, 50.5]], pa.large_list(pa.float64())),
    "longitude and latitude": pa.array([{"latitude": 50.5, "longitude": 1.5, "accuracy": 3.0}]),
    "texts": pa.array([{"Lat": "50.5", "Lng": "1.5"}]),
    "x and y": pa.array([{"x": 1.5, "y": 50.5}]),
    "GeoJSON": pa.array([{"type": "Point", "coordinates": [1.5, 50.5, 200.0]}]),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", ["Parquet", "a table in memory"])
def test_places_in_one_column(place, kind, tmp_path):
    """However a type holds a place, `--place` reads it, and a format that calls the column its place needs no flag."""
    table = pa.table({"serial_number": [1], "reported_by": ["ana"], "location": PLACES[place]})
    source = WRITTEN[kind](tmp_path, table)
    assert rows(dm.read(source, unit="reported_by", place="location")) == {("ana", 91): 1}
    known = dm.read(source)
    assert (known.roles.format, known.roles.unit, rows(known)) == (
        "EarthRanger events",
        "reported_by",
        {("ana", 91): 1},
    )


def test_a_struct_of_x_and_y_is_in_the_crs_that_is_named(tmp_path):
    """Plane coordinates in a struct are read in the CRS of `--crs`."""
    table = pa.table({"who": ["ana"], "spot": [{"x": 166_975.0, "y": 6_527_000.0}]})
    assert rows(dm.read(table, unit="who", place="spot", crs="EPSG:3857")) == {("ana", 91): 1}


@pytest.mark.parametrize("kind", ["Parquet", "GeoParquet", "a table in memory"])
def test_a_column_of_its_own_stands_before_a_field(kind, tmp_path):
    """Where a field would have the name of another column, in whatever case, the column is what the name means, and no field's order matters."""
    fields = pa.array([{"id": "inner", "b": {"c": "first"}, "Twin": 1, "tWIN": 2}])
    table = pa.table(
        {
            "a": fields,
            "A__ID": ["outer"],
            "a__b": [{"c": "second"}],
            "longitude": [0.5],
            "latitude": [50.5],
        }
    )
    source = WRITTEN[kind](tmp_path, table)
    survey = dm.read(source, unit="a__id")
    assert [one for one in survey.columns if one.lower().startswith("a")] == [
        "a",
        "A__ID",
        "a__b",
        "a__b__c",
    ]
    assert {who for who, _ in rows(survey)} == {"outer"}
    assert {who for who, _ in rows(dm.read(source, unit="a__b__c"))} == {"first"}


def test_a_struct_is_still_a_text_of_its_own(tmp_path):
    """A whole struct may be the unit, as it was."""
    table = pa.table(
        {"who": [{"name": "ana"}, {"name": "bo"}], "longitude": [0.5] * 2, "latitude": [50.5] * 2}
    )
    assert len(rows(dm.read(lone(tmp_path, table), unit="who"))) == 2


def test_parts_whose_fields_differ_are_refused(tmp_path):
    """Parts of one survey have one type, inside as well."""
    for at, field in enumerate(("id", "name")):
        pq.write_table(
            pa.table({"who": [{field: "a"}], "longitude": [0.5], "latitude": [50.5]}),
            tmp_path / f"{at}.parquet",
        )
    with pytest.raises(
        BadInput, match=r"1\.parquet has another type in column who than 0\.parquet"
    ):
        dm.read(tmp_path, unit="who")


def test_structs_without_end_or_with_names_that_are_none(tmp_path):
    """Structs in structs beyond any use, and fields whose names are empty or hold control marks, are passed over."""
    value = {"id": "x"}
    for _ in range(40):
        value = {"in": value}
    table = pa.table(
        {
            "deep": [value],
            "odd": [{"a\nb": 1, "it's": 2}],
            "who": ["ana"],
            "longitude": [0.5],
            "latitude": [50.5],
        }
    )
    for source in (lone(tmp_path, table), table):
        survey = dm.read(source, unit="odd__it's")
        assert len(survey.columns) < 30
        assert rows(survey) == {("2", 90): 1}
