"""The panel says what remains, and what a place and a zone hold, in dpmap's own numbers and words."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from builders import plugin

INSIDE = plugin.ROOT / "tests" / "plugin" / "inside"


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The demo's release."""
    folder = tmp_path_factory.mktemp("panel") / "demo"
    subprocess.run(
        [sys.executable, "-m", "dpmap", "demo", "--out", folder], check=True, capture_output=True
    )
    return folder


@pytest.fixture(scope="module")
def told(home, path, demo, tmp_path_factory):
    """What the panel said while somebody worked with it."""
    return plugin.inside(
        home, INSIDE / "panel.py", demo, tmp_path_factory.mktemp("scratch"), path=path
    )


def test_without_a_release_the_panel_says_what_to_choose(told):
    """A panel that knows no release says so."""
    assert told["empty"] == "No release is chosen."


def test_a_click_says_what_the_layer_holds(told):
    """A click on a place gives the layer's own estimate with its interval, its cap, and never that there are none."""
    assert len(told["places"]) > 5
    for place in told["places"]:
        assert place["name"] == f"Place {place['place']}"
        assert "capped: each observer_id counts for at most 5" in place["said"]
        if place["told"]:
            assert f"{place['estimate']:.0f} records" in place["said"] or place["estimate"] < 100
            assert "90 % interval: " in place["said"]
        else:
            assert "cannot be told" in place["said"] and "at most" in place["said"]
        assert "there are none" not in place["said"] and "On the map: " in place["said"]


def test_a_click_outside_does_not_say_that_nothing_is_there(told):
    """Outside the map nothing is told, and that is all that is said; Enter asks the middle of the map."""
    assert "does not mean that nothing is there" in told["outside"]
    assert told["middle"].startswith("Place ")


def test_a_drawn_zone_is_answered_by_dpmap(told):
    """The panel's words are dpmap's numbers; the zone is kept as a layer with its answer, a point that was taken back left out."""
    answer, said = told["zone"]["told"]["zones"][0], told["zone"]["said"]
    assert f"{answer['estimate']:,.0f} records" in said
    assert f"90 % interval: {answer['low']:,.0f} to {answer['high']:,.0f}" in said
    assert answer["note"] in said
    assert told["zone"]["told"]["provenance"] in told["zone"]["provenance"]
    assert told["kept"]["estimate"] == answer["estimate"]
    assert told["kept"]["area"] == pytest.approx(told["kept"]["drawn"])
    assert told["escaped"] == 0


def test_zones_that_cannot_be_told_are_said_in_dpmaps_words(told):
    """A zone outside, a tiny one and one that crosses itself get dpmap's own note."""
    assert "outside the map" in told["zones"]["outside"]
    assert "smaller than one cell" in told["zones"]["tiny"]
    assert "crosses itself" in told["zones"]["crossing"]


def test_the_promise_and_its_pages_are_at_hand(told):
    """The promise stands in one sentence with who governs it; a page that leads somewhere else is not opened."""
    assert told["promise"].startswith("Nobody's odds about whether any one observer_id took part")
    assert "Authorised by: not declared" in told["promise"]
    assert all(told["pages"].values())
    assert told["stranger"] == ""


def test_what_remains_is_what_the_ledger_says(told, demo):
    """Budget and rest are as `dpmap ledger --json` says; a project remembers only where its ledger is, not by a whole path."""
    ledger = subprocess.run(
        [sys.executable, "-m", "dpmap", "ledger", demo / "demo.ledger", "--json"],
        check=True,
        capture_output=True,
    )
    answer = json.loads(ledger.stdout)
    sums, lines, bar = told["ledger"]
    assert (
        sums
        == f"{answer['remaining']} of {answer['budget']} remains; {answer['spent']} is spent"
        == told["chosen"]
    )
    assert "1 release, epsilon 1 spent" in lines and bar == 333
    assert told["remembered"].endswith("demo.ledger") and not told["remembered"].startswith("/")
    assert "ledger" in told["no ledger"] and "Traceback" not in told["no ledger"]


def test_a_strangers_text_stands_as_it_is_and_nothing_is_cut(told):
    """Every label shows plain text, every button has words, and a dock of 300 pixels cuts nothing."""
    assert told["rich"] == [] and told["unnamed"] == [] and told["beyond"] == 0


def test_all_is_taken_away(told):
    """A layer that is removed and a project that is closed while dpmap is asked leave nothing; nor does the plugin."""
    assert told["forgotten"] == ["", 0]
    assert told["left"] == []


