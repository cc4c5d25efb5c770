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
from dpmap.studio.commands import CommandJob, path, type_command
from dpmap.studio.drafts import Draft
from dpmap.studio.folder import BrowsedFolder, FoundFile, short
from dpmap.studio.page import Studio, SubmittedForm, form, go, page, studio
from dpmap.studio.steps import cap_choice, choices, ledger_lookup, plan_page, rehearsal
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
    """Shows three rehearsed maps within the budget, what caps do, and the other questions."""
    draft = draft_of(request)
    workspace = studio(request)
    book = ledger_lookup.look_up_ledger(workspace, draft)
    typed_in = form(request) if error else None
    job = rehearsal.last_rehearsal(workspace, draft)
    output = job.answer.output if job and job.answer and job.answer.good else None
    return page(
        request,
        "strength.html",
        draft=draft,
        step="sure",
        error=error,
        status=400 if error else 200,
        book=book,
        known=_field_values(draft, typed_in),
        **cap_choice.fill_cap(workspace, draft, typed_in),
        rehearsing=job,
        rehearsed=output,
        first_budget=rehearsal.BUDGET,
        readers=plain(draft.get("tier")),
        job=plan_page.last_plan(workspace, draft),
        goals=plan_page.GOALS,
        layers=_files_to_choose(workspace.folder.layers(), str(draft.get("zones"))),
        rasters=_files_to_choose(workspace.folder.rasters(), str(draft.get("like"))),
        ledgers=_ledgers(workspace.folder, book),
        shares=SHARES,
        strategies=STRATEGIES,
        lacks=[words for key, words in _NEEDED if not any(draft.get(flag) for flag in key)],
        command=type_command(["plan", *draft.config]),
        share_command=type_command(_sharing(book.name, "4", "2", "even")[:-1]),
    )


_NEEDED = (
    (("area", "bounds"), "the land"),
    (("cell", "grid", "hexagons", "by_area", "bounds"), "the cells"),
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
    """Writes what was asked for into the draft; has it rehearsed or planned, or goes on with the
    strength that was chosen.
    """
    draft = draft_of(request)
    workspace = studio(request)
    submitted = form(request)
    way = submitted["by"]
    try:
        epsilon = submitted["epsilon"]  # typed, and then Enter: that epsilon is meant
        typed_epsilon = way == "take" and epsilon and epsilon != str(draft.get("epsilon"))
        if way in ("take", "rehearse", "look") and not typed_epsilon:
            return _save_choice(request, draft, submitted)
        flags = _flags(workspace.folder, draft, submitted)
        flags |= _cap_flags(workspace, draft, submitted)
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


def _cap_flags(workspace: Studio, draft: Draft, submitted: SubmittedForm) -> dict[str, str]:
    """Returns the flags of the cap, where the form says one."""
    return cap_choice.read_cap(workspace, draft, submitted) if submitted["cap_way"] else {}


def _save_choice(request: Request, draft: Draft, submitted: SubmittedForm) -> Response:
    """Writes the cap, the budget and the strength that were chosen, and goes on to confirm them; or
    has them rehearsed first where what was shown was another.
    """
    workspace = studio(request)
    way = submitted["by"]
    book = ledger_lookup.look_up_ledger(workspace, draft)
    last_job = rehearsal.last_rehearsal(workspace, draft)
    flags: dict[str, Any] = {
        **{name: submitted[name] for name in ("units", "like") if name in submitted},
        **cap_choice.read_cap(workspace, draft, submitted),
        "budget": book.budget or submitted["budget"] or str(draft.get("budget")),
    }
    if "like" in flags:
        flags["like"] = _file(workspace.folder.rasters(), flags["like"], str(draft.get("like")))
    if "zones" in submitted:
        layers = workspace.folder.layers()
        flags["zones"] = _file(layers, submitted["zones"], str(draft.get("zones")))
        choices.refuse_survey(draft, flags["zones"], str(draft.get("zones_layer")), "districts")
    place = f"/map/{draft.kept.id}"
    strengths = _strengths(last_job)
    if submitted["units"] and not submitted["units"].isdecimal():
        raise BadInput("about how many take part: type a whole number, like 120", option="units")
    if way == "take" and submitted["strength"] in strengths:
        flags |= {"epsilon": submitted["strength"], "tier": ""}
    changed = drafts.change_draft(workspace.folder, draft, submitted["mark"], flags)
    if way == "look":
        words = ("inspect", *changed.config, "--json", "--progress", "json")
        then = {"back": f"{place}/sure", "mark": changed.mark}
        job = workspace.commands.start("inspect", changed.name, *words, then=then)
        return go(f"/job/{job.id}")
    if way == "rehearse" or not rehearsal.take_over(last_job, workspace, changed):
        rehearsal.start_rehearsal(workspace, changed, anew=way == "take")
        return go(f"{place}/sure")
    if submitted["strength"] not in strengths:
        return show(request, "choose one of the three maps, or open “More” below")
    asked = [goal for goal in plan_page.GOALS if goal != "zones"]
    chosen = {"epsilon": submitted["strength"], "tier": "", **dict.fromkeys(asked, "")}
    drafts.change_draft(workspace.folder, changed, changed.mark, chosen)
    return go(f"{place}/confirm")


def _strengths(job: CommandJob | None) -> list[str]:
    """Lists the epsilons that a rehearsal showed."""
    if job is None or not job.answer or not job.answer.good:
        return []
    return [strength["epsilon"] for strength in job.answer.output["strengths"]]


def _flags(folder: BrowsedFolder, draft: Draft, submitted: SubmittedForm) -> dict[str, Any]:
    """Returns the flags that the form says; the button that was pressed says where epsilon comes
    from.
    """
    flags: dict[str, Any] = {name: submitted[name] for name in TYPED if name in submitted}
    flags["zones"] = _file(folder.layers(), submitted["zones"], str(draft.get("zones")))
    choices.refuse_survey(draft, flags["zones"], str(flags.get("zones_layer", "")), "project areas")
    flags["like"] = _file(folder.rasters(), submitted["like"], str(draft.get("like")))
    flags["within"] = _within(submitted)
    flags["leave_outside"] = submitted["leave_outside"] == "yes" if flags["zones"] else False
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
        return flags | {"tier": "", "zones": flags["zones"] if flags["within"] else ""}
    if not any(flags.get(goal) for goal in plan_page.GOALS):
        raise BadInput(
            "say at least one thing that the map must tell; or open “I was told an epsilon”"
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
    *rehearsal.routes,
]
