"""Checks whether a survey was read as intended, when hardly a row counts; for the operator's screen."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from dpmap.engines.rows import BATCH, Rows, one, people_in
from dpmap.errors import BadInput
from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.survey import Survey
from dpmap.survey.locate import IMPOSSIBLE, OUTSIDE, cells
from dpmap.survey.roles import Roles
from dpmap.survey.selection import OWN

if TYPE_CHECKING:
    import pyarrow as pa

FEW = 100
"""Fewer rows than these make one ask whether the survey was read as it was meant."""


def check_not_empty(kept: int, ask: "Callable[[], Counter[str]]", survey: Survey) -> None:
    """Refuses a survey of which hardly a row counts if its coordinates were read in a way that cannot be meant, or if a
    named column is blank or without consent throughout.

    This depends on rows and is for the operator's screen: the promise page lists each.
    """
    if kept >= FEW:
        return
    seen = ask()
    _check_meant(seen, swapped=survey.roles.reading.swap)
    if kept or not seen["rows"]:
        return
    if seen["refusal"] and not seen["consent"]:
        raise BadInput(
            "--consent: no row holds one of these values there, though rows hold others; check the words, like "
            "--consent consent=yes,true (dpmap inspect FILE counts them)"
        )
    columns = [column for column in (survey.roles.x, survey.roles.y, survey.roles.geometry) if column] or [
        place.cell for place in survey.roles.places
    ]
    for column, axis in zip(columns, "xy", strict=False):
        if not seen[axis]:
            raise BadInput(f"place: no row of {column!r} holds a coordinate; name the columns with --x --y --crs")
    if not seen["named"]:
        raise BadInput(
            "--unit: every row is blank or a placeholder there; name a column that is filled in, or --unit row"
        )


def _check_meant(seen: "Counter[str]", *, swapped: bool) -> None:
    """Refuses coordinates that would lie in the area, or on earth at all, only if they were read differently."""
    if seen["turned"] > 10 * seen["inside"]:
        mend = "leave --swap out" if swapped else "add --swap, or name them with --x and --y"
        raise BadInput(
            f"place: longitude and latitude look swapped, as the rows fall in the area only the other way round; {mend}"
        )
    if seen["degrees"] > 10 * seen["inside"]:
        raise BadInput(
            "crs: the rows fall in the area only if their coordinates are degrees, which the CRS they were read in "
            "has not; add --crs EPSG:4326"
        )
    if seen["impossible"] > 10 * seen["placed"]:
        raise BadInput(
            "crs: the coordinates lie outside what their CRS can hold, as metres read as degrees do; name the right one, "
            "like --crs EPSG:27700, or mend the columns"
        )


def few(rows: Rows) -> int:
    """Returns how many rows count, up to `FEW`."""
    return one(rows.database, f"SELECT count(*) FROM (SELECT 1 FROM rows LIMIT {FEW})")


def glance(rows: Rows, grid: Grid) -> "Counter[str]":
    """Returns counts that explain why hardly a row counts; those of a survey's pieces add up."""
    named = rows.chosen.by_row or OWN in rows.chosen.unit or rows.run(lambda: _anyone(rows))
    seen = Counter[str]({"named": int(named)})
    seen.update(rows.run(lambda: _filled(rows)))
    seen.update(rows.run(lambda: _where(rows, grid)))
    return seen


def _filled(rows: Rows) -> "Counter[str]":
    """Counts the rows, and those that have an x, have a y, consent and refuse."""
    chosen = rows.chosen
    sides = [
        f"CASE WHEN {side} IS NOT NULL OR {chosen.shape or side} IS NOT NULL THEN 1 END"
        for side in (chosen.spot.x, chosen.spot.y)
    ]
    consent = (f"*) FILTER ({chosen.consent}", f"*) FILTER ({chosen.refused}")
    asked = ", ".join(f"count({part})" for part in ("*", *sides, *consent))
    with rows.asked() as relation:
        counts = rows.database.execute(f"SELECT {asked} FROM {relation}").fetchall()[0]
    return Counter(dict(zip(("rows", "x", "y", "consent", "refusal"), counts, strict=True)))


def _anyone(rows: Rows) -> bool:
    """Whether any row names anybody."""
    asked = f"SELECT DISTINCT {rows.chosen.unit} FROM "
    with rows.asked() as relation, rows.database.sql(asked + relation).to_arrow_reader(BATCH) as distinct:
        texts = (text for batch in distinct for text in batch.column(0).to_pylist() if text is not None)
        return any(people_in(text, rows.chosen.team, joined=rows.chosen.joined) for text in texts)


def _where(rows: Rows, grid: Grid) -> "Counter[str]":
    """Counts the rows that fall in the area, whoever they belong to, those that would if read otherwise (x and y
    swapped, or as degrees), and those that lie nowhere on earth.
    """
    spot, shape, seen = rows.chosen.spot, rows.chosen.shape, Counter[str]()
    if spot.crs != "NULL":
        return seen
    other, sign = _read_otherwise(rows.chosen.roles)
    columns = f"{spot.x} AS x, {spot.y} AS y" + (f", {shape} AS shape" if shape else "")
    with rows.asked() as relation:
        for batch in rows.database.sql(f"SELECT {columns} FROM {relation}").to_arrow_reader(BATCH):
            found = cells(batch, rows.chosen.roles, grid)
            seen += Counter(inside=int((found >= 0).sum()), impossible=int((found == IMPOSSIBLE).sum()),
                            placed=int((found >= OUTSIDE).sum()))  # fmt: skip
            seen[sign] += int((cells(_turned(batch) if sign == "turned" else batch, other, grid) >= 0).sum())
    return seen


def _read_otherwise(roles: Roles) -> tuple[Roles, str]:
    """Returns another reading of the same columns that may have been meant: axes swapped, or degrees for metres."""
    if not crs_tools.is_lonlat(roles.crs):
        return replace(roles, crs=crs_tools.LONLAT), "degrees"
    return replace(roles, reading=replace(roles.reading, swap=not roles.reading.swap)), "turned"


def _turned(batch: "pa.RecordBatch") -> "pa.RecordBatch":
    """Returns the batch with x and y swapped."""
    other = {"x": "y", "y": "x"}
    return batch.rename_columns([other.get(name, name) for name in batch.schema.names])
