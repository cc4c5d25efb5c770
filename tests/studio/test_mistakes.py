"""Every mistake of reading meets the same one line in the studio as on the command line, with labels of fields for its flags."""

import html
import json
import os
import re

import pytest
from builders.hostile import FLAGS, NO_SURVEYS, PLAIN, SECRET
from builders.studios import studio

from dpmap.cli import run
from dpmap.studio.error_fields import name_fields

DEEP = os.environ.get("DPMAP_DEEP") == "1"
READING = (
    "x",
    "place",
    "crs",
    "datum",
    "uncertainty",
    "max_uncertainty",
    "format",
    "columns",
    "delimiter",
    "encoding",
)
NONSENSE = [
    (flag, text)
    for flag in READING
    for text in FLAGS[flag][: None if DEEP else 1]
    if "\0" not in text and "\ud800" not in text
]


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """A studio over a folder with one small survey, in which commands are typed as well."""
    browser = studio(tmp_path)
    (browser.folder / "survey.csv").write_bytes(PLAIN)
    monkeypatch.chdir(browser.folder)
    return browser


def typed(capsys, name):
    """What the command line says of the same file of flags."""
    code = run(["inspect", "--config", name, "--names-only", "--json"])
    told = capsys.readouterr()
    return code, told.out, name_fields(told.err.removeprefix("dpmap: ").strip())


def shown(page):
    """What the page shows, as a reader sees it, without blanks at line ends."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page.text)).split())


def agrees(browser, place, capsys, page):
    """The page says what the command line says: its line, or which flags are lacking; and no value of the survey."""
    code, out, line = typed(capsys, "raptors-2026.toml")
    text = shown(page)
    assert "failed inside" not in text
    assert SECRET not in text
    if code:
        assert " ".join(line.split()) in text
        return
    told = json.loads(out)
    assert not told["lacks"] or "Where a row is, is not known yet." in text


@pytest.mark.parametrize("kind", list(NO_SURVEYS)[:: 1 if DEEP else 4])
def test_what_is_no_survey_gets_the_same_line(kind, opened, capsys):
    """A file that is none says so on the first step, in the command line's own words."""
    (opened.folder / "survey.csv").write_bytes(NO_SURVEYS[kind])
    place = opened.begin("survey.csv")
    agrees(opened, place, capsys, opened.get(f"{place}/data"))


@pytest.mark.parametrize(("flag", "text"), NONSENSE)
def test_a_flag_of_nonsense_gets_the_same_line(flag, text, opened, capsys):
    """What is typed into a field of reading is answered as the same flag is, and kept to be mended."""
    place = opened.begin("survey.csv")
    page = opened.change(f"{place}/data", texts="yes", stay="yes", **{flag: text})
    agrees(opened, place, capsys, page)
