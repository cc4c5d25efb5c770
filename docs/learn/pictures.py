"""Draws the pictures of this page: `python docs/learn/pictures.py [NAME ...]`, all of them without a name.

Land, people and sightings are invented. Noise follows the law of a real release; it is thrown from a fixed seed, which a release never does,
so that pictures and what their page says of them agree.
"""

import math
import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np

mpl.use("agg")
import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle

HERE = Path(__file__).parent
DARK, RED, BLUE, GREY = "#21114e", "#d2426f", "#0b5cad", "#555555"
EPSILON, CAP = 0.5, 3
"""What the page's examples declare: noise of scale 6, so nine draws in ten lie within 14."""
WITHIN = CAP / EPSILON * math.log(10)
"""Nine draws of noise in ten are smaller than this."""


def noisy(values, seed):
    """Totals with discrete Laplace noise of scale cap / epsilon."""
    dice, chance = np.random.default_rng(seed), 1 - math.exp(-EPSILON / CAP)
    return values + dice.geometric(chance, values.shape) - dice.geometric(chance, values.shape)


def board(ax, values, title, written=str, top=None):
    """A small map: coloured cells with their numbers, light to dark; `nan` is a hatched cell."""
    rows, columns = values.shape
    top = np.nanmax(values) if top is None else top
    ramp = mpl.colormaps["magma_r"]
    for (row, column), value in np.ndenumerate(values):
        hidden = np.isnan(value)
        shade = ramp(0.02 + 0.7 * max(0, value) / top) if not hidden else "#ededed"
        ax.add_patch(Rectangle((column, -row), 1, -1, facecolor=shade, edgecolor="white", lw=1.2))
        if hidden:
            ax.add_patch(Rectangle((column, -row), 1, -1, fill=False, hatch="////", edgecolor="#adadad", lw=0))
        dark = not hidden and value / top > 0.55
        ax.text(column + 0.5, -row - 0.5, written(value), ha="center", va="center", fontsize=10, color="white" if dark else "#222222",
                bbox={"facecolor": "#ededed", "edgecolor": "none", "pad": 0.8} if hidden else None)  # fmt: skip
    ax.set(xlim=(-0.05, columns + 0.05), ylim=(-rows - 0.05, 0.05), aspect="equal")
    ax.set_axis_off()
    ax.set_title(title, fontsize=10, loc="left")


def ring(ax, row, column, colour=BLUE):
    """A frame around one cell."""
    ax.add_patch(Rectangle((column, -row), 1, -1, fill=False, edgecolor=colour, lw=2.6, zorder=4))


def attacks():
    """Two maps with small counts hidden are subtracted; a nest whose point is moved at random is averaged."""
    figure, axes = plt.subplots(2, 3, figsize=(7, 5.4))
    figure.subplots_adjust(left=0.02, right=0.98, top=0.86, bottom=0.09, wspace=0.22, hspace=0.5)
    subtracted(axes[0])
    averaged(axes[1])
    words = (
        ("1  Small counts are hidden. Somebody keeps both maps and subtracts.", 0.96),
        ("2  The nest's point is moved by up to 5 km. Somebody keeps them all.", 0.455),
    )
    for text, height in words:
        figure.text(0.02, height, text, fontsize=11.5, fontweight="bold")


def subtracted(axes):
    """April, May, and what Ana's joining changed."""
    april = np.array([[9, 12, 3, 6], [14, 21, 8, 2], [7, 16, 11, 5]])
    may = april + np.array([[0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]])
    for ax, values, title in zip(axes, (april, may), ("April: under 5 is hidden", "May: Ana has joined"), strict=False):
        board(ax, np.where(values < 5, np.nan, values), title, lambda n: "<5" if np.isnan(n) else f"{n:.0f}", 21)
    board(axes[2], (may - april).astype(float), "May less April", lambda n: f"+{n:.0f}" if n else "0", 3)
    for ax in axes[1:]:
        ring(ax, 1, 2)
    for ax, sign in zip(axes, ("\N{MINUS SIGN}", "="), strict=False):
        ax.text(4.35, -1.5, sign, fontsize=15, ha="center", va="center", clip_on=False)
    axes[2].text(0, -3.35, "This is where Ana was.", fontsize=10, color=BLUE, fontweight="bold")


