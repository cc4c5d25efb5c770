"""Takes a survey's files as they are typed, or as dpmap.toml lists them: a path, several, or
tables of what holds for one alone.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dpmap.errors import BadInput, Refused

Files = list[Any]
"""Paths, and tables such as `{file = "b.csv", format = "ebird"}`."""


PIPE = "-"
"""What is typed for a survey that another program writes to this one's standard input."""


def one_file(given: Any) -> Any:
    """Returns a file as it was given: a path, or a table that names its `file`."""
    if isinstance(given, Mapping) and not isinstance(given.get("file"), str):
        raise BadInput(
            'survey: a table of one file names it, like {file = "2024.csv", x = "lon", y = "lat"}'
        )
    return (
        {key.replace("-", "_"): one for key, one in given.items()}
        if isinstance(given, Mapping)
        else str(given)
    )


def paths(survey: Files) -> list[str]:
    """Lists the paths of a survey's files.

    >>> paths(["a.csv", {"file": "b.csv", "x": "lon"}])
    ['a.csv', 'b.csv']
    """
    return [one["file"] if isinstance(one, Mapping) else one for one in survey]


def as_read(survey: Files) -> Any:
    """Returns what `dm.read` takes: one path, or the list."""
    return survey[0] if len(survey) == 1 and isinstance(survey[0], str) else survey


def is_piped(survey: Files) -> bool:
    """Whether rows come through a pipe."""
    return PIPE in paths(survey)


def is_afar(survey: Files) -> bool:
    """Whether a file is an address or a pipe, beside which no ledger can stand."""
    from dpmap.survey.files.database import is_address

    return is_piped(survey) or any(map(is_address, paths(survey)))


def page_name(survey: Files, table: str | None) -> str:
    """Returns what a page about the survey is called."""
    from dpmap.survey.files.database import is_address

    first, *others = paths(survey)
    named = (table or "a query") if is_address(first) else Path(first).name
    return named + (f" and {len(others)} more" if others else "")


def is_apart(survey: Files) -> bool:
    """Whether no ledger can stand beside the survey. An address has no folder, and a ledger in each
    working folder would start anew; nor have files of several folders one, beside each of which
    another ledger may stand.
    """
    return is_afar(survey) or len({Path(path).parent.resolve() for path in paths(survey)}) > 1


def ledger_beside(survey: Files) -> Path:
    """Returns the ledger's usual place beside the survey, if there is one."""
    if is_piped(survey):
        raise BadInput(
            "--ledger: rows on standard input have no folder for it to stand in; add --ledger FILE,"
            " the same each time"
        )
    if is_afar(survey):
        raise Refused(
            "no ledger: an address has no folder for it to stand in; add --ledger FILE, the same"
            " each time"
        )
    if is_apart(survey):
        raise Refused(
            "no ledger: the survey's files stand in different folders; add --ledger FILE, the same"
            " each time"
        )
    return Path(paths(survey)[0]).parent / "dpmap.ledger"
