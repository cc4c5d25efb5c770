"""A release in QGIS looks as its picture does, says what it promises, and shows its seasons one by one."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from builders import plugin
from PIL import Image

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).parent / "inside" / "shown.py"
SAMPLES = ROOT / "data_samples"
HOSTILE = "<b>Nests</b> [% 1+1 %] \N{ARABIC LETTER ALEF}" + "x" * 60


def command(*words):
    """Runs the command line and returns what it prints."""
    return subprocess.run(
        [sys.executable, "-m", "dpmap", *map(str, words)],
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def shown(home, folder, release):
    """Shows a release in QGIS, its pictures in the folder."""
    folder.mkdir(exist_ok=True)
    told = folder / "told.json"
    told.write_text(command("about", "--json", release), encoding="utf-8")
    return plugin.inside(home, SCRIPT, release, told, folder)


def colours(path):
    """The colours of a picture, as QGIS names them."""
    with Image.open(path) as picture:
        return {
            "#{:02x}{:02x}{:02x}".format(*one)
            for _, one in picture.convert("RGB").getcolors(1 << 24)
        }


@pytest.fixture(scope="module")
def one(home, tmp_path_factory):
    """A single map, shown."""
    folder = tmp_path_factory.mktemp("one")
    command("demo", "--out", folder / "demo")
    return folder, shown(home, folder / "seen", folder / "demo" / "release.dpmap")


@pytest.fixture(scope="module")
def seasons(home, tmp_path_factory):
    """A map of two years with a hostile name, shown."""
    folder = tmp_path_factory.mktemp("seasons")
    command(
        "release", SAMPLES / "raptors.csv", "--area", SAMPLES / "study_area.gpkg", "--cell", "20 km", "--unit", "observer_id", "--epsilon", "1",
        "--cap", "5", "--times", "date=2025,2026,2027", "--dataset", HOSTILE, "--budget", "3", "--ledger", folder / "a.ledger",
        "--authorised-by", HOSTILE, "--purpose", HOSTILE, "--out", folder / "out",
    )  # fmt: skip
    return folder, shown(home, folder / "seen", folder / "out" / "release.dpmap")


def test_places_arrive_styled_and_are_the_one_truth_that_is_drawn(one):
    """Places lie on top with classes, hatch, labels and tips; cells and raster wait unticked in the data set's group."""
    _, told = one
    places, *others = told["layers"]
    assert (
        places["carried"]["shows"] == "patches"
        and places["ticked"]
        and not any(other["ticked"] for other in others)
    )
    assert (
        places["legend"][-1][0] == "not told"
        and "per" in places["legend"][0][0]
        and places["labelled"]
        and places["tip"]
    )
    assert {layer["group"] for layer in told["layers"]} == {"Invented raptor survey"}


def test_metadata_and_variables_hold_the_statement(one):
    """The promise, the whole statement and links to its files stand in the metadata; the panel finds the release."""
    folder, told = one
    places = told["layers"][0]
    assert "What it does not protect" in places["abstract"] and places["carried"][
        "promise"
    ].startswith("Nobody")
    assert places["release"] == str(folder / "demo" / "release.dpmap")
    assert [link.rsplit("/")[-1] for link in places["links"]] == [
        "statement.md",
        "attestation.html",
        "release.dpmap",
    ]


def test_the_map_is_drawn_in_the_legends_colours(one):
    """Each class of the demo that QGIS draws has a colour of the legend, and more than one is seen."""
    folder, told = one
    seen = colours(folder / "seen" / "season0.png") & set(told["layers"][0]["colours"])
    assert len(seen) >= 3


def test_a_sheet_holds_map_legend_and_promise(one):
    """Both sheets are written as PDF and picture, say the promise whole, and show the map's colours."""
    folder, told = one
    for name, sheet in told["sheets"].items():
        assert sheet["written"] == [True, True]
        assert sheet["said"]["promise"] == told["layers"][0]["carried"]["promise"]
        assert (
            "statement.md" in sheet["said"]["source"]
            and "\N{PLUS-MINUS SIGN}" in sheet["said"]["in_short"]
        )
        assert (
            len(colours(folder / "seen" / f"{name}.png") & set(told["layers"][0]["colours"])) >= 3
        )
        assert (folder / "seen" / f"{name}.pdf").read_bytes().startswith(b"%PDF")


