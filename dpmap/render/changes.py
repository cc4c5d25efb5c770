"""Draws what changed between two maps: more in purple, fewer in orange, and land of which no
change can be told in hatched grey.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from string import ascii_uppercase
from textwrap import indent
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpmap import style
from dpmap.errors import BadInput
from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.record import Record
from dpmap.render import basemap, layout, legend_scalebar
from dpmap.render import natural_earth as background
from dpmap.render.cell_drawing import HATCH, add_shapes, draw_cells, outline
from dpmap.render.colouring import Painting
from dpmap.render.map_frame import MapFrame
from dpmap.render.static import (
    NOTE,
    TALLEST,
    picture_dpi,
    picture_format,
    save_picture,
    set_frame,
)
from dpmap.render.towns import place_names
from dpmap.render.typeface import package_typeface
from dpmap.render.user_layers import Context, titles
from dpmap.render.user_layers import read_layers as read_own
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import both_titles, clean

if TYPE_CHECKING:
    import geopandas
    import matplotlib.axes

UNTOLD = "no change can be told; there may be one"
NOT_COMPARED = "not compared"
AS_A_WHOLE = "a cluster changed as a whole; where in it is not known"
MOST_NAMED = 7
APART = 0.04
"""Of the frame's longer side: letters closer to each other would overlap."""
BROAD = 0.01
"""Of the frame's longer side: the width of a line with its light edge."""
FEW_OUTLINED = 40
MOST_OUTLINED = 2_000
"""So many are outlined broadly however small they are; above so many nothing is."""
SIDE = 40
"""Cells along the longer side of the ground that zones are drawn on."""


@dataclass(frozen=True, eq=False)
class ShownChanges:
    """Holds what is shown of a comparison: the two maps, the `land` (patches, regions or zones)
    that is coloured, and clusters that lie over it.

    `names` are those of the land where zones are shown, else None; `called` is what the land is
    called.
    """

    records: tuple[Record, Record]
    land: "geopandas.GeoDataFrame"
    clusters: "geopandas.GeoDataFrame | None"
    names: list[str] | None
    called: str
    level: float
    falsely: str
    words: dict[str, str]
    notes: list[str]

    @property
    def zoned(self) -> bool:
        """Whether zones are shown."""
        return self.names is not None

    @property
    def title(self) -> str:
        """What is shown, with the names of both maps."""
        before, after = both_titles(*self.records)
        return f"Change from {before} to {after}"

    @cached_property
    def rows(self) -> "geopandas.GeoDataFrame":
        """The land, and the clusters after it: all that has a colour."""
        import pandas as pd

        if self.clusters is None or not len(self.clusters):
            return self.land
        return pd.concat([self.land, self.clusters], ignore_index=True)

    @cached_property
    def outlined(self) -> "geopandas.GeoDataFrame":
        """The clusters, and told land that lies in none of them: all that has a line around it,
        the largest change first.
        """
        import shapely

        row = np.arange(len(self.rows))
        cluster = row >= len(self.land)
        middles = shapely.point_on_surface(self.rows.geometry.to_numpy())
        held = shapely.STRtree(self.rows.geometry.to_numpy()[cluster]).query(
            middles, predicate="intersects"
        )[0]
        is_listed = cluster | (self.change_known & ~np.isin(row, held))
        rows = self.rows[is_listed]
        return rows.iloc[np.argsort(-np.abs(rows["change"].to_numpy()), kind="stable")]

    @cached_property
    def change_known(self) -> NDArray[np.bool_]:
        """Whether a change is told of each row."""
        return np.asarray(self.rows["told"], dtype=bool)

    @cached_property
    def density(self) -> NDArray[np.float64]:
        """The change of each row for its ground."""
        return np.asarray(self.rows["change_per_km2"], dtype=np.float64)

    @cached_property
    def classes(self) -> style.ChangeClasses:
        """The classes of the told changes, alike on both sides of 0."""
        return style.ChangeClasses.fit(
            self.density[self.change_known], map_statement(self.records[1]).unit
        )

    @property
    def counted(self) -> str:
        """Says how much of the land holds more and fewer, of how much no change can be told, and
        how many clusters there are.
        """
        changed = np.asarray(self.land["told"], dtype=bool)
        more = int((changed & (self.land["change"].to_numpy() > 0)).sum())
        fewer = int(changed.sum()) - more
        count = len(self.land)
        clusters = 0 if self.clusters is None else len(self.clusters)
        besides = (
            f". {clusters:,} cluster{'' if clusters == 1 else 's'} of change told"
            if clusters
            else ""
        )
        if not more and not fewer:
            alone = (
                f"Of none of the {count:,} {self.called} by itself"
                if clusters
                else f"Of none of the {count:,} {self.called}"
            )
            return f"{alone} can a change be told; there may be some{besides}"
        not_compared = int(self.land["change"].isna().sum())
        untold = count - more - fewer - not_compared
        rest = f"; of {untold:,} no change can be told" if untold else ""
        rest += f"; {not_compared:,} {NOT_COMPARED}" if not_compared else ""
        return f"Of {count:,} {self.called}: {more:,} more, {fewer:,} fewer{rest}{besides}"

    @property
    def heading(self) -> str:
        """Says what the colours stand for."""
        return f"change in {map_statement(self.records[1]).unit_words(self.classes.unit)}"

    @property
    def provenance(self) -> str:
        """Says what both maps promise, when they were released, and by which rule changes are
        told.
        """
        one, other = (map_statement(record).provenance() for record in self.records)
        promises = [f"Both maps: {one}"] if one == other else [f"Before: {one}", f"After: {other}"]
        days = " and ".join(dict.fromkeys(record.released_on for record in self.records))
        rules = [clean(text)[:1].upper() + clean(text)[1:] for text in self.words.values()]
        return ". ".join(
            [*promises, f"Released on {days}", *rules, *(clean(note) for note in self.notes)]
        )


