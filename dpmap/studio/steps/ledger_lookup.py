"""Reads what a map's ledger says, which the planning step shows and a plan counts on."""

import threading
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from dpmap.errors import BadInput
from dpmap.studio.commands import path
from dpmap.studio.drafts import Draft
from dpmap.studio.page import Studio, SubmittedForm

DEFAULT = "dpmap.ledger"
ONE = threading.Lock()
"""Held while a ledger is looked at and a plan entered in it, so that the same click twice enters
one.
"""


@dataclass(frozen=True)
class LedgerState:
    """What a ledger says: budget and spent as exact texts (empty without a budget), and the
    share that its plan allows this map.
    """

    name: str
    exists: bool = False
    budget: str = ""
    spent: str = ""
    remaining: str = ""
    share: str = ""
    plan: dict[str, Any] | None = None
    datasets: list[dict[str, Any]] = field(default_factory=list)
    error: str = ""


def look_up_ledger(workspace: Studio, draft: Draft) -> LedgerState:
    """Returns what the draft's ledger says; one that is not there yet says nothing."""
    name = str(draft.get("ledger", DEFAULT))
    try:
        name = workspace.folder.inside(name)
    except BadInput:
        outside = PurePath(name).is_absolute() or ".." in PurePath(name).parts
        return LedgerState(
            name,
            error=(
                "this ledger lies outside the studio's folder; look at it on the command line"
                if outside
                else ""
            ),
        )
    answer = workspace.commands.remembered("ledger", path(name), "--json", of=[name])
    if not answer.good:
        return LedgerState(name, exists=True, error=answer.error)
    output = answer.output
    dataset = next((one for one in output["datasets"] if one["name"] == draft.get("dataset")), None)
    plan = output["plan"]
    share = "" if plan is None else plan["first"] if dataset is None else dataset["next"] or ""
    paid = (
        {key: output[key] for key in ("budget", "spent", "remaining")}
        if output["budget"] != "0"
        else {}
    )
    return LedgerState(
        name,
        True,
        **paid,
        share="" if share == "0" else share,
        plan=plan,
        datasets=output["datasets"],
    )


def ledger_of(workspace: Studio, dataset: str) -> str:
    """Returns the ledger of the folder that paid for maps of this data set before, or nothing: a
    data set has one budget, and others have theirs.
    """
    for ledger in workspace.folder.ledgers():
        answer = workspace.commands.remembered(
            "ledger", path(ledger.name), "--json", of=[ledger.name]
        )
        names = [known["name"] for known in answer.output["datasets"]] if answer.good else []
        if dataset.casefold() in [name.casefold() for name in names]:
            return ledger.name
    return ""


def chosen_ledger(workspace: Studio, draft: Draft, submitted: SubmittedForm) -> str:
    """Returns the ledger that a form names; another than before only where its warning is
    ticked.
    """
    now = str(draft.get("ledger", DEFAULT))
    if not submitted["ledger"]:
        return now
    if not submitted["another"]:
        raise BadInput(
            "tick the sentence about another ledger too: it does not know what was spent in"
            " this one"
        )
    if submitted["ledger"] == "new":
        return _new_ledger_name(submitted["new_ledger"])
    return workspace.folder.one(workspace.folder.ledgers(), submitted["ledger"]).name


def _new_ledger_name(name: str) -> str:
    """Returns the name of a new ledger, which lies in the folder itself."""
    if (
        not name.endswith(".ledger")
        or name.startswith((".", "-", "~"))
        or any(mark in name for mark in "/\\:\0")
    ):
        raise BadInput("name the new ledger like raptors.ledger, without a folder")
    return name
