"""Shows the ledgers: every event, what remains, the plan for the years, and whether a map
belongs to them.
"""

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dpmap.errors import DpmapError
from dpmap.numbers import exact
from dpmap.promise.units import unit_name
from dpmap.studio import drafts
from dpmap.studio.commands import CommandAnswer, path, type_command
from dpmap.studio.folder import BrowsedFolder, FoundFile
from dpmap.studio.page import Studio, form, go, page, studio
from dpmap.studio.steps import ledger_lookup
from dpmap.studio.steps.release_page import maps_in

MOST_EVENTS = 2_000
MOST_CHECKED = 30
MOST_LISTED = 20
"""How many events one page shows, how many maps are checked at once, and of how many ledgers the
list says what remains.
"""
ALL = "all"
KINDS = {
    "open": "Data set entered",
    "reserve": "Paid for a release",
    "elsewhere": "Spent elsewhere",
    "made": "Release saved",
    "plan": "Plan entered",
    "disjoint": "Declared to share nobody",
    "delta": "Budget for delta entered",
}
"""What the kinds of events are called."""
PARTS = {
    "unit": "protects",
    "site": "and sites in",
    "cap": "counts at most",
    "cells": "cells",
    "candidates": "areas to choose from",
    "limiter": "limiter",
    "tiers": "for readers",
    "release": "mark",
    "reason": "on",
    "budget": "budget",
    "event": "of event",
    "scheme": "shares",
    "datasets": "data sets",
    "signed_by": "signed by",
    "lifetime": "of lifetime limits",
}
"""What the details of events are called, in the order in which they are shown."""
ELSEWHERE = ("number", "time", "kind", "then", "dataset", "epsilon", "delta", "remaining", "shares")
"""Fields of an event that have columns of their own, or say nothing to people."""


def show_all(request: Request) -> Response:
    """Shows the ledgers of the folder, each with what remains."""
    workspace = studio(request)
    ledger_files = workspace.folder.ledgers()
    listed = [
        _describe_ledger(workspace, ledger_file) for ledger_file in ledger_files[:MOST_LISTED]
    ]
    return page(
        request, "ledgers.html", room="/ledgers", ledgers=listed, others=ledger_files[MOST_LISTED:]
    )


def brief(request: Request) -> Response:
    """Shows what remains in each ledger: a piece of the first page, which does not wait for it."""
    workspace = studio(request)
    ledger_files = workspace.folder.ledgers()
    return page(
        request,
        "brief.html",
        lines=[
            _describe_ledger(workspace, ledger_file) for ledger_file in ledger_files[:MOST_LISTED]
        ],
        more=len(ledger_files) - MOST_LISTED,
    )


def show(
    request: Request, error: DpmapError | str = "", submitted: Mapping[str, str] | None = None
) -> Response:
    """Shows one ledger, whole."""
    workspace = studio(request)
    ledger_file = _requested_ledger(request)
    return page(
        request,
        "ledger.html",
        status=400 if error else 200,
        room="/ledgers",
        error=error,
        **_describe_ledger(workspace, ledger_file),
        typed=submitted or {},
        maps=[(release.id, release.name) for release in workspace.folder.releases()],
        begun=_begun(workspace.folder, ledger_file),
        command=type_command(["ledger", path(ledger_file.name)]),
    )


def plan(request: Request) -> Response:
    """Enters a plan for the coming releases, unless the ledger is no longer what the page had
    shown.
    """
    with ledger_lookup.ONE:
        return _planned(request)


def _planned(request: Request) -> Response:
    workspace = studio(request)
    ledger_file = _requested_ledger(request)
    submitted = form(request)
    now = _ask_ledger(workspace, ledger_file)
    if now.good and now.output["head"] != submitted["head"]:
        return show(
            request,
            "the ledger has grown meanwhile; look at it again, then enter the plan",
            submitted,
        )
    if not submitted["releases"] or not submitted["total"]:
        return show(
            request,
            "say how many releases are to come, and what they may spend together",
            submitted,
        )
    words = (
        f"--plan={submitted['releases']}",
        f"--total={submitted['total']}",
        f"--scheme={submitted['scheme'] or 'even'}",
    )
    answer = workspace.commands.ask("ledger", path(ledger_file.name), *words, "--json")
    return (
        go(f"/ledger/{ledger_file.id}") if answer.good else show(request, answer.failure, submitted)
    )


def check(request: Request) -> Response:
    """Leads on to the page that checks a map against the ledger."""
    ledger_file = _requested_ledger(request)
    chosen = form(request)["map"]
    if not chosen:
        return show(request, "choose the map that the ledger must contain")
    if chosen != ALL:
        folder = studio(request).folder
        chosen = folder.one(folder.releases(), chosen).id
    return go(f"/ledger/{ledger_file.id}/against/{chosen}")


def check_maps(request: Request) -> Response:
    """Says whether maps of the folder belong to the ledger."""
    workspace = studio(request)
    ledger_file = _requested_ledger(request)
    which = request.path_params["map"]
    maps = workspace.folder.releases()
    chosen = maps[:MOST_CHECKED] if which == ALL else [workspace.folder.one(maps, which)]
    results = [_checked(workspace, ledger_file, one) for one in chosen]
    paid = {result["event"]["number"] for result in results if result["event"]}
    ledger = _describe_ledger(workspace, ledger_file)
    lacking = [
        one for one in ledger["events"] if one["kind"] == "reserve" and one["number"] not in paid
    ]
    return page(
        request,
        "checked.html",
        room="/ledgers",
        ledger=ledger,
        found=results,
        everything=which == ALL,
        left_off=len(maps) - len(chosen),
        lacking=lacking if which == ALL else [],
        command=type_command(
            [
                "ledger",
                path(ledger_file.name),
                "--against",
                "MAP" if which == ALL else path(chosen[0].name),
            ]
        ),
    )


