"""What each kind of map tells: its estimate, how far its noise reaches, what was measured alone, its hot spots."""

from typing import TYPE_CHECKING

from dpmap.record import Record
from dpmap.record.kinds import kind, kind_of_layers, made

if TYPE_CHECKING:
    from dpmap.inference.kinds.totals import Totals


def of(record: Record) -> "Totals":
    """What a record tells, by its kind."""
    found: Totals = made(__name__, kind(record), record)
    return found


def of_layers(record: Record) -> "Totals":
    """What a record tells, by the kind of its layers."""
    found: Totals = made(__name__, kind_of_layers(record), record)
    return found
