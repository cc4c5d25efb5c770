"""The studio's folder: nothing outside is read, links and pipes are passed over, and hostile names are only names."""

import contextlib
import os
import re
import sqlite3
from pathlib import Path

import geopandas
import pytest
from builders.studios import SAMPLES, studio

from dpmap.errors import BadInput, DpmapError
from dpmap.studio import drafts
from dpmap.studio.folder import BrowsedFolder, short

HOSTILE = [
    '<img src=x onerror="alert(1)">.csv', "'\"><script>alert(1)<.csv", "a\nb.csv", "a\tb.csv", "nests\u202efdp.csv", "-rf.csv", "--config=x.csv",
    "{{ 7*7 }}{% raw %}.csv", "a;b&c|d$(e)`f`.csv", "%2e%2e.csv", "[a-z]*?.csv", "x" * 240 + ".csv", "\x1b[31mred.csv", " .csv", "..csv.csv",
]  # fmt: skip


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    place = tmp_path_factory.mktemp("folder")
    (place / "private.csv").write_text("lon,lat,witness\n1,2,Zanzibarwitness\n")
    return studio(place)


@pytest.mark.parametrize(
    "path", ["../private.csv", "..", ".", "/", "/etc/passwd", "a/../../private.csv", "..\\private.csv", "%2e%2e/private.csv", "~/private.csv",
             "raptors.csv\0.gpkg", "file:///etc/passwd", "https://example.org/a.csv", "/dev/stdin", "/proc/self/environ", "raptors.csv/../../private.csv",
             "\\\\host\\share\\a.csv", "C:\\a.csv", "x" * 100_000, "a/" * 3000],
)  # fmt: skip
def test_a_path_that_leads_out_of_the_folder_is_refused_in_words(browser, path):
    """Whatever is typed as a path, nothing outside the folder is read, and the page says in one line what to do."""
    found = browser.post("/begin", {"path": path, "dataset": "Raptors"})
    assert found.status == 400
    assert "Zanzibarwitness" not in found.text
    assert not list(browser.folder.glob("*.toml"))


@pytest.mark.parametrize("place", ["/assets/../auth.py", "/assets/%2e%2e/auth.py", "/assets/..%2fauth.py", "/../../etc/passwd", "//etc/passwd", "/assets//etc/passwd",
                                   "/map/../../private.csv/data", "/release/..%2f..%2fprivate/map", "/job/..%00", "/map/%ff/data"])  # fmt: skip
def test_an_address_names_no_file(browser, place):
    """A page's address holds short names that only this folder's files have: a path in it is no page."""
    found = browser.ask("GET", place)
    assert found.status in (400, 404)
    assert "Zanzibarwitness" not in found.text
    assert "hmac" not in found.text


def test_links_and_pipes_are_not_in_the_folder(tmp_path):
    """A link, to a file or to a folder, and a pipe or device are neither listed nor opened, and nothing waits for them."""
    browser = studio(tmp_path)
    (tmp_path / "private").mkdir(exist_ok=True)
    (tmp_path / "private" / "other.csv").write_text("lon,lat\n1,2\n")
    (browser.folder / "link.csv").symlink_to(tmp_path / "private" / "other.csv")
    (browser.folder / "here.csv").symlink_to("raptors.csv")
    (browser.folder / "way").symlink_to(tmp_path / "private")
    os.mkfifo(browser.folder / "pipe.csv")
    os.mkfifo(browser.folder / "pipe.toml")
    (browser.folder / "null.csv").symlink_to("/dev/zero")
    shown = browser.get("/").text
    assert "raptors.csv" in shown
    for name in ("link.csv", "here.csv", "way", "pipe", "null.csv", "other.csv"):
        assert f">{name}" not in shown
        found = browser.post(
            "/begin",
            {
                "path": "way/other.csv"
                if name == "way"
                else f"{name}.csv".replace(".csv.csv", ".csv"),
                "dataset": "x",
            },
        )
        assert found.status == 400
    assert not (browser.folder / "x.toml").exists()


