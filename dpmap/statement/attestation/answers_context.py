"""Answers the questions of the head *context*: what the map is for, and who sees it."""

from dpmap.grid import crs as crs_tools
from dpmap.record import Record
from dpmap.statement.attestation.group_size import counted_as
from dpmap.statement.attestation.questions import (
    NOT_DECLARED,
    Answering,
    AttestedAnswer,
    declared,
    promised,
    recorded,
    tried,
)
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import listed, plain


def purpose(record: Record) -> AttestedAnswer:
    """Quotes what the steward declared, part by part."""
    said = record.about.governance.facts()
    parts = {
        "purpose": "Purpose",
        "authorised_by": "Authorised by",
        "expires": "Last day of use",
        "labels": "Labels",
    }
    flags = {
        "purpose": "--purpose",
        "authorised_by": "--authorised-by",
        "expires": "--expires",
        "labels": "--label",
    }
    told = [f"- {name}: {plain(said[part])}." for part, name in parts.items() if part in said]
    told += [f"- {name}: not declared." for part, name in parts.items() if part not in said]
    lacking = tuple(
        flags[part] for part in ("purpose", "authorised_by", "expires") if part not in said
    )
    return AttestedAnswer(
        "\n".join(told) if said.keys() & parts else NOT_DECLARED,
        "declared",
        (
            declared(
                ", ".join(flags.values()), "the steward's own words; no program can check them"
            ),
        ),
        lacking,
    )


def published(record: Record) -> AttestedAnswer:
    """Says which numbers are out."""
    words, grid = map_statement(record), record.grid
    layers = len([names for names in grid.maps if names])
    each = f", in {layers:,} layers" if layers else ""
    return AttestedAnswer(
        f"{words.numbers.capitalize()} of {counted_as(record)}, with noise, for {words.cells:,}"
        f" cells{each} of {grid.cell_text} ({plain(crs_tools.name(grid.crs))});"
        f" {words.listed_words()}. No record is published, and no point was moved.",
        "record",
        (
            recorded(
                "grid, measurements",
                "all numbers that are published; every file beside them is made from these",
            ),
            tried(
                "test_promise.py::test_an_empty_survey_gives_a_map_of_the_same_cells",
                "cells do not hang on records",
            ),
        ),
    )


def trust(record: Record) -> AttestedAnswer:
    """Says who must be trusted: a curator; and for whom this map is, if several were made."""
    tier = record.about.tier
    several = (
        ""
        if tier is None
        else (
            f" This is the map for {plain(tier.name)}; readers of other maps of the same draw are"
            f" {listed([plain(name) for name in tier.others])}. Whoever has several of them learns"
            " what the finest tells."
        )
    )
    return AttestedAnswer(
        "The steward, who holds the survey and the ledger, is trusted, and so is her computer."
        " Nobody else is: whoever has the map may know everything about all others, and compute"
        " whatever can be computed (central model, released once, no questions answered"
        f" later).{several}",
        "program",
        (
            promised(
                "Who is defended against",
                "readers, contributors, strangers' files, other users of the machine",
            ),
            tried(
                "test_sealed.py::test_every_way_out_is_refused",
                "true counts have no way out by accident",
            ),
            tried(
                "test_promise.py::test_sealing_is_no_lock",
                "that guards against slips of the operator, not against her",
            ),
        ),
    )


def other_publications(record: Record) -> AttestedAnswer:
    """Quotes what else was published, or says what it means that nobody said."""
    said = record.about.governance.also_published
    if not said:
        text = (
            f"{NOT_DECLARED} That says neither that there is nothing nor what it is. Whatever else"
            " was published of the same records (tables, points, maps from another ledger) adds to"
            " what is said here, and no number below counts it."
        )
    else:
        text = (
            "\n".join(f"- Declared: {plain(line)}." for line in said)
            + "\n\nDeclared by the steward. No number below counts what is published outside this"
            " ledger; exact figures of the same records can undo what the noise hides."
        )
    return AttestedAnswer(
        text,
        "declared",
        (
            declared("--also-published", "asked of whoever releases; no program can check it"),
            promised(
                "What is not protected",
                "publications made outside the ledger are outside the guarantee",
            ),
            promised("Over the years", "what is in one ledger adds up"),
        ),
        () if said else ("--also-published",),
    )


ANSWERS: Answering = {
    "purpose": purpose,
    "published": published,
    "trust": trust,
    "other-publications": other_publications,
}
