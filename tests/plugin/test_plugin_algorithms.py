"""The algorithms in QGIS give what the command line gives, and refuse in its words."""

import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from builders import plugin


def dpmap(*words):
    """What the command line answers."""
    done = subprocess.run(
        [sys.executable, "-m", "dpmap", *map(str, words)],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """The demo's release, copies of the sample layers (QGIS writes into a GeoPackage that it opens) and a folder for answers."""
    top = tmp_path_factory.mktemp("algorithms")
    demo, samples, out = top / "demo", top / "samples", top / "añswers of 1"
    dpmap("demo", "--out", demo)
    shutil.copytree(plugin.ROOT / "data_samples", samples)
    (out / "alone").mkdir(parents=True)
    shutil.copy(demo / "release.dpmap", out / "alone")
    with sqlite3.connect(demo / "cells.gpkg") as stranger:
        stranger.execute(
            "UPDATE layer_styles SET styleQML = replace(styleQML, '<mapTip>', '<mapTip>STRANGER ')"
        )
        assert stranger.total_changes
    (out / "corrupt.dpmap").write_bytes((demo / "release.dpmap").read_bytes()[:3000])
    return demo, samples, out


@pytest.fixture(scope="module")
def ran(home, path, places):
    """What each algorithm gave, in one QGIS."""
    return plugin.inside(
        home, plugin.ROOT / "tests" / "plugin" / "inside" / "algorithms.py", *places, path=path
    )


def numbers(rows):
    """The answers to ten digits: the last bit of a long sum may differ between two processes."""
    return [
        {name: float(f"{one:.10g}") if isinstance(one, float) else one for name, one in row.items()}
        for row in rows
    ]


def test_zones_and_hot_spots_hold_what_the_command_line_answers(ran, places):
    """Totals and intervals are the same numbers, and the layers are written, also where the path has blanks and accents."""
    demo, samples, out = places
    told = json.loads(dpmap("ask", demo / "release.dpmap", samples / "districts.gpkg", "--json"))
    assert numbers(json.loads(ran["ask"]["ANSWER"])["zones"]) == numbers(told["zones"])
    spots = json.loads(dpmap("hotspots", demo / "release.dpmap", "--above", "20", "--json"))
    assert numbers(json.loads(ran["hotspots"]["ANSWER"])["spots"]) == numbers(spots["spots"])
    assert (out / "zones é 1.gpkg").exists() and (out / "spots.gpkg").exists()


def test_zones_arrive_with_their_totals_written_on_them(ran, places):
    """The layer of answers holds its own style: outlines over the map, each with its total and interval, and what pointing at it tells."""
    with closing(sqlite3.connect(places[2] / "zones é 1.gpkg")) as file:
        (qml,) = file.execute(
            "SELECT styleQML FROM layer_styles WHERE f_table_name = 'zones' AND useAsDefault"
        ).fetchone()
    assert (
        'labelsEnabled="1"' in qml
        and "in this zone" in qml
        and "Zones, each with its interval" in qml
    )
    assert (
        ran["shown"]["labelled"]
        and "interval: " in ran["shown"]["tip"]
        and " to " in ran["shown"]["label"]
    )


def test_an_export_is_the_command_lines_file(ran, places):
    """A table written in QGIS has the bytes of the one written by the command line."""
    demo, _, out = places
    dpmap("export", demo / "release.dpmap", "--to", out / "again.csv")
    assert "error" not in ran["export"]
    assert (out / "cells.csv").read_bytes() == (out / "again.csv").read_bytes()


def test_a_plan_gives_its_numbers_and_its_page(ran, places):
    """The numbers are those of the plan, and the page stands where it was asked for."""
    assert (ran["plan"]["EPSILON_FOUND"], ran["plan"]["CELLS"], ran["plan"]["LEFT"]) == (
        "1",
        "97",
        "2",
    )
    assert (places[2] / "plan.html").exists()


def test_a_release_opens_with_its_layers_and_its_promise(ran):
    """Its places, cells, statement and promise are there, whether its layers lie beside it or are made first."""
    for name in ("open", "open_alone"):
        assert ran[name]["PATCHES"].endswith("|layername=patches")
        assert (
            ran[name]["STATEMENT"].startswith("# What this map is")
            and "epsilon 1" in ran[name]["PROMISE"]
        )


def test_a_strangers_layers_beside_a_release_are_never_opened(ran, places):
    """Layers and style are made of release.dpmap, in a folder of their own; a folder with something in it is refused, and a sheet needs no layers."""
    for name in ("open", "open_alone"):
        assert str(places[0]) not in ran[name]["PATCHES"]
        assert "of this place" in ran[name]["tip"] and "STRANGER" not in ran[name]["tip"]
    assert "something in it" in ran["open_again"]["error"]
    assert (places[2] / "sheet.png").exists()


def test_a_ledger_is_read_with_its_events(ran, places):
    """What remains, what each unit has cost and a table of events come out."""
    assert (ran["ledger"]["REMAINING"], ran["ledger"]["UNITS"]) == ("2", "observer_id: 1")
    assert len((places[2] / "events.csv").read_text().splitlines()) == 4


def test_true_numbers_are_shown_after_the_box_is_ticked_only(ran, places):
    """The warning stands first; without the box nothing is read; the file that was asked for is the operator's alone."""
    assert ran["inspect"]["log"].startswith("True numbers of the survey")
    assert "I am the operator" in ran["unseen"]["error"]
    assert [
        (places[2] / name).stat().st_mode & 0o077 for name in ("numbers.json", "numbers.html")
    ] == [0, 0]


def test_what_an_operator_sees_is_a_table_in_words(ran):
    """What was read, what is left out and why, and what each cap takes away stand in the log as sentences, of a file and of rows that are streamed."""
    for name, rows in (("inspect", "20,000 rows"), ("stream", " rows, of which ")):
        assert rows in ran[name]["log"] and "left out, no consent" in ran["inspect"]["log"]
        assert "a cap of 5: " in ran[name]["log"] and "scaled_away" not in ran[name]["log"]


def test_dpmap_is_verified(ran):
    """Where it was found, its version, the oldest that can be used, and each promise that was tried."""
    told = ran["verify"]
    assert (
        told["GOOD"] == "True"
        and told["VERSION"]
        and told["MINIMUM"]
        and told["WHERE"].endswith("dpmap")
    )
    assert "checks passed" in told["SAYS"] and told["log"].count("holds: ") == len(
        json.loads(told["CHECKS"])
    )


@pytest.mark.parametrize(("name", "words"), [
    ("corrupt", "is not a dpmap release, or is damaged"), ("compare", "both maps are of one draw"),
    ("missing", "there is no such file"), ("level", "between 0 and 1"),
])  # fmt: skip
def test_what_cannot_be_done_is_refused_in_one_line(ran, name, words):
    """A corrupt release, one compared with itself, a missing file and an impossible level are each refused, in dpmap's words where it speaks."""
    assert words in ran[name]["error"] and "Traceback" not in ran[name]["error"]


def test_a_cancelled_run_gives_nothing(ran):
    """An algorithm that is cancelled ends with an error and without a result."""
    assert "error" in ran["cancelled"]


def test_each_parameter_is_explained(ran):
    """Every algorithm has a help, and so has each of its parameters."""
    for name, (told, without) in ran["help"].items():
        assert told, name
        assert not without, name
