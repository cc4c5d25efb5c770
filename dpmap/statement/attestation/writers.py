"""Writes the attestation as Markdown, JSON and a page to print, and the page for whoever is
protected: the same answers in each form.
"""

import json
import os
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from dpmap import style
from dpmap.atomic_write import written_aside
from dpmap.maps import kind
from dpmap.markdown import Span, blocks
from dpmap.record import Record
from dpmap.statement.attestation.attestation import AttestedAnswer, Evidence, attest
from dpmap.statement.attestation.group_size import COUNTS, Vanishing, counted_as, vanishing
from dpmap.statement.attestation.participant_page import participant_text
from dpmap.statement.document import running_foot
from dpmap.statement.phrases import clean, plain
from dpmap.templates import fill_page

FORM = 2
"""The version of the JSON's structure: it rises when a name is taken away or changes its
meaning, not when one is added.
"""
ROOM = "dpmap.statement.attestation"
KINDS = {
    "selftest": "check of `dpmap selftest`",
    "promise": "promise",
    "theorem": "theorem",
    "ledger": "ledger's head",
    "record": "in `release.dpmap`",
    "declared": "declared with",
    "command": "type",
}
"""What each kind of evidence is called beside it."""
SOURCES = {
    "record": "the release's record",
    "declared": "the steward's declaration",
    "program": "the program, the same for every release of its kind",
}
"""Where an answer comes from, in words."""


def lead(record: Record, answers: tuple[AttestedAnswer, ...]) -> str:
    """Say what the page is."""
    return (
        f"{len(answers)} questions that a board or an auditor asks of a private map, each with its"
        " answer and what that rests on. Made from `release.dpmap` alone, released"
        f" {plain(record.released_on)}. The heads are those of ISO/IEC 27559:2022, the questions"
        " those of NIST SP 800-226; neither body has looked at it."
    )


def markdown(record: Record) -> str:
    """Return `attestation.md`."""
    attestation = attest(record)
    parts = [
        f"# Attestation: {plain(record.heading)}",
        "## At a glance",
        "\n".join(f"- **{name}**: {says}" for name, says in attestation.glance),
        lead(record, attestation.answers),
    ]
    head = ""
    for number, answer in enumerate(attestation.answers, start=1):
        if answer.head != head:
            head = answer.head
            parts.append(f"## {_head_title(head, attestation.heads[head])}")
        parts += [f"### {number}. {answer.question}", answer.text]
        parts += _tables(record) if answer.id == "vanishing" else []
        parts.append(
            f"*Evidence* (from {SOURCES[answer.source]}):\n\n"
            + "\n".join(map(_evidence_line, answer.evidence))
        )
    return "\n\n".join(parts) + "\n"


def _head_title(head: str, title: str) -> str:
    """Return the title of a head as it stands in the page: "Context: what the map is for"."""
    return f"{head.capitalize()}: {title[0].lower()}{title[1:]}"


def _evidence_line(evidence: Evidence) -> str:
    return f"- {KINDS[evidence.kind]} `{evidence.ref}`: {evidence.says}."


def _tables(record: Record) -> list[str]:
    """Returns the two tables of who vanishes, in Markdown."""
    group_sizes = vanishing(record)
    return [
        text
        for head, rows, words in tables(record, group_sizes)
        for text in (f"{words}", _table(head, rows))
    ]


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def tables(record: Record, group_sizes: Vanishing) -> list[tuple[list[str], list[list[str]], str]]:
    """Returns each table: its head, its rows, and what it shows; names are code."""
    what = counted_as(record)
    return [
        _sizes(what, group_sizes),
        *([_totals(what, group_sizes)] if group_sizes.groups else []),
    ]


def _sizes(what: str, group_sizes: Vanishing) -> tuple[list[str], list[list[str]], str]:
    """Returns the table of how surely groups of a size show."""
    counts = [f"{count:,}" for count in COUNTS]
    head = ["zone", "90 % within", *counts, "shows half of the time from", "nine times in ten from"]
    rows = [
        [
            zone.name,
            _wide(zone.half_width),
            *(_error(zone.error(count)) for count in COUNTS),
            f"{zone.half_the_time:,}",
            f"{zone.least:,}",
        ]
        for zone in group_sizes.zones
    ]
    words = (
        f"Error of groups of so many {what} (capped), as a share of the group, nine times in ten,"
        " by the law of the noise alone. *Hidden*: the error is as large as the group, which shows"
        " less than half of the time:"
    )
    return head, rows, words


