"""The notebooks as pages: their text, their code, and the answers that they were saved with. Nothing is run."""

import base64
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path


@dataclass
class Page:
    """A notebook as Markdown, with the pictures that it shows."""

    text: str
    title: str
    first: str
    pictures: dict[str, bytes] = field(default_factory=dict)


def page(path: Path, turned: Callable[[str], str]) -> Page:
    """Returns a notebook as a page, the links of its text turned. A picture is told in words by the heading above it and by its code's own title."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    prose = [_joined(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    title = re.sub(r"^#\s*(?:\d+\.\s*)?", "", prose[0].strip().splitlines()[0])
    made = Page("", title, _first(prose[0]))
    parts: list[str] = []
    heading = title
    for cell in cells:
        source = _joined(cell["source"])
        if cell["cell_type"] == "markdown":
            heading = next(
                (
                    line.lstrip("# ")
                    for line in reversed(source.splitlines())
                    if line.startswith("#")
                ),
                heading,
            )
            parts.append(turned(source.strip()).strip())
            continue
        parts.append(f"```python\n{source.rstrip()}\n```")
        parts += [
            _shown(
                output, made, f"{path.stem}-{len(made.pictures) + 1}.png", _told(heading, source)
            )
            for output in cell["outputs"]
        ]
    download = f"The notebook itself: {{download}}`{path.name} </notebooks/{path.name}>`. It runs beside the sample data, in `notebooks/` of a copy of the project."
    made.text = _numbered("\n\n".join([*parts, "---", download])) + "\n"
    return made


def _shown(output: dict[str, object], made: Page, name: str, told: str) -> str:
    data = output.get("data", {})
    if "image/png" in data:
        made.pictures[name] = base64.b64decode(_joined(data["image/png"]))
        return f"![{told}](pictures/{name})"
    if "text/html" in data:
        return (
            "::::{container} answer\n```{raw} html\n"
            + _table(_joined(data["text/html"]))
            + "\n```\n::::"
        )
    text = _joined(output.get("text") or data.get("text/plain", "")).rstrip()
    return f"::::{{container}} answer\n```text\n{text}\n```\n::::" if text else ""


def _table(html: str) -> str:
    """Returns a table of pandas without styles of its own, its empty corner no heading of anything."""
    html = re.sub(r"<style.*?</style>", "", html, flags=re.S)
    html = re.sub(r' (?:style|border)="[^"]*"', "", html)
    html = re.sub(r"<th></th>", "<td></td>", html)
    return html.replace(
        "<div>",
        '<div class="pst-scrollable-table-container" tabindex="0" role="region" aria-label="A table of answers">',
        1,
    )


def _numbered(page: str) -> str:
    """Returns a page whose tables each have a name of their own, since a listener steps from one named part to the next."""
    number = count(1)
    return re.sub(
        r'aria-label="A table of answers"',
        lambda _: f'aria-label="Table {next(number)} of answers"',
        page,
    )


def _told(heading: str, source: str) -> str:
    named = re.findall(r"""title=["']([^"']+)["']""", source)
    return re.sub(r"[\[\]`*]", "", f"{heading}: {'; '.join(named)}" if named else heading)


def _first(text: str) -> str:
    """Returns the first sentences of a notebook, as its card in the gallery tells it."""
    body = " ".join(text.strip().splitlines()[1:]).strip()
    found = re.split(r"(?<=[.?!])\s+", body)
    return " ".join(found[:2])


def _joined(text: object) -> str:
    return "".join(text) if isinstance(text, list) else str(text)
