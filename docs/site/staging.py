"""Lays out the sources of the site in a folder of their own: written pages with their links turned, generated pages, pictures."""

import json
import re
import shutil
from functools import partial
from pathlib import Path

import api_pages
import command_pages
import navigation
import notebook_pages
import search_weights
from links import Links, picture_name

ROOT = navigation.ROOT


def stage(out: Path) -> None:
    """Writes everything that Sphinx reads into the folder."""
    shutil.rmtree(out, ignore_errors=True)
    written = navigation.written()
    notebooks = {
        path.relative_to(ROOT).as_posix(): f"tutorials/{path.stem}"
        for path in sorted((ROOT / "notebooks").glob("*.ipynb"))
    }
    generated = {"docs/decisions": "decisions/index"}
    links = Links(
        ROOT, {**written, **notebooks, **generated}, navigation.ALIASES, navigation.GENERATED
    )
    texts = {docname: (ROOT / path).read_text("utf-8") for path, docname in written.items()}
    paths = {docname: path for path, docname in written.items()}
    pages = {
        docname: links.rewrite(text, paths[docname], docname) for docname, text in texts.items()
    }
    pages["promise"] = _anchored_marks(pages["promise"])
    made = {
        path: notebook_pages.page(ROOT / path, partial(links.rewrite, path=path, docname=docname))
        for path, docname in notebooks.items()
    }
    for path, docname in notebooks.items():
        pages[docname] = made[path].text
        for name, picture in made[path].pictures.items():
            _write(out / "tutorials" / "pictures" / name, picture)
        _write(out / path, (ROOT / path).read_bytes())
    pages |= command_pages.pages(_in_order(texts))
    pages |= api_pages.pages(ROOT, links.files)
    pages["tutorials/index"] = _gallery(notebooks, made)
    pages["decisions/index"] = _decisions(texts)
    unwritten = [one.first for one in navigation.SECTIONS if one.first not in pages]
    tree = navigation.tree(
        [*sorted(pages.keys() - {"index"}, key=partial(_told_at, pages, [*pages])), *unwritten]
    )
    for first in unwritten:
        title, told = HEADS[first.split("/")[0]]
        pages[first] = f"# {title}\n\n{told}\n"
    for first in {*unwritten, "reference/index"}:
        pages[first] += _doors(tree[first], pages)
    for first, below in tree.items():
        if below and (first or "index") in pages:
            pages[first or "index"] += _toctree(below)
    for docname, text in pages.items():
        _write(out / f"{docname}.md", text.encode())
    sentences = {
        docname: re.sub(r"[`*]|\\(?=\W)", "", _first(text))
        for docname, text in sorted(pages.items())
    }
    _write(
        out / "static" / "sentences.js",
        f"window.FIRST_SENTENCES = {json.dumps(sentences, indent=0, sort_keys=True)};\n".encode(),
    )
    _write(
        out / "static" / "words.js",
        f"window.PAGE_WORDS = {json.dumps(search_weights.weights(pages), separators=(',', ':'))};\n".encode(),
    )
    for picture in links.pictures:
        _write(out / picture_name(picture), (ROOT / picture).read_bytes())
    _write(out / "files.json", json.dumps(sorted(links.files), indent=1).encode())


def _anchored_marks(text: str) -> str:
    """Return the page of the promise with an anchor at each mark's first place, to which the evidence of an attestation leads."""
    seen: set[str] = set()

    def with_anchor(mark: re.Match[str]) -> str:
        anchor = "" if mark[1] in seen else f"{{#{mark[1]}}}"
        seen.add(mark[1])
        return mark[0] + anchor

    return re.sub(r"\[\N{CHECK MARK}\]\[([\w-]+)\]", with_anchor, text)


def _told_at(pages: dict[str, str], order: list[str], docname: str) -> tuple[int, int]:
    """Returns where a page stands among its neighbours: where the first page of its folder first links to it, else last."""
    folder, _, name = docname.rpartition("/")
    place = pages.get(f"{folder}/index", "").find(f"]({name}.md")
    return (place if place >= 0 else 10**9, order.index(docname))


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _in_order(texts: dict[str, str]) -> dict[str, str]:
    """Returns the pages as examples are looked for: those for newcomers first, what was decided never."""
    order = ("start/", "howto/", "choose/", "learn/", "studio/", "algebra/", "")
    names = sorted(
        texts,
        key=lambda name: next(
            number for number, folder in enumerate(order) if name.startswith(folder)
        ),
    )
    return {name: texts[name] for name in names if not name.startswith(("decisions/", "project/"))}


