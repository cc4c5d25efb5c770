"""Reads the seasons of a survey together: a better map of each, and the trend over all; it costs
nothing.
"""

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from dpmap.errors import BadInput, one_line
from dpmap.grid import crs as crs_tools
from dpmap.grid.layer_axes import Times
from dpmap.inference import Estimate
from dpmap.maps import kind, read_map
from dpmap.record import About, Record
from dpmap.record.periods import period
from dpmap.record.season import SeasonRelease, Seasons
from dpmap.releases.comparability import differing, draws
from dpmap.releases.release import Release

if TYPE_CHECKING:
    import matplotlib.axes

    from dpmap.releases.trends import Trend

MOST_SEASONS = 100
YEAR = re.compile(r"(?<![0-9])(?:1[6-9]|20)[0-9]{2}(?![0-9])")


class Series:
    """The seasons of one survey in their order, as `dm.open_series` reads them.

    `releases` are the seasons' own maps and `labels` their names. `maps` are the better ones: the
    cells of each are estimated from the answers of all seasons, as far as its own bear the others
    out; its intervals rest on its own noise alone.

    >>> import dpmap as dm
    >>> grid = dm.Grid.covering("study_area.gpkg", cell="20 km").layered(
    ...     dm.Times("date", ("2025", "2026", "2027"))
    ... )
    >>> policy = dm.Policy(epsilon=1, unit="observer_id", cap=5)
    >>> made = dm.release(
    ...     dm.read("raptors.csv", dates="iso"),
    ...     grid,
    ...     policy,
    ...     ledger="years.ledger",
    ...     dataset="Raptors",
    ...     budget=1,
    ... )
    >>> series = dm.open_series(made)
    >>> series, series.newest.estimate.shape == grid.ground.shape
    (<Series: 2 seasons, 2025, 2026>, True)
    >>> series.trend().whole.columns.tolist()[1:5]
    ['total_2025', 'low_2025', 'high_2025', 'total_2026']
    """

    def __init__(self, releases: Sequence[Release], labels: Sequence[str]) -> None:
        self.releases = list(releases)
        self.labels = list(labels)

    def __len__(self) -> int:
        return len(self.releases)

    @cached_property
    def maps(self) -> list[Release]:
        """Each season's better map: a release to plot, explore, ask and export. It is saved by
        saving the releases it comes from.
        """
        seasons = Seasons(tuple(release.record for release in self.releases), tuple(self.labels))
        return [Release(SeasonRelease.at_place(seasons, place)) for place in range(len(self))]

    @property
    def newest(self) -> Release:
        """The better map of the last season."""
        return self.maps[-1]

    @property
    def together(self) -> list[list[str]]:
        """The names of the seasons that are read together, a list for each; one that stands
        alone has another shape than the others.
        """
        runs = {getattr(one.reading, "run", (at,)) for at, one in enumerate(self.maps)}
        return [[self.labels[at] for at in run] for run in sorted(runs)]

    @property
    def at(self) -> list[float]:
        """Where each season lies in time: its year if every label is one, else its number in the
        row.
        """
        if all(re.fullmatch("[0-9]{4}", label) for label in self.labels):
            return [float(label) for label in self.labels]
        return [float(number) for number in range(len(self))]

    @property
    def step(self) -> str:
        """What a slope is per: "year" where every label is one, else "season"."""
        return "year" if self.at[0] else "season"

    @one_line
    def trend(
        self, zones: Any = None, *, level: float = 0.9, rate: float = 0.1, layer: str | None = None
    ) -> "Trend":
        """Tell where the survey rises or falls: of the whole area, and of each region or zone; it
        costs nothing.

        - `zones`: a polygon file, a GeoDataFrame, a shapely geometry or a box in degrees, chosen
          without looking at the maps. Without zones the smallest regions that all seasons measured
          as a whole.
        - `level`: how often an interval holds.
        - `rate`: of the regions with a trend that is told, the largest expected share without; of
          zones the largest chance that even one is told falsely.
        - `layer`: of a file of zones, the layer to read.
        """
        from dpmap.releases.trends import trend

        return trend(self, zones, level=level, rate=rate, layer=layer)

    @one_line
    def plot(
        self,
        *,
        what: Literal["estimate", "low", "high"] = "estimate",
        show: Literal["patches", "cells", "belief"] = "patches",
        level: float = 0.9,
        context: "bool | Sequence[Any]" = True,
        title: str | None = None,
    ) -> "matplotlib.axes.Axes":
        """Draw the better maps side by side, in the same classes, and return the last one's
        Axes.

        - `what`, `show`, `level`, `context`, `title`: as in `Release.plot`.
        """
        import matplotlib.pyplot as plt

        from dpmap.render.static import multiples

        options = {
            "what": what,
            "show": show,
            "level": level,
            "context": context,
            "title": title or self.title,
        }
        return multiples(self._pictured, plt.figure(), **options).axes[len(self) - 1]

    @one_line
    def draw(
        self,
        path: "str | os.PathLike[str]",
        *,
        what: Literal["estimate", "low", "high"] = "estimate",
        show: Literal["patches", "cells", "belief"] = "patches",
        level: float = 0.9,
        context: "bool | Sequence[Any]" = True,
        title: str | None = None,
        dpi: float = 300,
    ) -> None:
        """Write the better maps side by side to `path`: .png, .svg or .pdf.

        - `what`, `show`, `level`, `context`, `title`, `dpi`: as in `Release.draw`.
        """
        from dpmap.render.static import write_multiples

        options = {
            "what": what,
            "show": show,
            "level": level,
            "context": context,
            "title": title or self.title,
        }
        write_multiples(self._pictured, path, dpi=dpi, **options)

    @property
    def title(self) -> str:
        """What the series is called: its data set, and the first and the last season."""
        names = list(dict.fromkeys(release.record.receipt.dataset for release in self.releases))
        return (
            f"{names[0] if len(names) == 1 else names[-1]}: {self.labels[0]} to {self.labels[-1]}"
        )

    @property
    def _pictured(self) -> list[tuple[Record, Estimate]]:
        """The seasons as pictures take them, each under its name."""
        return [
            (
                replace(
                    release.record,
                    about=About.from_mapping({**release.record.about.to_dict(), "layer": [label]}),
                ),
                release.reading,
            )
            for release, label in zip(self.maps, self.labels, strict=True)
        ]

    def __repr__(self) -> str:
        return f"<Series: {len(self)} seasons, {', '.join(self.labels)}>"


