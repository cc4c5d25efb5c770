"""Draws the icon of the studio as Windows and macOS want it: `icon.ico` and `icon.icns`, of the same shapes as `dpmap/studio/assets/icon.svg`."""

import re
from pathlib import Path

from PIL import Image, ImageDraw

HERE = Path(__file__).resolve().parent
SVG = HERE.parents[1] / "dpmap/studio/assets/icon.svg"
LARGE, GRID = 1024, 16


def drawn() -> Image.Image:
    """Draws the icon: a ground with round corners, and white squares on a grid of sixteen."""
    text, unit = SVG.read_text("utf-8"), LARGE // GRID
    picture = Image.new("RGBA", (LARGE, LARGE), (0, 0, 0, 0))
    pen = ImageDraw.Draw(picture)
    pen.rounded_rectangle(
        (0, 0, LARGE - 1, LARGE - 1), 3 * unit, fill=re.search(r'fill="(#\w{6})"', text)[1]
    )
    x = y = 0
    for kind, dx, dy, wide, high in re.findall(
        r"([Mm])(-?\d+) ?(-?\d+)h(\d+)v(\d+)[Hh]-?\d+z", re.search(r' d="([^"]+)"', text)[1]
    ):
        x, y = (int(dx), int(dy)) if kind == "M" else (x + int(dx), y + int(dy))
        pen.rectangle(
            (x * unit, y * unit, (x + int(wide)) * unit - 1, (y + int(high)) * unit - 1),
            fill="white",
        )
    return picture


if __name__ == "__main__":
    drawn().save(HERE / "icon.ico", sizes=[(one, one) for one in (16, 24, 32, 48, 64, 128, 256)])
    drawn().resize((512, 512)).save(HERE / "icon.icns")
