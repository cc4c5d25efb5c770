"""Checks whether a survey was read as intended, when hardly a row counts; for the operator's
screen.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from dpmap.engines.rows import BATCH, RowTable, UnitRows, single_number
from dpmap.engines.unit_spelling import people_in
from dpmap.errors import BadInput
from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.grid.layer_axes import Kinds
from dpmap.survey import Survey, dates
from dpmap.survey.cell_lookup import IMPOSSIBLE, OUTSIDE, cells
from dpmap.survey.column_roles import Roles
from dpmap.survey.columns import match
from dpmap.survey.place_parser import number
from dpmap.survey.row_sql import OWN
from dpmap.survey.sources import literal, quote_column

if TYPE_CHECKING:
    import pyarrow as pa

DATED = "dated in "
READ = "read as dates in "
"""Before the name of a column: how many rows hold something there, and of how many that is a
date as declared.
"""
FEW = 100
"""Fewer rows than these make one ask whether the survey was read as it was meant."""

DRAWN = r"^\s*(SRID\s*=\s*\d+\s*;)?\s*(MULTI)?(LINESTRING|POLYGON)\b"
"""How a text begins that is a line or an area as WKT."""


def check_intended(counted: int, ask: "Callable[[Question], Counter[str]]", survey: Survey) -> None:
    """Refuses a survey that was hardly read as it was meant, by what `ask` answers of all its rows;
    at most `FEW` of those `counted` need be told.
    """
    if survey.roles.reading.count is not None:
        _check_counts(ask(count_numbers), survey)
    if counted < FEW:
        _check_not_empty(counted, ask(glance), survey)


def _check_not_empty(counted: int, counts: "Counter[str]", survey: Survey) -> None:
    """Refuses a survey of which hardly a row counts if its places were read in a way that cannot be
    meant, if what a flag names stands in no row (a coordinate, a consent, a unit, a kind, a value,
    a place in the area), or if no row is selected.

    This depends on rows and is for the operator's screen: the promise page lists each.
    """
    _check_meant(counts, swapped=survey.roles.reading.swap)
    if counted or not counts["rows"]:
        return
    _check_dated(counts, survey)
    if not counts["selected"]:
        flag = "--from" if survey.roles.reading.rule is None else "--where"
        raise BadInput(
            f"{flag}: the survey has rows and none is selected; check columns, words and dates"
            " (dpmap inspect FILE counts who is left out)"
        )
    if counts["refusal"] and not counts["consent"]:
        raise BadInput(
            "--consent: no row holds one of these values there, though rows hold others; check the"
            " words, like --consent consent=yes,true (dpmap inspect FILE counts them)"
        )
    columns = [
        column for column in (survey.roles.x, survey.roles.y, survey.roles.geometry) if column
    ] or [place.cell for place in survey.roles.places]
    for column, axis in zip(columns, "xy", strict=False):
        if not counts[axis]:
            raise BadInput(
                f"place: no row of {column!r} holds a coordinate; name the columns with --x --y"
                " --crs"
            )
    if not counts["named"]:
        raise BadInput(
            "--unit: every row is blank or a placeholder there; name a column that is filled in, or"
            " --unit row"
        )
    _check_named(counts, survey)


def _check_dated(counts: "Counter[str]", survey: Survey) -> None:
    """Refuses a column of dates that is filled in and of which nothing is a date as declared."""
    for column in (key.removeprefix(DATED) for key in counts if key.startswith(DATED)):
        if counts[DATED + column] and not counts[READ + column]:
            raise BadInput(
                f"--dates: no row of {column!r} holds a date written as"
                f" {dates.join_forms(survey.roles.reading.forms)}; say how dates are written, like"
                " --dates dmy (dpmap inspect FILE counts how many rows each form reads)"
            )


def _check_named(counts: "Counter[str]", survey: Survey) -> None:
    """Refuses kinds that no row names though rows name others, a mean of texts, and an area in
    which no place lies.
    """
    if counts["other kinds"] and not counts["kinds"]:
        raise BadInput(
            "--kinds: no row names one of these kinds, though rows name others; check the column"
            " and the words"
        )
    if counts["texts"] and not counts["values"]:
        raise BadInput(
            f"--mean: no row of {survey.roles.reading.mean!r} holds a number; name a column of"
            " numbers, or leave --mean out"
        )
    if counts["placed"] and not counts["inside"]:
        raise BadInput(
            "--area: none of the survey's places lies in it; give the area that was surveyed"
            " (--area or --bounds), or say with --crs how the survey's coordinates are meant"
        )


def _check_counts(counts: "Counter[str]", survey: Survey) -> None:
    """Refuses a column of counts that holds texts and not one number: each row would count once, as
    if nobody had counted.

    Asked of every survey with a count, since its rows count all the same. It depends on rows and is
    for the operator's screen.
    """
    if counts["texts"] and not counts["values"]:
        raise BadInput(
            f"--count: no row of {survey.roles.reading.count!r} holds a number, though rows hold"
            " texts; name a column of numbers, or leave --count out, so that each row counts once"
        )


def _check_meant(counts: "Counter[str]", *, swapped: bool) -> None:
    """Refuses coordinates that would lie in the area, or on earth at all, only if they were read
    differently.
    """
    if counts["turned"] > 10 * counts["inside"]:
        mend = "leave --swap out" if swapped else "add --swap, or name them with --x and --y"
        raise BadInput(
            "place: longitude and latitude look swapped, as the rows fall in the area only the"
            f" other way round; {mend}"
        )
    if counts["degrees"] > 10 * counts["inside"]:
        raise BadInput(
            "crs: the rows fall in the area only if their coordinates are degrees, which the CRS"
            " they were read in has not; add --crs EPSG:4326 (--crs is the survey's own; a national"
            " grid for the cells is --grid-crs)"
        )
    if counts["surfaces"] > 10 * counts["placed"]:
        raise BadInput(
            "place: the survey's shapes are lines or areas, which have no place of their own; add"
            " --surface, and each counts at a point on it"
        )
    if counts["impossible"] > 10 * counts["placed"]:
        raise BadInput(
            "crs: the coordinates lie outside what their CRS can hold, as metres read as degrees"
            " do; name the right one, like --crs EPSG:27700, or mend the columns"
        )


def few(rows: UnitRows) -> int:
    """Returns how many rows count, up to `FEW`."""
    return (
        min(rows.row_count, FEW)
        if rows.units
        else single_number(rows.database, f"SELECT count(*) FROM (SELECT 1 FROM rows LIMIT {FEW})")
    )


def glance(rows: RowTable, grid: Grid) -> "Counter[str]":
    """Returns counts that explain why hardly a row counts; those of a survey's pieces and parts
    add up.
    """
    if rows.parts:
        return sum((glance(part, grid) for part in rows.parts), Counter[str]())
    named = rows.chosen.by_row or OWN in rows.chosen.unit or _anyone(rows)
    counts = Counter[str]({"named": int(named)})
    counts.update(_filled(rows))
    counts.update(_named_kinds(rows, grid))
    counts.update(_written_shapes(rows))
    counts.update(_numbers(rows, rows.chosen.roles.reading.mean))
    if rows.chosen.dated:
        counts.update(_dated(rows))
    counts.update(_where(rows, grid))
    return counts


def count_numbers(rows: RowTable, grid: Grid) -> "Counter[str]":  # noqa: ARG001  # a `Question`
    """Counts whether there are numbers, and whether there are texts, where counts stand."""
    return _numbers(rows, rows.chosen.roles.reading.count)


Question = Callable[[RowTable, Grid], "Counter[str]"]
"""What is asked of all rows: the answers of a survey's pieces and parts add up."""


