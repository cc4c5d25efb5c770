"""Works out who vanishes in the noise: how large a group must be to show, by the law of the noise and by the released numbers alone."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpmap import style
from dpmap.inference.kinds import of as told
from dpmap.record import Record
from dpmap.statement.words import clean, noun, plain

LEVEL = 0.9
COUNTS = (10, 30, 100, 300, 1000)
"""How many capped records a group has, for which the error is worked out."""
SEVERAL = 10
MOST_GROUPS = 40
"""So many layers and named areas are listed."""


@dataclass(frozen=True, slots=True)
class Zone:
    """A zone of so many cells, with half the width of its 90 % interval in points."""

    name: str
    cells: int
    half_width: float
    listed_from: float = 0.0

    @property
    def least(self) -> int:
        """The fewest capped records that show: with fewer, the 90 % interval reaches down to none, or the cell is hardly listed."""
        return math.ceil(max(self.half_width, self.listed_from))

    def error(self, count: int) -> float:
        """Returns half the width as a share of so many records."""
        return self.half_width / count


@dataclass(frozen=True, slots=True)
class Group:
    """A layer or a named area: its released total, half the width of its interval, and whether it shows."""

    kind: str
    name: str
    total: float
    half_width: float

    @property
    def shows(self) -> bool:
        """Whether the 90 % interval stays above none."""
        return self.total > self.half_width

    @property
    def error(self) -> float | None:
        """Half the width as a share of the total; None of a total that is not above none."""
        return self.half_width / self.total if self.total > 0 else None


@dataclass(frozen=True, slots=True)
class Vanishing:
    """All that the section says: zones by size, groups by name, and how many groups are not listed."""

    zones: tuple[Zone, ...]
    groups: tuple[Group, ...]
    unlisted: int


def vanishing(record: Record) -> Vanishing:
    """Works the section out."""
    layers = [(", ".join(names), record.layer(names)) for names in list(record.grid.maps)[:MOST_GROUPS] if names]
    groups = [group for name, one in layers for group in _whole("layer", name, one)]
    groups += [] if layers else [*_whole("whole", "all of it", record), *_areas(record)]
    many = len(record.grid.maps) if layers else 1 + len(record.grid.names)
    widths = [group.half_width for group in groups if group.kind != "area"]
    return Vanishing(tuple(_zones(record, widths)), tuple(groups), max(0, many - MOST_GROUPS - (not layers)))


def _zones(record: Record, widths: list[float]) -> Iterator[Zone]:
    """Returns a cell, several of them, and all of one layer: with the widest interval of those that are released."""
    reader, cells, word = told(record), record.grid.ground.cells_inside, "area" if record.grid.names else "cell"
    if record.sparse:
        yield Zone(f"one {word}", 1, reader.within(1, LEVEL), _threshold(record))
        return
    yield Zone(f"one {word}", 1, reader.within(1, LEVEL))
    if cells > SEVERAL:
        yield Zone(f"{SEVERAL} {word}s", SEVERAL, reader.within(SEVERAL, LEVEL))
    if cells > 1:
        yield Zone(
            "all of one layer" if () not in record.grid.maps else "the whole map",
            cells,
            max(widths) if widths else reader.within(cells, LEVEL),
        )


def _whole(kind: str, name: str, record: Record) -> Iterator[Group]:
    """Returns all of a layer or of a map, where its released numbers add up to it."""
    if not record.measurements and not record.partners:
        return
    found = told(record).whole(LEVEL)
    if found is not None:
        yield Group(kind, clean(name), *found)


def _areas(record: Record) -> Iterator[Group]:
    """Returns the named areas that were measured by themselves."""
    if not record.grid.names or record.grid.axes:
        return
    reader = told(record)
    values, half = reader.noisy_cells(), reader.half_width(LEVEL)
    for name, value in list(zip(record.grid.names, values.ravel().tolist(), strict=True))[:MOST_GROUPS]:
        if not math.isnan(value):
            yield Group("area", clean(name), value, half)


def counted_as(record: Record) -> str:
    """Returns what is counted, as code where the steward's survey has a word of its own for it."""
    return "records" if noun(record) == "records" else plain(noun(record))


def sentence(record: Record) -> str:
    """Says for a board how large a group must be to show, and who else counts for less than they reported."""
    zones, of_what = vanishing(record).zones, counted_as(record)
    more = [f"over {zone.name}, one with fewer than {zone.least:,}" for zone in zones[1:]]
    parts = "; ".join(
        [f"**A group with fewer than {zones[0].least:,} {of_what} in {zones[0].name} does not show**", *more]
    )
    return (
        f"{parts}: its 90 % interval reaches down to none. {_blocks(record)}{_careful(record)}"
        "All counts are capped ones. The cap makes whoever has many records count for less than that, and how many it cut is not published."
    )


def _blocks(record: Record) -> str:
    """Says what of cells that were measured together."""
    if record.sparse:
        return f"Cells whose noisy total is below {style.number(_threshold(record))} are not listed at all. "
    reader = told(record)
    cells = int((reader.known_regions().labels >= 0).sum())
    alone = int(np.count_nonzero(reader.alone()))
    if alone == cells:
        return ""
    return (
        f"Only {alone:,} of {cells:,} cells were measured by themselves; the others were measured in blocks, and within a block "
        "nothing shows. "
    )


def _threshold(record: Record) -> float:
    """Returns from which noisy total on a sparse release lists a cell."""
    from dpmap.inference.listed import shown

    return float(shown(record)[1].threshold)


def _careful(record: Record) -> str:
    """Says that units with a limit of their own count for less."""
    return (
        ""
        if record.policy.epsilon_by is None
        else "Units that stated a lower limit count for less than they reported. "
    )
