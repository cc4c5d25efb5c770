"""Shows what becomes public and what it costs, both for ever, and releases the map once its data
set's name is typed.
"""

import hashlib
import json
import re
import secrets
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dpmap.errors import BadInput, DpmapError
from dpmap.promise.governance import Governance
from dpmap.promise.licences import LICENCES
from dpmap.promise.sensitivity_reasons import REASONS
from dpmap.promise.units import same_unit, unit_name
from dpmap.studio import drafts
from dpmap.studio.commands import CommandAnswer, type_command
from dpmap.studio.drafts import Draft
from dpmap.studio.page import Studio, SubmittedForm, form, go, page, studio
from dpmap.studio.steps import choices, release_page
from dpmap.studio.steps.cost import cost
from dpmap.studio.steps.data import NOTHING, draft_of, inspect_names, unsaid
from dpmap.studio.steps.disclosure import plain, said_facts, unsaid_facts
from dpmap.studio.steps.release_page import (
    at_work,
    begin,
    below,
    is_being_written,
    maps_in,
    others_in,
)

OURS = secrets.token_bytes(16)
"""Part of every confirmation's word: a page of a studio that was stopped confirms nothing in the
next one.
"""
STAMPS = {
    "authorised_by": ("Who authorises it", "A name or an office. It stands on the map."),
    "purpose": (
        "What it may be used for",
        "Like: planning of wind farms in the north. It stands on the map.",
    ),
}
"""Texts that the map shows: a flag, its question, and what to say."""
LINES = ("label", "also_published")
"""Flags of which each line of a field is one."""
PORTALS = {
    "licence": (
        "Licence",
        "Under which terms others may use the map: CC-BY-4.0, or the address of your terms.",
    ),
    "local_contexts": (
        "Local Contexts project",
        "The id of your project there. Portals read the labels from it.",
    ),
    "doi": ("DOI", "Only if one is reserved for this map already, like 10.5072/example."),
}
"""Texts that portals read beside the map: a flag, its question, and what to say."""
ASKED = (*STAMPS, "expires", "retention", "reason", *PORTALS)
"""Flags of which the page has a field of one line."""


def show(
    request: Request, error: DpmapError | str = "", submitted: SubmittedForm | None = None
) -> Response:
    """Shows what is about to be confirmed, or what came of it already."""
    draft = draft_of(request)
    workspace = studio(request)
    out = below(workspace.folder, "out", str(draft.get("out"))) if "out" in draft.flags else ""
    if out and (made := _show_released(request, draft, out)):
        return made
    seen = _confirmed_facts(workspace, draft, out)
    return page(
        request,
        "confirm.html",
        draft=draft,
        step="confirm",
        seen=seen,
        stamps=STAMPS,
        portals=PORTALS,
        licences=list(LICENCES),
        reasons=_reasons(draft),
        entered=submitted or _as_saved(draft),
        word=_word(workspace, draft, seen),
        error=error,
        status=400 if error else 200,
        flags=[(key.replace("_", "-"), plain(value)) for key, value in draft.flags.items()],
        command=type_command(["release", *draft.config, *seen["cost"]["more"]]),
    )


def _show_released(request: Request, draft: Draft, out: str) -> Response | None:
    """Shows the map that was released from this draft already, or is being released."""
    workspace = studio(request)
    job = at_work(workspace, draft, out)
    maps = maps_in(workspace.folder, out)
    if not maps and job is None and not is_being_written(workspace.folder, out):
        return None
    busy = job is not None or is_being_written(workspace.folder, out)
    return page(
        request, "already.html", draft=draft, step="confirm", maps=maps, out=out, busy=busy, job=job
    )


def act(request: Request) -> Response:
    """Keeps what was typed, or releases the map if its button was pressed and nothing but the
    name was new.
    """
    draft = draft_of(request)
    workspace = studio(request)
    submitted = form(request)
    if used := workspace.confirmed.get(submitted["word"]):
        return go(f"/job/{used}")
    out = below(workspace.folder, "out", str(draft.get("out"))) if "out" in draft.flags else ""
    if out and (at_work(workspace, draft, out) or maps_in(workspace.folder, out)):
        return go(f"/map/{draft.kept.id}/confirm")
    try:
        changes = _typed_in(workspace, draft, submitted)
        draft_now = drafts.change_draft(workspace.folder, draft, submitted["mark"], changes)
    except DpmapError as wrong:
        return show(request, wrong, submitted)
    if not submitted["release"]:
        return _back_to_page(request, draft_now, submitted)
    with release_page.ONE:
        return _released(request, draft, draft_now, out, submitted)


