"""The studio's last step: what becomes public and what it costs stand on one page, and a map is released once or not at all."""

import re
import threading
from fractions import Fraction
from urllib.parse import urlencode

import pytest
from builders.releasing import confirmed, paid, ready, shown
from builders.studios import studio

from dpmap.ledger.ledger import Ledger


def words(page):
    """A page's text on one line."""
    return " ".join(page.text.split())


def test_the_page_says_what_becomes_public_and_what_it_costs_for_ever(tmp_path):
    """Area, cells, who is protected, cap, consent, epsilon, and the ledger before and after stand on it before anything is typed."""
    browser = studio(tmp_path)
    place = ready(browser, more='where = "status = \'ok\'"\nauthorised-by = "A. Ranger"\n')
    page = words(browser.get(f"{place}/confirm"))
    for said in (
        "study_area.gpkg",
        "20 km",
        "observer_id",
        "at most 5 points",
        "consent=yes",
        "A. Ranger",
        "status = &#39;ok&#39;",
    ):
        assert said in page
    assert "Epsilon <strong>0.5</strong> of the budget of 2" in page
    assert "before this map 2 is left, after it 1.5" in page
    assert "can never be taken back" in page
    assert paid(browser.folder) == []


def test_what_is_missing_is_listed_with_the_step_that_asks_it(tmp_path):
    """A map that was only begun names what it lacks, each with a link, and offers no button to release it."""
    browser = studio(tmp_path)
    place = browser.begin("raptors.csv")
    page = browser.get(f"{place}/confirm").text
    for step in ("data", "sure"):
        assert f'<li><a href="{place}/{step}">' in page
    assert "a budget for all years" in page
    assert 'name="release"' not in page
    told = shown(browser.get(f"{place}/confirm")) | {"name": "Raptors 2026", "release": "yes"}
    assert browser.post(f"{place}/confirm", told).status == 400
    assert paid(browser.folder) == []


def test_nothing_is_released_before_the_name_is_typed(tmp_path):
    """Another name or none releases nothing, and what was typed stays in the form."""
    browser = studio(tmp_path)
    place = ready(browser)
    for name in ("", "raptors 2025", "Raptors"):
        page = confirmed(browser, place, name)
        assert page.status == 400
        assert f'name="name" value="{name}"' in page.text
    page = browser.post(f"{place}/confirm", shown(page) | {"name": "Raptors 2026"})
    assert page.status == 400
    assert "its own button" in page.text
    assert paid(browser.folder) == []


def test_the_same_click_twice_releases_once(tmp_path):
    """A double click, a second tab, a reload and the way back all lead to the one release; nothing is spent again."""
    browser = studio(tmp_path)
    place = ready(browser)
    told = shown(browser.get(f"{place}/confirm")) | {"name": " Raptors 2026 ", "release": "yes"}
    pages = []
    clicks = [
        threading.Thread(target=lambda: pages.append(browser.post(f"{place}/confirm", told)))
        for _ in range(4)
    ]
    for click in clicks:
        click.start()
    for click in clicks:
        click.join()
    assert len({page.place for page in pages}) == 1
    done = browser.finished(pages[0])
    assert "Spent: epsilon 0.5." in done.text
    assert "<strong>1.5</strong> of 2" in done.text
    assert 'href="/release/' in done.text
    assert browser.post(f"{place}/confirm", told).place == done.place
    for page in (
        browser.get(done.place),
        browser.get(f"{place}/confirm"),
        confirmed_anew(browser, place, told),
    ):
        assert page.status == 200
        assert 'href="/release/' in page.text
    assert "Released already" in page.text
    assert paid(browser.folder) == ["0.5"]


def confirmed_anew(browser, place, told):
    """Confirms a map with a word that this studio never gave, as a page that was kept from an earlier one does."""
    return browser.post(f"{place}/confirm", told | {"word": "of-another-studio"})


