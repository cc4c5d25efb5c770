"""Draws a plan that a board can read: a page that fetches nothing, or a picture."""

import base64
import io
import math
import os
from typing import Any

import numpy as np

from dpmap import style
from dpmap.errors import BadInput
from dpmap.files import written_aside
from dpmap.grid import Grid
from dpmap.grid.squares import Squares
from dpmap.numbers import decimal_text
from dpmap.pages import filled
from dpmap.steward.planning.delivered import MOST_CELLS as STAND_IN
from dpmap.steward.planning.figures import (
    ANY,
    LANDS,
    ZONE_KM2,
    Expected,
    Figures,
    Option,
    Preview,
    Promised,
    Zone,
    named,
)

PICTURES = ("png", "svg", "pdf")
DARK = 0.42
"""Above this share the ramp is dark enough to be written on in white."""
PROMISE_HEAD = "What the map will show"
READERS_HEAD = "What each tier's map will show (epsilon)"
NOISE_HEAD = "What the noise does where every cell is measured by itself"
NAMES, OPTION = 60, 19
"""How wide names and options are on a terminal."""
KM2 = "km\N{SUPERSCRIPT TWO}"


def write(plan: Figures, path: "str | os.PathLike[str]") -> None:
    """Writes the plan as .html, .png, .svg or .pdf, by the suffix."""
    kind = os.path.splitext(os.fspath(path))[1].lower().lstrip(".")
    if kind not in ("html", *PICTURES):
        raise BadInput("--to: a plan is written as plan.html, or as a picture .png, .svg or .pdf")
    with written_aside(path) as aside:
        if kind == "html":
            aside.write_text(page(plan), encoding="utf-8")
        else:
            _poster(plan).savefig(
                aside, dpi=150, format=kind, metadata={"Title": _title(plan)} if kind != "svg" else None
            )


def page(plan: Figures) -> str:
    """Returns a whole page."""
    return filled(__package__, "plan.html", **_facts(plan))


def body(plan: Figures) -> str:
    """Returns the page's body, which a notebook shows too."""
    return filled(__package__, "body.html", **_facts(plan))


def _facts(plan: Figures) -> dict[str, Any]:
    """Returns what the templates are filled with."""
    return {
        "plan": plan,
        "title": _title(plan),
        "about": _about(plan),
        "basis": _basis(plan),
        "goals": goals_line(plan),
        "promise_head": PROMISE_HEAD + _about(plan),
        "promise_words": _promise_words(plan),
        "promise": promise_table(plan),
        "readers_head": READERS_HEAD,
        "readers_words": _readers_words(plan),
        "readers": readers_table(plan),
        "noise_head": NOISE_HEAD + _about(plan),
        "noise_rows": noise_rows(plan),
        "noise_words": _noise_words(plan),
        "options_words": _options_words(plan),
        "options": by_cell(plan.options),
        "expected_words": _expected_words(plan),
        "figures": [(_told(plan, preview), _strip(plan, preview)) for preview in plan.previews],
        "number": style.number,
        "option_words": _option,
        "percent": _percent,
        "shade": _shade,
        "ink": _ink,
    }


def summary(plan: Figures) -> str:
    """Returns the plan in lines for a terminal."""
    rows = by_cell(plan.options)
    heads = [option.epsilon for option in next(iter(rows.values()))]
    lands, promised = promise_table(plan)
    wide = max(len(words) for _, told in promised for words in (*lands, *told)) + 2
    lines = [
        _title(plan),
        _basis(plan),
        "",
        plan.advice,
        "",
        *_asked_lines(plan),
        f"{PROMISE_HEAD + _about(plan):<{NAMES}}" + "".join(f"{land:>{wide}}" for land in lands),
    ]
    lines += [f"  {name:<{NAMES - 2}}" + "".join(f"{words:>{wide}}" for words in told) for name, told in promised]
    lines += ["", _promise_words(plan), *_readers_lines(plan), "", NOISE_HEAD + _about(plan)]
    lines += [*(f"  {told:>18}  {name}" for name, told in noise_rows(plan)), "", _noise_words(plan), ""]
    lines += [f"share of points seen cell by cell{_about(plan)}{_lands(plan)}; * is recommended",
              f"  {'epsilon':>24}" + "".join(f"{head:>{OPTION}}" for head in heads)]  # fmt: skip
    for cell, options in rows.items():
        told = (f"{_option(o)}{'*' if o.chosen else ' '}" for o in options)
        lines.append(f"  {cell:>24}" + "".join(f"{words:>{OPTION}}" for words in told))
    lines += ["", f"  {'expected on':<22}{'strategy':<12}{'error a cell':>14}{'90 % within':>14}{'overlap':>10}"]
    lines += [
        f"  {row.shape:<22}{row.strategy:<12}{style.number(row.cell_error):>14}{style.number(row.cell_within):>14}{_percent(row.overlap):>10}"
        for row in plan.expected
    ]
    return "\n".join([*lines, *(["", plan.other_noise] if plan.other_noise else [])])


