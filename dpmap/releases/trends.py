"""Tells where a survey rises or falls over its seasons: as a whole, region by region, or zone by
zone.
"""

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput, one_line
from dpmap.grid.study_area import read_shapes
from dpmap.inference.changes import Parts
from dpmap.inference.patches.zone_intervals import weighted_sum_width
from dpmap.inference.trends import Trends, noise_deviation, slope_weights, trends
from dpmap.maps import read_map
from dpmap.read_only_arrays import copied_tables
from dpmap.releases.ask import ask, moved_to
from dpmap.releases.cell_names import middles
from dpmap.releases.zone_changes import FEWER, MORE, held_in
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import clean

if TYPE_CHECKING:
    import geopandas

    from dpmap.releases.release import Release

Numbers = NDArray[np.float64]
UNTOLD = "no trend can be told"


class ReleasesInOrder(Protocol):
    """What a trend needs of a `Series`."""

    releases: "list[Release]"
    labels: list[str]

    @property
    def newest(self) -> "Release":
        """The map of the last season."""

    @property
    def together(self) -> list[list[str]]:
        """The names of the seasons that are read together, a list for each."""

    @property
    def at(self) -> list[float]:
        """Where each season lies in time."""

    @property
    def step(self) -> str:
        """What a slope is per."""

    @property
    def title(self) -> str:
        """What the series is called."""

    def __len__(self) -> int: ...


@copied_tables("whole", "frame")
@dataclass(frozen=True, eq=False)
class Trend:
    """What rises and falls over a series, as `Series.trend` finds it.

    `whole` has one row, the whole area, and `frame` one for each region, or for each zone if zones
    were given: each season's total with its interval (`total_2024`, `low_2024`, `high_2024`), the
    `slope` per year or season with its interval `low` to `high`, and `told` with the
    `finding`: "more", "fewer" or "no trend can be told". `words` say by which rule, `notes` what
    else to know.
    """

    series: ReleasesInOrder
    whole: "geopandas.GeoDataFrame"
    frame: "geopandas.GeoDataFrame"
    zoned: bool
    level: float
    rate: float
    words: dict[str, str]
    notes: list[str]

    def __len__(self) -> int:
        return len(self.frame)

    def to_geodataframe(self) -> "geopandas.GeoDataFrame":
        """Return the rows as a table of their own, in the CRS of the maps or of the zones."""
        return self.frame

    @cached_property
    def found(self) -> dict[str, int]:
        """How many rows rise, fall, and of how many no trend can be told."""
        kinds = list(self.frame["finding"])
        return {
            name: kinds.count(finding)
            for name, finding in (("more", MORE), ("fewer", FEWER), ("untold", UNTOLD))
        }

    @one_line
    def export(self, path: "str | os.PathLike[str]") -> list[Path]:
        """Write the rows as a layer to `path`, by its suffix: .gpkg, which opens styled,
        .geojson, .parquet or .csv.
        """
        from dpmap.export.trends import write_trends

        return write_trends(
            self.frame,
            self.words,
            self.notes,
            self.series.title,
            self.series.step,
            self.series.releases[-1].record,
            path,
        )

    def __repr__(self) -> str:
        counts = ", ".join(f"{count:,} {name}" for name, count in self.found.items())
        return f"<Trend: {len(self):,} {'zones' if self.zoned else 'regions'}: {counts}>"


def trend(
    series: ReleasesInOrder, zones: Any, *, level: float, rate: float, layer: str | None
) -> Trend:
    """Tell the trend of the whole area and of each region or zone; `Series.trend` explains the
    options.
    """
    if not 0 < level < 1 or not 0 < rate < 1:
        raise BadInput("trend: rate and level are probabilities between 0 and 1, like 0.1 and 0.9")
    at = np.array(series.at)
    whole = _region_rows(
        series, trends(series.newest.grid, _parts(series), at, whole=True, level=level, rate=rate)
    )
    words, notes = _describe(series, zoned=zones is not None, level=level, rate=rate)
    if zones is None:
        frame = _region_rows(
            series, trends(series.newest.grid, _parts(series), at, level=level, rate=rate)
        )
    else:
        frame = _zone_rows(series, zones, level, rate, layer)
    return Trend(
        series, whole.drop(columns="region"), frame, zones is not None, level, rate, words, notes
    )


