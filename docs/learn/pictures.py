"""Draws the pictures of this page: `python docs/learn/pictures.py [NAME ...]`, all of them without a name.

Land, people and sightings are invented. Noise follows the law of a real release; it is thrown from a fixed seed, which a release never does,
so that pictures and what their page says of them agree.
"""

import math
import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd

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
            ax.add_patch(
                Rectangle(
                    (column, -row), 1, -1, fill=False, hatch="////", edgecolor="#adadad", lw=0
                )
            )
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
        ("2  The nest's point is moved by up to 5 km. Somebody keeps all maps.", 0.455),
    )
    for text, height in words:
        figure.text(0.02, height, text, fontsize=11.5, fontweight="bold")


def subtracted(axes):
    """April, May, and what Ana's joining changed; what is hidden in either month cannot be subtracted."""
    april = np.array([[9, 12, 3, 6], [14, 21, 8, 2], [7, 16, 11, 5]])
    may = april + np.array([[0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]])
    seen = [np.where(values < 5, np.nan, values) for values in (april, may)]
    for ax, values, title in zip(
        axes, seen, ("April: under 5 is hidden", "May: only Ana has joined"), strict=False
    ):
        board(ax, values, title, lambda n: "<5" if np.isnan(n) else f"{n:.0f}", 21)
    board(
        axes[2],
        seen[1] - seen[0],
        "May less April",
        lambda n: "?" if np.isnan(n) else f"+{n:.0f}" if n else "0",
        3,
    )
    for ax in axes[1:]:
        ring(ax, 1, 2)
    for ax, sign in zip(axes, ("\N{MINUS SIGN}", "="), strict=False):
        ax.text(4.35, -1.5, sign, fontsize=15, ha="center", va="center", clip_on=False)
    axes[2].text(
        4,
        -3.13,
        "Nothing else changed,\nso Ana was here.",
        fontsize=10,
        color=BLUE,
        fontweight="bold",
        va="top",
        ha="right",
    )


MAPS, MOVED = 36, 5
"""So many maps, and so many kilometres a point is moved at most."""


def averaged(axes):
    """A nest, one moved point, many, and their mean."""
    moved = moves()
    mean = moved.mean(axis=0)
    off = f"{np.hypot(*mean) * 1000:.0f} m"
    titles = ("One map: safe?", "A map a month, three years", "The average of all 36")
    for ax, points, title in zip(axes, (moved[:1], moved, moved), titles, strict=True):
        ax.add_patch(
            plt.Circle((0, 0), MOVED, facecolor="#f7f6f3", edgecolor="#8a8a8a", ls="--", lw=1)
        )
        ax.scatter(*points.T, s=16, color=RED if ax is not axes[2] else "#e3a9bb", zorder=2)
        ax.scatter(0, 0, s=44, marker="^", color=DARK, zorder=4)
        ax.set(xlim=(-5.6, 5.6), ylim=(-5.6, 5.6), aspect="equal")
        ax.set_axis_off()
        ax.set_title(title, fontsize=10)
    axes[0].annotate("the nest", (0, 0), (0, -2.1), fontsize=10, ha="center", color=DARK)
    axes[0].annotate(
        "on the map",
        moved[0],
        (moved[0][0], moved[0][1] - 1.4),
        fontsize=10,
        ha="center",
        color=RED,
    )
    axes[2].scatter(*mean, s=38, marker="o", color=BLUE, edgecolor="white", linewidths=1, zorder=5)
    axes[2].text(
        0,
        -7.1,
        f"dot: {off} from the nest",
        fontsize=10,
        color=BLUE,
        fontweight="bold",
        ha="center",
    )


def moves():
    """Points anywhere within reach of the nest: the first throw whose average lies as far off as half of all throws do, give or take 5 %."""
    for seed in range(1000):
        dice = np.random.default_rng(seed)
        reach, turn = MOVED * np.sqrt(dice.random(MAPS)), dice.random(MAPS) * 2 * np.pi
        moved = np.column_stack([reach * np.cos(turn), reach * np.sin(turn)])
        usual = MOVED / 2 * math.sqrt(2 * math.log(2) / MAPS)
        if abs(np.hypot(*moved.mean(axis=0)) / usual - 1) < 0.05:
            return moved
    raise LookupError


