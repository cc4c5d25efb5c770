"""Makes the interactive map as a folium Map, for notebooks: it requests nothing from any network,
even if parts are added to it.

By hand, since folium alone links Leaflet, styles and tiles from servers, which would learn who
looks at which places. What stands in the page, `offline` says; there it is written to a file
without folium, which takes long to load.
"""

from collections.abc import Sequence
from typing import Any

import folium
from branca.element import Element, Figure

from dpmap.errors import BadInput
from dpmap.grid.layer_axes import Axis
from dpmap.inference import Estimate
from dpmap.record import Record
from dpmap.render.html_page import ROOM, check_level, parts
from dpmap.render.page_data import facts, layered_data
from dpmap.render.user_layers import Context
from dpmap.templates import fill_page


class OfflineFigure(Figure):
    """Makes a page whose first element is its Content-Security-Policy, before anything that
    others may add to it.
    """

    def __init__(self, title: str, policy: str) -> None:
        super().__init__(title=title)
        self.policy = policy

    def render(self, **kwargs: Any) -> str:
        """Write what it holds, then the page around that."""
        for child in self._children.values():
            child.render(**kwargs)
        held = {name: getattr(self, name).render(**kwargs) for name in ("header", "html", "script")}
        return fill_page(ROOM, "figure.html", title=self.title, policy=self.policy, **held)

    def _repr_html_(self, **kwargs: Any) -> str:
        """Return the page in a sandboxed frame: in a notebook it can reach neither the notebook
        nor the network.
        """
        return fill_page(ROOM, "frame.html", page=self.render(**kwargs), title=self.title)


class Verbatim(Element):
    """Writes a text as it is."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def render(self, **kwargs: Any) -> str:  # noqa: ARG002  # branca's own signature
        """Return the text."""
        return self.text


class OfflineMap(folium.Map):
    """Makes a folium Map that contains Leaflet and its data.

    Layers may be added as to any folium Map; what they would fetch is refused by the page's policy.
    """

    # folium's own name for what it links; here nothing
    default_js: list[tuple[str, str]] = []  # noqa: RUF012
    default_css: list[tuple[str, str]] = []  # noqa: RUF012  # the same

    def __init__(
        self,
        known: dict[str, Any],
        *,
        layers: Sequence[dict[str, Any]] = (),
        tiles: str | None = None,
    ) -> None:
        super().__init__(tiles=None)
        self.parts = parts(known, self.get_name(), layers=layers, tiles=tiles)
        OfflineFigure(self.parts.title, self.parts.policy).add_child(self)

    def render(self, **kwargs: Any) -> str:
        """Write itself into its page as it is; folium would read names with braces in them as a
        template's code.
        """
        name = self.get_name()
        figure = self.get_root()
        if not isinstance(figure, OfflineFigure):
            raise BadInput(
                "interactive map: inside another figure it would lose its policy; show or save it"
                " by itself"
            )
        figure.header.add_child(Verbatim(self.parts.header), name=name)
        figure.html.add_child(Verbatim(self.parts.html), name=name)
        figure.script.add_child(Verbatim(self.parts.script), name=name)
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
    """Return the interactive map of a release, shown inline in a notebook; `.save(path)` writes it
    as one file.

    `level` is the confidence of every interval. Colours show totals per square kilometre, or with
    `per_km2=False` per cell. `context=False` leaves land, water and towns out; a list of files
    (`["roads.gpkg", "parks.gpkg:NAME"]`) or GeoDataFrames is drawn with them, as it is, with names
    from a column `name`. `tiles="https://host/{z}/{x}/{y}.png"` puts a background map of that
    server under the cells, and lets it learn from everyone who opens the file their address and the
    places they look at; by default nothing does.
    """
    check_level(level, tiles)
    return OfflineMap(
        facts(record, estimate, level=level, per_km2=per_km2, context=context), tiles=tiles
    )


def explore_layers(
    each: list[tuple[Record, Estimate]],
    axes: tuple[Axis, ...],
    *,
    level: float = 0.9,
    per_km2: bool = True,
    context: Context = True,
    tiles: str | None = None,
) -> OfflineMap:
    """Make one page that switches between the layers of a release along `axes`, keeping its view
    and the areas that were drawn.
    """
    check_level(level, tiles)
    common, *layers = layered_data(each, axes, level=level, per_km2=per_km2, context=context)
    return OfflineMap(common, layers=layers, tiles=tiles)
