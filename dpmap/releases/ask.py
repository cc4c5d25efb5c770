"""Totals of project areas, read off a release: what it says about a zone, how surely, and where it cannot say."""

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid import crs as crs_tools
from dpmap.grid.area import read_shapes
from dpmap.grid.cover import Cover, Coverer, in_strips, zone_square_km
from dpmap.grid.squares import EDGE
from dpmap.inference import Estimate
from dpmap.inference.listed import at_least, at_most, shown
from dpmap.inference.means import ANSWERED, MeanEstimate
from dpmap.record import Record

if TYPE_CHECKING:
    import geopandas

FINEST = 1 / 200
"""Edges of zones get a vertex for every so much of the zone's span before they are projected."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a release says about one zone.

    `estimate`, `low` and `high` are capped totals in points, of the part of the zone that lies in the map; the bounds
    hold the true one with at least the level asked for. `cells_inside` are wholly in the zone, `cells_cut` partly.
    `in_map` is the share of the zone inside the declared area (its in-area cells); `per_km2` is the estimate over that
    ground. All are missing for a zone outside the map.
    """

    estimate: float
    low: float
    high: float
    per_km2: float
    area_km2: float
    in_map: float
    cells_inside: int
    cells_cut: int
    note: str


@dataclass(frozen=True, slots=True)
class MeanAnswer:
    """What a map of means says about one zone: its `mean` with bounds, and `count`, the capped total that it is of, with
    bounds. The rest is as in `Answer`.
    """

    mean: float
    low: float
    high: float
    count: float
    count_low: float
    count_high: float
    area_km2: float
    in_map: float
    cells_inside: int
    cells_cut: int
    note: str


def ask(
    record: Record, estimate: Estimate | None, zones: Any, *, level: float = 0.9, layer: str | None = None
) -> "geopandas.GeoDataFrame":
    """The zones as given, in their own CRS and with their own columns, each with its `Answer`.

    `zones` is a file, a GeoDataFrame, a shapely geometry (longitude and latitude) or a box (west, south, east, north)
    in degrees. Each interval holds for its own zone, chosen before looking at the map; for zones drawn around what the
    map shows, see `hotspots`. A cell that the zone's edge cuts is bracketed: the lower bound leaves it out, the upper
    one takes all of it, and the estimate takes the share of it that the zone covers. A sparse release has no
    `estimate`: a zone's is what its listed cells add up to, and the bounds allow for all that is not listed.
    """
    if not 0 < level < 1:
        raise BadInput("level: a probability between 0 and 1, like 0.9")
    if zones is None:
        raise BadInput("zones: give a polygon file, a GeoDataFrame, a shapely geometry or a box in degrees")
    shapes, source, _ = read_shapes(zones, layer=layer, role="zones")
    frame = _frame(zones, shapes, source, layer)
    coverer = None if estimate is None else Coverer(record.grid)
    answers: list[Answer | MeanAnswer] = []
    for shape, moved in zip(shapes, _moved(shapes, source, record.grid.crs), strict=True):
        square_km = zone_square_km(shape, source)
        if coverer is None or estimate is None:
            answers.append(_listed_answer(record, moved, square_km, level))
        elif isinstance(estimate, MeanEstimate):
            answers.append(mean_answer(record, estimate, coverer.cover(moved), square_km, level))
        else:
            answers.append(answer(record, estimate, coverer.cover(moved), square_km, level))
    columns = Answer.__slots__ if record.mean is None else MeanAnswer.__slots__
    given = {name: f"{name}_given" for name in columns if name in frame.columns}
    frame = frame.rename(columns=given)
    for at, name in enumerate(columns, start=len(frame.columns) - 1):
        frame.insert(at, name, [getattr(one, name) for one in answers])
    return frame


