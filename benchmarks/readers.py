"""What each reader of a large release takes: seconds, CPU seconds and peak memory of whole processes, beside floors by hand.

    python benchmarks/readers.py [--side 1000] [--seasons 2] [--strategies adaptive flat] [--masks none coast] [--epsilon 1]
                                 [--readers NAME ...] [--runs 1] [--keep FOLDER]

The survey of each season has as many rows as there are cells, half of them about 200 towns and half over the countryside, five rows to a
unit, cap 5; from season to season a tenth of the towns double. `coast` leaves out some two fifths of the cells by a polygon. The releases are
made first, or taken from the folder of `--keep`. Each reader is a process of its own from its start to a written result: `seconds` and `CPU`
are the whole process's, `load` is the CPU of them until the library and all that a tiny release needs of it stand ready, and `MB` its peak. Floors: `floor: npy` writes the difference
of two noisy arrays, `floor: tif` the same as a GeoTIFF, `floor: gpkg` and `floor: png` one array's million cells as polygons and as a picture by
geopandas and matplotlib, as somebody would by hand with no interval of anything.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

CELL = 100.0
WEST, SOUTH = 3_000_000.0, 2_000_000.0
TINY = 12


def make_releases(folder, side, seasons, strategy, mask, epsilon):
    """Makes the seasons' releases where they are not kept yet, and returns their paths."""
    paths = [
        folder / f"readers-{side}-{strategy}-{mask}-{epsilon:g}-{season}.dpmap"
        for season in range(seasons)
    ]
    for season, path in enumerate(paths):
        if not path.exists():
            command = [sys.executable, __file__, "--make", str(path), str(side), strategy, mask]
            subprocess.run([*command, f"{epsilon:g}", str(season)], check=True)
    return paths


