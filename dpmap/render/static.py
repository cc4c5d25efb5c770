"""The static map, for print and for notebooks.

`draw` puts a map on any Axes, its own or yours, and returns it: zoom it, annotate it, save it as you would any other.
Colours, limits and breaks come from the release; the background comes from the package; nothing is fetched and no
global setting is touched.
"""

import math
import os
import textwrap
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpmap import style
from dpmap.errors import BadInput
from dpmap.files import written_aside
from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.grid.squares import Squares
from dpmap.inference import Estimate, discoveries
from dpmap.record import Record
from dpmap.render import context as background
from dpmap.render import furniture, layout
from dpmap.render.paint import SURROUNDINGS, Classes, HotSpots, Painting, View, paint

if TYPE_CHECKING:
    import matplotlib.axes
    import matplotlib.figure

FORMATS = ("png", "svg", "pdf")
TALLEST = 7.5
MOST_MULTIPLES, MOST_COLUMNS = 36, 6
HATCH = "/////"
HATCHED_CELLS = 40_000
"""Above so many cells the hatching is painted into the image, cell by cell, instead of drawn as lines."""
OUTLINED_CELLS = 30_000
OUTLINED_BLOCKS = 300
HOTSPOT = "#0b6e4f"


def draw(
    record: Record,
    estimate: Estimate,
    *,
    ax: Any = None,
    what: str = "estimate",
    threshold: float | None = None,
    level: float = 0.9,
    suppress: bool = False,
    classes: Classes = 5,
    unsure: str = "grey",
    hotspots: HotSpots = None,
    context: bool = True,
    legend: bool = True,
    notes: bool = True,
    title: str | None = None,
) -> "matplotlib.axes.Axes":
    """Draws the map on `ax`, or on a new pyplot figure, and returns the Axes.

    `what` is `"estimate"`, the `"low"` or `"high"` bound of the interval at `level`, or `"exceedance"`: the
    confidence, by the noise law alone, that a cell holds more than `threshold`. `classes` is a number of classes, a
    list of edges (records per square kilometre; give two maps the same to compare them) or None for a continuous
    ramp. Cells that noise alone explains are grey and hatched; `unsure="hatch"` keeps their colour under the
    hatching. `suppress=True` merges colours where the estimate is unsure. `hotspots=t` outlines the cells whose total is
    above t, `hotspots="surroundings"` those denser than the land around them, at most a tenth of them falsely so.
    `context`, `legend` and `notes` switch off the background, the
    column beside the map, and the lines below it.
    """
    view = View(
        what=what, threshold=threshold, level=level, suppress=suppress, classes=classes, unsure=unsure,
        hotspots=hotspots, context=context, legend=legend, notes=notes, title=title,
    )  # fmt: skip
    if ax is not None:
        _draw(ax, record, estimate, view, own=False)
        return ax  # type: ignore[no-any-return]
    import matplotlib.pyplot as plt

    new = plt.figure().add_subplot()
    _draw(new, record, estimate, view, own=True)
    return new


def panels(
    record: Record, estimate: Estimate, what: Sequence[str] = ("low", "estimate", "high"), **options: Any
) -> "matplotlib.figure.Figure":
    """Several readings of one release side by side on a new pyplot figure, in the same classes and with one legend.

    Takes the other options of `draw`.
    """
    import matplotlib.pyplot as plt

    parts = [(record, estimate, View(what=name, **options)) for name in what]
    figure = plt.figure(layout="compressed")
    _side_by_side(figure, parts, columns=len(parts), heading=record.title)
    return figure


def multiples(
    layers: Sequence[tuple[Record, Estimate]], figure: "matplotlib.figure.Figure", **options: Any
) -> "matplotlib.figure.Figure":
    """Every layer of a release on one figure, in the same classes and with one legend; takes the options of `draw`.

    The last axis, time where there is one, runs to the right.
    """
    if len(layers) > MOST_MULTIPLES:
        raise BadInput(f"a picture holds at most {MOST_MULTIPLES} layers; draw some of them, each by its name")
    record = layers[0][0]
    names = [list(layer.notes["layer"]) for layer, _ in layers]
    columns = len({name[-1] for name in names}) if len(names[0]) > 1 else len(names)
    parts = [
        (layer, estimate, View(**{**options, "title": ", ".join(name)}))
        for (layer, estimate), name in zip(layers, names, strict=True)
    ]
    columns = columns if columns <= MOST_COLUMNS else math.ceil(math.sqrt(len(names)))
    _side_by_side(figure, parts, columns=columns, heading=record.receipt.dataset)
    return figure