@pytest.mark.parametrize(
    "line",
    ['survey = "pipe.csv"', 'survey = ["raptors.csv", "pipe.csv"]', 'survey = "*.csv"', 'survey = "**/*.csv"', 'survey = "parts"', 'area = "pipe.csv"',
     'ledger = "pipe.csv"', 'context = ["a:/../../outside.gpkg:roads"]', 'context = ["../outside.gpkg"]', 'html = "../inspected.html"', 'to = "/tmp/plan.html"',
     'survey = [{file = "way/other.csv"}]', 'survey = "way/*.csv"', 'survey = "way/../other.csv"', 'survey = "~/other.csv"', 'survey = "spaced.csv "', 'area = ["../outside.gpkg"]', 'survey = ""', 'survey = "a\\u0000b"', "survey = [[]]\nout = '..'"],
)  # fmt: skip
def test_a_file_of_flags_reads_and_writes_nothing_elsewhere(tmp_path, line):
    """Links, pipes, patterns and folders that hold such, and every flag that names a file, are refused before a command sees them."""
    browser = studio(tmp_path)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "other.csv").write_text("lon,lat\n1,2\n")
    (browser.folder / "a:").mkdir()
    (browser.folder / "parts").mkdir()
    (browser.folder / "way").symlink_to(tmp_path / "outside")
    (browser.folder / "parts" / "one.csv").symlink_to(tmp_path / "outside" / "other.csv")
    (browser.folder / "spaced.csv ").symlink_to(tmp_path / "outside" / "other.csv")
    os.mkfifo(browser.folder / "pipe.csv")
    (browser.folder / "bad.toml").write_text(f"{line}\ndataset = 'd'\n")
    found = browser.get(f"/map/{short('bad.toml')}/data")
    assert found.status == 400
    assert "bad.toml" in found.text


def test_a_link_swapped_in_after_the_page_was_shown_is_refused(tmp_path):
    """A file that becomes a link between two clicks is not followed."""
    browser = studio(tmp_path)
    (tmp_path / "other.csv").write_text("lon,lat,witness\n1,2,Zanzibarwitness\n")
    place = browser.begin("raptors.csv")
    (browser.folder / "raptors.csv").unlink()
    (browser.folder / "raptors.csv").symlink_to(tmp_path / "other.csv")
    for found in (
        browser.get(f"{place}/data"),
        browser.post(f"{place}/look"),
        browser.post("/begin", {"survey": short("raptors.csv"), "dataset": "x"}),
    ):
        assert found.status == 400
        assert "witness" not in found.text.lower()


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_name_is_only_a_name(tmp_path, name):
    """A name that holds HTML, a line's end, orders to the screen or a flag is shown as text, chosen by its short name, and read."""
    browser = studio(tmp_path, "study_area.gpkg")
    (browser.folder / name).write_bytes((SAMPLES / "raptors.csv").read_bytes())
    page = browser.get("/").text
    assert not re.search(r"<img|<script>alert|\x1b|\u202e", page.replace("/assets", ""))
    if name.startswith("."):
        return
    found = browser.post("/begin", {"survey": short(name), "dataset": "Raptors 2026"})
    assert found.status == 200, found.text
    assert "lon" in found.text
    assert not re.search(r"<img|<script>alert|\x1b|\u202e", found.text)


@pytest.mark.skipif(os.name == "nt", reason="names are text there")
def test_a_file_name_that_is_no_text_does_not_shut_the_folder(tmp_path):
    """A name in an old encoding is listed with a mark in it; choosing it says that it must be renamed, and all else works."""
    browser = studio(tmp_path)
    raw = os.fsencode(browser.folder) + b"/caf\xe9.csv"
    Path(os.fsdecode(raw)).write_text("lon,lat\n1,2\n")
    page = browser.get("/")
    assert page.status == 200
    assert "caf\ufffd.csv" in page.text
    found = browser.post("/begin", {"survey": short(os.fsdecode(b"caf\xe9.csv")), "dataset": "x"})
    assert found.status == 400
    assert "rename" in found.text
    browser.begin("raptors.csv")


