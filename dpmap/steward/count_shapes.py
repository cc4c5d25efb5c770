"""Counts the rows that are lines or areas, which have no place of their own unless `--surface`
gives each a point on it.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dpmap.engines.rows import RowTable, single_number
from dpmap.grid import Grid
from dpmap.survey import Survey
from dpmap.survey.column_roles import Roles

if TYPE_CHECKING:
    from dpmap.survey.row_sql import Selection


def count_outlined(
    database: Any,
    survey: Survey,
    selected: "Callable[[Survey], Selection]",
    grid: Grid | None,
    usable: int,
) -> int:
    """Counts the usable rows that `--surface` would bring in, reading the survey as if it were
    given; for the operator.

    `usable` is how many there are without. Where places stand in columns, only rows without one are
    read again.
    """
    if survey.roles.reading.surface or not _may_be_drawn(survey.roles):
        return 0
    drawn = survey.read_otherwise(surface=True)
    rows = RowTable(database, drawn, selected(drawn))
    where = rows.chosen.keep()
    spot = rows.chosen.spot
    if not survey.roles.geometry:
        where = f"{where} AND ({spot.x} IS NULL OR {spot.y} IS NULL)"
        usable = 0
    rows.table("outlined", {"kept": "true"}, where, grid)
    return max(0, single_number(database, "SELECT count(*) FROM outlined") - usable)


def _may_be_drawn(roles: Roles) -> bool:
    """Whether places may be shapes: those of a layer, or texts that hold whole places and not
    only grid references.
    """
    return roles.geometry is not None or any(way.cell and way.kind != "grid" for way in roles.ways)


def advice(count: int, every: int) -> list[str]:
    """Says what lines and areas are, and what to type to count them."""
    if not count:
        return []
    share = f" ({count / every:.0%} of all)" if every else ""
    rows = (
        "1 row that is a line or area" if count == 1 else f"{count:,} rows that are lines or areas"
    )
    return [
        (
            f"{rows}{share} would count with --surface, each at a point on it; without, they have"
            " no place"
        )
    ]
