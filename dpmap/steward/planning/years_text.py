"""Says what a plan for several seasons says, in words and tables."""

from collections.abc import Iterable, Sequence

from dpmap.steward.planning.planned_years import PlannedYears, SeasonPlanned, Way
from dpmap.steward.planning.results import describe_cells
from dpmap.steward.planning.seasons import PATCH, zone_cells
from dpmap.style import number

NAMES = {"even": "even", "decaying": "decaying", "alternate": "every second season"}
NONE = "-"


def title(plan: PlannedYears) -> str:
    """Names the plan."""
    cells = f"{plan.grid.cells_inside:,} {describe_cells(plan.grid.cell_text)}"
    return (
        f"Plan for {plan.years} seasons: {cells}, cap {plan.policy.cap}, epsilon {plan.total} for"
        " all of them together"
    )


def basis(plan: PlannedYears) -> str:
    """Says what the plan rests on."""
    unit = "row" if plan.policy.unit == "row" else plan.policy.unit
    where = (
        "invented land, the middle one of six shapes"
        if len(plan.lands) > 1
        else f"land like {plan.lands[0]}"
    )
    return (
        f"No survey was read and nothing is spent. Assumed: {plan.units:,} units of protection"
        f" ({unit}) in each season with {number(plan.each)} points each after the cap,"
        f" {number(plan.units * plan.each)} in all, a public guess; rehearsed with the true noise"
        f" on {where}."
    )


def reading(plan: PlannedYears) -> list[str]:
    """Explains the columns."""
    cells = plan.grid.cells_inside
    zone = zone_cells(cells)
    off = (
        "off a cell: by how many points a map read alone is off in a cell, on the mean; stacked:"
        " when it is read with all before (dpmap series), if the shape stays; where it jumps, the"
        " map is as it is alone. A cell measured by itself is told from none if it holds as many as"
        " stand under: a cell from."
    )
    change = (
        "change: by how many points a place, a zone and the whole area must change since the map"
        " before, so that it is told in four cases of five, where a tenth of what is told may be"
        f" false. A place has {min(PATCH, cells)} cells, each measured by itself in both maps, the"
        f" worst case; a zone has {zone}, a tenth of the area, and is one of ten. How many of a"
        " population people happen to report differs too, and no plan knows by how much."
    )
    trend = (
        "trend: within how many points a season the rise or fall of the whole area is known, nine"
        " times in ten, from all maps so far."
    )
    return [off, change, trend]


def rows(way: Way) -> list[list[str]]:
    """Returns each season of a way in words."""
    return [_row(one) for one in way.seasons]


COLUMNS = (
    "season",
    "epsilon",
    "off a cell",
    "stacked",
    "a cell from",
    "change: place",
    "zone",
    "whole area",
    "trend",
)


def _row(one: SeasonPlanned) -> list[str]:
    epsilon = "no map" if one.epsilon is None else number(float(one.epsilon))
    told = (
        one.cell_error,
        one.stack_error,
        one.detect,
        one.change_patch,
        one.change_zone,
        one.change_whole,
        one.trend_whole,
    )
    return [str(one.season), epsilon, *(NONE if value is None else number(value) for value in told)]


def _lines(plan: PlannedYears) -> Iterable[str]:
    for way in plan.ways:
        yield f"{heading(way)}"
        table = [list(COLUMNS), *rows(way)]
        wide = [max(len(row[at]) for row in table) for at in range(len(COLUMNS))]
        yield from (
            "  " + "  ".join(f"{word:>{width}}" for word, width in zip(row, wide, strict=True))
            for row in table
        )
        yield ""


def heading(way: Way) -> str:
    """Names a way, and says how many maps it makes."""
    return f"{NAMES[way.scheme]}: {way.releases} map{'' if way.releases == 1 else 's'}"


def summary(plan: PlannedYears) -> str:
    """Returns the plan in lines for a terminal."""
    lines = [title(plan), basis(plan), ""]
    for one in plan.advice:
        lines += [f"{one.question} {one.words}", f"  {one.command}", ""]
    return "\n".join([*lines, *_lines(plan), *reading(plan)])


def advice(ways: Sequence[Way], zone: int) -> list[tuple[str, str, str, str]]:
    """Returns what suits which question: the question, the scheme, why, and the line to type."""
    even, decaying, alternate = ways
    return [
        (
            "A map every season, and what changed since the last one?",
            "even",
            f"Spend evenly. {_even(even, zone)}",
            even.command,
        ),
        (
            "The sharpest maps, or how it goes over all seasons?",
            "alternate",
            f"Make a map every second season. {_alternate(alternate, even, zone)}",
            alternate.command,
        ),
        (
            "A decision that waits for the first map, or records that pile up?",
            "decaying",
            f"Spend most first. {_decaying(decaying)}",
            decaying.command,
        ),
    ]


def _even(way: Way, zone: int) -> str:
    newest = way.newest
    return (
        f"Each season's map is as good as any other, off by {number(_known(newest.cell_error))}"
        f" points a cell, and a change of {number(_known(newest.change_zone))} points in"
        f" {_cells(zone)} is told from one to the next. If in doubt, take this."
    )


def _alternate(way: Way, even: Way, zone: int) -> str:
    newest, first = way.newest, even.newest
    times = float(newest.epsilon or 0) / float(first.epsilon or 1)
    sharp = (
        f"Each map has {number(times)} times the epsilon and is off by"
        f" {number(_known(newest.cell_error))} points a cell"
    )
    if newest.change_zone is None:
        return f"{sharp}; but there is one map only, so no change can be told: take even for that."
    trend = (
        f"{number(_known(newest.trend_whole))} points a season instead of"
        f" {number(_known(first.trend_whole))}"
    )
    missing = len(way.seasons) - way.releases
    return (
        f"{sharp}; over two seasons a change of {number(newest.change_zone)} points in"
        f" {_cells(zone)} is told, and the trend of the whole area is known to within {trend}."
        f" {missing} season{'' if missing == 1 else 's'} of {len(way.seasons)}"
        f" {'has' if missing == 1 else 'have'} no map, and cost nothing."
    )


def _decaying(way: Way) -> str:
    first, last = way.seasons[0], way.seasons[-1]
    return (
        f"The first map has epsilon {number(float(first.epsilon or 0))} and is off by"
        f" {number(_known(first.cell_error))} points a cell, the last epsilon"
        f" {number(float(last.epsilon or 0))} and {number(_known(last.cell_error))}: right where"
        " every map shows all records so far, as then the noise stays in proportion; else later"
        " maps tell less and less."
    )


def _cells(zone: int) -> str:
    return "one cell" if zone == 1 else f"a zone of {zone:,} cells"


def _known(value: float | None) -> float:
    return 0.0 if value is None else value
