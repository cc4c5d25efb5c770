"""Makes the question a page of its own for any browser or field app, which asks for nothing from any network."""

import html
import json
import os
from importlib import resources
from typing import Any

from dpmap.files import written_aside
from dpmap.local.device import Question

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; connect-src 'none'; "
    "form-action 'none'; base-uri 'none'"
)


def page(question: Question) -> str:
    """Returns the page, of under 30 kB without the question."""
    plain = json.loads(question.to_json())
    del plain["grid"]  # for whoever adds the reports up; a device has `places`
    parts = {
        "POLICY": POLICY,
        "TITLE": html.escape(question.title),
        "QUESTION": _safe_json(plain),
        "SCRIPT": _asset("page.js"),
    }
    text = _asset("page.html")
    head, *rest = _cut(text, list(parts))
    return head + "".join(parts[name] + after for name, after in zip(parts, rest, strict=True))


def write_page(question: Question, path: "str | os.PathLike[str]") -> None:
    """Writes the page to a file."""
    with written_aside(path) as aside:
        aside.write_text(page(question), encoding="utf-8")


def _cut(text: str, marks: list[str]) -> list[str]:
    """Replaces the text between the marks, which come once each and in this order; a replacement is not searched again."""
    pieces = []
    for mark in marks:
        before, _, text = text.partition(mark)
        pieces.append(before)
    return [*pieces, text]


def _safe_json(plain: Any) -> str:
    r"""Writes JSON that cannot end the script element it stands in, whatever its strings hold.

    >>> _safe_json("</script>")
    '"\\u003c/script\\u003e"'
    """
    text = json.dumps(plain, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.translate({ord(mark): f"\\u{ord(mark):04x}" for mark in "<>&'"})


def _asset(name: str) -> str:
    return resources.files("dpmap.local").joinpath("assets", name).read_text(encoding="utf-8")
