"""`dpmap inspect --names-only`: what a file is by its header, layers and sheets, without a number or a value of the survey."""

import json
import zipfile
from pathlib import Path
from typing import Any

import geopandas as gpd
import pytest
import shapely
from builders import surveys, workbooks

from dpmap.cli import run

SAMPLES = Path(__file__).parents[2] / "data_samples"
KEYS = {
    "format", "columns", "roles", "unit", "who", "dates", "uncertainty", "consent", "layers", "sheets", "lacks", "places", "declare",
}  # fmt: skip
KOBO = "_submitted_by,_uuid,nest_latitude,nest_longitude,camp_latitude,camp_longitude"


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs `dpmap inspect --names-only` and returns its exit code, stdout and stderr."""

    def call(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run(["inspect", *map(str, words), "--names-only"])
        told = capsys.readouterr()
        return code, told.out, told.err

    return call


@pytest.fixture
def names(typed: Any) -> Any:
    """Runs it with --json, which must end well, and returns the answer."""

    def call(*words: object) -> Any:
        code, out, err = typed(*words, "--json")
        assert (code, err) == (0, ""), err
        told = json.loads(out)
        assert set(told) == KEYS
        return told

    return call


def layer(path: Path, name: str, crs: str | None = "EPSG:4326") -> None:
    frame = gpd.GeoDataFrame({"who": ["Zanzibar"]}, geometry=[shapely.Point(0, 50)], crs=crs)
    frame.to_file(path, layer=name)


def test_a_survey_is_told_by_its_header(names: Any) -> None:
    """Of a plain table: its columns, who may be protected and what that means, and what may say when, and whether one agreed."""
    told = names(SAMPLES / "raptors.csv")
    assert told["columns"][:3] == ["sighting_id", "observer_id", "nest_id"]
    assert (told["format"], told["unit"], told["lacks"]) == (None, None, [])
    assert [(one["column"], one["kind"]) for one in told["who"]] == [
        ("observer_id", "person"), ("nest_id", "site"), ("row", "row"),
    ]  # fmt: skip
    assert all(set(one) == {"column", "kind", "meaning", "words", "reason"} for one in told["who"])
    assert (told["dates"], told["consent"]) == (["date"], ["consent"])
    assert told["declare"] == {"x": "longitude", "y": "latitude", "crs": "EPSG:4326"}


def test_a_known_format_says_its_unit(tmp_path: Path, names: Any) -> None:
    """A format is told by its key and its name; its unit, dates and uncertainty are those it defines."""
    head = (
        "gbifID;decimalLatitude;decimalLongitude;recordedBy;eventDate;coordinateUncertaintyInMeters"
    )
    told = names(surveys.written(tmp_path, [], head))
    assert told["format"] == {"key": "gbif", "name": "GBIF occurrences"}
    assert (told["unit"], told["dates"]) == ("recordedBy", ["eventDate"])
    assert told["uncertainty"] == ["coordinateUncertaintyInMeters"]
    assert told["declare"] == {"delimiter": ";", "format": "gbif"}


def test_no_row_changes_what_is_told(tmp_path: Path, typed: Any) -> None:
    """Two files of one header get the same answer, whatever their rows hold and however many they are."""
    first = typed(surveys.written(tmp_path, surveys.scattered(50)), "--json")
    assert first == typed(surveys.written(tmp_path, [], name="empty.csv"), "--json")
    assert first[0] == 0


@pytest.mark.parametrize("json", [(), ("--json",)])
def test_a_first_line_that_is_no_header_is_not_shown(
    tmp_path: Path, typed: Any, json: tuple[str, ...]
) -> None:
    """Where the first line holds values, none is told: names are asked for."""
    path = surveys.written(tmp_path, [], "Ana Ruiz,2024-05-01,nest at 3.25 56.5,ana@x.org")
    code, out, err = typed(path, *json)
    assert (code, err) == (0, "")
    assert "--columns" in out
    assert not [word for word in ("Ana", "2024", "56.5", "x.org") if word in out]


@pytest.mark.parametrize(
    ("head", "flags", "lacks", "places"),
    [
        ("who,a,b", (), ["--x", "--y", "--crs"], []),
        ("who,east,north", (), ["--x", "--y", "--crs"], [{"x": "east", "y": "north", "crs": None}]),
        ("who,east,north", ("--x", "east", "--y", "north"), ["--crs"], []),
        ("who,east,north", ("--x", "east", "--y", "north", "--crs", "EPSG:27700"), [], []),
        ("who,geom", (), ["--place"], [{"place": "geom"}]),
    ],
)
def test_what_would_say_where_a_row_is(
    tmp_path: Path,
    names: Any,
    head: str,
    flags: tuple[str, ...],
    lacks: list[str],
    places: list[Any],
) -> None:
    """Where places are not known it is no error: the flags that are lacking are told, the columns they may name, and all the rest."""
    told = names(surveys.written(tmp_path, [], head), *flags)
    assert (told["lacks"], told["places"]) == (lacks, places)
    assert told["columns"] == head.split(",")
    assert "x" not in told["declare"] or flags


def test_of_several_questions_with_a_place_one_is_chosen(tmp_path: Path, names: Any) -> None:
    """A form that asks for two places offers both, and is read once one is named; its own CRS needs no flag."""
    path = surveys.written(tmp_path, [], KOBO)
    told = names(path)
    assert (told["unit"], told["lacks"]) == ("_submitted_by", ["--x", "--y"])
    assert [one["x"] for one in told["places"]] == ["nest_longitude", "camp_longitude"]
    assert names(path, "--x", "camp_longitude", "--y", "camp_latitude")["lacks"] == []


def test_layers_are_offered_and_one_is_read(tmp_path: Path, names: Any) -> None:
    """Of several layers none is chosen: their names are the answer. With one named the rest is told, and the names still are."""
    for name in ("nests", "camps"):
        layer(tmp_path / "two.gpkg", name)
    told = names(tmp_path / "two.gpkg")
    assert told == {**dict.fromkeys(KEYS - {"layers", "format", "unit", "declare"}, []), "layers": ["nests", "camps"],
                    "format": None, "unit": None, "declare": {}}  # fmt: skip
    told = names(tmp_path / "two.gpkg", "--layer", "camps")
    assert (told["layers"], told["columns"], told["declare"]) == (
        ["nests", "camps"],
        ["who"],
        {"layer": "camps"},
    )


@pytest.mark.filterwarnings("ignore:'crs' was not provided")
def test_a_layer_without_a_crs_lacks_it(tmp_path: Path, names: Any) -> None:
    """A layer that names no CRS lacks just that."""
    layer(tmp_path / "one.gpkg", "nests", None)
    assert names(tmp_path / "one.gpkg")["lacks"] == ["--crs"]
    assert names(tmp_path / "one.gpkg", "--crs", "EPSG:4326")["lacks"] == []


def test_sheets_are_offered_and_one_is_read(tmp_path: Path, names: Any) -> None:
    """Of a workbook's sheets their names are the answer, and the number of those that share one."""
    rows = [["who", "longitude", "latitude"], ["Zanzibar", 0.5, 50.5]]
    path = tmp_path / "book.xlsx"
    workbooks.xlsx(path, [("Data", rows), ("7", rows), ("Same", rows), ("Same", rows)])
    told = names(path)
    assert (told["sheets"], told["columns"]) == (["Data", "7", "3", "4"], [])
    told = names(path, "--sheet", "Data")
    assert (told["sheets"][0], told["columns"]) == ("Data", ["who", "longitude", "latitude"])
    assert told["declare"]["sheet"] == "Data"


