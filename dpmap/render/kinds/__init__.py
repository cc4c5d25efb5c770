"""Says how each kind of map is drawn, and what its page is told."""

from typing import TYPE_CHECKING

from dpmap.record import Record
from dpmap.record.kinds import kind, kind_of_layers, made

if TYPE_CHECKING:
    from dpmap.render.kinds.totals import TotalsDrawing


def map_drawing(record: Record) -> "TotalsDrawing":
    """Returns the drawer of a record, by its kind."""
    found: TotalsDrawing = made(__name__, kind(record), record)
    return found


def of_layers(record: Record) -> "TotalsDrawing":
    """Returns the drawer of a record, by the kind of its layers."""
    found: TotalsDrawing = made(__name__, kind_of_layers(record), record)
    return found