def test_layers_that_processing_loads_are_dressed_the_same(one):
    """What Processing loads at the end of an algorithm has the release's style, name, group and metadata."""
    _, told = one
    ours, theirs = told["layers"][0], told["processing"]["layer"]
    assert all(
        ours[name] == theirs[name]
        for name in ("name", "legend", "colours", "carried", "abstract", "links", "group")
    )


def test_seasons_follow_the_slider_in_one_scale(seasons):
    """Each season is seen in its days only, in classes that all share; the slider begins with the first."""
    folder, told = seasons
    places = [layer for layer in told["layers"] if layer["carried"]["shows"] == "patches"]
    assert [layer["days"] for layer in places] == [
        ["2025-01-01", "2025-12-31"],
        ["2026-01-01", "2026-12-31"],
    ]
    assert (
        places[0]["legend"] == places[1]["legend"] and places[0]["colours"] == places[1]["colours"]
    )
    assert told["span"] == ["2025-01-01", "2026-12-31"]
    assert told["steps"] == [[layer["name"]] for layer in places], (
        "each step of the slider shows one season"
    )
    first, second = (Image.open(folder / "seen" / f"season{at}.png").tobytes() for at in (0, 1))
    assert first != second


def test_kinds_and_seasons_arrive_in_order_and_none_lies_unseen_over_another(home, tmp_path):
    """Processing loads layers by their names: places still lie above cells, and only the first kind is ticked in each season."""
    command(
        "release", SAMPLES / "raptors.csv", "--area", SAMPLES / "study_area.gpkg", "--cell", "20 km", "--unit", "observer_id", "--epsilon", "1",
        "--cap", "5", "--times", "date=2025-03,2025-12,2026-12", "--kinds", "species=Ember Kite,Grey Falcon", "--dataset", "Two", "--budget", "3",
        "--ledger", tmp_path / "a.ledger", "--out", tmp_path / "out",
    )  # fmt: skip
    told = shown(home, tmp_path / "seen", tmp_path / "out" / "release.dpmap")
    listed = told["processing"]["listed"]
    assert [name.rsplit(": ")[-1] for name, _ in listed] == ["Places", "Cells"] * 4
    assert [name for name, ticked in listed if ticked] == [
        name for name, _ in listed[:4] if name.endswith("Places")
    ]
    assert listed == [
        [one["name"], one["ticked"]]
        for one in told["layers"]
        if one["carried"]["shows"] != "raster"
    ]
    seven, after = (
        told["steps"][:7],
        told["steps"][7:],
    )  # QGIS takes a month for 30 days when it counts the steps: one may follow the end
    assert all(
        len(names) == 2 and names[0].split(", ")[1] == names[1].split(", ")[1] for names in seven
    )
    assert not any(after) and {names[0] for names in seven} == {
        name for name, ticked in listed if ticked
    }


def test_a_hostile_name_is_shown_as_it_stands(seasons):
    """Marks of HTML are escaped in the metadata, and `[% %]` is never worked out, on no sheet and in no name."""
    _, told = seasons
    assert (
        "<b>Nests" not in told["html"].replace("&lt;", "")
        and "&lt;b&gt;Nests" in told["layers"][0]["title"]
    )
    texts = [
        told["sheets"]["landscape"]["said"][name].replace("\u200b", "")
        for name in ("title", "governance")
    ]
    assert all("<b>Nests</b> [% 1+1 %]" in text for text in texts)
    assert all(
        "[%" not in layer["name"] + layer["group"] + layer["title"] + layer["abstract"]
        for layer in told["layers"]
    )


def test_the_algorithm_writes_a_sheet(home, path, one, tmp_path):
    """qgis_process makes PDF and picture from a release alone."""
    folder, _ = one
    done = plugin.process(
        home, "dpmap:layout", path, RELEASE=str(folder / "demo" / "release.dpmap"), SHEET="1", PDF=str(tmp_path / "a b.pdf"), PNG=str(tmp_path / "a.png")
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert (
        json.loads(done.stdout)["results"]["PDF"].endswith("a b.pdf")
        and (tmp_path / "a b.pdf").stat().st_size > 5000
    )
