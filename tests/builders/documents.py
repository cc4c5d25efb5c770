"""The project's own pages as tests read them: their blocks, the commands and flags they show, their links and headings.

A block in ```sh or ```python is run; one in ```text is shown only, since it names a path of the reader's or takes long."""

import re
import shlex
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
ABOVE = (
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "data_samples/README.md",
    "notebooks/README.md",
)
PYTHON, SHELL = "python", "sh"
FENCE = re.compile(r"^[ >]*```[ ]*([\w-]*)[^\n]*\n(.*?)^[ >]*```[ ]*$", re.M | re.S)
INLINE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
LINK = re.compile(r"\]\(\s*<?([^)>\s]+)>?[^)]*\)|^\[[^\]]+\]:\s+(\S+)", re.M)
STARTERS = ("uvx", "uv", "pipx")
BUILT = (
    "docs/tutorials/",
    "docs/reference/",
)  # written by `make docs`, which checks the links between its pages
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$", re.M)
PAGES = [
    *(ROOT / name for name in ABOVE),
    *(
        page
        for page in sorted((ROOT / "docs").rglob("*.md"))
        if not page.relative_to(ROOT).as_posix().startswith(BUILT)
    ),
]
FLAG = re.compile(r"--[a-z][a-z0-9-]*")


@dataclass(frozen=True)
class Block:
    """One fenced block of a page."""

    kind: str
    code: str
    line: int


def named(page: Path) -> str:
    """What a test calls a page."""
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in its order."""
    text = page.read_text("utf-8")
    return [
        Block(found[1].lower(), textwrap.dedent(found[2]), text.count("\n", 0, found.start()) + 1)
        for found in FENCE.finditer(text)
    ]


def lines(code: str) -> list[str]:
    """The lines of a shell block, each continued one joined to the next; neither prompts nor comments."""
    joined = re.sub(r"\\\n\s*", " ", code).splitlines()
    cleaned = [line.strip().removeprefix("$ ") for line in joined]
    return [line for line in cleaned if line and not line.startswith("#")]


def prose(page: Path) -> str:
    """A page without its blocks."""
    return FENCE.sub("", page.read_text("utf-8"))


def shown(page: Path) -> Iterator[str]:
    """Every piece of code on a page: the lines of its blocks, indented commands, and what stands between backticks."""
    for block in blocks(page):
        if block.kind != PYTHON:
            yield from lines(block.code)
    text = prose(page)
    yield from (
        line.strip() for line in text.splitlines() if re.match(" {4}(dpmap |make |--)", line)
    )
    yield from (" ".join(found[1].split()) for found in INLINE.finditer(text))


def words(line: str) -> list[str]:
    """A line as a shell cuts it, and roughly where it is none."""
    try:
        return shlex.split(line, comments=True)
    except ValueError:
        return line.split()


def dpmap(line: str) -> list[str]:
    """The words after `dpmap` where a line runs it, itself or by a starter of programs; nothing elsewhere."""
    cut = words(line)
    for place, word in enumerate(cut[:-1]):
        if Path(word).name == "dpmap":
            return cut[place + 1 :] if not place or cut[0] in STARTERS or "=" in cut[0] else []
    return []


def flags(line: str) -> list[str]:
    """The flags in a piece of code that begins with one."""
    return FLAG.findall(line) if line.startswith("--") else []


def links(page: Path) -> list[str]:
    """Where a page's links and pictures lead, those out of the project left out."""
    found = [one[1] or one[2] for one in LINK.finditer(INLINE.sub("", prose(page)))]
    return [one for one in found if "://" not in one and not one.startswith("mailto:")]


def anchors(page: Path) -> set[str]:
    """The names that links give to a page's headings."""
    made: dict[str, int] = {}
    result = set()
    for heading in HEADING.findall(prose(page)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        name = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        count = made[name] = made.get(name, -1) + 1
        result.add(name if count == 0 else f"{name}-{count}")
    return result
