"""The first page of a map: its file, who is protected, its land and its cells."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dpmap.errors import DpmapError
from dpmap.studio import drafts
from dpmap.studio.commands import type_command
from dpmap.studio.drafts import Draft
from dpmap.studio.page import Studio, SubmittedForm, form, go, page, studio
from dpmap.studio.steps import area_page, choices, unit_page
from dpmap.studio.steps.data import (
    draft_of,
    fill_file_section,
    inspect_names,
    known_of,
    save_file_section,
)

PARTS = ("file", "who", "where")
"""The page's parts: a form says which of them it holds."""


def show(
    request: Request, submitted: SubmittedForm | None = None, error: DpmapError | str = ""
) -> Response:
    """Shows what is known of the file, and asks the rest; after a mistake with what was typed."""
    draft = draft_of(request)
    workspace = studio(request)
    known, wrong = known_of(workspace, draft)
    typed = {
        part: submitted if submitted is not None and part in submitted.all("part") else None
        for part in PARTS
    }
    counted = submitted is None and request.url.path.endswith("/cells")
    return page(
        request,
        "survey.html",
        draft=draft,
        step="data",
        known=known,
        **fill_file_section(draft, known, error or wrong),
        **unit_page.fill_unit_section(workspace, draft, known, typed["who"]),
        **area_page.fill_area_section(workspace, draft, known, typed["where"], counted=counted),
        error=error or wrong,
        status=400 if error else 200,
        command=type_command(["inspect", *draft.config, "--names-only"]),
    )


def save(request: Request) -> Response:
    """Writes what the page's form says, part by part, and goes on where all of it can be used."""
    draft = draft_of(request)
    workspace = studio(request)
    submitted = form(request)
    mark = submitted["mark"]
    try:
        if "file" in submitted.all("part"):
            draft, wrong = save_file_section(workspace, draft, submitted)
            mark = draft.mark
            if wrong:
                return show(request, submitted, wrong)
        draft = _save_public_parts(workspace, draft, mark, submitted)
    except DpmapError as wrong:
        return show(request, submitted, wrong)
    place = f"/map/{draft.kept.id}"
    if submitted["stay"]:
        return go(f"{place}/data/cells")
    return go(f"{place}/sure")


def _save_public_parts(
    workspace: Studio, before: Draft, mark: str, submitted: SubmittedForm
) -> Draft:
    """Writes who is protected, the land and the cells; leaves the draft as it was where one of them
    is refused.
    """
    parts = submitted.all("part")
    names = inspect_names(workspace, before)
    columns = (names.output or {}).get("columns", []) if names.good else []
    flags: dict[str, Any] = {}
    if "who" in parts:
        flags |= unit_page.read_unit_section(workspace, before, columns, submitted)
    if "where" in parts:
        flags |= area_page.read_area_section(workspace, before, columns, submitted)
    draft = drafts.change_draft(workspace.folder, before, mark, flags)
    names = inspect_names(workspace, draft)
    wrong: DpmapError | None = None if names.good else names.failure
    if wrong is None and "where" in parts:
        wrong = area_page.check_area(workspace, draft, submitted)
    if wrong is not None:
        choices.put_back(workspace.folder, draft, before)
        raise wrong
    return draft


routes = [
    Route("/map/{id}/data", show),
    Route("/map/{id}/data/cells", show),
    Route("/map/{id}/data", save, methods=["POST"]),
]
