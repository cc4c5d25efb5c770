"""One season of a series: its cells are read with those of the other seasons, its bounds are its
own.
"""

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from dpmap.inference.estimate import Estimate
from dpmap.maps.totals import TotalsMap
from dpmap.record import Record
from dpmap.record.season import SeasonRelease as SeasonRecord
from dpmap.record.season import Seasons

if TYPE_CHECKING:
    from dpmap.inference.patches import Patches

_STACKED: WeakKeyDictionary[Seasons, list[Estimate]] = WeakKeyDictionary()
_PARTED: WeakKeyDictionary[Seasons, "dict[tuple[int, float], Patches]"] = WeakKeyDictionary()
"""What was found of a series, for as long as that lives: each map, picture, page and layer asks
for it.
"""


class SeasonMap(TotalsMap):
    """One season, read together with the others."""

    record: SeasonRecord

    def __init__(self, record: Record) -> None:
        super().__init__(record)
        if not isinstance(record, SeasonRecord):
            raise TypeError("a season's record knows the others")

    def estimate(self) -> Estimate:
        """Return the season's estimate, given all others."""
        seasons = self.record.seasons
        if seasons not in _STACKED:
            # scipy, which a flat map does not need
            from dpmap.inference.pool_seasons import pool_estimates

            alone = [TotalsMap(record).reading for record in seasons.records]
            _STACKED[seasons] = pool_estimates(
                self.record.grid, [record.measurements for record in seasons.records], alone
            )
        return _STACKED[seasons][self.record.place]

    def patches(self, level: float) -> "Patches":
        """Return the smallest places of which the colour can be told, found once; the season's
        own map has others.
        """
        by_place = _PARTED.setdefault(self.record.seasons, {})
        key = (self.record.place, level)
        if key not in by_place:
            by_place[key] = self.parting(level)
        return by_place[key]
