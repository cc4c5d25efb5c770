"""What a catalogue of netCDF reads of a file: ACDD's attributes, from the record alone."""

import numpy as np
import pytest
import shapely
import xarray as xr
from builders.records import (
    CASES,
    GRIDS,
    SQUARES,
    case,
    hill,
    measured,
    promise,
    receipt,
    record,
    told_of,
)

import dpmap as dm
from dpmap.export import acdd, export
from dpmap.export.raster import to_xarray
from dpmap.grid import Partition
from dpmap.releases.release import Release

HIGHLY = ("title", "summary", "keywords", "Conventions")
RECOMMENDED = (
    "id", "naming_authority", "history", "source", "processing_level", "comment", "license", "standard_name_vocabulary",
    "date_created", "project", "geospatial_bounds", "geospatial_bounds_crs", "geospatial_lat_min", "geospatial_lat_max",
    "geospatial_lon_min", "geospatial_lon_max",
)  # fmt: skip
CONTENT = {
    "image", "thematicClassification", "physicalMeasurement", "auxiliaryInformation", "qualityInformation",
    "referenceInformation", "modelResult", "coordinate",
}  # fmt: skip
DECLARED = {"authorised_by": "Elders' council", "licence": "CC-BY-4.0", "doi": "10.1234/abc"}


def layered(*axes):
    """A map of kinds and times with one peak in each layer."""
    grid = dm.Grid(bounds=(-2.5, 40, -1, 41), shape=(4, 6), crs="EPSG:4326").layered(*axes)
    policy, cells = promise(), Partition.cells(grid)
    totals = np.arange(cells.regions) % 50
    return Release(record(grid, policy, [measured(cells, totals, policy)]))


@pytest.mark.parametrize("name", CASES)
def test_a_catalogue_finds_what_it_asks_for(name, tmp_path):
    """Every .nc has what ACDD highly recommends and what it recommends of a map without a maker, and each value is text or a number."""
    export(*case(name), tmp_path / "map.nc")
    with xr.open_dataset(tmp_path / "map.nc", engine="scipy") as stored:
        told = stored.attrs
        assert all(told[attribute] not in ("", None) for attribute in HIGHLY + RECOMMENDED)
        assert told["Conventions"] == "CF-1.11, ACDD-1.3" and " " not in told["id"]
        assert told["date_created"] == told["released_on"] == "2026-11-21"
        for variable in stored.data_vars:
            if variable != "crs":
                assert (
                    stored[variable].attrs["coverage_content_type"] in CONTENT
                    and stored[variable].attrs["long_name"]
                )
        for coordinate in ("lat", "lon", "x", "y"):
            if coordinate in stored.coords:
                assert {"long_name", "standard_name", "units"} <= set(stored[coordinate].attrs)


def test_over_the_antimeridian_the_outline_is_in_two_parts():
    """Land on both sides of 180 degrees has a small outline, of both parts, and not one around the globe."""
    land = shapely.MultiPolygon(
        [shapely.box(177, -19, 180, -16), shapely.box(-180, -19, -179, -16)]
    )
    told = acdd.extent(dm.Grid.covering(land, cell="50 km"))
    outline = shapely.from_wkt(told["geospatial_bounds"])
    assert outline.geom_type == "MultiPolygon" and outline.area < 30
    assert told["geospatial_lon_min"] > 170 and told["geospatial_lon_max"] < -170


@pytest.mark.parametrize("name", CASES)
def test_the_area_is_the_declared_one(name):
    """The limits hold every cell, edges included, and do not hang on the survey: another survey of the same cells has the same."""
    made, estimate = case(name)
    told = to_xarray(made, estimate).attrs
    cells = made.grid.to_geodataframe().to_crs("EPSG:4326").total_bounds
    assert (
        told["geospatial_lon_min"] <= cells[0] + 1e-6
        and told["geospatial_lat_min"] <= cells[1] + 1e-6
    )
    assert (
        told["geospatial_lon_max"] >= cells[2] - 1e-6
        and told["geospatial_lat_max"] >= cells[3] - 1e-6
    )
    if name in SQUARES:
        other = to_xarray(*told_of(GRIDS[name](), hill(made.grid)[::-1])).attrs
        assert {key: told[key] for key in told if "geospatial" in key} == {
            key: other[key] for key in other if "geospatial" in key
        }
    ring = shapely.from_wkt(told["geospatial_bounds"])
    assert ring.bounds == tuple(
        told[f"geospatial_{side}"] for side in ("lat_min", "lon_min", "lat_max", "lon_max")
    )


def test_who_made_it_and_under_which_licence_is_what_was_declared():
    """A DOI is the id, the council is who publishes, the licence is as typed; where nothing was declared no name stands there."""
    grid = dm.Grid(bounds=(0, 50, 2, 51), shape=(2, 4), crs="EPSG:4326")
    declared = to_xarray(*told_of(grid, governance=DECLARED)).attrs
    assert declared["id"] == "10.1234/abc" and declared["naming_authority"] == "https://doi.org"
    assert declared["publisher_name"] == declared["creator_name"] == "Elders' council"
    assert declared["license"] == "CC-BY-4.0" == declared["licence"]
    silent = to_xarray(*told_of(grid)).attrs
    assert not [name for name in silent if name.startswith(("creator", "publisher", "institution"))]
    assert silent["license"].startswith("Not declared") and silent["id"] == silent["release_id"]
    assert not [name for name in silent if name.startswith("time_coverage")]


def test_a_map_of_times_says_which_days_it_is_of():
    """First and last declared day, how long that is and how far the spans lie apart; the kinds are among the keywords."""
    map_of_both = layered(
        dm.Kinds("species", ("Kestrel", "Owl, barn")), dm.Times("date", ("2023", "2024", "2025"))
    )
    told = map_of_both.to_xarray().attrs
    assert (told["time_coverage_start"], told["time_coverage_end"]) == ("2023-01-01", "2024-12-31")
    assert (told["time_coverage_duration"], told["time_coverage_resolution"]) == ("P731D", "P1Y")
    assert told["keywords"].split(", ")[-2:] == ["Kestrel", "Owl barn"]
    assert told["title"] == "Raptor survey 2026" and "24 cells" in told["summary"]
    uneven = layered(dm.Times("date", ("2023", "2023-02", "2024"))).to_xarray().attrs
    assert "time_coverage_resolution" not in uneven and uneven["time_coverage_end"] == "2023-12-31"


@pytest.mark.parametrize(
    ("edges", "found"),
    [
        (("2023", "2025", "2027"), "P2Y"),
        (("2023-01", "2023-07", "2024-01"), "P6M"),
        (("2023-01-02", "2023-01-09", "2023-01-16"), "P7D"),
    ],
)
def test_how_far_spans_lie_apart(edges, found):
    """Whole years, months or days, as ISO 8601 writes them."""
    assert acdd.step(dm.Times("date", edges).days) == found


def test_a_strangers_texts_stay_one_line():
    """Line breaks and control characters of a file from someone else do not reach an attribute, and no keyword holds a comma."""
    hostile = "Raptors,\nid = evil\x07"
    made, estimate = told_of(
        dm.Grid(bounds=(0, 50, 2, 51), shape=(2, 4), crs="EPSG:4326"),
        dataset=hostile,
        noun="nests, eggs",
    )
    told = to_xarray(made, estimate).attrs
    assert (
        told["project"] == "Raptors, id = evil" and told["keywords"].split(", ")[-1] == "nests eggs"
    )
    assert all(
        text.isprintable() for key, text in told.items() if isinstance(text, str) and key != "title"
    )
    assert receipt(hostile).dataset == hostile
