"""The studio's pages for official grids, and for what portals and auditors are told of a map."""

import re
import tomllib

import pytest
from builders.pages import axe_faults, launched, patient
from builders.releasing import confirmed, ready, shown
from builders.studios import studio

import dpmap as dm
from dpmap.grid.official import NAMES, sizes
from dpmap.studio.steps import grids

WHERE = {"area_way": "country", "country": "Andorra", "cell_way": "official"}
TOLD = {
    "licence": "CC-BY-4.0",
    "doi": "10.5072/example",
    "reason": "speciesLocation",
    "local_contexts": "5d4f1e2c-0d2a-4e6b-9a3f-0c1d2e3f4a5b",
    "retention": "two people of the office, until 2036",
    "also_published": "Atlas of 2019\nrecords at a portal",
}


@pytest.fixture
def opened(tmp_path):
    """A studio with a map of the sample survey that was begun, and the start of its pages' addresses."""
    browser = studio(tmp_path)
    return browser, browser.begin("raptors.csv")


def flags(browser):
    return tomllib.loads((browser.folder / "raptors-2026.toml").read_text())


def wrong(page):
    """What a page says is wrong."""
    assert page.status == 400, page.text
    return re.search(r'id="wrong"><p><strong>Not yet:</strong> ([^<]*)', page.text)[1]


def chosen(page) -> list[str]:
    """The official grids that a page shows as chosen."""
    held = page.text[page.text.index('<select id="grid"') :].partition("</select>")[0]
    return re.findall(r'value="([^"]*)" selected', held)


# --- where -----------------------------------------------------------------------------------------------------


def test_an_official_grid_is_chosen_by_its_name_and_shown_again(opened):
    """The grid is one flag of the file, in place of a size; it is counted, and stands chosen when one comes back."""
    browser, place = opened
    browser.change(
        f"{place}/data", **WHERE | {"cell_way": "size", "cell": "5 km", "grid_crs": "EPSG:3035"}
    )
    page = browser.change(f"{place}/data", **WHERE, grid="eea-2km", stay="yes")
    assert re.search(r"The land holds <strong>\d+ cells", page.text)
    written = flags(browser)
    assert written["grid"] == "eea-2km" and not {"cell", "grid-crs", "hexagons"} & set(written)
    assert chosen(browser.get(f"{place}/data")) == ["eea-2km"]
    assert (
        'id="cell_way-official" name="cell_way" value="official" checked'
        in browser.get(f"{place}/data").text
    )


def test_another_way_to_say_the_cells_takes_the_grid_out(opened):
    """A size that is typed later leaves no official grid in the file, which would be refused beside it."""
    browser, place = opened
    browser.change(f"{place}/data", **WHERE, grid="eea-2km")
    browser.change(f"{place}/data", **WHERE | {"cell_way": "size", "cell": "5 km"})
    assert "grid" not in flags(browser) and flags(browser)["cell"] == "5 km"


def test_why_an_official_grid_is_taken_is_said_in_plain_words(opened):
    """The page says what an official grid is for before it names one, and groups the names by the land they are for."""
    browser, place = opened
    page = browser.get(f"{place}/data").text
    assert "For an atlas or a portal" in page
    assert '<optgroup label="Great Britain: Ordnance Survey">' in page


@pytest.mark.parametrize(
    ("country", "first"),
    [
        ("United Kingdom", "os-hectad"),
        ("Ireland", "irish-10km"),
        ("Germany", "eea-10km"),
        ("Kenya", "pentad"),
        ("Peru", "qdgc"),
    ],
)
def test_the_grid_that_is_usual_for_the_land_stands_first(opened, country, first):
    """Once the land is said, the grid that its atlases ask for is on top of the list and chosen, until another is."""
    browser, place = opened
    browser.change(f"{place}/data", **WHERE | {"country": country, "cell_way": "later"})
    page = browser.get(f"{place}/data")
    assert chosen(page) == [first]
    assert page.text.index('<optgroup label="Usual for this land">') < page.text.index(
        f'<option value="{first}"'
    )
    assert page.text.count(f'<option value="{first}"') == 1


def test_the_land_of_a_file_has_its_usual_grid_too(opened):
    """Where the land is a file of the folder, its place is found in a process of its own, and the grid of its atlases offered."""
    browser, place = opened
    toml = browser.folder / "raptors-2026.toml"
    toml.write_text(toml.read_text() + 'area = "study_area.gpkg"\n')
    assert chosen(browser.get(f"{place}/data")) == ["eea-10km"]
    toml.write_text(toml.read_text().replace("study_area.gpkg", "raptors.csv"))
    page = browser.get(f"{place}/data")
    assert page.status == 200 and chosen(page) == []


