"""Draws the pictures of these pages: `python docs/howto/pictures.py`.

All records are invented. Each map in a picture is a real release, with fresh noise: the pictures differ from run to run.
"""

import io
import tempfile
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
from PIL import Image

import dpmap as dm

mpl.use("agg")

HERE = Path(__file__).parent
SAMPLES = HERE.parents[1] / "data_samples"
COLOURS = 200
"""As many as keep text and colours as they are, in half of the bytes."""
POINTS = 3000
HILLS = ((0.32, 0.68, 0.10), (0.66, 0.36, 0.09))
"""Where the sightings lie: two places, as shares of the frame, and how far about each."""


def season(rng, grid, shares):
    """Sightings about each hill, so many times a third of them all, and the last third anywhere."""
    west, south, east, north = grid.cells.bounds
    spots = [
        rng.normal(hill[:2], hill[2], (round(POINTS / 3 * share), 2))
        for hill, share in zip(HILLS, shares, strict=True)
    ]
    at = np.vstack([*spots, rng.random((POINTS // 3, 2))])
    x, y = west + at[:, 0] * (east - west), south + at[:, 1] * (north - south)
    return dm.read(
        pd.DataFrame({"observer_id": np.arange(len(x)), "x": x, "y": y}),
        unit="observer_id",
        x="x",
        y="y",
        crs=grid.crs,
    )


def changed(folder):
    """Draws what changed where one place has twice as many and the other a third."""
    rng, policy = np.random.default_rng(3), dm.Policy(epsilon="1", unit="observer_id", cap=1)
    grid = dm.Grid.covering(SAMPLES / "study_area.gpkg", cell="4 km")
    maps = [
        dm.release(
            season(rng, grid, shares),
            grid,
            policy,
            ledger=folder / f"{year}.ledger",
            dataset=f"Raptors {year} (invented)",
            budget=1,
        )
        for year, shares in ((2025, (1, 1)), (2026, (1 / 3, 2)))
    ]
    return dm.compare(*maps)


def main():
    """Draws them all."""
    with tempfile.TemporaryDirectory() as folder:
        drawn = Path(folder) / "change.png"
        changed(Path(folder)).draw(drawn, dpi=110)
        picture = Image.open(io.BytesIO(drawn.read_bytes())).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(
        HERE / "what-changed.png", optimize=True
    )
    print("wrote what-changed.png")


if __name__ == "__main__":
    main()
