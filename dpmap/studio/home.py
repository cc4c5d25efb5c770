"""Shows the first page: the maps of this folder, begun and released, and how to begin one."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dpmap.errors import BadInput, DpmapError
from dpmap.studio import drafts
from dpmap.studio.drafts import Draft
from dpmap.studio.folder import FoundFile, weight
from dpmap.studio.page import form, go, page, studio
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
    begun = []
    read = 0
    for draft_file in folder.drafts():
        if read + draft_file.size > MOST_READ:
            continue
        read += draft_file.size
        try:
            draft = drafts.open_draft(folder, draft_file)
        except DpmapError:
            continue
        if "survey" in draft.flags or "dataset" in draft.flags:
            done = bool(maps_in(folder, str(draft.get("out", "-"))))
            begun.append(
                {
                    "id": draft_file.id,
                    "name": draft_file.name,
                    "dataset": draft.get("dataset"),
                    "released": done,
                }
            )
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
    if not submitted["dataset"]:
        raise BadInput(
            "give the data set a name, like Raptors 2026: the ledger adds up all its releases"
            " under it"
        )
    draft = drafts.begun(folder, submitted["dataset"], chosen)
    ledgers = [ledger.name for ledger in folder.ledgers()]
    only = ledgers[0] if len(ledgers) == 1 else draft.get("ledger")
    return drafts.change_draft(
        folder, draft, draft.mark, {"ledger": only}
    )  # a second one would begin a second budget


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
