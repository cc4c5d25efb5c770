"""The plugin speaks the user's language: translators find every text, and what they write fits."""

import ast
import re
import runpy
from pathlib import Path
from xml.etree import ElementTree

import pytest
from builders import plugin
from builders.plugin_code import FILES, named

ROOT = Path(__file__).parents[2]
GATHERED = runpy.run_path(str(ROOT / "packaging" / "qgis_texts.py"))
FOLDER = ROOT / "qgis" / "dpmap_qgis" / "i18n"
LANGUAGES = sorted(path for path in FOLDER.glob("dpmap_*.ts") if path.name != GATHERED["SOURCE"])


def test_the_files_name_every_text_there_is():
    """Whoever translates the plugin finds each of its texts; after adding one: python packaging/qgis_texts.py."""
    assert [
        path.name for path, text in GATHERED["files"]().items() if path.read_text("utf-8") != text
    ] == []


def test_there_are_two_languages_besides_english():
    """German and Spanish come with the plugin."""
    assert {path.name for path in LANGUAGES} >= {"dpmap_de.ts", "dpmap_es.ts"}


@pytest.mark.parametrize("path", LANGUAGES, ids=lambda path: path.stem)
def test_a_translation_holds_the_same_places_and_marks(path):
    """What is filled in (a name, a number) and what is marked (bold, a link) is in a translation as in the English."""
    found = GATHERED["translated"](path)
    assert [said for said, told in found.items() if parts(said) != parts(told)] == []


def parts(text: str) -> list[str]:
    """Places to be filled in, marks of rich text, flags and names of programs."""
    return sorted(
        re.findall(r"\{[^{}]*\}|</?\w+[^<>]*>|(?<!\w)--?[a-z][\w-]+|\bdpmap\b|%\d|\bQGIS\b", text)
    )


@pytest.mark.parametrize(
    "path", [FOLDER / GATHERED["SOURCE"], *LANGUAGES], ids=lambda path: path.stem
)
def test_qt_linguist_reads_a_file(path):
    """The files are of the form that translators' own programs open."""
    root = ElementTree.parse(path).getroot()
    assert (root.tag, root.get("version"), root.get("sourcelanguage")) == ("TS", "2.1", "en")
    assert path.name == GATHERED["SOURCE"] or root.get("language") == path.stem.removeprefix(
        "dpmap_"
    )


@pytest.mark.parametrize("path", FILES, ids=named)
def test_a_text_is_written_out_where_it_is_said(path):
    """No text is put together before it is translated: `tr("{} rows").format(...)` and never `tr(f"...")`; each leads to one that is written out; what comes from another file by a name is marked there."""
    for node, scope in GATHERED["reached"](path.read_text("utf-8")):
        assert elsewhere(node) or GATHERED["literals"](node, scope), (
            f"line {node.lineno}: {ast.unparse(node)}"
        )


def elsewhere(node: ast.expr) -> bool:
    """Whether this is a name, or the text of one, whose text is marked in the file that it comes from."""
    if isinstance(node, ast.Call):
        return GATHERED["called"](node) == "str" and isinstance(node.args[0], ast.Name)
    return isinstance(node, (ast.Name, ast.Attribute))


@pytest.mark.parametrize(
    ("code", "texts"),
    [
        ('UNSAVED = "Save it"\ntr(UNSAVED)', ["Save it"]),
        ('TITLES = {"a": "One", "b": "Two"}\ntr(TITLES[kind])', ["One", "Two"]),
        (
            'def f():\n for name, title in (("A", "One"), ("B", "Two")):\n  tr(title)',
            ["One", "Two"],
        ),
        (
            'def _text(name, title): return tr(title)\n_text("A", "One")\n_text("B", title="Two")',
            ["One", "Two"],
        ),
        ('HELP = "Long"\nclass A:\n TITLE = "T"\n HELP = HELP', ["Long", "T"]),
        ('tr("a" if x else "b")', ["a", "b"]),
        ('raise NotFound("Choose it")', ["Choose it"]),
        ('tr(f"{x}")', []),
    ],
)
def test_texts_are_found_by_the_names_they_have(code, texts):
    """A text that reaches the translator by a name of the same file is gathered too."""
    assert sorted(GATHERED["sayings"](code)) == sorted(texts)


def test_every_text_of_the_toolbox_is_translated(home):
    """With a made-up language of which each text ends in a mark, every title, help, input and output of every algorithm ends in it; and translators find each."""
    told = plugin.inside(home, ROOT / "tests" / "plugin" / "inside" / "spoken.py")
    assert told["untranslated"] == []
    assert set(told["asked"]) - {""} <= {text.said for text in GATHERED["texts"]()}


@pytest.mark.parametrize(
    ("language", "title"),
    [
        ("de", "de"),
        ("de_AT", "de"),
        ("es_MX", "es"),
        ("C", ""),
        ("en", ""),
        ("source", ""),
        ("../../x", ""),
        ("", ""),
    ],
)
def test_the_language_is_the_one_of_qgis(home, language, title):
    """QGIS in German reads the German file, and in a language that nobody wrote, English."""
    told = plugin.inside(
        home, ROOT / "tests" / "plugin" / "inside" / "language_told.py", language or "none"
    )
    expected = GATHERED["translated"](FOLDER / f"dpmap_{title}.ts") if title else {}
    assert told == expected


def test_a_file_of_texts_cannot_reach_other_files(home, tmp_path):
    """Even a file of texts that was tampered with makes QGIS read no other file."""
    (tmp_path / "dpmap_xx.ts").write_text(
        '<!DOCTYPE TS [<!ENTITY x SYSTEM "file:///etc/hostname">]><TS><message><source>a</source><translation>&x;</translation></message></TS>'
    )
    assert (
        plugin.inside(
            home, ROOT / "tests" / "plugin" / "inside" / "language_told.py", "xx", tmp_path
        )
        == {}
    )


def test_nothing_is_behind_when_a_text_is_new(tmp_path):
    """A new text begins as unfinished, a translated one keeps its translation, and one that is gone is left out."""
    (tmp_path / "i18n").mkdir()
    (tmp_path / "a.py").write_text('tr("Spent"); tr("New")')
    (tmp_path / "i18n" / "dpmap_de.ts").write_text(
        "<TS><context><message><source>Spent</source><translation>Ausgegeben</translation></message>"
        "<message><source>Gone</source><translation>Weg</translation></message></context></TS>"
    )
    text = GATHERED["files"](tmp_path)[tmp_path / "i18n" / "dpmap_de.ts"]
    assert (
        "Ausgegeben" in text
        and "New" in text
        and text.count('type="unfinished"') == 1
        and "Gone" not in text
    )