def worlds():
    """The same map without and with Ana, and how likely each total of her cell is in either world."""
    without = np.array([[31, 44, 18, 25], [52, 77, 40, 16], [22, 60, 35, 28]])
    joined = without + CAP * (np.arange(12).reshape(3, 4) == 6)
    figure = plt.figure(figsize=(7, 6.1))
    places = figure.add_gridspec(
        2,
        2,
        left=0.02,
        right=0.98,
        top=0.865,
        bottom=0.08,
        hspace=0.56,
        wspace=0.12,
        height_ratios=(1.15, 1),
    )
    for column, (values, title) in enumerate(
        zip(typical(without, joined), ("Made without Ana", "Made with Ana"), strict=True)
    ):
        ax = figure.add_subplot(places[0, column])
        board(ax, values.astype(float), title, lambda n: f"{n:.0f}\n", 90)
        for (row, at), true in np.ndenumerate((without, joined)[column]):
            ax.text(
                at + 0.5,
                -row - 0.72,
                f"{true}",
                ha="center",
                va="center",
                fontsize=8.5,
                color="#dddddd" if values[row, at] > 49 else "#222222",
            )
        ring(ax, 1, 2)
    figure.text(
        0.02,
        0.955,
        "Without the captions, would you know which map counts Ana?",
        fontsize=11.5,
        fontweight="bold",
    )
    figure.text(
        0.5,
        0.472,
        "Large: the map. Small: the truth, which nobody is shown.",
        fontsize=9.5,
        color=GREY,
        ha="center",
    )
    ax = figure.add_subplot(places[1, :])
    figure.text(
        0.02, 0.395, "How likely each total is in the framed cell", fontsize=11.5, fontweight="bold"
    )
    odds(ax, 40)
    box_ = ax.get_position()
    ax.set_position((0.06, box_.y0, 0.9, box_.height - 0.01))


def typical(without, joined):
    """The first throw that shows what is usual: in each map one cell of twelve lies beyond nine draws in ten, and Ana's does not.

    Of these the first in which her cell reads lower with her than without, and no number of it is another's."""
    for seed in range(100_000):
        shown = noisy(np.stack([without, joined]), seed)
        off = np.abs(shown - (without, joined)) > WITHIN
        mine = shown[:, 1, 2]
        if (
            (off.sum(axis=(1, 2)) == 1).all()
            and not off[:, 1, 2].any()
            and mine[1] < mine[0]
            and len({40, 43, *mine}) == 4
        ):
            return shown
    raise LookupError


def odds(ax, total):
    """Two laws of noise, around the total without Ana and with her."""
    at = np.arange(total - 24, total + 28)
    shrink = np.exp(-EPSILON / CAP)
    law = {n: (1 - shrink) / (1 + shrink) * shrink ** abs(at - n) for n in (total, total + CAP)}
    ax.step(at, law[total], where="mid", color=RED, lw=2.2)
    ax.step(at, law[total + CAP], where="mid", color=DARK, lw=2.2, ls=(0, (4, 1.2)))
    ax.text(total - 3, 0.081, "without Ana: around 40", color=RED, ha="right", fontsize=10)
    ax.text(total + 6, 0.081, "with Ana: around 43", color=DARK, ha="left", fontsize=10)
    left, right = (law[n][list(at).index(total + 9)] for n in (total, total + CAP))
    ax.annotate(
        "",
        (total + 9, 0),
        (total + 9, right),
        arrowprops={"arrowstyle": "-", "color": BLUE, "lw": 2},
    )
    ax.scatter([total + 9] * 2, [left, right], color=BLUE, zorder=4, s=28)
    factor = f"{np.exp(EPSILON):.2f}"
    ax.text(total + 11, 0.047, f"at any total, one line is\nat most {factor} times the other:\ne^epsilon, for epsilon {EPSILON}",
            color=BLUE, fontsize=10, va="center")  # fmt: skip
    ax.set(
        ylim=(0, 0.092),
        yticks=[],
        xlabel="total on the map",
        ylabel="more likely \N{RIGHTWARDS ARROW}",
    )
    ax.xaxis.label.set_size(10)
    ax.yaxis.label.set_size(10)
    ax.spines[["top", "right", "left"]].set_visible(False)


WEST, SEED = 4, 16
"""The moor's columns of the third picture (east of them lies a forest with few sightings), and a throw in which nothing is extreme."""
FOREST_CELL, MOOR_CELL = (2, 5), (2, 1)
"""The two framed cells."""


