"""Decides which colour each cell gets and what the legend says of it: plain arrays, before any
drawing.

Four readings of one release can be painted: the `estimate`, the `low` or `high` bound of its
interval, and the `exceedance` of a threshold. Limits and breaks come from the release only.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from numbers import Real
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from dpmap import style
from dpmap.errors import BadInput, WrongType
from dpmap.inference import Estimate, distinguishable
from dpmap.inference.patches import Patches
from dpmap.inference.patches.region_growing import NEARLY_EMPTY
from dpmap.maps import read_map
from dpmap.maps.totals import SURROUNDINGS, Show, What
from dpmap.record import Record
from dpmap.render.user_layers import Context
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import NOT_DISTINGUISHABLE, SMOOTH, noun

Classes = int | Sequence[float] | None
HotSpots = float | str | None
USUAL = 5
"""How many classes there are where nothing else is asked for; then tiers of one draw share
theirs.
"""
CONFIDENCE = (0.0, 0.5, 0.8, 0.9, 0.95, 0.99, 1.0)
VAGUE = 2
"""A smooth picture is striped where an interval reaches so many classes up or down."""
TIERS = (0.25, 0.5)
"""A value-suppressing palette halves its colours where half an interval's width passes these
shares of its middle.
"""


@dataclass(frozen=True, slots=True)
class Painting:
    """Holds the in-area cells' colours, in row order, and the words that explain them."""

    title: str
    heading: str
    values: NDArray[np.float64]
    colours: NDArray[np.float64]
    unsure: NDArray[np.bool_]
    edges: tuple[float, ...]
    labels: tuple[tuple[str, str], ...]
    unsure_words: str = NOT_DISTINGUISHABLE
    unsure_face: str = style.UNSURE
    continuous: bool = False
    tiers: tuple[tuple[str, ...], ...] = ()
    notes: tuple[str, ...] = field(default=())
    unit: style.Unit = style.KM2
    """What densities are read in; values and edges are per square kilometre."""
    places: NDArray[np.int64] | None = None
    """The number of the place that each in-area cell is shown as a part of; None where cells are
    shown one by one.
    """

    smooth: bool = False
    """Whether colours run across cells."""
    vague: NDArray[np.bool_] | None = None
    """The in-area cells whose colour may be two classes off."""
    most: float = np.inf
    """The density that hatched land is below, where that is known."""
    nearly_empty: float = 0.0
    """The density below which places are nearly empty."""
    ramp: style.Ramp = style.ramp
    """The colours that classes and the continuous bar are made of."""

    @property
    def unsure_line(self) -> str:
        """The legend's words for hatched land."""
        return (
            f"{self.unsure_words}; at most {self.unit.number(self.most)}"
            if np.isfinite(self.most)
            else self.unsure_words
        )

    @property
    def open_ends(self) -> tuple[bool, bool]:
        """Whether some sure values lie below the first edge, and above the last."""
        sure = self.values[~self.unsure]
        if not len(sure) or len(self.edges) < 2:
            return False, False
        return bool(sure.min() < self.edges[0]), bool(sure.max() > self.edges[-1])

    @property
    def read(self) -> tuple[float, ...]:
        """The edges as they are read."""
        return tuple(edge * self.unit.square_km for edge in self.edges)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Says how a release is to be shown; `Release.plot` explains each option."""

    what: str = "estimate"
    show: str = "patches"
    threshold: float | None = None
    level: float = 0.9
    suppress: bool = False
    classes: Classes = USUAL
    unsure: str = "grey"
    hotspots: HotSpots = None
    context: Context = True
    legend: bool = True
    notes: bool = True
    title: str | None = None
    column: str | None = None
    cmap: Any = None
    vmin: float | None = None
    vmax: float | None = None

    def __post_init__(self) -> None:
        if self.what not in get_args(What):
            raise BadInput(f"what: not one of {', '.join(get_args(What))}")
        if self.show not in get_args(Show):
            raise BadInput(f"show: not one of {', '.join(get_args(Show))}")
        if self.show == "belief" and self.what in ("low", "high"):
            raise BadInput("show: bounds are those of places or cells, not of the smooth picture")
        if self.unsure not in ("grey", "hatch"):
            raise BadInput("unsure: not one of grey, hatch")
        if not 0 < self.level < 1:
            raise BadInput("level: a probability between 0 and 1, like 0.9")
        if (self.what == "exceedance") != (self.threshold is not None):
            raise BadInput(
                "an exceedance map needs threshold=, the cell total to be exceeded; other maps take"
                " none"
            )
        if self.hotspots not in (None, SURROUNDINGS) and (
            isinstance(self.hotspots, str) or not 0 <= float(self.hotspots or 0) < np.inf
        ):
            raise BadInput(f'hotspots: a cell total to be exceeded, 0 or more, or "{SURROUNDINGS}"')
        if self.suppress and self.what != "estimate":
            raise BadInput("suppress: only the estimate can be shown with merged colours")
        self._check_colours()

    def _check_colours(self) -> None:
        """Refuse a column, colours or limits where others are fixed."""
        if self.column is not None and (
            self.what != "estimate" or self.show != "patches" or self.suppress
        ):
            raise BadInput("column: shows cells by one column; leave what, show and suppress out")
        if self._recoloured and (self.what == "exceedance" or self.suppress):
            raise BadInput(
                "cmap, vmin, vmax: colours of confidence and merged colours are fixed; leave them"
                " out"
            )
        if self.limits is not None:
            self._check_limits(*self.limits)

    @property
    def _recoloured(self) -> bool:
        return self.cmap is not None or self.limits is not None

    @property
    def limits(self) -> "tuple[float | None, float | None] | None":
        """The declared ends of the colours; None where neither end is declared."""
        return None if self.vmin is None and self.vmax is None else (self.vmin, self.vmax)

    @property
    def continuous(self) -> bool:
        """Whether colours run along a ramp instead of falling into classes."""
        return self.classes is None or self.limits is not None

    @property
    def ramp(self) -> style.Ramp:
        """The colours to use, from light to dark."""
        return colour_ramp(self.cmap)

    def _check_limits(self, least: float | None, most: float | None) -> None:
        """Refuse limits that are no numbers or do not rise, and classes with ends of their own."""
        for limit in (least, most):
            if limit is not None and not (isinstance(limit, Real) and np.isfinite(limit)):
                raise WrongType("vmin, vmax: give numbers, such as vmin=0, vmax=50")
        if least is not None and most is not None and not least < most:
            raise BadInput("vmin, vmax: vmin is below vmax, such as vmin=0, vmax=50")
        if self.classes not in (USUAL, None):
            raise BadInput("vmin, vmax: make a continuous ramp; leave classes out")


def paint(record: Record, estimate: Estimate, view: View) -> Painting:
    """Paint one view of the release: densities, bounds or confidence."""
    read_map(record).check_picture(
        threshold=view.threshold is not None,
        suppress=view.suppress,
        hotspots=view.hotspots is not None,
    )
    if view.threshold is not None:
        return _exceedance(record, estimate, view.threshold)
    if view.suppress:
        return _suppressed(record, estimate, view.level)
    if view.column is not None:
        return _column(record, estimate, view)
    if view.show == "belief":
        return _belief(record, view)
    as_patches = view.show == "patches" and read_map(record).parted
    return _patches(record, view) if as_patches else _density(record, estimate, view)


def _patches(record: Record, view: View) -> Painting:
    """Paint each place of which the colour can be told in the colour of its own density."""
    patches = read_map(record).patches(view.level)
    inside = record.grid.inside
    percent = f"{view.level * 100:g} %"
    density = patches.as_shown(
        {"estimate": patches.estimate, "low": patches.low, "high": patches.high}[view.what]
    )
    place = patches.place[inside]
    sure = patches.told
    edges = _limited(_place_edges(record, patches, density, view.classes), view)
    most = _most(record, patches)
    unit = map_statement(record).unit(
        (*edges, most) if np.isfinite(most) and not record.about.edges else edges
    )
    shared = record.open_top and _shares(record, view.classes)
    colours, labels = colour_values(
        np.nan_to_num(density),
        edges,
        unit,
        continuous=view.continuous,
        shared=shared,
        ramp=view.ramp,
    )
    hatch_only = view.unsure == "hatch"
    if not hatch_only:
        colours[~sure] = style.rgb(style.UNSURE)
    title = {
        "estimate": f"The smallest places whose {map_statement(record).value_word} can be told",
        "low": f"At least: lower bound of each place's {percent} interval",
        "high": f"At most: upper bound of each place's {percent} interval",
    }[view.what]
    return Painting(
        title,
        map_statement(record).unit_words(unit),
        density[place],
        colours[place],
        ~sure[place],
        edges,
        labels if len(edges) > 1 or sure.any() else (),
        continuous=view.continuous,
        ramp=view.ramp,
        unit=unit,
        unsure_face="none" if hatch_only else style.UNSURE,
        unsure_words=map_statement(record).untold_words,
        places=place,
        most=most,
        nearly_empty=patches.nearly_empty,
        notes=(map_statement(record).capped_words(),),
    )


def _belief(record: Record, view: View) -> Painting:
    """Paint what is believed, with no finer detail than is known."""
    inside = record.grid.inside
    densities = read_map(record).believed_density()[inside]
    low, high = np.quantile(densities, [(1 - view.level) / 2, (1 + view.level) / 2], axis=-1)
    values = densities.mean(axis=-1)
    square_km = record.grid.square_km[inside]
    if isinstance(view.classes, int) and not _shares(record, view.classes):
        _check_classes(view.classes)
        least = NEARLY_EMPTY * float((values * square_km).sum() / square_km.sum())
        breaks = style.dividing_breaks(values, square_km, view.classes, least)
    else:
        breaks = _edges(record, values, view.classes)
    edges = _limited(breaks, view)
    unit = map_statement(record).unit(edges)
    colours, labels = colour_values(
        values,
        edges,
        unit,
        continuous=view.continuous,
        shared=record.open_top,
        ramp=view.ramp,
    )
    places = [np.searchsorted(edges[1:-1], bound, side="right") for bound in (low, values, high)]
    vague = np.maximum(places[1] - places[0], places[2] - places[1]) >= VAGUE
    return Painting(
        f"Believed {map_statement(record).value_word}, no finer than it is known",
        map_statement(record).unit_words(unit),
        values,
        colours,
        np.zeros(len(values), dtype=bool),
        edges,
        labels,
        continuous=view.continuous,
        ramp=view.ramp,
        unit=unit,
        smooth=True,
        vague=vague,
        notes=(map_statement(record).capped_words(), SMOOTH),
    )


def _place_edges(
    record: Record, patches: Patches, density: NDArray[np.float64], classes: Classes
) -> list[float]:
    """Return the declared edges, or round ones that grow from nearly empty land to the densest
    place.
    """
    if (
        isinstance(classes, int)
        and not map_statement(record).columns.signed
        and not _shares(record, classes)
    ):
        _check_classes(classes)
        return style.place_breaks(
            density, patches.square_km, patches.told, patches.nearly_empty, classes
        )
    return _edges(record, density[patches.told], classes)


def shared_edges(record: Record, paintings: Sequence[Painting], classes: int) -> list[float]:
    """Return the edges of classes that maps side by side have in common."""
    if _shares(record, classes):
        return list(record.about.edges)
    known = [~painting.unsure for painting in paintings]
    values = np.concatenate(
        [painting.values[sure] for painting, sure in zip(paintings, known, strict=True)]
    )
    if paintings[0].places is None or map_statement(record).columns.signed:
        return map_statement(record).breaks(values, classes)
    least = float(np.mean([painting.nearly_empty for painting in paintings]))
    square_km = record.grid.square_km[record.grid.inside]
    area = np.concatenate([square_km[sure] for sure in known])
    return style.place_breaks(values, area, np.ones(len(values), dtype=bool), least, classes)


def share_classes(
    record: Record, paintings: Sequence[Painting], views: Sequence[View]
) -> list[View]:
    """Return the views of maps side by side with the classes, or the ends of the colours, that
    they have in common.
    """
    view = views[0]
    edges = [painting.edges for painting in paintings if painting.edges]
    if view.limits is not None and edges:
        least = min(ends[0] for ends in edges)
        most = max(ends[-1] for ends in edges)
        return [replace(each, vmin=least, vmax=most) for each in views]
    if not isinstance(view.classes, int):
        return list(views)
    shared = shared_edges(record, paintings, view.classes)
    return [replace(each, classes=shared) for each in views] if shared else list(views)


def _most(record: Record, patches: Patches) -> float:
    """Return the density that land of which the colour is not told is below; of means nothing
    is known there.
    """
    if map_statement(record).columns.signed:
        return np.inf
    return float(patches.as_shown(patches.high)[~patches.told].max(initial=0.0))


def _density(record: Record, estimate: Estimate, view: View) -> Painting:
    """Paint densities in classes or along a continuous ramp."""
    grid = record.grid
    percent = f"{view.level * 100:g} %"
    what = view.what
    inside = grid.inside
    hatch_only = view.unsure == "hatch"
    low, high = estimate.interval(view.level)
    cells = {"estimate": estimate.values, "low": low, "high": high}[what]
    unsure = read_map(record).unsure(estimate, what, low)
    title = {
        "estimate": "Estimate",
        "low": f"At least: lower bound of each cell's {percent} interval",
        "high": f"At most: upper bound of each cell's {percent} interval",
    }[what]
    values = read_map(record).shown(cells)[inside]
    edges = _limited(_edges(record, values if hatch_only else values[~unsure], view.classes), view)
    unit = map_statement(record).unit(edges)
    shared = record.open_top and _shares(record, view.classes)
    colours, labels = colour_values(
        values, edges, unit, continuous=view.continuous, shared=shared, ramp=view.ramp
    )
    if unsure.all() and len(edges) < 2:
        labels = ()
    if not hatch_only:
        colours[unsure] = style.rgb(style.UNSURE)
    return Painting(
        title,
        map_statement(record).unit_words(unit),
        values,
        colours,
        unsure,
        edges,
        labels,
        continuous=view.continuous,
        ramp=view.ramp,
        unit=unit,
        unsure_face="none" if hatch_only else style.UNSURE,
        unsure_words=map_statement(record).unsure_words(),
        notes=(map_statement(record).capped_words(),),
    )


def _column(record: Record, estimate: Estimate, view: View) -> Painting:
    """Paint each cell by a column of the table of cells, the estimate and the density hatched
    where they are not told.
    """
    map_ = read_map(record)
    inside = record.grid.inside
    columns = map_.columns(estimate, view.level)
    low, high = estimate.interval(view.level)
    columns["width"] = high - low
    if "per_km2" in columns:
        columns["density"] = columns["per_km2"]
    if view.column not in columns:
        raise BadInput(f"column: not one of {', '.join(columns)}")
    values = columns[view.column][inside].astype(np.float64)
    empty = ~np.isfinite(values)
    is_estimate = view.column in ("estimate", "mean", "density", "per_km2")
    unsure = empty | (map_.unsure(estimate, "estimate", low) if is_estimate else False)
    hatch_only = view.unsure == "hatch" and not empty.any()
    coloured = values[~empty] if hatch_only else values[~unsure]
    edges = _limited(_column_edges(record, coloured, view.classes), view)
    colours, labels = colour_values(
        np.nan_to_num(values), edges, style.KM2, continuous=view.continuous, ramp=view.ramp
    )
    if not hatch_only:
        colours[unsure] = style.rgb(style.UNSURE)
    return Painting(
        f"Each cell's {_column_words(view)}",
        _heading(record, view),
        np.nan_to_num(values),
        colours,
        unsure,
        edges,
        labels,
        continuous=view.continuous,
        ramp=view.ramp,
        unsure_face="none" if hatch_only else style.UNSURE,
        unsure_words=map_statement(record).unsure_words() if is_estimate else "no number",
        notes=(map_statement(record).capped_words(),),
    )


def _column_words(view: View) -> str:
    """Return what a column is called in a picture."""
    interval = f"{view.level * 100:g} % interval"
    words = {
        "per_km2": "density",
        "area_km2": "area",
        "low": f"lower bound, {interval}",
        "high": f"upper bound, {interval}",
        "width": f"width of the {interval}",
        "noisy": "noisy total as drawn",
    }
    return words.get(str(view.column), str(view.column).replace("_", " "))


def _heading(record: Record, view: View) -> str:
    """Return the legend's title of a column: what its numbers are."""
    column = str(view.column)
    if column in ("density", "per_km2"):
        return map_statement(record).unit_words(style.KM2)
    if column == "area_km2":
        return "km\N{SUPERSCRIPT TWO}"
    is_total = column in ("estimate", "low", "high", "noisy", "width")
    if is_total and not map_statement(record).columns.signed:
        return f"{noun(record)} per cell"
    return column.replace("_", " ")