def answer(record: Record, estimate: Estimate, cover: Cover, square_km: float, level: float) -> Answer:
    """What the estimate says about the cells of one zone of so many square kilometres."""
    inside, cut = int(cover.within.sum()), len(cover.cut)
    if not inside + cut:
        nothing = float("nan")
        return Answer(nothing, nothing, nothing, nothing, square_km, 0.0, 0, 0, "outside the map")
    _, low, high = estimate.zone(cover.within, cover.touched, level)
    values = estimate.values
    total = float(values[cover.within].sum()) + float((values.ravel()[cover.cut] * cover.shares).sum())
    total = min(max(total, low), high)
    return Answer(
        estimate=total,
        low=low,
        high=high,
        per_km2=total / (square_km * cover.mapped) if cover.mapped > 0 else float("nan"),
        area_km2=square_km,
        in_map=cover.mapped,
        cells_inside=inside,
        cells_cut=cut,
        note=_note(record, cover, square_km, low),
    )


def mean_answer(record: Record, estimate: MeanEstimate, cover: Cover, square_km: float, level: float) -> MeanAnswer:
    """The mean of the cells of one zone of so many square kilometres; of cut cells any part may lie in it."""
    inside, cut = int(cover.within.sum()), len(cover.cut)
    if not inside + cut:
        no = float("nan")
        return MeanAnswer(no, no, no, no, no, no, square_km, 0.0, 0, 0, "outside the map")
    mean, low, high = estimate.zone(cover.within, cover.touched, level)
    count, least, most = estimate.zone_count(cover.within, cover.touched, level)
    note = _note(record, cover, square_km, low)
    if high - low > ANSWERED * float(estimate.mean.high - estimate.mean.low):
        mean, note = float("nan"), "; ".join(["no answer: too few records", *([note] if note else [])])
    return MeanAnswer(mean, low, high, count, least, most, square_km, cover.mapped, inside, cut, note)


@dataclass(slots=True)
class _Met:
    """What a zone meets of a sparse release: cells whole and cut, of them those listed, and the covered share."""

    whole: int = 0
    cut: int = 0
    covered: float = 0.0


def _listed_answer(record: Record, zone: Any, square_km: float, level: float) -> Answer:
    """What a sparse release says about one zone; each bound at half the risk."""
    measurement, partition, squares = shown(record)
    met, places, shares = _Met(), [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
    for part, top, left in in_strips(zone, squares):
        if record.grid.mask is not None:
            inside = record.grid.mask[top : top + part.shape[0], left : left + part.shape[1]]
            part = np.where(inside, part, 0.0)  # noqa: PLW2901  # the strip's parts inside the area
        met.whole += int((part >= 1 - EDGE).sum())
        met.cut += int(((part > EDGE) & (part < 1 - EDGE)).sum())
        met.covered += float(part.sum())
        first, last = np.searchsorted(partition.places, np.array([top, top + part.shape[0]]) * squares.shape[1])
        row, column = np.divmod(partition.places[first:last], squares.shape[1])
        here = (column >= left) & (column < left + part.shape[1])
        places.append(np.arange(first, last)[here])
        shares.append(part[row[here] - top, column[here] - left])
    if not met.whole + met.cut:
        nothing = float("nan")
        return Answer(nothing, nothing, nothing, nothing, square_km, 0.0, 0, 0, "outside the map")
    found, share = np.concatenate(places), np.concatenate(shares)
    noisy, risk = measurement.values[found], (1 - level) / 2
    low = at_least(measurement, noisy[share >= 1 - EDGE], met.whole, 1 - risk)
    high = max(low, at_most(measurement, noisy[share > EDGE], met.whole + met.cut, 1 - risk))
    total = min(max(float((noisy * share).sum()), low), high)
    width, height = squares.cell
    mapped = min(1.0, met.covered * width * height / max(zone.area, 1e-300))
    mapped = 1.0 if mapped > 1 - 1e-3 else mapped
    words = _listed_note(met, int((share > EDGE).sum()), float(partition.threshold), mapped, low)
    return Answer(total, low, high, total / (square_km * mapped), square_km, mapped, met.whole, met.cut, words)


def _listed_note(met: _Met, listed: int, threshold: float, mapped: float, low: float) -> str:
    """What a planner must know of a zone in a sparse release."""
    others = met.whole + met.cut - listed
    known = f"{listed:,} of its {met.whole + met.cut:,} cells are listed"
    words = [f"{known}; of the other {others:,} it is known that each noisy total is below {threshold:g}"]
    if met.cut:
        words.append(f"crosses {met.cut:,} cell{'s' if met.cut > 1 else ''}, bracketed")
    if mapped < 1:
        words.append(f"partly outside the map: {max(0.01, min(0.99, mapped)):.0%} of it is covered")
    if low == 0:
        words.append("its total cannot be told from none")
    return "; ".join(words)


def _note(record: Record, cover: Cover, square_km: float, low: float) -> str:
    """What a planner must know before using the numbers, in plain words."""
    words = []
    cut = len(cover.cut)
    if not cover.within.any():
        ground = record.grid.square_km[np.unravel_index(cover.cut, record.grid.shape)]
        if square_km < float(ground.max()):
            words.append("smaller than one cell: the map cannot resolve it")
        else:
            only = ": the map gives an upper bound only" if record.mean is None else ""
            words.append(f"holds no whole cell{only}")
    elif cut:
        words.append(f"crosses {cut:,} cell{'s' if cut > 1 else ''}, bracketed")
    if cover.mapped < 1:
        words.append(f"partly outside the map: {max(0.01, min(0.99, cover.mapped)):.0%} of it is covered")
    if low == 0 and cover.within.any() and record.mean is None:
        words.append("its total cannot be told from none")
    return "; ".join(words)


def _moved(shapes: NDArray[Any], source: str, target: str) -> NDArray[Any]:
    """The zones in the grid's CRS, their straight edges kept where they were."""
    import shapely

    if crs_tools.same(source, target):
        return shapes
    boxes = shapely.bounds(shapes)
    span = np.maximum(boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1])
    moved = crs_tools.transform_shapes(shapely.segmentize(shapes, span * FINEST), source, target)
    if not np.isfinite(shapely.get_coordinates(moved)).all():
        raise BadInput("zones: some lie outside the reach of the map's CRS; cut them to the region of the map")
    valid: NDArray[Any] = shapely.make_valid(moved)
    return valid


