"""Released maps in the studio: read, asked, drawn, exported and compared, by whoever has the file and nothing else."""

import dataclasses
import os
import re
import zipfile

import pytest
from builders import records
from builders.pages import Watch, axe_faults, launched, until
from builders.studios import studio

from dpmap.record import About
from dpmap.releases.release import Release
from dpmap.studio import compare_page
from dpmap.studio.folder import short

WEST = {"zones": short("west.geojson")}
ZONES = (
    '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"West <b>wood</b>"},"geometry":'
    '{"type":"Polygon","coordinates":[[[-2.4,40.2],[-1.7,40.2],[-1.7,40.7],[-2.4,40.7],[-2.4,40.2]]]}}]}'
)
PLANTED = """<!doctype html><title>planted</title><p id="said">began</p><script>
(async () => {
  const got = [];
  const attempt = async (name, act) => { try { await act(); got.push(name); } catch {} };
  await attempt("the page around", () => parent.document.title);
  await attempt("cookies", () => document.cookie);
  await attempt("storage", () => localStorage.length);
  await attempt("the studio", () => fetch("/releases"));
  await attempt("the window", () => { top.location = "/ledgers"; });
  const form = Object.assign(document.createElement("form"), { method: "post", action: "/stop" });
  document.body.append(form);
  form.submit();
  document.querySelector("#said").textContent = `reached: ${got.join(", ")}`;
})();
</script>"""


def release(browser, name="map.dpmap", governance=None, dataset="Raptor survey 2026", record=None):
    """Puts a released map into the studio's folder, and returns its page's address."""
    made = record or records.told_of(records.GRIDS["all zero"](), noise=0.5, dataset=dataset)[0]
    about = About.from_mapping(
        {**made.about.to_dict(), **({"governance": governance} if governance else {})}
    )
    place = browser.folder / name
    place.parent.mkdir(exist_ok=True)
    Release(dataclasses.replace(made, about=about)).save(place)
    return f"/release/{short(name)}"


@pytest.fixture
def browser(tmp_path):
    """A studio whose folder holds a file of zones and no survey."""
    opened = studio(tmp_path, "districts.gpkg")
    (opened.folder / "west.geojson").write_text(ZONES)
    return opened


def test_a_planner_reads_what_a_map_promises(browser):
    """The released file alone says whom it protects, how far, and who answers for it; neither survey nor ledger is there."""
    place = release(
        browser, governance={"authorised_by": "Elders of the valley", "expires": "2999-12-31"}
    )
    assert place in browser.get("/releases").text
    shown = browser.get(place).text
    for words in (
        "can change by more than a factor of 1.65",
        "Elders of the valley",
        "2999-12-31",
        "What it does not protect",
    ):
        assert words in shown
    assert "Do not use this map" not in shown


def test_a_map_whose_last_day_has_passed_says_so(browser):
    """Nobody uses an expired map by mistake."""
    shown = browser.get(release(browser, governance={"expires": "2020-12-31"})).text
    assert "Do not use this map any more" in shown


def test_names_from_a_strangers_file_are_text(browser):
    """What a released file or a file of zones is called, and what they hold, is never markup."""
    place = release(browser, '"><img src=x>.dpmap', dataset="<script>alert(1)</script>")
    asked = browser.finished(browser.post(f"{place}/ask", WEST))
    for page in (browser.get(place), browser.get("/releases"), asked):
        assert page.status == 200
        assert not re.search("<img src=x|<script>alert|<b>wood", page.text)
    assert "West &lt;b&gt;wood" in asked.text


def test_a_map_is_asked_about_zones(browser):
    """Each zone has its estimate and interval, and words where it is not distinguishable from none; the answers are kept when wanted."""
    place = release(browser)
    asked = browser.finished(browser.post(f"{place}/ask", {**WEST, "level": "0.95"}))
    assert re.search("surely holds something|not distinguishable from none", asked.text)
    assert "95 % of the time" in asked.text
    (browser.folder / "west-answers.md").write_text("mine")
    browser.finished(browser.post(f"{place}/ask", {"path": "west.geojson", "keep": ".md"}))
    assert (browser.folder / "west-answers.md").read_text() == "mine"
    assert "West" in (browser.folder / "west-answers-2.md").read_text()


def test_what_cannot_be_asked_is_said_on_the_form(browser):
    """The form is shown again with one line of help, and with what was typed."""
    place = release(browser)
    for fields, help_given in (
        ({"path": ""}, "choose a file of zones"),
        ({"path": "../west.geojson"}, "leads out of the folder"),
        ({**WEST, "zones_layer": "none such"}, "none such"),
    ):
        page = browser.finished(browser.post(f"{place}/ask", fields))
        assert page.status == 400
        assert help_given in page.text
        if page.place.endswith("/ask"):
            assert f'value="{fields.get("path", "")}"' in page.text