def averaged(axes):
    """A nest, one moved point, many, and their mean."""
    dice = np.random.default_rng(3)
    reach, turn = 5 * np.sqrt(dice.random(36)), dice.random(36) * 2 * np.pi
    moved = np.column_stack([reach * np.cos(turn), reach * np.sin(turn)])
    mean = moved.mean(axis=0)
    off = f"{np.hypot(*mean) * 1000:.0f} m"
    titles = ("One map: safe?", "Thirty-six maps", "Their average")
    for ax, points, title in zip(axes, (moved[:1], moved, moved), titles, strict=True):
        ax.add_patch(plt.Circle((0, 0), 5, facecolor="#f7f6f3", edgecolor="#8a8a8a", ls="--", lw=1))
        ax.scatter(*points.T, s=16, color=RED if ax is not axes[2] else "#e3a9bb", zorder=2)
        ax.scatter(0, 0, s=70, marker="^", color=DARK, zorder=4)
        ax.set(xlim=(-5.6, 5.6), ylim=(-5.6, 5.6), aspect="equal")
        ax.set_axis_off()
        ax.set_title(title, fontsize=10)
    axes[0].annotate("the nest", (0, 0), (0, -2.1), fontsize=10, ha="center", color=DARK)
    axes[0].annotate("on the map", moved[0], (moved[0][0], moved[0][1] + 0.7), fontsize=10, ha="center", color=RED)
    axes[2].scatter(*mean, s=130, marker="x", color=BLUE, linewidths=3, zorder=5)
    axes[2].text(0, -7.1, f"{off} from the nest", fontsize=10, color=BLUE, fontweight="bold", ha="center")


def worlds():
    """The same map without and with Ana, and how likely each total of her cell is in either world."""
    without = np.array([[31, 44, 18, 25], [52, 77, 40, 16], [22, 60, 35, 28]])
    joined = without + CAP * (np.arange(12).reshape(3, 4) == 6)
    figure = plt.figure(figsize=(7, 6.1))
    places = figure.add_gridspec(
        2, 2, left=0.02, right=0.98, top=0.86, bottom=0.09, hspace=0.52, wspace=0.12, height_ratios=(1, 1)
    )
    for column, (truth, title) in enumerate(((without, "made without Ana"), (joined, "made with Ana"))):
        ax = figure.add_subplot(places[0, column])
        board(ax, noisy(truth, column).astype(float), title, lambda n: f"{n:.0f}", 90)
        ring(ax, 1, 2)
    figure.text(0.02, 0.945, "One of these maps counts Ana. The noise hides which one.", fontsize=11.5, fontweight="bold")  # fmt: skip
    ax = figure.add_subplot(places[1, :])
    figure.text(0.02, 0.455, "How likely each total is in the framed cell", fontsize=11.5, fontweight="bold")
    odds(ax, 40)
    box_ = ax.get_position()
    ax.set_position((0.04, box_.y0, 0.92, box_.height))


def odds(ax, total):
    """Two laws of noise, around the total without Ana and with her."""
    at = np.arange(total - 24, total + 28)
    shrink = np.exp(-EPSILON / CAP)
    law = {n: (1 - shrink) / (1 + shrink) * shrink ** abs(at - n) for n in (total, total + CAP)}
    ax.step(at, law[total], where="mid", color=RED, lw=2.2)
    ax.step(at, law[total + CAP], where="mid", color=DARK, lw=2.2, ls=(0, (4, 1.2)))
    ax.text(total - 3, 0.079, "without Ana: around 40", color=RED, ha="right", fontsize=10)
    ax.text(total + 6, 0.079, "with Ana: around 43", color=DARK, ha="left", fontsize=10)
    left, right = (law[n][list(at).index(total + 9)] for n in (total, total + CAP))
    ax.annotate("", (total + 9, 0), (total + 9, right), arrowprops={"arrowstyle": "-", "color": BLUE, "lw": 2})
    ax.scatter([total + 9] * 2, [left, right], color=BLUE, zorder=4, s=28)
    factor = f"{np.exp(EPSILON):.2f}"
    ax.text(total + 11, 0.047, f"at any total, one line is\nat most {factor} times the other:\ne^epsilon, for epsilon {EPSILON}",
            color=BLUE, fontsize=10, va="center")  # fmt: skip
    ax.set(ylim=(0, 0.092), yticks=[], xlabel="total that the map tells")
    ax.xaxis.label.set_size(10)
    ax.spines[["top", "right", "left"]].set_visible(False)


WEST, SEED = 4, 16
"""The moor's columns of the third picture (east of them lies a forest with few sightings), and a throw in which nothing is extreme."""


