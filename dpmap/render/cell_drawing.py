"""Draws cells, their outlines and other shapes with matplotlib, for the static map."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap import style
from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.grid.squares import Squares
from dpmap.render.colouring import Painting, colour_values
from dpmap.render.map_frame import MapFrame, compound

HATCH = "/////"
WARPED_PIXELS = 1800
"""Along the longer side, of an image that is not of whole cells."""
ROUNDED = 0.35
"""Smooth colours are rounded by this share of a cell, so that the lines between them have no
corners at the middles of cells.
"""
STRIPES = 20
"""Pixels from stripe to stripe."""
HATCHED_CELLS = 40_000
"""Above so many cells the hatching is painted into the image, cell by cell, instead of drawn as
lines.
"""
OUTLINED_CELLS = 40_000
"""Above so many cells no lines are drawn around places: they would cover the colours; nor around
joined hexagons or areas.
"""


def draw_cells(ax: Any, frame: MapFrame, painting: Painting) -> None:
    """Draw squares as an image whose pixels are the cells, other and projected cells as polygons;
    the unsure ones hatched. On a map of land they end at the coast.
    """
    grid = frame.grid
    if painting.smooth and isinstance(grid.cells, Squares):
        _draw_smooth(ax, frame, grid.cells, painting)
        return
    if not isinstance(grid.cells, Squares) or (
        frame.projected and grid.cells_inside <= OUTLINED_CELLS
    ):
        _draw_polygons(ax, frame, painting)
        return
    paint_all = np.zeros((*grid.shape, 4))
    paint_all[grid.inside, :3] = painting.colours
    paint_all[grid.inside, 3] = 1
    fine = grid.size > HATCHED_CELLS
    unsure = np.zeros(grid.shape, dtype=bool)
    unsure[grid.inside] = painting.unsure
    if fine:
        _paint_stripes(paint_all, unsure)
    west, south, east, north = grid.cells.bounds
    if frame.projected:
        west, south, east, north = frame.box
        paint_all = _warp(frame, paint_all)
    image = ax.imshow(
        paint_all,
        extent=(west, east, south, north),
        aspect=ax.get_aspect(),
        zorder=1,
        interpolation="auto" if fine else "nearest",
        interpolation_stage="rgba",
    )
    frame.cut(image, ax)
    if not fine and unsure.any():
        runs = _runs(grid.cells, unsure)
        hatch = add_shapes(ax, runs, "none", style.UNSURE_LINE, 0, 1.1, hatch=HATCH)
        frame.cut(hatch, ax)


def _warp(frame: MapFrame, pixels: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the image of squares in degrees as it lies in the frame: each pixel has the colour
    of the cell at its middle.
    """
    x, y = _pixels(frame)
    cell = frame.grid.cells.locate(x.ravel(), y.ravel())
    flat = np.concatenate([pixels.reshape(-1, 4), np.zeros((1, 4))])
    return flat[cell].reshape(*x.shape, 4)


