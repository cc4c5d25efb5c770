"""Asks which error can be borne, has the command line find the epsilon that this needs, and
keeps the budget of the years in sight.
"""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dpmap.errors import BadInput, DpmapError
from dpmap.promise.strategies import STRATEGY_SPECS
from dpmap.studio import drafts
from dpmap.studio.commands import path, type_command
from dpmap.studio.drafts import Draft
from dpmap.studio.folder import BrowsedFolder, FoundFile, short
from dpmap.studio.page import SubmittedForm, form, go, page, studio
from dpmap.studio.steps import choices, ledger_lookup, plan_page
from dpmap.studio.steps.data import draft_of
from dpmap.studio.steps.disclosure import plain

TYPED = (
    "detect",
    "error",
    "tail",
    "zones_layer",
    "units",
    "each",
    "budget",
    "epsilon",
    "delta",
    "budget_delta",
)
"""Flags that are typed as they are."""
OTHERS = (
    "strategy",
    "share",
    "within",
    "ledger",
    "another",
    "new_ledger",
    "releases",
    "total",
    "scheme",
)
READERS = 5
SHARES = [
    ("", "all of them"),
    ("90%", "nine in ten of them"),
    ("80%", "four in five of them"),
    ("50%", "half of them"),
]
STRATEGIES = [
    (name, spec.title, spec.hint) for name, spec in STRATEGY_SPECS.items() if not spec.takes_number
]


def show(request: Request, error: DpmapError | str = "") -> Response:
    """Shows the questions, what was answered so far, and what is known of the epsilon that was
    chosen.
    """
    draft = draft_of(request)
    workspace = studio(request)
    book = ledger_lookup.look_up_ledger(workspace, draft)
    typed_in = form(request) if error else None
    return page(
        request,
        "sure.html",
        draft=draft,
        step="sure",
        error=error,
        status=400 if error else 200,
        book=book,
        known=_field_values(draft, typed_in),
        readers=plain(draft.get("tier")),
        job=plan_page.last_plan(workspace, draft),
        goals=plan_page.GOALS,
        layers=_files_to_choose(workspace.folder.layers(), str(draft.get("zones"))),
        rasters=_files_to_choose(workspace.folder.rasters(), str(draft.get("like"))),
        ledgers=_ledgers(workspace.folder, book),
        shares=SHARES,
        strategies=STRATEGIES,
        lacks=[
            (step, words) for key, step, words in _NEEDED if not any(draft.get(one) for one in key)
        ],
        command=type_command(["plan", *draft.config]),
        share_command=type_command(_sharing(book.name, "4", "2", "even")[:-1]),
    )


_NEEDED = (
    (("cap",), "who", "how much one of them may add"),
    (("area", "bounds"), "where", "the area"),
)


def _field_values(draft: Draft, submitted: SubmittedForm | None) -> dict[str, Any]:
    """Returns the value of each field: as the draft has it, or as it was typed just now."""
    within, _, share = str(draft.get("within")).partition(":")
    tiers = draft.get("tier", [])
    rows = [
        str(one).rpartition("=")[::2]
        for one in (tiers if isinstance(tiers, list) else [tiers])
        if not isinstance(one, dict)
    ]
    known = {
        **dict.fromkeys(OTHERS, ""),
        **{name: draft.get(name) for name in TYPED},
        **{
            name: short(str(draft.get(name))) if draft.get(name) else ""
            for name in ("zones", "like")
        },
        "within": within.removesuffix("%"),
        "share": share,
        "strategy": draft.get("strategy", "adaptive"),
        "scheme": "even",
    }
    if submitted is not None:
        known |= {name: submitted[name] for name in known if name in submitted}
        if "reader_0" in submitted:
            rows = [
                (submitted[f"reader_{at}"], submitted[f"reader_{at}_epsilon"])
                for at in range(READERS)
            ]
    return known | {"readers": [*rows, *[("", "")] * READERS][:READERS]}


def _files_to_choose(files: list[FoundFile], named: str) -> list[tuple[str, str]]:
    """Returns the files to choose from, with the one that the draft names already."""
    pairs = [(file.id, file.name) for file in files]
    return [
        *pairs,
        *([] if not named or named in [name for _, name in pairs] else [(short(named), named)]),
    ]


def _ledgers(folder: BrowsedFolder, book: ledger_lookup.LedgerState) -> list[tuple[str, str]]:
    """Returns the ledgers that may be taken instead."""
    others = [(ledger.id, ledger.name) for ledger in folder.ledgers() if ledger.name != book.name]
    return [("", f"{book.name}, as now"), *others, ("new", "a new one, under the name below")]


def save(request: Request) -> Response:
    """Writes what was asked for into the draft, and has it planned."""
    draft = draft_of(request)
    workspace = studio(request)
    submitted = form(request)
    try:
        flags = _flags(workspace.folder, draft, submitted)
        flags["ledger"] = ledger_lookup.chosen_ledger(workspace, draft, submitted)
        draft = drafts.change_draft(workspace.folder, draft, submitted["mark"], flags)
        budget = ledger_lookup.look_up_ledger(workspace, draft).budget
        if (
            budget
        ):  # a ledger has one budget for all its data sets: a release repeats it or is refused
            draft = drafts.change_draft(workspace.folder, draft, draft.mark, {"budget": budget})
        return go(f"/job/{plan_page.start_plan(workspace, draft).id}")
    except DpmapError as wrong:
        return show(request, wrong)


