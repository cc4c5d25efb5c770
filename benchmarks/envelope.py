#!/usr/bin/env python3
"""How often what the planner's page says is false, beside how often it says it may be.

    python benchmarks/envelope.py [runs]                # 20 releases of each case take some minutes

Invented surveys (a town amid empty land, clusters, a coast, even land, few people, nobody) are released with the vault's own noise, by
cells and by areas with names. Every claim of the page is compared with the capped totals that were released: the headline with all its
numbers, each sentence, each line of the list. Prints for each kind of claim on how many pages it stands and on which share of them it is
false; a page says that this is one in ten at most.
"""

import sys
from collections import defaultdict

import geopandas as gpd
import numpy as np
import shapely
from shapes import SHAPES

import dpmap as dm
from dpmap.promise.policy import Policy
from dpmap.record import Receipt, Record
from dpmap.releases.findings import LEVEL, find
from dpmap.releases.release import Release
from dpmap.strategies import find_strategy
from dpmap.vault.session import Session

SIDE = 32
METRES = 1000.0
CASES = {
    "town amid empty land": ("village", 3_000, "adaptive", 0),
    "clusters": ("clusters", 10_000, "adaptive", 0),
    "clusters, flat": ("clusters", 10_000, "flat", 0),
    "coast": ("coast", 3_000, "adaptive", 0),
    "even land": ("uniform", 3_000, "flat", 0),
    "few people": ("river", 150, "adaptive", 0),
    "nobody": ("uniform", 0, "flat", 0),
    "clusters, sparse": ("clusters", 10_000, "sparse:8", 0),
    "clusters, 42 districts": ("clusters", 3_000, "flat", 42),
    "few people, 42 districts": ("coast", 300, "flat", 42),
}
"""Shape, expected points, strategy, and how many areas there are with names; none means cells."""


def squares():
    """A grid of squares."""
    reach = SIDE * METRES
    return dm.Grid(bounds=(0, 0, reach, reach), shape=(SIDE, SIDE), crs="EPSG:3035")


def districts(columns, rows):
    """A grid of areas with names, and the cells of the squares that each holds."""
    across = np.round(np.linspace(0, SIDE, columns + 1)) * METRES
    down = np.round(np.linspace(0, SIDE, rows + 1)) * METRES
    boxes = [
        shapely.box(across[i], down[j], across[i + 1], down[j + 1])
        for j in range(rows)
        for i in range(columns)
    ]
    frame = gpd.GeoDataFrame(
        {"name": [f"District {number}" for number in range(len(boxes))]},
        geometry=boxes,
        crs="EPSG:3035",
    )
    return dm.Grid.areas(frame)


def centres():
    """The middle of each square, in row order."""
    steps = (np.arange(SIDE) + 0.5) * METRES
    x, y = np.meshgrid(steps, steps[::-1])
    return shapely.points(x.ravel(), y.ravel())


