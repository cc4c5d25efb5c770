"""The studio's first page: whom the map protects, and in which cells of which land; and the cap."""

import json
import os
import re
import tomllib

import pytest
from builders.pages import axe_faults, launched, patient, until
from builders.studios import studio

from dpmap.studio.folder import short

WHO = {"unit": "other", "unit_other": "observer_id", "names": "", "missing_unit": "drop"}
CAP = {"by": "rehearse", "cap_way": "declared", "cap": "5", "limiter": "scale"}
WHERE = {"area_way": "country", "country": "Andorra", "cell_way": "size", "cell": "5 km"}


@pytest.fixture
def opened(tmp_path):
    """A studio with a map of the sample survey that was begun, and the start of its pages' addresses."""
    browser = studio(tmp_path, "raptors.csv", "study_area.gpkg", "districts.gpkg", "nests.gpkg")
    return browser, browser.begin("raptors.csv")


def flags(browser):
    return tomllib.loads((browser.folder / "raptors-2026.toml").read_text())


def told(page):
    """What a page says is wrong."""
    assert page.status == 400, page.text
    return re.search(r'id="wrong"><p><strong>Not yet:</strong> ([^<]*)', page.text)[1]


def of(browser, page, name):
    """The short name by which a page offers a file."""
    return re.search(rf'<option value="(\w+)"[^>]*>{re.escape(name)}<', browser.get(page).text)[1]


def test_that_sites_stay_in_sight_is_said_wherever_a_unit_is_chosen(opened):
    """Protecting contributors does not hide a site that many report: the page says so before and after a choice."""
    browser, place = opened
    assert "does not hide a site" in browser.get(f"{place}/data").text
    browser.change(f"{place}/data", **WHO)
    assert "does not hide a site" in browser.get(f"{place}/data").text


def test_who_is_protected_is_written_as_flags(opened):
    """The unit and the rule of consent become flags of the command line, and lead on to the next page; so does the cap there."""
    browser, place = opened
    page = browser.change(
        f"{place}/data",
        **WHO,
        consent_column="consent",
        consent_values="yes, true",
        consent_by="unit",
    )
    assert page.place == f"{place}/sure"
    browser.change(f"{place}/sure", **CAP)
    written = flags(browser)
    assert written["unit"] == "observer_id"
    assert written["cap"] == "5"
    assert written["consent"] == "consent=yes,true"
    assert written["consent-by"] == "unit"
    assert "limiter" not in written


def test_nothing_runs_without_somebody_who_is_protected(opened):
    """Without a unit or a cap nothing is written, and what was typed is kept."""
    browser, place = opened
    page = browser.change(f"{place}/data", unit="", consent_column="consent", consent_values="sim")
    assert "who is protected" in told(page)
    assert 'value="sim"' in page.text
    assert "unit" not in flags(browser)
    assert "there is no default" in told(browser.change(f"{place}/sure", **{**CAP, "cap": ""}))
    page = browser.change(f"{place}/sure", **{**CAP, "cap": "five"})
    assert "whole number" in told(page)
    assert 'value="five"' in page.text


def test_a_column_that_is_not_there_is_answered_with_those_that_are(opened):
    """A mistyped column is told as on the command line; the page still offers the others, and the file stays as it was."""
    browser, place = opened
    before = flags(browser)
    page = browser.change(f"{place}/data", **{**WHO, "unit_other": "observerid"})
    assert "did you mean observer_id?" in told(page)
    assert "each nest, by its nest_id" in page.text
    assert "did you mean consent?" in told(
        browser.change(f"{place}/data", **WHO, consent_column="concent", consent_values="yes")
    )
    assert flags(browser) == before


def test_a_hostile_name_of_a_column_is_shown_as_it_is_written(tmp_path):
    """A column's name cannot become a part of the page, and is chosen like any other."""
    browser = studio(tmp_path)
    name = "observer <script>alert(1)</script>"
    (browser.folder / "odd.csv").write_text(f"{name},lon,lat\na,1,2\n")
    place = browser.begin("odd.csv")
    assert "<script>alert" not in browser.get(f"{place}/data").text
    browser.change(f"{place}/data", **{**WHO, "unit": f"column:{name}"})
    assert flags(browser)["unit"] == name