def _toctree(below: list[str]) -> str:
    entries = [
        f"{navigation.TITLES[name]} </{name}>" if name in navigation.TITLES else f"/{name}"
        for name in below
    ]
    return "\n".join(["", "```{toctree}", ":hidden:", "", *entries, "```", ""])


def _title(text: str) -> str:
    return next((line[2:].strip() for line in text.splitlines() if line.startswith("# ")), "")


def _first(text: str) -> str:
    """Returns the first sentence of a page's own words."""
    prose = re.split(r"\n\s*\n", re.sub(r"(?s:^```.*?^```$)|^#.*$", "", text, flags=re.M).strip())
    words = " ".join(
        next(
            (
                part
                for part in prose
                if part.strip() and not part.lstrip().startswith(("!", ":", "|", "- ", ">", "```"))
            ),
            "",
        ).split()
    )
    return _sentence(words)


def _sentence(text: str) -> str:
    """Returns the first sentence of a paragraph, without its links and the marks of the promise."""
    words = re.sub(
        r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])", r"\1", " ".join(text.split())
    ).replace(" ✓", "")
    return re.split(r"(?<=[.?])\s", words)[0]


HEADS = {
    "start": ("Start here", "The first hour, for each who uses a map or answers for it."),
    "choose": (
        "How to choose",
        "The unit of protection, the cap, the cell and epsilon: a page each.",
    ),
    "howto": ("How-tos", "A page a task."),
    "understand": (
        "Understand",
        "What differential privacy does for a map, in plain words and pictures; what is promised, and how to read and check it.",
    ),
    "project": (
        "Project",
        "How dpmap is built, what will not change, what has changed, and how to take part.",
    ),
}


def _doors(below: list[str], pages: dict[str, str]) -> str:
    """Lists the pages below a section, each with its first sentence."""
    lines = [
        f"- [{navigation.TITLES.get(name) or _title(pages[name])}](/{name}.md)  \n  {_first(pages[name])}"
        for name in below
    ]
    return "\n".join(["", *lines]) + "\n"


def _gallery(notebooks: dict[str, str], made: dict[str, notebook_pages.Page]) -> str:
    lines = [
        "# Tutorials",
        "",
        (
            "Worked notebooks in Python, with the answers that they gave. All data is invented. Without Python, begin with [the steward's first hour](/start/steward.md). To run one again, open it where it stands beside the sample data, in the folder "
            "`notebooks/` of a copy of the project: a notebook that was downloaded alone does not find them. Jupyter comes with "
            "`pip install jupyterlab` into the same environment as dpmap; then type `jupyter lab`."
        ),
        "",
    ]
    lines += ["::::{container} gallery", ""]
    for path, docname in notebooks.items():
        page = made[path]
        picture = sorted(page.pictures, key=lambda name: int(re.sub(r".*-(\d+)\.png", r"\1", name)))
        shown = f"![](pictures/{picture[-1]})" if picture else ""
        lines += [
            ":::{container} tile",
            shown,
            "",
            f"[{page.title}](/{docname}.md)",
            "",
            page.first,
            ":::",
            "",
        ]
    return "\n".join([*lines, "::::", ""])


def _decisions(texts: dict[str, str]) -> str:
    lines = ["# Decisions", "", "What was decided and why, half a page each, the newest first.", ""]
    for docname in sorted((name for name in texts if name.startswith("decisions/")), reverse=True):
        text = texts[docname]
        number, _, title = _title(text).partition(" ")
        decided = re.search(r"\*\*Decided\.?\*\*\s*(.*?)(?:\n\s*\n|\Z)", text, re.S)
        words = _sentence(decided[1]) if decided else _first(text)
        lines.append(f"- [{number} {title}](/{docname}.md)  \n  {words}")
    return "\n".join(lines) + "\n"
