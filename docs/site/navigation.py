"""Which pages the site has, where each stands, and in which order: the one list that the build and its tests read.

A page is a file of the repository and has a name in the site, its `docname`. Folders are taken by a glob, so that a page that appears is
found; what nobody named lands in the last section and is never lost.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

ELSEWHERE = {
    "CHANGELOG.md": "project/changelog",
    "CONTRIBUTING.md": "project/contributing",
    "SECURITY.md": "project/security",
    "CODE_OF_CONDUCT.md": "project/conduct",
    "data_samples/README.md": "data_samples/index",
}
"""Pages that do not lie in docs/, and their names in the site."""

ALIASES = {
    "README.md": "index",
    "": "index",
    "notebooks/README.md": "tutorials/index",
    "notebooks": "tutorials/index",
    "LICENSE": "",
}
"""Files and folders that a page of the site stands for."""

GENERATED = {
    "reference/commands/index",
    "reference/api/index",
    "tutorials/index",
    "decisions/index",
    "project/index",
    "understand/index",
}


@dataclass(frozen=True)
class Section:
    """One word of the bar on top: its first page, and what hangs below it, in order. A name that ends in * is a glob."""

    first: str
    below: tuple[str, ...]


SECTIONS = (
    Section("start/index", ("installing", "start/steward", "start/planner", "start/analyst", "start/auditor", "start/*", "studio/index")),
    Section("choose/index", ("choose/unit", "choose/cap", "choose/cell", "choose/epsilon", "choose/*")),
    Section("tutorials/index", ("tutorials/*",)),
    Section("howto/index", ("publishing", "qgis", "howto/*")),
    Section("understand/index", ("learn/index", "learn/*", "glossary", "reading-a-map", "algebra/index", "method/index", "promise", "audit")),
    Section("reference/index", ("reference/commands/index", "command-line", "reference/api/index", "file-format", "data_samples/index", "scale", "mutants")),
    Section("project/index", ("project/changelog", "moving-*", "stability", "architecture", "decisions/index", "project/contributing",
                              "project/security", "project/conduct", "releasing", "*")),
)  # fmt: skip

TITLES = {
    "start/index": "Start here",
    "choose/index": "How to choose",
    "howto/index": "How-tos",
    "studio/index": "The studio",
    "learn/index": "Differential privacy for people with maps",
    "algebra/index": "The algebra: which tool for which problem",
    "method/index": "The method, with equations and proofs",
    "audit": "What an auditor reads",
    "scale": "Scale",
    "mutants": "Mutants",
    "data_samples/index": "The sample data",
    "project/changelog": "Changelog",
    "project/contributing": "Contributing",
    "project/security": "Security",
    "project/conduct": "Conduct",
}
"""Names in the tree that are longer or shorter than the page's own heading."""

BELOW = {
    "studio/index": ("studio/*",),
    "algebra/index": ("algebra/choosing", "algebra/*"),
    "method/index": ("method/measuring", "method/combining", "method/believing", "method/*"),
    "decisions/index": ("decisions/*",),
    "reference/commands/index": ("reference/commands/*",),
    "reference/api/index": ("reference/api/*",),
}
"""Pages with a list of their own below them."""


def written() -> dict[str, str]:
    """Returns every Markdown page that somebody wrote, as path in the repository -> docname."""
    docs = {
        path.relative_to(ROOT).as_posix(): _name(path.relative_to(ROOT / "docs"))
        for path in sorted((ROOT / "docs").rglob("*.md"))
    }
    return docs | {path: name for path, name in ELSEWHERE.items() if (ROOT / path).exists()}


def _name(path: Path) -> str:
    return (
        path.with_name("index").as_posix()
        if path.name == "README.md"
        else path.with_suffix("").as_posix()
    )


def tree(pages: Iterable[str]) -> dict[str, list[str]]:
    """Returns the pages below each page. Each page stands once: where it is named, else where the first glob finds it, in the order given."""
    names = {name: number for number, name in enumerate(pages)}
    wanted = (
        {"": tuple(one.first for one in SECTIONS)}
        | {one.first: one.below for one in SECTIONS}
        | BELOW
    )
    placed = {name for entries in wanted.values() for name in entries if "*" not in name} | {
        "index"
    }
    found: dict[str, list[str]] = {}
    for first, entries in wanted.items():
        found[first] = []
        for entry in entries:
            fits = (
                [name for name in names if name not in placed and _fits(name, entry)]
                if "*" in entry
                else [entry]
            )
            found[first] += [name for name in fits if name in names]
            placed |= set(fits)
    rest = [name for name in names if name not in placed]
    found[SECTIONS[-1].first] += rest
    return found


def _fits(name: str, glob: str) -> bool:
    folder, _, stem = glob.rpartition("/")
    own, _, last = name.rpartition("/")
    return own == folder and last.startswith(stem.removesuffix("*"))