def test_files_of_an_archive_that_are_no_parts_of_one_table_are_offered(
    tmp_path: Path, names: Any
) -> None:
    """Unlike files in an archive are chosen by --layer, so they are its layers."""
    layer(tmp_path / "nests.gpkg", "nests")
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.write(tmp_path / "nests.gpkg", "nests.gpkg")
        archive.writestr("rows.csv", f"{surveys.HEAD}\n")
    assert names(tmp_path / "all.zip")["layers"] == ["nests.gpkg", "rows.csv"]


def test_what_names_its_own_fields_is_declared(tmp_path: Path, names: Any) -> None:
    """Of GeoJSON the answer says what `init` would declare: what it is, and its fields."""
    layer(tmp_path / "nests.geojson", "nests")
    told = names(tmp_path / "nests.geojson")
    assert (told["columns"], told["declare"]) == (["who"], {"format": "geojson", "columns": "who"})
    assert "Zanzibar" not in json.dumps(told)


def test_several_files_are_declared_each(tmp_path: Path, names: Any) -> None:
    """Files that are read in different ways are declared one by one, as `init` writes them."""
    first = surveys.written(tmp_path, [], surveys.HEAD)
    other = surveys.written(tmp_path, [], "who;lon;lat", "other.csv")
    told = names(first, other)["declare"]["survey"]
    assert [one["file"] for one in told] == [str(first), str(other)]
    assert (told[0]["x"], told[1]["x"], told[1]["delimiter"]) == ("longitude", "lon", ";")


def test_people_read_it_in_lines(tmp_path: Path, typed: Any) -> None:
    """Without --json the same is told in lines."""
    code, out, err = typed(surveys.written(tmp_path, [], "observer,east,north,consent"))
    assert (code, err) == (0, "")
    assert "a release needs --x, --y, --crs" in out
    assert "may be for --consent: consent" in out
    assert "may be for --unit: observer: each person who observed (by observer); protects" in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("missing.csv",), "missing.csv"),
        (
            ("survey.csv", "--x", "nowhere", "--y", "latitude", "--crs", "EPSG:4326"),
            "no column 'nowhere'",
        ),
        (("survey.csv", "--html", "page.html"), "--html"),
        (("survey.csv", "--sheet", "1"), "has no sheets"),
    ],
)
def test_any_other_failure_is_one_line(
    tmp_path: Path, typed: Any, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], told: str
) -> None:
    """What cannot be read, or names a column that is not there, is the usual line."""
    surveys.written(tmp_path, surveys.scattered(3))
    monkeypatch.chdir(tmp_path)
    code, out, err = typed(*words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert told in err
    assert not (tmp_path / "page.html").exists()
