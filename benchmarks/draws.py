"""Whether numbers of whole maps are true when they are computed from drawn maps: stated 90 % intervals, held against the truth, case by case.

    python benchmarks/draws.py [maps] [--n 100] [--public] [--only WORD] [--unseen] [--save F.csv]    # 20 maps a case take some minutes

The cases are those of `acted.py`. Each is released with the vault's own noise, `--n` maps are drawn of each release, and each of twenty numbers is
computed of every drawn map: the interval from the 5 % to the 95 % quantile is stated to hold the same number of the true map nine times in ten. Prints
the share that do, for each case and number; then the mean and the worst of each number, and the half-width of the median interval.

area1, area5, area20     cells that hold as many points
tenth, gini, top         share of the total in the densest tenth of the cells; their Gini coefficient; what the fullest cell holds
west, middle, disc       share of the total in a third of the land
total, x, y, spread      of all points: how many, where their middle is, how far from it they lie (root mean square)
dmost, dabove, dratio    of 24 districts: what the fullest holds, how many hold more than their mean, the ratio of the two of most ground
dgini, dentropy, dhalf   of the districts: Gini coefficient, entropy, how many of the fullest hold half
reserve                  share inside ten small reserves

order: how likely the drawn maps call the order of the three fullest districts that they show most often, and how often that is true.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
from acted import invented, public, unseen

import dpmap as dm
from dpmap.record import Receipt, Record
from dpmap.releases.release import Release
from dpmap.strategies import find_strategy
from dpmap.vault.session import Session

STATED = (0.05, 0.95)
DISTRICTS = 24
RESERVES = 10


class Asked:
    """What twenty numbers of a map need of its land."""

    def __init__(self, shape):
        dice = np.random.default_rng(11)
        self.row, self.column = (side.ravel() for side in np.indices(shape))
        middles = dice.uniform((0, 0), shape, (DISTRICTS, 2))
        away = np.hypot(self.row[:, None] - middles[:, 0], self.column[:, None] - middles[:, 1])
        self.district = away.argmin(1)
        self.two = np.argsort(-np.bincount(self.district, minlength=DISTRICTS), kind="stable")[:2]
        self.west = self.column < shape[1] / 3
        self.middle = np.abs(self.row - (shape[0] - 1) / 2) < shape[0] / 6
        reach = np.sqrt(shape[0] * shape[1] / 3 / np.pi)
        self.disc = np.hypot(self.row - shape[0] / 2, self.column - shape[1] / 2) < reach
        reserves = dice.uniform((0, 0), shape, (RESERVES, 2))
        near = np.hypot(
            self.row[:, None] - reserves[:, 0], self.column[:, None] - reserves[:, 1]
        ).min(1)
        self.reserve = near < min(shape) / 16

    def numbers(self, cells):
        """The twenty numbers of one map."""
        total = max(cells.sum(), 1e-9)
        held = np.bincount(self.district, cells, DISTRICTS)
        order = np.sort(cells)[::-1]
        x, y = (cells @ self.column) / total, (cells @ self.row) / total
        away = (self.column - x) ** 2 + (self.row - y) ** 2
        share = held / total
        sorted_shares = np.sort(share)[::-1]
        return {
            "area1": (cells >= 1 - 1e-9).sum(), "area5": (cells >= 5 - 1e-9).sum(), "area20": (cells >= 20 - 1e-9).sum(),
            "tenth": order[: len(cells) // 10].sum() / total, "gini": gini(cells), "top": order[0],
            "west": cells[self.west].sum() / total, "middle": cells[self.middle].sum() / total,
            "disc": cells[self.disc].sum() / total,
            "total": total, "x": x, "y": y, "spread": np.sqrt(cells @ away / total),
            "dmost": held.max(), "dabove": (held > held.mean()).sum(), "dratio": held[self.two[0]] / max(held[self.two[1]], 0.5),
            "dgini": gini(held), "dentropy": -(share * np.log(np.maximum(share, 1e-12))).sum(),
            "dhalf": np.searchsorted(np.cumsum(sorted_shares), 0.5) + 1,
            "reserve": cells[self.reserve].sum() / total,
        }  # fmt: skip

    def order(self, cells):
        """The three fullest districts, in order."""
        held = np.bincount(self.district, cells, DISTRICTS)
        return tuple(np.argsort(-held, kind="stable")[:3])


def gini(values):
    """How unevenly a total is shared: 0 where all have the same, near 1 where one has all."""
    ordered = np.sort(values)
    rank = np.arange(1, len(ordered) + 1)
    return 2 * (rank @ ordered) / (len(ordered) * max(ordered.sum(), 1e-9)) - (
        len(ordered) + 1
    ) / len(ordered)


def released(survey):
    """A new release, with the vault's own noise; points that are all whole are declared to be counted so."""
    whole = (survey.counts == np.rint(survey.counts)).all()
    policy = dm.Policy(
        epsilon=survey.epsilon, unit="who", cap=survey.cap, limiter="sample" if whole else "scale"
    )
    session = Session(survey.counts, survey.grid, policy.measuring, policy.cap, policy.lattice)
    find_strategy("adaptive")(session)
    return Release(
        Record(
            survey.grid,
            policy,
            "adaptive",
            session.made,
            Receipt("draws", "", "", 0, 0, 0),
            "2026-11-27",
        )
    )