def areas():
    """Cells with noise, the same land joined into places, and how surely each total is known."""
    truth = np.array([[14, 17, 12, 16, 0, 1, 0], [18, 13, 15, 12, 0, 0, 0], [11, 19, 16, 14, 1, 3, 0], [17, 12, 18, 15, 0, 0, 1], [13, 16, 14, 18, 0, 2, 0]])  # fmt: skip
    told = noisy(truth, SEED)
    figure, axes = plt.subplots(2, 2, figsize=(7, 6.1))
    figure.subplots_adjust(left=0.02, right=0.98, top=0.95, bottom=0.03, wspace=0.08, hspace=0.16)
    board(axes[0, 0], truth.astype(float), "1  The truth, which nobody is shown", lambda n: f"{n:.0f}", 42)
    board(
        axes[0, 1],
        np.maximum(told, 0).astype(float),
        "2  With noise (below 0 shown as 0)",
        lambda n: f"{n:.0f}",
        42,
    )
    joined(axes[1, 0], told)
    known(axes[1, 1], told)
    for ax in axes[0]:
        ring(ax, 2, 5)


def joined(ax, told):
    """The moor as one place with one number, the forest hatched: its interval reaches down to 0."""
    rows, columns = told.shape
    moor, most = told[:, :WEST].sum(), told[:, WEST:].sum() + reach(rows * (columns - WEST))
    colour = mpl.colormaps["magma_r"](0.02 + 0.7 * 15 / 42)
    ax.add_patch(Rectangle((0, 0), WEST, -rows, facecolor=colour, edgecolor="#222222", lw=1.4, zorder=2))
    ax.add_patch(
        Rectangle((WEST, 0), columns - WEST, -rows, facecolor="#ededed", hatch="////", edgecolor="#adadad", lw=0)
    )
    plain = {"ha": "center", "va": "center", "fontsize": 10, "zorder": 3}
    ax.text(WEST / 2, -rows / 2, f"one place\nof 20 cells:\nabout {moor:.0f}", **plain)
    ax.text((WEST + columns) / 2, -rows / 2, f"not told:\nat most\n{most:.0f} in all", bbox={"facecolor": "#ededed", "edgecolor": "none", "pad": 1.5}, **plain)  # fmt: skip
    ax.set(xlim=(-0.05, columns + 0.05), ylim=(-rows - 0.05, 0.05), aspect="equal", anchor="N")
    ax.set_axis_off()
    ax.set_title("3  Cells joined until they tell", fontsize=10, loc="left")


def reach(cells):
    """How far nine totals in ten of so many cells lie from the truth: thrown often, since noise of many cells cancels in part."""
    return np.quantile(np.abs(noisy(np.zeros((100_000, cells), dtype=int), 0).sum(axis=1)), 0.9)


def known(ax, told):
    """The interval of a lone cell, of a cell of the moor, and of the whole moor, in shares of what is told."""
    rows = told.shape[0]
    shown = (
        ("the framed cell (3 in truth)", 3, told[2, 5], 1),
        ("one cell of the moor (19)", 19, told[2, 1], 1),
        ("the moor, 20 cells (300)", 300, told[:, :WEST].sum(), rows * WEST),
    )
    ax.set_title("4  How surely each is known", fontsize=10, loc="left")
    for level, (words, true, value, cells) in enumerate(shown):
        low, high, scale = max(0, value - reach(cells)), value + reach(cells), 400 if cells > 1 else 40
        y = -1.35 * level
        ax.text(0, y + 0.34, f"{words}: {low:.0f} to {high:.0f}", fontsize=10)
        ax.plot([0, 1.15], [y, y], color="#dddddd", lw=1, zorder=0)
        ax.plot([low / scale, high / scale], [y, y], color=DARK, lw=7, solid_capstyle="butt")
        ax.scatter(true / scale, y, color="white", edgecolor=RED, s=60, lw=2, zorder=3)
    ax.text(0, -3.55, "Bar: the interval. Ring: the truth.\nEach line begins at 0; the third is ten times coarser.", fontsize=8.5, color=GREY, va="top")  # fmt: skip
    ax.set(xlim=(-0.08, 1.2), ylim=(-4.4, 1))
    ax.set_axis_off()


DRAWN = {"attacks": attacks, "worlds": worlds, "areas": areas}

if __name__ == "__main__":
    for name in sys.argv[1:] or DRAWN:
        DRAWN[name]()
        plt.savefig(HERE / f"{name}.png", dpi=150)
        plt.close("all")
