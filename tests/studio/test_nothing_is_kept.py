"""Secrets planted in every column of a survey leave no trace of the studio: no log, address, history or temporary file holds one."""

import os
import re
import signal
from pathlib import Path

import pytest
from builders.planted import BOUNDS, LAT, LON, SHAPE, WORDS, leaks, search_folder, survey_file
from builders.releasing import Program, confirmed
from builders.studios import SAMPLES
from builders.waiting import LONG, until

from dpmap.studio.folder import short

FLAGS = f"""unit = "who"
cap = 2
bounds = "{BOUNDS}"
shape = "{SHAPE}"
consent = "ok=yes"
strategy = "flat"
epsilon = "1"
budget = "9"
"""


class Watched(Program):
    """A studio of which every address, every header and every temporary file is searched after each request."""

    def __init__(self, folder: Path, own: Path):
        self.own_places = [own / "temporary", own / "home"]
        for place in self.own_places:
            place.mkdir(parents=True)
        temporary, home = map(str, self.own_places)
        super().__init__(
            folder,
            {
                **os.environ,
                "TMPDIR": temporary,
                "HOME": home,
                "XDG_CACHE_HOME": home,
                "XDG_CONFIG_HOME": home,
                "XDG_DATA_HOME": home,
            },
        )
        self.pages = 0

    def ask(self, method, place, body="", headers=None):
        page = super().ask(method, place, body, headers)
        self.pages += 1
        told = "\n".join([place, *(f"{name}: {value}" for name, value in page.headers.items())])
        assert not leaks(told.encode()), place
        title = re.search(r"<title>(.*?)</title>", page.text, re.DOTALL)
        assert title is None or not leaks(title[1].encode())
        self.search()
        return page

    def search(self) -> int:
        return sum(search_folder(place, but=Path("none")) for place in self.own_places)

    def ended(self, how: signal.Signals) -> None:
        """Ends the studio, and searches all that it said and left."""
        self.process.send_signal(how)
        said, wrong = self.process.communicate(timeout=LONG)
        assert not leaks((said + wrong).encode())
        assert wrong == ""
        assert not re.search("GET|POST|INFO|Traceback", said)
        self.search()


def walked(browser: Watched) -> str:
    """Goes through every page of a map, the operator's numbers and what is typed wrong among them; the start of their addresses."""
    place = browser.begin("survey.csv", dataset="Canary")
    (draft,) = browser.folder.glob("*.toml")
    draft.write_text(whole := draft.read_text() + FLAGS)
    for step in ("data", "sure", "confirm"):
        assert browser.get(f"{place}/{step}").status == 200, step
    numbers = browser.finished(browser.post(f"{place}/look"))
    assert "operator" in numbers.text
    for wrong in (
        {"where": f"notes = '{WORDS['notes']}' and ("},
        {"x": WORDS["who"]},
        {"from": WORDS["date"]},
        {"crs": str(LON)},
        {"surprise": str(LAT)},
    ):
        browser.change(f"{place}/data", texts="yes", stay="yes", **wrong)
        browser.get(f"{place}/data")
        draft.write_text(whole)
    browser.post("/begin", {"path": f"{WORDS['who']}.csv", "dataset": "x"})
    browser.post("/map/none/data", {"mark": WORDS["who"]})
    assert browser.get("/brief").status == 200
    return place


DEEP = os.environ.get("DPMAP_DEEP") == "1"


@pytest.mark.parametrize(
    "how", [signal.SIGINT, *([signal.SIGTERM] if DEEP else []), signal.SIGKILL]
)
def test_the_studio_keeps_nothing_of_a_survey(tmp_path, how):
    """From the first page to the released map, asked, drawn and exported, no secret is in an address, a title, a log or a temporary file."""
    survey = survey_file(tmp_path / "survey", "csv")
    browser = Watched(survey.parent, tmp_path / "own")
    place = walked(browser)
    if how == signal.SIGINT:
        page = browser.finished(confirmed(browser, place, "Canary"))
        out = browser.folder / "canary-map"
        assert page.status == 200, page.text
        until((out / "release.dpmap").exists)
        release = f"/release/{short('canary-map/release.dpmap')}"
        (browser.folder / "districts.gpkg").write_bytes((SAMPLES / "districts.gpkg").read_bytes())
        for one in (
            release,
            f"{release}/map",
            f"{release}/picture",
            "/ledgers",
            f"/ledger/{short('canary.ledger')}",
            "/releases",
            "/",
        ):
            assert browser.get(one).status == 200, one
        for command, fields in (("export", {"suffix": ".csv"}), ("draw", {"ending": ".png"})):
            assert browser.finished(browser.post(f"{release}/{command}", fields)).status == 200
    assert browser.pages > 20
    browser.ended(how)
    drafts = {one.stem for one in browser.folder.glob("*.toml")}
    assert drafts
    search_folder(browser.folder, but=survey)


def test_a_survey_that_cannot_be_read_is_told_without_its_content(tmp_path):
    """Pages about a broken file say what is wrong with it by column and line, never by value, also to the operator."""
    folder = tmp_path / "survey"
    folder.mkdir()
    (folder / "survey.csv").write_text(
        f'who,ok,lon,lat\n"{WORDS["who"]},yes,{LON},{LAT}\n' + f"{WORDS['notes']},yes,0,51\n" * 100
    )
    browser = Watched(folder, tmp_path / "own")
    place = browser.begin("survey.csv", dataset="Canary")
    for page in (
        browser.get(f"{place}/data"),
        browser.get(f"{place}/data"),
        browser.finished(browser.post(f"{place}/look")),
    ):
        assert not leaks(page.content)
    browser.ended(signal.SIGINT)
