"""Writes the statement beside every release: in plain words, what was done, what it protects and
what it does not.
"""

import os

from dpmap.atomic_write import written_aside
from dpmap.record import Record
from dpmap.statement.kinds import map_statement


def statement(record: Record) -> str:
    """Returns the whole statement in Markdown.

    It is made from the record alone, so it can be made again from `release.dpmap` at any time.
    """
    return map_statement(record).statement()


def write_statement(record: Record, path: "str | os.PathLike[str]") -> None:
    """Writes `statement.md`."""
    with written_aside(path) as aside:
        aside.write_text(statement(record), encoding="utf-8")
