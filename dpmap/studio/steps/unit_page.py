"""Asks whom the map protects: who one of them is, whose rows may count, and how much one of them
adds at most.
"""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dpmap.errors import BadInput, DpmapError
from dpmap.numbers import decimal_text, exact
from dpmap.promise import limiters
from dpmap.studio import drafts
from dpmap.studio.commands import type_command
from dpmap.studio.drafts import Draft
from dpmap.studio.folder import short
from dpmap.studio.page import Studio, SubmittedForm, form, go, page, studio
from dpmap.studio.steps import choices
from dpmap.studio.steps.data import NOTHING, draft_of, inspect_names, unsaid

FIELDS = (
    "unit",
    "unit_other",
    "consent_column",
    "consent_values",
    "consent_by",
    "names",
    "marks",
    "missing_unit",
    "cap_way",
    "cap",
    "cap_looked",
    "cap_share",
    "cap_reach",
    "limiter",
    "site",
    "sites",
    "sites_path",
    "site_cap",
)
OTHER = "other"
ROW = "row"
COLUMN = "column:"
MOST_CAP = 10**9
LOOKED = "after inspection"
SHARE = "5"
"""Percent of epsilon that is offered for choosing a cap privately."""
KINDS = {
    "person": "each person",
    "animal": "each animal",
    "site": "each nest or site",
    "device": "each device",
    "team": "each team",
    "name": "each name",
}


def show(
    request: Request, submitted: SubmittedForm | None = None, error: DpmapError | str = ""
) -> Response:
    """Shows who may be protected; after a mistake with what was typed."""
    draft = draft_of(request)
    workspace = studio(request)
    answer = inspect_names(workspace, draft)
    known = NOTHING | (answer.output or {} if answer.good else {})
    units = _candidates(known, str(draft.get("unit")))
    values = _values(draft, units, known["unit"] or "") | (
        {name: submitted[name] for name in FIELDS} if submitted is not None else {}
    )
    return page(
        request,
        "who.html",
        limiters=_limiters(),
        draft=draft,
        step="who",
        known=known,
        units=units,
        value=values,
        files=choices.offer_files(workspace.folder.surveys(), str(draft.get("sites"))),
        unknown="" if answer.good else answer.error,
        wanting=unsaid(draft, known),
        looked=_has_seen_caps(workspace, draft),
        error=error,
        status=400 if error else 200,
        command=type_command(["release", *draft.config]),
    )


def _limiters() -> list[tuple[str, str, str]]:
    """Returns the ways in which the cap may be kept: the form's value, the words, and what it
    means.
    """
    return [(name, spec.title, spec.hint) for name, spec in limiters.LIMITERS.items()]


def _candidates(known: dict[str, Any], declared: str) -> list[tuple[str, str, str]]:
    """Returns the columns that may say who is protected: the form's value, the words, and what
    protecting it means.
    """
    format_unit = known["unit"]
    listed = [one for one in known["who"] if one["column"] != ROW]
    candidates = [
        (
            f"{COLUMN}{one['column']}",
            f"{KINDS.get(one['kind'], one['kind'])}: {one['column']}",
            one["meaning"],
        )
        for one in listed
    ]
    if (
        format_unit
        and format_unit != declared
        and format_unit not in [one["column"] for one in listed]
    ):
        candidates.insert(
            0,
            (
                f"{COLUMN}{format_unit}",
                format_unit,
                "protects whoever this kind of file names there: all those rows together",
            ),
        )
    return candidates


