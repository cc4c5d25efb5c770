"""What users write: no line may be an error to mypy or pyright. Nothing here is run."""

import datetime
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyproj

import dpmap as dm

SEASON = datetime.date(2026, 1, 1)


def make_map(
    survey: dm.Survey, grid: dm.Grid, policy: dm.Policy, *, ledger: dm.Ledger
) -> dm.Release:
    """Public classes are annotations, and a release without tiers is a Release."""
    return dm.release(
        survey,
        grid,
        policy,
        ledger=ledger,
        dataset="Raptors",
        budget="3",
        budget_delta=1e-6,
        strategy="flat",
        engine=dm.engines.DuckDB(memory="1 GB"),
        noise="dpmap",
        governance=dm.Governance(licence="CC-BY-4.0"),
        sensitivity="eagles",
        sites=None,
        notes={"season": 2026},
        confirm_epsilon=True,
        to=Path("raptors.dpmap"),
        prior=["effort.tif", dm.open("last.dpmap"), np.ones((20, 20))],
        progress=print,
    )


def make_tiers(survey: dm.Survey, grid: dm.Grid, policy: dm.Policy) -> dm.Tiers:
    """With tiers it is Tiers."""
    return dm.release(
        survey,
        grid,
        policy,
        ledger="a.ledger",
        dataset="Raptors",
        tiers={"public": "0.3", "staff": 1},
    )


def read_all() -> list[dm.Survey]:
    """Every way to name a place, a person, a date and a file."""
    return [
        dm.read(
            "raptors.csv", unit="observer_id", x="lon", y="lat", crs=4326, consent="consent=yes"
        ),
        dm.read(
            Path("raptors.csv"),
            crs=pyproj.CRS("EPSG:27700"),
            max_uncertainty="1 km",
            where="year >= 2020",
        ),
        dm.read(
            ["a.csv", {"file": "b.csv", "x": "lon"}],
            since=SEASON,
            until="date=2026-05",
            dates=["dmy", "iso"],
        ),
        dm.read(
            "a.xlsx", sheet=2, header_row=3, mean="score", between=(0, 30), missing_unit="own-unit"
        ),
        dm.read(
            "a.csv",
            columns=["who", "lon", "lat"],
            swap=True,
            team="; ,",
            signals="none",
            max_uncertainty=1000,
        ),
    ]


def declare() -> list[dm.Policy]:
    """A number may be written as any kind of number, or as its text."""
    consent = dm.Consent("consent", ("yes",))
    return [
        dm.Policy(epsilon="0.1", unit="observer_id", cap=5, consent=consent),
        dm.Policy(epsilon=Fraction(1, 3), unit="observer_id", cap="auto:0.05", limiter="scale"),
        dm.Policy(
            epsilon=0.5, unit="observer_id", cap=np.int64(5), sample="5%", delta=1e-6, units=1000
        ),
    ]


def lay() -> dm.Grid:
    """A grid lies over a file, a country, a box or a layer, and may have layers."""
    boxes = (-5.0, 56.0, -3.0, 58.0)
    dm.Grid(bounds=boxes, shape=(20, 20), crs="EPSG:4326")
    dm.Grid.covering(boxes, cell=1000, crs="EPSG:27700")
    dm.Grid.hexagons("country:Kenya", resolution=5)
    dm.Grid.official(Path("area.gpkg"), grid="eea-10km")
    kinds: dm.Kinds = dm.Kinds("species", ("Kestrel", "Owl"))
    return dm.Grid.areas("districts.gpkg", name="name").layered(
        kinds, dm.Times("date", ("2025", "2026"))
    )


def use(release: dm.Release) -> float:
    """What is read from a release has the types of numpy."""
    low, high = release.interval(0.9)
    release.ask("zones.gpkg", than=20, leave_outside=True)
    release.plot(what="estimate", title="Raptors")
    comparison: dm.Comparison = dm.compare(
        release, dm.merge([release, release]), zones="zones.gpkg"
    )
    series: dm.Series = dm.open_series([release, "last.dpmap"])
    print(comparison, series)
    return float(release.estimate.sum()) + float((high - low).max())


def plan(grid: dm.Grid, policy: dm.Policy) -> tuple[dm.Plan, dm.YearsPlan, Fraction]:
    """Plans take numbers in the same ways as policies."""
    goals: dm.Goals = dm.Goals(error=5, tail="20:1%", zones="zones.gpkg", within="30%")
    dm.simulate([[1, 2], [3, 4]], epsilon=1)
    return (
        dm.plan("area.gpkg", policy, units=800, each="2.5", wanted=goals),
        dm.plan_years(grid, policy, years=3, budget=3, spent="1"),
        dm.epsilon_for(5, error=10),
    )


def answer(path: str) -> str:
    """Errors are caught by their classes."""
    try:
        return dm.open(path).policy.unit
    except (dm.errors.Refused, dm.errors.BadInput) as error:
        return str(error) + dm.__version__