def areas():
    """Cells with noise, the same land joined into places, and how surely each total is known."""
    truth = np.array([[14, 17, 12, 16, 0, 1, 0], [18, 13, 15, 12, 0, 0, 1], [11, 19, 16, 14, 1, 3, 0], [17, 12, 18, 15, 0, 0, 1], [13, 16, 14, 18, 0, 2, 0]])  # fmt: skip
    told = noisy(truth, SEED)
    figure, axes = plt.subplots(2, 2, figsize=(7, 6.1))
    figure.subplots_adjust(left=0.02, right=0.98, top=0.95, bottom=0.03, wspace=0.08, hspace=0.16)
    board(
        axes[0, 0],
        truth.astype(float),
        "1  The truth, which nobody is shown",
        lambda n: f"{n:.0f}",
        42,
    )
    board(
        axes[0, 1],
        np.maximum(told, 0).astype(float),
        "2  With noise (0 where it is below 0)",
        lambda n: f"{n:.0f}",
        42,
    )
    joined(axes[1, 0], told)
    known(axes[1, 1], told)
    for ax in axes[0]:
        for (row, column), name, colour in zip(
            (FOREST_CELL, MOOR_CELL), "AB", (BLUE, "#222222"), strict=True
        ):
            ring(ax, row, column, colour)
            ax.text(
                column + 0.09,
                -row - 0.08,
                name,
                fontsize=8.5,
                fontweight="bold",
                color=colour,
                va="top",
            )


def joined(ax, told):
    """The moor as one place with one number, the forest hatched: its interval reaches down to 0."""
    rows, columns = told.shape
    moor, most = told[:, :WEST].sum(), told[:, WEST:].sum() + reach(rows * (columns - WEST))
    colour = mpl.colormaps["magma_r"](0.02 + 0.7 * 15 / 42)
    ax.add_patch(
        Rectangle((0, 0), WEST, -rows, facecolor=colour, edgecolor="#222222", lw=1.4, zorder=2)
    )
    ax.add_patch(
        Rectangle(
            (WEST, 0),
            columns - WEST,
            -rows,
            facecolor="#ededed",
            hatch="////",
            edgecolor="#adadad",
            lw=0,
        )
    )
    plain = {"ha": "center", "va": "center", "fontsize": 10, "zorder": 3}
    ax.text(WEST / 2, -rows / 2, f"one place\nof 20 cells:\nabout {moor:.0f}\n(capped)", **plain)
    ax.text((WEST + columns) / 2, -rows / 2, f"not told:\nat most\n{most:.0f} in all", bbox={"facecolor": "#ededed", "edgecolor": "none", "pad": 1.5}, **plain)  # fmt: skip
    ax.set(xlim=(-0.05, columns + 0.05), ylim=(-rows - 0.05, 0.05), aspect="equal", anchor="N")
    ax.set_axis_off()
    ax.set_title("3  Moor joined, forest hatched", fontsize=10, loc="left")


def reach(cells):
    """How far nine totals in ten of so many cells lie from the truth: thrown often, since noise of many cells cancels in part."""
    return np.quantile(np.abs(noisy(np.zeros((100_000, cells), dtype=int), 0).sum(axis=1)), 0.9)


def known(ax, told):
    """The interval of a lone cell, of a cell of the moor, and of the whole moor, each in shares of what the map says."""
    rows = told.shape[0]
    shown = (
        ("A", 3, told[FOREST_CELL], 1),
        ("B", 19, told[MOOR_CELL], 1),
        ("moor", 300, told[:, :WEST].sum(), rows * WEST),
    )
    ax.set_title("4  How surely each is known", fontsize=10, loc="left")
    for share in (0, 1, 2):
        ax.plot([share, share], [-3.1, 0.25], color="#cccccc", lw=1, zorder=0)
    for level, (name, true, value, cells) in enumerate(shown):
        low, high = max(0, value - reach(cells)), value + reach(cells)
        y = -1.3 * level
        ax.text(0, y + 0.36, f"{name}: map {value}, truth {true}, interval {low:.0f} to {high:.0f}", fontsize=9.5,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6})  # fmt: skip
        ax.plot([low / value, high / value], [y, y], color=DARK, lw=7, solid_capstyle="butt")
        ax.scatter(true / value, y, color="white", edgecolor=RED, s=60, lw=2, zorder=3)
    for share, words in ((0, "nothing"), (1, "as on\nthe map"), (2, "twice\nthat")):
        ax.text(
            share,
            -3.2,
            words,
            fontsize=9,
            color=GREY,
            ha="left" if share == 0 else "center",
            va="top",
        )
    ax.text(0, -4.25, "Bar: the interval. Ring: the truth.", fontsize=9, color=GREY, va="top")
    ax.set(xlim=(-0.1, 2.95), ylim=(-4.7, 1))
    ax.set_axis_off()


