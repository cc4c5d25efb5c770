"""Bad input of every kind: one line that names the flag or file, the right exit code, nothing written, nothing spent.

Run as root, so missing rights are played by `os.access` and `open`, full disks by a small tmpfs.
"""

import errno
import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
import shapely
from builders.waiting import LONG

import dpmap as dm
from dpmap.cli import run
from dpmap.errors import BadInput, DpmapError
from dpmap.ledger.ledger import Ledger
from dpmap.numbers import exact
from dpmap.record.release_file import read_record
from dpmap.releases.release import Release
from dpmap.survey import read

ROOT = Path(__file__).parents[2]
Attempt = Callable[..., str]
HEADER = "who,longitude,latitude,ok\n"
ROWS = [f"p{i % 7},{(i * 37 % 100) / 100},{50 + (i * 53 % 100) / 100},yes" for i in range(60)]


@pytest.fixture(autouse=True)
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """The maps beside a release are not at stake here."""

    def stub(self: Release, path: Path) -> list[Path]:
        Path(path).write_bytes(b"stub")
        return [Path(path)]

    monkeypatch.setattr(Release, "write", stub)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with survey.csv and a ledger of budget 2 in which half is spent."""
    (tmp_path / "survey.csv").write_text(HEADER + "\n".join(ROWS) + "\n")
    book = Ledger(tmp_path / "dpmap.ledger")
    book.reserve(dataset="Raptors", epsilon=Fraction(1), budget=Fraction(2), details={})
    return tmp_path


LARGE = {
    "epsilon": "10000",
    "budget": "100000",
    "unit": "row",
    "cap": "1",
    "shape": "1,1",
    "confirm_epsilon": True,
}


def _counted(folder: Path, name: str, capsys: pytest.CaptureFixture[str]) -> int:
    """How many rows of a survey a release with hardly any noise counts."""
    code = run(
        command(folder, name, **LARGE, out=folder / "counted", ledger=folder / "counted.ledger")
    )
    assert (code, capsys.readouterr().err) == (0, "")
    return round(float(read_record(folder / "counted" / "release.dpmap").measurements[0].values[0]))


def listing(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b""
        for path in sorted(folder.rglob("*"))
    }


def command(folder: Path, survey: object = "survey.csv", **changed: object) -> list[str]:
    given = {
        "bounds": "0,50,1,51", "shape": "4,5", "epsilon": "0.5", "unit": "who", "cap": "3", "dataset": "Raptors",
        "out": folder / "out", **changed,
    }  # fmt: skip
    pairs = [
        (f"--{name.replace('_', '-')}", value) for name, value in given.items() if value is not None
    ]
    words = (
        word for flag, value in pairs for word in ([flag] if value is True else [flag, str(value)])
    )
    return ["release", str(folder / str(survey)), *words]


@pytest.fixture
def attempt(place: Path, capsys: pytest.CaptureFixture[str]) -> Attempt:
    """Runs a release that must fail cleanly with this code; gives back its one line."""

    def call(
        code: "int | tuple[int, ...]", survey: object = "survey.csv", **changed: object
    ) -> str:
        before, descriptors = listing(place), len(os.listdir("/proc/self/fd"))
        capsys.readouterr()
        found = run(command(place, survey, **changed))
        told = capsys.readouterr()
        assert found in (code if isinstance(code, tuple) else (code,)), told.err
        assert told.out == ""
        assert told.err.startswith("dpmap: ")
        assert told.err.endswith("\n")
        assert told.err.count("\n") == 1, told.err
        assert len(told.err) < 600
        assert "Traceback" not in told.err
        assert "failed inside" not in told.err
        if (place / "out").is_dir() and not any((place / "out").iterdir()):
            (place / "out").rmdir()  # an empty folder left behind has its own test
        after = listing(place)
        assert {name for name in after if after[name] != before.get(name)} | (
            set(before) - set(after)
        ) == set()
        assert sorted(after) == sorted(before), "something was left behind"
        assert Ledger(place / "dpmap.ledger").balance() == (2, 1)
        assert len(os.listdir("/proc/self/fd")) <= descriptors + 2
        return told.err

    return call


# --- numbers -----------------------------------------------------------------------------------------------------

NOT_EPSILON = [
    "0", "-1", "-0.0", "nan", "inf", "-inf", "1e999", "1e-999", "1/0", "0/0", "one", "", " ", "1,5", "0x1", "1e", "1e+-5",
    "1e--5", "1e\u00b2", "\u00bd", "1e9/1", "5e9", "0.00001", "1 2", "--1", "9" * 400, "1" + "0" * 80, "1/" + "3" * 80,
]  # fmt: skip


@pytest.mark.parametrize("text", NOT_EPSILON)
def test_epsilon(attempt: Attempt, text: str) -> None:
    """Epsilon must be a positive number written plainly."""
    assert "epsilon" in attempt(2, epsilon=text)


@pytest.mark.parametrize("text", NOT_EPSILON)
def test_budget(attempt: Attempt, text: str) -> None:
    """So must the budget."""
    assert "budget" in attempt(2, budget=text, dataset="another")


@pytest.mark.parametrize(
    "text",
    ["0", "-1", "1.5", "many", "", "nan", "inf", "1e99", "1/3", "1e+-5", "1e\u00b2", "2000000000"],
)
def test_cap(attempt: Attempt, text: str) -> None:
    """The cap must be a whole number of at least 1."""
    assert "cap" in attempt(2, cap=text)


@pytest.mark.parametrize(
    "value", [None, True, [], {}, object(), "1e", b"1", float("nan"), float("inf"), complex(1)]
)
def test_exact_takes_numbers_only(value: object) -> None:
    """In Python too, whatever is given for a number is either that number or bad input, never an error inside."""
    with pytest.raises(BadInput):
        exact(value, name="epsilon")


@pytest.mark.parametrize(
    "text",
    ["1e+-5", "1e--5", "1e\u00b2", "1e1e1", "e", "e5", "1e+", "1/2e-5", "1e5/2", "_1", "1__0"],
)
def test_exact_never_breaks(text: str) -> None:
    """Odd spellings of numbers are bad input, never an error inside."""
    with pytest.raises(BadInput):
        exact(text, name="epsilon")


# --- what is missing or unknown ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "changed", "word"),
    [
        (3, {"epsilon": None}, "--epsilon"),
        (3, {"unit": None}, "--unit"),
        (3, {"unit": " "}, "--unit"),
        (3, {"cap": None}, "--cap"),
        (2, {"dataset": None}, "--dataset"),
        (2, {"dataset": " "}, "--dataset"),
        (3, {"dataset": "another"}, "--budget"),
        (3, {"budget": "3"}, "--budget"),
        (3, {"epsilon": "1.0001"}, "--epsilon"),
        (3, {"bounds": None, "shape": None, "cell": "1 km"}, "--area"),
        (2, {"bounds": None, "shape": None}, "--cell"),
        (2, {"bounds": None}, "--bounds"),
        (2, {"shape": None}, "--shape"),
        (2, {"out": None}, "--out"),
        (2, {"unit": "nobody"}, "--unit"),
        (2, {"unit": "who+nobody"}, "--unit"),
        (2, {"unit": "who+"}, "unit"),
        (2, {"consent": "nothing=yes"}, "--consent"),
        (2, {"consent": "ok"}, "consent"),
        (2, {"consent": "ok="}, "consent"),
        (2, {"consent": "=yes"}, "consent"),
        (2, {"x": "longitude"}, "--y"),
        (2, {"x": "nowhere", "y": "latitude", "crs": "EPSG:4326"}, "--x"),
        (2, {"x": "longitude", "y": "latitude"}, "crs"),
        (2, {"crs": "EPSG:999999"}, "crs"),
        (2, {"crs": "nonsense"}, "crs"),
        (2, {"crs": "EPSG:"}, "crs"),
        (2, {"crs": ""}, "crs"),
        (2, {"crs": "EPSG:5703"}, "crs"),
        (2, {"grid_crs": "EPSG:999999"}, "crs"),
        (2, {"strategy": "magic"}, "strategy"),
        (2, {"engine": "abacus"}, "engine"),
        (2, {"engine": "abacus", "memory": "1GB"}, "engine"),
        (2, {"noise": "dice"}, "noise"),
        (2, {"limiter": "none"}, "limiter"),
        (2, {"cap_origin": "guess"}, "cap"),
        (2, {"layer": "x"}, "layer"),
        (2, {"memory": "plenty"}, "memory"),
        (2, {"hexagons": "7"}, "cells"),
        (2, {"bounds": None, "shape": None, "cell": "1 km", "hexagons": "7"}, "cells"),
    ],
)
def test_flags(attempt: Attempt, code: int, changed: dict, word: str) -> None:
    """A flag that is missing, unknown or contradictory: one line that names it, before a row is read."""
    assert word in attempt(code, **changed)


@pytest.mark.parametrize(
    "bounds",
    [
        "0,50,1",
        "a,b,c,d",
        "0,50,0,51",
        "1,50,0,51",
        "nan,50,1,51",
        "0,50,inf,51",
        "",
        "0,-95,1,95",
        "170,50,190,51",
    ],
)
def test_bounds(attempt: Attempt, bounds: str) -> None:
    """Bounds are four finite numbers on the globe, in order."""
    assert "bounds" in attempt(2, bounds=bounds)


@pytest.mark.parametrize(
    "shape",
    ["4", "4,5,6", "0,5", "-1,5", "nan,5", "inf,5", "2.5,5", "1e9,1e9", "100000,100000", "a,b"],
)
def test_shape(attempt: Attempt, shape: str) -> None:
    """The shape is two whole numbers of at least 1, and no more cells than dpmap holds."""
    line = attempt(2, shape=shape)
    assert "shape" in line or "cells" in line


@pytest.mark.parametrize(
    "cell",
    ["", "0 km", "-1 km", "1 parsec", "km", "nan m", "inf m", "1e999 km", "0.001 mm", "1 cm"],
)
def test_cell(attempt: Attempt, cell: str) -> None:
    """The cell size is a positive length or angle."""
    area = ROOT / "data_samples" / "study_area.gpkg"
    assert "cell" in attempt(2, bounds=None, shape=None, area=area, cell=cell)


def test_a_grid_too_large(attempt: Attempt) -> None:
    """A grid of too many cells is refused with its size and what would fit."""
    area = ROOT / "data_samples" / "study_area.gpkg"
    assert "times larger" in attempt(2, bounds=None, shape=None, area=area, cell="1 m")


def test_hexagons_too_many(place: Path) -> None:
    """Hexagons too many to hold are refused like squares are, before memory runs out."""
    area = place / "area.geojson"
    gpd.GeoDataFrame(geometry=[shapely.box(0, 50, 1, 51)], crs=4326).to_file(area)
    code = textwrap.dedent(
        """
        import resource, sys
        resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
        from dpmap.cli import run
        sys.exit(run(sys.argv[1:]))
        """
    )
    arguments = command(place, bounds=None, shape=None, area=area, hexagons=15)
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        timeout=LONG,
        cwd=ROOT,
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr[-500:]


@pytest.mark.parametrize("hexagons", ["-1", "16", "many", "7.5"])
def test_hexagon_resolution(attempt: Attempt, hexagons: str) -> None:
    """The resolution of hexagons is a whole number from 0 to 15."""
    area = ROOT / "data_samples" / "study_area.gpkg"
    attempt(2, bounds=None, shape=None, area=area, hexagons=hexagons)


@pytest.mark.parametrize(
    "changed",
    [
        {"strategy": "magic"},
        {"unit": "nobody"},
        {"dataset": "another"},
        {"epsilon": "1.5"},
        {"noise": "dice"},
    ],
)
def test_a_refused_release_leaves_no_empty_folder(place: Path, changed: dict) -> None:
    """A release that was refused leaves nothing behind, not even an empty folder; one that was there stays."""
    assert run(command(place, **changed)) in (2, 3)
    assert not (place / "out").exists()
    (place / "mine").mkdir()
    assert run(command(place, **changed, out=place / "mine")) in (2, 3)
    assert (place / "mine").is_dir()


# --- files -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["missing.csv", ".", "missing/survey.csv", "survey.csv/x", "nul\0l.csv", "x" * 300 + ".csv"],
)
def test_survey_that_is_not_there(attempt: Attempt, name: str) -> None:
    """A missing survey or a folder: one line."""
    attempt(2, survey=name)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.csv", b""),
        ("blank.csv", b"\n\n\n"),
        ("binary.csv", bytes(range(256)) * 40),
        ("survey.xyz", b"%PDF-1.7 who,longitude,latitude\n"),
        ("survey", b"\x7fELF who,longitude,latitude\n"),
        ("headless.csv", b"1,0.5,50.5\n2,0.5,50.5\n"),
        ("fake.parquet", b"PAR1 this is not parquet PAR1"),
        ("empty.parquet", b""),
        ("fake.shp", b"\0" * 200),
        ("fake.geojson", b'{"type": "FeatureCollection", "features": [{"type": "Feat'),
        ("fake.fgb", b"fgb" * 50),
        ("fake.zip", b"PK\x03\x04 broken"),
        ("deep.geojson", b'{"type":"FeatureCollection","features":' + b"[" * 20000),
    ],
)
def test_survey_of_the_wrong_kind(place: Path, attempt: Attempt, name: str, content: bytes) -> None:
    """A survey that is empty, damaged, or of no known kind: one line, exit 2."""
    (place / name).write_bytes(content)
    attempt(2, survey=name)


@pytest.mark.parametrize("name", ["latin.csv", "survey.xyz", "survey"])
def test_a_table_is_told_by_its_content(
    place: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """A table is read whatever its suffix says, and in whatever encoding Excel saved it."""
    (place / name).write_bytes(
        ("who,longitude,latitude\n" + "Jos\xe9,0.5,50.5\n" * 40).encode("latin-1")
    )
    assert _counted(place, name, capsys) == 40


def test_a_folder_of_several_files(place: Path, attempt: Attempt) -> None:
    """A folder is read only where it is one table in parts; a table beside other files must be named."""
    assert "give one of them, like survey.csv" in attempt(2, survey=".")
    assert "--layer" in attempt(2, survey=".", layer="elsewhere")


@pytest.mark.parametrize("name", ["fake.gpkg", "fake.shp", "fake.geojson", "fake.fgb", "cut.gpkg"])
def test_libraries_say_nothing_of_their_own(place: Path, name: str) -> None:
    """On a damaged file the user sees dpmap's one line and no library's warnings."""
    whole = (ROOT / "data_samples" / "nests.gpkg").read_bytes()
    contents = {
        "fake.gpkg": b"SQLite format 3\0 no it is not" * 50,
        "cut.gpkg": whole[: len(whole) // 2],
    }
    (place / name).write_bytes(contents.get(name, b"no such thing" * 20))
    done = _fresh_process(command(place, name))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr


def _frame(rows: int = 4000) -> pd.DataFrame:
    i = np.arange(rows)
    columns = {
        "who": [f"secret{k % 97}" for k in i],
        "longitude": i * 37 % 1000 / 1000,
        "latitude": 50 + i * 53 % 1000 / 1000,
    }
    return pd.DataFrame(columns)


@pytest.mark.parametrize("kind", ["parquet", "geo.parquet", "gpkg", "fgb", "geojson", "shp"])
@pytest.mark.parametrize("keep", [0.1, 0.5, 0.9, 0.999])
def test_truncated_survey(place: Path, attempt: Attempt, kind: str, keep: float) -> None:
    """A survey that breaks off, wherever that is, is bad input: it is never counted in part, and costs nothing."""
    path = place / f"cut.{kind}"
    frame = _frame()
    if kind == "parquet":
        frame.to_parquet(path)
    else:
        points = gpd.GeoDataFrame(
            frame[["who"]], geometry=shapely.points(frame.longitude, frame.latitude), crs=4326
        )
        points.to_parquet(path) if kind == "geo.parquet" else points.to_file(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * keep)])
    declared = {"format": "geojson", "columns": "who"} if kind == "geojson" else {}
    line = attempt((1, 2), survey=path.name, **declared)
    assert "secret" not in line


@pytest.mark.parametrize("kind", ["parquet", "gpkg"])
def test_survey_with_damage_inside(
    place: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    """Damage in the middle of a survey file is one line of bad input, or harmless; never an error from inside."""
    path = place / f"hurt.{kind}"
    frame = _frame()
    points = gpd.GeoDataFrame(
        frame[["who"]], geometry=shapely.points(frame.longitude, frame.latitude), crs=4326
    )
    frame.to_parquet(path) if kind == "parquet" else points.to_file(path)
    whole = path.read_bytes()
    for share in (0.2, 0.4, 0.6, 0.8):
        start = int(len(whole) * share)
        path.write_bytes(whole[:start] + b"\xff" * 3000 + whole[start + 3000 :])
        capsys.readouterr()
        code = run(command(place, path.name, epsilon="0.0001", out=place / f"out{share}"))
        told = capsys.readouterr()
        assert code in (0, 1, 2)
        if code:
            assert told.err.count("\n") == 1, told.err
            assert "failed inside" not in told.err
            assert "secret" not in told.err


def test_truncated_zip(place: Path, attempt: Attempt) -> None:
    """A zip that breaks off is bad input."""
    shutil.make_archive(str(place / "cut"), "zip", place, "survey.csv")
    whole = (place / "cut.zip").read_bytes()
    (place / "cut.zip").write_bytes(whole[: len(whole) // 2])
    attempt(2, survey="cut.zip")


def test_an_interrupted_copy_of_a_csv_reads_whole_rows_only(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A CSV whose last line breaks off is read without that line; it costs one release, not an error from inside."""
    text = (place / "survey.csv").read_text()
    (place / "cut.csv").write_text(text[:-9])
    assert run(command(place, "cut.csv")) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("blank", ["", " ", "\t", '""', "NA", "none", "n/a", "\u200b", "\u00a0"])
