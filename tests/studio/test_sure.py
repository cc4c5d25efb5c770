"""How sure the map must be: the error comes first, epsilon follows, and what it means is said before anything is spent."""

import os
import re
import tomllib
from urllib.parse import urlencode

import pytest
from builders.pages import axe_faults, launched, patient
from builders.studios import studio

from dpmap.noise.budget_plans import SCHEMES
from dpmap.studio.folder import short

WHERE = 'area = "study_area.gpkg"\ncell = "20 km"\ncap = 5\nunit = "observer_id"\n'
ASKED = {
    "by": "goals", "detect": "20", "units": "5000", "budget": "3", "zones": short("districts.gpkg"), "within": "90", "share": "50%",
}  # fmt: skip


@pytest.fixture(scope="module")
def answered(tmp_path_factory):
    """A studio in which something was asked, and the answer's page."""
    browser, place = begun(tmp_path_factory.mktemp("answered"))
    return browser, place, planned(browser, place, **ASKED)


@pytest.fixture
def asked(answered):
    """The same, with the draft as it was after each test."""
    browser, place, page = answered
    before = draft(browser).read_bytes()
    yield browser, place, page
    draft(browser).write_bytes(before)


def begun(tmp_path):
    """A studio with a map of which the area, the cells and the cap are known."""
    browser = studio(tmp_path)
    place = browser.begin("raptors.csv")
    with draft(browser).open("a", encoding="utf-8") as file:
        file.write(WHERE)
    return browser, place


def draft(browser):
    return browser.folder / "raptors-2026.toml"


def flags(browser):
    return tomllib.loads(draft(browser).read_text(encoding="utf-8"))


def planned(browser, place, **fields):
    """The answer to what was asked."""
    return browser.finished(browser.change(f"{place}/sure", **fields))


def taken(browser, place, page, epsilon):
    """The studio's first answer where an epsilon is taken."""
    hidden = {
        name: re.search(f'name="{name}" value="([^"]*)"', page.text)[1] for name in ("mark", "job")
    }
    return browser.ask("POST", f"{place}/take", urlencode({**hidden, "epsilon": epsilon}))


def found(page):
    return re.search(r'value="([^"]*)" checked', page.text)[1]


def test_epsilon_follows_from_the_error_that_can_be_borne(asked):
    """The answer names the epsilon, the odds, the years and a rehearsal, and nothing is chosen or spent by it."""
    browser, _, page = asked
    assert page.status == 200
    for words in (
        "What you asked can be kept",
        "This one decided",
        "Nobody&#39;s odds",
        "of the budget of 3 remains",
        "Rehearsed on",
    ):
        assert words in page.text
    assert page.text.count('type="radio"') == 5
    assert "epsilon" not in flags(browser)
    assert not (browser.folder / "raptors-2026.ledger").exists()


def test_what_is_asked_stands_in_the_draft_as_the_planner_s_flags(asked):
    """The command line reads the same goals, and each project area has a line in the answer."""
    browser, _, page = asked
    told = flags(browser)
    assert (told["detect"], told["zones"], told["within"]) == ("20", "districts.gpkg", "90%:50%")
    assert "Quintalobre" in page.text


def test_the_epsilon_that_is_taken_is_written_and_judged_when_the_page_is_seen_again(asked):
    """Taking less than was found leads on to confirm, and the page then says that what was asked is not kept."""
    browser, place, page = asked
    less = re.findall(r'name="epsilon" value="([^"]*)"', page.text)[0]
    assert taken(browser, place, page, less).headers["location"] == f"{place}/confirm"
    assert flags(browser)["epsilon"] == less
    browser.finished(browser.post(f"{place}/plan"))
    again = browser.get(f"{place}/sure")
    assert f"Epsilon {less}." in again.text
    assert "Not all that you asked is kept" in again.text


def test_nothing_else_is_taken_for_a_plan_s_epsilon(asked):
    """An epsilon that is not among the plan's is refused, and so is any once the map was changed."""
    browser, place, page = asked
    assert taken(browser, place, page, "19").status == 400
    with draft(browser).open("a", encoding="utf-8") as file:
        file.write('limiter = "presence"\n')
    answer = taken(browser, place, page, found(page))
    assert answer.status == 400
    assert "changed since" in answer.text
    assert "epsilon" not in flags(browser)


def test_an_epsilon_that_one_was_told_is_held_against_what_is_asked(tmp_path):
    """Whoever was told an epsilon sees whether it keeps her goals."""
    browser, place = begun(tmp_path)
    page = planned(browser, place, by="epsilon", epsilon="0.1", detect="5")
    assert "Not all that you asked can be kept" in page.text
    assert flags(browser)["epsilon"] == "0.1"


