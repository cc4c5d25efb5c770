"""Says in words what a map that is being prepared will make public."""

from collections.abc import Mapping
from typing import Any

from dpmap.studio.drafts import NAMED, Draft
from dpmap.studio.steps import date_choice

SAID = {
    "dataset",
    "area",
    "area_name",
    "area_layer",
    "bounds",
    "cell",
    "grid",
    "hexagons",
    "shape",
    "by_area",
    "grid_crs",
    "kinds",
    "times",
    "unit",
    "site",
    "cap",
    "cap_origin",
    "epsilon",
    "tier",
    "consent",
    "consent_by",
    "where",
    "from",
    "to",
    "dates",
    "max_uncertainty",
    "authorised_by",
    "purpose",
    "expires",
    "label",
    "out",
    "also_published",
    "retention",
}
"""Flags that have words of their own on the confirm page."""
WITHIN = {
    "survey",
    "ledger",
    "budget",
    "budget_delta",
    "strategy",
    "detect",
    "error",
    "tail",
    "zones",
    "zones_layer",
    "within",
    "leave_outside",
    "units",
    "each",
    "like",
    "engine",
    "memory",
    "threads",
    "temp",
    "few_cells",
    "sensitivity",
    "x",
    "y",
    "place",
    "crs",
    "datum",
    "uncertainty",
    "format",
    "columns",
    "header_row",
    "delimiter",
    "encoding",
    "layer",
    "sheet",
    "swap",
    "surface",
    "west_positive",
}
"""Flags that stand elsewhere on the page (the cost, how the survey is read), or change nothing
that is told of anybody.
"""
ALSO = {
    "context": "Layers printed as they are, without any noise",
    "delta": "Chance that epsilon need not hold (delta)",
    "seal": "File with the maps of all readers",
    "missing_unit": "Rows that name nobody",
    "limiter": "How the cap is kept",
    "team": "Between several names",
    "sites": "File of the sites",
    "site_cap": "Contributors that one site counts for",
    "sample": "Share of the units that is drawn first",
    "count": "Counted by the column",
    "mean": "Mean of the column",
    "epsilon_by": "Each one's own limit on epsilon",
    "lifetime": "Limits for a lifetime",
    "confirm_epsilon": "A large epsilon is meant",
    "licence": "Licence",
    "doi": "DOI",
    "reason": "Why its places are sensitive",
    "local_contexts": "Local Contexts project",
}
"""What the rest is called, if a map has it."""


def public(draft: Draft, known: Mapping[str, Any], out: str) -> list[tuple[str, str]]:
    """Says in words what the map will tell everybody."""
    facts = [
        ("Data set", plain(draft.get("dataset"))),
        ("Area", _area(draft)),
        ("Cells", _cells(draft)),
        ("Who is protected", _unit(draft, known)),
        ("How much one of them counts", _cap(draft)),
        ("Epsilon", plain(draft.get("tier") or draft.get("epsilon"))),
        ("Consent", _consent(draft, known)),
        ("Rows that count", _rows(draft)),
        *date_choice.describe_dates(draft, known),
        ("Authorised by", plain(draft.get("authorised_by"))),
        ("Purpose", plain(draft.get("purpose"))),
        ("Until", plain(draft.get("expires"))),
        ("Labels", plain(draft.get("label"))),
        ("Also published of this data", plain(draft.get("also_published"))),
        ("Who can reach the survey and the ledger", plain(draft.get("retention"))),
        ("Goes into the folder", out),
    ]
    rest = [flag for flag in draft.flags if flag not in SAID | WITHIN]
    facts += [(ALSO.get(flag, flag.replace("_", " ")), plain(draft.get(flag))) for flag in rest]
    return facts


def said_facts(draft: Draft, known: Mapping[str, Any], out: str) -> list[tuple[str, str]]:
    """Says in words what the map will tell everybody, as far as it is said yet."""
    return [(name, words) for name, words in public(draft, known, out) if words]


def unsaid_facts(draft: Draft, known: Mapping[str, Any], out: str) -> list[str]:
    """Names what a map may say and this one does not."""
    return [name for name, words in public(draft, known, out) if not words]


def plain(value: object, other: str = "") -> str:
    """Writes a flag's value for people."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {plain(one)}" for name, one in value.items())
    if isinstance(value, list):
        return ", ".join(map(plain, value)) or other
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value) or other


def _area(draft: Draft) -> str:
    """Names the area of the map."""
    area = str(draft.get("area"))
    more = [str(draft.get(one)) for one in ("area_name", "area_layer") if draft.get(one)]
    if area.lower().startswith(NAMED):
        kind, _, name = area.partition(":")
        area = f"the {kind.lower()} {name.strip()}"
    if not area and draft.get("bounds"):
        area = f"the frame {draft.get('bounds')}"
    return f"{area} ({', '.join(more)})" if area and more else area


def _cells(draft: Draft) -> str:
    """Says what the cells are, and whether there is a map for each kind or time."""
    ways = [
        ("cell", "squares of {}"),
        ("grid", "those of the official grid {}"),
        ("hexagons", "hexagons of H3 level {}"),
        ("shape", "{} rows and columns"),
    ]
    sizes = [words.format(draft.get(flag)) for flag, words in ways if draft.get(flag)]
    sizes += ["each polygon of the area"] if draft.get("by_area") else []
    sizes += [f"on the grid of {draft.get('grid_crs')}"] if draft.get("grid_crs") else []
    for flag, words in (("kinds", "a map for each kind"), ("times", "a map for each span of time")):
        sizes += [f"{words} ({plain(draft.get(flag))})"] if draft.get(flag) else []
    return ", ".join(sizes)


def _unit(draft: Draft, known: Mapping[str, Any]) -> str:
    """Says who is protected."""
    unit = str(draft.get("unit") or known["unit"] or "")
    words = (
        "each row by itself: who has several is not protected"
        if unit == "row"
        else f"each one that the column {unit} names"
        if unit
        else ""
    )
    return (
        f"{words}, and each site that {draft.get('site')} names"
        if words and draft.get("site")
        else words
    )


def _cap(draft: Draft) -> str:
    """Says how much one unit can add to the map."""
    cap = str(draft.get("cap"))
    if cap.startswith("auto"):
        return f"at most a number of points that is chosen privately ({cap})"
    origin = (
        " (chosen after looking at the true numbers)"
        if draft.get("cap_origin") == "after inspection"
        else ""
    )
    return (
        f"at most {cap} point{'' if cap == '1' else 's'} on the whole map, whatever they"
        f" reported{origin}"
        if cap
        else ""
    )


def _consent(draft: Draft, known: Mapping[str, Any]) -> str:
    """Says which rows count by their own wish, and that all do where a column might tell."""
    rule = str(draft.get("consent"))
    whole = "; one refusal takes all rows of that unit" if draft.get("consent_by") == "unit" else ""
    if rule:
        return f"only rows where {rule}{whole}"
    return "no rule: every row counts, whoever agreed" if known["consent"] else ""


def _rows(draft: Draft) -> str:
    """Says which rows count by what stands in them."""
    words = {
        "where": "{}",
        "from": "from {}",
        "to": "to {}",
        "max_uncertainty": "places known to {} or better",
    }
    rules = [words[flag].format(draft.get(flag)) for flag in words if draft.get(flag)]
    return ", ".join(rules)
