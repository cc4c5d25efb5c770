"""Asks how dates are written, wherever a map hangs on them: by the operator's choice, or by a look
as `dpmap init` takes it.

Of that look nothing but the form is kept; its numbers are shown on no page.
"""

import re
from collections.abc import Mapping
from typing import Any

from dpmap.errors import BadInput
from dpmap.studio.drafts import Draft
from dpmap.studio.page import Studio

FORMS = {
    "dmy": "the day first: 01.07.2025 or 1/7/25 is in July",
    "mdy": "the month first: 07/01/2025 or 7/1/25 is in July",
    "iso": "year, month, day with hyphens: 2025-07-01",
    "ymd": "the year first, otherwise written: 2025/07/01 or 20250701",
    "excel": "days as Excel counts them: 45839",
    "epoch": "milliseconds since 1970: 1751328000000",
}
"""How dates may be written, in words."""
LOOK = "as the file looks: it is looked up when you go on"
CHOOSE = "choose below how its dates are written; whoever made it knows"
UNSURE = f"--dates: the file does not tell whether the day or the month comes first; {CHOOSE}"
UNSEEN = f"--dates: how the file writes them could not be looked up; {CHOOSE}"


def offer_forms(draft: Draft) -> list[tuple[str, str]]:
    """Returns the choices; what was declared otherwise, such as several forms, stands there too."""
    now = str(draft.get("dates"))
    more = [(now, words(now))] if now and now not in FORMS else []
    return [("", LOOK), *more, *FORMS.items()]


def words(forms: str) -> str:
    """Says in words how dates are written.

    >>> words("iso"), words("dmy,start")
    ('year, month, day with hyphens: 2025-07-01', 'the day first: 01.07.2025 or 1/7/25 is in July;
    else start')
    """
    return "; else ".join(FORMS.get(one.strip(), one.strip()) for one in forms.split(","))


def uses_dates(draft: Draft, known: Mapping[str, Any]) -> bool:
    """Whether a map hangs on dates: by its first or last day, its seasons, or a rule that names
    a column of dates.
    """
    named = re.findall(r"\w+", str(draft.get("where")))
    return any(draft.get(flag) for flag in ("from", "to", "times")) or any(
        one in named for one in known["dates"]
    )


def describe_dates(draft: Draft, known: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Says how dates are read, where that is declared or the map hangs on it."""
    forms = str(draft.get("dates"))
    if not forms and not uses_dates(draft, known):
        return []
    return [
        (
            "How dates are written",
            words(forms or "iso") + ("" if forms else " (nothing else is said)"),
        )
    ]


def with_column(end: str, column: str, known: Mapping[str, Any]) -> str:
    """Returns a first or last day with its column: the one chosen, else the only one that is called
    like a date.

    >>> with_column("2024", "", {"dates": ["Datum"]}), with_column(
    ...     "seen=2024", "Datum", {"dates": []}
    ... )
    ('Datum=2024', 'seen=2024')
    """
    if not end or "=" in end:
        return end
    column = column or (known["dates"][0] if len(known["dates"]) == 1 else "")
    return f"{column}={end}" if column else end


def taken_apart(draft: Draft) -> tuple[str, dict[str, str]]:
    """Returns the column of the first and last day, and both days without it; of two columns
    each day keeps its own.
    """
    ends = {flag: str(draft.get(flag)) for flag in ("from", "to")}
    columns = {end.partition("=")[0].strip() if "=" in end else "" for end in ends.values() if end}
    if len(columns) != 1:
        return "", ends
    return columns.pop(), {flag: end.rpartition("=")[2] for flag, end in ends.items()}


def looked_up(workspace: Studio, draft: Draft, known: Mapping[str, Any]) -> dict[str, str]:
    """Returns how the file writes its dates where nobody has said it and the map hangs on it;
    refuses where the file does not tell.
    """
    if not uses_dates(draft, known) or draft.get("dates"):
        return {}
    answer = workspace.commands.ask("inspect", *draft.config, "--json")
    if not answer.good:
        raise BadInput(UNSEEN)
    ways = answer.output["date_forms"] or ["iso"]
    if any(
        column.lower() not in map(str.lower, answer.output["dates"]) for column in _columns(draft)
    ):
        raise BadInput(UNSEEN)
    if len(ways) > 1:
        raise BadInput(UNSURE)
    return {"dates": ways[0]}


def _columns(draft: Draft) -> list[str]:
    """Lists the columns of dates that the map's own flags name."""
    named = [str(draft.get(flag)).partition("=") for flag in ("from", "to", "times")]
    return [column.strip() for column, said, _ in named if said]