def test_unit_all_blank(place: Path, attempt: Attempt, blank: str) -> None:
    """A unit column that is blank or a placeholder throughout protects nobody: bad input, nothing spent."""
    rows = [",".join([blank, *row.split(",")[1:]]) for row in ROWS]
    (place / "blank.csv").write_text(HEADER + "\n".join(rows) + "\n")
    assert "--unit" in attempt(2, survey="blank.csv")


@pytest.mark.parametrize(
    ("x", "y"), [("0\N{DEGREE SIGN}30'E", "50\N{DEGREE SIGN}30'N"), ("0,5", "50,5")]
)
def test_degrees_and_minutes(
    place: Path, capsys: pytest.CaptureFixture[str], x: str, y: str
) -> None:
    """Degrees and minutes, and decimal commas, are coordinates."""
    (place / "dms.csv").write_text(HEADER + f'p,"{x}","{y}",yes\n' * 40, "utf-8")
    assert _counted(place, "dms.csv", capsys) == 40


@pytest.mark.parametrize("word", ["here", "", "north", "0;5"])
def test_text_coordinates(place: Path, attempt: Attempt, word: str) -> None:
    """Coordinates that are text throughout are bad input, and the line quotes none of them."""
    rows = [f'p{i % 7},"{word}","{word}",yes' for i in range(60)]
    (place / "text.csv").write_text(HEADER + "\n".join(rows) + "\n")
    line = attempt(2, survey="text.csv")
    assert "place" in line
    if word:
        assert word not in line


