"""Draws the pictures of these pages: `python docs/choose/pictures.py [NAME ...]`, all of them without a name.

All land and all records are invented, so the truth may be looked at beside the maps. Every map in a picture is a real release, with fresh
noise: they differ from run to run. What a release says in numbers is printed, for the pages to quote as "in one run".
"""

import math
import sys
import tempfile
from itertools import count, pairwise
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd

import dpmap as dm
from dpmap.style import class_colours

mpl.use("agg")
import matplotlib.pyplot as plt
from matplotlib.patches import Patch

HERE = Path(__file__).parent
SAMPLES = HERE.parents[1] / "data_samples"
DARK, RED, PALE, GREY = "#21114e", "#d2426f", "#fd9869", "#9a9a9a"
TRUE = 10**6
"""An epsilon that hides nothing: for the truth of invented data only."""
RUNS = 40
"""So many releases stand behind each map shown, which is the middle one of them."""
LADDER = (0, 0.3, 1, 2, 4)
"""Edges of the colours, as times the mean density of the land: the same in all maps of a picture."""
_numbers = count()


def survey():
    """The invented raptors."""
    return dm.read(SAMPLES / "raptors.csv")


def grid(cell="5 km"):
    """Square cells over their study area."""
    return dm.Grid.covering(SAMPLES / "study_area.gpkg", cell=cell)


def released(rows, cells, folder, **policy):
    """A real release under a ledger of its own."""
    options = {name: policy.pop(name) for name in ("strategy", "sites") if name in policy}
    promise = dm.Policy(**{"unit": "observer_id", "cap": 5, **policy})
    number = next(_numbers)
    name, book = f"Raptors {number} (invented)", folder / f"{number}.ledger"
    return dm.release(
        rows,
        cells,
        promise,
        ledger=book,
        dataset=name,
        budget=TRUE,
        confirm_epsilon=True,
        **options,
    )


def truth(rows, cells, folder, **policy):
    """What the same map would be without noise."""
    return released(rows, cells, folder, epsilon=TRUE, strategy="flat", **policy)


def half_width(epsilon, cap=5):
    """Half of the 90 % interval of one cell measured by itself."""
    return float(cap) / float(epsilon) * math.log(10)


def shown(ax, release, title, mean=None, **options):
    """A map as dpmap draws it, without its furniture, in colours of its own or by times the mean density, points per km²."""
    edges = {} if mean is None else {"classes": [mean * step for step in (*LADDER, 1000)]}
    release.plot(
        ax, **{"context": False, "notes": False, "legend": False, "title": "", **edges, **options}
    )
    for text in ax.texts:
        text.set_text("")
    for degrees in list(ax.lines):
        degrees.remove()
    ax.set_axis_off()
    ax.set_title(title, loc="left", fontsize=9)


def true(ax, exact, title, mean):
    """A map of the truth: single cells without any hatching, as it is sure of all."""
    shown(ax, exact, title, mean, show="cells", unsure="hatch")
    for hatched in [part for part in (*ax.patches, *ax.collections) if part.get_hatch()]:
        hatched.remove()


def told_words(what, release):
    """A map's title: its noise, and how many places it tells."""
    many = len(release.patches())
    noise = f"\N{PLUS-MINUS SIGN}{half_width(release.policy.epsilon, release.policy.cap):.0f}"
    return (
        f"{what}, noise {noise}: {many} places" if many > 1 else f"{what}, noise {noise}: one place"
    )