@pytest.mark.parametrize(
    ("first", "chosen"),
    [
        ([], ""),
        (["os-hectad", "eea-10km"], ""),
        (["os-hectad"], "os-10km"),
        ([], "h3-15"),
        ([], "qdgc-2"),
    ],
)
def test_all_cells_are_offered_by_one_name(first, chosen):
    """No official grid of usual cells is missing from the list, none stands there twice, and what a file says stands by the name it has there."""
    named = [name for _, names in grids.offer_grids(first, chosen) for name, _ in names]
    cells = [(one.column, one.crs, sizes.side(one)) for one in map(NAMES.get, named)]
    assert len(set(cells)) == len(cells)
    large = {(one.column, one.crs, sizes.side(one)) for one in NAMES.values() if one.column != "h3"}
    assert large <= set(cells)
    assert not chosen or chosen in named


def test_a_grid_from_a_file_that_was_written_elsewhere_is_not_lost(opened):
    """A name that the list has no place for stands chosen there, so that going through the page changes nothing."""
    browser, place = opened
    toml = browser.folder / "raptors-2026.toml"
    toml.write_text(toml.read_text() + 'area = "country:Andorra"\ngrid = "dms-5min"\n')
    page = browser.get(f"{place}/data")
    assert chosen(page) == ["dms-5min"] and page.text.count('value="dms-5min"') == 1
    browser.change(f"{place}/data", **WHERE, grid=chosen(page)[0])
    assert flags(browser)["grid"] == "dms-5min"


def test_mistakes_about_an_official_grid_get_one_line(opened):
    """No grid, one that is not there, and one that a rule of practice forbids are told, and nothing is written."""
    browser, place = opened
    before = flags(browser)
    assert "choose an official grid" in wrong(browser.change(f"{place}/data", **WHERE, grid=""))
    page = browser.change(f"{place}/data", **WHERE, grid="eea-2<b>km")
    assert "no official grid is called" in wrong(page) and "<b>km" not in page.text
    assert "“Official grid”" in page.text
    line = wrong(browser.change(f"{place}/data", **WHERE, grid="os-tetrad", sensitivity="nbn-10km"))
    assert "os-hectad or larger" in line
    assert flags(browser) == before


def test_the_plan_of_an_official_grid_speaks_of_official_grids(opened):
    """The step after compares the sizes that the publisher has, by their names."""
    browser, place = opened
    toml = browser.folder / "raptors-2026.toml"
    toml.write_text(
        toml.read_text()
        + 'unit = "observer_id"\ncap = 5\narea = "study_area.gpkg"\ngrid = "eea-10km"\nepsilon = "1"\n'
    )
    page = browser.finished(browser.post(f"{place}/plan"))
    assert "the official grid eea-" in page.text


# --- confirm ---------------------------------------------------------------------------------------------------


def test_what_was_not_declared_is_said_to_be_so(opened):
    """Both questions of auditors stand on the page that becomes public, which lists what is not declared until somebody does."""
    browser, place = opened
    page = " ".join(browser.get(f"{place}/confirm").text.split())
    for words in (
        "What else was published of this data?",
        "Who can reach the survey and the ledger, and for how long?",
    ):
        assert words in page
    unsaid = re.search(r"<p>Not declared: ([^<]*)", page)[1]
    assert "also published of this data" in unsaid
    assert "who can reach the survey" in unsaid
    assert "<summary>For portals</summary>" in page and "<dt>DOI</dt>" not in page


def test_what_was_declared_is_kept_listed_and_shown_again(tmp_path):
    """Each answer is a flag of the file, stands among what becomes public, and is in its field when one comes back."""
    browser = studio(tmp_path)
    place = ready(browser)
    page = browser.post(f"{place}/confirm", shown(browser.get(f"{place}/confirm")) | TOLD)
    assert page.status == 200
    written = flags(browser)
    assert written["also-published"] == ["Atlas of 2019", "records at a portal"]
    assert all(
        written[name.replace("_", "-")] == text
        for name, text in TOLD.items()
        if name != "also_published"
    )
    page = browser.get(f"{place}/confirm").text
    for name, text in TOLD.items():
        field = page[page.index(f'id="{name}"') :].partition("</p>")[0]
        assert text in field
        assert text.replace("\n", ", ") in page[: page.index("What it costs for ever")]
    assert "<details open><summary>For portals" in page


