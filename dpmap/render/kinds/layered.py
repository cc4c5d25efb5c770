"""Draws the layers of one release: small maps side by side, and one page that switches between
layers.
"""

import os
from typing import TYPE_CHECKING, Any

from dpmap.inference import Estimate
from dpmap.inference.kinds.layered import refuse
from dpmap.record import Record
from dpmap.render.kinds import map_drawing, of_layers
from dpmap.render.kinds.totals import Draws, Readable, TotalsDrawing, Ways

if TYPE_CHECKING:
    import matplotlib.axes


class LayeredDrawing(TotalsDrawing):
    """Draws all layers at once, in the same classes."""

    def going_on(self) -> Ways:
        """Puts one layer by its name before what the layers' own kind has."""
        name = ", ".join(next(iter(self.record.grid.maps)))
        ways = of_layers(self.record).going_on()
        shared = {
            call: words
            for call, words in ways.items()
            if call not in ("plot()", 'export("cells.gpkg")')
        }
        return {
            f"layer({name!r}).plot()": "one layer by itself",
            **shared,
            "to_xarray()": "a cube of all layers",
        }

    def draws(self) -> Draws:
        """Returns what may be asked of each layer."""
        return of_layers(self.record).draws()

    def plot(self, release: Readable, ax: Any, **options: Any) -> "matplotlib.axes.Axes":
        """Draws every layer on a new figure; returns the Axes of the last one."""
        if ax is not None:
            refuse(self.record, "plot on ax")
        import matplotlib.pyplot as plt

        from dpmap.render.static import multiples

        figure = multiples(_parts(release), plt.figure(), **options)
        return figure.axes[len(release.layers) - 1]

    def explore(self, release: Readable, m: Any, **options: Any) -> Any:
        """Returns one page for all layers, or `m`, a map of the reader's own, with each added."""
        of_layers(self.record).check_page("explore")
        if m is not None:
            from dpmap.render.folium_overlay import add

            return add(m, _parts(release), **options)
        from dpmap.render.folium_map import explore_layers

        return explore_layers(_parts(release), self.record.grid.axes, **options)

    def write_page(self, release: Readable, path: "str | os.PathLike[str]", **options: Any) -> None:
        """Writes one page for all layers to a file."""
        from dpmap.render.html_page import write_layers

        of_layers(self.record).check_page("a page")
        write_layers(_parts(release), self.record.grid.axes, path, **options)

    def write_picture(
        self, release: Readable, path: "str | os.PathLike[str]", **options: Any
    ) -> None:
        """Writes every layer in one picture."""
        from dpmap.render.static import write_multiples

        write_multiples(_parts(release), path, **options)


def _parts(release: Readable) -> list[tuple[Record, Estimate]]:
    """Returns each layer in the form that pictures and pages take."""
    return [(map_drawing(layer.record).face(), layer.reading) for layer in release.layers.values()]


kind = LayeredDrawing
