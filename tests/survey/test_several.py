"""Several files as one survey: each is read by its own header, what one lacks is empty there, and the rows stand side by side."""

import zipfile
from collections import Counter

import geopandas as gpd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import dpmap as dm
from dpmap.engines.duckdb import DuckDB
from dpmap.engines.rows import RowTable, chosen_for
from dpmap.errors import BadInput, Refused
from dpmap.grid.layer_axes import Times

OLD = "who,lon,lat,date,ok\nana,0.5,0.5,2024-01-01,yes\nbo,1.5,1.5,2024-05-02,no\n"
NEW = "Date,WHO,lat,lon,note\n2025-01-01, Ana ,0.5,0.5,x\n2025-01-02,cy,2.5,2.5,y\n"
EBIRD = "GLOBAL UNIQUE IDENTIFIER\tOBSERVER ID\tLATITUDE\tLONGITUDE\nu1\tobs1\t0.5\t0.5\nu2\tobs2\t1.5\t1.5\n"
INAT = "id,user_id,latitude,longitude,positional_accuracy,geoprivacy\n1,77,0.5,0.5,10,\n2,78,2.5,2.5,10,obscured\n"
GEOJSON = '{"features": [{"properties": {"who": "zed"}, "geometry": {"type": "Point", "coordinates": [3.5, 3.5]}}]}'


@pytest.fixture
def files(tmp_path):
    """The folder, and paths of files in it."""
    for name, text in {
        "old.csv": OLD,
        "new.csv": NEW,
        "ebird.txt": EBIRD,
        "inat.csv": INAT,
    }.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def rows(survey, axes=(), **policy):
    """The rows that count: whose, in which cell (0 is south-west on a grid of 4 by 4), how many."""
    grid = dm.Grid(bounds=(0, 0, 4, 4), shape=(4, 4), crs="EPSG:4326", axes=axes)
    with DuckDB(threads=1).connected() as database:
        chosen = chosen_for(survey, grid, dm.Policy(**dict(epsilon=1, unit="who", cap=2) | policy))
        found = RowTable(database, survey, chosen)
        found.place(grid)
        found.name()
        return Counter(database.execute("SELECT unit, cell FROM rows").fetchall())


def in_folder(path, **texts):
    path.mkdir()
    for name, text in texts.items():
        (path / f"{name}.csv").write_text(text)
    return path


def test_rows_of_several_files_stand_side_by_side(files):
    """Files whose columns differ, also in order and case, are one survey: its rows are theirs, and a name is one person in all."""
    both = rows(dm.read([files / "old.csv", files / "new.csv"]))
    assert both == rows(dm.read(files / "old.csv")) + rows(dm.read(files / "new.csv"))
    assert both[("ana", 12)] == 2


def test_a_column_that_a_file_lacks_is_empty_there(files):
    """Nobody consents where no consent is recorded, and what has no date is in no span; one file at least must have the column."""
    survey = dm.read([files / "old.csv", files / "new.csv"])
    assert set(rows(survey, consent="ok=yes")) == {("ana", 12)}
    assert sum(rows(survey, axes=(Times("date", ("2024", "2025", "2026")),)).values()) == 4
    assert rows(survey, unit="note|who")[("x", 12)] == 1
    with pytest.raises(BadInput, match="consent: the survey has no column 'agreed'"):
        dm.read([files / "old.csv", files / "new.csv"], consent="agreed=yes")
    with pytest.raises(
        BadInput, match=r"unit: old.csv has no column note, and each file must say who"
    ):
        dm.read([files / "old.csv", files / "new.csv"], unit="note")


def test_who_withdraws_in_one_file_is_out_of_all(files):
    """Where a refusal takes the whole unit, it takes her rows in the other files too."""
    (files / "more.csv").write_text("who,lon,lat\nbo,3.5,3.5\nana,3.5,3.5\n")
    both = dm.read([files / "more.csv", files / "old.csv"], consent="ok=yes,", consent_by="unit")
    assert set(rows(both, consent="ok=yes,")) == {("ana", 12)}


def test_each_file_is_read_by_its_own_format(files):
    """Two exports of different formats are each read by their own columns and rules; who is protected is declared for both."""
    survey = dm.read([files / "ebird.txt", files / "inat.csv"], unit="OBSERVER ID|user_id")
    assert set(rows(survey, unit="OBSERVER ID|user_id")) == {("obs1", 12), ("obs2", 9), ("77", 12)}
    told = survey.roles.described()
    assert (
        "file 1: format",
        "eBird Basic Dataset (by OBSERVER ID, GLOBAL UNIQUE IDENTIFIER)",
    ) in told
    assert ("file 2: left out", "the observer's wish (by geoprivacy)") in told
    assert (
        "not protected",
        "a person whom two files call by different names: each name has a cap of its own",
    ) in told


