"""Draws the static map, for print and for notebooks.

`draw` puts a map on any Axes, its own or yours, and returns it: zoom it, annotate it, save it as
you would any other. Colours, limits and breaks come from the release; the background comes from the
package; nothing is fetched and no global setting is touched.
"""

import os
from collections.abc import Sequence
from dataclasses import replace
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpmap import style
from dpmap.atomic_write import written_aside
from dpmap.errors import BadInput
from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.inference import RATE, Estimate
from dpmap.maps import read_map
from dpmap.maps.totals import SURROUNDINGS
from dpmap.record import Record
from dpmap.render import basemap, layout, legend_scalebar
from dpmap.render import natural_earth as background
from dpmap.render.cell_drawing import (
    HATCH,
    OUTLINED_CELLS,
    draw_cells,
    outline,
    outline_blocks,
    part_places,
)
from dpmap.render.colouring import HotSpots, Painting, View, paint, share_classes
from dpmap.render.map_frame import MapFrame
from dpmap.render.typeface import package_typeface
from dpmap.render.user_layers import Context, read_once, titles
from dpmap.render.user_layers import read_layers as read_own
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import BLOCKS, EVERY_CELL, MANY_PLACES, PLACES, VAGUE, clean, noun

if TYPE_CHECKING:
    import matplotlib.axes
    import matplotlib.figure

FORMATS = ("png", "svg", "pdf")
TALLEST = 7.5
MOST_MULTIPLES = 36
MOST_COLUMNS = 6
HOTSPOT = "#0b6e4f"
NOTE = 30
"""Characters in a line of the column's notes."""


def draw(
    record: Record,
    estimate: Estimate,
    *,
    ax: Any = None,
    crs: Any = None,
    figsize: Any = None,
    **options: Any,
) -> "matplotlib.axes.Axes":
    """Draw the map on `ax`, or on a new pyplot figure of `figsize` inches, and return the Axes;
    `crs` is what its axes measure in, the grid's own unless given. Takes the options of a `View`.
    """
    view = View(**options)
    if ax is not None:
        _draw_on(ax, record, estimate, view, crs)
        return ax  # type: ignore[no-any-return]
    import matplotlib.pyplot as plt

    with package_typeface():
        new = plt.figure().add_subplot()
        _draw(new, record, estimate, view, has_layers=True, crs=crs, size=figsize)
    return new


def draw_layers(
    layers: Sequence[tuple[Record, Estimate]], axes: Sequence[Any], crs: Any = None, **options: Any
) -> None:
    """Draw each layer on Axes of the reader's own, in the same classes, with one legend at the
    right.
    """
    record = layers[0][0]
    parts = [(record, estimate, View(**options)) for record, estimate in layers]
    paintings = [paint(*part) for part in parts]
    views = share_classes(record, paintings, [view for _, _, view in parts])
    is_overlaid = all(_is_taken(ax) for ax in axes)
    drawn = []
    for ax, (layer, estimate), view in zip(axes, layers, views, strict=True):
        alone = replace(view, title="", legend=False, notes=False)
        drawn.append(_draw_on(ax, layer, estimate, alone, crs, subtitled=False))
        name = ", ".join(layer.about.layer) if view.title is None else view.title
        ax.set_title(legend_scalebar.plain(name), loc="left", fontsize="small", parse_math=False)
    corner = max(axes, key=lambda ax: tuple(np.round(ax.get_position(original=True).max, 3)))
    if views[0].legend:
        parts_drawn = _column(record, _speaking_for(drawn), _above(views[0]), ())
        legend_scalebar.column(corner, parts_drawn)
    context = False if is_overlaid else views[0].context
    layout.settle_row(axes, corner, _footer(record, context) if views[0].notes else "")


def _is_taken(ax: Any) -> bool:
    """Whether Axes hold data, or have limits that were set."""
    return bool(ax.has_data() or not (ax.get_autoscalex_on() and ax.get_autoscaley_on()))


