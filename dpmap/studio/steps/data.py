"""Shows what a survey's file is, and which part each column plays; true numbers only for the operator, when asked."""

import re
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dpmap.errors import DpmapError
from dpmap.studio import drafts, jobs
from dpmap.studio.child import Answer, Job, typed
from dpmap.studio.drafts import Draft
from dpmap.studio.page import Form, Studio, form, go, page, studio
from dpmap.studio.steps.choosing import NATIONAL

COLUMNS = {
    "x": "Longitude, or x",
    "y": "Latitude, or y",
    "place": "Or one column that holds a whole place",
    "uncertainty": "How uncertain a place is, in metres",
    "datum": "The datum of each row",
}
"""Parts that a column can play in saying where a row is."""
TEXTS = (
    "crs",
    "dates",
    "where",
    "from",
    "to",
    "max_uncertainty",
    "encoding",
    "delimiter",
    "header_row",
    "format",
    "columns",
    "team",
)
"""Flags of reading that are typed as they are."""
NOTHING: dict[str, Any] = {
    "format": None, "columns": [], "roles": [], "unit": None, "who": [], "dates": [], "uncertainty": [], "consent": [], "layers": [],
    "sheets": [], "lacks": [], "places": [], "declare": {},
}  # fmt: skip
"""What is known of a survey of which nothing is."""
SYSTEMS = {"EPSG:4326": "Degrees, as a GPS gives them"} | NATIONAL
"""Coordinate systems by the names that people know them by."""
MAY = {"dates": "may say when", "uncertainty": "may say how certain the place is", "consent": "may say who agreed"}
"""Parts that a column may play by its name."""
SWITCHES = ("swap", "surface", "west_positive")


def draft_of(request: Request) -> Draft:
    """Returns the map that the page's address names."""
    folder = studio(request).folder
    return drafts.opened(folder, folder.one(folder.drafts(), request.path_params["id"]))


def named(here: Studio, draft: Draft) -> Answer:
    """Asks what the survey is by its names alone: no row is counted and no value told."""
    return here.commands.remembered("inspect", *draft.config, "--names-only", "--json", of=draft.files)


def show(request: Request, error: str = "") -> Response:
    """Shows how the file is read."""
    draft, here = draft_of(request), studio(request)
    answer = named(here, draft)
    known = NOTHING | (answer.told or {} if answer.good else {})
    return page(
        request, "data.html", draft=draft, step="data", known=known, columns=_parts(known), roles=_roles(known, known["unit"]), parts=COLUMNS, place=_place(known), systems=SYSTEMS, error=error or answer.error,
        status=400 if error else 200, command=typed(["inspect", *draft.config, "--names-only"]),
    )  # fmt: skip


def _roles(known: Mapping[str, Any], unit: object) -> list[tuple[str, str]]:
    """Returns what is known of the reading; who is protected is asked on the next page."""
    told = {"unit": unit, "format": known.get("format", True)}
    return [(part, words) for part, words in known["roles"] if told.get(part, True)]


def _place(known: Mapping[str, Any]) -> dict[str, str]:
    """Returns the columns that look like a place, to be looked over where none is known."""
    found = known["places"][0] if known["lacks"] and known["places"] else {}
    return {part: str(column) for part, column in found.items() if column}


def _parts(known: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Says of each column which part it plays or may play."""
    place = next((words for part, words in known["roles"] if part == "place"), "")
    told: dict[str, list[str]] = {column: [] for column in known["columns"]}
    for column, words in told.items():
        if column in re.split(r"[^\w]+|, ", place):
            words.append("where")
        words += [f"who: {one['meaning']}" for one in known["who"] if one["column"] == column]
        words += [what for part, what in MAY.items() if column in known[part]]
    return [(column, "; ".join(words)) for column, words in told.items()]


def save(request: Request) -> Response:
    """Writes how the file is read, and goes on where it can be."""
    draft, here, told = draft_of(request), studio(request), form(request)
    try:
        draft = drafts.changed(here.folder, draft, told["mark"], _flags(told))
        draft = drafts.changed(here.folder, draft, draft.mark, _declared(here, draft))
    except DpmapError as wrong:
        return show(request, str(wrong))
    answer = named(here, draft)
    if not answer.good:
        return show(request, answer.error)
    known = NOTHING | (answer.told or {})
    if wanting := unsaid(draft, known):
        return show(request, wanting)
    if known["lacks"] and not told["stay"]:
        return show(request, "say first where a row is: name its columns, or its coordinate system, below")
    if told["stay"]:
        return go(f"/map/{draft.kept.id}/data")
    return go(f"/map/{draft.kept.id}/who")


def unsaid(draft: Draft, known: Mapping[str, Any]) -> str:
    """Asks for the layer or sheet of a file that holds several, until one is said."""
    for part, listed in (("layer", known["layers"]), ("sheet", known["sheets"])):
        if len(listed) > 1 and not known["columns"] and not draft.get(part):
            return f"this file has several {part}s: choose one below"
    return ""


def _declared(here: Studio, draft: Draft) -> dict[str, Any]:
    """Returns what the file's look says and nobody has declared: written down, it is read so for ever."""
    answer = named(here, draft)
    found = (answer.told or {}).get("declare", {}) if answer.good else {}
    return {name: value for name, value in found.items() if name not in draft.flags}


def _flags(told: Form) -> dict[str, Any]:
    """Returns the flags that the form declares."""
    flags: dict[str, Any] = {name: told[name] for name in (*COLUMNS, *TEXTS, "layer", "sheet") if name in told}
    flags |= {name: told[name] == "yes" for name in SWITCHES if "texts" in told}
    if flags.get("header_row", "").isdigit():
        flags["header_row"] = int(flags["header_row"])
    return flags


def look(request: Request) -> Response:
    """Starts counting the survey, for the operator."""
    draft = draft_of(request)
    back = f"/map/{draft.kept.id}/data"
    words = ("inspect", *draft.config, "--json", "--progress", "json")
    then = {"back": back, "mark": draft.mark}
    return go(f"/job/{studio(request).commands.start('inspect', draft.name, *words, then=then).id}")


def looked(request: Request, job: Job) -> Response:
    """Shows the true numbers of a survey."""
    told = job.answer.told if job.answer else {}
    return page(
        request, "inspected.html", told=told, roles=_roles(told, told["units"]), more=_more(told), back=job.then["back"],
        command=typed(job.words[:-3]),
    )  # fmt: skip


def _more(told: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Says in words what else the numbers tell."""
    alike = "same place" if told["units"] is None else "same unit, same place"
    lines = [(f"in {name}", f"{of['rows']:,} rows, {of['usable']:,} usable") for name, of in told["files"].items()]
    lines += [(f"rows per unit, {word}", f"{value:,}") for word, value in told["rows_per_unit"].items()]
    lines += [("repeated rows", f"{told['repeated']:,} ({alike})")]
    if told["uncertainty"]:
        metres = told["uncertainty"]
        lines.append(
            (
                "how certain places are",
                f"half are within {metres['median_m']:,.0f} m, nine in ten within {metres['90th_m']:,.0f} m",
            )
        )
    for column, forms in told["dates"].items():
        lines.append((f"dates in {column}", ", ".join(f"{form}: {many:,} rows" for form, many in forms.items())))
    return lines


jobs.RESULTS["inspect"] = looked
routes = [
    Route("/map/{id}/data", show),
    Route("/map/{id}/data", save, methods=["POST"]),
    Route("/map/{id}/look", look, methods=["POST"]),
]
