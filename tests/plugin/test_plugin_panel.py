"""The panel says what remains, and what a place and a zone hold, in dpmap's own numbers and words."""

import json
import subprocess
import sys

import pytest
from builders import plugin

INSIDE = plugin.ROOT / "tests" / "plugin" / "inside"


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The demo's release."""
    folder = tmp_path_factory.mktemp("panel") / "demo"
    subprocess.run([sys.executable, "-m", "dpmap", "demo", "--out", folder], check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def told(home, path, demo, tmp_path_factory):
    """What the panel said while somebody worked with it."""
    return plugin.inside(home, INSIDE / "panel.py", demo, tmp_path_factory.mktemp("scratch"), path=path)


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
        [sys.executable, "-m", "dpmap", "ledger", demo / "demo.ledger", "--json"], check=True, capture_output=True
    )
    answer = json.loads(ledger.stdout)
    sums, lines, bar = told["ledger"]
    assert sums == f"{answer['remaining']} of {answer['budget']} remains; {answer['spent']} is spent" == told["chosen"]
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