def _column_edges(record: Record, values: NDArray[np.float64], classes: Classes) -> list[float]:
    """Return the declared edges, or round ones for a column whose numbers may have any sign."""
    if not isinstance(classes, int | None):
        return _edges(record, values, classes)
    count = 5 if classes is None else classes
    _check_classes(count)
    if not len(values) or values.min() >= 0:
        return style.class_breaks(values, count)
    return style.even_breaks(values, float(np.ptp(values)) / 100, count)


def _edges(record: Record, values: NDArray[np.float64], classes: Classes) -> list[float]:
    """Return the declared edges, or round ones for these values."""
    if _shares(record, classes):
        return list(record.about.edges)
    if classes is None:
        return map_statement(record).breaks(values, 5)
    if isinstance(classes, int):
        _check_classes(classes)
        return map_statement(record).breaks(values, classes)
    edges = [float(edge) for edge in classes]
    if len(edges) < 2 or not np.all(np.diff(edges) > 0) or not np.all(np.isfinite(edges)):
        raise BadInput("classes: edges are at least two rising numbers, like [0, 1, 5, 20]")
    return edges


def _limited(edges: Sequence[float], view: View) -> tuple[float, ...]:
    """Return the edges, or even ones between the declared ends of the colours.

    >>> _limited([0, 5, 20], View(vmax=50))
    (0.0, 10.0, 20.0, 30.0, 40.0, 50.0)
    """
    if view.limits is None:
        return tuple(edges)
    first, last = (edges[0], edges[-1]) if len(edges) > 1 else (0.0, 1.0)
    least = first if view.vmin is None else view.vmin
    most = last if view.vmax is None else view.vmax
    if not least < most:
        raise BadInput(
            "vmin, vmax: the map has no numbers on that side; give both, such as vmin=0, vmax=50"
        )
    return tuple(np.linspace(least, most, 6).tolist())


