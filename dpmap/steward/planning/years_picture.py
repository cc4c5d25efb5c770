"""Draws a plan for several seasons: one small chart of each season's epsilon and error, and a
page with all of the plan.
"""

import base64
import io
import os
from typing import Any

from dpmap import style
from dpmap.atomic_write import written_aside
from dpmap.errors import BadInput
from dpmap.steward.planning import years_text as wording
from dpmap.steward.planning.planned_years import PlannedYears, Way
from dpmap.steward.planning.report import PICTURES
from dpmap.templates import fill_page

MARKS = {"even": ("o", "-"), "decaying": ("s", "--"), "alternate": ("^", ":")}
"""Each way has a mark and a line of its own, so that no colour is needed to tell them apart."""


def write(plan: PlannedYears, path: "str | os.PathLike[str]") -> None:
    """Writes the plan as .html, .png, .svg or .pdf, by the suffix."""
    kind = kind_of(path)
    with written_aside(path) as aside:
        if kind == "html":
            aside.write_text(page(plan), encoding="utf-8")
        else:
            title = {"Title": wording.title(plan)} if kind != "svg" else None
            chart(plan).savefig(aside, dpi=150, format=kind, metadata=title)


def kind_of(path: "str | os.PathLike[str]") -> str:
    """Returns what is to be written, by the suffix; refuses what a plan is not written as."""
    kind = os.path.splitext(os.fspath(path))[1].lower().lstrip(".")
    if kind not in ("html", *PICTURES):
        raise BadInput("--to: a plan is written as plan.html, or as a picture .png, .svg or .pdf")
    return kind


def page(plan: PlannedYears) -> str:
    """Returns a whole page."""
    out = io.BytesIO()
    chart(plan).savefig(out, dpi=130, format="png")
    return fill_page(
        __package__,
        "years.html",
        plan=plan,
        title=wording.title(plan),
        basis=wording.basis(plan),
        columns=wording.COLUMNS,
        ways=[(wording.heading(way), wording.rows(way)) for way in plan.ways],
        reading=wording.reading(plan),
        picture=base64.b64encode(out.getvalue()).decode(),
        described=describe_chart(plan),
    )


def describe_chart(plan: PlannedYears) -> str:
    """Says what the chart shows, for those who do not see it."""
    ways = (
        f"{wording.heading(way)}, the first off by {style.number(way.seasons[0].cell_error or 0)}"
        f" points a cell, the last by {style.number(way.newest.cell_error or 0)}"
        for way in plan.ways
    )
    return f"Epsilon and error of each season's map. {'; '.join(ways)}."


def chart(plan: PlannedYears) -> Any:
    """Draws the epsilon of each season's map on the left, its error on the right, and below that
    the error with the stack.
    """
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    costs, errors = figure.subplots(1, 2)
    for way, colour in zip(
        plan.ways, (style.INK, style.hex_colour(0.75), style.hex_colour(0.4)), strict=True
    ):
        _draw(costs, errors, way, colour)
    costs.set_title("epsilon of the season's map", loc="left")
    errors.set_title(
        "points off a cell; thin: read with all before, if the shape stays", loc="left"
    )
    for ax in (costs, errors):
        ax.set_xlabel("season")
        ax.set_ylim(bottom=0)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.spines[["top", "right"]].set_visible(False)
    costs.legend(frameon=False)
    return figure


def _draw(costs: Any, errors: Any, way: Way, colour: str) -> None:
    """Draws one way: its maps joined by a line, the stack as a thin one."""
    mark, line = MARKS[way.scheme]
    made = [season for season in way.seasons if season.epsilon is not None]
    at = [one.season for one in made]
    look = {"marker": mark, "linestyle": line, "color": colour}
    costs.plot(
        at, [float(one.epsilon or 0) for one in made], label=wording.NAMES[way.scheme], **look
    )
    errors.plot(at, [one.cell_error for one in made], **look)
    errors.plot(
        [season.season for season in way.seasons],
        [season.stack_error for season in way.seasons],
        color=colour,
        linestyle=line,
        linewidth=0.8,
    )