def _parts(series: ReleasesInOrder) -> list[Parts]:
    """Return each season's last measurements."""
    return [
        [(part.grid, part.last) for part in read_map(release.record).parts()]
        for release in series.releases
    ]


def _findings(told_ones: Any, slope: Any) -> Any:
    return np.where(told_ones, np.where(slope > 0, MORE, FEWER), UNTOLD).astype(object)


def _seasons(series: ReleasesInOrder, totals: Any, lows: Any, highs: Any) -> dict[str, Any]:
    """Return three columns for each season."""
    columns: dict[str, Any] = {}
    for label, *ends in zip(series.labels, totals, lows, highs, strict=True):
        columns |= {
            f"{name}_{label}": values
            for name, values in zip(("total", "low", "high"), ends, strict=True)
        }
    return columns


def _region_rows(series: ReleasesInOrder, trends: Trends) -> "geopandas.GeoDataFrame":
    """Return a row for each region."""
    import geopandas as gpd

    from dpmap.grid.crs_label import reference

    area = np.maximum(trends.area, 1e-300)
    plain = {
        "region": np.arange(1, trends.partition.regions + 1),
        "cells": trends.cells,
        **_seasons(series, trends.totals, trends.lows, trends.highs),
        "slope": trends.slope,
        "low": trends.low,
        "high": trends.high,
        "told": trends.told,
        "finding": _findings(trends.told, trends.slope),
        "p_value": trends.p_values,
        "slope_per_km2": trends.slope / area,
        "area_km2": trends.area,
    }
    outlines = trends.partition.polygons(trends.grid)
    plain["lon"], plain["lat"] = middles(outlines, trends.grid.crs)
    return gpd.GeoDataFrame(plain, geometry=outlines, crs=reference(trends.grid.crs))


def _zone_rows(
    series: ReleasesInOrder, zones: Any, level: float, rate: float, layer: str | None
) -> "geopandas.GeoDataFrame":
    """Return the zones, each with its seasons and its slope.

    `least` and `most` hold whatever the maps are like, and whatever the noises have to do with each
    other. *Proof.* With n seasons each one's strict bounds (`ZoneAnswer`) are made at an n-th of
    the risk, so that all hold at once with at least the `level`; the slope is the sum of the true
    totals times known weights, and so lies between the sums of the ends that make it least and
    most. QED

    `low` and `high` are as wide as rehearsals of all maps ask for (`weighted_sum_width`), as those
    of `Release.ask` are. A zone is told where its interval at the risk `rate` / (number of zones)
    leaves no doubt of the sign. So the chance that even one zone is told falsely is at most the sum
    of these risks, `rate`, whatever zones have in common.
    """
    readers = [read_map(map_.record) for map_ in series.releases]
    c = slope_weights(
        np.array(series.at), np.array([noise_deviation(parts) for parts in _parts(series)])
    )
    strict = 1 - (1 - level) / len(readers)
    answers = [ask(map_, zones, level=level, layer=layer) for map_ in readers]
    bounds = [ask(map_, zones, level=strict, layer=layer) for map_ in readers]
    outside = answers[0]["in_map"].to_numpy() == 0
    known = [map_.zones for map_ in readers if map_.zones is not None]
    shapes, source, _ = read_shapes(zones, layer=layer, role="zones")
    moved = moved_to(shapes, source, readers[0].record.grid.crs)
    sure = 1 - rate / max(1, len(shapes))
    slope, about, surely = np.empty((3, len(shapes)))
    for number, zone in enumerate(moved):
        totals, deviations = np.array([held_in(map_, zone) for map_ in readers]).T
        slope[number] = c @ totals
        about[number], surely[number] = (
            weighted_sum_width(known, c * deviations, to) for to in (level, sure)
        )
    ends = [
        np.stack([map_[end].to_numpy(dtype=np.float64) for map_ in bounds])
        for end in ("least", "most")
    ]
    least, most = (np.where(c[:, None] > 0, a, b).T @ c for a, b in (ends, ends[::-1]))
    low = slope - about
    high = slope + about
    certain = (np.abs(slope) > surely) & ~outside
    area = answers[0]["area_km2"].to_numpy()
    cover = answers[0]["in_map"].to_numpy()
    seasons = _seasons(
        series,
        *(
            [map_[name].to_numpy(dtype=np.float64) for map_ in answers]
            for name in ("estimate", "low", "high")
        ),
    )
    hidden = {
        "slope": slope,
        "low": low,
        "high": high,
        "least": np.minimum(least, low),
        "most": np.maximum(most, high),
    }
    columns = {
        **seasons,
        **{name: np.where(outside, np.nan, values) for name, values in hidden.items()},
        "told": certain,
        "finding": _findings(certain, slope),
        "slope_per_km2": (
            np.where(outside, np.nan, slope) / np.where(cover > 0, area * cover, np.nan)
        ),
        "area_km2": area,
        "in_map": cover,
        "note": _notes(answers),
    }
    frame = answers[0].drop(columns=list(readers[0].answers.__slots__))
    frame = frame.rename(
        columns={name: f"{name}_given" for name in columns if name in frame.columns}
    )
    for name, values in columns.items():
        frame.insert(len(frame.columns) - 1, name, values)
    return frame


