"""How each kind of map is drawn: on Axes, as a picture, or as a page."""

import os
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Protocol

import numpy as np

from dpmap.errors import BadInput, WrongType, require_library
from dpmap.grid.partition import SPARSE
from dpmap.inference import Estimate
from dpmap.maps import kind, kind_of_layers, read_map
from dpmap.record import Record

if TYPE_CHECKING:
    import matplotlib.axes

FRAME = 6_000
"""A map's frame, background and legend take as long to draw as so many cells."""
Calls = dict[str, str]


class Readable(Protocol):
    """Declares what is drawn of a release: its record, its estimate, and its layers in the same
    form.
    """

    @property
    def record(self) -> Record:
        """The record of the release."""
        ...

    @property
    def reading(self) -> Estimate:
        """The estimate made from it."""
        ...

    @property
    def layers(self) -> "dict[tuple[str, ...], Any]":
        """Each layer; empty for a single map."""
        ...


class MapDrawer:
    """Draws densities in classes, as a picture and as a page."""

    next_calls: ClassVar[Calls] = {
        "plot()": "the picture, on Axes",
        "explore()": "the interactive map, which fetches nothing",
        'ask("project_areas.gpkg")': "how many in each project area",
        'export("cells.gpkg")': "a layer for a GIS",
    }
    """Calls to go on with, and what each gives."""

    def __init__(self, record: Record) -> None:
        self.record = record

    @property
    def drawn_cells(self) -> int:
        """How many cells a picture shows, whatever each map costs besides counted as cells."""
        return self.record.grid.cells_inside + FRAME * len(self.record.grid.maps)

    def calls(self) -> Calls:
        """Return calls to go on with, and what each gives."""
        return self.next_calls

    def plot(self, release: Readable, ax: Any, **options: Any) -> "matplotlib.axes.Axes":
        """Draw on an Axes, or on a new figure, and return it."""
        from dpmap.render.static import draw

        if ax is not None:
            _check_axes([ax], options)
        return draw(_single(self.record), release.reading, ax=ax, **options)

    def explore(self, release: Readable, m: Any, **options: Any) -> Any:
        """Return the interactive map, or `m`, a map of the reader's own, with the places added."""
        read_map(self.record).check_page("explore")
        require_library("folium")
        if m is not None:
            from dpmap.render.folium_overlay import add

            return add(m, [(self.record, release.reading)], **options)
        from dpmap.render.folium_map import explore

        return explore(self.record, release.reading, **options)

    def draw(self, release: Readable, path: "str | os.PathLike[str]", **options: Any) -> None:
        """Write a page or a picture, by the suffix."""
        write = self.write_page if os.fspath(path).lower().endswith(".html") else self.write_picture
        write(release, path, **options)

    def write_page(self, release: Readable, path: "str | os.PathLike[str]", **options: Any) -> None:
        """Write the page to a file."""
        from dpmap.render.html_page import write_html

        read_map(self.record).check_page("a page")
        write_html(self.record, release.reading, path, **options)

    def write_picture(
        self, release: Readable, path: "str | os.PathLike[str]", **options: Any
    ) -> None:
        """Write the picture to a file."""
        from dpmap.render.static import write_picture

        write_picture(_single(self.record), release.reading, path, **options)


class MeansDrawer(MapDrawer):
    """Draws means, which have no page."""

    next_calls: ClassVar[Calls] = {
        "plot()": "the picture, on Axes",
        'ask("project_areas.gpkg")': "the mean in each project area",
        'export("cells.gpkg")': "a layer for a GIS",
    }


class SparseDrawer(MapDrawer):
    """Draws the listed cells in blocks wide enough to be seen."""

    drawn_cells = 160**2
    next_calls: ClassVar[Calls] = {
        'draw("map.png")': "the picture",
        "hotspots(threshold=100)": "the listed cells truly above a total",
        'ask("project_areas.gpkg")': "how many in each project area",
        'export("cells.parquet")': "the listed cells, for a GIS",
    }

    def explore(self, release: Readable, m: Any, **options: Any) -> NoReturn:
        """Refuse it: a page needs every cell."""
        del release, m, options
        raise BadInput(SPARSE)

    def plot(self, release: Readable, ax: Any, **options: Any) -> NoReturn:
        """Refuse it, like `explore`."""
        del release, ax, options
        raise BadInput(SPARSE)

    def draw(self, release: Readable, path: "str | os.PathLike[str]", **options: Any) -> None:
        """Write the picture, in the one way there is."""
        from dpmap.render.colouring import View
        from dpmap.render.sparse_blocks import write_blocks

        del release
        if os.fspath(path).lower().endswith(".html"):
            raise BadInput(SPARSE)
        dpi = options.pop("dpi", 300)
        context = options.pop("context", True)
        usual = asdict(View())
        if given := [name for name, value in options.items() if value != usual[name]]:
            raise BadInput(
                "a sparse release is drawn in one way only, with dpi and context its options;"
                f" leave {', '.join(given)} out"
            )
        write_blocks(self.record, path, dpi=dpi, context=context)