SHOWN = (
    "counts, 10 km",
    "obscured, 0.2\N{DEGREE SIGN}",
    "below 10 blank",
    "merged blocks",
    "smoothed, 1 cell",
    "dpmap, 1",
)
"""The maps of the page on practice, by their names in its tables."""
CLASSES = (1, 2, 5, 10, 20, 50, 100)
"""Sites in 100 square kilometres: where colours change."""


def practice():
    """Six maps of the same invented sites, each over what it gave away in the attacks of the benchmark."""
    sys.path.insert(0, str(HERE.parents[1] / "benchmarks"))
    from current_practice import METHODS
    from practice_survey import sites

    survey = sites()
    results = pd.read_csv(HERE.parents[1] / "benchmarks" / "data" / "practice.csv")
    results = results[results.survey == "sites"].set_index(["method", "measure"]).value
    mpl.rcParams["hatch.color"] = "#b5b5b5"
    figure, axes = plt.subplots(2, 3, figsize=(10, 7.9))
    figure.subplots_adjust(left=0.01, right=0.99, top=0.91, bottom=0.2, wspace=0.05, hspace=0.62)
    figure.text(
        0.01,
        0.965,
        "Below each map: how many of 100 intruders were right, and how many without any map",
        fontsize=12,
    )
    ramp = mpl.colormaps["magma_r"].resampled(256)
    colours = mpl.colors.ListedColormap(
        [ramp(0.04 + 0.82 * part / len(CLASSES)) for part in range(len(CLASSES) + 1)]
    )
    bounds = mpl.colors.BoundaryNorm([0, *CLASSES, 1e9], len(CLASSES) + 1)
    for ax, name in zip(axes.ravel(), SHOWN, strict=True):
        published = METHODS[name].publish(survey, survey.everything(), np.random.default_rng(1))
        density, hidden = shown_density(survey, published)
        half = survey.cell_metres / 2
        west, east = survey.cell_x.min() - half, survey.cell_x.max() + half
        south, north = survey.cell_y.min() - half, survey.cell_y.max() + half
        extent = (west, east, south, north)
        ax.add_patch(
            Rectangle(
                (west, south),
                east - west,
                north - south,
                facecolor="#ededed",
                hatch="////",
                lw=0,
                zorder=-1,
            )
        )
        drawn = ax.imshow(
            np.where(hidden, np.nan, density), cmap=colours, norm=bounds, extent=extent
        )
        ax.set_axis_off()
        title = "dpmap, epsilon 1" if name == "dpmap, 1" else name
        ax.set_title(title, fontsize=12, fontweight="bold", loc="left", pad=4)
        ax.text(
            0,
            -0.04,
            given_away(results, name),
            transform=ax.transAxes,
            fontsize=9.5,
            va="top",
            linespacing=1.4,
        )
    legend = figure.add_axes((0.2, 0.07, 0.6, 0.016))
    bar = figure.colorbar(
        drawn, cax=legend, orientation="horizontal", spacing="uniform", ticks=CLASSES
    )
    bar.ax.tick_params(labelsize=9)
    bar.set_label(
        "sites in 100 square kilometres; hatched: left blank, or not told from noise", fontsize=10
    )


def shown_density(survey, published):
    """Return a map's density in sites per 100 square kilometres, and where it shows nothing."""
    square_km = (survey.cell_metres / 1000) ** 2
    density, hidden = published.cells / square_km * 100, published.hidden
    if published.release is not None:
        places = published.release._map.patches(0.9)
        density = (places.density * 100)[places.place.ravel()]
        hidden = ~places.told[places.place.ravel()]
    return density.reshape(survey.grid.shape), hidden.reshape(survey.grid.shape)


def given_away(results, name):
    """Return in how many of a hundred tries an intruder was right, beside her best guess."""
    lines = (
        ("Is this site in? (all others known)", "knows others"),
        ("Which square was one added to?", "subtracted"),
        ("Where is a lone one, to 2 km?", "peak"),
    )
    return "\n".join(
        f"{question} {100 * results[name, game]:.0f} (guess {100 * results['her best guess', game]:.0f})"
        for question, game in lines
    )


DRAWN = {"attacks": attacks, "worlds": worlds, "areas": areas, "practice": practice}

if __name__ == "__main__":
    for name in sys.argv[1:] or DRAWN:
        DRAWN[name]()
        plt.savefig(HERE / f"{name}.png", dpi=150)
        plt.close("all")
