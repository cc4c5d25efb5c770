"""Says in the words of ACDD 1.3, which catalogues of netCDF read, what a Dataset is about.

All of it is from the record, and nothing is guessed: who made a map, under which licence it may be
used and which days it is of stand there if they were declared. The area is the declared one, whole
cells of it, and never that of the survey's points.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise
from typing import Any

from dpmap.grid import Grid
from dpmap.grid import crs as crs_tools
from dpmap.grid.layer_axes import Axis, Kinds, Times, first_and_last
from dpmap.grid.squares import Squares
from dpmap.maps import read_map
from dpmap.numbers import decimal_text
from dpmap.record import About, Record
from dpmap.statement.extent import Box, box, split_box
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import clean, noun

CONVENTIONS = "CF-1.11, ACDD-1.3"
ESTIMATED = "modelResult"
QUALITY = "qualityInformation"
OF_CELLS = "referenceInformation"
"""What a variable holds, in ISO 19115-1's words: a number that was computed from noisy totals;
how far to trust it; a fact of the cell.
"""
LONG_NAMES = {
    "latitude": "latitude of the cell's middle",
    "longitude": "longitude of the cell's middle",
    "projection_x_coordinate": "easting of the cell's middle",
    "projection_y_coordinate": "northing of the cell's middle",
}
"""What coordinates are called, by their standard names."""
KINDS_NAMED = 20
"""Of more kinds than these the keywords name the first."""


def attributes(record: Record) -> dict[str, Any]:
    """Return the global attributes of one map.

    A count is nobody's standard name, so the vocabulary is that of the coordinates. The name that
    the authority gives is the DOI if one was declared, else the release's own in its ledger.
    """
    governance = record.about.governance
    doi = governance.doi.strip()
    attributes: dict[str, Any] = {
        "summary": summary(record),
        "keywords": keywords(record),
        "id": (doi or record.receipt.release_id).replace(" ", ""),
        "naming_authority": (
            "https://doi.org" if doi else "the ledger of this release, kept with dpmap"
        ),
        "project": clean(record.receipt.dataset),
        "source": source(record),
        "processing_level": (
            "Estimated from noisy numbers, which were made to fit each other; no raw data"
        ),
        "comment": map_statement(record).facts()["reading"],
        "date_created": record.released_on,
        **(
            {"product_version": f"event {record.receipt.event} of its ledger"}
            if record.receipt.event
            else {}
        ),
        "standard_name_vocabulary": "Standard names of CF, for coordinates and areas",
        "license": governance.licence or "Not declared: ask who released it",
        **extent(record.grid.ground),
    }
    if governance.authorised_by:
        attributes |= {
            "publisher_name": governance.authorised_by,
            "creator_name": governance.authorised_by,
        }
    return {
        name: clean(value) if isinstance(value, str) else value
        for name, value in attributes.items()
    }


def source(record: Record) -> str:
    """Say what the numbers were made from, and by which noise."""
    if read_map(record).local:
        made = f"{noun(record)} that volunteers' own devices reported, each report noisy"
    elif record.partners:
        made = (
            f"{noun(record)} of several surveys, each counted in cells, capped and made noisy by"
            " its own holder"
        )
    else:
        made = f"{noun(record)} of a survey, counted in cells and capped, with noise added"
    return f"{made}: {map_statement(record).noise_words()}"


def summary(record: Record) -> str:
    """Say in a paragraph what the map holds, whom it protects and how to read it."""
    grid = record.grid.ground
    words = map_statement(record)
    policy = record.policy
    whose = "each single row" if policy.unit == "row" else f"each {clean(policy.unit)}"
    return (
        f"{words.numbers[0].upper()}{words.numbers[1:]}: {noun(record)} in {grid.cells_inside:,}"
        f" cells ({grid.cell_text}). The map is differentially private: epsilon ="
        f" {decimal_text(policy.epsilon)} protects {whose}. Every number is an estimate made from"
        f" noisy ones and has a 90 % interval. {words.facts()['reading']}"
    )


def keywords(record: Record, axes: Sequence[Axis] = ()) -> str:
    """List what a catalogue finds the map by; a comma parts two of them, so that no word holds
    one.
    """
    kinds = [name for axis in axes if isinstance(axis, Kinds) for name in axis.names][:KINDS_NAMED]
    words = ["differential privacy", "noisy counts", noun(record), *(kinds or record.about.layer)]
    return ", ".join(clean(word).replace(",", "") for word in words)


def extent(grid: Grid) -> dict[str, Any]:
    """Return where the cells lie, edges included, in degrees; over the antimeridian the west is
    the larger number.

    >>> extent(Grid(bounds=(0, 50, 2, 51), shape=(1, 2), crs="EPSG:4326"))["geospatial_bounds"]
    'POLYGON ((50 0, 50 2, 51 2, 51 0, 50 0))'
    """
    west, south, east, north = (round(side, 7) for side in box(grid))
    attributes: dict[str, Any] = {
        "geospatial_bounds": outline((west, south, east, north)),
        "geospatial_bounds_crs": "EPSG:4326",
        "geospatial_lat_min": south,
        "geospatial_lat_max": north,
        "geospatial_lat_units": "degrees_north",
        "geospatial_lon_min": west,
        "geospatial_lon_max": east,
        "geospatial_lon_units": "degrees_east",
    }
    if isinstance(grid.cells, Squares) and crs_tools.is_lonlat(grid.crs):
        width, height = grid.cells.cell
        attributes |= {
            "geospatial_lat_resolution": f"{height:.10g} degree",
            "geospatial_lon_resolution": f"{width:.10g} degree",
        }
    return attributes


def outline(degrees: Box) -> str:
    """Return a box as text (WKT), latitude first as EPSG:4326 has it; over the antimeridian in two
    parts.

    >>> outline((178.0, -19.0, -179.0, -16.0))
    'MULTIPOLYGON (((-19 178, -19 180, -16 180, -16 178, -19 178)), ((-19 -180, -19 -179, -16 -179,
    -16 -180, -19 -180)))'
    """
    rings = []
    for west, south, east, north in split_box(degrees):
        corners = ((south, west), (south, east), (north, east), (north, west), (south, west))
        rings.append(f"(({', '.join(f'{lat:.10g} {lon:.10g}' for lat, lon in corners)}))")
    return f"POLYGON {rings[0]}" if len(rings) == 1 else f"MULTIPOLYGON ({', '.join(rings)})"


def shared_facts(record: Record, axes: Sequence[Axis]) -> dict[str, str]:
    """Return what is true of all layers together and not of each: the kinds, and the declared
    days.
    """
    whole = (
        record
        if not record.about.layer
        else replace(record, about=About.from_mapping({**record.about.written, "layer": []}))
    )
    return {"summary": summary(whole), "keywords": keywords(whole, axes), **span(axes)}


def span(axes: Sequence[Axis]) -> dict[str, str]:
    """Return the first and the last declared day, how long that is, and how far spans lie apart;
    nothing for a map without times.

    >>> span([Times("date", ("2023", "2024", "2025"))])["time_coverage_resolution"]
    'P1Y'
    """
    times = next((axis for axis in axes if isinstance(axis, Times)), None)
    if times is None:
        return {}
    days = times.days
    return {
        "time_coverage_start": days[0].isoformat(),
        "time_coverage_end": first_and_last(times)[-1][1].isoformat(),
        "time_coverage_duration": f"P{(days[-1] - days[0]).days}D",
        **({"time_coverage_resolution": months} if (months := step(days)) else {}),
    }


def step(days: Sequence[date]) -> str:
    """Return how long each span is, as ISO 8601 writes it: in whole years, months or days; empty
    where they differ.

    >>> step([date(2024, 1, 1), date(2024, 4, 1), date(2024, 7, 1)])
    'P3M'
    """
    pairs = list(pairwise(days))
    months = {(after.year - first.year) * 12 + after.month - first.month for first, after in pairs}
    if len(months) == 1 and all(day.day == days[0].day for day in days):
        (month_count,) = months
        return f"P{month_count // 12}Y" if month_count % 12 == 0 else f"P{month_count}M"
    lengths = {(after - first).days for first, after in pairs}
    return f"P{lengths.pop()}D" if len(lengths) == 1 else ""


def content(name: str) -> dict[str, str]:
    """Say of which kind the numbers of a band are.

    >>> content("low")
    {'coverage_content_type': 'qualityInformation'}
    """
    return {
        "coverage_content_type": (
            {
                "low": QUALITY,
                "high": QUALITY,
                "noisy": "auxiliaryInformation",
            }.get(name, ESTIMATED)
        )
    }
