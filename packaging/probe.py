"""Tries what an installed dpmap gives, in the folder it is started in, and prints what it stands on as JSON.

    python probe.py core|extras

`core` needs the package alone; `extras` needs ebv, hex, opendp, postgres, spark and studio too. It reads the sample survey that the
package carries, asks no network, and ends in a traceback where something does not work: it is read by who makes releases.
"""

import json
import sys
from importlib.metadata import requires, version
from pathlib import Path

import geopandas
import numpy
import pandas
import pyarrow.parquet

import dpmap as dm

SAMPLES = Path(dm.__file__).parent / "samples"
PROMISE = dict(unit="observer_id", cap=5, consent="consent=yes")


def paid(survey, grid, name, **options):
    """Releases a map of a data set of its own."""
    policy = options.pop("policy", dm.Policy(epsilon="1.0", **PROMISE))
    return dm.release(
        survey, grid, policy, ledger="all.ledger", dataset=name, budget="99", **options
    )


def files_read(folder: Path) -> None:
    """Reads one survey from each kind of file and table that the libraries read for us."""
    rows = pandas.read_csv(SAMPLES / "raptors.csv", nrows=2000)[
        ["observer_id", "longitude", "latitude", "date", "consent"]
    ]
    places = geopandas.points_from_xy(rows.longitude, rows.latitude, crs="EPSG:4326")
    frame = geopandas.GeoDataFrame(rows[["observer_id", "consent"]], geometry=places)
    frame = frame[rows.longitude.notna() & rows.latitude.notna()]
    frame.to_file(folder / "a.gpkg", driver="GPKG")
    frame.to_file(folder / "a.geojson", driver="GeoJSON")
    frame.to_parquet(folder / "a.geoparquet")
    pyarrow.parquet.write_table(pyarrow.Table.from_pandas(rows), folder / "a.parquet")
    grid = dm.Grid.covering(SAMPLES / "study_area.gpkg", cell="10 km")
    asked = dict(unit="observer_id")
    surveys = {
        "gpkg": dm.read(folder / "a.gpkg", **asked),
        "parquet": dm.read(
            folder / "a.parquet", x="longitude", y="latitude", crs="EPSG:4326", **asked
        ),
        "pandas": dm.read(rows, x="longitude", y="latitude", crs="EPSG:4326", **asked),
        "geopandas": dm.read(frame, **asked),
        "arrow": dm.read(
            pyarrow.Table.from_pandas(rows), x="longitude", y="latitude", crs="EPSG:4326", **asked
        ),
    }
    for name, survey in surveys.items():
        paid(survey, grid, f"as {name}")
    dm.inspect(folder / "a.gpkg")


def maps_made(folder: Path) -> None:
    """Makes maps of each kind, draws and exports them, and asks them."""
    survey = dm.read(SAMPLES / "raptors.csv")
    grid = dm.Grid.covering(SAMPLES / "study_area.gpkg", cell="5 km")
    release = paid(survey, grid, "Raptors")
    for suffix in (
        "png",
        "svg",
        "pdf",
        "html",
        "tif",
        "gpkg",
        "fgb",
        "parquet",
        "geojson",
        "csv",
        "nc",
        "sld",
    ):
        release.write(folder / f"map.{suffix}")
    release.save(folder / "map.dpmap")
    again = dm.open(folder / "map.dpmap")
    assert numpy.array_equal(again.estimate, release.estimate, equal_nan=True)
    again.plot()
    again.explore()
    again.to_xarray()
    again._repr_html_()
    assert len(again.to_geodataframe()) == len(
        geopandas.read_file(folder / "map.gpkg", layer="cells")
    )
    again.patches()
    again.hotspots()
    again.ask(SAMPLES / "study_area.gpkg")
    paid(
        survey,
        grid,
        "Gaussian",
        policy=dm.Policy(epsilon="1.0", delta="1e-6", **PROMISE),
        budget_delta="1e-5",
        strategy="flat",
    )
    layered = paid(survey, grid.layered(dm.Kinds("behaviour", ["soaring", "perched"])), "Kinds")
    layered.draw(folder / "layers.png")
    paid(
        survey,
        dm.Grid.covering(SAMPLES / "study_area.gpkg", cell="1 km"),
        "Sparse",
        strategy="sparse:20",
    )
    dm.merge([release, paid(survey, grid, "Owls")])
    dm.plan(grid, dm.Policy(epsilon="1.0", unit="observer_id", cap=5))


def extras_used() -> None:
    """Uses each extra as far as it goes without a server."""
    import adbc_driver_manager
    import adbc_driver_postgresql.dbapi
    import pyspark.sql

    import dpmap.engines.spark
    import dpmap.studio.server

    assert adbc_driver_manager
    assert adbc_driver_postgresql.dbapi
    assert pyspark.sql
    assert dpmap.engines.spark
    assert dpmap.studio.server
    survey = dm.read(SAMPLES / "raptors.csv")
    hexagons = dm.Grid.hexagons(SAMPLES / "study_area.gpkg", resolution=6)
    paid(survey, hexagons, "Hexagons").draw("hexagons.png")
    squares = dm.Grid.covering(SAMPLES / "study_area.gpkg", cell="10 km")
    paid(survey, squares, "Cube").export("cube.nc", form="ebv-cube", year=2026)
    paid(survey, hexagons, "By OpenDP", noise="opendp")


def main() -> None:
    folder = Path.cwd()
    if sys.argv[1] == "core":
        files_read(folder)
        maps_made(folder)
    else:
        extras_used()
    names = sorted(
        {
            line.split(">")[0].split("<")[0].strip()
            for line in requires("private-heatmaps") or ()
            if "extra == 'test'" not in line
        }
    )
    found = {}
    for name in names:
        try:
            found[name] = version(name)
        except ImportError:
            continue
    print(json.dumps(found))


if __name__ == "__main__":
    main()
