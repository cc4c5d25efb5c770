"""Writes what a planner is handed: her page as HTML and as PDF, and an archive of the files that go
with it.
"""

import base64
import io
import os
import zipfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpmap.atomic_write import written_aside
from dpmap.record import Record
from dpmap.releases.planner_page import PlannerPage, draws_on_axes, planner_page
from dpmap.releases.planner_pdf import write_pdf
from dpmap.render.drawers import map_drawer
from dpmap.render.typeface import package_typeface
from dpmap.statement.file_names import PLANNER
from dpmap.templates import fill_page

if TYPE_CHECKING:
    from dpmap.releases.public_map import PublicMap

ROOM = "dpmap.releases"
HOTSPOT = "#0b6e4f"
MOST_VECTOR_CELLS = 3_000
"""Cells of larger maps are drawn as dots within the PDF, whose lines and words stay lines and
words.
"""
PICTURE_WIDTH = 7.4
PICTURE_DPI = 170
ENCLOSED = (
    *PLANNER,
    "map.html",
    "map.png",
    "cells.gpkg",
    "cells.parquet",
    "statement.html",
)
"""The files of a release that a planner is handed, of those that there are."""
MADE = (1980, 1, 1, 0, 0, 0)
"""The time of every file in the archive: equal releases make equal archives."""


def write_planner_page(
    release: "PublicMap", path: "str | os.PathLike[str]", *, context: Any = True, zones: Any = None
) -> None:
    """Write the page, as HTML or PDF by the suffix of `path`."""
    page = planner_page(release, zones)
    # as the pictures beside it; and what a PDF embeds is cut out of a small font
    with package_typeface(saved=True), written_aside(path) as aside:
        if os.fspath(path).lower().endswith(".pdf"):
            write_pdf(page, partial(draw_map, release, page, context=context), aside)
        else:
            aside.write_text(_html(release, page, context), encoding="utf-8")


def _html(release: "PublicMap", page: PlannerPage, context: Any) -> str:
    """Return the page as HTML with its picture inside."""
    return fill_page(
        ROOM,
        "for_the_planner.html",
        page=page,
        picture=base64.b64encode(_picture(release, page, context)).decode(),
    )


def _picture(release: "PublicMap", page: PlannerPage, context: Any) -> bytes:
    """Return the picture of the page as PNG."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(PICTURE_WIDTH, 0.62 * PICTURE_WIDTH), dpi=PICTURE_DPI)
    draw_map(release, page, figure.add_axes((0.06, 0.07, 0.93, 0.87)), context=context)
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", bbox_inches="tight", pad_inches=0.04)
    return drawn.getvalue()


def draw_map(release: "PublicMap", page: PlannerPage, ax: Any, *, context: Any) -> None:
    """Draw the static map within an Axes, with thin lines around the parts that the list names."""
    if not draws_on_axes(release.record):
        _draw_image(release, ax, context)
        return
    drawer = map_drawer(release.record)
    drawer.plot(release, ax, title="", notes=False, context=context)
    for part in page.parts:
        _draw_outline(ax, part.ground, color="#555555", linewidth=0.5, linestyle=(0, (4, 3)))
    if page.place is not None:
        _draw_outline(ax, page.place, color="white", linewidth=2.8)
        _draw_outline(ax, page.place, color=HOTSPOT, linewidth=1.6)
    if release.grid.cells_inside > MOST_VECTOR_CELLS:
        for artist in ax.collections:
            artist.set_rasterized(True)


def _draw_outline(ax: Any, ground: Any, **line: Any) -> None:
    """Draw a line around some ground."""
    for polygon in getattr(ground, "geoms", [ground]):
        x, y = polygon.exterior.xy
        ax.plot(x, y, zorder=3, **line)


def _draw_image(release: "PublicMap", ax: Any, context: Any) -> None:
    """Draw the picture of a map that fills a figure of its own, such as that of layers."""
    import tempfile

    from matplotlib.image import imread

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "map.png"
        # what the page says already is not said in the picture of layers; a sparse one has one form
        words = {"title": " ", "notes": False} if release.layers else {}
        map_drawer(release.record).draw(release, path, context=context, dpi=200, **words)
        ax.imshow(imread(path), interpolation="antialiased")
    ax.set_axis_off()
    ax.set_anchor("NW")


def write_archive(record: Record, path: "str | os.PathLike[str]") -> None:
    """Write an archive of the files beside it that a planner is handed, those of layers too."""
    from dpmap.statement.folder import layer_folders

    folder = Path(path).parent
    places = [*ENCLOSED]
    places += [f"{below}/{name}" for below in layer_folders(record).values() for name in ENCLOSED]
    with written_aside(path) as aside, zipfile.ZipFile(aside, "w") as archive:
        for place in places:
            if (folder / place).is_file():
                entry = zipfile.ZipInfo(f"planner/{place}", MADE)
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, (folder / place).read_bytes(), zipfile.ZIP_DEFLATED)
