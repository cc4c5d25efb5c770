"""Works out who vanishes in the noise: how large a group must be to show, by the law of the
noise and by the released numbers alone.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from dpmap import style
from dpmap.maps import read_map
from dpmap.promise.limiters import LIMITERS
from dpmap.record import Record, Reports
from dpmap.statement.phrases import clean, count_words, list_words, noun, plain

LEVEL = 0.9
ONE_SIDED = 0.8
"""Noise falls below the interval of this level one time in ten."""
Z_ONE_SIDED = 1.2815515655446004
"""A normal number is below minus this one time in ten."""
COUNTS = (10, 30, 100, 300, 1000)
"""How many capped records a group has, for which the error is worked out."""
SEVERAL = 10
MOST_GROUPS = 40
"""So many layers and named areas are listed."""


@dataclass(frozen=True, slots=True)
class SampleZone:
    """A zone of so many cells, with half the width of its 90 % interval in points."""

    name: str
    cells: int
    half_width: float
    taken: float
    """So much the noise takes away at most, nine times in ten."""
    listed_from: float = 0.0

    @property
    def half_the_time(self) -> int:
        """The fewest capped records that show every second time: that their noisy total lies
        above all that hides it is as likely as not.
        """
        return math.ceil(max(self.half_width, self.listed_from))

    @property
    def least(self) -> int:
        """The fewest capped records that show nine times in ten, whatever the noise takes away
        from them.
        """
        return math.ceil(max(self.half_width, self.listed_from) + self.taken)

    def error(self, count: int) -> float:
        """Returns half the width as a share of so many records."""
        return self.half_width / count


@dataclass(frozen=True, slots=True)
class Group:
    """A layer or a named area: its released total, half the width of its interval, and whether
    it shows.
    """

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
    """All that the section says: zones by size, groups by name, and how many groups are not
    listed.
    """

    zones: tuple[SampleZone, ...]
    groups: tuple[Group, ...]
    unlisted: int


def vanishing(record: Record) -> Vanishing:
    """Works the section out."""
    layers = [
        (", ".join(names), record.layer(names))
        for names in list(record.grid.maps)[:MOST_GROUPS]
        if names
    ]
    groups = [group for name, one in layers for group in _whole("layer", name, one)]
    groups += [] if layers else [*_whole("whole", "all of it", record), *_areas(record)]
    layer_count = len(record.grid.maps) if layers else 1 + len(record.grid.names)
    widths = [group.half_width for group in groups if group.kind != "area"]
    return Vanishing(
        tuple(_zones(record, widths)),
        tuple(groups),
        max(0, layer_count - MOST_GROUPS - (not layers)),
    )


def _zones(record: Record, widths: list[float]) -> Iterator[SampleZone]:
    """Returns a cell, several of them, and all of one layer: with the widest interval of those
    that are released.
    """
    cells = record.grid.ground.cells_inside
    word = "area" if record.grid.names else "cell"
    if record.sparse:
        yield replace(_zone(record, f"one {word}", 1), listed_from=_threshold(record))
        return
    yield _zone(record, f"one {word}", 1)
    if cells > SEVERAL:
        yield _zone(record, f"{SEVERAL} {word}s", SEVERAL)
    if (
        cells > 1 and record.reports is None
    ):  # how many reported is public, so all of them together cannot vanish
        name = "all of one layer" if () not in record.grid.maps else "the whole map"
        zone = _zone(record, name, cells)
        widest = max(
            widths, default=zone.half_width
        )  # of regions as they were measured, fewer than there are cells
        yield replace(zone, half_width=widest, taken=zone.taken * widest / zone.half_width)


def _zone(record: Record, name: str, cells: int) -> SampleZone:
    """Returns a zone of so many cells, each measured by itself."""
    reader = read_map(record)
    half = reader.within(cells, LEVEL)
    taken = reader.within(cells, ONE_SIDED)
    if record.reports is not None:
        taken = _taken_of_reports(record.reports, half, taken)
    return SampleZone(name, cells, half, taken)


def _taken_of_reports(reports: Reports, half: float, taken: float) -> float:
    """Returns what coins take away nine times in ten from a group that large: each answer in a cell
    brings a coin more than one elsewhere.

    With z for one-sided nine in ten, `taken` is z deviations of an empty cell, and the group is
    `half` and what is sought.
    """
    truth = float(reports.truth)
    other = float(reports.other)
    more = Z_ONE_SIDED**2 * (1 - truth - other) / (truth - other)
    return (more + math.sqrt(more**2 + 4 * (taken**2 + half * max(more, 0)))) / 2


def _whole(kind: str, name: str, record: Record) -> Iterator[Group]:
    """Returns all of a layer or of a map, where its released numbers add up to it."""
    if not record.measurements and not record.partners:
        return
    whole = read_map(record).whole(LEVEL)
    if whole is not None:
        yield Group(kind, clean(name), *whole)


def _areas(record: Record) -> Iterator[Group]:
    """Returns the named areas that were measured by themselves."""
    if not record.grid.names or record.grid.axes:
        return
    reader = read_map(record)
    values = reader.noisy_cells()
    half = reader.half_width(LEVEL)
    for name, value in list(zip(record.grid.names, values.ravel().tolist(), strict=True))[
        :MOST_GROUPS
    ]:
        if not math.isnan(value):
            yield Group("area", clean(name), value, half)


def counted_as(record: Record) -> str:
    """Returns what is counted, as code where the steward's survey has a word of its own for it."""
    return "records" if noun(record) == "records" else plain(noun(record))


