"""The studio's ledgers and help: what was spent, the plan for the years, and whether a map belongs to a ledger."""

import os
import re
import shutil
import threading
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from builders.pages import axe_faults, launched, patient
from builders.studios import Browser, studio

from dpmap.cli import run
from dpmap.errors import BudgetExceeded
from dpmap.ledger.ledger import Ledger
from dpmap.noise.budget_plans import SCHEMES
from dpmap.studio.help_page import PAGES
from dpmap.studio.ledgers import MOST_EVENTS

ROOT = Path(__file__).parents[2]


def paid(
    folder: Path,
    epsilon: str = "0.5",
    *,
    name: str = "years.ledger",
    dataset: str = "Owls",
    made: bool = True,
) -> Ledger:
    """Enters a release into a ledger of the folder."""
    book = Ledger(folder / name)
    one = book.reserve(
        dataset=dataset,
        epsilon=Fraction(epsilon),
        budget=Fraction(3),
        details={"unit": "who", "cap": 5},
    )
    if made:
        book.made(one)
    return book


def place(browser: Browser, name: str = "years.ledger") -> str:
    """Returns the address of a ledger's page."""
    return next(
        f"/ledger/{one.id}"
        for one in browser.pages.state.studio.folder.ledgers()
        if one.name == name
    )


def head(book: Ledger) -> str:
    return book.events()[-1].digest


@pytest.fixture
def released(tmp_path: Path) -> Browser:
    """A studio over a folder with a released map and its ledger, and the ledger as it was before that map."""
    browser = studio(tmp_path)
    paid(browser.folder)
    shutil.copy(browser.folder / "years.ledger", browser.folder / "old.ledger")
    words = (
        "--cell",
        "20 km",
        "--unit",
        "observer_id",
        "--cap",
        "5",
        "--epsilon",
        "0.5",
        "--dataset",
        "Raptors",
        "--budget",
        "3",
    )
    files = [
        str(browser.folder / name)
        for name in ("raptors.csv", "study_area.gpkg", "years.ledger", "map")
    ]
    assert (
        run(
            [
                "release",
                files[0],
                "--area",
                files[1],
                *words,
                "--ledger",
                files[2],
                "--out",
                files[3],
            ]
        )
        == 0
    )
    return browser


def check(browser: Browser, ledger: str, which: str = "") -> str:
    """Checks the released map, or all maps, against a ledger, and returns the page's text."""
    (made,) = browser.pages.state.studio.folder.releases()
    return browser.post(f"{place(browser, ledger)}/check", {"map": which or made.id}).text


def test_each_ledger_says_what_was_spent_and_what_remains(tmp_path):
    """The list of ledgers and a ledger's own page say the same sums, in words beside the picture."""
    browser = studio(tmp_path)
    paid(browser.folder)
    for page in (browser.get("/ledgers"), browser.get(place(browser))):
        assert "Spent: epsilon 0.5 of 3" in page.text
        assert "Remaining: 2.5." in page.text


def test_an_auditor_reads_every_event_with_what_remained_after_it(tmp_path):
    """Each event stands in the table, with its time, its data set, its epsilon and what then remained."""
    browser = studio(tmp_path)
    paid(browser.folder, "0.25")
    text = browser.get(place(browser)).text
    assert all(
        words in text
        for words in ("Data set entered", "Paid for a release", "Release saved", ">0.25<", ">2.75<")
    )
    assert "no event was changed" in text


def test_what_was_paid_in_vain_is_named(tmp_path):
    """A payment without a release is named on the ledger's page, with what can be done."""
    browser = studio(tmp_path)
    paid(browser.folder, made=False)
    text = browser.get(place(browser)).text
    assert "no release came of it" in text
    assert "--resume" in text


def test_a_plan_is_entered_once(tmp_path):
    """The form enters a plan; the same form sent again is refused, since the ledger has grown."""
    browser = studio(tmp_path)
    book = paid(browser.folder)
    told = {"head": head(book), "releases": "4", "total": "2", "scheme": "even"}
    first, second = (browser.post(f"{place(browser)}/plan", told) for _ in range(2))
    assert "deals out epsilon 2 to 4 releases" in first.text
    assert (second.status, "grown meanwhile" in second.text) == (400, True)
    assert [one.body["kind"] for one in book.events()].count("plan") == 1