def goals_line(plan: Figures) -> str:
    """Says in one line which errors were asked for, whether each is kept, and which of them set epsilon; empty if none was."""
    if not plan.goals:
        return ""
    setting = [NAMED[goal.what] for goal in plan.goals if goal.sets_epsilon]
    found = f" Epsilon {decimal_text(plan.policy.epsilon)} is the least that keeps {'it' if len(plan.goals) == 1 else 'all'}"
    by = f"{found}, set by {' and '.join(setting)}." if setting else ""
    return f"Asked for. {' '.join(goal.words for goal in plan.goals)}{by}"


NAMED = {"error": "--error", "tail": "--tail", "detect": "--detect", "zones": "--zones"}


def _asked_lines(plan: Figures) -> list[str]:
    """Returns the errors asked for, each zone, and what the budget leaves, in lines for a terminal."""
    lines = [goals_line(plan), ""] if plan.goals else []
    if plan.zones:
        lines += [f"{'zone':<{NAMES}}{'expected':>12}{'90 % within':>14}{'of expected':>14}"]
        lines += [_zone_line(zone) for zone in plan.zones]
        lines += [""]
    return lines + ([plan.years.words, ""] if plan.years else [])


def _zone_line(zone: Zone) -> str:
    share = "-" if zone.share is None else _percent(zone.share)
    wide = "-" if zone.half_width is None else f"\N{PLUS-MINUS SIGN}{style.number(zone.half_width)}"
    told = f"  {zone.name:<{NAMES - 2}}{style.number(zone.expected):>12}{wide:>14}{share:>14}"
    return told + ("" if zone.kept else "  not kept")


def _title(plan: Figures) -> str:
    told = named(plan.grid.cell_text)
    cells = (
        f"{plan.grid.cells_inside:,} {told}"
        if told.startswith("cells")
        else f"{plan.grid.cells_inside:,} cells, {told}"
    )
    delta = "" if plan.policy.delta is None else f", delta {decimal_text(plan.policy.delta)}"
    loss = f"epsilon {decimal_text(plan.policy.epsilon)}"
    if plan.readers:
        tiers = ", ".join(f"{one.tier} {one.epsilon}" for one in plan.readers)
        loss = f"costs epsilon {plan.readers[-1].epsilon}, once, for tiers {tiers}"
    return f"Plan: {cells}, {loss}{delta}, {_cap(plan)}"


def _about(plan: Figures) -> str:
    """Returns for a table's heading whose map it is about, where there are several."""
    return f" ({plan.readers[0].tier}, the noisiest tier)" if plan.readers else ""


def _cap(plan: Figures) -> str:
    choice = plan.policy.cap_choice
    return f"cap {plan.policy.cap}" if choice is None else f"cap chosen privately, at most {plan.policy.cap}"


def _basis(plan: Figures) -> str:
    said = (
        f"No survey was read. Assumed: {plan.units:,} units of privacy ({plan.policy.unit}) with {plan.each:g} points each "
        "after the cap, a public guess."
    )
    if plan.policy.cap_choice is not None:
        said += (
            f" {decimal_text(plan.policy.choosing)} of epsilon goes to choosing the cap; all numbers are for the "
            f"largest it may become, {plan.policy.cap}."
        )
    return said


def promise_table(plan: Figures) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """Returns the kinds of land that ranges are promised for, and for each figure its name and its ranges in words."""
    lands = list(dict.fromkeys(one.land for one in plan.promise))
    rows = []
    for figure, (name, unit) in FIGURES.items():
        found = {one.land: one for one in plan.promise if one.figure == figure}
        rows.append((name, [_ranged(found[land], unit, about=land not in LANDS) for land in lands]))
    return lands, rows


