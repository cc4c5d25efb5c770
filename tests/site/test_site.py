"""The site as a reader meets it: built without a warning, whole, found, quiet on the network and open to all.

It is built once for this file. `DPMAP_DEEP=1` looks at every page with axe instead of one of each kind, and builds twice.
"""

import filecmp
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from urllib.parse import quote

import pytest
from builders.pages import Watch, axe_faults, driver, hosts_asked, launched

import dpmap as dm

ROOT = Path(__file__).parents[2]
DEEP = os.environ.get("DPMAP_DEEP") == "1"
sys.path.insert(0, str(ROOT / "docs" / "site"))

import command_pages  # noqa: E402  # found by the line above
import link_check  # noqa: E402
import navigation  # noqa: E402
from api_pages import members, public  # noqa: E402
from links import BrokenLink, Links  # noqa: E402

KINDS = (
    "index.html", "start/steward.html", "choose/epsilon.html", "howto/areas-and-cells.html", "tutorials/index.html", "tutorials/2_the_planner_reads_it.html",
    "reference/commands/release.html", "reference/api/releasing.html", "promise.html", "audit.html", "glossary.html",
    "decisions/index.html", "search.html",
)  # fmt: skip
"""A page of each kind."""


def build(out: Path, seed: str = "0") -> None:
    """Builds the site in a process of its own, as `make docs` does."""
    settings = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PYTHONHASHSEED": seed,
        "PYTHONWARNINGS": "default",
    }
    run = subprocess.run(
        [sys.executable, ROOT / "docs" / "site" / "build_site.py", out],
        env=settings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    out = tmp_path_factory.mktemp("site") / "docs"
    build(out)
    return out


@pytest.fixture(scope="module")
def browser():
    """One Chromium for all pages."""
    with driver(), launched() as opened:
        yield opened


def opened(browser, path: Path, query: str = "", **options):
    """A page of the site, opened from the disk."""
    watch = Watch(browser, **options)
    watch.page.goto(path.resolve().as_uri() + query)
    return watch


def test_the_site_is_built_and_every_link_in_it_leads_somewhere(site: Path) -> None:
    """Every link and anchor of every page is there, and no page would load anything from elsewhere."""
    assert (site / "index.html").exists()
    assert link_check.broken(site) == []
    assert len(link_check.pages(site)) > 100


def test_the_link_check_notices_what_is_broken(tmp_path: Path) -> None:
    """A missing page, a missing anchor, a bad address and anything fetched from elsewhere are each named."""
    (tmp_path / "b.html").write_text('<p id="here"></p>')
    (tmp_path / "a.html").write_text(
        '<a href="b.html#here"></a><a href="c.html"></a><a href="b.html#gone"></a><a href="http://a b"></a>'
        '<img src="https://example.org/x.png"><script src="//example.org/x.js"></script><style>p {background: url(http://example.org/x)}</style>'
    )
    assert len(link_check.broken(tmp_path)) == 6


def test_a_link_to_what_is_not_there_ends_the_build(tmp_path: Path) -> None:
    """A page that links to a file which is not in the repository is refused, by name."""
    links = Links(tmp_path, {}, {}, set())
    with pytest.raises(BrokenLink, match=r"docs/page.md: gone.md"):
        links.rewrite("See [it](gone.md).", "docs/page.md", "page")
    assert (
        links.rewrite("`[it](gone.md)`\n```\n[it](gone.md)\n```", "docs/page.md", "page").count(
            "gone.md"
        )
        == 2
    )


def test_every_page_is_in_the_navigation(site: Path) -> None:
    """Whatever page somebody writes under docs/ is built, and stands once in the tree that the reader sees."""
    written = navigation.written()
    docs = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert docs <= set(written), docs - set(written)
    tree = [
        name
        for below in navigation.tree([*navigation.GENERATED, *written.values()]).values()
        for name in below
    ]
    assert len(tree) == len(set(tree))
    for name in written.values():
        assert name == "index" or name in tree, name
        assert (site / f"{name}.html").exists(), name


def test_a_page_that_appears_is_found() -> None:
    """A new page of a folder hangs below that folder's first page, and one that nobody placed is not lost."""
    tree = navigation.tree(
        [*navigation.written().values(), "howto/new", "algebra/new", "unheard-of"]
    )
    assert "howto/new" in tree["howto/index"]
    assert "algebra/new" in tree["algebra/index"]
    assert "unheard-of" in tree["project/index"]


def test_every_command_and_every_flag_is_in_the_reference(site: Path) -> None:
    """Each command has a page, with every flag and argument that its help lists, in the help's own words."""
    for one in command_pages.commands():
        text = (site / f"{one.docname}.html").read_text("utf-8")
        plain = (
            re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", text))
            .replace("&lt;", "<")
            .replace("&gt;", ">")
        )
        assert one.words in plain
        for flag in one.command.params:
            if command_pages.is_argument(flag):
                assert (flag.metavar or flag.name.upper()) in plain, (one.words, flag.name)
            for name in flag.opts if not command_pages.is_argument(flag) else ():
                assert f'id="cmdoption-{one.words.replace(" ", "-")}-{name.lstrip("-")}"' in text, (
                    one.words,
                    name,
                )
    index = (site / "reference/commands/index.html").read_text("utf-8")
    assert all(one.words in re.sub(r"<[^>]+>", "", index) for one in command_pages.commands())


def test_every_public_name_is_in_the_reference(site: Path) -> None:
    """Each public name has its place, each class its public methods, each module its own names, each a link to its source."""
    text = "".join(path.read_text("utf-8") for path in (site / "reference" / "api").glob("*.html"))
    wanted = []
    for name in dm.__all__:
        thing = getattr(dm, name)
        wanted.append(f"module-dpmap.{name}" if isinstance(thing, ModuleType) else f"dpmap.{name}")
        inner = public(thing) if isinstance(thing, ModuleType) else []
        wanted += [f"dpmap.{name}.{own}" for own, _ in inner]
        wanted += (
            [f"dpmap.{name}.{own}" for own, _ in members(thing)] if inspect.isclass(thing) else []
        )
    assert [name for name in wanted if f'id="{name}"' not in text] == []


def test_the_examples_of_docstrings_are_shown(site: Path) -> None:
    """What a docstring shows at the prompt stands in the reference as Python."""
    text = re.sub(r"<[^>]+>", "", (site / "reference/api/promise.html").read_text("utf-8"))
    assert "waiting.cap, waiting.cap_origin, waiting.measuring" in text


def test_notebooks_are_shown_with_the_answers_they_were_saved_with(site: Path) -> None:
    """Each notebook is a page with its pictures, each told in words, and has a card in the gallery."""
    gallery = (site / "tutorials/index.html").read_text("utf-8")
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        text = (site / "tutorials" / f"{path.stem}.html").read_text("utf-8")
        assert text.count("<img") == path.read_text("utf-8").count('"image/png"')
        assert not re.search(r'<img[^>]* alt=""', text)
        assert f'href="{path.stem}.html"' in gallery


@pytest.mark.parametrize(
    "word, page",
    [("ledger", "dpmap ledger"), ("cap", "The cap"), ("--where", "dpmap release --where")],
)
def test_the_search_works_from_the_disk(site: Path, browser, word: str, page: str) -> None:
    """Known words are found in a page that was opened from the disk, and each page found tells its first sentence."""
    watch = opened(browser, site / "search.html", f"?q={word}")
    watch.page.wait_for_function("/found \\d+ page/.test(document.body.innerText)")
    found = watch.page.locator("#search-results li").all_inner_texts()
    assert any(page.lower() in text.lower() for text in found), found[:20]
    assert watch.page.locator("#search-results p.told").count() > 0
    assert watch.outside == []
    assert [text for text in watch.complaints if text.startswith("error")] == []
    watch.close()


def test_each_mark_of_the_promise_is_heard_as_the_test_it_leads_to(site: Path) -> None:
    """Whoever listens to the page hears which test a mark leads to; whoever points at the mark reads it."""
    marks = re.findall(r"<a ([^>]*)>✓</a>", (site / "promise.html").read_text("utf-8"))
    assert len(marks) > 100
    for mark in marks:
        told = re.search(r'aria-label="(Test: [\w ]+)"', mark)
        assert told, mark
        assert f'title="{told[1]}"' in mark


def test_the_list_for_auditors_names_files_as_they_are(site: Path) -> None:
    """File names stand there letter by letter, `__init__.py` too, and break where a small screen ends."""
    text = (site / "audit.html").read_text("utf-8")
    assert "survey/files/__init__.py</span>" in text
    assert "<strong>init</strong>" not in text


@pytest.mark.parametrize(
    "typed, page",
    [
        ("cap", "choose/cap.html"),
        ("offline", "installing.html"),
        ("GeoPackage", "howto/draw-and-export.html"),
        ("--where", "howto/which-rows.html"),
        ("how many volunteers do I need", "howto/plan-before.html"),
        ("UTM", "howto/areas-and-cells.html"),
        ("ledger", "howto/ledger-and-years.html"),
        ("Naturschutzgruppe", "choose/unit.html"),
    ],
)
def test_the_page_that_answers_is_found_first(site: Path, browser, typed: str, page: str) -> None:
    """What a newcomer types leads to the page for her among the first three; decisions, source and changelog come after pages for users."""
    watch = opened(browser, site / "search.html", f"?q={quote(typed)}")
    watch.page.wait_for_function("/found (\\d+|one) page/.test(document.body.innerText)")
    found = watch.page.locator("#search-results li > a").evaluate_all(
        "all => all.map((one) => one.getAttribute('href'))"
    )
    watch.close()
    found = [re.sub(r"[?#].*", "", one) for one in found]
    assert page in found[:3], found[:10]
    users = [
        one.startswith(("choose/", "howto/", "start/", "learn/", "installing", "glossary"))
        for one in found
    ]
    built = [one.startswith(("decisions/", "project/", "source/")) for one in found]
    assert True not in built[: len(users) - users[::-1].index(True)], found


def test_no_page_asks_for_anything_beyond_its_folder(site: Path) -> None:
    """Chromium's own network log is empty while pages of each kind are opened, searched and read."""

    def read(watch: Watch) -> None:
        for page in KINDS:
            if (site / page).exists():
                watch.page.goto((site / page).resolve().as_uri())
        watch.page.goto((site / "search.html").resolve().as_uri() + "?q=epsilon")
        watch.page.wait_for_function("/found \\d+ page/.test(document.body.innerText)")
        assert watch.outside == []

    assert hosts_asked(read) == set()


def looked_at(site: Path) -> list[str]:
    """One page of each kind; in deep runs all of them, but one file of the source stands for the others."""
    every = [path.relative_to(site).as_posix() for path in link_check.pages(site)]
    written = [page for page in every if not page.startswith("source/")]
    source = min(
        (page for page in every if page.startswith("source/")),
        key=lambda page: (site / page).stat().st_size,
    )
    return [*(written if DEEP else [page for page in KINDS if page in written]), source]


@pytest.mark.parametrize(
    "scheme, width",
    [("light", 1280), ("dark", 360), *([("dark", 1280), ("light", 360)] if DEEP else [])],
)
def test_pages_are_open_to_all(site: Path, browser, scheme: str, width: int) -> None:
    """axe finds nothing in light and in dark, on a desk and on a phone, and no page scrolls sideways."""
    pages = looked_at(site)
    assert pages
    wrong = {}
    watch = Watch(browser, width=width, color_scheme=scheme)
    for page in pages:
        watch.page.goto((site / page).resolve().as_uri())
        faults = axe_faults(watch.page)
        if watch.page.evaluate("document.documentElement.scrollWidth > innerWidth + 1"):
            faults.append("scrolls sideways")
        if faults:
            wrong[page] = faults
    watch.close()
    assert wrong == {}


@pytest.mark.deep
@pytest.mark.skipif(not DEEP, reason="DPMAP_DEEP=1 builds the site once more")
def test_the_same_sources_give_the_same_bytes(site: Path, tmp_path: Path) -> None:
    """Two builds of the same sources are the same files, byte by byte."""
    build(tmp_path / "docs", seed="7")
    names = sorted(path.relative_to(site) for path in site.rglob("*") if path.is_file())
    assert names == sorted(
        path.relative_to(tmp_path / "docs")
        for path in (tmp_path / "docs").rglob("*")
        if path.is_file()
    )
    assert [
        name
        for name in names
        if not filecmp.cmp(site / name, tmp_path / "docs" / name, shallow=False)
    ] == []
