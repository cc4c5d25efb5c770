#!/usr/bin/env python3
"""How far maps are from the truth, against published algorithms: on public arrays and on our own invented shapes.

    python benchmarks/utility.py [--peers peers.csv] [--strategy adaptive] [--seeds 5]
                                 [--picture utility.png] [--out rows.csv]

Errors are those of map_errors.py; data/published_errors.csv has them of published algorithms on the public arrays. On the
shapes of shapes.py they are measured here by our renderings (peers.py), which takes minutes; the file named with --peers
keeps the result, and a second run measures only what it lacks: other renderings or another number of maps are measured
anew.

Regret is the error over the best peer's error, chosen with hindsight for each case: below 1 beats them all. The floor
is flat, each cell's own noisy count. How near the renderings come to the published errors is printed as well.
"""

import argparse
import pathlib
import time
import zlib
from functools import partial

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from map_errors import CASES, METRICS, draw_rectangles, draw_truth, measure_errors
from peers import PEERS
from public_data import PUBLISHED_ERRORS, load_counts
from shapes import SHAPES

import dpmap

KEY = ["dataset", "n", "eps"]
WORDS = {
    "qMAE": "totals of rectangles\n(range queries)",
    "tv": "share that lies in wrong cells\n(1 - overlap)",
    "emd": "how far it lies from the truth\n(earth mover)",
    "KL": "information lost\n(KL)",
}
EDGES = (0.1, 15)


def invented(shape, n, seed):
    """n records drawn from one of our shapes."""
    density = SHAPES[shape]()
    return (
        np.random.RandomState(seed)
        .multinomial(n, density.ravel())
        .reshape(density.shape)
        .astype(float)
    )


def ours(strategy):
    """A strategy of this package as the peers are called; its noise is the vault's own."""
    return lambda counts, epsilon, random: np.asarray(
        dpmap.simulate(counts, epsilon=epsilon, cap=1, strategy=strategy), float
    )


def measured(draws, algorithms, seeds):
    """The errors of every algorithm on every case, a row for each map; all see the same draws."""
    rectangles, rows = draw_rectangles(), []
    for name, draw in draws.items():
        for n, eps in CASES:
            for seed in range(seeds):
                truth = draw(n, seed)
                for peer, algorithm in algorithms.items():
                    case = dict(dataset=name, n=n, eps=eps, peer=peer, seed=seed)
                    random = np.random.RandomState(zlib.crc32(repr(case).encode()))
                    start = time.process_time()
                    found = algorithm(truth, eps, random)
                    seconds = time.process_time() - start
                    errors = measure_errors(truth, found, rectangles)
                    rows.append(case | dict(seconds=seconds) | errors)
    return pd.DataFrame(rows)


def means(rows):
    return rows.groupby([*KEY, "peer"], sort=False)[list(METRICS)].mean()


def renderings(draws, seeds, path):
    """The mean errors of our renderings of the peers: what the file has of these, and the rest measured and added to it."""
    names = ("peers.py", "shapes.py", "map_errors.py")
    code = b"".join(pathlib.Path(__file__).with_name(name).read_bytes() for name in names)
    version = f"{zlib.crc32(code):08x}, {seeds} maps"
    known = (
        pd.read_csv(path)
        if path.exists()
        else pd.DataFrame(columns=[*KEY, "peer", *METRICS, "version"])
    )
    known = known[known.version == version] if "version" in known else known[:0]
    lacking = {name: draw for name, draw in draws.items() if name not in set(known.dataset)}
    if lacking:
        added = means(measured(lacking, PEERS, seeds)).reset_index().assign(version=version)
        known = pd.concat([known, added]) if len(known) else added
        known.to_csv(path, index=False)
    return known


def geometric(ratios):
    """The geometric mean; a ratio beyond a thousand, of errors that are nothing, counts as a thousand."""
    return np.exp(np.log(ratios.clip(1e-3, 1e3)).mean())


def report(title, regret, strategy):
    """One comparison: every case, then what the cases come to."""
    wide = regret.unstack("peer").swaplevel(axis=1)[list(dict.fromkeys([strategy, "flat"]))]
    print(f"\n{title}: error over that of the best peer, chosen with hindsight for each case")
    print(wide.round(2).to_string())
    summary = {
        "geometric mean": geometric(wide),
        "worst case": wide.max(),
        "share beaten": (wide <= 1).mean(),
    }
    print(pd.DataFrame(summary).T.round(3).to_string())


def lines_of(groups):
    """What stands on each line of the picture: a label, and the data sets it is about (a heading: none)."""
    for title, names in groups.items():
        yield title, []
        yield from ((name, [name]) for name in names)
        yield "geometric mean", list(names)


