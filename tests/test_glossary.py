"""One word for each thing: the glossary has it, and what people read uses it."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path

import pytest
import typer

from dpmap.cli.commands import app

ROOT = Path(__file__).parents[1]
DOCS, GLOSSARY = ROOT / "docs", ROOT / "docs" / "glossary.md"
ENTRIES = dict(
    re.findall(r"^## (.+?)\n\n(.+?)\n?(?=\n## |\Z)", GLOSSARY.read_text("utf-8"), re.M | re.S)
)
ASKED = ("unit of protection", "cap", "patch", "told", "ledger")
"""The words without which nobody can talk of a map."""
LONGEST = 60
"""As many words has an entry at most, its example and link aside."""

INSTEAD = {
    r"privacy units?|units? of privacy": "unit of protection, or unit",
    r"privacy budgets?|epsilon budgets?": "budget",
    r"privacy (loss|losses|cost|costs|parameter|parameters)": "epsilon",
    r"(in|not )distinguishable from noise|not told from (noise|none)": "not distinguishable from none",
    r"data-?sets?(?![:=])": "data set",
    r"hotspots?(?![:=])": "hot spot",
    r"accountants?|log ?books?": "ledger",
    r"clipped|clipping|contribution bounds?|bounded contributions?": "cap, capped",
    r"blobs?(?!:)|patch(es)?": "place (in Python and flags: patch)",
    r"significan(t|tly|ce)": "distinguishable from none",
    r"data subjects?|participants?": "unit, or contributor",
    r"(confidence|credible|error) (intervals?|bars?)": "interval",
    r"anonymi[sz]\w*|obfuscat\w*": "private, or say what is done",
    r"noised|perturb\w*": "noisy, or with noise",
}
"""What is not written for people, and what is written instead."""
EXCEPTIONS = {
    ("docs/glossary.md", "patch"): "its own entry, and the rule of the two words",
    ("--help", "patch"): "the value of --show",
    ("dpmap/cli/map_commands.py", "patch"): "the same",
}
"""Where such a word may stand, and why."""
ALLOWED = re.compile(r"eBird Basic Dataset|\ba Dataset\b")
"""Names that others gave: a format's, and a class of xarray."""
TYPE = re.compile(r"[\w.\[\], ]+\[[\w.\[\], |]+\]|[\w.]+( \| [\w.]+)+")
"""A type as a module writes it, which nobody reads."""


def words(page: str) -> str:
    """The prose of a Markdown page: without fenced blocks, code spans, addresses and comments."""
    text = re.sub(r"^```.*?^```[ ]*$|<!--.*?-->", " ", page, flags=re.M | re.S)
    text = re.sub(r"``.+?``|`[^`]*`", " ", text)
    return re.sub(r"\]\([^)]*\)|^\[[^\]]+\]: .*$", " ", text, flags=re.M)


def strings(path: Path) -> Iterator[str]:
    """The texts in a module that are sentences or parts of one: no docstrings, no single words."""
    tree = ast.parse(path.read_text("utf-8"))
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
        if " " in text.strip() and id(node) not in said and not TYPE.fullmatch(text):
            yield re.sub(r"`[^`]*`", " ", text)


def templated(text: str) -> str:
    """The words of a template: without tags, and of what it calls only the texts."""
    called = re.sub(
        r"\{\{(.*?)\}\}",
        lambda call: " ".join(re.findall(r'"([^"]* [^"]*)"', call[1])),
        text,
        flags=re.S,
    )
    return unescape(
        re.sub(r"<(style|script)\b.*?</\1>|\{[%#].*?[%#]\}|<[^>]*>", " ", called, flags=re.S)
    )


def helped(command: object) -> Iterator[str]:
    """The help of a command, of its flags, and of the commands under it."""
    yield getattr(command, "help", "") or ""
    for flag in getattr(command, "params", ()):
        yield getattr(flag, "help", "") or ""
    for under in getattr(command, "commands", {}).values():
        yield from helped(under)