def test_the_enter_key_in_the_field_of_an_epsilon_means_that_epsilon(tmp_path):
    """Enter presses the form's first button; a new epsilon is still what was meant."""
    browser, place = begun(tmp_path)
    browser.change(f"{place}/sure", **ASKED, epsilon="0.25")
    assert flags(browser)["epsilon"] == "0.25"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"by": "goals"}, "say at least one thing"),
        ({"by": "epsilon"}, "write the epsilon"),
        ({"by": "readers"}, "name each reader"),
        ({"by": "goals", "detect": "20", "zones": "0123456789ab"}, "not in the folder any more"),
        ({"by": "goals", "detect": "20", "ledger": "new", "new_ledger": "a.ledger"}, "tick the sentence"),
        ({"by": "goals", "detect": "20", "ledger": "new", "another": "yes", "new_ledger": "../a.ledger"}, "without a folder"),
        ({"by": "goals", "detect": "20", "mark": "another"}, "changed meanwhile"),
    ],
)  # fmt: skip
def test_a_mistake_is_said_in_one_line_and_what_was_typed_is_kept(tmp_path, fields, words):
    """The page comes back with what is wrong, and nothing is written."""
    browser, place = begun(tmp_path)
    before = draft(browser).read_text()
    page = browser.post(
        f"{place}/sure", {"mark": browser.mark(f"{place}/sure"), "units": "4321", **fields}
    )
    assert page.status == 400
    assert words in page.text
    assert 'value="4321"' in page.text
    assert draft(browser).read_text() == before


@pytest.mark.parametrize(
    "fields",
    [{"detect": "many"}, {"detect": "20", "units": "1_000"}, {"detect": "20", "within": "30"}],
)
def test_what_plan_refuses_is_told_in_its_own_line(tmp_path, fields):
    """A number that is none, or half of a pair, gets the command line's help and a way back."""
    browser, place = begun(tmp_path)
    page = planned(browser, place, by="goals", **fields)
    assert page.status == 400
    assert f"{place}/sure" in page.text
    assert "ended by itself" not in page.text


def test_a_budget_is_shared_out_over_the_years_once(tmp_path):
    """The plan goes into the ledger, the map takes its share, and the same form sent again enters nothing more."""
    browser, place = begun(tmp_path)
    fields = {
        "mark": browser.mark(f"{place}/sure"),
        "by": "new",
        "releases": "4",
        "total": "2",
        "scheme": "even",
    }
    page = browser.finished(browser.post(f"{place}/years", fields))
    assert "At epsilon 0.5" in page.text
    assert flags(browser)["epsilon"] == "next"
    assert flags(browser)["budget"] == "2"
    assert browser.post(f"{place}/years", fields).status == 400
    shown = browser.get(f"{place}/sure").text
    assert "shares 2 out over 4 releases" in shown
    assert all(f'value="{scheme}"' in shown for scheme in SCHEMES)
    assert "What the ledger's plan allows: epsilon 0.5" in shown
    assert taken(browser, place, page, found(page)).status == 303
    assert flags(browser)["epsilon"] == "next"


def test_each_reader_has_an_epsilon_of_her_own(tmp_path):
    """Readers become tiers, and epsilon and the goals leave the draft: the command line takes one or the other."""
    browser, place = begun(tmp_path)
    rows = {
        "reader_0": "public",
        "reader_0_epsilon": "0.3",
        "reader_1": "manager",
        "reader_1_epsilon": "2",
    }
    page = planned(browser, place, by="readers", detect="20", epsilon="1", **rows)
    assert "cost epsilon 2, once" in page.text
    assert flags(browser)["tier"] == ["public=0.3", "manager=2"]
    assert not {"detect", "epsilon"} & set(flags(browser))


def test_the_whole_plan_is_a_page_in_a_box_of_its_own(asked):
    """The plan's own page is handed out by its job alone, sandboxed, and no page names the private folder it lies in."""
    browser, place, page = asked
    whole = browser.get(re.search(r'href="(/job/[^"]+/plan)"', page.text)[1])
    assert "sandbox" in whole.headers["content-security-policy"]
    assert "allow-same-origin" not in whole.headers["content-security-policy"]
    assert b"dpmap-plan" in whole.content
    other = browser.post(f"{place}/look")
    assert browser.get(f"{other.place}/plan").status == 404
    assert str(browser.folder.parent) not in page.text


@pytest.mark.skipif(
    os.environ.get("DPMAP_DEEP") != "1",
    reason="DPMAP_DEEP=1: test_in_a_browser.py looks at these pages each time",
)
def test_axe_finds_nothing_on_either_page_in_light_dark_and_at_phone_size(asked):
    """With everything open, no fault and nothing wider than the screen."""
    browser, place, answer = asked
    cookie = {
        "name": browser.keys.name,
        "value": browser.keys.cookie,
        "url": f"http://{browser.host}",
    }
    with launched() as chromium:
        context = patient(chromium.new_context())
        context.add_cookies([cookie])
        page = context.new_page()
        for shown in (f"{place}/sure", answer.place):
            page.goto(f"http://{browser.host}{shown}")
            page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
            for scheme, width in (("light", 1000), ("dark", 1000), ("light", 320)):
                page.emulate_media(color_scheme=scheme)
                page.set_viewport_size({"width": width, "height": 800})
                assert axe_faults(page) == []
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
