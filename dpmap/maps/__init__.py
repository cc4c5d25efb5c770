"""The kinds of maps: what each one is, which numbers it holds and what it can be asked.

A record is read by `read_map`. Whoever draws, words or exports a map finds here what its kind
allows; pictures, statements and layers that differ by kind are chosen by its name.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple
from weakref import WeakValueDictionary

from dpmap.grid import Grid
from dpmap.inference import Estimate
from dpmap.maps.layered import LayeredMap
from dpmap.maps.means import MeansMap
from dpmap.maps.merged import MergedMap
from dpmap.maps.reports import ReportsMap
from dpmap.maps.season import SeasonMap
from dpmap.maps.sparse import SparseMap
from dpmap.maps.totals import TotalsMap
from dpmap.promise.policy import Policy
from dpmap.record import Measurement, Prior, Receipt, Record
from dpmap.record.season import SeasonRelease


class MapKind(NamedTuple):
    """How records of one kind are known, and how they are read."""

    holds: Callable[[Record], bool]
    read: Callable[[Record], TotalsMap]


def kind(record: Record) -> str:
    """Return the name of the map's kind."""
    return next(name for name, known in KINDS.items() if known.holds(record))


def kind_of_layers(record: Record) -> str:
    """Return the kind of each single layer; of a map without layers its own."""
    return next(name for name, known in KINDS.items() if name != LAYERED and known.holds(record))


def read_map(record: Record) -> TotalsMap:
    """Return the map that a record holds, by its kind: the one that is in use already, if any, as
    a large map takes seconds to estimate again.
    """
    in_use = _IN_USE.get(id(record))
    if in_use is None or in_use.record is not record:
        in_use = KINDS[kind(record)].read(record)
        _IN_USE[id(record)] = in_use
    return in_use


def _read_layers(record: Record) -> LayeredMap:
    """Return a map with layers, which are read by their own kind."""
    return LayeredMap(record, KINDS[kind_of_layers(record)].read(record), read_map)


def _read_merged(record: Record) -> MergedMap:
    """Return a merged map, which adds up its partners' maps."""
    return MergedMap(record, [read_map(partner) for partner in record.partners])


LAYERED = "layered"
KINDS: dict[str, MapKind] = {
    LAYERED: MapKind(lambda record: () not in record.grid.maps, _read_layers),
    "season": MapKind(lambda record: isinstance(record, SeasonRelease), SeasonMap),
    "merged": MapKind(lambda record: bool(record.partners), _read_merged),
    "reports": MapKind(lambda record: record.reports is not None, ReportsMap),
    "sparse": MapKind(lambda record: record.sparse, SparseMap),
    "means": MapKind(
        lambda record: record.grid.mean is not None or record.mean is not None, MeansMap
    ),
    "totals": MapKind(lambda record: True, TotalsMap),
}
"""The kinds by their names; a record is of the first one that holds, so totals stand last."""
_IN_USE: WeakValueDictionary[int, TotalsMap] = WeakValueDictionary()
"""Maps that somebody holds, each by the identity of its record, which it keeps alive."""


def infer(grid: Grid, measurements: tuple[Measurement, ...]) -> Estimate:
    """Return the best estimate for measurements that belong to no record."""
    return read_measurements(grid, measurements).reading


def read_measurements(
    grid: Grid, measurements: tuple[Measurement, ...], priors: tuple[Prior, ...] = ()
) -> TotalsMap:
    """Return the map of measurements that belong to no record, with what is public beforehand."""
    nothing = Fraction(0)
    receipt = Receipt("", "", "", 0, nothing, nothing)
    policy = Policy(epsilon=1, unit="row", cap=1)
    return read_map(Record(grid, policy, "", measurements, receipt, "", priors=priors))