FIGURES = {
    "places": ("places of which the colour is told", ""),
    "place_km2": ("half of the points in places of at most", f" {KM2}"),
    "within": ("half in places whose total is known within \N{PLUS-MINUS SIGN}", " %"),
    "single": ("points in places of one cell", " %"),
    "own_from": ("a cell is a place of its own from", " points"),
    "told": ("points in land whose colour is told", " %"),
}


def readers_table(plan: Figures) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """Returns the tiers, and for each figure its name and what it is on each tier's map, in words."""
    rows = [
        (
            name,
            [
                _ranged(one, unit, about=one.land not in LANDS)
                for reader in plan.readers
                for one in reader.promise
                if one.figure == figure
            ],
        )
        for figure, (name, unit) in FIGURES.items()
    ]
    alone = [f"\N{PLUS-MINUS SIGN}{style.number(reader.half_width)} points" for reader in plan.readers]
    return [f"{reader.tier} ({reader.epsilon})" for reader in plan.readers], [
        *rows,
        ("90 % interval of a cell measured by itself", alone),
    ]


def _readers_lines(plan: Figures) -> list[str]:
    """Returns the tiers' table in lines for a terminal; none where the map is for one reader."""
    if not plan.readers:
        return []
    names, rows = readers_table(plan)
    wide = max(len(words) for words in (*names, *(words for _, told in rows for words in told))) + 2
    lines = ["", f"{READERS_HEAD:<{NAMES}}" + "".join(f"{name:>{wide}}" for name in names)]
    lines += [f"  {name:<{NAMES - 2}}" + "".join(f"{words:>{wide}}" for words in told) for name, told in rows]
    return [*lines, "", _readers_words(plan)]


def _readers_words(plan: Figures) -> str:
    """Says what the tiers' maps have in common and in what they differ."""
    if not plan.readers:
        return ""
    noisiest, *finer = plan.readers
    less = [
        f"{_whose(one.tier)} noise is {style.number(noisiest.half_width / one.half_width)} times smaller than {_whose(noisiest.tier)}"
        for one in finer
    ]
    return (
        f"All tiers are made from one draw, which costs epsilon {finer[-1].epsilon}, once. Whoever holds several can learn no more than the "
        f"finest of them tells. {'; '.join(less)}. All maps have the same regions, which {noisiest.tier} settles: where many regions are "
        f"large, a finer map is coarser than one of its own would be. All other tables of this plan are about {noisiest.tier}."
    )


def _whose(name: str) -> str:
    """Returns the name as an owner's."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def _ranged(one: Promised, unit: str, *, about: bool) -> str:
    """Returns a range in words."""
    if one.low is None:
        return "none has"
    times = 100 if unit == " %" else 1
    least = 1.0 if one.figure == "places" else 0.0
    low = _rounded(one.low * times, least, up=False)
    high = None if one.high is None else _rounded(one.high * times, least, up=True)
    if one.figure == "within" and one.low < SMALL and high is not None and not about:
        return f"{high}{unit} or less"
    words = f"{low}{unit} or more" if high is None else f"{low}{unit}" if low == high else f"{low} to {high}{unit}"
    if not about or one.middle is None or low == high:
        return words
    return f"about {style.number(float(f'{one.middle * times:.2g}'))}{unit} ({words})"


SMALL = 0.05
"""Whoever's intervals are narrower than this share need not know how much."""


def _rounded(value: float, least: float, *, up: bool) -> str:
    """Rounds a bound outwards, to two figures, in steps of `least` at least."""
    if value == 0:
        return "0"
    step = max(10.0 ** (math.floor(math.log10(value)) - 1), least)
    return f"{(math.ceil if up else math.floor)(round(value / step, 6)) * step:,.12g}"


def _promise_words(plan: Figures) -> str:
    words = (
        "The picture shows places: cells joined until the colour of each can be told, by a 90 % interval of its density that reaches from "
        "one value to four times that (to sixteen, where a place stands apart from all around it), or lies below half of the mean. Places below "
        "an eighth of the mean are nearly empty and not counted here. "
    )
    if any(one.land in LANDS for one in plan.promise):
        words += (
            f"Each range is that of {len(plan.shown)} invented shapes of land, one rehearsal of each with the true noise, and somewhat more: "
            "nine maps in ten of any other land should lie in the first column. If you can say how the points lie, read further: "
            "half of them fill less than 1 % of the ground (gathered), up to 5 % (uneven), or more (even)."
        )
        if plan.grid.cells_inside > STAND_IN:
            words += f" Rehearsed on a square of {STAND_IN:,} such cells, with as many points to a cell."
        return words
    return words + (
        f"{len(plan.shown)} rehearsals with the true noise on {plan.shown[0].shape}: half of them reach what is said first, all lie "
        "in the range behind it. It holds if the points lie as the raster has them."
    )