def colour_ramp(cmap: Any) -> style.Ramp:
    """Return the colours of a colormap of matplotlib, given or named; ours if there is none."""
    if cmap is None:
        return style.ramp
    import matplotlib as mpl

    try:
        colormap = mpl.colormaps.get_cmap(cmap)
    except (TypeError, ValueError):
        raise WrongType(
            'cmap: matplotlib has no such colours; name a colormap of its own, such as "viridis"'
        ) from None
    return lambda share: np.asarray(colormap(share), dtype=np.float64)[..., :3]


def _shares(record: Record, classes: Classes) -> bool:
    """Whether the map's classes are those of all tiers of its draw."""
    return classes == USUAL and bool(record.about.edges)


def _check_classes(classes: int) -> None:
    """Refuse more classes than colours can tell apart."""
    if not 1 <= classes <= 9:
        raise BadInput("classes: from 1 to 9, a list of edges, or None for a continuous ramp")


def colour_values(
    values: NDArray[np.float64],
    edges: tuple[float, ...],
    unit: style.Unit,
    *,
    continuous: bool,
    shared: bool = False,
    ramp: style.Ramp = style.ramp,
) -> tuple[NDArray[np.float64], tuple[tuple[str, str], ...]]:
    """Return each value's colour, and the classes' (words, colour), the highest first as on a
    ladder.

    Where the classes are `shared`, the last one is open on every map, so that all legends read the
    same.
    """
    if len(edges) < 2:
        lightest = style.hex_colour(0.02, ramp)
        return np.tile(np.array(style.rgb(lightest)), (len(values), 1)), (("close to 0", lightest),)
    if continuous:
        return ramp(np.interp(values, edges, np.linspace(0, 1, len(edges)))), ()
    names = style.class_colours(len(edges) - 1, ramp)
    place = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(names) - 1)
    rows = list(zip(unit.labels(edges), names, strict=True))
    if shared or values.max() > edges[-1]:
        rows[-1] = (f"{unit.number(edges[-2])} and more", names[-1])
    return np.array([style.rgb(name) for name in names])[place], tuple(rows[::-1])


