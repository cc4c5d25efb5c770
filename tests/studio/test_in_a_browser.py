"""A real browser goes the whole way through the studio, by keys alone, without scripts, small, dark and enlarged."""

import re
from urllib.parse import urlsplit

import pytest
from builders.pages import Watch, axe_faults, driver, launched
from builders.releasing import confirmed, ready
from builders.studios import studio
from builders.waiting import until
from builders.whole_way import arrived, walk

LANDMARKS = """
() => {
  const found = [];
  if (document.querySelectorAll("h1").length !== 1) found.push("not one heading of the first rank");
  for (const name of ["header", "main", "footer"]) if (!document.querySelector(name)) found.push(`no ${name}`);
  for (const e of document.querySelectorAll("input:not([type=hidden]), select, textarea"))
    if (!e.labels?.length && !e.getAttribute("aria-label")) found.push(`no label: ${e.outerHTML.slice(0, 80)}`);
  for (const e of document.querySelectorAll("[style]")) if (!e.closest(".leaflet-container")) found.push("a style of its own");
  if (document.documentElement.scrollWidth > innerWidth + 1) found.push("the page scrolls sideways");
  return found;
}
"""
LOOKS = {
    "light": (1280, "light"),
    "dark": (1280, "dark"),
    "a phone": (360, "light"),
    "twice as large": (640, "dark"),  # 200 % of a window of 1280 points leaves 640
}


@pytest.fixture(scope="module")
def browsing():
    with driver(), launched() as browser:
        yield browser


def faults(page):
    """What axe, and a look at headings, landmarks, labels and widths, find on a page in each look."""
    found = []
    for look, (width, scheme) in LOOKS.items():
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        found += [(look, fault) for fault in (*axe_faults(page), *page.evaluate(LANDMARKS))]
    page.set_viewport_size({"width": 1280, "height": 800})
    page.emulate_media(color_scheme="light")
    return found


def test_the_whole_way_goes_by_keys_alone(tmp_path, browsing):
    """From a file to a released map without a mouse; every page on the way is sound for everybody, and nothing is asked elsewhere."""
    opened, watch, wrong = studio(tmp_path), Watch(browsing), {}

    def seen(name):
        if found := faults(watch.page):
            wrong[name] = found

    walk(watch.page, opened.keys.address(), seen)
    arrived(watch.page, "h1:has-text('released'), h1:has-text('Released')")
    seen("released")
    assert not wrong
    assert (opened.folder / "raptors-map" / "release.dpmap").exists()
    hosts = {urlsplit(url).netloc for url in watch.requests if url.startswith("http")}
    assert hosts == {opened.host}
    refused = [
        one
        for one in watch.complaints
        if "Content Security Policy" in one or "error" in one.lower()
    ]
    assert not refused
    watch.close()


@pytest.mark.usefixtures("warm_commands")
def test_every_page_is_sound_for_everybody(tmp_path, browsing):
    """Released maps, ledgers and help have no fault in any look, and each links only to pages that are there."""
    opened, watch = studio(tmp_path), Watch(browsing)
    finished = opened.finished(confirmed(opened, ready(opened)))
    assert "Released" in finished.text
    page, todo, done, wrong = watch.page, ["/"], set(), {}
    page.goto(opened.keys.address())
    arrived(page, "h1:has-text('Private maps')")
    while todo:
        place = todo.pop()
        if (shape := re.sub(r"[0-9a-f]{12}", "ID", place)) in done:
            continue
        done.add(shape)
        answer = page.goto(f"http://{opened.host}{place}")
        assert answer.status == 200, place
        if (
            "text/html" not in answer.headers["content-type"]
            or "sandbox" in answer.headers["content-security-policy"]
        ):
            continue
        if (
            "refresh" in answer.headers
        ):  # a map that is still being drawn, in a box of a page or a tab of its own
            continue
        if found := faults(page):
            wrong[place] = found
        links = page.eval_on_selector_all(
            "main a[href], nav a[href]",
            "all => all.map((e) => [e.getAttribute('href'), e.download])",
        )
        todo += [
            link.partition("#")[0]
            for link, file in links
            if link.startswith("/") and not file and "/file/" not in link
        ]
    assert not wrong
    assert {"/releases", "/ledgers", "/help"} <= done
    watch.close()


@pytest.mark.usefixtures("warm_commands")
def test_pages_work_without_scripts(tmp_path, browsing):
    """Where scripts are off, a map is begun, read and planned all the same."""
    opened, watch = studio(tmp_path), Watch(browsing, java_script_enabled=False)
    page = watch.page
    page.goto(opened.keys.address())
    page.wait_for_selector("h1:has-text('Private maps')")
    page.click("button:has-text('raptors.csv')")
    page.check("text=A file of this folder")
    page.select_option("[name=area]", label="study_area.gpkg")
    page.locator("main button:has-text('Go on'):visible").click()
    with page.expect_navigation():  # a reload amid that of the click would find no page
        page.click("button:has-text('Rehearse three maps')")
    legend = page.locator("legend:has-text('How strong is the protection?')")
    until(lambda: page.reload() and legend.count(), lambda: page.locator("main").inner_text())
    watch.close()
