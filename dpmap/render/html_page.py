"""Writes the interactive map: one HTML file that requests nothing from any network.

Leaflet and the page's own scripts are written into the file, and a Content-Security-Policy at its
very top lets the browser load nothing else. Facts travel as JSON in a script element that is never
run; the page shows names as text.
"""

import base64
import os
import re
import secrets
import warnings
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from typing import Any, NamedTuple

from dpmap.atomic_write import written_aside
from dpmap.errors import BadInput
from dpmap.grid.layer_axes import Axis
from dpmap.inference import Estimate
from dpmap.record import Record
from dpmap.render.page_data import facts, layered_data
from dpmap.render.user_layers import Context
from dpmap.templates import fill_page, safe_json

ROOM = "dpmap.render"
SCRIPTS = ("leaflet.js", "map.js")
STYLES = ("leaflet.css", "map.css")
TILES = re.compile(r"https://([A-Za-z0-9.-]+(?::\d+)?)/[^\s\"'<>;\\]*")
ENCODING = '<meta http-equiv="content-type" content="text/html; charset=UTF-8" />'


class Parts(NamedTuple):
    """Holds what a page is made of: its title and its policy, then what stands in its head, its
    body and its last script.
    """

    title: str
    policy: str
    header: str
    html: str
    script: str


def parts(
    known: dict[str, Any],
    name: str,
    *,
    layers: Sequence[dict[str, Any]] = (),
    tiles: str | None = None,
) -> Parts:
    """Make the parts of a page that shows these facts; `name` is what its map is called in it."""
    host = None if tiles is None else tile_host(tiles)
    json_facts = safe_json(
        {**known, "tiles": None if tiles is None else {"url": tiles, "host": host}}
    )
    head = [f"<style>\n{_inlined(_asset(style))}\n</style>" for style in STYLES]
    head += [f"<script>\n{_asset(script)}\n</script>" for script in SCRIPTS]
    return Parts(
        title=f"{known.get('title', 'layers')}: private map",
        policy=content_policy(host),
        header="\n".join(head),
        html=fill_page(
            ROOM,
            "page.html",
            name=name,
            facts=json_facts,
            layers=[safe_json(layer) for layer in layers],
        ),
        script=f'var {name} = dpmap.open("{name}");',
    )


def page_of(kind: str, known: dict[str, Any], name: str, *, title: str) -> str:
    """Return a whole page of another kind than a map's, which has a template, a script and a
    style of its own, and shows these facts.
    """
    head = [f"<style>\n{_inlined(_asset(style))}\n</style>" for style in (*STYLES, f"{kind}.css")]
    head += [f"<script>\n{_asset(script)}\n</script>" for script in ("leaflet.js", f"{kind}.js")]
    html = fill_page(ROOM, f"{kind}.html", name=name, facts=safe_json(known))
    return fill_page(
        ROOM,
        "figure.html",
        title=title,
        policy=content_policy(),
        header=_lines(ENCODING, *head),
        html=_lines(html),
        script=_lines(f'dpmap.open("{name}");'),
    )


def check_level(level: float, tiles: str | None) -> None:
    """Check that the level is a probability, and warns about tiles."""
    if not 0 < level < 1:
        raise BadInput("level: a probability between 0 and 1, like 0.9")
    if tiles is not None:
        warnings.warn(
            f"tiles: whoever opens this map tells {tile_host(tiles)} their network address and"
            " which parts of it they look at; leave tiles out for a map that asks for nothing",
            stacklevel=3,
        )


def write_html(
    record: Record,
    estimate: Estimate,
    path: "str | os.PathLike[str]",
    *,
    level: float = 0.9,
    per_km2: bool = True,
    context: Context = True,
    tiles: str | None = None,
) -> None:
    """Write the interactive map to one file; take the options of `explore`."""
    check_level(level, tiles)
    _write(facts(record, estimate, level=level, per_km2=per_km2, context=context), (), path, tiles)


def write_layers(
    each: list[tuple[Record, Estimate]],
    axes: tuple[Axis, ...],
    path: "str | os.PathLike[str]",
    *,
    level: float = 0.9,
    per_km2: bool = True,
    context: Context = True,
    tiles: str | None = None,
) -> None:
    """Write the interactive map of all layers to one file."""
    check_level(level, tiles)
    common, *layers = layered_data(each, axes, level=level, per_km2=per_km2, context=context)
    _write(common, layers, path, tiles)


def _write(
    known: dict[str, Any],
    layers: Sequence[dict[str, Any]],
    path: "str | os.PathLike[str]",
    tiles: str | None,
) -> None:
    made = parts(known, f"map_{secrets.token_hex(16)}", layers=layers, tiles=tiles)
    page = fill_page(
        ROOM,
        "figure.html",
        title=made.title,
        policy=made.policy,
        header=_lines(ENCODING, made.header),
        html=_lines(made.html),
        script=_lines(made.script),
    )
    with written_aside(path) as aside:
        aside.write_text(page, encoding="utf-8")


def _lines(*texts: str) -> str:
    """Return texts one below the other, as folium writes them."""
    return "".join(f"\n    {text}" for text in texts)


def content_policy(tile_server: str | None = None) -> str:
    """Return what a browser may load for the page: nothing but what is written in it, and tiles of
    one named host.

    >>> "connect-src 'none'" in content_policy()
    True
    """
    images = "img-src data: blob:" + (f" https://{tile_server}" if tile_server else "")
    return (
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
        f"{images}; connect-src 'none'; form-action 'none'; base-uri 'none'"
    )


def tile_host(tiles: str) -> str:
    """Return the one server a tile address names, as a Content-Security-Policy writes it.

    >>> tile_host("https://tile.openstreetmap.org/{z}/{x}/{y}.png")
    'tile.openstreetmap.org'
    """
    match = TILES.fullmatch(tiles)
    if not match or not all(mark in tiles for mark in ("{x}", "{y}", "{z}")):
        raise BadInput(
            'tiles: give one secure address, like tiles="https://tile.example.org/{z}/{x}/{y}.png"'
        )
    return match[1]


@lru_cache(maxsize=32)
def _asset(name: str) -> str:
    return resources.files(ROOM).joinpath("assets", name).read_text(encoding="utf-8")


def _inlined(style: str) -> str:
    """Return a style sheet with its pictures written into it; a picture that is not shipped
    becomes none.
    """

    def data_address(reference: re.Match[str]) -> str:
        picture = resources.files(ROOM).joinpath("assets", "images", reference[1])
        if not picture.is_file():
            return "none"
        return f"url(data:image/png;base64,{base64.b64encode(picture.read_bytes()).decode()})"

    return re.sub(r"url\(images/([\w.-]+)\)", data_address, style)