def _draw_on(
    ax: Any,
    record: Record,
    estimate: Estimate,
    view: View,
    crs: Any,
    *,
    subtitled: bool = True,
) -> Painting:
    """Draw on Axes of the reader's own; those that are taken keep their limits, ticks and
    ground.
    """
    if not _is_taken(ax):
        return _draw(ax, record, estimate, view, has_layers=False, crs=crs, subtitled=subtitled)
    across = ax.get_xlim()
    up = ax.get_ylim()
    if view.context is True:
        view = replace(view, context=False)
    frame = _frame(record.grid, view.context, projected=False, crs=crs)
    west, south, east, north = frame.box
    if max(across) < west or min(across) > east or max(up) < south or min(up) > north:
        raise BadInput(
            f"ax: nothing of the map lies in its limits, as {crs_tools.name(frame.crs)}; say which"
            ' CRS its axes have, like crs="EPSG:3857"'
        )
    painting = _draw(ax, record, estimate, view, has_layers=False, crs=crs, overlaid=True)
    ax.set_xlim(across, auto=None)
    ax.set_ylim(up, auto=None)
    return painting


@package_typeface()
def panels(
    record: Record,
    estimate: Estimate,
    what: Sequence[str] = ("low", "estimate", "high"),
    **options: Any,
) -> "matplotlib.figure.Figure":
    """Draw several views of one release side by side on a new pyplot figure, in the same classes
    and with one legend.

    Takes the other options of `draw`.
    """
    import matplotlib.pyplot as plt

    parts = [(record, estimate, View(what=name, **options)) for name in what]
    figure = plt.figure()
    _side_by_side(figure, parts, rows=1, heading=record.title)
    return figure


@package_typeface()
def multiples(
    layers: Sequence[tuple[Record, Estimate]],
    figure: "matplotlib.figure.Figure",
    *,
    crs: Any = None,
    figsize: Any = None,
    **options: Any,
) -> "matplotlib.figure.Figure":
    """Draw every layer of a release on one figure, in the same classes and with one legend; takes
    the options of `draw`.

    The last axis, time where there is one, runs to the right.
    """
    _draw_layers(layers, figure, options, projected=False, crs=crs, size=figsize)
    return figure


def _draw_layers(
    layers: Sequence[tuple[Record, Estimate]],
    figure: "matplotlib.figure.Figure",
    options: dict[str, Any],
    *,
    projected: bool,
    crs: Any = None,
    size: Any = None,
) -> None:
    """Draw every layer on one figure."""
    if len(layers) > MOST_MULTIPLES:
        raise BadInput(
            f"a picture holds at most {MOST_MULTIPLES} layers; draw some of them, each by its name"
        )
    record = layers[0][0]
    names = [list(layer.about.layer) for layer, _ in layers]
    across = len({name[-1] for name in names}) if len(names[0]) > 1 else 0
    rows = len(names) // across if 0 < across <= MOST_COLUMNS else None
    parts = [
        (layer, estimate, View(**{**options, "title": ", ".join(name)}))
        for (layer, estimate), name in zip(layers, names, strict=True)
    ]
    heading = options.get("title") or record.heading
    _side_by_side(
        figure, parts, rows=rows, heading=heading, projected=projected, crs=crs, size=size
    )