class LayeredDrawer(MapDrawer):
    """Draws all layers at once, in the same classes."""

    def calls(self) -> Calls:
        """Put one layer by its name before what the layers' own kind has."""
        name = ", ".join(next(iter(self.record.grid.maps)))
        calls = DRAWERS.get(kind_of_layers(self.record), MapDrawer)(self.record).calls()
        shared = {
            call: words
            for call, words in calls.items()
            if call not in ("plot()", 'export("cells.gpkg")')
        }
        return {
            f"layer({name!r}).plot()": "one layer by itself",
            **shared,
            "to_xarray()": "a cube of all layers",
        }

    def plot(self, release: Readable, ax: Any, **options: Any) -> "matplotlib.axes.Axes":
        """Draw every layer on a new figure, or on an Axes each; return that of the last one."""
        import matplotlib.pyplot as plt

        from dpmap.render.static import draw_layers, multiples

        if ax is not None:
            axes = list(np.ravel(ax))
            _check_axes(axes, options)
            if len(axes) != len(release.layers):
                raise BadInput(
                    f"ax: give a list of {len(release.layers)} Axes, one for each layer, or plot"
                    " one layer: release.layer(name).plot(ax)"
                )
            options.pop("figsize", None)
            draw_layers(_parts(release), axes, **options)
            return axes[-1]  # type: ignore[no-any-return]
        figure = multiples(_parts(release), plt.figure(), **options)
        return figure.axes[len(release.layers) - 1]

    def explore(self, release: Readable, m: Any, **options: Any) -> Any:
        """Return one page for all layers, or `m`, a map of the reader's own, with each added."""
        read_map(self.record).check_page("explore")
        require_library("folium")
        if m is not None:
            from dpmap.render.folium_overlay import add

            return add(m, _parts(release), **options)
        from dpmap.render.folium_map import explore_layers

        return explore_layers(_parts(release), self.record.grid.axes, **options)

    def write_page(self, release: Readable, path: "str | os.PathLike[str]", **options: Any) -> None:
        """Write one page for all layers to a file."""
        from dpmap.render.html_page import write_layers

        read_map(self.record).check_page("a page")
        write_layers(_parts(release), self.record.grid.axes, path, **options)

    def write_picture(
        self, release: Readable, path: "str | os.PathLike[str]", **options: Any
    ) -> None:
        """Write every layer in one picture."""
        from dpmap.render.static import write_multiples

        write_multiples(_parts(release), path, **options)


def _check_axes(axes: Sequence[Any], options: dict[str, Any]) -> None:
    """Refuse what is no Axes, and the size of a figure that is there already."""
    if not all(hasattr(ax, "get_figure") for ax in axes):
        raise WrongType(
            "ax: give Axes of matplotlib, such as the second that plt.subplots() returns"
        )
    if options.get("figsize") is not None:
        raise BadInput("figsize: for a new figure; leave it out, or ax")


def _parts(release: Readable) -> list[tuple[Record, Estimate]]:
    """Return each layer in the form that pictures and pages take."""
    return [(_single(layer.record), layer.reading) for layer in release.layers.values()]


def _single(record: Record) -> Record:
    """Return the record as pictures take it: one ground, and what was measured of it."""
    return read_map(record).single("draw")


DRAWERS: dict[str, Callable[[Record], MapDrawer]] = {
    "layered": LayeredDrawer,
    "means": MeansDrawer,
    "sparse": SparseDrawer,
}
"""The drawers of kinds that are not drawn as totals are."""


def map_drawer(record: Record) -> MapDrawer:
    """Return what draws a record, by its kind."""
    return DRAWERS.get(kind(record), MapDrawer)(record)
