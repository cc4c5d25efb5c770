"""Turns the links of a page, which are right in the repository, into links that are right in the site.

A link to a page leads to the page, one to a picture to a copy of it, and one to any other file to the file as the site shows it. A link to
what is not there ends the build.
"""

import posixpath
import re
from collections.abc import Callable
from pathlib import Path

ADDRESS = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|#)", re.I)
INLINE = re.compile(r"(\]\()(<[^>]*>|[^()\s]+)((?:\s+\"[^\"]*\")?\))")
DEFINED = re.compile(r"^(\s{0,3}\[[^\]]+\]:\s+)(\S+)((?:\s+\"([^\"]*)\")?\s*)$")
PICTURES = (".png", ".jpg", ".svg", ".gif")


class BrokenLink(Exception):
    """A page links to what is not in the repository."""


class Links:
    """Knows where each page stands, and remembers which files the site must show."""

    def __init__(
        self, root: Path, pages: dict[str, str], aliases: dict[str, str], generated: set[str]
    ) -> None:
        self.root, self.pages, self.aliases, self.generated = root, pages, aliases, generated
        self.files: set[str] = set()
        self.pictures: set[str] = set()

    def rewrite(self, text: str, path: str, docname: str) -> str:
        """Returns the page's text with every link outside code as it is written in the site."""
        lines, fence = [], ""
        for line in text.splitlines():
            mark = re.match(r"\s*(`{3,}|~{3,})", line)
            if mark and not fence:
                fence = mark[1]
            elif mark and line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
            elif not fence:
                line = self._line(line, path, docname)
            lines.append(line)
        return "\n".join(lines) + "\n"

    def _line(self, line: str, path: str, docname: str) -> str:
        if found := DEFINED.match(line):
            return found[1] + self.target(found[2], path, docname, found[4] or "") + found[3]
        return _outside_code(
            line,
            lambda part: INLINE.sub(
                lambda m: m[1] + self.target(m[2].strip("<>"), path, docname) + m[3], part
            ),
        )

    def target(self, target: str, path: str, docname: str, title: str = "") -> str:
        """Returns where a link of the page leads in the site. The title of a link to a test is the test's name."""
        if ADDRESS.match(target):
            return target
        file, _, anchor = target.partition("#")
        wanted = (
            posixpath.normpath(posixpath.join(posixpath.dirname(path), file))
            .removeprefix("./")
            .rstrip("/")
        )
        wanted = "" if wanted == "." else wanted
        made = wanted.removeprefix("docs/").removesuffix(".md")
        if made in self.generated:
            return _relative(f"/{made}.md", docname) + (f"#{anchor}" if anchor else "")
        if wanted.startswith("..") or not (self.root / wanted).exists():
            raise BrokenLink(f"{path}: {target} is not there")
        page = (
            self.aliases.get(wanted)
            or self.pages.get(wanted)
            or self.pages.get(f"{wanted}/README.md")
        )
        if page:
            return _relative(f"/{page}.md", docname) + (f"#{anchor}" if anchor else "")
        if wanted.endswith(PICTURES):
            self.pictures.add(wanted)
            return _relative("/" + picture_name(wanted), docname)
        self.files.add(wanted)
        anchor = anchor or (title if re.fullmatch(r"\w+", title) else "")
        return f"source:{wanted}" + (f"#{anchor}" if anchor else "")


def picture_name(path: str) -> str:
    """Returns where a picture lies in the site."""
    return path.removeprefix("docs/")


def _relative(target: str, docname: str) -> str:
    return posixpath.relpath(target, posixpath.dirname("/" + docname))


def _outside_code(line: str, change: Callable[[str], str]) -> str:
    """Changes what of a line stands outside of `code`; a link whose words hold code is left whole."""
    spans = [match.span() for match in re.finditer(r"(`+)(?!`).*?(?<!`)\1(?!`)", line)]
    kept: dict[str, str] = {}
    for number, (start, end) in enumerate(reversed(spans)):
        mark = f"\x00{number}\x00"
        kept[mark] = line[start:end]
        line = line[:start] + mark + line[end:]
    line = change(line)
    for mark, code in kept.items():
        line = line.replace(mark, code)
    return line