@dataclass(frozen=True, slots=True)
class LetteredChange:
    """Holds a told change that has a letter on the map: where, and what is said of it."""

    letter: str
    x: float
    y: float
    place: str
    change: str
    wide: bool
    """Whether the letter has room within it."""

    @property
    def words(self) -> str:
        """The line of the list beside the map."""
        return f"{self.letter}  {self.change}\n" + indent(
            legend_scalebar.plain(self.place, NOTE - 4), "     "
        )


def draw(shown: ShownChanges, ax: Any = None, **options: Any) -> "matplotlib.axes.Axes":
    """Draw the changes on `ax`, or on a new pyplot figure, and return the Axes; take the
    options of `Comparison.plot`.
    """
    if ax is not None:
        if not hasattr(ax, "get_figure"):
            raise BadInput(
                "ax: give Axes of matplotlib, such as the second that plt.subplots() returns"
            )
        _draw(ax, shown, has_layers=False, **options)
        return ax  # type: ignore[no-any-return]
    import matplotlib.pyplot as plt

    with package_typeface():
        new = plt.figure().add_subplot()
        _draw(new, shown, has_layers=True, **options)
    return new


@package_typeface(saved=True)
def write_picture(
    shown: ShownChanges, path: "str | os.PathLike[str]", *, dpi: float = 300, **options: Any
) -> None:
    """Write the picture as png, svg or pdf, by the suffix, with a description inside for those
    who cannot see it.
    """
    from matplotlib.figure import Figure

    picture_format(path)
    figure = Figure(dpi=picture_dpi(dpi))
    named = _draw(figure.add_subplot(), shown, has_layers=True, projected=True, **options)
    listed = "; ".join(f"{one.place}: {one.change}" for one in named)
    description = (
        f"{shown.counted}. {f'The largest: {listed}. ' if listed else ''}{shown.provenance}"
    )
    save_picture(figure, path, legend_scalebar.plain(shown.title), description, dpi)


