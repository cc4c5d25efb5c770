"""Reads the little Markdown that statements, attestations and the help are written in, so that a
page can show it: each part is plain text, never HTML.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

HEADING = re.compile(r"(#{1,6}) +(.*)")
ITEM = re.compile(r"(?:([-*])|\d{1,9}\.) +(.*)")
RULE = re.compile(r"\|(?: *:?-+:? *\|)+")
MARKS = re.compile(r"`([^`]*)`|(\*\*)|(\|)|\*(\w[^*`|]*)\*")
LINKED = re.compile(MARKS.pattern + r"|\[([^\]]+)\]\(([^)]+)\)")
"""The marks of our own pages, which hold links; in a statement these mean nothing."""


@dataclass(frozen=True, slots=True)
class Span:
    """A run of text, perhaps as code, bold or stressed, perhaps a link."""

    text: str
    code: bool = False
    bold: bool = False
    stressed: bool = False
    link: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a paragraph, a quote, a list or a table; `rows` holds its lines, each of cells,
    each of runs of text.
    """

    kind: str
    rows: tuple[tuple[tuple[Span, ...], ...], ...]
    level: int = 0


def blocks(text: str, *, links: bool = False) -> list[Block]:
    r"""Returns what the text is made of, in order; an indented line goes on with the item above it.

    >>> [(one.kind, one.level, one.rows[0][0][0].text) for one in blocks("# A\n\nb\nc\n\n- d")]
    [('heading', 1, 'A'), ('paragraph', 0, 'b c'), ('list', 0, 'd')]
    """
    found: list[tuple[str, int, list[str]]] = []
    last = ""
    for whole in text.splitlines():
        line = whole.strip()
        kind, level, words = _read_line(line)
        if kind == "paragraph" and last in ("list", "numbered") and whole.startswith("  "):
            found[-1][2][-1] += f" {words}"
        elif not kind or RULE.fullmatch(line):
            last = kind and last
        elif kind == "heading" or kind != last:
            found.append((kind, level, [words]))
            last = "" if kind == "heading" else kind
        elif kind in ("paragraph", "quote"):
            found[-1][2][-1] += f" {words}"
        else:
            found[-1][2].append(words)
    return [
        Block(
            kind,
            tuple(
                tuple(_cells(row, LINKED if links else MARKS, table=kind == "table"))
                for row in rows
            ),
            level,
        )
        for kind, level, rows in found
    ]


def _read_line(line: str) -> tuple[str, int, str]:
    """Returns what kind of block a line belongs to, its level if it is a heading, and its words."""
    if heading := HEADING.fullmatch(line):
        return "heading", len(heading[1]), heading[2]
    if item := ITEM.fullmatch(line):
        return "list" if item[1] else "numbered", 0, item[2]
    if line.startswith("|"):
        return "table", 0, line.strip("|")
    if line.startswith(">"):
        return "quote", 0, line.lstrip("> ")
    return ("paragraph" if line else ""), 0, line


def _cells(words: str, marks: re.Pattern[str], *, table: bool) -> Iterator[tuple[Span, ...]]:
    """Cuts one line into its cells (a line of no table is one), and each into runs; within code
    no mark means anything.
    """
    spans = list[Span]()
    at = 0
    bold = False
    for mark in marks.finditer(words):
        if mark[3] and not table:
            continue
        spans.append(Span(words[at : mark.start()], bold=bold))
        at = mark.end()
        if mark[1] is not None:
            spans.append(Span(mark[1], code=True, bold=bold))
        elif mark[4]:
            spans.append(Span(mark[4], bold=bold, stressed=True))
        elif mark[2]:
            bold = not bold
        elif not mark[3]:
            spans.append(Span(mark[5], link=mark[6]))
        else:
            yield _read_spans(spans)
            spans = []
            bold = False
    yield _read_spans([*spans, Span(words[at:], bold=bold)])


def _read_spans(spans: list[Span]) -> tuple[Span, ...]:
    return tuple(span for span in spans if span.text)