def _pixels(frame: MapFrame) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return where the middles of the frame's pixels lie, in the grid's CRS."""
    west, south, east, north = frame.box
    side = max(east - west, north - south) / WARPED_PIXELS
    x = np.arange(west + side / 2, east, side)
    y = np.arange(north - side / 2, south, -side)
    across, up = np.meshgrid(x, y)
    moved = crs_tools.transform(across.ravel(), up.ravel(), frame.crs, frame.grid.crs)
    return moved[0].reshape(across.shape), moved[1].reshape(across.shape)


def _draw_smooth(ax: Any, frame: MapFrame, squares: Squares, painting: Painting) -> None:
    """Draw colours that run across squares, between their middles; light stripes where they are
    less sure.
    """
    from scipy.ndimage import distance_transform_edt, gaussian_filter, map_coordinates

    grid = frame.grid
    x, y = _pixels(frame)
    west, _, _, north = squares.bounds
    width, height = squares.cell
    at = np.stack([(north - y) / height - 0.5, (x - west) / width - 0.5])
    nearest = distance_transform_edt(~grid.inside, return_distances=False, return_indices=True)

    def between_middles(values: NDArray[np.float64]) -> NDArray[np.float64]:
        cells = np.zeros(grid.shape)
        cells[grid.inside] = values
        filled = cells[tuple(nearest)]
        between: NDArray[np.float64] = map_coordinates(filled, at, order=1, mode="nearest")
        return between

    least = max(float(painting.values.max()), 1e-300) * 1e-6
    rounded = ROUNDED * WARPED_PIXELS / (max(np.ptp(at[0]), np.ptp(at[1])) + 1)
    values = np.exp(
        gaussian_filter(between_middles(np.log(np.maximum(painting.values, least))), rounded)
    )
    colours, _ = colour_values(
        values.ravel(),
        painting.edges,
        painting.unit,
        continuous=painting.continuous,
        ramp=painting.ramp,
    )
    image = np.ones((*x.shape, 4))
    image[..., :3] = colours.reshape(*x.shape, 3)
    if painting.vague is not None:
        row, column = np.ogrid[: x.shape[0], : x.shape[1]]
        striped = (row + column) % STRIPES < STRIPES // 4
        striped = striped & (between_middles(painting.vague.astype(float)) > 0.5)
        image[striped, :3] = 0.35 * image[striped, :3] + 0.65
    cell = grid.cells.locate(x.ravel(), y.ravel()).reshape(x.shape)
    image[..., 3] = (cell >= 0) & grid.inside.ravel()[cell]
    west, south, east, north = frame.box
    drawn = ax.imshow(
        image,
        extent=(west, east, south, north),
        aspect=ax.get_aspect(),
        zorder=1,
        interpolation_stage="rgba",
    )
    frame.cut(drawn, ax)


def _draw_polygons(ax: Any, frame: MapFrame, painting: Painting) -> None:
    """Draw each cell in its colour, with an edge of the same colour so that no gap shows."""
    from matplotlib.collections import PathCollection

    shapes = frame.move(frame.grid.polygons())
    cells = PathCollection(
        _curves(shapes),
        facecolors=painting.colours,
        edgecolors="face",
        linewidths=0.35,
        joinstyle="round",
        zorder=1,
    )
    ax.add_collection(cells, autolim=False)
    frame.cut(cells, ax)
    if painting.unsure.any():
        hatch = add_shapes(
            ax, shapes[painting.unsure], "none", style.UNSURE_LINE, 0, 1.1, hatch=HATCH
        )
        frame.cut(hatch, ax)


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
    ax: Any, frame: MapFrame, chosen: NDArray[np.bool_], colour: str, width: float, order: float
) -> None:
    """Draw a line around the chosen in-area cells."""
    grid = frame.grid
    if not chosen.any():
        return
    if isinstance(grid.cells, Squares):
        cells = np.zeros(grid.shape, dtype=bool)
        cells[grid.inside] = chosen
        _draw_segments(ax, frame, _boundary(grid.cells, cells), colour, width, order)
    elif len(chosen) <= OUTLINED_CELLS:
        rings = frame.move(_edge(grid, grid.polygons()[chosen]))
        frame.cut(add_shapes(ax, rings, "none", colour, width, order), ax)


def outline_blocks(ax: Any, frame: MapFrame, block: NDArray[np.int64]) -> bool:
    """Draw lines around each block, and return whether it could; `block` holds their numbers
    in grid shape, and 0 for none.
    """
    grid = frame.grid
    if isinstance(grid.cells, Squares):
        _draw_segments(ax, frame, _boundary(grid.cells, block), style.INK, 0.6, 1.45)
        return True
    return _draw_rings(ax, frame, block, style.INK, 0.6)


def part_places(
    ax: Any, frame: MapFrame, place: NDArray[np.int64], colours: NDArray[np.float64]
) -> bool:
    """Draw thin light lines between places of one colour, and return whether it could; `place`
    holds their numbers in grid shape, and 0 for those that need none.

    Places of different colours are parted by these. Areas and hexagons have lines all around.
    """
    grid = frame.grid
    if not isinstance(grid.cells, Squares):
        return _draw_rings(ax, frame, place, "white", 0.4)
    code = np.zeros(grid.shape, dtype=np.int64)
    code[grid.inside] = np.unique(colours, axis=0, return_inverse=True)[1].ravel() + 1
    segments = _boundary(grid.cells, place, code)
    _draw_segments(ax, frame, segments, "white", 0.35, 1.45)
    return True


def _draw_rings(
    ax: Any, frame: MapFrame, block: NDArray[np.int64], colour: str, width: float
) -> bool:
    """Draw a line around each block of polygons, and return whether they are few enough."""
    grid = frame.grid
    if grid.size > OUTLINED_CELLS:
        return False
    blocks_inside = block[grid.inside]
    order = np.argsort(blocks_inside, kind="stable")[np.count_nonzero(blocks_inside == 0) :]
    groups = np.split(grid.polygons()[order], np.flatnonzero(np.diff(blocks_inside[order])) + 1)
    rings = [_edge(grid, group) for group in groups if len(group)]
    if rings:
        moved = frame.move(np.concatenate(rings))
        frame.cut(add_shapes(ax, moved, "none", colour, width, 1.45), ax)
    return True


def _draw_segments(
    ax: Any,
    frame: MapFrame,
    segments: NDArray[np.float64],
    colour: str,
    width: float,
    order: float,
) -> None:
    """Draw sides of cells as lines."""
    from matplotlib.collections import LineCollection

    if not len(segments):
        return
    lines = LineCollection(
        list(frame.move_segments(segments)),
        colors=colour,
        linewidths=width,
        zorder=order,
        capstyle="round",
    )
    ax.add_collection(lines, autolim=False)
    frame.cut(lines, ax)


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


def _boundary(
    cells: Squares, chosen: NDArray[Any], alike: NDArray[Any] | None = None
) -> NDArray[np.float64]:
    """Return the sides between chosen cells and others, as segments; only those between cells
    of the same value in `alike`, if it is given.
    """
    west, south, east, north = cells.bounds
    x = west + (east - west) * np.arange(cells.shape[1] + 1) / cells.shape[1]
    y = north - (north - south) * np.arange(cells.shape[0] + 1) / cells.shape[0]
    padded = np.pad(chosen, 1)
    level = padded[1:, 1:-1] != padded[:-1, 1:-1]
    upright = padded[1:-1, 1:] != padded[1:-1, :-1]
    if alike is not None:
        around = np.pad(alike, 1)
        level &= around[1:, 1:-1] == around[:-1, 1:-1]
        upright &= around[1:-1, 1:] == around[1:-1, :-1]
    r, c = np.nonzero(level)
    flat = np.stack([np.column_stack([x[c], y[r]]), np.column_stack([x[c + 1], y[r]])], axis=1)
    r, c = np.nonzero(upright)
    steep = np.stack([np.column_stack([x[c], y[r]]), np.column_stack([x[c], y[r + 1]])], axis=1)
    return np.concatenate([flat, steep])


def add_shapes(
    ax: Any,
    shapes: NDArray[Any],
    face: str,
    edge: str,
    width: float,
    order: float,
    dashes: Any = "solid",
    hatch: str | None = None,
) -> Any:
    """Add all shapes as one compound path, and return it."""
    from matplotlib.patches import PathPatch

    patch = PathPatch(
        compound(shapes),
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
    return patch
