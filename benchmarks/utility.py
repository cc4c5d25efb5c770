#!/usr/bin/env python3
"""How far maps are from the truth: against published algorithms on public arrays, and against flat on our shapes.

    python benchmarks/utility.py FOLDER [--strategy adaptive] [--seeds 5] [--picture utility.png] [--out rows.csv]

FOLDER holds heatbench.py (arrays, cases and errors), counts/*.npy and peers.csv. Regret is our error over the best
peer's error, chosen with hindsight for each case: below 1 beats them all. For the invented shapes of shapes.py,
of which no peer's errors are published, the same ratio is taken to this package's flat map.
"""

import argparse
import importlib.util
import pathlib
import time

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from shapes import SHAPES

import dpmap

KEY = ["dataset", "n", "eps"]


def load(folder):
    """The bench of the folder, as a module."""
    spec = importlib.util.spec_from_file_location("heatbench", folder / "heatbench.py")
    bench = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bench)
    return bench


def invented(shape, n, seed):
    """n records drawn from one of our shapes."""
    density = SHAPES[shape]()
    return np.random.RandomState(seed).multinomial(n, density.ravel()).reshape(density.shape).astype(float)


def measured(bench, draw, names, strategy, seeds):
    """The errors of one strategy on every case, a row for each map."""
    rectangles, rows = bench.rectangles(), []
    for name in names:
        for n, eps in bench.CASES:
            for seed in range(seeds):
                truth = draw(name, n, seed)
                start = time.process_time()
                found = np.asarray(dpmap.simulate(truth, epsilon=eps, cap=1, strategy=strategy), float)
                seconds = time.process_time() - start
                errors = bench.errors(truth, found, rectangles)
                rows.append(dict(dataset=name, n=n, eps=eps, seed=seed, seconds=seconds, **errors))
    return pd.DataFrame(rows)


def report(title, ratio, metrics):
    """The table of one comparison, and its geometric means."""
    print(f"\n{title}")
    print(ratio.round(2).to_string())
    print("geometric mean", np.exp(np.log(ratio[metrics]).mean()).round(3).to_dict())
    print("worst case    ", ratio[metrics].max().round(2).to_dict())


def draw(ratios, metrics, path):
    """One panel for each comparison: every case a point, every error a column."""
    figure, panels = plt.subplots(1, len(ratios), figsize=(6 * len(ratios), 4.5), squeeze=False)
    for panel, (title, ratio) in zip(panels[0], ratios.items(), strict=True):
        for column, metric in enumerate(metrics):
            values = ratio[metric].clip(0.05, 20)
            panel.scatter(column + np.linspace(-0.25, 0.25, len(values)), values, s=14, alpha=0.7)
            mean = np.exp(np.log(values).mean())
            panel.hlines(mean, column - 0.3, column + 0.3, color="black")
            panel.annotate(f"{mean:.2f}", (column + 0.31, mean), va="center", fontsize=8)
        panel.axhline(1, color="grey", lw=0.8, ls="--")
        panel.set(yscale="log", xticks=range(len(metrics)), xticklabels=metrics, title=title, ylabel="error ratio")
    figure.tight_layout()
    figure.savefig(path, dpi=150)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--strategy", default="adaptive")
    parser.add_argument("--seeds", default=5, type=int)
    parser.add_argument("--picture", default=pathlib.Path("utility.png"), type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    given = parser.parse_args()
    bench = load(given.folder)
    metrics = list(bench.METRICS)
    arrays = {path.stem: path for path in sorted((given.folder / "counts").glob("*.npy"))}

    public = measured(
        bench, lambda name, n, seed: bench.truth(arrays[name], n, seed), arrays, given.strategy, given.seeds
    )
    mine = public.groupby(KEY)[metrics].mean()
    best = pd.read_csv(given.folder / "peers.csv").groupby(KEY)[metrics].min()
    ratios = {"best peer in hindsight, public arrays": (mine / best.reindex(mine.index)).dropna()}

    ours = measured(bench, invented, SHAPES, given.strategy, given.seeds)
    flat = measured(bench, invented, SHAPES, "flat", given.seeds)
    ratios["flat map, invented shapes"] = ours.groupby(KEY)[metrics].mean() / flat.groupby(KEY)[metrics].mean()

    for title, ratio in ratios.items():
        report(f"{given.strategy}: error over that of the {title}", ratio, metrics)
    print(f"seconds per map, median {public.seconds.median():.3f}")
    draw(ratios, metrics, given.picture)
    if given.out:
        pd.concat([public, ours]).to_csv(given.out, index=False)


if __name__ == "__main__":
    main()
