"""Draws what tells the reader of a picture where she is: land and sea, the reader's own layers,
names, north.

Coasts, rivers and lines lie thinly over the cells, which cover the ground; whatever is drawn above
them has a light edge, so that it is seen on every colour.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpmap import style
from dpmap.geography.natural_earth import clip_shapes
from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.render import legend_scalebar
from dpmap.render import natural_earth as background
from dpmap.render.cell_drawing import add_shapes
from dpmap.render.map_frame import MapFrame, compound
from dpmap.render.towns import in_frame, place_names
from dpmap.render.user_layers import Own, layer_labels
from dpmap.statement.phrases import clean

COAST = "#54656f"
SHORE = "#c3dbe8"
OWN_FACE = "#e4eadb"
OWN_AREA = "#5f7350"
OWN_LINE = "#5b4d42"
CANDIDATES = 80
LARGE_TOWNS = 3
"""So many towns have large names."""
ASKEW = 3.0
"""Degrees: north is marked where it lies farther from up."""


def draw_ground(ax: Any, frame: MapFrame, user_layers: Sequence[Own]) -> None:
    """Draw land, lakes and areas under the cells, coasts, borders, rivers and lines over them:
    thinner for larger maps.
    """
    grid = frame.ground
    layers = background.context(grid)
    span = background.longer(background.sides(grid))
    thin = 0.5 if span > 40 else 1.0
    ax.set_facecolor(style.WATER)

    def shapes_of(
        shapes: Any, face: str, edge: str, width: float, order: float, dashes: Any = "solid"
    ) -> None:
        if len(shapes):
            moved = crs_tools.transform_shapes(
                np.array(shapes, dtype=object), crs_tools.LONLAT, grid.crs, step=span / 50
            )
            add_shapes(ax, moved, face, edge, width * thin, order, dashes=dashes)

    shapes_of(layers["land"], style.LAND, "none", 0.0, 0.5)
    shapes_of(layers["lakes"], style.WATER, "none", 0.0, 0.6)
    _line_the_sea(ax, grid, layers["land"], 2.4 * thin)
    for name, edge, width, order in (
        ("lakes", style.RIVER, 0.5, 1.2),
        ("rivers", style.RIVER, 0.8, 1.2),
    ):
        shapes_of(layers[name], "none", edge, width, order)
    shapes_of(_coast(grid, layers["land"]), "none", COAST, 0.6, 1.22)
    shapes_of(layers["borders"], "none", style.BORDER, 0.8, 1.3, dashes=(0, (4, 2)))
    for layer in user_layers:
        shapes_of(layer.parts(2), OWN_FACE, "none", 0.0, 0.7)
        for lines, edge in ((layer.parts(2), OWN_AREA), (layer.parts(1), OWN_LINE)):
            shapes_of(lines, "none", "white", 1.5, 1.31)
            shapes_of(lines, "none", edge, 0.7, 1.32)


def _coast(grid: Grid, land: Sequence[Any]) -> list[Any]:
    """Return the shores of land in degrees, without the lines where the frame cuts it."""
    import shapely

    rings = shapely.boundary(np.array(land, dtype=object))
    shores: list[Any] = []
    for west, south, east, north in background.sides(grid):
        by = 1e-4 * max(east - west, north - south)
        box = (west + by, south + by, east - by, north - by)
        shores += [line for line in clip_shapes(rings, box) if not line.is_empty]
    return shores


def _line_the_sea(ax: Any, grid: Grid, land: Sequence[Any], width: float) -> None:
    """Draw a light edge along the coast on the side of the sea only, so that cells over it are
    told from those on land.
    """
    import shapely
    from matplotlib.patches import PathPatch

    frame = background.sides(grid)
    step = background.longer(frame) / 50
    sea = shapely.difference(
        shapely.box(*np.transpose(frame)), shapely.union_all(np.array(land, dtype=object))
    )
    if not land or shapely.is_empty(sea).all():
        return
    moved = [
        crs_tools.transform_shapes(
            np.array(shapes, dtype=object), crs_tools.LONLAT, grid.crs, step=step
        )
        for shapes in (sea, land)
    ]
    edge = PathPatch(
        compound(moved[1]),
        facecolor="none",
        edgecolor=SHORE,
        linewidth=width,
        joinstyle="round",
        zorder=1.21,
    )
    ax.add_artist(edge)
    edge.set_clip_path(compound(moved[0]), ax.transData)


def draw_names(ax: Any, frame: MapFrame, user_layers: Sequence[Own]) -> None:
    """Name the own layers' features and the most important towns in the frame, those in the area
    first; the unnamed points are dots.
    """
    from dpmap.render.labels import LabelPlacer

    towns = in_frame(frame.ground).first(CANDIDATES)
    within = frame.grid.locate(towns.lon, towns.lat, crs_tools.LONLAT) >= 0
    ranks = np.where(within, np.where(np.cumsum(within) <= LARGE_TOWNS, 0, 1), 2)
    order = np.argsort(~within, kind="stable").tolist()
    town_points = [
        *((*label, 1) for label in layer_labels(user_layers, background.lonlat_box(frame.ground))),
        *(
            (clean(towns.names[i]), (towns.lon[i], towns.lat[i]), True, int(ranks[i]))
            for i in order
        ),
    ]
    if town_points:
        words, at, dots, levels = zip(*town_points, strict=True)
        lon, lat = np.array(at).T
        x, y = crs_tools.transform(lon, lat, crs_tools.LONLAT, frame.crs)
        ax.add_artist(LabelPlacer(np.column_stack([x, y]), words, dots, levels))


def marks(ax: Any, frame: MapFrame) -> list[Any]:
    """Return the scale bar, a place for a map without names, north where it is not plainly up, and
    a line where the coast is drawn coarser than the cells.
    """
    import shapely

    from dpmap.render.labels import NAMES

    box = frame.box
    parts = [legend_scalebar.scale_bar(ax, frame.crs, box)]
    if frame.coast and not any(child.get_gid() == NAMES for child in ax.get_children()):
        middle = shapely.centroid(shapely.box(*background.frame(frame.grid)))
        place = place_names(frame.grid, [middle])[0]
        parts.append(legend_scalebar.note(legend_scalebar.plain(f"Middle of the map: {place}", 28)))
    turn = north(frame.crs, box)
    if turn is not None and abs(turn) > ASKEW:
        parts.append(legend_scalebar.north(turn))
    if frame.coast and background.coarse(frame.grid):
        parts.append(legend_scalebar.note(background.COARSE))
    return parts


def north(crs: str, box: background.Box) -> float | None:
    """Return how many degrees north lies to the right of up at the middle of the map; None where
    that cannot be said.

    >>> north("EPSG:4326", (0, 50, 2, 51))
    0.0
    """
    x = (box[0] + box[2]) / 2
    y = (box[1] + box[3]) / 2
    if crs_tools.is_lonlat(crs):
        return 0.0
    lon, lat = crs_tools.transform(np.array([x]), np.array([y]), crs, crs_tools.LONLAT)
    to = crs_tools.transform(lon, np.minimum(lat + 1e-3, 90.0), crs_tools.LONLAT, crs)
    east = float(to[0][0] - x)
    up = float(to[1][0] - y)
    return (
        float(np.degrees(np.arctan2(east, up))) if np.isfinite(east + up) and (east or up) else None
    )