def judged(survey, asked, n):
    """Of one release: whether each number's interval holds its truth, the interval's half-width, and the order's chance and truth."""
    drawn = released(survey).draws(n).reshape(-1, n).T.astype(float)
    true = asked.numbers(survey.counts.ravel())
    rows = pd.DataFrame([asked.numbers(cells) for cells in drawn])
    low, high = rows.quantile(STATED[0]), rows.quantile(STATED[1])
    held = {
        name: bool(low[name] - 1e-9 <= value <= high[name] + 1e-9) for name, value in true.items()
    }
    orders = [asked.order(cells) for cells in drawn]
    likely = max(set(orders), key=orders.count)
    chance, right = orders.count(likely) / n, likely == asked.order(survey.counts.ravel())
    return held, (high - low) / 2, rows.mean() - pd.Series(true, dtype=float), chance, right


def main(maps, n, makers, save):
    lines, widths, off, chances, rights = {}, [], {}, [], []
    for name, make in makers:
        survey = make()
        asked = Asked(survey.grid.shape)
        found = [judged(survey, asked, n) for _ in range(maps)]
        lines[name] = pd.DataFrame([held for held, *_ in found]).mean()
        off[name] = pd.DataFrame(
            [(more / width.clip(lower=1e-12)) for _, width, more, *_ in found]
        ).mean()
        widths.append(pd.DataFrame([width for _, width, *_ in found]).median())
        chances += [chance for *_, chance, _ in found]
        rights += [right for *_, right in found]
        print(
            f"{name:24s}", *(f"{key} {value:.2f}" for key, value in lines[name].items()), flush=True
        )
    table = pd.DataFrame(lines).T
    told = pd.DataFrame(
        {
            "mean": table.mean(),
            "worst": table.min(),
            "case": table.idxmin(),
            "half-width": pd.DataFrame(widths).median(),
        }
    )
    told["off"] = pd.DataFrame(off).T.median()
    print(told.to_string(float_format=lambda value: f"{value:.3g}"))
    print(
        f"all numbers: mean {table.stack().mean():.3f}; order: stated {np.mean(chances):.2f}, true {np.mean(rights):.2f}"
    )
    if save:
        table.to_csv(save)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("maps", type=int, nargs="?", default=20)
    arguments.add_argument("--n", type=int, default=100)
    arguments.add_argument("--public", action="store_true")
    arguments.add_argument("--only", default="")
    arguments.add_argument("--unseen", action="store_true")
    arguments.add_argument("--save", type=Path)
    asked = arguments.parse_args()
    every = [
        *(unseen() if asked.unseen else invented()),
        *(public() if asked.public else ()),
    ]
    main(
        asked.maps,
        asked.n,
        [(name, make) for name, make in every if asked.only in name],
        asked.save,
    )