@cache
def shown() -> dict[str, str]:
    """All that people read, by where it stands: help, texts of modules, of templates and of the page's scripts, and the documents."""
    found = {"--help": "\n".join(helped(typer.main.get_command(app)))}
    for path in sorted((ROOT / "dpmap").rglob("*.py")):
        found[path.relative_to(ROOT).as_posix()] = "\n".join(strings(path))
    for path in sorted((ROOT / "dpmap").rglob("*.html")):
        found[path.relative_to(ROOT).as_posix()] = templated(path.read_text("utf-8"))
    for path in sorted((ROOT / "dpmap").rglob("scripts/**/*.js")):
        texts = re.findall(r'"([^"\n]* [^"\n]*)"|`([^`\n]* [^`\n]*)`', path.read_text("utf-8"))
        found[path.relative_to(ROOT).as_posix()] = re.sub(
            r"\$\{[^}]*\}", " ", "\n".join(map("".join, texts))
        )
    pages = [ROOT / "README.md", *sorted(DOCS.glob("*.md")), *(page for folder in ("learn", "choose", "start", "howto", "algebra", "studio")
             for page in sorted((DOCS / folder).glob("*.md")))]  # fmt: skip
    return found | {
        page.relative_to(ROOT).as_posix(): words(page.read_text("utf-8")) for page in pages
    }


def anchors(page: str) -> set[str]:
    """The names under which a page's headings are linked."""
    heads = re.findall(r"^#+ (.+)$", page, re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def test_the_glossary_is_alphabetical_and_holds_the_words_that_matter() -> None:
    """Whoever looks a word up finds it where the alphabet has it."""
    assert list(ENTRIES) == sorted(ENTRIES)
    assert set(ASKED) <= set(ENTRIES)


@pytest.mark.parametrize("word", ENTRIES)
def test_an_entry_is_short_has_an_example_and_leads_on(word: str) -> None:
    """Each entry is read in a breath, shows an example, and links to a page, and a part of it, that is there."""
    entry = ENTRIES[word]
    told, _, rest = entry.partition("*Example:*")
    assert len(told.split()) <= LONGEST and rest.strip(), word
    links = re.findall(r"\]\(([^)#]*)#?([^)]*)\)", rest.partition("More:")[2])
    assert links, word
    for page, part in links:
        path = DOCS / page
        assert path.is_file(), (word, page)
        assert not part or part in anchors(path.read_text("utf-8")), (word, page, part)


@pytest.mark.parametrize("word", ENTRIES)
def test_every_word_of_the_glossary_is_used(word: str) -> None:
    """A word that the glossary explains is met elsewhere: in the program's texts or in the documents."""
    stem = re.escape(word.removesuffix("e") if word == "rehearse" else word)
    met = re.compile(rf"\b{stem}\w*\b", re.I)
    assert any(
        met.search(text) for where, text in shown().items() if where != "docs/glossary.md"
    ), word


@pytest.mark.parametrize("other", INSTEAD)
def test_one_word_stands_for_one_thing(other: str) -> None:
    """Help, errors, statements, pages and documents do not call a thing by another word than the glossary does."""
    found = [
        f"{where}: {match[0]!r} in {text[max(0, match.start() - 50) : match.end() + 30]!r}; write: {INSTEAD[other]}"
        for where, text in shown().items()
        for match in re.finditer(rf"(?<![\w.-])({other})\b", ALLOWED.sub(" ", text), re.I)
        if not any(
            where == place and match[0].lower().startswith(word) for place, word in EXCEPTIONS
        )
    ]
    assert not found, "\n".join(found)


def test_every_exception_is_needed() -> None:
    """An exception that nothing uses any more is struck from the list."""
    for place, word in EXCEPTIONS:
        assert re.search(rf"\b{word}", shown()[place], re.I), (place, word)
