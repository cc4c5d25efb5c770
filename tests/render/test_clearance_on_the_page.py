"""Go or no-go on the interactive page: three answers about land, for a number that the visitor types."""

import re
from pathlib import Path

import numpy as np
import pytest
from builders.pages import OVERLAPS, Watch, axe_faults, in_page, launched, until
from builders.records import told_of
from PIL import Image

import dpmap as dm
from dpmap import style
from dpmap.errors import BadInput
from dpmap.grid import Grid
from dpmap.grid.layer_axes import Times
from dpmap.maps import read_map
from dpmap.releases.release import Release

SAVED = Path(__file__).parents[1] / "stability" / "saved" / "0.2.0"
LESS, UNKNOWN, MORE = range(3)
PAINTED = """() => { const { tints, palette } = dpmap.page.layer.scene;
    return [...tints].map((tint) => palette[tint].fill); }"""
LOOK = """() => { const { tints, palette } = dpmap.page.layer.scene;
    return [[...tints], palette, document.querySelector("#dp-legend").textContent,
      document.querySelector("#dp-legend-title").textContent, document.querySelector("#dp-explain").textContent]; }"""


@pytest.fixture(scope="module")
def browser():
    with launched() as found:
        yield found


@pytest.fixture
def watch(browser):
    watched = Watch(browser)
    yield watched
    assert watched.complaints == [] and not watched.outside
    watched.close()


@pytest.fixture(scope="module")
def surveyed():
    """A map of a full village, thin land around it, and nothing far away."""
    grid = Grid(
        bounds=(4_000_000, 3_000_000, 4_240_000, 3_240_000), shape=(24, 24), crs="EPSG:3035"
    )
    row, column = np.indices(grid.shape)
    distance = np.hypot(row - 8, column - 8)
    totals = np.floor(900 * np.exp(-(distance**2) / 18))
    record, _ = told_of(grid, totals.ravel())
    return record


@pytest.fixture(scope="module")
def saved(surveyed, tmp_path_factory):
    path = tmp_path_factory.mktemp("clearance") / "map.html"
    Release(surveyed).draw(path, context=False)
    return path


def compare(page, typed):
    """Chooses the layer and types the number, by the keyboard alone."""
    page.locator("input[name=dp-layer]:checked").focus()
    while page.evaluate("dpmap.page.shown.current") != "compare":
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type(typed)
    until(
        page,
        f"document.querySelector('#dp-legend-title').textContent.replaceAll(',', '').includes(' than {typed} ')",
    )


def answers(patches, limit):
    """The answer of each place by its own interval."""
    low, high = patches.low / patches.square_km, patches.high / patches.square_km
    return np.where(low > limit, MORE, np.where(high < limit, LESS, UNKNOWN))


def shares(page):
    """The percentages of the legend, by its words."""
    rows = re.findall(
        r"(surely more|surely less|cannot say): ([\d.]+) %", page.locator("#dp-legend").inner_text()
    )
    return {words: float(share) for words, share in rows}


@pytest.mark.parametrize("factor", [0.02, 0.5, 3, 40])
def test_each_place_is_painted_by_its_own_interval(factor, surveyed, saved, watch):
    """All cells have the colour of their place's answer, told or not; shares are those of the land, and add up to it."""
    page = watch.open(saved)
    square_km = page.evaluate("dpmap.page.facts.unit.square_km")
    typed = f"{float(f'{factor * surveyed_density(surveyed) * square_km:.2g}'):g}"
    compare(page, typed)
    patches = read_map(surveyed).patches(0.9)
    expected = answers(patches, float(typed) / square_km)
    colours = np.array([style.hex_colour(0.02), style.UNSURE, style.hex_colour(0.9)])
    assert in_page(page, PAINTED) == colours[expected[patches.place[surveyed.grid.inside]]].tolist()
    land = np.bincount(expected, weights=patches.square_km, minlength=3) / patches.square_km.sum()
    found = shares(page)
    assert [found["surely less"], found["cannot say"], found["surely more"]] == pytest.approx(
        100 * land, abs=0.06
    )
    assert sum(found.values()) == pytest.approx(100, abs=0.11)
    assert "no proof of absence" in page.locator("#dp-explain").inner_text()
    said = page.locator("#dp-limit-answer")
    assert said.get_attribute("role") == "status"
    assert all(f"{share:g} %" in said.text_content() for share in found.values())


def surveyed_density(record):
    """Points per square kilometre of the whole map, about."""
    patches = read_map(record).patches(0.9)
    return patches.estimate.sum() / patches.square_km.sum()


def test_the_words_of_a_place_agree_with_its_colour(surveyed, saved, watch):
    """Whoever points at a place reads its interval and the answer that follows from it, and sees that colour."""
    page = watch.open(saved)
    square_km = page.evaluate("dpmap.page.facts.unit.square_km")
    typed = f"{float(f'{surveyed_density(surveyed) * square_km:.2g}'):g}"
    limit = float(typed)
    compare(page, typed)
    answered = set()
    for cell in range(0, surveyed.grid.cells_inside, 31):
        lines = in_page(
            page, "(cell) => dpmap.page.shown.told(cell).lines.map(([words]) => words)", cell
        )
        text, fill = "\n".join(lines), in_page(page, PAINTED)[cell]
        interval = re.search(r"\(([\d.,]+|over 0) to ([\d.,]+)\)", text)
        if not interval:
            continue
        low, high = (
            float(end.replace(",", "").replace("over 0", "0")) for end in interval.groups()
        )
        if limit in (low, high):
            continue
        words, colour = (
            (f"surely more than {typed} ", style.hex_colour(0.9))
            if low > limit
            else (f"surely less than {typed} ", style.hex_colour(0.02))
            if high < limit
            else (f"cannot say whether more or less than {typed} ", style.UNSURE)
        )
        assert lines[1].startswith(words) and fill == colour
        answered.add(words)
    assert len(answered) >= 2


