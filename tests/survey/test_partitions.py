"""Folders called year=2024 are columns of the survey, as text, whatever holds the rows."""

import zipfile
from collections import Counter
from pathlib import Path

import geopandas as gpd
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.dataset as pads
import pyarrow.parquet as pq
import pytest
from servers import serving

import dpmap as dm
from dpmap.engines.duckdb import DuckDB
from dpmap.engines.rows import RowTable, chosen_for
from dpmap.errors import BadInput
from dpmap.survey.files.containers import SourceOptions, open_path

GRID = dm.Grid(bounds=(0, 0, 4, 4), shape=(4, 4), crs="EPSG:4326")
ROWS = pa.table(
    {
        "who": ["ana", "bo", "ana", "cy"],
        "lon": [0.5, 1.5, 2.5, 3.5],
        "lat": [0.5, 1.5, 2.5, 3.5],
        "year": ["2023", "2024", "2024", None],
        "area": ["North Moor", "a/b=c", "007", "1e5"],
    }
)
"""Rows, of which `year` and `area` stand in the path."""


def folder(path: Path, kind: str) -> Path:
    """The rows as Spark and pyarrow write them, a folder for each value."""
    pads.write_dataset(
        ROWS.drop(["area", "year"]) if kind == "flat" else ROWS,
        path,
        format="parquet" if kind == "parquet" else "csv",
        partitioning=pads.partitioning(
            pa.schema([("year", pa.string()), ("area", pa.string())]), flavor="hive"
        ),
    )
    if kind == "geoparquet":
        for file in path.rglob("*.csv"):
            table = pacsv.read_csv(file).to_pandas()
            frame = gpd.GeoDataFrame(
                table[["who"]],
                geometry=gpd.points_from_xy(table.lon, table.lat),
                crs="EPSG:4326",
            )
            frame.to_parquet(file.with_suffix(".parquet"))
            file.unlink()
    return path


def rows(survey: dm.survey.Survey, **policy: object) -> Counter[tuple[str, int]]:
    """Whose rows count, and in which cell."""
    with DuckDB(threads=1).connected() as database:
        promise = dm.Policy(**{"epsilon": 1, "unit": "who", "cap": 2, **policy})  # type: ignore[arg-type]
        table = RowTable(database, survey, chosen_for(survey, GRID, promise))
        table.place(GRID)
        table.name()
        return Counter(database.execute("SELECT unit, cell FROM rows").fetchall())


@pytest.mark.parametrize("kind", ["csv", "parquet", "geoparquet"])
def test_folders_name_columns_of_text(tmp_path: Path, kind: str) -> None:
    """A folder's values are text, decoded, and missing where Hive says so; they choose rows and say whose they are."""
    path = folder(tmp_path / "survey", kind)
    everybody = rows(dm.read(path))
    assert sum(everybody.values()) == 4
    assert rows(dm.read(path, where="year = '2024'")) == Counter({("bo", 9): 1, ("ana", 6): 1})
    assert rows(dm.read(path, where="year is empty")) == Counter({("cy", 3): 1})
    for area in ROWS["area"].to_pylist():
        assert sum(rows(dm.read(path, where=f"area = '{area}'")).values()) == 1
    assert {who for who, _ in rows(dm.read(path), unit="area")} == set(
        map(str.lower, ROWS["area"].to_pylist())
    )
    assert dm.inspect(dm.read(path)).usable == 4


def test_archives_patterns_and_stores_have_such_folders_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The paths within a .zip, below the first wildcard of a pattern and below a store's folder say the same."""
    path = folder(tmp_path / "served" / "bucket" / "survey", "parquet")
    with zipfile.ZipFile(tmp_path / "survey.zip", "w") as archive:
        for file in path.rglob("*.parquet"):
            archive.write(file, file.relative_to(path))
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("AWS_REGION", "eu-west-9")
    with serving(tmp_path / "served") as (host, _):
        store = f"?endpoint_override={host}&scheme=http"
        for address in (
            tmp_path / "survey.zip",
            path / "year=*" / "**" / "*.parquet",
            f"s3://bucket/survey{store}",
            f"s3://bucket/survey/year=*/*/*.parquet{store}",
        ):
            assert rows(dm.read(address, where="year = '2024'")) == rows(
                dm.read(path, where="year = '2024'")
            )


@pytest.mark.parametrize(
    "members",
    [("year=2023/a.csv", "b.csv"), ("year=2023/a.csv", "month=2/b.csv"), ("a=1/b=2/a.csv", "b=2/a=1/b.csv"),
     ("who=1/a.csv", "who=2/b.csv"), ("year=1/YEAR=2/a.csv", "year=1/YEAR=3/b.csv")],
)  # fmt: skip
def test_folders_that_name_other_columns_are_refused(
    tmp_path: Path, members: tuple[str, ...]
) -> None:
    """Names are the same for all parts, once each, and none is a column of a file."""
    for member in members:
        (tmp_path / "survey" / member).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "survey" / member).write_text("who,lon,lat\nana,0.5,0.5\n")
    with pytest.raises(BadInput):
        dm.read(tmp_path / "survey")


def test_types_differ_between_no_folders(tmp_path: Path) -> None:
    """Parquet of two folders describes the same types, as within one; a value looks like no number."""
    for year, value in (("2023", [1]), ("2024", ["1"])):
        (tmp_path / "survey" / f"year={year}").mkdir(parents=True)
        table = pa.table({"who": ["ana"], "lon": [0.5], "lat": [0.5], "n": value})
        pq.write_table(table, tmp_path / "survey" / f"year={year}" / "a.parquet")
    with pytest.raises(BadInput, match="another type"):
        dm.read(tmp_path / "survey")


def test_many_folders_are_one_relation(tmp_path: Path) -> None:
    """Parquet in a folder for each day is read at once, and by pieces with the same rows."""
    for day in range(300):
        place = tmp_path / "survey" / f"day={day:03}"
        place.mkdir(parents=True)
        pq.write_table(
            pa.table({"who": [f"p{day % 7}"], "lon": [0.5], "lat": [0.5]}), place / "a.parquet"
        )
    source = open_path(str(tmp_path / "survey"), SourceOptions())
    assert source.sql and source.cut is not None and not source.parts
    assert len(source.files) == 300
    assert sum(rows(dm.read(tmp_path / "survey", where="day = '007'")).values()) == 1


def test_no_message_repeats_a_folders_value(tmp_path: Path) -> None:
    """Files of several kinds in such folders are refused by their own names."""
    for member in ("who=canary/a.csv", "who=canary/b.geojson"):
        (tmp_path / "survey" / member).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "survey" / member).write_text("lon,lat\n0.5,0.5\n")
    with pytest.raises(BadInput) as refused:
        dm.read(tmp_path / "survey")
    assert "canary" not in str(refused.value) and "b.geojson" in str(refused.value)
