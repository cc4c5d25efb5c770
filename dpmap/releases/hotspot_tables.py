"""Lists the hot spots of a release as tables: each spot with its total, each of its cells, and
what the list means in words.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dpmap.errors import BadInput
from dpmap.inference.hotspots import HotSpots
from dpmap.inference.sparse_bounds import ListedSpots
from dpmap.maps import read_map
from dpmap.numbers import real, regions_text
from dpmap.record import Record
from dpmap.releases.cell_names import middles, name_cells
from dpmap.statement.kinds import map_statement

if TYPE_CHECKING:
    import geopandas
    from numpy.typing import NDArray

    from dpmap.releases.release import Release

SURROUNDINGS = "surroundings"
AROUND = (
    "a cell's surroundings are the cells two to four steps away (of areas, one or two), compared by"
    " ground"
)
MOST_NAMED = 20
"""So many codes or names of cells stand in a spot's row; more of them only in the list of cells."""


@dataclass(frozen=True, slots=True)
class Spots:
    """Holds what was found: `spots` as polygons, the largest total first, `cells` a row each,
    and the rule in words.
    """

    spots: "geopandas.GeoDataFrame"
    cells: list[dict[str, Any]]
    words: dict[str, str]
    above: float | str
    method: str
    tested: int


def threshold_of(above: str) -> float | None:
    """Read what is to be exceeded: a number of points, or None for the surroundings.

    >>> threshold_of("30"), threshold_of("surroundings")
    (30.0, None)
    """
    if above.strip().lower() == SURROUNDINGS:
        return None
    try:
        return real(above)
    except ValueError:
        raise BadInput(
            "--above: a number of points that a cell must exceed, like --above 30, or --above"
            f" {SURROUNDINGS}"
        ) from None


def spots_of(release: "Release", above: str, rate: float = 0.1, level: float = 0.9) -> Spots:
    """Find the hot spots of one map and list them.

    A spot's bounds are those of `Release.hotspots`. A cell's are those of `release.interval`.
    """
    threshold = threshold_of(above)
    hot_spots = release.hotspots(threshold, rate, level=level)
    record = release.record
    spots, cells = (
        _list_cells(hot_spots)
        if isinstance(hot_spots, ListedSpots)
        else _list_clusters(release, hot_spots)
    )
    rule = "Benjamini and Yekutieli" if threshold is None else "Benjamini and Hochberg"
    tested = hot_spots.tested if isinstance(hot_spots, HotSpots) else record.grid.cells_inside
    words = _words(record, hot_spots, len(spots))
    return Spots(
        spots, cells, words, SURROUNDINGS if threshold is None else threshold, rule, tested
    )


def _list_clusters(
    release: "Release", hot_spots: HotSpots
) -> "tuple[geopandas.GeoDataFrame, list[dict[str, Any]]]":
    """List clusters, and their cells."""
    grid = hot_spots.grid
    numbers = np.flatnonzero(hot_spots.labels.ravel() >= 0)
    of_spot = hot_spots.labels.ravel()[numbers]
    low, high = (bound.ravel()[numbers] for bound in _bounds(release, hot_spots))
    alone = read_map(release.record).alone().ravel()[numbers]
    codes = name_cells(grid, numbers)
    lon, lat = middles(grid.polygons_at(numbers), grid.crs)
    estimate = np.clip(release.estimate.ravel()[numbers], low, high)
    columns = {"estimate": estimate, "low": low, "high": high}
    cells = [
        {
            "spot": int(of_spot[i]) + 1,
            "cell": int(numbers[i]),
            **{name: values[i] for name, values in codes.items()},
            "lon": lon[i],
            "lat": lat[i],
            **{name: float(values[i]) for name, values in columns.items()},
            "alone": bool(alone[i]),
        }
        for i in np.argsort(of_spot, kind="stable").tolist()
    ]
    frame = (
        hot_spots.to_geodataframe()
        .rename(columns={"cluster": "spot"})
        .drop(columns=["regions", "density"])
    )
    frame["spot"] += 1
    return _placed(frame, cells, list(codes), grid.crs), cells


