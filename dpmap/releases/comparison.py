"""Compares two releases: what changed from one to the other, region by region on the same cells,
or zone by zone on any; it costs nothing.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dpmap.errors import BadInput, WrongType, one_line
from dpmap.grid.study_area import Shapes
from dpmap.inference.changes import changes
from dpmap.maps import read_map
from dpmap.read_only_arrays import copied_tables
from dpmap.record import Record
from dpmap.releases.ask import zone_name
from dpmap.releases.cell_names import middles, name_cells
from dpmap.releases.change_regions import ChangedLand
from dpmap.releases.comparability import check_areas, check_kinds, check_promises
from dpmap.releases.grid_alignment import on_one_grid
from dpmap.releases.release import Release
from dpmap.releases.zone_changes import FEWER, MORE, UNTOLD, findings, zone_changes
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import clean, selection_rule

if TYPE_CHECKING:
    import geopandas
    import matplotlib.axes

    from dpmap.render.changes import ShownChanges
    from dpmap.render.changes_page import ChangesPage


@copied_tables("frame")
@dataclass(frozen=True, eq=False)
class Comparison:
    """What changed from the release `before` to the release `after`, as `dm.compare` finds it.

    `frame` has a row for each region, or for each zone if zones were given: `before` and `after`,
    `change` with its interval `low` to `high`, and `told` with the `finding`: "more", "fewer"
    or "no change can be told". `words` say by which rule, `notes` what else to know.
    """

    before: Release
    after: Release
    frame: "geopandas.GeoDataFrame"
    zoned: bool
    level: float
    rate: float
    words: dict[str, str]
    notes: list[str]

    def __len__(self) -> int:
        return len(self.frame)

    def to_geodataframe(self) -> "geopandas.GeoDataFrame":
        """Return the rows as a table of their own, in the CRS of the later map or of the zones."""
        return self.frame

    @cached_property
    def found(self) -> dict[str, int]:
        """How many rows hold more, fewer, and how many of which no change can be told."""
        kinds = list(self.frame["finding"])
        return {
            name: kinds.count(finding)
            for name, finding in (("more", MORE), ("fewer", FEWER), ("untold", UNTOLD))
        }

    @one_line
    def patches(self) -> "geopandas.GeoDataFrame":
        """Return the change of each patch: a place of which both maps together tell the colour, so
        that each has an interval worth having. All intervals together hold with the comparison's
        `level`; the chance that even one patch is told falsely is `rate` as rehearsed, which is no
        proof.

        Its columns: `patch` (a number), `cells`, `before`, `after`, `change` with `low` and `high`,
        `told`, `finding`, `p_value`, `change_per_km2`, `area_km2`, `lon`, `lat` and the
        outline.
        """
        return self._land("patches").patches.copy()

    @one_line
    def clusters(self) -> "geopandas.GeoDataFrame":
        """Return the clusters of land in which the total is told to have changed, the clearest
        first; none overlap, and often there are none.

        The chance that even one is told falsely is `rate` as rehearsed, which is no proof, however
        many there are; and all intervals together hold with the comparison's `level`, for clusters
        as chosen. The columns are those of `patches`, but for `cluster` (a number) in place of
        `patch`.
        """
        return self._land("clusters").clusters.copy()

    @one_line
    def cells(self) -> "geopandas.GeoDataFrame":
        """Return a row for each cell, with all that is told of the region it lies in: a cell that
        was measured within a block has the block's change and limits, and the block's number of
        cells.
        """
        return self._land("cells").cells(self.frame)

    def _land(self, what: str) -> ChangedLand:
        """Return what changed on larger land, found once."""
        if self.zoned:
            raise BadInput(f"{what}: zones were compared; compare without zones to learn of {what}")
        return self._changed

    @cached_property
    def _changed(self) -> ChangedLand:
        return ChangedLand(self.before, self.after, self.level, self.rate)

    @one_line
    def export(self, path: "str | os.PathLike[str]") -> list[Path]:
        """Write the rows as a layer to `path`, by its suffix: .gpkg, which opens styled, .geojson,
        .parquet or .csv.

        A GeoPackage of regions has layers of the patches and of the clusters too, and one of the
        land of which only a whole cluster is told.
        """
        from dpmap.export.changes import write_changes

        land = None
        if not self.zoned and os.fspath(path).lower().endswith(".gpkg"):
            land = self.patches(), self.clusters()
        return write_changes(
            self.frame, self.words, self.notes, (self.before.record, self.after.record), path, land
        )

    @one_line
    def plot(
        self,
        ax: "matplotlib.axes.Axes | None" = None,
        *,
        context: "bool | Sequence[Any]" = True,
        legend: bool = True,
        notes: bool = True,
        title: str | None = None,
    ) -> "matplotlib.axes.Axes":
        """Draw what changed, more in purple and fewer in orange, and return the Axes; where no
        change can be told is hatched grey.

        - `ax`: your own Axes; otherwise a new figure.
        - `context`: land, coasts, borders, rivers and towns around the map; or a list of public
          files and GeoDataFrames to be drawn with them.
        - `legend`: the column beside the map; `notes`: the lines below it; `title`: other words
          above it than the names of both maps.
        """
        from dpmap.render.changes import draw

        return draw(self._pictured(), ax, context=context, legend=legend, notes=notes, title=title)

    @one_line
    def explore(self, *, context: "bool | Sequence[Any]" = True) -> "ChangesPage":
        """Return the page of both maps with a slider between them; it shows inline in a notebook,
        and `save` writes it as one file.

        - `context`: what is drawn around and over the cells, as in `plot`.
        """
        from dpmap.render.changes_page import ChangesPage

        return ChangesPage(self._pictured(), (self.before.reading, self.after.reading), context)

    @one_line
    def draw(
        self,
        path: "str | os.PathLike[str]",
        *,
        context: "bool | Sequence[Any]" = True,
        legend: bool = True,
        notes: bool = True,
        title: str | None = None,
        dpi: float = 300,
    ) -> None:
        """Write what changed to a file.

        - `path`: by its suffix a page with a slider (.html), which needs no network, or a picture
          (.png, .svg, .pdf).
        - `context`: for both, as in `plot`.
        - `legend`, `notes`, `title`: for pictures, as in `plot`; and `dpi`, the dots per inch.
        """
        if os.fspath(path).lower().endswith(".html"):
            self.explore(context=context).save(path)
            return
        from dpmap.render.changes import write_picture

        write_picture(
            self._pictured(),
            path,
            dpi=dpi,
            context=context,
            legend=legend,
            notes=notes,
            title=title,
        )

    def _pictured(self) -> "ShownChanges":
        """Return what pictures show: the zones, or the patches with the clusters over them."""
        from dpmap.render.changes import ShownChanges

        records = (self.before.record, self.after.record)
        share = f"{100 * self.rate:g} %"
        if not self.zoned:
            clusters = self.clusters()
            return ShownChanges(
                records,
                self.patches(),
                clusters,
                None,
                "places",
                self.level,
                f"{share} chance of any false place,\nand as much of any false cluster",
                _rules(self.level, self.rate, clusters=len(clusters) > 0),
                self.notes,
            )
        zones = self.frame.drop(columns=self.frame.geometry.name).to_dict("records")
        names = [zone_name(zone, number) for number, zone in enumerate(zones, start=1)]
        rules = {name: self.words[name] for name in ("interval", "rate")}
        return ShownChanges(
            records,
            self.frame,
            None,
            names,
            "zones",
            self.level,
            f"{share} chance of any false one",
            rules,
            self.notes,
        )

    def __repr__(self) -> str:
        counts = ", ".join(f"{count:,} {name}" for name, count in self.found.items())
        return f"<Comparison: {len(self):,} {'zones' if self.zoned else 'regions'}: {counts}>"


def _rules(level: float, rate: float, *, clusters: bool) -> dict[str, str]:
    """Return the rules by which changes of patches and clusters are found, in words."""
    rules = {
        "interval": (
            f"the intervals of all places hold together at least {100 * level:g} % of the"
            " time, and so do those of all clusters; both noises are in them"
        ),
        "rate": (
            f"the chance that even one place is told falsely is at most {100 * rate:g} %, and"
            " that even one cluster is too"
        ),
    }
    if clusters:
        rules["clusters"] = (
            "a cluster is land that changed as a whole: how that lies within it is not known"
        )
    return rules


@one_line
def compare(
    before: Release,
    after: Release,
    *,
    zones: Shapes | None = None,
    level: float = 0.9,
    rate: float = 0.1,
    layer: str | None = None,
    same_grid: bool = False,
) -> Comparison:
    """Tell what changed from one release to another, with both noises in every interval; it costs
    nothing.

    - `before`, `after`: two releases of the same promise but for epsilon: the same unit, cap and
      way of keeping it; or two layers of one release.
    - `zones`: a polygon file, a GeoDataFrame, a shapely geometry or a box in degrees, chosen
      without looking at the maps; the maps' cells may then differ. Without zones the cells must be
      the same, or the squares of one map made of those of the other.
    - `level`: how often an interval holds.
    - `rate`: of the regions that are told to have changed, the largest expected share that did not;
      of zones the largest chance that even one is told falsely.
    - `layer`: of a file of zones, the layer to read.
    - `same_grid`: declares that both maps have the same cells, written otherwise: in another name
      of the CRS, or rounded.

    >>> import dpmap as dm
    >>> release = dm.open("raptors.dpmap")
    >>> dm.compare(release, release)
    Traceback (most recent call last):
    ...
    dpmap.errors.BadInput: compare: both maps are of one draw, so nothing can have changed; give two
    releases, such as those of two seasons
    """
    if not 0 < level < 1 or not 0 < rate < 1:
        raise BadInput(
            "compare: rate and level are probabilities between 0 and 1, like 0.1 and 0.9"
        )
    if not (isinstance(before, Release) and isinstance(after, Release)):
        raise WrongType('compare: give two releases, such as dm.open("2025.dpmap")')
    records = before.record, after.record
    check_promises(*records)
    if zones is None:
        check_kinds(*records)
        before, after, notes = on_one_grid(before, after, same_grid=same_grid)
        records = before.record, after.record
        check_areas(*records)
        words, more = _describe(records, zoned=False, level=level, rate=rate)
        regions = _regions(before, after, level, rate)
        return Comparison(before, after, regions, False, level, rate, words, [*notes, *more])
    frame = zone_changes(records, zones, level, rate, layer)
    return Comparison(
        before,
        after,
        frame,
        True,
        level,
        rate,
        *_describe(records, zoned=True, level=level, rate=rate),
    )


def _regions(
    before: Release, after: Release, level: float, rate: float
) -> "geopandas.GeoDataFrame":
    """Return a row for each region that both maps measured as a whole."""
    import geopandas as gpd

    from dpmap.grid.crs_label import reference

    grid = after.grid
    parts = [
        [(part.grid, part.last) for part in read_map(side.record).parts()]
        for side in (before, after)
    ]
    differences = changes(
        grid, parts[0], parts[1], (before.estimate, after.estimate), level=level, rate=rate
    )
    area = np.maximum(differences.area, 1e-300)
    plain = {
        "region": np.arange(1, differences.partition.regions + 1),
        **_codes(differences),
        "cells": differences.cells,
        "before": differences.before,
        "after": differences.after,
        "change": differences.change,
        "low": differences.low,
        "high": differences.high,
        "told": differences.told,
        "finding": findings(differences.told, differences.change),
        "p_value": differences.p_values,
        "change_per_km2": differences.change / area,
        "area_km2": differences.area,
    }
    outlines = differences.partition.polygons(grid)
    plain["lon"], plain["lat"] = middles(outlines, grid.crs)
    return gpd.GeoDataFrame(plain, geometry=outlines, crs=reference(grid.crs))


def _codes(differences: Any) -> dict[str, Any]:
    """Return names or codes of the regions that are one cell; empty for blocks."""
    labels = differences.partition.labels.ravel()
    cells = np.flatnonzero(labels >= 0)
    single = cells[differences.cells[labels[cells]] == 1]
    texts: dict[str, Any] = {}
    for column, names in name_cells(differences.grid, single).items():
        texts[column] = np.full(differences.partition.regions, "", dtype=object)
        texts[column][labels[single]] = names
    return texts


def _describe(
    records: tuple[Record, Record], *, zoned: bool, level: float, rate: float
) -> tuple[dict[str, str], list[str]]:
    """Say by which rule changes were found, and what else to know of these two maps."""
    before, after = records
    what = "zones" if zoned else "regions"
    words = {
        "interval": (
            "each interval holds the true change of the"
            f" {'means' if read_map(after).mean else 'capped totals'} at least {100 * level:g} %"
            " of the time; both noises are in it"
        ),
        "rate": (
            f"the chance that even one zone is told falsely is at most {100 * rate:g} %, which asks"
            " more of each than its interval does"
            if zoned
            else (
                f"of the regions told to have changed, on average at most {100 * rate:g} % did not,"
                " or the other way"
            )
        ),
        "untold": f"{what} of which no change can be told may have changed: the noise hides it",
        "totals": (
            f"totals are {map_statement(after).capped_words()} in the whole map, so who reports"
            " more elsewhere counts for less here"
        ),
    }
    if not zoned:
        words["compared"] = (
            "a region is a cell that both maps measured by itself, else the smallest block of cells"
            " that both measured as a whole"
        )
    notes = []
    for name, before_text, after_text in (
        (
            "the consent rule",
            clean(str(before.policy.consent or "")),
            clean(str(after.policy.consent or "")),
        ),
        ("which rows count", selection_rule(before), selection_rule(after)),
        ("the question", clean(before.about.question), clean(after.about.question)),
    ):
        if before_text != after_text:
            notes.append(
                f"{name} differs, and a change may come of that: before: {before_text or 'all'};"
                f" after: {after_text or 'all'}"
            )
    counts = tuple(len(read_map(record).parts()) for record in records)
    if counts[0] != counts[1]:
        notes.append(
            f"the first adds up {counts[0]} maps, the second {counts[1]}: a change may come of that"
        )
    return words, notes
