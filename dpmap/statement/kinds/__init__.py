"""Says what each kind of map says of itself: its unit and error, its one line, its statement,
its layers' columns.
"""

from typing import TYPE_CHECKING

from dpmap.record import Record
from dpmap.record.kinds import kind, kind_of_layers, made

if TYPE_CHECKING:
    from dpmap.statement.kinds.totals import TotalsStatement


def map_statement(record: Record) -> "TotalsStatement":
    """Returns the words of a record, by its kind."""
    found: TotalsStatement = made(__name__, kind(record), record)
    return found


def of_layers(record: Record) -> "TotalsStatement":
    """Returns the words of a record, by the kind of its layers."""
    found: TotalsStatement = made(__name__, kind_of_layers(record), record)
    return found