def _notes(answers: list[Any]) -> list[str]:
    """Return of each zone what every season's answer notes."""
    joined = []
    for notes in zip(*(answer["note"] for answer in answers), strict=True):
        first, *others = (note.split("; ") for note in notes)
        joined.append(
            "; ".join(text for text in first if text and all(text in other for other in others))
        )
    return joined


def _describe(
    series: ReleasesInOrder, *, zoned: bool, level: float, rate: float
) -> tuple[dict[str, str], list[str]]:
    """Say by which rule trends were found, and what else to know of these seasons."""
    records = [record.record for record in series.releases]
    what = "zones" if zoned else "regions"
    of_several_releases = len({record.receipt.release_id for record in records}) > 1
    where = "each season's map" if of_several_releases else "all seasons together"
    words = {
        "slope": (
            f"the slope is by how many points the total of a season grows per {series.step}, along"
            f" the line through all {len(series)}; seasons of less noise weigh more"
        ),
        "interval": (
            f"each interval holds the slope of the true capped totals at least {100 * level:g} % of"
            " the time; the noises of all seasons are in it"
        ),
        "not_in_it": (
            "how many of a population are seen differs from season to season too: that is no noise"
            " of the maps, and no interval here holds it"
        ),
        "rate": (
            f"the chance that even one zone is told falsely is at most {100 * rate:g} %, which asks"
            " more of each than its interval does"
            if zoned
            else (
                f"of the regions told to rise or fall, on average at most {100 * rate:g} % do not,"
                " or do the other"
            )
        ),
        "untold": f"{what} of which no trend can be told may rise or fall: the noise hides it",
        "totals": (
            f"totals are {map_statement(records[-1]).capped_words()} in {where}, so who reports"
            " more elsewhere counts for less here"
        ),
    }
    if not zoned:
        words["compared"] = (
            "a region is a cell that all seasons measured by itself, else the smallest block of"
            " cells that all measured as a whole"
        )
    rules = dict.fromkeys(clean(str(record.policy.consent or "")) or "none" for record in records)
    notes = (
        [f"the consent rule differs, and a trend may come of that: {'; '.join(rules)}"]
        if len(rules) > 1
        else []
    )
    asked = dict.fromkeys(clean(record.about.question) or "none" for record in records)
    notes += (
        [f"the question differs, and a trend may come of that: {'; '.join(asked)}"]
        if len(asked) > 1
        else []
    )
    return words, notes
