"""Draws a map of totals, as every other kind does unless it has its own way."""

import os
from typing import TYPE_CHECKING, Any, Protocol, cast, get_args

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.inference import RATE, Estimate, distinguishable
from dpmap.inference.flat_estimate import FlatEstimate
from dpmap.inference.kinds import map_reader
from dpmap.inference.kinds.totals import LEVEL
from dpmap.record import Record
from dpmap.render import page_readings
from dpmap.render.colouring import SURROUNDINGS, Painting, Show, View, What, painted
from dpmap.render.page_geometry import Facts, array, bits
from dpmap.render.page_zones import believed
from dpmap.statement.phrases import counted, selected

if TYPE_CHECKING:
    import matplotlib.axes

    from dpmap.inference.hotspots import HotSpots


FRAME = 6_000
"""A map's frame, background and legend take as long to draw as so many cells."""
Ways = dict[str, str]
Draws = dict[str, tuple[str, ...] | bool]


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


class TotalsDrawing:
    """Draws densities in classes, as a picture and as a page."""

    local = False
    """Whether nobody had to be trusted."""

    def __init__(self, record: Record) -> None:
        self.record = record

    def face(self) -> Record:
        """Returns the record as pictures take it: one ground, and what was measured of it."""
        return self.record

    @property
    def drawn(self) -> int:
        """How many cells a picture shows, whatever each map costs besides counted as cells."""
        return self.record.grid.cells_inside + FRAME * len(self.record.grid.maps)

    def going_on(self) -> Ways:
        """Returns calls to go on with, and what each gives."""
        return {
            "plot()": "the picture, on Axes",
            "explore()": "the interactive map, which fetches nothing",
            'ask("project_areas.gpkg")': "how many in each project area",
            'export("cells.gpkg")': "a layer for a GIS",
        }

    def draws(self) -> Draws:
        """Returns what `--what`, `--show` and `--hotspots` may ask of a picture, and whether there
        is a page.

        An exceedance takes a threshold too; TOTAL stands for any number.
        """
        return {
            "what": get_args(What),
            "show": get_args(Show),
            "hotspots": ("TOTAL", SURROUNDINGS),
            "page": True,
        }

    def check_page(self, what: str) -> None:
        """Refuses `what` if the page has no place for such a map."""

    def plot(self, release: Readable, ax: Any, **options: Any) -> "matplotlib.axes.Axes":
        """Draws on an Axes, or on a new figure, and returns it."""
        from dpmap.render.static import draw

        if ax is not None and not hasattr(ax, "get_figure"):
            raise BadInput(
                "ax: give Axes of matplotlib, such as the second that plt.subplots() returns"
            )
        return draw(self.face(), release.reading, ax=ax, **options)

    def explore(self, release: Readable, m: Any, **options: Any) -> Any:
        """Returns the interactive map, or `m`, a map of the reader's own, with the places added."""
        self.check_page("explore")
        if m is not None:
            from dpmap.render.folium_overlay import add

            return add(m, [(self.record, release.reading)], **options)
        from dpmap.render.folium_map import explore

        return explore(self.record, release.reading, **options)

    def draw(self, release: Readable, path: "str | os.PathLike[str]", **options: Any) -> None:
        """Writes a page or a picture, by the suffix."""
        write = self.write_page if os.fspath(path).lower().endswith(".html") else self.write_picture
        write(release, path, **options)

    def write_page(self, release: Readable, path: "str | os.PathLike[str]", **options: Any) -> None:
        """Writes the page to a file."""
        from dpmap.render.html_page import write_html

        self.check_page("a page")
        write_html(self.record, release.reading, path, **options)

    def write_picture(
        self, release: Readable, path: "str | os.PathLike[str]", **options: Any
    ) -> None:
        """Writes the picture to a file."""
        from dpmap.render.static import write_picture

        write_picture(self.face(), release.reading, path, **options)

    def paint(self, estimate: Estimate, view: View) -> Painting:
        """Paints the map as the view asks."""
        return painted(self.record, estimate, view)

    def unsure(self, estimate: Estimate, what: str, low: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Returns the in-area cells that are not told, for the estimate or a bound; `low` is the
        lower bound.
        """
        inside = self.record.grid.inside
        return {
            "estimate": ~distinguishable(estimate)[inside],
            "low": low[inside] <= 0,
            "high": np.zeros(self.record.grid.cells_inside, dtype=bool),
        }[what]

    def who(self) -> str:
        """Returns whom the page says the map protects."""
        policy = self.record.policy
        return "each single row" if policy.unit == "row" else f"each {policy.unit}"

    def terms(self) -> list[list[str]]:
        """Returns the cap, the consent rule, and any rule over rows, as lines of the page."""
        policy = self.record.policy
        cap = (
            f"at most {counted(f'{policy.cap:,}', 'point')} in the whole map from {self.who()}"
            f" ({policy.cap_origin})"
        )
        rule = selected(self.record)
        return [
            ["Cap", cap],
            ["Consent rule", self.consent()],
            *([["Selected", f"only {rule}"]] if rule else []),
        ]

    def consent(self) -> str:
        """Returns the consent rule."""
        consent = self.record.policy.consent
        return f"only rows with {consent}" if consent else "none was declared"

    def page_reading(self, estimate: Estimate, level: float) -> Facts:
        """Returns how the page gets each cell's estimate, interval and confidence."""
        return page_readings.reading(self.record, estimate, level)

    def zones(self, estimate: Estimate, level: float) -> Facts:
        """The last measurement, for the strict bounds of a project area (each of its regions wholly
        inside is added up; those that the area cuts are bracketed), and what is believed of all
        land, for `release.ask`'s own answer.
        """
        record, last = self.record, self.record.last
        by_cell = page_readings.cell_by_cell(record) is not None and isinstance(
            page_readings.own(estimate), FlatEstimate
        )
        return {
            "regions": last.partition.regions,
            "kind": last.kind,
            "scale": float(last.scale_steps),
            "lattice": last.lattice,
            "noisy": (
                None
                if by_cell
                else array(last.values, page_readings.float_type(last.partition.regions))
            ),
            "labels": (
                None if by_cell else array(last.partition.labels[record.grid.inside], np.int32)
            ),
            "believed": believed(record, estimate, [(record.grid, last.partition)], level),
        }

    def hot(self, estimate: Estimate) -> Facts | None:
        """Returns regions and clusters above their surroundings, as `release.hotspots()` finds
        them; None if it finds none.
        """
        del estimate
        spots, inside = (
            map_reader(self.record).hot_spots(None, RATE, LEVEL),
            self.record.grid.inside,
        )
        found = cast("HotSpots", spots)  # maps with listed cells only have pages of another kind
        labels = found.labels[inside]
        cells = np.flatnonzero(labels >= 0)
        return {
            "cells": array(cells, np.int32),
            "clusters": array(labels[cells], np.int32),
            "tested": bits(np.isfinite(found.p_values[inside])),
            "regions": np.column_stack([found.alone, found.blocks]).tolist(),
            "totals": np.column_stack([found.estimate, found.low, found.high]).tolist(),
            "level": found.level,
        }


kind = TotalsDrawing