def _side_by_side(
    figure: "matplotlib.figure.Figure", parts: Sequence[tuple[Record, Estimate, View]], *, columns: int, heading: str
) -> None:
    """Maps in rows, in the same classes; the legend stands beside the last one and speaks for all."""
    paintings = [paint(*part) for part in parts]
    views = [view for _, _, view in parts]
    if isinstance(views[0].classes, int):
        shown = np.concatenate([painting.values[~painting.unsure] for painting in paintings])
        shared = style.breaks(parts[0][0], shown, views[0].classes)
        views = [replace(view, classes=shared) for view in views] if shared else views
    rows = -(-len(parts) // columns)
    figure.set_size_inches(3.1 * columns + 1.9, TALLEST)
    places = figure.subplots(rows, columns, squeeze=False).ravel()
    for ax, (record, estimate, _), view, last in zip(
        places, parts, views, [*[False] * (len(parts) - 1), True], strict=False
    ):
        only = replace(view, legend=view.legend and last, notes=False, title=view.title or "")
        _draw(ax, record, estimate, only, own=False, beside=paintings)
    for ax in places[len(parts) :]:
        ax.set_axis_off()
    if rows > 1:
        narrow = 3.1 / float(places[0].get_data_ratio() * places[0].get_aspect())
        figure.set_size_inches(min(narrow, 3.1) * columns + 0.35 * columns + 1.9, 3.6 * rows + 0.7)
    figure.suptitle(furniture.plain(heading), fontweight="bold", fontsize="medium", x=0.01, ha="left")
    words = textwrap.fill(_footer(parts[0][0], context=views[0].context), int(15 * figure.get_figwidth()))
    figure.supxlabel(words, fontsize="x-small", x=0.01, ha="left")
    layout.shorten(figure)


def write_picture(
    record: Record, estimate: Estimate, path: "str | os.PathLike[str]", *, dpi: float = 300, **options: Any
) -> None:
    """The map as png, svg or pdf, chosen by the suffix, with a description inside for those who cannot see it.

    Takes the options of `draw`, and needs no display.
    """
    from matplotlib.figure import Figure

    _kind(path)
    figure, view = Figure(), View(**options)
    _draw(figure.add_subplot(), record, estimate, view, own=True)
    told = f"{paint(record, estimate, view).title}. {style.alt_text(record, estimate)}"
    _save(figure, path, furniture.plain(record.title), told, dpi)


def write_painted(
    record: Record, grid: Grid, painting: Painting, path: "str | os.PathLike[str]", told: str, *, dpi: float = 300
) -> None:
    """A picture of a painting over cells of its own, with the words of the record it is of."""
    from matplotlib.figure import Figure

    _kind(path)
    figure = Figure()
    ax, box = figure.add_subplot(), background.frame(grid)
    _set_frame(ax, grid.crs, box)
    _draw_context(ax, grid)
    _draw_cells(ax, grid, painting)
    _outline(ax, grid, np.ones(grid.cells_inside, dtype=bool), style.INK, 0.5, 1.5)
    furniture.graticule(ax, grid.crs, box, lines=4)
    ax.set_xlim(box[0], box[2])
    ax.set_ylim(box[1], box[3])
    furniture.column(ax, _column(ax, record, box, painting, None))
    words = layout.Words(furniture.plain(record.title), painting.title, _footer(record, context=True))
    layout.settle(ax, words, own=True, tallest=TALLEST)
    _save(figure, path, furniture.plain(record.title), f"{painting.title}. {told}", dpi)


def write_multiples(
    layers: Sequence[tuple[Record, Estimate]], path: "str | os.PathLike[str]", *, dpi: float = 300, **options: Any
) -> None:
    """The same with one map for each layer."""
    from matplotlib.figure import Figure

    _kind(path)
    figure = multiples(layers, Figure(layout="compressed"), **options)
    told = " ".join(style.alt_text(record, estimate) for record, estimate in layers)
    _save(figure, path, furniture.plain(layers[0][0].receipt.dataset), told, dpi)


def _kind(path: "str | os.PathLike[str]") -> str:
    """The format that the suffix names."""
    kind = Path(path).suffix.lower().lstrip(".")
    if kind not in FORMATS:
        raise BadInput(f"a picture is one of {', '.join(FORMATS)}; write for example map.png")
    return kind


def _save(figure: "matplotlib.figure.Figure", path: "str | os.PathLike[str]", name: str, told: str, dpi: float) -> None:
    """Written aside and renamed, with its name and description inside."""
    from matplotlib import rc_context

    kind, told = _kind(path), style.clean(told)
    with written_aside(path) as aside, rc_context({"svg.hashsalt": "dpmap"}):
        figure.savefig(aside, dpi=dpi, format=kind, metadata=_metadata(kind, name, told))
        if kind == "svg":
            _describe_svg(aside, name, told)


def _metadata(kind: str, name: str, told: str) -> dict[str, Any]:
    """The description under the names that each format gives it; no date, so that equal maps make equal files."""
    if kind == "pdf":
        return {"Title": name, "Subject": told, "Creator": "dpmap", "CreationDate": None}
    if kind == "svg":
        return {"Title": name, "Description": told, "Creator": "dpmap", "Date": None}
    return {"Title": name, "Description": told, "Software": "dpmap"}


def _describe_svg(path: Path, name: str, told: str) -> None:
    """Title and description as the first children of the picture, where screen readers look."""
    from xml.sax.saxutils import escape

    text = path.read_text(encoding="utf-8")
    start = text.index(">", text.index("<svg")) + 1
    opening = text[: start - 1] + ' role="img" aria-labelledby="dpmap-title dpmap-description">'
    head = f'\n <title id="dpmap-title">{escape(name)}</title>\n <desc id="dpmap-description">{escape(told)}</desc>'
    path.write_text(opening + head + text[start:], encoding="utf-8")


def _footer(record: Record, *, context: bool) -> str:
    """The provenance, the meaning of the hatching, and the credit."""
    parts = [style.provenance(record)]
    if context:
        parts.append(background.CREDIT)
    return " \N{MIDDLE DOT} ".join(parts)


def _draw(
    ax: Any, record: Record, estimate: Estimate, view: View, *, own: bool, beside: Sequence[Painting] = ()
) -> None:
    """The frame, what is in it, the column beside it, and the words around it.

    The column speaks for the maps `beside` this one too.
    """
    grid, painting = record.grid, paint(record, estimate, view)
    box = background.frame(grid)
    _set_frame(ax, grid.crs, box)
    if view.context:
        _draw_context(ax, grid)
    _draw_cells(ax, grid, painting)
    painting = _draw_blocks(ax, record, painting)
    _outline(ax, grid, np.ones(grid.cells_inside, dtype=bool), style.INK, 0.5, 1.5)
    above = view.threshold if view.hotspots is None else view.hotspots
    if above is not None:
        spots = _spots(record, estimate, above)[grid.inside]
        _outline(ax, grid, spots, "white", 2.6, 1.6)
        _outline(ax, grid, spots, HOTSPOT, 1.4, 1.65)
    width = ax.get_window_extent().width / ax.get_figure(root=True).dpi
    furniture.graticule(ax, grid.crs, box, lines=int(np.clip(width / 0.95, 2, 5)))
    ax.set_xlim(box[0], box[2])
    ax.set_ylim(box[1], box[3])
    if view.legend:
        furniture.column(ax, _column(ax, record, box, _speaking_for(painting, beside), above))
    name = furniture.plain(record.title) if view.title is None else furniture.plain(view.title)
    footer = _footer(record, context=view.context) if view.notes else ""
    layout.settle(ax, layout.Words(name, painting.title, footer), own=own, tallest=TALLEST)


def _spots(record: Record, estimate: Estimate, above: float | str) -> NDArray[np.bool_]:
    """In grid shape: the cells that `release.hotspots` finds above a threshold or their surroundings."""
    if above != SURROUNDINGS:
        return discoveries(style.exceedance(record, estimate, float(above)), style.RATE)
    from dpmap.inference.hotspots import hotspots

    if record.partners:
        raise BadInput("hotspots: of a merged map there are none; draw each partner's own release")
    return hotspots(record.grid, record.measurements, estimate.values, rate=style.RATE).cells


def _draw_blocks(ax: Any, record: Record, painting: Painting) -> Painting:
    """Outlines around coloured land that was measured as one block, and the painting with the words for them.

    What such a block holds is known, how it lies within is not: a map without the outlines would claim it.
    """
    from matplotlib.collections import LineCollection

    grid, labels = record.grid, style.known_regions(record).labels
    size = np.bincount(labels[labels >= 0], minlength=1)
    block = np.where((labels >= 0) & (size[labels] > 1), labels + 1, 0)
    block[grid.inside] = np.where(painting.unsure, 0, block[grid.inside])
    if not block.any():
        return painting
    if isinstance(grid.cells, Squares):
        lines = LineCollection(_boundary(grid.cells, block), colors=style.INK, linewidths=0.6, zorder=1.45)
        ax.add_collection(lines, autolim=False)
    else:
        for number in np.unique(block[block > 0])[:OUTLINED_BLOCKS]:
            _outline(ax, grid, (block == number)[grid.inside], style.INK, 0.6, 1.45)
    return replace(painting, notes=(*painting.notes, style.BLOCKS))


def _speaking_for(painting: Painting, beside: Sequence[Painting]) -> Painting:
    """The painting, its legend also naming what only its neighbours show."""
    hatched = any(other.unsure.any() for other in (painting, *beside))
    return replace(painting, unsure=np.array([hatched]))


def _lonlat_stretch(box: background.Box) -> float:
    """How much longer a degree of latitude is than one of longitude, at the middle of the map."""
    return 1 / max(0.05, float(np.cos(np.radians((box[1] + box[3]) / 2))))


def _set_frame(ax: Any, crs: str, box: background.Box) -> None:
    """Limits, and an aspect that is true at the middle of the map."""
    ax.set_xlim(box[0], box[2])
    ax.set_ylim(box[1], box[3])
    ax.set_aspect(_lonlat_stretch(box) if crs_tools.is_lonlat(crs) else 1.0, adjustable="box", anchor="NW")
    ax.tick_params(labelsize="x-small", length=2.5, width=0.5)
    for spine in ax.spines.values():
        spine.set_linewidth(0.6)


def _draw_context(ax: Any, grid: Grid) -> None:
    """Land and lakes under the cells, coasts, borders and rivers over them: thinner lines for larger maps."""
    layers = background.context(grid)
    west, south, east, north = background.lonlat_box(grid)
    span = max(east - west, north - south)
    thin = 0.5 if span > 40 else 1.0
    ax.set_facecolor(style.WATER)
    for name, face, edge, width, order in (
        ("land", style.LAND, "none", 0.0, 0.5),
        ("lakes", style.WATER, "none", 0.0, 0.6),
        ("land", "none", "#7d8a91", 0.6, 1.2),
        ("lakes", "none", style.RIVER, 0.5, 1.2),
        ("rivers", "none", style.RIVER, 0.8, 1.2),
        ("borders", "none", style.BORDER, 0.8, 1.3),
    ):
        if layers[name]:
            shapes = np.array(layers[name], dtype=object)
            moved = crs_tools.transform_shapes(shapes, crs_tools.LONLAT, grid.crs, step=span / 50)
            dashes = (0, (4, 2)) if name == "borders" else "solid"
            _add_shapes(ax, moved, face, edge, width * thin, order, dashes=dashes)


def _add_shapes(
    ax: Any,
    shapes: NDArray[Any],
    face: str,
    edge: str,
    width: float,
    order: float,
    dashes: Any = "solid",
    hatch: str | None = None,
) -> None:
    """All shapes as one compound path."""
    from matplotlib.patches import PathPatch

    path = _compound(shapes)
    if len(path.vertices):
        patch = PathPatch(
            path, facecolor=face, edgecolor=edge, linewidth=width, zorder=order, linestyle=dashes, hatch=hatch
        )
        if hatch:
            patch.set_hatch_linewidth(0.5)
        ax.add_artist(patch)
        patch.set_clip_path(ax.patch)


def _compound(shapes: NDArray[Any]) -> Any:
    """Polygons and lines as one matplotlib path; holes run the other way round, so that they stay open."""
    import shapely
    from matplotlib.path import Path as Curve

    parts = shapely.get_parts(shapes)
    flat = shapely.get_dimensions(parts) == 2
    rings = np.concatenate([shapely.get_rings(shapely.orient_polygons(parts[flat])), parts[~flat]])
    xy, owner = shapely.get_coordinates(rings, return_index=True)
    sound = np.isfinite(xy).all(axis=1)
    xy, owner = xy[sound], owner[sound]
    codes = np.full(len(xy), Curve.LINETO, dtype=Curve.code_type)
    codes[np.flatnonzero(np.diff(owner, prepend=-1))] = Curve.MOVETO
    return Curve(xy, codes)


def _draw_cells(ax: Any, grid: Grid, painting: Painting) -> None:
    """Squares as an image whose pixels are the cells, other cells as polygons; the unsure ones hatched."""
    if not isinstance(grid.cells, Squares):
        _draw_polygons(ax, grid, painting)
        return
    west, south, east, north = grid.cells.bounds
    paint_all = np.zeros((*grid.shape, 4))
    paint_all[grid.inside, :3], paint_all[grid.inside, 3] = painting.colours, 1
    fine = grid.size > HATCHED_CELLS
    unsure = np.zeros(grid.shape, dtype=bool)
    unsure[grid.inside] = painting.unsure
    if fine:
        _paint_stripes(paint_all, unsure)
    ax.imshow(
        paint_all, extent=(west, east, south, north), aspect=ax.get_aspect(), zorder=1,
        interpolation="auto" if fine else "nearest", interpolation_stage="rgba",
    )  # fmt: skip
    if not fine and unsure.any():
        _add_shapes(ax, _runs(grid.cells, unsure), "none", style.UNSURE_LINE, 0, 1.1, hatch=HATCH)


def _draw_polygons(ax: Any, grid: Grid, painting: Painting) -> None:
    from matplotlib.collections import PathCollection

    shapes = grid.polygons()
    edge = "face" if len(shapes) > 2000 else "white"
    cells = PathCollection(_curves(shapes), facecolors=painting.colours, edgecolors=edge, linewidths=0.35, zorder=1)
    ax.add_collection(cells, autolim=False)
    if painting.unsure.any():
        _add_shapes(ax, shapes[painting.unsure], "none", style.UNSURE_LINE, 0, 1.1, hatch=HATCH)


def _curves(shapes: NDArray[Any]) -> list[Any]:
    """Each shape as a matplotlib path."""
    import shapely
    from matplotlib.path import Path as Curve

    if (shapely.get_type_id(shapes) != shapely.GeometryType.POLYGON).any() or shapely.get_num_interior_rings(
        shapes
    ).any():
        return [_compound(shapes[i : i + 1]) for i in range(len(shapes))]
    ends = np.cumsum(shapely.get_num_coordinates(shapes))[:-1]
    return [Curve(ring) for ring in np.split(shapely.get_coordinates(shapes), ends)]


def _paint_stripes(colours: NDArray[np.float64], unsure: NDArray[np.bool_]) -> None:
    """Diagonal stripes about as far apart as those of the hatching, in whole cells."""
    period = max(4, round(max(unsure.shape) / 70))
    row, column = np.ogrid[: unsure.shape[0], : unsure.shape[1]]
    striped = unsure & ((row + column) % period < max(1, round(period * 0.22)))
    colours[striped, :3] = colours[striped, :3] * 0.35 + np.array(style.rgb(style.UNSURE_LINE)) * 0.65


def _runs(cells: Squares, chosen: NDArray[np.bool_]) -> NDArray[Any]:
    """The chosen cells as rectangles, each as long as its row lets it be."""
    import shapely

    columns = cells.shape[1]
    ends = np.diff(np.pad(chosen, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    row, first = np.nonzero(ends == 1)
    last = np.nonzero(ends == -1)[1] - 1
    west, south, _, north = cells.corners(row * columns + first)
    east = cells.corners(row * columns + last)[2]
    boxes: NDArray[Any] = shapely.box(west, south, east, north)
    return boxes


def _outline(ax: Any, grid: Grid, chosen: NDArray[np.bool_], colour: str, width: float, order: float) -> None:
    """A line around the chosen in-area cells."""
    from matplotlib.collections import LineCollection

    if not chosen.any():
        return
    if isinstance(grid.cells, Squares):
        cells = np.zeros(grid.shape, dtype=bool)
        cells[grid.inside] = chosen
        segments = _boundary(grid.cells, cells)
        ax.add_collection(
            LineCollection(segments, colors=colour, linewidths=width, zorder=order, capstyle="projecting"),
            autolim=False,
        )
    elif len(chosen) <= OUTLINED_CELLS:
        _add_shapes(ax, _edge(grid, grid.polygons()[chosen]), "none", colour, width, order)


def _edge(grid: Grid, shapes: NDArray[Any]) -> NDArray[Any]:
    """The outer and inner edges of joined polygons, without the slivers between neighbours that nearly touch."""
    import shapely

    joined = shapely.union_all(shapes, grid_size=1e-7 if crs_tools.is_lonlat(grid.crs) else 0.01)
    rings = shapely.get_rings(shapely.get_parts(joined))
    large = shapely.area(shapely.polygons(rings)) > 0.05 * float(shapely.area(shapes).min())
    kept: NDArray[Any] = rings[large]
    return kept


def _boundary(cells: Squares, chosen: NDArray[np.bool_]) -> list[Any]:
    """The sides between chosen cells and others, as segments."""
    west, south, east, north = cells.bounds
    x = west + (east - west) * np.arange(cells.shape[1] + 1) / cells.shape[1]
    y = north - (north - south) * np.arange(cells.shape[0] + 1) / cells.shape[0]
    padded = np.pad(chosen, 1)
    r, c = np.nonzero(padded[1:, 1:-1] != padded[:-1, 1:-1])
    level = np.stack([np.column_stack([x[c], y[r]]), np.column_stack([x[c + 1], y[r]])], axis=1)
    r, c = np.nonzero(padded[1:-1, 1:] != padded[1:-1, :-1])
    upright = np.stack([np.column_stack([x[c], y[r]]), np.column_stack([x[c], y[r + 1]])], axis=1)
    return list(np.concatenate([level, upright]))


def _column(ax: Any, record: Record, box: background.Box, painting: Painting, above: HotSpots) -> list[Any]:
    """The legend and the scale bar, to be stacked."""
    from matplotlib.font_manager import FontProperties

    spread = FontProperties(size="small").get_size_in_points()
    parts: list[Any] = [furniture.heading(painting.heading)]
    if painting.tiers:
        parts.append(furniture.colour_tree(painting.tiers, painting.edges, spread))
    elif painting.continuous and len(painting.edges) > 1:
        parts.append(furniture.colour_bar(painting.edges, spread))
    rows = [furniture.Entry(words, face=colour) for words, colour in painting.labels]
    if painting.unsure.any():
        words = furniture.plain(painting.unsure_words, 22)
        rows.append(furniture.Entry(words, face=painting.unsure_face, edge=style.UNSURE_LINE, hatch=HATCH))
    if above is not None:
        what = (
            "denser than around"
            if above == SURROUNDINGS
            else f"above {style.number(float(above))} {style.noun(record)}"
        )
        rows.append(furniture.Entry(f"{what}\n(false ones at most {100 * style.RATE:g} %)", edge=HOTSPOT))
    if rows:
        parts.append(furniture.entries(rows, spread))
    parts += [furniture.note(words) for words in painting.notes]
    return [*parts, furniture.scale_bar(ax, record.grid.crs, box)]
