"""The page that randomises in a browser: the same reports as Python's, nothing asked for, usable by everyone."""

import json
from pathlib import Path

import pytest
from builders.pages import Watch, axe_faults, launched

from dpmap.grid import Grid
from dpmap.local import pages
from dpmap.local.pages import page, write_page
from dpmap.local.questions import ask
from dpmap.local.reports import aggregate

VECTORS = json.loads(Path(__file__).with_name("vectors.json").read_text("utf-8"))
SAMPLES = Path(__file__).parents[2] / "data_samples"
HOSTILE = (
    "</script><script>window.pwned=1</script><img src=x onerror=window.pwned=1>QUESTION SCRIPT"
)


@pytest.fixture(scope="module")
def browser():
    with launched() as found:
        yield found


def squares():
    return ask(
        Grid.covering(SAMPLES / "study_area.gpkg", cell="10 km"),
        "2",
        title="Raptors, spring",
        text="Where?",
    )


@pytest.fixture
def opened(browser, tmp_path):
    """A function from a question to its page, opened on a narrow screen."""
    watches = []

    def open_page(question):
        write_page(question, tmp_path / "report.html")
        watches.append(Watch(browser, 400, 800))
        return watches[-1], watches[-1].open(tmp_path / "report.html")

    yield open_page
    for watch in watches:
        assert not watch.complaints
        assert not watch.outside
        watch.close()


def test_the_page_is_small_and_whole():
    """It is one file of under 30 kB, question and all, that names no address and forbids every connection."""
    text = page(squares())
    assert len(text.encode()) < 30_000
    assert "connect-src 'none'" in text.split("<title>")[0]
    assert "http" not in text.replace("http-equiv", "")
    assert "Math.random" not in text


def test_python_and_the_browser_make_the_same_reports(opened):
    """Given the same bytes instead of entropy, the page's code writes every report of the shared vectors."""
    _, shown = opened(squares())
    script = """(vectors) => vectors.map(({ stream, cell, ...question }) =>
        dpmapLocal.report(cell, question, new Uint8Array((stream.match(/../g)).map((pair) => parseInt(pair, 16)))))"""
    assert shown.evaluate(script, VECTORS) == [vector["report"] for vector in VECTORS]


def test_python_and_the_browser_find_the_same_cells(opened):
    """A longitude and latitude lead to the same cell in both codes."""
    question = squares()
    _, shown = opened(question)
    west, south, east, north = question.places["box"]
    places = [
        [west + (east - west) * i / 20, south + (north - south) * j / 20]
        for i in range(-1, 22)
        for j in range(-1, 22)
    ]
    script = "([places, given]) => given.map(([lon, lat]) => dpmapLocal.locate(lon, lat, places))"
    assert shown.evaluate(script, [question.places, places]) == [
        question.locate(*place) for place in places
    ]


def test_all_randomness_is_the_browsers_own(opened):
    """A report is the function of what crypto.getRandomValues gives and of nothing else, however many bytes it takes."""
    _, shown = opened(squares())
    script = """() => {
        const found = [];
        const real = crypto.getRandomValues.bind(crypto);
        crypto.getRandomValues = (part) => { real(part); found.push(...part); return part; };
        Math.random = () => { throw new Error("not this"); };
        const question = { epsilon: "1", mechanism: "oue", cells: 40000, round: "0".repeat(32) };
        const line = dpmapLocal.randomise(5, question);
        return line === dpmapLocal.report(5, question, new Uint8Array(found)) && found.length === 16 + 4 * 40001;
    }"""
    assert shown.evaluate(script)


def test_a_volunteer_answers_on_the_map(opened):
    """A cell is chosen by pointer, by keys or by coordinates; one line comes out, and is the same when the page is opened again."""
    question = squares()
    watch, shown = opened(question)
    assert shown.is_disabled("#make")
    shown.locator("#map").click(position={"x": 200, "y": 150})
    assert "from the top" in shown.inner_text("#chosen")
    shown.locator("#map").press("ArrowDown")
    shown.fill("#lat", "40,5")
    shown.fill("#lon", "-1.7")
    shown.click("#find")
    row, column = (
        int(word) for word in shown.inner_text("#chosen").replace(",", "").split() if word.isdigit()
    )
    rows = question.places["shape"][1]
    assert grid_number(question, (row - 1) * rows + column - 1) == question.locate(-1.7, 40.5)
    assert not axe_faults(shown)
    shown.click("#make")
    line = shown.input_value("#line")
    assert aggregate([line], question).record.reports.count == 1
    assert not axe_faults(shown)
    again = watch.context.new_page()
    again.goto(shown.url)
    again.wait_for_selector("html[data-ready]")
    assert again.input_value("#line") == line
    assert again.is_hidden("#ask")
    kept = again.evaluate("JSON.stringify(localStorage)")
    assert json.loads(kept) == {f"dpmap {question.round}": line}


def grid_number(question, place):
    """The number of the cell at a place in row order."""
    import base64

    import numpy as np

    inside = np.unpackbits(np.frombuffer(base64.b64decode(question.places["inside"]), np.uint8))
    return int(inside[:place].sum())


def test_names_and_elsewhere_can_be_chosen(opened):
    """Areas are chosen from a list by name, and elsewhere is an answer like any."""
    question = ask(Grid.areas(SAMPLES / "districts.gpkg"), "1", title="Raptors", text="Where?")
    _, shown = opened(question)
    shown.select_option("#name", index=3)
    assert question.places["names"][2] in shown.inner_text("#chosen")
    shown.click("#elsewhere")
    assert "elsewhere" in shown.inner_text("#chosen")
    assert shown.get_attribute("#elsewhere", "aria-pressed") == "true"
    assert not axe_faults(shown)
    shown.evaluate(
        "window.addEventListener('dpmap-report', (event) => { window.told = event.detail; })"
    )
    shown.click("#make")
    assert shown.evaluate("window.told") == shown.input_value("#line")


def test_a_position_outside_the_area_is_said_to_be(opened):
    """A place outside the area chooses nothing."""
    _, shown = opened(squares())
    shown.fill("#lat", "10")
    shown.fill("#lon", "10")
    shown.click("#find")
    assert "outside" in shown.inner_text("#chosen")
    assert shown.is_disabled("#make")


def test_a_hostile_question_runs_nothing(opened):
    """Whatever a question's words and names hold is shown as text."""
    import geopandas as gpd
    import shapely

    areas = gpd.GeoDataFrame(
        {"name": [HOSTILE, "plain"]},
        geometry=[shapely.box(i, 0, i + 1, 1) for i in (0, 1)],
        crs="EPSG:4326",
    )
    _, shown = opened(ask(Grid.areas(areas, name="name"), "1", title=HOSTILE, text=HOSTILE))
    assert shown.inner_text("#title") == HOSTILE
    assert shown.evaluate("window.pwned") is None
    assert "dpmapLocal" in pages.page(squares())


@pytest.mark.parametrize("change", [
    {"epsilon": "50"}, {"epsilon": "x"}, {"cells": 0}, {"cells": 70000}, {"mechanism": "none"}, {"round": "x"},
    {"mechanism": "grr", "cells": 60000, "epsilon": "0.01"},
])  # fmt: skip
def test_the_page_does_not_answer_a_damaged_question(opened, change):
    """A question with numbers that dpmap does not write is not answered by the browser either."""
    _, shown = opened(squares())
    question = {"epsilon": "1", "mechanism": "oue", "cells": 5, "round": "0" * 32, **change}
    script = "(question) => { try { return dpmapLocal.randomise(0, question); } catch (error) { return error instanceof Error; } }"
    assert shown.evaluate(script, question) is True