def survey(shape, points, seed):
    """The points of an invented survey in each square."""
    density = SHAPES[shape]().reshape(SIDE, 128 // SIDE, SIDE, 128 // SIDE).sum((1, 3))
    return np.random.RandomState(seed).poisson(points * density / density.sum())


def released(counts, grid, strategy, policy):
    """A release of public counts."""
    session = Session(counts, grid, policy.measuring, policy.cap, policy.lattice)
    find_strategy(strategy)(session)
    receipt = Receipt("invented survey", "1", "", 0, 0, 0)
    return Release(Record(grid, policy, strategy, session.made, receipt, "2026-11-23"))


def claims(findings, truth, sizes, place):
    """Each claim of a page as its kind and whether it is true.

    `truth` is the capped total of each row, `sizes` its share of the ground, `place` the capped total of the place that stands out.
    """
    total = sum(truth.values())
    whole = findings.whole
    true_whole = whole is None or whole.low <= total <= whole.high
    rows = {row.name: row for row in findings.rows}
    holds = {name: row.low <= truth[name] <= row.high for name, row in rows.items()}
    if findings.most:
        most = max(truth.values())
        named = any(truth[name] == most for name in findings.most)
        if len(findings.most) == 1:
            named &= holds[findings.most[0]] and true_whole
        yield "headline: the most", named
    elif findings.denser:
        dense = all(truth[name] > sizes[name] * total for name in findings.denser)
        alone = len(findings.denser) > 1 or (holds[findings.denser[0]] and true_whole)
        yield "headline: more than elsewhere", dense and alone
    elif findings.place is not None and findings.place.told:
        yield "headline: what stands out", findings.place.low <= place[0] <= findings.place.high
    else:
        yield "headline: the whole area", true_whole
    yield "sentence: the whole area", true_whole
    if findings.fewest:
        fewest = findings.fewest[0]
        yield "sentence: the fewest", truth[fewest] == min(truth.values()) and holds[fewest]
    if findings.largest:
        held = sum(truth[row.name] for row in findings.largest)
        low = sum(row.low for row in findings.largest)
        share = int(100 * low / whole.high)
        yield "sentence: the largest together", held >= low and 100 * held >= share * total
    if findings.together:
        yield (
            "sentence: none, or some",
            all(
                truth[name] > 0 if row.told else truth[name] <= row.high
                for name, row in rows.items()
            ),
        )
        yield "list: all lines together", all(holds.values())
    if findings.place is not None:
        yield "sentence: place, its number", findings.place.low <= place[0] <= findings.place.high
        yield "sentence: place, stands out", place[1]
    for name, row in rows.items():
        yield "list: a line", holds[name]
        if row.told:
            yield "list: a line that says some", truth[name] > 0


def page_claims(shape, points, strategy, areas, seed):
    """The claims of one release's page."""
    counts = survey(shape, points, seed)
    policy = Policy(epsilon="1", unit="who", cap=1)
    middles = centres()
    if areas:
        grid = districts(7, areas // 7)
        outlines = dict(zip(grid.names, grid.polygons(), strict=True))
        totals = [counts.ravel()[shapely.contains(one, middles)].sum() for one in outlines.values()]
        findings = find(released(np.array(totals), grid, strategy, policy))
    else:
        findings = find(released(counts, squares(), strategy, policy))
        outlines = {part.name: part.ground for part in findings.parts}
    held = {name: shapely.contains(one, middles) for name, one in outlines.items()}
    truth = {name: int(counts.ravel()[cells].sum()) for name, cells in held.items()}
    sizes = {name: cells.mean() for name, cells in held.items()}
    place = (0, True)
    if findings.place_ground is not None:
        cells = shapely.contains(findings.place_ground, middles)
        density = counts.sum() / counts.size
        place = (int(counts.ravel()[cells].sum()), counts.ravel()[cells].mean() > density)
    return claims(findings, truth, sizes, place)


def measure(runs):
    """How often each kind of claim stands on a page of each case, and how often it is false."""
    stands = defaultdict(int)
    false = defaultdict(int)
    for case, settings in CASES.items():
        for seed in range(runs):
            for kind, is_true in page_claims(*settings, seed):
                stands[kind, case] += 1
                false[kind, case] += not is_true
    return stands, false


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    stands, false = measure(runs)
    print(f"{'claim':32}{'case':28}{'stands':>8}{'false':>8}{'says':>8}")
    for kind in sorted({kind for kind, _ in stands}):
        cases = [case for one, case in stands if one == kind]
        total = sum(stands[kind, case] for case in cases)
        wrong = sum(false[kind, case] for case in cases)
        print(f"{kind:32}{'all':28}{total:8}{wrong / total:8.1%}{1 - LEVEL:8.1%}")
        for case in cases:
            number = stands[kind, case]
            print(f"{'':32}{case:28}{number:8}{false[kind, case] / number:8.1%}")


if __name__ == "__main__":
    main()
