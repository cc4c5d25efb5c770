"""Says for each kind of map what it tells: its estimate, its noise, the cells measured alone,
its hot spots.
"""

from typing import TYPE_CHECKING

from dpmap.record import Record
from dpmap.record.kinds import kind, kind_of_layers, made

if TYPE_CHECKING:
    from dpmap.inference.kinds.totals import TotalsReader


def map_reader(record: Record) -> "TotalsReader":
    """Returns the reader of a record, by its kind."""
    found: TotalsReader = made(__name__, kind(record), record)
    return found


def of_layers(record: Record) -> "TotalsReader":
    """Returns the reader of a record, by the kind of its layers."""
    found: TotalsReader = made(__name__, kind_of_layers(record), record)
    return found
