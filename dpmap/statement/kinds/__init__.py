"""What each kind of map says of itself: its unit and error, its one line, its statement, what its layers' columns are."""

from typing import TYPE_CHECKING

from dpmap.record import Record
from dpmap.record.kinds import kind, kind_of_layers, made

if TYPE_CHECKING:
    from dpmap.statement.kinds.totals import Totals


def of(record: Record) -> "Totals":
    """What a record says, by its kind."""
    found: Totals = made(__name__, kind(record), record)
    return found


def of_layers(record: Record) -> "Totals":
    """What a record says, by the kind of its layers."""
    found: Totals = made(__name__, kind_of_layers(record), record)
    return found