def test_a_page_read_before_the_ledger_changed_confirms_nothing(tmp_path):
    """What was confirmed is what was read: after another release, the page is shown anew, with the numbers of now."""
    browser = studio(tmp_path)
    place = ready(browser)
    told = shown(browser.get(f"{place}/confirm")) | {"name": "Raptors 2026", "release": "yes"}
    other = ready(browser, "Owls", budget="2")
    browser.finished(confirmed(browser, other, "Owls"))
    page = browser.post(f"{place}/confirm", told)
    assert page.status == 400
    assert "read it again" in page.text
    assert "after it 1" in words(page)
    draft = browser.folder / "raptors-2026.toml"
    told = shown(page) | {"name": "Raptors 2026", "release": "yes"}
    draft.write_text(draft.read_text().replace('"0.5"', '"1"'))
    assert "changed meanwhile" in browser.post(f"{place}/confirm", told).text
    assert paid(browser.folder) == ["0.5"]


def test_who_answers_for_it_is_kept_before_it_is_confirmed(tmp_path):
    """What is typed beside the name stands on the map that the same click releases."""
    browser = studio(tmp_path)
    place = ready(browser)
    more = {"authorised_by": "Sami <Office>", "label": "TK Attribution", "expires": "2999-12-31"}
    done = browser.finished(confirmed(browser, place, **more))
    assert "Spent: epsilon 0.5." in done.text
    assert "Sami" in (browser.folder / "raptors-2026-map" / "statement.md").read_text()


def test_a_release_that_is_refused_spent_nothing_and_can_be_mended(tmp_path):
    """The command's own line is shown with what the ledger says; mended, the same map is confirmed again."""
    browser = studio(tmp_path)
    place = ready(browser, more='expires = "2001-01-01"\n')
    page = browser.finished(confirmed(browser, place, expires="2001-01-01"))
    assert page.status == 400
    assert "Nothing was spent" in page.text
    assert paid(browser.folder) == []
    assert "Spent: epsilon 0.5." in browser.finished(confirmed(browser, place)).text


def test_a_second_data_set_is_paid_from_the_ledgers_one_budget(tmp_path):
    """The budget of a ledger that has one need not be said again, and the page shows what is left of it."""
    browser = studio(tmp_path)
    Ledger(browser.folder / "raptors-2026.ledger").plan("2", releases=2)
    place = ready(browser, epsilon="next", budget="")
    page = browser.get(f"{place}/confirm").text
    assert "Epsilon <strong>1</strong> of the budget" in page
    browser.finished(confirmed(browser, place))
    other = ready(browser, "Owls", epsilon="1.5", budget="")
    page = browser.get(f"{other}/confirm").text
    assert "epsilon that the ledger still has" in page
    assert paid(browser.folder) == ["1"]


def test_a_data_set_of_another_unit_gets_a_name_of_its_own(tmp_path):
    """The page says whom the data set's maps protect so far, and offers a name; with that, the map is released from the same budget."""
    browser = studio(tmp_path)
    Ledger(browser.folder / "raptors-2026.ledger").reserve(
        dataset="Raptors 2026",
        epsilon=Fraction(1, 4),
        budget=Fraction(2),
        details={"unit": "nest_id"},
    )
    place = ready(browser)
    seen = browser.get(f"{place}/confirm")
    page = seen.text
    assert (
        "the maps of Raptors 2026 so far protect nest_id, and this one protects observer_id" in page
    )
    assert 'value="Raptors 2026 by observer_id"' in page
    assert "Release it for ever" not in page
    kept = browser.post(
        f"{place}/confirm", shown(seen) | {"dataset": "Raptors 2026 by observer_id"}
    ).text
    assert "Still missing" not in kept
    done = browser.finished(confirmed(browser, place, "Raptors 2026 by observer_id"))
    assert done.text.count('href="/release/') == 1
    (ledger,) = browser.pages.state.studio.folder.ledgers()
    page = browser.get(f"/ledger/{ledger.id}").text
    assert "nest_id: epsilon 0.25, observer_id: epsilon 0.5." in page