def test_a_map_is_drawn_and_exported_again(browser):
    """Pictures and layers go beside the release under new names, and the page shows and hands them out."""
    place = release(browser, "valley/release.dpmap")
    (browser.folder / "valley" / "cells.qml").write_text("mine")
    drawn = browser.finished(
        browser.post(f"{place}/draw", {"ending": ".png", "what": "high", "show": "cells"})
    )
    picture = browser.get(re.search(r'src="(/release/[^"]*/look/[^"]*)"', drawn.text)[1])
    assert picture.headers["content-type"] == "image/png"
    written = browser.finished(browser.post(f"{place}/export", {"suffix": ".tif"}))
    saved = browser.get(
        re.search(r'href="([^"]*)" aria-label="Download valley/cells-2.tif"', written.text)[1]
    )
    assert saved.headers["content-disposition"] == "attachment; filename*=UTF-8''cells-2.tif"
    assert saved.content == (browser.folder / "valley" / "cells-2.tif").read_bytes()
    assert (browser.folder / "valley" / "cells.qml").read_text() == "mine"


def test_only_files_of_the_map_are_handed_out(browser):
    """A survey in the same folder, a link and the files of another map are not; of a folder made by a release all plain files but data under other names are."""
    place, other = release(browser, "valley/release.dpmap"), release(browser, "hill.dpmap")
    secret = browser.folder / "sightings.csv"
    secret.write_text("secret")
    (browser.folder / "valley" / "notes.md").write_text("public")
    os.symlink(secret, browser.folder / "valley" / "link.txt")
    assert browser.get(f"{place}/file/{short('valley/notes.md')}").text == "public"
    for start, name in (
        (place, "valley/link.txt"),
        (place, "hill.dpmap"),
        (other, "sightings.csv"),
        (other, "valley/notes.md"),
    ):
        assert browser.get(f"{start}/file/{short(name)}").status == 400


def test_a_survey_in_the_folder_of_a_map_is_not_handed_out_as_its_file(browser):
    """Where a map was released into the folder of its survey, neither rows nor ledger nor flags are offered as files of the map."""
    place = release(browser, "valley/release.dpmap")
    for name in ("nests.csv", "nests.gpkg", "rows.ZIP", "dpmap.ledger", "dpmap.toml"):
        (browser.folder / "valley" / name).write_text("secret")
        assert browser.get(f"{place}/file/{short(f'valley/{name}')}").status == 400
    for name in ("cells.csv", "map-2.geojson", "answers.md"):
        (browser.folder / "valley" / name).write_text("public")
        assert browser.get(f"{place}/file/{short(f'valley/{name}')}").text == "public"


def test_what_describes_a_map_to_catalogues_is_handed_out(browser):
    """The folder `metadata` and the attestation are the map's own files, whatever their endings; a table beside them is not."""
    place = release(browser, "valley/release.dpmap")
    (browser.folder / "valley" / "metadata").mkdir()
    for name in (
        "metadata/datacite.json",
        "metadata/dcat.jsonld",
        "metadata/restricted-access.md",
        "attestation.json",
    ):
        (browser.folder / "valley" / name).write_text("public")
        assert browser.get(f"{place}/file/{short(f'valley/{name}')}").text == "public"
    for name in ("metadata/rows.json", "metadata/datacite.csv.zip"):
        (browser.folder / "valley" / name).write_text("secret")
        assert browser.get(f"{place}/file/{short(f'valley/{name}')}").status == 400


