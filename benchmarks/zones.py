"""Whether answers for zones hold, and how wide they are: project areas over invented and public land, held against the truth.

    python benchmarks/zones.py [releases] [--public] [--some N]       # 5 of each case take some five minutes

Points of each of the shapes of `shapes.py` are released on 64 x 64 cells with the vault's own noise at three promises, and asked about
districts (Voronoi cells), discs and corridors of 3 to 300 cells, whose edges cut most of what they meet; what a zone truly holds is counted
by where the points lie. --public adds the arrays and check-ins of `public_data.py`, --some takes every N-th case. Prints, for each kind of zone:

holds     share of the stated 90 % intervals that hold: the mean of all cases, and the worst
ratio     half-width of the median zone over the 90 % quantile of its own errors: the median of all cases (200 releases are asked for;
          the quantile of few is too low, so ratios of few are too high), and the share of cases at most 1.4
wide      half-width of the median zone, in points: the median of all cases

for ours, for the strict bounds (`least` and `most`), and for a floor: our deviations about, by the factor that makes exactly 90 % of
a case's zones of the kind hold. It knows the truth; a ratio below its is luck or wrong.
"""

import argparse

import numpy as np
import pandas as pd
import shapely
from pictures import PROMISES
from public_data import CAP, CHECK_IN_CASES, load_counts, weigh_check_ins
from public_release import make_release
from shapes import SHAPES

import dpmap as dm
from dpmap.grid.zone_overlap import Coverer
from dpmap.inference.zones import answer

METRES = 256_000
KINDS = ("districts", "discs", "corridors")
PER_KIND = 40


class Case:
    """Points in a plane with their weights, a promise, and zones with what they truly hold."""

    def __init__(self, name, points, weight, grid, epsilon, cap):
        self.name, self.grid, self.epsilon, self.cap = f"{name} eps {epsilon}", grid, epsilon, cap
        west, south, east, north = bounds = np.array(shapely.total_bounds(grid.polygons()))
        rows, columns = grid.shape
        row, column = (
            (north - points[1]) / (north - south) * rows,
            (points[0] - west) / (east - west) * columns,
        )
        self.counts = np.histogram2d(
            row, column, bins=grid.shape, range=[[0, rows], [0, columns]], weights=weight
        )[0]
        found = dict(zip(KINDS, zones(np.random.default_rng(3), bounds, grid.shape), strict=True))
        self.kind = np.concatenate([[kind] * len(some) for kind, some in found.items()])
        self.zones, coverer = sum(found.values(), []), Coverer(grid)
        shapely.prepare(self.zones)
        self.truth = np.array(
            [weight[shapely.contains_xy(zone, *points)].sum() for zone in self.zones]
        )
        self.covers = [coverer.cover(zone) for zone in self.zones]

    def answered(self):
        """Estimate, low, high, least and most of each zone, from a new release."""
        policy = dm.Policy(epsilon=self.epsilon, unit="who", cap=self.cap)
        told = make_release(self.counts, self.grid, policy)._map
        found = [answer(self.grid, told.reading, cover, 1.0, 0.9) for cover in self.covers]
        return [[one.estimate, one.low, one.high, one.least, one.most] for one in found]