def _bounds(
    release: "Release", hot_spots: HotSpots
) -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
    """Return the bounds of all cells: what is believed of a cell does not depend on its having
    been chosen.
    """
    return release.reading.interval(hot_spots.level)


def _list_cells(hot_spots: ListedSpots) -> "tuple[geopandas.GeoDataFrame, list[dict[str, Any]]]":
    """List the cells of a sparse release, each a spot of its own; its bounds hold for cells as
    chosen.
    """
    frame = hot_spots.to_geodataframe()
    grid = hot_spots.grid
    numbers = np.asarray(frame["cell"], dtype=np.int64)
    codes = name_cells(grid, numbers)
    lon, lat = middles(np.asarray(frame.geometry.array), grid.crs)
    cells = [
        {
            "spot": i + 1,
            "cell": int(numbers[i]),
            **{name: values[i] for name, values in codes.items()},
            "lon": lon[i],
            "lat": lat[i],
            **{name: float(frame[name].iloc[i]) for name in ("estimate", "low", "high")},
            "alone": True,
        }
        for i in range(len(frame))
    ]
    ground = grid.square_km_at(numbers)
    spots = frame[["estimate", "low", "high", "geometry"]].copy()
    for at, (name, values) in enumerate(
        {"spot": np.arange(1, len(frame) + 1), "cells": np.ones(len(frame), int)}.items()
    ):
        spots.insert(at, name, values)
    spots.insert(len(spots.columns) - 1, "per_km2", spots["estimate"] / np.maximum(ground, 1e-300))
    spots.insert(len(spots.columns) - 1, "area_km2", ground)
    return _placed(spots, cells, list(codes), grid.crs), cells


def _placed(
    frame: "geopandas.GeoDataFrame", cells: list[dict[str, Any]], columns: list[str], crs: str
) -> "geopandas.GeoDataFrame":
    """Add to each spot a point inside it, and the codes or names of its cells."""
    lon, lat = middles(np.asarray(frame.geometry.array), crs) if len(frame) else ([], [])
    for name, values in (("lon", lon), ("lat", lat)):
        frame.insert(len(frame.columns) - 1, name, np.asarray(values, dtype=np.float64))
    by_spot: dict[int, list[dict[str, Any]]] = {}
    for cell in cells:
        by_spot.setdefault(cell["spot"], []).append(cell)
    for column in columns:
        texts = [_join_names([cell[column] for cell in by_spot[spot]]) for spot in frame["spot"]]
        frame.insert(len(frame.columns) - 1, column, np.array(texts, dtype=object))
    return frame


def _join_names(names: list[str]) -> str:
    """Write several names in one text, the first ones only where there are many.

    >>> _join_names(["a", "b"]), _join_names(["a"] * 25)[-8:]
    ('a, b', '; 5 more')
    """
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f"; {more:,} more" if more > 0 else "")


def _words(record: Record, hot_spots: HotSpots | ListedSpots, count: int) -> dict[str, str]:
    """Say what was found, by which rule, and what it does not mean."""
    above = (
        "their surroundings"
        if hot_spots.threshold is None
        else f"{hot_spots.threshold:,.12g} points"
    )
    if isinstance(hot_spots, ListedSpots):
        what = regions_text(count, 0)
    else:
        what = regions_text(int(hot_spots.alone.sum()), int(hot_spots.blocks.sum()))
    spots = (
        f"{what} in {count:,} {'hot spot' if count == 1 else 'hot spots'}"
        if count
        else "no hot spot"
    )
    chosen = "cells" if isinstance(hot_spots, ListedSpots) else "cells and blocks of cells"
    around = {"around": AROUND} if hot_spots.threshold is None else {}
    return {
        "above": f"above {above}",
        "false": f"at most {100 * hot_spots.rate:g} % false, on average",
        "found": f"{spots} above {above}",
        **around,
        "rate": (
            f"of the {chosen} listed, on average at most {100 * hot_spots.rate:g} % are there by"
            " noise alone"
        ),
        "totals": f"totals are {map_statement(record).capped_words()}",
        "interval": (
            f"intervals hold {100 * hot_spots.level:g} % of the time, for what the map itself chose"
        ),
        "absence": (
            "a cell that is not listed is no proof of absence: it may be as high, and the noise"
            " hides it"
        ),
    }
