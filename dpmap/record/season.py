"""A season's record beside those of the other seasons of its series, from which its better map
is made.
"""

from dataclasses import dataclass, field, fields
from typing import Self

from dpmap.record.record import Record


class Seasons:
    """Holds the records of a series in their order, and the name of each season.

    >>> Seasons((), ()).records
    ()
    """

    __slots__ = ("__weakref__", "labels", "records")

    def __init__(self, records: tuple[Record, ...], labels: tuple[str, ...]) -> None:
        self.records = records
        self.labels = labels


@dataclass(frozen=True, slots=True)
class SeasonRelease(Record):
    """Holds one season's release with the `seasons` that it is read together with; `place` is its
    own among them.

    It has no file of its own: it follows from the releases' own files.
    """

    seasons: Seasons = field(default_factory=lambda: Seasons((), ()))
    place: int = 0

    @classmethod
    def at_place(cls, seasons: Seasons, place: int) -> Self:
        """Makes the season at this place."""
        record = seasons.records[place]
        return cls(
            **{part.name: getattr(record, part.name) for part in fields(Record)},
            seasons=seasons,
            place=place,
        )

    @property
    def others(self) -> int:
        """How many other seasons it is read together with."""
        return len(self.seasons.records) - 1