def test_each_way_to_deal_out_can_be_chosen_and_is_named(tmp_path):
    """The form offers every scheme that `dpmap ledger --scheme` takes, and the page says which one was entered in words of its own."""
    browser = studio(tmp_path)
    book, said = paid(browser.folder), set()
    for scheme in SCHEMES:
        assert f'value="{scheme}"' in browser.get(place(browser)).text
        told = {"head": head(book), "releases": "3", "total": "2", "scheme": scheme}
        page = browser.post(f"{place(browser)}/plan", told).text
        said.add(re.search(r"to 3 releases, in\s+([^.]*)\.", page)[1])
    assert said == {
        "even shares",
        "shares that fall as 1, 1/2, 1/3",
        "even shares, one every second season",
    }


def test_two_windows_enter_a_plan_once(tmp_path):
    """The same form sent from several windows at once enters one plan."""
    browser = studio(tmp_path)
    book = paid(browser.folder)
    told = {"head": head(book), "releases": "4", "total": "2", "scheme": "even"}
    pages = []
    clicks = [
        threading.Thread(target=lambda: pages.append(browser.post(f"{place(browser)}/plan", told)))
        for _ in range(3)
    ]
    for click in clicks:
        click.start()
    for click in clicks:
        click.join()
    assert sorted(page.status for page in pages) == [200, 400, 400]
    assert [one.body["kind"] for one in book.events()].count("plan") == 1


def test_a_plan_beyond_what_remains_is_refused_and_kept_in_the_form(tmp_path):
    """A plan that does not fit gets the command's own line, and what was typed stays."""
    browser = studio(tmp_path)
    book = paid(browser.folder)
    page = browser.post(
        f"{place(browser)}/plan",
        {"head": head(book), "releases": "4", "total": "2.75", "scheme": "decaying"},
    )
    assert page.status == 400
    assert "2.5 remains" in page.text
    assert 'value="2.75"' in page.text


def test_a_map_is_checked_against_its_ledger(released):
    """The ledger that paid for a map says so; an old copy of it does not contain the map, and help is linked."""
    assert "<strong>Yes.</strong> map/release.dpmap was paid by event" in check(
        released, "years.ledger"
    )
    old = check(released, "old.ledger")
    assert "<strong>No.</strong>" in old
    assert "/help/moving" in old


def test_all_maps_are_checked_at_once(released):
    """Every map of the folder is checked, and payments that none of them belongs to are listed."""
    text = check(released, "years.ledger", "all")
    assert "yes, paid on" in text
    assert "epsilon 0.5 of Owls" in text


def test_a_ledger_that_was_edited_is_shown_as_one(tmp_path):
    """A file that is no whole ledger gets its line and a link to what to do; its neighbours are still shown."""
    browser = studio(tmp_path)
    paid(browser.folder)
    (browser.folder / "broken.ledger").write_text("no ledger")
    assert "Remaining: 2.5." in browser.get("/ledgers").text
    text = browser.get(place(browser, "broken.ledger")).text
    assert "do not start a new one" in text
    assert "/help/moving" in text


def test_hostile_names_in_a_ledger_are_shown_as_text(tmp_path):
    """A data set's name is text, whatever marks it holds."""
    browser = studio(tmp_path)
    paid(browser.folder, dataset="<script>alert(1)</script>")
    for page in (browser.get("/ledgers"), browser.get(place(browser))):
        assert "<script>alert" not in page.text
        assert "&lt;script&gt;alert" in page.text


def test_a_long_ledger_shows_its_newest_events(tmp_path, monkeypatch):
    """A ledger of thousands of events shows the newest, and says so."""
    monkeypatch.setattr("dpmap.studio.ledgers.MOST_EVENTS", 2)
    browser = studio(tmp_path)
    paid(browser.folder)
    assert MOST_EVENTS >= 1000
    text = browser.get(place(browser)).text
    assert "Only the newest 2 are shown" in text
    assert "Data set entered" not in text


