"""Adds the places of a release to a map of the reader's own: a layer and a legend, in the
colours of the picture.
"""

import html
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import folium
import numpy as np
import shapely
from branca.element import MacroElement
from numpy.typing import NDArray

from dpmap import style
from dpmap.errors import BadInput, WrongType
from dpmap.grid import Partition
from dpmap.grid import crs as crs_tools
from dpmap.inference import Estimate
from dpmap.maps import read_map
from dpmap.record import Record
from dpmap.render.colouring import Painting, View, paint, shared_edges
from dpmap.render.folium_map import OfflineMap
from dpmap.render.html_page import ROOM
from dpmap.render.page_geometry import outlines
from dpmap.render.user_layers import Context
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import noun
from dpmap.templates import template

MOST = 20_000
"""More shapes make a map of folium's slow; a page of dpmap's own holds more."""
STEPS = 64
"""An outline follows the curve of its projection in so many steps across the map."""
CLASSES = 5
DIGITS = 6
"""Of a degree: about a tenth of a metre."""


class Legend(MacroElement):
    """Shows what the colours mean in a corner of the map; all words are shown as text."""

    _template = template(ROOM, "legend.html")

    def __init__(self, rows: Sequence[tuple[str, str | None]]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.rows = list(rows)


def add(
    m: Any,
    parts: Sequence[tuple[Record, Estimate]],
    *,
    level: float,
    per_km2: bool = True,
    context: Context = True,
    tiles: str | None = None,
) -> Any:
    """Add each map as a layer, the first one shown, in the same classes and with one legend;
    returns `m`.
    """
    if not isinstance(m, folium.Map):
        raise WrongType("m: give a folium Map of your own, like m=folium.Map()")
    if tiles is not None or not per_km2 or context is not True:
        raise BadInput(
            "explore: tiles, context and per_km2=False are for a page of dpmap's own; leave them"
            " out with m="
        )
    if not isinstance(m, OfflineMap):
        warnings.warn(
            "m: a map of your own fetches scripts and tiles, so whoever opens it tells their"
            " servers a network address and which parts of it are looked at; leave m out for a map"
            " that asks for nothing",
            stacklevel=5,
        )
    paintings = _painted(parts, View(level=level))
    for (record, estimate), painting in zip(parts, paintings, strict=True):
        _layer(record, estimate, painting, level, show=painting is paintings[0]).add_to(m)
    first = paintings[0]
    every = [(one.unsure_line, one.unsure_face) for one in paintings if one.unsure.any()]
    untold = (
        every[:1]
        if len(paintings) == 1
        else [(first.unsure_words, first.unsure_face)] * bool(every)
    )
    m.add_child(
        Legend(
            [
                (first.heading, None),
                *first.labels,
                *untold,
                (map_statement(parts[0][0]).provenance(), None),
            ]
        )
    )
    return m


def _painted(parts: Sequence[tuple[Record, Estimate]], view: View) -> list[Painting]:
    """Paint each map, all in the same classes."""
    paintings = [paint(*part, view) for part in parts]
    shared = shared_edges(parts[0][0], paintings, CLASSES) if len(parts) > 1 else []
    return [paint(*part, replace(view, classes=shared)) for part in parts] if shared else paintings


def _layer(
    record: Record, estimate: Estimate, painting: Painting, level: float, *, show: bool
) -> folium.FeatureGroup:
    """Return the places of one map, each in its colour and with its numbers under the pointer."""
    import geopandas as gpd

    grid = record.grid
    place = _places(record, painting)
    numbers = _numbers(record, estimate, painting, level)
    if len(numbers[0]) > MOST:
        raise BadInput(
            f"explore: {len(numbers[0]):,} places, more than the {MOST:,} that a map of your own"
            " holds; leave m out"
        )
    first = np.unique(place, return_index=True)[1]
    frame = gpd.GeoDataFrame(
        {
            "colour": [_hex(colour) for colour in painting.colours[first]],
            "told": ~painting.unsure[first],
            "place": _sizes(np.bincount(place), np.bincount(place, grid.square_km[grid.inside])),
            "holds": [
                _holds(record, *each)
                for each in zip(~painting.unsure[first], *numbers, strict=True)
            ],
        },
        geometry=shapely.transform(_outlines(record, painting, place), lambda xy: xy.round(DIGITS)),
        crs=crs_tools.LONLAT,
    )
    words = {"place": "Place", "holds": f"Holds ({level * 100:g} % interval)"}
    tooltip = folium.GeoJsonTooltip(list(words), aliases=list(words.values()))
    group = folium.FeatureGroup(name=html.escape(record.title), show=show)
    group.add_child(folium.GeoJson(frame, style_function=_styled, smooth_factor=0, tooltip=tooltip))
    return group


def _places(record: Record, painting: Painting) -> NDArray[np.int64]:
    """Return the number of each in-area cell's place: its own if cells are shown one by one."""
    return np.arange(record.grid.cells_inside) if painting.places is None else painting.places


def _numbers(
    record: Record, estimate: Estimate, painting: Painting, level: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return each place's total and the bounds of its interval."""
    if painting.places is not None:
        patches = read_map(record).patches(level)
        return patches.estimate, patches.low, patches.high
    low, high = estimate.interval(level)
    inside = record.grid.inside
    return estimate.values[inside], low[inside], high[inside]


def _outlines(record: Record, painting: Painting, place: NDArray[np.int64]) -> NDArray[Any]:
    """Return each place's outline in longitude and latitude."""
    if painting.places is None:
        return outlines(record.grid)
    labels = np.full(record.grid.shape, -1, dtype=np.int64)
    labels[record.grid.inside] = place
    shapes = Partition(labels, int(place.max()) + 1).polygons(record.grid)
    step = float(np.ptp(shapely.total_bounds(shapes).reshape(2, 2), axis=0).max()) / STEPS
    return crs_tools.transform_shapes(shapes, record.grid.crs, crs_tools.LONLAT, step=step)


def _sizes(cells: NDArray[Any], areas: NDArray[Any]) -> list[str]:
    """Say how large each place is."""
    return [
        f"{'1 cell' if cell_count == 1 else f'{cell_count:,} cells'}, {style.number(area)}"
        f" km\N{SUPERSCRIPT TWO}"
        for cell_count, area in zip(cells, areas, strict=True)
    ]


def _holds(record: Record, sure: np.bool_, estimate: float, low: float, high: float) -> str:
    """Say what a place holds, or at most holds."""
    counted = html.escape(noun(record))
    most = style.number(high)
    return (
        f"{style.number(estimate)} {counted} ({style.number(low)} to {most})"
        if sure
        else f"at most {most} {counted}"
    )


def _hex(colour: NDArray[np.float64]) -> str:
    """Write a colour as a page does."""
    return "#" + "".join(f"{round(channel * 255):02x}" for channel in colour[:3].tolist())


def _styled(feature: dict[str, Any]) -> dict[str, Any]:
    """Return how folium draws a place: fainter where its colour is not told."""
    plain = feature["properties"]
    return {
        "fillColor": plain["colour"],
        "fillOpacity": 0.75 if plain["told"] else 0.4,
        "color": style.INK,
        "weight": 0.4,
    }
