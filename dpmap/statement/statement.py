"""The statement beside every release: in plain words what was done, and what it protects."""

import os
from collections.abc import Callable
from typing import Any

from dpmap.atomic_write import written_aside
from dpmap.maps import kind_of_layers
from dpmap.maps.reports import reports_of
from dpmap.markdown import blocks
from dpmap.record import Record
from dpmap.statement.document import fill_document, running_foot
from dpmap.statement.kinds.merged import took_part_merged_words
from dpmap.statement.kinds.reports import DEVICE, answered_words
from dpmap.statement.kinds.season import SeasonStatement
from dpmap.statement.local_deployment import mechanism_words
from dpmap.statement.phrases import clean
from dpmap.templates import fill_page


def statement(record: Record) -> str:
    """Return the whole statement in Markdown.

    It is made from the record alone, so it can be made again from `release.dpmap` at any time.
    """
    template, facts = STATEMENTS.get(kind_of_layers(record), CURATOR)
    return fill_document(template, record, **facts(record))


def write_statement(record: Record, path: "str | os.PathLike[str]") -> None:
    """Write `statement.md`."""
    with written_aside(path) as aside:
        aside.write_text(statement(record), encoding="utf-8")


def write_statement_page(record: Record, path: "str | os.PathLike[str]") -> None:
    """Write `statement.html`: the statement to be read in a browser and printed."""
    page = fill_page(
        "dpmap.statement",
        "statement.html",
        blocks=blocks(statement(record)),
        title=clean(record.heading),
        foot=running_foot("Statement", record),
    )
    with written_aside(path) as aside:
        aside.write_text(page, encoding="utf-8")


def _curator_facts(record: Record) -> dict[str, Any]:
    """Return what the statement of one curator's map says beyond its record."""
    return {"layer_axes": [axis for axis in record.grid.axes if axis != record.grid.mean]}


def _season_facts(record: Record) -> dict[str, Any]:
    """Return those of a season's own release, which was read together with others."""
    return {"seasons": SeasonStatement(record).record.seasons, **_curator_facts(record)}


def _merged_facts(record: Record) -> dict[str, Any]:
    """Return those of several partners' maps in one: whether several are of one data set."""
    names = [partner.receipt.dataset for partner in record.partners]
    same = [partner for partner in record.partners if names.count(partner.receipt.dataset) > 1]
    releases = {partner.receipt.release_id for partner in same}
    return {
        "same_data_set": bool(same),
        "layers_of_one_release": len(releases) < len(same),
        "took_part_merged_words": took_part_merged_words,
    }


def _reports_facts(record: Record) -> dict[str, Any]:
    """Return those of a map made from reports that volunteers' devices randomised."""
    return {
        "DEVICE": DEVICE,
        "mechanism": mechanism_words(reports_of(record)),
        "lines_left_out": _lines_left_out(record),
        "answered_words": answered_words,
        "versions": ", ".join(f"{name} {version}" for name, version in record.versions.items()),
    }


def _lines_left_out(record: Record) -> str | None:
    """Return how many incoming lines were left out, and why; they are no secret, since each line
    is private already.
    """
    lines = record.about.lines
    if lines is None:
        return None
    reasons = {"other": "of another question", "damaged": "damaged", "repeated": "that came twice"}
    return ", ".join(
        f"{int(lines[name]):,} {words}"
        for name, words in reasons.items()
        if isinstance(lines.get(name), int)
    )


Facts = Callable[[Record], dict[str, Any]]
CURATOR: tuple[str, Facts] = ("curator_statement.md", _curator_facts)
STATEMENTS: dict[str, tuple[str, Facts]] = {
    "season": ("season_statement.md", _season_facts),
    "merged": ("merged_statement.md", _merged_facts),
    "reports": ("reports_statement.md", _reports_facts),
}
"""The template of each kind of map that has one of its own, and the facts that it needs."""
