"""Reads the small Markdown of the help's pages into plain pieces, which a template escapes and writes.

It knows what those pages use: headings, paragraphs, lists, numbered lists, quotes, tables, and in a line code, bold, italics and links.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

INLINE = re.compile(
    r"`(?P<code>[^`]+)`|\*\*(?P<strong>.+?)\*\*|\*(?P<em>[^*]+)\*|\[(?P<text>[^\]]+)\]\((?P<link>[^)]+)\)"
)
HEADING = re.compile(r"(#{1,3}) (.+)")
ITEM = re.compile(r"(?:[-*]|(?P<number>\d+)\.) +(.*)")
RULE = re.compile(r"[|: -]+")


@dataclass(frozen=True)
class Piece:
    """A part of a line: what it is (empty for plain words), its words, and where a link leads."""

    kind: str
    words: str
    link: str = ""


@dataclass
class Block:
    """A part of a page: what it is, its words, and the lines of a list or the rows of a table."""

    kind: str
    pieces: list[Piece] = field(default_factory=list)
    items: list[list[Piece]] = field(default_factory=list)
    rows: list[list[list[Piece]]] = field(default_factory=list)


def blocks(text: str) -> list[Block]:
    r"""Returns the blocks of a page.

    >>> [(one.kind, len(one.items)) for one in blocks("# Owls\n\nSome\nwords.\n\n- a\n- b\n  and more\n")]
    [('h1', 0), ('p', 0), ('ul', 2)]
    """
    return [_block(part.splitlines()) for part in re.split(r"\n\s*\n", text.strip())]


def pieces(line: str) -> list[Piece]:
    """Returns the parts of a line.

    >>> [(one.kind, one.words, one.link) for one in pieces("Type `a*b*c`, see **[this](moving.md)**")]
    [('', 'Type ', ''), ('code', 'a*b*c', ''), ('', ', see ', ''), ('strong', '[this](moving.md)', '')]
    """
    return list(_pieces(line))


def _pieces(line: str) -> Iterator[Piece]:
    at = 0
    for match in INLINE.finditer(line):
        if match.start() > at:
            yield Piece("", line[at : match.start()])
        kind = match.lastgroup or ""
        yield Piece("link", match["text"], match["link"]) if kind == "link" else Piece(kind, match[kind])
        at = match.end()
    if at < len(line):
        yield Piece("", line[at:])


def _block(lines: list[str]) -> Block:
    first = lines[0]
    if (heading := HEADING.fullmatch(first)) and len(lines) == 1:
        return Block(f"h{len(heading[1])}", pieces(heading[2]))
    if first.startswith(">"):
        return Block("quote", pieces(" ".join(line.lstrip("> ") for line in lines)))
    if first.startswith("|"):
        return Block("table", rows=[_cells(line) for line in lines if not RULE.fullmatch(line)])
    if item := ITEM.match(first):
        return Block("ol" if item["number"] else "ul", items=[pieces(one) for one in _items(lines)])
    return Block("p", pieces(" ".join(map(str.strip, lines))))


def _cells(line: str) -> list[list[Piece]]:
    return [pieces(cell.strip()) for cell in line.strip().strip("|").split("|")]


def _items(lines: list[str]) -> list[str]:
    """Returns the items of a list, each on one line."""
    found: list[str] = []
    for line in lines:
        if item := ITEM.match(line):
            found.append(item[2])
        else:
            found[-1] += " " + line.strip()
    return found