def test_a_unit_for_all_files_must_be_declared_where_they_differ(files):
    """No file decides whose rows another's are: the line says what to type."""
    with pytest.raises(
        Refused, match=r"name people in different columns; add unit='OBSERVER ID\|user_id'"
    ):
        _ = dm.read([files / "ebird.txt", files / "inat.csv"]).unit
    with pytest.raises(Refused, match="not every file has a known identity column"):
        _ = dm.read([files / "ebird.txt", files / "old.csv"]).unit
    assert dm.read([files / "ebird.txt"]).unit == "OBSERVER ID"


def test_whether_texts_are_teams_is_declared_where_formats_differ(files):
    """A column that one format defines as a list of people and another file does not is read one way in both, as declared."""
    (files / "gbif.csv").write_text(
        "gbifID,decimalLatitude,decimalLongitude,recordedBy\n1,0.5,0.5,Ana|Bo\n"
    )
    (files / "own.csv").write_text("recordedBy,lat,lon\nAna|Bo,0.5,0.5\n")
    with pytest.raises(BadInput, match="team: some of the files define this unit as a list"):
        rows(dm.read([files / "gbif.csv", files / "own.csv"]), unit="recordedBy")
    apart = rows(dm.read([files / "gbif.csv", files / "own.csv"], team="auto"), unit="recordedBy")
    assert apart == Counter({("ana", 12): 2, ("bo", 12): 2})


def test_what_holds_for_one_file_alone_is_declared_in_the_list(files):
    """A file among others may have places, a format or columns of its own; the promise holds for all of them."""
    (files / "own.csv").write_text("who,east,north\nzed,3.5,3.5\n")
    (files / "points.geojson").write_text(GEOJSON)
    survey = dm.read([
        files / "old.csv",
        {"file": files / "own.csv", "x": "east", "y": "north", "crs": "EPSG:4326"},
        {"file": files / "points.geojson", "format": "geojson", "columns": ["who"]},
    ])  # fmt: skip
    assert rows(survey)[("zed", 3)] == 2
    with pytest.raises(BadInput, match="missing_unit, unit cannot differ between files"):
        dm.read(
            [
                files / "old.csv",
                {"file": files / "new.csv", "unit": "note", "missing_unit": "own-unit"},
            ]
        )
    with pytest.raises(BadInput, match=r"x=COLUMN y=COLUMN.*\(this is own.csv\)|own.csv"):
        dm.read([files / "old.csv", files / "own.csv"])


def test_a_refusal_of_one_file_says_where_its_flags_are_declared_for_it_alone(files):
    """Flags that are typed hold for all files, so what one of them needs, or has not, is answered with its table in dpmap.toml."""
    (files / "own.csv").write_text("who,east,north\nzed,3.5,3.5\n")
    both = [files / "old.csv", files / "own.csv"]
    table = r'survey = \["a.csv", \{file = "b.csv", '
    with pytest.raises(
        BadInput,
        match=r"add x= east .*\(this is own.csv\); what holds .*"
        + table
        + "x = ..., y = ..., crs = ...",
    ):
        dm.read(both)
    with pytest.raises(
        BadInput, match=r"no column 'east'.*\(this is old.csv\).*" + table + "x = ...}"
    ):
        dm.read(both, x="east", y="north", crs="EPSG:4326")
    with pytest.raises(BadInput, match="old.csv has no sheets; .*" + table + "sheet = ...}"):
        dm.read(both, sheet="Data")
    with pytest.raises(BadInput, match="out$"):
        dm.read(both[0], sheet="Data")


def test_files_of_several_kinds_are_one_survey(files):
    """A CSV, a GeoPackage and a Parquet file stand side by side, each read as it is by itself."""
    layer = gpd.GeoDataFrame(
        {"WHO": ["zed"]}, geometry=gpd.points_from_xy([3.5], [3.5]), crs="EPSG:4326"
    )
    layer.to_crs(3857).to_file(files / "l.gpkg")
    pq.write_table(pa.table({"who": [7], "lat": [0.5], "lon": [0.5]}), files / "p.parquet")
    named = [files / "old.csv", files / "l.gpkg", files / "p.parquet"]
    assert rows(dm.read(named)) == sum((rows(dm.read(one)) for one in named), Counter())


def test_members_of_a_folder_may_have_more_columns(files):
    """In a folder or archive a part may have other columns as long as rows are read in the same way."""
    folder = in_folder(files / "f", a=OLD, b=NEW.lower())
    assert rows(dm.read(folder)) == rows(dm.read([files / "old.csv", files / "new.csv"]))
    with zipfile.ZipFile(files / "f.zip", "w") as archive:
        for name in ("a", "b"):
            archive.write(folder / f"{name}.csv", f"{name}.csv")
    assert rows(dm.read(files / "f.zip")) == rows(dm.read(folder))
    assert (
        rows(dm.read([folder, files / "inat.csv"], unit="who|user_id"), unit="who|user_id")[
            ("77", 12)
        ]
        == 1
    )


