"""Shows what a plan found: the epsilon, which goals are kept, what it means for one person, and
what the map would look like.
"""

import hashlib
import json
import secrets
from contextlib import suppress
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dpmap.errors import BadInput
from dpmap.studio import drafts, jobs
from dpmap.studio.auth import FRAMED
from dpmap.studio.commands import CommandJob, type_command
from dpmap.studio.drafts import Draft
from dpmap.studio.page import Studio, form, go, page, studio
from dpmap.studio.steps import ledger_lookup

GOALS = ("detect", "error", "tail", "zones", "within", "zones_layer", "leave_outside")
"""Flags that say which error can be borne."""
READ = (
    *GOALS,
    "area",
    "area_layer",
    "area_name",
    "cell",
    "grid",
    "hexagons",
    "by_area",
    "bounds",
    "shape",
    "grid_crs",
    "epsilon",
    "cap",
    "limiter",
    "delta",
    "unit",
    "units",
    "each",
    "like",
    "tier",
    "budget",
    "ledger",
    "dataset",
)
"""Flags that a plan hangs on: where another is changed, its answer still holds."""


def plan_subject(draft: Draft, book: ledger_lookup.LedgerState) -> str:
    """Returns what a plan is about: the draft, as far as a plan reads it, and what its ledger
    says.
    """
    read = [{key: draft.get(key) for key in READ}, book.budget, book.spent, book.share]
    return f"{draft.name} {hashlib.sha256(json.dumps(read, default=str).encode()).hexdigest()[:16]}"


def last_plan(workspace: Studio, draft: Draft) -> CommandJob | None:
    """Returns the newest plan of a draft as it is now."""
    return workspace.commands.last(
        "plan", plan_subject(draft, ledger_lookup.look_up_ledger(workspace, draft))
    )


def start_plan(workspace: Studio, draft: Draft) -> CommandJob:
    """Starts a plan of a draft, or returns the one that was made of it as it is; older ones are
    stopped.
    """
    book = ledger_lookup.look_up_ledger(workspace, draft)
    command = plan_subject(draft, book)
    known = workspace.commands.last("plan", command)
    if known is not None and not known.stopping and (known.answer is None or known.answer.good):
        return known
    for other in workspace.commands.running("plan"):
        if other.then["draft"] == draft.kept.id:
            other.stop()
    made = Path(workspace.private) / f"plan-{secrets.token_hex(8)}.html"
    words = ["plan", *draft.config, *_paid(draft, book)]
    then = {
        "draft": draft.kept.id,
        "page": str(made),
        "back": f"/map/{draft.kept.id}/sure",
        "command": type_command([*words, "--to", "plan.html"]),
    }
    return workspace.commands.start(
        "plan", command, *words, "--json", "--progress", "json", "--to", str(made), then=then
    )


def _paid(draft: Draft, book: ledger_lookup.LedgerState) -> list[str]:
    """Returns the words that say what the ledger holds, and what its plan allows where the draft
    leaves epsilon to it.
    """
    if draft.get("epsilon") == "next" and not book.share:
        raise BadInput(
            "this map takes what the ledger's plan allows, and the ledger has none; share a budget"
            " out below"
        )
    words = ["--epsilon", book.share] if draft.get("epsilon") == "next" else []
    return [*words, "--budget", book.budget, "--spent", book.spent] if book.budget else words


def show(request: Request, job: CommandJob, error: str = "") -> Response:
    """Shows a plan's answer."""
    workspace = studio(request)
    draft = drafts.open_draft(
        workspace.folder, workspace.folder.one(workspace.folder.drafts(), job.then["draft"])
    )
    book = ledger_lookup.look_up_ledger(workspace, draft)
    output = (job.answer.output if job.answer else None) or {}
    return page(
        request,
        "planned.html",
        draft=draft,
        step="sure",
        job=job,
        output=output,
        book=book,
        error=error,
        status=400 if error else 200,
        now=plan_subject(draft, book) == job.about,
        pictures=output.get("pictures", []),
        command=job.then["command"],
    )


def take(request: Request) -> Response:
    """Writes the epsilon that was chosen among a plan's into the draft, and begins to say what
    it keeps.
    """
    submitted = form(request)
    workspace = studio(request)
    folder = workspace.folder
    draft = drafts.open_draft(folder, folder.one(folder.drafts(), request.path_params["id"]))
    job = workspace.commands.job(submitted["job"])
    if (
        job is None
        or job.kind != "plan"
        or job.then["draft"] != draft.kept.id
        or not job.answer
        or not job.answer.good
    ):
        raise BadInput("this plan is gone; go back to “How strong” and have it worked out again")
    if submitted["epsilon"] not in [one["epsilon"] for one in job.answer.output["choices"]]:
        return show(request, job, "choose one of the lines of the list")
    if plan_subject(draft, ledger_lookup.look_up_ledger(workspace, draft)) != job.about:
        return show(
            request,
            job,
            "the map or its ledger was changed since this was worked out; have it worked out again",
        )
    chosen = submitted["epsilon"]
    if draft.get("epsilon") == "next" and chosen == job.answer.output["policy"]["epsilon"]:
        chosen = "next"
    draft = drafts.change_draft(folder, draft, submitted["mark"], {"epsilon": chosen})
    if any(draft.get(goal) for goal in GOALS):
        with suppress(BadInput):
            start_plan(workspace, draft)
    return go(f"/map/{draft.kept.id}/confirm")


def show_whole(request: Request) -> Response:
    """Hands out the plan as a page of its own, which can ask for nothing."""
    job = jobs.requested_job(request)
    made = Path(job.then["page"]) if job.kind == "plan" else None
    if made is None or not made.is_file():
        raise HTTPException(404)
    headers = {
        "content-security-policy": FRAMED,
        "cross-origin-opener-policy": "unsafe-none",
    }  # a box of its own has no other
    return Response(made.read_bytes(), media_type="text/html", headers=headers)


jobs.RESULTS["plan"] = show
routes = [
    Route("/map/{id}/take", take, methods=["POST"]),
    Route("/job/{id}/plan", show_whole),
]
