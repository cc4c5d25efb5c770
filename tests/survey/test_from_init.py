"""From `init`'s own words alone: inspect, init, fill in what it names, type what it prints; every format is released as it is read."""

import json
import os
import shlex

import geopandas as gpd
import pytest
import shapely
from fixtures import FIXTURES
from variants import VARIANTS

import dpmap as dm
from dpmap.cli import run
from dpmap.cli.reading_flags import ReadingFlags
from dpmap.releases.release import Release

DEEP = os.environ.get("DPMAP_DEEP") == "1"
EVERY = [
    *FIXTURES,
    *VARIANTS[:: 1 if DEEP else 4],
]  # how each other variant is read is seen in test_formats.py
ANSWERS = {
    "epsilon": "1",
    "cap": "3",
    "dataset": "Nests",
    "budget": "2",
    "area": "area.gpkg",
    "cell": "5 deg",
}


@pytest.fixture
def opened(monkeypatch):
    """The surveys that the commands open, in order; the maps beside a release are not at stake here."""
    seen, plain = [], ReadingFlags.opened

    def watched(self, *args, **named):
        seen.append(plain(self, *args, **named))
        return seen[-1]

    monkeypatch.setattr(ReadingFlags, "opened", watched)

    def stub(self, path):
        path.write_bytes(b"stub")
        return [path]

    monkeypatch.setattr(Release, "write", stub)
    return seen


@pytest.mark.matrix(15)
@pytest.mark.parametrize("fixture", EVERY, ids=lambda f: f.key)
def test_every_format_is_released_from_the_words_of_init(
    fixture, tmp_path, monkeypatch, capsys, opened
):
    """What `init` writes, names as missing and prints to type is enough, and release reads what inspect showed."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    path = fixture.make(tmp_path / "in").relative_to(tmp_path)
    gpd.GeoSeries([shapely.box(-20, -60, 155, 60)], crs="EPSG:4326").to_file("area.gpkg")
    looked = json.loads(said(capsys, "inspect", str(path), "--json"))
    made = json.loads(said(capsys, "init", str(path), "--json"))
    answers = ANSWERS | {"unit": fixture.read.get("unit") or "row"}
    (toml,) = made["wrote"]
    with open(toml, "a", encoding="utf-8") as file:
        file.writelines(f"{key} = {json.dumps(answers[key])}\n" for key in made["fill_in"])
    said(capsys, *shlex.split(made["then"])[1:])
    assert next(tmp_path.rglob("release.dpmap"))
    found = dm.inspect(opened[-1])
    assert (found.rows, found.usable) == (looked["rows"], fixture.usable)


def said(capsys, *words):
    """What a command prints, which must end well and without a word on stderr."""
    capsys.readouterr()
    code = run(list(words))
    told = capsys.readouterr()
    assert (code, told.err) == (0, "")
    return told.out