def middle(maps):
    """The map of the middle number of places, so that no picture shows a lucky draw."""
    ranked = sorted(maps, key=lambda release: len(release.patches()))
    places = [len(release.patches()) for release in ranked]
    print("places told, nine in ten of", len(maps), "maps:", np.quantile(places, (0.05, 0.5, 0.95)))
    return ranked[len(ranked) // 2]


def ladder(figure, words="times the mean density"):
    """What the colours of all maps of a figure mean."""
    between = [f"{low:g} to {high:g}" for low, high in pairwise(LADDER[1:])]
    names = [f"under {LADDER[1]:g}", *between, f"over {LADDER[-1]:g}"]
    swatches = [
        Patch(facecolor=colour, edgecolor="#555555", lw=0.5, label=name)
        for name, colour in zip(names, class_colours(len(LADDER)), strict=True)
    ]
    figure.legend(handles=swatches, title=words, loc="outside lower center", ncols=len(swatches), frameon=False, fontsize=8,
                  title_fontsize=8)  # fmt: skip


def plain(ax, **labels):
    """No box around a plot."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.set(**labels)


CORNER = 4_000_000
"""South-west corner of the invented land of the nests, in metres."""


def popular_nest():
    """Two thousand volunteers report some of six hundred nests near them, and a hundred of them one more in a far corner: all invented."""
    dice = np.random.default_rng(5)
    nests = CORNER + 1000 * np.vstack([dice.uniform((0, 0), (40, 24), (600, 2)), [[37.5, 37.5]]])
    rows = []
    for person in range(2000):
        home = CORNER + 1000 * dice.uniform((0, 0), (40, 24))
        near = np.argsort(((nests[:-1] - home) ** 2).sum(1))[: dice.integers(1, 5)]
        known = [*near, 600] if person < 100 else near
        rows += [(f"person {person}", int(nest)) for nest in known]
    frame = pd.DataFrame(rows, columns=["person", "nest"])
    frame["x"], frame["y"] = nests[frame.nest.to_numpy()].T
    return frame, pd.DataFrame({"nest": range(len(nests)), "x": nests[:, 0], "y": nests[:, 1]})


def unit(folder):
    """One invented survey, by whom the map protects: a nest that a hundred report shows, unless nests are units."""
    frame, nests = popular_nest()
    place = dm.Grid(
        bounds=(CORNER, CORNER, CORNER + 40_000, CORNER + 40_000), shape=(8, 8), crs="EPSG:3035"
    )
    here = {"x": "x", "y": "y", "crs": "EPSG:3035"}
    people, sites = dm.read(frame, unit="person", **here), dm.read(nests, unit="nest", **here)
    by_nest = dm.read(frame, unit="nest", **here)
    maps = {
        "unit: the person": released(people, place, folder, epsilon=1, unit="person"),
        "unit: the nest": released(by_nest, place, folder, epsilon=1, unit="nest", cap=1),
        "both are units": released(
            people, place, folder, epsilon=1, unit="person", site="nest", sites=sites
        ),
    }
    figure, axes = plt.subplots(1, 3, figsize=(8.4, 3.4), layout="compressed")
    for ax, (title, release) in zip(axes, maps.items(), strict=True):
        shown(ax, release, title, np.nansum(release.estimate) / 1600)
        ax.plot(CORNER + 37_500, CORNER + 37_500, "o", ms=30, mfc="none", mec="#0b5cad", mew=1.8)
        print(
            title,
            "cell of the nest:",
            release.estimate[0, 7],
            [side[0, 7] for side in release.interval(0.9)],
        )
    ladder(figure)


def cap(folder):
    """One survey under three caps: the truth and the map of each, what is kept, and what the noise is."""
    rows, place = survey(), grid()
    whole = np.nansum(truth(rows, place, folder, cap=2000).estimate)
    figure = plt.figure(figsize=(8.4, 7.6), layout="compressed")
    above, below = figure.subfigures(2, 1, height_ratios=(2.3, 1))
    for (real, told), one in zip(above.subplots(2, 3).T, (1, 5, 20), strict=True):
        exact = truth(rows, place, folder, cap=one)
        total, mean = np.nansum(exact.estimate), np.nansum(exact.estimate) / place.cells_inside / 25
        release = middle([released(rows, place, folder, epsilon=1, cap=one) for _ in range(RUNS)])
        true(real, exact, f"cap {one}, the truth: {100 * total / whole:.0f} % kept", mean)
        shown(told, release, told_words("released", release), mean)
    ladder(above)
    caps = (1, 2, 3, 5, 7, 10, 15, 20, 30)
    kept = [np.nansum(truth(rows, place, folder, cap=one).estimate) for one in caps]
    left, right = below.subplots(1, 2)
    left.plot(caps, [100 * one / whole for one in kept], "o-", color=DARK)
    plain(left, xlabel="cap", ylim=(0, 50))
    left.set_title("sightings kept, % of all", loc="left", fontsize=9)
    right.plot(
        caps, [half_width(1, one) for one in caps], "s-", color=RED, label="noise of a cell (90 %)"
    )
    right.plot(
        caps,
        [one / place.cells_inside for one in kept],
        "o-",
        color=DARK,
        label="kept in a cell, on average",
    )
    plain(right, xlabel="cap")
    right.set_title("points, at epsilon 1", loc="left", fontsize=9)
    right.legend(frameon=False, fontsize=8)
    print(
        "kept:",
        {
            one: f"{points:.0f}, {100 * points / whole:.1f} %"
            for one, points in zip(caps, kept, strict=True)
        },
    )


def cell(folder):
    """One survey at three cell sizes: the truth, and the places that the default picture joins its cells to."""
    rows = survey()
    figure, axes = plt.subplots(2, 3, figsize=(8.4, 5.6), layout="compressed")
    for (real, told), size in zip(axes.T, ("2 km", "5 km", "10 km"), strict=True):
        place, area = grid(size), float(size.split()[0]) ** 2
        exact = truth(rows, place, folder)
        each = np.nansum(exact.estimate) / place.cells_inside
        release = middle([released(rows, place, folder, epsilon=1) for _ in range(RUNS)])
        true(real, exact, f"{size}, the truth: {each:.1f} in a cell", each / area)
        shown(told, release, told_words("released", release), each / area)
        sure = release.distinguishable()[place.inside].mean()
        print(size, place.cells_inside, "cells; mean", each, "cells above noise", sure)
    ladder(figure)


def epsilon(folder):
    """One survey at three epsilons, beside the truth."""
    rows, place = survey(), grid()
    real = truth(rows, place, folder)
    mean = np.nansum(real.estimate) / place.cells_inside / 25
    figure, axes = plt.subplots(2, 2, figsize=(6.8, 6), layout="compressed")
    true(axes.flat[0], real, "the truth, at cap 5", mean)
    for ax, loss in zip(axes.flat[1:], ("0.1", "0.5", "2"), strict=True):
        release = middle([released(rows, place, folder, epsilon=loss) for _ in range(RUNS)])
        shown(ax, release, told_words(f"epsilon {loss}", release), mean)
    ladder(figure)


def odds(_):
    """How far a map can move a reader's belief that one person took part."""
    before = np.linspace(0.001, 0.999, 400)
    figure, ax = plt.subplots(figsize=(5.8, 3.8), layout="constrained")
    for loss, colour in (("3", GREY), ("1", PALE), ("0.5", RED), ("0.1", DARK)):
        factor = math.exp(float(loss))
        after = [100 * before * by / (1 - before + before * by) for by in (1 / factor, factor)]
        ax.fill_between(100 * before, *after, color=colour, lw=0, label=f"epsilon {loss}")
    ax.plot([0, 100], [0, 100], color="white", lw=1)
    plain(ax, xlabel="before the map: chance that Ana took part, %", ylabel="after the map, at most and at least, %",
          xlim=(0, 100), ylim=(0, 100))  # fmt: skip
    figure.legend(frameon=False, fontsize=8, loc="outside right center")


PICTURES = {"unit": unit, "cap": cap, "cell": cell, "epsilon": epsilon, "odds": odds}
"""Each picture by its name; a page `NAME.md` shows `NAME.png`."""


def main(names):
    """Draws the named pictures, or all."""
    for name in names or PICTURES:
        with tempfile.TemporaryDirectory() as folder:
            PICTURES[name](Path(folder))
        plt.savefig(HERE / f"{name}.png", dpi=130, pil_kwargs={"optimize": True})
        plt.close("all")
        print(f"wrote {name}.png")


if __name__ == "__main__":
    main(sys.argv[1:])