def _side_by_side(
    figure: "matplotlib.figure.Figure",
    parts: Sequence[tuple[Record, Estimate, View]],
    *,
    rows: int | None,
    heading: str,
    projected: bool = False,
    crs: Any = None,
    size: Any = None,
) -> None:
    """Draw maps in rows on one page, in the same classes, with one legend for all; `rows` is a
    number of them, if it matters, and `size` that of the page in inches.
    """
    paintings = [paint(*part) for part in parts]
    record = parts[0][0]
    views = share_classes(record, paintings, [view for _, _, view in parts])
    context = read_once(views[0].context, record.grid)
    views = [replace(view, context=context) for view in views]
    frame = _frame(record.grid, context, projected=projected, crs=crs)
    plan = layout.MapSheet.arrange(len(parts), frame.shape, rows, layout.page_size(size))
    captions = [
        plan.wrapped(painting.title if view.title is None else view.title)
        for painting, view in zip(paintings, views, strict=True)
    ]
    plan = plan.under(captions)
    axes = plan.lay_out(figure)
    drawn = [
        _draw_map(ax, *part[:2], view, frame)
        for ax, part, view in zip(axes, parts, views, strict=True)
    ]
    for ax, caption in zip(axes, captions, strict=True):
        ax.set_title(caption, loc="left", fontsize="small", pad=4, parse_math=False)
    if views[0].legend:
        above = _above(views[0])
        marks = basemap.marks(axes[0], frame)
        legend_scalebar.column(
            axes[plan.columns - 1], _column(record, _speaking_for(drawn), above, marks)
        )
    subtitle = "" if views[0].title is None else drawn[0].title
    footer = _footer(record, context) if views[0].notes else ""
    plan.write(figure, layout.Words(legend_scalebar.plain(heading), subtitle, footer))


def _above(view: View) -> HotSpots:
    """Return what hot spots are to be above."""
    return view.threshold if view.hotspots is None else view.hotspots


@package_typeface(saved=True)
def write_picture(
    record: Record,
    estimate: Estimate,
    path: "str | os.PathLike[str]",
    *,
    dpi: float = 300,
    **options: Any,
) -> None:
    """Write the map as png, svg or pdf, by the suffix, with a description inside for those who
    cannot see it.

    Takes the options of `draw`, and needs no display.
    """
    from matplotlib.figure import Figure

    picture_format(path)
    figure = Figure(dpi=picture_dpi(dpi))
    view = View(**options)
    ax = figure.add_subplot()
    painting = _draw(ax, record, estimate, view, has_layers=True, projected=True)
    description = f"{painting.title}. {map_statement(record).alt_text(estimate)}"
    save_picture(figure, path, legend_scalebar.plain(record.title), description, dpi)


@package_typeface(saved=True)
def write_painted(
    record: Record,
    grid: Grid,
    painting: Painting,
    path: "str | os.PathLike[str]",
    description: str,
    *,
    dpi: float = 300,
    context: Context = True,
    source: str = "",
) -> None:
    """Write a picture of a painting over cells of its own, with the words of its record;
    `source` says what else it is made of.
    """
    from matplotlib.figure import Figure

    picture_format(path)
    figure = Figure(dpi=picture_dpi(dpi))
    ax = figure.add_subplot()
    layers = read_own(context, grid)
    frame = _frame(grid, context, projected=True)
    set_frame(ax, frame)
    if frame.coast:
        basemap.draw_ground(ax, frame, layers)
        basemap.draw_names(ax, frame, layers)
    draw_cells(ax, frame, painting)
    if painting.places is not None:
        painting = _draw_places(ax, record, frame, painting)
    outline(ax, frame, np.ones(grid.cells_inside, dtype=bool), style.INK, 0.5, 1.5)
    marks = basemap.marks(ax, frame)
    square_km = grid.square_km[grid.inside]
    legend_scalebar.column(ax, _column(record, painting, None, marks, square_km))
    footer = " \N{MIDDLE DOT} ".join([_footer(record, context), *([source] if source else [])])
    words = layout.Words(legend_scalebar.plain(record.title), painting.title, footer)
    layout.settle(ax, words, has_layers=True, tallest=TALLEST)
    save_picture(
        figure, path, legend_scalebar.plain(record.title), f"{painting.title}. {description}", dpi
    )


@package_typeface(saved=True)
def write_multiples(
    layers: Sequence[tuple[Record, Estimate]],
    path: "str | os.PathLike[str]",
    *,
    dpi: float = 300,
    **options: Any,
) -> None:
    """Write the map as a picture with one map for each layer."""
    from matplotlib.figure import Figure

    picture_format(path)
    figure = Figure(dpi=picture_dpi(dpi))
    _draw_layers(layers, figure, options, projected=True)
    description = " ".join(map_statement(record).alt_text(estimate) for record, estimate in layers)
    save_picture(figure, path, legend_scalebar.plain(layers[0][0].heading), description, dpi)