@pytest.mark.parametrize(
    "hers",
    [
        "who,lon,lat,gbifID,decimalLatitude,decimalLongitude,recordedBy\ntess,0,0,1,3.5,3.5,tess\n",
        "WHO,LON,LAT\ntess,3.5,3.5\n",
        "who,name,place\ntess,a,b\n",
        "who,longitude,latitude,lon,lat\ntess,3.5,3.5,3.5,3.5\n",
        "id,user_id,lat,lon,latitude,longitude,positional_accuracy,geoprivacy,who\n1,tess,1,1,1,1,1,,tess\n",
    ],
)
def test_a_member_that_would_be_read_otherwise_is_refused_or_changes_nothing(files, hers):
    """One person's file whose columns are called like roles neither moves others nor shows in the words of the release."""
    folder = in_folder(files / "f", b=OLD, c=NEW.lower())
    alone = dm.read(folder, unit="who")
    before, words = rows(alone), alone.roles.described()
    (folder / "a.csv").write_text(hers)
    try:
        both = dm.read(folder, unit="who")
    except BadInput as error:
        assert "another header than" in str(error) and "name the files one by one" in str(error)
        assert not {"gbifID", "place", "user_id"} & set(str(error).replace(",", " ").split())
        return
    assert {row: many for row, many in rows(both).items() if row[0] != "tess"} == dict(before)
    assert both.roles.described() == words


def test_parquet_parts_of_other_columns_are_read_by_their_own_description(files):
    """A part of a Parquet folder or archive may lack columns; one of another type in the same column is refused."""
    (files / "p").mkdir()
    pq.write_table(
        pa.table({"who": ["ana"], "lon": [0.5], "lat": [0.5], "ok": ["no"]}),
        files / "p" / "a.parquet",
    )
    pq.write_table(pa.table({"lat": [1.5], "lon": [1.5], "who": ["bo"]}), files / "p" / "b.parquet")
    with zipfile.ZipFile(files / "p.zip", "w") as archive:
        for name in ("a", "b"):
            archive.write(files / "p" / f"{name}.parquet", f"{name}.parquet")
    for path in (files / "p", files / "p.zip"):
        assert rows(dm.read(path)) == Counter({("ana", 12): 1, ("bo", 9): 1})
        assert rows(dm.read(path), consent="ok=yes") == Counter()
    pq.write_table(
        pa.table({"lat": [1.5], "lon": ["1.5"], "who": ["bo"]}), files / "p" / "b.parquet"
    )
    with pytest.raises(BadInput, match="has another type in column lon than"):
        dm.read(files / "p")


def test_a_cap_holds_across_files(files):
    """One person's rows in two files share one cap."""
    grid = dm.Grid(bounds=(0, 0, 4, 4), shape=(4, 4), crs="EPSG:4326")
    with DuckDB(threads=1).opened(
        dm.read([files / "old.csv", files / "new.csv"]),
        grid,
        dm.Policy(epsilon=1, unit="who", cap=1),
        lambda step: None,
    ) as opened:
        found = opened._rows.database.execute(
            "SELECT count(*), count(DISTINCT unit) FROM rows"
        ).fetchall()
    assert found == [(4, 3)]


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ([], "no file is named"),
        (["old.csv", "old.csv"], "old.csv is named twice"),
        (["old.csv", "./old.csv"], "old.csv is named twice"),
        (["old.csv", 7], "give paths"),
        (["old.csv", {"x": "lon"}], "give paths"),
        (["old.csv", "."], "named twice"),
        (["old.csv", "none.csv"], "there is no file none.csv"),
    ],
)
def test_a_list_that_cannot_be_meant_is_one_line(files, monkeypatch, named, said):
    """A file that is named twice, is none or is missing is said before anything is read."""
    monkeypatch.chdir(files)
    with pytest.raises(BadInput, match=said) as error:
        dm.read(named)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "told",
    [dict(where="secret is empty"), dict(consent="agrees=yes"), dict(count="many", max_count=3)],
)
def test_a_list_of_one_file_is_that_file(files, told):
    """No other file could have a column that this one lacks, so it is refused by its name."""
    with pytest.raises(BadInput, match="the survey has no column"):
        dm.read([files / "old.csv"], **told)


def test_the_operator_sees_what_each_file_holds(files):
    """`inspect` counts rows and usable rows of each file; a release never does."""
    found = dm.inspect(
        dm.read([files / "old.csv", files / "new.csv"], consent="ok=yes"), unit="who"
    )
    assert found.files == {"old.csv": {"rows": 2, "usable": 1}, "new.csv": {"rows": 2, "usable": 0}}
    assert found.rows == 4 and found.usable == 1
    assert dm.inspect(dm.read(files / "old.csv"), unit="who").files == {}
    assert dm.inspect(dm.read([files / "old.csv", files / "ebird.txt"])).rows == 4
