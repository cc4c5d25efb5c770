"""Draws cells, their outlines and other shapes with matplotlib, for the static map."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap import style
from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.grid.squares import Squares
from dpmap.render.colouring import Painting

HATCH = "/////"
HATCHED_CELLS = 40_000
"""Above so many cells the hatching is painted into the image, cell by cell, instead of drawn as
lines.
"""
OUTLINED_CELLS = 40_000
"""Above so many cells no lines are drawn around places: they would cover the colours; nor around
joined hexagons or areas.
"""


def draw_cells(ax: Any, grid: Grid, painting: Painting) -> None:
    """Draw squares as an image whose pixels are the cells, other cells as polygons; the unsure
    ones hatched.
    """
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
        paint_all,
        extent=(west, east, south, north),
        aspect=ax.get_aspect(),
        zorder=1,
        interpolation="auto" if fine else "nearest",
        interpolation_stage="rgba",
    )
    if not fine and unsure.any():
        add_shapes(ax, _runs(grid.cells, unsure), "none", style.UNSURE_LINE, 0, 1.1, hatch=HATCH)


def _draw_polygons(ax: Any, grid: Grid, painting: Painting) -> None:
    from matplotlib.collections import PathCollection

    shapes = grid.polygons()
    edge = (
        "face"
        if len(shapes) > 2000 or (painting.places is not None and grid.kind == "hexagons")
        else "white"
    )
    cells = PathCollection(
        _curves(shapes), facecolors=painting.colours, edgecolors=edge, linewidths=0.35, zorder=1
    )
    ax.add_collection(cells, autolim=False)
    if painting.unsure.any():
        add_shapes(ax, shapes[painting.unsure], "none", style.UNSURE_LINE, 0, 1.1, hatch=HATCH)


def _curves(shapes: NDArray[Any]) -> list[Any]:
    """Return each shape as a matplotlib path."""
    import shapely
    from matplotlib.path import Path as Curve

    if (
        shapely.get_type_id(shapes) != shapely.GeometryType.POLYGON
    ).any() or shapely.get_num_interior_rings(shapes).any():
        return [compound(shapes[i : i + 1]) for i in range(len(shapes))]
    ends = np.cumsum(shapely.get_num_coordinates(shapes))[:-1]
    return [Curve(ring) for ring in np.split(shapely.get_coordinates(shapes), ends)]


def _paint_stripes(colours: NDArray[np.float64], unsure: NDArray[np.bool_]) -> None:
    """Paint diagonal stripes about as far apart as those of the hatching, in whole cells."""
    period = max(4, round(max(unsure.shape) / 70))
    row, column = np.ogrid[: unsure.shape[0], : unsure.shape[1]]
    striped = unsure & ((row + column) % period < max(1, round(period * 0.22)))
    colours[striped, :3] = (
        colours[striped, :3] * 0.35 + np.array(style.rgb(style.UNSURE_LINE)) * 0.65
    )


def _runs(cells: Squares, chosen: NDArray[np.bool_]) -> NDArray[Any]:
    """Return the chosen cells as rectangles, each as long as its row allows."""
    import shapely

    columns = cells.shape[1]
    ends = np.diff(np.pad(chosen, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    row, first = np.nonzero(ends == 1)
    last = np.nonzero(ends == -1)[1] - 1
    west, south, _, north = cells.corners(row * columns + first)
    east = cells.corners(row * columns + last)[2]
    boxes: NDArray[Any] = shapely.box(west, south, east, north)
    return boxes


def outline(
    ax: Any, grid: Grid, chosen: NDArray[np.bool_], colour: str, width: float, order: float
) -> None:
    """Draw a line around the chosen in-area cells."""
    from matplotlib.collections import LineCollection

    if not chosen.any():
        return
    if isinstance(grid.cells, Squares):
        cells = np.zeros(grid.shape, dtype=bool)
        cells[grid.inside] = chosen
        segments = _boundary(grid.cells, cells)
        ax.add_collection(
            LineCollection(
                segments, colors=colour, linewidths=width, zorder=order, capstyle="projecting"
            ),
            autolim=False,
        )
    elif len(chosen) <= OUTLINED_CELLS:
        add_shapes(ax, _edge(grid, grid.polygons()[chosen]), "none", colour, width, order)


def outline_blocks(ax: Any, grid: Grid, block: NDArray[np.int64], width: float = 0.6) -> bool:
    """Draw lines around each block, and return whether it could; `block` holds their numbers
    in grid shape, and 0 for none.
    """
    from matplotlib.collections import LineCollection

    if isinstance(grid.cells, Squares):
        lines = LineCollection(
            _boundary(grid.cells, block), colors=style.INK, linewidths=width, zorder=1.45
        )
        ax.add_collection(lines, autolim=False)
        return True
    if grid.size > OUTLINED_CELLS:
        return False
    blocks_inside = block[grid.inside]
    order = np.argsort(blocks_inside, kind="stable")[np.count_nonzero(blocks_inside == 0) :]
    groups = np.split(grid.polygons()[order], np.flatnonzero(np.diff(blocks_inside[order])) + 1)
    rings = [_edge(grid, group) for group in groups if len(group)]
    if rings:
        add_shapes(ax, np.concatenate(rings), "none", style.INK, width, 1.45)
    return True


def _edge(grid: Grid, shapes: NDArray[Any]) -> NDArray[Any]:
    """Return the outer and inner edges of joined polygons, without the slivers between
    neighbours that nearly touch.
    """
    import shapely

    joined = shapely.union_all(shapes, grid_size=1e-7 if crs_tools.is_lonlat(grid.crs) else 0.01)
    rings = shapely.get_rings(shapely.get_parts(joined))
    large = shapely.area(shapely.polygons(rings)) > 0.05 * float(shapely.area(shapes).min())
    large_rings: NDArray[Any] = rings[large]
    return large_rings


def _boundary(cells: Squares, chosen: NDArray[Any]) -> list[Any]:
    """Return the sides between chosen cells and others, as segments."""
    west, south, east, north = cells.bounds
    x = west + (east - west) * np.arange(cells.shape[1] + 1) / cells.shape[1]
    y = north - (north - south) * np.arange(cells.shape[0] + 1) / cells.shape[0]
    padded = np.pad(chosen, 1)
    r, c = np.nonzero(padded[1:, 1:-1] != padded[:-1, 1:-1])
    level = np.stack([np.column_stack([x[c], y[r]]), np.column_stack([x[c + 1], y[r]])], axis=1)
    r, c = np.nonzero(padded[1:-1, 1:] != padded[1:-1, :-1])
    upright = np.stack([np.column_stack([x[c], y[r]]), np.column_stack([x[c], y[r + 1]])], axis=1)
    return list(np.concatenate([level, upright]))


def add_shapes(
    ax: Any,
    shapes: NDArray[Any],
    face: str,
    edge: str,
    width: float,
    order: float,
    dashes: Any = "solid",
    hatch: str | None = None,
) -> None:
    """Add all shapes as one compound path."""
    from matplotlib.patches import PathPatch

    path = compound(shapes)
    if len(path.vertices):
        patch = PathPatch(
            path,
            facecolor=face,
            edgecolor=edge,
            linewidth=width,
            zorder=order,
            linestyle=dashes,
            joinstyle="round",
            hatch=hatch,
        )
        if hatch:
            patch.set_hatch_linewidth(0.5)
        ax.add_artist(patch)
        patch.set_clip_path(ax.patch)


def compound(shapes: NDArray[Any]) -> Any:
    """Join polygons and lines into one matplotlib path; holes run the other way round, so that
    they stay open.
    """
    import shapely
    from matplotlib.path import Path as Curve

    parts = shapely.get_parts(shapes)
    flat = shapely.get_dimensions(parts) == 2
    rings = np.concatenate([shapely.get_rings(shapely.orient_polygons(parts[flat])), parts[~flat]])
    xy, owner = shapely.get_coordinates(rings, return_index=True)
    sound = np.isfinite(xy).all(axis=1)
    xy = xy[sound]
    owner = owner[sound]
    codes = np.full(len(xy), Curve.LINETO, dtype=Curve.code_type)
    codes[np.flatnonzero(np.diff(owner, prepend=-1))] = Curve.MOVETO
    return Curve(xy, codes)