def test_the_dearest_of_several_readers_maps_is_what_is_paid(tmp_path):
    """A map for each reader costs what the finest costs, once, and each has a page of its own."""
    browser = studio(tmp_path)
    place = ready(browser, budget="2", more="tier = {public = 0.25, manager = 1}\n")
    draft = browser.folder / "raptors-2026.toml"
    draft.write_text(draft.read_text().replace('epsilon = "0.5"\n', ""))
    assert "Epsilon <strong>1</strong> of the budget" in browser.get(f"{place}/confirm").text
    done = browser.finished(confirmed(browser, place))
    assert done.text.count('href="/release/') == 2
    assert paid(browser.folder) == ["1"]
    assert "Released already" in browser.get(f"{place}/confirm").text


def test_what_was_spent_in_vain_is_named(tmp_path):
    """An event of the ledger of which nothing came stands on the page, with its number and what it spent."""
    browser = studio(tmp_path)
    book = Ledger(browser.folder / "raptors-2026.ledger")
    book.reserve(dataset="Raptors 2026", epsilon=Fraction(1, 4), budget=Fraction(2), details={})
    page = browser.get(f"{ready(browser)}/confirm").text
    assert "event 2 spent 0.25 of Raptors 2026 and nothing came of it" in page


def test_a_map_goes_into_the_studios_own_folder_only(tmp_path):
    """A file of flags whose folder or ledger leads out of the studio's, or through a link, is refused in words."""
    browser = studio(tmp_path)
    place = ready(browser)
    draft = browser.folder / "raptors-2026.toml"
    (browser.folder / "link").symlink_to(tmp_path)
    text = draft.read_text()
    for flag, told in (
        ("out", "../elsewhere"),
        ("out", "/tmp/elsewhere"),
        ("out", "link/elsewhere"),
        ("ledger", "../x.ledger"),
    ):
        kept = [line for line in text.splitlines() if not line.startswith(f"{flag} =")]
        draft.write_text("\n".join([*kept, f'{flag} = "{told}"', ""]))
        assert browser.get(f"{place}/confirm").status == 400
    assert paid(tmp_path) == []


def test_the_next_map_of_a_data_set_goes_into_a_folder_of_its_own(tmp_path):
    """From a released map the next one is prepared with the same flags; it is paid for by itself, once."""
    browser = studio(tmp_path)
    place = ready(browser)
    browser.finished(confirmed(browser, place))
    page = browser.post(f"{place}/again")
    assert page.status == 200
    browser.finished(confirmed(browser, page.place.rsplit("/", 1)[0]))
    assert paid(browser.folder) == ["0.5", "0.5"]
    assert len(list(browser.folder.glob("*/release.dpmap"))) == 2


def from_ledger(browser, name):
    """Begins a map that lacks nothing and pays from the ledger of this name."""
    place = ready(browser)
    for draft in browser.folder.glob("*.toml"):
        draft.write_text(re.sub(r'ledger = "[^"]*"', f'ledger = "{name}"', draft.read_text()))
    return place


def test_a_second_ledger_for_the_same_data_set_is_pointed_out(tmp_path):
    """Whoever is about to pay from another ledger reads which one paid before, and that the promise to those people would be broken."""
    browser = studio(tmp_path)
    browser.finished(confirmed(browser, ready(browser)))
    assert "Another ledger paid" not in words(browser.get(f"{ready(browser)}/confirm"))
    page = words(browser.get(f"{from_ledger(browser, 'second.ledger')}/confirm"))
    assert "Another ledger paid for maps of Raptors 2026 before: raptors-2026.ledger." in page


def test_a_ledger_that_is_gone_is_not_begun_anew_without_a_word(tmp_path):
    """Where the ledger of a folder that holds a released map is missing, the page says so before a new one begins."""
    browser = studio(tmp_path)
    browser.finished(confirmed(browser, ready(browser)))
    (browser.folder / "raptors-2026.ledger").unlink()
    page = words(browser.get(f"{ready(browser)}/confirm"))
    assert "holds raptors-2026-map/release.dpmap too, and raptors-2026.ledger is new" in page
    assert "/help/moving" in page


