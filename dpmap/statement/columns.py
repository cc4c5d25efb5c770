"""Names the columns of a layer and the bands of a raster."""

from dataclasses import dataclass, field

TOTALS = {
    "estimate": "estimated capped total of the cell",
    "low": "lower bound of the 90 % interval",
    "high": "upper bound of the 90 % interval",
    "noisy": "noisy total as drawn, signed",
}


@dataclass(frozen=True, slots=True)
class Columns:
    """Names the columns of a layer: `value` is that of the estimate, `sure` says whether a cell is coloured and
    `coloured` by what; `bands` are a raster's with their long names, `band` the number of the one that is coloured.
    `meanings` are those of `sure`, 0 and 1.

    `signed` values may be negative and are missing where there is none; others are 0 there.
    """

    value: str = "estimate"
    sure: str = "distinguishable"
    coloured: str = "per_km2"
    bands: dict[str, str] = field(default_factory=lambda: TOTALS)
    band: int = 5
    meanings: str = "not_distinguishable_from_noise distinguishable"
    signed: bool = False
