"""What the interactive page is told: the public facts of a record as plain JSON values, arrays as base64.

The page computes every number it shows from these facts by the noise law, so nothing here is a finished sentence
about a cell. Arrays are little-endian; cells are in-area cells in row order.
"""

import base64
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap import style
from dpmap.errors import BadInput
from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.grid.areas import Areas
from dpmap.grid.axes import Axis, Times
from dpmap.grid.hexagons import Hexagons
from dpmap.grid.squares import EDGE, Squares
from dpmap.grid.together import window
from dpmap.inference import Estimate, discoveries
from dpmap.inference.flat import FlatEstimate
from dpmap.inference.hotspots import hotspots as find
from dpmap.numbers import decimal_text
from dpmap.record import Measurement, Record
from dpmap.render import context as surroundings

Facts = dict[str, Any]
Values = NDArray[np.float64]
Box = tuple[float, float, float, float]

POLYGONS_UP_TO = 5_000
LARGEST = 4_000_000
DOUBLES_UP_TO = 200_000
"""Above this many cells values travel as single floats: 24 bits of precision, far finer than any noise."""
AROUND = 1.2
"""The background reaches this share of the area's longer side beyond the area: as far as the map can be moved."""
FINEST_ERROR, PIXEL_ERROR = 1e-7, 0.01
"""Of a cell's side: how closely the page places zones and the pointer, and how closely it paints."""
RUNGS = 24
STEPS = 2**31 - 1
SURE_STEP = 16


def layered(
    parts: list[tuple[Record, Estimate]], axes: tuple[Axis, ...], *, level: float, per_km2: bool
) -> list[Facts]:
    """What all layers of a release have in common, then what is each one's own; their colours have the same edges."""
    colours = [_edges(*part, per_km2=per_km2) for part in parts]
    shared = style.class_breaks(np.concatenate([sure for sure, _ in colours]))
    shared = shared or style.class_breaks(np.concatenate([values for _, values in colours])) or [0.0, 1.0]
    each = [facts(*part, level=level, per_km2=per_km2, edges=shared) for part in parts]
    common = {key: value for key, value in each[0].items() if all(one[key] == value for one in each[1:])}
    common["axes"] = [
        {"column": axis.column, "names": list(axis.layers), "times": isinstance(axis, Times)} for axis in axes
    ]
    return [common, *({key: value for key, value in one.items() if key not in common} for one in each)]


def _edges(record: Record, estimate: Estimate, *, per_km2: bool) -> tuple[Values, Values]:
    """The values that colours are for: of the cells that stand out, and of all."""
    inside = record.grid.inside
    values = estimate.values[inside] / (record.grid.square_km[inside] if per_km2 else 1.0)
    return values[style.distinguishable(estimate)[inside]], values


def facts(
    record: Record, estimate: Estimate, *, level: float, per_km2: bool, edges: list[float] | None = None
) -> Facts:
    """Everything the page needs to draw, to answer and to say where it comes from."""
    grid = record.grid
    if grid.size > LARGEST:
        raise BadInput(
            f"interactive map: {grid.size:,} cells, above the {LARGEST:,} a browser holds; "
            "draw a picture (--to map.png), or release on larger cells"
        )
    inside = grid.inside
    area = grid.square_km[inside]
    sure = style.distinguishable(estimate)[inside]
    if edges is None:
        of_sure, values = _edges(record, estimate, per_km2=per_km2)
        edges = style.class_breaks(of_sure) or style.class_breaks(values) or [0.0, 1.0]
    return {
        **_words(record, level=level, per_km2=per_km2),
        "local": record.reports is not None,
        "cells": grid.cells_inside,
        "geometry": {**geometry(grid), "blocks": blocks(record)},
        "area": array(area if np.ptp(area) > 1e-9 * area.max() else area[:1], np.float32),
        "reading": reading(record, estimate, level),
        "zones": zones(record, estimate),
        "sure": bits(sure),
        "edges": edges,
        "colours": style.class_colours(len(edges) - 1),
        "dark_colours": on_dark(len(edges) - 1),
        "labels": style.class_labels(edges),
        "alone": None if style.alone(record)[inside].all() else bits(style.alone(record)[inside]),
        "hot": hot(record, estimate),
        "confidence_colours": style.class_colours(6),
        "dark_confidence_colours": on_dark(6),
        "context": context(grid),
    }


