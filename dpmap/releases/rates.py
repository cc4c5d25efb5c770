"""Tells rates from a release and a public file: sightings by effort, by area of habitat, by
people, in places, cells or zones.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid.allocate import Laid, lay
from dpmap.inference.clearance import read_threshold
from dpmap.inference.patches.region_growing import sum_by_place
from dpmap.inference.rates import Amounts, Rates, notes
from dpmap.maps import read_map
from dpmap.maps.totals import TotalsMap
from dpmap.record import Record
from dpmap.statement.rates import RateWords
from dpmap.stores import local_copy

if TYPE_CHECKING:
    import geopandas

    from dpmap.inference.patches import Patches

Numbers = NDArray[np.float64]
BY = ("places", "cells")
COLUMNS = ("per", "rate", "rate_low", "rate_high", "rate_told")


def laid_on(per: Any, map_: TotalsMap, role: str = "per") -> Laid:
    """Lay a public file on the map's cells, unless that was done; refuse maps that have no
    totals to divide.
    """
    if map_.mean is not None:
        raise BadInput(
            f"{role}: this release tells means, which are no totals to divide; leave it out"
        )
    return per if isinstance(per, Laid) else lay(per, map_.record.grid, role=role)


@dataclass(frozen=True, slots=True, eq=False)
class PlaceRates:
    """Holds a map's places with their amounts and rates."""

    places: "Patches"
    amounts: Amounts
    rates: Rates

    @classmethod
    def estimate(cls, map_: TotalsMap, laid: Laid, level: float) -> "PlaceRates":
        """Find the rates of the places that the map is shown in."""
        if not map_.complete:
            raise BadInput(
                "per: a sparse release lists single cells; ask zones: dpmap ask RELEASE ZONES --per"
                " FILE (zones=)"
            )
        places = map_.patches(level)
        known = places.place >= 0
        number = places.place[known]
        square_km = map_.record.grid.square_km[known]
        amount = sum_by_place(number, laid.values[known], len(places))
        missing = sum_by_place(number, (square_km * laid.missing[known]), len(places))
        amounts = Amounts(amount, places.square_km, missing / places.square_km)
        rates = Rates.divide(
            (places.estimate, places.low, places.high), amounts, _whole_map(map_, laid)
        )
        return cls(places, amounts, rates)

    @property
    def rate_known(self) -> NDArray[np.bool_]:
        """Which rates are told: of places that are told, whose intervals hold as chosen."""
        return np.asarray(self.rates.told & self.places.told)


def _whole_map(map_: TotalsMap, laid: Laid) -> tuple[float, float, float]:
    """Return the map's total, amount and square kilometres."""
    inside = map_.record.grid.inside
    total = float(np.nansum(map_.reading.values)) if map_.complete else 0.0
    return total, float(np.nansum(laid.values)), float(map_.record.grid.square_km[inside].sum())


def rates(
    map_: TotalsMap,
    laid: Laid,
    *,
    zones: Any = None,
    by: str = "places",
    level: float = 0.9,
    layer: str | None = None,
    than: float | None = None,
) -> "geopandas.GeoDataFrame":
    """Return the rows with their totals, the amount there, and the rate with its interval; with
    `than` their answers too.
    """
    from dpmap.releases.ask import with_answer

    if by not in BY:
        raise BadInput(f"by: not one of {', '.join(BY)}")
    threshold = None if than is None else read_threshold(than, "than", "a rate, a number above 0")
    if zones is not None:
        frame = _zone_rates(map_, laid, zones, level, layer)
    elif by == "places":
        frame = _place_rates(map_, laid, level)
    else:
        frame = _cell_rates(map_, laid, level)
    return frame if threshold is None else with_answer(frame, "rate_low", "rate_high", threshold)


def _place_rates(map_: TotalsMap, laid: Laid, level: float) -> "geopandas.GeoDataFrame":
    """Return the places of the default picture, those first whose rate is told, the highest at
    the top.
    """
    place_rates = PlaceRates.estimate(map_, laid, level)
    frame = place_rates.places.to_geodataframe().drop(
        columns=["distinguishable", "per_km2", "told"]
    )
    frame = _with(frame, place_rates.rates, place_rates.amounts, place_rates.rate_known, laid.name)
    order = np.lexsort((-np.nan_to_num(place_rates.rates.rate, nan=-1.0), ~place_rates.rate_known))
    return frame.iloc[order]


def _cell_rates(map_: TotalsMap, laid: Laid, level: float) -> "geopandas.GeoDataFrame":
    """Return every cell by itself; its interval holds for a cell chosen without looking at the
    map.
    """
    if not map_.complete:
        raise BadInput("per: a sparse release has no estimate for each cell; ask zones (zones=)")
    grid = map_.record.grid
    inside = grid.inside
    low, high = map_.reading.interval(level)
    amounts = Amounts(
        laid.values[inside], grid.square_km[inside], laid.missing[inside].astype(np.float64)
    )
    bounds = (map_.reading.values[inside], low[inside], high[inside])
    cell_rates = Rates.divide(bounds, amounts, _whole_map(map_, laid))
    frame = grid.to_geodataframe()
    for name, values in {
        "area_km2": amounts.square_km,
        **dict(zip(("estimate", "low", "high"), bounds, strict=True)),
    }.items():
        frame.insert(len(frame.columns) - 1, name, values)
    return _with(frame, cell_rates, amounts, cell_rates.told, laid.name)


