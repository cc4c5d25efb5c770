"""Asks whom the map protects: who one of them is, and whose rows may count."""

from collections.abc import Mapping
from typing import Any

from dpmap.errors import BadInput
from dpmap.studio.drafts import Draft
from dpmap.studio.folder import BrowsedFolder, short
from dpmap.studio.page import Studio, SubmittedForm
from dpmap.studio.steps import choices

FIELDS = (
    "unit",
    "unit_other",
    "consent_column",
    "consent_values",
    "consent_by",
    "names",
    "marks",
    "missing_unit",
    "site",
    "sites",
    "sites_path",
    "site_cap",
)
OTHER = "other"
ROW = "row"
COLUMN = "column:"
Choice = tuple[str, str, str]
"""The form's value, the words, and what protecting it means."""


def fill_unit_section(
    workspace: Studio, draft: Draft, known: Mapping[str, Any], submitted: SubmittedForm | None
) -> dict[str, Any]:
    """Returns what the page shows of who is protected, the best guess ticked; after a mistake what
    was typed.
    """
    declared = str(draft.get("unit"))
    units = _candidates(known, declared)
    values = _values(draft, units, known["unit"] or "")
    if submitted is not None:
        values |= {name: submitted[name] for name in FIELDS}
    elif not values["unit"] and units:
        values["unit"] = units[0][0]
    return {
        "units": units,
        "who": values,
        "site_files": choices.offer_files(workspace.folder.surveys(), str(draft.get("sites"))),
    }


def read_unit_section(
    workspace: Studio, draft: Draft, columns: list[str], submitted: SubmittedForm
) -> dict[str, Any]:
    """Returns the flags that the page's part about who is protected declares."""
    refuses_all = submitted["consent_by"] == "unit" and submitted["consent_column"]
    return {
        "unit": _unit(submitted),
        "consent": _consent(submitted, columns),
        "consent_by": "unit" if refuses_all else "",
        "team": _between(submitted),
        "missing_unit": "own-unit" if submitted["missing_unit"] == "own-unit" else "",
        **_site(workspace.folder, draft, submitted, columns),
    }


def _candidates(known: Mapping[str, Any], declared: str) -> list[Choice]:
    """Returns the columns that may say who is protected, the likeliest first."""
    format_unit = known["unit"]
    listed = [one for one in known["who"] if one["column"] != ROW]
    candidates = [
        (
            f"{COLUMN}{one['column']}",
            one["words"],
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


def _values(draft: Draft, units: list[Choice], format_unit: str) -> dict[str, str]:
    """Returns what the form shows of a draft; `format_unit` is what the survey's format defines."""
    unit = str(draft.get("unit")) or format_unit
    team = str(draft.get("team"))
    listed = f"{COLUMN}{unit}" in [key for key, _, _ in units]
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
        "site": str(draft.get("site")),
        "sites": short(str(draft.get("sites"))) if draft.get("sites") else "",
        "sites_path": "",
        "site_cap": str(draft.get("site_cap", 1)),
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


def _site(
    folder: BrowsedFolder, draft: Draft, submitted: SubmittedForm, columns: list[str]
) -> dict[str, Any]:
    """Returns the flags of the places that are protected too, or none."""
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