def zones(dice, bounds, shape):
    """Districts, discs and corridors, cut to the bounds."""
    west, south, east, north = bounds
    box, corner, far = shapely.box(*bounds), (west, south), (east, north)
    cell = np.array([(east - west) / shape[1], (north - south) / shape[0]])
    districts, discs, corridors = [], [], []
    for many in (14, 50, 200, 700):
        middles = shapely.MultiPoint(dice.uniform(corner, far, (many, 2)))
        parts = shapely.get_parts(shapely.voronoi_polygons(middles, extend_to=box))
        districts += list(dice.choice(parts, min(PER_KIND // 4, len(parts)), replace=False))
    for area in np.exp(dice.uniform(np.log(3), np.log(300), PER_KIND)) * cell.prod():
        discs.append(shapely.Point(dice.uniform(corner, far)).buffer(np.sqrt(area / np.pi)))
        broad, middle, turn = (
            dice.uniform(0.5, 4) * cell[0],
            dice.uniform(corner, far),
            dice.uniform(0, np.pi),
        )
        length = min(area / broad, 1.2 * max(east - west, north - south))
        along = np.array([np.cos(turn), np.sin(turn)]) * length / 2
        line = shapely.LineString(
            [middle - along, middle + dice.normal(0, length / 6, 2), middle + along]
        )
        corridors.append(line.buffer(broad / 2, cap_style="flat"))
    for some in (districts, discs, corridors):
        within = (shapely.intersection(zone, box) for zone in some)
        yield [zone for zone in within if zone.area > cell.prod()]


def drawn(name, density, points, epsilon, side):
    """A case of points drawn from a density, even within each of its places."""
    dice, fine = np.random.default_rng(7), len(density)
    row, column = np.divmod(
        dice.choice(density.size, points, p=density.ravel() / density.sum()), fine
    )
    x, y = (column + dice.random(points)) / fine, 1 - (row + dice.random(points)) / fine
    grid = dm.Grid(bounds=(0, 0, METRES, METRES), shape=(side, side), crs="EPSG:3035")
    return Case(
        f"{name} {points} {side}", (x * METRES, y * METRES), np.ones(points), grid, epsilon, 1
    )


def check_ins(shape, epsilon):
    """A case of people with many points each, scaled to the cap."""
    grid, points, weight = weigh_check_ins(shape)
    return Case(f"check-ins {shape[0]}", points, weight, grid, epsilon, CAP)


def cases(public, every):
    """Makes every so-manieth case, one at a time."""
    made = [
        lambda name=name, shape=shape, points=points, epsilon=epsilon: drawn(
            name, shape(), points, epsilon, 64
        )
        for name, shape in SHAPES.items()
        for points, epsilon in PROMISES
    ]
    if public:
        made += [lambda s=shape, e=epsilon: check_ins(s, e) for shape, epsilon in CHECK_IN_CASES]
        for name, counts in load_counts().items():
            for points, side, epsilon in (
                (3_000, 64, "0.3"),
                (10_000, 64, "1"),
                (100_000, 128, "0.3"),
            ):
                made.append(
                    lambda name=name, counts=counts, points=points, side=side, epsilon=epsilon: (
                        drawn(name, counts, points, epsilon, side)
                    )
                )
    return (one() for one in made[::every])


def judged(case, releases):
    """The measures of each kind of zone and of bounds."""
    told = np.array([case.answered() for _ in range(releases)])
    estimate, low, high, least, most = np.moveaxis(told, 2, 0)
    off = np.abs(estimate - case.truth)
    needed = np.maximum(np.quantile(off, 0.9, axis=0), 1e-9)
    for kind in KINDS:
        mine = case.kind == kind
        factor = np.quantile((off / np.maximum(high - estimate, 1e-9))[:, mine], 0.9)
        about = factor * (high - estimate)
        floor = np.maximum(estimate - about, 0), estimate + about
        for bounds, (below, above) in {
            "ours": (low, high),
            "strict": (least, most),
            "floor": floor,
        }.items():
            half = np.median((above - below) / 2, axis=0)[mine]
            held = ((below <= case.truth + 1e-6) & (case.truth <= above + 1e-6))[:, mine]
            ratio = np.median(half / needed[mine])
            yield {
                "case": case.name,
                "kind": kind,
                "bounds": bounds,
                "holds": held.mean(),
                "ratio": ratio,
                "wide": np.median(half),
            }


def main(releases, public, every):
    rows = []
    for case in cases(public, every):
        rows += judged(case, releases)
        ours = [row for row in rows[-9:] if row["bounds"] == "ours"]
        print(
            f"{case.name:32s}",
            *(f"{row['kind']} {row['holds']:.2f} {row['ratio']:.2f}" for row in ours),
            flush=True,
        )
    groups = pd.DataFrame(rows).groupby(["kind", "bounds"], sort=False)
    found = groups.agg(
        holds=("holds", "mean"),
        worst=("holds", "min"),
        ratio=("ratio", "median"),
        wide=("wide", "median"),
    )
    found.insert(3, "at most 1.4", groups.ratio.agg(lambda ratio: (ratio <= 1.4).mean()))
    print("\n" + found.round(2).to_string())
    print("goals: holds at least .88, ratio at most 1.4")


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("releases", type=int, nargs="?", default=5)
    arguments.add_argument("--public", action="store_true")
    arguments.add_argument("--some", type=int, default=1)
    asked = arguments.parse_args()
    main(asked.releases, asked.public, asked.some)
