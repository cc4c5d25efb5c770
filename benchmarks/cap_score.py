"""Which score should choose the cap? Invented heavy-tailed surveys, every cap of the ladder, every strategy.

    python benchmarks/cap_score.py [--strategy adaptive] [--check-ins] [--share 0.05] [--weights]

For each survey, epsilon and cap: the error of the map against the *uncapped* truth, as 1 - overlap and as mean absolute
error over the number of rows. For each score: the expected error of the cap it chooses, by the exact law of
permute-and-flip, over that of the best cap chosen with hindsight (1.00); geometric means and worst cases. Then the
overlap itself, survey by survey: of each cap, and of the caps that the score before and the one in use choose. `--check-ins`
takes New York's check-ins of `public_data.py` as one more survey.

`--weights` asks instead what another limiter could do: of all ways to give a unit a weight by its number of rows, the one
whose map without noise overlaps most with the truth, at as many units' worth of signal as each cap of `scale` leaves.
"""

import argparse
import math

import numpy as np
from public_data import load_check_ins
from scipy import sparse
from scipy.optimize import linprog

import dpmap as dm

LADDER = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100)
EPSILONS = (0.1, 0.3, 1.0, 3.0)
LAWS = {
    "pareto 1.1, 500 units": (500, lambda g, n: np.ceil(g.pareto(1.1, n)), 32),
    "pareto 1.1, 5000 units": (5000, lambda g, n: np.ceil(g.pareto(1.1, n)), 64),
    "pareto 1.6, 2000 units": (2000, lambda g, n: np.ceil(2 * g.pareto(1.6, n)), 64),
    "lognormal 1, 300 units": (300, lambda g, n: np.ceil(g.lognormal(2, 1, n)), 32),
    "lognormal 1, 3000 units": (3000, lambda g, n: np.ceil(g.lognormal(2, 1, n)), 64),
    "lognormal 0.5, 1000 units": (1000, lambda g, n: np.ceil(g.lognormal(1.5, 0.5, n)), 32),
    "one or two rows, 3000 units": (3000, lambda g, n: 1 + (g.random(n) < 0.1), 64),
}


def invented(name):
    """(unit, cell, side): each unit's rows lie around its home, homes around a dozen towns."""
    units, law, side = LAWS[name]
    g = np.random.default_rng(len(name))
    rows = np.clip(law(g, units), 1, 5000).astype(int)
    towns, weight = g.random((12, 2)) * side, g.dirichlet(np.full(12, 0.5))
    home = towns[g.choice(12, units, p=weight)] + g.normal(0, side / 16, (units, 2))
    unit = np.repeat(np.arange(units), rows)
    place = np.clip(home[unit] + g.laplace(0, 3, (len(unit), 2)), 0, side - 1e-6).astype(int)
    return unit, place[:, 0] * side + place[:, 1], side


def check_ins(side=128):
    """(unit, cell, side) of New York's check-ins, on the smallest box that holds them."""
    table = load_check_ins()
    row = ((table.y.max() - table.y) / np.ptp(table.y) * side).astype(int).clip(0, side - 1)
    column = ((table.x - table.x.min()) / np.ptp(table.x) * side).astype(int).clip(0, side - 1)
    return table.user.to_numpy(), (row * side + column).to_numpy(), side


def errors(unit, cell, side, strategy, seeds):
    """(epsilon, cap) -> (1 - overlap, mean absolute error / rows)."""
    rows = np.bincount(unit)
    truth = np.bincount(cell, minlength=side * side).astype(float)
    found = {}
    for cap in LADDER:
        capped = np.bincount(cell, np.minimum(1, cap / rows[unit]), side * side).reshape(side, side)
        for epsilon in EPSILONS:
            maps = [
                dm.simulate(capped, epsilon=epsilon * 0.95, cap=cap, strategy=strategy).ravel()
                for _ in range(seeds)
            ]
            found[epsilon, cap] = np.mean(
                [
                    (
                        0.5 * np.abs(truth / truth.sum() - m / max(m.sum(), 1e-9)).sum(),
                        np.abs(truth - m).sum() / truth.sum(),
                    )
                    for m in maps
                ],
                0,
            )
    return found


def law(scores, slope):
    """The chances of permute-and-flip, by its integral."""
    p = np.exp(slope * (scores - scores.max()))
    at, weight = np.polynomial.legendre.leggauss(12)
    tails = 1 - ((at + 1) / 2)[:, None] * p
    return np.array(
        [p[r] * (weight / 2 * np.delete(tails, r, 1).prod(1)).sum() for r in range(len(p))]
    )


def target(share, pull, climb):
    """Units above the cap: `share` of all + pull / epsilon; a rung costs `climb` in the logarithm of the chance."""

    def scored(above, units, epsilon, spent):
        slope = spent / 2 / max(share, 1 - share)
        return -np.abs(
            above - share * units - pull / (epsilon - spent)
        ) - climb / slope * np.arange(len(LADDER)), slope

    return scored


