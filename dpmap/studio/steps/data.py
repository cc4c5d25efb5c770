"""Shows what a survey's file is, and which part each column plays; true numbers only for the
operator, when asked.
"""

import re
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dpmap.errors import DpmapError
from dpmap.studio import drafts, jobs
from dpmap.studio.commands import CommandAnswer, CommandJob, path, type_command
from dpmap.studio.drafts import Draft
from dpmap.studio.error_fields import PANELS, WHERE_A_ROW_IS, fields_of
from dpmap.studio.page import Studio, SubmittedForm, go, page, studio
from dpmap.studio.steps import date_choice
from dpmap.studio.steps.choices import NATIONAL

COLUMNS = {flag: WHERE_A_ROW_IS[flag] for flag in ("x", "y", "place", "uncertainty", "datum")}
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
)
"""Flags of reading that are typed as they are."""
NOTHING: dict[str, Any] = {
    "format": None,
    "columns": [],
    "roles": [],
    "unit": None,
    "who": [],
    "dates": [],
    "uncertainty": [],
    "consent": [],
    "layers": [],
    "sheets": [],
    "lacks": [],
    "places": [],
    "declare": {},
}
"""What is known of a survey of which nothing is."""
SYSTEMS = {"EPSG:4326": "Degrees, as a GPS gives them"} | NATIONAL
"""Coordinate systems by the names that people know them by."""
MAY = {
    "dates": "may say when",
    "uncertainty": "may say how certain the place is",
    "consent": "may say who agreed",
}
"""Parts that a column may play by its name."""
SWITCHES = ("swap", "surface", "west_positive")
CUT = ("format", "columns", "header_row", "delimiter", "encoding", "layer", "sheet")
"""Flags without which a file's columns may not be told apart."""


def draft_of(request: Request) -> Draft:
    """Returns the map that the page's address names."""
    folder = studio(request).folder
    return drafts.open_draft(folder, folder.one(folder.drafts(), request.path_params["id"]))


def inspect_names(workspace: Studio, draft: Draft) -> CommandAnswer:
    """Asks what the survey is by its names alone: no row is counted and no value told."""
    return workspace.commands.remembered(
        "inspect", *draft.config, "--names-only", "--json", of=draft.files
    )


def known_of(workspace: Studio, draft: Draft) -> tuple[dict[str, Any], DpmapError | str]:
    """Returns what the survey's names tell and no error; or, where a flag is wrong, its columns
    all the same, and the error.
    """
    answer = inspect_names(workspace, draft)
    if answer.good:
        return NOTHING | (answer.output or {}), ""
    for flags in (CUT, ()):
        words = [
            f"--{flag.replace('_', '-')}={draft.flags[flag]}"
            for flag in flags
            if flag in draft.flags
        ]
        files = [path(one) for one in draft.survey if one]
        again = workspace.commands.remembered(
            "inspect", *files, *words, "--names-only", "--json", of=draft.survey
        )
        if files and again.good:
            return (
                NOTHING
                | (again.output or {})
                | {
                    "roles": [],
                    "lacks": [],
                    "declare": {},
                },
                answer.failure,
            )
    return NOTHING, answer.failure


def fill_file_section(
    draft: Draft, known: Mapping[str, Any], error: DpmapError | str
) -> dict[str, Any]:
    """Returns what the page shows of how the file is read; the parts where something is missing or
    wrong are open.
    """
    date_column, ends = date_choice.taken_apart(draft)
    return {
        "columns": _parts(known),
        "roles": _known_reading(draft, known),
        "parts": COLUMNS,
        "place": _place(known),
        "systems": SYSTEMS,
        "open": _open(draft, known, error),
        "ends": ends,
        "date_column": date_column or (known["dates"][0] if len(known["dates"]) == 1 else ""),
        "date_columns": _date_columns(known, date_column),
        "forms": date_choice.offer_forms(draft),
    }


def _open(draft: Draft, known: Mapping[str, Any], error: DpmapError | str) -> list[str]:
    """Lists the parts of the page that are open: where something is missing or wrong, and where
    rows are chosen.
    """
    wrong = [field for step, field, _ in fields_of(error) if step == "data"]
    filled = [flag for flag in PANELS["rows"] if draft.get(flag)] or [
        one for one in ("times",) if draft.get(one)
    ]
    unfolded = {"place": bool(known["lacks"]), "rows": bool(filled), "cut": False}
    if error and not wrong and not known["lacks"]:
        unfolded |= {name: any(draft.get(flag) for flag in panel) for name, panel in PANELS.items()}
    return [
        name
        for name, panel in PANELS.items()
        if unfolded[name] or any(field in panel for field in wrong)
    ]


def _date_columns(known: Mapping[str, Any], chosen: str) -> list[tuple[str, str]]:
    """Returns the columns that may hold the date, those that are called so first."""
    listed = dict.fromkeys([*known["dates"], *([chosen] if chosen else []), *known["columns"]])
    format_column = (
        "the column of dates that this kind of file has" if known["format"] else "choose one"
    )
    return [("", format_column), *((one, one) for one in listed)]


