"""The layers of a release as an atlas takes them: each of one kind and one span of days."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from dpmap.errors import BadInput
from dpmap.export.atlas.taxa import Taxa
from dpmap.grid import Grid
from dpmap.grid.layer_axes import Kinds, Times, first_and_last

if TYPE_CHECKING:
    from dpmap.inference import Estimate
    from dpmap.maps.totals import TotalsMap
    from dpmap.record import Record

MOST_NAMED = 12
Span = tuple[date, date] | None


@dataclass(frozen=True, slots=True)
class AtlasLayer:
    """Holds a map of one kind and one span of time.

    - `estimate`: None of a sparse map, which lists only the cells above its threshold.
    - `kind`: the declared name of the kind; of a map that does not tell kinds apart the declared
      one; empty where none is declared.
    - `first`, `last`: the first and the last day of the span; of a map that does not tell times
      apart the declared ones; None where none are declared.
    - `whole`: the record of the release that it is a layer of, where that has several.
    """

    record: "Record"
    estimate: "Estimate | None"
    kind: str = ""
    first: date | None = None
    last: date | None = None
    whole: "Record | None" = None


def atlas_layers(
    readers: "Mapping[tuple[str, ...], TotalsMap]", record: "Record", whole: Grid, taxa: Taxa
) -> tuple[AtlasLayer, ...]:
    """Return the layers of a release, or the one layer that it is itself, by their names.

    The grid `whole` is that of the map that a single layer was taken from. What the map does not
    say is declared: the kind of a map without kinds is the one taxon that is given, and its days
    are those of the year.
    """
    kinds = _kinds(whole)
    times = _times(whole)
    _check(taxa, kinds, timed=bool(times))
    layers = []
    for names, reader in readers.items():
        first, last = _span(names, whole, times, taxa) or (None, None)
        layers.append(
            AtlasLayer(
                reader.single("export"),
                reader.reading if reader.complete else None,
                _kind(names, whole, taxa),
                first,
                last,
                record,
            )
        )
    return tuple(layers)


def _kinds(grid: Grid) -> list[str]:
    """List the names of the kinds that the map tells apart; of a map by species and sex, each
    pair.
    """
    names = [""]
    for axis in grid.axes:
        if isinstance(axis, Kinds):
            names = [
                f"{before}, {name}" if before else name for before in names for name in axis.names
            ]
    return [name for name in names if name]


def _times(grid: Grid) -> dict[str, tuple[date, date]]:
    """Return the first and last day of each span, by its name."""
    spans = {}
    for axis in grid.axes:
        if isinstance(axis, Times):
            spans = dict(zip(axis.layers, first_and_last(axis), strict=True))
    return spans


def _kind(names: tuple[str, ...], whole: Grid, taxa: Taxa) -> str:
    """Return the kind of the layer of these names; of a map without kinds, the one that is
    declared.
    """
    parts = [name for axis, name in zip(whole.axes, names, strict=False) if isinstance(axis, Kinds)]
    return ", ".join(parts) if parts else next(iter(taxa.keys), "")


def _span(
    names: tuple[str, ...], whole: Grid, times: dict[str, tuple[date, date]], taxa: Taxa
) -> Span:
    """Return the days of the layer of these names; of a map without times, the declared ones."""
    spans = [
        times[name]
        for axis, name in zip(whole.axes, names, strict=False)
        if isinstance(axis, Times)
    ]
    return spans[0] if spans else taxa.days()


def _check(taxa: Taxa, kinds: list[str], *, timed: bool) -> None:
    """Refuse what is declared of a map that says otherwise itself."""
    if timed and taxa.year:
        raise BadInput("--year: this map has its own times; leave it out")
    if not kinds and len(taxa.keys) > 1:
        raise BadInput(
            "--taxon: this map does not tell kinds apart; give one taxon, or make it with --kinds"
        )
    unknown = next((name for name in taxa.keys if kinds and name not in kinds), None)
    if unknown is not None:
        names = "; ".join(kind[:60] for kind in kinds[:MOST_NAMED])
        raise BadInput(f"--taxon: this map has no kind {unknown[:60]!r}; it has {names}")