@pytest.mark.parametrize("name", ["missing.gpkg", ".", "survey.csv", "dpmap.ledger"])
def test_area_of_the_wrong_kind(place: Path, attempt: Attempt, name: str) -> None:
    """An area that is missing, a folder, or holds no polygons: one line naming the area."""
    assert "area" in attempt(2, bounds=None, shape=None, cell="1 km", area=place / name)


def test_truncated_area(place: Path, attempt: Attempt) -> None:
    """An area file that breaks off is bad input."""
    whole = (ROOT / "data_samples" / "study_area.gpkg").read_bytes()
    for keep in (0.1, 0.5, 0.9):
        (place / "area.gpkg").write_bytes(whole[: int(len(whole) * keep)])
        assert "area" in attempt(2, bounds=None, shape=None, cell="10 km", area=place / "area.gpkg")


def test_points_are_no_area(place: Path, attempt: Attempt) -> None:
    """A layer of points encloses nothing."""
    gpd.GeoDataFrame(geometry=shapely.points([0.0, 1.0], [50.0, 51.0]), crs=4326).to_file(
        place / "points.gpkg"
    )
    assert "polygon" in attempt(2, bounds=None, shape=None, cell="1 km", area=place / "points.gpkg")


def test_out_is_a_file(place: Path, attempt: Attempt) -> None:
    """--out naming a file is bad input, and the file is untouched."""
    assert "--out" in attempt(2, out=place / "survey.csv")