def _flags(folder: BrowsedFolder, draft: Draft, submitted: SubmittedForm) -> dict[str, Any]:
    """Returns the flags that the form says; the button that was pressed says where epsilon comes
    from.
    """
    flags: dict[str, Any] = {name: submitted[name] for name in TYPED if name in submitted}
    flags["zones"] = _file(folder.layers(), submitted["zones"], str(draft.get("zones")))
    choices.refuse_survey(draft, flags["zones"], str(flags.get("zones_layer", "")), "project areas")
    flags["like"] = _file(folder.rasters(), submitted["like"], str(draft.get("like")))
    flags["within"] = _within(submitted)
    flags["strategy"] = "" if submitted["strategy"] == "adaptive" else submitted["strategy"]
    readers = [
        (submitted[f"reader_{at}"], submitted[f"reader_{at}_epsilon"]) for at in range(READERS)
    ]
    flags["tier"] = [f"{name}={epsilon}" for name, epsilon in readers if name or epsilon]
    by = _by(draft, submitted, flags)
    if by == "readers":
        if not flags["tier"]:
            raise BadInput("name each reader and her epsilon, like public 0.3 and manager 3")
        return flags | dict.fromkeys((*plan_page.GOALS, "epsilon"), "")
    if by == "epsilon":
        if not flags.get("epsilon"):
            raise BadInput("write the epsilon that you were told, like 0.5")
        return flags | {"tier": ""}
    if not any(flags.get(goal) for goal in plan_page.GOALS):
        raise BadInput(
            "say at least one thing that the map must tell; or open “I was told an epsilon” below"
        )
    return flags | {"tier": "", "epsilon": ""}


def _by(draft: Draft, submitted: SubmittedForm, flags: dict[str, Any]) -> str:
    """Returns where epsilon comes from: by the button; the Enter key presses the first, wherever
    something new was typed.
    """
    if submitted["by"] in ("readers", "epsilon"):
        return submitted["by"]
    asked = any(flags.get(goal) for goal in plan_page.GOALS)
    if flags["tier"] and (flags["tier"] != draft.get("tier") or not asked):
        return "readers"
    epsilon = flags.get("epsilon")
    return "epsilon" if epsilon and (epsilon != str(draft.get("epsilon")) or not asked) else "goals"


def _file(listed: list[FoundFile], chosen: str, now: str) -> str:
    """Returns the path of a chosen file; the draft's own is taken as it is."""
    if not chosen:
        return ""
    if now and chosen == short(now):
        return now
    return next((one.name for one in listed if one.id == chosen), "") or _gone()


def _gone() -> str:
    raise BadInput("this file is not in the folder any more; choose another")


def _within(submitted: SubmittedForm) -> str:
    """Returns how surely zones are to be told, as the flag has it.

    >>> _within(SubmittedForm({"within": ["30"], "share": ["80%"]})), _within(SubmittedForm({}))
    ('30%:80%', '')
    """
    part = submitted["within"].replace(" ", "").removesuffix("%")
    return "" if not part else f"{part}%:{submitted['share']}" if submitted["share"] else f"{part}%"


def plan_again(request: Request) -> Response:
    """Has the draft planned as it is."""
    try:
        return go(f"/job/{plan_page.start_plan(studio(request), draft_of(request)).id}")
    except DpmapError as wrong:
        return show(request, wrong)


def share_out(request: Request) -> Response:
    """Enters a plan for the years in the ledger, if one is asked for, and takes what it allows
    the next release.
    """
    with ledger_lookup.ONE:
        return _shared_out(request)


def _shared_out(request: Request) -> Response:
    draft = draft_of(request)
    workspace = studio(request)
    submitted = form(request)
    try:
        drafts.change_draft(workspace.folder, draft, submitted["mark"], {})
        book = ledger_lookup.look_up_ledger(workspace, draft)
        if submitted["by"] == "new":
            answer = workspace.commands.ask(
                *_sharing(
                    book.name,
                    submitted["releases"],
                    submitted["total"],
                    submitted["scheme"] or "even",
                )
            )
            if not answer.good:
                raise answer.failure
            book = ledger_lookup.look_up_ledger(workspace, draft)
        draft = drafts.change_draft(
            workspace.folder,
            draft,
            draft.mark,
            {"epsilon": "next", "tier": "", "budget": book.budget},
        )
        return go(f"/job/{plan_page.start_plan(workspace, draft).id}")
    except DpmapError as wrong:
        return show(request, wrong)


def _sharing(name: str, releases: str, total: str, scheme: str) -> list[str]:
    """Returns the words that enter a plan in a ledger."""
    if not releases.isdecimal() or not total:
        raise BadInput("write over how many releases to share, like 4, and how much in all, like 2")
    return [
        "ledger",
        path(name),
        f"--plan={releases}",
        f"--total={total}",
        f"--scheme={scheme}",
        "--json",
    ]


routes = [
    Route("/map/{id}/sure", show),
    Route("/map/{id}/sure", save, methods=["POST"]),
    Route("/map/{id}/plan", plan_again, methods=["POST"]),
    Route("/map/{id}/years", share_out, methods=["POST"]),
    *plan_page.routes,
]
