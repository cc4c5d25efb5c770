"""The statement beside every release: in plain words what was done, and what it protects."""

import os
from collections.abc import Callable

from dpmap.atomic_write import written_aside
from dpmap.maps import kind_of_layers
from dpmap.record import Record
from dpmap.statement import curator_statement, merged_statement, reports_statement
from dpmap.statement.kinds.season import SeasonStatement
from dpmap.statement.phrases import plain


def _season_statement(record: Record) -> str:
    """Return the statement of a season's own release, below what was read together."""
    return f"{_read_together(record)}\n\n{curator_statement.statement(record)}"


def _read_together(record: Record) -> str:
    """Say what was read together, and what that means for the promise."""
    seasons = SeasonStatement(record).record.seasons
    rows = "\n".join(
        f"- {plain(label)}: {plain(season.receipt.dataset)}, released {plain(season.released_on)}"
        for label, season in zip(seasons.labels, seasons.records, strict=True)
    )
    return (
        f"# One season of {len(seasons.records)}, read together\n\nThe cells of this map"
        " were estimated from the noisy answers of all these releases. That looked at no survey"
        " and cost nothing: whoever holds the releases could do the same. Intervals rest on the"
        " season's own noise alone. A unit that is in several of them has lost the sum of their"
        f" epsilons, as their ledger says; what stands below is about the one season.\n\n{rows}"
    )


WRITERS: dict[str, Callable[[Record], str]] = {
    "season": _season_statement,
    "merged": merged_statement.statement,
    "reports": reports_statement.statement,
}
"""The statement of each kind of map that has one of its own."""


def statement(record: Record) -> str:
    """Return the whole statement in Markdown.

    It is made from the record alone, so it can be made again from `release.dpmap` at any time.
    """
    return WRITERS.get(kind_of_layers(record), curator_statement.statement)(record)


def write_statement(record: Record, path: "str | os.PathLike[str]") -> None:
    """Write `statement.md`."""
    with written_aside(path) as aside:
        aside.write_text(statement(record), encoding="utf-8")