def make_release(path, side, strategy, mask, epsilon, season):
    """Makes one season's release and saves it."""
    import pandas as pd
    import shapely

    import dpmap as dm

    random = np.random.default_rng(5)
    share = random.pareto(1, 200) + 0.1
    middle = random.random((200, 2))
    width = (0.2 + random.random(200)) / 30
    doubles = random.random((10, 200)) < 0.1
    share = share * 2.0 ** doubles[:season].sum(axis=0)
    random = np.random.default_rng(season)
    rows = side * side
    town = random.choice(200, rows // 2, p=share / share.sum())
    towns = random.normal(middle[town], width[town, None])
    country = random.random((rows - rows // 2, 2)) ** [1, 2]
    xy = np.concatenate([towns, country]) * side * CELL + [WEST, SOUTH]
    frame = pd.DataFrame({"x": xy[:, 0], "y": xy[:, 1], "observer": random.permutation(rows) // 5})
    if mask == "coast":
        turn = np.linspace(0, 2 * np.pi, 400, endpoint=False)
        reach = 0.42 + 0.05 * np.sin(5 * turn) + 0.03 * np.sin(23 * turn)
        edge = 0.5 + reach[:, None] * np.column_stack([np.cos(turn), np.sin(turn)])
        cells = dm.Grid(bounds=bounds_of(side), shape=(side, side), crs="EPSG:3035").cells
        from dpmap.grid.study_area import covering_mask

        polygon = shapely.Polygon(edge * side * CELL + [WEST, SOUTH])
        grid = dm.Grid(cells=cells, crs="EPSG:3035", mask=covering_mask(polygon, cells))
    else:
        grid = dm.Grid(bounds=bounds_of(side), shape=(side, side), crs="EPSG:3035")
    survey = dm.read(frame, x="x", y="y", unit="observer", crs="EPSG:3035")
    policy = dm.Policy(epsilon=epsilon, unit="observer", cap=5)
    with tempfile.TemporaryDirectory() as folder:
        release = dm.release(
            survey,
            grid,
            policy,
            ledger=f"{folder}/ledger",
            dataset=f"Invented {2001 + season}",
            budget=epsilon,
            strategy=strategy,
        )
    release.save(path)


def bounds_of(side):
    """The bounds of a square grid with so many cells a side."""
    return (WEST, SOUTH, WEST + side * CELL, SOUTH + side * CELL)


def zones_of(grid, count):
    """Discs of many sizes over the map, in its own CRS."""
    import geopandas as gpd
    import shapely

    random = np.random.default_rng(3)
    west, south, east, north = grid.cells.bounds
    places = random.random((count, 2)) * [east - west, north - south] + [west, south]
    reach = (north - south) * 0.002 * 50 ** random.random(count)
    return gpd.GeoDataFrame(geometry=shapely.buffer(shapely.points(places), reach), crs="EPSG:3035")


def compare(releases, out):
    """Every region's change."""
    import dpmap as dm

    dm.compare(*releases[:2]).export(out / "changes.parquet")


def compare_layer(releases, out):
    """Every region's change, and patches and clusters, as a GeoPackage."""
    import dpmap as dm

    dm.compare(*releases[:2]).export(out / "changes.gpkg")


def compare_page(releases, out):
    """The page with a slider."""
    import dpmap as dm

    dm.compare(*releases[:2]).draw(out / "changes.html")


def compare_picture(releases, out):
    """The picture of changed places."""
    import dpmap as dm

    dm.compare(*releases[:2]).draw(out / "changes.png")


def compare_zones(releases, out):
    """The change of 100 zones."""
    import dpmap as dm

    zones = zones_of(releases[0].grid, 100)
    dm.compare(*releases[:2], zones=zones).export(out / "zones.parquet")


def series(releases, out):
    """The better map of every season, as arrays."""
    import dpmap as dm

    np.save(out / "maps.npy", np.stack([one.estimate for one in dm.open_series(releases).maps]))


def series_page(releases, out):
    """The newest season's better map, as a page."""
    import dpmap as dm

    dm.open_series(releases).newest.draw(out / "newest.html")


def series_picture(releases, out):
    """All better maps side by side."""
    import dpmap as dm

    dm.open_series(releases).draw(out / "seasons.png")


def trend(releases, out):
    """The trend of every region."""
    import dpmap as dm

    dm.open_series(releases).trend().export(out / "trend.parquet")


def hot_spots(releases, out):
    """Land above its surroundings."""
    releases[0].hotspots().to_geodataframe().to_parquet(out / "spots.parquet")


def hot_spots_above(releases, out):
    """Land above a number of points."""
    releases[0].hotspots(20).to_geodataframe().to_parquet(out / "spots.parquet")


def patches(releases, out):
    """The places of the default picture."""
    releases[0].patches().to_parquet(out / "patches.parquet")


def rates(releases, out):
    """Rates of places by their ground."""
    releases[0].rates(releases[0].grid.square_km).to_parquet(out / "rates.parquet")


def interval(releases, out):
    """Estimate and interval of every cell."""
    np.save(out / "cells.npy", np.stack([releases[0].estimate, *releases[0].interval()]))


def draws(releases, out):
    """Twenty drawn maps."""
    np.save(out / "draws.npy", releases[0].draws(20))


def ask(releases, out):
    """A hundred zones."""
    zones = zones_of(releases[0].grid, 100)
    releases[0].ask(zones).to_parquet(out / "answers.parquet")


def write(name):
    """A file of a release's folder."""

    def write_file(releases, out):
        releases[0].write(out / name)

    return write_file


READERS = {
    "interval": interval,
    "patches": patches,
    "hot spots": hot_spots,
    "hot spots > 20": hot_spots_above,
    "rates": rates,
    "ask": ask,
    "draws": draws,
    "compare": compare,
    "compare gpkg": compare_layer,
    "compare page": compare_page,
    "compare picture": compare_picture,
    "compare zones": compare_zones,
    "series": series,
    "series page": series_page,
    "series picture": series_picture,
    "trend": trend,
    "map.html": write("map.html"),
    "map.png": write("map.png"),
    "map.svg": write("map.svg"),
    "map.tif": write("map.tif"),
    "cells.gpkg": write("cells.gpkg"),
    "cells.parquet": write("cells.parquet"),
    "cells.csv": write("cells.csv"),
    "statement.md": write("statement.md"),
    "privacy.yaml": write("privacy.yaml"),
    "planner.html": write("for-the-planner.html"),
    "planner.pdf": write("for-the-planner.pdf"),
}


def floor_npy(path, other, out):
    """Writes the difference of two arrays."""
    np.save(out / "difference.npy", np.load(other) - np.load(path))


def floor_tif(path, other, out):
    """Writes the difference of two arrays as a GeoTIFF."""
    import rasterio

    change = np.load(other) - np.load(path)
    place = rasterio.transform.from_origin(WEST, SOUTH + CELL * len(change), CELL, CELL)
    with rasterio.open(
        out / "difference.tif",
        "w",
        driver="GTiff",
        height=change.shape[0],
        width=change.shape[1],
        count=1,
        dtype="float64",
        crs="EPSG:3035",
        transform=place,
    ) as file:
        file.write(change, 1)


def floor_gpkg(path, other, out):
    """Writes each cell of the difference as a polygon."""
    import geopandas as gpd
    import shapely

    change = np.load(other) - np.load(path)
    row, column = np.indices(change.shape)
    west = WEST + CELL * column.ravel()
    south = SOUTH + CELL * row.ravel()
    squares = shapely.box(west, south, west + CELL, south + CELL)
    frame = gpd.GeoDataFrame({"change": change.ravel()}, geometry=squares, crs="EPSG:3035")
    frame.to_file(out / "difference.gpkg")


def floor_png(path, other, out):
    """Draws the difference."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 8))
    ax = figure.subplots()
    figure.colorbar(ax.imshow(np.load(other) - np.load(path)))
    figure.savefig(out / "difference.png", dpi=300)


FLOORS = {
    "floor: npy": floor_npy,
    "floor: tif": floor_tif,
    "floor: gpkg": floor_gpkg,
    "floor: png": floor_png,
}


def run_one(name, paths):
    """Runs one reader in this process, and prints CPU seconds until the library stands ready, of all, and the peak in megabytes."""
    ready = None
    with tempfile.TemporaryDirectory() as folder:
        if name in FLOORS:
            FLOORS[name](*paths[:2], Path(folder))
        else:
            import dpmap as dm

            tiny, paths = paths[: len(paths) // 2], paths[len(paths) // 2 :]
            READERS[name]([dm.open(path) for path in tiny], Path(folder))
            ready = cpu_seconds()
            READERS[name]([dm.open(path) for path in paths], Path(folder))
    print(ready or 0.0, cpu_seconds(), peak())


def cpu_seconds():
    """The CPU seconds of this process and its children since it started."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def peak():
    """This process's greatest memory in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def report(name, paths, runs):
    """Prints the medians of some runs of one reader."""
    command = [sys.executable, __file__, "--one", name, *map(str, paths)]
    measured = []
    for _ in range(runs):
        begun = time.perf_counter()
        process = subprocess.run(command, capture_output=True, text=True, check=False)
        if process.returncode:
            print(f"  {name:16} failed: {process.stderr.strip().splitlines()[-1][:150]}")
            return
        numbers = [float(number) for number in process.stdout.split()[-3:]]
        measured.append([time.perf_counter() - begun, *numbers])
    seconds, ready, cpu, memory = (statistics.median(part) for part in zip(*measured, strict=True))
    print(
        f"  {name:16} {seconds:7.1f} s   CPU {cpu:7.1f} s (load {ready:4.1f} s)   {memory:6.0f} MB",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--side", type=int, default=1000)
    parser.add_argument("--seasons", type=int, default=2)
    parser.add_argument("--strategies", nargs="+", default=["adaptive", "flat"])
    parser.add_argument("--masks", nargs="+", choices=["none", "coast"], default=["none", "coast"])
    parser.add_argument("--epsilon", type=float, default=1.0)
    parser.add_argument("--readers", nargs="+", default=[*FLOORS, *READERS])
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--make", nargs=6, help=argparse.SUPPRESS)
    parser.add_argument("--one", nargs="+", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.make:
        path, side, strategy, mask, epsilon, season = given.make
        make_release(path, int(side), strategy, mask, float(epsilon), int(season))
        return
    if given.one:
        run_one(given.one[0], given.one[1:])
        return
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or Path(temporary)
        arrays = [Path(temporary) / f"noisy-{number}.npy" for number in (1, 2)]
        for number, path in enumerate(arrays):
            noise = np.random.default_rng(number).laplace(0, 5, (given.side, given.side))
            np.save(path, noise)
        floors = [name for name in given.readers if name in FLOORS]
        readers = [name for name in given.readers if name in READERS]
        if floors:
            print(f"{given.side:,} x {given.side:,} numbers")
        for name in floors:
            report(name, arrays, given.runs)
        for strategy in given.strategies:
            for mask in given.masks:
                settings = (given.seasons, strategy, mask, given.epsilon)
                tiny = make_releases(folder, TINY, *settings)
                paths = make_releases(folder, given.side, *settings)
                print(f"{given.side:,} x {given.side:,} cells, {strategy}, mask {mask}")
                for name in readers:
                    report(name, [*tiny, *paths], given.runs)


if __name__ == "__main__":
    main()
