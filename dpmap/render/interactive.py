"""Makes the interactive map: one HTML file that requests nothing from any network, even if parts are added to it.

Leaflet and the page's own scripts are written into the file, and a Content-Security-Policy at its very top lets the
browser load nothing else. Facts travel as JSON in a script element that is never run; the page shows names as text.

By hand, since folium alone links Leaflet, styles and tiles from servers, which would learn who looks at which places.
"""

import base64
import os
import re
import warnings
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from typing import Any

import folium
from branca.element import Element, Figure

from dpmap.errors import BadInput
from dpmap.files import written_aside
from dpmap.grid.axes import Axis
from dpmap.inference import Estimate
from dpmap.pages import filled, safe_json, template
from dpmap.record import Record
from dpmap.render.own import Context
from dpmap.render.page import facts, layered

ROOM = "dpmap.render"
SCRIPTS = ("leaflet.js", "map.js")
STYLES = ("leaflet.css", "map.css")
TILES = re.compile(r"https://([A-Za-z0-9.-]+(?::\d+)?)/[^\s\"'<>;\\]*")


class OfflineFigure(Figure):
    """Makes a page whose first element is its Content-Security-Policy, before anything that others may add to it."""

    _template = template(ROOM, "figure.html")

    def __init__(self, title: str, policy: str) -> None:
        super().__init__(title=title)
        self.policy = policy

    def _repr_html_(self, **kwargs: Any) -> str:
        """Returns the page in a sandboxed frame: in a notebook it can reach neither the notebook nor the network."""
        return filled(ROOM, "frame.html", page=self.render(**kwargs), title=self.title)


class Verbatim(Element):
    """Writes a text as it is."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def render(self, **kwargs: Any) -> str:  # noqa: ARG002  # branca's own signature
        """Returns the text."""
        return self.text


class OfflineMap(folium.Map):
    """Makes a folium Map that contains Leaflet and its data.

    Layers may be added as to any folium Map; what they would fetch is refused by the page's policy.
    """

    default_js: list[tuple[str, str]] = []  # noqa: RUF012  # folium's own name for what it links; here nothing
    default_css: list[tuple[str, str]] = []  # noqa: RUF012  # the same

    def __init__(
        self, known: dict[str, Any], *, layers: Sequence[dict[str, Any]] = (), tiles: str | None = None
    ) -> None:
        super().__init__(tiles=None)
        host = None if tiles is None else tile_host(tiles)
        title = f"{known.get('title', 'layers')}: private map"
        OfflineFigure(title, content_policy(host)).add_child(self)
        self.facts = safe_json({**known, "tiles": None if tiles is None else {"url": tiles, "host": host}})
        self.layers = [safe_json(layer) for layer in layers]
        self.scripts = [_asset(name) for name in SCRIPTS]
        self.styles = [_inlined(_asset(name)) for name in STYLES]

    def render(self, **kwargs: Any) -> str:
        """Writes itself into its page as it is; folium would read names with braces in them as a template's code."""
        name, figure = self.get_name(), self.get_root()
        if not isinstance(figure, OfflineFigure):
            raise BadInput("interactive map: inside another figure it would lose its policy; show or save it by itself")
        head = [f"<style>\n{text}\n</style>" for text in self.styles]
        head += [f"<script>\n{text}\n</script>" for text in self.scripts]
        page = filled(ROOM, "page.html", name=name, facts=self.facts, layers=self.layers)
        figure.header.add_child(Verbatim("\n".join(head)), name=name)
        figure.html.add_child(Verbatim(page), name=name)
        figure.script.add_child(Verbatim(f'var {name} = dpmap.open("{name}");'), name=name)
        for child in self._children.values():
            child.render(**kwargs)
        return ""