def _totals(what: str, group_sizes: Vanishing) -> tuple[list[str], list[list[str]], str]:
    """Returns the table of the released totals of layers, named areas and the whole."""
    rows = [
        [
            plain(group.name),
            group.kind,
            style.number(group.total),
            _wide(group.half_width),
            "-" if group.error is None else _error(group.error),
            "yes" if group.shows else "**no**",
        ]
        for group in group_sizes.groups
    ]
    left = f" {group_sizes.unlisted:,} more are in the release." if group_sizes.unlisted else ""
    words = (
        f"Released totals of {what}, with noise, as the last question's answers add up to; no true"
        f" total is in this table.{left}"
    )
    return ["what", "kind", "released total", "90 % within", "error", "shows"], rows, words


def _wide(half: float) -> str:
    return f"\N{PLUS-MINUS SIGN}{style.number(half)}"


def _error(share: float) -> str:
    """Writes an error in per cent; one of all and more hides the group.

    >>> _error(0.231), _error(0.004), _error(2.0)
    ('23 %', 'under 1 %', 'hidden')
    """
    return "hidden" if share >= 1 else f"{share * 100:.0f} %" if share >= 0.01 else "under 1 %"


def plain_json(record: Record) -> str:
    """Return `attestation.json`, whose structure attestation.schema.json describes."""
    attestation = attest(record)
    group_sizes = vanishing(record)
    document = {
        "form": FORM,
        "dataset": clean(record.receipt.dataset),
        "title": clean(record.heading),
        "released_on": clean(record.released_on),
        "release_id": clean(record.receipt.release_id),
        "kind": kind(record),
        "at_a_glance": [{"name": name, "says": words(says)} for name, says in attestation.glance],
        "answers": [_plain_answer(answer) for answer in attestation.answers],
        "vanishing": {
            "level": 0.9,
            "counts": list(COUNTS),
            "zones": [
                {**asdict(zone), "half_the_time": zone.half_the_time, "least": zone.least}
                for zone in group_sizes.zones
            ],
            "groups": [
                {**asdict(group), "error": group.error, "shows": group.shows}
                for group in group_sizes.groups
            ],
            "unlisted": group_sizes.unlisted,
        },
    }
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _plain_answer(answer: AttestedAnswer) -> dict[str, Any]:
    return {
        "id": answer.id,
        "head": answer.head,
        "question": answer.question,
        "answer": words(answer.text),
        "source": answer.source,
        "not_declared": list(answer.lacking),
        "evidence": [asdict(evidence) for evidence in answer.evidence],
    }


def words(text: str) -> str:
    r"""Returns an answer without the marks of Markdown, a line for each of its lines.

    >>> words("Epsilon is `1`:\n\n- **one**\n- two")
    'Epsilon is 1:\n- one\n- two'
    """
    lines = []
    for block in blocks(text):
        mark = "- " if block.kind in ("list", "numbered") else ""
        lines += [mark + "".join(span.text for cell in row for span in cell) for row in block.rows]
    return "\n".join(lines)


def spans(text: str) -> tuple[Span, ...]:
    """Returns one line of Markdown as runs of text."""
    return blocks(text)[0].rows[0][0] if text.strip() else ()


def page(record: Record) -> str:
    """Return `attestation.html`, to read and to print."""
    attestation = attest(record)
    numbered = list(enumerate(attestation.answers, start=1))
    return fill_page(
        ROOM,
        "attestation.html",
        title=clean(record.heading),
        foot=running_foot("Attestation", record),
        lead=spans(lead(record, attestation.answers)),
        glance=attestation.glance,
        heads=[
            (
                _head_title(head, title),
                [(number, answer) for number, answer in numbered if answer.head == head],
            )
            for head, title in attestation.heads.items()
        ],
        tables=tables(record, vanishing(record)),
        blocks=blocks,
        spans=spans,
        kinds=KINDS,
        sources=SOURCES,
        released_on=clean(record.released_on),
    )


def protected_page(record: Record) -> str:
    """Returns `for-the-protected.html`, half a page for whoever is protected."""
    return fill_page(
        ROOM,
        "protected.html",
        blocks=blocks(participant_text(record)),
        title=clean(record.heading),
        foot=running_foot("What can be learned about me", record),
        released_on=clean(record.released_on),
    )


FILES: dict[str, Callable[[Record], str]] = {
    "attestation.md": markdown,
    "attestation.json": plain_json,
    "attestation.html": page,
    "for-the-protected.html": protected_page,
}
"""What makes the file of each name."""


def write(record: Record, path: "str | os.PathLike[str]") -> None:
    """Writes the file that `path` names."""
    with written_aside(path) as aside:
        aside.write_text(FILES[os.path.basename(path)](record), encoding="utf-8")