def _options_words(plan: Figures) -> str:
    alike = ", ".join(ALIKE) if plan.options[0].lands else ""
    return (
        "About what share of all points would be seen cell by cell, in places of one cell; the others are seen in places of several. "
        + (f"In the middle one of all shapes, and in brackets of those whose points lie {alike}. " if alike else "")
        + "A finer cell shows more single places and fewer of the points in them; a larger epsilon shows more and protects less. "
        f"The column of your epsilon is {decimal_text(plan.policy.epsilon)}."
    )


def _lands(plan: Figures) -> str:
    """Returns what the brackets of the table of options hold."""
    return f": the middle one of all shapes ({', '.join(ALIKE)})" if plan.options[0].lands else ""


def _option(option: Option) -> str:
    """Returns the share in the middle one of all shapes, and of those that lie alike."""
    found = (f"{100 * option.lands[land]:.0f}" if land in option.lands else "\N{EN DASH}" for land in ALIKE)
    return _percent(option.single) + (f" ({', '.join(found)})" if option.lands else "")


ALIKE = [land for land in LANDS if land != ANY]


def _expected_words(plan: Figures) -> str:
    runs = min(row.rehearsals for row in plan.expected)
    return (
        f"Averages of {runs} or more rehearsals with the true noise on public numbers. Overlap: the share of the map that lies "
        "where it should. Small maps: darker is more. The cap's own effect on heavy contributors is not in these numbers."
    )


def _noise_words(plan: Figures) -> str:
    if plan.policy.delta is not None:
        return "Gaussian noise is for --strategy flat, in which every cell is measured like that."
    from dpmap.strategies.adaptive import THINLY

    return (
        "The strategy flat measures like that. The default, adaptive, spends part of epsilon on larger regions: its maps "
        "are mostly nearer the truth, as the rehearsals below show, while the bounds of a cell measured by itself are up to "
        f"{float(1 / THINLY.last_share):.1f} times as wide as here. So its picture joins cells to places, whose intervals are above."
    )


def noise_rows(plan: Figures) -> list[tuple[str, str]]:
    """Returns what the noise alone does to cells measured by themselves, as pairs of words."""
    noise, number = plan.noise, style.number
    zone = f"{ZONE_KM2:g} {KM2}" if noise.zone_km2 == ZONE_KM2 else f"one cell ({number(noise.zone_km2)} {KM2})"
    return [
        *([] if plan.policy.delta is not None else [("Noise scale (mean error of a cell)", f"{number(noise.scale)} points")]),
        ("Standard error", f"{number(noise.standard_error)} points"),
        *((f"{key} % of cells within", f"\N{PLUS-MINUS SIGN}{number(width)} points") for key, width in noise.cell.items()),
        *((f"{key} % of zones of {zone} within", f"\N{PLUS-MINUS SIGN}{number(width)} points")
          for key, width in noise.zone.items()),
        ("Smallest cell total that can be told from noise", f"about {number(noise.detectable)} points"),
        *_on_devices(plan),
    ]  # fmt: skip


def _on_devices(plan: Figures) -> list[tuple[str, str]]:
    """Returns the price of trusting nobody; empty if that cannot be had."""
    if plan.on_devices is None:
        return []
    times = style.number(plan.on_devices / plan.noise.standard_error)
    told = f"{style.number(plan.on_devices)} points ({times} times)"
    return [("Standard error if nobody is trusted (dpmap local)", told)]


def by_cell(options: tuple[Option, ...]) -> dict[str, list[Option]]:
    """Groups the options by cell size, fine to coarse."""
    rows: dict[str, list[Option]] = {}
    for option in options:
        rows.setdefault(option.cell, []).append(option)
    return rows


def _shade(option: Option) -> str:
    return style.hex_colour(option.single * 0.8)


def _ink(option: Option, light: str, dark: str) -> str:
    return light if option.single > DARK else dark


def _percent(share: float) -> str:
    return f"{share:.0%}".replace("%", " %")


def _of(plan: Figures, preview: Preview) -> list[Expected]:
    return [row for row in plan.expected if row.shape == preview.shape]