def _back_to_page(request: Request, draft: Draft, submitted: SubmittedForm) -> Response:
    """Goes back to the page, now with what was typed; a name that was typed too was meant to
    release the map.
    """
    if submitted["name"]:
        return show(request, "to release the map, use its own button below the name")
    return go(f"/map/{draft.kept.id}/confirm")


def _released(
    request: Request, read: Draft, draft: Draft, out: str, submitted: SubmittedForm
) -> Response:
    """Starts the release, if what was confirmed is what the page showed; who answers for the map
    may be typed on the same page.
    """
    workspace = studio(request)
    if used := workspace.confirmed.get(submitted["word"]):
        return go(f"/job/{used}")
    read_facts = _confirmed_facts(workspace, read, out)
    facts_now = read_facts if draft.mark == read.mark else _confirmed_facts(workspace, draft, out)
    if facts_now["missing"]:
        return show(request, "something is still missing; it is listed on this page", submitted)
    if (
        submitted["word"] != _word(workspace, read, read_facts)
        or facts_now["cost"] != read_facts["cost"]
    ):
        return show(
            request,
            "the map or its ledger changed since you read this page; read it again as it is now",
        )
    if _letters(submitted["name"]) != _letters(str(draft.get("dataset"))):
        return show(
            request,
            "the name is not that of the data set; type it as it stands on this page",
            submitted,
        )
    return go(f"/job/{begin(workspace, draft, out, facts_now['cost'], submitted['word']).id}")


def _letters(name: str) -> str:
    """Returns a name without capitals, outer blanks and hyphens, letters composed alike whatever
    keyboard typed them.
    """
    letters = unicodedata.normalize("NFC", name).casefold()
    return " ".join(re.sub(r"[\s_-]+", " ", letters).split())


def _typed_in(workspace: Studio, draft: Draft, submitted: SubmittedForm) -> dict[str, Any]:
    """Returns the flags that the page's form declares."""
    flags: dict[str, Any] = {
        name: submitted[name] for name in (*ASKED, "dataset") if name in submitted
    }
    for name in LINES:
        if name in submitted:
            flags[name] = [
                splitline.strip() for splitline in submitted[name].splitlines() if splitline.strip()
            ]
    _check({name: value for name, value in flags.items() if value != draft.get(name)})
    if not draft.get("out"):
        flags["out"] = workspace.folder.free(f"{Path(draft.name).stem}-map", "")
    return flags


def _reasons(draft: Draft) -> list[tuple[str, str]]:
    """Returns the reasons that portals know as a list shows them; one that a file has and nobody
    knows stands there too.
    """
    declared_reason = str(draft.get("reason"))
    more = (
        [(declared_reason, declared_reason)]
        if declared_reason and declared_reason not in REASONS
        else []
    )
    return [
        ("", "none is named"),
        *more,
        *((term, f"{words} ({term})") for term, words in REASONS.items()),
    ]


def _check(flags: Mapping[str, Any]) -> None:
    """Refuses, of what is new, what no release could carry: a text too long, a day that is past,
    a label that nobody gives.
    """
    labels = tuple(flags.get("label", ()))
    others = tuple(flags.get("also_published", ()))
    texts = {name: flags[name] for name in ASKED if name in flags}
    Governance(**texts, labels=labels, also_published=others).check_new(datetime.now(UTC).date())


def _as_saved(draft: Draft) -> dict[str, str]:
    """Returns what the form shows of a draft."""
    texts = {name: str(draft.get(name)) for name in ASKED}
    lines = {name: draft.get(name, []) for name in LINES}
    listed = {
        name: "\n".join(map(str, one if isinstance(one, list) else [one]))
        for name, one in lines.items()
    }
    return {**texts, **listed, "name": ""}


def _word(workspace: Studio, draft: Draft, seen: Mapping[str, Any]) -> str:
    """Returns the word that confirms what the page shows: another for each try, each state of
    the map and of its ledger.
    """
    tries = sum(one.startswith(draft.kept.id) for one in workspace.confirmed)
    shown = json.dumps([draft.mark, seen, tries], sort_keys=True, default=str).encode()
    return f"{draft.kept.id}-{hashlib.sha256(OURS + shown).hexdigest()[:32]}"