def test_what_was_declared_stands_in_the_release(tmp_path):
    """A map that is released in the studio carries every declaration in its record."""
    browser = studio(tmp_path)
    place = ready(browser)
    browser.post(f"{place}/confirm", shown(browser.get(f"{place}/confirm")) | TOLD)
    page = browser.finished(confirmed(browser, place, **TOLD))
    assert page.status == 200, page.text
    found = dm.open(browser.folder / "raptors-2026-map" / "release.dpmap").record.about.governance
    assert found.also_published == ("Atlas of 2019", "records at a portal")
    assert all(
        getattr(found, name) == text for name, text in TOLD.items() if name != "also_published"
    )


@pytest.mark.parametrize("name", [one for one in TOLD if one != "reason"])
def test_a_text_too_long_is_told_beside_its_field_and_kept_there(tmp_path, name):
    """Ten thousand characters are refused in one line that leads to the field, and nothing of the file is changed."""
    browser = studio(tmp_path)
    place = ready(browser)
    before = flags(browser)
    page = browser.post(
        f"{place}/confirm", shown(browser.get(f"{place}/confirm")) | {name: "x" * 10_000}
    )
    assert "more than" in wrong(page)
    assert f'href="#{name}"' in page.text and "x" * 10_000 in page.text
    assert flags(browser) == before


def test_a_reason_or_licence_that_portals_do_not_know_is_told_before_anything_is_confirmed(
    tmp_path,
):
    """Both are held to the terms that portals read, on the page itself and not when the release begins."""
    browser = studio(tmp_path)
    place = ready(browser)
    for field, said in {"reason": "because", "licence": "CC-BY-9"}.items():
        page = browser.post(
            f"{place}/confirm", shown(browser.get(f"{place}/confirm")) | {field: said}
        )
        assert f"&#39;{said}&#39; is no" in wrong(page) and f'href="#{field}"' in page.text
    assert "licence" not in flags(browser)


def test_a_hostile_declaration_stays_text(tmp_path):
    """Markup in an answer is shown as it was typed, on the page and in its field."""
    browser = studio(tmp_path)
    place = ready(browser)
    text = "<script>alert(1)</script>\"'{{ 7*7 }}"
    page = browser.post(
        f"{place}/confirm",
        shown(browser.get(f"{place}/confirm")) | {"retention": text, "also_published": text},
    )
    assert "<script>alert" not in page.text and "{{ 7*7 }}" in page.text
    assert flags(browser)["retention"] == text and flags(browser)["also-published"] == [text]


def test_a_second_map_is_asked_anew_what_was_said_of_the_first(tmp_path):
    """A copy of a map keeps who reaches the data and the licence, but neither the first map's DOI nor what was published before it."""
    browser = studio(tmp_path)
    place = ready(
        browser,
        more='doi = "10.5072/x"\nalso-published = ["nothing"]\nlicence = "CC-BY-4.0"\nretention = "us"\n',
    )
    from dpmap.studio import drafts
    from dpmap.studio.folder import BrowsedFolder

    folder = BrowsedFolder(browser.folder)
    again = drafts.copy_draft(
        folder, drafts.open_draft(folder, folder.one(folder.drafts(), place.rpartition("/")[2]))
    )
    assert again.flags["retention"] == "us" and again.flags["licence"] == "CC-BY-4.0"
    assert not {"doi", "also_published"} & set(again.flags)


# --- in a browser ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [1000, 320])
def test_axe_finds_nothing_where_grids_are_chosen_and_answers_are_given(tmp_path, width):
    """With an official grid chosen and every part unfolded, both pages are usable by all, and fit a phone."""
    browser = studio(tmp_path)
    place = ready(browser, more='licence = "CC-BY-4.0"\n')
    with launched() as chromium:
        page = patient(chromium.new_page(viewport={"width": width, "height": 800}))
        complaints = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(browser.keys.address())
        page.wait_for_url(f"http://{browser.host}/")
        page.goto(f"http://{browser.host}{place}/data")
        page.check("#cell_way-official")
        page.select_option("#grid", "eea-10km")
        assert page.is_visible("#grid") and not page.is_visible("#cell")
        for name in ("data", "confirm"):
            if name == "confirm":
                with page.expect_navigation():
                    page.click("button:visible:has-text('Go on')")
                page.goto(f"http://{browser.host}{place}/confirm")
                assert page.is_visible("#licence") and not page.is_visible("#also_published")
                assert "those of the official grid eea-10km" in page.inner_text("main")
            page.evaluate(
                "document.querySelectorAll('details').forEach((one) => (one.open = true))"
            )
            assert not axe_faults(page)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert not complaints