def _frame(zones: Any, shapes: NDArray[Any], source: str, layer: str | None) -> "geopandas.GeoDataFrame":
    """The zones with the columns they came with; `shapes` has been read and checked already."""
    import geopandas as gpd

    if isinstance(zones, gpd.GeoDataFrame):
        plain = zones.copy()
        name = plain.geometry.name
        return plain[[column for column in plain.columns if column != name] + [name]]
    if isinstance(zones, str | os.PathLike):
        import pyogrio

        with_geometry = [str(row[0]) for row in pyogrio.list_layers(zones) if row[1] is not None]
        return pyogrio.read_dataframe(zones, layer=layer or with_geometry[0], force_2d=True)
    return gpd.GeoDataFrame(geometry=shapes, crs=crs_tools.parse(source))


def zone_name(row: "dict[str, Any]", number: int) -> str:
    """What to call a zone in a table: its name if it has one, else its number.

    >>> zone_name({"id": 7, "Name": "North wood"}, 1), zone_name({"id": 7}, 2)
    ('North wood', 'zone 2')
    """
    for key, value in row.items():
        if "name" in str(key).lower() and isinstance(value, str) and value.strip():
            return "".join(mark if mark.isprintable() else " " for mark in value)[:60]
    return f"zone {number}"


def table(frame: "geopandas.GeoDataFrame") -> list[list[str]]:
    """The answers as rows of short texts under a header, to print or to write."""
    figured = ["estimate", "low", "high", "per_km2"]
    if tuple(frame.columns[-len(MeanAnswer.__slots__) - 1 : -1]) == MeanAnswer.__slots__:
        figured = ["mean", "low", "high", "count", "count_low", "count_high"]
    header = [name.replace("per_km2", "per km2").replace("count_", "count ") for name in figured]
    rows = [["zone", *header, "whole cells", "cut", "in map", "note"]]
    for number, row in enumerate(frame.drop(columns=frame.geometry.name).to_dict("records"), start=1):
        figures = [_short(row[key]) for key in figured]
        counts = [f"{row['cells_inside']:,}", f"{row['cells_cut']:,}", f"{row['in_map']:.0%}"]
        rows.append([zone_name(row, number), *figures, *counts, str(row["note"])])
    return rows


def _short(value: float) -> str:
    if not np.isfinite(value):
        return "-"
    if 0 < value < 1e-4:
        return "above 0"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
