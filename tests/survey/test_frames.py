"""Tables in memory: read as they are when they are given, value by value, sealed at once, and never shown."""

import gc
from collections import Counter
from datetime import date, datetime
from decimal import Decimal
from enum import Enum

import duckdb
import geopandas as gpd
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import shapely
from builders.frames import OBJECTS

import dpmap as dm
from dpmap.engines.duckdb import DuckDB
from dpmap.engines.rows import RowTable, chosen_for
from dpmap.errors import BadInput, Refused
from dpmap.statement.statement import statement
from dpmap.survey.files.cell_text import as_text

GRID = dm.Grid(bounds=(0, 50, 10, 60), shape=(10, 10), crs="EPSG:4326")
TIMES = GRID.layered(dm.Times("date", ("2024-01-01", "2024-05-01", "2024-05-02", "2025-01-01")))
HERE = {"longitude": [0.5, 1.5, 1.5], "latitude": [50.5, 50.5, 50.5]}
PLAIN = {"who": ["ana", "bo", None], **HERE}
FOUND = {("ana", 90): 1, ("bo", 91): 1}


def rows(frame, *, grid=GRID, unit="who", **reading):
    """Each row that counts, and how often."""
    return rows_of(dm.read(frame, unit=unit, **reading), grid)


def rows_of(survey, grid=GRID):
    policy = dm.Policy(epsilon="1", unit=survey.unit, cap=5, consent=survey.roles.consent)
    with DuckDB().connected() as database:
        found = RowTable(database, survey, chosen_for(survey, grid, policy))
        found.place(grid)
        found.name()
        return dict(Counter(database.execute("SELECT unit, cell FROM rows").fetchall()))


def related(columns):
    """A relation of DuckDB."""
    table = pa.table(columns)  # noqa: F841  # DuckDB finds it by its name
    return duckdb.sql("SELECT * FROM table")


TABLES = {
    "pandas": pd.DataFrame, "pandas of objects": lambda c: pd.DataFrame(c, dtype=object), "pandas of Arrow": lambda c: pa.table(c).to_pandas(types_mapper=pd.ArrowDtype),
    "Arrow table": pa.table, "Arrow batch": pa.record_batch, "Arrow reader": lambda c: pa.table(c).to_reader(), "Polars": pl.DataFrame,
    "DuckDB": lambda c: duckdb.from_arrow(pa.table(c)),
}  # fmt: skip


@pytest.mark.parametrize("kind", TABLES)
def test_every_kind_of_table_is_read_alike(kind):
    """Whatever library made it, the same table is the same survey; it needs no flags where columns are called longitude and latitude."""
    assert rows(TABLES[kind](PLAIN)) == FOUND


def test_a_column_that_is_the_index_is_named_with_what_to_do():
    """Whoever made the person the table's index is told how to make it a column again; any other error is as it was."""
    table = pd.DataFrame({"who": ["ana", "bo", "cy"], **HERE})
    with pytest.raises(
        BadInput, match=r"no column 'who'.*the table's index, which reset_index\(\) makes a column"
    ):
        dm.read(table.set_index("who"), unit="who")
    with pytest.raises(BadInput, match="no column 'zoe'") as caught:
        dm.read(table.set_index("who"), unit="zoe")
    assert "index" not in str(caught.value)
    assert dm.read(table.set_index("who").reset_index(), unit="who").unit == "who"


def test_one_id_is_one_id_however_it_is_typed():
    """1000, 1000.0 and "1000" are one person, in a column of objects, of numbers or of numbers with gaps; what is missing is nobody."""
    odd = [
        1000,
        1000.0,
        "1000",
        "1000.0",
        np.int64(1000),
        np.float32(1000),
        Decimal("1000.00"),
        None,
        float("nan"),
        pd.NA,
        pd.NaT,
        "n/a",
    ]
    frame = pd.DataFrame({"who": pd.Series(odd, dtype=object), "longitude": 0.5, "latitude": 50.5})
    frame.index = pd.Index(odd)
    assert rows(frame) == {("1000", 90): 7}
    for typed in (
        [1000, 1000],
        [1000.0, None],
        pd.array([1000, None], "Int64"),
        pd.Categorical([1000.0, None]),
        pd.array(["1000", None]),
    ):
        frame = pd.DataFrame({"who": typed, "longitude": 0.5, "latitude": 50.5})
        assert set(rows(frame)) == {("1000", 90)}