def _exceedance(record: Record, estimate: Estimate, threshold: float) -> Painting:
    """Return 1 - p for "this cell's total is at most the threshold", by the noise law alone."""
    if not np.isfinite(threshold) or threshold < 0:
        raise BadInput("threshold: a total of 0 or more, in the units of the map")
    inside = record.grid.inside
    p_values = read_map(record).exceedance(estimate, threshold)[inside]
    confidence = 1 - np.nan_to_num(p_values, nan=1.0)
    unknown = np.isnan(p_values)
    names = [style.UNSURE, *style.class_colours(len(CONFIDENCE) - 2)]
    words = [
        f"under {CONFIDENCE[1]:.0%}",
        *(f"{a * 100:g} to {b * 100:g} %" for a, b in pairwise(CONFIDENCE[1:-1])),
        f"over {CONFIDENCE[-2] * 100:g} %",
    ]
    words[0] = words[0].replace("%", " %")
    place = np.clip(np.searchsorted(CONFIDENCE, confidence, side="right") - 1, 0, len(names) - 1)
    what = f"more than {style.number(threshold)} {noun(record)}"
    return Painting(
        title=f"Confidence that a cell holds {what}",
        heading="confidence, by the noise\nlaw, cell by cell",
        values=confidence,
        colours=np.array([style.rgb(name) for name in names])[place],
        unsure=unknown,
        unsure_words="in a block measured as one: not known cell by cell",
        edges=CONFIDENCE,
        labels=tuple(zip(words[::-1], names[::-1], strict=True)),
    )