def _values(draft: Draft, units: list[tuple[str, str, str]], declared: str) -> dict[str, str]:
    """Returns what the form shows of a draft; `own` is the unit that the survey's format
    defines.
    """
    unit, cap, team = (str(draft.get(key)) for key in ("unit", "cap", "team"))
    unit = unit or declared
    listed = f"{COLUMN}{unit}" in [key for key, _, _ in units]
    way = (
        "private"
        if cap.startswith("auto:")
        else "looked"
        if draft.get("cap_origin") == LOOKED
        else "declared"
    )
    _, share, reach = (*cap.split(":"), "", "")[:3] if way == "private" else ("", "", "")
    column, _, yes = str(draft.get("consent")).partition("=")
    return {
        "unit": f"{COLUMN}{unit}" if listed else ROW if unit == ROW else OTHER if unit else "",
        "unit_other": "" if listed or unit == ROW else unit,
        "consent_column": column,
        "consent_values": yes.replace(",", ", "),
        "consent_by": str(draft.get("consent_by", "row")),
        "names": team if team in ("", "auto", "none") else "marks",
        "marks": "" if team in ("", "auto", "none") else team,
        "missing_unit": str(draft.get("missing_unit", "drop")),
        "cap_way": way if cap else "",
        "cap": cap if way == "declared" else "",
        "cap_looked": cap if way == "looked" else "",
        "cap_share": _percent(share),
        "cap_reach": reach,
        "limiter": str(draft.get("limiter", limiters.DEFAULT)),
        "site": str(draft.get("site")),
        "sites": short(str(draft.get("sites"))) if draft.get("sites") else "",
        "sites_path": "",
        "site_cap": str(draft.get("site_cap", 1)),
    }


def _percent(share: str) -> str:
    """Returns a share of one as a number of percent, and as it is where it is none."""
    try:
        return decimal_text(100 * exact(share, name="cap")) if share else SHARE
    except DpmapError:
        return share


def save(request: Request) -> Response:
    """Writes who is protected, and goes on; or first shows the operator what each cap scales
    away.
    """
    before = draft_of(request)
    workspace = studio(request)
    submitted = form(request)
    try:
        draft = drafts.change_draft(
            workspace.folder, before, submitted["mark"], _flags(request, before, submitted)
        )
    except DpmapError as wrong:
        return show(request, submitted, wrong)
    answer = inspect_names(workspace, draft)
    if not answer.good:
        choices.put_back(workspace.folder, draft, before)
        return show(request, submitted, answer.failure)
    place = f"/map/{draft.kept.id}"
    if submitted["look"]:
        words = ("inspect", *draft.config, "--json", "--progress", "json")
        then = {"back": f"{place}/who", "mark": draft.mark}
        return go(f"/job/{workspace.commands.start('inspect', draft.name, *words, then=then).id}")
    return go(f"{place}/who" if submitted["stay"] else f"{place}/where")


def _flags(request: Request, draft: Draft, submitted: SubmittedForm) -> dict[str, Any]:
    """Returns the flags that the form declares; whoever only looks at the numbers may leave the
    cap for later.
    """
    answer = inspect_names(studio(request), draft)
    columns = (answer.output or {}).get("columns", []) if answer.good else []
    return {
        "unit": _unit(submitted),
        "consent": _consent(submitted, columns),
        "consent_by": "unit"
        if submitted["consent_by"] == "unit" and submitted["consent_column"]
        else "",
        "team": _between(submitted),
        "missing_unit": "own-unit" if submitted["missing_unit"] == "own-unit" else "",
        "limiter": "" if submitted["limiter"] == limiters.DEFAULT else submitted["limiter"],
        **_cap_kept(studio(request), draft, submitted),
        **_site(request, draft, submitted, columns),
    }


def _unit(submitted: SubmittedForm) -> str:
    """Returns the column or columns that say who is protected."""
    way = submitted["unit"]
    if way.startswith(COLUMN):
        return way.removeprefix(COLUMN)
    if way == ROW:
        return ROW
    if way == OTHER and submitted["unit_other"]:
        return submitted["unit_other"]
    raise BadInput(
        "say who is protected: choose one of the columns, or type another; nothing runs without it"
    )