def explore(
    record: Record,
    estimate: Estimate,
    *,
    level: float = 0.9,
    per_km2: bool = True,
    context: Context = True,
    tiles: str | None = None,
) -> OfflineMap:
    """Returns the interactive map of a release, shown inline in a notebook; `.save(path)` writes it as one file.

    `level` is the confidence of every interval. Colours show totals per square kilometre, or with `per_km2=False`
    per cell. `context=False` leaves land, water and towns out; a list of files (`["roads.gpkg", "parks.gpkg:NAME"]`) or
    GeoDataFrames is drawn with them, as it is, with names from a column `name`. `tiles="https://host/{z}/{x}/{y}.png"` puts a background map of that server under the cells, and lets
    it learn from everyone who opens the file their address and the places they look at; by default nothing does.
    """
    _check(level, tiles)
    return OfflineMap(facts(record, estimate, level=level, per_km2=per_km2, context=context), tiles=tiles)


def explore_layers(
    parts: list[tuple[Record, Estimate]],
    axes: tuple[Axis, ...],
    *,
    level: float = 0.9,
    per_km2: bool = True,
    context: Context = True,
    tiles: str | None = None,
) -> OfflineMap:
    """Makes one page that switches between the layers of a release along `axes`, keeping its view and the areas that
    were drawn.
    """
    _check(level, tiles)
    common, *layers = layered(parts, axes, level=level, per_km2=per_km2, context=context)
    return OfflineMap(common, layers=layers, tiles=tiles)


def _check(level: float, tiles: str | None) -> None:
    """Checks that the level is a probability, and warns about tiles."""
    if not 0 < level < 1:
        raise BadInput("level: a probability between 0 and 1, like 0.9")
    if tiles is not None:
        warnings.warn(
            f"tiles: whoever opens this map tells {tile_host(tiles)} their network address and which places they "
            "look at; leave tiles out for a map that asks for nothing",
            stacklevel=3,
        )


def write_html(record: Record, estimate: Estimate, path: "str | os.PathLike[str]", **options: Any) -> None:
    """Writes the interactive map to one file; takes the options of `explore`."""
    _write(explore(record, estimate, **options), path)


def write_layers(
    parts: list[tuple[Record, Estimate]], axes: tuple[Axis, ...], path: "str | os.PathLike[str]", **options: Any
) -> None:
    """Writes the interactive map of all layers to one file."""
    _write(explore_layers(parts, axes, **options), path)


def _write(made: OfflineMap, path: "str | os.PathLike[str]") -> None:
    page = made.get_root().render()
    with written_aside(path) as aside:
        aside.write_text(page, encoding="utf-8")


def content_policy(tile_server: str | None = None) -> str:
    """Returns what a browser may load for the page: nothing but what is written in it, and tiles of one named host.

    >>> "connect-src 'none'" in content_policy()
    True
    """
    images = "img-src data: blob:" + (f" https://{tile_server}" if tile_server else "")
    return (
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
        f"{images}; connect-src 'none'; form-action 'none'; base-uri 'none'"
    )


def tile_host(tiles: str) -> str:
    """Returns the one server a tile address names, as a Content-Security-Policy writes it.

    >>> tile_host("https://tile.openstreetmap.org/{z}/{x}/{y}.png")
    'tile.openstreetmap.org'
    """
    found = TILES.fullmatch(tiles)
    if not found or not all(mark in tiles for mark in ("{x}", "{y}", "{z}")):
        raise BadInput('tiles: give one secure address, like tiles="https://tile.example.org/{z}/{x}/{y}.png"')
    return found[1]


@lru_cache(maxsize=32)
def _asset(name: str) -> str:
    return resources.files(ROOM).joinpath("assets", name).read_text(encoding="utf-8")


def _inlined(style: str) -> str:
    """Returns a style sheet with its pictures written into it; a picture that is not shipped becomes none."""

    def data_address(found: re.Match[str]) -> str:
        picture = resources.files(ROOM).joinpath("assets", "images", found[1])
        if not picture.is_file():
            return "none"
        return f"url(data:image/png;base64,{base64.b64encode(picture.read_bytes()).decode()})"

    return re.sub(r"url\(images/([\w.-]+)\)", data_address, style)