@pytest.mark.parametrize("kind", ["pandas", "Polars", "DuckDB"])
def test_a_number_with_gaps_answers_as_it_was_declared(kind):
    """A column of 0 and 1 that its library made fractions of, for a gap in it, still says `1`, and a year its year."""
    frame = TABLES[kind]({**PLAIN, "ok": [1.0, 0.0, None], "date": [2024.0, 2024.0, None]})
    assert rows(frame, consent="ok=1") == {("ana", 90): 1}
    years = GRID.layered(dm.Times("date", ("2024", "2025")))
    assert sum(rows(frame, grid=years).values()) == 2


def test_dates_are_read_by_their_type_and_moments_in_utc():
    """Days, moments, and moments with a time zone count on their day in UTC, typed or among values of other kinds."""
    late, zoned = (
        datetime(2024, 5, 1, 23, 30),
        pd.Timestamp("2024-05-01 23:30", tz="America/New_York"),
    )
    first, second = 90, 190  # the layers of before 1 May and of that day; the third begins on 2 May
    for value, cell in (
        (date(2024, 5, 1), second),
        (late, second),
        (zoned, second + 100),
        ("2024-04-30", first),
    ):
        columns = {"who": ["ana"], "longitude": [0.5], "latitude": [50.5], "date": [value]}
        tables = [pd.DataFrame(columns), pd.DataFrame(columns, dtype=object), pa.table(columns)]
        assert [rows(one, grid=TIMES) for one in tables] == [{("ana", cell): 1}] * 3


def test_a_geopandas_table_is_placed_by_its_shapes():
    """The active geometry with its CRS places a row; empty, missing and flat-out wrong shapes place none; others are a column of text."""
    shapes = [
        shapely.Point(0.5, 50.5),
        None,
        shapely.Point(),
        shapely.Point(1.5, 50.5, 9),
        shapely.box(0, 50, 1, 51),
    ]
    frame = gpd.GeoDataFrame({"who": list("abcde")}, geometry=shapes, crs=4326)
    frame["other"] = gpd.GeoSeries([shapely.Point(3.5, 50.5)] * 5, crs=4326)
    there = {("a", 90): 1, ("d", 91): 1}
    for one in (
        frame,
        frame.to_crs(3857),
        frame.rename_geometry("spot"),
        pa.table(frame.drop(columns="other").to_arrow()),
    ):
        assert rows(one) == there
    assert rows(frame, surface=True) == {**there, ("e", 90): 1}
    assert rows(frame.set_geometry("other")) == {(who, 93): 1 for who in "abcde"}
    assert rows(frame, place="other") == {(who, 93): 1 for who in "abcde"}
    assert rows(pd.DataFrame(frame), place="geometry")[("a", 90)] == 1


def test_shapes_without_a_crs_need_one():
    """A table of shapes that says nothing of their CRS is refused with the flag."""
    frame = gpd.GeoDataFrame({"who": ["a"]}, geometry=[shapely.Point(0.5, 50.5)])
    with pytest.raises(BadInput, match=r"crs: the layer names no CRS; add it, like crs=EPSG:4326"):
        dm.read(frame)
    assert rows(frame, crs="EPSG:4326") == {("a", 90): 1}
    assert rows(pa.table(frame.to_arrow()), crs="EPSG:4326") == {("a", 90): 1}


PLACES = [[0.5, 50.5], {"longitude": 1.5, "latitude": 50.5}, {"type": "Point", "coordinates": [2.5, 50.5]}, (3.5, 50.5), np.array([4.5, 50.5]),
          shapely.Point(5.5, 50.5), shapely.Point(6.5, 50.5).wkb, "POINT (7.5 50.5)", '{"lat": 50.5, "lon": 8.5}']  # fmt: skip
NOWHERE = [
    [50.5],
    [0.5, 50.5, 3.0],
    [0.5, float("nan")],
    [12, 15],
    ["a", "b"],
    {},
    [],
    None,
    b"\x01",
]


