"""Draws a plan that a board can read: a page that fetches nothing, or a picture."""

import base64
import io
import math
import os
import textwrap
from typing import Any

import numpy as np

from dpmap import style
from dpmap.atomic_write import written_aside
from dpmap.errors import BadInput
from dpmap.grid import Grid
from dpmap.grid.squares import Squares
from dpmap.statement.phrases import official_words
from dpmap.steward.planning import plan_tables
from dpmap.steward.planning.plan_passages import fill_passages
from dpmap.steward.planning.results import (
    CellSizeOption,
    Figures,
    Preview,
)
from dpmap.templates import fill_page

PICTURES = ("png", "svg", "pdf")
DARK = 0.42
"""Above this share the ramp is dark enough to be written on in white."""


def write(plan: Figures, path: "str | os.PathLike[str]") -> list[tuple[str, str]]:
    """Writes the plan as .html, .png, .svg or .pdf, by the suffix; returns the small pictures of
    the page, each as its words and the base64 of a png.
    """
    kind = os.path.splitext(os.fspath(path))[1].lower().lstrip(".")
    if kind not in ("html", *PICTURES):
        raise BadInput("--to: a plan is written as plan.html, or as a picture .png, .svg or .pdf")
    facts = _facts(plan) if kind == "html" else {"figures": []}
    with written_aside(path) as aside:
        if kind == "html":
            aside.write_text(fill_page(__package__, "plan.html", **facts), encoding="utf-8")
        else:
            _poster(plan).savefig(
                aside,
                dpi=150,
                format=kind,
                metadata={"Title": fill_passages(plan)["title"]} if kind != "svg" else None,
            )
    pictures: list[tuple[str, str]] = facts["figures"]
    return pictures


def page(plan: Figures) -> str:
    """Returns a whole page."""
    return fill_page(__package__, "plan.html", **_facts(plan))


def body(plan: Figures) -> str:
    """Returns the page's body, which a notebook shows too."""
    return fill_page(__package__, "body.html", **_facts(plan))


def _facts(plan: Figures) -> dict[str, Any]:
    """Returns what the templates are filled with."""
    return {
        "plan": plan,
        "passages": fill_passages(plan),
        "coded": official_words(plan.grid),
        "promise": plan_tables.promise_table(plan),
        "readers": plan_tables.readers_table(plan),
        "noise_rows": plan_tables.noise_rows(plan),
        "options": plan_tables.by_cell(plan.options),
        "figures": [
            (plan_tables.preview_words(plan, preview), _strip(plan, preview))
            for preview in plan.previews
        ],
        "number": style.number,
        "option_words": plan_tables.option_words,
        "percent": plan_tables.percent_words,
        "shade": _shade,
        "ink": _ink,
    }


def _shade(option: CellSizeOption) -> str:
    return style.hex_colour(option.single * 0.8)


def _ink(option: CellSizeOption, light: str, dark: str) -> str:
    return light if option.single > DARK else dark


def _strip(plan: Figures, preview: Preview) -> str:
    """Draws one shape and its maps side by side, as base64 of a png."""
    from matplotlib.figure import Figure

    names = ["truth", *preview.maps]
    figure = Figure(figsize=(3.0 * len(names), 3.0), layout="constrained")
    for ax, name in zip(figure.subplots(1, len(names), squeeze=False)[0], names, strict=True):
        _draw(ax, plan.grid, preview, name)
    out = io.BytesIO()
    figure.savefig(out, dpi=110, format="png")
    return base64.b64encode(out.getvalue()).decode()


def _draw(ax: Any, grid: Grid, preview: Preview, name: str) -> None:
    """Draws one small map; all maps of one shape share their colours."""
    from matplotlib.colors import LinearSegmentedColormap

    colours = LinearSegmentedColormap.from_list("dpmap", list(style.RAMP))
    values = preview.truth if name == "truth" else preview.maps[name]
    inside_values = preview.truth[grid.inside]
    top = max(
        float(np.quantile(inside_values[inside_values > 0], 0.98))
        if (inside_values > 0).any()
        else 1.0,
        1.0,
    )
    ax.set_title("public shape" if name == "truth" else name, fontsize=9)
    ax.set_axis_off()
    if isinstance(grid.cells, Squares):
        west, south, east, north = grid.cells.bounds
        ax.imshow(
            values,
            extent=(west, east, south, north),
            cmap=colours,
            vmin=0,
            vmax=top,
            interpolation="nearest",
        )
    else:
        from matplotlib.collections import PolyCollection

        ax.add_collection(
            PolyCollection(
                _outlines(grid),
                array=values[grid.inside],
                cmap=colours,
                clim=(0, top),
                edgecolors="face",
                linewidths=0.2,
            )
        )
        ax.autoscale_view()
        ax.set_aspect("equal")


