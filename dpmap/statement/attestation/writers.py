"""Writes the attestation as Markdown, JSON and a page to print, and the page for whoever is
protected: the same answers in each form.
"""

import json
import os
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from markupsafe import Markup

from dpmap import style
from dpmap.atomic_write import written_aside
from dpmap.maps import kind, kind_of_layers
from dpmap.markdown import Span, blocks
from dpmap.record import Record
from dpmap.statement.attestation import (
    curator_attestation,
    local,
    merged_attestation,
    participant_page,
)
from dpmap.statement.attestation.group_size import COUNTS, Vanishing, counted_as, vanishing
from dpmap.statement.attestation.questions import (
    HEADS,
    QUESTIONS,
    Answering,
    AttestedAnswer,
    AttestedQuestion,
)
from dpmap.statement.attestation.summary_box import Line, glance
from dpmap.statement.phrases import clean, plain
from dpmap.templates import filled

FORM = 1
"""The version of the JSON's structure: it rises when a name is taken away or changes its
meaning, not when one is added.
"""
ROOM = "dpmap.statement.attestation"
KINDS = {
    "test": "test",
    "selftest": "check of `dpmap selftest`",
    "promise": "section",
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


ANSWERS: dict[str, Answering] = {
    "merged": merged_attestation.ANSWERS,
    "reports": local.ANSWERS,
}
PAGES: dict[str, Callable[[Record], participant_page.Page]] = {
    "merged": participant_page.merged,
    "reports": participant_page.local,
}
"""The answers, and the page for whoever is protected, of kinds that no single curator released."""


def answered(record: Record) -> list[tuple[AttestedQuestion, AttestedAnswer]]:
    """Returns every question with its answer, in order."""
    answering = ANSWERS.get(kind_of_layers(record), curator_attestation.ANSWERS)
    return [(question, answering[question.id](record)) for question in QUESTIONS]


def lead(record: Record, answers: list[tuple[AttestedQuestion, AttestedAnswer]]) -> str:
    """Says what the page is."""
    return (
        f"{len(answers)} questions that a board or an auditor asks of a private map, each with its"
        " answer and what that rests on. Made from `release.dpmap` alone, released"
        f" {plain(record.released_on)}. The heads are those of ISO/IEC 27559:2022, the questions"
        " those of NIST SP 800-226; neither body has looked at it."
    )


def box(record: Record, answers: list[tuple[AttestedQuestion, AttestedAnswer]]) -> tuple[Line, ...]:
    """Returns the lines of the box on top."""
    return glance(record, tuple(answer for _, answer in answers))


def markdown(record: Record) -> str:
    """Returns `attestation.md`."""
    answers = answered(record)
    short = "\n".join(f"- **{name}**: {says}" for name, says in box(record, answers))
    parts = [
        f"# Attestation: {plain(record.heading)}",
        "## At a glance",
        short,
        lead(record, answers),
    ]
    for head, words in HEADS.items():
        parts.append(f"## {words}")
        for number, (question, answer) in enumerate(answers, start=1):
            if question.head == head:
                parts += [f"### {number}. {question.asked}", answer.text]
                parts += _tables(record) if question.id == "vanishing" else []
                parts.append(
                    f"*Evidence* (from {SOURCES[answer.source]}):\n\n"
                    + "\n".join(map(_line, answer.evidence))
                )
    return "\n\n".join(parts) + "\n"


def _line(one: Any) -> str:
    return f"- {KINDS[one.kind]} `{one.ref}`: {one.says}."


def _tables(record: Record) -> list[str]:
    """Returns the two tables of who vanishes, in Markdown."""
    found = vanishing(record)
    return [
        text
        for head, rows, words in tables(record, found)
        for text in (f"{words}", _table(head, rows))
    ]


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def tables(record: Record, found: Vanishing) -> list[tuple[list[str], list[list[str]], str]]:
    """Returns each table: its head, its rows, and what it shows; names are code."""
    what = counted_as(record)
    return [_sizes(what, found), *([_totals(what, found)] if found.groups else [])]


def _sizes(what: str, found: Vanishing) -> tuple[list[str], list[list[str]], str]:
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
        for zone in found.zones
    ]
    words = (
        f"Error of groups of so many {what} (capped), as a share of the group, nine times in ten,"
        " by the law of the noise alone. *Hidden*: the error is as large as the group, which shows"
        " less than half of the time:"
    )
    return head, rows, words