def _filled(rows: RowTable) -> "Counter[str]":
    """Counts the rows, and those that have an x, have a y, consent, refuse and are selected by
    declared rules.
    """
    chosen = rows.chosen
    sides = [
        f"CASE WHEN {side} IS NOT NULL OR {chosen.shape or side} IS NOT NULL THEN 1 END"
        for side in (chosen.spot.x, chosen.spot.y)
    ]
    consent = (
        f"*) FILTER ({condition}" for condition in (chosen.consent, chosen.refused, chosen.selected)
    )
    columns = ", ".join(f"count({part})" for part in ("*", *sides, *consent))
    with rows.relation() as relation:
        counts = rows.database.execute(f"SELECT {columns} FROM {relation}").fetchall()[0]
    return Counter(
        dict(zip(("rows", "x", "y", "consent", "refusal", "selected"), counts, strict=True))
    )


def _named_kinds(rows: RowTable, grid: Grid) -> "Counter[str]":
    """Counts the rows that name a declared kind on every axis of kinds, and those that name
    another instead.
    """
    named = filled = "true"
    for axis in grid.axes:
        column = match(rows.chosen.columns, axis.column)
        if isinstance(axis, Kinds) and column is not None:
            text = f"lower(trim(CAST({quote_column(column)} AS VARCHAR)))"
            named += (
                f" AND {text} IN ({', '.join(f'lower({literal(name)})' for name in axis.names)})"
            )
            filled += f" AND {text} <> ''"
    if named == "true":
        return Counter()
    with rows.relation() as relation:
        query = (
            f"SELECT count(*) FILTER ({named}), count(*) FILTER ({filled} AND NOT ({named})) FROM"
            f" {relation}"
        )
        kinds, others = rows.database.execute(query).fetchall()[0]
    return Counter({"kinds": kinds, "other kinds": others})