@one_line
def open_series(
    releases: "Sequence[Release | str | os.PathLike[str]] | Release | str | os.PathLike[str]",
    *,
    labels: Sequence[str] | None = None,
    layer: str | None = None,
) -> Series:
    """Open the releases of several seasons as one series; it looks at no survey and costs nothing.

    - `releases`: two or more releases or their files, of the same promise but for epsilon and over
      the same cells; or one release whose layers are seasons (`--times`).
    - `labels`: what each season is called, in the order given. Without them they are called by the
      years or spans that were declared, and stand in the order of those; else by their data sets or
      dates of release, in the order of release.
    - `layer`: of a release with layers of several kinds, the kind, such as `"Kestrel"`.

    >>> import dpmap as dm
    >>> dm.open_series(["raptors.dpmap", "raptors.dpmap"])
    Traceback (most recent call last):
    ...
    dpmap.errors.BadInput: series: two of these are of one draw; give one release of each season
    """
    one = isinstance(releases, Release | str | os.PathLike)
    opened = [
        _open_release(given)
        for given in ([releases] if one else list(releases))  # type: ignore[arg-type]
    ]
    if len(opened) == 1 and opened[0].layers:
        layers, names = _layers(opened[0], layer)
    elif layer is not None:
        raise BadInput("series: --layer names a kind of one release with layers; leave it out")
    else:
        layers, names = _ordered(opened, named=labels is not None)
    if len(layers) < 2:
        raise BadInput(
            "series: give two releases or more, or one whose layers are seasons (--times)"
        )
    if len(layers) > MOST_SEASONS:
        raise BadInput(f"series: at most {MOST_SEASONS} seasons at once")
    for number, after in enumerate(layers):
        for before in layers[:number]:
            _check(before.record, after.record)
    return Series(layers, _check_names(list(labels), len(layers)) if labels is not None else names)


def _open_release(release: Any) -> Release:
    return release if isinstance(release, Release) else Release.open(release)