def picture_format(path: "str | os.PathLike[str]") -> str:
    """Return the format that the suffix names."""
    kind = Path(path).suffix.lower().lstrip(".")
    if kind not in FORMATS:
        raise BadInput(
            f"a picture is one of {', '.join(FORMATS)}, and a page html; write for example map.png"
        )
    return kind


def picture_dpi(dpi: float) -> float:
    """Return the dots per inch if a picture can have so many, else refuses.

    >>> picture_dpi(0)
    Traceback (most recent call last):
    ...
    dpmap.errors.BadInput: dpi: give the dots per inch as a number from 10 to 1,200, like 300
    """
    if not isinstance(dpi, Real) or not 10 <= dpi <= 1200:
        raise BadInput("dpi: give the dots per inch as a number from 10 to 1,200, like 300")
    return float(dpi)


def save_picture(
    figure: "matplotlib.figure.Figure",
    path: "str | os.PathLike[str]",
    name: str,
    description: str,
    dpi: float,
) -> None:
    """Save the picture safely, with its name and description inside."""
    from matplotlib import rc_context

    kind = picture_format(path)
    description = clean(description)
    dpi = picture_dpi(dpi)
    with written_aside(path) as aside, rc_context({"svg.hashsalt": "dpmap"}):
        figure.savefig(aside, dpi=dpi, format=kind, metadata=_metadata(kind, name, description))
        if kind == "svg":
            _describe_svg(aside, name, description)


def _metadata(kind: str, name: str, description: str) -> dict[str, Any]:
    """Return the description under the names that each format gives it; no date, so that equal
    maps make equal files.
    """
    if kind == "pdf":
        return {"Title": name, "Subject": description, "Creator": "dpmap", "CreationDate": None}
    if kind == "svg":
        return {"Title": name, "Description": description, "Creator": "dpmap", "Date": None}
    return {"Title": name, "Description": description, "Software": "dpmap"}


def _describe_svg(path: Path, name: str, description: str) -> None:
    """Put title and description first in the picture, where screen readers look."""
    from xml.sax.saxutils import escape

    text = path.read_text(encoding="utf-8")
    start = text.index(">", text.index("<svg")) + 1
    opening = text[: start - 1] + ' role="img" aria-labelledby="dpmap-title dpmap-description">'
    head = (
        f'\n <title id="dpmap-title">{escape(name)}</title>\n <desc'
        f' id="dpmap-description">{escape(description)}</desc>'
    )
    path.write_text(opening + head + text[start:], encoding="utf-8")


def _footer(record: Record, context: Context) -> str:
    """Return the provenance, the meaning of the hatching, and the credit."""
    parts = [map_statement(record).provenance()]
    if context is not False:
        parts.append(", ".join([background.CREDIT, *titles(context)]))
    return " \N{MIDDLE DOT} ".join(parts)


def _draw(
    ax: Any,
    record: Record,
    estimate: Estimate,
    view: View,
    *,
    has_layers: bool,
    projected: bool = False,
    crs: Any = None,
    size: Any = None,
    overlaid: bool = False,
    subtitled: bool = True,
) -> Painting:
    """Draw the map, the column beside it, and the words around it; return what was painted. Over
    what Axes hold already there is no frame, and no title but one that was given.
    """
    frame = _frame(record.grid, view.context, projected=projected, crs=crs)
    painting = _draw_map(ax, record, estimate, view, frame, overlaid=overlaid)
    if view.legend:
        marks = () if overlaid else basemap.marks(ax, frame)
        square_km = record.grid.square_km[record.grid.inside]
        legend_scalebar.column(ax, _column(record, painting, _above(view), marks, square_km))
    usual = "" if overlaid else record.title
    name = legend_scalebar.plain(usual if view.title is None else view.title)
    footer = _footer(record, view.context) if view.notes else ""
    subtitle = painting.title if subtitled and not overlaid else ""
    words = layout.Words(name, subtitle, footer)
    layout.settle(ax, words, has_layers=has_layers, tallest=TALLEST, size=size)
    return painting


