"""Answers the questions of the head *governance*: who answers for it."""

from dpmap.promise.governance import WORDS
from dpmap.record import Record
from dpmap.statement.attestation.questions import (
    NOT_DECLARED,
    Answering,
    AttestedAnswer,
    declared,
    promised,
    recorded,
    tried,
    typed,
)
from dpmap.statement.phrases import plain


def access(record: Record) -> AttestedAnswer:
    """Quotes who can reach survey and ledger, and for how long."""
    said = record.about.governance.retention
    text = (
        f"Declared: {plain(said)}."
        if said
        else f"{NOT_DECLARED} Ask the steward; whoever can read the survey needs no map."
    )
    return AttestedAnswer(
        f"{text} The map itself is public from {plain(record.released_on)} on: copies cannot be"
        " called back.",
        "declared",
        (
            declared("--retention", "asked of whoever releases; no program can check it"),
            promised("Who is defended against", "what holds for others who use that machine"),
        ),
        () if said else ("--retention",),
    )


def terms(record: Record) -> AttestedAnswer:
    """Quotes licence, DOI, reason and the project at Local Contexts."""
    said = record.about.governance.facts()
    parts = ("licence", "doi", "reason", "local_contexts")
    told = [f"- {WORDS[part]}: {plain(said[part])}." for part in parts if part in said]
    told += [f"- {WORDS[part]}: not declared." for part in parts if part not in said]
    return AttestedAnswer(
        "\n".join(told) if said.keys() & set(parts) else NOT_DECLARED,
        "declared",
        (
            declared(
                ", ".join(f"--{part.replace('_', '-')}" for part in parts),
                "the steward's own words",
            ),
        ),
        () if "licence" in said else ("--licence",),
    )


def checking(record: Record) -> AttestedAnswer:
    """Says what an auditor needs and types."""
    versions = ", ".join(plain(f"{name} {version}") for name, version in record.versions.items())
    return AttestedAnswer(
        "With `release.dpmap` anybody makes this page again, and everything beside it. With the"
        " ledger one sees whether the release is in it; with the program, whether it does what it"
        f" says. Release {plain(record.receipt.release_id)}. Made with"
        f" {versions or 'versions that are not in the record'}.",
        "record",
        (
            typed(
                "dpmap release --resume FOLDER",
                "makes missing files of this folder again, at no cost",
            ),
            typed("dpmap ledger LEDGER --against release.dpmap", "the ledger"),
            typed("dpmap selftest", "the program"),
            recorded("versions", "the program, its code's hash, and what it computes with"),
            tried(
                "test_made_with.py::test_a_release_names_everything_that_computed_it",
                "what the record names",
            ),
        ),
    )


ANSWERS: Answering = {"access": access, "terms": terms, "checking": checking}
