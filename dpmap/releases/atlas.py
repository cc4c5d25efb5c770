"""Takes a release apart into layers as the forms of atlases and portals take them: of one kind
and one span of time each.
"""

from datetime import date
from typing import TYPE_CHECKING

from dpmap.errors import BadInput
from dpmap.export.atlas.layers import AtlasLayer
from dpmap.export.atlas.taxa import Taxa
from dpmap.grid import Grid
from dpmap.grid.layer_axes import Kinds, Times, first_and_last
from dpmap.record import Record

if TYPE_CHECKING:
    from dpmap.releases.release import Release

MOST_NAMED = 12
Span = tuple[date, date] | None


def layers(release: "Release", taxa: Taxa) -> tuple[AtlasLayer, ...]:
    """Returns the layers of a release, or the one layer that it is itself, each with its kind and
    its days.

    What the map does not tell is declared: the kind of a map without kinds is the one taxon that is
    given, and its days are those of the year.
    """
    # of a layer by itself, the map that it is a part of
    whole = release._whole.grid  # noqa: SLF001
    kinds, times = _kinds(whole), _times(whole)
    _check(taxa, kinds, timed=bool(times))
    found = release.layers or {release.record.about.layer: release}
    return tuple(
        _layer(one, _kind(names, whole, taxa), _span(names, whole, times, taxa), release.record)
        for names, one in found.items()
    )


def _layer(release: "Release", kind: str, days: Span, whole: Record) -> AtlasLayer:
    """Returns one layer; a sparse one has no estimate of every cell."""
    told = release._told  # noqa: SLF001
    first, last = days or (None, None)
    return AtlasLayer(
        told.single("export"), release.reading if told.complete else None, kind, first, last, whole
    )


def _kinds(grid: Grid) -> list[str]:
    """Lists the names of the kinds that the map tells apart; of a map by species and sex, each
    pair.
    """
    found = [""]
    for axis in grid.axes:
        if isinstance(axis, Kinds):
            found = [
                f"{before}, {name}" if before else name for before in found for name in axis.names
            ]
    return [name for name in found if name]


def _times(grid: Grid) -> dict[str, tuple[date, date]]:
    """Returns the first and last day of each span, by its name."""
    found = {}
    for axis in grid.axes:
        if isinstance(axis, Times):
            found = dict(zip(axis.layers, first_and_last(axis), strict=True))
    return found


def _kind(names: tuple[str, ...], whole: Grid, taxa: Taxa) -> str:
    """Returns the kind of the layer of these names; of a map without kinds, the one that is
    declared.
    """
    parts = [name for axis, name in zip(whole.axes, names, strict=False) if isinstance(axis, Kinds)]
    return ", ".join(parts) if parts else next(iter(taxa.keys), "")


def _span(
    names: tuple[str, ...], whole: Grid, times: dict[str, tuple[date, date]], taxa: Taxa
) -> Span:
    """Returns the days of the layer of these names; of a map without times, the declared ones."""
    spans = [
        times[name]
        for axis, name in zip(whole.axes, names, strict=False)
        if isinstance(axis, Times)
    ]
    return spans[0] if spans else taxa.days()


def _check(taxa: Taxa, kinds: list[str], *, timed: bool) -> None:
    """Refuses what is declared of a map that says otherwise itself."""
    if timed and taxa.year:
        raise BadInput("--year: this map has its own times; leave it out")
    if not kinds and len(taxa.keys) > 1:
        raise BadInput(
            "--taxon: this map does not tell kinds apart; give one taxon, or make it with --kinds"
        )
    unknown = next((name for name in taxa.keys if kinds and name not in kinds), None)
    if unknown is not None:
        known = "; ".join(kind[:60] for kind in kinds[:MOST_NAMED])
        raise BadInput(f"--taxon: this map has no kind {unknown[:60]!r}; it has {known}")
