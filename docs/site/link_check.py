"""Checks the built pages: every link leads to a page and an anchor that are there, and nothing is loaded from elsewhere."""

import posixpath
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADS = {("link", "href"), ("script", "src"), ("img", "src"), ("img", "srcset"), ("source", "src"), ("source", "srcset"), ("iframe", "src"), ("object", "data"),
         ("embed", "src"), ("audio", "src"), ("video", "src"), ("video", "poster"), ("form", "action"), ("use", "href"), ("base", "href"), ("input", "src")}  # fmt: skip
"""Where an address is fetched, and not only offered to be followed."""

OUTSIDE = re.compile(r"^(?:[a-z][a-z0-9+.-]*:)?//", re.I)


class _Page(HTMLParser):
    """What a page offers, loads, and can be led to."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = {"", "top"}
        self.styles: list[str] = []
        self._style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given and (name == "id" or tag == "a")}
        self._style = tag == "style"
        self.styles.append(given.get("style", ""))
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        self.loads += [given[name] for kind, name in LOADS if kind == tag and name in given]

    def handle_data(self, data: str) -> None:
        if self._style:
            self.styles.append(data)


def pages(folder: Path) -> list[Path]:
    """Returns every built page."""
    return sorted(folder.rglob("*.html"))


@cache
def read(path: Path) -> _Page:
    """Reads a page once."""
    page = _Page()
    page.feed(path.read_text("utf-8"))
    return page


def broken(folder: Path) -> list[str]:
    """Returns a line for each link that leads nowhere, and for each address that a page would fetch."""
    read.cache_clear()
    return [f"{path.relative_to(folder)}: {wrong}" for path in pages(folder) for wrong in _wrong(folder, path)]


def _wrong(folder: Path, path: Path) -> Iterator[str]:
    page = read(path)
    for target in [*page.loads, *_in_styles(page)]:
        if OUTSIDE.match(target):
            yield f"would fetch {target}"
        elif not target.startswith("data:") and not _there(folder, path, target):
            yield f"{target} is not there"
    for target in page.links:
        if target.startswith(("http://", "https://", "mailto:")):
            if not _well_formed(target):
                yield f"{target} is no address"
        elif not _there(folder, path, target):
            yield f"{target} is not there"


def _in_styles(page: _Page) -> list[str]:
    return [found for style in page.styles for found in re.findall(r"url\([\"']?([^)\"']+)", style)]


def _there(folder: Path, path: Path, target: str) -> bool:
    parts = urlsplit(target)
    if parts.scheme or parts.netloc:
        return False
    there = path if not parts.path else Path(posixpath.normpath(path.parent / unquote(parts.path)))
    if not there.is_relative_to(folder) or not there.is_file():
        return False
    return not parts.fragment or there.suffix != ".html" or unquote(parts.fragment) in read(there).anchors


def _well_formed(target: str) -> bool:
    parts = urlsplit(target)
    if parts.scheme == "mailto":
        return "@" in parts.path
    return (
        bool(re.fullmatch(r"[\w.-]+\.[a-z]{2,}(:\d+)?|localhost(:\d+)?|127\.0\.0\.1(:\d+)?", parts.netloc))
        and " " not in target
    )


def outside(folder: Path) -> set[str]:
    """Returns the addresses elsewhere that pages offer to follow."""
    return {link for path in pages(folder) for link in read(path).links if link.startswith(("http://", "https://"))}