def _told(plan: Figures, preview: Preview) -> str:
    parts = [
        f"{row.strategy} is off by {style.number(row.cell_error)} points a cell, and {_percent(row.overlap)} of its map lies where it should"
        for row in _of(plan, preview)
    ]
    return (
        f"{preview.shape}: a public shape (left), a rehearsed map of it as its picture shows it, in places, and others cell by cell. "
        f"On average, cell by cell, {'; '.join(parts)}."
    )


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
    found = preview.truth[grid.inside]
    top = max(float(np.quantile(found[found > 0], 0.98)) if (found > 0).any() else 1.0, 1.0)
    ax.set_title("public shape" if name == "truth" else name, fontsize=9)
    ax.set_axis_off()
    if isinstance(grid.cells, Squares):
        west, south, east, north = grid.cells.bounds
        ax.imshow(values, extent=(west, east, south, north), cmap=colours, vmin=0, vmax=top, interpolation="nearest")
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

    heights = (2.4 + 0.35 * math.ceil(len(goals_line(plan)) / 150), 2.6, 4.1, 2.6 * -(-len(plan.previews) // 2))
    figure = Figure(figsize=(15, sum(heights)), layout="constrained")
    panels: Any = figure.subfigures(4, 1, height_ratios=heights)
    _words(panels[0], plan)
    lands, rows = promise_table(plan)
    sizes = (0.32, *[min(0.68 / len(lands), 0.3)] * len(lands))
    _sheet(panels[1], PROMISE_HEAD + _about(plan), [[name, *told] for name, told in rows], ["", *lands], sizes)
    left, right = panels[2].subfigures(1, 2, width_ratios=(1, 1.45))
    _sheet(left, NOISE_HEAD + _about(plan), [list(row) for row in noise_rows(plan)], None, (0.69, 0.31))
    _options_sheet(right, plan)
    _rehearsals(panels[3], plan)
    return figure


def _options_sheet(panel: Any, plan: Figures) -> None:
    """Draws the table of cell sizes and epsilons, shaded by what is seen cell by cell."""
    rows = by_cell(plan.options)
    table = [
        [
            cell.replace("hexagons (H3 resolution", "H3 (resolution"),
            *(_option(o) for o in options),
        ]
        for cell, options in rows.items()
    ]
    heads = ["cells", *(f"epsilon {option.epsilon}" for option in next(iter(rows.values())))]
    widths = (0.15, *(0.85 / (len(heads) - 1) for _ in heads[1:]))
    drawn = _sheet(panel, f"Share of points seen cell by cell{_about(plan)}{_lands(plan)}", table, heads, widths)
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
        expected = {row.strategy: row for row in _of(plan, preview)}
        for j, name in enumerate(["truth", *preview.maps]):
            ax = axes[i // 2, (i % 2) * wide + j]
            _draw(ax, plan.grid, preview, name)
            title = preview.shape
            if name in expected:
                row = expected[name]
                title = f"{name}: error {style.number(row.cell_error)} a cell,\noverlap {_percent(row.overlap)}"
            ax.set_title(title, fontsize=9)


def _words(panel: Any, plan: Figures) -> None:
    """Returns the title, the advice and its basis."""
    import textwrap

    advice = "\n".join(textwrap.wrap(f"{plan.advice} {goals_line(plan)}".strip(), 150))
    basis = "\n".join(
        textwrap.wrap(f"{_basis(plan)} {_promise_words(plan) if plan.policy.delta is None else plan.other_noise}", 185)
    )
    panel.text(0.01, 0.92, _title(plan), fontsize=17, fontweight="bold", va="top")
    panel.text(0.01, 0.72, advice, fontsize=12, va="top")
    panel.text(0.01, 0.04, basis, fontsize=10, va="bottom", color=style.INK)


def _sheet(panel: Any, title: str, rows: list[list[str]], heads: list[str] | None, widths: tuple[float, ...]) -> Any:
    """Draws a table under a title."""
    ax = panel.subplots()
    ax.set_axis_off()
    ax.set_title(title, fontsize=12, fontweight="bold", loc="left")
    drawn = ax.table(rows, colLabels=heads, colWidths=widths, loc="upper left", cellLoc="left")
    drawn.auto_set_font_size(False)
    drawn.set_fontsize(10)
    drawn.scale(1, 1.7)
    return drawn