def _consent(submitted: SubmittedForm, columns: list[str]) -> str:
    """Returns the rule of consent as it is typed: the column and the values that mean yes."""
    column = submitted["consent_column"]
    yes = [one.strip() for one in submitted["consent_values"].split(",") if one.strip()]
    if bool(column) != bool(yes):
        raise BadInput(
            "consent: name a column and the values that mean yes, like consent and yes, true; or"
            " leave both empty"
        )
    return f"{choices.column_of(columns, column, 'consent')}={','.join(yes)}" if column else ""


def _between(submitted: SubmittedForm) -> str:
    """Returns what stands between several names in one cell."""
    if submitted["names"] == "marks" and not submitted["marks"]:
        raise BadInput("several names in one cell: type what stands between them, like  ; & and")
    return submitted["marks"] if submitted["names"] == "marks" else submitted["names"]


def _cap_kept(workspace: Studio, draft: Draft, submitted: SubmittedForm) -> dict[str, str]:
    """Returns the cap, which was not declared beforehand if its operator had seen by then what
    each cap scales away.
    """
    flags = _cap(submitted)
    if submitted["cap_way"] != "declared" or not flags:
        return flags
    same = flags["cap"] == str(draft.get("cap"))
    if (same and draft.get("cap_origin") == LOOKED) or (
        not same and _has_seen_caps(workspace, draft)
    ):
        raise BadInput(
            "cap: this one was set after you had seen the true numbers; choose “A number that I"
            " found by looking”, or have it chosen privately"
        )
    return flags


def _has_seen_caps(workspace: Studio, draft: Draft) -> bool:
    """Whether this studio has shown what each cap of the survey scales away."""
    job = workspace.commands.last("inspect", draft.name)
    answer = None if job is None else job.answer
    return answer is not None and answer.good and bool((answer.output or {}).get("scaled_away"))


def _cap(submitted: SubmittedForm) -> dict[str, str]:
    """Returns the cap, and how it was found where it was not declared beforehand."""
    way = submitted["cap_way"]
    if way == "private":
        share = submitted["cap_share"].removesuffix("%").strip() or SHARE
        text = decimal_text(exact(share, name="cap: the percent of epsilon") / 100)
        return {
            "cap": ":".join(
                ("auto", text, *([submitted["cap_reach"]] if submitted["cap_reach"] else []))
            ),
            "cap_origin": "",
        }
    cap = submitted["cap_looked"] if way == "looked" else submitted["cap"]
    if not cap and submitted["look"]:
        return {}
    if not cap or not way:
        raise BadInput(
            "cap: say how much one of them adds at most, like 5, or have it chosen privately; there"
            " is no default"
        )
    if not (cap.isascii() and cap.isdecimal()) or not 1 <= int(cap[:12]) <= MOST_CAP:
        raise BadInput(f"cap must be a whole number from 1 to {MOST_CAP}; write for example 5")
    return {"cap": cap, "cap_origin": LOOKED if way == "looked" else ""}


def _site(
    request: Request, draft: Draft, submitted: SubmittedForm, columns: list[str]
) -> dict[str, Any]:
    """Returns the flags of the places that are protected too, or none."""
    folder = studio(request).folder
    column = submitted["site"]
    file = choices.chosen_file(
        folder, folder.surveys(), submitted, "sites", str(draft.get("sites"))
    )
    if bool(column) != bool(file):
        raise BadInput(
            "sites: name the column of the site and the file that says where each site is; or leave"
            " both empty"
        )
    if not column:
        return {"site": "", "sites": "", "site_cap": ""}
    site_cap = submitted["site_cap"] or "1"
    if not (site_cap.isascii() and site_cap.isdecimal()) or int(site_cap[:12]) < 1:
        raise BadInput(
            "sites: the most contributors that one site counts for is a whole number of at least 1"
        )
    return {
        "site": choices.column_of(columns, column, "sites"),
        "sites": file,
        "site_cap": int(site_cap[:12]),
    }


routes = [Route("/map/{id}/who", show), Route("/map/{id}/who", save, methods=["POST"])]