def _words(record: Record, *, level: float, per_km2: bool) -> Facts:
    """Names and sentences; the page shows them as text only."""
    policy, receipt = record.policy, record.receipt
    unit = "each single row" if policy.unit == "row" else f"each {policy.unit}"
    noun = style.noun(record)
    consent = f"only rows with {policy.consent}" if policy.consent else "none was declared"
    if record.reports:
        unit, consent = "each volunteer's answer", "each volunteer sends her own report, or none"
    about = [
        ["Data set", receipt.dataset],
        ["Released on", record.released_on],
        ["Privacy loss (epsilon)", decimal_text(policy.epsilon)],
        ["Who it protects", unit],
        ["Cap", f"at most {policy.cap:,} points in the whole map from {unit} ({policy.cap_origin})"],
        ["Consent rule", consent],
        ["Cells", f"{record.grid.cells_inside:,}, {record.grid.cell_text}, {crs_tools.name(record.grid.crs)}"],
        ["Error", style.error_words(record)],
        ["Strategy", record.strategy],
        ["Release", receipt.release_id],
    ]
    if record.partners:  # caps and consent rules may differ: the statement lists each partner's
        about = [line for line in about if line[0] not in ("Cap", "Consent rule")]
    return {
        "title": record.title,
        "noun": noun,
        "per_km2": per_km2,
        "units": style.unit_words(record) if per_km2 else f"{noun} per cell, capped",
        "level": level,
        "rate": style.RATE,
        "provenance": style.provenance(record),
        "about": about,
    }


def on_dark(classes: int) -> list[str]:
    """The ramp from dark to light, so that more stands out more on a dark page too; it leaves out the darkest end.

    >>> on_dark(2)
    ['#842681', '#fecc8f']
    """
    shares = np.linspace(0.85, 0.02, classes) if classes > 3 else np.linspace(0.72, 0.125, classes)
    return [style.hex_colour(float(share)) for share in shares]


def array(values: Any, dtype: Any) -> Facts:
    """A typed array as base64."""
    plain = np.ascontiguousarray(values, dtype=np.dtype(dtype).newbyteorder("<"))
    return {"type": np.dtype(dtype).name, "data": base64.b64encode(plain.tobytes()).decode()}


def bits(mask: NDArray[np.bool_]) -> Facts:
    """One bit a cell, the first in the highest place of the first byte."""
    return array(np.packbits(mask.ravel()), np.uint8)


def _float_type(count: int) -> Any:
    return np.float64 if count <= DOUBLES_UP_TO else np.float32


def reading(record: Record, estimate: Estimate, level: float) -> Facts:
    """How the page gets each cell's estimate, interval and confidence.

    Where every cell was measured by itself the noisy values and the noise law suffice, for any threshold; where some
    were measured in blocks, the blocks' noisy values too (see `zones`) and the estimate. For any other reading its own
    numbers are written out, its p-values at a ladder of thresholds.
    """
    from dpmap.inference.tree import TreeEstimate  # scipy, which importing the page does not need

    inside = record.grid.inside
    values = estimate.values[inside]
    top = float(values.max(initial=0.0))
    kind = _float_type(len(values))
    measurement = _cell_by_cell(record)
    if isinstance(estimate, FlatEstimate) and measurement is not None:
        noisy = estimate.noisy[inside]
        kept = values > 0
        return {
            "law": measurement.kind,
            "noisy": array(noisy, kind),
            "lowered": float((noisy - values)[kept].max()) if kept.any() else None,
            "lattice": measurement.lattice,
            "scale": float(measurement.scale_steps),
            "one": measurement.law.one_sided(level) / measurement.lattice,
            "two": measurement.law.two_sided(level) / measurement.lattice,
            "thresholds": thresholds(top, style.half_width(record), 60),
        }
    if isinstance(estimate, TreeEstimate):
        last = record.measurements[-1]
        return {
            "law": "regions",
            "estimate": array(values, kind),
            "one": last.law.one_sided(level) / last.lattice,
            "two": last.law.two_sided(level) / last.lattice,
            "thresholds": thresholds(top, style.half_width(record), 60),
        }
    return _ladder(record, estimate, level, top)