def test_a_cap_found_by_looking_is_marked_so(opened):
    """A cap that was chosen after the true numbers were shown says so on the map; a declared one does not."""
    browser, place = opened
    browser.change(f"{place}/sure", **{**CAP, "cap_way": "looked", "cap_looked": "8"})
    assert (flags(browser)["cap"], flags(browser)["cap-origin"]) == ("8", "after inspection")
    browser.change(f"{place}/sure", **CAP)
    assert "cap-origin" not in flags(browser)


def test_the_operator_looks_before_there_is_a_cap(opened):
    """True numbers are behind a button that says for whom they are, and lead back to the same page."""
    browser, place = opened
    browser.change(f"{place}/data", **WHO)
    sent = {**CAP, "cap_way": "looked", "cap": "", "by": "look"}
    shown = browser.finished(browser.change(f"{place}/sure", **sent))
    assert "What each cap scales away" in shown.text
    assert f'href="{place}/sure"' in shown.text


def test_a_cap_may_be_chosen_privately(opened):
    """Five percent of epsilon for the choice of a cap is the flag auto:0.05, and the page shows it as five percent."""
    browser, place = opened
    browser.change(
        f"{place}/sure", **{**CAP, "cap_way": "private", "cap_share": "5 %", "cap_reach": "1-50"}
    )
    assert flags(browser)["cap"] == "auto:0.05:1-50"
    assert re.search(r'name="cap_share" value="5"', browser.get(f"{place}/sure").text)


def test_sites_are_protected_with_the_file_that_says_where_they_are(opened):
    """Two units at once need a column and a file of the folder; one of them alone is a mistake that is told."""
    browser, place = opened
    file = of(browser, f"{place}/data", "nests.gpkg")
    assert "file that says where" in told(browser.change(f"{place}/data", **WHO, site="nest_id"))
    browser.change(f"{place}/data", **WHO, site="nest_id", sites=file, site_cap="2")
    assert [flags(browser)[key] for key in ("site", "sites", "site-cap")] == [
        "nest_id",
        "nests.gpkg",
        2,
    ]


@pytest.mark.parametrize(
    ("fields", "written"),
    [
        ({"names": "auto"}, {"team": "auto"}),
        ({"names": "marks", "marks": "; & and"}, {"team": "; & and"}),
        ({"missing_unit": "own-unit"}, {"missing-unit": "own-unit"}),
        ({"unit": "row"}, {"unit": "row"}),
    ],
)
def test_each_finer_choice_is_a_flag(opened, fields, written):
    """Names in one cell and rows without a name are flags, and are shown again as chosen."""
    browser, place = opened
    browser.change(f"{place}/data", **{**WHO, **fields})
    assert written.items() <= flags(browser).items()
    name = list(fields)[0]
    assert re.search(
        rf'name="{name}" value="{fields[name]}" checked', browser.get(f"{place}/data").text
    )


def test_the_land_is_a_file_of_the_folder(opened):
    """A layer is chosen by its short name, or one district of it by the name that stands in the file."""
    browser, place = opened
    file = of(browser, f"{place}/data", "districts.gpkg")
    page = browser.change(f"{place}/data", area_way="file", area=file, cell_way="areas")
    assert page.place == f"{place}/sure"
    assert (flags(browser)["area"], flags(browser)["by-area"]) == ("districts.gpkg", True)
    page = browser.change(
        f"{place}/data", area_way="file", area=file, cell_way="areas", area_name="Nowhere Moor"
    )
    assert "area" in told(page)
    assert "Nowhere Moor" in page.text


def test_the_land_is_a_country_by_its_name(opened):
    """A country is written as such; a name that is none is answered with those that are near."""
    browser, place = opened
    browser.change(f"{place}/data", **WHERE)
    assert flags(browser)["area"] == "country:Andorra"
    assert "did you mean Andorra" in told(
        browser.change(f"{place}/data", **{**WHERE, "country": "Andora"})
    )


