"""What a planner is told of a release on one page: the finding, each part or area of hers, what
must not be concluded, and who answers.

All of it is made from the released numbers and from what was public before.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.maps import read_map
from dpmap.record import Record
from dpmap.releases.area_parts import AreaPart
from dpmap.releases.finding_words import capital, mean_column
from dpmap.releases.findings import Findings, find
from dpmap.releases.region_answers import RegionAnswer
from dpmap.render.towns import in_frame
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import clean, noun

if TYPE_CHECKING:
    from dpmap.releases.public_map import PublicMap

MOST_ROWS = 24
"""So many lines of the list fit on the page; of the others it says how many there are and where."""
MOST_LONG_ROWS = 10
MOST_TOWNS = 300
LONGEST_TITLE = 120


@dataclass(frozen=True, slots=True)
class PlannerPage:
    """What the page says, in the order of the page; `contacts` are pairs of a name and words."""

    title: str
    about: str
    headline: str
    sentences: tuple[str, ...]
    list_title: str
    rows: tuple[RegionAnswer, ...]
    rows_left: str
    sureness: str
    warnings: tuple[str, ...]
    contacts: tuple[tuple[str, str], ...]
    parts: tuple[AreaPart, ...]
    place: Any
    alt_text: str

    @property
    def columns(self) -> int:
        """In how many columns the list stands."""
        return 1 if any(row.where for row in self.rows) else 2


def planner_page(release: "PublicMap", zones: Any = None) -> PlannerPage:
    """Return what a planner's page says of a release, of its own parts or of `zones`."""
    record = release.record
    findings = find(release, zones)
    return PlannerPage(
        title=_cut(clean(record.heading)),
        about=_about(record),
        headline=findings.headline,
        sentences=findings.sentences,
        list_title=_list_title(record, findings),
        rows=_shorten(_name_towns(record.grid.ground, findings)[:MOST_ROWS]),
        rows_left=_rows_left(findings),
        sureness=_sureness(findings),
        warnings=_warnings(record),
        contacts=_contacts(record),
        parts=findings.parts,
        place=findings.place_ground,
        alt_text=findings.headline,
    )


def _cut(title: str) -> str:
    """Return a title that leaves room for the rest of the page."""
    return (
        title if len(title) <= LONGEST_TITLE else f"{title[:LONGEST_TITLE]}\N{HORIZONTAL ELLIPSIS}"
    )


def _shorten(rows: tuple[RegionAnswer, ...]) -> tuple[RegionAnswer, ...]:
    """Return the rows; of many without where in each the most lies, which takes a whole line."""
    return rows if len(rows) <= MOST_LONG_ROWS else tuple(replace(row, where="") for row in rows)


def _name_towns(grid: Grid, findings: Findings) -> tuple[RegionAnswer, ...]:
    """Return the rows; those of parts with the most important town of each, since a compass point
    of the area is easily taken for an official region of that name.
    """
    import shapely

    if not findings.parts:
        return findings.rows
    towns = in_frame(grid).first(MOST_TOWNS)
    if len(towns.names):
        is_inside = np.asarray(grid.locate(towns.lon, towns.lat, crs_tools.LONLAT)) >= 0
        towns = towns.at(np.flatnonzero(is_inside))
    if not len(towns.names):
        return findings.rows
    x, y = crs_tools.transform(towns.lon, towns.lat, crs_tools.LONLAT, grid.crs)
    points = shapely.points(x, y)
    held = {part.name: shapely.intersects(part.ground, points) for part in findings.parts}
    first = {name: int(within.argmax()) for name, within in held.items() if within.any()}
    return tuple(
        replace(row, name=f"{row.name} ({clean(towns.names[first[row.name]])})")
        if row.name in first
        else row
        for row in findings.rows
    )


def _about(record: Record) -> str:
    """Say what the map is of."""
    words = map_statement(record)
    return (
        f"A map of {noun(record)} with noise in its numbers that protects"
        f" {words.protected_words()}; no point was moved;"
        f" {words.capped_words()}. Released {clean(record.released_on)}."
    )


def _list_title(record: Record, findings: Findings) -> str:
    """Return the heading of the list."""
    column = mean_column(read_map(record))
    what = f"mean of {column}" if column else noun(record)
    by = {"part": "part of the area"}.get(findings.rows_are, findings.rows_are)
    lines = " (dashed lines on the map)" if findings.parts and draws_on_axes(record) else ""
    return f"{capital(what)} by {by}{lines}"


def draws_on_axes(record: Record) -> bool:
    """Return whether a map is drawn on Axes that are given, where more can be drawn on it."""
    return () in record.grid.maps and read_map(record).complete


def _rows_left(findings: Findings) -> str:
    """Say how many lines are left out, and where all of them are."""
    left = findings.rows[MOST_ROWS:]
    if not left:
        return ""
    told_count = sum(row.told for row in left) or "none"
    where = {
        "zone": "dpmap ask lists them all",
        "layer": "map.html shows them all",
    }.get(findings.rows_are, "cells.gpkg and map.html have them all")
    return f"and {len(left):,} more, {told_count} of them told: {where}."


def _sureness(findings: Findings) -> str:
    """Say how often what the page says is right."""
    lines = (
        "and so are all lines of the list together"
        if findings.together
        else "and so are nine in ten lines of the list (those that the headline names are surer)"
    )
    return (
        "How sure: the true number, with everybody counted up to the cap, lies within the figures"
        " in brackets. On nine in ten pages made like this the headline is right with all its"
        f" numbers, so is each sentence, {lines if findings.rows else 'and each number'}. Where the"
        " figures of two lines overlap, it cannot be told which holds more."
    )


def _warnings(record: Record) -> tuple[str, ...]:
    """Say what must not be concluded."""
    what = noun(record)
    grid = record.grid.ground
    land = "an area" if grid.names else "a cell"
    if grid.kind == "squares":
        land = f"a cell ({grid.cell_text})"
    blank = (
        f"Pale, grey or hatched land is not free of {what}: the noise may hide them, or nobody"
        " looked there. Land without a colour is not part of this map."
    )
    within = (
        f"Within {land}, or a block of one colour, nobody can tell where they lie: no spot on the"
        " map is a place where one was found."
    )
    permits = (
        "This page neither permits nor forbids anything. Before you build or clear, wherever it is,"
        " look on the ground and ask who answers for the map."
    )
    visits = (
        "A survey counts where people went: more visits bring more of them, and one thing may be"
        " reported many times."
    )
    capped = (
        f"{capital(map_statement(record).capped_words())}: the true number of {what} may be several"
        " times higher."
    )
    return capped, blank, visits, within, permits


def _contacts(record: Record) -> tuple[tuple[str, str], ...]:
    """Say who answers for the map, what for and until when it may be used."""
    governance = record.about.governance
    lines = [
        (
            "Who answers",
            clean(governance.authorised_by) or "nobody is named; ask whoever handed you this page",
        ),
        ("May be used until", clean(governance.expires) or "no last day is declared"),
        ("For", clean(governance.purpose) or "no purpose is declared"),
    ]
    optional = {
        "Labels": ", ".join(governance.labels),
        "Licence": governance.licence,
        "Held": governance.retention,
    }
    lines += [(name, clean(words)) for name, words in optional.items() if words]
    has_page = "map.html" in map_statement(record).files
    ask = "draw or drop it in map.html" if has_page else "dpmap ask release.dpmap answers for it"
    lines.append(("Your own land", f"{ask}; statement.html says what is protected"))
    return tuple(lines)
