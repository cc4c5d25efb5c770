"""The release that users hold, to draw, ask, export and save."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from dpmap.errors import BadInput, Refused, one_line
from dpmap.record import About
from dpmap.record.release_file import read_record, write_record
from dpmap.releases.public_map import PublicMap
from dpmap.store_results import put_after
from dpmap.stores import is_url, spell

if TYPE_CHECKING:
    import matplotlib.axes

    from dpmap.export.atlas.layers import AtlasLayer
    from dpmap.export.atlas.taxa import Taxa


class Release(PublicMap):
    """A private map: everything here is public, and using it costs nothing more.

    `dm.release` makes one and `dm.open` opens one. All numbers are *capped* totals in points: what
    the survey adds up to once no unit counts for more than the cap.

    >>> import dpmap as dm
    >>> release = dm.open("raptors.dpmap")
    >>> low, high = release.interval(0.9)
    >>> low.shape == high.shape == release.estimate.shape == release.grid.shape
    True
    """

    @cached_property
    def _classes(self) -> list[float]:
        """The edges of the classes in which all layers are shown."""
        from dpmap.render.page_data import shared_edges

        layers = [(layer.record, layer.reading) for layer in self.layers.values()]
        return shared_edges(layers, level=0.9, per_km2=True)

    @cached_property
    def _pictured(self) -> "Release":
        """The release as its pictures and layers show it: a season in the same classes as the
        others.
        """
        if self._among is None or self.record.about.edges or not self._map.complete:
            return self
        about = {**self.record.about.to_dict(), "edges": self._among._classes}  # noqa: SLF001
        return Release(replace(self.record, about=About.from_mapping(about)), self._whole)

    @one_line
    def plot(
        self,
        ax: "matplotlib.axes.Axes | Sequence[matplotlib.axes.Axes] | None" = None,
        *,
        column: str | None = None,
        cmap: Any = None,
        vmin: float | None = None,
        vmax: float | None = None,
        figsize: tuple[float, float] | None = None,
        crs: Any = None,
        what: Literal["estimate", "low", "high", "exceedance"] = "estimate",
        show: Literal["patches", "cells", "belief"] = "patches",
        threshold: float | None = None,
        level: float = 0.9,
        suppress: bool = False,
        classes: "int | Sequence[float] | None" = 5,
        unsure: Literal["grey", "hatch"] = "grey",
        hotspots: 'float | Literal["surroundings"] | None' = None,
        context: "bool | Sequence[Any]" = True,
        legend: bool = True,
        notes: bool = True,
        title: str | None = None,
    ) -> "matplotlib.axes.Axes":
        """Draw the static map and return its Axes; for layers a map each, and the Axes of the
        last one.

        - `ax`: your own Axes, or for layers a list of one for each; otherwise a new figure. Where
          it holds data already, or its limits were set, they stay, and only cells, legend and notes
          are drawn.
        - `column`: instead of places, each cell by a column of `to_geodataframe`, such as
          `"estimate"`, `"low"`, `"high"` or `"density"`, or by the `"width"` of its interval.
        - `cmap`: colours of matplotlib, such as `"viridis"`.
        - `vmin`, `vmax`: the ends of a continuous ramp of colours, per square kilometre for
          densities.
        - `figsize`: the size of a new figure in inches.
        - `crs`: what the axes measure in, such as `"EPSG:3857"`; otherwise the grid's own CRS.
        - `what`: the `"estimate"`, the `"low"` or `"high"` bound of its interval, or
          `"exceedance"`: the confidence, by the noise law alone, that a cell holds more than
          `threshold`.
        - `show`: `"patches"`, the smallest places of which the colour can be told (see
          `release.patches`); or `"cells"`, each by itself, as `"exceedance"` and `suppress` always
          do; or `"belief"`, one smooth picture of what is believed, no finer than it is known, of
          squares with totals.
        - `threshold`: the total to be exceeded, for `what="exceedance"` only.
        - `level`: how often an interval holds what it is about.
        - `suppress`: merges the colours of cells whose estimate is unsure.
        - `classes`: how many classes of colour, of which five are the same for all tiers of a draw;
          or their edges, such as `[0, 1, 5, 20]`, the same for two maps that are compared; or None
          for a continuous ramp.
        - `unsure`: `"grey"` for what noise alone explains, or `"hatch"` to keep its colour under
          the hatching.
        - `hotspots`: outlines the cells whose total is above a number, or those denser than their
          `"surroundings"`; at most a tenth falsely so.
        - `context`: land, coasts, borders, rivers and towns around the map; or a list of public
          files and GeoDataFrames to be drawn with them, as they are, with names from a column
          `name`: `["roads.gpkg", "parks.gpkg:NAME"]`.
        - `legend`: the column beside the map; `notes`: the lines below it; `title`: other words
          above it than the data set's name.

        >>> import dpmap as dm
        >>> ax = dm.open("raptors.dpmap").plot(show="cells", title="Raptors of the highlands")
        >>> ax.figure.savefig("map.png", dpi=60)
        """
        from dpmap.render.drawers import map_drawer

        return map_drawer(self.record).plot(
            self,
            ax,
            column=column,
            cmap=cmap,
            vmin=vmin,
            vmax=vmax,
            figsize=figsize,
            crs=crs,
            what=what,
            show=show,
            threshold=threshold,
            level=level,
            suppress=suppress,
            classes=classes,
            unsure=unsure,
            hotspots=hotspots,
            context=context,
            legend=legend,
            notes=notes,
            title=title,
        )

    @one_line
    def explore(
        self,
        m: Any = None,
        *,
        level: float = 0.9,
        per_km2: bool = True,
        context: "bool | Sequence[Any]" = True,
        tiles: str | None = None,
    ) -> Any:
        """Return the interactive map, a folium Map that shows inline in a notebook and fetches
        nothing.

        - `m`: your own folium Map, to which the places are added as a layer, and which is returned;
          what it fetches is its own affair.
        - `level`: how often an interval holds what it is about.
        - `per_km2`: colours show totals per square kilometre; with False per cell.
        - `context`: what is drawn around and over the cells, as in `plot`; a map of your own has
          its own.
        - `tiles`: a background such as `"https://host/{z}/{x}/{y}.png"`, whose server then learns
          who looks at which places.

        >>> import dpmap as dm
        >>> dm.open("raptors.dpmap").explore().save("map.html")
        """
        from dpmap.render.drawers import map_drawer

        return map_drawer(self.record).explore(
            self, m, level=level, per_km2=per_km2, context=context, tiles=tiles
        )

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Write the release file to `path`, from which everything else can be made again.

        Another release that stands there is not replaced, since it cannot be drawn again.

        >>> import dpmap as dm
        >>> dm.open("raptors.dpmap").save("copy.dpmap")
        """
        if not is_url(path):
            self._check_replaced(Path(path))
        with put_after(path, "--out (to=)") as file:
            write_record(self.record, file)

    def _check_replaced(self, path: Path) -> None:
        """Refuse a file that is another release: what was paid for is not lost by a name."""
        if not path.is_file():
            return
        try:
            replaced = read_record(path).receipt.release_id
        except BadInput:
            return
        if replaced != self.record.receipt.release_id:
            raise Refused(
                f"{path.name} is another release ({replaced}), which cannot be drawn again; name a"
                " new file, or move that one"
            )

    @one_line
    def save_all(
        self,
        folder: "str | os.PathLike[str]",
        *,
        context: "bool | Sequence[Any]" = True,
        only: Sequence[str] | None = None,
    ) -> list[Path]:
        """Fill a new folder, of this machine or of a store, with all files that `dpmap release`
        makes: the release itself, maps, layers, the statement and what catalogues take. Returns
        the files that were made.

        - `context`: what is drawn with maps and pages, as in `plot`.
        - `only`: the names of the files to make besides the release, such as `["map.png"]`.

        >>> import dpmap as dm
        >>> made = dm.open("raptors.dpmap").save_all("raptors", only=["statement.md"])
        >>> [path.name for path in made]
        ['release.dpmap', 'statement.md']
        """
        from dpmap.releases.folder_writer import fill_new_folder

        return fill_new_folder(self, folder, context, only)

    @one_line
    def draw(
        self,
        path: "str | os.PathLike[str]",
        *,
        column: str | None = None,
        cmap: Any = None,
        vmin: float | None = None,
        vmax: float | None = None,
        what: Literal["estimate", "low", "high", "exceedance"] = "estimate",
        show: Literal["patches", "cells", "belief"] = "patches",
        threshold: float | None = None,
        level: float = 0.9,
        suppress: bool = False,
        classes: "int | Sequence[float] | None" = 5,
        unsure: Literal["grey", "hatch"] = "grey",
        hotspots: 'float | Literal["surroundings"] | None' = None,
        context: "bool | Sequence[Any]" = True,
        legend: bool = True,
        notes: bool = True,
        title: str | None = None,
        dpi: float = 300,
        per_km2: bool = True,
        tiles: str | None = None,
    ) -> None:
        """Write the map to a file.

        - `path`: by its suffix a page (.html), which needs no network, or a picture (.png, .svg,
          .pdf).
        - `column`, `cmap`, `vmin`, `vmax`, `what`, `show`, `threshold`, `suppress`, `classes`,
          `unsure`, `hotspots`, `legend`, `notes`, `title`: for pictures, as in `plot`; and `dpi`,
          the dots per inch.
        - `per_km2`, `tiles`: for pages, as in `explore`.
        - `level`, `context`: for both.

        Raises `BadInput` for an option that is not for what is made.

        >>> import dpmap as dm
        >>> dm.open("raptors.dpmap").draw("map.svg", title="Raptors of the highlands")
        """
        from dpmap.render.drawers import map_drawer

        pictures = {
            "column": column,
            "cmap": cmap,
            "vmin": vmin,
            "vmax": vmax,
            "what": what,
            "show": show,
            "threshold": threshold,
            "suppress": suppress,
            "classes": classes,
            "unsure": unsure,
            "hotspots": hotspots,
            "legend": legend,
            "notes": notes,
            "title": title,
            "dpi": dpi,
        }
        pages = {"per_km2": per_km2, "tiles": tiles}
        page = spell(path).lower().endswith(".html")
        _leave_out(
            Release.draw, pictures if page else pages, "pictures" if page else "pages (.html)"
        )
        pictured = self._pictured
        with put_after(path, "--to (path=)") as file:
            map_drawer(pictured.record).draw(
                pictured, file, level=level, context=context, **(pages if page else pictures)
            )

    @one_line
    def export(
        self,
        path: "str | os.PathLike[str]",
        *,
        form: str | None = None,
        taxa: "Mapping[str, str | tuple[str, str]] | None" = None,
        year: "str | int" = "",
    ) -> list[Path]:
        """Write the cells as a GIS layer or table to `path`, by its suffix: .tif .gpkg .fgb
        .parquet .geojson .csv and more.

        - `form`: instead, what atlases and portals take as it is, such as `"occurrence-cube"`; all
          layers then go into one file.
        - `taxa`: for a `form`, the key of each kind in the portal's list, or its key and scientific
          name; of a map without kinds, of the one it is of.
        - `year`: for a `form`, the year, month or day of a map without times.

        Returns the files that were made: some formats have a style or a description beside them.

        >>> import dpmap as dm
        >>> [path.name for path in dm.open("raptors.dpmap").export("cells.gpkg")]
        ['cells.gpkg']
        """
        if is_url(path):
            with put_after(path, "--to (path=)") as file:
                made = self.export(file, form=form, taxa=taxa, year=year)
            return [Path(spell(path)).with_name(one.name) for one in made]
        if form is not None:
            from dpmap.export import atlas
            from dpmap.export.atlas.taxa import Taxa

            atlas.check(form, path)
            declared = Taxa.from_kinds(taxa, year)
            return atlas.write(self._atlas_layers(declared), form, declared, path)
        if taxa or year:
            raise BadInput(
                "--taxon and --year (taxa=, year=): for --as only, like --as occurrence-cube; leave"
                " them out"
            )
        from dpmap.export import export

        pictured = self._pictured
        return export(
            pictured._map.single("export"),  # noqa: SLF001
            pictured.reading if pictured._map.complete else None,  # noqa: SLF001
            path,
        )

    def _atlas_layers(self, taxa: "Taxa") -> "tuple[AtlasLayer, ...]":
        """Return the layers as atlases and portals take them."""
        from dpmap.export.atlas.layers import atlas_layers

        readers = {names: layer._map for names, layer in self.layers.items()}  # noqa: SLF001
        alone = {self.record.about.layer: self._map}
        return atlas_layers(readers or alone, self.record, self._whole.grid, taxa)

    def write(self, path: "str | os.PathLike[str]") -> list[Path]:
        """Write any of the files that stand beside a release to `path`. By its name: the
        attestation (`attestation.md`, `.json`, `.html`), `for-the-protected.html`, the planner's
        page (`for-the-planner.html`, `.pdf`), `planner.zip` of files that stand beside it,
        `statement.html`, or one for catalogues, such as `datacite.json`. Else by its suffix: a map,
        a layer, the statement (.md) or its form for registries (.yaml). Returns the files that
        were made.

        >>> import dpmap as dm
        >>> [path.name for path in dm.open("raptors.dpmap").write("statement.md")]
        ['statement.md']
        """
        from dpmap.statement.file_names import ATTESTED, CATALOGUED, ENVELOPE, PLANNER

        name = os.path.basename(path)
        suffix = os.path.splitext(name)[1].lower()
        if name in CATALOGUED:
            from dpmap.catalogue.write import write

            write(self.record, path)
        elif name in ATTESTED:
            from dpmap.statement.attestation.writers import write as attest

            attest(self.record, path)
        elif name in PLANNER:
            from dpmap.releases.planner_files import write_planner_page

            write_planner_page(self, path)
        elif name == ENVELOPE:
            from dpmap.releases.planner_files import write_archive

            write_archive(self.record, path)
        elif name == "statement.html":
            from dpmap.statement.statement import write_statement_page

            write_statement_page(self.record, path)
        elif suffix in (".html", ".png", ".svg", ".pdf"):
            self.draw(path)
        elif suffix == ".md":
            from dpmap.statement.statement import write_statement

            write_statement(self.record, path)
        elif suffix in (".yaml", ".yml"):
            from dpmap.statement.privacy_yaml import write_privacy_yaml

            write_privacy_yaml(self.record, path)
        else:
            return self.export(path)
        return [Path(path)]

    @classmethod
    def open(cls, path: "str | os.PathLike[str]") -> "Release":
        """Open a release from its file at `path`, marked as received; the same as `dm.open`."""
        return cls(read_record(path))

    def _repr_html_(self) -> str:
        """Show in a notebook the picture, the promise and how to go on."""
        return self._card

    @cached_property
    def _card(self) -> str:
        """What a notebook shows, made once."""
        from dpmap.render.notebook import card

        return card(self)

    def __repr__(self) -> str:
        origin = self._map.origin or ("made here" if self.fresh else "opened from a file")
        return f"<Release: {self.record.receipt.dataset!r}, {self.grid!r}, {origin}>"


def _leave_out(call: Callable[..., Any], options: Mapping[str, object], where: str) -> None:
    """Refuse options that were given, and are not for what is made."""
    usual = {name: one.default for name, one in signature(call).parameters.items()}
    given = [
        name
        for name, value in options.items()
        if type(value) is not type(usual[name]) or value != usual[name]
    ]
    if given:
        raise BadInput(
            f"{', '.join(given)}: for {where} only; leave {'it' if len(given) == 1 else 'them'} out"
        )


def open_release(path: "str | os.PathLike[str]") -> Release:
    """Open a release from its file, marked as received; this is `dm.open`.

    - `path`: a `release.dpmap`, of this version or any earlier one, or its address (`s3://`,
      `gs://`, `https://`). A file from a stranger can do no harm.

    Raises `BadInput` in one line where the file is none, is damaged, or was written by a newer
    dpmap.

    >>> import dpmap as dm
    >>> release = dm.open("raptors.dpmap")
    >>> release.policy.cap, release.record.receipt.dataset
    (5, 'Raptors 2026')
    """
    return Release.open(path)
