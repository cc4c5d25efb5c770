"""Whether what people act on is true: the darkest place, the first of the list, a town amid empty land; case by case, held against the truth.

    python benchmarks/acted.py [maps] [--public] [--only WORD] [--unseen] [--save F.csv]      # 40 maps of each case take an hour

Cases are landscapes that were invented to hurt (lone towns, nothing but noise, coasts, few people on many cells, heavy and light tails); --unseen
takes those of `unseen.py` instead; --public adds the public arrays and check-ins by user of `public_data.py`. Each is
released with the vault's own noise, and every interval states 90 %. Of the default picture:

darkest   share of maps whose darkest place holds its truth; times3: whose darkest place is told at three times its truth or more
first     the same as darkest for the place with the highest lower bound; ten: of the ten darkest places; cells: of places of one cell
places    of all places that are told; width: their median half-width, in points

Of squares of 2.5 cells that are asked about: s10, s30 are those that truly hold as many points, none the share of s30 told that they may hold nothing,
squares all of them; more, less: of cells told to hold surely more, or less, than five points the share that does, and cleared the share of
empty cells told to hold surely less. zones are districts, discs and corridors of 3 to 300 cells, with their median half-width.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
import shapely
from public_data import CAP, CHECK_IN_CASES, load_counts, weigh_check_ins
from public_release import make_release
from unseen import UNSEEN
from zones import KINDS, METRES, zones

import dpmap as dm
from dpmap.grid.zone_overlap import Coverer
from dpmap.inference.zones import answer

LEVEL = 0.9
BELOW = 5
SQUARE = 2.5
FINE = 8
LOOKED_AT = 100_000
KEPT = 150


class Survey:
    """Points in a plane with their weights, a promise, and squares and zones with what they truly hold."""

    def __init__(self, name, points, weight, grid, epsilon, cap):
        self.name, self.grid, self.epsilon, self.cap = name, grid, epsilon, cap
        west, south, east, north = bounds = np.array(shapely.total_bounds(grid.polygons()))
        rows, columns = grid.shape
        row, column = (
            (north - points[1]) / (north - south) * rows,
            (points[0] - west) / (east - west) * columns,
        )
        self.counts = np.histogram2d(
            row, column, bins=grid.shape, range=[[0, rows], [0, columns]], weights=weight
        )[0]
        dice, fine = np.random.default_rng(3), np.array([rows, columns]) * FINE
        held = np.histogram2d(
            row * FINE, column * FINE, bins=fine, range=[[0, fine[0]], [0, fine[1]]], weights=weight
        )[0]
        upto, wide = np.pad(held.cumsum(0).cumsum(1), ((1, 0), (1, 0))), int(SQUARE * FINE)
        a, b = (dice.integers(0, side - wide, LOOKED_AT) for side in fine)
        held = upto[a + wide, b + wide] - upto[a, b + wide] - upto[a + wide, b] + upto[a, b]
        kept = [np.arange(KEPT), *(np.flatnonzero(held >= least)[:KEPT] for least in (10, 30))]
        corners = np.array([a, b]).T / FINE
        tall, broad = (north - south) / rows, (east - west) / columns
        squares = []
        for a, b in corners[np.concatenate(kept)]:
            squares.append(
                shapely.box(
                    west + b * broad,
                    north - (a + SQUARE) * tall,
                    west + (b + SQUARE) * broad,
                    north - a * tall,
                )
            )
        self.drawn = np.repeat([True, False], [KEPT, len(squares) - KEPT])
        found = list(zones(np.random.default_rng(3), bounds, grid.shape))
        self.kind = np.repeat(["square", *KINDS], [len(squares), *map(len, found)])
        self.zones, coverer = squares + sum(found, []), Coverer(grid)
        shapely.prepare(self.zones)
        inner = [weight[shapely.contains_xy(zone, *points)].sum() for zone in sum(found, [])]
        self.truth = np.append(held[np.concatenate(kept)], inner)
        self.covers = [coverer.cover(zone) for zone in self.zones]

    def released(self):
        """A new release, with the vault's own noise."""
        policy = dm.Policy(epsilon=self.epsilon, unit="who", cap=self.cap)
        return make_release(self.counts, self.grid, policy)