def _totals(what: str, found: Vanishing) -> tuple[list[str], list[list[str]], str]:
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
        for group in found.groups
    ]
    left = f" {found.unlisted:,} more are in the release." if found.unlisted else ""
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
    """Returns `attestation.json`, whose structure attestation.schema.json describes."""
    found, answers = vanishing(record), answered(record)
    told = {
        "form": FORM,
        "dataset": clean(record.receipt.dataset),
        "title": clean(record.heading),
        "released_on": clean(record.released_on),
        "release_id": clean(record.receipt.release_id),
        "kind": kind(record),
        "at_a_glance": [{"name": name, "says": words(says)} for name, says in box(record, answers)],
        "answers": [_plain(question, answer) for question, answer in answers],
        "vanishing": {
            "level": 0.9,
            "counts": list(COUNTS),
            "zones": [
                {**asdict(zone), "half_the_time": zone.half_the_time, "least": zone.least}
                for zone in found.zones
            ],
            "groups": [
                {**asdict(group), "error": group.error, "shows": group.shows}
                for group in found.groups
            ],
            "unlisted": found.unlisted,
        },
    }
    return json.dumps(told, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _plain(question: AttestedQuestion, answer: AttestedAnswer) -> dict[str, Any]:
    return {
        "id": question.id,
        "head": question.head,
        "question": question.asked,
        "answer": words(answer.text),
        "source": answer.source,
        "not_declared": list(answer.lacking),
        "evidence": [asdict(one) for one in answer.evidence],
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
    """Returns `attestation.html`, to read and to print."""
    answers, found = answered(record), vanishing(record)
    heads = [
        (
            words,
            [
                (number, question, answer)
                for number, (question, answer) in enumerate(answers, start=1)
                if question.head == head
            ],
        )
        for head, words in HEADS.items()
    ]
    return filled(
        ROOM,
        "attestation.html",
        title=clean(record.heading),
        foot=_foot("Attestation", record),
        lead=spans(lead(record, answers)),
        glance=box(record, answers),
        heads=heads,
        tables=tables(record, found),
        blocks=blocks,
        spans=spans,
        kinds=KINDS,
        sources=SOURCES,
        released_on=clean(record.released_on),
    )


def protected_page(record: Record) -> str:
    """Returns `for-the-protected.html`, half a page for whoever is protected."""
    return filled(
        ROOM,
        "protected.html",
        page=PAGES.get(kind_of_layers(record), participant_page.curated)(record),
        title=clean(record.heading),
        foot=_foot("What can be learned about me", record),
        released_on=clean(record.released_on),
        spans=spans,
    )


LONGEST_FOOT = 80


def _foot(what: str, record: Record) -> Markup:
    """Returns the running foot's words as a text of CSS: every mark that is no letter or digit
    of ASCII as its number, so that none can end it.
    """
    name = clean(record.heading)
    name = name if len(name) <= LONGEST_FOOT else name[:LONGEST_FOOT] + "\N{HORIZONTAL ELLIPSIS}"
    text = f"{what} \N{MIDDLE DOT} {name} \N{MIDDLE DOT} {clean(record.released_on)[:20]}"
    # escaped here
    return Markup(  # noqa: S704
        "".join(
            mark if mark.isascii() and mark.isalnum() else f"\\{ord(mark):06x}" for mark in text
        )
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
