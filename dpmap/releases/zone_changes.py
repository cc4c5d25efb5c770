"""Tells what changed in zones from one map to another, whose cells may differ."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpmap.grid.study_area import read_shapes
from dpmap.inference.patches.zone_intervals import difference_width
from dpmap.maps import read_map
from dpmap.maps.totals import TotalsMap
from dpmap.record import Record
from dpmap.releases.ask import ask, moved_to

if TYPE_CHECKING:
    import geopandas

    from dpmap.inference.patches.zone_intervals import ZoneIntervals

Numbers = NDArray[np.float64]
MORE = "more"
FEWER = "fewer"
UNTOLD = "no change can be told"
COVERED = 0.005
"""A zone of which the maps cover shares farther apart than this is not compared."""


def findings(told_ones: Any, change: Any) -> Any:
    """Return in words which way each told change goes.

    >>> findings(np.array([True, True, False]), np.array([2.0, -1.0, 5.0])).tolist()
    ['more', 'fewer', 'no change can be told']
    """
    return np.where(told_ones, np.where(change > 0, MORE, FEWER), UNTOLD).astype(object)


def zone_changes(
    records: tuple[Record, Record], zones: Any, level: float, rate: float, layer: str | None
) -> "geopandas.GeoDataFrame":
    """Return the zones, each with its change.

    `least` and `most` hold whatever the maps are like, and whatever the two noises have to do with
    each other. *Proof.* Each map's strict bounds (`ZoneAnswer`) are made at half the risk, so that
    both maps' hold at once with at least the `level`; and then the change lies between the one's
    least less the other's most, and the other way round. QED

    `low` and `high` are as wide as rehearsals of both maps ask for (`difference_width`), as those
    of `Release.ask` are; of maps that rehearse none they are the strict bounds. A zone is told
    where its interval at the risk `rate` / (number of zones) leaves no doubt of the sign. So the
    chance that even one zone is told falsely is at most the sum of these risks, `rate`, whatever
    zones have in common.
    """
    both = read_map(records[0]), read_map(records[1])
    first, second = (ask(map_, zones, level=1 - (1 - level) / 2, layer=layer) for map_ in both)
    covers = first["in_map"].to_numpy(), second["in_map"].to_numpy()
    differs = np.abs(covers[0] - covers[1]) > COVERED
    unknown = differs | (covers[0] == 0) | (covers[1] == 0)
    least, most = _between(first, second, ("least", "most"), unknown)
    strict = 1 - rate / max(1, len(first))
    value = both[0].value
    change = np.where(unknown, np.nan, (second[value] - first[value]).to_numpy(dtype=np.float64))
    if not all(map_.by_region for map_ in both):
        low = least
        high = most
        before_strict, after_strict = (
            ask(map_, zones, level=1 - (1 - strict) / 2, layer=layer) for map_ in both
        )
        sure_low, sure_high = _between(before_strict, after_strict, ("least", "most"), unknown)
    else:
        total, about, sure = _rehearsed(both, zones, layer, (level, strict))
        low, high, sure_low, sure_high = (
            np.where(unknown, np.nan, total + way * wide)
            for wide in (about, sure)
            for way in (-1, 1)
        )
        least = np.fmin(least, low)
        most = np.fmax(most, high)
    with np.errstate(invalid="ignore"):
        change = np.clip(change, low, high)
        certain = (sure_low > 0) | (sure_high < 0)
        more = np.where(sure_low > 0, 1.0, -1.0)
    area = first["area_km2"].to_numpy()
    per_km2 = (
        change / np.where(covers[0] > 0, area * covers[0], np.nan)
        if value == "estimate"
        else change
    )
    columns = {
        "before": first[value].to_numpy(),
        "after": second[value].to_numpy(),
        "change": change,
        "low": low,
        "high": high,
        "least": least,
        "most": most,
        "told": certain,
        "finding": findings(certain, more),
        "change_per_km2": per_km2,
        "area_km2": area,
        "in_map": np.minimum(*covers),
        "note": _notes(first, second, differs),
    }
    frame = first.drop(columns=list(both[0].answers.__slots__))
    frame = frame.rename(
        columns={name: f"{name}_given" for name in columns if name in frame.columns}
    )
    for name, values in columns.items():
        frame.insert(len(frame.columns) - 1, name, values)
    return frame


def _rehearsed(
    both: tuple[TotalsMap, TotalsMap],
    zones: Any,
    layer: str | None,
    levels: tuple[float, float],
) -> tuple[Numbers, Numbers, Numbers]:
    """Return the difference of each zone's totals, and half the width of its interval at each
    level.
    """
    shapes, source, _ = read_shapes(zones, layer=layer, role="zones")
    known: list[ZoneIntervals] = [one.zones for one in both]  # type: ignore[misc]  # asked before
    moved = [moved_to(shapes, source, one.record.grid.crs) for one in both]
    widths = np.empty((3, len(shapes)))
    for number in range(len(shapes)):
        believed = [
            held_in(map_, shapes_in_crs[number])
            for map_, shapes_in_crs in zip(both, moved, strict=True)
        ]
        (first, one), (second, other) = believed
        about = (difference_width(known[0], known[1], (one, other), level) for level in levels)
        widths[:, number] = second - first, *about
    return widths[0], widths[1], widths[2]


def held_in(map_: TotalsMap, zone: Any) -> tuple[float, float]:
    """Return what a map believes that a zone, given in the map's CRS, holds, and its deviation."""
    cover = map_.coverer.cover(zone)
    whole = np.flatnonzero(cover.within)
    cells = np.append(whole, cover.cut)
    shares = np.append(np.ones(len(whole)), cover.shares)
    return (
        (0.0, 0.0)
        if map_.zones is None or not len(cells)
        else map_.zones.estimate_zone(cells, shares)
    )


def _between(first: Any, second: Any, ends: tuple[str, str], unknown: Any) -> tuple[Any, Any]:
    """Return the least and the most that the second may hold more than the first; missing where
    that is unknown.
    """
    low, high = (first[end].to_numpy(dtype=np.float64) for end in ends)
    other_low, other_high = (second[end].to_numpy(dtype=np.float64) for end in ends)
    return np.where(unknown, np.nan, other_low - high), np.where(unknown, np.nan, other_high - low)


def _notes(first: Any, second: Any, apart: Any) -> list[str]:
    """Say of each zone what a planner must know before using its numbers."""
    notes = []
    for before_note, after_note, differs, before_share, after_share in zip(
        first["note"], second["note"], apart, first["in_map"], second["in_map"], strict=True
    ):
        covers = f"{before_share:.0%} and {after_share:.0%}"
        words = [f"not compared: the maps cover different parts of it, {covers}"] if differs else []
        both_notes = (
            [before_note]
            if before_note == after_note
            else [
                f"before: {before_note}" if before_note else "",
                f"after: {after_note}" if after_note else "",
            ]
        )
        notes.append("; ".join([*words, *(text for text in both_notes if text)]))
    return notes