def _draw(
    ax: Any,
    shown: ShownChanges,
    *,
    has_layers: bool,
    projected: bool = False,
    context: Context = True,
    legend: bool = True,
    notes: bool = True,
    title: str | None = None,
) -> list[LetteredChange]:
    """Draw the map, the column beside it, and the words around it; return what has a letter."""
    grid = ground(shown)
    coast = context is not False
    frame = MapFrame.project(grid, coast=coast) if projected else MapFrame(grid, grid.crs, coast)
    set_frame(ax, frame)
    layers = read_own(context, grid)
    if context is not False:
        basemap.draw_ground(ax, frame, layers)
        basemap.draw_names(ax, frame, layers)
    whole = None
    if shown.zoned:
        _draw_zones(ax, shown, frame)
    else:
        whole = _draw_land(ax, shown, frame)
    named = _draw_named(ax, shown, frame)
    if legend:
        marks = basemap.marks(ax, frame)
        legend_scalebar.column(ax, [*_column(shown, named, whole), *marks])
    credit = [] if context is False else [", ".join([background.CREDIT, *titles(context)])]
    footer = " \N{MIDDLE DOT} ".join([shown.provenance, *credit]) if notes else ""
    words = layout.Words(legend_scalebar.plain(title or shown.title), shown.counted, footer)
    layout.settle(ax, words, has_layers=has_layers, tallest=TALLEST)
    return named


def ground(shown: ShownChanges) -> Grid:
    """Return the grid whose frame is drawn: that of the later map, or one around the zones that
    were compared.
    """
    grid = shown.records[1].grid
    if not shown.zoned:
        return grid.ground
    compared = shown.rows[shown.rows["change"].notna()]
    shapes = (compared if len(compared) else shown.rows).to_crs(crs_tools.parse(grid.crs))
    west, south, east, north = (float(side) for side in shapes.total_bounds)
    step = max(east - west, north - south) / SIDE
    shape = (max(1, round((north - south) / step)), max(1, round((east - west) / step)))
    return Grid(bounds=(west, south, east, north), shape=shape, crs=grid.crs)


def row_of_cells(shown: ShownChanges, grid: Grid) -> NDArray[np.int64]:
    """Return the row in whose colour each in-area cell of the grid is shown, -1 for none: the
    smallest that is told, else the smallest; of a patch and a cluster of one size the patch.
    """
    import shapely

    cells = grid.polygons()
    middles = shapely.centroid(cells) if grid.kind == "squares" else shapely.point_on_surface(cells)
    at, row = (
        shapely.STRtree(shown.rows.geometry.to_numpy())
        .query(middles, predicate="intersects")
        .astype(np.int64)
    )
    size = np.asarray(shown.rows["cells"])[row]
    last_wins = np.lexsort((row < len(shown.land), -size, shown.change_known[row]))
    rows = np.full(len(cells), -1, dtype=np.int64)
    rows[at[last_wins]] = row[last_wins]
    return rows


def whole_class(shown: ShownChanges, row: NDArray[np.int64]) -> int | None:
    """Return the class of the largest land that is told by its cluster alone, as the legend
    shows it; None without any.
    """
    whole = row[row >= len(shown.land)]
    if not len(whole) or not shown.classes.classes:
        return None
    return int(shown.classes.of_each(shown.density)[np.bincount(whole).argmax()])


def _draw_land(ax: Any, shown: ShownChanges, frame: MapFrame) -> str | None:
    """Draw each cell in the colour of the row that it lies in; hatched where no change is told of
    less than a whole cluster, of which the legend shows the colour that is returned.
    """
    grid = frame.grid
    row = row_of_cells(shown, grid)
    known_change = np.append(shown.change_known, False)[row]
    colours = np.array(
        [style.rgb(class_.colour) for class_ in shown.classes.classes] or [style.rgb(style.UNSURE)]
    )
    painted = colours[shown.classes.of_each(np.append(shown.density, 0.0)[row])]
    painted[~known_change] = style.rgb(style.UNSURE)
    painted[row < 0] = style.rgb(style.LAND)
    values = np.append(shown.density, np.nan)[row]
    hatched = (row >= 0) & (~known_change | (row >= len(shown.land)))
    draw_cells(ax, frame, Painting("", "", values, painted, hatched, (), (), places=row))
    outline(ax, frame, np.ones(grid.cells_inside, dtype=bool), style.INK, 0.5, 1.5)
    number = whole_class(shown, row)
    return None if number is None else shown.classes.classes[number].colour


