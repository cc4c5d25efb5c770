"""Asks a released map about zones, such as project areas: its total in each, and how sure that
is.
"""

import re
from pathlib import PurePosixPath
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from dpmap.errors import BadInput
from dpmap.studio import jobs, release_info
from dpmap.studio.commands import CommandJob, path, type_command
from dpmap.studio.draw_page import begun
from dpmap.studio.page import SubmittedForm, form, page, studio

LEVELS = {
    "0.8": "80 % of the time",
    "0.9": "90 % of the time",
    "0.95": "95 % of the time",
    "0.99": "99 % of the time",
}
KEPT = {
    ".csv": "a table (CSV)",
    ".gpkg": "a layer (GeoPackage)",
    ".geojson": "a layer for the web (GeoJSON)",
    ".parquet": "a layer for large tables (GeoParquet)",
    ".md": "a table to read (Markdown)",
}
MEASURED = {
    "estimate",
    "mean",
    "low",
    "high",
    "distinguishable",
    "least",
    "most",
    "count",
    "count_low",
    "count_high",
    "per_km2",
    "note",
}
"""What an answer says of a zone; what else is there came with the zone."""
jobs.TITLES["ask"] = "Asking the map"


def ask(request: Request) -> Response:
    """Asks the map about the zones that were chosen, and keeps the answers as a file if that was
    wanted.
    """
    workspace = studio(request)
    release = release_info.requested_release(request)
    submitted = form(request)
    zones = zones_of(request, submitted)
    if release.output["layers"] and submitted["ask_layer"] not in release.output["layers"]:
        raise BadInput("choose which layer of the map is asked")
    words = question(release.name, zones, submitted) + [f"--layer={submitted['ask_layer']}"] * bool(
        submitted["ask_layer"]
    )
    if submitted["keep"]:
        if submitted["keep"] not in KEPT:
            raise BadInput(f"choose how the answers are kept: {', '.join(KEPT.values())}")
        words.append(f"--out={workspace.folder.free(_stem(zones), submitted['keep'])}")
    kept_flags = ("zones_layer", "level", "ask_layer")
    then = {"back": f"/release/{release.kept.id}", "release": release.kept.id, "path": zones}
    then |= {name: submitted[name] for name in kept_flags}
    return begun(workspace.commands.start("ask", repr(words), *words, "--json", then=then))


def zones_of(request: Request, submitted: SubmittedForm) -> str:
    """Returns the file of zones that was chosen, or the one whose path was typed."""
    folder = studio(request).folder
    if submitted["path"]:
        return folder.inside(submitted["path"])
    if not submitted["zones"]:
        raise BadInput("choose a file of zones, such as project areas, or type its path")
    return folder.one(folder.layers(), submitted["zones"]).name


def question(name: str, zones: str, submitted: SubmittedForm) -> list[str]:
    """Returns the words that ask a map about zones."""
    level = submitted["level"] or "0.9"
    if level not in LEVELS:
        raise BadInput(
            f"choose how often an interval holds the truth: {', '.join(LEVELS.values())}"
        )
    words = ["ask", path(name), path(zones), f"--level={level}"]
    return words + [f"--zones-layer={submitted['zones_layer']}"] * bool(submitted["zones_layer"])


def _stem(zones: str) -> str:
    return re.sub(r"[^\w]+", "-", PurePosixPath(zones).stem).strip("-")[:40] + "-answers"


def rows(output: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the answers as words, a zone each: those that surely hold something first, then by
    how much; those of which nothing is told last.
    """
    answered = [
        (_rank(zone), _row(zone, number)) for number, zone in enumerate(output["zones"], start=1)
    ]
    return [row for _, row in sorted(answered, key=lambda pair: pair[0])]


def _rank(zone: dict[str, Any]) -> tuple[bool, bool, float]:
    value = zone.get("estimate", zone.get("mean"))
    is_told = value is not None and ("mean" in zone or zone["low"] > 0)
    return value is None, not is_told, -(value or 0.0)


def _row(zone: dict[str, Any], number: int) -> dict[str, Any]:
    value = zone.get("estimate", zone.get("mean"))
    low = zone["low"]
    if value is None:
        words = "not told"
    elif "mean" in zone:
        words = "told"
    elif low > 0:
        words = "surely holds something"
    else:
        words = "not distinguishable from none"
    return {
        "name": zone_label(zone, number),
        "value": figure(value),
        "interval": interval(zone, "low", "high"),
        "strict": interval(zone, "least", "most"),
        "words": words,
        "note": str(zone.get("note") or ""),
        "told": value is not None and ("mean" in zone or low > 0),
        "sort": "" if value is None else f"{value:.6g}",
    }


def zone_label(zone: dict[str, Any], number: int) -> str:
    """Returns what to call a zone: its name if it has one, else its number.

    >>> zone_label({"id": 7, "Name": "North wood"}, 1), zone_label({"id": 7}, 2)
    ('North wood', 'zone 2')
    """
    for key, value in zone.items():
        if (
            key not in MEASURED
            and "name" in key.lower()
            and isinstance(value, str)
            and value.strip()
        ):
            return value.strip()[:60]
    return f"zone {number}"


def interval(zone: dict[str, Any], low: str, high: str) -> str:
    """Writes from where to where a number lies."""
    if zone[low] is None or zone[high] is None:
        return "not told"
    return f"{figure(zone[low])} to {figure(zone[high])}"


def figure(value: float | None) -> str:
    """Writes a number as short as it can be read.

    >>> figure(1234.5), figure(31.146), figure(0.00001), figure(None)
    ('1,234', '31.1', 'above 0', 'not told')
    """
    if value is None:
        return "not told"
    if 0 < value < 1e-4:
        return "above 0"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def show_zones(request: Request, job: CommandJob) -> Response:
    """Shows the answers about the zones."""
    output: dict[str, Any] = job.answer.output if job.answer else {}
    words = [word for word in job.words if word != "--json"]
    return page(
        request,
        "asked.html",
        room="/releases",
        release=release_info.find_release(request, job.then["release"]),
        output=output,
        rows=rows(output),
        then=job.then,
        level=LEVELS[f"{output['level']:g}"],
        keeping=list(KEPT.items()),
        command=type_command(words),
    )


jobs.RESULTS["ask"] = show_zones