def test_out_below_a_file(place: Path, attempt: Attempt) -> None:
    """--out inside something that is no folder is one line."""
    assert "--out" in attempt((1, 2), out=place / "survey.csv" / "out")


def test_ledger_in_a_missing_folder(place: Path, attempt: Attempt) -> None:
    """A ledger whose folder is not there is bad input."""
    assert "ledger" in attempt(2, ledger=place / "missing" / "x.ledger", budget="2")


def test_ledger_is_a_folder(place: Path, attempt: Attempt) -> None:
    """A folder given as ledger is bad input."""
    assert "ledger" in attempt(2, ledger=place, budget="2")


def test_ledger_is_the_survey(place: Path, attempt: Attempt) -> None:
    """The survey given as ledger is refused and untouched."""
    assert "ledger" in attempt(3, ledger=place / "survey.csv", budget="2")


# --- rights and disks --------------------------------------------------------------------------------------------


def test_no_right_to_read_the_survey(attempt: Attempt, monkeypatch: pytest.MonkeyPatch) -> None:
    """A survey without the right to read it is one line, exit 1."""
    real = os.access
    monkeypatch.setattr(
        os,
        "access",
        lambda path, mode, **k: not str(path).endswith(".csv") and real(path, mode, **k),
    )
    assert "read" in attempt((1, 2))


