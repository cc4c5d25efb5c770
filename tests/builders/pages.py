"""A real Chromium for the tests of the interactive map, and what they ask it: its network log, faults, overlaps."""

import json
import re
import shutil
import tempfile
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from builders import waiting

INSTALL = "Chromium is missing; type: apt-get install -y chromium"
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions"]  # fmt: skip
OUTSIDE = re.compile(r"(?:https?|wss?|ftp)://[^\s\"'\\<>)]+")
OVERLAPS = """
() => {
  const shown = (e) => e.checkVisibility() && e.getClientRects().length && getComputedStyle(e).clipPath === "none";
  const name = (e) => e.id || e.className || e.tagName;
  const found = [];
  const groups = [".dp-panel", ".dp-panel > section", ".dp-panel > header", ".dp-layers", ".dp-buttons", ".dp-legend",
    ".dp-answers", ".dp-answers li", "#dp-corners", ".dp-layout", ".dp-drawing"];
  for (const group of groups.flatMap((g) => [...document.querySelectorAll(g)])) overlaps([...group.children]);
  overlaps([...document.querySelectorAll(".leaflet-control, .dp-drawing, .dp-provenance, .dp-tiles, .dp-panel")]);
  for (const e of document.querySelectorAll(".dp-page *")) {
    const box = e.getBoundingClientRect();
    if (e.closest(".leaflet-pane, .dp-scroll") || !shown(e)) continue;
    if (box.right > innerWidth + 1 || box.left < -1) found.push(`${name(e)} sticks out of the page`);
    if (e.matches(".dp-panel *") && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0 && getComputedStyle(e).display !== "inline")
      found.push(`${name(e)} overflows`);
  }
  if (document.documentElement.scrollWidth > innerWidth + 1) found.push("the page scrolls sideways");
  return found;
  function overlaps(all) {
    const boxes = all.filter(shown).map((e) => [e, e.getBoundingClientRect()]);
    for (const [i, [a, p]] of boxes.entries()) for (const [b, q] of boxes.slice(i + 1)) {
      if (a.contains(b) || b.contains(a)) continue;
      const width = Math.min(p.right, q.right) - Math.max(p.left, q.left);
      const height = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
      if (width > 1 && height > 1) found.push(`${name(a)} overlaps ${name(b)}`);
    }
  }
}
"""


def chromium():
    """The browser's path; a missing browser is a failure, never a reason to skip."""
    path = (
        shutil.which("chromium")
        or shutil.which("chromium-browser")
        or shutil.which("google-chrome")
    )
    assert path, INSTALL
    return path


_drivers = []


@contextmanager
def driver():
    """Playwright, running; it holds the thread's event loop, so it must end before tests of another kind begin."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        _drivers.append(playwright)
        try:
            yield
        finally:
            _drivers.pop()


@contextmanager
def launched(*flags):
    """A headless Chromium, by the Playwright that runs already or by its own."""
    if not _drivers:
        with driver(), launched(*flags) as browser:
            yield browser
        return
    browser = _drivers[-1].chromium.launch(
        executable_path=chromium(), args=[*QUIET, *flags], timeout=1000 * waiting.LONG
    )
    try:
        yield browser
    finally:
        browser.close()


def patient(opened):
    """Returns a page, or a context of pages, that waits for what it is asked however long that takes on a busy machine."""
    opened.set_default_timeout(1000 * waiting.LONG)
    return opened


class Watch:
    """A page with everything it asked for and complained of."""

    def __init__(self, browser, width=1280, height=900, **options):
        self.context = patient(
            browser.new_context(viewport={"width": width, "height": height}, **options)
        )
        self.page = self.context.new_page()
        self.requests, self.complaints = [], []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on(
            "console", lambda message: self.complaints.append(f"{message.type}: {message.text}")
        )
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def open(self, path):
        """Opens a saved map and waits until its cells are drawn."""
        self.page.goto(Path(path).resolve().as_uri())
        self.page.wait_for_selector("html[data-ready]")
        return self.page

    @property
    def outside(self):
        """What it asked for beyond its own file."""
        return [
            url
            for url in self.requests
            if not url.startswith(("file:", "data:", "blob:", "about:"))
        ]

    def close(self):
        self.context.close()


def hosts_asked(act):
    """The hosts in Chromium's own network log while `act(watch)` runs, apart from those an empty page asks for too."""
    return _hosts(act) - _own_hosts()


@lru_cache(maxsize=1)
def _own_hosts():
    return _hosts(lambda watch: watch.page.goto("data:text/html,<p>nothing"))


def _hosts(act):
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "net.json")
        with launched(f"--log-net-log={log}") as browser:
            watch = Watch(browser)
            act(watch)
            watch.close()
        text = log.read_text(errors="ignore")
    found = {re.sub(r"^\w+://([^/:]+).*", r"\1", url) for url in OUTSIDE.findall(text)}
    return {host for host in found if host not in ("127.0.0.1", "localhost")}


def axe_faults(page):
    """All faults that axe-core finds in a page, the minor ones too."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [(fault["id"], [node["html"][:120] for node in fault["nodes"]]) for fault in found]


def in_page(page, script, *arguments):
    """The value of a function in the page, which may use the page's one name, `dpmap` (dpmap/render/scripts/main.js)."""
    return page.evaluate(f"(given) => ({script})(...given)", list(arguments))


def until(page, condition):
    """Waits for a condition of the page; asked from outside, since the page's policy forbids Playwright's own way."""
    waiting.until(
        lambda: page.evaluate(condition), condition, pause=lambda: page.wait_for_timeout(20)
    )


def geojson(*features):
    """A GeoJSON text of (name, geometry) pairs."""
    import shapely

    return json.dumps(
        {
            "type": "FeatureCollection",
            "features": [
                {
                    "type": "Feature",
                    "properties": {"name": name},
                    "geometry": json.loads(shapely.to_geojson(shape)),
                }
                for name, shape in features
            ],
        }
    )