def test_a_place_in_one_column_of_objects():
    """Each value says by itself where it is: a pair in GeoJSON's order, a dictionary, a shape, its bytes, or a text; others have no place."""
    column = np.empty(len(PLACES) + len(NOWHERE), dtype=object)
    column[:] = [*PLACES, *NOWHERE]
    frame = pd.DataFrame({"who": [f"p{at}" for at in range(len(column))], "location": column})
    assert rows(frame, place="location") == {(f"p{at}", 90 + at): 1 for at in range(len(PLACES))}


def test_kobos_own_pairs_are_latitude_first():
    """A list in KoboToolbox's `_geolocation` is in Kobo's order, not GeoJSON's."""
    columns = {"_submitted_by": ["ana"], "_uuid": ["u"], "_geolocation": [[50.5, 1.5]]}
    for frame in (pd.DataFrame(columns), pa.table(columns)):
        assert rows(frame, unit="_submitted_by") == {("ana", 91): 1}


def test_formats_are_known_by_their_columns():
    """A table in memory is recognised as a file with its columns would be, or declared with `format`."""
    frame = pd.DataFrame(
        {
            "gbifID": [1],
            "decimalLatitude": [50.5],
            "decimalLongitude": [0.5],
            "recordedBy": ["ana|bo"],
        }
    )
    survey = dm.read(frame)
    assert (survey.roles.format, survey.roles.unit) == ("GBIF occurrences", "recordedBy")
    assert rows_of(survey) == {("ana", 90): 1, ("bo", 90): 1}
    assert dm.read(frame, format="gbif").roles.format == "GBIF occurrences"
    assert dm.guess(frame) == {}
    assert dm.inspect(frame).usable == 1


def test_an_empty_table_is_an_empty_survey(tmp_path):
    """A table without rows is released as a map of the same shape."""
    for kind in ("pandas", "Polars", "Arrow table"):
        none = TABLES[kind]({"who": ["a"], "longitude": [0.5], "latitude": [50.5]})[:0]
        assert rows(none) == {}
    release = dm.release(dm.read(none, unit="who"), GRID, dm.Policy(epsilon="1", unit="who", cap=2), ledger=tmp_path / "l", dataset="d", budget=1)  # fmt: skip
    assert release.estimate.shape == (10, 10)