def test_without_dpmap_the_panel_leads_to_the_settings(home, demo):
    """The panel says that dpmap is missing and opens the settings; a click on a place is answered all the same."""
    said = plugin.inside(home, INSIDE / "panel_missing.py", demo)
    assert said["shown"] and "dpmap" in said["said"]
    assert said["opened"] == ["dpmapOptions"]
    assert "capped" in said["place"]


SURVEY = [plugin.ROOT / "data_samples" / "raptors.csv", "--area", plugin.ROOT / "data_samples" / "study_area.gpkg", "--unit", "observer_id", "--cap", "5"]  # fmt: skip
HOSTILE = '<b>Nests</b> <a href="x">[% 1+1 %]</a> ' + "x" * 60


@pytest.fixture(scope="module")
def run(path):
    """Runs the command line and returns what it printed."""

    def done(*words):
        told = subprocess.run(
            [Path(path) / "dpmap", *map(str, words)], check=True, capture_output=True, text=True
        )
        return told.stdout

    return done


@pytest.fixture(scope="module")
def releases(run, demo, tmp_path_factory):
    """A folder of releases of each kind."""
    folder = tmp_path_factory.mktemp("kinds")
    (folder / "demo").symlink_to(demo)
    for name, *words in (
        ("codes", "--grid", "eea-10km", "--epsilon", "1"),
        ("sparse", "--cell", "20 km", "--epsilon", "0.5", "--strategy", "sparse:20"),
        (
            "means",
            "--cell",
            "40 km",
            "--epsilon",
            "1",
            "--mean",
            "comfort",
            "--between",
            "1,5",
            "--strategy",
            "flat",
        ),
        ("tiers", "--cell", "20 km", "--tier", "public=0.2", "--tier", "partners=1"),
        ("one", "--cell", "20 km", "--epsilon", "1/4"),
        ("two", "--cell", "20 km", "--epsilon", "1/4"),
    ):
        ledger = folder / f"{name}.ledger"
        run(
            "release",
            *SURVEY,
            *words,
            "--dataset",
            name,
            "--budget",
            "3",
            "--ledger",
            ledger,
            "--out",
            folder / name,
        )
    run(
        "merge",
        folder / "one" / "release.dpmap",
        folder / "two" / "release.dpmap",
        "--out",
        folder / "merged",
    )
    ledger = folder / "seasons.ledger"
    run("ledger", ledger, "--plan", "3", "--total", "1.5")
    run(
        "release", *SURVEY, "--cell", "20 km", "--epsilon", "next", "--times", "date=2025,2026,2027", "--dataset", HOSTILE, "--authorised-by", HOSTILE,
        "--ledger", ledger, "--out", folder / "seasons",
    )  # fmt: skip
    return folder


@pytest.fixture(scope="module")
def worked(home, path, releases, tmp_path_factory):
    """What the panel said in harder hands."""
    return plugin.inside(
        home, INSIDE / "panel_worked.py", releases, tmp_path_factory.mktemp("harder"), path=path
    )


def test_switched_off_and_on_nothing_is_there_twice(worked):
    """The plugin reloader leaves no menu, button, key, page, tool or provider behind, and none twice."""
    assert worked["off"] == [[], 0, True] and worked["twice"] == [True, True]
    assert all(more <= 0 for more in worked["doubled"])
    assert not [keys for keys in worked["keys"] if "Alt" in keys]
    assert worked["stays closed"] and worked["opens again"]


def test_the_keys_are_those_that_are_written_down(worked):
    """The page about QGIS and the changelog name the panel's keys as they are."""
    for page in (plugin.ROOT / "docs" / "qgis.md", plugin.ROOT / "CHANGELOG.md"):
        assert [keys for keys in worked["keys"] if keys not in page.read_text("utf-8")] == []


@pytest.mark.parametrize("kind", ["codes", "means", "merged", "tiers/public", "seasons/02-2026"])
def test_each_kind_of_release_is_told_by_its_own_numbers(worked, kind):
    """A click says the layer's numbers or that it cannot be told, never that there are none; and what is counted is capped."""
    told = worked["kinds"][kind]
    assert told["promise"].startswith("Nobody's odds"), told["promise"]
    for click in told["clicks"]:
        values, said = click["values"], click["said"]
        assert (
            click["name"] == f"Cell {values['cell']}"
            and "capped" in said
            and said.endswith("Layer: cells")
        )
        sure = values.get("distinguishable", values.get("answered"))
        assert (
            "90 % interval: " in said
            if sure
            else "not distinguishable from none" in said or "cannot be told" in said
        )
        if kind == "codes":
            assert f"Code: {values['eeaCellCode']}" in said
        if sure and kind != "means" and values["estimate"] >= 100:
            assert said.startswith(f"{values['estimate']:,.0f} records")
        assert "there are none" not in said


