"""Has three strengths and some caps rehearsed on an invented survey, within what the budget still
pays.
"""

import hashlib
import json

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dpmap.studio import jobs
from dpmap.studio.commands import CommandJob, path
from dpmap.studio.drafts import Draft
from dpmap.studio.page import Studio, go, studio
from dpmap.studio.steps import area_page, ledger_lookup
from dpmap.studio.steps.data import draft_of

UNITS = "1000"
"""How many people are rehearsed where nobody has said it."""
BUDGET = "3"
"""What is offered as the budget of all years, where the ledger has none yet."""
ZONES = ("zones", "zones_layer", "like", "limiter")
"""Flags of a draft that a rehearsal takes as they are."""


def start_rehearsal(workspace: Studio, draft: Draft, *, anew: bool = False) -> CommandJob | None:
    """Starts a rehearsal of a draft, or returns the one that was made of it as it is; older ones
    are stopped. `anew` says that another one was shown when a strength was chosen.
    """
    words = _words(workspace, draft)
    if not words:
        return None
    subject = _subject(draft, words)
    known = workspace.commands.last("rehearse", subject)
    if known is not None and not known.stopping and (known.answer is None or known.answer.good):
        return known
    for other in workspace.commands.running("rehearse"):
        if other.then["draft"] == draft.kept.id:
            other.stop()
    then = {"draft": draft.kept.id, "back": f"/map/{draft.kept.id}/sure"}
    then |= {"anew": "yes"} if anew else {}
    return workspace.commands.start(
        "rehearse", subject, *words, "--json", "--progress", "json", then=then
    )


def last_rehearsal(workspace: Studio, draft: Draft) -> CommandJob | None:
    """Returns the newest rehearsal of a draft as it is now."""
    return workspace.commands.last("rehearse", _subject(draft, _words(workspace, draft)))


def take_over(job: CommandJob | None, workspace: Studio, draft: Draft) -> bool:
    """Whether a rehearsal is one of this draft as it is now; where it shows the cap, the budget and
    the size that were declared just now, it is from now on.
    """
    if job is None or job.answer is None or not job.answer.good:
        return False
    output = job.answer.output
    subject = _subject(draft, _words(workspace, draft))
    budget = ledger_lookup.look_up_ledger(workspace, draft).budget or str(draft.get("budget"))
    rehearsed = [str(output["cap"]), output["budget"], str(output["units"])]
    cap = str(draft.get("cap"))
    declared = [cap if cap.isdecimal() else rehearsed[0], budget, str(draft.get("units", UNITS))]
    if job.about != subject and rehearsed == declared:
        job.about = subject
    return job.about == subject


def _subject(draft: Draft, words: list[str]) -> str:
    return f"{draft.name} {hashlib.sha256(json.dumps(words).encode()).hexdigest()[:16]}"


def _words(workspace: Studio, draft: Draft) -> list[str]:
    """Returns the command that rehearses a draft; none where its land or cells are not said."""
    framed = draft.get("bounds") and draft.get("shape")
    sized = any(draft.get(flag) for flag in ("cell", "grid", "hexagons", "by_area"))
    if not framed and not (draft.get("area") and sized):
        return []
    cap = str(draft.get("cap"))
    book = ledger_lookup.look_up_ledger(workspace, draft)
    numbers = {
        "cap": cap if cap.isdecimal() else "",
        "budget": book.budget or str(draft.get("budget")) or BUDGET,
        "spent": book.spent,
        "units": str(draft.get("units")),
        **{flag: _file_or_text(flag, draft) for flag in ZONES},
    }
    flags = [f"--{flag.replace('_', '-')}={value}" for flag, value in numbers.items() if value]
    return ["rehearse", *area_page.grid_words(draft), *flags]


def _file_or_text(flag: str, draft: Draft) -> str:
    value = str(draft.get(flag))
    return path(value) if flag in ("zones", "like") and value else value


def rehearse(request: Request) -> Response:
    """Starts a rehearsal of the draft, and goes back to the page that shows it."""
    start_rehearsal(studio(request), draft_of(request))
    return go(f"/map/{request.path_params['id']}/sure")


def _show(_: Request, job: CommandJob) -> Response:
    """Leads on to the page that shows the rehearsal."""
    return go(job.then["back"])


jobs.RESULTS["rehearse"] = _show
routes = [Route("/map/{id}/rehearse", rehearse, methods=["POST"])]