def of_density(name, density, points, epsilon, side):
    """Points drawn from a density of another fineness, even within each of its places."""
    dice = np.random.default_rng(7)
    high, wide = density.shape
    row, column = np.divmod(
        dice.choice(density.size, points, p=(density / density.sum()).ravel()), wide
    )
    x, y = (column + dice.random(points)) / wide, 1 - (row + dice.random(points)) / high
    rows, columns = side if isinstance(side, tuple) else (side, side)
    grid = dm.Grid(
        bounds=(0, 0, METRES * columns / rows, METRES), shape=(rows, columns), crs="EPSG:3035"
    )
    return Survey(
        name, (x * METRES * columns / rows, y * METRES), np.ones(points), grid, epsilon, 1
    )


def check_ins(shape, epsilon):
    """People with many points each, scaled to the cap."""
    grid, points, weight = weigh_check_ins(shape)
    return Survey(f"check-ins {shape[0]} eps {epsilon}", points, weight, grid, epsilon, CAP)


def towns(side, sizes, seed, country=0.0):
    """Lone towns of so many points on land that is empty, or nearly so."""
    dice, found = np.random.default_rng(seed), np.full((side * 4, side * 4), country / 16)
    for size in sizes:
        row, column = dice.integers(4, side * 4 - 8, 2)
        found[row : row + 4, column : column + 4] += size / 16
    return found


def tails(side, seed, deviation):
    """Every cell by itself: log-normal."""
    return np.exp(np.random.default_rng(seed).normal(0, deviation, (side, side)))


def coast(side, seed):
    """People along a shore, and a sea of nothing."""
    dice = np.random.default_rng(seed)
    shore = side * 4 / 2 + np.cumsum(dice.normal(0, 1.2, side * 4))
    inland = np.arange(side * 4)[None, :] - shore[:, None]
    villages = np.exp(3 * dice.normal(0, 0.5, (side, side))).repeat(4, 0).repeat(4, 1)
    return np.where(inland > 0, np.exp(-inland / 12) * villages, 0.0)


def invented():
    """Yields a maker of each landscape that was made to hurt."""
    sizes = [30, 30, 50, 50, 80, 80, 120, 150, 200, 300, 500]
    for epsilon in ("0.3", "1"):
        yield (
            f"lone towns eps {epsilon}",
            lambda e=epsilon: of_density(f"lone towns eps {e}", towns(56, sizes, 1), 1_590, e, 56),
        )
    name = "towns, thin country"
    yield name, lambda name=name: of_density(name, towns(64, sizes * 3, 2, 0.2), 5_500, "0.5", 64)
    for points, epsilon in ((400, "0.5"), (4_000, "0.3")):
        name = f"even {points}"
        yield (
            name,
            lambda name=name, n=points, e=epsilon: of_density(name, np.ones((55, 55)), n, e, 55),
        )
    for points, epsilon in ((2_000, "0.5"), (20_000, "1")):
        name = f"coast {points}"
        yield name, lambda name=name, n=points, e=epsilon: of_density(name, coast(64, 3), n, e, 64)
    for deviation, what in ((2.5, "heavy"), (0.6, "light")):
        for points, epsilon in ((1_000, "0.5"), (10_000, "1")):
            name = f"{what} tail {points}"
            yield (
                name,
                lambda name=name, n=points, e=epsilon, d=deviation: of_density(
                    name, tails(55, 4, d), n, e, 55
                ),
            )
    name = "thin, 300 on 3,025"
    yield name, lambda name=name: of_density(name, UNSEEN["villages 101"]((55, 55)), 300, "1", 55)


