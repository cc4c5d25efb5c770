"""Fills in the passages of a plan, which its terminal, page and picture share."""

import math
from functools import cache

from jinja2 import Environment

from dpmap import style
from dpmap.numbers import decimal_text
from dpmap.statement.phrases import (
    SURVEY_CHANCE,
    count_words,
    list_words,
    share_words,
    survey_words,
)
from dpmap.steward.planning.plan_tables import (
    ALIKE,
    KM2,
    option_words,
    percent_words,
    range_words,
)
from dpmap.steward.planning.predicted_map import MOST_CELLS
from dpmap.steward.planning.results import LANDS, Figures
from dpmap.templates import text_templates, unwrap

GOAL_FLAGS = {"error": "--error", "tail": "--tail", "detect": "--detect", "zones": "--zones"}
PASSAGES = (
    *("title", "brief", "goals", "basis", "promise_head", "promise", "readers_head", "readers"),
    *(
        "noise_head",
        "noise",
        "survey_cost",
        "options",
        "options_head",
        "lands",
        "rehearsed",
        "whose_map",
    ),
)
"""The macros of assets/plan.md."""


def fill_passages(plan: Figures) -> dict[str, str]:
    """Return each passage by its name, a paragraph to a line."""
    first_land = plan.promise[0].land
    promise = {row.figure: row for row in plan.promise if row.land == first_land}
    about = first_land not in LANDS
    texts = (
        _templates()
        .get_template("plan.md")
        .make_module(
            {
                "plan": plan,
                "places": range_words(promise["places"], "", about=about),
                "place_size": range_words(promise["place_km2"], f" {KM2}", about=about),
                "cleared": promise["cleared"],
                "of_any_land": any(row.land in LANDS for row in plan.promise),
                "goals_set": [GOAL_FLAGS[goal.what] for goal in plan.goals if goal.sets_epsilon],
                # rounded up, to two digits behind the point
                "adaptive_times": f"{math.ceil(round(plan.adaptive_times * 100, 6)) / 100:g}",
                "survey_words": survey_words(
                    plan.grid, lambda cells, points: plan.noise.variance(cells)
                ),
                "adaptive_shares": [
                    f"{share_words(row.adaptive)} ({row.points:,} points)"
                    for row in plan.survey_shares
                ],
                "example": next((row for row in plan.options if row.chosen), plan.options[0]),
            }
        )
    )
    return {name: unwrap(getattr(texts, name)()).rstrip("\n") for name in PASSAGES}


@cache
def _templates() -> Environment:
    """Return the reader of the passages, with the words that they share."""
    environment = text_templates(__package__)
    environment.filters |= {
        "count": count_words,
        "exact": decimal_text,
        "listed": list_words,
        "number": style.number,
        "option": option_words,
        "owner": lambda name: f"{name}'" if name.endswith("s") else f"{name}'s",
        "percent": percent_words,
    }
    environment.globals |= {
        "ALIKE": ALIKE,
        "MOST_CELLS": MOST_CELLS,
        "SURVEY_CHANCE": SURVEY_CHANCE,
    }
    return environment