def test_the_land_is_drawn_by_its_corners(opened):
    """Corners become a file of one polygon under a name that is free; the same corners again write no second one."""
    browser, place = opened
    corners = "-2 40\n-1.5 40\n-1.5 40.5\n-1.8 40.6"
    for _ in range(2):
        assert (
            browser.change(
                f"{place}/data", area_way="drawn", corners=corners, cell_way="size", cell="5 km"
            ).place
            == f"{place}/sure"
        )
    assert flags(browser)["area"] == "area.geojson"
    shape = json.loads((browser.folder / "area.geojson").read_text())["features"][0]["geometry"]
    assert shape["coordinates"][0][0] == shape["coordinates"][0][-1]
    assert not (browser.folder / "area-2.geojson").exists()
    assert "-1.8 40.6" in browser.get(f"{place}/data").text


@pytest.mark.parametrize("name", ["district", "the drawn area"])
def test_a_file_of_ones_own_that_is_called_like_a_drawn_one_stays_a_file(opened, name):
    """An area.geojson of the user's own, in metres, is chosen and kept as a file, and nothing that is drawn is written over it."""
    browser, place = opened
    ring = [
        [595000, 4480000],
        [650000, 4480000],
        [650000, 4520000],
        [595000, 4520000],
        [595000, 4480000],
    ]
    crs = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::25830"}}
    shape = {"type": "Polygon", "coordinates": [ring]}
    features = [{"type": "Feature", "properties": {"name": name}, "geometry": shape}]
    own = json.dumps({"type": "FeatureCollection", "crs": crs, "features": features})
    (browser.folder / "area.geojson").write_text(own)
    sent = {
        "area_way": "file",
        "area": of(browser, f"{place}/data", "area.geojson"),
        "cell_way": "size",
        "cell": "5 km",
    }
    for _ in range(2):
        assert browser.change(f"{place}/data", **sent).place == f"{place}/sure"
        assert re.search(r'name="area_way" value="file" checked', browser.get(f"{place}/data").text)
    browser.change(
        f"{place}/data",
        area_way="drawn",
        corners="-2 40\n-1.5 40\n-1.5 40.5",
        cell_way="size",
        cell="5 km",
    )
    assert flags(browser)["area"] == "area-2.geojson"
    assert (browser.folder / "area.geojson").read_text() == own


def test_the_land_lies_between_four_sides(opened):
    """West, south, east and north are an area too, and are shown again as sides."""
    browser, place = opened
    sides = {"west": "-2", "south": "40", "east": "-1", "north": "40.5"}
    browser.change(f"{place}/data", area_way="sides", **sides, cell_way="size", cell="5 km")
    assert re.search(r'name="east" value="-1"', browser.get(f"{place}/data").text)
    assert "west must be less" in told(
        browser.change(f"{place}/data", area_way="sides", **{**sides, "east": "-3"}, cell="5 km")
    )


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"area_way": ""}, "never read off the survey"),
        ({"cell": "5"}, "5 of what?"),
        ({"cell": ""}, "write their size"),
        ({"cell": "1 km", "sensitivity": "ebird"}, "asks for cells of at least 20 km"),
        ({"grid_crs": "other", "grid_crs_other": "EPSG:1"}, "coordinate reference system"),
        ({"area_way": "drawn", "corners": "1 2\n3 4\nfive six"}, "line 3"),
        ({"area_way": "file", "area_path": "../elsewhere.gpkg"}, "out of the folder"),
        ({"area_way": "file", "area_path": "x" * 5000}, "no such file"),
        ({"area_way": "file", "area_path": "study_area.gpkg", "area_layer": "a\0b"}, "no text has"),
        ({"times_column": "date", "times_dates": "2025,2024"}, "rising dates"),
        ({"times_column": "dat", "times_dates": "2024,2025"}, "no column"),
        ({"kinds_column_1": "species", "kinds_values_1": "Kite,kite"}, "each value once"),
    ],
)
def test_every_mistake_about_the_land_gets_one_line(opened, fields, words):
    """What cannot be is told in the command line's words, and what was typed stands in the form."""
    browser, place = opened
    page = browser.change(f"{place}/data", **{**WHERE, **fields})
    assert words in told(page).replace("&#34;", '"')


