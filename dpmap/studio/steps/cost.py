"""Says what a map that is being prepared costs, by its ledger: exact numbers, as texts."""

import os
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpmap.errors import BadInput
from dpmap.numbers import decimal_text
from dpmap.numbers import epsilon as loss
from dpmap.studio.commands import path
from dpmap.studio.drafts import Draft
from dpmap.studio.folder import short
from dpmap.studio.page import Studio
from dpmap.studio.steps.release_page import below, lost_of

MOST_ASKED = 20
"""How many other ledgers are asked about a data set, and how many files are named."""


def cost(workspace: Studio, draft: Draft) -> dict[str, Any]:
    """Returns what this map costs and what the ledger holds before and after it, exact numbers
    as texts.
    """
    book = _book(workspace, draft)
    name = str(draft.get("dataset"))
    there, account, error = _ask_ledger(workspace, book)
    busy = [
        job.then["dataset"]
        for job in workspace.commands.running("release")
        if job.then.get("ledger") == book
    ]
    new = name not in [one["name"] for one in account["datasets"]]
    begun = account["budget"] not in ("", "0")
    budget = str(account["budget"]) if begun else str(draft.get("budget"))
    price = _price(draft, account, name)
    return {
        "ledger": book,
        "page": short(book),
        "dataset": name,
        "there": there,
        "error": error,
        "budget": budget,
        "price": price,
        "spent": account["spent"],
        "before": account["remaining"] if begun else budget,
        "first": new,
        "events": len(account["events"]),
        "busy": busy,
        "head": account["head"],
        "lost": lost_of(account),
        "most": any(name in one["datasets"] for one in account["disjoint"]),
        "after": _remaining_after(account["remaining"] if begun else budget, price),
        "delta": str(draft.get("delta")),
        "units": [
            unit for one in account["datasets"] if one["name"] == name for unit in one["units"]
        ],
        "elsewhere": _elsewhere(workspace, book, name),
        "lone": [] if there else _lone(workspace, book),
        "more": (
            ["--budget", budget]
            if begun and new and account["plan"] is None and not draft.get("budget")
            else []
        ),
    }


def _elsewhere(workspace: Studio, book: str, name: str) -> list[str]:
    """Lists the other ledgers of the folder that paid for maps of this data set: this one knows
    nothing of them.
    """
    listed = [ledger.name for ledger in workspace.folder.ledgers() if ledger.name != book][
        :MOST_ASKED
    ]
    answers = {
        one: workspace.commands.remembered("ledger", path(one), "--json", of=[one])
        for one in listed
    }
    return [one for one, answer in answers.items() if answer.good and _paid(answer.output, name)]


def _paid(account: Mapping[str, Any], name: str) -> bool:
    return any(one["name"] == name and one["releases"] for one in account["datasets"])


def _lone(workspace: Studio, book: str) -> list[str]:
    """Lists what in the folder was paid from somewhere else, where the ledger of a map is yet to
    begin.
    """
    files = [*workspace.folder.ledgers(), *workspace.folder.releases()]
    return [file.name for file in files if file.name != book][:MOST_ASKED]


def _book(workspace: Studio, draft: Draft) -> str:
    """Names the ledger that pays: the draft's own, or the one beside the survey."""
    beside = Path((draft.files[1:] or [""])[0]).parent / "dpmap.ledger"
    return below(workspace.folder, "ledger", str(draft.get("ledger") or beside))


def _price(draft: Draft, account: Mapping[str, Any], name: str) -> str:
    """Returns the epsilon that this map takes from the ledger: of several readers' maps, that of
    the finest.
    """
    tiers = draft.get("tier")
    if tiers:
        listed = tiers if isinstance(tiers, list) else [tiers]
        each = [
            list(one.values()) if isinstance(one, Mapping) else [str(one).rpartition("=")[2]]
            for one in listed
        ]
        prices = [_exact(value) for values in each for value in values]
        return (
            ""
            if None in prices or not prices
            else decimal_text(max(price for price in prices if price is not None))
        )
    epsilon = str(draft.get("epsilon"))
    if epsilon == "next":
        plans = [one["next"] for one in account["datasets"] if one["name"] == name]
        epsilon = str((plans or [(account["plan"] or {}).get("first")])[0] or "")
    exact = _exact(epsilon)
    return "" if exact is None else decimal_text(exact)


def _exact(text: object) -> Fraction | None:
    with suppress(BadInput):
        return loss(text)
    return None


def _remaining_after(before: object, price: str) -> str:
    """Returns what remains afterwards; a minus where it does not suffice, nothing where it is
    not known.
    """
    held_now = _exact(before)
    cost = _exact(price)
    if str(before) == "0":
        held_now = Fraction(0)
    return "" if held_now is None or cost is None else decimal_text(held_now - cost)


def _ask_ledger(workspace: Studio, book: str) -> tuple[bool, dict[str, Any], str]:
    """Asks the ledger, if there is one yet: whether there is, what it holds, and why it cannot
    be read.
    """
    empty = dict.fromkeys(("datasets", "events", "disjoint", "without_release"), ()) | {
        "head": None,
        "plan": None,
    }
    account: dict[str, Any] = {"budget": "", "spent": "0", "remaining": "", **empty}
    if not os.path.exists(workspace.folder.path / book):
        return False, account, ""
    answer = workspace.commands.ask("ledger", path(book), "--json")
    return True, account | (answer.output or {} if answer.good else {}), answer.error
