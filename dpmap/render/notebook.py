"""Makes the card that a notebook shows of a release: its picture, its promise and how to go on."""

import base64
import io
import tempfile
from pathlib import Path
from typing import Any

from dpmap.errors import DpmapError
from dpmap.render.drawers import Readable, map_drawer
from dpmap.statement.kinds import map_statement
from dpmap.templates import fill_page

ROOM = "dpmap.render"
MOST = 50_000
"""Cells: a notebook shows the card whenever a release ends a block of code, so larger maps are
drawn only when that is asked for.
"""
DPI = 150
BYTES = 200_000
"""A notebook keeps every picture that it shows; a heavier one is drawn in fewer colours, then
smaller.
"""
COLOURS = 64


def card(release: Readable) -> str:
    """Return the card: HTML that fetches nothing and runs nothing, with all names escaped."""
    record = release.record
    drawer = map_drawer(record)
    return fill_page(
        ROOM,
        "card.html",
        title=record.title,
        large=drawer.drawn_cells > MOST,
        picture=_picture(release) if drawer.drawn_cells <= MOST else None,
        promise=map_statement(record).promise_words(),
        provenance=map_statement(record).provenance(),
        ways=drawer.calls(),
    )


def _picture(release: Readable) -> tuple[str, str, int] | None:
    """Return the picture as text, its description and its width on a screen; None where a kind
    of map has none.
    """
    from PIL import Image  # matplotlib draws with it

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "map.png"
        try:
            map_drawer(release.record).draw(release, path, dpi=DPI)
        except DpmapError:
            return None
        with Image.open(path) as drawn:
            drawn.load()
        plain = path.read_bytes()
    if len(plain) > BYTES:
        plain = _lighter(drawn)
    return (
        base64.b64encode(plain).decode(),
        str(drawn.info.get("Description", "")),
        drawn.width * 96 // DPI,
    )


def _lighter(drawn: Any) -> bytes:
    """Return a picture in fewer colours, and smaller until it is light enough."""
    while True:
        stream = io.BytesIO()
        drawn.convert("RGB").quantize(COLOURS).save(stream, "png", optimize=True)
        if stream.tell() <= BYTES:
            return stream.getvalue()
        drawn = drawn.resize((drawn.width * 3 // 4, drawn.height * 3 // 4))