def group_size_words(record: Record) -> str:
    """Says for a board how large a group must be to show, and who else counts for less than they
    reported.
    """
    zones = vanishing(record).zones
    more = "".join(f"; {zone.least:,} over {zone.name}" for zone in zones[1:])
    halves = list_words([f"{zone.half_the_time:,}" for zone in zones])
    shows = "it is listed, and " if record.sparse else ""
    return (
        f"**{group_needed_words(record)[:-1]}**{more}. With {halves} it shows half of the time,"
        " with fewer more"
        f" seldom. A group shows where {shows}its 90 % interval stays above none; where nobody is,"
        " that happens once in twenty at most."
        f" {_blocks(record)}{_drawn(record)}{_careful(record)}{_counting(record)}"
    )


def group_needed_words(record: Record) -> str:
    """Says how large a group in one cell must be to show."""
    first = next(_zones(record, []))
    return (
        f"To show nine times in ten a group needs {_many(first.least, counted_as(record))} in"
        f" {first.name}."
    )


def _many(least: int, of_what: str) -> str:
    """Writes so many of what is counted, as grammar has it."""
    return (
        count_words("1", of_what.removesuffix("s"))
        if least == 1 and of_what == "records"
        else f"{least:,} {of_what}"
    )


def _drawn(record: Record) -> str:
    """Says that in a sample a group is smaller than in the survey."""
    share = record.policy.sample
    if share is None:
        return ""
    return (
        "Only units that were drawn are counted here: a group of the survey holds about"
        f" {style.number(float(1 / share))} times as many. "
    )


def _counting(record: Record) -> str:
    """Says what counts as one, and what is not known of what the cap cut."""
    policy = record.policy
    if record.reports is not None:
        return (
            "Each volunteer who answered counts once. Of those who did not, the map knows nothing."
        )
    once = (
        f"What counts is pairs of a {plain(policy.unit)} and a {plain(policy.site)}. "
        if policy.site
        else (
            "A unit counts once in a cell, however many records it has there. "
            if LIMITERS[policy.limiter].by_cell
            else ""
        )
    )
    mean = "Whether a mean is told takes more than that (answer 18). " if record.grid.mean else ""
    return (
        f"{once}{mean}All counts are capped ones. The cap makes whoever has many records count for"
        " less than that, and how many it cut is not published."
    )


def _blocks(record: Record) -> str:
    """Says what of cells that were measured together."""
    if record.sparse:
        return (
            f"Cells whose noisy total is below {style.number(_threshold(record))} are not listed at"
            " all. "
        )
    reader = read_map(record)
    cells = int((reader.known_regions().labels >= 0).sum())
    alone = int(np.count_nonzero(reader.alone()))
    if alone == cells:
        return ""
    return (
        f"Only {alone:,} of {cells:,} cells were measured by themselves; the others were measured"
        " in blocks, and within a block nothing shows. "
    )


def _threshold(record: Record) -> float:
    """Returns from which noisy total on a sparse release lists a cell."""
    from dpmap.inference.sparse_bounds import listed_cells

    return float(listed_cells(record)[1].threshold)


def _careful(record: Record) -> str:
    """Says that units with a limit of their own count for less."""
    return (
        ""
        if record.policy.epsilon_by is None
        else "Units that stated a lower limit count for less than they reported. "
    )