def _layers(release: Release, kind_named: str | None) -> tuple[list[Release], list[str]]:
    """Return the layers of a release that are seasons of one kind, and their names."""
    times = [at for at, axis in enumerate(release.grid.axes) if isinstance(axis, Times)]
    if not times:
        raise BadInput(
            "series: this release has layers, and none by times (--times); give the releases of"
            " several seasons"
        )
    others = {names[: times[0]] + names[times[0] + 1 :] for names in release.layers}
    wanted = {
        other
        for other in others
        if kind_named is None or ", ".join(other).lower() == kind_named.strip().lower()
    }
    if len(wanted) != 1:
        known = "; ".join(sorted(", ".join(other) for other in others))
        raise BadInput(
            "series: this release has layers of several kinds; name one of them with --layer:"
            f" {known}"
        )
    (kept_kind,) = wanted
    layers = {
        names[times[0]]: one
        for names, one in release.layers.items()
        if kept_kind == names[: times[0]] + names[times[0] + 1 :]
    }
    return list(layers.values()), list(layers)


def _ordered(releases: list[Release], *, named: bool) -> tuple[list[Release], list[str]]:
    """Return releases and their names: by declared spans of time, by years in the names of data
    sets, else as they were released.
    """
    for one in releases:
        if one.layers:
            example = ", ".join(next(iter(one.grid.maps)))
            raise BadInput(
                f"series: {one.record.receipt.dataset!r} has layers; give it alone, or one layer of"
                f" each, like .layer({example!r})"
            )
    if named:
        return releases, []
    spans = [period(release.record) for release in releases]
    layers = [", ".join(release.record.about.layer) for release in releases]
    names = [release.record.receipt.dataset for release in releases]
    years = [YEAR.findall(name) for name in names]
    dates = [release.record.released_on for release in releases]
    if all(span is not None for span in spans):
        order = sorted(
            range(len(spans)),
            key=lambda at: (spans[at].first, spans[at].last),  # type: ignore[union-attr]
        )
        labels = [span.name for span in spans]  # type: ignore[union-attr]
    elif all(len(year) == 1 for year in years) and len({year[0] for year in years}) == len(years):
        labels = [year[0] for year in years]
        order = sorted(range(len(labels)), key=labels.__getitem__)
    else:
        order = sorted(range(len(dates)), key=dates.__getitem__)
        labels = next(
            (one for one in (layers, names, dates) if len(set(one)) == len(one) and all(one)),
            [],
        ) or _numbered(order)
    labels = labels if len(set(labels)) == len(labels) else _numbered(order)
    return [releases[at] for at in order], [labels[at] for at in order]


def _numbered(order: list[int]) -> list[str]:
    """Name seasons by their place in the row."""
    labels = [""] * len(order)
    for number, at in enumerate(order, 1):
        labels[at] = f"season {number}"
    return labels


def _check_names(labels: list[str], count: int) -> list[str]:
    """Check the names that were given."""
    plain = [str(label).strip() for label in labels]
    if (
        len(plain) != count
        or len(set(plain)) < count
        or not all(one and one.isprintable() and len(one) <= 60 for one in plain)
    ):
        raise BadInput(
            "series: give as many labels as seasons, each another, of at most 60 printable"
            " characters"
        )
    return plain


def _check(before: Record, after: Record) -> None:
    """Refuse seasons that cannot be read together, or that are one draw."""
    for record in (before, after):
        if kind(record) != "totals":
            map_ = read_map(record)
            what = "a merged or a season's map" if map_.by_region else map_.called
            raise BadInput(
                f"series: {what} is none of a series; give releases of totals, each of one season"
            )
    if draws(before) & draws(after):
        raise BadInput("series: two of these are of one draw; give one release of each season")
    for what, _ in differing(before, after):
        raise BadInput(
            f"series: two of these {what}, so their numbers are of different scales; give releases"
            " made with the same --unit, --cap and --limiter"
        )
    grid = before.grid
    other_grid = after.grid
    if not (crs_tools.same(grid.crs, other_grid.crs) and grid.cells == other_grid.cells):
        raise BadInput(
            "series: the seasons have different cells; give releases of the same --area, --cell and"
            " --grid-crs"
        )
    if not (grid.inside == other_grid.inside).all():
        raise BadInput(
            "series: the seasons have the same cells and different areas; give releases of the same"
            " --area"
        )