def _outlines(grid: Grid) -> list[Any]:
    """Returns the outer ring of each cell's largest part."""
    import shapely

    largest = (max(shapely.get_parts(cell), key=shapely.area) for cell in grid.polygons())
    return [shapely.get_coordinates(shapely.get_exterior_ring(part)) for part in largest]


def _poster(plan: Figures) -> Any:
    """Draws one sheet: the advice, the numbers, the two tables, and the rehearsals."""
    from matplotlib.figure import Figure

    passages = fill_passages(plan)
    heights = (
        2.4 + 0.35 * math.ceil(len(passages["goals"]) / 150),
        2.6,
        5.2,
        2.6 * -(-len(plan.previews) // 2),
    )
    figure = Figure(figsize=(15, sum(heights)), layout="constrained")
    panels: Any = figure.subfigures(4, 1, height_ratios=heights)
    _words(panels[0], plan, passages)
    lands, rows = plan_tables.promise_table(plan)
    sizes = (0.32, *[min(0.68 / len(lands), 0.3)] * len(lands))
    _sheet(
        panels[1],
        passages["promise_head"],
        [[name, *ranges] for name, ranges in rows],
        ["", *lands],
        sizes,
    )
    left, right = panels[2].subfigures(1, 2, width_ratios=(1, 1.45))
    _sheet(
        left,
        textwrap.fill(passages["noise_head"], 56),
        [list(row) for row in plan_tables.noise_rows(plan)],
        None,
        (0.69, 0.31),
    )
    _options_sheet(right, plan, passages)
    _rehearsals(panels[3], plan)
    return figure


def _options_sheet(panel: Any, plan: Figures, passages: dict[str, str]) -> None:
    """Draws the table of cell sizes and epsilons, shaded by what is seen cell by cell."""
    rows = plan_tables.by_cell(plan.options)
    table = [
        [
            cell.replace("hexagons (H3 resolution", "H3 (resolution"),
            *(plan_tables.option_words(o) for o in options),
        ]
        for cell, options in rows.items()
    ]
    heads = ["cells", *(f"epsilon {option.epsilon}" for option in next(iter(rows.values())))]
    widths = (0.15, *(0.85 / (len(heads) - 1) for _ in heads[1:]))
    drawn = _sheet(
        panel,
        f"Share of points seen cell by cell {passages['whose_map']}".rstrip() + passages["lands"],
        table,
        heads,
        widths,
    )
    for i, options in enumerate(rows.values(), start=1):
        for j, option in enumerate(options, start=1):
            drawn[i, j].set_facecolor(_shade(option))
            drawn[i, j].get_text().set_color(_ink(option, "white", style.INK))
            drawn[i, j].get_text().set_fontweight("bold" if option.chosen else "normal")
            drawn[i, j].set_linewidth(2.5 if option.chosen else 0.6)
            drawn[i, j].set_zorder(3 if option.chosen else 2)


def _rehearsals(panel: Any, plan: Figures) -> None:
    """Draws two shapes a row, each with every strategy's map of it."""
    wide = 1 + len(plan.previews[0].maps)
    axes = panel.subplots(-(-len(plan.previews) // 2), 2 * wide, squeeze=False)
    for ax in axes.ravel():
        ax.set_axis_off()
    for i, preview in enumerate(plan.previews):
        expected = {row.strategy: row for row in plan_tables.expected_of(plan, preview)}
        for j, name in enumerate(["truth", *preview.maps]):
            ax = axes[i // 2, (i % 2) * wide + j]
            _draw(ax, plan.grid, preview, name)
            title = preview.shape
            if name in expected:
                row = expected[name]
                title = (
                    f"{name}: error {style.number(row.cell_error)} a cell,\noverlap"
                    f" {plan_tables.percent_words(row.overlap)}"
                )
            ax.set_title(title, fontsize=9)


def _words(panel: Any, plan: Figures, passages: dict[str, str]) -> None:
    """Write the title, the advice and its basis."""
    advice = textwrap.fill(f"{plan.advice} {passages['goals']}".strip(), 150)
    promise = passages["promise"] if plan.policy.delta is None else plan.other_noise
    basis = textwrap.fill(f"{passages['basis']} {promise}", 185)
    panel.text(0.01, 0.92, passages["title"], fontsize=17, fontweight="bold", va="top")
    panel.text(0.01, 0.72, advice, fontsize=12, va="top")
    panel.text(0.01, 0.04, basis, fontsize=10, va="bottom", color=style.INK)


def _sheet(
    panel: Any,
    title: str,
    rows: list[list[str]],
    heads: list[str] | None,
    widths: tuple[float, ...],
) -> Any:
    """Draws a table under a title."""
    ax = panel.subplots()
    ax.set_axis_off()
    ax.set_title(title, fontsize=12, fontweight="bold", loc="left")
    drawn = ax.table(rows, colLabels=heads, colWidths=widths, loc="upper left", cellLoc="left")
    drawn.auto_set_font_size(False)
    drawn.set_fontsize(10)
    drawn.scale(1, 1.7)
    return drawn
