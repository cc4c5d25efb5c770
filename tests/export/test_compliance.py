"""What the checker of IOOS, which data centres hold netCDF to, says of every .nc that dpmap writes."""

import json
import subprocess
import sys

import pytest
from builders.records import LAND, case, hill, told_of

from dpmap.export import export
from dpmap.grid import Grid
from dpmap.releases.release import Release

RUN = """
import sys
from compliance_checker.runner import CheckSuite, ComplianceChecker
CheckSuite.load_all_available_checkers()
for path in sys.argv[2:]:
    ComplianceChecker.run_checker(path, sys.argv[1].split(","), 0, "strict", output_filename=path + ".json", output_format="json")
"""
OFFICIAL = "cells with codes"
CASES = (
    "squares lon/lat",
    "squares projected masked",
    "squares web mercator",
    "hexagons",
    "areas",
    OFFICIAL,
)
"""One of each kind of cells and of reference system."""
UNNAMED = {"squares web mercator"}
"""Systems that CF has no name for: the checker finds no `grid_mapping_name`, and a wrong one would lead readers astray."""


def checked(paths, checks):
    """The checker's report of each file, in a process of its own, which may warn as it likes."""
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", RUN, checks, *map(str, paths)],
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return [json.loads(path.with_name(f"{path.name}.json").read_text("utf-8")) for path in paths]


def faults(report, priority):
    """What the checker says at this priority, as pairs of what it looked at and what it found."""
    return {
        (one["name"], words) for one in report[f"{priority}_priorities"] for words in _said(one)
    }


def _said(one):
    missed = one["value"][0] < one["value"][1]
    return (
        [*one["msgs"], *(words for child in one["children"] for words in _said(child))]
        if missed
        else []
    )


def official():
    """A map on the European grid, whose cells have codes."""
    grid = Grid.official(LAND, grid="eea-10km")
    return told_of(grid, hill(grid))


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """The reports of every case, by its name."""
    folder = tmp_path_factory.mktemp("nc")
    paths = [folder / f"{at}.nc" for at in range(len(CASES))]
    for name, path in zip(CASES, paths, strict=True):
        export(*(official() if name == OFFICIAL else case(name)), path)
    return dict(zip(CASES, checked(paths, "cf:1.11,acdd:1.3"), strict=True))


@pytest.mark.parametrize("name", CASES)
def test_conventions_of_climate_and_forecast_are_kept(reports, name):
    """Not one error, warning or remark after CF 1.11, but for a reference system that CF has no name for."""
    found = {
        words
        for priority in ("high", "medium", "low")
        for _, words in faults(reports[name]["cf:1.11"], priority)
    }
    assert all("grid_mapping_name" in words for words in found) and bool(found) == (name in UNNAMED)


@pytest.mark.parametrize("name", CASES)
def test_what_acdd_highly_recommends_is_there(reports, name):
    """All of it but a standard name for numbers that have none, as CF's table has no word for records in a cell."""
    missing = faults(reports[name]["acdd:1.3"], "high")
    assert {words for _, words in missing} == {"standard_name"}
    assert all(
        any(band in where for band in ("estimate", "low", "high", "noisy", "count", "mean"))
        for where, _ in missing
    )


def test_a_cube_for_the_ebv_portal_passes_too(tmp_path):
    """The cube's root keeps CF 1.8, which its format is made after, and has all that ACDD highly recommends."""
    made = Release(case("squares lon/lat")[0])
    made.export(tmp_path / "cube.nc", form="ebv-cube", year=2024)
    (report,) = checked([tmp_path / "cube.nc"], "cf:1.8,acdd:1.3")
    assert not [
        faults(report["cf:1.8"], priority)
        for priority in ("high", "medium")
        if faults(report["cf:1.8"], priority)
    ]
    assert not faults(report["acdd:1.3"], "high")