def _draw_zones(ax: Any, shown: ShownChanges, frame: MapFrame) -> None:
    """Draw each zone in its colour, with a line around it."""
    shapes = frame.move(shown.rows.geometry.to_crs(crs_tools.parse(frame.grid.crs)).to_numpy())
    number = shown.classes.of_each(np.nan_to_num(shown.density))
    unknown = shown.rows["change"].isna().to_numpy()
    for at, one in enumerate(shown.classes.classes):
        add_shapes(ax, shapes[shown.change_known & (number == at)], one.colour, "none", 0, 1.0)
    untold = shapes[~shown.change_known & ~unknown]
    add_shapes(ax, untold, style.UNSURE, "none", 0, 1.0)
    add_shapes(ax, untold, "none", style.UNSURE_LINE, 0, 1.1, hatch=HATCH)
    add_shapes(ax, shapes, "none", style.INK, 0.5, 1.5)


def _draw_named(ax: Any, shown: ShownChanges, frame: MapFrame) -> list[LetteredChange]:
    """Outline what is told to have changed, and gives the largest of it a letter."""
    rows = shown.outlined
    if not len(rows):
        return []
    shapes = frame.move(rows.geometry.to_crs(crs_tools.parse(frame.grid.crs)).to_numpy())
    crowded = _crowded(shapes, frame)
    lines: list[Any] = []
    if not crowded:
        lines.append(add_shapes(ax, shapes, "none", "white", 2.2, 1.55))
    if len(rows) <= MOST_OUTLINED:
        width = 0.35 if crowded else 1.1
        lines.append(add_shapes(ax, shapes, "none", style.INK, width, 1.6))
    for line in lines if not shown.zoned else []:
        frame.cut(line, ax)
    named = _largest(shown, shapes, frame)
    west, _, east, _ = frame.box
    for one in named:
        _letter(ax, one, leftwards=one.x > west + 0.9 * (east - west))
    return named


def _crowded(shapes: NDArray[Any], frame: MapFrame) -> bool:
    """Whether there are many shapes and so small that broad lines around them would cover what
    they hold.
    """
    import shapely

    west, south, east, north = frame.box
    covered = BROAD * max(east - west, north - south) * shapely.length(shapes).sum()
    return bool(len(shapes) > FEW_OUTLINED and covered > shapely.area(shapes).sum() / 2)


def _largest(shown: ShownChanges, shapes: NDArray[Any], frame: MapFrame) -> list[LetteredChange]:
    """Return the largest changes, as far as their letters do not overlap."""
    import shapely

    rows = shown.outlined
    box = frame.box
    least = APART * max(box[2] - box[0], box[3] - box[1])
    points = shapely.get_coordinates(shapely.point_on_surface(shapes))
    sides = np.diff(shapely.bounds(shapes).reshape(-1, 2, 2), axis=1)[:, 0]
    chosen: list[int] = []
    for at in range(len(rows)):
        if len(chosen) < MOST_NAMED and (np.hypot(*(points[chosen] - points[at]).T) >= least).all():
            chosen.append(at)
    places = names_of(shown, rows.iloc[chosen], frame.grid)
    return [
        LetteredChange(
            letter,
            float(points[at, 0]),
            float(points[at, 1]),
            place,
            change,
            bool(sides[at].min() >= 2 * least),
        )
        for letter, at, place, change in zip(
            ascii_uppercase, chosen, places, changes_of(rows.iloc[chosen]), strict=False
        )
    ]