def test_no_right_to_write_the_ledger(attempt: Attempt, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ledger without the right to write it is one line, exit 1, before a row is read."""
    real = os.access
    monkeypatch.setattr(
        os,
        "access",
        lambda path, mode, **k: (
            real(path, mode, **k) and not (mode == os.W_OK and str(path).endswith(".ledger"))
        ),
    )
    monkeypatch.setattr(
        "dpmap.engines.duckdb.DuckDB.totals", lambda *args: pytest.fail("a row was read")
    )
    assert "ledger" in attempt(1)


@pytest.mark.parametrize("out", ["/proc/dpmap", "/sys/dpmap"])
def test_no_right_to_write_the_release(attempt: Attempt, out: str) -> None:
    """A folder where nothing can be written is found out before anything is spent."""
    assert "--out" in attempt(1, out=out)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 64 kB."""
    mounted = tmp_path / "disk"
    mounted.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "none", mounted], capture_output=True
    ).returncode:
        pytest.skip("mounting is not permitted here")
    yield mounted
    subprocess.run(["umount", "-l", mounted], check=True)


def _fresh_process(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """As users run it, so that what Python itself says while it ends is seen too."""
    code = "import sys; from dpmap.cli import run; sys.exit(run(sys.argv[1:]))"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, cwd=ROOT
    )


def test_disk_full_while_saving(place: Path, small_disk: Path) -> None:
    """A disk that fills up while the release is saved: exit 1, one line, no half-written file, the ledger knows."""
    done = _fresh_process(command(place, shape="200,200", out=small_disk / "out"))
    assert done.returncode == 1
    assert done.stderr.startswith("dpmap: ")
    assert done.stderr.count("\n") == 1, done.stderr
    assert not [path for path in small_disk.rglob("*") if path.is_file()]
    assert Ledger(place / "dpmap.ledger").balance()[1] in (1, Fraction(3, 2))


