"""Whether the default picture can be believed: patches of invented land, held against the truth.

    python benchmarks/pictures.py [releases] [--unseen] [--public]       # 5 of each case take some five minutes

Each of the shapes of `shapes.py`, 64 x 64 cells, is released with the vault's own noise at three promises. Prints, averaged over
the releases of each case, and the goal beside the mean or the worst:

hidden    share of the true points in land that is not coloured
vague     the same, or coloured with an interval of the density over more than three classes (a class: a factor of two; below an
          eighth of the mean density all is one)
holds     share of the stated 90 % intervals of coloured places that hold the truth
top       the same of the ten strongest
order     of pairs of coloured places a class apart, drawn by area: how often the darker one is truly denser
loss      overlap with the truth, below that of the plain estimate of each cell

With --unseen, the shapes, sizes and promises of `unseen.py`, on which nothing was tuned; with --public, the arrays and
check-ins by user of `public_data.py` (with few releases `top` misses by chance: take forty).
"""

import argparse
from functools import partial

import numpy as np
import pandas as pd
import unseen
from public_data import CAP, CHECK_IN_CASES, load_counts, sum_blocks, weigh_check_ins
from public_release import make_release
from shapes import SHAPES

import dpmap as dm

SIDE = 64
PROMISES = ((3_000, "0.3"), (10_000, "1"), (30_000, "1"))
GOALS = {"hidden": 0.10, "vague": 0.15, "holds": 0.88, "top": 0.85, "order": 0.90, "loss": 0.05}


def released(counts, epsilon, strategy="adaptive", grid=None, cap=1):
    rows, columns = counts.shape
    grid = grid or dm.Grid(
        bounds=(0, 0, columns * 1000, rows * 1000), shape=counts.shape, crs="EPSG:3035"
    )
    policy = dm.Policy(epsilon=epsilon, unit="who", cap=cap)
    return make_release(counts, grid, policy, strategy)


def overlap(shown, true):
    """What two maps share, each made to add up to one."""
    shown = np.clip(shown, 0, None)
    return np.minimum(shown / max(shown.sum(), 1e-12), true / true.sum()).sum()


def judged(release, counts, dice):
    """The measures of one release's patches."""
    found = release._map.patches(0.9)
    place, true, area = found.place.ravel(), counts.ravel(), found.square_km
    held, told = np.bincount(place, true, len(found)), found.told
    classes = _classes(held.sum() / area.sum() / 8, area)
    sharp = told & (classes(found.high) - classes(found.low) <= 2)
    holds = (found.low - 1e-6 <= held) & (held <= found.high + 1e-6)
    strongest = np.flatnonzero(told)[np.argsort(-(found.low / area)[told], kind="stable")[:10]]
    drawn = np.where(told, found.estimate / area, 0)[place] * release.grid.square_km.ravel()
    return {
        "hidden": 1 - held[told].sum() / held.sum(),
        "vague": 1 - held[sharp].sum() / held.sum(),
        "holds": holds[told].mean() if told.any() else np.nan,
        "top": holds[strongest].mean() if told.any() else np.nan,
        "order": _order(found.estimate, held, area, classes, told, dice),
        "loss": overlap(release.estimate.ravel(), true) - overlap(drawn, true),
        "places": int(told.sum()),
    }


def _classes(least, area):
    """The colour class of a total on so much ground."""
    return lambda total: np.floor(np.log2(np.maximum(total / area, least)))


def _order(estimate, held, area, classes, told, dice, pairs=100_000):
    """Of pairs of told places a class apart, drawn by area: how often the darker one is truly denser."""
    known = np.flatnonzero(told)
    if len(known) < 2:
        return np.nan
    one, other = (dice.choice(known, pairs, p=area[known] / area[known].sum()) for _ in "ab")
    apart = classes(estimate)[one] != classes(estimate)[other]
    if not apart.any():
        return np.nan
    signs = [
        np.sign((total / area)[one] - (total / area)[other])[apart] for total in (estimate, held)
    ]
    agree = signs[0] * signs[1]
    return (agree > 0).mean() + 0.5 * (agree == 0).mean()


def tuned_on():
    """Name, density and promise of each case of `shapes.py`."""
    for name, shape in SHAPES.items():
        for points, epsilon in PROMISES:
            yield name, shape().reshape(SIDE, 2, SIDE, 2).sum((1, 3)), points, epsilon


def public():
    """Name, density and promise of each case of the public arrays."""
    for name, counts in load_counts().items():
        for points, side, epsilon in (
            (3_000, 64, "0.3"),
            (10_000, 64, "1"),
            (100_000, 128, "0.3"),
        ):
            yield name, sum_blocks(counts, side), points, epsilon


def drawn(cases):
    """Name and counts of each case, drawn from its density, and a maker of its releases."""
    for name, density, points, epsilon in cases:
        share = (density / density.sum()).ravel()
        counts = np.random.default_rng(7).multinomial(points, share).reshape(density.shape)
        release = partial(released, counts.astype(float), epsilon)
        yield f"{name} {points} eps {epsilon}", counts, release


def check_ins():
    """The same of the check-ins, scaled to the cap."""
    for shape, epsilon in CHECK_IN_CASES:
        grid, points, weight = weigh_check_ins(shape)
        counts = np.bincount(grid.locate(*points), weight, grid.size).reshape(shape)
        release = partial(released, counts, epsilon, grid=grid, cap=CAP)
        yield f"check-ins {shape[0]} eps {epsilon}", counts, release


def main(releases, cases):
    rows, dice = [], np.random.default_rng(1)
    for name, counts, release in cases:
        rows += [{"case": name, **judged(release(), counts, dice)} for _ in range(releases)]
    table = pd.DataFrame(rows).groupby("case", sort=False).mean()
    print(table.round(2).to_string())
    worst = {
        name: "max" if name == "loss" else "min"
        for name in ("holds", "top", "order", "loss")
        if name in table
    }
    print("\nmean ", table.mean().round(3).to_dict())
    print("worst", table.agg(worst).round(3).to_dict())
    print("goals", GOALS, "(hidden, vague: the mean; the others: every case)")


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("releases", type=int, nargs="?", default=5)
    arguments.add_argument("--unseen", action="store_true")
    arguments.add_argument("--public", action="store_true")
    asked = arguments.parse_args()
    if asked.public:
        main(asked.releases, [*check_ins(), *drawn(public())])
    else:
        main(asked.releases, drawn(unseen.cases() if asked.unseen else tuned_on()))