def public():
    """Yields a maker of each public survey at several promises."""
    for array, counts in load_counts().items():
        for points, side, epsilon in (
            (1_000, 64, "0.3"),
            (3_000, 64, "0.3"),
            (10_000, 64, "1"),
            (100_000, 128, "0.3"),
        ):
            name = f"{array} {points} {side} eps {epsilon}"
            yield (
                name,
                lambda name=name, d=counts, n=points, s=side, e=epsilon: of_density(
                    name, d, n, e, s
                ),
            )
    for shape, epsilon in CHECK_IN_CASES:
        yield f"check-ins {shape[0]}", lambda s=shape, e=epsilon: check_ins(s, e)


def unseen():
    """Yields a maker of each landscape that nothing was tuned on."""
    for shape, points, epsilon in (
        ((40, 90), 1_500, "1"),
        ((56, 50), 8_000, "0.5"),
        ((80, 80), 40_000, "0.25"),
    ):
        for what, density in UNSEEN.items():
            name = f"{what}, {shape[0]} x {shape[1]}"
            yield (
                name,
                lambda name=name, d=density, s=shape, n=points, e=epsilon: of_density(
                    name, d(s), n, e, s
                ),
            )


def judged(survey, release):
    """The measures of one map, as sums and numbers of cases."""
    told = release._map
    found = told.patches(LEVEL)
    known = found.place >= 0
    true = np.bincount(found.place[known], survey.counts[known], len(found))
    cells = np.bincount(found.place[known], minlength=len(found))
    holds = (found.low <= true + 1e-6) & (true <= found.high + 1e-6)
    sure = np.flatnonzero(found.told)
    densest = sure[np.argsort(-found.density[sure], kind="stable")]
    surest = sure[np.argsort(-(found.low / found.square_km)[sure], kind="stable")]
    row = {}
    row["darkest"] = holds[densest[:1]]
    row["times3"] = found.estimate[densest[:1]] >= 3 * true[densest[:1]]
    row["first"], row["ten"] = holds[surest[:1]], holds[densest[:10]]
    row["cells"], row["places"] = holds[sure[cells[sure] == 1]], holds[sure]
    row["width"] = ((found.high - found.low) / 2)[sure]
    answers = [answer(survey.grid, told.reading, cover, 1.0, LEVEL) for cover in survey.covers]
    low, high = np.array([one.low for one in answers]), np.array([one.high for one in answers])
    held = (low <= survey.truth + 1e-6) & (survey.truth <= high + 1e-6)
    square = survey.kind == "square"
    row["s10"], row["s30"] = (held[square & (survey.truth >= least)] for least in (10, 30))
    row["none"] = low[square & (survey.truth >= 30)] <= 0
    row["squares"] = held[square][survey.drawn]
    clearance = release.clearance(BELOW)
    row["more"], row["less"] = (
        survey.counts[clearance.more] > BELOW,
        survey.counts[clearance.less] < BELOW,
    )
    row["cleared"] = clearance.less[survey.counts == 0]
    row["zones"], row["zwidth"] = held[~square], ((high - low) / 2)[~square]
    return row


def main(maps, makers, save):
    lines = {}
    for name, make in makers:
        survey = make()
        rows = [judged(survey, survey.released()) for _ in range(maps)]
        line = {}
        for measure in rows[0]:
            every = np.concatenate([row[measure] for row in rows])
            about = np.median if measure.endswith("width") else np.mean
            line[measure] = float(about(every)) if len(every) else np.nan
        lines[name] = line
        print(f"{name:32s}", *(f"{key} {value:.3g}" for key, value in line.items()), flush=True)
    table = pd.DataFrame(lines).T
    for what, found in (("mean", table.mean()), ("least", table.min()), ("most", table.max())):
        print(f"{what:32s}", *(f"{key} {value:.3g}" for key, value in found.items()))
    if save:
        table.to_csv(save)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("maps", type=int, nargs="?", default=40)
    arguments.add_argument("--public", action="store_true")
    arguments.add_argument("--only", default="")
    arguments.add_argument("--unseen", action="store_true")
    arguments.add_argument("--save", type=Path)
    asked = arguments.parse_args()
    every = [
        *(unseen() if asked.unseen else invented()),
        *(public() if asked.public else ()),
    ]
    main(asked.maps, [(name, make) for name, make in every if asked.only in name], asked.save)