def test_a_zone_of_any_crs_is_what_a_second_run_answers(worked, releases, tmp_path, run):
    """The same square, in CRSs that write east or north first, gets the answer that `dpmap ask` gives to a file of it."""
    square = [[[-1.9, 40.4], [-1.6, 40.4], [-1.6, 40.6], [-1.9, 40.6], [-1.9, 40.4]]]
    zone = {
        "type": "Feature",
        "properties": {},
        "geometry": {"type": "Polygon", "coordinates": square},
    }
    file = tmp_path / "zone.geojson"
    file.write_text(json.dumps({"type": "FeatureCollection", "features": [zone]}), encoding="utf-8")
    answer = json.loads(run("ask", "--json", releases / "codes" / "release.dpmap", file))["zones"][
        0
    ]
    for crs, said in worked["square"].items():
        assert said, crs
        for name in ("estimate", "low", "high", "area_km2"):
            assert said[name] == pytest.approx(answer[name], rel=0.01), (crs, name)
    assert (
        f"{answer['estimate']:,.0f} records" in worked["selected"][0]
        and "Zone 2\noutside the map" in worked["selected"][0]
    )


def test_a_click_answers_for_what_is_seen(worked):
    """The season that the time slider shows is asked, a hidden layer is not, and the layer is named; a turned map answers where the mouse is."""
    assert worked["chosen season"] == "Layer: 2026" and worked["drawn season"] == [
        "Layer: 2025",
        "2025",
    ]
    assert (
        worked["hidden"] == "Layer: 2025"
        and worked["all hidden"] == "No layer that can be asked is shown."
    )
    assert worked["turned click"][0] == worked["turned click"][1] and 0.2 < worked["turned"] < 0.95
    assert worked["stays"] == "codes"


def test_a_picture_alone_is_said_to_be_one(worked):
    """A sparse release's map.tif leads to its promise; a place of it cannot be asked, what is shown of it can."""
    assert (
        "A picture alone cannot be asked" in worked["picture"][0]
        and worked["picture"][1] == "sparse"
    )
    assert "records" in worked["sparse"] and "below 20" in worked["sparse"]


def test_a_hostile_release_adds_no_line_of_its_own(worked):
    """Marks stand as they are, a line break in a name begins no new line, and nothing widens the dock."""
    told = worked["kinds"]["seasons/02-2026"]
    assert told["release"] == f"{HOSTILE}, 2026" and f"Authorised by: {HOSTILE}" in told["promise"]
    assert worked["rich"] == [] and worked["beyond"] == 0
    assert worked["expired"][0] == "Nests Authorised by: X" and worked["expired"][1].startswith(
        "Expired: "
    )


def test_the_steward_sees_the_plan_and_which_ledger_is_gone(worked):
    """A plan is told, a merged map names no ledger as its own, and a ledger that is gone is said to be."""
    assert (
        "The plan: 1.5 for 3 releases, 0.5 of it used"
        in worked["kinds"]["seasons/02-2026"]["ledger"][1]
    )
    assert worked["kinds"]["tiers/public"]["ledger"][0] == "2 of 3 remains; 1 is spent"
    assert worked["kinds"]["merged"]["ledger"][0].startswith(
        "No ledger that was asked beside the release paid for it"
    )
    assert "there is no file gone.ledger" in worked["gone"]


def test_the_keyboard_reaches_all_and_takes_no_letter_of_the_menus(worked):
    """Tab walks the panel from top to bottom and reaches each button and each answer; screen readers hear what is shown."""
    assert (
        worked["ordered"]
        and worked["missed"] == []
        and worked["silent"] == []
        and worked["letters"] == []
    )


def test_buttons_lead_to_algorithms_layouts_and_the_settings_page(worked):
    """Each algorithm's dialog opens, a layer without a promise says so beside the promise, and the settings open at dpmap's page."""
    assert worked["dialogs"][0] == "dpmap:privateheatmap" and len(worked["dialogs"]) > 8
    assert (
        worked["no layout"].startswith("This layer is not one of dpmap's")
        and "Nobody's odds" in worked["no layout"]
    )
    assert worked["page"][0] == worked["page"][1] == worked["opened"]