def _frame(grid: Grid, context: Context, *, projected: bool, crs: Any = None) -> MapFrame:
    """Return the frame of a map: projected in a file, in the given CRS or the grid's own on Axes
    that users go on to draw on.
    """
    coast = context is not False
    if crs is not None:
        return MapFrame(grid, crs_tools.text_of(crs), coast)
    return MapFrame.project(grid, coast=coast) if projected else MapFrame(grid, grid.crs, coast)


def _draw_map(
    ax: Any,
    record: Record,
    estimate: Estimate,
    view: View,
    frame: MapFrame,
    *,
    overlaid: bool = False,
) -> Painting:
    """Draw the frame and what is in it; return what was painted, with the words for what was
    outlined.
    """
    painting = paint(record, estimate, view)
    if not overlaid:
        set_frame(ax, frame)
    layers = read_own(view.context, record.grid)
    if frame.coast:
        basemap.draw_ground(ax, frame, layers)
        basemap.draw_names(ax, frame, layers)
    draw_cells(ax, frame, painting)
    if painting.places is not None:
        painting = _draw_places(ax, record, frame, painting)
    elif not painting.smooth:
        painting = _draw_blocks(ax, record, frame, painting)
    outline(ax, frame, np.ones(record.grid.cells_inside, dtype=bool), style.INK, 0.5, 1.5)
    above = _above(view)
    if above is not None:
        spots = _spots(record, estimate, above)[record.grid.inside]
        outline(ax, frame, spots, "white", 2.6, 1.6)
        outline(ax, frame, spots, HOTSPOT, 1.4, 1.65)
    return painting


def _spots(record: Record, estimate: Estimate, above: float | str) -> NDArray[np.bool_]:
    """Return the land that `release.hotspots` finds above a threshold or its surroundings, in
    grid shape.
    """
    return read_map(record).above(estimate, None if above == SURROUNDINGS else float(above))


def _draw_blocks(ax: Any, record: Record, frame: MapFrame, painting: Painting) -> Painting:
    """Outline coloured land that was measured as one block, and add the words for it to the
    painting.

    What such a block holds is known, how it lies within is not: a map without the outlines would
    claim it.
    """
    grid = record.grid
    labels = read_map(record).known_regions().labels
    size = np.bincount(labels[labels >= 0], minlength=1)
    block = np.where((labels >= 0) & (size[labels] > 1), labels + 1, 0)
    block[grid.inside] = np.where(painting.unsure, 0, block[grid.inside])
    if not block.any():
        return painting
    return (
        replace(painting, notes=(*painting.notes, BLOCKS))
        if outline_blocks(ax, frame, block)
        else painting
    )


def _draw_places(ax: Any, record: Record, frame: MapFrame, painting: Painting) -> Painting:
    """Part the places of one colour above the lightest by thin lines, and add the words for it
    to the painting.

    Within the lightest colour lines would only show where the program happened to part land that is
    alike.
    """
    grid = frame.grid
    places = (
        np.zeros(grid.cells_inside, dtype=np.int64) if painting.places is None else painting.places
    )
    several = (np.bincount(places)[places] > 1) & ~painting.unsure
    if not several.any():
        alone = painting.places is not None and record.about.tier is not None
        return replace(painting, notes=(*painting.notes, EVERY_CELL)) if alone else painting
    lightest = painting.values < (painting.edges[1] if len(painting.edges) > 1 else np.inf)
    block = np.zeros(grid.shape, dtype=np.int64)
    block[grid.inside] = np.where(lightest | painting.unsure, 0, places + 1)
    lined = not block.any() or (
        grid.size <= OUTLINED_CELLS and part_places(ax, frame, block, painting.colours)
    )
    return replace(painting, notes=(*painting.notes, PLACES if lined else MANY_PLACES))