def test_an_empty_field_brings_the_ordinary_colours_back(saved, watch):
    """Without a number, or with what is none, the page is as it was; what is no number is said once the field is left."""
    page = watch.open(saved)
    before = in_page(page, LOOK)
    compare(page, "60")
    assert in_page(page, LOOK) != before
    field = page.locator("#dp-limit")
    for typed in ("", "0", "-3", "many", "Infinity", "1,5"):
        field.fill("60")
        until(page, "dpmap.page.shown.legend.rows.length === 3")
        field.fill(typed)
        until(page, "dpmap.page.shown.legend.rows.length !== 3")
        assert in_page(page, LOOK) == before
        field.press("Enter")
        assert page.locator("#dp-limit-problem").inner_text() == (
            "A number above 0, like 5 or 0.5." if typed else ""
        )
    field.fill("60")
    until(page, "dpmap.page.shown.legend.rows.length === 3")
    page.locator("#dp-layers label:has([value=estimate])").click()
    assert in_page(page, LOOK) == before and page.locator("#dp-compare").is_hidden()


def test_a_link_and_a_picture_have_the_number(saved, browser, watch):
    """The page's address keeps the number, and the picture is painted by it; a number that is none is not read."""
    page = watch.open(saved)
    compare(page, "62.25")
    until(page, "location.hash.includes('show=places.compare') && location.hash.includes('&than=')")
    other = Watch(browser)
    other.page.goto(page.evaluate("location.href"))
    other.page.wait_for_selector("html[data-ready]")
    assert in_page(other.page, LOOK) == in_page(page, LOOK)
    assert other.page.locator("#dp-limit").input_value() == "62.25"
    other.page.evaluate("location.hash = '#at=50,10,8&show=places.compare&than=<b>5'")
    until(other.page, "dpmap.page && document.querySelector('#dp-limit').value === ''")
    assert other.complaints == []
    other.close()
    with page.expect_download() as given_out:
        page.locator("#dp-png").click()
    with Image.open(given_out.value.path()) as picture:
        colours = {colour for _, colour in picture.convert("RGB").getcolors(2**24)}
    shades = (style.hex_colour(0.02), style.hex_colour(0.9))
    assert {tuple(round(255 * c) for c in style.rgb(shade)) for shade in shades} <= colours


def test_the_number_stays_when_the_page_turns(watch, tmp_path):
    """Each layer of a release is held against the same density."""
    grid = Grid(bounds=(-5, 55, -2, 57), shape=(12, 12), crs="EPSG:4326").layered(
        Times("seen", ("2024", "2025"))
    )
    record, _ = told_of(grid, np.arange(grid.cells_inside) * 3.0)
    Release(record).draw(tmp_path / "map.html", context=False)
    page = watch.open(tmp_path / "map.html")
    compare(page, "60")
    before = in_page(page, "() => dpmap.page.shown.limit.density")
    layer = page.locator("#dp-axis-0").input_value()
    page.locator("#dp-axis-0").fill("0" if layer == "1" else "1")
    page.locator("#dp-axis-0").dispatch_event("change")
    until(page, "document.documentElement.dataset.ready === 'yes' && Boolean(dpmap.page)")
    assert in_page(page, "() => dpmap.page.shown.limit.density") == pytest.approx(before, rel=1e-8)
    assert in_page(page, "() => dpmap.page.shown.current") == "compare" and len(shares(page)) == 3


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (768, "dark"), (1440, "light")])
def test_it_fits_phones_and_paper(width, scheme, saved, browser):
    """Nothing overlaps, axe finds no fault, and paper has the legend on one sheet without the field."""
    watch = Watch(browser, width, 900, color_scheme=scheme)
    page = watch.open(saved)
    page.locator("#dp-layers label:has([value=compare])").click()
    assert page.evaluate(OVERLAPS) == [] and axe_faults(page) == []
    compare(page, "60")
    page.locator("#dp-limit").press("End")
    assert page.evaluate(OVERLAPS) == [] and axe_faults(page) == []
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) == 1
    page.emulate_media(media="print")
    assert page.locator("#dp-compare").is_hidden() and page.locator("#dp-legend").is_visible()
    assert watch.complaints == []
    watch.close()


def test_reports_and_sparse_maps_do_not_offer_it(browser, tmp_path):
    """It is for totals that are told in places; a map of means has no page at all."""
    for name in ("reports-grr", "sparse"):
        watch = Watch(browser)
        try:
            dm.open(SAVED / f"{name}.dpmap").draw(tmp_path / f"{name}.html", context=False)
        except BadInput:
            watch.close()
            continue
        page = watch.open(tmp_path / f"{name}.html")
        assert page.locator("[name=dp-layer][value=compare]").count() == 0
        assert page.locator("#dp-compare").is_hidden()
        watch.close()
    with pytest.raises(BadInput, match="mean"):
        dm.open(SAVED / "means.dpmap").draw(tmp_path / "means.html")