def _zone_rates(
    map_: TotalsMap, laid: Laid, zones: Any, level: float, layer: str | None
) -> "geopandas.GeoDataFrame":
    """Return the zones with their answers; of a cell that a zone's edge cuts the amount is
    shared by ground, as its total is.
    """
    from dpmap.grid.study_area import read_shapes
    from dpmap.releases.ask import ask, moved_to

    with local_copy(zones, "zones") as file:
        frame = ask(map_, file, level=level, layer=layer)
        shapes, source, _ = read_shapes(file, layer=layer, role="zones")
    ground = map_.record.grid.ground
    square_km = ground.square_km.ravel()
    values = laid.values.ravel()
    missing = laid.missing.ravel()
    held = np.zeros((3, len(shapes)))
    for number, shape in enumerate(moved_to(shapes, source, ground.crs)):
        cover = map_.coverer.cover(shape)
        whole = np.flatnonzero(cover.within)
        cells = np.append(whole, cover.cut)
        shares = np.append(np.ones(len(whole)), cover.shares)
        land = square_km[cells] * shares
        held[:, number] = (values[cells] * shares).sum(), land.sum(), land[missing[cells]].sum()
    amounts = Amounts(held[0], held[1], held[2] / np.maximum(held[1], 1e-300))
    bounds = tuple(frame[name].to_numpy(dtype=np.float64) for name in ("estimate", "low", "high"))
    zone_rates = Rates.divide(bounds, amounts, _whole_map(map_, laid))
    zone_notes = frame.pop("note")
    outside = frame["in_map"].to_numpy() == 0
    frame = _with(frame, zone_rates, amounts, zone_rates.told & ~outside, laid.name)
    frame["note"] = [
        "; ".join(text for text in (zone_note, "" if is_outside else rate_note) if text)
        for zone_note, rate_note, is_outside in zip(zone_notes, frame["note"], outside, strict=True)
    ]
    return frame


def draw_rates(
    record: Record,
    per: Any,
    path: Any,
    *,
    name: str | None = None,
    level: float = 0.9,
    context: Any = True,
    role: str = "per",
) -> None:
    """Draw the rates of the map's places as a picture or a page; `name` says what the amount
    is, such as `hours of effort`.
    """
    from dpmap.render.rates import ShownRates, draw

    map_ = read_map(record)
    laid = _amounts(map_, per, role)
    place_rates = PlaceRates.estimate(map_, laid, level)
    words = RateWords.describe(record, laid, name)
    shown = ShownRates(
        place_rates.places,
        place_rates.rates,
        place_rates.rate_known,
        place_rates.amounts.amount,
        _bare(map_, laid),
        words,
        level,
    )
    draw(map_.single(role), shown, path, context=context)


def _bare(map_: TotalsMap, laid: Laid) -> NDArray[np.bool_]:
    """Return the in-area cells with none of the amount, or next to none: a rate's colour is not
    drawn there, whatever their place has.
    """
    inside, (_, amount, square_km) = map_.record.grid.inside, _whole_map(map_, laid)
    land = map_.record.grid.square_km[inside]
    return ~Amounts(laid.values[inside], land, np.zeros(len(land))).is_enough(amount / square_km)


def export_rates(
    record: Record,
    per: Any,
    path: Any,
    *,
    name: str | None = None,
    level: float = 0.9,
    role: str = "per",
) -> list[Path]:
    """Write the rates of the map's places as a styled layer, with the statement; return the
    files made.
    """
    from dpmap.export.answer_layer import check_suffix
    from dpmap.export.rates import write_rates

    check_suffix(path)
    map_ = read_map(record)
    laid = _amounts(map_, per, role)
    words = RateWords.describe(record, laid, name)
    return write_rates(rates(map_, laid, level=level), record, words, path)


def ask_rates(
    record: Record,
    per: Any,
    zones: Any,
    level: float,
    layer: str | None,
    *,
    name: str | None,
    role: str,
    than: float | None = None,
) -> tuple["geopandas.GeoDataFrame", list[list[str]], RateWords]:
    """Return zones with their rates, the same as rows of short texts to print, and what the
    rates are of.
    """
    from dpmap.releases.ask import short, zone_name

    map_ = read_map(record)
    laid = _amounts(map_, per, role)
    words = RateWords.describe(record, laid, name)
    frame = rates(map_, laid, zones=zones, level=level, layer=layer, than=than)
    answer = [] if than is None else ["answer"]
    named = ["estimate", "low", "high", words.amount, "rate", "rate low", "rate high"]
    header = ["zone", *answer, *named, "in map", "note"]
    figured = ("estimate", "low", "high", "per", "rate", "rate_low", "rate_high")
    rows = [
        [
            zone_name(row, number),
            *(row[key] for key in answer),
            *(short(row[key]) for key in figured),
            f"{row['in_map']:.0%}",
            str(row["note"]),
        ]
        for number, row in enumerate(
            frame.drop(columns=frame.geometry.name).to_dict("records"), start=1
        )
    ]
    return frame, [header, *rows], words


def _amounts(map_: TotalsMap, per: Any, role: str) -> Laid:
    """Return the amounts on the cells of one map; layers are asked one by one."""
    map_.single(role)
    return laid_on(per, map_, role)


def _with(
    frame: "geopandas.GeoDataFrame",
    rates: Rates,
    amounts: Amounts,
    sure: NDArray[np.bool_],
    name: str,
) -> "geopandas.GeoDataFrame":
    """Add the amount, the rate with its interval, whether it is told, and what must be known of
    it.
    """
    columns = dict(
        zip(COLUMNS, (amounts.amount, rates.rate, rates.low, rates.high, sure), strict=True)
    )
    columns["note"] = notes(rates, amounts, name)  # type: ignore[assignment]  # texts
    frame = frame.rename(
        columns={column: f"{column}_given" for column in columns if column in frame.columns}
    )
    for column, values in columns.items():
        frame.insert(len(frame.columns) - 1, column, values)
    return frame