def _ladder(record: Record, estimate: Estimate, level: float, top: float) -> Facts:
    """A reading's own numbers, its p-values at a ladder of thresholds."""
    inside, values = record.grid.inside, estimate.values[record.grid.inside]
    kind = _float_type(len(values))
    low, high = estimate.interval(level)
    steps = thresholds(top, style.half_width(record), RUNGS if len(values) <= DOUBLES_UP_TO else RUNGS // 4)
    return {
        "law": "ladder",
        "estimate": array(values, kind),
        "low": array(low[inside], kind),
        "high": array(high[inside], kind),
        "thresholds": steps,
        "rungs": [_rung(style.exceedance(record, estimate, step), inside) for step in steps],
    }


def _rung(p_values: Values, inside: NDArray[np.bool_]) -> Facts:
    """p-values at one threshold as bytes, p <= exp(-byte / 16), and the cells that exceed it after correction."""
    with np.errstate(divide="ignore"):
        sureness = np.floor(-np.log(np.clip(np.nan_to_num(p_values[inside], nan=1.0), 1e-300, 1.0)) * SURE_STEP)
    return {"p": array(np.minimum(sureness, 255), np.uint8), "exceeds": bits(discoveries(p_values, style.RATE)[inside])}


def _cell_by_cell(record: Record) -> Measurement | None:
    """The measurement the flat estimate reads, if its regions are the cells themselves."""
    if record.partners:
        return None
    measurement = record.measurements[-1]
    labels = measurement.partition.labels[record.grid.inside]
    return measurement if np.array_equal(labels, np.arange(record.grid.cells_inside)) else None


def thresholds(top: float, half_width: float, most: int) -> list[float]:
    """0 and round steps up to the largest estimate, no finer than a twentieth of the noise needs.

    >>> thresholds(10, 20, 60)
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]
    """
    finest = max(top / most, half_width / 20, 1e-9)
    magnitude = 10 ** np.floor(np.log10(finest))
    step = next(m * magnitude for m in (1, 2, 5, 10) if m * magnitude >= finest * (1 - 1e-9))
    return [float(f"{step * i:.10g}") for i in range(max(2, min(most, int(np.ceil(top / step - 1e-9)) + 1)))]


def zones(record: Record, estimate: Estimate) -> Facts:
    """The last measurement, from which `release.ask` answers too: each of its regions wholly inside a project area is
    added up; regions that the area cuts are bracketed. Of a merged map, every partner's.
    """
    if record.partners:
        known = style.known_regions(record)
        return {
            "regions": known.regions,
            "labels": array(known.labels[record.grid.inside], np.int32),
            "lattice": max(one.measurements[-1].lattice for one in record.partners),
            "partners": [_partner(record, one) for one in record.partners],
        }
    last = record.measurements[-1]
    if reports := record.reports:
        told = {"kind": "reports", "count": reports.count, "mechanism": reports.mechanism}
        chances = {"truth": float(reports.truth), "other": float(reports.other)}
        support = array(reports.steps, np.float64)
        return {"regions": last.partition.regions, "noisy": None, "labels": None, "support": support, **told, **chances}
    by_cell = _cell_by_cell(record) is not None and isinstance(estimate, FlatEstimate)
    return {
        "regions": last.partition.regions,
        "kind": last.kind,
        "scale": float(last.scale_steps),
        "lattice": last.lattice,
        "noisy": None if by_cell else array(last.values, _float_type(last.partition.regions)),
        "labels": None if by_cell else array(last.partition.labels[record.grid.inside], np.int32),
    }


def _partner(record: Record, one: Record) -> Facts:
    """A partner's last measurement over the cells of the whole map, -1 where it does not reach."""
    last, labels = one.measurements[-1], np.full(record.grid.shape, -1, dtype=np.int32)
    labels[window(record.grid, one.grid)] = last.partition.labels
    return {
        "scale": float(last.scale),
        "noisy": array(last.values, _float_type(last.partition.regions)),
        "labels": array(labels[record.grid.inside], np.int32),
    }


def hot(record: Record, estimate: Estimate) -> Facts | None:
    """Cells and clusters above their surroundings, as `release.hotspots()` finds them; of a merged map, and of reports,
    there are none.
    """
    if record.partners or record.reports:
        return None
    found = find(record.grid, record.measurements, estimate.values, rate=style.RATE)
    labels = found.labels[record.grid.inside]
    cells = np.flatnonzero(labels >= 0)
    return {
        "cells": array(cells, np.int32),
        "clusters": array(labels[cells], np.int32),
        "tested": bits(np.isfinite(found.p_values[record.grid.inside])),
        "totals": np.column_stack([found.estimate, found.low, found.high]).tolist(),
        "level": found.level,
    }


def blocks(record: Record) -> Facts | None:
    """The outlines of land that was measured as one, where cells are few enough to be polygons."""
    grid, partition = record.grid, style.known_regions(record)
    labels = partition.labels[grid.inside]
    if grid.cells_inside > POLYGONS_UP_TO or style.alone(record)[grid.inside].all():
        return None
    several = np.flatnonzero(np.bincount(labels[labels >= 0], minlength=partition.regions) > 1)
    shapes = partition.polygons(grid)[several]
    step = float(np.ptp(np.reshape(extent(shapes), (2, 2)), axis=0).max()) / 64
    first = np.array([np.flatnonzero(labels == region)[0] for region in several])
    return {
        **rings(crs_tools.transform_shapes(shapes, grid.crs, crs_tools.LONLAT, step=step)),
        "first": array(first, np.int32),
    }


def geometry(grid: Grid) -> Facts:
    """Where the cells are: polygons (areas always), or for many cells a lattice (squares) or an image (hexagons)."""
    cells = grid.cells
    few = grid.cells_inside <= POLYGONS_UP_TO or isinstance(cells, Areas)
    shapes = outlines(grid) if few or not isinstance(cells, Squares) else np.array([])
    west, south, east, north = box = extent(frame(cells, grid.crs) if isinstance(cells, Squares) else shapes)
    plain: Facts = {"kind": grid.kind, "bounds": [[south, west], [north, east]]}
    if few:
        plain["rings"] = rings(shapes)
    if isinstance(cells, Squares):
        plain["lattice"] = {**lattice(cells, grid.crs, box), "inside": None if grid.mask is None else bits(grid.mask)}
    elif not few:
        plain["image"] = image(shapes, box)
    if isinstance(cells, Areas):
        plain["names"] = list(cells.names)
        plain["plane"] = plane(grid)
    if isinstance(cells, Hexagons) and grid.size <= DOUBLES_UP_TO:
        plain["names"] = [f"{i:x}" for i in cells.ids]
    return plain


def outlines(grid: Grid) -> NDArray[Any]:
    """The in-area cells in longitude and latitude; long edges get vertices, so that they stay where they are."""
    import shapely

    shapes = grid.polygons()
    span = float(np.ptp(shapely.total_bounds(shapes).reshape(2, 2), axis=0).max())
    return crs_tools.transform_shapes(shapes, grid.crs, crs_tools.LONLAT, step=span / 64)


def frame(cells: Squares, crs: str) -> NDArray[Any]:
    """The edge of a grid of squares in longitude and latitude."""
    import shapely

    west, south, east, north = cells.bounds
    edge = shapely.box(west, south, east, north)
    return crs_tools.transform_shapes(
        np.array([edge]), crs, crs_tools.LONLAT, step=max(east - west, north - south) / 256
    )


def extent(shapes: Any) -> Box:
    """West, south, east and north of shapes in degrees."""
    import shapely

    west, south, east, north = (float(side) for side in shapely.total_bounds(shapes))
    if not np.isfinite([west, south, east, north]).all():
        raise BadInput("interactive map: the grid reaches beyond what its CRS can place on the globe")
    return west, south, east, north


def rings(shapes: NDArray[Any]) -> Facts:
    """Closed outlines, outer ones anticlockwise and inner ones clockwise, in whole steps from the south-west corner."""
    west, south, east, north = extent(shapes)
    lines, step = _rings(shapes), max(east - west, north - south) / STEPS
    points = array(np.rint((lines["points"] - [west, south]) / step), np.int32)
    return {**lines, "points": points, "corner": [west, south], "step": step}


def _rings(shapes: NDArray[Any]) -> Facts:
    """The vertices of all outlines, with each ring's cell and its number of vertices."""
    import shapely

    parts, cell = shapely.get_parts(shapes, return_index=True)
    polygonal = shapely.get_type_id(parts) == 3
    lines, part = shapely.get_rings(shapely.orient_polygons(parts[polygonal]), return_index=True)
    return {
        "points": shapely.get_coordinates(lines),
        "lengths": array(shapely.get_num_coordinates(lines), np.int32),
        "cells": array(cell[polygonal][part], np.int32),
    }


def plane(grid: Grid) -> Facts | None:
    """Areas in their own projection, in which zones are laid over them; none where that is longitude and latitude."""
    import shapely

    if crs_tools.is_lonlat(grid.crs):
        return None
    shapes = grid.polygons()
    west, _, _, north = shapely.total_bounds(shapes)
    side = float(np.sqrt(shapely.area(shapes).min()))
    frame = Squares((west, north - side, west + side, north), (1, 1))
    lines = _rings(shapely.transform(shapes, lambda xy: (xy - [west, north]) / [side, -side]))
    box = extent(outlines(grid))
    rings_there = {**lines, "points": array(lines["points"], np.float64), "corner": [0, 0], "step": 1}
    return {**mesh(frame, grid.crs, box), "rings": rings_there}


def lattice(cells: Squares, crs: str, box: Box) -> Facts:
    """Rows and columns, and the way there from longitude and latitude."""
    return {"rows": cells.shape[0], "columns": cells.shape[1], **mesh(cells, crs, box)}


def mesh(cells: Squares, crs: str, box: Box) -> Facts:
    """The way from longitude and latitude to (column, row): exact places to interpolate between, over the box and a
    little more.

    They lie closer until cubics between them miss by less than `FINEST_ERROR` of a cell's side, and straight lines, by
    which pixels are placed, by less than `PIXEL_ERROR`.
    """
    west, south, east, north = box
    across, down = (east - west) / 32, (north - south) / 32
    wider = (west - across, south - down, east + across, north + down)
    straight = crs_tools.is_lonlat(crs)
    around = box if straight or not np.isfinite(_mesh(cells, crs, wider, 17)[0]).all() else wider
    for nodes in (2,) if straight else (17, 33, 65, 129, 257):
        exact, linear, cubic = _mesh(cells, crs, around, nodes)
        if max(linear / PIXEL_ERROR, cubic / FINEST_ERROR) < 1:
            break
    if not np.isfinite(exact).all():
        raise BadInput("interactive map: the grid reaches beyond what its CRS can place on the globe")
    return {
        "box": list(around),
        "nodes": nodes,
        "mesh": array(exact, np.float64),
        "tolerance": EDGE if straight else max(EDGE, 2 * cubic),
    }


def _mesh(cells: Squares, crs: str, box: Box, nodes: int) -> tuple[Values, float, float]:
    """Columns and rows at so many nodes a side, and by how much lines and cubics between them miss the middles."""
    west, south, east, north = box
    lon, lat = np.linspace(west, east, nodes), np.linspace(north, south, nodes)
    exact = _column_row(cells, crs, *np.meshgrid(lon, lat))
    true = _column_row(cells, crs, *np.meshgrid((lon[:-1] + lon[1:]) / 2, (lat[:-1] + lat[1:]) / 2))
    between = (exact[:-1, :-1] + exact[1:, :-1] + exact[:-1, 1:] + exact[1:, 1:]) / 4
    linear = float(np.abs(between - true).max())
    if nodes < 4:
        return exact, linear, 0.0
    weights = np.array([-1, 9, 9, -1]) / 16
    windows = np.lib.stride_tricks.sliding_window_view(exact, (4, 4), axis=(0, 1))
    cubic = float(np.abs(windows @ weights @ weights - true[1:-1, 1:-1]).max())
    return exact, linear, cubic


def _column_row(cells: Squares, crs: str, lon: Values, lat: Values) -> Values:
    """Fractional column and row of places, both counted from the north-west corner."""
    x, y = crs_tools.transform(lon.ravel(), lat.ravel(), crs_tools.LONLAT, crs)
    west, _, _, north = cells.bounds
    width, height = cells.cell
    return np.stack([(x - west) / width, (north - y) / height], axis=-1).reshape(*lon.shape, 2)


def image(outlines: Any, box: Box) -> Facts:
    """Cell numbers (from 1; 0 outside) on a Web Mercator raster of some six pixels a cell, nearest cell each."""
    import zlib

    import rasterio.features
    import shapely

    west, south, east, north = (float(side) for side in mercator(np.array([box[:2], box[2:]])).ravel())
    pixels = min(4_000_000, 6 * len(outlines))
    width = int(np.clip(np.sqrt(pixels * (east - west) / (north - south)), 64, 4096))
    height = int(np.clip(pixels / width, 64, 4096))
    shapes = shapely.transform(outlines, mercator)
    where = rasterio.Affine((east - west) / width, 0, west, 0, (south - north) / height, north)
    numbers = rasterio.features.rasterize(
        zip(shapes[::-1], range(len(shapes), 0, -1), strict=True), (height, width), transform=where, dtype="int32"
    )
    packed = zlib.compress(np.diff(numbers, axis=1, prepend=0).astype("<i4").tobytes(), 6)
    return {
        "width": width,
        "height": height,
        "box": [west, south, east, north],
        "numbers": {"type": "deflated", "data": base64.b64encode(packed).decode()},
    }


def mercator(lonlat: Values) -> Values:
    """Web Mercator on the unit square's scale: x and y from -0.5 to 0.5, y to the north."""
    sine = np.sin(np.radians(np.clip(lonlat[:, 1], -85.0511, 85.0511)))
    return np.column_stack([lonlat[:, 0] / 360, np.arctanh(sine) / (2 * np.pi)])


def context(grid: Grid) -> Facts:
    """Land, lakes, borders and rivers around the cells, each shape as its lines: orientation, fetched from nowhere."""
    import shapely

    found = surroundings.context(grid, margin=AROUND)
    lines: Facts = {"box": list(surroundings.lonlat_box(grid, margin=AROUND))}
    for name, shapes in found.items():
        parts = shapely.get_parts(np.array(shapes, dtype=object))
        rings = shapely.get_parts(shapely.boundary(parts)) if name in ("land", "lakes") else parts
        lines[name] = [np.round(shapely.get_coordinates(part), 5).tolist() for part in rings]
    return lines