MISTAKES = {
    "frame.columns = ": [pd.DataFrame({0: [1]}), pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")])), pd.DataFrame({"": [1]}), pd.DataFrame({None: [1]})],
    "two columns of the table are called a; rename one": [pd.DataFrame([[1, 2]], columns=["a", "a"]), pl.DataFrame({"a": [1], "a ": [1]}), pa.table([[1], [2]], names=["a", "a"])],
    "differ in upper and lower case only": [pd.DataFrame([[1, 2]], columns=["a", "A"]), pl.DataFrame({"a": [1], "A": [2]})],
    r"add \.collect\(\)": [pl.LazyFrame({"a": [1]})],
    "no columns": [pd.DataFrame(), pl.DataFrame(), pa.table({})],
    "among several files give paths": [[1, 2], [pd.DataFrame({"who": ["zanzibar"]})]],
    "give a file, an address or a table": [None, 5, {"a": [1]}, np.zeros((2, 2)), object()],
    "gives no rows as a table": [pd.Series([1]), pl.Series([1]), pa.array([1]), duckdb.sql("SELECT error('zanzibar heron') AS a")],
}  # fmt: skip


def test_no_column_name_makes_another_kind_of_table():
    """Columns may be called as parts of a library are."""
    names = [
        "mapInArrow",
        "active_geometry_name",
        "columns",
        "crs",
        "dtype",
        "__arrow_c_stream__",
        "item",
        "roots",
        "SELECT",
        'a"b',
        "it's",
        "\u674e",
        " lon ",
    ]
    frame = pd.DataFrame({**PLAIN, **dict.fromkeys(names, "x")})
    for one in (frame, pl.from_pandas(frame)):
        assert rows(one) == FOUND
        for name in names:
            assert set(rows(one, unit=name.strip())) == {("x", 90), ("x", 91)}


@pytest.mark.parametrize("line", MISTAKES)
def test_what_is_no_table_is_one_line(line):
    """A mistake is told in one line with what to do, and never a value."""
    for frame in MISTAKES[line]:
        with pytest.raises(BadInput, match=line) as told:
            dm.read(frame)
        assert "\n" not in str(told.value)
        assert "zanzibar" not in str(told.value)


@pytest.mark.parametrize(
    "flag", ["layer", "encoding", "columns", "delimiter", "table", "query", "format"]
)
def test_options_of_files_are_refused_for_tables_by_their_flag(flag):
    """What can be said of a file only is refused by name."""
    with pytest.raises(BadInput, match="it is for files and databases") as refused:
        dm.read(pd.DataFrame(PLAIN), **{flag: "geojson" if flag == "format" else "x"})
    assert refused.value.option == flag


def test_a_table_is_not_released_unopened(tmp_path):
    """`dm.release` takes what `dm.read` opened, and says so."""
    with pytest.raises(BadInput, match=r"give a survey from dm\.read"):
        dm.release(
            pd.DataFrame(PLAIN),
            GRID,
            dm.Policy(epsilon="1", unit="who", cap=1),
            ledger=tmp_path / "l",
            dataset="d",
        )


def test_rows_in_memory_are_not_sent_to_other_machines(tmp_path):
    """Spark is told in one line that a table in memory stays here."""
    with pytest.raises(
        BadInput, match=r"engine: a table in memory is counted on this machine; leave engine out"
    ):
        dm.release(dm.read(pd.DataFrame(PLAIN), unit="who"), GRID, dm.Policy(epsilon="1", unit="who", cap=1), ledger=tmp_path / "l", dataset="d", budget=1,
                   engine=dm.engines.Spark())  # fmt: skip


def changes():
    """Tables, each with a change that its owner makes afterwards: also to memory that the table merely shares."""
    numbers, shared, held = (
        np.array(HERE["longitude"]),
        np.array(HERE["longitude"]),
        [[0.5, 50.5], [1.5, 50.5], [1.5, 50.5]],
    )

    def objects(frame):
        frame.loc[:, "who"] = "eve"
        frame["longitude"] = 7.5

    def insides(frame):
        for one in held:
            one[0] = 7.5

    def sharing(array):
        return lambda frame: array.__setitem__(slice(None), 7.5)

    def moved(frame):
        frame["geometry"] = shapely.Point(7.5, 50.5)

    shapes = gpd.points_from_xy(HERE["longitude"], HERE["latitude"])
    return {
        "pandas": (pd.DataFrame(PLAIN), objects, {}),
        "pandas over numpy": (pd.DataFrame({**PLAIN, "longitude": pd.Series(numbers, copy=False)}, copy=False), sharing(numbers), {}),
        "lists in pandas": (pd.DataFrame({"who": PLAIN["who"], "spot": held}), insides, {"place": "spot"}),
        "Arrow over numpy": (pa.table({**PLAIN, "longitude": pa.array(shared)}), sharing(shared), {}),
        "GeoPandas": (gpd.GeoDataFrame({"who": PLAIN["who"]}, geometry=shapes, crs=4326), moved, {}),
    }  # fmt: skip


@pytest.mark.parametrize("kind", changes())
def test_a_table_is_sealed_at_once(kind):
    """What its owner does to a table afterwards, or to memory that it shares, changes no survey."""
    frame, change, reading = changes()[kind]
    survey = dm.read(frame, unit="who", **reading)
    change(frame)
    assert rows_of(survey) == FOUND
    assert rows_of(survey) == FOUND  # and is read as often as need be
    assert rows(frame, **reading) != FOUND  # the change would have been seen


def test_a_relation_is_read_when_it_is_given():
    """A DuckDB relation is worked out at once: dropping or changing its table changes no survey."""
    with duckdb.connect() as database:
        database.register("given", pa.table(PLAIN))
        database.execute("CREATE TABLE seen AS SELECT * FROM given")
        survey = dm.read(database.table("seen"), unit="who")
        database.execute("DROP TABLE seen")
    assert rows_of(survey) == FOUND


def test_a_survey_of_a_table_shows_no_row():
    """Neither the survey nor what it is made of shows a value or hands back the table."""
    secret = "zanzibar heron"
    before = {id(one) for one in gc.get_objects()}
    survey = dm.read(pd.DataFrame({**PLAIN, "who": [secret] * 3}), unit="who")
    source = survey._source
    kept = [
        one
        for one in gc.get_objects()
        if type(one).__name__ == "CopiedRows" and id(one) not in before
    ]
    assert kept
    assert (
        secret
        not in f"{survey!r} {survey} {source!r} {source.schema} {[repr(one) for one in kept]}"
    )
    for one in (survey, *kept):
        for act in (list, pa.table, vars, len):
            with pytest.raises((Refused, TypeError)):
                act(one)


def test_notes_beside_a_table_go_nowhere(tmp_path):
    """What pandas notes of an index, or its owner of a table, is neither a column nor in the release."""
    secret = "zanzibar heron"
    frame = pd.DataFrame(PLAIN, index=pd.Index([secret, "x", "y"], name="index_of_names"))
    frame.attrs = {secret: secret}
    survey = dm.read(frame, unit="who")
    assert survey.columns == ("who", "longitude", "latitude")
    noted = pa.Table.from_pandas(frame).replace_schema_metadata({"pandas": secret, secret: secret})
    for one in (survey, dm.read(noted, unit="who")):
        release = dm.release(one, GRID, dm.Policy(epsilon="1", unit="who", cap=2), ledger=tmp_path / f"{id(one)}.l", dataset="d", budget=1)  # fmt: skip
        assert secret not in statement(release.record)
        release.save(tmp_path / f"{release.id}.dpmap")
        assert secret.encode() not in (tmp_path / f"{release.id}.dpmap").read_bytes()


def test_the_statement_says_that_the_promise_begins_at_the_table(tmp_path):
    """Readers are told that rows came from a table in memory, and that the promise is about these."""
    release = dm.release(dm.read(pd.DataFrame(PLAIN), unit="who"), GRID, dm.Policy(epsilon="1", unit="who", cap=2), ledger=tmp_path / "l", dataset="d", budget=1)  # fmt: skip
    assert "a table in memory: the promise is about its rows, whoever chose them" in statement(
        release.record
    )


def test_texts_of_a_kind_of_their_own_are_what_they_hold():
    """A text of an enumeration is its value, whether others beside it are texts or not."""
    people = Enum("people", {"SAM": "sam"}, type=str)
    for beside in ([], ["tess"], [5], [None, "tess\ud83e"]):
        column = pd.Series([people.SAM, *beside], dtype=object)
        assert rows(pd.DataFrame(dict(who=column, longitude=0.5, latitude=50.5)))[("sam", 90)] == 1


def test_every_odd_value_at_once_changes_no_other_row():
    """Whatever strange objects stand in a column beside them, everybody else's rows are what they would be."""
    who = [f"p{at}" for at in range(4)]
    for name, values in OBJECTS.items():
        usual = {
            "who": "tess",
            "when": "2024-04-01",
            "ok": "yes",
            "lon": 2.5,
            "lat": 50.5,
            "spot": "POINT (2.5 50.5)",
        }
        mine = [usual | {"who": one, "lon": at + 0.5} for at, one in enumerate(who)]
        both = [*mine, *(usual | {name: value} for value in values)]
        found = []
        for records in (mine, both):
            columns = {key: np.empty(len(records), dtype=object) for key in usual}
            for key, column in columns.items():
                for at, record in enumerate(records):
                    column[at] = record[key]
            frame = pd.DataFrame(
                {key: pd.Series(column, dtype=object) for key, column in columns.items()}
            )
            told = rows(frame, x="lon", y="lat", crs="EPSG:4326", consent="ok=yes")
            found.append({row: many for row, many in told.items() if row[0] in who})
        assert found[0] == found[1] != {}


def test_values_that_have_no_text_are_missing():
    """A value that cannot be written, whatever it does, is empty by itself."""
    for value in OBJECTS["who"]:
        assert isinstance(as_text(value), str | None)
    for value in (
        10**5000,
        Decimal("sNaN"),
        pd.NaT,
        pd.NA,
        None,
        float("nan"),
        np.datetime64("NaT"),
    ):
        assert as_text(value) is None
