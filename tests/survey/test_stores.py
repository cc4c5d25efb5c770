"""Public files come from stores and results go into them; a store that takes nothing costs nothing."""

import json
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import geopandas
import numpy as np
import pytest
import rasterio
import shapely
from builders import surveys
from servers import Handler, serving

import dpmap as dm
from dpmap.cli import run
from dpmap.errors import BadInput, SystemFailed
from dpmap.releases.release import Release

WORDS = ["--cell", "20 km", "--unit", "who", "--cap", "3", "--dataset", "d", "--budget", "9"]
WORDS += ["--epsilon", "1"]


@dataclass
class Place:
    """A working folder with a survey, and a store that holds public files."""

    here: Path
    bucket: Path
    host: str
    server: type[Handler]

    def url(self, key: str) -> str:
        return f"s3://bucket/{key}?endpoint_override={self.host}&scheme=http"

    def release(self, out: str, *words: str) -> int:
        area = self.url("public/area.gpkg")
        return run(["release", "s.csv", "--area", area, *WORDS, "--out", out, *words])

    def spent(self) -> int:
        book = self.here / "dpmap.ledger"
        return int(dm.Ledger(book).balance()[1]) if book.exists() else 0

    def stored(self) -> list[str]:
        """The objects of the store below out/."""
        out = self.bucket / "out"
        return sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file())

    def left(self) -> list[Path]:
        """The folders that stand in the working folder."""
        return [path for path in self.here.iterdir() if path.is_dir()]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    for name, value in (("AWS_ACCESS_KEY_ID", "AKIACANARYKEY"), ("AWS_SECRET_ACCESS_KEY", "canarysecret"),
                        ("AWS_EC2_METADATA_DISABLED", "true"), ("AWS_REGION", "eu-west-9")):  # fmt: skip
        monkeypatch.setenv(name, value)
    here = tmp_path / "here"
    public = tmp_path / "served" / "bucket" / "public"
    here.mkdir()
    public.mkdir(parents=True)
    monkeypatch.chdir(here)
    surveys.written(here, surveys.scattered(300, people=50), name="s.csv")
    square = geopandas.GeoDataFrame({"people": [9.0]}, geometry=[shapely.box(0, 50, 1, 51)], crs="EPSG:4326")  # fmt: skip
    square.to_file(public / "area.gpkg")
    square.to_file(public / "shapes.shp")
    with rasterio.open(public / "effort.tif", "w", driver="GTiff", width=4, height=4, count=1, dtype="float64",
                       crs="EPSG:4326", transform=rasterio.Affine(0.25, 0, 0, 0, -0.25, 51)) as raster:  # fmt: skip
        raster.write(np.ones((1, 4, 4)))
    with serving(tmp_path / "served") as (host, server):
        yield Place(here, public.parent, host, server)


@pytest.fixture
def stubs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each file beside release.dpmap only a stub is written."""
    monkeypatch.setattr(Release, "write", lambda made, path: (path.write_bytes(b"stub"), [path])[1])


@pytest.mark.usefixtures("stubs")
def test_a_release_goes_into_a_store_and_is_used_from_there(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--area`, `--prior` and `--out` name a store; `draw`, `export`, `ask` and `dm.open` read it and write to it."""
    assert (
        place.release(place.url("out/raptors"), "--prior", place.url("public/effort.tif"), "--json")
        == 0
    )
    answer = json.loads(capsys.readouterr().out)
    assert "s3://bucket/out/raptors/release.dpmap" in answer["wrote"]
    assert all(
        f"raptors/{name}" in place.stored()
        for name in ("release.dpmap", "map.html", "metadata/datacite.json")
    )
    assert place.spent() == 1 and not place.left()
    release = place.url("out/raptors/release.dpmap")
    assert dm.open(release).record.priors[0].name == "effort.tif"
    zones = place.url("public/area.gpkg")
    per = place.url("public/area.gpkg:people")
    for words in (
        ["draw", release, "--to", place.url("out/again.png"), "--per", per],
        ["export", release, "--to", place.url("out/cells.gpkg")],
        ["ask", release, zones, "--per", place.url("public/effort.tif"), "--out", place.url("out/zones.csv")],
        ["draw", release, "--to", place.url("out/for-the-planner.html"), "--zones", zones],
    ):  # fmt: skip
        assert run(words) == 0
        assert (
            f"wrote {words[words.index('--to' if '--to' in words else '--out') + 1].partition('?')[0]}"
            in capsys.readouterr().out
        )
    local = Release.open(place.bucket / "out/raptors/release.dpmap")
    assert local.export(place.url("out/c.csv"))[0].name == "c.csv"
    local.draw(place.url("out/d.svg"))
    local.save(place.url("out/e.dpmap"))
    for name in (
        "again.png",
        "cells.gpkg",
        "zones.csv",
        "for-the-planner.html",
        "c.csv",
        "d.svg",
        "e.dpmap",
    ):
        assert (place.bucket / "out" / name).stat().st_size > 200
    assert (
        geopandas.read_file(place.bucket / "out/cells.gpkg", layer="cells").shape[0]
        == local.grid.cells_inside
    )
    assert not place.left()