def test_hostile_columns_and_layers_are_only_names(tmp_path):
    """Columns and data sets named in HTML, in quotes, very long or with control characters are shown as text on every page."""
    browser = studio(tmp_path, "study_area.gpkg")
    names = [
        "lon",
        "lat",
        "<script>alert(1)</script>",
        "\"'><img src=x onerror=alert(1)>",
        "{{ 7*7 }}",
        "y" * 5000,
        "a\u202eb",
        "a\x07b",
    ]
    quoted = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    (browser.folder / "hostile.csv").write_text(
        f"{quoted}\n" + ",".join("12345678") + "\n", encoding="utf-8"
    )
    place = browser.begin("hostile.csv", dataset='</title><script>alert(2)</script> "; out = "../x')
    for step in ("data", "who", "where", "sure", "confirm"):
        found = browser.get(f"{place}/{step}")
        assert found.status in (200, 404), found.text
        assert not re.search(r"<script>alert|<img src=x|\u202e|\x07", found.text)
    shown = browser.finished(browser.post(f"{place}/look"))
    assert not re.search(r"<script>alert|<img src=x|\u202e|\x07", shown.text)
    assert not re.search(r"<script>alert", browser.get("/").text)
    flags = drafts.open_draft(
        BrowsedFolder(browser.folder), BrowsedFolder(browser.folder).drafts()[0]
    ).flags
    assert Path(flags["out"]).name == flags["out"]


def test_hostile_layers_are_only_names(tmp_path):
    """Layers named in HTML or in quotes are shown as text, and can be chosen."""
    browser = studio(tmp_path, "study_area.gpkg")
    names = ["<script>alert(1)</script>", "\"'><img src=x onerror=alert(1)>"]
    points = geopandas.GeoDataFrame(
        {"who": ["a", "b"]}, geometry=geopandas.points_from_xy([1, 2], [51, 52]), crs="EPSG:4326"
    )
    for number in range(len(names)):
        points.to_file(browser.folder / "layers.gpkg", layer=f"a{number}", SPATIAL_INDEX="NO")
    with contextlib.closing(sqlite3.connect(browser.folder / "layers.gpkg")) as database:
        for (trigger,) in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            database.execute(f'DROP TRIGGER "{trigger}"')
        for number, name in enumerate(names):
            quoted = name.replace('"', '""')
            database.execute(f'ALTER TABLE a{number} RENAME TO "{quoted}"')
            for table in ("gpkg_contents", "gpkg_geometry_columns", "gpkg_ogr_contents"):
                database.execute(
                    f"UPDATE {table} SET table_name = ? WHERE table_name = ?", (name, f"a{number}")
                )
        database.commit()
    place = browser.begin("layers.gpkg")
    page = browser.get(f"{place}/data").text
    assert "&lt;script&gt;alert(1)" in page
    for name in names:
        found = browser.change(f"{place}/data", texts="yes", stay="yes", layer=name)
        assert found.status == 200
        assert not re.search(r"<script>alert|<img src=x", page + found.text)


@pytest.mark.parametrize(
    "content",
    [b"x = 1\n" * 2_000_000, b"x = " + b"[" * 100_000, b"x = " + b"[" * 800 + b"]" * 800, b"x = " + b"9" * 100_000, b"\xff\xfe", b"\0", b"", b"survey = 5",
     b"survey = 2020-01-01", b"survey = [[['raptors.csv']]]", b"survey = nan", b"[survey]\nfile = 5", b"resume = true\nconfig = 'other.toml'\nsurvey = 'raptors.csv'",
     b"survey = 'raptors.csv'\ndataset = [1, {a = 2}]\nledger = 3\nout = 4\nlabel = 1979-05-27T07:32:00Z", b'"<b>" = 1\nsurvey = "raptors.csv"',
     b"x.y.z = 1\n'\\u0000' = 2\nsurvey = 'raptors.csv'"],
)  # fmt: skip
def test_a_hostile_file_of_flags_breaks_no_page(tmp_path, content):
    """A file of flags that is huge, deep, broken or full of surprises is refused in words or read; the first page stays."""
    browser = studio(tmp_path)
    (browser.folder / "dpmap.toml").write_bytes(content)
    assert browser.get("/").status == 200
    for step in ("data", "who", "where", "sure", "confirm"):
        found = browser.get(f"/map/{short('dpmap.toml')}/{step}")
        assert found.status in (200, 400, 404), found.text
        assert "<b>" not in found.text.replace(f"<b>{browser.folder.name}</b>", "")
    found = browser.post(f"/map/{short('dpmap.toml')}/again")
    assert found.status in (200, 400), found.text


