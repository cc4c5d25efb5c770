"""Which share of each cell a zone covers: dpmap's own pass over the zone's edge, exactextract's, and clipping by shapely.

    python benchmarks/coverage.py [--zones 300] [--large 20] [--vertices 100000]

Prints, for ragged zones on a million square cells and for few zones of very many vertices, the seconds of computing (the least of
three) and the largest difference from clipping in some hundred cells; then what becomes of a zone whose edges are the cells'
own lines. exactextract is no part of dpmap: pip install exactextract; where it is missing, its lines are left out.
"""

import argparse
import time

import geopandas as gpd
import numpy as np
import pyproj
import shapely

from dpmap.grid.squares import EDGE, Squares
from dpmap.grid.zone_overlap import coverage

try:
    from exactextract import exact_extract
    from exactextract.raster import NumPyRasterSource
except ImportError:
    exact_extract = None

SIDE, CRS = 1000, "EPSG:3035"
CELLS = Squares((3e6, 2e6, 3e6 + SIDE * 1000, 2e6 + SIDE * 1000), (SIDE, SIDE))
CLIPPED, SAMPLED = 2, 60
"""How many zones are compared with clipping, in how many cells that they cut and as many of any kind around them."""


def ragged(random, radius, vertices, holes=0):
    """A zone in metres whose edge goes in and out at each vertex, with holes of the same kind."""
    x, y = random.uniform(3e6 + radius, 4e6 - radius), random.uniform(2e6 + radius, 3e6 - radius)
    turns = np.sort(random.uniform(0, 2 * np.pi, vertices))
    out = radius * (0.8 + 0.1 * np.sin(5 * turns) + 0.1 * random.random(vertices))
    rings = [np.column_stack((x + out * np.cos(turns), y + out * np.sin(turns)))]
    for i in range(holes):
        turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        east = x + radius * (0.3 * i - 0.15 * (holes - 1))
        rings.append(
            np.column_stack((east + 0.1 * radius * np.cos(turns), y + 0.1 * radius * np.sin(turns)))
        )
    return shapely.make_valid(shapely.Polygon(rings[0], rings[1:]))


def by_hand(zones):
    """Cells met and their shares, zone by zone, as dpmap finds them."""
    found = []
    for zone in zones:
        part, window = coverage(zone, CELLS)
        row, column = np.nonzero(part > EDGE)
        found.append(((row + window[0].start) * SIDE + column + window[1].start, part[row, column]))
    return found


def by_exactextract(zones):
    """The same by exactextract, from a raster that holds nothing: one byte a cell."""
    west, south, east, north = CELLS.bounds
    nothing = NumPyRasterSource(
        np.zeros((SIDE, SIDE), np.uint8), west, south, east, north, srs_wkt=pyproj.CRS(CRS).to_wkt()
    )
    frame = gpd.GeoDataFrame(geometry=list(zones), crs=CRS)
    told = exact_extract(nothing, frame, ["cell_id", "coverage"], output="pandas")
    return list(zip(told["cell_id"], told["coverage"], strict=True))


def by_clipping(zones, random):
    """Some cells of each zone and their shares, by shapely's intersection of the whole zone with each; taken for the truth."""
    found = []
    for zone in zones:
        ids, shares = by_hand([zone])[0]
        cut = ids[shares < 1 - EDGE]
        columns, rows = (np.unique(axis) for axis in (ids % SIDE, ids // SIDE))
        around = random.choice(rows, SAMPLED) * SIDE + random.choice(columns, SAMPLED)
        chosen = np.unique(np.append(random.choice(cut, SAMPLED), around))
        outlines = shapely.box(*CELLS.corners(chosen))
        found.append(
            (chosen, shapely.area(shapely.intersection(outlines, zone)) / shapely.area(outlines))
        )
    return found


def best(call, rounds=3):
    """What the call answers, and its least seconds of computing."""
    took = []
    for _ in range(rounds):
        begun = time.process_time()
        answer = call()
        took.append(time.process_time() - begun)
    return answer, min(took)


def furthest(found, truth):
    """The largest difference of a sampled cell's share."""
    worst = 0.0
    for (ids, shares), (sampled, true) in zip(found, truth, strict=False):
        plane = np.zeros(SIDE * SIDE)
        plane[np.asarray(ids)] = shares
        worst = max(worst, float(np.abs(plane[sampled] - true).max()))
    return worst


def compare(title, zones):
    """One table."""
    points = int(shapely.get_num_coordinates(zones).sum())
    print(
        f"\n{title}: {len(zones)} zones, {points:,} vertices, {CELLS.shape[0]} x {CELLS.shape[1]} cells"
    )
    truth, took = best(lambda: by_clipping(zones[:CLIPPED], np.random.default_rng(8)), 1)
    print(
        f"  {'shapely':<20} {took:8.2f} s, {sum(len(ids) for ids, _ in truth):,} cells of {len(truth)} zones"
    )
    for name, way in (("dpmap", by_hand), ("exactextract", exact_extract and by_exactextract)):
        if way is None:
            print(f"  {name:<20} not installed: pip install exactextract")
            continue
        found, took = best(lambda: way(zones))
        print(
            f"  {name:<20} {took:8.2f} s, {sum(len(ids) for ids, _ in found):,} cells met, "
            f"furthest from shapely {furthest(found, truth):.1e}"
        )


def along_the_lines():
    """A zone of whole cells, written with the lines' own rounding: no cell of it is cut."""
    cells = Squares((0.1, 0.1, 0.1 + 0.3 * 50, 0.1 + 0.3 * 50), (50, 50))
    west, south, east, north = cells.bounds
    zone = shapely.box(0.1 + 0.3 * 7, 0.1 + 0.3 * 3, 0.1 + 0.3 * 31, 0.1 + 0.3 * 44)
    part = coverage(zone, cells)[0]
    print("\na zone along the cells' lines, of 984 cells:")
    print(
        f"  {'dpmap':<20} {(part >= 1 - EDGE).sum()} whole, {((part > EDGE) & (part < 1 - EDGE)).sum()} cut"
    )
    if exact_extract:
        nothing = NumPyRasterSource(
            np.zeros(cells.shape, np.uint8),
            west,
            south,
            east,
            north,
            srs_wkt=pyproj.CRS(CRS).to_wkt(),
        )
        frame = gpd.GeoDataFrame(geometry=[zone], crs=CRS)
        shares = np.asarray(
            exact_extract(nothing, frame, ["coverage"], output="pandas")["coverage"][0]
        )
        print(
            f"  {'exactextract':<20} {(shares >= 1 - EDGE).sum()} whole, {((shares > EDGE) & (shares < 1 - EDGE)).sum()} cut"
        )


if __name__ == "__main__":
    asked = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    asked.add_argument("--zones", type=int, default=300)
    asked.add_argument("--large", type=int, default=20)
    asked.add_argument("--vertices", type=int, default=100_000)
    chosen = asked.parse_args()
    dice = np.random.default_rng(7)
    compare(
        "ragged zones",
        [
            ragged(
                dice, dice.uniform(3e3, 80e3), int(dice.integers(30, 400)), int(dice.integers(0, 3))
            )
            for _ in range(chosen.zones)
        ],
    )
    compare(
        "few zones, many vertices",
        [ragged(dice, 200e3, chosen.vertices, 2) for _ in range(chosen.large)],
    )
    along_the_lines()