@pytest.mark.usefixtures("stubs")
@pytest.mark.parametrize(
    ("out", "code"),
    [("ftp://example.org/x", 2), ("s4://bucket/x", 2), ("https://example.org/x", 2), ("s3://ana:pw@bucket/x", 2),
     ("s3://bucket", 2), ("none", 2), ("unwritable", 1)],
)  # fmt: skip
def test_a_store_that_takes_nothing_costs_nothing(
    place: Place, out: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unknown scheme, a password, no bucket, no right to write: one line, nothing spent, and no folder `s3:`."""
    if out == "none":
        out = place.url("x").replace("bucket/", "nobucket/")
    if out == "unwritable":
        place.server.fault["unwritable"] = 1
        out = place.url("out/raptors")
    assert place.release(out) == code
    line = capsys.readouterr().err
    assert line.count("\n") == 1 and "--out" in line and "pw" not in line and "canary" not in line
    assert place.spent() == 0 and not place.left() and not place.stored()


@pytest.mark.usefixtures("stubs")
def test_what_cannot_be_put_stays_here_and_is_put_again(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    """A put that fails after the draw leaves the whole folder beside the ledger; the line says what to type, and that costs nothing."""
    place.server.fault["unwritable_name"] = "map.png"
    assert place.release(place.url("out/raptors")) == 1
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    assert place.spent() == 1 and "raptors/release.dpmap" in place.stored()
    (folder,) = place.left()
    assert str(folder) in line and (folder / "raptors/map.png").exists()
    place.server.fault.clear()
    command = shlex.split(line.partition("type  dpmap ")[2].partition("  to put")[0])
    assert run(command) == 0
    assert "raptors/map.png" in place.stored() and place.spent() == 1


@pytest.mark.usefixtures("stubs")
def test_a_release_of_a_store_is_resumed_and_never_replaced(place: Place) -> None:
    """A folder of a store that holds a release is refused; --resume makes what is missing in it, under the same promise only."""
    out = place.url("out/raptors")
    assert place.release(out) == 0
    saved = (place.bucket / "out/raptors/release.dpmap").read_bytes()
    (place.bucket / "out/raptors/map.png").unlink()
    assert place.release(out) == 2
    assert place.release(out, "--resume", "--epsilon", "2") in (2, 3)
    assert "raptors/map.png" not in place.stored()
    assert place.release(out, "--resume") == 0
    assert "raptors/map.png" in place.stored() and place.spent() == 1 and not place.left()
    assert (place.bucket / "out/raptors/release.dpmap").read_bytes() == saved


def test_python_saves_into_a_store_or_beside_the_ledger(place: Place, tmp_path: Path) -> None:
    """`dm.release(..., to=)` tries the store first; where it fails after the draw, the release is whole beside the ledger."""
    rows = surveys.survey(place.here, surveys.scattered(50))
    with pytest.raises(BadInput):
        surveys.released(rows, place.here, to=place.url("x").replace("bucket/", "nobucket/"))
    assert not (place.here / "x.ledger").exists()
    made = surveys.released(rows, place.here, to=place.url("out/r.dpmap"))
    assert (dm.open(place.url("out/r.dpmap")).estimate == made.estimate).all()
    with pytest.raises(BadInput):
        surveys.released(rows, place.here, to=place.url("out/r.dpmap"))
    place.server.fault["unwritable_name"] = "s.dpmap"
    with pytest.raises(SystemFailed):
        surveys.released(rows, place.here, to=place.url("out/s.dpmap"))
    (saved,) = place.here.glob("*/release.dpmap")
    assert dm.open(saved).record.receipt.spent == 2


def test_a_public_file_of_a_store_is_one_whole_file(place: Place, tmp_path: Path) -> None:
    """A missing file, a shapefile's parts and an unknown scheme are one line; over https a file is read as well."""
    for url in (
        place.url("public/none.gpkg"),
        place.url("public/shapes.shp"),
        "ftp://example.org/area.gpkg",
        "s3://bucket",
    ):
        with pytest.raises(BadInput):
            dm.Grid.covering(url, cell="20 km")
    page = f"http://{place.host}/bucket/public/area.gpkg"
    local = dm.Grid.covering(place.bucket / "public/area.gpkg", cell="20 km")
    assert (dm.Grid.covering(page, cell="20 km").inside == local.inside).all()


def test_the_survey_is_no_public_file_of_a_store(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    """The address of the survey itself as --prior or --context is refused before anything is read."""
    surveys.written(place.bucket, surveys.scattered(300, people=50), name="s.csv")
    survey = place.url("s.csv")
    for flag in ("--prior", "--context"):
        words = ["release", survey, "--bounds", "0,50,1,51", "--shape", "4,5", "--ledger", "l"]
        assert run([*words, *WORDS[2:], "--out", "o", flag, survey]) == 2
        assert f"{flag}: s.csv is the survey itself" in capsys.readouterr().err
    assert not Path("l").exists()


@pytest.mark.usefixtures("stubs")
def test_tiers_go_into_a_store(place: Place) -> None:
    """Each reader's folder lies below the one that is named."""
    words = ["release", "s.csv", "--area", place.url("public/area.gpkg"), *WORDS[:-2]]
    tiers = ["--tier", "public=0.5", "--tier", "manager=1"]
    assert run([*words, *tiers, "--out", place.url("out/t")]) == 0
    assert {"t/public/release.dpmap", "t/manager/map.png"} <= set(place.stored())
    assert place.spent() == 1 and not place.left()


def test_of_two_releases_for_one_folder_none_is_lost(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A release that came into the store meanwhile stays there, and the later one stays here."""
    other = place.bucket / "out/raptors/release.dpmap"

    def come(made: Release, path: Path) -> list[Path]:
        other.parent.mkdir(parents=True, exist_ok=True)
        other.write_bytes(b"another")
        path.write_bytes(b"stub")
        return [path]

    monkeypatch.setattr(Release, "write", come)
    assert place.release(place.url("out/raptors")) == 1
    (folder,) = place.left()
    assert str(folder) in capsys.readouterr().err
    assert (folder / "raptors/release.dpmap").stat().st_size > 100
    assert other.read_bytes() == b"another"


@pytest.mark.usefixtures("stubs")
def test_a_scheduler_ensures_a_release_in_a_store(place: Place) -> None:
    """What is in the store is not made again, what did not arrive is put there, and what is lost is not paid for twice."""
    out = place.url("out/raptors")

    def ensure(*words: str) -> int:
        area = place.url("public/area.gpkg")
        return run(["ensure", "s.csv", "--area", area, *WORDS, "--out", out, *words])

    place.server.fault["unwritable_name"] = "release.dpmap"
    assert ensure() == 1 and place.spent() == 1
    place.server.fault.clear()
    assert ensure() == 0 and place.spent() == 1
    saved = (place.bucket / "out/raptors/release.dpmap").read_bytes()
    assert ensure() == 0 and ensure("--limiter", "sample") == 3
    assert (place.bucket / "out/raptors/release.dpmap").read_bytes() == saved
    (place.bucket / "out/raptors").rename(place.bucket / "elsewhere")
    for folder in place.left():
        shutil.rmtree(folder)
    assert ensure() == 3 and place.spent() == 1


def test_python_ensures_a_release_in_a_store(place: Place) -> None:
    """A notebook that is run again gets the release that is in the store."""
    rows = dm.read("s.csv")
    grid = dm.Grid(bounds=(0, 50, 1, 51), shape=(8, 10), crs="EPSG:4326")
    policy = dm.Policy(epsilon=1, unit="who", cap=3)
    paid = {"ledger": "b.ledger", "dataset": "d", "budget": 9, "to": place.url("out/r.dpmap")}
    first, again = (dm.ensure(rows, grid, policy, **paid) for _ in range(2))
    assert first.record.receipt.release_id == again.record.receipt.release_id
