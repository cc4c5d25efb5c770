"""Makes an attestation from its template: what a board and an auditor ask of a release, each
question with its answer and the evidence for it.

The heads are those of ISO/IEC 27559:2022 (context, data, identifiability, governance); the
questions are those that NIST SP 800-226 puts to whoever promises differential privacy. An answer is
a fact with its evidence. Where nobody declared it, or no record can tell, it says so.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dpmap.maps import kind_of_layers
from dpmap.numbers import decimal_text
from dpmap.record import Record
from dpmap.statement.attestation.group_size import counted_as, group_needed_words, group_size_words
from dpmap.statement.document import fill_document
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import list_words, plain

TEMPLATES = {"merged": "merged_attestation.md", "reports": "reports_attestation.md"}
"""The template of each kind of map that no single curator released."""
SECTION = re.compile(r"^## (\w+): (.+)$", re.MULTILINE)
QUESTION = re.compile(r"^### ([\w-]+): (.+)$", re.MULTILINE)
EVIDENCE = re.compile(r"^Evidence: (\w+)$", re.MULTILINE)
ITEM = re.compile(r"- (\w+) `([^`]*)`(?:: (.*))?")
GLANCE = re.compile(r"- \*\*([^*]+)\*\*: (.*)")

FLAG_WORDS = {
    "--purpose": "what it is for",
    "--authorised-by": "who authorised it",
    "--expires": "until when it may be used",
    "--also-published": "what else was published of the same data",
    "--retention": "who can reach the records",
    "--licence": "its licence",
}
"""What each flag declares that a board asks for, in a few words."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an answer rests on: a check of the `selftest`, a mark or section of the `promise`, a
    `theorem`'s file, the `ledger`, a field of the `record`, a flag that `declared` it, or a
    `command` to type; `ref` says which, `says` what it shows.
    """

    kind: str
    ref: str
    says: str


@dataclass(frozen=True, slots=True)
class AttestedAnswer:
    """A question with its name in the JSON, its head, its words, and a fact in Markdown with what
    it rests on; `source` is `record`, `declared` or `program`, and `lacking` are the flags that
    nobody gave.
    """

    id: str
    head: str
    question: str
    text: str
    source: str
    evidence: tuple[Evidence, ...]
    lacking: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Attestation:
    """The whole attestation: the lines of the box on top, the titles of the heads, the answers."""

    glance: tuple[tuple[str, str], ...]
    heads: dict[str, str]
    answers: tuple[AttestedAnswer, ...]


def attest(record: Record) -> Attestation:
    """Return the attestation of a release, made from its record alone."""
    template = TEMPLATES.get(kind_of_layers(record), "attestation.md")
    text = fill_document(template, record, **_facts(record))
    top, *sections = SECTION.split(text)
    heads = dict(zip(sections[0::3], sections[1::3], strict=True))
    answers = tuple(
        answer
        for head, body in zip(sections[0::3], sections[2::3], strict=True)
        for answer in _read_answers(head, body)
    )
    glance = [(line[1], line[2]) for line in map(GLANCE.fullmatch, top.split("\n")) if line]
    glance.append(("Not declared", _lacking_words(answers)))
    return Attestation(tuple(glance), heads, answers)


def _read_answers(head: str, body: str) -> Iterator[AttestedAnswer]:
    """Yield the answers of a section."""
    _, *questions = QUESTION.split(body)
    for name, question, answer in zip(
        questions[0::3], questions[1::3], questions[2::3], strict=True
    ):
        text, source, items = EVIDENCE.split(answer)
        evidence = [_read_item(item) for item in items.strip().split("\n")]
        yield AttestedAnswer(
            name,
            head,
            question,
            text.strip(),
            source,
            tuple(item for item in evidence if item.kind != "lacking"),
            tuple(item.ref for item in evidence if item.kind == "lacking"),
        )


def _read_item(line: str) -> Evidence:
    """Return one item of evidence; a mark of the promise is an anchor of its page."""
    item = ITEM.fullmatch(line)
    if item is None:
        raise ValueError("a line of evidence names no kind and no reference")
    kind, reference, says = item.groups(default="")
    return Evidence(kind, f"docs/promise.md{reference}" if kind == "promise" else reference, says)


def _lacking_words(answers: tuple[AttestedAnswer, ...]) -> str:
    """Say what nobody declared, and with which flag it would have been."""
    flags = dict.fromkeys(flag for answer in answers for flag in answer.lacking)
    if not flags:
        return "Nothing that a board asks for is missing. What was declared, no program can check."
    words = list_words([f"{FLAG_WORDS[flag]} (`{flag}`)" for flag in flags])
    return f"{words[0].upper()}{words[1:]}."


def _facts(record: Record) -> dict[str, Any]:
    """Return what an attestation says beyond its record."""
    odds = map_statement(record).odds().values()
    noise_library = str(record.about.written.get("noise") or "")
    return {
        "layered": () not in record.grid.maps,
        "layers": len([names for names in record.grid.maps if names]),
        "odds": [moved for moved in odds if moved],
        "measured_epsilon": sum(
            (measured.epsilon for measured in record.measurements), record.policy.choosing
        ),
        "noise_by_opendp": "opendp" in noise_library.lower(),
        "counted_as": counted_as(record),
        "needed_words": group_needed_words(record),
        "group_size_words": group_size_words(record),
        "accuracy": map_statement(record).accuracy().split("\n\n", 1)[1],
        "versions": [plain(f"{name} {version}") for name, version in record.versions.items()],
        "selftest_check": selftest_check,
        **_partner_facts(record),
        "lines_words": "; ".join(
            f"{name}: {count:,}" for name, count in (record.about.lines or {}).items()
        ),
    }


def _partner_facts(record: Record) -> dict[str, Any]:
    """Return the lists of partners whose maps were added up."""
    return {
        "partner_caps": [
            f"{partner.policy.cap:,} by {plain(partner.receipt.dataset)}"
            for partner in record.partners
        ],
        "partner_budgets": [
            f"{decimal_text(partner.receipt.spent)} of {decimal_text(partner.receipt.budget)} by"
            f" {plain(partner.receipt.dataset)}"
            for partner in record.partners
        ],
    }


CHECKS = {
    "places": ("every probability the sampler uses is exact", "any place that is wrong"),
    "frequencies": (
        "what is drawn follows the law",
        "noise 1.1 times too wide or narrow, in a usual run",
    ),
    "fresh": (
        "no noise comes twice, and no seed steers it",
        "a seed, and noise that is used again",
    ),
    "pairs": (
        "no one moves the map by more than the cap, or what others add",
        "any excess, to 1 step in 2^32",
    ),
    "flat": (
        "no event betrays anyone by more than epsilon: flat",
        "an epsilon 1.3 times the stated one, in a usual run",
    ),
    "adaptive": (
        "the same where each question follows from the answers before",
        "an epsilon 3 times the stated one, in a usual run",
    ),
    "whole": (
        "from survey file to saved release: noise, bill and file are right",
        "noise 1.1 times too wide or narrow, in a usual run",
    ),
    "opendp": (
        "OpenDP's noise, where a policy asks for it, has the same law",
        "noise 1.1 times too wide or narrow, in a usual run",
    ),
    "order": (
        "epsilon is spent on disk before noise is drawn and data looked at",
        "any step out of order",
    ),
    "ledger": ("the ledger cannot be overspent, edited or cut unnoticed", "any that passes"),
}
"""Checks of `dpmap selftest` that answers name: what each promises, and what it can see. A test
holds them to the selftest's own list and strengths.
"""


def selftest_check(name: str) -> str:
    """Return a check of the selftest as evidence: what it promises and can see, not that it ran."""
    promise, sees = CHECKS[name]
    return f"selftest `{name}`: {promise}; it can see {sees}"