def test_the_only_ledger_of_a_folder_pays_for_a_map_that_is_begun(tmp_path):
    """A map that is begun beside one ledger, whatever it is called, does not begin another."""
    browser = studio(tmp_path)
    browser.finished(confirmed(browser, from_ledger(browser, "raptors.ledger")))
    browser.begin("raptors.csv")
    drafts = [one.read_text() for one in browser.folder.glob("*.toml")]
    assert len(drafts) == 2
    assert all('ledger = "raptors.ledger"' in one for one in drafts)


def test_a_map_is_not_mixed_with_other_files(tmp_path):
    """A folder that holds anything else is refused before anything is spent, and nothing in it is written over."""
    browser = studio(tmp_path)
    place = ready(browser)
    (browser.folder / "raptors-2026-map").mkdir()
    mine = browser.folder / "raptors-2026-map" / "map.png"
    mine.write_text("mine")
    page = confirmed(browser, place)
    assert page.status == 400
    assert "a folder for this map alone" in page.text
    assert mine.read_text() == "mine"
    assert paid(browser.folder) == []


@pytest.mark.parametrize("flag", ["out", "ledger"])
def test_a_name_that_no_disk_takes_is_one_line(tmp_path, flag):
    """A planted file of flags with an endless name is told on its own page, and the first page goes on without it."""
    browser = studio(tmp_path)
    place = ready(browser)
    (draft,) = browser.folder.glob("*.toml")
    draft.write_text(re.sub(rf"(?m)^{flag} = .*$", f'{flag} = "{"a" * 300}"', draft.read_text()))
    assert browser.get("/").status == 200
    page = browser.get(f"{place}/confirm")
    assert page.status == 400
    assert f"{flag}: that name is longer than a disk takes" in page.text


def test_no_flag_that_somebody_planted_is_confirmed_unseen(tmp_path):
    """What is printed without noise, and whatever else a file of flags declares, stands in the open list of what becomes public."""
    browser = studio(tmp_path)
    place = ready(
        browser, more='context = ["districts.gpkg"]\nmissing-unit = "own-unit"\nmax-count = 4\n'
    )
    page = words(browser.get(f"{place}/confirm")).split("Every flag of this map")[0]
    for said in (
        "<dt>Layers printed as they are, without any noise</dt><dd>districts.gpkg</dd>",
        "<dt>Rows that name nobody</dt><dd>own-unit</dd>",
        "<dt>max count</dt><dd>4</dd>",
    ):
        assert said in page


def test_what_is_written_after_the_click_is_not_what_is_released(tmp_path):
    """Another window or an editor that changes the flags while the release starts changes nothing of what was confirmed."""
    browser = studio(tmp_path)
    place = ready(browser)
    (draft,) = browser.folder.glob("*.toml")
    told = shown(browser.get(f"{place}/confirm")) | {"name": "Raptors 2026", "release": "yes"}
    begun = browser.ask("POST", f"{place}/confirm", urlencode(told))
    draft.write_text(draft.read_text().replace('epsilon = "0.5"', 'epsilon = "1.5"'))
    done = browser.finished(browser.get(begun.headers["location"]))
    assert "Spent: epsilon 0.5." in done.text
    assert f"dpmap release --config {draft.name}</code>" in done.text
    assert paid(browser.folder) == ["0.5"]


def test_a_ledger_that_vanished_is_never_said_to_have_spent_nothing(tmp_path):
    """Where the ledger that was to pay is gone or older than before, what was spent is not known, and the page says that."""
    browser = studio(tmp_path)
    browser.finished(confirmed(browser, ready(browser)))
    here = browser.pages.state.studio
    then = {
        "out": "none",
        "map": "0",
        "back": "/",
        "ledger": "gone.ledger",
        "dataset": "Raptors 2026",
        "before": "3",
    }
    gone = here.commands.start("release", "gone", "release", "no such file", "--json", then=then)
    older = here.commands.start(
        "release",
        "older",
        "release",
        "no file",
        "--json",
        then={**then, "ledger": "raptors-2026.ledger", "before": "99"},
    )
    for job in (gone, older):
        assert "What was spent is not known" in browser.finished(browser.get(f"/job/{job.id}")).text