def draw_panel(panel, lines, mine, floor, colours):
    """One error: on each line a dot for every case, and a diamond for the floor's geometric mean; at the edges, beyond."""
    panel.axvspan(EDGES[0] / 2, 1, color="#e8f1e8", lw=0)
    panel.axvline(1, color="black", lw=0.8)
    for place, (_, names) in enumerate(lines):
        if not names:
            continue
        found, mean = mine.loc[names], geometric(mine.loc[names])
        panel.plot(
            np.clip(geometric(floor.loc[names]), *EDGES),
            place,
            "D",
            ms=5,
            mfc="white",
            mec="#777777",
        )
        if len(names) == 1:
            lanes = place + np.linspace(-0.24, 0.24, len(found))
            panel.scatter(found.clip(*EDGES), lanes, s=26, c=colours, ec="white", lw=0.5, zorder=3)
        else:
            panel.plot(mean, place, "|", ms=15, mew=2.5, color="black")
            panel.annotate(
                f"{mean:.2f}",
                (mean, place),
                (-7, 0),
                textcoords="offset points",
                ha="right",
                va="center",
                weight="bold",
            )
    panel.set(
        xscale="log", xlim=(EDGES[0] / 1.15, EDGES[1] * 1.15), xticks=[0.1, 0.2, 0.5, 1, 2, 5, 10]
    )
    panel.xaxis.set_major_formatter("{x:g}")
    panel.minorticks_off()
    panel.grid(axis="x", color="#dddddd", lw=0.6)
    panel.tick_params(length=0)
    panel.spines[:].set_visible(False)


def draw(groups, regret, strategy, path):
    """A panel for each error, a line for each array or shape; what lies left of 1 beats every peer."""
    lines = list(lines_of(groups))
    mine, floor = (regret.xs(peer, level="peer") for peer in (strategy, "flat"))
    cases = list(mine.index.droplevel("dataset").unique())
    colours = mpl.colormaps["viridis"](np.linspace(0.05, 0.85, len(cases)))
    figure, panels = plt.subplots(
        1, len(WORDS), figsize=(13, 0.3 * len(lines) + 2), sharey=True, layout="constrained"
    )
    for panel, (metric, words) in zip(panels, WORDS.items(), strict=True):
        draw_panel(panel, lines, mine[metric], floor[metric], colours)
        panel.set_title(words, fontsize=11)
    panels[0].set(
        yticks=range(len(lines)),
        yticklabels=[label.replace("_", " ") for label, _ in lines],
        ylim=(len(lines) - 0.5, -0.5),
    )
    for label, (_, names) in zip(panels[0].get_yticklabels(), lines, strict=True):
        label.set_weight("normal" if len(names) == 1 else "bold")
    keys = [
        mpl.lines.Line2D(
            [], [], ls="none", marker="o", color=colour, label=f"{n:,} points, epsilon {eps:g}"
        )
        for colour, (n, eps) in zip(colours, cases, strict=True)
    ]
    keys.append(
        mpl.lines.Line2D(
            [],
            [],
            ls="none",
            marker="D",
            mfc="white",
            mec="#777777",
            label="flat map, mean of the cases",
        )
    )
    figure.legend(handles=keys, loc="outside lower center", ncols=len(keys), frameon=False)
    figure.suptitle(
        f"Error of {strategy} over the error of the best published algorithm, case by case\n"
        "1: as good as the best of six, chosen with hindsight; green: better than all of them"
    )
    figure.savefig(path, dpi=150)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--peers", default=pathlib.Path("peers.csv"), type=pathlib.Path)
    parser.add_argument("--strategy", default="adaptive")
    parser.add_argument("--seeds", default=5, type=int)
    parser.add_argument("--picture", default=pathlib.Path("utility.png"), type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    return parser.parse_args()


def main():
    given = arguments()
    arrays = {name: partial(draw_truth, counts) for name, counts in load_counts().items()}
    shapes = {name: partial(invented, name) for name in SHAPES}
    groups = {"public arrays": list(arrays), "invented shapes": list(shapes)}

    published = pd.read_csv(PUBLISHED_ERRORS)
    rendered = renderings(arrays | shapes, given.seeds, given.peers)
    nearness = means(rendered) / means(published)
    print(
        "our renderings of the peers, error over the published one, geometric mean over the public arrays"
    )
    print(nearness.dropna().groupby("peer").apply(geometric).round(2).to_string())

    peers = pd.concat([published, rendered[rendered.dataset.isin(shapes)]])
    best = peers.groupby(KEY)[list(METRICS)].min()
    strategies = {name: ours(name) for name in (given.strategy, "flat")}
    rows = measured(arrays | shapes, strategies, given.seeds)
    regret = means(rows) / best
    for title, names in groups.items():
        report(title, regret.loc[names], given.strategy)
    print(
        rows.groupby("peer")
        .seconds.median()
        .rename("seconds of computing per map, median")
        .round(3)
        .to_string()
    )
    draw(groups, regret, given.strategy, given.picture)
    if given.out:
        rows.to_csv(given.out, index=False)


if __name__ == "__main__":
    main()
