"""Shows the first page: the maps of this folder, begun and released, and how to begin one."""

import re
from contextlib import suppress
from pathlib import PurePosixPath

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dpmap.errors import BadInput, DpmapError
from dpmap.studio import drafts
from dpmap.studio.drafts import Draft
from dpmap.studio.folder import BrowsedFolder, FoundFile, weight
from dpmap.studio.page import form, go, page, studio
from dpmap.studio.steps import ledger_lookup
from dpmap.studio.steps.release_page import maps_in

MOST_OFFERED = 300
KINDS = {
    "gpkg": "layers",
    "shp": "layer",
    "geojson": "layer",
    "fgb": "layer",
    "kml": "layer",
    "gpx": "tracks and points",
    "xlsx": "workbook",
    "xls": "workbook",
    "ods": "workbook",
    "zip": "archive",
    "tar": "archive",
    "gz": "archive",
    "sqlite": "database",
    "db": "database",
    "json": "records",
}
"""What a file is by the end of its name."""


MOST_READ = 1 << 20
"""Bytes of files of flags that the first page looks into, so that no folder holds it up."""


def show(request: Request, error: DpmapError | str = "") -> Response:
    """Shows the maps that were begun, those that were released, and the ledgers."""
    folder = studio(request).folder
    begun = [
        {
            "id": draft.kept.id,
            "name": draft.name,
            "dataset": draft.get("dataset"),
            "released": bool(maps_in(folder, str(draft.get("out", "-")))),
        }
        for draft in _begun_maps(folder)
    ]
    submitted = form(request)
    surveys = folder.surveys()
    return page(
        request,
        "home.html",
        room="/",
        begun=begun,
        surveys=[_offered(survey) for survey in surveys[:MOST_OFFERED]],
        error=error,
        more=len(surveys) - MOST_OFFERED,
        place=str(folder.path),
        ledgers=folder.ledgers(),
        ticked=submitted.all("survey"),
        typed=submitted["path"],
        called=submitted["dataset"],
        status=400 if error else 200,
    )


def _begun_maps(folder: BrowsedFolder) -> list[Draft]:
    """Lists the maps that were begun in the folder."""
    begun = []
    read = 0
    for draft_file in folder.drafts():
        if read + draft_file.size > MOST_READ:
            continue
        read += draft_file.size
        with suppress(DpmapError):
            draft = drafts.open_draft(folder, draft_file)
            if "survey" in draft.flags or "dataset" in draft.flags:
                begun.append(draft)
    return begun


def _offered(file: FoundFile) -> dict[str, str]:
    """Says of a file what its name and size tell; it is not opened before it is chosen."""
    ending = file.name.rpartition(".")[2].lower()
    return {
        "id": file.id,
        "name": file.name,
        "kind": KINDS.get(ending, "table"),
        "weight": weight(file.size),
    }


def begin(request: Request) -> Response:
    """Begins a map of the files that were chosen, or shows the form again with what is lacking."""
    try:
        draft = _begun(request)
    except BadInput as wrong:
        return show(request, wrong)
    return go(f"/map/{draft.kept.id}/data")


def _begun(request: Request) -> Draft:
    submitted = form(request)
    folder = studio(request).folder
    listed = folder.surveys()
    chosen = [folder.one(listed, short).name for short in submitted.all("survey")]
    chosen += [folder.inside(submitted["path"])] if submitted["path"] else []
    if not chosen:
        raise BadInput("choose the survey's file, or several that are one survey")
    dataset = submitted["dataset"] or _name_of(chosen[0])
    ledger = ledger_lookup.ledger_of(studio(request), dataset) or _ledger_of_files(folder, chosen)
    draft = drafts.begun(folder, dataset, chosen)
    if not ledger:
        return draft
    return drafts.change_draft(folder, draft, draft.mark, {"ledger": ledger})


def _ledger_of_files(folder: BrowsedFolder, chosen: list[str]) -> str:
    """Returns the ledger that another map of the same files is paid from, or nothing: the same
    survey under another name has no second budget.
    """
    for begun_map in _begun_maps(folder):
        ledger = str(begun_map.get("ledger"))
        if ledger and set(chosen) & set(begun_map.survey):
            return ledger
    return ""


def _name_of(file: str) -> str:
    """Returns the name that a data set gets from its file, until its steward writes another.

    >>> _name_of("2026/kestrel_nests-north.csv")
    'Kestrel nests north'
    """
    stem = PurePosixPath(file).name.partition(".")[0]
    words = re.sub(r"[\s_-]+", " ", stem).strip()
    return words[:1].upper() + words[1:] or "Survey"


def begin_again(request: Request) -> Response:
    """Begins another map of a data set, with the flags of an earlier one."""
    folder = studio(request).folder
    draft = drafts.open_draft(folder, folder.one(folder.drafts(), request.path_params["id"]))
    return go(f"/map/{drafts.copy_draft(folder, draft).kept.id}/data")


def stop(request: Request) -> Response:
    """Ends the studio; what is being released goes on."""
    shown = page(request, "stopped.html", running=studio(request).commands.running("release"))
    request.app.state.stop()
    return shown


routes = [
    Route("/", show),
    Route("/begin", begin, methods=["POST"]),
    Route("/map/{id}/again", begin_again, methods=["POST"]),
    Route("/stop", stop, methods=["POST"]),
]