def _confirmed_facts(workspace: Studio, draft: Draft, out: str) -> dict[str, Any]:
    """Returns all that a confirmation is about: what becomes public, what it costs, and what is
    still missing.
    """
    answer = inspect_names(workspace, draft)
    known = NOTHING | (answer.output or {} if answer.good else {})
    price = cost(workspace, draft)
    other = _other_unit(draft, known, price["units"])
    return {
        "public": said_facts(draft, known, out),
        "unsaid": unsaid_facts(draft, known, out),
        "roles": known["roles"],
        "cost": price,
        "name": other["name"],
        "missing": (
            _missing(draft, answer, known, price, out)
            + other["missing"]
            + _ask_for_folder(workspace, out)
            + _own_area(draft)
        ),
    }


def _other_unit(draft: Draft, known: Mapping[str, Any], released: Sequence[str]) -> dict[str, Any]:
    """Asks for another name where the data set was released by another unit, and offers one."""
    unit = str(draft.get("unit") or known["unit"] or "")
    dataset = str(draft.get("dataset"))
    others = [one for one in released if unit and not same_unit(one, unit)]
    if not others:
        return {"name": "", "missing": []}
    words = (
        f"another name for the data set (the maps of {dataset} so far protect"
        f" {unit_name(others[0])}, and this one protects {unit_name(unit)}; what they cost does not"
        " add up to anybody's protection, and the ledger's one budget pays for both)"
    )
    return {"name": f"{dataset} by {unit}", "missing": [(words, "confirm")]}


def _ask_for_folder(workspace: Studio, out: str) -> list[tuple[str, str]]:
    """Asks for a folder of the map's own where other files lie in the one that is named."""
    words = (
        f"a folder for this map alone (in {out} lies something else: move that away, or write"
        " another out into the map's file)"
    )
    return [(words, "")] if out and others_in(workspace.folder, out) else []


def _own_area(draft: Draft) -> list[tuple[str, str]]:
    """Asks for another area where the survey's own shapes are named as one, such as in a file
    that was written elsewhere.
    """
    try:
        choices.refuse_survey(draft, str(draft.get("area")), str(draft.get("area_layer")), "area")
    except BadInput as wrong:
        return [(wrong.terminal_line, "data")]
    return []


def _missing(
    draft: Draft,
    answer: CommandAnswer,
    known: Mapping[str, Any],
    paying: Mapping[str, Any],
    out: str,
) -> list[tuple[str, str]]:
    """Lists what must be said before the map can be released, each with the step that asks it."""
    framed = draft.get("bounds") and draft.get("shape")
    needed = [
        (not answer.good, f"the survey as it can be read ({answer.error})", "data"),
        (unsaid(draft, known), unsaid(draft, known).replace(" below", ""), "data"),
        (known["lacks"], "where a row is", "data"),
        (not (draft.get("unit") or known["unit"] or not answer.good), "who is protected", "data"),
        (not draft.get("cap"), "how much one of them counts (the cap)", "sure"),
        (not (draft.get("area") or framed), "the area of the map", "data"),
        (
            not any(draft.get(one) for one in ("cell", "grid", "hexagons", "by_area"))
            and not framed,
            "the cells of the map",
            "data",
        ),
        (
            not (draft.get("epsilon") or draft.get("tier")),
            "how sure the map must be (epsilon)",
            "sure",
        ),
        (
            (draft.get("epsilon") or draft.get("tier")) and not paying["price"],
            "an epsilon that can be paid",
            "sure",
        ),
        (
            not paying["budget"] and not paying["error"],
            "a budget for all years, since the ledger has none yet",
            "sure",
        ),
        (
            paying["after"].startswith("-") and not paying["most"],
            "epsilon that the ledger still has",
            "sure",
        ),
        (paying["error"], f"a ledger that can be read ({paying['error']})", "confirm"),
        (not draft.get("dataset"), "the data set's name", "confirm"),
        (not out, "a folder for the map", "confirm"),
    ]
    return [(words, step) for lacking, words, step in needed if lacking]


routes = [
    *release_page.routes,
    Route("/map/{id}/confirm", show),
    Route("/map/{id}/confirm", act, methods=["POST"]),
]