def _known_reading(draft: Draft, known: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Returns what is known of the reading, and how its dates are read; after a mistake nothing."""
    roles = _roles(known, known["unit"])
    return (
        [
            *roles,
            *((name.lower(), words) for name, words in date_choice.describe_dates(draft, known)),
        ]
        if roles
        else []
    )


def _roles(known: Mapping[str, Any], unit: object) -> list[tuple[str, str]]:
    """Returns what is known of the reading; who is protected is asked on the next page."""
    roles = {"unit": unit, "format": known.get("format", True)}
    return [(part, words) for part, words in known["roles"] if roles.get(part, True)]


def _place(known: Mapping[str, Any]) -> dict[str, str]:
    """Returns the columns that look like a place, to be looked over where none is known."""
    place = known["places"][0] if known["lacks"] and known["places"] else {}
    return {part: str(column) for part, column in place.items() if column}


def _parts(known: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Says of each column which part it plays or may play."""
    place = next((words for part, words in known["roles"] if part == "place"), "")
    parts: dict[str, list[str]] = {column: [] for column in known["columns"]}
    for column, words in parts.items():
        if column in re.split(r"[^\w]+|, ", place):
            words.append("where")
        words += [f"who: {one['meaning']}" for one in known["who"] if one["column"] == column]
        words += [what for part, what in MAY.items() if column in known[part]]
    return [(column, "; ".join(words)) for column, words in parts.items()]


def save_file_section(
    workspace: Studio, draft: Draft, submitted: SubmittedForm
) -> tuple[Draft, DpmapError | str]:
    """Writes how the file is read into the draft, and says what is wrong or lacking still."""
    flags = _flags(submitted, known_of(workspace, draft)[0])
    draft = drafts.change_draft(workspace.folder, draft, submitted["mark"], flags)
    draft = drafts.change_draft(workspace.folder, draft, draft.mark, _declared(workspace, draft))
    answer = inspect_names(workspace, draft)
    if not answer.good:
        return draft, answer.failure
    known = NOTHING | (answer.output or {})
    if wanting := unsaid(draft, known):
        return draft, wanting
    if known["lacks"]:
        lacking = "say first where a row is: name its columns, or its coordinate system, below"
        return draft, "" if submitted["stay"] else lacking
    try:
        dates = date_choice.looked_up(workspace, draft, known)
    except DpmapError as wrong:
        return draft, wrong
    return drafts.change_draft(workspace.folder, draft, draft.mark, dates), ""


def unsaid(draft: Draft, known: Mapping[str, Any]) -> str:
    """Asks for the layer or sheet of a file that holds several, until one is said."""
    for part, listed in (("layer", known["layers"]), ("sheet", known["sheets"])):
        if len(listed) > 1 and not known["columns"] and not draft.get(part):
            return f"this file has several {part}s: choose one below"
    return ""


def _declared(workspace: Studio, draft: Draft) -> dict[str, Any]:
    """Returns what the file's look says and nobody has declared: written down, it is read so for
    ever.
    """
    answer = inspect_names(workspace, draft)
    declared = (answer.output or {}).get("declare", {}) if answer.good else {}
    return {name: value for name, value in declared.items() if name not in draft.flags}


def _flags(submitted: SubmittedForm, known: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the flags that the form declares."""
    flags: dict[str, Any] = {
        name: submitted[name] for name in (*COLUMNS, *TEXTS, "layer", "sheet") if name in submitted
    }
    flags |= {name: submitted[name] == "yes" for name in SWITCHES if "texts" in submitted}
    flags |= {
        end: date_choice.with_column(submitted[end], submitted["date_column"], known)
        for end in ("from", "to")
        if end in submitted
    }
    flags |= {"dates": submitted["dates_more"]} if submitted["dates_more"] else {}
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


def show_numbers(request: Request, job: CommandJob) -> Response:
    """Shows the true numbers of a survey."""
    output = job.answer.output if job.answer else {}
    return page(
        request,
        "inspected.html",
        output=output,
        roles=_roles(output, output["units"]),
        more=_more(output),
        back=job.then["back"],
        command=type_command(job.words[:-3]),
    )


def _more(output: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Says in words what else the numbers tell."""
    alike = "same place" if output["units"] is None else "same unit, same place"
    lines = [
        (f"in {name}", f"{of['rows']:,} rows, {of['usable']:,} usable")
        for name, of in output["files"].items()
    ]
    lines += [
        (f"rows per unit, {word}", f"{value:,}") for word, value in output["rows_per_unit"].items()
    ]
    lines += [("repeated rows", f"{output['repeated']:,} ({alike})")]
    if output["uncertainty"]:
        metres = output["uncertainty"]
        lines.append(
            (
                "how certain places are",
                (
                    f"half are within {metres['median_m']:,.0f} m, nine in ten within"
                    f" {metres['90th_m']:,.0f} m"
                ),
            )
        )
    for column, forms in output["dates"].items():
        lines.append(
            (
                f"dates in {column}",
                ", ".join(f"{form}: {row_count:,} rows" for form, row_count in forms.items()),
            )
        )
    return lines


jobs.RESULTS["inspect"] = show_numbers
routes = [Route("/map/{id}/look", look, methods=["POST"])]