def test_a_folder_of_many_ledgers_is_listed_whole(tmp_path, monkeypatch):
    """Ledgers beyond the first ones are links, so that the list is not waited for."""
    monkeypatch.setattr("dpmap.studio.ledgers.MOST_LISTED", 1)
    browser = studio(tmp_path)
    for name in ("a.ledger", "b.ledger"):
        paid(browser.folder, name=name)
    text = browser.get("/ledgers").text
    assert text.count("Remaining: 2.5.") == 1
    assert f'<a href="{place(browser, "b.ledger")}">b.ledger</a>' in text


@pytest.mark.skipif(
    os.environ.get("DPMAP_DEEP") != "1",
    reason="DPMAP_DEEP=1: test_in_a_browser.py looks at these pages each time",
)
def test_axe_finds_nothing_on_these_pages_in_light_dark_and_at_phone_size(released):
    """With everything open, no fault and nothing wider than the screen."""
    own = place(released)
    shown = ("/ledgers", own, f"{own}/against/all", "/help", *(f"/help/{name}" for name in PAGES))
    with launched() as chromium:
        context = patient(chromium.new_context())
        cookie = {
            "name": released.keys.name,
            "value": released.keys.cookie,
            "url": f"http://{released.host}",
        }
        context.add_cookies([cookie])
        page = context.new_page()
        for one in shown:
            page.goto(f"http://{released.host}{one}")
            page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
            for scheme, width in (("light", 1000), ("dark", 1000), ("light", 320)):
                page.emulate_media(color_scheme=scheme)
                page.set_viewport_size({"width": width, "height": 800})
                assert axe_faults(page) == []
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_advice_for_an_old_copy_holds(tmp_path):
    """A plan of what remains less what was forgotten keeps all later releases within the true budget."""
    old = Ledger(shutil.copy(paid(tmp_path, "0.5").path, tmp_path / "old.ledger"))
    forgotten = paid(tmp_path, "1")
    old.plan(old.balance()[0] - old.balance()[1] - 1, releases=2)
    for _ in range(2):
        share = old.next_share("Owls")
        with pytest.raises(BudgetExceeded):
            paid(tmp_path, str(share + Fraction(1, 100)), name="old.ledger")
        paid(tmp_path, str(share), name="old.ledger")
    with pytest.raises(BudgetExceeded):
        old.next_share("Owls")
    assert old.balance()[1] + forgotten.balance()[1] - Fraction("0.5") == 3


def test_the_help_is_packed():
    """Every page of the help goes into the package, where it is read from."""
    built = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"][
        "targets"
    ]["wheel"]
    packed = {name: place for name, place in built["force-include"].items() if "/texts/" in place}
    assert packed == {f"docs/studio/{name}.md": f"dpmap/studio/texts/{name}.md" for name in PAGES}


@pytest.mark.parametrize("name", PAGES)
def test_each_page_of_the_help_is_shown(tmp_path, name):
    """Each page of the help is listed, is shown whole, and leads only to pages that are there."""
    browser = studio(tmp_path)
    assert f'href="/help/{name}"' in browser.get("/help").text
    page = browser.get(f"/help/{name}")
    assert (page.status, page.text.count("<h1>")) == (200, 1)
    assert PAGES[name][0] in page.text
    assert "](" not in page.text
    assert "**" not in page.text


def test_pages_of_the_help_lead_to_each_other(tmp_path):
    """What to do when somebody withdraws leads to how a ledger is kept; words to pass on stand apart."""
    text = studio(tmp_path).get("/help/withdrawn").text
    assert '<a href="/help/moving">' in text
    assert "<blockquote>" in text
    assert "<code>--consent-by unit</code>, one row" in text


def test_a_page_of_help_that_is_not_there_is_none(tmp_path):
    """No other file is shown as help."""
    assert studio(tmp_path).get("/help/README").status == 404