def _speaking_for(drawn: Sequence[Painting]) -> Painting:
    """Return the painting whose legend says most, with what only others show: hatched land, and
    notes.
    """
    fullest = max(drawn, key=lambda one: (len(one.labels), one.values.max()))
    hatched = max(
        (one for one in drawn if one.unsure.any()), key=lambda one: one.most, default=fullest
    )
    notes = max((one.notes for one in drawn), key=len)
    return replace(fullest, unsure=hatched.unsure, most=hatched.most, notes=notes)


def set_frame(ax: Any, frame: MapFrame) -> None:
    """Set limits, without a line around them, and an aspect that is true at the middle of the
    map.
    """
    west, south, east, north = frame.box
    ax.set_xticks([])
    ax.set_yticks([])
    ax.spines[:].set_visible(False)
    ax.set_xlim(west, east)
    ax.set_ylim(south, north)
    ax.set_aspect(frame.stretch, adjustable="box", anchor="NW")


def _share(
    painting: Painting, colour: str | None, square_km: NDArray[np.float64] | None
) -> float | None:
    """Return the share of the area that is painted in a colour, or is unsure where there is no
    colour; None where the cells' sizes are not given.
    """
    if square_km is None:
        return None
    painted = (
        painting.unsure
        if colour is None
        else ~painting.unsure & np.isclose(painting.colours, style.rgb(colour)).all(axis=1)
    )
    return float(square_km[painted].sum() / square_km.sum())


def _column(
    record: Record,
    painting: Painting,
    above: HotSpots,
    marks: Sequence[Any],
    square_km: NDArray[np.float64] | None = None,
) -> list[Any]:
    """Return the legend, and below it the scale bar and its kin, to be stacked; with the cells'
    `square_km`, bars show how much of the area each class has.
    """
    from matplotlib.font_manager import FontProperties

    spread = FontProperties(size="small").get_size_in_points()
    parts: list[Any] = [legend_scalebar.heading(painting.heading)]
    if painting.tiers:
        parts.append(legend_scalebar.colour_tree(painting.tiers, painting.read, spread))
    elif painting.continuous and len(painting.edges) > 1:
        parts.append(
            legend_scalebar.colour_bar(painting.read, spread, painting.ramp, painting.open_ends)
        )
    white = {"#ffffff": style.UNSURE_LINE}
    rows = [
        legend_scalebar.Entry(
            words,
            face=colour,
            edge=white.get(colour, "none"),
            share=_share(painting, colour, square_km),
        )
        for words, colour in painting.labels
    ]
    if painting.unsure.any():
        words = legend_scalebar.plain(painting.unsure_line, 22)
        rows.append(
            legend_scalebar.Entry(
                words,
                face=painting.unsure_face,
                edge=style.UNSURE_LINE,
                hatch=HATCH,
                share=_share(painting, None, square_km),
            )
        )
    if painting.vague is not None and painting.vague.any():
        words = legend_scalebar.plain(VAGUE, 22)
        middle = style.hex_colour(0.45)
        rows.append(legend_scalebar.Entry(words, face=middle, edge="white", hatch=HATCH))
    if above is not None:
        what = (
            "denser than around"
            if above == SURROUNDINGS
            else f"above {style.number(float(above))} {noun(record)}"
        )
        rows.append(
            legend_scalebar.Entry(f"{what}\n(false ones at most {100 * RATE:g} %)", edge=HOTSPOT)
        )
    if rows:
        parts.append(legend_scalebar.entries(rows, spread))
    if any(row.share is not None for row in rows):
        parts.append(legend_scalebar.note("bars: share of the area"))
    parts += [legend_scalebar.note(legend_scalebar.plain(words, NOTE)) for words in painting.notes]
    return [*parts, *marks]