def test_a_rule_of_practice_gives_the_size_that_is_left_empty(opened):
    """The smallest cells that GBIF or eBird allow are offered as the cell size, and the rule is written down."""
    browser, place = opened
    browser.change(f"{place}/data", **{**WHERE, "cell": "", "sensitivity": "gbif-2"})
    assert (flags(browser)["cell"], flags(browser)["sensitivity"]) == ("0.1 deg", "gbif-2")


def test_seasons_and_kinds_are_flags_under_one_cap(opened):
    """A map for each season and kind is said to share one cap and epsilon."""
    browser, place = opened
    assert "one cap and one epsilon" in browser.get(f"{place}/data").text
    sent = {
        "times_column": "date",
        "times_dates": "2024,2025,2026",
        "kinds_column_1": "species",
        "kinds_values_1": "Ember Kite",
    }
    browser.change(f"{place}/data", **WHERE, **sent)
    assert (flags(browser)["times"], flags(browser)["kinds"]) == (
        "date=2024,2025,2026",
        ["species=Ember Kite"],
    )


def test_the_cells_are_counted_before_anything_is_planned(opened):
    """The page says how many cells the land holds; nothing of the survey is read for it."""
    browser, place = opened
    page = browser.change(f"{place}/data", **WHERE, stay="yes")
    assert re.search(r"The land holds <strong>\d+ cells", page.text)


def test_the_outlines_to_draw_on_come_with_the_studio(opened):
    """The world's outlines are the studio's own: nothing is fetched from elsewhere."""
    browser, _ = opened
    found = json.loads(browser.get("/outlines").content)
    assert len(found["names"]) == len(found["rings"]) > 200


def test_two_windows_do_not_overwrite_each_other(opened):
    """A form that shows an older state of the map is refused, whichever of the pages it is."""
    browser, place = opened
    old = browser.mark(f"{place}/data")
    browser.change(f"{place}/data", **WHO)
    assert "changed meanwhile" in told(browser.post(f"{place}/data", {"mark": old, **WHERE}))


@pytest.fixture
def window(opened):
    """A real browser in the studio, with what it complained of."""
    browser, place = opened
    with launched() as chromium:
        page = patient(chromium.new_page(viewport={"width": 1000, "height": 800}))
        complaints = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console", lambda told: "Content Security" in told.text and complaints.append(told.text)
        )
        page.goto(browser.keys.address())
        page.wait_for_url(f"http://{browser.host}/")
        yield page, f"http://{browser.host}{place}"
        assert not complaints


def typed_on_to(page, name):
    """Walks by Tab to the field of this name, as somebody without a mouse does."""
    for _ in range(120):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id || document.activeElement.tagName") == name:
            return
    raise AssertionError(f"no way to {name} by keyboard")