def _written_shapes(rows: RowTable) -> "Counter[str]":
    """Counts the rows that hold a line or an area as text (WKT), which is no place unless it is
    asked for.
    """
    texts = [place.cell for place in rows.chosen.roles.ways if place.cell]
    if not texts or rows.chosen.roles.reading.surface:
        return Counter()
    drawn = [
        f"regexp_matches(CAST({quote_column(text)} AS VARCHAR), {literal(DRAWN)}, 'i')"
        for text in texts
    ]
    with rows.relation() as relation:
        return Counter(
            surfaces=single_number(
                rows.database, f"SELECT count(*) FROM {relation} WHERE {' OR '.join(drawn)}"
            )
        )


def _numbers(rows: RowTable, column: str | None) -> "Counter[str]":
    """Counts whether any row holds a number in a column, and whether any holds a text; looks no
    further than it must.
    """
    if column is None:
        return Counter()
    if rows.parts:
        return sum(
            (_numbers(part, part.chosen.roles.reading.count) for part in rows.parts), Counter[str]()
        )
    name = quote_column(match(rows.chosen.columns, column) or column)
    conditions = {
        "values": f"isfinite({number(name)})",
        "texts": f"trim(CAST({name} AS VARCHAR)) <> ''",
    }

    def any_row(condition: str) -> int:
        with rows.relation() as relation:
            return single_number(
                rows.database,
                f"SELECT count(*) FROM (SELECT 1 FROM {relation} WHERE {condition} LIMIT 1)",
            )

    return Counter({what: any_row(condition) for what, condition in conditions.items()})


def _dated(rows: RowTable) -> "Counter[str]":
    """Counts, for each column of dates, the rows that hold something there and those that hold a
    date as declared.
    """
    columns = list[str]()
    forms = rows.chosen.roles.reading.forms
    for text in (f"CAST({quote_column(column)} AS VARCHAR)" for column in rows.chosen.dated):
        columns += [
            f"count(*) FILTER (trim({text}) <> '')",
            f"count({dates.reckon_sql(text, forms)})",
        ]
    with rows.relation() as relation:
        counts = rows.database.execute(f"SELECT {', '.join(columns)} FROM {relation}").fetchall()[0]
    names = [mark + column for column in rows.chosen.dated for mark in (DATED, READ)]
    return Counter(dict(zip(names, counts, strict=True)))


def _anyone(rows: RowTable) -> bool:
    """Whether any row names anybody."""
    query = f"SELECT DISTINCT {rows.chosen.unit} FROM "
    with (
        rows.relation() as relation,
        rows.database.sql(query + relation).to_arrow_reader(BATCH) as distinct,
    ):
        texts = (
            text for batch in distinct for text in batch.column(0).to_pylist() if text is not None
        )
        return any(people_in(text, rows.chosen.team, joined=rows.chosen.joined) for text in texts)


def _where(rows: RowTable, grid: Grid) -> "Counter[str]":
    """Counts the rows that fall in the area, whoever they belong to, those that would if read
    otherwise (x and y swapped, or as degrees), those that have a place only as lines and areas, and
    those that lie nowhere on earth.
    """
    spot = rows.chosen.spot
    shape = rows.chosen.shape
    roles = rows.chosen.roles
    counts = Counter[str]()
    # where each row says its own CRS there is no other way to read them all
    row_crs = spot.crs != "NULL"
    otherwise, sign = _read_otherwise(roles)
    surfaces = replace(roles, reading=replace(roles.reading, surface=True))
    columns = (
        f"{spot.x} AS x, {spot.y} AS"
        f" y{f', {spot.crs} AS crs' if row_crs else ''}{f', {shape} AS shape' if shape else ''}"
    )
    with rows.relation() as relation:
        for batch in rows.database.sql(f"SELECT {columns} FROM {relation}").to_arrow_reader(BATCH):
            cell = cells(batch, roles, grid)
            counts += Counter(inside=int((cell >= 0).sum()), placed=int((cell >= OUTSIDE).sum()))
            if shape and not roles.reading.surface:
                counts["surfaces"] += int((cells(batch, surfaces, grid) >= OUTSIDE).sum())
            if not row_crs:
                counts["impossible"] += int((cell == IMPOSSIBLE).sum())
                counts[sign] += int(
                    (
                        cells(_turned(batch) if sign == "turned" else batch, otherwise, grid) >= 0
                    ).sum()
                )
    return counts


def _read_otherwise(roles: Roles) -> tuple[Roles, str]:
    """Returns another reading of the same columns that may have been meant: axes swapped, or
    degrees for metres.
    """
    if not crs_tools.is_lonlat(roles.crs):
        return replace(roles, crs=crs_tools.LONLAT), "degrees"
    return replace(roles, reading=replace(roles.reading, swap=not roles.reading.swap)), "turned"


def _turned(batch: "pa.RecordBatch") -> "pa.RecordBatch":
    """Returns the batch with x and y swapped."""
    swapped = {"x": "y", "y": "x"}
    return batch.rename_columns([swapped.get(name, name) for name in batch.schema.names])
