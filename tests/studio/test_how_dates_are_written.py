"""The studio asks how dates are written, and leads back to the field when a file of its own says otherwise."""

import re
import tomllib

import pytest
from builders.releasing import FLAGS, confirmed, paid
from builders.studios import studio

from dpmap.studio import error_fields

PLACE = {"x": "Rechtswert", "y": "Hochwert", "crs": "EPSG:25832"}
DOUBTFUL = ["01.07.2025", "04.05.2024", "02.03.2025"]


@pytest.fixture
def opened(tmp_path):
    """A studio with a map that was begun of a German table, and the start of its pages' addresses."""
    return begun(tmp_path, ["01.07.2025", "24.06.2024", "13.02.2025"])


def begun(tmp_path, days):
    """Begins a map of a table with these days."""
    browser = studio(tmp_path, "study_area.gpkg")
    lines = [f"{day};Müller {at};{403777 + at};{5640701 + at}" for at, day in enumerate(days)]
    text = "\r\n".join(["Datum;Beobachter;Rechtswert;Hochwert", *lines, ""])
    (browser.folder / "otters.csv").write_bytes(text.encode("cp1252"))
    return browser, browser.begin("otters.csv", dataset="Otters")


def flags(browser):
    return tomllib.loads((browser.folder / "otters.toml").read_text())


def opens(page, summary):
    """Whether a part of the page is open."""
    return re.search(rf"<details( open)?><summary>{summary}", page.text)[1] is not None


def test_a_date_needs_no_column_where_one_is_called_so(opened):
    """A year typed into “From this date” is about the only column that is called like a date, which stands chosen beside it."""
    browser, place = opened
    assert '<option value="Datum" selected>' in browser.get(f"{place}/data").text
    page = browser.change(f"{place}/data", texts="yes", **PLACE, **{"from": "2024", "to": "2025"})
    assert page.place == f"{place}/sure"
    assert (flags(browser)["from"], flags(browser)["to"]) == ("Datum=2024", "Datum=2025")
    assert re.search(r'name="from" value="2024"', browser.get(f"{place}/data").text)


def test_how_dates_are_written_is_looked_up_and_listed(opened):
    """German dates are found as dpmap init finds them, kept in the map's file, and stand on the first page and on Confirm."""
    browser, place = opened
    browser.change(f"{place}/data", texts="yes", **PLACE, **{"from": "2024"})
    assert flags(browser)["dates"] == "dmy"
    first = browser.get(f"{place}/data")
    assert '<option value="dmy" selected>' in first.text
    assert opens(first, "Which rows count")
    assert "How dates are written: the day first" in first.text
    assert "the day first: 01.07.2025" in browser.get(f"{place}/confirm").text


def test_no_date_is_looked_at_where_none_is_used(opened):
    """A map that hangs on no date says nothing of how they are written."""
    browser, place = opened
    browser.change(f"{place}/data", texts="yes", **PLACE)
    assert "dates" not in flags(browser)
    assert "How dates are written" not in browser.get(f"{place}/confirm").text


def test_dates_that_may_be_read_two_ways_are_asked_for(tmp_path):
    """Where each day may be a month, the page asks, with the field open; the choice is kept."""
    browser, place = begun(tmp_path, DOUBTFUL)
    page = browser.change(f"{place}/data", texts="yes", **PLACE, **{"from": "2024"})
    assert page.status == 400
    assert "whether the day or the month comes first" in page.text
    assert 'href="#dates">“How dates are written”' in page.text
    assert opens(page, "Which rows count")
    assert browser.change(
        f"{place}/data", texts="yes", **PLACE, dates="mdy", **{"from": "2024"}
    ).place.endswith("/sure")
    assert flags(browser)["dates"] == "mdy"


def test_a_map_for_each_year_asks_too(tmp_path):
    """Seasons hang on dates as well: where the file does not tell, the step Where asks and keeps nothing half."""
    browser, place = begun(tmp_path, DOUBTFUL)
    browser.change(f"{place}/data", texts="yes", **PLACE)
    where = {"area_way": "country", "country": "Germany", "cell_way": "size", "cell": "50 km"}
    years = {"times_column": "Datum", "times_dates": "2024,2025,2026"}
    page = browser.change(f"{place}/data", **where, **years)
    assert page.status == 400
    assert "whether the day or the month comes first" in page.text
    assert "times" not in flags(browser)
    browser.change(f"{place}/data", **where, **years, dates="dmy")
    assert (flags(browser)["times"], flags(browser)["dates"]) == ("Datum=2024,2025,2026", "dmy")


@pytest.mark.parametrize(
    ("typed", "panel", "field"),
    [({"crs": "25832x"}, "Where a row is", "crs"), ({"y": "nowhere"}, "Where a row is", "y")],
)
def test_a_mistake_leaves_the_columns_and_opens_the_field(opened, typed, panel, field):
    """After a mistake the columns are still listed, the part that holds the field is open, and the field is named as the page names it."""
    browser, place = opened
    page = browser.change(f"{place}/data", texts="yes", **{**PLACE, **typed})
    assert page.status == 400
    assert '<th scope="row">Beobachter</th>' in page.text
    assert opens(page, panel)
    assert f'href="#{field}">“{error_fields.FIELDS[field][2]}”</a> below' in page.text


def test_the_fields_that_are_named_stand_on_their_pages(opened):
    """Every field that a line is led to has this label on this page."""
    browser, place = opened
    pages = {step: browser.get(f"{place}/{step}").text for step in ("data", "sure", "confirm")}
    for step, field, label in error_fields.FIELDS.values():
        told = label.replace("'", "&#39;")
        shown = re.search(rf'<label for="{field}">([^<]*)</label>', pages[step])
        assert shown is not None, field
        assert shown[1] in (label, told)


def test_a_release_that_is_refused_leads_back_to_the_field(opened):
    """Where the command refuses what stands on another page, the way back leads to that page and field, and nothing is spent."""
    browser, place = opened
    browser.change(f"{place}/data", texts="yes", **PLACE, dates="excel", **{"from": "2024"})
    draft = browser.folder / "otters.toml"
    rest = (
        FLAGS.replace("observer_id", "Beobachter")
        .replace("study_area.gpkg", "country:Germany")
        .replace("20 km", "50 km")
    )
    rest = rest.replace('consent = "consent=yes"\n', "")
    draft.write_text(draft.read_text() + rest + 'epsilon = "0.5"\nbudget = "2"\n')
    page = browser.finished(confirmed(browser, place, name="Otters"))
    assert page.status == 400
    assert "Nothing was spent" in page.text
    assert f'href="{place}/data#dates">Go back to “Your file and your land”' in page.text
    assert paid(browser.folder) == []
    assert opens(browser.get(f"{place}/data"), "Which rows count")