def test_a_file_that_is_no_release_is_one_line(browser):
    """A truncated map, another file under its name and one that unpacks to far more are refused, and the studio goes on."""
    release(browser)
    whole = (browser.folder / "map.dpmap").read_bytes()
    (browser.folder / "cut.dpmap").write_bytes(whole[: len(whole) // 2])
    (browser.folder / "other.dpmap").write_text(ZONES)
    with zipfile.ZipFile(browser.folder / "bomb.dpmap", "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("dpmap.json", b" " * (200 << 20))
    (browser.folder / "valley.dpmap").mkdir()
    for name in ("cut.dpmap", "other.dpmap", "bomb.dpmap"):
        page = browser.get(f"/release/{short(name)}")
        assert page.status == 400
        assert "Not yet:" in page.text
        assert name in page.text
        assert browser.get(f"/release/{short(name)}/map").status == 400
    assert browser.get("/releases").status == 200
    assert browser.post("/releases", {"path": "valley.dpmap"}).status == 400


def test_intervals_that_meet_tell_no_change():
    """Two answers differ in words only where their intervals are apart."""
    zones = [
        [dict(estimate=e, low=e - 5, high=e + 5) for e in values]
        for values in ((10.0, 10.0, 40.0), (14.0, 30.0, 9.0))
    ]
    words = [row["words"] for row in compare_page.pair_answers(*({"zones": one} for one in zones))]
    assert words == [
        "overlap: no change is told",
        "apart: the second is higher",
        "apart: the first is higher",
    ]


def test_two_maps_are_compared(browser):
    """The page says which facts differ, warns of looking alone, and asks both about the same zones."""
    release(browser, "one.dpmap")
    release(browser, "other.dpmap", dataset="Raptors of the coast")
    ids = {"one": short("one.dpmap"), "other": short("other.dpmap")}
    assert browser.post("/releases/compare", {**ids, "other": ids["one"]}).status == 400
    page = browser.post("/releases/compare", ids)
    assert "do not tell whether a" in page.text
    assert "<strong>different</strong>" in page.text
    assert browser.get(f"/release/{ids['one']}/picture").content[:4] == b"\x89PNG"
    both = browser.finished(browser.post(f"{page.place}/ask", WEST))
    assert "overlap: no change is told" in both.text


def opened_in(chromium, browser, place):
    """Opens a page of the studio in a real browser, and returns it with the frame of its map."""
    watch = Watch(chromium)
    watch.context.add_cookies(
        [{"name": browser.keys.name, "value": browser.keys.cookie, "url": f"http://{browser.host}"}]
    )
    watch.page.goto(f"http://{browser.host}{place}")
    return watch, next(frame for frame in watch.page.frames if frame != watch.page.main_frame)


def test_a_planted_page_reaches_nothing(browser):
    """A map.html that somebody put beside a release runs in a box: no cookie, no page around it, no form, no request."""
    place = release(browser, "valley/release.dpmap")
    (browser.folder / "valley" / "map.html").write_text(PLANTED)
    with launched() as chromium:
        watch, frame = opened_in(chromium, browser, place)
        until(frame, "document.querySelector('#said').textContent !== 'began'")
        assert frame.inner_text("#said") == "reached:"
        assert watch.page.url.endswith(place)
        assert not [
            url for url in watch.requests if url.endswith(("/stop", "/ledgers", "/releases"))
        ]


def test_the_map_works_in_its_box(browser):
    """A map drawn now from the release turns, shows cells and hands out its layer, within the page and alone."""
    place = release(browser, record=records.case("blocks")[0])
    with launched() as chromium:
        watch, frame = opened_in(chromium, browser, place)
        frame.wait_for_selector("html[data-ready]")
        frame.get_by_text("Single cells", exact=True).click()
        with watch.page.expect_download() as handed:
            frame.get_by_text("GeoJSON", exact=True).click()
        assert handed.value.suggested_filename.endswith("cells.geojson")
        watch.page.goto(f"http://{browser.host}{place}/map")
        watch.page.wait_for_selector("html[data-ready]")
        assert watch.page.evaluate("origin") == "null"
        assert not [said for said in watch.complaints if "Error" in said]


def test_axe_finds_nothing_in_light_dark_and_at_phone_size(browser):
    """A released map, its answers and two maps side by side have no fault with everything open, and nothing wider than the screen."""
    place = release(browser, "one.dpmap", governance={"expires": "2020-12-31"})
    release(browser, "other.dpmap")
    asked = browser.finished(browser.post(f"{place}/ask", WEST)).place
    pair = browser.post(
        "/releases/compare", {"one": short("one.dpmap"), "other": short("other.dpmap")}
    ).place
    both = browser.finished(browser.post(f"{pair}/ask", WEST)).place
    with launched() as chromium:
        watch, frame = opened_in(chromium, browser, place)
        frame.wait_for_selector("html[data-ready]")
        for shown in ("/releases", place, asked, pair, both):
            watch.page.goto(f"http://{browser.host}{shown}")
            watch.page.evaluate(
                "for (const one of document.querySelectorAll('details')) one.open = true"
            )
            for scheme, width in (("light", 1000), ("dark", 1000), ("light", 320)):
                watch.page.emulate_media(color_scheme=scheme)
                watch.page.set_viewport_size({"width": width, "height": 800})
                assert axe_faults(watch.page) == []
                assert watch.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_files_of_a_map_can_be_handed_out_from_a_phone(browser):
    """Each file's link to download stands on a screen of 390 points without scrolling sideways, and whom to give what stands above."""
    place = release(browser, "the map of all raptors/release.dpmap")
    kept = browser.folder / "the map of all raptors"
    for name in (
        "attestation.html",
        "map.html",
        "metadata/restricted-access.json",
        "metadata/tableschema.json",
    ):
        (kept / name).parent.mkdir(exist_ok=True)
        (kept / name).write_text("{}")
    with launched() as chromium:
        watch, _ = opened_in(chromium, browser, place)
        watch.page.set_viewport_size({"width": 390, "height": 800})
        assert watch.page.locator("text=your board").is_visible()
        links = watch.page.get_by_role("link", name="Download").all()
        assert len(links) >= 5
        for box in (link.bounding_box() for link in links):
            assert box["x"] + box["width"] <= 390
        assert axe_faults(watch.page) == []