def _suppressed(record: Record, estimate: Estimate, level: float) -> Painting:
    """Uses four colours where the interval is narrow, two where it is wider, one where it is wide,
    so that no reader sees a difference that the release does not support.
    """
    grid = record.grid
    inside = grid.inside
    low, high = (bound[inside] for bound in estimate.interval(level))
    unsure = ~distinguishable(estimate)[inside]
    values = read_map(record).shown(estimate.values)[inside]
    edges = tuple(style.class_breaks(values[~unsure], 4))
    unit = map_statement(record).unit(edges)
    classes = max(1, len(edges) - 1)
    tiers = _tiers(classes)
    place = (
        np.clip(np.searchsorted(edges, values, side="right") - 1, 0, classes - 1)
        if edges
        else np.zeros(len(values), int)
    )
    share = (high - low) / np.maximum(high + low, 1e-300)
    depth = np.minimum(np.searchsorted(TIERS, share, side="right"), len(tiers) - 1)
    colours = np.array([[style.rgb(colour) for colour in tier] for tier in tiers])[depth, place]
    colours[unsure] = style.rgb(style.UNSURE)
    return Painting(
        "Estimate, colours merged where it is unsure",
        map_statement(record).unit_words(unit),
        values,
        colours,
        unsure,
        edges,
        (),
        tiers=tiers if edges else (),
        unit=unit,
        notes=(
            map_statement(record).capped_words(),
            (
                f"rows: half the {level * 100:g} % interval is under 25 %, under 50 %, or more of"
                " its middle"
            ),
        ),
    )


def _tiers(classes: int) -> tuple[tuple[str, ...], ...]:
    """Return each tier's colour for every class, the surest tier first; each later one merges them
    by two and fades them.

    >>> [len(set(tier)) for tier in _tiers(4)]
    [4, 2, 1]
    """
    tiers = [tuple(style.class_colours(classes))]
    grey = np.array(style.rgb("#cfcac6"))
    for depth in range(1, len(TIERS) + 1):
        merged = np.arange(classes) // 2**depth
        middles = [
            float(np.mean(np.flatnonzero(merged == group) + 0.5)) / classes for group in merged
        ]
        faded = [
            style.ramp(middle) * (1 - 0.25 * depth) + grey * 0.25 * depth for middle in middles
        ]
        tiers.append(
            tuple(
                "#" + "".join(f"{round(c * 255):02x}" for c in colour.tolist()) for colour in faded
            )
        )
    return tuple(tiers)
