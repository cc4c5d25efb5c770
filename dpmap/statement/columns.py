"""Names the columns of a layer and the bands of a raster, and says what they mean."""

from dataclasses import dataclass, field

from dpmap.grid.official.code_titles import DESCRIPTIONS

TOTALS = {
    "estimate": "estimated capped total of the cell",
    "low": "lower bound of the 90 % interval",
    "high": "upper bound of the 90 % interval",
    "noisy": "noisy total as drawn, signed",
}

COLUMNS = {
    "cell": "number of the cell in row order",
    "name": "name of the area or zone",
    "h3": "H3 index of the hexagon",
    **DESCRIPTIONS,
    "lon": "longitude of the cell's middle, degrees",
    "lat": "latitude of the cell's middle, degrees",
    "mean": (
        "mean of the records' values, none counting for more than its unit's cap allows; missing"
        " where there is no answer"
    ),
    "answered": (
        "whether enough was counted to tell a mean, its interval spanning at most half of the"
        " declared range"
    ),
    "count": "estimated capped total that the mean is of, in points",
    "count_low": "lower bound of the interval of that total",
    "count_high": "upper bound of the interval of that total",
    "estimate": "estimated capped total, in points",
    "low": "lower bound of the interval of the capped total, or of the mean",
    "high": "upper bound of the interval of the capped total, or of the mean",
    "least": "lower bound that holds wherever in the cells that the zone cuts points lie",
    "most": "upper bound that holds wherever in the cells that the zone cuts points lie",
    "noisy": "noisy total as drawn, signed, where the cell was measured by itself",
    "distinguishable": "whether the land surely holds something: its interval leaves out 0",
    "area_km2": "area in square kilometres",
    "per_km2": "estimate per square kilometre",
    "place": (
        "number of the place, the smallest land of which the density can be told, that the cell"
        " lies in; 1 is the densest"
    ),
    "place_told": "whether the density of that place can be told",
    "place_per_km2": "estimate per square kilometre of that place",
    "cells": "number of cells",
    "region": "number of the cell, or block of cells, that was measured as one",
    "before": "estimate of the earlier map, capped, in points",
    "after": "estimate of the later map, capped, in points",
    "change": (
        "estimated change of the capped total from the earlier map to the later one, in points"
    ),
    "finding": "more, fewer, or no change can be told",
    "p_value": "chance that noise alone tells the two maps so far apart, if nothing changed",
    "change_per_km2": "change per square kilometre",
    "spot": "number of the hot spot; 1 holds the most",
    "told": (
        "whether the density can be told, its interval being narrow enough; of land that is not,"
        " high says what it holds at most"
    ),
    "in_map": "share of the zone that lies in the map",
    "cells_inside": "cells wholly in the zone",
    "cells_cut": "cells partly in the zone",
    "answer": (
        "whether the interval lies wholly above the number asked for, wholly below, or neither;"
        " surely less is no proof of absence"
    ),
    "note": "where the map cannot tell",
}
"""What a column of any table means."""
SHOWN_WORDS = (
    "estimate per square kilometre where the cell, or the block it was measured in, is"
    " distinguishable from none, 0 where not"
)
PLACE_WORDS = (
    "density per square kilometre of the place that the cell is told as a part of, 0 where it is"
    " not told"
)


@dataclass(frozen=True, slots=True)
class Columns:
    """Names the columns of a layer: `value` is that of the estimate, `sure` says whether a cell is
    coloured and `coloured` by what; `bands` are a raster's with their long names, `band` the number
    of the one that is coloured. `meanings` are those of `sure`, 0 and 1.

    `signed` values may be negative and are missing where there is none; others are 0 there. `table`
    names the columns that a cell has besides its number, name or code; where `placed`, also those
    of the place that it lies in, if places are told.
    """

    value: str = "estimate"
    sure: str = "distinguishable"
    coloured: str = "per_km2"
    bands: dict[str, str] = field(default_factory=lambda: TOTALS)
    band: int = 5
    meanings: str = "not_distinguishable_from_none distinguishable"
    signed: bool = False
    table: tuple[str, ...] = (
        "estimate",
        "low",
        "high",
        "noisy",
        "distinguishable",
        "area_km2",
        "per_km2",
    )
    placed: bool = True
