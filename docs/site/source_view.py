"""Shows the source files that pages link to, highlighted, each definition with its own address; and keeps links to them right.

A link is written `source:dpmap/vault/session.py#Session.measure`. A folder becomes a list of its files. The pages are not searched.
"""

import ast
import html
import json
import posixpath
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from docutils import nodes
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_for_filename
from pygments.util import ClassNotFound
from search_weights import English

LONGEST = 6_000


def page_name(path: str) -> str:
    """Returns the name of the page that shows a file or folder; the folders' own pages are called _folder."""
    return f"source/{path}"


def resolve(app: Any, doctree: nodes.document, docname: str) -> None:
    """Makes every link to a source lead to its page, as seen from this one."""
    for link in doctree.findall(nodes.reference):
        if (target := link.get("refuri", "")).startswith("source:"):
            path, _, anchor = target.removeprefix("source:").partition("#")
            place = _place(app.config.source_root, path, anchor)
            link["refuri"] = app.builder.get_relative_uri(docname, page_name(path)) + (
                f"#{place}" if place else ""
            )
            link["classes"] = [
                *link.get("classes", []),
                "source",
                *(["proof"] if link.astext() == "✓" else []),
            ]


def _place(root: str, path: str, anchor: str) -> str:
    """Returns the anchor, if the file has it; a link to what is gone is shown as broken by the link check."""
    return f"L{anchor[1:]}" if re.fullmatch(r"L\d+", anchor) else anchor


def pages(app: Any) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yields a page for each file and folder that was linked to."""
    root = Path(app.config.source_root)
    wanted = set(json.loads(Path(app.srcdir, "files.json").read_text("utf-8")))
    wanted |= {inner for one in wanted if (root / one).is_dir() for inner in _inside(root, one)}
    for path in sorted(wanted):
        body = _folder(app, root, path) if (root / path).is_dir() else _file(root / path)
        title = path + ("/" if (root / path).is_dir() else "")
        yield (
            page_name(path),
            {"title": title, "body": f"<h1><code>{html.escape(title)}</code></h1>{body}"},
            "page.html",
        )


def _inside(root: Path, folder: str) -> list[str]:
    """Returns the text files of a folder."""
    return [
        f"{folder}/{one.name}"
        for one in sorted((root / folder).iterdir())
        if one.is_file() and one.suffix in (".py", ".md", ".js", ".sql", ".toml")
    ]


def _folder(app: Any, root: Path, folder: str) -> str:
    lines = []
    for path in _inside(root, folder):
        address = app.builder.get_relative_uri(page_name(folder), page_name(path))
        lines.append(
            f'<li><a href="{address}"><code>{html.escape(posixpath.basename(path))}</code></a>{_purpose(root / path)}</li>'
        )
    return f"<ul>{''.join(lines)}</ul>"


def _purpose(path: Path) -> str:
    if path.suffix != ".py":
        return ""
    told = (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").strip().split("\n\n")[0]
    return html.escape(f": {' '.join(told.split())}") if told else ""


def _file(path: Path) -> str:
    text = path.read_text("utf-8", "replace")
    lines = text.splitlines()
    short = "\n".join(lines[:LONGEST]) + "\n"
    try:
        lexer = get_lexer_for_filename(path.name, stripnl=False)
    except ClassNotFound:
        lexer = TextLexer(stripnl=False)
    places = _definitions(text) if path.suffix == ".py" else {}
    shown = []
    for number, line in enumerate(
        highlight(short, lexer, HtmlFormatter(nowrap=True)).splitlines(), 1
    ):
        names = "".join(f'<span id="{name}"></span>' for name in places.get(number, ()))
        shown.append(f'{names}<span id="L{number}">{line}</span>')
    more = f"<p>The first {LONGEST:,} of {len(lines):,} lines.</p>" if len(lines) > LONGEST else ""
    return f'<div class="highlight source-file"><pre>{chr(10).join(shown)}\n</pre></div>{more}'


def _definitions(text: str) -> dict[int, list[str]]:
    """Returns the names that each line defines: functions, classes with their methods, and the constants of a module."""
    found: dict[int, list[str]] = {}

    def walk(body: list[ast.stmt], inside: str) -> None:
        for one in body:
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                first = min([one.lineno, *(mark.lineno for mark in one.decorator_list)])
                found.setdefault(first, []).extend({inside + one.name: 0, one.name: 0})
                walk(one.body if isinstance(one, ast.ClassDef) else [], f"{inside}{one.name}.")
            elif isinstance(one, ast.Assign | ast.AnnAssign) and not inside:
                targets = one.targets if isinstance(one, ast.Assign) else [one.target]
                found.setdefault(one.lineno, []).extend(
                    target.id for target in targets if isinstance(target, ast.Name)
                )

    walk(ast.parse(text).body, "")
    seen: set[str] = set()
    return {
        line: [name for name in names if not (name in seen or seen.add(name))]
        for line, names in found.items()
    }


def dress(
    app: Any,
    pagename: str,
    templatename: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Takes the tree of pages away where it leads nowhere, and gives the search page the first sentence and the words of every page."""
    if pagename in ("index", "search") or pagename.startswith("source/"):
        context["sidebars"] = []
    context["body"] = _named_marks(_whole_flags(_lines(context.get("body", ""))))
    if pagename == "search":
        app.add_js_file("sentences.js", loading_method="defer")
        app.add_js_file("words.js", loading_method="defer")
        app.add_js_file("search.js", loading_method="defer")


def _lines(body: str) -> str:
    """Returns a page whose long signatures are lines; Sphinx makes them lists of definitions that define nothing, which screen readers stumble over."""
    return re.sub(
        r"<dl>\s*((?:<dd>(?:(?!</?d[dl]).)*</dd>\s*)+)</dl>",
        lambda found: f"<span>{_spans(found[1])}</span>",
        body,
        flags=re.S,
    )


def _spans(items: str) -> str:
    return items.replace("<dd>", '<span class="sig-line">').replace("</dd>", "</span>")


def _whole_flags(body: str) -> str:
    """Returns a page whose commands may be broken between flags, and not after their two dashes."""
    flag = re.compile(r"(?<![\w-])--[a-z][\w-]*")
    blocks = re.compile(r'(<div class="highlight-sh .*?<pre>)(.*?)(</pre>)', re.S)
    marked = partial(flag.sub, lambda found: f'<span class="flag">{found[0]}</span>')
    return blocks.sub(lambda found: found[1] + marked(found[2]) + found[3], body)


def _named_marks(body: str) -> str:
    """Returns a page whose marks are heard as the test that each leads to; else each is called "check mark" and nothing more."""
    mark = re.compile(r'title="(?:test_)?(\w+)">✓</a>')
    return mark.sub(lambda found: f"{_heard(found[1])}>✓</a>", body)


def _heard(name: str) -> str:
    words = html.escape(name.replace("_", " "))
    return f'title="Test: {words}" aria-label="Test: {words}"'


def setup(app: Any) -> dict[str, bool]:
    """Tells Sphinx about the pages."""
    app.add_config_value("source_root", "", "env", str)
    app.add_search_language(English)
    app.connect("doctree-resolved", resolve)
    app.connect("html-page-context", dress, priority=100)
    app.connect("html-collect-pages", pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
