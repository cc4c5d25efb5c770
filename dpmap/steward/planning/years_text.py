"""Words a plan for several seasons, and lays it out in lines for a terminal."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from jinja2 import Environment

from dpmap.steward.planning.planned_years import PlannedYears, SeasonPlanned, Way
from dpmap.steward.planning.results import describe_cells
from dpmap.steward.planning.seasons import PATCH, zone_cells
from dpmap.style import number
from dpmap.templates import text_templates, unwrap

NAMES = {"even": "even", "decaying": "decaying", "alternate": "every second season"}
NONE = "-"
QUESTIONS = {
    "even": "A map every season, and what changed since the last one?",
    "alternate": "The sharpest maps, or how it goes over all seasons?",
    "decaying": "A decision that waits for the first map, or records that pile up?",
}
"""The question that each way of spending suits."""


def title(plan: PlannedYears) -> str:
    """Return the name of the plan."""
    return _passage("title", plan=plan, cells=describe_cells(plan.grid.cell_text))


def basis(plan: PlannedYears) -> str:
    """Return what the plan rests on."""
    return _passage("basis", plan=plan)


def reading(plan: PlannedYears) -> list[str]:
    """Return what the columns hold."""
    return _passage("reading", plan=plan).split("\n\n")


def advice(ways: Sequence[Way], zone: int) -> list[tuple[str, str, str, str]]:
    """Return what suits which question: the question, the scheme, why, and the line to type."""
    way_of = {way.scheme: way for way in ways}
    words = "one cell" if zone == 1 else f"a zone of {zone:,} cells"
    return [
        (
            question,
            scheme,
            _passage(scheme, way=way_of[scheme], even_way=way_of["even"], zone=words),
            way_of[scheme].command,
        )
        for scheme, question in QUESTIONS.items()
    ]


def _passage(name: str, **values: Any) -> str:
    """Return a passage of assets/years.md, a paragraph to a line."""
    texts = _templates().get_template("years.md").make_module(values)
    return unwrap(getattr(texts, name)()).rstrip("\n")


@cache
def _templates() -> Environment:
    environment = text_templates(__package__)
    environment.filters |= {
        "known": lambda value: 0.0 if value is None else value,
        "number": number,
    }
    environment.globals |= {"PATCH": PATCH, "zone_cells": zone_cells}
    return environment


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


def rows(way: Way) -> list[list[str]]:
    """Return each season of a way in words."""
    return [_row(season) for season in way.seasons]


def _row(season: SeasonPlanned) -> list[str]:
    epsilon = "no map" if season.epsilon is None else number(float(season.epsilon))
    values = (
        season.cell_error,
        season.stack_error,
        season.detect,
        season.change_patch,
        season.change_zone,
        season.change_whole,
        season.trend_whole,
    )
    cells = (NONE if value is None else number(value) for value in values)
    return [str(season.season), epsilon, *cells]


def heading(way: Way) -> str:
    """Return the name of a way, and how many maps it makes."""
    return f"{NAMES[way.scheme]}: {way.releases} map{'' if way.releases == 1 else 's'}"


def summary(plan: PlannedYears) -> str:
    """Return the plan in lines for a terminal."""
    lines = [title(plan), basis(plan), ""]
    for suited in plan.advice:
        lines += [f"{suited.question} {suited.words}", f"  {suited.command}", ""]
    return "\n".join([*lines, *_tables(plan), *reading(plan)])


def _tables(plan: PlannedYears) -> Iterator[str]:
    """Yield the lines of each way's table."""
    for way in plan.ways:
        yield heading(way)
        table = [list(COLUMNS), *rows(way)]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        for row in table:
            cells = (f"{word:>{width}}" for word, width in zip(row, widths, strict=True))
            yield "  " + "  ".join(cells)
        yield ""
