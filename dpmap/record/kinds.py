"""Tells which kind of map a record is; no other file decides this.

Each room above has a folder `kinds` with one module for each of these names, whose `kind` makes, of
a record, what answers that room's questions. A new kind of map is one line here and one module in
each of those rooms.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from dpmap.record.record import Record
from dpmap.record.season import SeasonRelease

LAYERED = "layered"
KINDS: dict[str, Callable[[Record], bool]] = {
    LAYERED: lambda record: () not in record.grid.maps,
    "season": lambda record: isinstance(record, SeasonRelease),
    "merged": lambda record: bool(record.partners),
    "reports": lambda record: record.reports is not None,
    "sparse": lambda record: record.sparse,
    "means": lambda record: record.grid.mean is not None or record.mean is not None,
    "totals": lambda record: True,
}
"""Names and what a record of that kind is known by; the first that holds counts, so totals stand
last.
"""


def kind(record: Record) -> str:
    """Returns the name of the map's kind."""
    return next(name for name, holds in KINDS.items() if holds(record))


def kind_of_layers(record: Record) -> str:
    """Returns the kind of each single layer."""
    return next(name for name, holds in KINDS.items() if name != LAYERED and holds(record))


def made(room: str, name: str, record: Record) -> Any:
    """Loads a room's module for this kind of map and returns its object for the record."""
    return import_module(f"{room}.{name}").kind(record)