def test_disk_full_from_the_start(place: Path, small_disk: Path) -> None:
    """A disk that is full already is noticed before anything is spent."""
    with open(small_disk / "filler", "wb", buffering=0) as filler, pytest.raises(OSError):
        while True:
            filler.write(b"x" * 4096)
    done = _fresh_process(command(place, out=small_disk / "out"))
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
    assert Ledger(place / "dpmap.ledger").balance() == (2, 1)


def test_disk_full_at_the_ledger(place: Path, small_disk: Path) -> None:
    """A full disk under the ledger: one line, and no noise is drawn."""
    with open(small_disk / "filler", "wb", buffering=0) as filler, pytest.raises(OSError):
        while True:
            filler.write(b"x" * 4096)
    done = _fresh_process(command(place, ledger=small_disk / "x.ledger", budget="2"))
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
    assert not (place / "out" / "release.dpmap").exists()


@pytest.mark.parametrize(
    "number", [errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS, errno.EACCES]
)
@pytest.mark.parametrize("at", ["write", "fsync", "replace"])
def test_each_write_may_fail(
    place: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    at: str,
) -> None:
    """At every step of saving, a failing disk is one line, exit 1, and leaves no part of a file; what shows beforehand costs nothing."""

    def fail(*args: object, **named: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(
        {"write": "zipfile.ZipFile.writestr", "fsync": "os.fsync", "replace": "os.replace"}[at],
        fail,
    )
    code = run(command(place))
    err = capsys.readouterr().err
    assert code == 1
    assert err.count("\n") == 1
    assert "failed inside" not in err
    assert not (place / "out").exists()
    if at == "fsync":  # the place is tried before anything is reserved
        assert err.startswith("dpmap: --out")
        assert Ledger(place / "dpmap.ledger").balance() == (2, 1)
        return
    assert "release.dpmap" in err
    assert Ledger(place / "dpmap.ledger").balance() == (2, Fraction(3, 2))


def test_memory_runs_out(attempt: Attempt, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory that runs out while counting: one line, exit 1, nothing spent."""
    import resource

    monkeypatch.setattr(
        "dpmap.engines.duckdb.DuckDB.totals", lambda *args: (_ for _ in ()).throw(MemoryError())
    )
    before = resource.getrlimit(resource.RLIMIT_AS)
    assert "memory" in attempt(1)
    assert resource.getrlimit(resource.RLIMIT_AS) == before


# --- weird names -------------------------------------------------------------------------------------------------

WEIRD = [
    "it's", 'say "nests"', "100%25", "\N{OWL} b\u00fcho", "two\nlines", "a#b", "what?", "a?b=c&d", "[1]", "a[x]b", "st*r", "{a,b}",
    "-dash", " space ", "a:b", "a;b", "$HOME", "~", "a\\b", "tab\there", "file:x", "s3:x", "!bang", ".hidden", "a'; DROP TABLE rows; --",
]  # fmt: skip


@pytest.mark.matrix(34)
@pytest.mark.parametrize("kind", ["csv", "parquet", "gpkg", "geojson"])
@pytest.mark.parametrize("name", WEIRD)
def test_weird_file_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str, name: str
) -> None:
    """A survey may have any name: exactly that file is read, not its neighbours, and the maps go where they should."""
    frame = pd.DataFrame({"who": ["a"] * 40, "longitude": 0.5, "latitude": 50.5})
    path = tmp_path / f"{name}.{kind}"
    for target, rows in ((path, 40), (tmp_path / f"neighbour.{kind}", 7)):
        part = frame.head(rows)
        if kind == "csv":
            part.to_csv(target, index=False)
        elif kind == "parquet":
            part.to_parquet(target)
        else:
            points = gpd.GeoDataFrame(
                part[["who"]], geometry=shapely.points(part.longitude, part.latitude), crs=4326
            )
            points.to_file(tmp_path / f"plain.{kind}", layer="points")
            os.replace(tmp_path / f"plain.{kind}", target)
    for wild, other in (("?", "x"), ("*", "xyz"), ("[1]", "1"), ("[x]", "x"), ("{a,b}", "a")):
        if wild in name:
            shutil.copy(
                tmp_path / f"neighbour.{kind}", tmp_path / f"{name.replace(wild, other)}.{kind}"
            )
    declared = {"format": "geojson", "columns": "who"} if kind == "geojson" else {}
    out = tmp_path / (
        "out" if re.search(r"[!\n\t]", name) else f"out {name}"
    )  # a folder of these is refused
    code = run(
        command(
            tmp_path, path.name, **LARGE, **declared, out=out, ledger=tmp_path / f"{name}.ledger"
        )
    )
    told = capsys.readouterr()
    assert (code, told.err) == (0, "")
    values = read_record(out / "release.dpmap").measurements[0].values
    assert round(float(values[0])) == 40
    assert Ledger(tmp_path / f"{name}.ledger").balance()[1] == 10000


@pytest.mark.parametrize("name", ["a;b", "!bang", "two\nlines"])
def test_a_shapefile_that_gdal_cannot_open_by_name(tmp_path: Path, name: str) -> None:
    """A shapefile, whose parts GDAL finds by name, must have a plain one."""
    gpd.GeoDataFrame({"who": ["a"]}, geometry=shapely.points([0.5], [50.5]), crs=4326).to_file(
        tmp_path / "plain.shp"
    )
    for part in tmp_path.glob("plain.*"):
        part.rename(tmp_path / f"{name}{part.suffix}")
    pytest.raises(BadInput, read, tmp_path / f"{name}.shp").match("rename it")


@pytest.mark.parametrize("name", WEIRD)
def test_weird_names_in_errors(place: Path, attempt: Attempt, name: str) -> None:
    """An error about a file with a weird name is still one line."""
    attempt(2, survey=f"{name}.csv")
    (place / f"{name}.parquet").write_bytes(b"no parquet")
    attempt(2, survey=f"{name}.parquet")
    (place / f"{name}.ledger").write_text("no ledger")
    attempt(3, ledger=place / f"{name}.ledger", budget="2")


@pytest.mark.parametrize(
    "name",
    [
        "it's",
        'say "who"',
        "two\nlines",
        "w;h,o",
        "\N{OWL}",
        "who?",
        "100%",
        "rows",
        "unit",
        "cell",
        "a\x01b",
    ],
)
def test_weird_column_names(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    """Columns may have any name; nothing in it is taken for SQL."""
    pd.DataFrame({name: ["a", "b"] * 20, "longitude": 0.5, "latitude": 50.5}).to_parquet(
        tmp_path / "survey.parquet"
    )
    code = run(command(tmp_path, "survey.parquet", **{**LARGE, "unit": name, "cap": "1"}))
    told = capsys.readouterr()
    assert (code, told.err) == (0, "")
    values = read_record(tmp_path / "out" / "release.dpmap").measurements[0].values
    assert round(float(values[0])) == 2


@pytest.mark.parametrize("name", ["two\nlines", "\x1b[31mred", "\u202egnp"])
def test_weird_columns_in_errors(place: Path, attempt: Attempt, name: str) -> None:
    """Column names listed in an error cannot break its line or steer the terminal."""
    pd.DataFrame({name: ["a"], "longitude": 0.5, "latitude": 50.5}).to_parquet(
        place / "odd.parquet"
    )
    line = attempt(2, survey="odd.parquet", unit="nobody")
    assert "\x1b" not in line


def test_old_crs_spellings_warn_nobody(place: Path) -> None:
    """An old-style CRS text is taken or refused in one line, with no library's warning on the screen."""
    done = _fresh_process(command(place, crs="+init=epsg:4326"))
    assert done.returncode in (0, 2)
    assert done.stderr.count("\n") == (1 if done.returncode else 0), done.stderr


# --- the same through Python -------------------------------------------------------------------------------------


def test_python_calls_give_the_same_errors(place: Path) -> None:
    """Whoever calls dpmap from Python gets a DpmapError for each of these, never a library's own error."""
    path = place / "survey.csv"
    grid = dm.Grid(bounds=(0, 50, 1, 51), shape=(4, 5), crs="EPSG:4326")
    for act in (
        lambda: dm.read(place),
        lambda: dm.read(place / "missing.csv"),
        lambda: dm.read(path, unit="nobody"),
        lambda: dm.read(path, crs="EPSG:999999"),
        lambda: dm.Grid(bounds=(0, 50, 1, 51), shape=(0, 5), crs="EPSG:4326"),
        lambda: dm.Grid(bounds=(0, 50, 1, 51), shape=(4, 5)),
        lambda: dm.Policy(epsilon=None, unit="who", cap=1),
        lambda: dm.Policy(epsilon=1, unit="who"),
        lambda: dm.Policy(epsilon=1, cap=1),
        lambda: dm.Policy(epsilon=1, unit="who", cap=1, limiter="no"),
        lambda: dm.simulate(np.array([-1.0]), epsilon=1),
        lambda: dm.simulate(np.array([np.nan]), epsilon=1),
        lambda: dm.simulate("text", epsilon=1),
        lambda: dm.simulate(np.ones((2, 2)), epsilon=0),
        lambda: dm.open(place / "survey.csv"),
        lambda: dm.Ledger(place / "missing").events(),
    ):
        with pytest.raises(DpmapError) as caught:
            act()
        assert "\n" not in str(caught.value)
    assert grid.size == 20


def test_release_takes_the_right_things_only(place: Path) -> None:
    """`dm.release` called with something else than a survey, a grid and a policy says so."""
    from dpmap.steward.release_run import release

    with pytest.raises(BadInput, match=r"dm\.read"):
        release("survey.csv", None, None, ledger=place / "x", dataset="d")
    assert json.loads(json.dumps({"left": sorted(listing(place))}))["left"] == [
        "dpmap.ledger",
        "survey.csv",
    ]


def test_release_stays_a_function() -> None:
    """`dm.release` is the function that makes a release, in whatever order the public names are first used."""
    for first in (
        "dm.Release",
        "dm.open",
        "__import__('dpmap.steward.release_run')",
        "__import__('dpmap.cli.commands')",
        "dm.read",
    ):
        code = f"import dpmap as dm; {first}; assert callable(dm.release), dm.release; dm.simulate; assert callable(dm.release)"
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT
        )
        assert done.returncode == 0, (first, done.stderr[-200:])


# --- what would be paid for by mistake ---------------------------------------------------------------------------

AREA = {"bounds": None, "shape": None, "area": "square.gpkg", "grid_crs": "EPSG:3857"}


@pytest.fixture
def square(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An area of about a hundred kilometres by as many, beside the survey."""
    gpd.GeoDataFrame(geometry=[shapely.box(0, 50, 1, 51)], crs=4326).to_file(place / "square.gpkg")
    monkeypatch.chdir(place)


@pytest.mark.usefixtures("square")
@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({**AREA, "cell": "300 km"}, ("--cell", "--few-cells")),
        ({**AREA, "grid_crs": None, "hexagons": "0"}, ("--hexagons", "--few-cells")),
        ({**AREA, "cell": "5"}, ("5 of what?", '"5 km"')),
        ({"epsilon": "50"}, ("epsilon", "--confirm-epsilon")),
        ({"epsilon": "20.0001"}, ("epsilon", "--confirm-epsilon")),
        ({"expires": "2020-12-31"}, ("--expires", "past")),
        ({"label": "TK Atribution"}, ("--label", "did you mean TK Attribution?")),
        ({"label": "Ask the elders"}, ("--label", "localcontexts.org")),
    ],
)
def test_a_slip_of_the_pen_spends_nothing(
    attempt: Attempt, changed: dict, words: tuple[str, ...]
) -> None:
    """A grid of few cells, a size without unit, a vast epsilon, a day that is past, a label that nobody gives: nothing is spent."""
    line = attempt(2, **changed)
    assert all(word in line for word in words), line


@pytest.mark.usefixtures("square")
def test_what_is_meant_is_released(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A flag says of each that it is meant; what names its own number of cells, and labels as people write them, need none."""
    labels = ["--label", "tk secret/sacred: Kept by the elders", "--label", "BC P"]
    meant = [
        command(place, **AREA, cell="300 km", few_cells=True, epsilon="0.1", out="few"),
        command(place, **{**AREA, "grid_crs": None}, by_area=True, epsilon="0.1", out="one"),
        [*command(place, shape="1,1", epsilon="0.1", expires="9999-12-31", out="day"), *labels],
        command(
            place, epsilon="50", budget="90", ledger="x.ledger", confirm_epsilon=True, out="vast"
        ),
    ]
    for words in meant:
        assert run(words) == 0, capsys.readouterr().err
    assert dm.open("few/release.dpmap").grid.cells_inside <= 4
    assert dm.open("day/release.dpmap").record.about.governance.labels[1] == "BC P"


def test_a_choice_asks_about_a_vast_epsilon_too(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`dpmap choose`, and both calls in Python, ask the same before anything is spent."""
    gpd.GeoDataFrame({"n": ["a", "b"]}, geometry=[shapely.box(0, 50, 0.5, 51), shapely.box(0.5, 50, 1, 51)], crs=4326).to_file(
        place / "two.gpkg"
    )  # fmt: skip
    words = [
        "choose",
        str(place / "survey.csv"),
        "--among",
        str(place / "two.gpkg"),
        "--unit",
        "who",
        "--cap",
        "1",
    ]
    words += [
        "--dataset",
        "Raptors",
        "--epsilon",
        "50",
        "--budget",
        "90",
        "--ledger",
        str(place / "y.ledger"),
    ]
    assert run(words) == 2
    assert "--confirm-epsilon" in capsys.readouterr().err
    assert run([*words, "--confirm-epsilon"]) == 0
    with pytest.raises(BadInput, match="confirm_epsilon=True"):
        dm.release(dm.read(place / "survey.csv"), dm.Grid(bounds=(0, 50, 1, 51), shape=(2, 2), crs="EPSG:4326"),
                   dm.Policy(epsilon=50, unit="who", cap=1), ledger=place / "z.ledger", dataset="d", budget=90)  # fmt: skip
    assert not (place / "z.ledger").exists()
