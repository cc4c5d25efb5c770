"""Checks the built pages: every link leads to a page and an anchor that are there, and nothing is loaded from elsewhere."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADS = {("link", "href"), ("script", "src"), ("img", "src"), ("img", "srcset"), ("source", "src"), ("source", "srcset"), ("iframe", "src"), ("object", "data"),
         ("embed", "src"), ("audio", "src"), ("video", "src"), ("video", "poster"), ("form", "action"), ("use", "href"), ("base", "href"), ("input", "src")}  # fmt: skip
"""Where an address is fetched, and not only offered to be followed."""

OUTSIDE = re.compile(r"^(?:[a-z][a-z0-9+.-]*:)?//", re.I)


TAG = re.compile(r"<([a-z]+)\s([^<>]*)>", re.I)
GIVEN = re.compile(r"""([\w-]+)=(?:"([^"]*)"|'([^']*)')""")


@dataclass
class Page:
    """What a page offers, loads, and can be led to."""

    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=lambda: {"", "top"})
    styles: list[str] = field(default_factory=list)


def pages(folder: Path) -> list[Path]:
    """Returns every built page."""
    return sorted(folder.rglob("*.html"))


@cache
def read(path: Path) -> Page:
    """Reads a page once."""
    text = path.read_text("utf-8")
    page = Page(styles=re.findall(r"<style[^>]*>(.*?)</style>", text, re.S))
    for tag, rest in TAG.findall(re.sub(r"(<script\b[^>]*>).*?</script>", r"\1", text, flags=re.S)):
        given = {name: unescape(value or other) for name, value, other in GIVEN.findall(rest)}
        if "id" in given:
            page.anchors.add(given["id"])
        page.styles.append(given.get("style", ""))
        if tag == "a" and "href" in given:
            page.links.append(given["href"])
        page.loads += [value for name, value in given.items() if (tag, name) in LOADS]
    return page


def broken(folder: Path) -> list[str]:
    """Returns a line for each link that leads nowhere, and for each address that a page would fetch."""
    read.cache_clear()
    return [
        f"{path.relative_to(folder)}: {wrong}"
        for path in pages(folder)
        for wrong in _wrong(folder, path)
    ]


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


def _in_styles(page: Page) -> list[str]:
    return [found for style in page.styles for found in re.findall(r"url\([\"']?([^)\"']+)", style)]


def _there(folder: Path, path: Path, target: str) -> bool:
    parts = urlsplit(target)
    if parts.scheme or parts.netloc:
        return False
    there = path if not parts.path else Path(posixpath.normpath(path.parent / unquote(parts.path)))
    if not there.is_relative_to(folder) or not there.is_file():
        return False
    return (
        not parts.fragment
        or there.suffix != ".html"
        or unquote(parts.fragment) in read(there).anchors
    )


def _well_formed(target: str) -> bool:
    parts = urlsplit(target)
    if parts.scheme == "mailto":
        return "@" in parts.path
    return (
        bool(
            re.fullmatch(
                r"[\w.-]+\.[a-z]{2,}(:\d+)?|localhost(:\d+)?|127\.0\.0\.1(:\d+)?", parts.netloc
            )
        )
        and " " not in target
    )


def outside(folder: Path) -> set[str]:
    """Returns the addresses elsewhere that pages offer to follow."""
    return {
        link
        for path in pages(folder)
        for link in read(path).links
        if link.startswith(("http://", "https://"))
    }