BEFORE, CHOSEN = (
    "before: 0.75 + 300 / epsilon, rungs e^-0.5",
    "chosen: 0.75 + 500 / epsilon, rungs e^-0.5",
)
SCORES = {
    **{f"quantile {1 - share:.2f}": target(share, 0, 0) for share in (0.5, 0.3, 0.2, 0.1, 0.05)},
    **{f"rank {pull} / epsilon": target(0, pull, 0) for pull in (30, 100, 300, 1000)},
    "quantile 0.75 + 500 / epsilon": target(0.25, 500, 0),
    "quantile 0.75, rungs e^-0.5": target(0.25, 0, 0.5),
    "0.75 + 1000 / epsilon, rungs e^-0.5": target(0.25, 1000, 0.5),
    BEFORE: target(0.25, 300, 0.5),
    CHOSEN: target(0.25, 500, 0.5),
    **{f"fixed {cap}": cap for cap in (1, 3, 5, 10, 20)},
}


SIZES = np.array([0, 1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 300])


def weighted(unit, cell, side):
    """Yields for each cap what `scale` leaves (units' worth of signal, overlap without noise) and the best overlap of any weights.

    A map of weights g in [0, 1] by size class and a noise scale of 1 / epsilon holds sum(g) units' worth of signal. Given that sum, the
    weights of largest overlap are a linear program: the least sum of |map - signal * truth| over the cells.
    """
    rows = np.bincount(unit)
    classes = np.searchsorted(SIZES, rows) - 1
    truth = np.bincount(cell, minlength=side * side) / len(cell)
    held = truth > 0
    profiles = np.zeros((side * side, len(SIZES)))
    np.add.at(profiles, (cell, classes[unit]), 1 / rows[unit])
    profiles, truth, free = profiles[held], truth[held], -sparse.eye(int(held.sum()))
    for cap in (1, 2, 5, 10, 20, 50):
        signal = np.minimum(1, rows / cap).sum()
        scaled = np.bincount(cell, np.minimum(1 / cap, 1 / rows[unit]), side * side)[held] / signal
        found = linprog(
            np.r_[np.zeros(len(SIZES)), np.ones(len(truth))],
            A_ub=sparse.vstack(
                [sparse.hstack([profiles, free]), sparse.hstack([-profiles, free])]
            ).tocsr(),
            b_ub=np.r_[signal * truth, -signal * truth],
            A_eq=np.r_[np.bincount(classes, minlength=len(SIZES)), np.zeros(len(truth))][None],
            b_eq=[signal],
            bounds=[(0, 1)] * len(SIZES) + [(0, None)] * len(truth),
        )
        yield cap, signal, 1 - np.abs(scaled - truth).sum() / 2, 1 - found.fun / 2 / signal


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--strategy", default="flat")
    parser.add_argument("--check-ins", action="store_true")
    parser.add_argument("--share", type=float, default=0.05)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--weights", action="store_true")
    options = parser.parse_args()
    surveys = {name: invented(name) for name in LAWS}
    if options.check_ins:
        surveys["check-ins"] = check_ins()
    if options.weights:
        print(f"{'survey':<30}{'cap':>4}{'signal':>8}{'scale':>8}{'any weights':>13}")
        for name, survey in surveys.items():
            for cap, signal, scaled, best in weighted(*survey):
                print(f"{name:<30}{cap:>4}{signal:>8.0f}{scaled:>8.3f}{best:>13.3f}", flush=True)
        return
    regrets, overlaps = {name: [] for name in SCORES}, []
    for name, (unit, cell, side) in surveys.items():
        found = errors(unit, cell, side, options.strategy, options.seeds)
        rows = np.bincount(unit)
        above = np.array([(rows > cap).sum() for cap in LADDER])
        for epsilon in EPSILONS:
            table, kept = np.array([found[epsilon, cap] for cap in LADDER]), {}
            for score, rule in SCORES.items():
                chances = (
                    (np.array(LADDER) == rule) * 1.0
                    if isinstance(rule, int)
                    else law(*rule(above, len(rows), epsilon, options.share * epsilon))
                )
                regrets[score].append(chances @ table / table.min(0))
                if score in (BEFORE, CHOSEN):
                    kept[score] = 1 - chances @ table[:, 0]
            overlaps.append(
                f"{name:<30}{epsilon:>5}  "
                + " ".join(f"{1 - e:.3f}" for e in table[:, 0])
                + "".join(f"{v:>9.3f}" for v in kept.values())
            )
        print(f"measured {name}", flush=True)
    print(f"{'score':<46}{'overlap':>9}{'worst':>7}{'counts':>9}{'worst':>7}{'both':>8}")
    for score, values in regrets.items():
        mean, worst = np.exp(np.log(values).mean(0)), np.max(values, 0)
        print(
            f"{score:<46}{mean[0]:>9.3f}{worst[0]:>7.2f}{mean[1]:>9.3f}{worst[1]:>7.2f}{math.sqrt(mean[0] * mean[1]):>8.3f}"
        )
    print(
        f"\n{'overlap':<30}{'':>5}  "
        + " ".join(f"{cap:>5}" for cap in LADDER)
        + f"{'before':>9}{'chosen':>9}"
    )
    print("\n".join(overlaps))


if __name__ == "__main__":
    main()