def _requested_ledger(request: Request) -> FoundFile:
    folder = studio(request).folder
    return folder.one(folder.ledgers(), request.path_params["id"])


def _ask_ledger(workspace: Studio, ledger_file: FoundFile) -> CommandAnswer:
    """Asks for the ledger, or remembers it while the file is as it was."""
    return workspace.commands.remembered(
        "ledger", path(ledger_file.name), "--json", of=[ledger_file.name]
    )


def _describe_ledger(workspace: Studio, ledger_file: FoundFile) -> dict[str, Any]:
    """Returns what pages say of a ledger; one that cannot be read has a line that says why."""
    answer = _ask_ledger(workspace, ledger_file)
    if not answer.good:
        return {
            "kept": ledger_file,
            "output": None,
            "wrong": answer.error,
            "events": [],
            "lost": [],
            "bar": None,
            "shares": [],
        }
    output = answer.output
    events = [_event(one) for one in output["events"]]
    lost = [event for event in events if event["number"] in output["without_release"]]
    plans = [one["shares"] for one in output["events"] if one["kind"] == "plan"]
    each = {
        "datasets": [_dataset(one) for one in output["datasets"]],
        "units": [_unit(one) for one in output["units"]],
    }
    return {
        "kept": ledger_file,
        "output": output | each,
        "wrong": "",
        "events": events[-MOST_EVENTS:],
        "lost": lost,
        "bar": _bar(output),
        "shares": plans[-1] if plans else [],
    }


def _event(event: Mapping[str, Any]) -> dict[str, Any]:
    """Returns an event as a row of the table."""
    kind = "Paid for a choice" if "candidates" in event else KINDS.get(event["kind"], event["kind"])
    names = [
        *(part for part in PARTS if part in event),
        *sorted(set(event) - set(PARTS) - set(ELSEWHERE)),
    ]
    details = [(PARTS.get(name, name.replace("_", " ")), _plain(event[name])) for name in names]
    return {
        "number": event["number"],
        "time": _moment(event["time"]),
        "kind": event["kind"],
        "words": kind,
        "dataset": _plain(event.get("dataset", "")),
        "epsilon": event.get("epsilon", ""),
        "delta": event.get("delta", ""),
        "remaining": event["remaining"],
        "details": details,
    }


def _dataset(dataset: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a data set as a row of the table."""
    protects = ", ".join(map(unit_name, dataset["units"]))
    return {
        **dataset,
        "name": _plain(dataset["name"]),
        "last": _moment(dataset["last"]) if dataset["last"] else "",
        "protects": protects,
    }


def _unit(unit: Mapping[str, Any]) -> str:
    """Says what the releases that protect one unit have cost it."""
    return (
        f"{'not stated' if unit['unit'] is None else unit_name(unit['unit'])}: epsilon"
        f" {unit['spent']}"
    )


def _bar(account: Mapping[str, Any]) -> dict[str, Any] | None:
    """Returns the picture of what was spent: its width in thousandths, and where each release
    ended.
    """
    budget = _number(account["budget"])
    if not budget:
        return None
    wide = round(1000 * min(1.0, _number(account["spent"]) / budget))
    ends = {
        round(1000 - 1000 * _number(one["remaining"]) / budget)
        for one in account["events"]
        if one["kind"] == "reserve"
    }
    share = _number(account["spent"]) / budget
    return {
        "wide": wide,
        "ends": sorted(end for end in ends if 0 < end < wide),
        "percent": f"{share:.0%}",
    }


def _checked(workspace: Studio, ledger_file: FoundFile, one: FoundFile) -> dict[str, Any]:
    """Asks whether a ledger contains a map, and by which event."""
    words = ("ledger", path(ledger_file.name), "--against", path(one.name), "--json")
    answer = workspace.commands.remembered(*words, of=[ledger_file.name, one.name])
    event = _event(answer.output["events"][answer.output["contains"] - 1]) if answer.good else None
    return {"name": one.name, "event": event, "error": answer.error, "foreign": answer.code == 3}


def _begun(folder: BrowsedFolder, ledger_file: FoundFile) -> list[dict[str, Any]]:
    """Lists the maps of the folder that pay from a ledger."""
    files = []
    for one in folder.drafts():
        try:
            draft = drafts.open_draft(folder, one)
        except DpmapError:
            continue
        if draft.get("ledger") == ledger_file.name:
            done = bool(maps_in(folder, str(draft.get("out", "-"))))
            files.append(
                {
                    "id": one.id,
                    "name": draft.get("dataset") or one.name,
                    "file": one.name,
                    "released": done,
                }
            )
    return files


def _number(text: str) -> float:
    """Returns an exact number as one for a picture."""
    return float(exact(text, name="ledger", longest=10_000))


def _moment(text: str) -> str:
    """Returns a time as people read it; all of a ledger's are in UTC.

    >>> _moment("2026-11-23T11:34:02+00:00")
    '2026-11-23 11:34:02'
    """
    return _plain(text).removesuffix("+00:00").replace("T", " ", 1)


def _plain(value: Any) -> str:
    """Writes a value of an event; what does not print is a blank."""
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return "".join(mark if mark.isprintable() else " " for mark in text)


routes = [
    Route("/ledgers", show_all),
    Route("/brief", brief),
    Route("/ledger/{id}", show),
    Route("/ledger/{id}/plan", plan, methods=["POST"]),
    Route("/ledger/{id}/check", check, methods=["POST"]),
    Route("/ledger/{id}/against/{map}", check_maps),
]