def test_a_folder_of_very_many_files_is_shown(tmp_path):
    """Among 20,000 files the first page lists a share; a file that it leaves off is found by its path."""
    browser = studio(tmp_path)
    many = browser.folder / "many"
    many.mkdir()
    for number in range(20_000):
        (many / f"{number}.csv").touch()
    page = browser.get("/").text
    assert "raptors.csv" in page
    assert "more files than are listed" in page
    assert page.count('name="survey"') < 1000
    (many / "z.csv").write_bytes((SAMPLES / "raptors.csv").read_bytes())
    assert browser.post("/begin", {"path": "many/z.csv", "dataset": "x"}).status == 200


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the system's owner may read all"
)
def test_a_folder_without_rights_below_is_passed_over(tmp_path):
    """A folder that may not be looked into is as if it were empty."""
    browser = studio(tmp_path)
    (browser.folder / "shut").mkdir(mode=0)
    assert browser.get("/").status == 200


def test_files_that_vanish_while_they_are_listed_are_passed_over(tmp_path, monkeypatch):
    """A file deleted while the folder is read makes no page fail."""
    browser = studio(tmp_path)
    usual = os.scandir

    class Gone:
        name, path = "gone.csv", str(browser.folder / "gone.csv")

        def is_symlink(self):
            return False

        def is_dir(self, **_):
            return False

        def stat(self, **_):
            raise FileNotFoundError

    class Listed:
        def __init__(self, place):
            self.inner = usual(place)

        def __enter__(self):
            return iter([Gone(), *self.inner])

        def __exit__(self, *_):
            self.inner.close()

    monkeypatch.setattr(os, "scandir", Listed)
    assert [one.name for one in BrowsedFolder(browser.folder).files(".csv")] == ["raptors.csv"]


def test_what_describes_a_map_is_not_offered_as_a_survey(tmp_path):
    """Files that stand beside a released map, or in its folder `metadata`, are not on the list of surveys and areas; others of that name are."""
    for name in (
        "map/release.dpmap",
        "map/metadata/stac.json",
        "map/attestation.json",
        "metadata/rows.json",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("{}")
    folder = BrowsedFolder(tmp_path)
    assert (
        [one.name for one in folder.surveys()]
        == [one.name for one in folder.layers()]
        == ["metadata/rows.json"]
    )


def test_a_file_that_is_gone_is_told_in_words(tmp_path):
    """A page about a file that was deleted meanwhile says so."""
    browser = studio(tmp_path)
    place = browser.begin("raptors.csv")
    (browser.folder / "raptors-2026.toml").unlink()
    found = browser.get(f"{place}/data")
    assert found.status == 400
    assert "not in the folder any more" in found.text


def test_two_names_never_share_a_short_name_by_case_or_place(tmp_path):
    """A file is found by its own short name only."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.csv").touch()
    (tmp_path / "b.csv").touch()
    folder = BrowsedFolder(tmp_path)
    ids = [one.id for one in folder.surveys()]
    assert len(set(ids)) == 2
    with pytest.raises(BadInput):
        folder.one(folder.surveys(), "")
    with pytest.raises(DpmapError):
        folder.one(folder.layers(), ids[0])
