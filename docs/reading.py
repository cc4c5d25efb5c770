"""Draws the picture of reading-a-map.md and prints its answers: `python docs/reading.py`.

The country and its records are invented, so the truth may be looked at. Both maps are of one real release, with fresh noise: they differ
from run to run, and so do the answers.
"""

import tempfile
from pathlib import Path

import geopandas as gpd
import matplotlib as mpl
import numpy as np
import pandas as pd
from shapely.geometry import Point, box

import dpmap as dm

mpl.use("agg")
import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle

HERE = Path(__file__).parent
COLUMNS, ROWS, KM, CRS = 48, 36, 10, "EPSG:3035"
WEST, SOUTH = 4_000_000, 2_600_000
EDGES = [0, 0.02, 0.1, 0.5, 2]
PLACES = {"A": (13, 14), "B": (38, 27)}
"""Two places that a planner holds against each other, in cells from the south-west corner."""
AREA = (4, 10, 12, 17)
"""A project area, in cells."""


def records(dice):
    """Five records in six lie in two wide lowlands, in no cell many; others in three villages, and a few everywhere."""
    parts = [
        dice.normal((12, 13), (6.5, 4.5), (2600, 2)),
        dice.normal((26, 8), (5.5, 3), (1500, 2)),
        *(
            dice.normal(place, 0.35, (many, 2))
            for place, many in (((33, 24), 260), ((20, 27), 180), ((41, 14), 120))
        ),
        dice.uniform((0, 0), (COLUMNS, ROWS), (420, 2)),
    ]
    cells = np.concatenate(parts)
    cells = cells[((cells >= 0) & (cells < (COLUMNS, ROWS))).all(axis=1)]
    x, y = WEST + cells[:, 0] * KM * 1000, SOUTH + cells[:, 1] * KM * 1000
    return pd.DataFrame(
        {
            "x": x,
            "y": y,
            "observer": [f"observer {number}" for number in dice.integers(0, 2500, len(x))],
        }
    )


def ground(west, south, east, north):
    """A box of cells on the map."""
    return box(
        *(
            origin + 1000 * KM * side
            for origin, side in zip((WEST, SOUTH) * 2, (west, south, east, north), strict=True)
        )
    )


def released(frame, folder, epsilon, strategy="adaptive"):
    """A real release under a ledger of its own."""
    grid = dm.Grid(bounds=ground(0, 0, COLUMNS, ROWS).bounds, shape=(ROWS, COLUMNS), crs=CRS)
    policy = dm.Policy(epsilon=epsilon, unit="observer", cap=3)
    frame.to_parquet(folder / "survey.parquet")
    return dm.release(
        dm.read(folder / "survey.parquet", x="x", y="y", crs=CRS), grid, policy, ledger=folder / f"{strategy}.ledger", confirm_epsilon=True,
        dataset="Invented country", budget=10**6, strategy=strategy,
    )  # fmt: skip


def drawn(axes, truth, release):
    """Truth, single cells, places, and the smooth picture, in the same classes."""
    for ax, map_, show, title in zip(
        axes,
        (truth, release, release, release),
        ("cells", "cells", "patches", "belief"),
        ("The truth", "Single cells", "Places: the default", "Smooth"),
        strict=True,
    ):
        map_.plot(ax, show=show, classes=EDGES, context=False, notes=False, legend=show == "belief", title="",
                  unsure="hatch" if map_ is truth else "grey")  # fmt: skip
        ax.set_title(title, loc="left", fontsize="medium", fontweight="bold")
        ax.texts[0].set_text("")
        for hatched in [part for part in ax.patches if map_ is truth and part.get_hatch()]:
            hatched.remove()
        for name, (x, y) in PLACES.items():
            ax.annotate(name, (WEST + (x + 0.5) * KM * 1000, SOUTH + (y + 0.5) * KM * 1000), ha="center", va="center", zorder=3,
                        fontsize=9, fontweight="bold", bbox={"boxstyle": "circle,pad=0.15", "fc": "white", "lw": 0.6})  # fmt: skip
        west, south, east, north = ground(*AREA).bounds
        ax.add_patch(
            Rectangle(
                (west, south),
                east - west,
                north - south,
                fill=False,
                lw=1.8,
                ls="--",
                ec="#0b5cad",
                zorder=3,
            )
        )


def answers(frame, release):
    """What each map says to the three questions."""
    cells, places = release.to_geodataframe(), release.patches()
    points = gpd.GeoSeries(gpd.points_from_xy(frame.x, frame.y), crs=CRS)
    zone = gpd.GeoDataFrame(geometry=[ground(*AREA)], crs=CRS)
    weight = np.minimum(1, 3 / frame.groupby("observer").observer.transform("size"))
    print("after the cap:", weight[points.within(zone.geometry[0])].sum())
    print("inside the area, truly:", int(points.within(zone.geometry[0]).sum()), "of", len(frame))
    print(release.ask(zone).drop(columns="geometry").T)
    print(
        "strongest cell:",
        cells.loc[cells.distinguishable]
        .sort_values("estimate")
        .iloc[-1]
        .drop("geometry")
        .to_dict(),
    )
    print("densest places:", places.drop(columns="geometry").head(4))
    for name, (x, y) in PLACES.items():
        here = Point(WEST + (x + 0.5) * KM * 1000, SOUTH + (y + 0.5) * KM * 1000)
        around = ground(x - 1, y - 1, x + 2, y + 2)
        print(name, "truly per 100 km² around:", points.within(around).sum() / 9)
        print(
            cells[cells.contains(here)].drop(columns="geometry").T,
            places[places.contains(here)].drop(columns="geometry").T,
        )
    held = (
        cells.sjoin(gpd.GeoDataFrame(geometry=points), predicate="contains").groupby("cell").size()
    )
    told = cells.set_index("cell").distinguishable
    print("records behind the hatch, single cells:", held[~told.loc[held.index]].sum() / held.sum())
    print(
        "in land whose colour is not told, places:",
        1 - held[cells.set_index("cell").place_told.loc[held.index]].sum() / held.sum(),
    )


if __name__ == "__main__":
    frame = records(np.random.default_rng(8))
    with tempfile.TemporaryDirectory() as folder:
        truth, release = (
            released(frame, Path(folder), 10**5, "flat"),
            released(frame, Path(folder), "1"),
        )
        figure, axes = plt.subplots(1, 4, figsize=(15, 3), width_ratios=(1, 1, 1, 1.5))
        figure.subplots_adjust(left=0.01, right=0.99, top=0.9, bottom=0.03, wspace=0.05)
        drawn(axes, truth, release)
        figure.savefig(HERE / "reading-a-map.png", dpi=150)
        answers(frame, release)