def test_an_area_is_drawn_with_the_keyboard_alone(window):
    """Arrows and Enter on the map set corners in the list, and a country is shown by its name."""
    page, place = window
    page.goto(f"{place}/data")
    page.focus("#area_way-country")
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    until(page, "document.querySelectorAll('.drawing option').length > 200")
    typed_on_to(page, "SELECT")
    page.keyboard.type("Andorra")
    typed_on_to(page, "CANVAS")
    for key in ("Enter", "ArrowRight", "ArrowRight", "Enter", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    corners = [line.split() for line in page.input_value("#corners").splitlines()]
    assert len(corners) == 3
    assert all(1 < float(lon) < 2 and 42 < float(lat) < 43 for lon, lat in corners)


def test_enter_in_a_field_goes_on_and_never_looks_at_the_data(window):
    """Enter sends the form as its main button does, and not as the button that counts or shows true numbers."""
    page, place = window
    page.goto(f"{place}/data")
    page.check("#unit-1")
    page.fill("#country", "Andorra")
    page.press("#country", "Enter")
    page.wait_for_url("**/sure")


@pytest.mark.skipif(
    os.environ.get("DPMAP_DEEP") != "1",
    reason="DPMAP_DEEP=1: test_in_a_browser.py looks at these pages each time",
)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_either_page(window, scheme):
    """Everything unfolded, wide and on a phone, in light and dark: nothing is hard to use with a screen reader, nor sticks out."""
    page, place = window
    page.emulate_media(color_scheme=scheme)
    for name in ("data", "sure"):
        page.goto(f"{place}/{name}")
        for way in page.query_selector_all(".way input[value=looked], .way input[value=drawn]"):
            way.check()
        page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        for width in (1000, 320):
            page.set_viewport_size({"width": width, "height": 700})
            assert not axe_faults(page)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(
    "corners", [f"[[{10**400}, 1], [2, 1], [2, 2], [1, 1]]", "[[{}], [], [1, 1]]", "5"]
)
def test_a_planted_area_breaks_no_page(opened, corners):
    """A file that looks like a drawn area and holds nonsense is another's, and the page goes on."""
    browser, place = opened
    text = f'{{"features": [{{"geometry": {{"type": "Polygon", "coordinates": [{corners}]}}}}]}}'
    (browser.folder / "area.geojson").write_text(text)
    (draft,) = browser.folder.glob("*.toml")
    draft.write_text(draft.read_text() + 'area = "area.geojson"\n')
    assert browser.get(f"{place}/data").status == 200


def test_a_pipe_in_place_of_an_area_is_not_waited_for(opened):
    """A pipe that stands for an area is refused at once: the page does not wait for what nobody writes."""
    browser, place = opened
    os.mkfifo(browser.folder / "area.geojson")
    (draft,) = browser.folder.glob("*.toml")
    draft.write_text(draft.read_text() + 'area = "area.geojson"\n')
    assert browser.get(f"{place}/data").status == 400


def test_a_cap_that_is_set_after_looking_is_marked_or_refused(opened):
    """Whoever has seen what each cap scales away cannot declare a new one as if she had not, nor an old one found so."""
    browser, place = opened
    browser.change(f"{place}/data", **WHO)
    browser.change(f"{place}/sure", **CAP)
    browser.finished(browser.change(f"{place}/sure", **{**CAP, "by": "look"}))
    browser.change(f"{place}/sure", **CAP)
    assert flags(browser)["cap"] == "5"
    for new in ({"cap": "8"}, {"cap_way": "rehearsed:8"}):
        page = browser.change(f"{place}/sure", **{**CAP, **new})
        assert "after you had seen the true numbers" in told(page)
    browser.change(f"{place}/sure", **{**CAP, "cap_way": "looked", "cap_looked": "8"})
    assert flags(browser)["cap-origin"] == "after inspection"
    assert "after you had seen the true numbers" in told(
        browser.change(f"{place}/sure", **{**CAP, "cap": "8"})
    )


def test_the_survey_itself_is_no_area(tmp_path):
    """The survey's own shapes are taken neither for the land nor for project areas, nor confirmed; another layer of its file is."""
    browser = studio(tmp_path, "districts.gpkg")
    place = browser.begin("districts.gpkg", dataset="Raptors 2026")
    land = {
        "area_way": "file",
        "area": short("districts.gpkg"),
        "cell_way": "size",
        "cell": "20 km",
    }
    assert "that is the survey itself" in told(browser.change(f"{place}/data", **land))
    asked = {"zones": short("districts.gpkg"), "within": "30", "by": "goals"}
    assert "that is the survey itself" in told(browser.change(f"{place}/sure", **asked))
    (draft,) = browser.folder.glob("*.toml")
    draft.write_text(draft.read_text() + 'area = "districts.gpkg"\n')
    assert "that is the survey itself" in browser.get(f"{place}/confirm").text
    draft.write_text(draft.read_text() + 'area-layer = "study_area"\n')
    assert "that is the survey itself" not in browser.get(f"{place}/confirm").text
