"""Draws rates, such as sightings per hour of effort, in the places of the default picture: as a
picture, or as a page with a table.

Land without any of the public amount has no rate and is white; land whose rate is not told is grey
and hatched.
"""

import base64
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap import style
from dpmap.atomic_write import written_aside
from dpmap.grid import crs as crs_tools
from dpmap.inference.patches import Patches
from dpmap.inference.rates import Rates
from dpmap.record import Record
from dpmap.render.colouring import Painting
from dpmap.render.html_page import content_policy
from dpmap.render.static import write_painted
from dpmap.render.user_layers import Context
from dpmap.statement.kinds import map_statement
from dpmap.statement.rates import RateWords
from dpmap.templates import fill_page

ROOM = "dpmap.render"
CLASSES = 5
NONE = "#ffffff"
ROWS = 500
"""A page lists so many places."""
PAGE_DPI = 200
WAY = (
    "Each is a capped total divided by the public amount there: the intervals are the totals' own."
)


@dataclass(frozen=True, slots=True, eq=False)
class ShownRates:
    """Holds what is drawn: the places with their rates, which of them are told, the amounts, the
    in-area cells that are `bare` of it, and the words.
    """

    places: Patches
    rates: Rates
    told: NDArray[np.bool_]
    amount: NDArray[np.float64]
    bare: NDArray[np.bool_]
    words: RateWords
    level: float

    def unit(self, edges: list[float]) -> style.Unit:
        """Return for how much of the amount rates are shortest to read."""
        return style.amount_unit(edges, float(self.amount.sum()), self.words.amount)


def draw(
    record: Record, shown: ShownRates, path: "str | os.PathLike[str]", *, context: Context = True
) -> None:
    """Write a picture (.png, .svg, .pdf) or a page (.html), by the suffix."""
    painting = paint_rates(record, shown)
    description = (
        f"{len(shown.rates.rate):,} places, of {int(shown.told.sum()):,} the rate is told. {WAY}"
    )
    words = (record, record.grid, painting)
    if not os.fspath(path).lower().endswith(".html"):
        write_painted(*words, path, description, context=context, source=shown.words.source)
        return
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "map.png"
        write_painted(
            *words, picture, description, dpi=PAGE_DPI, context=context, source=shown.words.source
        )
        pixels = base64.b64encode(picture.read_bytes()).decode()
    _write_page(record, shown, painting, (pixels, description), path)


def paint_rates(record: Record, shown: ShownRates) -> Painting:
    """Paint each place whose rate is told in the colour of its rate."""
    rates = shown.rates
    inside = record.grid.inside
    place = shown.places.place[inside]
    values = np.nan_to_num(rates.rate)
    edges = style.place_breaks(values, shown.amount, shown.told, rates.least, CLASSES)
    unit = shown.unit(edges)
    names = style.class_colours(max(1, len(edges) - 1))
    at = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(names) - 1)
    colours = np.array([style.rgb(name) for name in names])[at]
    unsure = ~shown.told & ~rates.none
    colours[unsure], colours[rates.none] = style.rgb(style.UNSURE), style.rgb(NONE)
    most = float(np.max(rates.high[unsure], initial=0.0))
    colours = colours[place]
    unsure = unsure[place]
    colours[shown.bare], unsure[shown.bare] = style.rgb(NONE), False
    held = np.where(
        shown.bare, 0.0, values[place]
    )  # below all classes: no lines are drawn among cells without colour
    rows = list(zip(unit.labels(edges), names, strict=True))[::-1] if len(edges) > 1 else []
    if rates.none.any() or shown.bare.any():
        rows.append(("no rate: none of it here,\nor next to none", NONE))
    return Painting(
        title=f"{_upper(shown.words.counted)} by {shown.words.amount}, where the rate can be told",
        heading=shown.words.per(unit.square_km),
        values=held,
        colours=colours,
        unsure=unsure,
        edges=tuple(edges),
        labels=tuple(rows),
        unit=unit,
        unsure_words="rate not told",
        places=place,
        most=most,
        notes=(shown.words.capped,),
        nearly_empty=rates.least,
    )


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _write_page(
    record: Record,
    shown: ShownRates,
    painting: Painting,
    drawn: tuple[str, str],
    path: "str | os.PathLike[str]",
) -> None:
    """Write the picture and a table of the places, in a file that asks no network for anything."""
    rows = _rows(record, shown, painting.unit)
    told_count = int(shown.told.sum())
    page = fill_page(
        ROOM,
        "rates.html",
        policy=content_policy(),
        title=record.title,
        heading=painting.title,
        picture=drawn[0],
        alt=drawn[1],
        unit=painting.heading,
        level=f"{100 * shown.level:g}",
        rows=rows,
        told=told_count,
        listed=len(rows),
        untold=int((~shown.told & ~shown.rates.none).sum()),
        none=int(shown.rates.none.sum()),
        counted=shown.words.counted,
        amount=shown.words.amount,
        capped=shown.words.capped,
        way=WAY,
        source=shown.words.source,
        provenance=map_statement(record).provenance(),
    )
    with written_aside(path) as aside:
        aside.write_text(page, encoding="utf-8")


def _rows(record: Record, shown: ShownRates, unit: style.Unit) -> list[dict[str, Any]]:
    """Return the places whose rate is told as rows of short texts, the highest first."""
    import shapely

    rates = shown.rates
    places = shown.places
    order = np.flatnonzero(shown.told)
    order = order[np.argsort(-rates.rate[order], kind="stable")][:ROWS]
    if not len(order):
        return []
    outlines = np.asarray(places.to_geodataframe().geometry.array)[order]
    middle = shapely.point_on_surface(outlines)
    lon, lat = crs_tools.transform(
        shapely.get_x(middle), shapely.get_y(middle), record.grid.crs, crs_tools.LONLAT
    )
    return [
        {
            "place": f"{at + 1}",
            "rate": unit.number(rates.rate[at]),
            "low": unit.number(rates.low[at]),
            "high": unit.number(rates.high[at]),
            "total": style.number(places.estimate[at]),
            "amount": style.number(shown.amount[at]),
            "area": style.number(places.square_km[at]),
            "where": f"{y:.4f}, {x:.4f}",
        }
        for at, x, y in zip(order.tolist(), lon, lat, strict=True)
    ]