def names_of(shown: ShownChanges, rows: "geopandas.GeoDataFrame", grid: Grid) -> list[str]:
    """Return the names of some rows: those of zones, else the places that their middles are in."""
    if shown.names is not None:
        return [clean(shown.names[number]) for number in rows.index]
    shapes = list(rows.geometry.to_crs(crs_tools.parse(grid.crs)))
    return place_names(grid, shapes) if shapes else []


def changes_of(rows: "geopandas.GeoDataFrame") -> list[str]:
    """Write the change of each row with its interval."""
    each = zip(rows["change"], rows["low"], rows["high"], strict=True)
    return [
        f"{style.signed(change)} ({style.signed(low)} to {style.signed(high)})"
        for change, low, high in each
    ]


def _letter(ax: Any, one: LetteredChange, *, leftwards: bool) -> None:
    """Write a letter on what it names, or beside it if that is smaller than the letter."""
    from dpmap.render.labels import LETTER

    beside = (-11, 11) if leftwards else (11, 11)
    box = {
        "boxstyle": "circle,pad=0.18",
        "facecolor": "white",
        "edgecolor": style.INK,
        "linewidth": 0.7,
    }
    ax.annotate(
        one.letter,
        (one.x, one.y),
        (0, 0) if one.wide else beside,
        gid=LETTER,
        xycoords="data",
        textcoords="offset points",
        ha="center",
        va="center",
        fontsize="x-small",
        fontweight="bold",
        zorder=4,
        bbox=box,
        annotation_clip=True,
        parse_math=False,
        arrowprops=(
            None
            if one.wide
            else {
                "arrowstyle": "-",
                "color": style.INK,
                "linewidth": 0.7,
                "shrinkA": 4,
                "shrinkB": 0,
            }
        ),
    )


def split_heading(heading: str) -> list[str]:
    """Return a heading in two lines where it ends in a unit of ground.

    >>> split_heading("change in records per 100 km2"), split_heading("change in mean length")
    (['change in records', 'per 100 km2'], ['change in mean length'])
    """
    what, per, unit = heading.rpartition(" per ")
    return [what, f"per {unit}"] if per else [unit]


def _column(shown: ShownChanges, named: Sequence[LetteredChange], whole: str | None) -> list[Any]:
    """Return the legend, and below it what has a letter."""
    from matplotlib.font_manager import FontProperties

    spread = FontProperties(size="small").get_size_in_points()
    rows = [
        legend_scalebar.Entry(
            f"{class_.words} {'more' if class_.more else 'fewer'}", face=class_.colour
        )
        for class_ in shown.classes.classes[::-1]
    ]
    compared = shown.rows["change"].notna().to_numpy()
    if (compared & ~shown.change_known).any():
        middle = len(rows) // 2
        grey = legend_scalebar.Entry(
            legend_scalebar.plain(UNTOLD, 24),
            face=style.UNSURE,
            edge=style.UNSURE_LINE,
            hatch=HATCH,
        )
        rows.insert(middle, grey)
    if whole:
        rows.append(
            legend_scalebar.Entry(
                legend_scalebar.plain(AS_A_WHOLE, 24),
                face=whole,
                edge=style.UNSURE_LINE,
                hatch=HATCH,
            )
        )
    if not compared.all():
        rows.append(legend_scalebar.Entry(NOT_COMPARED, edge=style.INK))
    parts = [
        legend_scalebar.heading(
            "\n".join(legend_scalebar.plain(part, 24) for part in split_heading(shown.heading))
        ),
        legend_scalebar.entries(rows, spread),
    ]
    if named:
        left = len(shown.outlined) - len(named)
        lead = legend_scalebar.note(
            f"Told, with {100 * shown.level:g} % intervals\n({shown.falsely}):"
        )
        more = [f"and {left:,} more, smaller or close by"] if left else []
        parts += [lead, legend_scalebar.note("\n".join([*(one.words for one in named), *more]))]
    return [
        *parts,
        legend_scalebar.note(
            legend_scalebar.plain(map_statement(shown.records[1]).capped_words(), NOTE)
        ),
    ]
